/* SPDX-License-Identifier: BSD-3-Clause */
/* How mail writes letters beyond ASCII: quoted-printable, base64, character sets, and the
   three together in a header (RFC 2045, 2047). */
#include "corpus/text/text_markup.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

/* ---- bytes as ASCII ---- */

static int hex(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes of a soft line end after "=": blanks, then a line end; 0: there is none. */
static size_t soft_end(struct dlpi_piece t, size_t i)
{
    size_t n = i + 1;
    while (n < t.size && (t.at[n] == ' ' || t.at[n] == '\t' || t.at[n] == '\r')) n++;
    return n == t.size || t.at[n] == '\n' ? n + (n < t.size) - i : 0;
}

void dlpi_put_unquoted(struct dlpi_piece t, bool header, struct dlpi_output *out)
{
    for (size_t i = 0; i < t.size;) {
        const int high = i + 2 < t.size ? hex(t.at[i + 1]) : -1;
        const int low = high >= 0 ? hex(t.at[i + 2]) : -1;
        const size_t soft = t.at[i] == '=' && !header ? soft_end(t, i) : 0;
        if (t.at[i] == '=' && low >= 0) {
            dlpi_put_char(out, (char)(16 * high + low));
            i += 3;
        } else if (soft > 0) {
            i += soft;
        } else {
            dlpi_put_char(out, header && t.at[i] == '_' ? ' ' : t.at[i]);
            i++;
        }
    }
}

static int digit64(char c)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

void dlpi_put_unbase64(struct dlpi_piece t, struct dlpi_output *out)
{
    uint32_t bits = 0;
    int n = 0;
    for (size_t i = 0; i < t.size && t.at[i] != '='; i++) {
        const int digit = digit64(t.at[i]);
        if (digit < 0) continue; /* line ends, and what does not belong there */
        bits = (bits << 6 | (uint32_t)digit) & 0xffffff;
        n += 6;
        if (n < 8) continue;
        n -= 8;
        dlpi_put_char(out, (char)(bits >> n & 0xff));
    }
}

/* ---- character sets ---- */

static void put_character(uint32_t c, struct dlpi_output *out)
{
    if (c < 0x80) {
        dlpi_put_char(out, (char)c);
    } else if (c < 0x800) {
        dlpi_put_char(out, (char)(0xc0 | c >> 6));
        dlpi_put_char(out, (char)(0x80 | (c & 0x3f)));
    } else {
        dlpi_put_char(out, (char)(0xe0 | c >> 12));
        dlpi_put_char(out, (char)(0x80 | (c >> 6 & 0x3f)));
        dlpi_put_char(out, (char)(0x80 | (c & 0x3f)));
    }
}

/* Latin-1 as mail means it: with Windows' letters and quotes from 0x80 to 0x9f. */
static void put_latin1(struct dlpi_piece t, struct dlpi_output *out)
{
    static const uint16_t windows[32] = {
        0x20ac, ' ',    0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
        0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, ' ',    0x017d, ' ',
        ' ',    0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
        0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, ' ',    0x017e, 0x0178};
    for (size_t i = 0; i < t.size; i++) {
        const unsigned char c = (unsigned char)t.at[i];
        put_character(c >= 0x80 && c < 0xa0 ? windows[c - 0x80] : c, out);
    }
}

/* Bytes that the set does not have are blanks. */
static void put_converted(iconv_t set, struct dlpi_piece t, struct dlpi_output *out)
{
    char *at = (char *)t.at; /* which iconv leaves as it is */
    size_t left = t.size;
    while (left > 0) {
        char buffer[1024], *to = buffer;
        size_t room = sizeof buffer;
        const size_t before = left;
        (void)iconv(set, &at, &left, &to, &room);
        dlpi_put(out, buffer, sizeof buffer - room);
        if (left == before && room == sizeof buffer) {
            dlpi_put_char(out, ' ');
            at++;
            left--;
        }
    }
}

static bool is_latin1(struct dlpi_piece name)
{
    return (dlpi_piece_begins(name, "iso-8859-1") && name.size == 10) ||
           dlpi_piece_begins(name, "windows-1252");
}

static bool is_utf8(struct dlpi_piece name)
{
    return name.size == 0 || dlpi_piece_begins(name, "utf-8") ||
           dlpi_piece_begins(name, "us-ascii");
}

/* Whether iconv knows the set; then the text is put. */
static bool put_by_iconv(const char *charset, struct dlpi_piece t,
                         struct dlpi_output *out)
{
    iconv_t set = iconv_open("UTF-8", charset);
    if ((intptr_t)set == -1) {
        out->failed |= errno == ENOMEM;
        return false;
    }
    put_converted(set, t, out);
    (void)iconv_close(set);
    return true;
}

void dlpi_put_recoded(const char *charset, struct dlpi_piece t, struct dlpi_output *out)
{
    const struct dlpi_piece name = {charset, strlen(charset)};
    if (is_latin1(name))
        put_latin1(t, out);
    else if (is_utf8(name) || !put_by_iconv(charset, t, out))
        dlpi_put(out, t.at, t.size);
}

/* ---- headers ---- */

/* Cuts off the piece up to a mark and leaves in rest what follows it; false: no mark. */
static bool cut(struct dlpi_piece *rest, char mark, struct dlpi_piece *first)
{
    const char *at = rest->size > 0 ? memchr(rest->at, mark, rest->size) : NULL;
    if (!at) return false;
    *first = (struct dlpi_piece){rest->at, (size_t)(at - rest->at)};
    rest->size -= first->size + 1;
    rest->at = at + 1;
    return true;
}

/* rest begins after "=?". Decodes the word "charset?q?text?=" there, puts it and steps
   past it; false, with nothing put, if there is no such word. */
static bool put_encoded(struct dlpi_piece *rest, struct dlpi_output *out)
{
    struct dlpi_piece r = *rest, charset, how, text;
    char name[64];
    if (!cut(&r, '?', &charset) || !cut(&r, '?', &how) || !cut(&r, '?', &text) ||
        r.size == 0 || r.at[0] != '=' || how.size != 1 || charset.size >= sizeof name)
        return false;
    memcpy(name, charset.at, charset.size);
    name[charset.size] = '\0';
    name[strcspn(name, "*")] = '\0'; /* a language may follow */
    struct dlpi_output bytes = {0};
    if ((how.at[0] | 0x20) == 'b')
        dlpi_put_unbase64(text, &bytes);
    else
        dlpi_put_unquoted(text, true, &bytes);
    dlpi_put_recoded(name, (struct dlpi_piece){bytes.bytes.data, bytes.bytes.size}, out);
    out->failed |= bytes.failed;
    free(bytes.bytes.data);
    *rest = (struct dlpi_piece){r.at + 1, r.size - 1};
    return true;
}

/* Blanks between two encoded words do not count. */
static void skip_blanks_before_word(struct dlpi_piece *t)
{
    size_t n = 0;
    while (n < t->size && (t->at[n] == ' ' || t->at[n] == '\t')) n++;
    if (t->size - n < 2 || t->at[n] != '=' || t->at[n + 1] != '?') return;
    t->at += n;
    t->size -= n;
}

void dlpi_put_header(struct dlpi_piece t, struct dlpi_output *out)
{
    while (t.size > 0) {
        struct dlpi_piece word = {t.at + 2, t.size - 2};
        if (t.size > 2 && t.at[0] == '=' && t.at[1] == '?' && put_encoded(&word, out)) {
            t = word;
            skip_blanks_before_word(&t);
        } else {
            dlpi_put_char(out, *t.at);
            t.at++;
            t.size--;
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a mail (RFC 5322, MIME): its subject and its text parts. Of alternatives
 * the plain text is read, or else the HTML. Headers, attachments, quotations of other
 * mails (lines that begin with >) and what follows the line "-- " are left out.
 */
#include "corpus/text/text_markup.h"

#include <string.h>

enum { DEEPEST = 8, VALUE = 256 };

/* What the headers of a mail or of one of its parts say. */
struct part {
    char type[VALUE];     /* "text/html" */
    char charset[64];     /* "": not given */
    char boundary[VALUE]; /* between the parts of this one */
    char encoding[32];    /* "base64" */
    bool attached;        /* a file rather than text */
    struct dlpi_piece body;
};

static void put_part(struct dlpi_piece text, int depth, struct dlpi_output *out);

/* ---- headers ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The value of a parameter, name="value" or name=value, into value; in lower case unless
   it is a boundary. */
static void find_parameter(struct dlpi_piece line, const char *name, char *value,
                           size_t room)
{
    const bool exact = !strcmp(name, "boundary=");
    for (size_t i = 0; i < line.size; i++) {
        const struct dlpi_piece at = {line.at + i, line.size - i};
        if (!dlpi_piece_begins(at, name)) continue;
        size_t j = strlen(name), n = 0;
        const bool quoted = j < at.size && at.at[j] == '"';
        for (j += quoted; j < at.size && n + 1 < room; j++) {
            const char c = at.at[j];
            if (quoted ? c == '"' : c == ';' || c == ' ' || c == '\t') break;
            value[n++] = exact ? c : lower(c);
        }
        value[n] = '\0';
        return;
    }
}

/* The first word after the header's name. */
static void find_word(struct dlpi_piece line, char *value, size_t room)
{
    size_t n = 0;
    while (line.size > 0 && (*line.at == ' ' || *line.at == '\t')) line.at++, line.size--;
    for (; n < line.size && n + 1 < room; n++) {
        if (line.at[n] == ';' || line.at[n] == ' ' || line.at[n] == '\t') break;
        value[n] = lower(line.at[n]);
    }
    value[n] = '\0';
}

static void read_header(struct dlpi_piece line, struct part *p)
{
    const char *colon = memchr(line.at, ':', line.size);
    if (!colon) return;
    const struct dlpi_piece value = {colon + 1,
                                     line.size - (size_t)(colon + 1 - line.at)};
    if (dlpi_piece_begins(line, "content-type:")) {
        find_word(value, p->type, sizeof p->type);
        find_parameter(value, "charset=", p->charset, sizeof p->charset);
        find_parameter(value, "boundary=", p->boundary, sizeof p->boundary);
    } else if (dlpi_piece_begins(line, "content-transfer-encoding:")) {
        find_word(value, p->encoding, sizeof p->encoding);
    } else if (dlpi_piece_begins(line, "content-disposition:")) {
        char how[VALUE];
        find_word(value, how, sizeof how);
        p->attached = !strcmp(how, "attachment");
    }
}

/* Reads the headers, including continued lines; puts the subject if it is wanted. */
static void read_headers(struct dlpi_piece text, struct part *p,
                         struct dlpi_output *subject)
{
    struct dlpi_output whole = {0};
    struct dlpi_piece line = dlpi_piece_line(&text);
    while (line.size > 0) {
        whole.bytes.size = 0;
        do {
            dlpi_put(&whole, line.at, line.size);
            line = dlpi_piece_line(&text);
        } while (line.size > 0 && (line.at[0] == ' ' || line.at[0] == '\t'));
        struct dlpi_piece header = {whole.bytes.data, whole.bytes.size};
        if (whole.failed) break;
        read_header(header, p);
        if (!subject || !dlpi_piece_begins(header, "subject:")) continue;
        header.at += strlen("subject:");
        header.size -= strlen("subject:");
        while (header.size > 0 && *header.at == ' ') header.at++, header.size--;
        dlpi_put_header(header, subject);
        dlpi_put(subject, "\n\n", 2);
    }
    if (subject) subject->failed |= whole.failed;
    free(whole.bytes.data);
    p->body = text;
}

/* ---- text ---- */

static void put_unquoted_lines(struct dlpi_piece text, struct dlpi_output *out)
{
    while (text.size > 0) {
        const struct dlpi_piece line = dlpi_piece_line(&text);
        if (line.size == 3 && !memcmp(line.at, "-- ", 3)) return; /* a signature */
        size_t i = 0;
        while (i < line.size && line.at[i] == ' ') i++;
        if (i < line.size && line.at[i] == '>') continue;
        dlpi_put(out, line.at, line.size);
        dlpi_put_char(out, '\n');
    }
}

static void put_text(const struct part *p, struct dlpi_output *out)
{
    struct dlpi_output bytes = {0}, text = {0};
    if (!strcmp(p->encoding, "base64"))
        dlpi_put_unbase64(p->body, &bytes);
    else if (!strcmp(p->encoding, "quoted-printable"))
        dlpi_put_unquoted(p->body, false, &bytes);
    else
        dlpi_put(&bytes, p->body.at, p->body.size);
    if (bytes.bytes.size > 0 && !bytes.failed)
        dlpi_put_recoded(p->charset,
                         (struct dlpi_piece){bytes.bytes.data, bytes.bytes.size}, &text);
    const struct dlpi_piece plain = {text.bytes.data, text.bytes.size};
    if (plain.size > 0 &&
        (strcmp(p->type, "text/html") != 0 || !dlpi_put_html(plain.at, plain.size, out)))
        put_unquoted_lines(plain, out);
    dlpi_put_char(out, '\n');
    out->failed |= bytes.failed || text.failed;
    free(bytes.bytes.data);
    free(text.bytes.data);
}

/* ---- parts ---- */

/* The next of the parts; false after the last. */
static bool next_part(struct dlpi_piece *rest, const char *boundary,
                      struct dlpi_piece *part)
{
    const size_t length = strlen(boundary);
    *part = (struct dlpi_piece){rest->at, 0};
    while (rest->size > 0) {
        const struct dlpi_piece line = dlpi_piece_line(rest);
        const bool mark = line.size >= length + 2 && !memcmp(line.at, "--", 2) &&
                          !memcmp(line.at + 2, boundary, length);
        if (mark) {
            part->size = (size_t)(line.at - part->at);
            return true;
        }
    }
    part->size = (size_t)(rest->at - part->at); /* the last mark is missing */
    return part->size > 0;
}

/* Which part of the alternatives: the plain one, or else the last. */
static int choose_part(struct dlpi_piece rest, const char *boundary)
{
    struct dlpi_piece piece;
    int last = 0;
    for (int i = 0; next_part(&rest, boundary, &piece); i++) {
        struct part p = {.type = ""};
        read_headers(piece, &p, NULL);
        if (i == 0) continue; /* what is before the first mark */
        if (!strcmp(p.type, "text/plain")) return i;
        if (p.type[0]) last = i;
    }
    return last;
}

static void put_parts(const struct part *p, int depth, struct dlpi_output *out)
{
    struct dlpi_piece rest = p->body, piece;
    const int one =
        !strcmp(p->type, "multipart/alternative") ? choose_part(rest, p->boundary) : 0;
    for (int i = 0; next_part(&rest, p->boundary, &piece); i++)
        if (i > 0 && (one == 0 || i == one)) put_part(piece, depth + 1, out);
}

static void put_part(struct dlpi_piece text, int depth, struct dlpi_output *out)
{
    struct part p = {.type = ""};
    read_headers(text, &p, NULL);
    const struct dlpi_piece type = {p.type, strlen(p.type)};
    if (p.attached || depth > DEEPEST) return;
    if (dlpi_piece_begins(type, "multipart/") && p.boundary[0])
        put_parts(&p, depth, out);
    else if (!strcmp(p.type, "message/rfc822"))
        put_part(p.body, depth + 1, out);
    else if (type.size == 0 || dlpi_piece_begins(type, "text/"))
        put_text(&p, out);
}

void dlpi_put_mail(const char *text, size_t size, struct dlpi_output *out)
{
    struct dlpi_piece all = {text, size};
    struct part p = {.type = ""};
    if (dlpi_piece_begins(all, "from ")) (void)dlpi_piece_line(&all);
    read_headers(all, &p, out);
    put_part(all, 0, out);
}

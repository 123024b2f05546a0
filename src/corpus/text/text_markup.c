/* SPDX-License-Identifier: BSD-3-Clause */
/* What a document is: a page, XML, a mail, or plain text. */
#include "corpus/text/text_markup.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

struct dlpi_piece dlpi_piece_line(struct dlpi_piece *rest)
{
    const char *newline = rest->size > 0 ? memchr(rest->at, '\n', rest->size) : NULL;
    struct dlpi_piece line = {rest->at,
                              newline ? (size_t)(newline - rest->at) : rest->size};
    const size_t step = newline ? line.size + 1 : line.size;
    rest->at += step;
    rest->size -= step;
    if (line.size > 0 && line.at[line.size - 1] == '\r') line.size--;
    return line;
}

bool dlpi_piece_begins(struct dlpi_piece piece, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (i == piece.size || lower(piece.at[i]) != word[i]) return false;
    return true;
}

/* ---- pages ---- */

/* Elements that a text without tags would hardly have between < and >. */
static const char *const elements[] = {
    "a",     "article", "b",    "blockquote", "body",   "br",     "center",  "code",
    "div",   "em",      "font", "h1",         "h2",     "h3",     "h4",      "head",
    "hr",    "html",    "i",    "iframe",     "img",    "li",     "main",    "meta",
    "ol",    "p",       "pre",  "span",       "strong", "script", "section", "style",
    "table", "tbody",   "td",   "th",         "title",  "tr",     "u",       "ul",
};

enum { LONGEST_NAME = 16 };

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, list[i])) return true;
    return false;
}

bool dlpi_html_hides(const char *name)
{
    static const char *const list[] = {"script", "style", "template", "noscript"};
    return is_one_of(name, list, sizeof list / sizeof list[0]);
}

/* The element's name after "<" or "</", in lower case; empty: no tag begins there. */
static void take_name(struct dlpi_piece p, char *name)
{
    size_t n = 0;
    while (n < p.size && n + 1 < LONGEST_NAME &&
           ((lower(p.at[n]) >= 'a' && lower(p.at[n]) <= 'z') ||
            (n > 0 && p.at[n] >= '0' && p.at[n] <= '9'))) {
        name[n] = lower(p.at[n]);
        n++;
    }
    if (n == p.size || !(is_blank(p.at[n]) || p.at[n] == '>' || p.at[n] == '/')) n = 0;
    name[n] = '\0';
}

/* The end of the last tag, so that what follows it need not be looked at again. */
static size_t last_tag(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] != '>') size--;
    return size;
}

/* The next "<" and what follows it; false: there is none. */
static bool next_tag(struct dlpi_piece *rest)
{
    const char *tag = rest->size > 0 ? memchr(rest->at, '<', rest->size) : NULL;
    if (!tag) return false;
    rest->size -= (size_t)(tag + 1 - rest->at);
    rest->at = tag + 1;
    return true;
}

/* The next tag's name, and whether it is an end tag; false: there is none. */
static bool next_name(struct dlpi_piece *rest, char *name, bool *ends)
{
    if (!next_tag(rest)) return false;
    *ends = rest->size > 0 && rest->at[0] == '/';
    take_name((struct dlpi_piece){rest->at + *ends, rest->size - *ends}, name);
    return true;
}

/* Whether its tags are those of HTML. */
static bool has_html_tags(struct dlpi_piece rest)
{
    char name[LONGEST_NAME];
    for (bool ends; next_name(&rest, name, &ends);)
        if (dlpi_piece_begins(rest, "!doctype html") ||
            is_one_of(name, elements, sizeof elements / sizeof elements[0]))
            return true;
    return false;
}

/* Whether a script, or the like, begins and does not end. */
static bool hides_its_end(struct dlpi_piece rest)
{
    char name[LONGEST_NAME], hidden[LONGEST_NAME] = "";
    for (bool ends; next_name(&rest, name, &ends);)
        if (!*hidden && !ends && dlpi_html_hides(name))
            memcpy(hidden, name, sizeof hidden);
        else if (ends && !strcmp(name, hidden))
            *hidden = '\0';
    return *hidden;
}

/* A text that speaks of <script> is no page, of which nothing after that tag would be
   read. A page, even one that was cut off, begins with a tag. */
static bool is_html(const char *text, size_t size)
{
    const struct dlpi_piece tags = {text, last_tag(text, size)};
    return has_html_tags(tags) && (*text == '<' || !hides_its_end(tags));
}

/* XML has elements of HTML's names, too; a page calls itself one. */
static bool has_html_element(struct dlpi_piece rest)
{
    while (next_tag(&rest))
        if (dlpi_piece_begins(rest, "html")) return true;
    return false;
}

/* ---- mail ---- */

static const char *const headers[] = {
    "from:",     "to:",       "subject:",      "date:",         "message-id:",
    "received:", "reply-to:", "newsgroups:",   "path:",         "return-path:",
    "cc:",       "sender:",   "mime-version:", "content-type:", "organization:",
    "lines:",    "xref:",     "references:",   "in-reply-to:",  "delivered-to:",
};

static bool is_known_header(struct dlpi_piece line)
{
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (dlpi_piece_begins(line, headers[i])) return true;
    return false;
}

/* "Name: value", where a name has neither blanks nor control characters. */
static bool is_header(struct dlpi_piece line)
{
    for (size_t i = 0; i < line.size; i++) {
        if (line.at[i] == ':') return i > 0;
        if (line.at[i] <= ' ' || line.at[i] == 0x7f) return false;
    }
    return false;
}

/* Headers from the first line on, two of them of mail, up to an empty line. */
static bool is_mail(struct dlpi_piece rest)
{
    enum { FEWEST = 2, MOST_LINES = 1000 };
    int known = 0;
    if (dlpi_piece_begins(rest, "from ")) (void)dlpi_piece_line(&rest);
    for (int i = 0; rest.size > 0 && i < MOST_LINES; i++) {
        const struct dlpi_piece line = dlpi_piece_line(&rest);
        if (line.size == 0) return known >= FEWEST;
        const bool goes_on = i > 0 && (line.at[0] == ' ' || line.at[0] == '\t');
        if (goes_on) continue;
        if (!is_header(line)) return false;
        known += is_known_header(line);
    }
    return false;
}

enum dlpi_markup dlpi_markup_of(const char *text, size_t size)
{
    struct dlpi_piece p = {text, size};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) p.at += 3, p.size -= 3;
    while (p.size > 0 && is_blank(*p.at)) p.at++, p.size--;
    if (is_mail(p)) return DLPI_MARKUP_MAIL;
    const bool xml = dlpi_piece_begins(p, "<?xml");
    if (xml) return has_html_element(p) ? DLPI_MARKUP_HTML : DLPI_MARKUP_XML;
    return is_html(p.at, p.size) ? DLPI_MARKUP_HTML : DLPI_MARKUP_NONE;
}

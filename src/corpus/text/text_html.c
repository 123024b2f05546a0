/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text out of pages and XML, as libxml2 reads them: event by event, so that no tree is
 * built. Nothing is loaded, and the entities that a document declares are not expanded.
 */
#include "corpus/text/text_markup.h"

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <limits.h>
#include <string.h>

/* Deeper than any page; what is deeper makes libxml2 slow. */
enum { DEEPEST = 1000, MOST_BLANKS = 5000 };

struct reading {
    struct dlpi_output *out;
    xmlParserCtxtPtr parser;
    int depth;
    int hidden;     /* how many of the elements around are not to be read */
    bool all_break; /* every element separates words, as in XML */
    bool too_deep;
};

/* ---- what is put ---- */

static bool is_blank(xmlChar c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char last_put(const struct reading *r)
{
    return r->out->bytes.size > 0 ? r->out->bytes.data[r->out->bytes.size - 1] : '\n';
}

/* Runs of blanks become one blank, as in browsers. */
static void put_text(void *context, const xmlChar *text, int size)
{
    struct reading *r = context;
    if (r->hidden > 0) return;
    for (int i = 0; i < size;) {
        int end = i;
        while (end < size && !is_blank(text[end])) end++;
        dlpi_put(r->out, (const char *)text + i, (size_t)(end - i));
        if (end < size && last_put(r) != ' ' && last_put(r) != '\n')
            dlpi_put_char(r->out, ' ');
        i = end;
        while (i < size && is_blank(text[i])) i++;
    }
}

static void put_break(struct reading *r)
{
    if (r->hidden == 0 && last_put(r) != '\n') dlpi_put(r->out, "\n\n", 2);
}

/* ---- elements ---- */

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(name, *list)) return true;
    return false;
}

/* Elements inside a line, which do not separate words: "H<sub>2</sub>O". */
static bool is_inline(const xmlChar *name)
{
    static const char *const list[] = {
        "a",    "abbr", "acronym", "b",     "bdi",  "bdo",    "big",    "cite", "code",
        "data", "del",  "dfn",     "em",    "font", "i",      "ins",    "kbd",  "mark",
        "q",    "s",    "samp",    "small", "span", "strike", "strong", "sub",  "sup",
        "time", "tt",   "u",       "var",   "wbr",  NULL};
    return is_one_of((const char *)name, list);
}

static void start_element(void *context, const xmlChar *name, const xmlChar **attributes)
{
    struct reading *r = context;
    (void)attributes;
    if (r->all_break || !is_inline(name)) put_break(r);
    r->hidden += !r->all_break && dlpi_html_hides((const char *)name);
    if (++r->depth <= DEEPEST) return;
    r->too_deep = true;
    xmlStopParser(r->parser);
}

static void end_element(void *context, const xmlChar *name)
{
    struct reading *r = context;
    r->depth--;
    if (!r->all_break && dlpi_html_hides((const char *)name) && r->hidden > 0)
        r->hidden--;
    if (r->all_break || !is_inline(name)) put_break(r);
}

static void start_xml(void *context, const xmlChar *name, const xmlChar *prefix,
                      const xmlChar *uri, int namespaces, const xmlChar **namespace,
                      int attributes, int defaulted, const xmlChar **attribute)
{
    (void)prefix, (void)uri, (void)namespaces, (void)namespace;
    (void)attributes, (void)defaulted, (void)attribute;
    start_element(context, name, NULL);
}

static void end_xml(void *context, const xmlChar *name, const xmlChar *prefix,
                    const xmlChar *uri)
{
    (void)prefix, (void)uri;
    end_element(context, name);
}

/* &amp; and the like; entities that a document declares itself, which could grow without
   end, become blanks. */
static xmlEntityPtr find_entity(void *context, const xmlChar *name)
{
    xmlEntityPtr entity = xmlGetPredefinedEntity(name);
    if (!entity) put_text(context, (const xmlChar *)" ", 1);
    return entity;
}

/* ---- documents ---- */

/* A tag with thousands of attributes would take libxml2 the square of their number. */
static bool has_huge_tag(const char *text, size_t size)
{
    size_t blanks = 0;
    bool inside = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '<' || text[i] == '>') {
            inside = text[i] == '<';
            blanks = 0;
        } else if (inside && is_blank((xmlChar)text[i]) && ++blanks > MOST_BLANKS) {
            return true;
        }
    }
    return false;
}

/* The encoding to tell libxml2: UTF-8 if the bytes are valid UTF-8, whatever they
   declare. */
static const char *encoding_of(const char *text)
{
    return xmlCheckUTF8((const unsigned char *)text) ? "UTF-8" : NULL;
}

static bool read_html(struct reading *r, const char *text, int size)
{
    const int options = HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
                        HTML_PARSE_NONET | HTML_PARSE_NODEFDTD;
    htmlParserCtxtPtr parser = htmlNewParserCtxt();
    if (!parser) {
        r->out->failed = true;
        return false;
    }
    *parser->sax = (xmlSAXHandler){.startElement = start_element,
                                   .endElement = end_element,
                                   .characters = put_text,
                                   .ignorableWhitespace = put_text,
                                   .cdataBlock = put_text};
    parser->userData = r;
    r->parser = parser;
    xmlFreeDoc(htmlCtxtReadMemory(parser, text, size, NULL, encoding_of(text), options));
    r->out->failed |= parser->errNo == XML_ERR_NO_MEMORY;
    htmlFreeParserCtxt(parser);
    return !r->too_deep;
}

static bool read_xml(struct reading *r, const char *text, int size)
{
    const int options =
        XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET;
    xmlParserCtxtPtr parser = xmlNewParserCtxt();
    if (!parser) {
        r->out->failed = true;
        return false;
    }
    *parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                   .startElementNs = start_xml,
                                   .endElementNs = end_xml,
                                   .characters = put_text,
                                   .ignorableWhitespace = put_text,
                                   .cdataBlock = put_text,
                                   .getEntity = find_entity};
    parser->userData = r;
    r->parser = parser;
    xmlFreeDoc(xmlCtxtReadMemory(parser, text, size, NULL, encoding_of(text), options));
    /* Entities that are not expanded are no fault of the document. */
    const bool known = parser->errNo != XML_ERR_UNDECLARED_ENTITY &&
                       parser->errNo != XML_WAR_UNDECLARED_ENTITY;
    const bool whole = (parser->wellFormed || !known) && !r->too_deep;
    r->out->failed |= parser->errNo == XML_ERR_NO_MEMORY;
    xmlFreeParserCtxt(parser);
    return whole;
}

/* libxml2 reads up to a zero byte: those are blanks. NULL without memory. */
static char *without_zeros(const char *text, size_t size)
{
    char *copy = dlpi_calloc((dlp_index)size + 1, 1);
    for (size_t i = 0; copy && i < size; i++) copy[i] = text[i] ? text[i] : ' ';
    return copy;
}

/* Read as what is asked for; XML that is not well-formed is read as HTML, which may be
   anything. */
static bool put(const char *text, size_t size, bool xml, struct dlpi_output *out)
{
    const size_t before = out->bytes.size;
    struct reading r = {.out = out, .all_break = xml};
    if (size > INT_MAX / 2 || has_huge_tag(text, size)) return false;
    char *copy = without_zeros(text, size);
    out->failed |= !copy;
    bool whole = copy && xml && read_xml(&r, copy, (int)size);
    if (copy && !whole) {
        out->bytes.size = before;
        r = (struct reading){.out = out, .all_break = xml};
        whole = read_html(&r, copy, (int)size);
    }
    free(copy);
    if (!whole) out->bytes.size = before;
    return whole;
}

bool dlpi_put_html(const char *text, size_t size, struct dlpi_output *out)
{
    return put(text, size, false, out);
}

bool dlpi_put_xml(const char *text, size_t size, struct dlpi_output *out)
{
    return put(text, size, true, out);
}

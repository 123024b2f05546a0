/* SPDX-License-Identifier: BSD-3-Clause */
/* A reader of the XML that pictures are, and questions about one. */
#ifndef DLP_TESTS_SVG_SUPPORT_H
#define DLP_TESTS_SVG_SUPPORT_H

#include "support.h"

/* A reader of the XML that charts are: declared nowhere, no comments, no CDATA. Fails
   where tags do not nest, attributes are not quoted, or text is not escaped. */
typedef struct parser {
    const char *at;
    char open[8][16]; /* the elements around */
    int depth;
} parser;

static inline void read_name(parser *p, char name[16])
{
    size_t n = 0;
    while (*p->at && !strchr(" \n/>=", *p->at)) {
        assert_true(n < 15);
        name[n++] = *p->at++;
    }
    assert_true(n > 0);
    name[n] = '\0';
}

static inline void read_text(parser *p, char end)
{
    while (*p->at && *p->at != end) {
        assert_int_not_equal(*p->at, '<');
        assert_true((unsigned char)*p->at >= 0x20 || *p->at == '\n' || *p->at == '\t');
        if (*p->at == '&') {
            const char *stop = strchr(p->at, ';');
            assert_true(stop && stop - p->at <= 5);
        }
        p->at++;
    }
}

static inline void read_attributes(parser *p)
{
    char name[16];
    while (*p->at == ' ') {
        p->at++;
        read_name(p, name);
        assert_int_equal(*p->at++, '=');
        assert_int_equal(*p->at++, '"');
        read_text(p, '"');
        assert_int_equal(*p->at++, '"');
    }
}

static inline void read_tag(parser *p)
{
    char name[16];
    p->at++;
    if (*p->at == '/') {
        p->at++;
        read_name(p, name);
        assert_true(p->depth > 0);
        assert_string_equal(name, p->open[--p->depth]);
    } else {
        assert_true(p->depth < 8);
        read_name(p, p->open[p->depth]);
        read_attributes(p);
        if (*p->at == '/')
            p->at++;
        else
            p->depth++;
    }
    assert_int_equal(*p->at++, '>');
}

static inline void check_well_formed(const char *text)
{
    parser p = {.at = text};
    assert_int_equal(*p.at, '<');
    while (*p.at) {
        read_tag(&p);
        read_text(&p, '<');
        if (p.depth == 0) break;
    }
    assert_int_equal(p.depth, 0);
    assert_string_equal(p.at, "");
}

static inline int count_of(const char *text, const char *what)
{
    int count = 0;
    for (; (text = strstr(text, what)); text++) count++;
    return count;
}

/* Every "Mx,y" and "Lx,y" is in the picture. */
static inline void check_inside(const char *text, double width, double height)
{
    for (; *text; text++) {
        double x, y;
        if ((*text != 'M' && *text != 'L') || sscanf(text + 1, "%lf,%lf", &x, &y) != 2)
            continue;
        assert_true(x >= 0 && x <= width && y >= 0 && y <= height);
    }
}

/* Well-formed, and without anything that is not a number. */
static inline void check_picture(const char *text)
{
    check_well_formed(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_null(strstr(text, "<script"));
}

#endif

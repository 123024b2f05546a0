/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the table readers share: from a text to a table and back. */
#ifndef DLP_TESTS_TABLES_H
#define DLP_TESTS_TABLES_H

#include "../fuzz/sound_table.h"
#include "support.h"

#include <delaplace/table.h>

static inline dlp_table *parse_with(const dlp_table_options *options, const char *text)
{
    dlp_table *t = NULL;
    dlp_error error = {0};
    if (dlp_table_parse("test.dat", text, strlen(text), options, &t, &error) != DLP_OK)
        fail_msg("%s", error.message);
    assert_true(table_is_sound(t));
    return t;
}

/* The values of a column separated by '|', missing ones as NA, after its kind: "n" or the
   levels in braces. */
static inline const char *column_text(const dlp_table *t, const char *name)
{
    static char text[4096];
    const dlp_index j = dlp_table_find(t, name);
    if (j < 0) fail_msg("there is no column '%s'", name);
    const dlp_column *c = &t->column[j];
    size_t used = (size_t)snprintf(text, sizeof text, c->number ? "n" : "{");
    for (dlp_index k = 0; k < c->n_levels; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 k > 0 ? "|" : "", c->level[k]);
    if (!c->number) used += (size_t)snprintf(text + used, sizeof text - used, "}");
    for (dlp_index i = 0; i < t->rows; i++) {
        const bool missing = c->number ? isnan(c->number[i]) != 0 : c->code[i] < 0;
        used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? "|" : " ");
        if (missing)
            used += (size_t)snprintf(text + used, sizeof text - used, "NA");
        else if (c->number)
            used += (size_t)snprintf(text + used, sizeof text - used, "%g", c->number[i]);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s",
                                     c->level[c->code[i]]);
    }
    return text;
}

static inline bool same_value(const dlp_column *a, const dlp_column *b, dlp_index i)
{
    if (!a->number) return a->code[i] == b->code[i];
    return a->number[i] == b->number[i] || (isnan(a->number[i]) && isnan(b->number[i]));
}

static inline void assert_same_tables(const dlp_table *a, const dlp_table *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (dlp_index j = 0; j < a->columns; j++) {
        const dlp_column *x = &a->column[j], *y = &b->column[j];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->n_levels, y->n_levels);
        for (dlp_index k = 0; k < x->n_levels; k++)
            assert_string_equal(x->level[k], y->level[k]);
        for (dlp_index i = 0; i < a->rows; i++) assert_true(same_value(x, y, i));
    }
}

/* One column is what column_text says. */
struct right {
    const char *text, *column, *expected;
};

static inline void assert_each_read(const dlp_table_options *options,
                                    const struct right *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dlp_table *t = parse_with(options, right[i].text);
        const char *found = column_text(t, right[i].column);
        if (strcmp(found, right[i].expected) != 0)
            fail_msg("'%s' gives '%s', expected '%s'", right[i].text, found,
                     right[i].expected);
        dlp_table_free(t);
    }
}

#define ASSERT_EACH_READ(options, right)                                                 \
    assert_each_read(options, right, sizeof(right) / sizeof((right)[0]))

struct wrong {
    const char *text;
    size_t size; /* 0: up to the NUL */
    const char *message;
};

/* The first two of them, for a text with zero bytes. */
#define WITH_ZEROS(text) (text), sizeof(text) - 1

static inline void assert_each_refused(const dlp_table_options *options,
                                       const struct wrong *wrong, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        dlp_table sentinel, *t = &sentinel;
        dlp_error error = {0};
        const size_t size = wrong[i].size ? wrong[i].size : strlen(wrong[i].text);
        assert_int_equal(
            dlp_table_parse("test.dat", wrong[i].text, size, options, &t, &error),
            DLP_EINPUT);
        assert_null(t);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("'%s' lacks '%s'", error.message, wrong[i].message);
        assert_int_equal(
            dlp_table_parse("test.dat", wrong[i].text, size, options, &t, NULL),
            DLP_EINPUT);
    }
}

#define ASSERT_EACH_REFUSED(options, wrong)                                              \
    assert_each_refused(options, wrong, sizeof(wrong) / sizeof((wrong)[0]))

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of eight rows with a column of every kind, and the designs that formulas make of
   it. */
#ifndef DLP_TESTS_DESIGN_TABLE_H
#define DLP_TESTS_DESIGN_TABLE_H

#include "hand_table.h"
#include "support.h"

#include <delaplace/design.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct hand_column columns[] = {
    {"y", "2.385 0.71 3.14 0.99 1.27 5.83 4.2 0.3"},
    {"x", "0.31 -1.72 2.46 0.55 3.17 1.09 0.2 7"},
    {"age", "31 42 NA 23 54 65 36 17"},
    {"school", "u v w u v w NA u"},
    {"sex", "f m f m f m f m"},
    {"ok", "TRUE FALSE FALSE TRUE TRUE FALSE FALSE TRUE"},
    {"year", "1999 2001 2000 1999 1999 2001 2000 2000"},
    {"won", "3 0 4 1 5 9 2 6"},
    {"lost", "2 7 1 8 2 8 1 8"},
    {"four", "4 4 4 4 4 4 4 4"},
    {"same", "k k k k k k k k"},
    {"huge", "1e200 1e250 1e300 1e308 1 2 3 4"},
    {"wrong", "1 2 3 inf 4 5 6 7"},
    {"void", "NA NA NA NA NA NA NA NA"},
    {"zero", "0 0 0 0 0 0 0 0"},
};

static dlp_table *table;

static inline int make_table(void **state)
{
    (void)state;
    table = hand_table(columns, COUNT(columns));
    return 0;
}

static inline int free_table(void **state)
{
    (void)state;
    hand_table_free(table);
    return 0;
}

static inline dlp_column *column(const char *name)
{
    for (dlp_index j = 0; j < table->columns; j++)
        if (strcmp(table->column[j].name, name) == 0) return &table->column[j];
    fail_msg("no column %s", name);
    return NULL;
}

static inline dlp_status try_build(const char *text, const dlp_design_options *options,
                                   dlp_design **design, dlp_error *error)
{
    dlp_formula *formula = NULL;
    *design = NULL;
    const dlp_status parsed = dlp_formula_parse(text, &formula, error);
    if (parsed != DLP_OK) return parsed;
    const dlp_status status = dlp_design_build(formula, table, options, design, error);
    assert_int_equal(status == DLP_OK, *design != NULL);
    dlp_formula_free(formula);
    return status;
}

static inline dlp_design *build_with(const char *text, const dlp_design_options *options)
{
    dlp_design *design;
    assert_ok(try_build(text, options, &design, error));
    return design;
}

static inline dlp_design *build(const char *text)
{
    return build_with(text, NULL);
}

static inline dlp_design *rebuild(const dlp_terms *terms, const dlp_table *data,
                                  const dlp_design_options *options)
{
    dlp_design *design;
    assert_ok(dlp_design_rebuild(terms, data, options, &design, error));
    return design;
}

static inline void assert_numbers(const double *x, dlp_index n, const char *expected)
{
    char text[256] = "";
    size_t used = 0;
    for (dlp_index i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.4g",
                                 i > 0 ? " " : "", x[i]);
    assert_string_equal(text, expected);
}

static inline void assert_codes(const int32_t *code, dlp_index n, const char *expected)
{
    double x[HAND_MOST];
    for (dlp_index i = 0; i < n; i++) x[i] = code[i];
    assert_numbers(x, n, expected);
}

static inline void assert_names(const char *const *name, dlp_index n,
                                const char *expected)
{
    char text[256] = "";
    size_t used = 0;
    for (dlp_index i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i > 0 ? " " : "", name[i]);
    assert_string_equal(text, expected);
}

#endif

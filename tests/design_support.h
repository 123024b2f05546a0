/* SPDX-License-Identifier: BSD-3-Clause */
/* The designs that formulas make of a table, and what they hold, as texts. */
#ifndef DLP_TESTS_DESIGN_SUPPORT_H
#define DLP_TESTS_DESIGN_SUPPORT_H

#include "hand_table.h"
#include "support.h"

#include <delaplace/design.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static dlp_table *table;
static const dlp_design_options *usual; /* NULL: the library's */

static inline int free_table(void **state)
{
    (void)state;
    hand_table_free(table);
    return 0;
}

static inline dlp_column *column(const char *name)
{
    const dlp_index j = dlp_table_find(table, name);
    assert_true(j >= 0);
    return &table->column[j];
}

/* By the usual options where there are none. */
static inline dlp_status try_build(const char *text, const dlp_design_options *options,
                                   dlp_design **design, dlp_error *error)
{
    dlp_formula *formula = NULL;
    *design = NULL;
    const dlp_status parsed = dlp_formula_parse(text, &formula, error);
    if (parsed != DLP_OK) return parsed;
    const dlp_status status =
        dlp_design_build(formula, table, options ? options : usual, design, error);
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
    char text[512] = "";
    size_t used = 0;
    for (dlp_index i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 i > 0 ? " " : "", name[i]);
    assert_string_equal(text, expected);
}

#endif

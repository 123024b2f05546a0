/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of the regression handle share: rows of a table, and a fit of them. */
#ifndef REGRESSION_SUPPORT_H
#define REGRESSION_SUPPORT_H

#include "support.h"

enum { N = 240 };

/* Rows of a table, some of which know their group. */
typedef struct rows {
    double y[N], b[N], c[N], x[N], z[N], far[N], one[N];
    int32_t group[N];
    const char *level[N];
    dlp_table *table;
} rows;

static const char *const groups[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static inline void make_table(rows *r, dlp_index n)
{
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "b", .number = r->b},
        {.name = "c", .number = r->c},
        {.name = "x", .number = r->x},
        {.name = "z", .number = r->z},
        {.name = "far", .number = r->far},
        {.name = "one", .number = r->one},
        {.name = "g", .code = r->group, .n_levels = 8, .level = groups},
        {.name = "level", .text = r->level},
    };
    assert_ok(dlp_table_from_columns(n, 9, column, &r->table, error));
}

static inline rows *draw_rows(uint64_t seed)
{
    static const char *const level[] = {"low", "middle", "high"};
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(seed, 0);
    for (int i = 0; i < N; i++) {
        r->x[i] = dlp_draw_normal(&rng);
        r->z[i] = 3 + 2 * dlp_draw_normal(&rng);
        r->far[i] = 5e4 + 2.385 * dlp_draw_normal(&rng);
        r->one[i] = 1.5;
        r->group[i] = (int32_t)(8 * dlp_draw_uniform(&rng));
        const double eta = 0.4 * r->x[i] - 0.2 * r->z[i] + 0.2 * r->group[i];
        r->y[i] = eta + dlp_draw_normal(&rng);
        r->b[i] = dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta));
        r->c[i] = floor(4 * dlp_draw_uniform(&rng) * exp(0.3 * eta));
        const double u = eta + dlp_draw_normal(&rng);
        r->level[i] = level[u < -0.5 ? 0 : u < 0.7 ? 1 : 2];
    }
    make_table(r, N);
    return r;
}

static inline void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

/* Bars are the paper's hierarchy here; test_mixed_regression.c has random effects. */
static inline dlp_regression_settings
with_hierarchy(const char *formula, const dlp_regression_settings *settings)
{
    dlp_regression_settings s = settings ? *settings : dlp_regression_settings_default();
    if (strchr(formula, '|') && s.grouping == DLP_GROUPING_DEFAULT)
        s.grouping = DLP_HIERARCHICAL;
    return s;
}

static inline dlp_regression *fit(const char *formula, const rows *r,
                                  const dlp_regression_settings *settings)
{
    const dlp_regression_settings s = with_hierarchy(formula, settings);
    dlp_regression *made = NULL;
    assert_ok(dlp_regression_fit(formula, r->table, &s, &made, error));
    return made;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows with responses of several levels, in groups. */
#ifndef TESTS_MIXED_LEVELS_H
#define TESTS_MIXED_LEVELS_H

#include "support.h"

enum { GROUPS = 40, EACH = 3, N = GROUPS * EACH, CELLS = 5, LEVELS = 4, THREE = 3 };

static const char *const letters[] = {"a", "b", "c", "d"}, *const turned[] = {"d", "c",
                                                                              "b", "a"};

typedef struct rows {
    double x[N], y[N], weight[N];
    int32_t g[N], h[N], level[N], three[N];
    const char *name[GROUPS];
    char text[GROUPS][8];
    dlp_table *table;
} rows;

static inline void make_table(rows *r)
{
    static const char *const cells[] = {"p", "q", "r", "s", "t"};
    const dlp_column_data column[] = {
        {.name = "y", .code = r->level, .n_levels = LEVELS, .level = letters},
        {.name = "x", .number = r->x},
        {.name = "w", .number = r->weight},
        {.name = "b", .number = r->y},
        {.name = "n", .code = r->three, .n_levels = 3, .level = letters},
        {.name = "g", .code = r->g, .n_levels = GROUPS, .level = r->name},
        {.name = "h", .code = r->h, .n_levels = CELLS, .level = cells},
    };
    dlp_table_free(r->table);
    assert_ok(dlp_table_from_columns(N, 7, column, &r->table, error));
}

/* y is whether the level is above the second. */
static inline rows *draw_rows(uint64_t seed)
{
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(seed, 11);
    double b[GROUPS], c[CELLS];
    for (int g = 0; g < GROUPS; g++) b[g] = 1.5 * dlp_draw_normal(&rng);
    for (int h = 0; h < CELLS; h++) c[h] = 0.6 * dlp_draw_normal(&rng);
    for (int i = 0; i < N; i++) {
        r->g[i] = i / EACH;
        r->h[i] = (int32_t)(dlp_draw_uniform(&rng) * CELLS);
        r->x[i] = 2.385 + dlp_draw_normal(&rng);
        r->weight[i] = 1 + i % 3;
        const double u = dlp_draw_uniform(&rng),
                     eta = 0.8 * r->x[i] + b[r->g[i]] + c[r->h[i]] + log(u) - log1p(-u);
        r->level[i] = (eta > 0.6) + (eta > 2) + (eta > 3.5);
        r->y[i] = eta > 2;
        r->three[i] = r->level[i] < 2 ? r->level[i] : 2;
    }
    for (int g = 0; g < GROUPS; g++) {
        snprintf(r->text[g], sizeof r->text[g], "g%02d", g);
        r->name[g] = r->text[g];
    }
    make_table(r);
    return r;
}

static inline void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

static inline dlp_regression *fit(const char *formula, const char *family,
                                  const char *const *order, const rows *r)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *made = NULL;
    settings.family = family;
    for (int k = 0; order && k < LEVELS && order[k]; k++) settings.n_levels++;
    settings.level = order;
    assert_ok(dlp_regression_fit(formula, r->table, &settings, &made, error));
    return made;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a Gaussian response that are replaced by fewer say the same. */
#include "mixed/fewer_rows.h"

#include "glm/families/family.h"
#include "mixed/fit.h"
#include "support.h"

enum { FIRST = 6, SECOND = 4, EACH = 11, ROWS = FIRST * SECOND * EACH, SLOPES = 2 };

typedef struct table {
    double one[ROWS], x[ROWS], y[ROWS], weight[ROWS], offset[ROWS];
    int32_t first[ROWS], second[ROWS];
    const double *X[2], *Z[SLOPES], *ones[1];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
} table;

/* y ~ x + (x | first) + (1 | second), far from 0, with weights, of which the first cell
   has none. */
static void fill(table *t)
{
    dlp_rng rng = dlp_rng_at(31, 7);
    double a[FIRST], b[FIRST], c[SECOND];
    for (int i = 0; i < FIRST; i++) a[i] = dlp_draw_normal(&rng);
    for (int i = 0; i < FIRST; i++) b[i] = 0.4 * dlp_draw_normal(&rng);
    for (int i = 0; i < SECOND; i++) c[i] = 0.6 * dlp_draw_normal(&rng);
    for (int r = 0; r < ROWS; r++) { /* cells are not together */
        const int f = r % FIRST, s = r / FIRST % SECOND;
        t->first[r] = f;
        t->second[r] = s;
        t->one[r] = 1;
        t->x[r] = 30 + dlp_draw_normal(&rng);
        t->offset[r] = 1e3 * dlp_draw_uniform(&rng);
        t->weight[r] = f + s == 0 ? 0 : 0.5 + 2 * dlp_draw_uniform(&rng);
        t->y[r] = 200 + t->offset[r] + a[f] + c[s] + (0.7 + b[f]) * (t->x[r] - 30) +
                  0.8 * dlp_draw_normal(&rng);
    }
    t->X[0] = t->Z[0] = t->ones[0] = t->one;
    t->X[1] = t->Z[1] = t->x;
    t->term[0] = (dlpi_mixed_term){.L = FIRST, .q = SLOPES, .code = t->first, .x = t->Z};
    t->term[1] = (dlpi_mixed_term){.L = SECOND, .q = 1, .code = t->second, .x = t->ones};
    t->data =
        (dlpi_mixed_data){.likelihood = dlpi_family_find("gaussian", NULL)->evaluate,
                          .scales = 1,
                          .is_linear = true,
                          .N = ROWS,
                          .p = 2,
                          .X = t->X,
                          .y = t->y,
                          .weight = t->weight,
                          .offset = t->offset,
                          .n_terms = 2,
                          .term = t->term};
}

static dlp_status nothing(void *context, const struct dlpi_mixed_found *found,
                          dlp_error *e)
{
    (void)context;
    (void)found;
    (void)e;
    return DLP_OK;
}

static void assert_same_margin(dlp_margin a, dlp_margin b)
{
    assert_near(a.mean, b.mean, 1e-6 * b.sd);
    assert_near(a.sd, b.sd, 1e-6 * b.sd);
    assert_near(a.upper, b.upper, 1e-6 * b.sd);
}

static void fits_are_the_same(void **state)
{
    (void)state;
    static table t;
    fill(&t);
    const double precision[] = {1e-6, 0, 0, 1e-2}, scale[] = {2.5, 2.5, 2.5};
    const dlpi_mixed_prior prior = {.precision = precision,
                                    .sd_scale = scale,
                                    .sd_df = 3,
                                    .correlation = 1,
                                    .tau_sd = 5};
    dlpi_mixed_settings settings = {.threads = 2};
    dlpi_mixed_result fewer, all;
    assert_ok(dlpi_mixed_fit(&t.data, &prior, &settings, &fewer, error));
    settings.after = nothing; /* with the rows as they are */
    assert_ok(dlpi_mixed_fit(&t.data, &prior, &settings, &all, error));
    assert_int_equal(fewer.points, all.points);
    assert_near(fewer.log_evidence, all.log_evidence, 1e-6);
    for (int i = 0; i < 3; i++) assert_same_margin(fewer.margin[i], all.margin[i]);
    for (int k = 0; k < 2; k++) {
        const dlpi_mixed_effects *e = &all.effects[k];
        for (dlp_index i = 0; i < e->q; i++)
            assert_same_margin(fewer.effects[k].sd[i], e->sd[i]);
        for (dlp_index i = 0; i < e->L * e->q; i++)
            assert_near(fewer.effects[k].mean[i], e->mean[i], 1e-6);
    }
    dlpi_mixed_result_clear(&fewer);
    dlpi_mixed_result_clear(&all);
}

/* Slopes repeat the columns: intercept, x and y are left of each cell. */
static void a_cell_keeps_its_rank(void **state)
{
    (void)state;
    static table t;
    dlpi_fewer_rows fewer;
    fill(&t);
    assert_ok(dlpi_fewer_rows_make(&t.data, NULL, &fewer, error));
    assert_int_equal(fewer.data.N, 3 * (FIRST * SECOND - 1) + 1);
    double weight = 0;
    for (int r = 0; r < ROWS; r++) weight += t.weight[r];
    assert_near(fewer.data.absorbed + (double)fewer.data.N, weight, 1e-9);
    dlpi_fewer_rows_clear(&fewer);
    t.data.N = 3 * FIRST * SECOND; /* of each cell three */
    assert_ok(dlpi_fewer_rows_make(&t.data, NULL, &fewer, error));
    assert_int_equal(fewer.data.N, t.data.N);
    assert_ptr_equal(fewer.data.y, t.y);
    dlpi_fewer_rows_clear(&fewer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_are_the_same),
        cmocka_unit_test(a_cell_keeps_its_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

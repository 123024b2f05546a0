/* SPDX-License-Identifier: BSD-3-Clause */
/* Crossed effects with few rows per level, beside a long run of MCMC. */
#include "math/dense.h"
#include "mixed/fit.h"
#include "mixed_crossed.h"
#include "support.h"

#include <delaplace/random.h>

enum { LEVELS = 60, EACH = 6, ROWS = LEVELS * EACH };

/* 0 and 1, each level of either grouping in six rows, as in the salamanders' mating. */
static void draw_rows(double *one, double *x, int32_t *f, int32_t *m, double *y)
{
    double u[LEVELS], v[LEVELS];
    dlp_rng rng = dlp_rng_at(2002, 0);
    for (int i = 0; i < LEVELS; i++) u[i] = 1.5 * dlp_draw_normal(&rng);
    for (int i = 0; i < LEVELS; i++) v[i] = 1.2 * dlp_draw_normal(&rng);
    for (int i = 0; i < ROWS; i++) {
        one[i] = 1;
        f[i] = i / EACH;
        m[i] = (i / EACH + (i % EACH) * (i % EACH) * 7 + 11 * (i % EACH)) % LEVELS;
        x[i] = floor(1000 * dlp_draw_normal(&rng)) / 1000;
        const double eta = 0.3 + 0.7 * x[i] + u[f[i]] + v[m[i]];
        y[i] = dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta));
    }
}

typedef struct moments {
    double mean, sd;
} moments;

/* Means within a twentieth of an sd, sds within 3 %. */
static void assert_as(double mean, double sd, moments exact)
{
    assert_near(mean, exact.mean, 0.05 * exact.sd);
    assert_near(sd / exact.sd, 1, 0.03);
}

/*
 * The other numbers are those of 700,000 sweeps of Metropolis' algorithm, with standard errors of
 * 0.004 sds.
 */
static void few_rows_in_both_are_as_by_mcmc(void **state)
{
    (void)state;
    static double one[ROWS], x[ROWS], y[ROWS];
    static int32_t f[ROWS], m[ROWS];
    draw_rows(one, x, f, m, y);
    const double *X[] = {one, x}, precision[] = {0.01, 0, 0, 0.16};
    crossed of;
    make_crossed(&of, ROWS, y, 2, X, precision, (grouping){LEVELS, f},
                 (grouping){LEVELS, m});
    const dlpi_mixed_settings settings = {.threads = 2};
    dlpi_mixed_result r;
    assert_ok(dlpi_mixed_fit(&of.data, &of.prior, &settings, &r, error));
    assert_int_equal(r.outcome, DLP_CONVERGED);
    const moments exact[] = {
        {0.0300, 0.3859}, {0.6529, 0.1984}, {2.0707, 0.3898}, {1.6496, 0.3568}};
    for (int j = 0; j < 2; j++) {
        const dlp_margin *sd = r.effects[j].sd;
        assert_as(r.beta[j], sqrt(r.covariance[3 * j]), exact[j]);
        assert_as(sd->mean, sd->sd, exact[2 + j]);
    }
    dlpi_mixed_result_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_in_both_are_as_by_mcmc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

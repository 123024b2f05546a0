/* SPDX-License-Identifier: BSD-3-Clause */
/* Regressions with two scales that rows hardly distinguish, beside brute force: a grid
   over the intercept and both scales. A Gaussian of all of them has the intercept half an
   sd off. */
#include "support.h"

#include <delaplace.h>

enum { ROWS = 60, ACROSS = 81, MOST_COUNT = 8 };
static const double PRIOR_SD = 2, SCALE_SD = 5;

/* How often 0, 1, ... were counted. */
typedef struct counts {
    const char *family;
    int of[MOST_COUNT];
} counts;

static double log_count(double y, double m, double k)
{
    return lgamma(y + k) - lgamma(k) - lgamma(y + 1) - k * log1p(m / k) +
           y * log(m / (k + m));
}

static double log_density(const counts *c, double b, double tau, double s)
{
    const double m = exp(b), k = exp(s), zero = exp(-k * log1p(m / k)),
                 pi = 1 / (1 + exp(-tau));
    const bool inflated = strncmp(c->family, "zero", 4) == 0;
    double sum = -0.5 * (b * b / (PRIOR_SD * PRIOR_SD) +
                         (tau * tau + s * s) / (SCALE_SD * SCALE_SD));
    sum += c->of[0] * log(inflated ? pi + (1 - pi) * zero : pi);
    for (int y = 1; y < MOST_COUNT; y++)
        if (c->of[y] > 0)
            sum += c->of[y] *
                   (log1p(-pi) + log_count(y, m, k) - (inflated ? 0 : log1p(-zero)));
    return sum;
}

static void by_force(const counts *c, double *mean, double *sd)
{
    static const double low[] = {-7, -18, -7}, high[] = {3.5, 4, 18};
    double all = 0, top = -INFINITY, theta[3];
    memset(mean, 0, 3 * sizeof *mean);
    memset(sd, 0, 3 * sizeof *sd);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < ACROSS * ACROSS * ACROSS; i++) {
            for (int j = 0, rest = i; j < 3; j++, rest /= ACROSS)
                theta[j] = low[j] + (high[j] - low[j]) * (rest % ACROSS) / (ACROSS - 1);
            const double l = log_density(c, theta[0], theta[1], theta[2]);
            if (pass == 0) top = fmax(top, l);
            if (pass == 0 || l < top - 25) continue;
            all += exp(l - top);
            for (int j = 0; j < 3; j++) {
                mean[j] += exp(l - top) * theta[j];
                sd[j] += exp(l - top) * theta[j] * theta[j];
            }
        }
    for (int j = 0; j < 3; j++) {
        mean[j] /= all;
        sd[j] = sqrt(sd[j] / all - mean[j] * mean[j]);
    }
}

static dlp_regression *fit_counts(const counts *c)
{
    double y[ROWS];
    int at = 0;
    for (int k = 0; k < MOST_COUNT; k++)
        for (int i = 0; i < c->of[k]; i++) y[at++] = k;
    assert_int_equal(at, ROWS);
    const dlp_column_data column[] = {{.name = "y", .number = y}};
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    s.family = c->family;
    s.prior_sd = PRIOR_SD;
    assert_ok(dlp_table_from_columns(ROWS, 1, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ 1", table, &s, &fit, error));
    dlp_table_free(table);
    return fit;
}

static void moments_are_near(void **state)
{
    static const counts of[] = {
        {"zero-inflated-negative-binomial", {24, 14, 11, 7, 3, 1}}, /* like Poisson's */
        {"zero-inflated-negative-binomial", {30, 10, 6, 4, 4, 3, 2, 1}},
        {"hurdle-negative-binomial", {20, 20, 12, 5, 2, 1}},
        {"hurdle-negative-binomial", {20, 18, 8, 6, 3, 2, 2, 1}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        double mean[3], sd[3];
        dlp_regression *fit = fit_counts(&of[i]);
        const dlp_regression_result *r = dlp_regression_result_of(fit);
        by_force(&of[i], mean, sd);
        for (int j = 0; j < 3; j++) {
            assert_near((r->mu[j] - mean[j]) / sd[j], 0, 0.05);
            assert_near(sqrt(r->Sigma[j * (r->n + 1)]) / sd[j], 1, 0.06);
        }
        dlp_regression_free(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moments_are_near)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

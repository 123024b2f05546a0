/* SPDX-License-Identifier: BSD-3-Clause */
/* Random effects of counts with too many zeros, whose likelihoods have two scales: posteriors against
   integrals by brute force, and files that keep them. */
#include "support.h"

#include <delaplace/special.h>
#include <math.h>

enum { GROUPS = 8, EACH = 16, N = GROUPS * EACH, NODES = 16 };
static const double SD = 0.6; /* between groups, which both know */

static double count[N];
static int32_t group[N];

static void draw_counts(void)
{
    dlp_rng rng = dlp_rng_at(21, 3);
    for (int g = 0; g < GROUPS; g++) {
        const double mean = exp(2 + SD * dlp_draw_normal(&rng));
        for (int i = 0; i < EACH; i++) {
            const double rate = mean * dlp_draw_gamma(&rng, 3) / 3;
            double p = exp(-rate), u = dlp_draw_uniform(&rng), y = 0;
            for (; u > p && y < 200; y++) { /* a Poisson count */
                u -= p;
                p *= rate / (y + 1);
            }
            count[g * EACH + i] = dlp_draw_uniform(&rng) < 0.25 ? 0 : y;
            group[g * EACH + i] = g;
        }
    }
}

/* log p(y | mean, zero odds, size) of a group, as the models are written; lg (N) has what depends on
   y and the size alone. */
static double log_counts(bool hurdle, int g, const double *lg, double mean, double odds,
                         double size)
{
    const double log_zero = -size * log1p(mean / size), pi = odds / (1 + odds),
                 log_q = log(mean / (mean + size)),
                 none = hurdle ? log(pi) : log(pi + (1 - pi) * exp(log_zero)),
                 some = log1p(-pi) + log_zero - (hurdle ? log(-expm1(log_zero)) : 0);
    double sum = 0;
    for (int i = g * EACH; i < (g + 1) * EACH; i++)
        sum += count[i] == 0 ? none : some + lg[i] + count[i] * log_q;
    return sum;
}

typedef struct moments {
    double mean[3], sd[3]; /* of the intercept, the zero odds and the size */
} moments;

static double log_group(bool hurdle, int g, const double *lg, double beta, double odds,
                        double size)
{
    double sum = 0, step = 11.2 / NODES;
    for (int k = 0; k <= NODES; k++) {
        const double t = -5.6 + k * step;
        sum +=
            exp(log_counts(hurdle, g, lg, exp(beta + SD * t), odds, size) - 0.5 * t * t);
    }
    return log(sum);
}

static moments brute(bool hurdle)
{
    moments m = {{0}, {0}};
    double all = 0, lg[N];
    for (double s = -1; s < 4.4; s += 0.2) {
        for (int i = 0; i < N; i++)
            lg[i] = lgamma(count[i] + exp(s)) - lgamma(exp(s)) - lgamma(count[i] + 1);
        for (double beta = 0.4; beta < 3.6; beta += 0.18)
            for (double tau = -6; tau < 0.8; tau += 0.2) {
                const double value[] = {beta, exp(tau), exp(s)};
                double log_p = -0.5 * (beta * beta + tau * tau + s * s) / 25;
                for (int g = 0; g < GROUPS; g++)
                    log_p += log_group(hurdle, g, lg, beta, value[1], value[2]);
                const double w = exp(log_p + 340);
                all += w;
                for (int k = 0; k < 3; k++) {
                    const double x = value[k];
                    m.mean[k] += w * x;
                    m.sd[k] += w * x * x;
                }
            }
    }
    for (int k = 0; k < 3; k++) {
        m.mean[k] /= all;
        m.sd[k] = sqrt(m.sd[k] / all - m.mean[k] * m.mean[k]);
    }
    return m;
}

static dlp_regression *fit_counts(const char *family)
{
    static const char *const name[GROUPS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    const char *const priors[] = {"sd(g) = 0.6", "b(Intercept) ~ normal(0, 5)"};
    const dlp_column_data column[] = {
        {.name = "y", .number = count},
        {.name = "g", .code = group, .n_levels = GROUPS, .level = name}};
    dlp_table *table = NULL;
    dlp_regression *made = NULL;
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = family;
    settings.priors = priors;
    settings.n_priors = 2;
    assert_ok(dlp_table_from_columns(N, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ 1 + (1 | g)", table, &settings, &made, error));
    dlp_table_free(table);
    return made;
}

static void check_against_grid(const char *family, bool hurdle)
{
    draw_counts();
    dlp_regression *made = fit_counts(family);
    const dlp_regression_result *f = dlp_regression_result_of(made);
    const moments m = brute(hurdle);
    assert_int_equal(f->n, 3);
    for (int k = 0; k < 3; k++) {
        assert_near((f->margin[k].mean - m.mean[k]) / m.sd[k], 0, 0.02);
        assert_near(f->margin[k].sd / m.sd[k], 1, 0.02);
    }
    dlp_regression_free(made);
}

static void zero_inflated_counts_are_integrated(void **state)
{
    (void)state;
    check_against_grid("zero-inflated-negative-binomial", false);
}

static void counts_behind_a_hurdle_are_integrated(void **state)
{
    (void)state;
    check_against_grid("hurdle-negative-binomial", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_inflated_counts_are_integrated),
        cmocka_unit_test(counts_behind_a_hurdle_are_integrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The averaged log densities of families with a scale against many draws of the linear
   predictor and the scale, for posteriors as few rows leave them. */
#include "support.h"

enum { DRAWS = 200000, RESPONSES = 5 };

/* One column of ones, so that eta and tau are the parameters themselves. */
typedef struct posterior {
    double eta, eta_sd, tau, tau_sd, correlation;
} posterior;

static void predict(const char *family, const posterior *q, const double *y,
                    double *averaged)
{
    const double one[RESPONSES] = {1, 1, 1, 1, 1}, mu[2] = {q->eta, q->tau};
    const double *x[1] = {one};
    const dlp_glm_data data = {.N = RESPONSES, .p = 1, .x = x, .y = y};
    const dlp_glm_prediction out = {.log_density_averaged = averaged};
    dlp_sym Sigma = {0};
    assert_ok(dlp_sym_alloc(dlp_shape_dense(2), &Sigma, error));
    double *S = dlp_sym_block(&Sigma, 0);
    S[0] = q->eta_sd * q->eta_sd;
    S[1] = S[2] = q->correlation * q->eta_sd * q->tau_sd;
    S[3] = q->tau_sd * q->tau_sd;
    assert_ok(dlp_glm_predict(family, NULL, &data, mu, &Sigma, &out, error));
    dlp_sym_free(&Sigma);
}

static double gaussian(double y, double eta, double tau)
{
    const double e = (y - eta) * exp(-tau);
    return exp(-0.5 * e * e - tau) / sqrt(2 * PI);
}

/* Gamma(a, a/m) */
static double gamma_density(double y, double eta, double tau)
{
    const double a = exp(tau);
    return exp(a * (tau - eta) + (a - 1) * log(y) - a * y * exp(-eta) - dlp_lgamma(a));
}

static double negative_binomial(double y, double eta, double tau)
{
    const double k = exp(tau);
    return exp(dlp_lgamma(y + k) - dlp_lgamma(k) - dlp_lgamma(y + 1) -
               k * dlp_log1pexp(eta - tau) - y * dlp_log1pexp(tau - eta));
}

typedef double density(double y, double eta, double tau);

static void assert_like_draws(const char *family, density *f, const posterior *q,
                              const double *y)
{
    double averaged[RESPONSES], sum[RESPONSES] = {0}, squares[RESPONSES] = {0};
    predict(family, q, y, averaged);
    for (int s = 0; s < DRAWS; s++) {
        dlp_rng rng = dlp_rng_at(77, (uint64_t)s);
        const double a = dlp_draw_normal(&rng), b = dlp_draw_normal(&rng),
                     r = q->correlation;
        for (int i = 0; i < RESPONSES; i++) {
            const double p = f(y[i], q->eta + q->eta_sd * (r * a + sqrt(1 - r * r) * b),
                               q->tau + q->tau_sd * a);
            sum[i] += p / DRAWS;
            squares[i] += p * p / DRAWS;
        }
    }
    for (int i = 0; i < RESPONSES; i++) {
        const double error = sqrt((squares[i] - sum[i] * sum[i]) / DRAWS) / sum[i];
        assert_near(averaged[i], log(sum[i]), 5 * error + 1e-6);
    }
}

static void averages_are_over_the_scale_too(void **state)
{
    (void)state;
    const posterior few_rows[] = {{0.4, 0.2, -0.3, 0.16, 0},
                                  {0.4, 0.5, -0.3, 0.4, 0.8},
                                  {0.4, 0.1, -0.3, 0.03, -0.5},
                                  {0.4, 1, -0.3, 0.9, -0.9}};
    const double numbers[RESPONSES] = {-2, 0.3, 0.5, 1.5, 3},
                 sizes[RESPONSES] = {0.01, 0.5, 1.4, 4, 9},
                 counts[RESPONSES] = {0, 1, 2, 5, 15};
    for (int k = 0; k < 4; k++) {
        assert_like_draws("gaussian", gaussian, &few_rows[k], numbers);
        assert_like_draws("gamma", gamma_density, &few_rows[k], sizes);
        assert_like_draws("negative-binomial", negative_binomial, &few_rows[k], counts);
    }
}

static void wide_scales_have_densities(void **state)
{
    (void)state;
    const char *families[] = {"gaussian", "gamma", "negative-binomial"};
    const double y[RESPONSES] = {1, 2, 3, 10, 1000};
    for (int f = 0; f < 3; f++)
        for (int power = 0; power < 6; power++) {
            const double sd = pow(10, power);
            double averaged[RESPONSES];
            predict(families[f], &(posterior){1, sd, 0, sd, 0.5}, y, averaged);
            for (int i = 0; i < RESPONSES; i++) assert_true(isfinite(averaged[i]));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_over_the_scale_too),
        cmocka_unit_test(wide_scales_have_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

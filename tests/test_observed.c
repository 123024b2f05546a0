/* SPDX-License-Identifier: BSD-3-Clause */
/* The intervals of new responses against quantiles by R: without uncertainty its own, with it
   those of observed.R, which integrates with an adaptive rule. */
#include "support.h"

/* One column of ones, so that eta and tau are the parameters themselves. */
typedef struct posterior {
    double eta, eta_sd, tau, tau_sd, correlation;
} posterior;

typedef struct interval {
    double lower, upper;
} interval;

static dlp_status predict(const char *family, const char *link, const posterior *q,
                          double trials, interval *observed, dlp_error *error)
{
    const double one = 1, mu[2] = {q->eta, q->tau};
    const double *x[1] = {&one};
    const int scale = dlp_glm_parameters(family, 1, 0) == 2;
    const dlp_glm_data data = {
        .N = 1, .p = 1, .x = x, .trials = trials > 0 ? &trials : NULL};
    const dlp_glm_prediction out = {.observed_lower = &observed->lower,
                                    .observed_upper = &observed->upper};
    dlp_sym Sigma;
    assert_int_equal(dlp_sym_alloc(dlp_shape_dense(1 + scale), &Sigma, NULL), DLP_OK);
    double *S = dlp_sym_block(&Sigma, 0);
    S[0] = q->eta_sd * q->eta_sd;
    if (scale) {
        S[1] = S[2] = q->correlation * q->eta_sd * q->tau_sd;
        S[3] = q->tau_sd * q->tau_sd;
    }
    const dlp_status status =
        dlp_glm_predict(family, link, &data, mu, &Sigma, &out, error);
    dlp_sym_free(&Sigma);
    return status;
}

static interval interval_of(const char *family, const char *link, posterior q,
                            double trials)
{
    interval observed = {NAN, NAN};
    dlp_error error = {0};
    if (predict(family, link, &q, trials, &observed, &error) != DLP_OK)
        fail_msg("%s: %s", family, error.message);
    return observed;
}

static void assert_interval(interval got, double lower, double upper, double tolerance)
{
    if (!(fabs(got.lower - lower) <= tolerance * fabs(lower)) ||
        !(fabs(got.upper - upper) <= tolerance * fabs(upper)))
        fail_msg("[%.10g, %.10g] is not [%.10g, %.10g]", got.lower, got.upper, lower,
                 upper);
}

/* R, with p <- c(0.025, 0.975): qnorm(p, 3, 2), qgamma(p, 2.5, 2.5 / exp(1)), qpois(p, 20),
   qnbinom(p, 1.5, mu = 20), qbinom(p, 50, 0.3), qbinom(p, 3, 0.001) */
static void known_parameters_have_quantiles(void **state)
{
    (void)state;
    assert_interval(
        interval_of("gaussian", NULL, (posterior){.eta = 3, .tau = log(2)}, 0),
        -0.919927969080108, 6.919927969080108, 1e-9);
    assert_interval(interval_of("gamma", NULL, (posterior){.eta = 1, .tau = log(2.5)}, 0),
                    0.4518934849, 6.9764713968, 1e-9);
    assert_interval(interval_of("poisson", NULL, (posterior){.eta = log(20)}, 0), 12, 29,
                    0);
    assert_interval(interval_of("negative-binomial", NULL,
                                (posterior){.eta = log(20), .tau = log(1.5)}, 0),
                    1, 64, 0);
    assert_interval(interval_of("binomial", NULL, (posterior){.eta = log(0.3 / 0.7)}, 50),
                    9, 22, 0);
    assert_interval(
        interval_of("binomial", NULL, (posterior){.eta = log(0.001 / 0.999)}, 3), 0, 0,
        0);
}

/* Rscript tests/observed.R */
static void uncertain_parameters_widen_them(void **state)
{
    (void)state;
    assert_interval(interval_of("gaussian", NULL, (posterior){3, 0.7, 0.2, 0.3, 0.5}, 0),
                    0.217311577, 6.20757669, 1e-7);
    assert_interval(interval_of("gamma", NULL, (posterior){0.51, 0.3, 1.05, 0.2, 0.4}, 0),
                    0.27157103, 4.76435783, 1e-7);
    assert_interval(interval_of("gamma", NULL, (posterior){2, 1.5, 3, 0.9, -0.5}, 0),
                    0.375118387, 140.24204, 1e-7);
    assert_interval(interval_of("poisson", NULL, (posterior){.eta = 3, .eta_sd = 0.4}, 0),
                    7, 46, 0);
    assert_interval(
        interval_of("negative-binomial", NULL, (posterior){4, 0.25, 1, 0.4, -0.3}, 0), 7,
        161, 0);
    assert_interval(
        interval_of("binomial", "logit", (posterior){.eta = 0.4, .eta_sd = 0.5}, 250), 88,
        202, 0);
    assert_interval(
        interval_of("binomial", "probit", (posterior){.eta = -1.1, .eta_sd = 0.2}, 40), 1,
        12, 0);
}

/* Large counts scatter little beside an uncertain mean: they are as log-normal as that. */
static void steep_ones_follow_the_mean(void **state)
{
    (void)state;
    const double z = 1.959963984540054;
    for (int i = 0; i < 5; i++) {
        const double eta = 14 + 3 * i, sd = 0.1 * (1 + i);
        assert_interval(
            interval_of("poisson", NULL, (posterior){.eta = eta, .eta_sd = sd}, 0),
            exp(eta - z * sd), exp(eta + z * sd), 2e-5);
        assert_interval(interval_of("gamma", NULL,
                                    (posterior){.eta = eta, .eta_sd = sd, .tau = 16}, 0),
                        exp(eta - z * sd), exp(eta + z * sd), 2e-5);
    }
}

/* Units do not matter. */
static void units_do_not_matter(void **state)
{
    (void)state;
    const double z = 1.959963984540054;
    for (int i = -4; i <= 4; i++) {
        const double unit = pow(10, 5 * i);
        assert_interval(
            interval_of(
                "gaussian", NULL,
                (posterior){.eta = 3 * unit, .eta_sd = unit, .tau = log(2 * unit)}, 0),
            (3 - z * sqrt(5)) * unit, (3 + z * sqrt(5)) * unit, 1e-8);
    }
}

/* A large size is Poisson, a response that is almost certain is itself. */
static void limits_are_met(void **state)
{
    (void)state;
    const interval poisson =
        interval_of("poisson", NULL, (posterior){.eta = 5, .eta_sd = 0.2}, 0);
    for (int i = 0; i < 9; i++) {
        const double tau = 25 + 4 * i;
        const interval many =
            interval_of("negative-binomial", NULL,
                        (posterior){.eta = 5, .eta_sd = 0.2, .tau = tau}, 0);
        assert_interval(many, poisson.lower, poisson.upper, 0);
    }
    assert_interval(interval_of("binomial", NULL, (posterior){.eta = 50}, 12), 12, 12, 0);
    assert_interval(interval_of("binomial", NULL, (posterior){.eta = -50}, 12), 0, 0, 0);
    assert_interval(interval_of("poisson", NULL, (posterior){.eta = -800}, 0), 0, 0, 0);
    assert_interval(interval_of("gaussian", NULL, (posterior){.eta = 3, .tau = -40}, 0),
                    3, 3, 1e-9);
}

/* Whatever q is, there is an end, and an interval of possible responses. */
static void check_any(const char *family, const posterior *q)
{
    const double trials = strcmp(family, "binomial") == 0 ? 1e6 : 0;
    const interval y = interval_of(family, NULL, *q, trials);
    assert_true(y.lower <= y.upper);
    if (strcmp(family, "gaussian") != 0) assert_true(y.lower >= 0);
    if (trials > 0) assert_true(y.upper <= trials);
}

static void any_posterior_has_an_interval(void **state)
{
    (void)state;
    static const char *const families[] = {"gaussian", "gamma", "poisson",
                                           "negative-binomial", "binomial"};
    static const double etas[] = {-900, 2.385, 40, 900}, sds[] = {0, 0.3, 1e3},
                        taus[] = {-800, 0.7, 800};
    for (int i = 0; i < 5 * 4 * 9; i += SANITISED ? 7 : 1)
        for (int t = 0; t < 3; t++)
            check_any(families[i % 5], &(posterior){.eta = etas[i / 5 % 4],
                                                    .eta_sd = sds[i / 20 % 3],
                                                    .tau = taus[t],
                                                    .tau_sd = sds[i / 60] / 10,
                                                    .correlation = -0.9});
}

static void levels_have_none(void **state)
{
    (void)state;
    const posterior q = {.eta = 1, .eta_sd = 1};
    interval observed;
    dlp_error error = {0};
    assert_int_equal(predict("bernoulli", NULL, &q, 0, &observed, &error), DLP_EINVAL);
    assert_non_null(strstr(error.message, "probabilities"));
    assert_int_equal(predict("binomial", NULL, &q, 2.5, &observed, &error), DLP_EINPUT);
    assert_non_null(strstr(error.message, "trials"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_parameters_have_quantiles),
        cmocka_unit_test(uncertain_parameters_widen_them),
        cmocka_unit_test(steep_ones_follow_the_mean),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(limits_are_met),
        cmocka_unit_test(any_posterior_has_an_interval),
        cmocka_unit_test(levels_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

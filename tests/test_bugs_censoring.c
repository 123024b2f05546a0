/* SPDX-License-Identifier: BSD-3-Clause */
/* Truncated priors and censored values in the language of BUGS: by dinterval(), by bounds of
   what is missing. */
#include "bugs_agree.h"

/* N(-1/2, 1/2) above 0. */
static void truncated_prior(void **state)
{
    (void)state;
    dlp_bugs *bugs =
        fitted("model { y ~ dnorm(mu, 1)\n mu ~ dnorm(0, 1) T(0,) }", "y <- -1");
    const double s = sqrt(0.5), a = 0.5 / s;
    const double hazard = exp(-0.5 * a * a) / sqrt(2 * PI) / (1 - dlp_normal_cdf(a));
    agrees(bugs, "mu", -0.5 + s * hazard, s * sqrt(1 + a * hazard - hazard * hazard),
           0.01);
    assert_true(margin_of(bugs, "mu")->lower > 0);
    dlp_bugs_free(bugs);
}

/* Two lifetimes of four are known to exceed their limits only: gamma(2 + 2, 3 + 6.9). */
static void censoring_by_dinterval(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:4) { above[i] ~ dinterval(y[i], limit[i])\n"
        "y[i] ~ dexp(r) }\n r ~ dgamma(2, 3) }",
        "above <- c(0, 0, 1, 1)\n y <- c(1.2, 0.7, NA, NA)\n"
        "limit <- c(5, 5, 2, 3)");
    agrees(bugs, "r", 4 / 9.9, 2 / 9.9, 0.01);
    /* Beyond its limit a lifetime is exponential again: 3 + E[1 / r] = 3 + 9.9 / 3. */
    assert_near(margin_of(bugs, "y[4]")->mean, 6.3, 0.5);
    assert_true(margin_of(bugs, "y[4]")->lower > 3);
    dlp_bugs_free(bugs);
}

/* x ~ N(0.5, 1) is known to be positive, and y = 1.5 is N(x, 1): x given both is N(1, 1/2)
   above 0. */
static void censored_value_on_which_data_depend(void **state)
{
    (void)state;
    const double s = sqrt(0.5), a = -1 / s;
    const double hazard = exp(-0.5 * a * a) / sqrt(2 * PI) / (1 - dlp_normal_cdf(a));
    const double mean = 1 + s * hazard, sd = s * sqrt(1 + a * hazard - hazard * hazard);
    dlp_bugs *bugs = fitted(
        "model { x ~ dnorm(0.5, 1)\n positive ~ dinterval(x, 0)\n"
        "y ~ dnorm(x, 1) }",
        "positive <- 1\n y <- 1.5");
    agrees(bugs, "x", mean, sd, 0.002);
    dlp_bugs_free(bugs);
    /* One of several that are integrated out one by one, and a mean that they share. */
    bugs = fitted(
        "model { for (i in 1:5) { x[i] ~ dnorm(m, 1)\n"
        "positive[i] ~ dinterval(x[i], 0)\n y[i] ~ dnorm(x[i], 1) }\n"
        "m ~ dnorm(0.5, 1.0E6) }",
        "positive <- c(1, 1, 1, 1, 1)\n y <- c(1.5, 1.5, 1.5, 1.5, 1.5)");
    agrees(bugs, "x[3]", mean, sd, 0.05);
    dlp_bugs_free(bugs);
}

/* The same, as WinBUGS writes it. */
static void censoring_by_bounds(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:4) { y[i] ~ dexp(r) I(limit[i],) }\n"
        "r ~ dgamma(2, 3) }",
        "y <- c(1.2, 0.7, NA, NA)\n limit <- c(0, 0, 2, 3)");
    agrees(bugs, "r", 4 / 9.9, 2 / 9.9, 0.01);
    assert_true(margin_of(bugs, "y[3]")->lower > 2);
    dlp_bugs_free(bugs);
}

/* T(,) is another thing: what is missing above a bound is a prediction, and carries no
   information. */
static void truncation_is_not_censoring(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:2) { y[i] ~ dexp(r) }\n"
        "y[3] ~ dexp(r) T(2,)\n r ~ dgamma(2, 3) }",
        "y <- c(1.2, 0.7, NA)");
    agrees(bugs, "r", 4 / 4.9, 2 / 4.9, 0.01);
    assert_true(margin_of(bugs, "y[3]")->lower > 2);
    dlp_bugs_free(bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncated_prior),
        cmocka_unit_test(censoring_by_dinterval),
        cmocka_unit_test(censored_value_on_which_data_depend),
        cmocka_unit_test(censoring_by_bounds),
        cmocka_unit_test(truncation_is_not_censoring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

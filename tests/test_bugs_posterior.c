/* SPDX-License-Identifier: BSD-3-Clause */
/* Posteriors of models in the language of BUGS, beside closed forms, sums and integrals that
   are computed here. */
#include "bugs_agree.h"

/* ---- closed forms ---- */

/* The posterior of mu is N(m, v) with 1/v = 1/4 + 3 * 4; that of a new y has 1/4 more. What
   is Gaussian is exact; its quantiles come from 4,096 draws. */
static void normal_mean(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:n) { y[i] ~ dnorm(mu, 4) }\n"
        "mu ~ dnorm(1, 0.25)\n new ~ dnorm(mu, 4) }",
        "n <- 3\ny <- c(2.1, 3.3, 2.7)");
    const double precision = 0.25 + 12, mean = (0.25 + 4 * 8.1) / precision,
                 sd = 1 / sqrt(precision), new_sd = sqrt(1 / precision + 0.25);
    const expected e = {mean, sd, mean - 1.959964 * sd, mean, mean + 1.959964 * sd};
    agrees(bugs, "mu", mean, sd, 1e-9);
    agrees_all(bugs, "mu", &e, 0.05);
    agrees(bugs, "new", mean, new_sd, 0.05);
    assert_true(dlp_bugs_result_of(bugs)->exact);
    /* y ~ N(1, 4 J + I/4): log N by the matrix's two eigenvalues, 12.25 and (twice) 0.25 */
    const double along = 3 * 1.7 / sqrt(3), square = 1.1 * 1.1 + 2.3 * 2.3 + 1.7 * 1.7;
    const double log_p = -1.5 * log(2 * PI) - 0.5 * log(12.25 * 0.25 * 0.25) -
                         0.5 * (along * along / 12.25 + (square - along * along) / 0.25);
    assert_near(dlp_bugs_result_of(bugs)->log_evidence, log_p, 1e-9);
    dlp_bugs_free(bugs);
}

/* Quantiles: qbeta(c(0.025, 0.5, 0.975), 9.5, 4.5) of R. */
static void beta_and_binomial(void **state)
{
    (void)state;
    const expected e = {9.5 / 14, sqrt(9.5 * 4.5 / 15) / 14, 0.42296977, 0.68728504,
                        0.88605204};
    dlp_bugs *bugs =
        fitted("model { y ~ dbin(p, n)\n p ~ dbeta(2.5, 1.5) }", "y <- 7\nn <- 10");
    agrees_all(bugs, "p", &e, 0.01);
    const double log_p = log(120) + lgamma(9.5) + lgamma(4.5) - lgamma(14) + lgamma(4) -
                         lgamma(2.5) - lgamma(1.5);
    assert_near(dlp_bugs_result_of(bugs)->log_evidence, log_p, 0.01);
    dlp_bugs_free(bugs);
}

/* qgamma(c(0.025, 0.5, 0.975), 17.5, 5.2) */
static void gamma_and_poisson(void **state)
{
    (void)state;
    const expected e = {17.5 / 5.2, sqrt(17.5) / 5.2, 1.9778247, 3.3015037, 5.1157066};
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:4) { y[i] ~ dpois(lambda) }\n"
        "lambda ~ dgamma(2.5, 1.2)\n twice <- 2 * lambda }",
        "y <- c(3, 5, 2, 5)");
    const dlp_margin *twice = margin_of(bugs, "twice");
    agrees_all(bugs, "lambda", &e, 0.01);
    assert_near(twice->mean, 2 * e.mean, 0.02 * e.sd);
    assert_near(twice->upper, 2 * e.upper, 0.02 * e.sd);
    dlp_bugs_free(bugs);
}

/* A random walk of 80 steps, by its neighbours: more unknowns in one density than could be
   differentiated at once. Beside an intercept it adds up to 0. */
static void neighbours_of_a_walk(void **state)
{
    (void)state;
    char data[4000];
    size_t used = 0;
    used += (size_t)snprintf(data, sizeof data, "n <- 80; y <- c(0");
    for (int i = 1; i < 80; i++)
        used += (size_t)snprintf(data + used, sizeof data - used, ", %.3f",
                                 3 * sin(0.11 * i) + sin(1.7 * i * i));
    snprintf(data + used, sizeof data - used, ")");
    dlp_bugs *a = fitted(
        "data { num[1] <- 1; num[n] <- 1; adj[1] <- 2; adj[2 * n - 2] <- n - 1\n"
        "  for (i in 2:(n - 1)) { num[i] <- 2; adj[2 * i - 2] <- i - 1\n"
        "    adj[2 * i - 1] <- i + 1 }\n  for (k in 1:(2 * n - 2)) { w[k] <- 1 } }\n"
        "model { for (i in 1:n) { y[i] ~ dnorm(beta + x[i], 2) }\n"
        "  x[1:n] ~ car.normal(adj[], w[], num[], tau)\n  total <- sum(x[])\n"
        "  beta ~ dflat()\n  tau ~ dgamma(1, 0.1) }",
        data);
    dlp_bugs *b = fitted(
        "model { for (i in 1:n) { y[i] ~ dnorm(z[i], 2) }\n"
        "  z[1] ~ dflat()\n  for (i in 2:n) { z[i] ~ dnorm(z[i - 1], tau) }\n"
        "  beta <- mean(z[])\n  tau ~ dgamma(1, 0.1) }",
        data);
    const dlp_margin *tau = margin_of(b, "tau"), *beta = margin_of(b, "beta");
    assert_near(margin_of(a, "tau")->mean, tau->mean, 1e-4 * tau->mean);
    assert_near(margin_of(a, "tau")->sd, tau->sd, 1e-3 * tau->sd);
    assert_near(margin_of(a, "beta")->mean, beta->mean, 0.01 * beta->sd);
    assert_near(margin_of(a, "beta")->sd, beta->sd, 0.04 * beta->sd);
    assert_near(margin_of(a, "total")->mean, 0, 0.001);
    assert_true(margin_of(a, "total")->sd < 0.02);
    dlp_bugs_free(a);
    dlp_bugs_free(b);
}

/* Of events that hardly ever occur, a draw more or less is no reason to doubt the answer. */
static void rare_events_agree(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:8) { y[i] ~ dnorm(mu, tau) }\n mu ~ dnorm(0, 0.01)\n"
        "tau ~ dgamma(2, 2)\n m <- mean(y[])\n"
        "for (k in 1:40) { rare[k] <- step(mu - m - (1 + 0.05 * k)) } }",
        "y <- c(1.2, -0.4, 2.2, 0.7, 1.9, 0.1, 1.4, -0.9)");
    assert_int_equal(dlp_bugs_result_of(bugs)->verdict, DLP_BUGS_CONFIRMED);
    dlp_bugs_free(bugs);
}

/* A matrix of one by one that is written as a number: Wishart(R, 6) is Gamma(3, R / 2). */
static void wishart_of_a_number(void **state)
{
    (void)state;
    dlp_bugs *bugs =
        fitted("model { y ~ dnorm(0, O)\n O ~ dwish(R, 6)\n R <- 0.3 }", "y <- 1");
    agrees(bugs, "O", 3.5 / 0.65, sqrt(3.5) / 0.65, 0.01);
    dlp_bugs_free(bugs);
}

/* A level that is known well although mu and the effects are not: JAGS, worth 24,000 draws
   (glm module, two chains of 200,000). */
static void sums_of_what_is_hardly_known(void **state)
{
    (void)state;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.verify = 0;
    dlp_bugs *bugs = fitted_by(
        "model { for (i in 1:3) { for (j in 1:6) {\n"
        "y[i, j] ~ dpois(exp(mu + b[i] + a[j])) }\n"
        "b[i] ~ dnorm(0, pow(sigma[1], -2)) }\n"
        "for (j in 1:6) { a[j] ~ dnorm(0, pow(sigma[2], -2)) }\n"
        "for (k in 1:2) { sigma[k] ~ dunif(0, 100) }\n"
        "mu ~ dnorm(0, 0.0001)\n level <- mu + mean(b[]) + mean(a[]) }",
        "y <- structure(c(8, 29, 2, 9, 39, 2, 3, 16, 1, 1, 14, 1,\n"
        "8, 22, 3, 5, 31, 1), .Dim = c(3, 6))",
        &settings);
    agrees(bugs, "level", 1.7504, 0.1263, 0.06);
    dlp_bugs_free(bugs);
}

/* Pairs that are normal given loadings and precisions; the same model with the pairs
   integrated out by hand, as dmnorm.vcov, has these moments. */
static void pairs_with_normal_data(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:12) {\n"
        "for (j in 1:2) { y[i, j] ~ dnorm(lam[j] * f[i, 1], tau[j]) }\n"
        "for (j in 3:4) { y[i, j] ~ dnorm(lam[j] * f[i, 2], tau[j]) }\n"
        "f[i, 1] ~ dnorm(0, t[1])\n f[i, 2] ~ dnorm(g * f[i, 1], t[2]) }\n"
        "lam[1] <- 1\n lam[3] <- 1\n lam[2] ~ dnorm(1, 4)\n lam[4] ~ dnorm(1, 4)\n"
        "for (j in 1:4) { tau[j] ~ dgamma(4, 2) }\n"
        "for (j in 1:2) { t[j] ~ dgamma(4, 2) }\n g ~ dnorm(0, 1) }",
        "y <- structure(c(-1.3, -0.7, 1, -0.5, 0.2, -0.7, 0.6, 1.6, -0.8,\n"
        "1.7, -1, -0.7, 0, -0.2, -0.4, -0.4, 0.6, -0.2, 1.1, 0.4, -0.8,\n"
        "-0.3, -0.7, -0.2, -1.4, -0.6, 0.7, -1.5, -0.4, -1.5, 0.1, 0.6,\n"
        "-1.9, 1, -0.1, -2.4, -0.9, 0.5, 0.5, -0.9, 0.1, -0.8, 0.8, 1.6,\n"
        "-2.2, 0.4, -0.7, -1.9), .Dim = c(12, 4))\n");
    assert_int_equal(dlp_bugs_result_of(bugs)->n_quadrature, 12);
    agrees(bugs, "g", 1.157, 0.437, 0.1);
    agrees(bugs, "lam[4]", 0.955, 0.220, 0.1);
    agrees(bugs, "tau[1]", 2.390, 0.953, 0.1);
    agrees(bugs, "t[2]", 2.389, 1.004, 0.1);
    dlp_bugs_free(bugs);
}

/* How many instructions log p takes. */
static double length_of(const dlp_bugs *bugs, bool join)
{
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    double n = 0;
    assert_ok(dlpi_lowering_make(bugs->graph, NULL, &lowering, error));
    assert_ok(dlpi_factors_list(&lowering, join, &factors, error));
    for (int i = 0; i < factors.n_templates; i++)
        n += (double)factors.of[i].n * factors.of[i].program->n;
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
    return n;
}

/* m[t] = a (1 + .9 + ... + .9^(t - 1)) for two persons, one of whom has no y[30]: what the
   densities of y share is computed once, and a has its closed form. */
static void recursions_are_computed_once(void **state)
{
    (void)state;
    enum { TIMES = 60 };
    char data[4000] = "y <- structure(c(";
    double weight[2] = {1, 1}, sum[2] = {0}, m = 0;
    for (int t = 0; t < TIMES; t++) {
        m = 1 + 0.9 * m;
        for (int i = 0; i < 2; i++) {
            const double y = 2 * i * m + (t * 7 + i) % 5 - 2;
            const bool missing = i == 1 && t == 29;
            weight[i] += missing ? 0 : m * m;
            sum[i] += missing ? 0 : m * y;
            const size_t at = strlen(data);
            snprintf(data + at, sizeof data - at, missing ? "%sNA" : "%s%.17g",
                     t + i > 0 ? ", " : "", y);
        }
    }
    strcat(data, "), .Dim = c(2, 60))");
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:2) { a[i] ~ dnorm(0, 1)\n m[i, 1] <- a[i]\n"
        "for (t in 2:60) { m[i, t] <- a[i] + 0.9 * m[i, t - 1] }\n"
        "for (t in 1:60) { y[i, t] ~ dnorm(m[i, t], 1) } } }",
        data);
    agrees(bugs, "a[1]", sum[0] / weight[0], 1 / sqrt(weight[0]), 1e-8);
    agrees(bugs, "a[2]", sum[1] / weight[1], 1 / sqrt(weight[1]), 1e-8);
    assert_true(8 * length_of(bugs, true) < length_of(bugs, false));
    dlp_bugs_free(bugs);
}

/* ---- sums and integrals computed here ---- */

enum { SCHOOLS = 8 };
static const double effect[SCHOOLS] = {28, 8, -3, 7, -1, 1, 18, 12};
static const double error_of[SCHOOLS] = {15, 10, 16, 11, 9, 11, 10, 18};
static const char *const schools =
    "model {\n for (j in 1:8) { y[j] ~ dnorm(theta[j], 1 / s[j]^2)\n"
    "theta[j] ~ dnorm(mu, 1 / tau^2) }\n mu ~ dnorm(0, 1.0E-4)\n tau ~ dunif(0, 100)\n"
    "best <- max(theta[])\n above <- step(theta[1] - 10)\n}";
static const char *const schools_data =
    "y <- c(28, 8, -3, 7, -1, 1, 18, 12)\n"
    "s <- c(15, 10, 16, 11, 9, 11, 10, 18)";

typedef struct moments {
    double weight, sum, square;
} moments;

static void add_moments(moments *m, double weight, double mean, double variance)
{
    m->weight += weight;
    m->sum += weight * mean;
    m->square += weight * (mean * mean + variance);
}

static void agrees_with(const dlp_bugs *bugs, const char *name, const moments *m,
                        double close)
{
    const double mean = m->sum / m->weight;
    agrees(bugs, name, mean, sqrt(m->square / m->weight - mean * mean), close);
}

/* Given tau all is normal: mu | tau, then theta[1] | mu, tau. tau by 100,000 points. */
static void hierarchy_of_normals(void **state)
{
    (void)state;
    moments mu = {0}, tau = {0}, theta = {0};
    for (int k = 0; k < 100000; k++) {
        const double t = (k + 0.5) / 1000;
        double precision = 1e-4, sum = 0, log_p = 0;
        for (int j = 0; j < SCHOOLS; j++) {
            const double w = 1 / (t * t + error_of[j] * error_of[j]);
            precision += w;
            sum += w * effect[j];
            log_p += 0.5 * log(w) - 0.5 * w * effect[j] * effect[j];
        }
        const double m = sum / precision, v = 1 / precision;
        const double weight = exp(log_p + 0.5 * sum * m - 0.5 * log(precision) + 30);
        const double own = 1 / (error_of[0] * error_of[0]), share = own + 1 / (t * t);
        add_moments(&tau, weight, t, 0);
        add_moments(&mu, weight, m, v);
        add_moments(&theta, weight, (own * effect[0] + m / (t * t)) / share,
                    1 / share + v / (share * share * t * t * t * t));
    }
    dlp_bugs *bugs = fitted(schools, schools_data);
    agrees_with(bugs, "mu", &mu, 0.01);
    agrees_with(bugs, "tau", &tau, 0.01);
    agrees_with(bugs, "theta[1]", &theta, 0.01);
    /* Gelman et al., Bayesian Data Analysis, have a median of 10 in school A, and its effect
       is the largest with probability a fourth: the largest is larger than each. */
    assert_true(margin_of(bugs, "best")->mean > margin_of(bugs, "theta[1]")->mean);
    assert_near(margin_of(bugs, "above")->mean, 0.52, 0.03);
    dlp_bugs_free(bugs);
}

static double normal(double y, double mean, double sd)
{
    return exp(-0.5 * (y - mean) * (y - mean) / (sd * sd)) / sd;
}

/* z is summed out: two means by a grid of 400 x 400. The priors tell them apart: there is one
   mode that counts. */
static void mixture_of_two(void **state)
{
    (void)state;
    static const double y[] = {-0.3, 0.2, 3.3, 2.6, 4.0};
    moments low = {0}, high = {0}, z = {0};
    for (int i = 0; i < 400; i++)
        for (int j = 0; j < 400; j++) {
            const double a = -8 + 0.04 * i, b = -5 + 0.04 * j;
            double p = normal(a, 0, 1) * normal(b, 3, 1), third = 0;
            for (int k = 0; k < 5; k++) {
                const double of_b = 0.6 * normal(y[k], b, 0.5);
                const double all = of_b + 0.4 * normal(y[k], a, 0.5);
                p *= all;
                if (k == 2) third = of_b / all;
            }
            add_moments(&low, p, a, 0);
            add_moments(&high, p, b, 0);
            add_moments(&z, p, third, third * (1 - third));
        }
    dlp_bugs *bugs = fitted(
        "model { for (i in 1:5) { z[i] ~ dbern(0.6)\n"
        "y[i] ~ dnorm(m[z[i] + 1], 4) }\n"
        "m[1] ~ dnorm(0, 1)\n m[2] ~ dnorm(3, 1) }",
        "y <- c(-0.3, 0.2, 3.3, 2.6, 4.0)");
    agrees_with(bugs, "m[1]", &low, 0.05);
    agrees_with(bugs, "m[2]", &high, 0.05);
    assert_near(margin_of(bugs, "z[3]")->mean, z.sum / z.weight, 0.02);
    dlp_bugs_free(bugs);
}

/* 4 of N were seen, N is binomial or Poisson up to a bound: sums over N, given which p has a
   beta distribution. p(y = 4 | N) = 1 / (N + 1). */
static void number_unknown(void **state)
{
    (void)state;
    static const char *const prior[] = {"dbin(0.5, 20)", "dpois(10) T(,60)"};
    for (int k = 0; k < 2; k++) {
        char text[200];
        moments p = {0}, N = {0};
        for (int n = 4; n <= (k ? 60 : 20); n++) {
            const double log_p =
                k ? n * log(10) - lgamma(n + 1)
                  : lgamma(21) - lgamma(n + 1) - lgamma(21 - n) - 20 * log(2);
            const double weight = exp(log_p) / (n + 1);
            const double mean = 5.0 / (n + 2);
            add_moments(&p, weight, mean, mean * (1 - mean) / (n + 3));
            add_moments(&N, weight, n, 0);
        }
        snprintf(text, sizeof text, "model { N ~ %s\n y ~ dbin(p, N)\n p ~ dbeta(1, 1) }",
                 prior[k]);
        dlp_bugs *bugs = fitted(text, "y <- 4");
        agrees_with(bugs, "p", &p, 0.02);
        agrees_with(bugs, "N", &N, 0.05);
        dlp_bugs_free(bugs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_mean),
        cmocka_unit_test(beta_and_binomial),
        cmocka_unit_test(gamma_and_poisson),
        cmocka_unit_test(neighbours_of_a_walk),
        cmocka_unit_test(rare_events_agree),
        cmocka_unit_test(wishart_of_a_number),
        cmocka_unit_test(sums_of_what_is_hardly_known),
        cmocka_unit_test(pairs_with_normal_data),
        cmocka_unit_test(recursions_are_computed_once),
        cmocka_unit_test(hierarchy_of_normals),
        cmocka_unit_test(mixture_of_two),
        cmocka_unit_test(number_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

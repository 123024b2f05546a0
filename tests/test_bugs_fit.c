/* SPDX-License-Identifier: BSD-3-Clause */
/* Posteriors of small models whose answers are known in closed form. Discrete nodes are
   summarised by draws (4096), so that theirs are compared to 0.06. */
#include "bugs_fits.h"

#include <math.h>
#include <stdio.h>

static fitted fit(const char *model, const char *data)
{
    return bugs_fit_text(model, data, NULL);
}

static double mean_of(const fitted *f, const char *name)
{
    for (dlp_index i = 0; i < f->result->n_nodes; i++)
        if (!strcmp(f->result->node[i].name, name)) return f->result->node[i].margin.mean;
    return NAN;
}

/* p ~ Beta(2 + 7, 3 + 13) */
static void test_beta_binomial(void **state)
{
    (void)state;
    fitted f = fit("model { y ~ dbin(p, n)\n p ~ dbeta(2, 3) }", "y <- 7\nn <- 20");
    expect(&f, "p", 9. / 25, sqrt(9. * 16 / (25 * 25 * 26)), 0.003);
    dlp_bugs_free(f.model);
}

static void test_normal(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:4) { y[i] ~ dnorm(mu, 0.25) }\n"
            "mu ~ dnorm(0, 0.01) }",
            "y <- c(1, 2, 4, 5)");
    expect(&f, "mu", 3 / 1.01, sqrt(1 / 1.01), 1e-6);
    dlp_bugs_free(f.model);
}

/* Among 10, of whom each is there with 0.4 and seen with 0.5, 3 are seen: of the other 7 each
   is there with 0.2 / 0.8. */
static void test_impossible_states(void **state)
{
    (void)state;
    fitted f = fit("model { N ~ dbin(0.4, 10)\n y ~ dbin(0.5, N) }", "y <- 3");
    expect(&f, "N", 4.75, sqrt(7 * 0.25 * 0.75), 0.06);
    dlp_bugs_free(f.model);
}

/* N - y ~ Poisson(4 (1 - 0.5)) */
static void test_abundance_without_bound(void **state)
{
    (void)state;
    fitted f = fit("model { N ~ dpois(4)\n y ~ dbin(0.5, N) }", "y <- 2");
    expect(&f, "N", 4, sqrt(2), 0.08);
    dlp_bugs_free(f.model);
}

/* A bound that is another discrete node's: all states, by hand. */
static void test_bound_that_is_unknown(void **state)
{
    (void)state;
    fitted f =
        fit("model { N ~ dpois(2) T(, 3)\n S ~ dbin(0.5, N) T(, 5)\n G ~ dbin(0.5, 2)\n"
            "M <- S + G\n y ~ dbin(0.5, M) }",
            "y <- 0");
    double total = 0, mean = 0, square = 0, poisson[4] = {1, 2, 2, 4. / 3};
    for (int n = 0; n <= 3; n++)
        for (int s = 0; s <= n; s++)
            for (int g = 0; g <= 2; g++) {
                const double choose[4][4] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}};
                const double p = poisson[n] * choose[n][s] * pow(0.5, n) * choose[2][g] *
                                 0.25 * pow(0.5, s + g);
                total += p;
                mean += p * s;
                square += p * s * s;
            }
    mean /= total;
    expect(&f, "S", mean, sqrt(square / total - mean * mean), 0.03);
    dlp_bugs_free(f.model);
}

/* P(k = 2) = 1 / (1 + e^-1) */
static void test_index_computed_from_a_discrete_node(void **state)
{
    (void)state;
    fitted f =
        fit("model { k ~ dcat(c(0.5, 0.5))\n J <- 1 + step(k - 1.5)\n"
            "y ~ dnorm(m[J], 1) }",
            "m <- c(0, 2)\ny <- 1.5");
    const double p = 1 / (1 + exp(-1));
    expect(&f, "k", 1 + p, sqrt(p * (1 - p)), 0.03);
    dlp_bugs_free(f.model);
}

/* That y[2] comes from the first component has a probability of 1e-9: mu are two normal means. */
static void test_mixture(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:2) { y[i] ~ dnorm(mu[z[i]], 1)\n"
            "z[i] ~ dcat(c(0.5, 0.5)) }\n"
            "for (k in 1:2) { mu[k] ~ dnorm(0, 0.01) } }",
            "y <- c(0, 10)\nz <- c(1, NA)");
    expect(&f, "mu[1]", 0, 1 / sqrt(1.01), 0.01);
    expect(&f, "mu[2]", 10 / 1.01, 1 / sqrt(1.01), 0.01);
    dlp_bugs_free(f.model);
}

/* p(z1) = 0.5 (P[z1,1] e^-1.125 + P[z1,2] e^-0.125) / ... */
static void test_chain_of_categories(void **state)
{
    (void)state;
    fitted f =
        fit("model { z[1] ~ dcat(c(0.5, 0.5))\n z[2] ~ dcat(P[z[1], 1:2])\n"
            "y ~ dnorm(m[z[2]], 1) }",
            "P <- structure(c(0.9, 0.2, 0.1, 0.8), .Dim = c(2, 2))\n"
            "m <- c(0, 2)\ny <- 1.5");
    const double a = exp(-1.125), b = exp(-0.125), one = 0.9 * a + 0.1 * b,
                 two = 0.2 * a + 0.8 * b, p = two / (one + two);
    expect(&f, "z[1]", 1 + p, sqrt(p * (1 - p)), 0.03);
    dlp_bugs_free(f.model);
}

static const char *const WISHART =
    "model { for (i in 1:8) { y[i, 1:3] ~ dmnorm(mu[], Omega[,]) }\n"
    "for (j in 1:3) { mu[j] <- 0 }\n"
    "Omega[1:3, 1:3] ~ dwish(R[,], 3)\n"
    "Sigma[1:3, 1:3] <- inverse(Omega[,]) }";
static const char *const WISHART_DATA =
    "y <- structure(c(1, -2, 0.5, 1.5, -1, 0, 2, -0.5, 0.3, -1, 1, 0.7, -2, 1, "
    "1.5, 0, -1, 0.5, 2, -0.4, 0.6, 1, -1.2, 0.2), .Dim = c(8, 3))\n"
    "R <- structure(c(1, 0, 0, 0, 1, 0, 0, 0, 1), .Dim = c(3, 3))";

/* Omega ~ Wishart(R + S, 3 + 8) given the data, so that Sigma has an inverse Wishart
   distribution: its element 11 has mean T11 / 7 and variance 2 T11^2 / (7^2 5), T = R + S. Six
   coordinates are more than points are laid for, and the Gaussian's sds are too small. */
static void test_corrected(void **state)
{
    (void)state;
    fitted f = fit(WISHART, WISHART_DATA);
    const double t11 = 1 + 1 + 4 + 0.25 + 2.25 + 1 + 4 + 0.25, mean = t11 / 7;
    expect(&f, "Sigma[1,1]", mean, mean * sqrt(2. / 5), 0.05 * mean);
    assert_int_equal(f.result->verdict, DLP_BUGS_CORRECTED);
    assert_true(f.result->effective > 4000 && f.result->pareto_k < 0.5);
    assert_true(f.result->drift > 0 && f.result->drift < 0.1 && !f.result->doubt_drift);
    assert_false(f.result->doubt_gaussian);
    dlp_bugs_free(f.model);
}

/* States of chains with a single binary response each, in the Gaussian: JAGS's s is 2.2 +-
   1.6 where this fit has 0.5 +- 0.4, and no mean is known to lie far from its mode. Counts instead
   say enough of each state. */
static void test_omitted(void **state)
{
    (void)state;
    const char *const model =
        "model { for (i in 1:30) {\n"
        "  for (t in 1:5) { y[i,t] ~ DENSITY\n p[i,t] <- b + u[i,t] }\n"
        "  u[i,1] ~ dnorm(0, pow(s, -2))\n"
        "  for (t in 2:5) { u[i,t] ~ dnorm(r * u[i,t-1], pow(s, -2) / (1 - r^2)) } }\n"
        "b ~ dnorm(0, 0.1)\n r ~ dunif(0, 1)\n s ~ dunif(0, 5) }";
    static const char *const density[] = {"dbern(ilogit(p[i,t]))",
                                          "dpois(exp(p[i,t]+3))"};
    for (int counts = 0; counts < 2; counts++) {
        char text[1024], data[2048] = "y <- structure(c(";
        const char *const at = strstr(model, "DENSITY");
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - model), model, density[counts],
                 at + strlen("DENSITY"));
        for (int t = 0; t < 5; t++)
            for (int i = 0; i < 30; i++) { /* persons differ, and change slowly */
                const double u = 1.5 * sin(2.4 * i) + 0.8 * sin(1.7 * i + 1.1 * t),
                             from = 0.5 + 0.5 * sin(37.0 * i + 11.0 * t);
                const int y = counts ? (int)exp(3 + u / 2) : from < 1 / (1 + exp(-u));
                snprintf(data + strlen(data), sizeof data - strlen(data), "%d,", y);
            }
        data[strlen(data) - 1] = '\0';
        snprintf(data + strlen(data), sizeof data - strlen(data), "), .Dim = c(30, 5))");
        dlp_bugs_settings settings = dlp_bugs_settings_default();
        settings.verify = 0;
        fitted f = bugs_fit_text(text, data, &settings);
        assert_int_equal(f.result->doubt_omitted, !counts);
        dlp_bugs_free(f.model);
    }
}

/* theta ~ U(0, 10) read off a curve with a bend: means by a sum over theta. */
static void test_interpolated(void **state)
{
    (void)state;
    fitted f =
        fit("model { theta ~ dunif(0, 10)\n"
            "x ~ dnorm(interp.lin(theta, at[], curve[]), 1) }",
            "x <- 3\nat <- c(0, 4, 9)\ncurve <- c(0, 2, 12)");
    double sum = 0, mean = 0, square = 0;
    for (int i = 0; i < 100000; i++) {
        const double theta = (i + 0.5) / 10000,
                     curve = theta < 4   ? theta / 2
                             : theta < 9 ? 2 * theta - 6
                                         : 12,
                     p = exp(-0.5 * (3 - curve) * (3 - curve));
        sum += p;
        mean += p * theta;
        square += p * theta * theta;
    }
    mean /= sum;
    expect(&f, "theta", mean, sqrt(square / sum - mean * mean), 0.01);
    dlp_bugs_free(f.model);
}

/* Draws that replace the answer, but are few and were compared with no others, may have
   missed a tail. */
static void test_corrected_by_few(void **state)
{
    (void)state;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.verify = 3000;
    fitted f = bugs_fit_text(WISHART, WISHART_DATA, &settings);
    assert_int_equal(f.result->verdict, DLP_BUGS_CORRECTED);
    assert_true(f.result->effective > 400);
    assert_int_equal(f.result->doubt_drift, DLP_BUGS_FEW_DRAWS);
    dlp_bugs_free(f.model);
}

/* What is exact is confirmed, and stays as it is. */
static void test_confirmed(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:4) { y[i] ~ dnorm(mu, tau) }\n"
            "mu ~ dnorm(0, 0.01)\n tau ~ dgamma(2, 3) }",
            "y <- c(1, 2, 4, 5)");
    assert_int_equal(f.result->verdict, DLP_BUGS_CONFIRMED);
    for (dlp_index i = 0; i < f.result->n_nodes; i++) {
        const dlp_bugs_node *node = &f.result->node[i];
        assert_int_equal(node->grade, DLP_BUGS_AGREES);
        assert_true(node->margin.mean == node->found.mean);
        assert_true(fabs(node->sampled.mean - node->found.mean) < 4 * node->error);
    }
    dlp_bugs_free(f.model);
}

/* A kink, where there is no curvature: y ~ N(b, 1), p(b) = exp(-2 |b|), integrated over
   200,000 points. */
static void test_kink(void **state)
{
    (void)state;
    fitted f = fit("model { y ~ dnorm(b, 1)\n b ~ ddexp(0, 2) }", "y <- 0.3");
    expect(&f, "b", 0.0765, 0.5075, 0.01);
    dlp_bugs_free(f.model);
}

/* tau ~ Gamma(2 + n/2, 3 + y' R^-1 y / 2) where R is the correlation of an autoregression,
   R^-1 known: an inverse of n rows, which the sanitizers need not see in full. */
static void test_inverse_of_unknowns(void **state)
{
    (void)state;
    enum { n = SANITISED ? 6 : 15 };
    char model[400];
    snprintf(model, sizeof model,
             "data { for (i in 1:%d) { y[i] <- sin(2 * i) } }\n"
             "model { y[1:%d] ~ dmnorm(mu[], Omega[,])\n"
             "for (i in 1:%d) { mu[i] <- 0\n"
             "for (j in 1:%d) { S[i, j] <- 0.5^abs(i - j) / tau } }\n"
             "Omega[1:%d, 1:%d] <- inverse(S[1:%d, 1:%d])\n tau ~ dgamma(2, 3) }",
             n, n, n, n, n, n, n, n);
    fitted f = fit(model, "");
    double square = sin(2) * sin(2);
    for (int i = 2; i <= n; i++)
        square += pow(sin(2. * i) - 0.5 * sin(2. * i - 2), 2) / 0.75;
    const double shape = 2 + n / 2.0, rate = 3 + 0.5 * square;
    expect(&f, "tau", shape / rate, sqrt(shape) / rate, 0.003);
    dlp_bugs_free(f.model);
}

/* Four unknowns, far from normal, in a density that costs much: not the 7,600 points that a
   cheap one has. a and b can be exchanged, and so can c and d. */
static void test_dear_density(void **state)
{
    (void)state;
    if (SANITISED)
        skip(); /* nothing but arithmetic, of which the other build has the same */
    fitted f =
        fit("data { for (i in 1:10000) { x[i] <- i / 10000\n"
            "y[i] <- 2 * x[i] + x[i]^2 + 0.1 * sin(7.3 * i) } }\n"
            "model { for (i in 1:10000) { y[i] ~ dnorm(a * b * x[i] + c * d * x[i]^2, "
            "0.001) }\n"
            "a ~ dgamma(2, 1)\n b ~ dgamma(2, 1)\n c ~ dgamma(2, 1)\n"
            "d ~ dgamma(2, 1) }",
            "");
    assert_true(f.result->points > 500 && f.result->points < 2500);
    expect(&f, "a", mean_of(&f, "b"), 0.95, 0.03);
    expect(&f, "c", mean_of(&f, "d"), 0.95, 0.03);
    dlp_bugs_free(f.model);
}

/* Two components that nothing distinguishes. */
static void test_label_switching(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:8) { y[i] ~ dnorm(m[z[i] + 1], 4)\n"
            "z[i] ~ dbern(0.5) }\n for (k in 1:2) { m[k] ~ dnorm(0, 0.1) } }",
            "y <- c(-3.2, -3.1, -2.9, -2.5, 2.4, 2.9, 3.3, 3.4)");
    assert_true(f.result->switched && f.result->modes > 0);
    assert_true(f.result->verdict != DLP_BUGS_CONFIRMED);
    dlp_bugs_free(f.model);
}

/* y = a exp(-b x) from a start at 0, where b hardly matters: the maximum is elsewhere. */
static void test_far_start(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:6) { y[i] ~ dnorm(exp(a) / (1 + exp(b - exp(c) * "
            "x[i])), 0.04) }\n a ~ dnorm(0, 0.0001)\n b ~ dnorm(0, 0.0001)\n"
            "c ~ dnorm(0, 0.0001) }",
            "x <- c(118, 484, 664, 1004, 1231, 1372)\n"
            "y <- c(30, 58, 87, 115, 120, 142)");
    for (dlp_index i = 0; i < f.result->n_nodes; i++)
        if (!strcmp(f.result->node[i].name, "c"))
            assert_true(fabs(f.result->node[i].margin.mean + 5.9) < 0.5);
    dlp_bugs_free(f.model);
}

/* Cut points of which some are given: from 0 they are not in order, and y is impossible. By
   symmetry those that are not given are 2.5 +- 0.5 or so, and mu is 2.5. */
static void test_begin_at_priors(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:20) { y[i] ~ dcat(pr[1:4]) }\n"
            "pr[1] <- phi(t[1] - mu)\n"
            "for (k in 2:3) { pr[k] <- max(0, phi(t[k] - mu) - phi(t[k-1] - mu)) }\n"
            "pr[4] <- 1 - phi(t[3] - mu)\n"
            "t[2] ~ dnorm(2.5, 1)\n mu ~ dnorm(2.5, 0.1) }",
            "t <- c(1.5, NA, 3.5)\n"
            "y <- c(1,1,1,1,2,2,2,2,2,2,3,3,3,3,3,3,4,4,4,4)");
    assert_true(fabs(mean_of(&f, "t[2]") - 2.5) < 0.02);
    assert_true(fabs(mean_of(&f, "mu") - 2.5) < 0.02);
    dlp_bugs_free(f.model);
}

/* mu ~ N(mean(y), 1/n): the deviance is n log(2 pi) + sum (y - mean(y))^2 + chi^2_1. */
static void test_deviance(void **state)
{
    (void)state;
    const char *monitor[] = {"deviance", "mu"};
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.monitor = monitor;
    settings.n_monitors = 2;
    settings.draws = 100000;
    fitted f = bugs_fit_text(
        "model { for (i in 1:4) { y[i] ~ dnorm(mu, 1) }\n"
        "mu ~ dnorm(0, 1.0E-8) }",
        "y <- c(1, 2, 4, 5)", &settings);
    assert_int_equal(f.result->n_nodes, 2);
    const double at_mean = 4 * log(2 * 3.14159265358979) + 10;
    expect(&f, "deviance", at_mean + 1, sqrt(2), 0.08);
    dlp_bugs_free(f.model);
}

/* A spike of the prior at 0, where half of the posterior is: the points cannot reach all of
   it. */
static void test_spike(void **state)
{
    (void)state;
    const char *data = "z <- c(2,8,6,4,1,6,5,7,7,5,2,9,9,2,7,8,1,6,1,4,3,8,5,4,8,10,4,5)";
    const char *model =
        "model { for (s in 1:28) { z[s] ~ dbin(theta[s], 10)\n"
        "theta[s] ~ dbeta(omega * k + 1, (1 - omega) * k + 1) }\n"
        "omega ~ dbeta(1, 1)\n k ~ dgamma(a, b) }";
    char both[256];
    snprintf(both, sizeof both, "%s\na <- 0.01\nb <- 0.01", data);
    fitted spike = fit(model, both);
    assert_true(spike.result->doubt_tail);
    assert_true(spike.result->verdict != DLP_BUGS_CONFIRMED);
    dlp_bugs_free(spike.model);
    snprintf(both, sizeof both, "%s\na <- 2\nb <- 0.1", data);
    fitted none = fit(model, both);
    assert_false(none.result->doubt_tail);
    dlp_bugs_free(none.model);
}

/* An inverse of scales alone has no derivatives in the field, and costs little: a grid. */
static void test_process(void **state)
{
    (void)state;
    const char *monitor[] = {"phi"};
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.monitor = monitor;
    settings.n_monitors = 1;
    fitted f = bugs_fit_text(
        "model { for (i in 1:N) { y[i] ~ dnorm(f[i], tau)\n zero[i] <- 0\n"
        "for (j in 1:N) { S[i, j] <- v * exp(-phi * abs(i - j)) } }\n"
        "f[1:N] ~ dmnorm(zero[], Q[,])\n Q[1:N, 1:N] <- inverse(S[,])\n"
        "tau ~ dgamma(2, 0.2)\n v ~ dunif(0.01, 10)\n phi ~ dunif(0.1, 5) }",
        SANITISED
            ? "N <- 8\ny <- c(1, 1.4, 0.2, -0.5, -1, -0.2, 0.3, 1.2)"
            : "N <- 16\ny <- c(1, 1.4, 0.2, -0.5, -1, -0.2, 0.3, 1.2, 1.9, 1.1, 0.6, "
              "0.4, -0.8, -1.3, -0.4, 0.5)",
        &settings);
    assert_false(f.result->doubt_design);
    assert_true(f.result->points > 200);
    dlp_bugs_free(f.model);
}

/* Five of 4,096 draws of what happens once in 741 times: it is reported; what happens
   more often is not. */
static void test_rare(void **state)
{
    (void)state;
    fitted f =
        fit("model { y ~ dnorm(mu, 1)\n mu ~ dflat()\n"
            "far <- step(mu - 3)\n near <- step(mu - 1)\n"
            "x ~ dnorm(z, 1)\n z ~ dbern(0.002) }",
            "y <- 0\n x <- 0");
    assert_int_equal(f.result->rare, 1);
    assert_string_equal(f.result->rarest, "far");
    dlp_bugs_free(f.model);
}

/* The mean of three groups, whose precision has a prior with a spike at 0, has about two
   degrees of freedom, and hardly an sd; with a prior that excludes small ones it has one. */
static void test_long_tail(void **state)
{
    (void)state;
    static const char *const data = "y <- c(0.9, 0.5, 0.4)";
    fitted f =
        fit("model { for (k in 1:3) { y[k] ~ dnorm(b[k], 60)\n b[k] ~ dnorm(mu, tau) }\n"
            "mu ~ dnorm(0, 1.0E-4)\n tau ~ dgamma(0.1, 0.1) }",
            data);
    assert_true(f.result->long_tails >= 1);
    assert_non_null(f.result->longest);
    dlp_bugs_free(f.model);
    f =
        fit("model { for (k in 1:3) { y[k] ~ dnorm(b[k], 60)\n b[k] ~ dnorm(mu, tau) }\n"
            "mu ~ dnorm(0, 1.0E-4)\n tau ~ dgamma(8, 1) }",
            data);
    assert_int_equal(f.result->long_tails, 0);
    assert_null(f.result->longest);
    dlp_bugs_free(f.model);
    /* The dose that kills half has no sd: the slope may be 0. */
    f = fit(
        "model { for (i in 1:4) { y[i] ~ dbin(p[i], 5)\n logit(p[i]) <- a + b * x[i] }\n"
        "a ~ dnorm(0, 0.001)\n b ~ dnorm(0, 0.001)\n dose <- -a / b }",
        "x <- c(-0.86, -0.3, -0.05, 0.73)\ny <- c(0, 1, 3, 5)");
    assert_int_equal(f.result->long_tails, 1);
    assert_string_equal(f.result->longest, "dose");
    dlp_bugs_free(f.model);
}

/* Parameters that a discrete unknown chooses, of a bounded one: beta-binomials by hand. */
static void test_parameters_by_state(void **state)
{
    (void)state;
    fitted f =
        fit("model { z ~ dbern(0.5)\n theta ~ dbeta(a[z + 1], b[z + 1])\n"
            "k ~ dbin(theta, 10) }",
            "a <- c(2, 8)\n b <- c(8, 2)\n k <- 7");
    expect(&f, "z", 0.934640522876, 0.247159090212, 0.01);
    expect(&f, "theta", 0.730392156863, 0.120885062024, 0.005);
    dlp_bugs_free(f.model);
}

/* What no data depend on may jump. */
static void test_prediction_that_jumps(void **state)
{
    (void)state;
    fitted f =
        fit("model { y ~ dnorm(mu, 1)\n mu ~ dflat()\n"
            "new ~ dnorm(10 * step(mu), 100)\n rounded ~ dround(mu, 1) }",
            "y <- 0");
    expect(&f, "new", 5, sqrt(25.01), 0.15);
    expect(&f, "rounded", 0, sqrt(1 + 0.01 / 12), 0.03);
    dlp_bugs_free(f.model);
}

/* Rounded values of N(mu, 1/4), mu ~ N(0, 1000), by 20,000 steps; a ~ Poisson(3) and
   b ~ Poisson(5) given their sum: binomial. */
static void test_rounded_and_summed(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:6) { y[i] ~ dround(x[i], 0)\n x[i] ~ dnorm(mu, 4) }\n"
            "mu ~ dnorm(0, 0.001)\n s ~ dsum(a, b)\n a ~ dpois(3)\n b ~ dpois(5) }",
            "y <- c(3, 4, 3, 3, 4, 3)\ns <- 4");
    double sum[3] = {0};
    for (double mu = 1; mu < 6; mu += 2.5e-4) {
        const double three =
                         0.5 * (erf((3.5 - mu) * sqrt(2)) - erf((2.5 - mu) * sqrt(2))),
                     four = 0.5 * (erf((4.5 - mu) * sqrt(2)) - erf((3.5 - mu) * sqrt(2))),
                     p = pow(three, 4) * pow(four, 2) * exp(-0.0005 * mu * mu);
        sum[0] += p;
        sum[1] += p * mu;
        sum[2] += p * mu * mu;
    }
    const double mean = sum[1] / sum[0];
    expect(&f, "mu", mean, sqrt(sum[2] / sum[0] - mean * mean), 0.002);
    expect(&f, "a", 1.5, sqrt(4 * 3. / 8 * 5. / 8), 0.05);
    dlp_bugs_free(f.model);
}

/* y[i] ~ N(2 max(0, x[i] - k), 1/4): mean and sd of k, by 60,000 steps */
static void bend_by_hand(double *mean, double *sd)
{
    static const double y[] = {0.2, -0.3, 0.4, 1.6, 4.1, 5.8};
    double sum[3] = {0};
    for (double k = 5e-5; k < 6; k += 1e-4) {
        double log_p = 0;
        for (int i = 0; i < 6; i++) {
            const double e = y[i] - 2 * fmax(0, i + 1 - k);
            log_p -= 2 * e * e;
        }
        sum[0] += exp(log_p);
        sum[1] += k * exp(log_p);
        sum[2] += k * k * exp(log_p);
    }
    *mean = sum[1] / sum[0];
    *sd = sqrt(sum[2] / sum[0] - *mean * *mean);
}

/* A line that bends at an unknown place has no jump, however it is written. */
static void test_bend(void **state)
{
    (void)state;
    static const char *const written[] = {
        "2 * (i - k) * step(i - k)",    "(i > k) * 2 * (i - k)",
        "2 * (k - i) * -(k <= i)",      "2 * (i - k) * (1 - step(k - i))",
        "b[1 + step(i - k)] * (i - k)", "ifelse(i < k, 0, 2) * (i - k)"};
    double mean, sd;
    bend_by_hand(&mean, &sd);
    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        char model[256];
        snprintf(model, sizeof model,
                 "model { for (i in 1:6) { y[i] ~ dnorm(%s, 4) }\n k ~ dunif(0, 6) }",
                 written[i]);
        fitted f = fit(model, "y <- c(0.2, -0.3, 0.4, 1.6, 4.1, 5.8)\nb <- c(0, 2)");
        expect(&f, "k", mean, sd, 0.003);
        dlp_bugs_free(f.model);
    }
}

/* Coefficients with a scale each: with the scales integrated out, their prior has a pole at 0.
   JAGS, 80,000 draws. */
static void test_horseshoe(void **state)
{
    (void)state;
    fitted f = fit(
        "model { for (i in 1:12) { y[i] ~ dnorm(inprod(X[i, ], beta[]), 1) }\n"
        "for (j in 1:4) { beta[j] ~ dnorm(0, 1 / (pow(lambda[j], 2) * pow(tau, 2)))\n"
        "lambda[j] ~ dt(0, 1, 1) T(0, ) }\n tau ~ dt(0, 1, 1) T(0, ) }",
        "X <- structure(c(-0.8, 1.4, -1.3, 0.1, 1.7, -0.6, -0.5, -0.6, -0.3, 0.1, 1.2, "
        "-0.8, -1.1, -0.2, -1.1, -0.1, -0.6, -2.2, 0.2, -0.3, 0.9, 0.9, 1.5, 0.7, 0.8, "
        "-0.3, 1.4, 1.5, -0.7, -0.9, 0.3, 1.1, 2.2, 1.2, 1.5, 1, -1, -2, -1.8, -0.1, "
        "1.6, -0.8, -0.1, 1.9, -0.5, 0.6, -0.9, -0.5), .Dim = c(12, 4))\n"
        "y <- c(-1.5, 2.8, 0.2, 0.4, 2.9, -1.2, -0.8, -2.6, 0.5, -0.2, 2.1, -0.8)");
    expect(&f, "beta[1]", 1.4698, 0.3495, 0.008);
    expect(&f, "beta[2]", 0.0156, 0.2172, 0.008);
    expect(&f, "beta[3]", 0.0680, 0.1977, 0.008);
    expect(&f, "beta[4]", -0.3299, 0.2588, 0.008);
    expect(&f, "tau", 0.739, 0.674, 0.03);
    dlp_bugs_free(f.model);
}

/* Four animals that no trap has caught, each at an unknown place in a square, by steps of 0.02. A
   place is a pair whose density is nothing like a normal one: it is high along the border. */
typedef struct uncaught {
    double there, outside, log_evidence;
} uncaught;

/* Whether (a, b) is beyond the traps. */
static bool is_outside(double a, double b)
{
    return fmax(fabs(a - 3), fabs(b - 3)) >= 2.2;
}

static double missed_at(double a, double b)
{
    double missed = 1;
    for (int i = 1; i <= 5; i++)
        for (int j = 1; j <= 5; j++)
            missed *= 1 - 0.3 * exp(-((a - i) * (a - i) + (b - j) * (b - j)) / 0.72);
    return pow(missed, 5);
}

static uncaught uncaught_by_hand(void)
{
    double missed = 0, missed_outside = 0, outside = 0;
    for (double a = 0.01; a < 6; a += 0.02)
        for (double b = 0.01; b < 6; b += 0.02) {
            const double p = missed_at(a, b) * 4e-4 / 36;
            missed += p;
            missed_outside += is_outside(a, b) ? p : 0;
            outside += is_outside(a, b) ? 4e-4 / 36 : 0;
        }
    double prior = 0, sum = 0, there = 0, out = 0; /* psi ~ Beta(30, 2) */
    for (double psi = 5e-4; psi < 1; psi += 1e-3) {
        const double weight = pow(psi, 29) * (1 - psi), all = 1 - psi + psi * missed;
        prior += weight;
        sum += weight * pow(all, 4);
        there += weight * pow(all, 3) * psi * missed;
        out += weight * pow(all, 3) * ((1 - psi) * outside + psi * missed_outside);
    }
    return (uncaught){there / sum, out / sum, log(sum / prior)};
}

static double mean_of_four(const fitted *f, const char *variable)
{
    double sum = 0;
    for (int i = 1; i <= 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "%s[%d]", variable, i);
        sum += node_of(f, name)->margin.mean / 4;
    }
    return sum;
}

/* With nodes that are too far apart the evidence is off by 2, and an animal is there half as often;
   with places drawn from a normal distribution they are outside less often, by 0.035. */
static void test_uncaught(void **state)
{
    (void)state;
    const uncaught by_hand = uncaught_by_hand();
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.verify = 0; /* the integrals alone */
    fitted f = bugs_fit_text(
        "data { for (i in 1:4) { for (j in 1:25) { y[i, j] <- 0 } }\n"
        "for (a in 1:5) { for (b in 1:5) { X[a + 5 * (b - 1), 1] <- a\n"
        "X[a + 5 * (b - 1), 2] <- b } } }\n"
        "model { psi ~ dbeta(30, 2)\n for (i in 1:4) { z[i] ~ dbern(psi)\n"
        "s[i, 1] ~ dunif(0, 6)\n s[i, 2] ~ dunif(0, 6)\n"
        "out[i] <- step(max(abs(s[i, 1] - 3), abs(s[i, 2] - 3)) - 2.2)\n"
        "for (j in 1:25) {\n"
        "d2[i, j] <- pow(s[i, 1] - X[j, 1], 2) + pow(s[i, 2] - X[j, 2], 2)\n"
        "y[i, j] ~ dbin(z[i] * 0.3 * exp(-d2[i, j] / 0.72), 5) } } }",
        "one <- 1", &settings);
    assert_near(mean_of_four(&f, "z"), by_hand.there, 0.01);
    assert_near(mean_of_four(&f, "out"), by_hand.outside, 0.015);
    assert_near(dlp_bugs_result_of(f.model)->log_evidence, by_hand.log_evidence,
                0.1); /* four integrals, each to a few per cent */
    dlp_bugs_free(f.model);
}

/* Variances in proportion to a chain have a spike where it is 0; data say that it is not there. Means
   and sds by 400,000 iterations of JAGS 4.3.1. */
static void test_chain_far_from_zero(void **state)
{
    (void)state;
    fitted f =
        fit("model { N[1] ~ dnorm(32, 0.01)\n"
            "for (t in 1:8) { y[t] ~ dnorm(N[t], pow(s, -2)) }\n"
            "for (t in 2:8) { N[t] ~ dnorm(r * N[t - 1], 1 / (v * N[t - 1])) }\n"
            "r ~ dunif(0, 3)\n v ~ dgamma(4, 10)\n s ~ dunif(0.5, 20) }",
            "y <- c(31, 34, 33, 39, 37, 42, 45, 44)");
    expect(&f, "N[1]", 31.269, 1.869, 0.08);
    expect(&f, "N[4]", 37.802, 1.749, 0.08);
    expect(&f, "N[8]", 44.543, 2.115, 0.08);
    expect(&f, "r", 1.0514, 0.0367, 0.002);
    expect(&f, "v", 0.3129, 0.1577, 0.006);
    expect(&f, "s", 2.089, 1.353, 0.06);
    dlp_bugs_free(f.model);
}

/* Counts by distance that say nothing of its scale once that is large: beyond the points
   there are three in ten thousand of the probability, and a third of the variance. */
static void test_far_plateau(void **state)
{
    static const char *const data =
        "y <- c(29, 24, 17, 10, 4)\nx <- c(0.3, -0.2, 0.1, -0.4, 0.2)";
    char model[500];
    (void)state;
    for (int far = 0; far < 2; far++) {
        snprintf(model, sizeof model,
                 "model { for (g in 1:5) { y[g] ~ dpois(exp(b + x[g] * c) * p[g])\n"
                 "p[g] <- exp(-pow(20 * g - 10, 2) / (2 * exp(2 * a))) }\n"
                 "a ~ dunif(2, %d)\n b ~ dnorm(0, 0.01)\n c ~ dnorm(0, 1) }",
                 far ? 20 : 6);
        fitted f = fit(model, data);
        assert_int_equal(f.result->doubt_tail, far);
        assert_int_equal(f.result->verdict,
                         far ? DLP_BUGS_CONFIRMED_HERE : DLP_BUGS_CONFIRMED);
        dlp_bugs_free(f.model);
    }
}

/* A matrix without indices takes the size of what it is computed from. */
static void test_matrix_that_is_not_square(void **state)
{
    dlp_error error = {0};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *model = NULL;
    (void)state;
    input.model_text = "model { O ~ dwish(R, 1)\n R <- t(M) %*% M[,1:2] }";
    input.data_text = "M <- structure(c(1, 2, 3, 1, 2, 3), .Dim = c(2, 3))";
    input.data_name = "data.R";
    assert_int_equal(dlp_bugs_read(&input, &model, &error), DLP_OK);
    assert_int_equal(dlp_bugs_fit(model, NULL, &error), DLP_EINPUT);
    assert_non_null(strstr(error.message, "must be a square matrix"));
    dlp_bugs_free(model);
}

/* The sds of four crossed factors, in one array or each with a name: the answer is the
   same. Alone, each could be integrated out given the effects, but what is left then has a
   spike where the effects are 0. */
static void test_scales_of_effects(void **state)
{
    static const char *const data =
        "y <- c(3.2,-0.3,-3.4,4.1,1.8,-2.1,2.9,-1.6,-4.7,5.1,0.4,-1.2,2.9,-0.3,-2.2,3.6,"
        "1.1,-2.5)\n"
        "g <- structure(c(1,2,3,1,2,3,1,2,3,1,2,3,1,2,3,1,2,3, 1,1,1,2,2,2,3,3,3,1,1,1,2,"
        "2,2,3,3,3, 1,2,3,2,3,1,3,1,2,2,3,1,3,1,2,1,2,3, 1,1,1,1,1,1,2,2,2,2,2,2,3,3,3,3,"
        "3,3), .Dim = c(18, 4))";
    static const char *const model =
        "model { for (i in 1:18) { y[i] ~ dnorm(mu + u[1,g[i,1]] + u[2,g[i,2]] + "
        "u[3,g[i,3]] + u[4,g[i,4]], 1 / sd^2) }\n"
        "for (l in 1:3) { for (k in 1:4) { u[k,l] ~ dnorm(0, 1 / s[k]^2) } }\n"
        "mu ~ dnorm(0, 0.1)\n sd ~ dexp(1)\n";
    char text[1000];
    (void)state;
    snprintf(text, sizeof text, "%s for (k in 1:4) { s[k] ~ dexp(1) } }", model);
    fitted together = fit(text, data);
    snprintf(text, sizeof text,
             "%s s[1] ~ dexp(1)\n s[2] ~ dexp(1)\n s[3] ~ dexp(1)\n s[4] ~ dexp(1) }",
             model);
    fitted apart = fit(text, data);
    assert_int_equal(together.result->n_points, 5);
    static const char *const nodes[] = {"mu", "sd", "s[1]", "s[4]", "u[1,2]"};
    for (int i = 0; i < 5; i++) {
        const dlp_margin *m = &node_of(&apart, nodes[i])->margin;
        expect(&together, nodes[i], m->mean, m->sd, 1e-3);
    }
    dlp_bugs_free(together.model);
    dlp_bugs_free(apart.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_of_effects),
        cmocka_unit_test(test_far_plateau),
        cmocka_unit_test(test_matrix_that_is_not_square),
        cmocka_unit_test(test_beta_binomial),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_impossible_states),
        cmocka_unit_test(test_abundance_without_bound),
        cmocka_unit_test(test_bound_that_is_unknown),
        cmocka_unit_test(test_index_computed_from_a_discrete_node),
        cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_chain_of_categories),
        cmocka_unit_test(test_corrected),
        cmocka_unit_test(test_corrected_by_few),
        cmocka_unit_test(test_confirmed),
        cmocka_unit_test(test_kink),
        cmocka_unit_test(test_inverse_of_unknowns),
        cmocka_unit_test(test_dear_density),
        cmocka_unit_test(test_label_switching),
        cmocka_unit_test(test_far_start),
        cmocka_unit_test(test_begin_at_priors),
        cmocka_unit_test(test_deviance),
        cmocka_unit_test(test_spike),
        cmocka_unit_test(test_process),
        cmocka_unit_test(test_rare),
        cmocka_unit_test(test_long_tail),
        cmocka_unit_test(test_parameters_by_state),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_uncaught),
        cmocka_unit_test(test_chain_far_from_zero),
        cmocka_unit_test(test_prediction_that_jumps),
        cmocka_unit_test(test_rounded_and_summed),
        cmocka_unit_test(test_horseshoe),
        cmocka_unit_test(test_omitted),
        cmocka_unit_test(test_interpolated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

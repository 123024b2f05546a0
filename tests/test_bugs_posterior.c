/* SPDX-License-Identifier: BSD-3-Clause */
/* Posteriors of models in the language of BUGS, beside closed forms, sums and integrals that
   are computed here, and beside the models that are written in C. */
#include "bugs/bugs.h"
#include "bugs_support.h"

typedef struct expected {
    double mean, sd, lower, median, upper;
} expected;

/* ---- a fit ---- */

static dlp_bugs *read_model(const char *model, const char *data)
{
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    input.model_text = model;
    input.data_text = data;
    input.data_name = "data.R";
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    return bugs;
}

static dlp_bugs *fitted_by(const char *model, const char *data,
                           const dlp_bugs_settings *settings)
{
    dlp_bugs *bugs = read_model(model, data);
    assert_ok(dlp_bugs_fit(bugs, settings, error));
    assert_int_equal(dlp_bugs_result_of(bugs)->outcome, DLP_CONVERGED);
    return bugs;
}

static dlp_bugs *fitted(const char *model, const char *data)
{
    return fitted_by(model, data, NULL);
}

static const dlp_margin *margin_of(const dlp_bugs *bugs, const char *name)
{
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    for (dlp_index i = 0; i < r->n_nodes; i++)
        if (!strcmp(r->node[i].name, name)) return &r->node[i].margin;
    print_error("no node '%s'\n", name);
    fail();
    return NULL;
}

/* Mean within `close` sds, sd within as large a share of it. */
static void agrees(const dlp_bugs *bugs, const char *name, double mean, double sd,
                   double close)
{
    const dlp_margin *m = margin_of(bugs, name);
    assert_near(m->mean, mean, close * sd);
    assert_near(m->sd, sd, close * sd);
}

static void agrees_all(const dlp_bugs *bugs, const char *name, const expected *e,
                       double close)
{
    const dlp_margin *m = margin_of(bugs, name);
    agrees(bugs, name, e->mean, e->sd, close);
    assert_near(m->lower, e->lower, close * e->sd);
    assert_near(m->median, e->median, close * e->sd);
    assert_near(m->upper, e->upper, close * e->sd);
}

static void refused(const char *model, const char *data, const char *words)
{
    dlp_bugs *bugs = read_model(model, data);
    assert_fails(dlp_bugs_fit(bugs, NULL, error), DLP_EINPUT, words);
    assert_null(dlp_bugs_result_of(bugs));
    dlp_bugs_free(bugs);
}

/* Before there is anything to fit: at the first factor that is made of the model. */
static int note_first(void *context, const dlp_progress *progress)
{
    int *calls = context;
    (void)progress;
    return ++*calls == 10;
}

static void progress_cancels_while_preparing(void **state)
{
    static const char *const model =
        "model { p ~ dbeta(1, 1)\n for (i in 1:20) { z[i] ~ dbern(p)\n y[i] ~ "
        "dnorm(z[i], 1) } }";
    (void)state;
    int calls = 0;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(model, "y <- c(0,1,0,1,1,0,1,2,0,1,0,1,0,1,1,0,1,2,0,1)");
    settings.hyper = "integrate";
    settings.progress = note_first;
    settings.context = &calls;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_ECANCELLED, "cancelled");
    assert_int_equal(calls, 10); /* there are 41 factors; and once is enough */
    dlp_bugs_free(bugs);
}

static int count_calls(void *context, const dlp_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return 0;
}

/* Each entry of a table of states is a chance to stop: there may be millions. */
static void every_state_can_be_the_last(void **state)
{
    enum { TIMES = 8, STATES = 6 };
    (void)state;
    int calls = 0;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(
        "model { for (j in 1:6) { q[j] <- 1 / 6\n"
        "for (k in 1:6) { P[j, k] <- (1 + equals(j, k)) / 7 } }\n z[1] ~ dcat(q[])\n"
        "for (t in 2:8) { z[t] ~ dcat(P[z[t - 1], ]) }\n"
        "for (t in 1:8) { y[t] ~ dnorm(z[t], 1) } }",
        "y <- c(1, 2, 3, 4, 3, 5, 6, 2)");
    settings.progress = count_calls;
    settings.context = &calls;
    assert_ok(dlp_bugs_fit(bugs, &settings, error));
    assert_true(calls > (TIMES - 1) * STATES * STATES);
    dlp_bugs_free(bugs);
}

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

/* A matrix of one by one that is written as a number: Wishart(R, 6) is Gamma(3, R / 2). */
static void wishart_of_a_number(void **state)
{
    (void)state;
    dlp_bugs *bugs =
        fitted("model { y ~ dnorm(0, O)\n O ~ dwish(R, 6)\n R <- 0.3 }", "y <- 1");
    agrees(bugs, "O", 3.5 / 0.65, sqrt(3.5) / 0.65, 0.01);
    dlp_bugs_free(bugs);
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

/* ---- beside models in C ---- */

enum { ROWS = 9, COLUMNS = 5 };
static const double first[ROWS] = {1, 1, 1, 0, 0, 0, 0, 0, 0},
                    second[ROWS] = {0, 0, 0, 1, 1, 1, 0, 0, 0},
                    third[ROWS] = {0, 0, 0, 0, 0, 0, 1, 1, 1},
                    ones[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1, 1},
                    slope[ROWS] = {-1.9, 0.3, 0.8, -0.4, 1.1, -1.3, 2.2, 0.6, -0.7};
static const double *const columns[COLUMNS] = {ones, slope, first, second, third};

static dlp_index x_of(const dlp_bugs *bugs, const dlpi_plan *plan, const char *name)
{
    return plan->at[bugs_cell(bugs->graph, name)];
}

/* Every unknown of a density that has thousands is known to be needed: what is not is left
   out, although the density still asks for it. */
static void all_unknowns_of_a_long_sum_count(void **state)
{
    (void)state;
    enum { N = 4200 };
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    dlp_index alive = 0;
    input.model_text =
        "model { for (i in 1:4200) { x[i] ~ dnorm(0, 1) }\n"
        "y ~ dnorm(sum(x), 1) }";
    input.data_text = "y <- 3";
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    assert_ok(dlpi_lowering_make(bugs->graph, &lowering, error));
    assert_ok(dlpi_factors_make(&lowering, &factors, error));
    for (dlp_index k = 0; k < factors.n_nodes; k++) alive += factors.node[k].alive;
    assert_int_equal(alive, N);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
    dlp_bugs_free(bugs);
}

/* Deterministic nodes that refer to each other in a chain, indices among them, far longer
   than the stack is deep. */
static void chains_of_any_length(void **state)
{
    (void)state;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(
        "model { a ~ dnorm(0, 1)\n x[1] <- a\n k[1] <- 1\n"
        "for (i in 2:30000) { x[i] <- x[i - 1] + a / 29999\n"
        "k[i] <- 3 - k[i - 1] + 0 * sum(x[1:1]) }\n"
        "m[1] <- a\n m[2] <- x[30000]\n"
        "y ~ dnorm(m[2 + 0 * b[k[29999]]], 1)\n b[1] <- 0 }",
        "y <- 1.5");
    static const char *const monitor[] = {"a"};
    settings.monitor = monitor;
    settings.n_monitors = 1;
    assert_ok(dlp_bugs_fit(bugs, &settings, error));
    agrees(bugs, "a", 0.6, sqrt(0.2), 1e-3); /* y ~ N(2 a, 1) */
    dlp_bugs_free(bugs);
}

/* Laplace's approximation, as the steps of a fit find it when nothing is put on points. */
static void laplace_of(const dlp_bugs *bugs, dlp_index n, const char *const *name,
                       double *mode, double *sigma)
{
    dlpi_lowering lowering = {0};
    dlpi_factors factors = {0};
    dlpi_plan plan = {0};
    dlpi_groups groups = {0};
    dlpi_field field = {0};
    dlpi_work work = {0};
    assert_ok(dlpi_lowering_make(bugs->graph, &lowering, error));
    assert_ok(dlpi_factors_make(&lowering, &factors, error));
    assert_ok(dlpi_plan_make(&factors, false, &plan, error));
    assert_int_equal(plan.m, 0);
    assert_int_equal(plan.L, 0);
    assert_int_equal(plan.n, n);
    assert_ok(dlpi_groups_make(&factors, &plan, &groups, error));
    assert_ok(dlpi_field_make(&groups, &field, error));
    assert_ok(dlpi_work_alloc(&field, &work, error));
    /* The search ends with a step; the curvature at its end is that of a search from there. */
    for (int round = 0; round < 2; round++) {
        assert_true(isfinite(dlpi_work_at(&work, work.psi)));
        memcpy(field.x, work.x, (size_t)n * sizeof *field.x);
    }
    for (dlp_index i = 0; i < n; i++) mode[i] = work.x[x_of(bugs, &plan, name[i])];
    dlpi_work_moments(&work);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            sigma[i * n + j] = dlp_sym_entry(&work.S, x_of(bugs, &plan, name[i]),
                                             x_of(bugs, &plan, name[j]));
    dlpi_work_free(&work);
    dlpi_field_clear(&field);
    dlpi_groups_clear(&groups);
    dlpi_plan_clear(&plan);
    dlpi_factors_clear(&factors);
    dlpi_lowering_clear(&lowering);
}

/* The same regression, by glm. */
static void same_as_glm(const char *family, const dlp_glm_data *rows, const char *model,
                        const char *data)
{
    static const double sd[COLUMNS] = {5, 2, 0.8, 0.8, 0.8};
    static const char *const name[COLUMNS] = {"a", "b", "u[1]", "u[2]", "u[3]"};
    dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *glm = NULL;
    dlp_fit *fit = NULL;
    dlp_settings settings = dlp_settings_default();
    double mode[COLUMNS], sigma[COLUMNS * COLUMNS];
    prior.sd = sd;
    settings.tol = 1e-12;
    assert_ok(dlp_glm_alloc(family, NULL, rows, &prior, &glm, error));
    const dlp_model in_c = dlp_glm_model(glm);
    assert_ok(dlp_fit_alloc(&in_c, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    dlp_bugs *bugs = read_model(model, data);
    laplace_of(bugs, COLUMNS, name, mode, sigma);
    const dlp_result *result = dlp_fit_result(fit);
    for (int i = 0; i < COLUMNS; i++) {
        double unit[COLUMNS] = {0};
        assert_near(mode[i], result->mu[i], 1e-8);
        unit[i] = 1;
        dlp_fit_apply_sigma(fit, unit);
        for (int j = 0; j < COLUMNS; j++)
            assert_near(sigma[i * COLUMNS + j], unit[j], 1e-8);
    }
    dlp_bugs_free(bugs);
    dlp_fit_free(fit);
    dlp_glm_free(glm);
}

#define PRIORS                                                                           \
    "a ~ dnorm(0, 0.04)\n b ~ dnorm(0, 0.25)\n"                                          \
    "for (j in 1:3) { u[j] ~ dnorm(0, 1 / 0.64) } }"
#define PREDICTORS                                                                       \
    "x <- c(-1.9, 0.3, 0.8, -0.4, 1.1, -1.3, 2.2, 0.6, -0.7)\n"                          \
    "g <- c(1, 1, 1, 2, 2, 2, 3, 3, 3)\n"

static void logistic_as_in_c(void **state)
{
    (void)state;
    static const double y[ROWS] = {0, 1, 1, 0, 1, 1, 1, 0, 0};
    const dlp_glm_data rows = {.N = ROWS, .p = COLUMNS, .x = columns, .y = y};
    same_as_glm("bernoulli", &rows,
                "model { for (i in 1:9) { y[i] ~ dbern(p[i])\n"
                "logit(p[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                PREDICTORS "y <- c(0, 1, 1, 0, 1, 1, 1, 0, 0)");
}

static void poisson_as_in_c(void **state)
{
    (void)state;
    static const double y[ROWS] = {0, 3, 2, 1, 6, 1, 9, 2, 0};
    const dlp_glm_data rows = {.N = ROWS, .p = COLUMNS, .x = columns, .y = y};
    same_as_glm("poisson", &rows,
                "model { for (i in 1:9) { y[i] ~ dpois(mu[i])\n"
                "log(mu[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                PREDICTORS "y <- c(0, 3, 2, 1, 6, 1, 9, 2, 0)");
}

/* Rows beyond the first batch have the derivatives of their own coefficients, too. */
static void many_rows_as_in_c(void **state)
{
    enum { MANY = 2 * DLPI_BATCH + 90 };
    static double column[COLUMNS][MANY], y[MANY];
    static char data[3 * 24 * MANY];
    const double *x[COLUMNS];
    size_t at = 0;
    (void)state;
    for (int i = 0; i < MANY; i++) {
        column[0][i] = 1;
        column[1][i] = (i * 379 % 997) / 300.0 - 1.5;
        column[2 + i % 3][i] = 1;
        y[i] = (i * 7 + i / 5) % 5 < 2 + i / 300;
    }
    for (int j = 0; j < COLUMNS; j++) x[j] = column[j];
    for (int which = 0; which < 3; which++) {
        at += (size_t)snprintf(data + at, sizeof data - at, "%c <- c(", "xgy"[which]);
        for (int i = 0; i < MANY; i++)
            at +=
                (size_t)snprintf(data + at, sizeof data - at, "%s%.17g", i > 0 ? "," : "",
                                 which == 0   ? column[1][i]
                                 : which == 1 ? 1 + i % 3
                                              : y[i]);
        at += (size_t)snprintf(data + at, sizeof data - at, ")\n");
    }
    const dlp_glm_data rows = {.N = MANY, .p = COLUMNS, .x = x, .y = y};
    same_as_glm("bernoulli", &rows,
                "model { for (i in 1:602) { y[i] ~ dbern(p[i])\n"
                "logit(p[i]) <- a + b * x[i] + u[g[i]] }\n" PRIORS,
                data);
}

/* ---- what a fit promises ---- */

/* Points, a Gaussian and integrals one by one, in one model. */
static const char *const counts =
    "model { for (i in 1:12) { y[i] ~ dpois(exp(a + b * x[i] + u[i]))\n"
    "u[i] ~ dnorm(0, tau) }\n a ~ dnorm(0, 0.01)\n b ~ dnorm(0, 0.01)\n"
    "c[1] ~ dnorm(b, 1)\n tau ~ dgamma(2, 1)\n s <- 1 / sqrt(tau)\n top <- max(u[]) }";
static const char *const counts_data =
    "y <- c(2, 0, 5, 1, 3, 9, 4, 0, 2, 7, 1, 3)\n"
    "x <- c(-1.2, -0.9, 0.4, -0.3, 0.1, 1.8, 0.9, -1.5, 0.2, 1.1, -0.6, 0.5)";

static void same_bits_with_any_threads(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 7};
    dlp_bugs *by[3];
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.draws = 512;
    for (int i = 0; i < 3; i++) {
        settings.threads = threads[i];
        by[i] = fitted_by(counts, counts_data, &settings);
    }
    const dlp_bugs_result *one = dlp_bugs_result_of(by[0]);
    assert_int_equal(one->n_draws, 512);
    for (int i = 1; i < 3; i++) {
        const dlp_bugs_result *r = dlp_bugs_result_of(by[i]);
        assert_int_equal(r->n_nodes, one->n_nodes);
        assert_true(r->log_evidence == one->log_evidence && r->shift == one->shift);
        for (dlp_index k = 0; k < r->n_nodes; k++)
            assert_memory_equal(&r->node[k].margin, &one->node[k].margin,
                                sizeof r->node[k].margin);
        assert_memory_equal(r->draw, one->draw,
                            (size_t)(r->n_nodes * r->n_draws) * sizeof *r->draw);
    }
    for (int i = 0; i < 3; i++) dlp_bugs_free(by[i]);
}

static const char *factor_of(const dlp_bugs_result *r, const char *name)
{
    for (int i = 0; i < r->n_plans; i++)
        if (!strcmp(r->plan[i].name, name)) return r->plan[i].how;
    fail();
    return NULL;
}

static void the_plan_is_told(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(counts, counts_data);
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    assert_string_equal(factor_of(r, "tau"), "points");
    assert_string_equal(factor_of(r, "u"), "quadrature");
    assert_string_equal(factor_of(r, "c"), "prediction");
    assert_int_equal(r->n_points + r->n_gaussian, 3);
    assert_int_equal(r->n_quadrature, 12);
    for (int i = 0; i < r->n_plans; i++)
        assert_true(r->plan[i].line > 0 && r->plan[i].reason[0] != '\0');
    dlp_bugs_free(bugs);
}

/* The draws of a node have its mean and sd, and derived nodes are computed draw by draw. */
static void draws_are_of_one_posterior(void **state)
{
    (void)state;
    dlp_bugs *bugs = fitted(
        "model { y ~ dnorm(a + b, 1)\n a ~ dnorm(0, 1)\n"
        "b ~ dnorm(0, 1)\n sum <- a + b }",
        "y <- 1.5");
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    assert_int_equal(r->n_nodes, 3);
    assert_int_equal(r->n_draws, 4096);
    for (dlp_index k = 0; k < r->n_draws; k++)
        assert_near(r->draw[k] + r->draw[r->n_draws + k], r->draw[2 * r->n_draws + k],
                    1e-12);
    agrees(bugs, "a", 0.5, sqrt(2.0 / 3), 1e-8);
    agrees(bugs, "sum", 1, sqrt(2.0 / 3), 0.05);
    dlp_bugs_free(bugs);
}

static void from_arrays_in_memory(void **state)
{
    (void)state;
    const dlp_index three = 3;
    const double n = 3, y[] = {2.1, NAN, 2.7};
    const dlp_bugs_array arrays[] = {
        {.name = "n", .value = &n}, {.name = "y", .n_dim = 1, .dim = &three, .value = y}};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    input.model_text =
        "model { for (i in 1:n) { y[i] ~ dnorm(mu, 4) }\n"
        "mu ~ dnorm(1, 0.25) }";
    input.data = arrays;
    input.n_data = 2;
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    assert_null(dlp_bugs_result_of(bugs));
    assert_ok(dlp_bugs_fit(bugs, NULL, error));
    agrees(bugs, "mu", (0.25 + 4 * 4.8) / 8.25, 1 / sqrt(8.25), 1e-9);
    agrees(bugs, "y[2]", (0.25 + 4 * 4.8) / 8.25, sqrt(1 / 8.25 + 0.25), 0.05);
    dlp_bugs_free(bugs);
}

static void monitors_choose(void **state)
{
    (void)state;
    static const char *const names[] = {"theta[2:3]", "mu", "theta[2]"};
    static const char *const wrong[] = {"nu", "y", "theta[9]"};
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(schools, schools_data);
    settings.monitor = names;
    settings.n_monitors = 3;
    assert_ok(dlp_bugs_fit(bugs, &settings, error));
    const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
    assert_int_equal(r->n_nodes, 3);
    assert_string_equal(r->node[0].name, "theta[2]");
    assert_string_equal(r->node[2].name, "mu");
    settings.n_monitors = 1;
    settings.monitor = wrong;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINPUT,
                 "the model has no node 'nu'; did you mean 'mu'?");
    assert_null(dlp_bugs_result_of(bugs));
    settings.monitor = wrong + 1;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINPUT, "'y' is data");
    settings.monitor = wrong + 2;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINPUT, "theta[9]");
    dlp_bugs_free(bugs);
}

static void wrong_settings(void **state)
{
    (void)state;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(schools, schools_data), *bad = NULL;
    dlp_bugs_input input = dlp_bugs_input_default();
    char *text;
    size_t size;
    settings.draws = 1;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINVAL, "draws");
    settings.draws = 20000000;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINVAL, "draws");
    memset(&settings, 0, sizeof settings);
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_EINVAL, "size");
    assert_fails(dlp_bugs_json(bugs, &text, &size, error), DLP_EINVAL, "not fitted");
    assert_fails(dlp_bugs_save(bugs, "fit.json", error), DLP_EINVAL, "not fitted");
    input.model_text = "model { y ~ dnrm(0, 1) }";
    assert_fails(dlp_bugs_read(&input, &bad, error), DLP_EINPUT, "dnorm");
    assert_fails(dlp_bugs_fit(bad, NULL, error), DLP_EINVAL, "errors");
    dlp_bugs_free(bad);
    dlp_bugs_free(bugs);
    dlp_bugs_free(NULL);
}

static int stop(void *context, const dlp_progress *progress)
{
    (void)progress;
    ++*(int *)context;
    return 1;
}

static void progress_cancels(void **state)
{
    (void)state;
    int calls = 0;
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    dlp_bugs *bugs = read_model(counts, counts_data);
    settings.progress = stop;
    settings.context = &calls;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_ECANCELLED, "cancelled");
    assert_true(calls >= 1);
    assert_null(dlp_bugs_result_of(bugs));
    dlp_bugs_free(bugs);
}

/* ---- outside of the method's reach ---- */

static void what_is_refused(void **state)
{
    (void)state;
    refused(
        "model { for (i in 1:4) { y[i] ~ dnorm(b * step(i - k), 1) }\n"
        "k ~ dunif(1, 4)\n b ~ dnorm(0, 1) }",
        "y <- c(0, 0, 1, 2)", "the density jumps");
    refused(
        "model { k ~ dunif(1, 3)\n y ~ dnorm(m[round(k)], 1)\n"
        "for (i in 1:3) { m[i] ~ dnorm(0, 1) } }",
        "y <- 1", "the density jumps");
    /* beside a discrete unknown that is summed out, too */
    refused(
        "model { for (i in 1:4) { y[i] ~ dnorm(3 * z * step(i - k), 4) }\n"
        "z ~ dbern(0.5)\n k ~ dunif(1, 4) }",
        "y <- c(0, 0, 3, 3)", "model:1:26: error: the density jumps as 'k' changes");
    refused(
        "model { for (i in 1:4) { y[i] ~ dnorm(m[1 + z[i]], 4)\n z[i] ~ dbern(q[i])\n"
        "q[i] <- 0.1 + 0.8 * step(i - k) }\n k ~ dunif(1, 4) }",
        "y <- c(0, 0, 3, 3)\nm <- c(0, 3)", "the density jumps as 'k' changes");
    refused("model { y ~ dsum(a, b)\n a ~ dnorm(0, 1)\n b ~ dnorm(0, 1) }", "y <- 1",
            "dsum() adds up 'a', which is not discrete");
    /* a cycle that only some values of an unknown index close */
    refused(
        "model { y ~ dnorm(m[2], 1)\n m[1] <- 0\n m[2] <- 1 + m[1 + step(a)]\n"
        "a ~ dnorm(0, 1) }",
        "y <- 1",
        "model:3:2: error: 'm[2]' depends on itself through an index that is not known "
        "from the data");
}

/* No proper posterior: not a number that looks like one. */
static void improper_posteriors(void **state)
{
    (void)state;
    static const char *const model[] = {
        "model { y ~ dnorm(a + b, 1)\n a ~ dflat()\n b ~ dflat() }",
        "model { y ~ dbern(p)\n logit(p) <- a\n a ~ dflat() }"};
    for (int i = 0; i < 2; i++) {
        dlp_bugs *bugs = read_model(model[i], "y <- 1");
        dlp_error error = {""};
        if (dlp_bugs_fit(bugs, NULL, &error) == DLP_OK)
            assert_int_not_equal(dlp_bugs_result_of(bugs)->outcome, DLP_CONVERGED);
        else
            assert_true(error.message[0] != '\0');
        dlp_bugs_free(bugs);
    }
}

/* ---- the document ---- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

/* As code: behind a backquote. */
static void is_named(const char *text, const char *name)
{
    char code[100];
    snprintf(code, sizeof code, "`%s", name);
    for (const char *at = text; (at = strstr(at, code)); at++)
        if (strchr("`(", at[strlen(code)])) return;
    print_error("docs/bugs.md does not name %s\n", name);
    fail();
}

/* dnorm, pnorm, qnorm and logdensity.norm are listed together. */
static bool is_of_distribution(const char *name)
{
    char as_density[100];
    if (!strncmp(name, "logdensity.", 11)) return true;
    snprintf(as_density, sizeof as_density, "d%s", name + 1);
    return strchr("dpq", name[0]) && dlpi_distribution_find(as_density);
}

static void documents_name_the_language(void **state)
{
    (void)state;
    char *text = read_text(DLP_TEST_DIR "/../docs/bugs.md");
    const dlpi_distribution *d;
    const dlpi_bugs_function *f;
    for (int i = 0; (d = dlpi_distribution_at(i)); i++) {
        is_named(text, d->name);
        if (d->alias) is_named(text, d->alias);
    }
    for (int i = 0; (f = dlpi_bugs_function_at(i)); i++) {
        if (is_of_distribution(f->name) || !strcmp(f->name, "neg")) continue;
        is_named(text, f->name);
        if (f->alias) is_named(text, f->alias);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_mean),
        cmocka_unit_test(beta_and_binomial),
        cmocka_unit_test(gamma_and_poisson),
        cmocka_unit_test(truncated_prior),
        cmocka_unit_test(censoring_by_dinterval),
        cmocka_unit_test(censored_value_on_which_data_depend),
        cmocka_unit_test(censoring_by_bounds),
        cmocka_unit_test(truncation_is_not_censoring),
        cmocka_unit_test(neighbours_of_a_walk),
        cmocka_unit_test(rare_events_agree),
        cmocka_unit_test(wishart_of_a_number),
        cmocka_unit_test(sums_of_what_is_hardly_known),
        cmocka_unit_test(pairs_with_normal_data),
        cmocka_unit_test(hierarchy_of_normals),
        cmocka_unit_test(mixture_of_two),
        cmocka_unit_test(number_unknown),
        cmocka_unit_test(logistic_as_in_c),
        cmocka_unit_test(poisson_as_in_c),
        cmocka_unit_test(many_rows_as_in_c),
        cmocka_unit_test(same_bits_with_any_threads),
        cmocka_unit_test(the_plan_is_told),
        cmocka_unit_test(draws_are_of_one_posterior),
        cmocka_unit_test(from_arrays_in_memory),
        cmocka_unit_test(monitors_choose),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(progress_cancels),
        cmocka_unit_test(progress_cancels_while_preparing),
        cmocka_unit_test(every_state_can_be_the_last),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(all_unknowns_of_a_long_sum_count),
        cmocka_unit_test(chains_of_any_length),
        cmocka_unit_test(improper_posteriors),
        cmocka_unit_test(documents_name_the_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

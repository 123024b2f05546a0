/* SPDX-License-Identifier: BSD-3-Clause */
/* Discrete unknowns that are drawn together, what depends on them, and rows and leaves
   that are alike, beside sums and closed forms that are computed here. */
#include "bugs_fits.h"

#include <math.h>
#include <stdio.h>

static fitted fit(const char *model, const char *data)
{
    return bugs_fit_text(model, data, NULL);
}

/* Of a chain of five that seldom changes, how often it does, by a sum over its 32 paths. */
static void test_states_are_drawn_together(void **state)
{
    static const double y[5] = {0.5, -1, 2, 1, 1.5};
    double all = 0, changes = 0, square = 0, last = 0;
    (void)state;
    for (int path = 0; path < 32; path++) {
        double p = 0.5;
        int n = 0;
        for (int t = 0; t < 5; t++) {
            const int z = path >> t & 1, before = t ? path >> (t - 1) & 1 : z;
            if (t) p *= z == before ? 0.9 : 0.1;
            n += z != before;
            p *= exp(-0.125 * (y[t] - z) * (y[t] - z));
        }
        all += p;
        changes += p * n;
        square += p * n * n;
        last += p * (path >> 4 & 1);
    }
    changes /= all;
    last /= all;
    fitted f =
        fit("model { z[1] ~ dbern(0.5)\n"
            "for (t in 2:5) { z[t] ~ dbern(0.9 * z[t-1] + 0.1 * (1 - z[t-1]))\n"
            "c[t] <- z[t] != z[t-1] }\n"
            "for (t in 1:5) { y[t] ~ dnorm(z[t], 0.25) }\n changes <- sum(c[2:5]) }",
            "y <- c(0.5, -1, 2, 1, 1.5)");
    expect(&f, "changes", changes, sqrt(square / all - changes * changes), 0.06);
    /* by the probabilities of its states, which are known but for what comes after them */
    expect(&f, "z[5]", last, sqrt(last * (1 - last)), 0.02);
    dlp_bugs_free(f.model);
}

/* A count whose bounds are no whole numbers has those between them: 2, 3 and 4 with the weights
   6 phi(0), 4 phi(1), phi(2); and 0 to 3. */
static void test_bounds_between_whole_numbers(void **state)
{
    static const char *const bound[2] = {"T(1.5, )", "T( , 3.5)"};
    static const int first[2] = {2, 0}, last[2] = {4, 3}, choose[5] = {1, 4, 6, 4, 1};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char model[100];
        double all = 0, sum = 0, square = 0;
        for (int i = first[k]; i <= last[k]; i++) {
            const double p = choose[i] * exp(-0.5 * (2 - i) * (2 - i));
            all += p;
            sum += p * i;
            square += p * i * i;
        }
        sum /= all;
        snprintf(model, sizeof model, "model { y ~ dnorm(i, 1)\n i ~ dbin(0.5, 4) %s }",
                 bound[k]);
        fitted f = fit(model, "y <- 2");
        expect(&f, "i", sum, sqrt(square / all - sum * sum), 1e-6);
        dlp_bugs_free(f.model);
    }
}

/* A prediction whose mean is that of the component, which is one with 1 / (1 + e^-1). */
static void test_prediction_by_state(void **state)
{
    const double p = 1 / (1 + exp(-1));
    (void)state;
    fitted f =
        fit("model { k ~ dcat(c(0.5, 0.5))\n y ~ dnorm(m[k], 1)\n"
            "new ~ dnorm(m[k], 1)\n v <- e[k]\n other ~ dnorm(0, v) }",
            "m <- c(0, 2)\ny <- 1.5\ne <- c(1, 4)");
    expect(&f, "k", 1 + p, sqrt(p * (1 - p)), 1e-6);
    expect(&f, "new", 2 * p, sqrt(1 + 4 * p * (1 - p)), 0.06);
    expect(&f, "other", 0, sqrt(p / 4 + (1 - p)), 0.06);
    dlp_bugs_free(f.model);
}

/* Elements whose alpha is 0 are 0: what is left is Beta(1 + 6, 2 + 10). */
static void test_structural_zeros(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:2) { p[i, 1:4] ~ ddirch(alpha[i, ])\n"
            "y[i, 1:4] ~ dmulti(p[i, ], n[i]) } }",
            "alpha <- structure(c(0, 0, 1, 0, 0, 3, 2, 0), .Dim = c(2, 4))\n"
            "y <- structure(c(0, 0, 6, 0, 0, 5, 10, 0), .Dim = c(2, 4))\n"
            "n <- c(16, 5)");
    expect(&f, "p[1,1]", 0, 0, 0);
    expect(&f, "p[1,2]", 7. / 19, sqrt(7. * 12 / (19 * 19 * 20)), 0.003);
    expect(&f, "p[1,3]", 0, 0, 0);
    expect(&f, "p[1,4]", 12. / 19, sqrt(7. * 12 / (19 * 19 * 20)), 0.003);
    expect(&f, "p[2,3]", 1, 0, 0);
    dlp_bugs_free(f.model);
}

/* 40 rows of which few are different: p ~ Beta(1 + 30, 1 + 10), and log p(y) = log B(31, 11). */
static void test_rows_that_are_alike(void **state)
{
    (void)state;
    fitted f = fit("model { for (i in 1:40) { y[i] ~ dbern(p) }\n p ~ dunif(0, 1) }",
                   "y <- c(1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0,"
                   "1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0,1,1,1,0)");
    expect(&f, "p", 31. / 42, sqrt(31. * 11 / (42 * 42 * 43)), 0.001);
    assert_near(f.result->log_evidence, lgamma(31) + lgamma(11) - lgamma(42), 1e-4);
    dlp_bugs_free(f.model);
}

/* Persons with the same answers are integrated out once; offsets that are all but 0 make them
   different, and the answers stay what they are. */
static void test_leaves_that_are_alike(void **state)
{
    static const char *const model =
        "model { for (i in 1:12) { for (j in 1:2) {\n"
        "y[i, j] ~ dbern(p[i, j])\n"
        "logit(p[i, j]) <- theta[i] - b + o[i] }\n"
        "theta[i] ~ dnorm(0, tau) }\n b ~ dnorm(0, 1)\n"
        "tau ~ dgamma(2, 2) }";
    char data[2][2048];
    (void)state;
    for (int k = 0; k < 2; k++) {
        int at = sprintf(data[k], "y <- structure(c(");
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 12; i++)
                at += sprintf(data[k] + at, "%s%d", i + j ? ", " : "", (i % 3) > j);
        at += sprintf(data[k] + at, "), .Dim = c(12, 2))\no <- c(0");
        for (int i = 1; i < 12; i++)
            at += sprintf(data[k] + at, ", %g", k ? 1e-12 * i : 0.);
        sprintf(data[k] + at, ")\n");
    }
    fitted once = fit(model, data[0]), each = fit(model, data[1]);
    for (dlp_index i = 0; i < once.result->n_nodes; i++) {
        if (once.result->node[i].name[0] == 'p') continue;
        const dlp_bugs_node *node = &once.result->node[i],
                            *other = node_of(&each, node->name);
        assert_near(node->margin.mean, other->margin.mean, 0.02 * other->margin.sd);
        assert_near(node->margin.sd, other->margin.sd, 0.03 * other->margin.sd);
    }
    assert_near(once.result->log_evidence, each.result->log_evidence, 1e-4);
    /* alike, and yet not the same */
    const double *a = once.result->draw, *b = a;
    for (dlp_index i = 0; i < once.result->n_nodes; i++) {
        if (!strcmp(once.result->node[i].name, "theta[1]"))
            a = once.result->draw + i * once.result->n_draws;
        if (!strcmp(once.result->node[i].name, "theta[7]"))
            b = once.result->draw + i * once.result->n_draws;
    }
    assert_true(a[0] != b[0] && a[1] != b[1]);
    dlp_bugs_free(once.model);
    dlp_bugs_free(each.model);
}

static const double *draws_of(const fitted *f, const char *name)
{
    return f->result->draw + (node_of(f, name) - f->result->node) * f->result->n_draws;
}

/* Draws are of all nodes together, two after another of the same state, states in their shares and
   in random order. */
static void expect_draws_by_state(const fitted *f, double share)
{
    const double *g = draws_of(f, "g"), *b = draws_of(f, "b"),
                 *slope = draws_of(f, "slope");
    const dlp_index n = f->result->n_draws;
    double all = 0, early = 0;
    for (dlp_index i = 0; i < n; i++) {
        assert_true(slope[i] == g[i] * b[i] && g[i] == g[i - i % 2]);
        all += g[i] / (double)n;
        early += i < n / 2 ? g[i] / (double)(n / 2) : 0;
    }
    assert_near(all, share, 4.0 / (double)n);
    assert_near(early, share, 0.05);
}

/* Draws of unknowns that are integrated out one by one have the moments of their integrals. */
static void test_draws_of_leaves(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (i in 1:6) { y[i] ~ dpois(exp(t[i]))\n"
            "t[i] ~ dnorm(m, 0.25) }\n m ~ dnorm(0, 0.1) }",
            "y <- c(0, 0, 5, 1, 20, 2)");
    for (int i = 1; i <= 6; i++) {
        char name[8];
        snprintf(name, sizeof name, "t[%d]", i);
        const dlp_margin wanted = node_of(&f, name)->found;
        const double *draw = draws_of(&f, name);
        const dlp_index n = f.result->n_draws;
        double mean = 0, square = 0;
        for (dlp_index d = 0; d < n; d++) mean += draw[d] / (double)n;
        for (dlp_index d = 0; d < n; d++)
            square += (draw[d] - mean) * (draw[d] - mean) / (double)n;
        assert_near(mean, wanted.mean, 0.03 * wanted.sd);
        assert_near(sqrt(square) / wanted.sd, 1, 0.03);
    }
    dlp_bugs_free(f.model);
}

/* With g = 0 the slope is not in, and p(y | g) is known in closed form. sum(x) = 0, so
   that b and the intercept a do not depend on each other: p(y | 1) / p(y | 0) = (1 + 4
   S)^(-1/2) exp{S^2 c^2 / (S + 1/4) / 2}, S = sum x^2, c the slope by least squares. */
static void test_each_state_for_itself(void **state)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, y[5] = {-0.7, 0.2, 0.1, 0.9, 0.8};
    double S = 0, xy = 0;
    (void)state;
    for (int i = 0; i < 5; i++) {
        S += x[i] * x[i];
        xy += x[i] * y[i];
    }
    const double odds = exp(0.5 * xy * xy / (S + 0.25)) / sqrt(1 + 4 * S),
                 p = odds / (1 + odds), mean = xy / (S + 0.25), var = 1 / (S + 0.25);
    fitted f = fit(
        "model { for (i in 1:5) { y[i] ~ dnorm(a + g * b * x[i] + e[1] + e[2] + e[3] + "
        "e[4], 1) }\n for (k in 1:4) { e[k] ~ dnorm(0, 1) }\n"
        "g ~ dbern(0.5)\n a ~ dnorm(0, 0.01)\n b ~ dnorm(0, 0.25)\n"
        "slope <- g * b\n far <- step(a - 5.5) }",
        "x <- c(-2, -1, 0, 1, 2)\ny <- c(-0.7, 0.2, 0.1, 0.9, 0.8)");
    assert_int_equal(f.result->n_states, 2);
    assert_int_equal(f.result->rare, 1);
    assert_string_equal(f.result->rarest, "far");
    expect(&f, "g", p, sqrt(p * (1 - p)), 1e-6);
    expect(&f, "slope", p * mean, sqrt(p * (var + mean * mean) - p * p * mean * mean),
           0.01);
    expect(&f, "b", p * mean,
           sqrt(p * (var + mean * mean) + (1 - p) * 4 - p * p * mean * mean), 0.05);
    expect_draws_by_state(&f, p);
    dlp_bugs_free(f.model);
}

/* Persons of two groups, each with a rate of their own: integrated out one by one, where a
   density of two maxima is, and in closed form. */
static void test_rates_of_two_groups(void **state)
{
    static const char *const data = "k <- c(43, 44, 41, 42, 40, 25, 24, 28, 26, 35)";
    static const char *const groups =
        "z[i] ~ dbern(phi) }\n phi ~ dbeta(5, 5)\n"
        "m[1] ~ dunif(0.7, 1)\n m[2] ~ dunif(0.3, 0.7)\n l ~ dunif(4, 300)\n"
        "for (j in 1:2) { a[j] <- l * m[j]\n b[j] <- l * (1 - m[j]) } }";
    char model[1000];
    (void)state;
    snprintf(model, sizeof model, "model { for (i in 1:10) { %s %s",
             "k[i] ~ dbetabin(a[z[i] + 1], b[z[i] + 1], 45)\n", groups);
    fitted closed = fit(model, data);
    snprintf(model, sizeof model, "model { for (i in 1:10) { %s %s",
             "k[i] ~ dbin(theta[i], 45)\n"
             "theta[i] ~ dbeta(a[z[i] + 1], b[z[i] + 1])\n",
             groups);
    fitted apart = fit(model, data);
    static const char *const nodes[] = {"phi", "m[1]", "m[2]", "l", "z[10]"};
    for (int i = 0; i < 5; i++) {
        const dlp_margin a = node_of(&closed, nodes[i])->margin,
                         b = node_of(&apart, nodes[i])->margin;
        assert_near(a.mean, b.mean, 0.08 * a.sd);
        assert_near(a.sd, b.sd, 0.08 * a.sd);
    }
    assert_near(closed.result->log_evidence, apart.result->log_evidence, 0.05);
    dlp_bugs_free(closed.model);
    dlp_bugs_free(apart.model);
}

/* The sd between eight schools, beside 100,000 points of its density in closed form: between the
   points of a grid the log density bends. */
static void test_scale_between_points(void **state)
{
    (void)state;
    fitted f =
        fit("model { for (j in 1:8) { y[j] ~ dnorm(theta[j], 1 / s[j]^2)\n"
            "theta[j] ~ dnorm(mu, 1 / tau^2) }\n"
            "mu ~ dnorm(0, 1.0E-4)\n tau ~ dunif(0, 100) }",
            "y <- c(28.39, 7.94, -2.75, 6.82, -0.64, 0.63, 18.01, 12.16)\n"
            "s <- c(14.9, 10.2, 16.3, 11.0, 9.4, 11.4, 10.4, 17.6)");
    expect(&f, "tau", 6.57927, 5.66887, 0.002);
    dlp_bugs_free(f.model);
}

/* Which of two priors 70 rates have: summed over, all of them would be in one density; given
   the model they are apart. The probability is that of two beta-binomial distributions. */
static void test_many_rates_two_models(void **state)
{
    (void)state;
    static const double a[] = {1.5, 3}, b[] = {2, 4};
    char data[1000];
    double log_p[2] = {0, 0};
    size_t used = (size_t)snprintf(data, sizeof data, "r <- c(");
    for (int i = 0; i < 70; i++) {
        const double r = (i * 7) % 8;
        used += (size_t)snprintf(data + used, sizeof data - used, i ? ",%g" : "%g", r);
        for (int m = 0; m < 2; m++)
            log_p[m] += lgamma(a[m] + r) + lgamma(b[m] + 10 - r) - lgamma(a[m]) -
                        lgamma(b[m]) + lgamma(a[m] + b[m]) - lgamma(a[m] + b[m] + 10);
    }
    snprintf(data + used, sizeof data - used, ")\na <- c(1.5, 3)\nb <- c(2, 4)");
    fitted f = bugs_fit_text(
        "model { for (i in 1:70) { r[i] ~ dbin(p[i], 10)\n p[i] ~ dbeta(a[m], b[m]) }\n"
        "m ~ dcat(c(0.3, 0.7)) }",
        data, NULL);
    const double second = 1 / (1 + exp(log_p[0] - log_p[1]) * 0.3 / 0.7);
    assert_in_range((int)(100 * second), 2, 98);
    assert_int_equal(f.result->n_states, 2);
    assert_near(node_of(&f, "m")->margin.mean, 1 + second, 0.01);
    assert_near(node_of(&f, "p[1]")->margin.mean,
                second * 3 / 17 + (1 - second) * 1.5 / 13.5, 0.002);
    dlp_bugs_free(f.model);
}

/* log of n choose k */
static double choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Of t planes 10 are marked, and 4 of 5 that are seen: fewer than 11 are impossible,
   though the prior allows them. With odds of w, p(4) = C(10, 4) C(t-10, 1) w^4 / sum_i
   C(10, i) C(t-10, 5-i) w^i. */
static void test_trials_by_state(void **state)
{
    (void)state;
    for (int w = 1; w <= 2; w++) {
        double all = 0, mean = 0, square = 0;
        for (int t = 11; t <= 50; t++) {
            double sum = 0;
            for (int i = t < 15 ? 15 - t : 0; i <= 5; i++)
                sum += exp(choose(10, i) + choose(t - 10, 5 - i)) * pow(w, i);
            const double p = exp(choose(t - 10, 1)) / sum;
            all += p;
            mean += p * t;
            square += p * t * t;
        }
        mean /= all;
        char model[200];
        snprintf(model, sizeof model,
                 "model { k ~ dhyper(10, t - 10, 5, %d)\n t ~ dcat(w[])\n"
                 "for (i in 1:50) { w[i] <- 0.02 } }",
                 w);
        fitted f = fit(model, "k <- 4");
        expect(&f, "t", mean, sqrt(square / all - mean * mean), 1e-9);
        dlp_bugs_free(f.model);
    }
}

/* -1 where i and j have an odd number of bits in common. */
static int sign(int i, int j)
{
    int odd = 0;
    for (int bits = i & j; bits; bits >>= 1) odd ^= bits & 1;
    return odd ? -1 : 1;
}

/* Which of some columns of +1 and -1 that are orthogonal are in, each with probability
   `prior`: given a state, all is Gaussian. With c = sum x y of 32 rows, the odds of a column
   are those of the prior times 33^(-1/2) exp(c^2 / 33 / 2), and its coefficient has the mean
   c / 33. Returns how many states were fitted. */
static int expect_indicators(int columns, double prior, double tolerance)
{
    enum { N = 32, MOST = 31 };
    char data[8000], model[300];
    double c[MOST] = {0};
    size_t used = (size_t)snprintf(data, sizeof data, "y <- c(");
    for (int i = 0; i < N; i++) {
        const double y = 0.05 * ((i * 29) % 31) - 0.75 + (i % 2 ? -0.35 : 0.35);
        used += (size_t)snprintf(data + used, sizeof data - used, i ? ",%g" : "%g", y);
        for (int j = 0; j < columns; j++) c[j] += sign(i, j + 1) * y;
    }
    used += (size_t)snprintf(data + used, sizeof data - used, ")\nx <- structure(c(");
    for (int k = 0; k < N * columns; k++)
        used += (size_t)snprintf(data + used, sizeof data - used, k ? ",%d" : "%d",
                                 sign(k % N, k / N + 1));
    snprintf(data + used, sizeof data - used, "), .Dim = c(%d, %d))", N, columns);
    snprintf(model, sizeof model,
             "model { for (i in 1:32) { y[i] ~ dnorm(inprod(x[i,], theta[]), 1) }\n"
             "for (j in 1:%d) { theta[j] <- g[j] * b[j]\n g[j] ~ dbern(%g)\n"
             "b[j] ~ dnorm(0, 1) } }",
             columns, prior);
    fitted f = fit(model, data);
    for (int j = 0; j < columns; j++) {
        const double odds = prior / (1 - prior) * exp(c[j] * c[j] / 66) / sqrt(33),
                     p = odds / (1 + odds);
        char name[20];
        snprintf(name, sizeof name, "g[%d]", j + 1);
        expect(&f, name, p, sqrt(p * (1 - p)), tolerance);
        snprintf(name, sizeof name, "theta[%d]", j + 1);
        assert_near(node_of(&f, name)->margin.mean, p * c[j] / 33, 0.005);
    }
    assert_false(f.result->doubt_states);
    const int states = f.result->n_states;
    dlp_bugs_free(f.model);
    return states;
}

static void test_many_indicators(void **state)
{
    (void)state;
    assert_int_equal(expect_indicators(7, 0.5, 1e-6), 128);
}

/* Of 131,072 states, those that matter are found. */
static void test_likely_states(void **state)
{
    (void)state;
    assert_true(expect_indicators(17, 0.02, 0.02) <= 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_are_drawn_together),
        cmocka_unit_test(test_bounds_between_whole_numbers),
        cmocka_unit_test(test_prediction_by_state),
        cmocka_unit_test(test_structural_zeros),
        cmocka_unit_test(test_rows_that_are_alike),
        cmocka_unit_test(test_leaves_that_are_alike),
        cmocka_unit_test(test_each_state_for_itself),
        cmocka_unit_test(test_draws_of_leaves),
        cmocka_unit_test(test_rates_of_two_groups),
        cmocka_unit_test(test_scale_between_points),
        cmocka_unit_test(test_many_rates_two_models),
        cmocka_unit_test(test_trials_by_state),
        cmocka_unit_test(test_many_indicators),
        cmocka_unit_test(test_likely_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

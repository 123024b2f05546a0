/* SPDX-License-Identifier: BSD-3-Clause */
/* Posteriors of small models whose answers are known in closed form. Discrete nodes are
   summarised by draws (4096), so that theirs are compared to 0.06. */
#include "support.h"

#include <delaplace/bugs.h>
#include <math.h>

typedef struct fitted {
    dlp_bugs *model;
    const dlp_bugs_result *result;
} fitted;

static fitted fit(const char *model, const char *data)
{
    dlp_error error = {0};
    fitted f = {0};
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text = model;
    input.data_text = data;
    input.data_name = "data.R";
    if (dlp_bugs_read(&input, &f.model, &error) != DLP_OK ||
        dlp_bugs_fit(f.model, NULL, &error) != DLP_OK)
        fail_msg("%s", error.message);
    f.result = dlp_bugs_result_of(f.model);
    assert_int_equal(f.result->outcome, DLP_CONVERGED);
    return f;
}

static void expect(const fitted *f, const char *name, double mean, double sd,
                   double tolerance)
{
    for (dlp_index i = 0; i < f->result->n_nodes; i++) {
        const dlp_bugs_node *node = &f->result->node[i];
        if (strcmp(node->name, name) != 0) continue;
        assert_true(fabs(node->margin.mean - mean) < tolerance);
        assert_true(fabs(node->margin.sd - sd) < tolerance);
        return;
    }
    fail_msg("no node %s", name);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beta_binomial),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_impossible_states),
        cmocka_unit_test(test_abundance_without_bound),
        cmocka_unit_test(test_index_computed_from_a_discrete_node),
        cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_chain_of_categories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

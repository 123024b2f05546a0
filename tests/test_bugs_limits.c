/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model in the language of BUGS may not be, and how long it may be. */
#include "bugs_agree.h"

static void refused(const char *model, const char *data, const char *words)
{
    dlp_bugs *bugs = read_model(model, data);
    assert_fails(dlp_bugs_fit(bugs, NULL, error), DLP_EINPUT, words);
    assert_null(dlp_bugs_result_of(bugs));
    dlp_bugs_free(bugs);
}

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
    refused(
        "model { y ~ dnorm(i, 1)\n i ~ dbin(0.5, 2) T(5, ) }", "y <- 1",
        "model:2:2: error: i has no possible value: its bounds leave no whole number");
    refused("model { y ~ dnorm(i, 1)\n i ~ dbin(0.5, 4) T(1.2, 1.8) }", "y <- 1",
            "i has no possible value");
    /* as many states as cut points, all of which each state looks at */
    refused("model { k ~ dinterval(18, 1:46656)\n y ~ dnorm(k, 1) }", "y <- 1",
            "46657 joint states of discrete unknowns, and 46657 numbers to look at");
    /* a cycle that only some values of an unknown index close */
    refused(
        "model { y ~ dnorm(m[2], 1)\n m[1] <- 0\n m[2] <- 1 + m[1 + step(a)]\n"
        "a ~ dnorm(0, 1) }",
        "y <- 1",
        "model:3:2: error: 'm[2]' depends on itself through an index that is not known "
        "from the data");
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
    assert_ok(dlpi_lowering_make(bugs->graph, NULL, &lowering, error));
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

/* No proper posterior: not a number that looks like one. */
static void improper_posteriors(void **state)
{
    (void)state;
    static const char *const model[] = {
        "model { y ~ dnorm(a + b, 1)\n a ~ dflat()\n b ~ dflat() }",
        "model { y ~ dbern(p)\n logit(p) <- a\n a ~ dflat() }"};
    for (int i = 0; i < 2; i++) {
        dlp_bugs *bugs = read_model(model[i], "y <- 1");
        dlp_error error = {0};
        if (dlp_bugs_fit(bugs, NULL, &error) == DLP_OK)
            assert_int_not_equal(dlp_bugs_result_of(bugs)->outcome, DLP_CONVERGED);
        else
            assert_true(error.message[0] != '\0');
        dlp_bugs_free(bugs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(all_unknowns_of_a_long_sum_count),
        cmocka_unit_test(chains_of_any_length),
        cmocka_unit_test(improper_posteriors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

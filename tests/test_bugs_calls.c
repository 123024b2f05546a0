/* SPDX-License-Identifier: BSD-3-Clause */
/* What dlp_bugs_fit() promises to those who call it: the same bits, the plan, draws, what is
   monitored, settings that are wrong, a way to cancel. */
#include "bugs_agree.h"

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

static const char *const schools =
    "model {\n for (j in 1:8) { y[j] ~ dnorm(theta[j], 1 / s[j]^2)\n"
    "theta[j] ~ dnorm(mu, 1 / tau^2) }\n mu ~ dnorm(0, 1.0E-4)\n tau ~ dunif(0, 100)\n"
    "best <- max(theta[])\n above <- step(theta[1] - 10)\n}";
static const char *const schools_data =
    "y <- c(28, 8, -3, 7, -1, 1, 18, 12)\n"
    "s <- c(15, 10, 16, 11, 9, 11, 10, 18)";

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

/* ---- cancelling ---- */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_with_any_threads),
        cmocka_unit_test(the_plan_is_told),
        cmocka_unit_test(draws_are_of_one_posterior),
        cmocka_unit_test(from_arrays_in_memory),
        cmocka_unit_test(monitors_choose),
        cmocka_unit_test(wrong_settings),
        cmocka_unit_test(progress_cancels),
        cmocka_unit_test(progress_cancels_while_preparing),
        cmocka_unit_test(every_state_can_be_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

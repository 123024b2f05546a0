/* SPDX-License-Identifier: BSD-3-Clause */
/* Models that ask for much in one place, be it a loop, a product of matrices or one density: the
   caller hears of it in between, and may stop. */
#include "bugs/bugs.h"
#include "bugs/plan/factors.h"
#include "bugs_support.h"

typedef struct caller {
    int calls, stop_at; /* so far; the call that says stop, 0: none */
} caller;

static int listen_to(void *context, const dlp_progress *progress)
{
    caller *c = context;
    assert_non_null(progress->phase);
    return ++c->calls == c->stop_at;
}

/* ---- reading ---- */

/* A symmetric matrix of side n, as data named R. */
static dlp_bugs_array matrix(dlp_index n, dlp_index dim[2])
{
    double *value = malloc((size_t)(n * n) * sizeof *value);
    assert_non_null(value);
    for (dlp_index i = 0; i < n * n; i++)
        value[i] = i % (n + 1) == 0 ? 2 : 1.0 / (double)n;
    dim[0] = dim[1] = n;
    return (dlp_bugs_array){"R", 2, dim, value};
}

static dlp_status read_heard(const char *model, const dlp_bugs_array *R, caller *c,
                             dlp_bugs **bugs, dlp_error *e)
{
    dlp_bugs_input input = dlp_bugs_input_default();
    input.model_text = model;
    input.n_data = 1;
    input.data = R;
    input.progress = listen_to;
    input.context = c;
    return dlp_bugs_read(&input, bugs, e);
}

/* Reading asks at least so often; and whichever call says stop, it is the last. */
static void asks_while_reading(const char *model, dlp_index side, int least)
{
    dlp_index dim[2];
    const dlp_bugs_array R = matrix(side, dim);
    dlp_bugs *bugs = NULL;
    caller all = {0};
    assert_ok(read_heard(model, &R, &all, &bugs, error));
    assert_true(all.calls >= least);
    dlp_bugs_free(bugs);
    for (int k = 1; k <= all.calls; k += 1 + k / 2) {
        caller c = {.stop_at = k};
        assert_fails(read_heard(model, &R, &c, &bugs, error), DLP_ECANCELLED,
                     "cancelled");
        assert_int_equal(c.calls, k);
        assert_null(bugs);
    }
    free((void *)R.value);
}

static void loops_of_a_model_can_be_stopped(void **state)
{
    (void)state;
    asks_while_reading(
        "model { for (i in 1:100000) { z[i] <- R[1, 1] * i }\n"
        "y ~ dnorm(z[100000], 1) }",
        2, 10);
}

static void products_of_matrices_can_be_stopped(void **state)
{
    (void)state;
    asks_while_reading("model { A <- R %*% R\n y ~ dnorm(A[1, 1], 1) }", 250, 3);
}

static void inverses_of_matrices_can_be_stopped(void **state)
{
    (void)state;
    asks_while_reading("model { A <- inverse(R)\n y ~ dnorm(A[1, 1], 1) }", 200, 2);
}

/* A number of a file takes as long as many multiplications. */
static void data_can_be_stopped(void **state)
{
    enum { NUMBERS = 100000 };
    (void)state;
    static const char *const head[] = {"x <- c(0", "{\"x\": [0"}, *const tail[] = {")",
                                                                                   "]}"};
    char *text = malloc(2 * NUMBERS + 20);
    assert_non_null(text);
    for (int format = 0; format < 2; format++) {
        caller c = {.stop_at = 1};
        dlp_bugs *bugs = NULL;
        dlp_bugs_input input = dlp_bugs_input_default();
        char *at = text + sprintf(text, "%s", head[format]);
        for (int i = 1; i < NUMBERS; i++) at += sprintf(at, ",%d", i % 10);
        sprintf(at, "%s", tail[format]);
        input.model_text = "model { mu ~ dnorm(x[1], 1) }";
        input.data_text = text;
        input.progress = listen_to;
        input.context = &c;
        assert_fails(dlp_bugs_read(&input, &bugs, error), DLP_ECANCELLED, "cancelled");
        assert_null(bugs);
    }
    free(text);
}

/* ---- densities ---- */

static void one_density_can_be_stopped(const char *model, dlp_index side, int least)
{
    dlp_index dim[2];
    const dlp_bugs_array R = matrix(side, dim);
    dlp_bugs *bugs = NULL;
    caller all = {0};
    assert_ok(read_heard(model, &R, &all, &bugs, error));
    for (int stop_at = 0; stop_at <= least; stop_at += least) {
        caller c = {.stop_at = stop_at};
        dlpi_listener listener = {.call = listen_to, .context = &c};
        dlpi_lowering lowering;
        dlpi_factors factors = {0};
        dlpi_listener_begin(&listener, "fitting", 0, 0);
        assert_ok(dlpi_lowering_make(bugs->graph, &listener, &lowering, error));
        const dlp_status status = dlpi_factors_list(&lowering, true, &factors, NULL);
        assert_int_equal(status == DLP_OK, stop_at == 0);
        assert_true(stop_at == 0 ? c.calls >= least : c.calls == stop_at);
        dlpi_factors_clear(&factors);
        dlpi_lowering_clear(&lowering);
    }
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    caller c = {.stop_at = least};
    settings.progress = listen_to;
    settings.context = &c;
    assert_fails(dlp_bugs_fit(bugs, &settings, error), DLP_ECANCELLED, "cancelled");
    assert_int_equal(c.calls, least);
    dlp_bugs_free(bugs);
    free((void *)R.value);
}

static void a_large_wishart_can_be_stopped(void **state)
{
    (void)state;
    one_density_can_be_stopped("model { Omega[1:60, 1:60] ~ dwish(R[, ], 61) }", 60, 5);
}

static void a_wide_product_can_be_stopped(void **state)
{
    (void)state;
    one_density_can_be_stopped(
        "model { for (i in 1:400) { x[i] ~ dnorm(0, 1) }\n"
        "m <- R %*% x\n"
        "y ~ dnorm(inprod(m, m), 1) }",
        400, 805);
}

/* ---- points ---- */

typedef struct counted {
    int told, last, total;
} counted;

static int count_points(void *context, const dlp_progress *progress)
{
    counted *c = context;
    if (progress->polled || !progress->unit || strcmp(progress->unit, "points") != 0)
        return 0;
    assert_true(progress->total == 0 || progress->done < progress->total);
    c->told++;
    c->last = (int)progress->done;
    c->total = (int)progress->total;
    return 0;
}

/* Once the mode is found, a caller hears how many points of how many are done: with two scales
   at those of a grid, which grows, and then at all of them again. */
static void points_are_counted(void **state)
{
    (void)state;
    counted c = {0};
    dlp_bugs *bugs = NULL;
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    input.model_text =
        "model { for (i in 1:6) { y[i] ~ dpois(exp(m + u[i]))\n"
        "u[i] ~ dnorm(0, tau) }\n m ~ dnorm(0, 0.1)\n tau ~ dgamma(2, 1) }";
    input.data_text = "y <- c(1, 0, 3, 7, 2, 2)";
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    settings.threads = 1;
    settings.progress = count_points;
    settings.context = &c;
    assert_ok(dlp_bugs_fit(bugs, &settings, error));
    assert_int_equal(c.total, dlp_bugs_result_of(bugs)->points);
    assert_int_equal(c.last, c.total - 1);
    assert_true(c.told >= 2 * c.total);
    dlp_bugs_free(bugs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_a_model_can_be_stopped),
        cmocka_unit_test(products_of_matrices_can_be_stopped),
        cmocka_unit_test(inverses_of_matrices_can_be_stopped),
        cmocka_unit_test(data_can_be_stopped),
        cmocka_unit_test(a_large_wishart_can_be_stopped),
        cmocka_unit_test(a_wide_product_can_be_stopped),
        cmocka_unit_test(points_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

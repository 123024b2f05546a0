/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fits that the caller or the model ends: at every evaluation of f, whatever the method
 * and the derivatives, at once, with the last good q. And what a program that was
 * compiled with another header passes in.
 */
#include "models.h"
#include "support.h"

#include <pthread.h>

/* ---- a caller ---- */

typedef struct caller {
    int calls, polls; /* so far */
    int stop_at;      /* the call that says stop; 0: none */
    int after;        /* calls after that one */
    bool strange;     /* called from a thread that is not the caller's */
    pthread_t thread;
    int last_iteration;
} caller;

static caller new_caller(int stop_at)
{
    return (caller){.stop_at = stop_at, .thread = pthread_self()};
}

static int listen_to(void *context, const dlp_progress *p)
{
    caller *c = context;
    c->strange |= !pthread_equal(c->thread, pthread_self());
    c->after += c->stop_at > 0 && c->calls >= c->stop_at;
    c->calls++;
    c->polls += p->polled != 0;
    assert_string_equal(p->phase, "fitting");
    assert_true(p->iteration >= c->last_iteration);
    assert_true(p->polled || p->iteration == c->last_iteration + 1 || p->max_iter == 0);
    c->last_iteration = p->iteration;
    return c->calls == c->stop_at;
}

static void check_finite(const dlp_fit *fit)
{
    const dlp_result *r = dlp_fit_result(fit);
    double sd[16];
    dlp_fit_sd(fit, sd);
    for (dlp_index i = 0; i < r->n; i++)
        assert_true(isfinite(r->mu[i]) && isfinite(sd[i]) && sd[i] > 0);
    assert_int_equal(r->valid, r->iterations > 0);
}

/* Stopped at call k; returns false when the fit needs no more than k calls. The q that it
   leaves is that of a fit with as many iterations. */
static bool stop_at_call(const dlp_model *model, dlp_settings s, int k)
{
    caller c = new_caller(k);
    dlp_fit *fit = NULL;
    s.progress = listen_to;
    s.context = &c;
    assert_ok(dlp_fit_alloc(model, &s, &fit, error));
    const dlp_status status = dlp_fit_run(fit, NULL, NULL);
    const dlp_result *r = dlp_fit_result(fit);
    const bool stopped = r->outcome == DLP_CANCELLED;
    check_finite(fit);
    assert_int_equal(c.after, 0);
    assert_true(stopped || c.calls <= k);
    assert_int_equal(status, stopped && !r->valid ? DLP_ECANCELLED : DLP_OK);
    if (stopped && r->valid) {
        dlp_fit *same = NULL;
        s.progress = NULL;
        s.max_iter = r->iterations;
        s.plain = 1;
        assert_ok(dlp_fit_alloc(model, &s, &same, error));
        assert_ok(dlp_fit_run(same, NULL, error));
        for (dlp_index i = 0; i < r->n; i++)
            assert_true(dlp_fit_result(same)->mu[i] == r->mu[i]);
        dlp_fit_free(same);
    }
    dlp_fit_free(fit);
    return stopped;
}

static void every_call_can_stop_every_fit(void **state)
{
    (void)state;
    for (int m = 0; m < n_test_models; m++)
        for (int method = 0; dlp_method_name(method); method++)
            for (int derivatives = 0; derivatives <= 2; derivatives++) {
                void *memory;
                dlp_model model = test_models[m].make(&memory);
                dlp_model_type type = *model.type;
                const bool differences = model.shape.structure == DLP_BLOCKS;
                type.derivatives = derivatives;
                model.type = &type;
                dlp_settings s = dlp_settings_default();
                s.method = dlp_method_name(method);
                s.plain = 1;
                s.max_iter = 20;
                int k = 1;
                if (differences || derivatives == 2)
                    while (stop_at_call(&model, s, k)) k += 1 + k / 8;
                test_models[m].release(memory);
            }
}

/* Until the first iteration has ended there is nothing to show, and the result says so. */
static void a_fit_that_was_stopped_too_early_is_not_valid(void **state)
{
    (void)state;
    void *memory;
    const dlp_model model = make_logit(&memory);
    caller c = new_caller(2);
    dlp_settings s = dlp_settings_default();
    dlp_fit *fit = NULL;
    double sd;
    s.progress = listen_to;
    s.context = &c;
    assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_NOT_STARTED);
    assert_string_equal(dlp_outcome_name(DLP_NOT_STARTED), "not-started");
    assert_fails(dlp_fit_run(fit, NULL, error), DLP_ECANCELLED, "before the first");
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_CANCELLED);
    assert_false(dlp_fit_result(fit)->valid);
    assert_int_equal(dlp_fit_marginal_sd(fit, &sd), 0);
    assert_true(dlp_fit_done(fit));
    c = new_caller(0); /* and again, to its end */
    assert_ok(dlp_fit_run(fit, NULL, error));
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_CONVERGED);
    assert_true(dlp_fit_result(fit)->valid);
    assert_true(c.polls > 2);
    dlp_fit_free(fit);
}

/* ---- a start from a subsample ---- */

static double bowl(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const double x = theta[0], e = exp(x);
    ++*(long *)m;
    if (grad) grad[0] = 40 - e - x;
    if (hess) *dlp_sym_block(hess, 0) = -e - 1;
    return 40 * x - e - 0.5 * x * x;
}

static void the_start_can_be_stopped(void **state)
{
    (void)state;
    long calls = 0;
    const dlp_model_type type = {.size = sizeof type,
                                 .name = "bowl",
                                 .f = bowl,
                                 .derivatives = 2,
                                 .subsample = bowl};
    const dlp_model model = {.type = &type, .state = &calls, .shape = dlp_shape_dense(1)};
    for (int k = 1; k < 6; k++) {
        caller c = new_caller(k);
        dlp_settings s = dlp_settings_default();
        dlp_fit *fit = NULL;
        s.progress = listen_to;
        s.context = &c;
        calls = 0;
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_int_equal(dlp_fit_run(fit, NULL, NULL), DLP_ECANCELLED);
        assert_int_equal(calls, k - 1); /* none after the stop */
        check_finite(fit);
        dlp_fit_free(fit);
    }
}

/* ---- models that fail ---- */

typedef struct failing {
    int calls, fail_at; /* of f */
    int updates, fail_update_at;
    bool failed, silent;
    dlp_model inner;
} failing;

static double failing_f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    failing *x = m;
    if (++x->calls == x->fail_at) x->failed = true;
    assert_false(x->failed && x->calls > x->fail_at && x->fail_at > 0);
    return x->failed ? NAN : x->inner.type->f(x->inner.state, theta, grad, hess);
}

static void failing_stats(void *m)
{
    failing *x = m;
    x->inner.type->expect_stats(x->inner.state);
}

static void failing_eta(void *m, const double *mu, const dlp_sym *Sigma, double *e_eta)
{
    failing *x = m;
    x->inner.type->expect_eta(x->inner.state, mu, Sigma, e_eta);
}

static void failing_update_z(void *m, const double *e_eta)
{
    failing *x = m;
    if (++x->updates == x->fail_update_at) x->failed = true;
    x->inner.type->update_z(x->inner.state, e_eta);
}

static double failing_bound(void *m)
{
    failing *x = m;
    return x->inner.type->objective_z(x->inner.state);
}

static dlp_status failure(void *m, dlp_error *why)
{
    failing *x = m;
    if (!x->failed) return DLP_OK;
    x->failed = false;
    return x->silent ? DLP_ENOMEM : dlp_fail(why, DLP_EIO, "ValueError: %d", x->fail_at);
}

static const dlp_model_type failing_type = {.size = sizeof failing_type,
                                            .name = "failing",
                                            .f = failing_f,
                                            .derivatives = 2,
                                            .expect_stats = failing_stats,
                                            .expect_eta = failing_eta,
                                            .update_z = failing_update_z,
                                            .objective_z = failing_bound,
                                            .failure = failure};

static dlp_status run_failing(failing *x, const char *method, dlp_outcome *outcome,
                              dlp_error *why)
{
    dlp_model model = x->inner;
    dlp_model_type type = failing_type;
    dlp_settings s = dlp_settings_default();
    dlp_fit *fit = NULL;
    if (!x->inner.type->update_z) {
        type.expect_stats = NULL, type.expect_eta = NULL;
        type.update_z = NULL, type.objective_z = NULL;
    }
    model.type = &type;
    model.state = x;
    s.method = method;
    assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
    const dlp_status status = dlp_fit_run(fit, NULL, why);
    *outcome = dlp_fit_result(fit)->outcome;
    check_finite(fit);
    dlp_fit_free(fit);
    return status;
}

static void a_failure_of_f_ends_the_fit(void **state)
{
    (void)state;
    dlp_model (*const make[])(void **) = {make_unigram, make_gaussian, make_poisson};
    for (int m = 0; m < 3; m++)
        for (int method = 0; dlp_method_name(method); method++) {
            dlp_outcome outcome = DLP_FAILED;
            for (int k = 1; outcome == DLP_FAILED; k++) {
                void *memory = NULL;
                dlp_error why = {0};
                failing x = {.fail_at = k, .inner = make[m](&memory)};
                const dlp_status status =
                    run_failing(&x, dlp_method_name(method), &outcome, &why);
                if (m == 0) dlp_unigram_free(memory);
                if (outcome != DLP_FAILED) { /* it needs no more calls */
                    assert_int_equal(status, DLP_OK);
                    assert_true(k > 2);
                    break;
                }
                assert_int_equal(status, DLP_EIO);
                assert_non_null(strstr(why.message, "ValueError"));
            }
        }
}

static void a_failure_of_the_conjugate_part_ends_the_fit(void **state)
{
    (void)state;
    for (int k = 1; k < 5; k++) {
        void *memory = NULL;
        dlp_outcome outcome;
        failing x = {.fail_update_at = k, .silent = true, .inner = make_unigram(&memory)};
        dlp_error why = {0};
        assert_int_equal(run_failing(&x, "laplace", &outcome, &why), DLP_ENOMEM);
        assert_int_equal(outcome, DLP_FAILED);
        assert_string_equal(why.message, "model failing failed: not enough memory");
        failing again = {.fail_update_at = k, .silent = true, .inner = x.inner};
        assert_int_equal(run_failing(&again, "delta", &outcome, NULL), DLP_ENOMEM);
        dlp_unigram_free(memory);
    }
}

static void the_check_tells_failures_too(void **state)
{
    (void)state;
    void *memory = NULL;
    failing x = {.fail_at = 1, .inner = make_poisson(&memory)};
    dlp_model model = x.inner;
    dlp_model_type type = failing_type;
    dlp_check check;
    type.expect_stats = NULL, type.expect_eta = NULL;
    type.update_z = NULL, type.objective_z = NULL;
    model.type = &type;
    model.state = &x;
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EIO,
                 "ValueError");
    x = (failing){.fail_at = 1, .inner = x.inner};
    assert_int_equal(dlp_check_derivatives(&model, 1, NULL, 1, &check, NULL), DLP_EIO);
}

static void transformed_models_tell_their_failures(void **state)
{
    (void)state;
    void *memory = NULL;
    failing x = {.fail_at = 3, .inner = make_poisson(&memory)};
    dlp_model model = x.inner;
    dlp_model_type type = failing_type;
    const dlp_transform t = {DLP_REAL, 1, 0, 0};
    dlp_transformed *T = NULL;
    dlp_fit *fit = NULL;
    type.expect_stats = NULL, type.expect_eta = NULL;
    type.update_z = NULL, type.objective_z = NULL;
    model.type = &type;
    model.state = &x;
    assert_ok(dlp_transformed_alloc(&model, 1, &t, &T, error));
    model = dlp_transformed_model(T);
    assert_ok(dlp_fit_alloc(&model, NULL, &fit, error));
    assert_fails(dlp_fit_run(fit, NULL, error), DLP_EIO, "ValueError");
    dlp_fit_free(fit);
    dlp_transformed_free(T);
}

/* ---- other headers ---- */

/* An older program knows fewer settings; the others have their defaults. */
static void older_settings_are_taken_as_far_as_they_go(void **state)
{
    (void)state;
    void *memory;
    const dlp_model model = make_poisson(&memory);
    dlp_settings s, same = dlp_settings_default();
    dlp_fit *fit = NULL;
    memset(&s, 0xff, sizeof s);
    dlp_settings_init(&s, offsetof(dlp_settings, tol));
    assert_int_equal(s.size, offsetof(dlp_settings, tol));
    assert_string_equal(s.method, same.method);
    s.method = "delta";
    assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_CONVERGED);
    dlp_fit_free(fit);
    same.size = 0;
    assert_fails(dlp_fit_alloc(&model, &same, &fit, error), DLP_EINVAL, "_default()");
    assert_null(fit);
    /* and a newer one more */
    struct {
        dlp_settings known;
        double unknown;
    } newer;
    dlp_settings_init(&newer.known, sizeof newer);
    assert_int_equal(newer.known.size, sizeof newer);
    assert_true(newer.unknown == 0);
    newer.unknown = 2.385;
    assert_ok(dlp_fit_alloc(&model, &newer.known, &fit, error));
    dlp_fit_free(fit);
}

/* An older table lacks what it could not know; a newer one has more. */
static void tables_of_other_sizes_are_taken_as_far_as_they_go(void **state)
{
    (void)state;
    failing x = {.fail_at = 0};
    void *memory;
    dlp_model model = make_poisson(&memory);
    dlp_model_type type = *model.type;
    dlp_fit *fit = NULL;
    type.failure = failure; /* would be asked, if it were taken */
    type.size = offsetof(dlp_model_type, failure);
    x.failed = true;
    model.type = &type;
    model.state = &x;
    assert_ok(dlp_fit_alloc(&model, NULL, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    dlp_fit_free(fit);
    type.size = sizeof type;
    assert_ok(dlp_fit_alloc(&model, NULL, &fit, error));
    assert_int_equal(dlp_fit_run(fit, NULL, NULL), DLP_EIO);
    dlp_fit_free(fit);
    type.size = 0;
    assert_fails(dlp_fit_alloc(&model, NULL, &fit, error), DLP_EINVAL,
                 "sizeof(dlp_model_type)");
    struct {
        dlp_model_type known;
        void (*unknown)(void);
    } newer = {.known = *make_poisson(&memory).type};
    newer.known.size = sizeof newer;
    model.type = &newer.known;
    assert_ok(dlp_fit_alloc(&model, NULL, &fit, error));
    dlp_fit_free(fit);
}

static void the_library_tells_its_version(void **state)
{
    (void)state;
    assert_string_equal(dlp_version(), DLP_VERSION);
    assert_int_equal(DLP_VERSION_NUMBER, 10000 * DLP_VERSION_MAJOR +
                                             100 * DLP_VERSION_MINOR + DLP_VERSION_PATCH);
}

/* ---- hierarchies ---- */

enum { GROUPS = 9, ROWS = 12 };

typedef struct related {
    double one[ROWS], x[GROUPS][ROWS], y[GROUPS][ROWS];
    const double *columns[GROUPS][2];
    dlp_glm_data data[GROUPS];
} related;

static void draw_related(related *r)
{
    for (int m = 0; m < GROUPS; m++) {
        dlp_rng rng = dlp_rng_at(7, (uint64_t)m);
        const double slope = 0.6 + 0.4 * dlp_draw_normal(&rng);
        for (int i = 0; i < ROWS; i++) {
            r->one[i] = 1;
            r->x[m][i] = dlp_draw_normal(&rng);
            r->y[m][i] = dlp_draw_uniform(&rng) < dlp_logistic(slope * r->x[m][i]);
        }
        r->columns[m][0] = r->one;
        r->columns[m][1] = r->x[m];
        r->data[m] = (dlp_glm_data){.N = ROWS, .p = 2, .x = r->columns[m], .y = r->y[m]};
    }
}

static void check_hierarchy(const dlp_hierarchy *h)
{
    const dlp_hierarchy_result *r = dlp_hierarchy_result_of(h);
    for (int j = 0; j < 4; j++) {
        assert_true(isfinite(r->Sigma0[j]) && isfinite(r->mu0_covariance[j]));
        for (int m = 0; m < GROUPS && r->valid; m++)
            assert_true(dlp_hierarchy_group(h, m).Sigma.a[0] > 0);
    }
    assert_true(r->Sigma0[0] > 0 && isfinite(r->mu0[0]) && isfinite(r->objective));
    assert_int_equal(r->valid, r->iterations > 0);
}

/* At every call, and only by the thread that asked for it. */
static bool stop_hierarchy(const related *r, int threads, int k)
{
    dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    caller c = new_caller(k);
    dlp_hierarchy *h = NULL;
    s.threads = threads;
    s.max_iter = 8;
    s.progress = listen_to;
    s.context = &c;
    assert_ok(dlp_hierarchy_alloc("bernoulli", NULL, GROUPS, r->data, &s, &h, error));
    assert_int_equal(dlp_hierarchy_result_of(h)->outcome, DLP_NOT_STARTED);
    const dlp_status status = dlp_hierarchy_run(h, NULL);
    const dlp_hierarchy_result *result = dlp_hierarchy_result_of(h);
    const bool stopped = result->outcome == DLP_CANCELLED;
    check_hierarchy(h);
    assert_false(c.strange);
    assert_int_equal(c.after, 0);
    assert_int_equal(status, stopped && !result->valid ? DLP_ECANCELLED : DLP_OK);
    dlp_hierarchy_free(h);
    return stopped;
}

static void every_call_can_stop_a_hierarchy(void **state)
{
    (void)state;
    related *r = calloc(1, sizeof *r);
    assert_non_null(r);
    draw_related(r);
    for (int threads = 1; threads <= 3; threads += 2) {
        int k = 1;
        while (stop_hierarchy(r, threads, k)) k += 1 + k / 8;
        assert_true(threads > 1 || k > 8 * GROUPS); /* it was asked often */
    }
    free(r);
}

static void hierarchies_have_defaults(void **state)
{
    (void)state;
    related *r = calloc(1, sizeof *r);
    dlp_hierarchy *h = NULL;
    assert_non_null(r);
    draw_related(r);
    assert_ok(dlp_hierarchy_alloc("bernoulli", NULL, GROUPS, r->data, NULL, &h, error));
    assert_ok(dlp_hierarchy_run(h, error));
    assert_int_equal(dlp_hierarchy_result_of(h)->outcome, DLP_CONVERGED);
    dlp_hierarchy_free(h);
    const dlp_hierarchy_settings none = {0};
    assert_fails(
        dlp_hierarchy_alloc("bernoulli", NULL, GROUPS, r->data, &none, &h, error),
        DLP_EINVAL, "_default()");
    free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_can_stop_every_fit),
        cmocka_unit_test(a_fit_that_was_stopped_too_early_is_not_valid),
        cmocka_unit_test(the_start_can_be_stopped),
        cmocka_unit_test(a_failure_of_f_ends_the_fit),
        cmocka_unit_test(a_failure_of_the_conjugate_part_ends_the_fit),
        cmocka_unit_test(the_check_tells_failures_too),
        cmocka_unit_test(transformed_models_tell_their_failures),
        cmocka_unit_test(older_settings_are_taken_as_far_as_they_go),
        cmocka_unit_test(tables_of_other_sizes_are_taken_as_far_as_they_go),
        cmocka_unit_test(the_library_tells_its_version),
        cmocka_unit_test(every_call_can_stop_a_hierarchy),
        cmocka_unit_test(hierarchies_have_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

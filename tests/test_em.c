/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loop of variational EM on a model whose every step is known: x_m ~ N(theta_m, 1),
 * theta_m ~ N(mu, 1). EM takes mu half of the way to the mean of x.
 */
#include "infer/em.h"
#include "support.h"

enum { PARTS = 4, MOST = 100 };
static const double x[PARTS] = {2.385, -0.031, 1.5, 0.77}, END = 1.156;

typedef struct toy {
    double mu, before, plain, theta[PARTS];
    double trace[MOST], change;
    int iterations, back, e_steps;
    double enough;   /* a smaller change is the end; 0: 1e-9 */
    double stretch;  /* a step ahead goes this many times as far as the M step */
    int fail_at;     /* the E step that fails */
    int singular_at; /* the M step that finds nothing */
    int stop_at;     /* the E step in which the listener says stop */
    dlpi_listener *listener;
} toy;

static dlp_status e_step(void *model, double *objective, dlp_error *why)
{
    toy *t = model;
    *objective = NAN;
    if (++t->e_steps == t->fail_at) return dlp_fail(why, DLP_EINPUT, "part 3 is wrong");
    if (t->e_steps == t->stop_at) t->listener->stopped = true;
    if (t->listener->stopped) return DLP_OK;
    *objective = 0;
    for (int m = 0; m < PARTS; m++) {
        t->theta[m] = 0.5 * (x[m] + t->mu);
        *objective -= 0.25 * (x[m] - t->mu) * (x[m] - t->mu);
    }
    return DLP_OK;
}

static bool m_step(void *model)
{
    toy *t = model;
    if (t->iterations + 1 == t->singular_at) return false;
    t->before = t->mu;
    t->mu = 0;
    for (int m = 0; m < PARTS; m++) t->mu += t->theta[m] / PARTS;
    return true;
}

static double record(void *model, int iteration, double objective)
{
    toy *t = model;
    assert_int_equal(iteration, t->iterations + 1);
    t->trace[t->iterations++] = objective;
    return t->change = fabs(t->mu - t->before);
}

static dlp_outcome ended(const void *model)
{
    const toy *t = model;
    return t->change < fmax(t->enough, 1e-9) ? DLP_CONVERGED : DLP_RUNNING;
}

static bool step_ahead(void *model)
{
    toy *t = model;
    t->plain = t->mu;
    t->mu = t->before + t->stretch * (t->mu - t->before);
    return true;
}

static void step_back(void *model)
{
    toy *t = model;
    t->mu = t->plain;
    t->back++;
}

static const dlpi_em_type plain = {
    .e_step = e_step, .m_step = m_step, .record = record, .ended = ended};
static const dlpi_em_type fast = {.e_step = e_step,
                                  .m_step = m_step,
                                  .record = record,
                                  .ended = ended,
                                  .step_ahead = step_ahead,
                                  .step_back = step_back};

static dlpi_em run(toy *t, const dlpi_em_type *type, dlpi_listener *listener)
{
    dlpi_em em = {
        .type = type, .model = t, .listener = listener, .max_iter = MOST, .slack = 1e-12};
    t->listener = listener;
    assert_ok(dlpi_em_run(&em, error));
    return em;
}

static void it_ends_where_it_should(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    toy t = {.mu = 100};
    dlpi_em em = run(&t, &plain, &nobody);
    assert_int_equal(em.outcome, DLP_CONVERGED);
    assert_int_equal(em.iterations, t.iterations);
    assert_near(t.mu, END, 1e-8);
    for (int i = 1; i < t.iterations; i++) assert_true(t.trace[i] >= t.trace[i - 1]);
    const int slow = t.iterations;
    t = (toy){.mu = 100, .stretch = 1.9};
    em = run(&t, &fast, &nobody);
    assert_int_equal(em.outcome, DLP_CONVERGED);
    assert_near(t.mu, END, 1e-8);
    assert_true(t.iterations < slow);
}

/* Steps that lead astray are undone, one by one, and the objective never falls. */
static void steps_astray_are_taken_back(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    /* while the objective shows it: it is flat at its end */
    toy t = {.mu = 100, .stretch = -7, .enough = 1e-5};
    const dlpi_em em = run(&t, &fast, &nobody);
    assert_int_equal(em.outcome, DLP_CONVERGED);
    assert_near(t.mu, END, 1e-4);
    assert_true(t.back > 5);
    for (int i = 1; i < t.iterations; i++)
        assert_true(t.trace[i] >= t.trace[i - 1] - 1e-9);
}

/* A step may lose slack times 1 + |objective|, and no more. */
static void a_loss_within_the_slack_is_kept(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    toy first = {.mu = 3, .listener = &nobody};
    dlpi_em em = {.type = &plain, .model = &first, .listener = &nobody, .max_iter = 1};
    assert_ok(dlpi_em_run(&em, error));
    const double stretch = 6, to = 3 + stretch * (first.mu - 3);
    double there = 0;
    for (int m = 0; m < PARTS; m++) there -= 0.25 * (x[m] - to) * (x[m] - to);
    const double lost = (first.trace[0] - there) / (1 + fabs(first.trace[0]));
    assert_true(lost > 0);
    for (int i = 0; i < 2; i++) {
        toy t = {.mu = 3, .stretch = stretch, .listener = &nobody};
        em = (dlpi_em){.type = &fast,
                       .model = &t,
                       .listener = &nobody,
                       .max_iter = 2,
                       .slack = lost * (i == 0 ? 1.001 : 0.999)};
        assert_ok(dlpi_em_run(&em, error));
        assert_int_equal(t.back, i);
    }
}

static void it_ends_otherwise_too(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    toy t = {.mu = 100, .singular_at = 3};
    assert_int_equal(run(&t, &plain, &nobody).outcome, DLP_DIVERGED);
    assert_int_equal(t.iterations, 2);
    t = (toy){.mu = NAN};
    assert_int_equal(run(&t, &plain, &nobody).outcome, DLP_DIVERGED);
    assert_int_equal(t.iterations, 0);
    t = (toy){.mu = 100, .fail_at = 4, .listener = &nobody};
    dlpi_em em = {.type = &plain, .model = &t, .listener = &nobody, .max_iter = MOST};
    assert_fails(dlpi_em_run(&em, error), DLP_EINPUT, "part 3 is wrong");
    assert_int_equal(t.iterations, 3);
    t = (toy){.mu = 100, .listener = &nobody};
    em = (dlpi_em){.type = &plain, .model = &t, .listener = &nobody, .max_iter = 5};
    assert_ok(dlpi_em_run(&em, error));
    assert_int_equal(em.outcome, DLP_MAX_ITERATIONS);
    assert_int_equal(t.iterations, 5);
}

static int stop_at_third(void *context, const dlp_progress *p)
{
    *(int *)context = p->iteration;
    return p->iteration == 3;
}

/* After an iteration, which counts, or in an E step, which does not. */
static void it_can_be_stopped(void **state)
{
    (void)state;
    int heard = 0;
    dlpi_listener listener = {.call = stop_at_third, .context = &heard};
    toy t = {.mu = 100};
    assert_int_equal(run(&t, &plain, &listener).outcome, DLP_CANCELLED);
    assert_int_equal(t.iterations, 3);
    assert_int_equal(heard, 3);
    dlpi_listener other = {0};
    t = (toy){.mu = 100, .stretch = 1.9, .stop_at = 3};
    assert_int_equal(run(&t, &fast, &other).outcome, DLP_CANCELLED);
    assert_int_equal(t.iterations, 2);
    assert_int_equal(t.back, 0);
}

/* M step, then E step: the last recorded objective is that of the last mu. */
static void the_m_step_may_come_first(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    dlpi_em_type first = plain;
    first.m_step_first = true;
    toy t = {.mu = 100, .before = 100}, other = {.mu = 100};
    t.listener = other.listener = &nobody;
    dlpi_em em = {.type = &first, .model = &t, .listener = &nobody, .max_iter = 6},
            same = {.type = &plain, .model = &other, .listener = &nobody, .max_iter = 6};
    t.change = 1;
    for (int i = 0; i < 6; i++) {
        em.outcome = same.outcome = DLP_RUNNING;
        assert_ok(dlpi_em_step(&em, error));
        assert_ok(dlpi_em_step(&same, error));
        assert_true(t.trace[i] == other.trace[i]);
        if (i == 0) t.change = 1; /* nothing has moved yet */
    }
    assert_true(t.mu == other.before);
}

/* Coordinate ascent: an iteration is an E step, which moves everything. */
static dlp_status all_in_one(void *model, double *objective, dlp_error *why)
{
    const dlp_status status = e_step(model, objective, why);
    if (status == DLP_OK) (void)m_step(model);
    return status;
}

static bool far_from_the_last(const void *model)
{
    const toy *t = model;
    return !(fabs(t->mu - t->before) <= 3 * t->change);
}

static const dlpi_em_type sweeps = {.e_step = all_in_one,
                                    .record = record,
                                    .ended = ended,
                                    .step_ahead = step_ahead,
                                    .step_back = step_back,
                                    .strays = far_from_the_last};

static void an_m_step_is_optional(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    dlpi_em_type alone = sweeps;
    alone.step_ahead = NULL;
    toy t = {.mu = 100}, other = {.mu = 100};
    assert_int_equal(run(&t, &alone, &nobody).outcome, DLP_CONVERGED);
    assert_int_equal(run(&other, &plain, &nobody).outcome, DLP_CONVERGED);
    assert_int_equal(t.iterations, other.iterations);
    assert_true(t.mu == other.mu);
    t = (toy){.mu = 100, .fail_at = 4, .listener = &nobody};
    dlpi_em em = {.type = &alone, .model = &t, .listener = &nobody, .max_iter = MOST};
    assert_fails(dlpi_em_run(&em, error), DLP_EINPUT, "part 3 is wrong");
    assert_int_equal(t.iterations, 3);
}

/* Where the objective need not rise, the model says which steps lead astray. One that ends
   in an error is one of them: without it there is an answer. */
static void the_model_may_judge_its_steps(void **state)
{
    (void)state;
    dlpi_listener nobody = {0};
    toy t = {.mu = 100, .stretch = 1.9};
    assert_int_equal(run(&t, &sweeps, &nobody).outcome, DLP_CONVERGED);
    assert_int_equal(t.back, 0);
    assert_int_equal(t.e_steps, t.iterations);
    t = (toy){.mu = 100, .stretch = -7, .enough = 1e-5};
    assert_int_equal(run(&t, &sweeps, &nobody).outcome, DLP_CONVERGED);
    assert_near(t.mu, END, 1e-4);
    assert_true(t.back > 5);
    assert_int_equal(t.e_steps, t.iterations + t.back);
    t = (toy){.mu = 100, .stretch = 1.9, .fail_at = 4};
    assert_int_equal(run(&t, &sweeps, &nobody).outcome, DLP_CONVERGED);
    assert_int_equal(t.back, 1);
    assert_near(t.mu, END, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_ends_where_it_should),
        cmocka_unit_test(steps_astray_are_taken_back),
        cmocka_unit_test(a_loss_within_the_slack_is_kept),
        cmocka_unit_test(it_ends_otherwise_too),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(the_m_step_may_come_first),
        cmocka_unit_test(an_m_step_is_optional),
        cmocka_unit_test(the_model_may_judge_its_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton and L-BFGS on functions without a maximum, with derivatives that lie, with walls
 * and holes, or that are no functions at all: they must soon end with the right outcome,
 * at a finite point no worse than the start.
 */
#include "optim_run.h"

/* All functions below are of one variable. */
static double answer(void *m, double f, double g, double h, double *grad, dlp_sym *hess)
{
    note(m);
    if (grad) grad[0] = g;
    set(hess, 0, 0, h);
    return f;
}

static double flat(void *m, const double *x, double *grad, dlp_sym *hess)
{
    (void)x;
    return answer(m, 2.385, 0, 0, grad, hess);
}

static double linear(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, 0.37 * x[0], 0.37, 0, grad, hess);
}

static double exponential(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, exp(x[0]), exp(x[0]), exp(x[0]), grad, hess);
}

static double logarithm(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, log(x[0]), 1 / x[0], -1 / (x[0] * x[0]), grad, hess);
}

/* Rises to 0, but only at infinity: separable data without a prior. */
static double asymptote(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, -exp(-x[0]), exp(-x[0]), -exp(-x[0]), grad, hess);
}

static double kink(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, -fabs(x[0]), x[0] > 0 ? -1 : 1, 0, grad, hess);
}

static double plateau(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double beyond = fmax(0, fabs(x[0]) - 1);
    return answer(m, -beyond * beyond, -2 * copysign(beyond, x[0]), beyond > 0 ? -2 : 0,
                  grad, hess);
}

static double nan_everywhere_else(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = m;
    const double f = x[0] == r->start_at ? 1.7 : NAN;
    return answer(m, f, 2.385 * f, -f, grad, hess);
}

static double nan_gradient_elsewhere(void *m, const double *x, double *grad,
                                     dlp_sym *hess)
{
    const record *r = m;
    return answer(m, -x[0] * x[0], x[0] == r->start_at ? -2 * x[0] : NAN, -2, grad, hess);
}

static double infinite_gradient_elsewhere(void *m, const double *x, double *grad,
                                          dlp_sym *hess)
{
    const record *r = m;
    return answer(m, -x[0] * x[0], x[0] == r->start_at ? -2 * x[0] : INFINITY, -2, grad,
                  hess);
}

/* The supremum is at the wall. */
static double up_to_nan(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, x[0] < 1 ? x[0] : NAN, 1, 0, grad, hess);
}

static double up_to_minus_infinity(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, x[0] < 1 ? x[0] - x[0] * x[0] / 8 : -INFINITY, 1 - x[0] / 4, -0.25,
                  grad, hess);
}

static double up_to_infinity(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double left = 1 - x[0];
    return answer(m, left > 0 ? -log(left) : INFINITY, 1 / left, 1 / (left * left), grad,
                  hess);
}

/* A maximum at 0.2, and +inf beyond 3 that must not attract anyone. */
static double infinity_far_away(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 0.2;
    return answer(m, x[0] > 3 ? INFINITY : -e * e, -2 * e, -2, grad, hess);
}

/* The maximum itself is missing. */
static double hole(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, fabs(e) < 1e-7 ? NAN : -e * e, -2 * e, -2, grad, hess);
}

static double wrong_gradient_sign(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, 2 * e, -2, grad, hess);
}

static double zero_gradient(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, 0, -2, grad, hess);
}

static double wrong_hessian_sign(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, -2 * e, 2, grad, hess);
}

static double zero_hessian(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, -2 * e, 0, grad, hess);
}

static double nan_hessian(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, -2 * e, NAN, grad, hess);
}

static double infinite_hessian(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] - 1;
    return answer(m, -e * e, -2 * e, -INFINITY, grad, hess);
}

static double nan_hessian_elsewhere(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = m;
    const double e = x[0] - 1;
    return answer(m, -e * e, -2 * e, x[0] == r->start_at ? -1 : NAN, grad, hess);
}

static double noise(void *m, const double *x, double *grad, dlp_sym *hess)
{
    record *r = m;
    const double f = dlp_draw_normal(&r->rng), g = dlp_draw_normal(&r->rng);
    (void)x;
    return answer(m, f, g, dlp_draw_normal(&r->rng), grad, hess);
}

/* A parabola known to three digits. */
static double blurred(void *m, const double *x, double *grad, dlp_sym *hess)
{
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    dlp_rng rng = dlp_rng_at(bits, 1);
    return answer(m, -x[0] * x[0] + 1e-3 * dlp_draw_normal(&rng), -2 * x[0], -2, grad,
                  hess);
}

/* Steps of 0.1; the derivatives are those of the parabola behind it. */
static double stairs(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double level = floor(10 * fabs(x[0])) / 10;
    return answer(m, -level * level, -2 * x[0], -2, grad, hess);
}

static double jump(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const double e = x[0] + 1;
    return answer(m, x[0] > 0 ? 7 - x[0] * x[0] : -e * e, x[0] > 0 ? -2 * x[0] : -2 * e,
                  -2, grad, hess);
}

static double enormous(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, -1e290 * x[0] * x[0], -2e290 * x[0], -2e290, grad, hess);
}

static double tiny(void *m, const double *x, double *grad, dlp_sym *hess)
{
    return answer(m, -1e-290 * x[0] * x[0], -2e-290 * x[0], -2e-290, grad, hess);
}

/* Outcomes as a set. */
#define SET(outcome) (1u << (outcome))
enum {
    CONVERGED = SET(DLP_CONVERGED),
    MAX_ITERATIONS = SET(DLP_MAX_ITERATIONS),
    NOT_CONCAVE = SET(DLP_NOT_CONCAVE),
    DIVERGED = SET(DLP_DIVERGED),
    STALLED = SET(DLP_STALLED),
    GAVE_UP = MAX_ITERATIONS | NOT_CONCAVE | STALLED,
    ANY = GAVE_UP | CONVERGED | DIVERGED
};

typedef struct trap {
    const char *name;
    dlp_function *f;
    double start;
    unsigned outcomes[N_SOLVERS]; /* 0: cannot be started */
    long most;                    /* evaluations */
} trap;

static const trap traps[] = {
    {"flat", flat, 0.3, {NOT_CONCAVE, CONVERGED, CONVERGED}, 3},
    {"linear", linear, 0.3, {DIVERGED, DIVERGED, DIVERGED}, 30},
    {"exponential", exponential, 0.3, {DIVERGED, DIVERGED, DIVERGED}, 100},
    {"logarithm", logarithm, 0.3, {DIVERGED, DIVERGED, DIVERGED}, 150},
    {"asymptote", asymptote, 0.3, {GAVE_UP, GAVE_UP, GAVE_UP}, 2001},
    {"kink", kink, 3.7, {GAVE_UP, GAVE_UP | CONVERGED, GAVE_UP | CONVERGED}, 2000},
    {"plateau", plateau, 5, {NOT_CONCAVE, CONVERGED, CONVERGED}, 10},
    {"NaN everywhere else", nan_everywhere_else, 0.3, {STALLED, STALLED, STALLED}, 41},
    {"NaN gradient elsewhere",
     nan_gradient_elsewhere,
     0.3,
     {STALLED, STALLED, STALLED},
     81},
    {"infinite gradient",
     infinite_gradient_elsewhere,
     0.3,
     {STALLED, STALLED, STALLED},
     81},
    {"up to NaN", up_to_nan, 0.3, {GAVE_UP, GAVE_UP, GAVE_UP}, 2000},
    {"up to -inf", up_to_minus_infinity, 0.3, {GAVE_UP, GAVE_UP, GAVE_UP}, 2000},
    {"up to +inf",
     up_to_infinity,
     0.3,
     {GAVE_UP | DIVERGED, GAVE_UP | DIVERGED, GAVE_UP | DIVERGED},
     2000},
    {"+inf far away", infinity_far_away, -8, {CONVERGED, CONVERGED, CONVERGED}, 20},
    {"a hole", hole, 1 - 5e-7, {CONVERGED, ANY, ANY}, 1000},
    {"gradient of the wrong sign",
     wrong_gradient_sign,
     0.3,
     {STALLED, STALLED, STALLED},
     41},
    {"zero gradient", zero_gradient, 0.3, {CONVERGED, CONVERGED, CONVERGED}, 2},
    {"Hessian of the wrong sign",
     wrong_hessian_sign,
     0.3,
     {NOT_CONCAVE, CONVERGED, CONVERGED},
     200},
    {"zero Hessian", zero_hessian, 0.3, {NOT_CONCAVE, CONVERGED, CONVERGED}, 50},
    {"NaN Hessian", nan_hessian, 0.3, {NOT_CONCAVE, CONVERGED, 0}, 10},
    {"NaN Hessian elsewhere",
     nan_hessian_elsewhere,
     0.3,
     {STALLED, CONVERGED, CONVERGED},
     81},
    {"infinite Hessian", infinite_hessian, 0.3, {NOT_CONCAVE, CONVERGED, 0}, 10},
    {"a blurred parabola", blurred, 3.7, {ANY, ANY, ANY}, 200},
    {"stairs", stairs, 3.73, {CONVERGED, ANY, ANY}, 200},
    {"a jump", jump, -3.7, {ANY, ANY, ANY}, 100},
    {"enormous", enormous, 3.7, {CONVERGED, ANY, ANY}, 60},
    {"tiny", tiny, 3.7, {CONVERGED, ANY, ANY}, 60},
};

static void check_end(const trap *t, const run *r, solver by)
{
    if (SET(r->outcome) & t->outcomes[by]) return;
    print_error("%s, %s: %s at x = %g\n", t->name, solver_name[by],
                dlp_outcome_name(r->outcome), r->o.at.x[0]);
    fail();
}

static void traps_end_with_the_right_word(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof traps / sizeof *traps; k++)
        for (solver by = 0; by < N_SOLVERS; by++) {
            const trap *t = &traps[k];
            run r;
            if (!t->outcomes[by]) continue;
            start(&r, t->f, dlp_shape_dense(1), &t->start, 1);
            solve(&r, by, 2000);
            check_end(t, &r, by);
            check_sound(&r, t->name, by, t->most);
            dlpi_optim_free(&r.o);
        }
}

static void few_iterations_are_few_evaluations(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof traps / sizeof *traps; k++)
        for (solver by = 0; by < N_SOLVERS; by++) {
            run r;
            if (!traps[k].outcomes[by]) continue;
            start(&r, traps[k].f, dlp_shape_dense(1), &traps[k].start, 1);
            solve(&r, by, 1);
            check_sound(&r, traps[k].name, by, 81);
            dlpi_optim_free(&r.o);
        }
}

static void noise_is_survived(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++)
        for (solver by = 0; by < N_SOLVERS; by++) {
            const double x = 0.3;
            run r;
            start(&r, noise, dlp_shape_dense(1), &x, 1);
            r.record.rng = dlp_rng_at(seed, 9);
            solve(&r, by, 200);
            check_sound(&r, "noise", by, 2000);
            dlpi_optim_free(&r.o);
        }
}

/* -x'x / 2, whose Hessian has NaN off its diagonal. */
static double half_a_hessian(void *m, const double *x, double *grad, dlp_sym *hess)
{
    note(m);
    for (int i = 0; i < 2; i++) {
        if (grad) grad[i] = -x[i];
        set(hess, i, i, -1);
    }
    set(hess, 0, 1, NAN);
    return -0.5 * (x[0] * x[0] + x[1] * x[1]);
}

static void nan_beside_the_diagonal_is_seen(void **state)
{
    (void)state;
    const double x[] = {0.3, -0.7};
    run r;
    start(&r, half_a_hessian, dlp_shape_dense(2), x, 1);
    solve(&r, NEWTON, 200);
    assert_int_equal(r.outcome, DLP_NOT_CONCAVE);
    assert_int_equal(r.o.failed, 1);
    check_sound(&r, "NaN beside the diagonal", NEWTON, 1);
    dlpi_optim_free(&r.o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traps_end_with_the_right_word),
        cmocka_unit_test(few_iterations_are_few_evaluations),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(nan_beside_the_diagonal_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

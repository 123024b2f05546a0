/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton and L-BFGS on functions that have a maximum: they must find it, and quickly. The
 * functions that are out to fool them are in test_optim_hostile.c.
 */
#include "optim_run.h"

enum { MOST = 100 };

/* -1/2 sum_i c_i (x_i - 2.385 - i)^2 with c from 1 to 1e12. */
static double ill_conditioned(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = note(m);
    double f = 0;
    clear(hess);
    for (dlp_index i = 0; i < r->n; i++) {
        const double c = pow(10, 12.0 * (double)i / (double)(r->n - 1));
        const double e = x[i] - 2.385 - (double)i;
        f -= 0.5 * c * e * e;
        if (grad) grad[i] = -c * e;
        set(hess, i, i, -c);
    }
    return f;
}

/* The same with neighbours coupled, and coordinate i in units of 8^(i-4). */
static double badly_scaled(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = note(m);
    double f = 0;
    clear(hess);
    if (grad) memset(grad, 0, sizeof(double) * (size_t)r->n);
    for (dlp_index i = 0; i < r->n; i++) {
        const double u = ldexp(1, 3 * (int)i - 12), v = ldexp(1, 3 * (int)i - 9);
        const double e = x[i] / u - 1.37;
        f -= 0.5 * e * e;
        if (grad) grad[i] -= e / u;
        if (hess) hess->a[i * r->n + i] -= 1 / (u * u);
        if (i + 1 == r->n) continue;
        const double c = x[i] / u + x[i + 1] / v - 2.74;
        f -= 0.5 * c * c;
        if (grad) grad[i] -= c / u;
        if (grad) grad[i + 1] -= c / v;
        if (hess) hess->a[i * r->n + i] -= 1 / (u * u);
        if (hess) hess->a[(i + 1) * r->n + i + 1] -= 1 / (v * v);
        set(hess, i, i + 1, -1 / (u * v));
    }
    return f;
}

/* -sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2 */
static double rosenbrock(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = note(m);
    double f = 0;
    clear(hess);
    if (grad) memset(grad, 0, sizeof(double) * (size_t)r->n);
    for (dlp_index i = 0; i + 1 < r->n; i++) {
        const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        f -= 100 * a * a + b * b;
        if (grad) grad[i] += 400 * a * x[i] + 2 * b;
        if (grad) grad[i + 1] -= 200 * a;
        if (!hess) continue;
        hess->a[i * r->n + i] += 400 * a - 800 * x[i] * x[i] - 2;
        hess->a[(i + 1) * r->n + i + 1] -= 200;
        set(hess, i, i + 1, 400 * x[i]);
    }
    return f;
}

/* A logistic regression: 40 rows, labels from the side of a plane, x / unit ~ N(0, 4). */
static double logistic_regression(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = note(m);
    dlp_rng rng = dlp_rng_at(17, 4);
    double f = 0, row[MOST] = {0};
    clear(hess);
    for (dlp_index i = 0; i < r->n; i++) {
        f -= x[i] * x[i] / (8 * r->unit * r->unit);
        if (grad) grad[i] = -x[i] / (4 * r->unit * r->unit);
        set(hess, i, i, -0.25 / (r->unit * r->unit));
    }
    for (int k = 0; k < 40; k++) {
        double s = 0;
        for (dlp_index i = 0; i < r->n; i++)
            s += x[i] * (row[i] = dlp_draw_normal(&rng) / r->unit);
        const double side =
            (row[0] + 0.8 * row[1]) * r->unit + 0.5 * dlp_draw_normal(&rng);
        const double y = side > 0, p = dlp_logistic(s);
        f += dlp_log_logistic(y > 0 ? s : -s);
        for (dlp_index i = 0; i < r->n; i++) {
            if (grad) grad[i] += (y - p) * row[i];
            for (dlp_index j = 0; hess && j < r->n; j++)
                hess->a[i * r->n + j] -= p * (1 - p) * row[i] * row[j];
        }
    }
    return f;
}

/* 7 x - exp x: steep on one side, nearly straight on the other. */
static double poisson(void *m, const double *x, double *grad, dlp_sym *hess)
{
    note(m);
    if (grad) grad[0] = 7 - exp(x[0]);
    set(hess, 0, 0, -exp(x[0]));
    return 7 * x[0] - exp(x[0]);
}

/* log x - x / 2.385: NaN from 0 down. */
static double behind_a_wall(void *m, const double *x, double *grad, dlp_sym *hess)
{
    note(m);
    if (!(x[0] > 0)) return NAN;
    if (grad) grad[0] = 1 / x[0] - 1 / 2.385;
    set(hess, 0, 0, -1 / (x[0] * x[0]));
    return log(x[0]) - x[0] / 2.385;
}

/* -1/2 (x-3)^2 - 1/2 (y+1)^2 within x + y < 4, -inf beyond: the maximum is inside. */
static double within_bounds(void *m, const double *x, double *grad, dlp_sym *hess)
{
    note(m);
    if (x[0] + x[1] >= 4) return -INFINITY;
    const double a = x[0] - 3, b = x[1] + 1;
    if (grad) grad[0] = -a * a * a - a;
    if (grad) grad[1] = -b;
    set(hess, 0, 0, -3 * a * a - 1);
    set(hess, 0, 1, 0);
    set(hess, 1, 1, -1);
    return -0.25 * a * a * a * a - 0.5 * a * a - 0.5 * b * b;
}

/* -3 log(1 + (x - 0.7)^2): not concave beyond 0.7 +- 1. */
static double heavy_tails(void *m, const double *x, double *grad, dlp_sym *hess)
{
    note(m);
    const double e = x[0] - 0.7, q = 1 + e * e;
    if (grad) grad[0] = -6 * e / q;
    set(hess, 0, 0, -6 * (1 - e * e) / (q * q));
    return -3 * log(q);
}

/* s^2 - s^4 - sum of t_i^2, (s, t) = x / unit: a saddle at 0, maxima at s = +-1/sqrt 2. */
static double saddle(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const record *r = note(m);
    const double u = r->unit, s = x[0] / u;
    double f = s * s - s * s * s * s;
    clear(hess);
    if (grad) grad[0] = (2 * s - 4 * s * s * s) / u;
    set(hess, 0, 0, (2 - 12 * s * s) / (u * u));
    for (dlp_index i = 1; i < r->n; i++) {
        f -= x[i] * x[i] / (u * u);
        if (grad) grad[i] = -2 * x[i] / (u * u);
        set(hess, i, i, -2 / (u * u));
    }
    return f;
}

/* c'x - 50 log sum exp(x) - x'x / 2, whose -H is diag(50 pi + 1) - 50 pi pi'. */
static double multinomial(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const dlp_index n = note(m)->n;
    const double total = dlp_logsumexp(n, x);
    double f = -50 * total, pi[MOST] = {0};
    for (dlp_index i = 0; i < n; i++) {
        const double c = 50 * (double)(i + 1) / (0.5 * (double)(n * (n + 1)));
        pi[i] = exp(x[i] - total);
        f += c * x[i] - 0.5 * x[i] * x[i];
        if (grad) grad[i] = c - 50 * pi[i] - x[i];
    }
    if (hess && hess->shape.structure == DLP_LOW_RANK) {
        for (dlp_index i = 0; i < n; i++) dlp_sym_diag(hess)[i] = -50 * pi[i] - 1;
        dlp_sym_core(hess)[0] = 50;
        memcpy(dlp_sym_low_rank(hess), pi, sizeof(double) * (size_t)n);
    } else {
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j <= i; j++)
                set(hess, i, j, 50 * pi[i] * pi[j] - (i == j ? 50 * pi[i] + 1 : 0));
    }
    return f;
}

/* sqrt(g' (-H)^-1 g): how far the maximum is, in standard deviations. */
static double distance_left(const run *r, dlp_function *f)
{
    const dlp_index n = r->o.n;
    record calls = {.n = n, .unit = r->record.unit};
    dlp_sym H = {0};
    double grad[MOST] = {0};
    real *A = allocate(n * n, sizeof *A), *inverse = allocate(n * n, sizeof *inverse),
         sum = 0;
    assert_ok(dlp_sym_alloc(dlp_shape_dense(n), &H, error));
    f(&calls, r->o.at.x, grad, &H);
    for (dlp_index i = 0; i < n * n; i++) A[i] = -H.a[i];
    naive_inverse(n, A, inverse);
    for (dlp_index i = 0; i < n * n; i++) sum += grad[i / n] * inverse[i] * grad[i % n];
    dlp_sym_free(&H);
    free(A);
    free(inverse);
    return (double)sqrtl(fabsl(sum));
}

typedef struct problem {
    const char *name;
    dlp_function *f;
    dlp_index n;
    double unit;
    double start[10]; /* in that unit; the rest is zero */
    double maximum[10];
    bool known;           /* ... is the maximum */
    long most[N_SOLVERS]; /* evaluations; 0: not asked */
} problem;

#define UNKNOWN   {0}, false
#define LOG_7     1.945910149055313305105
#define SQRT_HALF 0.70710678118654752

static const problem problems[] = {
    {"ill-conditioned",
     ill_conditioned,
     5,
     1,
     {0},
     {2.385, 3.385, 4.385, 5.385, 6.385},
     true,
     {3, 0, 3}},
    {"badly scaled", badly_scaled, 9, 1, {0}, UNKNOWN, {5, 0, 5}},
    {"Rosenbrock", rosenbrock, 2, 1, {-1.2, 1}, {1, 1}, true, {50, 70, 70}},
    {"Rosenbrock from afar", rosenbrock, 2, 1, {37, -120}, {1, 1}, true, {400, 200, 500}},
    {"Rosenbrock in 10 dimensions",
     rosenbrock,
     10,
     1,
     {0},
     {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     true,
     {60, 150, 300}},
    {"regression", logistic_regression, 7, 1, {0}, UNKNOWN, {8, 40, 30}},
    {"regression from afar",
     logistic_regression,
     7,
     1,
     {-40, 30, 25},
     UNKNOWN,
     {20, 50, 50}},
    {"regression in small units",
     logistic_regression,
     7,
     1e-7,
     {0},
     UNKNOWN,
     {10, 60, 40}},
    {"regression in large units",
     logistic_regression,
     7,
     1e7,
     {0},
     UNKNOWN,
     {15, 60, 40}},
    {"Poisson", poisson, 1, 1, {0}, {LOG_7}, true, {14, 20, 20}},
    {"Poisson from below", poisson, 1, 1, {-30}, {LOG_7}, true, {14, 20, 20}},
    {"Poisson from above", poisson, 1, 1, {50}, {LOG_7}, true, {60, 90, 90}},
    {"behind a wall", behind_a_wall, 1, 1, {1e-3}, {2.385}, true, {20, 20, 30}},
    {"behind a wall, from afar", behind_a_wall, 1, 1, {50}, {2.385}, true, {35, 40, 40}},
    {"within bounds", within_bounds, 2, 1, {-5, -3}, {3, -1}, true, {15, 25, 25}},
    {"heavy tails", heavy_tails, 1, 1, {30}, {0.7}, true, {20, 20, 20}},
    {"heavy tails, from afar", heavy_tails, 1, 1, {3000}, {0.7}, true, {45, 30, 30}},
    {"beside a saddle", saddle, 3, 1, {1e-3, 0.4, -0.2}, {SQRT_HALF}, true, {30, 25, 25}},
    {"on a saddle", saddle, 2, 1, {0}, {SQRT_HALF}, true, {15, 0, 0}},
    {"down to a saddle", saddle, 3, 1, {0, 1, -1}, {SQRT_HALF}, true, {20, 0, 0}},
    {"a saddle in many dimensions", saddle, MOST, 1, {0}, {SQRT_HALF}, true, {20, 0, 0}},
    {"a saddle in small units",
     saddle,
     2,
     1e-5,
     {0},
     {SQRT_HALF * 1e-5},
     true,
     {20, 0, 0}},
};

/* Within 1e-8 of the maximum, and as few standard deviations; L-BFGS, which does not know
   them, is allowed more. */
static void check_maximum(const problem *p, const run *r, solver by)
{
    const double left = distance_left(r, p->f);
    double error = 0, size = 1;
    for (dlp_index i = 0; i < p->n && p->known; i++) {
        const double want = i < 10 ? p->maximum[i] : 0;
        /* a saddle may be left on either side */
        error =
            fmax(error, fabs(i == 0 ? fabs(r->o.at.x[0]) - want : r->o.at.x[i] - want));
        size = fmax(size, fabs(want));
    }
    if (r->outcome == DLP_CONVERGED && left <= (by == NEWTON ? 1e-8 : 1e-6) &&
        error <= 1e-8 * size)
        return;
    print_error("%s, %s: %s, %g standard deviations and %g away\n", p->name,
                solver_name[by], dlp_outcome_name(r->outcome), left, error);
    fail();
}

static void maxima_are_found(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
        for (solver by = 0; by < N_SOLVERS; by++) {
            const problem *p = &problems[k];
            double x[MOST] = {0};
            run r;
            if (p->most[by] == 0) continue;
            for (int i = 0; i < 10; i++) x[i] = p->start[i] * p->unit;
            start(&r, p->f, dlp_shape_dense(p->n), x, p->unit);
            solve(&r, by, 1000);
            check_maximum(p, &r, by);
            check_sound(&r, p->name, by, p->most[by]);
            dlpi_optim_free(&r.o);
        }
}

static void structures_lead_to_the_same_maximum(void **state)
{
    (void)state;
    const dlp_index n = 23;
    for (solver by = 0; by < N_SOLVERS; by++) {
        run dense, low_rank;
        double x[MOST] = {0};
        x[3] = 4.1;
        start(&dense, multinomial, dlp_shape_dense(n), x, 1);
        start(&low_rank, multinomial, dlp_shape_low_rank(n, 1), x, 1);
        solve(&dense, by, 1000);
        solve(&low_rank, by, 1000);
        check_sound(&low_rank, "multinomial, low rank", by, 60);
        assert_int_equal(dense.outcome, DLP_CONVERGED);
        assert_int_equal(low_rank.outcome, DLP_CONVERGED);
        assert_true(distance_left(&low_rank, multinomial) < 1e-8);
        for (dlp_index i = 0; i < n; i++)
            assert_near(low_rank.o.at.x[i], dense.o.at.x[i], 1e-9);
        dlpi_optim_free(&dense.o);
        dlpi_optim_free(&low_rank.o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maxima_are_found),
        cmocka_unit_test(structures_lead_to_the_same_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

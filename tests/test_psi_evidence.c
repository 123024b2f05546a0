/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * log p(x | psi) and its gradient in psi: against differences, for Laplace's method and
 * delta's, in a band, a pattern and dense; and where all is linear against a Kalman filter.
 */
#include "infer/psi_evidence.h"

#include "support.h"

static const double log_2_pi = 1.8378770664093454836;

/* x_t ~ N(rho x_{t-1}, s^2), y_t ~ Poisson(exp(x_t)) or N(x_t, 0.49); psi = (log s, rho's
   logistic). */
enum { T = 40, M = 2 };
typedef struct series {
    bool linear;
    double s, rho;
    double y[T];
} series;

/* The entries of the prior's precision at t: its diagonal, and the one beside it, both
   times s^2; c is by how much x_1 counts, 1 - rho^2. */
static double own(const series *c, int t)
{
    return t > 0 && t + 1 < T ? 1 + c->rho * c->rho : 1;
}

static void put(dlp_sym *A, int i, int j, double v)
{
    if (A->shape.structure == DLP_BAND)
        A->a[2 * i + j - i] = v;
    else if (A->shape.structure == DLP_SPARSE)
        A->a[dlp_pattern_find(A->shape.pattern, i, j)] = v;
    else
        A->a[i * T + j] = A->a[j * T + i] = v;
}

/* x'Q x s^2 with Q the prior's precision */
static double sum_of_squares(const series *c, const double *x)
{
    double sum = 0;
    for (int t = 0; t < T; t++) {
        sum += own(c, t) * x[t] * x[t];
        if (t > 0) sum -= 2 * c->rho * x[t] * x[t - 1];
    }
    return sum;
}

static double f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const series *c = m;
    const double p = 1 / (c->s * c->s);
    double value = 0.5 * log(1 - c->rho * c->rho) - T * (log(c->s) + 0.5 * log_2_pi) -
                   0.5 * p * sum_of_squares(c, x);
    if (hess && hess->shape.structure == DLP_BLOCKS)
        memset(hess->a, 0, sizeof(double) * T * T);
    for (int t = 0; t < T; t++) {
        const double near = (t > 0 ? x[t - 1] : 0) + (t + 1 < T ? x[t + 1] : 0);
        const double rate = exp(x[t]), r = c->y[t] - x[t];
        value += c->linear ? -0.5 * (log_2_pi + log(0.49) + r * r / 0.49)
                           : c->y[t] * x[t] - rate - dlp_lgamma(c->y[t] + 1);
        if (grad)
            grad[t] = (c->linear ? r / 0.49 : c->y[t] - rate) -
                      p * (own(c, t) * x[t] - c->rho * near);
        if (!hess) continue;
        put(hess, t, t, -(c->linear ? 1 / 0.49 : rate) - p * own(c, t));
        if (t + 1 < T) put(hess, t, t + 1, p * c->rho);
    }
    return value;
}

static void trace_grad(void *m, const double *x, const dlp_sym *Sigma, double *grad)
{
    const series *c = m;
    for (int t = 0; t < T; t++)
        grad[t] = c->linear ? 0 : -exp(x[t]) * dlp_sym_entry(Sigma, t, t);
}

static void set(void *m, const double *psi)
{
    series *c = m;
    c->s = exp(psi[0]);
    c->rho = dlp_logistic(psi[1]);
}

/* by log s: x'Qx - T; by psi_2, with rho' = rho (1 - rho) */
static double derivative(void *m, dlp_index j, const double *x, double *grad,
                         dlp_sym *hess)
{
    const series *c = m;
    const double p = 1 / (c->s * c->s), slope = c->rho * (1 - c->rho);
    double value =
        j == 0 ? p * sum_of_squares(c, x) - T : -slope * c->rho / (1 - c->rho * c->rho);
    if (hess && hess->shape.structure == DLP_BLOCKS)
        memset(hess->a, 0, sizeof(double) * T * T);
    for (int t = 0; t < T; t++) {
        const double near = (t > 0 ? x[t - 1] : 0) + (t + 1 < T ? x[t + 1] : 0);
        const double inner = t > 0 && t + 1 < T ? 2 * c->rho : 0; /* of own, by rho */
        const double row = j == 0 ? 2 * p * (own(c, t) * x[t] - c->rho * near)
                                  : -slope * p * (inner * x[t] - near);
        if (j == 1) value += 0.5 * x[t] * row;
        if (grad) grad[t] = row;
        if (!hess) continue;
        put(hess, t, t, j == 0 ? 2 * p * own(c, t) : -slope * p * inner);
        if (t + 1 < T) put(hess, t, t + 1, j == 0 ? -2 * p * c->rho : slope * p);
    }
    return value;
}

static const dlp_model_type type = {.size = sizeof type,
                                    .name = "series",
                                    .f = f,
                                    .derivatives = 2,
                                    .trace_grad = trace_grad};
static const dlpi_psi psi_type = {.m = M, .set = set, .derivative = derivative};

static series make(bool linear)
{
    series c = {.linear = linear};
    dlp_rng rng = dlp_rng_at(9, linear);
    double x = dlp_draw_normal(&rng);
    for (int t = 0; t < T; t++) {
        x = 0.8 * x + 0.5 * dlp_draw_normal(&rng);
        c.y[t] = linear ? x + 0.7 * dlp_draw_normal(&rng)
                        : floor(exp(x) + dlp_draw_uniform(&rng));
    }
    return c;
}

static double kalman(const series *c, const double *psi)
{
    const double s = exp(psi[0]), rho = dlp_logistic(psi[1]);
    double mean = 0, variance = s * s / (1 - rho * rho), sum = 0;
    for (int t = 0; t < T; t++) {
        const double off = c->y[t] - mean, total = variance + 0.49;
        sum -= 0.5 * (log_2_pi + log(total) + off * off / total);
        mean = rho * (mean + variance / total * off);
        variance = rho * rho * variance * 0.49 / total + s * s;
    }
    return sum;
}

static dlp_pattern *make_pattern(void)
{
    dlp_pattern *pattern = NULL;
    dlp_index start[T] = {0};
    int32_t column[2 * T];
    for (dlp_index t = 0; t + 1 < T; t++) {
        column[2 * t] = (int32_t)t;
        column[2 * t + 1] = (int32_t)t + 1;
        start[t + 1] = 2 * t + 2;
    }
    assert_ok(dlp_pattern_from_terms(T, T - 1, start, column, &pattern, error));
    return pattern;
}

/* The gradient at psi against central differences of log p. */
static void check_gradient(dlpi_psi_evidence *e, const double *psi)
{
    const double h = 1e-4;
    double gradient[M], log_p, up, down, at[M];
    assert_ok(dlpi_psi_evidence_at(e, psi, &log_p, gradient, error));
    assert_true(isfinite(log_p));
    assert_int_equal(e->fit->result.fallbacks, 0);
    for (int j = 0; j < M; j++) {
        memcpy(at, psi, sizeof at);
        at[j] = psi[j] + h;
        assert_ok(dlpi_psi_evidence_at(e, at, &up, NULL, error));
        at[j] = psi[j] - h;
        assert_ok(dlpi_psi_evidence_at(e, at, &down, NULL, error));
        assert_near(gradient[j], (up - down) / (2 * h), 2e-6);
    }
}

static void gradients_agree_with_differences(void **state)
{
    (void)state;
    const double points[][M] = {{-0.7, 1.4}, {0.2, 0.3}, {-1.5, 2.5}};
    dlp_pattern *pattern = make_pattern();
    const dlp_shape shapes[] = {dlp_shape_band(T, 1), dlp_shape_sparse(pattern),
                                dlp_shape_dense(T)};
    double first[2][3] = {{0}};
    for (int k = 0; k < 3; k++)
        for (int method = 0; method < 2; method++) {
            series c = make(false);
            const dlp_model model = {.type = &type, .state = &c, .shape = shapes[k]};
            dlp_settings s = dlp_settings_default();
            dlpi_psi_evidence e;
            s.method = dlp_method_name(method);
            s.tol = 1e-10;
            assert_ok(dlpi_psi_evidence_alloc(&e, &model, &psi_type, &s, error));
            for (int p = 0; p < 3; p++) {
                double log_p;
                check_gradient(&e, points[p]);
                assert_ok(dlpi_psi_evidence_at(&e, points[p], &log_p, NULL, error));
                if (k == 0) first[method][p] = log_p;
                assert_close(log_p, first[method][p], 1e-9); /* in any shape */
            }
            dlpi_psi_evidence_free(&e);
        }
    dlp_pattern_free(pattern);
}

static void a_linear_model_is_exact(void **state)
{
    (void)state;
    const double psi[M] = {-0.6, 1.2}, h = 1e-5;
    series c = make(true);
    const dlp_model model = {.type = &type, .state = &c, .shape = dlp_shape_band(T, 1)};
    for (int method = 0; method < 2; method++) {
        dlpi_psi_evidence e;
        dlp_settings s = dlp_settings_default();
        double log_p, gradient[M];
        s.method = dlp_method_name(method);
        assert_ok(dlpi_psi_evidence_alloc(&e, &model, &psi_type, &s, error));
        assert_ok(dlpi_psi_evidence_at(&e, psi, &log_p, gradient, error));
        assert_near(log_p, kalman(&c, psi), 1e-10);
        for (int j = 0; j < M; j++) {
            double up[M] = {psi[0], psi[1]}, down[M] = {psi[0], psi[1]};
            up[j] += h;
            down[j] -= h;
            assert_near(gradient[j], (kalman(&c, up) - kalman(&c, down)) / (2 * h), 1e-7);
        }
        dlpi_psi_evidence_free(&e);
    }
}

static void what_has_no_evidence_says_so(void **state)
{
    (void)state;
    const double psi[M] = {NAN, 0}, fine[M] = {-0.6, 1.2};
    double log_p, gradient[M];
    series c = make(false);
    const dlp_model model = {.type = &type, .state = &c, .shape = dlp_shape_band(T, 1)};
    dlpi_psi_evidence e;
    assert_ok(dlpi_psi_evidence_alloc(&e, &model, &psi_type, NULL, error));
    assert_ok(dlpi_psi_evidence_at(&e, psi, &log_p, gradient, error));
    assert_true(log_p == -INFINITY);
    assert_ok(dlpi_psi_evidence_at(&e, fine, &log_p, gradient, error));
    assert_true(isfinite(log_p));
    assert_ok(dlpi_psi_evidence_at(&e, psi, &log_p, gradient, error));
    assert_true(log_p == -INFINITY);
    dlpi_psi_evidence_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_agree_with_differences),
        cmocka_unit_test(a_linear_model_is_exact),
        cmocka_unit_test(what_has_no_evidence_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

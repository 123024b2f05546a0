/* SPDX-License-Identifier: BSD-3-Clause */
/* A hierarchy whose groups share their scale: of gaussian groups the objective is the log of
   a marginal density, which is known, and its maximum is where EM ends. */
#include "support.h"

#include "naive.h"

enum { M = 12, N = 3, P = 2 };

typedef struct data {
    double x[M][P][N], y[M][N];
    const double *columns[M][P];
    dlp_glm_data groups[M];
} data;

static void draw(data *d, const char *family)
{
    dlp_rng rng = dlp_rng_at(11, 0);
    for (int m = 0; m < M; m++) {
        const double a = 1 + dlp_draw_normal(&rng), b = 0.5 + 0.3 * dlp_draw_normal(&rng);
        for (int i = 0; i < N; i++) {
            d->x[m][0][i] = 1;
            d->x[m][1][i] = dlp_draw_normal(&rng);
            const double eta = a + b * d->x[m][1][i], e = dlp_draw_normal(&rng);
            d->y[m][i] = !strcmp(family, "gaussian") ? eta + 0.7 * e
                         : !strcmp(family, "gamma")  ? exp(eta + 0.5 * e)
                                                     : floor(exp(eta + 0.5 * e));
        }
        for (int j = 0; j < P; j++) d->columns[m][j] = d->x[m][j];
        d->groups[m] = (dlp_glm_data){.N = N, .p = P, .x = d->columns[m], .y = d->y[m]};
    }
}

static dlp_hierarchy_settings settings(const char *method, int plain, int threads)
{
    dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    s.method = method;
    s.nu = P + 2;
    s.phi0 = 4;
    s.phi1 = 10;
    s.shared_scale = 1;
    s.plain = plain;
    s.threads = threads;
    s.tol = 1e-10;
    s.max_iter = 5000;
    return s;
}

static dlp_hierarchy *run(const char *family, data *d, const dlp_hierarchy_settings *s)
{
    dlp_hierarchy *h = NULL;
    draw(d, family);
    assert_ok(dlp_hierarchy_alloc(family, NULL, M, d->groups, s, &h, error));
    assert_ok(dlp_hierarchy_run(h, error));
    assert_int_equal(dlp_hierarchy_result_of(h)->outcome, DLP_CONVERGED);
    return h;
}

/* log N(y_m; X mu_0, X Sigma_0 X' + exp(2 tau) I) */
static double log_marginal(const data *d, int m, const double *mu0, const double *Sigma0,
                           double tau)
{
    real V[N * N], inverse[N * N], off[N], square = 0;
    for (int i = 0; i < N; i++) {
        off[i] = d->y[m][i];
        for (int j = 0; j < P; j++) off[i] -= (real)d->x[m][j][i] * mu0[j];
        for (int k = 0; k < N; k++) {
            V[i * N + k] = i == k ? (real)exp(2 * tau) : 0;
            for (int j = 0; j < P; j++)
                for (int l = 0; l < P; l++)
                    V[i * N + k] +=
                        (real)d->x[m][j][i] * Sigma0[j * (P + 1) + l] * d->x[m][l][k];
        }
    }
    const real det = V[0] * (V[4] * V[8] - V[5] * V[7]) -
                     V[1] * (V[3] * V[8] - V[5] * V[6]) +
                     V[2] * (V[3] * V[7] - V[4] * V[6]);
    naive_inverse(N, V, inverse);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) square += off[i] * inverse[i * N + k] * off[k];
    return -0.5 * (N * log(2 * PI) + log((double)det) + (double)square);
}

/* The marginal densities, the hyperpriors of two coefficients, and tau ~ N(0, 5^2). */
static double exact(const data *d, const dlp_hierarchy_settings *s, const double *mu0,
                    const double *Sigma0, double tau)
{
    const double a = Sigma0[0], b = Sigma0[1], c = Sigma0[P + 2], det = a * c - b * b;
    double sum = -0.5 * (tau * tau / 25 + log(2 * PI * 25));
    for (int m = 0; m < M; m++) sum += log_marginal(d, m, mu0, Sigma0, tau);
    sum -= log(2 * PI * s->phi1) + (mu0[0] * mu0[0] + mu0[1] * mu0[1]) / (2 * s->phi1);
    return sum - 0.5 * (s->nu - P - 1) * log(det) - 0.5 * (a + c) / det / s->phi0 -
           0.5 * s->nu * P * log(2 * s->phi0) - 0.5 * log(PI) - lgamma(0.5 * s->nu) -
           lgamma(0.5 * (s->nu - 1));
}

static void the_objective_is_the_marginal(void **state)
{
    (void)state;
    const dlp_hierarchy_settings s = settings("delta", 0, 1);
    data d;
    dlp_hierarchy *h = run("gaussian", &d, &s);
    const dlp_hierarchy_result *r = dlp_hierarchy_result_of(h);
    const double tau = r->mu0[P], step = 1e-4;
    const double top = exact(&d, &s, r->mu0, r->Sigma0, tau);
    assert_near(r->objective, top, 1e-8);
    assert_near(exact(&d, &s, r->mu0, r->Sigma0, tau + step),
                exact(&d, &s, r->mu0, r->Sigma0, tau - step), 1e-6 * step);
    for (int i = 0; i < P; i++) {
        double up[P], down[P];
        memcpy(up, r->mu0, sizeof up);
        memcpy(down, r->mu0, sizeof down);
        up[i] += step;
        down[i] -= step;
        assert_near(exact(&d, &s, up, r->Sigma0, tau),
                    exact(&d, &s, down, r->Sigma0, tau), 1e-6 * step);
    }
    dlp_hierarchy_free(h);
}

/* All groups have it, with the same uncertainty; it does not differ between them. */
static void the_scale_is_shared(void **state)
{
    (void)state;
    const dlp_hierarchy_settings s = settings("delta", 0, 1);
    const char *const families[] = {"gaussian", "gamma", "negative-binomial"};
    for (int f = 0; f < 3; f++) {
        data d;
        dlp_hierarchy *h = run(families[f], &d, &s);
        const dlp_hierarchy_result *r = dlp_hierarchy_result_of(h);
        const double variance = r->mu0_covariance[P * (P + 1) + P];
        assert_int_equal(r->n, P + 1);
        assert_true(variance > 0 && variance < 25.001);
        for (int j = 0; j <= P; j++) {
            assert_true(r->Sigma0[P * (P + 1) + j] == 0);
            assert_true(r->Sigma0[j * (P + 1) + P] == 0);
        }
        for (dlp_index m = 0; m < M; m++) {
            const dlp_group_result g = dlp_hierarchy_group(h, m);
            assert_true(g.mu[P] == r->mu0[P]);
            assert_true(g.Sigma.a[P * (P + 1) + P] == variance);
            assert_true(g.Sigma.a[P] == 0);
        }
        dlp_hierarchy_free(h);
    }
}

/* log sd of n rows around a mean has the variance 1 / (2 (n - 1)), nearly. */
static void the_variance_knows_what_was_fitted(void **state)
{
    (void)state;
    const dlp_hierarchy_settings s = settings("delta", 0, 1);
    data d;
    dlp_hierarchy *h = run("gaussian", &d, &s);
    const double variance = dlp_hierarchy_result_of(h)->mu0_covariance[P * (P + 1) + P];
    assert_true(variance > 1.0 / (2 * M * N));       /* if nothing were fitted */
    assert_true(variance < 1.0 / (2 * M * (N - P))); /* if nothing were shared */
    dlp_hierarchy_free(h);
}

/* Plain EM never falls, and Anderson steps end where it does, whatever the threads. */
static void both_routes_end_alike(void **state)
{
    (void)state;
    const char *const families[] = {"gaussian", "gamma", "negative-binomial"};
    for (int f = 0; f < 3; f++) {
        const dlp_hierarchy_settings plain = settings("delta", 1, 1),
                                     fast = settings("delta", 0, 1),
                                     threads = settings("delta", 0, 3);
        data d[3];
        dlp_hierarchy *const a = run(families[f], &d[0], &plain),
                             *const b = run(families[f], &d[1], &fast),
                             *const c = run(families[f], &d[2], &threads);
        const dlp_hierarchy_result *r = dlp_hierarchy_result_of(a),
                                   *quick = dlp_hierarchy_result_of(b),
                                   *again = dlp_hierarchy_result_of(c);
        for (int i = 1; f == 0 && i < r->iterations; i++)
            assert_true(r->trace[i].objective >= r->trace[i - 1].objective - 1e-9);
        assert_true(quick->iterations < r->iterations);
        for (int j = 0; j <= P; j++) assert_close(quick->mu0[j], r->mu0[j], 1e-5);
        assert_memory_equal(quick->mu0, again->mu0, (P + 1) * sizeof(double));
        dlp_hierarchy_free(a);
        dlp_hierarchy_free(b);
        dlp_hierarchy_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_objective_is_the_marginal),
        cmocka_unit_test(the_scale_is_shared),
        cmocka_unit_test(the_variance_knows_what_was_fitted),
        cmocka_unit_test(both_routes_end_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

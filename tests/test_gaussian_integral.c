/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact posterior of gaussian regressions beside brute force: a fine grid over tau, and
   at each of its points the textbook's formulas with an N by N matrix. */
#include "support.h"

#include "glm/integrate/gaussian_integral.h"

enum { MOST_N = 12, MOST_P = 8, GRID = 24001 };

typedef struct problem {
    dlp_index N, p;
    double x[MOST_P][MOST_N], y[MOST_N], offset[MOST_N];
    const double *columns[MOST_P];
    double mean[MOST_P], sd[MOST_P];
    dlp_glm_data data;
    dlp_glm_prior prior;
} problem;

static void make(problem *q, dlp_index N, dlp_index p, double sd)
{
    dlp_rng rng = dlp_rng_at(7, (uint64_t)(100 * N + p));
    *q = (problem){.N = N, .p = p};
    for (dlp_index j = 0; j < p; j++) {
        for (dlp_index i = 0; i < N; i++)
            q->x[j][i] = j == 0 ? 1 : (double)j * dlp_draw_normal(&rng) + 3;
        q->columns[j] = q->x[j];
        q->mean[j] = 0.3 * (double)j;
        q->sd[j] = sd / (1 + (double)j);
    }
    for (dlp_index i = 0; i < N; i++) {
        q->y[i] = 2.385 + q->x[p - 1][i] + 0.7 * dlp_draw_normal(&rng);
        q->offset[i] = 0.1 * (double)i;
    }
    q->data =
        (dlp_glm_data){.N = N, .p = p, .x = q->columns, .y = q->y, .offset = q->offset};
    q->prior = dlp_glm_prior_default();
    q->prior.mean = q->mean;
    q->prior.sd = q->sd;
}

typedef struct moments {
    double log_evidence, mu[MOST_P + 1], Sigma[(MOST_P + 1) * (MOST_P + 1)];
    dlp_margin noise; /* exp(tau) */
} moments;

/* E[beta | tau], Cov[beta | tau] and log p(y, tau), with K = X S X' + sigma^2 I. */
static double given_tau(const problem *q, double tau, dlp_sym *K, dlp_cholesky *F,
                        double *mean, double *covariance)
{
    const dlp_index N = q->N, p = q->p;
    double *k = dlp_sym_block(K, 0), off[MOST_N] = {0}, solved[MOST_N];
    for (dlp_index a = 0; a < N; a++) {
        off[a] = q->y[a] - q->offset[a];
        for (dlp_index j = 0; j < p; j++) off[a] -= q->x[j][a] * q->mean[j];
        for (dlp_index b = 0; b < N; b++) {
            k[a * N + b] = a == b ? exp(2 * tau) : 0;
            for (dlp_index j = 0; j < p; j++)
                k[a * N + b] += q->x[j][a] * q->x[j][b] * q->sd[j] * q->sd[j];
        }
    }
    assert_int_equal(dlp_cholesky_compute(F, K), -1);
    memcpy(solved, off, sizeof off);
    dlp_cholesky_solve(F, solved);
    double square = 0;
    for (dlp_index a = 0; a < N; a++) square += off[a] * solved[a];
    for (dlp_index j = 0; j < p; j++) {
        double column[MOST_N], v = q->sd[j] * q->sd[j];
        mean[j] = q->mean[j];
        for (dlp_index a = 0; a < N; a++) mean[j] += v * q->x[j][a] * solved[a];
        memcpy(column, q->x[j], sizeof column);
        dlp_cholesky_solve(F, column);
        for (dlp_index l = 0; l < p; l++) {
            double c = 0;
            for (dlp_index a = 0; a < N; a++) c += q->x[l][a] * column[a];
            covariance[j * p + l] = (j == l ? v : 0) - v * c * q->sd[l] * q->sd[l];
        }
    }
    const double z = (tau - q->prior.scale_mean) / q->prior.scale_sd;
    return -0.5 * (square + dlp_cholesky_log_det(F) + (double)N * log(2 * PI) + z * z +
                   log(2 * PI)) -
           log(q->prior.scale_sd);
}

/* From heights L of log scales tau. */
static dlp_margin margin_of_noise(const double *L, const double *tau, dlp_index stride)
{
    const double share[] = {0.025, 0.5, 0.975};
    double sum = 0, end[3] = {0}, below = 0;
    dlp_margin m = {0};
    for (int i = 0; i < GRID; i++) sum += L[i];
    for (int i = 0; i < GRID; i++) m.mean += L[i] / sum * exp(tau[i * stride]);
    for (int i = 0; i < GRID; i++) {
        const double off = exp(tau[i * stride]) - m.mean;
        m.sd += L[i] / sum * off * off;
        below += L[i] / sum;
        for (int k = 0; k < 3; k++)
            if (end[k] == 0 && below >= share[k]) end[k] = exp(tau[i * stride]);
    }
    m.sd = sqrt(m.sd);
    m.lower = end[0];
    m.median = end[1];
    m.upper = end[2];
    return m;
}

static void by_force(const problem *q, moments *out)
{
    const dlp_index p = q->p, n = p + 1;
    static double L[GRID], point[GRID][MOST_P + 1];
    double covariance[MOST_P * MOST_P], inner[MOST_P * MOST_P] = {0}, sum = 0,
                                                       most = -1e9;
    dlp_sym K = {.a = NULL};
    dlp_cholesky *F = NULL;
    assert_ok(dlp_sym_alloc(dlp_shape_dense(q->N), &K, error));
    assert_ok(dlp_cholesky_alloc(dlp_shape_dense(q->N), &F, error));
    const double lo = -14, step = 24.0 / (GRID - 1);
    *out = (moments){.log_evidence = 0};
    for (int pass = 0; pass < 2; pass++) /* heights, then weights */
        for (int i = 0; i < GRID; i++) {
            point[i][p] = lo + step * i;
            L[i] = given_tau(q, point[i][p], &K, F, point[i], covariance);
            if (pass == 0) {
                most = fmax(most, L[i]);
                continue;
            }
            L[i] = exp(L[i] - most);
            sum += L[i];
            for (dlp_index k = 0; k < p * p; k++) inner[k] += L[i] * covariance[k];
            for (dlp_index k = 0; k < n; k++) out->mu[k] += L[i] * point[i][k];
        }
    for (dlp_index k = 0; k < n; k++) out->mu[k] /= sum;
    for (int i = 0; i < GRID; i++)
        for (dlp_index j = 0; j < n; j++)
            for (dlp_index k = 0; k < n; k++)
                out->Sigma[j * n + k] +=
                    L[i] / sum * (point[i][j] - out->mu[j]) * (point[i][k] - out->mu[k]);
    for (dlp_index j = 0; j < p; j++)
        for (dlp_index k = 0; k < p; k++) out->Sigma[j * n + k] += inner[j * p + k] / sum;
    out->log_evidence = most + log(sum * step);
    out->noise = margin_of_noise(L, point[0] + p, MOST_P + 1);
    dlp_sym_free(&K);
    dlp_cholesky_free(F);
}

static void integrate(const problem *q, moments *out)
{
    dlp_glm *glm = NULL;
    assert_ok(dlp_glm_alloc("gaussian", NULL, &q->data, &q->prior, &glm, error));
    assert_true(dlp_glm_can_integrate(glm));
    assert_ok(dlp_glm_integrate(glm, out->mu, out->Sigma, &out->log_evidence, error));
    assert_ok(dlpi_gaussian_sd_margin(glm, &out->noise, error));
    dlp_glm_free(glm);
}

static void assert_same_noise(const dlp_margin *got, const dlp_margin *want)
{
    const double close = 2e-3 * want->sd; /* the spacing of nodes */
    assert_near(got->mean, want->mean, 1e-6 * want->sd);
    assert_near(got->sd, want->sd, 1e-6 * want->sd);
    assert_near(got->lower, want->lower, close);
    assert_near(got->median, want->median, close);
    assert_near(got->upper, want->upper, close);
}

static void assert_same(const moments *got, const moments *want, dlp_index n, double tol)
{
    assert_near(got->log_evidence, want->log_evidence, tol);
    for (dlp_index j = 0; j < n; j++) {
        const double sd = sqrt(want->Sigma[j * n + j]);
        assert_near(got->mu[j], want->mu[j], tol * sd);
        for (dlp_index k = 0; k < n; k++)
            assert_near(got->Sigma[j * n + k], want->Sigma[j * n + k],
                        tol * sd * sqrt(want->Sigma[k * n + k]));
    }
}

/* More rows than columns, as many, and fewer. */
static void moments_are_exact(void **state)
{
    (void)state;
    static const struct {
        dlp_index N, p;
        double sd;
    } cases[] = {{12, 2, 10}, {12, 8, 3}, {5, 5, 1}, {4, 8, 1}, {1, 1, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        problem q;
        moments got, want;
        make(&q, cases[c].N, cases[c].p, cases[c].sd);
        q.prior.scale_mean = -0.5; /* narrow, so that the grid reaches all of it */
        q.prior.scale_sd = 1.5;
        by_force(&q, &want);
        integrate(&q, &got);
        assert_same(&got, &want, q.p + 1, 1e-6);
        assert_same_noise(&got.noise, &want.noise);
    }
}

/* The same prior, stated as a covariance. */
static void covariances_are_taken(void **state)
{
    (void)state;
    problem q;
    moments got, want;
    double covariance[MOST_P * MOST_P] = {0};
    make(&q, 6, 7, 2);
    integrate(&q, &want);
    for (dlp_index j = 0; j < q.p; j++) covariance[j * q.p + j] = q.sd[j] * q.sd[j];
    q.prior.covariance = covariance;
    integrate(&q, &got);
    assert_same(&got, &want, q.p + 1, 1e-9);
}

/* A column twice: the data determine the sum, the prior the difference. */
static void collinear_columns_share(void **state)
{
    (void)state;
    problem q;
    moments m;
    make(&q, 12, 3, 2);
    memcpy(q.x[2], q.x[1], sizeof q.x[2]);
    q.mean[2] = q.mean[1];
    q.sd[2] = q.sd[1];
    integrate(&q, &m);
    const dlp_index n = 4;
    assert_near(m.mu[1], m.mu[2], 1e-9);
    assert_near(m.Sigma[n + 1] + m.Sigma[2 * n + 2] - 2 * m.Sigma[n + 2],
                2 * q.sd[1] * q.sd[1], 1e-9);
}

/* A prior so wide that it says nothing can be wider still, and a column can be in other
   units: neither changes what the data say about the other coefficients. */
static void sizes_of_many_orders_are_told_apart(void **state)
{
    (void)state;
    problem q;
    moments plain, graded;
    make(&q, 12, 4, 3);
    q.prior.mean = NULL;
    q.sd[2] = 1e5;
    integrate(&q, &plain);
    q.sd[2] = 1e13;
    integrate(&q, &graded);
    plain.log_evidence -= log(1e8);
    assert_same(&graded, &plain, 5, 1e-6);
    for (int i = 0; i < 12; i++) q.x[2][i] *= 1e9;
    integrate(&q, &graded);
    for (int k = 0; k < 5; k++) { /* back in the units before */
        graded.Sigma[2 * 5 + k] *= 1e9;
        graded.Sigma[k * 5 + 2] *= 1e9;
    }
    graded.mu[2] *= 1e9;
    plain.log_evidence -= log(1e9);
    assert_same(&graded, &plain, 5, 1e-6);
}

static void others_are_refused(void **state)
{
    (void)state;
    problem q;
    moments m;
    dlp_glm *glm = NULL;
    make(&q, 6, 3, 2);
    q.prior.df = 4;
    assert_ok(dlp_glm_alloc("gaussian", NULL, &q.data, &q.prior, &glm, error));
    assert_false(dlp_glm_can_integrate(glm));
    assert_fails(dlp_glm_integrate(glm, m.mu, m.Sigma, &m.log_evidence, error),
                 DLP_EINVAL, "Gaussian priors");
    dlp_glm_free(glm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_exact),
        cmocka_unit_test(covariances_are_taken),
        cmocka_unit_test(collinear_columns_share),
        cmocka_unit_test(sizes_of_many_orders_are_told_apart),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes over nodes against dense matrices: their covariances, the density of a Gaussian
   response that has them, moments and gradients. */
#include "glm/families/family.h"
#include "math/dense.h"
#include "math/lapack.h"
#include "mixed/block.h"
#include "support.h"

enum { MOST = 24 };

/* ---- dense matrices ---- */

static void to_dense(const dlpi_process *p, const double *Q, double *A)
{
    memset(A, 0, (size_t)(p->n * p->n) * sizeof *A);
    for (dlp_index e = 0; e < p->entries; e++) {
        assert_true(p->row[e] <= p->column[e] && p->column[e] < p->n);
        A[p->row[e] * p->n + p->column[e]] = A[p->column[e] * p->n + p->row[e]] = Q[e];
    }
}

/* The covariance of N(0, Q^-1) given A u = 0, and log |Q| there: by eigenvectors of P Q P,
   P the projection on the subspace. */
static double subspace_covariance(const dlpi_process *p, const double *Q, double *K)
{
    const dlp_index n = p->n;
    double D[MOST * MOST] = {0}, P[MOST * MOST] = {0}, T[MOST * MOST];
    double lambda[MOST], work[4 * MOST];
    to_dense(p, Q, D);
    for (dlp_index i = 0; i < n * n; i++) P[i] = i % (n + 1) == 0;
    for (dlp_index c = 0; c < p->constraints; c++) {
        double a[MOST] = {0}, square = 0;
        for (dlp_index i = p->begin[c]; i < p->begin[c + 1]; i++) {
            a[p->node[i]] = p->weight[i];
            square += p->weight[i] * p->weight[i];
        }
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < n; j++) P[i * n + j] -= a[i] * a[j] / square;
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++) {
            T[i * n + j] = 0;
            for (dlp_index k = 0; k < n; k++) T[i * n + j] += P[i * n + k] * D[k * n + j];
        }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++) {
            D[i * n + j] = 0;
            for (dlp_index k = 0; k < n; k++) D[i * n + j] += T[i * n + k] * P[k * n + j];
        }
    assert_true(dlpi_lapack_eigen(n, D, lambda, work));
    double log_det = 0;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (dlp_index k = p->constraints; k < n; k++) {
        log_det += log(lambda[k]);
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < n; j++)
                K[i * n + j] += D[k * n + i] * D[k * n + j] / lambda[k];
    }
    return log_det;
}

/* ---- one by one ---- */

static void ar1_has_its_correlations(void **state)
{
    (void)state;
    enum { N = 7 };
    const double at[N] = {0, 1, 3, 4, 10, 11, 15}, gap[N] = {0, 1, 2, 1, 0, 1, 4};
    for (int positive = 0; positive < 2; positive++)
        for (double z = -1.3; z < 2.5; z += 0.7) {
            const double numbers[] = {0.4, z};
            double Q[2 * N], K[N * N];
            dlpi_process p;
            assert_ok(dlpi_process_ar1(N, gap, positive, &p, NULL));
            const double log_det = dlpi_process_precision(&p, numbers, Q),
                         rho = dlpi_process_second(&p, z);
            assert_close(log_det, subspace_covariance(&p, Q, K), 1e-9);
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    const bool same = (i < 4) == (j < 4);
                    const double r = same ? pow(rho, fabs(at[i] - at[j])) : 0;
                    assert_near(K[i * N + j], exp(0.8) * r, 1e-9);
                }
            dlpi_process_clear(&p);
        }
}

/* Increments of a walk have variances in proportion to their lengths, and its values a
   geometric mean of 1. */
static void walks_have_their_increments(void **state)
{
    (void)state;
    enum { N = 9 };
    const double t[N] = {0, 1, 1.5, 2, 4, 5, 5.25, 7, 9}, numbers[] = {0};
    for (int order = 1; order <= 2; order++) {
        double Q[3 * N], K[N * N], sum = 0;
        dlpi_process p;
        assert_ok(dlpi_process_walk(N, t, order, &p, NULL));
        const double log_det = dlpi_process_precision(&p, numbers, Q);
        assert_near(log_det, subspace_covariance(&p, Q, K), 1e-6);
        for (int i = 0; i < N; i++) sum += log(K[i * (N + 1)]) / N;
        assert_near(sum, 0, 1e-7);
        for (int i = 0; i + 1 < N && order == 1; i++)
            assert_close(K[i * (N + 1)] + K[(i + 1) * (N + 1)] - 2 * K[i * N + i + 1],
                         (t[i + 1] - t[i]) / p.reference, 1e-6);
        for (int i = 1; i + 1 < N && order == 2; i++) { /* of slopes */
            double c[N] = {0}, variance = 0;
            c[i - 1] = 1 / (t[i] - t[i - 1]);
            c[i + 1] = 1 / (t[i + 1] - t[i]);
            c[i] = -c[i - 1] - c[i + 1];
            for (int a = 0; a < N; a++)
                for (int b = 0; b < N; b++) variance += c[a] * c[b] * K[a * N + b];
            assert_close(variance, 0.5 * (t[i + 1] - t[i - 1]) / p.reference, 1e-6);
        }
        dlpi_process_clear(&p);
    }
}

/* A square with a tail, a pair, and an island. */
enum { REGIONS = 8 };
static const dlp_index begin[REGIONS + 1] = {0, 2, 5, 7, 9, 10, 11, 12, 12},
                                       neighbour[] = {1, 3, 0, 2, 4, 1, 3, 0, 2, 1, 6, 5};

static void regions_are_scaled_part_by_part(void **state)
{
    (void)state;
    double Q[64], K[MOST * MOST];
    const double numbers[] = {0};
    dlpi_process p;
    assert_ok(dlpi_process_graph(REGIONS, begin, neighbour, false, &p, NULL));
    assert_int_equal(p.constraints, 2);
    const double log_det = dlpi_process_precision(&p, numbers, Q);
    assert_near(log_det, subspace_covariance(&p, Q, K), 1e-5);
    double sum = 0, pair = 0;
    for (int i = 0; i < 5; i++) sum += log(K[i * (REGIONS + 1)]) / 5;
    for (int i = 5; i < 7; i++) pair += log(K[i * (REGIONS + 1)]) / 2;
    assert_near(sum, 0, 1e-6);
    assert_near(pair, 0, 1e-6);
    assert_near(K[7 * (REGIONS + 1)], 1, 1e-6);
    dlpi_process_clear(&p);
}

/* b = sd (sqrt(1 - phi) v + sqrt(phi) u) */
static void bym2_mixes(void **state)
{
    (void)state;
    double Q[64], R[MOST * MOST], K[MOST * MOST];
    const double unit[] = {0}, numbers[] = {0.3, -0.8}, phi = 1 / (1 + exp(0.8));
    dlpi_process besag, bym2;
    assert_ok(dlpi_process_graph(REGIONS, begin, neighbour, false, &besag, NULL));
    dlpi_process_precision(&besag, unit, Q);
    subspace_covariance(&besag, Q, R);
    assert_ok(dlpi_process_graph(REGIONS, begin, neighbour, true, &bym2, NULL));
    const double log_det = dlpi_process_precision(&bym2, numbers, Q);
    assert_near(log_det, subspace_covariance(&bym2, Q, K), 1e-5);
    for (int i = 0; i < REGIONS; i++)
        for (int j = 0; j < REGIONS; j++)
            assert_near(K[i * 2 * REGIONS + j],
                        exp(0.6) * ((1 - phi) * (i == j) + phi * R[i * REGIONS + j]),
                        1e-6);
    dlpi_process_clear(&besag);
    dlpi_process_clear(&bym2);
}

/* ---- a response ---- */

enum { ROWS = 40, GROUPS = 4 };

typedef struct data {
    double y[ROWS], one[ROWS], x[ROWS];
    const double *X[2], *ones[1];
    int32_t node[ROWS], group[ROWS];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
} data;

static void draw_data(dlpi_process *process, dlp_index seen, const char *family,
                      bool with_groups, data *d)
{
    dlp_rng rng = dlp_rng_at(11, 5);
    for (int i = 0; i < ROWS; i++) {
        d->one[i] = 1;
        d->x[i] = dlp_draw_normal(&rng);
        d->node[i] = (int32_t)(i % seen);
        d->group[i] = (int32_t)(i / (ROWS / GROUPS));
        d->y[i] = 0.5 * d->x[i] + sin(d->node[i]) + dlp_draw_normal(&rng);
        if (!strcmp(family, "poisson")) d->y[i] = floor(exp(fmin(d->y[i], 3)));
    }
    d->X[0] = d->one;
    d->X[1] = d->x;
    d->ones[0] = d->one;
    d->term[0] = (dlpi_mixed_term){
        .L = process->n, .q = 1, .code = d->node, .x = d->ones, .process = process};
    d->term[1] = (dlpi_mixed_term){.L = GROUPS, .q = 1, .code = d->group, .x = d->ones};
    d->data = (dlpi_mixed_data){.likelihood = dlpi_family_find(family, NULL)->evaluate,
                                .scales = !strcmp(family, "gaussian"),
                                .is_linear = !strcmp(family, "gaussian"),
                                .N = ROWS,
                                .p = 2,
                                .X = d->X,
                                .y = d->y,
                                .n_terms = 1 + with_groups,
                                .term = d->term};
}

static const double precision[] = {0.04, 0, 0, 0.25}, sd_scale[] = {1, 1};
static const dlpi_mixed_prior prior = {.precision = precision,
                                       .sd_scale = sd_scale,
                                       .sd_df = 3,
                                       .correlation = 1,
                                       .tau_sd = 1};

/* log N(y; 0, X S X' + Z K Z' + G + s^2 I) */
static double exact_density(const data *d, const dlpi_process *p, const double *psi)
{
    static double V[ROWS * ROWS];
    double Q[128], K[MOST * MOST], r[ROWS];
    const dlpi_mixed_data *of = &d->data;
    const dlp_index more = dlpi_process_more(p);
    const double *rest = psi + 1 + more;
    const double groups = of->n_terms > 1 ? exp(2 * rest[0]) : 0,
                 noise = exp(2 * rest[of->n_terms - 1]);
    dlpi_process_precision(p, psi, Q);
    subspace_covariance(p, Q, K);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++)
            V[i * ROWS + j] = 1 / precision[0] + d->x[i] * d->x[j] / precision[3] +
                              K[d->node[i] * p->n + d->node[j]] +
                              (d->group[i] == d->group[j]) * groups + (i == j) * noise;
    assert_int_equal(dlpi_cholesky(ROWS, V), -1);
    memcpy(r, d->y, sizeof r);
    dlpi_cholesky_forward(ROWS, V, r);
    return -0.5 * dlpi_dot(ROWS, r, r) - 0.5 * dlpi_cholesky_log_det(ROWS, V) -
           0.5 * ROWS * log(2 * PI);
}

/* The three ways: groups as leaves, in x, and x's curvature by its pattern. */
static void check_response(dlpi_process *process, dlp_index seen, bool with_groups)
{
    static data d;
    const double psi[] = {0.2, 0.7, -0.3, 0.1};
    const dlp_index more = dlpi_process_more(process), m = 2 + more + with_groups;
    double at[4], start[64] = {0}, g[4];
    draw_data(process, seen, "gaussian", with_groups, &d);
    memcpy(at, psi, sizeof at);
    if (more == 0) memcpy(at + 1, psi + 2, 2 * sizeof *at);
    for (int way = 0; way < 3; way++) {
        dlpi_mixed model = {.data = &d.data,
                            .prior = &prior,
                            .log_det_beta = log(precision[0] * precision[3]),
                            .x = start};
        dlpi_mixed_block block;
        dlp_pattern *pattern = NULL;
        assert_ok(dlpi_hyper_layout_make(&d.data, &model.layout, NULL));
        assert_int_equal(model.layout.m, m);
        assert_ok(dlpi_mixed_rows_make(&d.data, way == 0 && with_groups ? 1 : -1,
                                       &model.rows, NULL));
        assert_ok(dlpi_constraints_make(&model.rows, &model.constraints, NULL));
        assert_ok(dlpi_mixed_pattern(&model.rows, &pattern, NULL));
        model.shape = way < 2 ? dlp_shape_dense(model.rows.n) : dlp_shape_sparse(pattern);
        model.b = start + model.rows.n;
        assert_ok(dlpi_mixed_block_alloc(&model, &block, NULL));
        assert_near(dlpi_mixed_block_at(&block, at), exact_density(&d, process, at),
                    2e-6);
        dlpi_mixed_block_invert(&block);
        dlpi_mixed_block_gradient(&block, at, g);
        for (dlp_index i = 0; i < m; i++) {
            double side[2], kept = at[i];
            for (int s = 0; s < 2; s++) {
                at[i] = kept + (s ? 1e-4 : -1e-4);
                side[s] = exact_density(&d, process, at);
            }
            at[i] = kept;
            assert_near(g[i], (side[1] - side[0]) / 2e-4, 2e-5);
        }
        dlpi_mixed_block_free(&block);
        dlp_pattern_free(pattern);
        dlpi_constraints_clear(&model.constraints);
        dlpi_mixed_rows_clear(&model.rows);
        dlpi_hyper_layout_clear(&model.layout);
    }
}

static void responses_have_exact_densities(void **state)
{
    (void)state;
    const double t[] = {0, 1, 1.5, 2, 4, 5, 5.25, 7, 9},
                 gap[] = {0, 1, 2, 1, 0, 1, 4, 1, 1};
    for (int with_groups = 0; with_groups < 2; with_groups++)
        for (int kind = 0; kind < 5; kind++) {
            dlpi_process p;
            assert_ok(kind < 2   ? dlpi_process_walk(9, t, 1 + kind, &p, NULL)
                      : kind < 3 ? dlpi_process_ar1(9, gap, false, &p, NULL)
                                 : dlpi_process_graph(REGIONS, begin, neighbour,
                                                      kind == 4, &p, NULL));
            check_response(&p, kind < 3 ? 9 : 5,
                           with_groups); /* two parts have no rows */
            dlpi_process_clear(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ar1_has_its_correlations),
        cmocka_unit_test(walks_have_their_increments),
        cmocka_unit_test(regions_are_scaled_part_by_part),
        cmocka_unit_test(bym2_mixes),
        cmocka_unit_test(responses_have_exact_densities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

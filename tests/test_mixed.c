/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed models against integrals by brute force: of a leaf, its derivatives against
   differences, of all parameters of small models. */
#include "glm/family.h"
#include "infer/explore.h"
#include "math/dense.h"
#include "math/gauss_hermite.h"
#include "mixed/beyond.h"
#include "mixed/fit.h"
#include "mixed/pairs.h"
#include "mixed/summary.h"
#include "support.h"

#include <float.h>

/* ---- rules and priors ---- */

static void hermite_rules_integrate_polynomials(void **state)
{
    (void)state;
    static const double moment[] = {1, 0.5, 0.75, 1.875, 6.5625}; /* of t^2k exp(-t^2) */
    for (int n = 1; n <= 40; n++) {
        double t[64], log_w[64];
        dlpi_gauss_hermite(n, t, log_w);
        for (int k = 0; k < 5 && 2 * k < 2 * n; k++) {
            double sum = 0, odd = 0;
            for (int i = 0; i < n; i++) {
                sum += exp(log_w[i]) * pow(t[i], 2 * k);
                odd += exp(log_w[i]) * pow(t[i], 2 * k + 1);
            }
            assert_close(sum, moment[k] * sqrt(PI), 1e-12);
            assert_near(odd, 0, 1e-12);
        }
    }
}

static void precisions_invert_covariances(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(1, 1);
    for (dlp_index q = 1; q <= 5; q++) {
        double psi[15], sd[5], R[25], P[25], work[25], U[25];
        for (int i = 0; i < 15; i++) psi[i] = dlp_draw_normal(&rng);
        const double log_det = dlpi_hyper_precision(q, psi, P, work);
        dlpi_hyper_term(q, psi, sd, R);
        for (dlp_index i = 0; i < q; i++)
            for (dlp_index j = 0; j < q; j++) {
                double product = 0;
                for (dlp_index k = 0; k < q; k++) {
                    double r = 0;
                    for (dlp_index c = 0; c < q; c++) r += R[c * q + i] * R[c * q + k];
                    product += sd[i] * sd[k] * r * P[k * q + j];
                }
                assert_near(product, i == j, 1e-9);
            }
        memcpy(U, P, sizeof U);
        assert_int_equal(dlpi_cholesky(q, U), -1);
        assert_close(log_det, dlpi_cholesky_log_det(q, U), 1e-10);
    }
}

/* exp(log prior) of a term with two effects integrates to 1. */
static void priors_are_densities(void **state)
{
    (void)state;
    const double scale[] = {2, 0.5};
    const dlpi_mixed_prior prior = {.sd_scale = scale, .sd_df = 3, .correlation = 1.5};
    const dlp_index at[] = {0}, q[] = {2};
    const dlpi_hyper_layout layout = {
        .m = 3, .n_terms = 1, .largest = 2, .at = at, .q = q, .tau = -1};
    double sum = 0;
    const double h = 0.2;
    for (double a = -9; a < 9; a += h)
        for (double b = -9; b < 9; b += h)
            for (double z = -6; z < 6; z += h) {
                const double psi[] = {a, b, z};
                sum += exp(dlpi_hyper_log_prior(&layout, &prior, psi)) * h * h * h;
            }
    assert_near(sum, 1, 1e-3);
}

/* ---- data ---- */

enum { N = 120, P = 2, G = 40, H = 6 };

typedef struct rows {
    double one[N], x[N], z[N], y[N], offset[N], weight[N], trials[N];
    const double *X[P], *slopes[2];
    int32_t g[N], h[N];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
} rows;

static rows *draw_rows(const char *family, uint64_t seed)
{
    rows *r = calloc(1, sizeof *r);
    double b[G], c[H];
    dlp_rng rng = dlp_rng_at(seed, 7);
    for (int i = 0; i < G; i++) b[i] = 1.5 * dlp_draw_normal(&rng);
    for (int i = 0; i < H; i++) c[i] = 0.5 * dlp_draw_normal(&rng);
    for (int i = 0; i < N; i++) {
        r->one[i] = 1;
        r->x[i] = dlp_draw_normal(&rng);
        r->z[i] = dlp_draw_normal(&rng);
        r->g[i] = (int32_t)(i % G);
        r->h[i] = (int32_t)(dlp_draw_uniform(&rng) * H);
        r->weight[i] = 1 + i % 3;
        r->trials[i] = 1;
        r->offset[i] = 0.1 * r->z[i];
        const double eta = 0.5 - r->x[i] + b[r->g[i]] + c[r->h[i]] + r->offset[i];
        r->y[i] = !strcmp(family, "gaussian")
                      ? eta + dlp_draw_normal(&rng)
                      : dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta));
        if (!strcmp(family, "poisson")) r->y[i] = floor(exp(0.3 * eta) + 0.5);
    }
    r->X[0] = r->one;
    r->X[1] = r->x;
    r->slopes[0] = r->one;
    r->slopes[1] = r->z;
    r->term[0] = (dlpi_mixed_term){.L = G, .q = 1, .code = r->g, .x = r->slopes};
    r->term[1] = (dlpi_mixed_term){.L = H, .q = 1, .code = r->h, .x = r->slopes};
    r->data = (dlpi_mixed_data){.likelihood = dlpi_family_find(family, NULL)->evaluate,
                                .has_scale = !strcmp(family, "gaussian"),
                                .is_linear = !strcmp(family, "gaussian"),
                                .N = N,
                                .p = P,
                                .X = r->X,
                                .y = r->y,
                                .trials = r->trials,
                                .weight = r->weight,
                                .offset = r->offset,
                                .n_terms = 2,
                                .term = r->term};
    return r;
}

/* ---- leaves ---- */

/* log of the integral over a leaf's effects, 1 or 2 of them, by a fine grid. */
static double brute_leaf(const rows *r, int g, const double *x, dlp_index q,
                         const double *Prec, double log_det, double tau)
{
    const double h = q == 1 ? 0.01 : 0.14, out = 14;
    const int steps = (int)(2 * out / h);
    double sum = DBL_MIN;
    for (int i = 0; i <= steps; i++)
        for (int j = 0; j <= (q == 1 ? 0 : steps); j++) {
            const double b[2] = {-out + h * i, q == 1 ? 0 : -out + h * j};
            double log_p = -0.5 * Prec[0] * b[0] * b[0];
            if (q == 2) log_p -= Prec[1] * b[0] * b[1] + 0.5 * Prec[3] * b[1] * b[1];
            for (int n = 0; n < N; n++) {
                if (r->g[n] != g) continue;
                dlpi_rows tile = {.n = 1, .y = &r->y[n], .trials = &r->trials[n]};
                tile.eta[0] = r->offset[n] + x[r->h[n]] + x[H] + x[H + 1] * r->x[n] +
                              b[0] + b[1] * r->z[n];
                r->data.likelihood(&tile, tau, 0);
                log_p += r->weight[n] * tile.l[0];
            }
            sum += exp(log_p);
        }
    return log(sum) + (double)q * log(h) + 0.5 * log_det - 0.5 * (double)q * log(2 * PI);
}

static void try_leaf(const char *family, dlp_index q, dlpi_leaf_rule rule,
                     double tolerance)
{
    rows *r = draw_rows(family, 3);
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    double Prec[4] = {0.5, 0.1, 0.1, 0.8}, tau = -0.2, x[H + P], b[2] = {0};
    const double log_det = q == 1 ? log(0.5) : log(0.5 * 0.8 - 0.01);
    r->term[0].q = q;
    for (int i = 0; i < H + P; i++) x[i] = 0.3 * i - 0.8;
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, rule, &work, error));
    const dlpi_leaf_prior prior = {Prec, log_det, tau};
    for (int g = 0; g < G; g += 7) {
        dlpi_leaf leaf = dlpi_leaf_integrate(work, &prior, g, x, b);
        assert_close(leaf.log_integral, brute_leaf(r, g, x, q, Prec, log_det, tau),
                     tolerance);
        /* the gradient against differences, the curvature against the gradient's, as near as
           nodes that move with x allow */
        const dlp_index m = leaf.m, support = leaf.support;
        double grad[H + P], curvature[(H + P) * (H + P)];
        memcpy(grad, leaf.gradient, (size_t)m * sizeof *grad);
        memcpy(curvature, leaf.curvature, (size_t)(m * m) * sizeof *curvature);
        for (dlp_index i = 0; i < m; i++) {
            const dlp_index at = i < support ? sorted.support[sorted.support_begin[g] + i]
                                             : H + i - support;
            double value[2], slope[2][H + P], kept = x[at];
            for (int side = 0; side < 2; side++) {
                x[at] = kept + (side ? 0.002 : -0.002);
                const dlpi_leaf near = dlpi_leaf_integrate(work, &prior, g, x, b);
                value[side] = near.log_integral;
                memcpy(slope[side], near.gradient, (size_t)m * sizeof *grad);
            }
            x[at] = kept;
            if (rule != DLPI_LEAF_LAPLACE || !strcmp(family, "gaussian"))
                assert_near(grad[i], (value[1] - value[0]) / 0.004,
                            1e-4 + 100 * tolerance);
            for (dlp_index j = i; j < m; j++)
                assert_near(curvature[i * m + j], -(slope[1][j] - slope[0][j]) / 0.004,
                            2e-3 + 100 * tolerance);
        }
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

static void leaves_are_integrated(void **state)
{
    (void)state;
    try_leaf("bernoulli", 1, DLPI_LEAF_TRAPEZOID, 5e-5);
    try_leaf("poisson", 1, DLPI_LEAF_TRAPEZOID, 5e-5);
    try_leaf("gaussian", 1, DLPI_LEAF_TRAPEZOID, 5e-5);
    try_leaf("gaussian", 1, DLPI_LEAF_LAPLACE, 1e-9);
    try_leaf("gaussian", 2, DLPI_LEAF_LAPLACE, 1e-9);
    try_leaf("bernoulli", 2, DLPI_LEAF_HERMITE, 1e-3);
}

/* ---- whole models ---- */

/* Moments of beta and sd, y ~ 1 + (1 | g), by a grid over both and the effects. */
typedef struct moments {
    double beta, beta_sd, sd, sd_sd;
} moments;

static double log_group(const double *table, int successes, int trials, double beta,
                        double sd)
{
    double sum = 0;
    (void)table;
    for (double t = -8; t <= 8; t += 0.1) {
        const double eta = beta + sd * t;
        sum += 0.1 / sqrt(2 * PI) *
               exp(-0.5 * t * t - successes * log1p(exp(-eta)) -
                   (trials - successes) * log1p(exp(eta)));
    }
    return log(sum);
}

static moments brute(int groups, const int *successes, int trials, double beta_sd,
                     double scale)
{
    double s = 0, b1 = 0, b2 = 0, s1 = 0, s2 = 0, top = -INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (double beta = -3; beta < 5; beta += 0.05)
            for (double u = -4; u < 2.5; u += 0.05) {
                double each[16], log_p, sd = exp(u);
                for (int k = 0; k <= trials; k++)
                    each[k] = log_group(NULL, k, trials, beta, sd);
                log_p = -0.5 * beta * beta / (beta_sd * beta_sd) + u -
                        2 * log1p(sd * sd / (scale * scale) / 3);
                for (int g = 0; g < groups; g++) log_p += each[successes[g]];
                if (pass == 0) {
                    top = fmax(top, log_p);
                    continue;
                }
                const double w = exp(log_p - top);
                s += w;
                b1 += w * beta;
                b2 += w * beta * beta;
                s1 += w * sd;
                s2 += w * sd * sd;
            }
    return (moments){b1 / s, sqrt(b2 / s - b1 * b1 / s / s), s1 / s,
                     sqrt(s2 / s - s1 * s1 / s / s)};
}

/* Few rows a group: where Laplace's approximation of each effect is far off. */
static void few_rows_a_group_are_exact(void **state)
{
    (void)state;
    enum { GROUPS = 60 };
    for (int trials = 2; trials <= (SANITISED ? 2 : 5); trials += 3) {
        double y[GROUPS * 5], one[GROUPS * 5];
        int32_t code[GROUPS * 5];
        int successes[GROUPS] = {0};
        dlp_rng rng = dlp_rng_at(11, (uint64_t)trials);
        for (int g = 0, n = 0; g < GROUPS; g++) {
            const double b = 2 * dlp_draw_normal(&rng);
            for (int i = 0; i < trials; i++, n++) {
                y[n] = dlp_draw_uniform(&rng) < 1 / (1 + exp(-0.8 - b));
                successes[g] += y[n] > 0;
                one[n] = 1;
                code[n] = g;
            }
        }
        const double *X[] = {one}, precision = 1 / 9.0, scale = 2.5;
        const dlpi_mixed_term term = {.L = GROUPS, .q = 1, .code = code, .x = X};
        const dlpi_mixed_data data = {.likelihood =
                                          dlpi_family_find("bernoulli", NULL)->evaluate,
                                      .N = (dlp_index)GROUPS * trials,
                                      .p = 1,
                                      .X = X,
                                      .y = y,
                                      .n_terms = 1,
                                      .term = &term};
        const dlpi_mixed_prior prior = {
            .precision = &precision, .sd_scale = &scale, .sd_df = 3, .correlation = 1};
        dlpi_mixed_settings settings = {.threads = 2};
        dlpi_mixed_result result, same;
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &result, error));
        assert_int_equal(result.outcome, DLP_CONVERGED);
        const moments exact = brute(GROUPS, successes, trials, 3, scale);
        assert_near(result.margin[0].mean, exact.beta, 0.03 * exact.beta_sd);
        assert_near(result.margin[0].sd, exact.beta_sd, 0.03 * exact.beta_sd);
        assert_near(result.effects[0].sd[0].mean, exact.sd, 0.03 * exact.sd_sd);
        assert_near(result.effects[0].sd[0].sd, exact.sd_sd, 0.03 * exact.sd_sd);
        settings.threads = 1; /* the same bits */
        assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &same, error));
        assert_memory_equal(result.margin, same.margin, sizeof *same.margin);
        assert_memory_equal(result.effects[0].mean, same.effects[0].mean,
                            GROUPS * sizeof(double));
        assert_memory_equal(result.effects[0].sd, same.effects[0].sd,
                            sizeof *same.effects[0].sd);
        dlpi_mixed_result_clear(&result);
        dlpi_mixed_result_clear(&same);
    }
}

/* A balanced Gaussian one-way layout has log p(y | psi) in closed form. */
static void gaussian_evidence_is_exact(void **state)
{
    (void)state;
    enum { GROUPS = 8, EACH = 3, ROWS = GROUPS * EACH };
    double y[ROWS], one[ROWS];
    int32_t code[ROWS];
    dlp_rng rng = dlp_rng_at(5, 5);
    for (int g = 0, n = 0; g < GROUPS; g++) {
        const double b = dlp_draw_normal(&rng);
        for (int i = 0; i < EACH; i++, n++) {
            y[n] = 2 + b + 0.7 * dlp_draw_normal(&rng);
            one[n] = 1;
            code[n] = g;
        }
    }
    const double *X[] = {one}, precision = 0.04, scale = 2.5, psi[] = {0.3, -0.2};
    const dlpi_mixed_term term = {.L = GROUPS, .q = 1, .code = code, .x = X};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("gaussian", NULL)->evaluate,
                                  .has_scale = true,
                                  .is_linear = true,
                                  .N = ROWS,
                                  .p = 1,
                                  .X = X,
                                  .y = y,
                                  .n_terms = 1,
                                  .term = &term};
    const dlpi_mixed_prior prior = {
        .precision = &precision, .sd_scale = &scale, .sd_df = 3};
    dlpi_mixed model = {.data = &data, .prior = &prior, .log_det_beta = log(precision)};
    dlpi_mixed_block block;
    double x[1 + GROUPS] = {0}, V[ROWS * ROWS], residual[ROWS];
    assert_ok(dlpi_hyper_layout_make(&data, &model.layout, error));
    assert_ok(dlpi_mixed_rows_make(&data, 0, &model.rows, error));
    model.x = x;
    model.b = x + 1;
    model.shape = dlp_shape_dense(1);
    assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
    for (int i = 0; i < ROWS; i++) /* y ~ N(0, V) */
        for (int j = 0; j < ROWS; j++)
            V[i * ROWS + j] = 1 / precision + (code[i] == code[j]) * exp(2 * psi[0]) +
                              (i == j) * exp(2 * psi[1]);
    assert_int_equal(dlpi_cholesky(ROWS, V), -1);
    memcpy(residual, y, sizeof y);
    dlpi_cholesky_forward(ROWS, V, residual);
    const double exact = -0.5 * dlpi_dot(ROWS, residual, residual) -
                         0.5 * dlpi_cholesky_log_det(ROWS, V) - 0.5 * ROWS * log(2 * PI);
    assert_close(dlpi_mixed_block_at(&block, psi), exact, 1e-10);
    dlpi_mixed_block_free(&block);
    dlpi_mixed_rows_clear(&model.rows);
    dlpi_hyper_layout_clear(&model.layout);
}

/* The curvature of x by its pattern and by a dense matrix. */
static void patterns_change_nothing(void **state)
{
    (void)state;
    enum { A = 150, B = 4, EACH = 2, ROWS = A * B * EACH };
    static double y[ROWS], one[ROWS], x[ROWS];
    static int32_t a[ROWS], b[ROWS];
    dlp_rng rng = dlp_rng_at(9, 9);
    for (int i = 0; i < ROWS; i++) { /* B within A */
        one[i] = 1;
        x[i] = dlp_draw_normal(&rng);
        y[i] = dlp_draw_uniform(&rng) < 0.4;
        b[i] = (int32_t)(i / EACH);
        a[i] = (int32_t)(i / EACH / B);
    }
    const double *X[] = {one, x}, precision[] = {0.1, 0, 0, 0.1}, scale[] = {2.5, 2.5};
    const dlpi_mixed_term term[] = {{.L = A, .q = 1, .code = a, .x = X},
                                    {.L = A * B, .q = 1, .code = b, .x = X}};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("bernoulli", NULL)->evaluate,
                                  .N = ROWS,
                                  .p = 2,
                                  .X = X,
                                  .y = y,
                                  .n_terms = 2,
                                  .term = term};
    const dlpi_mixed_prior prior = {
        .precision = precision, .sd_scale = scale, .sd_df = 3};
    dlpi_mixed model = {.data = &data,
                        .prior = &prior,
                        .rule = DLPI_LEAF_TRAPEZOID,
                        .skewed = true,
                        .log_det_beta = 2 * log(0.1)};
    static double start[A + 2 + A * B];
    const double psi[] = {-0.5, 0.3};
    double log_p[2], mean[2], variance[2], with_x[2][3];
    dlp_pattern *pattern = NULL;
    dlp_shape shape[2] = {dlp_shape_dense(A + 2)};
    assert_ok(dlpi_hyper_layout_make(&data, &model.layout, error));
    assert_ok(dlpi_mixed_rows_make(&data, 1, &model.rows, error));
    assert_ok(dlpi_mixed_shape(&model.rows, &pattern, &shape[1], error));
    assert_int_equal(shape[1].structure, DLP_SPARSE);
    model.x = start;
    model.b = start + A + 2;
    for (int k = 0; k < 2; k++) {
        dlpi_mixed_block block;
        model.shape = shape[k];
        assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
        log_p[k] = dlpi_mixed_block_at(&block, psi);
        dlpi_mixed_block_invert(&block);
        dlpi_mixed_block_leaf(&block, 17, &mean[k], &variance[k], with_x[k]);
        dlpi_mixed_block_free(&block);
    }
    assert_close(log_p[1], log_p[0], 1e-10);
    assert_close(mean[1], mean[0], 1e-8);
    assert_close(variance[1], variance[0], 1e-8);
    for (int j = 0; j < 3; j++) assert_close(with_x[1][j], with_x[0][j], 1e-8);
    dlp_pattern_free(pattern);
    dlpi_mixed_rows_clear(&model.rows);
    dlpi_hyper_layout_clear(&model.layout);
}

/* ---- covariances between terms ---- */

/* y ~ 1 + x + (1 | a) + (1 + x | a:b) + (1 | c): nested and crossed. */
enum { CA = 5, CB = 3, CC = 4, CAB = CA * CB, EACH_CELL = 2, CN = CAB * EACH_CELL };
enum { CQ = CA + 2 * CAB + CC, CALL = CQ + 2 };

typedef struct cells {
    double y[CN], one[CN], x[CN];
    int32_t a[CN], ab[CN], c[CN];
    const double *X[2];
    dlpi_mixed_term term[3];
    double precision[4], scale[4];
    dlpi_mixed_data data;
    dlpi_mixed_prior prior;
} cells;

static cells *draw_cells(void)
{
    cells *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(21, 4);
    double effect[CALL];
    for (int i = 0; i < CALL; i++) effect[i] = 0.7 * dlp_draw_normal(&rng);
    for (int i = 0; i < CN; i++) {
        r->one[i] = 1;
        r->x[i] = dlp_draw_normal(&rng);
        r->ab[i] = (int32_t)(i / EACH_CELL);
        r->a[i] = r->ab[i] / CB;
        r->c[i] =
            (int32_t)((i * 7 + i / 3) % CC); /* not with every level of the others */
        r->y[i] = 1 + effect[r->a[i]] + effect[CA + 2 * r->ab[i]] +
                  effect[CA + 2 * r->ab[i] + 1] * r->x[i] +
                  effect[CA + 2 * CAB + r->c[i]] + 0.6 * dlp_draw_normal(&rng);
    }
    r->X[0] = r->one;
    r->X[1] = r->x;
    r->term[0] = (dlpi_mixed_term){.L = CA, .q = 1, .code = r->a, .x = r->X};
    r->term[1] = (dlpi_mixed_term){.L = CAB, .q = 2, .code = r->ab, .x = r->X};
    r->term[2] = (dlpi_mixed_term){.L = CC, .q = 1, .code = r->c, .x = r->X};
    r->precision[0] = r->precision[3] = 0.1;
    for (int i = 0; i < 4; i++) r->scale[i] = 2.5;
    r->data =
        (dlpi_mixed_data){.likelihood = dlpi_family_find("gaussian", NULL)->evaluate,
                          .has_scale = true,
                          .is_linear = true,
                          .N = CN,
                          .p = 2,
                          .X = r->X,
                          .y = r->y,
                          .n_terms = 3,
                          .term = r->term};
    r->prior = (dlpi_mixed_prior){.precision = r->precision,
                                  .sd_scale = r->scale,
                                  .sd_df = 3,
                                  .correlation = 1,
                                  .tau_sd = 2};
    return r;
}

/* Where the effects of term t's level begin among all effects, beta behind them. */
static int place_of(int t, int level)
{
    return t == 0 ? level : t == 1 ? CA + 2 * level : CA + 2 * CAB + level;
}

/* The covariance (CALL, CALL) of all effects and beta given psi, by one dense matrix;
   returns log p(y | psi), up to the same constant for all psi, and their means. */
static double dense_posterior(const cells *r, const double *psi, double *S, double *mean)
{
    static double U[CALL * CALL], work[CALL * CALL];
    double prec[4], room[4], A[CALL], log_p = 0, h[CALL] = {0};
    const double w = exp(-2 * psi[5]);
    memset(U, 0, sizeof U);
    for (int i = 0; i < CA; i++) U[i * (CALL + 1)] = exp(-2 * psi[0]);
    log_p += 0.5 * CA * -2 * psi[0] + 0.5 * CC * -2 * psi[4] - CN * psi[5];
    log_p += 0.5 * CAB * dlpi_hyper_precision(2, psi + 1, prec, room);
    for (int l = 0; l < CAB; l++)
        for (int i = 0; i < 4; i++)
            U[(place_of(1, l) + i / 2) * CALL + place_of(1, l) + i % 2] = prec[i];
    for (int i = CA + 2 * CAB; i < CQ; i++) U[i * (CALL + 1)] = exp(-2 * psi[4]);
    for (int i = CQ; i < CALL; i++) U[i * (CALL + 1)] = 0.1;
    for (int n = 0; n < CN; n++) {
        memset(A, 0, sizeof A);
        A[place_of(0, r->a[n])] = A[place_of(1, r->ab[n])] = A[place_of(2, r->c[n])] = 1;
        A[place_of(1, r->ab[n]) + 1] = A[CQ + 1] = r->x[n];
        A[CQ] = 1;
        for (int i = 0; i < CALL; i++) {
            h[i] += w * A[i] * r->y[n];
            for (int j = 0; j < CALL; j++) U[i * CALL + j] += w * A[i] * A[j];
        }
        log_p -= 0.5 * w * r->y[n] * r->y[n];
    }
    assert_int_equal(dlpi_cholesky(CALL, U), -1);
    memcpy(mean, h, sizeof h);
    dlpi_cholesky_solve(CALL, U, mean);
    log_p += 0.5 * dlpi_dot(CALL, mean, h) - 0.5 * dlpi_cholesky_log_det(CALL, U);
    dlpi_cholesky_inverse(CALL, U, work, S);
    return log_p;
}

/* Of all pairs that are kept, at one point. */
static void compare_pairs(const dlpi_mixed_result *result, const double *S,
                          const double *mean)
{
    for (dlp_index k = 0; k < result->n_pairs; k++) {
        const dlpi_mixed_pairs *pairs = &result->pairs[k];
        const int s = (int)pairs->first, t = (int)pairs->second, q_s = s == 1 ? 2 : 1,
                  q_t = t == 1 ? 2 : 1;
        for (dlp_index i = 0; i < pairs->n; i++)
            for (int c = 0; c < q_s * q_t; c++) {
                const int at = place_of(s, pairs->level[2 * i]) + c / q_t,
                          to = place_of(t, pairs->level[2 * i + 1]) + c % q_t;
                assert_near(pairs->covariance[i * q_s * q_t + c] - mean[at] * mean[to],
                            S[at * CALL + to], 1e-9);
            }
    }
}

/* Whichever term is the leaves', with a pattern or without, some pairs or all. */
static void pairs_are_exact_given_psi(void **state)
{
    (void)state;
    cells *r = draw_cells();
    const double psi[] = {-0.3, 0.1, -0.6, 0.4, 0.2, -0.5};
    static double S[CALL * CALL], mean[CALL], start[CALL], leaves[4 * CALL * CALL];
    (void)dense_posterior(r, psi, S, mean);
    for (int leaf = 0; leaf < 3; leaf++)
        for (int way = 0; way < 3; way++) {
            dlpi_mixed model = {.data = &r->data,
                                .prior = &r->prior,
                                .log_det_beta = 2 * log(0.1),
                                .whole = way == 0,
                                .x = start};
            dlpi_mixed_block block;
            dlpi_mixed_result result = {.outcome = DLP_NOT_STARTED};
            dlp_pattern *pattern = NULL;
            assert_ok(dlpi_hyper_layout_make(&r->data, &model.layout, error));
            assert_ok(dlpi_mixed_rows_make(&r->data, leaf, &model.rows, error));
            model.shape = dlp_shape_dense(model.rows.n);
            if (way == 2) assert_ok(dlpi_mixed_pattern(&model.rows, &pattern, error));
            if (way == 2) model.shape = dlp_shape_sparse(pattern);
            model.b = start + model.rows.n;
            assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
            assert_ok(dlpi_mixed_result_alloc(&r->data, &result, error));
            assert_ok(dlpi_mixed_pairs_make(&model, &result, error));
            assert_true(isfinite(dlpi_mixed_block_at(&block, psi)));
            dlpi_mixed_block_invert(&block);
            const dlp_index q = model.rows.q;
            for (dlp_index g = 0; g < model.rows.L; g++) {
                double *at = leaves + dlpi_leaf_place(&model, g);
                dlpi_mixed_block_leaf(&block, g, at, at + q, at + q + q * q);
            }
            dlpi_mixed_pairs_add(&model, &block, leaves, 1, &result);
            assert_int_equal(result.n_pairs, 3);
            assert_int_equal(result.pairs[0].n, way == 0 ? CA * CAB : CAB);
            compare_pairs(&result, S, mean);
            dlpi_mixed_result_clear(&result);
            dlpi_mixed_block_free(&block);
            dlp_pattern_free(pattern);
            dlpi_mixed_rows_clear(&model.rows);
            dlpi_hyper_layout_clear(&model.layout);
        }
    free(r);
}

/* Fisher's identity against differences of a Gaussian's evidence, which is exact. */
static void gradients_are_of_the_evidence(void **state)
{
    (void)state;
    cells *r = draw_cells();
    double psi[] = {-0.3, 0.1, -0.6, 0.4, 0.2, -0.5}, g[6];
    static double start[CALL], weight[CN];
    for (int i = 0; i < CN; i++) weight[i] = 0.5 + i % 3;
    r->data.weight = weight;
    for (int leaf = 0; leaf < 3; leaf++) {
        dlpi_mixed model = {.data = &r->data,
                            .prior = &r->prior,
                            .log_det_beta = 2 * log(0.1),
                            .x = start};
        dlpi_mixed_block block;
        assert_ok(dlpi_hyper_layout_make(&r->data, &model.layout, error));
        assert_ok(dlpi_mixed_rows_make(&r->data, leaf, &model.rows, error));
        model.shape = dlp_shape_dense(model.rows.n);
        model.b = start + model.rows.n;
        assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
        assert_true(isfinite(dlpi_mixed_block_at(&block, psi)));
        dlpi_mixed_block_invert(&block);
        dlpi_mixed_block_gradient(&block, psi, g);
        for (int i = 0; i < 6; i++) {
            double value[2], kept = psi[i];
            for (int side = 0; side < 2; side++) {
                psi[i] = kept + (side ? 1e-4 : -1e-4);
                value[side] = dlpi_mixed_block_at(&block, psi);
            }
            psi[i] = kept;
            assert_near(g[i], (value[1] - value[0]) / 2e-4, 1e-5);
        }
        dlpi_mixed_block_free(&block);
        dlpi_mixed_rows_clear(&model.rows);
        dlpi_hyper_layout_clear(&model.layout);
    }
    free(r);
}

/* y ~ 1 + (1 | a) + (1 | c), 6 and 5 levels, integrated over both sds and the residual's by
   brute force: Var[1 + a + c] of every cell. */
enum { IA = 6, IC = 5, IN = 2 * (IA * IC - 8), IALL = IA + IC + 1 };

typedef struct crossed {
    double y[IN], one[IN];
    int32_t a[IN], c[IN];
} crossed;

static void draw_crossed(crossed *r)
{
    dlp_rng rng = dlp_rng_at(31, 8);
    double effect[IA + IC];
    int n = 0;
    for (int i = 0; i < IA + IC; i++) effect[i] = dlp_draw_normal(&rng);
    for (int cell = 0; cell < IA * IC; cell++) {
        if (cell % 4 == 1) continue; /* not seen */
        for (int i = 0; i < 2; i++, n++) {
            r->one[n] = 1;
            r->a[n] = (int32_t)(cell % IA);
            r->c[n] = (int32_t)(cell / IA);
            r->y[n] =
                2 + effect[r->a[n]] + effect[IA + r->c[n]] + 0.8 * dlp_draw_normal(&rng);
        }
    }
    assert_int_equal(n, IN);
}

/* log p(psi, y) up to a constant, with the moments of all effects and the intercept. */
static double crossed_posterior(const crossed *r, const double *psi, double *S,
                                double *mean)
{
    double U[IALL * IALL] = {0}, work[IALL * IALL], h[IALL] = {0};
    const double w = exp(-2 * psi[2]);
    double log_p = -IA * psi[0] - IC * psi[1] - IN * psi[2] -
                   0.5 * psi[2] * psi[2] / 4; /* tau ~ N(0, 2^2) */
    for (int k = 0; k < 2; k++)
        log_p += psi[k] - 2 * log1p(exp(2 * psi[k]) / (2.5 * 2.5) / 3);
    for (int i = 0; i < IALL; i++)
        U[i * (IALL + 1)] = i < IA         ? exp(-2 * psi[0])
                            : i < IALL - 1 ? exp(-2 * psi[1])
                                           : 0.04;
    for (int n = 0; n < IN; n++) {
        const int at[] = {r->a[n], IA + r->c[n], IALL - 1};
        for (int i = 0; i < 3; i++) {
            h[at[i]] += w * r->y[n];
            for (int j = 0; j < 3; j++) U[at[i] * IALL + at[j]] += w;
        }
        log_p -= 0.5 * w * r->y[n] * r->y[n];
    }
    assert_int_equal(dlpi_cholesky(IALL, U), -1);
    memcpy(mean, h, sizeof h);
    dlpi_cholesky_solve(IALL, U, mean);
    log_p += 0.5 * dlpi_dot(IALL, mean, h) - 0.5 * dlpi_cholesky_log_det(IALL, U);
    dlpi_cholesky_inverse(IALL, U, work, S);
    return log_p;
}

/* E[x] and E[x x'] over a grid of psi, with an origin that keeps exp() in range. */
static void integrate_crossed(const crossed *r, double *mean, double *S)
{
    double each[IALL], V[IALL * IALL], all = 0, at[] = {0, 0, -0.2};
    const double top = crossed_posterior(r, at, V, each);
    memset(mean, 0, IALL * sizeof *mean);
    memset(S, 0, IALL * IALL * sizeof *S);
    for (at[0] = -4; at[0] < 2.5; at[0] += 0.2)
        for (at[1] = -4; at[1] < 2.5; at[1] += 0.2)
            for (at[2] = -1; at[2] < 0.6; at[2] += 0.1) {
                const double w = exp(crossed_posterior(r, at, V, each) - top);
                all += w;
                for (int i = 0; i < IALL; i++) {
                    mean[i] += w * each[i];
                    for (int j = 0; j < IALL; j++)
                        S[i * IALL + j] += w * (V[i * IALL + j] + each[i] * each[j]);
                }
            }
    for (int i = 0; i < IALL; i++) mean[i] /= all;
    for (int i = 0; i < IALL * IALL; i++)
        S[i] = S[i] / all - mean[i / IALL] * mean[i % IALL];
}

static void sums_of_effects_vary_as_they_should(void **state)
{
    (void)state;
    static crossed r;
    static double mean[IALL], S[IALL * IALL];
    draw_crossed(&r);
    integrate_crossed(&r, mean, S);
    const double *X[] = {r.one}, precision = 0.04, scale[] = {2.5, 2.5};
    const dlpi_mixed_term term[] = {{.L = IA, .q = 1, .code = r.a, .x = X},
                                    {.L = IC, .q = 1, .code = r.c, .x = X}};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("gaussian", NULL)->evaluate,
                                  .has_scale = true,
                                  .is_linear = true,
                                  .N = IN,
                                  .p = 1,
                                  .X = X,
                                  .y = r.y,
                                  .n_terms = 2,
                                  .term = term};
    const dlpi_mixed_prior prior = {
        .precision = &precision, .sd_scale = scale, .sd_df = 3, .tau_sd = 2};
    const dlpi_mixed_settings settings = {.threads = 2};
    dlpi_mixed_result result;
    assert_ok(dlpi_mixed_fit(&data, &prior, &settings, &result, error));
    const dlpi_mixed_pairs *pairs = &result.pairs[0];
    assert_int_equal(pairs->n, IA * IC);
    for (dlp_index k = 0; k < pairs->n; k++) {
        const int i = pairs->level[2 * k], j = IA + pairs->level[2 * k + 1], b = IALL - 1;
        const double exact = S[i * (IALL + 1)] + S[j * (IALL + 1)] + S[b * (IALL + 1)] +
                             2 * (S[i * IALL + j] + S[i * IALL + b] + S[j * IALL + b]);
        const double ours = result.effects[0].variance[i] +
                            result.effects[1].variance[j - IA] + result.covariance[0] +
                            2 * (pairs->covariance[k] + result.effects[0].with_beta[i] +
                                 result.effects[1].with_beta[j - IA]);
        assert_near(sqrt(ours), sqrt(exact), 0.01 * sqrt(exact));
        assert_near(result.beta[0] + result.effects[0].mean[i] +
                        result.effects[1].mean[j - IA],
                    mean[i] + mean[j] + mean[b], 0.02 * sqrt(exact));
    }
    dlpi_mixed_result_clear(&result);
}

/* ---- beyond Laplace's approximation ---- */

/* log of the integral of exp f over x (3), by a grid about the mode. */
static double brute_block(dlpi_mixed_block *k, const double *mode)
{
    enum { EACH_SIDE = 14 };
    const double h = 0.35, top = k->log_integrals;
    double sum = 0;
    for (int i = -EACH_SIDE; i <= EACH_SIDE; i++)
        for (int j = -EACH_SIDE; j <= EACH_SIDE; j++)
            for (int l = -EACH_SIDE; l <= EACH_SIDE; l++) {
                k->x[0] = mode[0] + h * i;
                k->x[1] = mode[1] + h * j;
                k->x[2] = mode[2] + h * l;
                dlpi_mixed_block_expand(k);
                sum += exp(k->log_integrals - top);
            }
    return top + log(sum) + 3 * log(h) - 1.5 * log(2 * PI);
}

/* y ~ 1 + (1 | a) + (1 | c), few binary rows a level of c and nearly all of them 1: given
   psi, the evidence by a grid over both effects of c and the intercept. */
static void evidence_is_corrected(void **state)
{
    (void)state;
    enum { A = 5, C = 2, ROWS = A * C };
    double y[ROWS], one[ROWS], start[C + 1 + A] = {0};
    int32_t a[ROWS], c[ROWS];
    for (int i = 0; i < ROWS; i++) {
        one[i] = 1;
        a[i] = (int32_t)(i % A);
        c[i] = (int32_t)(i / A);
        y[i] = i != 3;
    }
    const double *X[] = {one}, precision = 0.5, scale[] = {2.5, 2.5}, psi[] = {-0.4, 0};
    const dlpi_mixed_term term[] = {{.L = A, .q = 1, .code = a, .x = X},
                                    {.L = C, .q = 1, .code = c, .x = X}};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("bernoulli", NULL)->evaluate,
                                  .N = ROWS,
                                  .p = 1,
                                  .X = X,
                                  .y = y,
                                  .n_terms = 2,
                                  .term = term};
    const dlpi_mixed_prior prior = {
        .precision = &precision, .sd_scale = scale, .sd_df = 3};
    dlpi_mixed model = {.data = &data,
                        .prior = &prior,
                        .rule = DLPI_LEAF_TRAPEZOID,
                        .skewed = true,
                        .log_det_beta = log(precision),
                        .shape = dlp_shape_dense(C + 1),
                        .x = start,
                        .b = start + C + 1};
    dlpi_mixed_block block;
    double mode[C + 1], shift[C + 1 + A], mean = 0, all = 0;
    assert_ok(dlpi_hyper_layout_make(&data, &model.layout, error));
    assert_ok(dlpi_mixed_rows_make(&data, 0, &model.rows, error));
    assert_ok(dlpi_mixed_block_alloc(&model, &block, error));
    const double laplace = dlpi_mixed_block_at(&block, psi);
    memcpy(mode, block.x, sizeof mode);
    const dlpi_beyond more = dlpi_mixed_beyond(&block, 256, shift);
    assert_memory_equal(mode, block.x, sizeof mode);
    const double exact = brute_block(&block, mode);
    assert_true(more.is_trusted);
    assert_true(fabs(exact - laplace) > 0.01);
    assert_true(fabs(exact - laplace - more.log_p) < 0.35 * fabs(exact - laplace));
    /* the mean of the intercept, by a grid as coarse */
    for (int i = -12; i <= 12; i++)
        for (int j = -12; j <= 12; j++)
            for (int l = -12; l <= 12; l++) {
                const double d[] = {0.4 * i, 0.4 * j, 0.4 * l};
                for (int n = 0; n < 3; n++) block.x[n] = mode[n] + d[n];
                dlpi_mixed_block_expand(&block);
                const double w = exp(block.log_integrals - exact);
                mean += w * d[2];
                all += w;
            }
    assert_near(shift[2], mean / all, 0.35 * fabs(mean / all));
    dlpi_mixed_block_free(&block);
    dlpi_mixed_rows_clear(&model.rows);
    dlpi_hyper_layout_clear(&model.layout);
}

/* ---- many scales ---- */

enum { MANY = 40 };

/* Student-t's with 6 degrees of freedom about 1, 1/2, 1/3, ... */
static double long_tails(void *context, int worker, const double *psi)
{
    double sum = 0;
    (void)context, (void)worker;
    for (int i = 0; i < MANY; i++) {
        const double z = psi[i] - 1.0 / (i + 1);
        sum -= 3.5 * log1p(z * z / 6);
    }
    return sum;
}

static void nowhere(void *context, const double *psi)
{
    (void)context, (void)psi;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Of a design one point far out had nearly all the weight. */
static void no_point_outweighs_all_others(void **state)
{
    (void)state;
    dlpi_explore e = {
        .threads = 1, .log_density = long_tails, .begin_at = nowhere, .stopped = never};
    double most = 0, exact = 0;
    assert_ok(dlpi_explore_alloc(&e, MANY, error));
    assert_ok(dlpi_explore_run(&e, error));
    assert_int_equal(e.outcome, DLP_CONVERGED);
    for (int i = 0; i < e.points; i++) most = fmax(most, e.weight[i]);
    assert_true(most < 0.1);
    for (int k = 0; k < MANY; k++) {
        double mean = 0, psi[MANY];
        for (int i = 0; i < e.points; i++) {
            dlpi_explore_psi(&e, e.z + i * MANY, psi);
            mean += e.weight[i] * psi[k];
        }
        assert_near(mean, 1.0 / (k + 1), 0.05);
        exact += lgamma(3) - lgamma(3.5) + 0.5 * log(6 * PI);
    }
    assert_near(e.log_evidence, exact, 0.1 * MANY);
    dlpi_explore_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hermite_rules_integrate_polynomials),
        cmocka_unit_test(precisions_invert_covariances),
        cmocka_unit_test(priors_are_densities),
        cmocka_unit_test(leaves_are_integrated),
        cmocka_unit_test(few_rows_a_group_are_exact),
        cmocka_unit_test(gaussian_evidence_is_exact),
        cmocka_unit_test(patterns_change_nothing),
        cmocka_unit_test(pairs_are_exact_given_psi),
        cmocka_unit_test(gradients_are_of_the_evidence),
        cmocka_unit_test(evidence_is_corrected),
        cmocka_unit_test(no_point_outweighs_all_others),
        cmocka_unit_test(sums_of_effects_vary_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed models against integrals by brute force: of a leaf, its derivatives against
   differences, of all parameters of small models. */
#include "glm/family.h"
#include "infer/explore.h"
#include "math/dense.h"
#include "math/gauss_hermite.h"
#include "mixed/block.h"
#include "mixed/fit.h"
#include "support.h"

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
    r->term[0] = (dlpi_mixed_term){G, 1, r->g, r->slopes};
    r->term[1] = (dlpi_mixed_term){H, 1, r->h, r->slopes};
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
    const double h = q == 1 ? 0.01 : 0.08, out = 14;
    const int steps = (int)(2 * out / h);
    double sum = 0;
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
                x[at] = kept + (side ? 1e-4 : -1e-4);
                const dlpi_leaf near = dlpi_leaf_integrate(work, &prior, g, x, b);
                value[side] = near.log_integral;
                memcpy(slope[side], near.gradient, (size_t)m * sizeof *grad);
            }
            x[at] = kept;
            if (rule != DLPI_LEAF_LAPLACE || !strcmp(family, "gaussian"))
                assert_near(grad[i], (value[1] - value[0]) / 2e-4, 1e-4 + 10 * tolerance);
            for (dlp_index j = i; j < m; j++)
                assert_near(curvature[i * m + j], -(slope[1][j] - slope[0][j]) / 2e-4,
                            2e-3 + 10 * tolerance);
        }
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

static void leaves_are_integrated(void **state)
{
    (void)state;
    try_leaf("bernoulli", 1, DLPI_LEAF_TRAPEZOID, 1e-5);
    try_leaf("poisson", 1, DLPI_LEAF_TRAPEZOID, 1e-5);
    try_leaf("gaussian", 1, DLPI_LEAF_TRAPEZOID, 1e-5);
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
    for (int trials = 2; trials <= 5; trials += 3) {
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
        const dlpi_mixed_term term = {GROUPS, 1, code, X};
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
    const dlpi_mixed_term term = {GROUPS, 1, code, X};
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
    const dlpi_mixed_term term[] = {{A, 1, a, X}, {A * B, 1, b, X}};
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
    double log_p[2], mean[2], variance[2], with_beta[2][2];
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
        dlpi_mixed_block_leaf(&block, 17, &mean[k], &variance[k], with_beta[k]);
        dlpi_mixed_block_free(&block);
    }
    assert_close(log_p[1], log_p[0], 1e-10);
    assert_close(mean[1], mean[0], 1e-8);
    assert_close(variance[1], variance[0], 1e-8);
    assert_close(with_beta[1][0], with_beta[0][0], 1e-8);
    dlp_pattern_free(pattern);
    dlpi_mixed_rows_clear(&model.rows);
    dlpi_hyper_layout_clear(&model.layout);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

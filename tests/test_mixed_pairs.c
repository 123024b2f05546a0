/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed models: covariances between effects of different terms, given psi and integrated over
   it, and the gradient by psi, against dense algebra. */
#include "glm/families/family.h"
#include "math/dense.h"
#include "mixed/fit.h"
#include "mixed/leaves/pairs.h"
#include "mixed/result/summary.h"
#include "support.h"

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
                          .scales = true,
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
                                  .scales = true,
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
        const double ours =
            result.effects[0].variance[i] + result.effects[1].variance[j - IA] +
            result.covariance[0] +
            2 * (pairs->covariance[k] + result.effects[0].with_beta[i * result.n] +
                 result.effects[1].with_beta[(j - IA) * result.n]);
        assert_near(sqrt(ours), sqrt(exact), 0.01 * sqrt(exact));
        assert_near(result.beta[0] + result.effects[0].mean[i] +
                        result.effects[1].mean[j - IA],
                    mean[i] + mean[j] + mean[b], 0.02 * sqrt(exact));
    }
    dlpi_mixed_result_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_exact_given_psi),
        cmocka_unit_test(gradients_are_of_the_evidence),
        cmocka_unit_test(sums_of_effects_vary_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed models: the parts of an evidence. Priors of sds and correlations, and the integral over
   the effects of a leaf against brute force, with its derivatives against differences. */
#include "glm/families/family.h"
#include "math/dense.h"
#include "math/special/gauss_hermite.h"
#include "mixed/fit.h"
#include "mixed/leaves/cubature.h"
#include "mixed/leaves/leaves.h"
#include "mixed/scales/hyper.h"
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
    const double *X[P], *slopes[3];
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
    r->slopes[2] = r->x;
    r->term[0] = (dlpi_mixed_term){.L = G, .q = 1, .code = r->g, .x = r->slopes};
    r->term[1] = (dlpi_mixed_term){.L = H, .q = 1, .code = r->h, .x = r->slopes};
    r->data = (dlpi_mixed_data){.likelihood = dlpi_family_find(family, NULL)->evaluate,
                                .scales = !strcmp(family, "gaussian"),
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

/* log of the integral over a leaf's effects, up to 3 of them, by a fine grid. */
static double brute_leaf(const rows *r, int g, const double *x, dlp_index q,
                         const double *Prec, double log_det, double tau)
{
    const double h = q == 1 ? 0.01 : q == 2 ? 0.14 : 0.4, out = q == 3 ? 7 : 14;
    const int steps = (int)(2 * out / h);
    double sum = DBL_MIN;
    for (int i = 0; i <= steps; i++)
        for (int k = 0; k <= (q == 1   ? 0
                              : q == 2 ? steps
                                       : (steps + 1) * (steps + 1) - 1);
             k++) {
            const double b[3] = {-out + h * i, q == 1 ? 0 : -out + h * (k % (steps + 1)),
                                 q < 3 ? 0 : -out + h * (k / (steps + 1))};
            double log_p = 0;
            for (int a = 0; a < q && a < 3; a++)
                for (int c = 0; c < q && c < 3; c++)
                    log_p -= 0.5 * b[a] * Prec[a * q + c] * b[c];
            if (log_p < -40) continue;
            for (int n = g; n < N; n += G) {
                dlpi_rows tile = {.n = 1, .y = &r->y[n], .trials = &r->trials[n]};
                tile.eta[0] = r->offset[n] + x[r->h[n]] + x[H] + x[H + 1] * r->x[n] +
                              b[0] + b[1] * r->z[n] + b[2] * r->x[n];
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
    double Two[4] = {0.5, 0.1, 0.1, 0.8},
           Three[9] = {0.5, 0.1, 0, 0.1, 0.8, 0, 0, 0, 1.5}, tau = -0.2, x[H + P],
           b[3] = {0}, *Prec = q == 3 ? Three : Two;
    const double log_det = q == 1   ? log(0.5)
                           : q == 2 ? log(0.5 * 0.8 - 0.01)
                                    : log((0.5 * 0.8 - 0.01) * 1.5);
    r->term[0].q = q;
    for (int i = 0; i < H + P; i++) x[i] = 0.3 * i - 0.8;
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, rule, &work, error));
    const dlpi_leaf_prior prior = {Prec, log_det, &tau};
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
    try_leaf("bernoulli", 2, DLPI_LEAF_HERMITE, 1e-4);
    try_leaf("bernoulli", 3, DLPI_LEAF_CUBATURE, 3e-3);
    try_leaf("poisson", 3, DLPI_LEAF_CUBATURE, 3e-3);
}

/* A success at eta = 12 is flat there, and with an sd of 18 hardly an sd away from where
   it is not: derivatives at the mode do not show it. */
static void flat_rows_are_integrated(void **state)
{
    (void)state;
    rows *r = draw_rows("bernoulli", 3);
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    const double sd = 18, P_b = 1 / (sd * sd), h = 0.02;
    const double tau = 0;
    const dlpi_leaf_prior prior = {&P_b, log(P_b), &tau};
    for (int i = 0; i < N; i++) r->y[i] = r->weight[i] = 1, r->offset[i] = 0;
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, DLPI_LEAF_TRAPEZOID, &work, error));
    for (double eta = 4; eta <= 40; eta += 4) {
        double x[H + P] = {0}, b = 0, sum = 0;
        x[H] = eta;
        for (double t = -8 * sd; t < 8 * sd; t += h) {
            double log_p = -0.5 * t * t * P_b;
            log_p -=
                3 * (t < -eta ? log1p(exp(eta + t)) - eta - t : log1p(exp(-eta - t)));
            sum += exp(log_p);
        }
        const double exact = log(sum * h / sd) - 0.5 * log(2 * PI);
        assert_near(dlpi_leaf_integrate(work, &prior, 0, x, &b).log_integral, exact,
                    5e-5);
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

/* Two effects with large sds and few rows, whose density is far from normal: against a grid,
   from whichever mode the search comes. */
static void wide_pairs_are_integrated(void **state)
{
    (void)state;
    rows *r = draw_rows("bernoulli", 3);
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    const double sd[2] = {9, 4}, h = 0.1, tau = 0; /* uncorrelated */
    const double Prec[4] = {1 / (sd[0] * sd[0]), 0, 0, 1 / (sd[1] * sd[1])};
    const dlpi_leaf_prior prior = {Prec, log(Prec[0] * Prec[3]), &tau};
    r->term[0].q = 2;
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, DLPI_LEAF_HERMITE, &work, error));
    for (int g = 0; g < G; g += 5) {
        double x[H + P] = {0}, sum = 0;
        x[H] = g % 2 ? 3 : -5;
        for (double s = -7; s < 7; s += h)
            for (double t = -7; t < 7; t += h) {
                double log_p = -0.5 * (s * s + t * t);
                for (int n = g; n < N; n += G) {
                    const double eta =
                        r->offset[n] + x[H] + sd[0] * s + sd[1] * t * r->z[n];
                    log_p -= r->weight[n] * log1p(exp(r->y[n] > 0 ? -eta : eta));
                }
                sum += exp(log_p);
            }
        const double exact = log(sum * h * h / (2 * PI));
        for (int far = -1; far <= 1; far++) {
            double b[2] = {6.0 * far, -3.0 * far};
            assert_near(dlpi_leaf_integrate(work, &prior, g, x, b).log_integral, exact,
                        2e-4);
        }
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

/* Thousands of levels with a row each are off alike, and so is the sum of their logarithms, which
   the sd between them is found by. */
static void many_leaves_that_are_alike_are_integrated(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    double *one = calloc(MANY, sizeof *one), *y = calloc(MANY, sizeof *y);
    int32_t *code = calloc(MANY, sizeof *code);
    for (int i = 0; i < MANY; i++) one[i] = 1, y[i] = i % 2, code[i] = i;
    const double *X[] = {one}, h = 0.01, tau = 0, x = -0.4;
    const dlpi_mixed_term term = {.L = MANY, .q = 1, .code = code, .x = X};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("bernoulli", NULL)->evaluate,
                                  .N = MANY,
                                  .p = 1,
                                  .X = X,
                                  .y = y,
                                  .n_terms = 1,
                                  .term = &term};
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    assert_ok(dlpi_mixed_rows_make(&data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, DLPI_LEAF_TRAPEZOID, &work, error));
    for (double sd = 1; sd < 6; sd += 0.25) {
        const double P_b = 1 / (sd * sd);
        const dlpi_leaf_prior prior = {&P_b, log(P_b), &tau};
        double off = 0;
        for (int g = 0; g < 2; g++) {
            double b = 0, sum = 0;
            for (double t = -9 * sd; t < 9 * sd; t += h)
                sum += exp(-0.5 * t * t * P_b) / (1 + exp(g ? -x - t : x + t));
            const double exact = log(sum * h / sd) - 0.5 * log(2 * PI);
            off += 0.5 * MANY *
                   (dlpi_leaf_integrate(work, &prior, g, &x, &b).log_integral - exact);
        }
        assert_near(off, 0, 0.012);
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(one);
    free(y);
    free(code);
}

/* Of N(0, I), to the fifth degree. */
static void few_nodes_integrate_polynomials(void **state)
{
    (void)state;
    for (dlp_index q = 3; q <= DLPI_CUBATURE_EFFECTS; q++) {
        dlpi_cubature c;
        assert_ok(dlpi_cubature_alloc(q, 1, &c, error));
        double sum = 0, odd = 0, square = 0, fourth = 0, both = 0, product = 0;
        for (int k = 0; k < c.near_n; k++) {
            const double *t = c.near_t + k * q, w = c.near_weight[k];
            sum += w;
            odd += w * (t[0] + t[q - 1] * t[1] * t[1]);
            square += w * t[q - 1] * t[q - 1];
            fourth += w * pow(t[1], 4);
            both += w * t[0] * t[0] * t[2] * t[2];
            product += w * t[0] * t[1] * (1 + t[2] * t[2]);
        }
        assert_near(sum, 1, 1e-12);
        assert_near(odd, 0, 1e-12);
        assert_near(square, 1, 1e-12);
        assert_near(fourth, 3, 1e-12);
        assert_near(both, 1, 1e-12);
        assert_near(product, 0, 1e-12);
        dlpi_cubature_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hermite_rules_integrate_polynomials),
        cmocka_unit_test(precisions_invert_covariances),
        cmocka_unit_test(priors_are_densities),
        cmocka_unit_test(leaves_are_integrated),
        cmocka_unit_test(flat_rows_are_integrated),
        cmocka_unit_test(wide_pairs_are_integrated),
        cmocka_unit_test(many_leaves_that_are_alike_are_integrated),
        cmocka_unit_test(few_nodes_integrate_polynomials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

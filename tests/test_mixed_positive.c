/* SPDX-License-Identifier: BSD-3-Clause */
/* Mixed models of counts whose mean is the linear predictor, or its square: the likelihood ends
   where that is 0. A leaf's integral against brute force, its derivatives against differences. */
#include "glm/families/family.h"
#include "mixed/fit.h"
#include "mixed/leaves/leaves.h"
#include "support.h"

enum { N = 90, G = 30, H = 4, P = 2 };

typedef struct rows {
    double one[N], x[N], z[N], y[N], weight[N], offset[N];
    const double *X[P], *of_leaf[1], *of_other[1];
    int32_t g[N], h[N];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
} rows;

/* Leaves with many counts, with few and, every third, with zeros alone. */
static rows *draw_rows(const char *link, bool slopes)
{
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(11, slopes);
    for (int i = 0; i < N; i++) {
        r->one[i] = 1;
        r->x[i] = dlp_draw_uniform(&rng) - 0.5;
        r->z[i] = 2 * dlp_draw_uniform(&rng) - 1;
        r->weight[i] = i % 5 == 0 ? 2 : i % 7 == 0 ? 0 : 1;
        r->offset[i] = 0.3 * dlp_draw_uniform(&rng);
        r->g[i] = (int32_t)(i % G);
        r->h[i] = (int32_t)(dlp_draw_uniform(&rng) * H);
        r->y[i] = floor(dlp_draw_uniform(&rng) * (i % 3 == 0 ? 1 : i % 3 == 1 ? 3 : 12));
    }
    r->X[0] = r->of_other[0] = r->one;
    r->X[1] = r->x;
    r->of_leaf[0] = slopes ? r->z : r->one;
    r->term[0] = (dlpi_mixed_term){.L = G, .q = 1, .code = r->g, .x = r->of_leaf};
    r->term[1] = (dlpi_mixed_term){.L = H, .q = 1, .code = r->h, .x = r->of_other};
    r->data = (dlpi_mixed_data){.likelihood = dlpi_family_find("poisson", link)->evaluate,
                                .positive = true,
                                .N = N,
                                .p = P,
                                .X = r->X,
                                .y = r->y,
                                .weight = r->weight,
                                .offset = r->offset,
                                .n_terms = 2,
                                .term = r->term};
    return r;
}

static double log_poisson(double y, double eta, bool root)
{
    const double mean = root ? eta * eta : eta;
    return (y > 0 ? y * log(mean) : 0) - mean - lgamma(y + 1);
}

/* By Simpson's rule: between the bounds, or 12 sds of the prior out. */
static double brute(const rows *r, int g, const double *x, double precision, bool root)
{
    const int steps = 20000;
    const double sd = 1 / sqrt(precision);
    double eta[N] = {0}, low = -12 * sd, high = 12 * sd, sum = 0;
    for (int i = g; i < N; i += G) {
        const double z = r->of_leaf[0][i];
        eta[i] = r->offset[i] + x[r->h[i]] + x[H] + x[H + 1] * r->x[i];
        if (r->weight[i] == 0) continue;
        if (z > 0) low = fmax(low, -eta[i] / z);
        if (z < 0) high = fmin(high, -eta[i] / z);
    }
    for (int k = 0; k <= steps; k++) {
        const double b = low + k * (high - low) / steps;
        double l = -0.5 * precision * b * b;
        for (int i = g; i < N; i += G)
            if (r->weight[i] > 0)
                l += r->weight[i] *
                     log_poisson(r->y[i], fmax(eta[i] + r->of_leaf[0][i] * b, 1e-300),
                                 root);
        sum += exp(l) * (k == 0 || k == steps ? 1 : k % 2 ? 4 : 2) / 3;
    }
    return log(sum * (high - low) / steps) + 0.5 * log(precision / (2 * PI));
}

/* The gradient against differences of the integral, the curvature and how E[b] moves against
   those of gradient and mean. */
static void check_derivatives(dlpi_leaf_work *work, const dlpi_mixed_rows *sorted,
                              const dlpi_leaf_prior *prior, int g, double *x)
{
    double b = 0, grad[H + P], curvature[(H + P) * (H + P)], slope[H + P];
    const dlpi_leaf leaf = dlpi_leaf_integrate(work, prior, g, x, &b);
    const dlp_index m = leaf.m, support = leaf.support;
    memcpy(grad, leaf.gradient, (size_t)m * sizeof *grad);
    memcpy(curvature, leaf.curvature, (size_t)(m * m) * sizeof *curvature);
    memcpy(slope, leaf.slope, (size_t)m * sizeof *slope);
    const double apart = 1e-4;
    for (dlp_index i = 0; i < m; i++) {
        const dlp_index at =
            i < support ? sorted->support[sorted->support_begin[g] + i] : H + i - support;
        double value[2], mean[2], other[2][H + P], kept = x[at];
        for (int side = 0; side < 2; side++) {
            x[at] = kept + (side ? apart : -apart);
            const dlpi_leaf near = dlpi_leaf_integrate(work, prior, g, x, &b);
            value[side] = near.log_integral;
            mean[side] = near.mean[0];
            memcpy(other[side], near.gradient, (size_t)m * sizeof *grad);
        }
        x[at] = kept;
        assert_near(grad[i], (value[1] - value[0]) / (2 * apart), 1e-5);
        assert_near(slope[i], (mean[1] - mean[0]) / (2 * apart), 1e-5);
        for (dlp_index j = i; j < m; j++)
            assert_near(curvature[i * m + j], -(other[1][j] - other[0][j]) / (2 * apart),
                        1e-4 * (1 + fabs(curvature[i * m + j])));
    }
}

static void try_leaves(const char *link, bool slopes, double sd)
{
    rows *r = draw_rows(link, slopes);
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    double x[H + P] = {0.2, -0.3, 0.1, -0.1, 1.7, 0.6}, none[2] = {0};
    const double precision = 1 / (sd * sd);
    const dlpi_leaf_prior prior = {&precision, log(precision), none};
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, DLPI_LEAF_INTERVAL, &work, error));
    for (int g = 0; g < G; g++) {
        double b = 0;
        const dlpi_leaf leaf = dlpi_leaf_integrate(work, &prior, g, x, &b);
        assert_close(leaf.log_integral, brute(r, g, x, precision, !strcmp(link, "sqrt")),
                     1e-6);
        check_derivatives(work, &sorted, &prior, g, x);
    }
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

static void effects_end_where_the_mean_does(void **state)
{
    (void)state;
    for (int slopes = 0; slopes < 2; slopes++)
        for (int i = 0; i < 4; i++) {
            static const double sd[] = {0.1, 0.7, 3, 30};
            try_leaves("identity", slopes, sd[i]);
            try_leaves("sqrt", slopes, sd[i]);
        }
}

/* No b makes all rows positive. */
static void impossible_effects_have_no_integral(void **state)
{
    (void)state;
    rows *r = draw_rows("identity", true);
    dlpi_mixed_rows sorted;
    dlpi_leaf_work *work = NULL;
    double x[H + P] = {0}, none[2] = {0}, b = 0, one = 1;
    const dlpi_leaf_prior prior = {&one, 0, none};
    x[H] = -5;
    assert_ok(dlpi_mixed_rows_make(&r->data, 0, &sorted, error));
    assert_ok(dlpi_leaf_work_alloc(&sorted, DLPI_LEAF_INTERVAL, &work, error));
    int impossible = 0;
    for (int g = 0; g < G; g++)
        impossible +=
            dlpi_leaf_integrate(work, &prior, g, x, &b).log_integral == -INFINITY;
    assert_true(impossible > 0);
    dlpi_leaf_work_free(work);
    dlpi_mixed_rows_clear(&sorted);
    free(r);
}

/* ---- a fit ---- */

enum { GROUPS = 12, EACH = 4 };
static const double WIDE = 10, SCALE = 2, DF = 3; /* priors */

typedef struct counts {
    double y[GROUPS][EACH];
    bool root;
} counts;

/* log p(y_g | beta, s): Simpson's rule from where the mean is 0, or 9 sds down, to 9 up. */
static double log_group(const counts *c, int g, double beta, double s)
{
    const int steps = 200;
    const double low = fmax(-beta, -9 * s), high = fmax(9 * s, low + 9 * s),
                 h = (high - low) / steps;
    double sum = 0;
    for (int k = 0; k <= steps; k++) {
        const double b = low + k * h, eta = fmax(beta + b, 1e-12);
        double l = -0.5 * b * b / (s * s) - log(s) - 0.5 * log(2 * PI);
        for (int i = 0; i < EACH; i++) l += log_poisson(c->y[g][i], eta, c->root);
        sum += exp(l) * (k == 0 || k == steps ? 1 : k % 2 ? 4 : 2) * h / 3;
    }
    return log(sum);
}

/* Means and sds of beta and s by a grid: 4 numbers. */
static void integrate_grid(const counts *c, double top, double *to)
{
    const int n = 60;
    double all = 0, sum[4] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double beta = top * (i + 0.5) / n, s = 0.6 * top * (k + 0.5) / n;
            double l = -0.5 * beta * beta / (WIDE * WIDE) -
                       0.5 * (DF + 1) * log1p(s * s / (SCALE * SCALE) / DF) + 60;
            for (int g = 0; g < GROUPS; g++) l += log_group(c, g, beta, s);
            const double w = exp(l);
            const double of[] = {beta, s, beta * beta, s * s};
            all += w;
            for (int j = 0; j < 4; j++) sum[j] += w * of[j];
        }
    for (int j = 0; j < 2; j++) {
        to[2 * j] = sum[j] / all;
        to[2 * j + 1] = sqrt(sum[2 + j] / all - to[2 * j] * to[2 * j]);
    }
}

static void fit_counts(const counts *c, dlpi_mixed_result *result)
{
    double one[GROUPS * EACH], precision = 1 / (WIDE * WIDE), start = 2;
    int32_t code[GROUPS * EACH];
    const double *X[] = {one};
    for (int i = 0; i < GROUPS * EACH; i++) {
        one[i] = 1;
        code[i] = i / EACH;
    }
    const dlpi_mixed_term term = {.L = GROUPS, .q = 1, .code = code, .x = X};
    const dlpi_mixed_data data = {
        .likelihood =
            dlpi_family_find("poisson", c->root ? "sqrt" : "identity")->evaluate,
        .positive = true,
        .N = GROUPS * EACH,
        .p = 1,
        .X = X,
        .y = c->y[0],
        .n_terms = 1,
        .term = &term};
    const dlpi_mixed_prior prior = {
        .precision = &precision, .sd_scale = &SCALE, .sd_df = DF};
    const dlpi_mixed_settings settings = {.threads = 1, .start = &start};
    assert_ok(dlpi_mixed_fit(&data, &prior, &settings, result, error));
    assert_int_equal(result->outcome, DLP_CONVERGED);
}

/* Some groups have zeros alone: their effects end at a bound. */
static void scales_are_integrated_as_by_a_grid(void **state)
{
    (void)state;
    for (int root = 0; root < 2; root++) {
        counts c = {.root = root};
        dlp_rng rng = dlp_rng_at(4, (uint64_t)root);
        for (int g = 0; g < GROUPS; g++)
            for (int i = 0; i < EACH; i++)
                c.y[g][i] = g % 4 == 0 ? 0 : floor((1 + g) * dlp_draw_uniform(&rng));
        double grid[4];
        integrate_grid(&c, root ? 5 : 14, grid);
        dlpi_mixed_result found;
        fit_counts(&c, &found);
        const dlp_margin *sd = &found.effects[0].sd[0];
        assert_near(found.margin[0].mean, grid[0], 0.05 * grid[1]);
        assert_close(found.margin[0].sd, grid[1], 0.05);
        assert_near(sd->mean, grid[2], 0.03 * grid[3]);
        assert_close(sd->sd, grid[3], 0.03);
        dlpi_mixed_result_clear(&found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_end_where_the_mean_does),
        cmocka_unit_test(impossible_effects_have_no_integral),
        cmocka_unit_test(scales_are_integrated_as_by_a_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

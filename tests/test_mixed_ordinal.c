/* SPDX-License-Identifier: BSD-3-Clause */
/* Random effects of ordinal responses: derivatives against differences, posteriors against
   integrals by brute force, orders of levels, predictions against draws. */
#include "glm/families/family.h"
#include "glm/families/ordinal_rows.h"
#include "infer/explore.h"
#include "math/dense.h"
#include "mixed/fit.h"
#include "mixed/levels/ordinal.h"
#include "mixed/result/summary.h"
#include "mixed_levels.h"

#include <delaplace/special.h>

/* ---- the binary regression that an ordinal one is ---- */

/* log p(y | eta, cut points), as the model is written. */
static double log_level(int y, double eta, const double *delta)
{
    double c[LEVELS - 1], below = 0, above = 1;
    for (int j = 0; j < LEVELS - 1; j++)
        c[j] = j == 0 ? delta[0] : c[j - 1] + exp(delta[j]);
    if (y < LEVELS - 1) above = dlp_logistic(c[y] - eta);
    if (y > 0) below = dlp_logistic(c[y - 1] - eta);
    return log(above - below);
}

typedef struct ordinal {
    double y[N];
    const double *X[1];
    dlpi_mixed_term term[2];
    dlpi_ordinal_rows rows;
    double precision[16], scale[2];
    dlpi_mixed_prior prior;
    dlpi_mixed model;
    dlp_pattern *pattern;
    double start[CELLS + 4 + GROUPS];
} ordinal;

static const double *const ones[1] = {NULL};

/* y ~ x + (1 | g) + (1 | h) */
static ordinal *make_ordinal(const rows *r)
{
    ordinal *o = calloc(1, sizeof *o);
    for (int i = 0; i < N; i++) o->y[i] = r->level[i];
    o->X[0] = r->x;
    o->term[0] = (dlpi_mixed_term){GROUPS, 1, r->g, ones, NULL};
    o->term[1] = (dlpi_mixed_term){CELLS, 1, r->h, ones, NULL};
    const dlpi_mixed_data data = {.likelihood =
                                      dlpi_family_find("bernoulli", "logit")->evaluate,
                                  .N = N,
                                  .p = 1,
                                  .X = o->X,
                                  .y = o->y,
                                  .weight = r->weight,
                                  .n_terms = 2,
                                  .term = o->term};
    assert_ok(dlpi_ordinal_rows_make(&data, LEVELS, &o->rows, error));
    for (int j = 0; j < 4; j++) o->precision[5 * j] = 0.04;
    o->scale[0] = o->scale[1] = 2.5;
    o->prior =
        (dlpi_mixed_prior){.precision = o->precision, .sd_scale = o->scale, .sd_df = 3};
    o->model = (dlpi_mixed){.data = &o->rows.data,
                            .prior = &o->prior,
                            .rule = DLPI_LEAF_TRAPEZOID,
                            .skewed = true,
                            .log_det_beta = 4 * log(0.04),
                            .x = o->start,
                            .b = o->start + CELLS + 4};
    assert_ok(dlpi_hyper_layout_make(&o->rows.data, &o->model.layout, error));
    assert_ok(dlpi_mixed_rows_make(&o->rows.data, 0, &o->model.rows, error));
    assert_int_equal(o->model.rows.n, CELLS + 4);
    o->model.shape = dlp_shape_dense(CELLS + 4);
    return o;
}

static void free_ordinal(ordinal *o)
{
    dlp_pattern_free(o->pattern);
    dlpi_mixed_rows_clear(&o->model.rows);
    dlpi_hyper_layout_clear(&o->model.layout);
    dlpi_ordinal_rows_clear(&o->rows);
    free(o);
}

/* f at x, by its definition: integrals over the effects of g by a fine grid. */
static double written_out(const rows *r, const double *x, const double *psi)
{
    double f = 0.5 * 4 * log(0.04) - 0.5 * CELLS * 2 * psi[1];
    for (int h = 0; h < CELLS; h++) f -= 0.5 * x[h] * x[h] * exp(-2 * psi[1]);
    for (int j = 0; j < 4; j++) f -= 0.5 * 0.04 * x[CELLS + j] * x[CELLS + j];
    for (int g = 0; g < GROUPS; g++) {
        double sum = 0;
        for (double t = -9; t <= 9; t += 0.05) {
            double log_p = -0.5 * t * t;
            for (int i = g * EACH; i < (g + 1) * EACH; i++)
                log_p += r->weight[i] *
                         log_level(r->level[i],
                                   x[CELLS] * r->x[i] + x[r->h[i]] + exp(psi[0]) * t,
                                   x + CELLS + 1);
            sum += 0.05 * exp(log_p);
        }
        f += log(sum) - 0.5 * log(2 * PI);
    }
    return f;
}

static void set_point(dlpi_mixed_block *block, const double *psi)
{
    const double beta[] = {0.7, 0.4, 0.5, 0.2};
    for (int h = 0; h < CELLS; h++) block->x[h] = 0.2 * h - 0.5;
    memcpy(block->x + CELLS, beta, sizeof beta);
    dlpi_mixed_block_set(block, psi);
    dlpi_mixed_block_expand(block);
}

static void cut_points_have_their_derivatives(void **state)
{
    (void)state;
    enum { n = CELLS + 4 };
    rows *r = draw_rows(1);
    ordinal *o = make_ordinal(r);
    dlpi_mixed_block block;
    const double psi[] = {0.3, -0.4}, step = 1e-3;
    double grad[n], H[n * n];
    assert_ok(dlpi_mixed_block_alloc(&o->model, &block, error));
    set_point(&block, psi);
    assert_close(block.f, written_out(r, block.x, psi), 1e-6);
    memcpy(grad, block.gradient, sizeof grad);
    memcpy(H, block.H.a, sizeof H);
    for (int i = 0; i < n; i++) {
        double value[2], slope[2][n];
        for (int side = 0; side < 2; side++) {
            const double kept = block.x[i];
            block.x[i] += side ? step : -step;
            dlpi_mixed_block_expand(&block);
            value[side] = block.f;
            memcpy(slope[side], block.gradient, sizeof grad);
            block.x[i] = kept;
        }
        assert_near(grad[i], (value[1] - value[0]) / (2 * step), 2e-3);
        for (int j = i; j < n; j++)
            assert_close(H[i * n + j], -(slope[1][j] - slope[0][j]) / (2 * step), 2e-3);
    }
    dlpi_mixed_block_free(&block);
    free_ordinal(o);
    free_rows(r);
}

/* A leaf's mean moves with the cut points as its slopes say. */
static void leaves_move_with_cut_points(void **state)
{
    (void)state;
    rows *r = draw_rows(2);
    ordinal *o = make_ordinal(r);
    dlpi_mixed_block block;
    const double psi[] = {0.3, -0.4}, step = 1e-3;
    assert_ok(dlpi_mixed_block_alloc(&o->model, &block, error));
    for (dlp_index g = 0; g < GROUPS; g += 7)
        for (dlp_index j = 0; j < 4; j++) {
            double mean[2];
            for (int side = 0; side < 2; side++) {
                set_point(&block, psi);
                block.x[CELLS + j] += side ? step : -step;
                dlpi_mixed_block_expand(&block);
                mean[side] = dlpi_mixed_block_kept(&block, g)[0];
            }
            set_point(&block, psi);
            const dlp_index m = dlpi_leaf_sees(&o->model.rows, g);
            assert_near(dlpi_mixed_block_kept(&block, g)[2 + m - 4 + j],
                        (mean[1] - mean[0]) / (2 * step), 2e-3);
        }
    dlpi_mixed_block_free(&block);
    free_ordinal(o);
    free_rows(r);
}

/* The curvature by a pattern has the gaps, too. */
static void patterns_have_gaps(void **state)
{
    (void)state;
    enum { n = CELLS + 4 };
    rows *r = draw_rows(3);
    ordinal *o = make_ordinal(r);
    const double psi[] = {0.3, -0.4};
    double H[2][n * n];
    assert_ok(dlpi_mixed_pattern(&o->model.rows, &o->pattern, error));
    for (int way = 0; way < 2; way++) {
        dlpi_mixed_block block;
        if (way == 1) o->model.shape = dlp_shape_sparse(o->pattern);
        assert_ok(dlpi_mixed_block_alloc(&o->model, &block, error));
        set_point(&block, psi);
        for (int i = 0; i < n; i++)
            for (int j = CELLS; j < n; j++)
                H[way][i * n + j] = *dlpi_mixed_entry(&block.H, i, j);
        dlpi_mixed_block_free(&block);
    }
    for (int i = 0; i < n; i++)
        for (int j = CELLS; j < n; j++)
            assert_close(H[1][i * n + j], H[0][i * n + j], 1e-10);
    free_ordinal(o);
    free_rows(r);
}

/* ---- posteriors ---- */

/* y ~ 1 + (1 | g) with three levels: the cut points and the sd by a grid over all three. */
enum { FEW = 12, TRIPLES = 3 };

typedef struct moments {
    double mean[3], sd[3]; /* of both cut points and the sd */
} moments;

static double below(const char *link, double t)
{
    return link[0] == 'l'   ? dlp_logistic(t)
           : link[0] == 'p' ? dlp_normal_cdf(t)
                            : -expm1(-exp(t));
}

static double log_triple(const char *link, const int *level, const double *c, double sd)
{
    double sum = 0;
    for (double t = -6; t <= 6; t += 0.4) {
        double p = 0.4 / sqrt(2 * PI) * exp(-0.5 * t * t);
        for (int i = 0; i < TRIPLES; i++) {
            const double u = below(link, c[0] - sd * t), v = below(link, c[1] - sd * t);
            p *= level[i] == 0 ? u : level[i] == 1 ? v - u : 1 - v;
        }
        sum += p;
    }
    return log(sum);
}

static moments brute(const char *link, int level[FEW][TRIPLES])
{
    moments m = {{0}, {0}};
    double all = 0;
    for (double d0 = -5; d0 < 3.5; d0 += 0.25)
        for (double d1 = -2; d1 < 2.6; d1 += 0.15)
            for (double u = -4; u < 2.5; u += 0.25) {
                const double c[] = {d0, d0 + exp(d1)}, sd = exp(u);
                double log_p = -0.5 * d0 * d0 / 100 - 0.5 * d1 * d1 / 25 + u -
                               2 * log1p(sd * sd / (3 * 2.5 * 2.5)); /* half t, log sd */
                for (int g = 0; g < FEW; g++) log_p += log_triple(link, level[g], c, sd);
                const double w = exp(log_p + 30), value[] = {c[0], c[1], sd};
                all += w;
                for (int k = 0; k < 3; k++) {
                    m.mean[k] += w * value[k];
                    m.sd[k] += w * value[k] * value[k];
                }
            }
    for (int k = 0; k < 3; k++) {
        m.mean[k] /= all;
        m.sd[k] = sqrt(m.sd[k] / all - m.mean[k] * m.mean[k]);
    }
    return m;
}

static void integrate_small_model(const char *link)
{
    int level[FEW][TRIPLES];
    int32_t y[FEW * TRIPLES], g[FEW * TRIPLES];
    const char *name[FEW];
    static const char *const groups[FEW] = {"a", "b", "c", "d", "e", "f",
                                            "g", "h", "i", "j", "k", "l"};
    dlp_rng rng = dlp_rng_at(8, 8);
    for (int k = 0; k < FEW; k++) {
        const double b = 1.2 * dlp_draw_normal(&rng);
        name[k] = groups[k];
        for (int i = 0; i < TRIPLES; i++) {
            const double u = dlp_draw_uniform(&rng), eta = b + log(u) - log1p(-u);
            level[k][i] = (eta > -1) + (eta > 0.7);
            y[k * TRIPLES + i] = level[k][i];
            g[k * TRIPLES + i] = k;
        }
    }
    const dlp_column_data column[] = {
        {.name = "y", .code = y, .n_levels = 3, .level = letters},
        {.name = "g", .code = g, .n_levels = FEW, .level = name}};
    dlp_table *table = NULL;
    dlp_regression *ours = NULL;
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = "ordinal";
    settings.link = link;
    assert_ok(dlp_table_from_columns(FEW * TRIPLES, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ 1 + (1 | g)", table, &settings, &ours, error));
    const dlp_regression_result *f = dlp_regression_result_of(ours);
    const moments m = brute(link, level);
    const dlp_margin found[] = {f->margin[0], f->margin[1], f->random[0].sd[0]};
    for (int k = 0; k < 3; k++) {
        assert_near((found[k].mean - m.mean[k]) / m.sd[k], 0, 0.05);
        assert_near(found[k].sd / m.sd[k], 1, 0.05);
    }
    dlp_regression_free(ours);
    dlp_table_free(table);
}

static void small_models_are_integrated(void **state)
{
    (void)state;
    integrate_small_model("logit");
    integrate_small_model("probit");
    integrate_small_model("cloglog");
}

/* ---- rows given their cut points ---- */

static void rows_of_levels_have_their_derivatives(void **state)
{
    (void)state;
    enum { K = 4, HALF = 9 };
    dlpi_likelihood *const rows_of[] = {dlpi_ordinal_probit_rows,
                                        dlpi_ordinal_cloglog_rows};
    const double gap[] = {-0.4, 0.3}, cut[] = {0, exp(-0.4), exp(-0.4) + exp(0.3)},
                 apart = 1e-4;
    for (int link = 0; link < 2; link++)
        for (int y = 0; y < K; y++) {
            double level[3 * HALF];
            dlpi_rows *r = calloc(1, sizeof *r);
            *r = (dlpi_rows){
                .n = 3 * HALF, .y = level, .levels = K, .cut = cut, .gap = gap};
            for (int i = 0; i < 3 * HALF; i++) {
                level[i] = y;
                r->eta[i] = 0.5 * (i / 3 - HALF / 2) + (i % 3 - 1) * apart;
            }
            rows_of[link](r, 0, 4);
            for (int i = 1; i < 3 * HALF; i += 3) {
                const double by = 1 / (2 * apart);
                assert_near(by * (r->l[i + 1] - r->l[i - 1]), r->l_e[i], 1e-6);
                assert_near(by * (r->l_e[i + 1] - r->l_e[i - 1]), r->l_ee[i], 1e-6);
                assert_near(by * (r->l_ee[i + 1] - r->l_ee[i - 1]), r->l_eee[i], 1e-6);
                assert_near(by * (r->l_eee[i + 1] - r->l_eee[i - 1]), r->l_eeee[i], 1e-4);
            }
            double sum = 0; /* of all levels, at the middle */
            const double at = r->eta[3 * (HALF / 2) + 1];
            for (int k = 0; k < K; k++) {
                level[0] = k;
                r->n = 1;
                r->eta[0] = at;
                rows_of[link](r, 0, 0);
                sum += exp(r->l[0]);
            }
            assert_near(sum, 1, 1e-12);
            free(r);
        }
}

/* Two levels are a binary response, with the cut point in place of minus the
   intercept. */
static void two_levels_are_binary(void **state)
{
    (void)state;
    rows *r = draw_rows(4);
    dlp_regression *two = fit("b ~ x + (1 | g)", "ordinal", NULL, r),
                   *one = fit("b ~ x + (1 | g)", "bernoulli", NULL, r);
    const dlp_regression_result *a = dlp_regression_result_of(two),
                                *b = dlp_regression_result_of(one);
    assert_close(a->margin[0].mean, b->margin[1].mean, 2e-3);
    assert_close(a->margin[0].sd, b->margin[1].sd, 2e-3);
    assert_close(a->margin[1].mean, -b->margin[0].mean, 5e-3);
    assert_close(a->margin[1].sd, b->margin[0].sd, 5e-3);
    assert_close(a->random[0].sd[0].mean, b->random[0].sd[0].mean, 2e-3);
    assert_close(a->random[0].sd[0].sd, b->random[0].sd[0].sd, 2e-3);
    for (int g = 0; g < GROUPS; g++)
        assert_near(a->random[0].mean[g], b->random[0].mean[g], 5e-3);
    dlp_regression_free(one);
    dlp_regression_free(two);
    free_rows(r);
}

/* Levels from the last to the first turn everything over; what little the prior of the
   first cut point says, then concerns another one. */
static void an_order_may_be_turned(void **state)
{
    (void)state;
    rows *r = draw_rows(5);
    dlp_regression *up = fit("y ~ x + (1 | g)", "ordinal", letters, r),
                   *down = fit("y ~ x + (1 | g)", "ordinal", turned, r);
    const dlp_regression_result *a = dlp_regression_result_of(up),
                                *b = dlp_regression_result_of(down);
    assert_near((a->margin[0].mean + b->margin[0].mean) / a->margin[0].sd, 0, 0.03);
    for (int j = 0; j < LEVELS - 1; j++) {
        const dlp_margin *m = &a->margin[1 + j], *o = &b->margin[LEVELS - 1 - j];
        assert_near((m->mean + o->mean) / m->sd, 0, 0.05);
        assert_near(o->sd / m->sd, 1, 0.03);
    }
    assert_near(a->random[0].sd[0].mean / b->random[0].sd[0].mean, 1, 0.01);
    assert_near(a->random[0].sd[0].sd / b->random[0].sd[0].sd, 1, 0.01);
    dlp_regression_free(down);
    dlp_regression_free(up);
    free_rows(r);
}

/* ---- predictions ---- */

/* (x'beta + z'b, delta) of row i is normal: mean (LEVELS) and covariance. */
static void joint_of_row(const dlp_regression_result *f, const rows *r, int i,
                         double *mean, double *S)
{
    const dlp_index n = f->n;
    const dlp_random_effects *e = f->random;
    const double *C = e->with_beta + r->g[i] * n, x = r->x[i];
    memset(S, 0, LEVELS * LEVELS * sizeof *S);
    mean[0] = f->mu[0] * x + e->mean[r->g[i]];
    S[0] = x * x * f->Sigma[0] + e->variance[r->g[i]] + 2 * x * C[0];
    for (int j = 1; j < LEVELS; j++) {
        mean[j] = f->mu[j];
        S[j] = S[j * LEVELS] = x * f->Sigma[j] + C[j];
        for (int k = 1; k < LEVELS; k++) S[j * LEVELS + k] = f->Sigma[j * n + k];
    }
}

static void probabilities_are_averages(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    rows *r = draw_rows(6);
    dlp_regression *ours = fit("y ~ x + (1 | g)", "ordinal", NULL, r);
    const dlp_regression_result *f = dlp_regression_result_of(ours);
    dlp_prediction *prediction = NULL;
    assert_ok(dlp_regression_predict(ours, r->table, NULL, &prediction, error));
    const dlp_prediction_result *out = dlp_prediction_result_of(prediction);
    dlp_rng rng = dlp_rng_at(5, 5);
    for (int i = 0; i < N; i += 17) {
        double mean[LEVELS], U[LEVELS * LEVELS], p[LEVELS] = {0}, sum = 0;
        joint_of_row(f, r, i, mean, U);
        assert_close(out->eta[i], mean[0], 1e-10);
        assert_close(out->eta_sd[i], sqrt(U[0]), 1e-9);
        assert_int_equal(dlpi_cholesky(LEVELS, U), -1);
        for (int d = 0; d < DRAWS; d++) {
            double z[LEVELS], at[LEVELS];
            for (int j = 0; j < LEVELS; j++) z[j] = dlp_draw_normal(&rng);
            for (int j = 0; j < LEVELS; j++) {
                at[j] = mean[j];
                for (int k = 0; k <= j; k++) at[j] += U[k * LEVELS + j] * z[k];
            }
            for (int k = 0; k < LEVELS; k++)
                p[k] += exp(log_level(k, at[0], at + 1)) / DRAWS;
        }
        for (int k = 0; k < LEVELS; k++) {
            assert_near(out->probability[i * LEVELS + k],
                        exp(log_level(k, mean[0], mean + 1)), 1e-9);
            assert_near(out->probability_averaged[i * LEVELS + k], p[k], 6e-3);
            sum += out->probability_averaged[i * LEVELS + k];
        }
        assert_near(sum, 1, 1e-6);
    }
    dlp_prediction_free(prediction);
    dlp_regression_free(ours);
    free_rows(r);
}

/* A smooth comes after the other columns, before the cut points. */
static void smooths_and_cut_points_go_together(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    dlp_regression *with = fit("y ~ s(x) + (1 | g)", "ordinal", NULL, r),
                   *without = fit("y ~ x + (1 | g)", "ordinal", NULL, r);
    const dlp_regression_result *a = dlp_regression_result_of(with),
                                *b = dlp_regression_result_of(without);
    dlp_prediction *p = NULL, *q = NULL;
    assert_int_equal(a->n, a->p + LEVELS - 1);
    assert_string_equal(a->column[0], "s(x).x");
    assert_int_equal(a->smooth[0].first, 1);
    for (dlp_index j = 1; j < LEVELS - 1; j++) /* gaps are those of the straight line */
        assert_near((a->mu[a->p + j] - b->mu[b->p + j]) /
                        sqrt(b->Sigma[(b->p + j) * (b->n + 1)]),
                    0, 0.3);
    assert_ok(dlp_regression_predict(with, r->table, NULL, &p, error));
    assert_ok(dlp_regression_predict(without, r->table, NULL, &q, error));
    double apart = 0; /* a curve that the rows do not ask for is nearly straight */
    for (int i = 0; i < N * LEVELS; i++)
        apart += fabs(dlp_prediction_result_of(p)->probability_averaged[i] -
                      dlp_prediction_result_of(q)->probability_averaged[i]);
    assert_near(apart / (N * LEVELS), 0, 0.03);
    dlp_prediction_free(p);
    dlp_prediction_free(q);
    dlp_regression_free(without);
    dlp_regression_free(with);
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_points_have_their_derivatives),
        cmocka_unit_test(leaves_move_with_cut_points),
        cmocka_unit_test(patterns_have_gaps),
        cmocka_unit_test(small_models_are_integrated),
        cmocka_unit_test(rows_of_levels_have_their_derivatives),
        cmocka_unit_test(two_levels_are_binary),
        cmocka_unit_test(an_order_may_be_turned),
        cmocka_unit_test(probabilities_are_averages),
        cmocka_unit_test(smooths_and_cut_points_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Random effects of responses with several linear predictors: leaves and posteriors against
   integrals by brute force, exchanged levels, predictions against draws, and a fit that is
   stopped. */
#include "glm/families/family.h"
#include "infer/explore.h"
#include "math/dense.h"
#include "mixed/fit.h"
#include "mixed/levels/multinomial.h"
#include "mixed/result/summary.h"
#include "mixed_levels.h"

/* ---- leaves of several linear predictors ---- */

enum { MOST_D = 3, MOST_N = MOST_D * (CELLS + 2) };

typedef struct softmax {
    dlp_index D, q, n;
    double y[N];
    const double *X[MOST_D], *Z[2 * MOST_D], *one[MOST_D];
    dlpi_mixed_term term[2];
    dlpi_mixed_data data;
    double precision[MOST_D * MOST_D], scale[3 * MOST_D];
    dlpi_mixed_prior prior;
    dlpi_mixed model;
    double start[MOST_N + 2 * MOST_D * GROUPS];
} softmax;

/* level ~ 0 + x + (1 | g) + (1 | h), or (1 + x | g), with the levels from D on as one. */
static softmax *make_softmax(const rows *r, dlp_index D, dlp_index q, dlpi_leaf_rule rule)
{
    softmax *s = calloc(1, sizeof *s);
    s->D = D;
    s->q = q;
    for (int i = 0; i < N; i++) s->y[i] = r->level[i] < D ? r->level[i] : (double)D;
    for (dlp_index k = 0; k < D; k++) {
        s->X[k] = r->x;
        s->Z[k * q + q - 1] = r->x; /* the last; before it, ones */
        if (q == 1) s->Z[k] = NULL;
        s->precision[k * (D + 1)] = 0.04;
    }
    for (int i = 0; i < 3 * MOST_D; i++) s->scale[i] = 2.5;
    s->term[0] = (dlpi_mixed_term){GROUPS, D * q, r->g, s->Z, NULL};
    s->term[1] = (dlpi_mixed_term){CELLS, D, r->h, s->one, NULL};
    s->data = (dlpi_mixed_data){.N = N,
                                .p = D,
                                .X = s->X,
                                .y = s->y,
                                .weight = r->weight,
                                .n_terms = 2,
                                .term = s->term,
                                .predictors = D};
    s->prior = (dlpi_mixed_prior){
        .precision = s->precision, .sd_scale = s->scale, .sd_df = 3, .correlation = 1};
    s->model = (dlpi_mixed){.data = &s->data,
                            .prior = &s->prior,
                            .rule = rule,
                            .skewed = true,
                            .log_det_beta = (double)D * log(0.04),
                            .x = s->start};
    assert_ok(dlpi_hyper_layout_make(&s->data, &s->model.layout, error));
    assert_ok(dlpi_hyper_restrict(&s->model.layout, &s->prior, error));
    assert_int_equal(s->model.layout.m, D * (q + q * (q - 1) / 2 + 1));
    assert_ok(dlpi_mixed_rows_make(&s->data, 0, &s->model.rows, error));
    s->n = s->model.rows.n;
    s->model.b = s->start + s->n;
    s->model.shape = dlp_shape_dense(s->n);
    return s;
}

static void free_softmax(softmax *s)
{
    dlpi_mixed_rows_clear(&s->model.rows);
    dlpi_hyper_layout_clear(&s->model.layout);
    free(s);
}

/* log p(rows of g | x, b), b (D, q) */
static double log_rows(const softmax *s, const rows *r, int g, const double *x,
                       const double *b)
{
    double log_p = 0;
    for (int i = g * EACH; i < (g + 1) * EACH; i++) {
        double eta[MOST_D] = {0}, all = 1;
        for (dlp_index k = 0; k < s->D; k++) {
            eta[k] = x[CELLS * s->D + k] * r->x[i] + x[r->h[i] * s->D + k] + b[k * s->q];
            if (s->q == 2) eta[k] += b[2 * k + 1] * r->x[i];
            all += exp(eta[k]);
        }
        const int y = (int)s->y[i];
        log_p += r->weight[i] * ((y > 0 ? eta[y - 1] : 0) - log(all));
    }
    return log_p;
}

/* Without slopes: f by a grid over the D effects of each level of g; sd of all effects. */
static double softmax_written_out(const softmax *s, const rows *r, const double *x,
                                  double sd)
{
    const double h = 0.4;
    const int steps = 31;
    double f = s->model.log_det_beta / 2;
    for (dlp_index i = 0; i < s->n; i++)
        f -= 0.5 * x[i] * x[i] * (i < CELLS * s->D ? 1 / (sd * sd) : 0.04);
    f -= (double)(CELLS * s->D) * log(sd);
    for (int g = 0; g < GROUPS; g++) {
        double sum = 0;
        for (int at = 0; at < pow(steps, (double)s->D); at++) {
            double b[MOST_D] = {0}, t[MOST_D], log_w = 0;
            for (dlp_index k = 0, left = at; k < s->D; k++, left /= steps) {
                t[k] = h * (double)(left % steps - steps / 2);
                b[k] = sd * t[k];
                log_w -= 0.5 * t[k] * t[k];
            }
            sum += exp(log_w + log_rows(s, r, g, x, b));
        }
        f += log(sum) + (double)s->D * log(h / sqrt(2 * PI));
    }
    return f;
}

static void set_softmax(const softmax *s, dlpi_mixed_block *block, const double *psi)
{
    for (dlp_index i = 0; i < s->n; i++) block->x[i] = 0.13 * (double)(i % 7) - 0.4;
    dlpi_mixed_block_set(block, psi);
    dlpi_mixed_block_expand(block);
}

static void try_softmax(dlp_index D, dlp_index q, dlpi_leaf_rule rule, double tolerance)
{
    rows *r = draw_rows(1);
    softmax *s = make_softmax(r, D, q, rule);
    const dlp_index n = s->n;
    dlpi_mixed_block block;
    const double psi[12] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, step = 1e-3;
    double grad[MOST_N], H[MOST_N * MOST_N];
    assert_ok(dlpi_mixed_block_alloc(&s->model, &block, error));
    set_softmax(s, &block, psi);
    if (q == 1 && rule != DLPI_LEAF_LAPLACE)
        assert_near(block.f, softmax_written_out(s, r, block.x, exp(0.3)), tolerance);
    memcpy(grad, block.gradient, (size_t)n * sizeof *grad);
    memcpy(H, block.H.a, (size_t)(n * n) * sizeof *H);
    for (dlp_index i = 0; i < n; i++) {
        double value[2], slope[2][MOST_N], mean[2];
        const double kept = block.x[i];
        for (int side = 0; side < 2; side++) {
            block.x[i] = kept + (side ? step : -step);
            dlpi_mixed_block_expand(&block);
            value[side] = block.f;
            mean[side] = dlpi_mixed_block_kept(&block, 0)[D * q - 1];
            memcpy(slope[side], block.gradient, (size_t)n * sizeof *grad);
        }
        block.x[i] = kept;
        assert_near(grad[i], (value[1] - value[0]) / (2 * step), 1e-3 + tolerance);
        for (dlp_index j = i; j < n; j++)
            assert_close(H[i * n + j], -(slope[1][j] - slope[0][j]) / (2 * step),
                         1e-3 + tolerance);
        if (i < n - D) continue; /* of the leaf's last effect by beta */
        dlpi_mixed_block_expand(&block);
        const dlp_index m = dlpi_leaf_sees(&s->model.rows, 0), Q = D * q;
        assert_near(dlpi_mixed_block_kept(&block, 0)[Q + Q * Q + (Q - 1) * m + i - n + m],
                    (mean[1] - mean[0]) / (2 * step), 1e-3 + tolerance);
    }
    dlpi_mixed_block_free(&block);
    free_softmax(s);
    free_rows(r);
}

static void several_predictors_are_integrated_over(void **state)
{
    (void)state;
    try_softmax(2, 1, DLPI_LEAF_LAPLACE, 1e-6);
    try_softmax(2, 2, DLPI_LEAF_LAPLACE, 1e-6);
    try_softmax(2, 1, DLPI_LEAF_HERMITE, 1e-2);
    try_softmax(3, 1, DLPI_LEAF_HERMITE, 3e-2);
    try_softmax(2, 2, DLPI_LEAF_HERMITE, 0.3);
}

/* ---- multinomial responses ---- */

/* Two levels are a binary response. */
static void two_levels_have_one_predictor(void **state)
{
    (void)state;
    rows *r = draw_rows(8);
    dlp_regression *two = fit("b ~ x + (1 | g)", "multinomial", NULL, r),
                   *one = fit("b ~ x + (1 | g)", "bernoulli", NULL, r);
    const dlp_regression_result *a = dlp_regression_result_of(two),
                                *b = dlp_regression_result_of(one);
    for (int j = 0; j < 2; j++) {
        assert_close(a->margin[j].mean, b->margin[j].mean, 1e-8);
        assert_close(a->margin[j].sd, b->margin[j].sd, 1e-8);
    }
    assert_string_equal(a->random[0].category, "1");
    assert_close(a->random[0].sd[0].mean, b->random[0].sd[0].mean, 1e-8);
    dlp_regression_free(one);
    dlp_regression_free(two);
    free_rows(r);
}

/* n ~ 1 + (1 | g) with three levels and three rows per group: both intercepts and both
   sds by a grid over all four. For a group it only matters how many rows have each
   level. */
enum { MANY = 60, TRIPLES = 3, PATTERNS = (TRIPLES + 1) * (TRIPLES + 1) };

typedef struct four {
    double mean[4], sd[4]; /* of the intercepts, then the sds */
} four;

/* How likely each pattern is, [rows of b][rows of c], by a grid over the effects. */
static void weigh_patterns(const double *beta, const double *sd, double *p)
{
    const double h = 0.6;
    memset(p, 0, PATTERNS * sizeof *p);
    for (double s = -4.2; s < 4.3; s += h)
        for (double t = -4.2; t < 4.3; t += h) {
            const double b = exp(beta[0] + sd[0] * s), c = exp(beta[1] + sd[1] * t),
                         w = h * h / (2 * PI) * exp(-0.5 * (s * s + t * t)) /
                             pow(1 + b + c, TRIPLES);
            for (int i = 0; i <= TRIPLES; i++)
                for (int j = 0; i + j <= TRIPLES; j++)
                    p[i * (TRIPLES + 1) + j] += w * pow(b, i) * pow(c, j);
        }
}

static four brute_four(const int *count)
{
    four m = {{0}, {0}};
    double all = 0, p[PATTERNS], x[4];
    for (x[0] = -2; x[0] < 2.1; x[0] += 0.4)
        for (x[1] = -2; x[1] < 2.1; x[1] += 0.4)
            for (double u = -4; u < 1.6; u += 0.4)
                for (double v = -4; v < 1.6; v += 0.4) {
                    x[2] = exp(u);
                    x[3] = exp(v);
                    weigh_patterns(x, x + 2, p);
                    double log_p = -(x[0] * x[0] + x[1] * x[1]) / 8 + u + v + 190;
                    for (int k = 2; k < 4; k++)
                        log_p -= 2 * log1p(x[k] * x[k] / (3 * 2.5 * 2.5));
                    for (int i = 0; i < PATTERNS; i++)
                        if (count[i] > 0) log_p += count[i] * log(p[i]);
                    const double w = exp(log_p);
                    all += w;
                    for (int k = 0; k < 4; k++) {
                        m.mean[k] += w * x[k];
                        m.sd[k] += w * x[k] * x[k];
                    }
                }
    for (int k = 0; k < 4; k++) {
        m.mean[k] /= all;
        m.sd[k] = sqrt(m.sd[k] / all - m.mean[k] * m.mean[k]);
    }
    return m;
}

static void small_multinomial_models_are_integrated(void **state)
{
    (void)state;
    static int32_t y[MANY * TRIPLES], g[MANY * TRIPLES];
    static char text[MANY][8];
    const char *name[MANY];
    int count[PATTERNS] = {0};
    dlp_rng rng = dlp_rng_at(12, 12);
    for (int k = 0; k < MANY; k++) {
        const double b = exp(0.3 + 1.5 * dlp_draw_normal(&rng)),
                     c = exp(-0.2 + dlp_draw_normal(&rng));
        int seen[3] = {0};
        snprintf(text[k], sizeof text[k], "g%02d", k);
        name[k] = text[k];
        for (int i = 0; i < TRIPLES; i++) {
            const double u = dlp_draw_uniform(&rng) * (1 + b + c);
            y[k * TRIPLES + i] = u < 1 ? 0 : u < 1 + b ? 1 : 2;
            g[k * TRIPLES + i] = k;
            seen[y[k * TRIPLES + i]]++;
        }
        count[seen[1] * (TRIPLES + 1) + seen[2]]++;
    }
    const dlp_column_data column[] = {
        {.name = "y", .code = y, .n_levels = 3, .level = letters},
        {.name = "g", .code = g, .n_levels = MANY, .level = name}};
    dlp_table *table = NULL;
    dlp_regression *ours = NULL;
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = "multinomial";
    settings.prior_sd = 2;
    assert_ok(dlp_table_from_columns(MANY * TRIPLES, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ 1 + (1 | g)", table, &settings, &ours, error));
    const dlp_regression_result *f = dlp_regression_result_of(ours);
    const four m = brute_four(count);
    const dlp_margin found[] = {f->margin[0], f->margin[1], f->random[0].sd[0],
                                f->random[1].sd[0]};
    for (int k = 0; k < 4; k++) {
        assert_near((found[k].mean - m.mean[k]) / m.sd[k], 0, 0.05);
        assert_near(found[k].sd / m.sd[k], 1, 0.06);
    }
    dlp_regression_free(ours);
    dlp_table_free(table);
}

/* Levels after the reference may be in any order. */
static void levels_may_be_exchanged(void **state)
{
    (void)state;
    static const char *const order[] = {"a", "c", "b", NULL};
    static const int place[] = {1, 0}; /* of b and c there */
    rows *r = draw_rows(9);
    dlp_regression *ours = fit("n ~ x + (1 | g)", "multinomial", NULL, r),
                   *other = fit("n ~ x + (1 | g)", "multinomial", order, r);
    const dlp_regression_result *a = dlp_regression_result_of(ours),
                                *b = dlp_regression_result_of(other);
    assert_int_equal(a->n_random, THREE - 1);
    for (int k = 0; k < THREE - 1; k++) {
        const dlp_random_effects *e = &a->random[k], *o = &b->random[place[k]];
        assert_string_equal(e->category, letters[1 + k]);
        assert_string_equal(o->category, letters[1 + k]);
        assert_near((e->sd[0].mean - o->sd[0].mean) / e->sd[0].sd, 0, 0.03);
        for (int j = 0; j < 2; j++) {
            const dlp_margin *m = &a->margin[2 * k + j],
                             *n = &b->margin[2 * place[k] + j];
            assert_near((m->mean - n->mean) / m->sd, 0, 0.03);
            assert_near(m->sd / n->sd, 1, 0.02);
        }
    }
    dlp_regression_free(other);
    dlp_regression_free(ours);
    free_rows(r);
}

/* Moments of the linear predictors of row i: n ~ x + (1 | g) + (1 | h) */
static void predictors_of_row(const dlp_regression_result *f, const rows *r, int i,
                              double *mean, double *S)
{
    enum { D = THREE - 1, TERMS = 2 * D };
    const dlp_index n = f->n, level[2] = {r->g[i], r->h[i]};
    const double x[2] = {1, r->x[i]};
    double each[D][TERMS + 1], V[TERMS + 1][TERMS + 1][D][D];
    memset(each, 0, sizeof each);
    memset(V, 0, sizeof V);
    /* part 0 is x'beta, part 1 + t the effect of term t, on its predictor */
    for (int k = 0; k < D; k++)
        for (int j = 0; j < 2; j++) {
            each[k][0] += x[j] * f->mu[2 * k + j];
            for (int l = 0; l < D; l++)
                for (int c = 0; c < 2; c++)
                    V[0][0][k][l] += x[j] * x[c] * f->Sigma[(2 * k + j) * n + 2 * l + c];
        }
    for (int t = 0; t < TERMS; t++) {
        const dlp_random_effects *e = &f->random[t];
        const dlp_index at = level[t / D];
        each[t % D][1 + t] = e->mean[at];
        V[1 + t][1 + t][t % D][t % D] = e->variance[at];
        for (int l = 0; l < D; l++)
            for (int c = 0; c < 2; c++)
                V[1 + t][0][t % D][l] = V[0][1 + t][l][t % D] +=
                    x[c] * e->with_beta[at * n + 2 * l + c];
    }
    for (dlp_index k = 0; k < f->n_pairs; k++) {
        const dlp_effect_pairs *p = &f->pairs[k];
        for (dlp_index c = 0; c < p->n; c++)
            if (p->level[2 * c] == level[p->first / D] &&
                p->level[2 * c + 1] == level[p->second / D])
                V[1 + p->first][1 + p->second][p->first % D][p->second % D] =
                    V[1 + p->second][1 + p->first][p->second % D][p->first % D] =
                        p->covariance[c];
    }
    for (int k = 0; k < D; k++) {
        mean[k] = 0;
        for (int a = 0; a <= TERMS; a++) mean[k] += each[k][a];
        for (int l = 0; l < D; l++) {
            S[k * D + l] = 0;
            for (int a = 0; a <= TERMS; a++)
                for (int b = 0; b <= TERMS; b++) S[k * D + l] += V[a][b][k][l];
        }
    }
}

static void softmax_probabilities(const double *eta, double *p)
{
    double all = 1;
    for (int k = 1; k < THREE; k++) all += exp(eta[k - 1]);
    for (int k = 0; k < THREE; k++) p[k] = (k ? exp(eta[k - 1]) : 1) / all;
}

static void multinomial_probabilities_are_averages(void **state)
{
    (void)state;
    enum { DRAWS = 40000, D = THREE - 1 };
    rows *r = draw_rows(10);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *ours = NULL;
    settings.family = "multinomial";
    settings.hyper = DLP_HYPER_MAP; /* which is faster, and as good for this */
    assert_ok(dlp_regression_fit("n ~ x + (1 | g) + (1 | h)", r->table, &settings, &ours,
                                 error));
    const dlp_regression_result *f = dlp_regression_result_of(ours);
    dlp_prediction *prediction = NULL;
    assert_ok(dlp_regression_predict(ours, r->table, NULL, &prediction, error));
    const dlp_prediction_result *out = dlp_prediction_result_of(prediction);
    dlp_rng rng = dlp_rng_at(5, 5);
    for (int i = 0; i < N; i += 29) {
        double mean[D], U[D * D], p[THREE], average[THREE] = {0};
        predictors_of_row(f, r, i, mean, U);
        assert_int_equal(dlpi_cholesky(D, U), -1);
        softmax_probabilities(mean, p);
        for (int k = 0; k < THREE; k++)
            assert_near(out->probability[i * THREE + k], p[k], 1e-9);
        for (int d = 0; d < DRAWS; d++) {
            double z[D], eta[D];
            for (int k = 0; k < D; k++) z[k] = dlp_draw_normal(&rng);
            for (int k = 0; k < D; k++) {
                eta[k] = mean[k];
                for (int l = 0; l <= k; l++) eta[k] += U[l * D + k] * z[l];
            }
            softmax_probabilities(eta, p);
            for (int k = 0; k < THREE; k++) average[k] += p[k] / DRAWS;
        }
        for (int k = 0; k < THREE; k++)
            assert_near(out->probability_averaged[i * THREE + k], average[k], 8e-3);
    }
    dlp_prediction_free(prediction);
    dlp_regression_free(ours);
    free_rows(r);
}

/* A level's own intercept is that of its rows' linear predictors. */
static void levels_of_a_grouping_know_their_category(void **state)
{
    (void)state;
    rows *r = draw_rows(11);
    dlp_regression *ours = fit("n ~ x + (1 | g)", "multinomial", NULL, r);
    const dlp_regression_result *f = dlp_regression_result_of(ours);
    assert_int_equal(f->n_random, THREE - 1);
    for (dlp_index t = 0; t < THREE - 1; t++) {
        dlp_level_effect effect = {0};
        dlp_regression_level(ours, t, 3, &effect);
        assert_string_equal(effect.category, letters[1 + t]);
        assert_int_equal(effect.column, 0);
        assert_close(effect.own.mean, f->mu[2 * t] + f->random[t].mean[3], 1e-12);
        assert_close(effect.own.sd * effect.own.sd,
                     f->Sigma[2 * t * (f->n + 1)] + f->random[t].variance[3] +
                         2 * f->random[t].with_beta[3 * f->n + 2 * t],
                     1e-10);
    }
    assert_int_equal(f->variance.known, 0);
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- a fit that is stopped ---- */

typedef struct patience {
    long asked, most;
} patience;

static int lose_patience(void *context, const dlp_progress *progress)
{
    patience *p = context;
    (void)progress;
    return ++p->asked == p->most;
}

/* Quadrature of many effects takes long: it asks for each leaf, and ends when told. */
static void leaves_ask_whether_to_go_on(void **state)
{
    static const long when[] = {1, 2, 30, 300, 3000, 10000};
    rows *r = draw_rows(5);
    dlp_regression_settings settings = dlp_regression_settings_default();
    (void)state;
    settings.family = "multinomial";
    settings.threads = 1;
    settings.progress = lose_patience;
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        dlp_regression *fit = NULL;
        patience p = {.most = when[i]};
        settings.context = &p;
        assert_fails(
            dlp_regression_fit("n ~ x + (1 | g)", r->table, &settings, &fit, error),
            DLP_ECANCELLED, "cancelled");
        assert_int_equal(p.asked, when[i]);
    }
    free_rows(r);
}

/* ---- smooths ---- */

enum { WIGGLY = 2, COLUMNS = 1 + WIGGLY, TWO = 2, ALL = TWO * COLUMNS };

typedef struct curved {
    double y[N], square[N], cube[N], precision[ALL * ALL], scale[TWO], start[ALL];
    const double *X[COLUMNS];
    dlpi_mixed_smooth smooth;
    dlpi_multinomial_rows rows;
    dlpi_mixed_prior prior;
    dlpi_mixed model;
} curved;

/* n ~ 0 + x + a smooth with two functions; no terms. */
static curved *make_curved(const rows *r)
{
    curved *c = calloc(1, sizeof *c);
    for (int i = 0; i < N; i++) {
        c->y[i] = r->three[i];
        c->square[i] = 0.2 * r->x[i] * r->x[i] - 1;
        c->cube[i] = 0.1 * r->x[i] * r->x[i] * r->x[i] - 2;
    }
    c->X[0] = r->x;
    c->X[1] = c->square;
    c->X[2] = c->cube;
    c->smooth = (dlpi_mixed_smooth){1, WIGGLY};
    const dlpi_mixed_data data = {.N = N,
                                  .p = COLUMNS,
                                  .X = c->X,
                                  .y = c->y,
                                  .weight = r->weight,
                                  .n_smooths = 1,
                                  .smooth = &c->smooth};
    assert_ok(dlpi_multinomial_rows_make(&data, THREE, &c->rows, error));
    for (int j = 0; j < TWO; j++) c->precision[j * (ALL + 1)] = 0.04;
    c->scale[0] = c->scale[1] = 2.5;
    c->prior =
        (dlpi_mixed_prior){.precision = c->precision, .sd_scale = c->scale, .sd_df = 3};
    c->model = (dlpi_mixed){.data = &c->rows.data,
                            .prior = &c->prior,
                            .rule = DLPI_LEAF_LAPLACE,
                            .skewed = true,
                            .log_det_beta = 2 * log(0.04),
                            .x = c->start,
                            .b = c->start};
    assert_ok(dlpi_hyper_layout_make(&c->rows.data, &c->model.layout, error));
    assert_ok(dlpi_hyper_restrict(&c->model.layout, &c->prior, error));
    assert_ok(dlpi_mixed_rows_make(&c->rows.data, -1, &c->model.rows, error));
    c->model.shape = dlp_shape_dense(ALL);
    return c;
}

/* f as the model is written; x has both slopes, then the functions for the first predictor, and
   for the second. */
static double curved_written_out(const curved *c, const rows *r, const double *x,
                                 const double *sd)
{
    double f = log(0.04);
    for (int k = 0; k < TWO; k++) {
        f -= 0.5 * 0.04 * x[k] * x[k] + WIGGLY * log(sd[k]);
        for (int j = 0; j < WIGGLY; j++)
            f -= 0.5 * pow(x[TWO + WIGGLY * k + j] / sd[k], 2);
    }
    for (int i = 0; i < N; i++) {
        double eta[THREE] = {0}, all = 1;
        for (int k = 0; k < TWO; k++) {
            const double *u = x + TWO + WIGGLY * k;
            eta[k + 1] = x[k] * r->x[i] + u[0] * c->square[i] + u[1] * c->cube[i];
            all += exp(eta[k + 1]);
        }
        f += r->weight[i] * (eta[r->three[i]] - log(all));
    }
    return f;
}

static void smooths_of_predictors_have_their_derivatives(void **state)
{
    (void)state;
    rows *r = draw_rows(12);
    curved *c = make_curved(r);
    const double sd[] = {0.7, 1.3}, psi[] = {log(0.7), log(1.3)}, step = 1e-4;
    double grad[ALL], H[ALL * ALL];
    dlpi_mixed_block block;
    dlp_index place[ALL];
    assert_int_equal(c->model.layout.m, TWO);
    assert_ok(dlpi_mixed_block_alloc(&c->model, &block, error));
    for (int i = 0; i < ALL; i++) block.x[i] = 0.1 * i - 0.2;
    dlpi_mixed_block_set(&block, psi);
    dlpi_mixed_block_expand(&block);
    assert_close(block.f, curved_written_out(c, r, block.x, sd), 1e-10);
    memcpy(grad, block.gradient, sizeof grad);
    memcpy(H, block.H.a, sizeof H);
    for (int i = 0; i < ALL; i++) {
        double value[2], slope[2][ALL];
        for (int side = 0; side < 2; side++) {
            const double kept = block.x[i];
            block.x[i] += side ? step : -step;
            dlpi_mixed_block_expand(&block);
            value[side] = block.f;
            memcpy(slope[side], block.gradient, sizeof grad);
            block.x[i] = kept;
        }
        assert_near(grad[i], (value[1] - value[0]) / (2 * step), 1e-5);
        for (int j = i; j < ALL; j++)
            assert_close(H[i * ALL + j], -(slope[1][j] - slope[0][j]) / (2 * step), 1e-5);
    }
    dlpi_multinomial_places(&c->rows.data, place);
    const dlp_index expected[ALL] = {0, 3, 1, 2, 4, 5};
    for (int i = 0; i < ALL; i++) assert_int_equal(place[i], expected[i]);
    dlpi_mixed_block_free(&block);
    dlpi_mixed_rows_clear(&c->model.rows);
    dlpi_hyper_layout_clear(&c->model.layout);
    dlpi_multinomial_rows_clear(&c->rows);
    free(c);
    free_rows(r);
}

/* A curve for each level but the first, beside effects of groups, and read back from its file. */
static void smooths_of_levels_are_kept(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression *made = fit("n ~ s(x) + (1 | g)", "multinomial", NULL, r),
                   *again = NULL;
    const dlp_regression_result *f = dlp_regression_result_of(made);
    dlp_prediction *p = NULL;
    double x[11], sum = 0;
    dlp_margin curve[11];
    assert_int_equal(f->n_smooths, TWO);
    assert_string_equal(f->smooth[0].label, "b: s(x)");
    assert_string_equal(f->smooth[1].label, "c: s(x)");
    assert_int_equal(f->smooth[1].first - f->smooth[0].first, f->p);
    assert_ok(dlp_regression_save(made, "smooth_levels.json", error));
    assert_ok(dlp_regression_load("smooth_levels.json", &again, error));
    for (dlp_index s = 0; s < TWO; s++) {
        dlp_margin other[11];
        assert_ok(dlp_regression_curve(made, s, 11, x, curve, error));
        assert_ok(dlp_regression_curve(again, s, 11, x, other, error));
        for (int i = 0; i < 11; i++) assert_close(curve[i].mean, other[i].mean, 1e-9);
        for (int i = 0; i < 11; i++) sum += fabs(curve[i].mean);
    }
    assert_true(sum > 0.1);
    assert_ok(dlp_regression_predict(made, r->table, NULL, &p, error));
    dlp_prediction_free(p);
    dlp_regression_free(again);
    dlp_regression_free(made);
    remove("smooth_levels.json");
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_predictors_are_integrated_over),
        cmocka_unit_test(two_levels_have_one_predictor),
        cmocka_unit_test(small_multinomial_models_are_integrated),
        cmocka_unit_test(levels_may_be_exchanged),
        cmocka_unit_test(multinomial_probabilities_are_averages),
        cmocka_unit_test(levels_of_a_grouping_know_their_category),
        cmocka_unit_test(leaves_ask_whether_to_go_on),
        cmocka_unit_test(smooths_of_predictors_have_their_derivatives),
        cmocka_unit_test(smooths_of_levels_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fit says on average over rows where some columns are set: the linear predictors
 * as linear functions of the parameters; and the response h(theta) = sum_i w_i
 * m(x_i'theta) at each draw of them. With many rows only every so many-th is used for the
 * draws, and the difference this makes is corrected to first order,
 *
 *   h(theta) = h_some(theta) + (h - h_some)(mu) + (grad h - grad h_some)(mu)'(theta - mu),
 *
 * using all rows.
 */
#include "core/core.h"
#include "glm/families/draw_response.h"
#include "glm/predict/predict.h"
#include "infer/listener.h"
#include "math/dense.h"
#include "math/special/gauss_hermite.h"
#include "math/symmetric/structure.h"
#include "regression/predict/predict_random.h"
#include "regression/predict/prediction.h"
#include "regression/questions/question.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 2000, NODES = 15 };

/* The rows of one setting. */
typedef struct seen {
    const dlpi_question *q;
    dlp_table table;
    double *memory; /* for the columns that are set */
    int32_t *codes;
    dlp_design *design;
    double *code;
    dlp_glm_data data;
    double *added;    /* (N, D) means of random effects, with the offset; NULL */
    double *variance; /* (N, D, D) and variances; NULL */
    double *row;      /* (p) */
    double *theta;    /* (n) */
    double *level;    /* (K) */
} seen;

static void clear(seen *w)
{
    free(w->table.column);
    free(w->memory);
    free(w->codes);
    dlp_design_free(w->design);
    dlpi_rows_free(w->code);
    free(w->added);
    free(w->row);
}

/* ---- columns ---- */

static double moved(const dlpi_setting *s, double x)
{
    return s->shift == 0 ? x : x + s->shift * dlpi_question_step(x, s->range);
}

static void set_column(const seen *w, dlp_index k, const dlpi_setting *s)
{
    const dlp_index N = w->table.rows;
    dlp_column *out = &w->table.column[s->dimension->column];
    const double *number = s->dimension->number;
    double *value = w->memory + k * N;
    int32_t *code = w->codes + k * N;
    for (dlp_index i = 0; i < N; i++)
        if (s->value < 0)
            value[i] = moved(s, out->number[i]);
        else if (number)
            value[i] = moved(s, number[s->value]);
        else
            code[i] = (int32_t)s->value;
    out->kind = number ? DLP_NUMERIC : DLP_CATEGORICAL;
    out->number = number ? value : NULL;
    out->code = number ? NULL : code;
    out->n_levels = number ? 0 : s->dimension->n;
    out->level =
        number ? NULL : (char **)s->dimension->text; /* not changed by a design */
    if (s->value >= 0) out->missing = 0;
}

static dlp_status set_columns(seen *w, dlp_index n, const dlpi_setting *setting,
                              dlp_error *error)
{
    const dlp_index columns = w->q->table->columns;
    w->table = w->q->rows.table;
    w->table.column = dlpi_calloc(columns, sizeof *w->table.column);
    w->memory = dlpi_calloc(dlpi_size(n, w->table.rows, 0), sizeof *w->memory);
    w->codes = dlpi_calloc(dlpi_size(n, w->table.rows, 0), sizeof *w->codes);
    if (!w->table.column || !w->memory || !w->codes)
        return dlpi_no_memory(error, "the rows");
    memcpy(w->table.column, w->q->rows.table.column,
           (size_t)columns * sizeof *w->table.column);
    for (dlp_index k = 0; k < n; k++) set_column(w, k, &setting[k]);
    return DLP_OK;
}

/* ---- rows ---- */

static dlp_status add_random(seen *w, dlp_error *error)
{
    const dlp_regression_result *r = w->q->r;
    const dlp_index N = w->data.N, D = w->q->D;
    const bool ordered = r->family->support == DLP_SUPPORT_ORDERED;
    const dlp_index cuts = ordered ? r->n - r->p : 0;
    int apart;
    DLP_TRY(dlpi_check_random(r, w->design, error));
    w->added = dlpi_calloc(N, (size_t)(D * (D + 1) + cuts) * sizeof *w->added);
    if (!w->added) return dlpi_no_memory(error, "the random effects");
    const dlpi_random_rows rows = {.x = w->data.x,
                                   .mean = w->added,
                                   .variance = w->added + N * D,
                                   .with_cuts =
                                       ordered ? w->added + N * D * (D + 1) : NULL};
    w->variance = rows.variance;
    return dlpi_add_random(r, w->design, w->q->s.effects, &rows, &apart, error);
}

static dlp_status build(seen *w, dlp_error *error)
{
    const dlpi_question *q = w->q;
    const dlp_regression_result *r = q->r;
    dlp_design_options options = dlp_design_options_default();
    dlp_index skipped;
    options.skip_response = 1;
    options.problem = q->s.problem;
    options.keep = q->rows.keep;
    options.unseen_group =
        q->s.effects == DLP_EFFECTS_OF_LEVELS ? DLP_UNSEEN_ERROR : DLP_UNSEEN_POPULATION;
    options.skip_groupings = r->grouping == DLP_MIXED;
    const dlp_status status =
        dlp_design_rebuild(r->terms, &w->table, &options, &w->design, error);
    DLP_TRY(dlpi_in_table(q->table, status, error));
    DLP_TRY(dlpi_design_data(w->design, NULL, r->family, &w->data, &w->code, &skipped,
                             error));
    w->data.df = r->df;
    DLP_TRY(dlpi_check_columns(r, w->design, w->data.p, skipped, error));
    if (w->data.N != q->rows.N)
        return dlp_fail(error, DLP_EINPUT,
                        "%td of the %td rows have no value of the linear predictor there",
                        q->rows.N - w->data.N, q->rows.N);
    w->row = dlpi_calloc(r->p + r->n + q->K, sizeof *w->row);
    if (!w->row) return dlpi_no_memory(error, "the rows");
    w->theta = w->row + r->p;
    w->level = w->theta + r->n;
    return r->grouping == DLP_MIXED ? add_random(w, error) : DLP_OK;
}

static dlp_index block_of(const seen *w, dlp_index i)
{
    return w->q->post.B > 1 ? w->design->group[i] : 0;
}

/* What is added to x'beta_d in row i. */
static double beside(const seen *w, dlp_index i, dlp_index d)
{
    const dlpi_question_rows *rows = &w->q->rows;
    const double own = w->data.offset ? w->data.offset[i] : 0;
    return (rows->typical_offset ? rows->offset : own) +
           (w->added ? w->added[i * w->q->D + d] : 0);
}

/* The variance of eta between groups that are averaged over; row i is loaded. */
static double between(const seen *w, dlp_index i)
{
    const dlpi_question *q = w->q;
    if (q->post.spread) return dlpi_quadratic(q->r->p, w->row, q->post.spread, q->r->n);
    if (!w->variance || q->D > 1) return 0;
    return fmax(w->variance[i], 0);
}

/* ---- linear predictors ---- */

static void average_predictors(const seen *w, dlpi_outcome *out)
{
    const dlpi_question *q = w->q;
    const dlp_index p = q->r->p, n = q->post.n, all = q->post.B * n;
    for (dlp_index i = 0; i < w->data.N; i++) {
        const double weight = q->rows.weight[i];
        dlpi_load_row(&w->data, i, w->row);
        for (dlp_index d = 0; d < q->D; d++) {
            dlpi_axpy(p, weight, w->row, out->a + d * all + block_of(w, i) * n + d * p);
            out->constant[d] += weight * beside(w, i, d);
        }
        out->spread += weight * between(w, i);
    }
}

/* ---- responses ---- */

double dlpi_question_response(const dlpi_question *q, double eta, dlpi_scales scales,
                              double variance)
{
    double t[NODES], log_w[NODES], sum = 0;
    if (!(variance > 0)) return dlpi_question_mean(q, eta, scales);
    dlpi_gauss_hermite(NODES, t, log_w);
    for (int k = 0; k < NODES; k++)
        sum += exp(log_w[k]) *
               dlpi_question_mean(q, eta + sqrt(2 * variance) * t[k], scales);
    return sum / 1.7724538509055160273; /* sqrt(pi) */
}

/* The nodes and weights, for many such means. */
typedef struct nodes {
    double t[NODES], weight[NODES]; /* E[f(Z)] = sum weight f(t) */
} nodes;

static double response(const dlpi_question *q, const nodes *at, double eta,
                       dlpi_scales scales, double sd)
{
    double sum = 0;
    if (!(sd > 0)) return dlpi_question_mean(q, eta, scales);
    for (int k = 0; k < NODES; k++)
        sum += at->weight[k] * dlpi_question_mean(q, eta + sd * at->t[k], scales);
    return sum;
}

static nodes normal_nodes(void)
{
    nodes at;
    dlpi_gauss_hermite(NODES, at.t, at.weight);
    for (int k = 0; k < NODES; k++) {
        at.t[k] *= sqrt(2);
        at.weight[k] = exp(at.weight[k]) / 1.7724538509055160273;
    }
    return at;
}

/* The derivatives of the response with respect to the scales, which come after the p
   coefficients of a block. */
static void add_scales(const seen *w, const nodes *at, double eta, const double *mu,
                       double sd, double weight, double *gradient)
{
    const dlpi_question *q = w->q;
    const dlp_index p = q->r->p, n = q->post.n;
    const double small = 1e-5;
    if (!dlpi_question_has_scales(q)) return;
    memcpy(w->theta, mu, (size_t)n * sizeof *mu);
    for (dlp_index j = p; j < n; j++) {
        w->theta[j] = mu[j] + small;
        const double more = response(q, at, eta, dlpi_question_scales(q, w->theta), sd);
        w->theta[j] = mu[j] - small;
        const double less = response(q, at, eta, dlpi_question_scales(q, w->theta), sd);
        w->theta[j] = mu[j];
        gradient[j] += weight * (more - less) / (2 * small);
    }
}

/* h and its gradient at mu: over every step-th row, their weights times `times`. */
static double at_mean(const seen *w, const nodes *at, dlp_index step, double times,
                      double *gradient)
{
    const dlpi_question *q = w->q;
    const dlp_index p = q->r->p, n = q->post.n;
    const double small = 1e-5;
    double sum = 0;
    for (dlp_index i = 0; i < w->data.N; i += step) {
        const double weight = times * q->rows.weight[i];
        dlpi_load_row(&w->data, i, w->row);
        const dlp_index b = block_of(w, i);
        const double *mu = q->post.mu + b * n;
        const double sd = sqrt(between(w, i)),
                     eta = beside(w, i, 0) + dlpi_dot(p, w->row, mu);
        const dlpi_scales scales = dlpi_question_scales(q, mu);
        const double slope = (response(q, at, eta + small, scales, sd) -
                              response(q, at, eta - small, scales, sd)) /
                             (2 * small);
        sum += weight * response(q, at, eta, scales, sd);
        add_scales(w, at, eta, mu, sd, weight, gradient + b * n);
        dlpi_axpy(p, weight * slope, w->row, gradient + b * n);
    }
    return sum;
}

/* Moves on to row i; false: the caller has asked to stop. */
static bool go_on(const seen *w, dlp_index i)
{
    const dlp_question_settings *s = &w->q->s;
    const dlp_progress now = dlpi_progress_count("answering", "rows", i, w->data.N);
    return !s->progress || !s->progress(s->context, &now);
}

static dlp_status cancelled(dlp_error *error)
{
    return dlp_fail(error, DLP_ECANCELLED, "%s", dlp_status_string(DLP_ECANCELLED));
}

/* The sum of the shares of every step-th row. */
static double weight_of(const dlpi_question *q, dlp_index step)
{
    double sum = 0;
    for (dlp_index i = 0; i < q->rows.N; i += step) sum += q->rows.share[i];
    return sum;
}

static bool draw_rows(const seen *w, const nodes *at, dlp_index step, double times,
                      double *draw)
{
    const dlpi_question *q = w->q;
    const dlp_index p = q->r->p, n = q->post.n, S = q->post.S;
    for (dlp_index i = 0; i < w->data.N; i += step) {
        const double weight = times * q->rows.weight[i], rest = beside(w, i, 0);
        if (!go_on(w, i)) return false;
        dlpi_load_row(&w->data, i, w->row);
        const double sd = sqrt(between(w, i));
        const double *theta = q->post.theta + block_of(w, i) * S * n;
        for (dlp_index s = 0; s < S; s++)
            draw[s] += weight * response(q, at, rest + dlpi_dot(p, w->row, theta + s * n),
                                         dlpi_question_scales(q, theta + s * n), sd);
    }
    return true;
}

/* Adds to the draws the correction for the rows that were not used. */
static dlp_status put_right(const seen *w, const nodes *at, dlp_index step, double times,
                            double *draw, dlp_error *error)
{
    const dlpi_question_posterior *post = &w->q->post;
    const dlp_index n = post->n, S = post->S, all = post->B * n;
    double *gradient = dlpi_calloc(dlpi_size(2, all, 0), sizeof *gradient);
    if (!gradient) return dlpi_no_memory(error, "the answers");
    const double change =
        at_mean(w, at, 1, 1, gradient) - at_mean(w, at, step, times, gradient + all);
    for (dlp_index j = 0; j < all; j++) gradient[j] -= gradient[all + j];
    for (dlp_index s = 0; s < S; s++) {
        draw[s] += change;
        for (dlp_index b = 0; b < post->B; b++)
            draw[s] += dlpi_dot(n, gradient + b * n, post->theta + (b * S + s) * n) -
                       dlpi_dot(n, gradient + b * n, post->mu + b * n);
    }
    free(gradient);
    return DLP_OK;
}

static dlp_status draw_responses(const seen *w, double *draw, dlp_error *error)
{
    const dlpi_question *q = w->q;
    const dlp_index step = (w->data.N + MOST_ROWS - 1) / MOST_ROWS;
    const double some = step > 1 ? weight_of(q, step) : 1;
    const double times = some > 0 ? 1 / some : 1;
    const nodes at = normal_nodes();
    if (!draw_rows(w, &at, step, times, draw)) return cancelled(error);
    return step > 1 ? put_right(w, &at, step, times, draw, error) : DLP_OK;
}

/* ---- levels ---- */

/* Lowering all of eta by `shift` is the same as raising the first cut point by it. */
static void levels_at(const seen *w, const double *theta, double shift)
{
    const dlpi_question *q = w->q;
    if (shift == 0) {
        dlpi_level_probabilities(q->family, q->r->p, q->K, theta, w->row, NULL, w->level);
        return;
    }
    memcpy(w->theta, theta, (size_t)q->r->n * sizeof *theta);
    w->theta[q->r->p] -= shift;
    dlpi_level_probabilities(q->family, q->r->p, q->K, w->theta, w->row, NULL, w->level);
}

/* The probabilities of row i, which is loaded, times weight, added to out (K), whose
   numbers are `apart` from each other. */
static void add_levels(const seen *w, const nodes *at, dlp_index i, const double *theta,
                       double sd, double weight, dlp_index apart, double *out)
{
    const dlp_index K = w->q->K;
    const double rest = w->q->D > 1 ? 0 : beside(w, i, 0);
    for (int k = 0; k < (sd > 0 ? NODES : 1); k++) {
        const double share = sd > 0 ? at->weight[k] : 1;
        levels_at(w, theta, rest + (sd > 0 ? sd * at->t[k] : 0));
        for (dlp_index j = 0; j < K; j++) out[j * apart] += weight * share * w->level[j];
    }
}

static bool level_rows(const seen *w, const nodes *at, dlp_index step, double times,
                       double *draw)
{
    const dlpi_question *q = w->q;
    const dlp_index n = q->post.n, S = q->post.S;
    for (dlp_index i = 0; i < w->data.N; i += step) {
        if (!go_on(w, i)) return false;
        dlpi_load_row(&w->data, i, w->row);
        const double sd = sqrt(between(w, i)), weight = times * q->rows.weight[i];
        const double *theta = q->post.theta + block_of(w, i) * S * n;
        for (dlp_index s = 0; s < S; s++)
            add_levels(w, at, i, theta + s * n, sd, weight, S, draw + s);
    }
    return true;
}

/* At mu, over every step-th row, into out (K). */
static void levels_at_mean(const seen *w, const nodes *at, dlp_index step, double times,
                           double *out)
{
    const dlpi_question *q = w->q;
    for (dlp_index i = 0; i < w->data.N; i += step) {
        dlpi_load_row(&w->data, i, w->row);
        add_levels(w, at, i, q->post.mu + block_of(w, i) * q->post.n, sqrt(between(w, i)),
                   times * q->rows.weight[i], 1, out);
    }
}

static dlp_status check_levels(const seen *w, dlp_error *error)
{
    for (dlp_index i = 0; w->added && w->q->D > 1 && i < w->data.N * w->q->D; i++)
        if (w->added[i] != 0)
            return dlp_fail(error, DLP_EINVAL,
                            "probabilities of a multinomial regression with processes "
                            "cannot be averaged; ask on the scale of the link");
    return DLP_OK;
}

static dlp_status draw_levels(const seen *w, double *draw, dlp_error *error)
{
    const dlpi_question *q = w->q;
    const dlp_index step = (w->data.N + MOST_ROWS - 1) / MOST_ROWS, K = q->K;
    const double some = step > 1 ? weight_of(q, step) : 1;
    const double times = some > 0 ? 1 / some : 1;
    const nodes at = normal_nodes();
    DLP_TRY(check_levels(w, error));
    if (!level_rows(w, &at, step, times, draw)) return cancelled(error);
    if (step == 1) return DLP_OK;
    double *both = dlpi_calloc(2 * K, sizeof *both);
    if (!both) return dlpi_no_memory(error, "the answers");
    levels_at_mean(w, &at, 1, 1, both);
    levels_at_mean(w, &at, step, times, both + K);
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index s = 0; s < q->post.S; s++)
            draw[k * q->post.S + s] += both[k] - both[K + k];
    free(both);
    return DLP_OK;
}

/* ---- the whole ---- */

dlp_status dlpi_question_outcome(dlpi_question *q, dlp_index n,
                                 const dlpi_setting *setting, dlpi_outcome *out,
                                 dlp_error *error)
{
    const dlp_index all = dlpi_size(q->post.B, q->post.n, 0);
    const bool linear = q->linear;
    seen w = {.q = q};
    out->spread = 0;
    out->a = dlpi_pool_take(&q->scratch, dlpi_size(q->D, all, 0), sizeof *out->a);
    out->constant = dlpi_pool_take(&q->scratch, q->D, sizeof *out->constant);
    out->draw = NULL;
    if (!out->a || !out->constant) return dlpi_no_memory(error, "the answers");
    if (!linear) {
        DLP_TRY(dlpi_question_draw(q, error));
        out->draw =
            dlpi_pool_take(&q->scratch, dlpi_size(q->K, q->post.S, 0), sizeof *out->draw);
        if (!out->draw) return dlpi_no_memory(error, "the answers");
    }
    dlp_status status = set_columns(&w, n, setting, error);
    if (status == DLP_OK) status = build(&w, error);
    if (status == DLP_OK && linear) average_predictors(&w, out);
    if (status == DLP_OK && !linear)
        status = q->K > 1 ? draw_levels(&w, out->draw, error)
                          : draw_responses(&w, out->draw, error);
    clear(&w);
    return status;
}

dlp_index dlpi_question_parts(const dlpi_question *q)
{
    return q->linear ? q->D : q->K;
}

/* What answer k is about: a level of the response, or NULL. */
static const char *category_of(const dlpi_question *q, dlp_index k)
{
    if (q->linear) return q->D > 1 ? q->r->terms->response.level[k + 1] : NULL;
    return q->K > 1 ? q->r->terms->response.level[k] : NULL;
}

dlp_status dlpi_answer_outcome(dlpi_question *q, const dlpi_outcome *a,
                               const dlpi_outcome *b, double times, dlp_index k,
                               dlp_answer *out, dlp_error *error)
{
    const dlp_index all = q->post.B * q->post.n, n = q->linear ? all : q->post.S;
    double *h = dlpi_calloc(n, sizeof *h);
    if (!h) return dlpi_no_memory(error, "the answers");
    const double *first = (q->linear ? a->a : a->draw) + k * n;
    const double *second = b ? (q->linear ? b->a : b->draw) + k * n : NULL;
    for (dlp_index i = 0; i < n; i++)
        h[i] = times * (first[i] - (second ? second[i] : 0));
    out->category = category_of(q, k);
    const dlp_status status =
        q->linear
            ? dlpi_answer_linear(
                  q, h, times * (a->constant[k] - (b ? b->constant[k] : 0)), out, error)
            : dlpi_answer_draws(q, h, out, error);
    free(h);
    return status;
}

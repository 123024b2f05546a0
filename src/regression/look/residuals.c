/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantile residuals, leverage, and the patterns that columns leave in residuals. */
#include "math/special/tails.h"
#include "regression/look/look.h"

#include <delaplace/comparison.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <delaplace/verification.h>
#include <math.h>
#include <string.h>

enum { MOST_INFLUENCES = 20000 }; /* more rows would take seconds for k */
static const double FARTHEST = 9; /* largest residual: F is not known farther out */
static const double FAR = 3, SHARE_BEYOND = 0.0026997960632601866;

typedef struct looking {
    dlp_residuals out; /* first: it is what clients have */
    struct dlpi_pool pool;
    dlp_look_settings s;
    dlp_prediction *p;
    double *response, *fitted, *below, *up_to, *pit, *residual, *leverage, *expected;
} looking;

/* ---- what the fit says of rows ---- */

/* From the order of the groups to that of the table. */
static void put_back(const looking *w, const double *from, double *to)
{
    for (dlp_index i = 0; i < w->out.N; i++) to[dlpi_row_at(w->p, i)] = from[i];
}

static dlp_status find_shares(looking *w, dlp_error *error)
{
    const dlp_index N = w->out.N;
    double *numbers = dlpi_calloc(N, 3 * sizeof *numbers);
    bool *kept = dlpi_calloc(N, sizeof *kept);
    dlp_status status = numbers && kept ? DLP_OK : dlpi_no_memory(error, "the rows");
    if (status == DLP_OK) {
        const dlpi_left_out out = {.below = numbers,
                                   .up_to = numbers + N,
                                   .leverage = numbers + 2 * N,
                                   .kept = kept};
        status = dlpi_left_out_groups(w->p, w->s.as_new, &out, error);
        put_back(w, out.below, w->below);
        put_back(w, out.up_to, w->up_to);
        put_back(w, out.leverage, w->leverage);
        for (dlp_index i = 0; i < N; i++) w->out.kept += kept[i] && !w->s.as_new;
    }
    free(numbers);
    free(kept);
    return status;
}

/* ---- residuals ---- */

static void find_fitted(looking *w)
{
    const dlp_prediction_result *r = &w->p->result;
    for (dlp_index i = 0; i < w->out.N; i++) {
        w->fitted[i] = r->mean ? r->mean[i] : 0;
        for (dlp_index k = 0; !r->mean && k < r->levels; k++)
            w->fitted[i] += (double)(k + 1) * r->probability[i * r->levels + k];
    }
}

/* A place within the row's interval: its middle, or one determined by the seed and the
   row alone. */
static void find_residuals(looking *w)
{
    for (dlp_index i = 0; i < w->out.N; i++) {
        dlp_rng rng = dlp_rng_at(w->s.seed, (uint64_t)i);
        const double width = w->up_to[i] - w->below[i],
                     place = w->s.middle ? 0.5 : dlp_draw_uniform(&rng);
        const double u = fmin(fmax(w->below[i] + place * width, 0), 1);
        w->out.discrete |= width > 0;
        w->pit[i] = u;
        w->residual[i] = fmin(fmax(dlp_normal_quantile(u), -FARTHEST), FARTHEST);
    }
}

/* ---- the whole of them ---- */

static int ascending(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* P(D > d) of n uniform numbers, by the limit with Stephens' correction for n. */
static double kolmogorov(dlp_index n, double d)
{
    const double root = sqrt((double)n), x = d * (root + 0.12 + 0.11 / root);
    double sum = 0;
    if (x < 0.2) return 1;
    for (int j = 1; j <= 100; j++) {
        const double term = exp(-2.0 * j * j * x * x);
        sum += (j % 2 ? 2 : -2) * term;
        if (term < 1e-12) break;
    }
    return fmin(fmax(sum, 0), 1);
}

static dlp_status test_uniform(looking *w, dlp_error *error)
{
    const dlp_index N = w->out.N;
    double *u = dlpi_calloc(N, sizeof *u), d = 0;
    if (!u) return dlpi_no_memory(error, "the rows");
    memcpy(u, w->pit, (size_t)N * sizeof *u);
    qsort(u, (size_t)N, sizeof *u, ascending);
    for (dlp_index i = 0; i < N; i++)
        d = fmax(d,
                 fmax((double)(i + 1) / (double)N - u[i], u[i] - (double)i / (double)N));
    free(u);
    w->out.ks = d;
    w->out.ks_p = w->s.middle && w->out.discrete ? NAN : kolmogorov(N, d);
    w->out.uniform = !(w->out.ks_p < 0.01);
    return DLP_OK;
}

/* Residuals by rank; those that are equal, in the order of the rows. */
typedef struct placed {
    double residual;
    dlp_index row;
} placed;

static int by_residual(const void *a, const void *b)
{
    const placed *p = a, *q = b;
    if (p->residual != q->residual) return p->residual < q->residual ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

static dlp_status find_expected(looking *w, dlp_error *error)
{
    const dlp_index N = w->out.N;
    placed *all = dlpi_calloc(N, sizeof *all);
    if (!all) return dlpi_no_memory(error, "the rows");
    for (dlp_index i = 0; i < N; i++) all[i] = (placed){w->residual[i], i};
    qsort(all, (size_t)N, sizeof *all, by_residual);
    for (dlp_index i = 0; i < N; i++)
        w->expected[all[i].row] = dlp_normal_quantile(((double)i + 0.5) / (double)N);
    free(all);
    return DLP_OK;
}

static void summarise(looking *w)
{
    const dlp_index N = w->out.N;
    double sum = 0, square = 0;
    for (dlp_index i = 0; i < N; i++) {
        sum += w->residual[i];
        w->out.beyond += fabs(w->residual[i]) > FAR;
    }
    w->out.mean = sum / (double)N;
    for (dlp_index i = 0; i < N; i++)
        square += (w->residual[i] - w->out.mean) * (w->residual[i] - w->out.mean);
    w->out.sd = N > 1 ? sqrt(square / (double)(N - 1)) : NAN;
    w->out.beyond_expected = (double)N * SHARE_BEYOND;
}

/* ---- by columns ---- */

/* The means of parts are N(0, 1/rows), so their scaled squares add up to chi-squared. */
static void describe(const looking *w, dlpi_look_column *c)
{
    const double end = 1.959963984540054;
    double sum = 0;
    for (dlp_index i = 0; i < w->out.N; i++)
        if (c->of[i] >= 0) c->part[c->of[i]].mean += w->residual[i];
    for (dlp_index k = 0; k < c->by.n; k++) {
        dlp_look_part *part = &c->part[k];
        const double n = (double)part->rows;
        part->mean /= n;
        part->lower = -end / sqrt(n);
        part->upper = end / sqrt(n);
        part->sd_lower = part->sd_upper = NAN;
        c->by.outside += fabs(part->mean) > part->upper;
        const dlp_look_part *worst = &c->part[c->by.worst];
        if (fabs(part->mean) / part->upper > fabs(worst->mean) / worst->upper)
            c->by.worst = k;
        sum += n * part->mean * part->mean;
    }
    for (dlp_index i = 0; i < w->out.N; i++) {
        if (c->of[i] < 0) continue;
        dlp_look_part *part = &c->part[c->of[i]];
        part->sd += (w->residual[i] - part->mean) * (w->residual[i] - part->mean);
    }
    for (dlp_index k = 0; k < c->by.n; k++)
        c->part[k].sd = c->part[k].rows > 1
                            ? sqrt(c->part[k].sd / (double)(c->part[k].rows - 1))
                            : NAN;
    c->by.p = dlpi_gamma_tails(0.5 * (double)c->by.n, 0.5 * sum).upper;
    c->by.outside_expected = 0.05 * (double)c->by.n;
}

static dlp_status look_by(looking *w, dlp_error *error)
{
    dlpi_look_column *column;
    dlp_index n;
    DLP_TRY(dlpi_look_columns(w->p, &w->s, w->fitted, &w->pool, &column, &n, error));
    dlp_look_by *by = dlpi_pool_take(&w->pool, n, sizeof *by);
    if (!by) return dlpi_no_memory(error, "the columns");
    for (dlp_index k = 0; k < n; k++) {
        describe(w, &column[k]);
        by[k] = column[k].by;
    }
    w->out.by = by;
    w->out.n_by = n;
    return DLP_OK;
}

/* ---- influence ---- */

static dlp_status find_influence(looking *w, dlp_error *error)
{
    dlp_comparison_settings settings = dlp_comparison_settings_default();
    const dlp_index N = w->out.N;
    dlp_scores *scores;
    if (!w->s.influence) return DLP_OK;
    if (w->s.as_new)
        return dlp_fail(
            error, DLP_EINVAL,
            "only rows that were fitted have an influence on the fit; give the "
            "table that was fitted, and do not treat its rows as new");
    settings.draws = 4000; /* k needs no more */
    settings.seed = w->s.seed;
    settings.threads = w->s.threads;
    settings.progress = w->s.progress;
    settings.context = w->s.context;
    DLP_TRY(dlp_regression_loo(w->p->regression, w->p->table, &settings, &scores, error));
    double *numbers = dlpi_pool_take(&w->pool, 2 * N, sizeof *numbers);
    if (numbers) {
        memcpy(numbers, scores->elpd, (size_t)N * sizeof *numbers);
        memcpy(numbers + N, scores->k, (size_t)N * sizeof *numbers);
        w->out.elpd = numbers;
        w->out.k = numbers + N;
        for (dlp_index i = 0; i < N; i++) w->out.unsure += w->out.k[i] > DLP_TAIL_K_FAIR;
    }
    dlp_scores_free(scores);
    return numbers ? DLP_OK : dlpi_no_memory(error, "the rows");
}

/* ---- the whole ---- */

static double *take(looking *w, const double **shown)
{
    double *numbers = dlpi_pool_take(&w->pool, w->out.N, sizeof *numbers);
    *shown = numbers;
    return numbers;
}

static dlp_status make_room(looking *w, dlp_error *error)
{
    dlp_residuals *out = &w->out;
    w->response = take(w, &out->response);
    w->fitted = take(w, &out->fitted);
    w->below = take(w, &out->below);
    w->up_to = take(w, &out->up_to);
    w->pit = take(w, &out->pit);
    w->residual = take(w, &out->residual);
    w->expected = take(w, &out->expected);
    w->leverage = take(w, &out->leverage);
    const double *weight = w->p->data.weight;
    double *kept = weight ? take(w, &out->weight) : NULL;
    if (kept) memcpy(kept, weight, (size_t)out->N * sizeof *kept);
    return w->response && w->fitted && w->below && w->up_to && w->pit && w->residual &&
                   w->leverage && !weight == !kept
               ? DLP_OK
               : dlpi_no_memory(error, "the residuals");
}

static dlp_status look(looking *w, const dlp_regression *regression,
                       const dlp_table *table, dlp_error *error)
{
    DLP_TRY(dlpi_look_rows(regression, table, &w->s, w->s.as_new, &w->p, error));
    w->out.N = w->p->data.N;
    w->out.dropped = w->p->result.dropped;
    w->out.left_out = !w->s.as_new;
    w->out.row = w->p->design->row;

    DLP_TRY(make_room(w, error));
    dlpi_look_responses(w->p, w->response);
    find_fitted(w);
    DLP_TRY(find_shares(w, error));
    find_residuals(w);
    summarise(w);
    DLP_TRY(find_expected(w, error));
    DLP_TRY(test_uniform(w, error));
    DLP_TRY(look_by(w, error));
    return find_influence(w, error);
}

dlp_status dlp_regression_residuals(const dlp_regression *regression,
                                    const dlp_table *table,
                                    const dlp_look_settings *settings,
                                    dlp_residuals **residuals, dlp_error *error)
{
    *residuals = NULL;
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL, "residuals need a regression and a table");
    looking *w = dlpi_calloc(1, sizeof *w);
    if (!w) return dlpi_no_memory(error, "the residuals");
    dlp_status status = dlpi_look_settings(settings, &w->s, error);
    if (status == DLP_OK) status = look(w, regression, table, error);
    if (status == DLP_OK)
        *residuals = &w->out;
    else
        dlp_residuals_free(&w->out);
    return status;
}

static bool is_refused(dlp_status status)
{
    return status == DLP_EINVAL || dlpi_is_wrong_input(status);
}

dlp_status dlp_regression_best_residuals(const dlp_regression *regression,
                                         const dlp_table *table,
                                         const dlp_look_settings *settings,
                                         dlp_residuals **residuals, dlp_error *error)
{
    dlp_look_settings s;
    *residuals = NULL;
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL, "residuals need a regression and a table");
    DLP_TRY(dlpi_look_settings(settings, &s, error));
    s.influence = table->rows <= MOST_INFLUENCES;
    s.as_new = 0;
    dlp_status status = dlp_regression_residuals(regression, table, &s, residuals, error);
    if (is_refused(status) && s.influence) {
        s.influence = 0;
        status = dlp_regression_residuals(regression, table, &s, residuals, error);
    }
    s.as_new = 1;
    if (is_refused(status))
        status = dlp_regression_residuals(regression, table, &s, residuals, error);
    return status;
}

typedef struct ranked {
    double size;
    dlp_index row;
} ranked;

static int by_size(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    if (p->size != q->size) return p->size > q->size ? -1 : 1;
    return (p->row > q->row) - (p->row < q->row);
}

/* Rows without a k, or without a residual, come last. */
static double size_of(const dlp_residuals *r, dlp_index i)
{
    const double x = r->k ? r->k[i] : fabs(r->residual[i]);
    return isnan(x) ? -INFINITY : x;
}

dlp_status dlp_residuals_order(const dlp_residuals *r, dlp_index *row, dlp_error *error)
{
    ranked *order = dlpi_calloc(r->N, sizeof *order);
    if (!order) return dlpi_no_memory(error, "the order of the rows");
    for (dlp_index i = 0; i < r->N; i++) order[i] = (ranked){size_of(r, i), i};
    qsort(order, (size_t)r->N, sizeof *order, by_size);
    for (dlp_index i = 0; i < r->N; i++) row[i] = order[i].row;
    free(order);
    return DLP_OK;
}

void dlp_residuals_free(dlp_residuals *residuals)
{
    looking *w = (looking *)(void *)residuals;
    if (!w) return;
    dlp_prediction_free(w->p);
    dlpi_pool_free(&w->pool);
    free(w);
}

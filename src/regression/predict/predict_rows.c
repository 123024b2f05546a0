/* SPDX-License-Identifier: BSD-3-Clause */
/* The predictions of rows that are sorted by group, returned in the order of the data. */
#include "core/core.h"
#include "glm/predict/predict.h"
#include "math/symmetric/structure.h"
#include "regression/predict/prediction.h"

#include <string.h>

/* ---- memory ---- */

/* An output of dlp_glm_prediction, and how many numbers a row of it has. */
typedef struct output {
    double **at;
    dlp_index width;
} output;

enum { MOST_OUTPUTS = 8 };

/* Lists the outputs that are both wanted and computed; returns how many. */
static int list_outputs(const dlp_family *family, dlp_index levels, dlp_predict what,
                        dlp_glm_prediction *out, output *list)
{
    const bool has_levels = dlp_family_has_levels(family);
    const bool has_eta = family->support != DLP_SUPPORT_LEVELS;
    int n = 0;
    if (has_levels) list[n++] = (output){&out->probability, levels};
    if (!has_levels) list[n++] = (output){&out->mean, 1};
    if (what == DLP_PREDICT_SCORES) {
        list[n++] = (output){&out->log_density, 1};
        list[n++] = (output){&out->log_density_averaged, 1};
        return n;
    }
    if (has_eta) list[n++] = (output){&out->eta, 1};
    if (has_eta) list[n++] = (output){&out->eta_sd, 1};
    if (has_levels) {
        list[n++] = (output){&out->probability_averaged, levels};
        return n;
    }
    /* where the mean is eta itself, averaging it over the posterior changes nothing */
    if (!dlpi_is_linear(family)) list[n++] = (output){&out->mean_averaged, 1};
    list[n++] = (output){&out->lower, 1};
    list[n++] = (output){&out->upper, 1};
    if (what == DLP_PREDICT_MEANS) return n;
    list[n++] = (output){&out->observed_lower, 1};
    list[n++] = (output){&out->observed_upper, 1};
    return n;
}

/* N numbers of each, and room to sort the widest. */
static dlp_status make_room(dlp_index N, int n, const output *list, double **memory,
                            double **spare, dlp_error *error)
{
    dlp_index width = 0, widest = 0;
    for (int i = 0; i < n; i++) {
        width += list[i].width;
        if (widest < list[i].width) widest = list[i].width;
    }
    *memory = dlpi_calloc(dlpi_size(N, width + widest, 0), sizeof **memory);
    if (!*memory) return dlpi_no_memory(error, "the predictions");
    double *next = *memory;
    for (int i = 0; i < n; i++) {
        *list[i].at = next;
        next += N * list[i].width;
    }
    *spare = next;
    return DLP_OK;
}

/* From the order of the groups to that of the data. */
static void put_back(dlp_index N, const dlp_index *order, const output *o, double *spare)
{
    const size_t bytes = (size_t)o->width * sizeof *spare;
    for (dlp_index i = 0; i < N; i++)
        memcpy(spare + order[i] * o->width, *o->at + i * o->width, bytes);
    memcpy(*o->at, spare, (size_t)N * bytes);
}

/* ---- groups ---- */

static double *from(double *column, dlp_index row)
{
    return column ? column + row : NULL;
}

/* The outputs from a row on. */
static dlp_glm_prediction outputs_from(const dlp_glm_prediction *out, dlp_index row,
                                       dlp_index levels)
{
    return (dlp_glm_prediction){
        .eta = from(out->eta, row),
        .eta_sd = from(out->eta_sd, row),
        .mean = from(out->mean, row),
        .mean_averaged = from(out->mean_averaged, row),
        .lower = from(out->lower, row),
        .upper = from(out->upper, row),
        .observed_lower = from(out->observed_lower, row),
        .observed_upper = from(out->observed_upper, row),
        .log_density = from(out->log_density, row),
        .log_density_averaged = from(out->log_density_averaged, row),
        .probability = from(out->probability, row * levels),
        .probability_averaged = from(out->probability_averaged, row * levels),
        .interval_level = out->interval_level,
    };
}

/* The same for what random effects add, with D linear predictors. */
dlpi_added dlpi_added_from(const dlpi_added *a, dlp_index row, dlp_index D,
                           dlp_index levels)
{
    return (dlpi_added){.mean = a->mean ? a->mean + row * D : NULL,
                        .variance = a->variance ? a->variance + row * D * D : NULL,
                        .with_cuts =
                            a->with_cuts ? a->with_cuts + row * (levels - 1) : NULL};
}

/* The posterior of group m; after the last comes an unseen one, which is drawn from
   N(mu_0, Sigma_0), with the uncertainty of mu_0 included. */
void dlpi_load_posterior(const dlp_regression_result *r, dlp_index m, const double **mu,
                         dlp_sym *Sigma)
{
    const dlp_index n = r->n;
    const bool seen = m < r->M;
    double *to = dlp_sym_block(Sigma, 0);
    *mu = seen ? r->mu + m * n : r->mu0;
    memcpy(to, seen ? r->Sigma + m * n * n : r->Sigma0, (size_t)(n * n) * sizeof *to);
    for (dlp_index i = 0; !seen && i < n * n; i++) to[i] += r->mu0_covariance[i];
}

/* How many rows of a group are predicted at a time, so that progress can be shown. */
enum { STEP = 1 << 14, SLOW_STEP = 1 << 10 };

/* What a call needs besides the fit and its rows. */
typedef struct scoring {
    const dlp_regression_result *r;
    const dlpi_grouped_rows *rows;
    const dlpi_added *added;
    const dlp_glm_prediction *out;
    dlp_sym Sigma;
    const double **x; /* (p) columns, from some row on */
    dlp_progress_call *progress;
    void *context;
    dlp_index done;
} scoring;

static dlp_status tell(scoring *s, dlp_index rows, dlp_error *error)
{
    s->done += rows;
    const dlp_progress now = {
        .phase = "predicting", .unit = "rows", .done = s->done, .total = s->rows->data.N};
    if (!s->progress || !s->progress(s->context, &now)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "%s", dlp_status_string(DLP_ECANCELLED));
}

static dlp_status score_group(scoring *s, dlp_index m, dlp_error *error)
{
    const dlp_index step = s->out->observed_lower ? SLOW_STEP : STEP;
    const dlp_index N = s->rows->count[m];
    const double *mu;
    if (N == 0) return DLP_OK;
    dlpi_load_posterior(s->r, m, &mu, &s->Sigma);
    for (dlp_index first = 0; first < N; first += step) {
        const dlp_index n = N - first < step ? N - first : step;
        const dlp_glm_data data = dlpi_part_of_group(s->rows, m, first, n, s->x);
        const dlp_index at = s->rows->begin[m] + first;
        const dlp_glm_prediction out = outputs_from(s->out, at, data.levels);
        const dlpi_added added =
            dlpi_added_from(s->added, at, dlpi_predictors(s->r), data.levels);
        DLP_TRY(dlpi_glm_predict(s->r->family->name, s->r->link, &data, mu, &s->Sigma,
                                 &added, &out, error));
        DLP_TRY(tell(s, n, error));
    }
    return DLP_OK;
}

static dlp_status score_groups(scoring *s, dlp_error *error)
{
    s->x = dlpi_calloc(s->rows->data.p, sizeof *s->x);
    if (!s->x) return dlpi_no_memory(error, "the predictions");
    dlp_status status = dlp_sym_alloc(dlp_shape_dense(s->r->n), &s->Sigma, error);
    for (dlp_index m = 0; m < s->rows->n && status == DLP_OK; m++)
        status = score_group(s, m, error);
    free(s->x);
    dlp_sym_free(&s->Sigma);
    return status;
}

/* ---- the whole ---- */

dlp_status dlpi_score(const dlp_regression *r, const dlpi_grouped_rows *rows,
                      const dlpi_added *added, dlp_predict what,
                      dlp_progress_call *progress, void *context, dlpi_scores *scores,
                      dlp_error *error)
{
    const dlp_family *family = r->result.family;
    scoring s = {.r = &r->result,
                 .rows = rows,
                 .added = added,
                 .out = &scores->out,
                 .progress = progress,
                 .context = context};
    output list[MOST_OUTPUTS];
    double *spare = NULL;
    const int n = list_outputs(family, rows->data.levels, what, &scores->out, list);
    DLP_TRY(make_room(rows->data.N, n, list, &scores->memory, &spare, error));
    DLP_TRY(score_groups(&s, error));
    for (int i = 0; i < n && rows->order; i++)
        put_back(rows->data.N, rows->order, &list[i], spare);
    if (dlpi_is_linear(family) && what != DLP_PREDICT_SCORES)
        scores->out.mean_averaged = scores->out.mean;
    return DLP_OK;
}

dlp_index dlpi_best_level(dlp_index levels, const double *probability)
{
    dlp_index best = 0;
    for (dlp_index k = 1; k < levels; k++)
        if (probability[k] > probability[best]) best = k;
    return best;
}

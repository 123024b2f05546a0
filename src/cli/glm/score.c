/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/score.h"

#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/say.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for the predictions");
    return DLP_ENOMEM; /* literally, for analysers */
}

/* An output of dlp_glm_prediction, and how many numbers a row of it has. */
typedef struct output {
    double **at;
    dlp_index width;
} output;

/* Where the mean is eta itself, to average it over the posterior changes nothing. */
static bool is_linear(const cli_glm_fit *fit)
{
    return !strcmp(fit->link, "identity");
}

/* Lists the outputs that are wanted and are computed; returns how many. */
static int list_columns(const cli_glm_fit *fit, dlp_index levels, cli_glm_wanted wanted,
                        dlp_glm_prediction *out, output *list)
{
    const bool has_levels = cli_glm_has_levels(fit->family);
    const bool has_eta = !cli_glm_is_multinomial(fit->family);
    int n = 0;
    if (has_levels) list[n++] = (output){&out->probability, levels};
    if (!has_levels) list[n++] = (output){&out->mean, 1};
    if (wanted == CLI_WANT_SCORES) {
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
    if (!is_linear(fit)) list[n++] = (output){&out->mean_averaged, 1};
    list[n++] = (output){&out->lower, 1};
    list[n++] = (output){&out->upper, 1};
    if (wanted == CLI_WANT_PREDICTIONS) return n;
    list[n++] = (output){&out->observed_lower, 1};
    list[n++] = (output){&out->observed_upper, 1};
    return n;
}

enum { MOST_COLUMNS = 8 };

static dlp_status make_room(const cli_glm_fit *fit, const cli_glm_rows *rows,
                            cli_glm_wanted wanted, cli_glm_scores *scores,
                            dlp_error *error)
{
    const dlp_glm_data *d = &rows->data;
    output list[MOST_COLUMNS];
    const int n = list_columns(fit, d->levels, wanted, &scores->out, list);
    dlp_index width = 0;
    for (int i = 0; i < n; i++) width += list[i].width;
    if (d->N <= PTRDIFF_MAX / (dlp_index)sizeof(double) / width)
        scores->memory = malloc((size_t)(d->N * width) * sizeof(double));
    if (!scores->memory) return no_memory(error);
    double *next = scores->memory;
    for (int i = 0; i < n; i++) {
        *list[i].at = next;
        next += d->N * list[i].width;
    }
    return DLP_OK;
}

/* ---- blocks ---- */

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
    };
}

/* The posterior of block m; behind the last group comes one that was not seen, which is
   drawn from N(mu_0, Sigma_0), where mu_0 itself is not known for sure. */
static void load_posterior(const cli_glm_fit *fit, dlp_index m, const double **mu,
                           dlp_sym *Sigma)
{
    const dlp_index n = fit->n;
    const bool seen = m < fit->M;
    double *to = dlp_sym_block(Sigma, 0);
    *mu = seen ? fit->mu + m * n : fit->mu0;
    memcpy(to, seen ? fit->Sigma + m * n * n : fit->Sigma0, (size_t)(n * n) * sizeof *to);
    for (dlp_index i = 0; !seen && i < n * n; i++) to[i] += fit->mu0_covariance[i];
}

/* The rows of a block are taken so many at a time, so that it shows how far they are. */
enum { STEP = 1 << 14, SLOW_STEP = 1 << 10 };

/* What a call needs beside the fit and its rows. */
typedef struct scoring {
    const cli_glm_fit *fit;
    const cli_glm_rows *rows;
    const cli_glm_scores *scores;
    dlp_sym Sigma;
    const double **x; /* (p) columns, from some row on */
    cli_progress progress;
} scoring;

/* n rows of block m, from its row `first` on. */
static dlp_status score_rows(const scoring *s, dlp_index m, dlp_index first, dlp_index n,
                             const double *mu, dlp_error *error)
{
    const dlp_index at = s->rows->begin[m] + first;
    dlp_glm_data data = cli_glm_rows_block(s->rows, m);
    const dlp_glm_prediction out = outputs_from(&s->scores->out, at, data.levels);
    for (dlp_index j = 0; j < data.p; j++) s->x[j] = data.x[j] + first;
    data.N = n;
    data.x = s->x;
    if (data.y) data.y += first;
    if (data.trials) data.trials += first;
    if (data.offset) data.offset += first;
    if (data.weight) data.weight += first;
    CLI_TRY(
        dlp_glm_predict(s->fit->family, s->fit->link, &data, mu, &s->Sigma, &out, error));
    cli_progress_count(&s->progress, at + n, s->rows->data.N, "rows");
    return DLP_OK;
}

static dlp_status score_blocks(scoring *s, dlp_error *error)
{
    const dlp_index step = s->scores->out.observed_lower ? SLOW_STEP : STEP;
    for (dlp_index m = 0; m < s->rows->blocks; m++) {
        const dlp_index N = s->rows->count[m];
        const double *mu;
        if (N == 0) continue;
        load_posterior(s->fit, m, &mu, &s->Sigma);
        for (dlp_index first = 0; first < N; first += step)
            CLI_TRY(
                score_rows(s, m, first, N - first < step ? N - first : step, mu, error));
    }
    return DLP_OK;
}

dlp_status cli_glm_score(const cli_glm_fit *fit, const cli_glm_rows *rows,
                         cli_glm_wanted wanted, cli_glm_scores *scores, dlp_error *error)
{
    scoring s = {.fit = fit, .rows = rows, .scores = scores};
    CLI_TRY(make_room(fit, rows, wanted, scores, error));
    cli_phase_begin("predicting");
    s.progress.began = cli_seconds();
    s.x = malloc((size_t)rows->data.p * sizeof *s.x + 1);
    dlp_status status =
        s.x ? dlp_sym_alloc(dlp_shape_dense(fit->n), &s.Sigma, error) : no_memory(error);
    if (status == DLP_OK) status = score_blocks(&s, error);
    if (is_linear(fit) && wanted != CLI_WANT_SCORES)
        scores->out.mean_averaged = scores->out.mean;
    if (status == DLP_OK) cli_phase_note("%td rows", rows->data.N);
    free(s.x);
    dlp_sym_free(&s.Sigma);
    cli_phase_end();
    return status;
}

/* ---- the whole ---- */

/* What to look at instead of an interval, where a new response can have none. */
static dlp_status check_observations(const cli_glm_fit *fit, dlp_error *error)
{
    if (!strcmp(fit->family, "bernoulli"))
        return dlp_fail(
            error, DLP_EINVAL,
            "--interval observation: a new response of a bernoulli regression "
            "is one of two; mean_averaged is its probability. Leave the "
            "option out");
    if (cli_glm_has_levels(fit->family))
        return dlp_fail(
            error, DLP_EINVAL,
            "--interval observation: a new response of a regression of family "
            "%s is one of the levels; probability_averaged_... has the "
            "probability of each. Leave the option out",
            fit->family);
    return DLP_OK;
}

/* Of counts out of trials the table must say how many: by the columns of the response. */
static bool needs_response(const cli_glm_fit *fit, cli_glm_wanted wanted)
{
    return wanted == CLI_WANT_SCORES ||
           (wanted == CLI_WANT_OBSERVATIONS && !strcmp(fit->family, "binomial"));
}

dlp_status cli_glm_apply(const char *fit_path, const cli_glm_source *source,
                         cli_glm_wanted wanted, cli_glm_applied *applied,
                         dlp_error *error)
{
    cli_glm_fit *fit = &applied->fit;
    cli_glm_rows *rows = &applied->rows;
    if (!strcmp(fit_path, "-") && !strcmp(source->path, "-"))
        return dlp_fail(error, DLP_EINVAL, "fit and data cannot both be standard input");
    CLI_TRY(cli_glm_fit_read(fit_path, fit, error));
    if (wanted == CLI_WANT_OBSERVATIONS) CLI_TRY(check_observations(fit, error));
    CLI_TRY(cli_glm_rows_read(source, fit, needs_response(fit, wanted), rows, error));
    return cli_glm_score(fit, rows, wanted, &applied->scores, error);
}

void cli_glm_applied_clear(cli_glm_applied *applied)
{
    free(applied->scores.memory);
    cli_glm_rows_clear(&applied->rows);
    cli_glm_fit_clear(&applied->fit);
}

dlp_index cli_glm_best_level(dlp_index levels, const double *probability)
{
    dlp_index best = 0;
    for (dlp_index k = 1; k < levels; k++)
        if (probability[k] > probability[best]) best = k;
    return best;
}

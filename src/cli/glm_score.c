/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm_score.h"

#include "cli/phase.h"
#include "cli/say.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* An output of dlp_glm_prediction, and how many numbers a row of it has. */
typedef struct output {
    double **at;
    dlp_index width;
} output;

/* Lists the outputs that are wanted; returns how many. */
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
    list[n++] = (output){&out->mean_averaged, 1};
    list[n++] = (output){&out->lower, 1};
    list[n++] = (output){&out->upper, 1};
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
    if (!scores->memory)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the predictions");
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

static dlp_status score_blocks(const cli_glm_fit *fit, const cli_glm_rows *rows,
                               dlp_sym *Sigma, const cli_glm_scores *scores,
                               dlp_error *error)
{
    for (dlp_index m = 0; m < rows->blocks; m++) {
        const dlp_glm_data data = cli_glm_rows_block(rows, m);
        const dlp_glm_prediction out =
            outputs_from(&scores->out, rows->begin[m], data.levels);
        const double *mu;
        if (data.N == 0) continue;
        load_posterior(fit, m, &mu, Sigma);
        CLI_TRY(dlp_glm_predict(fit->family, fit->link, &data, mu, Sigma, &out, error));
    }
    return DLP_OK;
}

dlp_status cli_glm_score(const cli_glm_fit *fit, const cli_glm_rows *rows,
                         cli_glm_wanted wanted, cli_glm_scores *scores, dlp_error *error)
{
    dlp_sym Sigma = {.a = NULL};
    CLI_TRY(make_room(fit, rows, wanted, scores, error));
    cli_phase_begin("predicting %td rows", rows->data.N);
    dlp_status status = dlp_sym_alloc(dlp_shape_dense(fit->n), &Sigma, error);
    if (status == DLP_OK) status = score_blocks(fit, rows, &Sigma, scores, error);
    dlp_sym_free(&Sigma);
    cli_phase_end();
    return status;
}

/* ---- the whole ---- */

dlp_status cli_glm_apply(const char *fit_path, const cli_glm_source *source,
                         cli_glm_wanted wanted, cli_glm_applied *applied,
                         dlp_error *error)
{
    cli_glm_fit *fit = &applied->fit;
    cli_glm_rows *rows = &applied->rows;
    if (!strcmp(fit_path, "-") && !strcmp(source->path, "-"))
        return dlp_fail(error, DLP_EINVAL, "fit and data cannot both be standard input");
    CLI_TRY(cli_glm_fit_read(fit_path, fit, error));
    CLI_TRY(cli_glm_rows_read(source, fit, wanted == CLI_WANT_SCORES, rows, error));
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/rows.h"

#include "cli/report.h"
#include "cli/say.h"
#include "cli/table.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *cli_table_format(int i)
{
    static const char *const names[] = {"auto", "csv", "tsv", "arff", "svmlight", NULL};
    return names[i];
}

static dlp_status no_memory(dlp_error *error)
{
    return dlp_fail(error, DLP_ENOMEM,
                    "not enough memory for the rows of the regression");
}

void cli_glm_rows_clear(cli_glm_rows *rows)
{
    free(rows->begin);
    free(rows->count);
    free(rows->place);
    free(rows->x);
    free(rows->code);
    free(rows->moved);
    free(rows->freed);
    free(rows->freed_sd);
    dlp_design_free(rows->design);
    dlp_table_free(rows->table);
    *rows = (cli_glm_rows){0};
}

/* ---- the design as data ---- */

static dlp_status code_response(cli_glm_rows *rows, dlp_error *error)
{
    const dlp_design *d = rows->design;
    rows->code = malloc((size_t)d->N * sizeof *rows->code);
    if (!rows->code) return no_memory(error);
    for (dlp_index i = 0; i < d->N; i++) rows->code[i] = d->class_code[i];
    return DLP_OK;
}

dlp_status cli_glm_rows_take(cli_glm_rows *rows, const char *family, dlp_error *error)
{
    const dlp_design *d = rows->design;
    const dlp_index skipped = cli_glm_is_ordinal(family) && d->intercept == 0;
    if (d->response == DLP_RESPONSE_CATEGORICAL) CLI_TRY(code_response(rows, error));
    rows->name = d->name + skipped;
    rows->data = (dlp_glm_data){
        .N = d->N,
        .p = d->p - skipped,
        .x = d->x + skipped,
        .y = rows->code ? rows->code : d->y,
        .trials = d->trials,
        .offset = d->offset,
        .weight = d->weight,
        .levels = cli_glm_has_levels(family) ? d->terms->response.n : 0,
    };
    return DLP_OK;
}

double cli_glm_weight(const dlp_glm_data *data, dlp_index i)
{
    return data->weight ? data->weight[i] : 1;
}

double cli_glm_total_weight(const dlp_glm_data *data)
{
    double sum = 0;
    for (dlp_index i = 0; i < data->N; i++) sum += cli_glm_weight(data, i);
    return sum;
}

void cli_glm_rows_recode(cli_glm_rows *rows, const dlp_index *rank)
{
    for (dlp_index i = 0; i < rows->data.N; i++)
        rows->code[i] = (double)rank[(dlp_index)rows->code[i]];
}

/* ---- blocks ---- */

static dlp_index block_of(const cli_glm_rows *rows, dlp_index i)
{
    const int32_t group = rows->blocks > 1 ? rows->design->group[i] : 0;
    return group >= 0 ? group : rows->blocks - 1;
}

/* Counts the rows of each block; true when they are neighbours already. */
static bool count_rows(cli_glm_rows *rows)
{
    bool together = true;
    for (dlp_index i = 0; i < rows->data.N; i++) {
        const dlp_index m = block_of(rows, i);
        if (rows->count[m] == 0)
            rows->begin[m] = i;
        else
            together &= block_of(rows, i - 1) == m;
        rows->count[m]++;
    }
    return together;
}

static void sort_rows(cli_glm_rows *rows)
{
    dlp_index next = 0;
    for (dlp_index m = 0; m < rows->blocks; m++) {
        rows->begin[m] = next;
        next += rows->count[m];
        rows->count[m] = 0;
    }
    for (dlp_index i = 0; i < rows->data.N; i++) {
        const dlp_index m = block_of(rows, i);
        rows->place[i] = rows->begin[m] + rows->count[m]++;
    }
}

/* A copy of a column at `to`, in the order of the blocks; NULL stays NULL. */
static const double *move_column(const cli_glm_rows *rows, const double *from, double *to)
{
    if (!from) return NULL;
    for (dlp_index i = 0; i < rows->data.N; i++) to[rows->place[i]] = from[i];
    return to;
}

/* Copies everything into the order of the blocks, column by column. */
static dlp_status move_rows(cli_glm_rows *rows, dlp_error *error)
{
    dlp_glm_data *d = &rows->data;
    const size_t size = (size_t)d->N * sizeof(double);
    rows->place = malloc((size_t)d->N * sizeof *rows->place);
    rows->moved =
        (size_t)d->p + 4 <= SIZE_MAX / size ? malloc(((size_t)d->p + 4) * size) : NULL;
    if (!rows->place || !rows->moved) return no_memory(error);
    sort_rows(rows);
    for (dlp_index j = 0; j < d->p; j++)
        rows->x[j] = move_column(rows, d->x[j], rows->moved + j * d->N);
    double *rest = rows->moved + d->p * d->N;
    d->y = move_column(rows, d->y, rest);
    d->trials = move_column(rows, d->trials, rest + d->N);
    d->offset = move_column(rows, d->offset, rest + 2 * d->N);
    d->weight = move_column(rows, d->weight, rest + 3 * d->N);
    d->x = rows->x; /* block 0 begins at row 0 */
    return DLP_OK;
}

dlp_status cli_glm_rows_part(cli_glm_rows *rows, dlp_index M, dlp_error *error)
{
    const dlp_index p = rows->data.p;
    rows->blocks = M + 1;
    rows->begin = calloc((size_t)rows->blocks, sizeof *rows->begin);
    rows->count = calloc((size_t)rows->blocks, sizeof *rows->count);
    rows->x = calloc((size_t)(rows->blocks * p) + 1, sizeof *rows->x);
    if (!rows->begin || !rows->count || !rows->x) return no_memory(error);
    if (!count_rows(rows)) CLI_TRY(move_rows(rows, error));
    const double *const *x = rows->data.x;
    for (dlp_index m = rows->blocks - 1; m >= 0; m--)
        for (dlp_index j = 0; j < p; j++) rows->x[m * p + j] = x[j] + rows->begin[m];
    return DLP_OK;
}

dlp_glm_data cli_glm_rows_block(const cli_glm_rows *rows, dlp_index m)
{
    const dlp_index begin = rows->begin[m];
    dlp_glm_data d = rows->data;
    d.N = rows->count[m];
    d.x = rows->x + m * d.p;
    if (d.y) d.y += begin;
    if (d.trials) d.trials += begin;
    if (d.offset) d.offset += begin;
    if (d.weight) d.weight += begin;
    return d;
}

dlp_index cli_glm_rows_place(const cli_glm_rows *rows, dlp_index i)
{
    return rows->place ? rows->place[i] : i;
}

dlp_index cli_glm_rows_number(const cli_glm_rows *rows, dlp_index i)
{
    return (rows->design->row ? rows->design->row[i] : i) + 1;
}

/* ---- new data for a fit ---- */

const char *cli_glm_unseen(int i)
{
    static const char *const names[] = {"error", "drop", "population", "population,drop",
                                        NULL};
    return names[i];
}

/* Whether the choice of cli_glm_unseen has the word. */
static bool unseen_is(const cli_glm_source *source, const char *word)
{
    return strstr(source->unseen, word) != NULL;
}

/* What the messages about an unseen level, and an unseen group, tell to type next. */
static const char *level_advice(const cli_glm_source *source)
{
    if (unseen_is(source, "population"))
        return "--unseen population is about groups alone: leave such rows out with "
               "--unseen population,drop, or fit again with them";
    return "leave such rows out with --unseen drop, or fit again with them";
}

static const char *group_advice(const cli_glm_source *source, const cli_glm_fit *fit)
{
    if (fit->grouping != CLI_HIERARCHICAL) return level_advice(source);
    return "take the population for such rows with --unseen population, leave them out "
           "with --unseen drop, or fit again with them";
}

/* Weights have no part in what is predicted of a row. */
static const char *choose_weights(const cli_glm_source *source, const cli_glm_fit *fit,
                                  bool scored, const dlp_table *table)
{
    if (!scored || source->unweighted) return NULL;
    if (source->weights) return source->weights;
    return fit->weights && dlp_table_find(table, fit->weights) >= 0 ? fit->weights : NULL;
}

/* The groups of a fit that does not tell them apart may be any. */
static dlp_status choose_options(const cli_glm_source *source, const cli_glm_fit *fit,
                                 bool scored, dlp_design_options *options,
                                 dlp_error *error)
{
    const bool population = unseen_is(source, "population");
    *options = dlp_design_options_default();
    options->missing_is_error = !strcmp(source->missing, "error");
    options->skip_response = !scored;
    if (unseen_is(source, "drop"))
        options->unseen_level = options->unseen_group = DLP_UNSEEN_DROP;
    if (population || !cli_glm_is_grouped(fit))
        options->unseen_group = DLP_UNSEEN_POPULATION;
    if (!population || fit->grouping == CLI_HIERARCHICAL) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "--unseen %s needs a hierarchical fit, and this one is not",
                    source->unseen);
}

/* A damaged file could ask for other columns than it has coefficients for. */
static dlp_status check_columns(const cli_glm_rows *rows, const cli_glm_fit *fit,
                                dlp_error *error)
{
    bool same = rows->data.p == fit->p;
    for (dlp_index j = 0; j < fit->p && same; j++)
        same = !strcmp(rows->name[j], fit->column[j]);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the fit's formula and levels make other columns than the fit has; "
                    "its file was edited, fit again");
}

static dlp_status check_response(const cli_glm_rows *rows, const cli_glm_fit *fit,
                                 const cli_glm_source *source, dlp_error *error)
{
    const dlp_response_kind kind = rows->design->response;
    const char *variable = fit->terms->response.variable;
    if (kind == DLP_RESPONSE_NONE && source->trials)
        return dlp_fail(error, DLP_EINPUT,
                        "%s has no columns for '%s', whose sum is the trials of a new "
                        "response; add them, with 0 for the successes where they are not "
                        "known",
                        source->path, variable);
    if (kind == DLP_RESPONSE_NONE)
        return dlp_fail(error, DLP_EINPUT, "%s has no response '%s' to compare with",
                        source->path, variable);
    if (cli_glm_has_levels(fit->family) && kind != DLP_RESPONSE_CATEGORICAL)
        return dlp_fail(error, DLP_EINPUT,
                        "the response '%s' must be categories, as it was at the fit",
                        variable);
    return DLP_OK;
}

dlp_status cli_glm_rows_rebuild(const cli_glm_source *source, const cli_glm_fit *fit,
                                bool scored, cli_glm_rows *rows, dlp_error *error)
{
    dlp_design_options options;
    CLI_TRY(choose_options(source, fit, scored, &options, error));
    rows->weights = choose_weights(source, fit, scored, rows->table);
    options.weight = rows->weights;
    dlp_design_problem problem;
    options.problem = &problem;
    const cli_design_advice advice = {.missing = "fill them in, or leave such rows out",
                                      .level = level_advice(source),
                                      .group = group_advice(source, fit)};
    dlp_status status =
        dlp_design_rebuild(fit->terms, rows->table, &options, &rows->design, error);
    status = cli_design_advise(&problem, &advice, status, error);
    CLI_TRY(cli_in_file(source->path, status, error));
    if (scored) CLI_TRY(check_response(rows, fit, source, error));
    CLI_TRY(cli_glm_rows_take(rows, fit->family, error));
    CLI_TRY(check_columns(rows, fit, error));
    return cli_glm_rows_part(rows, cli_glm_is_grouped(fit) ? fit->M : 0, error);
}

dlp_status cli_glm_rows_read(const cli_glm_source *source, const cli_glm_fit *fit,
                             bool scored, cli_glm_rows *rows, dlp_error *error)
{
    dlp_table_options table = dlp_table_options_default();
    table.format = source->format;
    CLI_TRY(dlp_terms_features(fit->terms, &table.features, error));
    CLI_TRY(cli_table_read(source->path, &table, &rows->table, error));
    return cli_glm_rows_rebuild(source, fit, scored, rows, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics_covariates.h"

#include "cli/report.h"
#include "cli/say.h"
#include "cli/table.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "document";

void cli_covariates_clear(cli_covariates *covariates)
{
    free(covariates->X);
    dlp_design_free(covariates->design);
    dlp_table_free(covariates->table);
    *covariates = (cli_covariates){0};
}

const dlp_covariates *cli_covariates_of(const cli_covariates *covariates)
{
    return covariates->X ? &covariates->given : NULL;
}

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory for the covariates");
    return DLP_ENOMEM; /* literally, for analysers */
}

/* ---- which row is whose ---- */

typedef struct labelled {
    char number[32]; /* the text of a number */
    const char *level;
    dlp_index row;
} labelled;

static const char *label_of(const labelled *l)
{
    return l->level ? l->level : l->number;
}

static int compare_labels(const void *a, const void *b)
{
    return strcmp(label_of(a), label_of(b));
}

/* The rows by the name of their document, sorted; to be freed. */
static labelled *label_rows(const dlp_column *column, dlp_index rows)
{
    labelled *label = calloc((size_t)rows, sizeof *label);
    for (dlp_index i = 0; label && i < rows; i++) {
        label[i].row = i;
        if (column->kind == DLP_NUMERIC)
            snprintf(label[i].number, sizeof label[i].number, "%.15g", column->number[i]);
        else
            label[i].level = column->code[i] >= 0 ? column->level[column->code[i]] : "";
    }
    if (label) qsort(label, (size_t)rows, sizeof *label, compare_labels);
    return label;
}

static dlp_status check_distinct(const labelled *label, dlp_index rows, dlp_error *error)
{
    for (dlp_index i = 1; i < rows; i++)
        if (!strcmp(label_of(&label[i - 1]), label_of(&label[i])))
            return dlp_fail(error, DLP_EINPUT,
                            "the document '%.80s' has more than one row; leave one",
                            label_of(&label[i]));
    return DLP_OK;
}

static dlp_status find_rows(const labelled *label, dlp_index rows,
                            const dlp_corpus *corpus, dlp_index *row, dlp_error *error)
{
    for (dlp_index d = 0; d < corpus->D; d++) {
        const labelled wanted = {.level = corpus->name[d]};
        const labelled *found =
            bsearch(&wanted, label, (size_t)rows, sizeof *label, compare_labels);
        if (!found)
            return dlp_fail(error, DLP_EINPUT,
                            "no row has the document '%.80s' in its column '%s'; each "
                            "document of the corpus needs one",
                            corpus->name[d], key);
        row[d] = found->row;
    }
    return DLP_OK;
}

static dlp_status rows_by_name(const dlp_table *table, const dlp_column *column,
                               const dlp_corpus *corpus, dlp_index *row, dlp_error *error)
{
    labelled *label = label_rows(column, table->rows);
    dlp_status status =
        label ? check_distinct(label, table->rows, error) : no_memory(error);
    if (status == DLP_OK) status = find_rows(label, table->rows, corpus, row, error);
    free(label);
    return status;
}

static dlp_status rows_in_order(const dlp_table *table, const dlp_corpus *corpus,
                                dlp_index *row, dlp_error *error)
{
    if (table->rows != corpus->D)
        return dlp_fail(
            error, DLP_EINPUT,
            "has %td rows, and the corpus %td documents; give a row for each, "
            "in their order, or names in a column '%s' and in the corpus",
            table->rows, corpus->D, key);
    for (dlp_index d = 0; d < corpus->D; d++) row[d] = d;
    return DLP_OK;
}

/* (D) the table's row of each document */
static dlp_status find_all_rows(const dlp_table *table, const dlp_corpus *corpus,
                                dlp_index *row, dlp_error *error)
{
    const dlp_index j = corpus->name ? dlp_table_find(table, key) : -1;
    if (j < 0) return rows_in_order(table, corpus, row, error);
    return rows_by_name(table, &table->column[j], corpus, row, error);
}

/* ---- the numbers ---- */

/* EM regresses the topics on columns of which the first are ones. */
static dlp_status check_design(const dlp_design *design, dlp_error *error)
{
    if (design->terms->response.variable)
        return dlp_fail(error, DLP_EINVAL,
                        "the formula of covariates has no left side; write '~ %s ...'",
                        design->n_terms > 0 ? design->term[0] : "1");
    if (design->intercept != 0)
        return dlp_fail(error, DLP_EINVAL,
                        "covariates need an intercept; leave 0 + or - 1 out of the "
                        "formula");
    if (design->offset || design->group)
        return dlp_fail(error, DLP_EINVAL,
                        "covariates have neither offsets nor groups (... | g)");
    return DLP_OK;
}

/* Every row has its values, so the design has all rows, in the table's order. */
static dlp_status take_rows(const dlp_corpus *corpus, const dlp_index *row,
                            cli_covariates *c, dlp_error *error)
{
    const dlp_index D = corpus->D, p = c->design->p;
    c->X = D <= PTRDIFF_MAX / (dlp_index)sizeof(double) / p
               ? malloc((size_t)(D * p) * sizeof *c->X + 1)
               : NULL;
    if (!c->X) return no_memory(error);
    for (dlp_index d = 0; d < D; d++)
        for (dlp_index j = 0; j < p; j++) c->X[d * p + j] = c->design->x[j][row[d]];
    c->given = (dlp_covariates){.D = D, .p = p, .X = c->X};
    return DLP_OK;
}

static dlp_status take_design(const dlp_corpus *corpus, cli_covariates *c,
                              dlp_error *error)
{
    CLI_TRY(check_design(c->design, error));
    dlp_index *row = malloc((size_t)corpus->D * sizeof *row + 1);
    if (!row) return no_memory(error);
    dlp_status status = find_all_rows(c->table, corpus, row, error);
    if (status == DLP_OK) status = take_rows(corpus, row, c, error);
    free(row);
    return status;
}

/* ---- from the command line ---- */

static dlp_design_options every_row(void)
{
    dlp_design_options options = dlp_design_options_default();
    options.missing_is_error = 1;
    return options;
}

static dlp_status build(const char *formula, const dlp_corpus *corpus, cli_covariates *c,
                        dlp_error *error)
{
    const dlp_design_options options = every_row();
    dlp_formula *parsed;
    if (!strchr(formula, '~'))
        return dlp_fail(error, DLP_EINVAL, "--formula '%.80s' has no ~; write '~ %.80s'",
                        formula, formula);
    CLI_TRY(dlp_formula_parse(formula, &parsed, error));
    const dlp_status status =
        dlp_design_build(parsed, c->table, &options, &c->design, error);
    dlp_formula_free(parsed);
    return status == DLP_OK ? take_design(corpus, c, error) : status;
}

dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error)
{
    CLI_TRY(cli_table_read(path, NULL, &covariates->table, error));
    return cli_in_file(path, build(formula, corpus, covariates, error), error);
}

/* An edited file could ask for other columns than Gamma has rows for. */
static dlp_status check_columns(const cli_topics_folder *folder, const dlp_design *design,
                                dlp_error *error)
{
    bool same = design->p == folder->topics.p;
    for (dlp_index j = 0; j < design->p && same; j++)
        same = !strcmp(design->name[j], folder->column[j]);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the model's formula and levels make other columns than it has; its "
                    "model.json was edited, fit again");
}

static dlp_status rebuild(const cli_topics_folder *folder, const dlp_corpus *corpus,
                          cli_covariates *c, dlp_error *error)
{
    const dlp_design_options options = every_row();
    CLI_TRY(dlp_design_rebuild(folder->terms, c->table, &options, &c->design, error));
    CLI_TRY(check_columns(folder, c->design, error));
    return take_design(corpus, c, error);
}

dlp_status cli_covariates_rebuild(const char *path, const cli_topics_folder *folder,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error)
{
    if (!path && !folder->terms) return DLP_OK;
    if (!folder->terms)
        return dlp_fail(error, DLP_EINVAL,
                        "the model has no covariates; leave --covariates out");
    if (!path)
        return dlp_fail(error, DLP_EINVAL,
                        "the model was fitted with covariates, %.200s; add --covariates "
                        "FILE.csv with these columns for the documents of this corpus",
                        folder->terms->formula);
    CLI_TRY(cli_table_read(path, NULL, &covariates->table, error));
    return cli_in_file(path, rebuild(folder, corpus, covariates, error), error);
}

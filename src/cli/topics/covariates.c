/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/covariates.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/print.h"
#include "cli/reference.h"
#include "cli/table.h"

#include <stdbool.h>
#include <string.h>

const char cli_document_of_nothing[] =
    "--document names a column; name its table, too: --covariates FILE";

static const char key[] = "document"; /* the first column to look for */

void cli_covariates_clear(cli_covariates *covariates)
{
    dlp_document_covariates_free(&covariates->found);
    dlp_document_rows_free(&covariates->rows);
    dlp_table_free(covariates->table);
    *covariates = (cli_covariates){0};
}

const dlp_document_covariates *cli_covariates_of(const cli_covariates *covariates)
{
    return covariates->found.X ? &covariates->found : NULL;
}

/* ---- which row is which document's ---- */

static dlp_status fail_in_order(const dlp_table *table, const dlp_corpus *corpus,
                                const dlp_document_rows *rows, dlp_error *error)
{
    const dlp_index D = corpus->D;
    if (2 * rows->named > D) {
        const char *const name = table->column[rows->candidate].name;
        return dlp_fail(error, DLP_EINPUT,
                        "has %td rows for a corpus of %td documents, of which its column "
                        "'%.80s' names %td once; see which are missing with --document "
                        "'%.80s', or give one row per document, in their order",
                        table->rows, D, name, rows->named, name);
    }
    return dlp_fail(error, DLP_EINPUT,
                    "has %td rows for a corpus of %td documents%s; give one row per "
                    "document, in their order, or names: in a column '%s' of the table%s",
                    table->rows, D, corpus->name ? ", whose names no column has" : "",
                    key,
                    corpus->name ? " or in one named by --document"
                                 : ", and in the corpus by 'corpus build --name COLUMN'");
}

/* Notes how the rows of the table at path were matched, unless the user chose how. */
static void note_rows(const char *path, const cli_covariates *c, const dlp_corpus *corpus,
                      const dlp_document_rows *rows)
{
    const dlp_table *table = c->table;
    const char *const name = rows->column >= 0 ? table->column[rows->column].name : NULL;
    if (c->document || (name && !strcmp(name, key))) return;
    if (name)
        cli_note("%s: rows are matched by column '%s', which has the documents' names",
                 path, name);
    else if (rows->candidate >= 0 && rows->named == corpus->D)
        cli_note(
            "%s: row i is taken for document i; if its column '%s' has the documents' "
            "names, add --document '%s'",
            path, table->column[rows->candidate].name,
            table->column[rows->candidate].name);
    else
        cli_note(
            "%s: row i is taken for document i, because no column has the documents' "
            "names",
            path);
}

/* model: the model that was fitted to these documents, or NULL. */
static dlp_status find_rows(const char *path, const dlp_topic_model *model,
                            const dlp_corpus *corpus, cli_covariates *c, dlp_error *error)
{
    dlp_document_rows *rows = &c->rows;
    if (c->document && !corpus->name)
        return dlp_fail(
            error, DLP_EINVAL,
            "--document needs documents' names, which the corpus does not have; remove "
            "the option, or build the corpus with names: 'corpus build --name COLUMN'");
    CLI_TRY(dlp_document_rows_find(c->table, corpus, c->document, rows, error));
    if (model && dlp_topic_model_passes_rows(model, c->table, rows)) return DLP_OK;
    if (!rows->row) return fail_in_order(c->table, corpus, rows, error);
    note_rows(cli_input_name(path), c, corpus, rows);
    return DLP_OK;
}

/* ---- the columns ---- */

/* Where the columns come from: a formula, or the model that was fitted with them. */
typedef struct origin {
    const char *path; /* of the table */
    const char *formula;
    const dlp_topic_model *model;
    bool own; /* the documents are those of the fit */
} origin;

/* Adds what to do about missing values, and about levels that the model does not
   know. */
static dlp_status advise(const cli_covariates *c, const dlp_design_problem *problem,
                         dlp_status status, dlp_error *error)
{
    const cli_design_advice advice = {
        .missing = c->missing ? "fill them in, or drop such documents with --missing drop"
                              : "fill them in",
        .level = c->missing ? "empty its field, so that --missing drop drops the "
                              "document, or fit again with it"
                            : "fit again with it"};
    return cli_design_advise(problem, &advice, status, error);
}

static dlp_status try_columns(const origin *from, const dlp_corpus *corpus,
                              const dlp_index *row, dlp_design_problem *problem,
                              cli_covariates *c, dlp_error *error)
{
    dlp_covariate_settings settings = dlp_covariate_settings_default();
    settings.document = c->document;
    settings.row = row;
    settings.among = c->among;
    settings.missing_is_error = !c->missing || strcmp(c->missing, "drop") != 0;
    settings.problem = problem;
    if (from->own)
        return dlp_topic_model_own_covariates(from->model, c->table, &settings, &c->found,
                                              error);
    if (!from->formula)
        return dlp_topic_model_covariates(from->model, c->table, corpus, &settings,
                                          &c->found, error);
    if (!strchr(from->formula, '~'))
        return dlp_fail(error, DLP_EINVAL, "--formula '%.80s' has no ~; write '~ %.80s'",
                        from->formula, from->formula);
    cli_references references;
    CLI_TRY(cli_references_read(c->references, &references, error));
    settings.n_references = references.n;
    settings.reference = references.item;
    const dlp_status status = dlp_covariates_build(c->table, from->formula, corpus,
                                                   &settings, &c->found, error);
    cli_references_clear(&references);
    return status;
}

static dlp_status make_columns(const origin *from, const dlp_corpus *corpus,
                               const dlp_index *row, cli_covariates *c, dlp_error *error)
{
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    const dlp_status status = try_columns(from, corpus, row, &problem, c, error);
    return advise(c, &problem, status, error);
}

static dlp_status find_and_make(const origin *from, const dlp_corpus *corpus,
                                cli_covariates *c, dlp_error *error)
{
    if (c->row) return make_columns(from, corpus, c->row, c, error);
    CLI_TRY(find_rows(from->path, from->own ? from->model : NULL, corpus, c, error));
    return make_columns(from, corpus, c->rows.row, c, error);
}

static dlp_status read_and_make(const origin *from, const dlp_corpus *corpus,
                                cli_covariates *c, dlp_error *error)
{
    CLI_TRY(cli_table_read(from->path, NULL, &c->table, error));
    if (c->document)
        CLI_TRY(cli_table_check_column(c->table, from->path, "--document", c->document,
                                       error));
    return cli_in_file(from->path, find_and_make(from, corpus, c, error), error);
}

dlp_status cli_covariates_rows(const char *path, const dlp_corpus *corpus,
                               cli_covariates *covariates, dlp_error *error)
{
    CLI_TRY(cli_table_read(path, NULL, &covariates->table, error));
    if (covariates->document)
        CLI_TRY(cli_table_check_column(covariates->table, path, "--document",
                                       covariates->document, error));
    return cli_in_file(path, find_rows(path, NULL, corpus, covariates, error), error);
}

dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error)
{
    const origin from = {.path = path, .formula = formula};
    return read_and_make(&from, corpus, covariates, error);
}

dlp_status cli_covariates_rebuild(const char *path, const dlp_topic_model *model,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error)
{
    const origin from = {.path = path, .model = model};
    const dlp_terms *terms = dlp_topic_model_covariate_terms(model);
    if (!path && !terms) return DLP_OK;
    if (!terms && dlp_topic_model_content(model))
        return cli_covariates_rows(path, corpus, covariates, error);
    if (!terms)
        return dlp_fail(error, DLP_EINVAL,
                        "the model has no covariates; remove --covariates");
    if (!path)
        return dlp_fail(error, DLP_EINVAL,
                        "the model was fitted with covariates, %.200s; add --covariates "
                        "FILE.csv with these columns for the documents of this corpus",
                        terms->formula);
    return read_and_make(&from, corpus, covariates, error);
}

dlp_status cli_covariates_own(const char *path, const dlp_topic_model *model,
                              cli_covariates *covariates, dlp_error *error)
{
    const dlp_corpus documents = dlp_topic_model_documents(model);
    const origin from = {.path = path, .model = model, .own = true};
    return read_and_make(&from, &documents, covariates, error);
}

/* ---- documents without values ---- */

dlp_status cli_covariates_drop(cli_covariates *covariates, dlp_corpus **corpus,
                               dlp_index *dropped, dlp_error *error)
{
    dlp_document_covariates *const found = &covariates->found;
    return dlp_covariates_drop(1, &found, corpus, dropped, error);
}

static bool misses(const cli_covariates *c, dlp_index column)
{
    return c->found.design && c->found.design->missing[column] > 0;
}

static void print_columns(FILE *out, int n, const cli_covariates *const covariates[])
{
    enum { SHOWN = 5 };
    const dlp_table *table = NULL;
    for (int i = 0; i < n; i++)
        if (covariates[i]->table) table = covariates[i]->table;
    int found = 0;
    for (dlp_index j = 0; table && j < table->columns; j++) {
        bool missed = false;
        for (int i = 0; i < n; i++) missed |= misses(covariates[i], j);
        if (!missed || ++found > SHOWN) continue;
        fputs(found == 1 ? ", in '" : ", '", out);
        cli_write_name(out, table->column[j].name);
        fputc('\'', out);
    }
    if (found > SHOWN) fputs(", ...", out);
}

void cli_topics_print_dropped(FILE *out, dlp_index dropped, int n,
                              const cli_covariates *const covariates[])
{
    if (dropped == 0) return;
    fprintf(out, "%td document%s with missing values dropped", dropped,
            cli_plural(dropped));
    print_columns(out, n, covariates);
    fputs(".\n", out);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/covariates.h"

#include "cli/report.h"
#include "cli/say.h"
#include "cli/table.h"
#include "cli/topics/document_rows.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char cli_document_of_nothing[] =
    "--document names a column; say of which table: --covariates FILE";

void cli_covariates_clear(cli_covariates *covariates)
{
    free(covariates->known);
    free(covariates->X);
    free(covariates->row);
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

/* Documents without values have zeros; cli_topics_drop takes them out. place: (rows)
   the design's row of the table's. */
static void take_rows(const dlp_corpus *corpus, const dlp_index *place, cli_covariates *c)
{
    const dlp_index p = c->design->p;
    for (dlp_index d = 0; d < corpus->D; d++) {
        const dlp_index i = place[c->row[d]];
        c->known[d] = i >= 0;
        for (dlp_index j = 0; j < p; j++)
            c->X[d * p + j] = i >= 0 ? c->design->x[j][i] : 0;
    }
    c->given = (dlp_covariates){.D = corpus->D, .p = p, .X = c->X};
}

static dlp_status take_design(const dlp_corpus *corpus, cli_covariates *c,
                              dlp_error *error)
{
    const dlp_index D = corpus->D, p = c->design->p, rows = c->table->rows;
    CLI_TRY(check_design(c->design, error));
    c->X = D <= PTRDIFF_MAX / (dlp_index)sizeof(double) / p
               ? malloc((size_t)(D * p) * sizeof *c->X + 1)
               : NULL;
    c->known = malloc((size_t)D + 1);
    dlp_index *place = malloc((size_t)rows * sizeof *place);
    if (!c->X || !c->known || !place) {
        free(place);
        return no_memory(error);
    }
    for (dlp_index i = 0; i < rows; i++) place[i] = -1;
    for (dlp_index i = 0; i < c->design->N; i++)
        place[c->design->row ? c->design->row[i] : i] = i;
    take_rows(corpus, place, c);
    free(place);
    return DLP_OK;
}

/* ---- from the command line ---- */

/* A text of its own in each document is a name, and its effects would be the documents'
   own. Of few documents that can be chance. */
static dlp_status check_names(const dlp_design *design, dlp_error *error)
{
    enum { FEW = 8 };
    for (dlp_index i = 0; i < design->terms->n_factors && design->N > FEW; i++) {
        const dlp_levels *factor = &design->terms->factor[i];
        if (factor->n < design->N) continue;
        return dlp_fail(
            error, DLP_EINPUT,
            "column '%.80s' is different in each document, as names are; take "
            "another",
            factor->variable);
    }
    return DLP_OK;
}

/* Where the columns come from: a formula, or the model that has them. */
typedef struct origin {
    const char *path; /* of the table */
    const char *formula;
    const cli_topics_folder *folder;
} origin;

static dlp_status make_design(const char *formula, const dlp_table *table,
                              const dlp_design_options *options, dlp_design **design,
                              dlp_error *error)
{
    dlp_formula *parsed;
    if (!strchr(formula, '~'))
        return dlp_fail(error, DLP_EINVAL, "--formula '%.80s' has no ~; write '~ %.80s'",
                        formula, formula);
    CLI_TRY(dlp_formula_parse(formula, &parsed, error));
    const dlp_status status = dlp_design_build(parsed, table, options, design, error);
    dlp_formula_free(parsed);
    return status;
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

/* What to do about values that are missing, and levels that the model does not know. */
static dlp_status advise(const cli_covariates *c, const dlp_design_problem *problem,
                         dlp_status status, dlp_error *error)
{
    const cli_design_advice advice = {
        .missing = c->missing
                       ? "fill them in, or leave such documents out with --missing drop"
                       : "fill them in",
        .level = c->missing
                     ? "empty its field, so that --missing drop leaves the document out, "
                       "or fit again with it"
                     : "fit again with it"};
    return cli_design_advise(problem, &advice, status, error);
}

static dlp_status make_columns(const origin *from, const dlp_corpus *corpus,
                               const unsigned char *keep, cli_covariates *c,
                               dlp_error *error)
{
    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    dlp_design_options options = dlp_design_options_default();
    options.keep = keep;
    options.missing_is_error = !c->missing || strcmp(c->missing, "drop") != 0;
    options.problem = &problem;
    const dlp_status status =
        from->formula ? make_design(from->formula, c->table, &options, &c->design, error)
                      : dlp_design_rebuild(from->folder->terms, c->table, &options,
                                           &c->design, error);
    CLI_TRY(advise(c, &problem, status, error));
    CLI_TRY(from->formula ? check_names(c->design, error)
                          : check_columns(from->folder, c->design, error));
    return take_design(corpus, c, error);
}

/* Of a table in the order of the fit's corpus: those that miss nothing the fit needed. */
static dlp_status find_fitted_rows(const dlp_terms *terms, const dlp_corpus *corpus,
                                   cli_covariates *c, dlp_error *error)
{
    dlp_design *fitted;
    dlp_design_problem problem;
    dlp_design_options options = dlp_design_options_default();
    options.problem = &problem;
    const dlp_status made = dlp_design_rebuild(terms, c->table, &options, &fitted, error);
    const cli_design_advice advice = {.level =
                                          "leave such rows out, or fit again with them"};
    CLI_TRY(cli_design_advise(&problem, &advice, made, error));
    const dlp_index missing = fitted->dropped;
    const bool same = fitted->N == corpus->D;
    if (same) memcpy(c->row, fitted->row, (size_t)corpus->D * sizeof *c->row);
    dlp_design_free(fitted);
    if (same) return DLP_OK;
    (void)dlp_fail(
        error, DLP_EINPUT,
        "misses values of the model's columns in %td rows, and the fit left out "
        "%td; give the table of the fit, or one with the documents' names",
        missing, c->left_out);
    return DLP_EINPUT; /* literally, for analysers */
}

/* Leaves c->row NULL where it fails. */
static dlp_status find_rows(const origin *from, const dlp_corpus *corpus,
                            cli_covariates *c, dlp_error *error)
{
    cli_document_column column;
    CLI_TRY(cli_document_column_find(c->table, corpus, c->document, &column, error));
    const bool fitted = from->folder && c->left_out > 0 &&
                        c->table->rows - corpus->D == c->left_out && column.index < 0;
    c->row = malloc((size_t)corpus->D * sizeof *c->row + 1);
    if (!c->row) return no_memory(error);
    const dlp_status status =
        fitted ? find_fitted_rows(from->folder->terms, corpus, c, error)
               : cli_document_rows(c->table, corpus, &column, c->row, error);
    if (status == DLP_OK && !fitted)
        cli_document_rows_note(c->table, corpus, &column, cli_input_name(from->path),
                               c->document);
    if (status == DLP_OK) return DLP_OK;
    free(c->row);
    c->row = NULL;
    return status;
}

/* Rows of documents that are not in the corpus do not count. */
static dlp_status make_all(const origin *from, const dlp_corpus *corpus,
                           cli_covariates *c, dlp_error *error)
{
    if (!c->row) CLI_TRY(find_rows(from, corpus, c, error));
    unsigned char *keep = calloc((size_t)c->table->rows, 1);
    if (!keep) return no_memory(error);
    for (dlp_index d = 0; d < corpus->D; d++)
        if (!c->among || c->among[d]) keep[c->row[d]] = 1;
    const dlp_status status = make_columns(from, corpus, keep, c, error);
    free(keep);
    return status;
}

static dlp_status read_and_make(const origin *from, const dlp_corpus *corpus,
                                cli_covariates *c, dlp_error *error)
{
    CLI_TRY(cli_table_read(from->path, NULL, &c->table, error));
    if (c->document)
        CLI_TRY(cli_table_check_column(c->table, from->path, "--document", c->document,
                                       error));
    return cli_in_file(from->path, make_all(from, corpus, c, error), error);
}

dlp_status cli_covariates_build(const char *path, const char *formula,
                                const dlp_corpus *corpus, cli_covariates *covariates,
                                dlp_error *error)
{
    const origin from = {.path = path, .formula = formula};
    return read_and_make(&from, corpus, covariates, error);
}

dlp_status cli_covariates_rebuild(const char *path, const cli_topics_folder *folder,
                                  const dlp_corpus *corpus, cli_covariates *covariates,
                                  dlp_error *error)
{
    const origin from = {.path = path, .folder = folder};
    if (!path && !folder->terms) return DLP_OK;
    if (!folder->terms)
        return dlp_fail(error, DLP_EINVAL,
                        "the model has no covariates; leave --covariates out");
    if (!path)
        return dlp_fail(error, DLP_EINVAL,
                        "the model was fitted with covariates, %.200s; add --covariates "
                        "FILE.csv with these columns for the documents of this corpus",
                        folder->terms->formula);
    return read_and_make(&from, corpus, covariates, error);
}

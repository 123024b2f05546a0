/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariates of documents: a formula's columns, in the documents' order. */
#include <delaplace/covariates.h>

#include "core/core.h"
#include "core/settings.h"
#include "topics/effects/covariates_splines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void dlp_covariate_settings_init(dlp_covariate_settings *settings, size_t size)
{
    const dlp_covariate_settings defaults = {.document = NULL};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

void dlp_document_covariates_free(dlp_document_covariates *c)
{
    free(c->known);
    free(c->X);
    free(c->row);
    dlp_design_free(c->design);
    *c = (dlp_document_covariates){0};
}

/* ---- the numbers ---- */

/* EM regresses the topics on columns, and the first must be the intercept. */
static dlp_status check_design(const dlp_design *design, dlp_error *error)
{
    if (design->terms->response.variable)
        return dlp_fail(
            error, DLP_EINVAL,
            "the formula of covariates must have no left side; write '~ %s ...'",
            design->n_terms > 0 ? design->term[0] : "1");
    if (design->intercept != 0)
        return dlp_fail(error, DLP_EINVAL,
                        "covariates need an intercept; leave 0 + or - 1 out of the "
                        "formula");
    if (design->offset || design->group)
        return dlp_fail(error, DLP_EINVAL,
                        "covariates cannot have offsets or groups (... | g)");
    return DLP_OK;
}

/* Documents without values get zeros. place (rows): the design's row for each of the
   table's. */
static void take_rows(const dlp_index *place, dlp_document_covariates *c)
{
    for (dlp_index d = 0; d < c->D; d++) {
        const dlp_index i = place[c->row[d]];
        c->known[d] = i >= 0;
        for (dlp_index j = 0; j < c->p; j++)
            c->X[d * c->p + j] = i >= 0 ? c->design->x[j][i] : 0;
    }
}

static dlp_status take_design(const dlp_table *table, dlp_document_covariates *c,
                              dlp_error *error)
{
    const dlp_index rows = table->rows;
    DLP_TRY(check_design(c->design, error));
    c->p = c->design->p;
    c->X = c->D <= PTRDIFF_MAX / (dlp_index)sizeof(double) / c->p
               ? dlpi_calloc(c->D * c->p, sizeof *c->X)
               : NULL;
    c->known = dlpi_calloc(c->D, 1);
    dlp_index *place = dlpi_calloc(rows, sizeof *place);
    if (!c->X || !c->known || !place) {
        free(place);
        return dlpi_no_memory(error, "the covariates");
    }
    for (dlp_index i = 0; i < rows; i++) place[i] = -1;
    for (dlp_index i = 0; i < c->design->N; i++)
        place[c->design->row ? c->design->row[i] : i] = i;
    take_rows(place, c);
    free(place);
    return DLP_OK;
}

/* A column with a different text in each document holds names, and would have one effect
   per document. With few documents that can be chance. */
static dlp_status check_names(const dlp_design *design, dlp_error *error)
{
    enum { FEW = 8 };
    for (dlp_index i = 0; i < design->terms->n_factors && design->N > FEW; i++) {
        const dlp_levels *factor = &design->terms->factor[i];
        if (factor->n < design->N) continue;
        return dlp_fail(
            error, DLP_EINPUT,
            "column '%.80s' has a different value in each document, like a name; choose "
            "another column",
            factor->variable);
    }
    return DLP_OK;
}

/* ---- the call ---- */

/* Where the columns come from: a formula, or terms that it made before. */
typedef struct origin {
    const dlp_table *table;
    const char *formula;
    const dlp_terms *terms;
} origin;

static dlp_status make_design(const origin *from, const dlp_design_options *options,
                              dlp_design **design, dlp_error *error)
{
    dlp_formula *parsed;
    if (!from->formula)
        return dlp_design_rebuild(from->terms, from->table, options, design, error);
    if (!strchr(from->formula, '~'))
        return dlp_fail(error, DLP_EINVAL,
                        "the formula '%.80s' has no ~; write '~ %.80s'", from->formula,
                        from->formula);
    DLP_TRY(dlp_formula_parse(from->formula, &parsed, error));
    dlp_status status =
        dlpi_covariates_splines(parsed, from->table, options->keep, error);
    if (status == DLP_OK)
        status = dlp_design_build(parsed, from->table, options, design, error);
    dlp_formula_free(parsed);
    return status == DLP_OK ? check_names(*design, error) : status;
}

static dlp_status fail_without_rows(const origin *from, const dlp_corpus *corpus,
                                    dlp_error *error)
{
    return dlp_fail(
        error, DLP_EINPUT,
        "the table has %td rows, and the corpus %td documents; give a row for "
        "each, in their order, or a column with the documents' names",
        from->table->rows, corpus->D);
}

static dlp_status find_rows(const origin *from, const dlp_corpus *corpus,
                            const dlp_covariate_settings *s, dlp_document_covariates *c,
                            dlp_error *error)
{
    if (s->row) {
        c->row = dlpi_calloc(corpus->D, sizeof *c->row);
        if (!c->row) return dlpi_no_memory(error, "the covariates");
        memcpy(c->row, s->row, (size_t)corpus->D * sizeof *c->row);
        return DLP_OK;
    }
    dlp_document_rows rows;
    DLP_TRY(dlp_document_rows_find(from->table, corpus, s->document, &rows, error));
    c->row = rows.row;
    return c->row ? DLP_OK : fail_without_rows(from, corpus, error);
}

/* Rows of documents that are not in the corpus do not count. */
static dlp_status make_all(const origin *from, const dlp_corpus *corpus,
                           const dlp_covariate_settings *s, dlp_document_covariates *c,
                           dlp_error *error)
{
    c->D = corpus->D;
    DLP_TRY(find_rows(from, corpus, s, c, error));
    unsigned char *keep = dlpi_calloc(from->table->rows, 1);
    if (!keep) return dlpi_no_memory(error, "the covariates");
    for (dlp_index d = 0; d < c->D; d++)
        if (!s->among || s->among[d]) keep[c->row[d]] = 1;
    dlp_design_options options = dlp_design_options_default();
    options.keep = keep;
    options.missing_is_error = s->missing_is_error;
    options.problem = s->problem;
    options.n_references = s->n_references;
    options.reference = s->reference;
    const dlp_status status = make_design(from, &options, &c->design, error);
    free(keep);
    return status == DLP_OK ? take_design(from->table, c, error) : status;
}

static dlp_status make(const origin *from, const dlp_corpus *corpus,
                       const dlp_covariate_settings *given, dlp_document_covariates *c,
                       dlp_error *error)
{
    dlp_covariate_settings settings = dlp_covariate_settings_default();
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    *c = (dlp_document_covariates){0};
    const dlp_status status = make_all(from, corpus, &settings, c, error);
    if (status != DLP_OK) dlp_document_covariates_free(c);
    return status;
}

dlp_status dlp_covariates_build(const dlp_table *table, const char *formula,
                                const dlp_corpus *corpus,
                                const dlp_covariate_settings *settings,
                                dlp_document_covariates *covariates, dlp_error *error)
{
    const origin from = {.table = table, .formula = formula};
    return make(&from, corpus, settings, covariates, error);
}

dlp_status dlp_covariates_rebuild(const dlp_table *table, const dlp_terms *terms,
                                  const dlp_corpus *corpus,
                                  const dlp_covariate_settings *settings,
                                  dlp_document_covariates *covariates, dlp_error *error)
{
    const origin from = {.table = table, .terms = terms};
    return make(&from, corpus, settings, covariates, error);
}

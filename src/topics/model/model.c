/* SPDX-License-Identifier: BSD-3-Clause */
/* What a topic model can tell: its parts, and what new documents are about. */
#include "topics/model/model.h"
#include "topics/describe/topic_quality.h"

#include "core/core.h"
#include "core/settings.h"
#include "topics/model/vocabulary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void dlp_topic_model_free(dlp_topic_model *m)
{
    if (!m) return;
    for (dlp_index j = 0; m->column && j < m->topics.p; j++) free(m->column[j]);
    free(m->column);
    dlp_terms_free(m->terms);
    if (m->means.on_disk && m->theta == m->means.x) m->theta = NULL;
    if (m->means.on_disk && m->merge.theta == m->means.x) m->merge.theta = NULL;
    dlpi_scratch_free(&m->means);
    if (m->words.on_disk && m->topics.beta == m->words.x) m->topics.beta = NULL;
    if (m->words.on_disk && m->merge.fitted.beta == m->words.x)
        m->merge.fitted.beta = NULL;
    dlpi_scratch_free(&m->words);
    free(m->theta);
    free(m->names);
    free(m->vocab);
    free(m->trace);
    dlp_topics_free(&m->topics);
    free(m->init);
    free(m->text);
    free(m->label);
    dlpi_model_slices_free(&m->slices);
    dlpi_model_content_free(&m->content);
    dlpi_topic_merge_free(&m->merge);
    json_decref(m->json);
    free(m);
}

char **dlpi_count_names(dlp_index n)
{
    enum { ROOM = 24 };
    char **name = dlpi_calloc(n * (dlp_index)(sizeof *name + ROOM), 1);
    for (dlp_index i = 0; name && i < n; i++) {
        name[i] = (char *)(name + n) + i * ROOM;
        snprintf(name[i], ROOM, "%td", i + 1);
    }
    return name;
}

char **dlpi_copy_names(char *const *name, dlp_index n)
{
    size_t size = (size_t)n * sizeof *name;
    for (dlp_index i = 0; i < n; i++) size += strlen(name[i]) + 1;
    char **copy = dlpi_calloc((dlp_index)size, 1);
    if (!copy) return NULL;
    char *text = (char *)(copy + n);
    for (dlp_index i = 0; i < n; i++) {
        const size_t length = strlen(name[i]) + 1;
        copy[i] = memcpy(text, name[i], length);
        text += length;
    }
    return copy;
}

/* ---- its parts ---- */

const dlp_topic_model_info *dlp_topic_model_get_info(const dlp_topic_model *model)
{
    return &model->info;
}

const dlp_topics *dlp_topic_model_topics(const dlp_topic_model *model)
{
    return &model->topics;
}

const double *dlp_topic_model_theta(const dlp_topic_model *model)
{
    return model->theta;
}

int dlp_topic_model_mixing(const dlp_topic_model *model, dlp_topic_mixing *mixing)
{
    const dlp_topic_model_info *info = &model->info;
    const double *theta = dlpi_topic_model_fitted_theta(model);
    if (!theta) return 0;
    *mixing =
        dlpi_topics_mixing(dlp_topic_model_fitted(model), info->D, info->words, theta);
    if (info->outcome == DLP_RUNNING || info->method_kind == DLP_TOPICS_DIRICHLET)
        mixing->clusters = mixing->few_words = 0;
    mixing->averaged = dlpi_topic_model_averages(model);
    return 1;
}

char *const *dlp_topic_model_vocab(const dlp_topic_model *model)
{
    return model->vocab;
}

char *const *dlp_topic_model_names(const dlp_topic_model *model)
{
    return model->names;
}

dlp_corpus dlp_topic_model_documents(const dlp_topic_model *model)
{
    return (dlp_corpus){.D = model->info.D, .name = model->names};
}

const dlp_terms *dlp_topic_model_covariate_terms(const dlp_topic_model *model)
{
    return model->terms;
}

char *const *dlp_topic_model_columns(const dlp_topic_model *model)
{
    return model->column;
}

const dlp_topic_model_row *dlp_topic_model_trace(const dlp_topic_model *model, int *n)
{
    *n = model->n_trace;
    return model->trace;
}

const dlp_document_settings *
dlp_topic_model_document_settings(const dlp_topic_model *model)
{
    return &model->document;
}

const char *dlp_topic_model_json(const dlp_topic_model *model)
{
    return model->text;
}

/* ---- one vocabulary ---- */

dlp_status dlpi_topic_model_check_terms(const dlp_topic_model *model,
                                        const dlp_corpus *corpus, dlp_error *error)
{
    const dlpi_vocabulary own = {model->topics.V, model->vocab};
    DLP_TRY(dlp_corpus_check(corpus, error));
    return dlpi_vocabulary_check(&own, corpus, error);
}

dlp_status dlp_topic_model_align(const dlp_topic_model *model, dlp_corpus *corpus,
                                 dlp_index *unseen, dlp_error *error)
{
    const dlpi_vocabulary own = {model->topics.V, model->vocab};
    dlp_index count;
    return dlpi_vocabulary_align(&own, corpus, unseen ? unseen : &count, error);
}

dlp_status dlp_topic_model_name_terms(const dlp_topic_model *model, dlp_corpus *corpus,
                                      dlp_error *error)
{
    if (!model->vocab) return DLP_OK;
    if (corpus->V != model->topics.V)
        return dlp_fail(error, DLP_EINVAL, "the corpus has %td terms and the model %td",
                        corpus->V, model->topics.V);
    char **names = dlpi_copy_names(model->vocab, model->topics.V);
    if (!names) return dlpi_no_memory(error, "the vocabulary");
    free(corpus->vocab);
    corpus->vocab = names;
    return DLP_OK;
}

/* Coefficients of other covariates are no start: then only the intercepts are taken. */
static bool same_columns(const dlp_topic_model *model, const dlp_document_covariates *c)
{
    bool same = c && model->terms && c->p == model->topics.p;
    for (dlp_index j = 0; same && j < c->p; j++)
        same = !strcmp(model->column[j], c->design->name[j]);
    return same;
}

dlp_status dlp_topic_model_start(const dlp_topic_model *model, const dlp_corpus *corpus,
                                 const dlp_document_covariates *covariates,
                                 dlp_topics *topics, dlp_error *error)
{
    const dlpi_vocabulary own = {model->topics.V, model->vocab};
    DLP_TRY(dlpi_vocabulary_project(&own, dlp_topic_model_fitted(model), corpus, topics,
                                    error));
    if (!same_columns(model, covariates)) topics->p = 1;
    return DLP_OK;
}

/* ---- covariates ---- */

/* An edited file could ask for other columns than Gamma has rows for. */
static dlp_status check_columns(const dlp_topic_model *model,
                                const dlp_document_covariates *c, dlp_error *error)
{
    if (same_columns(model, c)) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the model's formula and levels make other columns than it has; its "
                    "model.json was edited, fit again");
}

dlp_status dlp_topic_model_covariates(const dlp_topic_model *model,
                                      const dlp_table *table, const dlp_corpus *corpus,
                                      const dlp_covariate_settings *settings,
                                      dlp_document_covariates *covariates,
                                      dlp_error *error)
{
    *covariates = (dlp_document_covariates){0};
    if (!model->terms)
        return dlp_fail(error, DLP_EINVAL, "the model has no covariates; leave them out");
    DLP_TRY(
        dlp_covariates_rebuild(table, model->terms, corpus, settings, covariates, error));
    const dlp_status status = check_columns(model, covariates, error);
    if (status != DLP_OK) dlp_document_covariates_free(covariates);
    return status;
}

int dlp_topic_model_passes_rows(const dlp_topic_model *model, const dlp_table *table,
                                const dlp_document_rows *rows)
{
    return model->terms && model->info.dropped > 0 && rows->column < 0 &&
           table->rows - model->info.D == model->info.dropped;
}

/* Finds the rows, in a table in the order of the fit's corpus, that have all values the
   fit needed. */
static dlp_status find_fitted_rows(const dlp_topic_model *model, const dlp_table *table,
                                   dlp_document_rows *rows, dlp_error *error)
{
    dlp_design *fitted;
    const dlp_index D = model->info.D;
    DLP_TRY(dlp_design_rebuild(model->terms, table, NULL, &fitted, error));
    const dlp_index missing = fitted->dropped;
    const bool same = fitted->N == D;
    if (same) rows->row = dlpi_calloc(D, sizeof *rows->row);
    if (rows->row) memcpy(rows->row, fitted->row, (size_t)D * sizeof *rows->row);
    dlp_design_free(fitted);
    if (same) return rows->row ? DLP_OK : dlpi_no_memory(error, "the covariates");
    return dlp_fail(
        error, DLP_EINPUT,
        "lacks values of the model's columns in %td rows, but the fit left out "
        "%td; give the table of the fit, or one with the documents' names",
        missing, model->info.dropped);
}

dlp_status dlp_topic_model_own_covariates(const dlp_topic_model *model,
                                          const dlp_table *table,
                                          const dlp_covariate_settings *given,
                                          dlp_document_covariates *covariates,
                                          dlp_error *error)
{
    const dlp_corpus documents = dlp_topic_model_documents(model);
    dlp_covariate_settings settings = dlp_covariate_settings_default();
    dlp_document_rows rows;
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    *covariates = (dlp_document_covariates){0};
    if (settings.row)
        return dlp_topic_model_covariates(model, table, &documents, &settings, covariates,
                                          error);
    DLP_TRY(dlp_document_rows_find(table, &documents, settings.document, &rows, error));
    dlp_status status = DLP_OK;
    if (dlp_topic_model_passes_rows(model, table, &rows))
        status = find_fitted_rows(model, table, &rows, error);
    settings.row = rows.row;
    if (status == DLP_OK)
        status = dlp_topic_model_covariates(model, table, &documents, &settings,
                                            covariates, error);
    dlp_document_rows_free(&rows);
    return status;
}

/* ---- documents ---- */

/* NULL for NULL. */
static const dlp_covariates *numbers_of(const dlp_document_covariates *from,
                                        dlp_covariates *to)
{
    if (!from) return NULL;
    *to = dlp_covariates_of(from);
    return to;
}

dlp_status dlp_topic_model_infer(const dlp_topic_model *model, const dlp_corpus *corpus,
                                 const dlp_document_covariates *covariates,
                                 const dlp_inference_settings *given, double *pi,
                                 double *sd, dlp_inference_result *result,
                                 dlp_error *error)
{
    dlp_inference_settings settings = dlp_inference_settings_default();
    dlp_covariates numbers;
    dlp_inference *inference;
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    if (!settings.document) settings.document = &model->document;
    settings.group = dlp_topic_model_group(model);
    settings.groups = model->topics.K;
    if (result) *result = (dlp_inference_result){0};
    DLP_TRY(dlpi_topic_model_check_terms(model, corpus, error));
    DLP_TRY(dlp_inference_alloc(dlp_topic_model_inference_topics(model), &settings,
                                &inference, error));
    const dlp_status status =
        dlp_inference_run(inference, corpus, numbers_of(covariates, &numbers), 0,
                          corpus->D, pi, sd, result, error);
    dlp_inference_free(inference);
    return status;
}

dlp_status dlp_topic_model_evaluate(const dlp_topic_model *model,
                                    const dlp_corpus *corpus,
                                    const dlp_document_covariates *covariates,
                                    const dlp_completion_settings *given,
                                    dlp_completion *completion, dlp_error *error)
{
    dlp_completion_settings settings = dlp_completion_settings_default();
    dlp_covariates numbers;
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    *completion = (dlp_completion){.per_word = NAN};
    DLP_TRY(dlpi_topic_model_check_terms(model, corpus, error));
    if (!settings.document) settings.document = &model->document;
    const dlp_topics *reading = dlp_topic_model_inference_topics(model);
    DLP_TRY(dlp_topics_completion(reading, &settings, corpus,
                                  numbers_of(covariates, &numbers), completion, error));
    if (completion->outcome != DLP_CANCELLED && completion->words == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "no words to score: a document needs at least two words that the "
                        "model knows");
    /* with words by group, each group has a part of a distribution */
    const dlp_index parts = reading->V / model->topics.V;
    completion->log_likelihood += (double)completion->words * log((double)parts);
    completion->per_word += log((double)parts);
    return DLP_OK;
}

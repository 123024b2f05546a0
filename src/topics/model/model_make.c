/* SPDX-License-Identifier: BSD-3-Clause */
/* A topic model made: of a fit that has ended, or of topics that were drawn. */
#include "core/core.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"
#include "topics/describe/topic_pairs.h"
#include "topics/model/model.h"

#include <string.h>

static dlp_status copy_columns(const dlp_document_covariates *c, dlp_topic_model *m,
                               dlp_error *error)
{
    DLP_TRY(dlp_terms_copy(c->design->terms, &m->terms, error));
    m->column = dlpi_calloc(m->topics.p, sizeof *m->column);
    for (dlp_index j = 0; m->column && j < m->topics.p; j++) {
        const size_t size = strlen(c->design->name[j]) + 1;
        m->column[j] = dlpi_calloc((dlp_index)size, 1);
        if (!m->column[j]) return dlpi_no_memory(error, "the topic model");
        memcpy(m->column[j], c->design->name[j], size);
    }
    return m->column ? DLP_OK : dlpi_no_memory(error, "the topic model");
}

/* The words and documents of the corpus. */
static dlp_status copy_corpus(const dlp_corpus *corpus, dlp_topic_model *m,
                              dlp_error *error)
{
    m->info.D = corpus->D;
    m->named = corpus->name != NULL;
    if (corpus->vocab) m->vocab = dlpi_copy_names(corpus->vocab, corpus->V);
    if (corpus->name) m->names = dlpi_copy_names(corpus->name, corpus->D);
    if ((corpus->vocab && !m->vocab) || (m->named && !m->names))
        return dlpi_no_memory(error, "the topic model");
    return DLP_OK;
}

/* The documents' means no longer belong to the fit: they may be most of its memory. */
static void take_means(dlp_ctm *ctm, dlp_topic_model *m)
{
    dlpi_scratch means;
    dlpi_ctm_give_means(ctm, &means);
    m->theta = means.x;
    if (means.on_disk) m->means = means;
}

static dlp_status copy_trace(const dlp_topics_result *r, dlp_index words,
                             const double *seconds, dlp_topic_model *m, dlp_error *error)
{
    m->trace = dlpi_calloc(r->iterations, sizeof *m->trace);
    if (!m->trace) return dlpi_no_memory(error, "the trace");
    m->n_trace = r->iterations;
    for (int i = 0; i < r->iterations; i++) {
        const dlp_topics_row *row = &r->trace[i];
        m->trace[i] =
            (dlp_topic_model_row){.iteration = row->iteration,
                                  .objective_per_word = row->objective / (double)words,
                                  .change = row->change,
                                  .moved = row->moved,
                                  .evaluations = row->evaluations,
                                  .unsettled = row->unsettled,
                                  .seconds = seconds[i]};
    }
    return DLP_OK;
}

static json_t *number_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

/* "spread" of "sums": the covariance over documents of theta less what covariates predict,
   for intervals of correlations when their table is not at hand. */
static bool add_spread(const dlp_topic_model *m, const dlp_covariates *X, json_t *sums)
{
    const dlp_index K = m->topics.K;
    const dlpi_topic_evidence evidence = {
        .topics = &m->topics, .D = m->info.D, .theta = m->theta, .X = X};
    double *S = dlpi_calloc(dlpi_size(K, K, 2 * K), sizeof *S);
    json_t *list = NULL;
    if (S) {
        dlpi_topics_find_spread(&evidence, S + K * K, S);
        list = dlpi_json_list(K * K, number_at, S);
    }
    free(S);
    return list && json_object_set_new(sums, "spread", list) == 0;
}

/* Of several processes, the first has all documents' means. */
static json_t *sums_of(const dlp_ctm *ctm, const dlp_topic_model *m,
                       const dlp_document_covariates *covariates, const double *words)
{
    json_t *sums = dlpi_topic_sums_json((double)ctm->share.D, ctm->settings.smooth,
                                        ctm->shared.K, words);
    if (!sums || !covariates || !dlpi_ctm_leads(ctm)) return sums;
    const dlp_covariates X = dlp_covariates_of(covariates);
    if (add_spread(m, &X, sums)) return sums;
    json_decref(sums);
    return NULL;
}

/* Adds "sums" to model.json, for updates with new documents. Takes json, which may be
   NULL. */
static json_t *with_sums(json_t *json, const dlp_ctm *ctm, const dlp_topic_model *m,
                         const dlp_document_covariates *covariates)
{
    const dlp_index K = ctm->shared.K;
    double *words = dlpi_calloc(K, sizeof *words);
    bool good = json && words;
    if (good && dlpi_ctm_topic_words(ctm, words))
        good = json_object_set_new(json, "sums", sums_of(ctm, m, covariates, words)) == 0;
    free(words);
    if (good) return json;
    json_decref(json);
    return NULL;
}

static dlp_status fill_model(const dlpi_topic_request *request, dlp_ctm *ctm,
                             const double *seconds, dlp_topic_model *m, dlp_error *error)
{
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    const dlp_topics_settings *s = &request->settings;
    m->document = dlp_document_settings_default();
    m->document.plain = s->plain;
    m->method = dlpi_ctm_method_find(s->method);
    m->document.method = m->method->name;
    DLP_TRY(dlpi_ctm_topics_of(ctm, &m->words, &m->topics, error));
    DLP_TRY(copy_corpus(request->corpus, m, error));
    if (request->covariates) DLP_TRY(copy_columns(request->covariates, m, error));
    DLP_TRY(dlpi_topic_model_take_slices(m, request, ctm, error));
    DLP_TRY(dlpi_topic_model_take_content(m, request, ctm, error));
    take_means(ctm, m);
    DLP_TRY(copy_trace(r, request->corpus->words, seconds, m, error));
    json_t *json =
        with_sums(dlpi_topic_model_with_scales(dlpi_topic_result_json(request, r), m),
                  ctm, m, request->covariates);
    if (json && s->slices > 0 &&
        json_object_set_new(json, "drift", dlpi_json_real(m->slices.topics.drift)) != 0) {
        json_decref(json);
        json = NULL;
    }
    return dlpi_topic_model_take_json(m, json, error);
}

dlp_status dlpi_topic_model_make(const dlpi_topic_request *request, dlp_ctm *ctm,
                                 const double *seconds, dlp_topic_model **model,
                                 dlp_error *error)
{
    *model = NULL;
    dlp_topic_model *m = dlpi_calloc(1, sizeof *m);
    const dlp_status status = m ? fill_model(request, ctm, seconds, m, error)
                                : dlpi_no_memory(error, "the topic model");
    if (status != DLP_OK) {
        dlp_topic_model_free(m);
        return status;
    }
    *model = m;
    return DLP_OK;
}

static dlp_status fill_simulated(dlp_topic_model *m, const dlp_topics *from,
                                 const dlp_corpus *corpus, const double *theta,
                                 json_t *json, dlp_error *error)
{
    const size_t K = (size_t)from->K, V = (size_t)from->V;
    m->document = dlp_document_settings_default();
    m->method = dlpi_ctm_method_find(m->document.method);
    dlp_status status = dlp_topics_alloc(from->K, from->V, 1, &m->topics, error);
    const dlp_index n = corpus->D * from->K;
    if (status == DLP_OK) status = copy_corpus(corpus, m, error);
    if (status == DLP_OK) m->theta = dlpi_calloc(n, sizeof *m->theta);
    if (status == DLP_OK && !m->theta) status = dlpi_no_memory(error, "the topic model");
    if (status != DLP_OK) {
        json_decref(json);
        return status;
    }
    memcpy(m->theta, theta, (size_t)n * sizeof *theta);
    memcpy(m->topics.beta, from->beta, K * V * sizeof *from->beta);
    memcpy(m->topics.Gamma, from->Gamma, K * sizeof *from->Gamma);
    memcpy(m->topics.Sigma0, from->Sigma0, K * K * sizeof *from->Sigma0);
    return dlpi_topic_model_take_json(m, json, error);
}

dlp_status dlp_topic_model_simulated(const dlp_topics *topics, const dlp_corpus *corpus,
                                     const double *theta, uint64_t seed,
                                     double concentration, dlp_topic_model **model,
                                     dlp_error *error)
{
    *model = NULL;
    if (topics->p != 1)
        return dlp_fail(error, DLP_EINVAL, "simulated topics have no covariates");
    dlp_topic_model *m = dlpi_calloc(1, sizeof *m);
    if (!m) return dlpi_no_memory(error, "the topic model");
    const dlp_status status = fill_simulated(
        m, topics, corpus, theta,
        dlpi_topic_simulated_json(topics, corpus, seed, concentration), error);
    if (status != DLP_OK) {
        dlp_topic_model_free(m);
        return status;
    }
    *model = m;
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits from several starts, keeping the best. */
#include <delaplace/topic_stability.h>

#include "comm/comm.h"
#include "core/core.h"
#include "core/settings.h"
#include "io/json.h"
#include "topics/model/model.h"

#include <string.h>

typedef struct work {
    const dlp_corpus *corpus;
    const dlp_document_covariates *covariates;
    dlp_topics_settings settings;
    int n, kept; /* kept: the best so far, -1: none */
    dlp_topic_start *start;
    dlp_topic_model **model; /* (n) those that ended */
} work;

/* Process 0 has the model, and tells the others how it ended. */
static dlp_status share_start(const work *w, dlp_topic_start *start, dlp_error *error)
{
    double few[] = {start->objective_per_word, start->iterations, start->outcome};
    if (!w->settings.processes) return DLP_OK;
    dlpi_comm *comm = dlpi_processes_comm(w->settings.processes);
    DLP_TRY(comm->ops->broadcast(comm, sizeof few, few, error));
    start->objective_per_word = few[0];
    start->iterations = (int)few[1];
    start->outcome = (dlp_outcome)few[2];
    return DLP_OK;
}

static dlp_status run_start(work *w, int i, dlp_error *error)
{
    dlp_topics_settings s = w->settings;
    dlp_topic_start *start = &w->start[i];
    if (i > 0) {
        s.init = "random";
        s.seed += (uint64_t)i;
    }
    dlpi_ctm_init init = DLPI_CTM_SPECTRAL;
    (void)dlpi_ctm_init_find(s.init, &init);
    *start = (dlp_topic_start){
        .init = dlp_topics_init((int)init), .seed = s.seed, .outcome = DLP_CANCELLED};
    DLP_TRY(dlp_topic_model_fit(w->corpus, w->covariates, &s, &w->model[i], error));
    if (w->model[i]) {
        const dlp_topic_model_info *info = dlp_topic_model_get_info(w->model[i]);
        start->objective_per_word = info->objective_per_word;
        start->iterations = info->iterations;
        start->outcome = info->outcome;
    }
    return share_start(w, start, error);
}

/* Nothing is kept of a cancelled fit, unless it was the first. */
static bool run_all(work *w, dlp_status *status, dlp_error *error)
{
    for (int i = 0; i < w->n; i++) {
        *status = run_start(w, i, error);
        const bool cancelled =
            *status == DLP_ECANCELLED || w->start[i].outcome == DLP_CANCELLED;
        if (*status != DLP_OK && !(cancelled && i > 0)) return false;
        const bool better =
            *status == DLP_OK &&
            (w->kept < 0 || (!cancelled && w->start[i].objective_per_word >
                                               w->start[w->kept].objective_per_word));
        if (better) w->kept = i;
        *status = DLP_OK;
        for (int j = i + 1; cancelled && j < w->n; j++)
            w->start[j] = (dlp_topic_start){.init = "random", .outcome = DLP_CANCELLED};
        if (cancelled) break;
    }
    return true;
}

static dlp_status compare(const work *w, dlp_error *error)
{
    const dlp_topics *best = &w->model[w->kept]->topics;
    dlp_index *match = dlpi_calloc(best->K, sizeof *match);
    double *similarity = dlpi_calloc(best->K, sizeof *similarity);
    dlp_status status =
        match && similarity ? DLP_OK : dlpi_no_memory(error, "matching topics");
    for (int i = 0; i < w->n && status == DLP_OK; i++) {
        if (!w->model[i]) continue;
        status = dlp_topics_match(best, &w->model[i]->topics, 0, match, similarity, NULL,
                                  error);
        for (dlp_index k = 0; k < best->K && status == DLP_OK; k++)
            w->start[i].similarity += similarity[k] / (double)best->K;
    }
    free(match);
    free(similarity);
    return status;
}

static json_t *start_at(const void *of, dlp_index i)
{
    const dlp_topic_start *s = (const dlp_topic_start *)of + i;
    return json_pack("{s:s, s:I, s:o, s:i, s:s, s:o, s:b}", "init", s->init, "seed",
                     (json_int_t)s->seed, "log_evidence_per_word",
                     dlpi_json_real(s->objective_per_word), "iterations", s->iterations,
                     "outcome", dlp_outcome_name(s->outcome), "similarity",
                     dlpi_json_real(s->similarity), "kept", s->kept);
}

static dlp_status keep(work *w, dlp_topic_model **model, dlp_error *error)
{
    dlp_topic_model *best = w->model[w->kept];
    w->start[w->kept].kept = 1;
    if (w->n > 1 && best) {
        DLP_TRY(compare(w, error));
        if (json_object_set_new(best->json, "starts",
                                dlpi_json_list(w->n, start_at, w->start)) != 0)
            return dlpi_no_memory(error, "model.json");
        DLP_TRY(dlpi_topic_model_print_json(best, error));
    }
    *model = best;
    w->model[w->kept] = NULL;
    return DLP_OK;
}

dlp_status dlp_topic_model_fit_starts(const dlp_corpus *corpus,
                                      const dlp_document_covariates *covariates,
                                      const dlp_topics_settings *settings, int n,
                                      dlp_topic_start *start, dlp_topic_model **model,
                                      dlp_error *error)
{
    work w = {
        .corpus = corpus, .covariates = covariates, .n = n, .kept = -1, .start = start};
    dlp_status status = DLP_OK;
    *model = NULL;
    w.settings = dlp_topics_settings_default();
    DLP_TRY(dlpi_settings_take(&w.settings, sizeof w.settings, settings, error));
    if (n < 1 || n > 1000) return dlp_fail(error, DLP_EINVAL, "starts must be 1 to 1000");
    if (w.settings.start && n > 1)
        return dlp_fail(error, DLP_EINVAL, "a model to start from is one start, not %d",
                        n);
    w.model = dlpi_calloc(n, sizeof(dlp_topic_model *));
    if (!w.model) return dlpi_no_memory(error, "the starts");
    if (run_all(&w, &status, error)) status = keep(&w, model, error);
    for (int i = 0; i < n; i++) dlp_topic_model_free(w.model[i]);
    free(w.model);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The proportions of many documents: a posterior a thread, each document by itself. */
#include <delaplace/topic_inference.h>

#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "corpus/formats/mapped.h"
#include "infer/listener.h"
#include "topics/ctm/ctm.h"

#include <omp.h>
#include <string.h>

enum { CHUNK = 8 }; /* documents that a thread takes at a time */

/* What a thread found. */
typedef struct worker {
    dlp_document_posterior *posterior;
    dlp_inference_result sum;
    dlp_status status;
    dlp_error error;
} worker;

struct dlp_inference {
    dlp_index K, V, p;
    dlp_index columns; /* of the shares: topics, or groups of them */
    dlp_index *group;  /* (K) NULL: each topic by itself */
    int threads;
    worker *worker; /* (threads) */
    dlpi_listener listener;
};

/* The documents of a call. */
typedef struct range {
    const dlp_corpus *corpus;
    const dlp_covariates *covariates;
    dlp_index from, to;
    double *pi, *sd;
} range;

void dlp_inference_settings_init(dlp_inference_settings *settings, size_t size)
{
    const dlp_inference_settings defaults = {.threads = 0};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static dlp_status take_groups(dlp_inference *f, const dlp_inference_settings *s,
                              dlp_error *error)
{
    f->columns = s->group ? s->groups : f->K;
    if (!s->group) return DLP_OK;
    DLP_TRY(dlpi_check_groups(f->K, s->groups, s->group, error));
    f->group = dlpi_calloc(f->K, sizeof *f->group);
    if (!f->group) return dlpi_no_memory(error, "the documents' posteriors");
    memcpy(f->group, s->group, (size_t)f->K * sizeof *f->group);
    return DLP_OK;
}

static dlp_status allocate(dlp_inference *f, const dlp_topics *topics,
                           const dlp_inference_settings *s, dlp_error *error)
{
    DLP_TRY(take_groups(f, s, error));
    f->worker = dlpi_calloc(f->threads, sizeof *f->worker);
    if (!f->worker) return dlpi_no_memory(error, "the documents' posteriors");
    for (int t = 0; t < f->threads; t++)
        DLP_TRY(dlp_document_posterior_alloc(topics, s->document, &f->worker[t].posterior,
                                             error));
    return DLP_OK;
}

dlp_status dlp_inference_alloc(const dlp_topics *topics,
                               const dlp_inference_settings *settings,
                               dlp_inference **inference, dlp_error *error)
{
    dlp_inference_settings s = dlp_inference_settings_default();
    *inference = NULL;
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    if (s.threads < 0 || s.threads > 1024)
        return dlp_fail(error, DLP_EINVAL, "threads must be 0 to 1024");
    dlp_inference *f = dlpi_calloc(1, sizeof *f);
    if (!f) return dlpi_no_memory(error, "the documents' posteriors");
    f->K = topics->K;
    f->V = topics->V;
    f->p = topics->p;
    f->threads = dlpi_threads(s.threads);
    f->listener.call = s.progress;
    f->listener.context = s.context;
    const dlp_status status = allocate(f, topics, &s, error);
    if (status != DLP_OK) {
        dlp_inference_free(f);
        return status;
    }
    *inference = f;
    return DLP_OK;
}

void dlp_inference_free(dlp_inference *f)
{
    if (!f) return;
    for (int t = 0; f->worker && t < f->threads; t++)
        dlp_document_posterior_free(f->worker[t].posterior);
    free(f->worker);
    free(f->group);
    free(f);
}

static dlp_status infer(const dlp_inference *f, const range *r, worker *w, dlp_index d)
{
    const dlp_index at = (d - r->from) * f->columns;
    dlp_document document = dlp_corpus_document(r->corpus, d);
    dlp_document_result found;
    if (r->covariates) document.x = r->covariates->X + d * r->covariates->p;
    DLP_TRY(dlp_document_infer(w->posterior, &document, &found, &w->error));
    double *pi = r->pi + at, *sd = r->sd ? r->sd + at : NULL;
    if (f->group)
        dlpi_document_shares(w->posterior, f->columns, f->group, pi, sd);
    else
        dlp_document_proportions(w->posterior, pi, sd);
    w->sum.documents++;
    w->sum.words += found.words;
    w->sum.unseen += found.unseen;
    w->sum.unsettled += found.outcome != DLP_CONVERGED;
    return DLP_OK;
}

static void infer_chunk(dlp_inference *f, const range *r, dlp_index first)
{
    worker *w = &f->worker[omp_get_thread_num()];
    const dlp_index rest = r->to - first, n = rest < CHUNK ? rest : CHUNK;
    if (dlpi_listener_stopped(&f->listener)) return;
    for (dlp_index d = first; d < first + n && w->status == DLP_OK; d++)
        w->status = infer(f, r, w, d);
    const dlp_progress progress =
        dlpi_progress_count("inferring", "documents", first + n, r->corpus->D);
    (void)dlpi_listener_report_inside(&f->listener, progress);
}

/* dlp_document_infer checks the words and covariates of each document. */
static dlp_status check(const dlp_inference *f, const range *r, dlp_error *error)
{
    const dlp_corpus *c = r->corpus;
    if (c->V > f->V)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has %td terms and the model %td; both must have the "
                        "same vocabulary",
                        c->V, f->V);
    if (r->from < 0 || r->to < r->from || r->to > c->D)
        return dlp_fail(error, DLP_EINVAL,
                        "documents %td to %td are asked for, but there are only %td",
                        r->from, r->to, c->D);
    if (r->covariates && (r->covariates->D != c->D || r->covariates->p != f->p))
        return dlp_fail(error, DLP_EINPUT,
                        "there are %td covariates for %td documents; %td covariates for "
                        "%td documents are needed, in the same order",
                        r->covariates->p, r->covariates->D, f->p, c->D);
    return DLP_OK;
}

/* Sums of whole numbers, so the threads' order does not matter. */
static dlp_status take(dlp_inference *f, dlp_inference_result *result, dlp_error *error)
{
    for (int t = 0; t < f->threads; t++) {
        const worker *w = &f->worker[t];
        if (w->status != DLP_OK) {
            if (error) *error = w->error;
            return w->status;
        }
        if (!result) continue;
        result->documents += w->sum.documents;
        result->words += w->sum.words;
        result->unseen += w->sum.unseen;
        result->unsettled += w->sum.unsettled;
    }
    return DLP_OK;
}

dlp_status dlp_inference_run(dlp_inference *f, const dlp_corpus *corpus,
                             const dlp_covariates *covariates, dlp_index from,
                             dlp_index to, double *pi, double *sd,
                             dlp_inference_result *result, dlp_error *error)
{
    const range r = {corpus, covariates, from, to, pi, sd};
    DLP_TRY(check(f, &r, error));
    atomic_store(&f->listener.stopped, false);
    for (int t = 0; t < f->threads; t++) {
        f->worker[t].sum = (dlp_inference_result){0};
        f->worker[t].status = DLP_OK;
    }
#pragma omp parallel for schedule(dynamic) num_threads(f->threads)
    for (dlp_index first = from; first < to; first += CHUNK) infer_chunk(f, &r, first);
    const dlp_progress all = dlpi_progress_count("inferring", "documents", to, corpus->D);
    if (dlpi_listener_report(&f->listener, all))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    DLP_TRY(dlpi_corpus_unchanged(corpus, error));
    return take(f, result, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The objective at each iteration of Figure 1, which is followed to the letter. */
#include "study/figure.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>

/* Leaves out Blei and Lafferty's method, which is not an instance of Figure 1. */
static const char *const methods[] = {"laplace", "delta"};
enum { METHODS = sizeof methods / sizeof *methods };

enum { DOCUMENTS = 100, QUICK_DOCUMENTS = 10, ITERATIONS = 1000 };
static const double TOL = 1e-6;

/* One iteration, summed over all documents. */
typedef struct sum {
    double objective; /* a settled document keeps contributing its last value */
    dlp_index documents, decreases;
} sum;

typedef struct curve {
    sum at[ITERATIONS];
    int iterations; /* of the document that needed the most */
    dlp_index documents, words;
    dlp_index unsettled; /* documents whose fit did not converge */
} curve;

static void add_document(const dlp_trace_row *trace, int n,
                         const dlp_document_result *result, curve *c)
{
    const bool settles = result->outcome == DLP_CONVERGED;
    for (int i = 0; i < ITERATIONS; i++) {
        const int now = i < n ? i : n - 1;
        c->at[i].objective += trace[now].objective;
        c->at[i].documents += !settles || i + 1 < n;
        c->at[i].decreases += i < n && dlp_trace_fell(trace, i);
    }
    c->iterations = n > c->iterations ? n : c->iterations;
    c->documents++;
    c->words += result->words;
    c->unsettled += !settles;
}

static dlp_status read_documents(dlpi_figure_job *job, dlp_document_posterior *posterior,
                                 curve *c, dlp_error *error)
{
    const dlp_index wanted = job->quick ? QUICK_DOCUMENTS : DOCUMENTS;
    for (dlp_index d = 0; d < job->test->D && c->documents < wanted; d++) {
        const dlp_document document = dlp_corpus_document(job->test, d);
        const dlp_trace_row *trace;
        dlp_document_result result;
        DLP_TRY(dlp_document_infer(posterior, &document, &result, error));
        const int n = dlp_document_trace(posterior, &trace);
        if (n > 0 && result.words > 0) add_document(trace, n, &result, c);
        job->stopped = job->stop(NULL, NULL);
        if (job->stopped) break;
    }
    return DLP_OK;
}

static dlp_status add_rows(const dlpi_figure_job *job, const char *method, const curve *c,
                           dlpi_figure_rows *rows, dlp_error *error)
{
    const dlp_outcome outcome = c->unsettled > 0 ? DLP_MAX_ITERATIONS : DLP_CONVERGED;
    for (int i = 0; i < c->iterations; i++) {
        const dlpi_figure_row row = {.method = method,
                                     .start = "spectral",
                                     .K = job->K,
                                     .iteration = i + 1,
                                     .documents = c->at[i].documents,
                                     .decreases = c->at[i].decreases,
                                     .seconds = NAN,
                                     .log_evidence =
                                         c->at[i].objective / (double)c->words,
                                     .heldout = NAN,
                                     .outcome = outcome};
        DLP_TRY(dlpi_figure_add(rows, &row, error));
    }
    return DLP_OK;
}

static dlp_status add_curve(dlpi_figure_job *job, dlpi_figure_rows *rows,
                            const dlp_topics *topics, const char *method,
                            dlp_error *error)
{
    dlp_document_settings settings = dlp_document_settings_default();
    settings.method = method;
    settings.plain = 1;
    settings.tol = TOL;
    settings.max_iter = ITERATIONS;
    dlp_document_posterior *posterior = NULL;
    curve *c = calloc(1, sizeof *c);
    if (!c) return dlp_fail(error, DLP_ENOMEM, "not enough memory for a figure");
    dlp_status status =
        dlp_document_posterior_alloc(topics, &settings, &posterior, error);
    if (status == DLP_OK) status = read_documents(job, posterior, c, error);
    if (status == DLP_OK && !job->stopped) status = add_rows(job, method, c, rows, error);
    dlp_document_posterior_free(posterior);
    free(c);
    return status;
}

/* Both methods fit the same documents with the same topics, so that curves compare. */
dlp_status dlpi_figure_convergence(dlpi_figure_job *job, dlpi_figure_rows *rows,
                                   dlp_error *error)
{
    const dlp_topics_settings settings =
        dlpi_figure_settings(job, "laplace", "spectral", dlpi_figure_one_k(job));
    dlp_ctm *ctm = NULL;
    dlp_topics topics = {0};
    DLP_TRY(dlpi_figure_fit(job, &settings, &ctm, error));
    dlp_status status = dlp_ctm_topics(ctm, &topics, error);
    dlp_ctm_free(ctm);
    for (int i = 0; i < METHODS && status == DLP_OK && !job->stopped; i++)
        status = add_curve(job, rows, &topics, methods[i], error);
    dlp_topics_free(&topics);
    return status;
}

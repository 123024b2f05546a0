/* SPDX-License-Identifier: BSD-3-Clause */
/* How many of a model's topics are found again by fits from other starts, and by fits to
   halves of the documents. */
#include <delaplace/random.h>
#include <delaplace/topic_stability.h>

#include "core/core.h"
#include "core/settings.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "topics/model/model_halves.h"

#include <math.h>
#include <string.h>

void dlp_stability_settings_init(dlp_stability_settings *settings, size_t size)
{
    const dlp_stability_settings defaults = {.starts = 3, .splits = 2, .seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

typedef struct work {
    const dlp_topics *reference;
    dlp_topics_settings fit;
    dlp_stability_settings settings;
    dlp_stability *found;
    dlp_index *match; /* (K) */
    int done, total;
    bool stopped;
} work;

/* ---- a fit ---- */

static int tell(void *context, const dlp_progress *inner)
{
    work *w = context;
    dlp_progress outer = {.phase = "fitting again",
                          .unit = "fits",
                          .done = w->done,
                          .total = w->total,
                          .polled = inner->polled};
    if (w->settings.progress && w->settings.progress(w->settings.context, &outer))
        w->stopped = true;
    return w->stopped;
}

static dlp_status take(work *w, const dlp_ctm *ctm, double *similarity, dlp_index *common,
                       dlp_error *error)
{
    dlp_topics topics;
    DLP_TRY(dlp_ctm_topics(ctm, &topics, error));
    const dlp_status status = dlp_topics_match(w->reference, &topics, DLP_STABILITY_WORDS,
                                               w->match, similarity, common, error);
    dlp_topics_free(&topics);
    w->done++;
    return status;
}

static dlp_status fit_again(work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                            double *similarity, dlp_index *common, double *objective,
                            dlp_error *error)
{
    dlp_ctm *ctm = NULL;
    dlp_status status = dlp_ctm_alloc(corpus, X, &w->fit, &ctm, error);
    if (status == DLP_OK) status = dlp_ctm_start(ctm, error);
    if (status == DLP_OK) {
        dlp_ctm_run(ctm);
        if (w->stopped)
            status = dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
        else
            status = take(w, ctm, similarity, common, error);
    }
    if (status == DLP_OK && objective)
        *objective = dlp_ctm_result(ctm)->objective_per_word;
    dlp_ctm_free(ctm);
    return status;
}

/* ---- halves ---- */

/* If a column is constant in a half, that half is fitted without covariates. */
static dlp_status fit_half(work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                           const unsigned char *keep, double *rows, int half,
                           dlp_error *error)
{
    const dlp_index K = w->reference->K;
    dlp_covariates part;
    dlp_corpus *some = NULL;
    DLP_TRY(dlp_corpus_select(corpus, keep, &some, error));
    const bool with = X && dlpi_keep_rows(X, keep, rows, &part);
    const dlp_status status =
        fit_again(w, some, with ? &part : NULL, w->found->half + half * K,
                  w->found->half_common + half * K, NULL, error);
    dlp_corpus_free(some);
    return status;
}

static dlp_status fit_halves(work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                             dlp_error *error)
{
    const dlp_index D = corpus->D;
    unsigned char *keep = dlpi_calloc(D, 1);
    double *rows = dlpi_calloc(X ? dlpi_size(D, X->p, 0) : 0, sizeof *rows);
    dlp_status status =
        keep && rows ? DLP_OK : dlpi_no_memory(error, "halves of the documents");
    w->fit.init = "spectral";
    for (int h = 0; h < w->found->halves && status == DLP_OK; h++) {
        dlpi_draw_half(D, w->settings.seed, h / 2, keep);
        for (dlp_index d = 0; h % 2 && d < D; d++) keep[d] = !keep[d];
        status = fit_half(w, corpus, X, keep, rows, h, error);
    }
    free(keep);
    free(rows);
    return status;
}

/* ---- all ---- */

static dlp_status fit_starts(work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                             dlp_error *error)
{
    const dlp_index K = w->reference->K;
    w->fit.init = "random";
    for (int i = 0; i < w->found->starts; i++) {
        w->fit.seed = w->settings.seed + (uint64_t)i;
        DLP_TRY(fit_again(w, corpus, X, w->found->start + i * K,
                          w->found->start_common + i * K,
                          &w->found->objective_per_word[i], error));
    }
    return DLP_OK;
}

static dlp_status allocate(work *w, dlp_error *error)
{
    dlp_stability *s = w->found;
    const dlp_index K = w->reference->K, a = s->starts * K, b = s->halves * K;
    s->start = dlpi_calloc(a, sizeof *s->start);
    s->half = dlpi_calloc(b, sizeof *s->half);
    s->start_common = dlpi_calloc(a, sizeof *s->start_common);
    s->half_common = dlpi_calloc(b, sizeof *s->half_common);
    s->objective_per_word = dlpi_calloc(s->starts, sizeof *s->objective_per_word);
    w->match = dlpi_calloc(K, sizeof *w->match);
    if (s->start && s->half && s->start_common && s->half_common &&
        s->objective_per_word && w->match)
        return DLP_OK;
    return dlpi_no_memory(error, "the stability of topics");
}

static dlp_status check(const work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                        dlp_error *error)
{
    const dlp_stability_settings *s = &w->settings;
    if (s->starts < 0 || s->splits < 0 || s->starts > 1000 || s->splits > 1000 ||
        s->starts + s->splits == 0)
        return dlp_fail(error, DLP_EINVAL,
                        "starts and splits must be 0 to 1000, and not both 0");
    if (corpus->V != w->reference->V)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has %td terms and the model %td; it must use the "
                        "model's terms",
                        corpus->V, w->reference->V);
    if (X && X->D != corpus->D)
        return dlp_fail(error, DLP_EINPUT,
                        "there are covariates for %td documents, but the corpus has %td",
                        X->D, corpus->D);
    if (s->splits > 0 && corpus->D < 4)
        return dlp_fail(error, DLP_EINPUT, "%td documents are too few to be halved",
                        corpus->D);
    return DLP_OK;
}

static dlp_status run(work *w, const dlp_corpus *corpus, const dlp_covariates *X,
                      dlp_error *error)
{
    DLP_TRY(check(w, corpus, X, error));
    DLP_TRY(allocate(w, error));
    DLP_TRY(fit_starts(w, corpus, X, error));
    return fit_halves(w, corpus, X, error);
}

dlp_status dlp_topic_model_stability(const dlp_topic_model *model,
                                     const dlp_corpus *corpus,
                                     const dlp_document_covariates *covariates,
                                     const dlp_stability_settings *settings,
                                     dlp_stability *stability, dlp_error *error)
{
    work w = {.reference = dlp_topic_model_fitted(model),
              .settings = dlp_stability_settings_default(),
              .found = stability};
    dlp_covariates numbers;
    *stability = (dlp_stability){.K = w.reference->K};
    DLP_TRY(dlpi_settings_take(&w.settings, sizeof w.settings, settings, error));
    if (dlp_topic_model_content(model))
        return dlpi_advise(
            error, DLP_REMEDY_NO_CONTENT,
            dlp_fail(
                error, DLP_EINVAL,
                "topics whose words differ by group cannot be fitted again; use a fit "
                "in which they do not"));
    stability->starts = w.settings.starts;
    stability->halves = 2 * w.settings.splits;
    w.total = stability->starts + stability->halves;
    w.fit = dlpi_model_settings(model);
    w.fit.threads = w.settings.threads;
    w.fit.progress = tell;
    w.fit.context = &w;
    if (covariates) numbers = dlp_covariates_of(covariates);
    const dlp_status status = run(&w, corpus, covariates ? &numbers : NULL, error);
    free(w.match);
    if (status != DLP_OK) dlp_stability_free(stability);
    return status;
}

void dlp_stability_free(dlp_stability *s)
{
    free(s->start);
    free(s->half);
    free(s->start_common);
    free(s->half_common);
    free(s->objective_per_word);
    *s = (dlp_stability){0};
}

/* ---- topic by topic ---- */

static dlp_topic_found found_of(dlp_index K, int n, const double *similarity,
                                const dlp_index *common, dlp_index k)
{
    dlp_topic_found f = {.least = 1};
    for (int i = 0; i < n; i++) {
        f.mean += similarity[i * K + k] / n;
        f.common += (double)common[i * K + k] / n;
        f.least = fmin(f.least, similarity[i * K + k]);
    }
    return f;
}

dlp_topic_found dlp_stability_of_starts(const dlp_stability *s, dlp_index k)
{
    return found_of(s->K, s->starts, s->start, s->start_common, k);
}

dlp_topic_found dlp_stability_of_halves(const dlp_stability *s, dlp_index k)
{
    return found_of(s->K, s->halves, s->half, s->half_common, k);
}

/* ---- model.json ---- */

typedef struct column {
    const dlp_stability *of;
    dlp_topic_found (*found)(const dlp_stability *of, dlp_index k);
} column;

static json_t *mean_at(const void *of, dlp_index k)
{
    const column *c = of;
    return dlpi_json_real(c->found(c->of, k).mean);
}

static json_t *least_at(const void *of, dlp_index k)
{
    const column *c = of;
    return dlpi_json_real(c->found(c->of, k).least);
}

static json_t *column_json(int n, column c)
{
    if (n == 0) return json_null();
    return json_pack("{s:i, s:o, s:o}", "fits", n, "mean",
                     dlpi_json_list(c.of->K, mean_at, &c), "least",
                     dlpi_json_list(c.of->K, least_at, &c));
}

dlp_status dlp_topic_model_keep_stability(dlp_topic_model *m, const dlp_stability *s,
                                          dlp_error *error)
{
    if (json_object_set_new(
            m->json, "stability",
            json_pack("{s:o, s:o}", "starts",
                      column_json(s->starts, (column){s, dlp_stability_of_starts}),
                      "halves",
                      column_json(s->halves, (column){s, dlp_stability_of_halves}))) != 0)
        return dlpi_no_memory(error, "model.json");
    return dlpi_topic_model_print_json(m, error);
}

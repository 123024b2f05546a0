/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Effects on the topics of a model. The draws of dlp_topics_effects take the topics as
 * known, and they are not: where there are few words for each of their probabilities,
 * that is a good part of the error. So the topics are fitted again to halves of the
 * documents, from where they are, and the effects found in each, by its own topics and by
 * the model's. With b_1 and b_2 those of two halves by their own, off = (b_1 - b_2) / 2
 * differs from 0 by as much as the effects of all documents do from their mean; with a_1
 * and a_2 those by the model's topics, known = (a_1 - a_2) / 2 does by as much as if
 * topics were known. Which documents are in which half is the same for both, so the
 * difference of their squares tells the topics' part with little noise:
 *
 *     excess = mean of (off^2 - known^2) / sd^2,
 *
 * over topics, columns and splits; one for intercepts, which are shares, and one for all
 * other columns. Of what is quadratic in the topics' noise it has twice the variance,
 * which leaves room for its mean. Shares need more: noise makes topics alike, so that
 * large ones come out too small, twice as much in a half, and bias = (b_1 + b_2) / 2 -
 * (a_1 + a_2) / 2 tells by how much. (Of other columns it does not: by simulation,
 * docs/accuracy.md, it has the wrong sign.) All sds are multiplied by
 *
 *     sqrt(1 + max(0, excess + mean of bias^2 / sd^2)), the last for intercepts alone.
 */
#include <delaplace/effects.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "core/settings.h"
#include "math/symmetric/structure.h"
#include "topics/model/model_halves.h"

#include <math.h>
#include <string.h>

enum { INTERCEPTS, OTHERS, KINDS };
enum { HALVES = 2 };

typedef struct halves {
    const dlp_topic_model *model;
    const dlp_corpus *corpus;
    const dlp_covariates *prior, *X; /* prior may be NULL */
    dlp_effects_settings settings;
    dlp_topics_settings fit;
    dlp_index *fixed;          /* (K) */
    unsigned char *keep;       /* (D) */
    double *rows_prior, *rows; /* (D, p) of the model, of X */
    double *found[HALVES];     /* (effects) of each half, by its own topics */
    double *known[HALVES];     /* (effects) by the model's */
    int done;                  /* fits */
    bool whole, cancelled;     /* whole: columns have effects in both halves */
} halves;

/* ---- a half ---- */

static int tell(void *context, const dlp_progress *inner)
{
    halves *h = context;
    const dlp_progress outer = {.phase = "fitting again",
                                .unit = "fits",
                                .done = h->done,
                                .total = (dlp_index)2 * h->settings.splits,
                                .polled = inner->polled};
    if (h->settings.progress && h->settings.progress(h->settings.context, &outer))
        h->cancelled = true;
    return h->cancelled;
}

/* The topics of a half, starting from the model's. */
static dlp_status fit_again(halves *h, const dlp_corpus *some,
                            const dlp_covariates *prior, dlp_topics *topics,
                            dlp_error *error)
{
    dlp_ctm *ctm = NULL;
    dlp_status status = dlp_ctm_alloc(some, prior, &h->fit, &ctm, error);
    if (status == DLP_OK) status = dlp_ctm_start(ctm, error);
    if (status == DLP_OK) {
        dlp_ctm_run(ctm);
        status = dlp_ctm_topics(ctm, topics, error);
    }
    h->done++;
    dlp_ctm_free(ctm);
    return status;
}

/* Finds the effects with the given topics. If columns depend on each other in a half,
   that is not a failure: it has no effects then. */
static dlp_status find_by(halves *h, const dlp_topics *topics, const dlp_corpus *some,
                          const dlp_covariates *prior, const dlp_covariates *X,
                          double *mean, dlp_error *error)
{
    dlp_effects effects;
    dlp_effects_settings settings = h->settings;
    settings.progress = tell;
    settings.context = h;
    const dlp_status status =
        dlp_topics_effects(topics, some, prior, X, &settings, &effects, error);
    h->cancelled |= status == DLP_OK && effects.outcome == DLP_CANCELLED;
    h->whole &= status == DLP_OK;
    if (h->whole && !h->cancelled)
        memcpy(mean, effects.mean, (size_t)(effects.K * effects.p) * sizeof *mean);
    if (status == DLP_OK) dlp_effects_free(&effects);
    return status == DLP_EINPUT ? DLP_OK : status;
}

static dlp_status find_in(halves *h, int half, const dlp_corpus *some,
                          const dlp_covariates *prior, const dlp_covariates *X,
                          dlp_error *error)
{
    dlp_topics topics;
    DLP_TRY(find_by(h, h->fit.start, some, prior, X, h->known[half], error));
    if (!h->whole || h->cancelled) return DLP_OK;
    DLP_TRY(fit_again(h, some, prior, &topics, error));
    dlp_status status = DLP_OK;
    if (!h->cancelled)
        status = find_by(h, &topics, some, prior, X, h->found[half], error);
    dlp_topics_free(&topics);
    return status;
}

static dlp_status find_in_half(halves *h, int half, dlp_error *error)
{
    dlp_covariates prior, X;
    dlp_corpus *some = NULL;
    h->whole = dlpi_keep_rows(h->X, h->keep, h->rows, &X) &&
               (!h->prior || dlpi_keep_rows(h->prior, h->keep, h->rows_prior, &prior));
    if (!h->whole) return DLP_OK;
    DLP_TRY(dlp_corpus_select(h->corpus, h->keep, &some, error));
    const dlp_status status = find_in(h, half, some, h->prior ? &prior : NULL, &X, error);
    dlp_corpus_free(some);
    return status;
}

/* ---- a split ---- */

static void add_excess(const halves *h, const dlp_effects *all, double *excess)
{
    double *const *b = h->found, *const *a = h->known;
    for (dlp_index i = 0; i < all->K * all->p; i++) {
        const int kind = i % all->p ? OTHERS : INTERCEPTS;
        const double off = (b[0][i] - b[1][i]) / 2, known = (a[0][i] - a[1][i]) / 2,
                     bias = (b[0][i] + b[1][i] - a[0][i] - a[1][i]) / 2,
                     variance = all->sd[i] * all->sd[i];
        if (!(variance > 0)) continue;
        excess[kind] += (off * off - known * known) / variance;
        if (kind == INTERCEPTS) excess[kind] += bias * bias / variance;
    }
}

static dlp_status add_split(halves *h, int split, const dlp_effects *all, double *excess,
                            dlp_error *error)
{
    const dlp_index D = h->corpus->D;
    dlpi_draw_half(D, h->settings.seed, split, h->keep);
    for (int half = 0; half < HALVES; half++) {
        DLP_TRY(find_in_half(h, half, error));
        if (!h->whole || h->cancelled) return DLP_OK;
        for (dlp_index d = 0; d < D; d++) h->keep[d] = !h->keep[d];
    }
    add_excess(h, all, excess);
    return DLP_OK;
}

/* ---- wider intervals ---- */

static void widen(dlp_effects *e)
{
    const dlp_index p = e->p;
    const double z = dlp_normal_quantile(0.975);
    for (dlp_index at = 0; at < e->K * p; at++) {
        const double by = e->widened[at % p ? OTHERS : INTERCEPTS];
        e->sd[at] *= by;
        e->lower[at] = e->mean[at] - z * e->sd[at];
        e->upper[at] = e->mean[at] + z * e->sd[at];
        for (dlp_index j = 0; j < p; j++) { /* row at % p and column j of topic at / p */
            e->covariance[at * p + j] *= by * e->widened[j ? OTHERS : INTERCEPTS];
        }
    }
}

static dlp_status find_factors(halves *h, dlp_effects *effects, dlp_error *error)
{
    double excess[KINDS] = {0};
    const double n = (double)effects->K * h->settings.splits,
                 others = n * (double)(effects->p - 1);
    for (int i = 0; i < h->settings.splits; i++) {
        DLP_TRY(add_split(h, i, effects, excess, error));
        if (h->cancelled) effects->outcome = DLP_CANCELLED;
        if (h->cancelled || !h->whole) return DLP_OK;
    }
    effects->widened[INTERCEPTS] = sqrt(1 + fmax(0, excess[INTERCEPTS] / n));
    effects->widened[OTHERS] = others > 0 ? sqrt(1 + fmax(0, excess[OTHERS] / others))
                                          : effects->widened[INTERCEPTS];
    widen(effects);
    return DLP_OK;
}

/* ---- the call ---- */

/* Topics that were kept as they were given, from 0. */
static dlp_index take_fixed(const dlp_topic_model *model, dlp_index K, dlp_index *fixed)
{
    const json_t *list = json_object_get(model->json, "fixed");
    dlp_index n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < K; i++) {
        const json_int_t k = json_integer_value(json_array_get(list, i));
        if (k >= 1 && k <= K) fixed[n++] = (dlp_index)k - 1;
    }
    return n;
}

static dlp_status allocate(halves *h, const dlp_effects *effects, dlp_error *error)
{
    const dlp_index D = h->corpus->D, K = dlp_topic_model_fitted(h->model)->K;
    const dlp_index of_prior = h->prior ? dlpi_size(D, h->prior->p, 0) : 0;
    h->keep = dlpi_calloc(D, 1);
    h->fixed = dlpi_calloc(K, sizeof *h->fixed);
    h->rows_prior = dlpi_calloc(of_prior, sizeof *h->rows_prior);
    h->rows = dlpi_calloc(dlpi_size(D, h->X->p, 0), sizeof *h->rows);
    const dlp_index n = dlpi_size(effects->K, effects->p, 0);
    double *means = dlpi_calloc(dlpi_size(2 * (dlp_index)HALVES, n, 0), sizeof *means);
    for (int half = 0; means && half < HALVES; half++) {
        h->found[half] = means + half * n;
        h->known[half] = means + (HALVES + half) * n;
    }
    if (h->keep && h->fixed && h->rows_prior && h->rows && means) return DLP_OK;
    return dlpi_no_memory(error, "halves of the documents");
}

static dlp_status compare_halves(halves *h, dlp_effects *effects, dlp_error *error)
{
    const dlp_topics *fitted = dlp_topic_model_fitted(h->model);
    h->fit = dlpi_model_settings(h->model);
    h->fit.start = fitted;
    h->fit.threads = h->settings.threads;
    h->fit.progress = tell;
    h->fit.context = h;
    dlp_status status = allocate(h, effects, error);
    if (status == DLP_OK) {
        h->fit.fixed = h->fixed;
        h->fit.n_fixed = take_fixed(h->model, fitted->K, h->fixed);
        if (h->fit.n_fixed == fitted->K)
            effects->widened[INTERCEPTS] = effects->widened[OTHERS] = 1;
        else
            status = find_factors(h, effects, error);
    }
    free(h->keep);
    free(h->fixed);
    free(h->rows_prior);
    free(h->rows);
    free(h->found[0]);
    return status;
}

/* Not if topics drift or differ by group; nor if they come from far more words than
   these: then they are as good as known. */
static bool can_be_halved(const dlp_topic_model *model, const dlp_corpus *corpus)
{
    return !dlp_topic_model_content(model) && model->slices.T == 0 &&
           corpus->V == dlp_topic_model_fitted(model)->V && corpus->D >= 4 &&
           corpus->words >= model->info.words / 2;
}

static dlp_status check(const dlp_topic_model *model,
                        const dlp_effects_settings *settings, dlp_error *error)
{
    if (settings->splits < 0 || settings->splits > 1000)
        return dlp_fail(error, DLP_EINVAL, "splits must be 0 to 1000");
    if (model->method == &dlpi_ctm_dirichlet)
        return dlp_fail(
            error, DLP_EINVAL,
            "effects are found under the logistic normal; the coefficients of "
            "a Dirichlet prior are in gamma.npy, or fit without it");
    return DLP_OK;
}

dlp_status dlp_topic_model_effects(const dlp_topic_model *model, const dlp_corpus *corpus,
                                   const dlp_document_covariates *prior,
                                   const dlp_document_covariates *X,
                                   const dlp_effects_settings *given,
                                   dlp_effects *effects, dlp_error *error)
{
    dlp_covariates of_prior, of_X = dlp_covariates_of(X);
    halves h = {.model = model, .corpus = corpus, .X = &of_X};
    h.settings = dlp_effects_settings_default();
    DLP_TRY(dlpi_settings_take(&h.settings, sizeof h.settings, given, error));
    DLP_TRY(check(model, &h.settings, error));
    DLP_TRY(dlpi_topic_model_check_terms(model, corpus, error));
    if (!h.settings.document) h.settings.document = &model->document;
    h.settings.group = dlp_topic_model_group(model);
    h.settings.groups = model->topics.K;
    if (prior) {
        of_prior = dlp_covariates_of(prior);
        h.prior = &of_prior;
    }
    DLP_TRY(dlp_topics_effects(dlp_topic_model_inference_topics(model), corpus, h.prior,
                               &of_X, &h.settings, effects, error));
    if (effects->outcome != DLP_CONVERGED || h.settings.splits == 0 ||
        !can_be_halved(model, corpus))
        return DLP_OK;
    const dlp_status status = compare_halves(&h, effects, error);
    if (status != DLP_OK) dlp_effects_free(effects);
    return status;
}

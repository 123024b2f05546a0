/* SPDX-License-Identifier: BSD-3-Clause */
/* Where EM begins: topics by anchor words, by chance, or from another model. */
#include <delaplace/random.h>

#include "core/core.h"
#include "corpus/corpus.h"
#include "corpus/formats/mapped.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"
#include "topics/spectral/spectral.h"

#include <math.h>
#include <string.h>

/* The prior variance of theta in the first E step. A wide prior lets documents differ
   from the first iteration on; it needs fewer iterations and ends at a better objective
   than 1 does. */
static const double FIRST_VARIANCE = 20;

/* Sigma_0 = FIRST_VARIANCE (I - 11'/K) + 11'/K: a shift of all of theta changes nothing
   in the words (erratum E7), so its variance stays as it begins and is kept small. */
static void first_sigma0(dlp_index K, double *Sigma0)
{
    for (dlp_index i = 0; i < K * K; i++) Sigma0[i] = (1 - FIRST_VARIANCE) / (double)K;
    for (dlp_index k = 0; k < K; k++) Sigma0[k * (K + 1)] += FIRST_VARIANCE;
}

/* The part of all words that are term v */
static double share_of(const dlp_ctm *ctm, dlp_index v)
{
    return (double)ctm->occurs[v] / (double)ctm->corpus->words;
}

/* Each column of beta, over the terms seen, becomes a distribution; one of another model
   that has none of these terms begins as all words do. */
static void normalise(dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K, V = ctm->shared.V, stride = ctm->shared.stride;
    double *sum = ctm->doc[0].spare;
    memset(sum, 0, (size_t)K * sizeof *sum);
    for (dlp_index v = 0; v < V; v++) {
        double *beta = ctm->shared.beta + v * stride;
        for (dlp_index k = 0; k < K; k++) {
            if (!dlpi_ctm_is_seen(ctm, v)) beta[k] = 0;
            sum[k] += beta[k];
        }
    }
    for (dlp_index v = 0; v < V; v++)
        for (dlp_index k = 0; k < K; k++)
            ctm->shared.beta[v * stride + k] =
                sum[k] > 0 ? ctm->shared.beta[v * stride + k] / sum[k] : share_of(ctm, v);
}

/* Uniform draws from the simplex, one stream per topic, as in the paper */
static dlp_status random_topics(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    const dlp_index V =
        ctm->slices ? ctm->shared.V / ctm->settings.slices : ctm->shared.V;
    double *ones = dlpi_calloc(dlpi_size(2, V, 0), sizeof *ones), *all = ctm->counts;
    if (!ones) return dlpi_no_memory(error, "random topics");
    double *draw = ones + V;
    for (dlp_index v = 0; v < V; v++) ones[v] = 1;
    for (dlp_index k = 0; k < K; k++) {
        dlp_rng rng = dlp_rng_at(ctm->settings.seed, (uint64_t)k);
        dlp_draw_dirichlet(&rng, V, ones, draw);
        for (dlp_index v = 0; v < V; v++)
            *(ctm->slices ? &all[v * K + k] : &ctm->shared.beta[v * stride + k]) =
                draw[v];
    }
    if (ctm->slices) dlpi_slices_repeat(ctm, all);
    free(ones);
    return DLP_OK;
}

/* The minibatches that follow soon know more than anchor words do, so part of a large
   corpus is enough to find those. */
enum { ENOUGH = 1 << 17 };

/* Every `apart`-th document. */
static dlp_status take_sample(const dlp_corpus *c, dlp_index apart, dlp_corpus **sample,
                              dlp_error *error)
{
    dlp_index D = 0, nnz = 0;
    for (dlp_index d = 0; d < c->D; d += apart, D++) nnz += c->row[d + 1] - c->row[d];
    dlp_corpus *s = *sample = dlpi_corpus_alloc(D, nnz, error);
    if (!s) return DLP_ENOMEM;
    s->D = D;
    s->V = c->V;
    s->nnz = nnz;
    for (dlp_index i = 0; i < D; i++) {
        const dlp_index first = c->row[i * apart], n = c->row[i * apart + 1] - first;
        s->row[i + 1] = s->row[i] + n;
        memcpy(s->term + s->row[i], c->term + first, (size_t)n * sizeof *s->term);
        memcpy(s->count + s->row[i], c->count + first, (size_t)n * sizeof *s->count);
        for (dlp_index j = 0; j < n; j++) s->words += c->count[first + j];
    }
    dlpi_corpus_leave(c, 0, c->D);
    return DLP_OK;
}

/* A term that no document of the sample has begins with a millionth of its share of the
   words. */
static void fill_in(dlp_ctm *ctm, double *beta)
{
    const dlp_index K = ctm->shared.K;
    for (dlp_index v = 0; v < ctm->shared.V; v++) {
        double largest = 0;
        for (dlp_index k = 0; k < K; k++) largest = fmax(largest, beta[v * K + k]);
        for (dlp_index k = 0; largest == 0 && k < K; k++)
            beta[v * K + k] = 1e-6 * share_of(ctm, v);
    }
}

static dlp_status spectral_by_sample(dlp_ctm *ctm,
                                     const struct dlpi_spectral_settings *settings,
                                     double *beta, dlp_error *error)
{
    dlp_corpus *sample = NULL;
    dlp_status status = take_sample(ctm->corpus, ctm->corpus->D / ENOUGH, &sample, error);
    if (status == DLP_OK)
        status = dlpi_spectral_topics(sample, ctm->shared.K, settings, beta, NULL, NULL,
                                      error);
    dlp_corpus_free(sample);
    if (status == DLP_OK) fill_in(ctm, beta);
    return status;
}

static dlp_status spectral_topics(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_index K = ctm->shared.K, V = ctm->shared.V;
    if (ctm->slices) return dlpi_slices_spectral(ctm, error);
    struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    settings.threads = ctm->settings.threads;
    settings.listener = &ctm->listener;
    double *beta = ctm->counts; /* (V, stride) is room for (V, K) */
    settings.memory = ctm->spectral_memory;
    if (ctm->settings.online > 0 && ctm->corpus->D >= 2 * (dlp_index)ENOUGH)
        DLP_TRY(spectral_by_sample(ctm, &settings, beta, error));
    else
        DLP_TRY(dlpi_spectral_topics(ctm->corpus, K, &settings, beta, NULL, NULL, error));
    for (dlp_index v = 0; v < V; v++)
        memcpy(ctm->shared.beta + v * ctm->shared.stride, beta + v * K,
               (size_t)K * sizeof *beta);
    return DLP_OK;
}

dlp_status dlpi_ctm_check_start(const dlp_ctm *ctm, const dlp_topics *start,
                                dlp_error *error)
{
    if (start->K > ctm->shared.K || start->V != ctm->shared.V)
        return dlp_fail(error, DLP_EINPUT,
                        "the model to start from has %td topics and %td terms, and this "
                        "fit %td and %td; it must have at least as many topics, and the "
                        "same terms",
                        start->K, start->V, ctm->shared.K, ctm->shared.V);
    if (start->p != ctm->p && start->p != 1)
        return dlp_fail(error, DLP_EINPUT,
                        "the model to start from has %td covariates; this fit has %td",
                        start->p, ctm->p);
    return dlp_topics_check(start, error);
}

/* The first topics become those of another model. A term that it never saw, but this
   corpus has, begins with a millionth of its share of the words. */
static void put_topics(dlp_ctm *ctm, const dlp_topics *start)
{
    const dlp_index K = start->K, V = ctm->shared.V, stride = ctm->shared.stride;
    for (dlp_index v = 0; v < V; v++) {
        double *beta = ctm->shared.beta + v * stride, largest = 0;
        for (dlp_index k = 0; k < K; k++) {
            beta[k] = start->beta[k * V + v];
            largest = beta[k] > largest ? beta[k] : largest;
        }
        for (dlp_index k = 0; largest == 0 && k < K; k++)
            beta[k] = 1e-6 * share_of(ctm, v);
    }
}

/* The one of our topics from `from` on that has most in common with topic k of the other
   model: sum_v min(beta_v, its beta_v). */
static dlp_index nearest_to(const dlp_ctm *ctm, const dlp_topics *start, dlp_index k,
                            dlp_index from)
{
    const dlp_index V = ctm->shared.V, stride = ctm->shared.stride;
    double most = -1;
    dlp_index best = from;
    for (dlp_index j = from; j < ctm->shared.K; j++) {
        double common = 0;
        for (dlp_index v = 0; v < V; v++)
            common += fmin(start->beta[k * V + v], ctm->shared.beta[v * stride + j]);
        if (common <= most) continue;
        most = common;
        best = j;
    }
    return best;
}

/* Starts with more topics than the other model has. Its topics replace the spectral ones
   that are nearest to them; the remaining spectral ones are for what it does not have. */
static dlp_status more_topics(dlp_ctm *ctm, const dlp_topics *start, dlp_error *error)
{
    const dlp_index V = ctm->shared.V, stride = ctm->shared.stride;
    DLP_TRY(spectral_topics(ctm, error));
    for (dlp_index k = 0; k < start->K; k++) {
        const dlp_index taken = nearest_to(ctm, start, k, k);
        for (dlp_index v = 0; v < V; v++) /* ours at k moves there */
            ctm->shared.beta[v * stride + taken] = ctm->shared.beta[v * stride + k];
    }
    put_topics(ctm, start);
    return DLP_OK;
}

/* beta, Gamma and Sigma_0 of another model with as many topics */
static void other_model(dlp_ctm *ctm, const dlp_topics *start)
{
    const dlp_index K = ctm->shared.K;
    put_topics(ctm, start);
    memcpy(ctm->shared.Sigma0, start->Sigma0, (size_t)(K * K) * sizeof *start->Sigma0);
    if (start->p == ctm->p) {
        dlpi_ctm_gamma_in(ctm, start->Gamma);
    } else {
        memcpy(ctm->Gamma, start->Gamma, (size_t)K * sizeof *start->Gamma);
    }
}

const char *dlp_topics_init(int i)
{
    static const char *const names[] = {"spectral", "random"};
    return i >= 0 && i <= DLPI_CTM_RANDOM ? names[i] : NULL;
}

bool dlpi_ctm_init_find(const char *name, dlpi_ctm_init *init)
{
    for (int i = 0; name && dlp_topics_init(i); i++)
        if (!strcmp(dlp_topics_init(i), name)) {
            *init = (dlpi_ctm_init)i;
            return true;
        }
    return false;
}

static dlp_status start(dlp_ctm *ctm, dlp_error *error)
{
    first_sigma0(ctm->shared.K, ctm->shared.Sigma0);
    const dlp_topics *from = ctm->settings.start;
    if (from && from->K < ctm->shared.K) {
        DLP_TRY(more_topics(ctm, from, error));
    } else if (from) {
        other_model(ctm, from);
    } else if (ctm->init == DLPI_CTM_RANDOM) {
        DLP_TRY(random_topics(ctm, error));
    } else {
        DLP_TRY(spectral_topics(ctm, error));
    }
    if (ctm->slices)
        dlpi_slices_normalise(ctm);
    else
        normalise(ctm);
    if (!ctm->settings.start) DLP_TRY(dlpi_ctm_seed_topics(ctm, error));
    ctm->started =
        ctm->dirichlet ? dlpi_dirichlet_start(ctm) : dlpi_ctm_factor_sigma0(&ctm->shared);
    if (ctm->started) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the covariance to start from is not positive definite");
}

/* Topics that are divided begin as a whole, on disk. */
static dlp_status start_divided(dlp_ctm *ctm, dlp_error *error)
{
    double *const beta = ctm->shared.beta, *const counts = ctm->counts;
    dlpi_scratch room;
    DLP_TRY(dlpi_scratch_alloc(dlpi_size(ctm->shared.V, ctm->shared.stride, 0),
                               dlpi_scratch_folder(ctm->settings.scratch), &room, error));
    ctm->shared.beta = dlpi_ctm_whole_beta(ctm);
    ctm->counts = room.x;
    const dlp_status status = start(ctm, error);
    ctm->shared.beta = beta;
    ctm->counts = counts;
    dlpi_scratch_free(&room);
    return status;
}

/* By process 0, for all. */
dlp_status dlp_ctm_start(dlp_ctm *ctm, dlp_error *error)
{
    atomic_store(&ctm->listener.stopped, false);
    dlp_status status = DLP_OK;
    if (dlpi_ctm_leads(ctm))
        status = ctm->divided ? start_divided(ctm, error) : start(ctm, error);
    DLP_TRY(dlpi_ctm_agree(ctm, status, error));
    if (ctm->settings.online > 0) status = dlpi_ctm_online(ctm, error);
    DLP_TRY(dlpi_ctm_agree(ctm, status, error));
    ctm->started = dlpi_ctm_share_topics(ctm, true);
    if (ctm->settings.online > 0) dlpi_ctm_spread_means(ctm);
    dlpi_divided_spread(ctm);
    return dlpi_ctm_failure(ctm, error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The method of composition. Passes over the documents fit the prior that the covariates
 * ask for (effects_prior.h); in the last each document is inferred once, and all of its
 * draws are added to the sums of all regressions. Documents are taken in chunks of a fixed
 * size, a thread a chunk, and the sums of chunks are added up in their order: so the numbers
 * do not depend on the threads.
 */
#include <delaplace/effects.h>
#include <delaplace/random.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "infer/listener.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"
#include "topics/effects/effects_prior.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <string.h>

enum { CHUNK = 64 };

/* The prior is fitted once an iteration moves it by no more than this part of its sd, or
   after this many iterations. */
static const double PRIOR_TOL = 0.02;
enum { PRIOR_ITERATIONS = 50 };

/* Over documents. While the prior is fitted: those of dlpi_effects_add. With draws: for
   draw s, sums + s (p+1) M holds sum_d z_d pi_d' (p, M), and below it sum_d pi_dk^2 (M), of M
   topics or groups of them. */
typedef struct totals {
    double *sums;
    dlp_index unsettled, uncorrected;
} totals;

/* What a thread needs for its documents. */
typedef struct worker {
    dlp_document_posterior *posterior;
    double *Sigma;      /* (K, K) */
    double *noise, *pi; /* (K) */
    double *shares;     /* (M) pi, or the sums of its groups */
    double *mean;       /* (K) of theta */
    double *row, *z;    /* (p of the model and of z) all covariates; z its last p */
    totals own;
    dlp_error error;
} worker;

typedef struct job {
    const dlp_topics *topics;
    const dlp_corpus *corpus;
    const dlp_covariates *prior;
    dlp_effects_settings settings;
    dlpi_regression regression;
    dlp_index K, p, M; /* M: topics, or groups of them */
    dlpi_effects_prior fitted;
    double *G;      /* (draws, p, K) draws of the prior's mean */
    bool drawing;   /* the prior is fitted */
    worker *worker; /* (threads) */
    totals all;
    dlpi_listener listener;
    atomic_bool ended; /* a call failed, or somebody cancelled */
} job;

void dlp_effects_settings_init(dlp_effects_settings *settings, size_t size)
{
    const dlp_effects_settings defaults = {.draws = 50, .seed = 1, .splits = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

static dlp_index draws_size(const job *j)
{
    return dlpi_size(dlpi_size(j->settings.draws, j->p + 1, 0), j->M, 0);
}

/* How many numbers totals.sums has in this pass; -1 when too many. */
static dlp_index sums_size(const job *j)
{
    return j->drawing ? draws_size(j) : dlpi_effects_sums_size(j->K, j->p);
}

/* The same in any pass. */
static dlp_index most_sums(const job *j)
{
    const dlp_index draws = draws_size(j), prior = dlpi_effects_sums_size(j->K, j->p);
    return draws < 0 || prior < 0 ? -1 : draws > prior ? draws : prior;
}

static void clear(const job *j, totals *t)
{
    memset(t->sums, 0, (size_t)sums_size(j) * sizeof *t->sums);
    t->unsettled = t->uncorrected = 0;
}

static void add(const job *j, const totals *from, totals *to)
{
    const dlp_index n = sums_size(j);
    for (dlp_index i = 0; i < n; i++) to->sums[i] += from->sums[i];
    to->unsettled += from->unsettled;
    to->uncorrected += from->uncorrected;
}

/* ---- draws of a document ---- */

/* noise += U G' z, where U'U = Sigma: the mean moves by Sigma G' z. `move` (K). */
static void add_move(const job *j, const worker *w, const double *G, double *move)
{
    const dlp_index K = j->K;
    memset(move, 0, (size_t)K * sizeof *move);
    for (dlp_index i = 0; i < j->p; i++)
        for (dlp_index k = 0; k < K; k++) move[k] += w->z[i] * G[i * K + k];
    for (dlp_index i = 0; i < K; i++)
        w->noise[i] += dlpi_dot(K - i, w->Sigma + i * (K + 1), move + i);
}

/* pi = softmax(mean + Sigma G' z + U'noise), where U'U = Sigma */
static void draw_proportions(const job *j, worker *w, const double *G, dlp_rng *rng)
{
    const dlp_index K = j->K;
    double *restrict pi = w->pi;
    for (dlp_index k = 0; k < K; k++) w->noise[k] = dlp_draw_normal(rng);
    add_move(j, w, G, pi);
    memcpy(pi, w->mean, (size_t)K * sizeof *pi);
    for (dlp_index i = 0; i < K; i++) {
        const double *restrict U = w->Sigma + i * K, noise = w->noise[i];
        for (dlp_index k = i; k < K; k++) pi[k] += U[k] * noise;
    }
    double most = pi[0], sum = 0;
    for (dlp_index k = 1; k < K; k++) most = fmax(most, pi[k]);
    for (dlp_index k = 0; k < K; k++) pi[k] -= most;
    dlp_exp_array(K, pi, pi);
    for (dlp_index k = 0; k < K; k++) sum += pi[k];
    for (dlp_index k = 0; k < K; k++) pi[k] /= sum;
}

static void add_groups(const job *j, const worker *w)
{
    memset(w->shares, 0, (size_t)j->M * sizeof *w->shares);
    for (dlp_index k = 0; k < j->K; k++) w->shares[j->settings.group[k]] += w->pi[k];
}

static void add_draw(const job *j, const worker *w, double *sums)
{
    const double *restrict pi = w->shares;
    if (j->settings.group) add_groups(j, w);
    for (dlp_index i = 0; i < j->p; i++) {
        double *restrict row = sums + i * j->M;
        for (dlp_index k = 0; k < j->M; k++) row[k] += w->z[i] * pi[k];
    }
    double *restrict squares = sums + j->p * j->M;
    for (dlp_index k = 0; k < j->M; k++) squares[k] += pi[k] * pi[k];
}

/* (x_d, z_d) of the document, into w->row */
static void set_row(const job *j, worker *w, dlp_index d)
{
    w->row[0] = 1;
    for (dlp_index i = 1; j->prior && i < j->prior->p; i++)
        w->row[i] = j->prior->X[d * j->prior->p + i];
    dlpi_regression_row(&j->regression, d, w->z);
}

static dlp_status draw_document(const job *j, worker *w, dlp_index d)
{
    if (dlpi_cholesky(j->K, w->Sigma) >= 0)
        return dlp_fail(&w->error, DLP_EINPUT,
                        "the covariance of document %td is not positive definite", d + 1);
    dlp_rng rng = dlp_rng_at(j->settings.seed, (uint64_t)d);
    for (int s = 0; s < j->settings.draws; s++) {
        draw_proportions(j, w, j->G + s * j->p * j->K, &rng);
        add_draw(j, w, w->own.sums + s * (j->p + 1) * j->M);
    }
    return DLP_OK;
}

static dlp_status add_document(const job *j, worker *w, dlp_index d)
{
    dlp_document document = dlp_corpus_document(j->corpus, d);
    dlp_document_result result;
    set_row(j, w, d);
    document.x = w->row;
    DLP_TRY(dlp_document_infer(w->posterior, &document, &result, &w->error));
    w->own.unsettled += result.outcome != DLP_CONVERGED;
    w->own.uncorrected += !dlp_document_covariance(w->posterior, 1, w->Sigma);
    dlpi_document_posterior_shift(w->posterior, w->Sigma, w->mean);
    for (dlp_index k = 0; k < j->K; k++) w->mean[k] += result.mu[k];
    if (j->drawing) return draw_document(j, w, d);
    double *r = w->noise;
    dlpi_effects_prior_mean(&j->fitted, w->row, r);
    for (dlp_index k = 0; k < j->K; k++) r[k] = w->mean[k] - r[k];
    dlpi_effects_add(j->K, j->p, w->Sigma, r, w->z, w->own.sums);
    return DLP_OK;
}

/* ---- all documents ---- */

static dlp_status add_chunk(const job *j, worker *w, dlp_index first)
{
    const dlp_index rest = j->corpus->D - first, n = rest < CHUNK ? rest : CHUNK;
    clear(j, &w->own);
    for (dlp_index d = first; d < first + n; d++) DLP_TRY(add_document(j, w, d));
    return DLP_OK;
}

/* In the order of chunks, one thread at a time; the first failure counts. */
static void take_chunk(job *j, const worker *w, dlp_index first, dlp_status found,
                       dlp_status *status, dlp_outcome *outcome, dlp_error *error)
{
    const dlp_index rest = j->corpus->D - first,
                    done = first + (rest < CHUNK ? rest : CHUNK);
    if (atomic_load(&j->ended)) return;
    *status = found;
    if (found != DLP_OK) {
        if (error) *error = w->error;
        atomic_store(&j->ended, true);
        return;
    }
    add(j, &w->own, &j->all);
    const dlp_progress progress = dlpi_progress_count(
        j->drawing ? "inferring" : "fitting", "documents", done, j->corpus->D);
    if (!dlpi_listener_report_inside(&j->listener, progress)) return;
    *outcome = DLP_CANCELLED;
    atomic_store(&j->ended, true);
}

static dlp_status infer_documents(job *j, dlp_outcome *outcome, dlp_error *error)
{
    const dlp_index D = j->corpus->D;
    dlp_status status = DLP_OK;
    clear(j, &j->all);
#pragma omp parallel for ordered schedule(dynamic) num_threads(j->settings.threads)
    for (dlp_index first = 0; first < D; first += CHUNK) {
        worker *w = &j->worker[omp_get_thread_num()];
        const dlp_status found = atomic_load(&j->ended) ? DLP_OK : add_chunk(j, w, first);
#pragma omp ordered
        take_chunk(j, w, first, found, &status, outcome, error);
    }
    return status;
}

/* ---- the prior ---- */

/* The last pass uses the final values of the prior, and draws around them. */
static void begin_drawing(job *j)
{
    const uint64_t first = (uint64_t)j->corpus->D; /* streams after the documents' */
    dlpi_effects_factor(&j->fitted);
    for (int s = 0; s < j->settings.draws; s++) {
        dlp_rng rng = dlp_rng_at(j->settings.seed, first + (uint64_t)s);
        dlpi_effects_draw(&j->fitted, &j->regression, &rng, j->G + s * j->p * j->K);
    }
    j->drawing = true;
}

static dlp_status fit_prior(job *j, dlp_effects *effects, dlp_error *error)
{
    dlp_outcome *outcome = &effects->outcome;
    double moved = INFINITY;
    for (int i = 0; i < PRIOR_ITERATIONS && moved > PRIOR_TOL; i++) {
        DLP_TRY(infer_documents(j, outcome, error));
        if (*outcome != DLP_CONVERGED) return DLP_OK;
        moved = dlpi_effects_update(&j->fitted, &j->regression, j->all.sums);
        for (int t = 0; t < j->settings.threads; t++)
            if (!dlpi_document_posterior_set_prior(j->worker[t].posterior,
                                                   j->fitted.topics.Gamma,
                                                   j->fitted.topics.Sigma0))
                return dlp_fail(
                    error, DLP_EINPUT,
                    "the covariance of topics became singular; are there documents "
                    "without words?");
    }
    effects->moved = moved > PRIOR_TOL ? moved : 0;
    begin_drawing(j);
    return DLP_OK;
}

/* ---- pooling ---- */

/* The regression of draw s on topic k, into b (p). Returns its residual variance. */
static double regress(const job *j, dlp_index k, int s, double *b)
{
    const dlp_index p = j->p, M = j->M;
    const double *sums = j->all.sums + s * (p + 1) * M + k;
    for (dlp_index i = 0; i < p; i++) b[i] = sums[i * M];
    const double left = sums[p * M] - dlpi_regression_solve(&j->regression, b);
    return fmax(left, 0) / (double)(j->corpus->D - p);
}

/* Mean (p) and covariance (p, p) of topic k, over the regressions of all draws; b is room for
   2 p. */
static void pool(const job *j, dlp_index k, double *b, double *mean, double *covariance)
{
    const dlp_index p = j->p;
    const double S = j->settings.draws;
    double noise = 0, *off = b + p; /* noise: the mean of the residual variances */
    memset(mean, 0, (size_t)p * sizeof *mean);
    memset(covariance, 0, (size_t)(p * p) * sizeof *covariance);
    for (int s = 0; s < j->settings.draws; s++) { /* by Welford's recurrence */
        noise += regress(j, k, s, b) / S;
        for (dlp_index i = 0; i < p; i++) {
            off[i] = b[i] - mean[i];
            mean[i] += off[i] / (s + 1);
        }
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index l = 0; l <= i; l++)
                covariance[i * p + l] += off[i] * (b[l] - mean[l]);
    }
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index l = 0; l <= i; l++)
            covariance[i * p + l] = covariance[l * p + i] =
                noise * j->regression.spread[i * p + l] +
                (1 + 1 / S) * covariance[i * p + l] / (S - 1);
}

/* Means, covariances, sds and intervals of all topics. */
static void pool_all(const job *j, double *room, dlp_effects *effects)
{
    const dlp_index p = j->p;
    const double z = dlp_normal_quantile(0.975);
    for (dlp_index k = 0; k < j->M; k++) {
        double *covariance = effects->covariance + k * p * p;
        pool(j, k, room, effects->mean + k * p, covariance);
        for (dlp_index i = 0; i < p; i++) {
            const dlp_index at = k * p + i;
            effects->sd[at] = sqrt(covariance[i * (p + 1)]);
            effects->lower[at] = effects->mean[at] - z * effects->sd[at];
            effects->upper[at] = effects->mean[at] + z * effects->sd[at];
        }
    }
}

/* ---- the call ---- */

static dlp_status allocate_worker(const job *j, worker *w, dlp_error *error)
{
    const dlp_index K = j->K;
    DLP_TRY(dlp_document_posterior_alloc(&j->fitted.topics, j->settings.document,
                                         &w->posterior, error));
    w->Sigma = dlpi_calloc(dlpi_size(K, K, 0), sizeof *w->Sigma);
    w->noise = dlpi_calloc(dlpi_size(4, K, 0), sizeof *w->noise);
    w->row = dlpi_calloc(j->fitted.topics.p, sizeof *w->row);
    w->own.sums = dlpi_calloc(most_sums(j), sizeof *w->own.sums);
    if (!w->Sigma || !w->noise || !w->row || !w->own.sums)
        return dlpi_no_memory(error, "the draws");
    w->pi = w->noise + K;
    w->mean = w->pi + K;
    w->shares = j->settings.group ? w->mean + K : w->pi;
    w->z = w->row + j->topics->p;
    return DLP_OK;
}

static dlp_status allocate(job *j, dlp_effects *effects, dlp_error *error)
{
    const dlp_index n = dlpi_size(j->M, j->p, 0);
    const dlp_index moves = dlpi_size(j->settings.draws, dlpi_size(j->K, j->p, 0), 0);
    j->worker = dlpi_calloc(j->settings.threads, sizeof *j->worker);
    j->all.sums = dlpi_calloc(most_sums(j), sizeof *j->all.sums);
    j->G = dlpi_calloc(moves, sizeof *j->G);
    effects->mean = dlpi_calloc(dlpi_size(4, n, 0), sizeof *effects->mean);
    effects->covariance = dlpi_calloc(dlpi_size(n, j->p, 0), sizeof *effects->covariance);
    if (!j->worker || !j->all.sums || !j->G || !effects->mean || !effects->covariance)
        return dlpi_no_memory(error, "the effects");
    DLP_TRY(dlpi_effects_prior_alloc(j->topics, j->p, &j->fitted, error));
    effects->sd = effects->mean + n;
    effects->lower = effects->sd + n;
    effects->upper = effects->lower + n;
    for (int t = 0; t < j->settings.threads; t++)
        DLP_TRY(allocate_worker(j, &j->worker[t], error));
    return DLP_OK;
}

static void release(job *j)
{
    for (int t = 0; j->worker && t < j->settings.threads; t++) {
        worker *w = &j->worker[t];
        dlp_document_posterior_free(w->posterior);
        free(w->Sigma);
        free(w->noise);
        free(w->row);
        free(w->own.sums);
    }
    free(j->worker);
    free(j->all.sums);
    free(j->G);
    dlpi_effects_prior_free(&j->fitted);
    dlpi_regression_free(&j->regression);
}

static dlp_status check(const job *j, const dlp_covariates *X, dlp_error *error)
{
    const dlp_corpus *corpus = j->corpus;
    DLP_TRY(dlp_corpus_check(corpus, error));
    if (j->settings.threads < 1 || j->settings.threads > 1024)
        return dlp_fail(error, DLP_EINVAL, "threads must be 0 to 1024");
    if (j->settings.draws < 2 || j->settings.draws > 1000000)
        return dlp_fail(error, DLP_EINVAL, "draws must be 2 to 1000000");
    if (corpus->V > j->topics->V)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has %td terms and the model %td; both must have the "
                        "same vocabulary",
                        corpus->V, j->topics->V);
    const dlp_index of_model = j->prior ? j->prior->p : 1;
    if (j->settings.group)
        DLP_TRY(dlpi_check_groups(j->K, j->M, j->settings.group, error));
    if (X->D != corpus->D || (j->prior && j->prior->D != corpus->D))
        return dlp_fail(error, DLP_EINPUT,
                        "there are covariates for %td documents, but the corpus has %td; "
                        "both must have the same documents, in the same order",
                        X->D, corpus->D);
    if (of_model != j->topics->p)
        return dlp_fail(error, DLP_EINVAL,
                        "the model has %td covariates, but %td are given; give "
                        "those of the fit",
                        j->topics->p, of_model);
    return j->prior ? dlpi_ctm_check_covariates(j->prior, corpus->D, of_model, error)
                    : DLP_OK;
}

static dlp_status run(job *j, const dlp_covariates *X, dlp_effects *effects,
                      dlp_error *error)
{
    DLP_TRY(check(j, X, error));
    DLP_TRY(dlpi_regression_alloc(X, &j->regression, error));
    DLP_TRY(allocate(j, effects, error));
    const dlp_progress all =
        dlpi_progress_count("inferring", "documents", j->corpus->D, j->corpus->D);
    DLP_TRY(fit_prior(j, effects, error));
    if (effects->outcome == DLP_CONVERGED)
        DLP_TRY(infer_documents(j, &effects->outcome, error));
    if (dlpi_listener_report(&j->listener, all)) effects->outcome = DLP_CANCELLED;
    effects->unsettled = j->all.unsettled;
    effects->uncorrected = j->all.uncorrected;
    if (effects->outcome == DLP_CONVERGED) pool_all(j, j->G, effects);
    return DLP_OK;
}

dlp_status dlp_topics_effects(const dlp_topics *topics, const dlp_corpus *corpus,
                              const dlp_covariates *prior, const dlp_covariates *X,
                              const dlp_effects_settings *settings, dlp_effects *effects,
                              dlp_error *error)
{
    job j = {
        .topics = topics, .corpus = corpus, .prior = prior, .K = topics->K, .p = X->p};
    *effects = (dlp_effects){.K = 0};
    dlp_effects_settings_init(&j.settings, sizeof j.settings);
    DLP_TRY(dlpi_settings_take(&j.settings, sizeof j.settings, settings, error));
    j.M = j.settings.group ? j.settings.groups : j.K;
    *effects = (dlp_effects){.K = j.M, .p = j.p, .outcome = DLP_CONVERGED};
    if (j.settings.threads == 0) j.settings.threads = dlpi_threads(0);
    j.listener.call = j.settings.progress;
    j.listener.context = j.settings.context;
    const dlp_status status = run(&j, X, effects, error);
    release(&j);
    if (status != DLP_OK) dlp_effects_free(effects);
    return status;
}

void dlp_effects_free(dlp_effects *effects)
{
    free(effects->mean);
    free(effects->covariance);
    *effects = (dlp_effects){0};
}

int dlp_effects_extrapolates(const dlp_effects *effects, dlp_index k)
{
    const double beyond = 0.05; /* shares this far outside [0, 1] may be rounding */
    const double share = effects->mean[k * effects->p];
    return share < -beyond || share > 1 + beyond;
}

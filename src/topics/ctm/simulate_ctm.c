/* SPDX-License-Identifier: BSD-3-Clause */
/* Corpora drawn from the correlated topic model. */
#include <delaplace/random.h>
#include <delaplace/simulate.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "corpus/corpus.h"
#include "infer/listener.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Topics have the streams 0..K-1 of the seed; this one is the prior's. */
static const uint64_t PRIOR_STREAM = UINT64_MAX;
/* Documents have the streams of another seed. */
static const uint64_t DOCUMENTS_SEED = 0x9e3779b97f4a7c15;

void dlp_simulate_settings_init(dlp_simulate_settings *settings, size_t size)
{
    const dlp_simulate_settings defaults = {.seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* Sigma_0 = 1/2 I + F F' / (2 rank), F (K, rank) of N(0, 1): variances near 1 */
static void draw_sigma0(dlp_rng *rng, dlp_index K, double *Sigma0)
{
    enum { RANK = 3 };
    memset(Sigma0, 0, (size_t)(K * K) * sizeof *Sigma0);
    for (dlp_index k = 0; k < K; k++) Sigma0[k * (K + 1)] = 0.5;
    for (int r = 0; r < RANK; r++) {
        const dlp_rng at = *rng;
        for (dlp_index i = 0; i < K; i++) {
            const double f_i = dlp_draw_normal(rng);
            dlp_rng again = at; /* the same column of F */
            for (dlp_index j = 0; j < K; j++)
                Sigma0[i * K + j] += f_i * dlp_draw_normal(&again) / (2 * RANK);
        }
    }
}

dlp_status dlp_simulate_topics(dlp_index K, dlp_index V, double concentration,
                               uint64_t seed, dlp_topics *topics, dlp_error *error)
{
    if (K < 1 || V < 1 || V > INT32_MAX || !(concentration > 0 && concentration <= 1e6))
        return dlp_fail(error, DLP_EINVAL,
                        "K and V must be 1 or more, V at most 2147483647, the "
                        "concentration above 0 and at most 1e6");
    DLP_TRY(dlp_topics_alloc(K, V, 1, topics, error));
    double *alpha = dlpi_calloc(V, sizeof *alpha), sum = 0;
    if (!alpha) {
        dlp_topics_free(topics);
        return dlpi_no_memory(error, "the simulation");
    }
    for (dlp_index v = 0; v < V; v++) sum += alpha[v] = 1 / (double)(v + 10);
    for (dlp_index v = 0; v < V; v++) alpha[v] *= concentration * (double)V / sum;
    for (dlp_index k = 0; k < K; k++) {
        dlp_rng rng = dlp_rng_at(seed, (uint64_t)k);
        dlp_draw_dirichlet(&rng, V, alpha, topics->beta + k * V);
    }
    free(alpha);
    dlp_rng rng = dlp_rng_at(seed, PRIOR_STREAM);
    for (dlp_index k = 0; k < K; k++) topics->Gamma[k] = 0.5 * dlp_draw_normal(&rng);
    draw_sigma0(&rng, K, topics->Sigma0);
    return DLP_OK;
}

typedef struct simulation {
    const dlp_topics *topics;
    const dlp_covariates *covariates;
    dlp_index first, D, words;
    uint64_t seed;
    double *U;          /* (K, K) Sigma_0 = U'U */
    double *cumulative; /* (K, V) sums of beta's rows */
    int32_t *word;      /* (D, words) */
    double *theta;      /* (D, K) or NULL */
    double *work;       /* (threads, 2 K) */
} simulation;

/* theta = Gamma' x + U' z, z ~ N(0, I) */
static void draw_theta(const simulation *s, dlp_index d, dlp_rng *rng, double *theta)
{
    const dlp_index K = s->topics->K, p = s->topics->p;
    memcpy(theta, s->topics->Gamma, (size_t)K * sizeof *theta);
    for (dlp_index j = 1; s->covariates && j < p; j++)
        for (dlp_index k = 0; k < K; k++)
            theta[k] += s->covariates->X[d * p + j] * s->topics->Gamma[j * K + k];
    for (dlp_index i = 0; i < K; i++) {
        const double z = dlp_draw_normal(rng);
        for (dlp_index k = i; k < K; k++) theta[k] += s->U[i * K + k] * z;
    }
}

/* The first index whose sum exceeds u times the last. */
static int32_t draw_term(dlp_index V, const double *sums, double u)
{
    dlp_index low = 0, high = V - 1;
    while (low < high) {
        const dlp_index middle = (low + high) / 2;
        if (sums[middle] > u * sums[V - 1])
            high = middle;
        else
            low = middle + 1;
    }
    return (int32_t)low;
}

static int by_number(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The words of a document, sorted by term. */
static void draw_document(const simulation *s, dlp_index d)
{
    const dlp_index K = s->topics->K, V = s->topics->V;
    double *theta = s->work + 2 * K * omp_get_thread_num(), *pi = theta + K;
    dlp_rng rng = dlp_rng_at(s->seed, (uint64_t)(s->first + d));
    draw_theta(s, d, &rng, theta);
    if (s->theta) memcpy(s->theta + d * K, theta, (size_t)K * sizeof *theta);
    const double log_sum = dlp_logsumexp(K, theta);
    for (dlp_index k = 0; k < K; k++) pi[k] = exp(theta[k] - log_sum);
    int32_t *word = s->word + d * s->words;
    for (dlp_index n = 0; n < s->words; n++) {
        const dlp_index drawn = dlp_draw_categorical(&rng, K, pi);
        const dlp_index k = drawn < 0 ? 0 : drawn; /* theta is too large for doubles */
        word[n] = draw_term(V, s->cumulative + k * V, dlp_draw_uniform(&rng));
    }
    qsort(word, (size_t)s->words, sizeof *word, by_number);
}

/* Counts each document's words, in place: s->word holds the distinct terms and `count`
   how often each, from the start of the document's room on. Returns the number of
   pairs. */
static dlp_index tally(const simulation *s, int32_t *count, dlp_index *pairs)
{
    dlp_index nnz = 0;
    for (dlp_index d = 0; d < s->D; d++) {
        int32_t *word = s->word + d * s->words, *times = count + d * s->words;
        dlp_index n = 0;
        for (dlp_index i = 0; i < s->words; i++) {
            if (n > 0 && word[n - 1] == word[i]) {
                times[n - 1]++;
            } else {
                word[n] = word[i];
                times[n++] = 1;
            }
        }
        pairs[d] = n;
        nnz += n;
    }
    return nnz;
}

/* The pairs of each document, one after the other */
static void fill(const simulation *s, const int32_t *count, const dlp_index *pairs,
                 dlp_corpus *c)
{
    c->V = s->topics->V;
    c->words = s->D * s->words;
    for (dlp_index d = 0; d < s->D; d++) {
        const size_t size = (size_t)pairs[d] * sizeof *c->term;
        c->row[d + 1] = c->row[d] + pairs[d];
        memcpy(c->term + c->row[d], s->word + d * s->words, size);
        memcpy(c->count + c->row[d], count + d * s->words, size);
    }
}

static dlp_status make_corpus(const simulation *s, dlp_corpus **corpus, dlp_error *error)
{
    int32_t *count = dlpi_calloc(dlpi_size(s->D, s->words, 0), sizeof *count);
    dlp_index *pairs = dlpi_calloc(s->D, sizeof *pairs);
    if (count && pairs) {
        *corpus = dlpi_corpus_alloc(s->D, tally(s, count, pairs), error);
        if (*corpus) fill(s, count, pairs, *corpus);
    } else {
        (void)dlpi_no_memory(error, "the simulation");
    }
    free(count);
    free(pairs);
    return *corpus ? DLP_OK : DLP_ENOMEM;
}

/* A few hundredths of a second's work at a time, with enough for every thread. */
static dlp_status draw_documents(const simulation *s,
                                 const dlp_simulate_settings *settings, dlp_error *error)
{
    dlpi_listener listener = {.call = settings->progress, .context = settings->context};
    const dlp_index batch = (dlp_index)64 * settings->threads + 1000000 / (s->words + 1);
    for (dlp_index from = 0, to; from < s->D; from = to) {
        to = s->D - from < batch ? s->D : from + batch;
#pragma omp parallel for schedule(dynamic, 16) num_threads(settings->threads)
        for (dlp_index d = from; d < to; d++) draw_document(s, d);
        const dlp_progress progress =
            dlpi_progress_count("drawing", "documents", to, s->D);
        if (dlpi_listener_report(&listener, progress))
            return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    }
    return DLP_OK;
}

static dlp_status draw_all(simulation *s, const dlp_simulate_settings *settings,
                           dlp_corpus **corpus, dlp_error *error)
{
    const dlp_index K = s->topics->K, V = s->topics->V;
    memcpy(s->U, s->topics->Sigma0, (size_t)(K * K) * sizeof *s->U);
    if (dlpi_cholesky(K, s->U) >= 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the covariance of the topics is not positive definite");
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index v = 0; v < V; v++)
            s->cumulative[k * V + v] =
                s->topics->beta[k * V + v] + (v ? s->cumulative[k * V + v - 1] : 0);
    DLP_TRY(draw_documents(s, settings, error));
    return make_corpus(s, corpus, error);
}

dlp_status dlp_simulate_ctm(const dlp_topics *topics, const dlp_covariates *covariates,
                            const dlp_simulate_settings *given, dlp_corpus **corpus,
                            double *theta, dlp_error *error)
{
    dlp_simulate_settings settings = dlp_simulate_settings_default();
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    if (settings.threads == 0) settings.threads = dlpi_threads(0);
    const dlp_index D = settings.documents, words = settings.words;
    const int threads = settings.threads;
    *corpus = NULL;
    DLP_TRY(dlp_topics_check(topics, error));
    if (D < 1 || words < 0 || words > INT32_MAX || threads < 1 || threads > 1024 ||
        settings.first < 0)
        return dlp_fail(
            error, DLP_EINVAL,
            "documents must be 1 or more, words 0 to 2147483647, threads 0 to "
            "1024, the first document 0 or more");
    if (covariates) DLP_TRY(dlpi_ctm_check_covariates(covariates, D, topics->p, error));
    const dlp_index K = topics->K;
    simulation s = {.topics = topics,
                    .covariates = covariates,
                    .first = settings.first,
                    .D = D,
                    .words = words,
                    .seed = settings.seed ^ DOCUMENTS_SEED,
                    .U = dlpi_calloc(dlpi_size(K, K, 0), sizeof *s.U),
                    .cumulative = dlpi_calloc(dlpi_size(K, topics->V, 0), sizeof *s.U),
                    .word = dlpi_calloc(dlpi_size(D, words, 0), sizeof *s.word),
                    .theta = theta,
                    .work = dlpi_calloc(dlpi_size(threads, 2 * K, 0), sizeof *s.work)};
    const dlp_status status = s.U && s.cumulative && s.word && s.work
                                  ? draw_all(&s, &settings, corpus, error)
                                  : dlpi_no_memory(error, "the simulation");
    free(s.U);
    free(s.cumulative);
    free(s.word);
    free(s.work);
    return status;
}

/* Documents first..first+n-1 into the file. */
static dlp_status write_batch(const dlp_topics *topics, dlp_simulate_settings settings,
                              dlp_index first, dlp_index n, dlp_corpus_writer *writer,
                              dlp_error *error)
{
    dlp_corpus *corpus;
    settings.first += first;
    settings.documents = n;
    settings.progress = NULL;
    DLP_TRY(dlp_simulate_ctm(topics, NULL, &settings, &corpus, NULL, error));
    const dlp_status status = dlp_corpus_writer_add(writer, corpus, error);
    dlp_corpus_free(corpus);
    return status;
}

dlp_status dlp_simulate_ctm_write(const dlp_topics *topics,
                                  const dlp_simulate_settings *given,
                                  dlp_corpus_writer *writer, dlp_error *error)
{
    dlp_simulate_settings settings = dlp_simulate_settings_default();
    DLP_TRY(dlpi_settings_take(&settings, sizeof settings, given, error));
    dlpi_listener listener = {.call = settings.progress, .context = settings.context};
    const dlp_index D = settings.documents,
                    words = settings.words < 0 ? 0 : settings.words;
    const dlp_index batch = 1 + 2000000 / (words + 1);
    for (dlp_index first = 0, n; first < D || first == 0; first += n) {
        n = D - first < batch ? D - first : batch;
        DLP_TRY(write_batch(topics, settings, first, n, writer, error));
        const dlp_progress progress =
            dlpi_progress_count("drawing", "documents", first + n, D);
        if (dlpi_listener_report(&listener, progress))
            return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    }
    return DLP_OK;
}

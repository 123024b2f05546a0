/* SPDX-License-Identifier: BSD-3-Clause */
/* Held-out likelihood by document completion. */
#include "core/core.h"
#include "core/settings.h"
#include "core/threads.h"
#include "infer/listener.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"

#include <delaplace/random.h>

#include <float.h>
#include <math.h>
#include <omp.h>

enum { CHUNK = 8 }; /* documents that a thread takes at a time */

/* What a thread needs for its documents. */
typedef struct worker {
    dlp_document_posterior *posterior;
    int32_t *half; /* (4 longest) first half: terms, counts; second half: the same */
    double *pi;    /* (K) */
} worker;

typedef struct job {
    const dlp_topics *topics;
    const dlp_corpus *corpus;
    const dlp_covariates *covariates;
    dlp_completion_settings settings;
    dlp_index longest;
    worker *worker;         /* (threads) */
    dlp_completion *scored; /* (D) */
    dlp_status *status;     /* (D) */
    dlpi_listener listener;
} job;

void dlp_completion_settings_init(dlp_completion_settings *settings, size_t size)
{
    const dlp_completion_settings defaults = {.seed = 1};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* How the words of a document are dealt, a term at a time. */
typedef struct dealer {
    bool random;
    int larger;     /* alternately: the half that gets the next word */
    dlp_rng rng;    /* at random: the document's stream */
    double left[2]; /* and the words that each half still takes */
} dealer;

/* If a term has more words than this in a document, the rest are halved without drawing,
   so that no count takes long. */
enum { MOST_DRAWN = 1 << 16 };

static int32_t drawn_words(int32_t words)
{
    return words > MOST_DRAWN ? MOST_DRAWN + words % 2 : words;
}

static dealer begin_dealing(const job *j, const dlp_document *whole, dlp_index d)
{
    dealer r = {.random = j->settings.random_halves != 0,
                .rng = dlp_rng_at(j->settings.seed, (uint64_t)d)};
    double words = 0;
    for (dlp_index i = 0; r.random && i < whole->n; i++)
        words += drawn_words(whole->count[i]);
    r.left[1] = floor(words / 2);
    r.left[0] = words - r.left[1];
    return r;
}

/* Splits the words of a term into share[0] and share[1]. At random, a word is in the
   first half with probability left_0 / (left_0 + left_1), so that all halves of that
   length are equally likely. */
static void split_term(dealer *r, int32_t words, int32_t share[2])
{
    if (!r->random) {
        share[r->larger] = words - words / 2;
        share[!r->larger] = words / 2;
        r->larger ^= words & 1;
        return;
    }
    const int32_t drawn = drawn_words(words);
    share[0] = share[1] = (words - drawn) / 2;
    for (int32_t i = 0; i < drawn; i++) {
        const int h = dlp_draw_uniform(&r->rng) * (r->left[0] + r->left[1]) >= r->left[0];
        share[h]++;
        r->left[h]--;
    }
}

/* Deals the words of a document into two halves, sorted by term as they are. */
static void deal(const dlp_document *whole, dealer r, dlp_index longest, int32_t *half,
                 dlp_document *first, dlp_document *second)
{
    int32_t *term[2] = {half, half + 2 * longest};
    int32_t *count[2] = {half + longest, half + 3 * longest};
    dlp_index n[2] = {0, 0};
    for (dlp_index i = 0; i < whole->n; i++) {
        int32_t share[2];
        split_term(&r, whole->count[i], share);
        for (int h = 0; h < 2; h++) {
            if (share[h] == 0) continue;
            term[h][n[h]] = whole->term[i];
            count[h][n[h]++] = share[h];
        }
    }
    *first = (dlp_document){.n = n[0], .term = term[0], .count = count[0], .x = whole->x};
    *second = (dlp_document){.n = n[1], .term = term[1], .count = count[1]};
}

/* log sum_k beta_kw pi_k over the words of the second half */
static void score(const dlp_topics *topics, const dlp_document *half, const double *pi,
                  dlp_completion *to)
{
    for (dlp_index i = 0; i < half->n; i++) {
        double p = 0, most = 0;
        for (dlp_index k = 0; k < topics->K; k++) {
            const double beta = topics->beta[k * topics->V + half->term[i]];
            p += beta * pi[k];
            most = fmax(most, beta);
        }
        if (most > 0) { /* training saw it; p may still be too small for a double */
            to->words += half->count[i];
            to->log_likelihood += half->count[i] * log(fmax(p, DBL_MIN));
        } else {
            to->unseen_words += half->count[i];
        }
    }
    to->documents = to->words > 0;
}

static dlp_status complete(const job *j, worker *w, dlp_index d)
{
    dlp_document whole = dlp_corpus_document(j->corpus, d), first, second;
    dlp_document_result result;
    if (j->covariates) whole.x = j->covariates->X + d * j->covariates->p;
    deal(&whole, begin_dealing(j, &whole, d), j->longest, w->half, &first, &second);
    DLP_TRY(dlp_document_infer(w->posterior, &first, &result, NULL));
    dlp_document_proportions(w->posterior, w->pi, NULL);
    j->scored[d].unseen_words = result.unseen;
    score(j->topics, &second, w->pi, &j->scored[d]);
    return DLP_OK;
}

static dlp_status allocate(job *j, dlp_error *error)
{
    const int threads = j->settings.threads;
    j->longest = dlpi_ctm_longest(j->corpus);
    j->worker = dlpi_calloc(threads, sizeof *j->worker);
    j->scored = dlpi_calloc(j->corpus->D, sizeof *j->scored);
    j->status = dlpi_calloc(j->corpus->D, sizeof *j->status);
    if (!j->worker || !j->scored || !j->status)
        return dlpi_no_memory(error, "the evaluation");
    for (int t = 0; t < threads; t++) {
        worker *w = &j->worker[t];
        DLP_TRY(dlp_document_posterior_alloc(j->topics, j->settings.document,
                                             &w->posterior, error));
        w->half = dlpi_calloc(dlpi_size(4, j->longest, 0), sizeof *w->half);
        w->pi = dlpi_calloc(j->topics->K, sizeof *w->pi);
        if (!w->half || !w->pi) return dlpi_no_memory(error, "the evaluation");
    }
    return DLP_OK;
}

static void release(job *j)
{
    for (int t = 0; j->worker && t < j->settings.threads; t++) {
        dlp_document_posterior_free(j->worker[t].posterior);
        free(j->worker[t].half);
        free(j->worker[t].pi);
    }
    free(j->worker);
    free(j->scored);
    free(j->status);
}

static void complete_chunk(job *j, worker *w, dlp_index first)
{
    const dlp_index rest = j->corpus->D - first, n = rest < CHUNK ? rest : CHUNK;
    if (dlpi_listener_stopped(&j->listener)) return;
    for (dlp_index d = first; d < first + n; d++) j->status[d] = complete(j, w, d);
    const dlp_progress progress =
        dlpi_progress_count("evaluating", "documents", first + n, j->corpus->D);
    (void)dlpi_listener_report_inside(&j->listener, progress);
}

static dlp_status run(job *j, dlp_completion *sum, dlp_error *error)
{
    const dlp_index D = j->corpus->D;
    const dlp_progress all = dlpi_progress_count("evaluating", "documents", D, D);
#pragma omp parallel for schedule(dynamic) num_threads(j->settings.threads)
    for (dlp_index first = 0; first < D; first += CHUNK)
        complete_chunk(j, &j->worker[omp_get_thread_num()], first);
    if (dlpi_listener_report(&j->listener, all)) {
        sum->outcome = DLP_CANCELLED;
        return DLP_OK;
    }
    sum->outcome = DLP_CONVERGED;
    for (dlp_index d = 0; d < D; d++) {
        if (j->status[d] != DLP_OK) return dlpi_no_memory(error, "a document");
        sum->documents += j->scored[d].documents;
        sum->words += j->scored[d].words;
        sum->unseen_words += j->scored[d].unseen_words;
        sum->log_likelihood += j->scored[d].log_likelihood;
    }
    if (sum->words > 0) sum->per_word = sum->log_likelihood / (double)sum->words;
    return DLP_OK;
}

dlp_status dlp_topics_completion(const dlp_topics *topics,
                                 const dlp_completion_settings *settings,
                                 const dlp_corpus *corpus,
                                 const dlp_covariates *covariates,
                                 dlp_completion *completion, dlp_error *error)
{
    job j = {.topics = topics, .corpus = corpus, .covariates = covariates};
    dlp_completion_settings_init(&j.settings, sizeof j.settings);
    DLP_TRY(dlpi_settings_take(&j.settings, sizeof j.settings, settings, error));
    *completion = (dlp_completion){.per_word = NAN};
    DLP_TRY(dlp_corpus_check(corpus, error));
    if (corpus->V > topics->V)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has %td terms and the model %td; both must have the "
                        "same vocabulary",
                        corpus->V, topics->V);
    if (covariates)
        DLP_TRY(dlpi_ctm_check_covariates(covariates, corpus->D, topics->p, error));
    if (j.settings.threads < 0 || j.settings.threads > 1024)
        return dlp_fail(error, DLP_EINVAL, "threads must be 0 to 1024");
    j.settings.threads = dlpi_threads(j.settings.threads);
    j.listener.call = j.settings.progress;
    j.listener.context = j.settings.context;
    dlp_status status = allocate(&j, error);
    if (status == DLP_OK) status = run(&j, completion, error);
    release(&j);
    return status;
}

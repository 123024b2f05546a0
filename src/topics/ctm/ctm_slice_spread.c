/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How certain topics are that drift. If the topic of each word were known, the rates
 * lambda_tk of ctm_slices.c would determine log beta of a term, one topic at a time. It
 * is not known. With phi_dk the probability that the term is of topic k in document d,
 * and c_d how often it is there,
 *
 *     I_t = sum_d c_d phi_d phi_d' + smooth
 *
 * is the information of the documents of slice t about all topics at once (the observed
 * information; Louis 1982), instead of a_tk = sum_d c_d phi_dk + smooth for each. The
 * walk pulls the rates away from the counts, so I_tkl is multiplied by sqrt(lambda_tk
 * lambda_tl / (a_tk a_tl)). With the walk, q = 1 / drift^2 between neighbours, that is a
 * block tridiagonal precision, whose inverse has
 *
 *     C_t = S_t^-1 + q^2 S_t^-1 C_{t+1} S_t^-1,   S_t = I_t + (1 or 2) q - q^2 S_{t-1}^-1,
 *
 * on its diagonal. Blocks are of the topics in which the term is frequent; the others are
 * treated one by one. The shares of documents are taken as known. Topics come out purer
 * than they are, in all slices alike, and the more so the more words they share: so the
 * square of BLUR times the part of a topic's words that is not its own is added to the
 * variance.
 */
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "corpus/transpose.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_slices.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* A block has at most this many topics, each with at least this part of a term's
   words. */
enum { MOST_TOPICS = 16 };
static const double LEAST_PART = 0.01;
/* If a topic has none of a term's words, smoothing is the only information. However small
   that is, the information counts as at least this many words. */
static const double LEAST_WORDS = 1e-9;

typedef struct spread {
    const dlp_ctm *ctm;
    dlp_index T, K, V, stride;
    double q, smooth;
    const double *e; /* (D, K) exp(mu_d - max) */
    const dlpi_postings *postings;
} spread;

/* A thread's memory for one term. */
typedef struct chain {
    dlp_index n, topic[MOST_TOPICS]; /* of the block */
    double *total, *phi;             /* (K) words of each topic; probabilities */
    double *alone;                   /* (T, K) I_tkk */
    double *I;                       /* (T, n, n), then S_t^-1 */
    double *S, *C, *room;            /* (n, n) */
} chain;

static dlp_index chain_size(dlp_index T, dlp_index K)
{
    enum { BLOCK = MOST_TOPICS * MOST_TOPICS };
    return dlpi_size(T + 2, K, dlpi_size(T + 3, BLOCK, 0));
}

static chain chain_at(dlp_index T, dlp_index K, double *numbers)
{
    enum { BLOCK = MOST_TOPICS * MOST_TOPICS };
    chain c = {.total = numbers, .phi = numbers + K, .alone = numbers + 2 * K};
    c.I = c.alone + T * K;
    c.S = c.I + T * BLOCK;
    c.C = c.S + BLOCK;
    c.room = c.C + BLOCK;
    return c;
}

/* ---- what documents tell ---- */

/* The topics that the term is most frequent in. */
static void choose(const spread *s, dlp_index v, chain *c)
{
    double words = 0;
    memset(c->total, 0, (size_t)s->K * sizeof *c->total);
    for (dlp_index t = 0; t < s->T; t++)
        for (dlp_index k = 0; k < s->K; k++)
            c->total[k] += s->ctm->counts[(t * s->V + v) * s->stride + k];
    for (dlp_index k = 0; k < s->K; k++) words += c->total[k];
    for (c->n = 0; c->n < MOST_TOPICS; c->n++) {
        dlp_index best = 0;
        for (dlp_index k = 1; k < s->K; k++)
            if (c->total[k] > c->total[best]) best = k;
        if (!(c->total[best] > 0 && c->total[best] >= LEAST_PART * words)) return;
        c->topic[c->n] = best;
        c->total[best] = -1;
    }
}

/* If every product underflows, the document carries no information about the term. */
static void find_phi(const spread *s, dlp_index d, const double *beta, double *phi)
{
    double sum = 0;
    for (dlp_index k = 0; k < s->K; k++) sum += phi[k] = s->e[d * s->K + k] * beta[k];
    for (dlp_index k = 0; k < s->K && sum > 0; k++) phi[k] /= sum;
}

/* I_t of the block, and of each topic by itself, from the documents of slice t. */
static void add_documents(const spread *s, dlp_index t, dlp_index v, chain *c)
{
    const dlpi_postings *p = s->postings;
    const dlp_index term = t * s->V + v, n = c->n;
    double *I = c->I + t * n * n, *alone = c->alone + t * s->K;
    memset(I, 0, (size_t)(n * n) * sizeof *I);
    for (dlp_index k = 0; k < s->K; k++) alone[k] = s->smooth;
    for (dlp_index i = p->row[term]; i < p->row[term + 1]; i++) {
        const double count = p->count[i];
        find_phi(s, p->document[i], s->ctm->shared.beta + term * s->stride, c->phi);
        for (dlp_index k = 0; k < s->K; k++) alone[k] += count * c->phi[k] * c->phi[k];
        for (dlp_index a = 0; a < n; a++)
            for (dlp_index b = a + 1; b < n; b++)
                I[a * n + b] += count * c->phi[c->topic[a]] * c->phi[c->topic[b]];
    }
}

/* From counts to rates. */
static void scale(const spread *s, dlp_index t, dlp_index v, chain *c)
{
    const dlp_index term = t * s->V + v, n = c->n;
    const double *beta = s->ctm->shared.beta + term * s->stride,
                 *counts = s->ctm->counts + term * s->stride,
                 *N = s->ctm->slices->N + t * s->stride;
    double *I = c->I + t * n * n, *ratio = c->phi;
    double *alone = c->alone + t * s->K;
    for (dlp_index k = 0; k < s->K; k++) {
        const double words = fmax(counts[k] + s->smooth, LEAST_WORDS);
        ratio[k] = N[k] * beta[k] / words;
        alone[k] = fmax(alone[k] * ratio[k], LEAST_WORDS);
    }
    for (dlp_index a = 0; a < n; a++) {
        for (dlp_index b = a + 1; b < n; b++)
            I[a * n + b] *= sqrt(ratio[c->topic[a]] * ratio[c->topic[b]]);
        I[a * (n + 1)] = alone[c->topic[a]];
    }
}

static double ends(const spread *s, dlp_index t)
{
    return s->T == 1 ? 0 : t == 0 || t == s->T - 1 ? 1 : 2;
}

/* ---- variances ---- */

/* The variances of each topic by itself, in place of its information. With S_t = h_t + q,
   or h_t at the last t, h_t = I_t + q h_{t-1} / (h_{t-1} + q), which subtracts
   nothing. */
static void invert_alone(const spread *s, double *alone)
{
    const dlp_index K = s->K;
    for (dlp_index t = 1; t < s->T; t++)
        for (dlp_index k = 0; k < K; k++) {
            const double h = alone[(t - 1) * K + k];
            alone[t * K + k] += s->q * h / (h + s->q);
        }
    for (dlp_index t = s->T; t-- > 0;)
        for (dlp_index k = 0; k < K; k++) {
            const double D = alone[t * K + k] + (t + 1 < s->T ? s->q : 0);
            alone[t * K + k] = 1 / D;
            if (t + 1 < s->T)
                alone[t * K + k] += s->q / D * (s->q / D) * alone[(t + 1) * K + k];
        }
}

/* S_t^-1 in the place of I_t, forwards; false where rounding leaves none. */
static bool eliminate(const spread *s, chain *c)
{
    const dlp_index n = c->n;
    for (dlp_index t = 0; t < s->T; t++) {
        double *I = c->I + t * n * n;
        const double *before = I - n * n;
        memcpy(c->S, I, (size_t)(n * n) * sizeof *I);
        for (dlp_index a = 0; a < n; a++) {
            c->S[a * (n + 1)] += ends(s, t) * s->q;
            for (dlp_index b = a; t > 0 && b < n; b++)
                c->S[a * n + b] -= s->q * s->q * before[a * n + b];
        }
        if (dlpi_cholesky(n, c->S) >= 0) return false;
        dlpi_cholesky_inverse(n, c->S, c->room, I);
    }
    return true;
}

/* out (n, n) = A B, both symmetric */
static void multiply(dlp_index n, const double *A, const double *B, double *out)
{
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            dlpi_axpy(n, A[i * n + j], B + j * n, out + i * n);
}

/* C_t, backwards; its diagonal in the place of the topics' own variances. */
static void substitute(const spread *s, chain *c)
{
    const dlp_index n = c->n;
    for (dlp_index t = s->T; t-- > 0;) {
        const double *W = c->I + t * n * n;
        if (t + 1 < s->T) {
            multiply(n, W, c->C, c->room);
            for (dlp_index a = 0; a < n; a++)
                for (dlp_index b = 0; b < n; b++)
                    c->C[a * n + b] =
                        W[a * n + b] +
                        s->q * s->q * dlpi_dot(n, c->room + a * n, W + b * n);
        } else {
            memcpy(c->C, W, (size_t)(n * n) * sizeof *W);
        }
        for (dlp_index a = 0; a < n; a++)
            c->alone[t * s->K + c->topic[a]] = c->C[a * (n + 1)];
    }
}

static void spread_term(const spread *s, dlp_index v, chain *c, dlp_topic_slices *to)
{
    choose(s, v, c);
    for (dlp_index t = 0; t < s->T; t++) {
        add_documents(s, t, v, c);
        scale(s, t, v, c);
    }
    invert_alone(s, c->alone);
    if (c->n > 1 && eliminate(s, c)) substitute(s, c);
    for (dlp_index i = 0; i < s->T * s->K; i++) to->sd[i * s->V + v] = sqrt(c->alone[i]);
}

/* ---- what topics share ---- */

/* Measured: docs/topics.md. */
static const double BLUR = 3;

/* The part of topic k's words in slice t that is not its own. */
static double shared_part(const dlp_topic_slices *s, dlp_index t, dlp_index k)
{
    const dlp_topics slice = {.K = s->K, .V = s->V, .beta = s->beta + t * s->K * s->V};
    return fmax(0, 1 - dlp_topics_own_words(&slice, k));
}

static void add_blur(dlp_topic_slices *s)
{
    for (dlp_index k = 0; k < s->K; k++) {
        double blur = 0;
        for (dlp_index t = 0; t < s->T; t++)
            blur += BLUR * shared_part(s, t, k) / (double)s->T;
        for (dlp_index t = 0; t < s->T; t++) {
            double *sd = s->sd + (t * s->K + k) * s->V;
            for (dlp_index v = 0; v < s->V; v++)
                if (sd[v] > 0) sd[v] = sqrt(sd[v] * sd[v] + blur * blur);
        }
    }
}

/* ---- all terms ---- */

static double *exponentials(const dlp_ctm *ctm)
{
    const dlp_index D = ctm->corpus->D, K = ctm->shared.K;
    double *e = dlpi_calloc(dlpi_size(D, K, 0), sizeof *e);
    for (dlp_index d = 0; e && d < D; d++) {
        double most = ctm->mu[d * K];
        for (dlp_index k = 1; k < K; k++) most = fmax(most, ctm->mu[d * K + k]);
        for (dlp_index k = 0; k < K; k++) e[d * K + k] = exp(ctm->mu[d * K + k] - most);
    }
    return e;
}

dlp_status dlpi_slices_spread(const dlp_ctm *ctm, dlp_topic_slices *to, dlp_error *error)
{
    const dlpi_slices *x = ctm->slices;
    const int threads = ctm->settings.threads;
    const dlp_index T = x->T, K = ctm->shared.K, each = chain_size(T, K);
    dlpi_postings *postings = NULL;
    DLP_TRY(dlpi_corpus_transpose(ctm->corpus, &postings, error));
    double *numbers = dlpi_calloc(dlpi_size(threads, each, 0), sizeof *numbers),
           *e = exponentials(ctm);
    const spread s = {.ctm = ctm,
                      .T = T,
                      .K = K,
                      .V = x->V,
                      .stride = ctm->shared.stride,
                      .q = 1 / (x->drift * x->drift),
                      .smooth = ctm->settings.smooth / (double)T,
                      .e = e,
                      .postings = postings};
    if (numbers && e) {
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
        for (dlp_index v = 0; v < x->V; v++) {
            chain c = chain_at(T, K, numbers + omp_get_thread_num() * each);
            if (x->seen[v]) spread_term(&s, v, &c, to);
        }
    }
    const bool good = numbers && e;
    if (good) add_blur(to);
    free(numbers);
    free(e);
    dlpi_postings_free(postings);
    return good ? DLP_OK : dlpi_no_memory(error, "the topics of slices");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics that drift over slices of time (Blei and Lafferty 2006). Term v of topic k in
 * slice t has beta_tv prop. to exp(eta_tv), and eta_tv = eta_{t-1,v} + c_t + N(0,
 * drift^2): a random walk of each term, up to what all terms of a slice have in common,
 * c_t, which changes no probability.
 *
 * To the rest of EM a term in a slice is a term of its own, number t V + v, so that E
 * steps are those of any topics. The M step maximises, for each topic,
 *
 *     sum_t sum_v n_tv eta_tv - N_t log sum_v exp eta_tv - sum (eta_tv - eta_{t-1,v} - c_t)^2 / 2 drift^2,
 *
 * n the expected counts, smoothed. With log sum_v exp(eta_tv) <= sum_v exp(eta_tv) /
 * zeta_t + log zeta_t - 1, equal where zeta_t is that sum, terms separate: each is a
 * chain of T numbers with a tridiagonal Hessian, and Newton's steps and variances
 * (Laplace's method) are O(T). eta is log beta throughout, so zeta = 1 before a step, and
 * beta with the drift is all the state there is.
 */
#include "topics/ctm/ctm_slices.h"
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/spectral/spectral.h"

#include <delaplace/special.h>

#include <math.h>
#include <string.h>

enum { NEWTON = 2, CHUNKS = DLPI_CTM_TERM_CHUNKS };
static const double MOST_STEP = 1, LEAST_DRIFT = 1e-3, MOST_DRIFT = 1, FIRST_DRIFT = 0.1;

/* ---- the corpus with a term for each slice ---- */

static dlp_status expand(const dlp_corpus *c, const int32_t *slice, dlpi_slices *s,
                         dlp_error *error)
{
    DLP_TRY(dlpi_ctm_select(c, 0, c->D, &s->expanded, error));
    dlp_corpus *e = s->expanded;
    free(e->vocab);
    e->vocab = NULL;
    e->V = s->T * s->V;
    for (dlp_index d = 0; d < e->D; d++)
        for (dlp_index i = e->row[d]; i < e->row[d + 1]; i++) {
            s->seen[e->term[i]] = true;
            s->weight[slice[d]] += e->count[i] / (double)c->words;
            e->term[i] += (int32_t)(slice[d] * s->V);
        }
    for (dlp_index v = 0; v < s->V; v++) s->n_seen += s->seen[v];
    return DLP_OK;
}

static dlp_status check(const dlp_corpus *corpus, const dlp_topics_settings *s,
                        dlp_error *error)
{
    if (s->slices > 10000 || s->slices * corpus->V > INT32_MAX)
        return dlp_fail(error, DLP_EINVAL,
                        "%td slices of %td terms are too many; take fewer slices",
                        s->slices, corpus->V);
    if (!s->slice) return dlp_fail(error, DLP_EINVAL, "slice is missing");
    if (s->start || s->n_seed_words > 0 || s->n_fixed > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "topics %s cannot have a model to start from, seeds, or fixed "
                        "topics",
                        s->content_groups > 0 ? "with words by group" : "that drift");
    if (s->drift != 0 && !(s->drift >= LEAST_DRIFT && s->drift <= MOST_DRIFT))
        return dlp_fail(error, DLP_EINVAL, "drift must be 0, to be fitted, or %g to %g",
                        LEAST_DRIFT, MOST_DRIFT);
    for (dlp_index d = 0; d < corpus->D; d++)
        if (s->slice[d] < 0 || s->slice[d] >= s->slices)
            return dlp_fail(error, DLP_EINVAL,
                            "document %td is in slice %d; slices are 0 to %td", d + 1,
                            (int)s->slice[d], s->slices - 1);
    return DLP_OK;
}

dlp_status dlpi_slices_alloc(const dlp_corpus *corpus,
                             const dlp_topics_settings *settings, dlpi_slices **slices,
                             dlp_error *error)
{
    *slices = NULL;
    DLP_TRY(check(corpus, settings, error));
    dlpi_slices *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the slices");
    s->T = settings->slices;
    s->V = corpus->V;
    s->given = corpus;
    s->of_groups = settings->content_groups > 0;
    s->fixed_drift = settings->drift;
    s->drift = settings->drift > 0 ? settings->drift : FIRST_DRIFT;
    s->weight = dlpi_calloc(s->T, sizeof *s->weight);
    s->seen = dlpi_calloc(s->V, sizeof *s->seen);
    const dlp_status status = s->weight && s->seen
                                  ? expand(corpus, settings->slice, s, error)
                                  : dlpi_no_memory(error, "the slices");
    if (status != DLP_OK) {
        dlpi_slices_free(s);
        return status;
    }
    *slices = s;
    return DLP_OK;
}

dlp_status dlpi_slices_reserve(dlpi_slices *s, dlp_index stride, dlp_error *error)
{
    if (s->of_groups) return dlpi_content_alloc(s, stride, error);
    const dlp_index n = dlpi_size(s->T, stride, 0);
    s->N = dlpi_calloc(n, sizeof *s->N);
    s->c = dlpi_calloc(n, sizeof *s->c);
    s->part = dlpi_calloc(dlpi_size(CHUNKS, 2 * n + 2, 0), sizeof *s->part);
    s->work = dlpi_calloc(dlpi_size(CHUNKS, 5 * n, 0), sizeof *s->work);
    if (s->N && s->c && s->part && s->work) return DLP_OK;
    return dlpi_no_memory(error, "the slices");
}

void dlpi_slices_free(dlpi_slices *s)
{
    if (!s) return;
    dlp_corpus_free(s->expanded);
    free(s->weight);
    free(s->seen);
    free(s->N);
    free(s->c);
    free(s->part);
    free(s->work);
    dlpi_content_free(s->content);
    free(s);
}

const dlp_corpus *dlpi_slices_corpus(const dlpi_slices *s)
{
    return s->expanded;
}

double *dlpi_slices_drift(dlpi_slices *s)
{
    return &s->drift;
}

/* ---- the start ---- */

/* Every slice begins with the topics of all documents, beta (V, K). A term that a topic
   does not have begins with a millionth of its share of all topics. */
static void spread(dlp_ctm *ctm, const double *beta)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, V = s->V, stride = ctm->shared.stride;
    for (dlp_index v = 0; v < V; v++) {
        double all = 0;
        for (dlp_index k = 0; k < K; k++) all += beta[v * K + k] / (double)K;
        const double least = s->seen[v] ? 1e-6 * fmax(all, 1e-6 / (double)V) : 0;
        for (dlp_index t = 0; t < s->T; t++)
            for (dlp_index k = 0; k < K; k++)
                ctm->shared.beta[(t * V + v) * stride + k] =
                    s->seen[v] ? fmax(beta[v * K + k], least) : 0;
    }
}

dlp_status dlpi_slices_spectral(dlp_ctm *ctm, dlp_error *error)
{
    const dlp_corpus *given = ctm->slices->given;
    struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    settings.threads = ctm->settings.threads;
    settings.listener = &ctm->listener;
    const dlp_status status = dlpi_spectral_topics(given, ctm->shared.K, &settings,
                                                   ctm->counts, NULL, NULL, error);
    if (status == DLP_OK) spread(ctm, ctm->counts);
    return status;
}

void dlpi_slices_repeat(dlp_ctm *ctm, const double *beta)
{
    spread(ctm, beta);
}

void dlpi_slices_normalise(dlp_ctm *ctm)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, V = s->V, stride = ctm->shared.stride;
    for (dlp_index t = 0; t < s->T; t++) {
        double *beta = ctm->shared.beta + t * V * stride, *sum = s->N;
        memset(sum, 0, (size_t)stride * sizeof *sum);
        for (dlp_index v = 0; v < V; v++)
            for (dlp_index k = 0; k < K; k++) sum[k] += beta[v * stride + k];
        for (dlp_index v = 0; v < V; v++)
            for (dlp_index k = 0; k < K; k++) beta[v * stride + k] /= sum[k];
    }
    if (s->content) dlpi_content_begin(ctm);
}

/* ---- the M step ---- */

/* The chains of one term in all topics: (T, K) each, and (K) sums. */
typedef struct chains {
    dlp_index T, K, stride, V, v;
    double q;            /* 1 / drift^2 */
    const double *N, *c; /* (T, stride) */
    double *eta, *a, *D; /* (T, stride) log beta; smoothed counts; Hessian, factored */
    double *step, *lambda;
} chains;

static chains chains_of(const dlp_ctm *ctm, dlp_index chunk, dlp_index v)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index stride = ctm->shared.stride, n = s->T * stride;
    double *work = s->work + chunk * 5 * n;
    chains x = {.T = s->T,
                .K = ctm->shared.K,
                .stride = stride,
                .V = s->V,
                .v = v,
                .q = 1 / (s->drift * s->drift),
                .N = s->N,
                .c = s->c,
                .eta = work,
                .a = work + n,
                .D = work + 2 * n,
                .step = work + 3 * n,
                .lambda = work + 4 * n};
    const double smooth = ctm->settings.smooth / (double)s->T;
    for (dlp_index t = 0; t < x.T; t++) {
        const double *beta = ctm->shared.beta + (t * x.V + v) * stride,
                     *counts = ctm->counts + (t * x.V + v) * stride;
        for (dlp_index k = 0; k < x.K; k++) {
            x.eta[t * stride + k] = log(beta[k]);
            x.a[t * stride + k] = counts[k] + smooth;
        }
    }
    return x;
}

static void set_lambda(const chains *x)
{
    for (dlp_index t = 0; t < x->T; t++) {
        double *lambda = x->lambda + t * x->stride;
        dlp_exp_array(x->K, x->eta + t * x->stride, lambda);
        for (dlp_index k = 0; k < x->K; k++) lambda[k] *= x->N[t * x->stride + k];
    }
}

/* Shifts a whole chain to where the rates add up to the counts, which is exact. */
static void shift_chains(const chains *x, double *sums)
{
    memset(sums, 0, (size_t)(2 * x->stride) * sizeof *sums);
    set_lambda(x);
    for (dlp_index t = 0; t < x->T; t++)
        for (dlp_index k = 0; k < x->K; k++) {
            sums[k] += x->a[t * x->stride + k];
            sums[x->stride + k] += x->lambda[t * x->stride + k];
        }
    for (dlp_index k = 0; k < x->K; k++) sums[k] = log(sums[k] / sums[x->stride + k]);
    for (dlp_index t = 0; t < x->T; t++)
        for (dlp_index k = 0; k < x->K; k++) x->eta[t * x->stride + k] += sums[k];
}

/* D_t of the tridiagonal Hessian's factors: D_t = H_tt - q^2 / D_{t-1} */
static void factorise(const chains *x)
{
    const dlp_index s = x->stride;
    set_lambda(x);
    for (dlp_index t = 0; t < x->T; t++) {
        const double ends = x->T == 1 ? 0 : t == 0 || t == x->T - 1 ? 1 : 2;
        for (dlp_index k = 0; k < x->K; k++) {
            const double H = x->lambda[t * s + k] + ends * x->q;
            x->D[t * s + k] = t == 0 ? H : H - x->q * x->q / x->D[(t - 1) * s + k];
        }
    }
}

/* Newton's step H^-1 g, forwards and back */
static void newton(const chains *x, double *most)
{
    const dlp_index s = x->stride;
    factorise(x);
    for (dlp_index t = 0; t < x->T; t++)
        for (dlp_index k = 0; k < x->K; k++) {
            const dlp_index i = t * s + k;
            double g = x->a[i] - x->lambda[i];
            if (t > 0) g -= x->q * (x->eta[i] - x->eta[i - s] - x->c[i]);
            if (t + 1 < x->T) g += x->q * (x->eta[i + s] - x->eta[i] - x->c[i + s]);
            if (t > 0) g += x->q * x->step[i - s] / x->D[i - s];
            x->step[i] = g;
        }
    memset(most, 0, (size_t)x->K * sizeof *most);
    for (dlp_index t = x->T; t-- > 0;)
        for (dlp_index k = 0; k < x->K; k++) {
            const dlp_index i = t * s + k;
            if (t + 1 < x->T) x->step[i] += x->q * x->step[i + s];
            x->step[i] /= x->D[i];
            most[k] = fmax(most[k], fabs(x->step[i]));
        }
    for (dlp_index t = 0; t < x->T; t++)
        for (dlp_index k = 0; k < x->K; k++)
            x->eta[t * s + k] +=
                x->step[t * s + k] * (most[k] > MOST_STEP ? MOST_STEP / most[k] : 1);
}

/* The variances of eta, in the place of D, by selected inversion: V_t = 1/D_t + (q/D_t)^2
   V_{t+1}, and Cov(eta_t, eta_{t+1}) = (q/D_t) V_{t+1}. Adds up the squares of steps, and
   how many of them the counts determine: sum 1 - Var(step) / drift^2. */
static void add_steps(const chains *x, double *squares, double *told)
{
    const dlp_index s = x->stride;
    factorise(x);
    for (dlp_index t = x->T; t-- > 0;)
        for (dlp_index k = 0; k < x->K; k++) {
            const dlp_index i = t * s + k;
            const double D = x->D[i];
            x->D[i] = 1 / D;
            if (t + 1 == x->T) continue;
            const double next = x->D[i + s], both = x->q / D * next,
                         off = x->eta[i + s] - x->eta[i] - x->c[i + s];
            x->D[i] += x->q / D * both;
            *squares += off * off;
            *told += fmax(1 - x->q * (x->D[i] + next - 2 * both), 0);
        }
}

/* Sums of smoothed counts, and of steps of log beta, over a chunk of terms: (T, stride)
   each. */
static void sum_chunk(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride, n = s->T * stride;
    const double smooth = ctm->settings.smooth / (double)s->T;
    double *N = s->part + chunk * (2 * n + 2), *c = N + n;
    memset(N, 0, (size_t)(2 * n + 2) * sizeof *N);
    for (dlp_index v = s->V * chunk / CHUNKS; v < s->V * (chunk + 1) / CHUNKS; v++)
        for (dlp_index t = 0; t < s->T && s->seen[v]; t++) {
            const double *counts = ctm->counts + (t * s->V + v) * stride,
                         *beta = ctm->shared.beta + (t * s->V + v) * stride;
            for (dlp_index k = 0; k < K; k++) {
                N[t * stride + k] += counts[k] + smooth;
                if (t > 0) c[t * stride + k] += log(beta[k] / (beta - s->V * stride)[k]);
            }
        }
}

/* Puts new exp(eta) of a chunk of terms in the place of their counts, and adds them up
   over terms. */
static void move_chunk(const dlp_ctm *ctm, dlp_index chunk)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index stride = ctm->shared.stride, n = s->T * stride;
    double *Z = s->part + chunk * (2 * n + 2), *room = Z + n, *squares = room + n;
    memset(Z, 0, (size_t)(2 * n + 2) * sizeof *Z);
    for (dlp_index v = s->V * chunk / CHUNKS; v < s->V * (chunk + 1) / CHUNKS; v++) {
        if (!s->seen[v]) continue;
        const chains x = chains_of(ctm, chunk, v);
        shift_chains(&x, room);
        for (int i = 0; i < NEWTON; i++) newton(&x, room);
        add_steps(&x, squares, squares + 1);
        for (dlp_index t = 0; t < x.T; t++) {
            double *counts = ctm->counts + (t * x.V + v) * stride;
            dlp_exp_array(x.K, x.eta + t * stride, counts);
            for (dlp_index k = 0; k < x.K; k++) Z[t * stride + k] += counts[k];
        }
    }
}

/* beta = exp(eta) / Z; returns how far it moved, in words. */
static double take_chunk(const dlp_ctm *ctm, dlp_index chunk, const double *Z)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, stride = ctm->shared.stride;
    double moved = 0;
    for (dlp_index v = s->V * chunk / CHUNKS; v < s->V * (chunk + 1) / CHUNKS; v++)
        for (dlp_index t = 0; t < s->T && s->seen[v]; t++) {
            const double *counts = ctm->counts + (t * s->V + v) * stride;
            double *beta = ctm->shared.beta + (t * s->V + v) * stride;
            for (dlp_index k = 0; k < K; k++) {
                const double new = fmax(counts[k] / Z[t * stride + k], 1e-300);
                moved += s->N[t * stride + k] * fabs(new - beta[k]);
                beta[k] = new;
            }
        }
    return moved;
}

/* The sums of all chunks, in their order, into the first. */
static double *add_parts(const dlpi_slices *s, dlp_index stride)
{
    const dlp_index n = 2 * s->T * stride + 2;
    for (dlp_index c = 1; c < CHUNKS; c++)
        for (dlp_index i = 0; i < n; i++) s->part[i] += s->part[c * n + i];
    return s->part;
}

static void set_sums(const dlp_ctm *ctm)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index stride = ctm->shared.stride, n = s->T * stride;
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = 0; c < CHUNKS; c++) sum_chunk(ctm, c);
    const double *sums = add_parts(s, stride);
    for (dlp_index i = 0; i < n; i++) {
        s->N[i] = sums[i];
        s->c[i] = sums[n + i] / (double)s->n_seen;
    }
}

/* drift^2 = sum of squares of steps / how many of them the counts determine (MacKay
   1992) */
static void fit_drift(dlpi_slices *s, double squares, double told)
{
    if (s->fixed_drift > 0 || s->T == 1) return;
    const double drift = told > 0 ? sqrt(squares / told) : s->drift;
    if (isfinite(drift)) s->drift = fmin(fmax(drift, LEAST_DRIFT), MOST_DRIFT);
}

void dlpi_slices_m_step(dlp_ctm *ctm)
{
    dlpi_slices *s = ctm->slices;
    const dlp_index stride = ctm->shared.stride, n = s->T * stride;
    double moved = 0, words = 0;
    if (s->content) {
        dlpi_content_m_step(ctm);
        return;
    }
    set_sums(ctm);
#pragma omp parallel for schedule(dynamic) num_threads(ctm->settings.threads)
    for (dlp_index c = 0; c < CHUNKS; c++) move_chunk(ctm, c);
    double *sums = add_parts(s, stride), *part = sums + n;
    const double squares = part[n], told = part[n + 1];
#pragma omp parallel for schedule(static) num_threads(ctm->settings.threads)
    for (dlp_index c = 0; c < CHUNKS; c++)
        s->part[c * (2 * n + 2) + 2 * n] = take_chunk(ctm, c, sums);
    for (dlp_index c = 0; c < CHUNKS; c++) moved += s->part[c * (2 * n + 2) + 2 * n];
    for (dlp_index i = 0; i < n; i++) words += s->N[i];
    fit_drift(s, squares, told);
    ctm->moved = 0.5 * moved / words;
}

/* ---- what was found ---- */

void dlpi_slices_mean(const dlp_ctm *ctm, double *beta)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K, V = s->V, stride = ctm->shared.stride;
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index v = 0; v < V; v++) {
            beta[k * V + v] = 0;
            for (dlp_index t = 0; t < s->T; t++)
                beta[k * V + v] +=
                    s->weight[t] * ctm->shared.beta[(t * V + v) * stride + k];
        }
}

static void take_term(const dlp_ctm *ctm, dlp_index v, dlp_topic_slices *to)
{
    const dlpi_slices *s = ctm->slices;
    const dlp_index K = ctm->shared.K;
    for (dlp_index t = 0; t < s->T; t++)
        for (dlp_index k = 0; k < K; k++)
            to->beta[(t * K + k) * s->V + v] =
                ctm->shared.beta[(t * s->V + v) * ctm->shared.stride + k];
}

dlp_status dlp_ctm_slices(dlp_ctm *ctm, dlp_topic_slices *slices, dlp_error *error)
{
    const dlpi_slices *s = ctm->slices;
    *slices = (dlp_topic_slices){0};
    if (!s || s->content) return dlp_fail(error, DLP_EINVAL, "the topics do not drift");
    const dlp_index n = dlpi_size(dlpi_size(s->T, ctm->shared.K, 0), s->V, 0);
    slices->beta = dlpi_calloc(n, sizeof *slices->beta);
    slices->sd = dlpi_calloc(n, sizeof *slices->sd);
    if (!slices->beta || !slices->sd) {
        dlp_topic_slices_free(slices);
        return dlpi_no_memory(error, "the topics of slices");
    }
    slices->T = s->T;
    slices->K = ctm->shared.K;
    slices->V = s->V;
    slices->drift = s->drift;
    if (!ctm->summed) dlpi_ctm_sum_again(ctm);
    set_sums(ctm);
    for (dlp_index v = 0; v < s->V; v++)
        if (s->seen[v]) take_term(ctm, v, slices);
    const dlp_status status = dlpi_slices_spread(ctm, slices, error);
    if (status != DLP_OK) dlp_topic_slices_free(slices);
    return status;
}

dlp_slice_word dlp_topic_slices_word(const dlp_topic_slices *slices, dlp_index t,
                                     dlp_index k, dlp_index term)
{
    const dlp_index at = (t * slices->K + k) * slices->V + term;
    const double beta = slices->beta[at], off = 1.96 * slices->sd[at];
    return (dlp_slice_word){beta, beta * exp(-off), fmin(beta * exp(off), 1)};
}

void dlp_topic_slices_free(dlp_topic_slices *slices)
{
    free(slices->beta);
    free(slices->sd);
    *slices = (dlp_topic_slices){0};
}

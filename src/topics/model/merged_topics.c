/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What merged topics are. theta'_g = log sum_{k in g} exp theta_k, so that softmax(theta') has
 * the shares of the topics of g added up. With theta ~ N(m, Sigma), w(theta) the shares
 * within a group and W = E w, by Stein's lemma
 *
 *     theta'_g = W_g'(theta - m) + r_g,     Cov(theta, r_g) = 0,
 *
 * and so Cov(theta') = W Sigma W' + Cov(r). Topics by themselves have r = 0; W and Cov(r)
 * of the others are averages over draws of their theta.
 */
#include "topics/model/merged_topics.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <delaplace/random.h>

#include <math.h>
#include <string.h>

enum { PAIRS = 4096 }; /* of antithetic draws */

/* ---- moments of log sums ---- */

typedef struct moments {
    const dlp_topics *fitted;
    const dlp_index *group;
    const double *around;
    dlp_index K, G, n; /* topics of the fit, groups, and topics in groups of several */
    dlp_index *member; /* (n) */
    dlp_index *size;   /* (G) topics of each */
    double *U;         /* (n, n) the factor of their covariance */
    double *theta;   /* (2 K) the first n: a draw; from K on: the normals it is made of */
    double *log_sum; /* (G) of it */
    double *weight;  /* (K) W: mean shares within the group */
    double *mean, *rest; /* (G) of theta', and r of a draw */
    double *spread;      /* (G, G) Cov(r) */
} moments;

static void free_moments(moments *m)
{
    free(m->member);
    free(m->size);
    free(m->U);
    free(m->theta);
    free(m->log_sum);
    free(m->weight);
    free(m->spread);
}

static dlp_status alloc_moments(moments *m, dlp_error *error)
{
    const dlp_index K = m->K, G = m->G;
    m->size = dlpi_calloc(G, sizeof *m->size);
    m->member = dlpi_calloc(K, sizeof *m->member);
    m->weight = dlpi_calloc(K, sizeof *m->weight);
    m->theta = dlpi_calloc(2 * K, sizeof *m->theta);
    m->log_sum = dlpi_calloc(3 * G, sizeof *m->log_sum);
    m->spread = dlpi_calloc(dlpi_size(G, G, 0), sizeof *m->spread);
    if (!m->size || !m->member || !m->weight || !m->theta || !m->log_sum || !m->spread)
        return dlpi_no_memory(error, "merged topics");
    m->mean = m->log_sum + G;
    m->rest = m->mean + G;
    for (dlp_index k = 0; k < K; k++) m->size[m->group[k]]++;
    for (dlp_index k = 0; k < K; k++)
        if (m->size[m->group[k]] > 1) m->member[m->n++] = k;
    m->U = dlpi_calloc(dlpi_size(m->n, m->n, 0), sizeof *m->U);
    return m->U ? DLP_OK : dlpi_no_memory(error, "merged topics");
}

static dlp_status factor(moments *m, dlp_error *error)
{
    for (dlp_index i = 0; i < m->n; i++)
        for (dlp_index j = 0; j < m->n; j++)
            m->U[i * m->n + j] = m->fitted->Sigma0[m->member[i] * m->K + m->member[j]];
    if (m->n == 0 || dlpi_cholesky(m->n, m->U) < 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the covariance of topics is not positive definite");
}

/* log sum exp of each group of several at the members' theta */
static void sum_groups(const moments *m)
{
    for (dlp_index g = 0; g < m->G; g++) m->log_sum[g] = -INFINITY;
    for (dlp_index i = 0; i < m->n; i++) {
        double *sum = &m->log_sum[m->group[m->member[i]]];
        const double x = m->theta[i], most = fmax(*sum, x);
        *sum = most + log(exp(*sum - most) + exp(x - most));
    }
}

/* The draw of a stream, and with sign -1 its mirror image. */
static void draw(const moments *m, int stream, double sign)
{
    double *z = m->theta + m->K;
    dlp_rng rng = dlp_rng_at(1, (uint64_t)stream);
    for (dlp_index i = 0; i < m->n; i++) z[i] = dlp_draw_normal(&rng);
    for (dlp_index i = 0; i < m->n; i++) { /* m + U'z */
        double move = 0;
        for (dlp_index j = 0; j <= i; j++) move += m->U[j * m->n + i] * z[j];
        m->theta[i] = m->around[m->member[i]] + sign * move;
    }
    sum_groups(m);
}

static void add_weights(const moments *m)
{
    for (dlp_index i = 0; i < m->n; i++) {
        const dlp_index k = m->member[i];
        m->weight[k] += exp(m->theta[i] - m->log_sum[m->group[k]]) / (2.0 * PAIRS);
    }
}

/* r = theta' - W'(theta - m), with its squares and its mean, which is that of theta' */
static void add_rest(const moments *m)
{
    double *rest = m->rest;
    for (dlp_index g = 0; g < m->G; g++) rest[g] = m->size[g] > 1 ? m->log_sum[g] : 0;
    for (dlp_index i = 0; i < m->n; i++) {
        const dlp_index k = m->member[i];
        rest[m->group[k]] -= m->weight[k] * (m->theta[i] - m->around[k]);
    }
    for (dlp_index g = 0; g < m->G; g++) m->mean[g] += rest[g] / (2.0 * PAIRS);
    for (dlp_index g = 0; g < m->G; g++)
        for (dlp_index h = 0; h < m->G && m->size[g] > 1; h++)
            m->spread[g * m->G + h] += rest[g] * rest[h] / (2.0 * PAIRS);
}

static void find_moments(const moments *m)
{
    for (int s = 0; m->n > 0 && s < 2 * PAIRS; s++) {
        draw(m, s / 2, s % 2 ? -1 : 1);
        add_weights(m);
    }
    for (int s = 0; m->n > 0 && s < 2 * PAIRS; s++) {
        draw(m, s / 2, s % 2 ? -1 : 1);
        add_rest(m);
    }
    for (dlp_index g = 0; g < m->G; g++)
        for (dlp_index h = 0; h < m->G; h++)
            m->spread[g * m->G + h] -= m->mean[g] * m->mean[h];
    for (dlp_index k = 0; k < m->K; k++)
        if (m->size[m->group[k]] == 1) {
            m->weight[k] = 1;
            m->mean[m->group[k]] = m->around[k];
        }
}

/* ---- the merged topics ---- */

/* W Sigma W' + Cov(r) */
static void merge_sigma(const moments *m, dlp_topics *to)
{
    const dlp_index K = m->K, G = m->G;
    memcpy(to->Sigma0, m->spread, (size_t)(G * G) * sizeof *to->Sigma0);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++)
            to->Sigma0[m->group[i] * G + m->group[j]] +=
                m->weight[i] * m->weight[j] * m->fitted->Sigma0[i * K + j];
}

/* theta'_g is about mean_g + W_g'(Gamma'x - m) */
static void merge_gamma(const moments *m, dlp_topics *to)
{
    const dlp_index K = m->K, G = m->G;
    memcpy(to->Gamma, m->mean, (size_t)G * sizeof *to->Gamma);
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index j = 0; j < to->p; j++)
            to->Gamma[j * G + m->group[k]] +=
                m->weight[k] *
                (m->fitted->Gamma[j * K + k] - (j == 0 ? m->around[k] : 0));
}

static void merge_beta(const dlpi_topic_merge *merge, const dlp_topics *from,
                       double *whole, dlp_topics *to)
{
    const dlp_index V = from->V;
    memset(whole, 0, (size_t)to->K * sizeof *whole);
    for (dlp_index k = 0; k < from->K; k++) whole[merge->group[k]] += merge->share[k];
    for (dlp_index k = 0; k < from->K; k++) {
        const dlp_index g = merge->group[k];
        dlpi_axpy(V, merge->share[k] / whole[g], from->beta + k * V, to->beta + g * V);
    }
}

dlp_status dlpi_merged_topics_make(const dlpi_topic_merge *merge, const dlp_topics *from,
                                   dlp_index G, dlp_topics *to, dlp_error *error)
{
    moments m = {.fitted = from,
                 .group = merge->group,
                 .around = merge->around,
                 .K = from->K,
                 .G = G};
    dlp_status status = dlp_topics_alloc(G, from->V, from->p, to, error);
    if (status == DLP_OK) status = alloc_moments(&m, error);
    if (status == DLP_OK) status = factor(&m, error);
    if (status == DLP_OK) {
        find_moments(&m);
        merge_sigma(&m, to);
        merge_gamma(&m, to);
        merge_beta(merge, from, m.rest, to);
    }
    free_moments(&m);
    if (status != DLP_OK) dlp_topics_free(to);
    return status;
}

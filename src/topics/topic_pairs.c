/* SPDX-License-Identifier: BSD-3-Clause */
/* Which topics go together: their correlations, the strongest of them, and how certain they
   are. */
#include <delaplace/special.h>
#include <delaplace/topic_words.h>

#include "core/core.h"
#include "math/structure.h"

#include <math.h>
#include <stdlib.h>

/* A topic that the documents hardly tell of: beyond, intervals are all of [-1, 1]. */
static const double LEAST_RELIABILITY = 1e-3;

/* Two-sided 95 % of a normal. */
static const double LEVEL = 0.975;

/* ---- correlations ---- */

/* R = C S C: takes the means of rows and columns off, and puts the mean of all back. */
static void centre(dlp_index K, const double *S, double *R)
{
    double whole = 0;
    for (dlp_index i = 0; i < K; i++) {
        double sum = 0;
        for (dlp_index j = 0; j < K; j++) sum += S[i * K + j];
        R[i * K] = sum / (double)K;
        whole += R[i * K] / (double)K;
    }
    /* The first column holds the means of rows until each row and its column are done. */
    for (dlp_index i = K - 1; i >= 0; i--)
        for (dlp_index j = i; j >= 0; j--)
            R[i * K + j] = S[i * K + j] - R[i * K] - R[j * K] + whole;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i + 1; j < K; j++) R[i * K + j] = R[j * K + i];
}

void dlp_topics_correlations(const dlp_topics *topics, double *R)
{
    const dlp_index K = topics->K;
    centre(K, topics->Sigma0, R);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < i; j++) {
            const double scale = sqrt(R[i * (K + 1)]) * sqrt(R[j * (K + 1)]);
            const double r = scale > 0 ? R[i * K + j] / scale : 0;
            R[i * K + j] = R[j * K + i] = fmax(-1, fmin(r, 1));
        }
    for (dlp_index i = 0; i < K; i++) R[i * (K + 1)] = 1;
}

/* ---- reliability ---- */

/* The documents of a fit. */
typedef struct documents {
    const dlp_topics *topics;
    dlp_index D;
    const double *theta;
    const dlp_covariates *X; /* or NULL */
} documents;

/* theta_d less what its covariates say, centred over topics. */
static void centre_document(const documents *all, dlp_index d, double *out)
{
    const dlp_topics *t = all->topics;
    const dlp_covariates *X = all->X;
    const dlp_index K = t->K;
    double mean = 0;
    for (dlp_index k = 0; k < K; k++) {
        out[k] = all->theta[d * K + k];
        for (dlp_index j = 0; X && j < X->p; j++)
            out[k] -= X->X[d * X->p + j] * t->Gamma[j * K + k];
        mean += out[k] / (double)K;
    }
    for (dlp_index k = 0; k < K; k++) out[k] -= mean;
}

/* The variance over documents, by Welford's recurrence; document has room for K. */
static void find_variance(const documents *all, double *document, double *mean,
                          double *variance)
{
    const dlp_index K = all->topics->K, D = all->D;
    for (dlp_index d = 0; d < D; d++) {
        centre_document(all, d, document);
        for (dlp_index k = 0; k < K; k++) {
            const double away = document[k] - mean[k];
            mean[k] += away / (double)(d + 1);
            variance[k] += away * (document[k] - mean[k]) / (double)D;
        }
    }
}

/* (C Sigma_0 C)_kk */
static double centred_variance(const dlp_topics *t, dlp_index k)
{
    const dlp_index K = t->K;
    double row = 0, all = 0;
    for (dlp_index j = 0; j < K; j++) row += t->Sigma0[k * K + j] / (double)K;
    for (dlp_index j = 0; j < K * K; j++) all += t->Sigma0[j] / (double)(K * K);
    return t->Sigma0[k * K + k] - 2 * row + all;
}

dlp_status dlp_topics_reliabilities(const dlp_topics *topics, dlp_index D,
                                    const double *theta, const dlp_covariates *X,
                                    double *rho, dlp_error *error)
{
    const documents all = {topics, D, theta, X};
    const dlp_index K = topics->K;
    double *work = dlpi_calloc(dlpi_size(2, K, 0), sizeof *work);
    if (!work) return dlpi_no_memory(error, "the reliabilities of topics");
    for (dlp_index k = 0; k < K; k++) rho[k] = 0;
    find_variance(&all, work, work + K, rho);
    free(work);
    for (dlp_index k = 0; k < K; k++) {
        const double total = centred_variance(topics, k);
        rho[k] = total > 0 ? rho[k] / total : 0;
        rho[k] = fmin(1, fmax(LEAST_RELIABILITY, rho[k]));
    }
    return DLP_OK;
}

/* From Fisher's z of what is seen to a bound of r. */
static double bound(double z, double root)
{
    return fmin(1, fmax(-1, tanh(z) / root));
}

void dlp_topics_correlation_interval(double r, double rho_i, double rho_j, dlp_index D,
                                     double *lower, double *upper)
{
    const double root = sqrt(rho_i * rho_j);
    const double seen = fmin(0.999999, fmax(-0.999999, r * root));
    const double sd = 1 / sqrt((double)(D > 4 ? D - 3 : 1));
    const double half = dlp_normal_quantile(LEVEL) * sd;
    *lower = bound(atanh(seen) - half, root);
    *upper = bound(atanh(seen) + half, root);
}

/* ---- intervals of all ---- */

dlp_status dlp_topics_associations(const dlp_topics *topics, dlp_index D,
                                   const double *theta, const dlp_covariates *X,
                                   const double *R, dlp_topic_association *pair,
                                   dlp_error *error)
{
    const dlp_index K = topics->K;
    double *rho = dlpi_calloc(K, sizeof *rho);
    if (!rho) return dlpi_no_memory(error, "the reliabilities of topics");
    const dlp_status status = dlp_topics_reliabilities(topics, D, theta, X, rho, error);
    for (dlp_index i = 0; i < K && status == DLP_OK; i++)
        for (dlp_index j = i + 1; j < K; j++, pair++) {
            *pair = (dlp_topic_association){.i = i, .j = j, .correlation = R[i * K + j]};
            dlp_topics_correlation_interval(pair->correlation, rho[i], rho[j], D,
                                            &pair->lower, &pair->upper);
        }
    free(rho);
    return status;
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

dlp_status dlp_topics_threshold(dlp_index n, const dlp_topic_association *pair,
                                dlp_index most, double *threshold, dlp_error *error)
{
    double *lower = dlpi_calloc(n, sizeof *lower);
    dlp_index positive = 0;
    *threshold = 0;
    if (!lower) return dlpi_no_memory(error, "the intervals of correlations");
    for (dlp_index p = 0; p < n; p++)
        if (dlp_topics_go_together(&pair[p], 0)) lower[positive++] = pair[p].lower;
    if (positive > 0) qsort(lower, (size_t)positive, sizeof *lower, descending);
    if (positive > most) *threshold = lower[most];
    free(lower);
    return DLP_OK;
}

/* ---- the strongest ---- */

dlp_index dlp_topics_strongest(dlp_index K, const double *R, dlp_index n,
                               dlp_topic_pair *pair)
{
    dlp_index taken = 0;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i + 1; j < K; j++) {
            const double r = R[i * K + j];
            if (n < 1 || (taken == n && fabs(r) <= fabs(pair[n - 1].correlation)))
                continue;
            dlp_index at = taken < n ? taken++ : n - 1;
            for (; at > 0 && fabs(r) > fabs(pair[at - 1].correlation); at--)
                pair[at] = pair[at - 1];
            pair[at] = (dlp_topic_pair){i, j, r};
        }
    return taken;
}

dlp_index dlp_topics_neighbours(dlp_index K, const double *R, dlp_index k, dlp_index n,
                                dlp_topic_pair *pair)
{
    dlp_index taken = 0;
    for (dlp_index j = 0; j < K && n > 0; j++) {
        const double r = R[k * K + j];
        if (j == k || (taken == n && fabs(r) <= fabs(pair[n - 1].correlation))) continue;
        dlp_index at = taken < n ? taken++ : n - 1;
        for (; at > 0 && fabs(pair[at - 1].correlation) < fabs(r); at--)
            pair[at] = pair[at - 1];
        pair[at] = (dlp_topic_pair){k, j, r};
    }
    return taken;
}

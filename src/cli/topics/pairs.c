/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/pairs.h"

#include <math.h>
#include <stdlib.h>

/* A topic that the documents hardly tell of: beyond, intervals are all of [-1, 1]. */
static const double LEAST_RELIABILITY = 1e-3;

/* theta_d less what its covariates say, centred over topics. */
static void read_document(const cli_topics_folder *folder, const dlp_covariates *X,
                          dlp_index d, double *out)
{
    const dlp_topics *t = &folder->topics;
    const dlp_index K = t->K;
    double mean = 0;
    for (dlp_index k = 0; k < K; k++) {
        out[k] = folder->theta[d * K + k];
        for (dlp_index j = 0; X && j < X->p; j++)
            out[k] -= X->X[d * X->p + j] * t->Gamma[j * K + k];
        mean += out[k] / (double)K;
    }
    for (dlp_index k = 0; k < K; k++) out[k] -= mean;
}

/* The variance over documents, by Welford's recurrence; document has room for K. */
static void vary(const cli_topics_folder *folder, const dlp_covariates *X,
                 double *document, double *mean, double *variance)
{
    const dlp_index K = folder->topics.K, D = folder->D;
    for (dlp_index d = 0; d < D; d++) {
        read_document(folder, X, d, document);
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

double *cli_topics_reliabilities(const cli_topics_folder *folder, const dlp_covariates *X)
{
    const dlp_index K = folder->topics.K;
    double *rho = calloc((size_t)(3 * K), sizeof *rho);
    if (!rho) return NULL;
    vary(folder, X, rho + K, rho + 2 * K, rho);
    for (dlp_index k = 0; k < K; k++) {
        const double total = centred_variance(&folder->topics, k);
        rho[k] = total > 0 ? rho[k] / total : 0;
        rho[k] = fmin(1, fmax(LEAST_RELIABILITY, rho[k]));
    }
    return rho;
}

/* From Fisher's z of what is seen to a bound of r. */
static double bound(double z, double root)
{
    return fmin(1, fmax(-1, tanh(z) / root));
}

cli_interval cli_topics_pair_interval(double r, double rho_i, double rho_j, dlp_index D)
{
    const double root = sqrt(rho_i * rho_j);
    const double seen = fmin(0.999999, fmax(-0.999999, r * root));
    const double sd = 1 / sqrt((double)(D > 4 ? D - 3 : 1));
    const cli_interval z = cli_interval_of(atanh(seen), sd);
    return (cli_interval){bound(z.lower, root), bound(z.upper, root)};
}

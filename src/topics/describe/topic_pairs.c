/* SPDX-License-Identifier: BSD-3-Clause */
/* Which topics go together: their correlations, the strongest of them, and how certain
   they are. */
#include "topics/describe/topic_pairs.h"

#include <delaplace/special.h>

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two-sided 95 % of a normal. */
static const double LEVEL = 0.975;

/* ---- correlations ---- */

/* R = C S C: subtracts the means of rows and columns, and adds the mean of all. */
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

/* The sd of the error that more documents do not reduce, if documents carry no
   information: topics come out purer than they are, and the more so the less a document
   says about its theta. Topics that were given stay as pure as they are where words are
   assigned on average; those of another start may be others. Measured: docs/accuracy.md. */
static const double SYSTEMATIC = 0.28;

/* ---- what the documents' means show ---- */

/* theta_d less what its covariates predict, centred over topics. */
static void centre_document(const dlpi_topic_evidence *all, dlp_index d, double *out)
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

/* By Welford's recurrence. */
void dlpi_topics_find_spread(const dlpi_topic_evidence *all, double *work, double *S)
{
    const dlp_index K = all->topics->K, D = all->D;
    double *document = work, *mean = work + K;
    memset(mean, 0, (size_t)K * sizeof *mean);
    memset(S, 0, (size_t)(K * K) * sizeof *S);
    for (dlp_index d = 0; d < D; d++) {
        centre_document(all, d, document);
        const double weight = (double)d / ((double)(d + 1) * (double)D);
        for (dlp_index k = 0; k < K; k++) {
            document[k] -= mean[k];
            mean[k] += document[k] / (double)(d + 1);
        }
        for (dlp_index i = 0; i < K; i++) {
            const double off = weight * document[i];
            double *restrict row = S + i * K;
            for (dlp_index j = i; j < K; j++) row[j] += off * document[j];
        }
    }
    dlpi_mirror(K, S);
}

/* Omega = C Sigma_0 C; mean (K) to work in */
static void centre_covariance(const dlp_topics *t, double *mean, double *Omega)
{
    const dlp_index K = t->K;
    double all = 0;
    for (dlp_index i = 0; i < K; i++) {
        mean[i] = 0;
        for (dlp_index j = 0; j < K; j++) mean[i] += t->Sigma0[i * K + j] / (double)K;
        all += mean[i] / (double)K;
    }
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++)
            Omega[i * K + j] = t->Sigma0[i * K + j] - mean[i] - mean[j] + all;
}

/* ---- what that tells about the prior's covariance ---- */

/* Matrices (K, K) */
typedef struct information {
    double *Omega; /* C Sigma_0 C */
    double *S;     /* of the documents' means */
    double *seen;  /* Omega S^-1 Omega */
    double *work;  /* two of them */
    double *rho;   /* (K) S_kk / Omega_kk */
    double systematic;
} information;

/* S has no inverse along 1, where nothing varies: S + 11'/K has one, and Omega 1 = 0. */
static bool find_seen(dlp_index K, const information *o)
{
    double *U = o->work, *column = o->rho; /* not yet in use */
    for (dlp_index i = 0; i < K * K; i++) U[i] = o->S[i] + 1 / (double)K;
    if (dlpi_cholesky(K, U) >= 0) return false;
    /* columns of U'^-1 Omega; Omega S^-1 Omega are their products */
    double *rows = U + K * K;
    for (dlp_index j = 0; j < K; j++) {
        memcpy(column, o->Omega + j * K, (size_t)K * sizeof *column);
        dlpi_cholesky_forward(K, U, column);
        memcpy(rows + j * K, column, (size_t)K * sizeof *column);
    }
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++)
            o->seen[i * K + j] = dlpi_dot(K, rows + i * K, rows + j * K);
    dlpi_mirror(K, o->seen);
    return dlpi_all_finite(K * K, o->seen);
}

static void find_reliabilities(dlp_index K, const information *o)
{
    for (dlp_index k = 0; k < K; k++) {
        const double total = o->Omega[k * (K + 1)];
        o->rho[k] = total > 0 ? fmin(1, fmax(0, o->S[k * (K + 1)] / total)) : 0;
    }
}

/*
 * The variance of r_ij by first order, where cov(Omega_ab, Omega_cd) =
 * (seen_ac seen_bd + seen_ad seen_bc) / D, and
 *     dr = dOmega_ij / (s_i s_j) - r/2 (dOmega_ii / s_i^2 + dOmega_jj / s_j^2).
 * Were every theta_d known it would be (1 - r^2)^2 / D, and it is never less.
 */
static double variance_of(dlp_index K, const information *o, dlp_index i, dlp_index j,
                          double r, double D)
{
    const double i2 = o->Omega[i * (K + 1)], j2 = o->Omega[j * (K + 1)];
    const double ii = o->seen[i * (K + 1)] / i2, jj = o->seen[j * (K + 1)] / j2;
    const double ij = o->seen[i * K + j] / sqrt(i2 * j2);
    const double chance = ii * jj + ij * ij - 2 * r * ij * (ii + jj) +
                          r * r * (0.5 * ii * ii + 0.5 * jj * jj + ij * ij);
    const double systematic =
        o->systematic * (1 - o->rho[i]) * (1 - o->rho[j]); /* its sd */
    return fmax(chance, (1 - r * r) * (1 - r * r)) / D + systematic * systematic;
}

/* On Fisher's scale, where the interval stays within [-1, 1]. */
static void interval(double r, double variance, double *lower, double *upper)
{
    const double bounded = fmin(0.999999, fmax(-0.999999, r));
    const double sd = sqrt(variance) / (1 - bounded * bounded);
    const double half = dlp_normal_quantile(LEVEL) * sd;
    *lower = isfinite(half) ? tanh(atanh(bounded) - half) : -1;
    *upper = isfinite(half) ? tanh(atanh(bounded) + half) : 1;
}

static void find_intervals(const dlpi_topic_evidence *all, const information *o,
                           double *lower, double *upper)
{
    const dlp_index K = all->topics->K, p = all->topics->p;
    const double D = all->worth - (double)(p + K);
    const bool told = D > 0 && find_seen(K, o);
    find_reliabilities(K, o);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++) {
            const dlp_index at = i * K + j;
            const double scale = o->Omega[i * (K + 1)] * o->Omega[j * (K + 1)];
            const double r = o->Omega[at] / sqrt(scale);
            lower[at] = i == j ? 1 : -1;
            upper[at] = 1;
            if (told && i != j && scale > 0)
                interval(r, variance_of(K, o, i, j, r, D), &lower[at], &upper[at]);
        }
}

/* Omega and S; the rest has room */
static dlp_status measure(const dlpi_topic_evidence *all, information *o,
                          dlp_error *error)
{
    const dlp_index K = all->topics->K, square = dlpi_size(K, K, 0);
    double *block = dlpi_calloc(dlpi_size(5, square, K), sizeof *block);
    if (!block) return dlpi_no_memory(error, "the intervals of correlations");
    *o = (information){.Omega = block,
                       .S = block + square,
                       .seen = block + 2 * square,
                       .work = block + 3 * square,
                       .rho = block + 5 * square,
                       .systematic = all->given ? 0 : SYSTEMATIC};
    if (all->spread && !all->X)
        memcpy(o->S, all->spread, (size_t)square * sizeof *o->S);
    else
        dlpi_topics_find_spread(all, o->work, o->S);
    centre_covariance(all->topics, o->work, o->Omega);
    return DLP_OK;
}

dlp_status dlpi_topics_find_intervals(const dlpi_topic_evidence *evidence, double *lower,
                                      double *upper, dlp_error *error)
{
    information o;
    DLP_TRY(measure(evidence, &o, error));
    find_intervals(evidence, &o, lower, upper);
    free(o.Omega);
    return DLP_OK;
}

dlp_status dlpi_topics_find_reliability(const dlpi_topic_evidence *evidence,
                                        double *reliability, dlp_error *error)
{
    const dlp_index K = evidence->topics->K;
    information o;
    DLP_TRY(measure(evidence, &o, error));
    find_reliabilities(K, &o);
    *reliability = 0;
    for (dlp_index k = 0; k < K; k++) *reliability += o.rho[k] / (double)K;
    free(o.Omega);
    return DLP_OK;
}

/*
 * In an update, the sums of former documents have a share w of all documents. The words of
 * fresh documents hold only a part i of what these would tell about Sigma_0 if their
 * proportions were known; EM fills in the rest by Sigma_0 itself. Errors of the former sums,
 * and of what the fresh words say, thus enter Sigma_0 with the weights a and 1 - a,
 *
 *     a = w / (w + (1 - w) i),
 *
 * where sums that are revised would have w and 1 - w. With errors like those of D_1 and D_2
 * documents, all are worth 1 / (a^2 / D_1 + (1 - a)^2 / D_2).
 */
double dlpi_topics_joint_worth(double former, double weight, double fresh, double told)
{
    const double w = weight / (weight + fresh), a = w / (w + (1 - w) * told);
    return 1 / (a * a / former + (1 - a) * (1 - a) / fresh);
}

dlp_status dlp_topics_correlation_intervals(const dlp_topics *topics, dlp_index D,
                                            const double *theta, const dlp_covariates *X,
                                            double *lower, double *upper,
                                            dlp_error *error)
{
    const dlpi_topic_evidence all = {topics, D, theta, X, NULL, (double)D, false};
    return dlpi_topics_find_intervals(&all, lower, upper, error);
}

/* ---- intervals of all ---- */

dlp_status dlpi_topics_find_associations(const dlpi_topic_evidence *evidence,
                                         const double *R, dlp_topic_association *pair,
                                         dlp_error *error)
{
    const dlp_index K = evidence->topics->K;
    double *lower = dlpi_calloc(2 * K * K, sizeof *lower);
    if (!lower) return dlpi_no_memory(error, "the intervals of correlations");
    const double *upper = lower + K * K;
    const dlp_status status =
        dlpi_topics_find_intervals(evidence, lower, lower + K * K, error);
    for (dlp_index i = 0; i < K && status == DLP_OK; i++)
        for (dlp_index j = i + 1; j < K; j++) {
            const dlp_index at = i * K + j;
            *pair++ = (dlp_topic_association){.i = i,
                                              .j = j,
                                              .correlation = R[at],
                                              .lower = lower[at],
                                              .upper = upper[at]};
        }
    free(lower);
    return status;
}

dlp_status dlp_topics_associations(const dlp_topics *topics, dlp_index D,
                                   const double *theta, const dlp_covariates *X,
                                   const double *R, dlp_topic_association *pair,
                                   dlp_error *error)
{
    const dlpi_topic_evidence all = {topics, D, theta, X, NULL, (double)D, false};
    return dlpi_topics_find_associations(&all, R, pair, error);
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

/* ---- neighbours ---- */

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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words never leave less known about theta than the prior does. At a mode this can seem
 * so: where words fit two topics equally well, the objective has two modes, and near the
 * point where one of them ends it is flat. The inverse of its curvature A then has sds of
 * many times the prior's there, and the shift to the mean, which is proportional to their
 * cube, leads anywhere.
 *
 * With Sigma_0 = R'R and R A R' = V diag(w) V', the covariance is R'V diag(1/w) V'R. Every
 * w is raised to the least that the prior allows; where all are above it, A^-1 stays.
 */
#include "math/dense.h"
#include "math/eigen.h"
#include "topics/ctm/ctm.h"

#include <math.h>
#include <string.h>

/* In no direction is the variance more than 1 / LEAST_KNOWN of the prior's. It is below 1,
   as all directions that no word tells about have the prior's to within rounding. */
static const double LEAST_KNOWN = 0.95;

/* Whether A - LEAST_KNOWN P0 is positive definite; M (K, K) to work in */
static bool is_bounded(const dlpi_ctm_document *doc, double *M)
{
    const dlp_index K = doc->shared->K, stride = doc->shared->stride;
    for (dlp_index i = 0; i < K; i++) {
        const double *restrict P0 = doc->shared->P0 + i * stride, *A = doc->A + i * K;
        for (dlp_index j = 0; j < K; j++) M[i * K + j] = A[j] - LEAST_KNOWN * P0[j];
    }
    return dlpi_cholesky(K, M) < 0;
}

/* B = diag(1/sqrt(w)) V R, for the rows V (K, K) and the upper triangle R */
static void scale_root(dlp_index K, const double *w, const double *V, const double *R,
                       double *B)
{
    for (dlp_index i = 0; i < K; i++) {
        const double by = 1 / sqrt(fmax(w[i], LEAST_KNOWN));
        double *row = B + i * K;
        memset(row, 0, (size_t)K * sizeof *row);
        for (dlp_index l = 0; l < K; l++)
            dlpi_axpy(K - l, by * V[i * K + l], R + l * (K + 1), row + l);
    }
}

/* Sigma = B'B */
static void square(dlp_index K, const double *B, double *Sigma)
{
    memset(Sigma, 0, (size_t)(K * K) * sizeof *Sigma);
    for (dlp_index l = 0; l < K; l++)
        for (dlp_index i = 0; i < K; i++)
            dlpi_axpy(K - i, B[l * K + i], B + l * K + i, Sigma + i * (K + 1));
    dlpi_mirror(K, Sigma);
}

bool dlpi_ctm_bound_covariance(dlpi_ctm_document *doc, double *Sigma)
{
    const dlp_index K = doc->shared->K;
    double *R = doc->work, *B = doc->Sigma, *w = doc->spare;
    dlpi_ctm_curvature_of_pairs(doc, doc->A);
    if (is_bounded(doc, R)) return true;
    memcpy(R, doc->shared->Sigma0, (size_t)(K * K) * sizeof *R);
    if (dlpi_cholesky(K, R) >= 0) return false;
    dlpi_ctm_congruence(K, R, B, doc->A);
    dlpi_mirror(K, doc->A);
    if (!dlpi_eigen(K, doc->A, w, w + doc->shared->stride)) return false;
    scale_root(K, w, doc->A, R, B);
    square(K, B, Sigma);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/prior_leap.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/structure.h"

#include <math.h>
#include <string.h>

/* EM is slow in as many directions as the groups say little of, and an iteration of it is
   dear: School, with 28 coefficients, takes 68 of them by delta, and 84 with a depth of
   8. */
enum { DEPTH = 30 };

dlp_status dlpi_prior_leap_alloc(dlpi_prior_leap *leap, dlp_index n, dlp_error *error)
{
    const dlp_index square = dlpi_size(n, n, 0), size = dlpi_size(1, square / 2, 2 * n);
    memset(leap, 0, sizeof *leap);
    leap->n = n;
    leap->from = dlpi_calloc(dlpi_size(3, size, square), sizeof *leap->from);
    if (!leap->from) return dlpi_no_memory(error, "the acceleration of the hierarchy");
    leap->to = leap->from + size;
    leap->next = leap->to + size;
    leap->U = leap->next + size;
    return dlpi_anderson_alloc(&leap->anderson, n + n * (n + 1) / 2, DEPTH, error);
}

void dlpi_prior_leap_free(dlpi_prior_leap *leap)
{
    dlpi_anderson_free(&leap->anderson);
    free(leap->from);
    memset(leap, 0, sizeof *leap);
}

void dlpi_prior_leap_reset(dlpi_prior_leap *leap)
{
    dlpi_anderson_reset(&leap->anderson);
}

/* false when the covariance is not positive definite */
static bool to_coordinates(dlpi_prior_leap *leap, const double *mean,
                           const double *covariance, double *x)
{
    const dlp_index n = leap->n;
    double *U = leap->U;
    memcpy(U, covariance, (size_t)(n * n) * sizeof *U);
    if (dlpi_cholesky(n, U) >= 0) return false;
    for (dlp_index j = 0; j < n; j++) {
        const double scale = U[j * n + j];
        *x++ = mean[j] / scale;
        *x++ = log(scale);
        for (dlp_index i = 0; i < j; i++) *x++ = U[i * n + j] / scale;
    }
    return true;
}

/* false, with the Gaussian untouched, where it would overflow */
static bool from_coordinates(dlpi_prior_leap *leap, const double *x, double *mean,
                             double *covariance)
{
    const dlp_index n = leap->n;
    double *U = leap->U;
    memset(U, 0, (size_t)(n * n) * sizeof *U);
    for (dlp_index j = 0, at = 0; j < n; at += j + 2, j++) {
        const double scale = exp(x[at + 1]);
        leap->from[j] = x[at] * scale;
        for (dlp_index i = 0; i < j; i++) U[i * n + j] = x[at + 2 + i] * scale;
        U[j * n + j] = scale;
    }
    if (!dlpi_all_finite(n, leap->from) || !dlpi_all_finite(n * n, U)) return false;
    memcpy(mean, leap->from, (size_t)n * sizeof *mean);
    memset(covariance, 0, (size_t)(n * n) * sizeof *covariance);
    for (dlp_index k = 0; k < n; k++)
        for (dlp_index i = k; i < n; i++)
            for (dlp_index j = k; j < n; j++)
                covariance[i * n + j] += U[k * n + i] * U[k * n + j];
    return true;
}

bool dlpi_prior_leap_next(dlpi_prior_leap *leap, const double *mean_before,
                          const double *covariance_before, double *mean,
                          double *covariance)
{
    return to_coordinates(leap, mean_before, covariance_before, leap->from) &&
           to_coordinates(leap, mean, covariance, leap->to) &&
           dlpi_anderson_next(&leap->anderson, leap->from, leap->to, leap->next) &&
           from_coordinates(leap, leap->next, mean, covariance);
}

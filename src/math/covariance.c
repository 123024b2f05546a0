/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/covariance.h"

#include "math/dense.h"

#include <math.h>

/* Tolerance of a correlation: above rounding, and too small for anyone to notice. */
static const double ROUNDING = 1e-6;

/* The correlation of i and j. With a variable that does not vary it is 0, or infinite if
   the covariance is not 0. */
static double correlation(dlp_index n, const double *S, dlp_index i, dlp_index j)
{
    const double covariance = S[i * n + j];
    return covariance == 0 ? 0 : covariance / (sqrt(S[i * n + i]) * sqrt(S[j * n + j]));
}

bool dlpi_is_covariance(dlp_index n, const double *S, double *work)
{
    for (dlp_index i = 0; i < n; i++) {
        if (!(S[i * n + i] >= 0)) return false;
        work[i * n + i] = 1 + ROUNDING;
        for (dlp_index j = 0; j < i; j++) {
            const double r = correlation(n, S, i, j);
            if (!(fabs(r - correlation(n, S, j, i)) <= ROUNDING)) return false;
            work[i * n + j] = work[j * n + i] = r;
        }
    }
    return dlpi_cholesky(n, work) < 0;
}

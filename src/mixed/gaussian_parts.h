/* SPDX-License-Identifier: BSD-3-Clause */
/* The two parts of a normal log density that every leaf uses. Internal. */
#ifndef DLPI_MIXED_GAUSSIAN_PARTS_H
#define DLPI_MIXED_GAUSSIAN_PARTS_H

#include "math/dense.h"

#include <math.h>

/* 1/2 b'P b */
static inline double dlpi_half_quadratic(dlp_index q, const double *P, const double *b)
{
    double sum = 0;
    for (dlp_index i = 0; i < q; i++) sum += b[i] * dlpi_dot(q, P + i * q, b);
    return 0.5 * sum;
}

/* 1/2 log det U'U */
static inline double dlpi_half_log_det(dlp_index q, const double *U)
{
    double sum = 0;
    for (dlp_index i = 0; i < q; i++) sum += log(U[i * (q + 1)]);
    return sum;
}

#endif

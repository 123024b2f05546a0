/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor's entries in the table of dlpi_band (structure.h). Internal. */
#ifndef DLPI_MATH_BAND_FACTOR_H
#define DLPI_MATH_BAND_FACTOR_H

#include "math/symmetric/structure.h"

/* How many entries row i has beyond the diagonal. */
static inline dlp_index dlpi_band_width(const dlp_shape *shape, dlp_index i)
{
    const dlp_index left = shape->n - 1 - i;
    return left < shape->bandwidth ? left : shape->bandwidth;
}

dlp_index dlpi_band_factor_size(const dlp_shape *shape);
dlp_index dlpi_band_factor(dlp_cholesky *F, const dlp_sym *P);
void dlpi_band_solve(const dlp_cholesky *F, double *b);
double dlpi_band_log_det(const dlp_cholesky *F);
void dlpi_band_inverse(const dlp_cholesky *F, dlp_sym *Sigma);
void dlpi_band_draw(const dlp_cholesky *F, double *z);
void dlpi_band_whiten(const dlp_cholesky *F, double *z);
void dlpi_band_multiply_root(const dlp_cholesky *F, double *z);

#endif

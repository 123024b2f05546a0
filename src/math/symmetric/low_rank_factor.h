/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor's entries in the table of dlpi_low_rank (structure.h). Internal. */
#ifndef DLPI_MATH_LOW_RANK_FACTOR_H
#define DLPI_MATH_LOW_RANK_FACTOR_H

#include "math/symmetric/structure.h"

dlp_index dlpi_low_rank_factor_size(const dlp_shape *shape);
dlp_index dlpi_low_rank_factor(dlp_cholesky *F, const dlp_sym *P);
void dlpi_low_rank_solve(const dlp_cholesky *F, double *b);
double dlpi_low_rank_log_det(const dlp_cholesky *F);
void dlpi_low_rank_inverse(const dlp_cholesky *F, dlp_sym *Sigma);
void dlpi_low_rank_draw(const dlp_cholesky *F, double *z);
void dlpi_low_rank_whiten(const dlp_cholesky *F, double *z);
void dlpi_low_rank_multiply_root(const dlp_cholesky *F, double *z);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The factor's entries in the table of dlpi_bordered (structure.h). Internal. */
#ifndef DLPI_MATH_BORDERED_FACTOR_H
#define DLPI_MATH_BORDERED_FACTOR_H

#include "math/symmetric/structure.h"

/* The shape of the blocks alone. */
dlp_shape dlpi_bordered_head(const dlp_shape *shape);
/* The blocks as a matrix of their own, over A's storage. */
dlp_sym dlpi_bordered_blocks(const dlp_sym *A);

dlp_index dlpi_bordered_factor_size(const dlp_shape *shape);
dlp_index dlpi_bordered_factor(dlp_cholesky *F, const dlp_sym *P);
void dlpi_bordered_solve(const dlp_cholesky *F, double *b);
double dlpi_bordered_log_det(const dlp_cholesky *F);
void dlpi_bordered_inverse(const dlp_cholesky *F, dlp_sym *Sigma);
void dlpi_bordered_draw(const dlp_cholesky *F, double *z);
void dlpi_bordered_whiten(const dlp_cholesky *F, double *z);
void dlpi_bordered_multiply_root(const dlp_cholesky *F, double *z);

#endif

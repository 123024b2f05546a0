/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leaves of a multinomial regression with K levels: a row has D = K - 1 linear predictors,
 *
 *   l = eta_y - log sum_k exp eta_k,  eta_0 = 0,  eta_k = x'beta_k + z'b_k + ...,
 *   l_k = [y = k] - pi_k,  l_kl = -([k = l] pi_k - pi_k pi_l),
 *
 * and a leaf the effects b_1, ..., b_D on them, which are integrated out together: as in
 * leaves.h, with sums over predictors. Internal.
 */
#ifndef DLPI_MIXED_SOFTMAX_H
#define DLPI_MIXED_SOFTMAX_H

#include "mixed/leaves/leaves.h"

enum { DLPI_SOFTMAX_EFFECTS = 6 }; /* of a level, by quadrature; of more by Laplace */

/* What one thread needs. */
typedef struct dlpi_softmax_work dlpi_softmax_work;
dlp_status dlpi_softmax_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                   dlpi_softmax_work **work, dlp_error *error);
void dlpi_softmax_work_free(dlpi_softmax_work *work); /* fine on NULL */

/* As dlpi_leaf_integrate. */
dlpi_leaf dlpi_softmax_integrate(dlpi_softmax_work *work, const dlpi_leaf_prior *prior,
                                 dlp_index g, const double *x, double *b);

#endif

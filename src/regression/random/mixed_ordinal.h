/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coefficients of an ordinal regression with random effects. theta is beta, then delta;
 * the mixed model that is fitted (mixed/levels/ordinal.h) has delta before the columns of smooths.
 * Internal.
 */
#ifndef DLPI_REGRESSION_MIXED_ORDINAL_H
#define DLPI_REGRESSION_MIXED_ORDINAL_H

#include "mixed/fit.h"
#include "regression/prepare/basis.h"

/* The place in theta of each coefficient of the data, J of which are cut points: place
   (data->p). */
void dlpi_place_coefficients(const dlpi_mixed_data *data, dlp_index J, dlp_index *place);

/* Puts what was found into the order of theta. */
dlp_status dlpi_move_coefficients(const dlp_index *place, dlpi_mixed_result *found,
                                  dlp_error *error);

/* The margins (J) of cut points, with the moments of found->linear. Given mu (n) and
   Sigma (n, n), those of theta without the basis, they also have the shape that delta
   implies. */
dlp_status dlpi_cut_margins(const dlpi_basis *basis, const dlpi_mixed_result *found,
                            dlp_index J, const double *mu, const double *Sigma,
                            dlp_margin *margin, dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Covariances between the effects of two terms, for pairs of levels that occur together
 * in some row: the variance of that row's linear predictor needs these and no others.
 * Given psi they are all among the entries of H, since a leaf sees the levels of its
 * rows. Internal.
 */
#ifndef DLPI_MIXED_PAIRS_H
#define DLPI_MIXED_PAIRS_H

#include "mixed/block.h"
#include "mixed/fit.h"

/* Where the moments of leaf g begin among those of all leaves: mean (q), variance (q, q),
   then covariances (q, wide) with the part of x that the leaf sees, beta last; if
   `whole`, with all of x. At g = L: the total number. */
dlp_index dlpi_leaf_place(const dlpi_mixed *model, dlp_index g);
dlp_index dlpi_leaf_wide(const dlpi_mixed *model, dlp_index g);

/* The pairs of all terms, with all covariances 0. */
dlp_status dlpi_mixed_pairs_make(const dlpi_mixed *model, dlpi_mixed_result *result,
                                 dlp_error *error);
/* Adds weight E[b b'] at a point, where leaves holds the moments of all leaves. */
void dlpi_mixed_pairs_add(const dlpi_mixed *model, const dlpi_mixed_block *block,
                          const double *leaves, double weight, dlpi_mixed_result *result);
/* From sums, divided by the total weight, to covariances. */
void dlpi_mixed_pairs_centre(double weight, dlpi_mixed_result *result);

/* corrected_effects.c. Updates the effects when beta's mean moves by `shift` (p) and its
   covariance changes from V to `after` (p, p): the part of them that is linear in beta
   moves along. V is overwritten; room (2 p (p + 1)). */
void dlpi_mixed_correct_effects(double *V, const double *after, const double *shift,
                                double *room, dlpi_mixed_result *result);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Covariances between the effects of two terms, for the levels that some row has together:
 * what the variance of that row's linear predictor needs, and no more. Given psi they are all
 * known where H has entries, for a leaf sees the levels of its rows. Internal.
 */
#ifndef DLPI_MIXED_PAIRS_H
#define DLPI_MIXED_PAIRS_H

#include "mixed/block.h"
#include "mixed/fit.h"

/* Where in the moments of all leaves those of leaf g begin: mean (q), variance (q, q),
   then covariances (q, wide) with x where the leaf sees it, beta last; of a `whole` one with
   all of x. At g = L: how many there are. */
dlp_index dlpi_leaf_place(const dlpi_mixed *model, dlp_index g);
dlp_index dlpi_leaf_wide(const dlpi_mixed *model, dlp_index g);

/* The pairs of all terms, with covariances 0. */
dlp_status dlpi_mixed_pairs_make(const dlpi_mixed *model, dlpi_mixed_result *result,
                                 dlp_error *error);
/* Adds weight E[b b'] at a point, where leaves has the moments of all leaves. */
void dlpi_mixed_pairs_add(const dlpi_mixed *model, const dlpi_mixed_block *block,
                          const double *leaves, double weight, dlpi_mixed_result *result);
/* From sums, divided by the weight of all, to covariances. */
void dlpi_mixed_pairs_centre(double weight, dlpi_mixed_result *result);

/* corrected_effects.c. What the effects do when beta's mean moves by `shift` (p) and its covariance V
   becomes `after` (p, p): what is linear in beta goes along. V is used up; room
   (2 p (p + 1)). */
void dlpi_mixed_correct_effects(double *V, const double *after, const double *shift,
                                double *room, dlpi_mixed_result *result);

#endif

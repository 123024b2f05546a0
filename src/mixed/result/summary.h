/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of a mixed model, once psi has been explored. Internal. */
#ifndef DLPI_MIXED_SUMMARY_H
#define DLPI_MIXED_SUMMARY_H

#include "infer/explore.h"
#include "mixed/block.h"
#include "mixed/fit.h"
#include "mixed/scales/scale_mixture.h"

dlp_status dlpi_mixed_result_alloc(const dlpi_mixed_data *data, dlpi_mixed_result *result,
                                   dlp_error *error);

/* Room for the effects of a term, with p coefficients; false when out of memory. */
bool dlpi_mixed_effects_alloc(const dlpi_mixed_term *term, dlp_index p,
                              dlpi_mixed_effects *effects);

/* beta and the effects of all levels: the mixture over the points of psi. Workers look at
   the points, and the results are added one after the other. */
typedef struct dlpi_effects dlpi_effects;
dlp_status dlpi_effects_begin(const dlpi_mixed *model, const dlpi_explore *e,
                              dlpi_mixed_block *block, int threads,
                              dlpi_mixed_result *result, dlpi_effects **effects,
                              dlp_error *error);
/* is_sharp: the scales are known so well that the covariance of x given them is taken to
   be that at their mode, where worker 0 holds it, dense. Only what the means add to it
   varies from point to point. */
void dlpi_effects_look(dlpi_effects *effects, int worker, bool is_sharp);
void dlpi_effects_take(dlpi_effects *effects, int worker, int point, double weight);
/* What a worker saw at a point: (seen) numbers besides those of its block. The worker may
   be in another process. */
dlp_index dlpi_effects_seen(const dlpi_effects *effects);
void dlpi_effects_copy_seen(const dlpi_effects *effects, int worker, double *to);
void dlpi_effects_set_seen(dlpi_effects *effects, int worker, const double *from);
/* What was taken so far. */
void dlpi_effects_forget(dlpi_effects *effects);
/* Moves the means of the effects by shift: of x (n), where beta's part is ignored, then
   of the leaves (L, q). Call before the end. */
void dlpi_effects_shift(dlpi_effects *effects, const double *shift);
dlp_status dlpi_effects_end(dlpi_effects *effects, dlp_error *error);
/* After the end: what was found about beta at the points. The effects keep ownership. */
dlpi_taken dlpi_effects_taken(const dlpi_effects *effects);
void dlpi_effects_free(dlpi_effects *effects); /* fine on NULL */

/* Sds, correlations and the scale, and the points to draw them from. */
dlp_status dlpi_summarise_hyper(const dlpi_mixed *model, const dlpi_explore *e,
                                const dlpi_taken *taken, dlpi_mixed_result *result,
                                dlp_error *error);

/* Where levels are divided among processes: the effects of a process's own become those of
   all. n: beta and tau. */
dlp_status dlpi_effects_gather(const dlpi_mixed_data *data, dlpi_mixed_effects *effects,
                               dlp_index n, dlp_error *error);

#endif

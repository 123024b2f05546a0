/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gaps in a block: rows are linear in the gaps g, but x holds their logarithms, g =
 * exp(x). A function f of g has the gradient g f_g by x, and the Hessian g g' f_gg +
 * diag(g f_g). Internal.
 */
#ifndef DLPI_MIXED_GAPS_H
#define DLPI_MIXED_GAPS_H

#include "mixed/block.h"
#include "mixed/fit.h"

/* linear, from x. */
void dlpi_gaps_open(dlpi_mixed_block *block);
/* Turns the rows' gradient and H by the gaps into those by x, and adds what the gaps
   themselves contribute to the log likelihood, which is returned, and to both. */
double dlpi_gaps_close(dlpi_mixed_block *block);
/* Turns the slopes (q, m) of a leaf by the gaps into those by x. */
void dlpi_gaps_scale(const dlpi_mixed_block *block, dlp_index q, dlp_index m,
                     double *slope);

/*
 * Moments of beta with gaps instead of their logarithms, over n points psi with weights w
 * (n), means m (n, p) and covariances S (n, p, p): result->linear. A gap informed by few
 * rows is roughly a gamma variable g; its logarithm is far from normal, and a lognormal's
 * variance far too large, but with d the mode of log g, the mean exp(d) and the variance
 * exp(2d) / curvature are exactly those of a gamma variable. So the shift (p), in sds,
 * and the stretch (p) that turned modes into means are undone here. shift NULL: they are
 * modes.
 */
void dlpi_gaps_summarise(const dlpi_mixed_gaps *gaps, int n, const double *w,
                         const double *m, const double *S, const double *shift,
                         const double *stretch, dlpi_mixed_result *result);

#endif

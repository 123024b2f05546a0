/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Gaps in a block: rows are linear in the gaps, x has their logarithms. With g = exp(x) of
 * each, a function of g has by x the gradient g f_g and the Hessian g g' f_gg + diag(g f_g).
 * Internal.
 */
#ifndef DLPI_MIXED_GAPS_H
#define DLPI_MIXED_GAPS_H

#include "mixed/block.h"
#include "mixed/fit.h"

/* linear, from x. */
void dlpi_gaps_open(dlpi_mixed_block *block);
/* The gradient and H of the rows by x, where they are by linear; and what the gaps
   themselves add to the log likelihood, which is returned, and to both. */
double dlpi_gaps_close(dlpi_mixed_block *block);
/* The slopes (q, m) of a leaf by x, where they are by linear. */
void dlpi_gaps_scale(const dlpi_mixed_block *block, dlp_index q, dlp_index m,
                     double *slope);

/*
 * Moments of beta with gaps as they are, over n points psi with weights w (n) where it has
 * means m (n, p) and covariances S (n, p, p): result->linear. A gap of few rows is about a
 * gamma variable g; its logarithm is far from normal, and a lognormal's variance far too
 * large, but by the mode d of log g and the curvature there the mean exp(d) and the variance
 * exp(2d) / curvature are a gamma's own. So means lose what a shift (p), in sds, and a
 * stretch (p) have made of modes. shift NULL: they are modes.
 */
void dlpi_gaps_summarise(const dlpi_mixed_gaps *gaps, int n, const double *w,
                         const double *m, const double *S, const double *shift,
                         const double *stretch, dlpi_mixed_result *result);

#endif

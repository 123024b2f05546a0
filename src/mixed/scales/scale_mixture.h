/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A posterior to draw from: about a hundred points of the scales with equal weights, and
 * for each the Gaussian of beta there. Internal.
 */
#ifndef DLPI_MIXED_SCALE_MIXTURE_H
#define DLPI_MIXED_SCALE_MIXTURE_H

#include "infer/explore.h"
#include "infer/psi_points.h"
#include "mixed/fit.h"
#include "mixed/scales/hyper.h"

/* What is known about beta at the points of psi that count. */
typedef struct dlpi_taken {
    int n;
    const int *point;        /* (n) of the points of psi */
    const double *w, *m, *S; /* (n), (n, p), (n, p, p) */
} dlpi_taken;

/* How many numbers a point has: of each term, and of a multinomial response of each of its
   predictors, the logarithms of the sds, the hyperbolic arctangents of the correlations, of a
   process its second number as psi has it; of each smooth its sd; then tau. */
dlp_index dlpi_scale_mixture_width(const dlpi_hyper_layout *layout);
/* These numbers for a psi; room (layout->all + largest (largest + 1)). */
void dlpi_scale_mixture_numbers(const dlpi_hyper_layout *layout, const double *psi,
                                double *room, double *out);

/* Built from the points of psi, with those of the Gaussians that count, into
   result->scale_mixture. */
dlp_status dlpi_scale_mixture_make(const dlpi_hyper_layout *layout, const dlpi_explore *e,
                                   const dlpi_psi_points *psi_points,
                                   const dlpi_taken *taken, dlpi_mixed_result *result,
                                   dlp_error *error);
void dlpi_scale_mixture_clear(dlpi_scale_mixture *support);

#endif

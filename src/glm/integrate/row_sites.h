/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The density of a response as a function of its linear predictor, l(eta), times a
 * Gaussian in eta: the integral of the product and its moments, by quadrature. Internal.
 */
#ifndef DLPI_GLM_ROW_SITES_H
#define DLPI_GLM_ROW_SITES_H

#include "glm/families/family.h"
#include "infer/expectation_propagation.h"

/* One response at many eta. */
typedef struct dlpi_row_tilt {
    const dlpi_family *family;
    double tau, weight;
    double y[DLPI_TILE], trials[DLPI_TILE]; /* all the same */
    dlpi_rows rows;
} dlpi_row_tilt;

/* From here on about this response, with its l multiplied by weight. */
void dlpi_row_tilt_take(dlpi_row_tilt *t, const dlpi_family *family, double tau, double y,
                        double trials, double df, double weight);
/* l(eta) */
double dlpi_row_tilt_at(dlpi_row_tilt *t, double eta);
/* *mode is where to look for the mode first, and becomes the mode. l must be concave.
   false where the density has no end. */
bool dlpi_row_tilt_moments(dlpi_row_tilt *t, double m, double v, double *mode,
                           dlpi_tilted *out);

#endif

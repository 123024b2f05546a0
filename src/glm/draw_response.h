/* SPDX-License-Identifier: BSD-3-Clause */
/* New responses at given parameters. Internal. */
#ifndef DLPI_GLM_DRAW_RESPONSE_H
#define DLPI_GLM_DRAW_RESPONSE_H

#include "glm/family.h"

#include <delaplace/random.h>

/* A response of a family with one linear predictor; of binomials, out of so many trials; of
   student's, with so many degrees of freedom. */
double dlpi_draw_response(const dlpi_family *family, double eta, double tau,
                          double trials, double df, dlp_rng *rng);

/* p (K): the probabilities of the levels of a response that has some, at the parameters theta
   (n) and the row (p) of X, with what random effects add to its linear predictors, or NULL. */
void dlpi_level_probabilities(const dlpi_family *family, dlp_index p, dlp_index K,
                              const double *theta, const double *row, const double *added,
                              double *out);

#endif

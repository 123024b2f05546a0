/* SPDX-License-Identifier: BSD-3-Clause */
/* New responses at given parameters. Internal. */
#ifndef DLPI_GLM_DRAW_RESPONSE_H
#define DLPI_GLM_DRAW_RESPONSE_H

#include "glm/families/family.h"

/* For families with one linear predictor (glm/families/family.h, `draw`). */
dlpi_draw dlpi_draw_binary, dlpi_draw_successes, dlpi_draw_share,
    dlpi_draw_dispersed_successes, dlpi_draw_poisson_count, dlpi_draw_dispersed_count,
    dlpi_draw_inflated_poisson, dlpi_draw_hurdle_poisson,
    dlpi_draw_inflated_negative_binomial, dlpi_draw_hurdle_negative_binomial,
    dlpi_draw_gaussian, dlpi_draw_student_response, dlpi_draw_gamma_response,
    dlpi_draw_log_normal, dlpi_draw_exponential, dlpi_draw_weibull;

/* Draws a response of a family with one linear predictor: out of `trials` for a binomial,
   with the second scale or the degrees of freedom where the family has them. */
static inline double dlpi_draw_response(const dlpi_family *family, double eta, double tau,
                                        double trials, double second, dlp_rng *rng)
{
    const dlpi_draw_at at = {eta, tau, second, trials};
    return family->draw ? family->draw(family, &at, rng) : NAN;
}

/* p (K): the probabilities of the response's levels, at the parameters theta (n) and the
   row (p) of X. What random effects add to the linear predictors may be NULL. */
void dlpi_level_probabilities(const dlpi_family *family, dlp_index p, dlp_index K,
                              const double *theta, const double *row, const double *added,
                              double *out);

#endif

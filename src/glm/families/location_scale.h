/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Responses that are a location plus a scale times a standard variable,
 *
 *   h(y) = eta + exp(tau) Z,   h(y) = y or log y,
 *
 * known exactly or to lie in an interval: "student", "tobit", "log-normal", "weibull" and
 * "exponential". A row's interval runs from y to rows.trials. The two are equal where y
 * is known exactly; where trials is NULL, every y is. Internal.
 */
#ifndef DLPI_GLM_LOCATION_SCALE_H
#define DLPI_GLM_LOCATION_SCALE_H

#include "glm/families/family.h"

#include <delaplace/random.h>

dlpi_likelihood dlpi_student_identity, dlpi_tobit_identity, dlpi_log_normal_log,
    dlpi_weibull_log, dlpi_exponential_log;

/* E[y] as a function of eta and tau, where it depends on both. */
double dlpi_log_normal_mean(double eta, double tau, double second);
double dlpi_weibull_mean(double eta, double tau, double second);

/* P(Z <= z) and a draw of Z for Weibull's standard variable: log T of an exponential T.
   */
double dlpi_extreme_cdf(double z);
double dlpi_draw_extreme(dlp_rng *rng);
/* A draw of a standard Student-t variable. */
double dlpi_draw_student(dlp_rng *rng, double df);

/* Whether lower and upper can bound a response: any numbers, or only positive ones. */
bool dlpi_is_real_interval(double lower, double upper);
bool dlpi_is_positive_interval(double lower, double upper);

#endif

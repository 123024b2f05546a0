/* SPDX-License-Identifier: BSD-3-Clause */
/* What row_sites.h finds for one response, for a Student-t density. Internal. */
#ifndef DLPI_GLM_STUDENT_TILT_H
#define DLPI_GLM_STUDENT_TILT_H

#include "infer/expectation_propagation.h"

/* The moments of N(eta; m, v) t(y; eta, e^tau, df)^weight; false where rounding leaves no
   variance. */
bool dlpi_student_tilt(double y, double tau, double df, double weight, double m, double v,
                       dlpi_tilted *out);

/* log t >= g(eta) = c - a/2 (y - eta)^2: returns g at the mean, for the a given, and moves a
   to where the bound is best for eta ~ N(mean, variance). */
double dlpi_student_bound(double y, double tau, double df, double weight, double mean,
                          double variance, double *a);

#endif

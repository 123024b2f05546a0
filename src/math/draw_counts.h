/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of counts, exact for any parameters. Internal. */
#ifndef DLPI_MATH_DRAW_COUNTS_H
#define DLPI_MATH_DRAW_COUNTS_H

#include <delaplace/random.h>

double dlpi_draw_binomial(dlp_rng *rng, double n, double p);
double dlpi_draw_poisson(dlp_rng *rng, double mean);

#endif

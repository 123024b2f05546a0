/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes with a long tail: their variance, the mean of (f - mean)^2, rests on rare values far
 * out, of which neither points nor draws have enough. The draws themselves show it: the
 * largest of w (f - mean)^2 have a Pareto tail whose shape says whether their mean can be
 * trusted, as that of the weights w does for means (Vehtari, Simpson, Gelman, Yao & Gabry).
 * Internal.
 */
#ifndef DLPI_BUGS_LONG_TAIL_H
#define DLPI_BUGS_LONG_TAIL_H

#include <delaplace/status.h>
#include <stdbool.h>

/* weight and value (n); room (n). */
dlp_status dlpi_has_long_tail(dlp_index n, const double *weight, const double *value,
                              double mean, double *room, bool *yes, dlp_error *error);

#endif

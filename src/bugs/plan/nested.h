/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Data whose densities are nested in each other, as where x[t] <- a + b * x[t - 1] is the
 * mean of y[t]: that of y[t] has all parts of that of y[t - 1]. Apart, T of them take
 * T^2 / 2 steps; their sum, in which equal parts are computed once, takes T. Internal.
 */
#ifndef DLPI_BUGS_NESTED_H
#define DLPI_BUGS_NESTED_H

#include "bugs/plan/factors.h"

/* Adds the sums of a relation's densities that are nested and depend on the same few
   cells, as one factor each. joined (instances of the relation): which are in a sum. */
dlp_status dlpi_join_nested(dlpi_factors *factors, int relation, bool *joined,
                            dlp_error *error);

#endif

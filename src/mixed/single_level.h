/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log likelihood of a model without levels, only with smooths: all of x is beta. For
 * a Gaussian response it is a quadratic, computed once. Internal.
 */
#ifndef DLPI_MIXED_SINGLE_LEVEL_H
#define DLPI_MIXED_SINGLE_LEVEL_H

#include "mixed/mixed.h"

/* Shared by all workers: for a linear model, with r = y - offset - X origin, */
typedef struct dlpi_single_level {
    const dlpi_mixed_data *data;
    double *origin; /* (p) */
    double *gram;   /* (p, p) X'WX, the upper triangle */
    double *cross;  /* (p) X'Wr */
    double squares; /* r'Wr */
    double weight;  /* the sum of weights */
} dlpi_single_level;

/* origin (p): where beta may be expected. */
dlp_status dlpi_single_level_make(const dlpi_mixed_data *data, const double *origin,
                                  dlpi_single_level *flat, dlp_error *error);
void dlpi_single_level_clear(dlpi_single_level *flat); /* fine on a zeroed one */

/* One worker's room: the number of doubles. */
dlp_index dlpi_single_level_room(const dlpi_mixed_data *data);
/* Returns sum_r l(y_r, eta_r, tau) at beta; adds its gradient (p), and minus its Hessian
   (p, p) to the upper triangle. */
double dlpi_single_level_add(const dlpi_single_level *flat, const double *beta,
                             const double *tau, dlpi_rows *tile, double *room,
                             double *gradient, double *H);

#endif

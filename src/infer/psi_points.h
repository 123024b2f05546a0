/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many points with weights that stand for the density of dlpi_explore, for the margins of
 * what is computed from psi: between the points of a grid by interpolation of how far the
 * log density is from normal; of a design, by the skewness along its directions.
 * Internal.
 */
#ifndef DLPI_INFER_PSI_POINTS_H
#define DLPI_INFER_PSI_POINTS_H

#include "infer/explore.h"

#include <delaplace/random_effects.h>

typedef struct dlpi_psi_points {
    dlp_index n, m;
    double *psi;    /* (n, m) */
    double *weight; /* (n) which add up to 1 */
    double *log_p;  /* (n) the log density that they are of, less that at the mode */
    double *value;  /* (n) room for what is computed from them */
    dlp_index *order;
} dlpi_psi_points;

dlp_status dlpi_psi_points_make(const dlpi_explore *e, dlpi_psi_points *c,
                                dlp_error *error);
void dlpi_psi_points_free(dlpi_psi_points *c); /* fine on a zeroed or failed one */

/* The margin of what stands in c->value, which loses its order. */
dlp_margin dlpi_psi_points_margin(dlpi_psi_points *c);

#endif

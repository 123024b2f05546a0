/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many weighted points that represent the density of dlpi_explore, for the margins of
 * functions of psi. Between the points of a grid they come from interpolating the
 * deviation of the log density from normal; for a design, from the skewness along its
 * directions. Internal.
 */
#ifndef DLPI_INFER_PSI_POINTS_H
#define DLPI_INFER_PSI_POINTS_H

#include "infer/explore.h"

#include <delaplace/random_effects.h>

typedef struct dlpi_psi_points {
    dlp_index n, m;
    double *psi;    /* (n, m) */
    double *weight; /* (n) which add up to 1 */
    double *log_p;  /* (n) their log density, minus that at the mode */
    double *value;  /* (n) room for a function of them */
    dlp_index *order;
} dlpi_psi_points;

dlp_status dlpi_psi_points_make(const dlpi_explore *e, dlpi_psi_points *c,
                                dlp_error *error);
void dlpi_psi_points_free(dlpi_psi_points *c); /* fine on a zeroed or failed one */

/* The margin of the values in c->value, which get reordered. */
dlp_margin dlpi_psi_points_margin(dlpi_psi_points *c);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers in the columns of a design, apart from its factors. The columns of f:g:x
 * are those of x at the levels of f and g; those of f:g belong to the part 1. The
 * predictor is sum_X h_X(levels) X over the parts X, and with X'_i = sum_k R_ik X_k, the
 * parts orthogonalised to their own parts (orthogonal.h), it is sum_Y h'_Y(levels) Y'
 * where
 *
 *     h'_Y = sum_X h_X (R^-1)_XY.
 *
 * So h'_1 is the level at the means of all numbers, and h' does not depend on where they
 * begin. Internal.
 */
#ifndef DLPI_REGRESSION_NUMERIC_PARTS_H
#define DLPI_REGRESSION_NUMERIC_PARTS_H

#include "regression/priors/weak.h"

/* Empty when zeroed. */
typedef struct dlpi_numeric_parts {
    dlp_index n;       /* the first is 1, whether or not a column has it */
    dlp_index *of;     /* (terms of the design) the part of each */
    dlp_index *term;   /* (n) a term of the design that has it; none for 1 */
    bool levelled;     /* something absorbs the level: parts are measured from their
                        means */
    double *sd;        /* (n) sd of Y'; 0 where it does not vary */
    double *spread;    /* (n) the sd or, for an indicator, the distance of its values; or
                        1 */
    double *size;      /* (n) the root mean square of the part */
    double *R_inverse; /* (n, n) */
    /* room, for the design of the parts alone */
    double *room;
    const double **x;
    dlp_index *begin, *variable, *assign;
    const dlp_index **level;
} dlpi_numeric_parts;

/* O(N n), and for products as in orthogonal.h. */
dlp_status dlpi_numeric_parts_find(const dlpi_weak *weak, dlpi_numeric_parts *parts,
                                   dlp_error *error);
void dlpi_numeric_parts_clear(dlpi_numeric_parts *parts);

#endif

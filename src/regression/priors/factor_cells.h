/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the prior of a regression with factors is about, as linear functions of its
 * coefficients (factor_prior.h): for a part Y of the numbers (numeric_parts.h) and a set
 * F of factors, what h'_Y has in each cell of F beyond the cells of fewer factors, where
 * all other factors are averaged by the shares of their levels. For Y = 1 it is, in the
 * cells that have rows, the mean of the predictor over these rows. Internal.
 */
#ifndef DLPI_REGRESSION_FACTOR_CELLS_H
#define DLPI_REGRESSION_FACTOR_CELLS_H

#include "regression/prepare/numeric_parts.h"
#include "table/formula/formula.h"

/* A part and a set of factors. */
typedef struct dlpi_cell_set {
    dlp_index part, n;
    dlp_index variable[DLPI_MOST_ORDER]; /* (n) the factors, ascending */
    dlp_index C; /* how many cells; one, the difference, if all factors have two levels */
    double variance; /* the variances of the indicators of all cells together */
} dlpi_cell_set;

/* Empty when zeroed. */
typedef struct dlpi_factor_cells {
    const dlpi_weak *w;
    dlpi_numeric_parts parts;
    dlp_index n;
    dlpi_cell_set *of; /* (n) all that have factors */
    dlp_index most;    /* the most cells of a set */
    double **share;  /* (variables) the share of each level of a factor; NULL: numbers */
    dlp_index *cell; /* (N) room */
    double *weight;  /* (most) room */
    double *mean;    /* (most) room */
} dlpi_factor_cells;

dlp_status dlpi_factor_cells_find(const dlpi_weak *weak, dlpi_factor_cells *cells,
                                  dlp_error *error);
void dlpi_factor_cells_clear(dlpi_factor_cells *cells);

/* T (p, C): the prior is about T'beta, cell by cell. */
void dlpi_fill_cells(const dlpi_factor_cells *cells, const dlpi_cell_set *of, double *T);

#endif

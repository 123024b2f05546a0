/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one change of variables of a regression, made once before the fit and undone once
 * after it: of the columns x and the response y,
 *
 *     x'_j = (sum_k R_jk x_k - centre_j) / spread_j,    y' = (y - shift) / unit.
 *
 * The columns of an ordinal regression are measured from their means, and so is its first
 * cut point, so that the prior of the cut point is about the level. R is that of
 * orthogonal.h: where columns are products of others, or lie far from 0, a weak prior is
 * about x' and digits are saved. Centre and spread, and the units of a response with an
 * identity link, are for hierarchies, whose hyperprior is about numbers of the order of
 * one; the paper's is about the columns as they are. Internal.
 */
#ifndef DLPI_REGRESSION_BASIS_H
#define DLPI_REGRESSION_BASIS_H

#include "regression/prepare/prepare.h"

/* An R_jk that is not 0, k != j. */
typedef struct dlpi_basis_entry {
    dlp_index j, k;
    double value;
} dlpi_basis_entry;

/* Changes nothing when zeroed. */
typedef struct dlpi_basis {
    dlp_index p, n;         /* columns, and parameters */
    dlp_index coefficients; /* how many are coefficients: p per level */
    dlp_index intercept;    /* its column, or -1 */
    size_t entries;
    dlpi_basis_entry *entry; /* (entries) of R; NULL: R = I */
    double *centre, *spread; /* (p); NULL: 0 and 1 */
    bool cut;                /* the first cut point absorbs what centring moves */
    double unit, shift;      /* unit 0: y' = y */
    double log_jacobian;     /* the log density of y is that of y' less this */
    double *X, *y, *offset;  /* x' (p, N), y' (N), and the offset in its unit */
    const double **x;        /* (p) columns of X */
    double *was;             /* (n) */
} dlpi_basis;

/* Turns the rows, in any order, into those to be fitted; where they differ, the basis
   owns them. O(N p), and for R as many times as it has entries per column. */
dlp_status dlpi_basis_make(const dlpi_prepared *prepared, dlp_glm_data *rows,
                           dlpi_basis *basis, dlp_error *error);
void dlpi_basis_clear(dlpi_basis *basis);
/* What is left can still change back; the rows have been copied. */
void dlpi_basis_drop_rows(dlpi_basis *basis);

/* Turns what was fitted to x' and y' into what it would be for x and y: a mean (n), a
   covariance (n, n). */
void dlpi_basis_mean(const dlpi_basis *basis, double *mu);
void dlpi_basis_covariance(const dlpi_basis *basis, double *Sigma);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The density of a few hyperparameters psi, known only by its value at a point, which costs
 * a fit: its mode, its scale along m directions, on either side of the mode, and points with
 * weights for integrals over it (Rue, Martino & Chopin, JRSS B 71, 2009, Section 6.5).
 * One or two dimensions have a grid, more a central composite design. Internal.
 */
#ifndef DLPI_INFER_EXPLORE_H
#define DLPI_INFER_EXPLORE_H

#include <delaplace/fit.h>
#include <stdbool.h>

typedef struct dlpi_explore {
    dlp_index m;
    int threads; /* workers 0 to threads - 1 are used at the same time */
    /* log p(psi, y) up to a constant; -INFINITY where there is none. The answer may depend
       on where it was last told to begin, and on nothing else. */
    double (*log_density)(void *context, int worker, const double *psi);
    void (*begin_at)(void *context, const double *psi); /* by one thread */
    bool (*stopped)(void *context);
    void *context;

    /* the result */
    dlp_outcome outcome;
    double *mode;    /* (m) */
    double log_mode; /* the density there */
    double *root;    /* (m, m) psi = mode + root z */
    double *spread;  /* (2, m) the sd of each z below and above the mode */
    int points;
    double *z;      /* (points, m) */
    double *log_p;  /* (points) the density there */
    double *weight; /* (points) which add up to 1 */
    double log_evidence;
    long evaluations;
    /* One or two dimensions: which point is at each node, row by row, -1 for none; and which
       node each point is at. Nodes are `apart` sds apart, `reach` of them on either side. */
    double apart;
    int reach;
    int *at_node;
    int *node; /* (points, 2) */

    double *work;
    int room;
} dlpi_explore;

/* Allocates the result; begins at mode, which the caller sets then. */
dlp_status dlpi_explore_alloc(dlpi_explore *e, dlp_index m, dlp_error *error);
void dlpi_explore_free(dlpi_explore *e); /* fine on a zeroed or failed one */
dlp_status dlpi_explore_run(dlpi_explore *e, dlp_error *error);

/* psi (m) at z (m). */
void dlpi_explore_psi(const dlpi_explore *e, const double *z, double *psi);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The effects b of a leaf, integrated out:
 *
 *   I(x) = integral of exp{h(b, x)} db,  h = sum_r l(y_r, eta_r(x) + z_r'b) + log N(b; 0, P^-1)
 *
 * by quadrature about the mode of h, or by Laplace's approximation; with grad log I = E[s] and -hess log I = -E[h_xx] - Cov[s], s = h_x, the
 * expectations over b given x. Internal.
 */
#ifndef DLPI_MIXED_LEAVES_H
#define DLPI_MIXED_LEAVES_H

#include "mixed/rows.h"

/* How a leaf's integral is computed. */
typedef enum dlpi_leaf_rule {
    DLPI_LEAF_LAPLACE,   /* by the mode and the curvature there */
    DLPI_LEAF_TRAPEZOID, /* one effect: evenly spaced nodes, exact to rounding */
    DLPI_LEAF_INTERVAL,  /* one that is bounded, since eta is: leaf_interval.h */
    DLPI_LEAF_HERMITE,   /* two: Gauss-Hermite about the mean */
    DLPI_LEAF_CUBATURE   /* three or more: cubature.h */
} dlpi_leaf_rule;

/* What one thread needs. */
typedef struct dlpi_leaf_work dlpi_leaf_work;
dlp_status dlpi_leaf_work_alloc(const dlpi_mixed_rows *rows, dlpi_leaf_rule rule,
                                dlpi_leaf_work **work, dlp_error *error);
void dlpi_leaf_work_free(dlpi_leaf_work *work);

/* The prior of a leaf's effects, given psi. */
typedef struct dlpi_leaf_prior {
    const double *P; /* (q, q) */
    double log_det;
    const double *tau; /* mixed.h: dlpi_mixed_told */
} dlpi_leaf_prior;

/* What is known about a leaf at x. The pointers belong to the workspace and are valid
   until the next leaf. */
typedef struct dlpi_leaf {
    dlp_index support, m; /* m = support + p */
    double log_integral;  /* -INFINITY: no mode was found */
    double height;        /* has the gradient below: log I or, with one node, h at the
                             mode */
    double *gradient;     /* (m) */
    double *curvature;    /* (m, m) minus the Hessian, the upper triangle */
    double *mean;         /* (q) E[b | x] */
    double *variance;     /* (q, q) Var[b | x] */
    double *slope;        /* (q, m) d E[b | x] / dx */
    bool apart;           /* see below */
} dlpi_leaf;

/* b (q): where to look for the mode first; becomes the mode. */
dlpi_leaf dlpi_leaf_integrate(dlpi_leaf_work *work, const dlpi_leaf_prior *prior,
                              dlp_index g, const double *x, double *b);

/* From now on, by Laplace's rule: the rows' part of the curvature of a leaf is added to H (n,
   n), and what eliminating b subtracts is left to leaf_squares.h; unless that would lose
   digits. The leaf then is `apart`, and has no curvature. */
void dlpi_leaf_add_rows_to(dlpi_leaf_work *work, double *H);

/* Gives row r another weight from now on; r < 0: restores all weights. */
void dlpi_leaf_reweigh(dlpi_leaf_work *work, dlp_index r, double weight);

/* The nodes that the last integral was taken with; not for Laplace's approximation. */
typedef struct dlpi_leaf_nodes {
    int n;
    const double *omega; /* (n) weights of E[. | x], which add up to 1 */
    const double *off;   /* (n, q) b less E[b | x] */
    const double *eta;   /* (rows of the leaf) without b */
} dlpi_leaf_nodes;
dlpi_leaf_nodes dlpi_leaf_last_nodes(const dlpi_leaf_work *work);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Gaussian response and one term, so that x is beta: all leaves at once, from cross-products that are
 * made once. With r = y - offset - X beta_0, d = beta - beta_0, and s^2 = exp(2 tau),
 *
 *   C = P + Z'WZ / s^2,  v = Z'W(r - X d) / s^2,  E[b] = C^-1 v,
 *   log I = v'C^-1 v / 2 + log |P| / 2 - log |C| / 2 - (r - X d)'W(r - X d) / 2 s^2 - W (tau + log(2 pi) / 2)
 *
 * Internal.
 */
#ifndef DLPI_MIXED_LEAF_PRODUCTS_H
#define DLPI_MIXED_LEAF_PRODUCTS_H

#include "mixed/leaves/leaves.h"

typedef struct dlpi_leaf_products {
    dlp_index size; /* of a leaf's; 0: there are none */
    double *of;     /* (L, size): Z'WZ (q, q), Z'WX (q, p), Z'Wr (q) */
    double *origin; /* (p) beta_0 */
    double *Xr;     /* (p) X'Wr */
    double *XX;     /* (p, p) X'WX */
    double rr;      /* r'Wr */
    double weight;  /* sum of W */
} dlpi_leaf_products;

/* Of rows whose leaves see nothing but beta; origin (p) is near beta. */
dlp_status dlpi_leaf_products_make(const dlpi_mixed_rows *rows, const double *origin,
                                   dlpi_leaf_products *to, dlp_error *error);
void dlpi_leaf_products_clear(dlpi_leaf_products *products); /* fine on a zeroed one */

/* How many doubles of room the following needs. */
dlp_index dlpi_leaf_products_room(const dlpi_mixed_rows *rows);

/* At beta: adds to gradient (p) and H (p, p), the upper triangle; b (L, q) = E[b]; kept: of each
   leaf E[b], Var[b] and the slopes. *height: the sum of the leaves', of which *integrals has log |C|
   besides. all: the room. false: digits would be lost, and nothing was added. */
bool dlpi_leaf_products_add(const dlpi_leaf_products *of, const dlpi_mixed_rows *rows,
                            const dlpi_leaf_prior *prior, const double *beta, double *b,
                            double *kept, double *all, double *gradient, double *H,
                            double *height, double *integrals);

#endif

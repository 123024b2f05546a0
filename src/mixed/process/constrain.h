/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constrains x to A x = 0, for processes that are singular otherwise: with W = H^-1 A'
 * and U'U = A W, N(x, H^-1) becomes N(x - W (A W)^-1 A x, H^-1 - W (A W)^-1 W'), and |H|
 * on the subspace is |H| |A W| / |A A'| (Rue & Held, Gaussian Markov Random Fields,
 * 2.3.3). Internal.
 */
#ifndef DLPI_MIXED_CONSTRAIN_H
#define DLPI_MIXED_CONSTRAIN_H

#include <delaplace/sym.h>

#include "mixed/rows.h"

/* A (k, n), by rows; the rows are orthogonal. */
typedef struct dlpi_constraints {
    dlp_index k, n;
    dlp_index *begin; /* (k + 1) */
    dlp_index *at;    /* coordinates of x, */
    double *weight;   /* and their weights */
    double log_det;   /* of A A' */
} dlpi_constraints;

dlp_status dlpi_constraints_make(const dlpi_mixed_rows *rows, dlpi_constraints *out,
                                 dlp_error *error);
void dlpi_constraints_clear(dlpi_constraints *constraints); /* fine on a zeroed one */

/* One worker's part: W (k, n), U (k, k), room (k); one block. */
typedef struct dlpi_held {
    double *W, *U, *room;
} dlpi_held;
static inline dlp_index dlpi_held_size(const dlpi_constraints *c)
{
    return c->k * (c->n + c->k + 1);
}
dlpi_held dlpi_held_in(const dlpi_constraints *c, double *memory);

/* Call once F holds a new H; false where A W is not positive definite. */
bool dlpi_hold(const dlpi_constraints *c, const dlp_cholesky *F, dlpi_held *held);
/* v := v - W (A W)^-1 A v; returns v'A'(A W)^-1 A v. */
double dlpi_hold_vector(const dlpi_constraints *c, const dlpi_held *held, double *v);
/* What the constraints add to log |H|. */
double dlpi_held_log_det(const dlpi_constraints *c, const dlpi_held *held);
/* S := S - W (A W)^-1 W', where S has entries; W is overwritten. */
void dlpi_hold_inverse(const dlpi_constraints *c, dlpi_held *held, dlp_sym *S);

#endif

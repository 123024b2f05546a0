/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Levels whose effects are not independent: values u of a process at n nodes, N(0, Q^-1) with
 * a sparse Q(sd, second),
 *
 *   intrinsic   Q = R / sd^2, R singular: random walks, regions whose neighbours are alike
 *   ar1         stationary with variance sd^2 and correlation rho^gap between successive
 *               nodes; a series begins where the gap is 0
 *   bym2        the sums b of n/2 regions, then their structured parts u of unit scale,
 *               N(0, R^-): b | u ~ N(sd sqrt(phi) u, sd^2 (1 - phi)) (Riebler et al.,
 *               Statistical Methods in Medical Research 25, 2016)
 *
 * Where R is singular, u is constrained to A u = 0, and densities are on that subspace.
 * Internal.
 */
#ifndef DLPI_MIXED_PROCESS_H
#define DLPI_MIXED_PROCESS_H

#include <delaplace/status.h>
#include <stdint.h>

#include <stdbool.h>

typedef enum dlpi_process_kind { DLPI_INTRINSIC, DLPI_AR1, DLPI_BYM2 } dlpi_process_kind;

typedef struct dlpi_process {
    dlpi_process_kind kind;
    dlp_index n;
    dlp_index entries;     /* of Q's upper triangle, */
    int32_t *row, *column; /* (entries) row <= column */
    double *R;             /* (entries) for bym2 those of u; NULL: none */
    double log_det;        /* of R on the subspace */
    double *gap;           /* (n) for ar1 */
    bool positive;         /* ar1: rho is above 0, because gaps are not whole numbers */
    dlp_index constraints; /* rows of A: */
    dlp_index *begin;      /* (constraints + 1) */
    int32_t *node;         /* their nodes, */
    double *weight;        /* and the weights of these */
    double reference;      /* what R's generalised inverse was divided by, so that the
                              geometric mean of its diagonal is 1 */
} dlpi_process;

/* A walk of order 1 or 2 over t (n), ascending. */
dlp_status dlpi_process_walk(dlp_index n, const double *t, int order, dlpi_process *out,
                             dlp_error *error);
/* The geometric mean of the variances of an unscaled walk's values. Its steps over h, or
   the changes of its slopes, have the variance h. room (2 n). */
double dlpi_walk_reference(dlp_index n, const double *t, int order, double *room);
/* gap (n): steps from the node before, 0 where a series begins. */
dlp_status dlpi_process_ar1(dlp_index n, const double *gap, bool positive,
                            dlpi_process *out, dlp_error *error);
/* Node i has the neighbours neighbour[begin[i]] to neighbour[begin[i + 1] - 1]. Each
   connected part sums to 0 and is scaled separately; a node without neighbours is N(0,
   1). */
dlp_status dlpi_process_graph(dlp_index n, const dlp_index *begin,
                              const dlp_index *neighbour, bool bym2, dlpi_process *out,
                              dlp_error *error);
void dlpi_process_clear(dlpi_process *process); /* fine on a zeroed or failed one */

/* How many numbers it has besides the logarithm of its sd: ar1 has the hyperbolic
   arctangent of rho, or its logit where rho is positive; bym2 has the logit of phi. */
static inline dlp_index dlpi_process_more(const dlpi_process *process)
{
    return process->kind == DLPI_INTRINSIC ? 0 : 1;
}
/* rho or phi from that number. */
double dlpi_process_second(const dlpi_process *process, double number);

/* Q (entries) from its numbers; returns log |Q| on the subspace. */
double dlpi_process_precision(const dlpi_process *process, const double *numbers,
                              double *Q);

#endif

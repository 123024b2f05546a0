/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine's form of a process in the formula, and its predictions at new places.
   Internal. */
#ifndef DLPI_REGRESSION_PROCESS_OF_H
#define DLPI_REGRESSION_PROCESS_OF_H

#include "mixed/process/process.h"

#include <delaplace/random_effects.h>

/* rho of ar1 or phi of bym2 from its number (mixed/process/process.h). */
double dlpi_process_second_of(const dlp_basis *process, double number);
/* Whether it is from 0 to 1; else from -1. */
bool dlpi_process_is_positive(const dlp_basis *process);
/* adjacency: for regions; else it may be NULL. */
dlp_status dlpi_process_of(const dlp_basis *basis, const dlp_adjacency *adjacency,
                           dlpi_process *out, dlp_error *error);

/* A value at a place as a sum over nodes, and the variance that remains. */
typedef struct dlpi_process_place {
    int n; /* nodes: 0 to 2, in order */
    dlp_index node[2];
    double weight[2];
    double variance; /* in units of sd^2 */
} dlpi_process_place;

/* Where x of a series lies; at a node itself no variance remains. correlation: for ar1,
   one step apart; reference: for walks. */
dlpi_process_place dlpi_place_in(const dlp_basis *b, int32_t series, double x,
                                 double correlation, double reference);

/* For a walk that has columns, the reference of its knots; NAN without memory. */
double dlpi_basis_reference(const dlp_basis *walk);
/* For a walk at x, the variance that its knots leave, in units of sd^2. */
double dlpi_walk_left(const dlp_basis *b, double reference, double x);

#endif

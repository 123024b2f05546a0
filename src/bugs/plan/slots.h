/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a function of slots, u_j = c_j + sum_i a_ji x_i: the largest parts of it
 * that are affine in its active inputs x. The rest of the program, a function of the
 * slots called the body, is all that has to be differentiated. Internal.
 */
#ifndef DLPI_BUGS_SLOTS_H
#define DLPI_BUGS_SLOTS_H

#include "density/program.h"

typedef struct dlpi_slots {
    int k;
    dlpi_program *affine; /* (k) their inputs are those of the program */
    dlpi_program body;    /* its inputs are those of the program, then the slots */
    int *n_terms;         /* (k) active inputs that a slot depends on, */
    int **term;           /*     and which */
    int degree;           /* of the body in the slots; large if it is no polynomial */
    bool bumpy;           /* the body may have several maxima */
} dlpi_slots;

enum { DLPI_NO_POLYNOMIAL = 1000 };

/* active (n_inputs). */
dlp_status dlpi_slots_make(const dlpi_program *program, const bool *active,
                           dlpi_slots *slots, dlp_error *error);
void dlpi_slots_clear(dlpi_slots *slots); /* fine on a zeroed or failed one */

#endif

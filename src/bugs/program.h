/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An expression as a list of instructions, run for many instances at a time: values, and
 * derivatives to third order in a few of its inputs, the slots (jets: truncated Taylor
 * series). Internal.
 */
#ifndef DLPI_BUGS_PROGRAM_H
#define DLPI_BUGS_PROGRAM_H

#include "bugs/expression.h"

enum {
    DLPI_BATCH = 256 /* instances that a call may take */
};

typedef struct dlpi_instruction {
    uint16_t op; /* dlpi_op; DLPI_OP_DATA is an input, `arg[0]` its number */
    int32_t arg[3];
    double literal;
} dlpi_instruction;

typedef struct dlpi_program {
    int n; /* instructions; the last one is the result */
    dlpi_instruction *code;
    int n_inputs;
} dlpi_program;

/* Numbers of a jet in k slots: value, gradient (k), Hessian (i <= j: k(k+1)/2, row by row),
   third derivatives (i <= j <= l). */
static inline int dlpi_jet_size(int k, int order)
{
    return 1 + (order > 0 ? k : 0) + (order > 1 ? k * (k + 1) / 2 : 0) +
           (order > 2 ? k * (k + 1) * (k + 2) / 6 : 0);
}

/* Doubles of room that a run needs. Instructions that depend on no slot hold values only. */
size_t dlpi_program_room(const dlpi_program *program, int k, int order, const int *slot);

/*
 * Runs it for n <= DLPI_BATCH instances. input[i] (n) has the values of input i; slot[i] is
 * the slot that it is, or -1. jet is (dlpi_jet_size, n): plain derivatives, not divided by
 * factorials. order is 0 to 3.
 */
void dlpi_program_run(const dlpi_program *program, dlp_index n,
                      const double *const *input, int k, const int *slot, int order,
                      double *jet, double *room);

#endif

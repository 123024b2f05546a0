/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates from how steps shrink how many iterations are left. Internal. */
#ifndef DLPI_INFER_ITERATIONS_LEFT_H
#define DLPI_INFER_ITERATIONS_LEFT_H

/* ---- steps that shrink by about the same factor each time ---- */

enum { DLPI_STEPS_KEPT = 6 };

/* The sizes of the last few. None when zeroed. */
typedef struct dlpi_steps {
    int seen;
    double size[DLPI_STEPS_KEPT];
} dlpi_steps;

/* Adds the size of a step, and returns how many more are expected until it is tol, at most
   `most`; 0 if unknown. The first step, from where the iterations began, says nothing
   about the rate. */
double dlpi_steps_left(dlpi_steps *steps, double size, double tol, double most);

/* ---- steps of EM ---- */

/* The earlier iteration to compare this one with. Iterations count from 1; this is 3 or
   later. */
int dlpi_iteration_before(int iteration);

/* Iterations until the steps are of size tol, given their size `now` and `then`, in the
   earlier iteration; 0 if unknown. The first step's size is not used. */
double dlpi_iterations_left(int iteration, double now, double then, double tol);

#endif

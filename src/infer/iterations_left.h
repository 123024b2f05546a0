/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates from the shrinking steps of EM how many iterations are left. Internal. */
#ifndef DLPI_INFER_ITERATIONS_LEFT_H
#define DLPI_INFER_ITERATIONS_LEFT_H

/* The earlier iteration to compare this one with. Iterations count from 1; this is 3 or
   later. */
int dlpi_iteration_before(int iteration);

/* Iterations until the steps are of size tol, given their size `now` and `then`, in the
   earlier iteration; 0 if unknown. The first step's size is not used. */
double dlpi_iterations_left(int iteration, double now, double then, double tol);

#endif

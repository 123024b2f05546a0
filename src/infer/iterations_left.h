/* SPDX-License-Identifier: BSD-3-Clause */
/* How many iterations EM still has, by how its steps shrink. Internal. */
#ifndef DLPI_INFER_ITERATIONS_LEFT_H
#define DLPI_INFER_ITERATIONS_LEFT_H

/* The iteration that one of 3 or later, counted from 1, is compared with. */
int dlpi_iteration_before(int iteration);

/* With steps of the size `now` in an iteration and `then` in the one it is compared with, until
   they are of the size tol; 0: nothing tells. The size of the first is not used. */
double dlpi_iterations_left(int iteration, double now, double then, double tol);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression's rows, summed over by several threads and processes. They are parted into chunks
 * whose number depends on how many rows there are alone, and chunks into parts. Each chunk is summed
 * from zero, those of a part are added in their order, and the parts in a tree (comm/tree.h). So the
 * result has the same bits at any number of threads and processes. Internal.
 */
#ifndef DLPI_GLM_WORKERS_H
#define DLPI_GLM_WORKERS_H

#include "comm/tree.h"
#include "glm/glm_state.h"

/* A thread's own room, and what it has summed. */
struct dlpi_worker {
    dlp_glm glm; /* the regression, with rows and tiles of its own */
    double value;
    double *grad; /* (n) */
    double *H;    /* (n, n) */
    double *room; /* that these and the tiles are in */
};

/* A sum is the value, the gradient (n) and H (n, n) behind each other. */
typedef struct dlpi_row_sums {
    dlpi_tree tree;
    dlpi_comm alone;   /* the comm, where there is no other */
    dlp_status status; /* of the processes */
    dlp_error error;
} dlpi_row_sums;

/* Sums the rows from `from` up to `to` into the worker, or where it has none (one chunk is
   all) into g itself, value, grad and H: adds, and whatever is not asked for is NULL. */
typedef double dlpi_chunk_sum(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                              double *grad, double *H);

/* The sum over all rows; grad (n) and H (n, n) are zero, or NULL. `half` is what the
   workers' tiles of that name shall be: g's own, to be read, or NULL for theirs. */
double dlpi_sum_rows(dlp_glm *g, dlpi_chunk_sum *sum, const void *what, double *half,
                     double *grad, double *H);

#endif

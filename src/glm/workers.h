/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression's rows, summed over by several threads and processes. They are divided
 * into chunks, whose number depends on that of the rows alone, and the chunks into parts.
 * Each chunk is summed from zero, those of a part are added in order, and the parts in a
 * tree (comm/tree.h). So the result has the same bits at any number of threads and
 * processes. Internal.
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
    double *room; /* holds these and the tiles */
};

/* A sum consists of the value, the gradient (n) and H (n, n), one after another. */
typedef struct dlpi_row_sums {
    dlpi_tree tree;
    dlpi_comm alone;   /* if there is no other comm */
    dlp_status status; /* of exchanges between processes */
    dlp_error error;
} dlpi_row_sums;

/* Adds the rows from `from` up to `to` to grad and H, either of which may be NULL, and
   returns the value. g is a worker's regression or, if one chunk holds all rows, the
   caller's. */
typedef double dlpi_chunk_sum(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                              double *grad, double *H);

/* The sum over all rows; grad (n) and H (n, n) are zero, or NULL. `half` replaces that of
   the workers, who then only read it; NULL: each uses its own. */
double dlpi_sum_rows(dlp_glm *g, dlpi_chunk_sum *sum, const void *what, double *half,
                     double *grad, double *H);

/* What the chunks of grad Tr{hess f Sigma} are given: S (n, n) is Sigma. */
typedef struct dlpi_trace {
    const double *theta, *S;
    bool root; /* glm->half holds the root of S */
} dlpi_trace;

/* grad (n) = that of the rows, by `sum`, and of the prior. */
void dlpi_sum_trace_grad(dlp_glm *g, dlpi_chunk_sum *sum, const dlpi_trace *of,
                         double *grad);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over leaves, in chunks of them that depend only on how many rows each has
 * (comm/division.h): the same bits whether one process has all leaves or each has some.
 * Internal.
 */
#ifndef DLPI_MIXED_LEAF_SUMS_H
#define DLPI_MIXED_LEAF_SUMS_H

#include "comm/division.h"
#include "comm/tree.h"

typedef struct dlpi_leaf_sums {
    const dlpi_division *division; /* of the leaves; NULL: one chunk */
    dlpi_tree tree;
    dlp_index most;    /* numbers in a sum */
    int lanes;         /* chunks that are summed at once */
    double *chunk;     /* (lanes, most) */
    dlp_status status; /* of the first sum that failed; sums are then no numbers */
    dlp_error error;
} dlpi_leaf_sums;

dlp_status dlpi_leaf_sums_alloc(const dlpi_division *division, dlp_index most, int lanes,
                                dlpi_leaf_sums *sums, dlp_error *error);
void dlpi_leaf_sums_clear(dlpi_leaf_sums *sums); /* fine on a zeroed or failed one */

/* Adds leaves from..to-1 of this process to sum; the lane, 0 to lanes - 1, has it for
   itself meanwhile. */
typedef void dlpi_leaves_add(void *context, int lane, dlp_index from, dlp_index to,
                             double *sum);

/* sum (n) += the sum over all leaves, of which this process has L. */
void dlpi_leaf_sums_add(dlpi_leaf_sums *sums, dlp_index L, dlp_index n, int lanes,
                        dlpi_leaves_add *add, void *context, double *sum);

/* Whether all sums so far went well. */
dlp_status dlpi_leaf_sums_check(const dlpi_leaf_sums *sums, dlp_error *error);

#endif

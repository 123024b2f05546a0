/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where to start the search for x and b at a psi, from what was found at others: near the
 * mode by differences along the coordinates of psi, farther out along those of z, and on
 * a grid from the surrounding points. The closer the start, the fewer evaluations of all
 * rows are needed. Internal.
 */
#ifndef DLPI_MIXED_WARM_START_H
#define DLPI_MIXED_WARM_START_H

#include "infer/explore.h"
#include "mixed/block.h"

/* Knows nothing when zeroed. Vectors are x followed by b, as in `dlpi_mixed.x`. */
typedef struct dlpi_warm_start {
    const dlpi_mixed *model;
    const dlpi_explore *explore;
    dlp_index size;     /* n + L q */
    double *side;       /* (2 m, size) on both sides of the mode in z, */
    double *axis;       /*     and in psi, */
    double *apart;      /* (m) and how far away; 0: not known */
    double *point;      /* (room, size) at points of a grid */
    int room;           /* 0: too much to keep */
    unsigned char *has; /* (room) the point is known */
} dlpi_warm_start;

/* Where there is too much to keep, it stays empty. */
dlp_status dlpi_warm_start_make(const dlpi_mixed *model, const dlpi_explore *explore,
                                dlpi_warm_start *to, dlp_error *error);
void dlpi_warm_start_clear(dlpi_warm_start *s); /* fine on a zeroed or failed one */

/* Records where the block has just been, and whether it found something there: at the
   i-th side; at the i-th place beside the mode along a coordinate of psi, -apart or apart
   away; at a point. */
void dlpi_warm_start_side(dlpi_warm_start *s, const dlpi_mixed_block *block, int i,
                          bool is_known);
void dlpi_warm_start_axis(dlpi_warm_start *s, const dlpi_mixed_block *block, int i,
                          double apart);
void dlpi_warm_start_point(dlpi_warm_start *s, const dlpi_mixed_block *block, int point);

/* Sets x and b of the block: for the i-th place, from the one on the other side of the
   mode, i - 1; for psi; for z; or for a point of the grid. false: nothing is known. */
bool dlpi_warm_start_opposite(const dlpi_warm_start *s, int i, dlpi_mixed_block *block);
bool dlpi_warm_start_aside(const dlpi_warm_start *s, const double *psi,
                           dlpi_mixed_block *block);
bool dlpi_warm_start_near(const dlpi_warm_start *s, const double *z,
                          dlpi_mixed_block *block);
bool dlpi_warm_start_beside(const dlpi_warm_start *s, int point, dlpi_mixed_block *block);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Laplace's approximation of the integral over crossed effects leaves out of log p(y | psi)
 * (laplace_correction.h), as a function of psi: known at the mode of psi, twice along each of its
 * directions to either side and, of few scales, between two directions; a polynomial between.
 * Far from the mode, where the tails of an sd are, it is as large as it is in the middle. Internal.
 */
#ifndef DLPI_MIXED_REMAINDER_H
#define DLPI_MIXED_REMAINDER_H

#include "infer/explore.h"
#include "mixed/block.h"

typedef struct dlpi_remainder {
    const dlpi_explore *explore;
    bool matters;  /* until it is known not to */
    double middle; /* at the mode, */
    double *side;  /* (2 m) sqrt(2) of its sds away, below and above, */
    double *far;   /* (2 m) farther out, */
    double *out;   /* (2 m) that many sds; 0: not known there */
    double *cross; /* (m, m) second derivatives of what directions have together */
    double *psi;   /* (2 m, m) room, for each side's worker */
    double
        *shift; /* (n + L q) how far means are from modes, at the mode of psi; or NULL */
} dlpi_remainder;

dlp_status dlpi_remainder_make(const dlpi_mixed *model, const dlpi_explore *explore,
                               dlpi_remainder *to, dlp_error *error);
void dlpi_remainder_clear(dlpi_remainder *remainder);

/* After a search at the mode (i = 2 m), then at side i: returns what is left out there. The block is
   elsewhere then. */
double dlpi_remainder_note(dlpi_remainder *remainder, dlpi_mixed_block *block, int i);

/* About what is left out at z (m), in sds along the directions. */
double dlpi_remainder_at(const dlpi_remainder *remainder, const double *z);

/* How much it varies where psi is likely. */
double dlpi_remainder_range(const dlpi_remainder *remainder);

#endif

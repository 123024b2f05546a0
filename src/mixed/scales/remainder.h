/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Laplace's approximation of the integral over crossed effects leaves out of log p(y
 * | psi) (laplace_correction.h), as a function of psi. It is computed at the mode of psi,
 * at two distances on either side of it in each of psi's numbers and, if these are few,
 * in pairs of them; in between it is a polynomial. It is a sum over these numbers, not
 * over the directions in which psi varies: an sd that goes to 0 leaves the others as they
 * are. Internal.
 */
#ifndef DLPI_MIXED_REMAINDER_H
#define DLPI_MIXED_REMAINDER_H

#include "infer/explore.h"
#include "mixed/block.h"

typedef struct dlpi_remainder {
    const dlpi_explore *explore;
    bool matters;  /* until shown not to */
    double middle; /* at the mode, */
    double *side;  /* (2 m) sqrt(2) sds away, below and above, */
    double *far;   /* (2 m) farther out, */
    double *out;   /* (2 m) that many sds; 0: not known there */
    double *cross; /* (m, m) the joint part of two, to be multiplied by the distance of
                      each in sds */
    double *psi;   /* (m) room */
    double *mode;  /* (m) of psi, when the remainder was found */
    double *sd;    /* (m) sds of psi, roughly, limited */
    double *wide;  /* (m) by what factor they are limited */
    double
        *shift; /* (n + L q) how far means are from modes, at the mode of psi; or NULL */
} dlpi_remainder;

dlp_status dlpi_remainder_make(const dlpi_mixed *model, const dlpi_explore *explore,
                               dlpi_remainder *to, dlp_error *error);
void dlpi_remainder_clear(dlpi_remainder *remainder);

/* Call after a search at the mode, when the directions are known; it moves the block
   elsewhere. */
void dlpi_remainder_find(dlpi_remainder *remainder, dlpi_mixed_block *block);

/* Approximately the remainder at psi. */
double dlpi_remainder_at(const dlpi_remainder *remainder, const double *psi);

/* How much it varies over the psi that are likely. */
double dlpi_remainder_range(const dlpi_remainder *remainder);

#endif

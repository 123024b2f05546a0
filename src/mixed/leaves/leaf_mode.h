/* SPDX-License-Identifier: BSD-3-Clause */
/* The mode of the effects of one leaf, given the rest. Internal. */
#ifndef DLPI_MIXED_LEAF_MODE_H
#define DLPI_MIXED_LEAF_MODE_H

#include <delaplace/status.h>
#include <stdbool.h>

typedef struct dlpi_leaf_mode {
    dlp_index q;
    /* h at b (q), with its gradient and U, as below. Not finite: h has no value there. */
    double (*expand)(void *context, const double *b);
    void *context;
    const double *gradient,
        *U;               /* (q); (q, q) the factor of -hess h, or of something close to
                             it */
    double *step, *trial; /* room (q) */
    double tiny;          /* a gain of 2 h that is small enough to stop */
    bool beyond;          /* the last step, which promises less, is taken as well */
} dlpi_leaf_mode;

/* Moves b (q) to the mode, starting from where it is or, if h is not finite there, from
   0. Returns h at the mode (with `beyond`: one step before it); NAN: no finite h. */
double dlpi_leaf_mode_find(const dlpi_leaf_mode *m, double *b);

#endif

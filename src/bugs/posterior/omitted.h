/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Laplace's method leaves out of log p(y | psi), as a function of psi. With binary
 * responses and few of them per effect each effect adds a little, always in the same
 * direction, and many effects together move a scale by sds. Internal.
 */
#ifndef DLPI_BUGS_OMITTED_H
#define DLPI_BUGS_OMITTED_H

#include "bugs/posterior/field.h"
#include "infer/explore.h"

/* psi (m) of what is explored; room of the caller. */
typedef const double *dlpi_psi_of(void *context, const double *explored);

typedef struct dlpi_omitted_settings {
    dlpi_psi_of *psi_of;
    void *context;
    int pairs; /* of draws, at each of 2 m + 1 points */
    uint64_t seed;
} dlpi_omitted_settings;

/* How far it moves psi, or widens it, in sds, along the axes of the explored density
   on which there is a mode one sd away. room (2 m + n). */
double dlpi_omitted(dlpi_work *work, const dlpi_explore *explore,
                    const dlpi_omitted_settings *settings, double *room);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A fit of a mixed model under way: fit.c prepares it, and fit_explore.c answers what the
   integration over scales asks. Internal. */
#ifndef DLPI_MIXED_FIT_RUN_H
#define DLPI_MIXED_FIT_RUN_H

#include "infer/explore.h"
#include "mixed/fewer_rows.h"
#include "mixed/fit.h"
#include "mixed/result/summary.h"
#include "mixed/scales/remainder.h"
#include "mixed/scales/warm_start.h"

/* Unknowns, from which on saving a step of a search matters. */
enum { DLPI_MIXED_MUCH = 256 };

typedef struct dlpi_mixed_run {
    dlpi_division *own; /* the chunks of levels, unless the data have them */
    dlpi_fewer_rows fewer;
    dlp_index given; /* rows, before they became fewer */
    dlpi_mixed model;
    dlp_pattern *pattern;
    dlpi_explore explore;
    dlpi_mixed_block *block; /* (threads) */
    int threads;
    double *psi;   /* (threads, m) room, */
    double *stiff; /* and (m) the rough curvature of the density */
    bool *begun;   /* (threads) the worker has been told where to begin */
    bool *log_sd;  /* (m) psi is the logarithm of an sd */
    dlpi_warm_start warm;
    dlpi_remainder remainder; /* of log p(y | psi), */
    double *beyond_here;      /* and (threads) its value where a worker begins */
    dlpi_effects *effects;
    dlpi_listener *listener, nobody;
    dlpi_mixed_result *result;
} dlpi_mixed_run;

/* fit_explore.c. Memory for the integration, what it needs to know about the model, and
   whether the caller has stopped it. */
dlp_status dlpi_mixed_explore_alloc(dlpi_mixed_run *run, dlp_error *error);
void dlpi_mixed_explore_set(dlpi_mixed_run *run, const dlpi_mixed_settings *settings);
bool dlpi_mixed_stopped(void *run);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted mixed model, fitted again to the rows of its table, or to some of them, with
   the prior of the fit: the basis of comparisons and verifications. Internal. */
#ifndef DLPI_REGRESSION_MIXED_TARGET_H
#define DLPI_REGRESSION_MIXED_TARGET_H

#include "mixed/fit.h"
#include "mixed/result/sample.h"
#include "regression/check/target.h"
#include "regression/random/level_rows.h"

typedef struct dlpi_mixed_target {
    const dlpi_target *of;
    dlp_glm *glm;
    dlpi_mixed_data data;
    dlpi_mixed_prior prior;
    dlpi_mixed_term *term;
    dlpi_mixed_smooth *smooth;
    dlpi_process *process; /* (n_terms) */
    dlp_sd_prior *sd;
    dlpi_level_rows levels;
    dlp_index *place; /* (n) where in theta each of beta is */
    double *numbers;  /* priors */
    double *start;    /* (n) in theta's order, then (n) in beta's, then (n, n) room */
    double *weight;   /* (N) */
} dlpi_mixed_target;

/* For a target that is a mixed model. whole: with a row for each of the regression's, as
   scores need it (level_rows.h). */
dlp_status dlpi_mixed_target_make(const dlpi_target *target, bool whole,
                                  dlpi_mixed_target *mixed, dlp_error *error);
void dlpi_mixed_target_clear(dlpi_mixed_target *mixed);

/* Fits it to all rows or, where held (N) is given, to those not held, and then calls
   after(context, found). Rows of a response with levels cannot be held. */
typedef dlp_status dlpi_mixed_after(void *context, const dlpi_mixed_found *found,
                                    dlp_error *error);
dlp_status dlpi_mixed_target_fit(dlpi_mixed_target *mixed, const bool *held, int threads,
                                 dlpi_listener *listener, dlpi_mixed_after *after,
                                 void *context, dlp_error *error);
/* The same with the result, which must be cleared in any case; after may be NULL. */
dlp_status dlpi_mixed_target_result(dlpi_mixed_target *mixed, const bool *held,
                                    int threads, dlpi_listener *listener,
                                    dlpi_mixed_after *after, void *context,
                                    dlpi_mixed_result *result, dlp_error *error);

/* The regression's parameters theta (n), from x of the engine and its scales tau. */
void dlpi_mixed_target_theta(const dlpi_mixed_target *mixed, const dlpi_mixed *model,
                             const double *x, const double *tau, double *theta);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* One regression and its posterior: by the engine or, where that is unsuitable, without
   it. Internal. */
#ifndef DLPI_REGRESSION_SOLVE_H
#define DLPI_REGRESSION_SOLVE_H

#include "regression/prepare/prepare.h"

/* How a fit ended; one of many, where there are groups. */
typedef struct dlpi_solution {
    dlp_status status;
    dlp_outcome outcome;
    int iterations, fallbacks;
    long evaluations;
    double objective;
    bool integrated; /* the scale was integrated out */
    bool propagated; /* by expectation propagation */
    bool few;        /* there are few rows for the columns */
    int n_trace;
    dlp_trace_row *trace; /* (n_trace) if requested; the caller frees it */
} dlpi_solution;

/* The regression of these rows with the prior that was chosen. */
dlp_status dlpi_make_glm(const dlpi_prepared *prepared, const dlp_glm_data *rows,
                         dlp_glm **glm, dlp_error *error);

/* As how many rows they count, by their weights and trials. */
double dlpi_observations(const dlpi_prepared *prepared, const dlp_glm_data *rows);

/* Fits glm, which has these rows, into mu (n) and Sigma (n, n). DLP_EINPUT where the
   numbers are too large. */
dlp_status dlpi_solve(const dlpi_prepared *prepared, const dlp_glm_data *rows,
                      dlp_glm *glm, const dlp_settings *settings, bool with_trace,
                      double *mu, double *Sigma, dlpi_solution *end, dlp_error *error);

#endif

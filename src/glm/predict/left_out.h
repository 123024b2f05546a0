/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the response of a row lies in its predictive distribution without that row, whose
 * own contribution is taken out of q. Internal.
 */
#ifndef DLPI_GLM_LEFT_OUT_H
#define DLPI_GLM_LEFT_OUT_H

#include "glm/predict/predict.h"

typedef struct dlpi_left_out {
    double *below, *up_to; /* (N) P(Y < y) and P(Y <= y) */
    double *leverage;      /* (N) the row's own share of q's precision about eta */
    double *elpd, *seen;   /* (N) log p(y) without the row, and with it; or NULL */
    double *k;  /* (N) the shape of the tail of 1 / p(y | eta) under q, or NULL */
    bool *kept; /* (N) the row could not be taken out, its leverage being 1 or more */
} dlpi_left_out;

/* as_new: the rows were not part of the fit, so nothing is taken out; leverage is then
   what it would be if they were. */
dlp_status dlpi_left_out_rows(const dlpi_family *family, const dlp_glm_data *data,
                              const double *mu, const dlp_sym *Sigma,
                              const dlpi_added *added, bool as_new,
                              const dlpi_left_out *out, dlp_error *error);

/* The shape of the tail of n weights, from their logarithms, which are overwritten;
   infinity when out of memory. */
double dlpi_tail_shape(dlp_index n, double *log_weight);
enum { DLPI_TAIL_POINTS = 1000 };

/* predict_levels.c. The same for families with several levels, in their order. */
dlp_status dlpi_left_out_levels(const dlpi_family *family, const dlp_glm_data *data,
                                const double *mu, const dlp_sym *Sigma,
                                const dlpi_added *added, bool as_new,
                                const dlpi_left_out *out, dlp_error *error);

#endif

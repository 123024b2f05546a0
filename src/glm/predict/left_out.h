/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the response of a row lies in what the fit says of it without that row: the row's own
 * part is taken out of q. Internal.
 */
#ifndef DLPI_GLM_LEFT_OUT_H
#define DLPI_GLM_LEFT_OUT_H

#include "glm/predict/predict.h"

typedef struct dlpi_left_out {
    double *below, *up_to; /* (N) P(Y < y) and P(Y <= y) */
    double *leverage;    /* (N) what share of q's precision about eta is the row's own */
    double *elpd, *seen; /* (N) log p(y) without the row, and with it; or NULL */
    double *k;  /* (N) the shape of the tail of 1 / p(y | eta) under q, or NULL */
    bool *kept; /* (N) the row could not be taken out, its leverage being 1 or more */
} dlpi_left_out;

/* as_new: rows are not in q, and nothing is taken out; leverage is then as if they were. */
dlp_status dlpi_left_out_rows(const dlpi_family *family, const dlp_glm_data *data,
                              const double *mu, const dlp_sym *Sigma,
                              const dlpi_added *added, bool as_new,
                              const dlpi_left_out *out, dlp_error *error);

/* The shape of the tail of n weights, by their logarithms, which it changes; infinity without
   memory. */
double dlpi_tail_shape(dlp_index n, double *log_weight);
enum { DLPI_TAIL_POINTS = 1000 };

/* predict_levels.c. The same of families with several levels, whose order counts. */
dlp_status dlpi_left_out_levels(const dlpi_family *family, const dlp_glm_data *data,
                                const double *mu, const dlp_sym *Sigma,
                                const dlpi_added *added, bool as_new,
                                const dlpi_left_out *out, dlp_error *error);

#endif

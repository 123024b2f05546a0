/* SPDX-License-Identifier: BSD-3-Clause */
/* The probabilities of the levels of an ordinal regression. Internal. */
#ifndef DLPI_GLM_PREDICT_ORDINAL_H
#define DLPI_GLM_PREDICT_ORDINAL_H

#include "glm/families/ordinal_link.h"

#include <delaplace/sym.h>

typedef struct dlpi_ordinal dlpi_ordinal;

/* For theta = (beta (p), delta (K-1)) ~ N(mu, Sigma), which the caller keeps. */
dlp_status dlpi_ordinal_alloc(const dlpi_ordinal_link *link, dlp_index p, dlp_index K,
                              const double *mu, const dlp_sym *Sigma,
                              dlpi_ordinal **ordinal, dlp_error *error);
void dlpi_ordinal_free(dlpi_ordinal *ordinal); /* NULL is fine */

/* p(y = k | theta = mu), k < K, for the linear predictor eta. */
void dlpi_ordinal_at_mean(const dlpi_ordinal *ordinal, double eta, double *probability);
/* What a row's linear predictor contains beyond x'beta. */
typedef struct dlpi_ordinal_more {
    double mean;
    double variance;         /* its own, plus twice its covariance with x'beta */
    const double *with_cuts; /* (K-1) its covariances with delta; NULL: 0 */
} dlpi_ordinal_more;

/* E[p(y = k | theta)], k < K, for the row (p) of X. Nothing allocates. */
void dlpi_ordinal_average(dlpi_ordinal *ordinal, const double *row,
                          const dlpi_ordinal_more *more, double *probability);

#endif

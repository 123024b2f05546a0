/* SPDX-License-Identifier: BSD-3-Clause */
/* What a generalised linear model holds. Internal. */
#ifndef DLPI_GLM_STATE_H
#define DLPI_GLM_STATE_H

#include <delaplace/glm.h>

#include "model/family.h"

struct dlp_glm {
    const dlpi_family *family;
    dlp_glm_data data;
    dlp_index n;       /* parameters: p, and 1 for tau */
    double df;         /* of the prior; 0: Gaussian */
    double *mean;      /* (p) of the prior */
    double *sd;        /* (p) of the prior, unless Gaussian with a full covariance */
    double *precision; /* (p, p) Sigma_0^-1, or NULL */
    double log_prior0; /* the constant of log p(theta) */
    double scale_mean, scale_sd;
    dlpi_rows rows;
    double *tile; /* (p, DLPI_TILE) columns of X, scaled or not */
    double *half; /* (p, DLPI_TILE) Sigma times them */
    double *v;    /* (2p) */
};

/* The family of that name and link; NULL with a message that lists them. */
const dlpi_family *dlpi_family_named(const char *name, const char *link,
                                     dlp_error *error);
/* Whether the numbers are finite, and the responses possible. */
dlp_status dlpi_glm_check_x(const dlp_glm_data *data, dlp_error *error);
dlp_status dlpi_glm_check_y(const dlpi_family *family, const dlp_glm_data *data,
                            dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulation-based calibration: what its files share. Internal. */
#ifndef DLPI_REGRESSION_SBC_H
#define DLPI_REGRESSION_SBC_H

#include <delaplace/sbc.h>

#include "core/pool.h"
#include "glm/families/family.h"
#include "regression/check/target.h"

#include <delaplace/random.h>

/* One replicate, which shares nothing with others. */
typedef struct dlpi_sbc_work {
    const dlpi_target *target;
    dlp_rng rng;
    double *y, *trials; /* (N) responses that are drawn */
    double *drawn, *z;  /* (n) parameters, and where they lie in their posterior as normal
                           quantiles */
} dlpi_sbc_work;

/* How many parameters are ranked, and the name of each, for room bytes at out. */
dlp_index dlpi_sbc_count(const dlp_regression *r);
/* false without memory. */
bool dlpi_sbc_name(const dlp_regression *r, dlp_index i, char *out, size_t room);

/* Draws parameters theta (n) from the prior of a regression; DLP_EINVAL where that
   cannot be drawn from. */
dlp_status dlpi_draw_prior(const dlp_glm *glm, dlp_rng *rng, double *theta,
                           dlp_error *error);
/* Draws a response of row i with that linear predictor; for levels see sbc.c. false: no
   response that could be fitted. */
bool dlpi_sbc_respond(dlpi_sbc_work *w, const dlpi_family *family, dlp_index i,
                      double eta, double tau, double second);

/* sbc_mixed.c. A replicate of a mixed model; any failure except out of memory is one of
   the fit. */
dlp_status dlpi_sbc_mixed(dlpi_sbc_work *w, dlp_error *error);
/* Whether its prior can be drawn from. */
dlp_status dlpi_sbc_check_mixed(const dlp_regression_result *r, dlp_error *error);

#endif

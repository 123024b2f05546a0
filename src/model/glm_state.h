/* SPDX-License-Identifier: BSD-3-Clause */
/* What a generalised linear model holds. Internal. */
#ifndef DLPI_GLM_STATE_H
#define DLPI_GLM_STATE_H

#include <delaplace/glm.h>

#include "model/family.h"
#include "model/prior.h"

struct dlp_glm {
    const dlpi_family *family;
    dlp_glm_data data;
    dlp_index n; /* parameters: p, and 1 for tau */
    dlpi_prior prior;
    double *xi; /* (N) jaakkola_jordan.c: where the bound touches; else NULL */
    dlpi_rows rows;
    double *tile; /* (p, DLPI_TILE) columns of X, scaled or not */
    double *half; /* (p, DLPI_TILE) Sigma times them */
};

/* The family of that name and link; NULL with a message that lists them. */
const dlpi_family *dlpi_family_named(const char *name, const char *link,
                                     dlp_error *error);
/* f of glm.c, for models that differ in the rest of their table. */
dlp_function dlpi_glm_f;
/* eta of the tile that begins at row `at`, into glm->rows. */
void dlpi_glm_load_tile(dlp_glm *glm, const double *beta, dlp_index at);
/* c_ee = x'Sigma x and, with a scale, c_et = x'Sigma_(beta,tau), for its rows; S is
   Sigma's dense block. */
void dlpi_glm_tile_variances(dlp_glm *glm, dlp_index at, const double *S, double *c_ee,
                             double *c_et);
/* The table of jaakkola_jordan.c. */
extern const dlp_model_type dlpi_jaakkola_jordan_type;

/* Whether the numbers are finite, and the responses possible. */
dlp_status dlpi_glm_check_x(const dlp_glm_data *data, dlp_error *error);
dlp_status dlpi_glm_check_y(const dlpi_family *family, const dlp_glm_data *data,
                            dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A mixed regression in the form that src/mixed takes: rows of an ordinal or multinomial
   response become others (src/mixed/levels), and its coefficients have another order.
   Internal. */
#ifndef DLPI_REGRESSION_LEVEL_ROWS_H
#define DLPI_REGRESSION_LEVEL_ROWS_H

#include "glm/glm_state.h"
#include "mixed/levels/multinomial.h"
#include "mixed/levels/ordinal.h"

/* Empty when zeroed, and as that for responses without levels. */
typedef struct dlpi_level_rows {
    dlpi_ordinal_rows ordinal;
    dlpi_multinomial_rows multinomial;
} dlpi_level_rows;

/* The rows of glm with terms and smooths. */
dlpi_mixed_data dlpi_level_rows_data(const dlp_glm *glm, dlp_index n_terms,
                                     const dlpi_mixed_term *term, dlp_index n_smooths,
                                     const dlpi_mixed_smooth *smooth);
/* Replaces them by those that the engine takes, and repeats lkj and share of the prior
   for each linear predictor. whole: each row of an ordinal response stays one row, with
   the gaps between cut points as scales, which takes longer. place (the parameters of glm): where in theta each
   coefficient of the data is. */
dlp_status dlpi_level_rows_make(const dlp_glm *glm, bool whole, dlpi_mixed_data *data,
                                dlpi_mixed_prior *prior, dlp_index *place,
                                dlpi_level_rows *to, dlp_error *error);
void dlpi_level_rows_clear(dlpi_level_rows *levels);

/* The prior of the n coefficients that the data have, cut points among them; mean (n),
   precision (n, n). */
void dlpi_level_rows_prior(const dlp_glm *glm, dlp_index n, const dlp_index *place,
                           double *mean, double *precision);

#endif

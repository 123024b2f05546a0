/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mixed model with a single random term, whose rows are divided among processes: each gets
 * all rows of some levels, in the order that they have in a single process. Internal.
 */
#ifndef DLPI_REGRESSION_DIVIDED_TERM_H
#define DLPI_REGRESSION_DIVIDED_TERM_H

#include "mixed/mixed.h"
#include "regression/prepare/grouped_rows.h"
#include "regression/prepare/prepare.h"

/* Empty when zeroed. */
typedef struct dlpi_divided_term {
    dlpi_grouped_rows rows; /* their columns are those of the model, then of the term */
    dlpi_mixed_division division;
    dlpi_mixed_term term;
    const double **x; /* (p + q) */
    int32_t *code;    /* (rows) levels of this process, from 0 */
} dlpi_divided_term;

/* rows: those of the model, in its basis. Gives up (comm/division.h) where the levels are too
   few for all processes to have some, or would not stay divided in dlpi_mixed_fit. */
dlp_status dlpi_divided_term_make(const dlpi_prepared *p, const dlp_glm_data *rows,
                                  dlpi_divided_term *to, dlp_error *error);
void dlpi_divided_term_clear(dlpi_divided_term *divided);

/* The rows of the model become those of this process. */
void dlpi_divided_term_take(const dlpi_divided_term *divided, dlpi_mixed_data *data);

#endif

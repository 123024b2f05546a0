/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log likelihood of a regression's rows at many values of its parameters: the linear
 * predictors of a tile of rows at all these values are one matrix product. Internal.
 */
#ifndef DLPI_GLM_AT_DRAWS_H
#define DLPI_GLM_AT_DRAWS_H

#include "glm/glm_state.h"

/* Room for one thread. Empty when zeroed. */
typedef struct dlpi_draws_room {
    double *x;   /* (p, DLPI_TILE) the columns of a tile */
    double *eta; /* (draws at a time, predictors, DLPI_TILE) */
    double *t;   /* (2, DLPI_TILE) */
    dlpi_rows *rows;
} dlpi_draws_room;

dlp_status dlpi_draws_room_alloc(const dlp_glm *glm, dlpi_draws_room *room,
                                 dlp_error *error);
void dlpi_draws_room_clear(dlpi_draws_room *room); /* fine on a half-built one */

/* l (S, DLPI_TILE): log p(y_n | theta_s) of the tile of rows that begins at row `at`, without
   their weights; theta (S, n), one row a draw. -infinity where it cannot be computed. Returns
   how many rows the tile has. O(S p) a row; nothing allocates. */
dlp_index dlpi_rows_at_draws(const dlp_glm *glm, dlpi_draws_room *room, dlp_index at,
                             dlp_index S, const double *theta, double *l);

/* f (S): log p(y, theta_s), the prior included and each row multiplied by its weight. */
dlp_status dlpi_glm_at_draws(dlp_glm *glm, int threads, dlp_index S, const double *theta,
                             double *f, dlp_error *error);

#endif

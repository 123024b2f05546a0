/* SPDX-License-Identifier: BSD-3-Clause */
/* Latent cells as functions of coordinates without bounds, and the Jacobians. Internal. */
#ifndef DLPI_BUGS_COORDINATES_H
#define DLPI_BUGS_COORDINATES_H

#include "bugs/plan/lower.h"

/* What a cell is, until the lowering forgets. */
static inline void dlpi_remember(dlpi_lowering *l, dlp_index cell, dlpi_expr e)
{
    l->memo[cell] = e;
    l->stamp[cell] = l->now;
}

/* Remembers what all cells are that are defined together with this latent one. */
dlp_status dlpi_coordinates_of(dlpi_lowering *l, dlp_index cell, dlp_error *error);
/* log_p += log |d value / d coordinate| of what is defined together with the cell. */
dlp_status dlpi_add_jacobian(dlpi_lowering *l, dlp_index cell, dlpi_expr *log_p,
                             dlp_error *error);

#endif

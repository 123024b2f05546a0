/* SPDX-License-Identifier: BSD-3-Clause */
/* Latent cells as functions of unbounded coordinates, and their Jacobians. Internal. */
#ifndef DLPI_BUGS_COORDINATES_H
#define DLPI_BUGS_COORDINATES_H

#include "bugs/plan/lower.h"

/* Remembers the expression of a cell until the lowering forgets it. */
static inline void dlpi_remember(dlpi_lowering *l, dlp_index cell, dlpi_expr e)
{
    l->memo[cell] = e;
    l->stamp[cell] = l->now;
}

/* Remembers the expressions of all cells defined together with this latent one. */
dlp_status dlpi_coordinates_of(dlpi_lowering *l, dlp_index cell, dlp_error *error);
/* log_p += log |d value / d coordinate| for all cells defined together with this one. */
dlp_status dlpi_add_jacobian(dlpi_lowering *l, dlp_index cell, dlpi_expr *log_p,
                             dlp_error *error);

#endif

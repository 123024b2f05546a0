/* SPDX-License-Identifier: BSD-3-Clause */
/* The quasi-Newton update for maximising a density without its curvature. Internal. */
#ifndef DLPI_BFGS_H
#define DLPI_BFGS_H

#include "math/dense.h"

/*
 * The inverse B (m, m) of a curvature after a step s along which the gradient fell by y,
 * with s'y > 0 (Broyden, Fletcher, Goldfarb, Shanno). By (m) is for work.
 *
 *   B += (1 + y'By / s'y) s s' / s'y - (s (By)' + (By) s') / s'y
 */
static inline void dlpi_bfgs_update(dlp_index m, const double *s, const double *y,
                                    double *B, double *By)
{
    const double sy = dlpi_dot(m, s, y);
    dlpi_symmetric_multiply(m, B, y, By);
    const double yBy = dlpi_dot(m, y, By);
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = 0; j < m; j++)
            B[i * m + j] +=
                (1 + yBy / sy) * s[i] * s[j] / sy - (s[i] * By[j] + By[i] * s[j]) / sy;
}

#endif

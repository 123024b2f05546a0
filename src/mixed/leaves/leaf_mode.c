/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/leaf_mode.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 60 };

/* Newton's method, with shorter steps where a full one descends. It stops by the gain
   that a step promises, 1/2 g'C^-1 g. */
double dlpi_leaf_mode_find(const dlpi_leaf_mode *m, double *b)
{
    const dlp_index q = m->q;
    const size_t size = (size_t)q * sizeof *b;
    double h = m->expand(m->context, b), shrink = 1;
    bool at_b = true; /* what `expand` computed last belongs to b */
    if (!isfinite(h)) {
        memset(b, 0, size);
        h = m->expand(m->context, b);
        if (!isfinite(h)) return NAN;
    }
    for (int i = 0; i < MOST_STEPS; i++) {
        if (shrink == 1) {
            memcpy(m->step, m->gradient, size);
            dlpi_cholesky_solve(q, m->U, m->step);
            if (!(dlpi_dot(q, m->step, m->gradient) > m->tiny)) {
                if (m->beyond) dlpi_axpy(q, 1, m->step, b);
                break;
            }
        }
        for (dlp_index j = 0; j < q; j++) m->trial[j] = b[j] + shrink * m->step[j];
        const double there = m->expand(m->context, m->trial);
        at_b = there >= h - 1e-12 * fabs(h);
        if (at_b) {
            memcpy(b, m->trial, size);
            h = there;
            shrink = 1;
        } else {
            shrink /= 4;
        }
    }
    return at_b ? h : m->expand(m->context, b);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The nearest point of a convex hull by an active set method: the support grows by the
 * point that promises most, and loses those whose weight would turn negative on the way
 * to the minimum over the support's affine hull. c is on the simplex at every moment.
 */
#include "math/clones.h"
#include "topics/spectral/spectral_parts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A point joins the support when the gradient there is lower by this part of the largest
   of G: far below the precision of the counts, far above rounding. */
static const double enough = 1e-9;

dlp_index dlpi_hull_numbers(dlp_index n)
{
    return n * (n + 5);
}

void dlpi_hull_init(dlpi_hull *hull, dlp_index n, const double *G, double *numbers,
                    dlp_index *indices)
{
    *hull = (dlpi_hull){.n = n, .G = G, .support = indices, .L = numbers};
    hull->c = numbers + n * n;
    hull->target = hull->c + n;
    hull->y = hull->target + n;
    hull->w = hull->y + n;
    hull->gradient = hull->w + n;
    for (dlp_index k = 0; k < n; k++) hull->scale = fmax(hull->scale, G[k * n + k]);
}

/* Four partial sums in a fixed shape: the same bits in every clone. */
DLPI_INLINE double dot(dlp_index n, const double *x, const double *y)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    dlp_index i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += x[i] * y[i];
        s1 += x[i + 1] * y[i + 1];
        s2 += x[i + 2] * y[i + 2];
        s3 += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++) s0 += x[i] * y[i];
    return (s0 + s1) + (s2 + s3);
}

DLPI_INLINE void add_multiple(dlp_index n, double a, const double *restrict x,
                              double *restrict y)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) y[i] += a * x[i];
}

/* Row r of the factor, L_r, and of y and w, from the rows before it. */
DLPI_INLINE void factor_row(dlpi_hull *hull, dlp_index r, const double *h)
{
    const dlp_index n = hull->n, k = hull->support[r];
    const double *G = hull->G + k * n;
    double *row = hull->L + r * n;
    for (dlp_index s = 0; s < r; s++) {
        const double *before = hull->L + s * n;
        row[s] = (G[hull->support[s]] - dot(s, row, before)) / before[s];
    }
    /* The anchors are independent, so the pivot is positive, but rounding may change its
       size. */
    const double pivot = G[k] - dot(r, row, row), least = 1e-14 * G[k];
    row[r] = sqrt(pivot > least ? pivot : least);
    hull->y[r] = (h[k] - dot(r, row, hull->y)) / row[r];
    hull->w[r] = (1 - dot(r, row, hull->w)) / row[r];
}

/* The minimum over the support with the signs left free:
   G c = h + lambda 1, 1'c = 1, so that L'c = y + lambda w */
DLPI_INLINE void find_target(dlpi_hull *hull)
{
    const dlp_index n = hull->n, m = hull->m;
    double *t = hull->target;
    const double lambda = (1 - dot(m, hull->w, hull->y)) / dot(m, hull->w, hull->w);
    for (dlp_index r = 0; r < m; r++) t[r] = hull->y[r] + lambda * hull->w[r];
    for (dlp_index r = m; r-- > 0;) {
        const double *row = hull->L + r * n;
        t[r] /= row[r];
        add_multiple(r, -t[r], row, t);
    }
}

/* Goes towards the target as far as c stays on the simplex; returns the place in the
   support that stopped it, or -1 when the target is reached. */
DLPI_INLINE dlp_index approach(dlpi_hull *hull)
{
    double step = 1;
    dlp_index stopped = -1;
    for (dlp_index r = 0; r < hull->m; r++)
        if (hull->target[r] <= 0) {
            const double most = hull->c[r] / (hull->c[r] - hull->target[r]);
            if (stopped < 0 || most < step) {
                step = most;
                stopped = r;
            }
        }
    for (dlp_index r = 0; r < hull->m; r++) {
        const double c = hull->c[r] + step * (hull->target[r] - hull->c[r]);
        hull->c[r] = c > 0 ? c : 0;
    }
    return stopped;
}

DLPI_INLINE void leave_support(dlpi_hull *hull, dlp_index place, const double *h)
{
    hull->m--;
    for (dlp_index r = place; r < hull->m; r++) {
        hull->support[r] = hull->support[r + 1];
        hull->c[r] = hull->c[r + 1];
    }
    for (dlp_index r = place; r < hull->m; r++) factor_row(hull, r, h);
}

/* To the minimum over the support, or over what is left of it on the way there. False
   when the point that joined last leaves at once: from here on, rounding decides. */
DLPI_INLINE bool settle(dlpi_hull *hull, const double *h)
{
    const dlp_index joined = hull->support[hull->m - 1];
    for (;;) {
        find_target(hull);
        const dlp_index place = approach(hull);
        if (place < 0) return true;
        const bool undone = hull->support[place] == joined;
        leave_support(hull, place, h);
        if (undone) return false;
    }
}

DLPI_INLINE void join_support(dlpi_hull *hull, dlp_index k, double c, const double *h)
{
    hull->support[hull->m] = k;
    hull->c[hull->m] = c;
    factor_row(hull, hull->m++, h);
}

/* The point of the least gradient, when that is less than over the support. */
DLPI_INLINE dlp_index most_promising(dlpi_hull *hull, const double *h)
{
    const dlp_index n = hull->n;
    double *gradient = hull->gradient, level = 0;
    for (dlp_index k = 0; k < n; k++) gradient[k] = -h[k];
    for (dlp_index r = 0; r < hull->m; r++)
        add_multiple(n, hull->c[r], hull->G + hull->support[r] * n, gradient);
    for (dlp_index r = 0; r < hull->m; r++)
        level += hull->c[r] * gradient[hull->support[r]];
    dlp_index best = 0;
    for (dlp_index k = 1; k < n; k++)
        if (gradient[k] < gradient[best]) best = k;
    return gradient[best] < level - enough * hull->scale ? best : -1;
}

DLPI_INLINE dlp_index nearest_point(const dlpi_hull *hull, const double *h)
{
    const dlp_index n = hull->n;
    dlp_index best = 0;
    for (dlp_index k = 1; k < n; k++)
        if (hull->G[k * n + k] - 2 * h[k] < hull->G[best * n + best] - 2 * h[best])
            best = k;
    return best;
}

DLPI_CLONES static void find_support(dlpi_hull *hull, const double *h)
{
    hull->m = 0;
    join_support(hull, nearest_point(hull, h), 1, h);
    /* The squared distance falls with every round, so no support comes twice; the limit
       only keeps rounding from circling. */
    for (dlp_index round = 0; round < 10 * hull->n; round++) {
        const dlp_index k = most_promising(hull, h);
        if (k < 0) return;
        join_support(hull, k, 0, h);
        if (!settle(hull, h)) return;
    }
}

void dlpi_hull_nearest(dlpi_hull *hull, const double *h, double *c)
{
    find_support(hull, h);
    memset(c, 0, (size_t)hull->n * sizeof *c);
    for (dlp_index r = 0; r < hull->m; r++) c[hull->support[r]] = hull->c[r];
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/anderson.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* Curvature given q(z) usually says less about how far mu has to go than mu itself does.
   Only when its units differ by this factor are the coordinates on truly different
   scales. */
static const double UNITS_APART = 0x1p16;

dlp_status dlpi_anderson_alloc(dlpi_anderson *a, dlp_index n, int depth, dlp_error *error)
{
    memset(a, 0, sizeof *a);
    a->n = n;
    a->depth = depth;
    a->r = dlpi_calloc(dlpi_size(3 + 2 * depth, n, 0), sizeof *a->r);
    if (!a->r) return dlpi_no_memory(error, "the acceleration of the loop");
    a->g = a->r + n;
    a->unit = a->g + n;
    a->dR = a->unit + n;
    for (dlp_index i = 0; i < n; i++) a->unit[i] = 1;
    a->dG = a->dR + depth * n;
    return DLP_OK;
}

void dlpi_anderson_free(dlpi_anderson *a)
{
    free(a->r);
    memset(a, 0, sizeof *a);
}

void dlpi_anderson_reset(dlpi_anderson *a)
{
    a->seen = 0;
}

void dlpi_anderson_measure(dlpi_anderson *a, const double *unit)
{
    double least = unit[0], most = unit[0];
    if (a->seen > 0) return;
    for (dlp_index i = 1; i < a->n; i++) {
        least = fmin(least, unit[i]);
        most = fmax(most, unit[i]);
    }
    for (dlp_index i = 0; i < a->n; i++)
        a->unit[i] = most > UNITS_APART * least ? unit[i] : 1;
}

/* Makes this the last pair and stores its differences from the previous one in the
   ring. */
static void remember(dlpi_anderson *a, const double *mu, const double *g)
{
    const dlp_index at = (a->seen + a->depth - 1) % a->depth * a->n;
    for (dlp_index i = 0; i < a->n; i++) {
        const double r = (g[i] - mu[i]) / a->unit[i];
        if (a->seen > 0) {
            a->dR[at + i] = r - a->r[i];
            a->dG[at + i] = g[i] - a->g[i];
        }
        a->r[i] = r;
        a->g[i] = g[i];
    }
    a->seen++;
}

/* gamma = argmin ||r - dR' gamma||, by the normal equations with a small ridge. */
static bool least_squares(const dlpi_anderson *a, int m, double *gamma)
{
    double A[DLPI_ANDERSON_DEEPEST * DLPI_ANDERSON_DEEPEST], trace = 0;
    for (int i = 0; i < m; i++) {
        gamma[i] = dlpi_dot(a->n, a->dR + i * a->n, a->r);
        for (int j = i; j < m; j++)
            A[j * m + i] = A[i * m + j] =
                dlpi_dot(a->n, a->dR + i * a->n, a->dR + j * a->n);
        trace += A[i * m + i];
    }
    for (int i = 0; i < m; i++) A[i * m + i] += 1e-12 * trace;
    if (dlpi_cholesky(m, A) >= 0) return false;
    dlpi_cholesky_solve(m, A, gamma);
    return dlpi_all_finite(m, gamma);
}

/* next = g - dG' gamma: Anderson (1965), type II, with mixing 1 */
bool dlpi_anderson_next(dlpi_anderson *a, const double *mu, const double *g, double *next)
{
    double gamma[DLPI_ANDERSON_DEEPEST];
    const double before = a->seen ? dlpi_norm(a->n, a->r) : INFINITY;
    remember(a, mu, g);
    if (dlpi_norm(a->n, a->r) > 2 * before)
        a->seen = 1; /* the last step made things
                                                            worse */
    const int pairs = a->seen - 1;
    const int m = pairs < a->depth ? pairs : a->depth;
    if (m == 0 || !least_squares(a, m, gamma)) return false;
    memcpy(next, g, (size_t)a->n * sizeof *next);
    for (int k = 0; k < m; k++)
        for (dlp_index i = 0; i < a->n; i++) next[i] -= gamma[k] * a->dG[k * a->n + i];
    return true;
}

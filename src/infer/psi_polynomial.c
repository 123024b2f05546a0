/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/psi_polynomial.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

static void fill(dlp_index m, bool crossed, const double *u, double *term)
{
    *term++ = 1;
    for (dlp_index i = 0; i < m; i++) *term++ = u[i];
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = i; j < m; j++) *term++ = u[i] * u[j];
    for (dlp_index i = 0; i < m; i++) *term++ = u[i] * u[i] * u[i];
    for (dlp_index i = 0; crossed && i < m; i++)
        for (dlp_index j = 0; j < m; j++)
            if (i != j) *term++ = u[i] * u[i] * u[j];
}

/* (A'WA + ridge) coefficient = A'W value */
static bool solve(dlpi_polynomial *p, dlp_index n, const double *u, const double *value,
                  const double *weight, double *G)
{
    const dlp_index F = p->terms;
    const double ridge = 1e-4; /* relative to the points' total weight, 1 */
    memset(p->coefficient, 0, (size_t)F * sizeof *p->coefficient);
    memset(G, 0, (size_t)(F * F) * sizeof *G);
    for (dlp_index i = 0; i < n; i++) {
        if (!(weight[i] > 0) || !isfinite(value[i])) continue;
        fill(p->m, p->crossed, u + i * p->m, p->term);
        dlpi_axpy(F, weight[i] * value[i], p->term, p->coefficient);
        for (dlp_index a = 0; a < F; a++)
            dlpi_axpy(F - a, weight[i] * p->term[a], p->term + a, G + a * F + a);
        p->least = fmin(p->least, value[i]);
        p->most = fmax(p->most, value[i]);
    }
    for (dlp_index a = 1; a < F; a++) G[a * (F + 1)] += ridge;
    if (dlpi_cholesky(F, G) >= 0) return false;
    dlpi_cholesky_solve(F, G, p->coefficient);
    return true;
}

dlp_status dlpi_polynomial_fit(dlp_index m, dlp_index n, const double *u,
                               const double *value, const double *weight, bool crossed,
                               dlpi_polynomial *p, dlp_error *error)
{
    const dlp_index F = crossed ? dlpi_polynomial_crossed(m) : dlpi_polynomial_terms(m);
    *p = (dlpi_polynomial){
        .m = m, .terms = F, .crossed = crossed, .least = INFINITY, .most = -INFINITY};
    p->coefficient = dlpi_calloc(F * (F + 2), sizeof *p->coefficient);
    if (!p->coefficient) return dlpi_no_memory(error, "the scales");
    p->term = p->coefficient + F;
    if (!solve(p, n, u, value, weight, p->term + F))
        memset(p->coefficient, 0, (size_t)F * sizeof *p->coefficient);
    if (!(p->least <= p->most)) p->least = p->most = 0;
    return DLP_OK;
}

double dlpi_polynomial_at(const dlpi_polynomial *p, const double *u)
{
    fill(p->m, p->crossed, u, p->term);
    const double value = dlpi_dot(p->terms, p->coefficient, p->term);
    return fmin(fmax(value, p->least), p->most);
}

void dlpi_polynomial_free(dlpi_polynomial *p)
{
    free(p->coefficient);
    *p = (dlpi_polynomial){0};
}

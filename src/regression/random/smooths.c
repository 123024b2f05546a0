/* SPDX-License-Identifier: BSD-3-Clause */
/* The curves of a regression's smooth terms. */
#include "core/core.h"
#include "regression/regression.h"
#include "table/design/basis.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* The place of the coefficient of the basis's column j. A smooth by numbers has one for a
   constant before them. */
static dlp_index place_of(const dlp_smooth_effect *s, const dlp_basis *basis, dlp_index j)
{
    const dlp_index constant = s->n_fixed - basis->fixed;
    return j < basis->fixed ? s->fixed + constant + j : s->first + j - basis->fixed;
}

/* f = sum_j c_j B_j(x), by its mean and variance. */
static dlp_margin value_at(const dlp_regression_result *r, const dlp_smooth_effect *s,
                           const dlp_basis *basis, dlp_index n, const double *B)
{
    const dlp_index constant = s->n_fixed - basis->fixed, m = basis->columns;
    double mean = 0, variance = 0;
    for (dlp_index a = -constant; a < m; a++) {
        const dlp_index i = a < 0 ? s->fixed : place_of(s, basis, a);
        const double u = a < 0 ? 1 : B[a * n];
        double sum = 0;
        for (dlp_index b = -constant; b < m; b++) {
            const dlp_index k = b < 0 ? s->fixed : place_of(s, basis, b);
            sum += r->Sigma[i * r->n + k] * (b < 0 ? 1 : B[b * n]);
        }
        mean += u * r->mu[i];
        variance += u * sum;
    }
    const double sd = sqrt(fmax(variance, 0)), half = dlp_normal_quantile(0.975) * sd;
    return (dlp_margin){.mean = mean,
                        .sd = sd,
                        .lower = mean - half,
                        .median = mean,
                        .upper = mean + half};
}

dlp_status dlp_regression_curve(const dlp_regression *regression, dlp_index s,
                                dlp_index n, double *x, dlp_margin *f, dlp_error *error)
{
    const dlp_regression_result *r = &regression->result;
    if (s < 0 || s >= r->n_smooths || n < 2)
        return dlp_fail(error, DLP_EINVAL, "the regression has no smooth %td, from 0", s);
    const dlp_smooth_effect *of = &r->smooth[s];
    const dlp_basis *basis = &r->terms->basis[of->basis];
    if (basis->d != 1)
        return dlp_fail(error, DLP_EINVAL, "%s has two variables, and so no curve",
                        of->label);
    const bool regions = basis->kind == DLP_BASIS_BESAG;
    if (regions && n != basis->n_knots)
        return dlp_fail(error, DLP_EINVAL, "%s has %td regions, not %td", of->label,
                        basis->n_knots, n);
    double *room = dlpi_calloc(basis->columns * n + dlpi_basis_room(basis), sizeof *room);
    if (!room) return dlpi_no_memory(error, "a curve");
    const double low = basis->knot[0], high = basis->knot[basis->n_knots - 1];
    for (dlp_index i = 0; i < n; i++)
        x[i] = regions     ? (double)i
               : i + 1 < n ? low + (high - low) * ((double)i / (double)(n - 1))
                           : high;
    const double *at = x;
    dlpi_basis_values(basis, n, &at, room, room + basis->columns * n);
    for (dlp_index i = 0; i < n; i++) f[i] = value_at(r, of, basis, n, room + i);
    free(room);
    return DLP_OK;
}

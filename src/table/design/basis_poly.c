/* SPDX-License-Identifier: BSD-3-Clause */
/* The constants of poly(x, d), those of R's: a three-term recurrence of polynomials that are
   orthogonal over the data. */
#include "table/design/basis.h"

#include <math.h>
#include <string.h>

/* Whether there are as many distinct numbers as the polynomial has coefficients. */
static bool has_distinct(const double *sorted, dlp_index n, dlp_index wanted)
{
    dlp_index found = n > 0;
    for (dlp_index i = 1; i < n && found < wanted; i++)
        found += sorted[i] > sorted[i - 1];
    return found >= wanted;
}

/*
 * p_0 = 1, p_1 = x - alpha_0, p_{k+1} = (x - alpha_k) p_k - (norm_k / norm_{k-1}) p_{k-1},
 * alpha_k = sum x p_k^2 / norm_k, norm_k = sum p_k^2
 */
static bool recur(dlp_index n, const double *x, dlp_index degree, double *before,
                  double *now, double *alpha, double *norm)
{
    double sum = 0, mean = 0;
    for (dlp_index i = 0; i < n; i++) mean += x[i] / (double)n; /* saves digits */
    for (dlp_index i = 0; i < n; i++) {
        before[i] = 0;
        now[i] = 1;
    }
    norm[0] = (double)n;
    for (dlp_index k = 0; k < degree; k++) {
        sum = 0;
        for (dlp_index i = 0; i < n; i++) sum += (x[i] - mean) * now[i] * now[i];
        alpha[k] = mean + sum / norm[k];
        norm[k + 1] = 0;
        for (dlp_index i = 0; i < n; i++) {
            const double next = (x[i] - alpha[k]) * now[i] -
                                (k > 0 ? norm[k] / norm[k - 1] * before[i] : 0);
            before[i] = now[i];
            now[i] = next;
            norm[k + 1] += next * next;
        }
        if (!isfinite(norm[k + 1]) || norm[k + 1] <= 0) return false;
    }
    return true;
}

dlp_status dlpi_basis_make_poly(const struct dlpi_basis_spec *spec, dlp_index n,
                                const double *x, struct dlpi_pool *pool, dlp_basis *out,
                                dlp_error *error)
{
    const dlp_index degree = spec->degree;
    *out = (dlp_basis){
        .kind = spec->kind, .d = 1, .degree = degree, .columns = degree, .fixed = degree};
    double *alpha = dlpi_pool_take(pool, 2 * degree + 1, sizeof *alpha);
    double *room = dlpi_pool_take(pool, 2 * n, sizeof *room);
    double *sorted = dlpi_sorted_copy(x, n, pool);
    if (!alpha || !room || !sorted) return dlpi_no_memory(error, "a polynomial");
    if (spec->kind == DLP_BASIS_RAW) return DLP_OK;
    out->n_knots = degree;
    out->knot = alpha;
    out->n_weights = degree + 1;
    out->weight = alpha + degree;
    if (has_distinct(sorted, n, degree + 1) &&
        recur(n, x, degree, room, room + n, alpha, alpha + degree))
        return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "a polynomial of degree %td needs %td distinct values, not too far "
                    "apart, and there are fewer; take a lower degree",
                    degree, degree + 1);
}

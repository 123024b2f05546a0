/* SPDX-License-Identifier: BSD-3-Clause */
/* The knots of bs() and ns(), and the combinations of B-splines that ns() is made of, as R
   has them. */
#include "math/distinct.h"
#include "table/design/basis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sorted numbers ---- */

double *dlpi_sorted_copy(const double *x, dlp_index n, struct dlpi_pool *pool)
{
    double *copy = dlpi_pool_take(pool, n, sizeof *copy);
    if (!copy || n == 0) return copy;
    memcpy(copy, x, (size_t)n * sizeof *copy);
    qsort(copy, (size_t)n, sizeof *copy, dlpi_ascending);
    return copy;
}

double dlpi_sorted_quantile(const double *x, dlp_index n, double P)
{
    const double at = P * (double)(n - 1);
    const dlp_index i = (dlp_index)floor(at + 4e-16);
    const double part = at - (double)i;
    if (i + 1 >= n || fabs(part) < 1e-12) return x[i < n ? i : n - 1];
    return x[i] + part * (x[i + 1] - x[i]);
}

/* ---- B-splines ---- */

dlp_index dlpi_bspline_interval(const double *knot, dlp_index n_knots, int order,
                                double x)
{
    dlp_index i = order - 1, last = n_knots - order - 1;
    while (i < last && x >= knot[i + 1]) i++;
    while (i > order - 1 && knot[i] == knot[i + 1]) i--; /* intervals of no length */
    return i;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* From order m, of splines i - m + 1, ..., i, to order m + 1:
   B_{j,m+1} = (x - t_j) / (t_{j+m} - t_j) B_{j,m} + (t_{j+m+1} - x) / (..) B_{j+1,m} */
static void raise_values(const double *t, dlp_index i, int m, double x, double *B)
{
    for (int a = m; a >= 0; a--) { /* the spline i - m + a */
        const dlp_index j = i - m + a;
        const double left = a > 0 ? ratio(B[a - 1], t[j + m] - t[j]) : 0;
        const double right = a < m ? ratio(B[a], t[j + m + 1] - t[j + 1]) : 0;
        B[a] = (x - t[j]) * left + (t[j + m + 1] - x) * right;
    }
}

/* The same for derivatives: B'_{j,m+1} = m (B_{j,m} / (t_{j+m} - t_j) - B_{j+1,m} /
   ..) */
static void raise_derivatives(const double *t, dlp_index i, int m, double *B)
{
    for (int a = m; a >= 0; a--) {
        const dlp_index j = i - m + a;
        const double left = a > 0 ? ratio(B[a - 1], t[j + m] - t[j]) : 0;
        const double right = a < m ? ratio(B[a], t[j + m + 1] - t[j + 1]) : 0;
        B[a] = m * (left - right);
    }
}

void dlpi_bspline(const double *knot, dlp_index i, int order, int r, double x,
                  double *out)
{
    out[0] = 1;
    for (int m = 1; m < order; m++) {
        if (m < order - r)
            raise_values(knot, i, m, x, out);
        else
            raise_derivatives(knot, i, m, out);
    }
}

/* ---- knots ---- */

static dlp_status find_ends(const struct dlpi_basis_spec *spec, dlp_index n,
                            const double *sorted, double *ends, dlp_error *error)
{
    if (n > 0) {
        ends[0] = spec->has_ends ? spec->ends[0] : sorted[0];
        ends[1] = spec->has_ends ? spec->ends[1] : sorted[n - 1];
        if (ends[0] < ends[1]) return DLP_OK;
    }
    return dlp_fail(error, DLP_EINPUT,
                    "%s() needs numbers that vary; take it out of the formula",
                    dlp_basis_name((int)spec->kind));
}

/* Quantiles of what lies between the ends. */
static dlp_status find_inner(const struct dlpi_basis_spec *spec, dlp_index n,
                             const double *sorted, const double *ends, double *inner,
                             dlp_error *error)
{
    const dlp_index m = spec->n_knots;
    dlp_index from = 0, to = n;
    while (from < to && sorted[from] < ends[0]) from++;
    while (to > from && sorted[to - 1] > ends[1]) to--;
    for (dlp_index k = 0; k < m; k++)
        inner[k] = spec->knot  ? spec->knot[k]
                   : to > from ? dlpi_sorted_quantile(sorted + from, to - from,
                                                      (double)(k + 1) / (double)(m + 1))
                               : NAN;
    for (dlp_index k = 0; k < m; k++)
        if (!(inner[k] > ends[0] && inner[k] < ends[1]) ||
            (k > 0 && !(inner[k] > inner[k - 1])))
            return dlp_fail(error, DLP_EINPUT,
                            "the knots of %s() must be distinct and lie between the "
                            "smallest and the largest number; too many values are the "
                            "same for so many knots: take a smaller df, or state knots",
                            dlp_basis_name((int)spec->kind));
    return DLP_OK;
}

/* ---- natural splines ---- */

/* Replaces A (rows, 2) by the reflection that takes its column l to a multiple of e_l, as
   in LINPACK. */
static void reflect(dlp_index rows, double *A, int l, double *pivot)
{
    double norm = 0;
    for (dlp_index i = l; i < rows; i++) norm = hypot(norm, A[i * 2 + l]);
    if (norm == 0) {
        *pivot = 0;
        return;
    }
    norm = copysign(norm, A[l * 2 + l]);
    for (dlp_index i = l; i < rows; i++) A[i * 2 + l] /= norm;
    A[l * 2 + l] += 1;
    *pivot = A[l * 2 + l];
    for (int j = l + 1; j < 2; j++) {
        double sum = 0;
        for (dlp_index i = l; i < rows; i++) sum += A[i * 2 + l] * A[i * 2 + j];
        for (dlp_index i = l; i < rows; i++) A[i * 2 + j] -= sum / *pivot * A[i * 2 + l];
    }
}

/* Q'e_k of the two reflections, for k < rows; the first two are of what bends at the ends,
   and the others the columns of ns(): weight (rows, rows - 2). */
static void combine(dlp_index rows, const double *A, const double *pivot, double *e,
                    double *weight)
{
    for (dlp_index k = 0; k < rows; k++) {
        memset(e, 0, (size_t)rows * sizeof *e);
        e[k] = 1;
        for (int l = 0; l < 2; l++) {
            double sum = 0;
            for (dlp_index i = l; i < rows; i++) sum += A[i * 2 + l] * e[i];
            if (pivot[l] == 0) continue;
            for (dlp_index i = l; i < rows; i++) e[i] -= sum / pivot[l] * A[i * 2 + l];
        }
        memcpy(weight + k * (rows - 2), e + 2, (size_t)(rows - 2) * sizeof *weight);
    }
}

/* Combinations without a second derivative at either end: weight (splines, columns),
   where the first spline is left out unless it is to stay. */
static dlp_status make_natural(const struct dlpi_basis_spec *spec, dlp_basis *out,
                               struct dlpi_pool *pool, dlp_error *error)
{
    enum { ORDER = 4 };
    const dlp_index splines = out->n_knots - ORDER, skipped = !spec->intercept,
                    rows = splines - skipped;
    double *A = dlpi_pool_take(pool, 2 * splines, sizeof *A), pivot[2], at[ORDER];
    double *e = dlpi_pool_take(pool, rows, sizeof *e);
    double *weight = dlpi_pool_take(pool, splines * out->columns, sizeof *weight);
    if (!A || !e || !weight) return dlpi_no_memory(error, "a spline");
    for (int side = 0; side < 2; side++) {
        const dlp_index i = side ? out->n_knots - ORDER - 1 : ORDER - 1;
        dlpi_bspline(out->knot, i, ORDER, 2, out->knot[side ? out->n_knots - 1 : 0], at);
        for (int a = 0; a < ORDER; a++)
            if (i - ORDER + 1 + a >= skipped)
                A[(i - ORDER + 1 + a - skipped) * 2 + side] = at[a];
    }
    reflect(rows, A, 0, &pivot[0]);
    reflect(rows, A, 1, &pivot[1]);
    combine(rows, A, pivot, e, weight + skipped * out->columns);
    out->weight = weight;
    out->n_weights = splines * out->columns;
    return DLP_OK;
}

dlp_status dlpi_basis_make_splines(const struct dlpi_basis_spec *spec, dlp_index n,
                                   const double *x, struct dlpi_pool *pool,
                                   dlp_basis *out, dlp_error *error)
{
    const dlp_index degree = spec->degree, m = spec->n_knots;
    double ends[2] = {0, 0}, *sorted = dlpi_sorted_copy(x, n, pool);
    *out = (dlp_basis){.kind = spec->kind,
                       .d = 1,
                       .degree = degree,
                       .columns = spec->columns,
                       .fixed = spec->columns,
                       .n_knots = m + 2 * (degree + 1)};
    double *knot = dlpi_pool_take(pool, out->n_knots, sizeof *knot);
    if (!sorted || !knot) return dlpi_no_memory(error, "a spline");
    DLP_TRY(find_ends(spec, n, sorted, ends, error));
    DLP_TRY(find_inner(spec, n, sorted, ends, knot + degree + 1, error));
    for (dlp_index k = 0; k <= degree; k++) {
        knot[k] = ends[0];
        knot[out->n_knots - 1 - k] = ends[1];
    }
    out->knot = knot;
    return spec->kind == DLP_BASIS_NS ? make_natural(spec, out, pool, error) : DLP_OK;
}

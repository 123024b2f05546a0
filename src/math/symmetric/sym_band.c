/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A band: the entries (i, i) to (i, i + b), row by row. Elimination creates no entries
 * beyond it. Storage beyond column n-1 is neither read nor preserved.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/band_factor.h"
#include "math/symmetric/structure.h"

#include <string.h>

static dlp_status check(const dlp_shape *shape, dlp_error *error)
{
    if (shape->bandwidth >= 0 && (shape->bandwidth < shape->n || shape->n < 1))
        return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "the bandwidth is %td; it must be between 0 and n-1 = %td",
                    shape->bandwidth, shape->n - 1);
}

static dlp_index value_size(const dlp_shape *shape)
{
    return dlpi_size(shape->n, dlpi_size(1, shape->bandwidth, 1), 0);
}

static void set_identity(dlp_sym *A)
{
    const dlp_index ld = A->shape.bandwidth + 1;
    memset(A->a, 0, (size_t)value_size(&A->shape) * sizeof *A->a);
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[i * ld] = 1;
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    const dlp_index n = A->shape.n, ld = A->shape.bandwidth + 1;
    memset(y, 0, (size_t)n * sizeof *y);
    for (dlp_index i = 0; i < n; i++) {
        const double *row = A->a + i * ld;
        const dlp_index w = dlpi_band_width(&A->shape, i);
        y[i] += row[0] * x[i] + dlpi_dot(w, row + 1, x + i + 1);
        for (dlp_index k = 1; k <= w; k++) y[i + k] += row[k] * x[i];
    }
}

static double quadratic(const dlp_sym *A, const double *x)
{
    const dlp_index n = A->shape.n, ld = A->shape.bandwidth + 1;
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double *row = A->a + i * ld;
        const dlp_index w = dlpi_band_width(&A->shape, i);
        sum += x[i] * (row[0] * x[i] + 2 * dlpi_dot(w, row + 1, x + i + 1));
    }
    return sum;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const dlp_index first = i < j ? i : j, off = i < j ? j - i : i - j;
    return off <= A->shape.bandwidth ? A->a[first * (A->shape.bandwidth + 1) + off] : 0;
}

static void get_diagonal(const dlp_sym *A, double *d)
{
    const dlp_index ld = A->shape.bandwidth + 1;
    for (dlp_index i = 0; i < A->shape.n; i++) d[i] = A->a[i * ld];
}

static void add_diagonal(dlp_sym *A, const double *d)
{
    const dlp_index ld = A->shape.bandwidth + 1;
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[i * ld] += d[i];
}

static void keep_diagonal(dlp_sym *A)
{
    const dlp_index b = A->shape.bandwidth;
    for (dlp_index i = 0; i < A->shape.n; i++)
        memset(A->a + i * (b + 1) + 1, 0, (size_t)b * sizeof *A->a);
}

static void rescale(dlp_sym *A, const double *s)
{
    const dlp_index ld = A->shape.bandwidth + 1;
    for (dlp_index i = 0; i < A->shape.n; i++)
        for (dlp_index k = 0; k <= dlpi_band_width(&A->shape, i); k++)
            A->a[i * ld + k] *= s[i] * s[i + k];
}

/* Tr{AB} = sum_ij A_ij B_ij, both symmetric */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    const dlp_index ld = A->shape.bandwidth + 1;
    double diagonal = 0, above = 0;
    for (dlp_index i = 0; i < A->shape.n; i++) {
        const double *a = A->a + i * ld, *b = B->a + i * ld;
        diagonal += a[0] * b[0];
        above += dlpi_dot(dlpi_band_width(&A->shape, i), a + 1, b + 1);
    }
    return diagonal + 2 * above;
}

static void to_dense(const dlp_sym *A, double *out)
{
    const dlp_index n = A->shape.n, ld = A->shape.bandwidth + 1;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k <= dlpi_band_width(&A->shape, i); k++)
            out[i * n + i + k] = out[(i + k) * n + i] = A->a[i * ld + k];
}

const dlpi_structure dlpi_band = {
    .check = check,
    .value_size = value_size,
    .factor_size = dlpi_band_factor_size,
    .set_identity = set_identity,
    .multiply = multiply,
    .quadratic = quadratic,
    .entry = entry,
    .get_diagonal = get_diagonal,
    .add_diagonal = add_diagonal,
    .keep_diagonal = keep_diagonal,
    .rescale = rescale,
    .trace = trace,
    .to_dense = to_dense,
    .factor = dlpi_band_factor,
    .solve = dlpi_band_solve,
    .log_det = dlpi_band_log_det,
    .inverse = dlpi_band_inverse,
    .draw = dlpi_band_draw,
    .whiten = dlpi_band_whiten,
    .multiply_root = dlpi_band_multiply_root,
};

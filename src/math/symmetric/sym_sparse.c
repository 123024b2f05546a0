/* SPDX-License-Identifier: BSD-3-Clause */
/* The entries of a pattern: its upper triangle, row by row, the diagonal first. */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <string.h>

static dlp_status check(const dlp_shape *shape, dlp_error *error)
{
    if (!shape->pattern)
        return dlp_fail(error, DLP_EINVAL,
                        "a sparse shape has no pattern; make one by dlp_pattern_alloc or "
                        "dlp_pattern_from_sum");
    if (shape->n != shape->pattern->n)
        return dlp_fail(error, DLP_EINVAL,
                        "a sparse shape has n = %td, its pattern %td; use "
                        "dlp_shape_sparse",
                        shape->n, shape->pattern->n);
    return DLP_OK;
}

static dlp_index value_size(const dlp_shape *shape)
{
    return shape->pattern->start[shape->n];
}

static void set_identity(dlp_sym *A)
{
    const dlp_index *start = A->shape.pattern->start;
    memset(A->a, 0, (size_t)value_size(&A->shape) * sizeof *A->a);
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[start[i]] = 1;
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    const dlp_index *start = A->shape.pattern->start;
    const int32_t *column = A->shape.pattern->column;
    memset(y, 0, (size_t)A->shape.n * sizeof *y);
    for (dlp_index i = 0; i < A->shape.n; i++) {
        double sum = A->a[start[i]] * x[i];
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++) {
            sum += A->a[e] * x[column[e]];
            y[column[e]] += A->a[e] * x[i];
        }
        y[i] += sum;
    }
}

static double quadratic(const dlp_sym *A, const double *x)
{
    const dlp_index *start = A->shape.pattern->start;
    const int32_t *column = A->shape.pattern->column;
    double sum = 0;
    for (dlp_index i = 0; i < A->shape.n; i++) {
        double right = 0;
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++)
            right += A->a[e] * x[column[e]];
        sum += x[i] * (A->a[start[i]] * x[i] + 2 * right);
    }
    return sum;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const dlp_index e = dlp_pattern_find(A->shape.pattern, i, j);
    return e >= 0 ? A->a[e] : 0;
}

static void get_diagonal(const dlp_sym *A, double *d)
{
    const dlp_index *start = A->shape.pattern->start;
    for (dlp_index i = 0; i < A->shape.n; i++) d[i] = A->a[start[i]];
}

static void add_diagonal(dlp_sym *A, const double *d)
{
    const dlp_index *start = A->shape.pattern->start;
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[start[i]] += d[i];
}

static void keep_diagonal(dlp_sym *A)
{
    const dlp_index *start = A->shape.pattern->start;
    for (dlp_index i = 0; i < A->shape.n; i++)
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++) A->a[e] = 0;
}

static void rescale(dlp_sym *A, const double *s)
{
    const dlp_index *start = A->shape.pattern->start;
    const int32_t *column = A->shape.pattern->column;
    for (dlp_index i = 0; i < A->shape.n; i++)
        for (dlp_index e = start[i]; e < start[i + 1]; e++)
            A->a[e] *= s[i] * s[column[e]];
}

/* Tr{AB} = sum_ij A_ij B_ij, both symmetric */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    const dlp_index *start = A->shape.pattern->start;
    double diagonal = 0, above = 0;
    for (dlp_index i = 0; i < A->shape.n; i++) {
        diagonal += A->a[start[i]] * B->a[start[i]];
        for (dlp_index e = start[i] + 1; e < start[i + 1]; e++)
            above += A->a[e] * B->a[e];
    }
    return diagonal + 2 * above;
}

static void to_dense(const dlp_sym *A, double *out)
{
    const dlp_index *start = A->shape.pattern->start, n = A->shape.n;
    const int32_t *column = A->shape.pattern->column;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index e = start[i]; e < start[i + 1]; e++)
            out[i * n + column[e]] = out[column[e] * n + i] = A->a[e];
}

const dlpi_structure dlpi_sparse = {
    .check = check,
    .value_size = value_size,
    .factor_size = dlpi_sparse_factor_size,
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
    .factor = dlpi_sparse_factor,
    .solve = dlpi_sparse_solve,
    .log_det = dlpi_sparse_log_det,
    .inverse = dlpi_sparse_inverse,
    .draw = dlpi_sparse_draw,
    .whiten = dlpi_sparse_whiten,
    .multiply_root = dlpi_sparse_multiply_root,
};

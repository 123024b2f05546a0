/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocks with a border:
 *
 *     A = [ D  B ]    D of blocks, B (n-m, m) and C (m, m) full.
 *         [ B' C ]
 *
 * The storage begins with D's, so that D is a matrix of blocks over it.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/bordered_factor.h"
#include "math/symmetric/structure.h"

#include <string.h>

dlp_shape dlpi_bordered_head(const dlp_shape *shape)
{
    return (dlp_shape){.structure = DLP_BLOCKS,
                       .n = shape->n - shape->border,
                       .n_blocks = shape->n_blocks,
                       .block = shape->block};
}

/* What A->own points to: where the border begins, then what D needs in its `own`, if
   anything. */
typedef struct start {
    dlp_index border;
} start;

dlp_sym dlpi_bordered_blocks(const dlp_sym *A)
{
    start *own = A->own;
    return (dlp_sym){.shape = dlpi_bordered_head(&A->shape),
                     .a = A->a,
                     .own = A->shape.n_blocks > 1 ? own + 1 : NULL};
}

static dlp_index rows(const dlp_sym *A)
{
    return A->shape.n - A->shape.border;
}

double *dlp_sym_border(const dlp_sym *A)
{
    const start *own = A->own;
    return A->a + own->border;
}

double *dlp_sym_corner(const dlp_sym *A)
{
    return dlp_sym_border(A) + rows(A) * A->shape.border;
}

static dlp_status check(const dlp_shape *shape, dlp_error *error)
{
    if (shape->border < 0)
        return dlp_fail(error, DLP_EINVAL, "the border is %td; it must be 0 or more",
                        shape->border);
    const dlp_shape blocks = dlpi_bordered_head(shape);
    return dlpi_shape_check(&blocks, error);
}

static dlp_index value_size(const dlp_shape *shape)
{
    const dlp_shape blocks = dlpi_bordered_head(shape);
    return dlpi_size(shape->n, shape->border, dlpi_value_size(&blocks));
}

static dlp_index own_size(const dlp_shape *shape)
{
    const dlp_shape blocks = dlpi_bordered_head(shape);
    return dlpi_size(1, sizeof(start), dlpi_blocks.own_size(&blocks));
}

static void prepare(dlp_sym *A)
{
    dlp_sym D = dlpi_bordered_blocks(A);
    start *own = A->own;
    own->border = dlpi_value_size(&D.shape);
    dlpi_blocks.prepare(&D);
}

/* Border and corner are one piece, (n, m). */
static void clear_border(dlp_sym *A)
{
    memset(dlp_sym_border(A), 0, (size_t)(A->shape.n * A->shape.border) * sizeof *A->a);
}

static void set_identity(dlp_sym *A)
{
    dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border;
    double *C = dlp_sym_corner(A);
    dlpi_blocks.set_identity(&D);
    clear_border(A);
    for (dlp_index c = 0; c < m; c++) C[c * m + c] = 1;
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    const dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    const double *B = dlp_sym_border(A), *C = dlp_sym_corner(A);
    dlpi_blocks.multiply(&D, x, y);
    for (dlp_index c = 0; c < m; c++) y[n + c] = dlpi_dot(m, C + c * m, x + n);
    for (dlp_index i = 0; i < n; i++) {
        y[i] += dlpi_dot(m, B + i * m, x + n);
        for (dlp_index c = 0; c < m; c++) y[n + c] += x[i] * B[i * m + c];
    }
}

static double quadratic(const dlp_sym *A, const double *x)
{
    const dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    const double *B = dlp_sym_border(A), *C = dlp_sym_corner(A);
    double across = 0, corner = 0;
    for (dlp_index i = 0; i < n; i++) across += x[i] * dlpi_dot(m, B + i * m, x + n);
    for (dlp_index c = 0; c < m; c++) corner += x[n + c] * dlpi_dot(m, C + c * m, x + n);
    return dlpi_blocks.quadratic(&D, x) + 2 * across + corner;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    const dlp_index last = i < j ? j : i, first = i < j ? i : j;
    return last < n ? dlpi_blocks.entry(&D, i, j)
                    : dlp_sym_border(A)[first * m + last - n]; /* the corner follows */
}

static void get_diagonal(const dlp_sym *A, double *d)
{
    const dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    const double *C = dlp_sym_corner(A);
    dlpi_blocks.get_diagonal(&D, d);
    for (dlp_index c = 0; c < m; c++) d[n + c] = C[c * m + c];
}

static void add_diagonal(dlp_sym *A, const double *d)
{
    dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    double *C = dlp_sym_corner(A);
    dlpi_blocks.add_diagonal(&D, d);
    for (dlp_index c = 0; c < m; c++) C[c * m + c] += d[n + c];
}

static void keep_diagonal(dlp_sym *A)
{
    dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    double *C = dlp_sym_corner(A);
    dlpi_blocks.keep_diagonal(&D);
    memset(dlp_sym_border(A), 0, (size_t)(n * m) * sizeof *A->a);
    for (dlp_index c = 0; c < m * m; c++)
        if (c / m != c % m) C[c] = 0;
}

static void rescale(dlp_sym *A, const double *s)
{
    dlp_sym D = dlpi_bordered_blocks(A);
    const dlp_index m = A->shape.border, n = rows(A);
    double *B = dlp_sym_border(A); /* and the corner below it */
    dlpi_blocks.rescale(&D, s);
    for (dlp_index i = 0; i < A->shape.n; i++)
        for (dlp_index c = 0; c < m; c++) B[i * m + c] *= s[i] * s[n + c];
}

/* Tr{AB} = sum_ij A_ij B_ij, both symmetric */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    const dlp_sym D = dlpi_bordered_blocks(A), E = dlpi_bordered_blocks(B);
    const dlp_index m = A->shape.border, n = rows(A);
    return dlpi_blocks.trace(&D, &E) +
           2 * dlpi_dot(n * m, dlp_sym_border(A), dlp_sym_border(B)) +
           dlpi_dot(m * m, dlp_sym_corner(A), dlp_sym_corner(B));
}

static void to_dense(const dlp_sym *A, double *out)
{
    const dlp_index n = A->shape.n;
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++) out[i * n + j] = entry(A, i, j);
}

const dlpi_structure dlpi_bordered = {
    .check = check,
    .value_size = value_size,
    .factor_size = dlpi_bordered_factor_size,
    .own_size = own_size,
    .prepare = prepare,
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
    .factor = dlpi_bordered_factor,
    .solve = dlpi_bordered_solve,
    .log_det = dlpi_bordered_log_det,
    .inverse = dlpi_bordered_inverse,
    .draw = dlpi_bordered_draw,
    .whiten = dlpi_bordered_whiten,
    .multiply_root = dlpi_bordered_multiply_root,
};

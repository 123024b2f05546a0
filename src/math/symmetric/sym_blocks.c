/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense blocks along the diagonal. A dense matrix is one block. */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/bordered_factor.h"
#include "math/symmetric/structure.h"

#include <string.h>

/* Block k of a walk over the diagonal: its size, and where it begins. */
typedef struct place {
    dlp_index k, b;  /* index and size */
    dlp_index first; /* its first coordinate */
    dlp_index at;    /* its first entry in the storage */
} place;

static dlp_index block_size(const dlp_shape *shape, dlp_index k)
{
    return shape->block ? shape->block[k] : shape->n;
}

static place begin(const dlp_shape *shape)
{
    return (place){.b = block_size(shape, 0)};
}

/* Moves to the next block; false after the last. */
static int next(const dlp_shape *shape, place *p)
{
    p->first += p->b;
    p->at += p->b * p->b;
    if (++p->k >= shape->n_blocks) return 0;
    p->b = block_size(shape, p->k);
    return 1;
}

/* What A->own points to: where each block begins, in the storage and on the diagonal. One
   block needs no table, and neither does a matrix over borrowed storage. */
typedef struct start {
    dlp_index at, first;
} start;

static dlp_index own_size(const dlp_shape *shape)
{
    return shape->n_blocks > 1 ? dlpi_size(shape->n_blocks, sizeof(start), 0) : 0;
}

static void prepare(dlp_sym *A)
{
    start *all = A->own;
    if (!all) return;
    place p = begin(&A->shape);
    do {
        all[p.k] = (start){.at = p.at, .first = p.first};
    } while (next(&A->shape, &p));
}

double *dlp_sym_block(const dlp_sym *A, dlp_index k)
{
    if (A->shape.structure == DLP_BORDERED) {
        const dlp_sym blocks = dlpi_bordered_blocks(A);
        return dlp_sym_block(&blocks, k);
    }
    const start *all = A->own;
    return A->a + (all ? all[k].at : 0);
}

static dlp_status check(const dlp_shape *shape, dlp_error *error)
{
    dlp_index sum = 0;
    if (shape->n_blocks < 1 || (!shape->block && shape->n_blocks != 1))
        return dlp_fail(
            error, DLP_EINVAL,
            "a shape of blocks has %td blocks and %s sizes; use dlp_shape_dense "
            "or dlp_shape_blocks",
            shape->n_blocks, shape->block ? "some" : "no");
    for (dlp_index k = 0; shape->block && k < shape->n_blocks; k++) {
        if (shape->block[k] < 1)
            return dlp_fail(error, DLP_EINVAL,
                            "block %td has size %td; sizes must be positive", k,
                            shape->block[k]);
        sum = dlpi_size(1, shape->block[k], sum);
    }
    if (sum < 0)
        return dlp_fail(error, DLP_EINVAL, "the sizes of the blocks add up to too much");
    if (shape->block && sum != shape->n)
        return dlp_fail(error, DLP_EINVAL, "the blocks add up to %td, not to n = %td",
                        sum, shape->n);
    return DLP_OK;
}

static dlp_index value_size(const dlp_shape *shape)
{
    dlp_index size = 0;
    for (dlp_index k = 0; k < shape->n_blocks && size >= 0; k++)
        size = dlpi_size(block_size(shape, k), block_size(shape, k), size);
    return size;
}

/* The factors U of all blocks, then room for the inverse of the largest. */
static dlp_index factor_size(const dlp_shape *shape)
{
    dlp_index largest = 0;
    for (dlp_index k = 0; k < shape->n_blocks; k++)
        if (block_size(shape, k) > largest) largest = block_size(shape, k);
    return dlpi_size(largest, largest, value_size(shape));
}

static void set_identity(dlp_sym *A)
{
    memset(A->a, 0, (size_t)value_size(&A->shape) * sizeof *A->a);
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++) A->a[p.at + i * p.b + i] = 1;
    } while (next(&A->shape, &p));
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            y[p.first + i] = dlpi_dot(p.b, A->a + p.at + i * p.b, x + p.first);
    } while (next(&A->shape, &p));
}

static double quadratic(const dlp_sym *A, const double *x)
{
    double sum = 0;
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            sum += x[p.first + i] * dlpi_dot(p.b, A->a + p.at + i * p.b, x + p.first);
    } while (next(&A->shape, &p));
    return sum;
}

/* The block that contains coordinate i. */
static place find(const dlp_sym *A, dlp_index i)
{
    const start *all = A->own;
    dlp_index lo = 0, hi = A->shape.n_blocks; /* all[lo].first <= i, that of hi is more */
    while (hi - lo > 1) {
        const dlp_index middle = lo + (hi - lo) / 2;
        if (all[middle].first <= i)
            lo = middle;
        else
            hi = middle;
    }
    place p = {.k = lo, .b = block_size(&A->shape, lo)};
    if (all) p.first = all[lo].first, p.at = all[lo].at;
    return p;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const place p = find(A, i);
    const dlp_index row = i - p.first, column = j - p.first;
    return column >= 0 && column < p.b ? A->a[p.at + row * p.b + column] : 0;
}

static void get_diagonal(const dlp_sym *A, double *d)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++) d[p.first + i] = A->a[p.at + i * p.b + i];
    } while (next(&A->shape, &p));
}

static void add_diagonal(dlp_sym *A, const double *d)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++) A->a[p.at + i * p.b + i] += d[p.first + i];
    } while (next(&A->shape, &p));
}

static void keep_diagonal(dlp_sym *A)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            for (dlp_index j = 0; j < p.b; j++)
                if (i != j) A->a[p.at + i * p.b + j] = 0;
    } while (next(&A->shape, &p));
}

static void rescale(dlp_sym *A, const double *s)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            for (dlp_index j = 0; j < p.b; j++)
                A->a[p.at + i * p.b + j] *= s[p.first + i] * s[p.first + j];
    } while (next(&A->shape, &p));
}

/* Tr{AB} = sum_ij A_ij B_ij, both symmetric */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    return dlpi_dot(value_size(&A->shape), A->a, B->a);
}

static void to_dense(const dlp_sym *A, double *out)
{
    const dlp_index n = A->shape.n;
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            memcpy(out + (p.first + i) * n + p.first, A->a + p.at + i * p.b,
                   (size_t)p.b * sizeof *out);
    } while (next(&A->shape, &p));
}

/* Of a large block the upper triangle, which is all that is read. */
static void copy_block(place p, const double *from, double *to)
{
    const dlp_index large = 64, b = p.b;
    from += p.at, to += p.at;
    if (b < large) memcpy(to, from, (size_t)(b * b) * sizeof *to);
    for (dlp_index i = 0; b >= large && i < b; i++)
        memcpy(to + i * (b + 1), from + i * (b + 1), (size_t)(b - i) * sizeof *to);
}

static dlp_index factor(dlp_cholesky *F, const dlp_sym *P)
{
    place p = begin(&F->shape);
    do {
        copy_block(p, P->a, F->a);
        dlp_index failed = dlpi_cholesky(p.b, F->a + p.at);
        if (failed >= 0) return p.first + failed;
    } while (next(&F->shape, &p));
    return -1;
}

static void solve(const dlp_cholesky *F, double *b)
{
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_solve(p.b, F->a + p.at, b + p.first);
    } while (next(&F->shape, &p));
}

static double log_det(const dlp_cholesky *F)
{
    double sum = 0;
    place p = begin(&F->shape);
    do {
        sum += dlpi_cholesky_log_det(p.b, F->a + p.at);
    } while (next(&F->shape, &p));
    return sum;
}

static void inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    double *work = F->a + value_size(&F->shape);
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_inverse(p.b, F->a + p.at, work, Sigma->a + p.at);
    } while (next(&F->shape, &p));
}

static void draw(const dlp_cholesky *F, double *z)
{
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_draw(p.b, F->a + p.at, z + p.first);
    } while (next(&F->shape, &p));
}

/* z := U z */
static void whiten(const dlp_cholesky *F, double *z)
{
    place p = begin(&F->shape);
    do {
        const double *U = F->a + p.at;
        double *x = z + p.first;
        for (dlp_index i = 0; i < p.b; i++)
            x[i] = dlpi_dot(p.b - i, U + i * p.b + i, x + i);
    } while (next(&F->shape, &p));
}

/* z := U'z */
static void multiply_root(const dlp_cholesky *F, double *z)
{
    place p = begin(&F->shape);
    do {
        const double *U = F->a + p.at;
        double *x = z + p.first;
        for (dlp_index k = p.b - 1; k >= 0; k--) {
            const double own = x[k];
            for (dlp_index i = k + 1; i < p.b; i++) x[i] += own * U[k * p.b + i];
            x[k] = own * U[k * p.b + k];
        }
    } while (next(&F->shape, &p));
}

const dlpi_structure dlpi_blocks = {
    .check = check,
    .value_size = value_size,
    .factor_size = factor_size,
    .begins_unset = true,
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
    .factor = factor,
    .solve = solve,
    .log_det = log_det,
    .inverse = inverse,
    .draw = draw,
    .whiten = whiten,
    .multiply_root = multiply_root,
};

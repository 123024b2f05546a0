/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense blocks along the diagonal. A dense matrix is one block. */
#include "math/dense.h"
#include "math/structure.h"

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

/* Moves on; false behind the last block. */
static int next(const dlp_shape *shape, place *p)
{
    p->first += p->b;
    p->at += p->b * p->b;
    if (++p->k >= shape->n_blocks) return 0;
    p->b = block_size(shape, p->k);
    return 1;
}

double *dlp_sym_block(const dlp_sym *A, dlp_index k)
{
    place p = begin(&A->shape);
    while (p.k < k && next(&A->shape, &p)) {
    }
    return A->a + p.at;
}

static dlp_index value_size(const dlp_shape *shape)
{
    dlp_index size = 0;
    for (dlp_index k = 0; k < shape->n_blocks && size >= 0; k++)
        size = dlpi_size(block_size(shape, k), block_size(shape, k), size);
    return size;
}

static dlp_index scratch_size(const dlp_shape *shape)
{
    return shape->n;
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

static void negate(dlp_sym *A)
{
    const dlp_index size = value_size(&A->shape);
    for (dlp_index i = 0; i < size; i++) A->a[i] = -A->a[i];
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    place p = begin(&A->shape);
    do {
        for (dlp_index i = 0; i < p.b; i++)
            y[p.first + i] = dlpi_dot(p.b, A->a + p.at + i * p.b, x + p.first);
    } while (next(&A->shape, &p));
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
    get_diagonal(A, A->scratch);
    memset(A->a, 0, (size_t)value_size(&A->shape) * sizeof *A->a);
    add_diagonal(A, A->scratch);
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

static dlp_index factor(dlp_factor *F, const dlp_sym *P)
{
    memcpy(F->a, P->a, (size_t)value_size(&P->shape) * sizeof *P->a);
    place p = begin(&F->shape);
    do {
        dlp_index failed = dlpi_cholesky(p.b, F->a + p.at);
        if (failed >= 0) return p.first + failed;
    } while (next(&F->shape, &p));
    return -1;
}

static void solve(const dlp_factor *F, double *b)
{
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_solve(p.b, F->a + p.at, b + p.first);
    } while (next(&F->shape, &p));
}

static double log_det(const dlp_factor *F)
{
    double sum = 0;
    place p = begin(&F->shape);
    do {
        sum += dlpi_cholesky_log_det(p.b, F->a + p.at);
    } while (next(&F->shape, &p));
    return sum;
}

static void inverse(const dlp_factor *F, dlp_sym *Sigma)
{
    double *work = F->a + value_size(&F->shape);
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_inverse(p.b, F->a + p.at, work, Sigma->a + p.at);
    } while (next(&F->shape, &p));
}

static void draw(const dlp_factor *F, double *z)
{
    place p = begin(&F->shape);
    do {
        dlpi_cholesky_draw(p.b, F->a + p.at, z + p.first);
    } while (next(&F->shape, &p));
}

const dlpi_structure dlpi_blocks = {
    .value_size = value_size,
    .scratch_size = scratch_size,
    .factor_size = factor_size,
    .set_identity = set_identity,
    .negate = negate,
    .multiply = multiply,
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
};

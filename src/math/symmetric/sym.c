/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes, values and factors: memory and dispatch. The work is in sym_*.c. */
#include <delaplace/sym.h>

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <string.h>

static const dlpi_structure *const structures[] = {
    [DLP_BLOCKS] = &dlpi_blocks, [DLP_LOW_RANK] = &dlpi_low_rank,
    [DLP_BAND] = &dlpi_band,     [DLP_BORDERED] = &dlpi_bordered,
    [DLP_SPARSE] = &dlpi_sparse,
};

static bool known(const dlp_shape *shape)
{
    return (size_t)shape->structure < sizeof structures / sizeof *structures;
}

static const dlpi_structure *of(const dlp_shape *shape)
{
    return structures[shape->structure];
}

dlp_shape dlp_shape_dense(dlp_index n)
{
    return (dlp_shape){.structure = DLP_BLOCKS, .n = n, .n_blocks = 1};
}

dlp_shape dlp_shape_low_rank(dlp_index n, dlp_index rank)
{
    return (dlp_shape){.structure = DLP_LOW_RANK, .n = n, .rank = rank};
}

dlp_shape dlp_shape_blocks(dlp_index n_blocks, const dlp_index *block)
{
    dlp_index n = 0; /* -1 if the sizes are impossible: dlpi_shape_check says why */
    for (dlp_index k = 0; block && k < n_blocks; k++) n = dlpi_size(1, block[k], n);
    return (dlp_shape){
        .structure = DLP_BLOCKS, .n = n, .n_blocks = n_blocks, .block = block};
}

dlp_shape dlp_shape_band(dlp_index n, dlp_index bandwidth)
{
    return (dlp_shape){.structure = DLP_BAND, .n = n, .bandwidth = bandwidth};
}

dlp_shape dlp_shape_bordered(dlp_index n_blocks, const dlp_index *block, dlp_index border)
{
    dlp_shape shape = dlp_shape_blocks(n_blocks, block);
    shape.structure = DLP_BORDERED;
    shape.border = border;
    shape.n = border < 0 ? shape.n : dlpi_size(1, border, shape.n);
    return shape;
}

dlp_shape dlp_shape_sparse(const dlp_pattern *pattern)
{
    return (dlp_shape){.structure = DLP_SPARSE,
                       .n = pattern ? dlp_pattern_cost_of(pattern).n : 0,
                       .pattern = pattern};
}

dlp_index dlpi_size(dlp_index a, dlp_index b, dlp_index c)
{
    dlp_index product, sum;
    if (a < 0 || b < 0 || c < 0 || __builtin_mul_overflow(a, b, &product) ||
        __builtin_add_overflow(product, c, &sum))
        return -1;
    return sum;
}

dlp_status dlpi_shape_check(const dlp_shape *shape, dlp_error *error)
{
    if (!known(shape))
        return dlp_fail(error, DLP_EINVAL, "unknown structure %d; see dlp_structure",
                        (int)shape->structure);
    DLP_TRY(of(shape)->check(shape, error));
    if (shape->n < 1)
        return dlp_fail(error, DLP_EINVAL, "a matrix has n = %td; n must be at least 1",
                        shape->n);
    return DLP_OK;
}

dlp_index dlpi_value_size(const dlp_shape *shape)
{
    return of(shape)->value_size(shape);
}

/* A dense matrix of many parameters is seldom what their model needs. */
static dlp_status no_memory(const dlp_shape *shape, dlp_error *error)
{
    if (shape->structure == DLP_BLOCKS && shape->n_blocks == 1 && shape->n > 10000)
        return dlp_fail(
            error, DLP_ENOMEM,
            "not enough memory for a dense matrix of %td parameters; where "
            "the Hessian has blocks, a low rank, a band or zeros, give it that "
            "shape (dlp_shape_blocks, dlp_shape_low_rank, dlp_shape_band, "
            "dlp_shape_bordered, dlp_shape_sparse)",
            shape->n);
    return dlpi_no_memory(error, "a matrix of the size of the parameters");
}

dlp_status dlp_sym_alloc(dlp_shape shape, dlp_sym *A, dlp_error *error)
{
    memset(A, 0, sizeof *A);
    DLP_TRY(dlpi_shape_check(&shape, error));
    A->shape = shape;
    const dlpi_structure *type = of(&shape);
    const dlp_index own = type->own_size ? type->own_size(&shape) : 0;
    A->a = dlpi_calloc(type->value_size(&shape), sizeof *A->a);
    if (A->a && own != 0) A->own = dlpi_calloc(own, 1);
    if (!A->a || (own != 0 && !A->own)) {
        dlp_sym_free(A);
        return no_memory(&shape, error);
    }
    if (type->prepare) type->prepare(A);
    return DLP_OK;
}

void dlp_sym_free(dlp_sym *A)
{
    free(A->a);
    free(A->own);
    memset(A, 0, sizeof *A);
}

void dlp_sym_copy(const dlp_sym *A, dlp_sym *to)
{
    memcpy(to->a, A->a, (size_t)dlpi_value_size(&A->shape) * sizeof *A->a);
}

void dlp_sym_set_zero(dlp_sym *A)
{
    memset(A->a, 0, (size_t)dlpi_value_size(&A->shape) * sizeof *A->a);
}

void dlp_sym_set_identity(dlp_sym *A)
{
    of(&A->shape)->set_identity(A);
}

void dlp_sym_negate(dlp_sym *A)
{
    const dlpi_structure *type = of(&A->shape);
    if (type->negate) {
        type->negate(A);
        return;
    }
    const dlp_index size = type->value_size(&A->shape);
    for (dlp_index i = 0; i < size; i++) A->a[i] = -A->a[i];
}

void dlp_sym_multiply(const dlp_sym *A, const double *x, double *y)
{
    of(&A->shape)->multiply(A, x, y);
}

double dlp_sym_quadratic(const dlp_sym *A, const double *x)
{
    return of(&A->shape)->quadratic(A, x);
}

double dlp_sym_entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    return of(&A->shape)->entry(A, i, j);
}

void dlp_sym_get_diagonal(const dlp_sym *A, double *d)
{
    of(&A->shape)->get_diagonal(A, d);
}

void dlp_sym_add_diagonal(dlp_sym *A, const double *d)
{
    of(&A->shape)->add_diagonal(A, d);
}

void dlp_sym_keep_diagonal(dlp_sym *A)
{
    of(&A->shape)->keep_diagonal(A);
}

void dlp_sym_rescale(dlp_sym *A, const double *s)
{
    of(&A->shape)->rescale(A, s);
}

double dlp_sym_trace(const dlp_sym *A, const dlp_sym *B)
{
    return of(&A->shape)->trace(A, B);
}

void dlp_sym_to_dense(const dlp_sym *A, double *out)
{
    of(&A->shape)->to_dense(A, out);
}

dlp_status dlp_cholesky_alloc(dlp_shape shape, dlp_cholesky **F, dlp_error *error)
{
    *F = NULL;
    DLP_TRY(dlpi_shape_check(&shape, error));
    dlp_cholesky *made = dlpi_calloc(1, sizeof *made);
    if (made) {
        made->shape = shape;
        const dlpi_structure *type = of(&shape);
        made->a = (type->begins_unset ? dlpi_alloc_unset : dlpi_calloc)(
            type->factor_size(&shape), sizeof *made->a);
    }
    if (!made || !made->a) {
        dlp_cholesky_free(made);
        return dlpi_no_memory(error, "a factor of the size of the parameters");
    }
    *F = made;
    return DLP_OK;
}

void dlp_cholesky_free(dlp_cholesky *F)
{
    if (F) free(F->a);
    free(F);
}

dlp_index dlp_cholesky_compute(dlp_cholesky *F, const dlp_sym *P)
{
    return of(&F->shape)->factor(F, P);
}

void dlp_cholesky_solve(const dlp_cholesky *F, double *b)
{
    of(&F->shape)->solve(F, b);
}

double dlp_cholesky_log_det(const dlp_cholesky *F)
{
    return of(&F->shape)->log_det(F);
}

void dlp_cholesky_inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    of(&F->shape)->inverse(F, Sigma);
}

void dlp_cholesky_draw(const dlp_cholesky *F, double *z)
{
    of(&F->shape)->draw(F, z);
}

void dlp_cholesky_whiten(const dlp_cholesky *F, double *z)
{
    of(&F->shape)->whiten(F, z);
}

void dlp_cholesky_multiply_root(const dlp_cholesky *F, double *z)
{
    of(&F->shape)->multiply_root(F, z);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes, values and factors: memory and dispatch. The work is in sym_*.c. */
#include <delaplace/sym.h>

#include "core/core.h"
#include "math/structure.h"

#include <string.h>

static const dlpi_structure *of(const dlp_shape *shape)
{
    return shape->structure == DLP_LOW_RANK ? &dlpi_low_rank : &dlpi_blocks;
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
    dlp_index n = 0; /* -1 when the sizes are impossible: dlpi_shape_check says why */
    for (dlp_index k = 0; block && k < n_blocks; k++) n = dlpi_size(1, block[k], n);
    return (dlp_shape){
        .structure = DLP_BLOCKS, .n = n, .n_blocks = n_blocks, .block = block};
}

dlp_index dlpi_size(dlp_index a, dlp_index b, dlp_index c)
{
    dlp_index product, sum;
    if (a < 0 || b < 0 || c < 0 || __builtin_mul_overflow(a, b, &product) ||
        __builtin_add_overflow(product, c, &sum))
        return -1;
    return sum;
}

static dlp_status check_blocks(const dlp_shape *shape, dlp_error *error)
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

dlp_status dlpi_shape_check(const dlp_shape *shape, dlp_error *error)
{
    if (shape->structure != DLP_BLOCKS && shape->structure != DLP_LOW_RANK)
        return dlp_fail(error, DLP_EINVAL, "unknown structure %d; see dlp_structure",
                        (int)shape->structure);
    if (shape->structure == DLP_BLOCKS) DLP_TRY(check_blocks(shape, error));
    if (shape->n < 1)
        return dlp_fail(error, DLP_EINVAL, "a matrix has n = %td; n must be at least 1",
                        shape->n);
    if (shape->structure == DLP_LOW_RANK && shape->rank < 0)
        return dlp_fail(error, DLP_EINVAL, "the rank is %td; it must be 0 or more",
                        shape->rank);
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
        return dlp_fail(error, DLP_ENOMEM,
                        "not enough memory for a dense matrix of %td parameters; where "
                        "the Hessian has blocks or a low rank, give it that shape "
                        "(dlp_shape_blocks, dlp_shape_low_rank)",
                        shape->n);
    return dlpi_no_memory(error, "a matrix of the size of the parameters");
}

dlp_status dlp_sym_alloc(dlp_shape shape, dlp_sym *A, dlp_error *error)
{
    memset(A, 0, sizeof *A);
    DLP_TRY(dlpi_shape_check(&shape, error));
    A->shape = shape;
    const dlp_index own = of(&shape)->own_size(&shape);
    A->a = dlpi_calloc(of(&shape)->value_size(&shape), sizeof *A->a);
    if (A->a && own != 0) A->own = dlpi_calloc(own, 1);
    if (!A->a || (own != 0 && !A->own)) {
        dlp_sym_free(A);
        return no_memory(&shape, error);
    }
    of(&shape)->prepare(A);
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

void dlp_sym_set_identity(dlp_sym *A)
{
    of(&A->shape)->set_identity(A);
}

void dlp_sym_negate(dlp_sym *A)
{
    of(&A->shape)->negate(A);
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

dlp_status dlp_factor_alloc(dlp_shape shape, dlp_factor **F, dlp_error *error)
{
    *F = NULL;
    DLP_TRY(dlpi_shape_check(&shape, error));
    dlp_factor *made = dlpi_calloc(1, sizeof *made);
    if (made) {
        made->shape = shape;
        made->a = dlpi_calloc(of(&shape)->factor_size(&shape), sizeof *made->a);
    }
    if (!made || !made->a) {
        dlp_factor_free(made);
        return dlpi_no_memory(error, "a factor of the size of the parameters");
    }
    *F = made;
    return DLP_OK;
}

void dlp_factor_free(dlp_factor *F)
{
    if (F) free(F->a);
    free(F);
}

dlp_index dlp_factor_compute(dlp_factor *F, const dlp_sym *P)
{
    return of(&F->shape)->factor(F, P);
}

void dlp_factor_solve(const dlp_factor *F, double *b)
{
    of(&F->shape)->solve(F, b);
}

double dlp_factor_log_det(const dlp_factor *F)
{
    return of(&F->shape)->log_det(F);
}

void dlp_factor_inverse(const dlp_factor *F, dlp_sym *Sigma)
{
    of(&F->shape)->inverse(F, Sigma);
}

void dlp_factor_draw(const dlp_factor *F, double *z)
{
    of(&F->shape)->draw(F, z);
}

void dlp_factor_whiten(const dlp_factor *F, double *z)
{
    of(&F->shape)->whiten(F, z);
}

void dlp_factor_multiply_root(const dlp_factor *F, double *z)
{
    of(&F->shape)->multiply_root(F, z);
}

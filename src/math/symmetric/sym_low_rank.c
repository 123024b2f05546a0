/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diagonal plus low rank: A = diag(d) + U' C U, with U (r, n) and C (r, r). Its factor is in
 * low_rank_factor.c.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/low_rank_factor.h"
#include "math/symmetric/structure.h"

#include <string.h>

double *dlp_sym_diag(const dlp_sym *A)
{
    return A->a;
}

double *dlp_sym_core(const dlp_sym *A)
{
    return A->a + A->shape.n;
}

double *dlp_sym_low_rank(const dlp_sym *A)
{
    return dlp_sym_core(A) + A->shape.rank * A->shape.rank;
}

static dlp_status check(const dlp_shape *shape, dlp_error *error)
{
    return shape->rank >= 0
               ? DLP_OK
               : dlp_fail(error, DLP_EINVAL, "the rank is %td; it must be 0 or more",
                          shape->rank);
}

static dlp_index value_size(const dlp_shape *shape)
{
    dlp_index core = dlpi_size(shape->rank, shape->rank, shape->n);
    return dlpi_size(shape->rank, shape->n, core);
}

/* Work space. */
static dlp_index own_size(const dlp_shape *shape)
{
    const dlp_index r = shape->rank,
                    room = dlpi_size(dlpi_size(2, r, 0), r, dlpi_size(1, r, shape->n));
    return dlpi_size(room, sizeof(double), 0);
}

static void set_identity(dlp_sym *A)
{
    memset(A->a, 0, (size_t)value_size(&A->shape) * sizeof *A->a);
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[i] = 1;
}

/* -A = diag(-d) + U'(-C)U */
static void negate(dlp_sym *A)
{
    const dlp_index size = A->shape.n + A->shape.rank * A->shape.rank;
    for (dlp_index i = 0; i < size; i++) A->a[i] = -A->a[i];
}

static void multiply(const dlp_sym *A, const double *x, double *y)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    double *Ux = (double *)A->own + n;
    for (dlp_index i = 0; i < n; i++) y[i] = d[i] * x[i];
    for (dlp_index a = 0; a < r; a++) Ux[a] = dlpi_dot(n, U + a * n, x);
    for (dlp_index a = 0; a < r; a++) {
        const double c = dlpi_dot(r, C + a * r, Ux);
        for (dlp_index i = 0; i < n; i++) y[i] += c * U[a * n + i];
    }
}

static double quadratic(const dlp_sym *A, const double *x)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    double *Ux = A->own, sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += d[i] * x[i] * x[i];
    for (dlp_index a = 0; a < r; a++) Ux[a] = dlpi_dot(n, U + a * n, x);
    for (dlp_index a = 0; a < r; a++) sum += Ux[a] * dlpi_dot(r, C + a * r, Ux);
    return sum;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    double sum = i == j ? dlp_sym_diag(A)[i] : 0;
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            sum += C[a * r + b] * U[a * n + i] * U[b * n + j];
    return sum;
}

/* (U'CU)_ii, added to out (n) */
static void add_inner_diagonal(const dlp_sym *A, double *out)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            for (dlp_index i = 0; i < n; i++)
                out[i] += C[a * r + b] * U[a * n + i] * U[b * n + i];
}

static void get_diagonal(const dlp_sym *A, double *d)
{
    memcpy(d, dlp_sym_diag(A), (size_t)A->shape.n * sizeof *d);
    add_inner_diagonal(A, d);
}

static void add_diagonal(dlp_sym *A, const double *d)
{
    for (dlp_index i = 0; i < A->shape.n; i++) A->a[i] += d[i];
}

static void keep_diagonal(dlp_sym *A)
{
    add_inner_diagonal(A, dlp_sym_diag(A));
    memset(dlp_sym_core(A), 0, (size_t)(A->shape.rank * A->shape.rank) * sizeof *A->a);
}

static void rescale(dlp_sym *A, const double *s)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    double *d = dlp_sym_diag(A), *U = dlp_sym_low_rank(A);
    for (dlp_index i = 0; i < n; i++) d[i] *= s[i] * s[i];
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index i = 0; i < n; i++) U[a * n + i] *= s[i];
}

/* Tr{(d1 + U1'C1U1)(d2 + U2'C2U2)}
   = sum_i d1 d2 + d1 (U2'C2U2)_ii + d2 (U1'C1U1)_ii + Tr{C1 G C2 G'}, G = U1 U2' */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *d1 = dlp_sym_diag(A), *C1 = dlp_sym_core(A), *U1 = dlp_sym_low_rank(A);
    const double *d2 = dlp_sym_diag(B), *C2 = dlp_sym_core(B), *U2 = dlp_sym_low_rank(B);
    double *inner = B->own, *G = inner + n + r, *C1G = G + r * r;

    get_diagonal(B, inner);
    double sum = dlpi_dot(n, d1, inner);
    memset(inner, 0, (size_t)n * sizeof *inner);
    add_inner_diagonal(A, inner);
    sum += dlpi_dot(n, d2, inner);

    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            G[a * r + b] = dlpi_dot(n, U1 + a * n, U2 + b * n);
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++) {
            C1G[a * r + b] = 0;
            for (dlp_index c = 0; c < r; c++)
                C1G[a * r + b] += C1[a * r + c] * G[c * r + b];
        }
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            sum += C1G[a * r + b] * dlpi_dot(r, C2 + b * r, G + a * r);
    return sum;
}

static void to_dense(const dlp_sym *A, double *out)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_low_rank(A);
    memset(out, 0, (size_t)(n * n) * sizeof *out);
    for (dlp_index i = 0; i < n; i++) {
        double *row = out + i * n;
        row[i] = d[i];
        for (dlp_index b = 0; b < r; b++) {
            double c = 0; /* (U'C)_ib */
            for (dlp_index a = 0; a < r; a++) c += U[a * n + i] * C[a * r + b];
            for (dlp_index j = 0; j < n; j++) row[j] += c * U[b * n + j];
        }
    }
}

const dlpi_structure dlpi_low_rank = {
    .check = check,
    .value_size = value_size,
    .factor_size = dlpi_low_rank_factor_size,
    .own_size = own_size,
    .set_identity = set_identity,
    .negate = negate,
    .multiply = multiply,
    .quadratic = quadratic,
    .entry = entry,
    .get_diagonal = get_diagonal,
    .add_diagonal = add_diagonal,
    .keep_diagonal = keep_diagonal,
    .rescale = rescale,
    .trace = trace,
    .to_dense = to_dense,
    .factor = dlpi_low_rank_factor,
    .solve = dlpi_low_rank_solve,
    .log_det = dlpi_low_rank_log_det,
    .inverse = dlpi_low_rank_inverse,
    .draw = dlpi_low_rank_draw,
    .whiten = dlpi_low_rank_whiten,
    .multiply_root = dlpi_low_rank_multiply_root,
};

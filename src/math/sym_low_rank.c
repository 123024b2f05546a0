/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Diagonal plus low rank: A = diag(d) + U' C U, with U (r, n) and C (r, r).
 *
 * P = D + U'CU with D > 0 is factored as
 *     P = D^1/2 (I + Z' diag(kappa) Z) D^1/2,   Z (r, n) with orthonormal rows,
 * from which every power of the middle part is I + Z' diag((1+kappa)^s - 1) Z. So
 * solve, determinant, inverse and draw are one formula with another exponent s, and
 * the inverse is again diagonal plus low rank.
 */
#include "math/dense.h"
#include "math/lapack.h"
#include "math/structure.h"

#include <float.h>
#include <math.h>
#include <string.h>

double *dlp_sym_diag(const dlp_sym *A)
{
    return A->a;
}

double *dlp_sym_core(const dlp_sym *A)
{
    return A->a + A->shape.n;
}

double *dlp_sym_factor(const dlp_sym *A)
{
    return dlp_sym_core(A) + A->shape.rank * A->shape.rank;
}

static dlp_index value_size(const dlp_shape *shape)
{
    dlp_index core = dlpi_size(shape->rank, shape->rank, shape->n);
    return dlpi_size(shape->rank, shape->n, core);
}

/* Room to compute in. */
static dlp_index own_size(const dlp_shape *shape)
{
    const dlp_index r = shape->rank,
                    room = dlpi_size(dlpi_size(2, r, 0), r, dlpi_size(1, r, shape->n));
    return dlpi_size(room, sizeof(double), 0);
}

static void prepare(dlp_sym *A)
{
    (void)A;
}

/* The parts of a factor. */
typedef struct parts {
    double *root;  /* (n) D^1/2 */
    double *kappa; /* (r) */
    double *Z;     /* (r, n) */
    double *W;     /* (r, n) U D^-1/2, then Q */
    double *R, *K; /* (r, r) */
    double *work;  /* (3r) */
} parts;

static parts parts_of(const dlp_factor *F)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    parts p;
    p.root = F->a;
    p.kappa = p.root + n;
    p.Z = p.kappa + r;
    p.W = p.Z + r * n;
    p.R = p.W + r * n;
    p.K = p.R + r * r;
    p.work = p.K + r * r;
    return p;
}

static dlp_index factor_size(const dlp_shape *shape)
{
    const dlp_index r = shape->rank, twice = dlpi_size(2, r, 0);
    return dlpi_size(twice, shape->n, dlpi_size(twice, r, dlpi_size(4, r, shape->n)));
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
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_factor(A);
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
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_factor(A);
    double *Ux = A->own, sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += d[i] * x[i] * x[i];
    for (dlp_index a = 0; a < r; a++) Ux[a] = dlpi_dot(n, U + a * n, x);
    for (dlp_index a = 0; a < r; a++) sum += Ux[a] * dlpi_dot(r, C + a * r, Ux);
    return sum;
}

static double entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *C = dlp_sym_core(A), *U = dlp_sym_factor(A);
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
    const double *C = dlp_sym_core(A), *U = dlp_sym_factor(A);
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
    double *d = dlp_sym_diag(A), *U = dlp_sym_factor(A);
    for (dlp_index i = 0; i < n; i++) d[i] *= s[i] * s[i];
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index i = 0; i < n; i++) U[a * n + i] *= s[i];
}

/* Tr{(d1 + U1'C1U1)(d2 + U2'C2U2)}
   = sum_i d1 d2 + d1 (U2'C2U2)_ii + d2 (U1'C1U1)_ii + Tr{C1 G C2 G'}, G = U1 U2' */
static double trace(const dlp_sym *A, const dlp_sym *B)
{
    const dlp_index n = A->shape.n, r = A->shape.rank;
    const double *d1 = dlp_sym_diag(A), *C1 = dlp_sym_core(A), *U1 = dlp_sym_factor(A);
    const double *d2 = dlp_sym_diag(B), *C2 = dlp_sym_core(B), *U2 = dlp_sym_factor(B);
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
    const double *d = dlp_sym_diag(A), *C = dlp_sym_core(A), *U = dlp_sym_factor(A);
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

/* out (r, n) = M (r, r) In (r, n) */
static void multiply_rows(dlp_index r, dlp_index n, const double *M, const double *In,
                          double *out)
{
    memset(out, 0, (size_t)(r * n) * sizeof *out);
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index b = 0; b < r; b++)
            for (dlp_index i = 0; i < n; i++)
                out[a * n + i] += M[a * r + b] * In[b * n + i];
}

/*
 * W = R'Q with R (r, r) upper triangular and Q, written over W, with orthonormal rows:
 * Gram and Schmidt, twice, which keeps Q orthonormal however close to each other W's rows
 * are. A row that those above it span becomes zero.
 */
static void orthonormalise(dlp_index r, dlp_index n, double *W, double *R)
{
    memset(R, 0, (size_t)(r * r) * sizeof *R);
    for (dlp_index a = 0; a < r; a++) {
        double *w = W + a * n;
        const double negligible = (double)r * DBL_EPSILON * dlpi_norm(n, w);
        for (dlp_index k = 0; k < 2 * a; k++) {
            const double *q = W + k % a * n, c = dlpi_dot(n, q, w);
            R[k % a * r + a] += c;
            for (dlp_index i = 0; i < n; i++) w[i] -= c * q[i];
        }
        const double left = dlpi_norm(n, w);
        if (left > negligible) R[a * r + a] = left;
        for (dlp_index i = 0; i < n; i++) w[i] = left > negligible ? w[i] / left : 0;
    }
}

/*
 * W'CW = Q'(R C R')Q = Z' diag(kappa) Z: the eigenvectors Y of R C R' turn Q into Z = Y
 * Q. false on NaN.
 */
static int diagonalise(const dlp_factor *F, const double *C)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    parts p = parts_of(F);
    orthonormalise(r, n, p.W, p.R);
    for (dlp_index b = 0; b < r; b++) {
        for (dlp_index c = 0; c < r; c++) p.work[c] = dlpi_dot(r, C + c * r, p.R + b * r);
        for (dlp_index a = 0; a < r; a++)
            p.K[a * r + b] = dlpi_dot(r, p.R + a * r, p.work);
    }
    if (!dlpi_lapack_eigen(r, p.K, p.kappa, p.work)) return 0;
    multiply_rows(r, n, p.K, p.W, p.Z);
    return 1;
}

/* Beyond this the inverse, 1/d less nearly the same, has fewer than four digits left. */
static const double MOST_KAPPA = 1e12;

static dlp_index factor(dlp_factor *F, const dlp_sym *P)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    const double *d = dlp_sym_diag(P), *U = dlp_sym_factor(P);
    parts p = parts_of(F);
    for (dlp_index i = 0; i < n; i++) {
        if (!(d[i] > 0 && isfinite(d[i]))) return i;
        p.root[i] = sqrt(d[i]);
    }
    if (r == 0) return -1;
    for (dlp_index a = 0; a < r; a++)
        for (dlp_index i = 0; i < n; i++) {
            p.W[a * n + i] = U[a * n + i] / p.root[i];
            if (!isfinite(p.W[a * n + i])) return i;
        }
    if (!diagonalise(F, dlp_sym_core(P))) return 0;
    for (dlp_index a = 0; a < r; a++) {
        if (1 + p.kappa[a] > 0 && p.kappa[a] <= MOST_KAPPA) continue;
        dlp_index most = 0;
        for (dlp_index i = 1; i < n; i++)
            if (fabs(p.Z[a * n + i]) > fabs(p.Z[a * n + most])) most = i;
        return most;
    }
    return -1;
}

/* b := (I + Z' diag((1+kappa)^power - 1) Z) b */
static void apply_middle(const dlp_factor *F, double power, double *b)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    parts p = parts_of(F);
    for (dlp_index a = 0; a < r; a++) /* rows of Z are orthogonal: one at a time */
    {
        const double *z = p.Z + a * n;
        const double c = expm1(power * log1p(p.kappa[a])) * dlpi_dot(n, z, b);
        for (dlp_index i = 0; i < n; i++) b[i] += c * z[i];
    }
}

static void divide_by_root(const dlp_factor *F, double *b)
{
    for (dlp_index i = 0; i < F->shape.n; i++) b[i] /= F->a[i];
}

static void solve(const dlp_factor *F, double *b)
{
    divide_by_root(F, b);
    apply_middle(F, -1, b);
    divide_by_root(F, b);
}

static void draw(const dlp_factor *F, double *z)
{
    apply_middle(F, -0.5, z);
    divide_by_root(F, z);
}

static void multiply_by_root(const dlp_factor *F, double *b)
{
    for (dlp_index i = 0; i < F->shape.n; i++) b[i] *= F->a[i];
}

static void whiten(const dlp_factor *F, double *z)
{
    multiply_by_root(F, z);
    apply_middle(F, 0.5, z);
}

static void multiply_root(const dlp_factor *F, double *z)
{
    apply_middle(F, 0.5, z);
    multiply_by_root(F, z);
}

static double log_det(const dlp_factor *F)
{
    parts p = parts_of(F);
    double sum = 0;
    for (dlp_index i = 0; i < F->shape.n; i++) sum += 2 * log(p.root[i]);
    for (dlp_index a = 0; a < F->shape.rank; a++) sum += log1p(p.kappa[a]);
    return sum;
}

/* P^-1 = D^-1 + (Z D^-1/2)' diag(1/(1+kappa) - 1) (Z D^-1/2) */
static void inverse(const dlp_factor *F, dlp_sym *Sigma)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    parts p = parts_of(F);
    double *d = dlp_sym_diag(Sigma), *C = dlp_sym_core(Sigma), *U = dlp_sym_factor(Sigma);
    for (dlp_index i = 0; i < n; i++) d[i] = 1 / (p.root[i] * p.root[i]);
    memset(C, 0, (size_t)(r * r) * sizeof *C);
    for (dlp_index a = 0; a < r; a++) {
        C[a * r + a] = -p.kappa[a] / (1 + p.kappa[a]);
        for (dlp_index i = 0; i < n; i++) U[a * n + i] = p.Z[a * n + i] / p.root[i];
    }
}

const dlpi_structure dlpi_low_rank = {
    .value_size = value_size,
    .factor_size = factor_size,
    .own_size = own_size,
    .prepare = prepare,
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
    .factor = factor,
    .solve = solve,
    .log_det = log_det,
    .inverse = inverse,
    .draw = draw,
    .whiten = whiten,
    .multiply_root = multiply_root,
};

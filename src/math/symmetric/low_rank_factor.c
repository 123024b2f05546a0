/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The factor of diagonal plus low rank. P = D + U'CU with D > 0 is factored as
 *     P = D^1/2 (I + Z' diag(kappa) Z) D^1/2,   Z (r, n) with orthonormal rows,
 * from which every power of the middle part is I + Z' diag((1+kappa)^s - 1) Z. So
 * solve, determinant, inverse, root and draw are one formula with another exponent s, and
 * the inverse is again diagonal plus low rank.
 */
#include "math/symmetric/low_rank_factor.h"

#include "math/dense.h"
#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The parts of a factor. */
typedef struct parts {
    double *root;  /* (n) D^1/2 */
    double *kappa; /* (r) */
    double *Z;     /* (r, n) */
    double *W;     /* (r, n) U D^-1/2, then Q */
    double *R, *K; /* (r, r) */
    double *work;  /* (3r) */
} parts;

static parts parts_of(const dlp_cholesky *F)
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

dlp_index dlpi_low_rank_factor_size(const dlp_shape *shape)
{
    const dlp_index r = shape->rank, twice = dlpi_size(2, r, 0);
    return dlpi_size(twice, shape->n, dlpi_size(twice, r, dlpi_size(4, r, shape->n)));
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
 * Gram-Schmidt, twice, which keeps Q orthonormal even if W's rows are nearly dependent.
 * A row in the span of those above it becomes zero.
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
static int diagonalise(const dlp_cholesky *F, const double *C)
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

/* Beyond this the inverse, a difference of nearly equal numbers, has fewer than four
   digits left. */
static const double MOST_KAPPA = 1e12;

dlp_index dlpi_low_rank_factor(dlp_cholesky *F, const dlp_sym *P)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    const double *d = dlp_sym_diag(P), *U = dlp_sym_low_rank(P);
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
static void apply_middle(const dlp_cholesky *F, double power, double *b)
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

static void divide_by_root(const dlp_cholesky *F, double *b)
{
    for (dlp_index i = 0; i < F->shape.n; i++) b[i] /= F->a[i];
}

void dlpi_low_rank_solve(const dlp_cholesky *F, double *b)
{
    divide_by_root(F, b);
    apply_middle(F, -1, b);
    divide_by_root(F, b);
}

void dlpi_low_rank_draw(const dlp_cholesky *F, double *z)
{
    apply_middle(F, -0.5, z);
    divide_by_root(F, z);
}

static void multiply_by_root(const dlp_cholesky *F, double *b)
{
    for (dlp_index i = 0; i < F->shape.n; i++) b[i] *= F->a[i];
}

void dlpi_low_rank_whiten(const dlp_cholesky *F, double *z)
{
    multiply_by_root(F, z);
    apply_middle(F, 0.5, z);
}

void dlpi_low_rank_multiply_root(const dlp_cholesky *F, double *z)
{
    apply_middle(F, 0.5, z);
    multiply_by_root(F, z);
}

double dlpi_low_rank_log_det(const dlp_cholesky *F)
{
    parts p = parts_of(F);
    double sum = 0;
    for (dlp_index i = 0; i < F->shape.n; i++) sum += 2 * log(p.root[i]);
    for (dlp_index a = 0; a < F->shape.rank; a++) sum += log1p(p.kappa[a]);
    return sum;
}

/* P^-1 = D^-1 + (Z D^-1/2)' diag(1/(1+kappa) - 1) (Z D^-1/2) */
void dlpi_low_rank_inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    const dlp_index n = F->shape.n, r = F->shape.rank;
    parts p = parts_of(F);
    double *d = dlp_sym_diag(Sigma), *C = dlp_sym_core(Sigma),
           *U = dlp_sym_low_rank(Sigma);
    for (dlp_index i = 0; i < n; i++) d[i] = 1 / (p.root[i] * p.root[i]);
    memset(C, 0, (size_t)(r * r) * sizeof *C);
    for (dlp_index a = 0; a < r; a++) {
        C[a * r + a] = -p.kappa[a] / (1 + p.kappa[a]);
        for (dlp_index i = 0; i < n; i++) U[a * n + i] = p.Z[a * n + i] / p.root[i];
    }
}

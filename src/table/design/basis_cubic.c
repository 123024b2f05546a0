/* SPDX-License-Identifier: BSD-3-Clause */
/* Cubic regression splines, also cyclic ones, as in mgcv. */
#include "table/design/basis.h"

#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <string.h>

/* The symmetric B (n, n) and D (n, n) with B gamma = D v, gamma the second derivatives of
   a cubic spline with values v at the knots; for a cyclic one v_n = v_0. Natural ones
   have no second derivative at the ends: their rows of B are those of I. */
static void spline_system(dlp_index n, const double *knot, bool cyclic, double *B,
                          double *D)
{
    memset(B, 0, (size_t)(n * n) * sizeof *B);
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index before = i > 0 ? i - 1 : n - 1, after = i + 1 < n ? i + 1 : 0;
        if (!cyclic && (i == 0 || i == n - 1)) {
            B[i * n + i] = 1;
            continue;
        }
        const double left = i > 0 ? knot[i] - knot[i - 1] : knot[n] - knot[n - 1];
        const double right = knot[i + 1] - knot[i];
        B[i * n + i] += (left + right) / 3;
        if (cyclic || before > 0) B[i * n + before] += left / 6;
        if (cyclic || after < n - 1) B[i * n + after] += right / 6;
        D[i * n + before] += 1 / left;
        D[i * n + i] -= 1 / left + 1 / right;
        D[i * n + after] += 1 / right;
    }
}

/* The columns of D become B^-1 D. */
static bool solve_system(dlp_index n, double *B, double *D, double *room)
{
    if (dlpi_cholesky(n, B) >= 0) return false;
    for (dlp_index j = 0; j < n; j++) {
        for (dlp_index i = 0; i < n; i++) room[i] = D[i * n + j];
        dlpi_cholesky_solve(n, B, room);
        for (dlp_index i = 0; i < n; i++) D[i * n + j] = room[i];
    }
    return true;
}

bool dlpi_spline_curvature(dlp_index n, const double *knot, bool cyclic, double *F,
                           double *room)
{
    spline_system(n, knot, cyclic, room, F);
    return solve_system(n, room, F, room + n * n);
}

/* From J = v'Sv to values of functions whose coefficients' squares add up to J: S = U
   diag(lambda) U', v = U lambda^-1/2. unpenalised: dimensions without penalty. */
static bool rotate_values(dlp_index n, dlp_index unpenalised, double *S, double *lambda,
                          double *work, dlp_index columns, double *V)
{
    if (!dlpi_lapack_eigen(n, S, lambda, work)) return false;
    for (dlp_index k = 0; k < n - unpenalised; k++) {
        const dlp_index row = n - 1 - k; /* eigenvalues ascend: the least bent last */
        if (!(lambda[row] > 0)) return false;
        for (dlp_index i = 0; i < n; i++)
            V[i * columns + k] = S[row * n + i] / sqrt(lambda[row]);
    }
    return true;
}

dlp_status dlpi_basis_make_cubic(const dlp_basis *out, bool cyclic, double *V,
                                 struct dlpi_pool *pool)
{
    const dlp_index k = out->n_knots, n = cyclic ? k - 1 : k;
    double *D = dlpi_pool_take(pool, n * n, sizeof *D);
    double *F = dlpi_pool_take(pool, n * n, sizeof *F);
    double *B = dlpi_pool_take(pool, n * n + 4 * n, sizeof *B);
    double *S = dlpi_pool_take(pool, n * n, sizeof *S);
    if (!D || !F || !B || !S) return DLP_ENOMEM;
    spline_system(n, out->knot, cyclic, B, D);
    memcpy(F, D, (size_t)(n * n) * sizeof *F);
    if (!solve_system(n, B, F, B + n * n)) return DLP_EINPUT;
    for (dlp_index i = 0; i < n; i++) /* S = D'B^-1 D, symmetric */
        for (dlp_index j = 0; j <= i; j++) {
            double sum = 0;
            for (dlp_index a = 0; a < n; a++) sum += D[a * n + i] * F[a * n + j];
            S[i * n + j] = S[j * n + i] = sum;
        }
    if (!rotate_values(n, cyclic ? 1 : 2, S, B, B + n, out->columns, V + out->fixed))
        return DLP_EINPUT;
    for (dlp_index j = out->fixed; cyclic && j < out->columns; j++)
        V[n * out->columns + j] = V[j];
    return DLP_OK;
}

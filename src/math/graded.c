/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Cholesky factor does not depend on units, and Jacobi's singular values of it keep
 * full relative precision in the small ones (Demmel & Veselic, SIAM J. Matrix Anal.
 * Appl. 13, 1992).
 */
#include "math/graded.h"

#include "core/core.h"
#include "math/lapack.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* What remains of a row's square below this share of it is rounding. */
static const double NOTHING = 1e-13;

/* The row with the largest rest that is not rounding, or -1. */
static dlp_index next_pivot(dlp_index n, const double *A, const double *rest)
{
    dlp_index best = -1;
    for (dlp_index i = 0; i < n; i++)
        if (rest[i] > NOTHING * A[i * (n + 1)] && (best < 0 || rest[i] > rest[best]))
            best = i;
    return best;
}

/* A = F'F with F (rank, n); returns the rank. rest (n). */
static dlp_index pivoted_cholesky(dlp_index n, const double *A, double *F, double *rest)
{
    dlp_index rank = 0, p;
    for (dlp_index i = 0; i < n; i++) rest[i] = A[i * (n + 1)];
    for (; (p = next_pivot(n, A, rest)) >= 0; rank++) {
        double *f = F + rank * n;
        const double root = sqrt(rest[p]);
        for (dlp_index i = 0; i < n; i++) {
            const bool open = rest[i] > NOTHING * A[i * (n + 1)];
            double a = open ? A[p * n + i] : 0;
            for (dlp_index k = 0; open && k < rank; k++) a -= F[k * n + p] * F[k * n + i];
            f[i] = a / root;
        }
        for (dlp_index i = 0; i < n; i++) rest[i] -= f[i] * f[i];
        f[p] = root;
        rest[p] = 0;
    }
    return rank;
}

dlp_status dlpi_graded_eigen(dlp_index n, const double *A, double *V, double *w,
                             dlp_error *error)
{
    double *F = dlpi_calloc(dlpi_size(n, n, dlpi_size(2, n, 0)), sizeof *F);
    if (!F) return dlpi_no_memory(error, "eigenvalues");
    double *sigma = F + n * n, *rest = sigma + n;
    const dlp_index rank = pivoted_cholesky(n, A, F, rest);
    dlp_status status = DLP_OK;
    memset(w, 0, (size_t)n * sizeof *w);
    if (rank > 0) {
        status = dlpi_lapack_jacobi(n, rank, F, sigma, V, error);
    } else {
        memset(V, 0, (size_t)(n * n) * sizeof *V);
        for (dlp_index i = 0; i < n; i++) V[i * (n + 1)] = 1;
    }
    for (dlp_index k = 0; k < rank; k++) w[n - 1 - k] = sigma[k] * sigma[k];
    for (dlp_index k = 0; k < n / 2; k++) /* from descending to ascending */
        for (dlp_index i = 0; i < n; i++) {
            const double v = V[k * n + i];
            V[k * n + i] = V[(n - 1 - k) * n + i];
            V[(n - 1 - k) * n + i] = v;
        }
    free(F);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/lapack.h"

#include "core/core.h"
#include "math/blas.h"
#include "math/eigen.h"
#include "math/gemm.h"
#include "math/products.h"
#include "math/symmetric/structure.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The pivot that failed, or -1, from LAPACK's info and the resulting diagonal, `stride`
   apart: OpenBLAS lets NaN and infinity pass, but they show there. */
static dlp_index failed_pivot(dlp_index n, const double *A, dlp_index stride, int info)
{
    const dlp_index failed = info > 0 ? info - 1 : n;
    for (dlp_index i = 0; i < failed; i++)
        if (!(A[i * stride] > 0 && isfinite(A[i * stride]))) return i;
    return failed < n ? failed : -1;
}

/* Column-major lower, as LAPACK has it, is our row-major upper. */
bool dlpi_lapack_cholesky(dlp_index n, double *A, dlp_index *failed)
{
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    int order = (int)n, info = 0;
    blas->dpotrf("L", &order, A, &order, &info);
    dlpi_blas_leave();
    *failed = failed_pivot(n, A, n + 1, info);
    return true;
}

bool dlpi_lapack_band_cholesky(dlp_index n, dlp_index b, double *A, dlp_index *failed)
{
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    const int order = (int)n, width = (int)b, ld = width + 1;
    int info = 0;
    blas->dpbtrf("L", &order, &width, A, &ld, &info);
    dlpi_blas_leave();
    *failed = failed_pivot(n, A, b + 1, info);
    return true;
}

bool dlpi_lapack_upper_inverse(dlp_index n, double *U, dlp_index ld)
{
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    const int order = (int)n, stride = (int)ld;
    int info = 0;
    blas->dpotri("L", &order, U, &stride, &info);
    dlpi_blas_leave();
    return true;
}

/* The functions for a problem of this order, or NULL if our own kernels are to be
   used. */
static const dlpi_blas *enter_for(dlp_index n)
{
    return n > DLPI_OWN_KERNELS ? dlpi_blas_enter() : NULL;
}

int dlpi_lapack_eigen(dlp_index n, double *A, double *w, double *work)
{
    int order = (int)n, lwork = 3 * order, info = 0;
    for (dlp_index i = 0; i < n * n; i++)
        if (!isfinite(A[i])) return 0;
    if (n == 1) { /* the common case */
        w[0] = A[0];
        A[0] = 1;
        return 1;
    }
    const dlpi_blas *blas = enter_for(n);
    if (!blas) return dlpi_eigen(n, A, w, work);
    blas->dsyev("V", "L", &order, A, &order, w, work, &lwork, &info);
    dlpi_blas_leave();
    return info == 0;
}

/* As dlpi_lapack_eigen, but allocates its own memory. */
static dlp_status eigen_by_loops(dlp_index n, double *A, double *w, dlp_error *error)
{
    double *work = dlpi_calloc(3 * n, sizeof *work);
    if (!work) return dlpi_no_memory(error, "eigenvalues");
    const int found = dlpi_lapack_eigen(n, A, w, work);
    free(work);
    return found ? DLP_OK
                 : dlp_fail(error, DLP_EINPUT,
                            "cannot compute eigenvalues; use units that make the numbers "
                            "closer to 1");
}

dlp_status dlpi_lapack_eigen_large(dlp_index n, double *A, double *w, dlp_error *error)
{
    const dlpi_blas *blas = enter_for(n);
    if (!blas) return eigen_by_loops(n, A, w, error);
    int order = (int)n, lwork = 1 + 6 * order + 2 * order * order, liwork = 3 + 5 * order,
        info = 0;
    bool finite = true;
    for (dlp_index i = 0; i < n * n; i++) finite &= isfinite(A[i]) != 0;
    double *work = dlpi_calloc(lwork, sizeof *work);
    int *iwork = dlpi_calloc(liwork, sizeof *iwork);
    if (work && iwork && finite)
        blas->dsyevd("V", "L", &order, A, &order, w, work, &lwork, iwork, &liwork, &info);
    dlpi_blas_leave();
    const dlp_status status = !work || !iwork ? dlpi_no_memory(error, "eigenvalues")
                              : !finite || info != 0
                                  ? dlp_fail(error, DLP_EINPUT,
                                             "cannot compute eigenvalues; use units that "
                                             "make the numbers closer to 1")
                                  : DLP_OK;
    free(work);
    free(iwork);
    return status;
}

/* by columns: the left singular vectors of F' (n, r), all n of them */
static dlp_status jacobi_by_lapack(const dlpi_blas *blas, dlp_index n, dlp_index r,
                                   double *F, double *sigma, double *V, bool *converged,
                                   dlp_error *error)
{
    const dlp_index room = dlpi_size(r, r, dlpi_size(70, n + r, 8));
    const int rows = (int)n, columns = (int)r,
              lwork = room < INT_MAX ? (int)room : INT_MAX, one = 1;
    double *work = dlpi_calloc(room, sizeof *work), none = 0;
    int *iwork = dlpi_calloc(dlpi_size(4, n, 0), sizeof *iwork), info = 0;
    const bool ready = work && iwork;
    if (ready) {
        blas->dgejsv("F", "F", "N", "N", "N", "N", &rows, &columns, F, &rows, sigma, V,
                     &rows, &none, &one, work, &lwork, iwork, &info);
        for (dlp_index k = 0; k < r; k++) sigma[k] *= work[0] / work[1];
    }
    *converged = info == 0;
    free(work);
    free(iwork);
    return ready ? DLP_OK : dlpi_no_memory(error, "eigenvalues");
}

dlp_status dlpi_lapack_jacobi(dlp_index n, dlp_index r, double *F, double *sigma,
                              double *V, dlp_error *error)
{
    const dlpi_blas *blas = enter_for(n);
    bool converged = false;
    dlp_status status = DLP_OK;
    if (blas) {
        status = jacobi_by_lapack(blas, n, r, F, sigma, V, &converged, error);
        dlpi_blas_leave();
    } else {
        converged = dlpi_jacobi(n, r, F, sigma, V);
    }
    if (status || converged) return status;
    return dlp_fail(error, DLP_EINPUT,
                    "cannot compute the columns' eigenvalues; use units that make the "
                    "numbers closer to 1");
}

void dlpi_blas_syrk(dlp_index p, dlp_index n, double alpha, const double *A, double *C,
                    dlp_index stride)
{
    const int order = (int)p, inner = (int)n, ldc = (int)stride;
    const double one = 1;
    const dlpi_blas *blas = enter_for(p);
    if (!blas) {
        dlpi_dots(p, p, n, alpha, A, n, A, n, C, stride, true);
        return;
    }
    blas->dsyrk("L", "T", &order, &inner, &alpha, A, &inner, &one, C, &ldc);
    dlpi_blas_leave();
}

/* by columns: B' (n, p) = A' S */
void dlpi_blas_symm(dlp_index p, dlp_index n, const double *S, dlp_index stride,
                    const double *A, double *B)
{
    const int order = (int)p, rows = (int)n, lds = (int)stride;
    const double one = 1, zero = 0;
    const dlpi_blas *blas = enter_for(p);
    if (!blas) {
        memset(B, 0, (size_t)(p * n) * sizeof *B);
        if (p <= DLPI_BLAS_SMALL)
            dlpi_rows_product(p, n, p, 1, S, stride, A, n, B, n);
        else
            dlpi_gemm(p, n, p, 1, (dlpi_matrix){S, stride, 1}, (dlpi_matrix){A, n, 1}, B,
                      n, false);
        return;
    }
    blas->dgemm("N", "N", &rows, &order, &order, &one, A, &rows, S, &lds, &zero, B,
                &rows);
    dlpi_blas_leave();
}

/* by columns: A' (n, p) times R', whose lower triangle lies as our upper one */
void dlpi_blas_trmm(dlp_index p, dlp_index n, const double *R, double *A)
{
    const int order = (int)p, rows = (int)n;
    const double one = 1;
    const dlpi_blas *blas = enter_for(p);
    if (!blas) {
        dlpi_triangle_product(p, n, R, p, A, n);
        return;
    }
    blas->dtrmm("R", "L", "N", "N", &rows, &order, &one, R, &order, A, &rows);
    dlpi_blas_leave();
}

/* by columns: C' (q, p) += X' X with the roles of rows and columns exchanged */
bool dlpi_blas_gram(dlp_index p, dlp_index q, dlp_index w, double sign, const double *X,
                    dlp_index ldx, double *C, dlp_index ldc)
{
    const int rows = (int)q, columns = (int)p, inner = (int)w, x = (int)ldx, c = (int)ldc;
    const double one = 1;
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    if (p == q)
        blas->dsyrk("L", "N", &rows, &inner, &sign, X, &x, &one, C, &c);
    else
        blas->dgemm("N", "T", &rows, &columns, &inner, &sign, X, &x, X, &x, &one, C, &c);
    dlpi_blas_leave();
    return true;
}

bool dlpi_blas_product(dlp_index p, dlp_index q, dlp_index w, double sign,
                       const double *A, dlp_index lda, const double *B, dlp_index ldb,
                       double *C, dlp_index ldc)
{
    const int rows = (int)q, columns = (int)p, inner = (int)w;
    const int a = (int)lda, b = (int)ldb, c = (int)ldc;
    const double one = 1;
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    blas->dgemm("N", "N", &rows, &columns, &inner, &sign, B, &b, A, &a, &one, C, &c);
    dlpi_blas_leave();
    return true;
}

bool dlpi_blas_product_transposed(dlp_index p, dlp_index q, dlp_index w, double sign,
                                  const double *A, dlp_index lda, const double *B,
                                  dlp_index ldb, double *C, dlp_index ldc)
{
    const int rows = (int)q, columns = (int)p, inner = (int)w;
    const int a = (int)lda, b = (int)ldb, c = (int)ldc;
    const double one = 1;
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    blas->dgemm("T", "N", &rows, &columns, &inner, &sign, B, &b, A, &a, &one, C, &c);
    dlpi_blas_leave();
    return true;
}

/* by columns: X' (m, w) times U'^-1, whose lower triangle lies as our upper one */
bool dlpi_blas_back_substitute(dlp_index w, dlp_index m, const double *U, dlp_index ldu,
                               double *X, dlp_index ldx)
{
    const int rows = (int)m, columns = (int)w, u = (int)ldu, x = (int)ldx;
    const double one = 1;
    const dlpi_blas *blas = dlpi_blas_enter();
    if (!blas) return false;
    blas->dtrsm("R", "L", "N", "N", &rows, &columns, &one, U, &u, X, &x);
    dlpi_blas_leave();
    return true;
}

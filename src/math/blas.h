/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BLAS and LAPACK, found when they are first needed: small problems never load them, and
 * a program that cannot have them, for lack of memory or because they are not installed,
 * uses our own kernels at every size. Whichever library it is, it runs on one thread:
 * those with threads of their own (OpenBLAS, MKL, BLIS) are set to one around each call
 * and restored afterwards. So the same input gives the same bits whatever the host
 * program set, and our own parallel regions do not start threads within threads.
 * Internal.
 */
#ifndef DLPI_MATH_BLAS_H
#define DLPI_MATH_BLAS_H

#include <stdbool.h>

/* The functions that we call, by their Fortran names without the underscore. */
#define DLPI_BLAS_FUNCTIONS(X)                                                           \
    X(dpotrf, (const char *uplo, const int *n, double *A, const int *lda, int *info))    \
    X(dpbtrf, (const char *uplo, const int *n, const int *kd, double *A, const int *lda, \
               int *info))                                                               \
    X(dpotri, (const char *uplo, const int *n, double *A, const int *lda, int *info))    \
    X(dsyevd, (const char *jobz, const char *uplo, const int *n, double *A,              \
               const int *lda, double *w, double *work, const int *lwork, int *iwork,    \
               const int *liwork, int *info))                                            \
    X(dsyev, (const char *jobz, const char *uplo, const int *n, double *A,               \
              const int *lda, double *w, double *work, const int *lwork, int *info))     \
    X(dgejsv,                                                                            \
      (const char *joba, const char *jobu, const char *jobv, const char *jobr,           \
       const char *jobt, const char *jobp, const int *m, const int *n, double *A,        \
       const int *lda, double *sva, double *U, const int *ldu, double *V,                \
       const int *ldv, double *work, const int *lwork, int *iwork, int *info))           \
    X(dsyrk, (const char *uplo, const char *trans, const int *n, const int *k,           \
              const double *alpha, const double *A, const int *lda, const double *beta,  \
              double *C, const int *ldc))                                                \
    X(dgemm,                                                                             \
      (const char *transa, const char *transb, const int *m, const int *n, const int *k, \
       const double *alpha, const double *A, const int *lda, const double *B,            \
       const int *ldb, const double *beta, double *C, const int *ldc))                   \
    X(dtrmm, (const char *side, const char *uplo, const char *transa, const char *diag,  \
              const int *m, const int *n, const double *alpha, const double *A,          \
              const int *lda, double *B, const int *ldb))                                \
    X(dtrsm, (const char *side, const char *uplo, const char *transa, const char *diag,  \
              const int *m, const int *n, const double *alpha, const double *A,          \
              const int *lda, double *B, const int *ldb))

typedef struct dlpi_blas {
/* NOLINTNEXTLINE(bugprone-macro-parentheses) */
#define DLPI_BLAS_FIELD(name, arguments) void(*name) arguments;
    DLPI_BLAS_FUNCTIONS(DLPI_BLAS_FIELD)
#undef DLPI_BLAS_FIELD
} dlpi_blas;

/* The functions, for the calls until dlpi_blas_leave; NULL, and no leave, if there is no
   library or no memory for it. Callers may overlap in time. */
const dlpi_blas *dlpi_blas_enter(void);
void dlpi_blas_leave(void);

/* The file that is loaded when it is first needed, "linked", or what a static OpenBLAS says
   of itself. It is the same whether or not there is memory to load it. */
const char *dlpi_blas_name(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps BLAS to one thread, whichever library it is. Those with threads of their own
 * (OpenBLAS, MKL, BLIS) are set to one thread around each call and restored afterwards.
 * So the same input gives the same bits whatever the host program set, and our own
 * parallel regions do not start threads within threads. Internal.
 */
#ifndef DLPI_MATH_BLAS_THREADS_H
#define DLPI_MATH_BLAS_THREADS_H

/* Around a call; calls may overlap in time. */
void dlpi_blas_enter(void);
void dlpi_blas_leave(void);

/* The library's own description, or its name; "unknown" if it has none, like the
   reference BLAS. */
const char *dlpi_blas_name(void);

#endif

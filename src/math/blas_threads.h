/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One thread for BLAS, whichever it is. Libraries with threads of their own (OpenBLAS, MKL,
 * BLIS) are told so around each call, and their count is put back, so that the same input
 * gives the same bits whatever the host program set, and our own parallel regions do not
 * start threads in threads. Internal.
 */
#ifndef DLPI_MATH_BLAS_THREADS_H
#define DLPI_MATH_BLAS_THREADS_H

/* Around a call; calls may overlap in time. */
void dlpi_blas_enter(void);
void dlpi_blas_leave(void);

/* What the library says of itself, or its name; "unknown" where it has none of its own, as
   the reference BLAS. */
const char *dlpi_blas_name(void);

#endif

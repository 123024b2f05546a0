/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a call uses. Internal. */
#ifndef DLPI_CORE_THREADS_H
#define DLPI_CORE_THREADS_H

#include <omp.h>

/* 0 means one thread per processor. */
static inline int dlpi_threads(int asked)
{
    return asked > 0 ? asked : omp_get_num_procs();
}

#endif

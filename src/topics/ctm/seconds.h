/* SPDX-License-Identifier: BSD-3-Clause */
/* Elapsed time. Internal. */
#ifndef DLPI_TOPICS_SECONDS_H
#define DLPI_TOPICS_SECONDS_H

#include <time.h>

/* Seconds since some moment; never goes back. */
static inline double dlpi_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif

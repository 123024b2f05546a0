/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the memory that a run will need with what is available, before it starts.
   Internal. */
#ifndef DLPI_CORE_MEMORY_H
#define DLPI_CORE_MEMORY_H

#include <delaplace/status.h>

/* The most bytes that this process may have: by its limits (ulimit -v and -d), by those
   of its control group, and by the machine. */
double dlpi_memory_most(void);

/* The same if this many processes, each with its own limits, share a machine. */
double dlpi_memory_share(int processes);

/* The bytes that this process already uses, counted as its limits do; 0 if unknown. */
double dlpi_memory_used(void);

/* DLP_ENOMEM if this is more than is available, which is less than the most where other
   programs have the rest: "WHAT needs about 38 GB of memory, but
   only 23 GB are available; REMEDY". */
dlp_status dlpi_memory_check(double bytes, const char *what, const char *remedy,
                             dlp_error *error);

#endif

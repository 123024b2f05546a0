/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run will need, compared with what there is before it starts. Internal. */
#ifndef DLPI_CORE_MEMORY_H
#define DLPI_CORE_MEMORY_H

#include <delaplace/status.h>

/* The most bytes that this process may have: by its limits (ulimit -v and -d), by those of
   its control group, and by the machine. */
double dlpi_memory_most(void);

/* The same where so many processes, with limits of their own, have one machine. */
double dlpi_memory_share(int processes);

/* The bytes that this process has already, of what its limits count; 0 where that is not known. */
double dlpi_memory_used(void);

/* DLP_ENOMEM where so many bytes are more than that: "WHAT needs about 38 GB of memory, and
   there are 23 GB; REMEDY". */
dlp_status dlpi_memory_check(double bytes, const char *what, const char *remedy,
                             dlp_error *error);

#endif

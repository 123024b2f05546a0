/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that the system does not wake: it waits for a disk on their behalf. */
#ifndef DLP_CLI_HANG_ASLEEP_H
#define DLP_CLI_HANG_ASLEEP_H

#include <stdint.h>

/* A number for the sleep of a thread of this program, the same until it wakes up; 0 if
   none sleeps like this, or it cannot be known (/proc). To be called by one thread; does
   not allocate. */
uint64_t cli_asleep(void);

#endif

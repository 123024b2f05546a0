/* SPDX-License-Identifier: BSD-3-Clause */
/* One file that a test writes and reads: make_file and remove_file are the set-up and the
   clean-up of a group of tests. */
#ifndef SCRATCH_FILE_H
#define SCRATCH_FILE_H

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/delaplace-test-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for the files of a test program: go and leave are its group's setup and teardown. */
#ifndef DLP_TESTS_FOLDER_H
#define DLP_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/delaplace-test-XXXXXX";

static inline int go(void **state)
{
    (void)state;
    return mkdtemp(folder) ? chdir(folder) : -1;
}

static inline int leave(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command); /* NOLINT(cert-env33-c): a name of our own making */
}

#endif

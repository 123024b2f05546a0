/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts as files of numbers write them. Internal. */
#ifndef DLPI_IO_COUNT_H
#define DLPI_IO_COUNT_H

#include "io/number.h"

#include <stdbool.h>

/*
 * Reads the count that begins at `at`: digits, or any number that is whole and not
 * negative ("3.0", "2e1"). What is too large for an int64_t becomes the largest, for the
 * caller's check of the range. Returns where it ends, or NULL when none begins there.
 */
const char *dlpi_count_scan(const char *at, const char *end, int64_t *count);

#endif

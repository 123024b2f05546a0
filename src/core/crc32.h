/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum of gzip and zip, so that files can be checked without a library for it.
   Internal, and compiled into the program too. */
#ifndef DLPI_CORE_CRC32_H
#define DLPI_CORE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Continues crc (0 at the beginning) with these bytes. */
uint32_t dlpi_crc32(uint32_t crc, const void *bytes, size_t size);

#endif

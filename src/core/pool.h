/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is handed out piece by piece and released all at once. Internal. */
#ifndef DLPI_CORE_POOL_H
#define DLPI_CORE_POOL_H

#include "core/core.h"
#include "core/spill.h"

struct dlpi_pool_block;

/* Zeroed is an empty pool. */
struct dlpi_pool {
    struct dlpi_pool_block *blocks; /* newest first */
    char *at, *end;                 /* what is left of the block for small pieces */
    dlpi_spill *spill; /* where pieces of a megabyte and more are; NULL: in memory */
};

/* count * size zeroed bytes, aligned for any type, large pieces to a cache line; NULL as
   for dlpi_calloc. */
void *dlpi_pool_take(struct dlpi_pool *pool, dlp_index count, size_t size);

/* A copy of size bytes, followed by a NUL; NULL without memory. */
char *dlpi_pool_copy(struct dlpi_pool *pool, const char *text, size_t size);

/* Releases all pieces; the pool is empty again. */
void dlpi_pool_free(struct dlpi_pool *pool);

#endif

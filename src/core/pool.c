/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/pool.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

enum {
    CACHE_LINE = 64,     /* dlpi_calloc aligns to it */
    SHARED_SIZE = 16384, /* the size of a block that small pieces share */
    SMALL_SIZE = 1024,   /* the largest piece that shares a block */
    LARGE_SIZE = 1 << 20 /* pieces from this size on grow with the number of rows */
};

struct dlpi_pool_block {
    alignas(CACHE_LINE) struct dlpi_pool_block *next;
    bool spilled;
};

static char *take_block(struct dlpi_pool *pool, size_t bytes)
{
    const bool spilled = pool->spill && bytes >= LARGE_SIZE;
    struct dlpi_pool_block *block =
        spilled ? dlpi_rows_alloc(pool->spill, 1, sizeof *block + bytes)
                : dlpi_calloc(1, sizeof *block + bytes);
    if (!block) return NULL;
    block->spilled = spilled;
    block->next = pool->blocks;
    pool->blocks = block;
    return (char *)(block + 1);
}

void *dlpi_pool_take(struct dlpi_pool *pool, dlp_index count, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (count < 0 || (size && (size_t)count > (PTRDIFF_MAX - SHARED_SIZE) / size))
        return NULL;
    const size_t bytes = ((size_t)count * size + unit - 1) / unit * unit;
    if (bytes > SMALL_SIZE) return take_block(pool, bytes);
    if (!pool->at || bytes > (size_t)(pool->end - pool->at)) {
        char *block = take_block(pool, SHARED_SIZE);
        if (!block) return NULL;
        pool->at = block;
        pool->end = block + SHARED_SIZE;
    }
    void *piece = pool->at;
    pool->at += bytes;
    return piece;
}

char *dlpi_pool_copy(struct dlpi_pool *pool, const char *text, size_t size)
{
    char *copy = size < PTRDIFF_MAX ? dlpi_pool_take(pool, (dlp_index)size + 1, 1) : NULL;
    if (copy && size > 0) memcpy(copy, text, size);
    return copy;
}

void dlpi_pool_free(struct dlpi_pool *pool)
{
    for (struct dlpi_pool_block *block = pool->blocks, *next; block; block = next) {
        next = block->next;
        if (block->spilled)
            dlpi_rows_free(block);
        else
            free(block);
    }
    *pool = (struct dlpi_pool){.spill = pool->spill};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one hash table: it maps strings of bytes to numbers. name_index.h and string_set.h
 * keep the bytes; this finds them. The hash (sip.h) has a key of its own in each table,
 * drawn at run time, so that nobody can write a file whose names all collide. No result
 * and no order depends on it. Internal.
 */
#ifndef DLPI_CORE_HASH_H
#define DLPI_CORE_HASH_H

#include "core/pool.h"

#include <stdint.h>

/* {.pool = ...}, or zeros for memory from the heap, is an empty table. */
struct dlpi_hash {
    struct dlpi_pool *pool;
    uint64_t key[2];
    uint64_t *slot; /* (slots) 32 bits of the hash above the number plus 1; 0: free */
    size_t slots;   /* a power of 2, at least twice the numbers; or 0 */
};

/* Whether this is the number of these bytes. */
typedef bool dlpi_hash_same(const void *context, int32_t number, const void *bytes,
                            size_t size);

/* Room for n numbers; false without memory, and the table is unchanged. */
bool dlpi_hash_reserve(struct dlpi_hash *table, int32_t n);
/* The hash of bytes in a table that has room. */
uint32_t dlpi_hash_of(const struct dlpi_hash *table, const void *bytes, size_t size);
/* The number of these bytes, which have that hash, or -1. */
int32_t dlpi_hash_find(const struct dlpi_hash *table, uint32_t hash, dlpi_hash_same *same,
                       const void *context, const void *bytes, size_t size);
/* Adds a number, for which there must be room. */
void dlpi_hash_add(struct dlpi_hash *table, uint32_t hash, int32_t number);
/* Releases memory from the heap and leaves the table empty. */
void dlpi_hash_clear(struct dlpi_hash *table);

/* The most slots that a search for a number looks at; O(slots). */
size_t dlpi_hash_longest_search(const struct dlpi_hash *table);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Distinct byte strings owned by the caller, numbered in order of appearance.
   Internal. */
#ifndef DLPI_CORE_NAME_INDEX_H
#define DLPI_CORE_NAME_INDEX_H

#include "core/hash.h"

struct dlpi_key {
    const void *bytes; /* of the caller, who keeps them */
    size_t size;
    bool removed;
};

/* {.pool = ...} is an empty set. The pool gives the memory. */
struct dlpi_name_index {
    struct dlpi_pool *pool;
    dlp_index n;          /* numbers given so far, including those of removed keys */
    struct dlpi_key *key; /* (n) */
    dlp_index room;
    struct dlpi_hash table; /* of the numbers */
};

/* The number of a key, or -1. */
dlp_index dlpi_name_index_find(const struct dlpi_name_index *keys, const void *bytes,
                               size_t size);

/* The number of a key, which is added if it is new; -1 without memory, or beyond
   INT32_MAX keys. A key that was removed comes back as a new one. */
dlp_index dlpi_name_index_add(struct dlpi_name_index *keys, const void *bytes,
                              size_t size);

/* Removes a key, if it is there; the others keep their numbers. */
void dlpi_name_index_remove(struct dlpi_name_index *keys, const void *bytes, size_t size);

/* The same for strings. */
dlp_index dlpi_name_index_find_text(const struct dlpi_name_index *keys, const char *text);
dlp_index dlpi_name_index_add_text(struct dlpi_name_index *keys, const char *text);

#endif

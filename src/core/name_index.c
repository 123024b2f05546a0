/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/name_index.h"

#include <string.h>

static bool is_key(const void *context, int32_t number, const void *bytes, size_t size)
{
    const struct dlpi_key *key = (const struct dlpi_key *)context + number;
    return !key->removed && key->size == size && memcmp(key->bytes, bytes, size) == 0;
}

static int32_t find(const struct dlpi_name_index *keys, uint32_t hash, const void *bytes,
                    size_t size)
{
    return dlpi_hash_find(&keys->table, hash, is_key, keys->key, bytes, size);
}

static bool make_room(struct dlpi_name_index *keys)
{
    if (keys->n < keys->room) return true;
    const dlp_index room = keys->room ? 2 * keys->room : 8;
    if (room > INT32_MAX) return false;
    struct dlpi_key *key = dlpi_pool_take(keys->pool, room, sizeof *key);
    keys->table.pool = keys->pool;
    if (!key || !dlpi_hash_reserve(&keys->table, (int32_t)room)) return false;
    if (keys->n > 0) memcpy(key, keys->key, (size_t)keys->n * sizeof *key);
    keys->key = key;
    keys->room = room;
    return true;
}

dlp_index dlpi_name_index_find(const struct dlpi_name_index *keys, const void *bytes,
                               size_t size)
{
    if (keys->n == 0) return -1;
    return find(keys, dlpi_hash_of(&keys->table, bytes, size), bytes, size);
}

dlp_index dlpi_name_index_add(struct dlpi_name_index *keys, const void *bytes,
                              size_t size)
{
    const dlp_index number = dlpi_name_index_find(keys, bytes, size);
    if (number >= 0) return number;
    if (!make_room(keys)) return -1;
    keys->key[keys->n] = (struct dlpi_key){.bytes = bytes, .size = size};
    dlpi_hash_add(&keys->table, dlpi_hash_of(&keys->table, bytes, size),
                  (int32_t)keys->n);
    return keys->n++;
}

void dlpi_name_index_remove(struct dlpi_name_index *keys, const void *bytes, size_t size)
{
    const dlp_index number = dlpi_name_index_find(keys, bytes, size);
    if (number >= 0) keys->key[number].removed = true;
}

dlp_index dlpi_name_index_find_text(const struct dlpi_name_index *keys, const char *text)
{
    return dlpi_name_index_find(keys, text, strlen(text));
}

dlp_index dlpi_name_index_add_text(struct dlpi_name_index *keys, const char *text)
{
    return dlpi_name_index_add(keys, text, strlen(text));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/keys.h"

#include <string.h>

/* Spreads every bit of a word over all of it: a product carries bits upwards, a shift
   brings them down. */
static uint64_t spread(uint64_t word)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    word = (word ^ word >> 32) * odd;
    word = (word ^ word >> 29) * odd;
    return word ^ word >> 32;
}

/* Eight bytes at a time. */
static uint64_t hash_of(const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t hash = size;
    while (size > 0) {
        uint64_t word = 0;
        const size_t step = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, step);
        hash = spread(hash ^ word);
        at += step;
        size -= step;
    }
    return hash;
}

static bool is_key(const struct dlpi_key *key, const void *bytes, size_t size,
                   uint64_t hash)
{
    return key->hash == hash && key->size == size && memcmp(key->bytes, bytes, size) == 0;
}

/* The slot of a key: where its number stands, or the free slot where it would. A key
   that was removed keeps its slot, so that no search breaks off there. */
static dlp_index *slot_of(const struct dlpi_keys *keys, const void *bytes, size_t size,
                          uint64_t hash)
{
    const size_t mask = keys->slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        dlp_index *slot = &keys->slot[i];
        if (*slot == 0 || is_key(&keys->key[*slot - 1], bytes, size, hash)) return slot;
    }
}

/* Room for one key more, with at least half of the slots free. */
static bool make_room(struct dlpi_keys *keys)
{
    if (keys->n < keys->room) return true;
    const dlp_index room = keys->room ? 2 * keys->room : 8;
    struct dlpi_key *key = dlpi_pool_take(keys->pool, room, sizeof *key);
    dlp_index *slot = dlpi_pool_take(keys->pool, 2 * room, sizeof *slot);
    if (!key || !slot) return false;
    if (keys->n > 0) memcpy(key, keys->key, (size_t)keys->n * sizeof *key);
    keys->key = key;
    keys->room = room;
    keys->slot = slot;
    keys->slots = 2 * (size_t)room;
    for (dlp_index i = 0; i < keys->n; i++)
        *slot_of(keys, key[i].bytes, key[i].size, key[i].hash) = i + 1;
    return true;
}

dlp_index dlpi_keys_find(const struct dlpi_keys *keys, const void *bytes, size_t size)
{
    if (keys->slots == 0) return -1;
    const dlp_index number = *slot_of(keys, bytes, size, hash_of(bytes, size)) - 1;
    return number >= 0 && !keys->key[number].removed ? number : -1;
}

dlp_index dlpi_keys_add(struct dlpi_keys *keys, const void *bytes, size_t size)
{
    const dlp_index number = dlpi_keys_find(keys, bytes, size);
    if (number >= 0) return number;
    if (!make_room(keys)) return -1;
    const uint64_t hash = hash_of(bytes, size);
    keys->key[keys->n] = (struct dlpi_key){.bytes = bytes, .size = size, .hash = hash};
    *slot_of(keys, bytes, size, hash) = ++keys->n;
    return keys->n - 1;
}

void dlpi_keys_remove(struct dlpi_keys *keys, const void *bytes, size_t size)
{
    const dlp_index number = dlpi_keys_find(keys, bytes, size);
    if (number >= 0) keys->key[number].removed = true;
}

dlp_index dlpi_keys_find_text(const struct dlpi_keys *keys, const char *text)
{
    return dlpi_keys_find(keys, text, strlen(text));
}

dlp_index dlpi_keys_add_text(struct dlpi_keys *keys, const char *text)
{
    return dlpi_keys_add(keys, text, strlen(text));
}

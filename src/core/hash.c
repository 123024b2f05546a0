/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table with open addressing: a number goes into the first free slot at or after
   its hash. At least half of the slots are free. */
#include "core/hash.h"
#include "core/sip.h"

#include <string.h>
#include <time.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif

/* ---- the hash ---- */

/* Up to 7 bytes as one word; two loads that overlap are cheaper than a loop. */
static uint64_t last_bytes(const unsigned char *at, size_t left)
{
    uint32_t first, second;
    if (left >= sizeof first) {
        memcpy(&first, at, sizeof first);
        memcpy(&second, at + left - sizeof second, sizeof second);
        return first | (uint64_t)second << 8 * (left - sizeof second);
    }
    if (left == 0) return 0;
    return at[0] | (uint64_t)at[left / 2] << 8 * (left / 2) |
           (uint64_t)at[left - 1] << 8 * (left - 1);
}

uint32_t dlpi_hash_of(const struct dlpi_hash *table, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    struct dlpi_sip sip = dlpi_sip_begin(table->key);
    uint64_t word;
    size_t left = size;
    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        dlpi_sip_add(&sip, word);
    }
    return (uint32_t)dlpi_sip_end_with(&sip, last_bytes(at, left), left);
}

/* ---- the key ---- */

void dlpi_sip_draw_key(const void *place, uint64_t key[2])
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    key[0] = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec;
    key[1] = (uintptr_t)place ^ dlpi_sip_rotate((uintptr_t)&now, 32);
#if defined(__linux__)
    uint64_t random[2] = {0};
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel passes the address as an
       integer */
    const void *given = (const void *)getauxval(AT_RANDOM); /* 16 bytes */
    if (given) memcpy(random, given, sizeof random);
    key[0] ^= random[0];
    key[1] ^= random[1];
#endif
}

/* ---- slots ---- */

static size_t first_slot(const struct dlpi_hash *table, uint64_t slot)
{
    return (slot >> 32) & (table->slots - 1);
}

static size_t next_slot(const struct dlpi_hash *table, size_t i)
{
    return (i + 1) & (table->slots - 1);
}

static void put(struct dlpi_hash *table, uint64_t slot)
{
    size_t i = first_slot(table, slot);
    while (table->slot[i]) i = next_slot(table, i);
    table->slot[i] = slot;
}

bool dlpi_hash_reserve(struct dlpi_hash *table, int32_t n)
{
    const struct dlpi_hash old = *table;
    size_t slots = old.slots ? old.slots : 8;
    while (slots < 2 * (size_t)n) slots *= 2;
    if (slots == old.slots) return true;
    uint64_t *slot = old.pool ? dlpi_pool_take(old.pool, (dlp_index)slots, sizeof *slot)
                              : dlpi_calloc((dlp_index)slots, sizeof *slot);
    if (!slot) return false;
    if (old.slots == 0) dlpi_sip_draw_key(table, table->key);
    table->slot = slot;
    table->slots = slots;
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i]) put(table, old.slot[i]);
    if (!old.pool) free(old.slot);
    return true;
}

int32_t dlpi_hash_find(const struct dlpi_hash *table, uint32_t hash, dlpi_hash_same *same,
                       const void *context, const void *bytes, size_t size)
{
    if (table->slots == 0) return -1;
    for (size_t i = hash & (table->slots - 1); table->slot[i]; i = next_slot(table, i)) {
        const int32_t number = (int32_t)((table->slot[i] & UINT32_MAX) - 1);
        if (table->slot[i] >> 32 == hash && same(context, number, bytes, size))
            return number;
    }
    return -1;
}

void dlpi_hash_add(struct dlpi_hash *table, uint32_t hash, int32_t number)
{
    put(table, (uint64_t)hash << 32 | ((uint32_t)number + 1));
}

void dlpi_hash_clear(struct dlpi_hash *table)
{
    if (!table->pool) free(table->slot);
    *table = (struct dlpi_hash){.pool = table->pool};
}

size_t dlpi_hash_longest_search(const struct dlpi_hash *table)
{
    size_t longest = 0;
    for (size_t i = 0; i < table->slots; i++) {
        if (!table->slot[i]) continue;
        const size_t away = (i - first_slot(table, table->slot[i])) & (table->slots - 1);
        if (away + 1 > longest) longest = away + 1;
    }
    return longest;
}

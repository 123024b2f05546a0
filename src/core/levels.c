/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The set is a hash table with open addressing. A slot holds 32 bits of a name's hash
 * above the name's code plus one, and 0 when it is empty. The order of the names does not
 * depend on their hashes.
 */
#include "core/levels.h"

#include "io/product.h"

#include <string.h>

void dlpi_levels_clear(struct dlpi_levels *levels)
{
    free(levels->start);
    free(levels->text);
    free(levels->slot);
    *levels = (struct dlpi_levels){0};
}

const char *dlpi_levels_name(const struct dlpi_levels *levels, int32_t code,
                             size_t *length)
{
    *length = levels->start[code + 1] - levels->start[code] - 1;
    return levels->text + levels->start[code];
}

/* ---- the hash table ---- */

static uint64_t mix(uint64_t a)
{
    const struct dlpi_wide product = dlpi_multiply(a, 0x9e3779b97f4a7c15);
    return product.high ^ product.low;
}

/* The address of the set takes part, so that nobody can write a file whose names all
   have the same hash. */
static uint32_t hash_of(const struct dlpi_levels *levels, const char *name, size_t length)
{
    uint64_t bytes = 0, hash = mix((uintptr_t)levels ^ length);
    for (; length >= sizeof bytes; length -= sizeof bytes, name += sizeof bytes) {
        memcpy(&bytes, name, sizeof bytes);
        hash = mix(hash ^ bytes);
    }
    bytes = 0;
    memcpy(&bytes, name, length);
    return (uint32_t)mix(hash ^ bytes);
}

static bool is_called(const struct dlpi_levels *levels, int32_t code, const char *name,
                      size_t length)
{
    size_t other_length = 0;
    const char *other = dlpi_levels_name(levels, code, &other_length);
    return length == other_length && memcmp(name, other, length) == 0;
}

/* The slot of the name, or the empty one where it belongs. There is an empty one. */
static size_t find_slot(const struct dlpi_levels *levels, uint32_t hash, const char *name,
                        size_t length)
{
    size_t i = hash & (levels->slots - 1);
    for (; levels->slot[i]; i = (i + 1) & (levels->slots - 1)) {
        const int32_t code = (int32_t)(levels->slot[i] & UINT32_MAX) - 1;
        if (levels->slot[i] >> 32 == hash && is_called(levels, code, name, length)) break;
    }
    return i;
}

int32_t dlpi_levels_find(const struct dlpi_levels *levels, const char *name,
                         size_t length)
{
    if (levels->count == 0) return -1;
    const uint32_t hash = hash_of(levels, name, length);
    const size_t i = find_slot(levels, hash, name, length);
    return (int32_t)(levels->slot[i] & UINT32_MAX) - 1;
}

/* ---- room ---- */

/* Moves the names into a table of so many slots. */
static bool rehash(struct dlpi_levels *levels, size_t slots)
{
    uint64_t *slot = dlpi_calloc((dlp_index)slots, sizeof *slot);
    if (!slot) return false;
    for (size_t k = 0; k < levels->slots; k++) {
        if (!levels->slot[k]) continue;
        size_t i = (levels->slot[k] >> 32) & (slots - 1);
        while (slot[i]) i = (i + 1) & (slots - 1);
        slot[i] = levels->slot[k];
    }
    free(levels->slot);
    levels->slot = slot;
    levels->slots = slots;
    return true;
}

/* Room for more names; they double, and start low: a text can have very many columns. */
static bool reserve_names(struct dlpi_levels *levels)
{
    const int32_t most = INT32_MAX - 1;
    const int32_t room = levels->room == 0          ? 4
                         : levels->room <= most / 2 ? 2 * levels->room
                                                    : most;
    size_t *start = realloc(levels->start, ((size_t)room + 1) * sizeof *start);
    if (!start) return false;
    if (!levels->start) start[0] = 0;
    levels->start = start;
    size_t slots = levels->slots ? levels->slots : 8;
    while (slots < 2 * (size_t)room) slots *= 2;
    if (!rehash(levels, slots)) return false;
    levels->room = room;
    return true;
}

/* Room for one more name of that length. */
static dlp_status reserve(struct dlpi_levels *levels, size_t length, dlp_error *error)
{
    if (levels->count == INT32_MAX - 1)
        return dlp_fail(error, DLP_EINPUT,
                        "more than %d different names; a categorical column cannot have "
                        "so many levels",
                        (int)levels->count);
    if (levels->count == levels->room && !reserve_names(levels))
        return dlpi_no_memory(error, "the levels of a column");
    const size_t used = levels->start[levels->count];
    if (length >= levels->text_room - used) {
        const size_t room = 2 * used + length + 1; /* all of it exists: no overflow */
        char *text = realloc(levels->text, room);
        if (!text) return dlpi_no_memory(error, "the levels of a column");
        levels->text = text;
        levels->text_room = room;
    }
    return DLP_OK;
}

dlp_status dlpi_levels_add(struct dlpi_levels *levels, const char *name, size_t length,
                           int32_t *code, dlp_error *error)
{
    *code = dlpi_levels_find(levels, name, length);
    if (*code >= 0) return DLP_OK;
    DLP_TRY(reserve(levels, length, error));
    const uint32_t hash = hash_of(levels, name, length);
    const size_t i = find_slot(levels, hash, name, length);
    char *const copy = levels->text + levels->start[levels->count];
    memcpy(copy, name, length);
    copy[length] = '\0';
    *code = levels->count++;
    levels->start[levels->count] = levels->start[*code] + length + 1;
    levels->slot[i] = (uint64_t)hash << 32 | (uint32_t)levels->count;
    return DLP_OK;
}

/* ---- order ---- */

/* A name as it is sorted: its first bytes as one number, which decide most cases. */
struct key {
    uint64_t beginning;
    const char *name;
    int32_t code;
};

static uint64_t beginning_of(const char *name)
{
    uint64_t beginning = 0;
    for (int i = 0; i < 8; i++) {
        beginning = beginning << 8 | (unsigned char)*name;
        if (*name) name++;
    }
    return beginning;
}

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->beginning != y->beginning) return x->beginning < y->beginning ? -1 : 1;
    return strcmp(x->name, y->name);
}

dlp_status dlpi_levels_sort(const struct dlpi_levels *levels, int32_t *order,
                            dlp_error *error)
{
    struct key *key = dlpi_calloc(levels->count, sizeof *key);
    if (!key) return dlpi_no_memory(error, "the levels of a column");
    for (int32_t code = 0; code < levels->count; code++) {
        const char *name = levels->text + levels->start[code];
        key[code] =
            (struct key){.beginning = beginning_of(name), .name = name, .code = code};
    }
    qsort(key, (size_t)levels->count, sizeof *key, compare_keys);
    for (int32_t rank = 0; rank < levels->count; rank++) order[rank] = key[rank].code;
    free(key);
    return DLP_OK;
}

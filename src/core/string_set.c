/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/string_set.h"

#include <string.h>

void dlpi_string_set_clear(struct dlpi_string_set *set)
{
    free(set->start);
    free(set->text);
    dlpi_hash_clear(&set->table);
    *set = (struct dlpi_string_set){0};
}

const char *dlpi_string_set_name(const struct dlpi_string_set *set, int32_t code,
                                 size_t *length)
{
    *length = set->start[code + 1] - set->start[code] - 1;
    return set->text + set->start[code];
}

/* ---- search ---- */

static bool is_called(const void *context, int32_t code, const void *name, size_t length)
{
    size_t other_length = 0;
    const char *other = dlpi_string_set_name(context, code, &other_length);
    return length == other_length && memcmp(name, other, length) == 0;
}

int32_t dlpi_string_set_find(const struct dlpi_string_set *set, const char *name,
                             size_t length)
{
    if (set->count == 0) return -1;
    return dlpi_hash_find(&set->table, dlpi_hash_of(&set->table, name, length), is_called,
                          set, name, length);
}

/* ---- room ---- */

/* Room for more names; it doubles, and starts small: a text can have very many
   columns. */
static bool reserve_names(struct dlpi_string_set *set)
{
    const int32_t most = INT32_MAX - 1;
    const int32_t room = set->room == 0          ? 4
                         : set->room <= most / 2 ? 2 * set->room
                                                 : most;
    size_t *start = realloc(set->start, ((size_t)room + 1) * sizeof *start);
    if (!start) return false;
    if (!set->start) start[0] = 0;
    set->start = start;
    if (!dlpi_hash_reserve(&set->table, room)) return false;
    set->room = room;
    return true;
}

/* Room for one more name of that length. */
static dlp_status reserve(struct dlpi_string_set *set, size_t length, dlp_error *error)
{
    if (set->count == INT32_MAX - 1)
        return dlp_fail(error, DLP_EINPUT,
                        "more than %d different names; a categorical column cannot have "
                        "so many levels",
                        (int)set->count);
    if (set->count == set->room && !reserve_names(set))
        return dlpi_no_memory(error, "a set of names");
    const size_t used = set->start[set->count];
    if (length >= set->text_room - used) {
        const size_t room = 2 * used + length + 1; /* all of it exists: no overflow */
        char *text = realloc(set->text, room);
        if (!text) return dlpi_no_memory(error, "a set of names");
        set->text = text;
        set->text_room = room;
    }
    return DLP_OK;
}

dlp_status dlpi_string_set_add(struct dlpi_string_set *set, const char *name,
                               size_t length, int32_t *code, dlp_error *error)
{
    *code = dlpi_string_set_find(set, name, length);
    if (*code >= 0) return DLP_OK;
    DLP_TRY(reserve(set, length, error));
    char *const copy = set->text + set->start[set->count];
    memcpy(copy, name, length);
    copy[length] = '\0';
    *code = set->count++;
    set->start[set->count] = set->start[*code] + length + 1;
    dlpi_hash_add(&set->table, dlpi_hash_of(&set->table, name, length), *code);
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

dlp_status dlpi_string_set_sort(const struct dlpi_string_set *set, int32_t *order,
                                dlp_error *error)
{
    struct key *key = dlpi_calloc(set->count, sizeof *key);
    if (!key) return dlpi_no_memory(error, "a set of names");
    for (int32_t code = 0; code < set->count; code++) {
        const char *name = set->text + set->start[code];
        key[code] =
            (struct key){.beginning = beginning_of(name), .name = name, .code = code};
    }
    qsort(key, (size_t)set->count, sizeof *key, compare_keys);
    for (int32_t rank = 0; rank < set->count; rank++) order[rank] = key[rank].code;
    free(key);
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing set of names, each with a code: 0, 1, ... in order of appearance.
   Internal. */
#ifndef DLPI_CORE_STRING_SET_H
#define DLPI_CORE_STRING_SET_H

#include "core/hash.h"

/* A name is any bytes but zero bytes. All zeros is the empty set. */
struct dlpi_string_set {
    int32_t count; /* names */
    int32_t room;  /* names there is room for */
    size_t
        *start; /* (room + 1) where the names begin in the text, and the last one ends */
    char *text; /* the names, one after the other, a NUL after each */
    size_t text_room;
    struct dlpi_hash table; /* of the codes */
};

/* The code of a name, which is added if it is new. */
dlp_status dlpi_string_set_add(struct dlpi_string_set *set, const char *name,
                               size_t length, int32_t *code, dlp_error *error);
/* The code of a name, or -1. */
int32_t dlpi_string_set_find(const struct dlpi_string_set *set, const char *name,
                             size_t length);
/* A name and the NUL after it; valid until the next one is added. */
const char *dlpi_string_set_name(const struct dlpi_string_set *set, int32_t code,
                                 size_t *length);
/* The codes in the order of their names' bytes. order has room for all of them. */
dlp_status dlpi_string_set_sort(const struct dlpi_string_set *set, int32_t *order,
                                dlp_error *error);
/* Frees what the set holds and leaves it empty. */
void dlpi_string_set_clear(struct dlpi_string_set *set);

#endif

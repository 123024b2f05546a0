/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and numbers as text: in messages, in labels, in levels. Internal. */
#ifndef DLPI_CORE_TEXT_H
#define DLPI_CORE_TEXT_H

#include "core/pool.h"

/* A text that grows; data is NUL-terminated once something was added. */
struct dlpi_text {
    struct dlpi_pool *pool;
    char *data;
    size_t size, room;
};

/* Each returns false without memory. */
bool dlpi_text_add(struct dlpi_text *text, const char *more, size_t size);
bool dlpi_text_add_string(struct dlpi_text *text, const char *more);

/* The bytes of the UTF-8 character at `at`; 0 when there is none. */
size_t dlpi_utf8_size(const char *at, const char *end);

/* Whether all of a string is UTF-8. */
bool dlpi_is_utf8(const char *text);

/* A name for a message: cut when long, '?' for bytes that no terminal should get. */
struct dlpi_shown {
    char text[80];
};
struct dlpi_shown dlpi_show(const char *name);
struct dlpi_shown dlpi_show_bytes(const char *name, size_t size);

/* Some names for a message, separated by commas; "..." replaces those that do not fit. */
struct dlpi_shown_list {
    char text[256];
    size_t used;
};
void dlpi_shown_list_add(struct dlpi_shown_list *list, struct dlpi_shown name);

enum { DLPI_NUMBER_TEXT = 32 };
/* A finite number as R's as.character writes it: at most 15 digits, the shorter of fixed
   and scientific notation. 100000 is "1e+05". The locale does not matter. */
void dlpi_number_text(double x, char out[DLPI_NUMBER_TEXT]);

#endif

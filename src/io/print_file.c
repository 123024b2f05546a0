/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/print_file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Where a stream's bytes go. */
typedef struct growing {
    char **text;
    size_t *size;
    size_t room;
} growing;

static bool reserve(growing *g, size_t more)
{
    if (more < g->room - *g->size) return true; /* followed by a zero */
    const size_t room = 2 * (*g->size + more) + 256;
    char *larger = realloc(*g->text, room);
    if (!larger) return false;
    *g->text = larger;
    g->room = room;
    return true;
}

static ssize_t take(void *cookie, const char *bytes, size_t size)
{
    growing *g = cookie;
    if (!reserve(g, size)) return 0;
    memcpy(*g->text + *g->size, bytes, size);
    *g->size += size;
    (*g->text)[*g->size] = '\0';
    return (ssize_t)size;
}

static int let_go(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *dlpi_open_text(char **text, size_t *size)
{
    growing *g = calloc(1, sizeof *g);
    *text = NULL;
    *size = 0;
    if (!g) return NULL;
    *g = (growing){.text = text, .size = size};
    const cookie_io_functions_t calls = {.write = take, .close = let_go};
    FILE *out = reserve(g, 0) ? fopencookie(g, "w", calls) : NULL;
    if (out) {
        **text = '\0';
        return out;
    }
    free(*text);
    *text = NULL;
    free(g);
    return NULL;
}

bool dlpi_close_text(FILE *out, char *const *text)
{
    const bool failed = ferror(out) != 0;
    return fclose(out) == 0 && !failed && *text;
}

dlp_status dlpi_print_file_in(dlp_file_set *set, const char *path, dlpi_print_text *print,
                              const void *what, dlp_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    bool failed = !out;
    if (out) {
        print(out, what);
        failed = !dlpi_close_text(out, &text);
    }
    const dlp_status status =
        failed ? dlp_fail(error, DLP_ENOMEM, "not enough memory to write %s", path)
        : set  ? dlp_file_set_write(set, NULL, path, text, size, error)
               : dlp_file_write(path, text, size, error);
    free(text);
    return status;
}

dlp_status dlpi_print_file(const char *path, dlpi_print_text *print, const void *what,
                           dlp_error *error)
{
    return dlpi_print_file_in(NULL, path, print, what, error);
}

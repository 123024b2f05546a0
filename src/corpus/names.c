/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/names.h"

#include "io/scan.h"

#include <stdio.h>
#include <string.h>

const struct dlpi_named dlpi_named_terms = {"the name of a term", "a vocabulary"};
const struct dlpi_named dlpi_named_documents = {"the name of a document",
                                                "a list of documents"};

/* The bytes of the line without its end. */
static size_t line_length(const struct dlpi_scan *s)
{
    const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
    const char *end = newline ? newline : s->end;
    if (end > s->at && end[-1] == '\r') end--;
    return (size_t)(end - s->at);
}

/* Checks every name, and counts names and bytes. */
static dlp_status check_names(struct dlpi_scan s, const struct dlpi_named *named,
                              dlp_index *names, size_t *bytes, dlp_error *error)
{
    char advice[64];
    *names = 0;
    *bytes = 0;
    for (; !dlpi_scan_is_over(&s); dlpi_next_line(&s)) {
        const size_t length = line_length(&s);
        struct dlpi_scan first = s;
        dlpi_skip_blanks(&first);
        if (dlpi_at_line_end(&first)) {
            snprintf(advice, sizeof advice, "%s has a name on each line", named->whole);
            return dlpi_scan_fail(&s, s.at, named->one, advice, error);
        }
        const char *zero = memchr(s.at, '\0', length);
        if (zero) {
            snprintf(advice, sizeof advice, "%s has no zero bytes", named->whole);
            return dlpi_scan_fail(&s, zero, "text", advice, error);
        }
        ++*names;
        *bytes += length + 1;
        s.at += length;
    }
    return DLP_OK;
}

/* Room for the names; *next is where their bytes begin. */
static char **alloc_names(dlp_index n, size_t bytes, char **next)
{
    const size_t pointers = (size_t)n * sizeof(char *);
    char **name = dlpi_calloc((dlp_index)(pointers + bytes), 1);
    *next = name ? (char *)name + pointers : NULL;
    return name;
}

static char **copy_lines(struct dlpi_scan s, dlp_index n, size_t bytes)
{
    char *next = NULL;
    char **name = alloc_names(n, bytes, &next);
    for (dlp_index i = 0; name && i < n; i++, dlpi_next_line(&s)) {
        const size_t length = line_length(&s);
        memcpy(next, s.at, length);
        name[i] = next;
        next += length + 1; /* the NUL is there: the block began zeroed */
        s.at += length;
    }
    return name;
}

dlp_status dlpi_names_parse(const char *file, const char *text, size_t size,
                            const struct dlpi_named *named, struct dlpi_names *names,
                            dlp_error *error)
{
    const struct dlpi_scan s = dlpi_scan_start(file, text, size);
    dlp_index n = 0;
    size_t bytes = 0;
    *names = (struct dlpi_names){0};
    DLP_TRY(check_names(s, named, &n, &bytes, error));
    names->name = copy_lines(s, n, bytes);
    if (!names->name) return dlpi_no_memory(error, named->whole);
    names->n = n;
    return DLP_OK;
}

dlp_status dlpi_names_read(const char *path, const struct dlpi_named *named,
                           struct dlpi_names *names, dlp_error *error)
{
    struct dlpi_bytes bytes;
    *names = (struct dlpi_names){0};
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const dlp_status status = dlpi_names_parse(dlpi_input_name(path), bytes.data,
                                               bytes.size, named, names, error);
    free(bytes.data);
    return status;
}

char **dlpi_names_copy(const char *const *name, dlp_index n)
{
    size_t bytes = 0;
    for (dlp_index i = 0; i < n; i++) bytes += strlen(name[i]) + 1;
    char *next = NULL;
    char **copy = alloc_names(n, bytes, &next);
    for (dlp_index i = 0; copy && i < n; i++) {
        const size_t size = strlen(name[i]) + 1;
        copy[i] = memcpy(next, name[i], size);
        next += size;
    }
    return copy;
}

bool dlpi_name_is_sound(const char *name)
{
    const size_t length = strlen(name);
    return name[strspn(name, " \t")] != '\0' && !memchr(name, '\n', length) &&
           name[length - 1] != '\r';
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts that a model comes from, and what is wrong with them. Internal. */
#ifndef DLPI_BUGS_SOURCE_H
#define DLPI_BUGS_SOURCE_H

#include "core/name_index.h"
#include "language/syntax.h"

/* A file, or a text of the caller's. */
typedef struct dlpi_source {
    const char *name; /* in messages */
    const char *text;
    size_t size;
} dlpi_source;

/* The place of the byte at `offset`. */
dlpi_position dlpi_source_place(const dlpi_source *source, size_t offset);

typedef struct dlpi_diagnostic {
    bool is_error;
    dlpi_position place; /* line 0: of no line */
    const char *file;
    const char *message;
    const char *text; /* all of it: file:line:column: error: message, the line, a caret */
    const char *format; /* what kind it is; NULL: the message tells */
    bool is_cycle;      /* a node depends on itself */
    const dlpi_syntax
        *undefined; /* where a node is used that nothing defines; NULL: not that */
} dlpi_diagnostic;

enum { DLPI_MAX_ERRORS = 20, DLPI_MAX_WARNINGS = 50 };

/* What was found. Zeros: nothing yet. */
typedef struct dlpi_diagnostics {
    struct dlpi_pool pool;
    int n, n_errors, n_warnings; /* n: those kept; the others: those found */
    dlpi_diagnostic item[DLPI_MAX_ERRORS + DLPI_MAX_WARNINGS];
} dlpi_diagnostics;

/* Adds one, and returns it for the caller to say more of what it is; NULL where it is not kept.
   A second one of the same format at a place is not: it is the same for another instance.
   source NULL: of no file. */
dlpi_diagnostic *dlpi_report(dlpi_diagnostics *found, bool is_error,
                             const dlpi_source *source, dlpi_position place,
                             const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void dlpi_diagnostics_clear(dlpi_diagnostics *found);
/* Adds an error whose text is made already, as by dlpi_graph_complain. */
void dlpi_report_made(dlpi_diagnostics *found, const char *text);
/* DLP_EINPUT with the first error as message; DLP_OK where there is none. */
dlp_status dlpi_diagnostics_status(const dlpi_diagnostics *found, dlp_error *error);

/* "file:line:column: error: message", the line, and a caret. */
void dlpi_source_show(const dlpi_source *source, dlpi_position place,
                      const char *severity, const char *message, char *out, size_t size);

/* Names, each once: equal names are one pointer. They live in the pool. */
typedef struct dlpi_names {
    struct dlpi_pool *pool;
    struct dlpi_name_index index;
    const char **text; /* (index.n) */
    dlp_index room;
} dlpi_names;

/* NULL without memory. */
const char *dlpi_name(dlpi_names *names, const char *text, size_t size);
/* The number of a name that dlpi_name gave: 0, 1, ... */
int32_t dlpi_name_number(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts that a model is read from, and the errors found in them. Internal. */
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
    dlpi_position place; /* line 0: not on any line */
    const char *file;
    const char *message;
    const char *text; /* all of it: file:line:column: error: message, the line, a caret */
    const char *format; /* its kind; NULL: see the message */
    bool is_cycle;      /* a node depends on itself */
    const dlpi_syntax
        *undefined; /* if nothing defines a node: where it is used; else NULL */
} dlpi_diagnostic;

enum { DLPI_MAX_ERRORS = 20, DLPI_MAX_WARNINGS = 50 };

/* The diagnostics found so far. All zeros: none. */
typedef struct dlpi_diagnostics {
    struct dlpi_pool pool;
    int n, n_errors, n_warnings; /* n: those kept; the others: all found */
    dlpi_diagnostic item[DLPI_MAX_ERRORS + DLPI_MAX_WARNINGS];
} dlpi_diagnostics;

/* Adds a diagnostic and returns it, so that the caller can add details; NULL: it is not
   kept. A second one with the same format at the same place is not kept: it is the same
   error in another instance. source NULL: it belongs to no file. */
dlpi_diagnostic *dlpi_report(dlpi_diagnostics *found, bool is_error,
                             const dlpi_source *source, dlpi_position place,
                             const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void dlpi_diagnostics_clear(dlpi_diagnostics *found);
/* Adds an error whose text exists already, as from dlpi_graph_complain. */
void dlpi_report_made(dlpi_diagnostics *found, const char *text);
/* DLP_EINPUT with the first error as its message; DLP_OK if there is none. */
dlp_status dlpi_diagnostics_status(const dlpi_diagnostics *found, dlp_error *error);

/* "file:line:column: error: message", the line, and a caret. */
void dlpi_source_show(const dlpi_source *source, dlpi_position place,
                      const char *severity, const char *message, char *out, size_t size);

/* Interned names: equal names are the same pointer. They live in the pool. */
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

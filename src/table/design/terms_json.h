/* SPDX-License-Identifier: BSD-3-Clause */
/* How the columns of a design are made, as JSON for the files of fits. Internal. */
#ifndef DLPI_TABLE_TERMS_JSON_H
#define DLPI_TABLE_TERMS_JSON_H

#include <delaplace/design.h>
#include <jansson.h>

/* {formula, response, group, factors, scalings, columns}; p columns. NULL without
   memory. */
json_t *dlpi_terms_json(const dlp_terms *terms, dlp_index p, const char *const *column);

/* What was read back: own copies, which the caller frees. */
typedef struct dlpi_read_columns {
    dlp_terms *terms;
    dlp_index p;
    char **column; /* (p) each to be freed */
} dlpi_read_columns;

/* Messages call the file `name`. The value may be damaged or written by hand, so all of
   it is checked before use. On failure *columns is zeroed. */
dlp_status dlpi_terms_parse(const char *name, const json_t *object,
                            dlpi_read_columns *columns, dlp_error *error);
/* Frees what it holds and zeroes it. */
void dlpi_read_columns_clear(dlpi_read_columns *columns);

#endif

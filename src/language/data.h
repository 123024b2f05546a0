/* SPDX-License-Identifier: BSD-3-Clause */
/* Named arrays of numbers: the data of a model, and its initial values. Internal. */
#ifndef DLPI_BUGS_DATA_H
#define DLPI_BUGS_DATA_H

#include "core/progress.h"
#include "language/graph.h"
#include "language/source.h"

typedef struct dlpi_data_array {
    const char *name; /* interned */
    int n_dim;        /* 0: a scalar */
    dlp_index dim[DLPI_MAX_DIM];
    dlp_index n;
    const double *value; /* (n) the first index running fastest; NaN: missing */
    /* Where it comes from; NULL: from the caller's memory. */
    const dlpi_source *source;
    dlpi_position place;    /* of its name */
    const uint32_t *offset; /* (n) of each value, in the source; NULL: unknown */
    int32_t first_line;     /* of a column of CSV: the line of its first value; else 0 */
} dlpi_data_array;

typedef struct dlpi_data {
    struct dlpi_pool *pool; /* of values and texts */
    dlpi_names *names;
    dlpi_diagnostics *found;
    int n, room;
    dlpi_data_array *datum;
    bool for_inits;                 /* skip strings (.RNG.name) */
    struct dlpi_progress *progress; /* asked whether to stop; NULL: nobody */
    /* The reader's position: callers ask for places in the order of the file. */
    struct {
        const dlpi_source *source;
        size_t offset, line_start;
        int32_t line;
    } cursor;
    int32_t *by_name; /* (n_by_name) by a name's number: the datum plus 1; 0: none */
    int32_t n_by_name;
} dlpi_data;

/* Adds the contents of a file: JSON or CSV (by the ending of its name), or R's dump.
   Reports what is wrong with it; fails only if it cannot be read. */
dlp_status dlpi_data_read(dlpi_data *data, const char *path, dlp_error *error);
/* The same for a text, which is copied; its name determines the format here, too. */
dlp_status dlpi_data_parse(dlpi_data *data, const char *name, const char *text,
                           size_t size, dlp_error *error);
/* Adds an array of the caller's, which is copied. */
dlp_status dlpi_data_add_array(dlpi_data *data, const char *name, int n_dim,
                               const dlp_index *dim, const double *value,
                               dlp_error *error);
/* NULL: none. */
const dlpi_data_array *dlpi_data_find(const dlpi_data *data, const char *name);
/* The place of a value, "data.R:3:14"; "the data" if its place is unknown. */
void dlpi_datum_where(const dlpi_data_array *datum, dlp_index i, char *out, size_t size);

/* ---- for the readers of formats ---- */

/* dlpi_source_place, faster when asked in the order of the file. */
dlpi_position dlpi_data_place(dlpi_data *data, const dlpi_source *source, size_t offset);

/* To read a number takes as long as so many multiplications: for dlpi_progress_stops. */
enum { DLPI_NUMBER_READ = 64 };

/* A growing list of numbers with their places. */
typedef struct dlpi_numbers_read {
    dlp_index n, room;
    double *value;
    uint32_t *offset;
} dlpi_numbers_read;

bool dlpi_numbers_add(dlpi_numbers_read *numbers, double value, size_t offset);
/* Adds a datum made of the numbers read, which are copied. Reports a name that occurs
   twice. row_major: the last index runs fastest in `numbers`. */
dlp_status dlpi_data_add(dlpi_data *data, const dlpi_source *source, const char *name,
                         size_t name_size, dlpi_position place, int n_dim,
                         const dlp_index *dim, const dlpi_numbers_read *numbers,
                         bool row_major, dlp_error *error);

dlp_status dlpi_data_read_dump(dlpi_data *data, const dlpi_source *source,
                               dlp_error *error);
dlp_status dlpi_data_read_json(dlpi_data *data, const dlpi_source *source,
                               dlp_error *error);
dlp_status dlpi_data_read_csv(dlpi_data *data, const dlpi_source *source,
                              dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of data: named columns of numbers or categories, one value per row. */
#ifndef DELAPLACE_TABLE_H
#define DELAPLACE_TABLE_H

#include <delaplace/export.h>
#include <delaplace/progress.h>
#include <delaplace/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_column_kind {
    DLP_NUMERIC,    /* numbers; NaN where missing */
    DLP_CATEGORICAL /* codes into levels; -1 where missing */
} dlp_column_kind;

/* Each pointer is an allocation of its own, released by free(); NULL where not used. */
typedef struct dlp_column {
    char *name; /* unique in its table */
    dlp_column_kind kind;
    double *number;     /* (rows) DLP_NUMERIC, else NULL; may be infinite */
    int32_t *code;      /* (rows) DLP_CATEGORICAL, else NULL */
    dlp_index n_levels; /* DLP_CATEGORICAL */
    char **level;       /* (n_levels) distinct, in the order of their bytes, or as
                           dlp_table_from_columns was given them; one allocation */
    dlp_index missing;  /* how many values are missing */
    int borrowed;       /* 1: `number` belongs to the caller of dlp_table_from_columns, so
                           it is not changed or freed */
} dlp_column;

typedef struct dlp_table {
    dlp_index rows, columns; /* at least 1 */
    dlp_column *column;      /* (columns) */
    char *source; /* the file it was read from, for messages; NULL: not known. An
                     allocation of its own */
    struct dlpi_spill *spill;       /* its values on disk; NULL: they are in memory */
    struct dlpi_division *division; /* which rows this process has; NULL: all */
} dlp_table;

/* How to read. */
typedef struct dlp_table_options {
    size_t size;         /* set by dlp_table_options_default */
    const char *format;  /* "auto" (by content), "csv", "tsv", "arff", "svmlight" */
    char separator;      /* csv: 0 finds it among comma, semicolon and tab */
    const char *missing; /* a further text that means a missing value, besides an empty
                            field and the usual NA, NaN, null; a number matches however it
                            is written; NULL: none */
    int header; /* csv: 1: the first line names the columns; 0: they are called V1, V2,
                   ... */
    dlp_index features; /* svmlight: make columns up to at least this index, as a fit to
                           be applied needs; 0: as the file has */
    dlp_progress_call *progress; /* phase "reading", bytes, every few megabytes; default
                                    NULL */
    void *context;
    const char *encoding; /* "utf-8" or "latin1", which is read as Windows-1252; default
                             NULL: utf-8 */
    const char *scratch;  /* csv: a folder for values that do not fit in memory; they are
                             kept there in unnamed files, which vanish when the process
                             ends; "": $TMPDIR, or /var/tmp; default NULL: always in
                             memory */
    struct dlp_processes *processes; /* that make this call together, all with the same
                                        file and options, and get the same table: each
                                        reads a part of a plain csv of 16 MB or more. If
                                        the call fails with DLP_ENOMEM, DLP_EIO or
                                        DLP_ECANCELLED, others may wait for this process:
                                        call dlp_processes_abort. Default NULL: this
                                        process alone */
    int divide; /* 1: where each of the processes reads a part, it keeps only its share of
                   the rows. Such a table is for dlp_regression_fit and
                   dlp_regression_fit_formula with the same processes, and is no use for
                   anything else. Default 0 */
} dlp_table_options;

/* "auto", a header, the rest zeros. */
DLP_API void dlp_table_options_init(dlp_table_options *options, size_t size);
static inline dlp_table_options dlp_table_options_default(void)
{
    dlp_table_options options;
    dlp_table_options_init(&options, sizeof options);
    return options;
}

/*
 * Reads path (plain, gzip, zstd or xz; "-" is standard input). A column is numeric if
 * each of its values is a number or missing, else categorical; one with only missing
 * values is numeric. options may be NULL. Released by dlp_table_free. On failure *table
 * is NULL and the error names the file, the line, what was expected and what to do. A
 * table without rows is an error.
 *
 * Text is any bytes except zero bytes. Lines end with LF or CR LF; the last line needs no
 * line end; messages count lines as an editor does. A UTF-8 byte order mark and blank
 * lines are skipped.
 *
 * Numbers are read as by strtod in the C locale, to the nearest double, but not
 * hexadecimal ones. "inf" and "infinity" in any case are numbers, as R, Python and C
 * write them; so is a number beyond the largest double, which is read as infinite. Blanks
 * around a number are ignored. These are missing values: nothing or blanks, NA, NaN, nan,
 * -nan, NAN, N/A, n/a, #N/A, null, NULL. None, none, na, "." and "?" and "-" and "--" are
 * missing in a column whose other values are all numbers. Everything else is text,
 * including TRUE and FALSE.
 *
 * csv (RFC 4180): a field may be in quotes, which protect separators, line ends and
 * blanks in it; a quote in it is written twice; a quoted number or NA is still a number
 * or missing. Unquoted fields lose the blanks around them. Lines before the header, or
 * the first row, that start with # are comments; later ones are not. The separator is the
 * one that occurs most often in the first line; if none occurs, there is a single column.
 * Every row must have as many fields as the first line. A column with an empty name, like
 * the row names that R writes, is named by its position: V1, V2, ... tsv is csv separated
 * by tabs.
 *
 * arff: rows may be sparse. Names and values may be in quotes, ' or ". A nominal
 * attribute has all levels that it declares, unless all of them are numbers: then it is
 * numeric, like Mulan's labels {0, 1}. String and date attributes are categorical;
 * relational ones are refused. Only ? and options.missing are missing values of
 * attributes that are not numeric. What a sparse row leaves out is 0, the first level
 * declared, or a missing string. Values are separated by commas or tabs.
 *
 * svmlight: "label [qid:n] index:value ... [# comment]", the indices ascending in a row.
 * The columns are label, qid if a row has one, and x1, x2, ..., named by their index; x0
 * comes first if a row has that index. What a row leaves out is 0.
 *
 * Memory is that of the text and of the table, and little more. A table of sparse rows
 * may be larger than its text, so its size is limited: to 1000 values per byte of text up
 * to 2^31, but at least 2^20 values and one per byte. A table has at most 10,000,000
 * columns.
 */
DLP_API dlp_status dlp_table_read(const char *path, const dlp_table_options *options,
                                  dlp_table **table, dlp_error *error);
/* The same from bytes in memory, which messages call `name`. */
DLP_API dlp_status dlp_table_parse(const char *name, const char *text, size_t size,
                                   const dlp_table_options *options, dlp_table **table,
                                   dlp_error *error);
/* A column in memory: number, or code and level, or text; the others are NULL. */
typedef struct dlp_column_data {
    const char *name;         /* not empty, and unique */
    const double *number;     /* (rows) NaN where missing */
    const int32_t *code;      /* (rows) index in level, -1 where missing */
    dlp_index n_levels;       /* with code; else 0 */
    const char *const *level; /* (n_levels) distinct; their order is kept, and the first
                                 is the reference unless the settings name another */
    const char *const *text;  /* (rows) categories, NULL where missing; the levels are in
                                 byte order. "NA" and "1" are ordinary texts */
} dlp_column_data;

/*
 * A table of columns in memory. Numbers are borrowed: they are not copied, and must stay
 * unchanged until the table, and designs of it, are freed. Everything else is copied.
 * Names, codes and levels are checked; on failure *table is NULL and the error names the
 * column, and the row (counted from 1). O(rows columns) time, and memory for the columns
 * that are not numbers. Released by dlp_table_free.
 */
DLP_API dlp_status dlp_table_from_columns(dlp_index rows, dlp_index columns,
                                          const dlp_column_data *column,
                                          dlp_table **table, dlp_error *error);

/* The rows i with keep[i] not 0, in their order, with all columns and all levels, as a
   new table; everything is copied. keep is (rows). Keeping none is an error. O(rows
   columns). */
DLP_API dlp_status dlp_table_select(const dlp_table *table, const unsigned char *keep,
                                    dlp_table **selected, dlp_error *error);

DLP_API void dlp_table_free(dlp_table *table); /* NULL is fine */

/* The column of that name, or -1. */
DLP_API dlp_index dlp_table_find(const dlp_table *table, const char *name);

#ifdef __cplusplus
}
#endif

#endif

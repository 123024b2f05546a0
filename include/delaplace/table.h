/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of data: named columns of numbers or categories, one value a row. */
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
                           dlp_table_from_columns was given them; one block */
    dlp_index missing;  /* how many values are */
    int borrowed;       /* 1: number is the caller's of dlp_table_from_columns, so it is
                           not changed or freed */
} dlp_column;

typedef struct dlp_table {
    dlp_index rows, columns; /* at least 1 */
    dlp_column *column;      /* (columns) */
    char *source; /* the file it was read from, for messages; NULL: not known. A block of
                     its own */
    struct dlpi_spill *spill; /* where its values are on disk; NULL: in memory */
} dlp_table;

/* How to read. */
typedef struct dlp_table_options {
    size_t size;         /* set by dlp_table_options_default */
    const char *format;  /* "auto" (by content), "csv", "tsv", "arff", "svmlight" */
    char separator;      /* csv: 0 finds it among comma, semicolon and tab */
    const char *missing; /* what means a missing value, besides an empty field and
                            the usual NA, NaN, null; a number stands for itself however
                            it is written; NULL: nothing more */
    int header; /* csv: 1 the first line names the columns; 0 they are V1, V2, ... */
    dlp_index features; /* svmlight: make columns up to this index at least, as the fit
                           had that is to be applied; 0: as the file has */
    dlp_progress_call
        *progress; /* phase "reading", bytes, every few megabytes; default NULL */
    void *context;
    const char
        *encoding; /* "utf-8" or "latin1", which is read as Windows-1252; default NULL:
                             utf-8 */
    const char *
        scratch; /* csv: the folder for values that memory has no room for, which are in files
                            without names there, gone when the process ends; "": $TMPDIR, or
                            /var/tmp; default NULL: they are in memory in any case */
    struct dlp_processes *
        processes; /* who call this together, all with the same file and options, to have the same
                       table: of a plain csv of 16 MB or more each reads its part of the
                       bytes. Where the call fails with DLP_ENOMEM, DLP_EIO or DLP_ECANCELLED others may
                       wait for this process: dlp_processes_abort. Default NULL: this one alone */
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
 * Reads path (plain, gzip, zstd or xz; "-" is standard input). A column is numeric when
 * each of its values is a number or missing, else categorical; one of missing values
 * alone is numeric. options may be NULL. On failure *table is NULL and the error names
 * the file, the line, what was expected and what to do. A table without rows is an error.
 *
 * Text is any bytes but zero bytes. Lines end with LF or CR LF, the last one with nothing
 * too; messages count them as an editor does. A UTF-8 byte order mark and blank lines are
 * skipped.
 *
 * Numbers are read as by strtod in the C locale, to the nearest double, but not
 * hexadecimal ones. "inf" and "infinity" in any case are numbers, as R, Python and C
 * write them; so is a number beyond the largest double, which is infinite. Blanks around
 * a number do not count. These are missing values: nothing or blanks, NA, NaN, nan, -nan,
 * NAN, N/A, n/a, #N/A, null, NULL. None, none, na, "." and "?" and "-" and "--" are
 * missing in a column of which all other values are numbers. Everything else is text,
 * TRUE and FALSE too.
 *
 * csv (RFC 4180): a field may be in quotes, which protect separators, line ends and
 * blanks in it, and double a quote in it; quotes do not make text of a number or of NA.
 * Bare fields lose the blanks around them. Lines before the header, or the first row,
 * that start with # are comments; later ones are not. The separator is the one of which
 * the first line has most; a line without any is one of a single column. Every row has as
 * many fields as the first line. A column with an empty name, like the row names that R
 * writes, is called by its place: V1, V2, ... tsv is csv separated by tabs.
 *
 * arff: rows may be sparse. Names and values may be in quotes, ' or ". A nominal
 * attribute has all levels that it declares, unless all of them are numbers: it is then
 * numeric, as the labels {0, 1} of Mulan are. String and date attributes are categorical;
 * relational ones are refused. Only ? and options.missing are missing values of
 * attributes that are not numeric. What a sparse row leaves out is 0, the first level
 * declared, or a missing string. Values are separated by commas or tabs.
 *
 * svmlight: "label [qid:n] index:value ... [# comment]", the indices ascending in a row.
 * The columns are label, qid if a row has one, and x1, x2, ..., named by their index; x0
 * comes first if a row has that index. What a row leaves out is 0.
 *
 * Memory is that of the text and of the table, and little more. A table of sparse rows
 * may be larger than its text, so its shape is believed only within reason: as many
 * values as the text has bytes, or 1000 times as many (or 2^20) up to 2^31. A table has
 * 10,000,000 columns at most.
 */
DLP_API dlp_status dlp_table_read(const char *path, const dlp_table_options *options,
                                  dlp_table **table, dlp_error *error);
/* The same over bytes in memory; name is that of the file in messages. */
DLP_API dlp_status dlp_table_parse(const char *name, const char *text, size_t size,
                                   const dlp_table_options *options, dlp_table **table,
                                   dlp_error *error);
/* A column in memory: number, or code and level, or text; the others are NULL. */
typedef struct dlp_column_data {
    const char *name;         /* not empty, and different from the others' */
    const double *number;     /* (rows) NaN where missing */
    const int32_t *code;      /* (rows) index in level, -1 where missing */
    dlp_index n_levels;       /* of code, else 0 */
    const char *const *level; /* (n_levels) distinct; their order is kept, and the first
                                 is the reference unless another is asked for */
    const char *const *text;  /* (rows) categories, NULL where missing; the levels are in
                                 the order of their bytes. "NA" and "1" are texts, too */
} dlp_column_data;

/*
 * A table of columns in memory. Numbers are borrowed: they are not copied, and must stay
 * as they are until the table, and designs of it, are freed. Everything else is copied.
 * Checked: names, codes, levels; on failure *table is NULL and the error names the
 * column, and the row (counted from 1). O(rows columns); memory that of the columns which
 * are not numbers. Released by dlp_table_free.
 */
DLP_API dlp_status dlp_table_from_columns(dlp_index rows, dlp_index columns,
                                          const dlp_column_data *column,
                                          dlp_table **table, dlp_error *error);

/* The rows i with keep[i] not 0, in their order, with all columns and all levels, as a new
   table; all is copied. keep is (rows). It is an error to keep none. O(rows columns). */
DLP_API dlp_status dlp_table_select(const dlp_table *table, const unsigned char *keep,
                                    dlp_table **selected, dlp_error *error);

DLP_API void dlp_table_free(dlp_table *table); /* NULL is fine */

/* The column of that name, or -1. */
DLP_API dlp_index dlp_table_find(const dlp_table *table, const char *name);

#ifdef __cplusplus
}
#endif

#endif

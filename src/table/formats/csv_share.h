/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes read one file of separated values: each parses the rows that begin in
 * its part of the bytes, and then all have the whole table. Internal.
 */
#ifndef DLPI_TABLE_CSV_SHARE_H
#define DLPI_TABLE_CSV_SHARE_H

#include "table/formats/csv.h"

/* Limits the scan, which is at the first row, to the rows of this process. If the line
   end at which its part begins is inside quotes, the row before it is cut short, and the
   process that has that row fails. */
void dlpi_csv_take_part(struct dlpi_csv *c);

/* Sets *well to whether it is true in all processes. */
dlp_status dlpi_csv_all_well(struct dlpi_csv *c, bool *well, dlp_error *error);

/* *all: the sum of `own` over all processes. */
dlp_status dlpi_csv_count_all(const struct dlpi_csv *c, dlp_index own, dlp_index *all,
                              dlp_error *error);

/* For each column, whether the rows of all processes make it one of text, and how many
   values are then missing. In: how many rows this process has. */
struct dlpi_csv_kind {
    bool is_text;
    dlp_index missing;
};
dlp_status dlpi_csv_share_kinds(const struct dlpi_csv *c, dlp_index rows,
                                struct dlpi_csv_kind *kind, dlp_error *error);

/* Gives each process the rows of all, in order, with common levels. *well false: some
   process has no memory, and the table cannot be used. */
dlp_status dlpi_csv_share_rows(struct dlpi_csv *c, dlp_index *rows, bool *well,
                               dlp_error *error);

/* Common levels, for the rows of this process. */
dlp_status dlpi_csv_share_levels(struct dlpi_csv *c, dlp_index rows, dlp_error *error);
/* Gives each process its share of the rows in chunks (comm/division.h), at their numbers
   in columns that have room for all. In: how many rows this process has read; out: how
   many there are. *well false: some process has no memory. */
dlp_status dlpi_csv_divide_rows(struct dlpi_csv *c, dlp_index *rows, bool *well,
                                dlp_error *error);

#endif

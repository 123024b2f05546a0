/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes read one file of separated values: each parses the rows that begin in its
 * part of the bytes, and then all have the whole table. Internal.
 */
#ifndef DLPI_TABLE_CSV_SHARE_H
#define DLPI_TABLE_CSV_SHARE_H

#include "table/formats/csv.h"

/* The scan, which stands at the first row, goes through this process's rows alone from here on. A
   line end may be inside of quotes: then the rows before it have no end, and their process fails. */
void dlpi_csv_take_part(struct dlpi_csv *c);

/* Whether all processes fare well; in: whether this one does. */
dlp_status dlpi_csv_all_well(struct dlpi_csv *c, bool *well, dlp_error *error);

/* So many of each process's rows that the columns of all can hold. */
dlp_status dlpi_csv_count_all(const struct dlpi_csv *c, dlp_index own, dlp_index *all,
                              dlp_error *error);

/* Of each column, whether it is one of text by the rows of all, and how many values are missing
   then. In: how many rows this process has. */
struct dlpi_csv_kind {
    bool is_text;
    dlp_index missing;
};
dlp_status dlpi_csv_share_kinds(const struct dlpi_csv *c, dlp_index rows,
                                struct dlpi_csv_kind *kind, dlp_error *error);

/* The rows of all processes, in their order, with levels in common. *well false: one of them has no
   memory, and the table is of no use. */
dlp_status dlpi_csv_share_rows(struct dlpi_csv *c, dlp_index *rows, bool *well,
                               dlp_error *error);

#endif

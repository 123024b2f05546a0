/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows in chunks, which may be divided among processes. The chunks depend only on the
 * number of rows; each is summed from zero, those of a part are added in their order, and
 * the parts in a tree (comm/tree.h). So a sum has the same bits whether one process has
 * all rows or each has its own. Internal.
 *
 * Rows keep their numbers: where they are divided, a process has rows from..to-1 of each
 * array, and must not look at the others. Where a process fails alone, others wait for it
 * at the next sum: failures that depend on rows are agreed on (dlpi_division_agree).
 */
#ifndef DLPI_COMM_DIVISION_H
#define DLPI_COMM_DIVISION_H

#include "comm/comm.h"

#include <stdbool.h>

enum { DLPI_ROW_TILE = 256, DLPI_ROW_CHUNK = 64 * DLPI_ROW_TILE };

typedef struct dlpi_division {
    dlpi_comm *comm; /* who have the rows; all of them, if they are not divided */
    dlpi_comm alone; /* the comm, unless they are */
    bool divided;
    bool wanted; /* somebody found that every process needs all rows after all */
    dlp_index rows;
    dlp_index chunks;   /* more than 1 */
    dlp_index *begin;   /* (chunks + 1) the first row of each */
    dlp_index from, to; /* the rows that this process has */
    dlp_status status;  /* of the first sum that failed; sums are then no numbers */
    dlp_error error;
} dlpi_division;

/* How many chunks so many rows have, and where chunk c begins: a multiple of tiles; the
   end for c = chunks. */
dlp_index dlpi_row_chunks(dlp_index rows);
dlp_index dlpi_row_chunk_begins(dlp_index rows, dlp_index chunks, dlp_index c);

/* All rows in one process, or, given a comm, divided. NULL without memory. */
dlpi_division *dlpi_division_new(dlp_index rows, dlpi_comm *comm);
/* n items, with rows[i] rows each, instead of rows: a chunk has as few as make DLPI_ROW_CHUNK
   rows. `rows`, `from` and the like then count items. */
dlpi_division *dlpi_division_of_items(dlp_index n, const dlp_index *rows,
                                      dlpi_comm *comm);
/* Whether no process is without a chunk. */
bool dlpi_division_serves_all(const dlpi_division *division);
/* What is left of it without the rows i of which dropped[i] is not 0. Fails only where
   processes cannot talk, or without memory. */
dlp_status dlpi_division_keep(const dlpi_division *of, const unsigned char *dropped,
                              dlpi_division **kept, dlp_error *error);
void dlpi_division_free(dlpi_division *division); /* NULL is fine */

/* The first of the rows that process `rank` has. */
dlp_index dlpi_division_first(const dlpi_division *division, int rank);

/* Divides M groups, one after another, so that all processes have about as many rows:
   begin (size + 1) is where the groups of each begin. rows (M) of each group. */
void dlpi_divide_groups(dlp_index M, const dlp_index *rows, int size, dlp_index *begin);

/* ---- what all processes ask together; NULL is one chunk of `rows` rows ---- */

/* Adds rows from..to-1 to sum (n). */
typedef void dlpi_rows_add(const void *context, dlp_index from, dlp_index to,
                           double *sum);
void dlpi_division_sum(dlpi_division *division, dlp_index rows, dlp_index n,
                       dlpi_rows_add *add, const void *context, double *sum);
double dlpi_division_most(dlpi_division *division, double mine);
dlp_index dlpi_division_count(dlpi_division *division, dlp_index mine);
bool dlpi_division_any(dlpi_division *division, bool mine);
/* The worst status, in all processes, with its message. */
dlp_status dlpi_division_agree(dlpi_division *division, dlp_status mine,
                               dlp_error *error);
/* Whether all sums so far went well. */
dlp_status dlpi_division_check(const dlpi_division *division, dlp_error *error);

/* To be returned where that is found, in all processes: the caller gathers the rows and
   begins anew. */
dlp_status dlpi_division_give_up(dlpi_division *division, dlp_error *error);

/* The rows that this process has, of so many. */
static inline dlp_index dlpi_rows_from(const dlpi_division *division)
{
    return division ? division->from : 0;
}

static inline dlp_index dlpi_rows_to(const dlpi_division *division, dlp_index rows)
{
    return division ? division->to : rows;
}

static inline bool dlpi_is_divided(const dlpi_division *division)
{
    return division && division->divided;
}

/* Whether x (N) is the same in all rows, of which each process has its share; *value is
   then that number. */
bool dlpi_division_constant(dlpi_division *division, dlp_index N, const double *x,
                            double *value);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows sorted by group, so that those of a group are contiguous. Internal. */
#ifndef DLPI_REGRESSION_GROUPED_ROWS_H
#define DLPI_REGRESSION_GROUPED_ROWS_H

#include "comm/division.h"

#include <delaplace/glm.h>
#include <stdint.h>

/* Empty when zeroed. */
typedef struct dlpi_grouped_rows {
    dlp_index n;              /* one for each group, and one for groups not seen before */
    dlp_index *begin, *count; /* (n) the first row and how many */
    dlp_index *order;         /* (N) which row of the data is at place i; NULL: row i */
    dlp_glm_data data;        /* all rows in that order */
    const double **x;         /* (n, p) the columns from each group's first row on */
    double *moved;            /* data in another order than the caller's */
    dlp_index from,
        to; /* the groups whose rows this process has; of others, only count */
} dlpi_grouped_rows;

/* Sorts by group (N), each 0..M-1 or -1 for one not seen before; NULL: no groups, which
   makes one of all rows. Rows that are sorted already are not copied. O(N p). Where rows
   are divided among processes, and all have a group, each gets all rows of its groups. */
dlp_status dlpi_grouped_rows_make(const dlp_glm_data *data, const int32_t *group,
                                  dlp_index M, dlpi_grouped_rows *rows, dlp_error *error);
/* The same where rows are divided among processes, each getting the groups that it has of
   `by`, a division of all groups. */
dlp_status dlpi_grouped_rows_move(const dlp_glm_data *data, const int32_t *group,
                                  dlpi_division *by, dlpi_grouped_rows *rows,
                                  dlp_error *error);
/* For these two. by NULL: all get about as many rows. */
dlp_status dlpi_grouped_rows_exchange(const int32_t *group, dlpi_division *by,
                                      dlpi_grouped_rows *rows, dlp_error *error);
/* How many rows each of M groups has (M) in all processes together. */
dlp_status dlpi_count_groups(const dlp_glm_data *data, const int32_t *group, dlp_index M,
                             dlp_index *rows, dlp_error *error);
void dlpi_grouped_rows_clear(dlpi_grouped_rows *rows);

/* The rows of group m; only how many, if another process has them. */
dlp_glm_data dlpi_rows_of_group(const dlpi_grouped_rows *rows, dlp_index m);
/* n rows of group m, from its row `first` on; x (p) is room for the columns. */
dlp_glm_data dlpi_part_of_group(const dlpi_grouped_rows *rows, dlp_index m,
                                dlp_index first, dlp_index n, const double **x);

#endif

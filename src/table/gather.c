/* SPDX-License-Identifier: BSD-3-Clause */
/* A table whose rows were divided among processes becomes whole in each of them. */
#include "comm/division.h"
#include "core/spill.h"
#include "table/table.h"

/* The values of rows from..to-1, which process `rank` has, go to all. */
static dlp_status share(const dlp_table *table, const dlp_column *column, int rank,
                        dlp_index from, dlp_index to, dlp_error *error)
{
    enum { PIECE = 1 << 21 }; /* rows at once; then pages may go back to a disk */
    dlpi_comm *comm = table->division->comm;
    const size_t size = column->code ? sizeof *column->code : sizeof *column->number;
    char *values = column->code ? (char *)column->code : (char *)column->number;
    for (dlp_index at = from; at < to; at += PIECE) {
        const dlp_index n = to - at < PIECE ? to - at : PIECE;
        DLP_TRY(comm->ops->share(comm, rank, n * (dlp_index)size,
                                 values + (size_t)at * size, error));
        dlpi_spill_tend(table->spill);
    }
    return DLP_OK;
}

dlp_status dlpi_table_gather(const dlp_table *table, dlp_error *error)
{
    dlpi_division *d = table->division;
    if (!dlpi_is_divided(d)) return DLP_OK;
    for (dlp_index j = 0; j < table->columns; j++)
        for (int rank = 0; rank < d->comm->size; rank++)
            DLP_TRY(share(table, &table->column[j], rank, dlpi_division_first(d, rank),
                          dlpi_division_first(d, rank + 1), error));
    d->divided = false;
    d->alone = dlpi_comm_serial();
    d->comm = &d->alone;
    d->from = 0;
    d->to = table->rows;
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that a formula names: found, or the nearest suggested. Internal. */
#ifndef DLPI_TABLE_COLUMN_NAMES_H
#define DLPI_TABLE_COLUMN_NAMES_H

#include "table/formula/formula.h"

#include <delaplace/table.h>

/* A table's columns by name, and which of them a formula uses. */
struct dlpi_columns {
    const dlp_table *table;
    struct dlpi_name_index names;
    bool *used; /* (columns) */
};

/* The index of the column that a DLPI_NODE_NAME names. The message for an unknown column
   points at it and suggests the nearest. */
dlp_status dlpi_columns_find(const struct dlpi_columns *columns,
                             const dlp_formula *formula, const struct dlpi_node *name,
                             dlp_index *column, dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Discrete cells that share factors, as tables of expressions: the code that summing them
 * out and drawing them have in common. Internal.
 */
#ifndef DLPI_BUGS_DISCRETE_H
#define DLPI_BUGS_DISCRETE_H

#include "bugs/plan/factors.h"

enum { DLPI_MOST_ENTRIES = 65536, DLPI_MOST_TABLE_CELLS = 16 };

typedef struct dlpi_table {
    int n;                           /* cells */
    int cell[DLPI_MOST_TABLE_CELLS]; /* which of the component's cells */
    dlp_index size;
    dlpi_expr *log_p; /* (size) the first cell's state runs fastest */
} dlpi_table;

typedef struct dlpi_component {
    dlpi_factors *f;
    int n_cells, cells_room;
    int32_t *cell;
    double *low;  /* (n_cells) the first state, */
    int *states;  /*     and how many */
    double *held; /* NaN, or the state at which it is held */
    bool *gone;   /* eliminated */
    int n_tables, tables_room;
    dlpi_table *tables;
} dlpi_component;

/* The cells and tables of the live component that contains the cell. */
dlp_status dlpi_component_make(dlpi_factors *factors, dlp_index cell,
                               dlpi_component *component, dlp_error *error);
void dlpi_component_clear(dlpi_component *component); /* fine on a zeroed or failed one */

/* The cell to eliminate next, followed by all other cells of the tables that contain it:
   cells (2 DLPI_MOST_TABLE_CELLS), n of them. */
void dlpi_component_next(const dlpi_component *component, int *cells, int *n);
/* Adds a table over these cells; DLP_EINPUT: it would be too large. */
dlp_status dlpi_component_table(dlpi_component *c, int n, const int *cells,
                                dlpi_table **out, dlp_error *error);

/* The entry of a table that corresponds to an entry of the joint table of `cells` (n). */
dlp_index dlpi_table_entry(const dlpi_component *component, const dlpi_table *table,
                           int n, const int *cells, dlp_index entry);
bool dlpi_table_has(const dlpi_table *table, int cell);

#endif

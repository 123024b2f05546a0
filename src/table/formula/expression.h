/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic over the columns of a table: log(x), I(x/100), y - 1. Internal. */
#ifndef DLPI_TABLE_EXPRESSION_H
#define DLPI_TABLE_EXPRESSION_H

#include "table/design/column_names.h"

struct dlpi_instruction;

/* A tree as a list of instructions for a machine with a stack. */
struct dlpi_expression {
    const struct dlpi_node *node;
    const dlp_table *table;
    dlp_index n;
    struct dlpi_instruction *instruction; /* (n) */
    double *stack;                        /* blocks of values */
    struct dlpi_pool *pool;               /* of all memory, of labels in messages too */
};

/* Finds the columns of a tree, which must be numeric, and marks them as used. */
dlp_status dlpi_expression_make(const dlp_formula *formula, const struct dlpi_node *node,
                                struct dlpi_columns *columns, struct dlpi_pool *pool,
                                struct dlpi_expression *out, dlp_error *error);

/* The column, if the expression is just that; -1 if it must be computed. */
dlp_index dlpi_expression_column(const struct dlpi_expression *expression);

/* True when a column of the expression misses its value in that row. */
bool dlpi_expression_is_missing(const struct dlpi_expression *expression, dlp_index row);

/* Computes out[i] for row[i], i < n; row NULL: rows 0, 1, ... The columns have numbers
   there. A value that is not finite is an error that names the row. */
dlp_status dlpi_expression_evaluate(const struct dlpi_expression *expression,
                                    const dlp_index *row, dlp_index n, double *out,
                                    dlp_error *error);
/* Rows from..to-1 of them, into their places in out. */
dlp_status dlpi_expression_evaluate_some(const struct dlpi_expression *expression,
                                         const dlp_index *row, dlp_index from,
                                         dlp_index to, double *out, dlp_error *error);

#endif

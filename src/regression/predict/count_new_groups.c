/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups in new data that the fit did not see. */
#include "core/core.h"
#include "math/distinct.h"
#include "regression/predict/prediction.h"

#include <stdlib.h>

/* What identifies the group of row i of the design: a level's code or a number. */
static double group_value(const dlp_column *column, const dlp_design *design, dlp_index i)
{
    const dlp_index row = design->row ? design->row[i] : i;
    return column->kind == DLP_CATEGORICAL ? column->code[row] : column->number[row];
}

dlp_status dlpi_count_new_groups(dlp_prediction *p, dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    if (!dlpi_is_grouped(r->grouping) || p->rows.count[r->M] == 0) return DLP_OK;
    const dlp_index j = dlp_table_find(p->table, r->terms->group.variable);
    dlp_index rows = 0;
    double *value = dlpi_calloc(p->rows.count[r->M], sizeof *value);
    if (!value) return dlpi_no_memory(error, "the new groups");
    for (dlp_index i = 0; i < p->design->N; i++)
        if (p->design->group[i] < 0)
            value[rows++] = group_value(&p->table->column[j], p->design, i);
    p->result.new_group_rows = rows;
    p->result.new_groups = dlpi_distinct(rows, value);
    free(value);
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of new data that a fit did not see. */
#include "cli/glm/rows.h"

#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static dlp_index count_distinct(dlp_index n, double *value)
{
    dlp_index distinct = 0;
    qsort(value, (size_t)n, sizeof *value, by_value);
    for (dlp_index i = 0; i < n; i++) distinct += i == 0 || value[i] != value[i - 1];
    return distinct;
}

/* What tells the group of row i of the design from others: a level's code or a number. */
static double group_value(const dlp_column *column, const cli_glm_rows *rows, dlp_index i)
{
    const dlp_index row = cli_glm_rows_number(rows, i) - 1;
    return column->kind == DLP_CATEGORICAL ? column->code[row] : column->number[row];
}

dlp_status cli_glm_new_groups(const cli_glm_rows *rows, const cli_glm_fit *fit,
                              cli_glm_new *found, dlp_error *error)
{
    *found = (cli_glm_new){0, 0};
    if (!cli_glm_is_grouped(fit) || rows->count[fit->M] == 0) return DLP_OK;
    const dlp_index j = dlp_table_find(rows->table, fit->terms->group.variable);
    double *value = malloc((size_t)rows->count[fit->M] * sizeof *value);
    if (!value)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory to count the new groups");
    for (dlp_index i = 0; i < rows->design->N; i++)
        if (rows->design->group[i] < 0)
            value[found->rows++] = group_value(&rows->table->column[j], rows, i);
    found->groups = count_distinct(found->rows, value);
    free(value);
    return DLP_OK;
}

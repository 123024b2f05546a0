/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of categories that were meant to be numbers: one slip in a cell makes each
   number of its column a category, and a fit of hundreds of levels. */
#include "table/table.h"

#include <math.h>
#include <string.h>

/* A text that people name categories by may be a number, but few names are. */
enum { FEW_NUMBERS = 10 };

static enum dlpi_value value_of_level(const char *level)
{
    const struct dlpi_missing none = {.word = NULL, .number = NAN};
    double number = 0;
    return dlpi_value_of(level, strlen(level), &none, &number);
}

dlp_index dlpi_column_first_text(const dlp_column *column, dlp_index rows)
{
    dlp_index first = -1;
    for (dlp_index i = 0; i < rows; i++) {
        if (column->code[i] < 0) continue;
        if (value_of_level(column->level[column->code[i]]) == DLPI_TEXT) return i;
        if (first < 0) first = i;
    }
    return first;
}

static bool has_many_numbers(const dlp_column *column)
{
    dlp_index numbers = 0;
    for (dlp_index i = 0; i < column->n_levels && numbers < FEW_NUMBERS; i++)
        numbers += value_of_level(column->level[i]) == DLPI_NUMBER;
    return numbers >= FEW_NUMBERS;
}

bool dlpi_column_has_slips(const dlp_column *column, dlp_index rows)
{
    dlp_index values = 0, numbers = 0;
    if (column->kind != DLP_CATEGORICAL || !has_many_numbers(column)) return false;
    for (dlp_index i = 0; i < rows; i++) {
        if (column->code[i] < 0) continue;
        values++;
        numbers += value_of_level(column->level[column->code[i]]) == DLPI_NUMBER;
    }
    return numbers < values && numbers >= values - values / 10;
}

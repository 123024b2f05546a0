/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV: every column is a vector. */
#include "core/text.h"
#include "language/data.h"

#include <delaplace/table.h>
#include <math.h>
#include <string.h>

/* A categorical column gives the numbers of its levels, 1, 2, ..., as R's factors do. */
static void tell_levels(dlpi_data *data, const dlpi_source *source, const dlp_column *c)
{
    struct dlpi_shown_list levels = {.used = 0};
    for (dlp_index k = 0; k < c->n_levels && levels.used + 90 < sizeof levels.text; k++)
        dlpi_shown_list_add(&levels, dlpi_show(c->level[k]));
    dlpi_report(data->found, false, source, (dlpi_position){1, 1, 1},
                "column '%s' holds text: its levels become 1 to %lld (%s)",
                dlpi_show(c->name).text, (long long)c->n_levels, levels.text);
}

static bool take_column(dlpi_numbers_read *numbers, const dlp_column *c, dlp_index rows)
{
    numbers->n = 0;
    for (dlp_index i = 0; i < rows; i++) {
        const double x = c->number        ? c->number[i]
                         : c->code[i] < 0 ? NAN
                                          : (double)c->code[i] + 1;
        if (!dlpi_numbers_add(numbers, x, UINT32_MAX)) return false;
    }
    return true;
}

dlp_status dlpi_data_read_csv(dlpi_data *data, const dlpi_source *source,
                              dlp_error *error)
{
    dlp_table_options options = dlp_table_options_default();
    dlp_table *table = NULL;
    dlpi_numbers_read numbers = {0};
    options.format = "csv";
    if (data->progress) {
        options.progress = data->progress->call;
        options.context = data->progress->context;
    }
    DLP_TRY(dlp_table_parse(source->name, source->text, source->size, &options, &table,
                            error));
    dlp_status status = DLP_OK;
    for (dlp_index j = 0; j < table->columns && status == DLP_OK; j++) {
        const dlp_column *c = &table->column[j];
        if (!c->number) tell_levels(data, source, c);
        if (!take_column(&numbers, c, table->rows)) {
            status = dlpi_no_memory_to_read(error, source->name);
            break;
        }
        const int before = data->n;
        status = dlpi_data_add(data, source, c->name, strlen(c->name),
                               (dlpi_position){1, 1, 1}, 1, &table->rows, &numbers, false,
                               error);
        if (data->n > before) {
            data->datum[before].offset = NULL;
            data->datum[before].first_line = 2;
        }
    }
    free(numbers.value);
    free(numbers.offset);
    dlp_table_free(table);
    return status;
}

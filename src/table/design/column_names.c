/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/design/column_names.h"

#include "core/suggest.h"
#include "table/table.h"

#include <stdlib.h>

static dlp_status tell_unknown(const dlp_formula *formula, const struct dlpi_node *name,
                               const char *const *known, dlp_index n, dlp_error *error)
{
    const char *suggested = dlpi_suggest(name->name, known, n);
    for (dlp_index j = 0; j < n; j++)
        if (!dlpi_is_utf8(known[j]))
            return dlpi_advise(
                error, DLP_REMEDY_ENCODING,
                dlpi_formula_fail(formula->text, name->at, error,
                                  "unknown column '%s', and the table is not UTF-8, as "
                                  "'%s' shows; if it "
                                  "is Latin-1, convert it, or read it as Latin-1",
                                  dlpi_show(name->name).text, dlpi_show(known[j]).text));
    struct dlpi_shown_list list = {.used = 0};
    if (suggested)
        return dlpi_formula_fail(formula->text, name->at, error,
                                 "unknown column '%s'; did you mean '%s'?",
                                 dlpi_show(name->name).text, dlpi_show(suggested).text);
    for (dlp_index j = 0; j < n; j++) dlpi_shown_list_add(&list, dlpi_show(known[j]));
    return dlpi_formula_fail(
        formula->text, name->at, error, "unknown column '%s'; the %td column%s %s",
        dlpi_show(name->name).text, n, n == 1 ? " is" : "s are", list.text);
}

dlp_status dlpi_columns_find(const struct dlpi_columns *columns,
                             const dlp_formula *formula, const struct dlpi_node *name,
                             dlp_index *column, dlp_error *error)
{
    const dlp_table *table = columns->table;
    *column = dlpi_name_index_find_text(&columns->names, name->name);
    if (*column >= 0) return DLP_OK;
    const char **known = dlpi_calloc(table->columns, sizeof *known);
    if (!known) return dlpi_no_memory(error, "the names of the columns");
    for (dlp_index j = 0; j < table->columns; j++) known[j] = table->column[j].name;
    (void)tell_unknown(formula, name, known, table->columns, error);
    free(known);
    return DLP_EINPUT; /* it may be the wrong table, so its name is given, too */
}

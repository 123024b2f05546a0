/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/table.h"

#include "cli/files.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "cli/suggest.h"

#include <stdio.h>
#include <string.h>

dlp_status cli_table_read(const char *path, const dlp_table_options *options,
                          dlp_table **table, dlp_error *error)
{
    dlp_table_options shown = options ? *options : dlp_table_options_default();
    cli_progress progress = {.percent = true};
    shown.progress = cli_progress_call;
    shown.context = &progress;
    cli_phase_begin("reading %s", cli_input_name(path));
    const dlp_status status = dlp_table_read(path, &shown, table, error);
    if (status == DLP_OK)
        cli_phase_note("%td rows, %td columns", (*table)->rows, (*table)->columns);
    cli_phase_end();
    return status;
}

const char *cli_table_missing(int i)
{
    static const char *const names[] = {"drop", "error", NULL};
    return names[i];
}

const char *cli_missing_usual(void)
{
    return cli_table_missing(dlp_regression_settings_default().missing_is_error != 0);
}

/* The names of the columns, as many as fit. */
static void list_columns(const dlp_table *table, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (dlp_index j = 0; j < table->columns; j++) {
        const char *name = table->column[j].name;
        const bool fits = used + strlen(name) + sizeof ", ..." < size;
        used += (size_t)snprintf(text + used, size - used, "%s%s", j > 0 ? ", " : "",
                                 fits ? name : "...");
        if (!fits) return;
    }
}

dlp_status cli_table_check_column(const dlp_table *table, const char *path,
                                  const char *option, const char *column,
                                  dlp_error *error)
{
    char list[256];
    cli_suggestion suggestion = cli_suggestion_for(column);
    if (dlp_table_find(table, column) >= 0) return DLP_OK;
    for (dlp_index j = 0; j < table->columns; j++)
        cli_suggestion_consider(&suggestion, table->column[j].name);
    if (suggestion.best)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: no column '%.80s'; did you mean %s '%.80s'?",
                        cli_input_name(path), column, option, suggestion.best);
    list_columns(table, list, sizeof list);
    return dlp_fail(error, DLP_EINPUT, "%s: no column '%.80s' for %s; the columns are %s",
                    cli_input_name(path), column, option, list);
}

dlp_status cli_design_advise(const dlp_design_problem *problem,
                             const cli_design_advice *advice, dlp_status status,
                             dlp_error *error)
{
    const char *const by_kind[] = {[DLP_PROBLEM_MISSING] = advice->missing,
                                   [DLP_PROBLEM_UNSEEN_LEVEL] = advice->level,
                                   [DLP_PROBLEM_UNSEEN_GROUP] = advice->group};
    const char *words = by_kind[problem->kind];
    const dlp_error why = *error;
    if (status == DLP_OK || !words) return status;
    (void)dlp_fail(error, status, "%s; %s", why.message, words);
    error->remedy = why.remedy;
    return status;
}

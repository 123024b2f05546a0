/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/groups.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/print.h"

/* Notes that documents without a known group are read with the mean of the groups. */
static void note_unknown(const dlp_topic_model *model, const char *path,
                         const dlp_table *table, dlp_index D, dlp_index unknown)
{
    const char *column = dlp_topic_model_content_column(model);
    if (!column) column = "group";
    if (unknown == 0) return;
    if (!table)
        cli_note(
            "words of the model's topics differ by '%s'; without --covariates FILE.csv, "
            "documents are read with the mean of its groups",
            column);
    else if (unknown == D && dlp_table_find(table, column) < 0)
        cli_note("%s: has no column '%s'; documents are read with the mean of its groups",
                 cli_input_name(path), column);
    else
        cli_note(
            "%s: %td document%s no '%s' that the model knows, and %s read with the mean "
            "of its groups",
            cli_input_name(path), unknown, unknown == 1 ? " has" : "s have", column,
            unknown == 1 ? "is" : "are");
}

dlp_status cli_topics_set_groups(const dlp_topic_model *model, const char *path,
                                 const dlp_table *table, const dlp_index *row,
                                 dlp_corpus *corpus, dlp_error *error)
{
    dlp_document_groups groups;
    if (!dlp_topic_model_content(model)) return DLP_OK;
    if (!table) {
        note_unknown(model, path, NULL, corpus->D, corpus->D);
        return DLP_OK;
    }
    CLI_TRY(cli_in_file(
        path, dlp_topic_model_groups(model, table, corpus->D, row, &groups, error),
        error));
    note_unknown(model, path, table, corpus->D, groups.unknown);
    const dlp_status status =
        dlp_topic_model_set_groups(model, groups.group, corpus, error);
    dlp_document_groups_free(&groups);
    return status;
}

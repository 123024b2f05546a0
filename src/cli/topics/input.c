/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/input.h"

#include "cli/message.h"
#include "cli/topics/groups.h"

bool cli_topics_input_misused(const char *command, const cli_topics_source *source)
{
    if (source->document && !source->covariates) {
        (void)cli_misuse(command, "%s", cli_document_of_nothing);
        return true;
    }
    return cli_corpus_reads_stdin_twice(command, source->corpus, source->vocab);
}

dlp_status cli_topics_input_read(const cli_topics_source *source, cli_topics_input *input,
                                 dlp_error *error)
{
    cli_covariates *const covariates = &input->covariates;
    input->threads = (int)source->threads;
    CLI_TRY(cli_topics_load(source->model, 0, &input->model, error));
    CLI_TRY(cli_corpus_open(source->corpus, source->format, source->vocab, &input->corpus,
                            error));
    covariates->document = source->document;
    covariates->missing = source->missing;
    CLI_TRY(cli_covariates_rebuild(source->covariates, input->model, input->corpus,
                                   covariates, error));
    CLI_TRY(cli_covariates_drop(covariates, &input->corpus, &input->dropped, error));
    CLI_TRY(dlp_topic_model_align(input->model, input->corpus, &input->unseen, error));
    return cli_topics_set_groups(input->model, source->covariates, covariates->table,
                                 covariates->found.row ? covariates->found.row
                                                       : covariates->rows.row,
                                 input->corpus, error);
}

void cli_topics_input_clear(cli_topics_input *input)
{
    cli_covariates_clear(&input->covariates);
    dlp_corpus_free(input->corpus);
    dlp_topic_model_free(input->model);
    *input = (cli_topics_input){0};
}

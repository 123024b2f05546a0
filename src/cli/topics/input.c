/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/input.h"

#include "cli/say.h"
#include "cli/topics/drop.h"
#include "cli/topics/match.h"

#include <omp.h>

bool cli_topics_input_misused(const char *command, const cli_topics_source *source)
{
    if (source->document && !source->covariates) {
        (void)cli_misuse(command, "%s", cli_document_of_nothing);
        return true;
    }
    return cli_corpus_reads_stdin_twice(command, source->corpus, source->vocab);
}

dlp_status cli_topics_input_read(const cli_topics_source *source, unsigned parts,
                                 cli_topics_input *input, dlp_error *error)
{
    input->threads = source->threads > 0 ? (int)source->threads : omp_get_num_procs();
    CLI_TRY(cli_topics_folder_read(source->model, parts, &input->folder, error));
    CLI_TRY(cli_corpus_open(source->corpus, source->format, source->vocab, &input->corpus,
                            error));
    cli_covariates *const covariates = &input->covariates;
    covariates->document = source->document;
    covariates->missing = source->missing;
    CLI_TRY(cli_covariates_rebuild(source->covariates, &input->folder, input->corpus,
                                   covariates, error));
    CLI_TRY(cli_topics_drop(1, &covariates, &input->corpus, &input->dropped, error));
    return cli_topics_match_corpus(&input->folder, input->corpus, &input->unseen, error);
}

void cli_topics_input_clear(cli_topics_input *input)
{
    cli_covariates_clear(&input->covariates);
    dlp_corpus_free(input->corpus);
    cli_topics_folder_clear(&input->folder);
    *input = (cli_topics_input){0};
}

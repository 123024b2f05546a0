/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/corpus/source.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/phase.h"
#include "cli/progress.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cli_corpus_format(int i)
{
    return i == 0 ? "auto" : dlp_corpus_format_name(i - 1);
}

typedef dlp_status opener(dlp_processes *processes, const char *path,
                          const dlp_corpus_options *options, dlp_corpus **corpus,
                          dlp_error *error);

static dlp_status open_alone(dlp_processes *processes, const char *path,
                             const dlp_corpus_options *options, dlp_corpus **corpus,
                             dlp_error *error)
{
    (void)processes;
    return dlp_corpus_open(path, options, corpus, error);
}

static dlp_status open_corpus(const char *path, dlp_corpus_options options, opener *open,
                              dlp_processes *processes, dlp_corpus **corpus,
                              dlp_error *error)
{
    cli_progress progress = {.percent = true};
    options.progress = cli_progress_call;
    options.context = &progress;
    if (cli_is_folder(path))
        return dlp_fail(error, DLP_EINPUT,
                        "%s: is a folder; make a corpus of the files in it first, with "
                        "'delaplace corpus build'",
                        path);
    cli_phase_begin("reading %s", cli_input_name(path));
    const dlp_status status = open(processes, path, &options, corpus, error);
    if (status == DLP_OK)
        cli_phase_note("%td documents, %td terms, %td words", (*corpus)->D, (*corpus)->V,
                       (*corpus)->words);
    cli_phase_end();
    return status;
}

dlp_status cli_corpus_open(const char *path, const char *format, const char *vocab,
                           dlp_corpus **corpus, dlp_error *error)
{
    return cli_corpus_open_text(path, format, vocab, false, corpus, error);
}

dlp_status cli_corpus_open_text(const char *path, const char *format, const char *vocab,
                                bool text, dlp_corpus **corpus, dlp_error *error)
{
    dlp_corpus_options options = dlp_corpus_options_default();
    options.format = format && strcmp(format, "auto") != 0 ? format : NULL;
    options.vocab = vocab;
    options.text = text;
    return open_corpus(path, options, open_alone, NULL, corpus, error);
}

dlp_status cli_corpus_open_shared(dlp_processes *processes, bool names, const char *path,
                                  const char *format, const char *vocab,
                                  dlp_corpus **corpus, dlp_error *error)
{
    dlp_corpus_options options = dlp_corpus_options_default();
    options.format = format && strcmp(format, "auto") != 0 ? format : NULL;
    options.vocab = vocab;
    return open_corpus(path, options,
                       names ? dlp_topics_open_names : dlp_topics_open_corpus, processes,
                       corpus, error);
}

dlp_status cli_corpus_try(const char *path, const char *format, dlp_error *error)
{
    const bool told = format || !strcmp(path, "-");
    CLI_TRY(dlp_file_try(cli_output_path(path), error));
    return told || dlp_corpus_format_of(path, error) ? DLP_OK : DLP_EINVAL;
}

dlp_status cli_corpus_write(const dlp_corpus *corpus, const char *path,
                            const char *format, dlp_file_set *files, dlp_error *error)
{
    cli_progress progress = {.percent = true};
    dlp_corpus_options options = dlp_corpus_options_default();
    options.format = format;
    options.files = files;
    options.progress = cli_progress_call;
    options.context = &progress;
    cli_phase_begin("writing %s", path);
    const dlp_status status = dlp_corpus_write(corpus, path, &options, error);
    cli_phase_end();
    return status;
}

bool cli_corpus_reads_stdin_twice(const char *command, const char *corpus,
                                  const char *vocab)
{
    if (!vocab || strcmp(corpus, "-") != 0 || strcmp(vocab, "-") != 0) return false;
    (void)cli_misuse(command, "corpus and vocabulary cannot both be standard input");
    return true;
}

dlp_term_frequency *cli_corpus_rank(const dlp_corpus *corpus)
{
    dlp_term_frequency *rank = calloc((size_t)corpus->V + 1, sizeof *rank);
    if (rank) dlp_corpus_rank_terms(corpus, rank);
    return rank;
}

json_t *cli_corpus_rank_json(const dlp_corpus *c, const dlp_term_frequency *rank,
                             dlp_index top)
{
    json_t *list = json_array();
    int failed = !list;
    for (dlp_index i = 0; i < top && i < c->V && !failed; i++) {
        char number[32];
        failed = json_array_append_new(
            list, json_pack("{s:o, s:I, s:I}", "term",
                            dlpi_json_text(cli_corpus_term(c, rank[i].term, number)),
                            "words", (json_int_t)rank[i].words, "documents",
                            (json_int_t)rank[i].documents));
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

const char *cli_corpus_term(const dlp_corpus *c, dlp_index v, char number[32])
{
    if (c->vocab) return c->vocab[v];
    snprintf(number, 32, "%td", v);
    return number;
}

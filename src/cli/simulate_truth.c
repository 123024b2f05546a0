/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/simulate_truth.h"

#include "cli/json.h"
#include "cli/say.h"
#include "cli/text_file.h"
#include "cli/topics_commit.h"

#include <stdio.h>
#include <stdlib.h>

/* model.json without the list of files. There is no outcome: nothing was fitted. */
static json_t *info_json(const cli_truth *t)
{
    return json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:{s:s, s:o}, s:n}", "format",
        CLI_TOPICS_FORMAT, "version", CLI_TOPICS_VERSION, "library_version", DLP_VERSION,
        "K", (json_int_t)t->topics->K, "V", (json_int_t)t->topics->V, "D",
        (json_int_t)t->corpus->D, "words", (json_int_t)t->corpus->words, "method",
        "laplace", "init", "simulated", "seed", (json_int_t)t->seed, "settings", "route",
        "fast", "concentration", cli_json_real(t->concentration), "covariates");
}

/* The truth on its way: files are written as X.new and listed with their checksums. */
typedef struct writer {
    const cli_truth *truth;
    const char *folder;
    json_t *files;
    dlp_error *error;
} writer;

static dlp_status list_file(const writer *w, const char *name, const char *path)
{
    json_t *sum;
    CLI_TRY(cli_topics_checksum(path, &sum, w->error));
    if (json_object_set_new(w->files, name, sum) == 0) return DLP_OK;
    return cli_topics_no_path(w->error);
}

static dlp_status write_array(const writer *w, const char *name, dlp_index rows,
                              dlp_index columns, const double *x)
{
    const dlp_index shape[2] = {rows, columns};
    char *path = cli_topics_path(w->folder, name, ".new");
    if (!path) return cli_topics_no_path(w->error);
    dlp_status status = dlp_npy_write(path, columns > 0 ? 2 : 1, shape, x, w->error);
    if (status == DLP_OK) status = list_file(w, name, path);
    free(path);
    return status;
}

static void print_vocab(FILE *out, const void *what)
{
    const dlp_corpus *corpus = what;
    for (dlp_index v = 0; v < corpus->V; v++) fprintf(out, "%s\n", corpus->vocab[v]);
}

static dlp_status write_vocab(const writer *w)
{
    const char *const name = "vocab.txt";
    if (!w->truth->corpus->vocab) return DLP_OK;
    char *path = cli_topics_path(w->folder, name, ".new");
    if (!path) return cli_topics_no_path(w->error);
    dlp_status status = cli_text_write(path, print_vocab, w->truth->corpus, w->error);
    if (status == DLP_OK) status = list_file(w, name, path);
    free(path);
    return status;
}

static dlp_status write_files(const writer *w)
{
    const dlp_topics *t = w->truth->topics;
    CLI_TRY(write_array(w, "beta.npy", t->K, t->V, t->beta));
    CLI_TRY(write_array(w, "mu.npy", t->K, 0, t->Gamma));
    CLI_TRY(write_array(w, "sigma.npy", t->K, t->K, t->Sigma0));
    CLI_TRY(write_array(w, "theta.npy", w->truth->corpus->D, t->K, w->truth->theta));
    return write_vocab(w);
}

dlp_status cli_truth_write(const cli_truth *truth, const char *folder, dlp_error *error)
{
    json_t *info = info_json(truth);
    const writer w = {
        .truth = truth, .folder = folder, .files = json_object(), .error = error};
    dlp_status status = info && json_object_set(info, "files", w.files) == 0
                            ? write_files(&w)
                            : cli_topics_no_path(error);
    if (status == DLP_OK)
        status = cli_topics_commit(folder, info, error);
    else
        cli_topics_abandon(folder);
    json_decref(w.files);
    json_decref(info);
    return status;
}

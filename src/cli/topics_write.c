/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics_write.h"

#include "cli/json.h"
#include "cli/say.h"
#include "cli/topics_commit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files so far: written as X.new, listed with their checksums. */
typedef struct writer {
    const cli_topics_fit *fit;
    json_t *files;
    dlp_error *error;
} writer;

static dlp_status no_memory(dlp_error *error)
{
    (void)dlp_fail(error, DLP_ENOMEM, "not enough memory to write the model");
    return DLP_ENOMEM; /* literally, for analysers */
}

static dlp_status list_file(const writer *w, const char *name, const char *path)
{
    json_t *sum;
    CLI_TRY(cli_topics_checksum(path, &sum, w->error));
    return json_object_set_new(w->files, name, sum) == 0 ? DLP_OK : no_memory(w->error);
}

/* ---- arrays ---- */

static dlp_status write_array(const writer *w, const char *name, int dims, dlp_index rows,
                              dlp_index columns, const double *x)
{
    const dlp_index shape[2] = {rows, columns};
    char *path = cli_topics_path(w->fit->folder, name, ".new");
    if (!path) return cli_topics_no_path(w->error);
    dlp_status status = dlp_npy_write(path, dims, shape, x, w->error);
    if (status == DLP_OK) status = list_file(w, name, path);
    free(path);
    return status;
}

static dlp_status write_topics(const writer *w)
{
    dlp_topics t;
    CLI_TRY(dlp_ctm_topics(w->fit->ctm, &t, w->error));
    dlp_status status = write_array(w, "beta.npy", 2, t.K, t.V, t.beta);
    if (status == DLP_OK) status = write_array(w, "mu.npy", 1, t.K, 0, t.Gamma);
    if (status == DLP_OK && cli_covariates_of(w->fit->covariates))
        status = write_array(w, "gamma.npy", 2, t.p, t.K, t.Gamma);
    if (status == DLP_OK) status = write_array(w, "sigma.npy", 2, t.K, t.K, t.Sigma0);
    dlp_topics_free(&t);
    return status;
}

/* ---- text ---- */

static bool fits_a_line(const char *name)
{
    const size_t length = strlen(name);
    return name[strspn(name, " \t")] && !strchr(name, '\n') && name[length - 1] != '\r';
}

static dlp_status check_lines(const char *what, char *const *name, dlp_index n,
                              dlp_error *error)
{
    for (dlp_index i = 0; name && i < n; i++)
        if (!fits_a_line(name[i]))
            return dlp_fail(error, DLP_EINPUT,
                            "%s %td is called '%.40s', which cannot stand on a line of "
                            "its own; give it another name",
                            what, i + 1, name[i]);
    return DLP_OK;
}

dlp_status cli_topics_check_names(const dlp_corpus *corpus, dlp_error *error)
{
    CLI_TRY(check_lines("term", corpus->vocab, corpus->V, error));
    return check_lines("document", corpus->name, corpus->D, error);
}

/* Writes what print prints. */
typedef void print_text(FILE *out, const cli_topics_fit *fit);
static dlp_status write_text(const writer *w, const char *name, print_text *print,
                             bool listed)
{
    char *text = NULL, *path = cli_topics_path(w->fit->folder, name, ".new");
    size_t size = 0;
    FILE *out = path ? open_memstream(&text, &size) : NULL;
    bool failed = !out;
    if (out) {
        print(out, w->fit);
        failed = ferror(out) != 0;
        failed |= fclose(out) != 0;
    }
    dlp_status status =
        failed ? no_memory(w->error) : dlp_file_write(path, text, size, w->error);
    if (status == DLP_OK && listed) status = list_file(w, name, path);
    free(text);
    free(path);
    return status;
}

static void print_vocab(FILE *out, const cli_topics_fit *fit)
{
    for (dlp_index v = 0; v < fit->corpus->V; v++)
        fprintf(out, "%s\n", fit->corpus->vocab[v]);
}

static void print_docs(FILE *out, const cli_topics_fit *fit)
{
    for (dlp_index d = 0; d < fit->corpus->D; d++)
        fprintf(out, "%s\n", fit->corpus->name[d]);
}

/* The times of iterations before a resumption are not known: their fields are empty. */
static void print_trace(FILE *out, const cli_topics_fit *fit)
{
    const dlp_topics_result *r = dlp_ctm_result(fit->ctm);
    fputs("iteration,bound_per_word,change,evaluations,unsettled,seconds\n", out);
    for (int i = 0; i < r->iterations; i++) {
        const dlp_topics_row *row = &r->trace[i];
        fprintf(out, "%d,%.17g,%.17g,%td,%td,", row->iteration,
                row->bound / (double)fit->corpus->words, row->change, row->evaluations,
                row->unsettled);
        if (fit->seconds[i] >= 0) fprintf(out, "%.3f", fit->seconds[i]);
        fputc('\n', out);
    }
}

/* ---- the folder ---- */

static dlp_status write_files(const writer *w)
{
    const cli_topics_fit *fit = w->fit;
    const dlp_corpus *c = fit->corpus;
    CLI_TRY(write_topics(w));
    CLI_TRY(write_array(w, "theta.npy", 2, c->D, fit->settings.K,
                        dlp_ctm_result(fit->ctm)->mu));
    if (c->vocab) CLI_TRY(write_text(w, "vocab.txt", print_vocab, true));
    if (c->name) CLI_TRY(write_text(w, "docs.txt", print_docs, true));
    return write_text(w, "trace.csv", print_trace, false);
}

static dlp_status commit(const writer *w)
{
    json_t *info = cli_topics_info_json(w->fit);
    const bool failed = !info || json_object_set(info, "files", w->files) != 0;
    const dlp_status status =
        failed ? no_memory(w->error) : cli_topics_commit(w->fit->folder, info, w->error);
    json_decref(info);
    return status;
}

dlp_status cli_topics_write(const cli_topics_fit *fit, dlp_error *error)
{
    const writer w = {.fit = fit, .files = json_object(), .error = error};
    dlp_status status = w.files ? write_files(&w) : no_memory(error);
    if (status == DLP_OK)
        status = commit(&w);
    else
        cli_topics_abandon(fit->folder);
    json_decref(w.files);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/folder.h"

#include "cli/phase.h"
#include "cli/report.h"
#include "cli/say.h"
#include "table/terms_json.h"
#include "cli/topics/commit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_topics_folder_clear(cli_topics_folder *folder)
{
    for (dlp_index j = 0; folder->column && j < folder->topics.p; j++)
        free(folder->column[j]);
    free(folder->column);
    dlp_terms_free(folder->terms);
    free(folder->theta);
    free(folder->docs);
    free(folder->vocab);
    dlp_topics_free(&folder->topics);
    json_decref(folder->info);
    *folder = (cli_topics_folder){0};
}

/* What is being read, and for messages from where. */
typedef struct reading {
    const char *path;
    cli_topics_folder *folder;
    dlp_error *error;
} reading;

/* ---- model.json ---- */

static dlp_status wrong(const reading *r, const char *key, const char *expected)
{
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: model.json: \"%s\" must be %s; the file is damaged or edited, "
                    "fit again",
                    r->path, key, expected);
}

static dlp_status check_format(const reading *r)
{
    const json_t *info = r->folder->info;
    const char *format = json_string_value(json_object_get(info, "format"));
    const json_t *version = json_object_get(info, "version");
    if (!format || strcmp(format, CLI_TOPICS_FORMAT) != 0)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: model.json has no \"format\": \"" CLI_TOPICS_FORMAT
                        "\"; name a folder made by 'delaplace topics fit'",
                        r->path);
    if (json_is_integer(version) && json_integer_value(version) == CLI_TOPICS_VERSION)
        return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s: this program reads version %d of the format; fit again with it, "
                    "or use the program that made the model",
                    r->path, CLI_TOPICS_VERSION);
}

static dlp_status read_size(const reading *r, const char *key, dlp_index *size)
{
    const json_t *value = json_object_get(r->folder->info, key);
    const json_int_t n = json_integer_value(value);
    if (!json_is_integer(value) || n < 1 || n > INT32_MAX)
        return wrong(r, key, "a whole number, 1 or more");
    *size = (dlp_index)n;
    return DLP_OK;
}

static dlp_status read_method(const reading *r)
{
    cli_topics_folder *folder = r->folder;
    const char *text = json_string_value(json_object_get(folder->info, "method"));
    const json_t *settings = json_object_get(folder->info, "settings");
    const char *route = json_string_value(json_object_get(settings, "route"));
    folder->document = dlp_topics_settings_default().document;
    folder->document.tol = CLI_TOPICS_READING_TOL;
    folder->document.plain = route && !strcmp(route, "plain");
    for (int i = 0; text && dlp_topics_method(i); i++)
        if (!strcmp(dlp_topics_method(i), text)) {
            folder->document.method = dlp_topics_method(i);
            return DLP_OK;
        }
    return wrong(r, "method", "one that this program knows");
}

static dlp_status read_covariates(const reading *r)
{
    cli_topics_folder *folder = r->folder;
    const json_t *covariates = json_object_get(folder->info, "covariates");
    dlpi_read_columns columns;
    folder->topics.p = 1;
    if (!covariates || json_is_null(covariates)) return DLP_OK;
    CLI_TRY(dlpi_terms_parse(r->path, covariates, &columns, r->error));
    folder->terms = columns.terms;
    folder->column = columns.column;
    folder->topics.p = columns.p;
    return columns.p >= 1 ? DLP_OK : wrong(r, "columns", "a list with an intercept");
}

/* ---- the other files ---- */

/* An array of that shape out of a file whose checksum is right. */
static dlp_status read_array(const reading *r, const char *name, int dims, dlp_index rows,
                             dlp_index columns, double **x)
{
    dlp_index shape[2] = {rows, columns};
    char *path;
    CLI_TRY(cli_topics_find(r->path, r->folder->info, name, &path, r->error));
    const dlp_status status = dlp_npy_read(path, dims, shape, x, r->error);
    free(path);
    return status;
}

static bool lists(const reading *r, const char *name)
{
    return json_object_get(json_object_get(r->folder->info, "files"), name) != NULL;
}

/* The library reads names into a corpus; ours has nothing else. */
static dlp_status read_names(const reading *r, const char *name,
                             dlp_status (*read)(dlp_corpus *, const char *, dlp_error *),
                             dlp_corpus *corpus)
{
    char *path;
    CLI_TRY(cli_topics_find(r->path, r->folder->info, name, &path, r->error));
    const dlp_status status = read(corpus, path, r->error);
    free(path);
    return status;
}

static dlp_status read_vocab(const reading *r)
{
    cli_topics_folder *folder = r->folder;
    dlp_corpus corpus = {.V = folder->topics.V};
    if (!lists(r, "vocab.txt")) return DLP_OK;
    CLI_TRY(read_names(r, "vocab.txt", dlp_corpus_read_vocab, &corpus));
    folder->vocab = corpus.vocab;
    return corpus.V == folder->topics.V
               ? DLP_OK
               : wrong(r, "V", "the number of lines of vocab.txt");
}

static dlp_status read_docs(const reading *r)
{
    dlp_corpus corpus = {.D = r->folder->D};
    if (!lists(r, "docs.txt")) return DLP_OK;
    CLI_TRY(read_names(r, "docs.txt", dlp_corpus_read_names, &corpus));
    r->folder->docs = corpus.name;
    return DLP_OK;
}

static dlp_status read_topics(const reading *r)
{
    dlp_topics *t = &r->folder->topics;
    CLI_TRY(read_array(r, "beta.npy", 2, t->K, t->V, &t->beta));
    if (r->folder->terms)
        CLI_TRY(read_array(r, "gamma.npy", 2, t->p, t->K, &t->Gamma));
    else
        CLI_TRY(read_array(r, "mu.npy", 1, t->K, 0, &t->Gamma));
    CLI_TRY(read_array(r, "sigma.npy", 2, t->K, t->K, &t->Sigma0));
    return dlp_topics_check(t, r->error);
}

static dlp_status read_all(const reading *r, unsigned parts)
{
    cli_topics_folder *folder = r->folder;
    CLI_TRY(cli_topics_read_info(r->path, &folder->info, r->error));
    CLI_TRY(check_format(r));
    CLI_TRY(read_size(r, "K", &folder->topics.K));
    CLI_TRY(read_size(r, "V", &folder->topics.V));
    CLI_TRY(read_size(r, "D", &folder->D));
    CLI_TRY(read_method(r));
    CLI_TRY(read_covariates(r));
    CLI_TRY(read_topics(r));
    CLI_TRY(read_vocab(r));
    if (parts & CLI_TOPICS_DOCS) CLI_TRY(read_docs(r));
    if (!(parts & CLI_TOPICS_THETA)) return DLP_OK;
    return read_array(r, "theta.npy", 2, folder->D, folder->topics.K, &folder->theta);
}

/* Refuses what cannot be a model, before its files are missed one by one. */
static dlp_status check_folder(const char *path, dlp_error *error)
{
    static const char is_what[] =
        "a topic model is a folder, which 'delaplace topics fit' "
        "makes";
    if (!strcmp(path, "-"))
        return dlp_fail(error, DLP_EINPUT, "standard input: %s", is_what);
    if (access(path, F_OK) != 0)
        return dlp_fail(error, DLP_EINPUT, "%s: cannot read: %s; %s", path,
                        strerror(errno), is_what);
    if (!cli_is_folder(path))
        return dlp_fail(error, DLP_EINPUT, "%s: is a file; %s", path, is_what);
    if (cli_topics_has(path, "model.json")) return DLP_OK;
    if (cli_topics_has(path, "checkpoint"))
        return dlp_fail(
            error, DLP_EINPUT,
            "%s: the fit has not ended; let it, or go on with it by 'delaplace "
            "topics fit ... --resume'",
            path);
    return dlp_fail(error, DLP_EINPUT, "%s: has no model.json; %s", path, is_what);
}

dlp_status cli_topics_folder_read(const char *path, unsigned parts,
                                  cli_topics_folder *folder, dlp_error *error)
{
    const reading r = {.path = path, .folder = folder, .error = error};
    *folder = (cli_topics_folder){0};
    CLI_TRY(check_folder(path, error));
    cli_phase_begin("reading %s", path);
    const dlp_status status = read_all(&r, parts);
    if (status == DLP_OK)
        cli_phase_note("%td topics, %td terms", folder->topics.K, folder->topics.V);
    cli_phase_end();
    if (status != DLP_OK) cli_topics_folder_clear(folder);
    return status;
}

/* ---- names ---- */

const char *cli_topics_term(const cli_topics_folder *folder, dlp_index v, char number[32])
{
    if (folder->vocab) return folder->vocab[v];
    snprintf(number, 32, "%td", v);
    return number;
}

const char *cli_topics_document(const cli_topics_folder *folder, dlp_index d,
                                char number[32])
{
    if (folder->docs) return folder->docs[d];
    snprintf(number, 32, "%td", d + 1);
    return number;
}

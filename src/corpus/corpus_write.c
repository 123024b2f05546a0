/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a corpus and the files of names that belong to it. */
#include "core/file.h"
#include "core/settings.h"
#include "corpus/companions.h"
#include "corpus/formats/dlpc.h"
#include "corpus/formats/format.h"
#include "corpus/formats/mapped.h"
#include "io/json.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* All paths are known before the first file is written. */
struct files {
    const char *corpus;
    char *vocab, *docs;  /* owned; NULL where there is none */
    char *text, *origin; /* likewise */
};

/* Pipes, terminals, devices and open descriptors take the corpus alone. */
static bool is_stream(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0 ||
           strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* The file for the names, if there are any; if not, an existing one would be taken for
   this corpus' own. */
static dlp_status plan_names(const char *path, const char *extension, char *const *name,
                             char **file, dlp_error *error)
{
    struct stat st;
    *file = dlp_corpus_beside(path, extension);
    if (!*file) return dlpi_no_memory(error, "a file's name");
    if (strcmp(*file, path) == 0)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: is where the corpus' names go; name another file", path);
    if (name) return DLP_OK;
    if (stat(*file, &st) != 0) {
        free(*file);
        *file = dlpi_corpus_beside_compressed(path, extension);
        if (!*file) return dlpi_no_memory(error, "a file's name");
    }
    if (stat(*file, &st) == 0)
        return dlp_fail(
            error, DLP_EINVAL,
            "%s: exists, and would be read as the names of %s, which has none; give the "
            "corpus names, move that file away or name another output",
            *file, path);
    free(*file);
    *file = NULL;
    return DLP_OK;
}

/* The same for the files of a corpus made from text. A file of that name that is not ours
   stays. */
static dlp_status plan_beside(const char *path, const char *extension, const char *what,
                              char begins, bool has, char **file, dlp_error *error)
{
    *file = dlp_corpus_beside(path, extension);
    if (!*file) return dlpi_no_memory(error, "a file's name");
    FILE *there = fopen(*file, "r");
    const int first = there ? fgetc(there) : EOF;
    if (there) (void)fclose(there);
    if (there && !has)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: exists, and would be read as %s of %s, which has none; move "
                        "that file away or name another output",
                        *file, what, path);
    if (there && first != EOF && first != begins)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: exists and is not %s of a corpus; move that file away or "
                        "name another output",
                        *file, what);
    if (has) return DLP_OK;
    free(*file);
    *file = NULL;
    return DLP_OK;
}

static dlp_status plan_files(const dlp_corpus *c, struct files *files, dlp_error *error)
{
    const char *path = files->corpus;
    if (is_stream(path)) return DLP_OK;
    DLP_TRY(plan_names(path, ".vocab", c->vocab, &files->vocab, error));
    DLP_TRY(plan_names(path, ".docs", c->name, &files->docs, error));
    DLP_TRY(plan_beside(path, ".text.jsonl", "the text", '"', c->text != NULL,
                        &files->text, error));
    return plan_beside(path, ".words.json", "the making of words", '{', c->origin != NULL,
                       &files->origin, error);
}

static dlp_status put_origin(const dlp_corpus *c, const struct files *files,
                             dlp_file_set *set, dlp_error *error)
{
    struct dlpi_output out = {0};
    if (!files->origin) return DLP_OK;
    dlpi_put_string(&out, c->origin);
    return dlpi_output_write_in(set, files->corpus, &out, files->origin, error);
}

/* One JSON string per line. */
static dlp_status put_text(const dlp_corpus *c, const struct files *files,
                           dlp_file_set *set, dlp_error *error)
{
    struct dlpi_output out = {0};
    if (!files->text) return DLP_OK;
    for (dlp_index d = 0; d < c->D; d++) {
        json_t *text = dlpi_json_text(c->text[d]);
        char *line = text ? json_dumps(text, JSON_ENCODE_ANY) : NULL;
        out.failed |= !line;
        if (line) dlpi_put_string(&out, line);
        dlpi_put_char(&out, '\n');
        free(line);
        json_decref(text);
    }
    return dlpi_output_write_in(set, files->corpus, &out, files->text, error);
}

static dlp_status put_names(char *const *name, dlp_index n, const char *lead,
                            const char *path, dlp_file_set *set, dlp_error *error)
{
    struct dlpi_output out = {0};
    if (!path) return DLP_OK;
    for (dlp_index i = 0; i < n; i++) {
        dlpi_put_string(&out, name[i]);
        dlpi_put_char(&out, '\n');
    }
    return dlpi_output_write_in(set, lead, &out, path, error);
}

static bool is_compressed(const char *path)
{
    return dlpi_uncompressed_length(path) < strlen(path);
}

/* The bytes of the corpus' file. Compressing them takes far longer than making them, and
   writing them about as long. */
static dlp_status make_bytes(const dlp_corpus *c, const struct dlpi_corpus_format *format,
                             const char *path, struct dlpi_output *out, dlp_error *error)
{
    dlpi_progress_step(out->progress, is_compressed(path) ? 0.1 : 0.6, (size_t)c->nnz);
    DLP_TRY(format->put(c, out, error));
    DLP_TRY(dlpi_output_compress(out, path, error));
    return dlpi_progress_end(out->progress, error);
}

/* The arrays as they are. */
static dlp_status put_arrays(const dlp_corpus *c, const char *path,
                             struct dlpi_progress *progress, dlp_file_set *set,
                             dlp_error *error)
{
    const dlpi_dlpc_header header = dlpi_dlpc_header_of(c);
    const size_t pairs = (size_t)c->nnz * sizeof *c->term,
                 rows = (size_t)(c->D + 1) * sizeof *c->row;
    const bool mapped = c->file && !c->file->owned;
    const struct dlpi_piece piece[] = {{&header, sizeof header, false},
                                       {c->term, pairs, mapped},
                                       {c->count, pairs, mapped},
                                       {c->row, rows, mapped}};
    DLP_TRY(dlpi_file_set_write_pieces(set, path, path, piece, 4, error));
    return dlpi_progress_end(progress, error);
}

static dlp_status put_corpus(const dlp_corpus *c, const struct dlpi_corpus_format *format,
                             const char *path, struct dlpi_progress *progress,
                             dlp_file_set *set, dlp_error *error)
{
    struct dlpi_output out = {.progress = progress};
    if (format->put == dlpi_corpus_put_dlpc && !is_compressed(path) && !is_stream(path))
        return put_arrays(c, path, progress, set, error);
    const dlp_status status = make_bytes(c, format, path, &out, error);
    if (status == DLP_OK) return dlpi_output_write_in(set, path, &out, path, error);
    free(out.bytes.data);
    return status;
}

static dlp_status put_beside(const dlp_corpus *c, const struct files *files,
                             dlp_file_set *set, dlp_error *error)
{
    DLP_TRY(put_names(c->vocab, c->V, files->corpus, files->vocab, set, error));
    DLP_TRY(put_names(c->name, c->D, files->corpus, files->docs, set, error));
    DLP_TRY(put_origin(c, files, set, error));
    return put_text(c, files, set, error);
}

static dlp_status put_files(const dlp_corpus *c, const struct dlpi_corpus_format *format,
                            const struct files *files, struct dlpi_progress *progress,
                            dlp_file_set *set, dlp_error *error)
{
    DLP_TRY(put_corpus(c, format, files->corpus, progress, set, error));
    return put_beside(c, files, set, error);
}

static void clear(struct files *files)
{
    free(files->vocab);
    free(files->docs);
    free(files->text);
    free(files->origin);
}

dlp_status dlpi_corpus_plan_companions(const dlp_corpus *corpus, const char *path,
                                       dlp_error *error)
{
    struct files files = {.corpus = path};
    const dlp_status status = plan_files(corpus, &files, error);
    clear(&files);
    return status;
}

dlp_status dlpi_corpus_put_companions(const dlp_corpus *corpus, const char *path,
                                      dlp_file_set *set, dlp_error *error)
{
    struct files files = {.corpus = path};
    dlp_status status = plan_files(corpus, &files, error);
    if (status == DLP_OK) status = put_beside(corpus, &files, set, error);
    clear(&files);
    return status;
}

/* Into the set, or at once where it is NULL. */
static dlp_status write_files(const dlp_corpus *c,
                              const struct dlpi_corpus_format *format,
                              const struct files *files, struct dlpi_progress *progress,
                              dlp_file_set *set, dlp_error *error)
{
    dlp_file_set *own = NULL;
    if (set) return put_files(c, format, files, progress, set, error);
    DLP_TRY(dlp_file_set_alloc(&own, error));
    dlp_status status = put_files(c, format, files, progress, own, error);
    if (status == DLP_OK) status = dlp_file_set_commit(own, error);
    dlp_file_set_free(own);
    return status;
}

dlp_status dlp_corpus_write(const dlp_corpus *corpus, const char *path,
                            const dlp_corpus_options *options, dlp_error *error)
{
    DLP_TRY(dlpi_settings_check(options, error));
    const dlp_corpus_options chosen = dlpi_corpus_options_take(options);
    struct dlpi_progress progress, *const p =
                                       dlpi_progress_for(chosen.progress, chosen.context,
                                                         "writing", &progress);
    dlp_status status = DLP_OK;
    if (!corpus || !path || !*path)
        return dlp_fail(error, DLP_EINVAL, "dlp_corpus_write: needs a corpus and a path");
    DLP_TRY(dlp_corpus_check(corpus, error));
    if (corpus->D < 1)
        return dlp_fail(error, DLP_EINPUT, "%s: the corpus has no documents", path);
    const struct dlpi_corpus_format *known =
        chosen.format ? dlpi_corpus_format_named(chosen.format, error)
                      : dlpi_corpus_format_of_path(path, error);
    if (!known) return DLP_EINVAL;
    progress.unit = "documents";
    progress.total = corpus->D;
    struct files files = {.corpus = path};
    status = plan_files(corpus, &files, error);
    if (status == DLP_OK)
        status = write_files(corpus, known, &files, p, chosen.files, error);
    clear(&files);
    return status;
}

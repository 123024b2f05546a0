/* SPDX-License-Identifier: BSD-3-Clause */
/* What kind of source the documents come from, judged by the options and by how its
   content begins. */
#include "core/settings.h"
#include "corpus/text/text_builder.h"

#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_there(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || stat(path, &st) == 0;
}

static dlp_status check_options(const dlp_text_source *source, bool folder,
                                dlp_error *error)
{
    const char *path = dlpi_input_name(source->path);
    if (folder && (source->lines || source->column || source->name))
        return dlp_fail(error, DLP_EINVAL,
                        "%s: is a folder, whose files are the documents; it has no lines "
                        "or columns to choose",
                        path);
    if (source->lines && (source->column || source->name))
        return dlp_fail(error, DLP_EINVAL,
                        "%s: a document is a line or a column's value, not both", path);
    if (!is_there(source->path))
        return dlp_fail(
            error, DLP_EINPUT,
            "%s: cannot read: there is no such folder or file; check the name", path);
    if (!folder && !source->lines && !source->column)
        return dlp_fail(error, DLP_EINVAL,
                        "%s: is a file; say what its documents are: its lines (lines), "
                        "or the values of a column or JSON key (column)",
                        path);
    return DLP_OK;
}

dlp_status dlpi_text_add_lines(dlp_text_builder *b, const char *text, size_t size,
                               dlp_error *error)
{
    size_t done = 0;
    dlpi_progress_step(b->progress, 1, size);
    while (done < size) {
        const char *newline = memchr(text + done, '\n', size - done);
        const size_t line = newline ? (size_t)(newline - text) - done : size - done;
        DLP_TRY(dlpi_progress_tell(b->progress, done, error));
        DLP_TRY(dlp_text_builder_add(b, NULL, text + done, line, error));
        done += newline ? line + 1 : line;
    }
    return DLP_OK;
}

/* The first byte that is not a blank, after a byte order mark. */
static char first_byte(const char *text, size_t size)
{
    size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r'))) i++;
    return i < size ? text[i] : '\0';
}

static dlp_status add_rows(dlp_text_builder *b, const dlp_text_source *source,
                           const struct dlpi_bytes *bytes, dlp_error *error)
{
    const char *file = dlpi_input_name(source->path);
    const char *text = bytes->data;
    const size_t size = bytes->size;
    switch (first_byte(text, size)) {
    case '{':
        return dlpi_text_add_json(b, file, text, size, source->column, source->name,
                                  error);
    case '[':
        return dlp_fail(error, DLP_EINPUT,
                        "%s: is one JSON list; expected one object per line, as 'jq -c "
                        ".[]' writes them",
                        file);
    default:
        return dlpi_text_add_table(b, file, text, size, source->column, source->name,
                                   error);
    }
}

static dlp_status add_file(dlp_text_builder *b, const dlp_text_source *source,
                           dlp_error *error)
{
    struct dlpi_bytes bytes;
    DLP_TRY(dlpi_input_read(source->path, b->progress, &bytes, error));
    const dlp_status status = source->lines
                                  ? dlpi_text_add_lines(b, bytes.data, bytes.size, error)
                                  : add_rows(b, source, &bytes, error);
    free(bytes.data);
    return status;
}

static dlp_status add_source(dlp_text_builder *b, const dlp_text_source *source,
                             dlp_error *error)
{
    const bool folder = is_folder(source->path);
    const dlp_index before = b->documents;
    DLP_TRY(check_options(source, folder, error));
    DLP_TRY(folder ? dlpi_text_add_folder(b, source->path, error)
                   : add_file(b, source, error));
    if (b->documents > before) return dlpi_progress_end(b->progress, error);
    return dlp_fail(error, DLP_EINPUT, "%s: is empty; expected at least one document",
                    dlpi_input_name(source->path));
}

dlp_status dlp_text_builder_read(dlp_text_builder *b, const dlp_text_source *source,
                                 dlp_error *error)
{
    struct dlpi_progress progress;
    dlp_text_source chosen = dlp_text_source_default();
    DLP_TRY(dlpi_settings_take(&chosen, sizeof chosen, source, error));
    if (!b || !chosen.path)
        return dlp_fail(error, DLP_EINVAL, "a source needs a builder and a path");
    b->progress =
        dlpi_progress_for(chosen.progress, chosen.context, "reading", &progress);
    const dlp_status status = add_source(b, &chosen, error);
    b->progress = NULL;
    return status;
}

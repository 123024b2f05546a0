/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of text files: its paths first, to put them in order, then file by file. */
#include "core/file.h"
#include "core/file_call.h"
#include "core/pool.h"
#include "corpus/text/text_builder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file to read, by its path from the root. */
struct listed {
    char *path;
    size_t size; /* as it was when listed */
};

/* A folder that is still to be listed, by its path from the root. */
struct pending {
    const char *path;
    struct pending *next;
};

struct walk {
    dlp_text_builder *b;
    const char *root;
    struct dlpi_pool pool; /* of all paths */
    struct pending *pending;
    struct listed *file; /* (room) */
    dlp_index files, room;
    size_t size; /* of all files */
};

static dlp_status fail_reading(const char *path, int code, dlp_error *error)
{
    const bool forbidden = code == EACCES || code == EPERM;
    const bool wrong =
        forbidden || code == ENOENT || code == ELOOP || code == ENAMETOOLONG;
    return dlpi_fail_errno(error, wrong ? DLP_EINPUT : DLP_EIO, path, "read", code,
                           forbidden ? "ask for permission or move it away"
                                     : "move it away or repair it");
}

/* "folder/name" in the pool; NULL without memory. */
static char *join(struct dlpi_pool *pool, const char *folder, const char *name)
{
    const size_t first = strlen(folder), size = first + strlen(name) + 2;
    const bool slash = first > 0 && folder[first - 1] != '/';
    char *path = dlpi_pool_take(pool, (dlp_index)size, 1);
    if (path) snprintf(path, size, "%s%s%s", folder, slash ? "/" : "", name);
    return path;
}

/* ---- the paths ---- */

static bool keep_file(struct walk *w, char *path, size_t size)
{
    if (w->files == w->room) {
        const dlp_index room = w->room ? 2 * w->room : 64;
        struct listed *file = realloc(w->file, (size_t)room * sizeof *file);
        if (!file) return false;
        w->file = file;
        w->room = room;
    }
    w->file[w->files++] = (struct listed){.path = path, .size = size};
    w->size += size;
    return true;
}

static bool keep_folder(struct walk *w, const char *path)
{
    struct pending *folder = dlpi_pool_take(&w->pool, 1, sizeof *folder);
    if (!folder) return false;
    *folder = (struct pending){.path = path, .next = w->pending};
    w->pending = folder;
    return true;
}

/* Links to files are followed, but not links to folders, which could form a cycle. */
static dlp_status keep_entry(struct walk *w, const char *folder, const char *name,
                             dlp_error *error)
{
    struct stat st;
    char *path = join(&w->pool, folder, name);
    const char *full = path ? join(&w->pool, w->root, path) : NULL;
    if (!full) return dlpi_no_memory(error, "the paths of a folder");
    if (lstat(full, &st) != 0) return fail_reading(full, errno, error);
    const bool link = S_ISLNK(st.st_mode);
    if (link && stat(full, &st) != 0) return fail_reading(full, errno, error);
    bool kept = true;
    if (S_ISREG(st.st_mode))
        kept = keep_file(w, path, (size_t)st.st_size);
    else if (S_ISDIR(st.st_mode) && !link)
        kept = keep_folder(w, path);
    else
        w->b->binary_skipped++;
    return kept ? DLP_OK : dlpi_no_memory(error, "the paths of a folder");
}

static dlp_status list_entries(struct walk *w, DIR *entries, const char *folder,
                               const char *full, dlp_error *error)
{
    for (;;) {
        dlpi_file_call_again();
        errno = 0;
        const struct dirent *entry = readdir(entries);
        if (!entry) return errno == 0 ? DLP_OK : fail_reading(full, errno, error);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (entry->d_name[0] == '.')
            w->b->hidden_skipped++;
        else
            DLP_TRY(keep_entry(w, folder, entry->d_name, error));
    }
}

static dlp_status list_folder(struct walk *w, const char *folder, dlp_error *error)
{
    const char *full = join(&w->pool, w->root, folder);
    if (!full) return dlpi_no_memory(error, "the paths of a folder");
    dlpi_file_call("listing", full);
    DIR *entries = opendir(full);
    dlp_status status = entries ? list_entries(w, entries, folder, full, error)
                                : fail_reading(full, errno, error);
    if (entries) (void)closedir(entries);
    dlpi_file_called();
    return status;
}

static int compare_paths(const void *a, const void *b)
{
    const struct listed *left = a, *right = b;
    return strcmp(left->path, right->path);
}

static dlp_status list_files(struct walk *w, dlp_error *error)
{
    DLP_TRY(list_folder(w, "", error));
    while (w->pending) {
        const char *folder = w->pending->path;
        w->pending = w->pending->next;
        DLP_TRY(list_folder(w, folder, error));
    }
    if (w->files > 0) qsort(w->file, (size_t)w->files, sizeof *w->file, compare_paths);
    return DLP_OK;
}

/* ---- the files ---- */

enum { PEEKED = 8192 }; /* bytes that tell text from other things */

/* Text has no zero bytes; UTF-16 has them, and so have pictures, programs and
   archives. */
static bool is_binary(const struct dlpi_bytes *bytes)
{
    const size_t size = bytes->size < PEEKED ? bytes->size : PEEKED;
    return size > 0 && memchr(bytes->data, '\0', size) != NULL;
}

/* Looks at the beginning of a file, so that a large one that is not wanted is not
   read. */
static dlp_status peek(const char *path, bool *binary, dlp_error *error)
{
    char data[PEEKED];
    const int fd = dlpi_file_open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return fail_reading(path, errno, error);
    ssize_t size = 0;
    dlpi_file_call("reading", path);
    do size = read(fd, data, sizeof data);
    while (size < 0 && errno == EINTR);
    const int code = errno;
    dlpi_file_called();
    (void)close(fd);
    if (size < 0) return fail_reading(path, code, error);
    const struct dlpi_bytes bytes = {.data = data, .size = (size_t)size};
    *binary = is_binary(&bytes) && !dlpi_is_compressed(&bytes);
    return DLP_OK;
}

static dlp_status add_file(struct walk *w, const char *path, dlp_error *error)
{
    struct dlpi_bytes bytes = {0};
    bool binary = false;
    const char *full = join(&w->pool, w->root, path);
    if (!full) return dlpi_no_memory(error, "the paths of a folder");
    DLP_TRY(peek(full, &binary, error));
    if (!binary) DLP_TRY(dlpi_input_read(full, NULL, &bytes, error));
    dlp_status status = DLP_OK;
    if (binary || is_binary(&bytes))
        w->b->binary_skipped++;
    else
        status = dlp_text_builder_add(w->b, path, bytes.data, bytes.size, error);
    free(bytes.data);
    return status;
}

static dlp_status add_files(struct walk *w, dlp_error *error)
{
    const dlp_index before = w->b->documents;
    size_t done = 0;
    dlpi_progress_step(w->b->progress, 1, w->size);
    for (dlp_index i = 0; i < w->files; i++) {
        DLP_TRY(dlpi_progress_tell(w->b->progress, done, error));
        DLP_TRY(add_file(w, w->file[i].path, error));
        done += w->file[i].size;
    }
    if (w->b->documents > before) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "%s: has no text files (%td hidden and %td binary ones are not read); "
        "expected one per document",
        w->root, w->b->hidden_skipped, w->b->binary_skipped);
}

dlp_status dlpi_text_add_folder(dlp_text_builder *b, const char *path, dlp_error *error)
{
    struct walk w = {.b = b, .root = path};
    dlp_status status = list_files(&w, error);
    if (status == DLP_OK) status = add_files(&w, error);
    dlpi_pool_free(&w.pool);
    free(w.file);
    return status;
}

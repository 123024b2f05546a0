/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/model/folder.h"
#include "core/file.h"

#include "core/core.h"
#include "core/crc32.h"
#include "core/file_begun.h"
#include "core/file_call.h"
#include "core/file_steps.h"
#include "io/json.h"

#include <delaplace/corpus.h>
#include <delaplace/file.h>
#include <delaplace/npy.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW ".new"

/* The files besides model.json. */
static const char *const files[] = {"beta.npy",         "mu.npy",
                                    "gamma.npy",        "sigma.npy",
                                    "theta.npy",        "vocab.txt",
                                    "docs.txt",         "trace.csv",
                                    "beta_time.npy",    "beta_time_sd.npy",
                                    "slice.npy",        "slices.txt",
                                    "beta_content.npy", "beta_content_sd.npy",
                                    "content.npy",      "content_sd.npy",
                                    "groups.txt",       NULL};
static const char model[] = "model.json";

/* ---- paths ---- */

char *dlpi_folder_path(const char *folder, const char *name, const char *suffix)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    const size_t size = length + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%.*s/%s%s", (int)length, folder, name, suffix);
    return path;
}

dlp_status dlpi_folder_no_path(dlp_error *error)
{
    return dlpi_no_memory(error, "a file's name");
}

/* The same without allocating: memory may be short when we clean up after a failure. A
   path that does not fit names nothing. */
typedef struct short_path {
    char text[PATH_MAX];
} short_path;

static short_path path_of(const char *folder, const char *name, const char *suffix)
{
    short_path path;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') length--;
    const int size = snprintf(path.text, sizeof path.text, "%.*s/%s%s", (int)length,
                              folder, name, suffix);
    if (size < 0 || (size_t)size >= sizeof path.text) path.text[0] = '\0';
    return path;
}

static bool exists(const char *folder, const char *name, const char *suffix)
{
    return access(path_of(folder, name, suffix).text, F_OK) == 0;
}

bool dlpi_folder_has(const char *folder, const char *name)
{
    return exists(folder, name, "");
}

/* The file need not be there. */
static void remove_file(const char *folder, const char *name, const char *suffix)
{
    const short_path path = path_of(folder, name, suffix);
    (void)unlink(path.text);
    dlpi_begun_drop(path.text);
}

static dlp_status fail_errno(const char *path, const char *doing, const char *advice,
                             dlp_error *error)
{
    return dlp_fail(error, DLP_EIO, "%s: cannot %s: %s; %s", path, doing, strerror(errno),
                    advice);
}

/* ---- renaming ---- */

/* X.new to X, where there is an X.new. */
static dlp_status put_in_place(const char *folder, const char *name, int *done,
                               dlp_error *error)
{
    const short_path from = path_of(folder, name, NEW), to = path_of(folder, name, "");
    const int code = dlpi_rename(from.text, to.text);
    *done += code == 0;
    if (!code || code == ENOENT) return DLP_OK;
    return dlpi_fail_errno(error, DLP_EIO, from.text, "rename", code,
                           "try again, or name another folder");
}

static bool is_listed(const json_t *info, const char *name)
{
    return json_object_get(json_object_get(info, "files"), name) != NULL;
}

/* trace.csv has times, but model.json must have the same bytes at every repetition: so
   trace.csv has no checksum there. */
static bool belongs(const json_t *info, const char *name)
{
    return is_listed(info, name) || !strcmp(name, "trace.csv");
}

/* A power cut after this keeps the names. Where a folder cannot be synced the files are
   whole all the same. */
static void sync_folder(const char *folder)
{
    dlpi_file_call("syncing", folder);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
    dlpi_file_called();
}

/* Renames all X.new to X, and removes files of the former model that the new one lacks.
   *done counts the renames, which cannot be undone. */
static dlp_status finish(const char *folder, const json_t *info, int *done,
                         dlp_error *error)
{
    for (const char *const *name = files; *name; name++)
        if (belongs(info, *name)) DLP_TRY(put_in_place(folder, *name, done, error));
    for (const char *const *name = files; *name; name++)
        if (!belongs(info, *name)) remove_file(folder, *name, "");
    sync_folder(folder);
    DLP_TRY(put_in_place(folder, model, done, error));
    sync_folder(folder);
    return DLP_OK;
}

void dlpi_folder_abandon(const char *folder)
{
    remove_file(folder, model, NEW); /* first: without it the others mean nothing */
    for (const char *const *name = files; *name; name++) remove_file(folder, *name, NEW);
}

/* Removes what a killed writer had begun, under the names that dlp_file_write gives. */
static void remove_begun(const char *folder)
{
    DIR *listing = opendir(folder);
    const struct dirent *entry;
    while (listing && (entry = readdir(listing)))
        if (!strncmp(entry->d_name, ".delaplace-", 11))
            remove_file(folder, entry->d_name, "");
    if (listing) closedir(listing);
}

/* The folder is ours alone now. */
static dlp_status recover(const char *folder, dlp_error *error)
{
    remove_begun(folder);
    if (!exists(folder, model, NEW)) {
        dlpi_folder_abandon(folder);
        return DLP_OK;
    }
    json_t *info;
    DLP_TRY(dlpi_folder_read_info(folder, &info, error));
    int done = 0;
    const dlp_status status = finish(folder, info, &done, error);
    json_decref(info);
    return status;
}

dlp_status dlpi_folder_commit(const char *folder, const json_t *info, dlp_error *error)
{
    int done = 0;
    if (dlpi_commit_begin() != 0)
        return dlp_fail(error, DLP_ECANCELLED, "%s: the program is ending", folder);
    dlp_status status = dlpi_json_write(info, path_of(folder, model, NEW).text, error);
    if (status == DLP_OK) status = finish(folder, info, &done, error);
    dlpi_commit_end();
    /* once a file is in its place, readers use model.json.new, and the next fit
       finishes */
    if (status != DLP_OK && done == 0) dlpi_folder_abandon(folder);
    return status;
}

/* ---- the folder ---- */

static dlp_status make_folder(const char *folder, bool *made, dlp_error *error)
{
    struct stat st;
    dlpi_file_call("making", folder);
    *made = mkdir(folder, 0777) == 0;
    dlpi_file_called();
    if (*made) return DLP_OK;
    if (errno != EEXIST)
        return fail_errno(folder, "make the folder",
                          "make the folder above it first, or name another", error);
    if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode)) return DLP_OK;
    return dlp_fail(error, DLP_EIO,
                    "%s: is a file, but a model is a folder; name another", folder);
}

/* Whether a fit that was killed may have left this name: a file of a model that never
   took its place, or a hidden one. */
static bool is_left(const char *name)
{
    bool found = name[0] == '.';
    for (const char *const *file = files; *file && !found; file++) {
        const size_t length = strlen(*file);
        found = !strncmp(name, *file, length) && !strcmp(name + length, NEW);
    }
    return found;
}

int dlp_topic_model_has_file(const char *folder, const char *path)
{
    bool found = dlpi_file_same(path_of(folder, model, "").text, path);
    for (const char *const *file = files; *file && !found; file++)
        found = dlpi_file_same(path_of(folder, *file, "").text, path);
    return found;
}

/* A folder with other things in it was likely named by mistake. */
static dlp_status check_folder(const char *folder, dlp_error *error)
{
    const struct dirent *entry;
    dlp_status status = DLP_OK;
    if (exists(folder, model, "") || exists(folder, model, NEW) ||
        exists(folder, "checkpoint", ""))
        return DLP_OK;
    DIR *listing = opendir(folder);
    while (listing && status == DLP_OK && (entry = readdir(listing)))
        if (!is_left(entry->d_name))
            status = dlp_fail(error, DLP_EINVAL,
                              "%s: holds other files ('%.80s') and no model; name a new "
                              "folder, such as %.200s/model",
                              folder, entry->d_name, folder);
    if (listing) (void)closedir(listing);
    return status;
}

/* Locks do not work everywhere; where they do, two fits cannot write to one folder. */
static dlp_status lock_folder(const char *folder, int *lock, dlp_error *error)
{
    *lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return fail_errno(folder, "open the folder", "name one that you may use", error);
    if (flock(*lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return DLP_OK;
    return dlp_fail(error, DLP_EIO,
                    "%s: another fit is writing to this folder; wait for it, or name "
                    "another",
                    folder);
}

static dlp_status try_folder(const char *folder, dlp_error *error)
{
    char *path = dlpi_folder_path(folder, model, "");
    if (!path) return dlpi_folder_no_path(error);
    const dlp_status status = dlp_file_try(path, error);
    free(path);
    return status;
}

static dlp_status claim(dlp_topic_folder *folder, dlp_error *error)
{
    DLP_TRY(make_folder(folder->path, &folder->made, error));
    if (!folder->made) DLP_TRY(check_folder(folder->path, error));
    DLP_TRY(lock_folder(folder->path, &folder->lock, error));
    DLP_TRY(try_folder(folder->path, error));
    return recover(folder->path, error);
}

dlp_status dlp_topic_folder_open(const char *path, dlp_topic_folder **folder,
                                 dlp_error *error)
{
    *folder = NULL;
    dlp_topic_folder *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_folder_no_path(error);
    made->lock = -1;
    const size_t length = strlen(path) + 1;
    made->path = dlpi_calloc((dlp_index)length, 1);
    if (made->path) memcpy(made->path, path, length);
    const dlp_status status =
        made->path ? claim(made, error) : dlpi_folder_no_path(error);
    if (status != DLP_OK) {
        dlp_topic_folder_close(made);
        return status;
    }
    *folder = made;
    return DLP_OK;
}

void dlp_topic_folder_close(dlp_topic_folder *folder)
{
    if (!folder) return;
    if (folder->path && folder->made)
        (void)rmdir(folder->path); /* one that holds a file stays */
    if (folder->lock >= 0) (void)close(folder->lock);
    free(folder->path);
    free(folder);
}

int dlp_topic_folder_has_checkpoint(const dlp_topic_folder *folder)
{
    return dlpi_folder_has(folder->path, "checkpoint");
}

/* ---- checksums ---- */

static dlp_status read_through(FILE *in, const char *path, json_int_t *bytes,
                               uint32_t *crc, dlp_error *error)
{
    enum { STEP = 1 << 16 };
    unsigned char buffer[STEP];
    size_t got;
    *bytes = 0;
    *crc = 0;
    while ((got = dlpi_file_read(path, in, buffer, sizeof buffer)) > 0) {
        *bytes += (json_int_t)got;
        *crc = dlpi_crc32(*crc, buffer, got);
    }
    return ferror(in) ? fail_errno(path, "read", "try again", error) : DLP_OK;
}

static dlp_status cannot_open(const char *path, dlp_error *error)
{
    if (errno == ENOMEM) return dlpi_no_memory_to_read(error, path);
    if (!dlpi_names_no_file(errno)) return fail_errno(path, "read", "try again", error);
    return dlp_fail(error, DLP_EINPUT,
                    "%s: cannot read: %s; if it was moved or removed, fit again", path,
                    strerror(errno));
}

dlp_status dlpi_folder_checksum(const char *path, json_t **sum, dlp_error *error)
{
    json_int_t bytes;
    uint32_t crc;
    *sum = NULL;
    FILE *in = dlpi_file_stream(path);
    if (!in) return cannot_open(path, error);
    const dlp_status status = read_through(in, path, &bytes, &crc, error);
    fclose(in);
    if (status != DLP_OK) return status;
    char text[16];
    snprintf(text, sizeof text, "%08" PRIx32, crc);
    *sum = json_pack("{s:I, s:s}", "bytes", bytes, "crc32", text);
    return *sum ? DLP_OK : dlpi_folder_no_path(error);
}

/* ---- its files ---- */

dlp_status dlpi_folder_read_info(const char *folder, json_t **info, dlp_error *error)
{
    const char *suffix = exists(folder, model, NEW) ? NEW : "";
    char *path = dlpi_folder_path(folder, model, suffix);
    *info = NULL;
    if (!path) return dlpi_folder_no_path(error);
    const dlp_status status = dlpi_json_read(path, "a topic model", info, error);
    free(path);
    return status;
}

/* Whether the file has the checksum that it should have. */
static dlp_status compare(const char *path, const json_t *wanted, dlp_error *error)
{
    json_t *found;
    DLP_TRY(dlpi_folder_checksum(path, &found, error));
    const bool same = json_equal(found, wanted);
    json_decref(found);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s: is not the file that model.json describes: it was damaged, "
                    "edited, or belongs to another fit; fit again",
                    path);
}

dlp_status dlpi_folder_find(const char *folder, const json_t *info, const char *name,
                            char **path, dlp_error *error)
{
    const json_t *wanted = json_object_get(json_object_get(info, "files"), name);
    const bool pending = exists(folder, model, NEW) && exists(folder, name, NEW);
    *path = dlpi_folder_path(folder, name, pending ? NEW : "");
    if (!*path) return dlpi_folder_no_path(error);
    const dlp_status status = compare(*path, wanted, error);
    if (status == DLP_OK) return DLP_OK;
    free(*path);
    *path = NULL;
    return status;
}

dlp_status dlpi_folder_read_array(const char *folder, const json_t *info,
                                  const char *name, dlp_index rows, dlp_index columns,
                                  double **x, dlp_error *error)
{
    dlp_index shape[2] = {rows, columns};
    char *path;
    DLP_TRY(dlpi_folder_find(folder, info, name, &path, error));
    const dlp_status status = dlp_npy_read(path, columns > 0 ? 2 : 1, shape, x, error);
    free(path);
    return status;
}

/* The library reads lines as names of a corpus's documents. */
dlp_status dlpi_folder_read_lines(const char *folder, const json_t *info,
                                  const char *name, dlp_index n, char ***lines,
                                  dlp_error *error)
{
    dlp_corpus corpus = {.D = n};
    char *path;
    DLP_TRY(dlpi_folder_find(folder, info, name, &path, error));
    const dlp_status status = dlp_corpus_read_names(&corpus, path, error);
    free(path);
    *lines = corpus.name;
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/model/folder_files.h"

#include "core/core.h"
#include "core/file_begun.h"
#include "io/npy.h"
#include "topics/model/folder.h"

#include <delaplace/file.h>
#include <delaplace/npy.h>

#include <stdlib.h>

dlpi_folder_files dlpi_folder_files_begin(const char *folder, dlp_error *error)
{
    return (dlpi_folder_files){.folder = folder, .list = json_object(), .error = error};
}

static dlp_status list_file(const dlpi_folder_files *f, const char *name,
                            const char *path)
{
    json_t *sum;
    DLP_TRY(dlpi_folder_checksum(path, &sum, f->error));
    if (json_object_set_new(f->list, name, sum) == 0) return DLP_OK;
    return dlpi_folder_no_path(f->error);
}

dlp_status dlpi_folder_put_array(const dlpi_folder_files *f, const char *name,
                                 dlp_index rows, dlp_index columns, const double *x)
{
    return dlpi_folder_put_numbers(f, name, rows, columns, x, false);
}

dlp_status dlpi_folder_put_numbers(const dlpi_folder_files *f, const char *name,
                                   dlp_index rows, dlp_index columns, const double *x,
                                   bool mapped)
{
    const dlp_index shape[2] = {rows, columns};
    char *path = dlpi_folder_path(f->folder, name, ".new");
    if (!path) return dlpi_folder_no_path(f->error);
    dlpi_begun_add(path); /* dropped at the folder's end, in place or gone */
    dlp_status status =
        dlpi_npy_write(path, columns > 0 ? 2 : 1, shape, x, mapped, f->error);
    if (status == DLP_OK) status = list_file(f, name, path);
    free(path);
    return status;
}

dlp_status dlpi_folder_put_text(const dlpi_folder_files *f, const char *name,
                                dlpi_print_text *print, const void *what, bool listed)
{
    char *path = dlpi_folder_path(f->folder, name, ".new");
    if (!path) return dlpi_folder_no_path(f->error);
    dlpi_begun_add(path);
    dlp_status status = dlpi_print_file(path, print, what, f->error);
    if (status == DLP_OK && listed) status = list_file(f, name, path);
    free(path);
    return status;
}

typedef struct lines {
    char *const *line;
    dlp_index n;
} lines;

static void print_lines(FILE *out, const void *what)
{
    const lines *l = what;
    for (dlp_index i = 0; i < l->n; i++) fprintf(out, "%s\n", l->line[i]);
}

dlp_status dlpi_folder_put_lines(const dlpi_folder_files *f, const char *name,
                                 char *const *line, dlp_index n)
{
    const lines all = {line, n};
    return line ? dlpi_folder_put_text(f, name, print_lines, &all, true) : DLP_OK;
}

dlp_status dlpi_folder_files_end(dlpi_folder_files *f, dlp_status status, json_t *info)
{
    if (status == DLP_OK && (!info || json_object_set(info, "files", f->list) != 0))
        status = dlpi_folder_no_path(f->error);
    if (status == DLP_OK)
        status = dlpi_folder_commit(f->folder, info, f->error);
    else
        dlpi_folder_abandon(f->folder);
    json_decref(info);
    json_decref(f->list);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/topics/files.h"

#include "cli/say.h"
#include "cli/topics/commit.h"

#include <stdio.h>
#include <stdlib.h>

cli_topics_files cli_topics_files_begin(const char *folder, dlp_error *error)
{
    return (cli_topics_files){.folder = folder, .list = json_object(), .error = error};
}

static dlp_status list_file(const cli_topics_files *f, const char *name, const char *path)
{
    json_t *sum;
    CLI_TRY(cli_topics_checksum(path, &sum, f->error));
    if (json_object_set_new(f->list, name, sum) == 0) return DLP_OK;
    return cli_topics_no_path(f->error);
}

dlp_status cli_topics_put_array(const cli_topics_files *f, const char *name,
                                dlp_index rows, dlp_index columns, const double *x)
{
    const dlp_index shape[2] = {rows, columns};
    char *path = cli_topics_path(f->folder, name, ".new");
    if (!path) return cli_topics_no_path(f->error);
    dlp_status status = dlp_npy_write(path, columns > 0 ? 2 : 1, shape, x, f->error);
    if (status == DLP_OK) status = list_file(f, name, path);
    free(path);
    return status;
}

dlp_status cli_topics_put_text(const cli_topics_files *f, const char *name,
                               cli_print_text *print, const void *what, bool listed)
{
    char *path = cli_topics_path(f->folder, name, ".new");
    if (!path) return cli_topics_no_path(f->error);
    dlp_status status = cli_text_write(path, print, what, f->error);
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

dlp_status cli_topics_put_lines(const cli_topics_files *f, const char *name,
                                char *const *line, dlp_index n)
{
    const lines all = {line, n};
    return line ? cli_topics_put_text(f, name, print_lines, &all, true) : DLP_OK;
}

dlp_status cli_topics_files_end(cli_topics_files *f, dlp_status status, json_t *info)
{
    if (status == DLP_OK && (!info || json_object_set(info, "files", f->list) != 0))
        status = cli_topics_no_path(f->error);
    if (status == DLP_OK)
        status = cli_topics_commit(f->folder, info, f->error);
    else
        cli_topics_abandon(f->folder);
    json_decref(info);
    json_decref(f->list);
    return status;
}

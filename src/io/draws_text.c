/* SPDX-License-Identifier: BSD-3-Clause */
#include "io/draws_text.h"

#include "core/core.h"
#include "io/csv_text.h"
#include "io/number.h"
#include "io/print_file.h"

#include <delaplace/file.h>
#include <stdio.h>
#include <string.h>

static const char *const formats[] = {"csv", "cmdstan", "coda", NULL};

const char *dlpi_draws_format(int i)
{
    return i >= 0 && i < 3 ? formats[i] : NULL;
}

/* A file that grows in memory, and then joins a set. */
typedef struct growing {
    FILE *file;
    char *text;
    size_t size;
} growing;

static dlp_status finish(growing *g, const char *path, dlp_file_set *files,
                         dlp_error *error)
{
    dlp_status status =
        dlpi_close_text(g->file, &g->text) ? DLP_OK : dlpi_no_memory(error, "the draws");
    if (status == DLP_OK)
        status = dlp_file_set_write(files, NULL, path, g->text, g->size, error);
    free(g->text);
    return status;
}

static dlp_status begin(growing *g, dlp_error *error)
{
    *g = (growing){.text = NULL};
    g->file = dlpi_open_text(&g->text, &g->size);
    return g->file ? DLP_OK : dlpi_no_memory(error, "the draws");
}

static double value_of(const dlpi_draws_table *t, dlp_index i, dlp_index k)
{
    return t->value[i * t->draws + k];
}

/* ---- CSV ---- */

static void put(void *sink, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, sink);
}

static void write_name(FILE *file, const char *name)
{
    const bool quoted = dlpi_csv_needs_quotes(name);
    if (quoted) fputc('"', file);
    dlpi_csv_put_text(name, put, file);
    if (quoted) fputc('"', file);
}

static dlp_status save_csv(const dlpi_draws_table *t, const char *path,
                           dlp_file_set *files, dlp_error *error)
{
    growing g;
    DLP_TRY(begin(&g, error));
    for (dlp_index i = 0; i < t->columns; i++) {
        if (i > 0) fputc(',', g.file);
        write_name(g.file, t->name(t->of, i));
    }
    for (dlp_index k = 0; k < t->draws; k++)
        for (dlp_index i = 0; i < t->columns; i++) {
            fputc(i > 0 ? ',' : '\n', g.file);
            dlpi_number_put(g.file, 10, value_of(t, i, k));
        }
    fputc('\n', g.file);
    return finish(&g, path, files, error);
}

/* ---- CmdStan's ---- */

/* CmdStan writes beta[2,1] as beta.2.1, and its names have no dots. */
static void write_heading(FILE *file, const char *name)
{
    fputc(',', file);
    for (const char *at = name; *at; at++)
        if (*at == '[' || *at == ',')
            fputc('.', file);
        else if (*at != ']')
            fputc(*at == '.' || *at == '"' || *at == '\n' ? '_' : *at, file);
}

static dlp_status save_cmdstan(const dlpi_draws_table *t, const char *path,
                               dlp_file_set *files, dlp_error *error)
{
    growing g;
    DLP_TRY(begin(&g, error));
    fputs("lp__", g.file);
    for (dlp_index i = 0; i < t->columns; i++) write_heading(g.file, t->name(t->of, i));
    for (dlp_index k = 0; k < t->draws; k++) {
        fputc('\n', g.file);
        dlpi_number_put(g.file, 10, t->log_density ? t->log_density[k] : 0);
        for (dlp_index i = 0; i < t->columns; i++) {
            fputc(',', g.file);
            dlpi_number_put(g.file, 10, value_of(t, i, k));
        }
    }
    fputc('\n', g.file);
    return finish(&g, path, files, error);
}

/* ---- CODA's ---- */

/* A name is one word there. */
static void write_word(FILE *file, const char *name)
{
    for (const char *at = name; *at; at++)
        fputc(*at == ' ' || *at == '\t' || *at == '\n' ? '_' : *at, file);
}

static dlp_status save_index(const dlpi_draws_table *t, const char *path,
                             dlp_file_set *files, dlp_error *error)
{
    growing g;
    DLP_TRY(begin(&g, error));
    for (dlp_index i = 0; i < t->columns; i++) {
        write_word(g.file, t->name(t->of, i));
        fprintf(g.file, " %td %td\n", i * t->draws + 1, (i + 1) * t->draws);
    }
    return finish(&g, path, files, error);
}

static dlp_status save_chain(const dlpi_draws_table *t, const char *path,
                             dlp_file_set *files, dlp_error *error)
{
    growing g;
    DLP_TRY(begin(&g, error));
    for (dlp_index i = 0; i < t->columns; i++)
        for (dlp_index k = 0; k < t->draws; k++) {
            fprintf(g.file, "%td ", k + 1);
            dlpi_number_put(g.file, 10, value_of(t, i, k));
            fputc('\n', g.file);
        }
    return finish(&g, path, files, error);
}

static dlp_status save_coda(const dlpi_draws_table *t, const char *path,
                            dlp_file_set *files, dlp_error *error)
{
    const size_t room = strlen(path) + 16;
    char *name = malloc(room);
    if (!name) return dlpi_no_memory(error, "the draws");
    snprintf(name, room, "%sindex.txt", path);
    dlp_status status = save_index(t, name, files, error);
    snprintf(name, room, "%schain1.txt", path);
    if (status == DLP_OK) status = save_chain(t, name, files, error);
    free(name);
    return status;
}

dlp_status dlpi_draws_add(const dlpi_draws_table *t, const char *format, const char *path,
                          dlp_file_set *files, dlp_error *error)
{
    if (!strcmp(format, "csv")) return save_csv(t, path, files, error);
    if (!strcmp(format, "cmdstan")) return save_cmdstan(t, path, files, error);
    if (!strcmp(format, "coda")) return save_coda(t, path, files, error);
    return dlp_fail(error, DLP_EINVAL,
                    "draws are written as csv, cmdstan or coda, not '%.80s'", format);
}

dlp_status dlpi_draws_save(const dlpi_draws_table *t, const char *format,
                           const char *path, dlp_error *error)
{
    dlp_file_set *files = NULL;
    DLP_TRY(dlp_file_set_alloc(&files, error));
    dlp_status status = dlpi_draws_add(t, format, path, files, error);
    if (status == DLP_OK) status = dlp_file_set_commit(files, error);
    dlp_file_set_free(files);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of the posterior as a file that others read. */
#include "bugs/bugs.h"
#include "core/core.h"
#include "io/draws_text.h"

#include <stdlib.h>

static const char *name_at(const void *of, dlp_index i)
{
    return ((const dlp_bugs_result *)of)->node[i].name;
}

static dlpi_draws_table table_of(const dlp_bugs_result *r)
{
    return (dlpi_draws_table){.columns = r->n_nodes,
                              .draws = r->n_draws,
                              .name = name_at,
                              .of = r,
                              .value = r->draw};
}

static dlp_status save(const dlp_bugs *model, const char *format, const char *path,
                       dlp_error *error)
{
    const dlpi_draws_table table = table_of(&model->result);
    if (!model->fitted) return dlp_fail(error, DLP_EINVAL, "the model is not fitted yet");
    return dlpi_draws_save(&table, format, path, error);
}

dlp_status dlp_bugs_save_draws(const dlp_bugs *model, const char *path, dlp_error *error)
{
    return save(model, "cmdstan", path, error);
}

dlp_status dlp_bugs_save_coda(const dlp_bugs *model, const char *prefix, dlp_error *error)
{
    return save(model, "coda", prefix, error);
}

static dlp_status add_fit(const dlp_bugs *model, const char *path, dlp_file_set *files,
                          dlp_error *error)
{
    char *text;
    size_t size;
    DLP_TRY(dlp_bugs_json(model, &text, &size, error));
    const dlp_status status = dlp_file_set_write(files, NULL, path, text, size, error);
    free(text);
    return status;
}

dlp_status dlp_bugs_add_files(const dlp_bugs *model, const char *fit, const char *draws,
                              const char *coda, dlp_file_set *files, dlp_error *error)
{
    const dlpi_draws_table table = table_of(&model->result);
    if (!model->fitted) return dlp_fail(error, DLP_EINVAL, "the model is not fitted yet");
    if (fit) DLP_TRY(add_fit(model, fit, files, error));
    if (draws) DLP_TRY(dlpi_draws_add(&table, "cmdstan", draws, files, error));
    return coda ? dlpi_draws_add(&table, "coda", coda, files, error) : DLP_OK;
}

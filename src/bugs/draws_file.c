/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of the posterior as a file that others read. */
#include "bugs/bugs.h"
#include "io/draws_text.h"

static const char *name_at(const void *of, dlp_index i)
{
    return ((const dlp_bugs_result *)of)->node[i].name;
}

static dlp_status save(const dlp_bugs *model, const char *format, const char *path,
                       dlp_error *error)
{
    const dlp_bugs_result *r = &model->result;
    const dlpi_draws_table table = {.columns = r->n_nodes,
                                    .draws = r->n_draws,
                                    .name = name_at,
                                    .of = r,
                                    .value = r->draw};
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

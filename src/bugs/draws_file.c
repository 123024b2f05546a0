/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws of the posterior as a file that others read. */
#include "bugs/bugs.h"
#include "core/core.h"

#include <delaplace/file.h>
#include <stdio.h>

/* CmdStan writes beta[2,1] as beta.2.1, and its names have no dots. */
static void write_heading(FILE *file, const char *name)
{
    fputc(',', file);
    for (const char *at = name; *at; at++)
        if (*at == '[' || *at == ',')
            fputc('.', file);
        else if (*at != ']')
            fputc(*at == '.' ? '_' : *at, file);
}

dlp_status dlp_bugs_save_draws(const dlp_bugs *model, const char *path, dlp_error *error)
{
    const dlp_bugs_result *r = &model->result;
    char *text = NULL;
    size_t size = 0;
    if (!model->fitted) return dlp_fail(error, DLP_EINVAL, "the model is not fitted yet");
    FILE *file = open_memstream(&text, &size);
    if (!file) return dlpi_no_memory(error, "the draws");
    fputs("lp__", file);
    for (dlp_index i = 0; i < r->n_nodes; i++) write_heading(file, r->node[i].name);
    for (dlp_index k = 0; k < r->n_draws; k++) {
        fputs("\n0", file);
        for (dlp_index i = 0; i < r->n_nodes; i++)
            fprintf(file, ",%.10g", r->draw[i * r->n_draws + k]);
    }
    fputc('\n', file);
    dlp_status status = fclose(file) == 0 ? DLP_OK : dlpi_no_memory(error, "the draws");
    if (status == DLP_OK) status = dlp_file_write(path, text, size, error);
    free(text);
    return status;
}

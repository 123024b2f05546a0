/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a regression as a table for programs, with the names of R's broom. */
#include "cli/csv.h"
#include "cli/glm/view.h"
#include "cli/message.h"
#include "io/print_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tidy {
    const dlp_regression *fit;
    const cli_glm_view *view;
    dlp_error *error;
} tidy;

static void write_number(FILE *out, double x)
{
    if (isnan(x))
        fputc(',', out);
    else
        fprintf(out, ",%.10g", x);
}

/* A value, transformed if the view asks for it. */
static double value_shown(const tidy *t, const dlp_parameter *q, double x)
{
    return t->view->exponentiate ? dlp_parameter_ratio(q, x) : x;
}

static void write_head(FILE *out, const cli_intervals *levels)
{
    fputs("term,y.level,kind,group,estimate,std.error", out);
    for (int k = 0; k < levels->n; k++)
        if (levels->n == 1)
            fputs(",conf.low,conf.high", out);
        else
            fprintf(out, ",conf.low.%.4g,conf.high.%.4g", levels->level[k],
                    levels->level[k]);
    fputc('\n', out);
}

static void write_parameter(FILE *out, const tidy *t, const char *group,
                            const dlp_parameter *q, const double *bound, dlp_index n,
                            dlp_index i)
{
    static const char *const kinds[] = {[DLP_COEFFICIENT] = "coefficient",
                                        [DLP_SCALE] = "scale",
                                        [DLP_CUT_POINT] = "cut"};
    char name[1024];
    const bool of_level = q->kind == DLP_COEFFICIENT && q->level;
    if (of_level)
        snprintf(name, sizeof name, "%s", q->term);
    else
        dlp_parameter_name(q, name, sizeof name);
    cli_csv_text(out, "", name);
    fputc(',', out);
    cli_csv_text(out, "", of_level ? q->level : "");
    fprintf(out, ",%s,", kinds[q->kind]);
    cli_csv_text(out, "", group ? group : "");
    write_number(out, value_shown(t, q, q->mean));
    write_number(out, q->sd);
    for (dlp_index k = 0; bound && k < (dlp_index)2 * t->view->intervals.n; k++)
        write_number(out, value_shown(t, q, bound[k * n + i]));
    fputc('\n', out);
}

static dlp_status write_parameters(FILE *out, const tidy *t, dlp_index whose,
                                   const char *group)
{
    const dlp_index n = dlp_regression_result_of(t->fit)->n;
    const cli_intervals *levels = &t->view->intervals;
    dlp_parameter *all;
    CLI_TRY(cli_glm_parameters(t->fit, whose, &all, t->error));
    double *bound = calloc((size_t)levels->n * (size_t)n, 2 * sizeof *bound);
    dlp_status status =
        bound ? DLP_OK
              : dlp_fail(t->error, DLP_ENOMEM, "not enough memory for the parameters");
    for (dlp_index k = 0; k < levels->n && status == DLP_OK; k++)
        status =
            dlp_regression_intervals(t->fit, whose, levels->level[k], bound + 2 * k * n,
                                     bound + (2 * k + 1) * n, t->error);
    for (dlp_index i = 0; status == DLP_OK && i < n; i++)
        write_parameter(out, t, group, &all[i], bound, n, i);
    free(bound);
    free(all);
    return status;
}

static dlp_status write_all(FILE *out, const tidy *t)
{
    const dlp_regression_result *r = dlp_regression_result_of(t->fit);
    const cli_glm_view *view = t->view;
    write_head(out, &view->intervals);
    if (!dlp_regression_is_grouped(r)) return write_parameters(out, t, 0, NULL);
    if (view->group >= 0)
        return write_parameters(out, t, view->group,
                                dlp_regression_group(t->fit, view->group));
    if (!view->every_group)
        return write_parameters(out, t,
                                r->mu0 ? DLP_MEAN_OF_GROUPS : DLP_SPREAD_OF_GROUPS, NULL);
    for (dlp_index m = 0; m < r->M; m++)
        CLI_TRY(write_parameters(out, t, m, dlp_regression_group(t->fit, m)));
    return DLP_OK;
}

dlp_status cli_glm_write_tidy(const dlp_regression *fit, const cli_glm_view *view,
                              const char *path, dlp_error *error)
{
    tidy t = {.fit = fit, .view = view, .error = error};
    char *text = NULL;
    size_t size = 0;
    FILE *out = dlpi_open_text(&text, &size);
    if (!out) return dlp_fail(error, DLP_ENOMEM, "not enough memory for the parameters");
    dlp_status status = write_all(out, &t);
    if (!dlpi_close_text(out, &text) && status == DLP_OK)
        status = dlp_fail(error, DLP_ENOMEM, "not enough memory for the parameters");
    if (status == DLP_OK) status = dlp_file_write(path, text, size, error);
    free(text);
    return status;
}

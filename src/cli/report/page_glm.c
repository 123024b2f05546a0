/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression for its report. */
#include "cli/glm/view.h"
#include "cli/report/page.h"
#include "io/json.h"

#include <stdlib.h>

/* ---- terms ---- */

static const char *const kind_name[] = {
    [DLP_COEFFICIENT] = "coefficient", [DLP_SCALE] = "scale", [DLP_CUT_POINT] = "cut"};

static json_t *term_at(const void *of, dlp_index i)
{
    const cli_glm_listed *item = (const cli_glm_listed *)of + i;
    const dlp_parameter *q = &item->parameter;
    char name[512], remark[64] = "";
    dlp_parameter_name(q, name, sizeof name);
    if (item->verified) dlp_verified_remark(item->verified, remark, sizeof remark);
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:s}", "name",
                     dlpi_json_text(name), "kind", kind_name[q->kind], "mean",
                     dlpi_json_real(q->mean), "sd", dlpi_json_real(q->sd), "lower",
                     dlpi_json_real(q->lower), "upper", dlpi_json_real(q->upper),
                     "shared", q->shared, "remark", remark);
}

static json_t *terms_json(const dlp_regression *fit, dlp_index whose)
{
    cli_glm_list_of of;
    const dlp_index n = dlp_regression_result_of(fit)->n;
    if (cli_glm_list(fit, whose, n, &of, NULL) != DLP_OK) return NULL;
    json_t *list = dlpi_json_list(of.n, term_at, of.item);
    free(of.item);
    return list;
}

/* The terms of the single regression, or of the population of groups. */
static json_t *shared_terms_json(const dlp_regression *fit)
{
    const bool grouped = dlp_regression_is_grouped(dlp_regression_result_of(fit));
    return terms_json(fit, grouped ? DLP_SPREAD_OF_GROUPS : 0);
}

/* The mean of the groups and its uncertainty, which is not known for separate fits. */
static json_t *mean_of_groups_json(const dlp_regression *fit)
{
    return dlp_regression_result_of(fit)->mu0 ? terms_json(fit, DLP_MEAN_OF_GROUPS)
                                              : json_null();
}

/* ---- groups ---- */

static json_t *group_name_at(const void *of, dlp_index m)
{
    const dlp_regression_result *fit = of;
    return dlpi_json_text(fit->terms->group.level[m]);
}

static json_t *group_mean_at(const void *of, dlp_index m)
{
    const dlp_regression_result *fit = of;
    return cli_page_reals(fit->n, fit->mu + m * fit->n);
}

typedef struct member {
    const dlp_regression_result *fit;
    dlp_index m;
} member;

static json_t *sd_at(const void *of, dlp_index i)
{
    const member *g = of;
    return dlpi_json_real(dlp_regression_sd(g->fit, g->m, i));
}

static json_t *group_sd_at(const void *of, dlp_index m)
{
    const dlp_regression_result *fit = of;
    const member g = {fit, m};
    return dlpi_json_list(fit->n, sd_at, &g);
}

/* Values are on the engine's scale: coefficients as they are, other parameters as
   logarithms. */
static json_t *groups_json(const dlp_regression_result *fit)
{
    if (!dlp_regression_is_grouped(fit)) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "variable",
                     dlpi_json_text(fit->terms->group.variable), "name",
                     dlpi_json_list(fit->M, group_name_at, fit), "mean",
                     dlpi_json_list(fit->M, group_mean_at, fit), "sd",
                     dlpi_json_list(fit->M, group_sd_at, fit));
}

/* ---- the whole ---- */

static json_t *objective_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_trace_row *)of)[i].objective);
}

/* The summary of the fit, as in its file. */
static json_t *summary_json(const dlp_regression *fit)
{
    char *text;
    size_t size;
    if (dlp_regression_json(fit, DLP_PART_SUMMARY, 0, &text, &size, NULL) != DLP_OK)
        return NULL;
    json_t *summary = dlpi_json_loadb(text, size, 0, NULL);
    free(text);
    return summary;
}

/* The summary, with the terminal's words for the method and the response's levels. */
static json_t *info_json(const dlp_regression *regression)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    json_t *info = summary_json(regression);
    char *levels = cli_levels_text(fit);
    const int failed =
        !levels ||
        json_object_set_new(info, "method", json_string(cli_glm_method_used(fit))) ||
        json_object_set_new(info, "levels",
                            *levels ? dlpi_json_text(levels) : json_null());
    free(levels);
    if (!failed) return info;
    json_decref(info);
    return NULL;
}

json_t *cli_page_glm(const dlp_regression *regression, const dlp_prediction *prediction,
                     json_t *calibration, json_t *look)
{
    const dlp_regression_result *fit = dlp_regression_result_of(regression);
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", "glm",
        "title", dlpi_json_text(fit->formula), "program", "delaplace " DLP_VERSION,
        "info", info_json(regression), "terms", shared_terms_json(regression),
        "mean_of_groups", mean_of_groups_json(regression), "groups", groups_json(fit),
        "random", cli_page_random(fit), "smooths",
        cli_page_smooths(regression, prediction), "trace",
        dlpi_json_list(fit->n_trace, objective_at, fit->trace), "calibration",
        calibration ? calibration : json_null(), "look", look ? look : json_null());
}

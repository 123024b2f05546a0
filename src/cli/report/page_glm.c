/* SPDX-License-Identifier: BSD-3-Clause */
/* A regression for its report. */
#include "cli/json.h"
#include "cli/report/page.h"

#include <math.h>
#include <stdlib.h>

/* ---- terms ---- */

typedef struct posterior {
    const cli_glm_fit *fit;
    const cli_glm_quantity *quantity; /* (n) */
} posterior;

static const char *const kind_name[] = {
    [CLI_COEFFICIENT] = "coefficient", [CLI_SCALE] = "scale", [CLI_CUT] = "cut"};

static json_t *term_at(const void *of, dlp_index i)
{
    const posterior *p = of;
    const cli_glm_quantity *q = &p->quantity[i];
    char name[512];
    cli_glm_quantity_name(q, name, sizeof name);
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o}", "name", cli_json_text(name),
                     "kind", kind_name[q->kind], "mean", cli_json_real(q->estimate.mean),
                     "sd", cli_json_real(q->estimate.sd), "lower",
                     cli_json_real(q->estimate.lower), "upper",
                     cli_json_real(q->estimate.upper));
}

static json_t *terms_json(const cli_glm_fit *fit, const double *mu, const double *Sigma)
{
    cli_glm_quantity *quantity = cli_glm_quantities(fit, mu, Sigma);
    const posterior p = {fit, quantity};
    json_t *list = quantity ? cli_page_list(fit->n, term_at, &p) : NULL;
    free(quantity);
    return list;
}

/* Of the one block, or of what groups are like. */
static json_t *shared_terms_json(const cli_glm_fit *fit)
{
    const dlp_index n = fit->n;
    if (!cli_glm_is_grouped(fit)) return terms_json(fit, fit->mu, fit->Sigma);
    double *mean = calloc((size_t)(n + n * n), sizeof *mean);
    if (!mean) return NULL;
    cli_glm_population(fit, mean, mean + n);
    json_t *list = terms_json(fit, mean, mean + n);
    free(mean);
    return list;
}

/* Of the mean of the groups, and how sure it is; of separate fits that is not known. */
static json_t *mean_of_groups_json(const cli_glm_fit *fit)
{
    return fit->mu0 ? terms_json(fit, fit->mu0, fit->mu0_covariance) : json_null();
}

/* ---- groups ---- */

static json_t *group_name_at(const void *of, dlp_index m)
{
    return cli_json_text(cli_glm_group(of, m));
}

static json_t *group_mean_at(const void *of, dlp_index m)
{
    const cli_glm_fit *fit = of;
    return cli_page_reals(fit->n, fit->mu + m * fit->n);
}

typedef struct diagonal {
    const double *Sigma;
    dlp_index n;
} diagonal;

static json_t *sd_at(const void *of, dlp_index i)
{
    const diagonal *d = of;
    return cli_json_real(sqrt(d->Sigma[i * d->n + i]));
}

static json_t *group_sd_at(const void *of, dlp_index m)
{
    const cli_glm_fit *fit = of;
    const diagonal d = {fit->Sigma + m * fit->n * fit->n, fit->n};
    return cli_page_list(fit->n, sd_at, &d);
}

/* On the engine's scale: a coefficient's own, else the logarithm of what it tells. */
static json_t *groups_json(const cli_glm_fit *fit)
{
    if (!cli_glm_is_grouped(fit)) return json_null();
    return json_pack("{s:o, s:o, s:o, s:o}", "variable",
                     cli_json_text(fit->terms->group.variable), "name",
                     cli_page_list(fit->M, group_name_at, fit), "mean",
                     cli_page_list(fit->M, group_mean_at, fit), "sd",
                     cli_page_list(fit->M, group_sd_at, fit));
}

/* ---- the whole ---- */

static json_t *objective_at(const void *of, dlp_index i)
{
    const json_t *row = json_array_get(of, (size_t)i);
    const json_t *objective = json_object_get(row, "objective");
    return json_is_number(objective) ? json_real(json_number_value(objective))
                                     : json_null();
}

/* The file may be made by hand: what is no list has no items. */
static json_t *trace_json(const json_t *root)
{
    const json_t *trace = json_object_get(root, "trace");
    return cli_page_list((dlp_index)json_array_size(trace), objective_at, trace);
}

/* The summary, with what a terminal says of the method and of the response's levels. */
static json_t *info_json(const cli_glm_fit *fit)
{
    json_t *info = cli_glm_summary_json(fit);
    char *levels = cli_glm_levels_text(fit);
    const int failed =
        !levels ||
        json_object_set_new(info, "method", json_string(cli_glm_method_used(fit))) ||
        json_object_set_new(info, "levels",
                            *levels ? cli_json_text(levels) : json_null());
    free(levels);
    if (!failed) return info;
    json_decref(info);
    return NULL;
}

json_t *cli_page_glm(const cli_glm_fit *fit, const json_t *root, json_t *calibration)
{
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", "glm",
                     "title", cli_json_text(fit->formula), "program",
                     "delaplace " DLP_VERSION, "info", info_json(fit), "terms",
                     shared_terms_json(fit), "mean_of_groups", mean_of_groups_json(fit),
                     "groups", groups_json(fit), "trace", trace_json(root), "calibration",
                     calibration ? calibration : json_null());
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression as JSON. docs/regression.md lists the keys. */
#include "cli/glm/fit.h"
#include "cli/json.h"
#include "cli/report.h"
#include "cli/terms_json.h"

#include <stdlib.h>

/* An object under construction: jansson takes NULL for a value that could not be made,
   and refuses it, so one flag tells whether all is there. */
typedef struct object {
    json_t *json;
    int failed;
} object;

static object new_object(void)
{
    json_t *json = json_object();
    return (object){json, json ? 0 : -1};
}

static void set(object *o, const char *key, json_t *value)
{
    o->failed |= json_object_set_new(o->json, key, value);
}

static json_t *finish(object *o)
{
    if (!o->failed) return o->json;
    json_decref(o->json);
    return NULL;
}

/* A list of n values, each made by item; NULL without memory. */
typedef json_t *list_item(const void *of, dlp_index i);
static json_t *list(dlp_index n, list_item *item, const void *of)
{
    json_t *json = json_array();
    int failed = !json;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = json_array_append_new(json, item(of, i));
    if (!failed) return json;
    json_decref(json);
    return NULL;
}

/* ---- plain parts ---- */

static json_t *real_at(const void *of, dlp_index i)
{
    return cli_json_real(((const double *)of)[i]);
}

/* (rows, n) numbers */
typedef struct matrix {
    dlp_index n;
    const double *x;
} matrix;

static json_t *row_at(const void *of, dlp_index i)
{
    const matrix *m = of;
    return list(m->n, real_at, m->x + i * m->n);
}

/* ---- priors ---- */

static json_t *own_prior_at(const void *of, dlp_index j)
{
    const cli_glm_fit *fit = of;
    const cli_glm_prior *prior = &fit->own_prior[j];
    return json_pack("{s:s, s:o, s:o, s:o, s:b}", "term", fit->column[j], "mean",
                     cli_json_real(prior->mean), "sd", cli_json_real(prior->sd), "df",
                     cli_json_real(prior->df), "weak", prior->weak);
}

static json_t *prior_covariance_json(const cli_glm_fit *fit)
{
    const matrix covariance = {fit->p, fit->prior_covariance};
    return list(fit->p, row_at, &covariance);
}

/* That of a weak prior nobody has asked for: the file has it, a summary not. */
static int add_weak_covariance(const cli_glm_fit *fit, json_t *root)
{
    if (!fit->prior_covariance || !cli_glm_is_weak(fit)) return 0;
    return json_object_set_new(json_object_get(root, "prior"), "covariance",
                               prior_covariance_json(fit));
}

static json_t *stated_prior_json(const cli_glm_fit *fit)
{
    object o = new_object();
    set(&o, "sd", cli_json_real(fit->prior_sd));
    set(&o, "df", cli_json_real(fit->prior_df));
    if (fit->own_prior) set(&o, "terms", list(fit->p, own_prior_at, fit));
    if (fit->prior_covariance && !cli_glm_is_weak(fit))
        set(&o, "covariance", prior_covariance_json(fit));
    if (fit->first_cut_sd > 0) set(&o, "first_cut_sd", cli_json_real(fit->first_cut_sd));
    return finish(&o);
}

static json_t *prior_json(const cli_glm_fit *fit)
{
    if (fit->grouping != CLI_HIERARCHICAL) return stated_prior_json(fit);
    object o = new_object();
    set(&o, "hyperprior", json_string(fit->paper_hyperprior ? "paper" : "weak"));
    set(&o, "nu", cli_json_real(fit->nu));
    set(&o, "phi0", cli_json_real(fit->phi0));
    set(&o, "phi1", cli_json_real(fit->phi1));
    set(&o, "sigma0_update", json_string(fit->paper_sigma0 ? "paper" : "corrected"));
    if (cli_glm_has_scale(fit->family))
        set(&o, "scale", json_string(fit->shared_scale ? "shared" : "by-group"));
    return finish(&o);
}

/* ---- quantities ---- */

static json_t *term_of(const cli_glm_quantity *q)
{
    if (q->kind == CLI_CUT) return json_sprintf("%s|%s", q->term, q->level);
    return json_string(q->term);
}

static json_t *quantity_json(const cli_glm_quantity *q, const char *group)
{
    object o = new_object();
    set(&o, "term", term_of(q));
    if (q->kind == CLI_COEFFICIENT && q->level) set(&o, "level", json_string(q->level));
    if (group) set(&o, "group", json_string(group));
    set(&o, "mean", cli_json_real(q->estimate.mean));
    set(&o, "sd", cli_json_real(q->estimate.sd));
    set(&o, "lower", cli_json_real(q->estimate.lower));
    set(&o, "upper", cli_json_real(q->estimate.upper));
    return finish(&o);
}

static int add_quantity(const cli_glm_quantity *q, const char *group, json_t *root)
{
    static const char *const list_of[] = {[CLI_COEFFICIENT] = "coefficients",
                                          [CLI_SCALE] = "scale",
                                          [CLI_CUT] = "cut_points"};
    const char *key = list_of[q->kind];
    if (!json_object_get(root, key) && json_object_set_new(root, key, json_array()))
        return -1;
    return json_array_append_new(json_object_get(root, key), quantity_json(q, group));
}

/* Appends the quantities of one posterior to the lists of the object, by their kind. */
static int add_quantities(const cli_glm_fit *fit, const double *mu, const double *Sigma,
                          const char *group, json_t *root)
{
    cli_glm_quantity *quantities = cli_glm_quantities(fit, mu, Sigma);
    int failed = quantities ? 0 : -1;
    for (dlp_index i = 0; i < fit->n && !failed; i++)
        failed = add_quantity(&quantities[i], group, root);
    free(quantities);
    return failed;
}

/* The quantities of the blocks from first up to last. */
static int add_blocks(const cli_glm_fit *fit, dlp_index first, dlp_index last,
                      json_t *root)
{
    const dlp_index n = fit->n;
    int failed = json_object_set_new(root, "coefficients", json_array());
    for (dlp_index m = first; m < last && !failed; m++)
        failed = add_quantities(fit, fit->mu + m * n, fit->Sigma + m * n * n,
                                cli_glm_group(fit, m), root);
    return failed;
}

/* The mean of the groups, and how sure it is: as a list of its own. */
static int add_mean_of_groups(const cli_glm_fit *fit, json_t *root)
{
    cli_glm_quantity *q = cli_glm_quantities(fit, fit->mu0, fit->mu0_covariance);
    json_t *means = json_array();
    int failed = q ? 0 : -1;
    for (dlp_index i = 0; i < fit->n && !failed; i++)
        failed = json_array_append_new(means, quantity_json(&q[i], NULL));
    free(q);
    return json_object_set_new(root, "mean_of_groups", means) || failed ? -1 : 0;
}

/* Where the groups lie: an object of its own, for the same lists beside it would be those
   of the groups themselves. */
static int add_spread_of_groups(const cli_glm_fit *fit, const double *mean,
                                const double *covariance, json_t *root)
{
    json_t *population = json_object();
    const int failed =
        population ? add_quantities(fit, mean, covariance, NULL, population) : -1;
    return json_object_set_new(root, "population", population) || failed ? -1 : 0;
}

static int add_population(const cli_glm_fit *fit, json_t *root)
{
    const dlp_index n = fit->n;
    double *mean = calloc((size_t)n, sizeof *mean);
    double *covariance = calloc((size_t)(n * n), sizeof *covariance);
    int failed = -1;
    if (mean && covariance) {
        cli_glm_population(fit, mean, covariance);
        failed = add_spread_of_groups(fit, mean, covariance, root);
        if (!failed && fit->mu0) failed = add_mean_of_groups(fit, root);
    }
    free(mean);
    free(covariance);
    return failed;
}

/* ---- the posterior as the engine has it ---- */

static json_t *mean_at(const void *of, dlp_index m)
{
    const cli_glm_fit *fit = of;
    return list(fit->n, real_at, fit->mu + m * fit->n);
}

static json_t *covariance_at(const void *of, dlp_index m)
{
    const cli_glm_fit *fit = of;
    const matrix Sigma = {fit->n, fit->Sigma + m * fit->n * fit->n};
    return list(fit->n, row_at, &Sigma);
}

/* One value, or with groups a list of them. */
static json_t *by_block(const cli_glm_fit *fit, list_item *item)
{
    return cli_glm_is_grouped(fit) ? list(fit->M, item, fit) : item(fit, 0);
}

static json_t *parameter_at(const void *of, dlp_index i)
{
    const cli_glm_fit *fit = of;
    const cli_glm_quantity q = cli_glm_parameter(fit, i);
    if (q.kind == CLI_SCALE) return json_sprintf("log(%s)", q.term);
    if (q.kind == CLI_CUT)
        return i == fit->p ? json_sprintf("%s|%s", q.term, q.level)
                           : json_sprintf("log(%s|%s - previous)", q.term, q.level);
    return q.level ? json_sprintf("%s: %s", q.level, q.term) : json_string(q.term);
}

static json_t *trace_at(const void *of, dlp_index i)
{
    return cli_json_trace((const dlp_trace_row *)of + i);
}

/* ---- the whole ---- */

json_t *cli_glm_summary_json(const cli_glm_fit *fit)
{
    object o = new_object();
    set(&o, "format", json_string(CLI_GLM_FORMAT));
    set(&o, "version", json_integer(CLI_GLM_VERSION));
    set(&o, "library_version", json_string(DLP_VERSION));
    set(&o, "formula", json_string(fit->formula));
    set(&o, "family", json_string(fit->family));
    set(&o, "link", json_string(fit->link));
    set(&o, "method", json_string(fit->method));
    set(&o, "grouping", json_string(cli_grouping_name((int)fit->grouping)));
    set(&o, "prior", prior_json(fit));
    set(&o, "tol", cli_json_real(fit->tol));
    set(&o, "max_iter", json_integer(fit->max_iter));
    set(&o, "rows", json_integer(fit->rows));
    set(&o, "dropped", json_integer(fit->dropped));
    if (fit->weights) {
        set(&o, "weights", json_string(fit->weights));
        set(&o, "total_weight", cli_json_real(fit->total_weight));
    }
    if (cli_glm_is_grouped(fit)) set(&o, "groups", json_integer(fit->M));
    set(&o, "outcome", json_string(dlp_outcome_name(fit->outcome)));
    set(&o, "iterations", json_integer(fit->iterations));
    set(&o, "evaluations", json_integer(fit->evaluations));
    set(&o, "fallbacks", json_integer(fit->fallbacks));
    if (cli_glm_is_grouped(fit)) set(&o, "unsettled", json_integer(fit->unsettled));
    if (fit->scale_summed) set(&o, "scale_summed", json_true());
    if (fit->propagated) set(&o, "propagated", json_true());
    set(&o, "objective", cli_json_real(fit->objective));
    return finish(&o);
}

json_t *cli_glm_fit_json(const cli_glm_fit *fit)
{
    object o = {cli_glm_summary_json(fit), 0};
    set(&o, "terms",
        cli_terms_json(fit->terms, fit->p, (const char *const *)fit->column));
    o.failed |= o.json ? add_weak_covariance(fit, o.json) : -1;
    o.failed |= o.json ? add_blocks(fit, 0, fit->M, o.json) : -1;
    set(&o, "parameters", list(fit->n, parameter_at, fit));
    set(&o, "mean", by_block(fit, mean_at));
    set(&o, "covariance", by_block(fit, covariance_at));
    if (fit->grouping == CLI_HIERARCHICAL) {
        const matrix Sigma0 = {fit->n, fit->Sigma0},
                     mu0_covariance = {fit->n, fit->mu0_covariance};
        set(&o, "mu0", list(fit->n, real_at, fit->mu0));
        set(&o, "Sigma0", list(fit->n, row_at, &Sigma0));
        set(&o, "mu0_covariance", list(fit->n, row_at, &mu0_covariance));
    }
    set(&o, "trace", list(fit->n_trace, trace_at, fit->trace));
    return finish(&o);
}

json_t *cli_glm_view_json(const cli_glm_fit *fit, const cli_glm_view *view)
{
    json_t *root = cli_glm_summary_json(fit);
    int failed = !root;
    if (failed) return NULL;
    if (!cli_glm_is_grouped(fit) || view->every_block)
        failed = add_blocks(fit, 0, fit->M, root);
    else if (view->block >= 0)
        failed = add_blocks(fit, view->block, view->block + 1, root);
    else
        failed = add_population(fit, root);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

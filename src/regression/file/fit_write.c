/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression as JSON. docs/file-formats.md lists the keys. */
#include "core/core.h"
#include "io/json.h"
#include "regression/file/fit_file.h"
#include "table/design/terms_json.h"

#include <delaplace/file.h>
#include <delaplace/version.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* An object under construction. jansson accepts NULL for a value that could not be made,
   and refuses to add it, so one flag is enough to record a failure. */
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

/* ---- plain parts ---- */

static json_t *real_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

/* (rows, n) numbers */
typedef struct matrix {
    dlp_index n;
    const double *x;
} matrix;

static json_t *row_at(const void *of, dlp_index i)
{
    const matrix *m = of;
    return dlpi_json_list(m->n, real_at, m->x + i * m->n);
}

/* ---- priors ---- */

static json_t *own_prior_at(const void *of, dlp_index j)
{
    const dlp_regression_result *fit = of;
    const dlp_coefficient_prior *prior = &fit->prior[j];
    return json_pack("{s:s, s:o, s:o, s:o, s:b}", "term", fit->column[j], "mean",
                     dlpi_json_real(prior->mean), "sd", dlpi_json_real(prior->sd), "df",
                     dlpi_json_real(prior->df), "weak", prior->weak);
}

static json_t *prior_covariance_json(const dlp_regression_result *fit)
{
    const matrix covariance = {fit->p, fit->prior_covariance};
    return dlpi_json_list(fit->p, row_at, &covariance);
}

/* The sd of a weak prior that nobody asked for: the file has it, a summary does not. */
static int add_weak_covariance(const dlp_regression *r, json_t *root)
{
    if (!r->result.prior_covariance || !dlp_regression_is_weak(r)) return 0;
    return json_object_set_new(json_object_get(root, "prior"), "covariance",
                               prior_covariance_json(&r->result));
}

static json_t *stated_prior_json(const dlp_regression *r)
{
    const dlp_regression_result *fit = &r->result;
    object o = new_object();
    set(&o, "sd", dlpi_json_real(fit->prior_sd));
    set(&o, "df", dlpi_json_real(fit->prior_df));
    if (fit->prior) set(&o, "terms", dlpi_json_list(fit->p, own_prior_at, fit));
    if (fit->prior_covariance && !dlp_regression_is_weak(r))
        set(&o, "covariance", prior_covariance_json(fit));
    if (fit->first_cut_sd > 0) set(&o, "first_cut_sd", dlpi_json_real(fit->first_cut_sd));
    if (fit->cut_sd > 0) set(&o, "cut_sd", dlpi_json_real(fit->cut_sd));
    if (fit->prior_complete && fit->family->scale)
        set(&o, "log_scale_mean", dlpi_json_real(fit->scale_mean));
    if (fit->prior_complete && fit->family->support == DLP_SUPPORT_LEVELS)
        set(&o, "symmetric_levels", json_boolean(fit->symmetric_levels));
    return finish(&o);
}

static json_t *prior_json(const dlp_regression *r)
{
    const dlp_regression_result *fit = &r->result;
    if (fit->grouping != DLP_HIERARCHICAL) return stated_prior_json(r);
    object o = new_object();
    set(&o, "hyperprior", json_string(fit->paper_hyperprior ? "paper" : "weak"));
    set(&o, "nu", dlpi_json_real(fit->nu));
    set(&o, "phi0", dlpi_json_real(fit->phi0));
    set(&o, "phi1", dlpi_json_real(fit->phi1));
    set(&o, "sigma0_update", json_string(fit->paper_sigma0 ? "paper" : "corrected"));
    if (fit->family->scale)
        set(&o, "scale", json_string(fit->shared_scale ? "shared" : "by-group"));
    return finish(&o);
}

/* ---- quantities ---- */

static json_t *term_of(const dlp_parameter *q)
{
    if (q->kind == DLP_CUT_POINT) return json_sprintf("%s|%s", q->term, q->level);
    return json_string(q->term);
}

static json_t *quantity_json(const dlp_parameter *q, const char *group)
{
    object o = new_object();
    set(&o, "term", term_of(q));
    if (q->kind == DLP_COEFFICIENT && q->level) set(&o, "level", json_string(q->level));
    if (group) set(&o, "group", json_string(group));
    set(&o, "mean", dlpi_json_real(q->mean));
    set(&o, "sd", dlpi_json_real(q->sd));
    set(&o, "lower", dlpi_json_real(q->lower));
    set(&o, "upper", dlpi_json_real(q->upper));
    if (q->shared) set(&o, "shared", json_true());
    return finish(&o);
}

static int add_quantity(const dlp_parameter *q, const char *group, json_t *root)
{
    static const char *const list_of[] = {[DLP_COEFFICIENT] = "coefficients",
                                          [DLP_SCALE] = "scale",
                                          [DLP_CUT_POINT] = "cut_points"};
    const char *key = list_of[q->kind];
    if (!json_object_get(root, key) && json_object_set_new(root, key, json_array()))
        return -1;
    return json_array_append_new(json_object_get(root, key), quantity_json(q, group));
}

/* All parameters of a group or of the groups, to be freed; NULL without memory. */
static dlp_parameter *parameters_of(const dlp_regression *r, dlp_index whose)
{
    dlp_parameter *q = dlpi_calloc(r->result.n, sizeof *q);
    if (q && dlp_regression_parameters(r, whose, q, NULL) == DLP_OK) return q;
    free(q);
    return NULL;
}

/* Appends them to the lists of the object, according to their kind. */
static int add_parameters(const dlp_regression *r, dlp_index whose, json_t *root)
{
    dlp_parameter *q = parameters_of(r, whose);
    int failed = q ? 0 : -1;
    for (dlp_index i = 0; i < r->result.n && !failed; i++)
        if (!q[i].penalised)
            failed = add_quantity(&q[i], dlp_regression_group(r, whose), root);
    free(q);
    return failed;
}

/* The population's of a mixed model, then the effects of levels from first up to last. */
static int add_mixed(const dlp_regression *r, dlp_index first, dlp_index last,
                     json_t *root)
{
    int failed = json_object_set_new(root, "coefficients", json_array());
    if (!failed) failed = add_parameters(r, 0, root);
    if (!failed) failed = dlpi_fit_add_sds(r, root);
    if (!failed) failed = dlpi_fit_add_smooths(r, root);
    return failed ? -1 : dlpi_fit_add_levels(r, first, last, root);
}

/* Those of the groups from first up to last. */
static int add_groups(const dlp_regression *r, dlp_index first, dlp_index last,
                      json_t *root)
{
    int failed = json_object_set_new(root, "coefficients", json_array());
    for (dlp_index m = first; m < last && !failed; m++)
        failed = add_parameters(r, m, root);
    return failed;
}

/* The mean of the groups and its uncertainty, as a list of its own. */
static int add_mean_of_groups(const dlp_regression *r, json_t *root)
{
    dlp_parameter *q = parameters_of(r, DLP_MEAN_OF_GROUPS);
    json_t *means = json_array();
    int failed = q ? 0 : -1;
    for (dlp_index i = 0; i < r->result.n && !failed; i++)
        failed = json_array_append_new(means, quantity_json(&q[i], NULL));
    free(q);
    return json_object_set_new(root, "mean_of_groups", means) || failed ? -1 : 0;
}

/* The distribution of the groups: an object of its own, because the same lists next to it
   would look like those of the groups themselves. */
static int add_population(const dlp_regression *r, json_t *root)
{
    json_t *population = json_object();
    int failed = population ? add_parameters(r, DLP_SPREAD_OF_GROUPS, population) : -1;
    failed |= json_object_set_new(root, "population", population);
    if (!failed && r->result.mu0) failed = add_mean_of_groups(r, root);
    return failed;
}

/* ---- the posterior in the engine's form ---- */

static json_t *mean_at(const void *of, dlp_index m)
{
    const dlp_regression_result *fit = of;
    return dlpi_json_list(fit->n, real_at, fit->mu + m * fit->n);
}

static json_t *covariance_at(const void *of, dlp_index m)
{
    const dlp_regression_result *fit = of;
    const matrix Sigma = {fit->n, fit->Sigma + m * fit->n * fit->n};
    return dlpi_json_list(fit->n, row_at, &Sigma);
}

/* One value, or with groups a list of them. */
static json_t *by_group(const dlp_regression_result *fit, dlpi_json_item *item)
{
    return dlp_regression_is_grouped(fit) ? dlpi_json_list(fit->M, item, fit)
                                          : item(fit, 0);
}

/* The names of the parameters in the engine's order. */
typedef struct named {
    const dlp_regression_result *fit;
    const dlp_parameter *parameter; /* (n) */
} named;

static bool is_about_centre(const dlp_regression_result *fit, dlp_index column)
{
    for (dlp_index e = 0; e < fit->n_written; e++)
        if (fit->written[e].from == column) return true;
    return false;
}

static json_t *name_at(const void *of, dlp_index i)
{
    const named *all = of;
    const dlp_parameter *q = &all->parameter[i];
    if (q->kind == DLP_SCALE) return json_sprintf("log(%s)", q->term);
    if (q->kind == DLP_CUT_POINT)
        return i == all->fit->p
                   ? json_sprintf("%s|%s", q->term, q->level)
                   : json_sprintf("log(%s|%s - previous)", q->term, q->level);
    const char *about =
        is_about_centre(all->fit, i % all->fit->p) ? " about its centre" : "";
    return q->level ? json_sprintf("%s: %s%s", q->level, q->term, about)
                    : json_sprintf("%s%s", q->term, about);
}

static json_t *names_json(const dlp_regression *r)
{
    dlp_parameter *q = parameters_of(r, 0);
    const named all = {&r->result, q};
    json_t *list = q ? dlpi_json_list(r->result.n, name_at, &all) : NULL;
    free(q);
    return list;
}

static json_t *trace_at(const void *of, dlp_index i)
{
    const dlp_trace_row *row = (const dlp_trace_row *)of + i;
    return json_pack("{s:i, s:o, s:o, s:i}", "iteration", row->iteration, "objective",
                     dlpi_json_real(row->objective), "change",
                     dlpi_json_real(row->change), "evaluations", row->evaluations);
}

/* ---- the whole ---- */

/* How it ended. */
static void set_ending(object *o, const dlp_regression *r)
{
    const dlp_regression_result *fit = &r->result;
    set(o, "outcome", json_string(dlp_outcome_name(fit->outcome)));
    set(o, "iterations", json_integer(fit->iterations));
    set(o, "evaluations", json_integer(fit->evaluations));
    set(o, "fallbacks", json_integer(fit->fallbacks));
    if (dlp_regression_is_grouped(fit)) set(o, "unsettled", json_integer(fit->unsettled));
    if (fit->grouping == DLP_MIXED) {
        set(o, "hyper", json_string(dlp_hyper_name((int)fit->hyper)));
        set(o, "points", json_integer(fit->points));
        if (o->json) o->failed |= dlpi_fit_add_variance(r, o->json);
    }
    if (fit->scale_integrated) set(o, "scale_summed", json_true());
    if (fit->propagated) set(o, "propagated", json_true());
    if (fit->few_rows) set(o, "few_rows", json_true());
    if (!fit->estimated) set(o, "estimated", json_false());
    set(o, "objective", dlpi_json_real(fit->objective));
}

/* The levels that coefficients are compared with, by factor. */
static json_t *references_json(const dlp_regression_result *fit)
{
    object o = new_object();
    for (dlp_index f = 0; f < fit->terms->n_factors; f++) {
        const char *level = dlp_regression_reference(fit, f);
        if (level) set(&o, fit->terms->factor[f].variable, json_string(level));
    }
    return finish(&o);
}

static void set_family(object *o, const dlp_regression_result *fit)
{
    set(o, "family", json_string(fit->family->name));
    set(o, "link", json_string(fit->link));
    if (!fit->family->df) return;
    set(o, "df", dlpi_json_real(fit->df));
    if (fit->df_chosen) set(o, "df_chosen", json_true());
}

static json_t *summary_json(const dlp_regression *r)
{
    const dlp_regression_result *fit = &r->result;
    object o = new_object();
    set(&o, "format", json_string(DLPI_FIT_FORMAT));
    set(&o, "version", json_integer(DLPI_FIT_VERSION));
    set(&o, "library_version", json_string(DLP_VERSION));
    set(&o, "formula", json_string(fit->formula));
    set_family(&o, fit);
    set(&o, "method", json_string(fit->method));
    if (fit->method_stated) set(&o, "method_stated", json_true());
    set(&o, "grouping", json_string(dlp_grouping_name((int)fit->grouping)));
    set(&o, "references", references_json(fit));
    set(&o, "prior", prior_json(r));
    set(&o, "tol", dlpi_json_real(fit->tol));
    set(&o, "max_iter", json_integer(fit->max_iter));
    set(&o, "rows", json_integer(fit->rows));
    set(&o, "dropped", json_integer(fit->dropped));
    if (fit->weights) {
        set(&o, "weights", json_string(fit->weights));
        set(&o, "total_weight", dlpi_json_real(fit->total_weight));
    }
    if (fit->precision) set(&o, "precision", json_string(fit->precision));
    if (dlp_regression_is_grouped(fit)) set(&o, "groups", json_integer(fit->M));
    set_ending(&o, r);
    if (o.json) o.failed |= dlpi_fit_add_verification(r, o.json);
    return finish(&o);
}

static json_t *file_json(const dlp_regression *r)
{
    const dlp_regression_result *fit = &r->result;
    object o = {summary_json(r), 0};
    set(&o, "terms", dlpi_terms_json(fit->terms, fit->p, fit->column));
    o.failed |= o.json ? add_weak_covariance(r, o.json) : -1;
    o.failed |= o.json ? dlpi_fit_add_written(r, o.json) : -1;
    o.failed |= !o.json                      ? -1
                : fit->grouping == DLP_MIXED ? add_mixed(r, 0, PTRDIFF_MAX, o.json)
                                             : add_groups(r, 0, fit->M, o.json);
    set(&o, "parameters", names_json(r));
    set(&o, "mean", by_group(fit, mean_at));
    set(&o, "covariance", by_group(fit, covariance_at));
    if (fit->grouping == DLP_HIERARCHICAL) {
        const matrix Sigma0 = {fit->n, fit->Sigma0},
                     mu0_covariance = {fit->n, fit->mu0_covariance};
        set(&o, "mu0", dlpi_json_list(fit->n, real_at, fit->mu0));
        set(&o, "Sigma0", dlpi_json_list(fit->n, row_at, &Sigma0));
        set(&o, "mu0_covariance", dlpi_json_list(fit->n, row_at, &mu0_covariance));
    }
    if (!o.failed) o.failed |= dlpi_fit_add_margins(r, o.json);
    if (fit->grouping == DLP_MIXED && !o.failed)
        o.failed |= dlpi_fit_add_random(r, o.json);
    set(&o, "trace", dlpi_json_list(fit->n_trace, trace_at, fit->trace));
    return finish(&o);
}

static json_t *part_json(const dlp_regression *r, dlp_regression_part part, dlp_index m)
{
    const bool grouped = dlp_regression_is_grouped(&r->result);
    if (part == DLP_PART_FILE) return file_json(r);
    json_t *root = summary_json(r);
    int failed = !root;
    if (failed || part == DLP_PART_SUMMARY) return root;
    if (r->result.grouping == DLP_MIXED)
        failed = add_mixed(r, part == DLP_PART_GROUP ? m : 0,
                           part == DLP_PART_POPULATION ? 0
                           : part == DLP_PART_GROUP    ? m + 1
                                                       : PTRDIFF_MAX,
                           root);
    else if (!grouped || part == DLP_PART_GROUPS)
        failed = add_groups(r, 0, r->result.M, root);
    else if (part == DLP_PART_GROUP)
        failed = add_groups(r, m, m + 1, root);
    else
        failed = add_population(r, root);
    if (!failed) return root;
    json_decref(root);
    return NULL;
}

static bool has_group(const dlp_regression *r, dlp_index m)
{
    dlp_index grouping, level;
    if (r->result.grouping == DLP_MIXED)
        return dlp_regression_level_at(r, m, &grouping, &level);
    return m >= 0 && m < r->result.M;
}

dlp_status dlp_regression_json(const dlp_regression *r, dlp_regression_part part,
                               dlp_index m, char **text, size_t *size, dlp_error *error)
{
    *text = NULL;
    *size = 0;
    if (part == DLP_PART_GROUP && !has_group(r, m))
        return r->result.grouping == DLP_MIXED
                   ? dlp_fail(error, DLP_EINVAL, "there is no level number %td", m)
                   : dlpi_no_such_group(&r->result, m, error);
    json_t *value = part_json(r, part, m);
    *text = dlpi_json_lines(value, size);
    json_decref(value);
    if (*text) return DLP_OK;
    *size = 0;
    return dlpi_no_memory(error, "the regression as JSON");
}

dlp_status dlp_regression_save(const dlp_regression *r, const char *path,
                               dlp_error *error)
{
    char *text;
    size_t size;
    DLP_TRY(dlp_regression_json(r, DLP_PART_FILE, 0, &text, &size, error));
    const dlp_status status = dlp_file_write(path, text, size, error);
    free(text);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The random effects of a fitted regression as JSON. */
#include "core/core.h"
#include "io/json.h"
#include "regression/draw/scale_points.h"
#include "regression/file/fit_file.h"

#include <stdlib.h>
#include <string.h>

/* ---- sds and correlations ---- */

static int set_margin(json_t *object, const dlp_margin *m)
{
    return json_object_set_new(object, "mean", dlpi_json_real(m->mean)) ||
           json_object_set_new(object, "sd", dlpi_json_real(m->sd)) ||
           json_object_set_new(object, "lower", dlpi_json_real(m->lower)) ||
           json_object_set_new(object, "median", dlpi_json_real(m->median)) ||
           json_object_set_new(object, "upper", dlpi_json_real(m->upper));
}

/* Takes the object over; NULL is one that could not be made. */
static int append(json_t *list, json_t *object, const dlp_margin *m)
{
    if (object && set_margin(object, m) == 0) return json_array_append_new(list, object);
    json_decref(object);
    return -1;
}

/* For a multinomial regression, the predictor whose sds they are. */
static json_t *with_category(json_t *object, const char *category)
{
    if (object && category &&
        json_object_set_new(object, "level", json_string(category))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static int append_sds(const dlp_random_effects *of, json_t *list)
{
    int failed = 0;
    for (dlp_index k = 0; k < of->q && !failed; k++)
        failed = append(list,
                        with_category(json_pack("{s:s, s:s}", "group", of->group, "term",
                                                of->name[k]),
                                      of->category),
                        &of->sd[k]);
    return failed;
}

static int append_correlations(const dlp_random_effects *of, json_t *list)
{
    const dlp_margin *at = of->correlation;
    int failed = 0;
    for (dlp_index k = 1; k < of->q; k++)
        for (dlp_index j = 0; j < k && !failed; j++)
            failed = append(list,
                            with_category(json_pack("{s:s, s:[s, s]}", "group", of->group,
                                                    "terms", of->name[j], of->name[k]),
                                          of->category),
                            at++);
    return failed;
}

int dlpi_fit_add_sds(const dlp_regression *r, json_t *root)
{
    const dlp_regression_result *fit = &r->result;
    json_t *sds = json_array(), *correlations = json_array();
    int failed = sds && correlations ? 0 : -1;
    for (dlp_index t = 0; t < fit->n_random && !failed; t++)
        failed = append_sds(&fit->random[t], sds) ||
                 append_correlations(&fit->random[t], correlations);
    failed |= json_object_set_new(root, "sds", sds);
    failed |= json_object_set_new(root, "correlations", correlations);
    return failed;
}

/* ---- the effects of levels, for users ---- */

static json_t *effect_json(const dlp_level_effect *e, const dlp_levels *group,
                           dlp_index level)
{
    return with_category(
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "term", e->name, "group",
                  group->level[level], "grouping", group->variable, "mean",
                  dlpi_json_real(e->effect.mean), "sd", dlpi_json_real(e->effect.sd),
                  "lower", dlpi_json_real(e->effect.lower), "upper",
                  dlpi_json_real(e->effect.upper)),
        e->category);
}

static dlp_index most_effects(const dlp_regression_result *fit)
{
    dlp_index most = 0;
    for (dlp_index t = 0; t < fit->n_random; t++)
        if (most < fit->random[t].q) most = fit->random[t].q;
    return most;
}

/* Those of all terms that vary by its grouping column. */
static int append_level(const dlp_regression *r, const dlp_levels *group, dlp_index level,
                        dlp_level_effect *room, json_t *list)
{
    const dlp_regression_result *fit = &r->result;
    int failed = 0;
    for (dlp_index t = 0; t < fit->n_random; t++) {
        if (strcmp(fit->random[t].group, group->variable) != 0) continue;
        dlp_regression_level(r, t, level, room);
        for (dlp_index k = 0; k < fit->random[t].q && !failed; k++)
            failed = json_array_append_new(list, effect_json(&room[k], group, level));
    }
    return failed;
}

int dlpi_fit_add_levels(const dlp_regression *r, dlp_index first, dlp_index last,
                        json_t *root)
{
    json_t *list = json_object_get(root, "coefficients");
    dlp_level_effect *room = dlpi_calloc(most_effects(&r->result), sizeof *room);
    dlp_index grouping, level;
    int failed = list && room ? 0 : -1;
    for (dlp_index m = first; m < last && !failed; m++) {
        if (!dlp_regression_level_at(r, m, &grouping, &level)) break;
        failed = append_level(r, &r->result.terms->grouping[grouping], level, room, list);
    }
    free(room);
    return failed;
}

/* ---- the posterior in the engine's form ---- */

static json_t *real_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}

static json_t *text_at(const void *of, dlp_index i)
{
    return json_string(((const char *const *)of)[i]);
}

/* (rows, n) numbers, a line each */
typedef struct matrix {
    dlp_index n;
    const double *x;
} matrix;

static json_t *row_at(const void *of, dlp_index i)
{
    const matrix *m = of;
    return dlpi_json_list(m->n, real_at, m->x + i * m->n);
}

static json_t *matrix_json(dlp_index rows, dlp_index n, const double *x)
{
    const matrix m = {n, x};
    return dlpi_json_list(rows, row_at, &m);
}

/* Exact to the last bit, and readable: as a user would type it. */
static json_t *prior_at(const void *of, dlp_index k)
{
    const dlp_sd_prior *prior = (const dlp_sd_prior *)of + k;
    char text[128];
    dlp_sd_prior_text(prior, 17, text, sizeof text);
    return json_pack("{s:s, s:b}", "prior", text, "stated", prior->stated);
}

static json_t *lkj_json(const dlp_random_effects *e)
{
    return json_pack("{s:o, s:b}", "eta", dlpi_json_real(e->lkj), "stated",
                     e->lkj_stated);
}

/* For a process, else nothing. */
static json_t *process_json(const dlp_random_effects *e)
{
    const dlp_margin *m = &e->second;
    if (!e->process) return NULL;
    return json_pack("{s:s, s:[o, o, o, o, o], s:{s:[o, o], s:b}, s:o, s:o}", "kind",
                     dlp_basis_name((int)e->process->kind), "second",
                     dlpi_json_real(m->mean), dlpi_json_real(m->sd),
                     dlpi_json_real(m->lower), dlpi_json_real(m->median),
                     dlpi_json_real(m->upper), "share", "beta",
                     dlpi_json_real(e->share[0]), dlpi_json_real(e->share[1]), "stated",
                     e->share_stated, "reference", dlpi_json_real(e->reference), "next",
                     dlpi_json_list(e->levels, real_at, e->next));
}

/* A line for each level: its q means, then q x q variances, then covariances with the
   coefficients, of an ordinal regression also with delta. */
static json_t *random_at(const void *of, dlp_index t)
{
    const dlp_regression_result *fit = of;
    const dlp_random_effects *e = &fit->random[t];
    const dlp_index q = e->q, L = e->levels;
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*}", "label", e->label, "group",
        e->group, "names", dlpi_json_list(q, text_at, e->name), "sd_priors",
        dlpi_json_list(q, prior_at, e->prior), "lkj", lkj_json(e), "covariance",
        matrix_json(q, q, e->covariance), "mean", matrix_json(L, q, e->mean), "variance",
        matrix_json(L, q * q, e->variance), "with_beta",
        matrix_json(L, q * dlpi_effects_width(fit), e->with_beta), "process",
        process_json(e));
    return with_category(object, e->category);
}

static json_t *count_at(const void *of, dlp_index i)
{
    return json_integer(((const dlp_index *)of)[i]);
}

static json_t *rows_at(const void *of, dlp_index t)
{
    const dlp_random_effects *e = &((const dlp_regression_result *)of)->random[t];
    return e->rows ? dlpi_json_list(e->levels, count_at, e->rows) : json_null();
}

static json_t *part_at(const void *of, dlp_index t)
{
    const dlp_regression_result *fit = of;
    return json_pack("{s:s, s:o}", "term", fit->random[t].label, "variance",
                     dlpi_json_real(fit->variance.term[t]));
}

int dlpi_fit_add_variance(const dlp_regression *r, json_t *root)
{
    const dlp_variance_explained *v = &r->result.variance;
    if (!v->known) return 0;
    return json_object_set_new(
        root, "variance_explained",
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "marginal",
                  dlpi_json_real(v->marginal), "conditional",
                  dlpi_json_real(v->conditional), "icc", dlpi_json_real(v->icc), "fixed",
                  dlpi_json_real(v->fixed), "random", dlpi_json_real(v->random),
                  "residual", dlpi_json_real(v->residual), "terms",
                  dlpi_json_list(r->result.n_random, part_at, &r->result)));
}

static json_t *margin_at(const void *of, dlp_index i)
{
    const dlp_margin *m = (const dlp_margin *)of + i;
    const double number[] = {m->mean, m->sd, m->lower, m->median, m->upper};
    return dlpi_json_list(sizeof number / sizeof *number, real_at, number);
}

static json_t *level_at(const void *of, dlp_index i)
{
    return json_integer(((const int32_t *)of)[i]);
}

/* Two levels for each pair, counted from 0, then its covariances. */
static json_t *pairs_at(const void *of, dlp_index i)
{
    const dlp_regression_result *fit = of;
    const dlp_effect_pairs *pairs = &fit->pairs[i];
    const dlp_index square = fit->random[pairs->first].q * fit->random[pairs->second].q;
    return json_pack("{s:[I, I], s:o, s:o}", "terms", (json_int_t)pairs->first,
                     (json_int_t)pairs->second, "levels",
                     dlpi_json_list(2 * pairs->n, level_at, pairs->level), "covariance",
                     dlpi_json_list(square * pairs->n, real_at, pairs->covariance));
}

int dlpi_fit_add_margins(const dlp_regression *r, json_t *root)
{
    const dlp_regression_result *fit = &r->result;
    if (!fit->margin) return 0;
    return json_object_set_new(root, "margins",
                               dlpi_json_list(fit->n, margin_at, fit->margin));
}

int dlpi_fit_add_random(const dlp_regression *r, json_t *root)
{
    const dlp_regression_result *fit = &r->result;
    return json_object_set_new(root, "level_rows",
                               dlpi_json_list(fit->n_random, rows_at, fit)) ||
           json_object_set_new(root, "random",
                               dlpi_json_list(fit->n_random, random_at, fit)) ||
           json_object_set_new(root, "pairs",
                               dlpi_json_list(fit->n_pairs, pairs_at, fit)) ||
           dlpi_fit_add_scale_points(r, root);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The verification of a fit in FIT.json. */
#include <delaplace/verification.h>

#include "core/core.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "regression/draw/scale_points.h"
#include "regression/file/fit_file.h"
#include "regression/file/fit_values.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* The numbers of a parameter, and their names in the file. */
static const struct {
    const char *key;
    size_t at;
} numbers[] = {{"mean", offsetof(dlp_verified, mean)},
               {"sd", offsetof(dlp_verified, sd)},
               {"lower", offsetof(dlp_verified, lower)},
               {"median", offsetof(dlp_verified, median)},
               {"upper", offsetof(dlp_verified, upper)},
               {"skewness", offsetof(dlp_verified, skewness)},
               {"off", offsetof(dlp_verified, off)}};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* ---- written ---- */

typedef struct group {
    const dlp_regression *r;
    dlp_index m;
    const dlp_parameter *parameter; /* (n) */
} group;

/* The k-th of the numbers. */
static double number_at(const dlp_verified *v, int k)
{
    double x;
    memcpy(&x, (const unsigned char *)v + numbers[k].at, sizeof x);
    return x;
}

static void set_number(dlp_verified *v, int k, double x)
{
    memcpy((unsigned char *)v + numbers[k].at, &x, sizeof x);
}

static json_t *verified_json(const char *name, const dlp_verified *v)
{
    json_t *o = json_pack("{s:o}", "name", dlpi_json_text(name));
    int failed = o ? 0 : -1;
    for (int k = 0; k < NUMBERS && !failed; k++)
        failed = json_object_set_new(o, numbers[k].key, dlpi_json_real(number_at(v, k)));
    if (!failed)
        failed =
            json_object_set_new(o, "grade", json_string(dlp_grade_name((int)v->grade)));
    if (!failed) return o;
    json_decref(o);
    return NULL;
}

static json_t *parameter_at(const void *of, dlp_index i)
{
    const group *g = of;
    char name[512];
    dlp_parameter_name(&g->parameter[i], name, sizeof name);
    return verified_json(name, &g->r->result.verification->fit[g->m].parameter[i]);
}

static json_t *scale_at(const void *of, dlp_index i)
{
    const dlp_verified_fit *fit = of;
    return verified_json(fit->scale_name[i], &fit->scale[i]);
}

/* Weights that are all alike have no tail. */
static json_t *shape_json(double k)
{
    return k == -INFINITY ? json_integer(0) : dlpi_json_real(k);
}

static json_t *fit_at(const void *of, dlp_index m)
{
    const dlp_regression *r = of;
    const dlp_verified_fit *fit = &r->result.verification->fit[m];
    const char *name = dlp_regression_group(r, m);
    dlp_parameter *parameter = dlpi_calloc(r->result.n, sizeof *parameter);
    json_t *o = NULL;
    if (parameter && dlp_regression_parameters(r, m, parameter, NULL) == DLP_OK) {
        const group g = {r, m, parameter};
        o = json_pack("{s:o, s:o, s:i, s:o, s:o, s:s, s:o}", "pareto_k",
                      shape_json(fit->k), "effective_draws",
                      dlpi_json_real(fit->effective), "rounds", fit->rounds,
                      "log_evidence", dlpi_json_real(fit->log_evidence),
                      "log_evidence_se", dlpi_json_real(fit->log_evidence_se), "grade",
                      dlp_grade_name((int)fit->grade), "parameters",
                      dlpi_json_list(r->result.n, parameter_at, &g));
        if (o && fit->n_scales > 0 &&
            json_object_set_new(o, "scales",
                                dlpi_json_list(fit->n_scales, scale_at, fit))) {
            json_decref(o);
            o = NULL;
        }
        if (o && name && json_object_set_new(o, "group", dlpi_json_text(name))) {
            json_decref(o);
            o = NULL;
        }
    }
    free(parameter);
    return o;
}

int dlpi_fit_add_verification(const dlp_regression *r, json_t *root)
{
    const dlp_verification *v = r->result.verification;
    if (!v) return 0;
    json_t *o = json_pack("{s:I, s:I, s:s, s:o}", "draws", (json_int_t)v->draws, "seed",
                          (json_int_t)v->seed, "grade", dlp_grade_name((int)v->grade),
                          "fits", dlpi_json_list(r->result.M, fit_at, r));
    if (o && v->automatic && json_object_set_new(o, "automatic", json_true())) {
        json_decref(o);
        o = NULL;
    }
    return json_object_set_new(root, "verification", o);
}

/* ---- read ---- */

static double number_or(const json_t *object, const char *key, double other)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : other;
}

static dlp_grade read_grade(const json_t *object)
{
    const char *text = json_string_value(json_object_get(object, "grade"));
    for (int i = 0; text && dlp_grade_name(i); i++)
        if (!strcmp(dlp_grade_name(i), text)) return (dlp_grade)i;
    return DLP_GRADE_UNKNOWN;
}

static void read_verified(const json_t *o, dlp_verified *v)
{
    for (int k = 0; k < NUMBERS; k++) set_number(v, k, number_or(o, numbers[k].key, NAN));
    v->grade = isnan(v->off) ? DLP_GRADE_UNKNOWN : read_grade(o);
}

/* The ranges follow from the model. */
static dlp_range *ranges_of(const dlpi_fit_reader *r, dlp_index n)
{
    dlp_range *range = dlpi_pool_take(&r->of->pool, n, sizeof *range);
    dlpi_scale_place at = {0};
    dlpi_scale scale;
    for (dlp_index i = 0; range && i < n && dlpi_scale_next(r->fit, &at, &scale); i++)
        range[i] = dlpi_scale_range(&scale);
    return range;
}

/* For a mixed model; older files have none. */
static dlp_status read_scales(const dlpi_fit_reader *r, const json_t *list,
                              dlp_verified_fit *fit)
{
    const dlp_index n = (dlp_index)json_array_size(list);
    if (n == 0) return DLP_OK;
    dlp_verified *out = dlpi_pool_take(&r->of->pool, n, sizeof *out);
    const char **name = dlpi_pool_take(&r->of->pool, n, sizeof *name);
    fit->scale_range = ranges_of(r, n);
    if (!out || !name || !fit->scale_range)
        return dlpi_no_memory_to_read(r->error, r->name);
    for (dlp_index i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, (size_t)i);
        const char *text = json_string_value(json_object_get(o, "name"));
        read_verified(o, &out[i]);
        if (!dlpi_regression_keep(r->of, text ? text : "", &name[i]))
            return dlpi_no_memory_to_read(r->error, r->name);
    }
    fit->n_scales = n;
    fit->scale = out;
    fit->scale_name = name;
    return DLP_OK;
}

static dlp_status read_fit(const dlpi_fit_reader *r, const json_t *from,
                           dlp_verified_fit *fit, dlp_verified *out)
{
    const json_t *list = json_object_get(from, "parameters");
    if (!dlpi_is_list(list, r->fit->n))
        return dlpi_fit_wrong(r, "verification", "given for each parameter");
    for (dlp_index i = 0; i < r->fit->n; i++)
        read_verified(json_array_get(list, (size_t)i), &out[i]);
    const double rounds = number_or(from, "rounds", 1);
    *fit = (dlp_verified_fit){.k = number_or(from, "pareto_k", INFINITY),
                              .effective = number_or(from, "effective_draws", NAN),
                              .rounds = rounds >= 1 && rounds < 100 ? (int)rounds : 1,
                              .log_evidence = number_or(from, "log_evidence", NAN),
                              .log_evidence_se = number_or(from, "log_evidence_se", NAN),
                              .grade = read_grade(from),
                              .parameter = out};
    return read_scales(r, json_object_get(from, "scales"), fit);
}

dlp_status dlpi_fit_read_verification(const dlpi_fit_reader *r)
{
    const json_t *from = json_object_get(r->root, "verification");
    const json_t *list = json_object_get(from, "fits");
    const dlp_index M = r->fit->M, n = r->fit->n;
    if (!from) return DLP_OK;
    if (!dlpi_is_list(list, M)) return dlpi_fit_wrong(r, "verification", "of each fit");
    struct dlpi_pool *pool = &r->of->pool;
    dlp_verification *v = dlpi_pool_take(pool, 1, sizeof *v);
    dlp_verified_fit *fit = dlpi_pool_take(pool, M, sizeof *fit);
    dlp_verified *out = dlpi_pool_take(pool, dlpi_size(M, n, 0), sizeof *out);
    if (!v || !fit || !out) return dlpi_no_memory_to_read(r->error, r->name);
    for (dlp_index m = 0; m < M; m++)
        DLP_TRY(read_fit(r, json_array_get(list, (size_t)m), &fit[m], out + m * n));
    const double draws = number_or(from, "draws", 0), seed = number_or(from, "seed", 0);
    *v =
        (dlp_verification){.draws = draws > 0 && draws < 1e15 ? (dlp_index)draws : 0,
                           .seed = seed > 0 && seed < 1e16 ? (unsigned long)seed : 0,
                           .grade = read_grade(from),
                           .fit = fit,
                           .automatic = json_is_true(json_object_get(from, "automatic"))};
    r->fit->verification = v;
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The smooth terms of a fitted regression as JSON, and read back. */
#include "core/core.h"
#include "io/json.h"
#include "regression/file/fit_file.h"
#include "regression/file/fit_values.h"
#include "regression/priors/prior_statement.h"

#include <stdlib.h>
#include <string.h>

enum { CURVE = 101 }; /* points of a curve */

/* ---- written ---- */

static json_t *margin_json(const dlp_margin *m)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "mean", dlpi_json_real(m->mean), "sd",
                     dlpi_json_real(m->sd), "lower", dlpi_json_real(m->lower), "median",
                     dlpi_json_real(m->median), "upper", dlpi_json_real(m->upper));
}

static json_t *x_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const double *)of)[i]);
}
static json_t *mean_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_margin *)of)[i].mean);
}
static json_t *sd_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_margin *)of)[i].sd);
}

static json_t *text_at(const void *of, dlp_index i)
{
    return json_string(((const char *const *)of)[i]);
}

/* For besag(), region by region. */
static json_t *regions_json(const dlp_regression *r, dlp_index s)
{
    const dlp_terms *terms = r->result.terms;
    const dlp_basis *basis = &terms->basis[r->result.smooth[s].basis];
    const dlp_levels *levels = NULL;
    for (dlp_index i = 0; i < terms->n_factors; i++)
        if (strcmp(terms->factor[i].variable, basis->variable) == 0)
            levels = &terms->factor[i];
    const dlp_index n = basis->n_knots;
    if (!levels || levels->n != n) return json_null();
    double *x = dlpi_calloc(n, sizeof *x);
    dlp_margin *f = dlpi_calloc(n, sizeof *f);
    json_t *json = NULL;
    if (x && f && dlp_regression_curve(r, s, n, x, f, NULL) == DLP_OK)
        json = json_pack(
            "{s:o, s:o, s:o}", "region", dlpi_json_list(n, text_at, levels->level),
            "mean", dlpi_json_list(n, mean_at, f), "sd", dlpi_json_list(n, sd_at, f));
    free(x);
    free(f);
    return json;
}

/* Null for two variables; NULL without memory. */
static json_t *curve_json(const dlp_regression *r, dlp_index s)
{
    double x[CURVE];
    dlp_margin f[CURVE];
    const dlp_basis *basis = &r->result.terms->basis[r->result.smooth[s].basis];
    if (basis->d != 1) return json_null();
    if (basis->kind == DLP_BASIS_BESAG) return regions_json(r, s);
    if (dlp_regression_curve(r, s, CURVE, x, f, NULL) != DLP_OK) return NULL;
    return json_pack("{s:o, s:o, s:o}", "x", dlpi_json_list(CURVE, x_at, x), "mean",
                     dlpi_json_list(CURVE, mean_at, f), "sd",
                     dlpi_json_list(CURVE, sd_at, f));
}

static json_t *smooth_at(const void *of, dlp_index s)
{
    const dlp_regression *r = of;
    const dlp_smooth_effect *e = &r->result.smooth[s];
    char prior[128];
    dlp_sd_prior_text(&e->prior, 17, prior, sizeof prior);
    return json_pack("{s:s, s:s?, s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:b, s:o, s:o, s:o}",
                     "label", e->label, "by", e->by, "level", (json_int_t)e->level,
                     "basis", (json_int_t)e->basis, "fixed", (json_int_t)e->fixed,
                     "n_fixed", (json_int_t)e->n_fixed, "first", (json_int_t)e->first,
                     "n", (json_int_t)e->n, "prior", prior, "stated", e->prior.stated,
                     "variance", dlpi_json_real(e->square), "sd", margin_json(&e->sd),
                     "curve", curve_json(r, s));
}

int dlpi_fit_add_smooths(const dlp_regression *r, json_t *root)
{
    if (r->result.n_smooths == 0) return 0;
    return json_object_set_new(root, "smooths",
                               dlpi_json_list(r->result.n_smooths, smooth_at, r));
}

/* ---- read back ---- */

static dlp_status read_index(const dlpi_fit_reader *r, const json_t *object,
                             const char *key, dlp_index most, dlp_index *out)
{
    const json_t *value = json_object_get(object, key);
    const json_int_t i = json_integer_value(value);
    *out = (dlp_index)i;
    return json_is_integer(value) && i >= -1 && i <= (json_int_t)most
               ? DLP_OK
               : dlpi_fit_wrong(r, key, "a number that its columns allow");
}

static dlp_status read_places(const dlpi_fit_reader *r, const json_t *object,
                              dlp_smooth_effect *s)
{
    const dlp_index p = r->fit->p * dlpi_predictors(r->fit);
    DLP_TRY(read_index(r, object, "level", INT32_MAX, &s->level));
    DLP_TRY(read_index(r, object, "basis", r->fit->terms->n_bases - 1, &s->basis));
    DLP_TRY(read_index(r, object, "fixed", p, &s->fixed));
    DLP_TRY(read_index(r, object, "n_fixed", p, &s->n_fixed));
    DLP_TRY(read_index(r, object, "first", p, &s->first));
    DLP_TRY(read_index(r, object, "n", p, &s->n));
    bool fits = s->basis >= 0 && s->fixed >= 0 && s->n_fixed >= 0 && s->first >= 0 &&
                s->n > 0 && s->fixed + s->n_fixed <= p && s->first + s->n <= p;
    if (fits) {
        const dlp_basis *basis = &r->fit->terms->basis[s->basis];
        const dlp_index constant = s->by && s->level < 0;
        fits = s->n == basis->columns - basis->fixed &&
               s->n_fixed == basis->fixed + constant;
    }
    return fits ? DLP_OK
                : dlpi_fit_wrong(r, "smooths", "made of columns that the fit has");
}

/* Older files have the scale of a half Student-t. */
static dlp_status read_prior(const dlpi_fit_reader *r, const json_t *object,
                             dlp_sd_prior *prior)
{
    const char *text = json_string_value(json_object_get(object, "prior"));
    if (!text) {
        *prior = (dlp_sd_prior){.distribution = DLP_SD_HALF_T, .a = 3};
        DLP_TRY(dlpi_fit_real(r, object, "prior_scale", &prior->b));
        return prior->b > 0 ? DLP_OK : dlpi_fit_wrong(r, "prior_scale", "above 0");
    }
    if (dlpi_sd_prior_parse(text, prior, NULL) != DLP_OK)
        return dlpi_fit_wrong(r, "prior", "one that this library knows");
    prior->stated = json_is_true(json_object_get(object, "stated"));
    return DLP_OK;
}

/* A file has no sd for a mode. */
static dlp_status read_sd(const dlpi_fit_reader *r, const json_t *sd, dlp_margin *to)
{
    DLP_TRY(dlpi_fit_real(r, sd, "mean", &to->mean));
    if (r->fit->hyper == DLP_HYPER_MAP && json_is_null(json_object_get(sd, "sd"))) {
        *to = dlpi_margin_of_mode(to->mean);
        return DLP_OK;
    }
    DLP_TRY(dlpi_fit_real(r, sd, "sd", &to->sd));
    DLP_TRY(dlpi_fit_real(r, sd, "lower", &to->lower));
    DLP_TRY(dlpi_fit_real(r, sd, "median", &to->median));
    DLP_TRY(dlpi_fit_real(r, sd, "upper", &to->upper));
    return to->sd >= 0 && to->lower <= to->median && to->median <= to->upper
               ? DLP_OK
               : dlpi_fit_wrong(r, "sd", "the margin of a positive number");
}

static dlp_status read_smooth(const dlpi_fit_reader *r, const json_t *object,
                              dlp_smooth_effect *s)
{
    const json_t *sd = json_object_get(object, "sd");
    const char *text;
    DLP_TRY(dlpi_fit_text(r, object, "label", &text));
    if (!dlpi_regression_keep(r->of, text, &s->label) ||
        !dlpi_regression_keep(r->of, json_string_value(json_object_get(object, "by")),
                              &s->by))
        return dlpi_no_memory_to_read(r->error, r->name);
    DLP_TRY(read_places(r, object, s));
    DLP_TRY(read_prior(r, object, &s->prior));
    DLP_TRY(read_sd(r, sd, &s->sd));
    s->square = s->sd.mean * s->sd.mean;
    if (!json_object_get(object, "variance")) return DLP_OK; /* older files */
    DLP_TRY(dlpi_fit_real(r, object, "variance", &s->square));
    return s->square >= 0 ? DLP_OK : dlpi_fit_wrong(r, "variance", "not negative");
}

dlp_status dlpi_fit_read_smooths(const dlpi_fit_reader *r)
{
    const json_t *list = json_object_get(r->root, "smooths");
    const dlp_index n = (dlp_index)json_array_size(list);
    if (!list) return DLP_OK;
    dlp_smooth_effect *smooth = dlpi_pool_take(&r->of->pool, n, sizeof *smooth);
    if (!smooth) return dlpi_no_memory_to_read(r->error, r->name);
    r->fit->smooth = smooth;
    r->fit->n_smooths = n;
    for (dlp_index s = 0; s < n; s++)
        DLP_TRY(read_smooth(r, json_array_get(list, (size_t)s), &smooth[s]));
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression read back from JSON: afterwards every array has its length, every
   number is finite, and every covariance is one. What can be computed again (coefficients, their intervals) is not
   read. */
#include "core/core.h"
#include "glm/families/family.h"
#include "io/json.h"
#include "regression/draw/scale_points.h"
#include "regression/file/fit_file.h"
#include "regression/file/fit_values.h"
#include "table/design/terms_json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a file should be. */
static const char a_fit[] = "a fitted regression";

/* ---- plain values ---- */

static dlp_status read_count(const dlpi_fit_reader *r, const char *key, json_int_t max,
                             json_int_t *count)
{
    const json_t *value = json_object_get(r->root, key);
    *count = json_integer_value(value);
    if (json_is_integer(value) && *count >= 0 && *count <= max) return DLP_OK;
    return dlpi_fit_wrong(r, key, "a whole number, not negative");
}

static dlp_status read_int(const dlpi_fit_reader *r, const char *key, int *count)
{
    json_int_t value;
    DLP_TRY(read_count(r, key, INT_MAX, &value));
    *count = (int)value;
    return DLP_OK;
}

/* One of the words of a list; *index is its place there. */
static dlp_status read_word(const dlpi_fit_reader *r, const char *key,
                            const char *(*words)(int i), int *index)
{
    const char *text;
    DLP_TRY(dlpi_fit_text(r, r->root, key, &text));
    for (*index = 0; words(*index); ++*index)
        if (!strcmp(words(*index), text)) return DLP_OK;
    return dlpi_fit_wrong(r, key, "one that this library knows");
}

/* ---- what was fitted ---- */

static dlp_status read_format(const dlpi_fit_reader *r)
{
    const char *format = json_string_value(json_object_get(r->root, "format"));
    const json_t *version = json_object_get(r->root, "version");
    if (format && !strcmp(format, "delaplace-topics"))
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: belongs to a topic model; give its folder", r->name);
    if (!format || strcmp(format, DLPI_FIT_FORMAT) != 0)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: this is not a fitted regression (its \"format\" is not "
                        "\"%s\"); name the file that one was saved to",
                        r->name, DLPI_FIT_FORMAT);
    if (json_is_integer(version) && json_integer_value(version) == DLPI_FIT_VERSION)
        return DLP_OK;
    return dlp_fail(
        r->error, DLP_EINPUT,
        "%s: this library reads version %d of the format, and the file has another; use "
        "the delaplace that made it, or a newer one, or fit again",
        r->name, DLPI_FIT_VERSION);
}

static dlp_status read_family(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    const char *text;
    DLP_TRY(dlpi_fit_text(r, r->root, "family", &text));
    fit->family = dlp_family_find(text);
    if (!fit->family) return dlpi_fit_wrong(r, "family", "one that this library knows");
    fit->df = DLP_GLM_DF;
    if (json_object_get(r->root, "df"))
        DLP_TRY(dlpi_fit_real(r, r->root, "df", &fit->df));
    fit->df_chosen = json_is_true(json_object_get(r->root, "df_chosen"));
    if (!(fit->df > 0)) return dlpi_fit_wrong(r, "df", "positive");
    DLP_TRY(dlpi_fit_text(r, r->root, "link", &text));
    const dlpi_family *linked = dlpi_family_find(fit->family->name, text);
    if (!linked) return dlpi_fit_wrong(r, "link", "one of the family's");
    fit->link_kind = linked->link;
    fit->link = dlp_link_name((int)linked->link);
    return DLP_OK;
}

/* One for each column, in their order; if absent, they are all the same. */
static dlp_status read_own_prior(const dlpi_fit_reader *r, const json_t *list)
{
    const dlp_index p = r->fit->p;
    if (!list) return DLP_OK;
    if (!dlpi_is_list(list, p)) return dlpi_fit_wrong(r, "prior", "one for each column");
    dlp_coefficient_prior *each = dlpi_pool_take(&r->of->pool, p, sizeof *each);
    if (!each) return dlpi_no_memory_to_read(r->error, r->name);
    r->fit->prior = each;
    for (dlp_index j = 0; j < p; j++) {
        const json_t *of = json_array_get(list, (size_t)j);
        DLP_TRY(dlpi_fit_real(r, of, "mean", &each[j].mean));
        DLP_TRY(dlpi_fit_real(r, of, "sd", &each[j].sd));
        DLP_TRY(dlpi_fit_real(r, of, "df", &each[j].df));
        if (!(each[j].sd > 0) || each[j].df < 0)
            return dlpi_fit_wrong(r, "prior",
                                  "made of positive sds, and of no negative df");
        each[j].weak = json_is_true(json_object_get(of, "weak"));
    }
    return DLP_OK;
}

static dlp_status read_prior_covariance(const dlpi_fit_reader *r, const json_t *rows)
{
    const dlp_index p = r->fit->p;
    if (!rows) return DLP_OK;
    for (dlp_index j = 0; j < p; j++)
        if (!dlpi_is_list(json_array_get(rows, (size_t)j), p))
            return dlpi_fit_wrong(r, "prior", "as large as there are columns");
    double *covariance = dlpi_pool_take(&r->of->pool, p, (size_t)p * sizeof *covariance);
    if (!covariance) return dlpi_no_memory_to_read(r->error, r->name);
    r->fit->prior_covariance = covariance;
    return dlpi_fit_square(r, "prior", rows, p, covariance);
}

/* One of two words; *second tells whether it is the second. */
static dlp_status read_either(const dlpi_fit_reader *r, const json_t *object,
                              const char *key, const char *first, const char *other,
                              int *second)
{
    const char *text;
    DLP_TRY(dlpi_fit_text(r, object, key, &text));
    *second = !strcmp(text, other);
    if (*second || !strcmp(text, first)) return DLP_OK;
    return dlpi_fit_wrong(r, key, "one that this library knows");
}

/* Keys that files of older versions lack. */
static dlp_status read_rest_of_prior(const dlpi_fit_reader *r, const json_t *prior)
{
    dlp_regression_result *fit = r->fit;
    const json_t *symmetric = json_object_get(prior, "symmetric_levels");
    const bool needs_scale = fit->family->scale != NULL;
    const bool needs_levels = fit->family->support == DLP_SUPPORT_LEVELS;
    const bool has_scale = json_object_get(prior, "log_scale_mean") != NULL;
    if (has_scale) DLP_TRY(dlpi_fit_real(r, prior, "log_scale_mean", &fit->scale_mean));
    fit->symmetric_levels = json_is_true(symmetric);
    fit->prior_complete =
        (!needs_scale || has_scale) && (!needs_levels || json_is_boolean(symmetric));
    return DLP_OK;
}

static dlp_status read_prior(const dlpi_fit_reader *r)
{
    const json_t *prior = json_object_get(r->root, "prior");
    dlp_regression_result *fit = r->fit;
    if (fit->grouping != DLP_HIERARCHICAL) {
        DLP_TRY(dlpi_fit_real(r, prior, "sd", &fit->prior_sd));
        DLP_TRY(dlpi_fit_real(r, prior, "df", &fit->prior_df));
        DLP_TRY(read_own_prior(r, json_object_get(prior, "terms")));
        if (json_object_get(prior, "first_cut_sd"))
            DLP_TRY(dlpi_fit_real(r, prior, "first_cut_sd", &fit->first_cut_sd));
        if (json_object_get(prior, "cut_sd"))
            DLP_TRY(dlpi_fit_real(r, prior, "cut_sd", &fit->cut_sd));
        DLP_TRY(read_rest_of_prior(r, prior));
        return read_prior_covariance(r, json_object_get(prior, "covariance"));
    }
    DLP_TRY(dlpi_fit_real(r, prior, "nu", &fit->nu));
    DLP_TRY(dlpi_fit_real(r, prior, "phi0", &fit->phi0));
    DLP_TRY(dlpi_fit_real(r, prior, "phi1", &fit->phi1));
    DLP_TRY(
        read_either(r, prior, "sigma0_update", "corrected", "paper", &fit->paper_sigma0));
    DLP_TRY(read_either(r, prior, "hyperprior", "weak", "paper", &fit->paper_hyperprior));
    if (!json_object_get(prior, "scale")) return DLP_OK; /* the family has none */
    return read_either(r, prior, "scale", "by-group", "shared", &fit->shared_scale);
}

static const char *outcome_name(int i)
{
    return i <= DLP_CANCELLED ? dlp_outcome_name((dlp_outcome)i) : NULL;
}

/* Methods that produce fits: "auto" is not one of them. */
static const char *method_name(int i)
{
    return dlp_regression_method(DLP_METHOD_LAPLACE + i);
}

static dlp_status keep_text(const dlpi_fit_reader *r, const char *key, const char **copy)
{
    const char *text;
    DLP_TRY(dlpi_fit_text(r, r->root, key, &text));
    return dlpi_regression_keep(r->of, text, copy)
               ? DLP_OK
               : dlpi_no_memory_to_read(r->error, r->name);
}

static dlp_status read_weights(const dlpi_fit_reader *r)
{
    r->fit->total_weight = (double)r->fit->rows;
    if (json_object_get(r->root, "precision"))
        DLP_TRY(keep_text(r, "precision", &r->fit->precision));
    if (!json_object_get(r->root, "weights")) return DLP_OK;
    DLP_TRY(keep_text(r, "weights", &r->fit->weights));
    return dlpi_fit_real(r, r->root, "total_weight", &r->fit->total_weight);
}

static dlp_status read_hyper(const dlpi_fit_reader *r)
{
    int i = r->fit->grouping == DLP_MIXED          ? DLP_HYPER_INTEGRATE
            : r->fit->grouping == DLP_HIERARCHICAL ? DLP_HYPER_FACTOR
                                                   : DLP_HYPER_DEFAULT;
    if (r->fit->grouping == DLP_MIXED && json_object_get(r->root, "hyper"))
        DLP_TRY(read_word(r, "hyper", dlp_hyper_name, &i));
    r->fit->hyper = (dlp_hyper)i;
    const bool known =
        r->fit->grouping != DLP_MIXED || i == DLP_HYPER_INTEGRATE || i == DLP_HYPER_MAP;
    return known ? DLP_OK : dlpi_fit_wrong(r, "hyper", "integrate or map");
}

/* How it ended. */
static dlp_status read_ending(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    json_int_t count;
    int i;
    DLP_TRY(read_word(r, "outcome", outcome_name, &i));
    fit->outcome = (dlp_outcome)i;
    DLP_TRY(read_int(r, "iterations", &fit->iterations));
    DLP_TRY(read_count(r, "evaluations", LONG_MAX, &count));
    fit->evaluations = (long)count;
    DLP_TRY(read_int(r, "fallbacks", &fit->fallbacks));
    if (dlp_regression_is_grouped(fit))
        DLP_TRY(read_int(r, "unsettled", &fit->unsettled));
    fit->scale_integrated = json_is_true(json_object_get(r->root, "scale_summed"));
    fit->propagated = json_is_true(json_object_get(r->root, "propagated"));
    fit->few_rows = json_is_true(json_object_get(r->root, "few_rows"));
    DLP_TRY(read_hyper(r));
    if (fit->grouping == DLP_MIXED) DLP_TRY(read_int(r, "points", &fit->points));
    const bool worked =
        fit->grouping == DLP_MIXED ? fit->points > 0 : fit->iterations > 0;
    fit->estimated = worked && !json_is_false(json_object_get(r->root, "estimated"));
    fit->objective = NAN; /* null where it was not finite */
    if (json_is_null(json_object_get(r->root, "objective"))) return DLP_OK;
    return dlpi_fit_real(r, r->root, "objective", &fit->objective);
}

static dlp_status read_summary(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    json_int_t count;
    int i;
    DLP_TRY(keep_text(r, "formula", &fit->formula));
    DLP_TRY(read_family(r));
    DLP_TRY(read_word(r, "method", method_name, &i));
    fit->method = method_name(i);
    fit->method_kind = (dlp_method_kind)(DLP_METHOD_LAPLACE + i);
    fit->method_stated = fit->method_kind != DLP_METHOD_DELTA ||
                         json_is_true(json_object_get(r->root, "method_stated"));
    DLP_TRY(read_word(r, "grouping", dlp_grouping_name, &i));
    fit->grouping = (dlp_grouping)i;
    if (fit->grouping == DLP_GROUPING_DEFAULT)
        return dlpi_fit_wrong(r, "grouping", "one that a fit can have");
    DLP_TRY(dlpi_fit_real(r, r->root, "tol", &fit->tol));
    DLP_TRY(read_int(r, "max_iter", &fit->max_iter));
    DLP_TRY(read_count(r, "rows", PTRDIFF_MAX, &count));
    fit->rows = (dlp_index)count;
    DLP_TRY(read_count(r, "dropped", PTRDIFF_MAX, &count));
    fit->dropped = (dlp_index)count;
    DLP_TRY(read_weights(r));
    return read_ending(r);
}

/* ---- the posterior ---- */

static dlp_status read_vector(const dlpi_fit_reader *r, const char *key,
                              const json_t *list, double *out)
{
    if (!dlpi_is_list(list, r->fit->n))
        return dlpi_fit_wrong(r, key, "as long as \"parameters\"");
    return dlpi_fit_numbers(r, key, list, r->fit->n, out);
}

static dlp_status read_group(const dlpi_fit_reader *r, dlp_index m, const json_t *mean,
                             const json_t *covariance)
{
    const dlp_index n = r->fit->n;
    DLP_TRY(read_vector(r, "mean", mean, r->of->mu + m * n));
    return dlpi_fit_square(r, "covariance", covariance, n, r->of->Sigma + m * n * n);
}

/* The lists must be as long as the shape says before memory is allocated for it: then the
   file itself contains that many values. */
static dlp_status check_lengths(const dlpi_fit_reader *r, const json_t *mean,
                                const json_t *covariance)
{
    const dlp_regression_result *fit = r->fit;
    const bool grouped = dlp_regression_is_grouped(fit);
    if (!dlpi_is_list(json_object_get(r->root, "parameters"), fit->n))
        return dlpi_fit_wrong(r, "parameters", "as long as family and columns imply");
    for (dlp_index m = 0; m < fit->M; m++) {
        const json_t *square =
            grouped ? json_array_get(covariance, (size_t)m) : covariance;
        for (dlp_index i = 0; i < fit->n; i++)
            if (!dlpi_is_list(json_array_get(square, (size_t)i), fit->n))
                return dlpi_fit_wrong(r, "covariance",
                                      "as large as \"parameters\" is long");
    }
    if (grouped && (!dlpi_is_list(mean, fit->M) || !dlpi_is_list(covariance, fit->M)))
        return dlpi_fit_wrong(r, "mean",
                              "as long as the list of groups, and \"covariance\" too");
    return DLP_OK;
}

static dlp_status read_posterior(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    const json_t *mean = json_object_get(r->root, "mean");
    const json_t *covariance = json_object_get(r->root, "covariance");
    DLP_TRY(check_lengths(r, mean, covariance));
    DLP_TRY(dlpi_regression_room(r->of, r->error));
    if (!dlp_regression_is_grouped(fit)) return read_group(r, 0, mean, covariance);
    for (dlp_index m = 0; m < fit->M; m++)
        DLP_TRY(read_group(r, m, json_array_get(mean, (size_t)m),
                           json_array_get(covariance, (size_t)m)));
    if (fit->grouping != DLP_HIERARCHICAL) return DLP_OK;
    DLP_TRY(read_vector(r, "mu0", json_object_get(r->root, "mu0"), r->of->mu0));
    DLP_TRY(dlpi_fit_square(r, "Sigma0", json_object_get(r->root, "Sigma0"), fit->n,
                            r->of->Sigma0));
    return dlpi_fit_square(r, "mu0_covariance",
                           json_object_get(r->root, "mu0_covariance"), fit->n,
                           r->of->mu0_covariance);
}

/* ---- the trace ---- */

static double number_or_nan(const json_t *value)
{
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int count_or_zero(const json_t *value)
{
    const json_int_t count = json_integer_value(value);
    return count > 0 && count <= INT_MAX ? (int)count : 0;
}

/* Nothing is computed from it: in a file edited by hand, a value that is not a list
   counts as no rows. */
static dlp_status read_trace(const dlpi_fit_reader *r)
{
    const json_t *list = json_object_get(r->root, "trace");
    const size_t n = json_array_size(list);
    if (n > INT_MAX) return dlpi_fit_wrong(r, "trace", "shorter");
    dlp_trace_row *trace = dlpi_pool_take(&r->of->pool, (dlp_index)n, sizeof *trace);
    if (!trace) return dlpi_no_memory_to_read(r->error, r->name);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(list, i);
        trace[i] = (dlp_trace_row){
            .iteration = count_or_zero(json_object_get(row, "iteration")),
            .evaluations = count_or_zero(json_object_get(row, "evaluations")),
            .objective = number_or_nan(json_object_get(row, "objective")),
            .change = number_or_nan(json_object_get(row, "change"))};
    }
    r->fit->trace = trace;
    r->fit->n_trace = (int)n;
    return DLP_OK;
}

/* ---- the whole ---- */

static dlp_status read_terms(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    dlpi_read_columns columns;
    DLP_TRY(
        dlpi_terms_parse(r->name, json_object_get(r->root, "terms"), &columns, r->error));
    r->of->terms = columns.terms;
    fit->terms = columns.terms;
    fit->p = columns.p;
    const char **column = dlpi_pool_take(&r->of->pool, columns.p, sizeof *column);
    bool kept = column != NULL;
    for (dlp_index j = 0; j < columns.p && kept; j++)
        kept = dlpi_regression_keep(r->of, columns.column[j], &column[j]);
    fit->column = column;
    columns.terms = NULL; /* the regression's */
    dlpi_read_columns_clear(&columns);
    if (!kept) return dlpi_no_memory_to_read(r->error, r->name);
    return fit->terms->response.variable ? DLP_OK
                                         : dlpi_fit_wrong(r, "response", "there");
}

/* Factors that are not named have none; older files name no factors. */
static dlp_status read_references(const dlpi_fit_reader *r)
{
    const json_t *named = json_object_get(r->root, "references");
    const dlp_terms *terms = r->fit->terms;
    dlp_index *reference =
        dlpi_pool_take(&r->of->pool, terms->n_factors, sizeof *reference);
    if (!reference) return dlpi_no_memory_to_read(r->error, r->name);
    r->fit->reference = reference;
    for (dlp_index f = 0; f < terms->n_factors; f++) {
        const dlp_levels *factor = &terms->factor[f];
        const json_t *level = json_object_get(named, factor->variable);
        reference[f] = -1;
        if (!level) continue;
        if (!json_is_string(level) ||
            strcmp(json_string_value(level), factor->level[0]) != 0)
            return dlpi_fit_wrong(r, "references", "the first levels of factors");
        reference[f] = 0;
    }
    return DLP_OK;
}

static dlp_status find_shape(const dlpi_fit_reader *r)
{
    dlp_regression_result *fit = r->fit;
    const bool of_levels = dlp_family_has_levels(fit->family);
    fit->M = dlp_regression_is_grouped(fit) ? fit->terms->group.n : 1;
    fit->n = dlp_glm_parameters(fit->family->name, fit->p, fit->terms->response.n);
    if (fit->n > 0) return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT, "a regression of family %s needs %s",
                    fit->family->name, of_levels ? "levels and columns" : "columns");
}

static dlp_status read_all(const dlpi_fit_reader *r)
{
    DLP_TRY(read_format(r));
    DLP_TRY(read_summary(r));
    DLP_TRY(read_terms(r));
    DLP_TRY(read_references(r));
    if (dlp_regression_is_grouped(r->fit) && !r->fit->terms->group.variable)
        return dlpi_fit_wrong(r, "group", "present, since the fit is grouped");
    DLP_TRY(read_prior(r));
    DLP_TRY(find_shape(r));
    DLP_TRY(dlpi_fit_read_written(r));
    DLP_TRY(read_posterior(r));
    r->fit->df = dlpi_second_scale(r->fit->family, r->fit->mu, r->fit->p, r->fit->df);
    if (r->fit->grouping == DLP_MIXED) {
        DLP_TRY(dlpi_fit_read_smooths(r));
        DLP_TRY(dlpi_fit_read_random(r));
        DLP_TRY(dlpi_fit_read_scale_points(r));
    } else if (json_object_get(r->root, "margins") &&
               !dlp_regression_is_grouped(r->fit)) {
        DLP_TRY(dlpi_fit_read_margins(r));
    }
    DLP_TRY(dlpi_fit_read_verification(r));
    return read_trace(r);
}

static dlp_status read_value(const char *name, const json_t *root,
                             dlp_regression **regression, dlp_error *error)
{
    dlp_regression *made = dlpi_regression_new();
    const dlpi_fit_reader r = {name, root, made, made ? &made->result : NULL, error};
    const dlp_status status = made ? read_all(&r) : dlpi_no_memory_to_read(error, name);
    if (status == DLP_OK)
        *regression = made;
    else
        dlp_regression_free(made);
    return status;
}

dlp_status dlp_regression_parse(const char *name, const char *text, size_t size,
                                dlp_regression **regression, dlp_error *error)
{
    json_t *root;
    *regression = NULL;
    DLP_TRY(dlpi_json_parse(name, text, size, a_fit, &root, error));
    const dlp_status status = read_value(name, root, regression, error);
    json_decref(root);
    return status;
}

dlp_status dlp_regression_load(const char *path, dlp_regression **regression,
                               dlp_error *error)
{
    json_t *root;
    *regression = NULL;
    if (!path)
        return dlp_fail(error, DLP_EINVAL, "a fit is loaded from a path: it is NULL");
    DLP_TRY(dlpi_json_read(path, a_fit, &root, error));
    const dlp_status status = read_value(path, root, regression, error);
    json_decref(root);
    return status;
}

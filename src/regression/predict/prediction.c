/* SPDX-License-Identifier: BSD-3-Clause */
/* New rows for a fitted regression: turned into the columns of the fit, and predicted. */
#include "regression/predict/prediction.h"

#include "core/core.h"
#include "core/settings.h"
#include "regression/predict/predict_random.h"
#include "regression/prepare/moments.h"

#include <string.h>

void dlp_prediction_settings_init(dlp_prediction_settings *settings, size_t size)
{
    const dlp_prediction_settings defaults = {.size = sizeof defaults,
                                              .unseen_group = DLP_UNSEEN_AUTO,
                                              .interval_level = DLP_INTERVAL_LEVEL};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

void dlp_prediction_free(dlp_prediction *p)
{
    if (!p) return;
    free(p->scores.memory);
    dlpi_grouped_rows_clear(&p->rows);
    dlpi_rows_free(p->code);
    free(p->random);
    dlp_design_free(p->design);
    free(p);
}

/* ---- rows ---- */

/* Weights do not affect the prediction of a row. */
static const char *choose_weights(const dlp_prediction_settings *s,
                                  const dlp_regression_result *r, const dlp_table *table)
{
    if (s->what != DLP_PREDICT_SCORES || s->unweighted) return NULL;
    const char *name = s->weights ? s->weights : r->weights;
    const dlp_index j = name ? dlp_table_find(table, name) : -1;
    if (j >= 0) return table->column[j].name; /* it lives as long as the prediction */
    return s->weights;                        /* the design refuses it */
}

/* For counts out of trials the table must say how many, in the columns of the
   response. */
static bool needs_response(const dlp_regression_result *r, dlp_predict what)
{
    return what == DLP_PREDICT_SCORES ||
           (what == DLP_PREDICT_OBSERVATIONS && r->family->support == DLP_SUPPORT_TRIALS);
}

/* A damaged file could ask for other columns than those it has coefficients for. */
dlp_status dlpi_check_columns(const dlp_regression_result *r, const dlp_design *design,
                              dlp_index p, dlp_index skipped, dlp_error *error)
{
    bool same = p == r->p;
    for (dlp_index j = 0; j < r->p && same; j++)
        same = !strcmp(design->name[skipped + j], r->column[j]);
    if (same) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the formula and levels of the fit do not give the columns that it "
                    "has; its file was edited: fit again");
}

dlp_status dlpi_check_response(const dlp_regression_result *r, const dlp_design *design,
                               dlp_error *error)
{
    const dlp_response_kind kind = design->response;
    const char *variable = r->terms->response.variable;
    if (kind == DLP_RESPONSE_NONE)
        return dlp_fail(error, DLP_EINPUT,
                        "the table has no response '%s' to compare with", variable);
    if (dlp_family_has_levels(r->family) && kind != DLP_RESPONSE_CATEGORICAL)
        return dlp_fail(error, DLP_EINPUT,
                        "the response '%s' must be categories, as in the fit", variable);
    return DLP_OK;
}

static dlp_status check_needed(const dlp_prediction *p, dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    if (p->design->response == DLP_RESPONSE_NONE && p->what == DLP_PREDICT_OBSERVATIONS)
        return dlp_fail(error, DLP_EINPUT,
                        "has no columns for '%s', whose sum is the trials of a new "
                        "response; add them, with 0 for the successes where they are not "
                        "known",
                        r->terms->response.variable);
    return dlpi_check_response(r, p->design, error);
}

/* Any groups will do where the fit does not distinguish them or their effects are left
   out; and a mixed model knows how far a new one may lie from the others. */
static dlp_unseen unseen_group(const dlp_prediction_settings *s,
                               const dlp_regression_result *r)
{
    const bool mixed = r->grouping == DLP_MIXED;
    if (!dlpi_is_grouped(r->grouping) && !mixed) return DLP_UNSEEN_POPULATION;
    if (mixed && s->effects != DLP_EFFECTS_OF_LEVELS) return DLP_UNSEEN_POPULATION;
    if (s->unseen_group != DLP_UNSEEN_AUTO) return s->unseen_group;
    return mixed ? DLP_UNSEEN_POPULATION : DLP_UNSEEN_ERROR;
}

static dlp_design_options design_options(const dlp_prediction_settings *s,
                                         const dlp_prediction *p)
{
    const dlp_regression_result *r = &p->regression->result;
    dlp_design_options options = dlp_design_options_default();
    options.missing_is_error = s->missing_is_error;
    options.skip_response = !needs_response(r, s->what);
    options.unseen_level = s->unseen_level;
    options.unseen_group = unseen_group(s, r);
    options.skip_groupings =
        r->grouping == DLP_MIXED && s->effects != DLP_EFFECTS_OF_LEVELS;
    options.weight = p->result.weights;
    options.problem = s->problem;
    return options;
}

/* The means of random effects are added to the offset, where a family has one; their
   variances are kept separately. */
static dlp_status add_random(const dlp_prediction_settings *s, dlp_prediction *p,
                             dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    const bool ordered = r->family->support == DLP_SUPPORT_ORDERED;
    const dlp_index N = p->data.N, D = dlpi_predictors(r),
                    cuts = ordered ? r->n - r->p : 0;
    DLP_TRY(dlpi_check_random(r, p->design, error));
    p->random =
        dlpi_calloc(N > 0 ? N : 1, (size_t)(D * (D + 1) + cuts) * sizeof *p->random);
    if (!p->random) return dlpi_no_memory(error, "the random effects");
    const dlpi_random_rows rows = {.x = p->data.x,
                                   .mean = p->random,
                                   .variance = p->random + N * D,
                                   .with_cuts =
                                       ordered ? p->random + N * D * (D + 1) : NULL};
    p->added = (dlpi_added){NULL, rows.variance, rows.with_cuts};
    if (p->data.offset && N > 0)
        memcpy(p->random, p->data.offset, (size_t)N * sizeof *p->random);
    *(dlp_family_has_levels(r->family) ? &p->added.mean : &p->data.offset) = p->random;
    return dlpi_add_random(r, p->design, s->effects, &rows, &p->result.independent,
                           error);
}

static dlp_status build_rows(const dlp_prediction_settings *s, dlp_prediction *p,
                             dlp_error *error)
{
    const dlp_regression_result *r = &p->regression->result;
    const bool grouped = dlpi_is_grouped(r->grouping);
    const dlp_design_options options = design_options(s, p);
    dlp_index skipped;
    dlp_status status =
        dlp_design_rebuild(r->terms, p->table, &options, &p->design, error);
    if (status == DLP_OK && needs_response(r, s->what)) status = check_needed(p, error);
    DLP_TRY(dlpi_in_table(p->table, status, error));
    DLP_TRY(dlpi_design_data(p->design, NULL, r->family, &p->data, &p->code, &skipped,
                             error));
    p->data.df = r->df;
    DLP_TRY(dlpi_check_columns(r, p->design, p->data.p, skipped, error));
    if (r->grouping == DLP_MIXED) DLP_TRY(add_random(s, p, error));
    return dlpi_grouped_rows_make(&p->data, grouped ? p->design->group : NULL, r->M,
                                  &p->rows, error);
}

/* ---- the whole ---- */

static dlp_status check_settings(const dlp_prediction_settings *s,
                                 const dlp_regression_result *r, dlp_error *error)
{
    const bool of_levels = dlp_family_has_levels(r->family);
    if (!r->estimated)
        return dlp_fail(error, DLP_EINPUT,
                        "the fit estimated nothing, so there is nothing to predict from; "
                        "fit again, by another method");
    if (!(s->interval_level > 0 && s->interval_level < 1))
        return dlp_fail(error, DLP_EINVAL,
                        "the level %g of an interval must lie between 0 and 1",
                        s->interval_level);
    if (s->unseen_group == DLP_UNSEEN_POPULATION && r->grouping != DLP_HIERARCHICAL &&
        r->grouping != DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "the population for unseen groups needs a hierarchical fit or a "
                        "mixed model, and this is neither");
    if (s->effects != DLP_EFFECTS_OF_LEVELS && r->grouping != DLP_MIXED)
        return dlp_fail(error, DLP_EINVAL,
                        "predictions with effects other than those of the rows' levels "
                        "need a mixed model, and this is not one");
    if (s->what != DLP_PREDICT_OBSERVATIONS ||
        (!of_levels && r->family->support != DLP_SUPPORT_BINARY))
        return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "a new response of a regression of family %s is one of %s, and has "
                    "no interval: look at the probability of each",
                    r->family->name, of_levels ? "the levels" : "two");
}

/* exp of N(m, s^2) has the mean exp(m + s^2/2): with an s above 2 most of it comes from
   beyond m + 2 s. */
static dlp_index count_wide(const dlp_regression_result *of, dlp_index N,
                            const dlp_glm_prediction *out)
{
    const double most = 2;
    dlp_index count = 0;
    if (of->link_kind != DLP_LINK_LOG || !out->eta_sd || !out->mean_averaged) return 0;
    for (dlp_index i = 0; i < N; i++) count += out->eta_sd[i] > most;
    return count;
}

static void fill_result(dlp_prediction *p)
{
    const dlp_glm_prediction *out = &p->scores.out;
    dlp_prediction_result *r = &p->result;
    const bool grouped = dlpi_is_grouped(p->regression->result.grouping);
    r->N = p->data.N;
    r->dropped = p->design->dropped;
    r->unseen = p->design->unseen;
    r->row = p->design->row;
    r->group = grouped ? p->design->group : NULL;
    r->total_weight = dlpi_total_weight(&p->rows.data);
    r->levels = p->data.levels;
    r->eta = out->eta;
    r->eta_sd = out->eta_sd;
    r->mean = out->mean;
    r->mean_averaged = out->mean_averaged;
    r->lower = out->lower;
    r->upper = out->upper;
    r->observed_lower = out->observed_lower;
    r->observed_upper = out->observed_upper;
    r->probability = out->probability;
    r->probability_averaged = out->probability_averaged;
    r->log_density = out->log_density;
    r->log_density_averaged = out->log_density_averaged;
    r->wide = count_wide(&p->regression->result, p->data.N, out);
}

static dlp_status predict(const dlp_prediction_settings *s, dlp_prediction *p,
                          dlp_error *error)
{
    DLP_TRY(check_settings(s, &p->regression->result, error));
    p->result.weights = choose_weights(s, &p->regression->result, p->table);
    DLP_TRY(build_rows(s, p, error));
    p->scores.out.interval_level = s->interval_level;
    DLP_TRY(dlpi_score(p->regression, &p->rows, &p->added, s->what, s->progress,
                       s->context, &p->scores, error));
    fill_result(p);
    if (p->random && s->effects == DLP_EFFECTS_OF_LEVELS)
        return dlpi_count_new_levels(p, error);
    return dlpi_count_new_groups(p, error);
}

dlp_status dlp_regression_predict(const dlp_regression *regression,
                                  const dlp_table *table,
                                  const dlp_prediction_settings *settings,
                                  dlp_prediction **prediction, dlp_error *error)
{
    dlp_prediction_settings s = dlp_prediction_settings_default();
    *prediction = NULL;
    if (!regression || !table)
        return dlp_fail(error, DLP_EINVAL, "a prediction needs a regression and a table");
    DLP_TRY(dlpi_settings_take(&s, sizeof s, settings, error));
    dlp_prediction *p = dlpi_calloc(1, sizeof *p);
    if (!p) return dlpi_no_memory(error, "the predictions");
    p->regression = regression;
    p->table = table;
    p->what = s.what;
    const dlp_status status = predict(&s, p, error);
    if (status == DLP_OK)
        *prediction = p;
    else
        dlp_prediction_free(p);
    return status;
}

const dlp_prediction_result *dlp_prediction_result_of(const dlp_prediction *p)
{
    return &p->result;
}

/* Whether an earlier bar varies by the same column as number k of term t. */
static bool is_grouping_met(const dlp_design *d, dlp_index t, dlp_index k)
{
    const dlp_index column = d->random[t].column[k];
    for (dlp_index s = 0; s <= t; s++)
        for (dlp_index l = 0; l < (s < t ? d->random[s].n_columns : k); l++)
            if (d->random[s].column[l] == column) return true;
    return false;
}

dlp_index dlp_prediction_grouping(const dlp_prediction *p, dlp_index i)
{
    const dlp_design *d = p->design;
    for (dlp_index t = 0; t < d->n_random && !d->random[t].process; t++)
        for (dlp_index k = 0; k < d->random[t].n_columns; k++)
            if (!is_grouping_met(d, t, k) && i-- == 0) return d->random[t].column[k];
    return -1;
}

dlp_index dlp_prediction_level(const dlp_prediction *p, dlp_index i)
{
    const dlp_prediction_result *r = &p->result;
    if (i < 0 || i >= r->N) return -1;
    if (r->probability) return dlpi_best_level(r->levels, r->probability + i * r->levels);
    const bool binary = p->regression->result.family->support == DLP_SUPPORT_BINARY;
    return binary ? r->mean[i] > 0.5 : -1;
}

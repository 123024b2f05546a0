/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shares of topics as a covariate changes. The regressions are linear in the columns of the
 * design, so the mean over documents is that of their mean row; it is made by the design
 * itself, from a copy of the documents' rows in which the variable has one value throughout.
 */
#include <delaplace/effect_curve.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "core/settings.h"
#include "math/distinct.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most documents that the mean row is taken over, values of a factor, values of
   `by`. */
enum { MOST_DOCUMENTS = 2000, MOST_VALUES = 1000, MOST_CURVES = 12 };

/* The values that a column takes in a curve. */
typedef struct values {
    dlp_index column; /* of the table; -1: none */
    dlp_index n;
    double *x;     /* (n) numbers; NULL: categories */
    int32_t *code; /* (n) categories; NULL: numbers */
} values;

typedef struct job {
    const dlp_effects *effects;
    const dlp_document_covariates *X;
    dlp_effect_curve_settings settings;
    dlp_table *whole; /* the documents' rows, which values are from */
    dlp_table *table; /* those that means are over */
    values variable, by;
    double *row; /* (curves, n, p) mean rows */
} job;

void dlp_effect_curve_settings_init(dlp_effect_curve_settings *settings, size_t size)
{
    const dlp_effect_curve_settings defaults = {.points = 41,
                                                .interval_level = DLP_INTERVAL_LEVEL};
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* ---- which columns ---- */

static bool uses(const dlp_design *design, dlp_index column)
{
    for (dlp_index v = 0; v < design->n_variables; v++)
        for (dlp_index i = 0; i < design->variable[v].n_columns; i++)
            if (design->variable[v].column[i] == column) return true;
    return false;
}

/* "'day', 'rating'", as far as there is room. */
static void list_columns(const dlp_table *table, const dlp_design *design, char *out,
                         size_t room)
{
    size_t used = 0;
    out[0] = '\0';
    for (dlp_index c = 0; c < table->columns; c++) {
        if (!uses(design, c)) continue;
        const int length = snprintf(out + used, room - used, "%s'%.80s'",
                                    used ? ", " : "", table->column[c].name);
        if (length < 0 || (size_t)length >= room - used) break;
        used += (size_t)length;
    }
}

static dlp_status find_column(const job *j, const char *name, dlp_index *found,
                              dlp_error *error)
{
    char columns[400];
    *found = -1;
    for (dlp_index c = 0; c < j->whole->columns; c++)
        if (!strcmp(j->whole->column[c].name, name) && uses(j->X->design, c)) *found = c;
    if (*found >= 0) return DLP_OK;
    list_columns(j->whole, j->X->design, columns, sizeof columns);
    return dlp_fail(error, DLP_EINVAL, "the formula has no column '%.80s'%s%.400s", name,
                    *columns ? ", but " : " or any other", columns);
}

/* ---- which values ---- */

/* The distinct numbers of a column, or `points` evenly spaced ones from the least to the
   largest. */
static dlp_status take_numbers(const dlp_column *c, dlp_index rows, dlp_index points,
                               values *v, dlp_error *error)
{
    v->x = dlpi_calloc(rows > points ? rows : points, sizeof *v->x);
    if (!v->x) return dlpi_no_memory(error, "a curve");
    memcpy(v->x, c->number, (size_t)rows * sizeof *v->x);
    v->n = dlpi_distinct(rows, v->x);
    const double least = v->x[0], most = v->x[v->n - 1];
    if (v->n <= points) return DLP_OK;
    v->n = points;
    for (dlp_index i = 0; i < points; i++)
        v->x[i] = least + (most - least) * (double)i / (double)(points - 1);
    return DLP_OK;
}

/* The levels that documents have. */
static dlp_status take_levels(const dlp_column *c, dlp_index rows, values *v,
                              dlp_error *error)
{
    unsigned char *seen = dlpi_calloc(c->n_levels, 1);
    v->code = dlpi_calloc(c->n_levels, sizeof *v->code);
    if (seen && v->code) {
        for (dlp_index i = 0; i < rows; i++)
            if (c->code[i] >= 0) seen[c->code[i]] = 1;
        for (dlp_index l = 0; l < c->n_levels; l++)
            if (seen[l]) v->code[v->n++] = (int32_t)l;
    }
    free(seen);
    return v->code ? DLP_OK : dlpi_no_memory(error, "a curve");
}

static dlp_status find_values(const job *j, const char *name, values *v, dlp_error *error)
{
    DLP_TRY(find_column(j, name, &v->column, error));
    const dlp_column *c = &j->whole->column[v->column];
    if (c->kind == DLP_NUMERIC)
        DLP_TRY(take_numbers(c, j->whole->rows, j->settings.points, v, error));
    else
        DLP_TRY(take_levels(c, j->whole->rows, v, error));
    if (v->n <= MOST_VALUES) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "column '%.80s' has %td levels, too many for a curve", name, v->n);
}

/* The reference level of the regression is the first curve, from which others differ. */
static void lead_with_reference(const job *j, values *v)
{
    const dlp_terms *terms = j->X->design->terms;
    const dlp_column *c = &j->whole->column[v->column];
    for (dlp_index f = 0; v->code && f < terms->n_factors; f++) {
        const dlp_levels *factor = &terms->factor[f];
        if (factor->n == 0 || strcmp(factor->variable, c->name) != 0) continue;
        dlp_index at = 0;
        while (at < v->n && strcmp(c->level[v->code[at]], factor->level[0]) != 0) at++;
        if (at == v->n) return;
        const int32_t reference = v->code[at];
        memmove(v->code + 1, v->code, (size_t)at * sizeof *v->code);
        v->code[0] = reference;
    }
}

static dlp_status find_curves(job *j, dlp_error *error)
{
    j->by = (values){.column = -1, .n = 1};
    if (!j->settings.by) return DLP_OK;
    if (!strcmp(j->settings.by, j->settings.variable))
        return dlp_fail(error, DLP_EINVAL,
                        "a curve over '%.80s' cannot be split by the same column",
                        j->settings.by);
    j->by = (values){0};
    j->settings.points = MOST_CURVES + 1;
    DLP_TRY(find_values(j, j->settings.by, &j->by, error));
    lead_with_reference(j, &j->by);
    if (j->by.n <= MOST_CURVES) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "column '%.80s' has more than %d values, too many curves",
                    j->settings.by, MOST_CURVES);
}

/* ---- the documents' rows ---- */

/* Document i of n out of D: one of each n-th part, not always at the same place in it, since
   groups may take turns. */
static dlp_index spaced(dlp_index i, dlp_index n, dlp_index D)
{
    const double golden = 0.6180339887498949, fraction = (double)i * golden;
    const double at = ((double)i + fraction - floor(fraction)) / (double)n * (double)D;
    return n == D ? i : at < (double)D ? (dlp_index)at : D - 1;
}

/* Each known document's, or of no more than `most` of them. */
static dlp_status select_rows(const job *j, const dlp_table *table, dlp_index most,
                              dlp_table **selected, dlp_error *error)
{
    const dlp_index D = j->X->D, n = D < most ? D : most;
    unsigned char *keep = dlpi_calloc(table->rows, 1);
    if (!keep) return dlpi_no_memory(error, "a curve");
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index d = spaced(i, n, D);
        if (j->X->known[d]) keep[j->X->row[d]] = 1;
    }
    const dlp_status status = dlp_table_select(table, keep, selected, error);
    free(keep);
    return status;
}

static void set_value(const job *j, const values *v, dlp_index i)
{
    if (v->column < 0) return;
    dlp_column *c = &j->table->column[v->column];
    for (dlp_index d = 0; d < j->table->rows; d++)
        if (v->x)
            c->number[d] = v->x[i];
        else
            c->code[d] = v->code[i];
}

/* The mean row (p) of the documents as they are now. */
static dlp_status mean_row(const job *j, double *row, dlp_error *error)
{
    dlp_design *design;
    DLP_TRY(dlp_design_rebuild(j->X->design->terms, j->table, NULL, &design, error));
    for (dlp_index c = 0; c < design->p && c < j->effects->p; c++) {
        double sum = 0;
        for (dlp_index i = 0; i < design->N; i++) sum += design->x[c][i];
        row[c] = sum / (double)design->N;
    }
    dlp_design_free(design);
    return DLP_OK;
}

static dlp_status make_rows(job *j, dlp_error *error)
{
    const dlp_index n = j->variable.n, p = j->effects->p;
    j->row = dlpi_calloc(dlpi_size(dlpi_size(j->by.n, n, 0), p, 0), sizeof *j->row);
    if (!j->row) return dlpi_no_memory(error, "a curve");
    for (dlp_index c = 0; c < j->by.n; c++) {
        set_value(j, &j->by, c);
        for (dlp_index i = 0; i < n; i++) {
            set_value(j, &j->variable, i);
            DLP_TRY(mean_row(j, j->row + (c * n + i) * p, error));
        }
    }
    return DLP_OK;
}

/* ---- shares ---- */

/* x'b of topic k, where b has mean and covariance; minus that of `less`, unless NULL. room (p)
 */
static dlp_share share_at(const job *j, dlp_index k, const double *x, const double *less,
                          double *room)
{
    const dlp_index p = j->effects->p;
    const double *mean = j->effects->mean + k * p,
                 *covariance = j->effects->covariance + k * p * p;
    const double z = dlp_normal_quantile((1 + j->settings.interval_level) / 2);
    dlp_share share = {0};
    double variance = 0;
    for (dlp_index i = 0; i < p; i++) room[i] = x[i] - (less ? less[i] : 0);
    for (dlp_index i = 0; i < p; i++) {
        share.mean += room[i] * mean[i];
        for (dlp_index l = 0; l < p; l++)
            variance += room[i] * covariance[i * p + l] * room[l];
    }
    share.sd = sqrt(fmax(variance, 0));
    share.lower = share.mean - z * share.sd;
    share.upper = share.mean + z * share.sd;
    return share;
}

static dlp_status find_shares(const job *j, dlp_effect_curve *curve, dlp_error *error)
{
    const dlp_index p = j->effects->p, n = curve->n, all = curve->curves * n;
    double *room = dlpi_calloc(p, sizeof *room);
    curve->share = dlpi_calloc(dlpi_size(curve->K, all, 0), sizeof *curve->share);
    if (j->settings.by)
        curve->difference =
            dlpi_calloc(dlpi_size(curve->K, all, 0), sizeof *curve->difference);
    curve->impossible = dlpi_calloc(curve->K, sizeof *curve->impossible);
    const bool held = room && curve->share && curve->impossible &&
                      (curve->difference || !j->settings.by);
    for (dlp_index k = 0; k < curve->K && held; k++)
        for (dlp_index i = 0; i < all; i++) {
            const double *x = j->row + i * p, *first = j->row + i % n * p;
            const dlp_share share = share_at(j, k, x, NULL, room);
            curve->share[k * all + i] = share;
            curve->impossible[k] += share.upper < 0 || share.lower > 1;
            if (j->settings.by)
                curve->difference[k * all + i] = share_at(j, k, x, first, room);
        }
    free(room);
    return held ? DLP_OK : dlpi_no_memory(error, "a curve");
}

/* ---- names ---- */

static dlp_status name_values(const job *j, const values *v, char ***out,
                              dlp_error *error)
{
    char number[40];
    const dlp_column *c = &j->table->column[v->column];
    *out = dlpi_calloc(v->n, sizeof **out);
    if (!*out) return dlpi_no_memory(error, "a curve");
    for (dlp_index i = 0; i < v->n; i++) {
        if (v->x) snprintf(number, sizeof number, "%.6g", v->x[i]);
        (*out)[i] = strdup(v->x ? number : c->level[v->code[i]]);
        if (!(*out)[i]) return dlpi_no_memory(error, "a curve");
    }
    return DLP_OK;
}

static dlp_status fill(job *j, dlp_effect_curve *curve, dlp_error *error)
{
    curve->K = j->effects->K;
    curve->n = j->variable.n;
    curve->curves = j->by.n;
    curve->documents = j->table->rows;
    DLP_TRY(name_values(j, &j->variable, &curve->name, error));
    if (j->settings.by) DLP_TRY(name_values(j, &j->by, &curve->curve, error));
    DLP_TRY(find_shares(j, curve, error));
    curve->x = j->variable.x;
    j->variable.x = NULL;
    return DLP_OK;
}

/* ---- the call ---- */

static dlp_status check(const job *j, dlp_error *error)
{
    const dlp_effect_curve_settings *s = &j->settings;
    if (!s->variable) return dlp_fail(error, DLP_EINVAL, "a curve needs a variable");
    if (s->points < 2 || s->points > MOST_VALUES)
        return dlp_fail(error, DLP_EINVAL, "points must be 2 to %d", MOST_VALUES);
    if (!(s->interval_level > 0 && s->interval_level < 1))
        return dlp_fail(error, DLP_EINVAL, "level must be between 0 and 1");
    if (!j->X->design || j->X->p != j->effects->p)
        return dlp_fail(error, DLP_EINVAL, "these are not the covariates of the effects");
    return DLP_OK;
}

static dlp_status run(job *j, const dlp_table *table, dlp_effect_curve *curve,
                      dlp_error *error)
{
    DLP_TRY(check(j, error));
    DLP_TRY(select_rows(j, table, j->X->D, &j->whole, error));
    DLP_TRY(select_rows(j, table, MOST_DOCUMENTS, &j->table, error));
    DLP_TRY(find_values(j, j->settings.variable, &j->variable, error));
    DLP_TRY(find_curves(j, error));
    DLP_TRY(make_rows(j, error));
    return fill(j, curve, error);
}

dlp_status dlp_effects_curve(const dlp_effects *effects, const dlp_document_covariates *X,
                             const dlp_table *table,
                             const dlp_effect_curve_settings *settings,
                             dlp_effect_curve *curve, dlp_error *error)
{
    job j = {.effects = effects, .X = X};
    *curve = (dlp_effect_curve){0};
    dlp_effect_curve_settings_init(&j.settings, sizeof j.settings);
    DLP_TRY(dlpi_settings_take(&j.settings, sizeof j.settings, settings, error));
    const dlp_status status = run(&j, table, curve, error);
    dlp_table_free(j.whole);
    dlp_table_free(j.table);
    free(j.variable.x);
    free(j.variable.code);
    free(j.by.x);
    free(j.by.code);
    free(j.row);
    if (status != DLP_OK) dlp_effect_curve_free(curve);
    return status;
}

static void free_names(char **name, dlp_index n)
{
    for (dlp_index i = 0; name && i < n; i++) free(name[i]);
    free(name);
}

void dlp_effect_curve_free(dlp_effect_curve *curve)
{
    free_names(curve->name, curve->n);
    free_names(curve->curve, curve->curves);
    free(curve->x);
    free(curve->share);
    free(curve->difference);
    free(curve->impossible);
    *curve = (dlp_effect_curve){0};
}

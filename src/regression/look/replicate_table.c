/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "regression/look/replicates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BINS = 20, MOST_SINGLE = 40, LABEL = 64 };

/* ---- statistics ---- */

static double mean_of(dlp_index N, const double *y)
{
    double sum = 0;
    for (dlp_index i = 0; i < N; i++) sum += y[i];
    return sum / (double)N;
}

/* The k-th central moment. */
static double moment(dlp_index N, const double *y, int k)
{
    const double mean = mean_of(N, y);
    double sum = 0;
    for (dlp_index i = 0; i < N; i++)
        sum += k == 2 ? (y[i] - mean) * (y[i] - mean) : pow(y[i] - mean, 3);
    return sum / (double)N;
}

static double sd_of(dlp_index N, const double *y)
{
    return N > 1 ? sqrt(moment(N, y, 2) * (double)N / (double)(N - 1)) : NAN;
}

static double skewness(dlp_index N, const double *y)
{
    const double variance = moment(N, y, 2);
    return variance > 0 ? moment(N, y, 3) / pow(variance, 1.5) : 0;
}

static double zeros(dlp_index N, const double *y)
{
    double sum = 0;
    for (dlp_index i = 0; i < N; i++) sum += y[i] == 0;
    return sum / (double)N;
}

static double least(dlp_index N, const double *y)
{
    double out = INFINITY;
    for (dlp_index i = 0; i < N; i++) out = fmin(out, y[i]);
    return out;
}

static double most(dlp_index N, const double *y)
{
    double out = -INFINITY;
    for (dlp_index i = 0; i < N; i++) out = fmax(out, y[i]);
    return out;
}

enum { MEAN, SD, SKEWNESS, ZEROS, LEAST, MOST };
static const struct {
    const char *name;
    double (*of)(dlp_index N, const double *y);
} statistics[] = {
    [MEAN] = {"mean", mean_of},          [SD] = {"sd", sd_of},
    [SKEWNESS] = {"skewness", skewness}, [ZEROS] = {"share of zeros", zeros},
    [LEAST] = {"smallest", least},       [MOST] = {"largest", most}};

static void add_statistic(dlpi_replicate_table *t, int which)
{
    t->statistic[t->n_statistics++] = which;
}

static void choose_statistics(dlpi_replicate_table *t, dlp_support support)
{
    const bool levels = support == DLP_SUPPORT_LEVELS || support == DLP_SUPPORT_ORDERED;
    if (levels) return;
    add_statistic(t, MEAN);
    if (support == DLP_SUPPORT_BINARY) return;
    add_statistic(t, SD);
    if (support == DLP_SUPPORT_REAL || support == DLP_SUPPORT_POSITIVE ||
        support == DLP_SUPPORT_SHARE) {
        add_statistic(t, SKEWNESS);
        add_statistic(t, LEAST);
    } else {
        add_statistic(t, ZEROS);
    }
    add_statistic(t, MOST);
}

/* ---- bins ---- */

static double on_axis(const dlpi_replicate_table *t, double y)
{
    return t->logs ? log(y) : y;
}

/* The first and the last are open. */
static dlp_index bin_of(const dlpi_replicate_table *t, double y)
{
    const double at = floor((on_axis(t, y) - t->from) / t->width);
    if (!(at >= 0)) return 0;
    return at < (double)t->n_bins ? (dlp_index)at : t->n_bins - 1;
}

static bool label_bins(dlpi_replicate_table *t, const dlp_prediction *p,
                       struct dlpi_pool *pool)
{
    const dlp_regression_result *r = &p->regression->result;
    const dlp_levels *levels = &r->terms->response;
    const bool binary = r->family->support == DLP_SUPPORT_BINARY;
    t->label = dlpi_pool_take(pool, t->n_bins, sizeof *t->label);
    for (dlp_index b = 0; t->label && b < t->n_bins; b++) {
        const double low = t->from + (double)b * t->width, high = low + t->width;
        char text[LABEL];
        const char *name = text;
        if (levels->n == t->n_bins && t->single)
            name = levels->level[b];
        else if (t->single && b == t->n_bins - 1 && !binary)
            snprintf(text, sizeof text, "%.0f or more", low);
        else if (t->single)
            snprintf(text, sizeof text, "%.0f", low);
        else if (t->whole)
            snprintf(text, sizeof text, "%.0f to %.0f", low, high - 1);
        else
            snprintf(text, sizeof text, "%.4g to %.4g", t->logs ? exp(low) : low,
                     t->logs ? exp(high) : high);
        t->label[b] = dlpi_pool_copy(pool, name, strlen(name));
        if (!t->label[b]) return false;
    }
    return t->label != NULL;
}

/* One bin per level or whole number if there are few; else even steps over the observed
   range. */
static void choose_bins(dlpi_replicate_table *t, dlp_support support, dlp_index levels,
                        const double *y)
{
    const double low = least(t->N, y), high = most(t->N, y);
    const bool counts = support == DLP_SUPPORT_COUNT;
    t->width = 1;
    t->single = true;
    if (levels > 0 || support == DLP_SUPPORT_BINARY) {
        t->from = levels > 0 ? 1 : 0;
        t->n_bins = levels > 0 ? levels : 2;
        return;
    }
    if (counts && high < MOST_SINGLE) {
        t->n_bins = (dlp_index)high + 2;
        return;
    }
    t->single = false;
    t->logs = support == DLP_SUPPORT_POSITIVE && low > 0;
    t->n_bins = BINS;
    const bool shares = support == DLP_SUPPORT_SHARE || support == DLP_SUPPORT_TRIALS;
    t->from = shares ? 0 : on_axis(t, low);
    const double to = shares ? 1 : on_axis(t, high);
    t->width = to > t->from ? (to - t->from) / BINS : 1;
    t->whole = counts;
    if (counts) t->width = fmax(ceil((to + 1) / BINS), 1);
    if (counts) t->from = 0;
    if (!shares && !counts) t->width *= 1 + 1e-12; /* the largest belongs to the last */
}

/* ---- numbers ---- */

static void count_parts(const dlpi_replicate_table *t, const double *y, double *mean,
                        double *sd)
{
    for (dlp_index c = 0; c < t->n_columns; c++) {
        const dlpi_look_column *column = &t->column[c];
        for (dlp_index i = 0; i < t->N; i++)
            if (column->of[i] >= 0) mean[column->of[i]] += y[i];
        for (dlp_index k = 0; k < column->by.n; k++)
            mean[k] /= (double)column->part[k].rows;
        for (dlp_index i = 0; i < t->N; i++) {
            if (column->of[i] < 0) continue;
            const double off = y[i] - mean[column->of[i]];
            sd[column->of[i]] += off * off;
        }
        for (dlp_index k = 0; k < column->by.n; k++)
            sd[k] = column->part[k].rows > 1
                        ? sqrt(sd[k] / (double)(column->part[k].rows - 1))
                        : NAN;
        mean += column->by.n;
        sd += column->by.n;
    }
}

/* Rows without a trial have no response. */
static dlp_index take_out_missing(dlp_index N, double *y)
{
    dlp_index n = 0;
    for (dlp_index i = 0; i < N; i++)
        if (!isnan(y[i])) y[n++] = y[i];
    return n;
}

void dlpi_replicate_table_count(const dlpi_replicate_table *t, double *y, dlp_index s)
{
    double *to = t->value + s * t->numbers, *bins = to + t->n_statistics,
           *mean = bins + t->n_bins;
    count_parts(t, y, mean, mean + t->parts);
    const dlp_index n = take_out_missing(t->N, y);
    for (dlp_index k = 0; k < t->n_statistics; k++)
        to[k] = statistics[t->statistic[k]].of(n, y);
    for (dlp_index i = 0; i < n; i++) bins[bin_of(t, y[i])] += 1 / (double)n;
}

/* Rows without a response belong to no part; they are subtracted from N. */
static void leave_out_missing(dlpi_replicate_table *t, const double *y)
{
    t->told = t->N;
    for (dlp_index i = 0; i < t->N; i++) {
        if (!isnan(y[i])) continue;
        t->told--;
        for (dlp_index c = 0; c < t->n_columns; c++) {
            dlpi_look_column *column = &t->column[c];
            if (column->of[i] >= 0) column->part[column->of[i]].rows--;
            column->of[i] = -1;
        }
    }
}

static dlp_status make_room(dlpi_replicate_table *t, const dlp_prediction *p,
                            struct dlpi_pool *pool, dlp_error *error)
{
    if (t->told == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "no row has a trial, so there is nothing to compare");
    t->value = dlpi_calloc(dlpi_size(t->draws + 1, t->numbers, 0), sizeof *t->value);
    t->sorted = dlpi_calloc(t->draws, sizeof *t->sorted);
    return t->value && t->sorted && label_bins(t, p, pool)
               ? DLP_OK
               : dlpi_no_memory(error, "the replicates");
}

dlp_status dlpi_replicate_table_make(const dlp_prediction *p, const dlp_look_settings *s,
                                     struct dlpi_pool *pool, dlpi_replicate_table *t,
                                     dlp_error *error)
{
    const dlp_family *family = p->regression->result.family;
    t->N = p->data.N;
    t->draws = s->draws;
    DLP_TRY(dlpi_look_columns(p, s, NULL, pool, &t->column, &t->n_columns, error));
    for (dlp_index c = 0; c < t->n_columns; c++) t->parts += t->column[c].by.n;
    double *y = dlpi_calloc(t->N, sizeof *y);
    if (!y) return dlpi_no_memory(error, "the responses");
    dlpi_look_responses(p, y);
    choose_statistics(t, family->support);
    choose_bins(t, family->support, p->data.levels, y);
    leave_out_missing(t, y);
    t->numbers = t->n_statistics + t->n_bins + 2 * t->parts;
    const dlp_status status = make_room(t, p, pool, error);
    if (status == DLP_OK) dlpi_replicate_table_count(t, y, t->draws);
    free(y);
    return status;
}

void dlpi_replicate_table_clear(dlpi_replicate_table *t)
{
    free(t->value);
    free(t->sorted);
    t->value = t->sorted = NULL;
}

/* ---- what the draws say ---- */

static int ascending(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

/* R's usual quantile. */
static double quantile(dlp_index n, const double *sorted, double share)
{
    const double at = share * (double)(n - 1);
    const dlp_index low = (dlp_index)at;
    if (low >= n - 1) return sorted[n - 1];
    return sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low]);
}

static dlp_replicated replicated(const dlpi_replicate_table *t, dlp_index k)
{
    const double observed = t->value[t->draws * t->numbers + k];
    double share = 0;
    dlp_index n = 0;
    for (dlp_index s = 0; s < t->draws; s++) {
        const double x = t->value[s * t->numbers + k];
        if (isnan(x)) continue;
        t->sorted[n++] = x;
        share += x > observed ? 1 : x == observed ? 0.5 : 0;
    }
    if (n == 0)
        return (dlp_replicated){.observed = observed,
                                .median = NAN,
                                .lower = NAN,
                                .upper = NAN,
                                .share = NAN};
    qsort(t->sorted, (size_t)n, sizeof *t->sorted, ascending);
    share /= (double)n;
    return (dlp_replicated){.observed = observed,
                            .median = quantile(n, t->sorted, 0.5),
                            .lower = quantile(n, t->sorted, 0.025),
                            .upper = quantile(n, t->sorted, 0.975),
                            .share = share,
                            .odd = share < 0.025 || share > 0.975};
}

static bool fill_bins(const dlpi_replicate_table *t, struct dlpi_pool *pool,
                      dlp_replicates *out)
{
    dlp_replicated_bin *bin = dlpi_pool_take(pool, t->n_bins, sizeof *bin);
    for (dlp_index b = 0; bin && b < t->n_bins; b++) {
        const dlp_replicated r = replicated(t, t->n_statistics + b);
        const double low = t->from + (double)b * t->width,
                     high = t->single ? low : low + t->width;
        bin[b] =
            (dlp_replicated_bin){.label = t->label[b],
                                 .from = t->logs ? exp(low) : low,
                                 .to = t->logs ? exp(high) : high,
                                 .observed = r.observed,
                                 .median = r.median,
                                 .lower = r.lower,
                                 .upper = r.upper,
                                 .odd = r.observed < r.lower || r.observed > r.upper};
    }
    out->bin = bin;
    out->n_bins = t->n_bins;
    return bin != NULL;
}

static void fill_parts(const dlpi_replicate_table *t, dlpi_look_column *c, dlp_index at)
{
    for (dlp_index k = 0; k < c->by.n; k++) {
        const dlp_replicated mean = replicated(t, at + k),
                             sd = replicated(t, at + t->parts + k);
        dlp_look_part *part = &c->part[k];
        part->mean = mean.observed;
        part->lower = mean.lower;
        part->upper = mean.upper;
        part->sd = sd.observed;
        part->sd_lower = sd.lower;
        part->sd_upper = sd.upper;
        part->median = mean.median;
        part->sd_median = sd.median;
        c->by.outside += part->mean < part->lower || part->mean > part->upper;
    }
    c->by.outside_expected = 0.05 * (double)c->by.n;
}

dlp_status dlpi_replicate_table_finish(const dlpi_replicate_table *t,
                                       struct dlpi_pool *pool, dlp_replicates *out,
                                       dlp_error *error)
{
    dlp_replicated *statistic = dlpi_pool_take(pool, t->n_statistics, sizeof *statistic);
    dlp_look_by *by = dlpi_pool_take(pool, t->n_columns, sizeof *by);
    if (!statistic || !by || !fill_bins(t, pool, out))
        return dlpi_no_memory(error, "the replicates");
    for (dlp_index k = 0; k < t->n_statistics; k++) {
        statistic[k] = replicated(t, k);
        statistic[k].name = statistics[t->statistic[k]].name;
    }
    dlp_index at = t->n_statistics + t->n_bins;
    for (dlp_index c = 0; c < t->n_columns; c++) {
        fill_parts(t, &t->column[c], at);
        at += t->column[c].by.n;
        by[c] = t->column[c].by;
    }
    out->whole = t->single;
    out->statistic = statistic;
    out->n_statistics = t->n_statistics;
    out->by = by;
    out->n_by = t->n_columns;
    return DLP_OK;
}

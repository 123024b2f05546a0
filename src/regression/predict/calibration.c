/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitted against observed values. */
#include "core/core.h"
#include "regression/predict/prediction.h"
#include "regression/prepare/moments.h"
#include "regression/prepare/prepare.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 10, LEAST_ROWS = 5, MOST_POINTS = 500 };

/* A row: what was predicted, and what was observed in how many trials. */
typedef struct seen {
    double fitted, observed, trials;
    dlp_index row;
} seen;

static int compare_fitted(const void *a, const void *b)
{
    const seen *u = a, *v = b;
    if (u->fitted != v->fitted) return u->fitted < v->fitted ? -1 : 1;
    return (u->row > v->row) - (u->row < v->row);
}

/* ---- one part ---- */

/* Wilson's interval, which stays between 0 and 1. */
static void bound_proportion(double n, dlp_calibration_part *p)
{
    const double z = dlp_normal_quantile(0.975), z2 = z * z, share = p->observed;
    const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half =
        z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    p->lower = centre - half;
    p->upper = centre + half;
}

static void bound_mean(const seen *row, dlp_index n, dlp_calibration_part *p)
{
    double squares = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double off = row[i].observed / row[i].trials - p->observed;
        squares += off * off;
    }
    const double se = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0;
    const double half = dlp_normal_quantile(0.975) * se;
    p->lower = p->observed - half;
    p->upper = p->observed + half;
}

static dlp_calibration_part part_of(const seen *row, dlp_index n, bool proportions)
{
    dlp_calibration_part p = {.rows = n};
    double trials = 0;
    for (dlp_index i = 0; i < n; i++) {
        p.fitted += row[i].fitted * row[i].trials;
        p.observed += row[i].observed;
        trials += row[i].trials;
    }
    p.fitted /= trials;
    p.observed /= trials;
    if (proportions)
        bound_proportion(trials, &p);
    else
        bound_mean(row, n, &p);
    return p;
}

/* ---- series ---- */

/* Whether a response is only known to lie in an interval. */
static bool out_of_sight(const dlp_prediction *p, dlp_index i)
{
    const dlp_glm_data *d = &p->data;
    return p->regression->result.family->censored && d->trials && d->trials[i] != d->y[i];
}

/* The rows as series k sees them: by level, or as they are, weighted by so many rows.
   Returns how many there are; rows without trials or weight are skipped. */
static dlp_index see(const dlp_prediction *p, dlp_index k, seen *row)
{
    const dlp_glm_data *d = &p->data;
    const dlp_prediction_result *out = &p->result;
    dlp_index n = 0;
    for (dlp_index at = 0; at < d->N; at++) {
        const dlp_index i = dlpi_row_at(p, at);
        const bool censored = out_of_sight(p, i);
        const double w = censored ? 0 : dlpi_row_weight(d, i),
                     trials = dlpi_trials_of(p->regression->result.family, d, i),
                     y = out->probability ? d->y[i] == (double)k : d->y[i];
        if (!(w * trials > 0)) continue;
        row[n++] = (seen){.fitted = out->probability ? out->probability[i * d->levels + k]
                                                     : out->mean[i],
                          .observed = w * y,
                          .trials = w * trials,
                          .row = at};
    }
    qsort(row, (size_t)n, sizeof *row, compare_fitted);
    return n;
}

static bool has_trials(const dlp_prediction *p)
{
    return p->data.trials && p->regression->result.family->support == DLP_SUPPORT_TRIALS;
}

/* A row of many trials gives a proportion by itself. */
static dlp_index count_parts(bool trials, dlp_index n)
{
    const dlp_index most = n / (trials ? 1 : LEAST_ROWS);
    return most > PARTS ? PARTS : most < 1 ? 1 : most;
}

/* Zeros and ones are not worth a picture. */
static bool has_points(const dlp_prediction *p)
{
    return !p->result.probability &&
           p->regression->result.family->support != DLP_SUPPORT_BINARY &&
           p->data.N <= MOST_POINTS;
}

static bool fill_series(const dlp_prediction *p, const seen *row, dlp_index n,
                        bool proportions, dlp_calibration_series *s)
{
    s->parts = n > 0 ? count_parts(has_trials(p), n) : 0;
    s->points = has_points(p) ? n : 0;
    s->part = dlpi_calloc(s->parts, sizeof *s->part);
    s->point = dlpi_calloc(s->points, sizeof *s->point);
    if (!s->part || !s->point) return false;
    for (dlp_index i = 0; i < s->parts; i++) {
        const dlp_index begin = i * n / s->parts, end = (i + 1) * n / s->parts;
        s->part[i] = part_of(row + begin, end - begin, proportions);
    }
    for (dlp_index i = 0; i < s->points; i++)
        s->point[i] =
            (dlp_calibration_point){row[i].fitted, row[i].observed / row[i].trials};
    return true;
}

static bool fill(const dlp_prediction *p, seen *row, dlp_calibration *c)
{
    const char *const *level = p->regression->result.terms->response.level;
    for (dlp_index k = 0; k < c->n; k++) {
        const dlp_index n = see(p, k, row);
        c->series[k].level = p->result.probability ? level[k] : NULL;
        if (!fill_series(p, row, n, c->shares, &c->series[k])) return false;
    }
    return true;
}

dlp_status dlp_prediction_calibrate(const dlp_prediction *p, dlp_calibration *c,
                                    dlp_error *error)
{
    const bool levels = p->result.probability != NULL;
    const dlp_support support = p->regression->result.family->support;
    *c = (dlp_calibration){.rows = p->data.N, .n = levels ? p->data.levels : 1};
    if (p->what != DLP_PREDICT_SCORES)
        return dlp_fail(error, DLP_EINVAL,
                        "a calibration needs the responses: predict with "
                        "DLP_PREDICT_SCORES");
    seen *row = dlpi_calloc(p->data.N, sizeof *row);
    c->shares = levels || has_trials(p) || support == DLP_SUPPORT_BINARY;
    c->series = dlpi_calloc(c->n, sizeof *c->series);
    const bool done = row && c->series && fill(p, row, c);
    free(row);
    if (done) return DLP_OK;
    dlp_calibration_free(c);
    return dlpi_no_memory(error, "the calibration");
}

void dlp_calibration_free(dlp_calibration *c)
{
    if (!c) return;
    for (dlp_index k = 0; c->series && k < c->n; k++) {
        free(c->series[k].part);
        free(c->series[k].point);
    }
    free(c->series);
    *c = (dlp_calibration){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/calibration.h"

#include "cli/report.h"
#include "cli/say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 10, LEAST_ROWS = 5, MOST_POINTS = 500 };

/* A row: what was said, what was observed in how many trials. */
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
static void bound_proportion(double n, dlpi_calibration_part *p)
{
    const double z = cli_interval_of(0, 1).upper, z2 = z * z, share = p->observed;
    const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half =
        z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    p->lower = centre - half;
    p->upper = centre + half;
}

static void bound_mean(const seen *row, dlp_index n, dlpi_calibration_part *p)
{
    double squares = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double off = row[i].observed / row[i].trials - p->observed;
        squares += off * off;
    }
    const double se = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0;
    const cli_interval mean = cli_interval_of(p->observed, se);
    p->lower = mean.lower;
    p->upper = mean.upper;
}

static dlpi_calibration_part part_of(const seen *row, dlp_index n, bool proportions)
{
    dlpi_calibration_part p = {.rows = n};
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

/* The rows as series k sees them: by level, or as they are, with a weight for so many
   rows. Returns how many there are: those without trials or weight tell nothing. */
static dlp_index see(const cli_glm_applied *a, dlp_index k, seen *row)
{
    const dlp_glm_data *d = &a->rows.data;
    const dlp_glm_prediction *out = &a->scores.out;
    dlp_index n = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double w = cli_glm_weight(d, i), trials = d->trials ? d->trials[i] : 1,
                     y = out->probability ? d->y[i] == (double)k : d->y[i];
        if (!(w * trials > 0)) continue;
        row[n++] = (seen){.fitted = out->probability ? out->probability[i * d->levels + k]
                                                     : out->mean[i],
                          .observed = w * y,
                          .trials = w * trials,
                          .row = i};
    }
    qsort(row, (size_t)n, sizeof *row, compare_fitted);
    return n;
}

/* A row of many trials tells a share itself. */
static dlp_index count_parts(const dlp_glm_data *d, dlp_index n)
{
    const dlp_index most = n / (d->trials ? 1 : LEAST_ROWS);
    return most > PARTS ? PARTS : most < 1 ? 1 : most;
}

/* Zeros and ones are not worth a picture. */
static bool has_points(const cli_glm_applied *a)
{
    return !a->scores.out.probability && strcmp(a->fit.family, "bernoulli") != 0 &&
           a->rows.data.N <= MOST_POINTS;
}

static bool fill_series(const cli_glm_applied *a, const seen *row, dlp_index n,
                        bool proportions, dlpi_calibration_series *s)
{
    s->parts = n > 0 ? count_parts(&a->rows.data, n) : 0;
    s->points = has_points(a) ? n : 0;
    s->part = calloc((size_t)s->parts + 1, sizeof *s->part);
    s->point = calloc((size_t)s->points + 1, sizeof *s->point);
    if (!s->part || !s->point) return false;
    for (dlp_index i = 0; i < s->parts; i++) {
        const dlp_index begin = i * n / s->parts, end = (i + 1) * n / s->parts;
        s->part[i] = part_of(row + begin, end - begin, proportions);
    }
    for (dlp_index i = 0; i < s->points; i++)
        s->point[i] =
            (dlpi_calibration_point){row[i].fitted, row[i].observed / row[i].trials};
    return true;
}

static bool fill(const cli_glm_applied *a, seen *row, cli_calibration *c)
{
    const char *const *level = (const char *const *)a->fit.terms->response.level;
    for (dlp_index k = 0; k < c->n; k++) {
        const dlp_index n = see(a, k, row);
        c->series[k].level = a->scores.out.probability ? level[k] : NULL;
        if (!fill_series(a, row, n, c->shares, &c->series[k])) return false;
    }
    return true;
}

dlp_status cli_calibrate(const cli_glm_applied *applied, cli_calibration *c,
                         dlp_error *error)
{
    const dlp_glm_data *d = &applied->rows.data;
    const bool levels = applied->scores.out.probability != NULL;
    seen *row = calloc((size_t)d->N, sizeof *row);
    *c = (cli_calibration){.rows = d->N, .n = levels ? d->levels : 1};
    c->shares = levels || d->trials || !strcmp(applied->fit.family, "bernoulli");
    c->series = calloc((size_t)c->n, sizeof *c->series);
    const bool done = row && c->series && fill(applied, row, c);
    free(row);
    if (done) return DLP_OK;
    cli_calibration_clear(c);
    (void)dlp_fail(error, DLP_ENOMEM,
                   "not enough memory to compare the fit with %td rows", d->N);
    return DLP_ENOMEM; /* literally, for analysers */
}

void cli_calibration_clear(cli_calibration *c)
{
    for (dlp_index k = 0; c->series && k < c->n; k++) {
        free(c->series[k].part);
        free(c->series[k].point);
    }
    free(c->series);
    *c = (cli_calibration){0};
}

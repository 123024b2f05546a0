/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Is what a regression says of rows borne out? Rows are sorted by what it says and dealt
 * into parts of as many rows; in each, the mean of what it said stands against the mean of
 * what was observed, with an interval of 95 % for the latter: Wilson's for proportions,
 * else that of a mean. A response of several levels has a series for each.
 */
#include "cli/json.h"
#include "cli/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 10, LEAST_ROWS = 5, MOST_POINTS = 500 };
static const double NORMAL_975 = 1.9599639845400545;

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

typedef struct series {
    seen *row; /* (N) sorted */
    dlp_index N, parts;
    dlp_index least; /* rows of a part */
    bool proportions;
} series;

/* ---- one part ---- */

typedef struct part {
    double fitted, observed, lower, upper;
} part;

static void bound_proportion(double n, part *p)
{
    const double z2 = NORMAL_975 * NORMAL_975, share = p->observed;
    const double centre = (share + z2 / (2 * n)) / (1 + z2 / n);
    const double half =
        NORMAL_975 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n));
    p->lower = centre - half;
    p->upper = centre + half;
}

static void bound_mean(const seen *row, dlp_index n, part *p)
{
    double squares = 0;
    for (dlp_index i = 0; i < n; i++)
        squares += (row[i].observed - p->observed) * (row[i].observed - p->observed);
    const double se = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0;
    p->lower = p->observed - NORMAL_975 * se;
    p->upper = p->observed + NORMAL_975 * se;
}

static part part_of(const series *s, dlp_index begin, dlp_index end)
{
    part p = {0};
    double trials = 0;
    for (dlp_index i = begin; i < end; i++) {
        p.fitted += s->row[i].fitted * s->row[i].trials;
        p.observed += s->row[i].observed;
        trials += s->row[i].trials;
    }
    p.fitted /= trials;
    p.observed /= trials;
    if (s->proportions)
        bound_proportion(trials, &p);
    else
        bound_mean(s->row + begin, end - begin, &p);
    return p;
}

static json_t *part_at(const void *of, dlp_index i)
{
    const series *s = of;
    const dlp_index begin = i * s->N / s->parts, end = (i + 1) * s->N / s->parts;
    const part p = part_of(s, begin, end);
    return json_pack("{s:o, s:o, s:o, s:o, s:I}", "fitted", cli_json_real(p.fitted),
                     "observed", cli_json_real(p.observed), "lower",
                     cli_json_real(p.lower), "upper", cli_json_real(p.upper), "rows",
                     (json_int_t)(end - begin));
}

/* ---- series ---- */

static json_t *point_at(const void *of, dlp_index i)
{
    const seen *row = (const seen *)of + i;
    return json_pack("[o, o]", cli_json_real(row->fitted),
                     cli_json_real(row->observed / row->trials));
}

/* Zeros and ones are not worth a picture. */
static json_t *points_json(const series *s, bool binary)
{
    if (binary || s->N > MOST_POINTS) return json_null();
    return cli_page_list(s->N, point_at, s->row);
}

static json_t *series_json(series *s, const char *level, bool binary)
{
    qsort(s->row, (size_t)s->N, sizeof *s->row, compare_fitted);
    s->parts = s->N / s->least;
    if (s->parts > PARTS) s->parts = PARTS;
    if (s->parts < 1) s->parts = 1;
    return json_pack(
        "{s:o, s:o, s:o}", "level", level ? cli_json_text(level) : json_null(), "parts",
        cli_page_list(s->parts, part_at, s), "points", points_json(s, binary));
}

typedef struct calibration {
    const cli_glm_applied *applied;
    series *series;
} calibration;

/* The rows as series i sees them: by level, or as they are. */
static json_t *series_at(const void *of, dlp_index k)
{
    const calibration *c = of;
    const dlp_glm_data *d = &c->applied->rows.data;
    const dlp_glm_prediction *out = &c->applied->scores.out;
    const bool binary = out->probability || !strcmp(c->applied->fit.family, "bernoulli");
    series *s = c->series;
    s->proportions = binary || d->trials;
    s->least = d->trials ? 1 : LEAST_ROWS; /* a row of many trials tells a share itself */
    for (dlp_index i = 0; i < d->N; i++)
        s->row[i] =
            (seen){.fitted = out->probability ? out->probability[i * d->levels + k]
                                              : out->mean[i],
                   .observed = out->probability ? d->y[i] == (double)k : d->y[i],
                   .trials = d->trials ? d->trials[i] : 1,
                   .row = i};
    const char *level =
        out->probability ? c->applied->fit.terms->response.level[k] : NULL;
    return series_json(s, level, binary);
}

json_t *cli_page_calibration(const cli_glm_applied *applied)
{
    const dlp_glm_data *d = &applied->rows.data;
    series s = {.row = calloc((size_t)d->N, sizeof *s.row), .N = d->N};
    const calibration c = {applied, &s};
    json_t *list = s.row ? cli_page_list(applied->scores.out.probability ? d->levels : 1,
                                         series_at, &c)
                         : NULL;
    free(s.row);
    return list ? json_pack("{s:I, s:o}", "rows", (json_int_t)d->N, "series", list)
                : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a topic's share of documents goes with one covariate: the mean over the documents of
 * each level, or of each value of a number, or of each of ten parts of the documents when
 * it has many values. The standard errors are those of a mean over documents. Documents
 * that miss the covariate are in no part.
 */
#include <delaplace/special.h>

#include "cli/json.h"
#include "cli/report/page.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_VALUES = 25, PARTS = 10 };

/* Documents, parted. */
typedef struct parts {
    dlp_index n;
    dlp_index *of;    /* (D) -1: in none */
    double *x;        /* (n) the mean value; NULL for levels */
    dlp_index *count; /* (n) */
} parts;

static void parts_clear(parts *p)
{
    free(p->of);
    free(p->x);
    free(p->count);
}

static bool parts_alloc(parts *p, dlp_index D, dlp_index n, bool values)
{
    p->n = n;
    p->of = malloc((size_t)D * sizeof *p->of);
    for (dlp_index d = 0; p->of && d < D; d++) p->of[d] = -1;
    p->count = calloc((size_t)n, sizeof *p->count);
    p->x = values ? calloc((size_t)n, sizeof *p->x) : NULL;
    return p->of && p->count && (p->x || !values);
}

static dlp_index count_parted(const parts *p)
{
    dlp_index parted = 0;
    for (dlp_index i = 0; i < p->n; i++) parted += p->count[i];
    return parted;
}

/* ---- which part is a document's ---- */

typedef struct valued {
    double x;
    dlp_index d;
} valued;

static int compare_values(const void *a, const void *b)
{
    const valued *u = a, *v = b;
    if (u->x != v->x) return u->x < v->x ? -1 : 1;
    return (u->d > v->d) - (u->d < v->d);
}

static dlp_index count_distinct(const valued *sorted, dlp_index n)
{
    dlp_index distinct = 1;
    for (dlp_index i = 1; i < n; i++) distinct += sorted[i].x != sorted[i - 1].x;
    return distinct;
}

/* Equal values are never parted. */
static void deal(const valued *sorted, dlp_index n, bool each, parts *p)
{
    dlp_index at = 0, distinct = 0;
    for (dlp_index i = 0; i < n; i++) {
        if (i > 0 && sorted[i].x != sorted[i - 1].x) {
            const dlp_index wanted = each ? ++distinct : i * PARTS / n;
            if (wanted > at) at++;
        }
        p->of[sorted[i].d] = at;
        p->x[at] += sorted[i].x;
        p->count[at]++;
    }
    p->n = at + 1;
    for (dlp_index i = 0; i < p->n; i++) p->x[i] /= (double)p->count[i];
}

/* Those that are known; column 1 of the design is the number itself. Returns how many. */
static dlp_index take_values(const cli_covariates *c, dlp_index D, valued *list)
{
    dlp_index n = 0;
    for (dlp_index d = 0; d < D; d++)
        if (c->known[d]) list[n++] = (valued){c->X[d * c->given.p + 1], d};
    return n;
}

static bool part_numbers(const cli_covariates *c, dlp_index D, parts *p)
{
    valued *sorted = calloc((size_t)D, sizeof *sorted);
    if (!sorted) return false;
    const dlp_index n = take_values(c, D, sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_values);
    const dlp_index distinct = count_distinct(sorted, n);
    const bool each = distinct <= MOST_VALUES;
    const bool ok = parts_alloc(p, D, each ? distinct : PARTS, true);
    if (ok) deal(sorted, n, each, p);
    free(sorted);
    return ok;
}

/* Columns 1, 2, ... tell the second level, the third, ... */
static bool part_levels(const cli_covariates *c, dlp_index D, parts *p)
{
    const dlp_index columns = c->given.p;
    if (!parts_alloc(p, D, columns, false)) return false;
    for (dlp_index d = 0; d < D; d++) {
        if (!c->known[d]) continue;
        p->of[d] = 0;
        for (dlp_index j = 1; j < columns; j++)
            if (c->X[d * columns + j] == 1) p->of[d] = j;
        p->count[p->of[d]]++;
    }
    return true;
}

/* ---- means ---- */

typedef struct means {
    dlp_index K, n;
    double *mean, *se; /* (K, n) */
} means;

/* mean and the sum of squares about it, in one pass over the documents */
static void add_documents(const cli_topics_folder *folder, const parts *p, double *share,
                          dlp_index *seen, means *m)
{
    const dlp_index K = m->K;
    for (dlp_index d = 0; d < folder->D; d++) {
        if (p->of[d] < 0) continue;
        const double *theta = folder->theta + d * K;
        const double log_sum = dlp_logsumexp(K, theta);
        const dlp_index i = p->of[d];
        seen[i]++;
        for (dlp_index k = 0; k < K; k++) {
            double *mean = &m->mean[k * m->n + i];
            share[k] = exp(theta[k] - log_sum);
            const double away = share[k] - *mean;
            *mean += away / (double)seen[i];
            m->se[k * m->n + i] += away * (share[k] - *mean);
        }
    }
}

static bool take_means(const cli_topics_folder *folder, const parts *p, means *m)
{
    const dlp_index K = folder->topics.K;
    *m = (means){.K = K, .n = p->n};
    m->mean = calloc((size_t)(2 * K * p->n + K), sizeof *m->mean);
    dlp_index *seen = calloc((size_t)p->n, sizeof *seen);
    if (m->mean && seen) {
        m->se = m->mean + K * p->n;
        add_documents(folder, p, m->se + K * p->n, seen, m);
        for (dlp_index i = 0; i < K * p->n; i++) {
            const double n = (double)p->count[i % p->n];
            m->se[i] = n > 1 ? sqrt(m->se[i] / (n - 1) / n) : NAN;
        }
    }
    const bool ok = m->mean && seen;
    free(seen);
    return ok;
}

/* ---- JSON ---- */

typedef struct row {
    dlp_index n;
    const double *x;
} row;

static json_t *share_at(const void *of, dlp_index i)
{
    return cli_page_rounded(((const double *)of)[i], 1e5);
}

static json_t *row_at(const void *of, dlp_index k)
{
    const row *r = of;
    return cli_page_list(r->n, share_at, r->x + k * r->n);
}

static json_t *count_at(const void *of, dlp_index i)
{
    return json_integer((json_int_t)((const dlp_index *)of)[i]);
}

static json_t *level_at(const void *of, dlp_index i)
{
    return cli_json_text(((const dlp_levels *)of)->level[i]);
}

static json_t *trend_json(const char *column, const dlp_levels *levels, const parts *p,
                          const means *m, dlp_index dropped)
{
    const row mean = {m->n, m->mean}, se = {m->n, m->se};
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "variable",
                     cli_json_text(column), "dropped", (json_int_t)dropped, "level",
                     levels ? cli_page_list(p->n, level_at, levels) : json_null(), "x",
                     p->x ? cli_page_reals(p->n, p->x) : json_null(), "count",
                     cli_page_list(p->n, count_at, p->count), "mean",
                     cli_page_list(m->K, row_at, &mean), "se",
                     cli_page_list(m->K, row_at, &se));
}

/* ---- the whole ---- */

static json_t *make_trend(const cli_topics_folder *folder, const char *column,
                          const cli_covariates *c)
{
    const dlp_terms *terms = c->design->terms;
    const dlp_levels *levels = terms->n_factors > 0 ? &terms->factor[0] : NULL;
    parts p = {0};
    means m = {0};
    const bool ok =
        (levels ? part_levels(c, folder->D, &p) : part_numbers(c, folder->D, &p)) &&
        take_means(folder, &p, &m);
    json_t *trend =
        ok ? trend_json(column, levels, &p, &m, folder->D - count_parted(&p)) : NULL;
    free(m.mean);
    parts_clear(&p);
    return trend;
}

dlp_status cli_page_trend(const cli_topics_folder *folder, const cli_trend_source *source,
                          json_t **trend, dlp_error *error)
{
    cli_covariates covariates = {0};
    dlp_status status = cli_trend_column(folder, source, &covariates, error);
    if (status == DLP_OK) {
        *trend = make_trend(folder, source->column, &covariates);
        if (!*trend)
            status = dlp_fail(error, DLP_ENOMEM, "not enough memory for the trends");
    }
    cli_covariates_clear(&covariates);
    return status;
}

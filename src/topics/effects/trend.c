/* SPDX-License-Identifier: BSD-3-Clause */
/* How topics vary with one covariate. */
#include <delaplace/special.h>
#include <delaplace/topic_trend.h>

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>

enum { MOST_VALUES = 25, PARTS = 10 };

/* Documents, divided into parts. */
typedef struct parts {
    dlp_index n;
    dlp_index *of;    /* (D) -1: in none */
    double *x;        /* (n) the mean value; NULL for levels */
    dlp_index *count; /* (n) */
} parts;

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

/* Equal values are never separated. */
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

/* The values of documents that have one; column 1 of the design is the number itself.
   Returns how many. */
static dlp_index take_values(const dlp_document_covariates *c, dlp_index D, valued *list)
{
    dlp_index n = 0;
    for (dlp_index d = 0; d < D; d++)
        if (c->known[d]) list[n++] = (valued){c->X[d * c->p + 1], d};
    return n;
}

static bool part_numbers(const dlp_document_covariates *c, dlp_index D, parts *p)
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

/* Columns 1, 2, ... indicate the second level, the third, ... */
static bool part_levels(const dlp_document_covariates *c, dlp_index D, parts *p)
{
    const dlp_index columns = c->p;
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

/* mean and the sum of squares about it, in one pass over the documents; seen (n) */
static void add_documents(const double *theta, dlp_index D, const parts *p,
                          dlp_index *seen, dlp_topic_trend *t)
{
    const dlp_index K = t->K;
    for (dlp_index d = 0; d < D; d++) {
        if (p->of[d] < 0) continue;
        const double log_sum = dlp_logsumexp(K, theta + d * K);
        const dlp_index i = p->of[d];
        seen[i]++;
        for (dlp_index k = 0; k < K; k++) {
            double *mean = &t->mean[k * t->n + i];
            const double share = exp(theta[d * K + k] - log_sum);
            const double away = share - *mean;
            *mean += away / (double)seen[i];
            t->se[k * t->n + i] += away * (share - *mean);
        }
    }
}

static dlp_status take_means(const double *theta, dlp_index D, const parts *p,
                             dlp_topic_trend *t, dlp_error *error)
{
    const dlp_index size = dlpi_size(t->K, t->n, 0);
    t->mean = dlpi_calloc(dlpi_size(2, size, 0), sizeof *t->mean);
    dlp_index *seen = dlpi_calloc(t->n, sizeof *seen);
    if (!t->mean || !seen) {
        free(seen);
        return dlpi_no_memory(error, "the trends");
    }
    t->se = t->mean + size;
    add_documents(theta, D, p, seen, t);
    for (dlp_index i = 0; i < size; i++) {
        const double n = (double)p->count[i % t->n];
        t->se[i] = n > 1 ? sqrt(t->se[i] / (n - 1) / n) : NAN;
    }
    free(seen);
    return DLP_OK;
}

/* ---- the call ---- */

static dlp_status find(const double *theta, const dlp_document_covariates *c,
                       dlp_topic_trend *t, dlp_error *error)
{
    parts p = {0};
    const bool parted = c->design->terms->n_factors > 0 ? part_levels(c, c->D, &p)
                                                        : part_numbers(c, c->D, &p);
    t->n = p.n;
    const dlp_status status = parted ? take_means(theta, c->D, &p, t, error)
                                     : dlpi_no_memory(error, "the trends");
    t->x = p.x;
    t->count = p.count;
    if (status == DLP_OK) t->dropped = c->D - count_parted(&p);
    free(p.of);
    return status;
}

dlp_status dlp_topic_trend_find(dlp_index K, const double *theta,
                                const dlp_document_covariates *covariates,
                                dlp_topic_trend *trend, dlp_error *error)
{
    *trend = (dlp_topic_trend){.K = K};
    if (covariates->p < 2) return dlp_fail(error, DLP_EINVAL, "a trend needs a variable");
    const dlp_status status = find(theta, covariates, trend, error);
    if (status != DLP_OK) dlp_topic_trend_free(trend);
    return status;
}

void dlp_topic_trend_free(dlp_topic_trend *trend)
{
    free(trend->x);
    free(trend->count);
    free(trend->mean);
    *trend = (dlp_topic_trend){0};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/orthogonal.h"

#include "comm/division.h"
#include "core/core.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* If so little is left: of a column's sd, it is a combination of its parents; of a
   parent's variance, of the other parents; of its size, it does not vary. */
static const double NOTHING = 1e-9, COLLINEAR = 1e-10, CONSTANT = 1e-12;

/* The whole workspace, allocated once. */
typedef struct workspace {
    const dlp_glm_data *d;
    dlp_index from, to; /* the rows that this process has */
    const dlp_design *design;
    dlpi_spill *spill;       /* where rows are on disk; NULL: in memory */
    dlp_index skipped;       /* columns of the design before those of d */
    const dlp_index *assign; /* (p) the term of each, in their order; -1: intercept */
    dlp_index *first;        /* (terms + 1) the first column of each term */
    const dlpi_term_margins *margins;
    const dlpi_intercept *intercept;
    int32_t *level_of;   /* (N) which column of the intercept is 1; NULL: its only one */
    double *level_total; /* (intercept->n) the weight of its rows */
    double *level_mean;  /* (intercept->n) of the current column */
    double *x;           /* (N) the current column */
    double **kept;       /* (p) x' of parents; NULL for others */
    double *kept_room;
    dlp_index parents, *parent; /* (p) of the current column */
    dlp_index factored, *whose; /* (p) the parents whose Gram matrix this is: */
    double *gram;               /* its factor L, (parents, parents) */
    double *coefficient;        /* (p) */
    dlpi_orthogonal *out;
} workspace;

static void copy_rows(const workspace *w, const double *from, double *to)
{
    if (w->to > w->from)
        memcpy(to + w->from, from + w->from, (size_t)(w->to - w->from) * sizeof *to);
}

/* ---- the intercept ---- */

static dlp_index level_at(const workspace *w, dlp_index i)
{
    return w->level_of ? w->level_of[i] : 0;
}

static void add_totals(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const workspace *w = context;
    for (dlp_index i = from; i < to; i++) sum[level_at(w, i)] += dlpi_row_weight(w->d, i);
}

static void find_levels(workspace *w)
{
    const dlp_glm_data *d = w->d;
    const dlpi_intercept *intercept = w->intercept;
    for (dlp_index k = 0; w->level_of && k < intercept->n; k++)
        for (dlp_index i = w->from; i < w->to; i++)
            if (d->x[intercept->first + k][i] == 1) w->level_of[i] = (int32_t)k;
    dlpi_division_sum(d->division, d->N, intercept->n, add_totals, w, w->level_total);
}

static void add_levels(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const workspace *w = context;
    for (dlp_index i = from; i < to; i++)
        sum[level_at(w, i)] += dlpi_row_weight(w->d, i) * w->x[i];
}

/* x = x_j less its mean at each level, which goes into level_mean. The mean of large
   numbers is not exact, and is corrected by the mean of what it leaves. */
static void centre(workspace *w, dlp_index j)
{
    const dlp_glm_data *d = w->d;
    const dlp_index n = w->intercept->n;
    double *step = w->coefficient;
    copy_rows(w, d->x[j], w->x);
    memset(w->level_mean, 0, (size_t)n * sizeof *w->level_mean);
    for (int pass = 0; pass < 2; pass++) {
        dlpi_division_sum(d->division, d->N, n, add_levels, w, step);
        for (dlp_index k = 0; k < n; k++) {
            step[k] = w->level_total[k] > 0 ? step[k] / w->level_total[k] : 0;
            w->level_mean[k] += step[k];
        }
        for (dlp_index i = w->from; i < w->to; i++) w->x[i] -= step[level_at(w, i)];
    }
}

/* ---- parents ---- */

static void add_parents_of_term(workspace *w, dlp_index term, dlp_index j, bool all)
{
    for (dlp_index k = w->first[term]; k < w->first[term + 1]; k++)
        if (w->kept[k] &&
            (all || dlpi_is_margin_of(w->design, w->skipped + k, w->skipped + j)))
            w->parent[w->parents++] = k;
}

/* The columns of a parent term that are parts of this one; all of them where there is
   none, as for the reference level of a factor. */
static void find_parents(workspace *w, dlp_index j)
{
    const dlpi_term_margins *l = w->margins;
    const dlp_index term = w->assign[j];
    w->parents = 0;
    for (dlp_index at = l->begin[term]; at < l->begin[term + 1]; at++) {
        const dlp_index before = w->parents;
        if (l->parent[at] == w->intercept->term) continue;
        add_parents_of_term(w, l->parent[at], j, false);
        if (w->parents == before) add_parents_of_term(w, l->parent[at], j, true);
    }
}

typedef struct product {
    const double *weight, *a, *b;
} product;

static void add_product(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const product *of = context;
    for (dlp_index i = from; i < to; i++)
        *sum += (of->weight ? of->weight[i] : 1) * of->a[i] * of->b[i];
}

static double product_of(const workspace *w, const double *a, const double *b)
{
    const product of = {w->d->weight, a, b};
    double sum;
    dlpi_division_sum(w->d->division, w->d->N, 1, add_product, &of, &sum);
    return sum;
}

/* Replaces a Gram matrix by its factor L, with zeros for parents that are combinations of
   others. */
static void factor(dlp_index n, double *G)
{
    for (dlp_index k = 0; k < n; k++) {
        double *row = G + k * n;
        double left = row[k];
        for (dlp_index j = 0; j < k; j++) {
            const double *other = G + j * n;
            for (dlp_index i = 0; i < j; i++) row[j] -= row[i] * other[i];
            row[j] = other[j] > 0 ? row[j] / other[j] : 0;
            left -= row[j] * row[j];
        }
        row[k] = left > COLLINEAR * row[k] ? sqrt(left) : 0;
    }
}

/* b = (L L')^-1 b, 0 for the parents that are left out. */
static void solve(dlp_index n, const double *L, double *b)
{
    for (dlp_index k = 0; k < n; k++) {
        for (dlp_index j = 0; j < k; j++) b[k] -= L[k * n + j] * b[j];
        b[k] = L[k * n + k] > 0 ? b[k] / L[k * n + k] : 0;
    }
    for (dlp_index k = n - 1; k >= 0; k--) {
        for (dlp_index j = k + 1; j < n; j++) b[k] -= L[j * n + k] * b[j];
        b[k] = L[k * n + k] > 0 ? b[k] / L[k * n + k] : 0;
    }
}

/* The Gram matrix of the parents, unless it is still there from the column before. */
static dlp_status factor_parents(workspace *w, dlp_error *error)
{
    const dlp_index n = w->parents;
    const size_t bytes = (size_t)n * sizeof *w->parent;
    if (w->factored == n && !memcmp(w->whose, w->parent, bytes)) return DLP_OK;
    free(w->gram);
    w->gram = calloc((size_t)n, (size_t)n * sizeof *w->gram);
    if (!w->gram) return dlpi_no_memory(error, "the prior");
    for (dlp_index a = 0; a < n; a++)
        for (dlp_index b = 0; b <= a; b++)
            w->gram[a * n + b] =
                product_of(w, w->kept[w->parent[a]], w->kept[w->parent[b]]);
    factor(n, w->gram);
    memcpy(w->whose, w->parent, bytes);
    w->factored = n;
    return DLP_OK;
}

/* ---- columns ---- */

/* x less its regression on the parents, whose coefficients are kept. */
static void subtract_parents(workspace *w)
{
    double *c = w->coefficient;
    for (dlp_index a = 0; a < w->parents; a++)
        c[a] = product_of(w, w->kept[w->parent[a]], w->x);
    solve(w->parents, w->gram, c);
    for (dlp_index a = 0; a < w->parents; a++) {
        const double *of = w->kept[w->parent[a]];
        for (dlp_index i = w->from; i < w->to; i++) w->x[i] -= c[a] * of[i];
    }
}

static double sd_of(const workspace *w)
{
    return sqrt(dlpi_column_variance(w->d, w->x, 0));
}

/* The coefficients of x'_j in terms of the columns, its parents' included. */
static void state(workspace *w, dlp_index j)
{
    const dlp_index p = w->d->p;
    double *R = w->out->R + j * (p + 1);
    for (dlp_index a = 0; a < w->parents; a++) {
        const double *of = w->out->R + w->parent[a] * (p + 1), c = w->coefficient[a];
        for (dlp_index k = 0; k <= p && c != 0; k++) R[k] -= c * of[k];
    }
    for (dlp_index k = 0; k < w->intercept->n; k++)
        R[w->intercept->first + k] -= w->level_mean[k];
}

static dlp_status orthogonalise_column(workspace *w, dlp_index j, dlp_error *error)
{
    const dlp_glm_data *d = w->d;
    dlpi_orthogonal *out = w->out;
    const double size = sqrt(dlpi_column_variance(d, d->x[j], 0));
    out->R[j * (d->p + 1) + j] = 1;
    out->spread[j] = 1;
    centre(w, j);
    const double own = sd_of(w);
    if (dlpi_intercept_has(w->intercept, j) || !(own > CONSTANT * size)) return DLP_OK;
    out->sd[j] = own;
    find_parents(w, j);
    if (w->parents > 0) {
        DLP_TRY(factor_parents(w, error));
        subtract_parents(w);
        out->sd[j] = sd_of(w);
    }
    if (!(out->sd[j] > NOTHING * own)) {
        w->parents = 0;
        centre(w, j);
        out->sd[j] = own;
    }
    const double step = dlpi_column_step(d, d->x[j], true);
    out->spread[j] = step > 0 ? step : out->sd[j];
    state(w, j);
    if (w->kept[j]) copy_rows(w, w->x, w->kept[j]);
    return DLP_OK;
}

/* ---- the whole ---- */

static void find_columns(workspace *w)
{
    dlp_index j = 0;
    for (dlp_index t = 0; t <= w->margins->terms; t++) {
        while (j < w->d->p && w->assign[j] < t) j++;
        w->first[t] = j;
    }
}

/* Allocates room for the columns of terms that have children. */
static dlp_status keep_parents(workspace *w, dlp_error *error)
{
    const dlpi_term_margins *l = w->margins;
    const dlp_index N = w->d->N, p = w->d->p;
    dlp_index count = 0;
    bool *keeps = calloc((size_t)l->terms + 1, sizeof *keeps);
    for (dlp_index at = 0; keeps && at < l->begin[l->terms]; at++)
        keeps[l->parent[at]] = l->parent[at] != w->intercept->term;
    for (dlp_index j = 0; keeps && j < p; j++)
        count += w->assign[j] >= 0 && keeps[w->assign[j]];
    w->kept_room = dlpi_rows_alloc(w->spill, count + 1, (size_t)N * sizeof *w->kept_room);
    count = 0;
    for (dlp_index j = 0; keeps && w->kept_room && j < p; j++)
        if (w->assign[j] >= 0 && keeps[w->assign[j]])
            w->kept[j] = w->kept_room + N * count++;
    free(keeps);
    if (keeps && w->kept_room) return DLP_OK;
    return dlpi_no_memory(error, "the columns");
}

static dlp_status make_room(workspace *w, dlp_error *error)
{
    const size_t p = (size_t)w->d->p, n = (size_t)w->intercept->n;
    dlpi_orthogonal *out = w->out;
    w->first = calloc((size_t)w->margins->terms + 1, sizeof *w->first);
    w->level_of = n > 1 ? dlpi_rows_alloc(w->spill, w->d->N, sizeof *w->level_of) : NULL;
    w->level_total = calloc(n, sizeof *w->level_total);
    w->level_mean = calloc(n, sizeof *w->level_mean);
    w->x = dlpi_rows_alloc(w->spill, w->d->N, sizeof *w->x);
    w->kept = calloc(p, sizeof *w->kept);
    w->parent = calloc(p, sizeof *w->parent);
    w->whose = calloc(p, sizeof *w->whose);
    w->coefficient = calloc(p + 1, sizeof *w->coefficient);
    out->sd = calloc(p, sizeof *out->sd);
    out->spread = calloc(p, sizeof *out->spread);
    out->R = calloc(p, (p + 1) * sizeof *out->R);
    if (!w->first || (n > 1 && !w->level_of) || !w->level_total || !w->level_mean ||
        !w->x || !w->kept || !w->parent || !w->whose || !w->coefficient || !out->sd ||
        !out->spread || !out->R)
        return dlpi_no_memory(error, "the prior");
    return keep_parents(w, error);
}

static dlp_status orthogonalise_all(workspace *w, dlp_error *error)
{
    const dlpi_term_margins *l = w->margins;
    DLP_TRY(make_room(w, error));
    find_levels(w);
    find_columns(w);
    for (dlp_index j = 0; j < w->first[0]; j++) /* the intercept, which is not a term */
        DLP_TRY(orthogonalise_column(w, j, error));
    for (dlp_index i = 0; i < l->terms; i++) {
        const dlp_index t = l->order[i];
        for (dlp_index j = w->first[t]; j < w->first[t + 1]; j++)
            DLP_TRY(orthogonalise_column(w, j, error));
    }
    return DLP_OK;
}

dlp_status dlpi_orthogonalise(const dlpi_prepared *prepared,
                              const dlpi_term_margins *margins,
                              const dlpi_intercept *intercept, dlpi_orthogonal *out,
                              dlp_error *error)
{
    *out = (dlpi_orthogonal){0};
    const dlp_glm_data *d = &prepared->data;
    workspace w = {.d = d,
                   .from = dlpi_rows_from(d->division),
                   .to = dlpi_rows_to(d->division, d->N),
                   .design = prepared->design,
                   .spill = prepared->table->spill,
                   .skipped = prepared->design->p - prepared->data.p,
                   .assign = prepared->assign,
                   .margins = margins,
                   .intercept = intercept,
                   .factored = -1,
                   .out = out};
    const dlp_status status = orthogonalise_all(&w, error);
    free(w.first);
    dlpi_rows_free(w.level_of);
    free(w.level_total);
    free(w.level_mean);
    dlpi_rows_free(w.x);
    free(w.kept);
    dlpi_rows_free(w.kept_room);
    free(w.parent);
    free(w.whose);
    free(w.gram);
    free(w.coefficient);
    return status;
}

void dlpi_orthogonal_clear(dlpi_orthogonal *orthogonal)
{
    free(orthogonal->sd);
    free(orthogonal->spread);
    free(orthogonal->R);
    *orthogonal = (dlpi_orthogonal){0};
}

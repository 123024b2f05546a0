/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Supernodes: neighbouring columns of L, each the parent of the one before, with the
 * same rows below. Small ones are merged with their parents if that stores few zeros
 * (Ashcraft & Grimes, ACM Trans. Math. Softw. 15, 1989): the longer loops more than make
 * up for the extra work.
 */
#include "core/core.h"
#include "math/symmetric/sparse.h"

#include <string.h>

/* The share of zeros allowed in a merged supernode, by its number of columns. */
static const struct {
    int32_t columns;
    double zeros;
} allowed[] = {{4, 0.6}, {16, 0.4}, {48, 0.1}, {INT32_MAX, 0.05}};

static bool may_merge(int32_t w, int32_t r, double zeros)
{
    const double stored = 0.5 * w * (w + 1.0) + (double)w * r;
    int k = 0;
    while (w > allowed[k].columns) k++;
    return zeros <= allowed[k].zeros * stored;
}

/* The supernodes without any zeros, into p->super (first, w, r); returns their number. */
static dlp_index find_exact(dlp_pattern *p, const int32_t *parent, const int32_t *count)
{
    dlp_index n_supers = 0;
    for (int32_t j = 0; j < p->n; j++) {
        if (j == 0 || parent[j - 1] != j || count[j - 1] != count[j] + 1)
            p->super[n_supers++] = (dlpi_super){.first = j};
        p->super[n_supers - 1].w++;
        p->super[n_supers - 1].r = count[j] - 1;
    }
    return n_supers;
}

/* Merges from the last one down, each with the one after it if that is, or contains, its
   parent. A merged one has the rows of the parent. zeros (n_supers) counts stored
   zeros. */
static void merge(dlp_pattern *p, dlp_index n_supers, const int32_t *parent,
                  double *zeros)
{
    dlpi_super *all = p->super;
    dlp_index kept = n_supers; /* all[kept..] are the ones that remain */
    for (dlp_index s = n_supers - 1; s >= 0; s--) {
        const dlpi_super one = all[s];
        const int32_t above = parent[one.first + one.w - 1];
        if (kept < n_supers && above != -1 && above < all[kept].first + all[kept].w) {
            const int32_t w = one.w + all[kept].w, r = all[kept].r;
            const double more = zeros[kept] + (double)one.w * (all[kept].w + r - one.r);
            if (may_merge(w, r, more)) {
                all[kept].first = one.first;
                all[kept].w = w;
                zeros[kept] = more;
                continue;
            }
        }
        all[--kept] = one;
        zeros[kept] = 0;
    }
    p->n_supers = n_supers - kept;
    memmove(all, all + kept, (size_t)p->n_supers * sizeof *all);
}

/* The offsets, the parents, and the sizes of the largest. */
static dlp_status lay_out(dlp_pattern *p, const int32_t *parent, dlp_error *error)
{
    dlp_index rows = 0, values = 0;
    for (dlp_index s = 0; s < p->n_supers; s++)
        for (int32_t j = 0; j < p->super[s].w; j++)
            p->super_of[p->super[s].first + j] = (int32_t)s;
    for (dlp_index s = 0; s < p->n_supers; s++) {
        dlpi_super *one = &p->super[s];
        const dlp_index m = one->w + one->r, size = dlpi_size(one->w, m, 0);
        const int32_t above = parent[one->first + one->w - 1];
        one->parent = above == -1 ? -1 : p->super_of[above];
        one->child = -1;
        one->rows = rows;
        one->values = values;
        rows = dlpi_size(1, rows, one->r);
        values = dlpi_size(1, size, values);
        if (rows < 0 || values < 0) return dlpi_no_memory(error, "a sparse factor");
        if (one->r > p->most_rows) p->most_rows = one->r;
        if (m > p->widest) p->widest = m;
        if (size > p->largest) p->largest = size;
    }
    p->super[p->n_supers] =
        (dlpi_super){.first = (int32_t)p->n, .rows = rows, .values = values};
    for (dlp_index s = p->n_supers - 1; s >= 0; s--)
        if (p->super[s].parent != -1) p->super[p->super[s].parent].child = (int32_t)s;
    return DLP_OK;
}

/* Adds row i to those of s, unless it is one of its columns or already there. */
static void add_row(dlp_pattern *p, dlp_index s, int32_t i, int32_t *mark,
                    dlp_index *used)
{
    if (i < p->super[s + 1].first || mark[i] == s) return;
    mark[i] = (int32_t)s;
    p->rows[p->super[s].rows + (*used)++] = i;
}

/* The rows of s are those of its columns in the matrix and of its children, less its own
   columns. They are found in any order. next (n_supers) lists the children of a
   parent. */
static void find_rows(dlp_pattern *p, const dlp_index *start, const int32_t *column,
                      int32_t *mark, int32_t *head, int32_t *next)
{
    for (dlp_index k = 0; k < p->n; k++) mark[k] = -1;
    for (dlp_index s = 0; s < p->n_supers; s++) head[s] = -1;
    for (dlp_index s = 0; s < p->n_supers; s++) {
        const dlpi_super *one = &p->super[s];
        dlp_index used = 0;
        for (dlp_index e = start[one->first]; e < start[one->first + one->w]; e++)
            add_row(p, s, column[e], mark, &used);
        for (int32_t c = head[s]; c != -1; c = next[c])
            for (int32_t k = 0; k < p->super[c].r; k++)
                add_row(p, s, p->rows[p->super[c].rows + k], mark, &used);
        if (one->parent == -1) continue;
        next[s] = head[one->parent];
        head[one->parent] = (int32_t)s;
    }
}

/* Sorts the rows: lists for each row the supernodes that have it, in `list`, and puts the
   rows back one by one. at (n+1) and filled (n_supers) count. */
static void sort_rows(dlp_pattern *p, dlp_index *at, int32_t *list, int32_t *filled)
{
    const dlp_index total = p->super[p->n_supers].rows;
    memset(at, 0, (size_t)(p->n + 1) * sizeof *at);
    for (dlp_index e = 0; e < total; e++) at[p->rows[e] + 1]++;
    for (dlp_index i = 0; i < p->n; i++) at[i + 1] += at[i];
    for (dlp_index s = 0; s < p->n_supers; s++) {
        filled[s] = 0;
        for (dlp_index e = p->super[s].rows; e < p->super[s + 1].rows; e++)
            list[at[p->rows[e]]++] = (int32_t)s;
    }
    for (dlp_index i = 0, e = 0; i < p->n; i++)
        for (; e < at[i]; e++)
            p->rows[p->super[list[e]].rows + filled[list[e]]++] = (int32_t)i;
}

/* The position of row i in the front of s, which contains it. */
static dlp_index locate(const dlp_pattern *p, const dlpi_super *s, int32_t i)
{
    if (i < s->first + s->w) return i - s->first;
    const int32_t *rows = p->rows + s->rows;
    dlp_index lo = 0, hi = s->r; /* rows[lo] <= i < rows[hi] */
    while (hi - lo > 1) {
        const dlp_index middle = lo + (hi - lo) / 2;
        if (rows[middle] <= i)
            lo = middle;
        else
            hi = middle;
    }
    return s->w + lo;
}

static void find_relative(dlp_pattern *p)
{
    for (dlp_index s = 0; s < p->n_supers; s++)
        for (dlp_index e = p->super[s].rows; e < p->super[s + 1].rows; e++)
            p->relative[e] =
                (int32_t)locate(p, &p->super[p->super[s].parent], p->rows[e]);
}

/* The entries of the matrix by supernodes; position (n) is the inverse of p->order. */
static void place_entries(dlp_pattern *p, int32_t *position)
{
    for (dlp_index k = 0; k < p->n; k++) position[p->order[k]] = (int32_t)k;
    for (int pass = 0; pass < 2; pass++) { /* count, then fill */
        for (dlp_index i = 0; i < p->n; i++)
            for (dlp_index e = p->start[i]; e < p->start[i + 1]; e++) {
                const int32_t x = position[i], y = position[p->column[e]];
                const int32_t row = x < y ? x : y, column = x < y ? y : x;
                dlpi_super *s = &p->super[p->super_of[row]];
                if (pass == 0) {
                    s[1].entries++;
                    continue;
                }
                p->entry[s->entries] = (int32_t)e;
                p->place[s->entries++] =
                    (row - s->first) * (dlp_index)(s->w + s->r) + locate(p, s, column);
            }
        for (dlp_index s = 0; s < p->n_supers && pass == 0; s++)
            p->super[s + 1].entries += p->super[s].entries;
    }
    for (dlp_index s = p->n_supers; s > 0; s--)
        p->super[s].entries = p->super[s - 1].entries;
    p->super[0].entries = 0;
}

/* The height of the stack of fronts in an inverse: sparse_inverse.c. at (n_supers) */
static dlp_status measure_stack(dlp_pattern *p, dlp_index *at, dlp_error *error)
{
    for (dlp_index s = p->n_supers - 1; s >= 0; s--) {
        const dlpi_super *one = &p->super[s];
        const dlp_index m = one->w + (dlp_index)one->r;
        dlp_index top = 0;
        at[s] = 0;
        if (one->parent != -1) {
            const dlpi_super *above = &p->super[one->parent];
            const dlp_index front = above->w + (dlp_index)above->r;
            top = dlpi_size(front, front, at[one->parent]);
            at[s] = above->child == s ? at[one->parent] : top;
        }
        const dlp_index end = dlpi_size(m, m, top);
        if (end < 0) return dlpi_no_memory(error, "the inverse of a sparse matrix");
        if (end > p->stack) p->stack = end;
    }
    return DLP_OK;
}

static dlp_status allocate(dlp_pattern *p, dlp_error *error)
{
    const dlp_index rows = p->super[p->n_supers].rows, entries = p->start[p->n];
    p->rows = dlpi_calloc(rows, sizeof *p->rows);
    p->relative = dlpi_calloc(rows, sizeof *p->relative);
    p->entry = dlpi_calloc(entries, sizeof *p->entry);
    p->place = dlpi_calloc(entries, sizeof *p->place);
    return p->rows && p->relative && p->entry && p->place
               ? DLP_OK
               : dlpi_no_memory(error, "the analysis of a pattern");
}

static dlp_status fill(dlp_pattern *p, const dlp_index *start, const int32_t *column,
                       dlp_error *error)
{
    dlp_status status = DLP_OK;
    int32_t *room = dlpi_calloc(dlpi_size(3, p->n, 0), sizeof *room);
    dlp_index *at = dlpi_calloc(p->n + 1, sizeof *at);
    if (!room || !at) {
        status = dlpi_no_memory(error, "the analysis of a pattern");
        goto done;
    }
    find_rows(p, start, column, room, room + p->n, room + 2 * p->n);
    sort_rows(p, at, p->relative, room); /* relative is not set yet */
    find_relative(p);
    place_entries(p, room);
    status = measure_stack(p, at, error);
done:
    free(room);
    free(at);
    return status;
}

dlp_status dlpi_sparse_supernodes(dlp_pattern *p, const int32_t *parent,
                                  const int32_t *count, const dlp_index *start,
                                  const int32_t *column, dlp_error *error)
{
    double *zeros = dlpi_calloc(p->n, sizeof *zeros);
    p->super = dlpi_calloc(p->n + 1, sizeof *p->super);
    p->super_of = dlpi_calloc(p->n, sizeof *p->super_of);
    if (!zeros || !p->super || !p->super_of) {
        free(zeros);
        return dlpi_no_memory(error, "the analysis of a pattern");
    }
    merge(p, find_exact(p, parent, count), parent, zeros);
    free(zeros);
    DLP_TRY(lay_out(p, parent, error));
    DLP_TRY(allocate(p, error));
    return fill(p, start, column, error);
}

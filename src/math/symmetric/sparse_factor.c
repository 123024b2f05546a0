/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Left-looking sparse Cholesky by supernodes (Ng & Peyton, SIAM J. Sci. Comput. 14,
 * 1993): a supernode takes its entries of the matrix, subtracts the update of each
 * finished supernode that reaches it, and is factored as a dense trapezoid. Each
 * finished supernode is in one list: that of the next one it reaches. One thread, so
 * that the order of sums is fixed.
 */
#include "math/products.h"
#include "math/symmetric/sparse.h"

#include <string.h>

/* Doubles that hold `count` numbers of `size` bytes. */
static dlp_index doubles(dlp_index count, size_t size)
{
    return dlpi_size(count, (dlp_index)size, sizeof(double) - 1) /
           (dlp_index)sizeof(double);
}

static dlp_index product_room(const dlp_pattern *p)
{
    const dlp_index stripe = DLPI_SPARSE_STRIPE * p->widest;
    const dlp_index inverse = p->largest + DLPI_TRAPEZOID_ROOM;
    return stripe > inverse ? stripe : inverse;
}

dlp_index dlpi_sparse_factor_size(const dlp_shape *shape)
{
    const dlp_pattern *p = shape->pattern;
    const dlp_index parts[] = {p->n,
                               p->most_rows,
                               product_room(p),
                               p->stack,
                               doubles(p->n_supers, sizeof(dlp_index)),
                               doubles(3 * p->n_supers, sizeof(int32_t)),
                               doubles(p->n + p->most_rows, sizeof(int32_t))};
    dlp_index size = p->super[p->n_supers].values;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        size = dlpi_size(1, parts[k], size);
    return size;
}

dlpi_sparse_parts dlpi_sparse_parts_of(const dlp_cholesky *F)
{
    const dlp_pattern *p = F->shape.pattern;
    dlpi_sparse_parts f = {.pattern = p, .L = F->a};
    f.vector = f.L + p->super[p->n_supers].values;
    f.below = f.vector + p->n;
    f.room = f.below + p->most_rows;
    f.stack = f.room + product_room(p);
    double *next = f.stack + p->stack;
    void *integers = next; /* this memory has no effective type yet */
    f.front_at = integers;
    next += doubles(p->n_supers, sizeof(dlp_index));
    integers = next;
    f.head = integers;
    f.next = f.head + p->n_supers;
    f.reached = f.next + p->n_supers;
    next += doubles(3 * p->n_supers, sizeof(int32_t));
    integers = next;
    f.local = integers;
    f.target = f.local + p->n;
    return f;
}

/* Copies the entries of P, with zeros between them. */
static void load(const dlp_pattern *p, const dlpi_super *s, const double *P, double *T)
{
    memset(T, 0, (size_t)((dlp_index)s->w * (s->w + s->r)) * sizeof *T);
    for (dlp_index e = s->entries; e < s[1].entries; e++) T[p->place[e]] = P[p->entry[e]];
}

/* Maps each coordinate of a front to its position there. */
static void locate_all(const dlpi_sparse_parts *f, const dlpi_super *s)
{
    const int32_t *rows = f->pattern->rows + s->rows;
    for (int32_t k = 0; k < s->w; k++) f->local[s->first + k] = k;
    for (int32_t k = 0; k < s->r; k++) f->local[rows[k]] = s->w + k;
}

/* T[target_i, target_j] -= u_i u_j for i < p, i <= j < q: a single column's update */
static void subtract_column(dlp_index p, dlp_index q, const double *u,
                            const int32_t *target, double *T, dlp_index m)
{
    for (dlp_index i = 0; i < p; i++) {
        double *row = T + target[i] * m;
        const double c = u[i];
        for (dlp_index j = i; j < q; j++) row[target[j]] -= c * u[j];
    }
}

/* T[target_i, target_j] -= (U'U)_ij, a stripe of rows at a time; U (w, q) with rows ld
   apart. Where the targets are neighbours the product goes there at once. */
static void subtract_columns(dlp_index p, dlp_index q, dlp_index w, const double *U,
                             dlp_index ld, const int32_t *target, double *room, double *T,
                             dlp_index m)
{
    if (target[q - 1] - target[0] == q - 1) {
        dlpi_add_gram(p, q, w, -1, U, ld, T + target[0] * (m + 1), m);
        return;
    }
    for (dlp_index from = 0; from < p; from += DLPI_SPARSE_STRIPE) {
        const dlp_index b = p - from < DLPI_SPARSE_STRIPE ? p - from : DLPI_SPARSE_STRIPE;
        const dlp_index width = q - from;
        memset(room, 0, (size_t)(b * width) * sizeof *room);
        dlpi_add_gram(b, width, w, 1, U + from, ld, room, width);
        for (dlp_index i = 0; i < b; i++) {
            double *row = T + target[from + i] * m;
            const double *sums = room + i * width;
            for (dlp_index j = i; j < width; j++) row[target[from + j]] -= sums[j];
        }
    }
}

static void put_in_list(const dlpi_sparse_parts *f, int32_t d, int32_t from)
{
    const dlp_pattern *p = f->pattern;
    const int32_t list = p->super_of[p->rows[p->super[d].rows + from]];
    f->reached[d] = from;
    f->next[d] = f->head[list];
    f->head[list] = d;
}

/* Applies the update of supernode d to s, whose trapezoid is T; then queues d for the
   next one it reaches. */
static void update(const dlpi_sparse_parts *f, const dlpi_super *s, int32_t d, double *T)
{
    const dlp_pattern *p = f->pattern;
    const dlpi_super *from = &p->super[d];
    const int32_t *rows = p->rows + from->rows, begin = f->reached[d];
    int32_t end = begin;
    while (end < from->r && rows[end] < s->first + s->w) end++;
    for (int32_t k = begin; k < from->r; k++) f->target[k - begin] = f->local[rows[k]];
    const double *U = f->L + from->values + from->w + begin;
    const dlp_index q = from->r - begin, m = s->w + s->r;
    if (from->w == 1)
        subtract_column(end - begin, q, U, f->target, T, m);
    else
        subtract_columns(end - begin, q, from->w, U, from->w + from->r, f->target,
                         f->room, T, m);
    if (end < from->r) put_in_list(f, d, end);
}

static dlp_index factor(const dlpi_sparse_parts *f, const double *P)
{
    const dlp_pattern *p = f->pattern;
    for (dlp_index s = 0; s < p->n_supers; s++) f->head[s] = -1;
    for (int32_t s = 0; s < p->n_supers; s++) {
        const dlpi_super *one = &p->super[s];
        double *T = f->L + one->values;
        load(p, one, P, T);
        if (f->head[s] != -1) locate_all(f, one);
        for (int32_t d = f->head[s], next; d != -1; d = next) {
            next = f->next[d];
            update(f, one, d, T);
        }
        const dlp_index failed = dlpi_trapezoid_factor(one->w, one->w + one->r, T);
        if (failed >= 0) return p->order[one->first + failed];
        if (one->r > 0) put_in_list(f, s, 0);
    }
    return -1;
}

dlp_index dlpi_sparse_factor(dlp_cholesky *F, const dlp_sym *P)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    return factor(&f, P->a);
}

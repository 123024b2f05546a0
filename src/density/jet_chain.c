/* SPDX-License-Identifier: BSD-3-Clause */
/* Jets of sums, products, quotients and functions: Leibniz's rule and Faà di Bruno's
   formula to third order, derivative by derivative, each a loop over instances. */
#include "density/jet.h"
#include "density/program.h"
#include "math/special/elementary.h"

#include <math.h>

#define EACH DLPI_SIMD() for (dlp_index e = 0; e < n; e++)

/* ---- the derivatives that a jet has ---- */

/* One of them: in slots i <= j <= l, as far as its order goes. */
typedef struct component {
    int order, i, j, l;
    int place;
    uint64_t slots;
} component;

static int next_slot(uint64_t mask, int from) /* 64: none */
{
    const uint64_t rest = from < 64 ? mask >> from : 0;
    return rest ? from + __builtin_ctzll(rest) : 64;
}

static void put_place(component *c, int k)
{
    const uint64_t i = (uint64_t)1 << c->i, j = (uint64_t)1 << c->j,
                   l = (uint64_t)1 << c->l;
    c->slots = c->order == 1 ? i : c->order == 2 ? i | j : i | j | l;
    c->place = c->order == 1   ? 1 + c->i
               : c->order == 2 ? dlpi_place2(k, c->i, c->j)
                               : dlpi_place3(k, c->i, c->j, c->l);
}

/* The next derivative of z after c, which starts as zeros; false: there is none. */
static bool next(component *c, const dlpi_jet_shape *s, const dlpi_jet *z)
{
    const uint64_t mask = z->mask;
    int *last = c->order == 3 ? &c->l : c->order == 2 ? &c->j : &c->i;
    *last = c->order ? next_slot(mask, *last + 1) : 64;
    if (*last == 64 && c->order == 3) {
        c->j = next_slot(mask, c->j + 1);
        c->l = c->j;
        last = &c->j;
    }
    if (*last == 64 && c->order >= 2) {
        c->i = next_slot(mask, c->i + 1);
        c->j = c->l = c->i;
        last = &c->i;
    }
    if (*last == 64) {
        if (c->order == z->degree || !mask) return false;
        c->order++;
        c->i = c->j = c->l = next_slot(mask, 0);
    }
    put_place(c, s->k);
    return true;
}

static bool has(const dlpi_jet *x, int order, uint64_t slots)
{
    return order <= x->degree && !(slots & ~x->mask);
}

/* Derivatives of x; NULL: they are 0. */
static const double *first(const dlpi_jet_shape *s, const dlpi_jet *x, int i)
{
    return has(x, 1, (uint64_t)1 << i) ? x->at + (1 + i) * s->stride : NULL;
}

static const double *second(const dlpi_jet_shape *s, const dlpi_jet *x, int i, int j)
{
    const uint64_t slots = (uint64_t)1 << i | (uint64_t)1 << j;
    return has(x, 2, slots) ? x->at + dlpi_place2(s->k, i, j) * s->stride : NULL;
}

static const double *same(const dlpi_jet_shape *s, const dlpi_jet *x, const component *c)
{
    return has(x, c->order, c->slots) ? x->at + c->place * s->stride : NULL;
}

/* ---- sums ---- */

DLPI_CLONES static void add(dlp_index n, const double *a, double sign, const double *b,
                            double *z)
{
    EACH z[e] = a[e] + sign * b[e];
}

DLPI_CLONES static void copy(dlp_index n, double sign, const double *a, double *z)
{
    EACH z[e] = sign * a[e];
}

static void zero(dlp_index n, double *z)
{
    for (dlp_index e = 0; e < n; e++) z[e] = 0;
}

void dlpi_jet_sum(const dlpi_jet_shape *s, const dlpi_jet *a, double sign,
                  const dlpi_jet *b, const dlpi_jet *z)
{
    component c = {0};
    add(s->n, a->at, sign, b->at, z->at);
    while (next(&c, s, z)) {
        const double *of_a = same(s, a, &c), *of_b = same(s, b, &c);
        double *of_z = z->at + c.place * s->stride;
        if (of_a && of_b)
            add(s->n, of_a, sign, of_b, of_z);
        else if (of_a)
            copy(s->n, 1, of_a, of_z);
        else if (of_b)
            copy(s->n, sign, of_b, of_z);
        else
            zero(s->n, of_z);
    }
}

void dlpi_jet_negative(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *z)
{
    component c = {0};
    copy(s->n, -1, a->at, z->at);
    while (next(&c, s, z))
        copy(s->n, -1, a->at + c.place * s->stride, z->at + c.place * s->stride);
}

/* ---- products ---- */

DLPI_CLONES static void scale(dlp_index n, const double *c, const double *a, double *z)
{
    EACH z[e] = dlpi_times(c[e], a[e]);
}

void dlpi_jet_scale(const dlpi_jet_shape *s, const double *c, const dlpi_jet *a,
                    const dlpi_jet *z)
{
    component d = {0};
    scale(s->n, c, a->at, z->at);
    while (next(&d, s, z))
        scale(s->n, c, a->at + d.place * s->stride, z->at + d.place * s->stride);
}

/* Products of a derivative of one factor and a derivative of the other, if neither is
   0. */
typedef struct terms {
    int count;
    const double *p[8], *q[8];
} terms;

static void put(terms *t, const double *p, const double *q)
{
    if (!p || !q) return;
    t->p[t->count] = p;
    t->q[t->count++] = q;
}

/* z = p q + r u + ... */
DLPI_CLONES static void add_terms(dlp_index n, const terms *t, double *z)
{
    zero(n, z);
    int i = 0;
    for (; i + 1 < t->count; i += 2) {
        const double *p = t->p[i], *q = t->q[i], *r = t->p[i + 1], *u = t->q[i + 1];
        EACH z[e] += p[e] * q[e] + r[e] * u[e];
    }
    if (i < t->count) {
        const double *p = t->p[i], *q = t->q[i];
        EACH z[e] += p[e] * q[e];
    }
}

/* All terms of derivative c of a b; unless `whole`, without the one that has b itself. */
static terms leibniz(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                     const component *c, bool whole)
{
    terms t = {.count = 0};
    if (whole) put(&t, same(s, a, c), b->at);
    put(&t, a->at, same(s, b, c));
    if (c->order == 2) {
        put(&t, first(s, a, c->i), first(s, b, c->j));
        put(&t, first(s, a, c->j), first(s, b, c->i));
    }
    if (c->order == 3) {
        put(&t, second(s, a, c->i, c->j), first(s, b, c->l));
        put(&t, second(s, a, c->i, c->l), first(s, b, c->j));
        put(&t, second(s, a, c->j, c->l), first(s, b, c->i));
        put(&t, first(s, a, c->i), second(s, b, c->j, c->l));
        put(&t, first(s, a, c->j), second(s, b, c->i, c->l));
        put(&t, first(s, a, c->l), second(s, b, c->i, c->j));
    }
    return t;
}

void dlpi_jet_product(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                      const dlpi_jet *z)
{
    component c = {0};
    scale(s->n, a->at, b->at, z->at);
    while (next(&c, s, z)) {
        const terms t = leibniz(s, a, b, &c, true);
        add_terms(s->n, &t, z->at + c.place * s->stride);
    }
}

/* ---- quotients ---- */

DLPI_CLONES static void divide(dlp_index n, const double *a, const double *b, double *z)
{
    EACH z[e] = a[e] / b[e];
}

DLPI_CLONES static void rest_over(dlp_index n, const double *a, const double *b,
                                  double *z)
{
    if (a) EACH z[e] = (a[e] - z[e]) / b[e];
    if (!a) EACH z[e] = -z[e] / b[e];
}

/* z b = a, so that each derivative of z follows from those before it. */
void dlpi_jet_quotient(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                       const dlpi_jet *z)
{
    component c = {0};
    divide(s->n, a->at, b->at, z->at);
    while (next(&c, s, z)) {
        double *of_z = z->at + c.place * s->stride;
        if (!b->mask) {
            divide(s->n, a->at + c.place * s->stride, b->at, of_z);
            continue;
        }
        const terms t = leibniz(s, z, b, &c, false);
        add_terms(s->n, &t, of_z);
        rest_over(s->n, same(s, a, &c), b->at, of_z);
    }
}

/* ---- functions ---- */

DLPI_CLONES static void chain2(dlp_index n, const double *d1, const double *h,
                               const double *d2, const double *a, const double *b,
                               double *z)
{
    if (h) EACH z[e] = d1[e] * h[e] + d2[e] * (a[e] * b[e]);
    if (!h) EACH z[e] = d2[e] * (a[e] * b[e]);
}

/* d3 a b c, of a function of something affine */
DLPI_CLONES static void chain3(dlp_index n, const double *d3, const double *a,
                               const double *b, const double *c, double *z)
{
    EACH z[e] = d3[e] * (a[e] * b[e] * c[e]);
}

/* + d2 (ab c + ac b + bc a) */
DLPI_CLONES static void chain3_more(dlp_index n, const double *d2,
                                    const double *const h[3], const double *const g[3],
                                    double *z)
{
    const double *a = g[0], *b = g[1], *c = g[2], *ab = h[0], *ac = h[1], *bc = h[2];
    EACH z[e] += d2[e] * (ab[e] * c[e] + ac[e] * b[e] + bc[e] * a[e]);
}

DLPI_CLONES static void add_product(dlp_index n, const double *a, const double *b,
                                    double *z)
{
    EACH z[e] += a[e] * b[e];
}

void dlpi_jet_chain(const dlpi_jet_shape *s, const dlpi_jet *x, const double *d1,
                    const double *d2, const double *d3, const dlpi_jet *z)
{
    component c = {0};
    while (next(&c, s, z)) {
        double *of_z = z->at + c.place * s->stride;
        const double *of_x = same(s, x, &c);
        const double *g[3] = {first(s, x, c.i), first(s, x, c.j), first(s, x, c.l)};
        if (c.order == 1) scale(s->n, d1, of_x, of_z);
        if (c.order == 2) chain2(s->n, d1, of_x, d2, g[0], g[1], of_z);
        if (c.order < 3) continue;
        chain3(s->n, d3, g[0], g[1], g[2], of_z);
        if (x->degree >= 2) {
            const double *h[3] = {second(s, x, c.i, c.j), second(s, x, c.i, c.l),
                                  second(s, x, c.j, c.l)};
            chain3_more(s->n, d2, h, g, of_z);
        }
        if (of_x) add_product(s->n, d1, of_x, of_z);
    }
}

/* ---- branches ---- */

void dlpi_jet_select(const dlpi_jet_shape *s, const double *which, const dlpi_jet *a,
                     const dlpi_jet *b, const dlpi_jet *z)
{
    component c = {0};
    const double *of_a = a->at, *of_b = b->at;
    double *of_z = z->at;
    do {
        for (dlp_index e = 0; e < s->n; e++) {
            const double *taken = which[e] != 0 ? of_a : of_b;
            of_z[e] = taken ? taken[e] : 0;
        }
        if (!next(&c, s, z)) return;
        of_a = same(s, a, &c);
        of_b = same(s, b, &c);
        of_z = z->at + c.place * s->stride;
    } while (true);
}

/* max(a, b) + log(1 + e^-|a-b|) */
DLPI_CLONES static void log_add_exp(dlp_index n, const double *a, const double *b,
                                    double *z)
{
    const double far = 700; /* beyond this, the smaller one adds nothing */
    EACH
    {
        const double larger = a[e] > b[e] ? a[e] : b[e], gap = fabs(a[e] - b[e]);
        /* equal infinities have no gap; unlike ones have an infinite gap */
        const double near = a[e] == b[e] ? 0 : gap < far ? gap : far;
        const double sum = larger + dlpi_log1p_near(dlpi_exp_negative(-near, 0));
        z[e] = a[e] != a[e] || b[e] != b[e] ? NAN : sum;
    }
}

void dlpi_jet_log_add_exp_values(dlp_index n, const double *a, const double *b, double *z)
{
    log_add_exp(n, a, b, z);
}

/* log(e^a + e^b) = b + log(1 + e^(a-b)); the value from the larger of the two. scratch
   has a jet and three more rows. */
void dlpi_jet_log_add_exp(const dlpi_jet_shape *s, const dlpi_jet *a, const dlpi_jet *b,
                          const dlpi_jet *z, double *scratch)
{
    const int size = dlpi_jet_size(s->k, s->order);
    double *d[3] = {scratch + size * s->stride, scratch + (size + 1) * s->stride,
                    scratch + (size + 2) * s->stride};
    const int degree = a->degree > b->degree ? a->degree : b->degree;
    const dlpi_jet gap = {scratch, z->mask, degree};
    component c = {0};
    dlpi_jet_sum(s, a, -1, b, &gap);
    for (dlp_index e = 0; e < s->n; e++)
        if (a->at[e] == b->at[e]) gap.at[e] = 0; /* infinities, too */
    dlpi_jet_unary(DLPI_OP_LOG1P_EXP, s->n, gap.at, z->degree, z->at, d[0], d[1], d[2]);
    dlpi_jet_chain(s, &gap, d[0], d[1], d[2], z);
    log_add_exp(s->n, a->at, b->at, z->at);
    while (next(&c, s, b)) {
        double *of_z = z->at + c.place * s->stride;
        add(s->n, of_z, 1, b->at + c.place * s->stride, of_z);
    }
}

/* ---- functions of several arguments, one instance after another ---- */

static double at(const double *row, dlp_index e)
{
    return row ? row[e] : 0;
}

/* A derivative of f(x_0, x_1, ...) in the order of F, the partial derivatives of f. */
static double composed(const dlpi_jet_shape *s, int m, const double *F,
                       const dlpi_jet *const *x, const component *c, dlp_index e)
{
    double sum = 0;
    for (int p = 0; p < m; p++) sum += F[1 + p] * at(same(s, x[p], c), e);
    if (c->order == 1) return sum;
    for (int p = 0; p < m; p++)
        for (int q = 0; q < m; q++) {
            const double second_pq =
                F[p < q ? dlpi_place2(m, p, q) : dlpi_place2(m, q, p)];
            const double *i = first(s, x[p], c->i), *j = first(s, x[q], c->j),
                         *l = first(s, x[q], c->l), *middle = first(s, x[q], c->i);
            double sum_pq = 0;
            if (c->order == 2) sum_pq = at(i, e) * at(j, e);
            if (c->order == 3)
                sum_pq = at(second(s, x[p], c->i, c->j), e) * at(l, e) +
                         at(second(s, x[p], c->i, c->l), e) * at(j, e) +
                         at(second(s, x[p], c->j, c->l), e) * at(middle, e);
            sum += second_pq * sum_pq;
        }
    for (int p = 0; c->order == 3 && p < m; p++)
        for (int q = 0; q < m; q++)
            for (int r = 0; r < m; r++) {
                int low = p < q ? p : q, high = p < q ? q : p, mid = r;
                if (r < low) mid = low, low = r;
                if (r > high) mid = high, high = r;
                sum += F[dlpi_place3(m, low, mid, high)] * at(first(s, x[p], c->i), e) *
                       at(first(s, x[q], c->j), e) * at(first(s, x[r], c->l), e);
            }
    return sum;
}

void dlpi_jet_compose(const dlpi_jet_shape *s, dlpi_op op, int m,
                      const dlpi_jet *const *x, const dlpi_jet *z)
{
    unsigned active = 0;
    for (int p = 0; p < m; p++) active |= x[p]->mask ? 1u << p : 0;
    for (dlp_index e = 0; e < s->n; e++) {
        double F[20], arg[3] = {0}; /* F: a jet in three slots */
        for (int p = 0; p < m; p++) arg[p] = x[p]->at[e];
        dlpi_jet_special(op, arg, active, z->degree, F);
        z->at[e] = F[0];
        component c = {0};
        while (next(&c, s, z))
            z->at[c.place * s->stride + e] = composed(s, m, F, x, &c, e);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takahashi's recursion, supernode by supernode, from the last one down (Takahashi,
 * Fagan & Chen, 1973; Erisman & Tinney, CACM 18, 1975): with the trapezoid [U1 U2] of a
 * supernode, Y = U1^-1 U2, and Z the inverse at its columns 1 and rows 2,
 *
 *     Z_12 = -Y Z_22,   Z_11 = (U1'U1)^-1 - Z_12 Y'.
 *
 * Z_22 is part of the inverse on the parent's front. So whole fronts are kept on a stack
 * until their last child has copied its part: a parent is computed right before its last
 * child's subtree. Only the entries of the pattern are output.
 */
#include "math/dense.h"
#include "math/products.h"
#include "math/symmetric/sparse.h"

#include <string.h>

/* Z_22 of s, from the front of its parent. */
static void take_from_parent(const dlpi_sparse_parts *f, const dlpi_super *s,
                             const double *above, double *Z)
{
    const dlp_pattern *p = f->pattern;
    const int32_t *relative = p->relative + s->rows;
    const dlp_index m = s->w + s->r,
                    ld = p->super[s->parent].w + (dlp_index)p->super[s->parent].r;
    for (int32_t i = 0; i < s->r; i++) {
        const double *from = above + relative[i] * ld;
        double *to = Z + (s->w + i) * m + s->w;
        for (int32_t j = 0; j < s->r; j++) to[j] = from[relative[j]];
    }
}

/* Z_12 and Z_11, given Z_22, on and above the diagonal; also below it if children need
   it. */
static void invert_front(const dlpi_sparse_parts *f, const dlpi_super *s, double *Z)
{
    const dlp_index w = s->w, r = s->r, m = w + r;
    double *Y = f->room; /* (w, r) with rows m apart, and W behind */
    dlpi_trapezoid_invert(w, m, f->L + s->values, Z, Y, Y + w * m);
    for (dlp_index i = 0; i < w; i++) memset(Z + i * m + w, 0, (size_t)r * sizeof *Z);
    dlpi_add_product(w, r, r, -1, Y, m, Z + w * (m + 1), m, Z + w, m);
    dlpi_add_product_transposed(w, w, r, -1, Z + w, m, Y, m, Z, m);
    if (s->child == -1) return;
    for (dlp_index i = 0; i < w; i++)
        for (dlp_index j = i + 1; j < m; j++) Z[j * m + i] = Z[i * m + j];
}

/* A single column without children needs no front of its own: one row (m), into Z. */
static void invert_leaf(const dlpi_sparse_parts *f, const dlpi_super *s,
                        const double *above, double *Z)
{
    const dlp_pattern *p = f->pattern;
    const double *U = f->L + s->values, inverse = 1 / U[0];
    const int32_t *relative = p->relative + s->rows;
    double *y = f->below, sum = 0;
    for (int32_t k = 0; k < s->r; k++) y[k] = U[1 + k] * inverse;
    for (int32_t i = 0; i < s->r; i++) {
        const dlp_index ld = p->super[s->parent].w + (dlp_index)p->super[s->parent].r;
        const double *from = above + relative[i] * ld;
        double z = 0;
        for (int32_t j = 0; j < s->r; j++) z += from[relative[j]] * y[j];
        Z[1 + i] = -z;
        sum += z * y[i];
    }
    Z[0] = inverse * inverse + sum;
}

/* Stack positions of the front of s and of its parent, which may coincide: then the front
   is built after the parent's and moved. */
static double *make_front(const dlpi_sparse_parts *f, dlp_index s)
{
    const dlp_pattern *p = f->pattern;
    const dlpi_super *one = &p->super[s];
    const dlp_index m = one->w + (dlp_index)one->r;
    f->front_at[s] = 0;
    if (one->parent == -1) return f->stack;
    const dlpi_super *parent = &p->super[one->parent];
    const dlp_index at = f->front_at[one->parent],
                    above = parent->w + (dlp_index)parent->r;
    double *Z = f->stack + at + above * above;
    take_from_parent(f, one, f->stack + at, Z);
    f->front_at[s] = parent->child == s ? at : at + above * above;
    if (parent->child == s) Z = memmove(f->stack + at, Z, (size_t)(m * m) * sizeof *Z);
    return Z;
}

static void invert(const dlpi_sparse_parts *f, double *Sigma)
{
    const dlp_pattern *p = f->pattern;
    for (dlp_index s = p->n_supers - 1; s >= 0; s--) {
        const dlpi_super *one = &p->super[s];
        double *Z = f->room;
        if (one->w == 1 && one->child == -1) {
            const double *above =
                one->parent == -1 ? NULL : f->stack + f->front_at[one->parent];
            invert_leaf(f, one, above, Z);
        } else {
            Z = make_front(f, s);
            invert_front(f, one, Z);
        }
        for (dlp_index e = one->entries; e < one[1].entries; e++)
            Sigma[p->entry[e]] = Z[p->place[e]];
    }
}

void dlpi_sparse_inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    const dlpi_sparse_parts f = dlpi_sparse_parts_of(F);
    invert(&f, Sigma->a);
}

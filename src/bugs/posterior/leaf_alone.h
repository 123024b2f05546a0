/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps by which a leaf is integrated out alone (leaf.c): its mode (leaf_mode.c), nodes
 * about it and integrals by them (leaf_nodes.c), expectations (leaf_moments.c), draws
 * (leaf_draws.c). Internal to these.
 */
#ifndef DLPI_BUGS_LEAF_ALONE_H
#define DLPI_BUGS_LEAF_ALONE_H

#include "bugs/posterior/leaf.h"

enum {
    DLPI_LEAF_REACH = 12, /* of two coordinates: nodes on each side of the mode */
    DLPI_LEAF_SIDE = 2 * DLPI_LEAF_REACH + 1 /* DLPI_LEAF_NODES is at least its square */
};
static const double DLPI_LEAF_NEGLIGIBLE = 1e-8; /* weight of a node */

static inline dlp_index dlpi_leaf_rows_from(const dlpi_work *w, int k, dlp_index l)
{
    return dlpi_leaf_begin(w->of, k, l);
}

/* leaf_mode.c */

/* Slots of the leaf's rows at x and b = 0. */
void dlpi_leaf_set_slots(dlpi_work *w, dlp_index l);
/* Runs rows from `row` on at nodes from `node` on, node after node within a row. e is of
   the first of these rows, in columns of length `stride`. */
void dlpi_leaf_run(dlpi_work *w, int k, const double *e, dlp_index stride, dlp_index row,
                   dlp_index rows, dlp_index node, dlp_index nodes, int order);
/* Newton's step by the last expansion. */
void dlpi_leaf_newton(const dlpi_bugs_leaf_work *leaf, double *step);
/* Newton's method from b (2), which becomes the mode; h there, or NaN. */
double dlpi_leaf_find_mode(dlpi_work *w, dlp_index l, double *b);

/* leaf_nodes.c: log integrals of one coordinate and of two, by nodes about b, which are
   left in the work */
double dlpi_bugs_leaf_line(dlpi_work *w, dlp_index l, const double *b);
double dlpi_bugs_leaf_plane(dlpi_work *w, dlp_index l, const double *b);
double dlpi_leaf_highest(const dlpi_bugs_leaf_work *leaf); /* h of the nodes */
/* C = U'U: the columns of U^-1, along which the grid of a plane runs. */
void dlpi_leaf_axes(const dlpi_bugs_leaf_work *leaf, double root[3]);

/* leaf_moments.c, all by the nodes and weights; m is the size of the support */
void dlpi_leaf_drop_light(dlpi_bugs_leaf_work *leaf);
void dlpi_leaf_expect(dlpi_work *w, dlp_index l, dlp_index m);
void dlpi_leaf_differentiate(dlpi_work *w, dlp_index l, dlp_index m);
void dlpi_leaf_find_moments(dlpi_work *w, dlp_index l, dlp_index m);

/* leaf.c: log I of a leaf; its nodes and weights are left in the work */
double dlpi_bugs_leaf_integrate(dlpi_work *w, dlp_index l);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leaves integrated out: one alone (leaf.c), many that have one coordinate and few rows
 * together (leaf_block.c), and all of them (leaves.c). Internal.
 *
 * A lane is what one thread works with: a copy of the dlpi_work it belongs to. It shares
 * all that leaves read, and arrays in which each leaf writes to its own place, but has
 * its own memory for programs and its own dlpi_bugs_leaf_work.
 */
#ifndef DLPI_BUGS_LEAF_H
#define DLPI_BUGS_LEAF_H

#include "bugs/posterior/field.h"
#include "density/jet.h"

enum {
    DLPI_LEAF_NODES = 640, /* at most, for a leaf on its own */
    DLPI_LEAF_FEW = 7,     /* where h is nearly a parabola */
    DLPI_LEAF_THIRDS = 3   /* most slots in a block, which needs third derivatives */
};

typedef struct dlpi_leaf_block dlpi_leaf_block;

/* Memory for one leaf at a time. */
struct dlpi_bugs_leaf_work {
    int d;
    dlp_index n;
    bool spread; /* always space the nodes evenly */
    bool bumpy;  /* it may have several maxima */
    bool normal; /* of two coordinates: exactly normal, as far as nodes can tell */
    /* Gauss-Hermite nodes for exp(-z^2 / 2), and their weights divided by that */
    double few[DLPI_LEAF_FEW], log_weight[DLPI_LEAF_FEW];
    double *node, *h, *weight;    /* (nodes, 2), (nodes), (nodes) */
    int *place;                   /* (nodes, 2) of two coordinates */
    int *at;                      /* (SIDE, SIDE) the node at a place, or -1 */
    double *e;                    /* slots of the rows at b = 0, group by group */
    double *E;                    /* expected derivatives by slots, likewise */
    double *D;                    /* (most_support, nodes) scores */
    double *gradient, *curvature; /* of the support */
    double apart;                 /* for two coordinates: distance of nodes in sds */
    double b[2], g[2], C[3]; /* last expansion: point, gradient, -Hessian (11, 12, 22) */
    dlpi_leaf_block *block;
};

/* What a leaf adds to log p: the logarithm of its integral and, if `order` is 2, the
   gradient (m) and curvature (upper triangle, row by row) in the m of x it depends on. */
struct dlpi_leaf_sum {
    double *log_integral, *gradient, *curvature;
};

/* leaves.c */
bool dlpi_leaf_is_bumpy(const dlpi_field *of, dlp_index l);

/* leaf.c */
dlp_status dlpi_leaf_alloc(const dlpi_field *of, dlpi_bugs_leaf_work **leaf,
                           dlp_error *error);
void dlpi_leaf_free(dlpi_bugs_leaf_work *leaf);
/* Integrates with nodes placed to suit its density. */
void dlpi_leaf_alone(dlpi_work *w, dlp_index l, int order, dlpi_leaf_sum sum);

/* leaf_block.c */
dlp_status dlpi_leaf_block_alloc(const dlpi_field *of, dlpi_leaf_block **block,
                                 dlp_error *error);
void dlpi_leaf_block_free(dlpi_leaf_block *block);
/* Leaves l to end - 1; sums (end - l). False: stopped, or one failed. */
bool dlpi_leaf_block_add(dlpi_work *lane, dlp_index l, dlp_index end, int order,
                         const dlpi_leaf_sum *sum);

static inline dlp_index dlpi_leaf_begin(const dlpi_field *of, int k, dlp_index l)
{
    return of->groups->begin[k * (of->plan->L + 1) + l];
}

static inline dlp_index dlpi_leaf_support(const dlpi_field *of, dlp_index l)
{
    return of->groups->support_begin[l + 1] - of->groups->support_begin[l];
}

/* Which of a jet's numbers is the derivative by slots i and j. */
static inline int dlpi_leaf_second(int k, int i, int j)
{
    return i <= j ? dlpi_place2(k, i, j) : dlpi_place2(k, j, i);
}

#endif

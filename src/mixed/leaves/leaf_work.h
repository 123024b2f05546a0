/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's workspace for integrating a leaf: its rows, the mode, the nodes about it.
 * Internal to leaves.c and leaf_nodes.c.
 */
#ifndef DLPI_MIXED_LEAF_WORK_H
#define DLPI_MIXED_LEAF_WORK_H

#include "mixed/leaves/cubature.h"
#include "mixed/leaves/leaves.h"

enum { DLPI_LEAF_MOST_EACH = 9, DLPI_LEAF_RULES = 4 };

/* Nodes (n, q) in sds and the logarithms of their weights, for exp(-b'b / 2). */
typedef struct dlpi_hermite {
    int n;
    double node[2 * DLPI_LEAF_MOST_EACH * DLPI_LEAF_MOST_EACH],
        log_w[DLPI_LEAF_MOST_EACH * DLPI_LEAF_MOST_EACH];
} dlpi_hermite;

/* Where one effect may be, if eta must be positive. */
typedef struct dlpi_leaf_interval {
    double low, high;            /* its bounds, */
    dlp_index low_row, high_row; /*     set by these rows, or -1 */
    double first, last;          /* nodes are between these */
} dlpi_leaf_interval;

struct dlpi_leaf_work {
    const dlpi_mixed_rows *rows;
    dlpi_leaf_rule rule;
    dlpi_hermite normal[DLPI_LEAF_RULES]; /* for integrands that are nearly normal */
    dlpi_cubature many;                   /* for three or more effects, */
    double *seen;                         /* (rows of a leaf, q) U'^-1 z of its rows, */
    double *B;                            /* (q, m) how b moves with x, */
    double *h_b;                          /*     and (q, nodes) the gradient of h by b */
    dlpi_leaf_interval interval;          /* for one that is bounded: B is (2, m), and */
    double *E_v, *E_vv; /*     (rows of a leaf) E[l_ee v], E[l_ee v^2] */
    int most_nodes;
    dlp_index capacity; /* rows, times nodes, that are evaluated together */
    dlpi_rows tile;
    double *y, *trials, *weight, *eta, *l, *l_e, *l_ee; /* (capacity) */
    double *eta0, *E_e, *E_ee;                          /* (rows of a leaf) */
    double *l_eee, *l_eeee;                             /* the same, at the mode */
    double *trial, *step, *g, *C, *U;                   /* (q), and (q, q) of C, U */
    int nodes;
    double *node;          /* (nodes, q) */
    double *across;        /* (q, nodes) the same, of several effects */
    dlp_index *other_q;    /* (n_other) effects of the other terms */
    double *omega, *log_w; /* (nodes) */
    double *D;             /* (m, nodes) scores */
    double *centred;       /* (nodes, m) the same without their means */
    double *gradient, *curvature, *mean, *variance, *slope;
    dlp_index *index;           /* (width + p) of a row, */
    double *value;              /*     where it sees x, and how */
    double *of_rows, *of_nodes; /* to be freed */
    double *H;                  /* dlpi_leaf_add_rows_to, or NULL */
    dlp_index other;            /* the row with a changed weight, or -1, */
    double other_weight;        /* and that weight */
};

/* l and its derivatives by eta for the first n rows of the workspace, multiplied by their
   weights; all four derivatives where the rows are the leaf's own. */
void dlpi_leaf_evaluate(dlpi_leaf_work *w, dlp_index n, const double *tau, bool all);

/* Copies the rows of leaf g into the workspace. */
void dlpi_leaf_copy_rows(dlpi_leaf_work *w, dlp_index g);

/* h at b, with g = grad h; C = -hess h where that is positive definite, else without the
   rows whose l is convex; U, the factor of C. */
double dlpi_leaf_expand(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g,
                        const double *b);

/* Evaluates nodes k to k + count: omega, up to their sum, and D; adds to E_e and E_ee. */
void dlpi_leaf_visit(dlpi_leaf_work *w, const dlpi_leaf_prior *prior, dlp_index g, int k,
                     int count, double h0, const dlpi_leaf *leaf);

/* Moments of b and of the scores, from nodes about the mode b, where h is h0. Returns the
   logarithm of the integral of exp(h - h0); *known is its value where that is better than
   the nodes' sum. */
double dlpi_leaf_expect_by_nodes(dlpi_leaf_work *w, const dlpi_leaf_prior *prior,
                                 dlp_index g, const double *b, double h0, double *known,
                                 dlpi_leaf *leaf);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What softmax.c and softmax_nodes.c share. Internal. */
#ifndef DLPI_MIXED_SOFTMAX_WORK_H
#define DLPI_MIXED_SOFTMAX_WORK_H

#include "mixed/levels/softmax.h"

enum { DLPI_SOFTMAX_RULES = 4 };

/* Nodes (Q, n) in sds and the logarithms of their weights, for exp(-b'b / 2). */
typedef struct dlpi_product_rule {
    int n;
    double *node, *log_w;
} dlpi_product_rule;

struct dlpi_softmax_work {
    const dlpi_mixed_rows *rows;
    bool laplace;
    dlp_index D, Q, q; /* predictors; effects of a leaf, and of one predictor */
    dlp_index p, wide; /* columns of a predictor, and with the effects of other terms */
    int rules;
    dlpi_product_rule rule[DLPI_SOFTMAX_RULES];
    double *eta0, *pi;                    /* (rows of a leaf, D) */
    double *E_e;                          /* the same */
    double *E_ee;                         /* (rows of a leaf, D, D) */
    double *trial, *step, *grad, *centre; /* (Q) */
    double *C, *U, *S;                    /* (Q, Q) */
    /* With several nodes: */
    dlp_index nodes;          /* how many there is room for */
    double *node, *log_omega; /* (Q, nodes), (nodes) */
    double *omega, *score;    /* (nodes), (m, nodes) */
    double *all, *product;    /* (nodes) */
    double *e; /* ((rows of a leaf) D, some nodes), or one row at all of them */
    double *gradient, *curvature;    /* (m), (m, m) */
    double *mean, *variance, *slope; /* (Q), (Q, Q), (Q, m) */
    double *value;                   /* (wide) what a row sees of x, */
    dlp_index *index;                /* (D, wide) and where, for each predictor */
    dlp_index *column;               /* (D, p) the columns of X of each predictor */
    double *block;
};

/* What row r sees of x, and where that is in the part that the leaf sees. */
void dlpi_softmax_see_row(dlpi_softmax_work *work, dlp_index r, dlp_index support);

/* Rules with 3, 5, ... nodes per dimension; returns how many nodes the largest has, 0
   when out of memory. */
int dlpi_softmax_rules(dlpi_softmax_work *work);
/* How many numbers e has. */
dlp_index dlpi_softmax_room(const dlpi_softmax_work *work);
/* The logarithm of the integral of exp(h - h0), given U and b of the mode. Sets E_e,
   E_ee, mean, variance and slope, and adds Cov[s]'s part to the curvature. few: uses the
   rule with the fewest nodes; otherwise, where `skewed`, nodes about the mean that this
   rule finds. NAN: there is no integral. */
double dlpi_softmax_expect(dlpi_softmax_work *w, const dlpi_leaf_prior *prior,
                           dlp_index g, const double *b, double h0, int which,
                           bool skewed, const dlpi_leaf *leaf);

#endif

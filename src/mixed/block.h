/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * x = (effects that are not leaves, beta) given psi: a Gaussian at the mode of
 *
 *   f(x) = sum_g log I_g(x) + log p(x | psi)
 *
 * and log p(y | psi) by Laplace's approximation of the integral over x. Internal.
 */
#ifndef DLPI_MIXED_BLOCK_H
#define DLPI_MIXED_BLOCK_H

#include <delaplace/sym.h>

#include "infer/listener.h"
#include "mixed/leaf_squares.h"
#include "mixed/leaf_sums.h"
#include "mixed/leaves/leaf_products.h"
#include "mixed/leaves/leaves.h"
#include "mixed/levels/softmax.h"
#include "mixed/process/constrain.h"
#include "mixed/scales/hyper.h"
#include "mixed/single_level.h"

/* What all workers read. */
typedef struct dlpi_mixed {
    const dlpi_mixed_data *data;
    const dlpi_mixed_prior *prior;
    dlpi_hyper_layout layout;
    dlpi_mixed_rows rows;
    dlpi_single_level flat; /* where there are no leaves */
    dlpi_leaf_rule rule;
    bool skewed;                  /* beta's density given psi is not normal */
    bool plain;                   /* modes are the answer, as elsewhere, and not means */
    double log_det_beta;          /* of beta's prior precision, without smooths */
    dlp_shape shape;              /* of x's curvature */
    dlpi_constraints constraints; /* of x */
    dlpi_leaf_products products;  /* of a Gaussian response and one term */
    dlpi_leaf_squares squares;    /* made where that is faster */
    dlpi_division *leaves;   /* their chunks, where sums over them have more than one */
    int lanes;               /* threads that share an evaluation, 0: one */
    bool whole;              /* few enough effects to keep all their covariances */
    double *x, *b;           /* (n), (L, q) where the next search begins */
    dlpi_listener *listener; /* polled every few leaves */
} dlpi_mixed;

/* One worker. */
typedef struct dlpi_mixed_block {
    const dlpi_mixed *of;
    dlpi_softmax_work *softmax; /* for several linear predictors; */
    dlpi_leaf_work **leaf;      /* (lanes) for one; */
    dlpi_leaf_sums sums;        /* over leaves, */
    double *sum;                /*     and room for one: 2 + n + n^2 */
    dlpi_rows *tile;            /* without leaves: rows */
    double *flat;               /* and room for single_level.h */
    double *products;           /* room for leaf_products.h */
    double *tau;                /* (dlpi_mixed_told) */
    double *all;                /* (layout.all) room for all hyperparameters */
    double *P;        /* (n_terms, largest^2) precisions of the levels' effects */
    double *log_det;  /* (n_terms) theirs; for a process, of all nodes */
    double *Q;        /* precisions of processes, entry by entry, one after another, */
    double *square;   /*     and (2, as many) moments: E[u] E[u]', Var[u] */
    dlpi_held held;   /* the constraints, given F */
    double *x, *b;    /* (n), (L, q) */
    double *linear;   /* (n) x, with gaps as sizes instead of logarithms: rows are linear
                         in it */
    double *mode;     /* (n) room for a caller */
    double *from;     /* (n) the x before a step */
    double *step;     /* (n) */
    double *gradient; /* (n) */
    double *beta;     /* (p, p) room for a caller */
    double *pair;     /* (largest^2) the same */
    double *room;     /* (q (1 + q + n)) moments of a leaf */
    double *moments;  /* (n_terms, 2, largest^2) of terms, summed over their levels */
    double *psi;      /* (m) */
    double *traces;   /* (m, m) */
    double *at;       /* (m) the psi of the last search */
    dlp_index *seen;  /* (n) the coordinates of x that a leaf sees */
    bool *apart;      /* (L) leaves whose part of H is added row by row */
    dlp_sym H;        /* -hess f: dense, or where that is cheaper sparse */
    dlp_sym trial;    /* the same with a ridge */
    dlp_cholesky *F;  /* its factor */
    dlp_sym S;        /* Cov[x | psi], where H has entries */
    double *kept;     /* what the last evaluation found for each leaf: E[b | x] (q), Var[b
                         | x] (q, q) and the slopes (q, m) */
    double f;         /* has that gradient; by Laplace's rule, a leaf adds h at its mode,
                         not log I */
    double gain;      /* what the last step added to it */
    double log_integrals; /* f with log I of every leaf */
    long evaluations;     /* of all leaves, since the block was made */
    bool converged;       /* the last search */
    double *block;
} dlpi_mixed_block;

dlp_status dlpi_mixed_block_alloc(const dlpi_mixed *of, dlpi_mixed_block *block,
                                  dlp_error *error);
void dlpi_mixed_block_free(dlpi_mixed_block *block);

static inline int dlpi_mixed_lanes(const dlpi_mixed *of)
{
    return of->lanes > 1 ? of->lanes : 1;
}

/* log p(y | psi), starting from of->x and of->b; leaves x, b and F at the mode. -INFINITY
   if there is none. */
double dlpi_mixed_block_at(dlpi_mixed_block *block, const double *psi);
/* The same, starting from the block's x (n) and b (L, q). */
double dlpi_mixed_block_from(dlpi_mixed_block *block, const double *psi);
/* After a search, with S: the gradient (m) of log p(y | psi) by Fisher's identity, E[grad
   log p(x, b, y | psi) | y], with the moments of the approximation. Excludes a scale of a
   non-Gaussian likelihood, which the caller has to differentiate. */
void dlpi_mixed_block_gradient(dlpi_mixed_block *block, const double *psi, double *g);
/* What the last evaluation found for leaf g. */
const double *dlpi_mixed_block_kept(const dlpi_mixed_block *block, dlp_index g);
/* Sets P, log_det and tau. */
void dlpi_mixed_block_set(dlpi_mixed_block *block, const double *psi);

/* f, its gradient and H at x, for the psi of the last search. */
void dlpi_mixed_block_expand(dlpi_mixed_block *block);

/* The shape of H: dense, or with `pattern`, to be freed after all blocks. */
dlp_status dlpi_mixed_curvature(const dlpi_mixed_rows *rows, dlp_pattern **pattern,
                                dlp_shape *shape, dlp_error *error);

/* The pattern alone. */
dlp_status dlpi_mixed_pattern(const dlpi_mixed_rows *rows, dlp_pattern **pattern,
                              dlp_error *error);

/* The position of entry (i, j) in a matrix of that shape. */
static inline double *dlpi_mixed_entry(const dlp_sym *A, dlp_index i, dlp_index j)
{
    if (A->shape.structure == DLP_SPARSE)
        return A->a + dlp_pattern_find(A->shape.pattern, i, j);
    return A->a + (i < j ? i * A->shape.n + j : j * A->shape.n + i);
}

/* The number of doubles in such a matrix. */
static inline dlp_index dlpi_mixed_entries(const dlp_sym *A)
{
    if (A->shape.structure == DLP_SPARSE)
        return dlp_pattern_cost_of(A->shape.pattern).entries;
    return A->shape.n * A->shape.n;
}

/* Factors H into F without a ridge; false if it is not positive definite. */
bool dlpi_mixed_block_factor(dlpi_mixed_block *block);
/* v := Cov[x | psi] v, with F; a draw of x - mode from standard normal numbers, returning
   -log of its density without the constant; and log |H|, on the subspace of x. */
void dlpi_mixed_block_solve(dlpi_mixed_block *block, double *v);
double dlpi_mixed_block_draw(dlpi_mixed_block *block, double *z);
double dlpi_mixed_block_log_det(const dlpi_mixed_block *block);
/* After a search, S = Cov[x | psi]. */
void dlpi_mixed_block_invert(dlpi_mixed_block *block);
/* Where the entries of the process of term t begin; at n_terms, how many there are. */
dlp_index dlpi_mixed_entries_before(const dlpi_mixed_data *data, dlp_index t);
/* And E[b | psi] (q), Var[b | psi] (q, q) and Cov[b, x | psi] (q, wide) of leaf g: with
   the part of x that it sees, beta last, or with all of x. */
void dlpi_mixed_block_leaf(dlpi_mixed_block *block, dlp_index g, double *mean,
                           double *variance, double *with_x);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Inside a pattern: the analysis of a sparse matrix, as used by its factorisation.
 *
 * Rows and columns are counted in the elimination order from here on. Neighbouring
 * columns of L with the same rows below them (or nearly) are a supernode: w columns and
 * r rows, stored as the trapezoid [U1 U2] (w, m), m = w + r, of L's transpose
 * (products.h). Its front is these m coordinates. A child's rows are all in the front of
 * its parent. Internal.
 */
#ifndef DLPI_MATH_SPARSE_H
#define DLPI_MATH_SPARSE_H

#include <delaplace/pattern.h>

#include "math/symmetric/structure.h"

#include <stdbool.h>

typedef struct dlpi_super {
    int32_t first, w, r;
    int32_t parent;   /* or -1 */
    int32_t child;    /* the first one, or -1 */
    dlp_index rows;   /* where its rows begin, in pattern.rows and pattern.relative */
    dlp_index values; /* where its trapezoid begins, in L */
    dlp_index
        entries; /* where its entries of the matrix begin, in pattern.entry; they end
                          where the next one's begin */
} dlpi_super;

struct dlp_pattern {
    dlp_index n;
    dlp_index *start;       /* (n+1) the upper triangle, by rows, in the caller's order */
    int32_t *column;        /* (start[n]) */
    int32_t *order;         /* (n) order[k] is eliminated k-th */
    dlp_index n_supers;     /* supernodes, children before their parents */
    dlpi_super *super;      /* (n_supers+1) the last marks the end of the others */
    int32_t *super_of;      /* (n) a column's */
    int32_t *rows;          /* those below each supernode, ascending */
    int32_t *relative;      /* their positions in the parent's front */
    int32_t *entry;         /* (start[n]) which entry of the matrix, by supernodes, */
    dlp_index *place;       /* (start[n]) and its position in the trapezoid */
    int32_t most_rows;      /* the largest r, */
    dlp_index widest;       /* m, */
    dlp_index largest;      /* and w m */
    dlp_index stack;        /* doubles in the fronts that an inverse keeps at a time */
    dlp_index factor_count; /* entries of L */
    double flops;
};

/* order[k] is to be eliminated k-th. */
dlp_status dlpi_sparse_order(const dlp_pattern *pattern, int32_t *order,
                             dlp_error *error);
/* The same by METIS, if built with it (DLPI_HAVE_METIS). */
dlp_status dlpi_sparse_order_metis(const dlp_pattern *pattern, int32_t *order,
                                   dlp_error *error);
/* The elimination tree, by the strictly lower triangle's rows, start (n+1) and column:
   the parent (n) of each column, or -1. room (n). Liu, SIAM J. Matrix Anal. Appl. 11,
   1990. */
void dlpi_sparse_tree(dlp_index n, const dlp_index *start, const int32_t *column,
                      int32_t *parent, int32_t *room);
/* How many entries each column of L has. room (n). O(entries of L). */
void dlpi_sparse_counts(dlp_index n, const dlp_index *start, const int32_t *column,
                        const int32_t *parent, int32_t *count, int32_t *room);
/* order (n) visits children before their parents, the fullest child last. room (3n+2). */
void dlpi_sparse_postorder(dlp_index n, const int32_t *parent, const int32_t *count,
                           int32_t *order, int32_t *room);

/* The rest of the pattern, from its upper triangle. */
dlp_status dlpi_sparse_analyse(dlp_pattern *pattern, dlp_error *error);
/* The supernodes and all that follows from them; tree, counts and the strictly upper
   triangle, by rows, are in the elimination order. */
dlp_status dlpi_sparse_supernodes(dlp_pattern *pattern, const int32_t *parent,
                                  const int32_t *count, const dlp_index *start,
                                  const int32_t *column, dlp_error *error);

/* Transposes (n, n); the rows of the result are ascending, whatever the input's order.
   to_start (n+1). */
void dlpi_sparse_transpose(dlp_index n, const dlp_index *start, const int32_t *column,
                           dlp_index *to_start, int32_t *to_column);

/* The parts of a factor. */
typedef struct dlpi_sparse_parts {
    const dlp_pattern *pattern;
    double *L;      /* the trapezoids */
    double *vector; /* (n) a vector in the order of elimination */
    double *below;  /* (most_rows) */
    double *room; /* for products: (DLPI_SPARSE_STRIPE, widest), or the largest trapezoid
                       and DLPI_TRAPEZOID_ROOM */
    double *stack;
    dlp_index *front_at;     /* (n_supers) the position of a front on the stack */
    int32_t *head, *next;    /* (n_supers) lists of supernodes that reach one, */
    int32_t *reached;        /* (n_supers) and from which of their rows on */
    int32_t *local, *target; /* (n), (most_rows) places in a front */
} dlpi_sparse_parts;
enum { DLPI_SPARSE_STRIPE = 64 };

dlpi_sparse_parts dlpi_sparse_parts_of(const dlp_cholesky *F);

/* The factor's entries in the table of dlpi_sparse (structure.h). */
dlp_index dlpi_sparse_factor_size(const dlp_shape *shape);
dlp_index dlpi_sparse_factor(dlp_cholesky *F, const dlp_sym *P);
void dlpi_sparse_solve(const dlp_cholesky *F, double *b);
double dlpi_sparse_log_det(const dlp_cholesky *F);
void dlpi_sparse_inverse(const dlp_cholesky *F, dlp_sym *Sigma);
void dlpi_sparse_draw(const dlp_cholesky *F, double *z);
void dlpi_sparse_whiten(const dlp_cholesky *F, double *z);
void dlpi_sparse_multiply_root(const dlp_cholesky *F, double *z);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symmetric matrices with a structure: Hessians, precisions, covariances.
 *
 * A model declares the structure of its Hessian once (dlp_shape) and fills in values of
 * that shape. The inverse of a matrix of either structure has the same structure, so -H,
 * its inverse Sigma and Tr{H Sigma} all live in one shape, and a fit costs what the
 * structure costs: O(n^3) dense, O(r^2 n) for diagonal plus rank r, O(sum of b^3) for
 * blocks of size b. Dense is one block.
 *
 * Values and factors belong to one thread at a time. After allocation nothing here
 * allocates or fails.
 */
#ifndef DELAPLACE_SYM_H
#define DELAPLACE_SYM_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_structure {
    DLP_BLOCKS,  /* dense blocks along the diagonal; one block: a dense matrix */
    DLP_LOW_RANK /* diag(d) + U' C U with U (r, n) and C (r, r) symmetric */
} dlp_structure;

typedef struct dlp_shape {
    dlp_structure structure;
    dlp_index n;            /* the matrix is n by n */
    dlp_index rank;         /* DLP_LOW_RANK: r, 0 for a diagonal matrix */
    dlp_index n_blocks;     /* DLP_BLOCKS: how many */
    const dlp_index *block; /* DLP_BLOCKS: their sizes, adding up to n; the array
                               outlives the shape. NULL: one block of size n */
} dlp_shape;

DLP_API dlp_shape dlp_shape_dense(dlp_index n);
DLP_API dlp_shape dlp_shape_low_rank(dlp_index n, dlp_index rank);
DLP_API dlp_shape dlp_shape_blocks(dlp_index n_blocks, const dlp_index *block);

/* A matrix of some shape. */
typedef struct dlp_sym {
    dlp_shape shape;
    double *a; /* DLP_BLOCKS: the blocks (b, b) one after another, each whole and
                  row-major. DLP_LOW_RANK: d (n), then C (r, r), then U (r, n). */
    void *own; /* the library's */
} dlp_sym;

/* Zeroed. DLP_EINVAL for an impossible shape, DLP_ENOMEM; *A is then zeroed, too. */
DLP_API dlp_status dlp_sym_alloc(dlp_shape shape, dlp_sym *A, dlp_error *error);
DLP_API void dlp_sym_free(dlp_sym *A); /* fine on a zeroed or failed one */

/* The parts to fill. DLP_BLOCKS: block k, (b, b) row-major, both triangles; O(1). */
DLP_API double *dlp_sym_block(const dlp_sym *A, dlp_index k);
/* DLP_LOW_RANK: d (n), C (r, r) row-major and symmetric, U (r, n) row-major. */
DLP_API double *dlp_sym_diag(const dlp_sym *A);
DLP_API double *dlp_sym_core(const dlp_sym *A);
DLP_API double *dlp_sym_low_rank(const dlp_sym *A);

DLP_API void dlp_sym_set_identity(dlp_sym *A);
DLP_API void dlp_sym_copy(const dlp_sym *A, dlp_sym *to); /* same shape */
DLP_API void dlp_sym_negate(dlp_sym *A);
/* y = A x; x and y (n) do not overlap. */
DLP_API void dlp_sym_multiply(const dlp_sym *A, const double *x, double *y);
/* x'A x; costs what a product costs. */
DLP_API double dlp_sym_quadratic(const dlp_sym *A, const double *x);
/* The entry of row i and column j, from 0; one outside the blocks is 0. O(log n_blocks),
   or O(r^2). */
DLP_API double dlp_sym_entry(const dlp_sym *A, dlp_index i, dlp_index j);
/* The diagonal of A, into d (n). */
DLP_API void dlp_sym_get_diagonal(const dlp_sym *A, double *d);
/* A + diag(d). */
DLP_API void dlp_sym_add_diagonal(dlp_sym *A, const double *d);
/* Sets everything off the diagonal to zero. */
DLP_API void dlp_sym_keep_diagonal(dlp_sym *A);
/* diag(s) A diag(s). */
DLP_API void dlp_sym_rescale(dlp_sym *A, const double *s);
/* Tr{A B}, both of one shape. */
DLP_API double dlp_sym_trace(const dlp_sym *A, const dlp_sym *B);
/* All entries, into out (n, n). */
DLP_API void dlp_sym_to_dense(const dlp_sym *A, double *out);

/* A positive definite matrix P, factored as Cholesky does it. (A factor is always this in
   sym.h; the categorical variables of design.h are factors in the other sense.) */
typedef struct dlp_factor dlp_factor;

/* DLP_EINVAL for an impossible shape, DLP_ENOMEM; *F is then NULL. */
DLP_API dlp_status dlp_factor_alloc(dlp_shape shape, dlp_factor **F, dlp_error *error);
DLP_API void dlp_factor_free(dlp_factor *F); /* NULL is fine */

/* Factors P. Returns -1, or where it failed: the first coordinate (for DLP_LOW_RANK's
   inner part, the one it weighs most) at which P is not positive definite; NaN counts as
   failure. Only the upper triangles of blocks are read. DLP_LOW_RANK needs d > 0, and a
   low-rank part that exceeds d no more than 1e12 times (the inverse would have no digits
   left): choose C so that d carries the positive part. */
DLP_API dlp_index dlp_factor_compute(dlp_factor *F, const dlp_sym *P);
/* What follows needs a factorisation that succeeded. b := P^-1 b. */
DLP_API void dlp_factor_solve(const dlp_factor *F, double *b);
/* log |P|. */
DLP_API double dlp_factor_log_det(const dlp_factor *F);
/* Sigma = P^-1, in P's shape. */
DLP_API void dlp_factor_inverse(const dlp_factor *F, dlp_sym *Sigma);
/* z := R z with R R' = P^-1: turns z ~ N(0, I) into a draw from N(0, P^-1). */
DLP_API void dlp_factor_draw(const dlp_factor *F, double *z);
/* z := R^-1 z, the other way: turns theta - mu, theta ~ N(mu, P^-1), into N(0, I). */
DLP_API void dlp_factor_whiten(const dlp_factor *F, double *z);
/* z := L z with L = R'^-1, so that L L' = P: turns z ~ N(0, I) into a draw from N(0, P).
   Of blocks L is their Cholesky factor, lower triangular. */
DLP_API void dlp_factor_multiply_root(const dlp_factor *F, double *z);

#ifdef __cplusplus
}
#endif

#endif

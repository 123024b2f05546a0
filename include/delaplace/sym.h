/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Symmetric matrices with a structure: Hessians, precisions, covariances.
 *
 * A model declares the structure of its Hessian once (dlp_shape) and fills in values of
 * that shape, and a fit costs what the structure costs:
 *
 *     dense                    O(n^3)
 *     blocks of size b         O(n b^2)
 *     diagonal plus rank r     O(n r^2)
 *     a band of width b        O(n b^2)       AR(b), random walks, splines
 *     blocks and a border m    O(n (b+m)^2)   groups and what they share
 *     sparse                   what elimination fills in (dlp_pattern_cost)
 *
 * Dense is one block. The inverse of the first three has the structure of the matrix. The
 * inverse of the others is full, but a fit needs Sigma only for Tr{H Sigma} and its
 * gradient, and so only where H has entries. Sigma therefore holds its exact entries on
 * the pattern and no others: those read as 0 although they are not zero.
 * dlp_cholesky_solve, or dlp_fit_apply_sigma, multiplies by all of it.
 *
 * Values and factorisations belong to one thread at a time. After allocation nothing here
 * allocates or fails.
 */
#ifndef DELAPLACE_SYM_H
#define DELAPLACE_SYM_H

#include <delaplace/export.h>
#include <delaplace/pattern.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_structure {
    DLP_BLOCKS,   /* dense blocks along the diagonal; one block: a dense matrix */
    DLP_LOW_RANK, /* diag(d) + U' C U with U (r, n) and C (r, r) symmetric */
    DLP_BAND,     /* entries (i, j) with |i - j| <= bandwidth */
    DLP_BORDERED, /* blocks, followed by full rows and columns: an arrow */
    DLP_SPARSE    /* the entries of a pattern */
} dlp_structure;

typedef struct dlp_shape {
    dlp_structure structure;
    dlp_index n;            /* the matrix is n by n */
    dlp_index rank;         /* DLP_LOW_RANK: r, 0 for a diagonal matrix */
    dlp_index n_blocks;     /* DLP_BLOCKS and DLP_BORDERED: how many */
    const dlp_index *block; /* their sizes, adding up to n, or to n minus the border; the
                               array must outlive the shape. NULL: one block */
    dlp_index bandwidth;    /* DLP_BAND: 0 for a diagonal matrix, at most n-1 */
    dlp_index border;       /* DLP_BORDERED: rows and columns after the blocks */
    const dlp_pattern *pattern; /* DLP_SPARSE: must outlive the shape */
} dlp_shape;

DLP_API dlp_shape dlp_shape_dense(dlp_index n);
DLP_API dlp_shape dlp_shape_low_rank(dlp_index n, dlp_index rank);
DLP_API dlp_shape dlp_shape_blocks(dlp_index n_blocks, const dlp_index *block);
DLP_API dlp_shape dlp_shape_band(dlp_index n, dlp_index bandwidth);
DLP_API dlp_shape dlp_shape_bordered(dlp_index n_blocks, const dlp_index *block,
                                     dlp_index border);
DLP_API dlp_shape dlp_shape_sparse(const dlp_pattern *pattern);

/* A matrix of some shape. */
typedef struct dlp_sym {
    dlp_shape shape;
    double *a; /* DLP_BLOCKS: the blocks (b, b) one after another, each whole and
                  row-major. DLP_LOW_RANK: d (n), then C (r, r), then U (r, n).
                  DLP_BAND: (n, bandwidth + 1), in row i the entries (i, i), (i, i+1), ...,
                  (i, i + bandwidth); those beyond column n-1 do not count.
                  DLP_BORDERED: the blocks, then the border (n - m, m) beside them, then
                  the corner (m, m) below it. DLP_SPARSE: in the order of the pattern. */
    void *own; /* for the library's use */
} dlp_sym;

/* A matrix of zeros, released by dlp_sym_free. DLP_EINVAL for an impossible shape,
   DLP_ENOMEM; *A is then zeroed, too. */
DLP_API dlp_status dlp_sym_alloc(dlp_shape shape, dlp_sym *A, dlp_error *error);
DLP_API void dlp_sym_free(dlp_sym *A); /* fine on a zeroed or failed one */

/* The parts to fill. DLP_BLOCKS and DLP_BORDERED: block k, (b, b) row-major, both
   triangles; O(1). */
DLP_API double *dlp_sym_block(const dlp_sym *A, dlp_index k);
/* DLP_BORDERED: row i < n - m of the border, (n - m, m), holds the entries (i, n - m) to
   (i, n - 1); the corner is (m, m), both triangles. O(1). */
DLP_API double *dlp_sym_border(const dlp_sym *A);
DLP_API double *dlp_sym_corner(const dlp_sym *A);
/* DLP_LOW_RANK: d (n), C (r, r) row-major and symmetric, U (r, n) row-major. */
DLP_API double *dlp_sym_diag(const dlp_sym *A);
DLP_API double *dlp_sym_core(const dlp_sym *A);
DLP_API double *dlp_sym_low_rank(const dlp_sym *A);

DLP_API void dlp_sym_set_zero(dlp_sym *A);
DLP_API void dlp_sym_set_identity(dlp_sym *A);
DLP_API void dlp_sym_copy(const dlp_sym *A, dlp_sym *to); /* same shape */
DLP_API void dlp_sym_negate(dlp_sym *A);
/* y = A x; x and y (n) do not overlap. */
DLP_API void dlp_sym_multiply(const dlp_sym *A, const double *x, double *y);
/* x'A x; costs as much as a product. */
DLP_API double dlp_sym_quadratic(const dlp_sym *A, const double *x);
/* The entry of row i and column j, from 0; one outside the structure is 0. O(log n_blocks),
   O(r^2), O(1) or O(log of the row's length). */
DLP_API double dlp_sym_entry(const dlp_sym *A, dlp_index i, dlp_index j);
/* The diagonal of A, into d (n). */
DLP_API void dlp_sym_get_diagonal(const dlp_sym *A, double *d);
/* A + diag(d). */
DLP_API void dlp_sym_add_diagonal(dlp_sym *A, const double *d);
/* Sets everything off the diagonal to zero. */
DLP_API void dlp_sym_keep_diagonal(dlp_sym *A);
/* diag(s) A diag(s). */
DLP_API void dlp_sym_rescale(dlp_sym *A, const double *s);
/* Tr{A B}; both have the same shape. */
DLP_API double dlp_sym_trace(const dlp_sym *A, const dlp_sym *B);
/* All entries, into out (n, n). */
DLP_API void dlp_sym_to_dense(const dlp_sym *A, double *out);

/* The Cholesky factorisation of a positive definite matrix P. */
typedef struct dlp_cholesky dlp_cholesky;

/* DLP_EINVAL for an impossible shape, DLP_ENOMEM; *F is then NULL. */
DLP_API dlp_status dlp_cholesky_alloc(dlp_shape shape, dlp_cholesky **F,
                                      dlp_error *error);
DLP_API void dlp_cholesky_free(dlp_cholesky *F); /* NULL is fine */

/* Factorises P. Returns -1, or the first coordinate at which P is not positive definite (for
   DLP_LOW_RANK's inner part, the one it weighs most; for DLP_SPARSE, the first in the
   order of elimination); NaN counts as failure. Only the upper triangles of blocks are
   read. DLP_LOW_RANK needs d > 0, and a low-rank part no larger than 1e12 times d (else
   the inverse would have no correct digits): choose C so that d carries the positive
   part. */
DLP_API dlp_index dlp_cholesky_compute(dlp_cholesky *F, const dlp_sym *P);
/* b := P^-1 b. This and what follows need a successful factorisation. */
DLP_API void dlp_cholesky_solve(const dlp_cholesky *F, double *b);
/* log |P|. */
DLP_API double dlp_cholesky_log_det(const dlp_cholesky *F);
/* Sigma = P^-1, in P's shape; for DLP_BAND, DLP_BORDERED and DLP_SPARSE only the entries
   of the shape (Takahashi's recursion). */
DLP_API void dlp_cholesky_inverse(const dlp_cholesky *F, dlp_sym *Sigma);
/* z := R z with R R' = P^-1: turns z ~ N(0, I) into a draw from N(0, P^-1). */
DLP_API void dlp_cholesky_draw(const dlp_cholesky *F, double *z);
/* z := R^-1 z, the inverse: turns theta - mu, theta ~ N(mu, P^-1), into a draw from N(0,
   I). */
DLP_API void dlp_cholesky_whiten(const dlp_cholesky *F, double *z);
/* z := L z with L = R'^-1, so that L L' = P: turns z ~ N(0, I) into a draw from N(0, P).
   For blocks and bands L is lower triangular. */
DLP_API void dlp_cholesky_multiply_root(const dlp_cholesky *F, double *z);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pattern of a sparse symmetric matrix: which entries may differ from zero, and the
 * fill-in of its Cholesky factorisation.
 *
 * A pattern is analysed once, when it is made: the order of elimination (AMD's: Amestoy,
 * Davis & Duff, SIAM J. Matrix Anal. Appl. 17, 1996; dense rows come last), the
 * elimination tree, and columns of equal structure gathered into dense supernodes. After that
 * it does not change, and serves any number of matrices and factorisations, in any number of
 * threads:
 *
 *     dlp_pattern *pattern = NULL;
 *     if (dlp_pattern_from_sum(n, summands, start, column, &pattern, &error) == DLP_OK) {
 *         model.shape = dlp_shape_sparse(pattern);
 *         // in f: dlp_sym_set_zero(hess);
 *         //       hess->a[dlp_pattern_find(pattern, i, j)] += ...
 *     }
 *     dlp_pattern_free(pattern);  // after all that has its shape
 */
#ifndef DELAPLACE_PATTERN_H
#define DELAPLACE_PATTERN_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_pattern dlp_pattern;

/*
 * From the upper triangle, row by row: row i has the columns column[start[i]] to
 * column[start[i+1]-1], i itself first, the others ascending. start is (n+1), from 0, and
 * column (start[n]); both are copied. DLP_EINVAL, with the row, if they are not;
 * DLP_ENOMEM. n and the number of entries must be below 2^31.
 */
DLP_API dlp_status dlp_pattern_alloc(dlp_index n, const dlp_index *start,
                                     const int32_t *column, dlp_pattern **pattern,
                                     dlp_error *error);
/*
 * From a sum, sum_s g_s(theta), as log densities are: g_s depends on the coordinates
 * column[start[s]] to column[start[s+1]-1], in any order, repeats allowed. Two coordinates
 * of the same summand are an entry of the Hessian; the diagonal is always included. start
 * is (n_summands+1). O(sum of squared lengths).
 */
DLP_API dlp_status dlp_pattern_from_sum(dlp_index n, dlp_index n_summands,
                                        const dlp_index *start, const int32_t *column,
                                        dlp_pattern **pattern, dlp_error *error);
DLP_API void dlp_pattern_free(dlp_pattern *pattern); /* NULL is fine */

/* The position of the entry of row i and column j in the values of a matrix (dlp_sym.a),
   the same for (i, j) and (j, i); -1 outside the pattern. O(log of the row's length). */
DLP_API dlp_index dlp_pattern_find(const dlp_pattern *pattern, dlp_index i, dlp_index j);

/* The upper triangle as dlp_pattern_alloc takes it: start (n+1) and column. The values of
   a matrix are in this order. Owned by the pattern. */
DLP_API const dlp_index *dlp_pattern_start(const dlp_pattern *pattern);
DLP_API const int32_t *dlp_pattern_column(const dlp_pattern *pattern);

/* The cost of a matrix of this pattern, and of its factorisation. */
typedef struct dlp_pattern_cost {
    dlp_index n;
    dlp_index entries;          /* stored in a matrix: its upper triangle */
    dlp_index cholesky_entries; /* of L, including fill-in */
    dlp_index stored; /* doubles in a factorisation, including the zeros in its supernodes
                         and work space */
    dlp_index supernodes; /* into which the columns of L are gathered */
    double flops;         /* additions and multiplications in a factorisation */
} dlp_pattern_cost;
DLP_API dlp_pattern_cost dlp_pattern_cost_of(const dlp_pattern *pattern);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The loops over rows and nodes of a leaf. Matrices are (n, count): row after row, and
 * within a row node after node. Internal to leaf_nodes.c.
 */
#ifndef DLPI_MIXED_LEAF_KERNELS_H
#define DLPI_MIXED_LEAF_KERNELS_H

#include <delaplace/status.h>
#include <stdint.h>

/* eta_rk = eta0_r + z_r'node_k, with nodes (q, count), and y_rk = y_r. */
void dlpi_leaf_spread(dlp_index n, dlp_index q, dlp_index count, const double *y0,
                      const double *eta0, const double *Z, const double *node, double *y,
                      double *eta);
/* total_k += sum_r l_rk */
void dlpi_leaf_add_up(dlp_index n, dlp_index count, const double *l, double *total);
/* E_r += sum_k omega_k l_rk, for two matrices. */
void dlpi_leaf_average(dlp_index n, dlp_index count, const double *omega,
                       const double *l_e, const double *l_ee, double *E_e, double *E_ee);
/* to (p, stride): row j += sum_r X_rj l_r, where X has p columns; their zeros are
   skipped. */
void dlpi_leaf_multiply(dlp_index n, dlp_index p, dlp_index count, const double *X,
                        const double *l, dlp_index stride, double *to);

/* A (m, m), the upper triangle, -= sum_k w_k d_k d_k' of D (count, m); room (count, m). */
void dlpi_leaf_subtract_squares(dlp_index m, dlp_index count, const double *w,
                                const double *D, double *room, double *A);

/* How rows depend on effects that are not the leaf's: n_other blocks of q[o] effects,
   from slot on. */
typedef struct dlpi_leaf_others {
    dlp_index n_other, width;
    const dlp_index *q;  /* (n_other) */
    const int32_t *slot; /* (n, n_other) */
    const double *O;     /* (n, width) */
} dlpi_leaf_others;
/* to (support, stride): row slot + j += O l_r */
void dlpi_leaf_scatter(dlp_index n, dlp_index count, const dlpi_leaf_others *others,
                       const double *l, dlp_index stride, double *to);

#endif

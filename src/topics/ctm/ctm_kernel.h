/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inner loops of the correlated topic model. Rows of beta, and vectors over topics,
 * are padded with zeros to a multiple of 8 doubles (`stride`), so that the loops have no
 * tail and every vector unit gives the same bits. Internal.
 */
#ifndef DLPI_TOPICS_CTM_KERNEL_H
#define DLPI_TOPICS_CTM_KERNEL_H

#include <delaplace/status.h>
#include <stdint.h>

enum { DLPI_CTM_LANES = 8 };

static inline dlp_index dlpi_ctm_stride(dlp_index K)
{
    return (K + DLPI_CTM_LANES - 1) / DLPI_CTM_LANES * DLPI_CTM_LANES;
}

/* For each of the n rows b_w = beta + row[w] stride: s_w = e'b_w into s (n), and
   tally (stride) = sum_w c_w b_w / s_w. */
void dlpi_ctm_words(dlp_index stride, dlp_index n, const int32_t *row, const double *c,
                    const double *beta, const double *e, double *s, double *tally);
/* sum_w c_w log s_w; s > 0. logs (n) is overwritten. */
double dlpi_ctm_log_sum(dlp_index n, const double *c, const double *s, double *logs);
/* A (K, K) upper triangle += sum_w weight_w b_w b_w'. */
void dlpi_ctm_outer(dlp_index K, dlp_index stride, dlp_index n, const int32_t *row,
                    const double *weight, const double *beta, double *A);
/* The sum alone, over some topics: A (p, p), upper triangle and more, p = their stride.
   packed (n, p) is overwritten. */
void dlpi_ctm_outer_active(dlp_index n_active, const int32_t *active, dlp_index stride,
                           dlp_index n, const int32_t *row, const double *weight,
                           const double *beta, double *packed, double *A);
/* With s_w = e'b_w, and x_w the part of b_w over some topics, t (stride) =
   sum_w c_w (2 x_w'B x_w / s_w^2 - v'b_w / s_w) b_w / s_w. B (p, p) is upper triangular, p the
   stride of these topics, and zero beyond them; packed (4, p) is overwritten. */
void dlpi_ctm_bend(dlp_index n_active, const int32_t *active, dlp_index stride,
                   dlp_index n, const int32_t *row, const double *c, const double *beta,
                   const double *B, const double *v, const double *e, double *packed,
                   double *t);
/* M (n, n) := R M R', its upper triangle, for an upper triangular R (n, n) and a symmetric
   M. X (n, n) and the lower triangle of R are overwritten. */
void dlpi_ctm_congruence(dlp_index n, double *R, double *X, double *M);
/* A (K, K) = P + N (diag pi - pi pi'), with P (K, stride). */
void dlpi_ctm_add_softmax(dlp_index K, dlp_index stride, const double *P, double N,
                          const double *pi, double *A);
/* y (K) = P x, with P (K, stride) and x (stride). */
void dlpi_ctm_multiply(dlp_index K, dlp_index stride, const double *P, const double *x,
                       double *y);
/* y (stride) = W'W v, for a lower triangular W (K, stride); v is (stride). */
void dlpi_ctm_apply_factor(dlp_index K, dlp_index stride, const double *W,
                           const double *v, double *y);
/* counts (stride) += sum over documents d of count_d (e_d * b) / (e_d'b): how often a
   term with the row b of beta is expected in each topic. e has a row for each document,
   starting with document `first`. */
void dlpi_ctm_term(dlp_index stride, dlp_index n, const int32_t *document,
                   const int32_t *count, dlp_index first, const double *e,
                   const double *b, double *counts);

#endif

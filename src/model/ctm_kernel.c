/* SPDX-License-Identifier: BSD-3-Clause */
#include "model/ctm_kernel.h"

#include "math/dense.h"
#include "math/elementary.h"

#include <string.h>

enum { LANES = DLPI_CTM_LANES };

/* x'y, both padded: as many partial sums as lanes, added up in one fixed shape. */
DLPI_INLINE double padded_dot(dlp_index stride, const double *restrict x,
                              const double *restrict y)
{
    double s[LANES] = {0};
    for (dlp_index k = 0; k < stride; k += LANES)
        DLPI_SIMD() for (int j = 0; j < LANES; j++) s[j] += x[k + j] * y[k + j];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Four rows a pass: tally is loaded and stored once for four multiply-adds, and four
   divisions overlap. */
DLPI_CLONES
static void words(dlp_index stride, dlp_index n, const int32_t *row, const double *c,
                  const double *beta, const double *restrict e, double *restrict s,
                  double *restrict tally)
{
    memset(tally, 0, (size_t)stride * sizeof *tally);
    dlp_index w = 0;
    for (; w + 4 <= n; w += 4) {
        const double *restrict b0 = beta + row[w] * stride;
        const double *restrict b1 = beta + row[w + 1] * stride;
        const double *restrict b2 = beta + row[w + 2] * stride;
        const double *restrict b3 = beta + row[w + 3] * stride;
        s[w] = padded_dot(stride, e, b0);
        s[w + 1] = padded_dot(stride, e, b1);
        s[w + 2] = padded_dot(stride, e, b2);
        s[w + 3] = padded_dot(stride, e, b3);
        const double r0 = c[w] / s[w], r1 = c[w + 1] / s[w + 1];
        const double r2 = c[w + 2] / s[w + 2], r3 = c[w + 3] / s[w + 3];
        DLPI_SIMD()
        for (dlp_index k = 0; k < stride; k++)
            tally[k] += (r0 * b0[k] + r1 * b1[k]) + (r2 * b2[k] + r3 * b3[k]);
    }
    for (; w < n; w++) {
        const double *restrict b = beta + row[w] * stride;
        s[w] = padded_dot(stride, e, b);
        const double r = c[w] / s[w];
        DLPI_SIMD() for (dlp_index k = 0; k < stride; k++) tally[k] += r * b[k];
    }
}

void dlpi_ctm_words(dlp_index stride, dlp_index n, const int32_t *row, const double *c,
                    const double *beta, const double *e, double *s, double *tally)
{
    words(stride, n, row, c, beta, e, s, tally);
}

DLPI_CLONES
static void log_all(dlp_index n, const double *x, double *y)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) y[i] = dlpi_log_positive(x[i]);
}

double dlpi_ctm_log_sum(dlp_index n, const double *c, const double *s, double *logs)
{
    log_all(n, s, logs);
    return dlpi_dot(n, c, logs);
}

/* A[i, i:] += sum over four rows b of r b_i b[i:], r their weights */
DLPI_INLINE void add_four_outer(dlp_index K, const double *r, const double *restrict b0,
                                const double *restrict b1, const double *restrict b2,
                                const double *restrict b3, double *restrict A)
{
    for (dlp_index i = 0; i < K; i++) {
        double *restrict a = A + i * K;
        const double r0 = r[0] * b0[i], r1 = r[1] * b1[i];
        const double r2 = r[2] * b2[i], r3 = r[3] * b3[i];
        DLPI_SIMD()
        for (dlp_index j = i; j < K; j++)
            a[j] += (r0 * b0[j] + r1 * b1[j]) + (r2 * b2[j] + r3 * b3[j]);
    }
}

DLPI_INLINE void add_outer(dlp_index K, double r, const double *restrict b,
                           double *restrict A)
{
    for (dlp_index i = 0; i < K; i++) {
        double *restrict a = A + i * K;
        const double r_i = r * b[i];
        DLPI_SIMD()
        for (dlp_index j = i; j < K; j++) a[j] += r_i * b[j];
    }
}

DLPI_CLONES
static void outer(dlp_index K, dlp_index stride, dlp_index n, const int32_t *row,
                  const double *weight, const double *beta, double *restrict A)
{
    dlp_index w = 0;
    for (; w + 4 <= n; w += 4)
        add_four_outer(K, weight + w, beta + row[w] * stride, beta + row[w + 1] * stride,
                       beta + row[w + 2] * stride, beta + row[w + 3] * stride, A);
    for (; w < n; w++) add_outer(K, weight[w], beta + row[w] * stride, A);
}

void dlpi_ctm_outer(dlp_index K, dlp_index stride, dlp_index n, const int32_t *row,
                    const double *weight, const double *beta, double *A)
{
    outer(K, stride, n, row, weight, beta, A);
}

/* A row of beta at the active topics, with zeros up to the next whole vector */
DLPI_INLINE void gather(dlp_index n, dlp_index padded, const int32_t *index,
                        const double *from, double *to)
{
    for (dlp_index i = 0; i < n; i++) to[i] = from[index[i]];
    for (dlp_index i = n; i < padded; i++) to[i] = 0;
}

/* Rows of A are padded too, and each begins at a whole vector at or before the diagonal:
   short loops would otherwise go to their tails. */
DLPI_CLONES
static void outer_active(dlp_index m, const int32_t *active, dlp_index stride,
                         dlp_index n, const int32_t *row, const double *weight,
                         const double *beta, double *restrict rows, double *restrict A)
{
    const dlp_index p = dlpi_ctm_stride(m);
    for (dlp_index w = 0; w < n; w += 4) {
        for (int t = 0; t < 4; t++) {
            const double r = w + t < n ? weight[w + t] : 0;
            const double *b = beta + row[w + t < n ? w + t : w] * stride;
            gather(m, p, active, b, rows + t * p);
            DLPI_SIMD()
            for (dlp_index j = 0; j < p; j++) rows[(4 + t) * p + j] = r * rows[t * p + j];
        }
        const double *restrict b0 = rows, *restrict b1 = b0 + p, *restrict b2 = b1 + p,
                               *restrict b3 = b2 + p;
        for (dlp_index i = 0; i < m; i++) {
            double *restrict a = A + i * p;
            const double r0 = rows[4 * p + i], r1 = rows[5 * p + i];
            const double r2 = rows[6 * p + i], r3 = rows[7 * p + i];
            for (dlp_index j = i / LANES * LANES; j < p; j += LANES) DLPI_SIMD()
            for (int l = 0; l < LANES; l++)
                a[j + l] +=
                    (r0 * b0[j + l] + r1 * b1[j + l]) + (r2 * b2[j + l] + r3 * b3[j + l]);
        }
    }
}

void dlpi_ctm_outer_active(dlp_index n_active, const int32_t *active, dlp_index stride,
                           dlp_index n, const int32_t *row, const double *weight,
                           const double *beta, double *rows, double *A)
{
    outer_active(n_active, active, stride, n, row, weight, beta, rows, A);
}

DLPI_INLINE void add_scaled(dlp_index n, double r, const double *restrict x,
                            double *restrict y)
{
    DLPI_SIMD()
    for (dlp_index j = 0; j < n; j++) y[j] += r * x[j];
}

/* X = R M, then M = X R', both by adding rows: those of R' are R mirrored below its
   diagonal. */
DLPI_CLONES
static void congruence(dlp_index n, double *restrict R, double *restrict X,
                       double *restrict M)
{
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < i; j++) R[i * n + j] = R[j * n + i];
    memset(X, 0, (size_t)(n * n) * sizeof *X);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = i; k < n; k++)
            add_scaled(n, R[i * n + k], M + k * n, X + i * n);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = i; k < n; k++)
            add_scaled(k + 1 - i, X[i * n + k], R + k * n + i, M + i * n + i);
}

void dlpi_ctm_congruence(dlp_index n, double *R, double *X, double *M)
{
    congruence(n, R, X, M);
}

DLPI_CLONES
static void add_softmax(dlp_index K, dlp_index stride, const double *P, double N,
                        const double *restrict pi, double *restrict A)
{
    for (dlp_index i = 0; i < K; i++) {
        const double *restrict row = P + i * stride;
        const double n_i = N * pi[i];
        DLPI_SIMD()
        for (dlp_index j = 0; j < K; j++) A[i * K + j] = row[j] - n_i * pi[j];
        A[i * K + i] += n_i;
    }
}

void dlpi_ctm_add_softmax(dlp_index K, dlp_index stride, const double *P, double N,
                          const double *pi, double *A)
{
    add_softmax(K, stride, P, N, pi, A);
}

DLPI_CLONES
static void multiply(dlp_index K, dlp_index stride, const double *P, const double *x,
                     double *y)
{
    for (dlp_index i = 0; i < K; i++) y[i] = padded_dot(stride, P + i * stride, x);
}

void dlpi_ctm_multiply(dlp_index K, dlp_index stride, const double *P, const double *x,
                       double *y)
{
    multiply(K, stride, P, x, y);
}

/* counts = b * sum_d (count_d / e_d'b) e_d, four documents a pass as above */
DLPI_CLONES
static void term(dlp_index stride, dlp_index n, const int32_t *document,
                 const int32_t *count, dlp_index first, const double *e,
                 const double *restrict b, double *restrict counts)
{
    dlp_index d = 0;
    for (; d + 4 <= n; d += 4) {
        const double *restrict e0 = e + (document[d] - first) * stride;
        const double *restrict e1 = e + (document[d + 1] - first) * stride;
        const double *restrict e2 = e + (document[d + 2] - first) * stride;
        const double *restrict e3 = e + (document[d + 3] - first) * stride;
        const double r0 = count[d] / padded_dot(stride, e0, b);
        const double r1 = count[d + 1] / padded_dot(stride, e1, b);
        const double r2 = count[d + 2] / padded_dot(stride, e2, b);
        const double r3 = count[d + 3] / padded_dot(stride, e3, b);
        DLPI_SIMD()
        for (dlp_index k = 0; k < stride; k++)
            counts[k] += b[k] * ((r0 * e0[k] + r1 * e1[k]) + (r2 * e2[k] + r3 * e3[k]));
    }
    for (; d < n; d++) {
        const double *restrict e0 = e + (document[d] - first) * stride;
        const double r = count[d] / padded_dot(stride, e0, b);
        DLPI_SIMD()
        for (dlp_index k = 0; k < stride; k++) counts[k] += b[k] * (r * e0[k]);
    }
}

void dlpi_ctm_term(dlp_index stride, dlp_index n, const int32_t *document,
                   const int32_t *count, dlp_index first, const double *e,
                   const double *b, double *counts)
{
    term(stride, n, document, count, first, e, b, counts);
}

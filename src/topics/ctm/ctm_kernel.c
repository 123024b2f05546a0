/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/ctm/ctm_kernel.h"

#include "math/dense.h"
#include "math/special/elementary.h"
#include "topics/ctm/ctm_rows.h"

#include <math.h>
#include <string.h>

/* For AddressSanitizer (math/clones.h): rows of a matrix, by number. */
static void read_rows(dlp_index n, const int32_t *row, dlp_index first, dlp_index stride,
                      const double *A)
{
#ifdef DLPI_CHECK_RANGES
    DLPI_READS(row, n);
    for (dlp_index i = 0; i < n; i++) DLPI_READS(A + (row[i] - first) * stride, stride);
#else
    (void)n, (void)row, (void)first, (void)stride, (void)A;
#endif
}

DLPI_CLONES
static void words(dlp_index stride, dlp_index n, const int32_t *row, const double *c,
                  const double *beta, const double *restrict e, double *restrict s,
                  double *restrict tally)
{
    memset(tally, 0, (size_t)stride * sizeof *tally);
    dlp_index w = 0;
    for (; w + 4 <= n; w += 4) {
        const double *const b[4] = {beta + row[w] * stride, beta + row[w + 1] * stride,
                                    beta + row[w + 2] * stride,
                                    beta + row[w + 3] * stride};
        const four s_w = four_dots(stride, e, b);
        const four r = *(const four *)(c + w) / s_w;
        *(four *)(s + w) = s_w;
        add_four(stride, r, b, tally);
    }
    for (; w < n; w++) {
        const double *restrict b = beta + row[w] * stride;
        s[w] = one_dot(stride, e, b);
        add_one(stride, c[w] / s[w], b, tally);
    }
}

void dlpi_ctm_words(dlp_index stride, dlp_index n, const int32_t *row, const double *c,
                    const double *beta, const double *e, double *s, double *tally)
{
    read_rows(n, row, 0, stride, beta);
    DLPI_READS(c, n);
    DLPI_READS(e, stride);
    DLPI_WRITES(s, n);
    DLPI_WRITES(tally, stride);
    words(stride, n, row, c, beta, e, s, tally);
}

DLPI_CLONES
static void log_all(dlp_index n, const double *x, double *y)
{
    DLPI_SIMD() for (dlp_index i = 0; i < n; i++) y[i] = dlpi_log_positive(x[i]);
}

double dlpi_ctm_log_sum(dlp_index n, const double *c, const double *s, double *logs)
{
    DLPI_READS(s, n);
    DLPI_WRITES(logs, n);
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
    read_rows(n, row, 0, stride, beta);
    DLPI_READS(weight, n);
    DLPI_WRITES(A, K * K);
    outer(K, stride, n, row, weight, beta, A);
}

/* Rows of beta at the active topics, each times sqrt(weight), with zeros up to the next
   whole vector: packed (n, p). */
DLPI_INLINE void pack(dlp_index m, const int32_t *active, dlp_index p, dlp_index stride,
                      dlp_index n, const int32_t *row, const double *weight,
                      const double *beta, double *restrict packed)
{
    for (dlp_index w = 0; w < n; w++) {
        const double *restrict b = beta + row[w] * stride, root = sqrt(weight[w]);
        double *restrict to = packed + w * p;
        for (dlp_index i = 0; i < m; i++) to[i] = root * b[active[i]];
        for (dlp_index i = m; i < p; i++) to[i] = 0;
    }
}

/* A tile of X'Y that stays in registers: four rows, and as many columns as lanes. X and Y
   are columns of matrices (n, p), the rows of A are p apart. */
DLPI_INLINE void multiply_tile(dlp_index n, dlp_index p, const double *restrict X,
                               const double *restrict Y, double *restrict A)
{
    double a0[LANES] = {0}, a1[LANES] = {0}, a2[LANES] = {0}, a3[LANES] = {0};
    for (dlp_index w = 0; w < n; w++, X += p, Y += p) {
        DLPI_SIMD()
        for (int l = 0; l < LANES; l++) {
            a0[l] += X[0] * Y[l];
            a1[l] += X[1] * Y[l];
            a2[l] += X[2] * Y[l];
            a3[l] += X[3] * Y[l];
        }
    }
    for (int l = 0; l < LANES; l++) {
        A[l] = a0[l];
        A[p + l] = a1[l];
        A[2 * p + l] = a2[l];
        A[3 * p + l] = a3[l];
    }
}

DLPI_CLONES
static void outer_active(dlp_index m, const int32_t *active, dlp_index stride,
                         dlp_index n, const int32_t *row, const double *weight,
                         const double *beta, double *restrict packed, double *restrict A)
{
    const dlp_index p = dlpi_ctm_stride(m);
    pack(m, active, p, stride, n, row, weight, beta, packed);
    for (dlp_index i = 0; i < m; i += 4)
        for (dlp_index j = i / LANES * LANES; j < p; j += LANES)
            multiply_tile(n, p, packed + i, packed + j, A + i * p + j);
}

void dlpi_ctm_outer_active(dlp_index n_active, const int32_t *active, dlp_index stride,
                           dlp_index n, const int32_t *row, const double *weight,
                           const double *beta, double *packed, double *A)
{
    read_rows(n, row, 0, stride, beta);
    DLPI_READS(active, n_active);
    DLPI_READS(weight, n);
    DLPI_WRITES(packed, n * dlpi_ctm_stride(n_active));
    DLPI_WRITES(A, (n_active + 3) / 4 * 4 * dlpi_ctm_stride(n_active));
    outer_active(n_active, active, stride, n, row, weight, beta, packed, A);
}

/* x_w'B x_w for the four rows x_w of `packed` (4, p), B (p, p) upper triangular: a column of
   vectors at a time, whose sums stay in registers. */
DLPI_INLINE four four_squares(dlp_index p, const double *restrict B,
                              const double *restrict packed)
{
    const double *const x0 = packed, *x1 = x0 + p, *x2 = x1 + p, *x3 = x2 + p;
    vector q0 = {0}, q1 = {0}, q2 = {0}, q3 = {0};
    for (dlp_index j = 0; j < p; j += LANES) {
        vector y0 = {0}, y1 = {0}, y2 = {0}, y3 = {0};
        for (dlp_index i = 0; i < j + LANES; i++) {
            const vector B_i = load(B + i * p + j);
            y0 += x0[i] * B_i;
            y1 += x1[i] * B_i;
            y2 += x2[i] * B_i;
            y3 += x3[i] * B_i;
        }
        q0 += y0 * load(x0 + j);
        q1 += y1 * load(x1 + j);
        q2 += y2 * load(x2 + j);
        q3 += y3 * load(x3 + j);
    }
    return sums_of(q0, q1, q2, q3);
}

/* Four words; if there are fewer, the first again, with count 0. */
DLPI_INLINE void bend_four(dlp_index m, const int32_t *active, dlp_index stride,
                           const double *const b[4], four c, const double *restrict B,
                           const double *restrict v, const double *restrict e,
                           double *restrict packed, double *restrict t)
{
    const dlp_index p = dlpi_ctm_stride(m);
    for (int w = 0; w < 4; w++)
        for (dlp_index i = 0; i < m; i++) packed[w * p + i] = b[w][active[i]];
    const four s = four_dots(stride, e, b), square = four_squares(p, B, packed);
    const four linear = four_dots(stride, v, b);
    add_four(stride, c / s * (2 * square / (s * s) - linear / s), b, t);
}

DLPI_CLONES
static void bend(dlp_index m, const int32_t *active, dlp_index stride, dlp_index n,
                 const int32_t *row, const double *c, const double *beta, const double *B,
                 const double *v, const double *e, double *packed, double *t)
{
    memset(t, 0, (size_t)stride * sizeof *t);
    memset(packed, 0, (size_t)(4 * dlpi_ctm_stride(m)) * sizeof *packed);
    for (dlp_index w = 0; w < n; w += 4) {
        const double *b[4];
        four count = {0};
        for (dlp_index i = 0; i < 4; i++) {
            b[i] = beta + row[w + i < n ? w + i : w] * stride;
            if (w + i < n) count[i] = c[w + i];
        }
        bend_four(m, active, stride, b, count, B, v, e, packed, t);
    }
}

void dlpi_ctm_bend(dlp_index n_active, const int32_t *active, dlp_index stride,
                   dlp_index n, const int32_t *row, const double *c, const double *beta,
                   const double *B, const double *v, const double *e, double *packed,
                   double *t)
{
    read_rows(n, row, 0, stride, beta);
    DLPI_READS(active, n_active);
    DLPI_READS(c, n);
    DLPI_READS(B, dlpi_ctm_stride(n_active) * dlpi_ctm_stride(n_active));
    DLPI_READS(v, stride);
    DLPI_READS(e, stride);
    DLPI_WRITES(packed, 4 * dlpi_ctm_stride(n_active));
    DLPI_WRITES(t, stride);
    bend(n_active, active, stride, n, row, c, beta, B, v, e, packed, t);
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
    DLPI_WRITES(R, n * n);
    DLPI_WRITES(X, n * n);
    DLPI_WRITES(M, n * n);
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
    DLPI_READS(P, (K - 1) * stride + K);
    DLPI_READS(pi, K);
    DLPI_WRITES(A, K * K);
    add_softmax(K, stride, P, N, pi, A);
}

DLPI_CLONES
static void multiply(dlp_index K, dlp_index stride, const double *P, const double *x,
                     double *y)
{
    dlp_index i = 0;
    for (; i + 4 <= K; i += 4) {
        const double *row = P + i * stride;
        const double *const rows[4] = {row, row + stride, row + 2 * stride,
                                       row + 3 * stride};
        *(four *)(y + i) = four_dots(stride, x, rows);
    }
    for (; i < K; i++) y[i] = one_dot(stride, x, P + i * stride);
}

void dlpi_ctm_multiply(dlp_index K, dlp_index stride, const double *P, const double *x,
                       double *y)
{
    DLPI_READS(P, K * stride);
    DLPI_READS(x, stride);
    DLPI_WRITES(y, K);
    multiply(K, stride, P, x, y);
}

/* y = sum_i (w_i'v) w_i over the rows of W, four per pass, up to the end of the last */
DLPI_CLONES
static void apply_factor(dlp_index K, dlp_index stride, const double *restrict W,
                         const double *restrict v, double *restrict y)
{
    memset(y, 0, (size_t)stride * sizeof *y);
    dlp_index i = 0;
    for (; i + 4 <= K; i += 4) {
        const double *const w[4] = {W + i * stride, W + (i + 1) * stride,
                                    W + (i + 2) * stride, W + (i + 3) * stride};
        const dlp_index end = dlpi_ctm_stride(i + 4);
        add_four(end, four_dots(end, v, w), w, y);
    }
    for (; i < K; i++) {
        const double *w = W + i * stride;
        add_one(stride, one_dot(stride, v, w), w, y);
    }
}

void dlpi_ctm_apply_factor(dlp_index K, dlp_index stride, const double *W,
                           const double *v, double *y)
{
    DLPI_READS(W, K * stride);
    DLPI_READS(v, stride);
    DLPI_WRITES(y, stride);
    apply_factor(K, stride, W, v, y);
}

/* counts = b * sum_d (count_d / e_d'b) e_d, four documents per pass as above */
DLPI_CLONES
static void term(dlp_index stride, dlp_index n, const int32_t *document,
                 const int32_t *count, dlp_index first, const double *e,
                 const double *restrict b, double *restrict counts)
{
    dlp_index d = 0;
    for (; d + 4 <= n; d += 4) {
        const double *const e_d[4] = {e + (document[d] - first) * stride,
                                      e + (document[d + 1] - first) * stride,
                                      e + (document[d + 2] - first) * stride,
                                      e + (document[d + 3] - first) * stride};
        const four c = {count[d], count[d + 1], count[d + 2], count[d + 3]};
        const four r = c / four_dots(stride, b, e_d);
        for (dlp_index k = 0; k < stride; k += LANES)
            *(vector *)(counts + k) +=
                load(b + k) * ((r[0] * load(e_d[0] + k) + r[1] * load(e_d[1] + k)) +
                               (r[2] * load(e_d[2] + k) + r[3] * load(e_d[3] + k)));
    }
    for (; d < n; d++) {
        const double *restrict e_d = e + (document[d] - first) * stride;
        const double r = count[d] / one_dot(stride, b, e_d);
        for (dlp_index k = 0; k < stride; k += LANES)
            *(vector *)(counts + k) += load(b + k) * (r * load(e_d + k));
    }
}

void dlpi_ctm_term(dlp_index stride, dlp_index n, const int32_t *document,
                   const int32_t *count, dlp_index first, const double *e,
                   const double *b, double *counts)
{
    read_rows(n, document, first, stride, e);
    DLPI_READS(count, n);
    DLPI_READS(b, stride);
    DLPI_WRITES(counts, stride);
    term(stride, n, document, count, first, e, b, counts);
}

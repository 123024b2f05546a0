/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/gemm.h"

#include "math/clones.h"

#include <string.h>

/* Tiles of C that fit into registers, and blocks of A that fit into the second-level
   cache. */
enum { MR = 4, NR = 8, KC = DLPI_GEMM_RUN, MC = 48 };

/* Half a row of a tile. */
typedef double four __attribute__((vector_size(32), aligned(32)));

/* tile (MR, NR) = sum_k a_k b_k', a packed MR and b NR at a time */
DLPI_INLINE void multiply(dlp_index run, const double *restrict a,
                          const double *restrict b, double *restrict tile)
{
    four c00 = {0}, c01 = {0}, c10 = {0}, c11 = {0};
    four c20 = {0}, c21 = {0}, c30 = {0}, c31 = {0};
    for (dlp_index k = 0; k < run; k++, a += MR, b += NR) {
        const four left = *(const four *)b, right = *(const four *)(b + 4);
        c00 += a[0] * left;
        c01 += a[0] * right;
        c10 += a[1] * left;
        c11 += a[1] * right;
        c20 += a[2] * left;
        c21 += a[2] * right;
        c30 += a[3] * left;
        c31 += a[3] * right;
    }
    four *out = (four *)tile;
    out[0] = c00, out[1] = c01, out[2] = c10, out[3] = c11;
    out[4] = c20, out[5] = c21, out[6] = c30, out[7] = c31;
}

/* Packs `count` lines of a matrix side by side, padded with zeros to `width`: line t,
   element k goes to out[k width + t]. */
DLPI_INLINE void pack(dlp_index width, dlp_index count, dlp_index run, const double *at,
                      dlp_index line, dlp_index along, double *restrict out)
{
    if (count == width && line == 1) {
        for (dlp_index k = 0; k < run; k++)
            memcpy(out + k * width, at + k * along, (size_t)width * sizeof *out);
        return;
    }
    for (dlp_index t = 0; t < width; t++)
        for (dlp_index k = 0; k < run; k++)
            out[k * width + t] = t < count ? at[t * line + k * along] : 0;
}

DLPI_INLINE dlp_index least(dlp_index a, dlp_index b)
{
    return a < b ? a : b;
}

DLPI_INLINE void add_tile(dlp_index rows, dlp_index columns, double alpha,
                          const double *tile, double *restrict C, dlp_index ldc)
{
    if (columns == NR) {
        for (dlp_index i = 0; i < rows; i++)
            for (int j = 0; j < NR; j++) C[i * ldc + j] += alpha * tile[i * NR + j];
        return;
    }
    for (dlp_index i = 0; i < rows; i++)
        for (dlp_index j = 0; j < columns; j++)
            C[i * ldc + j] += alpha * tile[i * NR + j];
}

/* Multiplies a packed block of rows of A by all of B. first: the first row of C. */
DLPI_INLINE void multiply_block(dlp_index first, dlp_index rows, dlp_index n,
                                dlp_index run, double alpha, const double *a,
                                dlpi_matrix B, double *C, dlp_index ldc, bool upper)
{
    _Alignas(64) double b[KC * NR], tile[MR * NR];
    for (dlp_index j = upper ? first / NR * NR : 0; j < n; j += NR) {
        const dlp_index columns = least(NR, n - j);
        pack(NR, columns, run, B.at + j * B.column, B.column, B.row, b);
        for (dlp_index i = 0; i < rows; i += MR) {
            if (upper && j + columns <= first + i) break;
            multiply(run, a + i * KC, b, tile);
            add_tile(least(MR, rows - i), columns, alpha, tile, C + (first + i) * ldc + j,
                     ldc);
        }
    }
}

DLPI_CLONES
static void gemm(dlp_index m, dlp_index n, dlp_index w, double alpha, dlpi_matrix A,
                 dlpi_matrix B, double *C, dlp_index ldc, bool upper)
{
    _Alignas(64) double a[MC * KC];
    for (dlp_index k = 0; k < w; k += KC) {
        const dlp_index run = least(KC, w - k);
        const dlpi_matrix part = {B.at + k * B.row, B.row, B.column};
        for (dlp_index i = 0; i < m; i += MC) {
            const dlp_index rows = least(MC, m - i);
            for (dlp_index t = 0; t < rows; t += MR)
                pack(MR, least(MR, rows - t), run, A.at + (i + t) * A.row + k * A.column,
                     A.row, A.column, a + t * KC);
            multiply_block(i, rows, n, run, alpha, a, part, C, ldc, upper);
        }
    }
}

void dlpi_gemm(dlp_index m, dlp_index n, dlp_index w, double alpha, dlpi_matrix A,
               dlpi_matrix B, double *C, dlp_index ldc, bool upper)
{
    gemm(m, n, w, alpha, A, B, C, ldc, upper);
}

/* ---- dot products ---- */

typedef double loose_four __attribute__((vector_size(32), aligned(8)));

DLPI_INLINE double sum_of(four s)
{
    return (s[0] + s[1]) + (s[2] + s[3]);
}

/* The remainder after the last whole four, from k on. */
DLPI_INLINE double rest_of(dlp_index k, dlp_index w, const double *x, const double *y)
{
    double rest = 0;
    for (; k < w; k++) rest += x[k] * y[k];
    return rest;
}

/* C += alpha x y' for one row x and one row y */
DLPI_INLINE void dot_one(dlp_index w, double alpha, const double *x, const double *y,
                         double *C)
{
    four s = {0};
    dlp_index k = 0;
    for (; k + 4 <= w; k += 4)
        s += *(const loose_four *)(x + k) * *(const loose_four *)(y + k);
    *C += alpha * (sum_of(s) + rest_of(k, w, x, y));
}

/* The same for four rows x and two rows y, which share their loads. */
DLPI_INLINE void dot_eight(dlp_index w, double alpha, const double *x, dlp_index ldx,
                           const double *y, dlp_index ldy, double *C, dlp_index ldc)
{
    const double *x1 = x + ldx, *x2 = x1 + ldx, *x3 = x2 + ldx, *y1 = y + ldy;
    four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
    dlp_index k = 0;
    for (; k + 4 <= w; k += 4) {
        const four a = *(const loose_four *)(y + k), b = *(const loose_four *)(y1 + k);
        const four p = *(const loose_four *)(x + k), q = *(const loose_four *)(x1 + k);
        const four u = *(const loose_four *)(x2 + k), v = *(const loose_four *)(x3 + k);
        s0 += p * a;
        t0 += p * b;
        s1 += q * a;
        t1 += q * b;
        s2 += u * a;
        t2 += u * b;
        s3 += v * a;
        t3 += v * b;
    }
    const four sums[2][4] = {{s0, s1, s2, s3}, {t0, t1, t2, t3}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++)
            C[i * ldc + j] +=
                alpha * (sum_of(sums[j][i]) + rest_of(k, w, x + i * ldx, y + j * ldy));
}

DLPI_CLONES
static void dots(dlp_index m, dlp_index n, dlp_index w, double alpha, const double *A,
                 dlp_index lda, const double *B, dlp_index ldb, double *C, dlp_index ldc,
                 bool upper)
{
    for (dlp_index i = 0; i < m; i += 4) {
        const dlp_index rows = least(4, m - i);
        dlp_index j = upper ? i : 0;
        for (; rows == 4 && j + 2 <= n; j += 2)
            dot_eight(w, alpha, A + i * lda, lda, B + j * ldb, ldb, C + i * ldc + j, ldc);
        for (; j < n; j++)
            for (dlp_index t = i; t < i + rows; t++)
                if (!upper || t <= j)
                    dot_one(w, alpha, A + t * lda, B + j * ldb, C + t * ldc + j);
    }
}

void dlpi_dots(dlp_index m, dlp_index n, dlp_index w, double alpha, const double *A,
               dlp_index lda, const double *B, dlp_index ldb, double *C, dlp_index ldc,
               bool upper)
{
    dots(m, n, w, alpha, A, lda, B, ldb, C, ldc, upper);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums over rows of as many doubles as DLPI_CTM_LANES, or several times that, four rows
 * at once: what is loaded of the other operand serves all four, and their sums over lanes
 * are done together. Each sum has one fixed shape, so that every vector unit gives the
 * same bits. For kernels with clones (math/clones.h). Internal.
 */
#ifndef DLPI_TOPICS_CTM_ROWS_H
#define DLPI_TOPICS_CTM_ROWS_H

#include "math/clones.h"
#include "topics/ctm/ctm_kernel.h"

enum { LANES = DLPI_CTM_LANES };

/* Vectors of doubles at any address; the compiler maps them to the machine's own. */
typedef double vector
    __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef double four
    __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

DLPI_INLINE four low_half(vector v)
{
    return __builtin_shufflevector(v, v, 0, 1, 2, 3);
}

DLPI_INLINE four high_half(vector v)
{
    return __builtin_shufflevector(v, v, 4, 5, 6, 7);
}

/* a0 + a1, b0 + b1, a2 + a3, b2 + b3 */
DLPI_INLINE four add_pairs(four a, four b)
{
    return __builtin_shufflevector(a, b, 0, 4, 2, 6) +
           __builtin_shufflevector(a, b, 1, 5, 3, 7);
}

/* The sums over the lanes of four vectors, each in the same fixed shape. */
DLPI_INLINE four sums_of(vector a, vector b, vector c, vector d)
{
    const four ab = add_pairs(low_half(a) + high_half(a), low_half(b) + high_half(b));
    const four cd = add_pairs(low_half(c) + high_half(c), low_half(d) + high_half(d));
    return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
           __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

DLPI_INLINE vector load(const double *x)
{
    return *(const vector *)x;
}

/* x'y_i for four y, all padded */
DLPI_INLINE four four_dots(dlp_index stride, const double *restrict x,
                           const double *const y[4])
{
    vector a = {0}, b = {0}, c = {0}, d = {0};
    for (dlp_index k = 0; k < stride; k += LANES) {
        const vector x_k = load(x + k);
        a += x_k * load(y[0] + k);
        b += x_k * load(y[1] + k);
        c += x_k * load(y[2] + k);
        d += x_k * load(y[3] + k);
    }
    return sums_of(a, b, c, d);
}

/* x'y, in the same shape */
DLPI_INLINE double one_dot(dlp_index stride, const double *restrict x,
                           const double *restrict y)
{
    const double *const all[4] = {y, y, y, y};
    return four_dots(stride, x, all)[0];
}

/* y += sum of c_i x_i over four rows x */
DLPI_INLINE void add_four(dlp_index stride, four c, const double *const x[4],
                          double *restrict y)
{
    for (dlp_index k = 0; k < stride; k += LANES)
        *(vector *)(y + k) += (c[0] * load(x[0] + k) + c[1] * load(x[1] + k)) +
                              (c[2] * load(x[2] + k) + c[3] * load(x[3] + k));
}

/* y += c x */
DLPI_INLINE void add_one(dlp_index stride, double c, const double *restrict x,
                         double *restrict y)
{
    for (dlp_index k = 0; k < stride; k += LANES) *(vector *)(y + k) += c * load(x + k);
}

#endif

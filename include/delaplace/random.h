/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror & Shaw,
 * "Parallel random numbers: as easy as 1, 2, 3", SC11). A draw depends on the
 * seed, the stream and the position in it, never on a thread or on what was
 * drawn elsewhere: give each document, group or replicate its own stream.
 */
#ifndef DELAPLACE_RANDOM_H
#define DELAPLACE_RANDOM_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Philox4x32-10: four words out of a 128-bit counter and a 64-bit key. */
DLP_API void dlp_philox(const uint32_t counter[4], const uint32_t key[2],
                        uint32_t out[4]);

/* A place in a stream. Plain data: copy it to fork, store it to resume. The seed is
   Philox's key; the stream is the upper half of its counter and position / 2 the lower;
   the first two words of each four serve an even position, the others an odd one. */
typedef struct dlp_rng {
    uint64_t seed;
    uint64_t stream;
    uint64_t position; /* how many 64-bit words of the stream have been used */
} dlp_rng;

DLP_API dlp_rng dlp_rng_at(uint64_t seed, uint64_t stream);

DLP_API uint64_t dlp_draw_bits(dlp_rng *rng);
/* Uniform on the open interval (0,1): never 0, never 1. */
DLP_API double dlp_draw_uniform(dlp_rng *rng);
/* N(0,1), one word of the stream a draw (by inversion). */
DLP_API double dlp_draw_normal(dlp_rng *rng);
/* Gamma(shape, 1), 0 < shape < inf, else NaN. May underflow to 0 for tiny shapes. */
DLP_API double dlp_draw_gamma(dlp_rng *rng, double shape);
/* log of a Gamma(shape, 1) draw: finite for any positive shape. */
DLP_API double dlp_draw_log_gamma(dlp_rng *rng, double shape);
/* Dirichlet(alpha): out (n) sums to 1, however small alpha is; all NaN if any alpha[i] is
   not positive and finite. */
DLP_API void dlp_draw_dirichlet(dlp_rng *rng, dlp_index n, const double *alpha,
                                double *out);
/* An index in 0..n-1 with probability proportional to weight[i] >= 0; -1 when the
   weights are not finite, one is negative or all are zero. */
DLP_API dlp_index dlp_draw_categorical(dlp_rng *rng, dlp_index n, const double *weight);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Philox4x32-10 and its two plain interfaces, bits and uniforms. The distributions that
 * need special functions are in math/draw.c.
 */
#include <delaplace/random.h>

/* The multipliers of a round and the Weyl steps of the key (Salmon et al., Table 2). */
static const uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
enum { ROUNDS = 10 };

void dlp_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t product0 = (uint64_t)multiplier[0] * c0;
        const uint64_t product1 = (uint64_t)multiplier[1] * c2;
        c0 = (uint32_t)(product1 >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)product1;
        c2 = (uint32_t)(product0 >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)product0;
        k0 += weyl[0];
        k1 += weyl[1];
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

dlp_rng dlp_rng_at(uint64_t seed, uint64_t stream)
{
    return (dlp_rng){.seed = seed, .stream = stream, .position = 0};
}

uint64_t dlp_draw_bits(dlp_rng *rng)
{
    /* A block holds two words, so the place of a word is its block and its half. */
    const uint64_t block = rng->position >> 1;
    const int half = 2 * (int)(rng->position & 1);
    const uint32_t counter[4] = {(uint32_t)block, (uint32_t)(block >> 32),
                                 (uint32_t)rng->stream, (uint32_t)(rng->stream >> 32)};
    const uint32_t key[2] = {(uint32_t)rng->seed, (uint32_t)(rng->seed >> 32)};
    uint32_t out[4];
    dlp_philox(counter, key, out);
    rng->position++;
    return (uint64_t)out[half + 1] << 32 | out[half];
}

double dlp_draw_uniform(dlp_rng *rng)
{
    /* The middles of 2^52 equal cells. With 2^53 cells the last middle rounds to 1. */
    return ((double)(dlp_draw_bits(rng) >> 12) + 0.5) * 0x1p-52;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SipHash-1-3, of Aumasson and Bernstein: a hash with a key, which is drawn at run time,
 * so that nobody can write a file whose names or numbers all collide. hash.h is the table
 * for bytes; tables for columns of numbers hash word by word with this. No result and no
 * order may depend on the key. Internal.
 */
#ifndef DLPI_CORE_SIP_H
#define DLPI_CORE_SIP_H

#include <stdint.h>
#include <string.h>

/* Draws a key from the random bytes that the kernel gave the process, the time, and an
   address. */
void dlpi_sip_draw_key(const void *place, uint64_t key[2]);

struct dlpi_sip {
    uint64_t v[4];
    uint64_t bytes; /* so far */
};

static inline uint64_t dlpi_sip_rotate(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static inline void dlpi_sip_mix(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = dlpi_sip_rotate(v[1], 13) ^ v[0];
    v[3] = dlpi_sip_rotate(v[3], 16) ^ v[2];
    v[0] = dlpi_sip_rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = dlpi_sip_rotate(v[1], 17) ^ v[2];
    v[3] = dlpi_sip_rotate(v[3], 21) ^ v[0];
    v[2] = dlpi_sip_rotate(v[2], 32);
}

static inline struct dlpi_sip dlpi_sip_begin(const uint64_t key[2])
{
    return (struct dlpi_sip){
        .v = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
              key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573}};
}

static inline void dlpi_sip_add(struct dlpi_sip *s, uint64_t word)
{
    s->v[3] ^= word;
    dlpi_sip_mix(s->v);
    s->v[0] ^= word;
    s->bytes += sizeof word;
}

static inline void dlpi_sip_add_number(struct dlpi_sip *s, double x)
{
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    dlpi_sip_add(s, word);
}

/* The hash; `last` holds the remaining `left` bytes, at most 7. */
static inline uint64_t dlpi_sip_end_with(struct dlpi_sip *s, uint64_t last, uint64_t left)
{
    dlpi_sip_add(s, (s->bytes + left) << 56 | last);
    s->v[2] ^= 0xff;
    for (int i = 0; i < 3; i++) dlpi_sip_mix(s->v);
    return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

static inline uint64_t dlpi_sip_end(struct dlpi_sip *s)
{
    return dlpi_sip_end_with(s, 0, 0);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Bands, bordered blocks and patterns of all kinds, to be filled with numbers. */
#ifndef DLP_TESTS_STRUCTURES_H
#define DLP_TESTS_STRUCTURES_H

#include "naive.h"

typedef enum kind {
    BAND,       /* of width `size` */
    BORDERED,   /* blocks of 1..`size`, and a border of `more` */
    CHAIN,      /* a path through all coordinates, in their order or shuffled (`more`) */
    SCATTERED,  /* each pair with probability 1/`size` */
    COMPONENTS, /* `size` full ones of equal size, with their coordinates dealt out */
    ARROW,      /* `size` rows, the first ones, are full */
    LATTICE,    /* a square, its rows `size` long; neighbours to the right and below */
    CROSSED,    /* n - `size` persons who meet 3 of `size` items each */
    FULL        /* all entries */
} kind;

typedef struct sample {
    const char *name;
    kind kind;
    dlp_index n, size, more;
} sample;

static const sample samples[] = {
    {"band 1x1", BAND, 1, 0, 0},
    {"band, diagonal", BAND, 7, 0, 0},
    {"tridiagonal", BAND, 23, 1, 0},
    {"tridiagonal 2x2", BAND, 2, 1, 0},
    {"band 3", BAND, 40, 3, 0},
    {"band, full", BAND, 9, 8, 0},
    {"band 70, by LAPACK", BAND, 160, 70, 0},
    {"bordered 1+1", BORDERED, 2, 1, 1},
    {"bordered, singles", BORDERED, 30, 1, 3},
    {"bordered, blocks", BORDERED, 41, 4, 2},
    {"bordered, no border", BORDERED, 12, 3, 0},
    {"bordered, wide", BORDERED, 150, 5, 70},
    {"sparse 1x1", FULL, 1, 0, 0},
    {"sparse, diagonal", COMPONENTS, 9, 9, 0},
    {"sparse, full", FULL, 60, 0, 0},
    {"sparse, full, by BLAS", FULL, 170, 0, 0},
    {"chain", CHAIN, 50, 0, 0},
    {"chain, shuffled", CHAIN, 50, 0, 1},
    {"components", COMPONENTS, 36, 4, 0},
    {"scattered, thin", SCATTERED, 60, 30, 0},
    {"scattered", SCATTERED, 90, 12, 0},
    {"scattered, by BLAS", SCATTERED, 190, 9, 0},
    {"arrow", ARROW, 60, 3, 0},
    {"lattice", LATTICE, 196, 14, 0},
    {"crossed", CROSSED, 90, 12, 0},
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

/* A shape, and what it stands on. */
typedef struct made {
    dlp_shape shape;
    dlp_index *block;
    dlp_pattern *pattern;
} made;

static inline dlp_rng rng_of(const sample *s)
{
    return dlp_rng_at(1848, (uint64_t)(s->n * 1000 + (dlp_index)s->kind));
}

static inline bool has_entry(const sample *s, dlp_rng *rng, const int32_t *shuffled,
                             dlp_index i, dlp_index j)
{
    const dlp_index n = s->n, first = n - s->size;
    switch (s->kind) {
    case CHAIN: return abs(shuffled[i] - shuffled[j]) == 1;
    case SCATTERED: return dlp_draw_uniform(rng) * (double)s->size < 1;
    case COMPONENTS: return i % s->size == j % s->size;
    case ARROW: return i < s->size;
    case LATTICE: return j == i + s->size || (j == i + 1 && j % s->size != 0);
    case CROSSED:
        return i < first && j >= first && (i * 7 + (j - first) * 5 + i / 3) % s->size < 3;
    default: return true;
    }
}

static inline void shuffle(dlp_rng *rng, dlp_index n, int32_t *order)
{
    for (dlp_index i = 0; i < n; i++) order[i] = (int32_t)i;
    for (dlp_index i = n - 1; i > 0; i--) {
        const dlp_index k = (dlp_index)(dlp_draw_uniform(rng) * (double)(i + 1));
        const int32_t kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
}

static inline dlp_pattern *make_pattern(const sample *s)
{
    dlp_rng rng = rng_of(s);
    dlp_index *start = allocate(s->n + 1, sizeof *start), used = 0;
    int32_t *column = allocate(s->n * s->n, sizeof *column);
    int32_t *order = allocate(s->n, sizeof *order);
    dlp_pattern *pattern = NULL;
    for (dlp_index i = 0; i < s->n; i++) order[i] = (int32_t)i;
    if (s->more) shuffle(&rng, s->n, order);
    for (dlp_index i = 0; i < s->n; i++) {
        for (dlp_index j = i; j < s->n; j++)
            if (j == i || has_entry(s, &rng, order, i, j)) column[used++] = (int32_t)j;
        start[i + 1] = used;
    }
    assert_ok(dlp_pattern_alloc(s->n, start, column, &pattern, error));
    free(start);
    free(column);
    free(order);
    return pattern;
}

static inline made make_shape(const sample *s)
{
    made m = {0};
    if (s->kind == BAND) {
        m.shape = dlp_shape_band(s->n, s->size);
    } else if (s->kind == BORDERED) {
        dlp_index blocks = 0;
        m.block = allocate(s->n, sizeof *m.block);
        for (dlp_index left = s->n - s->more; left > 0; left -= m.block[blocks++]) {
            m.block[blocks] = 1 + blocks % s->size;
            if (m.block[blocks] > left) m.block[blocks] = left;
        }
        m.shape = dlp_shape_bordered(blocks, m.block, s->more);
    } else {
        m.pattern = make_pattern(s);
        m.shape = dlp_shape_sparse(m.pattern);
    }
    assert_int_equal(m.shape.n, s->n);
    return m;
}

static inline void release(made *m)
{
    free(m->block);
    dlp_pattern_free(m->pattern);
}

/* Numbers on the structure, and a diagonal that exceeds the rest of its row. */
static inline void fill(dlp_rng *rng, dlp_sym *A)
{
    const dlp_index n = A->shape.n, m = A->shape.border;
    real *entries = allocate(n * n, sizeof *entries);
    double *diagonal = allocate(n, sizeof *diagonal);
    const dlp_index b = A->shape.bandwidth;
    dlp_index size = A->shape.structure == DLP_SPARSE
                         ? dlp_pattern_start(A->shape.pattern)[n]
                         : n * (b + 1);
    if (A->shape.structure == DLP_BORDERED) {
        for (dlp_index k = 0; k < A->shape.n_blocks; k++)
            fill_definite(rng, A->shape.block[k], dlp_sym_block(A, k));
        draw_normals(rng, (n - m) * m, dlp_sym_border(A));
        fill_definite(rng, m, dlp_sym_corner(A));
    } else {
        draw_normals(rng, size, A->a);
    }
    naive_entries(A, entries);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            diagonal[i] += i == j
                               ? 0.3 + dlp_draw_uniform(rng) - (double)entries[i * n + j]
                               : (double)fabsl(entries[i * n + j]);
    dlp_sym_add_diagonal(A, diagonal);
    free(diagonal);
    free(entries);
}

/* Which entries the structure has: those of a matrix of ones. */
static inline void find_mask(dlp_shape shape, real *mask)
{
    dlp_sym ones;
    assert_ok(dlp_sym_alloc(shape, &ones, error));
    const dlp_index n = shape.n;
    const dlp_index size =
        shape.structure == DLP_SPARSE ? dlp_pattern_start(shape.pattern)[n]
        : shape.structure == DLP_BORDERED
            ? (dlp_sym_corner(&ones) - ones.a) + shape.border * shape.border
            : n * (shape.bandwidth + 1);
    for (dlp_index i = 0; i < size; i++) ones.a[i] = 1;
    naive_entries(&ones, mask);
    dlp_sym_free(&ones);
}

#endif

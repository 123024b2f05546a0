/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * [ D  B ] = U'U with U = [ V  W ],  D = V'V block by block,  W = V'^-1 B,
 * [ B' C ]                [    T ]   T'T = C - W'W.
 */
#include "math/symmetric/bordered_factor.h"

#include "math/dense.h"
#include "math/products.h"

#include <string.h>

/* Rows of W processed together, so that they stay in the cache. */
enum { CHUNK = 256 };

/* The parts of a factor. */
typedef struct parts {
    dlp_cholesky V; /* over the same storage */
    dlp_index n, m;
    double *W;    /* (n, m), n excluding the border */
    double *T;    /* (m, m) */
    double *room; /* (m, m), or (largest block, m) */
} parts;

static parts parts_of(const dlp_cholesky *F)
{
    const dlp_index m = F->shape.border, n = F->shape.n - m;
    parts p = {.V = {.shape = dlpi_bordered_head(&F->shape), .a = F->a}, .n = n, .m = m};
    p.W = F->a + dlpi_blocks.factor_size(&p.V.shape);
    p.T = p.W + n * m;
    p.room = p.T + m * m;
    return p;
}

static dlp_index block_size(const dlp_shape *blocks, dlp_index k)
{
    return blocks->block ? blocks->block[k] : blocks->n;
}

dlp_index dlpi_bordered_factor_size(const dlp_shape *shape)
{
    const dlp_shape blocks = dlpi_bordered_head(shape);
    dlp_index largest = shape->border;
    for (dlp_index k = 0; k < blocks.n_blocks; k++)
        if (block_size(&blocks, k) > largest) largest = block_size(&blocks, k);
    return dlpi_size(shape->border, dlpi_size(1, largest, shape->n),
                     dlpi_blocks.factor_size(&blocks));
}

/* W (b, m) := V'^-1 W, row by row */
static void forward_rows(dlp_index b, dlp_index m, const double *V, double *W)
{
    for (dlp_index i = 0; i < b; i++) {
        double *row = W + i * m;
        const double inverse = 1 / V[i * b + i];
        for (dlp_index k = 0; k < i; k++) {
            const double c = V[k * b + i], *done = W + k * m;
            for (dlp_index j = 0; j < m; j++) row[j] -= c * done[j];
        }
        for (dlp_index j = 0; j < m; j++) row[j] *= inverse;
    }
}

/* X (b, m) = V^-1 W */
static void backward_rows(dlp_index b, dlp_index m, const double *V, const double *W,
                          double *X)
{
    for (dlp_index i = b - 1; i >= 0; i--) {
        double *row = X + i * m;
        const double inverse = 1 / V[i * b + i];
        memcpy(row, W + i * m, (size_t)m * sizeof *row);
        for (dlp_index k = i + 1; k < b; k++) {
            const double c = V[i * b + k], *done = X + k * m;
            for (dlp_index j = 0; j < m; j++) row[j] -= c * done[j];
        }
        for (dlp_index j = 0; j < m; j++) row[j] *= inverse;
    }
}

dlp_index dlpi_bordered_factor(dlp_cholesky *F, const dlp_sym *P)
{
    parts p = parts_of(F);
    const dlp_sym D = dlpi_bordered_blocks(P);
    const dlp_index failed = dlpi_blocks.factor(&p.V, &D), m = p.m;
    if (failed >= 0 || m == 0) return failed;
    memcpy(p.W, dlp_sym_border(P), (size_t)(F->shape.n * m) * sizeof *p.W); /* and T */
    const double *V = F->a;
    double *W = p.W;
    for (dlp_index k = 0; k < p.V.shape.n_blocks; k++) {
        const dlp_index b = block_size(&p.V.shape, k);
        forward_rows(b, m, V, W);
        V += b * b;
        W += b * m;
    }
    for (dlp_index i = 0; i < p.n; i += CHUNK)
        dlpi_add_gram(m, m, p.n - i < CHUNK ? p.n - i : CHUNK, -1, p.W + i * m, m, p.T,
                      m);
    const dlp_index corner = dlpi_cholesky(m, p.T);
    return corner >= 0 ? p.n + corner : -1;
}

void dlpi_bordered_solve(const dlp_cholesky *F, double *b)
{
    const parts p = parts_of(F);
    const double *V = F->a;
    double *top = b, *last = b + p.n;
    for (dlp_index k = 0; k < p.V.shape.n_blocks; k++) {
        const dlp_index size = block_size(&p.V.shape, k);
        dlpi_cholesky_forward(size, V, top);
        V += size * size;
        top += size;
    }
    for (dlp_index i = 0; i < p.n; i++)
        for (dlp_index c = 0; c < p.m; c++) last[c] -= b[i] * p.W[i * p.m + c];
    dlpi_cholesky_forward(p.m, p.T, last);
    dlpi_bordered_draw(F, b);
}

/* z := U^-1 z */
void dlpi_bordered_draw(const dlp_cholesky *F, double *z)
{
    const parts p = parts_of(F);
    const double *last = z + p.n;
    dlpi_cholesky_draw(p.m, p.T, z + p.n);
    for (dlp_index i = 0; i < p.n; i++) z[i] -= dlpi_dot(p.m, p.W + i * p.m, last);
    dlpi_blocks.draw(&p.V, z);
}

double dlpi_bordered_log_det(const dlp_cholesky *F)
{
    const parts p = parts_of(F);
    return dlpi_blocks.log_det(&p.V) + dlpi_cholesky_log_det(p.m, p.T);
}

/*
 * With S = (T'T)^-1 and X = V^-1 W, block by block,
 *
 *     P^-1 = [ D^-1 + X S X'  -X S ]
 *            [     -S X'        S  ]
 */
void dlpi_bordered_inverse(const dlp_cholesky *F, dlp_sym *Sigma)
{
    const parts p = parts_of(F);
    const dlp_index m = p.m;
    dlp_sym D = dlpi_bordered_blocks(Sigma);
    double *S = dlp_sym_corner(Sigma), *across = dlp_sym_border(Sigma);
    double *block = Sigma->a, *X = p.room;
    const double *V = F->a, *W = p.W;
    dlpi_blocks.inverse(&p.V, &D);
    dlpi_cholesky_inverse(m, p.T, p.room, S);
    for (dlp_index k = 0; k < p.V.shape.n_blocks && m > 0; k++) {
        const dlp_index b = block_size(&p.V.shape, k);
        backward_rows(b, m, V, W, X);
        memset(across, 0, (size_t)(b * m) * sizeof *across);
        dlpi_add_product(b, m, m, -1, X, m, S, m, across, m);
        dlpi_add_product_transposed(b, b, m, -1, across, m, X, m, block, b);
        dlpi_mirror(b, block); /* X S X' to the last bit */
        V += b * b;
        block += b * b;
        W += b * m;
        across += b * m;
    }
}

/* z := U z */
void dlpi_bordered_whiten(const dlp_cholesky *F, double *z)
{
    const parts p = parts_of(F);
    double *last = z + p.n;
    dlpi_blocks.whiten(&p.V, z);
    for (dlp_index i = 0; i < p.n; i++) z[i] += dlpi_dot(p.m, p.W + i * p.m, last);
    for (dlp_index c = 0; c < p.m; c++)
        last[c] = dlpi_dot(p.m - c, p.T + c * p.m + c, last + c);
}

/* z := U'z */
void dlpi_bordered_multiply_root(const dlp_cholesky *F, double *z)
{
    const parts p = parts_of(F);
    double *last = z + p.n;
    for (dlp_index k = p.m - 1; k >= 0; k--) {
        const double own = last[k];
        for (dlp_index c = k + 1; c < p.m; c++) last[c] += own * p.T[k * p.m + c];
        last[k] = own * p.T[k * p.m + k];
    }
    for (dlp_index i = 0; i < p.n; i++)
        for (dlp_index c = 0; c < p.m; c++) last[c] += z[i] * p.W[i * p.m + c];
    dlpi_blocks.multiply_root(&p.V, z);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/result/laplace_correction.h"

#include "core/core.h"
#include "math/dense.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

static const double FAR = 30; /* a log factor larger than this is not believed */

/* Adds weight E[b | x] of all leaves. */
static void add_leaves(const dlpi_mixed_block *k, double weight, double *to)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    for (dlp_index g = 0; g < rows->L; g++)
        dlpi_axpy(rows->q, weight, dlpi_mixed_block_kept(k, g), to + g * rows->q);
}

/* f at mode + by d; adds its gradient to `sum`. */
static double look(dlpi_mixed_block *k, const double *mode, const double *d, double by,
                   double *sum)
{
    const dlp_index n = k->of->rows.n;
    for (dlp_index i = 0; i < n; i++) k->x[i] = mode[i] + by * d[i];
    dlpi_mixed_block_expand(k);
    dlpi_axpy(n, 1, k->gradient, sum);
    return isfinite(k->f) ? k->log_integrals : NAN;
}

/* Starts from minus the leaves' means at x, to which those of the draws are added. */
static void start(dlpi_mixed_block *k, double *shift)
{
    const dlp_index n = k->of->rows.n, effects = k->of->rows.L * k->of->rows.q;
    memset(shift, 0, (size_t)(n + effects) * sizeof *shift);
    dlpi_mixed_block_expand(k);
    add_leaves(k, -1, shift + n);
}

/*
 * d has an even and an odd part in x - mode. The linear part of the odd one, t'(x - mode)
 * with t = 1/2 f_3 S, is given by the average gradient, and its variance t'S t is known;
 * the draws have to estimate only the rest.
 */
dlpi_beyond dlpi_mixed_beyond(dlpi_mixed_block *k, int pairs, double *shift)
{
    const dlp_index n = k->of->rows.n;
    const double top = k->log_integrals;
    double *draws = dlpi_calloc(n * (pairs + 3) + pairs, sizeof *draws);
    if (!draws) return (dlpi_beyond){0, false};
    double *t = draws + n * pairs, *mode = t + n, *St = mode + n, *odd = St + n;
    double even = 0, square = 0;
    memcpy(mode, k->x, (size_t)n * sizeof *mode);
    if (shift) start(k, shift);
    for (int i = 0; i < pairs; i++) {
        double *d = draws + i * n;
        dlp_rng rng = dlp_rng_at(20, (uint64_t)i);
        for (dlp_index j = 0; j < n; j++) d[j] = dlp_draw_normal(&rng);
        const double half = dlpi_mixed_block_draw(k, d);
        const double up = look(k, mode, d, 1, t);
        if (shift) add_leaves(k, 0.5 / pairs, shift + n);
        const double down = look(k, mode, d, -1, t);
        if (shift) add_leaves(k, 0.5 / pairs, shift + n);
        even += (0.5 * (up + down) - top + half) / pairs;
        odd[i] = 0.5 * (up - down);
    }
    for (dlp_index j = 0; j < n; j++) St[j] = t[j] /= 2 * pairs;
    dlpi_mixed_block_solve(k, St);
    if (shift) dlpi_axpy(n, 1, St, shift);
    for (int i = 0; i < pairs; i++) {
        const double rest = odd[i] - dlpi_dot(n, t, draws + i * n);
        square += rest * rest / pairs;
    }
    const double log_p = even + 0.5 * (dlpi_dot(n, t, St) + square);
    memcpy(k->x, mode, (size_t)n * sizeof *mode);
    k->log_integrals = top;
    free(draws);
    return (dlpi_beyond){isfinite(log_p) ? log_p : 0, fabs(log_p) < FAR};
}

/* The draws show how a leaf's mean curves; it also moves with x. */
static void follow(dlpi_mixed_block *k, const double *u, double *shift)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index q = rows->q, p = rows->p, n = rows->n;
    double *mean = k->room, *variance = mean + q, *with_x = variance + q * q;
    for (dlp_index g = 0; g < rows->L; g++) {
        const double *slope = dlpi_mixed_block_kept(k, g) + q + q * q;
        const dlp_index m = dlpi_leaf_sees(rows, g), wide = k->of->whole ? n : m;
        dlpi_mixed_block_leaf(k, g, mean, variance, with_x);
        for (dlp_index a = 0; a < q; a++) {
            double *to = shift + n + g * q + a;
            for (dlp_index i = 0; i < m; i++) *to += slope[a * m + i] * shift[k->seen[i]];
            *to -= dlpi_dot(p, with_x + (a + 1) * wide - p, u);
        }
    }
}

void dlpi_mixed_beyond_beta(dlpi_mixed_block *k, double *shift)
{
    const dlp_index n = k->of->rows.n, p = k->of->rows.p, beta = n - p;
    double *U = k->beta, *u = k->gradient; /* Var[beta]^-1 times beta's shift */
    for (dlp_index i = 0; i < p; i++) {
        u[i] = shift[beta + i];
        for (dlp_index j = 0; j < p; j++)
            U[i * p + j] = *dlpi_mixed_entry(&k->S, beta + i, beta + j);
    }
    if (dlpi_cholesky(p, U) >= 0) {
        memset(shift, 0, (size_t)(n + k->of->rows.L * k->of->rows.q) * sizeof *shift);
        return;
    }
    dlpi_cholesky_solve(p, U, u);
    follow(k, u, shift);
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < p; j++)
            shift[i] -= u[j] * *dlpi_mixed_entry(&k->S, i, beta + j);
}

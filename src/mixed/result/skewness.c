/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/result/skewness.h"

#include "math/dense.h"

#include <math.h>
#include <omp.h>
#include <string.h>

static const double STEP = 0.5; /* of differences, in sds */
/* A shift, in sds, or a stretch beyond these is not believed, unless beta, whose columns
   are of order 1, moves by less than LITTLE. Many effects with little information each
   move beta a little in the same direction, so a shift of an sd or more is not
   unusual. */
static const double FAR = 3, WIDE = 1.5, LITTLE = 0.3;
/* Beyond these, sds from the curvature at the mean are off by more than a percent. */
static const double LEANING = 0.1, BENDING = 0.003;

/* How far from normal log p is along S e_j. */
typedef struct shape_along {
    double lean; /* its third derivative, per sd */
    double bend; /* how much the curvature over the step differs from that at the mode */
} shape_along;

/* Tr{S H}; a dense H holds only its upper triangle. */
static double trace(dlpi_mixed_block *k)
{
    if (k->H.shape.structure == DLP_BLOCKS) dlpi_mirror(k->of->rows.n, k->H.a);
    return dlp_sym_trace(&k->S, &k->H);
}

/* The search for the leaves' modes always starts from the same place, whatever this
   worker did before. */
static void expand(dlpi_mixed_block *k)
{
    const dlp_index effects = k->of->rows.L * k->of->rows.q;
    memcpy(k->b, k->of->b, (size_t)effects * sizeof *k->b);
    dlpi_mixed_block_expand(k);
}

/* S e_j, by F. */
static void look_along(dlpi_mixed_block *k, dlp_index at, double *direction)
{
    memset(direction, 0, (size_t)k->of->rows.n * sizeof *direction);
    direction[at] = 1;
    dlpi_mixed_block_solve(k, direction);
}

/* beta_j's shift in its sds, from `from`, where S and F were computed, along S e_j, by
   differences. */
static double shift_of(dlpi_mixed_block *k, const double *from, dlp_index j,
                       shape_along *shape)
{
    const dlp_index n = k->of->rows.n, at = n - k->of->rows.p + j;
    double traces[2], slope[2], *direction = k->step;
    look_along(k, at, direction);
    const double sd = sqrt(direction[at]);
    for (int side = 0; side < 2; side++) {
        const double by = (side ? STEP : -STEP) / sd;
        for (dlp_index i = 0; i < n; i++) k->x[i] = from[i] + by * direction[i];
        expand(k);
        traces[side] = trace(k);
        slope[side] = dlpi_dot(n, k->gradient, direction) / sd;
    }
    shape->lean = (slope[0] + slope[1]) / (STEP * STEP);
    shape->bend = fabs(slope[1] - slope[0]) / (2 * STEP) - 1;
    return -0.5 * (traces[1] - traces[0]) / (2 * STEP);
}

/* The curvature at x, and S from it. */
static bool stand_at(dlpi_mixed_block *k, const double *x)
{
    memcpy(k->x, x, (size_t)k->of->rows.n * sizeof *x);
    expand(k);
    if (!dlpi_mixed_block_factor(k)) return false;
    dlpi_mixed_block_invert(k);
    return true;
}

/*
 * Var[beta_j] by linear response: it is how fast E[beta_j] moves with lambda when lambda
 * beta_j is added to f. The mode moves along S e_j, by S_jj, and the shift changes as
 * well. Returns sqrt(Var / S_jj), NAN where that is not known. k is at the mode before
 * and after.
 */
static double widen(dlpi_mixed_block *k, const double *mode, dlp_index j)
{
    const dlp_index n = k->of->rows.n, at = n - k->of->rows.p + j;
    double *there = k->from, shift[2] = {0}; /* in units of beta */
    shape_along shape;
    look_along(k, at, there);
    const double sd = sqrt(there[at]);
    bool good = true;
    for (dlp_index i = 0; i < n; i++) there[i] = mode[i] - STEP / sd * there[i];
    for (int side = 0; side < 2 && good; side++) {
        for (dlp_index i = 0; i < n && side; i++) there[i] = 2 * mode[i] - there[i];
        good = stand_at(k, there);
        if (!good) break;
        const double wide = sqrt(*dlpi_mixed_entry(&k->S, at, at));
        shift[side] = wide * shift_of(k, there, j, &shape);
    }
    good = stand_at(k, mode) && good;
    return good ? sqrt(1 + (shift[1] - shift[0]) / (2 * STEP * sd)) : NAN;
}

/* The sds from the curvature at the mean: beta moves by its shift, and the rest of x
   moves with it, x += S_xb S_bb^-1 shift. */
static bool stretch_of(dlpi_mixed_block *k, const double *mode, const double *shift,
                       double *stretch)
{
    const dlp_index n = k->of->rows.n, p = k->of->rows.p, beta = n - p;
    double *U = k->beta, *by = k->step;
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < p; j++)
            U[i * p + j] = *dlpi_mixed_entry(&k->S, beta + i, beta + j);
    memset(by, 0, (size_t)n * sizeof *by);
    for (dlp_index j = 0; j < p; j++) {
        stretch[j] = sqrt(U[j * (p + 1)]);
        by[beta + j] = shift[j] * stretch[j];
    }
    if (dlpi_cholesky(p, U) >= 0) return false;
    dlpi_cholesky_solve(p, U, by + beta);
    dlpi_mixed_block_solve(k, by);
    for (dlp_index i = 0; i < n; i++) k->x[i] = mode[i] + by[i];
    expand(k);
    if (!dlpi_mixed_block_factor(k)) return false;
    dlpi_mixed_block_invert(k);
    for (dlp_index j = 0; j < p; j++)
        stretch[j] = sqrt(*dlpi_mixed_entry(&k->S, beta + j, beta + j)) / stretch[j];
    return true;
}

/* For all coefficients outside smooths, replaces the result of stretch_of, where the new
   one can be believed; false if that is not so for all. */
static bool widen_all(dlpi_mixed_block *block, int threads, double *stretch)
{
    const dlpi_mixed *of = block->of;
    const dlp_index fixed = dlpi_mixed_fixed(of->data);
    bool good = true;
    for (int t = 0; t < threads; t++) {
        const long before = block[t].evaluations;
        good = good && stand_at(&block[t], block[t].mode);
        if (t > 0) block[t].evaluations = before; /* count those of one worker */
    }
    if (!good) return false;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(&& : good)
    for (dlp_index j = 0; j < fixed; j++) {
        dlpi_mixed_block *k = &block[omp_get_thread_num()];
        const double by = widen(k, k->mode, j);
        const bool believed = by <= WIDE && by >= 1 / WIDE;
        if (believed) stretch[j] = by;
        good = good && believed;
    }
    return good;
}

/* At the mode, for all coefficients: shift, and the largest of shape outside smooths. */
static shape_along shift_all(dlpi_mixed_block *block, int threads, double *shift)
{
    const dlpi_mixed *of = block->of;
    const dlp_index fixed = dlpi_mixed_fixed(of->data);
    double lean = 0, bend = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads)                        \
    reduction(max                                                                        \
              : lean, bend)
    for (dlp_index j = 0; j < of->rows.p; j++) {
        dlpi_mixed_block *k = &block[omp_get_thread_num()];
        shape_along shape;
        shift[j] = shift_of(k, k->mode, j, &shape);
        lean = fmax(lean, j < fixed ? fabs(shape.lean) : 0);
        bend = fmax(bend, j < fixed ? fabs(shape.bend) : 0);
    }
    return (shape_along){lean, bend};
}

/* The mode at psi, with the inverse of the curvature, in all blocks. */
static bool find_modes(dlpi_mixed_block *block, int threads, const double *psi)
{
    bool good = true;
    for (int t = 0; t < threads; t++) {
        const long before = block[t].evaluations;
        good = good && isfinite(dlpi_mixed_block_at(&block[t], psi));
        if (t > 0) block[t].evaluations = before; /* count those of one worker */
        if (good) dlpi_mixed_block_invert(&block[t]);
        memcpy(block[t].mode, block[t].x, (size_t)block->of->rows.n * sizeof *block[t].x);
    }
    return good;
}

static bool is_plausible(dlpi_mixed_block *k, const double *shift)
{
    const dlp_index n = k->of->rows.n, p = k->of->rows.p;
    bool good = true;
    for (dlp_index j = 0; j < p && good; j++) {
        const double sd = sqrt(*dlpi_mixed_entry(&k->S, n - p + j, n - p + j));
        good = fabs(shift[j]) <= FAR || fabs(shift[j]) * sd <= LITTLE;
    }
    return good;
}

bool dlpi_mixed_skewness(dlpi_mixed_block *block, int threads, const double *psi,
                         bool is_crossed, double *shift, double *stretch, double *lean)
{
    const dlp_index p = block->of->rows.p;
    shape_along most = {INFINITY, INFINITY};
    bool good = find_modes(block, threads, psi);
    if (good) most = shift_all(block, threads, shift);
    good = good && is_plausible(block, shift) &&
           stretch_of(block, block->mode, shift, stretch);
    for (dlp_index j = 0; j < p && good; j++)
        good = stretch[j] <= WIDE && stretch[j] >= 1 / WIDE;
    const bool leans = most.lean > LEANING;
    bool known = good;
    if (good && (is_crossed || leans || most.bend > BENDING))
        known = widen_all(block, threads, stretch) || !leans;
    *lean = known ? most.lean : INFINITY;
    for (dlp_index j = 0; j < p && !good; j++) {
        shift[j] = 0;
        stretch[j] = 1;
    }
    return good;
}

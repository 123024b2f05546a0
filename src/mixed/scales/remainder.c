/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/remainder.h"

#include "core/core.h"
#include "mixed/result/laplace_correction.h"

#include <math.h>
#include <string.h>

enum { FIRST = 3, FEW = 8, MANY = 32, MOST_CROSSED = 3 };
static const double SIDE = 1.41421356237309505; /* of explore.c */

dlp_status dlpi_remainder_make(const dlpi_mixed *model, const dlpi_explore *explore,
                               dlpi_remainder *to, dlp_error *error)
{
    const dlp_index m = explore->m, n = model->rows.n,
                    effects = model->rows.L * model->rows.q;
    *to = (dlpi_remainder){.explore = explore};
    to->matters = model->skewed && model->rows.n_other > 0;
    to->side = dlpi_calloc(6 * m + 3 * m * m, sizeof *to->side);
    if (!to->side) return dlpi_no_memory(error, "a mixed model");
    to->far = to->side + 2 * m;
    to->out = to->far + 2 * m;
    to->cross = to->out + 2 * m;
    to->psi = to->cross + m * m;
    if (!to->matters) return DLP_OK;
    to->shift = dlpi_calloc(n + effects, sizeof *to->shift);
    return to->shift ? DLP_OK : dlpi_no_memory(error, "a mixed model");
}

void dlpi_remainder_clear(dlpi_remainder *r)
{
    free(r->side);
    free(r->shift);
    *r = (dlpi_remainder){0};
}

/* ---- where it is found ---- */

/* By a few draws, and where these tell that it matters by more. */
static double find_middle(dlpi_remainder *r, dlpi_mixed_block *block)
{
    const double little = 0.03, clearly_little = 0.02;
    const dlpi_beyond first = dlpi_mixed_beyond(block, FIRST, NULL);
    r->matters = !(first.is_trusted && fabs(first.log_p) < clearly_little);
    if (!r->matters) return 0;
    const dlpi_beyond few = dlpi_mixed_beyond(block, FEW, NULL);
    r->matters = few.is_trusted && fabs(few.log_p) > little;
    if (!r->matters) return 0;
    const dlpi_beyond found = dlpi_mixed_beyond(block, MANY, r->shift);
    return r->middle = found.is_trusted ? found.log_p : 0;
}

/* At mode + a z_k + b z_l, from where the block is. */
static bool find_at(dlpi_remainder *r, dlpi_mixed_block *block, double *psi, dlp_index k,
                    double a, dlp_index l, double b, double *value)
{
    const dlpi_explore *e = r->explore;
    for (dlp_index i = 0; i < e->m; i++)
        psi[i] = e->mode[i] + a * e->root[i * e->m + k] + b * e->root[i * e->m + l];
    if (!isfinite(dlpi_mixed_block_from(block, psi))) return false;
    const dlpi_beyond found = dlpi_mixed_beyond(block, MANY, NULL);
    *value = found.log_p;
    return found.is_trusted;
}

/* How far out along direction k: where sds are twice as large or half, which is near enough for the
   expansion to hold, at 2.8 to 5.6 sds of psi; and never where they differ by
   more than a factor of four. The grid is about the mode without what is left out, so that tails reach far. */
static double reach(const dlpi_explore *e, dlp_index k)
{
    const double near = log(2), most = log(4);
    double widest = 0;
    for (dlp_index i = 0; i < e->m; i++)
        widest = fmax(widest, fabs(e->root[i * e->m + k]));
    return fmin(fmax(2 * SIDE, fmin(4 * SIDE, near / widest)), most / widest);
}

/* Behind side i. */
static void find_far(dlpi_remainder *r, dlpi_mixed_block *block, int i)
{
    const dlp_index k = i / 2;
    const double out = reach(r->explore, k), least = 1.25 * SIDE;
    if (out < least) return;
    const double z = i % 2 ? out : -out;
    if (find_at(r, block, r->psi + i * r->explore->m, k, z, k, 0, &r->far[i]))
        r->out[i] = out;
}

/* c(z, z) + c(-z, -z) of two directions, less what each has alone, when all sides are known; here what
   is on both diagonals. */
static void find_crossed(dlpi_remainder *r, dlpi_mixed_block *block, int i)
{
    const dlp_index m = r->explore->m, k = i / 2;
    double *psi = r->psi + i * m, both[2];
    for (dlp_index l = k + 1; l < m && m <= MOST_CROSSED; l++) {
        r->cross[k * m + l] = NAN;
        if (find_at(r, block, psi, k, SIDE, l, SIDE, &both[0]) &&
            find_at(r, block, psi, k, -SIDE, l, -SIDE, &both[1]))
            r->cross[k * m + l] = both[0] + both[1];
    }
}

double dlpi_remainder_note(dlpi_remainder *r, dlpi_mixed_block *block, int i)
{
    const bool at_mode = i == 2 * r->explore->m;
    if (!r->matters) return 0;
    if (at_mode) return find_middle(r, block);
    const dlpi_beyond found = dlpi_mixed_beyond(block, MANY, NULL);
    r->side[i] = found.is_trusted ? found.log_p : r->middle;
    if (!found.is_trusted) return r->side[i];
    find_far(r, block, i);
    if (i % 2) find_crossed(r, block, i);
    return r->side[i];
}

/* ---- between ---- */

/* Along direction k, by the polynomial through all that is known; beyond that it stays. */
static double along(const dlpi_remainder *r, dlp_index k, double z)
{
    double at[5] = {-SIDE, 0, SIDE},
           c[5] = {r->side[2 * k], r->middle, r->side[2 * k + 1]}, sum = 0, low = -SIDE,
           high = SIDE;
    int n = 3;
    if (r->out[2 * k] > 0) low = at[n] = -r->out[2 * k], c[n++] = r->far[2 * k];
    if (r->out[2 * k + 1] > 0)
        high = at[n] = r->out[2 * k + 1], c[n++] = r->far[2 * k + 1];
    z = fmin(fmax(z, low), high);
    for (int i = 0; i < n; i++) {
        double l = 1;
        for (int j = 0; j < n; j++)
            if (j != i) l *= (z - at[j]) / (at[i] - at[j]);
        sum += l * c[i];
    }
    return sum - r->middle;
}

static double crossed(const dlpi_remainder *r, dlp_index k, dlp_index l)
{
    const double both = r->cross[k * r->explore->m + l];
    if (r->explore->m > MOST_CROSSED || !isfinite(both)) return 0;
    return (both - r->side[2 * k] - r->side[2 * k + 1] - r->side[2 * l] -
            r->side[2 * l + 1] + 2 * r->middle) /
           (2 * SIDE * SIDE);
}

static double near(double z)
{
    return fmin(fmax(z, -2 * SIDE), 2 * SIDE);
}

double dlpi_remainder_at(const dlpi_remainder *r, const double *z)
{
    const dlp_index m = r->explore->m;
    double sum = r->middle;
    if (!r->matters) return 0;
    for (dlp_index k = 0; k < m; k++) {
        sum += along(r, k, z[k]);
        for (dlp_index l = k + 1; l < m; l++)
            sum += crossed(r, k, l) * near(z[k]) * near(z[l]);
    }
    return sum;
}

double dlpi_remainder_range(const dlpi_remainder *r)
{
    double most = 0;
    for (dlp_index i = 0; r->matters && i < 2 * r->explore->m; i++)
        most = fmax(most, fabs(r->side[i] - r->middle));
    return most;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/remainder.h"

#include "core/core.h"
#include "mixed/result/laplace_correction.h"

#include <math.h>
#include <string.h>

enum { FIRST = 3, FEW = 8, MANY = 32, MOST_CROSSED = 3, MOST_FAR = 6 };
static const double SIDE = 1.41421356237309505; /* sds of psi */
static const double MOST =
    2.5; /* the factor by which an sd between levels may differ from that at the mode */

dlp_status dlpi_remainder_make(const dlpi_mixed *model, const dlpi_explore *explore,
                               dlpi_remainder *to, dlp_error *error)
{
    const dlp_index m = explore->m, n = model->rows.n,
                    effects = model->rows.L * model->rows.q;
    *to = (dlpi_remainder){.explore = explore};
    to->matters = model->skewed && model->rows.n_other > 0;
    to->side = dlpi_calloc(10 * m + m * m, sizeof *to->side);
    if (!to->side) return dlpi_no_memory(error, "a mixed model");
    to->far = to->side + 2 * m;
    to->out = to->far + 2 * m;
    to->cross = to->out + 2 * m;
    to->psi = to->cross + m * m;
    to->sd = to->psi + m;
    to->mode = to->sd + m;
    to->wide = to->mode + m;
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

/* ---- where it is computed ---- */

/* With a few draws, and with more where these show that it matters. */
static void find_middle(dlpi_remainder *r, dlpi_mixed_block *block)
{
    const double little = 0.03, clearly_little = 0.02;
    const dlpi_beyond first = dlpi_mixed_beyond(block, FIRST, NULL);
    r->matters = !(first.is_trusted && fabs(first.log_p) < clearly_little);
    if (!r->matters) return;
    const dlpi_beyond few = dlpi_mixed_beyond(block, FEW, NULL);
    r->matters = few.is_trusted && fabs(few.log_p) > little;
    if (!r->matters) return;
    const dlpi_beyond found = dlpi_mixed_beyond(block, MANY, r->shift);
    r->middle = found.is_trusted ? found.log_p : 0;
}

/* At mode + a e_k + b e_l, in sds, starting from where an earlier search ended. */
static bool find_at(dlpi_remainder *r, dlpi_mixed_block *block, dlp_index k, double a,
                    dlp_index l, double b, double *value)
{
    memcpy(r->psi, r->mode, (size_t)r->explore->m * sizeof *r->psi);
    r->psi[k] += a * r->sd[k];
    r->psi[l] += b * r->sd[l];
    if (!isfinite(dlpi_mixed_block_at(block, r->psi))) return false;
    const dlpi_beyond found = dlpi_mixed_beyond(block, MANY, NULL);
    *value = found.log_p;
    return found.is_trusted;
}

/* The sds of psi, from the curvature of its density at the mode. */
static void find_sds(dlpi_remainder *r)
{
    const dlpi_explore *e = r->explore;
    for (dlp_index i = 0; i < e->m; i++) {
        double square = 0;
        for (dlp_index k = 0; k < e->m; k++)
            square += e->root[i * e->m + k] * e->root[i * e->m + k];
        r->sd[i] = fmin(sqrt(square), log(MOST) / (2 * SIDE));
        r->wide[i] = sqrt(square) / r->sd[i];
    }
}

/* How many sds out to go: an sd between levels changes by a factor of MOST at most, since
   the expansion does not hold for effects that vary without bounds. */
static double reach(double sd)
{
    return fmin(2 * SIDE, log(MOST) / sd);
}

static void find_along(dlpi_remainder *r, dlpi_mixed_block *block, dlp_index k)
{
    const double out = reach(r->sd[k]), least = 1.25 * SIDE;
    for (int side = 0; side < 2; side++) {
        const dlp_index i = 2 * k + side;
        const double sign = side ? 1 : -1;
        if (!find_at(r, block, k, sign * SIDE, k, 0, &r->side[i])) {
            r->side[i] = r->middle;
            continue;
        }
        const bool farther = r->explore->m <= MOST_FAR && out >= least;
        if (farther && find_at(r, block, k, sign * out, k, 0, &r->far[i]))
            r->out[i] = out;
    }
}

/* The joint part of two: c(a, a) + c(-a, -a) less the part of each alone. */
static double find_crossed(dlpi_remainder *r, dlpi_mixed_block *block, dlp_index k,
                           dlp_index l)
{
    double both[2];
    for (int side = 0; side < 2; side++) {
        const double by = side ? SIDE : -SIDE;
        if (!find_at(r, block, k, by, l, by, &both[side])) return 0;
    }
    const double *c = r->side;
    return (both[0] + both[1] - c[2 * k] - c[2 * k + 1] - c[2 * l] - c[2 * l + 1] +
            2 * r->middle) /
           (2 * SIDE * SIDE);
}

void dlpi_remainder_find(dlpi_remainder *r, dlpi_mixed_block *block)
{
    const dlp_index m = r->explore->m;
    if (!r->matters) return;
    find_middle(r, block);
    if (!r->matters) return;
    memcpy(r->mode, r->explore->mode, (size_t)m * sizeof *r->mode);
    find_sds(r);
    for (dlp_index k = 0; k < m; k++) find_along(r, block, k);
    for (dlp_index k = 0; k < m && m <= MOST_CROSSED; k++)
        for (dlp_index l = k + 1; l < m; l++)
            r->cross[k * m + l] = find_crossed(r, block, k, l);
}

/* ---- interpolation ---- */

/* Tails are longer than these sds suggest: the mode was found without the remainder. */
static double reach_of_tails(double sd)
{
    return fmax(fmin(3 * SIDE, log(MOST) / sd), SIDE);
}

/* The slope with which it continues beyond side i, per sd. */
static double slope(const dlpi_remainder *r, dlp_index i)
{
    if (r->out[i] == 0) return 0;
    return (i % 2 ? 1 : -1) * (r->far[i] - r->side[i]) / (r->out[i] - SIDE);
}

/* For psi_k, z sds from the mode: the polynomial through all known values, and a straight
   line beyond them. */
static double along(const dlpi_remainder *r, dlp_index k, double z)
{
    double at[5] = {-SIDE, 0, SIDE},
           c[5] = {r->side[2 * k], r->middle, r->side[2 * k + 1]}, sum = 0, low = -SIDE,
           high = SIDE;
    int n = 3;
    if (r->out[2 * k] > 0) low = at[n] = -r->out[2 * k], c[n++] = r->far[2 * k];
    if (r->out[2 * k + 1] > 0)
        high = at[n] = r->out[2 * k + 1], c[n++] = r->far[2 * k + 1];
    const double more = reach_of_tails(r->sd[k]), inside = fmin(fmax(z, low), high),
                 outside = fmin(fmax(z, -more), more) - inside;
    for (int i = 0; i < n; i++) {
        double l = 1;
        for (int j = 0; j < n; j++)
            if (j != i) l *= (inside - at[j]) / (at[i] - at[j]);
        sum += l * c[i];
    }
    return sum - r->middle + slope(r, 2 * k + (z > 0)) * outside;
}

static double near(double z)
{
    return fmin(fmax(z, -2 * SIDE), 2 * SIDE);
}

double dlpi_remainder_at(const dlpi_remainder *r, const double *psi)
{
    const dlp_index m = r->explore->m;
    double sum = r->middle;
    if (!r->matters) return 0;
    for (dlp_index k = 0; k < m; k++) {
        const double z = (psi[k] - r->mode[k]) / r->sd[k];
        sum += along(r, k, z);
        for (dlp_index l = k + 1; l < m; l++)
            sum += r->cross[k * m + l] * near(z) * near((psi[l] - r->mode[l]) / r->sd[l]);
    }
    return sum;
}

double dlpi_remainder_range(const dlpi_remainder *r)
{
    const double widest = 3; /* what is beyond is the prior's */
    double most = 0;
    for (dlp_index i = 0; r->matters && i < 2 * r->explore->m; i++)
        most = fmax(most, fmin(r->wide[i / 2], widest) * fabs(r->side[i] - r->middle));
    return most;
}

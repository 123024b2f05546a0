/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/hierarchy/hierarchy_scale.h"

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdlib.h>

/* exp(tau) is computed only for |tau| up to this. */
static const double FARTHEST = 100;

/* The slope in tau, and the sums from which its variance follows. */
typedef struct slopes {
    double slope;
    double told; /* sum of -l_ee c: how many rows' worth the coefficients have used up */
    double rows; /* the sum of their weights */
} slopes;

/* The slope is sum_n l_t + l_eet c / 2, over all groups in order, plus the prior's. */
static slopes slopes_at(const dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups,
                        double tau)
{
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *g = groups->worker[0].glm;
    const double *c = scale->c;
    slopes s = {.slope = -(tau - prior.scale_mean) / (prior.scale_sd * prior.scale_sd)};
    for (dlp_index m = 0; m < groups->M; m++) {
        g->data = groups->data[m];
        for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
            const dlpi_rows *r = &g->rows;
            dlpi_tile_load(g, groups->mu + m * groups->n, at);
            dlpi_tile_evaluate(g, tau, 3);
            for (dlp_index i = 0; i < r->n; i++, c++) {
                s.slope += r->l_t[i] + 0.5 * r->l_eet[i] * *c;
                s.told -= r->l_ee[i] * *c;
                s.rows += dlpi_weight_of(r, i);
            }
        }
    }
    return s;
}

/* c_n = x_n'Sigma_m x_n */
static void take_variances(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups)
{
    dlp_glm *g = groups->worker[0].glm;
    double *c = scale->c;
    for (dlp_index m = 0; m < groups->M; m++) {
        g->data = groups->data[m];
        dlpi_groups_covariance(groups, m, groups->sub);
        for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
            dlpi_tile_load(g, groups->mu + m * groups->n, at);
            dlpi_tile_variances(g, at, groups->sub, c);
            c += g->rows.n;
        }
    }
}

/* Finds where the slope is 0, between lo, where it is at_lo > 0, and hi, where it is
   at_hi: by false position, with the Illinois rule against an end that stays. */
static double find_zero(const dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups,
                        double lo, double at_lo, double hi, double at_hi)
{
    enum { MOST = 100 };
    const double enough = 1e-12;
    int kept = 0; /* which end stayed the last time */
    for (int i = 0; i < MOST && hi - lo > enough * (1 + fabs(lo)); i++) {
        double tau = (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
        if (!(tau > lo && tau < hi)) tau = 0.5 * (lo + hi);
        const double slope = slopes_at(scale, groups, tau).slope;
        if (slope == 0) return tau;
        if (slope > 0) {
            if (kept > 0) at_hi *= 0.5;
            lo = tau, at_lo = slope, kept = 1;
        } else {
            if (kept < 0) at_lo *= 0.5;
            hi = tau, at_hi = slope, kept = -1;
        }
        if (fabs(slope) <= enough * (double)scale->N) return tau;
    }
    return 0.5 * (lo + hi);
}

double dlpi_shared_scale_variance(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups)
{
    const double step = 1e-4, tau = groups->tau;
    take_variances(scale, groups);
    const slopes at = slopes_at(scale, groups, tau);
    const double up = slopes_at(scale, groups, tau + step).slope,
                 down = slopes_at(scale, groups, tau - step).slope;
    const double curvature = (down - up) / (2 * step);
    const double left = fmax(1 - at.told / at.rows, 1e-3);
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const double least = 1 / (prior.scale_sd * prior.scale_sd);
    return 1 / fmax(curvature * left, least);
}

void dlpi_shared_scale_update(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups)
{
    double step = 0.5, lo = scale->tau - step, hi = scale->tau + step;
    take_variances(scale, groups);
    double at_lo = slopes_at(scale, groups, lo).slope,
           at_hi = slopes_at(scale, groups, hi).slope;
    while (lo > -FARTHEST && at_lo < 0) {
        hi = lo, at_hi = at_lo;
        lo -= step *= 2;
        at_lo = slopes_at(scale, groups, lo).slope;
    }
    while (hi < FARTHEST && at_hi > 0) {
        lo = hi, at_lo = at_hi;
        hi += step *= 2;
        at_hi = slopes_at(scale, groups, hi).slope;
    }
    scale->tau = find_zero(scale, groups, lo, at_lo, hi, at_hi);
}

double dlpi_shared_scale_log_prior(double tau)
{
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const double log_2_pi = 1.8378770664093454836,
                 z = (tau - prior.scale_mean) / prior.scale_sd;
    return -0.5 * (z * z + log_2_pi) - log(prior.scale_sd);
}

void dlpi_shared_scale_reset(dlpi_shared_scale *scale)
{
    scale->tau = dlp_glm_prior_default().scale_mean;
}

dlp_status dlpi_shared_scale_alloc(dlpi_shared_scale *scale,
                                   const dlpi_hierarchy_groups *groups, dlp_error *error)
{
    scale->N = 0;
    for (dlp_index m = 0; m < groups->M; m++) scale->N += groups->data[m].N;
    scale->c = dlpi_calloc(scale->N, sizeof *scale->c);
    return scale->c ? DLP_OK : dlpi_no_memory(error, "the scale of a hierarchy");
}

void dlpi_shared_scale_free(dlpi_shared_scale *scale)
{
    free(scale->c);
    *scale = (dlpi_shared_scale){0};
}

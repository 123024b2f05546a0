/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/hierarchy/hierarchy_scale.h"

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* exp(tau) is computed only for |tau| up to this. */
static const double FARTHEST = 100;

static void add_group(const dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups,
                      dlp_glm *g, dlp_index m, double tau)
{
    const double *c = scale->c + scale->first[m];
    dlpi_scale_slopes s = {0};
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
    scale->group[m] = s;
}

/* The slope is sum_n l_t + l_eet c / 2, each group summed from 0 and all in order, plus
   the prior's. */
static dlpi_scale_slopes slopes_at(dlpi_shared_scale *scale,
                                   dlpi_hierarchy_groups *groups, double tau)
{
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlpi_scale_slopes s = {.slope = -(tau - prior.scale_mean) /
                                    (prior.scale_sd * prior.scale_sd)};
#pragma omp parallel for schedule(dynamic) num_threads(groups->threads + !groups->threads)
    for (dlp_index m = groups->from; m < groups->to; m++)
        add_group(scale, groups, groups->worker[omp_get_thread_num()].glm, m, tau);
    if (scale->status == DLP_OK)
        scale->status =
            dlpi_groups_share(groups, scale->group, sizeof *scale->group, &scale->error);
    for (dlp_index m = 0; m < groups->M; m++) {
        s.slope += scale->group[m].slope;
        s.told += scale->group[m].told;
        s.rows += scale->group[m].rows;
    }
    return s;
}

/* c_n = x_n'Sigma_m x_n; S (fitted, fitted) is room. */
static void take_of_group(const dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups,
                          dlp_glm *g, double *S, dlp_index m)
{
    double *c = scale->c + scale->first[m];
    g->data = groups->data[m];
    dlpi_groups_covariance(groups, m, S);
    for (dlp_index at = 0; at < g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(g, groups->mu + m * groups->n, at);
        dlpi_tile_variances(g, at, S, c);
        c += g->rows.n;
    }
}

static void take_variances(const dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups)
{
    const dlp_index square = groups->fitted * groups->fitted;
#pragma omp parallel for schedule(dynamic) num_threads(groups->threads + !groups->threads)
    for (dlp_index m = groups->from; m < groups->to; m++) {
        const int worker = omp_get_thread_num();
        take_of_group(scale, groups, groups->worker[worker].glm,
                      scale->S + worker * square, m);
    }
}

/* Finds where the slope is 0, between lo, where it is at_lo > 0, and hi, where it is
   at_hi: by false position, with the Illinois rule against an end that stays. */
static double find_zero(dlpi_shared_scale *scale, dlpi_hierarchy_groups *groups,
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
    const dlpi_scale_slopes at = slopes_at(scale, groups, tau);
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
    const dlp_index M = groups->M, q = groups->fitted;
    dlp_index own = 0;
    scale->first = dlpi_calloc(M, sizeof *scale->first);
    scale->group = dlpi_calloc(M, sizeof *scale->group);
    scale->S =
        dlpi_calloc(dlpi_size(q, q, 0), sizeof *scale->S * (size_t)groups->threads);
    for (dlp_index m = 0; scale->first && m < M; m++) {
        scale->N += groups->data[m].N;
        scale->first[m] = own;
        if (m >= groups->from && m < groups->to) own += groups->data[m].N;
    }
    scale->c = dlpi_calloc(own, sizeof *scale->c);
    if (scale->c && scale->first && scale->group && scale->S) return DLP_OK;
    return dlpi_no_memory(error, "the scale of a hierarchy");
}

dlp_status dlpi_shared_scale_check(const dlpi_shared_scale *scale, dlp_error *error)
{
    if (scale->status == DLP_OK) return DLP_OK;
    return dlpi_advise(error, scale->error.remedy,
                       dlp_fail(error, scale->status, "%s", scale->error.message));
}

void dlpi_shared_scale_free(dlpi_shared_scale *scale)
{
    free(scale->c);
    free(scale->first);
    free(scale->group);
    free(scale->S);
    *scale = (dlpi_shared_scale){0};
}

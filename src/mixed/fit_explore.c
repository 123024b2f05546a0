/* SPDX-License-Identifier: BSD-3-Clause */
/* What the integration over scales asks of a mixed model. */
#include "comm/comm.h"
#include "core/core.h"
#include "math/dense.h"
#include "mixed/fit_run.h"
#include "mixed/result/laplace_correction.h"
#include "mixed/result/sample.h"
#include "mixed/scales/information.h"

#include <math.h>
#include <string.h>

typedef dlpi_mixed_run run;

/* ---- the density of psi ---- */

static double log_density(void *context, int worker, const double *psi)
{
    run *r = context;
    dlpi_mixed_block *block = &r->block[worker];
    const double log_p = r->begun[worker] ? dlpi_mixed_block_from(block, psi)
                                          : dlpi_mixed_block_at(block, psi);
    const double beyond = r->begun[worker] ? r->beyond_here[worker] : 0;
    r->begun[worker] = false;
    dlpi_listener_poll_inside(r->listener);
    return log_p + beyond + dlpi_hyper_log_prior(&r->model.layout, r->model.prior, psi);
}

static void begin_at(void *context, const double *psi)
{
    run *r = context;
    const dlpi_mixed_rows *rows = &r->model.rows;
    dlpi_mixed_block *block = &r->block[0];
    const bool there = block->converged &&
                       !memcmp(block->at, psi, (size_t)r->model.layout.m * sizeof *psi);
    if (!there && !isfinite(dlpi_mixed_block_at(block, psi))) return;
    memcpy(r->model.x, block->x, (size_t)rows->n * sizeof *block->x);
    memcpy(r->model.b, block->b, (size_t)(rows->L * rows->q) * sizeof *block->b);
}

/* The derivative by tau, which Fisher's identity does not give: by differences, starting
   from the worker's position. */
static double differ_by(dlpi_mixed_block *block, dlp_index tau, double *psi)
{
    const double apart = 0.02;
    double value[2], kept = psi[tau];
    for (int side = 0; side < 2; side++) {
        psi[tau] = kept + (side ? apart : -apart);
        value[side] = dlpi_mixed_block_from(block, psi);
    }
    psi[tau] = kept;
    return (value[1] - value[0]) / (2 * apart);
}

static bool gradient(void *context, int worker, const double *psi, double *g)
{
    run *r = context;
    const dlpi_hyper_layout *layout = &r->model.layout;
    dlpi_mixed_block *block = &r->block[worker];
    const double apart = 1e-4;
    if (!block->converged) return false;
    dlpi_mixed_block_invert(block);
    dlpi_mixed_block_gradient(block, psi, g);
    double *at = r->psi + worker * layout->m;
    memcpy(at, psi, (size_t)layout->m * sizeof *at);
    for (dlp_index i = 0; i < layout->m; i++) {
        at[i] = psi[i] + apart;
        const double up = dlpi_hyper_log_prior(layout, r->model.prior, at);
        at[i] = psi[i] - apart;
        g[i] += (up - dlpi_hyper_log_prior(layout, r->model.prior, at)) / (2 * apart);
        at[i] = psi[i];
    }
    for (dlp_index i = 0; i < layout->scales && !r->model.data->is_linear; i++)
        g[layout->tau + i] += differ_by(block, layout->tau + i, at);
    return true;
}

/* Whether the density of psi has so much curvature that the average information I
   approximates it well: with thousands of levels and rows it is within hundredths, and
   try_axes then checks along the axes. */
static bool is_average_enough(const run *r, const double *I)
{
    const double sharp = 1000;
    const dlp_index m = r->model.layout.m;
    bool all = r->model.rows.n > DLPI_MIXED_MUCH;
    for (dlp_index i = 0; i < m; i++) all = all && I[i * (m + 1)] > sharp;
    return all;
}

static bool information(void *context, int worker, const double *psi, bool exactly,
                        double *I)
{
    run *r = context;
    const dlpi_hyper_layout *layout = &r->model.layout;
    const double apart = 1e-3;
    if (!r->block[worker].converged || !dlpi_mixed_has_information(&r->model, exactly))
        return false;
    dlpi_mixed_block_information(&r->block[worker], false, I);
    if (exactly && !is_average_enough(r, I))
        dlpi_mixed_block_information(&r->block[worker], true, I);
    double *at = r->psi + worker * layout->m;
    memcpy(at, psi, (size_t)layout->m * sizeof *at);
    const double here = dlpi_hyper_log_prior(layout, r->model.prior, at);
    for (dlp_index i = 0; i < layout->m; i++) { /* the priors are independent */
        at[i] = psi[i] + apart;
        const double up = dlpi_hyper_log_prior(layout, r->model.prior, at);
        at[i] = psi[i] - apart;
        const double down = dlpi_hyper_log_prior(layout, r->model.prior, at);
        I[i * (layout->m + 1)] -= (up - 2 * here + down) / (apart * apart);
        at[i] = psi[i];
    }
    return true;
}

/* ---- where to begin ---- */

static double note(void *context, int worker, int i, bool is_known)
{
    run *r = context;
    if (!r->warm.side) return 0;
    dlpi_warm_start_side(&r->warm, &r->block[worker], i, is_known);
    if (!is_known) return 0;
    if (i < 2 * r->model.layout.m)
        return dlpi_remainder_at(&r->remainder, r->block[worker].at);
    dlpi_remainder_find(&r->remainder, &r->block[worker]);
    return dlpi_remainder_at(&r->remainder, r->explore.mode);
}

static double beyond(void *context, const double *psi)
{
    const run *r = context;
    return dlpi_remainder_at(&r->remainder, psi);
}

static void note_axis(void *context, int worker, int i, double apart)
{
    run *r = context;
    dlpi_warm_start_axis(&r->warm, &r->block[worker], i, apart);
}

static void begin_opposite(void *context, int worker, int i)
{
    run *r = context;
    r->beyond_here[worker] = 0;
    r->begun[worker] = dlpi_warm_start_opposite(&r->warm, i, &r->block[worker]);
}

static void begin_aside(void *context, int worker, const double *psi)
{
    run *r = context;
    r->beyond_here[worker] = 0;
    r->begun[worker] = dlpi_warm_start_aside(&r->warm, psi, &r->block[worker]);
}

static void begin_near(void *context, int worker, const double *z)
{
    run *r = context;
    if (!dlpi_warm_start_near(&r->warm, z, &r->block[worker])) return;
    double *psi = r->psi + worker * r->model.layout.m;
    dlpi_explore_psi(&r->explore, z, psi);
    r->beyond_here[worker] = dlpi_remainder_at(&r->remainder, psi);
    r->begun[worker] = true;
}

static void begin_beside(void *context, int worker, int point)
{
    run *r = context;
    if (r->begun[worker])
        (void)dlpi_warm_start_beside(&r->warm, point, &r->block[worker]);
}

static void note_point(void *context, int worker, int point)
{
    run *r = context;
    dlpi_warm_start_point(&r->warm, &r->block[worker], point);
}

static void look(void *context, int worker)
{
    run *r = context;
    const dlpi_explore *e = &r->explore;
    dlpi_effects_look(r->effects, worker, e->is_informed && e->is_sharp);
}

static void take(void *context, int worker, int point, double weight)
{
    run *r = context;
    dlpi_effects_take(r->effects, worker, point, weight);
}

static void forget(void *context)
{
    run *r = context;
    dlpi_effects_forget(r->effects);
}

/* ---- by several processes ---- */

static long effort(void *context)
{
    const run *r = context;
    long sum = 0;
    for (int i = 0; i < r->threads; i++) sum += r->block[i].evaluations;
    return sum;
}

/* What a worker finds at a point: x, b, and whether that is a mode; and what `look` adds:
   Cov[x | psi], and the moments of all leaves. */
static void save(void *context, int worker, bool looked, double *to)
{
    const run *r = context;
    const dlpi_mixed_block *block = &r->block[worker];
    const dlp_index n = r->model.rows.n, effects = r->model.rows.L * r->model.rows.q,
                    found = 1 + n + effects;
    *to = block->converged;
    memcpy(to + 1, block->x, (size_t)n * sizeof *to);
    memcpy(to + 1 + n, block->b, (size_t)effects * sizeof *to);
    if (!looked) return;
    const dlp_index entries = dlpi_mixed_entries(&block->S);
    memcpy(to + found, block->S.a, (size_t)entries * sizeof *to);
    dlpi_effects_copy_seen(r->effects, worker, to + found + entries);
}

static void restore(void *context, int worker, bool looked, const double *from)
{
    run *r = context;
    dlpi_mixed_block *block = &r->block[worker];
    const dlp_index n = r->model.rows.n, effects = r->model.rows.L * r->model.rows.q,
                    found = 1 + n + effects;
    block->converged = *from != 0;
    for (dlp_index i = 0; i < r->model.layout.m; i++)
        block->at[i] = NAN; /* this worker has not been there itself */
    memcpy(block->x, from + 1, (size_t)n * sizeof *from);
    memcpy(block->b, from + 1 + n, (size_t)effects * sizeof *from);
    if (!looked) return;
    const dlp_index entries = dlpi_mixed_entries(&block->S);
    memcpy(block->S.a, from + found, (size_t)entries * sizeof *from);
    dlpi_effects_set_seen(r->effects, worker, from + found + entries);
}

static void set_processes(run *r, dlpi_comm *comm)
{
    dlpi_explore *e = &r->explore;
    /* where leaves are divided, all processes are at the same point */
    if (!comm || comm->size == 1 || r->model.data->division) return;
    e->comm = comm;
    e->found = 1 + r->model.rows.n + r->model.rows.L * r->model.rows.q;
    e->seen = dlpi_mixed_entries(&r->block[0].S) + dlpi_effects_seen(r->effects);
    e->save = save;
    e->restore = restore;
    e->effort = effort;
}

static void tell(void *context, int i, int n)
{
    const run *r = context;
    dlpi_listener_report_point(r->listener, i, n);
}

bool dlpi_mixed_stopped(void *context)
{
    const run *r = context;
    return dlpi_listener_stopped(r->listener);
}

/* ---- the whole ---- */

/* The information of a term's levels about the logarithms of its sds and its
   correlations, if their effects were known; and of rows about that of the scale. */
static void set_stiffness(run *r)
{
    const dlpi_hyper_layout *layout = &r->model.layout;
    if (layout->is_restricted) return; /* there is no gradient, either */
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const dlp_index q = layout->q[t];
        const double L = (double)dlpi_mixed_levels(r->model.data, t);
        const dlp_index more =
            layout->process[t] ? dlpi_process_more(layout->process[t]) : 0;
        for (dlp_index i = 0; i < q + q * (q - 1) / 2 + more; i++) {
            const dlp_index all = layout->at[t] + i,
                            at = layout->psi_of ? layout->psi_of[all] : all;
            if (at >= 0) r->stiff[at] = i < q ? L : 0.5 * L;
        }
    }
    for (dlp_index i = 0; i < layout->scales; i++)
        r->stiff[layout->tau + i] = 2 * (double)r->given;
}

/* Marks the log sds that are in psi as they are, without bounds. */
static void find_log_sds(run *r)
{
    const dlpi_hyper_layout *layout = &r->model.layout;
    for (dlp_index t = 0; t < layout->n_terms; t++)
        for (dlp_index i = 0; i < layout->q[t]; i++) {
            const dlp_index all = layout->at[t] + i,
                            at = layout->psi_of ? layout->psi_of[all] : all;
            if (at >= 0 && !(layout->bound && layout->bound[all])) r->log_sd[at] = true;
        }
}

dlp_status dlpi_mixed_explore_alloc(dlpi_mixed_run *r, dlp_error *error)
{
    const dlp_index m = r->model.layout.m;
    DLP_TRY(dlpi_explore_alloc(&r->explore, m, error));
    r->psi = dlpi_calloc((r->threads + 1) * m + r->threads, sizeof *r->psi);
    r->begun = dlpi_calloc(r->threads + m, sizeof *r->begun);
    if (!r->psi || !r->begun) return dlpi_no_memory(error, "a mixed model");
    r->stiff = r->psi + r->threads * m;
    r->log_sd = r->begun + r->threads;
    find_log_sds(r);
    r->beyond_here = r->stiff + m;
    set_stiffness(r);
    if (r->model.skewed)
        DLP_TRY(dlpi_warm_start_make(&r->model, &r->explore, &r->warm, error));
    DLP_TRY(dlpi_remainder_make(&r->model, &r->explore, &r->remainder, error));
    return dlpi_effects_begin(&r->model, &r->explore, r->block, r->threads, r->result,
                              &r->effects, error);
}

/* Whether a fit, given the scales, takes microseconds, so that there may be thousands. */
static bool is_quick(const run *r)
{
    const dlp_index rows = 500, unknowns = 128, moments = 4000;
    const dlpi_mixed_rows *of = &r->model.rows;
    if (!r->model.data->is_linear || of->L * of->q * of->q > moments) return false;
    return r->model.products.size > 0 || (r->given <= rows && of->n <= unknowns);
}

void dlpi_mixed_explore_set(dlpi_mixed_run *r, const dlpi_mixed_settings *settings)
{
    dlpi_explore *e = &r->explore;
    e->threads = r->threads;
    e->log_density = log_density;
    e->begin_at = begin_at;
    e->stopped = dlpi_mixed_stopped;
    e->tell = tell;
    e->gradient = r->model.layout.is_restricted ? NULL : gradient;
    e->information = dlpi_mixed_has_information(&r->model, false) ? information : NULL;
    e->stiff = r->stiff;
    e->log_sd = r->log_sd;
    e->note = r->model.skewed ? note : NULL;
    e->beyond = r->remainder.matters && r->warm.side ? beyond : NULL;
    e->begin_near = begin_near;
    e->note_axis = note_axis;
    e->begin_opposite = begin_opposite;
    e->begin_aside = begin_aside;
    e->begin_beside = begin_beside;
    e->note_point = note_point;
    e->look = look;
    e->take = take;
    e->forget = forget;
    e->context = r;
    e->no_design = true;
    e->adaptive = true;
    /* zeros explained by one scale need not be explained by the other */
    e->bent = r->model.data->levels == 0 && r->model.data->scales > 1;
    /* two effects per level need up to 81 nodes per row, and a fine grid thousands of
       points */
    e->costly = r->model.skewed && r->model.rows.q > 1 && r->given > 100;
    e->quick = is_quick(r);
    e->cheap = r->given <= (r->model.skewed ? 2000 : 20000);
    e->only_mode = settings->only_mode;
    set_processes(r, settings->comm);
}

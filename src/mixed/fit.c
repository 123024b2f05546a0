/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/fit.h"

#include "comm/comm.h"
#include "core/core.h"
#include "infer/explore.h"
#include "math/dense.h"
#include "mixed/fewer_rows.h"
#include "mixed/leaves/cubature.h"
#include "mixed/levels/softmax.h"
#include "mixed/result/laplace_correction.h"
#include "mixed/result/sample.h"
#include "mixed/result/summary.h"
#include "mixed/scales/information.h"
#include "mixed/scales/moments_start.h"
#include "mixed/scales/remainder.h"
#include "mixed/scales/warm_start.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { MUCH = 256 }; /* unknowns, from which on saving a step of a search matters */

/* A fit under way. */
typedef struct run {
    dlpi_fewer_rows fewer;
    dlp_index given; /* rows, before they became fewer */
    dlpi_mixed model;
    dlp_pattern *pattern;
    dlpi_explore explore;
    dlpi_mixed_block *block; /* (threads) */
    int threads;
    double *psi;   /* (threads, m) room, */
    double *stiff; /* and (m) the rough curvature of the density */
    bool *begun;   /* (threads) the worker has been told where to begin */
    bool *log_sd;  /* (m) psi is the logarithm of an sd */
    dlpi_warm_start warm;
    dlpi_remainder remainder; /* of log p(y | psi), */
    double *beyond_here;      /* and (threads) its value where a worker begins */
    dlpi_effects *effects;
    dlpi_listener *listener, nobody;
    dlpi_mixed_result *result;
} run;

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
    bool all = r->model.rows.n > MUCH;
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
    if (!comm || comm->size == 1) return;
    e->comm = comm;
    e->found = 1 + r->model.rows.n + r->model.rows.L * r->model.rows.q;
    e->seen = dlpi_mixed_entries(&r->block[0].S) + dlpi_effects_seen(r->effects);
    e->save = save;
    e->restore = restore;
    e->effort = effort;
}

static bool stopped(void *context)
{
    const run *r = context;
    return dlpi_listener_stopped(r->listener);
}

/* ---- preparation ---- */

/* A leaf links all nodes of processes in its rows: if these are many, the term is better
   kept in x with them. */
static bool is_cheap(const dlpi_mixed_data *data, dlp_index leaf)
{
    const dlp_index L = data->term[leaf].L;
    const double rows = (double)data->N / (double)L, most = 64;
    bool alone = true;
    for (dlp_index t = 0; t < data->n_terms; t++) alone &= !data->term[t].process;
    return alone || rows <= most;
}

/* The term with the most levels, or -1. */
static dlp_index choose_leaf(const dlpi_mixed_data *data)
{
    dlp_index leaf = -1;
    for (dlp_index t = 0; t < data->n_terms; t++)
        if (!data->term[t].process && (leaf < 0 || data->term[t].L > data->term[leaf].L))
            leaf = t;
    return leaf >= 0 && is_cheap(data, leaf) ? leaf : -1;
}

static dlpi_leaf_rule choose_rule(const dlpi_mixed_data *data, dlp_index leaf)
{
    if (leaf < 0) return DLPI_LEAF_LAPLACE;
    const dlp_index q = data->term[leaf].q;
    if (data->predictors > 1)
        return q > DLPI_SOFTMAX_EFFECTS ? DLPI_LEAF_LAPLACE : DLPI_LEAF_HERMITE;
    return data->is_linear || q > DLPI_CUBATURE_EFFECTS ? DLPI_LEAF_LAPLACE
           : q == 1 && data->positive                   ? DLPI_LEAF_INTERVAL
           : q == 1                                     ? DLPI_LEAF_TRAPEZOID
           : q == 2                                     ? DLPI_LEAF_HERMITE
                                                        : DLPI_LEAF_CUBATURE;
}

/* Whether the covariances of the effects are few enough to keep all. With a sparse
   curvature only those at its entries are known. */
static bool is_whole(const dlpi_mixed *model)
{
    const dlpi_mixed_rows *rows = &model->rows;
    const dlp_index others = rows->n - rows->p, most = 20000;
    for (dlp_index t = 0; t < model->data->n_terms; t++)
        if (model->data->term[t].process) return false;
    return model->shape.structure != DLP_SPARSE && others <= most &&
           (rows->L * rows->q + others) * others <= most;
}

/* Each worker has matrices of the order of x. */
static dlp_status check_size(run *r, dlp_error *error)
{
    const double n = (double)r->model.rows.n, most = 3e9 / sizeof(double);
    double each = 4 * n * n;
    if (r->model.shape.structure == DLP_SPARSE) {
        const dlp_pattern_cost cost = dlp_pattern_cost_of(r->pattern);
        each = 3 * (double)cost.entries + (double)cost.stored;
    }
    while (r->threads > 1 && each * r->threads > most) r->threads--;
    if (each <= most) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the crossed random terms have too many levels: the %.0f effects "
                    "besides those of the largest term need %.0f GB; leave out a term",
                    n, each * sizeof(double) / 1e9);
}

/* U (fixed, fixed): room. */
static dlp_status measure_prior(dlpi_mixed *model, double *U, dlp_error *error)
{
    const dlp_index p = model->data->p, fixed = dlpi_mixed_fixed(model->data);
    for (dlp_index i = 0; i < fixed; i++)
        memcpy(U + i * fixed, model->prior->precision + i * p, (size_t)fixed * sizeof *U);
    if (dlpi_cholesky(fixed, U) >= 0)
        return dlp_fail(error, DLP_EINVAL,
                        "the prior precision is not positive definite");
    model->log_det_beta = dlpi_cholesky_log_det(fixed, U);
    return DLP_OK;
}

/* Whether leaves are known by their cross-products. */
static bool has_products(const dlpi_mixed *model)
{
    return model->data->is_linear && model->rule == DLPI_LEAF_LAPLACE &&
           model->rows.n_other == 0 && model->rows.leaf >= 0 &&
           model->data->predictors <= 1;
}

/* Whether the curvature is too long for a cache, and leaves add to it as in leaf_squares.h. */
static bool has_squares(const dlpi_mixed *model)
{
    return model->shape.structure != DLP_SPARSE && model->rows.n > MUCH &&
           model->rule == DLPI_LEAF_LAPLACE && model->rows.q == 1 &&
           model->data->predictors <= 1 && model->data->gaps.n == 0;
}

/* `after` wants to see the rows as they are. */
static dlp_status take_data(run *r, const dlpi_mixed_data *data, bool as_it_is,
                            dlp_error *error)
{
    r->given = data->N;
    r->fewer.data = *data;
    return as_it_is ? DLP_OK : dlpi_fewer_rows_make(data, &r->fewer, error);
}

static dlp_status prepare(run *r, const dlpi_mixed_prior *prior,
                          const dlpi_mixed_settings *settings, dlp_error *error)
{
    dlpi_mixed *model = &r->model;
    const dlpi_mixed_data *data = &r->fewer.data;
    const dlp_index leaf = choose_leaf(data), p = data->p;
    model->data = data;
    model->prior = prior;
    model->listener = r->listener;
    DLP_TRY(dlpi_hyper_layout_make(data, &model->layout, error));
    DLP_TRY(dlpi_hyper_restrict(&model->layout, prior, error));
    DLP_TRY(dlpi_mixed_rows_make(data, leaf, &model->rows, error));
    model->skewed = !data->is_linear;
    model->rule = settings->laplace ? DLPI_LEAF_LAPLACE : choose_rule(data, leaf);
    if (model->rows.n == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "a mixed model needs a coefficient: leave out '0 +'");
    DLP_TRY(dlpi_mixed_curvature(&model->rows, &r->pattern, &model->shape, error));
    DLP_TRY(check_size(r, error));
    model->whole = is_whole(model);
    const dlp_index n = model->rows.n, effects = model->rows.L * model->rows.q;
    model->x = dlpi_calloc(n + effects + p * p, sizeof *model->x);
    r->block = dlpi_calloc(r->threads, sizeof *r->block);
    if (!model->x || !r->block) return dlpi_no_memory(error, "a mixed model");
    model->b = model->x + n;
    if (settings->start)
        memcpy(model->x + n - p, settings->start, (size_t)p * sizeof *model->x);
    DLP_TRY(measure_prior(model, model->b + effects, error));
    if (data->n_terms == 0 && data->likelihood)
        DLP_TRY(dlpi_single_level_make(data, model->x, &model->flat, error));
    DLP_TRY(dlpi_constraints_make(&model->rows, &model->constraints, error));
    if (has_products(model))
        DLP_TRY(dlpi_leaf_products_make(&model->rows, model->x, &model->products, error));
    if (has_squares(model))
        DLP_TRY(dlpi_leaf_squares_make(&model->rows, &model->squares, error));
    for (int i = 0; i < r->threads; i++)
        DLP_TRY(dlpi_mixed_block_alloc(model, &r->block[i], error));
    return DLP_OK;
}

/* ---- the whole ---- */

/* Skipped points have no density, and the posterior needs all of them. */
static dlp_status check_cancelled(run *r, dlp_error *error)
{
    if (!stopped(r)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
}

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

static dlp_status alloc_explore(run *r, dlp_error *error)
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

/* The weight of points with a neighbour that has no fit, though the prior allows one: the
   grid may have ended there too early. */
static double find_cut(const run *r)
{
    const dlpi_explore *e = &r->explore;
    double sum = 0;
    for (int i = 0; i < e->points; i++) {
        if (isfinite(e->log_p[i])) continue;
        dlpi_explore_psi(e, e->z + i * e->m, r->psi);
        const double prior =
            dlpi_hyper_log_prior(&r->model.layout, r->model.prior, r->psi);
        if (isfinite(prior)) sum += dlpi_explore_beside(e, i);
    }
    return sum;
}

/* Findings that do not show in the answer itself. */
static void note_doubts(run *r)
{
    const dlpi_explore *e = &r->explore;
    r->result->by_laplace = r->model.skewed && r->model.rule == DLPI_LEAF_LAPLACE &&
                            r->model.rows.q > DLPI_CUBATURE_EFFECTS;
    r->result->cut = find_cut(r);
    r->result->by_design =
        e->points > 1 && !e->reach && !e->many && !e->normal_to_two_digits;
    r->result->is_adapted = e->centre && e->worth > 0.2;
    if (r->warm.side) r->result->left_out = dlpi_remainder_range(&r->remainder);
}

/* Whether a fit, given the scales, takes microseconds, so that there may be thousands. */
static bool is_quick(const run *r)
{
    const dlp_index rows = 500, unknowns = 128, moments = 4000;
    const dlpi_mixed_rows *of = &r->model.rows;
    if (!r->model.data->is_linear || of->L * of->q * of->q > moments) return false;
    return has_products(&r->model) || (r->given <= rows && of->n <= unknowns);
}

/* What the integration over psi needs to know about the model. */
static void set_explore(run *r, bool only_mode)
{
    dlpi_explore *e = &r->explore;
    e->threads = r->threads;
    e->log_density = log_density;
    e->begin_at = begin_at;
    e->stopped = stopped;
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
    e->costly = r->model.skewed && r->model.rows.q > 1 && r->model.rows.N > 100;
    e->quick = is_quick(r);
    e->cheap = r->given <= (r->model.skewed ? 2000 : 20000);
    e->only_mode = only_mode;
}

static dlp_status integrate(run *r, const dlpi_mixed_settings *settings, dlp_error *error)
{
    dlpi_explore *e = &r->explore;
    DLP_TRY(alloc_explore(r, error));
    set_explore(r, settings->only_mode);
    set_processes(r, settings->comm);
    dlpi_hyper_start(&r->model.layout, r->model.prior, settings->tau_start, e->mode);
    if (e->information && r->model.rows.n > MUCH)
        DLP_TRY(dlpi_moments_start(&r->model, e->mode, error));
    DLP_TRY(dlpi_explore_run(e, error));
    DLP_TRY(check_cancelled(r, error));
    r->result->outcome = e->outcome;
    if (e->points == 0) return DLP_OK;
    r->result->points = e->points;
    r->result->log_evidence = e->log_evidence;
    note_doubts(r);
    if (r->warm.side && r->remainder.matters &&
        isfinite(dlpi_mixed_block_at(&r->block[0], e->mode))) {
        dlpi_mixed_block_invert(&r->block[0]);
        dlpi_mixed_beyond_beta(&r->block[0], r->remainder.shift);
        dlpi_effects_shift(r->effects, r->remainder.shift);
    }
    DLP_TRY(dlpi_effects_end(r->effects, error));
    DLP_TRY(check_cancelled(r, error));
    const dlpi_taken taken = dlpi_effects_taken(r->effects);
    DLP_TRY(dlpi_summarise_hyper(&r->model, e, &taken, r->result, error));
    for (int i = 0; i < r->threads; i++)
        r->result->evaluations += r->block[i].evaluations;
    r->result->evaluations += e->elsewhere;
    const dlpi_mixed_found found = {&r->model, e, r->block, r->threads};
    return settings->after ? settings->after(settings->context, &found, error) : DLP_OK;
}

static void clear_run(run *r)
{
    for (int i = 0; r->block && i < r->threads; i++) dlpi_mixed_block_free(&r->block[i]);
    dlpi_effects_free(r->effects);
    free(r->psi);
    free(r->begun);
    dlpi_warm_start_clear(&r->warm);
    dlpi_remainder_clear(&r->remainder);
    free(r->block);
    free(r->model.x);
    dlp_pattern_free(r->pattern);
    dlpi_leaf_products_clear(&r->model.products);
    dlpi_leaf_squares_clear(&r->model.squares);
    dlpi_mixed_rows_clear(&r->model.rows);
    dlpi_single_level_clear(&r->model.flat);
    dlpi_constraints_clear(&r->model.constraints);
    dlpi_hyper_layout_clear(&r->model.layout);
    dlpi_explore_free(&r->explore);
    dlpi_fewer_rows_clear(&r->fewer);
}

dlp_status dlpi_mixed_fit(const dlpi_mixed_data *data, const dlpi_mixed_prior *prior,
                          const dlpi_mixed_settings *settings, dlpi_mixed_result *result,
                          dlp_error *error)
{
    run r = {.threads = settings->threads > 0 ? settings->threads : 1, .result = result};
    r.listener = settings->listener ? settings->listener : &r.nobody;
    *result = (dlpi_mixed_result){.outcome = DLP_NOT_STARTED};
    dlp_status status = take_data(&r, data, settings->after != NULL, error);
    if (status == DLP_OK) status = prepare(&r, prior, settings, error);
    if (status == DLP_OK) status = dlpi_mixed_result_alloc(data, result, error);
    if (status == DLP_OK) status = integrate(&r, settings, error);
    clear_run(&r);
    if (status != DLP_OK) dlpi_mixed_result_clear(result);
    return status;
}

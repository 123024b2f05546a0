/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/fit_run.h"

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
#include <string.h>

typedef dlpi_mixed_run run;

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
    return model->shape.structure != DLP_SPARSE && model->rows.n > DLPI_MIXED_MUCH &&
           model->rule == DLPI_LEAF_LAPLACE && model->rows.q == 1 &&
           model->data->predictors <= 1 && model->data->gaps.n == 0;
}

/* Whether sums over levels have chunks: where the model is one that can be divided, whether or
   not it is. */
static bool has_chunks(const dlpi_mixed_data *data)
{
    return data->n_terms == 1 && data->n_smooths == 0 && data->gaps.n == 0 &&
           data->predictors <= 1 && choose_leaf(data) == 0 &&
           data->p <= DLPI_DIVISIBLE_COLUMNS;
}

static dlp_status find_chunks(run *r, const dlpi_mixed_data *data, dlp_error *error)
{
    const dlpi_mixed_term *term = data->term;
    if (data->division || !has_chunks(data)) return DLP_OK;
    dlp_index *rows = dlpi_calloc(term->L, sizeof *rows);
    if (!rows) return dlpi_no_memory(error, "a mixed model");
    for (dlp_index i = 0; i < data->N; i++) rows[term->code[i]]++;
    r->own = dlpi_division_of_items(term->L, rows, NULL);
    free(rows);
    return r->own ? DLP_OK : dlpi_no_memory(error, "a mixed model");
}

/* Frees divided rows that are no longer needed. */
static void drop_columns(const dlpi_mixed_division *division)
{
    if (!division || !division->columns) return;
    free(*division->columns);
    *division->columns = NULL;
}

/* `after` wants to see the rows as they are. A Gaussian response has fewer rows, and all of
   those in each process. */
static dlp_status take_data(run *r, const dlpi_mixed_data *data, bool as_it_is,
                            dlp_error *error)
{
    r->given = data->division ? data->division->N : data->N;
    r->fewer.data = *data;
    DLP_TRY(find_chunks(r, data, error));
    dlpi_division *leaves = data->division ? data->division->leaves : r->own;
    if (leaves && leaves->chunks == 1) leaves = NULL;
    if (!data->is_linear) r->model.leaves = leaves;
    if (as_it_is) return DLP_OK;
    DLP_TRY(dlpi_fewer_rows_make(data, leaves, &r->fewer, error));
    if (r->fewer.data.division == data->division) return DLP_OK;
    drop_columns(data->division);
    return DLP_OK;
}

/* x and the effects of leaves begin at 0, except that the coefficients begin at `start`
   unless it is NULL; room for the threads' blocks. */
static dlp_status begin_unknowns(run *r, const double *start, dlp_error *error)
{
    dlpi_mixed *model = &r->model;
    const dlp_index n = model->rows.n, p = model->data->p,
                    effects = model->rows.L * model->rows.q;
    model->x = dlpi_calloc(n + effects + p * p, sizeof *model->x);
    r->block = dlpi_calloc(r->threads, sizeof *r->block);
    if (!model->x || !r->block) return dlpi_no_memory(error, "a mixed model");
    model->b = model->x + n;
    if (start) memcpy(model->x + n - p, start, (size_t)p * sizeof *model->x);
    return measure_prior(model, model->b + effects, error);
}

static dlp_status prepare(run *r, const dlpi_mixed_prior *prior,
                          const dlpi_mixed_settings *settings, dlp_error *error)
{
    dlpi_mixed *model = &r->model;
    const dlpi_mixed_data *data = &r->fewer.data;
    const dlp_index leaf = choose_leaf(data);
    model->data = data;
    model->prior = prior;
    model->listener = r->listener;
    DLP_TRY(dlpi_hyper_layout_make(data, &model->layout, error));
    DLP_TRY(dlpi_hyper_restrict(&model->layout, prior, error));
    DLP_TRY(dlpi_mixed_rows_make(data, leaf, &model->rows, error));
    drop_columns(data->division); /* leaves have copies */
    model->skewed = !data->is_linear;
    model->plain = settings->laplace && settings->only_mode;
    model->rule = settings->laplace ? DLPI_LEAF_LAPLACE : choose_rule(data, leaf);
    model->lanes = data->division ? r->threads : 1;
    if (data->division) r->threads = 1;
    if (model->rows.n == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "a mixed model needs a coefficient: leave out '0 +'");
    DLP_TRY(dlpi_mixed_curvature(&model->rows, &r->pattern, &model->shape, error));
    DLP_TRY(check_size(r, error));
    model->whole = is_whole(model);
    DLP_TRY(begin_unknowns(r, settings->start, error));
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
    if (!dlpi_mixed_stopped(r)) return DLP_OK;
    return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
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

static dlp_status integrate(run *r, const dlpi_mixed_settings *settings, dlp_error *error)
{
    dlpi_explore *e = &r->explore;
    DLP_TRY(dlpi_mixed_explore_alloc(r, error));
    dlpi_mixed_explore_set(r, settings);
    dlpi_hyper_start(&r->model.layout, r->model.prior, settings->tau_start, e->mode);
    if (e->information && r->model.rows.n > DLPI_MIXED_MUCH)
        DLP_TRY(dlpi_moments_start(&r->model, e->mode, error));
    DLP_TRY(dlpi_explore_run(e, error));
    DLP_TRY(check_cancelled(r, error));
    DLP_TRY(dlpi_leaf_sums_check(&r->block[0].sums, error));
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
    DLP_TRY(dlpi_leaf_sums_check(&r->block[0].sums, error));
    const dlpi_taken taken = dlpi_effects_taken(r->effects);
    DLP_TRY(dlpi_summarise_hyper(&r->model, e, &taken, r->result, error));
    if (r->model.data->division)
        DLP_TRY(
            dlpi_effects_gather(r->model.data, r->result->effects, r->result->n, error));
    for (int i = 0; i < r->threads; i++)
        r->result->evaluations += r->block[i].evaluations;
    r->result->evaluations += e->elsewhere;
    const dlpi_mixed_found found = {&r->model, e, r->block, r->threads, settings->tilt};
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
    dlpi_division_free(r->own);
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
    if (status == DLP_OK) status = dlpi_mixed_result_alloc(&r.fewer.data, result, error);
    if (status == DLP_OK) status = integrate(&r, settings, error);
    clear_run(&r);
    if (status != DLP_OK) dlpi_mixed_result_clear(result);
    return status;
}

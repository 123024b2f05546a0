/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/block.h"

#include "core/core.h"
#include "math/dense.h"
#include "mixed/levels/gaps.h"

#include <math.h>
#include <string.h>

static const double HALF_LOG_2_PI = 0.91893853320467274178;
enum { MOST_STEPS = 100, MOST_RIDGES = 9, MOST_CUTS = 10 };
static const double MUCH = 1e6;
/* A step that promises no more gain than this is the last. It need not be evaluated,
   since Newton's method squares the remaining error. log |H|, still the one before the
   step, changes with every coordinate that moves, hence n. */
static double tiny(dlp_index n)
{
    return fmax(1e-3 / (1 + 0.1 * (double)n), 1e-5);
}

/* Where leaf g is in block.kept. */
static dlp_index kept_at(const dlpi_mixed_rows *rows, dlp_index g)
{
    return rows->q * (g * (1 + rows->q + rows->p) + rows->support_begin[g]);
}

/* Room for x and what goes with it, one number for each unknown and more. */
static bool alloc_vectors(const dlpi_mixed *of, dlpi_mixed_block *block)
{
    const dlp_index n = of->rows.n, q = of->layout.largest, T = of->layout.n_terms,
                    p = of->rows.p, effects = of->rows.L * of->rows.q;
    block->block = dlpi_calloc((T + 2) * q * q + T + 6 * n + effects + p * p +
                                   of->layout.all + dlpi_mixed_told(of->data),
                               sizeof *block->block);
    if (!block->block) return false;
    block->P = block->block; /* with room for one more after them */
    block->log_det = block->P + (T + 1) * q * q;
    block->x = block->log_det + T;
    block->mode = block->x + n;
    block->from = block->mode + n;
    block->step = block->from + n;
    block->gradient = block->step + n;
    block->linear = block->gradient + n;
    block->b = block->linear + n;
    block->beta = block->b + effects;
    block->all = block->beta + p * p;
    block->tau = block->all + of->layout.all;
    block->pair = block->tau + dlpi_mixed_told(of->data);
    return true;
}

/* Room for what is kept of each leaf, for sums over terms, and for entries of
   precisions. */
static bool alloc_terms(const dlpi_mixed *of, dlpi_mixed_block *block)
{
    const dlp_index n = of->rows.n, q = of->layout.largest, T = of->layout.n_terms,
                    m = of->layout.m;
    const dlp_index kept = of->rows.leaf < 0 ? 0 : kept_at(&of->rows, of->rows.L),
                    own = of->rows.q;
    block->kept = dlpi_calloc(kept + own * (1 + own + n) + 2 * T * q * q + m * (m + 2),
                              sizeof *block->kept);
    block->seen = dlpi_calloc(n, sizeof *block->seen);
    const dlp_index entries = dlpi_mixed_entries_before(of->data, of->data->n_terms);
    block->Q =
        dlpi_calloc(3 * entries + dlpi_held_size(&of->constraints), sizeof *block->Q);
    if (!block->kept || !block->seen || !block->Q) return false;
    block->square = block->Q + entries;
    block->held = dlpi_held_in(&of->constraints, block->square + 2 * entries);
    block->room = block->kept + kept;
    block->moments = block->room + own * (1 + own + n);
    block->psi = block->moments + 2 * T * q * q;
    block->at = block->psi + m;
    block->traces = block->at + m;
    return true;
}

/* Room for leaves of one linear predictor. */
static dlp_status alloc_leaves(const dlpi_mixed *of, dlpi_mixed_block *block,
                               dlp_error *error)
{
    const int lanes = dlpi_mixed_lanes(of);
    const dlp_index room = of->products.size > 0 ? dlpi_leaf_products_room(&of->rows) : 0;
    block->leaf = dlpi_calloc(lanes, sizeof *block->leaf);
    block->products = dlpi_calloc(room, sizeof *block->products);
    if (!block->leaf || !block->products) return dlpi_no_memory(error, "a mixed model");
    for (int lane = 0; lane < lanes; lane++)
        DLP_TRY(dlpi_leaf_work_alloc(&of->rows, of->rule, &block->leaf[lane], error));
    if (!of->squares.start) return DLP_OK;
    dlpi_leaf_add_rows_to(block->leaf[0], block->H.a);
    block->apart = dlpi_calloc(of->rows.L, sizeof *block->apart);
    return block->apart ? DLP_OK : dlpi_no_memory(error, "a mixed model");
}

/* Their sums have chunks where x is beta. */
static dlp_status alloc_sums(const dlpi_mixed *of, dlpi_mixed_block *block,
                             dlp_error *error)
{
    const dlp_index n = of->rows.n, q = of->rows.q,
                    most = of->leaves ? n * (n + 1) + 2 + 2 * q * q : 0;
    block->sum = dlpi_calloc(most, sizeof *block->sum);
    if (!block->sum) return dlpi_no_memory(error, "a mixed model");
    return dlpi_leaf_sums_alloc(of->leaves, most, dlpi_mixed_lanes(of), &block->sums,
                                error);
}

dlp_status dlpi_mixed_block_alloc(const dlpi_mixed *of, dlpi_mixed_block *block,
                                  dlp_error *error)
{
    *block = (dlpi_mixed_block){.of = of};
    if (!alloc_vectors(of, block) || !alloc_terms(of, block))
        return dlpi_no_memory(error, "a mixed model");
    DLP_TRY(alloc_sums(of, block, error));
    DLP_TRY(dlp_sym_alloc(of->shape, &block->H, error));
    block->trial.shape = of->shape; /* rarely used, so its pages are not touched */
    block->trial.a = dlpi_alloc_unset(dlpi_mixed_entries(&block->H), sizeof(double));
    if (!block->trial.a) return dlpi_no_memory(error, "a mixed model");
    DLP_TRY(dlp_sym_alloc(of->shape, &block->S, error));
    DLP_TRY(dlp_cholesky_alloc(of->shape, &block->F, error));
    if (of->data->predictors > 1)
        return dlpi_softmax_work_alloc(&of->rows, of->rule, &block->softmax, error);
    if (of->rows.L > 0) return alloc_leaves(of, block, error);
    block->tile = dlpi_calloc(1, sizeof *block->tile);
    block->flat = dlpi_calloc(dlpi_single_level_room(of->data), sizeof *block->flat);
    return block->tile && block->flat ? DLP_OK : dlpi_no_memory(error, "a mixed model");
}

void dlpi_mixed_block_free(dlpi_mixed_block *block)
{
    dlpi_softmax_work_free(block->softmax);
    for (int lane = 0; block->leaf && lane < dlpi_mixed_lanes(block->of); lane++)
        dlpi_leaf_work_free(block->leaf[lane]);
    free(block->leaf);
    dlpi_leaf_sums_clear(&block->sums);
    free(block->sum);
    free(block->apart);
    free(block->products);
    free(block->tile);
    free(block->flat);
    dlp_cholesky_free(block->F);
    dlp_sym_free(&block->H);
    dlp_sym_free(&block->trial);
    dlp_sym_free(&block->S);
    free(block->kept);
    free(block->seen);
    free(block->Q);
    free(block->block);
    *block = (dlpi_mixed_block){0};
}

dlp_index dlpi_mixed_entries_before(const dlpi_mixed_data *data, dlp_index t)
{
    dlp_index sum = 0;
    for (dlp_index s = 0; s < t; s++)
        if (data->term[s].process) sum += data->term[s].process->entries;
    return sum;
}

void dlpi_mixed_block_set(dlpi_mixed_block *k, const double *psi)
{
    const dlpi_hyper_layout *layout = &k->of->layout;
    const dlp_index square = layout->largest * layout->largest;
    const double *all = dlpi_hyper_all(layout, psi, k->all);
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        k->log_det[t] =
            dlpi_hyper_precision(layout->q[t], all + layout->at[t], k->P + t * square,
                                 k->P + layout->n_terms * square);
        if (layout->process[t])
            k->log_det[t] =
                dlpi_process_precision(layout->process[t], all + layout->at[t],
                                       k->Q + dlpi_mixed_entries_before(k->of->data, t));
    }
    for (dlp_index i = 0; i < layout->scales; i++) k->tau[i] = psi[layout->tau + i];
    double *cut = k->tau + layout->scales;
    for (dlp_index j = 0; j + 2 < k->of->data->levels; j++)
        cut[j + 1] = cut[j] + exp(k->tau[j]);
}

/* ---- f, its gradient and curvature ---- */

/* The index in x of the i-th coordinate that leaf g sees. */
static dlp_index seen(const dlpi_mixed_rows *rows, dlp_index g, dlp_index support,
                      dlp_index i)
{
    return i < support ? rows->support[rows->support_begin[g] + i]
                       : rows->n - rows->p + i - support;
}

static void scatter(dlpi_mixed_block *k, dlp_index g, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index m = leaf->m, support = leaf->support, n = rows->n;
    const bool sparse = k->H.shape.structure == DLP_SPARSE;
    if (k->apart) k->apart[g] = leaf->apart;
    if (m == n && !sparse && !leaf->apart) { /* it sees all of x */
        dlpi_axpy(n, 1, leaf->gradient, k->gradient);
        for (dlp_index i = 0; i < n; i++)
            dlpi_axpy(n - i, 1, leaf->curvature + i * (n + 1), k->H.a + i * (n + 1));
        return;
    }
    for (dlp_index i = 0; i < m; i++) k->seen[i] = seen(rows, g, support, i);
    for (dlp_index i = 0; i < m && leaf->apart; i++)
        k->gradient[k->seen[i]] += leaf->gradient[i];
    for (dlp_index i = 0; i < m && !leaf->apart; i++) {
        const dlp_index at = k->seen[i];
        const double *from = leaf->curvature + i * m;
        k->gradient[at] += leaf->gradient[i];
        for (dlp_index j = i; j < m && sparse; j++)
            *dlpi_mixed_entry(&k->H, at, k->seen[j]) += from[j];
        double *row = k->H.a + at * n; /* seen ascends */
        for (dlp_index j = i; j < m && !sparse; j++) row[k->seen[j]] += from[j];
    }
}

const double *dlpi_mixed_block_kept(const dlpi_mixed_block *k, dlp_index g)
{
    return k->kept + kept_at(&k->of->rows, g);
}

static void keep(dlpi_mixed_block *k, dlp_index g, const dlpi_leaf *leaf)
{
    const dlp_index q = k->of->rows.q;
    double *to = k->kept + kept_at(&k->of->rows, g);
    memcpy(to, leaf->mean, (size_t)q * sizeof *to);
    memcpy(to + q, leaf->variance, (size_t)(q * q) * sizeof *to);
    if (leaf->m > 0)
        memcpy(to + q + q * q, leaf->slope, (size_t)(q * leaf->m) * sizeof *to);
    dlpi_gaps_scale(k, q, leaf->m, to + q + q * q);
}

/* log p(x | psi) without its constants, for a process. */
static double add_process(dlpi_mixed_block *k, dlp_index o)
{
    const dlpi_mixed *of = k->of;
    const dlp_index t = of->rows.term[o], first = of->rows.start[o];
    const dlpi_process *process = of->data->term[t].process;
    const double *Q = k->Q + dlpi_mixed_entries_before(of->data, t), *u = k->x + first;
    double *gradient = k->gradient + first, square = 0;
    for (dlp_index e = 0; e < process->entries; e++) {
        const dlp_index i = process->row[e], j = process->column[e];
        *dlpi_mixed_entry(&k->H, first + i, first + j) += Q[e];
        gradient[i] -= Q[e] * u[j];
        square += Q[e] * u[i] * u[j];
        if (i == j) continue;
        gradient[j] -= Q[e] * u[i];
        square += Q[e] * u[i] * u[j];
    }
    return 0.5 * (k->log_det[t] - square);
}

/* The same for independent levels. */
static double add_effects(dlpi_mixed_block *k, dlp_index o)
{
    const dlpi_mixed *of = k->of;
    const dlp_index t = of->rows.term[o], L = of->data->term[t].L,
                    q = of->data->term[t].q, largest = of->layout.largest;
    const double *P = k->P + t * largest * largest;
    if (of->data->term[t].process) return add_process(k, o);
    double sum = 0.5 * (double)L * k->log_det[t];
    for (dlp_index level = 0; level < L; level++) {
        const dlp_index at = of->rows.start[o] + level * q;
        for (dlp_index i = 0; i < q; i++) {
            const double Px = dlpi_dot(q, P + i * q, k->x + at);
            sum -= 0.5 * k->x[at + i] * Px;
            k->gradient[at + i] -= Px;
            for (dlp_index j = i; j < q; j++)
                *dlpi_mixed_entry(&k->H, at + i, at + j) += P[i * q + j];
        }
    }
    return sum;
}

static double add_beta(dlpi_mixed_block *k)
{
    const dlpi_mixed *of = k->of;
    const dlp_index p = of->rows.p, at = of->rows.n - p,
                    fixed = dlpi_mixed_fixed(of->data);
    const double *mean = of->prior->mean, *P = of->prior->precision;
    double sum = 0.5 * of->log_det_beta;
    for (dlp_index i = 0; i < fixed; i++) {
        double Px = 0;
        for (dlp_index j = 0; j < fixed; j++)
            Px += P[i * p + j] * (k->x[at + j] - (mean ? mean[j] : 0));
        sum -= 0.5 * (k->x[at + i] - (mean ? mean[i] : 0)) * Px;
        k->gradient[at + i] -= Px;
        for (dlp_index j = i; j < fixed; j++)
            *dlpi_mixed_entry(&k->H, at + i, at + j) += P[i * p + j];
    }
    return sum;
}

/* The coefficients of smooth s, each N(0, sd^2). */
static double add_smooth(dlpi_mixed_block *k, dlp_index s)
{
    const dlpi_mixed *of = k->of;
    const dlpi_mixed_smooth *smooth = &of->data->smooth[s];
    const dlp_index t = of->data->n_terms + s, largest = of->layout.largest,
                    first = of->rows.n - of->rows.p + smooth->first;
    const double precision = k->P[t * largest * largest];
    double squares = 0;
    for (dlp_index i = first; i < first + smooth->n; i++) {
        squares += k->x[i] * k->x[i];
        k->gradient[i] -= precision * k->x[i];
        *dlpi_mixed_entry(&k->H, i, i) += precision;
    }
    return 0.5 * ((double)smooth->n * k->log_det[t] - precision * squares);
}

/* How many numbers a matrix holds. */
static dlp_index entries(const dlp_sym *A)
{
    const dlp_index n = A->shape.n;
    return A->shape.structure == DLP_SPARSE ? dlp_pattern_start(A->shape.pattern)[n]
                                            : n * n;
}

/* Before leaf g: whether the caller has stopped us. One leaf may have a thousand
   nodes. */
static bool is_given_up(const dlpi_mixed *of, dlp_index g)
{
    const bool much = of->rows.q > 1 || of->rows.most_rows > 100;
    if (!of->listener || (!much && g % 64 != 0)) return false;
    return dlpi_listener_poll_inside(of->listener);
}

/* H := 0; of a dense matrix, the upper triangle, which is all that is read. */
static void clear_curvature(dlp_sym *H)
{
    const dlp_index n = H->shape.n;
    if (H->shape.structure == DLP_SPARSE) {
        memset(H->a, 0, (size_t)entries(H) * sizeof *H->a);
        return;
    }
    for (dlp_index i = 0; i < n; i++)
        memset(H->a + i * (n + 1), 0, (size_t)(n - i) * sizeof *H->a);
}

/* The prior of a leaf's effects. */
static dlpi_leaf_prior leaf_prior(const dlpi_mixed_block *k)
{
    const dlp_index t = k->of->rows.leaf, largest = k->of->layout.largest;
    return (dlpi_leaf_prior){t < 0 ? k->P : k->P + t * largest * largest,
                             t < 0 ? 0 : k->log_det[t], k->tau};
}

/* All leaves by their cross-products. */
static bool add_products(dlpi_mixed_block *k, double *f, double *integrals)
{
    const dlpi_mixed *of = k->of;
    const dlpi_leaf_prior prior = leaf_prior(k);
    return of->products.size > 0 &&
           dlpi_leaf_products_add(&of->products, &of->rows, &prior, k->x, k->b, k->kept,
                                  k->products, k->gradient, k->H.a, f, integrals);
}

/* Leaves from..to-1, where x is beta: f, log I, the gradient and curvature (n, n). f is NAN
   if one has no integral, or the caller has stopped us. */
static void add_chunk(void *context, int lane, dlp_index from, dlp_index to, double *sum)
{
    dlpi_mixed_block *k = context;
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n;
    const dlpi_leaf_prior prior = leaf_prior(k);
    double *gradient = sum + 2, *H = gradient + n;
    for (dlp_index g = from; g < to; g++) {
        dlpi_leaf leaf = {.log_integral = NAN};
        if (!is_given_up(of, g))
            leaf = dlpi_leaf_integrate(k->leaf[lane], &prior, g, k->linear,
                                       k->b + g * of->rows.q);
        sum[0] += isfinite(leaf.log_integral) ? leaf.height : NAN;
        if (!isfinite(leaf.log_integral) || !leaf.mean) return;
        sum[1] += leaf.log_integral;
        dlpi_axpy(n, 1, leaf.gradient, gradient);
        for (dlp_index i = 0; i < n; i++)
            dlpi_axpy(n - i, 1, leaf.curvature + i * (n + 1), H + i * (n + 1));
        keep(k, g, &leaf);
    }
}

/* Chunk by chunk. */
static bool add_chunks(dlpi_mixed_block *k, double *f, double *integrals)
{
    const dlp_index n = k->of->rows.n, all = 2 + n + n * n;
    memset(k->sum, 0, (size_t)all * sizeof *k->sum);
    dlpi_leaf_sums_add(&k->sums, k->of->rows.L, all, k->sums.lanes, add_chunk, k, k->sum);
    *f += k->sum[0];
    *integrals += k->sum[1];
    dlpi_axpy(n, 1, k->sum + 2, k->gradient);
    dlpi_axpy(n * n, 1, k->sum + 2 + n, k->H.a);
    return isfinite(k->sum[0]);
}

/* One by one; false if one has no integral, or the caller has stopped us. */
static bool add_leaves(dlpi_mixed_block *k, double *f, double *integrals)
{
    const dlpi_mixed *of = k->of;
    const dlpi_leaf_prior prior = leaf_prior(k);
    if (of->leaves) return add_chunks(k, f, integrals);
    for (dlp_index g = 0; g < of->rows.L; g++) {
        if (is_given_up(of, g)) return false;
        double *b = k->b + g * of->rows.q;
        const dlpi_leaf leaf =
            k->softmax ? dlpi_softmax_integrate(k->softmax, &prior, g, k->linear, b)
                       : dlpi_leaf_integrate(k->leaf[0], &prior, g, k->linear, b);
        if (!isfinite(leaf.log_integral)) return false;
        *f += leaf.height;
        *integrals += leaf.log_integral;
        scatter(k, g, &leaf);
        keep(k, g, &leaf);
    }
    return true;
}

/* Of a Gaussian response: what rows say that are not here (mixed.h). */
static double beyond_rows(const dlpi_mixed_block *k)
{
    const dlpi_mixed_data *data = k->of->data;
    if (!data->is_linear || data->scales == 0) return 0;
    return -data->absorbed * (k->tau[0] + HALF_LOG_2_PI) -
           0.5 * data->rounding * exp(-2 * k->tau[0]);
}

static double evaluate(dlpi_mixed_block *k)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n;
    double f = 0, integrals = 0;
    memset(k->gradient, 0, (size_t)n * sizeof *k->gradient);
    clear_curvature(&k->H);
    k->evaluations++;
    if (!of->leaves && is_given_up(of, 0)) return -INFINITY;
    dlpi_gaps_open(k);
    if (of->rows.L == 0)
        integrals = f = dlpi_single_level_add(&of->flat, k->linear, k->tau, k->tile,
                                              k->flat, k->gradient, k->H.a);
    if (!isfinite(f)) return -INFINITY;
    if (!add_products(k, &f, &integrals) && !add_leaves(k, &f, &integrals))
        return -INFINITY;
    if (of->squares.start)
        dlpi_leaf_squares_subtract(&of->squares, &of->rows, k->apart, k->kept, k->H.a);
    const double between = dlpi_gaps_close(k);
    f += between;
    integrals += between;
    const double beyond = beyond_rows(k);
    f += beyond;
    integrals += beyond;
    double prior_x = add_beta(k);
    for (dlp_index s = 0; s < of->data->n_smooths; s++) prior_x += add_smooth(k, s);
    for (dlp_index o = 0; o < of->rows.n_other; o++) prior_x += add_effects(k, o);
    k->log_integrals = integrals + prior_x;
    return f + prior_x;
}

/* ---- the mode ---- */

bool dlpi_mixed_block_factor(dlpi_mixed_block *k)
{
    return dlp_cholesky_compute(k->F, &k->H) < 0 &&
           dlpi_hold(&k->of->constraints, k->F, &k->held);
}

void dlpi_mixed_block_solve(dlpi_mixed_block *k, double *v)
{
    dlp_cholesky_solve(k->F, v);
    dlpi_hold_vector(&k->of->constraints, &k->held, v);
}

double dlpi_mixed_block_draw(dlpi_mixed_block *k, double *z)
{
    const double square = dlpi_dot(k->of->rows.n, z, z);
    dlp_cholesky_draw(k->F, z);
    return 0.5 * (square - dlpi_hold_vector(&k->of->constraints, &k->held, z));
}

double dlpi_mixed_block_log_det(const dlpi_mixed_block *k)
{
    return dlp_cholesky_log_det(k->F) + dlpi_held_log_det(&k->of->constraints, &k->held);
}

/* Factors H into F, with a ridge if H is not positive definite. */
static bool factor(dlpi_mixed_block *k)
{
    const dlp_index n = k->of->rows.n;
    if (dlpi_mixed_block_factor(k)) return true;
    double ridge = 1e-3;
    for (int i = 0; i < MOST_RIDGES; i++, ridge *= 10) {
        memcpy(k->trial.a, k->H.a, (size_t)entries(&k->H) * sizeof *k->H.a);
        for (dlp_index j = 0; j < n; j++) {
            double *diagonal = dlpi_mixed_entry(&k->trial, j, j);
            *diagonal += ridge * (fabs(*diagonal) + 1e-12);
        }
        if (dlp_cholesky_compute(k->F, &k->trial) < 0 &&
            dlpi_hold(&k->of->constraints, k->F, &k->held))
            return false;
    }
    return false;
}

static void go(dlpi_mixed_block *k, double by)
{
    for (dlp_index i = 0; i < k->of->rows.n; i++) k->x[i] = k->from[i] + by * k->step[i];
}

/* Moves from `from` along the step, shortened until f falls by no more than the error of
   quadrature: if leaves are alike, all of them change their rule in the same step. */
static bool advance(dlpi_mixed_block *k)
{
    const double lost =
        1e-4 + (k->of->rule == DLPI_LEAF_LAPLACE ? 0 : 5e-5 * (double)k->of->rows.all);
    double by = 1;
    for (int i = 0; i < MOST_CUTS; i++, by /= 4) {
        go(k, by);
        const double f = evaluate(k);
        if (!(f >= k->f - lost)) continue;
        k->f = f;
        return true;
    }
    return false;
}

static void search(dlpi_mixed_block *k)
{
    const dlp_index n = k->of->rows.n;
    k->f = evaluate(k);
    for (int i = 0; i < MOST_STEPS && isfinite(k->f); i++) {
        const bool definite = factor(k);
        memcpy(k->step, k->gradient, (size_t)n * sizeof *k->step);
        dlpi_mixed_block_solve(k, k->step);
        const double gain = 0.5 * dlpi_dot(n, k->step, k->gradient);
        memcpy(k->from, k->x, (size_t)n * sizeof *k->from);
        /* f is quadratic, so one step suffices; but a step with a very large gain loses
           digits */
        const bool exact = !k->of->skewed && i == 0 && gain <= MUCH;
        k->converged = definite && (gain <= tiny(n) || exact);
        if (k->converged) {
            go(k, 1);
            k->gain = gain;
            k->log_integrals += gain;
        }
        if (k->converged || !isfinite(gain)) return;
        if (!advance(k)) return;
    }
}

double dlpi_mixed_block_at(dlpi_mixed_block *k, const double *psi)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    memcpy(k->x, k->of->x, (size_t)rows->n * sizeof *k->x);
    memcpy(k->b, k->of->b, (size_t)(rows->L * rows->q) * sizeof *k->b);
    return dlpi_mixed_block_from(k, psi);
}

double dlpi_mixed_block_from(dlpi_mixed_block *k, const double *psi)
{
    memcpy(k->at, psi, (size_t)k->of->layout.m * sizeof *psi);
    dlpi_mixed_block_set(k, psi);
    k->converged = false;
    search(k);
    if (!k->converged) return -INFINITY;
    return k->log_integrals - 0.5 * dlpi_mixed_block_log_det(k);
}

void dlpi_mixed_block_expand(dlpi_mixed_block *k)
{
    k->f = evaluate(k);
}

/* ---- moments ---- */

void dlpi_mixed_block_invert(dlpi_mixed_block *k)
{
    dlp_cholesky_inverse(k->F, &k->S);
    dlpi_hold_inverse(&k->of->constraints, &k->held, &k->S);
    dlpi_hold(&k->of->constraints, k->F, &k->held); /* restores W */
}

/* slope S where the leaf sees x, for a dense S, from its upper triangle: rows of S are
   long, and each load serves twice. */
static void covary_dense(const dlpi_mixed_block *k, dlp_index m, const double *slope,
                         double *with_x)
{
    const dlp_index *at = k->seen;
    for (dlp_index i = 0; i < m; i++) {
        const double *row = k->S.a + at[i] * k->of->rows.n;
        double sum = slope[i] * row[at[i]];
        for (dlp_index j = i + 1; j < m; j++) {
            const double S = row[at[j]];
            with_x[j] += slope[i] * S;
            sum += slope[j] * S;
        }
        with_x[i] += sum;
    }
}

/* slope_a S (wide): Cov[b_a, x] for the part of x that the leaf sees, or for all of
   it. */
static void covary(const dlpi_mixed_block *k, dlp_index m, const double *slope,
                   double *with_x)
{
    const dlp_index n = k->of->rows.n, wide = k->of->whole ? n : m;
    memset(with_x, 0, (size_t)wide * sizeof *with_x);
    if (!k->of->whole && k->S.shape.structure != DLP_SPARSE) {
        covary_dense(k, m, slope, with_x);
        return;
    }
    for (dlp_index i = 0; i < m; i++) {
        const double *row = k->S.a + k->seen[i] * n; /* if S is dense, as with `whole` */
        if (k->of->whole)
            dlpi_axpy(n, slope[i], row, with_x);
        else
            for (dlp_index j = 0; j < m; j++)
                with_x[j] += slope[i] * *dlpi_mixed_entry(&k->S, k->seen[i], k->seen[j]);
    }
}

/* From the last evaluation, before the last step: E[b] += slope step, Var[b] = E[Var[b |
   x]] + slope S slope' */
void dlpi_mixed_block_leaf(dlpi_mixed_block *k, dlp_index g, double *mean,
                           double *variance, double *with_x)
{
    const dlpi_mixed *of = k->of;
    const dlpi_mixed_rows *rows = &of->rows;
    const dlp_index q = rows->q, m = dlpi_leaf_sees(rows, g), support = m - rows->p,
                    wide = of->whole ? rows->n : m;
    const double *kept = k->kept + kept_at(rows, g), *slopes = kept + q + q * q;
    for (dlp_index i = 0; i < m; i++) k->seen[i] = seen(rows, g, support, i);
    memcpy(mean, kept, (size_t)q * sizeof *mean);
    memcpy(variance, kept + q, (size_t)(q * q) * sizeof *variance);
    for (dlp_index a = 0; a < q; a++) {
        double *row = with_x + a * wide;
        covary(k, m, slopes + a * m, row);
        for (dlp_index i = 0; i < m; i++) {
            const dlp_index at = k->seen[i];
            const double S = row[of->whole ? at : i];
            mean[a] += slopes[a * m + i] * k->step[at];
            for (dlp_index c = 0; c < q; c++)
                variance[a * q + c] += slopes[c * m + i] * S;
        }
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gradient of log p(y | psi) by Fisher's identity. psi appears in
 *
 *   sum_t { L_t / 2 log |P_t| - 1/2 Tr{P_t M_t} } + log p(y | eta, tau),  M_t = sum_l E[b b']
 *
 * and the moments of the effects are known after a search.
 */
#include "math/dense.h"
#include "mixed/scales/information.h"

#include <math.h>
#include <string.h>

static const double HALF_LOG_2_PI = 0.91893853320467274178;

/* For a term: sums over its levels of E[b] E[b]' and Var[b], (q, q) each. */
typedef struct sums {
    double *means, *variances;
} sums;

static void add(dlp_index q, const double *mean, const double *variance, sums to)
{
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = 0; j < q; j++) {
            to.means[i * q + j] += mean[i] * mean[j];
            to.variances[i * q + j] += variance[i * q + j];
        }
}

static sums sums_at(const dlpi_mixed_block *k, double *at)
{
    return (sums){at, at + k->of->layout.largest * k->of->layout.largest};
}

static void add_leaves(void *context, int lane, dlp_index from, dlp_index to, double *sum)
{
    dlpi_mixed_block *k = context;
    const dlp_index q = k->of->rows.q;
    double *mean = k->room, *variance = mean + q, *with_x = variance + q * q;
    (void)lane;
    for (dlp_index g = from; g < to; g++) {
        dlpi_mixed_block_leaf(k, g, mean, variance, with_x);
        add(q, mean, variance, sums_at(k, sum));
    }
}

static void add_others(dlpi_mixed_block *k, dlp_index o, sums to)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlpi_mixed_term *term = &rows->data->term[rows->term[o]];
    const dlp_index q = term->q;
    double *variance = k->room;
    for (dlp_index l = 0; l < term->L; l++) {
        const dlp_index at = rows->start[o] + l * q;
        for (dlp_index i = 0; i < q; i++)
            for (dlp_index j = 0; j < q; j++)
                variance[i * q + j] = *dlpi_mixed_entry(&k->S, at + i, at + j);
        add(q, k->x + at, variance, to);
    }
}

/* E[u] E[u]' and Var[u] where the precision of a process has entries. */
static void set_process(dlpi_mixed_block *k, dlp_index o)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlpi_process *process = rows->data->term[rows->term[o]].process;
    const dlp_index first = rows->start[o];
    double *to = k->square + 2 * dlpi_mixed_entries_before(rows->data, rows->term[o]);
    for (dlp_index e = 0; e < process->entries; e++) {
        const dlp_index i = first + process->row[e], j = first + process->column[e];
        const double twice = i == j ? 1 : 2;
        *to++ = twice * k->x[i] * k->x[j];
        *to++ = twice * *dlpi_mixed_entry(&k->S, i, j);
    }
}

/* log |Q| / 2 - Tr{Q M} / 2 */
static double expected_process(const dlpi_mixed_block *k, dlp_index t,
                               bool with_variances)
{
    const dlp_index before = dlpi_mixed_entries_before(k->of->data, t),
                    entries = k->of->data->term[t].process->entries;
    const double *Q = k->Q + before, *square = k->square + 2 * before;
    double sum = 0;
    for (dlp_index e = 0; e < entries; e++)
        sum += Q[e] * (square[2 * e] + (with_variances ? square[2 * e + 1] : 0));
    return 0.5 * (k->log_det[t] - sum);
}

/* The coefficients of a smooth, each as the effect of a level. */
static void add_smooth(const dlpi_mixed_block *k, const dlpi_mixed_smooth *smooth,
                       sums to)
{
    const dlp_index first = k->of->rows.n - k->of->rows.p + smooth->first;
    for (dlp_index i = first; i < first + smooth->n; i++)
        add(1, k->x + i, dlpi_mixed_entry(&k->S, i, i), to);
}

static sums of_term(const dlpi_mixed_block *k, dlp_index t)
{
    const dlp_index square = k->of->layout.largest * k->of->layout.largest;
    return sums_at(k, k->moments + 2 * t * square);
}

/* sum_t L_t / 2 log |P_t| - 1/2 Tr{P_t M_t}, for the psi that is set. */
static double expected_prior(const dlpi_mixed_block *k, bool with_variances)
{
    const dlpi_hyper_layout *layout = &k->of->layout;
    const dlp_index square = layout->largest * layout->largest;
    double sum = 0;
    for (dlp_index t = 0; t < layout->n_terms; t++) {
        const sums m = of_term(k, t);
        const dlp_index q = layout->q[t];
        const double *P = k->P + t * square;
        if (layout->process[t]) {
            sum += expected_process(k, t, with_variances);
            continue;
        }
        sum += 0.5 * (double)dlpi_mixed_levels(k->of->data, t) * k->log_det[t] -
               0.5 * dlpi_dot(q * q, P, m.means);
        if (with_variances) sum -= 0.5 * dlpi_dot(q * q, P, m.variances);
    }
    return sum;
}

/* log p(beta) without its constant, and Tr{P Var[beta]}. */
static double prior_of_beta(const dlpi_mixed_block *k, double *trace)
{
    const dlpi_mixed *of = k->of;
    const dlp_index p = of->rows.p, at = of->rows.n - p,
                    fixed = dlpi_mixed_fixed(of->data);
    const double *mean = of->prior->mean, *P = of->prior->precision;
    double sum = 0.5 * of->log_det_beta;
    *trace = 0;
    for (dlp_index i = 0; i < fixed; i++)
        for (dlp_index j = 0; j < fixed; j++) {
            sum -= 0.5 * P[i * p + j] * (k->x[at + i] - (mean ? mean[i] : 0)) *
                   (k->x[at + j] - (mean ? mean[j] : 0));
            *trace += P[i * p + j] * *dlpi_mixed_entry(&k->S, at + i, at + j);
        }
    return sum;
}

static double weight_of_rows(const dlpi_mixed_block *k)
{
    return k->of->rows.L == 0 ? k->of->flat.weight : k->of->rows.all_weight;
}

/* From the log density at the mode, less the priors. */
double dlpi_mixed_block_squares(const dlpi_mixed_block *k)
{
    double trace;
    const double log_likelihood =
        k->f + k->gain - prior_of_beta(k, &trace) - expected_prior(k, false);
    return -2 * (log_likelihood + weight_of_rows(k) * (k->tau[0] + HALF_LOG_2_PI));
}

/*
 * By tau, the log of a Gaussian's sd: sum_r w_r {E[(y - eta)^2] / sd^2 - 1}. What the
 * variances of eta add is the trace of covariance times the data's part of the precision:
 * the number of effects and coefficients less Tr{prior precision x covariance}.
 */
static double by_tau(const dlpi_mixed_block *k)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    double trace, all = (double)(rows->n + rows->all * rows->q - k->of->constraints.k);
    (void)prior_of_beta(k, &trace);
    trace += 2 * (expected_prior(k, false) - expected_prior(k, true));
    return dlpi_mixed_block_squares(k) - weight_of_rows(k) + all - trace;
}

void dlpi_mixed_block_gradient(dlpi_mixed_block *k, const double *psi, double *g)
{
    const dlpi_mixed *of = k->of;
    const dlpi_hyper_layout *layout = &of->layout;
    const dlp_index square = layout->largest * layout->largest, m = layout->m;
    const double step = 1e-4;
    double *at = k->psi;
    memset(k->moments, 0, (size_t)(2 * layout->n_terms * square) * sizeof *k->moments);
    if (of->rows.leaf >= 0)
        dlpi_leaf_sums_add(&k->sums, of->rows.L, 2 * square, 1, add_leaves, k,
                           k->moments + 2 * of->rows.leaf * square);
    for (dlp_index s = 0; s < of->data->n_smooths; s++)
        add_smooth(k, &of->data->smooth[s], of_term(k, of->data->n_terms + s));
    for (dlp_index o = 0; o < of->rows.n_other; o++)
        if (layout->process[of->rows.term[o]])
            set_process(k, o);
        else
            add_others(k, o, of_term(k, of->rows.term[o]));
    const double tau = of->data->is_linear && layout->tau >= 0 ? by_tau(k) : 0;
    memcpy(at, psi, (size_t)m * sizeof *at);
    for (dlp_index i = 0; i < m; i++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            at[i] = psi[i] + (side ? step : -step);
            dlpi_mixed_block_set(k, at);
            value[side] = expected_prior(k, true);
        }
        at[i] = psi[i];
        g[i] = (value[1] - value[0]) / (2 * step);
    }
    dlpi_mixed_block_set(k, psi);
    if (layout->tau >= 0) g[layout->tau] += tau;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/block.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100 };
/* A step that promises no more than this is the last: it need not be looked at, for Newton's
   method squares what is left. */
static const double TINY = 1e-5;

dlp_status dlpi_mixed_block_alloc(const dlpi_mixed *of, dlpi_mixed_block *block,
                                  dlp_error *error)
{
    const dlp_index n = of->rows.n, q = of->layout.largest, T = of->layout.n_terms;
    *block = (dlpi_mixed_block){.of = of};
    const dlp_index sizes[] = {
        T * q * q, T, n, of->rows.L * of->rows.q, n, n, n, n, n * n, n * n, n * n, n * n};
    double **const fields[] = {
        &block->P,    &block->log_det,  &block->x, &block->b, &block->mode, &block->from,
        &block->step, &block->gradient, &block->H, &block->U, &block->S,    &block->work};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    dlp_index total = 0;
    for (int i = 0; i < FIELDS; i++) total += sizes[i];
    block->block = dlpi_calloc(total, sizeof *block->block);
    if (!block->block) return dlpi_no_memory(error, "a mixed model");
    total = 0;
    for (int i = 0; i < FIELDS; i++) {
        *fields[i] = block->block + total;
        total += sizes[i];
    }
    return dlpi_leaf_work_alloc(&of->rows, of->rule, &block->leaf, error);
}

void dlpi_mixed_block_free(dlpi_mixed_block *block)
{
    dlpi_leaf_work_free(block->leaf);
    free(block->block);
    *block = (dlpi_mixed_block){0};
}

static void set_psi(dlpi_mixed_block *k, const double *psi)
{
    const dlpi_hyper_layout *layout = &k->of->layout;
    const dlp_index square = layout->largest * layout->largest;
    for (dlp_index t = 0; t < layout->n_terms; t++)
        k->log_det[t] = dlpi_hyper_precision(layout->q[t], psi + layout->at[t],
                                             k->P + t * square, k->work);
    k->tau = layout->tau >= 0 ? psi[layout->tau] : 0;
}

/* ---- f, its gradient and curvature ---- */

static void scatter(dlpi_mixed_block *k, dlp_index g, const dlpi_leaf *leaf)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index n = rows->n, m = leaf->m, beta = n - rows->p;
    const dlp_index *support = rows->support + rows->support_begin[g];
    for (dlp_index i = 0; i < m; i++) {
        const dlp_index I = i < leaf->support ? support[i] : beta + i - leaf->support;
        const double *from = leaf->curvature + i * m;
        k->gradient[I] += leaf->gradient[i];
        for (dlp_index j = i; j < leaf->support; j++) {
            const dlp_index J = support[j];
            k->H[I < J ? I * n + J : J * n + I] += from[j];
        }
        const dlp_index first = i < leaf->support ? leaf->support : i;
        for (dlp_index j = first; j < m; j++)
            k->H[I * n + beta + j - leaf->support] += from[j];
    }
}

/* log p(x | psi) without its constants. */
static double add_effects(dlpi_mixed_block *k, dlp_index o)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n, t = of->rows.term[o], L = of->data->term[t].L,
                    q = of->data->term[t].q, largest = of->layout.largest;
    const double *P = k->P + t * largest * largest;
    double sum = 0.5 * (double)L * k->log_det[t];
    for (dlp_index level = 0; level < L; level++) {
        const dlp_index at = of->rows.start[o] + level * q;
        for (dlp_index i = 0; i < q; i++) {
            const double Px = dlpi_dot(q, P + i * q, k->x + at);
            sum -= 0.5 * k->x[at + i] * Px;
            k->gradient[at + i] -= Px;
            for (dlp_index j = i; j < q; j++) k->H[(at + i) * n + at + j] += P[i * q + j];
        }
    }
    return sum;
}

static double add_beta(dlpi_mixed_block *k)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n, p = of->rows.p, at = n - p;
    const double *mean = of->prior->mean, *P = of->prior->precision;
    double sum = 0.5 * of->log_det_beta;
    for (dlp_index i = 0; i < p; i++) {
        double Px = 0;
        for (dlp_index j = 0; j < p; j++)
            Px += P[i * p + j] * (k->x[at + j] - (mean ? mean[j] : 0));
        sum -= 0.5 * (k->x[at + i] - (mean ? mean[i] : 0)) * Px;
        k->gradient[at + i] -= Px;
        for (dlp_index j = i; j < p; j++) k->H[(at + i) * n + at + j] += P[i * p + j];
    }
    return sum;
}

static double evaluate(dlpi_mixed_block *k)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n, largest = of->layout.largest, t = of->rows.leaf;
    const dlpi_leaf_prior prior = {k->P + t * largest * largest, k->log_det[t], k->tau};
    double f = 0, integrals = 0;
    memset(k->gradient, 0, (size_t)n * sizeof *k->gradient);
    memset(k->H, 0, (size_t)(n * n) * sizeof *k->H);
    k->evaluations++;
    for (dlp_index g = 0; g < of->rows.L; g++) {
        const dlpi_leaf leaf =
            dlpi_leaf_integrate(k->leaf, &prior, g, k->x, k->b + g * of->rows.q);
        if (!isfinite(leaf.log_integral)) return -INFINITY;
        f += leaf.height;
        integrals += leaf.log_integral;
        scatter(k, g, &leaf);
    }
    double prior_x = add_beta(k);
    for (dlp_index o = 0; o < of->rows.n_other; o++) prior_x += add_effects(k, o);
    k->log_integrals = integrals + prior_x;
    return f + prior_x;
}

/* ---- the mode ---- */

/* U of H, with a ridge where H is not positive definite. */
static bool factor(dlpi_mixed_block *k)
{
    const dlp_index n = k->of->rows.n;
    for (double ridge = 0; ridge<1e6; ridge = ridge> 0 ? 10 * ridge : 1e-3) {
        memcpy(k->U, k->H, (size_t)(n * n) * sizeof *k->U);
        for (dlp_index i = 0; i < n; i++)
            k->U[i * (n + 1)] += ridge * (fabs(k->H[i * (n + 1)]) + 1e-12);
        if (dlpi_cholesky(n, k->U) < 0) return ridge == 0;
    }
    return false;
}

static void go(dlpi_mixed_block *k, double by)
{
    for (dlp_index i = 0; i < k->of->rows.n; i++) k->x[i] = k->from[i] + by * k->step[i];
}

/* From `from` along the step; shortens it until f does not fall by more than quadrature is
   off. */
static bool advance(dlpi_mixed_block *k)
{
    const double lost = 1e-4;
    for (double by = 1; by > 1e-6; by /= 4) {
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
        dlpi_cholesky_solve(n, k->U, k->step);
        const double gain = 0.5 * dlpi_dot(n, k->step, k->gradient);
        memcpy(k->from, k->x, (size_t)n * sizeof *k->from);
        k->converged = definite && (gain <= TINY || !k->of->skewed); /* f is quadratic */
        if (k->converged) {
            go(k, 1);
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
    set_psi(k, psi);
    k->converged = false;
    search(k);
    if (!k->converged) return -INFINITY;
    double half_log_det = 0;
    for (dlp_index i = 0; i < rows->n; i++) half_log_det += log(k->U[i * (rows->n + 1)]);
    return k->log_integrals - half_log_det;
}

void dlpi_mixed_block_expand(dlpi_mixed_block *k)
{
    k->f = evaluate(k);
}

/* ---- moments ---- */

void dlpi_mixed_block_invert(dlpi_mixed_block *k)
{
    dlpi_cholesky_inverse(k->of->rows.n, k->U, k->work, k->S);
}

/* x seen by leaf g: the i-th. */
static dlp_index seen(const dlpi_mixed_rows *rows, dlp_index g, dlp_index support,
                      dlp_index i)
{
    return i < support ? rows->support[rows->support_begin[g] + i]
                       : rows->n - rows->p + i - support;
}

/* Var[b] = E[Var[b | x]] + slope S slope' */
void dlpi_mixed_block_leaf(dlpi_mixed_block *k, dlp_index g, double *mean,
                           double *variance, double *with_beta)
{
    const dlpi_mixed *of = k->of;
    const dlpi_mixed_rows *rows = &of->rows;
    const dlp_index n = rows->n, p = rows->p, q = rows->q, t = rows->leaf,
                    largest = of->layout.largest;
    const dlpi_leaf_prior prior = {k->P + t * largest * largest, k->log_det[t], k->tau};
    const dlpi_leaf leaf = dlpi_leaf_integrate(k->leaf, &prior, g, k->x, k->b + g * q);
    memcpy(mean, leaf.mean, (size_t)q * sizeof *mean);
    memcpy(variance, leaf.variance, (size_t)(q * q) * sizeof *variance);
    for (dlp_index a = 0; a < q; a++) {
        const double *slope = leaf.slope + a * leaf.m;
        double *row = k->step; /* slope_a S, where the leaf sees x */
        for (dlp_index j = 0; j < leaf.m; j++) {
            const double *S = k->S + seen(rows, g, leaf.support, j) * n;
            row[j] = 0;
            for (dlp_index i = 0; i < leaf.m; i++)
                row[j] += slope[i] * S[seen(rows, g, leaf.support, i)];
        }
        for (dlp_index c = 0; c < q; c++)
            variance[a * q + c] += dlpi_dot(leaf.m, leaf.slope + c * leaf.m, row);
        memcpy(with_beta + a * p, row + leaf.support, (size_t)p * sizeof *row);
    }
}

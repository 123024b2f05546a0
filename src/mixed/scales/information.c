/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * u: all effects and beta, Q: their precision given psi, S = Q^-1, Pi: that of their prior.
 * With f(u, psi)
 * the log density of data and u, at its mode over u,
 *
 *   log p(y | psi) = f - 1/2 log |Q| + constants,
 *   second derivatives of f:  f_ij + f_ui' S f_uj,
 *   of -1/2 log |Q|:          -1/2 Tr{S Q_ij} + 1/2 Tr{S Q_i S Q_j}.
 *
 * By the logarithm of the sd of term t, whose precision is P: Q_t = -2 P on the effects of t,
 * Q_tt = 4 P,
 * f_ut = 2 P u, f_tt = -2 P u'u. By tau, that of the noise: Q_tau = -2 (Q - Pi), since rows
 * add Q - Pi,
 * Q_tau,tau = 4 (Q - Pi), f_u,tau = -2 Pi (u - E[u]), f_tau,tau = -2 sum_r w_r (y - eta)^2 / sd^2.
 */
#include "mixed/scales/information.h"

#include "math/dense.h"
#include "math/lapack.h"

#include <string.h>

bool dlpi_mixed_has_information(const dlpi_mixed *model, bool exactly)
{
    const dlpi_hyper_layout *layout = &model->layout;
    for (dlp_index t = 0; t < layout->n_terms; t++)
        if (layout->q[t] != 1 || layout->process[t]) return false;
    return model->data->is_linear && layout->tau >= 0 && !layout->psi_of &&
           (!exactly || model->shape.structure != DLP_SPARSE);
}

/* ---- terms ---- */

/* The precision of term t; sums over its levels of E[u]^2 and Var[u]. */
static double precision_of(const dlpi_mixed_block *k, dlp_index t)
{
    return k->P[t]; /* (1, 1) each */
}

static const double *sums_of(const dlpi_mixed_block *k, dlp_index t)
{
    return k->moments + 2 * t;
}

/* Where the effects of term t begin in x, and how many there are; 0 for the leaves. */
static dlp_index place_of(const dlpi_mixed_block *k, dlp_index t, dlp_index *first)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlpi_mixed_data *data = k->of->data;
    *first = 0;
    if (t == rows->leaf) return 0;
    if (t >= data->n_terms) {
        *first = rows->n - rows->p + data->smooth[t - data->n_terms].first;
        return data->smooth[t - data->n_terms].n;
    }
    dlp_index o = 0;
    while (rows->term[o] != t) o++;
    *first = rows->start[o];
    return data->term[t].L;
}

/* What was found for leaf g: its variance given x, then its slopes in the part of x that
   it sees. */
static const double *leaf_at(dlpi_mixed_block *k, dlp_index g, dlp_index *sees)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index support = rows->support_begin[g + 1] - rows->support_begin[g];
    *sees = support + rows->p;
    for (dlp_index i = 0; i < support; i++)
        k->seen[i] = rows->support[rows->support_begin[g] + i];
    for (dlp_index j = 0; j < rows->p; j++) k->seen[support + j] = rows->n - rows->p + j;
    return dlpi_mixed_block_kept(k, g) + 1;
}

/* slope' v */
static double along(const dlpi_mixed_block *k, dlp_index sees, const double *slope,
                    const double *v)
{
    double sum = 0;
    for (dlp_index i = 0; i < sees; i++) sum += slope[i] * v[k->seen[i]];
    return sum;
}

/* ---- f ---- */

/* to (fixed) = P (beta - E[beta]) */
static void pull_of_beta(const dlpi_mixed_block *k, double *to)
{
    const dlpi_mixed *of = k->of;
    const dlp_index p = of->rows.p, fixed = dlpi_mixed_fixed(of->data);
    const double *beta = k->x + of->rows.n - p, *mean = of->prior->mean;
    for (dlp_index i = 0; i < fixed; i++) {
        to[i] = 0;
        for (dlp_index j = 0; j < fixed; j++)
            to[i] += of->prior->precision[i * p + j] * (beta[j] - (mean ? mean[j] : 0));
    }
}

/* v (n) += by P u of term t; for leaves, what replaces it once they are eliminated. */
static void add_pull(dlpi_mixed_block *k, dlp_index t, double by, double *v)
{
    dlp_index first, sees;
    const dlp_index n = place_of(k, t, &first);
    const double P = precision_of(k, t);
    dlpi_axpy(n, by * P, k->x + first, v + first);
    for (dlp_index g = 0; t == k->of->rows.leaf && g < k->of->rows.L; g++) {
        const double *leaf = leaf_at(k, g, &sees);
        const double mean = leaf[-1] + along(k, sees, leaf + 1, k->step);
        for (dlp_index i = 0; i < sees; i++) v[k->seen[i]] += leaf[1 + i] * by * P * mean;
    }
}

/* u_t' (S r)_t, where v holds S r in x, and r is `by` P u on the leaves. */
static double along_term(dlpi_mixed_block *k, dlp_index t, double by, const double *v)
{
    dlp_index first, sees;
    const dlp_index n = place_of(k, t, &first);
    const double P = precision_of(k, t);
    double sum = dlpi_dot(n, k->x + first, v + first);
    for (dlp_index g = 0; t == k->of->rows.leaf && g < k->of->rows.L; g++) {
        const double *leaf = leaf_at(k, g, &sees);
        const double mean = leaf[-1] + along(k, sees, leaf + 1, k->step);
        sum += mean * (leaf[0] * by * P * mean + along(k, sees, leaf + 1, v));
    }
    return sum;
}

/* Row i of f_u' S f_u. v (n), pull (p): room. */
static void add_solved(dlpi_mixed_block *k, dlp_index i, double *v, double *pull,
                       double *to)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index tau = k->of->layout.tau, beta = rows->n - rows->p,
                    fixed = dlpi_mixed_fixed(k->of->data);
    memset(v, 0, (size_t)rows->n * sizeof *v);
    pull_of_beta(k, pull);
    for (dlp_index t = 0; t < tau; t++)
        if (i == tau || i == t) add_pull(k, t, i == tau ? -2 : 2, v);
    if (i == tau) dlpi_axpy(fixed, -2, pull, v + beta);
    dlpi_mixed_block_solve(k, v);
    to[tau] = -2 * dlpi_dot(fixed, pull, v + beta);
    for (dlp_index t = 0; t < tau; t++) {
        const double by = i == tau ? -2 : i == t ? 2 : 0;
        to[t] = 2 * precision_of(k, t) * along_term(k, t, by, v);
        to[tau] -= to[t];
    }
}

/* ---- log |Q| ---- */

/* Tr{P_t S_tu P_u S_ut} for all pairs of terms, and last for beta's prior; without the
   leaves. */
typedef struct traces {
    dlp_index terms;
    double *of; /* (terms + 1, terms + 1) */
} traces;

static double *trace_at(traces T, dlp_index t, dlp_index u)
{
    return T.of + t * (T.terms + 1) + u;
}

/* A (n, n) = sum_g slope_g slope_g' of the leaves, both triangles. */
static void add_slopes(dlpi_mixed_block *k, double *A)
{
    const dlp_index n = k->of->rows.n;
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (dlp_index g = 0; g < k->of->rows.L; g++) {
        dlp_index sees;
        const double *slope = leaf_at(k, g, &sees) + 1;
        for (dlp_index i = 0; i < sees; i++) {
            double *row = A + k->seen[i] * n;
            for (dlp_index j = i; j < sees; j++) row[k->seen[j]] += slope[i] * slope[j];
        }
    }
    dlpi_mirror(n, A);
}

/* For two terms of x: the squared covariances between them. */
static double squares_between(const dlpi_mixed_block *k, dlp_index t, dlp_index u)
{
    dlp_index first, second;
    const dlp_index n = place_of(k, t, &first), m = place_of(k, u, &second);
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) {
        const double *row = k->S.a + (first + i) * k->of->rows.n + second;
        sum += dlpi_dot(m, row, row);
    }
    return sum;
}

/* Leaves have the covariances S A S with x, and V + slope S slope' among themselves; W = S A. */
static void trace_leaves(dlpi_mixed_block *k, const double *W, traces T)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index n = rows->n, leaf = rows->leaf;
    const double P = precision_of(k, leaf);
    double own = 0, all = 0;
    for (dlp_index t = 0; t < T.terms; t++) {
        dlp_index first;
        const dlp_index L = place_of(k, t, &first);
        double sum = 0;
        for (dlp_index i = first; i < first + L; i++)
            sum += dlpi_dot(n, W + i * n, k->S.a + i * n);
        if (t != leaf)
            *trace_at(T, t, leaf) = *trace_at(T, leaf, t) = P * precision_of(k, t) * sum;
    }
    for (dlp_index g = 0; g < rows->L; g++) {
        dlp_index sees;
        const double *found = leaf_at(k, g, &sees), *slope = found + 1;
        double more = 0; /* slope S slope' */
        for (dlp_index i = 0; i < sees; i++)
            more += slope[i] * along(k, sees, slope, k->S.a + k->seen[i] * n);
        own += found[0] * (found[0] + 2 * more);
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++) all += W[i * n + j] * W[j * n + i];
    *trace_at(T, leaf, leaf) = P * P * (own + all);
}

/* With beta's prior precision B: Tr{P_t S_t,beta B S_beta,t}, and Tr{B S B S} of beta. */
static void trace_beta(const dlpi_mixed_block *k, const double *W, double *room, traces T)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n, p = of->rows.p, at = n - p, b = T.terms,
                    fixed = dlpi_mixed_fixed(of->data);
    const double *B = of->prior->precision;
    for (dlp_index i = 0; i < fixed; i++)
        for (dlp_index j = 0; j < fixed; j++) { /* Tr{B S_beta,t P_t S_t,beta} */
            const double *S_i = k->S.a + (at + i) * n, *S_j = k->S.a + (at + j) * n;
            for (dlp_index t = 0; t < T.terms; t++) {
                dlp_index first;
                const dlp_index L = place_of(k, t, &first);
                const double sum = t == of->rows.leaf
                                       ? dlpi_dot(n, W + (at + i) * n, S_j)
                                       : dlpi_dot(L, S_i + first, S_j + first);
                *trace_at(T, t, b) += B[i * p + j] * precision_of(k, t) * sum;
            }
            room[i * fixed + j] = 0;
            for (dlp_index l = 0; l < fixed; l++)
                room[i * fixed + j] += B[i * p + l] * k->S.a[(at + l) * n + at + j];
        }
    for (dlp_index t = 0; t < T.terms; t++) *trace_at(T, b, t) = *trace_at(T, t, b);
    for (dlp_index i = 0; i < fixed; i++)
        for (dlp_index j = 0; j < fixed; j++)
            *trace_at(T, b, b) += room[i * fixed + j] * room[j * fixed + i];
}

static void find_traces(dlpi_mixed_block *k, traces T)
{
    const dlp_index n = k->of->rows.n, leaf = k->of->rows.leaf;
    double *A = k->trial.a, *W = k->H.a;
    memset(T.of, 0, (size_t)((T.terms + 1) * (T.terms + 1)) * sizeof *T.of);
    for (dlp_index t = 0; t < T.terms; t++)
        for (dlp_index u = 0; u < T.terms; u++)
            *trace_at(T, t, u) =
                precision_of(k, t) * precision_of(k, u) * squares_between(k, t, u);
    if (leaf >= 0) {
        add_slopes(k, A);
        dlpi_blas_symm(n, n, k->S.a, n, A, W);
        trace_leaves(k, W, T);
    }
    trace_beta(k, W, k->beta, T);
}

/* Tr{B Var[beta]} of its prior precision. */
static double trace_of_beta(const dlpi_mixed_block *k)
{
    const dlpi_mixed *of = k->of;
    const dlp_index n = of->rows.n, p = of->rows.p, fixed = dlpi_mixed_fixed(of->data);
    double sum = 0;
    for (dlp_index i = 0; i < fixed; i++)
        sum += dlpi_dot(fixed, of->prior->precision + i * p,
                        k->S.a + (n - p + i) * n + n - p);
    return sum;
}

/* I += the second derivatives of 1/2 log |Q|. */
static void add_determinant(dlpi_mixed_block *k, traces T, double *I)
{
    const dlpi_mixed_rows *rows = &k->of->rows;
    const dlp_index tau = T.terms, m = tau + 1;
    double once = trace_of_beta(k), twice = 0; /* Tr{S Pi}, Tr{S Pi S Pi} */
    const double all = (double)(rows->n + rows->L * rows->q);
    find_traces(k, T);
    for (dlp_index t = 0; t <= T.terms; t++)
        for (dlp_index u = 0; u <= T.terms; u++) twice += *trace_at(T, t, u);
    for (dlp_index t = 0; t < tau; t++) {
        const double trace = precision_of(k, t) * sums_of(k, t)[1];
        double with_prior = 0;
        once += trace;
        I[t * (m + 1)] += 2 * trace;
        for (dlp_index u = 0; u < tau; u++) I[t * m + u] -= 2 * *trace_at(T, t, u);
        for (dlp_index u = 0; u <= T.terms; u++) with_prior += *trace_at(T, t, u);
        I[t * m + tau] -= 2 * (trace - with_prior);
        I[tau * m + t] = I[t * m + tau];
    }
    I[tau * (m + 1)] += 2 * (all - once) - 2 * (all - 2 * once + twice);
}

/* ---- the whole ---- */

void dlpi_mixed_block_information(dlpi_mixed_block *k, bool exactly, double *I)
{
    const dlp_index tau = k->of->layout.tau, m = tau + 1;
    for (dlp_index i = 0; i < m; i++) {
        const double square = i == tau ? dlpi_mixed_block_squares(k)
                                       : precision_of(k, i) * sums_of(k, i)[0];
        double *row = I + i * m;
        add_solved(k, i, k->from, k->beta, row);
        for (dlp_index j = 0; j < m; j++)
            row[j] = exactly ? -row[j] : 0.5 * ((i == j ? 4 * square : 0) - row[j]);
        if (exactly) row[i] += 2 * square;
    }
    const traces T = {tau, k->traces};
    if (exactly) add_determinant(k, T, I);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The posterior moments of a gaussian regression with a Gaussian prior, without an
 * approximation. Given the noise, w = exp(-2 tau), the coefficients are normal; that leaves
 * one dimension, tau, to sum over. The mode of (beta, tau) would not do: the sd that it
 * finds is too small by sqrt(1 - p/N), and with as many columns as rows it is zero.
 *
 * With P the prior's precision, T such that T'PT = I and T'X'XT = diag(d), and beta = r +
 * T u around a reference r with residuals e,
 *
 *   u_k | tau ~ N((w g_k + m_k) / (1 + w d_k), 1 / (1 + w d_k)),   g = T'X'e,
 *
 * and m the prior mean of u; their integral over u is a sum over k, so that a tau costs
 * O(p) and a posterior O(N p^2 + p^3).
 */
#include "glm/integrate/gaussian_integral.h"
#include "core/core.h"
#include "glm/integrate/scale_prior.h"
#include "glm/workers.h"
#include "infer/grid.h"
#include "math/dense.h"
#include "math/graded.h"
#include "math/lapack.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* A value of tau costs little, so there can be many. */
static const double FAR_OUT = 9, DEEP = 45;
/* A d smaller than this share of the largest has lost digits to it, if LAPACK's usual
   routine found it. */
static const double GRADED = 1e-7;

typedef struct integral {
    dlp_glm *g;
    dlp_index p;
    double N;        /* rows: the sum of their weights */
    double *T;       /* (p, p) its columns, t_k, one after the other */
    double *d, *g_k; /* (p) */
    double *m;       /* (p) */
    double *r;       /* (p) the reference */
    double *Xe;      /* (p) X'e, and room for one more number */
    double ee;       /* e'e */
    double *mean;    /* (p) of u */
    double *work;    /* (3p) */
    double *C;       /* (p + 1, p + 1) covariance of u and tau */
    double *A;       /* (p + 1, p + 1) X'X, and scratch space */
    double *U;       /* (p, p) P = U'U, and scratch space */
    dlpi_grid grid;
} integral;

dlp_status dlpi_glm_too_large(dlp_error *error)
{
    return dlp_fail(error, DLP_EINPUT,
                    "the numbers are too large to compute with; use other units");
}

/* ---- the data ---- */

/* The sum of weights, and X'X. */
static double add_products(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                           double *grad, double *H)
{
    const double *r = what;
    const dlpi_rows *rows = &g->rows;
    double weight[DLPI_TILE], N = 0;
    (void)grad;
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        dlpi_tile_load(g, r, at);
        for (dlp_index i = 0; i < rows->n; i++) {
            weight[i] = dlpi_weight_of(rows, i);
            N += weight[i];
        }
        dlpi_tile_add_xwx(g, at, weight, H);
    }
    return N;
}

static void add_cross_products(integral *s)
{
    s->N = dlpi_sum_rows(s->g, add_products, s->r, NULL, NULL, s->A);
    dlpi_mirror(s->p + 1, s->A);
    for (dlp_index j = 0; j < s->p; j++) /* from rows p + 1 apart to rows p apart */
        memmove(s->A + j * s->p, s->A + j * (s->p + 1), (size_t)s->p * sizeof *s->A);
}

/* e'e and X'e */
static double add_residuals(dlp_glm *g, dlp_index from, dlp_index to, const void *what,
                            double *grad, double *H)
{
    const double *r = what;
    const dlpi_rows *rows = &g->rows;
    double e[DLPI_TILE], weighted[DLPI_TILE], ee = 0;
    (void)H;
    for (dlp_index at = from; at < to; at += DLPI_TILE) {
        dlpi_tile_load(g, r, at);
        for (dlp_index i = 0; i < rows->n; i++) {
            e[i] = rows->y[i] - rows->eta[i];
            weighted[i] = dlpi_weight_of(rows, i) * e[i];
        }
        ee += dlpi_dot(rows->n, e, weighted);
        dlpi_tile_add_xw(g, at, weighted, grad, 1);
    }
    return ee;
}

/* e'e and g at the reference. */
static void take_residuals(integral *s)
{
    memset(s->Xe, 0, (size_t)(s->p + 1) * sizeof *s->Xe);
    s->ee = dlpi_sum_rows(s->g, add_residuals, s->r, NULL, s->Xe, NULL);
    for (dlp_index k = 0; k < s->p; k++)
        s->g_k[k] = s->d[k] > 0 ? dlpi_dot(s->p, s->T + k * s->p, s->Xe) : 0;
}

/* ---- T ---- */

/* U, from the coefficients' part of the prior. */
static bool factor_prior(integral *s)
{
    const dlpi_prior *prior = &s->g->prior;
    const dlp_index p = s->p;
    memset(s->U, 0, (size_t)(p * p) * sizeof *s->U);
    for (dlp_index j = 0; j < p; j++) {
        if (prior->precision)
            memcpy(s->U + j * p, prior->precision + j * (p + 1),
                   (size_t)p * sizeof *s->U);
        else
            s->U[j * p + j] = 1 / (prior->sd[j] * prior->sd[j]);
    }
    return dlpi_cholesky(p, s->U) < 0;
}

/* Replaces each row a of A by U'^-1 a. */
static void solve_rows(const integral *s, double *A)
{
    for (dlp_index j = 0; j < s->p; j++) dlpi_cholesky_forward(s->p, s->U, A + j * s->p);
}

static void transpose(dlp_index p, double *A)
{
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < i; j++) {
            const double a = A[i * p + j];
            A[i * p + j] = A[j * p + i];
            A[j * p + i] = a;
        }
}

/* U'^-1 X'X U^-1 = V diag(d) V', T = U^-1 V. Where d is 0 the data say nothing. */
static dlp_status diagonalise(integral *s, dlp_error *error)
{
    const dlp_index p = s->p;
    solve_rows(s, s->A);
    transpose(p, s->A);
    solve_rows(s, s->A);
    memcpy(s->T, s->A, (size_t)(p * p) * sizeof *s->T);
    if (p == 0) return DLP_OK;
    if (!dlpi_lapack_eigen(p, s->T, s->d, s->work)) return dlpi_glm_too_large(error);
    if (!(s->d[0] > GRADED * s->d[p - 1]))
        DLP_TRY(dlpi_graded_eigen(p, s->A, s->T, s->d, error));
    for (dlp_index k = 0; k < p; k++) dlpi_cholesky_draw(p, s->U, s->T + k * p);
    return DLP_OK;
}

/* Moves the reference to the posterior mean without noise, where the residuals are exact
   to their own size. A second pass removes the rounding of the first. */
static void move_reference(integral *s)
{
    for (int times = 0; times < 2; times++) {
        for (dlp_index k = 0; k < s->p; k++) {
            const double u = s->d[k] > 0 ? s->g_k[k] / s->d[k] : s->m[k];
            s->m[k] -= u;
            for (dlp_index j = 0; j < s->p; j++) s->r[j] += u * s->T[k * s->p + j];
        }
        take_residuals(s);
    }
}

static dlp_status prepare(integral *s, dlp_error *error)
{
    memcpy(s->r, s->g->prior.mean, (size_t)s->p * sizeof *s->r);
    add_cross_products(s);
    if (!factor_prior(s)) return dlpi_glm_too_large(error);
    DLP_TRY(diagonalise(s, error));
    take_residuals(s);
    move_reference(s);
    return isfinite(s->ee) ? DLP_OK : dlpi_glm_too_large(error);
}

/* ---- tau ---- */

/* log p(y, tau), u integrated out */
static double log_joint(const integral *s, double tau)
{
    const double w = exp(-2 * tau), log_2_pi = 1.8378770664093454836;
    double misfit = s->ee, log_det = 0;
    for (dlp_index k = 0; k < s->p; k++) {
        const double g = s->g_k[k], m = s->m[k], d = s->d[k];
        misfit += (m * m * d - w * g * g - 2 * g * m) / (1 + w * d);
        log_det += log1p(w * d);
    }
    /* a sum of squares: negative only by rounding */
    const double L = -s->N * (tau + 0.5 * log_2_pi) - 0.5 * log_det -
                     0.5 * w * fmax(misfit, 0) + dlpi_grid_log_prior(&s->grid, tau);
    return isfinite(L) ? L : -INFINITY;
}

static bool evaluate(void *context, dlpi_grid *grid)
{
    for (int i = 0; i < grid->n; i++) grid->weight[i] = log_joint(context, grid->tau[i]);
    return true;
}

static bool integrate_tau(integral *s)
{
    dlpi_grid *grid = &s->grid;
    dlpi_scale_prior(s->g, &grid->mean, &grid->sd);
    grid->n = DLPI_GRID_NODES;
    grid->far_out = FAR_OUT;
    grid->deep = DEEP;
    return dlpi_grid_integrate(grid, evaluate, s);
}

/* ---- moments ---- */

static double mean_given_tau(const integral *s, dlp_index k, double w)
{
    return (w * s->g_k[k] + s->m[k]) / (1 + w * s->d[k]);
}

/* E[u], E[tau] */
static double take_means(integral *s)
{
    const dlpi_grid *grid = &s->grid;
    double mean_tau = 0;
    memset(s->mean, 0, (size_t)s->p * sizeof *s->mean);
    for (int i = 0; i < grid->n; i++) {
        const double w = exp(-2 * grid->tau[i]);
        mean_tau += grid->weight[i] * grid->tau[i];
        for (dlp_index k = 0; k < s->p; k++)
            s->mean[k] += grid->weight[i] * mean_given_tau(s, k, w);
    }
    return mean_tau;
}

/* Cov[u, tau] = E[Cov[u | tau]] + Cov[E[u | tau], tau] */
static void take_covariance(integral *s, double mean_tau)
{
    const dlp_index p = s->p, n = p + 1;
    const dlpi_grid *grid = &s->grid;
    double *off = s->Xe; /* (p + 1) */
    memset(s->C, 0, (size_t)(n * n) * sizeof *s->C);
    for (int i = 0; i < grid->n; i++) {
        const double w = exp(-2 * grid->tau[i]);
        if (grid->weight[i] < 1e-25) continue;
        for (dlp_index k = 0; k < p; k++) {
            off[k] = mean_given_tau(s, k, w) - s->mean[k];
            s->C[k * n + k] += grid->weight[i] / (1 + w * s->d[k]);
        }
        off[p] = grid->tau[i] - mean_tau;
        for (dlp_index k = 0; k < n; k++)
            for (dlp_index l = k; l < n; l++)
                s->C[k * n + l] += grid->weight[i] * off[k] * off[l];
    }
    dlpi_mirror(n, s->C);
}

/* From u to beta = r + T u. */
static void write_moments(const integral *s, double mean_tau, double *mu, double *Sigma)
{
    const dlp_index p = s->p, n = p + 1;
    double *CT = s->A; /* (p, p): C of u times T' */
    memcpy(mu, s->r, (size_t)p * sizeof *mu);
    mu[p] = mean_tau;
    memset(Sigma, 0, (size_t)(n * n) * sizeof *Sigma);
    if (p > 0) dlpi_blas_symm(p, p, s->C, n, s->T, CT);
    for (dlp_index k = 0; k < p; k++) {
        const double *t = s->T + k * p;
        for (dlp_index i = 0; i < p; i++) {
            mu[i] += s->mean[k] * t[i];
            Sigma[i * n + p] += s->C[k * n + p] * t[i];
            for (dlp_index j = i; j < p; j++) Sigma[i * n + j] += t[i] * CT[k * p + j];
        }
    }
    Sigma[p * n + p] = s->C[p * n + p];
    dlpi_mirror(n, Sigma);
}

/* ---- the whole ---- */

int dlp_glm_can_integrate(const dlp_glm *glm)
{
    const dlpi_prior *prior = &glm->prior;
    if (!dlpi_is_gaussian(glm->family->of) || !dlpi_scale_is_apart(glm)) return 0;
    for (dlp_index j = 0; !prior->precision && j < glm->data.p; j++)
        if (prior->df[j] > 0) return 0;
    return 1;
}

static dlp_status room_for(integral *s, dlp_error *error)
{
    const dlp_index p = s->p, n = p + 1, square = dlpi_size(n, n, 0);
    s->C = dlpi_calloc(dlpi_size(4, square, dlpi_size(9, n, 0)), sizeof *s->C);
    if (!s->C) return dlpi_no_memory(error, "the posterior of a regression");
    s->A = s->C + square;
    s->U = s->A + square;
    s->T = s->U + square;
    s->d = s->T + square;
    s->g_k = s->d + n;
    s->m = s->g_k + n;
    s->r = s->m + n;
    s->Xe = s->r + n;
    s->mean = s->Xe + n;
    s->work = s->mean + n;
    return DLP_OK;
}

/* Runs the integral over tau; s->C must be freed in any case. */
static dlp_status integrate(dlp_glm *glm, integral *s, dlp_error *error)
{
    s->g = glm;
    s->p = glm->data.p;
    DLP_TRY(room_for(s, error));
    DLP_TRY(prepare(s, error));
    return integrate_tau(s) ? DLP_OK : dlpi_glm_too_large(error);
}

dlp_status dlp_glm_integrate(dlp_glm *glm, double *mu, double *Sigma,
                             double *log_evidence, dlp_error *error)
{
    if (!dlp_glm_can_integrate(glm))
        return dlp_fail(error, DLP_EINVAL,
                        "only gaussian regressions with Gaussian priors have a posterior "
                        "that can be integrated exactly");
    integral *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the posterior of a regression");
    const dlp_status status = integrate(glm, s, error);
    if (status == DLP_OK) {
        const double mean_tau = take_means(s);
        take_covariance(s, mean_tau);
        write_moments(s, mean_tau, mu, Sigma);
        *log_evidence = s->grid.log_evidence;
    }
    free(s->C);
    free(s);
    return status;
}

/* ---- the sd ---- */

/* The tau below which the probability is `share`: nodes are evenly spaced, and half of
   the weight of each is below it. */
static double quantile(const dlpi_grid *grid, double share)
{
    double below = 0, before = 0;
    for (int i = 0; i < grid->n; i++) {
        const double here = below + 0.5 * grid->weight[i];
        if (here >= share && i > 0)
            return grid->tau[i - 1] +
                   (grid->tau[i] - grid->tau[i - 1]) * (share - before) / (here - before);
        before = here;
        below += grid->weight[i];
    }
    return grid->tau[grid->n - 1];
}

static dlp_margin margin_of_sd(const dlpi_grid *grid)
{
    dlp_margin m = {.lower = exp(quantile(grid, 0.025)),
                    .median = exp(quantile(grid, 0.5)),
                    .upper = exp(quantile(grid, 0.975))};
    double square = 0;
    for (int i = 0; i < grid->n; i++) m.mean += grid->weight[i] * exp(grid->tau[i]);
    for (int i = 0; i < grid->n; i++) {
        const double off = exp(grid->tau[i]) - m.mean;
        square += grid->weight[i] * off * off;
    }
    m.sd = sqrt(square);
    return m;
}

dlp_status dlpi_gaussian_sd_margin(dlp_glm *glm, dlp_margin *margin, dlp_error *error)
{
    integral *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the margin of the sd");
    const dlp_status status = integrate(glm, s, error);
    if (status == DLP_OK) *margin = margin_of_sd(&s->grid);
    free(s->C);
    free(s);
    return status;
}

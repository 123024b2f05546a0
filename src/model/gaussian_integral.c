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
#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"
#include "math/structure.h"
#include "model/glm_state.h"

#include <math.h>
#include <string.h>

enum { NODES = 1024 };
/* tau is sought this far out, in prior sds and at the most, and left out where its density
   is exp(-DEEP) of the highest. */
static const double FAR_OUT = 9, FARTHEST = 100, DEEP = 45;
/* The reference is the posterior mean for so little noise: w d = PRECISE at most. */
static const double PRECISE = 1e16;
/* A d below so many of the largest is rounding. */
static const double NOTHING = 1e-13;

typedef struct integral {
    dlp_glm *g;
    dlp_index p;
    double *T;         /* (p, p) its columns, t_k, one after the other */
    double *d, *g_k;   /* (p) */
    double *m;         /* (p) */
    double *r;         /* (p) the reference */
    double *Xe;        /* (p) X'e, and room for one more */
    double ee;         /* e'e */
    double *mean;      /* (p) of u */
    double *work;      /* (3p) */
    double *C;         /* (p + 1, p + 1) covariance of u and tau */
    double *A;         /* (p + 1, p + 1) X'X, and room */
    double *U;         /* (p, p) P = U'U, and room */
    double tau[NODES]; /* evenly spaced */
    double L[NODES];   /* log p(y, tau) there, then weights that add up to 1 */
} integral;

/* ---- the data ---- */

static void add_cross_products(integral *s)
{
    double ones[DLPI_TILE];
    for (int i = 0; i < DLPI_TILE; i++) ones[i] = 1;
    for (dlp_index at = 0; at < s->g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(s->g, s->r, at);
        dlpi_tile_add_xwx(s->g, at, ones, s->A);
    }
    dlpi_mirror(s->p + 1, s->A);
    for (dlp_index j = 0; j < s->p; j++) /* from rows p + 1 apart to rows p apart */
        memmove(s->A + j * s->p, s->A + j * (s->p + 1), (size_t)s->p * sizeof *s->A);
}

/* e, and so g and m, at the reference. */
static void take_residuals(integral *s)
{
    double e[DLPI_TILE];
    s->ee = 0;
    memset(s->Xe, 0, (size_t)s->p * sizeof *s->Xe);
    for (dlp_index at = 0; at < s->g->data.N; at += DLPI_TILE) {
        dlpi_tile_load(s->g, s->r, at);
        for (dlp_index i = 0; i < s->g->rows.n; i++)
            e[i] = s->g->rows.y[i] - s->g->rows.eta[i];
        s->ee += dlpi_dot(s->g->rows.n, e, e);
        dlpi_tile_add_xw(s->g, at, e, s->Xe, 1);
    }
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

/* Each row of A := U'^-1 of it. */
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

/* U'^-1 X'X U^-1 = V diag(d) V', T = U^-1 V. A d that is 0 but for rounding is 0: the data
   say nothing of these directions. */
static bool diagonalise(integral *s)
{
    const dlp_index p = s->p;
    solve_rows(s, s->A);
    transpose(p, s->A);
    solve_rows(s, s->A);
    memcpy(s->T, s->A, (size_t)(p * p) * sizeof *s->T);
    if (p > 0 && !dlpi_lapack_eigen(p, s->T, s->d, s->work)) return false;
    for (dlp_index k = 0; k < p; k++) {
        if (s->d[k] <= NOTHING * s->d[p - 1]) s->d[k] = 0;
        dlpi_cholesky_draw(p, s->U, s->T + k * p);
    }
    return true;
}

/* Moves the reference to the posterior mean for little noise, where the residuals are
   exact to their own size. Once more takes the rounding of the first time back. */
static void move_reference(integral *s)
{
    const double most = s->p > 0 ? s->d[s->p - 1] : 0, w = most > 0 ? PRECISE / most : 0;
    for (int times = 0; times < 2 && w > 0; times++) {
        for (dlp_index k = 0; k < s->p; k++) {
            const double u = (w * s->g_k[k] + s->m[k]) / (1 + w * s->d[k]);
            s->m[k] -= u;
            for (dlp_index j = 0; j < s->p; j++) s->r[j] += u * s->T[k * s->p + j];
        }
        take_residuals(s);
    }
}

static bool prepare(integral *s)
{
    memcpy(s->r, s->g->prior.mean, (size_t)s->p * sizeof *s->r);
    add_cross_products(s);
    if (!factor_prior(s) || !diagonalise(s)) return false;
    take_residuals(s);
    move_reference(s);
    return isfinite(s->ee);
}

/* ---- tau ---- */

static double prior_sd_of_tau(const integral *s)
{
    const dlpi_prior *prior = &s->g->prior;
    const dlp_index p = s->p, n = p + 1;
    return prior->precision ? 1 / sqrt(prior->precision[p * n + p]) : prior->sd[p];
}

/* log p(tau) */
static double log_prior(const integral *s, double tau)
{
    const double half_log_2_pi = 0.91893853320467274178, sd = prior_sd_of_tau(s),
                 z = (tau - s->g->prior.mean[s->p]) / sd;
    return -0.5 * z * z - log(sd) - half_log_2_pi;
}

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
    const double N =
        (double)s->g->data.N; /* a sum of squares: below 0 by rounding only */
    const double L = -N * (tau + 0.5 * log_2_pi) - 0.5 * log_det -
                     0.5 * w * fmax(misfit, 0) + log_prior(s, tau);
    return isfinite(L) ? L : -INFINITY;
}

/* L at nodes from lo to hi; the highest. */
static double evaluate(integral *s, double lo, double hi)
{
    double most = -INFINITY;
    for (int i = 0; i < NODES; i++) {
        s->tau[i] = lo + (hi - lo) * i / (NODES - 1);
        s->L[i] = log_joint(s, s->tau[i]);
        most = fmax(most, s->L[i]);
    }
    return most;
}

/* Narrows the nodes to where the density is, then makes weights of it. The sum over even
   spaces is exact to rounding for a density that fades at both ends. */
static bool integrate_tau(integral *s, double *log_evidence)
{
    const double mean = s->g->prior.mean[s->p], out = FAR_OUT * prior_sd_of_tau(s);
    double lo = fmax(mean - out, -FARTHEST), hi = fmin(mean + out, FARTHEST), most;
    for (;;) {
        int first = 0, last = NODES - 1;
        most = evaluate(s, lo, hi);
        if (!isfinite(most)) return false;
        while (s->L[first] < most - DEEP) first++;
        while (s->L[last] < most - DEEP) last--;
        first = first > 0 ? first - 1 : 0;
        last = last < NODES - 1 ? last + 1 : NODES - 1;
        if (last - first > NODES / 2) break;
        lo = s->tau[first];
        hi = s->tau[last];
    }
    double sum = 0;
    for (int i = 0; i < NODES; i++) sum += s->L[i] = exp(s->L[i] - most);
    for (int i = 0; i < NODES; i++) s->L[i] /= sum;
    *log_evidence = most + log(sum * (hi - lo) / (NODES - 1));
    return true;
}

/* ---- moments ---- */

static double mean_given_tau(const integral *s, dlp_index k, double w)
{
    return (w * s->g_k[k] + s->m[k]) / (1 + w * s->d[k]);
}

/* E[u], E[tau] */
static double take_means(integral *s)
{
    double mean_tau = 0;
    memset(s->mean, 0, (size_t)s->p * sizeof *s->mean);
    for (int i = 0; i < NODES; i++) {
        const double w = exp(-2 * s->tau[i]);
        mean_tau += s->L[i] * s->tau[i];
        for (dlp_index k = 0; k < s->p; k++)
            s->mean[k] += s->L[i] * mean_given_tau(s, k, w);
    }
    return mean_tau;
}

/* Cov[u, tau] = E[Cov[u | tau]] + Cov[E[u | tau], tau] */
static void take_covariance(integral *s, double mean_tau)
{
    const dlp_index p = s->p, n = p + 1;
    double *off = s->Xe; /* (p + 1) */
    memset(s->C, 0, (size_t)(n * n) * sizeof *s->C);
    for (int i = 0; i < NODES; i++) {
        const double w = exp(-2 * s->tau[i]);
        if (s->L[i] < 1e-25) continue;
        for (dlp_index k = 0; k < p; k++) {
            off[k] = mean_given_tau(s, k, w) - s->mean[k];
            s->C[k * n + k] += s->L[i] / (1 + w * s->d[k]);
        }
        off[p] = s->tau[i] - mean_tau;
        for (dlp_index k = 0; k < n; k++)
            for (dlp_index l = k; l < n; l++)
                s->C[k * n + l] += s->L[i] * off[k] * off[l];
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
    const dlp_index p = glm->data.p, n = glm->n;
    if (strcmp(glm->family->name, "gaussian") != 0) return 0;
    for (dlp_index j = 0; j < p; j++) {
        const bool apart = !prior->precision || prior->precision[j * n + p] == 0;
        if (!apart || (!prior->precision && prior->df[j] > 0)) return 0;
    }
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

dlp_status dlp_glm_integrate(dlp_glm *glm, double *mu, double *Sigma,
                             double *log_evidence, dlp_error *error)
{
    if (!dlp_glm_can_integrate(glm))
        return dlp_fail(error, DLP_EINVAL,
                        "only gaussian regressions with Gaussian priors have a posterior "
                        "that can be integrated");
    integral *s = dlpi_calloc(1, sizeof *s);
    if (!s) return dlpi_no_memory(error, "the posterior of a regression");
    s->g = glm;
    s->p = glm->data.p;
    dlp_status status = room_for(s, error);
    if (status == DLP_OK && !(prepare(s) && integrate_tau(s, log_evidence)))
        status = dlp_fail(error, DLP_EINPUT,
                          "the numbers are too large to compute with; use other units");
    if (status == DLP_OK) {
        const double mean_tau = take_means(s);
        take_covariance(s, mean_tau);
        write_moments(s, mean_tau, mu, Sigma);
    }
    free(s->C);
    free(s);
    return status;
}

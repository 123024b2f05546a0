/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/two_scales.h"

#include "core/core.h"
#include "glm/integrate/scale_held.h"
#include "infer/mixture.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* Points of a normal variable, half an sd apart, out to FAR sds. */
enum { ACROSS = 17, SCALES = 2 };
static const double FAR = 3.6;
static const double MOST_WORK = 4e9, HALF_LOG_2_PI = 0.91893853320467274178;

typedef struct scales {
    const dlp_glm *glm;
    dlpi_scale_held held;
    dlpi_listener listener;
    dlpi_mixture mixture;
    double *theta, *C; /* (n), (n, n) */
} scales;

/* A fit costs about four evaluations, and its evidence a sum over pairs of rows. */
bool dlpi_two_scales_are_cheap(const dlp_glm *glm)
{
    const double N = (double)glm->data.N, p = (double)glm->data.p;
    return ACROSS * ACROSS * N * p * (N + 4 * (p + 20)) < MOST_WORK;
}

static double log_prior(const dlp_glm *glm, dlp_index at, double x)
{
    const dlpi_prior *prior = &glm->prior;
    const double sd = prior->precision ? 1 / sqrt(prior->precision[at * (prior->n + 1)])
                                       : prior->sd[at],
                 z = (x - prior->mean[at]) / sd;
    return -0.5 * z * z - log(sd) - HALF_LOG_2_PI;
}

/* Fits given tau and the logarithm s of the second scale, and adds the fit to the mixture
   with the weight of the grid cell around them. */
static bool add_point(scales *w, double tau, double s, double log_width)
{
    const dlp_index n = w->glm->n, p = w->glm->data.p;
    w->held.given.data.df = exp(s);
    dlpi_scale_held_fit(&w->held, tau);
    const double log_p = w->held.log_p + log_prior(w->glm, p, tau) +
                         log_prior(w->glm, p + 1, s) + log_width;
    if (!isfinite(log_p)) return false;
    memcpy(w->theta, w->held.mu, (size_t)p * sizeof *w->theta);
    w->theta[p] = tau;
    w->theta[p + 1] = s;
    memset(w->C, 0, (size_t)(n * n) * sizeof *w->C);
    for (dlp_index i = 0; i < p; i++)
        memcpy(w->C + i * n, w->held.C + i * p, (size_t)p * sizeof *w->C);
    dlpi_mixture_add(&w->mixture, w->theta, w->C, 0, log_p);
    return true;
}

static double place(const dlpi_log_curve *margin, double z)
{
    return dlpi_log_curve_quantile(margin, dlp_normal_cdf(z));
}

/* Places u(z) in a margin for evenly spaced z of a normal variable, and the logarithms of
   du. */
static void place_all(const dlpi_log_curve *margin, double *u, double *log_width)
{
    const double space = 2 * FAR / (ACROSS - 1), step = 0.1;
    for (int i = 0; i < ACROSS; i++) {
        const double z = -FAR + i * space,
                     by = place(margin, z + step) - place(margin, z - step);
        u[i] = place(margin, z);
        log_width[i] = log(fmax(by, 1e-300) / (2 * step) * space);
    }
}

/* Back and forth, so that each fit starts at a neighbour's. */
static bool add_points(scales *w, const dlpi_log_curve *margin)
{
    double u[SCALES][ACROSS], log_width[SCALES][ACROSS];
    bool any = false;
    for (int k = 0; k < SCALES; k++) place_all(&margin[k], u[k], log_width[k]);
    for (int k = 0; k < ACROSS; k++)
        for (int i = 0; i < ACROSS; i++) {
            const int j = k % 2 ? ACROSS - 1 - i : i;
            any |= add_point(w, u[0][j], u[1][k], log_width[0][j] + log_width[1][k]);
        }
    return any;
}

static dlp_status run(scales *w, const dlp_settings *settings,
                      const dlpi_log_curve *margin, double *mu, double *Sigma,
                      double *log_evidence, dlp_error *error)
{
    const dlp_index n = w->glm->n;
    w->theta = dlpi_calloc(n + 1, (size_t)(n + 2) * sizeof *w->theta);
    w->C = dlpi_calloc(n, (size_t)n * sizeof *w->C);
    if (!w->theta || !w->C) return dlpi_no_memory(error, "two scales");
    DLP_TRY(dlpi_scale_held_alloc(&w->held, w->glm, settings, &w->listener, error));
    DLP_TRY(dlpi_mixture_alloc(&w->mixture, n + 1, error));
    if (!add_points(w, margin))
        return dlp_fail(error, DLP_EINPUT, "no values of the two scales have a fit");
    *log_evidence = dlpi_mixture_posterior(&w->mixture, w->theta, mu, Sigma);
    return DLP_OK;
}

dlp_status dlpi_integrate_two_scales(const dlp_glm *glm, const dlp_settings *settings,
                                     const dlpi_log_curve *margin, double *mu,
                                     double *Sigma, double *log_evidence,
                                     dlp_error *error)
{
    scales w = {.glm = glm};
    const dlp_status status = run(&w, settings, margin, mu, Sigma, log_evidence, error);
    dlpi_mixture_free(&w.mixture);
    dlpi_scale_held_free(&w.held);
    free(w.theta);
    free(w.C);
    return status;
}

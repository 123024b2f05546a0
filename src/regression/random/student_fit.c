/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/student_fit.h"

#include "core/core.h"
#include "glm/integrate/student_sites.h"
#include "infer/expectation_propagation.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* A sweep is a whole fit. */
enum { MOST_SWEEPS = 30 };
static const double AGREED = 1e-3;
static const double LOG_2_PI = 1.8378770664093454836, LOG_PI = 1.1447298858494001741;

typedef struct student_fit {
    const dlpi_mixed_data *data;
    const dlp_index *place;
    double *mean, *precision;    /* (p), (p, p) of the Gaussians */
    dlpi_prior stated, gaussian; /* of theta */
    dlpi_student_sites sites;
    double *mu, *C; /* (n), (n, n) of theta, of which only the variances are set */
    double *start;  /* (p and scales) */

    const dlpi_mixed_prior *prior; /* of the scales */
    dlpi_mixed_settings each;      /* of a sweep's fit */
    dlpi_mixed_result *result;     /* of the last */
    dlp_status status;
    dlp_error *error;
} student_fit;

static void clear(student_fit *s)
{
    dlpi_prior_free(&s->stated);
    dlpi_prior_free(&s->gaussian);
    free(s->mu);
    free(s->start);
}

/* The wiggly columns of smooths have Gaussian priors, whatever the others have. */
static dlp_status alloc(student_fit *s, const dlp_glm *glm, dlp_error *error)
{
    const dlp_index n = glm->prior.n, p = s->data->p;
    DLP_TRY(dlpi_prior_take(&s->stated, &glm->prior, n, error));
    for (dlp_index i = dlpi_mixed_fixed(s->data); i < p; i++)
        s->stated.df[s->place[i]] = 0;
    DLP_TRY(dlpi_prior_take(&s->gaussian, &s->stated, n, error));
    s->mu = dlpi_calloc(n, (size_t)(n + 1) * sizeof *s->mu);
    s->start = dlpi_calloc(p + s->data->scales, sizeof *s->start);
    if (!s->mu || !s->start) return dlpi_no_memory(error, "the priors of coefficients");
    s->C = s->mu + n;
    return DLP_OK;
}

static bool is_student(const student_fit *s, dlp_index i)
{
    return s->stated.df[s->place[i]] > 0;
}

static void set_priors(student_fit *s)
{
    for (dlp_index i = 0; i < s->data->p; i++) {
        const dlp_index k = s->place[i];
        if (!is_student(s, i)) continue;
        s->mean[i] = s->gaussian.mean[k];
        s->precision[i * (s->data->p + 1)] = 1 / (s->gaussian.sd[k] * s->gaussian.sd[k]);
    }
}

/* Moves the Gaussians to where they have the effect of the Student-ts, as far as this fit
   shows it. */
static void update(student_fit *s, const dlpi_mixed_result *found)
{
    const dlp_index n = s->stated.n;
    for (dlp_index i = 0; i < s->data->p; i++) {
        const dlp_index k = s->place[i];
        s->mu[k] = found->beta[i];
        s->C[k * (n + 1)] = found->covariance[i * (found->n + 1)];
    }
    memcpy(s->start, found->beta, (size_t)found->n * sizeof *s->start);
    dlpi_student_sites_update(&s->sites, s->mu, s->C);
}

static double log_student(double off, double sd, double df)
{
    const double z = off / sd;
    return dlp_lgamma(0.5 * (df + 1)) - dlp_lgamma(0.5 * df) - 0.5 * (log(df) + LOG_PI) -
           log(sd) - 0.5 * (df + 1) * log1p(z * z / df);
}

/* The stated priors of beta, less the Gaussians in their places. */
static double log_ratio(const void *context, const double *beta)
{
    const student_fit *s = context;
    double sum = 0;
    for (dlp_index i = 0; i < s->data->p; i++) {
        const dlp_index k = s->place[i];
        if (!is_student(s, i)) continue;
        const double off = beta[i] - s->mean[i], P = s->precision[i * (s->data->p + 1)];
        sum +=
            log_student(beta[i] - s->stated.mean[k], s->stated.sd[k], s->stated.df[k]) -
            0.5 * (log(P) - LOG_2_PI - P * off * off);
    }
    return sum;
}

/* ---- the loop ---- */

static void start_over(void *state)
{
    student_fit *s = state;
    dlpi_student_sites_start(&s->sites, &s->stated, &s->gaussian);
}

/* One fit under the Gaussians, which then move. No posterior is no fault of theirs. */
static dlp_outcome sweep(void *state, double damping, double *mismatch)
{
    student_fit *s = state;
    dlpi_mixed_result *result = s->result;
    dlpi_mixed_result_clear(result);
    *mismatch = 0;
    set_priors(s);
    s->status = dlpi_mixed_fit(s->data, s->prior, &s->each, result, s->error);
    if (s->status != DLP_OK) return DLP_CANCELLED; /* other steps would not help */
    if (result->points == 0) return DLP_CONVERGED;
    s->sites.damping = damping;
    update(s, result);
    result->log_evidence += s->sites.log_ratio;
    s->each.start = s->start;
    s->each.tau_start = s->start + s->data->p;
    *mismatch = s->sites.mismatch;
    return DLP_RUNNING;
}

/* A fit that was stopped is told by its result. */
static bool is_stopped(void *state)
{
    const student_fit *s = state;
    return s->result->outcome == DLP_CANCELLED;
}

/* Fits until prior and posterior agree; `after` only sees the last fit. */
static dlp_status propagate(student_fit *s, const dlpi_mixed_settings *settings)
{
    const dlpi_ep_loop_type loop = {start_over, sweep, is_stopped, AGREED, MOST_SWEEPS};
    s->each = *settings;
    s->each.after = NULL;
    const dlp_outcome outcome = dlpi_ep_loop(&loop, s, false);
    DLP_TRY(s->status);
    if (outcome == DLP_MAX_ITERATIONS)
        return dlp_fail(s->error, DLP_EINPUT,
                        "the posterior under a Student-t prior of coefficients is too "
                        "far from normal: state a normal prior, normal(MEAN, SD)");
    if (!settings->after || s->result->points == 0) return DLP_OK;
    dlpi_mixed_result_clear(s->result);
    s->each.after = settings->after;
    s->each.tilt = (dlpi_mixed_tilt){log_ratio, s};
    return dlpi_mixed_fit(s->data, s->prior, &s->each, s->result, s->error);
}

dlp_status dlpi_student_fit(const dlp_glm *glm, const dlp_index *place, double *mean,
                            double *precision, const dlpi_mixed_data *data,
                            const dlpi_mixed_prior *prior,
                            const dlpi_mixed_settings *settings,
                            dlpi_mixed_result *result, dlp_error *error)
{
    if (!dlpi_student_sites_any(&glm->prior))
        return dlpi_mixed_fit(data, prior, settings, result, error);
    student_fit s = {.data = data,
                     .place = place,
                     .mean = mean,
                     .precision = precision,
                     .prior = prior,
                     .result = result,
                     .error = error};
    *result = (dlpi_mixed_result){.outcome = DLP_NOT_STARTED};
    dlp_status status = alloc(&s, glm, error);
    if (status == DLP_OK) status = propagate(&s, settings);
    clear(&s);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps of variational EM for related regressions (Appendix C). The E step fits the
 * groups one by one, in parallel; the M step adds them up in order, so that the result does
 * not depend on the number of threads.
 */
#include <delaplace/special.h>

#include "core/core.h"
#include "glm/hierarchy/hierarchy_mean.h"
#include "glm/hierarchy/hierarchy_state.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

bool dlpi_hierarchy_factor(dlp_hierarchy *h)
{
    memcpy(h->U, h->Sigma0, (size_t)(h->n * h->n) * sizeof *h->U);
    if (dlpi_cholesky(h->n, h->U) >= 0) return false;
    h->log_det = dlpi_cholesky_log_det(h->n, h->U);
    dlpi_cholesky_inverse(h->n, h->U, h->work, h->precision);
    return true;
}

/* ---- E step ---- */

dlp_status dlpi_hierarchy_e_step(dlp_hierarchy *h, dlp_error *error)
{
    DLP_TRY(dlpi_shared_scale_check(&h->scale, error));
    if (dlpi_hierarchy_shares_scale(h)) h->groups.tau = h->mu0[h->n - 1];
    DLP_TRY(dlpi_groups_fit(&h->groups, h->mu0, h->precision, h->log_det,
                            &h->result.failed, error));
    for (dlp_index m = 0; m < h->M; m++) h->evaluations += h->groups.group[m].evaluations;
    if (h->result.failed < 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "group %td cannot be fitted: its likelihood is not finite at the "
                    "start; look for huge values in its columns",
                    h->result.failed + 1);
}

/* log N(mu_0; 0, phi1 I) + log Wishart(Sigma_0^-1; nu, phi0 I) */
static double log_hyperprior(const dlp_hierarchy *h)
{
    const dlp_index vary = h->groups.fitted;
    const double n = (double)vary, nu = h->settings.nu, phi0 = h->settings.phi0;
    const double log_2 = 0.69314718055994530942, log_pi = 1.1447298858494001741;
    double trace = 0, log_gamma_n = 0.25 * n * (n - 1) * log_pi;
    for (dlp_index j = 0; j < vary; j++) {
        trace += h->precision[j * h->n + j];
        log_gamma_n += dlp_lgamma(0.5 * (nu - (double)j));
    }
    const double square = dlpi_dot(vary, h->mu0, h->mu0);
    return -0.5 * (n * (log_2 + log_pi + log(h->settings.phi1)) +
                   square / h->settings.phi1) -
           0.5 * (nu - n - 1) * h->log_det - 0.5 * trace / phi0 -
           0.5 * nu * n * (log_2 + log(phi0)) - log_gamma_n;
}

double dlpi_hierarchy_objective(const dlp_hierarchy *h)
{
    double sum = log_hyperprior(h);
    if (dlpi_hierarchy_shares_scale(h)) sum += dlpi_shared_scale_log_prior(h->groups.tau);
    for (dlp_index m = 0; m < h->M; m++) sum += h->groups.group[m].objective;
    return sum;
}

static dlp_status e_step(void *model, double *objective, dlp_error *error)
{
    *objective = NAN;
    DLP_TRY(dlpi_hierarchy_e_step(model, error));
    *objective = dlpi_hierarchy_objective(model);
    return DLP_OK;
}

/* ---- M step ---- */

/* mu_0 = (Sigma_0 Phi_1^-1 / M + I)^-1 mean_m mu_m: as (Phi_1^-1 + M P)^-1 P sum_m mu_m
   with P = Sigma_0^-1, which is symmetric */
static bool update_mu0(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    double *sum = h->vector, *right = sum + n;
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (dlp_index m = 0; m < h->M; m++)
        for (dlp_index j = 0; j < n; j++) sum[j] += h->groups.mu[m * n + j];
    for (dlp_index j = 0; j < n; j++) {
        right[j] = dlpi_dot(n, h->precision + j * n, sum);
        for (dlp_index k = 0; k < n; k++)
            h->U[j * n + k] = (double)h->M * h->precision[j * n + k];
        h->U[j * n + j] += 1 / h->settings.phi1;
    }
    if (dlpi_cholesky(n, h->U) >= 0) return false;
    dlpi_cholesky_solve(n, h->U, right);
    memcpy(h->mu0, right, (size_t)n * sizeof *right);
    if (dlpi_hierarchy_shares_scale(h)) h->mu0[n - 1] = h->scale.tau;
    return true;
}

static void hold_scale_apart(dlp_hierarchy *h)
{
    const dlp_index n = h->n, last = n - 1;
    for (dlp_index j = 0; j < n; j++)
        h->Sigma0[last * n + j] = h->Sigma0[j * n + last] = 0;
    h->Sigma0[last * n + last] = 1;
}

/* Sigma_0 = (Phi_0^-1 + sum_m [Sigma_m + (mu_m - mu_0)(mu_m - mu_0)']) / (M + nu - n -
   1); the published paper leaves out Sigma_m (erratum E3) */
static bool update_sigma0(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    const double divisor = (double)(h->M - h->groups.fitted - 1) + h->settings.nu;
    double *off = h->vector;
    memset(h->Sigma0, 0, (size_t)(n * n) * sizeof *h->Sigma0);
    for (dlp_index j = 0; j < n; j++) h->Sigma0[j * n + j] = 1 / h->settings.phi0;
    for (dlp_index m = 0; m < h->M; m++) {
        const double *mu = h->groups.mu + m * n, *Sigma = h->groups.Sigma + m * n * n;
        for (dlp_index j = 0; j < n; j++) off[j] = mu[j] - h->mu0[j];
        for (dlp_index j = 0; j < n; j++)
            for (dlp_index k = 0; k < n; k++)
                h->Sigma0[j * n + k] +=
                    off[j] * off[k] + (h->settings.paper_sigma0 ? 0 : Sigma[j * n + k]);
    }
    for (dlp_index i = 0; i < n * n; i++) h->Sigma0[i] /= divisor;
    if (dlpi_hierarchy_shares_scale(h)) hold_scale_apart(h);
    return dlpi_hierarchy_factor(h);
}

/* Newton's step for mu_0, with the theta_m integrated out: with C as in hierarchy_mean.h,
   mu_0 + C (sum_m P (mu_m - mu_0) - mu_0 / phi1). The M step goes in the same direction,
   but the less the groups' data say, the shorter it is. */
static void aim(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    double *pull = h->vector, *gradient = pull + n, *C = h->mu0_covariance;
    if (h->settings.plain) return;
    dlpi_shared_mean_covariance(n, h->M, h->precision, h->groups.Sigma, h->settings.phi1,
                                h->U, C);
    memset(pull, 0, (size_t)n * sizeof *pull);
    for (dlp_index m = 0; m < h->M; m++)
        for (dlp_index j = 0; j < n; j++) pull[j] += h->groups.mu[m * n + j] - h->mu0[j];
    dlpi_symmetric_multiply(n, h->precision, pull, gradient);
    for (dlp_index j = 0; j < n; j++) gradient[j] -= h->mu0[j] / h->settings.phi1;
    dlpi_symmetric_multiply(n, C, gradient, h->aim);
    for (dlp_index j = 0; j < n; j++) h->aim[j] += h->mu0[j];
    if (dlpi_hierarchy_shares_scale(h)) h->aim[n - 1] = h->scale.tau;
}

static bool m_step(void *model)
{
    dlp_hierarchy *h = model;
    memcpy(h->before, h->mu0, dlpi_hierarchy_prior_bytes(h));
    if (dlpi_hierarchy_shares_scale(h)) dlpi_shared_scale_update(&h->scale, &h->groups);
    aim(h);
    return update_mu0(h) && update_sigma0(h);
}

/* ---- acceleration ---- */

/* Whether every plain iteration raises the objective: both steps maximise it. Laplace's
   q(theta_m) does not, and the published update of Sigma_0 does not. A process without
   groups says what the others do. */
bool dlpi_hierarchy_ascends(const dlp_hierarchy *h)
{
    const char *method = h->settings.method;
    return (!strcmp(method, dlpi_delta.name) ||
            !strcmp(method, dlpi_jaakkola_jordan_type.name)) &&
           !h->settings.paper_sigma0;
}

static void take_plain(dlp_hierarchy *h)
{
    memcpy(h->mu0, h->plain, dlpi_hierarchy_prior_bytes(h));
    dlpi_hierarchy_factor(h);
}

/* After the M step: extrapolates to where the iterations seem to end. */
static bool step_ahead(void *model)
{
    dlp_hierarchy *h = model;
    if (h->settings.plain) return false;
    memcpy(h->plain, h->mu0, dlpi_hierarchy_prior_bytes(h));
    memcpy(h->mu0, h->aim, (size_t)h->n * sizeof *h->mu0);
    const bool ahead = dlpi_anderson_gaussian_next(&h->anderson, h->before,
                                                   h->before + h->n, h->mu0, h->Sigma0) &&
                       dlpi_hierarchy_factor(h);
    if (!ahead) take_plain(h);
    return ahead;
}

static void step_back(void *model)
{
    dlp_hierarchy *h = model;
    take_plain(h);
    dlpi_anderson_gaussian_reset(&h->anderson);
}

/* ---- the end of an iteration ---- */

/* How far the M step has moved mu_0 and Sigma_0. */
static double change_of_prior(const dlp_hierarchy *h)
{
    double square = 0;
    for (dlp_index i = 0; i < h->n + h->n * h->n; i++)
        square += (h->mu0[i] - h->before[i]) * (h->mu0[i] - h->before[i]);
    return sqrt(square);
}

static double record(void *model, int iteration, double objective)
{
    dlp_hierarchy *h = model;
    dlp_hierarchy_result *r = &h->result;
    dlp_trace_row *row = &h->trace[iteration - 1];
    *row = (dlp_trace_row){.iteration = iteration,
                           .evaluations = (int)(h->evaluations - h->recorded),
                           .objective = objective,
                           .change = change_of_prior(h)};
    h->recorded = h->evaluations;
    r->iterations = iteration;
    r->objective = objective;
    r->valid = 1;
    r->unsettled = 0;
    for (dlp_index m = 0; m < h->M; m++)
        r->unsettled += h->groups.group[m].outcome != DLP_CONVERGED;
    return row->change;
}

static dlp_outcome ended(const void *model)
{
    const dlp_hierarchy *h = model;
    const double size = dlpi_norm(h->n + h->n * h->n, h->mu0),
                 change = h->trace[h->result.iterations - 1].change;
    return change <= h->settings.tol * (1 + size) ? DLP_CONVERGED : DLP_RUNNING;
}

const dlpi_em_type dlpi_hierarchy_em = {
    .e_step = e_step,
    .m_step = m_step,
    .record = record,
    .ended = ended,
    .step_ahead = step_ahead,
    .step_back = step_back,
};

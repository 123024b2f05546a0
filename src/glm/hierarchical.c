/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM for related regressions (Appendix C). The E step fits the groups one by
 * one, in parallel; the M step adds them up in order, so that the result does not depend
 * on the number of threads.
 */
#include <delaplace/hierarchy.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "glm/hierarchy_groups.h"
#include "glm/hierarchy_mean.h"
#include "glm/hierarchy_scale.h"
#include "glm/prior_leap.h"
#include "math/dense.h"
#include "math/structure.h"

#include <math.h>
#include <string.h>

struct dlp_hierarchy {
    dlp_hierarchy_settings settings;
    dlp_index M, n;
    dlpi_groups groups;      /* q(theta_m) */
    dlpi_shared_scale scale; /* where the groups have one in common: the last of n */
    long evaluations;        /* of all E steps */
    double *mu0;             /* (n) */
    double *Sigma0;          /* (n, n), right behind mu0 */
    double *precision;       /* (n, n) Sigma_0^-1 */
    double log_det;          /* log |Sigma_0| */
    double *U, *work;        /* (n, n) for factors */
    double *vector;          /* (2n) */
    double *aim;             /* (n) where mu_0 is to go, by Newton's step */
    double *before;          /* (n + n n) mu_0 and Sigma_0 before the last M step */
    double *plain;           /* (n + n n) and right after it, before a leap */
    double *mu0_covariance;  /* (n, n) */
    dlpi_prior_leap leap;
    bool leaped; /* mu_0 and Sigma_0 are not where the M step led */
    dlp_trace_row *trace;
    dlp_hierarchy_result result;
};

dlp_hierarchy_settings dlp_hierarchy_settings_default(void)
{
    return (dlp_hierarchy_settings){.method = "laplace",
                                    .phi0 = 0.01,
                                    .phi1 = 0.01,
                                    .tol = 1e-6,
                                    .max_iter = 500,
                                    .threads = 1};
}

/* precision and log_det of Sigma_0; false when it is not positive definite */
static bool factor_sigma0(dlp_hierarchy *h)
{
    memcpy(h->U, h->Sigma0, (size_t)(h->n * h->n) * sizeof *h->U);
    if (dlpi_cholesky(h->n, h->U) >= 0) return false;
    h->log_det = dlpi_cholesky_log_det(h->n, h->U);
    dlpi_cholesky_inverse(h->n, h->U, h->work, h->precision);
    return true;
}

/* Whether the last parameter is a scale that the groups share. Its place in Sigma_0 is then
   held by a 1, apart from the others. */
static bool shares_scale(const dlp_hierarchy *h)
{
    return h->groups.fitted < h->n;
}

/* E step: q(theta_m) under N(mu_0, Sigma_0), from the last one. */
static dlp_status e_step(dlp_hierarchy *h, dlp_error *error)
{
    if (shares_scale(h)) h->groups.tau = h->mu0[h->n - 1];
    h->result.failed = dlpi_groups_fit(&h->groups, h->mu0, h->precision, h->log_det);
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

static double objective(const dlp_hierarchy *h)
{
    double sum = log_hyperprior(h);
    if (shares_scale(h)) sum += dlpi_shared_scale_log_prior(h->groups.tau);
    for (dlp_index m = 0; m < h->M; m++) sum += h->groups.group[m].objective;
    return sum;
}

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
    if (shares_scale(h)) h->mu0[n - 1] = h->scale.tau;
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
   1); the print leaves out Sigma_m (erratum E3) */
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
    if (shares_scale(h)) hold_scale_apart(h);
    return factor_sigma0(h);
}

/* ---- the fast route: EM, with leaps ---- */

static size_t prior_bytes(const dlp_hierarchy *h)
{
    return (size_t)(h->n + h->n * h->n) * sizeof *h->mu0;
}

/* Whether every plain iteration raises the objective: both steps maximise it. Laplace's
   q(theta_m) does not, and the printed update of Sigma_0 does not. */
static bool is_ascent(const dlp_hierarchy *h)
{
    const char *const method = h->settings.method;
    return (!strcmp(method, "delta") ||
            !strcmp(method, dlpi_jaakkola_jordan_type.name)) &&
           !h->settings.paper_sigma0;
}

/* Newton's step for mu_0, the theta_m integrated over: with C as in hierarchy_mean.h,
   mu_0 + C (sum_m P (mu_m - mu_0) - mu_0 / phi1). The M step goes the same way, but shorter
   the less the groups' data tell. */
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
    if (shares_scale(h)) h->aim[n - 1] = h->scale.tau;
}

/* After the M step: on to where the iterations seem to end. */
static void leap(dlp_hierarchy *h)
{
    if (h->settings.plain) return;
    memcpy(h->plain, h->mu0, prior_bytes(h));
    memcpy(h->mu0, h->aim, (size_t)h->n * sizeof *h->mu0);
    h->leaped =
        dlpi_prior_leap_next(&h->leap, h->before, h->before + h->n, h->mu0, h->Sigma0);
    if (h->leaped) h->leaped = factor_sigma0(h);
    if (!h->leaped) {
        memcpy(h->mu0, h->plain, prior_bytes(h));
        factor_sigma0(h);
    }
}

/* The E step and the objective. A leap that lost height is taken back: where plain EM
   ascends, the objective never falls; elsewhere it is watched, as in infer/loop.c. */
static dlp_status e_step_on_course(dlp_hierarchy *h, double *value, dlp_error *error)
{
    const double last = h->result.objective, slack = is_ascent(h) ? 1e-12 : 1e-2,
                 least = last - slack * (1 + fabs(last));
    const dlp_status status = e_step(h, error);
    *value = status == DLP_OK ? objective(h) : NAN;
    if (!h->leaped || *value >= least) return status;
    memcpy(h->mu0, h->plain, prior_bytes(h));
    factor_sigma0(h);
    h->leaped = false;
    dlpi_prior_leap_reset(&h->leap);
    DLP_TRY(e_step(h, error));
    *value = objective(h);
    return DLP_OK;
}

/* How far the M step has moved mu_0 and Sigma_0. */
static double change_of_prior(const dlp_hierarchy *h)
{
    double square = 0;
    for (dlp_index i = 0; i < h->n + h->n * h->n; i++)
        square += (h->mu0[i] - h->before[i]) * (h->mu0[i] - h->before[i]);
    return sqrt(square);
}

static dlp_outcome conclude(dlp_hierarchy *h, double value, long evaluations)
{
    const dlp_hierarchy_settings *s = &h->settings;
    dlp_hierarchy_result *r = &h->result;
    dlp_trace_row *row = &h->trace[r->iterations++];
    *row = (dlp_trace_row){.iteration = r->iterations,
                           .evaluations = (int)evaluations,
                           .objective = value,
                           .change = change_of_prior(h)};
    r->unsettled = 0;
    for (dlp_index m = 0; m < h->M; m++)
        r->unsettled += h->groups.group[m].outcome != DLP_CONVERGED;
    r->objective = value;
    const bool stop = s->progress && s->progress(s->context, row) != 0;
    if (row->change <= s->tol * (1 + dlpi_norm(h->n + h->n * h->n, h->mu0)))
        return DLP_CONVERGED;
    if (stop) return DLP_CANCELLED;
    return r->iterations < s->max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

static dlp_status iterate(dlp_hierarchy *h, dlp_error *error)
{
    const long evaluations = h->evaluations;
    double value;
    DLP_TRY(e_step_on_course(h, &value, error));
    memcpy(h->before, h->mu0, prior_bytes(h));
    if (shares_scale(h)) dlpi_shared_scale_update(&h->scale, &h->groups);
    aim(h);
    if (!isfinite(value) || !update_mu0(h) || !update_sigma0(h)) {
        h->result.outcome = DLP_DIVERGED;
        return DLP_OK;
    }
    h->result.outcome = conclude(h, value, h->evaluations - evaluations);
    if (h->result.outcome == DLP_RUNNING) leap(h);
    return DLP_OK;
}

/* mu_0 = 0, Sigma_0 = I */
static void reset(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    h->result = (dlp_hierarchy_result){.outcome = DLP_RUNNING,
                                       .n = n,
                                       .M = h->M,
                                       .mu0 = h->mu0,
                                       .Sigma0 = h->Sigma0,
                                       .mu0_covariance = h->mu0_covariance,
                                       .trace = h->trace,
                                       .failed = -1};
    memset(h->mu0, 0, prior_bytes(h));
    for (dlp_index j = 0; j < n; j++) h->Sigma0[j * n + j] = 1;
    factor_sigma0(h);
    dlpi_shared_scale_reset(&h->scale);
    h->evaluations = 0;
    h->groups.started = false;
    h->leaped = false;
    dlpi_prior_leap_reset(&h->leap);
}

/* What is known of the scale: as much in each group, which do not differ in it. */
static void tell_scale(dlp_hierarchy *h)
{
    const dlp_index n = h->n, last = n * n - 1;
    const double variance = dlpi_shared_scale_variance(&h->scale, &h->groups);
    h->Sigma0[last] = 0;
    h->mu0_covariance[last] = variance;
    for (dlp_index m = 0; m < h->M; m++) h->groups.Sigma[m * n * n + last] = variance;
}

dlp_status dlp_hierarchy_run(dlp_hierarchy *h, dlp_error *error)
{
    dlp_hierarchy_result *r = &h->result;
    reset(h);
    while (r->outcome == DLP_RUNNING) DLP_TRY(iterate(h, error));
    /* q(theta_m) and the objective belong to the last mu_0 and Sigma_0 */
    DLP_TRY(e_step(h, error));
    if (isfinite(objective(h))) r->objective = objective(h);
    double *work = h->U; /* and h->work, right behind it */
    dlpi_shared_mean_covariance(h->n, h->M, h->precision, h->groups.Sigma,
                                h->settings.phi1, work, h->mu0_covariance);
    if (shares_scale(h)) tell_scale(h);
    return DLP_OK;
}

static dlp_status check(const dlp_hierarchy_settings *s, dlp_index n, dlp_error *error)
{
    if (s->nu != 0 && !(s->nu > (double)(n - 1) && isfinite(s->nu)))
        return dlp_fail(
            error, DLP_EINVAL,
            "nu is %g; with %td parameters it must exceed %td, or be 0 for the "
            "default",
            s->nu, n, n - 1);
    if (!(s->phi0 > 0 && s->phi1 > 0 && isfinite(s->phi0) && isfinite(s->phi1)))
        return dlp_fail(error, DLP_EINVAL,
                        "phi0 is %g and phi1 %g; both must be positive", s->phi0,
                        s->phi1);
    return DLP_OK;
}

static dlp_status check_counts(const dlp_hierarchy_settings *s, dlp_index M,
                               dlp_error *error)
{
    if (M < 1) return dlp_fail(error, DLP_EINVAL, "a hierarchy needs one group or more");
    if (!(s->tol > 0) || s->max_iter < 1 || s->max_iter > 1000000 || s->threads < 1 ||
        s->threads > 1024)
        return dlp_fail(error, DLP_EINVAL,
                        "tol must be positive, max_iter 1 to 1000000, threads 1 to 1024");
    return DLP_OK;
}

static dlp_status allocate(dlp_hierarchy *h, dlp_error *error)
{
    const dlp_index n = h->n, square = dlpi_size(n, n, 0);
    h->mu0 = dlpi_calloc(dlpi_size(7, square, dlpi_size(6, n, 0)), sizeof *h->mu0);
    h->trace = dlpi_calloc(h->settings.max_iter, sizeof *h->trace);
    if (!h->mu0 || !h->trace) return dlpi_no_memory(error, "the hierarchy");
    h->Sigma0 = h->mu0 + n;
    h->precision = h->Sigma0 + square;
    h->U = h->precision + square;
    h->work = h->U + square;
    h->vector = h->work + square;
    h->before = h->vector + 2 * n;
    h->plain = h->before + n + square;
    h->mu0_covariance = h->plain + n + square;
    h->aim = h->mu0_covariance + square;
    return dlpi_prior_leap_alloc(&h->leap, n, error);
}

dlp_status dlp_hierarchy_alloc(const char *family, const char *link, dlp_index M,
                               const dlp_glm_data *groups,
                               const dlp_hierarchy_settings *settings,
                               dlp_hierarchy **hierarchy, dlp_error *error)
{
    dlp_status status;
    *hierarchy = NULL;
    DLP_TRY(check_counts(settings, M, error));
    dlp_hierarchy *h = dlpi_calloc(1, sizeof *h);
    if (!h) return dlpi_no_memory(error, "the hierarchy");
    h->settings = *settings;
    h->M = M;
    DLP_TRY_OR(failed,
               dlpi_groups_alloc(&h->groups, family, link, M, groups, settings, error));
    h->n = h->groups.n;
    if (h->settings.nu == 0) h->settings.nu = (double)h->groups.fitted + 100;
    DLP_TRY_OR(failed, check(&h->settings, h->groups.fitted, error));
    if (shares_scale(h))
        DLP_TRY_OR(failed, dlpi_shared_scale_alloc(&h->scale, &h->groups, error));
    DLP_TRY_OR(failed, allocate(h, error));
    *hierarchy = h;
    return DLP_OK;
failed:
    dlp_hierarchy_free(h);
    return status;
}

void dlp_hierarchy_free(dlp_hierarchy *h)
{
    if (!h) return;
    dlpi_groups_free(&h->groups);
    dlpi_shared_scale_free(&h->scale);
    free(h->mu0);
    free(h->trace);
    dlpi_prior_leap_free(&h->leap);
    free(h);
}

const dlp_hierarchy_result *dlp_hierarchy_result_of(const dlp_hierarchy *hierarchy)
{
    return &hierarchy->result;
}

dlp_group_result dlp_hierarchy_group(const dlp_hierarchy *hierarchy, dlp_index m)
{
    const dlpi_groups *groups = &hierarchy->groups;
    const dlp_index n = groups->n;
    const dlpi_group *group = &groups->group[m];
    return (dlp_group_result){
        .outcome = group->outcome,
        .fallbacks = group->fallbacks,
        .objective = group->objective,
        .mu = groups->mu + m * n,
        .Sigma = {.shape = dlp_shape_dense(n), .a = groups->Sigma + m * n * n}};
}

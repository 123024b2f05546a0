/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM for related regressions (Appendix C). The E step fits the groups one by
 * one, in parallel; the M step adds them up in order, so that the result does not depend
 * on the number of threads.
 */
#include <delaplace/hierarchy.h>
#include <delaplace/special.h>

#include "core/core.h"
#include "math/dense.h"
#include "math/structure.h"
#include "model/glm_state.h"

#include <math.h>
#include <string.h>

struct dlp_hierarchy {
    dlp_hierarchy_settings settings;
    dlp_index M, n;
    dlp_glm *const *groups;
    dlp_fit **fits;    /* (M) */
    bool *failed;      /* (M) whose likelihood was not finite */
    double *start;     /* (M, n) where each group's fit begins: its last mean */
    double *mu0;       /* (n) */
    double *Sigma0;    /* (n, n) */
    double *precision; /* (n, n) Sigma_0^-1 */
    double log_det;    /* log |Sigma_0| */
    double *U, *work;  /* (n, n) for factors */
    double *vector;    /* (2n) */
    double *before;    /* (n + n n) mu_0 and Sigma_0 of the last iteration */
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

/* E step: q(theta_m) under N(mu_0, Sigma_0), from its last mean. */
static dlp_status e_step(dlp_hierarchy *h, dlp_error *error)
{
    for (dlp_index m = 0; m < h->M; m++)
        dlpi_prior_share(&h->groups[m]->prior, h->mu0, h->precision, h->log_det);
#pragma omp parallel for schedule(dynamic) num_threads(h->settings.threads)
    for (dlp_index m = 0; m < h->M; m++) {
        double *start = h->start + m * h->n;
        h->failed[m] = dlp_fit_run(h->fits[m], start, NULL) != DLP_OK;
        memcpy(start, dlp_fit_result(h->fits[m])->mu, (size_t)h->n * sizeof *start);
    }
    for (dlp_index m = 0; m < h->M; m++)
        if (h->failed[m])
            return dlp_fail(
                error, DLP_EINPUT,
                "group %td cannot be fitted: its likelihood is not finite at the "
                "start; look for huge values in its columns",
                m + 1);
    return DLP_OK;
}

/* log N(mu_0; 0, phi1 I) + log Wishart(Sigma_0^-1; nu, phi0 I) */
static double log_hyperprior(const dlp_hierarchy *h)
{
    const double n = (double)h->n, nu = h->settings.nu, phi0 = h->settings.phi0;
    const double log_2 = 0.69314718055994530942, log_pi = 1.1447298858494001741;
    double trace = 0, log_gamma_n = 0.25 * n * (n - 1) * log_pi;
    for (dlp_index j = 0; j < h->n; j++) {
        trace += h->precision[j * h->n + j];
        log_gamma_n += dlp_lgamma(0.5 * (nu - (double)j));
    }
    const double square = dlpi_dot(h->n, h->mu0, h->mu0);
    return -0.5 * (n * (log_2 + log_pi + log(h->settings.phi1)) +
                   square / h->settings.phi1) -
           0.5 * (nu - n - 1) * h->log_det - 0.5 * trace / phi0 -
           0.5 * nu * n * (log_2 + log(phi0)) - log_gamma_n;
}

static double objective(const dlp_hierarchy *h)
{
    double sum = log_hyperprior(h);
    for (dlp_index m = 0; m < h->M; m++) sum += dlp_fit_result(h->fits[m])->objective;
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
        for (dlp_index j = 0; j < n; j++) sum[j] += h->start[m * n + j];
    for (dlp_index j = 0; j < n; j++) {
        right[j] = dlpi_dot(n, h->precision + j * n, sum);
        for (dlp_index k = 0; k < n; k++)
            h->U[j * n + k] = (double)h->M * h->precision[j * n + k];
        h->U[j * n + j] += 1 / h->settings.phi1;
    }
    if (dlpi_cholesky(n, h->U) >= 0) return false;
    dlpi_cholesky_solve(n, h->U, right);
    memcpy(h->mu0, right, (size_t)n * sizeof *right);
    return true;
}

/* Sigma_0 = (Phi_0^-1 + sum_m [Sigma_m + (mu_m - mu_0)(mu_m - mu_0)']) / (M + nu - n -
   1); the print leaves out Sigma_m (erratum E3) */
static bool update_sigma0(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    const double divisor = (double)(h->M - n - 1) + h->settings.nu;
    double *off = h->vector;
    memset(h->Sigma0, 0, (size_t)(n * n) * sizeof *h->Sigma0);
    for (dlp_index j = 0; j < n; j++) h->Sigma0[j * n + j] = 1 / h->settings.phi0;
    for (dlp_index m = 0; m < h->M; m++) {
        const double *Sigma = dlp_sym_block(dlp_fit_result(h->fits[m])->Sigma, 0);
        for (dlp_index j = 0; j < n; j++) off[j] = h->start[m * n + j] - h->mu0[j];
        for (dlp_index j = 0; j < n; j++)
            for (dlp_index k = 0; k < n; k++)
                h->Sigma0[j * n + k] +=
                    off[j] * off[k] + (h->settings.paper_sigma0 ? 0 : Sigma[j * n + k]);
    }
    for (dlp_index i = 0; i < n * n; i++) h->Sigma0[i] /= divisor;
    return factor_sigma0(h);
}

/* How far mu_0 and Sigma_0 have moved since they were last remembered. */
static double change_since(dlp_hierarchy *h)
{
    const dlp_index n = h->n;
    double square = 0;
    for (dlp_index i = 0; i < n + n * n; i++) {
        const double now = i < n ? h->mu0[i] : h->Sigma0[i - n];
        square += (now - h->before[i]) * (now - h->before[i]);
        h->before[i] = now;
    }
    return sqrt(square);
}

static dlp_outcome conclude(dlp_hierarchy *h, double value, double change)
{
    const dlp_hierarchy_settings *s = &h->settings;
    dlp_hierarchy_result *r = &h->result;
    dlp_trace_row *row = &h->trace[r->iterations++];
    *row =
        (dlp_trace_row){.iteration = r->iterations, .objective = value, .change = change};
    r->unsettled = 0;
    for (dlp_index m = 0; m < h->M; m++) {
        const dlp_result *group = dlp_fit_result(h->fits[m]);
        row->evaluations += (int)group->evaluations;
        r->unsettled += group->outcome != DLP_CONVERGED;
    }
    r->objective = value;
    const bool stop = s->progress && s->progress(s->context, row) != 0;
    if (change <= s->tol * (1 + dlpi_norm(h->n + h->n * h->n, h->before)))
        return DLP_CONVERGED;
    if (stop) return DLP_CANCELLED;
    return r->iterations < s->max_iter ? DLP_RUNNING : DLP_MAX_ITERATIONS;
}

dlp_status dlp_hierarchy_run(dlp_hierarchy *h, dlp_error *error)
{
    const dlp_index n = h->n;
    dlp_hierarchy_result *r = &h->result;
    *r = (dlp_hierarchy_result){.outcome = DLP_RUNNING,
                                .n = n,
                                .M = h->M,
                                .mu0 = h->mu0,
                                .Sigma0 = h->Sigma0,
                                .trace = h->trace};
    memset(h->mu0, 0, (size_t)n * sizeof *h->mu0);
    memset(h->start, 0, (size_t)(h->M * n) * sizeof *h->start);
    memset(h->Sigma0, 0, (size_t)(n * n) * sizeof *h->Sigma0);
    for (dlp_index j = 0; j < n; j++) h->Sigma0[j * n + j] = 1;
    factor_sigma0(h);
    (void)change_since(h);
    while (r->outcome == DLP_RUNNING) {
        DLP_TRY(e_step(h, error));
        const double value = objective(h);
        if (!isfinite(value) || !update_mu0(h) || !update_sigma0(h)) {
            r->outcome = DLP_DIVERGED;
            break;
        }
        r->outcome = conclude(h, value, change_since(h));
    }
    /* q(theta_m) and the objective belong to the last mu_0 and Sigma_0 */
    DLP_TRY(e_step(h, error));
    if (isfinite(objective(h))) r->objective = objective(h);
    return DLP_OK;
}

static dlp_status check(dlp_index M, dlp_glm *const *groups,
                        const dlp_hierarchy_settings *s, dlp_error *error)
{
    if (M < 1) return dlp_fail(error, DLP_EINVAL, "a hierarchy needs one group or more");
    for (dlp_index m = 1; m < M; m++)
        if (groups[m]->n != groups[0]->n || groups[m]->family != groups[0]->family)
            return dlp_fail(error, DLP_EINVAL,
                            "group %td has other columns or another family than group 1",
                            m + 1);
    if (s->nu != 0 && !(s->nu > (double)(groups[0]->n - 1) && isfinite(s->nu)))
        return dlp_fail(
            error, DLP_EINVAL,
            "nu is %g; with %td parameters it must exceed %td, or be 0 for the "
            "default",
            s->nu, groups[0]->n, groups[0]->n - 1);
    if (!(s->phi0 > 0 && s->phi1 > 0 && isfinite(s->phi0) && isfinite(s->phi1)))
        return dlp_fail(error, DLP_EINVAL,
                        "phi0 is %g and phi1 %g; both must be positive", s->phi0,
                        s->phi1);
    if (!(s->tol > 0) || s->max_iter < 1 || s->max_iter > 1000000 || s->threads < 1 ||
        s->threads > 1024)
        return dlp_fail(error, DLP_EINVAL,
                        "tol must be positive, max_iter 1 to 1000000, threads 1 to 1024");
    return DLP_OK;
}

static dlp_status allocate(dlp_hierarchy *h, dlp_error *error)
{
    const dlp_index n = h->n, square = dlpi_size(n, n, 0);
    h->fits = dlpi_calloc(h->M, sizeof *h->fits);
    h->failed = dlpi_calloc(h->M, sizeof *h->failed);
    h->start = dlpi_calloc(dlpi_size(h->M, n, 0), sizeof *h->start);
    h->mu0 = dlpi_calloc(dlpi_size(5, square, dlpi_size(4, n, 0)), sizeof *h->mu0);
    h->trace = dlpi_calloc(h->settings.max_iter, sizeof *h->trace);
    if (!h->fits || !h->failed || !h->start || !h->mu0 || !h->trace)
        return dlpi_no_memory(error, "the hierarchy");
    h->Sigma0 = h->mu0 + n;
    h->precision = h->Sigma0 + square;
    h->U = h->precision + square;
    h->work = h->U + square;
    h->vector = h->work + square;
    h->before = h->vector + 2 * n;
    dlp_settings settings = dlp_settings_default();
    settings.method = h->settings.method;
    for (dlp_index m = 0; m < h->M; m++) {
        const dlp_model model = dlp_glm_model(h->groups[m]);
        DLP_TRY(dlpi_prior_make_full(&h->groups[m]->prior, error));
        DLP_TRY(dlp_fit_alloc(&model, &settings, &h->fits[m], error));
    }
    return DLP_OK;
}

dlp_status dlp_hierarchy_alloc(dlp_index M, dlp_glm *const *groups,
                               const dlp_hierarchy_settings *settings,
                               dlp_hierarchy **hierarchy, dlp_error *error)
{
    *hierarchy = NULL;
    DLP_TRY(check(M, groups, settings, error));
    dlp_hierarchy *h = dlpi_calloc(1, sizeof *h);
    if (!h) return dlpi_no_memory(error, "the hierarchy");
    h->settings = *settings;
    h->M = M;
    h->n = groups[0]->n;
    h->groups = groups;
    if (h->settings.nu == 0) h->settings.nu = (double)h->n + 100;
    const dlp_status status = allocate(h, error);
    if (status != DLP_OK) {
        dlp_hierarchy_free(h);
        return status;
    }
    *hierarchy = h;
    return DLP_OK;
}

void dlp_hierarchy_free(dlp_hierarchy *h)
{
    if (!h) return;
    for (dlp_index m = 0; h->fits && m < h->M; m++) dlp_fit_free(h->fits[m]);
    free(h->fits);
    free(h->failed);
    free(h->start);
    free(h->mu0);
    free(h->trace);
    free(h);
}

const dlp_hierarchy_result *dlp_hierarchy_result_of(const dlp_hierarchy *hierarchy)
{
    return &hierarchy->result;
}

const dlp_fit *dlp_hierarchy_group(const dlp_hierarchy *hierarchy, dlp_index m)
{
    return m >= 0 && m < hierarchy->M ? hierarchy->fits[m] : NULL;
}

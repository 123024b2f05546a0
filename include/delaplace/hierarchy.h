/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Related regressions with a shared prior (Section 4.2, Appendix C):
 *
 *     Sigma_0^-1 ~ Wishart(nu, phi0 I),  mu_0 ~ N(0, phi1 I),
 *     theta_m ~ N(mu_0, Sigma_0),        data of group m ~ GLM(theta_m),
 *
 * fitted by variational EM: q(theta_m) for every group, then mu_0 and Sigma_0 by MAP.
 */
#ifndef DELAPLACE_HIERARCHY_H
#define DELAPLACE_HIERARCHY_H

#include <delaplace/fit.h>
#include <delaplace/glm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fill one by dlp_hierarchy_settings_default(). */
typedef struct dlp_hierarchy_settings {
    size_t size;        /* of the struct, as the program knows it */
    const char *method; /* for q(theta_m): "laplace", "delta", "previous-mean", or, with
                           a logit link, "jaakkola-jordan"; default "laplace" */
    double nu;          /* > n - 1 for n parameters; 0 (default): n + 100, the paper's */
    double phi0, phi1;  /* default 0.01 each, the paper's; > 0 */
    int shared_scale; /* non-zero: the groups have one scale (sd, shape, size) in common,
                         as in lme4; default 0: it varies by group like all other
                         parameters */
    int paper_sigma0; /* non-zero: Sigma_0's update as published, which omits the groups'
                         own uncertainty (erratum E3); default 0 */
    int plain;        /* non-zero: plain EM; default 0: between iterations mu_0 and
                         Sigma_0 take Anderson steps ahead to the same fixed point, in
                         fewer iterations */
    double tol;       /* stop when mu_0 and Sigma_0 change by no more than this, relative
                         to 1 plus their norm; default 1e-6 */
    int max_iter;     /* default 500 */
    int threads;      /* for the groups; the result does not depend on it; default 1 */
    /* Called after each iteration (`change` is that of mu_0 and Sigma_0) and, with
       `polled` set, before each evaluation of a group's f by the calling thread; a
       non-zero return cancels. */
    dlp_progress_call *progress;
    void *context;
    struct dlp_processes *processes; /* that all have the same groups and make the same
                                        calls: each fits a part of the groups, and needs
                                        only their data, and N, p and levels of the
                                        others; default NULL: this process alone */
} dlp_hierarchy_settings;

/* The defaults, into the first size bytes of settings. */
DLP_API void dlp_hierarchy_settings_init(dlp_hierarchy_settings *settings, size_t size);
static inline dlp_hierarchy_settings dlp_hierarchy_settings_default(void)
{
    dlp_hierarchy_settings settings;
    dlp_hierarchy_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_hierarchy_result {
    dlp_outcome outcome;
    int iterations;
    double objective; /* sum over groups + log p(mu_0) + log p(Sigma_0^-1), completed */
    dlp_index n, M;   /* parameters per group, groups */
    const double *mu0, *Sigma0;   /* (n), (n, n) */
    const double *mu0_covariance; /* (n, n) the uncertainty of mu_0, given Sigma_0 */
    const dlp_trace_row *trace;   /* (iterations) objectives before each M step */
    int unsettled;                /* groups whose own last fit did not converge */
    dlp_index failed; /* if the run failed: the group, from 0, whose likelihood is not
                         finite; else -1 */
    int valid;        /* non-zero: an iteration has ended; 0: nothing is estimated */
} dlp_hierarchy_result;

typedef struct dlp_hierarchy dlp_hierarchy;

/*
 * A regression of the family (as in dlp_glm_alloc) for each of M groups, with the same
 * columns and levels; NULL settings are the defaults. The array and the data stay the
 * caller's and must outlive the hierarchy. It holds O(M n^2) numbers, and a workspace for
 * each thread.
 */
DLP_API dlp_status dlp_hierarchy_alloc(const char *family, const char *link, dlp_index M,
                                       const dlp_glm_data *groups,
                                       const dlp_hierarchy_settings *settings,
                                       dlp_hierarchy **hierarchy, dlp_error *error);
DLP_API void dlp_hierarchy_free(dlp_hierarchy *hierarchy); /* NULL is fine */

/* Runs EM from mu_0 = 0, Sigma_0 = I. If cancelled, it ends soon with mu_0 and Sigma_0 of
   the last complete iteration and each group's last q(theta_m), or with DLP_ECANCELLED if
   no iteration was complete. */
DLP_API dlp_status dlp_hierarchy_run(dlp_hierarchy *hierarchy, dlp_error *error);

DLP_API const dlp_hierarchy_result *
dlp_hierarchy_result_of(const dlp_hierarchy *hierarchy);

/* q(theta_m) = N(mu, Sigma) of a group, and how its last fit ended. */
typedef struct dlp_group_result {
    dlp_outcome outcome;
    int fallbacks;    /* as in dlp_result */
    double objective; /* the group's part of the whole */
    const double *mu; /* (n) */
    dlp_sym Sigma;    /* dense (n, n); the hierarchy's, not to be freed */
} dlp_group_result;

/* Group m, 0 <= m < M; valid until the next run. */
DLP_API dlp_group_result dlp_hierarchy_group(const dlp_hierarchy *hierarchy, dlp_index m);

#ifdef __cplusplus
}
#endif

#endif

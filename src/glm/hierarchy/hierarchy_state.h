/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside a hierarchy of regressions: the groups and the prior that they share. Internal. */
#ifndef DLPI_GLM_HIERARCHY_STATE_H
#define DLPI_GLM_HIERARCHY_STATE_H

#include <delaplace/hierarchy.h>

#include "glm/hierarchy/hierarchy_groups.h"
#include "glm/hierarchy/hierarchy_scale.h"
#include "infer/anderson_gaussian.h"
#include "infer/em.h"

struct dlp_hierarchy {
    dlp_hierarchy_settings settings;
    dlp_index M, n;
    dlpi_hierarchy_groups groups; /* q(theta_m) */
    dlpi_shared_scale scale;      /* shared by the groups, if any: the last of the n */
    long evaluations;             /* of all E steps */
    long recorded;                /* how many of them are in the trace */
    double *mu0;                  /* (n) */
    double *Sigma0;               /* (n, n), right after mu0 */
    double *precision;            /* (n, n) Sigma_0^-1 */
    double log_det;               /* log |Sigma_0| */
    double *U, *work;             /* (n, n) for factors */
    double *vector;               /* (2n) */
    double *aim;                  /* (n) where mu_0 is to go, by Newton's step */
    double *before;               /* (n + n n) mu_0 and Sigma_0 before the last M step */
    double *plain;                /* (n + n n) and right after it, before a step ahead */
    double *mu0_covariance;       /* (n, n) */
    dlpi_anderson_gaussian anderson;
    dlpi_listener listener;
    dlp_trace_row *trace;
    dlp_hierarchy_result result;
};

/* Variational EM for it: hierarchy_em.c */
extern const dlpi_em_type dlpi_hierarchy_em;

/* Whether every plain iteration raises the objective. */
bool dlpi_hierarchy_ascends(const dlp_hierarchy *h);
/* The E step, starting where the last one ended. */
dlp_status dlpi_hierarchy_e_step(dlp_hierarchy *h, dlp_error *error);
double dlpi_hierarchy_objective(const dlp_hierarchy *h);
/* precision and log_det of Sigma_0; false when it is not positive definite */
bool dlpi_hierarchy_factor(dlp_hierarchy *h);

/* Whether the last parameter is a scale that the groups share. Its place in Sigma_0 then
   holds a 1, uncorrelated with the others. */
static inline bool dlpi_hierarchy_shares_scale(const dlp_hierarchy *h)
{
    return h->groups.fitted < h->n;
}

/* The size of mu_0 and of Sigma_0, which follows it. */
static inline size_t dlpi_hierarchy_prior_bytes(const dlp_hierarchy *h)
{
    return (size_t)(h->n + h->n * h->n) * sizeof *h->mu0;
}

#endif

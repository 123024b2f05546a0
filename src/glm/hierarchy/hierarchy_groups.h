/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of a hierarchy, each with its q(theta_m) under the prior that they share. A
 * group keeps only its posterior, O(n^2) numbers. The workspace of a fit is a hundred
 * times as large and belongs to a thread, which fits one group after another in it.
 * Internal.
 */
#ifndef DLPI_GLM_HIERARCHY_GROUPS_H
#define DLPI_GLM_HIERARCHY_GROUPS_H

#include <delaplace/hierarchy.h>

#include "glm/glm_state.h"
#include "infer/infer.h"

/* How a group's last fit ended. */
typedef struct dlpi_hierarchy_group {
    double objective;
    long evaluations;
    dlp_outcome outcome;
    int fallbacks;
    bool failed;     /* its likelihood was not finite at the start */
    bool has_offset; /* as in dlpi_warm_start */
} dlpi_hierarchy_group;

/* Fits one group at a time. */
typedef struct dlpi_group_worker {
    dlp_glm *glm;
    dlp_fit *fit;
} dlpi_group_worker;

/* Empty when zeroed. */
typedef struct dlpi_hierarchy_groups {
    dlp_index M, n;
    dlp_index
        fitted;  /* parameters of a group: n, or with a shared scale all but the last */
    double tau;  /* the shared scale, which is the last entry of each mean */
    double *sub; /* (fitted, fitted) */
    const dlp_glm_data *data; /* (M) the caller's; of other processes' groups, only N */
    dlpi_hierarchy_group *group; /* (M) */
    double *mu;                  /* (M, n) means of q(theta_m) */
    double *Sigma;               /* (M, n, n) covariances */
    double *start, *offset;      /* (M, n) each group's dlpi_warm_start */
    bool started;                /* start and offset are set */
    dlpi_group_worker *worker;   /* (threads) */
    int threads;
    dlpi_listener *listener;
    struct dlpi_comm *comm; /* the processes; NULL: this one alone */
    dlp_index *begin;   /* (size + 1) where the groups of each process begin; with comm */
    dlp_index from, to; /* the groups that this process fits */
} dlpi_hierarchy_groups;

/* Checks the data of every group that this process fits. */
dlp_status dlpi_groups_alloc(dlpi_hierarchy_groups *groups, const char *family,
                             const char *link, dlp_index M, const dlp_glm_data *data,
                             const dlp_hierarchy_settings *settings,
                             dlpi_listener *listener, dlp_error *error);
void dlpi_groups_free(dlpi_hierarchy_groups *groups); /* fine on a zeroed or failed one */

/* Fits every q(theta_m) under N(mu_0, precision^-1), starting where the last fit ended.
   *failed: the first group whose likelihood is not finite, or -1. When the listener stops
   the fit, unfinished groups keep what they had. With several processes, each fits its
   own groups and then receives all. */
dlp_status dlpi_groups_fit(dlpi_hierarchy_groups *groups, const double *mu0,
                           const double *precision, double log_det, dlp_index *failed,
                           dlp_error *error);

/* Sends to all processes what each has for its groups, `each` bytes for a group. */
dlp_status dlpi_groups_share(const dlpi_hierarchy_groups *groups, void *of, size_t each,
                             dlp_error *error);

/* The covariance of the fitted parameters of group m, into S (fitted, fitted). */
void dlpi_groups_covariance(const dlpi_hierarchy_groups *groups, dlp_index m, double *S);

#endif

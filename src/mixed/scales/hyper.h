/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hyperparameters: for each term, and then for each smooth as a term of one effect,
 * the logarithms of its q sds, then the hyperbolic arctangents of its q (q - 1) / 2
 * partial correlations, or the second number of a process; last, for a family with
 * scales, their logarithms, tau. psi holds those to be estimated: a fixed sd is not among
 * them, and an sd bounded by a and b is represented by its logit between the two. Any
 * vector of finite numbers is a psi. Internal.
 */
#ifndef DLPI_MIXED_HYPER_H
#define DLPI_MIXED_HYPER_H

#include "mixed/mixed.h"

enum { DLPI_MOST_EFFECTS = 64 }; /* of a level */

typedef struct dlpi_hyper_layout {
    dlp_index m;                  /* the length of psi */
    dlp_index n_terms;            /* terms and smooths of the data */
    dlp_index largest;            /* the largest q of a term */
    const dlp_index *at;          /* (n_terms) where each term's numbers begin */
    const dlp_index *q;           /* (n_terms) */
    const dlpi_process **process; /* (n_terms) NULL for a term without one; or NULL */
    dlp_index tau;                /* where it is in psi; -1: the family has no scale, */
    dlp_index scales;             /*     else how many */
    dlp_index blocks; /* how many independent blocks the effects of a level form, or 0 */
    bool is_restricted; /* an sd is fixed or has bounds */
    /* If so, or if there are blocks: how many numbers there are in all, the place of each
       in psi, or -1, and their priors; correlations between blocks are 0. NULL: psi holds
       all numbers as they are. */
    dlp_index all;
    dlp_index *psi_of;
    const dlp_sd_prior **bound; /* (all) NULL: none */
} dlpi_hyper_layout;

/* The process of a term, or NULL. */
static inline const dlpi_process *dlpi_hyper_process(const dlpi_hyper_layout *layout,
                                                     dlp_index t)
{
    return layout->process ? layout->process[t] : NULL;
}

/* How many blocks the effects of a level of term t form; a smooth has one sd. */
static inline dlp_index dlpi_hyper_blocks(const dlpi_hyper_layout *layout, dlp_index t)
{
    return layout->blocks && layout->q[t] >= layout->blocks ? layout->blocks : 1;
}

dlp_status dlpi_hyper_layout_make(const dlpi_mixed_data *data, dlpi_hyper_layout *layout,
                                  dlp_error *error);
void dlpi_hyper_layout_clear(dlpi_hyper_layout *layout);
/* Leaves out of psi what the prior fixes. The sds of the prior must outlive the
   layout. */
dlp_status dlpi_hyper_restrict(dlpi_hyper_layout *layout, const dlpi_mixed_prior *prior,
                               dlp_error *error);
/* All numbers, the fixed ones included: psi itself, or in room (layout->all). */
const double *dlpi_hyper_all(const dlpi_hyper_layout *layout, const double *psi,
                             double *room);
/* A psi to start from: each sd is below what its prior expects, and tau (scales) is as
   given. */
void dlpi_hyper_start(const dlpi_hyper_layout *layout, const dlpi_mixed_prior *prior,
                      const double *tau, double *psi);

/* sd (q) and the upper Cholesky factor R (q, q) of the correlations, R'R, of a term whose
   numbers begin at psi, where psi holds all numbers. */
void dlpi_hyper_term(dlp_index q, const double *psi, double *sd, double *R);
/* The precision (q, q) of a level's effects; returns its log determinant. work (q, q). */
double dlpi_hyper_precision(dlp_index q, const double *psi, double *precision,
                            double *work);
/* log p(psi), with the Jacobian of psi. */
double dlpi_hyper_log_prior(const dlpi_hyper_layout *layout,
                            const dlpi_mixed_prior *prior, const double *psi);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log evidence of a model as a function of its hyperparameters psi, log p(x | psi),
 * with theta integrated out by Laplace's method or delta's, and its gradient in psi.
 * Internal.
 *
 * With f(theta; psi), its Hessian H, Sigma = -H^-1 at the mean mu,
 *
 *     log p(x | psi) ~ f(mu) - 1/2 log|-H(mu)| + n/2 log 2 pi.
 *
 * Delta's mu maximises that, so the change of mu with psi contributes nothing:
 *
 *     d/dpsi_j = f_j + 1/2 Tr{Sigma H_j},   f_j = df/dpsi_j, H_j its Hessian in theta.
 *
 * Laplace's mu maximises f, and moves by Sigma g_j, g_j the gradient of f_j in theta.
 * With t the gradient of Tr{H(theta) Sigma}, as in the delta method, that adds 1/2
 * t'Sigma g_j. This needs Sigma only where H has entries, and one solve.
 */
#ifndef DLPI_INFER_PSI_EVIDENCE_H
#define DLPI_INFER_PSI_EVIDENCE_H

#include "infer/infer.h"

/* How a model depends on psi. */
typedef struct dlpi_psi {
    dlp_index m; /* their number */
    /* Sets the psi (m) of f. */
    void (*set)(void *state, const double *psi);
    /* f_j at theta and, if not NULL, its gradient (n) and full Hessian. */
    double (*derivative)(void *state, dlp_index j, const double *theta, double *grad,
                         dlp_sym *hess);
} dlpi_psi;

typedef struct dlpi_psi_evidence {
    dlp_fit *fit; /* of the last psi */
    dlpi_psi psi;
    dlpi_warm_start warm;
    bool is_warm;
    dlp_sym hess;          /* H_j */
    double *grad, *pushed; /* (n) g_j, Sigma t */
} dlpi_psi_evidence;

dlp_status dlpi_psi_evidence_alloc(dlpi_psi_evidence *e, const dlp_model *model,
                                   const dlpi_psi *psi, const dlp_settings *settings,
                                   dlp_error *error);
void dlpi_psi_evidence_free(dlpi_psi_evidence *e); /* fine on a zeroed or failed one */

/* Writes log p(x | psi) to *log_p, -INFINITY if no fit converged; and, if one did and
   gradient is not NULL, the gradient (m). Each fit begins where the last one ended. Fails
   as dlp_fit_run does, except for a start outside the domain. */
dlp_status dlpi_psi_evidence_at(dlpi_psi_evidence *e, const double *psi, double *log_p,
                                double *gradient, dlp_error *error);

#endif

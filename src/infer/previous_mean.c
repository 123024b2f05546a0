/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * theta_hat = the mean of the last iteration, Section 3.2's second choice. With a
 * Gaussian prior this is Ahmed & Xing (2007). It need not converge.
 */
#include "infer/infer.h"

#include <string.h>

/* Maximising eq:l-approx over (mu, Sigma) with theta_hat = mu_old:
       mu = theta_hat - H^-1 grad f(theta_hat),  Sigma = -H^-1,  H = hess f(theta_hat) */
static dlp_outcome update_theta_previous_mean(dlp_fit *fit)
{
    dlpi_optim *o = &fit->optim;
    const dlp_outcome outcome = dlpi_set_q(fit);
    if (outcome != DLP_RUNNING) return outcome;
    memcpy(o->step, o->at.grad, (size_t)o->n * sizeof *o->step);
    dlp_cholesky_solve(fit->q.precision, o->step);
    for (dlp_index i = 0; i < o->n; i++) fit->q.mu[i] = o->at.x[i] + o->step[i];
    fit->updated = DLPI_MOVED;
    dlpi_mean_moved(fit);
    return DLP_RUNNING;
}

const dlpi_method dlpi_previous_mean = {
    .name = "previous-mean",
    .update_theta = update_theta_previous_mean,
};

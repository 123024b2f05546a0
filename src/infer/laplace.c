/* SPDX-License-Identifier: BSD-3-Clause */
/* Laplace variational inference, Section 3.1. */
#include "infer/infer.h"

#include <math.h>

/* Up to this dimension a Hessian by differences is worth its n gradients per step. */
enum { NEWTON_BY_DIFFERENCES = 40 };

static dlp_outcome maximise_f(dlp_fit *fit, double tol)
{
    dlpi_optim *o = &fit->optim;
    const bool newton =
        fit->model.type->derivatives == 2 || fit->model.shape.n <= NEWTON_BY_DIFFERENCES;
    if (newton) return dlpi_newton(o, tol, DLPI_INNER_MAX_ITER);

    o->with_hess = false;
    const dlp_outcome outcome = dlpi_lbfgs(o, false, 1e-9, 50 * DLPI_INNER_MAX_ITER);
    o->with_hess = true;
    dlpi_optim_evaluate(o);
    return outcome;
}

/* q(theta) = N(theta_hat, -hess f(theta_hat)^-1), theta_hat = argmax f   (eq:lap-var) */
dlp_outcome dlpi_update_theta_laplace(dlp_fit *fit, double tol)
{
    const dlp_outcome found = maximise_f(fit, tol);
    if (found == DLP_NOT_CONCAVE || found == DLP_DIVERGED || found == DLP_STALLED)
        return found;
    fit->updated = found == DLP_CONVERGED ? DLPI_SETTLED : DLPI_UNFINISHED;
    return dlpi_set_q(fit);
}

static dlp_outcome update_theta_laplace(dlp_fit *fit)
{
    const bool once = !fit->model.type->update_z; /* this is the answer */
    const double tol = once ? fmin(fit->settings.tol, DLPI_INNER_TOL) : DLPI_INNER_TOL;
    return dlpi_update_theta_laplace(fit, fmax(tol, 1e-10));
}

const dlpi_method dlpi_laplace = {
    .name = "laplace",
    .update_theta = update_theta_laplace,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* The monitored objective: eq:monitor, completed (erratum E2). */
#include "infer/infer.h"

#include <math.h>

/*
 * With theta_hat = mu, eq:monitor's linear and quadratic terms vanish:
 *
 *     L ~ f(mu) + 1/2 Tr{hess f(mu) Sigma} + 1/2 log|Sigma| + n/2 log(2 pi e)
 *         + E[log p(x|z)] + E[log h(z)] - E[log q(z)]
 *
 * The paper leaves out the constant of the entropy and the first two terms of the last
 * line; with them objectives of different models can be compared.
 */
double dlpi_monitor(dlp_fit *fit)
{
    const double log_2_pi_e = 2.8378770664093454836;
    const dlp_index n = fit->model.shape.n;
    const dlpi_optim *o = &fit->optim;
    dlpi_expect_stats(fit);
    dlpi_evaluate_at_mean(fit);
    if (!dlpi_optim_finite(o)) return NAN;
    const double objective_z =
        fit->model.type->update_z ? fit->model.type->objective_z(fit->model.state) : 0;
    return o->at.f + 0.5 * dlp_sym_trace(&o->at.hess, &fit->q.Sigma) +
           0.5 * fit->q.log_det + 0.5 * (double)n * log_2_pi_e + objective_z;
}

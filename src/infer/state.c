/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit knows about f and z at the current q, and whether it has been stopped. */
#include "infer/infer.h"

#include "core/core.h"

#include <string.h>

/* ---- f and z ---- */

void dlpi_forget(dlp_fit *fit)
{
    fit->current.at = fit->current.stats = false;
}

void dlpi_mean_moved(dlp_fit *fit)
{
    fit->current.at = false;
}

void dlpi_evaluate_at_mean(dlp_fit *fit)
{
    dlpi_optim *o = &fit->optim;
    if (fit->current.at) return;
    memcpy(o->at.x, fit->q.mu, (size_t)o->n * sizeof *o->at.x);
    o->with_hess = true;
    dlpi_optim_evaluate(o);
    fit->current.at = true;
}

void dlpi_expect_stats(dlp_fit *fit)
{
    if (!fit->type.update_z || fit->current.stats) return;
    fit->type.expect_stats(fit->model.state);
    fit->current.stats = true;
}

/* (eq:q-z-exact2) */
void dlpi_update_z(dlp_fit *fit)
{
    if (!fit->type.update_z) return;
    fit->type.update_z(fit->model.state, fit->e_eta);
    dlpi_forget(fit);
}

dlp_outcome dlpi_set_q(dlp_fit *fit)
{
    const dlpi_optim *o = &fit->optim;
    dlpi_gaussian *q = &fit->q;
    memcpy(q->mu, o->at.x, (size_t)o->n * sizeof *q->mu);
    dlp_sym_copy(&o->at.hess, &fit->hess);
    dlp_sym_negate(&fit->hess);
    if (fit->settings.diagonal) dlp_sym_keep_diagonal(&fit->hess);
    const dlp_index failed = dlp_cholesky_compute(q->precision, &fit->hess);
    fit->result.worst = failed;
    if (failed >= 0) return DLP_NOT_CONCAVE;
    dlp_cholesky_inverse(q->precision, &q->Sigma);
    q->log_det = -dlp_cholesky_log_det(q->precision);
    fit->current.at = true;
    return DLP_RUNNING;
}

/* ---- stopping from outside ---- */

bool dlpi_is_stopped(dlp_fit *fit)
{
    return fit->failure != DLP_OK || dlpi_listener_poll(&fit->listener);
}

void dlpi_ask_failure(dlp_fit *fit)
{
    dlp_error why = {0};
    if (!fit->type.failure || fit->failure != DLP_OK) return;
    fit->failure = fit->type.failure(fit->model.state, &why);
    if (fit->failure == DLP_OK) return;
    if (why.message[0])
        (void)dlpi_advise(fit->error, why.remedy,
                          dlp_fail(fit->error, fit->failure, "%s", why.message));
    else
        dlp_fail(fit->error, fit->failure, "model %s failed: %s", fit->type.name,
                 dlp_status_string(fit->failure));
}

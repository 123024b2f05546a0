/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/em.h"

#include "core/core.h"

#include <math.h>

static bool strays(const dlpi_em *em, double objective)
{
    const double least = em->objective - em->slack * (1 + fabs(em->objective));
    return em->type->strays ? em->type->strays(em->model) : !(objective >= least);
}

/* The E step. If an Anderson step led astray, the model goes back to where it was and its
   E step is run again. So wherever plain EM ascends, the objective never falls. */
static dlp_status e_step_on_course(dlpi_em *em, double *objective, dlp_error *error)
{
    const dlp_status status = em->type->e_step(em->model, objective, error);
    if (!em->ahead || dlpi_listener_stopped(em->listener)) return status;
    if (status == DLP_OK && !strays(em, *objective)) return status;
    em->type->step_back(em->model);
    em->ahead = false;
    return em->type->e_step(em->model, objective, error);
}

/* Writes the trace and decides whether to continue. */
static dlp_outcome conclude(dlpi_em *em, double objective)
{
    em->objective = objective;
    const double change = em->type->record(em->model, ++em->iterations, objective);
    return dlpi_listener_conclude(em->listener, em->iterations, objective, change,
                                  em->type->ended(em->model), em->max_iter);
}

dlp_status dlpi_em_step(dlpi_em *em, dlp_error *error)
{
    const dlpi_em_type *type = em->type;
    const bool first = type->m_step && type->m_step_first && em->iterations > 0,
               last = type->m_step && !type->m_step_first;
    double objective = NAN;
    em->outcome = DLP_DIVERGED;
    if (first && !type->m_step(em->model)) return DLP_OK;
    DLP_TRY(e_step_on_course(em, &objective, error));
    if (dlpi_listener_stopped(em->listener)) {
        em->outcome = DLP_CANCELLED;
        return DLP_OK;
    }
    if (last && (!isfinite(objective) || !type->m_step(em->model))) return DLP_OK;
    em->outcome = conclude(em, objective);
    /* Anderson acceleration, for models that support it; the next E step may undo it. */
    if (em->outcome == DLP_RUNNING && type->step_ahead)
        em->ahead = type->step_ahead(em->model);
    return DLP_OK;
}

dlp_status dlpi_em_run(dlpi_em *em, dlp_error *error)
{
    while (em->outcome == DLP_RUNNING) DLP_TRY(dlpi_em_step(em, error));
    return DLP_OK;
}

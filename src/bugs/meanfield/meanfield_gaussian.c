/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Gaussian factor: f(theta_i) is a model without z for the engine of src/infer, which
 * finds q(theta_i) by Laplace's method or the delta method, with all its safeguards.
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"
#include "infer/infer.h"

#include <math.h>
#include <string.h>

enum { MOST_DENSE = 150, MOST_FALLBACKS = 3 };

static const dlp_model_type TYPE = {
    .size = sizeof TYPE,
    .name = "factor of q",
    .f = dlpi_meanfield_f,
    .derivatives = 2,
    .trace_grad = dlpi_meanfield_trace_grad,
};

bool dlpi_gaussian_by_delta(const dlpi_meanfield *mf, const dlpi_q *q)
{
    if (q->quadratic) return false; /* Laplace's method gives the same at less cost */
    if (q->fallbacks >= MOST_FALLBACKS)
        return false; /* or it would alternate between the two */
    if (q->way != DLPI_ANY_WAY) return q->way == DLPI_DELTA;
    return mf->delta;
}

/* Coordinates of q that share a row. */
static dlp_status make_pattern(const dlpi_meanfield *mf, dlpi_q *q, dlp_error *error)
{
    dlp_index total = 0, n = 0;
    for (dlp_index i = 0; i < q->n_atoms; i++)
        total += mf->shape[mf->atoms_of[mf->member[q->atom + i]]].n_inputs;
    dlp_index *start = dlpi_calloc(q->n_atoms + 1, sizeof *start);
    int32_t *column = dlpi_calloc(total, sizeof *column);
    dlp_status status = start && column ? DLP_OK : dlpi_no_memory(error, "q");
    for (dlp_index i = 0; i < q->n_atoms && status == DLP_OK; i++) {
        const int32_t atom = mf->member[q->atom + i];
        const dlpi_atoms *a = &mf->shape[mf->atoms_of[atom]];
        const int32_t *coordinate =
            a->coordinate + (dlp_index)mf->row_of[atom] * a->n_inputs;
        for (int k = 0; k < a->n_inputs; k++)
            if (a->is_cell[k] && coordinate[k] >= q->at && coordinate[k] < q->at + q->n)
                column[n++] = (int32_t)(coordinate[k] - q->at);
        start[i + 1] = n;
    }
    if (status == DLP_OK)
        status =
            dlp_pattern_from_sum(q->n, q->n_atoms, start, column, &q->pattern, error);
    free(start);
    free(column);
    return status;
}

/* The listener hears of sweeps, not of the iterations of an update. */
static int poll(void *listener, const dlp_progress *progress)
{
    (void)progress;
    return dlpi_listener_poll(listener);
}

static dlp_status make_fit(dlpi_meanfield *mf, dlpi_q *q, dlpi_of_q **of, dlp_fit **fit,
                           dlp_error *error)
{
    dlp_settings settings = dlp_settings_default();
    if (*fit) return DLP_OK;
    *of = dlpi_calloc(1, sizeof **of);
    if (!*of) return dlpi_no_memory(error, "q");
    (*of)->mf = mf;
    dlp_model model = {.type = &TYPE, .state = *of, .shape = dlp_shape_dense(q->n)};
    if (q->n > MOST_DENSE) {
        DLP_TRY(make_pattern(mf, q, error));
        model.shape = dlp_shape_sparse(q->pattern);
    }
    settings.method = dlpi_gaussian_by_delta(mf, q) ? "delta" : "laplace";
    settings.progress = poll;
    settings.context = mf->listener;
    return dlp_fit_alloc(&model, &settings, fit, error);
}

double dlpi_gaussian_covariance(const dlpi_meanfield *mf, dlp_index i, dlp_index j)
{
    const dlpi_q *q = &mf->q[mf->q_of_coordinate[i]];
    if (!q->known) return 0;
    if (i == j) return mf->variance[i];
    return dlp_sym_entry(dlp_fit_result(q->fit)->Sigma, i - q->at, j - q->at);
}

static void forget_fit(dlpi_q *q)
{
    dlp_fit_free(q->fit);
    free(q->of);
    q->fit = NULL;
    q->of = NULL;
}

static dlp_status name_factor(const dlpi_meanfield *mf, const dlpi_q *q,
                              dlp_status status, const dlp_error *why, dlp_error *error)
{
    char name[128];
    dlpi_cell_name(mf->factors->lowering->graph, mf->cell[q->first], name, sizeof name);
    return dlpi_advise(error, DLP_REMEDY_INITIAL_VALUES,
                       dlp_fail(error, status,
                                "the factor of %s: %s; other initial values may help",
                                name, why->message));
}

/* Takes over mean and covariance from a valid fit, and updates the expectations of its
   atoms. */
static void take_fit(dlpi_meanfield *mf, int32_t at, const dlp_fit *fit)
{
    dlpi_q *q = &mf->q[at];
    const dlp_result *r = dlp_fit_result(fit);
    mf->fallbacks += r->fallbacks;
    q->fallbacks += r->fallbacks;
    if (!r->valid || r->outcome != DLP_CONVERGED) mf->outcome = r->outcome;
    if (!r->valid) return;
    memcpy(mf->mean + q->at, r->mu, (size_t)q->n * sizeof *r->mu);
    dlp_sym_get_diagonal(r->Sigma, mf->variance + q->at);
    q->log_det = fit->q.log_det;
    q->known = true;
    dlpi_meanfield_expect(mf, at);
}

dlp_status dlpi_gaussian_update(dlpi_meanfield *mf, int32_t at, dlp_error *error)
{
    dlpi_q *q = &mf->q[at];
    const bool one = q->n == 1;
    const int way = dlpi_gaussian_by_delta(mf, q);
    dlp_fit **fit = one ? &mf->one[way] : &q->fit;
    dlpi_of_q **of = one ? &mf->of_one[way] : &q->of;
    dlp_error why = {0};
    dlpi_meanfield_weigh(mf, at);
    if (!one && q->by_delta && !way) forget_fit(q); /* it fell back too often */
    q->by_delta = way;
    DLP_TRY(make_fit(mf, q, of, fit, error));
    (*of)->q = at;
    const dlp_status status = dlp_fit_run(*fit, mf->mean + q->at, &why);
    if (status == DLP_ECANCELLED || dlpi_listener_stopped(mf->listener)) {
        mf->outcome = DLP_CANCELLED;
        return DLP_OK;
    }
    if (status != DLP_OK) return name_factor(mf, q, status, &why, error);
    take_fit(mf, at, *fit);
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coordinate ascent over the factors of q, and its objective. Between sweeps, Anderson
 * steps move the parameters of factors ahead towards the same fixed point; a step that
 * lowers the objective is undone.
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"
#include "infer/anderson.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

static const double LOG_2_PI = 1.8378770664093454836;

/* ---- where to begin ---- */

static double raw_start(const dlpi_meanfield *mf, dlp_index cell, double otherwise)
{
    const double *start = mf->value ? mf->value : mf->factors->lowering->graph->start;
    return start && isfinite(start[cell]) ? start[cell] : otherwise;
}

/* Responsibilities at random: equal ones would stay equal (P44). */
static void start_table(dlpi_meanfield *mf, const dlpi_q *q, double *value)
{
    const dlp_index cell = mf->cell[q->first];
    const double given = raw_start(mf, cell, NAN);
    dlp_rng rng = dlp_rng_at(mf->settings->seed + 5, (uint64_t)cell);
    double sum = 0;
    for (int32_t s = 0; s < q->n_stats; s++) {
        value[s] = isnan(given) ? -log(dlp_draw_uniform(&rng)) : given == q->low + s;
        if (mf->impossible[q->stat + s]) value[s] = 0;
        sum += value[s];
    }
    for (int32_t s = 0; s < q->n_stats; s++) value[s] = sum > 0 ? value[s] / sum : 0;
}

static dlp_status start_factor(dlpi_meanfield *mf, dlpi_q *q, bool *given,
                               dlp_error *error)
{
    const dlp_index n = q->n > q->n_stats ? q->n : q->n_stats;
    double *value = dlpi_calloc(n, sizeof *value);
    if (!value) return dlpi_no_memory(error, "q");
    const double bound = mf->factors->lowering->upper[mf->cell[q->first]];
    const double usual = q->family == DLPI_GAMMA       ? 1
                         : q->family == DLPI_SCALE     ? fmin(1, 0.5 * bound)
                         : q->family == DLPI_BETA      ? 0.5
                         : q->family == DLPI_DIRICHLET ? 1.0 / q->n
                                                       : 0;
    for (int32_t k = 0; k < q->n; k++) {
        const dlp_index cell = mf->cell[q->first + k];
        if (q->family == DLPI_GAUSSIAN) {
            const double at = mf->start[cell];
            mf->mean[q->at + k] = isfinite(at) ? at : 0;
            *given = *given || isfinite(at);
            continue;
        }
        value[k] = raw_start(mf, cell, usual);
        if (q->family != DLPI_CATEGORICAL)
            *given = *given || isfinite(raw_start(mf, cell, NAN));
    }
    if (q->family == DLPI_CATEGORICAL) start_table(mf, q, value);
    dlpi_conjugate_start(mf, q, value);
    free(value);
    return DLP_OK;
}

/* ---- the objective ---- */

/* E[log p] + entropy of q: the bound of eq:lower-bound if all factors are exact, else the
   approximation of eq:monitor. */
static double objective(const dlpi_meanfield *mf)
{
    double sum = mf->constant;
    for (dlp_index t = 0; t < mf->n_terms; t++) {
        double product = mf->c[t];
        for (dlp_index u = mf->begin[t]; u < mf->begin[t + 1]; u++)
            product *= mf->expected[mf->use[u]];
        sum += product;
    }
    for (dlp_index i = 0; i < mf->n_q; i++) {
        const dlpi_q *q = &mf->q[i];
        sum += q->family == DLPI_GAUSSIAN ? 0.5 * (q->log_det + q->n * (1 + LOG_2_PI))
                                          : dlpi_conjugate_entropy(mf, q);
    }
    return sum;
}

static dlp_status keep_objective(dlpi_meanfield *mf, dlp_error *error)
{
    if (mf->sweeps == mf->elbo_room) {
        const int room = 2 * mf->elbo_room + 64;
        double *to = realloc(mf->elbo, (size_t)room * sizeof *to);
        if (!to) return dlpi_no_memory(error, "q");
        mf->elbo = to;
        mf->elbo_room = room;
    }
    mf->elbo[mf->sweeps++] = objective(mf);
    return DLP_OK;
}

/* ---- sweeps ---- */

static dlp_status update(dlpi_meanfield *mf, int32_t i, dlp_error *error)
{
    dlpi_q *q = &mf->q[i];
    if (q->family == DLPI_GAUSSIAN) return dlpi_gaussian_update(mf, i, error);
    if (dlpi_conjugate_update(mf, q)) return DLP_OK;
    char name[128];
    const dlpi_graph *g = mf->factors->lowering->graph;
    dlpi_cell_name(g, mf->cell[q->first], name, sizeof name);
    return dlpi_graph_complain(
        g, g->of[q->relation].relation->place, error,
        "the factor of %s is not a proper distribution: its prior is improper and the "
        "data do not make up for it, or the data are impossible",
        name);
}

static dlp_status update_kind(dlpi_meanfield *mf, bool discrete, dlp_error *error)
{
    for (dlp_index i = 0; i < mf->n_q && mf->outcome == DLP_RUNNING; i++)
        if ((mf->q[i].family == DLPI_CATEGORICAL) == discrete)
            DLP_TRY(update(mf, (int32_t)i, error));
    return DLP_OK;
}

/* How far expectations moved; coordinates in sds. */
static double moved(const dlpi_meanfield *mf, const double *before)
{
    double most = 0;
    for (dlp_index s = 0; s < mf->n_stats; s++)
        most = fmax(most, fabs(mf->expected[s] - before[s]) / (1 + fabs(before[s])));
    for (dlp_index c = 0; c < mf->n_coordinates; c++)
        most = fmax(most, fabs(mf->mean[c] - before[mf->n_stats + c]) /
                              sqrt(fmax(mf->variance[c], 1e-300)));
    return most;
}

static void keep(const dlpi_meanfield *mf, double *before)
{
    memcpy(before, mf->expected, (size_t)mf->n_stats * sizeof *before);
    memcpy(before + mf->n_stats, mf->mean, (size_t)mf->n_coordinates * sizeof *before);
}

/* ---- steps ahead ---- */

typedef struct ahead {
    dlpi_anderson anderson;
    dlp_index n;
    double *before;                  /* expectations saved by `keep` */
    double *from, *to, *next, *unit; /* (n) states */
    double change;                   /* how far the last sweep that was kept moved q */
    bool jumped;
    bool exact; /* all factors are exact */
} ahead;

static dlp_status begin(dlpi_meanfield *mf, ahead *a, dlp_error *error)
{
    enum { DEPTH = 20 };
    a->n = dlpi_meanfield_state_size(mf);
    a->exact = true;
    for (dlp_index i = 0; i < mf->n_q; i++)
        a->exact = a->exact && (mf->q[i].family != DLPI_GAUSSIAN || mf->q[i].quadratic);
    a->before = dlpi_calloc(mf->n_stats + mf->n_coordinates, sizeof *a->before);
    a->from = dlpi_calloc(4 * a->n, sizeof *a->from);
    if (!a->before || !a->from) return dlpi_no_memory(error, "q");
    a->to = a->from + a->n;
    a->next = a->to + a->n;
    a->unit = a->next + a->n;
    return a->n > 0 ? dlpi_anderson_alloc(&a->anderson, a->n, DEPTH, error) : DLP_OK;
}

static void end(ahead *a)
{
    if (a->anderson.r) dlpi_anderson_free(&a->anderson);
    free(a->before);
    free(a->from);
}

/* Moves to the predicted fixed point; stays here if that is not a valid q. */
static void jump(dlpi_meanfield *mf, ahead *a)
{
    a->jumped = a->n > 0 && dlpi_anderson_next(&a->anderson, a->from, a->to, a->next);
    if (!a->jumped || dlpi_meanfield_set_state(mf, a->next)) return;
    (void)dlpi_meanfield_set_state(mf, a->to);
    dlpi_anderson_reset(&a->anderson);
    a->jumped = false;
}

/* Undoes a step that lowered the objective; or, if q is not exact and the objective need
   not rise, a step after which a sweep moves q farther than the last one did. */
static bool take_back(dlpi_meanfield *mf, ahead *a)
{
    const double farther = 3, change = moved(mf, a->before);
    const bool worse =
        a->exact ? mf->sweeps > 0 && !(objective(mf) >= mf->elbo[mf->sweeps - 1])
                 : !(change <= farther * a->change);
    if (!a->jumped || mf->outcome != DLP_RUNNING || !worse) {
        a->change = change;
        return false;
    }
    (void)dlpi_meanfield_set_state(mf, a->to);
    dlpi_anderson_reset(&a->anderson);
    a->jumped = false;
    return true;
}

/* ---- sweeps ---- */

static dlp_status sweep(dlpi_meanfield *mf, bool discrete, dlp_error *error)
{
    if (discrete) DLP_TRY(update_kind(mf, true, error));
    return update_kind(mf, false, error);
}

static void conclude(dlpi_meanfield *mf, double change)
{
    const dlp_bugs_settings *s = mf->settings;
    dlp_outcome ended = DLP_RUNNING;
    if (change <= s->tol)
        ended = DLP_CONVERGED;
    else if (!isfinite(mf->elbo[mf->sweeps - 1]))
        ended = DLP_DIVERGED;
    mf->outcome = dlpi_listener_conclude(
        mf->listener, mf->sweeps, mf->elbo[mf->sweeps - 1], change, ended, s->max_iter);
}

static dlp_status sweep_until_done(dlpi_meanfield *mf, ahead *a, bool discrete,
                                   dlp_error *error)
{
    while (mf->outcome == DLP_RUNNING) {
        keep(mf, a->before);
        dlpi_meanfield_state(mf, a->from, a->unit);
        DLP_TRY(sweep(mf, discrete, error));
        discrete = true;
        if (take_back(mf, a)) continue;
        DLP_TRY(keep_objective(mf, error));
        if (mf->outcome != DLP_RUNNING) break;
        dlpi_meanfield_state(mf, a->to, a->unit);
        conclude(mf, mf->sweeps > 1 ? a->change : INFINITY);
        if (mf->outcome != DLP_RUNNING) break;
        if (mf->sweeps == 2 && a->n > 0) dlpi_anderson_measure(&a->anderson, a->unit);
        if (mf->sweeps > 1) jump(mf, a);
    }
    return DLP_OK;
}

/* Updates locations alone before the scales: from a poor start, scales would take the
   distance to the data for noise. */
static dlp_status settle_locations(dlpi_meanfield *mf, dlp_error *error)
{
    enum { MOST = 20 };
    const uint8_t *domain = mf->factors->lowering->domain;
    for (int i = 0; i < MOST && mf->scalar; i++) {
        double change = 0;
        for (dlp_index k = 0; k < mf->n_q && mf->outcome == DLP_RUNNING; k++) {
            const dlpi_q *q = &mf->q[k];
            const dlp_index cell = mf->cell[q->first];
            if (domain[cell] != DLPI_DOMAIN_REAL || mf->is_scale[q->relation] ||
                q->family == DLPI_CATEGORICAL)
                continue;
            const bool normal = q->family == DLPI_NORMAL;
            const double was = normal ? mf->expected[q->stat] : mf->mean[q->at];
            DLP_TRY(update(mf, (int32_t)k, error));
            const double now = normal ? mf->expected[q->stat] : mf->mean[q->at];
            change = fmax(change, fabs(now - was) / (1 + fabs(was)));
        }
        if (change < 1e-3) break;
    }
    return DLP_OK;
}

dlp_status dlpi_meanfield_ascend(dlpi_meanfield *mf, dlp_error *error)
{
    bool given = false;
    ahead a = {0};
    mf->outcome = DLP_RUNNING;
    for (dlp_index i = 0; i < mf->n_q; i++)
        DLP_TRY(start_factor(mf, &mf->q[i], &given, error));
    for (dlp_index i = 0; i < mf->n_q; i++)
        if (mf->q[i].family == DLPI_GAUSSIAN) dlpi_meanfield_expect(mf, (int32_t)i);
    dlpi_listener_begin(mf->listener, "sweeps", mf->settings->max_iter,
                        mf->settings->tol);
    dlp_status status = begin(mf, &a, error);
    if (status == DLP_OK && given) status = update_kind(mf, true, error);
    if (status == DLP_OK) status = settle_locations(mf, error);
    if (status == DLP_OK) status = sweep_until_done(mf, &a, given, error);
    end(&a);
    return status;
}

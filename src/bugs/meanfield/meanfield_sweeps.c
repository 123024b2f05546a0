/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coordinate ascent over the factors of q, and its objective. The loop is that of
 * infer/em.c, where a sweep is an E step. Between sweeps, Anderson steps move the
 * parameters of factors ahead towards the same fixed point.
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"
#include "infer/anderson.h"
#include "infer/em.h"

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

/* ---- the loop ---- */

/* The model of infer/em.h. */
typedef struct ascent {
    dlpi_meanfield *mf;
    dlpi_anderson anderson;
    dlp_index n;
    double *before;                  /* expectations and means before the sweep */
    double *from, *to, *next, *unit; /* (n) states */
    double change;                   /* how far the last recorded sweep moved q */
    bool discrete; /* a sweep begins with the discrete factors; the first may not */
} ascent;

static dlp_status alloc(ascent *a, dlp_error *error)
{
    enum { DEPTH = 20 };
    dlpi_meanfield *mf = a->mf;
    a->n = dlpi_meanfield_state_size(mf);
    a->before = dlpi_calloc(mf->n_stats + mf->n_coordinates, sizeof *a->before);
    a->from = dlpi_calloc(4 * a->n, sizeof *a->from);
    mf->elbo = dlpi_calloc(mf->settings->max_iter, sizeof *mf->elbo);
    if (!a->before || !a->from || !mf->elbo) return dlpi_no_memory(error, "q");
    a->to = a->from + a->n;
    a->next = a->to + a->n;
    a->unit = a->next + a->n;
    return a->n > 0 ? dlpi_anderson_alloc(&a->anderson, a->n, DEPTH, error) : DLP_OK;
}

static void release(ascent *a)
{
    if (a->anderson.r) dlpi_anderson_free(&a->anderson);
    free(a->before);
    free(a->from);
}

static dlp_status sweep(void *model, double *at_end, dlp_error *error)
{
    ascent *a = model;
    dlpi_meanfield *mf = a->mf;
    memcpy(a->before, mf->expected, (size_t)mf->n_stats * sizeof *a->before);
    memcpy(a->before + mf->n_stats, mf->mean,
           (size_t)mf->n_coordinates * sizeof *a->before);
    dlpi_meanfield_state(mf, a->from, a->unit);
    if (a->discrete) DLP_TRY(update_kind(mf, true, error));
    DLP_TRY(update_kind(mf, false, error));
    a->discrete = true;
    *at_end = objective(mf);
    return DLP_OK;
}

static double record(void *model, int iteration, double at_end)
{
    ascent *a = model;
    a->mf->elbo[iteration - 1] = at_end;
    a->mf->sweeps = iteration;
    a->change = moved(a->mf, a->before);
    return iteration > 1 ? a->change : INFINITY;
}

static dlp_outcome ended(const void *model)
{
    const ascent *a = model;
    const dlpi_meanfield *mf = a->mf;
    if (mf->outcome != DLP_RUNNING) return mf->outcome; /* inside the sweep */
    if (mf->sweeps > 1 && a->change <= mf->settings->tol) return DLP_CONVERGED;
    return isfinite(mf->elbo[mf->sweeps - 1]) ? DLP_RUNNING : DLP_DIVERGED;
}

static void step_back(void *model)
{
    ascent *a = model;
    (void)dlpi_meanfield_set_state(a->mf, a->to);
    dlpi_anderson_reset(&a->anderson);
    a->mf->outcome = DLP_RUNNING;
}

/* Moves to the predicted fixed point; stays here if that is not a valid q. */
static bool step_ahead(void *model)
{
    ascent *a = model;
    dlpi_meanfield *mf = a->mf;
    if (a->n == 0 || mf->sweeps == 1) return false;
    dlpi_meanfield_state(mf, a->to, a->unit);
    if (mf->sweeps == 2) dlpi_anderson_measure(&a->anderson, a->unit);
    if (!dlpi_anderson_next(&a->anderson, a->from, a->to, a->next)) return false;
    if (dlpi_meanfield_set_state(mf, a->next)) return true;
    step_back(a);
    return false;
}

/* If q is not exact, the objective need not rise: a step is lost after which a sweep ends
   early, or moves q farther than the last one did. */
static bool strays(const void *model)
{
    enum { FARTHER = 3 };
    const ascent *a = model;
    return a->mf->outcome != DLP_RUNNING ||
           !(moved(a->mf, a->before) <= FARTHER * a->change);
}

static const dlpi_em_type sweeps_exact = {.e_step = sweep,
                                          .record = record,
                                          .ended = ended,
                                          .step_ahead = step_ahead,
                                          .step_back = step_back};
static const dlpi_em_type sweeps_approximate = {.e_step = sweep,
                                                .record = record,
                                                .ended = ended,
                                                .step_ahead = step_ahead,
                                                .step_back = step_back,
                                                .strays = strays};

static bool is_exact(const dlpi_meanfield *mf)
{
    bool exact = true;
    for (dlp_index i = 0; i < mf->n_q; i++)
        exact = exact && (mf->q[i].family != DLPI_GAUSSIAN || mf->q[i].quadratic);
    return exact;
}

static dlp_status sweep_until_done(dlpi_meanfield *mf, bool discrete, dlp_error *error)
{
    ascent a = {.mf = mf, .discrete = discrete};
    dlpi_em em = {.type = is_exact(mf) ? &sweeps_exact : &sweeps_approximate,
                  .model = &a,
                  .listener = mf->listener,
                  .max_iter = mf->settings->max_iter,
                  .outcome = mf->outcome};
    dlp_status status = alloc(&a, error);
    if (status == DLP_OK) status = dlpi_em_run(&em, error);
    mf->outcome = em.outcome;
    release(&a);
    return status;
}

/* ---- the whole ---- */

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
    mf->outcome = DLP_RUNNING;
    for (dlp_index i = 0; i < mf->n_q; i++)
        DLP_TRY(start_factor(mf, &mf->q[i], &given, error));
    for (dlp_index i = 0; i < mf->n_q; i++)
        if (mf->q[i].family == DLPI_GAUSSIAN) dlpi_meanfield_expect(mf, (int32_t)i);
    dlpi_listener_begin(mf->listener, "sweeps", mf->settings->max_iter,
                        mf->settings->tol);
    if (given) DLP_TRY(update_kind(mf, true, error));
    DLP_TRY(settle_locations(mf, error));
    return sweep_until_done(mf, given, error);
}

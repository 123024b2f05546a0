/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/nested.h"

#include "core/core.h"

#include <math.h>

/* Each tau costs a fit, so we use few nodes and a limited range: just enough that the
   error does not show in three digits. */
enum { NODES = 64 };
static const double FAR_OUT = 6, DEEP = 18;
/* Towards less noise, log p(x | tau) may reach a limit: no noise at all, or a Poisson's.
   We assume it has when it changes by less than this between nodes, twice, after having
   changed by more. Beyond, the numbers of a model without noise would be too far apart to
   compute with. */
static const double STEADY = 1e-3;
/* Once the density has fallen by this many nats, and still falls, towards less noise, we
   skip the rest: the unexplained part can only weigh more. */
static const double HOPELESS = 1000;
/* Failures at nodes with no more weight than this are not reported. */
static const double OVERLOOKED = 1e-3;

/* ---- nodes ---- */

/* Evaluates node i by the fit for tau, which may be the limit instead of the node's own.
   The last fit counts even if the caller stops there. */
static void evaluate_node(dlpi_nested *s, dlpi_grid *grid, int i, double tau)
{
    grid->weight[i] = -INFINITY;
    if (dlpi_listener_stopped(s->listener)) return;
    const dlpi_nested_fit fit = s->fit_at(s->model, tau);
    s->outcome_at[i] = fit.outcome;
    s->fell_back_at[i] = fit.fell_back;
    if (isfinite(fit.log_p)) {
        grid->weight[i] = fit.log_p + dlpi_grid_log_prior(grid, grid->tau[i]);
        dlpi_mixture_add(&s->mixture, fit.mu, fit.C, grid->tau[i], grid->weight[i]);
    }
    dlpi_listener_tell(s->listener, ++s->fits, fit.log_p, 0);
}

static double log_p_at(const dlpi_grid *grid, int i)
{
    return grid->weight[i] - dlpi_grid_log_prior(grid, grid->tau[i]);
}

/* From the most noise to the least, each fit beginning where its neighbour ended. */
static bool evaluate(void *context, dlpi_grid *grid)
{
    dlpi_nested *s = context;
    const int first = s->downwards ? grid->n - 1 : 0, step = s->downwards ? -1 : 1;
    int steady = 0;
    bool moved = false, hopeless = false;
    double limit = 0, best = -INFINITY;
    dlpi_mixture_clear(&s->mixture);
    for (int i = first; i >= 0 && i < grid->n; i += step) {
        if (hopeless) {
            grid->weight[i] = -INFINITY;
            continue;
        }
        evaluate_node(s, grid, i, steady < 2 ? grid->tau[i] : limit);
        best = fmax(best, grid->weight[i]);
        if (steady == 2 || i == first) continue;
        hopeless =
            grid->weight[i] < best - HOPELESS && grid->weight[i] < grid->weight[i - step];
        const double change = log_p_at(grid, i) - log_p_at(grid, i - step);
        moved |= !(fabs(change) < STEADY);
        steady = moved && fabs(change) < STEADY ? steady + 1 : 0;
        limit = grid->tau[i];
    }
    return !dlpi_listener_stopped(s->listener);
}

/* ---- the whole ---- */

/* Sums up the outcome from the nodes that matter. */
static void conclude(dlpi_nested *s)
{
    const dlpi_grid *grid = &s->grid;
    const bool stopped = dlpi_listener_stopped(s->listener);
    s->outcome = stopped ? DLP_CANCELLED : DLP_CONVERGED;
    s->log_evidence = stopped ? s->mixture.top : grid->log_evidence;
    s->nodes = s->fallbacks = 0;
    for (int i = 0; !stopped && i < grid->n; i++) {
        if (grid->weight[i] * grid->n / NODES <= OVERLOOKED) continue;
        s->nodes++;
        s->fallbacks += s->fell_back_at[i];
        if (s->outcome == DLP_CONVERGED) s->outcome = s->outcome_at[i];
    }
}

bool dlpi_nested_run(dlpi_nested *s, double *mu, double *Sigma)
{
    dlpi_grid *grid = &s->grid;
    grid->mean = s->mean;
    grid->sd = s->sd;
    grid->n = NODES;
    grid->far_out = FAR_OUT;
    grid->deep = DEEP;
    const bool summed = dlpi_grid_integrate(grid, evaluate, s);
    if (!summed && !(dlpi_listener_stopped(s->listener) && s->mixture.sum > 0))
        return false;
    conclude(s);
    dlpi_mixture_moments(&s->mixture, mu, Sigma);
    return true;
}

dlp_status dlpi_nested_alloc(dlpi_nested *s, dlp_index n, dlp_error *error)
{
    s->n = n;
    return dlpi_mixture_alloc(&s->mixture, n, error);
}

void dlpi_nested_free(dlpi_nested *s)
{
    dlpi_mixture_free(&s->mixture);
}

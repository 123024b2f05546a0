/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/student_df.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "infer/mixture.h"
#include "regression/check/improve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half octaves from 1 to 64, each representing the log df around it. Below 1 the tails
   are too long to be meaningful; above 64 they are practically normal. */
double dlpi_df_at(int k)
{
    return exp2(0.5 * k);
}

/* Juarez and Steel's Gamma(2, 1/10) as a density of log df: df^2 exp(-df/10), scaled so
   that the weights add up to 1. */
double dlpi_df_log_prior(int k)
{
    double sum = 0;
    for (int i = 0; i < DLPI_DF_POINTS; i++)
        sum += exp(2 * log(dlpi_df_at(i)) - dlpi_df_at(i) / 10);
    return 2 * log(dlpi_df_at(k)) - dlpi_df_at(k) / 10 - log(sum);
}

bool dlpi_integrates_df(const dlpi_prepared *p)
{
    return p->family->df && p->asked.df == 0 &&
           (p->grouping == DLP_UNGROUPED || p->grouping == DLP_POOLED);
}

/* The rows are read again for every number of degrees of freedom. */
typedef struct grid {
    const dlpi_prepared *p;
    dlp_glm_data *rows;
    const dlp_settings *settings;
    dlpi_comm *comm;
    int threads;
    dlpi_mixture mixture;
} grid;

/* The fit with df number k, added to the mixture where it has a maximum. Other outcomes are
   for conclude(): a fit that was cancelled, or that needs more iterations, has not
   converged. */
static dlp_status add_point(grid *g, int k, double *mu, double *Sigma, dlpi_solution *end,
                            dlp_error *error)
{
    dlp_glm_data at = *g->rows;
    dlp_glm *glm = NULL;
    at.df = dlpi_df_at(k);
    dlp_status status = dlpi_make_glm(g->p, &at, &glm, error);
    if (status == DLP_OK) status = dlpi_glm_use_workers(glm, g->comm, g->threads, error);
    if (status == DLP_OK)
        status = dlpi_solve(g->p, &at, glm, g->settings, false, mu, Sigma, end, error);
    if (glm && dlpi_glm_check_workers(glm, error) != DLP_OK) status = DLP_EIO;
    dlp_glm_free(glm);
    free(end->trace);
    end->trace = NULL;
    if (status == DLP_OK && end->outcome == DLP_NOT_CONCAVE) end->objective = -INFINITY;
    if (status == DLP_OK && isfinite(end->objective))
        dlpi_mixture_add(&g->mixture, mu, Sigma, log(at.df),
                         end->objective + dlpi_df_log_prior(k));
    return status;
}

/* The first point that matters and did not converge decides how the whole ended. */
static void join(const dlpi_solution *end, double heaviest, dlpi_solution *all)
{
    const double matters = log(1e-3);
    all->evaluations += end->evaluations;
    if (end->outcome == DLP_CANCELLED) all->outcome = DLP_CANCELLED;
    if (end->objective - heaviest < matters) return;
    if (all->outcome == DLP_CONVERGED) all->outcome = end->outcome;
    all->fallbacks += end->fallbacks;
    all->integrated |= end->integrated;
    all->propagated |= end->propagated;
    all->few |= end->few;
}

static void conclude(const dlpi_solution *ends, dlpi_solution *all)
{
    double heaviest = -INFINITY;
    for (int k = 0; k < DLPI_DF_POINTS; k++) heaviest = fmax(heaviest, ends[k].objective);
    *all = (dlpi_solution){.outcome = DLP_CONVERGED, .iterations = heaviest > -INFINITY};
    for (int k = 0; k < DLPI_DF_POINTS; k++) join(&ends[k], heaviest, all);
}

/* mean (n+1) and covariance (n+1, n+1) of theta and log df; theta's part is the
   answer. */
static void take_moments(const dlpi_mixture *mixture, dlp_index n, double *room,
                         double *mu, double *Sigma, double *df)
{
    (void)dlpi_mixture_posterior(mixture, room, mu, Sigma);
    *df = exp(room[n]);
}

/* The first value decides how it ended where no value has a fit. */
static dlp_status run(grid *g, double *room, double *mu, double *Sigma,
                      dlpi_solution *all, dlp_error *error)
{
    dlpi_solution ends[DLPI_DF_POINTS] = {{.trace = NULL}};
    for (int k = 0; k < DLPI_DF_POINTS; k++) {
        const dlp_status status = add_point(g, k, mu, Sigma, &ends[k], error);
        ends[k].objective =
            status == DLP_OK ? ends[k].objective + dlpi_df_log_prior(k) : -INFINITY;
        if (status != DLP_OK && status != DLP_EINPUT) return status;
        if (ends[k].outcome == DLP_CANCELLED) break;
    }
    conclude(ends, all);
    if (!(g->mixture.sum > 0)) { /* the first says why, or how it ended */
        const bool cancelled = all->outcome == DLP_CANCELLED;
        return cancelled ? DLP_OK : add_point(g, 0, mu, Sigma, all, error);
    }
    all->objective = g->mixture.top + log(g->mixture.sum);
    take_moments(&g->mixture, g->p->n, room, mu, Sigma, &g->rows->df);
    return dlpi_improve(g->p, g->rows, true, mu, Sigma, all, error);
}

dlp_status dlpi_integrate_df(const dlpi_prepared *p, dlp_glm_data *rows,
                             const dlp_settings *settings, dlpi_comm *comm, int threads,
                             double *mu, double *Sigma, dlpi_solution *end,
                             dlp_error *error)
{
    const dlp_index n = p->n;
    double *room = dlpi_calloc(n + 1, (size_t)(n + 2) * sizeof *room);
    grid g = {p, rows, settings, comm, threads, {0}};
    dlp_status status = room ? dlpi_mixture_alloc(&g.mixture, n + 1, error)
                             : dlpi_no_memory(error, "the degrees of freedom");
    if (status == DLP_OK) status = run(&g, room, mu, Sigma, end, error);
    if (status == DLP_OK && !isfinite(end->objective)) end->objective = NAN;
    dlpi_mixture_free(&g.mixture);
    free(room);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/improve.h"

#include "comm/division.h"
#include "core/core.h"
#include "glm/glm_state.h"
#include "math/dense.h"
#include "regression/check/align.h"
#include "regression/check/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool dlpi_is_one_sided(const dlpi_prepared *p, const dlp_glm_data *rows)
{
    const dlp_support of = p->family->support;
    bool none =
        of == DLP_SUPPORT_COUNT || of == DLP_SUPPORT_BINARY || of == DLP_SUPPORT_TRIALS;
    bool all = none && of != DLP_SUPPORT_COUNT;
    const dlp_index to = dlpi_rows_to(rows->division, rows->N);
    for (dlp_index i = dlpi_rows_from(rows->division); (none || all) && i < to; i++) {
        none = none && rows->y[i] == 0;
        all = all && rows->y[i] == dlpi_trials_of(p->family, rows, i);
    }
    return !dlpi_division_any(rows->division, !none) ||
           !dlpi_division_any(rows->division, !all);
}

/* The weighted mean and covariance of draws. */
static void weigh(const dlpi_sample *x, double *mu, double *Sigma)
{
    const dlp_index n = x->n;
    memset(mu, 0, (size_t)n * sizeof *mu);
    memset(Sigma, 0, (size_t)(n * n) * sizeof *Sigma);
    for (dlp_index s = 0; s < x->S; s++)
        for (dlp_index i = 0; i < n; i++)
            mu[i] += exp(x->log_weight[s]) * x->theta[s * n + i];
    for (dlp_index s = 0; s < x->S; s++) {
        const double *theta = x->theta + s * n, weight = exp(x->log_weight[s]);
        for (dlp_index i = 0; i < n; i++)
            for (dlp_index j = 0; j < n; j++)
                Sigma[i * n + j] += weight * (theta[i] - mu[i]) * (theta[j] - mu[j]);
    }
}

/* Whether N(mean, square) is far from N(mu, Sigma) along one of the axes r that align.h
   finds; with a = Sigma^-1 r, a'theta has variance 1. room (3n + 1, n). */
static bool differ(const dlp_glm *glm, double *room, const double *mu,
                   const double *Sigma, const double *mean, const double *square)
{
    const double close = 0.05; /* of an sd */
    const dlp_index n = glm->n;
    double *U = room, *axis = U + n * n, *a = axis + n * n;
    bool far = false;
    memcpy(U, Sigma, (size_t)(n * n) * sizeof *U);
    if (dlpi_cholesky(n, U) >= 0) return false;
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index k = 0; k < n; k++) axis[i * n + k] = k < i ? 0 : U[i * n + k];
    dlp_index active = n;
    if (dlpi_can_align(glm) && dlpi_align(glm, mu, axis, &active, NULL) != DLP_OK)
        return false;
    for (dlp_index i = 0; i < active; i++) {
        double off = 0, variance = 0;
        memcpy(a, axis + i * n, (size_t)n * sizeof *a);
        dlpi_cholesky_solve(n, U, a);
        for (dlp_index k = 0; k < n; k++) {
            off += a[k] * (mean[k] - mu[k]);
            variance += a[k] * dlpi_dot(n, square + k * n, a);
        }
        far |= fabs(off) > close || fabs(sqrt(variance) - 1) > close;
    }
    return far;
}

/* room (3n + 2, n) */
static void improve(dlp_glm *glm, double *room, double *mu, double *Sigma,
                    dlpi_solution *end)
{
    enum { LEAST_DRAWS = 4000, MOST_DRAWS = 32000, SEED = 1 };
    const dlp_index n = glm->n;
    double *mean = room, *square = room + n, *rest = square + n * n;
    dlpi_sample sample = {0};
    /* each draw visits all rows, once or with each value of the degrees of freedom */
    const double all = glm->over_df ? 2e5 : 8e5,
                 most = glm->over_df ? MOST_DRAWS / 4 : MOST_DRAWS,
                 affordable = all / (double)(glm->data.N + 1);
    const dlp_index draws = (dlp_index)fmin(fmax(affordable, LEAST_DRAWS), most);
    if (dlpi_sample_make_aligned(glm, mu, Sigma, draws, SEED, &sample, NULL) != DLP_OK)
        return;
    if (sample.psis.k < DLP_TAIL_K_FAIR) weigh(&sample, mean, square);
    if (sample.psis.k < DLP_TAIL_K_FAIR && differ(glm, rest, mu, Sigma, mean, square)) {
        memcpy(mu, mean, (size_t)n * sizeof *mu);
        memcpy(Sigma, square, (size_t)(n * n) * sizeof *Sigma);
        end->objective = sample.log_evidence;
    }
    dlpi_sample_clear(&sample);
}

dlp_status dlpi_improve(const dlpi_prepared *p, const dlp_glm_data *rows, bool over_df,
                        double *mu, double *Sigma, dlpi_solution *end, dlp_error *error)
{
    enum { MOST_ROWS = 200, MOST_PARAMETERS = 20 }; /* about 0.1 s */
    dlp_glm *glm = NULL;
    if (rows->N > MOST_ROWS || p->n > MOST_PARAMETERS || end->outcome == DLP_CANCELLED)
        return DLP_OK;
    DLP_TRY(dlpi_make_glm(p, rows, &glm, error));
    glm->over_df = over_df;
    double *room = dlpi_calloc(3 * glm->n + 2, (size_t)glm->n * sizeof *room);
    if (room) improve(glm, room, mu, Sigma, end);
    dlp_glm_free(glm);
    if (!room) return dlpi_no_memory(error, "the draws");
    free(room);
    return DLP_OK;
}

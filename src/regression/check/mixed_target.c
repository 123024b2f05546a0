/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/mixed_target.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/integrate/scale_prior.h"
#include "regression/random/process_of.h"
#include "regression/random/student_fit.h"

#include <math.h>
#include <string.h>

static bool has_levels(const dlpi_mixed_target *m)
{
    return dlp_family_has_levels(m->of->of->result.family);
}

/* ---- terms ---- */

/* Files of older versions do not have the neighbours of regions. */
static bool misses_neighbours(const dlp_basis *process)
{
    return process && dlp_basis_is_regional(process) && process->n_weights == 0;
}

int dlp_regression_can_be_verified(const dlp_regression_result *r)
{
    if (r->n_random == 0 && r->n_smooths == 0) return 1;
    for (dlp_index t = 0; t < r->n_random; t++)
        if (misses_neighbours(r->random[t].process)) return 0;
    return r->hyper != DLP_HYPER_MAP;
}

static dlp_status check_kind(const dlp_regression_result *r, dlp_error *error)
{
    if (r->hyper == DLP_HYPER_MAP)
        return dlpi_advise(
            error, DLP_REMEDY_HYPER_INTEGRATE,
            dlp_fail(error, DLP_EINVAL,
                     "the scales of this fit are at their mode; fit again, "
                     "integrating over them"));
    return DLP_OK;
}

static dlp_status set_terms(dlpi_mixed_target *m, dlp_error *error)
{
    const dlp_design *design = m->of->design;
    const dlp_index p = m->of->data.p;
    for (dlp_index t = 0; t < design->n_random; t++) {
        const dlp_random *random = &design->random[t];
        m->term[t] = (dlpi_mixed_term){
            .L = random->group.n, .q = random->q, .code = random->code, .x = random->x};
        if (!random->process) continue;
        if (misses_neighbours(random->process))
            return dlp_fail(error, DLP_EINPUT,
                            "the file of the fit does not hold the neighbours of "
                            "regions, so %s cannot be fitted again; fit the model again",
                            random->label);
        DLP_TRY(dlpi_process_of(random->process, NULL, &m->process[t], error));
        m->term[t].process = &m->process[t];
        m->term[t].L = m->process[t].n;
    }
    dlp_index columns = 0; /* those of smooths come last */
    for (dlp_index s = 0; s < design->n_smooths; s++) columns += design->smooth[s].n;
    for (dlp_index s = 0, first = p - columns; s < design->n_smooths; s++) {
        m->smooth[s] = (dlpi_mixed_smooth){first, design->smooth[s].n};
        first += design->smooth[s].n;
    }
    return DLP_OK;
}

/* Of sds, correlations and shares. Fits have a term for each linear predictor, designs
   one for all of them. */
static void set_priors(dlpi_mixed_target *m)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_index D = dlpi_predictors(r), T = m->of->design->n_random, n = r->n;
    double *mean = m->numbers, *precision = mean + n, *lkj = precision + n * n,
           *share = lkj + T + r->n_smooths, *tau = share + 2 * T;
    dlp_sd_prior *sd = m->sd;
    for (dlp_index t = 0; t < r->n_random; t++)
        for (dlp_index k = 0; k < r->random[t].q; k++) *sd++ = r->random[t].prior[k];
    for (dlp_index t = 0; t < T; t++) {
        lkj[t] = r->random[t * D].lkj;
        memcpy(share + 2 * t, r->random[t * D].share, sizeof r->random->share);
    }
    for (dlp_index s = 0; s < r->n_smooths; s++) {
        *sd++ = r->smooth[s].prior;
        lkj[T + s] = 1;
    }
    m->prior = (dlpi_mixed_prior){.mean = mean,
                                  .precision = precision,
                                  .sd = m->sd,
                                  .lkj = lkj,
                                  .share = share,
                                  .tau = tau};
}

/* The rows as the engine takes them, the prior of beta, and where to begin. */
static dlp_status set_rows(dlpi_mixed_target *m, bool whole, dlp_error *error)
{
    const dlp_design *design = m->of->design;
    const dlp_index n = m->of->of->result.n;
    double *begin = m->start + n;
    m->data = dlpi_level_rows_data(m->glm, design->n_random, m->term, design->n_smooths,
                                   m->smooth);
    DLP_TRY(dlpi_level_rows_make(m->glm, whole, &m->data, &m->prior, m->place, &m->levels,
                                 error));
    if (!has_levels(m)) m->data.weight = m->weight;
    dlpi_level_rows_prior(m->glm, m->data.p, m->place, m->numbers, m->numbers + n);
    dlpi_scale_priors(m->glm, m->data.p, m->data.scales, (double *)m->prior.tau);
    dlpi_target_posterior(m->of, 0, m->start, begin + n);
    for (dlp_index i = 0; i < m->data.p; i++) begin[i] = m->start[m->place[i]];
    return DLP_OK;
}

void dlpi_mixed_target_theta(const dlpi_mixed_target *m, const dlpi_mixed *model,
                             const double *x, const double *tau, double *theta)
{
    const dlp_index p = model->rows.p;
    const double *beta = x + model->rows.n - p;
    for (dlp_index i = 0; i < p; i++) theta[m->place[i]] = beta[i];
    for (dlp_index k = 0; k < model->layout.scales; k++) theta[p + k] = tau[k];
}

/* ---- the whole ---- */

static dlp_status alloc(dlpi_mixed_target *m, dlp_error *error)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_index n = r->n, T = m->of->design->n_random, N = m->of->data.N;
    dlp_index effects = r->n_smooths;
    for (dlp_index t = 0; t < r->n_random; t++) effects += r->random[t].q;
    m->term = dlpi_calloc(T, sizeof *m->term);
    m->smooth = dlpi_calloc(m->of->design->n_smooths, sizeof *m->smooth);
    m->process = dlpi_calloc(T, sizeof *m->process);
    m->sd = dlpi_calloc(effects, sizeof *m->sd);
    m->place = dlpi_calloc(n, sizeof *m->place);
    m->start = dlpi_calloc(n, (size_t)(n + 2) * sizeof *m->start);
    m->numbers = dlpi_calloc(n * (n + 3) + 3 * T + r->n_smooths, sizeof *m->numbers);
    m->weight = dlpi_calloc(N, sizeof *m->weight);
    return m->term && m->smooth && m->process && m->sd && m->place && m->start &&
                   m->numbers && m->weight
               ? DLP_OK
               : dlpi_no_memory(error, "the mixed model");
}

static bool is_as_fitted(const dlpi_mixed_target *m)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_design *design = m->of->design;
    const dlp_index D = dlpi_predictors(r), T = design->n_random;
    bool same = D * T == r->n_random && D * design->n_smooths == r->n_smooths;
    for (dlp_index t = 0; same && t < D * T; t++)
        same = design->random[t / D].q == r->random[t].q &&
               design->random[t / D].group.n == r->random[t].levels;
    for (dlp_index t = 0; same && t < T; t++)
        for (dlp_index i = 0; same && i < design->N; i++)
            same = design->random[t].code[i] >= 0;
    return same;
}

dlp_status dlpi_mixed_target_make(const dlpi_target *target, bool whole,
                                  dlpi_mixed_target *m, dlp_error *error)
{
    const dlp_regression_result *r = &target->of->result;
    const dlp_glm_data *rows = &target->data;
    *m = (dlpi_mixed_target){.of = target};
    DLP_TRY(check_kind(r, error));
    if (!is_as_fitted(m))
        return dlpi_in_table(
            target->table,
            dlp_fail(error, DLP_EINPUT,
                     "does not have the groups of the fit; give the table that "
                     "was fitted"),
            error);
    DLP_TRY(dlpi_target_glm(target, rows, &m->glm, error));
    DLP_TRY(alloc(m, error));
    DLP_TRY(set_terms(m, error));
    set_priors(m);
    return set_rows(m, whole, error);
}

void dlpi_mixed_target_clear(dlpi_mixed_target *m)
{
    for (dlp_index t = 0; m->process && t < m->of->design->n_random; t++)
        dlpi_process_clear(&m->process[t]);
    dlp_glm_free(m->glm);
    dlpi_level_rows_clear(&m->levels);
    free(m->place);
    free(m->start);
    free(m->term);
    free(m->smooth);
    free(m->process);
    free(m->sd);
    free(m->numbers);
    free(m->weight);
    *m = (dlpi_mixed_target){0};
}

dlp_status dlpi_mixed_target_result(dlpi_mixed_target *m, const bool *held, int threads,
                                    dlpi_listener *listener, dlpi_mixed_after *after,
                                    void *context, dlpi_mixed_result *result,
                                    dlp_error *error)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_glm_data *rows = &m->of->data;
    memset(result, 0, sizeof *result);
    if (held && has_levels(m))
        return dlp_fail(error, DLP_EINVAL,
                        "rows cannot be held out of a mixed model with an ordinal or "
                        "multinomial response; fit it to the others");
    for (dlp_index i = 0; i < rows->N; i++)
        m->weight[i] = held && held[i] ? 0 : rows->weight ? rows->weight[i] : 1;
    const dlpi_mixed_settings settings = {.threads = threads,
                                          .start = m->start + r->n,
                                          .tau_start = m->start + m->data.p,
                                          .laplace = r->method_kind == DLP_METHOD_LAPLACE,
                                          .listener = listener,
                                          .after = after,
                                          .context = context};
    const dlp_index n = r->n;
    DLP_TRY(dlpi_student_fit(m->glm, m->place, m->numbers, m->numbers + n, &m->data,
                             &m->prior, &settings, result, error));
    return result->points > 0 ? DLP_OK
                              : dlp_fail(error, DLP_EINPUT,
                                         "the model has no posterior for these rows: no "
                                         "maximum was found to start from");
}

dlp_status dlpi_mixed_target_fit(dlpi_mixed_target *m, const bool *held, int threads,
                                 dlpi_listener *listener, dlpi_mixed_after *after,
                                 void *context, dlp_error *error)
{
    dlpi_mixed_result result;
    const dlp_status status = dlpi_mixed_target_result(m, held, threads, listener, after,
                                                       context, &result, error);
    dlpi_mixed_result_clear(&result);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/mixed_target.h"

#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/integrate/scale_prior.h"
#include "regression/random/process_of.h"

#include <math.h>
#include <string.h>

/* ---- terms ---- */

static bool has_neighbours(const dlp_basis *process)
{
    return process && dlp_basis_is_regional(process);
}

int dlp_regression_can_be_verified(const dlp_regression_result *r)
{
    if (r->n_random == 0 && r->n_smooths == 0) return 1;
    for (dlp_index t = 0; t < r->n_random; t++)
        if (has_neighbours(r->random[t].process)) return 0;
    return !dlp_family_has_levels(r->family) && r->hyper != DLP_HYPER_MAP;
}

static dlp_status check_kind(const dlp_regression_result *r, dlp_error *error)
{
    if (dlp_family_has_levels(r->family))
        return dlp_fail(error, DLP_EINVAL,
                        "this does not work yet for mixed models with an ordinal or "
                        "multinomial response; compare the log evidence that fits print");
    if (r->hyper == DLP_HYPER_MAP)
        return dlp_fail(error, DLP_EINVAL,
                        "the scales of this fit are at their mode; fit with --hyper "
                        "integrate");
    return DLP_OK;
}

static dlp_status set_terms(dlpi_mixed_target *m, dlp_error *error)
{
    const dlp_design *design = m->of->design;
    const dlp_index p = m->of->data.p, T = design->n_random;
    for (dlp_index t = 0; t < T; t++) {
        const dlp_random *random = &design->random[t];
        m->term[t] = (dlpi_mixed_term){
            .L = random->group.n, .q = random->q, .code = random->code, .x = random->x};
        if (!random->process) continue;
        if (has_neighbours(random->process))
            return dlp_fail(error, DLP_EINVAL,
                            "the file of a fit does not hold the neighbours of regions, "
                            "so a model with %s cannot be fitted again",
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

static void set_priors(dlpi_mixed_target *m)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_glm *glm = m->glm;
    const dlp_index p = m->of->data.p;
    double *mean = m->numbers, *precision = mean + p, *lkj = precision + p * p,
           *share = lkj + r->n_random + r->n_smooths;
    dlp_sd_prior *sd = m->sd;
    for (dlp_index t = 0; t < r->n_random; t++) {
        const dlp_random_effects *e = &r->random[t];
        for (dlp_index k = 0; k < e->q; k++) *sd++ = e->prior[k];
        lkj[t] = e->lkj;
        memcpy(share + 2 * t, e->share, sizeof e->share);
    }
    for (dlp_index s = 0; s < r->n_smooths; s++) {
        *sd++ = r->smooth[s].prior;
        lkj[r->n_random + s] = 1;
    }
    for (dlp_index i = 0; i < p; i++) {
        mean[i] = glm->prior.mean[i];
        for (dlp_index j = 0; j < p; j++)
            precision[i * p + j] = glm->prior.precision
                                       ? glm->prior.precision[i * glm->n + j]
                                   : i == j ? 1 / (glm->prior.sd[i] * glm->prior.sd[i])
                                            : 0;
    }
    m->prior = (dlpi_mixed_prior){
        .mean = mean, .precision = precision, .sd = m->sd, .lkj = lkj, .share = share};
    dlpi_scale_priors(glm, p, glm->n - p, share + 2 * r->n_random);
    m->prior.tau = share + 2 * r->n_random;
}

/* ---- the whole ---- */

static dlp_status alloc(dlpi_mixed_target *m, dlp_error *error)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_index p = m->of->data.p, T = r->n_random, N = m->of->data.N;
    dlp_index effects = r->n_smooths;
    for (dlp_index t = 0; t < T; t++) effects += r->random[t].q;
    m->term = dlpi_calloc(T, sizeof *m->term);
    m->smooth = dlpi_calloc(r->n_smooths, sizeof *m->smooth);
    m->process = dlpi_calloc(T, sizeof *m->process);
    m->sd = dlpi_calloc(effects, sizeof *m->sd);
    m->numbers = dlpi_calloc(p * (p + 1) + 3 * T + r->n_smooths + 2 * (r->n - p),
                             sizeof *m->numbers);
    m->weight = dlpi_calloc(N, sizeof *m->weight);
    return m->term && m->smooth && m->process && m->sd && m->numbers && m->weight
               ? DLP_OK
               : dlpi_no_memory(error, "the mixed model");
}

static bool is_as_fitted(const dlpi_mixed_target *m)
{
    const dlp_regression_result *r = &m->of->of->result;
    const dlp_design *design = m->of->design;
    bool same = design->n_random == r->n_random && design->n_smooths == r->n_smooths;
    for (dlp_index t = 0; same && t < r->n_random; t++)
        same = design->random[t].q == r->random[t].q &&
               design->random[t].group.n == r->random[t].levels;
    for (dlp_index t = 0; same && t < r->n_random; t++)
        for (dlp_index i = 0; same && i < design->N; i++)
            same = design->random[t].code[i] >= 0;
    return same;
}

dlp_status dlpi_mixed_target_make(const dlpi_target *target, dlpi_mixed_target *m,
                                  dlp_error *error)
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
    m->data = (dlpi_mixed_data){.likelihood = m->glm->family->evaluate,
                                .scales = r->n - rows->p,
                                .is_linear = dlpi_is_gaussian(r->family),
                                .positive = m->glm->family->positive,
                                .N = rows->N,
                                .p = rows->p,
                                .X = rows->x,
                                .y = rows->y,
                                .trials = rows->trials,
                                .df = rows->df,
                                .weight = m->weight,
                                .offset = rows->offset,
                                .n_terms = r->n_random,
                                .term = m->term,
                                .n_smooths = r->n_smooths,
                                .smooth = m->smooth};
    return DLP_OK;
}

void dlpi_mixed_target_clear(dlpi_mixed_target *m)
{
    for (dlp_index t = 0; m->process && t < m->of->of->result.n_random; t++)
        dlpi_process_clear(&m->process[t]);
    dlp_glm_free(m->glm);
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
    for (dlp_index i = 0; i < rows->N; i++)
        m->weight[i] = held && held[i] ? 0 : rows->weight ? rows->weight[i] : 1;
    const dlpi_mixed_settings settings = {.threads = threads,
                                          .start = r->mu,
                                          .tau_start = r->mu + r->p,
                                          .laplace = r->method_kind == DLP_METHOD_LAPLACE,
                                          .listener = listener,
                                          .after = after,
                                          .context = context};
    DLP_TRY(dlpi_mixed_fit(&m->data, &m->prior, &settings, result, error));
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

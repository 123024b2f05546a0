/* SPDX-License-Identifier: BSD-3-Clause */
/* From a prepared regression to its posterior: one, one for each group, or a
   hierarchy. */
#include "comm/division.h"
#include "core/core.h"
#include "glm/families/family.h"
#include "glm/glm_state.h"
#include "glm/integrate/gaussian_integral.h"
#include "infer/listener.h"
#include "math/dense.h"
#include "regression/check/improve.h"
#include "regression/coefficient_margins.h"
#include "regression/large_numbers.h"
#include "regression/margins.h"
#include "regression/prepare/basis.h"
#include "regression/prepare/grouped_rows.h"
#include "regression/prepare/precision.h"
#include "regression/prepare/student_df.h"
#include "regression/random/mixed_fit.h"
#include "regression/regression.h"
#include "regression/solve.h"

#include <delaplace/hierarchy.h>
#include <delaplace/special.h>
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* A fit under way. */
typedef struct run {
    const dlpi_prepared *p;
    dlpi_grouped_rows rows; /* to be fitted, in the basis */
    dlpi_basis basis;
    dlpi_precise_rows precise;
    int threads;
    dlp_regression *out;
    dlpi_listener listener;
    atomic_ptrdiff_t done; /* groups */
} run;

/* ---- what cannot be fitted ---- */

static dlp_status describe_group(const run *r, dlp_index m, dlp_error *error)
{
    const dlp_glm_data d = dlpi_rows_of_group(&r->rows, m);
    double most;
    if (!d.y) return DLP_OK; /* another process has it */
    const char *name = dlpi_largest_column(r->p, &d, &most);
    return dlp_fail(
        error, DLP_EINPUT,
        "group '%.80s' cannot be fitted: its numbers are too large to compute "
        "with, most of all those of '%.80s', up to %g; use other units, or "
        "scale() in the formula",
        r->p->terms->group.level[m], name, most);
}

static dlp_status fail_group(const run *r, dlp_index m, dlp_error *error)
{
    return dlpi_division_agree(r->p->data.division, describe_group(r, m, error), error);
}

/* The regression of all rows. Even where it is not the one to fit, as with groups, it can
   name the row whose response the family does not allow. */
static dlp_status make_of_rows(const dlpi_prepared *p, const dlp_glm_data *rows,
                               dlp_glm **glm, dlp_error *error)
{
    const dlp_status status = dlpi_make_glm(p, rows, glm, error);
    if (status != DLP_EINPUT) return status;
    if (dlpi_has_too_large(rows)) return dlpi_fail_too_large(p, rows, error);
    const size_t used = error ? strlen(error->message) : 0;
    if (error && p->design->row)
        snprintf(error->message + used, sizeof error->message - used,
                 " (rows that miss a value are not counted)");
    return status;
}

static dlp_status make_whole(const dlpi_prepared *p, const dlp_glm_data *rows,
                             dlp_glm **glm, dlp_error *error)
{
    dlp_status status = make_of_rows(p, rows, glm, error);
    status = dlpi_division_agree(rows->division, status, error);
    if (status == DLP_OK) return DLP_OK;
    dlp_glm_free(*glm); /* another process has no regression */
    *glm = NULL;
    return status;
}

static dlp_status check_rows(const dlpi_prepared *p, dlp_error *error)
{
    dlp_glm *glm = NULL;
    const dlp_status status = make_whole(p, &p->data, &glm, error);
    dlp_glm_free(glm);
    return status;
}

/* ---- settings and results ---- */

static dlp_settings settings_for(const dlpi_prepared *p)
{
    dlp_settings settings = dlp_settings_default();
    settings.method = dlpi_engine_method(p->method);
    settings.tol = p->tol;
    settings.max_iter = p->max_iter;
    return settings;
}

static double *mean_of(const run *r, dlp_index m)
{
    return r->out->mu + m * r->p->n;
}

static double *covariance_of(const run *r, dlp_index m)
{
    return r->out->Sigma + m * r->p->n * r->p->n;
}

static dlp_status keep_trace(dlp_regression *out, int n, const dlp_trace_row *trace,
                             dlp_error *error)
{
    dlp_trace_row *copy = dlpi_pool_take(&out->pool, n, sizeof *copy);
    if (!copy) return dlpi_no_memory(error, "the trace of the fit");
    if (n > 0) memcpy(copy, trace, (size_t)n * sizeof *copy);
    out->result.trace = copy;
    out->result.n_trace = n;
    return DLP_OK;
}

/* Sums over the groups, in their order. The first that did not converge determines the
   outcome of the whole. */
static void conclude(dlp_index M, const dlpi_solution *ends, dlp_regression_result *r)
{
    r->outcome = DLP_CONVERGED;
    r->estimated = 1;
    for (dlp_index m = 0; m < M; m++) {
        const dlpi_solution *end = &ends[m];
        r->estimated &= end->iterations > 0;
        if (r->outcome == DLP_CONVERGED) r->outcome = end->outcome;
        r->unsettled += end->outcome != DLP_CONVERGED;
        if (r->iterations < end->iterations) r->iterations = end->iterations;
        r->fallbacks += end->fallbacks;
        r->evaluations += end->evaluations;
        r->objective += end->objective;
        r->scale_integrated |= end->integrated;
        r->propagated |= end->propagated;
        r->few_rows |= end->few;
    }
}

/* ---- one regression ---- */

static dlp_status integrate_df(run *r, const dlp_settings *settings, dlpi_solution *end,
                               dlp_error *error)
{
    DLP_TRY(dlpi_integrate_df(r->p, &r->rows.data, settings, dlpi_comm_of(r->p),
                              r->threads, mean_of(r, 0), covariance_of(r, 0), end,
                              error));
    r->out->result.df = r->rows.data.df;
    r->out->result.df_chosen = 1;
    return DLP_OK;
}

static dlp_status fit_one(run *r, dlp_error *error)
{
    dlp_glm_data *rows = &r->rows.data;
    dlp_settings settings = settings_for(r->p);
    dlpi_solution end = {.trace = NULL};
    dlp_glm *glm = NULL;
    settings.progress = r->p->asked.progress;
    settings.context = r->p->asked.context;
    dlp_status status = make_whole(r->p, rows, &glm, error);
    if (status == DLP_OK)
        status = dlpi_glm_use_workers(glm, dlpi_comm_of(r->p), r->threads, error);
    if (status == DLP_OK)
        status = dlpi_integrates_df(r->p)
                     ? integrate_df(r, &settings, &end, error)
                     : dlpi_solve(r->p, rows, glm, &settings, true, mean_of(r, 0),
                                  covariance_of(r, 0), &end, error);
    if (glm && dlpi_glm_check_workers(glm, error) != DLP_OK) status = DLP_EIO;
    if (status == DLP_EINPUT && glm) status = dlpi_fail_too_large(r->p, rows, error);
    if (status == DLP_OK && dlpi_is_one_sided(r->p, rows))
        status = dlpi_improve(r->p, rows, false, mean_of(r, 0), covariance_of(r, 0), &end,
                              error);
    if (status == DLP_OK) {
        conclude(1, &end, &r->out->result);
        status = keep_trace(r->out, end.n_trace, end.trace, error);
    }
    free(end.trace);
    dlp_glm_free(glm);
    return status;
}

/* ---- one with random effects ---- */

static dlp_status fit_mixed(run *r, dlp_error *error)
{
    dlp_glm *glm = NULL;
    dlp_status status = make_whole(r->p, &r->rows.data, &glm, error);
    if (status == DLP_OK)
        status = dlpi_glm_use_workers(glm, dlpi_comm_of(r->p), r->threads, error);
    dlpi_listener_begin(&r->listener, "fitting", 0, 0);
    if (status == DLP_OK)
        status = dlpi_mixed_regression(r->p, &r->basis, glm, r->threads, &r->listener,
                                       r->out, error);
    dlp_glm_free(glm);
    if (status != DLP_OK || r->out->result.outcome != DLP_DIVERGED ||
        r->out->result.points > 0)
        return status;
    if (r->p->linked->positive)
        return dlp_fail(error, DLP_EINPUT,
                        "with link %s means must be positive, and where counts are 0 the "
                        "most likely ones are at that limit, where a fit cannot be "
                        "made: use link %slog, or narrower priors of the sds",
                        dlpi_link_of(r->p),
                        r->p->linked->link == DLP_LINK_SQRT ? "" : "sqrt or ");
    if (!dlpi_division_any(r->rows.data.division, dlpi_has_large(r->p, &r->rows.data)))
        return dlpi_advise(
            error, DLP_REMEDY_PRIOR_OF_SDS,
            dlp_fail(
                error, DLP_EINPUT,
                "no fit was found for any sds of the random effects that were tried: "
                "use fewer effects inside the bars, or narrower priors of the sds, "
                "such as half_normal(1)"));
    return dlpi_fail_too_large(r->p, &r->rows.data, error);
}

/* ---- one for each group ---- */

/* Called before an evaluation of f, in any thread. */
static int report_groups(void *context, const dlp_progress *of_a_group)
{
    run *r = context;
    dlp_progress now =
        dlpi_progress_count(of_a_group->phase, "groups", atomic_load(&r->done), r->p->M);
    now.polled = of_a_group->polled;
    return dlpi_listener_report_inside(&r->listener, now);
}

static void fit_group(run *r, dlp_index m, dlpi_solution *end)
{
    const dlp_glm_data rows = dlpi_rows_of_group(&r->rows, m);
    const dlp_progress begun = {.phase = "fitting"};
    dlp_settings settings = settings_for(r->p);
    dlp_glm *glm = NULL;
    settings.progress = report_groups;
    settings.context = r;
    dlp_status status = DLP_OK;
    if (report_groups(r, &begun))
        end->outcome = DLP_CANCELLED;
    else
        status = dlpi_make_glm(r->p, &rows, &glm, NULL);
    if (glm && status == DLP_OK)
        status = dlpi_solve(r->p, &rows, glm, &settings, r->p->M == 1, mean_of(r, m),
                            covariance_of(r, m), end, NULL);
    end->status = status;
    dlp_glm_free(glm);
    atomic_fetch_add(&r->done, 1);
}

static dlp_status check_groups(const run *r, const dlpi_solution *ends, dlp_error *error)
{
    for (dlp_index m = 0; m < r->p->M; m++) {
        if (ends[m].status == DLP_EINPUT) return fail_group(r, m, error);
        if (ends[m].status != DLP_OK)
            return dlp_fail(error, ends[m].status, "group '%.80s' cannot be fitted: %s",
                            r->p->terms->group.level[m],
                            dlp_status_string(ends[m].status));
    }
    return DLP_OK;
}

/* With several processes, each fits its share of the groups, and all receive the results. */
static dlp_status share_groups(const run *r, const dlp_index *begin, dlpi_solution *ends,
                               dlp_error *error)
{
    dlpi_comm *comm = dlpi_comm_of(r->p);
    const dlp_index n = r->p->n, unit = sizeof *r->out->mu;
    for (int rank = 0; comm && rank < comm->size; rank++) {
        const dlp_index m = begin[rank], count = begin[rank + 1] - m;
        DLP_TRY(comm->ops->share(comm, rank, count * (dlp_index)sizeof *ends, ends + m,
                                 error));
        DLP_TRY(comm->ops->share(comm, rank, count * n * unit, mean_of(r, m), error));
        DLP_TRY(comm->ops->share(comm, rank, count * n * n * unit, covariance_of(r, m),
                                 error));
    }
    return DLP_OK;
}

/* A single group has a trace, and all processes fit it. */
static dlp_status fit_groups(run *r, dlpi_solution *ends, dlp_error *error)
{
    const dlpi_comm *comm = dlpi_comm_of(r->p);
    const dlp_index M = r->p->M;
    const int rank = comm && M > 1 ? comm->rank : 0,
              size = comm && M > 1 ? comm->size : 1;
    dlp_index *begin = dlpi_calloc(size + 1, sizeof *begin);
    if (!begin) return dlpi_no_memory(error, "the groups");
    dlpi_divide_groups(M, r->rows.count, size, begin);
#pragma omp parallel for schedule(dynamic) num_threads(r->threads)
    for (dlp_index m = begin[rank]; m < begin[rank + 1]; m++) fit_group(r, m, &ends[m]);
    const dlp_status status = M == 1 ? DLP_OK : share_groups(r, begin, ends, error);
    free(begin);
    return status;
}

static dlp_status fit_separate(run *r, dlp_error *error)
{
    const dlp_index M = r->p->M;
    dlpi_solution *ends = dlpi_calloc(M, sizeof *ends);
    if (!ends) return dlpi_no_memory(error, "the groups");
    dlp_status status = fit_groups(r, ends, error);
    if (status == DLP_OK) status = check_groups(r, ends, error);
    if (status == DLP_OK) conclude(M, ends, &r->out->result);
    if (status == DLP_OK)
        status = keep_trace(r->out, ends[0].n_trace, ends[0].trace, error);
    free(ends[0].trace); /* of a single group */
    free(ends);
    return status;
}

/* ---- a hierarchy ---- */

static dlp_hierarchy_settings hierarchy_settings(const run *r)
{
    const dlpi_prepared *p = r->p;
    dlp_hierarchy_settings settings = dlp_hierarchy_settings_default();
    settings.method = dlp_regression_method((int)p->method);
    settings.nu = p->prior.nu;
    settings.phi0 = p->prior.phi0;
    settings.phi1 = p->prior.phi1;
    settings.paper_sigma0 = p->asked.paper_sigma0;
    settings.shared_scale = p->prior.shared_scale;
    settings.tol = p->tol;
    settings.max_iter = p->max_iter;
    settings.threads = r->threads;
    settings.processes = p->asked.processes;
    settings.progress = p->asked.progress;
    settings.context = p->asked.context;
    return settings;
}

static dlp_status keep_hierarchy(const dlp_hierarchy *hierarchy, run *r, dlp_error *error)
{
    const dlp_hierarchy_result *h = dlp_hierarchy_result_of(hierarchy);
    dlp_regression *out = r->out;
    dlp_regression_result *result = &out->result;
    const dlp_index n = r->p->n;
    result->outcome = h->outcome;
    result->iterations = h->iterations;
    result->objective = h->objective;
    result->unsettled = h->unsettled;
    result->estimated = h->valid;
    memcpy(out->mu0, h->mu0, (size_t)n * sizeof *out->mu0);
    memcpy(out->Sigma0, h->Sigma0, (size_t)(n * n) * sizeof *out->Sigma0);
    memcpy(out->mu0_covariance, h->mu0_covariance,
           (size_t)(n * n) * sizeof *out->mu0_covariance);
    for (int i = 0; i < h->iterations; i++)
        result->evaluations += h->trace[i].evaluations;
    for (dlp_index m = 0; m < r->p->M; m++) {
        const dlp_group_result group = dlp_hierarchy_group(hierarchy, m);
        result->fallbacks += group.fallbacks;
        if (result->outcome == DLP_CONVERGED) result->outcome = group.outcome;
        memcpy(mean_of(r, m), group.mu, (size_t)n * sizeof *group.mu);
        dlp_sym_to_dense(&group.Sigma, covariance_of(r, m));
    }
    return keep_trace(out, h->iterations, h->trace, error);
}

/* Names the group that failed as the data do. */
static dlp_status run_hierarchy(const run *r, dlp_hierarchy *hierarchy, dlp_error *error)
{
    const dlp_status status = dlp_hierarchy_run(hierarchy, error);
    const dlp_index failed = dlp_hierarchy_result_of(hierarchy)->failed;
    return failed < 0 ? status : fail_group(r, failed, error);
}

static dlp_status fit_hierarchy(run *r, dlp_error *error)
{
    const dlpi_prepared *p = r->p;
    const dlp_hierarchy_settings settings = hierarchy_settings(r);
    dlp_hierarchy *hierarchy = NULL;
    dlp_glm_data *groups = dlpi_calloc(p->M, sizeof *groups);
    if (!groups) return dlpi_no_memory(error, "the groups");
    for (dlp_index m = 0; m < p->M; m++) groups[m] = dlpi_rows_of_group(&r->rows, m);
    dlp_status status = dlp_hierarchy_alloc(p->family->name, dlpi_link_of(p), p->M,
                                            groups, &settings, &hierarchy, error);
    if (status == DLP_OK) status = run_hierarchy(r, hierarchy, error);
    if (status == DLP_OK) status = keep_hierarchy(hierarchy, r, error);
    dlp_hierarchy_free(hierarchy);
    free(groups);
    return status;
}

/* ---- the whole ---- */

/* Threads wait for one another in each iteration. A small fit is over before they pay
   off, and on a busy machine it would wait for its share of the cores. Without groups an
   iteration is one pass over the rows, a millisecond per million numbers. */
static int threads_for(const dlpi_prepared *p)
{
    const double enough = dlpi_is_grouped(p->grouping) ? 8192 : 1 << 20; /* per thread */
    const double nodes = p->design->n_random > 0 ? 64 : 1; /* of a row's random effects */
    const double numbers = nodes * (double)p->data.N * (double)(p->data.p + 1);
    if (p->asked.threads > 0) return p->asked.threads;
    return (int)fmin(omp_get_num_procs(), 1 + floor(numbers / enough));
}

/* The rows in the variables that are fitted, by group. */
static dlp_status arrange(run *r, dlp_error *error)
{
    const dlpi_prepared *p = r->p;
    const bool grouped = dlpi_is_grouped(p->grouping);
    dlp_glm_data rows = p->data;
    if (grouped) DLP_TRY(check_rows(p, error));
    DLP_TRY(dlpi_basis_make(p, &rows, &r->basis, error));
    DLP_TRY(dlpi_precise_rows_make(p->design->precision, p->table->spill, &rows,
                                   &r->precise, error));
    DLP_TRY(dlpi_grouped_rows_make(&rows, grouped ? p->design->group : NULL, p->M,
                                   &r->rows, error));
    if (r->rows.moved) dlpi_basis_drop_rows(&r->basis);
    return DLP_OK;
}

/* The posterior in terms of the original data. */
static void change_back(run *r)
{
    dlp_regression *out = r->out;
    dlp_trace_row *trace = (dlp_trace_row *)out->result.trace;
    for (dlp_index m = 0; m < r->p->M; m++) {
        dlpi_basis_mean(&r->basis, mean_of(r, m));
        dlpi_basis_covariance(&r->basis, covariance_of(r, m));
    }
    if (out->mu0) {
        dlpi_basis_mean(&r->basis, out->mu0);
        dlpi_basis_covariance(&r->basis, out->Sigma0);
        dlpi_basis_covariance(&r->basis, out->mu0_covariance);
    }
    const double more = r->precise.log_jacobian - r->basis.log_jacobian;
    out->result.objective += more;
    for (int i = 0; i < out->result.n_trace; i++) trace[i].objective += more;
}

/* Margins from mu and Sigma: coefficients are normal, and so is the logarithm of a
   scale. */
static void normal_margins(const dlp_regression *out, dlp_index n, dlp_index p,
                           bool scales, dlp_margin *margin)
{
    const double end = dlp_normal_quantile(0.975);
    for (dlp_index i = 0; i < n; i++) {
        const double mu = out->mu[i], sd = sqrt(out->Sigma[i * (n + 1)]);
        const double mean = exp(mu + 0.5 * sd * sd);
        margin[i] = scales && i >= p
                        ? (dlp_margin){mean, mean * sqrt(expm1(sd * sd)),
                                       exp(mu - end * sd), exp(mu), exp(mu + end * sd)}
                        : dlpi_normal_margin(mu, sd);
    }
}

/* Cut points and two scales by their own margins. */
static dlp_status own_margins(const run *r, dlp_glm *glm, const double *at,
                              dlp_margin *margin, dlp_error *error)
{
    const dlpi_prepared *p = r->p;
    const double *mu = mean_of(r, 0), *Sigma = covariance_of(r, 0);
    if (!p->family->second)
        return dlpi_cut_margins_by_rows(&r->basis, glm, at, mu, Sigma, margin, error);
    DLP_TRY(dlpi_scale_margins(glm, at, Sigma, margin, error));
    for (dlp_index i = 0; i < p->data.p; i++)
        margin[i] = dlpi_normal_margin(mu[i], sqrt(Sigma[i * (p->n + 1)]));
    return DLP_OK;
}

/* For a regression of one level; at (n): the mean in the basis of glm. */
static dlp_status add_margins(run *r, dlp_glm *glm, const double *at, dlp_error *error)
{
    const dlpi_prepared *p = r->p;
    const bool own = p->family->support == DLP_SUPPORT_ORDERED || p->family->second;
    dlpi_fitted_rows rows = {.basis = &r->basis,
                             .glm = glm,
                             .at = at,
                             .mu = mean_of(r, 0),
                             .Sigma = covariance_of(r, 0),
                             .propagated = r->out->result.propagated};
    dlp_index skewed = 0;
    dlp_margin *margin = dlpi_pool_take(&r->out->pool, p->n, sizeof *margin);
    if (!margin) return dlpi_no_memory(error, "the margins");
    normal_margins(r->out, p->n, p->data.p, p->family->scale != NULL, margin);
    dlp_status status = own ? own_margins(r, glm, at, margin, error) : DLP_OK;
    if (status == DLP_OK)
        status = dlpi_coefficient_margins(&rows, margin, &skewed, error);
    if (own || skewed > 0) r->out->result.margin = margin;
    return status;
}

static bool is_settled(const run *r)
{
    const dlpi_prepared *p = r->p;
    const bool one = p->grouping == DLP_POOLED || p->grouping == DLP_UNGROUPED;
    return one && p->method == DLP_METHOD_DELTA &&
           r->out->result.outcome == DLP_CONVERGED;
}

/* For Student's, the degrees of freedom are integrated over. */
static bool has_margins(const run *r)
{
    return is_settled(r) && !dlpi_is_gaussian(r->p->family) && !r->p->family->df;
}

/* Coefficients of a Gaussian response have symmetric margins. With many rows the
   logarithm of its sd has, too: its skewness is about (2 / (N - p))^1/2. */
static bool has_skewed_sd(const dlp_glm *glm)
{
    const double enough = 1000;
    return (double)glm->data.N < enough + (double)glm->data.p &&
           dlp_glm_can_integrate(glm);
}

/* shift: of the logarithm, from the units of glm. */
static dlp_status add_sd_margin(run *r, dlp_glm *glm, double shift, dlp_error *error)
{
    const dlpi_prepared *p = r->p;
    const double unit = exp(shift);
    dlp_margin *margin = dlpi_pool_take(&r->out->pool, p->n, sizeof *margin), sd;
    if (!margin) return dlpi_no_memory(error, "the margins");
    DLP_TRY(dlpi_gaussian_sd_margin(glm, &sd, error));
    normal_margins(r->out, p->n, p->data.p, true, margin);
    margin[p->data.p] = (dlp_margin){unit * sd.mean, unit * sd.sd, unit * sd.lower,
                                     unit * sd.median, unit * sd.upper};
    r->out->result.margin = margin;
    return DLP_OK;
}

/* The model in the basis of the fit, by the same workers. */
static dlp_status make_for_margins(const run *r, dlp_glm **glm, dlp_error *error)
{
    DLP_TRY(dlpi_make_glm(r->p, &r->rows.data, glm, error));
    const dlp_status status =
        dlpi_glm_use_workers(*glm, dlpi_comm_of(r->p), r->threads, error);
    if (status == DLP_OK) return DLP_OK;
    dlp_glm_free(*glm);
    *glm = NULL;
    return status;
}

/* A step of Newton's method from the mean, at (n), to the mode. */
static void step_to_mode(const run *r, dlp_glm *glm, const double *at, double *mode,
                         double *gradient)
{
    const dlp_index n = r->p->n;
    const dlp_model model = dlp_glm_model(glm);
    (void)model.type->f(model.state, at, gradient, NULL);
    for (dlp_index i = 0; i < n; i++)
        mode[i] = at[i] + dlpi_dot(n, covariance_of(r, 0) + i * n, gradient);
}

/* How far the means of coefficients are from the mode, in sds; both in the original
   columns. A scale's may be far, and still be right. */
static double find_shift(const run *r, const double *mode)
{
    const dlp_index n = r->p->n;
    const bool levels = r->p->family->support == DLP_SUPPORT_LEVELS;
    double most = 0;
    for (dlp_index i = 0; i < (levels ? n : r->p->data.p); i++)
        most = fmax(most, fabs(mode[i] - mean_of(r, 0)[i]) /
                              sqrt(covariance_of(r, 0)[i * (n + 1)]));
    return isfinite(most) ? most : 0;
}

/* Back to the original columns; work (3, n). */
static dlp_status finish_in(run *r, double *work, dlp_error *error)
{
    const dlp_index n = r->p->n;
    const bool margins = has_margins(r),
               normal = is_settled(r) && dlpi_is_gaussian(r->p->family);
    double *at = work, *mode = work + n;
    dlp_glm *glm = NULL;
    dlp_status status = DLP_OK;
    memcpy(at, mean_of(r, 0), (size_t)n * sizeof *at);
    if (margins || normal) DLP_TRY(make_for_margins(r, &glm, error));
    if (margins) step_to_mode(r, glm, at, mode, work + 2 * n);
    change_back(r);
    r->out->result.df =
        dlpi_second_scale(r->p->family, mean_of(r, 0), r->p->data.p, r->out->result.df);
    if (margins) {
        dlpi_basis_mean(&r->basis, mode);
        if (!r->out->result.propagated) r->out->shift = find_shift(r, mode);
        status = add_margins(r, glm, at, error);
    }
    if (normal && has_skewed_sd(glm)) {
        const dlp_index p = r->p->data.p;
        status = add_sd_margin(r, glm, mean_of(r, 0)[p] - at[p], error);
    }
    if (glm && dlpi_glm_check_workers(glm, error) != DLP_OK) status = DLP_EIO;
    dlp_glm_free(glm);
    return status;
}

static dlp_status finish(run *r, dlp_error *error)
{
    double *work = dlpi_calloc(r->p->n, 3 * sizeof *work);
    if (!work) return dlpi_no_memory(error, "the parameters");
    const dlp_status status = finish_in(r, work, error);
    free(work);
    return status;
}

dlp_status dlpi_regression_run(const dlpi_prepared *prepared, dlp_regression *out,
                               dlp_error *error)
{
    run r = {.p = prepared, .out = out, .threads = threads_for(prepared)};
    r.listener.call = prepared->asked.progress;
    r.listener.context = prepared->asked.context;
    dlp_status status = arrange(&r, error);
    if (status == DLP_OK)
        status = prepared->grouping == DLP_HIERARCHICAL ? fit_hierarchy(&r, error)
                 : prepared->grouping == DLP_SEPARATE   ? fit_separate(&r, error)
                 : prepared->grouping == DLP_MIXED      ? fit_mixed(&r, error)
                                                        : fit_one(&r, error);
    if (status == DLP_OK) status = finish(&r, error);
    dlpi_basis_clear(&r.basis);
    dlpi_precise_rows_clear(&r.precise);
    dlpi_grouped_rows_clear(&r.rows);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Suggests the fit to try after one that did not converge. */
#include <delaplace/diagnostics.h>
#include <delaplace/hierarchy.h>

#include "regression/regression.h"

/* Whether only the hyperprior keeps a hierarchy from growing without bound. */
static bool creeps(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    const int many = dlp_more_iterations(dlp_hierarchy_settings_default().max_iter);
    return r->grouping == DLP_HIERARCHICAL && !r->paper_hyperprior &&
           !dlpi_is_linear(r->family) && (regression->separated || r->max_iter >= many);
}

static dlp_next_fit with_more_work(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    const int longer = dlp_more_iterations(r->max_iter);
    if (creeps(regression))
        return (dlp_next_fit){.kind = DLP_NEXT_HYPERPRIOR,
                              .nu = (double)r->n + 10,
                              .phi0 = 0.1,
                              .phi1 = 4,
                              .max_iter = longer};
    return (dlp_next_fit){.kind = DLP_NEXT_ITERATIONS, .max_iter = longer};
}

dlp_next_fit dlp_regression_next_fit(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    if (r->outcome == DLP_CANCELLED) return (dlp_next_fit){.kind = DLP_NEXT_THE_SAME};
    if (r->outcome == DLP_MAX_ITERATIONS) return with_more_work(regression);
    if (dlp_regression_is_lost(r))
        return (dlp_next_fit){.kind = DLP_NEXT_METHOD,
                              .method = dlp_regression_method(DLP_METHOD_AUTO)};
    return (dlp_next_fit){.kind = DLP_NEXT_NOTHING};
}

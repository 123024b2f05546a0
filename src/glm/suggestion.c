/* SPDX-License-Identifier: BSD-3-Clause */
/* What to ask for instead of a fit that did not come to its end. */
#include <delaplace/diagnostics.h>
#include <delaplace/hierarchy.h>

#include "glm/regression.h"

#include <math.h>
#include <string.h>

enum { LONGER = 10, MOST_ITERATIONS = 1000000 };

/* Whether only the hyperprior keeps a hierarchy from growing for ever. */
static bool creeps(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    const int many = LONGER * dlp_hierarchy_settings_default().max_iter;
    return r->grouping == DLP_HIERARCHICAL && !r->paper_hyperprior &&
           !dlpi_is_linear(r->family) && (regression->separated || r->max_iter >= many);
}

static dlp_suggestion suggest_more_work(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    const double longer = fmin((double)LONGER * r->max_iter, MOST_ITERATIONS);
    if (creeps(regression))
        return (dlp_suggestion){.kind = DLP_SUGGEST_HYPERPRIOR,
                                .nu = (double)r->n + 10,
                                .phi0 = 0.1,
                                .phi1 = 4,
                                .max_iter = (int)longer};
    return (dlp_suggestion){.kind = DLP_SUGGEST_ITERATIONS, .max_iter = (int)longer};
}

dlp_suggestion dlp_regression_suggest(const dlp_regression *regression)
{
    const dlp_regression_result *r = &regression->result;
    if (r->outcome == DLP_CANCELLED) return (dlp_suggestion){.kind = DLP_SUGGEST_WAITING};
    if (r->outcome == DLP_MAX_ITERATIONS) return suggest_more_work(regression);
    if (dlp_regression_is_lost(r))
        return (dlp_suggestion){.kind = DLP_SUGGEST_METHOD,
                                .method = dlp_regression_method(0)};
    return (dlp_suggestion){.kind = DLP_SUGGEST_NOTHING};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/prepare/check_settings.h"

#include "core/core.h"
#include "regression/prepare/precision.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_check_numbers(const dlp_regression_settings *s, dlp_error *error)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"tol", s->tol},   {"prior_sd", s->prior_sd},
                   {"nu", s->nu},     {"prior_df", s->prior_df},
                   {"phi0", s->phi0}, {"intercept_sd", s->intercept_sd},
                   {"phi1", s->phi1}, {"df", s->df}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i].value >= 0 && isfinite(numbers[i].value)))
            return dlp_fail(error, DLP_EINVAL,
                            "%s is %g; it must be positive, or 0 for the default",
                            numbers[i].name, numbers[i].value);
    if (s->max_iter < 0 || s->max_iter > 1000000)
        return dlp_fail(error, DLP_EINVAL,
                        "max_iter is %d; it must be 1 to 1000000, or 0 for the default",
                        s->max_iter);
    if (s->threads < 0 || s->threads > 1024)
        return dlp_fail(error, DLP_EINVAL,
                        "threads is %d; it must be 1 to 1024, or 0 for the default",
                        s->threads);
    return DLP_OK;
}

static dlp_status check_scale_of_groups(const dlpi_prepared *p, dlp_error *error)
{
    const char *scale = p->asked.scale;
    if (scale && strcmp(scale, "shared") != 0 && strcmp(scale, "by-group") != 0)
        return dlp_fail(error, DLP_EINVAL,
                        "the scale of groups is '%.80s'; it must be shared or by-group",
                        scale);
    if (scale && !p->family->scale)
        return dlp_fail(error, DLP_EINVAL,
                        "the scale of groups is the sd, shape or size of a response, and "
                        "family %s has none: leave the option out",
                        p->family->name);
    return DLP_OK;
}

static dlp_status check_family(const dlpi_prepared *p, dlp_error *error)
{
    if (p->asked.df != 0 && !p->family->df)
        return dlp_fail(error, DLP_EINVAL,
                        "only a student response has degrees of freedom, and this is "
                        "family %s: leave them out, or ask for family student",
                        p->family->name);
    if (p->linked->positive && p->grouping == DLP_HIERARCHICAL)
        return dlp_fail(error, DLP_EINVAL,
                        "with link %s means must be positive, which hierarchies do not "
                        "ensure: write (1 + x | column) in the formula, for a mixed "
                        "model, or use link log",
                        dlpi_link_of(p));
    if (p->family->second &&
        (p->grouping == DLP_SEPARATE || p->grouping == DLP_HIERARCHICAL))
        return dlp_fail(error, DLP_EINVAL,
                        "family %s has two scales, which hierarchies and separate groups "
                        "cannot have yet: write (1 + x | column) in the formula, for a "
                        "mixed model",
                        p->family->name);
    if (p->asked.precision &&
        (!dlpi_takes_precision(p->family) ||
         (p->grouping != DLP_UNGROUPED && p->grouping != DLP_POOLED)))
        return dlp_fail(error, DLP_EINVAL,
                        "precisions of rows are for the families gaussian, student and "
                        "tobit, without groups, random effects and smooths; weights, "
                        "which say how often a row was seen, are for all families");
    if (p->grouping == DLP_HIERARCHICAL && p->family->censored &&
        p->family->support == DLP_SUPPORT_REAL)
        return dlp_fail(error, DLP_EINVAL,
                        "family %s has no hierarchy of groups: write (1 + x | column) in "
                        "the formula, for a mixed model",
                        p->family->name);
    return DLP_OK;
}

dlp_status dlpi_check_settings(const dlpi_prepared *p, dlp_error *error)
{
    const dlp_regression_settings *s = &p->asked;
    const bool sds = s->prior_sd != 0 || s->prior_df != 0 || s->intercept_sd != 0;
    const bool shared = s->paper_hyperprior || s->nu != 0 || s->phi0 != 0 ||
                        s->phi1 != 0 || s->paper_sigma0 || s->scale;
    if (s->grouping == DLP_UNGROUPED && p->grouping != DLP_UNGROUPED)
        return dlp_fail(error, DLP_EINVAL,
                        "no grouping is asked for, but there are groups: leave out their "
                        "column and (... | column) in the formula, or pool them");
    if (s->grouping != DLP_GROUPING_DEFAULT && s->grouping != DLP_UNGROUPED &&
        p->grouping == DLP_UNGROUPED)
        return dlp_fail(error, DLP_EINVAL,
                        "a grouping needs groups: name their column, or write (... | "
                        "column) in the formula");
    if (shared && p->grouping != DLP_HIERARCHICAL)
        return dlp_fail(
            error, DLP_EINVAL,
            "nu, phi0, phi1, the hyperprior, Sigma0's update and the scale of groups "
            "apply to a hierarchy of groups, which this regression is not");
    if (p->grouping == DLP_HIERARCHICAL && (sds || s->prior || s->prior_covariance))
        return dlp_fail(error, DLP_EINVAL,
                        "a hierarchical fit learns the prior from the groups: give only "
                        "its hyperprior");
    if (s->prior_covariance && sds)
        return dlp_fail(error, DLP_EINVAL,
                        "a prior covariance determines all of the prior but its means: "
                        "leave out the prior's sds and df");
    DLP_TRY(check_family(p, error));
    return check_scale_of_groups(p, error);
}

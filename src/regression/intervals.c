/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals of parameters at any level, and what the coefficients of factors are compared
   with. */
#include "core/core.h"
#include "regression/draw/draws.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Normal to each side of the median; of a scale, its logarithm is. */
static void by_margin(const dlp_parameter *q, double median, double z, double *lower,
                      double *upper)
{
    const dlp_margin m = {q->mean, q->sd, q->lower, median, q->upper};
    const bool scale = q->kind == DLP_SCALE;
    *lower = scale ? dlpi_positive_at(&m, -z) : dlpi_margin_at(&m, -z);
    *upper = scale ? dlpi_positive_at(&m, z) : dlpi_margin_at(&m, z);
    if (isnan(q->sd)) *lower = *upper = NAN;
}

/* mean -+ z sd, of a scale in its logarithm, whose ends are known. */
static void by_moments(const dlp_parameter *q, double z, double *lower, double *upper)
{
    const double end = dlp_normal_quantile(0.975);
    if (q->kind != DLP_SCALE) {
        *lower = q->mean - z * q->sd;
        *upper = q->mean + z * q->sd;
        return;
    }
    const double middle = 0.5 * (log(q->lower) + log(q->upper)),
                 sd = 0.5 * (log(q->upper) - log(q->lower)) / end;
    *lower = exp(middle - z * sd);
    *upper = exp(middle + z * sd);
}

dlp_status dlp_regression_intervals(const dlp_regression *regression, dlp_index whose,
                                    double level, double *lower, double *upper,
                                    dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(regression);
    if (!(level > 0 && level < 1))
        return dlp_fail(error, DLP_EINVAL,
                        "the level %g of an interval must lie between 0 and 1", level);
    dlp_parameter *q = dlpi_calloc(r->n, sizeof *q);
    if (!q) return dlpi_no_memory(error, "the intervals");
    const dlp_status status = dlp_regression_parameters(regression, whose, q, error);
    const double z = dlp_normal_quantile(0.5 + 0.5 * level);
    for (dlp_index i = 0; status == DLP_OK && i < r->n; i++)
        if (level == DLP_INTERVAL_LEVEL) {
            lower[i] = q[i].lower;
            upper[i] = q[i].upper;
        } else if (r->margin && whose == 0) {
            by_margin(&q[i], r->margin[i].median, z, &lower[i], &upper[i]);
        } else if (q[i].kind == DLP_CUT_POINT) {
            by_margin(&q[i], q[i].mean, z, &lower[i], &upper[i]);
        } else {
            by_moments(&q[i], z, &lower[i], &upper[i]);
        }
    free(q);
    return status;
}

/* The level of the factor that a part of a column's name begins with; -1: none. The longest that
   fits, as levels may have colons, too. */
static dlp_index level_at(const dlp_levels *factor, const char *part)
{
    const size_t size = strlen(factor->variable);
    size_t longest = 0;
    dlp_index found = -1;
    if (strncmp(part, factor->variable, size) != 0) return -1;
    for (dlp_index i = 0; i < factor->n; i++) {
        const size_t length = strlen(factor->level[i]);
        const bool fits = !strncmp(part + size, factor->level[i], length) &&
                          (!part[size + length] || part[size + length] == ':');
        if (fits && (found < 0 || length > longest)) {
            found = i;
            longest = length;
        }
    }
    return found;
}

/* Whether a column is of that level of the factor, alone or in an interaction. */
static bool has_column(const dlp_regression_result *r, const dlp_levels *factor,
                       dlp_index level)
{
    for (dlp_index j = 0; j < r->p; j++)
        for (const char *at = r->column[j]; at;
             at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL)
            if (level_at(factor, at) == level) return true;
    return false;
}

const char *dlp_regression_reference(const dlp_regression_result *result, dlp_index f)
{
    const dlp_terms *terms = result->terms;
    if (f < 0 || f >= terms->n_factors || terms->factor[f].n < 2) return NULL;
    const dlp_levels *factor = &terms->factor[f];
    if (has_column(result, factor, 0) || !has_column(result, factor, 1)) return NULL;
    return factor->level[0];
}

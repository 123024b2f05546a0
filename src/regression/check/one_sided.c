/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/check/one_sided.h"

#include "regression/check/target.h"

/* Whether all rows with this value of a column have the least possible response, or all
   the most. */
static bool is_extreme(const dlp_glm_data *rows, const double *x, double value,
                       bool limited)
{
    bool least = true, most = limited;
    for (dlp_index i = 0; i < rows->N; i++) {
        if (x[i] != value) continue;
        least = least && rows->y[i] == 0;
        most = most && rows->y[i] == (rows->trials ? rows->trials[i] : 1);
    }
    return least || most;
}

/* Whether a column has two values; other[0] and other[1]. */
static bool has_two(dlp_index N, const double *x, double *other)
{
    bool two = false;
    other[0] = other[1] = x[0];
    for (dlp_index i = 1; i < N; i++) {
        if (x[i] == other[0] || (two && x[i] == other[1])) continue;
        if (two) return false;
        other[1] = x[i];
        two = true;
    }
    return two;
}

bool dlpi_has_one_sided_column(const dlp_regression *regression, const dlp_table *table)
{
    const dlp_support support = regression->result.family->support;
    const bool limited = support == DLP_SUPPORT_BINARY || support == DLP_SUPPORT_TRIALS;
    dlpi_target target = {.of = NULL};
    bool found = false;
    if (!limited && support != DLP_SUPPORT_COUNT) return false;
    if (dlpi_target_make(regression, table, false, false, NULL, &target, NULL) == DLP_OK)
        for (dlp_index j = 0; j < target.data.p && !found; j++) {
            double value[2];
            found = has_two(target.data.N, target.data.x[j], value) &&
                    (is_extreme(&target.data, target.data.x[j], value[0], limited) ||
                     is_extreme(&target.data, target.data.x[j], value[1], limited));
        }
    dlpi_target_clear(&target);
    return found;
}

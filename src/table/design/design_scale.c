/* SPDX-License-Identifier: BSD-3-Clause */
/* The mean and the standard deviation behind scale(x), as in R: over all rows that have a
   value, including those that are left out because of other columns. Also where terms are
   zero: dlp_design_term_zero. */
#include "table/design/design.h"

#include <math.h>
#include <string.h>

/* Each in two passes: the second takes away the rounding errors of the first. */
static void find_moments(const double *x, dlp_index n, double *mean, double *sd)
{
    double sum = 0, rest = 0, squares = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i];
    for (dlp_index i = 0; i < n; i++) rest += x[i] - sum / (double)n;
    *mean = sum / (double)n + rest / (double)n;
    for (dlp_index i = 0; i < n; i++) squares += (x[i] - *mean) * (x[i] - *mean);
    *sd = sqrt(squares / (double)(n - 1));
}

dlp_status dlpi_find_scaling(const struct dlpi_expression *expression,
                             struct dlpi_pool *scratch, dlp_scaling *scaling,
                             dlp_error *error)
{
    const dlp_index rows = expression->table->rows;
    dlp_index *row = dlpi_pool_take(scratch, rows, sizeof *row), n = 0;
    double *x = dlpi_pool_take(scratch, rows, sizeof *x);
    if (!row || !x) return dlpi_no_memory(error, "scale()");
    for (dlp_index i = 0; i < rows; i++)
        if (!dlpi_expression_is_missing(expression, i)) row[n++] = i;
    DLP_TRY(dlpi_expression_evaluate(expression, row, n, x, error));
    if (n > 1) find_moments(x, n, &scaling->centre, &scaling->spread);
    if (n > 1 && isfinite(scaling->spread) && scaling->spread > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "%s cannot be computed: its argument has fewer than two distinct "
                    "values, or values too large; take it out",
                    dlpi_show(scaling->variable).text);
}

dlp_term_zero dlp_design_term_zero(const dlp_design *d, dlp_index t)
{
    const dlp_terms *terms = d->terms;
    const dlp_index *of = d->term_variable + d->term_begin[t];
    const bool single = d->term_begin[t + 1] - d->term_begin[t] == 1;
    if (!single || d->variable[of[0]].factor >= 0) return DLP_ZERO_NOWHERE;
    for (dlp_index i = 0; i < terms->n_scalings; i++)
        if (!strcmp(terms->scaling[i].variable, d->term[t])) return DLP_ZERO_BY_FIT;
    for (dlp_index i = 0; i < terms->n_bases; i++)
        if (!strcmp(terms->basis[i].variable, d->term[t])) return DLP_ZERO_BY_FIT;
    return DLP_ZERO_OWN;
}

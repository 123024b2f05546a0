/* SPDX-License-Identifier: BSD-3-Clause */
/* Means and spreads of a column's numbers, by the weights of their rows. Internal. */
#ifndef DLPI_REGRESSION_MOMENTS_H
#define DLPI_REGRESSION_MOMENTS_H

#include <delaplace/glm.h>
#include <stdbool.h>

/* The weight of row i, 1 without weights, and of all rows. */
static inline double dlpi_row_weight(const dlp_glm_data *data, dlp_index i)
{
    return data->weight ? data->weight[i] : 1;
}
double dlpi_total_weight(const dlp_glm_data *data);

/* x (N): the mean of x, and of (x - centre)^2. */
double dlpi_column_mean(const dlp_glm_data *d, const double *x);
double dlpi_column_variance(const dlp_glm_data *d, const double *x, double centre);

/* The distance between the two values of a column that has only two where rows count;
   else 0. Such a column is an indicator, whatever the share of its rows; where no
   intercept absorbs its mean, one of the values must be 0. */
double dlpi_column_step(const dlp_glm_data *d, const double *x, bool centred);

/* Where column j is measured from, and in which units: its mean, its standard deviation,
   and as its spread the sd or, for an indicator, the distance of its two values. Without
   an intercept (-1) to absorb it, the centre is 0; a column that does not vary stays as
   it is. */
typedef struct dlpi_column_units {
    double centre, spread, sd;
} dlpi_column_units;
dlpi_column_units dlpi_column_measure(const dlp_glm_data *d, dlp_index j,
                                      dlp_index intercept);

/* The mean of the response less its offset, or 0 without an intercept, and the root mean
   square of the remainder, or 1 where that is 0. */
void dlpi_response_measure(const dlp_glm_data *d, dlp_index intercept, double *centre,
                           double *unit);

#endif

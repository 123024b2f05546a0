/* SPDX-License-Identifier: BSD-3-Clause */
/* The distributions of each file, and what they share. Internal. */
#ifndef DLPI_BUGS_DISTRIBUTION_TABLES_H
#define DLPI_BUGS_DISTRIBUTION_TABLES_H

#include "density/algebra.h"

extern const dlpi_distribution dlpi_real_distributions[], dlpi_positive_distributions[],
    dlpi_pareto_distributions[], dlpi_count_distributions[], dlpi_vector_distributions[];
extern const int dlpi_n_real_distributions, dlpi_n_positive_distributions,
    dlpi_n_pareto_distributions, dlpi_n_count_distributions, dlpi_n_vector_distributions;

/* What the functions of a distribution take (distribution.h). */
#define LOG_DENSITY dlpi_builder *b, const dlpi_value *value, const dlpi_value *p
#define CDF         dlpi_builder *b, dlpi_expr y, const dlpi_value *p
#define BOUNDS      dlpi_builder *b, const dlpi_value *p, dlpi_expr *lower, dlpi_expr *upper
#define DRAW                                                                             \
    const double *const *p, const dlp_index *n_p, dlp_index n, dlp_rng *rng, double *y
#define QUANTILE dlpi_builder *b, dlpi_expr p, const dlpi_value *of
#define CENSOR                                                                           \
    dlpi_builder *b, dlpi_expr y, double value, const dlpi_value *second,                \
        dlpi_expr bound[2]
#define UNUSED_SIZES (void)n_p, (void)n

static const double DLPI_HALF_LOG_2PI = 0.91893853320467274178;
static const double DLPI_LOG_PI = 1.14472988584940017414;
static const double DLPI_LOG_2 = 0.69314718055994530942;

/* The element of a scalar parameter. */
static inline dlpi_expr param(const dlpi_value *params, int i)
{
    return params[i].at[0];
}

static inline const char *positive(double v)
{
    return v > 0 ? NULL : "must be positive";
}
static inline const char *probability(double v)
{
    return v >= 0 && v <= 1 ? NULL : "must lie between 0 and 1";
}

/* Shapes of scalars with scalar parameters. */
bool dlpi_all_scalars(const dlpi_value *y, const dlpi_value *params);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/priors/smooth_prior.h"

#include "core/core.h"
#include "regression/prepare/link_units.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double dlpi_smooth_scale(const dlpi_prepared *p)
{
    double centre, unit;
    dlpi_link_measure(p, &p->data, p->intercept, &centre, &unit);
    return DLP_WEAK_EFFECT * unit;
}

/* Appends `more` columns to the rows of A (rows, from), which become `to` and `more`
   wide, and new rows with `diagonal` after the old ones. */
static bool widen(dlp_index rows, dlp_index from, dlp_index to, dlp_index more,
                  double diagonal, double **A)
{
    if (!*A) return true;
    double *wide = calloc((size_t)to, (size_t)(to + more) * sizeof *wide);
    if (!wide) return false;
    for (dlp_index i = 0; i < rows; i++) {
        memcpy(wide + i * (to + more), *A + i * (from + more),
               (size_t)from * sizeof *wide);
        for (dlp_index k = 0; k < more; k++)
            wide[i * (to + more) + to + k] = (*A)[i * (from + more) + from + k];
    }
    for (dlp_index i = rows; i < to; i++) wide[i * (to + more) + i] = diagonal;
    free(*A);
    *A = wide;
    return true;
}

static bool lengthen(dlp_index from, dlp_index to, double value, double **x)
{
    if (!*x) return true;
    double *more = calloc((size_t)to, sizeof *more);
    if (!more) return false;
    memcpy(more, *x, (size_t)from * sizeof *more);
    for (dlp_index i = from; i < to; i++) more[i] = value;
    free(*x);
    *x = more;
    return true;
}

static bool add_each(dlp_index from, dlp_index to, double scale, dlpi_prior_choice *prior)
{
    dlp_coefficient_prior *each = calloc((size_t)to + 1, sizeof *each);
    if (!each) return false;
    for (dlp_index j = 0; j < to; j++) {
        each[j] = (dlp_coefficient_prior){.sd = prior->sd, .df = prior->df};
        if (j < from && prior->each) each[j] = prior->each[j];
        if (j >= from) each[j] = (dlp_coefficient_prior){.sd = scale, .weak = 1};
    }
    free(prior->each);
    prior->each = each;
    return true;
}

dlp_status dlpi_smooth_prior(const dlpi_prepared *p, dlp_index fixed,
                             dlpi_prior_choice *prior, dlp_error *error)
{
    const dlp_index all = p->data.p;
    const double scale = dlpi_smooth_scale(p), square = scale * scale;
    if (all == fixed) return DLP_OK;
    const bool made = add_each(fixed, all, scale, prior) &&
                      widen(fixed, fixed, all, 0, square, &prior->covariance) &&
                      widen(fixed, fixed, all, 1, 1, &prior->R) &&
                      lengthen(fixed, all, scale, &prior->R_sd) &&
                      widen(fixed, fixed, all, 0, square, &prior->R_covariance);
    return made ? DLP_OK : dlpi_no_memory(error, "the prior of smooths");
}

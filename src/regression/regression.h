/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression: the result that clients see, and what it points to. Internal. */
#ifndef DLPI_REGRESSION_REGRESSION_H
#define DLPI_REGRESSION_REGRESSION_H

#include "core/pool.h"
#include "regression/prepare/prepare.h"

#include <delaplace/diagnostics.h>
#include <math.h>

enum { DLPI_MOST_NOTES = 8 };

struct dlp_regression {
    dlp_regression_result result; /* points into the rest */
    dlp_terms *terms;
    struct dlpi_pool pool; /* names, prior and trace */
    double *mu;            /* (M, n) the posterior, while it is made */
    double *Sigma;         /* (M, n, n) */
    double *mu0, *Sigma0, *mu0_covariance;
    const struct dlpi_scale_points
        *scales; /* of a mixed model: what to draw from (scale_points.h), or NULL */

    /* What only the data can tell, to be diagnosed; of one that was loaded, nothing. */
    dlp_index constant;    /* the first column that does not vary, or -1 */
    dlp_index constants;   /* how many do not */
    double constant_value; /* the first one's */
    bool
        alphabetical; /* levels of an ordinal response, which are words, were not stated */
    dlp_diagnostic near_zero; /* count 0: no mean that must be positive may be less */
    dlp_diagnostic collinear; /* parameter -1: no column is a combination of others */
    bool counts;    /* a Gaussian response, by default, that looks like counts */
    bool separated; /* the columns tell every response apart */
    dlp_index n_notes;
    dlp_diagnostic note[DLPI_MOST_NOTES]; /* (n_notes) on random effects */
};

/* Empty, with room for nothing yet; NULL without memory. */
dlp_regression *dlpi_regression_new(void);
/* A copy of a string of its own; NULL for NULL. false without memory. */
bool dlpi_regression_keep(dlp_regression *r, const char *text, const char **copy);
/* Room for the posterior, zeroed, once result.n, M and grouping are set. */
dlp_status dlpi_regression_room(dlp_regression *r, dlp_error *error);

/* regression_fit.c. Fits what is prepared into out, whose result has all but how it ended and
   which has room. */
dlp_status dlpi_regression_run(const dlpi_prepared *prepared, dlp_regression *out,
                               dlp_error *error);

/* Where a mode alone is known. */
static inline dlp_margin dlpi_margin_of_mode(double mode)
{
    return (dlp_margin){mode, NAN, NAN, mode, NAN};
}

/* How many parameters the effects of a level have covariances with: the coefficients and, of
   an ordinal regression, delta. */
static inline dlp_index dlpi_effects_width(const dlp_regression_result *r)
{
    return dlp_family_has_levels(r->family) ? r->n : r->p;
}

/* The links but logit of a mixed ordinal regression have the gaps between cut points among the
   scales. */
static inline bool dlpi_gaps_are_scales(const dlp_regression_result *r)
{
    return r->family->support == DLP_SUPPORT_ORDERED && strcmp(r->link, "logit") != 0;
}

/* How many of a mixed model's parameters, the last, are integrated over as its sds are. */
static inline dlp_index dlpi_own_scales(const dlp_regression_result *r)
{
    if (dlpi_gaps_are_scales(r)) return r->terms->response.n - 2;
    return (r->family->scale != NULL) + (r->family->second != NULL);
}

/* How many linear predictors a row has. */
static inline dlp_index dlpi_predictors(const dlp_regression_result *r)
{
    return r->family->support == DLP_SUPPORT_LEVELS ? r->terms->response.n - 1 : 1;
}

/* facts.c. What the rows count as: their total weight, or their number where that is
   less. */
double dlpi_counted_rows(const dlp_regression_result *result);

/* cut_points.c. The J cut points of an ordinal regression with delta ~ N(m, S), the rows of
   S being n apart. false without memory. */
bool dlpi_cut_points(dlp_index n, dlp_index J, const double *m, const double *S,
                     dlp_margin *out);

/* separation.c. Whether a fit tells the level of each of its own rows, or for each of its
   rows of trials that all of them end alike. False of families without levels. */
dlp_status dlpi_separates(const dlpi_prepared *prepared, const dlp_regression *r,
                          bool *separates, dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A fitted regression: the result that clients see, and the data it points to.
   Internal. */
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
    double *mu;            /* (M, n) the posterior, during the fit */
    double *Sigma;         /* (M, n, n) */
    double *mu0, *Sigma0, *mu0_covariance;
    const struct dlpi_scale_points
        *scales; /* of a mixed model: what to draw from (scale_points.h), or NULL */

    /* Findings about the data, to be diagnosed; none for a loaded regression. */
    dlp_index constant;    /* the first column that does not vary, or -1 */
    dlp_index constants;   /* how many do not */
    double constant_value; /* the first one's */
    bool alphabetical;     /* the levels of an ordinal response are words without a stated
                         order */
    dlp_diagnostic near_zero; /* count 0: no mean that must be positive reaches below 0 */
    dlp_diagnostic collinear; /* parameter -1: no column is a combination of others */
    bool counts;    /* a Gaussian response, by default, that looks like counts */
    bool separated; /* the columns separate the responses */
    double shift;   /* of the delta method: the largest distance of a coefficient from the
                       mode, in sds; 0: not known */
    double
        lean; /* of a mixed model: how skewed a coefficient's density is, INFINITY where
                       its mean and sd are not known; 0: not known */
    dlp_diagnostic ungraded; /* count 1: it should have grades */
    dlp_index n_notes;
    dlp_diagnostic note[DLPI_MOST_NOTES]; /* (n_notes) on random effects */
};

/* Empty, with room for nothing yet; NULL without memory. */
dlp_regression *dlpi_regression_new(void);
/* A copy of a string of its own; NULL for NULL. false without memory. */
bool dlpi_regression_keep(dlp_regression *r, const char *text, const char **copy);
/* Room for the posterior, zeroed, once result.n, M and grouping are set. */
dlp_status dlpi_regression_room(dlp_regression *r, dlp_error *error);

/* regression_fit.c. Fits the prepared regression into out, which has room and whose
   result lacks only how the fit ended. */
dlp_status dlpi_regression_run(const dlpi_prepared *prepared, dlp_regression *out,
                               dlp_error *error);

/* For when only a mode is known. */
static inline dlp_margin dlpi_margin_of_mode(double mode)
{
    return (dlp_margin){mode, NAN, NAN, mode, NAN};
}

/* The number of parameters with which a level's effects have covariances: the
   coefficients and, for an ordinal regression, delta. */
static inline dlp_index dlpi_effects_width(const dlp_regression_result *r)
{
    return dlp_family_has_levels(r->family) ? r->n : r->p;
}

/* In a mixed ordinal regression with a link other than logit, the gaps between cut points
   are among the scales. */
static inline bool dlpi_gaps_are_scales(const dlp_regression_result *r)
{
    return r->family->support == DLP_SUPPORT_ORDERED && r->link_kind != DLP_LINK_LOGIT;
}

/* How many of a mixed model's parameters, at the end, are integrated over like its
   sds. */
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

/* parameters.c. Fails for a group m that there is not. */
dlp_status dlpi_no_such_group(const dlp_regression_result *r, dlp_index m,
                              dlp_error *error);

/* facts.c. The effective number of rows: their total weight, or their number if that is
   less. */
double dlpi_counted_rows(const dlp_regression_result *result);

/* cut_points.c. The J cut points of an ordinal regression with delta ~ N(m, S), the rows
   of S being n apart. false without memory. */
bool dlpi_cut_points(dlp_index n, dlp_index J, const double *m, const double *S,
                     dlp_margin *out);

/* separation.c. Whether a fit predicts the level of each of its own rows or, for rows of
   trials, that all trials of each row end alike. false for families without levels. */
dlp_status dlpi_separates(const dlpi_prepared *prepared, const dlp_regression *r,
                          bool *separates, dlp_error *error);

/* The prior of column j's coefficient; with a covariance, its marginal. Not for a
   hierarchy. */
dlp_coefficient_prior dlpi_regression_prior_of(const dlp_regression *regression,
                                               dlp_index j);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Families of responses with one linear predictor: log p(y | eta, tau) and its
 * derivatives, a tile of rows at a time (infer/rows.h). tau is the logarithm of a scale that
 * some families have (noise sd, gamma shape, negative binomial size); the others ignore it.
 * Internal.
 */
#ifndef DLPI_GLM_FAMILY_H
#define DLPI_GLM_FAMILY_H

#include <delaplace/family.h>
#include <delaplace/model.h>
#include <delaplace/random.h>
#include <math.h>
#include <stdbool.h>

#include "infer/rows.h"

struct dlpi_family;

/* The families, as dlp_family_at numbers them. */
typedef enum dlpi_family_number {
    DLPI_BERNOULLI,
    DLPI_BINOMIAL,
    DLPI_POISSON,
    DLPI_NEGATIVE_BINOMIAL,
    DLPI_GAUSSIAN,
    DLPI_GAMMA,
    DLPI_MULTINOMIAL,
    DLPI_ORDINAL,
    DLPI_STUDENT,
    DLPI_TOBIT,
    DLPI_LOG_NORMAL,
    DLPI_EXPONENTIAL,
    DLPI_WEIBULL,
    DLPI_BETA,
    DLPI_BETA_BINOMIAL,
    DLPI_ZERO_INFLATED_POISSON,
    DLPI_HURDLE_POISSON,
    DLPI_ZERO_INFLATED_NEGATIVE_BINOMIAL,
    DLPI_HURDLE_NEGATIVE_BINOMIAL
} dlpi_family_number;

/* The parameters of a response to be drawn. */
typedef struct dlpi_draw_at {
    double eta, tau;
    double second; /* scale, or degrees of freedom */
    double trials;
} dlpi_draw_at;
typedef double dlpi_draw(const struct dlpi_family *family, const dlpi_draw_at *at,
                         dlp_rng *rng);

/* The variance of a response around its mean, on the scale of the link, given the scale
   (or degrees of freedom) and the mean response. */
typedef double dlpi_latent_variance(double scale, double df, double mean);

/* A family with one of its links. */
typedef struct dlpi_family {
    const dlp_family *of;
    dlp_link_kind link;
    /* Writes l and all derivatives up to `order` (0..3); order 4 adds l_eeee. NULL for
       families with several levels. */
    void (*evaluate)(dlpi_rows *rows, double tau, int order);
    /* E[y | eta] for a single trial. Where it also depends on tau, this is only exp(eta);
       dlpi_family_mean is right in every case. */
    double (*mean)(double eta);
    /* Whether y (out of `most` trials, or with `most` as the last level) is a possible
       response, and a description of those that are. */
    bool (*supports)(double y, double most);
    const char *support; /* in words */
    /* Its table, how many parameters it has, and how much extra memory it needs. */
    const dlp_model_type *type;
    dlp_index (*parameters)(dlp_index p, dlp_index levels);
    dlp_index (*extra)(dlp_index p, dlp_index levels);
    /* E[y | eta, tau] given the second scale as well; NULL: `mean`, which depends on eta
       alone. */
    double (*mean_given)(double eta, double tau, double second);
    /* y or log y is normal around eta, known exactly or to an interval */
    bool normal;
    /* given tau, l need not be concave everywhere: there may be several modes */
    bool bumpy;
    const struct dlpi_ordinal_link *ordinal; /* for ordered levels, else NULL */
    bool positive;                           /* l is -infinity unless eta is above 0 */
    bool linear;                             /* E[y] is eta */
    dlpi_draw *draw;                         /* a new response; NULL: several levels */
    dlpi_latent_variance *latent_variance;   /* NULL: not known */
} dlpi_family;

static inline double dlpi_family_mean(const dlpi_family *family, double eta, double tau,
                                      double second)
{
    return family->mean_given ? family->mean_given(eta, tau, second) : family->mean(eta);
}

/* The second scale at theta, which has p coefficients and then the scales; df where the
   family has no second scale. */
static inline double dlpi_second_scale(const dlp_family *family, const double *theta,
                                       dlp_index p, double df)
{
    return family->second ? exp(fmin(fmax(theta[p + 1], -100), 100)) : df;
}

/* The second number of a response, which a row need not have: the number of trials, or
   the upper end of its interval. */
static inline double dlpi_second_of(const dlpi_family *family, const double *y,
                                    const double *trials, dlp_index i)
{
    return trials ? trials[i] : family->of->censored ? y[i] : 1;
}

/* Whether, given tau, a Gaussian prior leads to a Gaussian posterior. */
bool dlpi_is_gaussian(const dlp_family *family);

/* A family with one of its links; NULL when there is no such pair. */
const dlpi_family *dlpi_family_of(const dlp_family *family, dlp_link_kind link);
/* The same by name; link NULL: the family's first. */
const dlpi_family *dlpi_family_find(const char *name, const char *link);
/* What a logistic regression has by Jaakkola & Jordan's bound. */
extern const dlpi_family dlpi_bounded_family;

#endif

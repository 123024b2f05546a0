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

/* Where a response is drawn. */
typedef struct dlpi_draw_at {
    double eta, tau;
    double second; /* scale, or degrees of freedom */
    double trials;
} dlpi_draw_at;
typedef double dlpi_draw(const struct dlpi_family *family, const dlpi_draw_at *at,
                         dlp_rng *rng);

/* Of a response around its mean, on the scale of the link, by the scale (or degrees of freedom)
   and the mean response. */
typedef double dlpi_latent_variance(double scale, double df, double mean);

/* A family with one of its links. */
typedef struct dlpi_family {
    const dlp_family *of;
    const char *link;
    /* Writes l and all derivatives up to `order` (0..3), and for 4 l_eeee. NULL: several
       levels. */
    void (*evaluate)(dlpi_rows *rows, double tau, int order);
    /* E[y | eta] for a single trial. Where it depends on tau, too, this is only exp(eta):
       dlpi_family_mean tells it in any case. */
    double (*mean)(double eta);
    /* Whether y (of `most` trials, or with `most` as the last level) is a possible
       response, and in words what is. */
    bool (*supports)(double y, double most);
    const char *support; /* in words */
    /* Its table, how many parameters it has, and how much extra memory it needs. */
    const dlp_model_type *type;
    dlp_index (*parameters)(dlp_index p, dlp_index levels);
    dlp_index (*extra)(dlp_index p, dlp_index levels);
    /* E[y | eta, tau], and the second scale; NULL: the mean above, which does not depend on them. */
    double (*mean_given)(double eta, double tau, double second);
    /* y or log y is normal around eta, known exactly or to an interval */
    bool normal;
    /* given tau, l need not bend down everywhere: there may be several modes */
    bool bumpy;
    const struct dlpi_ordinal_link *ordinal; /* of levels that have an order, else NULL */
    bool positive;                           /* l is -infinity unless eta is above 0 */
    bool linear;                             /* E[y] is eta */
    dlpi_draw *draw;                         /* of a new response; NULL: several levels */
    dlpi_latent_variance *latent_variance;   /* NULL: not known */
} dlpi_family;

static inline double dlpi_family_mean(const dlpi_family *family, double eta, double tau,
                                      double second)
{
    return family->mean_given ? family->mean_given(eta, tau, second) : family->mean(eta);
}

/* The second scale at theta, of p coefficients and scales; where the family has none, df. */
static inline double dlpi_second_scale(const dlp_family *family, const double *theta,
                                       dlp_index p, double df)
{
    return family->second ? exp(fmin(fmax(theta[p + 1], -100), 100)) : df;
}

/* The second number of a response, where a row need not have one: of how many trials it is,
   or the upper end of where it lies. */
static inline double dlpi_second_of(const dlpi_family *family, const double *y,
                                    const double *trials, dlp_index i)
{
    return trials ? trials[i] : family->of->censored ? y[i] : 1;
}

/* Whether given tau the posterior is a Gaussian under a Gaussian prior. */
bool dlpi_is_gaussian(const dlp_family *family);
/* Whether exp(tau) is the size of the noise, so that there is none at tau = -infinity. */
bool dlpi_scale_is_noise(const dlp_family *family);

/* The family and link by name; link NULL: the family's first. NULL when there is none. */
const dlpi_family *dlpi_family_find(const char *name, const char *link);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The families of responses that regressions support: one table, for every client. */
#ifndef DELAPLACE_FAMILY_H
#define DELAPLACE_FAMILY_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which responses a family allows. */
typedef enum dlp_support {
    DLP_SUPPORT_BINARY,   /* 0 or 1, or a column of two levels */
    DLP_SUPPORT_TRIALS,   /* whole numbers from 0 to the trials: cbind(won, lost) */
    DLP_SUPPORT_COUNT,    /* whole numbers from 0 */
    DLP_SUPPORT_REAL,     /* any number */
    DLP_SUPPORT_POSITIVE, /* above 0 */
    DLP_SUPPORT_LEVELS,   /* one of several levels, the first of which is the reference */
    DLP_SUPPORT_ORDERED,  /* one of several levels, which have an order */
    DLP_SUPPORT_SHARE     /* above 0 and below 1 */
} dlp_support;

/* Links, from the mean of a response to its linear predictor. */
typedef enum dlp_link_kind {
    DLP_LINK_LOGIT,
    DLP_LINK_PROBIT,
    DLP_LINK_CLOGLOG,
    DLP_LINK_LOG,
    DLP_LINK_IDENTITY,
    DLP_LINK_SQRT,
    DLP_LINK_SOFTMAX
} dlp_link_kind;
/* "logit", "probit", ...; NULL past the last. */
DLP_API const char *dlp_link_name(int i);

/* What the scale of a family measures. */
typedef enum dlp_scale_kind {
    DLP_SCALE_NONE,
    DLP_SCALE_NOISE, /* the noise around the mean: an sd, or what stands for it */
    DLP_SCALE_SHAPE, /* the shape or size of a distribution of positive numbers */
    DLP_SCALE_OTHER  /* a precision, or the odds of further zeros */
} dlp_scale_kind;

typedef struct dlp_family {
    const char *name;        /* "bernoulli", ... */
    const char *const *link; /* names of its links, then NULL; the first is the default */
    dlp_support support;
    const char *scale; /* what exp(tau) is ("sd", "shape", "size"); NULL: it has none */
    int censored; /* non-zero: a response may be known to lie in an interval: Surv() */
    const char *second; /* the name of a second scale, whose logarithm is the last
                           parameter; NULL: it has none */
    int df; /* non-zero: its tails have degrees of freedom, `df` of the settings */
    dlp_scale_kind scale_kind;
} dlp_family;

/* Family i, from 0; NULL past the last. */
DLP_API const dlp_family *dlp_family_at(int i);
/* The family of that name, or of a name that R packages use for it ("nbinom2", "Gamma",
   "zip"); NULL: there is none. */
DLP_API const dlp_family *dlp_family_find(const char *name);

/* Whether the response is one of several levels, so that it has no mean but a probability
   for each level. */
static inline int dlp_family_has_levels(const dlp_family *family)
{
    return family->support == DLP_SUPPORT_LEVELS ||
           family->support == DLP_SUPPORT_ORDERED;
}

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The share of each topic as one covariate changes and the others stay as they are: the
 * mean over the documents of what the regressions of effects.h predict if every document
 * had that value. With a second factor, one curve for each of its levels, and how much
 * each differs from the first.
 */
#ifndef DELAPLACE_EFFECT_CURVE_H
#define DELAPLACE_EFFECT_CURVE_H

#include <delaplace/covariates.h>
#include <delaplace/effects.h>
#include <delaplace/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_effect_curve_settings {
    size_t size;          /* set by dlp_effect_curve_settings_default */
    const char *variable; /* a column of the table that the formula uses; required */
    const char *by;   /* another column, of categories or of few distinct numbers: a curve
                         for each value, the reference level first; default NULL:
                         one curve */
    dlp_index points; /* for a column with more distinct numbers than that: this many,
                         evenly from its smallest to its largest; default 41 */
    double interval_level; /* between 0 and 1; default 0.95 */
} dlp_effect_curve_settings;

DLP_API void dlp_effect_curve_settings_init(dlp_effect_curve_settings *settings,
                                            size_t size);
static inline dlp_effect_curve_settings dlp_effect_curve_settings_default(void)
{
    dlp_effect_curve_settings settings;
    dlp_effect_curve_settings_init(&settings, sizeof settings);
    return settings;
}

/* A share, from 0 to 1, or a difference of two. */
typedef struct dlp_share {
    double mean, sd, lower, upper;
} dlp_share;

typedef struct dlp_effect_curve {
    dlp_index K;           /* topics */
    dlp_index n;           /* values of the variable */
    double *x;             /* (n) numbers, ascending; NULL: the variable has categories */
    char **name;           /* (n) the values as text */
    dlp_index curves;      /* values of `by`; 1 without */
    char **curve;          /* (curves) as text; NULL without `by` */
    dlp_share *share;      /* (K, curves, n) */
    dlp_share *difference; /* (K, curves, n) from the first curve, for which it is 0; NULL
                              without `by` */
    /* (K) how many of its shares have an interval wholly below 0 or above 1: the regression
       is linear, and is wrong there */
    dlp_index *impossible;
    dlp_index documents; /* that the means are taken over: all, or evenly spaced ones */
} dlp_effect_curve;

/*
 * X must have the documents and columns that dlp_topics_effects was given, and be made
 * from the table. A variable that the formula does not use is refused with a list of
 * those it does. Released by dlp_effect_curve_free. O(points curves min(D, 2000) p), and
 * O(K points curves p^2).
 */
DLP_API dlp_status dlp_effects_curve(const dlp_effects *effects,
                                     const dlp_document_covariates *X,
                                     const dlp_table *table,
                                     const dlp_effect_curve_settings *settings,
                                     dlp_effect_curve *curve, dlp_error *error);
DLP_API void dlp_effect_curve_free(dlp_effect_curve *curve); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

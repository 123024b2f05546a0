/* SPDX-License-Identifier: BSD-3-Clause */
/* What a regression predicts for rows, new ones or its own, and how well. */
#ifndef DELAPLACE_PREDICTION_H
#define DELAPLACE_PREDICTION_H

#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to compute. */
typedef enum dlp_predict {
    DLP_PREDICT_MEANS,        /* eta, means and intervals; or the probabilities of the
                                 levels */
    DLP_PREDICT_OBSERVATIONS, /* the same, and intervals of new responses; not for
                                 responses with levels. Binomial: the table must give the
                                 trials */
    DLP_PREDICT_SCORES        /* log densities of the response, which the table must have;
                                 and means, or the probabilities of the levels */
} dlp_predict;

/* Which random effects a row of a mixed model has. The table needs the columns that the
   effects vary by in any case. */
typedef enum dlp_effects_of {
    DLP_EFFECTS_OF_LEVELS, /* those of its levels; for a new level, as
                              DLP_EFFECTS_OF_NEW */
    DLP_EFFECTS_OF_NEW, /* those of new levels: unknown, but with the sds between levels.
                           mean_averaged then averages over levels */
    DLP_EFFECTS_OF_NONE /* 0: those of an average level */
} dlp_effects_of;

typedef struct dlp_prediction_settings {
    size_t size; /* set by dlp_prediction_settings_default */
    dlp_predict what;
    dlp_unseen unseen_level; /* levels that the fit did not see: default, an error */
    dlp_unseen unseen_group; /* groups that the fit did not see: default, DLP_UNSEEN_AUTO.
                                DLP_UNSEEN_POPULATION is for hierarchies and mixed models;
                                a fit that pools groups accepts any */
    int missing_is_error;    /* default 0: rows with missing values are left out */
    const char *weights;     /* scores: the column of weights; default: that of the fit,
                                if the table has it */
    int unweighted;          /* scores, non-zero: each row counts once, whatever its
                                weight */
    dlp_design_problem *problem; /* filled in when the table is refused, for programs that
                                    have advice; NULL: not wanted */
    dlp_progress_call *progress; /* reports rows, and may stop the call; default NULL */
    void *context;               /* for progress */
    dlp_effects_of effects; /* of a mixed model; default: those of the rows' levels */
    double interval_level;  /* between 0 and 1; default 0.95 */
} dlp_prediction_settings;

DLP_API void dlp_prediction_settings_init(dlp_prediction_settings *settings, size_t size);
static inline dlp_prediction_settings dlp_prediction_settings_default(void)
{
    dlp_prediction_settings settings;
    dlp_prediction_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_prediction dlp_prediction;

/* Predictions for the rows of a table, which needs the columns that the fit used.
   Regression and table must outlive the prediction. settings NULL: the defaults. On
   failure *prediction is NULL: DLP_EINPUT if the table is at fault, DLP_EINVAL if the
   settings are, or if this fit has no such predictions; DLP_ENOMEM; DLP_ECANCELLED.
   O(p^2) per row. */
DLP_API dlp_status dlp_regression_predict(const dlp_regression *regression,
                                          const dlp_table *table,
                                          const dlp_prediction_settings *settings,
                                          dlp_prediction **prediction, dlp_error *error);
DLP_API void dlp_prediction_free(dlp_prediction *prediction); /* NULL is fine */

/* What `what` did not ask for, and what the family does not have, is NULL. New fields
   come last. */
typedef struct dlp_prediction_result {
    dlp_index N;              /* rows predicted, in the order of the table */
    dlp_index dropped;        /* rows left out because a value is missing */
    dlp_index unseen;         /* rows left out because of a level that the fit did not
                                 see */
    dlp_index new_groups;     /* groups that the fit did not see, predicted from the
                                 population; for a mixed model, levels of any grouping */
    dlp_index new_group_rows; /* the rows of new groups */
    const dlp_index *row;     /* (N) the table's row, from 0; NULL: all of them */
    const int32_t *group;     /* (N) for a grouped fit; -1: the population */
    const char *weights;      /* the column of weights; NULL: none */
    double total_weight;      /* the sum of the rows' weights, or their number */
    dlp_index levels;         /* of a multinomial or ordinal response; else 0 */

    /* the linear predictor; not for a multinomial response */
    const double *eta;    /* (N) its posterior mean */
    const double *eta_sd; /* (N) its posterior sd; see `independent` */
    /* for a response without `levels`; E[y] is a proportion for binomials */
    const double *mean;          /* (N) E[y] at the posterior mean */
    const double *mean_averaged; /* (N) E[y] averaged over the posterior; NULL if E[y] is
                                    eta, where both are the same */
    const double *lower,
        *upper; /* (N) the middle 95 % (settings.interval_level) of E[y] under the
                   posterior */
    const double *observed_lower, *observed_upper; /* (N) the same of a new y */
    /* for a response with `levels` */
    const double *probability;          /* (N, levels) at the posterior mean */
    const double *probability_averaged; /* (N, levels) averaged over the posterior */
    /* for any response */
    const double *log_density;          /* (N) of the response, at the posterior mean */
    const double *log_density_averaged; /* (N) the same, averaged over the posterior */

    int independent; /* for a mixed model with several terms in bars: how many rows
                        combine known levels of two terms that no row of the fit combines.
                        The covariance of their effects is not known; they are treated as
                        independent given the coefficients */
    dlp_index wide;  /* with a log link, rows with an eta_sd above 2: mean_averaged, the
                        mean of exp of a normal variable, is then decided by a tail that
                        the fit says nothing about */
} dlp_prediction_result;

DLP_API const dlp_prediction_result *
dlp_prediction_result_of(const dlp_prediction *prediction);

/* The i-th of the table's columns that the random effects of a mixed model vary by, from
   0, each once, in the order of its bars; -1 past the last. */
DLP_API dlp_index dlp_prediction_grouping(const dlp_prediction *prediction, dlp_index i);

/* The most probable level of row i; the first in a tie. For a binary response 0 or 1; -1
   if the response has no levels, or there is no row i. */
DLP_API dlp_index dlp_prediction_level(const dlp_prediction *prediction, dlp_index i);

/* Means over the rows, by their weights; NaN if the family has no such number. */
typedef struct dlp_evaluation {
    double log_likelihood;          /* per row, at the posterior mean, as in the paper */
    double log_likelihood_averaged; /* averaged over the posterior */
    double accuracy;  /* the share of rows whose most probable level is right */
    double rmse, mae; /* of the response about its predicted mean */
} dlp_evaluation;

/* For a prediction with DLP_PREDICT_SCORES. */
DLP_API dlp_status dlp_prediction_evaluate(const dlp_prediction *prediction,
                                           dlp_evaluation *evaluation, dlp_error *error);

/*
 * Are the predictions calibrated? Rows are sorted by their prediction and divided into
 * parts of equal size; in each, the mean prediction is compared with the mean of what was
 * observed, with a 95 % interval for the latter: Wilson's for proportions, else that of a
 * mean. A response with several levels has a series for each.
 */
typedef struct dlp_calibration_part {
    double fitted, observed, lower, upper;
    dlp_index rows;
} dlp_calibration_part;

typedef struct dlp_calibration_point {
    double fitted, observed;
} dlp_calibration_point;

typedef struct dlp_calibration_series {
    const char *level; /* NULL: the response has none */
    dlp_index parts, points;
    dlp_calibration_part *part;   /* (parts) */
    dlp_calibration_point *point; /* (points) the rows, where they are few and not 0 or
                                     1 */
} dlp_calibration_series;

typedef struct dlp_calibration {
    dlp_index rows;
    int shares; /* non-zero: fitted and observed are proportions */
    dlp_index n;
    dlp_calibration_series *series; /* (n) */
} dlp_calibration;

/*
 * Partial residuals of smooth s, from 0, for a prediction with DLP_PREDICT_SCORES and an
 * identity link: each row's x, and the curve there plus the row's residual, for up to
 * `room` rows, evenly through the table. Returns how many; 0 for other links, and for
 * smooths of two variables or of regions. For s(x, by = g), only rows of its level.
 */
DLP_API dlp_index dlp_prediction_partial(const dlp_prediction *prediction, dlp_index s,
                                         dlp_index room, double *x, double *partial);

/* For a prediction with DLP_PREDICT_SCORES. Released by dlp_calibration_free; the levels'
   names belong to the regression. */
DLP_API dlp_status dlp_prediction_calibrate(const dlp_prediction *prediction,
                                            dlp_calibration *calibration,
                                            dlp_error *error);
DLP_API void dlp_calibration_free(dlp_calibration *calibration); /* and zeroes it */

#ifdef __cplusplus
}
#endif

#endif

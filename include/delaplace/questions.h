/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions that people ask of a regression: what a column does to the response (effects), the
 * means of groups with everything else balanced (means), any combination of coefficients and
 * its probability (contrasts), and the value of a column that brings a response about (doses).
 *
 * Answers on the scale of the link, combinations that are linear, and doses are exact for the
 * posterior N(mu, Sigma) of the fit. The others are summaries of fixed quasi-random draws of it:
 * the linear part of what is asked is spread evenly, so that draws matter only for the rest.
 * All answers are the same for the same seed.
 */
#ifndef DELAPLACE_QUESTIONS_H
#define DELAPLACE_QUESTIONS_H

#include <delaplace/prediction.h>
#include <delaplace/regression.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_question_on {
    DLP_ON_RESPONSE, /* E[y], or the probability of each level */
    DLP_ON_LINK      /* the linear predictor */
} dlp_question_on;

/* What the columns that are not asked about have. */
typedef enum dlp_question_over {
    DLP_OVER_DEFAULT, /* rows for effects, a grid for means and doses */
    DLP_OVER_ROWS, /* the values of each row of the table; answers are means over rows */
    DLP_OVER_GRID  /* numbers their mean over the rows, factors each combination of levels
                         once; answers are means over these */
} dlp_question_over;

/* A column that has certain values, as text. */
typedef struct dlp_question_at {
    const char *column;
    dlp_index n;
    const char *const
        *value; /* (n) several: each in turn where the column is asked about,
                                 else the mean over them */
} dlp_question_at;

typedef struct dlp_question_settings {
    size_t size; /* set by dlp_question_settings_default */
    dlp_index n_by;
    const char *const
        *by; /* (n_by) columns: an answer for each combination of their values, as
                              if all rows had it. Of a factor its levels; of numbers those of
                              `at`, else their mean and one sd to either side */
    dlp_index n_at;
    const dlp_question_at *at; /* (n_at) */
    dlp_question_on on;        /* what answers are on; default: the response */
    dlp_question_over over;
    dlp_effects_of
        effects; /* of a mixed model or hierarchy; default DLP_EFFECTS_OF_NONE, a group
                               in the middle. DLP_EFFECTS_OF_NEW averages the response over groups.
                               DLP_EFFECTS_OF_LEVELS, of a hierarchy: each row its own group, and
                               groups go together as far as their mean is unsure.
                               Separate fits have
                               DLP_EFFECTS_OF_LEVELS, each row its own group */
    int pairs;   /* means: non-zero: the differences of all pairs, too */
    int exponentiate; /* non-zero: on the scale of the link, exp() of it: odds, rates, and their
                         ratios */
    dlp_index
        points; /* effects of numbers: how many, from the least to the largest; default 9 */
    dlp_index n_intervals;
    const double *interval_level; /* (n_intervals) between 0 and 1; default one, 0.95 */
    dlp_index draws;              /* default 4096 */
    unsigned long seed;           /* default 1 */
    dlp_design_problem
        *problem; /* filled in when the table is refused; NULL: not wanted */
    int log_points; /* effects of numbers: non-zero: where all are positive and the largest is
                       far from most of them, points are even in the logarithm. Default 0 */
    dlp_progress_call *progress; /* reports rows; may stop it; default NULL */
    void *context;               /* for progress */
} dlp_question_settings;

DLP_API void dlp_question_settings_init(dlp_question_settings *settings, size_t size);
static inline dlp_question_settings dlp_question_settings_default(void)
{
    dlp_question_settings settings;
    dlp_question_settings_init(&settings, sizeof settings);
    return settings;
}

/* For curves of many columns side by side: 25 points, with log_points, and the fewest draws. */
static inline dlp_question_settings dlp_question_settings_curve(void)
{
    dlp_question_settings settings = dlp_question_settings_default();
    settings.points = 25;
    settings.draws = 256;
    settings.log_points = 1;
    return settings;
}

typedef struct dlp_answer {
    const char
        *label; /* "female", "female - male", "slope", "31"; a contrast as written */
    const char *const *by;   /* (n_by) */
    const char *category;    /* the level of the response that it is about, or NULL */
    double x;                /* of a column of numbers its value; else NaN */
    double mean, sd, median; /* exponentiated, median is exp() of the mean before */
    double
        above; /* the probability that it is above 0 (exponentiated, above 1); of a contrast
                     with a comparison, that this holds; of a dose, that the response rises with
                     it */
    const double *lower, *upper; /* (n_levels) */
    int compared;                /* a contrast with a comparison */
} dlp_answer;

/* New fields come last. */
typedef struct dlp_answers {
    const char *of; /* the column that was asked about; NULL of contrasts */
    int numeric;    /* it has numbers */
    dlp_index n_by;
    const char *const *by; /* (n_by) columns */
    dlp_index n_intervals;
    const double *interval_level; /* (n_intervals) */
    dlp_question_on on;
    dlp_question_over over;
    dlp_effects_of effects;
    int exponentiated;
    dlp_index rows;     /* of the table, that were used */
    dlp_index dropped;  /* rows left out because a value is missing */
    dlp_index averaged; /* rows, or points of the grid, that each answer is a mean over */
    dlp_index n_values;
    const dlp_answer
        *value; /* (n_values) effects: the curve, or the levels; means; contrasts;
                                doses */
    dlp_index n_changes;
    const dlp_answer
        *change;     /* (n_changes) effects: slopes, or differences from the first
                                 level; means: differences of pairs */
    int logarithmic; /* the points of a column of numbers are even in its logarithm */
    int slopes;      /* the changes are slopes */
} dlp_answers;

/*
 * What `column` does to the response: with a column of numbers the average slope, of 0 and 1 the
 * difference, and the curve; with categories the mean at each level and the differences from the
 * first. The table is the one fitted, or another with its columns. Rows with missing values are
 * left out. Released by dlp_answers_free; on failure *answers is NULL. O(N p + draws min(N, 2000)
 * p) for each point.
 */
DLP_API dlp_status dlp_regression_effects(const dlp_regression *regression,
                                          const dlp_table *table, const char *column,
                                          const dlp_question_settings *settings,
                                          dlp_answers **answers, dlp_error *error);

/*
 * Estimated marginal means, as R's emmeans has them: the linear predictor, averaged over a grid
 * and then taken to the scale of the response; of responses with levels, the average of their
 * probabilities. `columns`: a column, or several, "a:b", for all combinations.
 */
DLP_API dlp_status dlp_regression_means(const dlp_regression *regression,
                                        const dlp_table *table, const char *columns,
                                        const dlp_question_settings *settings,
                                        dlp_answers **answers, dlp_error *error);

/*
 * Combinations of parameters, "b1 - 2 * b2 > 0": names as dlp_regression_parameters has them, in
 * backquotes where they could be read otherwise; + - * / ^ and brackets, exp, log, sqrt, abs,
 * logistic; with < or > between two of them, its probability. Of a hierarchy "x" is of the mean
 * of the groups, "x[g]" of group g; of a mixed model also the sds and correlations of
 * dlp_regression_draw, by their margins.
 */
DLP_API dlp_status dlp_regression_contrasts(const dlp_regression *regression, dlp_index n,
                                            const char *const *text,
                                            const dlp_question_settings *settings,
                                            dlp_answers **answers, dlp_error *error);

/*
 * The value of a column of numbers at which the linear predictor, averaged as for means, is that
 * of each response (n) on its own scale: 0.5 for the dose that half die of. Its distribution is
 * P(dose < t) = P(eta(t) beyond the response's), so that intervals are Fieller's; a bound that
 * does not exist is infinite. Not of responses with levels.
 */
DLP_API dlp_status dlp_regression_doses(const dlp_regression *regression,
                                        const dlp_table *table, const char *column,
                                        dlp_index n, const double *response,
                                        const dlp_question_settings *settings,
                                        dlp_answers **answers, dlp_error *error);

DLP_API void dlp_answers_free(dlp_answers *answers); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif

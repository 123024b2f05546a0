/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Questions about a regression: how a column affects the response (effects), the means of
 * groups with everything else balanced (means), any combination of coefficients and the
 * probability of a statement about it (contrasts), and the value of a column that gives a
 * certain response (doses).
 *
 * Answers on the scale of the link, linear combinations, and doses are exact for the
 * posterior N(mu, Sigma) of the fit. The others summarise quasi-random draws from it,
 * which are spread evenly along the linear part of the quantity, so that the choice of
 * draws matters only for the rest. All answers are the same for the same seed.
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

/* Which values the other columns have. */
typedef enum dlp_question_over {
    DLP_OVER_DEFAULT, /* rows for effects, a grid for means and doses */
    DLP_OVER_ROWS,    /* those of each row of the table; answers are means over rows */
    DLP_OVER_GRID /* numbers at their mean over the rows, factors at every combination of
                     levels once; answers are means over these */
} dlp_question_over;

/* A column that is held at certain values, given as text. */
typedef struct dlp_question_at {
    const char *column;
    dlp_index n;
    const char *const *value; /* (n) if several: each in turn if the question is about
                                 this column, else the answer is the mean over them */
} dlp_question_at;

typedef struct dlp_question_settings {
    size_t size; /* set by dlp_question_settings_default */
    dlp_index n_by;
    const char *const *by; /* (n_by) columns: an answer for each combination of their
                              values, as if all rows had it. The values are a factor's
                              levels; for numbers those of `at`, else the mean and the
                              mean plus and minus one sd */
    dlp_index n_at;
    const dlp_question_at *at; /* (n_at) */
    dlp_question_on on;        /* the scale of the answers; default: the response */
    dlp_question_over over;
    dlp_effects_of effects; /* for a mixed model or hierarchy; default
                               DLP_EFFECTS_OF_NONE, an average group. DLP_EFFECTS_OF_NEW
                               averages the response over groups. DLP_EFFECTS_OF_LEVELS,
                               for a hierarchy: each row has its own group, and groups are
                               correlated through the uncertainty of their mean. Separate
                               fits always have DLP_EFFECTS_OF_LEVELS */
    int pairs;              /* means, non-zero: also the differences of all pairs */
    int exponentiate; /* non-zero: exp() of answers on the scale of the link: odds, rates,
                         and their ratios */
    dlp_index points; /* effects of a numeric column: how many values, from the smallest
                         to the largest; default 9 */
    dlp_index n_intervals;
    const double *interval_level; /* (n_intervals) between 0 and 1; default one, 0.95 */
    dlp_index draws;              /* default 4096 */
    unsigned long seed;           /* default 1 */
    dlp_design_problem *problem;  /* filled in when the table is refused; NULL: not
                                     wanted */
    int log_points; /* effects of a numeric column, non-zero: if all values are positive
                       and the largest is far above most of them, points are evenly spaced
                       in the logarithm. Default 0 */
    dlp_progress_call *progress; /* reports rows, and may stop the call; default NULL */
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
    const char *label;       /* "female", "female - male", "slope", "31"; a contrast as
                                written */
    const char *const *by;   /* (n_by) */
    const char *category;    /* the level of the response it refers to, or NULL */
    double x;                /* the value of a numeric column; else NaN */
    double mean, sd, median; /* if exponentiated, median is exp() of the mean on the
                                link */
    double above; /* the probability that it is above 0 (if exponentiated, above 1); for a
                     contrast with a comparison, that the comparison holds; for a dose,
                     that the response rises with it */
    const double *lower, *upper; /* (n_intervals) */
    int compared;                /* non-zero: a contrast with a comparison */
} dlp_answer;

/* New fields come last. */
typedef struct dlp_answers {
    const char *of; /* the column that was asked about; NULL for contrasts */
    int numeric;    /* non-zero: it is numeric */
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
    const dlp_answer *value; /* (n_values) effects: the curve, or the levels; means;
                                contrasts; doses */
    dlp_index n_changes;
    const dlp_answer *change; /* (n_changes) effects: slopes, or differences from the
                                 first level; means: differences of pairs */
    int logarithmic; /* non-zero: the points are evenly spaced in the logarithm of the
                        column */
    int slopes;      /* non-zero: the changes are slopes */
} dlp_answers;

/*
 * How `column` affects the response: for a numeric column the average slope (for 0 and 1,
 * the difference) and the curve; for categories the mean at each level and the
 * differences from the first. The table is the one fitted, or another with the same
 * columns. Rows with missing values are left out. Released by dlp_answers_free; on
 * failure *answers is NULL. O(N p + draws min(N, 2000) p) per point.
 */
DLP_API dlp_status dlp_regression_effects(const dlp_regression *regression,
                                          const dlp_table *table, const char *column,
                                          const dlp_question_settings *settings,
                                          dlp_answers **answers, dlp_error *error);

/*
 * Estimated marginal means, as in R's emmeans: the linear predictor, averaged over a grid
 * and then transformed to the scale of the response; for responses with levels, the
 * average of their probabilities. `columns` is a column, or several, "a:b", for all
 * combinations. Released by dlp_answers_free; on failure *answers is NULL.
 */
DLP_API dlp_status dlp_regression_means(const dlp_regression *regression,
                                        const dlp_table *table, const char *columns,
                                        const dlp_question_settings *settings,
                                        dlp_answers **answers, dlp_error *error);

/*
 * Combinations of parameters, "b1 - 2 * b2 > 0": names as in dlp_regression_parameters,
 * in backquotes if they could be misread; + - * / ^ and brackets, exp, log, sqrt, abs,
 * logistic; with < or > between two expressions, the probability that it holds. In a
 * hierarchy "x" is the mean of the groups, "x[g]" that of group g; in a mixed model the
 * sds and correlations of dlp_regression_draw can be used, too, by their margins.
 * Released by dlp_answers_free; on failure *answers is NULL.
 */
DLP_API dlp_status dlp_regression_contrasts(const dlp_regression *regression, dlp_index n,
                                            const char *const *text,
                                            const dlp_question_settings *settings,
                                            dlp_answers **answers, dlp_error *error);

/*
 * The value of a numeric column at which the linear predictor, averaged as for means,
 * gives each of n values of the response, on the scale of the response: 0.5 for the dose
 * that kills half. Its distribution is P(dose < t) = P(eta(t) beyond that of the
 * response), so intervals are Fieller's; a limit that does not exist is infinite. Not for
 * responses with levels. Released by dlp_answers_free; on failure *answers is NULL.
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A regression from a formula and a table: what `delaplace glm` does, for any program.
 *
 *     dlp_regression *r = NULL;
 *     if (dlp_table_read("challenger.csv", NULL, &table, &error) == DLP_OK &&
 *         dlp_regression_fit("distress ~ temperature", table, NULL, &r, &error) == DLP_OK)
 *         dlp_regression_save(r, "fit.json", &error);
 *     dlp_regression_free(r);
 *
 * The table is not needed after the fit. The posterior is N(mu, Sigma) over n parameters,
 * for each of M groups (M = 1 without groups). The parameters are those of glm.h: the
 * coefficients, then the logarithm of a scale, or what makes the cut points.
 */
#ifndef DELAPLACE_REGRESSION_H
#define DELAPLACE_REGRESSION_H

#include <delaplace/design.h>
#include <delaplace/family.h>
#include <delaplace/fit.h>
#include <delaplace/progress.h>
#include <delaplace/random_effects.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what to fit ---- */

/* What groups of rows have to do with one another. */
typedef enum dlp_grouping {
    DLP_GROUPING_DEFAULT, /* in settings: mixed where the formula has bars, hierarchical
                             where a column of groups is named; no result's */
    DLP_HIERARCHICAL,     /* a regression each, with a shared prior that is learned */
    DLP_SEPARATE,         /* a regression each */
    DLP_POOLED,           /* one for all */
    DLP_MIXED,            /* one for all, with random effects as lme4 reads the bars */
    DLP_UNGROUPED         /* there are no groups; in settings: and there must be none */
} dlp_grouping;

/* "default", "hierarchical", "separate", "pooled", "mixed", "none"; NULL from the end on. */
DLP_API const char *dlp_grouping_name(int i);

/* What becomes of sds, correlations and scales that effects share. */
typedef enum dlp_hyper {
    DLP_HYPER_DEFAULT,   /* in settings: integrate for a mixed model; no result's */
    DLP_HYPER_INTEGRATE, /* they are integrated over */
    DLP_HYPER_FACTOR, /* the paper's: groups by themselves, given a shared prior that is
                         estimated; a hierarchy */
    DLP_HYPER_MAP     /* one point, the mode: their uncertainty is missing, also from the
                         intervals of everything else */
} dlp_hyper;
/* "default", "integrate", "factor", "map"; NULL from the end on. */
DLP_API const char *dlp_hyper_name(int i);

/* The methods: "auto", those of dlp_method_name, "jaakkola-jordan"; NULL from the end of
   the list on. */
DLP_API const char *dlp_regression_method(int i);

/* Begin with dlp_regression_settings_default(); a struct without its size is refused.
   Whatever is 0 or NULL takes its default. */
typedef struct dlp_regression_settings {
    size_t size; /* set by dlp_regression_settings_default */

    const char *family; /* of family.h. Default: bernoulli for two levels or 0 and 1,
                           binomial for cbind(), weibull for Surv(), tobit for tobit(),
                           multinomial for more levels, else gaussian */
    const char *link;   /* one of the family's; default: its first */
    dlp_index n_levels; /* the length of `level`; default 0: it is not used */
    const char *const *level; /* (n_levels) all levels of the response, each once: for
                                 ordinal from low to high, else the first is the
                                 reference. Default: sorted as numbers, or by the
                                 alphabet */
    dlp_index n_references;   /* the length of `reference`; default 0: it is not used */
    const dlp_reference *reference; /* (n_references) of factors. Default of each factor:
                                       its first level as numbers, or by the alphabet */
    const char *weights; /* a column: a row of weight 3 counts as three rows. Default
                             NULL: each row counts once */
    int missing_is_error; /* default 0: rows with missing values are left out and counted */

    const char *group; /* a column: every coefficient varies by it, as with (... |
                              group) in the formula */
    dlp_grouping
        grouping; /* default: hierarchical where every coefficient varies by `group`,
                              mixed where the formula has (... | g) beside fixed effects */

    const char *method; /* default "auto": "delta", or expectation propagation where there
                           are few rows for the columns */
    double tol;         /* default: as in dlp_settings, or dlp_hierarchy_settings */
    int max_iter;       /* default: as in dlp_settings, or dlp_hierarchy_settings */
    int threads;        /* the result does not depend on it. Default: as many as help */

    /* The prior, but of a hierarchy. Default: weak, in the units of each column (see
       docs/regression.md). */
    double prior_sd;     /* N(0, prior_sd^2) on each coefficient */
    double prior_df;     /* Student-t with this many degrees of freedom instead */
    double intercept_sd; /* another sd for the intercept alone; of an ordinal regression,
                               for the first cut point at the means of the columns */
    const dlp_table *prior; /* a row for some of the terms or columns: "term", and "mean",
                               "sd", "df" as needed */
    const dlp_table *prior_covariance; /* of all coefficients, its columns named as they
                                          are; their means are 0, or those of `prior` */

    /* Of a hierarchy: Sigma_0^-1 ~ Wishart(nu, phi0 I), mu_0 ~ N(0, phi1 I). */
    int paper_hyperprior; /* non-zero: the paper's, in the units of the columns;
                             default 0: a weak one, about columns in their sds */
    double nu;         /* default: 2 more than the parameters of a group; the paper's: 100
                          more */
    double phi0;       /* default: larger the fewer parameters there are (see
                          docs/regression.md); the paper's: 0.01 */
    double phi1;       /* default: 100; the paper's: 0.01 */
    int paper_sigma0;  /* non-zero: Sigma_0's update as published (erratum E3) */
    const char *scale; /* the groups' sds, shapes or sizes: "shared", one for all, as in
                           lme4, or "by-group"; default: shared, where there is a scale */

    dlp_design_problem *problem; /* filled in when the table is refused, for programs that
                                    have advice; NULL: not wanted */
    dlp_progress_call *progress; /* reports each iteration; may stop it; default NULL */
    void *context;               /* for progress */

    /* Priors in words, each about something else: "sd(g) ~ exponential(1)" of the sds
       between levels of g, "sd(g, x) ~ half_normal(2)" of one of them, "cor(g) ~ lkj(2)" of
       their correlations, "b(x) ~ normal(0, 2)" of the coefficients of a term or column.
       Without a name in brackets, of all; of two, the one that names more counts. For sds
       also half_t(df, scale), half_cauchy(scale), uniform(from, to), pc(u, alpha) and
       fixed(value); for coefficients also student_t(df, mean, scale). */
    dlp_index n_priors;        /* the length of `priors`; default 0 */
    const char *const *priors; /* (n_priors) */
    dlp_hyper hyper;           /* default: integrate for a mixed model */
    const dlp_adjacency
        *adjacency; /* the neighbours that besag() in the formula is about;
                                       default NULL: none */
    double
        df; /* of a student response: its degrees of freedom. Default: of one regression
                  they are integrated over; of groups and random effects 4 */
    const char
        *trials; /* a column: the response is a share, from 0 to 1, of so many trials.
                           Default NULL: it is not */
    const char
        *precision; /* a column: the variance of a row around its mean is sd^2 over this,
                              as R's lm has its weights; of families gaussian, student and
                              tobit, without groups. Default NULL: 1 each */
    struct dlp_processes *
        processes; /* which share the fit: all call with the same table and settings, and all have
                       the result. Where one fails with DLP_ENOMEM, DLP_EIO or DLP_ECANCELLED, or
                       is cancelled, the others may wait for it: dlp_processes_abort. Default NULL:
                       this one alone */
} dlp_regression_settings;

DLP_API void dlp_regression_settings_init(dlp_regression_settings *settings, size_t size);
static inline dlp_regression_settings dlp_regression_settings_default(void)
{
    dlp_regression_settings settings;
    dlp_regression_settings_init(&settings, sizeof settings);
    return settings;
}

typedef struct dlp_regression dlp_regression;

/*
 * Fits. settings NULL: the defaults. On failure *regression is NULL: DLP_EINPUT where the
 * data are at fault (the error names the table), DLP_EFORMULA where the formula is,
 * DLP_EINVAL where the settings are, DLP_ENOMEM. A fit that did not converge, or was cancelled, is a result: see its
 * outcome. DLP_ECANCELLED: it was cancelled before there was one. O(N p^2) an evaluation.
 */
DLP_API dlp_status dlp_regression_fit(const char *formula, const dlp_table *table,
                                      const dlp_regression_settings *settings,
                                      dlp_regression **regression, dlp_error *error);
/* The same with a formula that is already parsed, for programs that inspect it first or fit it to
   several tables. */
DLP_API dlp_status dlp_regression_fit_formula(const dlp_formula *formula,
                                              const dlp_table *table,
                                              const dlp_regression_settings *settings,
                                              dlp_regression **regression,
                                              dlp_error *error);
DLP_API void dlp_regression_free(dlp_regression *regression); /* NULL is fine */

/* ---- what was fitted ---- */

/* The prior of a coefficient: normal, or with df > 0 Student-t. */
typedef struct dlp_coefficient_prior {
    double mean;
    double sd; /* of a Student-t, its scale */
    double df; /* 0: normal */
    int weak;  /* non-zero: not stated, but taken from the spread of its column */
} dlp_coefficient_prior;

/* New fields come last. Everything in it belongs to the regression and lives as long. */
/* Coefficient `to` of the columns as they are written has `value` times coefficient `from`. */
typedef struct dlp_written {
    dlp_index from, to; /* columns */
    double value;
} dlp_written;

typedef struct dlp_regression_result {
    const char *formula;    /* as it was given */
    const dlp_terms *terms; /* how data become columns */
    const dlp_family *family;
    const char *link;      /* one of the family's */
    const char *method;    /* "delta" for "auto"; see `propagated` */
    dlp_grouping grouping; /* DLP_UNGROUPED: there are no groups */
    double tol;
    int max_iter;

    /* the prior of coefficients, but of a hierarchy */
    double prior_sd; /* of a coefficient; where the prior is weak, in the spreads of
                        columns */
    double prior_df; /* above 0: Student-t with so many degrees of freedom; 0: normal */
    const dlp_coefficient_prior *prior; /* (p) of each; NULL: N(0, prior_sd^2) */
    const double *prior_covariance;     /* (p, p) of all; NULL: they are independent */
    double first_cut_sd; /* of an ordinal regression's first cut point, where columns are
                            0 */

    /* the prior of a hierarchy */
    int paper_hyperprior;  /* non-zero: in the units of the columns; 0: in their sds */
    double nu, phi0, phi1; /* Sigma_0^-1 ~ Wishart(nu, phi0 I), mu_0 ~ N(0, phi1 I) */
    int paper_sigma0;      /* non-zero: Sigma_0's update as published (erratum E3) */
    int shared_scale;      /* non-zero: the groups have one sd, shape or size */

    /* data */
    dlp_index rows;            /* of the table, that were used */
    dlp_index dropped;         /* rows left out because a value is missing */
    const char *weights;       /* the column; NULL: rows count once */
    double total_weight;       /* the sum of weights, or the number of rows */
    dlp_index p;               /* columns */
    const char *const *column; /* (p) the names of the columns */
    dlp_index n;               /* parameters of each group */
    dlp_index M;               /* groups; 1 without */

    /* how it ended */
    dlp_outcome outcome;
    int iterations;   /* of separate fits, the most that one took */
    long evaluations; /* of f */
    int fallbacks;    /* how often propagation fell back to delta, or that to Laplace */
    int unsettled;    /* groups whose own fit did not converge */
    int scale_integrated; /* non-zero: the scale was integrated out, in a group at least */
    int propagated;       /* non-zero: by expectation propagation, in a group at least */
    double objective;     /* the log evidence, approximately; NaN when it is not known */
    int n_trace;          /* the length of `trace` */
    const dlp_trace_row *trace; /* (n_trace) iteration by iteration */

    /* the posterior */
    const double *mu;    /* (M, n) means */
    const double *Sigma; /* (M, n, n) covariances */
    const double *mu0;   /* (n) of a hierarchy: the mean of the groups; else NULL */
    const double *mu0_covariance; /* (n, n) of a hierarchy: of mu0; else NULL */
    const double *Sigma0;         /* (n, n) of a hierarchy: between groups; else NULL */

    int estimated; /* non-zero: the posterior above is the work of an iteration, in every
                      block. 0: for at least one it is only a starting value, not an estimate;
                      dlp_regression_predict refuses such a fit */
    double
        cut_sd; /* of the prior of an ordinal regression's first cut point, at the means of
                      the columns; 0: not known, or of a hierarchy */
    int few_rows; /* there are few rows for the columns, in a group at least: fewer than ten a
                      column, or five where the scale is no noise about the mean (shape, size) */

    /* of DLP_MIXED; the parameters above are the population's */
    dlp_index n_random;
    const dlp_random_effects *random; /* (n_random) */
    const dlp_margin *margin;         /* (n) of the parameters, the scale by itself */
    int points;                       /* at how many values of the scales it was fitted */
    dlp_index n_pairs;
    const dlp_effect_pairs *pairs; /* (n_pairs) of every two terms; 0 in files that were
                                      written before there were any */
    dlp_hyper hyper; /* of a mixed model, integrate or map, of a hierarchy factor; else
                        default */
    dlp_variance_explained variance; /* of DLP_MIXED */
    dlp_index n_smooths;
    const dlp_smooth_effect *smooth; /* (n_smooths) */

    /* the rest of the prior, but of a hierarchy */
    double scale_mean;    /* of the logarithm of the scale; its sd is 5 */
    int symmetric_levels; /* non-zero: coefficients of two levels of a multinomial response
                             are correlated by 1/2 */
    int prior_complete;   /* 0: of a file that was written before these two were in it */

    const struct dlp_verification
        *verification; /* of verification.h; NULL: not verified */
    double df; /* of a student response: its degrees of freedom, which are held; else 4 */
    int df_chosen; /* non-zero: they were not stated; mu and Sigma are integrated over them,
                      and df is exp of the mean of their logarithm */
    const char *precision; /* the column; NULL: all rows are equally precise */
    /* Where terms->centre is not empty mu, Sigma and the prior are of columns about these
       centres. The coefficients of the columns as they are written, which
       dlp_regression_parameters has, are mu of the same number, and what these add. */
    dlp_index n_written;
    const dlp_written *written; /* (n_written) */
    const dlp_index
        *reference;    /* (terms->n_factors) the level that coefficients of a factor are
                                   compared with; -1: it has a coefficient for every level, or
                                   none, or the file is too old to have references */
    int method_stated; /* non-zero: it was not "auto", and no other method may replace it */
} dlp_regression_result;

DLP_API const dlp_regression_result *
dlp_regression_result_of(const dlp_regression *regression);

/* Whether each group has parameters of its own. */
static inline int dlp_regression_is_grouped(const dlp_regression_result *result)
{
    return result->grouping == DLP_HIERARCHICAL || result->grouping == DLP_SEPARATE;
}
/* Whether it found no maximum, and more iterations would not help. */
static inline int dlp_regression_is_lost(const dlp_regression_result *result)
{
    return result->outcome == DLP_NOT_CONCAVE || result->outcome == DLP_STALLED ||
           result->outcome == DLP_DIVERGED;
}

/* The columns without those of the wiggly parts of smooths, which come after them. */
static inline dlp_index dlp_regression_plain_columns(const dlp_regression_result *result)
{
    return result->n_smooths > 0 ? result->smooth[0].first : result->p;
}

/* The name of group m, NULL without groups; and the group of that name, or -1. */
DLP_API const char *dlp_regression_group(const dlp_regression *regression, dlp_index m);
DLP_API dlp_index dlp_regression_find_group(const dlp_regression *regression,
                                            const char *name);
/* The prior of column j's coefficient; with a covariance, its marginal. Not of a
   hierarchy. */
DLP_API dlp_coefficient_prior dlp_regression_prior_of(const dlp_regression *regression,
                                                      dlp_index j);
/* Whether no coefficient's prior was stated. */
DLP_API int dlp_regression_is_weak(const dlp_regression *regression);

/* The sd of parameter i of group m, 0 without groups, as Sigma has it: that of a scale is of its
   logarithm. */
DLP_API double dlp_regression_sd(const dlp_regression_result *result, dlp_index m,
                                 dlp_index i);
/* Whether parameter i is an intercept: of a multinomial regression, that of any level. */
DLP_API int dlp_regression_is_intercept(const dlp_regression_result *result, dlp_index i);
/* Whether the delta method could fit it. A scale is estimated from what the columns leave
   unexplained, which with no more rows than columns is nothing. */
DLP_API int dlp_regression_allows_delta(const dlp_regression_result *result);

/* Where a weak prior is wider than elsewhere: on what takes the level of the linear
   predictor. */
typedef enum dlp_wider_prior {
    DLP_WIDER_NOWHERE, /* the intercept's prior was stated, or nothing takes the level */
    DLP_WIDER_INTERCEPT, /* on the intercept */
    DLP_WIDER_LEVELS /* on the levels of a factor that take the place of an intercept */
} dlp_wider_prior;
DLP_API dlp_wider_prior dlp_regression_wider_prior(const dlp_regression_result *result);

/* ---- parameters, for people ---- */

typedef enum dlp_parameter_kind {
    DLP_COEFFICIENT,
    DLP_SCALE,
    DLP_CUT_POINT
} dlp_parameter_kind;

/* A parameter as people read it: the scale and cut points, not their logarithms. */
typedef struct dlp_parameter {
    dlp_parameter_kind kind;
    const char *term;  /* the column; the scale's name; the level below a cut point */
    const char *level; /* multinomial: whose coefficient; the level above a cut point */
    int namesake;      /* a scale's: a column has its name, too */
    double mean, sd;
    double lower, upper; /* of the middle 95 % */
    int shared; /* a scale that all groups of a hierarchy have in common: it has no spread, and
                   mean, sd, lower and upper describe its uncertainty */
    int penalised; /* a coefficient of the wiggly part of a smooth: alone it says nothing */
} dlp_parameter;

/* Whose parameters: those of group m, from 0 (0 without groups), or of all groups. */
enum {
    DLP_MEAN_OF_GROUPS = -1,  /* of a hierarchy: their mean, and its uncertainty */
    DLP_SPREAD_OF_GROUPS = -2 /* where groups lie: N(mu0, Sigma0); of separate fits, by
                                 the moments of their means */
};

/* All n of them, into parameter (n). DLP_EINVAL where there is no such group. */
DLP_API dlp_status dlp_regression_parameters(const dlp_regression *regression,
                                             dlp_index whose, dlp_parameter *parameter,
                                             dlp_error *error);
/* The ends of the middle `interval_level`, between 0 and 1, of each of the n parameters, into
   lower (n) and upper (n): exact for normal ones and their scales; cut points and the parameters of mixed models
   are taken for normal to each side of the median, by the ends of their 95 % interval. */
DLP_API dlp_status dlp_regression_intervals(const dlp_regression *regression,
                                            dlp_index whose, double interval_level,
                                            double *lower, double *upper,
                                            dlp_error *error);
/* The level of factor f, of terms->factor, that its coefficients are compared with; NULL: it has
   coefficients for all levels, or none. */
DLP_API const char *dlp_regression_reference(const dlp_regression_result *result,
                                             dlp_index f);
/* Its name as people see it: "x", "b: x", "low|high", "sd", or beside a column of that name
   "sd (scale)", for room bytes at out. */
DLP_API void dlp_parameter_name(const dlp_parameter *parameter, char *out, size_t room);

/* A mean, or an end of an interval, as a ratio: exp() of a coefficient's, which is a ratio of odds
   with a logit link and of means with log; that of a scale or cut point stays as it is. */
DLP_API double dlp_parameter_ratio(const dlp_parameter *parameter, double value);

/* ---- random effects, for people ---- */

/* How the effects were found, given the scales; the scales were integrated over. */
typedef enum dlp_effects_method {
    DLP_EFFECTS_EXACT,      /* a Gaussian response: no approximation */
    DLP_EFFECTS_QUADRATURE, /* those of the term with the most levels by quadrature, others
                               by Laplace's method */
    DLP_EFFECTS_LAPLACE
} dlp_effects_method;
DLP_API dlp_effects_method
dlp_regression_effects_method(const dlp_regression_result *result);

/* The effects of a level of term t, into effect (random[t].q). */
DLP_API void dlp_regression_level(const dlp_regression *regression, dlp_index t,
                                  dlp_index level, dlp_level_effect *effect);

/*
 * The levels of all groupings of a mixed model are counted through, those of
 * terms->grouping[0] first. dlp_regression_level_at finds the grouping and the level that
 * number m is, or returns 0 where there is none. dlp_regression_find_level is the reverse:
 * of the level called name, of that grouping or, with NULL, of any; -1: there is none, -2:
 * several groupings have one.
 */
DLP_API int dlp_regression_level_at(const dlp_regression *regression, dlp_index m,
                                    dlp_index *grouping, dlp_index *level);
DLP_API dlp_index dlp_regression_find_level(const dlp_regression *regression,
                                            const char *grouping, const char *name);

/* Smooth s on its own, where the fit saw its variable: n values x (n), evenly from the
   smallest to the largest, and the curve there, f (n), on the scale of the linear predictor.
   DLP_EINVAL where there is none, or it is of two variables. Of besag() n is the number of
   regions, and x their numbers in terms->factor. */
DLP_API dlp_status dlp_regression_curve(const dlp_regression *regression, dlp_index s,
                                        dlp_index n, double *x, dlp_margin *f,
                                        dlp_error *error);

/* ---- files ---- */

/* Writes FIT.json, as docs/file-formats.md describes it: whole or not at all, numbers
   exact to the last bit. */
DLP_API dlp_status dlp_regression_save(const dlp_regression *regression, const char *path,
                                       dlp_error *error);
/* From a file, or standard input for "-"; and from bytes in memory, name standing for the
   file in messages. Everything in it is checked before it is used. Released by
   dlp_regression_free; on failure *regression is NULL. */
DLP_API dlp_status dlp_regression_load(const char *path, dlp_regression **regression,
                                       dlp_error *error);
DLP_API dlp_status dlp_regression_parse(const char *name, const char *text, size_t size,
                                        dlp_regression **regression, dlp_error *error);

/* Which part of it dlp_regression_json writes. */
typedef enum dlp_regression_part {
    DLP_PART_FILE,    /* what dlp_regression_save writes */
    DLP_PART_SUMMARY, /* how it was fitted and how it ended */
    DLP_PART_GROUPS,  /* and the parameters of all groups, or of the one regression; of a
                           mixed model the effects of all levels, too */
    DLP_PART_GROUP,   /* and those of group m; of a mixed model the effects of level m, as
                           dlp_regression_level_at counts */
    DLP_PART_POPULATION /* and those of groups as such; without groups, of the one */
} dlp_regression_part;
/* A part as JSON: *text, which free() releases, is *size bytes long and ends with a 0 behind
   them. m is read for DLP_PART_GROUP alone: DLP_EINVAL where there is no such group. No
   pointer but error may be NULL. On failure, DLP_ENOMEM too, *text is NULL and *size 0. */
DLP_API dlp_status dlp_regression_json(const dlp_regression *regression,
                                       dlp_regression_part part, dlp_index m, char **text,
                                       size_t *size, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif

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
 * coefficients, then the logarithm of a scale, or the parameters of the cut points.
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

/* How groups of rows are related. */
typedef enum dlp_grouping {
    DLP_GROUPING_DEFAULT, /* in settings only: mixed if the formula has bars, or
                             hierarchical if `group` or a setting of the hierarchy's prior
                             is given */
    DLP_HIERARCHICAL,     /* one regression per group, with a shared prior that is
                             estimated */
    DLP_SEPARATE,         /* one regression per group, independently */
    DLP_POOLED,           /* one regression for all */
    DLP_MIXED,            /* one regression for all, with random effects, as lme4 reads
                             the bars */
    DLP_UNGROUPED         /* there are no groups; in settings: refuse a formula with
                             groups */
} dlp_grouping;

/* "default", "hierarchical", "separate", "pooled", "mixed", "none"; NULL past the
   last. */
DLP_API const char *dlp_grouping_name(int i);

/* How the sds, correlations and scales that effects share are treated. */
typedef enum dlp_hyper {
    DLP_HYPER_DEFAULT,   /* in settings only: integrate for a mixed model */
    DLP_HYPER_INTEGRATE, /* they are integrated over */
    DLP_HYPER_FACTOR,    /* as in the paper: a factor for each group, given a shared prior
                            that is estimated; a hierarchy */
    DLP_HYPER_MAP /* fixed at their mode: their uncertainty is missing, also from all
                     other intervals */
} dlp_hyper;
/* "default", "integrate", "factor", "map"; NULL past the last. */
DLP_API const char *dlp_hyper_name(int i);

typedef enum dlp_method_kind {
    DLP_METHOD_AUTO, /* in settings only */
    DLP_METHOD_LAPLACE,
    DLP_METHOD_DELTA,
    DLP_METHOD_PREVIOUS_MEAN,
    DLP_METHOD_JAAKKOLA_JORDAN
} dlp_method_kind;
/* Their names: "auto", those of dlp_method_name, "jaakkola-jordan"; NULL past the
   last. */
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
                                 reference. Default: sorted as numbers, or
                                 alphabetically */
    dlp_index n_references;   /* the length of `reference`; default 0: it is not used */
    const dlp_reference *reference; /* (n_references) reference levels of factors. Default
                                       for each factor: its first level, sorted as numbers
                                       or alphabetically */
    const char *weights;  /* a column: a row of weight 3 counts as three rows. Default
                             NULL: each row counts once */
    int missing_is_error; /* default 0: rows with missing values are left out and
                             counted */

    const char *group; /* a column: every coefficient varies by it, as with (... | group)
                          in the formula */
    dlp_grouping grouping; /* default: mixed if the formula has bars, or hierarchical if
                              `group` or a setting of the hierarchy's prior is given */

    const char *method; /* default "auto": "delta", or expectation propagation if there
                           are few rows for the columns */
    double tol;         /* default: as in dlp_settings, or dlp_hierarchy_settings */
    int max_iter;       /* default: as in dlp_settings, or dlp_hierarchy_settings */
    int threads;        /* the result does not depend on it. Default: as many as help */

    /* The prior, except for a hierarchy. Default: weak, in the units of each column (see
       docs/regression.md). */
    double prior_sd;        /* N(0, prior_sd^2) on each coefficient */
    double prior_df;        /* Student-t with this many degrees of freedom instead */
    double intercept_sd;    /* a different sd for the intercept; in an ordinal regression,
                               for the first cut point at the means of the columns */
    const dlp_table *prior; /* a row for each term or column with a prior of its own:
                               "term", and "mean", "sd", "df" as needed */
    const dlp_table *prior_covariance; /* of all coefficients, with columns named after
                                          them; their means are 0, or those of `prior` */

    /* The prior of a hierarchy: Sigma_0^-1 ~ Wishart(nu, phi0 I), mu_0 ~ N(0, phi1 I). */
    int paper_hyperprior; /* non-zero: the paper's, in the units of the columns; default
                             0: a weak one, for standardised columns */
    double nu;            /* default: 2 more than the number of parameters of a group; the
                             paper's: 100 more */
    double phi0;          /* default: the larger, the fewer parameters there are (see
                             docs/regression.md); the paper's: 0.01 */
    double phi1;          /* default: 100; the paper's: 0.01 */
    int paper_sigma0;     /* non-zero: Sigma_0's update as published (erratum E3) */
    const char *scale; /* the groups' sds, shapes or sizes: "shared", one for all, as in
                          lme4, or "by-group"; default: shared, if there is a scale */

    dlp_design_problem *problem; /* filled in when the table is refused, for programs that
                                    have advice; NULL: not wanted */
    dlp_progress_call *progress; /* reports each iteration, and may stop the fit; default
                                    NULL */
    void *context;               /* for progress */

    /* Priors as text, each for something else: "sd(g) ~ exponential(1)" for the sds
       between levels of g, "sd(g, x) ~ half_normal(2)" for one of them, "cor(g) ~ lkj(2)"
       for their correlations, "b(x) ~ normal(0, 2)" for the coefficients of a term or
       column. Without a name in brackets, for all; the more specific one takes
       precedence. For sds also half_t(df, scale), half_cauchy(scale), uniform(from, to),
       pc(u, alpha), lognormal(mean, sd) and fixed(value); for coefficients also
       student_t(df, mean, scale). */
    dlp_index n_priors;             /* the length of `priors`; default 0 */
    const char *const *priors;      /* (n_priors) */
    dlp_hyper hyper;                /* default: integrate for a mixed model */
    const dlp_adjacency *adjacency; /* the neighbours for besag() and bym2() in the
                                       formula; default NULL: none */
    double df; /* for a student response: its degrees of freedom. Default: integrated over
                  in a single regression; 4 with groups or random effects */
    const char *trials;    /* a column: the response is a share, from 0 to 1, of this many
                              trials. Default NULL: it is not */
    const char *precision; /* a column: the variance of a row around its mean is sd^2
                              divided by this, like the weights of R's lm; for the
                              families gaussian, student and tobit, without groups.
                              Default NULL: 1 each */
    struct dlp_processes *processes; /* that share the fit: all call with the same table
                                        and settings, and all get the result. If one fails
                                        with DLP_ENOMEM, DLP_EIO or DLP_ECANCELLED, or is
                                        cancelled, the others may wait for it: call
                                        dlp_processes_abort. Default NULL: this process
                                        alone */
    int ungraded; /* non-zero: the fit is not graded. Default 0: a regression without groups
                     that takes a few hundredths of a second to check is verified
                     (verification.h) by 4000 draws, and its `verification` is
                     `automatic` */
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
 * Fits. settings NULL: the defaults. Released by dlp_regression_free. On failure
 * *regression is NULL: DLP_EINPUT if the data are at fault (the error names the table),
 * DLP_EFORMULA if the formula is, DLP_EINVAL if the settings are, DLP_ENOMEM. A fit that
 * did not converge, or was cancelled, is a result: see its outcome. DLP_ECANCELLED: it
 * was cancelled before there was one. O(N p^2) per evaluation.
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

/* Whether dlp_regression_fit_formula can work on a table whose rows are divided among
   processes (dlp_table_options.divide): a regression without groups, one for each group
   or a hierarchy, or one with a single random term, of a family with one predictor and at
   most one scale; without functions in its formula that need all rows, such as splines. If
   the rows turn out to be needed after all, it gathers them. */
DLP_API int dlp_regression_may_divide(const dlp_formula *formula,
                                      const dlp_regression_settings *settings);
DLP_API void dlp_regression_free(dlp_regression *regression); /* NULL is fine */

/* ---- what was fitted ---- */

/* The prior of a coefficient: normal, or with df > 0 Student-t. */
typedef struct dlp_coefficient_prior {
    double mean;
    double sd; /* for a Student-t, its scale */
    double df; /* 0: normal */
    int weak;  /* non-zero: not stated, but derived from the spread of its column */
} dlp_coefficient_prior;

/* Coefficient `to` of the columns as the formula writes them gets `value` times
   coefficient `from` added. */
typedef struct dlp_written {
    dlp_index from, to; /* columns */
    double value;
} dlp_written;

/* New fields come last. Everything in it belongs to the regression and lives as long. */
typedef struct dlp_regression_result {
    const char *formula;    /* as it was given */
    const dlp_terms *terms; /* how data become columns */
    const dlp_family *family;
    const char *link;      /* one of the family's */
    const char *method;    /* "delta" for "auto"; see `propagated` */
    dlp_grouping grouping; /* DLP_UNGROUPED: there are no groups */
    double tol;
    int max_iter;

    /* the prior of coefficients, except for a hierarchy */
    double prior_sd; /* of a coefficient; if the prior is weak, in units of the columns'
                        spreads */
    double prior_df; /* above 0: Student-t with this many degrees of freedom; 0: normal */
    const dlp_coefficient_prior *prior; /* (p) of each; NULL: N(0, prior_sd^2) */
    const double *prior_covariance;     /* (p, p) of all; NULL: they are independent */
    double first_cut_sd; /* prior sd of an ordinal regression's first cut point, where all
                            columns are 0 */

    /* the prior of a hierarchy */
    int paper_hyperprior;  /* non-zero: in the units of the columns; 0: for standardised
                              columns */
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
    int iterations;   /* of separate fits, the largest number that one took */
    long evaluations; /* of f */
    int fallbacks;    /* how often propagation fell back to delta, or delta to Laplace */
    int unsettled;    /* groups whose own fit did not converge */
    int scale_integrated; /* non-zero: the scale was integrated out, in at least one
                             group */
    int propagated;       /* non-zero: by expectation propagation, in at least one
                             group */
    double objective;     /* approximately the log evidence; NaN if it is not known */
    int n_trace;          /* the length of `trace` */
    const dlp_trace_row *trace; /* (n_trace) iteration by iteration */

    /* the posterior */
    const double *mu;             /* (M, n) means */
    const double *Sigma;          /* (M, n, n) covariances */
    const double *mu0;            /* (n) hierarchy: the mean of the groups; else NULL */
    const double *mu0_covariance; /* (n, n) hierarchy: covariance of mu0; else NULL */
    const double *Sigma0;         /* (n, n) hierarchy: covariance between groups; else
                                     NULL */

    int estimated; /* non-zero: the posterior above comes from an iteration, for every
                      group. 0: for at least one it is only a starting value, not an
                      estimate; dlp_regression_predict refuses such a fit */
    double cut_sd; /* prior sd of an ordinal regression's first cut point at the means of
                      the columns; 0: not known, or a hierarchy */
    int few_rows;  /* non-zero: there are few rows for the columns, in at least one group:
                      fewer than ten per column, or five if the scale is a shape or size
                      rather than the sd of noise around the mean */

    /* for DLP_MIXED; the parameters above are the population's */
    dlp_index n_random;
    const dlp_random_effects *random; /* (n_random) */
    const dlp_margin *margin;         /* (n) of the parameters; of the scale itself, not
                                         its logarithm */
    int points;                       /* at how many values of the sds, correlations and
                                         scales it was fitted */
    dlp_index n_pairs;
    const dlp_effect_pairs *pairs; /* (n_pairs) for every two terms; 0 for fits from old
                                      files without them */
    dlp_hyper hyper; /* integrate or map for a mixed model, factor for a hierarchy; else
                        default */
    dlp_variance_explained variance; /* of DLP_MIXED */
    dlp_index n_smooths;
    const dlp_smooth_effect *smooth; /* (n_smooths) */

    /* the rest of the prior, except for a hierarchy */
    double scale_mean;    /* prior mean of the logarithm of the scale; its sd is 5 */
    int symmetric_levels; /* non-zero: coefficients of two levels of a multinomial
                             response have prior correlation 1/2 */
    int prior_complete;   /* 0: the fit comes from an old file that lacks these two */

    const struct dlp_verification *verification; /* see verification.h; NULL: not
                                                    verified */
    double df;     /* degrees of freedom of a student response; else 4 */
    int df_chosen; /* non-zero: df was not stated; mu and Sigma are integrated over it,
                      and df is exp of the posterior mean of its logarithm */
    const char *precision; /* the column; NULL: all rows are equally precise */
    /* If terms->n_centres is not 0, mu, Sigma and the prior refer to columns about these
       centres. The coefficients of the columns as the formula writes them, which
       dlp_regression_parameters gives, are mu plus what these add. */
    dlp_index n_written;
    const dlp_written *written; /* (n_written) */
    const dlp_index *reference; /* (terms->n_factors) the reference level of a factor; -1:
                                   it has a coefficient for every level, or none, or the
                                   file is too old to say */
    int method_stated; /* non-zero: the method was not "auto", and no other may replace
                          it */
    dlp_link_kind link_kind;     /* `link` */
    dlp_method_kind method_kind; /* `method` */
} dlp_regression_result;

DLP_API const dlp_regression_result *
dlp_regression_result_of(const dlp_regression *regression);

/* Whether each group has parameters of its own. */
static inline int dlp_regression_is_grouped(const dlp_regression_result *result)
{
    return result->grouping == DLP_HIERARCHICAL || result->grouping == DLP_SEPARATE;
}
/* Whether the fit found no maximum and more iterations would not help. */
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

/* The name of group m, NULL without groups; and the number of the group with that name,
   or -1. */
DLP_API const char *dlp_regression_group(const dlp_regression *regression, dlp_index m);
DLP_API dlp_index dlp_regression_find_group(const dlp_regression *regression,
                                            const char *name);
/* Whether no coefficient's prior was stated. */
DLP_API int dlp_regression_is_weak(const dlp_regression *regression);

/* The sd of parameter i of group m (0 without groups), from Sigma: for a scale, that of
   its logarithm. */
DLP_API double dlp_regression_sd(const dlp_regression_result *result, dlp_index m,
                                 dlp_index i);
/* Whether parameter i is an intercept; in a multinomial regression, that of any level. */
DLP_API int dlp_regression_is_intercept(const dlp_regression_result *result, dlp_index i);
/* Whether the delta method could fit it. A scale is estimated from what the columns leave
   unexplained, which is nothing if there are no more rows than columns. */
DLP_API int dlp_regression_allows_delta(const dlp_regression_result *result);

/* Where a weak prior is wider than elsewhere: on the intercept, or what takes its place. */
typedef enum dlp_wider_prior {
    DLP_WIDER_NOWHERE,   /* the intercept's prior was stated, or there is none */
    DLP_WIDER_INTERCEPT, /* on the intercept */
    DLP_WIDER_LEVELS /* on the levels of a factor that take the place of an intercept */
} dlp_wider_prior;
DLP_API dlp_wider_prior dlp_regression_wider_prior(const dlp_regression_result *result);

/* A weak prior of a slope expects one sd of its column to move the linear predictor by
   N(0, DLP_WEAK_EFFECT^2), that of an sd between levels or of a smooth is
   half_t(3, DLP_WEAK_EFFECT), in these units of the predictor; with many columns, each
   moves it less. */
#define DLP_WEAK_EFFECT 2.5
typedef enum dlp_prior_units {
    DLP_UNITS_OF_PREDICTOR, /* its own: log odds, logarithms of means */
    DLP_UNITS_OF_RESPONSE,  /* sds of the response, as the predictor is its mean */
    DLP_UNITS_OF_ROOT       /* sds of the root of the response, with a square-root link */
} dlp_prior_units;
DLP_API dlp_prior_units dlp_regression_prior_units(const dlp_regression_result *result);

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
    int namesake;      /* for a scale: a column has the same name */
    double mean, sd;
    double lower, upper; /* of the middle 95 % */
    int shared; /* a scale that all groups of a hierarchy share: it has no spread between
                   groups, and mean, sd, lower and upper describe its uncertainty */
    int penalised; /* a coefficient of the wiggly part of a smooth: on its own it means
                      nothing */
} dlp_parameter;

/* Whose parameters: those of group m, from 0 (0 without groups), or of all groups. */
enum {
    DLP_MEAN_OF_GROUPS = -1,  /* the mean of the groups of a hierarchy, and its
                                 uncertainty */
    DLP_SPREAD_OF_GROUPS = -2 /* how groups are spread: N(mu0, Sigma0); for separate fits,
                                 by the moments of their means */
};

/* All n of them, into parameter (n). DLP_EINVAL if there is no such group. */
DLP_API dlp_status dlp_regression_parameters(const dlp_regression *regression,
                                             dlp_index whose, dlp_parameter *parameter,
                                             dlp_error *error);
/* The central interval with probability `interval_level`, between 0 and 1, of each of the
   n parameters, into lower (n) and upper (n): exact for normal ones and log-normal
   scales; cut points, skewed parameters and those of mixed models are treated as normal on
   each side of the median, matching their 95 % interval. */
DLP_API dlp_status dlp_regression_intervals(const dlp_regression *regression,
                                            dlp_index whose, double interval_level,
                                            double *lower, double *upper,
                                            dlp_error *error);
/* The reference level of factor f of terms->factor; NULL: it has coefficients for all
   levels, or none. */
DLP_API const char *dlp_regression_reference(const dlp_regression_result *result,
                                             dlp_index f);
/* Its name for readers: "x", "b: x", "low|high", "sd", or, if a column has that name, "sd
   (scale)"; into out, at most room bytes. */
DLP_API void dlp_parameter_name(const dlp_parameter *parameter, char *out, size_t room);

/* A mean, or an end of an interval, as a ratio: exp() for a coefficient, which is an odds
   ratio with a logit link and a ratio of means with log; for a scale or cut point,
   unchanged. */
DLP_API double dlp_parameter_ratio(const dlp_parameter *parameter, double value);

/* ---- random effects, for people ---- */

/* How the effects were found given the scales, which are treated as `hyper` says. */
typedef enum dlp_effects_method {
    DLP_EFFECTS_EXACT,      /* a Gaussian response: no approximation */
    DLP_EFFECTS_QUADRATURE, /* those of the term with the most levels by quadrature, the
                               others by Laplace's method */
    DLP_EFFECTS_LAPLACE
} dlp_effects_method;
DLP_API dlp_effects_method
dlp_regression_effects_method(const dlp_regression_result *result);

/* The effects of a level of term t, into effect (random[t].q). */
DLP_API void dlp_regression_level(const dlp_regression *regression, dlp_index t,
                                  dlp_index level, dlp_level_effect *effect);

/*
 * The levels of all groupings of a mixed model are numbered consecutively, those of
 * terms->grouping[0] first. dlp_regression_level_at finds the grouping and the level of
 * number m, or returns 0 if there is none. dlp_regression_find_level is the reverse: the
 * number of the level called name in that grouping or, if grouping is NULL, in any; -1:
 * there is none, -2: several groupings have one.
 */
DLP_API int dlp_regression_level_at(const dlp_regression *regression, dlp_index m,
                                    dlp_index *grouping, dlp_index *level);
DLP_API dlp_index dlp_regression_find_level(const dlp_regression *regression,
                                            const char *grouping, const char *name);

/* Smooth s on its own, over the range that the fit saw: n values x (n), evenly from the
   smallest to the largest, and the curve there, f (n), on the scale of the linear
   predictor. DLP_EINVAL if there is no smooth s, or it has two variables. For besag() n
   must be the number of regions, and x are their numbers in terms->factor. */
DLP_API dlp_status dlp_regression_curve(const dlp_regression *regression, dlp_index s,
                                        dlp_index n, double *x, dlp_margin *f,
                                        dlp_error *error);

/* ---- files ---- */

/* Writes FIT.json, as docs/file-formats.md describes it: whole or not at all, numbers
   exact to the last bit. */
DLP_API dlp_status dlp_regression_save(const dlp_regression *regression, const char *path,
                                       dlp_error *error);
/* From a file, or standard input for "-"; or from bytes in memory, which messages call
   `name`. Everything in it is checked before it is used. Released by dlp_regression_free;
   on failure *regression is NULL. */
DLP_API dlp_status dlp_regression_load(const char *path, dlp_regression **regression,
                                       dlp_error *error);
DLP_API dlp_status dlp_regression_parse(const char *name, const char *text, size_t size,
                                        dlp_regression **regression, dlp_error *error);

/* Which part of it dlp_regression_json writes. */
typedef enum dlp_regression_part {
    DLP_PART_FILE,    /* what dlp_regression_save writes */
    DLP_PART_SUMMARY, /* how it was fitted and how it ended */
    DLP_PART_GROUPS,  /* the summary and the parameters of all groups, or of the one
                         regression; for a mixed model also the effects of all levels */
    DLP_PART_GROUP,   /* the summary and the parameters of group m; for a mixed model the
                         effects of level m, as dlp_regression_level_at counts */
    DLP_PART_POPULATION /* the summary and the parameters of the population of groups;
                           without groups, those of the one regression */
} dlp_regression_part;
/* A part as JSON: *text, released by free(), is *size bytes long, followed by a zero
   byte. m is used only with DLP_PART_GROUP: DLP_EINVAL if there is no such group. Of the
   pointers only error may be NULL. On any failure *text is NULL and *size 0. */
DLP_API dlp_status dlp_regression_json(const dlp_regression *regression,
                                       dlp_regression_part part, dlp_index m, char **text,
                                       size_t *size, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif

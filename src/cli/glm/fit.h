/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A fitted regression, as a file keeps it and as people see it. `glm fit` makes one from
 * data (glm_engine.c), the other verbs read it back (glm_read.c); glm_write.c and
 * glm_print.c show it.
 *
 * The posterior is N(mu, Sigma) over n parameters in each of M blocks: the groups of a
 * grouped fit, else one. The parameters are those of dlp_glm: the coefficients, then the
 * logarithm of a scale, or what makes the cut points.
 */
#ifndef DLP_CLI_GLM_FIT_H
#define DLP_CLI_GLM_FIT_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>

#define CLI_GLM_FORMAT "delaplace-glm"
enum { CLI_GLM_VERSION = 1 };

/* What groups of rows have to do with one another. */
typedef enum cli_grouping {
    CLI_UNGROUPED,
    CLI_HIERARCHICAL, /* a regression each, with a shared prior */
    CLI_SEPARATE,     /* a regression each */
    CLI_POOLED,       /* one for all */
} cli_grouping;

/* "none", "hierarchical", "separate", "pooled"; NULL from the end on. */
const char *cli_grouping_name(int i);

/* The methods of a regression: the engine's, then the bound. NULL from the end on. */
const char *cli_glm_method(int i);
extern const char cli_jaakkola_jordan[];

/* The prior of a coefficient: normal, or with df > 0 Student-t. */
typedef struct cli_glm_prior {
    double mean, sd, df;
    bool weak; /* not stated, but by the spread of its column */
} cli_glm_prior;

typedef struct cli_glm_fit {
    char *formula;    /* as it was typed */
    dlp_terms *terms; /* how data become columns */
    const char *family, *link, *method;
    char *scale; /* what the scale is, "sd"; NULL: the family has none */
    cli_grouping grouping;
    double prior_sd, prior_df; /* of the coefficients; not of a hierarchical fit. Of weak
                                  priors prior_sd is in the spreads of columns */
    cli_glm_prior *own_prior;  /* (p) of each by itself; NULL: N(0, prior_sd^2) */
    double *prior_covariance;  /* (p, p) Sigma_0 of all; NULL: they are independent */
    double first_cut_sd;       /* of an ordinal fit; 0: as the library has it */
    double nu, phi0, phi1;     /* of a hierarchical fit alone */
    bool paper_sigma0;
    bool shared_scale;     /* the groups of a hierarchy have one sd, shape or size */
    bool paper_hyperprior; /* it is about the columns as they stand, not in their sds */
    double tol;
    int max_iter;

    dlp_index rows, dropped;
    char *weights;       /* the column that weighs the rows; NULL: they count once */
    double total_weight; /* the rows' sum of weights, or their number */
    dlp_index p;         /* columns */
    char **column;       /* (p) their names */
    dlp_index n;         /* parameters a block */
    dlp_index M;         /* blocks */

    dlp_outcome outcome;
    int iterations; /* of separate fits, the most that one took */
    long evaluations;
    int fallbacks;      /* how often propagation fell back to delta, or that to Laplace */
    int unsettled;      /* groups whose own fit did not converge */
    bool scale_summed;  /* the scale was summed over, in a group at least */
    bool may_propagate; /* expectation propagation may stand in for the delta method */
    bool propagated;    /* and did, in a group at least */
    double objective;   /* NaN when it is not known */
    double *mu;         /* (M, n) */
    double *Sigma;      /* (M, n, n) */
    double *mu0;        /* (n) hierarchical; else NULL */
    double *Sigma0;     /* (n, n) hierarchical; else NULL */
    double *mu0_covariance; /* (n, n) hierarchical; else NULL */
    int n_trace;
    dlp_trace_row *trace; /* (n_trace) */
} cli_glm_fit;

/* Frees what it holds and zeroes it; fine on a half-built one. */
void cli_glm_fit_clear(cli_glm_fit *fit);

/* Sets n and M, which follow from family, terms, grouping and p. */
dlp_status cli_glm_fit_shape(cli_glm_fit *fit, dlp_error *error);
/* Makes room for the posterior, zeroed. */
dlp_status cli_glm_fit_room(cli_glm_fit *fit, dlp_error *error);

/* How the fit was made, to stand after "the fit by". */
const char *cli_glm_method_used(const cli_glm_fit *fit);
/* glm_levels.c. What the levels of the response are, "no (0), yes (1)", "low < high"; "" of
   a response that has none. To be freed; NULL without memory. */
char *cli_glm_levels_text(const cli_glm_fit *fit);

bool cli_glm_is_ordinal(const char *family);
bool cli_glm_is_multinomial(const char *family);
/* Whether the response has an sd, shape or size. */
bool cli_glm_has_scale(const char *family);
/* Either: the response is one of several levels. */
bool cli_glm_has_levels(const char *family);
/* True when each group has a block of its own. */
bool cli_glm_is_grouped(const cli_glm_fit *fit);
/* True when it found no maximum, which more iterations would not change. */
bool cli_glm_is_lost(const cli_glm_fit *fit);
/* The prior of column j's coefficient; with a covariance, its margin. */
cli_glm_prior cli_glm_prior_of(const cli_glm_fit *fit, dlp_index j);
/* True when nothing is stated of any coefficient's prior; its covariance, if it has one, is
   then by the columns. */
bool cli_glm_is_weak(const cli_glm_fit *fit);
/* The name of block m; NULL without groups. */
const char *cli_glm_group(const cli_glm_fit *fit, dlp_index m);
/* The block of the group of that name, or -1. */
dlp_index cli_glm_find_group(const cli_glm_fit *fit, const char *name);

/* A number with its uncertainty; lower and upper bound its middle 95 %. */
typedef struct cli_estimate {
    double mean, sd, lower, upper;
} cli_estimate;

typedef enum cli_glm_kind { CLI_COEFFICIENT, CLI_SCALE, CLI_CUT } cli_glm_kind;

/* What there is to tell of a parameter, on its natural scale. */
typedef struct cli_glm_quantity {
    cli_glm_kind kind;
    const char *term;  /* the column; the scale's name; the level below a cut point */
    const char *level; /* multinomial: whose coefficient; the level above a cut point */
    bool namesake;     /* a scale's: a column has its name, too */
    cli_estimate estimate;
} cli_glm_quantity;

/* What parameter i is, without an estimate. */
cli_glm_quantity cli_glm_parameter(const cli_glm_fit *fit, dlp_index i);
/* All n parameters under N(mu, Sigma), which is that of a block or of the population; to
   be freed. NULL without memory. */
cli_glm_quantity *cli_glm_quantities(const cli_glm_fit *fit, const double *mu,
                                     const double *Sigma);
/* glm_cuts.c. The J cut points of an ordinal regression with delta ~ N(m, S), the rows of
   S being n apart. False without memory. */
bool cli_glm_cut_points(dlp_index n, dlp_index J, const double *m, const double *S,
                        cli_estimate *out);
/* Its name as people see it, "x", "b: x", "low|high", "sd", or beside a column of that name
   "sd (scale)", for room bytes at out. */
void cli_glm_quantity_name(const cli_glm_quantity *quantity, char *out, size_t room);

/* What a grouped fit says of groups as such, into mean (n) and covariance (n, n): mu_0
   and Sigma_0, or the moments of the groups' means. */
void cli_glm_population(const cli_glm_fit *fit, double *mean, double *covariance);

/* What of a fit to show. */
typedef struct cli_glm_view {
    bool plot;        /* draw the intervals */
    bool guessed;     /* say that the family is a guess */
    dlp_index most;   /* how many quantities to list; 0: all */
    dlp_index block;  /* this group alone; -1: all as one */
    bool every_block; /* each group by itself */
} cli_glm_view;

/* glm_write.c. How the fit ended, in numbers; and all of it, the content of FIT.json.
   NULL without memory. */
json_t *cli_glm_summary_json(const cli_glm_fit *fit);
json_t *cli_glm_fit_json(const cli_glm_fit *fit);
/* The summary and what the view asks for, all of it: coefficients, and scale or cut_points
   where there are any; of groups as one, "population", an object with the same about where
   they lie, and of a hierarchy "mean_of_groups", a list about their mean. */
json_t *cli_glm_view_json(const cli_glm_fit *fit, const cli_glm_view *view);

/* glm_read.c. The fit that a JSON value holds; name stands for the file in messages. On
   failure *fit is zeroed. */
dlp_status cli_glm_fit_parse(const char *name, const json_t *root, cli_glm_fit *fit,
                             dlp_error *error);
/* The fit in the file at path, or on standard input for "-". */
dlp_status cli_glm_fit_read(const char *path, cli_glm_fit *fit, dlp_error *error);

/* glm_print.c. The fit on a screen. */
dlp_status cli_glm_print(const cli_glm_fit *fit, const cli_glm_view *view,
                         dlp_error *error);
/* glm_warnings.c. Where the prior, not the data, makes the answer. */
void cli_glm_print_warnings(const cli_glm_fit *fit);

/* glm_svg.c. What a picture says of a fit that did not converge; "" of others. */
void cli_glm_warn(const cli_glm_fit *fit, char *out, size_t room);
/* A forest plot of a group, or with block -1 of the one fit or the
   population. */
dlp_status cli_glm_write_svg(const cli_glm_fit *fit, dlp_index block, const char *path,
                             dlp_error *error);

#endif

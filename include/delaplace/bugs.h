/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models written down: the language of BUGS and JAGS. A model, as a file or a string, and
 * its data, as files or arrays, become a graph of nodes; all errors in them are reported
 * at once, each with its place. dlp_bugs_fit then finds the posterior of its nodes:
 *
 *     dlp_bugs_input input = dlp_bugs_input_default();
 *     input.model_text = "model { for (i in 1:n) { y[i] ~ dnorm(mu, 1) } mu ~ dnorm(0, 1) }";
 *     input.data = arrays;
 *     input.n_data = 2;
 *     dlp_bugs *model = NULL;
 *     if (dlp_bugs_read(&input, &model, &error) == DLP_OK &&
 *         dlp_bugs_fit(model, NULL, &error) == DLP_OK)
 *         printf("%g\n", dlp_bugs_result_of(model)->node[0].margin.mean);
 *     dlp_bugs_free(model);
 */
#ifndef DELAPLACE_BUGS_H
#define DELAPLACE_BUGS_H

#include <delaplace/file.h>
#include <delaplace/fit.h>
#include <delaplace/random_effects.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { DLP_BUGS_DIMENSIONS = 8 }; /* the most dimensions an array may have */

/* An array in memory, its first index running fastest, as in R; NaN: missing. */
typedef struct dlp_bugs_array {
    const char *name;
    int n_dim;            /* 0: a scalar */
    const dlp_index *dim; /* (n_dim) */
    const double *value;
} dlp_bugs_array;

/* What a model is read from. Files may be compressed by gzip, zstd or xz; "-" is standard
   input. Data and initial values are in the format of R's dump(), in JSON (an object; the
   last index runs fastest, null is missing) or in CSV or TSV (each column is a vector;
   known by the name's extension). Everything is copied. */
typedef struct dlp_bugs_input {
    size_t size;            /* set by dlp_bugs_input_default */
    const char *model_path; /* the model: a file, */
    const char *model_text; /* or a string, */
    const char *model_name; /* which messages call this; NULL: "model" */
    int n_data_paths;
    const char *const *data_path;
    const char *data_text; /* more data, as a string; NULL: none */
    const char *data_name; /* its name in messages, whose extension gives its format;
                              NULL: "data" */
    int n_data;
    const dlp_bugs_array *data;
    int n_inits_paths;
    const char *const *inits_path; /* initial values */
    int n_inits;
    const dlp_bugs_array *inits;
    dlp_index limit; /* the most array elements, and instances of relations, allowed; 0:
                        2^28 */
    dlp_progress_call
        *progress; /* called while files are read and compiled; default NULL; a non-zero
                                    return cancels */
    void *context;
} dlp_bugs_input;

/* All zeros: no model and no data. */
DLP_API void dlp_bugs_input_init(dlp_bugs_input *input, size_t size);
static inline dlp_bugs_input dlp_bugs_input_default(void)
{
    dlp_bugs_input input;
    dlp_bugs_input_init(&input, sizeof input);
    return input;
}

typedef struct dlp_bugs dlp_bugs;

/*
 * Reads a model and its data. If they are wrong it returns DLP_EINPUT with the first
 * error in `error`; *bugs is set even then, for its messages. It is NULL if a file cannot
 * be read, memory is short or the caller cancelled (DLP_ECANCELLED). Released by dlp_bugs_free. Every instance of a relation is
 * visited once or twice: 200,000 rows take less than a second.
 */
DLP_API dlp_status dlp_bugs_read(const dlp_bugs_input *input, dlp_bugs **bugs,
                                 dlp_error *error);
DLP_API void dlp_bugs_free(dlp_bugs *bugs); /* NULL is fine */

/* The errors found, of which the first 20 are kept, and the warnings. */
typedef struct dlp_bugs_message {
    int is_error;     /* else a warning */
    const char *file; /* NULL: it is not about a place in a file */
    int line, column; /* from 1; 0: none */
    const char *message;
    const char *text; /* the complete message: place, message, the source line, and a
                         caret below it */
    int is_cycle;     /* non-zero: the error is that a node depends on itself */
} dlp_bugs_message;

/* The i-th, from 0; returns 0 and writes nothing past the last. The strings belong to the
   model. */
DLP_API int dlp_bugs_message_at(const dlp_bugs *bugs, dlp_index i,
                                dlp_bugs_message *message);
/* How many errors there are, including those that are not kept. */
DLP_API dlp_index dlp_bugs_errors(const dlp_bugs *bugs);

/* A variable, and how many of its elements are of each kind. */
typedef struct dlp_bugs_variable {
    const char *name;
    int n_dim; /* 0: a scalar */
    dlp_index dim[DLP_BUGS_DIMENSIONS];
    dlp_index n;
    dlp_index constant;      /* data that no relation defines, or computed from such data
                                alone */
    dlp_index deterministic; /* computed from other nodes */
    dlp_index observed;      /* stochastic, with a value in the data */
    dlp_index latent;        /* stochastic, without a value */
} dlp_bugs_variable;

/* The i-th variable, from 0, of a model without errors; returns 0 past the last. O(its
   elements). */
DLP_API int dlp_bugs_variable_at(const dlp_bugs *bugs, dlp_index i,
                                 dlp_bugs_variable *variable);

/* The sums of these counts over all variables, and how many variables there are. */
typedef struct dlp_bugs_totals {
    dlp_index variables, constant, deterministic, observed, latent;
} dlp_bugs_totals;
DLP_API dlp_bugs_totals dlp_bugs_count(const dlp_bugs *bugs);

/*
 * The plate diagram of a model as SVG: a circle for each variable (shaded: observed;
 * dashed: computed from others), a rectangle for data that no relation defines, a box for
 * each loop. Without data nothing is shaded. *svg (*size bytes) is released by free();
 * the file is written whole or not at all.
 */
DLP_API dlp_status dlp_bugs_draw(const dlp_bugs_input *input, char **svg, size_t *size,
                                 dlp_error *error);
DLP_API dlp_status dlp_bugs_save_drawing(const dlp_bugs_input *input, const char *path,
                                         dlp_error *error);

/* ---- the posterior ---- */

/* The fewest draws by which a posterior can be summarised or verified. */
enum { DLP_BUGS_LEAST_DRAWS = 100 };

typedef struct dlp_bugs_settings {
    size_t size;                /* of the struct, as the program knows it */
    const char *const *monitor; /* (n_monitors) nodes to summarise: "beta", "beta[2,1]",
                                   "deviance"; none given: all unknown ones, except in
                                   arrays of more than 2,000 */
    int n_monitors;
    dlp_index draws;    /* for nodes that are functions of others; default 4096 */
    unsigned long seed; /* of the draws; default 1 */
    dlp_index verify; /* importance sampling draws around the posterior found, by which it
                         is graded and, where it is off, corrected; 0: none. Default -1:
                         as many as cost little, if any */
    int threads;      /* default 0: one for each processor */
    dlp_progress_call *progress; /* default NULL; a non-zero return cancels */
    void *context;
    /* The paper's own methods, Appendix A: coordinate ascent over q(theta) = prod q(theta_i). */
    const char *hyper;  /* "integrate" (the default, also NULL): scales are integrated
                           over; "factor": all locations are one Gaussian, every other
                           node is a factor of its own */
    const char *factor; /* "joint" (the default, also NULL), or "scalar": every node is a
                           factor, locations too; it implies hyper "factor" */
    const char *method; /* for factors that are not conjugate: "laplace" (the default,
                           also NULL) or "delta" */
    const char *const *node; /* (n_nodes) "tau=delta": the method of a variable,
                                "laplace", "delta" or "conjugate"; it needs one of the
                                above */
    int n_nodes;
    double tol; /* for factors: sweeps end when no expectation moves by more, relative to
                   1 or in sds; default 1e-6 */
    int max_iter; /* sweeps at most; default 10,000 */
} dlp_bugs_settings;

/* The words of `hyper`, `factor` and `method`, the default first; NULL past the last. */
DLP_API const char *dlp_bugs_hyper(int i);
DLP_API const char *dlp_bugs_factor(int i);
DLP_API const char *dlp_bugs_method(int i);

DLP_API void dlp_bugs_settings_init(dlp_bugs_settings *settings, size_t size);
static inline dlp_bugs_settings dlp_bugs_settings_default(void)
{
    dlp_bugs_settings settings;
    dlp_bugs_settings_init(&settings, sizeof settings);
    return settings;
}

/* Finds the posterior. settings may be NULL: the defaults. DLP_EINPUT if the methods
   cannot fit the model; the message gives the place and a way around. */
DLP_API dlp_status dlp_bugs_fit(dlp_bugs *model, const dlp_bugs_settings *settings,
                                dlp_error *error);

/* What importance sampling says about a node. */
typedef enum dlp_bugs_grade {
    DLP_BUGS_UNGRADED, /* it was not run */
    DLP_BUGS_AGREES,   /* mean and sd agree to within 0.03 sd plus two standard errors */
    DLP_BUGS_DIFFERS,  /* they do not */
    DLP_BUGS_UNKNOWN   /* its weights are too uneven to say */
} dlp_bugs_grade;
DLP_API const char *dlp_bugs_grade_name(dlp_bugs_grade grade);

typedef struct dlp_bugs_node {
    const char *name;   /* "beta[2,1]", as JAGS writes it */
    dlp_margin margin;  /* the answer: `sampled` if the fit was corrected, else `found` */
    dlp_margin found;   /* the posterior that the method found */
    dlp_margin sampled; /* by importance sampling; NaN if it was not run */
    double error;       /* the standard error of sampled.mean or, without sampling, of
                           margin.mean: 0 if that does not come from draws */
    dlp_bugs_grade grade;
} dlp_bugs_node;

/* What came of importance sampling. */
typedef enum dlp_bugs_verdict {
    DLP_BUGS_NOT_VERIFIED,  /* it costs too much, was switched off, or nothing is
                              approximate */
    DLP_BUGS_CONFIRMED,     /* all nodes agree */
    DLP_BUGS_CORRECTED,     /* some differ: all answers come from importance sampling */
    DLP_BUGS_NOT_CONFIRMED, /* its weights are too uneven to say */
    DLP_BUGS_CONFIRMED_HERE /* the same near this maximum, within the points, or in likely
                               states: `modes`, `switched`, `doubt_tail`, `n_states` */
} dlp_bugs_verdict;
DLP_API const char *dlp_bugs_verdict_name(dlp_bugs_verdict verdict);

/* Whether the answer of weighted draws would be another with more of them. */
typedef enum dlp_bugs_steadiness {
    DLP_BUGS_STEADY,   /* hardly; also if the fit was not corrected */
    DLP_BUGS_DRIFTS,   /* it still changes with their number */
    DLP_BUGS_FEW_DRAWS /* it does not seem to, but they are few, or pareto_k is above 0.7 */
} dlp_bugs_steadiness;

/* How unknowns are treated: one entry for each relation that defines some. */
typedef struct dlp_bugs_plan {
    const char *name;   /* of the variable */
    int line;           /* of the relation */
    dlp_index unknown;  /* how many nodes */
    const char *how;    /* "points", "gaussian", "quadrature", "sum", "prediction"; for a
                           factor of q its family: "gaussian", "normal", "gamma", "scale",
                           "beta", "dirichlet", "wishart", "categorical" */
    const char *reason; /* why, as a clause */
    const char *method; /* of a factor of q: "conjugate", "laplace", "delta"; else NULL */
    int summed;         /* non-zero: discrete, and summed over; `how` is "sum" */
} dlp_bugs_plan;

typedef struct dlp_bugs_result {
    dlp_outcome outcome;
    dlp_index n_nodes;
    const dlp_bugs_node *node; /* (n_nodes) in the order of the model's variables */
    dlp_index n_draws;
    const double *draw; /* (n_nodes, n_draws) the draws of each node, node after node */
    double log_evidence;
    dlp_index n_points;     /* unknowns that are integrated over by points, */
    int points;             /*     and how many points there are */
    dlp_index n_gaussian;   /* unknowns in one Gaussian given those */
    dlp_index n_quadrature; /* groups of one or two unknowns that are integrated out one
                               by one */
    int exact;              /* non-zero: the Gaussian is exact, not an approximation */
    double shift; /* the largest distance of a mean of the Gaussian part from its mode, in
                     sds */
    double roughness; /* log p of the Gaussian part two sds from its mode is -2 for a
                         Gaussian; this is the largest deviation from that */
    double omitted;   /* how far what the Gaussian leaves out would move the unknowns that
                         are integrated over by points, roughly, in sds */
    int kinks; /* non-zero: a density has a kink, like |x|, which no Gaussian has */
    /* Doubts, each non-zero if it applies: */
    int doubt_gaussian; /* the Gaussian part is not Gaussian, by shift or roughness */
    int doubt_omitted; /* the Gaussian part leaves out too much of the density of scales */
    int doubt_design; /* so many unknowns are integrated over that only a sparse design of
                         points is affordable */
    int doubt_maximum; /* no maximum of log p was found: the numbers mean nothing */
    int modes;    /* how many other maxima were found from a few other starts, tried where
                     that is cheap and no initial values were given: the answer describes
                     one maximum */
    int switched; /* non-zero: one of them is the same with labels switched */
    double moved; /* how much higher log p is at the maximum taken than at the first one
                     found; 0: it is the first */
    dlp_bugs_verdict verdict; /* of importance sampling */
    dlp_index differ;         /* nodes that differ */
    dlp_index verified;       /* draws it took */
    double effective;         /* the effective number of these draws */
    double pareto_k; /* the shape of their weights' tail: below 0.5 good, above 0.7
                        poor */
    int n_plans;
    const dlp_bugs_plan *plan; /* (n_plans) */
    dlp_index not_summarised;  /* nodes of large arrays, which are summarised only if
                                  `monitor` names them */
    /* For coordinate ascent; else 0 and NULL: */
    dlp_index n_factors;     /* of q */
    dlp_index n_conjugate;   /* of these, exact given the others */
    int sweeps;              /* over all factors */
    const double *objective; /* (sweeps) E[log p] + entropy of q after each sweep: if all
                                factors are exact, a lower bound of the log evidence,
                                which is not computed (log_evidence is NaN) */
    int chose_factors;   /* non-zero: the settings did not ask for factors, but with so
                            many unknown probabilities of discrete nodes there is no other
                            way */
    dlp_index fallbacks; /* updates by the delta method that fell back to Laplace's */
    int doubt_factors;   /* non-zero: unknowns are treated as independent, so sds are too
                            small */
    double mean_error;   /* the standard error of means from weighted draws, in sds: 1 /
                            sqrt(effective); 0 if nothing was verified */
    int n_states;   /* the number of joint states of the discrete unknowns for which the
                       model was fitted, and the answer is their mixture; 0: it was fitted
                       once. What is said about the Gaussian and the points refers to the
                       likeliest state */
    int doubt_tail; /* non-zero: a density is still nearly as high where the points end */
    double drift;   /* if the fit was corrected, how far means and sds from all weighted
                       draws are from those of a quarter of them, in sds; else 0 */
    dlp_bugs_steadiness doubt_drift;
    dlp_index rare;     /* nodes with two values, one of which occurs in few draws */
    const char *rarest; /* the first of these nodes; NULL: none */
    dlp_index
        long_tails;      /* nodes whose sd rests on rare values far out, as weighted draws
                             show: it is uncertain, however it is computed */
    const char *longest; /* the first of these nodes; NULL: none */
    int doubt_states; /* non-zero: n_states are not all joint states, and the others may
                         matter */
} dlp_bugs_result;

/* The result of a fit; it belongs to the model. */
DLP_API const dlp_bugs_result *dlp_bugs_result_of(const dlp_bugs *model);

/* The density of a node (from 0) at up to n points, from its draws, into x and y (n).
   *points is how many were written, 0 if draws are not finite; if *discrete is non-zero,
   x are all values of the node, no more than 40, and y their probabilities. */
DLP_API dlp_status dlp_bugs_density(const dlp_bugs *bugs, dlp_index node, int n,
                                    double *x, double *y, int *points, int *discrete,
                                    dlp_error *error);

/* The draws as a CSV file in CmdStan's layout: one column per node, indices separated by
   dots, after lp__, which is always 0. */
DLP_API dlp_status dlp_bugs_save_draws(const dlp_bugs *bugs, const char *path,
                                       dlp_error *error);

/* The same for read.coda() of R's coda: "<prefix>index.txt" says which lines of
   "<prefix>chain1.txt" belong to a node. */
DLP_API dlp_status dlp_bugs_save_coda(const dlp_bugs *bugs, const char *prefix,
                                      dlp_error *error);

/* The fit as JSON: *text (*size bytes), released by free(); or in a file, written whole
   or not at all. */
DLP_API dlp_status dlp_bugs_json(const dlp_bugs *model, char **text, size_t *size,
                                 dlp_error *error);
DLP_API dlp_status dlp_bugs_save(const dlp_bugs *model, const char *path,
                                 dlp_error *error);

/* Adds those of these files whose path is not NULL to a set; its commit makes them appear
   together. */
DLP_API dlp_status dlp_bugs_add_files(const dlp_bugs *model, const char *fit,
                                      const char *draws, const char *coda,
                                      dlp_file_set *files, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif

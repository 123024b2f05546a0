/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models written down: the language of BUGS and JAGS. A model, as a file or a string, and its
 * data, as files or arrays, become a graph of nodes; errors in them are reported with their
 * place, all of it at once. dlp_bugs_fit then finds the posterior of its nodes:
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

enum { DLP_BUGS_DIMENSIONS = 8 }; /* that an array may have */

/* An array in memory, its first index running fastest, as in R; NaN: missing. */
typedef struct dlp_bugs_array {
    const char *name;
    int n_dim;            /* 0: a scalar */
    const dlp_index *dim; /* (n_dim) */
    const double *value;
} dlp_bugs_array;

/* What a model is read from. Files may be compressed by gzip, zstd or xz; "-" is standard
   input. Data and initial values are R's dump, JSON (an object; the last index runs fastest,
   null is missing) or CSV (a column is a vector; by the name's ending). All is copied. */
typedef struct dlp_bugs_input {
    size_t size;            /* set by dlp_bugs_input_default */
    const char *model_path; /* a file; or */
    const char *model_text; /* a text, whose name in messages is */
    const char *model_name; /* this (NULL: "model") */
    int n_data_paths;
    const char *const *data_path;
    const char *data_text; /* another one, as text; NULL: none */
    const char *data_name; /* its name, whose extension gives its format; NULL: "data" */
    int n_data;
    const dlp_bugs_array *data;
    int n_inits_paths;
    const char *const *inits_path; /* initial values */
    int n_inits;
    const dlp_bugs_array *inits;
    dlp_index limit; /* of elements, and of instances of relations; 0: 2^28 */
} dlp_bugs_input;

/* Zeros: no model and no data. */
DLP_API void dlp_bugs_input_init(dlp_bugs_input *input, size_t size);
static inline dlp_bugs_input dlp_bugs_input_default(void)
{
    dlp_bugs_input input;
    dlp_bugs_input_init(&input, sizeof input);
    return input;
}

typedef struct dlp_bugs dlp_bugs;

/*
 * Reads a model and its data. DLP_EINPUT with the first error in `error` where they are wrong;
 * *bugs is there even so, for its messages. It is NULL where a file cannot be read, or memory
 * is short. The time is that of reading and of visiting every instance of a relation once or
 * twice: 200,000 rows take less than a second.
 */
DLP_API dlp_status dlp_bugs_read(const dlp_bugs_input *input, dlp_bugs **bugs,
                                 dlp_error *error);
DLP_API void dlp_bugs_free(dlp_bugs *bugs); /* NULL is fine */

/* The errors found, of which the first 20 are kept, and the warnings. */
typedef struct dlp_bugs_message {
    int is_error;     /* else a warning */
    const char *file; /* NULL: of none */
    int line, column; /* from 1; 0: of none */
    const char *message;
    const char *text; /* all of it: place, message, the line, and a caret below it */
    int is_cycle;     /* an error: a node depends on itself */
} dlp_bugs_message;

/* The i-th; 0 and nothing written past the last. The texts are the model's. */
DLP_API int dlp_bugs_message_at(const dlp_bugs *bugs, dlp_index i,
                                dlp_bugs_message *message);
/* How many errors there are, those that are not kept included. */
DLP_API dlp_index dlp_bugs_errors(const dlp_bugs *bugs);

/* A variable, and how many of its elements are what. */
typedef struct dlp_bugs_variable {
    const char *name;
    int n_dim; /* 0: a scalar */
    dlp_index dim[DLP_BUGS_DIMENSIONS];
    dlp_index n;
    dlp_index constant;      /* data that nothing defines, or computed from such */
    dlp_index deterministic; /* computed from other nodes */
    dlp_index observed;      /* stochastic, with a value in the data */
    dlp_index latent;        /* stochastic, without */
} dlp_bugs_variable;

/* The i-th variable of a model without errors; 0 past the last. O(its elements). */
DLP_API int dlp_bugs_variable_at(const dlp_bugs *bugs, dlp_index i,
                                 dlp_bugs_variable *variable);

/*
 * The plate diagram of a model as SVG, to be freed, and into a file, whole or not at all: a
 * circle a variable (shaded: observed; dashed: computed from others), a rectangle for data
 * that nothing defines, a box a loop. Without data it shows the text alone, and nothing is
 * shaded.
 */
DLP_API dlp_status dlp_bugs_draw(const dlp_bugs_input *input, char **svg, size_t *size,
                                 dlp_error *error);
DLP_API dlp_status dlp_bugs_save_drawing(const dlp_bugs_input *input, const char *path,
                                         dlp_error *error);

/* ---- the posterior ---- */

typedef struct dlp_bugs_settings {
    size_t size; /* of the struct, as the program knows it */
    const char *const *
        monitor; /* (n_monitors) nodes to summarise: "beta", "beta[2,1]", "deviance"; none:
                                   all that are unknown, but arrays of more than 2,000 */
    int n_monitors;
    dlp_index draws;    /* for nodes that are functions of others; default 4096 */
    unsigned long seed; /* of the draws; default 1 */
    dlp_index
        verify;  /* draws of importance sampling around what was found, by which it is
                         graded and, where it is off, corrected; 0: none. Default -1: as
                         many as cost little, if any */
    int threads; /* default 0: one for each processor */
    dlp_progress_call *progress; /* default NULL; a non-zero return cancels */
    void *context;
    /* The paper's own methods, Appendix A: coordinate ascent over q(theta) = prod q(theta_i). */
    const char
        *hyper; /* "integrate" (the default, also NULL): scales are integrated over;
                           "factor": all locations are one Gaussian, every other node is a
                           factor of its own */
    const char *factor; /* "block" (the default, also NULL), or "scalar": every node is a
                           factor, locations too; it implies hyper "factor" */
    const char *method; /* of factors that are not conjugate: "laplace" (the default, also
                           NULL) or "delta" */
    const char *const
        *node; /* (n_nodes) "tau=delta": the method of a variable, "laplace",
                                "delta" or "conjugate"; it needs one of the above */
    int n_nodes;
    double tol; /* of factors: sweeps end where no expectation moves by more, relative to
                     1 or in sds; default 1e-6 */
    int max_iter; /* sweeps at most; default 10,000 */
} dlp_bugs_settings;

DLP_API void dlp_bugs_settings_init(dlp_bugs_settings *settings, size_t size);
static inline dlp_bugs_settings dlp_bugs_settings_default(void)
{
    dlp_bugs_settings settings;
    dlp_bugs_settings_init(&settings, sizeof settings);
    return settings;
}

/* Finds the posterior. DLP_EINPUT where the model is outside of the method's reach, with the
   place and a way round. */
DLP_API dlp_status dlp_bugs_fit(dlp_bugs *model, const dlp_bugs_settings *settings,
                                dlp_error *error);

/* What importance sampling says of a node. */
typedef enum dlp_bugs_grade {
    DLP_BUGS_UNGRADED, /* it was not done */
    DLP_BUGS_AGREES,   /* mean and sd are within 0.03 sd, and two standard errors more */
    DLP_BUGS_DIFFERS,  /* they are not */
    DLP_BUGS_UNKNOWN   /* its weights are too uneven to say */
} dlp_bugs_grade;
DLP_API const char *dlp_bugs_grade_name(dlp_bugs_grade grade);

typedef struct dlp_bugs_node {
    const char *name;   /* "beta[2,1]", as JAGS writes it */
    dlp_margin margin;  /* the answer: */
    dlp_margin found;   /*     what was found, or, where the fit is corrected, */
    dlp_margin sampled; /*     what importance sampling says, NaN where it was not done */
    double error; /* the standard error of that mean, or, without, of the answer's: 0
                           where it is not by draws */
    dlp_bugs_grade grade;
} dlp_bugs_node;

/* What came of importance sampling. */
typedef enum dlp_bugs_verdict {
    DLP_BUGS_NOT_VERIFIED, /* it costs too much, was not wanted, or nothing is approximate */
    DLP_BUGS_CONFIRMED,    /* all nodes agree */
    DLP_BUGS_CORRECTED,    /* some differ: all answers are those of importance sampling */
    DLP_BUGS_NOT_CONFIRMED /* its weights are too uneven to say */
} dlp_bugs_verdict;
DLP_API const char *dlp_bugs_verdict_name(dlp_bugs_verdict verdict);

/* How unknowns are treated: one line for each relation that defines some. */
typedef struct dlp_bugs_plan {
    const char *name;   /* of the variable */
    int line;           /* of the relation */
    dlp_index unknown;  /* how many nodes */
    const char *factor; /* "points", "gaussian", "quadrature", "sum", "prediction" */
    const char *reason; /* why, as a clause */
    const char
        *method; /* of a factor of q: "conjugate", "laplace", "delta"; else NULL. Then
                           `factor` is its family: "gaussian", "normal", "gamma", "scale", "beta",
                           "dirichlet", "wishart", "categorical" */
} dlp_bugs_plan;

typedef struct dlp_bugs_result {
    dlp_outcome outcome;
    dlp_index n_nodes;
    const dlp_bugs_node *node; /* (n_nodes) in the order of the model's variables */
    dlp_index n_draws;
    const double *draw; /* (n_nodes, n_draws) of each node, one after the other */
    double log_evidence;
    dlp_index n_points;     /* unknowns that are integrated over by points, */
    int points;             /*     and how many points there are */
    dlp_index n_gaussian;   /* unknowns in one Gaussian given those */
    dlp_index n_quadrature; /* groups of one or two that are integrated out one by one */
    int exact;              /* non-zero: the Gaussian is no approximation */
    double
        shift; /* the farthest that a mean of the Gaussian lies from its mode, in sds */
    double
        roughness; /* how far log p of the Gaussian part, two sds from its mode, is at most
                         from -2, which it is of a Gaussian */
    int kinks;     /* non-zero: a density has a kink, like |x|, which no Gaussian has */
    /* What to doubt, each non-zero where it is: */
    int doubt_gaussian; /* the Gaussian part is not Gaussian, by shift or roughness */
    int doubt_design; /* so many are integrated over that a design of few points does it */
    int doubt_maximum; /* no maximum of log p was found: nothing is known */
    int modes; /* other maxima that were found, from a few points, where that costs little
                     and no initial values were given: the answer is of one */
    int switched; /* non-zero: one of them is the same with names exchanged */
    double moved; /* how much higher log p is at the one that was taken than at the first;
                     0: it is the first */
    dlp_bugs_verdict verdict; /* of importance sampling: */
    dlp_index differ;         /* so many nodes differ, by */
    dlp_index verified;       /* so many draws, */
    double effective;         /* worth so many, */
    double
        pareto_k; /* the shape of their weights' tail: below 0.5 good, above 0.7 poor */
    int n_plans;
    const dlp_bugs_plan *plan; /* (n_plans) */
    dlp_index not_summarised;  /* nodes of large arrays that were not asked for */
    /* Of coordinate ascent; 0 and NULL else: */
    dlp_index n_factors;   /* of q */
    dlp_index n_conjugate; /* of these, exact given the others */
    int sweeps;            /* over all factors */
    const double
        *objective;      /* (sweeps) E[log p] + entropy of q after each: where all factors
                                are exact a lower bound of log_evidence, which is NaN */
    int chose_factors;   /* non-zero: nobody asked for factors, but with so many unknown
                          probabilities of discrete nodes there is no other way */
    dlp_index fallbacks; /* updates by the delta method that fell back to Laplace's */
    int doubt_factors;   /* non-zero: unknowns are taken for independent, so that sds are
                                too small */
    double
        mean_error; /* of means by weighted draws, their standard error in sds: 1 over the
                          root of effective; 0 where nothing was verified */
    int n_states; /* the model was fitted for each of so many joint states of its discrete
                     unknowns, and the answer is their mixture; 0: it was fitted once. What is
                     said of the Gaussian and of points is of the likeliest state */
    int doubt_tail; /* non-zero: a density goes on, nearly as high, where the points end */
    double
        drift; /* how far means and sds by weighted draws are from those by a quarter of
                       them, in sds, where a fit is corrected; 0: it is not */
    int doubt_drift; /* non-zero: they still move with the number of draws, or these are few */
    dlp_index rare;     /* nodes with two values, one of which occurs in few draws */
    const char *rarest; /* the first of these nodes; NULL: none */
} dlp_bugs_result;

/* After a fit; the model's. */
DLP_API const dlp_bugs_result *dlp_bugs_result_of(const dlp_bugs *model);

/* The density of the i-th node at n points, by its draws: x and y (n). *points is how many
   there are, 0 where draws are not finite; *discrete non-zero: x are all its values, no more
   than 40, and y their probabilities. */
DLP_API dlp_status dlp_bugs_density(const dlp_bugs *bugs, dlp_index node, int n,
                                    double *x, double *y, int *points, int *discrete,
                                    dlp_error *error);

/* The draws as a CSV file in CmdStan's layout: one column per node, indices separated by dots,
   after lp__, which is 0 for want of a better value. */
DLP_API dlp_status dlp_bugs_save_draws(const dlp_bugs *bugs, const char *path,
                                       dlp_error *error);

/* The same as R's coda reads it, by read.coda(): "<prefix>index.txt" says which lines of
   "<prefix>chain1.txt" a node has. */
DLP_API dlp_status dlp_bugs_save_coda(const dlp_bugs *bugs, const char *prefix,
                                      dlp_error *error);

/* The fit as JSON, to be freed; and into a file, whole or not at all. */
DLP_API dlp_status dlp_bugs_json(const dlp_bugs *model, char **text, size_t *size,
                                 dlp_error *error);
DLP_API dlp_status dlp_bugs_save(const dlp_bugs *model, const char *path,
                                 dlp_error *error);

/* All of these, where their path is not NULL, into a set whose commit makes them appear
   together. */
DLP_API dlp_status dlp_bugs_add_files(const dlp_bugs *model, const char *fit,
                                      const char *draws, const char *coda,
                                      dlp_file_set *files, dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif

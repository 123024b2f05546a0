/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Models in the language of BUGS and JAGS: a text that says how data come about, and data.
 *
 *     const dlp_bugs_array data[] = {{"y", 1, &n, y}, {"n", 0, NULL, &size}};
 *     dlp_bugs_source source = dlp_bugs_source_default();
 *     source.model_text = "model { for (i in 1:n) { y[i] ~ dnorm(mu, 1) } mu ~ dnorm(0, 1e-4) }";
 *     source.array = data;
 *     source.n_arrays = 2;
 *     dlp_bugs *model = NULL;
 *     if (dlp_bugs_read(&source, &model, &error) == DLP_OK &&
 *         dlp_bugs_fit(model, NULL, &error) == DLP_OK)
 *         printf("%g\n", dlp_bugs_result_of(model)->node[0].margin.mean);
 *     dlp_bugs_free(model);
 */
#ifndef DELAPLACE_BUGS_H
#define DELAPLACE_BUGS_H

#include <delaplace/fit.h>
#include <delaplace/random_effects.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An array in memory, its first index running fastest, as in R; NaN: missing. */
typedef struct dlp_bugs_array {
    const char *name;
    int n_dim; /* 0: a scalar */
    const dlp_index *dim;
    const double *value;
} dlp_bugs_array;

/* What a model is read from. */
typedef struct dlp_bugs_source {
    size_t size;            /* of the struct, as the program knows it */
    const char *model_path; /* a file, or "-" for standard input; or else */
    const char *model_text; /* the text itself */
    const char *const *data_path; /* (n_data_paths) R's dump, JSON or CSV */
    int n_data_paths;
    const dlp_bugs_array *array; /* (n_arrays) more data */
    int n_arrays;
    const char *const *inits_path; /* (n_inits_paths) where to begin, as data */
    int n_inits_paths;
} dlp_bugs_source;

DLP_API void dlp_bugs_source_init(dlp_bugs_source *source, size_t size);
static inline dlp_bugs_source dlp_bugs_source_default(void)
{
    dlp_bugs_source source;
    dlp_bugs_source_init(&source, sizeof source);
    return source;
}

/* A model with its data; after a fit, with what is known of its nodes. */
typedef struct dlp_bugs dlp_bugs;

/* DLP_EINPUT where the model or the data are wrong: the error has the first message, and
   dlp_bugs_message, as long as *model is not NULL, all of them. */
DLP_API dlp_status dlp_bugs_read(const dlp_bugs_source *source, dlp_bugs **model,
                                 dlp_error *error);
DLP_API void dlp_bugs_free(dlp_bugs *model); /* NULL is fine */
/* What is wrong or doubtful, message by message, each with its place; NULL past the last. */
DLP_API const char *dlp_bugs_message(const dlp_bugs *model, int i);

typedef struct dlp_bugs_settings {
    size_t size;       /* of the struct, as the program knows it */
    const char *const *monitor; /* (n_monitors) nodes to summarise: "beta", "beta[2,1]"; none:
                                   all that are unknown, but arrays of more than 2,000 */
    int n_monitors;
    dlp_index draws;   /* for nodes that are functions of others; default 4096 */
    unsigned long seed; /* of the draws; default 1 */
    int threads;       /* default 0: one for each processor */
    dlp_progress_call *progress; /* default NULL; a non-zero return cancels */
    void *context;
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

typedef struct dlp_bugs_node {
    const char *name; /* "beta[2,1]", as JAGS writes it */
    dlp_margin margin;
} dlp_bugs_node;

/* How unknowns are treated: one line for each relation that defines some. */
typedef struct dlp_bugs_plan {
    const char *name;  /* of the variable */
    int line;          /* of the relation */
    dlp_index unknown; /* how many nodes */
    const char *factor; /* "points", "gaussian", "quadrature", "sum", "prediction" */
    const char *reason; /* why, as a clause */
} dlp_bugs_plan;

typedef struct dlp_bugs_result {
    dlp_outcome outcome;
    dlp_index n_nodes;
    const dlp_bugs_node *node; /* (n_nodes) in the order of the model's variables */
    dlp_index n_draws;
    const double *draw; /* (n_nodes, n_draws) of each node, one after the other */
    double log_evidence;
    dlp_index n_points;  /* unknowns that are integrated over by points, */
    int points;          /*     and how many points there are */
    dlp_index n_gaussian; /* unknowns in one Gaussian given those */
    dlp_index n_quadrature; /* groups of one or two that are integrated out one by one */
    int exact; /* non-zero: the Gaussian is no approximation */
    double shift; /* the farthest that a mean of the Gaussian lies from its mode, in sds */
    int n_plans;
    const dlp_bugs_plan *plan; /* (n_plans) */
    dlp_index not_summarised;  /* nodes of large arrays that were not asked for */
} dlp_bugs_result;

/* After a fit; the model's. */
DLP_API const dlp_bugs_result *dlp_bugs_result_of(const dlp_bugs *model);

/* The fit as JSON, to be freed; and into a file, whole or not at all. */
DLP_API dlp_status dlp_bugs_json(const dlp_bugs *model, char **text, size_t *size,
                                 dlp_error *error);
DLP_API dlp_status dlp_bugs_save(const dlp_bugs *model, const char *path,
                                 dlp_error *error);

#ifdef __cplusplus
}
#endif

#endif

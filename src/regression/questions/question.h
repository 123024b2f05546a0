/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to a fit: what their files share. Internal. */
#ifndef DLPI_REGRESSION_QUESTION_H
#define DLPI_REGRESSION_QUESTION_H

#include <delaplace/questions.h>

#include "core/pool.h"
#include "glm/families/family.h"
#include "regression/regression.h"

#include <math.h>

/* A column and the values that it takes in turn. */
typedef struct dlpi_dimension {
    dlp_index column; /* of the table */
    bool stated;      /* by settings.at */
    bool factor;      /* the fit treats it as a factor */
    bool logarithmic; /* numbers are evenly spaced in their logarithm */
    dlp_index n;
    const char *const *text; /* (n) */
    const double *number;    /* (n) NULL: texts are levels */
} dlpi_dimension;

/* The rows over which answers are averaged, before columns are set. */
typedef struct dlpi_question_rows {
    dlp_table table; /* its columns are the caller's, or of the pool */
    unsigned char *keep;
    dlp_index N;         /* how many are kept */
    bool typical_offset; /* each has the mean offset of the table, `offset` */
    double offset;
    double *share; /* (N) their shares, which add up to 1 */
    double *
        weight; /* (N) their weights in sums: the share, for slopes divided by the step */
} dlpi_question_rows;

/* N(mu, Sigma) of each of B independent blocks of n parameters, and draws from it. */
typedef struct dlpi_question_posterior {
    dlp_index B, n;
    const double *mu;     /* (B, n) */
    const double *Sigma;  /* (B, n, n) */
    const double *spread; /* (n, n) the covariance between groups that are averaged over;
                             or NULL */
    /* The groups of a hierarchy are independent given mu_0; how each moves with it:
       theta_b = ... + pull_b (mu_0 - E[mu_0]). NULL: blocks are independent */
    const double *pull;   /* (B, n, n) */
    const double *shared; /* (n, n) the covariance of mu_0 */
    dlp_index S;          /* draws */
    double *z;     /* (B n, S) standard normal; NULL: not drawn yet. With pull, n more
                      rows */
    double *root;  /* (B, n, n) Sigma = root root' */
    double *theta; /* (B, S, n) */
} dlpi_question_posterior;

struct dlpi_answering {
    dlp_answers answers; /* first: it is what clients have */
    struct dlpi_pool pool;
};

typedef struct dlpi_question {
    struct dlpi_answering *to;
    struct dlpi_pool *pool; /* of the answers */
    struct dlpi_pool scratch;
    const dlp_regression *of;
    const dlp_regression_result *r;
    const dlpi_family *family;
    const dlp_table *table;
    dlp_question_settings s;
    dlp_design *design; /* of the table as it is */
    dlpi_question_rows rows;
    dlpi_question_posterior post;
    bool linear;    /* the answer is a linear function of the parameters */
    dlp_index D, K; /* linear predictors; parts of an answer: 1, or the levels */
    dlp_index room; /* answers that there is memory for, of each kind */
} dlpi_question;

/* A column set to one value, or to each row's own value; numbers may be moved by `shift`
   steps. */
typedef struct dlpi_setting {
    const dlpi_dimension *dimension;
    dlp_index value; /* -1: each row's own */
    double shift;
    double range; /* that determines steps: dlpi_question_step */
} dlpi_setting;

/* How far to move from x for a slope there: little relative to x and to the range of its
   column. */
static inline double dlpi_question_step(double x, double range)
{
    return 1e-5 * fmin(fmax(fabs(x), 1e-4 * range), range);
}

/* The result of one setting of the columns. */
typedef struct dlpi_outcome {
    double *a;        /* (D, B n) the linear predictors are a'theta + constant */
    double *constant; /* (D) */
    double spread;    /* the variance of eta between groups that are averaged over */
    double *draw;     /* (K, S) the response at each draw; NULL where it is linear */
} dlpi_outcome;

/* The logarithm of the scale, 0 if there is none, and the second scale or the degrees of
   freedom. */
typedef struct dlpi_scales {
    double tau, second;
} dlpi_scales;

/* E[y] at a linear predictor and the scales. */
static inline double dlpi_question_mean(const dlpi_question *q, double eta,
                                        dlpi_scales at)
{
    return dlpi_family_mean(q->family, eta, at.tau, at.second);
}

/* The scales among the parameters of a block. */
static inline dlpi_scales dlpi_question_scales(const dlpi_question *q,
                                               const double *theta)
{
    const dlp_regression_result *r = q->r;
    if (!r->family->scale || r->n <= r->p) return (dlpi_scales){0, r->df};
    return (dlpi_scales){theta[r->p], dlpi_second_scale(r->family, theta, r->p, r->df)};
}

/* Whether E[y] depends on scales, and not on the linear predictor alone. */
static inline bool dlpi_question_has_scales(const dlpi_question *q)
{
    return q->family->mean_given && q->r->n > q->r->p;
}

/* ---- question.c ---- */

/* Begins a question; table NULL: it is about parameters alone. */
dlp_status dlpi_question_begin(dlpi_question *q, const dlp_regression *of,
                               const dlp_table *table, const dlp_question_settings *s,
                               dlp_error *error);
/* Ends it: hands over the answers or, on failure, releases them. */
dlp_status dlpi_question_end(dlpi_question *q, dlp_status status, dlp_answers **answers);
/* Room for as many answers of each kind. */
dlp_status dlpi_question_room(dlpi_question *q, dlp_index values, dlp_index changes,
                              dlp_error *error);
/* The next answer, labelled; the caller fills it in. */
dlp_answer *dlpi_question_value(dlpi_question *q);
dlp_answer *dlpi_question_change(dlpi_question *q);
/* Draws the parameters, unless that is done already. */
dlp_status dlpi_question_draw(dlpi_question *q, dlp_error *error);

/* ---- question_summary.c ---- */

/* For N(mean, sd^2); exponentiated if asked for. */
dlp_status dlpi_answer_normal(const dlpi_question *q, double mean, double sd,
                              dlp_answer *out, dlp_error *error);
/* For a'theta + constant; a (B n). */
dlp_status dlpi_answer_linear(const dlpi_question *q, const double *a, double constant,
                              dlp_answer *out, dlp_error *error);
/* For draws (S), which are overwritten. */
dlp_status dlpi_answer_draws(const dlpi_question *q, double *h, dlp_answer *out,
                             dlp_error *error);
/* Mean and variance of a'theta. */
void dlpi_linear_moments(const dlpi_question *q, const double *a, double *mean,
                         double *variance);

/* ---- question_by.c ---- */

enum { DLPI_MOST_BY = 8 };

/* The columns that a question is about, and those that separate its answers. */
typedef struct dlpi_asked {
    dlp_index n_of, n; /* those asked about come first */
    dlpi_dimension dimension[2 * DLPI_MOST_BY];
    dlp_index combinations;    /* of the values of columns that separate answers */
    dlp_index of_combinations; /* and of the others */
    dlpi_setting setting[2 * DLPI_MOST_BY];
} dlpi_asked;

/* For columns "a", or several as "a:b"; numbers take so many points. */
dlp_status dlpi_asked_make(dlpi_question *q, const char *of, bool several,
                           dlp_index points, dlpi_asked *asked, dlp_error *error);
/* Sets the columns of combination c, and its labels; NULL: out of memory. */
const char *const *dlpi_asked_by(dlpi_question *q, dlpi_asked *asked, dlp_index c);
const char *dlpi_asked_of(dlpi_question *q, dlpi_asked *asked, dlp_index c);

/* ---- question_grid.c ---- */

/* The distance from the smallest to the largest number of a column. */
double dlpi_question_range(const dlpi_question *q, dlp_index column);

/* The column of that name that the fit uses, with the values that it takes: those stated,
   its levels or, for numbers, the mean (points 0), as many as `points` from the smallest
   to the largest, or (points -1) the mean and one sd to either side. */
dlp_status dlpi_question_dimension(dlpi_question *q, const char *name, dlp_index points,
                                   dlpi_dimension *out, dlp_error *error);
/* Whether it has numbers, all of them 0 or 1. */
bool dlpi_question_is_binary(const dlpi_question *q, const dlpi_dimension *d);
/* The rows to average over, once the columns that are asked about are known. */
dlp_status dlpi_question_rows_make(dlpi_question *q, dlp_index n,
                                   const dlpi_dimension *asked, dlp_error *error);

/* ---- question_outcome.c ---- */

/* What the fit says with the columns set in this way. */
dlp_status dlpi_question_outcome(dlpi_question *q, dlp_index n,
                                 const dlpi_setting *setting, dlpi_outcome *out,
                                 dlp_error *error);
/* Answers about it, or about its difference from another, multiplied by `times`; category
   k. */
dlp_status dlpi_answer_outcome(dlpi_question *q, const dlpi_outcome *a,
                               const dlpi_outcome *b, double times, dlp_index k,
                               dlp_answer *out, dlp_error *error);
/* E[y] at eta, over groups with that variance of eta between them */
double dlpi_question_response(const dlpi_question *q, double eta, dlpi_scales scales,
                              double variance);
/* How many answers an outcome has. */
dlp_index dlpi_question_parts(const dlpi_question *q);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixed models: y_r ~ p(y | eta_r, tau), eta = X beta + sum_t Z_t b_t + offset, with the
 * effects of a level of term t drawn from N(0, Lambda_t), or those of all its levels from
 * a process (process.h). The coefficients of a smooth, which are part of beta, are drawn
 * from N(0, sd^2). psi determines the Lambdas, these sds and the scale (hyper.h).
 *
 * Given psi, the effects of one term, the leaves, are independent given all others, and
 * are integrated out one level at a time (leaves.h); the others and beta, x, are
 * approximated by a Gaussian at the mode of what is left (block.h). psi is integrated
 * over by nodes (infer/explore.h). Internal.
 */
#ifndef DLPI_MIXED_H
#define DLPI_MIXED_H

#include <delaplace/random_effects.h>
#include <math.h>
#include <stdint.h>

#include "comm/division.h"
#include "infer/rows.h"
#include "mixed/process/process.h"

#include <stdbool.h>

/* Effects that vary by the levels of a factor, with one covariance matrix. */
typedef struct dlpi_mixed_term {
    dlp_index L;            /* levels */
    dlp_index q;            /* effects of a level */
    const int32_t *code;    /* (N) the level of each row */
    const double *const *x; /* (q) columns, each (N); NULL: ones */
    const dlpi_process
        *process; /* of its L nodes, with q = 1; NULL: levels are independent */
} dlpi_mixed_term;

/* The wiggly part of a smooth: columns of X whose coefficients share an sd. */
typedef struct dlpi_mixed_smooth {
    dlp_index first, n; /* columns */
} dlpi_mixed_smooth;

/*
 * Columns whose coefficients are gaps between cut points: exp(x), where beta holds x.
 * Besides that of the rows, the log likelihood has a term `times` log(1 - exp(-gap)) for
 * each; ordinal.h explains why.
 */
typedef struct dlpi_mixed_gaps {
    dlp_index first, n;  /* columns, of no smooth */
    const double *times; /* (n) */
} dlpi_mixed_gaps;

/*
 * Where each process has some levels of the only term, with all their rows: the term and its
 * rows are then those of this process, its levels counted from 0.
 */
typedef struct dlpi_mixed_division {
    dlpi_division *leaves; /* the levels of all processes */
    dlp_index N;           /* their rows, */
    dlp_index most_rows;   /*     and those of the largest level */
    double **columns;      /* memory of the rows, freed once they are copied; or NULL */
} dlpi_mixed_division;

/* A model with more columns has all rows in each process. */
enum { DLPI_DIVISIBLE_COLUMNS = 64 };

typedef struct dlpi_mixed_data {
    dlpi_likelihood *likelihood;
    dlp_index scales; /* how many tau: logarithms of scales or, with `levels`, of gaps */
    dlp_index
        levels; /* of an ordered response: y is 0, 1, ..., and the first cut point is the
                   coefficient of a column of -1; else 0, and rows.df is a second scale */
    bool is_linear; /* the likelihood is a Gaussian in eta */
    bool positive;  /* it is 0 unless eta is above 0 */
    dlp_index N, p;
    const double *const *X; /* (p) columns, each (N) */
    const double *y;        /* (N) */
    const double *trials;   /* (N) or NULL: 1 each; censored: see infer/rows.h */
    double df;              /* student */
    const double *weight;   /* (N) or NULL: 1 each */
    const double *offset;   /* (N) or NULL: 0 each */
    double absorbed;   /* the weight of further rows of a Gaussian response, whose sum
                               of squares is part of those here (fewer_rows.h); */
    double rounding;   /* and a sum of squares for the rounding errors of the response:
                               its sd never becomes 0 */
    dlp_index n_terms; /* terms and smooths: at least 1 */
    const dlpi_mixed_term *term;
    dlp_index n_smooths;
    const dlpi_mixed_smooth *smooth; /* one after another, up to the last column of X */
    dlpi_mixed_gaps gaps;
    /* The number of linear predictors of a multinomial response, one for each level but
       the first. The columns of X outside smooths, those of each term, and those of each
       smooth are repeated for each predictor, one block after another, and so are
       coefficients and effects. A level's effects on two predictors are independent, and
       a smooth has an sd for each predictor. A process is as many terms, one after
       another, each for its own predictor. There is no `likelihood` then (softmax.h). 0:
       one predictor. */
    dlp_index predictors;
    const dlpi_mixed_division *division; /* NULL: this process has all rows */
} dlpi_mixed_data;

typedef struct dlpi_mixed_prior {
    const double *mean;      /* (p) of beta, or NULL: 0 */
    const double *precision; /* (p, p) of beta; its entries for smooths are not read */
    /* (sum of q, and one for each smooth) the prior of each sd, term by term, or NULL:
       half Student-t */
    const dlp_sd_prior *sd;
    const double *sd_scale; /* as many scales of the latter */
    double sd_df;
    const double *lkj;  /* (n_terms, then smooths) eta of LKJ's prior, or NULL: */
    double correlation; /* the same for all terms */
    const double
        *share; /* (n_terms, 2) a and b of the Beta prior of bym2's share, or NULL:
                                uniform. The correlation of ar1 has LKJ's, with lkj */
    double tau_mean, tau_sd; /* of the log of the scale, normal, */
    const double *tau;       /* or (scales, 2) mean and sd of each */
} dlpi_mixed_prior;

/* The number of values that a likelihood needs besides eta: tau, followed by the cut
   points of `levels`. */
static inline dlp_index dlpi_mixed_told(const dlpi_mixed_data *data)
{
    return data->scales + data->levels + 1;
}

/* Sets these in rows that are about to be evaluated. */
static inline void dlpi_mixed_tell(const dlpi_mixed_data *data, const double *tau,
                                   dlpi_rows *rows)
{
    rows->df = data->levels == 0 && data->scales > 1 ? exp(tau[1]) : data->df;
    rows->levels = data->levels;
    rows->gap = tau;
    rows->cut = tau + data->scales;
}

/* The number of levels of term t, in all processes; for a smooth, which comes after the
   terms, of columns. */
static inline dlp_index dlpi_mixed_levels(const dlpi_mixed_data *data, dlp_index t)
{
    if (data->division) return data->division->leaves->rows;
    return t < data->n_terms ? data->term[t].L : data->smooth[t - data->n_terms].n;
}

/* The number of columns of X outside smooths; they come first. */
static inline dlp_index dlpi_mixed_fixed(const dlpi_mixed_data *data)
{
    return data->n_smooths > 0 ? data->smooth[0].first : data->p;
}

#endif

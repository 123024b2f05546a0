/* SPDX-License-Identifier: BSD-3-Clause */
/* A mixed model with its hyperparameters integrated out. Internal. */
#ifndef DLPI_MIXED_FIT_H
#define DLPI_MIXED_FIT_H

#include <delaplace/fit.h>

#include "infer/listener.h"
#include "infer/psi_points.h"
#include "mixed/mixed.h"
#include "mixed/tilt.h"

typedef struct dlpi_mixed_effects {
    dlp_index L, q;
    double *mean;            /* (L, q) */
    double *variance;        /* (L, q, q) */
    double *with_beta;       /* (L, q, n) covariances with beta and tau */
    dlp_margin *sd;          /* (q) between levels */
    dlp_margin *correlation; /* (q (q - 1) / 2) of effects 0 1, 0 2, 1 2, 0 3, ... */
    double *covariance;      /* (q, q) E[Lambda]; for a process E[sd^2] */
    dlp_margin second;       /* of a process: its correlation or share */
    double *next; /* (L) for a process: the covariance of a node with the next, where its
                     precision links them, else 0; or NULL */
} dlpi_mixed_effects;

/* Covariances between the effects of two terms, for levels that occur together in a
   row. */
typedef struct dlpi_mixed_pairs {
    dlp_index first, second; /* the terms */
    dlp_index n;
    int32_t *level;     /* (n, 2) one of each, sorted by the first, then by the second */
    double *covariance; /* (n, q of the first, q of the second) */
    int32_t *slot;      /* (n) where a leaf sees the other level, or NULL */
} dlpi_mixed_pairs;

/* Points that represent the scales, to draw from: scale_mixture.h. */
typedef struct dlpi_scale_mixture {
    dlp_index n, m;     /* points, and numbers per point; 0: there are none */
    double *value;      /* (n, m) */
    int32_t *point;     /* (n) which Gaussian beta has there */
    dlp_index points;   /* how many of these there are */
    double *mean;       /* (points, p) */
    double *covariance; /* (points, p, p) */
} dlpi_scale_mixture;

typedef struct dlpi_mixed_result {
    dlp_outcome outcome;
    long evaluations;    /* of the log likelihood */
    int points;          /* of psi */
    double log_evidence; /* log p(y) */
    bool by_laplace;     /* too many effects per level for quadrature */
    bool by_design;      /* psi was evaluated at few points, and its density is not
                            normal; */
    bool is_adapted;     /* the points were adapted to what the first of them showed */
    double cut;          /* the weight of points of psi with a neighbour that has no
                            fit */
    double lean;         /* how skewed a coefficient is given psi, skewness.h */
    double left_out;     /* how much what Laplace's method leaves out of crossed effects
                            varies with psi, as far as that is known */
    dlp_index n;         /* p, and one more for each tau */
    double *beta;        /* (n) means; for a scale, of its logarithm */
    double *covariance;  /* (n, n) */
    dlp_margin *margin;  /* (n) for a scale, not for its logarithm */
    double
        *linear; /* with gaps: mean and covariance (p + p^2, or n + n^2 with `levels`) of
                   beta, with gaps and not their logarithms; else NULL */
    dlp_index n_terms, p;        /* terms, followed by smooths, */
    dlpi_mixed_effects *effects; /* (n_terms) whose L is 0: they only have an sd */
    dlp_index n_pairs;
    dlpi_mixed_pairs *pairs; /* (n_pairs) for every two terms */
    dlpi_scale_mixture scale_mixture;
} dlpi_mixed_result;

struct dlpi_mixed_found;
typedef struct dlpi_mixed_settings {
    int threads;
    const double *start;     /* (p) where to look for beta first, or NULL: 0 */
    const double *tau_start; /* (scales) and for tau, or NULL: 0 */
    int laplace;             /* 1: no quadrature */
    int only_mode;           /* 1: psi at its mode, not integrated over */
    dlpi_listener *listener; /* or NULL */
    struct dlpi_comm
        *comm; /* processes that share the same model, or NULL: only this one */
    dlpi_mixed_tilt tilt; /* for draws that are weighted; the fit does not know it */
    /* Called with the model when the fit is complete, before it is freed; or NULL.
       score.h */
    dlp_status (*after)(void *context, const struct dlpi_mixed_found *found,
                        dlp_error *error);
    void *context;
} dlpi_mixed_settings;

dlp_status dlpi_mixed_fit(const dlpi_mixed_data *data, const dlpi_mixed_prior *prior,
                          const dlpi_mixed_settings *settings, dlpi_mixed_result *result,
                          dlp_error *error);
void dlpi_mixed_result_clear(dlpi_mixed_result *result); /* fine on a zeroed one */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Derivatives are never trusted: compare a model's own with differences. */
#ifndef DELAPLACE_CHECK_H
#define DELAPLACE_CHECK_H

#include <delaplace/model.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The worst entry of one derivative, over all points. */
typedef struct dlp_check_entry {
    int checked;     /* 0: the model does not offer this derivative */
    double error;    /* |analytic - numeric|, relative to the entry (or, where that is
                        smaller, to what differences can resolve) */
    double analytic; /* what the model wrote */
    double numeric;  /* what differences give */
    dlp_index i, j;  /* the entry; j is -1 for a gradient */
    dlp_index point; /* the point, from 0 */
} dlp_check_entry;

typedef struct dlp_check {
    dlp_check_entry gradient;   /* of f, against differences of f */
    dlp_check_entry hessian;    /* against differences of the gradient */
    dlp_check_entry trace_grad; /* against differences of Tr{hess f Sigma} */
    dlp_check_entry eta_trace;  /* i: component of eta; against differences of eta */
    dlp_check_entry marginal;   /* gradient or Hessian of `marginal`, the worse */
    double error;               /* the largest of them */
} dlp_check;

/*
 * Checks all derivatives that the model offers, at the given points (n_points, n) or, if
 * points is NULL, at n_points draws from N(0, I) keyed by seed; Sigma for the traces is a
 * random positive definite matrix of the model's shape. The model's q(z) is used as it
 * is. A point where f is not finite is an error, and so is whatever the model's `failure`
 * reports. Correct derivatives give an error around 1e-9, wrong ones usually 1e-2 or
 * more. Cost: n gradients and 2n Hessians per point, O(n^2) memory: for small instances.
 */
DLP_API dlp_status dlp_check_derivatives(const dlp_model *model, dlp_index n_points,
                                         const double *points, uint64_t seed,
                                         dlp_check *check, dlp_error *error);

/* One line in words, into buffer: "hessian (3,1): model 2.5, differences 2.385". */
DLP_API void dlp_check_describe(const dlp_check *check, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif

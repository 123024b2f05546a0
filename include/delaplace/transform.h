/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constrained parameters. The engine works on all of R^n; a model over constrained psi is
 * passed to it through transforms psi = T(theta), with the Jacobian in f:
 *     f(theta) = f_psi(T(theta)) + log |dT/dtheta|
 * so that q(theta) is Gaussian while psi satisfies its constraints. (Section 2.2, item 1:
 * a distribution over log(theta - theta_0).)
 */
#ifndef DELAPLACE_TRANSFORM_H
#define DELAPLACE_TRANSFORM_H

#include <delaplace/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dlp_transform_kind {
    DLP_REAL,     /* psi = theta, n components */
    DLP_POSITIVE, /* psi = lower + exp(theta), n components */
    DLP_INTERVAL, /* psi = lower + (upper - lower) sigma(theta), n components */
    DLP_SIMPLEX   /* psi (n) on the simplex from theta (n-1):
                     psi_k = exp(theta_k) / (1 + sum_j exp(theta_j)), psi_n the rest */
} dlp_transform_kind;

/* A run of consecutive components with the same transform. */
typedef struct dlp_transform {
    dlp_transform_kind kind;
    dlp_index n;         /* components of psi */
    double lower, upper; /* if the kind needs them */
} dlp_transform;

/* The number of components of theta: n, or n - 1 for a simplex. */
DLP_API dlp_index dlp_transform_dimension(const dlp_transform *t);

/* psi = T(theta). */
DLP_API void dlp_transform_apply(const dlp_transform *t, const double *theta,
                                 double *psi);
/* theta = T^-1(psi); NaN where psi violates the constraint. */
DLP_API void dlp_transform_invert(const dlp_transform *t, const double *psi,
                                  double *theta);
/* log |dT/dtheta|; for the simplex, of its first n-1 components. */
DLP_API double dlp_transform_log_jacobian(const dlp_transform *t, const double *theta);

/*
 * A model over theta made from a model over psi. The transforms, in order, cover psi. All
 * kinds except DLP_SIMPLEX keep any shape of Hessian; a simplex needs a dense one. The
 * inner model's f and derivatives are with respect to psi; its trace_grad is not used. A
 * model with z works, too: instead of expect_eta, eta is used (eq:eta-theta-approx),
 * evaluated at T(theta).
 */
typedef struct dlp_transformed dlp_transformed;

/* The transforms are copied; the inner model's state must outlive this one. DLP_EINVAL if
   they do not cover psi, DLP_ENOMEM; *transformed is then NULL. */
DLP_API dlp_status dlp_transformed_alloc(const dlp_model *inner, dlp_index n_transforms,
                                         const dlp_transform *transforms,
                                         dlp_transformed **transformed, dlp_error *error);
DLP_API void dlp_transformed_free(dlp_transformed *transformed); /* NULL is fine */
DLP_API dlp_model dlp_transformed_model(dlp_transformed *transformed);
/* psi = T(theta), all components. */
DLP_API void dlp_transformed_apply(const dlp_transformed *transformed,
                                   const double *theta, double *psi);
DLP_API void dlp_transformed_invert(const dlp_transformed *transformed, const double *psi,
                                    double *theta);

#ifdef __cplusplus
}
#endif

#endif

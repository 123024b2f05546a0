/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Priors that models share: independent Gaussian or Student-t parameters, or one Gaussian
 * with a full covariance. Internal.
 */
#ifndef DLPI_GLM_PRIOR_H
#define DLPI_GLM_PRIOR_H

#include <delaplace/sym.h>

typedef struct dlpi_prior {
    dlp_index n;
    double *mean;      /* (n) */
    double *sd;        /* (n) independent priors: the scale */
    double *df;        /* (n) independent priors: 0 Gaussian, > 0 Student-t */
    double *off;       /* (2n) scratch */
    double *precision; /* (n, n) of a full Gaussian, or NULL: independent */
    double constant;   /* of log p(theta) */
} dlpi_prior;

/* n independent N(0, 1) parameters. */
dlp_status dlpi_prior_alloc(dlpi_prior *prior, dlp_index n, dlp_error *error);
/* The first n parameters of another; the rest are independent of them and Gaussian. */
dlp_status dlpi_prior_take(dlpi_prior *prior, const dlpi_prior *from, dlp_index n,
                           dlp_error *error);
void dlpi_prior_free(dlpi_prior *prior); /* fine on a zeroed or failed one */

/* Recomputes the constant after mean, sd or df were set. */
void dlpi_prior_settle(dlpi_prior *prior);
/* From here on N(mean, covariance) with covariance (n, n), both copied. DLP_EINVAL when
   it is not positive definite. */
dlp_status dlpi_prior_set_gaussian(dlpi_prior *prior, const double *mean,
                                   const double *covariance, dlp_error *error);

/* Makes room for a full Gaussian, so that the next function needs none. */
dlp_status dlpi_prior_make_full(dlpi_prior *prior, dlp_error *error);
/* From here on N(mean, precision^-1), both copied; log_det is that of the covariance. */
void dlpi_prior_share(dlpi_prior *prior, const double *mean, const double *precision,
                      double log_det);

/* log p(theta). Adds its gradient to grad and its Hessian to the upper triangle of the
   dense H (n, n), where they are not NULL. */
double dlpi_prior_add(dlpi_prior *prior, const double *theta, double *grad, double *H);
/* For a Gaussian prior: adds its precision P_0 to the upper triangle of P (n, n), and P_0
   mean to h (n); returns log p(0). */
double dlpi_prior_add_natural(const dlpi_prior *prior, double *P, double *h);
/* Adds the gradient of Tr{hess log p(theta) Sigma}, Sigma (n, n) dense. */
void dlpi_prior_add_trace_grad(const dlpi_prior *prior, const double *theta,
                               const double *Sigma, double *grad);

#endif

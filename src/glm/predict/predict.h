/* SPDX-License-Identifier: BSD-3-Clause */
/* What the predictions of the families share. Internal. */
#ifndef DLPI_GLM_PREDICT_H
#define DLPI_GLM_PREDICT_H

#include "glm/families/family.h"

#include <delaplace/glm.h>

/* E[g(Z)], Z ~ N(0,1), is sum_k dlpi_node_weight(k) g(dlpi_node(k)), k < DLPI_NODES: the
   trapezoidal rule over [-6, 6]. For functions that are smooth on the scale of its step
   it converges faster than any power, and a steep link, sharp beside a wide q, hurts it
   less than Gauss-Hermite. */
enum { DLPI_NODES = 61 };
double dlpi_node(int k);
double dlpi_node_weight(int k);

/* Row i of X into row (p), so that sums over it run along memory. */
void dlpi_load_row(const dlp_glm_data *data, dlp_index i, double *row);
/* row'S row over a block (p, p) of Sigma, whose rows are n apart. */
double dlpi_quadratic(dlp_index p, const double *row, const double *S, dlp_index n);
/* Replaces the lower triangle of A (m, m), a covariance, by L with LL' = A. Where
   rounding makes A indefinite, the offending part is dropped. */
void dlpi_root(dlp_index m, double *A);

/* The linear predictor of a row and the logarithm of the scale under q. Families without a
   scale have tau = tau_sd = 0. */
typedef struct dlpi_predictor {
    double eta, eta_sd;
    double tau, tau_sd;
    double slope;                /* E[eta | tau] = eta + slope (tau - E[tau]) */
    double given_sd;             /* of eta given tau */
    double second, of_second[3]; /* the logarithm of a second scale, and its covariances
                                    with eta, tau and itself; 0: there is none */
} dlpi_predictor;
/* For row i, which is loaded, with extra variance of eta beyond that of the
   coefficients. */
dlpi_predictor dlpi_predictor_of(const dlpi_family *family, const dlp_glm_data *data,
                                 dlp_index i, const double *row, const double *mu,
                                 const dlp_sym *Sigma, double more);

/* log E[p(y_i | eta, tau)] under q; rows is scratch space. */
double dlpi_log_density_averaged(const dlpi_family *family, const dlp_glm_data *data,
                                 dlp_index i, const dlpi_predictor *q, dlpi_rows *rows);

/* The share below the upper end of an interval. */
static inline double dlpi_upper_quantile(const dlp_glm_prediction *out)
{
    return out->interval_level > 0 && out->interval_level < 1
               ? 0.5 + 0.5 * out->interval_level
               : 0.975;
}

/* What random effects add to the D linear predictors of rows; NULL: nothing. */
typedef struct dlpi_added {
    const double *mean;      /* (N, D) for families with levels; for others it is in the
                                offset */
    const double *variance;  /* (N, D, D) in addition to that of the coefficients */
    const double *with_cuts; /* (N, levels - 1) ordinal: their covariances with delta */
} dlpi_added;

/* dlp_glm_predict for rows with random effects. */
dlp_status dlpi_glm_predict(const char *family, const char *link,
                            const dlp_glm_data *data, const double *mu,
                            const dlp_sym *Sigma, const dlpi_added *added,
                            const dlp_glm_prediction *out, dlp_error *error);

/* dlp_glm_predict for families of several levels, checks done. */
dlp_status dlpi_predict_levels(const dlpi_family *family, const dlp_glm_data *data,
                               const double *mu, const dlp_sym *Sigma,
                               const dlpi_added *added, const dlp_glm_prediction *out,
                               dlp_error *error);

/* The part of dlp_glm_predict about new responses: observed_lower and observed_upper. */
dlp_status dlpi_predict_observed(const dlpi_family *family, const dlp_glm_data *data,
                                 const double *mu, const dlp_sym *Sigma,
                                 const double *more, const dlp_glm_prediction *out,
                                 dlp_error *error);

/* P(Y < y) and P(Y <= y) for the response of row i, in a family without levels, with eta
   and tau integrated out under q. For a response known to an interval, the shares below
   its ends. */
void dlpi_predictive_cdf(const dlpi_family *family, const dlp_glm_data *data, dlp_index i,
                         const dlpi_predictor *q, double *below, double *up_to);

#endif

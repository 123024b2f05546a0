/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The special functions the paper needs, as scalars and over arrays.
 *
 * All but dlp_student_cdf, which no fit calls, are correct to 2e-15, relative, near their
 * zeros too, over the whole range of a double, subnormal arguments included. Overflow
 * gives the right infinity; a subnormal result is off by at most one in its last bit. NaN
 * in gives NaN out; nothing sets errno.
 *
 * The array forms write y[i] = function(x[i]) for i < n; y may be x itself, but must not
 * overlap it otherwise. The values have the same bits as those of the scalar form: they
 * depend only on x[i], not on n, i, or the vector unit of the machine.
 */
#ifndef DELAPLACE_SPECIAL_H
#define DELAPLACE_SPECIAL_H

#include <delaplace/export.h>
#include <delaplace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* log Gamma(x), x > 0; +inf at 0, NaN below. */
DLP_API double dlp_lgamma(double x);
/* Psi(x) = d/dx log Gamma(x), x > 0; -inf at 0, NaN below. */
DLP_API double dlp_digamma(double x);
/* Psi'(x), x > 0; +inf at 0, NaN below. */
DLP_API double dlp_trigamma(double x);
/* Psi''(x), x > 0; -inf at 0, NaN below. */
DLP_API double dlp_tetragamma(double x);

/* sigma(x) = 1/(1+exp(-x)), without overflow. */
DLP_API double dlp_logistic(double x);
/* log sigma(x) = -log(1+exp(-x)), without overflow. */
DLP_API double dlp_log_logistic(double x);
/* log(1+exp(x)) = -log sigma(-x), without overflow. */
DLP_API double dlp_log1pexp(double x);

/* The standard normal distribution function and its inverse (p in [0,1]; -inf at 0, +inf
   at 1, NaN outside). */
DLP_API double dlp_normal_cdf(double x);
DLP_API double dlp_normal_quantile(double p);

/* P(T <= t) for Student's t with df > 0 degrees of freedom (NaN otherwise), to 1e-13,
   relative; for the upper tail use -t. */
DLP_API double dlp_student_cdf(double t, double df);

/* A paired t-test: are the a[i] larger than the b[i] of the same i? */
typedef struct dlp_paired_test {
    double difference; /* the mean of a[i] - b[i] */
    double t;          /* NaN if all differences are the same, or there is only one */
    dlp_index df;      /* n - 1 */
    double p; /* the one-sided p-value for "larger". That for "smaller" is 1 - p, the
                 two-sided one twice the smaller of the two */
} dlp_paired_test;

/* n must be at least 1. O(n). */
DLP_API dlp_paired_test dlp_paired_test_of(dlp_index n, const double *a, const double *b);

/* The mean of x (n); NaN for n < 1. */
DLP_API double dlp_mean(dlp_index n, const double *x);
/* The median of x (n, none of them NaN): the mean of the middle two if n is even. O(n log
   n). DLP_ENOMEM, or DLP_EINVAL if n < 1. */
DLP_API dlp_status dlp_median(dlp_index n, const double *x, double *median,
                              dlp_error *error);

/* log sum_i exp(x[i]), without overflow; -inf for n = 0. The error is at most 1e-15
   times the larger of 1 and the value, for any n. */
DLP_API double dlp_logsumexp(dlp_index n, const double *x);

/* y[i] = the function of that name at x[i]; exp and the logarithm of the normal
   distribution function exist only in this form. */
DLP_API void dlp_lgamma_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_digamma_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_trigamma_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_tetragamma_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_exp_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_logistic_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_log_logistic_array(dlp_index n, const double *x, double *y);
DLP_API void dlp_normal_log_cdf_array(dlp_index n, const double *x, double *y);

#ifdef __cplusplus
}
#endif

#endif

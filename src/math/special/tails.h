/* SPDX-License-Identifier: BSD-3-Clause */
/* The tails of the gamma and beta distributions: the regularised incomplete functions. No
   fit calls them; predictions of new responses do. Internal. */
#ifndef DLPI_MATH_TAILS_H
#define DLPI_MATH_TAILS_H

/* Both tails, so that each keeps its digits where it is tiny. They add up to 1. */
typedef struct dlpi_tails {
    double lower, upper;
} dlpi_tails;

/* P(G <= x) and P(G > x) of G ~ Gamma(a, 1): P(a, x) and Q(a, x). a > 0, x >= 0, either
   may be infinite; the smaller tail is right to 1e-11, relative. O(1) for large a. */
dlpi_tails dlpi_gamma_tails(double a, double x);

/* P(B <= x) and P(B > x) of B ~ Beta(a, b): I_x(a, b), and I_y(b, a) with y = 1 - x,
   which is passed besides x so that it keeps its digits. a, b > 0. Precision and cost as
   above. */
dlpi_tails dlpi_beta_tails(double a, double b, double x, double y);

/* I_x(a, b) B(a, b) / (x^a y^b), for x < (a+1) / (a+b+2). */
double dlpi_beta_fraction(double a, double b, double x, double y);

/* ---- what both are made of ---- */

/* Both tails from one of them, which rounding may have left above 1. */
static inline dlpi_tails dlpi_tails_from_lower(double lower)
{
    return lower < 1 ? (dlpi_tails){lower, 1 - lower} : (dlpi_tails){1, 0};
}

static inline dlpi_tails dlpi_tails_from_upper(double upper)
{
    return upper < 1 ? (dlpi_tails){1 - upper, upper} : (dlpi_tails){0, 1};
}

/* log Gamma(a+1) - (a + 1/2) log a + a - log(2 pi)/2, a > 0: the remainder of Stirling's
   formula. */
double dlpi_stirling_rest(double a);
/* x log(x/m) + m - x for x, m > 0, without cancellation where x is close to m. */
double dlpi_deviance(double x, double m);

/* A density relative to its value at t = 0, decreasing from there: (1 + t/x)^p (1 -
   t/y)^q exp(r t), up to t = y if q > 0. */
typedef struct dlpi_descent {
    double p, x, q, y, r;
} dlpi_descent;
/* Its integral over t > 0; p + q should be large. */
double dlpi_descent_integral(const dlpi_descent *d);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A density of one variable whose logarithm is known at nodes, and interpolated by a
 * cubic spline whose curvature is constant in the first and last intervals: exact for a
 * normal density. Internal.
 */
#ifndef DLPI_MATH_LOG_CURVE_H
#define DLPI_MATH_LOG_CURVE_H

#include <stdbool.h>

enum {
    DLPI_LOG_CURVE_NODES = 96,
    DLPI_LOG_CURVE_PARTS = 16 /* into which a space between nodes is divided */
};

typedef struct dlpi_log_curve {
    int n;
    double u[DLPI_LOG_CURVE_NODES];     /* ascending */
    double log_p[DLPI_LOG_CURVE_NODES]; /* up to a constant */
    double bend[DLPI_LOG_CURVE_NODES];  /* the spline's second derivatives */
    double mean, sd;
    double mass; /* the integral of exp(log_p - top) */
    double top;  /* the highest log_p */
} dlpi_log_curve;

/* Computes the rest from n, u and log_p; false: fewer than five nodes, or not a
   density. */
bool dlpi_log_curve_settle(dlpi_log_curve *curve);
/* The probability below x; 0 and 1 beyond the nodes. */
double dlpi_log_curve_below(const dlpi_log_curve *curve, double x);
/* The mean and the sd of exp(u). */
void dlpi_log_curve_exp(const dlpi_log_curve *curve, double *mean, double *sd);
/* The inverse: the u below which the probability is `share`. */
double dlpi_log_curve_quantile(const dlpi_log_curve *curve, double share);

#endif

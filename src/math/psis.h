/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pareto-smoothed importance sampling (Vehtari, Simpson, Gelman, Yao & Gabry): the
 * largest importance weights are replaced by the order statistics that a generalised
 * Pareto distribution, fitted to them, expects; its shape k tells whether they can be
 * trusted.
 */
#ifndef DLPI_MATH_PSIS_H
#define DLPI_MATH_PSIS_H

#include <stddef.h>

#include <delaplace/status.h>
#include <delaplace/verification.h>

/* For k up to DLP_TAIL_K_LIGHT, estimates with these weights are reliable; above
   DLP_TAIL_K_FAIR their error is unknown however many draws there are. */
struct dlpi_psis {
    double k;    /* the tail's shape; infinite if the tail is too short to tell */
    double size; /* the effective number of draws, 1 / sum w^2 */
};

/* Smooths the n log weights in place and normalises them, so that
   sum exp(log_weight) = 1. A log weight of -infinity stays so. n >= 1, at least one
   weight is finite, and none is NaN or +infinity. O(n log n). DLP_ENOMEM. */
dlp_status dlpi_psis(double *log_weight, size_t n, struct dlpi_psis *psis);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the prior of coefficients has beyond the Gaussian that a mixed model takes. Internal. */
#ifndef DLPI_MIXED_TILT_H
#define DLPI_MIXED_TILT_H

typedef struct dlpi_mixed_tilt {
    /* log p(beta) less that of the Gaussian; NULL: there is no more */
    double (*log_ratio)(const void *context, const double *beta);
    const void *context;
} dlpi_mixed_tilt;

#endif

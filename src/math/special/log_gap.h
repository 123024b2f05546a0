/* SPDX-License-Identifier: BSD-3-Clause */
/* log(1 - exp(-gap)) as a function of the logarithm of the gap. Internal. */
#ifndef DLPI_MATH_LOG_GAP_H
#define DLPI_MATH_LOG_GAP_H

/* A(d) = log(1 - exp(-exp d)); its first three derivatives go to out (3). */
double dlpi_log_gap(double d, double out[3]);

#endif

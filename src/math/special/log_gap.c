/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/special/log_gap.h"

#include <math.h>

/* With t = exp d and h = t/(exp(t)-1), A' = h, A'' = h (1-t-h), A''' = A'' (1-t-2h) - h t */
double dlpi_log_gap(double d, double out[3])
{
    const double t = exp(d), h = t < 1e-300 ? 1 : t > 700 ? 0 : t / expm1(t);
    out[0] = h;
    out[1] = h > 0 ? h * (1 - t - h) : 0;
    out[2] = h > 0 ? out[1] * (1 - t - 2 * h) - h * t : 0;
    return t < 1e-300 ? d : log(-expm1(-t));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "math/special/gauss_hermite.h"

#include <math.h>

/* The orthonormal Hermite polynomial of degree n at t, and the one before it. */
static double hermite(int n, double t, double *before)
{
    double last = 0, p = 0.75112554446494248286; /* pi^(-1/4) */
    for (int k = 0; k < n; k++) {
        const double next =
            t * sqrt(2.0 / (k + 1)) * p - sqrt((double)k / (k + 1)) * last;
        last = p;
        p = next;
    }
    *before = last;
    return p;
}

/* Roots by Newton's method, p' = sqrt(2n) p_{n-1}, the largest first; each starts from an
   extrapolation of those above it. Weights w = 1 / (n p_{n-1}^2). Negative roots by
   symmetry. */
void dlpi_gauss_hermite(int n, double *t, double *log_w)
{
    double z = 0;
    for (int i = 0; i < (n + 1) / 2; i++) {
        double before;
        if (i == 0)
            z = sqrt(2.0 * n + 1) - 1.85575 * pow(2.0 * n + 1, -1.0 / 6);
        else if (i == 1)
            z -= 1.14 * pow(n, 0.426) / z;
        else if (i == 2)
            z = 1.86 * z - 0.86 * t[n - 1];
        else if (i == 3)
            z = 1.91 * z - 0.91 * t[n - 2];
        else
            z = 2 * z - t[n - 1 - (i - 2)];
        if (n % 2 == 1 && i == n / 2) z = 0;
        for (int step = 0; step < 50; step++) {
            const double p = hermite(n, z, &before), by = p / (sqrt(2.0 * n) * before);
            z -= by;
            if (fabs(by) < 1e-15 * (1 + fabs(z))) break;
        }
        if (n % 2 == 1 && i == n / 2) z = 0;
        (void)hermite(n, z, &before);
        t[n - 1 - i] = z;
        t[i] = -z;
        log_w[i] = log_w[n - 1 - i] = -log(n) - 2 * log(fabs(before));
    }
}

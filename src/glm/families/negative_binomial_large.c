/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/negative_binomial_large.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/*
 * By Stirling's series, with w = k/(k+y) and v = 1 - w: D_0 = log Gamma(y+k) - log
 * Gamma(k) - y log k, and D_n = k^n times the n-th derivative by k of log Gamma(y+k) -
 * log Gamma(k).
 */
static void rising(double y, double k, double D[4])
{
    const double w = k / (k + y), v = y / (k + y), step = log1p(y / k);
    const double one = -v, two = one * (1 + w), three = one * (1 + w + w * w),
                 four = two * (1 + w * w), five = one + w * four,
                 six = three * (1 + w * w * w), seven = one + w * six,
                 eight = four * (1 + w * w * w * w); /* w^n - 1 */
    const double cube = k * k * k, fifth = cube * k * k;
    D[0] = (k + y - 0.5) * step - y + one / (12 * k) - three / (360 * cube) +
           five / (1260 * fifth);
    D[1] =
        k * step - 0.5 * one - two / (12 * k) + four / (120 * cube) - six / (252 * fifth);
    D[2] =
        -y * w + 0.5 * two + three / (6 * k) - five / (30 * cube) + seven / (42 * fifth);
    D[3] =
        y * w * (1 + w) - three - four / (2 * k) + six / (6 * cube) - eight / (6 * fifth);
}

/*
 * With m = exp eta, M = k + m, q = m/M, u = k/M and e = y - m:
 *   l = D_0 - log y! + y eta - (y+k) log(1 + m/k)
 *   l_t = D_1 - k log(1 + m/k) - u e,  l_tt = l_t + D_2 + u m + u^2 e,
 *   l_ttt = l_t + 3 (D_2 + u m + u^2 e) + D_3 - u m (1+u) - 2 u^3 e
 *   l_et = u q e,  l_eet = -u q (y - 2 u e),  l_ett = u q e (1 - 2u)
 * and the derivatives by eta as in likelihoods.c.
 */
static void put_row(dlpi_rows *r, dlp_index i, double k, int order)
{
    const double y = r->y[i], m = r->work[0][i], M = k + m, q = m / M, u = k / M,
                 e = y - m, part = log1p(m / k);
    double D[4];
    rising(y, k, D);
    r->l[i] = D[0] - r->work[5][i] + (y > 0 ? y * r->eta[i] : 0) - (y + k) * part;
    if (order == 0) return;
    r->l_e[i] = u * e;
    r->l_ee[i] = -(y + k) * q * u;
    r->l_eee[i] = r->l_ee[i] * (1 - 2 * q);
    r->l_eeee[i] = r->l_ee[i] * (1 - 6 * q * u);
    if (r->bare) return;
    const double first = D[1] - k * part - u * e, second = D[2] + u * m + u * u * e;
    r->l_t[i] = first;
    r->l_et[i] = u * q * e;
    if (order == 1) return;
    r->l_tt[i] = first + second;
    if (order == 2) return;
    r->l_ttt[i] = first + 3 * second + D[3] - u * m * (1 + u) - 2 * u * u * u * e;
    r->l_eet[i] = -u * q * (y - 2 * u * e);
    r->l_ett[i] = u * q * e * (1 - 2 * u);
}

void dlpi_negative_binomial_large(dlpi_rows *r, double tau, int order)
{
    const double k = exp(tau);
    double *log_factorial = r->work[5];
    dlp_exp_array(r->n, r->eta, r->work[0]);
    for (dlp_index i = 0; i < r->n; i++) log_factorial[i] = r->y[i] + 1;
    if (r->bare)
        memset(log_factorial, 0, (size_t)r->n * sizeof *log_factorial);
    else
        dlp_lgamma_array(r->n, log_factorial, log_factorial);
    for (dlp_index i = 0; i < r->n; i++) put_row(r, i, k, order);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* exp, the logistic function, its logarithm, and log-sum-exp. */
#include "math/special/logistic.h"

#include "math/special/elementary.h"

#include <delaplace/special.h>

/* Only exp(-|x|) is ever computed, so nothing overflows. */

DLPI_INLINE double exp_kernel(double x)
{
    double e = dlpi_exp_negative(-fabs(x), 0);
    return x > 0 ? 1 / e : e;
}

DLPI_INLINE double logistic_kernel(double x)
{
    double e = dlpi_exp_negative(-fabs(x), 0);
    return (x < 0 ? e : 1) / (1 + e);
}

DLPI_INLINE double log1pexp_kernel(double x)
{
    return (x < 0 ? 0 : x) + dlpi_log1p_near(dlpi_exp_negative(-fabs(x), 0));
}

DLPI_INLINE double log_logistic_kernel(double x)
{
    return -log1pexp_kernel(-x);
}

double dlp_log1pexp(double x)
{
    return log1pexp_kernel(x);
}

DLPI_ARRAY(exp)
DLPI_SCALAR_AND_ARRAY(logistic)
DLPI_SCALAR_AND_ARRAY(log_logistic)

/* log(1 + e^-x), from the same exp(-|x|). */
DLPI_CLONES static void both_loop(dlp_index n, const double *x, double *s, double *log_s)
{
    DLPI_SIMD()
    for (dlp_index i = 0; i < n; i++) {
        const double e = dlpi_exp_negative(-fabs(x[i]), 0);
        s[i] = (x[i] < 0 ? e : 1) / (1 + e);
        log_s[i] = -((-x[i] < 0 ? 0 : -x[i]) + dlpi_log1p_near(e));
    }
}

void dlpi_logistic_both(dlp_index n, const double *x, double *s, double *log_s)
{
    DLPI_READS(x, n);
    DLPI_WRITES(s, n);
    DLPI_WRITES(log_s, n);
    both_loop(n, x, s, log_s);
}

DLPI_CLONES static void likelihood_loop(dlp_index n, const double *restrict y,
                                        const double *restrict x, double *restrict l,
                                        double *restrict l_x, double *restrict l_xx,
                                        double *restrict l_xxx, double *restrict s_out)
{
    DLPI_SIMD()
    for (dlp_index i = 0; i < n; i++) {
        const double e = dlpi_exp_negative(-fabs(x[i]), 0);
        const double s = (x[i] < 0 ? e : 1) / (1 + e);
        const double log_s = -((-x[i] < 0 ? 0 : -x[i]) + dlpi_log1p_near(e));
        const double second = -s * (1 - s);
        l[i] = log_s - (1 - y[i]) * x[i];
        l_x[i] = y[i] - s;
        l_xx[i] = second;
        l_xxx[i] = second * (1 - 2 * s);
        s_out[i] = s;
    }
}

void dlpi_logistic_likelihood(dlp_index n, const double *y, const double *x,
                              dlpi_logistic_rows to)
{
    DLPI_READS(y, n);
    DLPI_READS(x, n);
    DLPI_WRITES(to.l, n);
    DLPI_WRITES(to.l_x, n);
    DLPI_WRITES(to.l_xx, n);
    DLPI_WRITES(to.l_xxx, n);
    DLPI_WRITES(to.s, n);
    likelihood_loop(n, y, x, to.l, to.l_x, to.l_xx, to.l_xxx, to.s);
}

/* Sums use this many lanes on every machine, so that their order is fixed. */
enum { LANES = 8, CHUNK = 128 };

DLPI_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The largest entry, -inf if there is none; NaN is passed over. */
DLPI_CLONES static double largest(dlp_index n, const double *x)
{
    double lane[LANES], max = -INFINITY;
    for (int j = 0; j < LANES; j++) lane[j] = -INFINITY;
    dlp_index whole = n - n % LANES;
    for (dlp_index i = 0; i < whole; i += LANES) {
        DLPI_SIMD()
        for (int j = 0; j < LANES; j++) lane[j] = larger(x[i + j], lane[j]);
    }
    for (dlp_index i = whole; i < n; i++) max = larger(x[i], max);
    for (int j = 0; j < LANES; j++) max = larger(lane[j], max);
    return max;
}

DLPI_CLONES static dlp_index count_equal(dlp_index n, const double *x, double value)
{
    dlp_index count = 0;
    DLPI_SIMD(reduction(+ : count))
    for (dlp_index i = 0; i < n; i++) count += x[i] == value ? 1 : 0;
    return count;
}

/* sum_i exp(x[i] - max) over the x[i] other than max, compensated: what a rounding of
   sum loses is kept in lost and added to the next term. */
DLPI_CLONES static double sum_exp_others(dlp_index n, const double *x, double max)
{
    double term[CHUNK], sum[LANES] = {0}, lost[LANES] = {0};
    for (dlp_index start = 0; start < n; start += CHUNK) {
        dlp_index count = n - start < CHUNK ? n - start : CHUNK;
        const double *part = x + start;
        DLPI_SIMD()
        for (dlp_index i = 0; i < count; i++) {
            double e = dlpi_exp_negative(part[i] - max, 0);
            term[i] = part[i] == max ? 0 : e;
        }
        for (; count % LANES; count++) term[count] = 0;
        for (dlp_index i = 0; i < count; i += LANES) {
            DLPI_SIMD()
            for (int j = 0; j < LANES; j++) {
                double next = term[i + j] + lost[j], total = sum[j] + next;
                lost[j] = next - (total - sum[j]);
                sum[j] = total;
            }
        }
    }
    double all = 0;
    for (int j = 0; j < LANES; j++) all += sum[j];
    return all;
}

/* max + log(1 + rest): the largest term is 1, and log1p keeps what is small beside it.
   Infinities and NaN need no case of their own. */
double dlp_logsumexp(dlp_index n, const double *x)
{
    if (n <= 0) return -INFINITY;
    DLPI_READS(x, n);
    double max = largest(n, x);
    double ties = (double)(count_equal(n, x, max) - 1);
    double rest = ties + sum_exp_others(n, x, max);
    return max + (rest > 1 ? dlpi_log_positive(1 + rest) : dlpi_log1p_near(rest));
}

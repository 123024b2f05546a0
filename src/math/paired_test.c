/* SPDX-License-Identifier: BSD-3-Clause */
/* Student's test of paired differences. */
#include <delaplace/special.h>

#include <math.h>

dlp_paired_test dlp_paired_test_of(dlp_index n, const double *a, const double *b)
{
    const double count = (double)n;
    dlp_paired_test test = {.difference = NAN, .t = NAN, .df = n - 1, .p = NAN};
    double mean = 0, squares = 0;
    if (n < 1) return test;
    for (dlp_index i = 0; i < n; i++) mean += (a[i] - b[i]) / count;
    for (dlp_index i = 0; i < n; i++) {
        const double off = a[i] - b[i] - mean;
        squares += off * off;
    }
    test.difference = mean;
    if (squares > 0) test.t = mean / sqrt(squares / (count - 1) / count);
    test.p = dlp_student_cdf(-test.t, count - 1);
    return test;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How time and memory of a logistic regression grow with its rows: seconds per row, and the
 * most that the process holds besides the data. Usage: bench_glm_size [LARGEST N] [p].
 */
#include "bench_glm_data.h"

#include <sys/resource.h>

/* The most memory the process has held so far, in bytes. */
static double peak_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) exit(4);
    return 1024.0 * (double)usage.ru_maxrss;
}

static void measure(dlp_index N, dlp_index p)
{
    bench_data data = bench_data_alloc(N, p);
    const double held = (double)((N + 1) * p + N) * sizeof(double);
    for (int k = 0; k < 2; k++) {
        const bench_fit fit = bench_fit_once(&data, dlp_method_name(k));
        printf("%10td %4td  %-8s %9.3f %9.1f %6ld  %9.1f %9.1f\n", N, p,
               dlp_method_name(k), fit.seconds, 1e9 * fit.seconds / (double)N,
               fit.evaluations, held / 1e6, (peak_bytes() - held) / 1e6);
    }
    bench_data_free(&data);
}

int main(int argc, char **argv)
{
    const dlp_index largest = argc > 1 ? atol(argv[1]) : 5000000,
                    p = argc > 2 ? atol(argv[2]) : 20;
    if (largest < 1 || p < 1) return 2;
    printf("%10s %4s  %-8s %9s %9s %6s  %9s %9s\n", "rows", "cols", "method", "seconds",
           "ns/row", "evals", "data, MB", "peak - it");
    for (dlp_index N = 10000; N < largest; N *= 10) measure(N, p);
    measure(largest, p);
    return 0;
}

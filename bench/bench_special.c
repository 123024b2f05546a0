/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nanoseconds per element of the special functions: over an array, one by one, and a
 * peer's one by one. The peer is the C library's function or, where it has none and
 * GSL was there when this was built, GSL's. Before it is timed it is compared: the
 * last column is its largest difference from ours, relative to 1 + |value|.
 */
#include <delaplace/special.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#ifdef DLP_BENCH_GSL
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_erf.h>
#include <gsl/gsl_sf_psi.h>
#define GSL(name, function) name, function
#else
#define GSL(name, function) NULL, NULL
#endif

enum { COUNT = 1024, CALLS = 100, REPEATS = 30 };

typedef double scalar_function(double x);
typedef void array_function(dlp_index n, const double *x, double *y);

static double libm_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static double libm_log_logistic(double x)
{
    return -log1p(exp(-x));
}

/* Those that have the array form alone. */
static double dlp_exp(double x)
{
    double y;
    dlp_exp_array(1, &x, &y);
    return y;
}

static double dlp_normal_log_cdf(double x)
{
    double y;
    dlp_normal_log_cdf_array(1, &x, &y);
    return y;
}

static double libm_normal_cdf(double x)
{
    return 0.5 * erfc(-0.70710678118654752 * x);
}

#ifdef DLP_BENCH_GSL
static double gsl_tetragamma(double x)
{
    return gsl_sf_psi_n(2, x);
}

static double gsl_normal_log_cdf(double x)
{
    return gsl_sf_log_erfc(-0.70710678118654752 * x) - 0.69314718055994531;
}
#endif

static const struct {
    const char *name;
    array_function *array;
    scalar_function *scalar;
    double low, high;
    const char *peer_name;
    scalar_function *peer;
} subjects[] = {
#define OURS(name) #name, dlp_##name##_array, dlp_##name
    {OURS(lgamma), 0, 100, "libm", lgamma},
    {OURS(digamma), 0, 100, GSL("GSL", gsl_sf_psi)},
    {OURS(trigamma), 0, 100, GSL("GSL", gsl_sf_psi_1)},
    {OURS(tetragamma), 0, 100, GSL("GSL", gsl_tetragamma)},
    {OURS(exp), -5, 5, "libm", exp},
    {OURS(logistic), -5, 5, "libm", libm_logistic},
    {OURS(log_logistic), -5, 5, "libm", libm_log_logistic},
    {"normal_cdf", NULL, dlp_normal_cdf, -5, 5, "libm", libm_normal_cdf},
    {OURS(normal_log_cdf), -5, 5, GSL("GSL", gsl_normal_log_cdf)},
    {"normal_quantile", NULL, dlp_normal_quantile, 0, 1,
     GSL("GSL", gsl_cdf_ugaussian_Pinv)},
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The fastest of the repeats: the others measure the machine's other work. */
static double nanoseconds(array_function *array, scalar_function *scalar, const double *x,
                          double *y)
{
    double best = INFINITY;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        double start = seconds();
        for (int call = 0; call < CALLS; call++) {
            if (array) array(COUNT, x, y);
            for (int i = 0; scalar && i < COUNT; i++) y[i] = scalar(x[i]);
        }
        best = fmin(best, seconds() - start);
    }
    return best / CALLS / COUNT * 1e9;
}

static double largest_difference(scalar_function *f, scalar_function *g, const double *x)
{
    double largest = 0;
    for (int i = 0; i < COUNT; i++)
        largest = fmax(largest, fabs(f(x[i]) - g(x[i])) / (1 + fabs(f(x[i]))));
    return largest;
}

/* Points of [low, high] in no order, so that branches cannot be guessed. */
static void scatter(double low, double high, double *x)
{
    uint32_t state = 2385;
    for (int i = 0; i < COUNT; i++) {
        state = 1664525 * state + 1013904223;
        x[i] = low + (high - low) * ((state >> 1) + 0.5) * 0x1p-31;
    }
}

static void logsumexp_array(dlp_index n, const double *x, double *y)
{
    y[0] = dlp_logsumexp(n, x);
}

int main(void)
{
    static double x[COUNT], y[COUNT];
    printf("%-16s %8s %8s %14s %12s\n", "ns per element", "array", "scalar", "peer",
           "differs by");
    for (size_t k = 0; k < sizeof subjects / sizeof subjects[0]; k++) {
        scatter(subjects[k].low, subjects[k].high, x);
        printf("%-16s %8.2f %8.2f", subjects[k].name,
               nanoseconds(subjects[k].array, NULL, x, y),
               nanoseconds(NULL, subjects[k].scalar, x, y));
        if (subjects[k].peer)
            printf(" %5s %8.2f %12.1e", subjects[k].peer_name,
                   nanoseconds(NULL, subjects[k].peer, x, y),
                   largest_difference(subjects[k].scalar, subjects[k].peer, x));
        printf("\n");
    }
    scatter(-5, 5, x);
    printf("%-16s %8.2f\n", "logsumexp", nanoseconds(logsumexp_array, NULL, x, y));
    return 0;
}

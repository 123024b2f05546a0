/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A lattice of rank 1: point i of n lies at the fractional part of i g_d / n + 1/2 in
 * dimension d. The steps g_d are found one after the other (Sloan & Reztsov,
 * "Component-by-component construction of good lattice rules", 2002), each with the
 * least worst-case error over functions with square-integrable mixed derivatives. Each
 * dimension visits each of n equally probable cells once and takes the mean of a normal
 * variable in it.
 */
#include "math/normal_lattice.h"

#include "core/core.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>

static const double PI = 3.14159265358979323846;

typedef struct lattice {
    int n, half;       /* points; (n - 1)/2 */
    double *bernoulli; /* (n) 2 pi^2 B_2(m/n) */
    double *cell;      /* (n) E[Z | m/n < Phi(Z) < (m+1)/n] */
    double *product;   /* (n) of 1 + importance * bernoulli over the dimensions so far,
                          for each point */
} lattice;

static double density(double x)
{
    return exp(-0.5 * x * x) / sqrt(2 * PI);
}

static void fill_tables(const lattice *l)
{
    const int n = l->n;
    for (int m = 0; m < n; m++) {
        const double x = (double)m / n;
        l->bernoulli[m] = 2 * PI * PI * (x * x - x + 1.0 / 6);
        l->product[m] = 1;
    }
    l->cell[l->half] = 0;
    for (int m = 0; m < l->half; m++) {
        const double from = dlp_normal_quantile((double)m / n),
                     to = dlp_normal_quantile((m + 1.0) / n);
        l->cell[m] = n * (density(from) - density(to));
        l->cell[n - 1 - m] = -l->cell[m];
    }
}

/* m + g, modulo n */
static int next(const lattice *l, int m, int g)
{
    return m + g < l->n ? m + g : m + g - l->n;
}

/* The contribution of step g to the squared worst-case error, up to constants. Points i
   and n - i contribute the same, and point 0 the same for any g. */
static double error_of(const lattice *l, int g)
{
    double sum = 0;
    for (int i = 1, m = g; i <= l->half; i++, m = next(l, m, g))
        sum += l->product[i] * l->bernoulli[m];
    return sum;
}

/* Steps g and n - g make the same lattice. */
static int best_step(const lattice *l)
{
    int best = 1;
    double least = INFINITY;
    for (int g = 1; g <= l->half; g++) {
        const double error = error_of(l, g);
        if (!(error < least)) continue;
        least = error;
        best = g;
    }
    return best;
}

dlp_status dlpi_normal_lattice(int n, dlp_index D, double *z, dlp_error *error)
{
    double *memory = dlpi_calloc(dlpi_size(n, 3, 0), sizeof *memory);
    if (!memory) {
        (void)dlpi_no_memory(error, "predictions");
        return DLP_ENOMEM;
    }
    const lattice l = {n, (n - 1) / 2, memory, memory + n, memory + 2 * (dlp_index)n};
    fill_tables(&l);
    for (dlp_index d = 0; d < D; d++) {
        /* It decreases; otherwise many dimensions would all look alike. */
        const double importance = 1.0 / (double)(d + 1);
        const int g = n > 1 ? best_step(&l) : 0;
        for (int i = 0, m = 0; i < n; i++, m = next(&l, m, g)) {
            z[d * n + i] = l.cell[next(&l, m, l.half)];
            l.product[i] *= 1 + importance * l.bernoulli[m];
        }
    }
    free(memory);
    return DLP_OK;
}

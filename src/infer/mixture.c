/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/mixture.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

dlp_status dlpi_mixture_alloc(dlpi_mixture *x, dlp_index n, dlp_error *error)
{
    *x = (dlpi_mixture){.n = n};
    x->origin = dlpi_calloc(dlpi_size(n, n, dlpi_size(3, n, 0)), sizeof *x->origin);
    if (!x->origin) return dlpi_no_memory(error, "a mixture of posteriors");
    x->off = x->origin + n;
    x->mean = x->off + n;
    x->square = x->mean + n;
    dlpi_mixture_clear(x);
    return DLP_OK;
}

void dlpi_mixture_free(dlpi_mixture *x)
{
    free(x->origin);
    *x = (dlpi_mixture){0};
}

void dlpi_mixture_clear(dlpi_mixture *x)
{
    x->top = -INFINITY;
    x->sum = 0;
    memset(x->mean, 0, (size_t)x->n * sizeof *x->mean);
    memset(x->square, 0, (size_t)(x->n * x->n) * sizeof *x->square);
}

/* Densities are relative to the highest so far. */
static void raise_top(dlpi_mixture *x, double top)
{
    const double shrink = exp(x->top - top);
    x->sum *= shrink;
    for (dlp_index i = 0; i < x->n; i++) x->mean[i] *= shrink;
    for (dlp_index i = 0; i < x->n * x->n; i++) x->square[i] *= shrink;
    x->top = top;
}

void dlpi_mixture_add(dlpi_mixture *x, const double *m, const double *C, double tau,
                      double L)
{
    const dlp_index n = x->n, p = n - 1;
    double *off = x->off;
    if (x->sum == 0) {
        memcpy(x->origin, m, (size_t)p * sizeof *x->origin);
        x->origin[p] = tau;
    }
    if (L > x->top) raise_top(x, L);
    const double density = exp(L - x->top);
    for (dlp_index i = 0; i < p; i++) off[i] = m[i] - x->origin[i];
    off[p] = tau - x->origin[p];
    x->sum += density;
    for (dlp_index i = 0; i < n; i++) {
        x->mean[i] += density * off[i];
        for (dlp_index j = i; j < n; j++)
            x->square[i * n + j] +=
                density * (off[i] * off[j] + (j < p ? C[i * p + j] : 0));
    }
}

/* Cov[beta, tau] = E[C] + Cov[m, tau] */
void dlpi_mixture_moments(const dlpi_mixture *x, double *mu, double *Sigma)
{
    const dlp_index n = x->n;
    double *off = x->off;
    for (dlp_index i = 0; i < n; i++) {
        off[i] = x->mean[i] / x->sum;
        mu[i] = x->origin[i] + off[i];
    }
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = i; j < n; j++)
            Sigma[i * n + j] = x->square[i * n + j] / x->sum - off[i] * off[j];
    dlpi_mirror(n, Sigma);
}

double dlpi_mixture_posterior(const dlpi_mixture *x, double *room, double *mu,
                              double *Sigma)
{
    const dlp_index n = x->n, p = n - 1;
    double *mean = room, *square = room + n;
    dlpi_mixture_moments(x, mean, square);
    memcpy(mu, mean, (size_t)p * sizeof *mu);
    for (dlp_index i = 0; i < p; i++)
        memcpy(Sigma + i * p, square + i * n, (size_t)p * sizeof *Sigma);
    return x->top + log(x->sum);
}

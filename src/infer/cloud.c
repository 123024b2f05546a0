/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/cloud.h"

#include "core/core.h"
#include "math/normal_lattice.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { LATTICE = 2039, FINE = 8 }; /* an odd prime; points between two nodes of a grid */

/* ---- a grid ---- */

/* The log density at node (i, j), from that at the mode; NAN where it was not asked for. */
static double node(const dlpi_explore *e, int i, int j)
{
    const int reach = e->reach, side = 2 * reach + 1;
    if (abs(i) > reach || abs(j) > reach) return NAN;
    const int at = e->at_node[e->m == 1 ? i + reach : (i + reach) * side + j + reach];
    return at >= 0 ? fmax(e->log_p[at] - e->log_mode, -50) : NAN;
}

/* Through values at -1, 0, 1, 2, of which the outer two may be unknown. */
static double cubic(double f[4], double t)
{
    if (isnan(f[0])) f[0] = 2 * f[1] - f[2];
    if (isnan(f[3])) f[3] = 2 * f[2] - f[1];
    return f[1] + 0.5 * t *
                      (f[2] - f[0] +
                       t * (2 * f[0] - 5 * f[1] + 4 * f[2] - f[3] +
                            t * (3 * (f[1] - f[2]) + f[3] - f[0])));
}

static double between(const dlpi_explore *e, double u, double v)
{
    const double a = u / e->apart, b = v / e->apart;
    const int i = (int)floor(a), j = (int)floor(b);
    double rows[4];
    for (int k = 0; k < 4; k++) {
        double line[4];
        for (int l = 0; l < 4; l++) {
            line[l] = node(e, i + k - 1, e->m == 1 ? 0 : j + l - 1);
        }
        rows[k] = e->m == 1 ? line[0] : cubic(line, b - j);
    }
    return cubic(rows, a - i);
}

static void fill_from_grid(const dlpi_explore *e, dlpi_cloud *c)
{
    const int reach = e->reach * FINE;
    dlp_index at = 0;
    for (int i = -reach; i <= reach; i++)
        for (int j = e->m == 1 ? 0 : -reach; j <= (e->m == 1 ? 0 : reach); j++, at++) {
            const double u[2] = {e->apart * i / FINE, e->apart * j / FINE};
            double z[2], volume = 1;
            for (dlp_index k = 0; k < e->m; k++) {
                const double below = e->spread[k], above = e->spread[e->m + k];
                z[k] = u[k] * (u[k] > 0 ? above : below);
                volume *= u[k] < 0 ? below : u[k] > 0 ? above : 0.5 * (below + above);
            }
            dlpi_explore_psi(e, z, c->psi + at * e->m);
            const double log_p = between(e, u[0], u[1]);
            c->weight[at] = isnan(log_p) ? 0 : volume * exp(log_p);
        }
}

/* ---- a design ---- */

/* The split normal quantile of Phi(x). */
static double split(double x, double below, double above)
{
    const double p = dlp_normal_cdf(x), left = below / (below + above);
    if (p < left) return below * dlp_normal_quantile(0.5 * p / left);
    return -above * dlp_normal_quantile(0.5 * (1 - p) / (1 - left));
}

static dlp_status fill_from_design(const dlpi_explore *e, dlpi_cloud *c, dlp_error *error)
{
    const dlp_index m = e->m;
    double *x = dlpi_calloc(m * LATTICE, sizeof *x), *z = dlpi_calloc(m, sizeof *z);
    dlp_status status = x && z ? dlpi_normal_lattice(LATTICE, m, x, error)
                               : dlpi_no_memory(error, "the scales");
    for (dlp_index i = 0; status == DLP_OK && i < LATTICE; i++) {
        for (dlp_index k = 0; k < m; k++)
            z[k] = split(x[k * LATTICE + i], e->spread[k], e->spread[m + k]);
        dlpi_explore_psi(e, z, c->psi + i * m);
        c->weight[i] = 1;
    }
    free(x);
    free(z);
    return status;
}

/* ---- the whole ---- */

dlp_status dlpi_cloud_make(const dlpi_explore *e, dlpi_cloud *c, dlp_error *error)
{
    const dlp_index side = 2 * e->reach * FINE + 1;
    const dlp_index n = e->m == 1 ? side : e->m == 2 ? side * side : LATTICE;
    *c = (dlpi_cloud){.n = n, .m = e->m};
    c->psi = dlpi_calloc(n, (size_t)(e->m + 2) * sizeof *c->psi);
    c->order = dlpi_calloc(n, 2 * sizeof(double));
    if (!c->psi || !c->order) return dlpi_no_memory(error, "the scales");
    c->weight = c->psi + n * e->m;
    c->value = c->weight + n;
    if (e->m <= 2)
        fill_from_grid(e, c);
    else
        DLP_TRY(fill_from_design(e, c, error));
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += c->weight[i];
    for (dlp_index i = 0; i < n; i++) c->weight[i] /= sum;
    return DLP_OK;
}

void dlpi_cloud_free(dlpi_cloud *c)
{
    free(c->psi);
    free(c->order);
    *c = (dlpi_cloud){0};
}

typedef struct weighed {
    double value, weight;
} weighed;

static int by_value(const void *a, const void *b)
{
    const double x = ((const weighed *)a)->value, y = ((const weighed *)b)->value;
    return (x > y) - (x < y);
}

/* Where the sorted points' weight adds up to p: half of each counts before its value. */
static double quantile(dlp_index n, const weighed *w, double p)
{
    double sum = 0.5 * w[0].weight;
    if (p <= sum) return w[0].value;
    for (dlp_index i = 1; i < n; i++) {
        const double step = 0.5 * (w[i - 1].weight + w[i].weight);
        if (sum + step >= p && step > 0)
            return w[i - 1].value + (p - sum) / step * (w[i].value - w[i - 1].value);
        sum += step;
    }
    return w[n - 1].value;
}

dlp_margin dlpi_cloud_margin(dlpi_cloud *c)
{
    weighed *w = (weighed *)(void *)c->order;
    double mean = 0, square = 0;
    for (dlp_index i = 0; i < c->n; i++) {
        w[i] = (weighed){c->value[i], c->weight[i]};
        mean += c->weight[i] * c->value[i];
    }
    for (dlp_index i = 0; i < c->n; i++)
        square += c->weight[i] * (c->value[i] - mean) * (c->value[i] - mean);
    qsort(w, (size_t)c->n, sizeof *w, by_value);
    return (dlp_margin){.mean = mean,
                        .sd = sqrt(square),
                        .lower = quantile(c->n, w, 0.025),
                        .median = quantile(c->n, w, 0.5),
                        .upper = quantile(c->n, w, 0.975)};
}

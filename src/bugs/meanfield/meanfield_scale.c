/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The factor of an sd with a uniform prior: sigma^a exp(b sigma^-2) between 0 and its
 * bound. Its inverse square t is gamma, above 1 / bound^2; in v = log t the density is
 * exp(k v - r e^v), smooth and with one hill, which is integrated by Simpson's rule.
 */
#include "bugs/meanfield/meanfield.h"

#include <math.h>

enum { STEPS = 2000 };

typedef struct hill {
    double k, r, low, high, top; /* top: the largest exponent */
} hill;

static double exponent(const hill *h, double v)
{
    return h->k * v - h->r * exp(v);
}

static bool hill_of(const dlpi_meanfield *mf, const dlpi_q *q, hill *h)
{
    const double *natural = mf->natural + q->stat;
    const double bound = mf->factors->lowering->upper[mf->cell[q->first]];
    h->k = -0.5 * natural[0] - 0.5;
    h->r = -natural[1];
    if (!(h->r > 0) || !isfinite(h->r) || !isfinite(h->k)) return false;
    const double k = fmax(h->k, 0), end = -2 * log(bound);
    h->high = log((k + 45 + 10 * sqrt(k + 1)) / h->r);
    h->low = h->k > 0 ? log(h->k / h->r) - 45 / h->k - 9 / sqrt(h->k) : end;
    if (h->low < end) h->low = end;
    if (h->high < h->low + 1) /* all of the mass lies at the bound */
        h->high = h->low + 45 / fmax(h->r * exp(h->low) - h->k, 1e-3);
    const double mode = h->k > 0 ? log(h->k / h->r) : h->low;
    h->top = exponent(h, fmin(fmax(mode, h->low), h->high));
    return isfinite(h->top) && h->high > h->low;
}

/* Weights of Simpson's rule times the density, up to a factor. */
static double density_at(const hill *h, int i, double *v)
{
    *v = h->low + (h->high - h->low) * i / STEPS;
    const double simpson = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
    return simpson * exp(exponent(h, *v) - h->top);
}

bool dlpi_scale_expect(const dlpi_meanfield *mf, const dlpi_q *q, double *expected)
{
    hill h;
    double sum = 0, log_t = 0, t = 0, v;
    if (!hill_of(mf, q, &h)) return false;
    for (int i = 0; i <= STEPS; i++) {
        const double w = density_at(&h, i, &v);
        sum += w;
        log_t += w * v;
        t += w * exp(v);
    }
    expected[0] = -0.5 * log_t / sum;
    expected[1] = t / sum;
    return isfinite(expected[0]) && isfinite(expected[1]);
}

double dlpi_scale_entropy(const dlpi_meanfield *mf, const dlpi_q *q)
{
    const double *natural = mf->natural + q->stat, *expected = mf->expected + q->stat;
    hill h;
    double sum = 0, v;
    if (!hill_of(mf, q, &h)) return NAN;
    for (int i = 0; i <= STEPS; i++) sum += density_at(&h, i, &v);
    const double log_norm = log(0.5 * sum * (h.high - h.low) / (3 * STEPS)) + h.top;
    return log_norm - natural[0] * expected[0] - natural[1] * expected[1];
}

void dlpi_scale_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                        double *sd)
{
    hill h;
    double sum = 0, one = 0, two = 0, v;
    if (!hill_of(mf, q, &h)) return;
    for (int i = 0; i <= STEPS; i++) {
        const double w = density_at(&h, i, &v);
        sum += w;
        one += w * exp(-0.5 * v);
        two += w * exp(-v);
    }
    *mean = one / sum;
    *sd = sqrt(fmax(two / sum - *mean * *mean, 0));
}

static double height(const hill *h, int i)
{
    return exp(exponent(h, h->low + (h->high - h->low) * i / STEPS) - h->top);
}

/* Large v are small sds. */
double dlpi_scale_quantile(const dlpi_meanfield *mf, const dlpi_q *q, double p)
{
    hill h;
    double sum = 0, below = 0;
    if (!hill_of(mf, q, &h)) return NAN;
    for (int i = 1; i <= STEPS; i++) sum += 0.5 * (height(&h, i - 1) + height(&h, i));
    for (int i = 1; i <= STEPS; i++) {
        const double w = 0.5 * (height(&h, i - 1) + height(&h, i)) / sum;
        if (below + w >= 1 - p) {
            const double part = w > 0 ? (1 - p - below) / w : 0;
            return exp(-0.5 * (h.low + (h.high - h.low) * (i - 1 + part) / STEPS));
        }
        below += w;
    }
    return exp(-0.5 * h.high);
}

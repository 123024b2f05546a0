/* SPDX-License-Identifier: BSD-3-Clause */
/* Pareto-smoothed importance sampling. */
#include "math/psis.h"

#include <math.h>
#include <stdlib.h>

/* Too few draws to estimate the shape of a tail. */
enum { LEAST_TAIL = 5 };

struct weight {
    double log_weight;
    size_t place;
};

struct pareto {
    double k, sigma; /* P(X > x) = (1 + k x / sigma)^(-1/k) */
};

static int by_weight(const void *a, const void *b)
{
    const struct weight *u = a, *v = b;

    if (u->log_weight != v->log_weight) return u->log_weight < v->log_weight ? -1 : 1;
    return (u->place > v->place) - (u->place < v->place);
}

/* k of the excesses x (m) given theta = -k / sigma, at its maximum. */
static double shape_given(double theta, const double *x, size_t m)
{
    double sum = 0;

    for (size_t i = 0; i < m; i++) sum += log1p(-theta * x[i]);
    return sum / (double)m;
}

/* The profile log likelihood of theta, m (log(-theta / k) - k - 1). */
static double profile(double theta, const double *x, size_t m)
{
    double k = shape_given(theta, x, m);

    return (double)m * (log(-theta / k) - k - 1);
}

/* The index of the first quartile of m. */
static size_t quarter_of(size_t m)
{
    return (size_t)((double)m / 4 + .5) - 1;
}

/* The j-th of `points` quantiles of a prior of theta that depends on the data (Zhang &
   Stephens 2009); j counts from 1. */
static double theta_at(size_t j, size_t points, const double *x, size_t m)
{
    const double spread = 1 - sqrt((double)points / ((double)j - .5));

    return 1 / x[m - 1] + spread / (3 * x[quarter_of(m)]);
}

/* The posterior mean of theta under that prior, by its quantiles; then k, shrunk towards
   1/2 as by ten more observations. x (m) ascends from 0 or more, and its first quartile
   is above 0. */
static struct pareto fit_pareto(const double *x, size_t m)
{
    size_t points = 30 + (size_t)sqrt((double)m);
    double most = -INFINITY, total = 0, theta = 0;
    struct pareto fit;

    for (size_t j = 1; j <= points; j++)
        most = fmax(most, profile(theta_at(j, points, x, m), x, m));
    for (size_t j = 1; j <= points; j++) {
        double at = theta_at(j, points, x, m), weight = exp(profile(at, x, m) - most);

        if (weight > 0) {
            total += weight;
            theta += weight * at;
        }
    }
    theta /= total;
    fit.k = shape_given(theta, x, m);
    fit.sigma = -fit.k / theta;
    fit.k = (fit.k * (double)m + 10 * .5) / ((double)m + 10);
    return fit;
}

static double pareto_quantile(struct pareto fit, double p)
{
    if (fabs(fit.k) < 1e-12) return -fit.sigma * log1p(-p);
    return fit.sigma * expm1(-fit.k * log1p(-p)) / fit.k;
}

/* Replaces the m largest weights, which come last, by the expectations of a Pareto tail,
   none above the largest observed, 0. x (m) is room. */
static double smooth_tail(struct weight *tail, size_t m, double cut, double *x)
{
    double below = exp(cut);
    struct pareto fit;

    for (size_t i = 0; i < m; i++) x[i] = exp(tail[i].log_weight) - below;
    if (!(x[m - 1] > x[0])) return -INFINITY; /* all equal: nothing to smooth */
    if (!(x[quarter_of(m)] > 0)) return INFINITY;
    fit = fit_pareto(x, m);
    if (!isfinite(fit.k) || !isfinite(fit.sigma)) return INFINITY;
    for (size_t i = 0; i < m; i++) {
        double p = ((double)i + .5) / (double)m;

        tail[i].log_weight = fmin(0, log(below + pareto_quantile(fit, p)));
    }
    return fit.k;
}

static void swap(struct weight *a, struct weight *b)
{
    const struct weight other = *a;

    *a = *b;
    *b = other;
}

/* Moves the median of three to index `from`. */
static void choose_pivot(struct weight *w, size_t from, size_t to)
{
    const size_t middle = from + (to - from) / 2, last = to - 1;

    if (by_weight(&w[middle], &w[last]) > 0) swap(&w[middle], &w[last]);
    if (by_weight(&w[from], &w[last]) > 0) swap(&w[from], &w[last]);
    if (by_weight(&w[from], &w[middle]) < 0) swap(&w[from], &w[middle]);
}

/* Partitions: moves the n - place largest to the end, in any order, and the largest of
   the others to place - 1, so that the rest need not be sorted. 0 < place <= n. */
static void select_largest(struct weight *w, size_t n, size_t place)
{
    size_t from = 0, to = n;

    while (to - from > 1) {
        size_t at = from;

        choose_pivot(w, from, to);
        for (size_t i = from + 1; i < to; i++)
            if (by_weight(&w[i], &w[from]) < 0) swap(&w[++at], &w[i]);
        swap(&w[from], &w[at]);
        if (at == place - 1) return;
        if (at < place - 1)
            from = at + 1;
        else
            to = at;
    }
}

/* The tail of the weights is sorted and smoothed, all in units of the largest. */
static double smooth(struct weight *sorted, size_t n, double *x)
{
    const size_t fifth = (n + 4) / 5, root = (size_t)ceil(3 * sqrt((double)n));
    const size_t m = fifth < root ? fifth : root;
    double most = sorted[0].log_weight, least = most;

    for (size_t i = 1; i < n; i++) {
        most = fmax(most, sorted[i].log_weight);
        least = fmin(least, sorted[i].log_weight);
    }
    for (size_t i = 0; i < n; i++) sorted[i].log_weight -= most;
    if (!(least < most)) return -INFINITY;
    if (m < LEAST_TAIL) return INFINITY;
    select_largest(sorted, n, n - m);
    qsort(sorted + n - m, m, sizeof *sorted, by_weight);
    return smooth_tail(sorted + n - m, m, sorted[n - m - 1].log_weight, x);
}

/* log_weight -= log sum exp(log_weight), and 1 / sum w^2. None is above 0. */
static double normalise(double *log_weight, size_t n)
{
    double total = 0, squares = 0;

    for (size_t i = 0; i < n; i++) total += exp(log_weight[i]);
    for (size_t i = 0; i < n; i++) {
        log_weight[i] -= log(total);
        squares += exp(2 * log_weight[i]);
    }
    return 1 / squares;
}

dlp_status dlpi_psis(double *log_weight, size_t n, struct dlpi_psis *psis)
{
    struct weight *sorted = malloc(n * sizeof *sorted);
    double *x = malloc(n * sizeof *x);
    dlp_status status = sorted && x ? DLP_OK : DLP_ENOMEM;

    if (status == DLP_OK) {
        for (size_t i = 0; i < n; i++)
            sorted[i] = (struct weight){.log_weight = log_weight[i], .place = i};
        psis->k = smooth(sorted, n, x);
        for (size_t i = 0; i < n; i++) log_weight[sorted[i].place] = sorted[i].log_weight;
        psis->size = normalise(log_weight, n);
    }
    free(sorted);
    free(x);
    return status;
}

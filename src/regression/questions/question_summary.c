/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The distribution of an answer, in a few numbers. Draws h of it are summarised so: with
 * l = sum_j b_j z_j, b_j the covariance of h and the standard normal z_j, l is normal
 * with a variance that is known. Each draw is moved to where l is the normal quantile of
 * its rank, along the slope of h over l among its neighbours. So only the variation of h
 * given l is left to chance.
 */
#include "core/core.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "regression/questions/question.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdlib.h>

enum { WINDOW = 24 };

/* ---- normal ---- */

/* exp(X), X ~ N(mean, sd^2) */
static void exponentiate(dlp_index n, double mean, double sd, dlp_answer *out)
{
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    for (dlp_index i = 0; i < n; i++) {
        lower[i] = exp(lower[i]);
        upper[i] = exp(upper[i]);
    }
    out->median = exp(mean);
    out->mean = exp(mean + 0.5 * sd * sd);
    out->sd = out->mean * sqrt(expm1(sd * sd));
}

dlp_status dlpi_answer_normal(const dlpi_question *q, double mean, double sd,
                              dlp_answer *out, dlp_error *error)
{
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    if (!isfinite(mean) || !isfinite(sd))
        return dlp_fail(error, DLP_EINPUT, "what is asked is not a finite number");
    for (dlp_index i = 0; i < q->s.n_intervals; i++) {
        const double half = sd * dlp_normal_quantile(0.5 + 0.5 * q->s.interval_level[i]);
        lower[i] = mean - half;
        upper[i] = mean + half;
    }
    out->mean = out->median = mean;
    out->sd = sd;
    out->above = sd > 0 ? dlp_normal_cdf(mean / sd) : mean > 0 ? 1 : mean < 0 ? 0 : 0.5;
    if (q->s.exponentiate) exponentiate(q->s.n_intervals, mean, sd, out);
    return DLP_OK;
}

static double together(const dlpi_question_posterior *p, const double *a, dlp_index i)
{
    const dlp_index n = p->n;
    double sum = 0;
    for (dlp_index b = 0; b < p->B; b++)
        for (dlp_index k = 0; k < n; k++)
            sum += p->pull[(b * n + k) * n + i] * a[b * n + k];
    return sum;
}

void dlpi_linear_moments(const dlpi_question *q, const double *a, double *mean,
                         double *variance)
{
    const dlpi_question_posterior *p = &q->post;
    const dlp_index n = p->n;
    *mean = *variance = 0;
    for (dlp_index b = 0; b < p->B; b++) {
        *mean += dlpi_dot(n, a + b * n, p->mu + b * n);
        *variance += dlpi_quadratic(n, a + b * n, p->Sigma + b * n * n, n);
    }
    /* what all groups share through mu_0: c'Cov[mu_0]c, c = sum_b pull_b'a_b */
    for (dlp_index i = 0; p->pull && i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            *variance += together(p, a, i) * p->shared[i * n + j] * together(p, a, j);
}

dlp_status dlpi_answer_linear(const dlpi_question *q, const double *a, double constant,
                              dlp_answer *out, dlp_error *error)
{
    double mean, variance;
    dlpi_linear_moments(q, a, &mean, &variance);
    return dlpi_answer_normal(q, mean + constant, sqrt(fmax(variance, 0)), out, error);
}

/* ---- draws ---- */

typedef struct ranked {
    double value;
    dlp_index at;
} ranked;

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_of(dlp_index n, const double *x)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += (x[i] - x[0]) / (double)n;
    return x[0] + sum;
}

/* l, its order and the square of its sd. */
static double linear_part(const dlpi_question_posterior *p, const double *h, ranked *l)
{
    const dlp_index S = p->S;
    const double mean = mean_of(S, h);
    double square = 0;
    for (dlp_index s = 0; s < S; s++) l[s] = (ranked){0, s};
    for (dlp_index j = 0; j < (p->B + (p->pull ? 1 : 0)) * p->n; j++) {
        const double *z = p->z + j * S;
        double b = 0;
        for (dlp_index s = 0; s < S; s++) b += z[s] * (h[s] - mean);
        b /= (double)S;
        square += b * b;
        for (dlp_index s = 0; s < S; s++) l[s].value += b * z[s];
    }
    return square;
}

/* The slope of h over l among the draws whose ranks are near i: c are theirs in sums. */
static double slope_near(dlp_index S, const double (*c)[4], dlp_index i)
{
    const dlp_index from = i > WINDOW ? i - WINDOW : 0,
                    to = i + WINDOW + 1 < S ? i + WINDOW + 1 : S;
    double sum[4];
    for (int k = 0; k < 4; k++) sum[k] = c[to][k] - c[from][k];
    const double n = (double)(to - from);
    const double square = sum[2] - sum[0] * sum[0] / n;
    return square > 0 ? (sum[3] - sum[0] * sum[1] / n) / square : 0;
}

/* Sums over the draws by rank, (S + 1, 4): of l, h, l^2 and l h, l in its sds. */
static void add_up(dlp_index S, double sd, double centre, const double *h,
                   const ranked *l, double (*c)[4])
{
    for (dlp_index i = 0; i < S; i++) {
        const double x = l[i].value / sd, y = h[l[i].at] - centre;
        const double term[] = {x, y, x * x, x * y};
        for (int k = 0; k < 4; k++) c[i + 1][k] = c[i][k] + term[k];
    }
}

/* Moves each draw to where l is the quantile of its rank, but not beyond the range of h:
   a probability stays one. */
static void spread_evenly(const dlpi_question_posterior *p, double *h, ranked *l,
                          double (*c)[4])
{
    const dlp_index S = p->S;
    const double sd = sqrt(linear_part(p, h, l)), centre = mean_of(S, h);
    double least = h[0], most = h[0];
    if (!(sd > 0)) return;
    for (dlp_index s = 0; s < S; s++) {
        least = fmin(least, h[s]);
        most = fmax(most, h[s]);
    }
    qsort(l, (size_t)S, sizeof *l, by_value);
    add_up(S, sd, centre, h, l, c);
    for (dlp_index i = 0; i < S; i++) {
        const double even = dlp_normal_quantile(((double)i + 0.5) / (double)S);
        double *at = &h[l[i].at];
        *at += slope_near(S, (const double(*)[4])c, i) * (even - l[i].value / sd);
        *at = fmin(fmax(*at, least), most);
    }
}

/* Interpolates between the sorted draws, each of which has the weight 1 / S. */
static double quantile(dlp_index S, const double *h, double u)
{
    const double at = u * (double)S - 0.5;
    if (at <= 0) return h[0];
    if (at >= (double)(S - 1)) return h[S - 1];
    const dlp_index i = (dlp_index)at;
    return h[i] + (at - (double)i) * (h[i + 1] - h[i]);
}

static void summarise(const dlpi_question *q, const double *h, dlp_answer *out)
{
    const dlp_index S = q->post.S;
    double *lower = (double *)out->lower, *upper = (double *)out->upper, square = 0;
    dlp_index above = 0, zero = 0;
    out->mean = mean_of(S, h);
    for (dlp_index s = 0; s < S; s++) {
        square += (h[s] - out->mean) * (h[s] - out->mean);
        above += h[s] > 0;
        zero += h[s] == 0;
    }
    out->sd = sqrt(square / (double)S);
    out->median = quantile(S, h, 0.5);
    out->above = ((double)above + 0.5 * (double)zero) / (double)S;
    for (dlp_index i = 0; i < q->s.n_intervals; i++) {
        lower[i] = quantile(S, h, 0.5 - 0.5 * q->s.interval_level[i]);
        upper[i] = quantile(S, h, 0.5 + 0.5 * q->s.interval_level[i]);
    }
}

/* The same for exp(h); above stays the probability that h is above 0. */
static void exponentiate_draws(const dlpi_question *q, const double *h, dlp_answer *out)
{
    const dlp_index S = q->post.S;
    double *lower = (double *)out->lower, *upper = (double *)out->upper;
    double sum = 0, square = 0;
    out->median = exp(out->median);
    for (dlp_index s = 0; s < S; s++) sum += exp(h[s]) / (double)S;
    for (dlp_index s = 0; s < S; s++)
        square += (exp(h[s]) - sum) * (exp(h[s]) - sum) / (double)S;
    out->mean = sum;
    out->sd = sqrt(square);
    for (dlp_index i = 0; i < q->s.n_intervals; i++) {
        lower[i] = exp(lower[i]);
        upper[i] = exp(upper[i]);
    }
}

dlp_status dlpi_answer_draws(const dlpi_question *q, double *h, dlp_answer *out,
                             dlp_error *error)
{
    const dlp_index S = q->post.S;
    if (!dlpi_all_finite(S, h))
        return dlp_fail(
            error, DLP_EINPUT,
            "what is asked is not a finite number at some draws of the "
            "posterior: a division by something that may be 0, or a logarithm of what "
            "may be negative");
    ranked *l = dlpi_calloc(S, sizeof *l);
    double(*c)[4] = dlpi_calloc(S + 1, sizeof *c);
    if (!l || !c) {
        free(l);
        free(c);
        return dlpi_no_memory(error, "the answers");
    }
    spread_evenly(&q->post, h, l, c);
    free(c);
    qsort(h, (size_t)S, sizeof *h, ascending);
    summarise(q, h, out);
    if (q->s.exponentiate) exponentiate_draws(q, h, out);
    free(l);
    return DLP_OK;
}

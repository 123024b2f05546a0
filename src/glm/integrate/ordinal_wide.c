/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/ordinal_wide.h"

#include "core/core.h"
#include "glm/families/ordinal_link.h"
#include "glm/integrate/scale_held.h"
#include "infer/mixture.h"
#include "math/special/gauss_hermite.h"
#include "math/special/log_gap.h"

#include <math.h>
#include <string.h>

enum { MOST_GAPS = 3, MOST_POINTS = 9 };
static const double MOST_LOG = 600; /* exp(MOST_LOG + 1) is still finite */

/* The regression given the gaps: a binary one with the gaps in its offset, or one of
   intervals whose ends are the cut points. */
typedef struct sides {
    const dlp_glm *of;
    dlp_index N, p, gaps; /* p: columns of `of`, and the first cut point */
    double *numbers;      /* y, weight, offset, upper ends and the columns (p, N) */
    const double **x;
    dlp_index *cut; /* (N) the cut point that is the offset; for intervals, the level */
    double *times;  /* (gaps) the weight of the rows of each level that has a gap */
    dlp_glm *glm;
    dlpi_scale_held held;
    dlpi_listener *listener;
    dlpi_mixture mixture;
    double *theta, *C, *root; /* (n), (n, n), (gaps, gaps) */
} sides;

bool dlpi_ordinal_is_wide(const dlp_glm *glm)
{
    return glm->family->ordinal && glm->data.p > 0 && glm->data.levels - 2 <= MOST_GAPS;
}

static bool is_logit(const sides *s)
{
    return s->of->family->ordinal == &dlpi_ordinal_logit;
}

static bool is_cloglog(const sides *s)
{
    return s->of->family->ordinal == &dlpi_ordinal_cloglog;
}

/* ---- rows ---- */

static double *offset_of(const sides *s)
{
    return s->numbers + 2 * s->N;
}

static double *upper_of(const sides *s)
{
    return s->numbers + 3 * s->N;
}

static double *column_of(const sides *s, dlp_index j)
{
    return s->numbers + (4 + j) * s->N;
}

static dlp_index count_sides(const sides *s)
{
    const dlp_glm *g = s->of;
    dlp_index n = 0;
    if (!is_logit(s)) return g->data.N;
    for (dlp_index i = 0; i < g->data.N; i++)
        n += (g->data.y[i] > 0) + (g->data.y[i] < (double)(g->data.levels - 1));
    return n;
}

/* Stores whether row i lies above the cut point; for intervals, only its level. */
static void put_side(sides *s, dlp_index at, dlp_index i, dlp_index cut, bool above)
{
    const dlp_glm_data *d = &s->of->data;
    s->numbers[at] = above;
    s->numbers[s->N + at] = d->weight ? d->weight[i] : 1;
    s->cut[at] = cut;
    for (dlp_index j = 0; j < d->p; j++) column_of(s, j)[at] = d->x[j][i];
    column_of(s, d->p)[at] = -1;
}

static void put_sides(sides *s)
{
    const dlp_glm_data *d = &s->of->data;
    const bool logit = is_logit(s);
    dlp_index at = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const dlp_index y = (dlp_index)d->y[i], last = d->levels - 1;
        if (!logit) put_side(s, at++, i, y, false);
        if (logit && y > 0) put_side(s, at++, i, y - 1, true);
        if (logit && y < last) put_side(s, at++, i, y, false);
        if (logit && y > 0 && y < last) s->times[y - 1] += d->weight ? d->weight[i] : 1;
    }
    for (dlp_index j = 0; j < s->p; j++) s->x[j] = column_of(s, j);
}

/* The cut points lie at `to` (gaps + 1) above the first. */
static void put_cuts(sides *s, const double *to)
{
    const bool logit = is_logit(s), cloglog = is_cloglog(s);
    double *offset = offset_of(s), *lower = s->numbers, *upper = upper_of(s);
    for (dlp_index i = 0; logit && i < s->N; i++) offset[i] = -to[s->cut[i]];
    for (dlp_index i = 0; !logit && i < s->N; i++) {
        const dlp_index y = s->cut[i];
        lower[i] = y > 0 ? to[y - 1] : -INFINITY;
        upper[i] = y <= s->gaps ? to[y] : INFINITY;
        if (!cloglog) continue; /* cut points are logarithms of times */
        lower[i] = exp(fmin(lower[i], MOST_LOG));
        upper[i] = y <= s->gaps ? exp(fmin(upper[i], MOST_LOG + 1)) : INFINITY;
    }
}

static dlp_status make_glm(sides *s, dlp_error *error)
{
    const dlp_glm_data data = {.N = s->N,
                               .p = s->p,
                               .x = s->x,
                               .y = s->numbers,
                               .trials = is_logit(s) ? NULL : upper_of(s),
                               .weight = s->numbers + s->N,
                               .offset = offset_of(s)};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const char *family = is_logit(s)     ? "bernoulli"
                         : is_cloglog(s) ? "exponential"
                                         : "tobit";
    DLP_TRY(dlp_glm_alloc(family, NULL, &data, &prior, &s->glm, error));
    dlpi_prior_free(&s->glm->prior);
    s->glm->prior = (dlpi_prior){0};
    return dlpi_prior_take(&s->glm->prior, &s->of->prior, s->p, error);
}

static dlp_status make_sides(sides *s, const dlp_settings *settings, dlp_error *error)
{
    static const double even[MOST_GAPS + 1] = {0, 1, 2, 3};
    const dlp_index n = s->of->n;
    s->N = count_sides(s);
    s->p = s->of->data.p + 1;
    s->gaps = s->of->data.levels - 2;
    s->numbers = dlpi_calloc(s->N, (size_t)(s->p + 4) * sizeof *s->numbers);
    s->x = dlpi_calloc(s->p, sizeof *s->x);
    s->cut = dlpi_calloc(s->N, sizeof *s->cut);
    s->times = dlpi_calloc(s->gaps + 1, sizeof *s->times);
    s->theta = dlpi_calloc(n + 1, (size_t)(n + 2) * sizeof *s->theta);
    s->C = dlpi_calloc(n, (size_t)n * sizeof *s->C);
    s->root = dlpi_calloc(s->gaps + 1, (size_t)(s->gaps + 1) * sizeof *s->root);
    if (!s->numbers || !s->x || !s->cut || !s->times || !s->theta || !s->C || !s->root)
        return dlpi_no_memory(error, "an ordinal regression");
    put_sides(s);
    put_cuts(s, even);
    DLP_TRY(make_glm(s, error));
    DLP_TRY(dlpi_scale_held_alloc(&s->held, s->glm, settings, s->listener, error));
    return dlpi_mixture_alloc(&s->mixture, n + 1, error);
}

static void free_sides(sides *s)
{
    dlpi_mixture_free(&s->mixture);
    dlpi_scale_held_free(&s->held);
    dlp_glm_free(s->glm);
    free(s->numbers);
    free(s->x);
    free(s->cut);
    free(s->times);
    free(s->theta);
    free(s->C);
    free(s->root);
}

/* ---- a point ---- */

/* log p of the gaps delta under their prior, plus what the gaps add to the rows' log
   likelihood. */
static double log_of_gaps(const sides *s, const double *delta)
{
    const dlpi_prior *prior = &s->of->prior;
    double sum = 0, unused[3];
    for (dlp_index j = 0; j < s->gaps; j++) {
        const dlp_index at = s->p + j;
        const double sd = prior->precision
                              ? 1 / sqrt(prior->precision[at * (prior->n + 1)])
                              : prior->sd[at],
                     z = (delta[j] - prior->mean[at]) / sd;
        sum += -0.5 * z * z - log(sd) - 0.91893853320467274178;
        if (s->times[j] > 0) sum += s->times[j] * dlpi_log_gap(delta[j], unused);
    }
    return sum;
}

/* Fits the regression given the gaps delta and adds it to the mixture; log_weight is that
   of the point. */
static bool add_point(sides *s, const double *delta, double log_weight)
{
    const dlp_index n = s->of->n;
    double to[MOST_GAPS + 1] = {0};
    for (dlp_index j = 0; j < s->gaps; j++) to[j + 1] = to[j] + exp(delta[j]);
    put_cuts(s, to);
    dlpi_scale_held_fit(&s->held, 0);
    const double log_p = s->held.log_p + log_of_gaps(s, delta) + log_weight;
    if (!isfinite(log_p)) return false;
    memcpy(s->theta, s->held.mu, (size_t)s->p * sizeof *s->theta);
    memcpy(s->theta + s->p, delta, (size_t)s->gaps * sizeof *s->theta);
    memset(s->C, 0, (size_t)(n * n) * sizeof *s->C);
    for (dlp_index i = 0; i < s->p; i++)
        memcpy(s->C + i * n, s->held.C + i * s->p, (size_t)s->p * sizeof *s->C);
    dlpi_mixture_add(&s->mixture, s->theta, s->C, 0, log_p);
    return true;
}

/* All points delta = m + L z, z = sqrt(2) t: the integral of f is det L times the sum of
   f, with a factor sqrt(2) w exp(t^2) per dimension. */
static bool add_points(sides *s, const double *m)
{
    const int per = s->gaps <= 1 ? MOST_POINTS : s->gaps == 2 ? 7 : 5;
    double t[MOST_POINTS], log_w[MOST_POINTS], z[MOST_GAPS + 1],
        delta[MOST_GAPS + 1] = {0};
    int all = 1;
    bool any = false;
    dlpi_gauss_hermite(per, t, log_w);
    for (dlp_index j = 0; j < s->gaps; j++) all *= per;
    for (int k = 0; k < all; k++) {
        double weight = 0;
        for (dlp_index j = 0, rest = k; j < s->gaps; j++, rest /= per) {
            z[j] = sqrt(2) * t[rest % per];
            weight += log_w[rest % per] + t[rest % per] * t[rest % per] + 0.5 * log(2) +
                      log(s->root[j * (s->gaps + 1)]);
            delta[j] = m[j];
            for (dlp_index i = 0; i <= j; i++)
                delta[j] += s->root[j * s->gaps + i] * z[i];
        }
        any |= add_point(s, delta, weight);
    }
    return any;
}

/* root root' = the covariance of the gaps */
static bool find_root(sides *s, const double *Sigma)
{
    const dlp_index n = s->of->n, G = s->gaps;
    double U[MOST_GAPS * MOST_GAPS + 1];
    for (dlp_index i = 0; i < G; i++)
        for (dlp_index k = 0; k < G; k++) U[i * G + k] = Sigma[(s->p + i) * n + s->p + k];
    if (G > 0 && dlpi_cholesky(G, U) >= 0) return false;
    for (dlp_index i = 0; i < G; i++)
        for (dlp_index k = 0; k <= i; k++) s->root[i * G + k] = U[k * G + i];
    return true;
}

static dlp_status run(sides *s, const dlp_settings *settings, double *mu, double *Sigma,
                      double *log_evidence, dlp_error *error)
{
    DLP_TRY(make_sides(s, settings, error));
    if (!s->held.propagates || !find_root(s, Sigma) || !add_points(s, mu + s->p) ||
        dlpi_listener_stopped(s->listener))
        return dlp_fail(error, DLP_EINPUT,
                        "expectation propagation of an ordinal regression failed");
    *log_evidence = dlpi_mixture_posterior(&s->mixture, s->theta, mu, Sigma);
    return DLP_OK;
}

dlp_status dlpi_ordinal_fit_wide(const dlp_glm *glm, const dlp_settings *settings,
                                 dlpi_listener *listener, double *mu, double *Sigma,
                                 double *log_evidence, dlp_error *error)
{
    dlp_settings own = *settings;
    sides s = {.of = glm, .listener = listener};
    own.method = "delta";
    own.progress = NULL;
    const dlp_status status = run(&s, &own, mu, Sigma, log_evidence, error);
    free_sides(&s);
    return status;
}

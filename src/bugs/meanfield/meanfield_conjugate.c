/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The exponential families: from natural parameters, the weights of the sufficient
 * statistics, to their expectations.   (eq:q-z-exact2; conjugate nodes of Appendix A)
 */
#include "bugs/meanfield/meanfield.h"
#include "core/core.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { MOST_SIZE = 8 };

const char *const dlpi_family_name[DLPI_N_FAMILIES] = {
    [DLPI_GAUSSIAN] = "gaussian",
    [DLPI_NORMAL] = "normal",
    [DLPI_GAMMA] = "gamma",
    [DLPI_BETA] = "beta",
    [DLPI_DIRICHLET] = "dirichlet",
    [DLPI_WISHART] = "wishart",
    [DLPI_CATEGORICAL] = "categorical",
    [DLPI_SCALE] = "scale",
};

static const double LOG_2_PI = 1.8378770664093454836;

static bool is_positive(double x)
{
    return x > 0 && isfinite(x);
}

/* ---- Wishart: |X|^{(nu - d - 1)/2} exp(-1/2 tr(R X)) ---- */

typedef struct wishart {
    int d;
    double nu;
    double V[MOST_SIZE * MOST_SIZE]; /* R^-1 */
    double log_det;                  /* log |V| */
} wishart;

/* Lower Cholesky factor in place, (d, d); false: not positive definite. */
static bool cholesky(int d, double *a)
{
    for (int j = 0; j < d; j++) {
        double s = a[j + j * d];
        for (int k = 0; k < j; k++) s -= a[j + k * d] * a[j + k * d];
        if (!(s > 0)) return false;
        a[j + j * d] = sqrt(s);
        for (int i = j + 1; i < d; i++) {
            double t = a[i + j * d];
            for (int k = 0; k < j; k++) t -= a[i + k * d] * a[j + k * d];
            a[i + j * d] = t / a[j + j * d];
        }
    }
    return true;
}

static bool wishart_of(const dlpi_meanfield *mf, const dlpi_q *q, wishart *w)
{
    const int d = w->d = q->size;
    const double *natural = mf->natural + q->stat;
    double L[MOST_SIZE * MOST_SIZE], M[MOST_SIZE * MOST_SIZE] = {0};
    w->nu = 2 * natural[q->n_stats - 1] + d + 1;
    for (int j = 0, at = 0; j < d; j++)
        for (int i = j; i < d; i++, at++)
            L[i + j * d] = L[j + i * d] = (i == j ? -2 : -1) * natural[at];
    if (!(w->nu > d - 1) || !cholesky(d, L)) return false;
    w->log_det = 0;
    for (int j = 0; j < d; j++) { /* M = L^-1 */
        w->log_det -= 2 * log(L[j + j * d]);
        M[j + j * d] = 1 / L[j + j * d];
        for (int i = j + 1; i < d; i++) {
            double s = 0;
            for (int k = j; k < i; k++) s -= L[i + k * d] * M[k + j * d];
            M[i + j * d] = s / L[i + i * d];
        }
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            w->V[i + j * d] = 0;
            for (int k = i > j ? i : j; k < d; k++)
                w->V[i + j * d] += M[k + i * d] * M[k + j * d];
        }
    return true;
}

static double wishart_log_det(const wishart *w)
{
    double sum = w->d * 0.69314718055994530942 + w->log_det;
    for (int i = 0; i < w->d; i++) sum += dlp_digamma(0.5 * (w->nu - i));
    return sum;
}

/* log of the integral of |X|^{(nu-d-1)/2} exp(-1/2 tr(R X)). */
static double wishart_log_norm(const wishart *w)
{
    const double d = w->d;
    double sum = 0.5 * w->nu * (d * 0.69314718055994530942 + w->log_det) +
                 0.25 * d * (d - 1) * 1.14472988584940017414;
    for (int i = 0; i < w->d; i++) sum += dlp_lgamma(0.5 * (w->nu - i));
    return sum;
}

/* ---- expectations ---- */

static bool update_simplex(const double *natural, int32_t n, double *expected)
{
    double sum = 0;
    for (int32_t k = 0; k < n; k++) {
        if (!is_positive(natural[k] + 1)) return false;
        sum += natural[k] + 1;
    }
    const double all = dlp_digamma(sum);
    for (int32_t k = 0; k < n; k++) expected[k] = dlp_digamma(natural[k] + 1) - all;
    return true;
}

static bool update_table(const dlpi_meanfield *mf, const dlpi_q *q, double *expected)
{
    const double *natural = mf->natural + q->stat;
    double most = -INFINITY, sum = 0;
    for (int32_t s = 0; s < q->n_stats; s++)
        if (!mf->impossible[q->stat + s]) most = fmax(most, natural[s]);
    if (!isfinite(most)) return false;
    for (int32_t s = 0; s < q->n_stats; s++) {
        expected[s] = mf->impossible[q->stat + s] ? 0 : exp(natural[s] - most);
        sum += expected[s];
    }
    for (int32_t s = 0; s < q->n_stats; s++) expected[s] /= sum;
    return true;
}

static bool update_wishart(const dlpi_meanfield *mf, const dlpi_q *q, double *expected)
{
    wishart w;
    if (!wishart_of(mf, q, &w)) return false;
    int at = 0;
    for (int j = 0; j < w.d; j++)
        for (int i = j; i < w.d; i++) expected[at++] = w.nu * w.V[i + j * w.d];
    expected[at] = wishart_log_det(&w);
    return true;
}

bool dlpi_conjugate_update(dlpi_meanfield *mf, dlpi_q *q)
{
    for (int32_t s = 0; s < q->n_stats; s++)
        mf->natural[q->stat + s] = dlpi_meanfield_weight(mf, q->stat + s);
    return dlpi_conjugate_expect(mf, q);
}

bool dlpi_conjugate_expect(dlpi_meanfield *mf, dlpi_q *q)
{
    const double *natural = mf->natural + q->stat;
    double *expected = mf->expected + q->stat;
    switch (q->family) {
    case DLPI_NORMAL: {
        const double precision = -2 * natural[1], mean = natural[0] / precision;
        expected[0] = mean;
        expected[1] = mean * mean + 1 / precision;
        return is_positive(precision) && isfinite(mean);
    }
    case DLPI_GAMMA: {
        const double shape = natural[0] + 1, rate = -natural[1];
        if (!is_positive(shape) || !is_positive(rate)) return false;
        expected[0] = dlp_digamma(shape) - log(rate);
        expected[1] = shape / rate;
        return true;
    }
    case DLPI_BETA:
    case DLPI_DIRICHLET: return update_simplex(natural, q->n_stats, expected);
    case DLPI_SCALE: return dlpi_scale_expect(mf, q, expected);
    case DLPI_WISHART: return update_wishart(mf, q, expected);
    case DLPI_CATEGORICAL: return update_table(mf, q, expected);
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: break;
    }
    return false;
}

void dlpi_conjugate_start(dlpi_meanfield *mf, dlpi_q *q, const double *value)
{
    double *expected = mf->expected + q->stat;
    const double v = value[0];
    switch (q->family) {
    case DLPI_NORMAL:
        expected[0] = v;
        expected[1] = v * v;
        break;
    case DLPI_GAMMA:
        expected[0] = log(v);
        expected[1] = v;
        break;
    case DLPI_SCALE:
        expected[0] = log(v);
        expected[1] = 1 / (v * v);
        break;
    case DLPI_BETA:
        expected[0] = log(v);
        expected[1] = log1p(-v);
        break;
    case DLPI_DIRICHLET:
        for (int32_t k = 0; k < q->n; k++) expected[k] = log(value[k]);
        break;
    case DLPI_CATEGORICAL:
        for (int32_t s = 0; s < q->n_stats; s++) expected[s] = value[s];
        break;
    case DLPI_WISHART:
        for (int j = 0, at = 0; j < q->size; j++)
            for (int i = j; i < q->size; i++) expected[at++] = i == j;
        expected[q->n_stats - 1] = 0;
        break;
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: break;
    }
}

/* ---- entropies ---- */

static double simplex_entropy(const double *natural, const double *expected, int32_t n)
{
    double sum = 0, h = 0;
    for (int32_t k = 0; k < n; k++) {
        sum += natural[k] + 1;
        h += dlp_lgamma(natural[k] + 1) - natural[k] * expected[k];
    }
    return h - dlp_lgamma(sum);
}

double dlpi_conjugate_entropy(const dlpi_meanfield *mf, const dlpi_q *q)
{
    const double *natural = mf->natural + q->stat, *expected = mf->expected + q->stat;
    double h = 0;
    wishart w;
    switch (q->family) {
    case DLPI_NORMAL: return 0.5 * (1 + LOG_2_PI - log(-2 * natural[1]));
    case DLPI_GAMMA: {
        const double shape = natural[0] + 1;
        return shape - log(-natural[1]) + dlp_lgamma(shape) -
               natural[0] * dlp_digamma(shape);
    }
    case DLPI_BETA:
    case DLPI_DIRICHLET: return simplex_entropy(natural, expected, q->n_stats);
    case DLPI_SCALE: return dlpi_scale_entropy(mf, q);
    case DLPI_CATEGORICAL:
        for (int32_t s = 0; s < q->n_stats; s++)
            h -= expected[s] > 0 ? expected[s] * log(expected[s]) : 0;
        return h;
    case DLPI_WISHART:
        if (!wishart_of(mf, q, &w)) return NAN;
        h = wishart_log_norm(&w);
        for (int32_t s = 0; s < q->n_stats; s++) h -= natural[s] * expected[s];
        return h;
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: break;
    }
    return 0;
}

/* ---- moments and draws ---- */

static void simplex_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                            double *sd)
{
    const double *natural = mf->natural + q->stat;
    double sum = 0;
    for (int32_t k = 0; k < q->n_stats; k++) sum += natural[k] + 1;
    for (int32_t k = 0; k < q->n; k++) { /* of a beta: the first of two */
        mean[k] = (natural[k] + 1) / sum;
        sd[k] = sqrt(mean[k] * (1 - mean[k]) / (sum + 1));
    }
}

static void matrix_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                           double *sd)
{
    wishart w;
    if (!wishart_of(mf, q, &w)) return;
    for (int i = 0; i < w.d; i++)
        for (int j = 0; j < w.d; j++) {
            const double v = w.V[i + j * w.d];
            mean[i + j * w.d] = w.nu * v;
            sd[i + j * w.d] = sqrt(w.nu * (v * v + w.V[i + i * w.d] * w.V[j + j * w.d]));
        }
}

void dlpi_conjugate_moments(const dlpi_meanfield *mf, const dlpi_q *q, double *mean,
                            double *sd)
{
    const double *natural = mf->natural + q->stat, *expected = mf->expected + q->stat;
    double m = 0, v = 0;
    switch (q->family) {
    case DLPI_NORMAL:
        mean[0] = expected[0];
        sd[0] = sqrt(-0.5 / natural[1]);
        break;
    case DLPI_GAMMA:
        mean[0] = expected[1];
        sd[0] = sqrt(natural[0] + 1) / -natural[1];
        break;
    case DLPI_SCALE: dlpi_scale_moments(mf, q, mean, sd); break;
    case DLPI_BETA:
    case DLPI_DIRICHLET: simplex_moments(mf, q, mean, sd); break;
    case DLPI_CATEGORICAL:
        for (int32_t s = 0; s < q->n_stats; s++) m += (q->low + s) * expected[s];
        for (int32_t s = 0; s < q->n_stats; s++)
            v += (q->low + s - m) * (q->low + s - m) * expected[s];
        mean[0] = m;
        sd[0] = sqrt(v);
        break;
    case DLPI_WISHART: matrix_moments(mf, q, mean, sd); break;
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: break;
    }
}

/* Bartlett: X = L A A' L', L L' = V. */
static void draw_matrix(const dlpi_meanfield *mf, const dlpi_q *q, dlp_rng *rng,
                        double *value)
{
    wishart w;
    double A[MOST_SIZE * MOST_SIZE] = {0}, T[MOST_SIZE * MOST_SIZE] = {0};
    if (!wishart_of(mf, q, &w) || !cholesky(w.d, w.V)) return;
    const int d = w.d;
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++)
            A[i + j * d] = i == j ? sqrt(2 * dlp_draw_gamma(rng, 0.5 * (w.nu - i)))
                                  : dlp_draw_normal(rng);
    for (int i = 0; i < d; i++)
        for (int j = 0; j <= i; j++)
            for (int k = j; k <= i; k++) T[i + j * d] += w.V[i + k * d] * A[k + j * d];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) {
            value[i + j * d] = 0;
            for (int k = 0; k < d; k++) value[i + j * d] += T[i + k * d] * T[j + k * d];
        }
}

static void draw_simplex(const dlpi_meanfield *mf, const dlpi_q *q, dlp_rng *rng,
                         double *value)
{
    double sum = 0;
    for (int32_t k = 0; k < q->n_stats; k++) {
        const double g = dlp_draw_gamma(rng, mf->natural[q->stat + k] + 1);
        if (k < q->n) value[k] = g; /* of a beta: the first of two */
        sum += g;
    }
    for (int32_t k = 0; k < q->n; k++) value[k] /= sum > 0 ? sum : 1;
}

/* Its inverse square is gamma, above a bound. */
static void draw_scale(const dlpi_meanfield *mf, const dlpi_q *q, dlp_rng *rng,
                       double *value)
{
    enum { TRIES = 100 };
    const double *natural = mf->natural + q->stat, shape = -0.5 * natural[0] - 0.5;
    const double bound = mf->factors->lowering->upper[mf->cell[q->first]];
    for (int i = 0; i < TRIES && shape > 0; i++) {
        value[0] = sqrt(-natural[1] / dlp_draw_gamma(rng, shape));
        if (value[0] < bound) return;
    }
    value[0] = dlpi_scale_quantile(mf, q, dlp_draw_uniform(rng));
}

void dlpi_conjugate_draw(const dlpi_meanfield *mf, const dlpi_q *q, dlp_rng *rng,
                         double *value)
{
    const double *natural = mf->natural + q->stat, *expected = mf->expected + q->stat;
    switch (q->family) {
    case DLPI_NORMAL:
        value[0] = expected[0] + sqrt(-0.5 / natural[1]) * dlp_draw_normal(rng);
        break;
    case DLPI_GAMMA: value[0] = dlp_draw_gamma(rng, natural[0] + 1) / -natural[1]; break;
    case DLPI_SCALE: draw_scale(mf, q, rng, value); break;
    case DLPI_BETA:
    case DLPI_DIRICHLET: draw_simplex(mf, q, rng, value); break;
    case DLPI_CATEGORICAL:
        value[0] = q->low + (double)dlp_draw_categorical(rng, q->n_stats, expected);
        break;
    case DLPI_WISHART: draw_matrix(mf, q, rng, value); break;
    case DLPI_GAUSSIAN:
    case DLPI_N_FAMILIES: break;
    }
}

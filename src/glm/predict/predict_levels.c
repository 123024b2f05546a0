/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions of multinomial and ordinal regressions: the probability of each level, at
 * the mean of q(theta) and averaged over q(theta). A multinomial regression has a
 * Gaussian linear predictor for each level but the first, and averages over a lattice of
 * them.
 */
#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/predict/left_out.h"
#include "glm/predict/predict.h"
#include "glm/predict/predict_ordinal.h"
#include "math/dense.h"
#include "math/normal_lattice.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { POINTS = 1021 }; /* of the lattice: a prime */

typedef struct level_work {
    dlp_index K, m;         /* levels; linear predictors: K - 1, ordinal: 1 */
    dlpi_ordinal *ordinal;  /* NULL: multinomial */
    double *p;              /* (K) */
    double *row;            /* (p) of X */
    double *eta;            /* (m) */
    const double *added;    /* (m, m) extra variance of eta, or NULL */
    dlpi_ordinal_more more; /* ordinal */
    /* multinomial: */
    double *z;       /* (m, POINTS) N(0, 1) */
    double *shifted; /* (m) */
    double *root;    /* (m, m) of the covariance of eta: lower triangular */
    double *sum;     /* (K) */
} level_work;

void dlpi_root(dlp_index m, double *A)
{
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index l = 0; l <= k; l++) {
            double *row = A + k * m;
            const double *other = A + l * m;
            const double left = row[l] - dlpi_dot(l, row, other);
            if (l == k)
                row[k] = sqrt(fmax(left, 0));
            else
                row[l] = other[l] > 0 ? left / other[l] : 0;
        }
}

/* ---- multinomial ---- */

/* pi_k proportional to exp(eta_k), eta_0 = 0 */
static void softmax(const level_work *w, const double *eta, double *p)
{
    double top = 0, sum = 0;
    for (dlp_index k = 0; k < w->m; k++) top = fmax(top, eta[k]);
    for (dlp_index k = 0; k < w->K; k++) sum += p[k] = exp((k ? eta[k - 1] : 0) - top);
    for (dlp_index k = 0; k < w->K; k++) p[k] /= sum;
}

/* The root of the covariance of the loaded row's linear predictors. */
static void load_root(const level_work *w, dlp_index p, const dlp_sym *Sigma)
{
    const dlp_index m = w->m, n = Sigma->shape.n;
    const double *S = dlp_sym_block(Sigma, 0);
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index l = 0; l <= k; l++)
            w->root[k * m + l] = dlpi_quadratic(p, w->row, S + k * p * n + l * p, n) +
                                 (w->added ? w->added[k * m + l] : 0);
    dlpi_root(m, w->root);
}

/* w->p at point i of the lattice, from eta and its root */
static void softmax_at(const level_work *w, int i)
{
    const dlp_index m = w->m;
    for (dlp_index k = 0; k < m; k++) {
        w->shifted[k] = w->eta[k];
        for (dlp_index l = 0; l <= k; l++)
            w->shifted[k] += w->root[k * m + l] * w->z[l * POINTS + i];
    }
    softmax(w, w->shifted, w->p);
}

/* w->p = E_q[p(y = k)] from eta and its root. With y >= 0, as if one row of that level
   were left out: weighted by 1 / p(y). */
static void average(const level_work *w, dlp_index y)
{
    const double least = 1e-300;
    double *p = w->p, weights = 0;
    memset(w->sum, 0, (size_t)w->K * sizeof *w->sum);
    for (int i = 0; i < POINTS; i++) {
        softmax_at(w, i);
        const double weight = y < 0 ? 1 : 1 / fmax(p[y], least);
        for (dlp_index k = 0; k < w->K; k++) w->sum[k] += weight * p[k];
        weights += weight;
    }
    for (dlp_index k = 0; k < w->K; k++) p[k] = w->sum[k] / weights;
}

/* ---- rows ---- */

static void load_row(level_work *w, const dlp_glm_data *d, dlp_index i, const double *mu,
                     const dlpi_added *added)
{
    const dlp_index m = w->m;
    dlpi_load_row(d, i, w->row);
    w->added = added->variance ? added->variance + i * m * m : NULL;
    w->more.mean = added->mean ? added->mean[i * m] : 0;
    w->more.variance = w->added ? w->added[0] : 0;
    w->more.with_cuts = added->with_cuts ? added->with_cuts + i * (w->K - 1) : NULL;
    for (dlp_index k = 0; k < m; k++)
        w->eta[k] = dlpi_dot(d->p, mu + k * d->p, w->row) +
                    (added->mean ? added->mean[i * m + k] : 0);
}

static void load_at_mean(const level_work *w)
{
    if (w->ordinal)
        dlpi_ordinal_at_mean(w->ordinal, w->eta[0], w->p);
    else
        softmax(w, w->eta, w->p);
}

static void load_average(const level_work *w, dlp_index p, const dlp_sym *Sigma)
{
    if (w->ordinal) {
        dlpi_ordinal_average(w->ordinal, w->row, &w->more, w->p);
    } else {
        load_root(w, p, Sigma);
        average(w, -1);
    }
}

/* Copies w->p into row i of the outputs, either of which may be NULL. */
static void write_row(const level_work *w, const dlp_glm_data *d, dlp_index i,
                      double *probability, double *log_density)
{
    if (probability) memcpy(probability + i * w->K, w->p, (size_t)w->K * sizeof *w->p);
    if (log_density) log_density[i] = log(w->p[(dlp_index)d->y[i]]);
}

static void predict_row(level_work *w, const dlp_glm_data *d, dlp_index i,
                        const double *mu, const dlp_sym *Sigma, const dlpi_added *added,
                        const dlp_glm_prediction *out)
{
    load_row(w, d, i, mu, added);
    if (out->eta && w->ordinal) out->eta[i] = w->eta[0];
    if (out->eta_sd && w->ordinal)
        out->eta_sd[i] = sqrt(
            fmax(dlpi_quadratic(d->p, w->row, dlp_sym_block(Sigma, 0), Sigma->shape.n) +
                     w->more.variance,
                 0));
    if (out->probability || out->log_density) {
        load_at_mean(w);
        write_row(w, d, i, out->probability, out->log_density);
    }
    if (out->probability_averaged || out->log_density_averaged) {
        load_average(w, d->p, Sigma);
        write_row(w, d, i, out->probability_averaged, out->log_density_averaged);
    }
}

static dlp_status work_alloc(level_work *w, dlp_index K, dlp_index m, dlp_index p,
                             dlp_error *error)
{
    memset(w, 0, sizeof *w);
    w->K = K;
    w->m = m;
    w->p = dlpi_calloc(dlpi_size(m, dlpi_size(1, m, POINTS + 2), dlpi_size(2, K, p)),
                       sizeof *w->p);
    if (!w->p) {
        (void)dlpi_no_memory(error, "predictions");
        return DLP_ENOMEM;
    }
    w->sum = w->p + K;
    w->row = w->sum + K;
    w->eta = w->row + p;
    w->shifted = w->eta + m;
    w->root = w->shifted + m;
    w->z = w->root + m * m;
    return DLP_OK;
}

/* The ordinal regression, or the lattice of a multinomial one. */
static dlp_status work_begin(level_work *w, const dlpi_family *family,
                             const dlp_glm_data *d, const double *mu,
                             const dlp_sym *Sigma, bool averages, dlp_error *error)
{
    const bool ordinal = family->type == &dlpi_ordinal_type;
    const dlp_index K = d->levels;
    if (K < 2)
        return dlp_fail(error, DLP_EINVAL, "family %s needs at least two levels",
                        family->of->name);
    DLP_TRY(work_alloc(w, K, ordinal ? 1 : K - 1, d->p, error));
    if (ordinal)
        return dlpi_ordinal_alloc(family->ordinal, d->p, K, mu, Sigma, &w->ordinal,
                                  error);
    return averages ? dlpi_normal_lattice(POINTS, w->m, w->z, error) : DLP_OK;
}

dlp_status dlpi_predict_levels(const dlpi_family *family, const dlp_glm_data *d,
                               const double *mu, const dlp_sym *Sigma,
                               const dlpi_added *added, const dlp_glm_prediction *out,
                               dlp_error *error)
{
    const bool averages = out->probability_averaged || out->log_density_averaged;
    level_work w = {0};
    dlp_status status = work_begin(&w, family, d, mu, Sigma, averages, error);
    for (dlp_index i = 0; status == DLP_OK && i < d->N; i++)
        predict_row(&w, d, i, mu, Sigma, added, out);
    dlpi_ordinal_free(w.ordinal);
    free(w.p);
    return status;
}

/* ---- rows left out ---- */

/* d c / d delta, of the middle c of the cut points around level y: c_j = delta_0 +
   exp(delta_1) + ... + exp(delta_j). Into slope (J). */
static void find_middle(const level_work *w, dlp_index y, const double *delta,
                        double *slope)
{
    const dlp_index J = w->K - 1, low = y > 0 ? y - 1 : 0, high = y < J ? y : J - 1;
    for (dlp_index k = 0; k < J; k++)
        slope[k] = (k > high ? 0 : k > low ? 0.5 : 1) * (k > 0 ? exp(delta[k]) : 1);
}

/* The variance of eta - c, c being between the cut points around level y: eta and the cut
   points are correlated, and only their differences count. */
static double cut_variance(const level_work *w, dlp_index p, dlp_index y,
                           const double *mu, const dlp_sym *Sigma)
{
    const dlp_index n = Sigma->shape.n, J = w->K - 1;
    const double *S = dlp_sym_block(Sigma, 0), *with = w->more.with_cuts;
    double *slope = w->p; /* (K), which is computed later */
    find_middle(w, y, mu + p, slope);
    double sum = dlpi_quadratic(p, w->row, S, n) + w->more.variance;
    for (dlp_index k = 0; k < J; k++) {
        sum -= 2 * slope[k] * dlpi_dot(p, S + (p + k) * n, w->row);
        sum += slope[k] * dlpi_dot(J, S + (p + k) * n + p, slope);
        if (with) sum -= 2 * slope[k] * with[k];
    }
    return fmax(sum, 0);
}

/* Takes out an ordinal row by its linear predictor, as left_out.c does; the cut points
   stay. */
static bool take_out_ordinal(level_work *w, dlp_index y, double variance,
                             double *leverage)
{
    const double step = 1e-3, least = 1e-300;
    double l[3];
    for (int k = 0; k < 3; k++) {
        dlpi_ordinal_at_mean(w->ordinal, w->eta[0] + (k - 1) * step, w->p);
        l[k] = log(fmax(w->p[y], least));
    }
    const double g = (l[2] - l[0]) / (2 * step),
                 h = variance * (2 * l[1] - l[0] - l[2]) / (step * step);
    *leverage = h;
    if (!(h < 1)) return false;
    const double left = variance / (1 - h);
    w->more.mean -= left * g;
    w->more.variance += left - variance;
    return true;
}

/* The trace of W V, with W = diag(p) - pp' at the mean and V the covariance of eta. */
static double multinomial_leverage(const level_work *w)
{
    const dlp_index m = w->m;
    double sum = 0;
    softmax(w, w->eta, w->p);
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index l = 0; l < m; l++) {
            const dlp_index low = k < l ? k : l;
            const double V = dlpi_dot(low + 1, w->root + k * m, w->root + l * m);
            sum += V * ((k == l ? w->p[k + 1] : 0) - w->p[k + 1] * w->p[l + 1]);
        }
    return sum;
}

enum { TAIL_ROOM = 1024 };
_Static_assert((int)TAIL_ROOM >= (int)POINTS && (int)TAIL_ROOM >= (int)DLPI_TAIL_POINTS,
               "room for either");

/* The tail shape of 1 / p(y): over the linear predictor of an ordinal row, or over the
   lattice. */
static double tail_of(const level_work *w, dlp_index y, double variance)
{
    const double least = 1e-300;
    const int n = w->ordinal ? DLPI_TAIL_POINTS : POINTS;
    double log_weight[TAIL_ROOM];
    for (int k = 0; k < n; k++) {
        if (w->ordinal)
            dlpi_ordinal_at_mean(w->ordinal,
                                 w->eta[0] + sqrt(fmax(variance, 0)) *
                                                 dlp_normal_quantile((k + 0.5) / n),
                                 w->p);
        else
            softmax_at(w, k);
        log_weight[k] = -log(fmax(w->p[y], least));
    }
    return dlpi_tail_shape(n, log_weight);
}

static void leave_out_row(level_work *w, const dlp_glm_data *d, dlp_index i,
                          const double *mu, const dlp_sym *Sigma, bool as_new,
                          const dlpi_left_out *out)
{
    const dlp_index y = (dlp_index)d->y[i];
    out->kept[i] = as_new;
    if (out->seen) {
        load_average(w, d->p, Sigma);
        out->seen[i] = log(w->p[y]);
    }
    if (w->ordinal) {
        const dlpi_ordinal_more more = w->more;
        const double variance = cut_variance(w, d->p, y, mu, Sigma);
        if (out->k) out->k[i] = tail_of(w, y, variance);
        if (!take_out_ordinal(w, y, variance, &out->leverage[i])) out->kept[i] = true;
        if (as_new) w->more = more;
        dlpi_ordinal_average(w->ordinal, w->row, &w->more, w->p);
    } else {
        load_root(w, d->p, Sigma);
        if (out->k) out->k[i] = tail_of(w, y, 0);
        out->leverage[i] = multinomial_leverage(w);
        average(w, as_new ? -1 : y);
    }
    if (out->elpd) out->elpd[i] = log(w->p[y]);
    out->below[i] = 0;
    for (dlp_index k = 0; k < y; k++) out->below[i] += w->p[k];
    out->up_to[i] = fmin(out->below[i] + w->p[y], 1);
}

dlp_status dlpi_left_out_levels(const dlpi_family *family, const dlp_glm_data *d,
                                const double *mu, const dlp_sym *Sigma,
                                const dlpi_added *added, bool as_new,
                                const dlpi_left_out *out, dlp_error *error)
{
    level_work w = {0};
    dlp_status status = work_begin(&w, family, d, mu, Sigma, true, error);
    for (dlp_index i = 0; status == DLP_OK && i < d->N; i++) {
        load_row(&w, d, i, mu, added);
        leave_out_row(&w, d, i, mu, Sigma, as_new, out);
    }
    dlpi_ordinal_free(w.ordinal);
    free(w.p);
    return status;
}

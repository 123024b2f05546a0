/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions of multinomial and ordinal regressions: the probability of each level, at
 * the mean of q(theta) and averaged over q(theta). An ordinal regression has one Gaussian
 * linear predictor (its cut points stay at their mean), so its average is a sum of one
 * dimension; a multinomial one has several, and takes the mean over draws, the same for
 * every row, each with its mirror image.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/structure.h"
#include "model/glm_state.h"
#include "model/predict.h"

#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <string.h>

enum { PAIRS = 256 }; /* draws, each used with both signs */

typedef struct level_work {
    dlp_index K, n_eta; /* levels, linear predictors */
    double *draws;      /* (PAIRS, n_eta) N(0, 1) */
    double *eta;        /* (n_eta) */
    double *shifted;    /* (n_eta) */
    double *root;       /* (n_eta, n_eta) of their covariance: lower triangular */
    double *cuts;       /* (K-1) ordinal */
    double *p;          /* (K) */
    double *sum;        /* (K) */
    double *row;        /* (p) of X */
} level_work;

/* pi_k proportional to exp(eta_k), eta_0 = 0 */
static void softmax(const level_work *w, const double *eta, double *p)
{
    double top = 0, sum = 0;
    for (dlp_index k = 0; k < w->n_eta; k++) top = fmax(top, eta[k]);
    for (dlp_index k = 0; k < w->K; k++) sum += p[k] = exp((k ? eta[k - 1] : 0) - top);
    for (dlp_index k = 0; k < w->K; k++) p[k] /= sum;
}

/* p(y = k) = sigma(c_k - eta) - sigma(c_(k-1) - eta) = sigma(c_k - eta) sigma(eta -
   c_(k-1)) (1 - exp(c_(k-1) - c_k)), which loses no digits */
static void cumulative(const level_work *w, double eta, double *p)
{
    for (dlp_index k = 0; k < w->K; k++) {
        const bool upper = k<w->K - 1, lower = k> 0;
        p[k] = upper ? dlp_logistic(w->cuts[k] - eta) : 1;
        if (lower) p[k] *= dlp_logistic(eta - w->cuts[k - 1]);
        if (upper && lower) p[k] *= -expm1(w->cuts[k - 1] - w->cuts[k]);
    }
}

static void probabilities(const level_work *w, const double *eta, double *p)
{
    if (w->cuts)
        cumulative(w, eta[0], p);
    else
        softmax(w, eta, p);
}

/* The linear predictors of row i under q: their means, and a root of their covariance. A
   covariance that rounding makes indefinite loses what fails. */
static void load_row(level_work *w, const dlp_glm_data *d, dlp_index i, const double *mu,
                     const double *S, dlp_index n)
{
    const dlp_index m = w->n_eta, p = d->p;
    dlpi_load_row(d, i, w->row);
    for (dlp_index k = 0; k < m; k++) {
        w->eta[k] = dlpi_dot(p, mu + k * p, w->row);
        for (dlp_index l = 0; l <= k; l++) {
            double left = dlpi_quadratic(p, w->row, S + k * p * n + l * p, n);
            for (dlp_index s = 0; s < l; s++)
                left -= w->root[k * m + s] * w->root[l * m + s];
            if (l == k)
                w->root[k * m + k] = sqrt(fmax(left, 0));
            else
                w->root[k * m + l] =
                    w->root[l * m + l] > 0 ? left / w->root[l * m + l] : 0;
        }
    }
}

/* w->sum = E_q[p(y = k)] for the row loaded */
static void average(level_work *w)
{
    const dlp_index m = w->n_eta;
    memset(w->sum, 0, (size_t)w->K * sizeof *w->sum);
    const int count = w->cuts ? DLPI_NODES : 2 * PAIRS;
    for (int s = 0; s < count; s++) {
        double weight = 1.0 / (2 * PAIRS);
        if (w->cuts) {
            w->shifted[0] = w->eta[0] + w->root[0] * dlpi_node(s);
            weight = dlpi_node_weight(s);
        } else {
            const double *z = w->draws + s / 2 * m, sign = s % 2 ? -1 : 1;
            for (dlp_index k = 0; k < m; k++)
                w->shifted[k] = w->eta[k] + sign * dlpi_dot(k + 1, w->root + k * m, z);
        }
        probabilities(w, w->shifted, w->p);
        for (dlp_index k = 0; k < w->K; k++) w->sum[k] += weight * w->p[k];
    }
}

static dlp_status work_alloc(level_work *w, const dlp_glm_data *d, bool ordinal,
                             const double *delta, dlp_error *error)
{
    const dlp_index K = d->levels, m = ordinal ? 1 : K - 1;
    memset(w, 0, sizeof *w);
    w->K = K;
    w->n_eta = m;
    w->draws = dlpi_calloc(dlpi_size(m, dlpi_size(1, m, PAIRS + 2), 3 * K + d->p),
                           sizeof *w->draws);
    if (!w->draws) {
        (void)dlpi_no_memory(error, "predictions");
        return DLP_ENOMEM;
    }
    w->eta = w->draws + PAIRS * m;
    w->shifted = w->eta + m;
    w->root = w->shifted + m;
    w->p = w->root + m * m;
    w->sum = w->p + K;
    w->row = w->sum + 2 * K;
    if (ordinal) {
        w->cuts = w->sum + K;
        for (dlp_index k = 0; k < K - 1; k++)
            w->cuts[k] = k == 0 ? delta[0] : w->cuts[k - 1] + exp(delta[k]);
    }
    for (dlp_index s = 0; s < PAIRS; s++) {
        dlp_rng rng = dlp_rng_at(0, (uint64_t)s);
        for (dlp_index k = 0; k < m; k++) w->draws[s * m + k] = dlp_draw_normal(&rng);
    }
    return DLP_OK;
}

dlp_status dlpi_predict_levels(const dlpi_family *family, const dlp_glm_data *d,
                               const double *mu, const dlp_sym *Sigma,
                               const dlp_glm_prediction *out, dlp_error *error)
{
    const bool ordinal = family->type == &dlpi_ordinal_type;
    const double *S = dlp_sym_block(Sigma, 0);
    level_work w;
    if (d->levels < 2)
        return dlp_fail(error, DLP_EINVAL, "family %s needs two levels or more",
                        family->name);
    DLP_TRY(work_alloc(&w, d, ordinal, mu + d->p, error));
    for (dlp_index i = 0; i < d->N; i++) {
        const dlp_index y =
            out->log_density || out->log_density_averaged ? (dlp_index)d->y[i] : 0;
        load_row(&w, d, i, mu, S, Sigma->shape.n);
        if (out->eta && ordinal) out->eta[i] = w.eta[0];
        if (out->eta_sd && ordinal) out->eta_sd[i] = w.root[0];
        probabilities(&w, w.eta, w.p);
        if (out->log_density) out->log_density[i] = log(w.p[y]);
        if (out->probability)
            memcpy(out->probability + i * w.K, w.p, (size_t)w.K * sizeof *w.p);
        if (!out->probability_averaged && !out->log_density_averaged) continue;
        average(&w);
        if (out->log_density_averaged) out->log_density_averaged[i] = log(w.sum[y]);
        if (out->probability_averaged)
            memcpy(out->probability_averaged + i * w.K, w.sum, (size_t)w.K * sizeof *w.p);
    }
    free(w.draws);
    return DLP_OK;
}

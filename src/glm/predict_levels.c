/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions of multinomial and ordinal regressions: the probability of each level, at
 * the mean of q(theta) and averaged over q(theta). A multinomial regression has a Gaussian
 * linear predictor for each level but the first, and takes the mean over a lattice of them.
 */
#include "core/core.h"
#include "glm/glm_state.h"
#include "glm/predict.h"
#include "glm/predict_ordinal.h"
#include "math/dense.h"
#include "math/normal_lattice.h"
#include "math/structure.h"

#include <math.h>
#include <string.h>

enum { POINTS = 1021 }; /* of the lattice: a prime */

typedef struct level_work {
    dlp_index K, m;         /* levels; linear predictors: K - 1, ordinal: 1 */
    dlpi_ordinal *ordinal;  /* NULL: multinomial */
    double *p;              /* (K) */
    double *row;            /* (p) of X */
    double *eta;            /* (m) */
    const double *added;    /* (m, m) more variance of eta, or NULL */
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

/* w->p = E_q[p(y = k)] from eta and its root */
static void average(const level_work *w)
{
    const dlp_index m = w->m;
    double *p = w->p;
    memset(w->sum, 0, (size_t)w->K * sizeof *w->sum);
    for (int i = 0; i < POINTS; i++) {
        for (dlp_index k = 0; k < m; k++) {
            w->shifted[k] = w->eta[k];
            for (dlp_index l = 0; l <= k; l++)
                w->shifted[k] += w->root[k * m + l] * w->z[l * POINTS + i];
        }
        softmax(w, w->shifted, p);
        for (dlp_index k = 0; k < w->K; k++) w->sum[k] += p[k];
    }
    for (dlp_index k = 0; k < w->K; k++) p[k] = w->sum[k] / POINTS;
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
        average(w);
    }
}

/* w->p, as row i of the outputs, either of which may be NULL. */
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

dlp_status dlpi_predict_levels(const dlpi_family *family, const dlp_glm_data *d,
                               const double *mu, const dlp_sym *Sigma,
                               const dlpi_added *added, const dlp_glm_prediction *out,
                               dlp_error *error)
{
    const bool ordinal = family->type == &dlpi_ordinal_type;
    const dlp_index K = d->levels;
    level_work w;
    if (K < 2)
        return dlp_fail(error, DLP_EINVAL, "family %s needs at least two levels",
                        family->of->name);
    DLP_TRY(work_alloc(&w, K, ordinal ? 1 : K - 1, d->p, error));
    dlp_status status = DLP_OK;
    if (ordinal)
        status =
            dlpi_ordinal_alloc(family->ordinal, d->p, K, mu, Sigma, &w.ordinal, error);
    else if (out->probability_averaged || out->log_density_averaged)
        status = dlpi_normal_lattice(POINTS, w.m, w.z, error);
    for (dlp_index i = 0; status == DLP_OK && i < d->N; i++)
        predict_row(&w, d, i, mu, Sigma, added, out);
    dlpi_ordinal_free(w.ordinal);
    free(w.p);
    return status;
}

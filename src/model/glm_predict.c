/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions of a generalised linear model: at the mean of q(theta), as the paper does,
 * and averaged over q(theta) (erratum E12). The linear predictor is Gaussian under q, so
 * an average is a sum of one dimension a row. The scale stays at its mean.
 */
#include "core/core.h"
#include "math/dense.h"
#include "model/glm_state.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* E[g(Z)], Z ~ N(0,1), by the trapezoidal rule over [-6, 6]. For functions that are
   smooth on the scale of the step it converges faster than any power, and a steep link,
   sharp beside a wide q, hurts it less than Gauss-Hermite. */
enum { HALF = 30, NODES = 2 * HALF + 1 };
static const double STEP = 6.0 / HALF;

static double log_weight(int k)
{
    const double z = STEP * (k - HALF), log_root_2_pi = 0.91893853320467274178;
    return log(STEP) - log_root_2_pi - 0.5 * z * z;
}

/* sqrt(x'Sigma x) of row i, over the coefficients */
static double predictor_sd(const dlp_glm_data *d, dlp_index i, const double *S,
                           dlp_index n)
{
    double sum = 0;
    for (dlp_index j = 0; j < d->p; j++) {
        double half = 0;
        for (dlp_index k = 0; k < d->p; k++) half += S[j * n + k] * d->x[k][i];
        sum += half * d->x[j][i];
    }
    return sqrt(fmax(sum, 0));
}

static double log_density(const dlpi_family *family, const dlp_glm_data *d, dlp_index i,
                          double eta, double tau, dlpi_rows *rows)
{
    rows->n = 1;
    rows->y = d->y + i;
    rows->trials = d->trials ? d->trials + i : NULL;
    rows->eta[0] = eta;
    family->evaluate(rows, tau, 0);
    return rows->l[0];
}

static double mean_averaged(const dlpi_family *family, double eta, double sd)
{
    double sum = 0;
    for (int k = 0; k < NODES; k++)
        sum += exp(log_weight(k)) * family->mean(eta + sd * STEP * (k - HALF));
    return sum;
}

static double log_density_averaged(const dlpi_family *family, const dlp_glm_data *d,
                                   dlp_index i, double eta, double sd, double tau,
                                   dlpi_rows *rows)
{
    double terms[NODES];
    for (int k = 0; k < NODES; k++) {
        const double at = eta + sd * STEP * (k - HALF);
        terms[k] = log_weight(k) + log_density(family, d, i, at, tau, rows);
    }
    return dlp_logsumexp(NODES, terms);
}

dlp_status dlp_glm_predict(const char *family_name, const char *link,
                           const dlp_glm_data *d, const double *mu, const dlp_sym *Sigma,
                           const dlp_glm_prediction *out, dlp_error *error)
{
    const dlpi_family *family = dlpi_family_named(family_name, link, error);
    if (!family) return DLP_EINVAL;
    if (!family->evaluate)
        return dlp_fail(error, DLP_EINVAL, "family %s has no predictions yet",
                        family->name);
    DLP_TRY(dlpi_glm_check_x(d, error));
    const bool scored = out->log_density || out->log_density_averaged;
    if (scored) DLP_TRY(dlpi_glm_check_y(family, d, error));
    dlpi_rows *rows = dlpi_calloc(1, sizeof *rows);
    if (!rows) return dlpi_no_memory(error, "predictions");
    const dlp_index n = Sigma->shape.n;
    const double *S = dlp_sym_block(Sigma, 0), tau = family->scale ? mu[d->p] : 0;
    for (dlp_index i = 0; i < d->N; i++) {
        double eta = d->offset ? d->offset[i] : 0;
        for (dlp_index j = 0; j < d->p; j++) eta += mu[j] * d->x[j][i];
        const double sd = predictor_sd(d, i, S, n);
        if (out->eta) out->eta[i] = eta;
        if (out->eta_sd) out->eta_sd[i] = sd;
        if (out->mean) out->mean[i] = family->mean(eta);
        if (out->mean_averaged) out->mean_averaged[i] = mean_averaged(family, eta, sd);
        if (out->log_density)
            out->log_density[i] = log_density(family, d, i, eta, tau, rows);
        if (out->log_density_averaged)
            out->log_density_averaged[i] =
                log_density_averaged(family, d, i, eta, sd, tau, rows);
    }
    free(rows);
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prior of theta_d, N(Gamma' x_d, Sigma_0), and its M step. Covariates after the
 * intercept are centred and divided by their standard deviation, so that the ridge means
 * the same in any units: a ridge of r counts as much as r documents of evidence that
 * Gamma is 0. The plain model is the case without covariates, with mu_0 = Gamma.
 */
#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"
#include "topics/effects/effects_regression.h"

#include <math.h>
#include <string.h>

/* Row d of X after the intercept. */
static const double *row_of(const dlp_ctm *ctm, dlp_index d)
{
    return ctm->X + d * (ctm->p - 1);
}

/* By all documents; X has those of this process. */
static dlp_status standardise(dlp_ctm *ctm, const dlp_covariates *covariates,
                              dlp_error *error)
{
    const double *own = covariates->X + ctm->share.first * covariates->p;
    const dlp_index D = covariates->D, q = ctm->p - 1;
    for (dlp_index j = 0; j < q; j++) {
        double mean = 0, square = 0;
        for (dlp_index d = 0; d < D; d++)
            mean += (covariates->X[d * (q + 1) + j + 1] - mean) / (double)(d + 1);
        for (dlp_index d = 0; d < D; d++) {
            const double off = covariates->X[d * (q + 1) + j + 1] - mean;
            square += off * off;
        }
        const double sd = sqrt(square / (double)D);
        if (!(sd > 0)) {
            char text[DLPI_COVARIATE_TEXT];
            dlpi_covariate_text(covariates, j + 1, text);
            return dlp_fail(error, DLP_EINPUT,
                            "%s is constant, or nearly so; leave it out", text);
        }
        ctm->center[j] = mean;
        ctm->unit[j] = sd;
        for (dlp_index d = 0; d < ctm->corpus->D; d++)
            ctm->X[d * q + j] = (own[d * (q + 1) + j + 1] - mean) / sd;
    }
    return DLP_OK;
}

/* X'X, and the factor of X'X + ridge (intercept excepted) */
/* covariates, for their names, may be NULL where there are none. */
static dlp_status factor_gram(dlp_ctm *ctm, const dlp_covariates *covariates,
                              dlp_error *error)
{
    const dlp_index p = ctm->p, D = ctm->corpus->D;
    ctm->gram[0] = (double)D;
    for (dlp_index d = 0; p > 1 && d < D; d++) {
        const double *x = row_of(ctm, d);
        for (dlp_index i = 1; i < p; i++) {
            ctm->gram[i] += x[i - 1];
            for (dlp_index j = 1; j < p; j++) ctm->gram[i * p + j] += x[i - 1] * x[j - 1];
        }
    }
    for (dlp_index i = 1; i < p; i++) ctm->gram[i * p] = ctm->gram[i];
    memcpy(ctm->ridge_factor, ctm->gram, (size_t)(p * p) * sizeof *ctm->gram);
    for (dlp_index i = 1; i < p; i++)
        ctm->ridge_factor[i * (p + 1)] += ctm->settings.ridge;
    const dlp_index failed = dlpi_cholesky(p, ctm->ridge_factor);
    if (failed < 0) return DLP_OK;
    char text[DLPI_COVARIATE_TEXT] = "the intercept";
    if (covariates) dlpi_covariate_text(covariates, failed, text);
    return dlp_fail(error, DLP_EINPUT,
                    "%s follows from the ones before it; leave it out or give a ridge "
                    "above 0",
                    text);
}

static dlp_status check_covariates(const dlp_ctm *ctm, const dlp_covariates *c,
                                   dlp_error *error)
{
    if (c->p < 1)
        return dlp_fail(error, DLP_EINVAL, "covariates must start with a column of 1");
    DLP_TRY(dlpi_ctm_check_covariates(c, ctm->share.D, c->p, error));
    for (dlp_index d = 0; d < c->D; d++)
        if (c->X[d * c->p] != 1)
            return dlp_fail(error, DLP_EINVAL,
                            "the first covariate must be 1 throughout");
    return DLP_OK;
}

dlp_status dlpi_ctm_prior_alloc(dlp_ctm *ctm, const dlp_covariates *covariates,
                                dlp_error *error)
{
    const dlp_index K = ctm->shared.K, D = ctm->corpus->D;
    const dlp_index p = covariates ? covariates->p : 1, q = p - 1;
    if (covariates) DLP_TRY(check_covariates(ctm, covariates, error));
    ctm->p = p;
    ctm->X = dlpi_calloc(dlpi_size(D, q, 0), sizeof *ctm->X);
    ctm->center = dlpi_calloc(dlpi_size(2, q, 0), sizeof *ctm->center);
    ctm->gram = dlpi_calloc(dlpi_size(2, dlpi_size(p, p, 0), 0), sizeof *ctm->gram);
    ctm->Gamma = dlpi_calloc(dlpi_size(3, dlpi_size(p, K, 0), 0), sizeof *ctm->Gamma);
    if (!ctm->X || !ctm->center || !ctm->gram || !ctm->Gamma)
        return dlpi_no_memory(error, "the covariates");
    ctm->unit = ctm->center + q;
    ctm->ridge_factor = ctm->gram + p * p;
    ctm->shift = ctm->Gamma + p * K;
    if (q) DLP_TRY(standardise(ctm, covariates, error));
    return dlpi_ctm_leads(ctm) ? factor_gram(ctm, covariates, error) : DLP_OK;
}

void dlpi_ctm_prior_free(dlp_ctm *ctm)
{
    free(ctm->X);
    free(ctm->center);
    free(ctm->gram);
    free(ctm->Gamma);
}

void dlpi_ctm_prior_mean(const dlp_ctm *ctm, dlp_index d, double *mean)
{
    const dlp_index K = ctm->shared.K;
    const double *x = row_of(ctm, d);
    memcpy(mean, ctm->Gamma, (size_t)K * sizeof *mean);
    for (dlp_index j = 1; j < ctm->p; j++)
        for (dlp_index k = 0; k < K; k++) mean[k] += x[j - 1] * ctm->Gamma[j * K + k];
}

void dlpi_ctm_add_cross(const dlp_ctm *ctm, dlp_index d, const double *r, double *cross)
{
    const dlp_index K = ctm->shared.K;
    const double *x = row_of(ctm, d);
    for (dlp_index k = 0; k < K; k++) cross[k] += r[k];
    for (dlp_index j = 1; j < ctm->p; j++)
        for (dlp_index k = 0; k < K; k++) cross[j * K + k] += x[j - 1] * r[k];
}

/* C (p, K) = A B for a symmetric A (p, p) */
static void multiply(dlp_index p, dlp_index K, const double *A, const double *B,
                     double *C)
{
    memset(C, 0, (size_t)(p * K) * sizeof *C);
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < p; j++)
            for (dlp_index k = 0; k < K; k++) C[i * K + k] += A[i * p + j] * B[j * K + k];
}

/* Shift = (X'X + R)^-1 (X'r - R Gamma), the way to the ridge regression of mu_d on x_d,
   R the ridge on all but the intercept. Gamma moves there. */
static void update_gamma(dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K, p = ctm->p;
    double *shift = ctm->shift, *column = shift + p * K;
    for (dlp_index k = 0; k < K; k++) {
        for (dlp_index j = 0; j < p; j++)
            column[j] = ctm->sums.cross[j * K + k] -
                        (j ? ctm->settings.ridge * ctm->Gamma[j * K + k] : 0);
        dlpi_cholesky_solve(p, ctm->ridge_factor, column);
        for (dlp_index j = 0; j < p; j++) shift[j * K + k] = column[j];
    }
    for (dlp_index i = 0; i < p * K; i++) ctm->Gamma[i] += shift[i];
}

/*
 * Sigma_0 = (1/D) [sum_d Sigma_d + r_d r_d' + Gamma' R Gamma], r_d = mu_d - Gamma' x_d with
 * the new Gamma. The sums hold r_d of the old one; with S = Shift it is
 *     sum_d r r' - S' X'r - (X'r)' S + S' X'X S.
 */
static void update_sigma0(dlp_ctm *ctm)
{
    const dlp_index K = ctm->shared.K, p = ctm->p;
    const double *shift = ctm->shift, *cross = ctm->sums.cross;
    double *moved = ctm->shift + p * K, *Sigma0 = ctm->shared.Sigma0;
    multiply(p, K, ctm->gram, shift, moved);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = i; j < K; j++) {
            double sum = ctm->sums.scatter[i * K + j];
            for (dlp_index a = 0; a < p; a++) {
                const dlp_index at_i = a * K + i, at_j = a * K + j;
                sum += shift[at_i] * moved[at_j] - shift[at_i] * cross[at_j] -
                       cross[at_i] * shift[at_j];
                if (a) sum += ctm->settings.ridge * ctm->Gamma[at_i] * ctm->Gamma[at_j];
            }
            sum /= ctm->gram[0]; /* D */
            if (i != j) sum *= ctm->settings.diagonal ? 0 : 1 - ctm->settings.shrink;
            Sigma0[i * K + j] = Sigma0[j * K + i] = sum;
        }
}

bool dlpi_ctm_update_prior(dlp_ctm *ctm)
{
    if (ctm->dirichlet) return dlpi_dirichlet_update_prior(ctm);
    update_gamma(ctm);
    update_sigma0(ctm);
    return dlpi_ctm_factor_sigma0(&ctm->shared);
}

/* Gamma_0 + sum_j Gamma_j (x_j - center_j) / unit_j, by its coefficients of 1 and x_j */
void dlpi_ctm_gamma_out(const dlp_ctm *ctm, double *out)
{
    const dlp_index K = ctm->shared.K;
    memcpy(out, ctm->Gamma, (size_t)K * sizeof *out);
    for (dlp_index j = 1; j < ctm->p; j++)
        for (dlp_index k = 0; k < K; k++) {
            out[j * K + k] = ctm->Gamma[j * K + k] / ctm->unit[j - 1];
            out[k] -= out[j * K + k] * ctm->center[j - 1];
        }
}

void dlpi_ctm_gamma_in(dlp_ctm *ctm, const double *in)
{
    const dlp_index K = ctm->shared.K;
    memcpy(ctm->Gamma, in, (size_t)K * sizeof *in);
    for (dlp_index j = 1; j < ctm->p; j++)
        for (dlp_index k = 0; k < K; k++) {
            ctm->Gamma[j * K + k] = in[j * K + k] * ctm->unit[j - 1];
            ctm->Gamma[k] += in[j * K + k] * ctm->center[j - 1];
        }
}

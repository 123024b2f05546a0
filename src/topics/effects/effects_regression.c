/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/effects/effects_regression.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* If less than this share of a column is independent of the others, it follows from
   them. */
static const double least_own_share = 1e-10;

void dlpi_covariate_text(const dlp_covariates *covariates, dlp_index j,
                         char text[DLPI_COVARIATE_TEXT])
{
    if (covariates->name)
        snprintf(text, DLPI_COVARIATE_TEXT, "covariate %td, '%.100s',", j + 1,
                 covariates->name[j]);
    else
        snprintf(text, DLPI_COVARIATE_TEXT, "covariate %td", j + 1);
}

static dlp_status find_units(dlpi_regression *r, dlp_error *error)
{
    const dlp_covariates *c = r->covariates;
    char text[DLPI_COVARIATE_TEXT];
    r->unit[0] = 1;
    for (dlp_index d = 0; d < c->D; d++)
        if (c->X[d * c->p] != 1)
            return dlp_fail(error, DLP_EINVAL,
                            "the first covariate must be 1 throughout");
    for (dlp_index j = 1; j < c->p; j++) {
        double mean = 0, square = 0;
        for (dlp_index d = 0; d < c->D; d++)
            mean += (c->X[d * c->p + j] - mean) / (double)(d + 1);
        for (dlp_index d = 0; d < c->D; d++)
            square += (c->X[d * c->p + j] - mean) * (c->X[d * c->p + j] - mean);
        r->center[j] = mean;
        r->unit[j] = sqrt(square / (double)c->D);
        if (r->unit[j] > 0 && isfinite(r->unit[j])) continue;
        dlpi_covariate_text(c, j, text);
        return dlp_fail(error, DLP_EINPUT, "%s is %s; leave it out", text,
                        square == 0 ? "constant" : "not finite everywhere");
    }
    return DLP_OK;
}

void dlpi_regression_row(const dlpi_regression *r, dlp_index d, double *z)
{
    const dlp_index p = r->covariates->p;
    const double *x = r->covariates->X + d * p;
    for (dlp_index j = 0; j < p; j++) z[j] = (x[j] - r->center[j]) / r->unit[j];
}

static dlp_status factor(dlpi_regression *r, dlp_error *error)
{
    const dlp_index p = r->covariates->p, D = r->covariates->D;
    double *z = r->work;
    for (dlp_index d = 0; d < D; d++) {
        dlpi_regression_row(r, d, z);
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = i; j < p; j++) r->U[i * p + j] += z[i] * z[j];
    }
    for (dlp_index i = 0; i < p; i++)
        for (dlp_index j = 0; j < i; j++) r->U[i * p + j] = r->U[j * p + i];
    dlp_index failed = dlpi_cholesky(p, r->U);
    for (dlp_index j = 0; j < p && failed < 0; j++)
        if (r->U[j * (p + 1)] * r->U[j * (p + 1)] < least_own_share * (double)D)
            failed = j;
    if (failed < 0) return DLP_OK;
    char text[DLPI_COVARIATE_TEXT];
    dlpi_covariate_text(r->covariates, failed, text);
    return dlp_fail(error, DLP_EINPUT, "%s follows from the ones before it; leave it out",
                    text);
}

/* The coefficients of x are b_j = g_j / unit_j, and the intercept is
   b_0 = g_0 - sum_j b_j center_j. */
static void to_given_units(const dlpi_regression *r, double *g)
{
    for (dlp_index j = 1; j < r->covariates->p; j++) {
        g[j] /= r->unit[j];
        g[0] -= g[j] * r->center[j];
    }
}

/* T (Z'Z)^-1 T', where T is to_given_units: T of the rows of (Z'Z)^-1, then of the
   columns of that. */
static void find_spread(dlpi_regression *r)
{
    const dlp_index p = r->covariates->p;
    double *inverse = r->work, *column = r->work + p * p;
    dlpi_cholesky_inverse(p, r->U, column, inverse);
    for (dlp_index i = 0; i < p; i++) to_given_units(r, inverse + i * p);
    for (dlp_index j = 0; j < p; j++) {
        for (dlp_index i = 0; i < p; i++) column[i] = inverse[i * p + j];
        to_given_units(r, column);
        memcpy(r->spread + j * p, column, (size_t)p * sizeof *column);
    }
}

dlp_status dlpi_regression_alloc(const dlp_covariates *covariates, dlpi_regression *r,
                                 dlp_error *error)
{
    const dlp_index p = covariates->p, square = dlpi_size(p, p, 0);
    *r = (dlpi_regression){.covariates = covariates};
    if (p < 1)
        return dlp_fail(error, DLP_EINVAL, "covariates must start with a column of 1");
    if (covariates->D <= p)
        return dlp_fail(error, DLP_EINPUT,
                        "%td documents are too few for %td covariates; there must be "
                        "more of them",
                        covariates->D, p);
    r->center = dlpi_calloc(p, sizeof *r->center);
    r->unit = dlpi_calloc(p, sizeof *r->unit);
    r->U = dlpi_calloc(square, sizeof *r->U);
    r->spread = dlpi_calloc(square, sizeof *r->spread);
    r->work = dlpi_calloc(dlpi_size(2, square, 0), sizeof *r->work);
    if (!r->center || !r->unit || !r->U || !r->spread || !r->work)
        return dlpi_no_memory(error, "the covariates");
    DLP_TRY(find_units(r, error));
    DLP_TRY(factor(r, error));
    find_spread(r);
    return DLP_OK;
}

void dlpi_regression_free(dlpi_regression *r)
{
    free(r->center);
    free(r->unit);
    free(r->U);
    free(r->spread);
    free(r->work);
    *r = (dlpi_regression){0};
}

double dlpi_regression_solve(const dlpi_regression *r, double *Zy)
{
    const dlp_index p = r->covariates->p;
    double *right = r->work;
    memcpy(right, Zy, (size_t)p * sizeof *Zy);
    dlpi_cholesky_solve(p, r->U, Zy);
    const double explained = dlpi_dot(p, right, Zy);
    to_given_units(r, Zy);
    return explained;
}

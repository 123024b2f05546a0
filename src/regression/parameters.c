/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a fitted regression on their natural scales, for people. */
#include "core/core.h"
#include "regression/regression.h"
#include "regression/written.h"

#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_column(const dlp_regression_result *r, const char *name)
{
    for (dlp_index j = 0; j < r->p; j++)
        if (!strcmp(r->column[j], name)) return true;
    return false;
}

static dlp_parameter scale_at(const dlp_regression_result *r, const char *name)
{
    return (dlp_parameter){.kind = DLP_SCALE,
                           .term = name,
                           .shared = r->mu0 && r->shared_scale,
                           .namesake = has_column(r, name)};
}

/* Describes parameter i, without an estimate. */
static dlp_parameter parameter_at(const dlp_regression_result *r, dlp_index i)
{
    const dlp_index p = r->p;
    const char *const *level = r->terms->response.level;
    if (r->family->support == DLP_SUPPORT_LEVELS)
        return (dlp_parameter){.kind = DLP_COEFFICIENT,
                               .term = r->column[i % p],
                               .level = level[i / p + 1],
                               .penalised =
                                   r->n_smooths > 0 && i % p >= r->smooth[0].first};
    if (i < p)
        return (dlp_parameter){.kind = DLP_COEFFICIENT,
                               .term = r->column[i],
                               .penalised = r->n_smooths > 0 && i >= r->smooth[0].first};
    if (r->family->support != DLP_SUPPORT_ORDERED)
        return scale_at(r, i > p ? r->family->second : r->family->scale);
    return (dlp_parameter){
        .kind = DLP_CUT_POINT, .term = level[i - p], .level = level[i - p + 1]};
}

/* theta ~ N(mean, sd^2) or, for a scale, exp(theta). */
static void estimate(double mean, double sd, dlp_parameter *out)
{
    const double half = dlp_normal_quantile(0.975) * sd;
    out->mean = mean;
    out->sd = sd;
    out->lower = mean - half;
    out->upper = mean + half;
    if (out->kind != DLP_SCALE) return;
    out->mean = exp(mean + 0.5 * sd * sd);
    out->sd = out->mean * sqrt(expm1(sd * sd));
    out->lower = exp(mean - half);
    out->upper = exp(mean + half);
}

/* For a mixed model, whose margins need not be normal. */
static void take_margin(const dlp_margin *margin, dlp_parameter *out)
{
    out->mean = margin->mean;
    out->sd = margin->sd;
    out->lower = margin->lower;
    out->upper = margin->upper;
}

static dlp_status estimate_all(const dlp_regression_result *r, const double *mu,
                               const double *Sigma, dlp_parameter *out, dlp_error *error)
{
    const dlp_index n = r->n, p = r->p;
    for (dlp_index i = 0; i < n; i++) {
        out[i] = parameter_at(r, i);
        estimate(dlpi_written_value(r, i, mu), sqrt(dlpi_written_variance(r, i, Sigma)),
                 &out[i]);
    }
    if (r->family->support != DLP_SUPPORT_ORDERED) return DLP_OK;
    dlp_margin *cut = dlpi_calloc(n - p, sizeof *cut);
    const bool there = cut && dlpi_cut_points(n, n - p, mu + p, Sigma + p * n + p, cut);
    for (dlp_index j = p; there && j < n; j++) take_margin(&cut[j - p], &out[j]);
    free(cut);
    return there ? DLP_OK : dlpi_no_memory(error, "the cut points");
}

/* The moments of the groups' means, into mean (n) and covariance (n, n). */
static void find_moments(const dlp_regression_result *r, double *mean, double *covariance)
{
    const dlp_index n = r->n, M = r->M;
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index j = 0; j < n; j++) mean[j] += r->mu[m * n + j] / (double)M;
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index j = 0; j < n; j++)
            for (dlp_index k = 0; k < n; k++)
                covariance[j * n + k] += (r->mu[m * n + j] - mean[j]) *
                                         (r->mu[m * n + k] - mean[k]) /
                                         (double)(M > 1 ? M - 1 : 1);
}

/* A scale that the groups share does not vary between them: its value is that of their
   mean. */
static dlp_status estimate_around(const dlp_regression_result *r, dlp_parameter *out,
                                  dlp_error *error)
{
    DLP_TRY(estimate_all(r, r->mu0, r->Sigma0, out, error));
    for (dlp_index i = r->p; i < r->n; i++)
        if (out[i].shared)
            estimate(r->mu0[i], sqrt(r->mu0_covariance[i * r->n + i]), &out[i]);
    return DLP_OK;
}

static dlp_status estimate_spread(const dlp_regression_result *r, dlp_parameter *out,
                                  dlp_error *error)
{
    if (r->mu0) return estimate_around(r, out, error);
    double *mean = dlpi_calloc(r->n + r->n * r->n, sizeof *mean);
    if (!mean) return dlpi_no_memory(error, "the parameters");
    find_moments(r, mean, mean + r->n);
    const dlp_status status = estimate_all(r, mean, mean + r->n, out, error);
    free(mean);
    return status;
}

dlp_status dlpi_no_such_group(const dlp_regression_result *r, dlp_index m,
                              dlp_error *error)
{
    if (r->M == 1)
        return dlp_fail(error, DLP_EINVAL,
                        "there is no group %td: the regression has none, and its "
                        "parameters are those of 0",
                        m);
    return dlp_fail(error, DLP_EINVAL, "there is no group %td; they go from 0 to %td", m,
                    r->M - 1);
}

dlp_status dlp_regression_parameters(const dlp_regression *regression, dlp_index whose,
                                     dlp_parameter *parameter, dlp_error *error)
{
    const dlp_regression_result *r = dlp_regression_result_of(regression);
    const dlp_index n = r->n;
    for (dlp_index i = 0; whose == 0 && r->margin && i < n; i++) {
        parameter[i] = parameter_at(r, i);
        const dlp_margin margin =
            dlpi_is_written(r, i) ? dlpi_written_margin(r, i) : r->margin[i];
        take_margin(&margin, &parameter[i]);
    }
    if (whose == 0 && r->margin) return DLP_OK;
    if (whose >= 0 && whose < r->M)
        return estimate_all(r, r->mu + whose * n, r->Sigma + whose * n * n, parameter,
                            error);
    if (whose == DLP_MEAN_OF_GROUPS && r->mu0)
        return estimate_all(r, r->mu0, r->mu0_covariance, parameter, error);
    if (whose == DLP_SPREAD_OF_GROUPS && dlpi_is_grouped(r->grouping))
        return estimate_spread(r, parameter, error);
    return dlpi_no_such_group(r, whose, error);
}

double dlp_parameter_ratio(const dlp_parameter *parameter, double value)
{
    return parameter->kind == DLP_COEFFICIENT ? exp(value) : value;
}

void dlp_parameter_name(const dlp_parameter *parameter, char *out, size_t room)
{
    if (parameter->kind == DLP_CUT_POINT)
        snprintf(out, room, "%s|%s", parameter->term, parameter->level);
    else if (parameter->level)
        snprintf(out, room, "%s: %s", parameter->level, parameter->term);
    else
        snprintf(out, room, "%s%s", parameter->term,
                 parameter->namesake ? " (scale)" : "");
}

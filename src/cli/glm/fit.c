/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/glm/fit.h"

#include "cli/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

const char cli_jaakkola_jordan[] = "jaakkola-jordan";

const char *cli_grouping_name(int i)
{
    static const char *const names[] = {"none", "hierarchical", "separate", "pooled"};
    return i <= CLI_POOLED ? names[i] : NULL;
}

const char *cli_glm_method(int i)
{
    int engine = 0;
    while (dlp_method_name(engine)) engine++;
    return i < engine ? dlp_method_name(i) : i == engine ? cli_jaakkola_jordan : NULL;
}

/* Separate fits may each be by another method; theirs is the one asked for. */
const char *cli_glm_method_used(const cli_glm_fit *fit)
{
    return fit->propagated && !cli_glm_is_grouped(fit) ? "expectation propagation"
                                                       : fit->method;
}

bool cli_glm_is_ordinal(const char *family)
{
    return !strcmp(family, "ordinal");
}

bool cli_glm_is_multinomial(const char *family)
{
    return !strcmp(family, "multinomial");
}

bool cli_glm_has_scale(const char *family)
{
    return !strcmp(family, "gaussian") || !strcmp(family, "gamma") ||
           !strcmp(family, "negative-binomial");
}

bool cli_glm_has_levels(const char *family)
{
    return cli_glm_is_ordinal(family) || cli_glm_is_multinomial(family);
}

bool cli_glm_is_grouped(const cli_glm_fit *fit)
{
    return fit->grouping == CLI_HIERARCHICAL || fit->grouping == CLI_SEPARATE;
}

bool cli_glm_is_lost(const cli_glm_fit *fit)
{
    return fit->outcome == DLP_NOT_CONCAVE || fit->outcome == DLP_STALLED ||
           fit->outcome == DLP_DIVERGED;
}

const char *cli_glm_group(const cli_glm_fit *fit, dlp_index m)
{
    return cli_glm_is_grouped(fit) ? fit->terms->group.level[m] : NULL;
}

dlp_index cli_glm_find_group(const cli_glm_fit *fit, const char *name)
{
    for (dlp_index m = 0; cli_glm_is_grouped(fit) && m < fit->M; m++)
        if (!strcmp(cli_glm_group(fit, m), name)) return m;
    return -1;
}

cli_glm_prior cli_glm_prior_of(const cli_glm_fit *fit, dlp_index j)
{
    cli_glm_prior prior = {.mean = 0, .sd = fit->prior_sd, .df = fit->prior_df};
    if (fit->own_prior) prior = fit->own_prior[j];
    if (fit->prior_covariance) prior.sd = sqrt(fit->prior_covariance[j * (fit->p + 1)]);
    return prior;
}

bool cli_glm_is_weak(const cli_glm_fit *fit)
{
    bool weak = fit->own_prior != NULL;
    for (dlp_index j = 0; weak && j < fit->p; j++) weak = fit->own_prior[j].weak;
    return weak;
}

/* ---- memory ---- */

void cli_glm_fit_clear(cli_glm_fit *fit)
{
    free(fit->formula);
    dlp_terms_free(fit->terms);
    free(fit->scale);
    free(fit->weights);
    for (dlp_index j = 0; fit->column && j < fit->p; j++) free(fit->column[j]);
    free(fit->column);
    free(fit->own_prior);
    free(fit->prior_covariance);
    free(fit->mu);
    free(fit->Sigma);
    free(fit->mu0);
    free(fit->Sigma0);
    free(fit->mu0_covariance);
    free(fit->trace);
    *fit = (cli_glm_fit){0};
}

dlp_status cli_glm_fit_shape(cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index levels = fit->terms->response.n;
    fit->M = cli_glm_is_grouped(fit) ? fit->terms->group.n : 1;
    fit->n = dlp_glm_parameters(fit->family, fit->p, levels);
    if (fit->n > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "a regression of family %s needs %s", fit->family,
                    cli_glm_has_levels(fit->family) ? "levels and columns" : "columns");
}

/* (a, b, c) zeros; NULL without memory, or when they are too many to count. */
static double *numbers(dlp_index a, dlp_index b, dlp_index c)
{
    size_t count;
    if (__builtin_mul_overflow((size_t)a, (size_t)b, &count) ||
        __builtin_mul_overflow(count, (size_t)c, &count))
        return NULL;
    return calloc(count, sizeof(double));
}

dlp_status cli_glm_fit_room(cli_glm_fit *fit, dlp_error *error)
{
    const dlp_index n = fit->n, M = fit->M;
    const bool shared = fit->grouping == CLI_HIERARCHICAL;
    fit->mu = numbers(M, n, 1);
    fit->Sigma = numbers(M, n, n);
    fit->mu0 = shared ? numbers(n, 1, 1) : NULL;
    fit->Sigma0 = shared ? numbers(n, n, 1) : NULL;
    fit->mu0_covariance = shared ? numbers(n, n, 1) : NULL;
    if (fit->mu && fit->Sigma &&
        (!shared || (fit->mu0 && fit->Sigma0 && fit->mu0_covariance)))
        return DLP_OK;
    return dlp_fail(error, DLP_ENOMEM,
                    "not enough memory for the posterior: %td x %td numbers in each of "
                    "%td blocks",
                    n, n, M);
}

/* ---- quantities ---- */

static cli_estimate normal(double mean, double sd)
{
    const cli_interval interval = cli_interval_of(mean, sd);
    return (cli_estimate){mean, sd, interval.lower, interval.upper};
}

/* exp(tau), tau ~ N(mean, sd^2) */
static cli_estimate log_normal(double mean, double sd)
{
    const cli_interval interval = cli_interval_of(mean, sd);
    const double expected = exp(mean + 0.5 * sd * sd);
    return (cli_estimate){expected, expected * sqrt(expm1(sd * sd)), exp(interval.lower),
                          exp(interval.upper)};
}

static bool has_column(const cli_glm_fit *fit, const char *name)
{
    for (dlp_index j = 0; j < fit->p; j++)
        if (!strcmp(fit->column[j], name)) return true;
    return false;
}

cli_glm_quantity cli_glm_parameter(const cli_glm_fit *fit, dlp_index i)
{
    const dlp_index p = fit->p;
    const char *const *level = fit->terms->response.level;
    if (cli_glm_is_multinomial(fit->family))
        return (cli_glm_quantity){.kind = CLI_COEFFICIENT,
                                  .term = fit->column[i % p],
                                  .level = level[i / p + 1]};
    if (i < p) return (cli_glm_quantity){.kind = CLI_COEFFICIENT, .term = fit->column[i]};
    if (!cli_glm_is_ordinal(fit->family))
        return (cli_glm_quantity){.kind = CLI_SCALE,
                                  .term = fit->scale,
                                  .namesake = has_column(fit, fit->scale)};
    return (cli_glm_quantity){
        .kind = CLI_CUT, .term = level[i - p], .level = level[i - p + 1]};
}

static bool estimate_cuts(const cli_glm_fit *fit, const double *mu, const double *Sigma,
                          cli_glm_quantity *quantities)
{
    const dlp_index n = fit->n, p = fit->p, J = n - p;
    cli_estimate *cuts = malloc((size_t)J * sizeof *cuts);
    const bool ok = cuts && cli_glm_cut_points(n, J, mu + p, Sigma + p * n + p, cuts);
    for (dlp_index j = 0; ok && j < J; j++) quantities[p + j].estimate = cuts[j];
    free(cuts);
    return ok;
}

cli_glm_quantity *cli_glm_quantities(const cli_glm_fit *fit, const double *mu,
                                     const double *Sigma)
{
    const dlp_index n = fit->n;
    cli_glm_quantity *quantities = malloc((size_t)n * sizeof *quantities);
    if (!quantities) return NULL;
    for (dlp_index i = 0; i < n; i++) {
        const double sd = sqrt(Sigma[i * n + i]);
        quantities[i] = cli_glm_parameter(fit, i);
        quantities[i].estimate =
            quantities[i].kind == CLI_SCALE ? log_normal(mu[i], sd) : normal(mu[i], sd);
    }
    if (!cli_glm_is_ordinal(fit->family)) return quantities;
    if (estimate_cuts(fit, mu, Sigma, quantities)) return quantities;
    free(quantities);
    return NULL;
}

void cli_glm_quantity_name(const cli_glm_quantity *quantity, char *out, size_t room)
{
    if (quantity->kind == CLI_CUT)
        snprintf(out, room, "%s|%s", quantity->term, quantity->level);
    else if (quantity->level)
        snprintf(out, room, "%s: %s", quantity->level, quantity->term);
    else
        snprintf(out, room, "%s%s", quantity->term, quantity->namesake ? " (scale)" : "");
}

void cli_glm_population(const cli_glm_fit *fit, double *mean, double *covariance)
{
    const dlp_index n = fit->n, M = fit->M;
    if (fit->mu0) {
        memcpy(mean, fit->mu0, (size_t)n * sizeof *mean);
        memcpy(covariance, fit->Sigma0, (size_t)(n * n) * sizeof *covariance);
        return;
    }
    memset(mean, 0, (size_t)n * sizeof *mean);
    memset(covariance, 0, (size_t)(n * n) * sizeof *covariance);
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index j = 0; j < n; j++) mean[j] += fit->mu[m * n + j] / (double)M;
    for (dlp_index m = 0; m < M; m++)
        for (dlp_index j = 0; j < n; j++)
            for (dlp_index k = 0; k < n; k++)
                covariance[j * n + k] += (fit->mu[m * n + j] - mean[j]) *
                                         (fit->mu[m * n + k] - mean[k]) /
                                         (double)(M > 1 ? M - 1 : 1);
}

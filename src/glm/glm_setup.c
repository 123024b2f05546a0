/* SPDX-License-Identifier: BSD-3-Clause */
/* A generalised linear model before its fit: names, checks, the prior, memory. */
#include "comm/division.h"
#include "core/core.h"
#include "core/settings.h"
#include "glm/glm_state.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <string.h>

/* The scale of a response starts at 1 and is searched from there. */
static const double LARGEST_RESPONSE = 1e20;

static const dlp_glm_prior usual_prior = {
    .size = sizeof usual_prior, .sd_all = 1, .scale_mean = 0, .scale_sd = 5};

void dlp_glm_prior_init(dlp_glm_prior *prior, size_t size)
{
    dlpi_settings_give(prior, size, &usual_prior, sizeof usual_prior);
}

dlp_index dlp_glm_parameters(const char *name, dlp_index p, dlp_index levels)
{
    const dlpi_family *family = name ? dlpi_family_find(name, NULL) : NULL;
    if (!family || p < 0 || (!family->evaluate && levels < 2)) return 0;
    const dlp_index n = family->parameters(p, levels);
    return n > 0 ? n : 0;
}

const dlpi_family *dlpi_family_named(const char *name, const char *link, dlp_error *error)
{
    const dlpi_family *family = name ? dlpi_family_find(name, link) : NULL;
    if (family) return family;
    if (!name || !dlpi_family_find(name, NULL))
        (void)dlp_fail(error, DLP_EINVAL,
                       "unknown family '%s'; dlp_family_at lists the known ones",
                       name ? name : "NULL");
    else
        (void)dlp_fail(error, DLP_EINVAL, "family %s has no link '%s'; its default is %s",
                       name, link, dlp_family_find(name)->link[0]);
    return NULL;
}

static dlp_status check_column(const dlp_glm_data *d, const double *x, const char *what,
                               dlp_index j, dlp_error *error)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        if (!(fabs(x[i]) <= DLP_GLM_LARGEST))
            return dlp_fail(error, DLP_EINPUT,
                            "row %td: %s %td is %g; every value must be a number of at "
                            "most %g",
                            i + 1, what, j + 1, x[i], DLP_GLM_LARGEST);
    return DLP_OK;
}

static dlp_status check_weights(const dlp_glm_data *d, dlp_error *error)
{
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++)
        if (!(d->weight[i] >= 0 && d->weight[i] <= DLP_GLM_LARGEST))
            return dlp_fail(error, DLP_EINPUT,
                            "row %td: its weight is %g; weights are numbers from 0 to %g",
                            i + 1, d->weight[i], DLP_GLM_LARGEST);
    return DLP_OK;
}

dlp_status dlpi_glm_check_x(const dlp_glm_data *d, dlp_error *error)
{
    if (d->N < 1 || d->p < 0 || (d->p > 0 && !d->x))
        return dlp_fail(error, DLP_EINVAL, "a regression needs at least one row of data");
    for (dlp_index j = 0; j < d->p; j++)
        DLP_TRY(check_column(d, d->x[j], "column", j, error));
    if (d->offset) DLP_TRY(check_column(d, d->offset, "offset", 0, error));
    return d->weight ? check_weights(d, error) : DLP_OK;
}

dlp_status dlpi_glm_check_y(const dlpi_family *family, const dlp_glm_data *d,
                            dlp_error *error)
{
    if (!d->y) return dlp_fail(error, DLP_EINVAL, "the response is missing");
    const bool of_levels = family->evaluate == NULL;
    if (of_levels && (d->levels < 2 || d->offset))
        return dlp_fail(error, DLP_EINVAL,
                        "family %s needs at least two levels, and takes no offset",
                        family->of->name);
    const dlp_index to = dlpi_rows_to(d->division, d->N);
    for (dlp_index i = dlpi_rows_from(d->division); i < to; i++) {
        const double most = of_levels              ? (double)(d->levels - 1)
                            : d->trials            ? d->trials[i]
                            : family->of->censored ? d->y[i]
                                                   : 1;
        if (!family->supports(d->y[i], most))
            return dlp_fail(error, DLP_EINPUT,
                            "row %td: the response is %g; for family %s it must be %s",
                            i + 1, d->y[i], family->of->name, family->support);
        const bool no_limit = family->of->censored && isinf(d->y[i]);
        if (!no_limit && !(fabs(d->y[i]) <= LARGEST_RESPONSE))
            return dlp_fail(error, DLP_EINPUT,
                            "row %td: the response is %g; use units in which it is at "
                            "most %g",
                            i + 1, d->y[i], LARGEST_RESPONSE);
    }
    return DLP_OK;
}

/* The prior of one coefficient; its sd is ignored if there is a covariance. */
static dlp_status check_coefficient(const dlp_glm_prior *prior, dlp_index j,
                                    dlp_error *error)
{
    const double mean = prior->mean ? prior->mean[j] : 0;
    const double sd = prior->covariance ? 1 : prior->sd ? prior->sd[j] : prior->sd_all;
    const double df = prior->df_each ? prior->df_each[j] : prior->df;
    if (!(fabs(mean) <= DLP_GLM_LARGEST) ||
        !(sd >= 1 / DLP_GLM_LARGEST && sd <= DLP_GLM_LARGEST))
        return dlp_fail(error, DLP_EINVAL,
                        "coefficient %td has prior mean %g and sd %g; the mean must be a "
                        "number, the sd positive, both at most %g",
                        j + 1, mean, sd, DLP_GLM_LARGEST);
    if (!(df >= 0 && isfinite(df)))
        return dlp_fail(error, DLP_EINVAL,
                        "the prior df of coefficient %td is %g; it must be 0 or positive",
                        j + 1, df);
    if ((prior->covariance || prior->symmetric_levels) && df > 0)
        return dlp_fail(error, DLP_EINVAL,
                        "a full prior covariance needs a Gaussian prior; set df to 0");
    return DLP_OK;
}

static dlp_status check_prior(const dlp_glm_prior *prior, dlp_index p, bool has_scale,
                              dlp_error *error)
{
    for (dlp_index j = 0; j < p; j++) DLP_TRY(check_coefficient(prior, j, error));
    if (has_scale && !(prior->scale_sd > 0 && prior->scale_sd <= DLP_GLM_LARGEST &&
                       fabs(prior->scale_mean) <= 100))
        return dlp_fail(error, DLP_EINVAL,
                        "the prior of the scale needs a mean within 100 of 0 and a "
                        "positive sd");
    if (!(prior->first_cut_sd >= 0 && prior->first_cut_sd <= DLP_GLM_LARGEST))
        return dlp_fail(
            error, DLP_EINVAL,
            "the prior sd of the first cut point is %g; it must be 0 or positive",
            prior->first_cut_sd);
    return DLP_OK;
}

/* The prior covariance of coefficients j and k, of one level. */
static double covariance_of(const dlp_glm_prior *prior, dlp_index p, dlp_index j,
                            dlp_index k)
{
    if (prior->covariance) return prior->covariance[j * p + k];
    const double sd = prior->sd ? prior->sd[j] : prior->sd_all;
    return j == k ? sd * sd : 0;
}

/* Sigma_0 over all parameters: that of the coefficients, repeated for each level if there
   are several, and the other parameters independent of them. */
static void fill_full_prior(const dlp_glm *g, const dlp_glm_prior *prior, double *Sigma0)
{
    const dlp_index n = g->n, p = g->data.p;
    for (dlp_index i = 0; i < g->n_coefs; i++)
        for (dlp_index k = 0; k < g->n_coefs; k++) {
            const double shared = i / p == k / p ? 1 : prior->symmetric_levels ? 0.5 : 0;
            Sigma0[i * n + k] = shared * covariance_of(prior, p, i % p, k % p);
        }
    for (dlp_index i = g->n_coefs; i < n; i++)
        Sigma0[i * n + i] = g->prior.sd[i] * g->prior.sd[i];
}

static dlp_status set_full_prior(dlp_glm *g, const dlp_glm_prior *prior, dlp_error *error)
{
    const dlp_index n = g->n;
    double *Sigma0 = dlpi_calloc(dlpi_size(n, n, n), sizeof *Sigma0);
    if (!Sigma0) return dlpi_no_memory(error, "the prior covariance");
    double *mean = Sigma0 + n * n;
    fill_full_prior(g, prior, Sigma0);
    memcpy(mean, g->prior.mean, (size_t)n * sizeof *mean);
    const dlp_status status = dlpi_prior_set_gaussian(&g->prior, mean, Sigma0, error);
    free(Sigma0);
    return status;
}

static dlp_status set_prior(dlp_glm *g, const dlp_glm_prior *prior, dlp_error *error)
{
    const dlp_index p = g->data.p;
    DLP_TRY(dlpi_prior_alloc(&g->prior, g->n, error));
    for (dlp_index i = 0; i < g->n_coefs; i++) {
        g->prior.mean[i] = prior->mean ? prior->mean[i % p] : 0;
        g->prior.sd[i] = prior->sd ? prior->sd[i % p] : prior->sd_all;
        g->prior.df[i] = prior->df_each ? prior->df_each[i % p] : prior->df;
    }
    for (dlp_index i = g->n_coefs; i < g->n; i++) {
        g->prior.mean[i] = prior->scale_mean;
        g->prior.sd[i] = prior->scale_sd;
    }
    const bool cut = g->family->type == &dlpi_ordinal_type && prior->first_cut_sd > 0;
    if (cut) g->prior.sd[g->n_coefs] = prior->first_cut_sd;
    const bool shares = prior->symmetric_levels && g->n_coefs > p;
    if (prior->covariance || shares) return set_full_prior(g, prior, error);
    dlpi_prior_settle(&g->prior);
    return DLP_OK;
}

static dlp_status check_request(const dlpi_family *family, const dlp_glm_data *data,
                                const dlp_glm_prior *prior, dlp_error *error)
{
    DLP_TRY(dlpi_glm_check_x(data, error));
    DLP_TRY(dlpi_glm_check_y(family, data, error));
    if (!(data->df >= 0 && data->df <= DLP_GLM_LARGEST))
        return dlp_fail(error, DLP_EINVAL,
                        "the df of a student response is %g; it must be a positive "
                        "number, or 0 for %d",
                        data->df, DLP_GLM_DF);
    const dlp_index n = family->parameters(data->p, data->levels);
    DLP_TRY(check_prior(prior, data->p, n > data->p, error));
    if (n < 1)
        return dlp_fail(error, DLP_EINVAL, "there is nothing to estimate: no columns");
    return DLP_OK;
}

dlp_status dlp_glm_alloc(const char *family_name, const char *link,
                         const dlp_glm_data *data, const dlp_glm_prior *given,
                         dlp_glm **glm, dlp_error *error)
{
    const dlpi_family *family = dlpi_family_named(family_name, link, error);
    dlp_glm_prior prior = usual_prior;
    *glm = NULL;
    if (!family) return DLP_EINVAL;
    DLP_TRY(dlpi_settings_take(&prior, sizeof prior, given, error));
    DLP_TRY(check_request(family, data, &prior, error));
    dlp_glm *g = dlpi_calloc(1, sizeof *g);
    if (!g) return dlpi_no_memory(error, "the regression");
    g->family = family;
    g->data = *data;
    if (g->data.df == 0) g->data.df = DLP_GLM_DF;
    g->n = family->parameters(data->p, data->levels);
    g->n_coefs = family->type == &dlpi_multinomial_type ? g->n : data->p;
    g->tile = dlpi_calloc(data->p, (size_t)2 * DLPI_TILE * sizeof *g->tile);
    g->extra = dlpi_calloc(family->extra(data->p, data->levels), sizeof *g->extra);
    dlp_status status = DLP_ENOMEM;
    if (!g->tile || !g->extra) {
        (void)dlpi_no_memory(error, "the regression");
    } else {
        g->half = g->tile + data->p * DLPI_TILE;
        status = set_prior(g, &prior, error);
        if (status == DLP_OK) status = dlp_glm_use_threads(g, 1, error);
    }
    if (status != DLP_OK) {
        dlp_glm_free(g);
        return status;
    }
    *glm = g;
    return DLP_OK;
}

void dlp_glm_free(dlp_glm *glm)
{
    if (!glm) return;
    dlpi_prior_free(&glm->prior);
    dlpi_workers_free(glm);
    free(glm->tile);
    free(glm->xi);
    free(glm->extra);
    free(glm);
}

dlp_model dlp_glm_model(dlp_glm *glm)
{
    return (dlp_model){.type = glm->family->type,
                       .state = glm,
                       .shape = dlp_shape_dense(glm->n),
                       .n_eta = glm->xi ? glm->data.N : 0};
}

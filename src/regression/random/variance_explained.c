/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nakagawa & Schielzeth (Methods in Ecology and Evolution 4, 2013), for slopes Johnson (the
 * same 5, 2014), for the variance of a response around its mean on the scale of a log link
 * Nakagawa, Johnson & Schielzeth (J. R. Soc. Interface 14, 2017). Coefficients are at their
 * means, sds between levels and the scale at their medians.
 */
#include "regression/random/variance_explained.h"

#include "core/core.h"
#include "glm/families/family.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <string.h>

/* Var[x'beta] over the rows. */
static double fixed_variance(const dlp_glm_data *d, const double *beta)
{
    double mean = 0, square = 0, all = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double w = dlpi_row_weight(d, i);
        double eta = 0;
        for (dlp_index j = 0; j < d->p; j++) eta += beta[j] * d->x[j][i];
        all += w;
        const double off = eta - mean;
        if (w > 0) mean += w / all * off;
        square += w * off * (eta - mean);
    }
    return square / all;
}

/* The mean over the rows of z'Lambda z. */
static double term_variance(const dlp_glm_data *d, const dlp_random *random,
                            const double *Lambda)
{
    const dlp_index q = random->q;
    double sum = 0, all = 0;
    for (dlp_index i = 0; i < d->N; i++) {
        const double w = dlpi_row_weight(d, i);
        double square = 0;
        for (dlp_index j = 0; j < q; j++)
            for (dlp_index k = 0; k < q; k++)
                square += random->x[j][i] * Lambda[j * q + k] * random->x[k][i];
        sum += w * square;
        all += w;
    }
    return sum / all;
}

/* D R D, by the medians of sds and the means of correlations. */
static void fill_covariance(const dlp_random_effects *e, double *Lambda)
{
    const dlp_margin *r = e->correlation;
    for (dlp_index k = 0; k < e->q; k++) {
        Lambda[k * (e->q + 1)] = e->sd[k].median * e->sd[k].median;
        for (dlp_index j = 0; j < k; j++)
            Lambda[j * e->q + k] = Lambda[k * e->q + j] =
                e->sd[j].median * e->sd[k].median * (r++)->mean;
    }
}

/* Of a response around its mean, on the scale of the link; NAN: it is not known. */
static double residual_variance(const dlpi_prepared *p, const dlp_regression_result *r)
{
    const dlpi_family *family = p->linked;
    const double scale = p->family->scale ? r->margin[r->p].median : 0;
    if (!family->latent_variance) return NAN;
    return family->latent_variance(scale, p->data.df,
                                   dlpi_column_mean(&p->data, p->data.y));
}

void dlpi_variance_shares(dlp_variance_explained *v)
{
    const double all = v->fixed + v->random + v->residual;
    v->known = isfinite(all) && all > 0 && v->random + v->residual > 0;
    if (!v->known) return;
    v->marginal = v->fixed / all;
    v->conditional = (v->fixed + v->random) / all;
    v->icc = v->random / (v->random + v->residual);
}

dlp_status dlpi_variance_explained(const dlpi_prepared *p, dlp_regression *r,
                                   dlp_error *error)
{
    const dlp_regression_result *f = &r->result;
    dlp_variance_explained *v = &r->result.variance;
    dlp_index most = 1;
    const bool known = p->family->support != DLP_SUPPORT_LEVELS;
    if (f->n_random == 0 || !f->estimated || !known) return DLP_OK;
    for (dlp_index t = 0; t < f->n_random; t++)
        if (f->random[t].q > most) most = f->random[t].q;
    double *Lambda = dlpi_calloc(most, (size_t)most * sizeof *Lambda);
    double *term = dlpi_pool_take(&r->pool, f->n_random, sizeof *term);
    if (!Lambda || !term) {
        free(Lambda);
        return dlpi_no_memory(error, "the variance explained");
    }
    for (dlp_index t = 0; t < f->n_random; t++) {
        fill_covariance(&f->random[t], Lambda);
        term[t] = term_variance(&p->data, &p->design->random[t], Lambda);
        v->random += term[t];
    }
    free(Lambda);
    v->term = term;
    v->fixed = fixed_variance(&p->data, f->mu);
    v->residual = residual_variance(p, f);
    dlpi_variance_shares(v);
    return DLP_OK;
}

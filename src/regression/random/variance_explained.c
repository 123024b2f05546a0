/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nakagawa & Schielzeth (Methods in Ecology and Evolution 4, 2013), for slopes Johnson (the
 * same 5, 2014), for the variance of a response around its mean on the scale of a log link
 * Nakagawa, Johnson & Schielzeth (J. R. Soc. Interface 14, 2017). Coefficients are at their
 * means, sds between levels and the scale at their medians.
 */
#include "regression/random/variance_explained.h"

#include "comm/division.h"
#include "core/core.h"
#include "glm/families/family.h"
#include "regression/prepare/moments.h"

#include <math.h>
#include <string.h>

/* What is summed over rows. */
typedef struct of_rows {
    const dlp_glm_data *d;
    const double *beta;
    double centre;
    const dlp_random *random;
    const double *Lambda;
} of_rows;

static double average(const of_rows *of, dlpi_rows_add *add)
{
    double sum;
    dlpi_division_sum(of->d->division, of->d->N, 1, add, of, &sum);
    return sum / dlpi_total_weight(of->d);
}

static double fixed_part(const of_rows *of, dlp_index i)
{
    double eta = -of->centre;
    for (dlp_index j = 0; j < of->d->p; j++) eta += of->beta[j] * of->d->x[j][i];
    return eta;
}

static void add_fixed(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const of_rows *of = context;
    for (dlp_index i = from; i < to; i++)
        *sum += dlpi_row_weight(of->d, i) * fixed_part(of, i);
}

static void add_fixed_squares(const void *context, dlp_index from, dlp_index to,
                              double *sum)
{
    const of_rows *of = context;
    for (dlp_index i = from; i < to; i++) {
        const double eta = fixed_part(of, i);
        *sum += dlpi_row_weight(of->d, i) * eta * eta;
    }
}

/* Var[x'beta] over the rows. */
static double fixed_variance(const dlp_glm_data *d, const double *beta)
{
    of_rows of = {.d = d, .beta = beta};
    of.centre = average(&of, add_fixed);
    return average(&of, add_fixed_squares);
}

static void add_effects(const void *context, dlp_index from, dlp_index to, double *sum)
{
    const of_rows *of = context;
    const dlp_index q = of->random->q;
    const double *const *x = of->random->x;
    for (dlp_index i = from; i < to; i++) {
        double square = 0;
        for (dlp_index j = 0; j < q; j++)
            for (dlp_index k = 0; k < q; k++)
                square += x[j][i] * of->Lambda[j * q + k] * x[k][i];
        *sum += dlpi_row_weight(of->d, i) * square;
    }
}

/* The mean over the rows of z'Lambda z. */
static double term_variance(const dlp_glm_data *d, const dlp_random *random,
                            const double *Lambda)
{
    const of_rows of = {.d = d, .random = random, .Lambda = Lambda};
    return average(&of, add_effects);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "regression/random/level_rows.h"

#include "core/core.h"
#include "glm/families/ordinal_rows.h"
#include "regression/random/mixed_ordinal.h"

/* The likelihood of an ordinal regression is made of binary ones
   (mixed/levels/ordinal.h). That of a multinomial regression with two levels is binary;
   with more, it is not a function of one predictor. */
dlpi_mixed_data dlpi_level_rows_data(const dlp_glm *glm, dlp_index n_terms,
                                     const dlpi_mixed_term *term, dlp_index n_smooths,
                                     const dlpi_mixed_smooth *smooth)
{
    const dlp_glm_data *rows = &glm->data;
    const bool levels = dlp_family_has_levels(glm->family->of);
    const dlpi_family *family =
        levels ? dlpi_family_of(dlp_family_at(DLPI_BERNOULLI), DLP_LINK_LOGIT)
               : glm->family;
    return (dlpi_mixed_data){.likelihood = family->evaluate,
                             .scales = levels ? 0 : glm->n - rows->p,
                             .is_linear = dlpi_is_gaussian(glm->family->of),
                             .positive = family->positive,
                             .N = rows->N,
                             .p = rows->p,
                             .X = rows->x,
                             .y = rows->y,
                             .trials = rows->trials,
                             .df = rows->df,
                             .weight = rows->weight,
                             .offset = rows->offset,
                             .n_terms = n_terms,
                             .term = term,
                             .n_smooths = n_smooths,
                             .smooth = smooth};
}

/* The likelihood of an ordinal response given its cut points. */
static dlpi_likelihood *likelihood_of(const dlpi_ordinal_link *link)
{
    return link == &dlpi_ordinal_logit    ? dlpi_ordinal_logit_rows
           : link == &dlpi_ordinal_probit ? dlpi_ordinal_probit_rows
                                          : dlpi_ordinal_cloglog_rows;
}

/* With logit it splits into two sides. */
static dlp_status make_ordinal(const dlp_glm *glm, bool whole, dlpi_mixed_data *data,
                               dlpi_ordinal_rows *rows, dlp_error *error)
{
    const dlpi_ordinal_link *link = glm->family->ordinal;
    const dlp_index levels = glm->data.levels;
    if (link == &dlpi_ordinal_logit && !whole)
        DLP_TRY(dlpi_ordinal_rows_make(data, levels, rows, error));
    else {
        data->likelihood = likelihood_of(link);
        DLP_TRY(dlpi_ordinal_levels_make(data, levels, rows, error));
    }
    *data = rows->data;
    return DLP_OK;
}

dlp_status dlpi_level_rows_make(const dlp_glm *glm, bool whole, dlpi_mixed_data *data,
                                dlpi_mixed_prior *prior, dlp_index *place,
                                dlpi_level_rows *to, dlp_error *error)
{
    const dlp_index levels = glm->data.levels;
    const dlp_support support = glm->family->of->support;
    if (support == DLP_SUPPORT_ORDERED)
        DLP_TRY(make_ordinal(glm, whole, data, &to->ordinal, error));
    if (support == DLP_SUPPORT_LEVELS && levels > 2) {
        DLP_TRY(dlpi_multinomial_rows_make(data, levels, &to->multinomial, error));
        dlpi_multinomial_priors(data, prior->lkj, prior->share, &to->multinomial);
        prior->lkj = to->multinomial.lkj;
        prior->share = to->multinomial.share;
        *data = to->multinomial.data;
        dlpi_multinomial_places(data, place);
    } else {
        dlpi_place_coefficients(data, to->ordinal.in_beta, place);
    }
    return DLP_OK;
}

void dlpi_level_rows_clear(dlpi_level_rows *levels)
{
    dlpi_ordinal_rows_clear(&levels->ordinal);
    dlpi_multinomial_rows_clear(&levels->multinomial);
}

void dlpi_level_rows_prior(const dlp_glm *glm, dlp_index n, const dlp_index *place,
                           double *mean, double *precision)
{
    const dlpi_prior *prior = &glm->prior;
    for (dlp_index i = 0; i < n; i++) {
        const dlp_index k = place[i];
        mean[i] = prior->mean[k];
        for (dlp_index j = 0; j < n; j++)
            precision[i * n + j] = prior->precision
                                       ? prior->precision[k * glm->n + place[j]]
                                   : i == j ? 1 / (prior->sd[k] * prior->sd[k])
                                            : 0;
    }
}

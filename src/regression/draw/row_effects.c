/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a mixed model with drawn effects of their levels. */
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "regression/draw/draws.h"
#include "regression/predict/predict_random.h"

static dlp_index count_effects(const dlp_regression_result *r)
{
    dlp_index count = 0;
    for (dlp_index t = 0; t < r->n_random; t++)
        count += r->random[t].q * r->random[t].levels;
    return count;
}

dlp_status dlpi_row_effects_make(dlpi_drawing *d, const dlp_design *design,
                                 dlpi_row_effects *effects, dlp_error *error)
{
    const dlp_regression_result *r = &d->of->result;
    *effects = (dlpi_row_effects){
        .of = r, .design = design, .draws = d->s.n, .D = dlpi_predictors(r)};
    if (r->grouping != DLP_MIXED || r->n_random == 0) return DLP_OK;
    DLP_TRY(dlpi_check_random(r, design, error));
    d->s.effects = 1;
    DLP_TRY(dlpi_drawing_room(d, dlpi_count_random(d), error));
    DLP_TRY(dlpi_draw_random(d, error));
    effects->b = d->value + (d->draws.columns - count_effects(r)) * d->s.n;
    return DLP_OK;
}

void dlpi_row_effects_add(const dlpi_row_effects *e, dlp_index i, dlp_index s,
                          double *eta)
{
    const double *b = e->b;
    for (dlp_index t = 0; b && t < e->of->n_random; t++) {
        const dlp_random_effects *term = &e->of->random[t];
        const dlp_random *random = &e->design->random[t / e->D];
        const dlpi_process_place place =
            dlpi_place_of(term, random, DLP_EFFECTS_OF_LEVELS, i);
        for (int a = 0; a < place.n; a++)
            for (dlp_index k = 0; k < term->q; k++)
                eta[t % e->D] += place.weight[a] * random->x[k][i] *
                                 b[(place.node[a] * term->q + k) * e->draws + s];
        b += term->q * term->levels * e->draws;
    }
}

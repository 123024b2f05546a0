/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/result/summary.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

/* ---- memory ---- */

bool dlpi_mixed_effects_alloc(const dlpi_mixed_term *term, dlp_index n,
                              dlpi_mixed_effects *e)
{
    const dlp_index L = term->L, q = term->q;
    *e = (dlpi_mixed_effects){.L = L, .q = q};
    e->mean = dlpi_calloc(L, (size_t)(q * (1 + q + n)) * sizeof *e->mean);
    if (term->process) e->next = dlpi_calloc(L, sizeof *e->next);
    if (term->process && !e->next) return false;
    e->covariance = dlpi_calloc(q * q, sizeof *e->covariance);
    e->sd = dlpi_calloc(q + q * (q - 1) / 2, sizeof *e->sd);
    if (!e->mean || !e->covariance || !e->sd) return false;
    e->variance = e->mean + L * q;
    e->with_beta = e->variance + L * q * q;
    e->correlation = e->sd + q;
    return true;
}

dlp_status dlpi_mixed_result_alloc(const dlpi_mixed_data *data, dlpi_mixed_result *result,
                                   dlp_error *error)
{
    const dlp_index p = data->p, n = p + data->scales;
    result->p = p;
    result->n = n;
    result->n_terms = data->n_terms + data->n_smooths;
    result->beta = dlpi_calloc(n * (n + 1), sizeof *result->beta);
    result->margin = dlpi_calloc(n, sizeof *result->margin);
    result->effects = dlpi_calloc(result->n_terms, sizeof *result->effects);
    const bool gaps = data->gaps.n > 0 || data->levels > 2;
    if (gaps) result->linear = dlpi_calloc(n * (n + 1), sizeof(double));
    bool there =
        result->beta && result->margin && result->effects && (!gaps || result->linear);
    const dlpi_mixed_term smooth = {.q = 1};
    for (dlp_index t = 0; there && t < result->n_terms; t++)
        there = dlpi_mixed_effects_alloc(t < data->n_terms ? &data->term[t] : &smooth, n,
                                         &result->effects[t]);
    if (!there) return dlpi_no_memory(error, "the effects of a mixed model");
    result->covariance = result->beta + n;
    return DLP_OK;
}

void dlpi_mixed_result_clear(dlpi_mixed_result *result)
{
    for (dlp_index t = 0; result->effects && t < result->n_terms; t++) {
        free(result->effects[t].mean);
        free(result->effects[t].covariance);
        free(result->effects[t].next);
        free(result->effects[t].sd);
    }
    for (dlp_index i = 0; i < result->n_pairs; i++) {
        free(result->pairs[i].level);
        free(result->pairs[i].covariance);
        free(result->pairs[i].slot);
    }
    dlpi_scale_mixture_clear(&result->scale_mixture);
    free(result->pairs);
    free(result->effects);
    free(result->beta);
    free(result->margin);
    free(result->linear);
    *result = (dlpi_mixed_result){.outcome = DLP_NOT_STARTED};
}

/* ---- sds, correlations, scale ---- */

static void summarise_term(const dlpi_hyper_layout *layout, dlp_index t,
                           dlpi_psi_points *psi_points, dlpi_mixed_effects *e,
                           double *room)
{
    const dlp_index q = e->q;
    double *all = room, *sd = room + layout->all, *R = sd + q,
           *each = R + q * q; /* (n, q + q (q-1) / 2) */
    const dlp_index wide = q + q * (q - 1) / 2;
    for (dlp_index i = 0; i < psi_points->n; i++) {
        const double *psi =
            dlpi_hyper_all(layout, psi_points->psi + i * psi_points->m, all);
        dlpi_hyper_term(q, psi + layout->at[t], sd, R);
        double *to = each + i * wide;
        for (dlp_index a = 0; a < q; a++) to[a] = sd[a];
        for (dlp_index b = 0, k = q; b < q; b++)
            for (dlp_index a = 0; a <= b; a++) {
                double r = 0;
                for (dlp_index c = 0; c < q; c++) r += R[c * q + a] * R[c * q + b];
                e->covariance[a * q + b] += psi_points->weight[i] * sd[a] * sd[b] * r;
                if (a < b) to[k++] = r;
            }
    }
    dlpi_mirror(q, e->covariance);
    for (dlp_index k = 0; k < wide; k++) {
        for (dlp_index i = 0; i < psi_points->n; i++)
            psi_points->value[i] = each[i * wide + k];
        e->sd[k] = dlpi_psi_points_margin(psi_points); /* correlations follow the sds */
    }
    const dlpi_process *process = dlpi_hyper_process(layout, t);
    if (!process || dlpi_process_more(process) == 0) return;
    for (dlp_index i = 0; i < psi_points->n; i++) {
        const double *psi =
            dlpi_hyper_all(layout, psi_points->psi + i * psi_points->m, all);
        psi_points->value[i] = dlpi_process_second(process, psi[layout->at[t] + 1]);
    }
    e->second = dlpi_psi_points_margin(psi_points);
}

dlp_status dlpi_summarise_hyper(const dlpi_mixed *model, const dlpi_explore *e,
                                const dlpi_taken *taken, dlpi_mixed_result *result,
                                dlp_error *error)
{
    const dlp_index q = model->layout.largest;
    dlpi_psi_points psi_points = {0};
    dlp_status status = dlpi_psi_points_make(e, &psi_points, error);
    double *room = NULL;
    if (status == DLP_OK) {
        room = dlpi_calloc((psi_points.n + 2) * (q * q + q) + model->layout.all,
                           sizeof *room);
        if (!room) status = dlpi_no_memory(error, "the scales");
    }
    if (status == DLP_OK) {
        for (dlp_index t = 0; t < result->n_terms; t++)
            summarise_term(&model->layout, t, &psi_points, &result->effects[t], room);
        for (dlp_index k = 0; k < model->layout.scales; k++) {
            for (dlp_index i = 0; i < psi_points.n; i++)
                psi_points.value[i] =
                    exp(psi_points.psi[i * psi_points.m + model->layout.tau + k]);
            result->margin[result->p + k] = dlpi_psi_points_margin(&psi_points);
        }
        if (!e->only_mode && taken->n > 0)
            status = dlpi_scale_mixture_make(&model->layout, e, &psi_points, taken,
                                             result, error);
    }
    free(room);
    dlpi_psi_points_free(&psi_points);
    return status;
}

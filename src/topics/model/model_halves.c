/* SPDX-License-Identifier: BSD-3-Clause */
#include "topics/model/model_halves.h"

#include <delaplace/random.h>

#include <string.h>

static double number_of(const json_t *settings, const char *key, double otherwise)
{
    const json_t *value = json_object_get(settings, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

bool dlpi_topic_model_averages(const dlp_topic_model *m)
{
    const json_t *kept = json_object_get(m->json, "settings");
    const char *assign = json_string_value(json_object_get(kept, "assign"));
    return assign && !strcmp(assign, "average");
}

dlp_topics_settings dlpi_model_settings(const dlp_topic_model *m)
{
    const json_t *kept = json_object_get(m->json, "settings");
    const char *covariance = json_string_value(json_object_get(kept, "covariance"));
    dlp_topics_settings s = dlp_topics_settings_default();
    s.K = dlp_topic_model_fitted(m)->K;
    s.method = m->document.method;
    s.plain = m->document.plain;
    s.paper_covariance =
        covariance && !strcmp(covariance, "paper") && m->method == &dlpi_ctm_laplace;
    s.tol = number_of(kept, "tol", s.tol);
    s.smooth = number_of(kept, "smooth", s.smooth);
    s.shrink = number_of(kept, "shrink", s.shrink);
    s.ridge = number_of(kept, "ridge", s.ridge);
    s.document_tol = number_of(kept, "document_tol", s.document_tol);
    s.average = dlpi_topic_model_averages(m) && m->method == &dlpi_ctm_laplace;
    s.diagonal = json_is_true(json_object_get(kept, "diagonal"));
    return s;
}

/* Knuth's algorithm S */
void dlpi_draw_half(dlp_index D, uint64_t seed, int split, unsigned char *keep)
{
    dlp_rng rng = dlp_rng_at(seed, (uint64_t)split);
    dlp_index wanted = D / 2;
    for (dlp_index d = 0; d < D; d++) {
        keep[d] = dlp_draw_uniform(&rng) * (double)(D - d) < (double)wanted;
        wanted -= keep[d];
    }
}

bool dlpi_keep_rows(const dlp_covariates *X, const unsigned char *keep, double *rows,
                    dlp_covariates *part)
{
    dlp_index n = 0;
    const size_t size = (size_t)X->p * sizeof *rows;
    for (dlp_index d = 0; d < X->D; d++)
        if (keep[d]) memcpy(rows + n++ * X->p, X->X + d * X->p, size);
    *part = (dlp_covariates){.D = n, .p = X->p, .X = rows, .name = X->name};
    for (dlp_index j = 1; j < X->p; j++) {
        bool differs = false;
        for (dlp_index d = 1; d < n; d++) differs |= rows[d * X->p + j] != rows[j];
        if (!differs) return false;
    }
    return true;
}

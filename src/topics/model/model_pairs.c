/* SPDX-License-Identifier: BSD-3-Clause */
/* Correlations of a model's topics, with what its folder records about its documents: how
   theta varies beyond what covariates predict, as their table is not at hand; and how much they are worth after
   updates. */
#include "core/core.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_fit.h"
#include "topics/describe/topic_pairs.h"
#include "topics/model/model.h"

/* "spread" of "sums", (K, K); NULL where the folder has none, or something else. */
static dlp_status read_spread(const dlp_topic_model *m, double **spread, dlp_error *error)
{
    const json_t *list = json_object_get(json_object_get(m->json, "sums"), "spread");
    const dlp_index K = m->topics.K, n = dlpi_size(K, K, 0);
    *spread = NULL;
    if ((dlp_index)json_array_size(list) != n) return DLP_OK;
    *spread = dlpi_calloc(n, sizeof **spread);
    if (!*spread) return dlpi_no_memory(error, "the covariates");
    bool good = true;
    for (dlp_index i = 0; i < n; i++) {
        const json_t *number = json_array_get(list, (size_t)i);
        (*spread)[i] = json_number_value(number);
        good = good && json_is_number(number);
    }
    if (good) return DLP_OK;
    free(*spread);
    *spread = NULL;
    return DLP_OK;
}

double dlpi_topic_model_worth(const dlp_topic_model *m)
{
    const json_t *sums = json_object_get(m->json, "sums");
    const double worth = json_number_value(json_object_get(sums, "worth"));
    const double D = (double)m->info.D;
    return worth > 0 && worth < D ? worth : D;
}

/* Whether topics were given to a fit that assigned words on average: its start is then
   the name of a model. */
static bool begins_with_given(const dlp_topic_model *m)
{
    dlpi_ctm_init init;
    return dlpi_topic_model_averages(m) && !dlpi_ctm_init_find(m->init, &init);
}

static dlp_status gather(const dlp_topic_model *m, const dlp_covariates *X,
                         dlpi_topic_evidence *evidence, double **spread, dlp_error *error)
{
    *spread = NULL;
    if (!m->theta)
        return dlp_fail(error, DLP_EINVAL,
                        "the model was loaded without its documents; load all of it");
    if (!X) DLP_TRY(read_spread(m, spread, error));
    *evidence = (dlpi_topic_evidence){.topics = &m->topics,
                                      .D = m->info.D,
                                      .theta = m->theta,
                                      .X = X,
                                      .spread = *spread,
                                      .worth = dlpi_topic_model_worth(m),
                                      .given = begins_with_given(m)};
    return DLP_OK;
}

dlp_status dlp_topic_model_correlation_intervals(const dlp_topic_model *model,
                                                 const dlp_covariates *X, double *lower,
                                                 double *upper, dlp_error *error)
{
    dlpi_topic_evidence evidence;
    double *spread;
    DLP_TRY(gather(model, X, &evidence, &spread, error));
    const dlp_status status = dlpi_topics_find_intervals(&evidence, lower, upper, error);
    free(spread);
    return status;
}

dlp_status dlp_topic_model_associations(const dlp_topic_model *model,
                                        const dlp_covariates *X, const double *R,
                                        dlp_topic_association *pair, dlp_error *error)
{
    dlpi_topic_evidence evidence;
    double *spread;
    DLP_TRY(gather(model, X, &evidence, &spread, error));
    const dlp_status status = dlpi_topics_find_associations(&evidence, R, pair, error);
    free(spread);
    return status;
}

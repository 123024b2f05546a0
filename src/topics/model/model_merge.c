/* SPDX-License-Identifier: BSD-3-Clause */
/* Merged topics: a map from the topics of the fit to those that are reported, as it is stated, kept in
   model.json, applied to a model and taken back. */
#include "core/core.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"
#include "topics/model/merged_topics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void dlpi_topic_merge_free(dlpi_topic_merge *merge)
{
    free(merge->group);
    free(merge->share);
    free(merge->around);
    free(merge->theta);
    dlp_topics_free(&merge->fitted);
    *merge = (dlpi_topic_merge){0};
}

const dlp_topics *dlp_topic_model_fitted(const dlp_topic_model *model)
{
    return model->merge.group ? &model->merge.fitted : &model->topics;
}

const dlp_index *dlp_topic_model_group(const dlp_topic_model *model)
{
    return model->merge.group;
}

/* ---- a model ---- */

static void merge_theta(const dlp_index *group, dlp_index K, dlp_index G,
                        const double *theta, double *to)
{
    for (dlp_index g = 0; g < G; g++) to[g] = -INFINITY;
    for (dlp_index k = 0; k < K; k++) {
        double *sum = &to[group[k]];
        const double most = fmax(*sum, theta[k]);
        *sum =
            isinf(*sum) ? theta[k] : most + log(exp(*sum - most) + exp(theta[k] - most));
    }
}

/* Takes over merge, and swaps the model's present topics and theta, those of the fit,
   with the merged ones. */
static dlp_status apply(dlp_topic_model *m, dlpi_topic_merge *merge, dlp_index G,
                        dlp_error *error)
{
    const dlp_index K = m->topics.K, D = m->info.D;
    dlp_topics topics;
    double *theta = NULL;
    if (m->theta && !(theta = dlpi_calloc(dlpi_size(D, G, 0), sizeof *theta)))
        return dlpi_no_memory(error, "merged topics");
    const dlp_status status =
        dlpi_merged_topics_make(merge, &m->topics, G, &topics, error);
    if (status != DLP_OK) {
        free(theta);
        return status;
    }
    for (dlp_index d = 0; theta && d < D; d++)
        merge_theta(merge->group, K, G, m->theta + d * K, theta + d * G);
    merge->fitted = m->topics;
    merge->theta = m->theta;
    m->topics = topics;
    m->theta = theta;
    m->merge = *merge;
    m->info.K = G;
    *merge = (dlpi_topic_merge){0};
    return DLP_OK;
}

static void restore(dlp_topic_model *m)
{
    if (!m->merge.group) return;
    dlp_topics_free(&m->topics);
    free(m->theta);
    m->topics = m->merge.fitted;
    m->theta = m->merge.theta;
    m->info.K = m->topics.K;
    m->merge.fitted = (dlp_topics){0};
    m->merge.theta = NULL;
    dlpi_topic_merge_free(&m->merge);
}

/* ---- model.json ---- */

static json_t *group_at(const void *of, dlp_index k)
{
    return json_integer((json_int_t)((const dlp_index *)of)[k] + 1);
}

static json_t *real_at(const void *of, dlp_index k)
{
    return dlpi_json_real(((const double *)of)[k]);
}

static dlp_status write_merge(dlp_topic_model *m, dlp_error *error)
{
    const dlpi_topic_merge *merge = &m->merge;
    const dlp_index K = merge->fitted.K;
    (void)json_object_del(m->json, "merged");
    if (merge->group &&
        json_object_set_new(m->json, "merged",
                            json_pack("{s:o, s:o, s:o}", "topic",
                                      dlpi_json_list(K, group_at, merge->group), "share",
                                      dlpi_json_list(K, real_at, merge->share), "mean",
                                      dlpi_json_list(K, real_at, merge->around))) != 0)
        return dlpi_no_memory(error, "model.json");
    return dlpi_topic_model_print_json(m, error);
}

static bool read_reals(const json_t *list, dlp_index K, double least, double *x)
{
    bool good = (dlp_index)json_array_size(list) == K;
    for (dlp_index k = 0; k < K && good; k++) {
        const json_t *value = json_array_get(list, (size_t)k);
        x[k] = json_number_value(value);
        good = json_is_number(value) && isfinite(x[k]) && x[k] >= least;
    }
    return good;
}

/* Groups are numbered by their first topics, so that the next new one is one more. */
static bool read_groups(const json_t *list, dlp_index K, dlp_index *group, dlp_index *G)
{
    bool good = (dlp_index)json_array_size(list) == K;
    *G = 0;
    for (dlp_index k = 0; k < K && good; k++) {
        const json_t *value = json_array_get(list, (size_t)k);
        const json_int_t g = json_integer_value(value);
        good = json_is_integer(value) && g >= 1 && g <= *G + 1;
        group[k] = (dlp_index)g - 1;
        if (good && g == *G + 1) ++*G;
    }
    return good && *G >= 2;
}

static dlp_status alloc_merge(dlp_index K, dlpi_topic_merge *merge, dlp_error *error)
{
    *merge = (dlpi_topic_merge){.group = dlpi_calloc(K, sizeof *merge->group),
                                .share = dlpi_calloc(K, sizeof *merge->share),
                                .around = dlpi_calloc(K, sizeof *merge->around)};
    if (merge->group && merge->share && merge->around) return DLP_OK;
    dlpi_topic_merge_free(merge);
    return dlpi_no_memory(error, "merged topics");
}

dlp_status dlpi_topic_model_read_merge(dlp_topic_model *m, const json_t *info,
                                       dlp_error *error)
{
    const json_t *merged = json_object_get(info, "merged");
    const dlp_index K = m->topics.K;
    dlpi_topic_merge merge;
    dlp_index G;
    if (!merged) return DLP_OK;
    DLP_TRY(alloc_merge(K, &merge, error));
    const bool good =
        read_groups(json_object_get(merged, "topic"), K, merge.group, &G) &&
        read_reals(json_object_get(merged, "share"), K, 1e-300, merge.share) &&
        read_reals(json_object_get(merged, "mean"), K, -INFINITY, merge.around);
    const dlp_status status =
        good ? apply(m, &merge, G, error)
             : dlp_fail(error, DLP_EINPUT,
                        "model.json: \"merged\" must have topic, share and mean of %td "
                        "topics; the file is damaged or edited",
                        K);
    dlpi_topic_merge_free(&merge);
    return status;
}

/* ---- merging ---- */

static bool take_topic(const char **text, dlp_index *number)
{
    char *end;
    if (**text < '0' || **text > '9') return false;
    *number = (dlp_index)strtol(*text, &end, 10);
    *text = end;
    return true;
}

dlp_status dlp_topic_merge_parse(const char *text, dlp_index K, dlp_index *group,
                                 dlp_error *error)
{
    const char *at = text;
    dlp_index number, first = -1, n = 0;
    while (take_topic(&at, &number)) {
        if (number < 1 || number > K)
            return dlp_fail(
                error, DLP_EINVAL,
                "'%.40s': there is no topic %td; the model has topics 1 to %td", text,
                number, K);
        const dlp_index old = group[number - 1], to = first < 0 ? old : group[first];
        for (dlp_index k = 0; k < K; k++)
            if (group[k] == old) group[k] = to;
        if (first < 0) first = number - 1;
        n++;
        if (*at == ',' && n >= 2) { /* the next statement */
            first = -1;
            n = 0;
        } else if (*at != '+') {
            break;
        }
        at++;
    }
    if (n >= 2 && !*at) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL,
                    "'%.40s' does not name topics to merge; write 3+7, or 3+7+12", text);
}

/* Groups the topics of the fit, numbered anew by the first topic of each group; returns
   the number of groups. */
static dlp_index compose(const dlp_topic_model *m, const dlp_index *group,
                         dlp_index *of_fitted, dlp_index *number)
{
    const dlp_index K = m->topics.K, fitted = dlp_topic_model_fitted(m)->K;
    dlp_index G = 0;
    for (dlp_index k = 0; k < K; k++) number[k] = -1;
    for (dlp_index f = 0; f < fitted; f++) {
        const dlp_index g = group[m->merge.group ? m->merge.group[f] : f];
        if (number[g] < 0) number[g] = G++;
        of_fitted[f] = number[g];
    }
    return G;
}

/* Weights and where theta lies, from the documents of the fit. */
static void take_documents(const dlp_topic_model *m, dlpi_topic_merge *merge)
{
    const dlp_topics *fitted = dlp_topic_model_fitted(m);
    const double *theta = dlpi_topic_model_fitted_theta(m);
    const dlp_index K = fitted->K, D = m->info.D;
    dlp_topics_prevalence(D, K, theta, merge->share);
    for (dlp_index k = 0; k < K; k++) merge->share[k] = fmax(merge->share[k], 1e-300);
    if (fitted->p == 1)
        memcpy(merge->around, fitted->Gamma, (size_t)K * sizeof *merge->around);
    for (dlp_index d = 0; d < D && fitted->p > 1; d++)
        for (dlp_index k = 0; k < K; k++)
            merge->around[k] += theta[d * K + k] / (double)D;
}

/* The labels of the merged topics, joined; to be freed one by one. */
static bool join_labels(const dlp_topic_model *m, const dlp_index *new_of, char **label)
{
    for (dlp_index k = 0; k < m->topics.K; k++) {
        const char *own = dlp_topic_model_label(m, k);
        char **to = &label[new_of[k]], *before = *to;
        if (!own || (before && strlen(before) + strlen(own) > 150)) continue;
        const size_t room = strlen(own) + (before ? strlen(before) : 0) + 4;
        char *joined = dlpi_calloc((dlp_index)room, 1);
        if (!joined) return false;
        snprintf(joined, room, "%s%s%s", before ? before : "", before ? " + " : "", own);
        free(before);
        *to = joined;
    }
    return true;
}

/* Where each present topic goes, from 0. */
static void find_new(const dlp_topic_model *m, const dlpi_topic_merge *merge,
                     dlp_index *new_of)
{
    const dlp_index fitted = dlp_topic_model_fitted(m)->K;
    for (dlp_index f = 0; f < fitted; f++)
        new_of[m->merge.group ? m->merge.group[f] : f] = merge->group[f];
}

static dlp_status replace(dlp_topic_model *m, dlpi_topic_merge *merge, dlp_index G,
                          char *const *label, dlp_error *error)
{
    restore(m);
    DLP_TRY(apply(m, merge, G, error));
    DLP_TRY(write_merge(m, error));
    return dlp_topic_model_set_labels(m, label, error);
}

static dlp_status merge_topics(dlp_topic_model *m, dlpi_topic_merge *merge,
                               const dlp_index *group, dlp_index *number, char **label,
                               dlp_error *error)
{
    const bool labelled = m->label != NULL;
    const dlp_index G = compose(m, group, merge->group, number);
    if (G < 2) return dlp_fail(error, DLP_EINVAL, "at least two topics must be left");
    take_documents(m, merge);
    find_new(m, merge, number);
    if (labelled && !join_labels(m, number, label))
        return dlpi_no_memory(error, "the labels");
    return replace(m, merge, G, labelled ? label : NULL, error);
}

dlp_status dlp_topic_model_merge(dlp_topic_model *m, const dlp_index *group,
                                 dlp_error *error)
{
    const dlp_index K = m->topics.K;
    dlpi_topic_merge merge;
    DLP_TRY(dlpi_check_groups(K, K, group, error));
    if (m->slices.T > 0)
        return dlp_fail(error, DLP_EINVAL, "topics that drift cannot be merged");
    if (m->method == &dlpi_ctm_dirichlet)
        return dlp_fail(error, DLP_EINVAL,
                        "topics under a Dirichlet prior cannot be merged");
    if (m->content.topics.beta)
        return dlp_fail(error, DLP_EINVAL,
                        "topics whose words differ by group cannot be merged");
    if (!m->theta)
        return dlp_fail(error, DLP_EINVAL,
                        "the model was loaded without its documents; load all of it");
    DLP_TRY(alloc_merge(dlp_topic_model_fitted(m)->K, &merge, error));
    dlp_index *number = dlpi_calloc(K, sizeof *number);
    char **label = dlpi_calloc(K, sizeof *label);
    const dlp_status status = number && label
                                  ? merge_topics(m, &merge, group, number, label, error)
                                  : dlpi_no_memory(error, "merged topics");
    for (dlp_index k = 0; label && k < K; k++) free(label[k]);
    free(label);
    free(number);
    dlpi_topic_merge_free(&merge);
    return status;
}

dlp_status dlp_topic_model_unmerge(dlp_topic_model *m, dlp_error *error)
{
    if (!m->merge.group) return DLP_OK;
    restore(m);
    DLP_TRY(write_merge(m, error));
    return dlp_topic_model_set_labels(m, NULL, error);
}

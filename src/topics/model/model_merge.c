/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merged topics: a map from the topics of the fit to those that are reported, and what
 * the latter are. theta'_g = log sum_{k in g} exp theta_k, so that softmax(theta') has
 * the shares of the topics of g added up. With theta ~ N(m, Sigma), w(theta) the shares
 * within a group and W = E w, by Stein's lemma
 *
 *     theta'_g = W_g'(theta - m) + r_g,     Cov(theta, r_g) = 0,
 *
 * and so Cov(theta') = W Sigma W' + Cov(r). Topics by themselves have r = 0; W and Cov(r)
 * of the others are averages over draws of their theta.
 */
#include "core/core.h"
#include "io/json.h"
#include "math/dense.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm.h"
#include "topics/model/model.h"

#include <delaplace/random.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PAIRS = 4096 }; /* of antithetic draws */

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

/* ---- moments of log sums ---- */

typedef struct moments {
    const dlp_topics *fitted;
    const dlp_index *group;
    const double *around;
    dlp_index K, G, n; /* topics of the fit, groups, and topics in groups of several */
    dlp_index *member; /* (n) */
    dlp_index *size;   /* (G) topics of each */
    double *U;         /* (n, n) the factor of their covariance */
    double *theta;   /* (2 K) the first n: a draw; from K on: the normals it is made of */
    double *log_sum; /* (G) of it */
    double *weight;  /* (K) W: mean shares within the group */
    double *mean, *rest; /* (G) of theta', and r of a draw */
    double *spread;      /* (G, G) Cov(r) */
} moments;

static void free_moments(moments *m)
{
    free(m->member);
    free(m->size);
    free(m->U);
    free(m->theta);
    free(m->log_sum);
    free(m->weight);
    free(m->spread);
}

static dlp_status alloc_moments(moments *m, dlp_error *error)
{
    const dlp_index K = m->K, G = m->G;
    m->size = dlpi_calloc(G, sizeof *m->size);
    m->member = dlpi_calloc(K, sizeof *m->member);
    m->weight = dlpi_calloc(K, sizeof *m->weight);
    m->theta = dlpi_calloc(2 * K, sizeof *m->theta);
    m->log_sum = dlpi_calloc(3 * G, sizeof *m->log_sum);
    m->spread = dlpi_calloc(dlpi_size(G, G, 0), sizeof *m->spread);
    if (!m->size || !m->member || !m->weight || !m->theta || !m->log_sum || !m->spread)
        return dlpi_no_memory(error, "merged topics");
    m->mean = m->log_sum + G;
    m->rest = m->mean + G;
    for (dlp_index k = 0; k < K; k++) m->size[m->group[k]]++;
    for (dlp_index k = 0; k < K; k++)
        if (m->size[m->group[k]] > 1) m->member[m->n++] = k;
    m->U = dlpi_calloc(dlpi_size(m->n, m->n, 0), sizeof *m->U);
    return m->U ? DLP_OK : dlpi_no_memory(error, "merged topics");
}

static dlp_status factor(moments *m, dlp_error *error)
{
    for (dlp_index i = 0; i < m->n; i++)
        for (dlp_index j = 0; j < m->n; j++)
            m->U[i * m->n + j] = m->fitted->Sigma0[m->member[i] * m->K + m->member[j]];
    if (m->n == 0 || dlpi_cholesky(m->n, m->U) < 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "the covariance of topics is not positive definite");
}

/* log sum exp of each group of several at the members' theta */
static void sum_groups(const moments *m)
{
    for (dlp_index g = 0; g < m->G; g++) m->log_sum[g] = -INFINITY;
    for (dlp_index i = 0; i < m->n; i++) {
        double *sum = &m->log_sum[m->group[m->member[i]]];
        const double x = m->theta[i], most = fmax(*sum, x);
        *sum = most + log(exp(*sum - most) + exp(x - most));
    }
}

/* The draw of a stream, and with sign -1 its mirror image. */
static void draw(const moments *m, int stream, double sign)
{
    double *z = m->theta + m->K;
    dlp_rng rng = dlp_rng_at(1, (uint64_t)stream);
    for (dlp_index i = 0; i < m->n; i++) z[i] = dlp_draw_normal(&rng);
    for (dlp_index i = 0; i < m->n; i++) { /* m + U'z */
        double move = 0;
        for (dlp_index j = 0; j <= i; j++) move += m->U[j * m->n + i] * z[j];
        m->theta[i] = m->around[m->member[i]] + sign * move;
    }
    sum_groups(m);
}

static void add_weights(const moments *m)
{
    for (dlp_index i = 0; i < m->n; i++) {
        const dlp_index k = m->member[i];
        m->weight[k] += exp(m->theta[i] - m->log_sum[m->group[k]]) / (2.0 * PAIRS);
    }
}

/* r = theta' - W'(theta - m), with its squares and its mean, which is that of theta' */
static void add_rest(const moments *m)
{
    double *rest = m->rest;
    for (dlp_index g = 0; g < m->G; g++) rest[g] = m->size[g] > 1 ? m->log_sum[g] : 0;
    for (dlp_index i = 0; i < m->n; i++) {
        const dlp_index k = m->member[i];
        rest[m->group[k]] -= m->weight[k] * (m->theta[i] - m->around[k]);
    }
    for (dlp_index g = 0; g < m->G; g++) m->mean[g] += rest[g] / (2.0 * PAIRS);
    for (dlp_index g = 0; g < m->G; g++)
        for (dlp_index h = 0; h < m->G && m->size[g] > 1; h++)
            m->spread[g * m->G + h] += rest[g] * rest[h] / (2.0 * PAIRS);
}

static void find_moments(const moments *m)
{
    for (int s = 0; m->n > 0 && s < 2 * PAIRS; s++) {
        draw(m, s / 2, s % 2 ? -1 : 1);
        add_weights(m);
    }
    for (int s = 0; m->n > 0 && s < 2 * PAIRS; s++) {
        draw(m, s / 2, s % 2 ? -1 : 1);
        add_rest(m);
    }
    for (dlp_index g = 0; g < m->G; g++)
        for (dlp_index h = 0; h < m->G; h++)
            m->spread[g * m->G + h] -= m->mean[g] * m->mean[h];
    for (dlp_index k = 0; k < m->K; k++)
        if (m->size[m->group[k]] == 1) {
            m->weight[k] = 1;
            m->mean[m->group[k]] = m->around[k];
        }
}

/* ---- the merged topics ---- */

/* W Sigma W' + Cov(r) */
static void merge_sigma(const moments *m, dlp_topics *to)
{
    const dlp_index K = m->K, G = m->G;
    memcpy(to->Sigma0, m->spread, (size_t)(G * G) * sizeof *to->Sigma0);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++)
            to->Sigma0[m->group[i] * G + m->group[j]] +=
                m->weight[i] * m->weight[j] * m->fitted->Sigma0[i * K + j];
}

/* theta'_g is about mean_g + W_g'(Gamma'x - m) */
static void merge_gamma(const moments *m, dlp_topics *to)
{
    const dlp_index K = m->K, G = m->G;
    memcpy(to->Gamma, m->mean, (size_t)G * sizeof *to->Gamma);
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index j = 0; j < to->p; j++)
            to->Gamma[j * G + m->group[k]] +=
                m->weight[k] *
                (m->fitted->Gamma[j * K + k] - (j == 0 ? m->around[k] : 0));
}

static void merge_beta(const dlpi_topic_merge *merge, const dlp_topics *from,
                       double *whole, dlp_topics *to)
{
    const dlp_index V = from->V;
    memset(whole, 0, (size_t)to->K * sizeof *whole);
    for (dlp_index k = 0; k < from->K; k++) whole[merge->group[k]] += merge->share[k];
    for (dlp_index k = 0; k < from->K; k++) {
        const dlp_index g = merge->group[k];
        dlpi_axpy(V, merge->share[k] / whole[g], from->beta + k * V, to->beta + g * V);
    }
}

static dlp_status make_topics(const dlpi_topic_merge *merge, const dlp_topics *from,
                              dlp_index G, dlp_topics *to, dlp_error *error)
{
    moments m = {.fitted = from,
                 .group = merge->group,
                 .around = merge->around,
                 .K = from->K,
                 .G = G};
    dlp_status status = dlp_topics_alloc(G, from->V, from->p, to, error);
    if (status == DLP_OK) status = alloc_moments(&m, error);
    if (status == DLP_OK) status = factor(&m, error);
    if (status == DLP_OK) {
        find_moments(&m);
        merge_sigma(&m, to);
        merge_gamma(&m, to);
        merge_beta(merge, from, m.rest, to);
    }
    free_moments(&m);
    if (status != DLP_OK) dlp_topics_free(to);
    return status;
}

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
    const dlp_status status = make_topics(merge, &m->topics, G, &topics, error);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* Words by group in a model and its folder: beta_content.npy, beta_content_sd.npy, content.npy,
   content_sd.npy and groups.txt. */
#include "core/core.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "topics/ctm/ctm_content.h"
#include "topics/model/folder.h"
#include "topics/model/folder_files.h"
#include "topics/model/model.h"

#include <delaplace/npy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void dlpi_model_content_free(dlpi_model_content *c)
{
    dlp_topic_content_free(&c->topics);
    free(c->name);
    free(c->reading.beta); /* the rest is the model's */
    *c = (dlpi_model_content){0};
}

/* ---- the topics that documents are read by ---- */

static dlp_status make_reading(dlp_topic_model *m, dlp_error *error)
{
    const dlp_topic_content *c = &m->content.topics;
    const dlp_index K = c->K, V = c->V, wide = dlpi_size(V, c->G, V);
    double *beta = dlpi_calloc(dlpi_size(K, wide, 0), sizeof *beta);
    if (!beta) return dlpi_no_memory(error, "the words of groups");
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index b = 0; b <= c->G; b++) {
            const double *from =
                b == 0 ? m->topics.beta + k * V : c->beta + ((b - 1) * K + k) * V;
            for (dlp_index v = 0; v < V; v++)
                beta[k * wide + b * V + v] = from[v] / (double)(1 + c->G);
        }
    m->content.reading = m->topics;
    m->content.reading.beta = beta;
    m->content.reading.V = wide;
    return DLP_OK;
}

const dlp_topics *dlp_topic_model_inference_topics(const dlp_topic_model *model)
{
    return model->content.reading.beta ? &model->content.reading
                                       : dlp_topic_model_fitted(model);
}

dlp_status dlp_topic_model_set_groups(const dlp_topic_model *model, const int32_t *group,
                                      dlp_corpus *corpus, dlp_error *error)
{
    const dlp_topic_content *c = dlp_topic_model_content(model);
    if (!c)
        return dlp_fail(error, DLP_EINVAL,
                        "words of the model's topics do not differ by group");
    if (corpus->V > c->V)
        return dlp_fail(error, DLP_EINVAL, "the corpus has %td terms and the model %td",
                        corpus->V, c->V);
    for (dlp_index d = 0; d < corpus->D; d++)
        if (group[d] >= c->G)
            return dlp_fail(error, DLP_EINVAL, "document %td is in group %d of %td",
                            d + 1, (int)group[d], c->G);
    for (dlp_index d = 0; d < corpus->D; d++)
        for (dlp_index i = corpus->row[d]; i < corpus->row[d + 1] && group[d] >= 0; i++)
            corpus->term[i] += (int32_t)((1 + group[d]) * c->V);
    free(corpus->vocab);
    corpus->vocab = NULL;
    corpus->V = model->content.reading.V;
    return DLP_OK;
}

/* ---- out of a fit ---- */

dlp_status dlpi_topic_model_take_content(dlp_topic_model *m,
                                         const dlpi_topic_request *request, dlp_ctm *ctm,
                                         dlp_error *error)
{
    const dlp_topics_settings *s = &request->settings;
    dlpi_model_content *to = &m->content;
    if (s->content_groups == 0) return DLP_OK;
    DLP_TRY(dlp_ctm_content(ctm, &to->topics, error));
    to->name = s->content_name ? dlpi_copy_names(s->content_name, s->content_groups)
                               : dlpi_count_names(s->content_groups);
    if (!to->name) return dlpi_no_memory(error, "the groups");
    return make_reading(m, error);
}

json_t *dlpi_topic_model_with_scales(json_t *json, const dlp_topic_model *m)
{
    const dlp_topic_content *c = dlp_topic_model_content(m);
    if (!json || !c) return json;
    json_t *scales = json_pack("{s:o, s:o}", "common", dlpi_json_real(c->common_scale),
                               "own", dlpi_json_real(c->own_scale));
    if (json_object_set_new(json, "content_scales", scales) == 0) return json;
    json_decref(json);
    return NULL;
}

/* ---- the folder ---- */

dlp_status dlpi_topic_model_put_content(const dlp_topic_model *m,
                                        const struct dlpi_folder_files *f)
{
    const dlp_topic_content *c = &m->content.topics;
    if (!c->beta) return DLP_OK;
    DLP_TRY(dlpi_folder_put_array(f, "beta_content.npy", c->G * c->K, c->V, c->beta));
    DLP_TRY(dlpi_folder_put_array(f, "beta_content_sd.npy", c->G * c->K, c->V, c->sd));
    DLP_TRY(dlpi_folder_put_array(f, "content.npy", c->G, c->V, c->common));
    DLP_TRY(dlpi_folder_put_array(f, "content_sd.npy", c->G, c->V, c->common_sd));
    return dlpi_folder_put_lines(f, "groups.txt", m->content.name, c->G);
}

static bool is_deviation(double x, double sd)
{
    return fabs(x) <= 1e100 && sd >= 0 && sd <= 1e100;
}

/* Terms that some group has, all have: their logarithms are compared. */
static dlp_status check(const dlp_topic_model *m, dlp_error *error)
{
    const dlp_topic_content *c = &m->content.topics;
    const dlp_index n = c->K * c->V;
    bool good = true;
    for (dlp_index i = 0; i < c->G * n && good; i++)
        good = c->beta[i] >= 0 && c->beta[i] <= 1 + 1e-9 &&
               (c->beta[i] > 0) == (c->beta[i % n] > 0) && is_deviation(0, c->sd[i]);
    for (dlp_index i = 0; i < c->G * c->V && good; i++)
        good = is_deviation(c->common[i], c->common_sd[i]);
    for (dlp_index i = 0; i < c->G * c->K && good; i++) {
        double sum = 0;
        for (dlp_index v = 0; v < c->V; v++) sum += c->beta[i * c->V + v];
        good = fabs(sum - 1) < 1e-6;
    }
    if (good) return DLP_OK;
    return dlp_fail(
        error, DLP_EINPUT,
        "beta_content.npy or content.npy has numbers that cannot be of topics' "
        "words; fit again");
}

dlp_status dlpi_topic_model_read_content(dlp_topic_model *m, const char *folder,
                                         const json_t *info, dlp_error *error)
{
    const json_t *content = json_object_get(info, "content");
    const json_t *scales = json_object_get(info, "content_scales");
    const json_int_t G = json_integer_value(json_object_get(content, "groups"));
    dlp_topic_content *c = &m->content.topics;
    const dlp_index K = m->topics.K, V = m->topics.V;
    if (!content) return DLP_OK;
    if (G < 2 || G > 100)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: model.json: \"groups\" must be 2 to 100; fit again", folder);
    *c = (dlp_topic_content){.G = (dlp_index)G, .K = K, .V = V};
    c->common_scale = json_number_value(json_object_get(scales, "common"));
    c->own_scale = json_number_value(json_object_get(scales, "own"));
    DLP_TRY(dlpi_folder_read_lines(folder, info, "groups.txt", c->G, &m->content.name,
                                   error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "beta_content.npy", c->G * K, V,
                                   &c->beta, error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "beta_content_sd.npy", c->G * K, V,
                                   &c->sd, error));
    DLP_TRY(
        dlpi_folder_read_array(folder, info, "content.npy", c->G, V, &c->common, error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "content_sd.npy", c->G, V, &c->common_sd,
                                   error));
    DLP_TRY(check(m, error));
    DLP_TRY(dlpi_content_find_dilution(c, error));
    return make_reading(m, error);
}

/* ---- what it is asked ---- */

const dlp_topic_content *dlp_topic_model_content(const dlp_topic_model *model)
{
    return model->content.topics.beta ? &model->content.topics : NULL;
}

char *const *dlp_topic_model_content_names(const dlp_topic_model *model)
{
    return model->content.name;
}

const char *dlp_topic_model_content_column(const dlp_topic_model *model)
{
    return json_string_value(
        json_object_get(json_object_get(model->json, "content"), "column"));
}

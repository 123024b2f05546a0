/* SPDX-License-Identifier: BSD-3-Clause */
/* The topics of slices in a model and its folder: beta_time.npy, beta_time_sd.npy, slice.npy and
   slices.txt. */
#include "core/core.h"
#include "io/json.h"
#include "io/number.h"
#include "math/symmetric/structure.h"
#include "topics/model/folder.h"
#include "topics/model/folder_files.h"
#include "topics/model/model.h"

#include <delaplace/npy.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

void dlpi_model_slices_free(dlpi_model_slices *s)
{
    dlp_topic_slices_free(&s->topics);
    free(s->slice);
    free(s->name);
    *s = (dlpi_model_slices){0};
}

/* ---- out of a fit ---- */

dlp_status dlpi_topic_model_take_slices(dlp_topic_model *m,
                                        const dlpi_topic_request *request, dlp_ctm *ctm,
                                        dlp_error *error)
{
    const dlp_topics_settings *s = &request->settings;
    const dlp_index D = request->corpus->D;
    dlpi_model_slices *to = &m->slices;
    if (s->slices == 0) return DLP_OK;
    DLP_TRY(dlp_ctm_slices(ctm, &to->topics, error));
    to->T = s->slices;
    to->slice = dlpi_calloc(D, sizeof *to->slice);
    to->name =
        s->slice_name ? dlpi_copy_names(s->slice_name, to->T) : dlpi_count_names(to->T);
    if (!to->slice || !to->name) return dlpi_no_memory(error, "the slices");
    for (dlp_index d = 0; d < D; d++) to->slice[d] = s->slice[d];
    return DLP_OK;
}

/* ---- the folder ---- */

dlp_status dlpi_topic_model_put_slices(const dlp_topic_model *m,
                                       const struct dlpi_folder_files *f)
{
    const dlpi_model_slices *s = &m->slices;
    const dlp_topic_slices *t = &s->topics;
    if (s->T == 0) return DLP_OK;
    DLP_TRY(dlpi_folder_put_array(f, "beta_time.npy", t->T * t->K, t->V, t->beta));
    DLP_TRY(dlpi_folder_put_array(f, "beta_time_sd.npy", t->T * t->K, t->V, t->sd));
    DLP_TRY(dlpi_folder_put_array(f, "slice.npy", m->info.D, 0, s->slice));
    return dlpi_folder_put_lines(f, "slices.txt", s->name, s->T);
}

static dlp_status check(const dlp_topic_model *m, dlp_error *error)
{
    const dlpi_model_slices *s = &m->slices;
    const dlp_index n = s->T * m->topics.K * m->topics.V;
    bool good = true;
    for (dlp_index d = 0; d < m->info.D && good; d++)
        good = s->slice[d] >= 0 && s->slice[d] < (double)s->T &&
               s->slice[d] == floor(s->slice[d]);
    for (dlp_index i = 0; i < n && good; i++)
        good = s->topics.beta[i] >= 0 && s->topics.beta[i] <= 1 + 1e-9 &&
               s->topics.sd[i] >= 0 && s->topics.sd[i] <= 1e100;
    if (good) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT,
                    "slice.npy or beta_time.npy has numbers that cannot be slices or "
                    "topics; fit again");
}

dlp_status dlpi_topic_model_read_slices(dlp_topic_model *m, const char *folder,
                                        const json_t *info, bool wanted, dlp_error *error)
{
    const json_t *time = json_object_get(info, "time");
    const json_int_t T = json_integer_value(json_object_get(time, "slices"));
    dlpi_model_slices *s = &m->slices;
    const dlp_index K = m->topics.K, V = m->topics.V;
    if (!time) return DLP_OK;
    if (T < 1 || T > 10000)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: model.json: \"slices\" must be 1 to 10000; fit again",
                        folder);
    s->T = (dlp_index)T;
    if (!wanted) return DLP_OK;
    s->topics = (dlp_topic_slices){.T = s->T, .K = K, .V = V};
    s->topics.drift = json_number_value(json_object_get(info, "drift"));
    DLP_TRY(dlpi_folder_read_lines(folder, info, "slices.txt", s->T, &s->name, error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "slice.npy", m->info.D, 0, &s->slice,
                                   error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "beta_time.npy", s->T * K, V,
                                   &s->topics.beta, error));
    DLP_TRY(dlpi_folder_read_array(folder, info, "beta_time_sd.npy", s->T * K, V,
                                   &s->topics.sd, error));
    return check(m, error);
}

/* ---- what it is asked ---- */

const dlp_topic_slices *dlp_topic_model_slices(const dlp_topic_model *model)
{
    return model->slices.topics.beta ? &model->slices.topics : NULL;
}

char *const *dlp_topic_model_slice_names(const dlp_topic_model *model)
{
    return model->slices.name;
}

int dlp_topic_model_slice_values(const dlp_topic_model *model, double *x)
{
    bool numbers = model->slices.name != NULL;
    for (dlp_index t = 0; numbers && t < model->slices.topics.T; t++) {
        char *end;
        x[t] = dlpi_number_read(model->slices.name[t], &end);
        numbers = end != model->slices.name[t] && !*end && isfinite(x[t]);
    }
    return numbers;
}

const char *dlp_topic_model_time(const dlp_topic_model *model)
{
    return json_string_value(
        json_object_get(json_object_get(model->json, "time"), "column"));
}

/* The shares of a document, softmax(theta), into pi (K). */
static void proportions(dlp_index K, const double *theta, double *pi)
{
    double most = theta[0], sum = 0;
    for (dlp_index k = 1; k < K; k++) most = fmax(most, theta[k]);
    for (dlp_index k = 0; k < K; k++) sum += pi[k] = exp(theta[k] - most);
    for (dlp_index k = 0; k < K; k++) pi[k] /= sum;
}

dlp_status dlp_topic_model_slice_shares(const dlp_topic_model *m, double *mean,
                                        double *se, dlp_index *documents,
                                        dlp_error *error)
{
    const dlpi_model_slices *s = &m->slices;
    const dlp_index K = m->topics.K, T = s->T;
    if (!s->slice || !m->theta)
        return dlp_fail(error, DLP_EINVAL,
                        "the model has no slices, or was loaded without them");
    double *pi = dlpi_calloc(K, sizeof *pi);
    if (!pi) return dlpi_no_memory(error, "the shares of slices");
    memset(mean, 0, (size_t)(T * K) * sizeof *mean);
    memset(se, 0, (size_t)(T * K) * sizeof *se);
    memset(documents, 0, (size_t)T * sizeof *documents);
    for (dlp_index d = 0; d < m->info.D; d++) { /* Welford's way */
        const dlp_index t = (dlp_index)s->slice[d];
        const double n = (double)++documents[t];
        proportions(K, m->theta + d * K, pi);
        for (dlp_index k = 0; k < K; k++) {
            const double off = pi[k] - mean[t * K + k];
            mean[t * K + k] += off / n;
            se[t * K + k] += off * (pi[k] - mean[t * K + k]);
        }
    }
    for (dlp_index i = 0; i < T * K; i++) {
        const dlp_index t = i / K;
        const double n = (double)documents[t];
        se[i] = n > 1 ? sqrt(se[i] / (n - 1) / n) : NAN;
        if (n == 0) mean[i] = NAN;
    }
    free(pi);
    return DLP_OK;
}

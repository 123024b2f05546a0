/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * New documents taken into a model: EM over them, with the sums of the model's own
 * documents kept (ctm_kept.c), then a model of both. What its documents weigh is in
 * "sums" of model.json.
 */
#include <delaplace/topic_update.h>

#include "core/core.h"
#include "core/settings.h"
#include "io/json.h"
#include "math/symmetric/structure.h"
#include "topics/describe/topic_pairs.h"
#include "topics/model/model.h"
#include "topics/model/model_halves.h"
#include "topics/model/vocabulary.h"

#include <math.h>
#include <string.h>

/* No fit smooths more, whatever a folder says. */
static const double MOST_SMOOTH = 1e6;

static const dlp_topic_update_settings defaults = {.weight = 1};

void dlp_topic_update_settings_init(dlp_topic_update_settings *settings, size_t size)
{
    dlpi_settings_give(settings, size, &defaults, sizeof defaults);
}

/* All that an update holds; release works when it is half built, too. */
typedef struct update {
    const dlp_topic_model *model;
    dlp_corpus *corpus;
    dlp_topic_update_settings settings;
    dlp_topics start; /* the model's, over all terms */
    dlpi_ctm_former former;
    double *words;    /* (K) memory of former.words */
    double worth;     /* of the documents of both: model_pairs.c */
    dlp_index *fixed; /* (K) topics whose words stay, of which there are n_fixed */
    dlp_index n_fixed;
    dlp_topic_update taken;
    dlp_topic_model *made;
} update;

static void release(update *u)
{
    dlp_topics_free(&u->start);
    free(u->words);
    free(u->fixed);
    dlp_topic_model_free(u->made);
}

/* ---- whether it can be ---- */

static dlp_status check_model(const dlp_topic_model *m, dlp_error *error)
{
    const char *what = m->terms                           ? "covariates"
                       : m->slices.T > 0                  ? "topics that drift"
                       : m->content.topics.G > 0          ? "words by group"
                       : m->method == &dlpi_ctm_dirichlet ? "a Dirichlet prior"
                                                          : NULL;
    if (what)
        return dlpi_advise(
            error, DLP_REMEDY_START,
            dlp_fail(
                error, DLP_EINVAL,
                "new documents cannot be added to a model with %s; fit all documents "
                "again, starting from its topics",
                what));
    if (!m->theta || (m->named && !m->names))
        return dlp_fail(error, DLP_EINVAL,
                        "the model was loaded without its documents; load all of it");
    return DLP_OK;
}

static dlp_status check_settings(const dlp_topic_update_settings *s, dlp_error *error)
{
    if (!(s->weight >= 0 && s->weight <= 1))
        return dlp_fail(error, DLP_EINVAL, "weight is %g; it must be 0 to 1", s->weight);
    return DLP_OK;
}

/* ---- what the model's documents weigh ---- */

/* If the folder does not record them, all documents are taken to be equally long. */
static void guess_words(const dlp_topic_model *m, double *words)
{
    const dlp_index K = dlp_topic_model_fitted(m)->K, D = m->info.D;
    const double *theta = dlpi_topic_model_fitted_theta(m);
    const double each = (double)m->info.words / (double)D;
    for (dlp_index d = 0; d < D; d++) {
        const double *row = theta + d * K;
        double most = row[0], sum = 0;
        for (dlp_index k = 1; k < K; k++) most = fmax(most, row[k]);
        for (dlp_index k = 0; k < K; k++) sum += exp(row[k] - most);
        for (dlp_index k = 0; k < K; k++) words[k] += each * exp(row[k] - most) / sum;
    }
}

static bool read_words(const json_t *sums, dlp_index K, double *words)
{
    const json_t *list = json_object_get(sums, "topic_words");
    bool good = (dlp_index)json_array_size(list) == K;
    for (dlp_index k = 0; k < K && good; k++) {
        words[k] = json_number_value(json_array_get(list, (size_t)k));
        good = isfinite(words[k]) && words[k] >= 0;
    }
    return good;
}

static dlp_status weigh_model(update *u, dlp_error *error)
{
    const dlp_topic_model *m = u->model;
    const dlp_index K = dlp_topic_model_fitted(m)->K;
    const json_t *sums = json_object_get(m->json, "sums");
    const double D = json_number_value(json_object_get(sums, "documents"));
    u->words = dlpi_calloc(K, sizeof *u->words);
    if (!u->words) return dlpi_no_memory(error, "the topic model");
    const bool told = D > 0 && D <= (double)m->info.D && read_words(sums, K, u->words);
    if (!told) {
        memset(u->words, 0, (size_t)K * sizeof *u->words);
        guess_words(m, u->words);
    }
    const double smooth = json_number_value(json_object_get(sums, "smooth"));
    u->former =
        (dlpi_ctm_former){.D = told ? D : (double)m->info.D,
                          .words = u->words,
                          .weight = u->settings.weight,
                          .smooth = smooth > 0 && smooth <= MOST_SMOOTH ? smooth : 0};
    return DLP_OK;
}

/* ---- one vocabulary ---- */

static dlp_status take_terms(update *u, dlp_error *error)
{
    const dlpi_vocabulary own = {u->model->topics.V, u->model->vocab};
    dlpi_new_terms found;
    if (u->settings.keep_terms) {
        DLP_TRY(dlpi_vocabulary_align(&own, u->corpus, &u->taken.left_out, error));
        DLP_TRY(dlp_topic_model_name_terms(u->model, u->corpus, error));
    } else {
        DLP_TRY(dlpi_vocabulary_extend(&own, u->corpus, &found, error));
        u->taken.new_terms = found.terms;
        u->taken.new_words = found.words;
    }
    u->taken.documents = u->corpus->D;
    u->taken.words = u->corpus->words;
    return DLP_OK;
}

/* New terms begin at 0, like those that a model to start from never saw. */
static dlp_status make_start(update *u, dlp_error *error)
{
    const dlp_topics *from = dlp_topic_model_fitted(u->model);
    const size_t K = (size_t)from->K;
    DLP_TRY(dlp_topics_alloc(from->K, u->corpus->V, 1, &u->start, error));
    for (dlp_index k = 0; k < from->K; k++)
        memcpy(u->start.beta + k * u->start.V, from->beta + k * from->V,
               (size_t)from->V * sizeof *from->beta);
    memcpy(u->start.Gamma, from->Gamma, K * sizeof *from->Gamma);
    memcpy(u->start.Sigma0, from->Sigma0, K * K * sizeof *from->Sigma0);
    return DLP_OK;
}

/* ---- the fit ---- */

/* Topics that a fit kept as they were stay so. */
static dlp_status read_fixed(update *u, dlp_error *error)
{
    const json_t *list = json_object_get(u->model->json, "fixed");
    const size_t n = json_array_size(list);
    u->fixed = dlpi_calloc(u->start.K, sizeof *u->fixed);
    if (!u->fixed) return dlpi_no_memory(error, "the topic model");
    for (size_t i = 0; i < n && u->n_fixed < u->start.K; i++) {
        const json_int_t topic = json_integer_value(json_array_get(list, i));
        if (topic >= 1 && topic <= u->start.K)
            u->fixed[u->n_fixed++] = (dlp_index)topic - 1;
    }
    return DLP_OK;
}

static dlp_status run(update *u, dlp_error *error)
{
    dlp_topics_settings s = dlpi_model_settings(u->model);
    DLP_TRY(read_fixed(u, error));
    s.init = u->model->info.init;
    s.seed = u->model->info.seed;
    s.start = &u->start;
    if (s.smooth == 0) s.smooth = u->former.smooth; /* new documents alone may be few */
    s.fixed = u->fixed;
    s.n_fixed = u->n_fixed;
    if (u->settings.tol > 0) s.tol = u->settings.tol;
    if (u->settings.max_iter > 0) s.max_iter = u->settings.max_iter;
    s.threads = u->settings.threads;
    s.progress = u->settings.progress;
    s.context = u->settings.context;
    DLP_TRY(dlpi_topic_model_fit_kept(u->corpus, &s, &u->former, &u->made, error));
    if (u->made->info.outcome == DLP_CANCELLED)
        return dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller");
    return DLP_OK;
}

/* ---- the documents of both ---- */

static dlp_status join_theta(update *u, dlp_error *error)
{
    dlp_topic_model *made = u->made;
    const dlp_index K = u->start.K, before = u->model->info.D * K, n = made->info.D * K;
    double *theta = dlpi_calloc(dlpi_size(1, before, n), sizeof *theta);
    if (!theta) return dlpi_no_memory(error, "the documents' means");
    memcpy(theta, dlpi_topic_model_fitted_theta(u->model),
           (size_t)before * sizeof *theta);
    memcpy(theta + before, made->theta, (size_t)n * sizeof *theta);
    if (made->means.on_disk)
        dlpi_scratch_free(&made->means);
    else
        free(made->theta);
    made->theta = theta;
    return DLP_OK;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Counts how many of n new names are among D others. */
static dlp_status count_again(update *u, dlp_error *error)
{
    const dlp_index D = u->model->info.D, n = u->corpus->D;
    char **sorted = dlpi_calloc(D, sizeof *sorted);
    if (!sorted) return dlpi_no_memory(error, "the names of documents");
    memcpy(sorted, u->model->names, (size_t)D * sizeof *sorted);
    qsort(sorted, (size_t)D, sizeof *sorted, compare_names);
    for (dlp_index d = 0; d < n; d++)
        u->taken.again += bsearch(&u->corpus->name[d], sorted, (size_t)D, sizeof *sorted,
                                  compare_names) != NULL;
    free(sorted);
    return DLP_OK;
}

/* If one of the two has no names, its documents are named by their numbers among all. */
static dlp_status join_names(update *u, dlp_error *error)
{
    const dlp_index before = u->model->info.D, n = u->corpus->D;
    char *const *old = u->model->names, *const *new = u->corpus->name;
    if (!old && !new) return DLP_OK;
    if (old && new) DLP_TRY(count_again(u, error));
    char **number = dlpi_count_names(before + n);
    char **all = dlpi_calloc(before + n, sizeof *all), **names = NULL;
    if (number && all) {
        for (dlp_index d = 0; d < before; d++) all[d] = old ? old[d] : number[d];
        for (dlp_index d = 0; d < n; d++)
            all[before + d] = new ? new[d] : number[before + d];
        names = dlpi_copy_names(all, before + n);
    }
    free(number);
    free(all);
    if (!names) return dlpi_no_memory(error, "the names of documents");
    free(u->made->names);
    u->made->names = names;
    u->made->named = true;
    return DLP_OK;
}

/* ---- model.json ---- */

static json_t *entry_json(const update *u)
{
    const dlp_topic_model_info *info = &u->made->info;
    const dlp_topic_update *t = &u->taken;
    return json_pack("{s:I, s:I, s:I, s:I, s:o, s:s, s:i, s:o}", "documents",
                     (json_int_t)t->documents, "words", (json_int_t)t->words, "new_terms",
                     (json_int_t)t->new_terms, "left_out", (json_int_t)t->left_out,
                     "weight", dlpi_json_real(u->settings.weight), "outcome",
                     dlp_outcome_name(info->outcome), "iterations", info->iterations,
                     "log_evidence_per_word", dlpi_json_real(info->objective_per_word));
}

/* The updates before this one, and this one. */
static json_t *updates_json(const update *u)
{
    json_t *list = json_array();
    const json_t *before = json_object_get(u->model->json, "updates");
    for (size_t i = 0; list && i < json_array_size(before); i++)
        if (json_array_append_new(list, dlpi_json_copy(json_array_get(before, i))) != 0) {
            json_decref(list);
            return NULL;
        }
    if (list && json_array_append_new(list, entry_json(u)) == 0) return list;
    json_decref(list);
    return NULL;
}

/* Of the documents of both, whose theta are joined already. */
static dlp_status find_worth(update *u, dlp_error *error)
{
    const dlp_topic_model *made = u->made;
    const double fresh = (double)u->taken.documents;
    const dlpi_topic_evidence all = {.topics = dlp_topic_model_fitted(made),
                                     .D = made->info.D + u->model->info.D,
                                     .theta = made->theta};
    double rho;
    if (u->former.weight * u->former.D <= 0) {
        u->worth = fresh;
        return DLP_OK;
    }
    DLP_TRY(dlpi_topics_find_reliability(&all, &rho, error));
    u->worth = dlpi_topics_joint_worth(dlpi_topic_model_worth(u->model),
                                       u->former.weight * u->former.D, fresh,
                                       fmin(fmax(rho * rho, 1e-3), 1));
    return DLP_OK;
}

static json_t *sums_json(const update *u)
{
    const json_t *own = json_object_get(u->made->json, "sums");
    const dlp_index K = u->start.K;
    double *words = dlpi_calloc(K, sizeof *words);
    json_t *sums = NULL;
    if (words && read_words(own, K, words)) {
        for (dlp_index k = 0; k < K; k++) words[k] += u->former.weight * u->words[k];
        sums = dlpi_topic_sums_json(
            u->former.weight * u->former.D + (double)u->taken.documents,
            json_number_value(json_object_get(own, "smooth")), K, words);
    }
    free(words);
    if (!sums || json_object_set_new(sums, "worth", dlpi_json_real(u->worth)) == 0)
        return sums;
    json_decref(sums);
    return NULL;
}

/* Keeps the settings of the former model, and replaces how its fit ended by how the
   update did. Findings about the former topics are left out. */
static json_t *joined_json(const update *u)
{
    json_t *json = dlpi_json_copy(u->made->json);
    const json_t *former = u->model->json;
    if (!json) return NULL;
    json_t *changed =
        json_pack("{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "D",
                  (json_int_t)u->model->info.D + (json_int_t)u->taken.documents, "words",
                  (json_int_t)u->model->info.words + (json_int_t)u->taken.words,
                  "dropped", (json_int_t)u->model->info.dropped, "log_evidence",
                  json_null(), "log_evidence_per_word", json_null(), "bound_per_word",
                  json_null(), "sums", sums_json(u), "updates", updates_json(u));
    const char *const stays[] = {"origin", "seeds", "online", "settings"};
    bool good = changed && json_object_update(json, changed) == 0;
    for (int i = 0; good && i < 4; i++) {
        json_t *value = json_object_get(former, stays[i]);
        if (value) good = json_object_set(json, stays[i], value) == 0;
    }
    json_decref(changed);
    if (good) return json;
    json_decref(json);
    return NULL;
}

static dlp_status join_json(update *u, dlp_error *error)
{
    dlp_topic_model *made = u->made;
    const double seconds = made->info.seconds;
    json_t *json = joined_json(u);
    if (!json) return dlpi_no_memory(error, "model.json");
    json_decref(made->json);
    free(made->text);
    free(made->init);
    made->json = NULL;
    made->text = made->init = NULL;
    made->info.D += u->model->info.D;
    DLP_TRY(dlpi_topic_model_take_json(made, json, error));
    made->info.seconds = seconds;
    return DLP_OK;
}

/* What people said about the topics. */
static dlp_status join_words(update *u, dlp_error *error)
{
    const dlp_index shown = u->model->topics.K;
    if (u->model->merge.group)
        DLP_TRY(dlp_topic_model_merge(u->made, u->model->merge.group, error));
    if (!u->model->label) return DLP_OK;
    char **label = dlpi_calloc(shown, sizeof *label);
    if (!label) return dlpi_no_memory(error, "the labels");
    for (dlp_index k = 0; k < shown; k++)
        label[k] = u->model->label[k][0] ? u->model->label[k] : NULL;
    const dlp_status status = dlp_topic_model_set_labels(u->made, label, error);
    free(label);
    return status;
}

static dlp_status join(update *u, dlp_error *error)
{
    DLP_TRY(join_theta(u, error));
    DLP_TRY(join_names(u, error));
    DLP_TRY(find_worth(u, error));
    DLP_TRY(join_json(u, error));
    return join_words(u, error);
}

static dlp_status take_in(update *u, dlp_error *error)
{
    DLP_TRY(check_model(u->model, error));
    DLP_TRY(check_settings(&u->settings, error));
    DLP_TRY(dlp_corpus_check(u->corpus, error));
    DLP_TRY(weigh_model(u, error));
    DLP_TRY(take_terms(u, error));
    if (u->corpus->words == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the new documents have none of the model's terms; let their "
                        "terms become the model's, or give other documents");
    DLP_TRY(make_start(u, error));
    DLP_TRY(run(u, error));
    return join(u, error);
}

dlp_status dlp_topic_model_update(const dlp_topic_model *model, dlp_corpus *corpus,
                                  const dlp_topic_update_settings *settings,
                                  dlp_topic_update *taken, dlp_topic_model **updated,
                                  dlp_error *error)
{
    update u = {.model = model, .corpus = corpus, .settings = defaults};
    *updated = NULL;
    DLP_TRY(dlpi_settings_take(&u.settings, sizeof u.settings, settings, error));
    const dlp_status status = take_in(&u, error);
    if (status == DLP_OK) {
        *updated = u.made;
        u.made = NULL;
        if (taken) *taken = u.taken;
    }
    release(&u);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* model.json. docs/topics.md lists the keys. */
#include "core/core.h"
#include "io/json.h"
#include "table/design/terms_json.h"
#include "topics/model/model.h"

#include <delaplace/version.h>

#include <math.h>
#include <string.h>

/* ---- written ---- */

static json_t *settings_json(const dlp_topics_settings *s)
{
    const bool marginal =
        !s->paper_covariance && dlpi_ctm_method_find(s->method) == &dlpi_ctm_laplace;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o}", "route",
                     s->plain ? "plain" : "fast", "covariance",
                     marginal ? "marginal" : "paper", "tol", dlpi_json_real(s->tol),
                     "document_tol", dlpi_json_real(s->document_tol), "smooth",
                     dlpi_json_real(s->smooth), "shrink", dlpi_json_real(s->shrink),
                     "diagonal", s->diagonal, "ridge", dlpi_json_real(s->ridge));
}

/* "assign" in the settings, where words are assigned on average. */
static json_t *with_assign(json_t *settings, const dlp_topics_settings *s)
{
    if (!settings || !s->average) return settings;
    if (json_object_set_new(settings, "assign", json_string("average")) == 0)
        return settings;
    json_decref(settings);
    return NULL;
}

static json_t *covariates_json(const dlp_document_covariates *c)
{
    if (!c) return json_null();
    return dlpi_terms_json(c->design->terms, c->design->p, c->design->name);
}

static json_t *seed_at(const void *of, dlp_index i)
{
    const dlp_seed_word *word = of;
    return json_pack("[I, I]", (json_int_t)word[i].topic + 1, (json_int_t)word[i].term);
}

/* "seeds" in the request, where there are any. */
static json_t *with_seeds(json_t *request, const dlp_topics_settings *s)
{
    if (!request || s->n_seed_words == 0) return request;
    json_t *seeds =
        json_pack("{s:o, s:o}", "weight", dlpi_json_real(s->seed_weight), "words",
                  dlpi_json_list(s->n_seed_words, seed_at, s->seed_word));
    if (json_object_set_new(request, "seeds", seeds) == 0) return request;
    json_decref(request);
    return NULL;
}

static json_t *fixed_at(const void *of, dlp_index i)
{
    return json_integer((json_int_t)((const dlp_index *)of)[i] + 1);
}

/* "fixed" in the request, where topics are. */
static json_t *with_fixed(json_t *request, const dlp_topics_settings *s)
{
    if (!request || s->n_fixed == 0) return request;
    if (json_object_set_new(request, "fixed",
                            dlpi_json_list(s->n_fixed, fixed_at, s->fixed)) == 0)
        return request;
    json_decref(request);
    return NULL;
}

/* "time" in the request, where topics drift. */
static json_t *with_time(json_t *request, const dlp_topics_settings *s)
{
    if (!request || s->slices == 0) return request;
    json_t *time = json_pack("{s:o, s:I, s:o}", "column",
                             s->time ? dlpi_json_text(s->time) : json_null(), "slices",
                             (json_int_t)s->slices, "drift",
                             s->drift > 0 ? dlpi_json_real(s->drift) : json_null());
    if (json_object_set_new(request, "time", time) == 0) return request;
    json_decref(request);
    return NULL;
}

/* "content" in the request, where words differ by group. */
static json_t *with_content(json_t *request, const dlp_topics_settings *s)
{
    if (!request || s->content_groups == 0) return request;
    json_t *content = json_pack("{s:o, s:I}", "column",
                                s->content ? dlpi_json_text(s->content) : json_null(),
                                "groups", (json_int_t)s->content_groups);
    if (json_object_set_new(request, "content", content) == 0) return request;
    json_decref(request);
    return NULL;
}

json_t *dlpi_topic_request_json(const dlpi_topic_request *request)
{
    const dlp_topics_settings *s = &request->settings;
    const dlp_corpus *c = request->corpus;
    json_t *settings = with_assign(settings_json(s), s);
    json_t *asked = json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:s, s:o, s:I, s:o, s:o}", "format",
        DLPI_TOPICS_FORMAT, "version", DLPI_TOPICS_VERSION, "library_version",
        DLP_VERSION, "K", (json_int_t)s->K, "V", (json_int_t)c->V, "D", (json_int_t)c->D,
        "words", (json_int_t)c->words, "method", s->method, "init",
        dlpi_json_text(s->init ? s->init : "model"), "seed", (json_int_t)s->seed,
        "settings", settings, "covariates", covariates_json(request->covariates));
    asked = with_content(with_time(with_fixed(with_seeds(asked, s), s), s), s);
    if (asked && s->online > 0 &&
        json_object_set_new(asked, "online", json_integer(s->online)) != 0) {
        json_decref(asked);
        asked = NULL;
    }
    return asked;
}

/* "origin": how text became the corpus' terms, where that is known. */
static json_t *with_origin(json_t *info, const dlp_corpus *c)
{
    if (!info || !c->origin) return info;
    json_t *origin = dlpi_json_loadb(c->origin, strlen(c->origin), 0, NULL);
    if (origin && json_object_set_new(info, "origin", origin) == 0) return info;
    json_decref(info);
    return NULL;
}

json_t *dlpi_topic_result_json(const dlpi_topic_request *request,
                               const dlp_topics_result *r)
{
    const dlp_index dropped = request->covariates ? request->covariates->dropped : 0;
    json_t *info = with_origin(dlpi_topic_request_json(request), request->corpus);
    json_t *ended = json_pack(
        "{s:I, s:s, s:i, s:i, s:o, s:o, s:o, s:i, s:I}", "dropped", (json_int_t)dropped,
        "outcome", dlp_outcome_name(r->outcome), "iterations", r->iterations, "max_iter",
        request->settings.max_iter, "log_evidence", dlpi_json_real(r->objective),
        "log_evidence_per_word", dlpi_json_real(r->objective_per_word),
        "bound_per_word", /* the same, under the name that scripts rely on */
        dlpi_json_real(r->objective_per_word), "decreases", r->decreases, "unsettled",
        (json_int_t)r->unsettled);
    const int failed = !info || !ended || json_object_update(info, ended) != 0;
    json_decref(ended);
    if (!failed) return info;
    json_decref(info);
    return NULL;
}

static json_t *words_at(const void *of, dlp_index k)
{
    return dlpi_json_real(((const double *)of)[k]);
}

json_t *dlpi_topic_sums_json(double D, double smooth, dlp_index K, const double *words)
{
    return json_pack("{s:o, s:o, s:o}", "documents", dlpi_json_real(D), "smooth",
                     dlpi_json_real(smooth), "topic_words",
                     dlpi_json_list(K, words_at, words));
}

/* There is no outcome: nothing was fitted. */
json_t *dlpi_topic_simulated_json(const dlp_topics *topics, const dlp_corpus *corpus,
                                  uint64_t seed, double concentration)
{
    return json_pack(
        "{s:s, s:i, s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:I, s:{s:s, s:o}, s:n}", "format",
        DLPI_TOPICS_FORMAT, "version", DLPI_TOPICS_VERSION, "library_version",
        DLP_VERSION, "K", (json_int_t)topics->K, "V", (json_int_t)topics->V, "D",
        (json_int_t)corpus->D, "words", (json_int_t)corpus->words, "method", "laplace",
        "init", "simulated", "seed", (json_int_t)seed, "settings", "route", "fast",
        "concentration", dlpi_json_real(concentration), "covariates");
}

/* ---- read back: what is not there, or is something else, is not known ---- */

static dlp_index whole_of(const json_t *json, const char *key)
{
    return (dlp_index)json_integer_value(json_object_get(json, key));
}

static double real_of(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static dlp_outcome outcome_of(const json_t *json)
{
    const char *name = json_string_value(json_object_get(json, "outcome"));
    for (int i = 0; name && i <= DLP_CANCELLED; i++)
        if (!strcmp(name, dlp_outcome_name((dlp_outcome)i))) return (dlp_outcome)i;
    return DLP_RUNNING;
}

static void read_info(dlp_topic_model *m)
{
    const json_t *json = m->json;
    dlp_topic_model_info *info = &m->info;
    info->K = m->topics.K;
    info->V = m->topics.V;
    info->p = m->topics.p;
    info->words = whole_of(json, "words");
    info->dropped = whole_of(json, "dropped");
    info->method = m->document.method;
    info->method_kind = m->method->kind;
    info->plain = m->document.plain;
    info->init = m->init;
    info->seed = (uint64_t)whole_of(json, "seed");
    info->outcome = outcome_of(json);
    info->iterations = (int)whole_of(json, "iterations");
    info->max_iter = (int)whole_of(json, "max_iter");
    info->objective = real_of(json, "log_evidence");
    info->objective_per_word = real_of(json, "log_evidence_per_word");
    info->decreases = (int)whole_of(json, "decreases");
    info->unsettled = whole_of(json, "unsettled");
    info->seconds = NAN;
}

dlp_status dlpi_topic_model_print_json(dlp_topic_model *m, dlp_error *error)
{
    size_t size;
    char *text = dlpi_json_lines(m->json, &size);
    if (!text) return dlpi_no_memory(error, "model.json");
    free(m->text);
    m->text = text;
    return DLP_OK;
}

dlp_status dlpi_topic_model_take_json(dlp_topic_model *m, json_t *json, dlp_error *error)
{
    size_t size;
    const char *init = json_string_value(json_object_get(json, "init"));
    m->json = json;
    m->text = dlpi_json_lines(json, &size);
    const size_t length = init ? strlen(init) : 0;
    m->init = dlpi_calloc((dlp_index)length + 1, 1);
    if (!m->text || !m->init) return dlpi_no_memory(error, "model.json");
    if (init) memcpy(m->init, init, length);
    read_info(m);
    return DLP_OK;
}

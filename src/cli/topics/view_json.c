/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics as JSON. */
#include "cli/topics/print.h"
#include "cli/topics/view.h"
#include "io/json.h"

#include <stdlib.h>

/* Adds the value to the list; true when out of memory. */
static bool fails_to_add(json_t *list, json_t *value)
{
    return json_array_append_new(list, value) != 0;
}

/* Returns the list; or, on failure, frees it and returns NULL. */
static json_t *unless(bool failed, json_t *list)
{
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

static json_t *words_json(const cli_topics_view *view, const dlp_topic_words *words,
                          dlp_index k, const char *score)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = k * words->n; i < (k + 1) * words->n && !failed; i++) {
        char number[32];
        const char *term = cli_topics_term(view->model, words->term[i], number);
        failed = fails_to_add(list, json_pack("{s:o, s:o}", "term", dlpi_json_text(term),
                                              score, dlpi_json_real(words->score[i])));
    }
    return unless(failed, list);
}

static json_t *documents_json(const cli_topics_view *view, dlp_index k)
{
    const dlp_index most = view->extent.documents;
    json_t *list = json_array();
    dlp_topic_document *shown = calloc((size_t)most + 1, sizeof *shown);
    bool failed = !list || !shown;
    const dlp_index n = failed ? 0
                               : dlp_topics_documents(view->D, view->topics->K,
                                                      view->theta, k, most, shown);
    for (dlp_index i = 0; i < n && !failed; i++) {
        char number[32];
        const char *name = cli_topics_document(view->model, shown[i].document, number);
        failed =
            fails_to_add(list, json_pack("{s:o, s:o}", "document", dlpi_json_text(name),
                                         "share", dlpi_json_real(shown[i].share)));
    }
    free(shown);
    return unless(failed, list);
}

static json_t *row_json(const double *row, dlp_index n)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = fails_to_add(list, dlpi_json_real(row[i]));
    return unless(failed, list);
}

/* "merged" of a merged topic: the fitted topics that make it up. */
static json_t *with_members(json_t *topic, const dlp_topic_model *model, dlp_index g)
{
    const dlp_index *group = dlp_topic_model_group(model);
    json_t *list = group && topic ? json_array() : NULL;
    if (!list) return topic;
    bool failed = false;
    for (dlp_index k = 0; k < dlp_topic_model_fitted(model)->K && !failed; k++)
        if (group[k] == g) failed = fails_to_add(list, json_integer((json_int_t)k + 1));
    failed |= json_object_set_new(topic, "merged", list) != 0;
    return unless(failed, topic);
}

static json_t *topic_json(const cli_topics_view *view, dlp_index k)
{
    const dlp_index K = view->topics->K;
    json_t *topic =
        json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "topic", (json_int_t)k + 1,
                  "share", dlpi_json_real(view->prevalence[k]), "exclusivity",
                  dlpi_json_real(view->quality.exclusivity[k]), "coherence",
                  view->quality.coherence ? dlpi_json_real(view->quality.coherence[k])
                                          : json_null(),
                  "words", words_json(view, &view->probable, k, "probability"), "frex",
                  words_json(view, &view->frex, k, "frex"), "correlations",
                  row_json(view->R + k * K, K), "documents", documents_json(view, k));
    if (topic && dlp_topic_model_slices(view->model) &&
        json_object_set_new(topic, "time", cli_topics_time_json(view, k)) != 0) {
        json_decref(topic);
        return NULL;
    }
    if (topic && dlp_topic_model_content(view->model) &&
        json_object_set_new(topic, "groups", cli_topics_content_json(view, k)) != 0) {
        json_decref(topic);
        return NULL;
    }
    return with_members(cli_topics_json_label(topic, view->model, k), view->model, k);
}

static json_t *pairs_json(const cli_topics_view *view)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < view->n_pairs && !failed; i++) {
        const dlp_topic_pair *p = &view->pair[i];
        const dlp_index at = p->i * view->topics->K + p->j;
        failed =
            fails_to_add(list, json_pack("{s:[I, I], s:o, s:o, s:o}", "topics",
                                         (json_int_t)p->i + 1, (json_int_t)p->j + 1,
                                         "correlation", dlpi_json_real(p->correlation),
                                         "lower", dlpi_json_real(view->lower[at]),
                                         "upper", dlpi_json_real(view->upper[at])));
    }
    return unless(failed, list);
}

static json_t *topics_json(const cli_topics_view *view)
{
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index k = 0; k < view->topics->K && !failed; k++)
        if (view->extent.topic < 0 || view->extent.topic == k)
            failed = fails_to_add(list, topic_json(view, k));
    return unless(failed, list);
}

/* "groups" of all topics, if words differ by group. */
static json_t *with_groups(json_t *root, const cli_topics_view *view)
{
    if (!root || !dlp_topic_model_content(view->model)) return root;
    const int failed =
        json_object_set_new(root, "groups", cli_topics_content_json(view, -1));
    return unless(failed != 0, root);
}

json_t *cli_topics_view_json(const cli_topics_view *view)
{
    json_t *root = json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "K", (json_int_t)view->topics->K, "V",
        (json_int_t)view->topics->V, "D", (json_int_t)view->D, "topics",
        topics_json(view), "strongest", pairs_json(view), "mean_exclusivity",
        dlpi_json_real(view->quality.mean_exclusivity), "mean_coherence",
        view->quality.coherence ? dlpi_json_real(view->quality.mean_coherence)
                                : json_null(),
        "mixing", cli_topics_mixing_json(view->model));
    return with_groups(root, view);
}

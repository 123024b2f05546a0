/* SPDX-License-Identifier: BSD-3-Clause */
/* A topic model for its report. */
#include "cli/message.h"
#include "cli/report/page.h"
#include "cli/topics/print.h"
#include "cli/topics/view.h"
#include "io/json.h"

#include <stdlib.h>
#include <string.h>

/* How many words of a topic the search box finds, and how many words, documents and texts
   are shown. */
enum { WORDS = 200, FREX_WORDS = 50, DOCUMENTS = 20, TEXTS = 10 };
/* How many words can be shown for each weight of FREX and relevance that a reader
   chooses, and how many topics for a word. */
enum { CHOSEN = 30, HOMES = 8 };

/* Probabilities are in millionths, shares and FREX in ten thousandths. */
static const double PROBABILITY = 1e6, SHARE = 1e4;

typedef struct page {
    const cli_topics_view *view;
    cli_topics_graph graph;
    dlp_index *place; /* (V) of a term in `terms`, from 1; 0: not listed yet */
    json_t *terms;    /* their names */
    dlp_word_scores scores;
    cli_page_documents *texts; /* NULL: none */
} page;

/* ---- words ---- */

/* The term's place in the list of names; adds a new term to the list. */
static json_t *term_json(const void *of, dlp_index v)
{
    const page *p = of;
    char number[32];
    if (p->place[v] == 0) {
        const char *name = cli_topics_term(p->view->model, v, number);
        if (json_array_append_new(p->terms, dlpi_json_text(name)) != 0) return NULL;
        p->place[v] = (dlp_index)json_array_size(p->terms);
    }
    return json_integer((json_int_t)p->place[v] - 1);
}

/* term, probability, share of less frequent terms, share of less exclusive terms, term,
   ... */
static json_t *words_json(const page *p, dlp_index k)
{
    const dlp_topics *t = p->view->topics;
    const dlp_word_scores *w = &p->scores;
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = w->row[k]; i < w->row[k + 1] && !failed; i++) {
        const double beta = t->beta[k * t->V + w->term[i]];
        failed = json_array_append_new(list, term_json(p, w->term[i])) != 0 ||
                 json_array_append_new(list, cli_page_rounded(beta, PROBABILITY)) ||
                 json_array_append_new(list, cli_page_rounded(w->common[i], SHARE)) ||
                 json_array_append_new(list, cli_page_rounded(w->own[i], SHARE));
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* term, probability, FREX, term, ... */
static json_t *frex_json(const page *p, dlp_index k)
{
    const dlp_topics *t = p->view->topics;
    const dlp_topic_words *words = &p->view->frex;
    const dlp_index n = words->n < FREX_WORDS ? words->n : FREX_WORDS;
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < n && !failed; i++) {
        const dlp_index at = k * words->n + i, v = words->term[at];
        const double beta = t->beta[k * t->V + v];
        failed = json_array_append_new(list, term_json(p, v)) != 0 ||
                 json_array_append_new(list, cli_page_rounded(beta, PROBABILITY)) ||
                 json_array_append_new(list, cli_page_rounded(words->score[at], SHARE));
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* ---- a word's topics ---- */

/* topic, its share of the word's occurrences, topic, ...: topics with at least 1 %,
   largest share first. */
static json_t *homes_json(const page *p, dlp_index v)
{
    dlp_index topic[HOMES];
    double share[HOMES];
    const dlp_index n = dlp_topics_of_term(p->view->topics, p->view->prevalence, v, 0.01,
                                           HOMES, topic, share);
    json_t *list = json_array();
    bool failed = !list;
    for (dlp_index i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, json_integer((json_int_t)topic[i])) != 0 ||
                 json_array_append_new(list, cli_page_rounded(share[i], SHARE)) != 0;
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* For every term in the list, in its order: how frequent the term is overall, and its
   topics. */
static json_t *all_homes_json(const page *p)
{
    const size_t n = json_array_size(p->terms);
    json_t *list = json_array();
    bool failed = !list;
    for (size_t i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, json_null()) != 0;
    for (dlp_index v = 0; v < p->view->topics->V && !failed; v++) {
        if (p->place[v] == 0) continue;
        json_t *entry =
            json_pack("[o, o]", cli_page_rounded(p->scores.marginal[v], 10 * PROBABILITY),
                      homes_json(p, v));
        failed = json_array_set_new(list, (size_t)p->place[v] - 1, entry) != 0;
    }
    if (!failed) return list;
    json_decref(list);
    return NULL;
}

/* ---- documents ---- */

typedef struct shown {
    const page *page;
    const dlp_topic_model *model;
    dlp_topic_document document[DOCUMENTS];
} shown;

static json_t *document_at(const void *of, dlp_index i)
{
    const shown *s = of;
    char number[32];
    const char *name = cli_topics_document(s->model, s->document[i].document, number);
    json_t *text = i < TEXTS ? cli_page_text(s->page->texts, s->document[i].document,
                                             term_json, s->page)
                             : json_null();
    return json_pack("[o, o, o]", dlpi_json_text(name),
                     cli_page_rounded(s->document[i].share, SHARE), text);
}

static json_t *documents_json(const page *p, dlp_index k)
{
    const cli_topics_view *v = p->view;
    shown s = {.page = p, .model = v->model};
    const dlp_index n =
        dlp_topics_documents(v->D, v->topics->K, v->theta, k, DOCUMENTS, s.document);
    return dlpi_json_list(n, document_at, &s);
}

/* ---- topics ---- */

static json_t *topic_at(const void *of, dlp_index k)
{
    const page *p = of;
    /* One after the other: both add to the list of terms, and its order must not depend
       on the compiler. */
    json_t *words = words_json(p, k);
    json_t *frex = frex_json(p, k);
    return json_pack("{s:o, s:o, s:i, s:o, s:o, s:o}", "prevalence",
                     cli_page_rounded(p->view->prevalence[k], PROBABILITY), "exclusivity",
                     cli_page_rounded(p->view->quality.exclusivity[k], SHARE), "group",
                     p->graph.group[k], "words", words, "frex", frex, "documents",
                     documents_json(p, k));
}

static json_t *load_json(const char *text)
{
    return dlpi_json_loadb(text, strlen(text), 0, NULL);
}

/* model.json without the keys that only programs use. */
static json_t *info_json(const dlp_topic_model *model)
{
    const dlp_terms *terms = dlp_topic_model_covariate_terms(model);
    json_t *info = load_json(dlp_topic_model_json(model));
    if (!info) return NULL;
    json_object_del(info, "covariates");
    if (json_object_set_new(info, "mixing", cli_topics_mixing_json(model)) == 0 &&
        (!terms ||
         json_object_set_new(info, "formula", dlpi_json_text(terms->formula)) == 0))
        return info;
    json_decref(info);
    return NULL;
}

/* ---- the trace ---- */

static json_t *log_evidence_at(const void *of, dlp_index i)
{
    return dlpi_json_real(((const dlp_topic_model_row *)of)[i].objective_per_word);
}

/* The log evidence of each iteration; left out of the report if its file is lost. */
static json_t *trace_json(const dlp_topic_model *model)
{
    int n;
    const dlp_topic_model_row *trace = dlp_topic_model_trace(model, &n);
    return trace ? dlpi_json_list(n, log_evidence_at, trace) : json_null();
}

/* ---- the whole ---- */

static json_t *page_json(const page *p, const char *path, json_t *trend, json_t *time)
{
    const dlp_topic_model *model = p->view->model;
    /* One after the other again: making the topics fills the list of terms. */
    json_t *topics = dlpi_json_list(p->view->topics->K, topic_at, p);
    json_t *homes = all_homes_json(p);
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:o, s:O, s:o, s:o, s:i, s:o, s:o, s:o}", "kind", "topics",
        "title", dlpi_json_text(path), "program", "delaplace " DLP_VERSION, "info",
        info_json(model), "topics", topics, "terms", p->terms, "homes", homes, "pairs",
        cli_page_pairs(&p->graph), "threshold", p->graph.threshold, "trace",
        trace_json(model), "trend", trend ? trend : json_null(), "time", time);
}

static dlp_status add_content(const dlp_topic_model *model, json_t *root,
                              dlp_error *error)
{
    json_t *content = NULL;
    CLI_TRY(cli_page_content(model, &content, error));
    return json_object_set_new(root, "content", content) == 0 ? DLP_OK
                                                              : cli_page_no_memory(error);
}

static dlp_status make_page(const cli_topics_view *view, const char *path,
                            const dlp_document_covariates *X, cli_page_documents *texts,
                            json_t *trend, json_t **root, dlp_error *error)
{
    const size_t V = (size_t)view->topics->V;
    page p = {.view = view,
              .place = calloc(V, sizeof *p.place),
              .terms = json_array(),
              .texts = texts};
    dlp_status status = p.place && p.terms
                            ? cli_topics_graph_make(view, X, &p.graph, error)
                            : cli_page_no_memory(error);
    if (status == DLP_OK)
        status = dlp_topics_word_scores(view->topics, view->prevalence, WORDS, CHOSEN,
                                        &p.scores, error);
    if (status == DLP_OK) {
        json_t *time = NULL;
        status = cli_page_time(view->model, &time, error);
        if (status == DLP_OK) *root = page_json(&p, path, json_incref(trend), time);
        if (status == DLP_OK && !*root) status = cli_page_no_memory(error);
    }
    if (status == DLP_OK) status = add_content(view->model, *root, error);
    cli_topics_graph_clear(&p.graph);
    dlp_word_scores_free(&p.scores);
    json_decref(p.terms);
    free(p.place);
    return status;
}

dlp_status cli_page_topics(const char *path, const dlp_topic_model *model,
                           const dlp_document_covariates *X, cli_page_documents *texts,
                           json_t *trend, json_t **root, dlp_error *error)
{
    const cli_topics_extent extent = {.words = WORDS, .topic = -1};
    cli_topics_view view = {0};
    dlp_status status = cli_topics_view_make(model, &extent, NULL, &view, error);
    if (status == DLP_OK) status = make_page(&view, path, X, texts, trend, root, error);
    cli_topics_view_clear(&view);
    json_decref(trend);
    return status;
}

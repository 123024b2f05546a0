/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of topics by group, for a report: the most probable, and those that distinguish
   groups. */
#include "cli/message.h"
#include "cli/report/page.h"
#include "cli/topics/model.h"
#include "io/json.h"

#include <stdlib.h>

enum { WORDS = 12 };

typedef struct page {
    const dlp_topic_model *model;
    const dlp_topic_content *content;
    dlp_topic_words *words; /* (G) */
    dlp_index g, k;         /* the group and topic being written */
} page;

static json_t *term_json(const page *p, dlp_index term)
{
    char number[32];
    return dlpi_json_text(cli_topics_term(p->model, term, number));
}

static json_t *probable_at(const void *of, dlp_index i)
{
    const page *p = of;
    const dlp_topic_words *words = &p->words[p->g];
    return term_json(p, words->term[p->k * words->n + i]);
}

typedef struct own {
    const page *page;
    dlp_content_word word[WORDS];
} own;

/* A word, and the log ratio of its probability to the mean of the groups: 95 %
   interval. */
static json_t *own_at(const void *of, dlp_index i)
{
    const own *o = of;
    return json_pack("[o, o, o, o]", term_json(o->page, o->word[i].term),
                     cli_page_rounded(o->word[i].difference, 1e3),
                     cli_page_rounded(o->word[i].lower, 1e3),
                     cli_page_rounded(o->word[i].upper, 1e3));
}

static json_t *own_json(const page *p, dlp_index g, dlp_index k)
{
    own o = {.page = p};
    const dlp_index n = dlp_topic_content_words(p->content, g, k, WORDS, o.word);
    return dlpi_json_list(n, own_at, &o);
}

static json_t *group_at(const void *of, dlp_index g)
{
    page p = *(const page *)of;
    p.g = g;
    return json_pack("{s:o, s:o}", "words", dlpi_json_list(p.words[g].n, probable_at, &p),
                     "own", own_json(&p, g, p.k));
}

static json_t *topic_at(const void *of, dlp_index k)
{
    page p = *(const page *)of;
    p.k = k;
    return dlpi_json_list(p.content->G, group_at, &p);
}

static json_t *common_at(const void *of, dlp_index g)
{
    return own_json(of, g, -1);
}

static json_t *name_at(const void *of, dlp_index g)
{
    const page *p = of;
    return dlpi_json_text(dlp_topic_model_content_names(p->model)[g]);
}

static dlp_status find_words(const page *p, dlp_error *error)
{
    const dlp_topic_content *c = p->content;
    for (dlp_index g = 0; g < c->G; g++) {
        dlp_topics topics = *dlp_topic_model_topics(p->model); /* except beta */
        topics.beta = c->beta + g * c->K * c->V;
        CLI_TRY(
            dlp_topics_words(&topics, DLP_BY_PROBABILITY, WORDS, &p->words[g], error));
    }
    return DLP_OK;
}

static json_t *content_json(const page *p)
{
    const char *column = dlp_topic_model_content_column(p->model);
    return json_pack("{s:o, s:o, s:o, s:o}", "variable",
                     dlpi_json_text(column ? column : "group"), "groups",
                     dlpi_json_list(p->content->G, name_at, p), "common",
                     dlpi_json_list(p->content->G, common_at, p), "topics",
                     dlpi_json_list(p->content->K, topic_at, p));
}

dlp_status cli_page_content(const dlp_topic_model *model, json_t **content,
                            dlp_error *error)
{
    page p = {.model = model, .content = dlp_topic_model_content(model)};
    *content = json_null();
    if (!p.content) return DLP_OK;
    p.words = calloc((size_t)p.content->G, sizeof *p.words);
    dlp_status status = p.words ? find_words(&p, error) : DLP_ENOMEM;
    if (status == DLP_OK) *content = content_json(&p);
    for (dlp_index g = 0; p.words && g < p.content->G; g++)
        dlp_topic_words_free(&p.words[g]);
    free(p.words);
    if (status == DLP_ENOMEM || !*content)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the groups");
    return status;
}

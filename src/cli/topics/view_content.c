/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of topics by group, as text and JSON. */
#include "cli/message.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "cli/topics/view.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { NAME_WIDTH = 14, WORDS = 10 };

static const char *group_name(const cli_topics_view *view, dlp_index g)
{
    return dlp_topic_model_content_names(view->model)[g];
}

/* ---- text ---- */

/* Prints the words that distinguish group g in topic k, or in all topics if k < 0. */
static void print_own(const cli_topics_view *view, dlp_index g, dlp_index k)
{
    dlp_content_word word[WORDS];
    char number[32];
    const dlp_index n =
        dlp_topic_content_words(dlp_topic_model_content(view->model), g, k, WORDS, word);
    cli_list list = {.indent = NAME_WIDTH + 4, .width = cli_screen_width()};
    fputs("  ", stdout);
    cli_print_name(group_name(view, g), NAME_WIDTH);
    fputs("  ", stdout);
    for (dlp_index i = 0; i < n; i++)
        cli_list_add(&list, cli_topics_term(view->model, word[i].term, number));
    if (n == 0) cli_list_add(&list, "-");
    cli_list_end(&list);
}

static dlp_status print_probable(const cli_topics_view *view, dlp_index g, dlp_index k,
                                 dlp_error *error)
{
    const dlp_topic_content *c = dlp_topic_model_content(view->model);
    dlp_topics topics = *view->topics; /* the group's, once beta is set */
    dlp_topic_words words;
    char number[32];
    cli_list list = {.indent = NAME_WIDTH + 4, .width = cli_screen_width()};
    topics.beta = c->beta + g * c->K * c->V;
    CLI_TRY(dlp_topics_words(&topics, DLP_BY_PROBABILITY, WORDS, &words, error));
    fputs("  ", stdout);
    cli_print_name(group_name(view, g), NAME_WIDTH);
    fputs("  ", stdout);
    for (dlp_index i = 0; i < words.n; i++)
        cli_list_add(&list,
                     cli_topics_term(view->model, words.term[k * words.n + i], number));
    cli_list_end(&list);
    dlp_topic_words_free(&words);
    return DLP_OK;
}

static void print_title(const cli_topics_view *view, const char *what)
{
    const char *column = dlp_topic_model_content_column(view->model);
    fputs("\n  ", stdout);
    cli_print_name(column ? column : "group", NAME_WIDTH);
    printf("  %s\n", what);
}

dlp_status cli_topics_content_print(const cli_topics_view *view, dlp_index k,
                                    dlp_error *error)
{
    const dlp_topic_content *c = dlp_topic_model_content(view->model);
    if (!c) return DLP_OK;
    print_title(view, "most probable words");
    for (dlp_index g = 0; g < c->G; g++) CLI_TRY(print_probable(view, g, k, error));
    print_title(view, "words that it uses more than others do in this topic");
    for (dlp_index g = 0; g < c->G; g++) print_own(view, g, k);
    return DLP_OK;
}

void cli_topics_content_print_common(const cli_topics_view *view)
{
    const dlp_topic_content *c = dlp_topic_model_content(view->model);
    if (!c) return;
    print_title(view, "words that it uses more than others do, in all topics");
    for (dlp_index g = 0; g < c->G; g++) print_own(view, g, -1);
}

/* ---- JSON ---- */

typedef struct place {
    const cli_topics_view *view;
    dlp_index k;
} place;

static json_t *word_json(const cli_topics_view *view, const dlp_content_word *word)
{
    char number[32];
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "term",
                     dlpi_json_text(cli_topics_term(view->model, word->term, number)),
                     "probability", dlpi_json_real(word->probability), "difference",
                     dlpi_json_real(word->difference), "lower",
                     dlpi_json_real(word->lower), "upper", dlpi_json_real(word->upper));
}

typedef struct list {
    const cli_topics_view *view;
    const dlp_content_word *word;
} list;

static json_t *listed(const void *of, dlp_index i)
{
    const list *l = of;
    return word_json(l->view, &l->word[i]);
}

static json_t *own_json(const place *p, dlp_index g)
{
    const dlp_index most = p->view->extent.words;
    dlp_content_word *word = calloc((size_t)most + 1, sizeof *word);
    if (!word) return NULL;
    const list l = {p->view, word};
    const dlp_index n = dlp_topic_content_words(dlp_topic_model_content(p->view->model),
                                                g, p->k, most, word);
    json_t *json = dlpi_json_list(n, listed, &l);
    free(word);
    return json;
}

static json_t *probable_json(const place *p, dlp_index g)
{
    const dlp_topic_content *c = dlp_topic_model_content(p->view->model);
    const dlp_index most = p->view->extent.words;
    dlp_topics topics = *p->view->topics;
    dlp_topic_words words;
    dlp_error error = {0};
    topics.beta = c->beta + g * c->K * c->V;
    if (dlp_topics_words(&topics, DLP_BY_PROBABILITY, most, &words, &error) != DLP_OK)
        return NULL;
    dlp_content_word *word = calloc((size_t)words.n + 1, sizeof *word);
    const list l = {p->view, word};
    for (dlp_index i = 0; word && i < words.n; i++)
        word[i] = dlp_topic_content_word(c, g, p->k, words.term[p->k * words.n + i]);
    json_t *json = word ? dlpi_json_list(words.n, listed, &l) : NULL;
    free(word);
    dlp_topic_words_free(&words);
    return json;
}

static json_t *group_at(const void *of, dlp_index g)
{
    const place *p = of;
    json_t *name = dlpi_json_text(group_name(p->view, g));
    if (p->k < 0)
        return json_pack("{s:o, s:o}", "group", name, "distinctive", own_json(p, g));
    return json_pack("{s:o, s:o, s:o}", "group", name, "words", probable_json(p, g),
                     "distinctive", own_json(p, g));
}

json_t *cli_topics_content_json(const cli_topics_view *view, dlp_index k)
{
    const dlp_topic_content *c = dlp_topic_model_content(view->model);
    const place p = {view, k};
    return c ? dlpi_json_list(c->G, group_at, &p) : json_null();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics over slices of time, as text and JSON. */
#include "cli/message.h"
#include "cli/print.h"
#include "cli/screen.h"
#include "cli/topics/view.h"
#include "io/json.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 12, NAME_WIDTH = 12 };

/* ---- what is shown ---- */

typedef struct over_time {
    const cli_topics_view *view;
    const dlp_topic_slices *slices;
    double *mean, *se; /* (T, K) */
    dlp_index *documents;
    dlp_topic_words *words; /* (T) */
} over_time;

static void clear(over_time *o)
{
    for (dlp_index t = 0; o->words && t < o->slices->T; t++)
        dlp_topic_words_free(&o->words[t]);
    free(o->words);
    free(o->mean);
    free(o->se);
    free(o->documents);
}

static dlp_status make(over_time *o, dlp_error *error)
{
    const dlp_topic_slices *s = o->slices;
    const size_t n = (size_t)(s->T * s->K);
    o->mean = calloc(n, sizeof *o->mean);
    o->se = calloc(n, sizeof *o->se);
    o->documents = calloc((size_t)s->T, sizeof *o->documents);
    o->words = calloc((size_t)s->T, sizeof *o->words);
    if (!o->mean || !o->se || !o->documents || !o->words)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory for the slices");
    for (dlp_index t = 0; t < s->T; t++) {
        dlp_topics topics = *o->view->topics; /* the slice's, once beta is set */
        topics.beta = s->beta + t * s->K * s->V;
        CLI_TRY(dlp_topics_words(&topics, DLP_BY_PROBABILITY, o->view->probable.n,
                                 &o->words[t], error));
    }
    return dlp_topic_model_slice_shares(o->view->model, o->mean, o->se, o->documents,
                                        error);
}

/* ---- text ---- */

static void print_slice(const over_time *o, dlp_index t, dlp_index k)
{
    const dlp_index K = o->slices->K;
    const dlp_topic_words *words = &o->words[t];
    char number[32];
    cli_list list = {.indent = NAME_WIDTH + 12, .width = cli_screen_width()};
    fputs("  ", stdout);
    cli_print_name(dlp_topic_model_slice_names(o->view->model)[t], NAME_WIDTH);
    if (o->documents[t])
        printf(" %5.1f %%  ", 100 * o->mean[t * K + k]);
    else
        printf(" %7s  ", "-");
    for (dlp_index i = 0; i < words->n && i < 7; i++)
        cli_list_add(&list, cli_topics_term(o->view->model, words->term[k * words->n + i],
                                            number));
    cli_list_end(&list);
}

/* All slices if there are few, else evenly spaced ones, including the first and the
   last. */
static void print_slices(const over_time *o, dlp_index k)
{
    const char *time = dlp_topic_model_time(o->view->model);
    const dlp_index T = o->slices->T, n = T < ROWS ? T : ROWS;
    fputs("\n  ", stdout);
    cli_print_name(time ? time : "slice", NAME_WIDTH);
    puts("   share  most probable words");
    for (dlp_index i = 0; i < n; i++) print_slice(o, i * (T - 1) / (n - 1), k);
}

dlp_status cli_topics_time_print(const cli_topics_view *view, dlp_index k,
                                 dlp_error *error)
{
    over_time o = {.view = view, .slices = dlp_topic_model_slices(view->model)};
    if (!o.slices) return DLP_OK;
    const dlp_status status = make(&o, error);
    if (status == DLP_OK) print_slices(&o, k);
    clear(&o);
    return status;
}

/* ---- JSON ---- */

typedef struct place {
    const over_time *o;
    dlp_index t, k;
} place;

static json_t *word_at(const void *of, dlp_index i)
{
    const place *p = of;
    const dlp_topic_slices *s = p->o->slices;
    const dlp_topic_words *words = &p->o->words[p->t];
    const dlp_index v = words->term[p->k * words->n + i];
    const dlp_slice_word word = dlp_topic_slices_word(s, p->t, p->k, v);
    char number[32];
    return json_pack("{s:o, s:o, s:o, s:o}", "term",
                     dlpi_json_text(cli_topics_term(p->o->view->model, v, number)),
                     "probability", dlpi_json_real(word.probability), "lower",
                     dlpi_json_real(word.lower), "upper", dlpi_json_real(word.upper));
}

static json_t *slice_at(const void *of, dlp_index t)
{
    const over_time *o = of;
    const dlp_index k = o->view->extent.topic, at = t * o->slices->K + k;
    const place p = {o, t, k};
    return json_pack("{s:o, s:I, s:o, s:o, s:o}", "slice",
                     dlpi_json_text(dlp_topic_model_slice_names(o->view->model)[t]),
                     "documents", (json_int_t)o->documents[t], "share",
                     dlpi_json_real(o->mean[at]), "se", dlpi_json_real(o->se[at]),
                     "words", dlpi_json_list(o->words[t].n, word_at, &p));
}

json_t *cli_topics_time_json(const cli_topics_view *view, dlp_index k)
{
    cli_topics_view one = *view;
    over_time o = {.view = &one, .slices = dlp_topic_model_slices(view->model)};
    dlp_error error = {0};
    one.extent.topic = k;
    json_t *list = NULL;
    if (!o.slices) return json_null();
    if (make(&o, &error) == DLP_OK) list = dlpi_json_list(o.slices->T, slice_at, &o);
    clear(&o);
    return list;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics over slices of time, for a report: their words, and their shares as a trend. */
#include "cli/message.h"
#include "cli/report/page.h"
#include "io/json.h"

#include <stdlib.h>

enum { SLICES = 12, WORDS = 8 };

/* ---- words ---- */

typedef struct page {
    const dlp_topic_model *model;
    const dlp_topic_slices *slices;
    dlp_index n;                   /* slices shown, evenly spaced */
    dlp_topic_words words[SLICES]; /* of each */
    dlp_index k, i;                /* the topic and the slice that is being written */
} page;

static dlp_index slice_at(const page *p, dlp_index i)
{
    return p->n == 1 ? 0 : i * (p->slices->T - 1) / (p->n - 1);
}

static json_t *word_at(const void *of, dlp_index w)
{
    const page *p = of;
    const dlp_topic_words *words = &p->words[p->i];
    char number[32];
    return dlpi_json_text(
        cli_topics_term(p->model, words->term[p->k * words->n + w], number));
}

static json_t *words_at(const void *of, dlp_index i)
{
    page p = *(const page *)of;
    p.i = i;
    return dlpi_json_list(p.words[i].n, word_at, &p);
}

static json_t *topic_at(const void *of, dlp_index k)
{
    page p = *(const page *)of;
    p.k = k;
    return dlpi_json_list(p.n, words_at, &p);
}

static json_t *name_at(const void *of, dlp_index i)
{
    const page *p = of;
    return dlpi_json_text(dlp_topic_model_slice_names(p->model)[slice_at(p, i)]);
}

static json_t *variable_json(const dlp_topic_model *model)
{
    const char *time = dlp_topic_model_time(model);
    return dlpi_json_text(time ? time : "slice");
}

static dlp_status find_words(page *p, dlp_error *error)
{
    const dlp_topic_slices *s = p->slices;
    for (dlp_index i = 0; i < p->n; i++) {
        dlp_topics topics = *dlp_topic_model_topics(p->model); /* except beta */
        topics.beta = s->beta + slice_at(p, i) * s->K * s->V;
        CLI_TRY(
            dlp_topics_words(&topics, DLP_BY_PROBABILITY, WORDS, &p->words[i], error));
    }
    return DLP_OK;
}

dlp_status cli_page_time(const dlp_topic_model *model, json_t **time, dlp_error *error)
{
    page p = {.model = model, .slices = dlp_topic_model_slices(model)};
    *time = json_null();
    if (!p.slices) return DLP_OK;
    p.n = p.slices->T < SLICES ? p.slices->T : SLICES;
    dlp_status status = find_words(&p, error);
    if (status == DLP_OK) {
        *time = json_pack("{s:o, s:o, s:o, s:o}", "variable", variable_json(model),
                          "drift", dlpi_json_real(p.slices->drift), "slices",
                          dlpi_json_list(p.n, name_at, &p), "words",
                          dlpi_json_list(p.slices->K, topic_at, &p));
        if (!*time)
            status = dlp_fail(error, DLP_ENOMEM, "not enough memory for the slices");
    }
    for (dlp_index i = 0; i < p.n; i++) dlp_topic_words_free(&p.words[i]);
    return status;
}

/* ---- shares ---- */

typedef struct shares {
    const dlp_topic_model *model;
    dlp_index T, K, n;     /* n: slices with documents */
    double *mean, *se, *x; /* (T, K), (T, K), (n) */
    dlp_index *documents, *slice;
    const double *row; /* mean or se, that is being written */
    dlp_index k;
} shares;

static json_t *share_at(const void *of, dlp_index i)
{
    const shares *s = of;
    return cli_page_rounded(s->row[s->slice[i] * s->K + s->k], 1e5);
}

static json_t *row_at(const void *of, dlp_index k)
{
    shares s = *(const shares *)of;
    s.k = k;
    return dlpi_json_list(s.n, share_at, &s);
}

static json_t *rows_json(const shares *s, const double *row)
{
    shares rows = *s;
    rows.row = row;
    return dlpi_json_list(s->K, row_at, &rows);
}

static json_t *count_at(const void *of, dlp_index i)
{
    const shares *s = of;
    return json_integer((json_int_t)s->documents[s->slice[i]]);
}

static json_t *level_at(const void *of, dlp_index i)
{
    const shares *s = of;
    return dlpi_json_text(dlp_topic_model_slice_names(s->model)[s->slice[i]]);
}

/* Lists the slices with documents, and their values after each other. */
static void list_slices(shares *s)
{
    for (dlp_index t = 0; t < s->T; t++) {
        if (s->documents[t] == 0) continue;
        s->x[s->n] = s->x[t];
        s->slice[s->n++] = t;
    }
}

static dlp_status make_trend(shares *s, json_t **trend, dlp_error *error)
{
    CLI_TRY(dlp_topic_model_slice_shares(s->model, s->mean, s->se, s->documents, error));
    const bool numbers = dlp_topic_model_slice_values(s->model, s->x);
    list_slices(s);
    *trend = json_pack("{s:o, s:i, s:o, s:o, s:o, s:o, s:o}", "variable",
                       variable_json(s->model), "dropped", 0, "level",
                       numbers ? json_null() : dlpi_json_list(s->n, level_at, s), "x",
                       numbers ? cli_page_reals(s->n, s->x) : json_null(), "count",
                       dlpi_json_list(s->n, count_at, s), "mean", rows_json(s, s->mean),
                       "se", rows_json(s, s->se));
    if (*trend) return DLP_OK;
    return dlp_fail(error, DLP_ENOMEM, "not enough memory for the slices");
}

dlp_status cli_page_time_trend(const dlp_topic_model *model, json_t **trend,
                               dlp_error *error)
{
    const dlp_topic_slices *slices = dlp_topic_model_slices(model);
    if (!slices) return DLP_OK;
    const size_t T = (size_t)slices->T, n = T * (size_t)slices->K;
    shares s = {.model = model, .T = slices->T, .K = slices->K};
    s.mean = calloc(n, sizeof *s.mean);
    s.se = calloc(n, sizeof *s.se);
    s.x = calloc(T, sizeof *s.x);
    s.documents = calloc(T, sizeof *s.documents);
    s.slice = calloc(T, sizeof *s.slice);
    const bool held = s.mean && s.se && s.x && s.documents && s.slice;
    const dlp_status status =
        held ? make_trend(&s, trend, error)
             : dlp_fail(error, DLP_ENOMEM, "not enough memory for the slices");
    free(s.mean);
    free(s.se);
    free(s.x);
    free(s.documents);
    free(s.slice);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that a question is about, those that separate its answers, and all
   combinations of their values. */
#include "core/core.h"
#include "core/text.h"
#include "regression/questions/question.h"

#include <string.h>

static dlp_status add(dlpi_question *q, const char *name, dlp_index points,
                      dlpi_asked *asked, dlp_error *error)
{
    dlpi_dimension *d = &asked->dimension[asked->n];
    DLP_TRY(dlpi_question_dimension(q, name, points, d, error));
    for (dlp_index i = 0; i < asked->n; i++)
        if (asked->dimension[i].column == d->column)
            return dlp_fail(error, DLP_EINVAL, "'%s' is named twice",
                            dlpi_show(name).text);
    asked->setting[asked->n] = (dlpi_setting){.dimension = d, .value = 0};
    asked->n++;
    return DLP_OK;
}

/* "a:b", unless there is a column of that name. */
static dlp_status add_columns(dlpi_question *q, const char *of, bool several,
                              dlp_index points, dlpi_asked *asked, dlp_error *error)
{
    if (!several || dlp_table_find(q->table, of) >= 0 || !strchr(of, ':'))
        return add(q, of, points, asked, error);
    while (*of) {
        const size_t size = strcspn(of, ":");
        const char *name = dlpi_pool_copy(q->pool, of, size);
        if (!name) return dlpi_no_memory(error, "the answers");
        if (asked->n == DLPI_MOST_BY)
            return dlp_fail(error, DLP_EINVAL, "combinations of more than %d columns",
                            DLPI_MOST_BY);
        DLP_TRY(add(q, name, points, asked, error));
        of += size + (of[size] == ':');
    }
    return DLP_OK;
}

static dlp_index combinations(const dlpi_asked *asked, dlp_index from, dlp_index to)
{
    dlp_index count = 1;
    for (dlp_index i = from; i < to; i++) count *= asked->dimension[i].n;
    return count;
}

dlp_status dlpi_asked_make(dlpi_question *q, const char *of, bool several,
                           dlp_index points, dlpi_asked *asked, dlp_error *error)
{
    *asked = (dlpi_asked){.n = 0};
    if (q->s.n_by > DLPI_MOST_BY)
        return dlp_fail(error, DLP_EINVAL, "answers by more than %d columns",
                        DLPI_MOST_BY);
    DLP_TRY(add_columns(q, of, several, points, asked, error));
    asked->n_of = asked->n;
    const char **by = dlpi_pool_take(q->pool, q->s.n_by + 1, sizeof *by);
    if (!by) return dlpi_no_memory(error, "the answers");
    for (dlp_index i = 0; i < q->s.n_by; i++) {
        DLP_TRY(add(q, q->s.by[i], -1, asked, error));
        by[i] = dlpi_pool_copy(q->pool, q->s.by[i], strlen(q->s.by[i]));
        if (!by[i]) return dlpi_no_memory(error, "the answers");
    }
    asked->of_combinations = combinations(asked, 0, asked->n_of);
    asked->combinations = combinations(asked, asked->n_of, asked->n);
    dlp_answers *a = &q->to->answers;
    a->by = by;
    a->n_by = q->s.n_by;
    a->of = dlpi_pool_copy(q->pool, of, strlen(of));
    a->numeric = asked->n_of == 1 && asked->dimension[0].number != NULL &&
                 !asked->dimension[0].factor;
    a->logarithmic = a->numeric && asked->dimension[0].logarithmic;
    if (!a->of) return dlpi_no_memory(error, "the answers");
    return dlpi_question_rows_make(q, asked->n, asked->dimension, error);
}

/* The first column changes most slowly. */
static void set(dlpi_asked *asked, dlp_index from, dlp_index to, dlp_index c)
{
    for (dlp_index i = to - 1; i >= from; i--) {
        asked->setting[i].value = c % asked->dimension[i].n;
        asked->setting[i].shift = asked->setting[i].range = 0;
        c /= asked->dimension[i].n;
    }
}

static const char *text_of(const dlpi_asked *asked, dlp_index i)
{
    return asked->dimension[i].text[asked->setting[i].value];
}

const char *const *dlpi_asked_by(dlpi_question *q, dlpi_asked *asked, dlp_index c)
{
    const char **by = dlpi_pool_take(q->pool, asked->n - asked->n_of + 1, sizeof *by);
    if (!by) return NULL;
    set(asked, asked->n_of, asked->n, c);
    for (dlp_index i = asked->n_of; i < asked->n; i++) {
        const char *text = text_of(asked, i);
        by[i - asked->n_of] = dlpi_pool_copy(q->pool, text, strlen(text));
        if (!by[i - asked->n_of]) return NULL;
    }
    return by;
}

const char *dlpi_asked_of(dlpi_question *q, dlpi_asked *asked, dlp_index c)
{
    struct dlpi_text label = {.pool = q->pool};
    set(asked, 0, asked->n_of, c);
    for (dlp_index i = 0; i < asked->n_of; i++) {
        if (i > 0 && !dlpi_text_add_string(&label, ", ")) return NULL;
        if (!dlpi_text_add_string(&label, text_of(asked, i))) return NULL;
    }
    return label.data ? label.data : "";
}

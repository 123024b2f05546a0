/* SPDX-License-Identifier: BSD-3-Clause */
/* What people call topics: files of labels, and the labels of a model. */
#include <delaplace/topic_labels.h>

#include "core/core.h"
#include "io/input.h"
#include "io/json.h"
#include "topics/model/model.h"

#include <string.h>

enum { MOST_BYTES = 200 };

/* ---- files ---- */

typedef struct reader {
    const char *file;
    dlp_index line, next, K; /* next: the topic of a line without a number */
    char **label;
    char *room; /* for the next */
    dlp_error *error;
} reader;

typedef struct piece {
    const char *text;
    size_t length;
} piece;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static piece trimmed(const char *text, size_t length)
{
    while (length > 0 && is_blank(text[length - 1])) length--;
    while (length > 0 && is_blank(*text)) {
        text++;
        length--;
    }
    return (piece){text, length};
}

/* "3: economy": the number, and the line becomes what follows; -1: there is none. */
static dlp_index take_number(piece *line)
{
    dlp_index number = 0;
    size_t i = 0;
    for (; i < line->length && line->text[i] >= '0' && line->text[i] <= '9'; i++)
        if (number < 1000000) number = 10 * number + (line->text[i] - '0');
    if (i == 0 || i == line->length || line->text[i] != ':') return -1;
    *line = trimmed(line->text + i + 1, line->length - i - 1);
    return number;
}

static dlp_status put_label(reader *r, dlp_index number, piece name)
{
    if (number < 1 || number > r->K)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s:%td: there is no topic %td; the model has topics 1 to %td",
                        r->file, r->line, number, r->K);
    if (r->label[number - 1])
        return dlp_fail(r->error, DLP_EINPUT, "%s:%td: topic %td has a label already",
                        r->file, r->line, number);
    if (name.length > MOST_BYTES)
        return dlp_fail(r->error, DLP_EINPUT, "%s:%td: a label has at most %d bytes",
                        r->file, r->line, MOST_BYTES);
    if (name.length == 0) return DLP_OK;
    if (memchr(name.text, 0, name.length) || memchr(name.text, '\r', name.length))
        return dlp_fail(r->error, DLP_EINPUT, "%s:%td: the label is not a line of text",
                        r->file, r->line);
    r->label[number - 1] = memcpy(r->room, name.text, name.length);
    r->room += name.length + 1; /* the byte after it is 0 */
    return DLP_OK;
}

/* The next line that counts, out of the text at *at; false at its end. */
static bool next_line(const char *text, size_t size, size_t *at, reader *r, piece *line)
{
    while (*at < size) {
        const char *begin = text + *at, *end = memchr(begin, '\n', size - *at);
        const size_t length = end ? (size_t)(end - begin) : size - *at;
        *at += length + 1;
        r->line++;
        *line = trimmed(begin, length);
        if (line->length > 0 && line->text[0] != '#') return true;
    }
    return false;
}

/* Whether all lines that count have a number; *any: whether one has. */
static bool all_numbered(const char *text, size_t size, bool *any)
{
    reader r = {.line = 0};
    bool all = true;
    piece line;
    *any = false;
    for (size_t at = 0; next_line(text, size, &at, &r, &line);) {
        const bool has = take_number(&line) >= 0;
        all &= has;
        *any |= has;
    }
    return all;
}

static dlp_status read_lines(reader *r, const char *text, size_t size)
{
    bool any, found = false;
    const bool numbered = all_numbered(text, size, &any);
    piece line;
    if (any && !numbered)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s: some lines start with a number, as in '3: economy', and "
                        "some do not; number all of them, or none",
                        r->file);
    for (size_t at = 0; next_line(text, size, &at, r, &line);) {
        const dlp_index number = numbered ? take_number(&line) : ++r->next;
        DLP_TRY(put_label(r, number, line));
        found = true;
    }
    if (found) return DLP_OK;
    return dlp_fail(r->error, DLP_EINPUT,
                    "%s has no labels; write lines such as '3: economy'", r->file);
}

dlp_status dlp_topic_labels_parse(const char *name, const char *text, size_t size,
                                  dlp_index K, char ***label, dlp_error *error)
{
    *label = NULL;
    const dlp_index bytes = K * (dlp_index)sizeof **label;
    char **made = dlpi_calloc(bytes + (dlp_index)size + 1, 1);
    if (!made) return dlpi_no_memory(error, "the labels");
    reader r = {
        .file = name, .K = K, .label = made, .room = (char *)(made + K), .error = error};
    const dlp_status status = read_lines(&r, text, size);
    if (status == DLP_OK)
        *label = made;
    else
        free(made);
    return status;
}

dlp_status dlp_topic_labels_read(const char *path, dlp_index K, char ***label,
                                 dlp_error *error)
{
    struct dlpi_bytes bytes = {0};
    *label = NULL;
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const dlp_status status = dlp_topic_labels_parse(dlpi_input_name(path), bytes.data,
                                                     bytes.size, K, label, error);
    free(bytes.data);
    return status;
}

/* ---- of a model ---- */

static bool fits(const char *label)
{
    const piece whole = {label, strlen(label)}, kept = trimmed(label, whole.length);
    return kept.length > 0 && whole.length <= MOST_BYTES && !strpbrk(label, "\r\n");
}

static dlp_status check_labels(const dlp_topic_model *m, char *const *label,
                               dlp_error *error)
{
    for (dlp_index k = 0; label && k < m->topics.K; k++)
        if (label[k] && !fits(label[k]))
            return dlp_fail(
                error, DLP_EINVAL,
                "the label of topic %td is '%.40s'; it must be one line of at "
                "most %d bytes",
                k + 1, label[k], MOST_BYTES);
    return DLP_OK;
}

static json_t *label_at(const void *of, dlp_index k)
{
    char *const *label = of;
    return label[k] ? dlpi_json_text(label[k]) : json_null();
}

/* Copies labels (K), NULL: none; model.json stays. */
static dlp_status keep_labels(dlp_topic_model *m, char *const *label, dlp_error *error)
{
    const dlp_index K = m->topics.K;
    static const char nothing[] = "";
    char **kept = NULL;
    if (label) {
        const char **all = dlpi_calloc(K, sizeof *all);
        for (dlp_index k = 0; all && k < K; k++) all[k] = label[k] ? label[k] : nothing;
        if (all) kept = dlpi_copy_names((char *const *)all, K);
        free(all);
        if (!kept) return dlpi_no_memory(error, "the labels");
    }
    free(m->label);
    m->label = kept;
    return DLP_OK;
}

dlp_status dlp_topic_model_set_labels(dlp_topic_model *m, char *const *label,
                                      dlp_error *error)
{
    DLP_TRY(check_labels(m, label, error));
    DLP_TRY(keep_labels(m, label, error));
    if (!label)
        (void)json_object_del(m->json, "labels");
    else if (json_object_set_new(m->json, "labels",
                                 dlpi_json_list(m->topics.K, label_at, label)) != 0)
        return dlpi_no_memory(error, "the labels");
    return dlpi_topic_model_print_json(m, error);
}

const char *dlp_topic_model_label(const dlp_topic_model *m, dlp_index k)
{
    return m->label && *m->label[k] ? m->label[k] : NULL;
}

void dlp_topic_labels_free(char **label)
{
    free(label); /* one block */
}

static dlp_status take_labels(dlp_topic_model *m, const json_t *list, const char **label,
                              dlp_error *error)
{
    for (dlp_index k = 0; k < m->topics.K; k++)
        label[k] = json_string_value(json_array_get(list, (size_t)k));
    DLP_TRY(check_labels(m, (char *const *)label, error));
    return keep_labels(m, (char *const *)label, error);
}

dlp_status dlpi_topic_model_read_labels(dlp_topic_model *m, const json_t *info,
                                        dlp_error *error)
{
    const json_t *list = json_object_get(info, "labels");
    if (!list) return DLP_OK;
    if ((dlp_index)json_array_size(list) != m->topics.K)
        return dlp_fail(error, DLP_EINPUT,
                        "model.json: \"labels\" must have one for each of %td topics, "
                        "or null; the file is damaged or edited",
                        m->topics.K);
    const char **label = dlpi_calloc(m->topics.K, sizeof *label);
    if (!label) return dlpi_no_memory(error, "the labels");
    const dlp_status status = take_labels(m, list, label, error);
    free(label);
    return status;
}

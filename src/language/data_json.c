/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON: one object, whose members are numbers or nested arrays of them, the last index
 * running fastest. null and "NA" are missing. The text is read by hand: messages need the
 * place of every value.
 */
#include "core/text.h"
#include "io/number.h"
#include "language/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct json {
    dlpi_data *data;
    const dlpi_source *source;
    const char *at, *end;
    dlpi_numbers_read numbers;
    dlp_index dim[DLPI_MAX_DIM]; /* -1: not known yet */
    int n_dim;                   /* depth of the numbers; -1: not known yet */
    bool is_text, no_memory;
};

static bool wrong(struct json *j, const char *at, const char *message)
{
    dlpi_report(j->data->found, true, j->source,
                dlpi_source_place(j->source, (size_t)(at - j->source->text)), "%s",
                message);
    return false;
}

static bool expected(struct json *j, const char *what)
{
    char message[200];
    if (j->at >= j->end)
        snprintf(message, sizeof message, "expected %s, found the end of the file", what);
    else
        snprintf(message, sizeof message, "expected %s, found '%s'", what,
                 dlpi_show_bytes(j->at, 1).text);
    return wrong(j, j->at, message);
}

static void skip(struct json *j)
{
    while (j->at < j->end &&
           (*j->at == ' ' || *j->at == '\n' || *j->at == '\r' || *j->at == '\t'))
        j->at++;
}

static bool pass(struct json *j, char c)
{
    skip(j);
    if (j->at >= j->end || *j->at != c) return false;
    j->at++;
    return true;
}

static bool pass_word(struct json *j, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(j->end - j->at) < n || memcmp(j->at, word, n) != 0) return false;
    j->at += n;
    return true;
}

/* A string without escapes that matter: names and marks have none. */
static bool parse_text(struct json *j, const char **text, size_t *size)
{
    const char *const from = j->at;
    if (!pass(j, '"')) return expected(j, "'\"'");
    *text = j->at;
    while (j->at < j->end && *j->at != '"' && *j->at != '\n')
        j->at += *j->at == '\\' && j->at + 1 < j->end ? 2 : 1;
    if (j->at >= j->end || *j->at != '"')
        return wrong(j, from, "the quote is not closed");
    *size = (size_t)(j->at++ - *text);
    return true;
}

static bool is_text(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && memcmp(text, word, size) == 0;
}

/* "NA", "NaN", "Inf", "-Inf". */
static bool parse_mark(struct json *j, double *value)
{
    const char *const from = j->at, *text;
    size_t size;
    if (!parse_text(j, &text, &size)) return false;
    *value = NAN;
    if (is_text(text, size, "NA") || is_text(text, size, "NaN")) return true;
    if (is_text(text, size, "Inf") || is_text(text, size, "Infinity")) {
        *value = INFINITY;
        return true;
    }
    if (is_text(text, size, "-Inf") || is_text(text, size, "-Infinity")) {
        *value = -INFINITY;
        return true;
    }
    if (!j->data->for_inits)
        return wrong(j, from, "this is text; data must be numbers, null or \"NA\"");
    j->is_text = true;
    return true;
}

static bool parse_scalar(struct json *j, double *value)
{
    if (j->at < j->end && *j->at == '"') return parse_mark(j, value);
    *value = NAN;
    if (pass_word(j, "null") || pass_word(j, "NaN") || pass_word(j, "NA")) return true;
    *value = 1;
    if (pass_word(j, "true")) return true;
    *value = 0;
    if (pass_word(j, "false")) return true;
    const char *stop = dlpi_number_scan(j->at, j->end, value);
    if (!stop) return expected(j, "a number, null or '['");
    j->at = stop;
    return true;
}

static bool mixed(struct json *j, const char *at)
{
    return wrong(j, at,
                 "numbers and arrays are mixed; all rows must be nested equally deep");
}

static bool add_scalar(struct json *j, int depth)
{
    double value;
    const char *const at = j->at;
    if (!parse_scalar(j, &value)) return false;
    if (j->n_dim >= 0 && j->n_dim != depth) return mixed(j, at);
    j->n_dim = depth;
    if (dlpi_numbers_add(&j->numbers, value, (size_t)(at - j->source->text))) return true;
    j->no_memory = true;
    return false;
}

static bool parse_value(struct json *j, int depth)
{
    if (dlpi_progress_stops(j->data->progress, DLPI_NUMBER_READ)) return false;
    skip(j);
    const char *const open = j->at;
    if (!pass(j, '[')) return add_scalar(j, depth);
    if (depth >= DLPI_MAX_DIM) return wrong(j, open, "an array has at most 8 dimensions");
    dlp_index n = 0;
    if (!pass(j, ']')) {
        do {
            if (!parse_value(j, depth + 1)) return false;
            n++;
        } while (pass(j, ','));
        if (!pass(j, ']')) return expected(j, "',' or ']'");
    } else if (j->n_dim < 0) {
        j->n_dim = depth + 1;
    } else if (j->n_dim <= depth) {
        return mixed(j, open); /* an empty row among numbers */
    }
    if (j->dim[depth] >= 0 && j->dim[depth] != n) {
        char message[160];
        snprintf(message, sizeof message,
                 "this row has %lld values, but those before it have %lld; fill short "
                 "rows with null",
                 (long long)n, (long long)j->dim[depth]);
        return wrong(j, open, message);
    }
    j->dim[depth] = n;
    return true;
}

static bool parse_member(struct json *j, dlp_error *error, dlp_status *status)
{
    const char *name;
    size_t size;
    skip(j);
    dlpi_position place =
        dlpi_data_place(j->data, j->source, (size_t)(j->at - j->source->text));
    if (!parse_text(j, &name, &size)) return false;
    if (!pass(j, ':')) return expected(j, "':'");
    place.length = (int32_t)size + 2;
    j->numbers.n = 0;
    j->n_dim = -1;
    j->is_text = false;
    for (int i = 0; i < DLPI_MAX_DIM; i++) j->dim[i] = -1;
    if (!parse_value(j, 0)) return false;
    if (j->is_text || (size > 4 && memcmp(name, ".RNG", 4) == 0)) return true;
    if (j->n_dim < 0) j->n_dim = 1;
    for (int i = 0; i < j->n_dim; i++)
        if (j->dim[i] < 0) j->dim[i] = 0;
    *status = dlpi_data_add(j->data, j->source, name, size, place, j->n_dim, j->dim,
                            &j->numbers, true, error);
    return *status == DLP_OK;
}

dlp_status dlpi_data_read_json(dlpi_data *data, const dlpi_source *source,
                               dlp_error *error)
{
    struct json j = {.data = data, .source = source, .at = source->text};
    dlp_status status = DLP_OK;
    j.end = source->text + source->size;
    if (source->size >= 3 && memcmp(j.at, "\xEF\xBB\xBF", 3) == 0) j.at += 3;
    bool good = pass(&j, '{') || expected(&j, "'{'");
    if (good && !pass(&j, '}')) {
        do good = parse_member(&j, error, &status);
        while (good && pass(&j, ','));
        if (good) good = pass(&j, '}') || expected(&j, "',' or '}'");
    }
    skip(&j);
    if (good && j.at < j.end) expected(&j, "the end of the file");
    free(j.numbers.value);
    free(j.numbers.offset);
    return j.no_memory ? dlpi_no_memory_to_read(error, source->name) : status;
}

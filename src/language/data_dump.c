/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * R's dump: name <- value, with c(), a:b, structure(..., .Dim = ), NA, 1L; and list(name
 * = value, ...) as WinBUGS writes it.
 */
#include "core/text.h"
#include "io/number.h"
#include "language/data.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct dump {
    dlpi_data *data;
    const dlpi_source *source;
    const char *at, *end;
    dlpi_numbers_read numbers;
    dlp_index dim[DLPI_MAX_DIM];
    int n_dim;      /* -1: no .Dim */
    bool combined;  /* c() or a:b, not one number alone */
    bool row_major; /* structure(.Data = ...) in a list(): WinBUGS */
    bool in_list;
    bool is_text;  /* the value is a string */
    double ranged; /* numbers that ranges have made so far */
    bool no_memory;
};

/* Ranges can denote more numbers than a file holds: this many at most in all. */
enum { MAX_NESTING = 64, MAX_RANGE = 1 << 24 };

static bool wrong(struct dump *d, const char *at, const char *message)
{
    dlpi_position place = dlpi_source_place(d->source, (size_t)(at - d->source->text));
    dlpi_report(d->data->found, true, d->source, place, "%s", message);
    return false;
}

static bool expected(struct dump *d, const char *what)
{
    char message[200];
    const char *stop = d->at;
    while (stop < d->end && stop - d->at < 20 && !strchr(" \t\r\n,;()", *stop)) stop++;
    if (stop == d->at && stop < d->end) stop++;
    if (d->at >= d->end)
        snprintf(message, sizeof message, "expected %s, found the end of the file", what);
    else
        snprintf(message, sizeof message, "expected %s, found '%s'", what,
                 dlpi_show_bytes(d->at, (size_t)(stop - d->at)).text);
    return wrong(d, d->at, message);
}

static void skip(struct dump *d)
{
    while (d->at < d->end) {
        if (*d->at == '#')
            while (d->at < d->end && *d->at != '\n') d->at++;
        else if (*d->at == ' ' || *d->at == '\t' || *d->at == '\r' || *d->at == '\n' ||
                 *d->at == '\f')
            d->at++;
        else
            return;
    }
}

static bool pass(struct dump *d, char c)
{
    skip(d);
    if (d->at >= d->end || *d->at != c) return false;
    d->at++;
    return true;
}

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '.' || c == '_';
}

/* The word at this place, without moving past it. */
static size_t word_size(const struct dump *d)
{
    const char *p = d->at;
    while (p < d->end && in_word(*p)) p++;
    return (size_t)(p - d->at);
}

static bool pass_word(struct dump *d, const char *word)
{
    skip(d);
    const size_t n = strlen(word);
    if (word_size(d) != n || memcmp(d->at, word, n) != 0) return false;
    d->at += n;
    return true;
}

/* A name, bare or in one of three quotes. */
static bool parse_name(struct dump *d, const char **name, size_t *size)
{
    skip(d);
    if (d->at < d->end && (*d->at == '"' || *d->at == '\'' || *d->at == '`')) {
        const char quote = *d->at++;
        *name = d->at;
        while (d->at < d->end && *d->at != quote && *d->at != '\n') d->at++;
        if (d->at >= d->end || *d->at != quote)
            return wrong(d, *name - 1, "the quote is not closed");
        *size = (size_t)(d->at++ - *name);
    } else {
        *name = d->at;
        *size = word_size(d);
        d->at += *size;
        if (*size > 0 && **name >= '0' && **name <= '9') *size = 0, d->at = *name;
    }
    return *size > 0 || expected(d, "a name");
}

static bool add(struct dump *d, double value, const char *at)
{
    if (dlpi_numbers_add(&d->numbers, value, (size_t)(at - d->source->text))) return true;
    d->no_memory = true;
    return false;
}

/* A number, NA, Inf, TRUE; false (nothing passed) where there is none. */
static bool parse_number(struct dump *d, double *value)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"NA", NAN},       {"NaN", NAN},      {"NA_integer_", NAN},
                 {"NA_real_", NAN}, {"Inf", INFINITY}, {"TRUE", 1},
                 {"FALSE", 0},      {"T", 1},          {"F", 0}};
    skip(d);
    const char *const from = d->at;
    double sign = 1;
    while (d->at < d->end && (*d->at == '-' || *d->at == '+')) {
        if (*d->at++ == '-') sign = -sign;
        skip(d);
    }
    if (d->at < d->end && ((*d->at >= '0' && *d->at <= '9') || *d->at == '.')) {
        const char *stop = dlpi_number_scan(d->at, d->end, value);
        if (stop) {
            d->at = stop;
            if (d->at < d->end && *d->at == 'L') d->at++;
            *value *= sign;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (pass_word(d, words[i].word)) {
            *value = sign * words[i].value;
            return true;
        }
    d->at = from;
    return false;
}

/* number, or number:number. */
static bool parse_item(struct dump *d)
{
    double from, to;
    skip(d);
    const char *const at = d->at;
    if (!parse_number(d, &from)) return expected(d, "a number");
    if (!pass(d, ':')) return add(d, from, at);
    d->combined = true;
    if (!parse_number(d, &to)) return expected(d, "the end of the range");
    d->ranged += fabs(to - from);
    if (!(d->ranged < MAX_RANGE))
        return wrong(d, at, "the ranges up to here have more than 16 million numbers");
    const double step = to >= from ? 1 : -1;
    for (dlp_index i = 0; i <= (dlp_index)floor(fabs(to - from) + 1e-10); i++)
        if (!add(d, from + step * (double)i, at)) return false;
    return true;
}

static bool parse_value(struct dump *d, int nesting);

/* After "c(". */
static bool parse_combine(struct dump *d, int nesting)
{
    d->combined = true;
    if (pass(d, ')')) return true;
    do {
        const char *const at = d->at;
        skip(d);
        if (!parse_value(d, nesting + 1)) return false;
        if (d->n_dim >= 0) return wrong(d, at, "an array inside c() is not supported");
    } while (pass(d, ','));
    return pass(d, ')') || expected(d, "',' or ')'");
}

/* .Dim = c(3L, 2L) */
static bool parse_dim(struct dump *d, int nesting)
{
    struct dump inner = *d;
    inner.numbers = (dlpi_numbers_read){0};
    inner.n_dim = -1;
    skip(d);
    const char *const at = d->at;
    bool good = parse_value(&inner, nesting + 1);
    d->at = inner.at;
    d->no_memory |= inner.no_memory;
    if (good && (inner.numbers.n < 1 || inner.numbers.n > DLPI_MAX_DIM))
        good = wrong(d, at, "an array must have 1 to 8 dimensions");
    for (dlp_index i = 0; good && i < inner.numbers.n; i++) {
        const double x = inner.numbers.value[i];
        if (!(x >= 0 && x < 9e15 && x == floor(x)))
            good = wrong(d, at, "a dimension must be a whole number, not negative");
        else
            d->dim[i] = (dlp_index)x;
    }
    if (good) d->n_dim = (int)inner.numbers.n;
    free(inner.numbers.value);
    free(inner.numbers.offset);
    return good;
}

/* Skips an attribute that does not matter, up to the comma or bracket that ends it. */
static bool skip_attribute(struct dump *d)
{
    int open = 0;
    for (skip(d); d->at < d->end; skip(d)) {
        const char c = *d->at;
        if (open == 0 && (c == ',' || c == ')')) return true;
        if (c == '"' || c == '\'') {
            const char *name;
            size_t size;
            if (d->at + 1 < d->end && d->at[1] == c) {
                d->at += 2;
                continue;
            }
            if (!parse_name(d, &name, &size)) return false;
            continue;
        }
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
        d->at++;
    }
    return expected(d, "')'");
}

/* After "structure(". */
static bool parse_structure(struct dump *d, int nesting)
{
    const char *const from = d->at;
    if (pass_word(d, ".Data")) {
        if (!pass(d, '=')) return expected(d, "'='");
        d->row_major = d->in_list;
    }
    if (!parse_value(d, nesting + 1)) return false;
    d->combined = true;
    while (pass(d, ',')) {
        const char *name;
        size_t size;
        if (!parse_name(d, &name, &size)) return false;
        if (!pass(d, '=')) return expected(d, "'='");
        const bool dim = (size == 4 && memcmp(name, ".Dim", 4) == 0) ||
                         (size == 3 && memcmp(name, "dim", 3) == 0);
        if (!(dim ? parse_dim(d, nesting) : skip_attribute(d))) return false;
    }
    if (!pass(d, ')')) return expected(d, "',' or ')'");
    dlp_index n = 1;
    for (int i = 0; i < d->n_dim; i++)
        if (__builtin_mul_overflow(n, d->dim[i], &n)) n = PTRDIFF_MAX;
    if (d->n_dim >= 0 && n != d->numbers.n) {
        char message[160];
        snprintf(message, sizeof message,
                 "%lld values for an array whose dimensions need %lld",
                 (long long)d->numbers.n, (long long)n);
        return wrong(d, from, message);
    }
    return true;
}

static bool parse_value(struct dump *d, int nesting)
{
    if (dlpi_progress_stops(d->data->progress, DLPI_NUMBER_READ)) return false;
    if (nesting > MAX_NESTING) return wrong(d, d->at, "nested too deeply");
    skip(d);
    if (d->at < d->end && ((*d->at >= '0' && *d->at <= '9') || *d->at == '-'))
        return parse_item(d); /* the usual case */
    if (pass_word(d, "c"))
        return pass(d, '(') ? parse_combine(d, nesting) : expected(d, "'('");
    if (pass_word(d, "structure"))
        return pass(d, '(') ? parse_structure(d, nesting) : expected(d, "'('");
    if (pass_word(d, "as.integer") || pass_word(d, "as.numeric"))
        return pass(d, '(') && parse_value(d, nesting + 1) &&
               (pass(d, ')') || expected(d, "')'"));
    if (pass_word(d, "integer") || pass_word(d, "numeric") || pass_word(d, "logical")) {
        d->combined = true;
        return pass(d, '(') && pass_word(d, "0") && pass(d, ')') ? true
                                                                 : expected(d, "(0)");
    }
    if (d->at < d->end && (*d->at == '"' || *d->at == '\'')) {
        const char *const at = d->at, *text;
        size_t size;
        if (!d->data->for_inits)
            return wrong(d, at, "this is text; data must be numbers or NA");
        d->is_text = true;
        return parse_name(d, &text, &size);
    }
    return parse_item(d);
}

static void set_shape(struct dump *d)
{
    if (d->n_dim >= 0) return;
    d->n_dim = d->combined ? 1 : 0;
    d->dim[0] = d->numbers.n;
}

/* name <- value, or name = value. */
static bool parse_assignment(struct dump *d, dlp_error *error, dlp_status *status)
{
    const char *name;
    size_t size;
    skip(d);
    const char *const at = d->at;
    if (!parse_name(d, &name, &size)) return false;
    if (pass(d, '<')) {
        if (!pass(d, '-')) return expected(d, "'<-'");
    } else if (!pass(d, '=')) {
        return expected(d, "'<-' or '='");
    }
    d->numbers.n = 0;
    d->n_dim = -1;
    d->combined = d->row_major = d->is_text = false;
    if (!parse_value(d, 0)) return false;
    if (d->is_text || (size > 4 && memcmp(name, ".RNG", 4) == 0)) return true;
    set_shape(d);
    dlpi_position place =
        dlpi_data_place(d->data, d->source, (size_t)(at - d->source->text));
    place.length = (int32_t)size;
    if (d->row_major && d->n_dim > 1)
        dlpi_report(d->data->found, false, d->source, place,
                    "'%s' is read row by row, as WinBUGS does with 'structure(.Data = '",
                    dlpi_show_bytes(name, size).text);
    *status = dlpi_data_add(d->data, d->source, name, size, place, d->n_dim, d->dim,
                            &d->numbers, d->row_major, error);
    return *status == DLP_OK;
}

/* After "list(". */
static bool parse_list(struct dump *d, dlp_error *error, dlp_status *status)
{
    d->in_list = true;
    if (pass(d, ')')) return true;
    do
        if (!parse_assignment(d, error, status)) return false;
    while (pass(d, ','));
    d->in_list = false;
    return pass(d, ')') || expected(d, "',' or ')'");
}

dlp_status dlpi_data_read_dump(dlpi_data *data, const dlpi_source *source,
                               dlp_error *error)
{
    struct dump d = {.data = data, .source = source, .at = source->text};
    dlp_status status = DLP_OK;
    d.end = source->text + source->size;
    if (source->size >= 3 && memcmp(d.at, "\xEF\xBB\xBF", 3) == 0) d.at += 3;
    bool good = true;
    for (skip(&d); good && d.at < d.end; skip(&d)) {
        if (pass(&d, ';')) continue;
        const char *const from = d.at;
        if (pass_word(&d, "list") && pass(&d, '(')) {
            good = parse_list(&d, error, &status);
        } else {
            d.at = from;
            good = parse_assignment(&d, error, &status);
        }
    }
    free(d.numbers.value);
    free(d.numbers.offset);
    return d.no_memory ? dlpi_no_memory_to_read(error, source->name) : status;
}

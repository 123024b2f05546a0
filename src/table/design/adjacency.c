/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of neighbours. */
#include "core/core.h"
#include "core/name_index.h"
#include "core/text.h"
#include "io/input.h"

#include <delaplace/adjacency.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REGIONS = 1 << 20 };

typedef struct pair {
    dlp_index a, b;
    bool listed; /* the line of a says so */
} pair;

struct owned {
    dlp_adjacency adjacency;
    struct dlpi_pool pool;
};

/* A file while it is read. */
struct reader {
    const char *file;
    dlp_index line;
    struct dlpi_pool *pool;
    struct dlpi_name_index names;
    pair *pair;
    size_t pairs, room;
    dlp_index *own; /* (owns) regions that have a line of their own */
    size_t owns;
    dlp_error *error;
};

static dlp_status no_memory(const struct reader *r)
{
    return dlpi_no_memory(r->error, "the neighbours");
}

/* ---- words ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Without blanks and quotes around it. */
static void trim(const char **text, size_t *size)
{
    while (*size > 0 && is_blank((*text)[0])) {
        ++*text;
        --*size;
    }
    while (*size > 0 && is_blank((*text)[*size - 1])) --*size;
    if (*size > 1 && (*text)[0] == '"' && (*text)[*size - 1] == '"') {
        ++*text;
        *size -= 2;
    }
}

/* The number of a region, which is added if it is new; -1 without memory. */
static dlp_index number_of(struct reader *r, const char *text, size_t size)
{
    char *copy = dlpi_pool_copy(r->pool, text, size);
    return copy ? dlpi_name_index_add_text(&r->names, copy) : -1;
}

static bool add_pair(struct reader *r, dlp_index a, dlp_index b)
{
    if (r->pairs + 2 > r->room) {
        const size_t room = 2 * r->room + 256;
        pair *more = realloc(r->pair, room * sizeof *more);
        if (!more) return false;
        r->pair = more;
        r->room = room;
    }
    r->pair[r->pairs++] = (pair){a, b, true};
    r->pair[r->pairs++] = (pair){b, a, false};
    return true;
}

static dlp_status link(struct reader *r, dlp_index a, dlp_index b)
{
    if (a < 0 || b < 0) return no_memory(r);
    if (a == b)
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s, line %td: '%s' is said to be its own neighbour; take it out",
                        r->file, r->line, dlpi_show(r->names.key[a].bytes).text);
    if (r->names.n > MOST_REGIONS)
        return dlp_fail(r->error, DLP_EINPUT, "%s: more than %d regions", r->file,
                        MOST_REGIONS);
    return add_pair(r, a, b) ? DLP_OK : no_memory(r);
}

/* ---- lines ---- */

static dlp_status read_pair(struct reader *r, const char *line, size_t size,
                            const char *comma)
{
    const char *a = line, *b = comma + 1;
    size_t m = (size_t)(comma - line), n = size - m - 1;
    if (memchr(b, ',', n))
        return dlp_fail(r->error, DLP_EINPUT,
                        "%s, line %td: a pair of regions is expected: region,neighbour",
                        r->file, r->line);
    trim(&a, &m);
    trim(&b, &n);
    if (r->line == 1 && m == 6 && n == 9 && !memcmp(a, "region", 6) &&
        !memcmp(b, "neighbour", 9))
        return DLP_OK;
    if (m == 0)
        return dlp_fail(r->error, DLP_EINPUT, "%s, line %td: no region", r->file,
                        r->line);
    const dlp_index first = number_of(r, a, m);
    if (n == 0) return first < 0 ? no_memory(r) : DLP_OK; /* an island */
    return link(r, first, number_of(r, b, n));
}

/* Notes that a region has a line of its own. */
static bool note_line(struct reader *r, dlp_index region)
{
    if ((r->owns & (r->owns + 1)) == 0) { /* 0, 1, 3, 7, ...: the room is full */
        dlp_index *more = realloc(r->own, (2 * r->owns + 1) * sizeof *more);
        if (!more) return false;
        r->own = more;
    }
    r->own[r->owns++] = region;
    return true;
}

static dlp_status read_words(struct reader *r, const char *line, size_t size)
{
    dlp_index first = -1;
    for (size_t at = 0; at < size;) {
        size_t end = at;
        while (end < size && !is_blank(line[end])) end++;
        if (end > at && first < 0) {
            first = number_of(r, line + at, end - at);
            if (first < 0 || !note_line(r, first)) return no_memory(r);
        } else if (end > at) {
            DLP_TRY(link(r, first, number_of(r, line + at, end - at)));
        }
        at = end + 1;
    }
    return DLP_OK;
}

static dlp_status read_lines(struct reader *r, const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        const char *line = text + at, *end = memchr(line, '\n', size - at);
        const size_t length = end ? (size_t)(end - line) : size - at;
        const char *comma = memchr(line, ',', length);
        r->line++;
        at += length + 1;
        if (length == 0 || line[0] == '#') continue;
        if (memchr(line, '\0', length))
            return dlp_fail(r->error, DLP_EINPUT, "%s, line %td is not text", r->file,
                            r->line);
        DLP_TRY(comma ? read_pair(r, line, length, comma) : read_words(r, line, length));
    }
    return DLP_OK;
}

/* ---- lists ---- */

static int compare(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Counts neighbours that the line of a region leaves out, though their own lines name it;
   pairs are sorted. */
static bool count_one_sided(const struct reader *r, dlp_index *count)
{
    bool *has_line = dlpi_calloc(r->names.n, sizeof *has_line);
    if (!has_line) return false;
    for (size_t i = 0; i < r->owns; i++) has_line[r->own[i]] = true;
    for (size_t i = 0, next; i < r->pairs; i = next) {
        bool listed = false;
        for (next = i; next < r->pairs && compare(&r->pair[i], &r->pair[next]) == 0;
             next++)
            listed |= r->pair[next].listed;
        *count += !listed && has_line[r->pair[i].a];
    }
    free(has_line);
    return true;
}

static bool make_lists(struct reader *r, dlp_adjacency *out)
{
    const dlp_index n = r->names.n;
    const char **name = dlpi_pool_take(r->pool, n, sizeof *name);
    dlp_index *begin = dlpi_pool_take(r->pool, n + 1, sizeof *begin);
    dlp_index *neighbour =
        dlpi_pool_take(r->pool, (dlp_index)r->pairs, sizeof *neighbour);
    if (!name || !begin || !neighbour) return false;
    if (r->pairs > 0) qsort(r->pair, r->pairs, sizeof *r->pair, compare);
    dlp_index kept = 0;
    for (size_t i = 0; i < r->pairs; i++) {
        if (i > 0 && compare(&r->pair[i], &r->pair[i - 1]) == 0) continue;
        neighbour[kept++] = r->pair[i].b;
        begin[r->pair[i].a + 1] = kept;
    }
    for (dlp_index i = 0; i < n; i++) {
        name[i] = r->names.key[i].bytes;
        if (begin[i + 1] < begin[i]) begin[i + 1] = begin[i];
    }
    *out = (dlp_adjacency){.n = n, .name = name, .begin = begin, .neighbour = neighbour};
    for (dlp_index i = 0; i < n; i++) out->islands += begin[i + 1] == begin[i];
    return count_one_sided(r, &out->one_sided);
}

dlp_status dlp_adjacency_parse(const char *name, const char *text, size_t size,
                               dlp_adjacency **adjacency, dlp_error *error)
{
    *adjacency = NULL;
    struct owned *owned = dlpi_calloc(1, sizeof *owned);
    if (!owned) return dlpi_no_memory(error, "the neighbours");
    struct reader r = {.file = name, .pool = &owned->pool, .error = error};
    r.names.pool = &owned->pool;
    dlp_status status = read_lines(&r, text, size);
    if (status == DLP_OK && r.names.n < 2)
        status = dlp_fail(error, DLP_EINPUT, "%s: fewer than two regions", name);
    if (status == DLP_OK && !make_lists(&r, &owned->adjacency)) status = no_memory(&r);
    free(r.pair);
    free(r.own);
    if (status == DLP_OK)
        *adjacency = &owned->adjacency;
    else
        dlp_adjacency_free(&owned->adjacency);
    return status;
}

dlp_status dlp_adjacency_read(const char *path, dlp_adjacency **adjacency,
                              dlp_error *error)
{
    struct dlpi_bytes bytes = {0};
    *adjacency = NULL;
    DLP_TRY(dlpi_input_read(path, NULL, &bytes, error));
    const dlp_status status = dlp_adjacency_parse(dlpi_input_name(path), bytes.data,
                                                  bytes.size, adjacency, error);
    free(bytes.data);
    return status;
}

void dlp_adjacency_free(dlp_adjacency *adjacency)
{
    struct owned *owned = (struct owned *)adjacency;
    if (!owned) return;
    dlpi_pool_free(&owned->pool);
    free(owned);
}

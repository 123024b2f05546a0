/* SPDX-License-Identifier: BSD-3-Clause */
/* UCI bag of words: D, V, nnz a line each, then "document term count", ids from 1. */
#include "data/data.h"
#include "data/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char shape[] =
    "a UCI file is D, V and nnz on a line each, then 'document term count' with ids from "
    "1";

struct header {
    int64_t D, V, nnz;
};

/* A line with one number and nothing else. */
static bool scan_lone_number(struct dlpi_scan *s, int64_t *value)
{
    dlpi_skip_blanks(s);
    if (!dlpi_scan_whole(s, value)) return false;
    dlpi_skip_blanks(s);
    if (!dlpi_at_line_end(s)) return false;
    dlpi_next_line(s);
    return true;
}

/* An LDA-C file of empty documents has lone numbers too, all 0. */
bool dlpi_looks_like_uci(const char *text, size_t size)
{
    struct dlpi_scan s = dlpi_scan_start("", text, size);
    struct header h = {0};
    return scan_lone_number(&s, &h.D) && scan_lone_number(&s, &h.V) &&
           scan_lone_number(&s, &h.nnz) && h.D > 0;
}

/* Memory follows the header, so it is believed only as far as the text bears it out. */
static dlp_status check_header(const struct dlpi_scan *s, const struct header *h,
                               dlp_error *error)
{
    const dlp_index shortest = sizeof "1 1 1"; /* bytes of a triple and its line end */
    const dlp_index fit = (s->end - s->at + 1) / shortest;
    if (h->nnz > fit)
        return dlp_fail(error, DLP_EINPUT,
                        "%s:3: says %" PRId64
                        " triples but the text has room for at most "
                        "%td; the file is cut off or its header is wrong",
                        s->name, h->nnz, fit);
    if (h->D < 1 || h->D > dlpi_corpus_most_documents((dlp_index)h->nnz))
        return dlp_fail(error, DLP_EINPUT,
                        "%s:1: %" PRId64 " documents do not go with %" PRId64
                        " triples; %s",
                        s->name, h->D, h->nnz, shape);
    if (h->V > dlpi_corpus_most_terms((dlp_index)h->nnz))
        return dlp_fail(error, DLP_EINPUT,
                        "%s:2: %" PRId64 " terms do not go with %" PRId64 " triples; %s",
                        s->name, h->V, h->nnz, shape);
    return DLP_OK;
}

static dlp_status scan_header(struct dlpi_scan *s, struct header *h, dlp_error *error)
{
    int64_t *const number[] = {&h->D, &h->V, &h->nnz};
    static const char *const meaning[] = {"the number of documents alone on its line",
                                          "the number of terms alone on its line",
                                          "the number of triples alone on its line"};
    for (int i = 0; i < 3; i++)
        if (!scan_lone_number(s, number[i]))
            return dlpi_scan_fail(s, s->at, meaning[i], shape, error);
    return check_header(s, h, error);
}

/* A number from least to most, after blanks. */
static dlp_status scan_between(struct dlpi_scan *s, const char *what, int64_t least,
                               int64_t most, int32_t *value, dlp_error *error)
{
    dlpi_skip_blanks(s);
    const char *const word = s->at;
    int64_t number = 0;
    if (!dlpi_scan_whole(s, &number) || !dlpi_at_word_end(s))
        return dlpi_scan_fail(s, word, "'document term count', three whole numbers",
                              shape, error);
    if (number < least || number > most) {
        char range[80];
        snprintf(range, sizeof range, "a %s from %" PRId64 " to %" PRId64, what, least,
                 most);
        return dlpi_scan_fail(s, word, range, shape, error);
    }
    *value = (int32_t)number;
    return DLP_OK;
}

/* Reads the triple of the line: its document into *document, the rest into the corpus
   as pair i. Counts the pair in row[document + 1]. */
static dlp_status scan_triple(struct dlpi_scan *s, dlp_corpus *c, dlp_index i,
                              int32_t *document, dlp_error *error)
{
    DLP_TRY(scan_between(s, "document", 1, c->D, document, error));
    DLP_TRY(scan_between(s, "term", 1, c->V, &c->term[i], error));
    DLP_TRY(scan_between(s, "count", 0, INT32_MAX, &c->count[i], error));
    dlpi_skip_blanks(s);
    if (!dlpi_at_line_end(s))
        return dlpi_scan_fail(s, s->at, "the end of the line", shape, error);
    dlpi_next_line(s);
    --*document;
    --c->term[i];
    c->row[*document + 1]++;
    return DLP_OK;
}

static dlp_status scan_triples(struct dlpi_scan *s, dlp_corpus *c, int32_t *document,
                               dlp_error *error)
{
    for (dlp_index i = 0; i < c->nnz; i++) {
        if (dlpi_scan_is_over(s))
            return dlp_fail(
                error, DLP_EINPUT,
                "%s: has %td triples but its header says %td; the file is cut "
                "off or its header is wrong",
                s->name, i, c->nnz);
        DLP_TRY(scan_triple(s, c, i, &document[i], error));
    }
    if (!dlpi_scan_is_over(s))
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: goes on after the %td triples that its header says; the "
                        "header is wrong",
                        s->name, s->line, c->nnz);
    for (dlp_index d = 0; d < c->D; d++) c->row[d + 1] += c->row[d];
    return DLP_OK;
}

static bool is_ascending(const int32_t *x, dlp_index n)
{
    for (dlp_index i = 1; i < n; i++)
        if (x[i] < x[i - 1]) return false;
    return true;
}

/* Brings the pairs of each document together where the file has them scattered. */
static dlp_status gather_documents(dlp_corpus *c, const int32_t *document,
                                   dlp_error *error)
{
    if (is_ascending(document, c->nnz)) return DLP_OK;
    dlp_corpus *gathered = dlpi_corpus_alloc(c->D, c->nnz, error);
    if (!gathered) return DLP_ENOMEM;
    dlp_index *const next = gathered->row; /* where a document's next pair goes */
    memcpy(next, c->row, (size_t)c->D * sizeof *next);
    for (dlp_index i = 0; i < c->nnz; i++) {
        const dlp_index place = next[document[i]]++;
        gathered->term[place] = c->term[i];
        gathered->count[place] = c->count[i];
    }
    memcpy(c->term, gathered->term, (size_t)c->nnz * sizeof *c->term);
    memcpy(c->count, gathered->count, (size_t)c->nnz * sizeof *c->count);
    dlp_corpus_free(gathered);
    return DLP_OK;
}

dlp_status dlp_corpus_parse_uci(const char *name, const char *text, size_t size,
                                dlp_corpus **corpus, dlp_error *error)
{
    dlp_status status;
    int32_t *document = NULL;
    struct dlpi_scan s;
    struct header h = {0};
    DLP_TRY(dlpi_corpus_parse_start(&s, name, text, size, corpus, error));
    DLP_TRY(scan_header(&s, &h, error));
    *corpus = dlpi_corpus_alloc((dlp_index)h.D, (dlp_index)h.nnz, error);
    if (!*corpus) return DLP_ENOMEM;
    (*corpus)->V = (dlp_index)h.V;
    document = dlpi_calloc((dlp_index)h.nnz, sizeof *document);
    if (!document) {
        status = dlpi_no_memory(error, "a corpus");
        goto done;
    }
    DLP_TRY_OR(done, scan_triples(&s, *corpus, document, error));
    DLP_TRY_OR(done, gather_documents(*corpus, document, error));
    status = dlpi_corpus_tidy(s.name, *corpus, error);
done:
    free(document);
    return dlpi_corpus_parse_end(status, corpus);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* LDA-C: a document a line, "M term:count term:count ...", ids from 0. */
#include "data/data.h"
#include "data/scan.h"

#include <inttypes.h>

static const char shape[] = "an LDA-C line is 'M term:count ...' with ids from 0";

static dlp_status scan_pair(struct dlpi_scan *s, int32_t *term, int32_t *count,
                            dlp_error *error)
{
    const char *const word = s->at;
    int64_t id = 0, n = 0;
    bool sound = dlpi_scan_whole(s, &id) && s->at < s->end && *s->at == ':';
    if (sound) {
        s->at++;
        sound = dlpi_scan_whole(s, &n) && dlpi_at_word_end(s);
    }
    if (!sound)
        return dlpi_scan_fail(s, word, "'term:count' with both whole numbers", shape,
                              error);
    if (id >= INT32_MAX || n > INT32_MAX)
        return dlpi_scan_fail(s, word, "an id below and a count up to 2147483647", shape,
                              error);
    *term = (int32_t)id;
    *count = (int32_t)n;
    return DLP_OK;
}

/* Adds the line as the next document of the corpus, which has room for it. */
static dlp_status scan_document(struct dlpi_scan *s, dlp_corpus *c, dlp_error *error)
{
    dlpi_skip_blanks(s);
    if (dlpi_at_line_end(s))
        return dlpi_scan_fail(s, s->at, "a document",
                              "write 0 for an empty one, or remove the line", error);
    const char *const word = s->at;
    int64_t claimed = 0;
    if (!dlpi_scan_whole(s, &claimed) || !dlpi_at_word_end(s))
        return dlpi_scan_fail(s, word, "the number of pairs", shape, error);

    const dlp_index first = c->row[c->D];
    dlp_index next = first;
    for (dlpi_skip_blanks(s); !dlpi_at_line_end(s); dlpi_skip_blanks(s)) {
        DLP_TRY(scan_pair(s, &c->term[next], &c->count[next], error));
        if (c->term[next] >= c->V) c->V = (dlp_index)c->term[next] + 1;
        next++;
    }
    if (next - first != claimed)
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: the line says %" PRId64 " pairs but has %td; %s",
                        s->name, s->line, claimed, next - first, shape);
    c->row[++c->D] = next;
    return DLP_OK;
}

static dlp_status scan_documents(struct dlpi_scan *s, dlp_corpus *c, dlp_error *error)
{
    dlp_index widest = 0; /* the line with the largest id */
    for (; !dlpi_scan_is_over(s); dlpi_next_line(s)) {
        const dlp_index before = c->V;
        DLP_TRY(scan_document(s, c, error));
        if (c->V > before) widest = s->line;
    }
    const dlp_index pairs = c->row[c->D], most = dlpi_corpus_most_terms(pairs);
    if (c->V > most)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s:%td: term id %td is too large for a corpus of %td pairs, which "
            "may have %td terms; number the terms from 0 without large gaps",
            s->name, widest, c->V - 1, pairs, most);
    return DLP_OK;
}

/* Room for what the text can hold: a document has its line and a pair its colon. */
static dlp_corpus *alloc_for(const struct dlpi_scan *s, dlp_error *error)
{
    dlp_index lines = 1, pairs = 0;
    for (const char *p = s->at; p < s->end; p++) {
        lines += *p == '\n';
        pairs += *p == ':';
    }
    dlp_corpus *c = dlpi_corpus_alloc(lines, pairs, error);
    if (c) c->D = 0;
    return c;
}

dlp_status dlp_corpus_parse_ldac(const char *name, const char *text, size_t size,
                                 dlp_corpus **corpus, dlp_error *error)
{
    struct dlpi_scan s;
    DLP_TRY(dlpi_corpus_parse_start(&s, name, text, size, corpus, error));
    *corpus = alloc_for(&s, error);
    if (!*corpus) return DLP_ENOMEM;
    dlp_status status = scan_documents(&s, *corpus, error);
    if (status == DLP_OK) status = dlpi_corpus_tidy(s.name, *corpus, error);
    return dlpi_corpus_parse_end(status, corpus);
}

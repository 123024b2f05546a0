/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrix Market, documents by terms: a banner, comments, "D V nnz", then "document term
 * count" with ids from 1. Sparse general matrices of whole numbers only: a dense or
 * symmetric one is no corpus.
 */
#include "corpus/formats/coordinate_list.h"
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"

#include <string.h>
#include <strings.h>

static const char banner[] = "%%MatrixMarket";
static const char shape[] =
    "a Matrix Market corpus is '%%MatrixMarket matrix coordinate integer general', a "
    "line 'documents terms pairs', then 'document term count' with ids from 1";

bool dlpi_looks_like_mtx(const char *text, size_t size)
{
    const struct dlpi_scan s = dlpi_scan_start("", text, size);
    return (size_t)(s.end - s.at) >= strlen(banner) &&
           strncasecmp(s.at, banner, strlen(banner)) == 0;
}

/* Steps over the word, if it comes next, in any case. */
static bool take_word(struct dlpi_scan *s, const char *word)
{
    const size_t length = strlen(word);
    dlpi_skip_blanks(s);
    struct dlpi_scan after = *s;
    if ((size_t)(s->end - s->at) < length || strncasecmp(s->at, word, length) != 0)
        return false;
    after.at += length;
    if (!dlpi_at_word_end(&after)) return false;
    *s = after;
    return true;
}

static bool take_style(struct dlpi_scan *s, enum dlpi_count_style *style)
{
    static const struct {
        const char *word;
        enum dlpi_count_style style;
    } fields[] = {{"integer", DLPI_COUNT_WHOLE},
                  {"unsigned-integer", DLPI_COUNT_WHOLE},
                  {"real", DLPI_COUNT_REAL},
                  {"pattern", DLPI_COUNT_NONE}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (take_word(s, fields[i].word)) {
            *style = fields[i].style;
            return true;
        }
    return false;
}

static dlp_status scan_banner(struct dlpi_scan *s, struct dlpi_triples *t,
                              dlp_error *error)
{
    const char *expected = NULL;
    if (!take_word(s, banner))
        expected = "'%%MatrixMarket'";
    else if (!take_word(s, "matrix"))
        expected = "'matrix'";
    else if (!take_word(s, "coordinate"))
        expected = "'coordinate': a sparse matrix";
    else if (!take_style(s, &t->style))
        expected = "'integer', 'real' or 'pattern'";
    else if (!take_word(s, "general"))
        expected = "'general'";
    dlpi_skip_blanks(s);
    if (!expected && !dlpi_at_line_end(s)) expected = "the end of the line";
    if (expected) return dlpi_scan_fail(s, s->at, expected, shape, error);
    dlpi_next_line(s);
    return DLP_OK;
}

/* Comments and blank lines may precede the sizes. */
static bool is_comment(struct dlpi_scan line)
{
    dlpi_skip_blanks(&line);
    return dlpi_at_line_end(&line) || *line.at == '%';
}

static void skip_comments(struct dlpi_scan *s)
{
    while (s->at < s->end && is_comment(*s)) dlpi_skip_line(s);
}

static dlp_status scan_sizes(struct dlpi_scan *s, struct dlpi_triples *t,
                             dlp_error *error)
{
    int64_t *const number[] = {&t->D, &t->V, &t->nnz};
    t->D_line = t->V_line = t->nnz_line = s->line;
    for (int i = 0; i < 3; i++) {
        dlpi_skip_blanks(s);
        const char *const word = s->at;
        if (!dlpi_scan_whole(s, number[i]) || !dlpi_at_word_end(s))
            return dlpi_scan_fail(s, word, "'documents terms pairs', three whole numbers",
                                  shape, error);
    }
    dlpi_skip_blanks(s);
    if (!dlpi_at_line_end(s))
        return dlpi_scan_fail(s, s->at, "the end of the line", shape, error);
    dlpi_next_line(s);
    return DLP_OK;
}

dlp_status dlpi_corpus_parse_mtx(struct dlpi_scan s, dlp_corpus **corpus,
                                 dlp_error *error)
{
    struct dlpi_triples t = {.shape = shape};
    DLP_TRY(scan_banner(&s, &t, error));
    skip_comments(&s);
    DLP_TRY(scan_sizes(&s, &t, error));
    return dlpi_corpus_scan_triples(&s, &t, corpus, error);
}

static bool is_of_document(struct dlpi_scan line, struct dlpi_line_state *state)
{
    struct dlpi_triples t = {.shape = shape};
    if (state->headed) return dlpi_corpus_line_of_triple(line, &state->document);
    if (state->line == 0) {
        (void)scan_banner(&line, &t, NULL);
        state->style = (int64_t)t.style;
    } else {
        state->headed = !is_comment(line); /* these are the sizes */
    }
    return false;
}

static dlp_status parse_part(struct dlpi_scan s, const struct dlpi_corpus_part *part,
                             dlp_corpus **corpus, dlp_error *error)
{
    const struct dlpi_triples t = {.D = part->documents,
                                   .V = part->terms,
                                   .before = part->first,
                                   .style = (enum dlpi_count_style)part->style,
                                   .shape = shape};
    return dlpi_corpus_scan_some_triples(&s, &t, corpus, error);
}

const struct dlpi_corpus_lines dlpi_mtx_lines = {is_of_document, parse_part};

dlp_status dlpi_corpus_put_mtx(const dlp_corpus *c, struct dlpi_output *out,
                               dlp_error *error)
{
    dlpi_put_string(out, "%%MatrixMarket matrix coordinate integer general\n");
    dlpi_put_whole(out, c->D);
    dlpi_put_char(out, ' ');
    dlpi_put_whole(out, c->V);
    dlpi_put_char(out, ' ');
    dlpi_put_whole(out, c->nnz);
    dlpi_put_char(out, '\n');
    return dlpi_put_triples(out, c, ' ', error);
}

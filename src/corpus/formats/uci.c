/* SPDX-License-Identifier: BSD-3-Clause */
/* UCI bag of words: D, V and nnz on one line each, then "document term count", ids from
   1. */
#include "corpus/formats/coordinate_list.h"
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"

static const char shape[] =
    "a UCI file is D, V and nnz on a line each, then 'document term count' with ids from "
    "1";

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
    int64_t D = 0, V = 0, nnz = 0;
    return scan_lone_number(&s, &D) && scan_lone_number(&s, &V) &&
           scan_lone_number(&s, &nnz) && D > 0;
}

static dlp_status scan_header(struct dlpi_scan *s, struct dlpi_triples *t,
                              dlp_error *error)
{
    int64_t *const number[] = {&t->D, &t->V, &t->nnz};
    static const char *const meaning[] = {"the number of documents alone on its line",
                                          "the number of terms alone on its line",
                                          "the number of triples alone on its line"};
    for (int i = 0; i < 3; i++)
        if (!scan_lone_number(s, number[i]))
            return dlpi_scan_fail(s, s->at, meaning[i], shape, error);
    return DLP_OK;
}

dlp_status dlpi_corpus_parse_uci(struct dlpi_scan s, dlp_corpus **corpus,
                                 dlp_error *error)
{
    struct dlpi_triples t = {.D_line = 1,
                             .V_line = 2,
                             .nnz_line = 3,
                             .style = DLPI_COUNT_WHOLE,
                             .shape = shape};
    DLP_TRY(scan_header(&s, &t, error));
    return dlpi_corpus_scan_triples(&s, &t, corpus, error);
}

static bool is_of_document(struct dlpi_scan line, struct dlpi_line_state *state)
{
    enum { HEADER = 3 };
    return state->line >= HEADER && dlpi_corpus_line_of_triple(line, &state->document);
}

static dlp_status parse_part(struct dlpi_scan s, const struct dlpi_corpus_part *part,
                             dlp_corpus **corpus, dlp_error *error)
{
    const struct dlpi_triples t = {.D = part->documents,
                                   .V = part->terms,
                                   .before = part->first,
                                   .style = DLPI_COUNT_WHOLE,
                                   .shape = shape};
    return dlpi_corpus_scan_some_triples(&s, &t, corpus, error);
}

const struct dlpi_corpus_lines dlpi_uci_lines = {is_of_document, parse_part};

dlp_status dlpi_corpus_put_uci(const dlp_corpus *c, struct dlpi_output *out,
                               dlp_error *error)
{
    const dlp_index header[] = {c->D, c->V, c->nnz};
    for (int i = 0; i < 3; i++) {
        dlpi_put_whole(out, header[i]);
        dlpi_put_char(out, '\n');
    }
    return dlpi_put_triples(out, c, ' ', error);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A corpus in svmlight's format: one document per line, "label term:count ...". The label
 * and a qid are read and dropped. Ids count from 1, or from 0 where one is 0, as for
 * tables.
 */
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"
#include "io/count.h"
#include "table/formats/svmlight.h"
#include "table/table.h"

static const char shape[] =
    "an svmlight corpus is 'label term:count ...' with ids from 1";

/* A line of LDA-C that was cut off, "2147483647 0:1": what would be its label is a count far
   beyond its pairs, and ids begin with 0. */
static bool is_cut_off(const char *text, size_t size)
{
    struct dlpi_scan s = dlpi_scan_start("", text, size);
    int64_t label = 0, pairs = 0;
    if (!dlpi_scan_whole(&s, &label) || s.at >= s.end || *s.at != ' ') return false;
    const bool from_zero = s.end - s.at > 2 && s.at[1] == '0' && s.at[2] == ':';
    for (; s.at < s.end && *s.at != '\n'; s.at++) pairs += *s.at == ':';
    return from_zero && label > 1000 + 64 * pairs;
}

bool dlpi_looks_like_svmlight_counts(const char *text, size_t size)
{
    if (is_cut_off(text, size)) return false;
    return dlpi_looks_like_svmlight(dlpi_scan_start("", text, size));
}

static bool at_word_end(const struct dlpi_scan *s)
{
    return dlpi_at_blank(s) || dlpi_svmlight_at_end(s);
}

/* A number of any kind, whose value does not matter. */
static bool skip_number(struct dlpi_scan *s)
{
    double number = 0;
    const char *after = dlpi_number_scan(s->at, s->end, &number);
    if (!after) return false;
    s->at = after;
    return at_word_end(s);
}

static dlp_status scan_pair(struct dlpi_scan *s, int32_t *term, int32_t *count,
                            dlp_error *error)
{
    const char *const word = s->at;
    int64_t id = 0, n = 0;
    bool sound = dlpi_scan_whole(s, &id) && s->at < s->end && *s->at == ':';
    if (sound) {
        const char *after = dlpi_count_scan(s->at + 1, s->end, &n);
        s->at = after ? after : s->at;
        sound = after && at_word_end(s);
    }
    if (!sound) id = -1;
    return dlpi_take_pair(s, word, id, n, shape, term, count, error);
}

static dlp_status scan_label(struct dlpi_scan *s, dlp_error *error)
{
    const char *word = s->at;
    if (!skip_number(s))
        return dlpi_scan_fail(s, word, "a label, which is a number", shape, error);
    dlpi_skip_blanks(s);
    if (!dlpi_svmlight_at_qid(s)) return DLP_OK;
    word = s->at;
    s->at += strlen("qid:");
    return skip_number(s) ? DLP_OK
                          : dlpi_scan_fail(s, word, "'qid:number'", shape, error);
}

/* Adds every row as a document, with its ids as they are written. */
static dlp_status scan_documents(struct dlpi_scan *s, dlp_corpus *c, dlp_error *error)
{
    dlp_index next = 0;
    while (dlpi_svmlight_find_row(s)) {
        DLP_TRY(dlpi_scan_tell(s, error));
        DLP_TRY(scan_label(s, error));
        for (dlpi_skip_blanks(s); !dlpi_svmlight_at_end(s); dlpi_skip_blanks(s)) {
            DLP_TRY(scan_pair(s, &c->term[next], &c->count[next], error));
            next++;
        }
        c->row[++c->D] = next;
    }
    return DLP_OK;
}

/* Ids from 0, and V after the largest. */
static dlp_status number_terms(const char *name, dlp_corpus *c, dlp_error *error)
{
    const dlp_index pairs = c->row[c->D], most = dlpi_corpus_most_terms(pairs);
    int32_t smallest = 1, largest = 0;
    for (dlp_index i = 0; i < pairs; i++) {
        if (c->term[i] < smallest) smallest = c->term[i];
        if (c->term[i] > largest) largest = c->term[i];
    }
    if (pairs > 0) c->V = (dlp_index)largest - smallest + 1;
    if (c->V > most)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s: term id %d is too large for a corpus of %td pairs, which may "
            "have %td terms; number the terms from 1 without large gaps",
            name, (int)largest, pairs, most);
    for (dlp_index i = 0; i < pairs; i++) c->term[i] -= smallest;
    return DLP_OK;
}

dlp_status dlpi_corpus_parse_svmlight(struct dlpi_scan s, dlp_corpus **corpus,
                                      dlp_error *error)
{
    *corpus = dlpi_corpus_alloc_for_lines(&s, error);
    if (!*corpus) return DLP_ENOMEM;
    DLP_TRY(scan_documents(&s, *corpus, error));
    if ((*corpus)->D == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: has only comments; expected at least one document; %s",
                        s.name, shape);
    DLP_TRY(number_terms(s.name, *corpus, error));
    return dlpi_corpus_canonicalise(s.name, *corpus, error);
}

/* ---- a part ---- */

/* Whether an id on the line is 0: a word of zeros, and a colon. */
static bool has_zero(struct dlpi_scan line)
{
    for (; !dlpi_svmlight_at_end(&line); line.at++) {
        int64_t id = 1;
        if (!dlpi_at_blank(&line)) continue;
        dlpi_skip_blanks(&line);
        if (dlpi_scan_whole(&line, &id) && id == 0 && line.at < line.end &&
            *line.at == ':')
            return true;
        line.at--;
    }
    return false;
}

/* The style of such a text is the least id. */
static bool is_of_document(struct dlpi_scan line, struct dlpi_line_state *state)
{
    if (state->line == 0) state->style = 1;
    if (!dlpi_svmlight_find_row(&line)) return false;
    if (state->style == 1 && has_zero(line)) state->style = 0;
    state->document++;
    return true;
}

static dlp_status parse_part(struct dlpi_scan s, const struct dlpi_corpus_part *part,
                             dlp_corpus **corpus, dlp_error *error)
{
    *corpus = dlpi_corpus_alloc_for_lines(&s, error);
    if (!*corpus) return DLP_ENOMEM;
    dlp_corpus *c = *corpus;
    DLP_TRY(scan_documents(&s, c, error));
    for (dlp_index i = 0; i < c->row[c->D]; i++) {
        c->term[i] -= (int32_t)part->style;
        if (c->term[i] >= c->V) c->V = (dlp_index)c->term[i] + 1;
    }
    return dlpi_corpus_canonicalise(s.name, c, error);
}

const struct dlpi_corpus_lines dlpi_svmlight_lines = {is_of_document, parse_part};

/* A corpus has no labels: each is 0. */
dlp_status dlpi_corpus_put_svmlight(const dlp_corpus *c, struct dlpi_output *out,
                                    dlp_error *error)
{
    for (dlp_index d = 0; d < c->D; d++) {
        DLP_TRY(dlpi_progress_tell(out->progress, (size_t)c->row[d], error));
        dlpi_put_char(out, '0');
        dlpi_put_pairs(out, c, d, 1);
        dlpi_put_char(out, '\n');
    }
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* LDA-C: one document per line, "M term:count term:count ...", ids from 0. */
#include "corpus/formats/format.h"
#include "corpus/formats/lines.h"

#include <inttypes.h>

static const char shape[] = "an LDA-C line is 'M term:count ...' with ids from 0";
/* What no format knows is taken for LDA-C, and is most often text. */
static const char shape_or_text[] =
    "an LDA-C line is 'M term:count ...' with ids from 0; if this is text, make a corpus "
    "of it first";

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
    if (!sound) id = -1;
    return dlpi_take_pair(s, word, id, n, shape, term, count, error);
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
        return dlpi_advise(error, c->D == 0 ? DLP_REMEDY_BUILD_CORPUS : DLP_REMEDY_NONE,
                           dlpi_scan_fail(s, word, "the number of pairs",
                                          c->D == 0 ? shape_or_text : shape, error));

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

/* *widest: the line with the largest id */
static dlp_status scan_documents(struct dlpi_scan *s, dlp_corpus *c, dlp_index *widest,
                                 dlp_error *error)
{
    for (; !dlpi_scan_is_over(s); dlpi_next_line(s)) {
        const dlp_index before = c->V;
        DLP_TRY(dlpi_scan_tell(s, error));
        DLP_TRY(scan_document(s, c, error));
        if (c->V > before) *widest = s->line;
    }
    return DLP_OK;
}

static dlp_status check_widest(const char *name, const dlp_corpus *c, dlp_index widest,
                               dlp_error *error)
{
    const dlp_index pairs = c->row[c->D], most = dlpi_corpus_most_terms(pairs);
    if (c->V > most)
        return dlp_fail(
            error, DLP_EINPUT,
            "%s:%td: term id %td is too large for a corpus of %td pairs, which "
            "may have %td terms; number the terms from 0 without large gaps",
            name, widest, c->V - 1, pairs, most);
    return DLP_OK;
}

dlp_status dlpi_corpus_parse_ldac(struct dlpi_scan s, dlp_corpus **corpus,
                                  dlp_error *error)
{
    dlp_index widest = 0;
    *corpus = dlpi_corpus_alloc_for_lines(&s, error);
    if (!*corpus) return DLP_ENOMEM;
    DLP_TRY(scan_documents(&s, *corpus, &widest, error));
    DLP_TRY(check_widest(s.name, *corpus, widest, error));
    return dlpi_corpus_canonicalise(s.name, *corpus, error);
}

static bool is_of_document(struct dlpi_scan line, struct dlpi_line_state *state)
{
    if (dlpi_scan_is_over(&line)) return false; /* blank lines at the end */
    state->document++;
    return true;
}

static dlp_status parse_part(struct dlpi_scan s, const struct dlpi_corpus_part *part,
                             dlp_corpus **corpus, dlp_error *error)
{
    dlp_index widest = 0;
    (void)part;
    *corpus = dlpi_corpus_alloc_for_lines(&s, error);
    if (!*corpus) return DLP_ENOMEM;
    DLP_TRY(scan_documents(&s, *corpus, &widest, error));
    return dlpi_corpus_canonicalise(s.name, *corpus, error);
}

const struct dlpi_corpus_lines dlpi_ldac_lines = {is_of_document, parse_part};

/* True when the line begins with the number of pairs that follow. */
static bool counts_its_pairs(struct dlpi_scan *s)
{
    int64_t claimed = 0, pairs = 0, id = 0;
    dlpi_skip_blanks(s);
    if (!dlpi_scan_whole(s, &claimed)) return false;
    for (dlpi_skip_blanks(s); !dlpi_at_line_end(s); dlpi_skip_blanks(s)) {
        if (!dlpi_scan_whole(s, &id) || s->at == s->end || *s->at != ':') return false;
        while (!dlpi_at_word_end(s)) s->at++;
        pairs++;
    }
    return pairs == claimed;
}

/* Half of the lines are enough, so that a line that is wrong is reported as one. The
   labels of svmlight are rarely the number of pairs so often. */
bool dlpi_looks_like_ldac(const char *text, size_t size)
{
    enum { MOST_LINES = 1000 };
    struct dlpi_scan s = dlpi_scan_start("", text, size);
    int lines = 0, right = 0;
    for (; lines < MOST_LINES && !dlpi_scan_is_over(&s); lines++) {
        right += counts_its_pairs(&s);
        dlpi_skip_line(&s);
    }
    return 2 * right >= lines;
}

dlp_status dlpi_corpus_put_ldac(const dlp_corpus *c, struct dlpi_output *out,
                                dlp_error *error)
{
    for (dlp_index d = 0; d < c->D; d++) {
        DLP_TRY(dlpi_progress_tell(out->progress, (size_t)c->row[d], error));
        dlpi_put_whole(out, c->row[d + 1] - c->row[d]);
        dlpi_put_pairs(out, c, d, 0);
        dlpi_put_char(out, '\n');
    }
    return DLP_OK;
}

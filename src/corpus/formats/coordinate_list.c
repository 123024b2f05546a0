/* SPDX-License-Identifier: BSD-3-Clause */
#include "corpus/formats/coordinate_list.h"

#include "io/count.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Memory use depends on the header, so it is believed only as far as the text bears it
   out. */
static dlp_status check_header(const struct dlpi_scan *s, const struct dlpi_triples *t,
                               dlp_error *error)
{
    /* Bytes of a triple and its line end. */
    const dlp_index shortest =
        t->style == DLPI_COUNT_NONE ? sizeof "1 1" : sizeof "1 1 1";
    const dlp_index fit = (s->end - s->at + 1) / shortest;
    if (t->nnz > fit)
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: says %" PRId64
                        " triples but the text has room for at most "
                        "%td; the file is cut off or its header is wrong",
                        s->name, t->nnz_line, t->nnz, fit);
    if (t->D < 1 || t->D > dlpi_corpus_most_documents((dlp_index)t->nnz))
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: %" PRId64 " documents do not go with %" PRId64
                        " triples; %s",
                        s->name, t->D_line, t->D, t->nnz, t->shape);
    if (t->V > dlpi_corpus_most_terms((dlp_index)t->nnz))
        return dlp_fail(error, DLP_EINPUT,
                        "%s:%td: %" PRId64 " terms do not go with %" PRId64
                        " triples; %s",
                        s->name, t->V_line, t->V, t->nnz, t->shape);
    return DLP_OK;
}

static bool scan_number(struct dlpi_scan *s, enum dlpi_count_style style, int64_t *number)
{
    if (style == DLPI_COUNT_WHOLE) return dlpi_scan_whole(s, number);
    const char *after = dlpi_count_scan(s->at, s->end, number);
    if (after) s->at = after;
    return after != NULL;
}

/* A number from least to most, after blanks. */
static dlp_status scan_between(struct dlpi_scan *s, enum dlpi_count_style style,
                               const struct dlpi_triples *t, const char *what,
                               int64_t least, int64_t most, int32_t *value,
                               dlp_error *error)
{
    dlpi_skip_blanks(s);
    const char *const word = s->at;
    int64_t number = 0;
    if (!scan_number(s, style, &number) || !dlpi_at_word_end(s))
        return dlpi_scan_fail(s, word,
                              t->style == DLPI_COUNT_NONE
                                  ? "'document term', two whole numbers"
                                  : "'document term count', three whole numbers",
                              t->shape, error);
    if (number < least || number > most) {
        char range[80];
        snprintf(range, sizeof range, "a %s from %" PRId64 " to %" PRId64, what, least,
                 most);
        return dlpi_scan_fail(s, word, range, t->shape, error);
    }
    *value = (int32_t)number;
    return DLP_OK;
}

/* Reads the triple of the line: its document into *document, the rest into the corpus
   as pair i. */
static dlp_status scan_triple(struct dlpi_scan *s, const struct dlpi_triples *t,
                              dlp_corpus *c, dlp_index i, int32_t *document,
                              dlp_error *error)
{
    const enum dlpi_count_style whole = DLPI_COUNT_WHOLE;
    const int64_t before = t->before;
    DLP_TRY(scan_between(s, whole, t, "document", before + 1, before + c->D, document,
                         error));
    DLP_TRY(scan_between(s, whole, t, "term", 1, c->V, &c->term[i], error));
    c->count[i] = 1;
    if (t->style != DLPI_COUNT_NONE)
        DLP_TRY(scan_between(s, t->style, t, "count", 0, INT32_MAX, &c->count[i], error));
    dlpi_skip_blanks(s);
    if (!dlpi_at_line_end(s))
        return dlpi_scan_fail(s, s->at, "the end of the line", t->shape, error);
    dlpi_next_line(s);
    *document -= (int32_t)before + 1;
    --c->term[i];
    return DLP_OK;
}

static dlp_status scan_all(struct dlpi_scan *s, const struct dlpi_triples *t,
                           dlp_corpus *c, int32_t *document, dlp_error *error)
{
    for (dlp_index i = 0; i < c->nnz; i++) {
        if (dlpi_scan_is_over(s))
            return dlp_fail(
                error, DLP_EINPUT,
                "%s: has %td triples but its header says %td; the file is cut "
                "off or its header is wrong",
                s->name, i, c->nnz);
        DLP_TRY(dlpi_scan_tell(s, error));
        DLP_TRY(scan_triple(s, t, c, i, &document[i], error));
    }
    if (!dlpi_scan_is_over(s))
        return dlp_fail(
            error, DLP_EINPUT,
            "%s:%td: goes on after the %td triples that its header declares; the "
            "header is wrong",
            s->name, s->line, c->nnz);
    return DLP_OK;
}

/* The pairs are in the corpus, in the order of the text. */
static dlp_status bring_together(const char *name, dlp_corpus *c, const int32_t *document,
                                 dlp_error *error)
{
    DLP_TRY(dlpi_corpus_gather(c, document, error));
    return dlpi_corpus_canonicalise(name, c, error);
}

dlp_status dlpi_corpus_scan_triples(struct dlpi_scan *s, const struct dlpi_triples *t,
                                    dlp_corpus **corpus, dlp_error *error)
{
    DLP_TRY(check_header(s, t, error));
    dlp_corpus *c = *corpus =
        dlpi_corpus_alloc((dlp_index)t->D, (dlp_index)t->nnz, error);
    if (!c) return DLP_ENOMEM;
    c->V = (dlp_index)t->V;
    int32_t *document = dlpi_calloc(c->nnz, sizeof *document);
    if (!document) return dlpi_no_memory(error, "a corpus");
    dlp_status status = scan_all(s, t, c, document, error);
    if (status == DLP_OK) status = bring_together(s->name, c, document, error);
    free(document);
    return status;
}

/* ---- a part ---- */

bool dlpi_corpus_line_of_triple(struct dlpi_scan line, int64_t *document)
{
    int64_t number = 0;
    dlpi_skip_blanks(&line);
    if (!dlpi_scan_whole(&line, &number)) return false;
    *document = number - 1;
    return true;
}

static dlp_status scan_some(struct dlpi_scan *s, const struct dlpi_triples *t,
                            dlp_corpus *c, int32_t *document, dlp_error *error)
{
    dlp_index i = 0;
    for (; !dlpi_scan_is_over(s); i++)
        DLP_TRY(scan_triple(s, t, c, i, &document[i], error));
    c->nnz = i;
    return bring_together(s->name, c, document, error);
}

dlp_status dlpi_corpus_scan_some_triples(struct dlpi_scan *s,
                                         const struct dlpi_triples *t,
                                         dlp_corpus **corpus, dlp_error *error)
{
    const dlp_index most = dlpi_count_lines(s->at, s->end) + 1;
    dlp_corpus *c = *corpus = dlpi_corpus_alloc((dlp_index)t->D, most, error);
    if (!c) return DLP_ENOMEM;
    c->V = (dlp_index)t->V;
    int32_t *document = dlpi_calloc(most, sizeof *document);
    if (!document) return dlpi_no_memory(error, "a corpus");
    const dlp_status status = scan_some(s, t, c, document, error);
    free(document);
    return status;
}

/* ---- order ---- */

static bool is_ascending(const int32_t *x, dlp_index n)
{
    for (dlp_index i = 1; i < n; i++)
        if (x[i] < x[i - 1]) return false;
    return true;
}

static dlp_status sort_by_document(dlp_corpus *c, const int32_t *document,
                                   dlp_error *error)
{
    dlp_corpus *sorted = dlpi_corpus_alloc(c->D, c->nnz, error);
    if (!sorted) return DLP_ENOMEM;
    dlp_index *const next = sorted->row; /* where a document's next pair goes */
    memcpy(next, c->row, (size_t)c->D * sizeof *next);
    for (dlp_index i = 0; i < c->nnz; i++) {
        const dlp_index place = next[document[i]]++;
        sorted->term[place] = c->term[i];
        sorted->count[place] = c->count[i];
    }
    memcpy(c->term, sorted->term, (size_t)c->nnz * sizeof *c->term);
    memcpy(c->count, sorted->count, (size_t)c->nnz * sizeof *c->count);
    dlp_corpus_free(sorted);
    return DLP_OK;
}

dlp_status dlpi_corpus_gather(dlp_corpus *c, const int32_t *document, dlp_error *error)
{
    for (dlp_index i = 0; i < c->nnz; i++) c->row[document[i] + 1]++;
    for (dlp_index d = 0; d < c->D; d++) c->row[d + 1] += c->row[d];
    return is_ascending(document, c->nnz) ? DLP_OK : sort_by_document(c, document, error);
}

/* ---- writing ---- */

dlp_status dlpi_put_triples(struct dlpi_output *out, const dlp_corpus *c, char separator,
                            dlp_error *error)
{
    for (dlp_index d = 0; d < c->D; d++) {
        DLP_TRY(dlpi_progress_tell(out->progress, (size_t)c->row[d], error));
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) {
            dlpi_put_whole(out, d + 1);
            dlpi_put_char(out, separator);
            dlpi_put_whole(out, (int64_t)c->term[i] + 1);
            dlpi_put_char(out, separator);
            dlpi_put_whole(out, c->count[i]);
            dlpi_put_char(out, '\n');
        }
    }
    return DLP_OK;
}

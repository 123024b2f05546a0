/* SPDX-License-Identifier: BSD-3-Clause */
/* The corpus itself: made, read from whichever format, and freed. */
#include "corpus/formats/dlpc.h"
#include "corpus/formats/format.h"
#include "corpus/formats/mapped.h"
#include "corpus/names.h"
#include "io/scan.h"

void dlp_corpus_free(dlp_corpus *corpus)
{
    if (!corpus) return;
    if (corpus->file) {
        dlpi_mapping_close(&corpus->file->mapping);
        free(corpus->file->row);
        free(corpus->file);
    } else {
        free(corpus->row);
        free(corpus->term);
        free(corpus->count);
    }
    free(corpus->vocab);
    free(corpus->name);
    free(corpus->text);
    free(corpus->origin);
    free(corpus);
}

dlp_corpus *dlpi_corpus_alloc(dlp_index D, dlp_index nnz, dlp_error *error)
{
    dlp_corpus *c = dlpi_calloc(1, sizeof *c);
    if (c) {
        c->D = D;
        c->nnz = nnz;
        c->row = dlpi_calloc(D + 1, sizeof *c->row);
        c->term = dlpi_calloc(nnz, sizeof *c->term);
        c->count = dlpi_calloc(nnz, sizeof *c->count);
    }
    if (!c || !c->row || !c->term || !c->count) {
        dlp_corpus_free(c);
        (void)dlpi_no_memory(error, "a corpus");
        return NULL;
    }
    return c;
}

static dlp_index most_given(dlp_index pairs, dlp_index always)
{
    const dlp_index each = 64;
    if (pairs >= INT32_MAX / each) return INT32_MAX;
    return each * pairs > always ? each * pairs : always;
}

dlp_index dlpi_corpus_most_documents(dlp_index pairs)
{
    return most_given(pairs, 1000000);
}

dlp_index dlpi_corpus_most_terms(dlp_index pairs)
{
    return most_given(pairs, 10000000);
}

dlp_index dlpi_corpus_most_unnamed(dlp_index pairs)
{
    return most_given(pairs, 100000);
}

dlp_status dlpi_corpus_parse_end(dlp_status status, dlp_corpus **corpus)
{
    if (status != DLP_OK) {
        dlp_corpus_free(*corpus);
        *corpus = NULL;
    }
    return status;
}

static dlp_status check_counts(dlp_index D, dlp_index V, const int32_t *x, dlp_index *nnz,
                               dlp_error *error)
{
    *nnz = 0;
    for (dlp_index d = 0; d < D; d++)
        for (dlp_index v = 0; v < V; v++) {
            if (x[d * V + v] < 0)
                return dlp_fail(error, DLP_EINVAL,
                                "dlp_corpus_from_counts: x[%td][%td] is %d; a count must "
                                "not be negative",
                                d, v, (int)x[d * V + v]);
            *nnz += x[d * V + v] > 0;
        }
    return DLP_OK;
}

dlp_status dlp_corpus_from_counts(dlp_index D, dlp_index V, const int32_t *x,
                                  dlp_corpus **corpus, dlp_error *error)
{
    dlp_index nnz = 0;
    if (corpus) *corpus = NULL;
    if (!corpus || !x || D < 1 || V < 1 || V > INT32_MAX)
        return dlp_fail(
            error, DLP_EINVAL,
            "dlp_corpus_from_counts: needs a corpus, x, D >= 1 and V from 1 to "
            "2147483647");
    DLP_TRY(check_counts(D, V, x, &nnz, error));
    dlp_corpus *c = *corpus = dlpi_corpus_alloc(D, nnz, error);
    if (!c) return DLP_ENOMEM;
    dlp_index next = 0;
    c->V = V;
    for (dlp_index d = 0; d < D; d++) {
        for (dlp_index v = 0; v < V; v++) {
            if (x[d * V + v] == 0) continue;
            c->term[next] = (int32_t)v;
            c->count[next++] = x[d * V + v];
        }
        c->row[d + 1] = next;
    }
    return dlpi_corpus_parse_end(dlpi_corpus_canonicalise("x", c, error), corpus);
}

/* ---- text ---- */

static dlp_status parse(dlpi_corpus_parser *parser, struct dlpi_scan s,
                        dlp_corpus **corpus, dlp_error *error)
{
    if (dlpi_scan_is_over(&s))
        return dlp_fail(error, DLP_EINPUT, "%s: is empty; expected at least one document",
                        s.name);
    dlpi_scan_step(&s, 1);
    return dlpi_corpus_parse_end(parser(s, corpus, error), corpus);
}

static dlp_status parse_text(dlpi_corpus_parser *parser, const char *name,
                             const char *text, size_t size, dlp_corpus **corpus,
                             dlp_error *error)
{
    if (corpus) *corpus = NULL;
    if (!corpus || !name || (!text && size > 0))
        return dlp_fail(error, DLP_EINVAL, "a parser needs a name, text and a corpus");
    return parse(parser, dlpi_scan_start(name, text ? text : "", size), corpus, error);
}

dlp_status dlp_corpus_parse_ldac(const char *name, const char *text, size_t size,
                                 dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_ldac, name, text, size, corpus, error);
}

dlp_status dlp_corpus_parse_uci(const char *name, const char *text, size_t size,
                                dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_uci, name, text, size, corpus, error);
}

dlp_status dlp_corpus_parse_mtx(const char *name, const char *text, size_t size,
                                dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_mtx, name, text, size, corpus, error);
}

dlp_status dlp_corpus_parse_svmlight(const char *name, const char *text, size_t size,
                                     dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_svmlight, name, text, size, corpus, error);
}

dlp_status dlp_corpus_parse_csv(const char *name, const char *text, size_t size,
                                dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_csv, name, text, size, corpus, error);
}

dlp_status dlp_corpus_parse_dlpc(const char *name, const char *text, size_t size,
                                 dlp_corpus **corpus, dlp_error *error)
{
    return parse_text(dlpi_corpus_parse_dlpc, name, text, size, corpus, error);
}

/* Maps a large dlpc file; false if this is not one. */
static bool map(const char *path, const struct dlpi_corpus_format **format,
                struct dlpi_progress *progress, dlp_corpus **corpus, dlp_status *status,
                dlp_error *error)
{
    struct dlpi_mapping mapping;
    if (*format && (*format)->parse != dlpi_corpus_parse_dlpc) return false;
    if (!dlpi_mapping_open(path, &mapping)) return false;
    const bool taken = dlpi_dlpc_take(path, &mapping, progress, corpus, status, error);
    dlpi_mapping_close(&mapping);
    if (taken) *status = dlpi_corpus_parse_end(*status, corpus);
    return taken;
}

dlp_status dlpi_corpus_read(const char *path, const struct dlpi_corpus_format **format,
                            struct dlpi_progress *progress, dlp_corpus **corpus,
                            dlp_error *error)
{
    struct dlpi_bytes bytes;
    dlp_status status;
    if (map(path, format, progress, corpus, &status, error)) return status;
    DLP_TRY(dlpi_input_read(path, progress, &bytes, error));
    if (!*format) *format = dlpi_corpus_format_of_text(bytes.data, bytes.size);
    struct dlpi_scan s = dlpi_scan_start(dlpi_input_name(path), bytes.data, bytes.size);
    s.progress = progress;
    status = parse((*format)->parse, s, corpus, error);
    free(bytes.data);
    return status;
}

dlp_status dlp_corpus_read(const char *path, dlp_corpus **corpus, dlp_error *error)
{
    if (corpus) *corpus = NULL;
    if (!corpus || !path)
        return dlp_fail(error, DLP_EINVAL, "a reader needs a path and a corpus");
    const struct dlpi_corpus_format *any = NULL;
    return dlpi_corpus_read(path, &any, NULL, corpus, error);
}

/* ---- checks ---- */

static dlp_status check_document(const dlp_corpus *c, dlp_index d, dlp_error *error)
{
    for (dlp_index k = c->row[d]; k < c->row[d + 1]; k++) {
        if (c->term[k] < 0 || c->term[k] >= c->V || c->count[k] < 1)
            return dlp_fail(error, DLP_EINPUT,
                            "document %td: term %d with count %d; terms are 0 to %td, "
                            "counts 1 or more",
                            d, (int)c->term[k], (int)c->count[k], c->V - 1);
        if (k > c->row[d] && c->term[k] <= c->term[k - 1])
            return dlp_fail(
                error, DLP_EINPUT,
                "document %td: term %d comes after term %d; terms ascend within "
                "a document",
                d, (int)c->term[k], (int)c->term[k - 1]);
    }
    return DLP_OK;
}

static dlp_status check_names(char *const *name, dlp_index n, const char *what,
                              dlp_error *error)
{
    for (dlp_index i = 0; name && i < n; i++)
        if (!name[i] || !dlpi_name_is_sound(name[i]))
            return dlp_fail(error, DLP_EINPUT,
                            "%s %td: its name is %s; a name is one line of text", what, i,
                            name[i] ? "blank or has a line end" : "NULL");
    return DLP_OK;
}

dlp_status dlp_corpus_check(const dlp_corpus *c, dlp_error *error)
{
    if (c->D < 0 || c->V < 0 || c->nnz < 0 || !c->row || c->row[0] != 0 ||
        c->row[c->D] != c->nnz || (c->nnz > 0 && (!c->term || !c->count)))
        return dlp_fail(
            error, DLP_EINPUT,
            "the corpus is not whole: row goes from 0 to nnz over D documents");
    dlp_index words = 0, left = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        if (c->row[d + 1] < c->row[d] || c->row[d + 1] > c->nnz)
            return dlp_fail(error, DLP_EINPUT,
                            "document %td ends before it starts; row must be ascending",
                            d);
        DLP_TRY(check_document(c, d, error));
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++) words += c->count[i];
        if (d - left < DLPI_CORPUS_STRETCH && d + 1 < c->D) continue;
        dlpi_corpus_leave(c, left, d);
        left = d;
    }
    if (words != c->words)
        return dlp_fail(error, DLP_EINPUT, "the counts add up to %td words, not to %td",
                        words, c->words);
    DLP_TRY(check_names(c->vocab, c->V, "term", error));
    return check_names(c->name, c->D, "document", error);
}

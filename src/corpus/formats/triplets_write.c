/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes CSV triplets: names in quotes where they are known, else ids from 1. */
#include "core/name_index.h"
#include "core/text.h"
#include "corpus/formats/coordinate_list.h"
#include "corpus/formats/format.h"

/* Rows identify documents and terms by their names, so these must differ. */
static dlp_status check_distinct(char *const *name, dlp_index n, const char *what,
                                 dlp_error *error)
{
    struct dlpi_pool pool = {0};
    struct dlpi_name_index keys = {.pool = &pool};
    dlp_status status = DLP_OK;
    for (dlp_index i = 0; name && i < n && status == DLP_OK; i++) {
        const dlp_index number = dlpi_name_index_add_text(&keys, name[i]);
        if (number < 0)
            status = dlpi_no_memory(error, "the names of a corpus");
        else if (number < i)
            status = dlp_fail(error, DLP_EINPUT,
                              "the %ss %td and %td (from 1) are both named '%s'; CSV "
                              "identifies them by name: choose another format",
                              what, number + 1, i + 1, dlpi_show(name[i]).text);
    }
    dlpi_pool_free(&pool);
    return status;
}

/* A name, or an id from 1. */
static void put_key(struct dlpi_output *out, char *const *name, dlp_index i)
{
    if (name)
        dlpi_put_quoted(out, name[i]);
    else
        dlpi_put_whole(out, i + 1);
}

static void put_row(struct dlpi_output *out, const dlp_corpus *c, dlp_index d,
                    dlp_index v, int32_t count)
{
    put_key(out, c->name, d);
    dlpi_put_char(out, ',');
    put_key(out, c->vocab, v);
    dlpi_put_char(out, ',');
    dlpi_put_whole(out, count);
    dlpi_put_char(out, '\n');
}

static bool uses_last_term(const dlp_corpus *c)
{
    for (dlp_index i = 0; i < c->nnz; i++)
        if (c->term[i] == c->V - 1) return true;
    return false;
}

/* A reader takes the largest id for the number of documents, or terms. If the last
   document is empty, or the last term unused, a row with a count of 0 makes it known;
   besides, a file without any row would not be a corpus. */
static bool needs_last_row(const dlp_corpus *c)
{
    return c->nnz == 0 || (!c->name && c->row[c->D - 1] == c->nnz) ||
           (!c->vocab && !uses_last_term(c));
}

dlp_status dlpi_corpus_put_csv(const dlp_corpus *c, struct dlpi_output *out,
                               dlp_error *error)
{
    if (c->V == 0)
        return dlp_fail(error, DLP_EINPUT,
                        "the corpus has no terms; CSV cannot express that: choose "
                        "another format");
    DLP_TRY(check_distinct(c->name, c->D, "document", error));
    DLP_TRY(check_distinct(c->vocab, c->V, "term", error));
    dlpi_put_string(out, "document,term,count\n");
    for (dlp_index d = 0; d < c->D; d++) {
        DLP_TRY(dlpi_progress_tell(out->progress, (size_t)c->row[d], error));
        for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++)
            put_row(out, c, d, c->term[i], c->count[i]);
    }
    if (needs_last_row(c)) put_row(out, c, c->D - 1, c->V - 1, 0);
    return DLP_OK;
}

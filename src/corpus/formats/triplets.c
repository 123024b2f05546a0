/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CSV triplets: a header with document, term and count in any order, and a row for each
 * pair. A column whose values are all bare whole numbers holds ids, from 1 or, where one
 * is 0, from 0. Else its values are names: documents are numbered as they come, terms in
 * the order of their names' bytes, which does not depend on the order of the rows. A
 * value in quotes is always a name.
 */
#include "corpus/formats/coordinate_list.h"
#include "corpus/formats/format.h"
#include "corpus/names.h"
#include "io/count.h"
#include "table/formats/csv.h"

#include <string.h>

static const char shape[] =
    "CSV triplets are a header with document, term and count, then a row for each pair";

/* The columns that matter, in the order of the triple. */
enum { DOCUMENT, TERM, COUNT, PARTS };
static const char *const part_names[PARTS] = {"document", "term", "count"};
static const struct dlpi_named *const named[] = {&dlpi_named_documents,
                                                 &dlpi_named_terms};

struct triplets {
    struct dlpi_csv csv;
    dlp_index columns;
    dlp_index column[PARTS];          /* columns of the parts; -1: none */
    struct dlpi_string_set values[2]; /* the values of documents and terms */
    bool ids[2];                      /* all of them are bare whole numbers */
    dlp_index rows, room;             /* so far; at most */
    int32_t *code[2];                 /* (room) of the values */
    int32_t *count;                   /* (room) */
    int32_t *number[2];               /* of each value: the document's, the term's */
    dlp_index size[2];                /* D and V */
};

static void free_triplets(struct triplets *t)
{
    for (int part = 0; part < 2; part++) {
        dlpi_string_set_clear(&t->values[part]);
        free(t->code[part]);
        free(t->number[part]);
    }
    free(t->count);
    free(t->csv.plain.data);
}

/* ---- the header ---- */

static int part_of(const struct dlpi_csv_field *f)
{
    int part = 0;
    while (part < PARTS && (strlen(part_names[part]) != f->length ||
                            memcmp(part_names[part], f->at, f->length) != 0))
        part++;
    return part;
}

/* Reads the header. A part that is named twice keeps its first column, and is set in
   *twice. */
static dlp_status read_header(struct triplets *t, int *twice, dlp_error *error)
{
    struct dlpi_csv_field f = {0};
    *twice = PARTS;
    for (int part = 0; part < PARTS; part++) t->column[part] = -1;
    for (t->columns = 0; !f.last; t->columns++) {
        DLP_TRY(dlpi_csv_next_field(&t->csv, &f, error));
        const int part = part_of(&f);
        if (part == PARTS) continue;
        if (t->column[part] >= 0) *twice = part;
        if (t->column[part] < 0) t->column[part] = t->columns;
    }
    return DLP_OK;
}

static dlp_status check_header(struct triplets *t, int twice, dlp_error *error)
{
    dlpi_csv_locate(&t->csv, t->csv.s.at);
    const dlp_index line = t->csv.s.line - 1;
    for (int part = 0; part < PARTS; part++)
        if (t->column[part] < 0)
            return dlp_fail(error, DLP_EINPUT, "%s:%td: has no column '%s'; %s",
                            t->csv.s.name, line, part_names[part], shape);
    if (twice < PARTS)
        return dlp_fail(error, DLP_EINPUT, "%s:%td: has two columns '%s'; %s",
                        t->csv.s.name, line, part_names[twice], shape);
    return DLP_OK;
}

static struct triplets begin(struct dlpi_scan text)
{
    return (struct triplets){.csv = {.s = text}, .ids = {true, true}};
}

static dlp_status read_start(struct triplets *t, dlp_error *error)
{
    int twice = PARTS;
    DLP_TRY(dlpi_csv_start(&t->csv, error));
    DLP_TRY(read_header(t, &twice, error));
    return check_header(t, twice, error);
}

bool dlpi_looks_like_triplets(const char *text, size_t size)
{
    struct triplets t = begin(dlpi_scan_start("", text, size));
    const bool looks = read_start(&t, NULL) == DLP_OK;
    free_triplets(&t);
    return looks;
}

/* ---- the rows ---- */

static dlp_status make_room(struct triplets *t, dlp_error *error)
{
    t->room = 1 + dlpi_count_lines(t->csv.s.at, t->csv.s.end);
    t->code[DOCUMENT] = dlpi_calloc(t->room, sizeof(int32_t));
    t->code[TERM] = dlpi_calloc(t->room, sizeof(int32_t));
    t->count = dlpi_calloc(t->room, sizeof(int32_t));
    return t->code[DOCUMENT] && t->code[TERM] && t->count
               ? DLP_OK
               : dlpi_no_memory(error, "a corpus");
}

static dlp_status fail_field(struct triplets *t, const char *row,
                             const struct dlpi_csv_field *f, const char *expected,
                             dlp_error *error)
{
    char found[64];
    dlpi_quote(f->at, f->length, found, sizeof found);
    dlpi_csv_locate(&t->csv, row);
    return dlp_fail(error, DLP_EINPUT, "%s:%td: expected %s, found %s; %s", t->csv.s.name,
                    t->csv.s.line, expected, found, shape);
}

static bool is_name(const struct dlpi_csv_field *f)
{
    bool blank = true;
    for (size_t i = 0; i < f->length; i++) {
        if (f->at[i] == '\n' || f->at[i] == '\r') return false;
        blank = blank && (f->at[i] == ' ' || f->at[i] == '\t');
    }
    return !blank;
}

static bool is_id(const struct dlpi_csv_field *f)
{
    struct dlpi_scan s = {.at = f->at, .end = f->at + f->length};
    int64_t id = 0;
    return dlpi_scan_whole(&s, &id) && s.at == s.end && id <= INT32_MAX;
}

static dlp_status read_key(struct triplets *t, int part, const char *row,
                           const struct dlpi_csv_field *f, bool quoted, dlp_error *error)
{
    int32_t *code = &t->code[part][t->rows];
    *code = dlpi_string_set_find(&t->values[part], f->at, f->length);
    if (*code < 0) {
        if (!is_name(f)) return fail_field(t, row, f, named[part]->one, error);
        DLP_TRY(dlpi_string_set_add(&t->values[part], f->at, f->length, code, error));
        t->ids[part] = t->ids[part] && is_id(f);
    }
    t->ids[part] = t->ids[part] && !quoted;
    return DLP_OK;
}

static dlp_status read_count(struct triplets *t, const char *row,
                             const struct dlpi_csv_field *f, dlp_error *error)
{
    int64_t count = 0;
    const char *const end = f->at + f->length;
    if (dlpi_count_scan(f->at, end, &count) != end || count > INT32_MAX)
        return fail_field(t, row, f, "a count, a whole number from 0 to 2147483647",
                          error);
    t->count[t->rows] = (int32_t)count;
    return DLP_OK;
}

static dlp_status read_row(struct triplets *t, dlp_error *error)
{
    const char *const row = t->csv.s.at;
    struct dlpi_csv_field f = {0};
    dlp_index j = 0;
    for (; !f.last; j++) {
        dlpi_csv_skip_blanks(&t->csv);
        const bool quoted = t->csv.s.at < t->csv.s.end && *t->csv.s.at == '"';
        DLP_TRY(dlpi_csv_next_field(&t->csv, &f, error));
        for (int part = 0; part < COUNT; part++)
            if (j == t->column[part]) DLP_TRY(read_key(t, part, row, &f, quoted, error));
        if (j == t->column[COUNT]) DLP_TRY(read_count(t, row, &f, error));
    }
    if (j == t->columns) return DLP_OK;
    dlpi_csv_locate(&t->csv, row);
    return dlp_fail(error, DLP_EINPUT,
                    "%s:%td: expected %td fields as in the header, found %td; put fields "
                    "that hold the separator in quotes",
                    t->csv.s.name, t->csv.s.line, t->columns, j);
}

static dlp_status read_rows(struct triplets *t, dlp_error *error)
{
    DLP_TRY(make_room(t, error));
    for (;; t->rows++) {
        dlpi_csv_skip_blank_lines(&t->csv);
        if (t->csv.s.at == t->csv.s.end) break;
        DLP_TRY(dlpi_scan_tell(&t->csv.s, error));
        DLP_TRY(read_row(t, error));
    }
    if (t->rows > 0) return DLP_OK;
    return dlp_fail(error, DLP_EINPUT, "%s: has a header and no rows; %s", t->csv.s.name,
                    shape);
}

/* ---- numbers ---- */

/* Ids count from 1, or from 0 where one is 0. */
static dlp_status number_ids(struct triplets *t, int part, dlp_index most,
                             dlp_error *error)
{
    const struct dlpi_string_set *values = &t->values[part];
    int32_t smallest = 1, largest = 0;
    for (int32_t code = 0; code < values->count; code++) {
        size_t length = 0;
        int64_t id = 0;
        struct dlpi_scan s = {.at = dlpi_string_set_name(values, code, &length)};
        s.end = s.at + length;
        (void)dlpi_scan_whole(&s, &id);
        t->number[part][code] = (int32_t)id;
        if (id < smallest) smallest = (int32_t)id;
        if (id > largest) largest = (int32_t)id;
    }
    t->size[part] = (dlp_index)largest - smallest + 1;
    if (t->size[part] > most)
        return dlp_fail(error, DLP_EINPUT,
                        "%s: %s %d is too large for a corpus of %td rows, which may have "
                        "%td of them; number them from 1 without large gaps, or put them "
                        "in quotes to have them read as names",
                        t->csv.s.name, part_names[part], (int)largest, t->rows, most);
    for (int32_t code = 0; code < values->count; code++)
        t->number[part][code] -= smallest;
    return DLP_OK;
}

/* Gives the names their numbers, and *block the names in that order. order and name have
   room for all of them. */
static dlp_status order_names(struct triplets *t, int part, int32_t *order,
                              const char **name, char ***block, dlp_error *error)
{
    const struct dlpi_string_set *values = &t->values[part];
    const int32_t n = values->count;
    for (int32_t i = 0; i < n; i++) order[i] = i;
    if (part == TERM) DLP_TRY(dlpi_string_set_sort(values, order, error));
    for (int32_t i = 0; i < n; i++) {
        size_t length = 0;
        t->number[part][order[i]] = i;
        name[i] = dlpi_string_set_name(values, order[i], &length);
    }
    t->size[part] = n;
    *block = dlpi_names_copy(name, n);
    return *block ? DLP_OK : dlpi_no_memory(error, named[part]->whole);
}

static dlp_status number_names(struct triplets *t, int part, char ***block,
                               dlp_error *error)
{
    int32_t *order = dlpi_calloc(t->values[part].count, sizeof *order);
    const char **name = dlpi_calloc(t->values[part].count, sizeof *name);
    const dlp_status status = order && name
                                  ? order_names(t, part, order, name, block, error)
                                  : dlpi_no_memory(error, named[part]->whole);
    free(order);
    free(name);
    return status;
}

static dlp_status number_part(struct triplets *t, int part, dlp_index most, char ***block,
                              dlp_error *error)
{
    t->number[part] = dlpi_calloc(t->values[part].count, sizeof(int32_t));
    if (!t->number[part]) return dlpi_no_memory(error, named[part]->whole);
    return t->ids[part] ? number_ids(t, part, most, error)
                        : number_names(t, part, block, error);
}

/* ---- the whole ---- */

static dlp_status fill_corpus(struct triplets *t, char ***names, dlp_corpus **corpus,
                              dlp_error *error)
{
    dlp_corpus *c = *corpus = dlpi_corpus_alloc(t->size[DOCUMENT], t->rows, error);
    if (!c) return DLP_ENOMEM;
    c->V = t->size[TERM];
    c->name = names[DOCUMENT];
    c->vocab = names[TERM];
    names[DOCUMENT] = names[TERM] = NULL;
    int32_t *const document = t->code[DOCUMENT];
    for (dlp_index i = 0; i < t->rows; i++) {
        document[i] = t->number[DOCUMENT][document[i]];
        c->term[i] = t->number[TERM][t->code[TERM][i]];
        c->count[i] = t->count[i];
    }
    DLP_TRY(dlpi_corpus_gather(c, document, error));
    return dlpi_corpus_canonicalise(t->csv.s.name, c, error);
}

static dlp_status read_triplets(struct triplets *t, dlp_corpus **corpus, dlp_error *error)
{
    dlp_status status;
    char **names[2] = {NULL, NULL};
    DLP_TRY(read_start(t, error));
    DLP_TRY(read_rows(t, error));
    DLP_TRY_OR(done, number_part(t, DOCUMENT, dlpi_corpus_most_documents(t->rows),
                                 &names[DOCUMENT], error));
    DLP_TRY_OR(
        done, number_part(t, TERM, dlpi_corpus_most_terms(t->rows), &names[TERM], error));
    status = fill_corpus(t, names, corpus, error);
done:
    free(names[DOCUMENT]);
    free(names[TERM]);
    return status;
}

dlp_status dlpi_corpus_parse_csv(struct dlpi_scan s, dlp_corpus **corpus,
                                 dlp_error *error)
{
    struct triplets t = begin(s);
    const dlp_status status = read_triplets(&t, corpus, error);
    free_triplets(&t);
    return status;
}

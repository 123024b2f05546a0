/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables and corpora from arrays, as bindings give them: right ones, hostile ones, and
 * lack of memory. The linker wraps the allocator.
 */
#include "failing_allocator.h"
#include "support.h"

#include <delaplace/design.h>

#define COUNT(array) ((dlp_index)(sizeof(array) / sizeof((array)[0])))

/* ---- tables ---- */

static const double x[] = {0.31, NAN, 2.46, INFINITY}, y[] = {1, 2, 3, 5};
static const int32_t dose_code[] = {2, 0, -1, 1};
static const char *const dose[] = {"low", "high", "middle", "never"};
static const char *const school[] = {"w", NULL, "NA", "w"};

static const dlp_column_data columns[] = {
    {.name = "x", .number = x},
    {.name = "dose", .code = dose_code, .n_levels = 4, .level = dose},
    {.name = "school", .text = school},
    {.name = "y y", .number = y},
};

static void columns_become_a_table(void **state)
{
    (void)state;
    dlp_table *t;
    assert_ok(dlp_table_from_columns(4, COUNT(columns), columns, &t, error));
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->columns, 4);
    assert_ptr_equal(t->column[0].number, x); /* not a copy */
    assert_int_equal(t->column[0].missing, 1);
    assert_int_equal(t->column[1].missing, 1);
    assert_int_equal(t->column[1].n_levels, 4);
    assert_string_equal(t->column[1].level[0], "low"); /* the order that was given */
    assert_memory_equal(t->column[1].code, dose_code, sizeof dose_code);
    assert_int_equal(t->column[2].n_levels, 2);
    assert_string_equal(t->column[2].level[0], "NA"); /* a text like others */
    assert_int_equal(t->column[2].code[0], 1);
    assert_int_equal(t->column[2].code[1], -1);
    assert_int_equal(t->column[2].missing, 1);
    assert_int_equal(dlp_table_find(t, "y y"), 3);
    dlp_table_free(t);
}

/* The first level given is the reference. */
static void designs_are_built_of_such_tables(void **state)
{
    (void)state;
    dlp_table *t;
    dlp_formula *formula;
    dlp_design *d;
    assert_ok(dlp_table_from_columns(4, COUNT(columns), columns, &t, error));
    assert_ok(dlp_formula_parse("`y y` ~ dose", &formula, error));
    assert_ok(dlp_design_build(formula, t, NULL, &d, error));
    assert_int_equal(d->N, 3);
    assert_int_equal(d->p, 3);
    assert_string_equal(d->name[1], "dosehigh");
    assert_string_equal(d->name[2], "dosemiddle");
    dlp_design_free(d);
    dlp_formula_free(formula);
    dlp_table_free(t);
}

static void wrong_columns_are_refused(void **state)
{
    (void)state;
    static const int32_t below[] = {0, -2, 1, 0}, above[] = {0, 1, 4, 0};
    static const char *const twice[] = {"a", "b", "a", "c"};
    static const char *const hole[] = {"a", NULL, "b", "c"};
    static const struct {
        dlp_column_data column;
        const char *words;
    } wrong[] = {
        {{.number = x}, "column 2 (counted from 1) has no name"},
        {{.name = "", .number = x}, "has no name"},
        {{.name = "x", .number = x}, "columns 1 and 2 (counted from 1) are both"},
        {{.name = "z"}, "column 'z' has no values"},
        {{.name = "z", .number = x, .text = school}, "of several kinds"},
        {{.name = "z", .code = below, .n_levels = 4, .level = dose},
         "column 'z' has code -2 in row 2 (counted from 1); codes are 0 to 3"},
        {{.name = "z", .code = above, .n_levels = 4, .level = dose},
         "has code 4 in row 3"},
        {{.name = "z", .code = above}, "code 0 in row 1"},
        {{.name = "z", .code = above, .n_levels = 4}, "no levels"},
        {{.name = "z", .code = above, .n_levels = -1, .level = dose}, "no levels"},
        {{.name = "z", .code = dose_code, .n_levels = 4, .level = twice},
         "levels 0 and 2 are both 'a'"},
        {{.name = "z", .code = dose_code, .n_levels = 4, .level = hole},
         "level 1 is NULL"},
    };
    dlp_table sentinel, *t;
    for (dlp_index i = 0; i < COUNT(wrong); i++) {
        const dlp_column_data both[] = {columns[0], wrong[i].column};
        t = &sentinel;
        assert_fails(dlp_table_from_columns(4, 2, both, &t, error), DLP_EINVAL,
                     wrong[i].words);
        assert_null(t);
    }
    assert_fails(dlp_table_from_columns(0, 1, columns, &t, error), DLP_EINVAL, "a row");
    assert_fails(dlp_table_from_columns(4, 0, columns, &t, error), DLP_EINVAL, "columns");
    assert_fails(dlp_table_from_columns(4, 1, NULL, &t, error), DLP_EINVAL, "columns");
    assert_fails(dlp_table_from_columns(4, 1, columns, NULL, error), DLP_EINVAL, "table");
    assert_fails(dlp_table_from_columns(4, PTRDIFF_MAX, columns, &t, error), DLP_EINPUT,
                 "columns");
}

/* A column of missing values alone, and one without levels. */
static void columns_may_be_all_missing(void **state)
{
    (void)state;
    static const int32_t none[] = {-1, -1};
    static const char *const nothing[] = {NULL, NULL};
    const dlp_column_data empty[] = {{.name = "a", .code = none},
                                     {.name = "b", .text = nothing}};
    dlp_table *t;
    assert_ok(dlp_table_from_columns(2, 2, empty, &t, error));
    for (int j = 0; j < 2; j++) {
        assert_int_equal(t->column[j].missing, 2);
        assert_int_equal(t->column[j].n_levels, 0);
        assert_non_null(t->column[j].level);
    }
    dlp_table_free(t);
}

static void rows_are_selected(void **state)
{
    (void)state;
    static const unsigned char keep[] = {0, 1, 1, 0}, none[4] = {0};
    dlp_table *all, *t;
    assert_ok(dlp_table_from_columns(4, COUNT(columns), columns, &all, error));
    assert_ok(dlp_table_select(all, keep, &t, error));
    dlp_table_free(all); /* everything is copied */
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->columns, 4);
    assert_false(t->column[0].borrowed);
    assert_true(isnan(t->column[0].number[0]) && t->column[0].number[1] == 2.46);
    assert_int_equal(t->column[0].missing, 1);
    assert_int_equal(t->column[1].code[0], 0);
    assert_int_equal(t->column[1].code[1], -1);
    assert_int_equal(t->column[1].n_levels, 4); /* with those that no row has any more */
    assert_string_equal(t->column[1].level[3], "never");
    assert_int_equal(t->column[2].missing, 1);
    assert_string_equal(t->column[2].level[t->column[2].code[1]], "NA");
    assert_string_equal(t->column[3].name, "y y");
    all = t;
    assert_fails(dlp_table_select(all, none, &t, error), DLP_EINPUT,
                 "none of the 2 rows");
    assert_null(t);
    assert_fails(dlp_table_select(all, NULL, &t, error), DLP_EINVAL, "rows to keep");
    assert_fails(dlp_table_select(NULL, keep, &t, error), DLP_EINVAL, "a table");
    assert_fails(dlp_table_select(all, keep, NULL, error), DLP_EINVAL, "room");
    dlp_table_free(all);
}

/* ---- corpora ---- */

static const dlp_index row[] = {0, 4, 4, 6};
static const int32_t term[] = {3, 1, 3, 0, 2, 2}, count[] = {1, 2, 3, 0, 0, 0};
static const char *const vocab[] = {"zero", "one", "two", "three"};
static const char *const name[] = {"a", "b", "c"};

static void rows_become_a_corpus(void **state)
{
    (void)state;
    dlp_corpus *c;
    assert_ok(dlp_corpus_from_csr(3, 4, row, term, count, vocab, name, &c, error));
    assert_ok(dlp_corpus_check(c, error));
    assert_int_equal(c->nnz, 2); /* 3 occurs twice, and zeros are dropped */
    assert_int_equal(c->words, 6);
    assert_int_equal(c->term[0], 1);
    assert_int_equal(c->count[0], 2);
    assert_int_equal(c->term[1], 3);
    assert_int_equal(c->count[1], 4);
    assert_int_equal(c->row[3], 2);
    assert_string_equal(c->vocab[3], "three");
    assert_string_equal(c->name[2], "c");
    dlp_corpus_free(c);

    const dlp_index empty[] = {0, 0};
    assert_ok(dlp_corpus_from_csr(1, 1, empty, NULL, NULL, NULL, NULL, &c, error));
    assert_int_equal(c->nnz, 0);
    assert_null(c->vocab);
    dlp_corpus_free(c);
}

static void wrong_rows_are_refused(void **state)
{
    (void)state;
    static const dlp_index late[] = {1, 2, 3, 6}, back[] = {0, 4, 2, 6};
    static const dlp_index before[] = {0, -1, 0, 6};
    static const int32_t below[] = {0, 0, 0, 0, -1, 0}, above[] = {0, 0, 0, 0, 4, 0};
    static const int32_t most[] = {INT32_MAX, 2, 3, 0, 0, 0};
    static const int32_t same[] = {1, 1, 1, 1, 1, 1};
    static const char *const hole[] = {"zero", NULL, "two", "three"};
    static const char *const blank[] = {"a", " \t", "c"};
    static const struct {
        const dlp_index *row;
        const int32_t *term, *count;
        const char *const *vocab, *const *name;
        dlp_status status;
        const char *words;
    } wrong[] = {
        {late, term, count, NULL, NULL, DLP_EINVAL, "row[0] is 1"},
        {back, term, count, NULL, NULL, DLP_EINVAL, "document 1 ends before"},
        {before, term, count, NULL, NULL, DLP_EINVAL, "document 0 ends before"},
        {row, below, count, NULL, NULL, DLP_EINVAL, "document 2 has term -1"},
        {row, above, count, NULL, NULL, DLP_EINVAL, "document 2 has term 4"},
        {row, term, below, NULL, NULL, DLP_EINVAL, "count -1"},
        {row, NULL, count, NULL, NULL, DLP_EINVAL, "needs term"},
        {row, term, NULL, NULL, NULL, DLP_EINVAL, "needs term"},
        {row, same, most, NULL, NULL, DLP_EINPUT, "add up"},
        {row, term, count, hole, NULL, DLP_EINVAL, "the name of term 1 is NULL"},
        {row, term, count, NULL, blank, DLP_EINVAL, "the name of document 1 is blank"},
        {NULL, term, count, NULL, NULL, DLP_EINVAL, "row"},
    };
    dlp_corpus sentinel, *c;
    for (dlp_index i = 0; i < COUNT(wrong); i++) {
        c = &sentinel;
        assert_fails(dlp_corpus_from_csr(3, 4, wrong[i].row, wrong[i].term,
                                         wrong[i].count, wrong[i].vocab, wrong[i].name,
                                         &c, error),
                     wrong[i].status, wrong[i].words);
        assert_null(c);
    }
    static const dlp_index sizes[][2] = {
        {0, 4}, {-1, 4}, {3, 0}, {3, -1}, {3, (dlp_index)INT32_MAX + 1}};
    for (dlp_index i = 0; i < COUNT(sizes); i++)
        assert_fails(dlp_corpus_from_csr(sizes[i][0], sizes[i][1], row, term, count, NULL,
                                         NULL, &c, error),
                     DLP_EINVAL, "D and V");
    assert_fails(dlp_corpus_from_csr(3, 4, row, term, count, NULL, NULL, NULL, error),
                 DLP_EINVAL, "a corpus");
}

/* ---- memory ---- */

static void memory_may_lack(void **state)
{
    (void)state;
    for (int n = 0, left = -1; left < 0; n++) {
        dlp_table *t;
        allocations_left = n;
        const dlp_status status =
            dlp_table_from_columns(4, COUNT(columns), columns, &t, NULL);
        left = allocations_left;
        allocations_left = -1;
        assert_int_equal(status, left < 0 ? DLP_ENOMEM : DLP_OK);
        dlp_table_free(t);
    }
    dlp_table *all;
    assert_ok(dlp_table_from_columns(4, COUNT(columns), columns, &all, error));
    for (int n = 0, left = -1; left < 0; n++) {
        dlp_table *t;
        allocations_left = n;
        const dlp_status status =
            dlp_table_select(all, (const unsigned char *)"\1\0\1\1", &t, NULL);
        left = allocations_left;
        allocations_left = -1;
        assert_int_equal(status, left < 0 ? DLP_ENOMEM : DLP_OK);
        dlp_table_free(t);
    }
    dlp_table_free(all);
    for (int n = 0, left = -1; left < 0; n++) {
        dlp_corpus *c;
        allocations_left = n;
        const dlp_status status =
            dlp_corpus_from_csr(3, 4, row, term, count, vocab, name, &c, NULL);
        left = allocations_left;
        allocations_left = -1;
        assert_int_equal(status, left < 0 ? DLP_ENOMEM : DLP_OK);
        dlp_corpus_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_become_a_table),
        cmocka_unit_test(designs_are_built_of_such_tables),
        cmocka_unit_test(wrong_columns_are_refused),
        cmocka_unit_test(columns_may_be_all_missing),
        cmocka_unit_test(rows_are_selected),
        cmocka_unit_test(rows_become_a_corpus),
        cmocka_unit_test(wrong_rows_are_refused),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

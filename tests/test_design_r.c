/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Designs against R: golden/formula.txt, written by formula_r.R, has a data frame and
 * what R's model.matrix makes of some hundred formulas over it. Each is also built a
 * second time, from the terms of the first, which must give the same bits.
 * DLP_FORMULA_GOLDEN names another such file, for trials.
 */
#include "core/text.h"
#include "hand_table.h"
#include "support.h"

#include <delaplace/design.h>

enum { MOST_COLUMNS = 32, MOST_FIELDS = 128 };

struct golden {
    FILE *file;
    char *line;
    size_t room;
    char *field[MOST_FIELDS];
    int fields;
};

/* The next line, cut at its tabs; false at the end. */
static bool next_line(struct golden *g)
{
    ssize_t size = getline(&g->line, &g->room, g->file);
    if (size < 0) return false;
    g->line[size - 1] = '\0';
    g->fields = 0;
    for (char *at = g->line; at && g->fields < MOST_FIELDS; g->fields++) {
        g->field[g->fields] = at;
        at = strchr(at, '\t');
        if (at) *at++ = '\0';
    }
    return true;
}

static void golden_open(struct golden *g)
{
    const char *name = getenv("DLP_FORMULA_GOLDEN");
    *g = (struct golden){
        .file = fopen(name ? name : DLP_TEST_DIR "/golden/formula.txt", "r")};
    assert_non_null(g->file);
}

static void golden_close(struct golden *g)
{
    fclose(g->file);
    free(g->line);
}

/* Reads the columns of the data frame; stops at the first line after them. */
static dlp_table *read_table(struct golden *g)
{
    struct hand_column column[MOST_COLUMNS];
    dlp_index n = 0;
    while (next_line(g) && strcmp(g->field[0], "data") == 0) {
        for (int i = 4; i < g->fields; i++) *(g->field[i] - 1) = ' ';
        assert_true(n < MOST_COLUMNS);
        column[n++] = (struct hand_column){.name = strdup(g->field[1]),
                                           .values = strdup(g->field[3])};
    }
    dlp_table *table = hand_table(column, n);
    for (dlp_index j = 0; j < n; j++) {
        free((char *)column[j].name);
        free((char *)column[j].values);
    }
    return table;
}

static void assert_values(const struct golden *g, int first, const dlp_design *d,
                          const double *x)
{
    assert_int_equal(g->fields - first, d->N);
    for (dlp_index i = 0; i < d->N; i++)
        assert_close(x[i], strtod(g->field[first + i], NULL), 1e-12);
}

static void assert_same_bits(const dlp_design *a, const dlp_design *b)
{
    const size_t bytes = (size_t)a->N * sizeof(double);
    assert_int_equal(a->N, b->N);
    assert_int_equal(a->dropped, b->dropped);
    assert_int_equal(a->p, b->p);
    assert_int_equal(a->response, b->response);
    for (dlp_index j = 0; j < a->p; j++) {
        assert_string_equal(a->name[j], b->name[j]);
        assert_memory_equal(a->x[j], b->x[j], bytes);
        assert_int_equal(a->assign[j], b->assign[j]);
    }
    assert_memory_equal(a->y, b->y, bytes);
    assert_int_equal(!a->offset, !b->offset);
    if (a->offset) assert_memory_equal(a->offset, b->offset, bytes);
}

static dlp_design *build(const char *text, const dlp_table *table)
{
    dlp_formula *formula;
    dlp_design *design, *again;
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_ok(dlp_design_build(formula, table, NULL, &design, error));
    dlp_formula_free(formula);
    assert_ok(dlp_design_rebuild(design->terms, table, NULL, &again, error));
    assert_same_bits(design, again);
    dlp_design_free(again);
    return design;
}

static void designs_are_those_of_r(void **state)
{
    (void)state;
    struct golden g;
    golden_open(&g);
    dlp_table *table = read_table(&g);
    dlp_design *design = NULL;
    dlp_index columns = 0;
    int formulas = 0;
    do {
        const char *what = g.field[0];
        if (strcmp(what, "formula") == 0) {
            if (design) assert_int_equal(columns, design->p);
            dlp_design_free(design);
            print_message("%s\n", g.field[1]);
            design = build(g.field[1], table);
            columns = 0;
            formulas++;
        } else if (!design) {
            continue;
        } else if (strcmp(what, "column") == 0) {
            assert_true(columns < design->p);
            assert_string_equal(design->name[columns], g.field[1]);
            assert_values(&g, 2, design, design->x[columns++]);
        } else if (strcmp(what, "offset") == 0) {
            assert_values(&g, 1, design, design->offset);
        } else if (strcmp(what, "response") == 0) {
            assert_values(&g, 1, design, design->y);
        }
    } while (next_line(&g));
    assert_true(formulas > 100);
    dlp_design_free(design);
    hand_table_free(table);
    golden_close(&g);
}

static void numbers_are_written_as_r_does(void **state)
{
    (void)state;
    struct golden g;
    int numbers = 0;
    golden_open(&g);
    while (next_line(&g)) {
        char text[DLPI_NUMBER_TEXT];
        if (strcmp(g.field[0], "number") != 0) continue;
        dlpi_number_text(strtod(g.field[1], NULL), text);
        assert_string_equal(text, g.field[2]);
        numbers++;
    }
    assert_true(numbers > 20);
    golden_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(designs_are_those_of_r),
        cmocka_unit_test(numbers_are_written_as_r_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

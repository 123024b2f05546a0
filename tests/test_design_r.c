/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Designs against R: golden/formula.txt, written by formula_r.R, has a data frame and
 * what R's model.matrix makes of some hundred formulas over it. Each is also built a
 * second time, from the terms of the first, which must give the same bits.
 * DLP_FORMULA_GOLDEN names another such file, for trials. golden/random.txt, written by
 * random_r.R, has what lme4 makes of formulas with random effects.
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

static void golden_open_random(struct golden *g)
{
    *g = (struct golden){.file = fopen(DLP_TEST_DIR "/golden/random.txt", "r")};
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
    assert_int_equal(a->n_random, b->n_random);
}

static void assert_same_random(const dlp_design *a, const dlp_design *b)
{
    const size_t N = (size_t)a->N;
    for (dlp_index r = 0; r < a->n_random; r++) {
        const dlp_random *x = &a->random[r], *y = &b->random[r];
        assert_string_equal(x->label, y->label);
        assert_string_equal(x->group.variable, y->group.variable);
        assert_int_equal(x->group.n, y->group.n);
        for (dlp_index i = 0; i < x->group.n; i++)
            assert_string_equal(x->group.level[i], y->group.level[i]);
        assert_memory_equal(x->code, y->code, N * sizeof *x->code);
        assert_int_equal(x->q, y->q);
        for (dlp_index j = 0; j < x->q; j++) {
            assert_string_equal(x->name[j], y->name[j]);
            assert_memory_equal(x->x[j], y->x[j], N * sizeof **x->x);
        }
    }
}

static dlp_design *build(const char *text, const dlp_table *table, int random)
{
    dlp_design_options options = dlp_design_options_default();
    dlp_formula *formula;
    dlp_design *design, *again;
    options.random = random;
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_ok(dlp_design_build(formula, table, &options, &design, error));
    dlp_formula_free(formula);
    /* by the tree that the terms keep, and by their text, as from a file */
    dlp_terms from_file = *design->terms;
    from_file.parsed = NULL;
    assert_non_null(design->terms->parsed);
    for (int i = 0; i < 2; i++) {
        const dlp_terms *terms = i ? &from_file : design->terms;
        assert_ok(dlp_design_rebuild(terms, table, NULL, &again, error));
        assert_same_bits(design, again);
        assert_same_random(design, again);
        assert_string_equal(design->terms->formula, again->terms->formula);
        dlp_design_free(again);
    }
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
            design = build(g.field[1], table, 0);
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

/* ---- random effects ---- */

/* Where the lines of a formula have got to. */
struct place {
    const dlp_design *design;
    dlp_index fixed, random, column;
};

static void assert_complete(const struct place *at)
{
    const dlp_design *d = at->design;
    if (!d) return;
    assert_int_equal(at->fixed, d->p);
    assert_int_equal(at->random, d->n_random);
    assert_int_equal(at->column, d->random[d->n_random - 1].q);
}

static void assert_texts(const struct golden *g, dlp_index n, const char *const *text)
{
    assert_int_equal(g->fields - 1, n);
    for (dlp_index i = 0; i < n; i++) assert_string_equal(text[i], g->field[i + 1]);
}

static void assert_codes(const struct golden *g, const dlp_design *d, const int32_t *code)
{
    assert_int_equal(g->fields - 1, d->N);
    for (dlp_index i = 0; i < d->N; i++)
        assert_int_equal(code[i], strtol(g->field[i + 1], NULL, 10));
}

/* One line of what lme4 says, but for those that begin a formula. */
static void assert_line(const struct golden *g, struct place *at)
{
    const dlp_design *d = at->design;
    if (strcmp(g->field[0], "fixed") == 0) {
        assert_true(at->fixed < d->p);
        assert_string_equal(d->name[at->fixed], g->field[1]);
        assert_values(g, 2, d, d->x[at->fixed++]);
        return;
    }
    if (strcmp(g->field[0], "random") == 0) {
        if (at->random > 0) assert_int_equal(at->column, d->random[at->random - 1].q);
        assert_true(at->random < d->n_random);
        assert_string_equal(d->random[at->random++].label, g->field[1]);
        at->column = 0;
        return;
    }
    const dlp_random *r = &d->random[at->random - 1];
    if (strcmp(g->field[0], "group") == 0) {
        assert_string_equal(r->group.variable, g->field[1]);
    } else if (strcmp(g->field[0], "levels") == 0) {
        assert_texts(g, r->group.n, r->group.level);
    } else if (strcmp(g->field[0], "codes") == 0) {
        assert_codes(g, d, r->code);
    } else {
        assert_true(at->column < r->q);
        assert_string_equal(r->name[at->column], g->field[1]);
        assert_values(g, 2, d, r->x[at->column++]);
    }
}

static void random_effects_are_those_of_lme4(void **state)
{
    (void)state;
    struct golden g;
    golden_open_random(&g);
    dlp_table *table = read_table(&g);
    dlp_design *design = NULL;
    struct place at = {.design = NULL};
    int formulas = 0;
    do {
        if (strcmp(g.field[0], "formula") == 0) {
            assert_complete(&at);
            dlp_design_free(design);
            print_message("%s\n", g.field[1]);
            design = build(g.field[1], table, 1);
            at = (struct place){.design = design};
            formulas++;
        } else if (design) {
            assert_line(&g, &at);
        }
    } while (next_line(&g));
    assert_complete(&at);
    assert_true(formulas > 40);
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
        cmocka_unit_test(random_effects_are_those_of_lme4),
        cmocka_unit_test(numbers_are_written_as_r_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

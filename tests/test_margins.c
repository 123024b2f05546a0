/* SPDX-License-Identifier: BSD-3-Clause */
/* Which terms and columns of a design are margins of which. */
#include "hand_table.h"
#include "support.h"
#include "table/design/margins.h"
#include "table/formula/formula.h"

#include <delaplace/design.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct hand_column columns[] = {
    {"y", "2.385 0.71 3.14 0.99 1.27 5.83"},
    {"x", "0.31 1.72 2.46 0.55 3.17 1.09"},
    {"yr", "1 2 3 4 5 6"},
    {"my x", "3 1 4 1 5 9"},
    {"a:b", "2 7 1 8 2 8"},
    {"a", "1 6 1 8 0 3"},
    {"b", "0 5 7 7 2 1"},
    {"g", "u v w u v w"},
    {"h", "p:q o pt p:q o pt"},
    {"hp", "q q t q t t"},
    {"p", "(n !n (n !n !n (n"},
    {"year", "1 2 1 2 1 1"},
    {"tick`", "2 3 5 7 1 1"},
    {"log", "1 3 3 2 2 9"},
};

static dlp_design *build(const char *text, dlp_table *table)
{
    dlp_formula *formula;
    dlp_design *design;
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_ok(dlp_design_build(formula, table, NULL, &design, error));
    dlp_formula_free(formula);
    return design;
}

/* "x:yr < x yr; I(x^2) < x": the terms that have parents, and those. */
static const char *margins_text(const dlp_design *d)
{
    static char text[1024];
    size_t used = 0;
    dlpi_term_margins m;
    text[0] = '\0';
    assert_ok(dlpi_margins_find(d, &m, error));
    for (dlp_index t = 0; t < m.terms; t++) {
        if (m.begin[t] == m.begin[t + 1]) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s <",
                                 used > 0 ? "; " : "", d->term[t]);
        for (dlp_index i = m.begin[t]; i < m.begin[t + 1]; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s",
                                     d->term[m.parent[i]]);
    }
    dlpi_margins_clear(&m);
    return text;
}

static void terms_have_the_margins_that_they_are_made_of(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *margins;
    } cases[] = {
        {"y ~ 1", ""},
        {"y ~ x + yr + g", ""},
        {"y ~ x*yr", "x:yr < x yr"},
        {"y ~ x:yr", ""},
        {"y ~ yr + x:yr", "yr:x < yr"},
        {"y ~ x*yr*g",
         "x:yr < x yr; x:g < x g; yr:g < yr g; "
         "x:yr:g < x yr g x:yr x:g yr:g"},
        {"y ~ I(yr^2) + yr", "I(yr^2) < yr"},
        {"y ~ I(yr^3) + I(yr^2) + yr", "I(yr^3) < yr I(yr^2); I(yr^2) < yr"},
        {"y ~ yr + I(yr^10) + I(yr^2)", "I(yr^10) < yr I(yr^2); I(yr^2) < yr"},
        {"y ~ x + I(x^3) + I(x^2) + I(x^10) + I(x^4)",
         "I(x^3) < x I(x^2); I(x^2) < x; I(x^10) < x I(x^2) I(x^3) I(x^4); "
         "I(x^4) < x I(x^2) I(x^3)"},
        {"y ~ I(x^3):I(yr^2) + I(x^2):I(yr^2)", "I(x^3):I(yr^2) < I(yr^2):I(x^2)"},
        {"y ~ log(x) + x + sqrt(x)", "log(x) < x; sqrt(x) < x log(x)"},
        {"y ~ I(x*yr) + x + yr + x:yr", "I(x * yr) < x yr; x:yr < x yr"},
        {"y ~ I(x^2) + I(x*yr) + x", "I(x^2) < x; I(x * yr) < x I(x^2)"},
        {"y ~ x*I(yr^2) + yr", "I(yr^2) < yr; x:I(yr^2) < x yr I(yr^2)"},
        {"y ~ x*yr + x:I(yr^2)", "x:yr < x yr; x:I(yr^2) < x yr x:yr"},
        {"y ~ `my x` * x", "`my x`:x < `my x` x"},
        {"y ~ I(`my x`^2) + `my x` + x", "I(`my x`^2) < `my x`"},
        {"y ~ `a:b` + a + b + a:b", "a:b < a b"},
        {"y ~ `a:b` * a", "`a:b`:a < `a:b` a"},
        {"y ~ I(`tick\\``^2) * x + `tick\\``",
         "I(`tick\\``^2) < `tick\\``; I(`tick\\``^2):x < x `tick\\`` I(`tick\\``^2)"},
        {"y ~ factor(year) + year", ""},
        {"y ~ factor(year) + I(year^2) + year", "I(year^2) < factor(year) year"},
        {"y ~ factor(year) * x", "factor(year):x < factor(year) x"},
        {"y ~ scale(x) + x", "scale(x) < x"},
        {"y ~ log + log(x) + x", "log(x) < x"},
        {"y ~ log(log) + log", "log(log) < log"},
        {"y ~ g/x", "g:x < g"},
        {"y ~ g*h*p - g:p", "g:h < g h; h:p < h p; g:h:p < g h p g:h h:p"},
        {"y ~ (x + yr + g)^2 - x", "x:yr < yr; x:g < g; yr:g < yr g"},
        {"y ~ x*yr + (x*yr | g)", "x:yr < x yr"},
        {"y ~ I(x/1e5) + I(x + 1e-7) + x", "I(x/1e+05) < x; I(x + 1e-07) < x I(x/1e+05)"},
    };
    dlp_table *table = hand_table(columns, COUNT(columns));
    for (size_t i = 0; i < COUNT(cases); i++) {
        dlp_design *d = build(cases[i].formula, table);
        assert_string_equal(margins_text(d), cases[i].margins);
        dlp_design_free(d);
    }
    hand_table_free(table);
}

static dlp_index column_of(const dlp_design *d, const char *name)
{
    for (dlp_index j = 0; j < d->p; j++)
        if (!strcmp(d->name[j], name)) return j;
    fail_msg("no column '%s'", name);
    return -1;
}

/* The columns, other than itself, that are margins of one. */
static void assert_margins(const dlp_design *d, const char *of, const char *expected)
{
    char text[256] = "";
    size_t used = 0;
    const dlp_index j = column_of(d, of);
    assert_true(dlpi_is_margin_of(d, j, j));
    for (dlp_index k = 0; k < d->p; k++) {
        if (k == j || !dlpi_is_margin_of(d, k, j)) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 used > 0 ? " " : "", d->name[k]);
    }
    assert_string_equal(text, expected);
}

static void columns_have_the_margins_at_their_levels(void **state)
{
    (void)state;
    dlp_table *table = hand_table(columns, COUNT(columns));
    dlp_design *d = build("y ~ x*g + I(x^2)", table);
    assert_margins(d, "x:gv", "x gv");
    assert_margins(d, "x:gw", "x gw");
    assert_margins(d, "gv", "");
    assert_margins(d, "I(x^2)", "");
    assert_margins(d, "(Intercept)", "");
    dlp_design_free(d);

    /* Levels with colons and parentheses are levels, whatever their columns are called. */
    d = build("y ~ h*x + p*x", table);
    assert_margins(d, "hp:q:x", "hp:q x");
    assert_margins(d, "x:p(n", "x p(n");
    dlp_design_free(d);

    /* Level t of hp is not level pt of h, although both columns are "hpt". */
    d = build("y ~ h + hp*x", table);
    const dlp_index of_h = column_of(d, "hpt"), of_hp = of_h + 1;
    assert_string_equal(d->name[of_hp], "hpt");
    assert_false(dlpi_is_margin_of(d, of_h, d->p - 1));
    assert_true(dlpi_is_margin_of(d, of_hp, d->p - 1));
    assert_true(dlpi_is_margin_of(d, column_of(d, "x"), d->p - 1));
    dlp_design_free(d);
    hand_table_free(table);
}

static void variables_say_what_they_are_made_of(void **state)
{
    (void)state;
    dlp_table *table = hand_table(columns, COUNT(columns));
    dlp_design *d = build("y ~ yr + I(`my x` * yr):g + factor(year) + x - x", table);
    assert_int_equal(d->n_variables, 4); /* x was taken out again */
    static const char *const label[] = {"yr", "I(`my x` * yr)", "g", "factor(year)"};
    for (int i = 0; i < 4; i++) assert_string_equal(d->variable[i].label, label[i]);
    assert_int_equal(d->variable[1].is_function, 1);
    assert_int_equal(d->variable[3].is_function, 0);
    assert_int_equal(d->variable[1].n_columns, 2);
    assert_string_equal(table->column[d->variable[1].column[0]].name, "my x");
    assert_string_equal(table->column[d->variable[1].column[1]].name, "yr");
    assert_int_equal(d->variable[0].factor, -1);
    assert_string_equal(d->terms->factor[d->variable[2].factor].variable, "g");
    assert_string_equal(d->terms->factor[d->variable[3].factor].variable, "factor(year)");

    /* a fit read from a file may have its factors in another order */
    const dlp_levels other[] = {d->terms->factor[1], d->terms->factor[0]};
    dlp_terms terms = *d->terms;
    dlp_design *again;
    terms.factor = other;
    assert_ok(dlp_design_rebuild(&terms, table, NULL, &again, error));
    assert_string_equal(again->terms->factor[again->variable[2].factor].variable, "g");
    assert_int_equal(again->level[again->p - 1][1], d->level[d->p - 1][1]);
    dlp_design_free(again);
    dlp_design_free(d);
    hand_table_free(table);
}

static void formulas_know_their_largest_feature(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        dlp_index features;
    } cases[] = {
        {"y ~ a + b", 0},
        {"y ~ x1 + x30 + x4", 30},
        {"x7 ~ x1", 7},
        {"y ~ log(x12):g + I(x3^99)", 12},
        {"y ~ `x15` + `x 16` + x17b + xx18 + x", 15},
        {"y ~ x1 + (x2 | x5)", 5},
        {"y ~ offset(x40) + x1", 40},
        {"y ~ x1 - x9", 9},
        {"y ~ x0 + x007", 0},
        {"y ~ x2147483647", INT32_MAX},
        {"y ~ x2147483648 + x99999999999999999999999 + x2", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        dlp_formula *formula;
        dlp_index features = -1;
        const dlp_terms terms = {.formula = cases[i].formula};
        assert_ok(dlp_formula_parse(cases[i].formula, &formula, error));
        assert_int_equal(dlpi_formula_features(formula), cases[i].features);
        assert_ok(dlp_terms_features(&terms, &features, error));
        assert_int_equal(features, cases[i].features);
        dlp_formula_free(formula);
    }
    const dlp_terms damaged = {.formula = "y ~ x +"};
    dlp_index features;
    assert_fails(dlp_terms_features(&damaged, &features, error), DLP_EFORMULA,
                 "formula:");
    assert_fails(dlp_terms_features(NULL, &features, error), DLP_EINVAL, "NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_have_the_margins_that_they_are_made_of),
        cmocka_unit_test(columns_have_the_margins_at_their_levels),
        cmocka_unit_test(variables_say_what_they_are_made_of),
        cmocka_unit_test(formulas_know_their_largest_feature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

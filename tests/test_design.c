/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Designs beyond their columns, which test_design_r compares with R: whose memory they
 * are, rows, responses, groups, and refusals; test_design_rebuild has those of new data.
 * The linker wraps the allocator, so that every allocation can be made to fail once.
 */
#include "design_memory.h"
#include "design_table.h"

/* ---- columns and rows ---- */

static void numeric_columns_are_the_tables_own(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ x + I(huge) + log(won + 1) + offset(year)");
    assert_int_equal(d->N, 8);
    assert_null(d->row);
    assert_int_equal(d->intercept, 0);
    assert_ptr_equal(d->x[1], column("x")->number);
    assert_ptr_equal(d->x[2], column("huge")->number);
    assert_ptr_equal(d->y, column("y")->number);
    assert_ptr_equal(d->offset, column("year")->number);
    assert_names(d->name, d->p, "(Intercept) x I(huge) log(won + 1)");
    dlp_design_free(d);
    d = build("sex ~ 0 + x + (0 + x | school)");
    assert_ptr_not_equal(d->x[0], column("x")->number);
    dlp_design_free(d);
    d = build("sex ~ (1 + x | ok)");
    assert_ptr_equal(d->group, column("ok")->code);
    assert_ptr_equal(d->class_code, column("sex")->code);
    dlp_design_free(d);
}

static void columns_know_their_terms(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ 0 + sex*x + ok");
    assert_int_equal(d->intercept, -1);
    assert_names(d->name, d->p, "sexf sexm x okTRUE sexm:x");
    assert_names(d->term, d->n_terms, "sex x ok sex:x");
    const dlp_index expected[] = {0, 0, 1, 2, 3};
    assert_memory_equal(d->assign, expected, sizeof expected);
    dlp_design_free(d);
    d = build("y ~ x");
    assert_int_equal(d->assign[0], -1);
    assert_int_equal(d->assign[1], 0);
    dlp_design_free(d);
}

static void terms_know_where_they_are_0(void **state)
{
    (void)state;
    dlp_design *d = build(
        "y ~ x + scale(x) + log(won + 1) + poly(x, 2) + sex + factor(year) + x:sex");
    const dlp_term_zero expected[] = {DLP_ZERO_OWN,     DLP_ZERO_BY_FIT, DLP_ZERO_OWN,
                                      DLP_ZERO_BY_FIT,  DLP_ZERO_BY_FIT, DLP_ZERO_NOWHERE,
                                      DLP_ZERO_NOWHERE, DLP_ZERO_NOWHERE};
    assert_int_equal(d->n_terms, 8);
    for (dlp_index t = 0; t < d->n_terms; t++)
        assert_int_equal(dlp_design_term_zero(d, t), expected[t]);
    dlp_design_free(d);
}

static void rows_that_miss_a_value_are_left_out(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ x + age + school + offset(year)");
    assert_int_equal(d->N, 6);
    assert_int_equal(d->dropped, 2);
    assert_int_equal(d->missing[dlp_table_find(table, "age")], 1);
    assert_int_equal(d->missing[dlp_table_find(table, "y")], 0);
    assert_int_equal(d->unseen, 0);
    const dlp_index row[] = {0, 1, 3, 4, 5, 7};
    assert_memory_equal(d->row, row, sizeof row);
    assert_names(d->name, d->p, "(Intercept) x age schoolv schoolw");
    assert_numbers(d->x[1], 6, "0.31 -1.72 0.55 3.17 1.09 7");
    assert_numbers(d->x[2], 6, "31 42 23 54 65 17");
    assert_numbers(d->x[3], 6, "0 1 0 1 0 0");
    assert_numbers(d->y, 6, "2.385 0.71 0.99 1.27 5.83 0.3");
    assert_numbers(d->offset, 6, "1999 2001 1999 1999 2001 2000");
    dlp_design_free(d);
    d = build("y ~ x + age - age"); /* taken out again: it costs no row */
    assert_int_equal(d->dropped, 0);
    dlp_design_free(d);

    const dlp_design_options strict = {.size = sizeof(dlp_design_options),
                                       .missing_is_error = 1};
    assert_fails(try_build("y ~ x + age", &strict, &d, error), DLP_EINPUT,
                 "column 'age' lacks 1 of 8 values, the first in row 3 (counted from 1)");
    assert_fails(try_build("y ~ x + school", &strict, &d, error), DLP_EINPUT,
                 "column 'school' lacks 1 of 8 values, the first in row 7");
}

/* Of options of a program that was compiled with an older header, the rest are defaults;
   of one with a newer header, the library does not know the rest. */
static void options_may_be_shorter_or_longer(void **state)
{
    (void)state;
    struct {
        dlp_design_options known;
        double more;
    } longer = {.known = dlp_design_options_default(), .more = 2.385};
    dlp_design_options options = longer.known;
    dlp_design *d;
    options.missing_is_error = longer.known.missing_is_error = 1;
    options.size = offsetof(dlp_design_options, missing_is_error);
    dlp_design_free(build_with("y ~ age", &options));
    options.size = 0;
    assert_fails(try_build("y ~ age", &options, &d, error), DLP_EINVAL, "size 0");
    longer.known.size = sizeof longer;
    assert_fails(try_build("y ~ age", &longer.known, &d, error), DLP_EINPUT, "lacks");

    dlp_table_options half;
    memset(&half, 0xff, sizeof half);
    dlp_table_options_init(&half, offsetof(dlp_table_options, header));
    assert_int_equal(half.size, offsetof(dlp_table_options, header));
    assert_string_equal(half.format, "auto");
    assert_int_equal(half.header, -1); /* nothing is written behind the size */
}

/* A row that does not count is as good as not there: neither its missing values nor its
   levels matter, and it is not among those that are left out. */
static void rows_that_do_not_count_are_not_looked_at(void **state)
{
    (void)state;
    const unsigned char keep[] = {1, 1, 0, 1, 1, 0, 1, 1};
    const dlp_design_options some = {.size = sizeof(dlp_design_options), .keep = keep};
    dlp_design *d = build_with("y ~ x + age + school", &some);
    assert_int_equal(d->dropped, 1); /* row 7; row 3 misses one too, but is not there */
    const dlp_index row[] = {0, 1, 3, 4, 7};
    assert_int_equal(d->N, 5);
    assert_memory_equal(d->row, row, sizeof row);
    assert_numbers(d->x[2], 5, "31 42 23 54 17");
    dlp_design_free(d);

    dlp_design_problem problem = {.kind = DLP_PROBLEM_OTHER};
    const dlp_design_options strict = {.size = sizeof(dlp_design_options),
                                       .keep = keep,
                                       .missing_is_error = 1,
                                       .problem = &problem};
    dlp_design_free(build_with("y ~ x + age", &strict));
    assert_fails(try_build("y ~ x + school", &strict, &d, error), DLP_EINPUT,
                 "column 'school' lacks 1 of 6 values, the first in row 7 (counted from "
                 "1)");
    assert_int_equal(problem.kind, DLP_PROBLEM_MISSING);
    assert_string_equal(table->column[problem.column].name, "school");
    assert_int_equal(problem.row, 6);
    assert_fails(try_build("y ~ x + wrong", &strict, &d, error), DLP_EINPUT, "infinite");
    assert_int_equal(problem.kind, DLP_PROBLEM_OTHER);
    assert_int_equal(problem.column, -1);
    const unsigned char none[8] = {0};
    const dlp_design_options nothing = {.size = sizeof(dlp_design_options), .keep = none};
    assert_fails(try_build("y ~ x", &nothing, &d, error), DLP_EINPUT, "no rows");
}

static void levels_that_do_not_occur_have_no_column(void **state)
{
    (void)state;
    static const struct hand_column gaps[] = {
        {"y", "1 2 3 4 5"}, {"a", "p q r s q"}, {"x", "1 2 NA 4 NA"}};
    dlp_table *whole = table;
    table = hand_table(gaps, COUNT(gaps));
    dlp_design *d = build("y ~ a + x");
    assert_names(d->name, d->p, "(Intercept) aq as x");
    assert_names(d->terms->factor[0].level, d->terms->factor[0].n, "p q s");
    dlp_design_free(d);
    hand_table_free(table);
    table = whole;
}

/* ---- responses, offsets, groups ---- */

static void responses_are_of_three_kinds(void **state)
{
    (void)state;
    dlp_design *d = build("log(y) ~ x");
    assert_int_equal(d->response, DLP_RESPONSE_NUMERIC);
    assert_close(d->y[0], log(2.385), 1e-15);
    assert_string_equal(d->terms->response.variable, "log(y)");
    assert_int_equal(d->terms->response.n, 0);
    dlp_design_free(d);

    d = build("cbind(won, lost) ~ x");
    assert_int_equal(d->response, DLP_RESPONSE_BINOMIAL);
    assert_ptr_equal(d->y, column("won")->number);
    assert_numbers(d->trials, 8, "5 7 5 9 7 17 3 14");
    assert_string_equal(d->terms->response.variable, "cbind(won, lost)");
    dlp_design_free(d);
    d = build("cbind(won, 20 - won) ~ age");
    assert_numbers(d->y, 7, "3 0 1 5 9 2 6");
    assert_numbers(d->trials, 7, "20 20 20 20 20 20 20");
    dlp_design_free(d);

    d = build("school ~ x + age");
    assert_int_equal(d->response, DLP_RESPONSE_CATEGORICAL);
    assert_codes(d->class_code, d->N, "0 1 0 1 2 0");
    assert_names(d->terms->response.level, d->terms->response.n, "u v w");
    dlp_design_free(d);
    d = build("ok ~ x");
    assert_codes(d->class_code, d->N, "1 0 0 1 1 0 0 1");
    assert_names(d->terms->response.level, d->terms->response.n, "FALSE TRUE");
    dlp_design_free(d);
    const dlp_design_options as_factor = {.size = sizeof(dlp_design_options),
                                          .response_is_factor = 1};
    for (int option = 0; option < 2; option++) {
        d = build_with(option ? "year ~ x" : "factor(year) ~ x",
                       option ? &as_factor : NULL);
        assert_codes(d->class_code, d->N, "0 2 1 0 0 2 1 1");
        assert_names(d->terms->response.level, d->terms->response.n, "1999 2000 2001");
        dlp_design *again = rebuild(d->terms, table, NULL);
        assert_codes(again->class_code, again->N, "0 2 1 0 0 2 1 1");
        dlp_design_free(again);
        dlp_design_free(d);
    }
}

static void a_reference_comes_first(void **state)
{
    (void)state;
    static const struct {
        dlp_reference reference;
        const char *message;
    } wrong[] = {
        {{"scool", "w"}, "no factor 'scool'; did you mean 'school'?"},
        {{"x", "1"}, "no factor 'x'; its factors are school, year"},
        {{"school", "W"}, "'school' has no level 'W'; did you mean 'w'?"},
        {{"school", "zzzzz"}, "'school' has no level 'zzzzz'; its levels are u, v, w"},
    };
    const char *text = "y ~ school + x + factor(year)";
    const dlp_reference reference[] = {{"school", "w"}, {"factor(year)", "2000"}};
    dlp_design_options options = {
        .size = sizeof(dlp_design_options), .n_references = 2, .reference = reference};
    dlp_design *d = build_with(text, &options);
    assert_names(d->name, d->p,
                 "(Intercept) schoolu schoolv x factor(year)1999 factor(year)2001");
    assert_names(d->terms->factor[0].level, 3, "w u v");
    assert_numbers(d->x[1], d->N, "1 0 0 1 0 0 1");
    assert_numbers(d->x[2], d->N, "0 1 0 0 1 0 0");
    dlp_design *again = rebuild(d->terms, table, NULL);
    assert_names(again->name, again->p,
                 "(Intercept) schoolu schoolv x factor(year)1999 factor(year)2001");
    for (dlp_index j = 0; j < d->p; j++)
        assert_memory_equal(again->x[j], d->x[j], (size_t)d->N * sizeof **d->x);
    dlp_design_free(again);
    dlp_design_free(d);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_error error;
        options = (dlp_design_options){.size = sizeof(dlp_design_options),
                                       .n_references = 1,
                                       .reference = &wrong[i].reference};
        assert_int_equal(try_build(text, &options, &d, &error), DLP_EINPUT);
        assert_non_null(strstr(error.message, wrong[i].message));
    }
}

static void a_formula_may_have_one_side(void **state)
{
    (void)state;
    static const struct hand_column one[] = {{"x", "2"}, {"sex", "m"}};
    dlp_design *fit = build("~ x + sex");
    assert_int_equal(fit->response, DLP_RESPONSE_NONE);
    assert_null(fit->y);
    assert_null(fit->terms->response.variable);
    assert_names(fit->name, fit->p, "(Intercept) x sexm");
    dlp_table *data = hand_table(one, COUNT(one));
    dlp_design *d = rebuild(fit->terms, data, NULL);
    assert_int_equal(d->response, DLP_RESPONSE_NONE);
    assert_int_equal(d->p, 3);
    assert_near(d->x[2][0], 1, 0);
    dlp_design_free(d);
    hand_table_free(data);
    dlp_design_free(fit);
}

static void offsets_add_up(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ x + offset(won) + offset(log(lost)) + offset(-x)");
    for (dlp_index i = 0; i < d->N; i++)
        assert_close(d->offset[i],
                     column("won")->number[i] + log(column("lost")->number[i]) -
                         column("x")->number[i],
                     1e-14);
    dlp_design_free(d);
    d = build("y ~ x");
    assert_null(d->offset);
    dlp_design_free(d);
}

static void groups_come_from_bars_or_an_option(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ (1 + x | school)");
    assert_names(d->name, d->p, "(Intercept) x");
    assert_codes(d->group, d->N, "0 1 2 0 1 2 0");
    assert_int_equal(d->dropped, 1);
    assert_string_equal(d->terms->group.variable, "school");
    assert_names(d->terms->group.level, d->terms->group.n, "u v w");
    dlp_design_free(d);

    const dlp_design_options by_year = {.size = sizeof(dlp_design_options),
                                        .group = "year"};
    d = build_with("won ~ y + offset(x)", &by_year);
    assert_codes(d->group, d->N, "0 2 1 0 0 2 1 1");
    assert_names(d->terms->group.level, d->terms->group.n, "1999 2000 2001");
    assert_string_equal(d->terms->formula, "won ~ y + offset(x)");
    dlp_design *again = rebuild(d->terms, table, NULL);
    assert_memory_equal(again->group, d->group, (size_t)d->N * sizeof *d->group);
    dlp_design_free(again);
    dlp_design_free(d);
}

static void every_term_varies_by_group(void **state)
{
    (void)state;
    static const char *const fine[][2] = {
        {"y ~ (x | sex)", "(Intercept) x"},
        {"y ~ (0 + x | sex)", "x"},
        {"y ~ (1 | sex)", "(Intercept)"},
        {"y ~ 1 + x + (1 + x | sex)", "(Intercept) x"},
        {"y ~ won:x + (x:won | sex)", "(Intercept) x:won"},
        {"y ~ 0 + x + (0 + x | sex)", "x"},
        {"y ~ 0 + (1 + x | sex)", "(Intercept) x"},
        {"y ~ ok + (0 + ok | sex) - 1", "okFALSE okTRUE"},
        {"y ~ offset(won) + (. - age - school - four - same - wrong - void - zero | sex)",
         "(Intercept) x okTRUE year won lost huge"},
        {"y ~ (x | factor(year))", "(Intercept) x"},
    };
    for (size_t i = 0; i < COUNT(fine); i++) {
        dlp_design *d = build(fine[i][0]);
        assert_names(d->name, d->p, fine[i][1]);
        assert_non_null(d->group);
        dlp_design_free(d);
    }
}

/* ---- refusals ---- */

static void what_no_fit_can_use_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"y ~ x + ag", "formula:1:9: unknown column 'ag'; did you mean 'age'?"},
        {"y ~ I(x + Year)", "formula:1:11: unknown column 'Year'; did you mean 'year'?"},
        {"yy ~ x", "formula:1:1: unknown column 'yy'; did you mean 'y'?"},
        {"y ~ . - schol", "formula:1:9: unknown column 'schol'; did you mean 'school'?"},
        {"y ~ qqqqqq", "unknown column 'qqqqqq'; the 15 columns are y, x, age, school, "},
        {"y ~ (x | scool)",
         "formula:1:10: unknown column 'scool'; did you mean 'school'?"},
        {"y ~ log(school)",
         "formula:1:9: column 'school' holds categories such as 'u' in row 1 (counted "
         "from 1), and numbers are needed"},
        {"cbind(won, sex) ~ x", "formula:1:12: column 'sex' holds categories"},
        {"y ~ x + y", "formula:1:9: the response is also on the right side"},
        {"y ~ x + y:x", "formula:1:9: the response is also on the right side"},
        {"y ~ I(2)", "formula:1:5: this names no column"},
        {"y ~ 0", "neither terms nor an intercept"},
        {"y ~ x - x - 1", "neither terms nor an intercept"},
        {"four ~ x", "the response 'four' is '4' in each of the 8 rows used"},
        {"same ~ x", "the response 'same' is 'k' in each of the 8 rows used"},
        {"cbind(zero, won) ~ x", "is 'no success' in each of the 8 rows"},
        {"cbind(won, zero) ~ x", "is 'no failure' in each of the 8 rows"},
        {"cbind(x, won) ~ y", "has -1.72 successes in row 2 (counted from 1)"},
        {"cbind(won, x) ~ y", "has -1.72 failures in row 2 (counted from 1)"},
        {"cbind(huge, huge) ~ y", "'cbind(huge, huge)' is too large in row 4"},
        {"y ~ same",
         "'same' is 'k' in each of the 8 rows used, and a factor needs two "
         "levels"},
        {"y ~ factor(four)", "'factor(four)' is '4' in each of the 8 rows"},
        {"y ~ void",
         "no row is left: each of the 8 lacks a value, most often of column "
         "'void'"},
        {"y ~ log(x)",
         "log(x): column 'x' is -1.72 in row 2 (counted from 1), and log() "
         "takes numbers above 0"},
        {"y ~ sqrt(x - 0.5)",
         "sqrt(x - 0.5): 'x - 0.5' is -0.19 in row 1 (counted from 1), "
         "and sqrt() takes numbers from 0"},
        {"y ~ log1p(x)", "log1p(x): column 'x' is -1.72 in row 2"},
        {"y ~ log(x) + age", "column 'x' is -1.72 in row 2"},
        {"y ~ I(x/zero)", "'I(x/zero)' is infinite in row 1 (counted from 1)"},
        {"y ~ I(zero/zero)", "'I(zero/zero)' is not a number in row 1"},
        {"y ~ I(huge^2)", "'I(huge^2)' is infinite in row 1"},
        {"y ~ huge:I(huge*1)", "'huge:I(huge * 1)' is too large in row 1"},
        {"y ~ offset(huge) + offset(huge)",
         "'the sum of the offsets' is too large in row 4"},
        {"y ~ wrong", "column 'wrong' is infinite in row 4 (counted from 1)"},
        {"y ~ I(-wrong)", "column 'wrong' is infinite in row 4"},
        {"y ~ factor(wrong)", "column 'wrong' is infinite in row 4"},
        {"y ~ scale(four)", "scale(four) cannot be computed"},
        {"y ~ scale(void)", "scale(void) cannot be computed"},
        {"y ~ (1 | school) + (1 | sex)",
         "formula:1:20: a hierarchy has one grouping term"},
        {"y ~ (x || school)", "formula:1:5: '||' is not supported"},
        {"y ~ (x | school:sex)", "formula:1:10: group by one column"},
        {"y ~ (x | school/sex)", "formula:1:10: group by one column"},
        {"y ~ x + (1 | school)", "formula:1:5: 'x' does not vary by 'school'"},
        {"y ~ won:x + (x + won | sex)", "formula:1:5: 'won:x' does not vary by 'sex'"},
        {"y ~ 1 + (0 + x | school)", "the intercept is outside the bars"},
        {"y ~ x + (0 + x | school)", "the intercept is outside the bars"},
        {"y ~ (x + offset(won) | sex)", "offset() belongs outside the bars"},
        {"y ~ (1 + sex | sex)", "'sex' groups the rows, so it cannot be a term as well"},
        {"y ~ (factor(year) | year)", "'year' groups the rows"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_design *d;
        assert_wrong_input(try_build(wrong[i][0], NULL, &d, error), wrong[i][1]);
        assert_int_not_equal(try_build(wrong[i][0], NULL, &d, NULL), DLP_OK);
    }
}

/* One slip makes a column of numbers one of categories, which nobody meant. */
static void numbers_with_a_slip_are_no_categories(void **state)
{
    (void)state;
    static const struct hand_column slips[] = {
        {"y", "3 1 4 1 5 9 2 6 5 3 5 8"},
        {"x", "1 2 3 4 NA - 6 abc 7 8 9 10"}, /* 9 of 11: a column of codes */
        {"slip", "1 2 3 4 5 6 NA abc 7 8 9 10"},
        {"twice", "1 2 3 4 5 6 1 abc 7 8 9 1"}, /* 9 distinct */
    };
    static const char slip[] =
        "column 'slip' holds numbers, and 'abc' in row 8 (counted from 1); correct it, "
        "or leave it empty where the value is missing; write factor(slip) if these are";
    dlp_table *data = hand_table(slips, COUNT(slips)), *whole = table;
    dlp_design *d;
    table = data;
    assert_fails(try_build("y ~ slip", NULL, &d, error), DLP_EINPUT, slip);
    assert_fails(try_build("y ~ y:slip", NULL, &d, error), DLP_EFORMULA,
                 "also on the right side");
    assert_fails(try_build("y ~ x:slip", NULL, &d, error), DLP_EINPUT, slip);
    assert_fails(try_build("slip ~ y", NULL, &d, error), DLP_EINPUT, slip);
    assert_fails(try_build("y ~ scale(slip)", NULL, &d, error), DLP_EINPUT,
                 "such as 'abc' in row 8");
    assert_fails(try_build("y ~ log(x)", NULL, &d, error), DLP_EINPUT,
                 "such as 'abc' in row 8");
    static const char *const right[] = {"y ~ factor(slip)", "factor(slip) ~ y", "y ~ x",
                                        "y ~ twice", "y ~ (1 | slip)"};
    for (size_t i = 0; i < COUNT(right); i++) dlp_design_free(build(right[i]));
    table = whole;
    hand_table_free(data);
}

static void misuse_is_refused(void **state)
{
    (void)state;
    dlp_design *d;
    const dlp_terms terms = {.formula = "y ~ x"};
    const dlp_table nothing = {.rows = 0}, *none = &nothing;
    char name[] = "y";
    dlp_column y = {.name = name}, pair[] = {{.name = name}, {.name = name}};
    const dlp_table empty = {.columns = 1, .column = &y},
                    twice = {.columns = 2, .column = pair};
    dlp_formula *formula;
    assert_ok(dlp_formula_parse("y ~ 1", &formula, error));
    assert_fails(dlp_design_build(NULL, table, NULL, &d, error), DLP_EINVAL, "is NULL");
    assert_fails(dlp_design_build(formula, NULL, NULL, &d, error), DLP_EINVAL, "is NULL");
    assert_fails(dlp_design_build(formula, table, NULL, NULL, error), DLP_EINVAL,
                 "is NULL");
    assert_fails(dlp_design_build(formula, none, NULL, &d, error), DLP_EINPUT,
                 "no columns");
    assert_fails(dlp_design_build(formula, &empty, NULL, &d, error), DLP_EINPUT,
                 "no rows");
    assert_fails(dlp_design_build(formula, &twice, NULL, &d, error), DLP_EINPUT,
                 "two columns 'y'");
    assert_fails(dlp_design_rebuild(NULL, table, NULL, &d, error), DLP_EINVAL, "is NULL");
    assert_fails(dlp_design_rebuild(&terms, table, NULL, NULL, error), DLP_EINVAL,
                 "is NULL");
    const dlp_design_options at_mean = {.size = sizeof(dlp_design_options),
                                        .unseen_level = DLP_UNSEEN_POPULATION};
    assert_fails(dlp_design_rebuild(&terms, table, &at_mean, &d, error), DLP_EINVAL,
                 "for unseen_group only");
    const dlp_design_options by_nothing = {.size = sizeof(dlp_design_options),
                                           .group = "nothing"},
                             by_sex = {.size = sizeof by_sex, .group = "sex"};
    assert_fails(try_build("y ~ x", &by_nothing, &d, error), DLP_EINPUT,
                 "unknown column 'nothing'");
    assert_fails(try_build("y ~ (x | ok)", &by_sex, &d, error), DLP_EFORMULA,
                 "the formula has a grouping term");
    assert_fails(try_build("y ~ sex", &by_sex, &d, error), DLP_EFORMULA,
                 "groups the rows");
    dlp_design_free(NULL);
    dlp_terms_free(NULL);
    dlp_formula_free(formula);
}

static void wide_designs_are_refused(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    double number[ROWS];
    for (int i = 0; i < ROWS; i++) number[i] = i + 0.5;
    char y[] = "y", k[] = "k";
    dlp_column wide[] = {{.name = y, .number = number}, {.name = k, .number = number}};
    const dlp_table data = {.rows = ROWS, .columns = 2, .column = wide};
    dlp_formula *formula;
    dlp_design *d;
    assert_ok(dlp_formula_parse("y ~ factor(k)*as.factor(k)", &formula, error));
    assert_fails(dlp_design_build(formula, &data, NULL, &d, error), DLP_EINPUT,
                 "more than 32768 columns from term 'factor(k):as.factor(k)' on");
    dlp_formula_free(formula);
}

/* ---- memory ---- */

static void memory_that_lacks_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dlp_status in_the_end;
    } job[] = {
        {"factor(year) ~ scale(x):sex + age + log(y + 1)*ok + offset(won) + (. - void - "
         "same "
         "- wrong + scale(x):sex + log(y + 1)*ok | school)",
         DLP_OK},
        {"cbind(won, lost) ~ (sex + ok + x)^3 + offset(x) + offset(y)", DLP_OK},
        {"cbind(won, lost) ~ ag", DLP_EINPUT},
        {"~ sex*x", DLP_OK},
        {"y ~ log(x)", DLP_EINPUT},
    };
    for (size_t i = 0; i < COUNT(job); i++)
        assert_true(assert_ends(job[i].text, job[i].in_the_end) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numeric_columns_are_the_tables_own),
        cmocka_unit_test(columns_know_their_terms),
        cmocka_unit_test(terms_know_where_they_are_0),
        cmocka_unit_test(rows_that_miss_a_value_are_left_out),
        cmocka_unit_test(options_may_be_shorter_or_longer),
        cmocka_unit_test(rows_that_do_not_count_are_not_looked_at),
        cmocka_unit_test(levels_that_do_not_occur_have_no_column),
        cmocka_unit_test(responses_are_of_three_kinds),
        cmocka_unit_test(a_reference_comes_first),
        cmocka_unit_test(a_formula_may_have_one_side),
        cmocka_unit_test(offsets_add_up),
        cmocka_unit_test(groups_come_from_bars_or_an_option),
        cmocka_unit_test(every_term_varies_by_group),
        cmocka_unit_test(what_no_fit_can_use_is_refused),
        cmocka_unit_test(numbers_with_a_slip_are_no_categories),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(wide_designs_are_refused),
        cmocka_unit_test(memory_that_lacks_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_table, free_table);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random effects of designs beyond what test_design_r compares with lme4: whose memory
 * they are, rows, new data, terms of a fit, and refusals. The linker wraps the allocator,
 * so that every allocation can be made to fail once.
 */
#include "design_memory.h"

/* ---- a table ---- */

static const struct hand_column columns[] = {
    {"y", "2.385 0.71 3.14 0.99 1.27 5.83 4.2 0.3"},
    {"x", "0.31 -1.72 2.46 0.55 3.17 1.09 0.2 7"},
    {"age", "31 42 NA 23 54 65 36 17"},
    {"school", "u v w u v w NA u"},
    {"sex", "f m f m f m f m"},
    {"year", "1999 2001 2000 1999 1999 2001 2000 2000"},
    {"won", "3 0 4 1 5 9 2 6"},
    {"lost", "2 7 1 8 2 8 1 8"},
    {"same", "k k k k k k k k"},
    {"huge", "1e200 1e250 1e300 1e308 1 2 3 4"},
    {"wrong", "1 2 3 inf 4 5 6 7"},
    {"a b", "p q p q p q p q"},
    {"sex:year", "1 1 1 1 2 2 2 2"},
    {"time", "1:30 2 1 30:2 1 30:2 2 2"},
    {"half", "0.5 1 0.5 1 NA 1 0.5 1"},
};

static dlp_design_options random_options(void)
{
    dlp_design_options options = dlp_design_options_default();
    options.random = 1;
    return options;
}

static int make_table(void **state)
{
    (void)state;
    static dlp_design_options with_random;
    with_random = random_options();
    usual = &with_random;
    table = hand_table(columns, COUNT(columns));
    return 0;
}

/* The labels of the random effects, separated by ';'. */
static void assert_labels(const dlp_design *d, const char *expected)
{
    char text[512] = "";
    size_t used = 0;
    for (dlp_index r = 0; r < d->n_random; r++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                 r > 0 ? "; " : "", d->random[r].label);
    assert_string_equal(text, expected);
}

/* ---- what there is ---- */

static void bars_stand_beside_fixed_effects(void **state)
{
    (void)state;
    static const char *const known[][3] = {
        {"y ~ (1 | sex)", "(Intercept)", "1 | sex"},
        {"y ~ 0 + (1 | sex)", "", "1 | sex"},
        {"y ~ (1 | sex) - 1", "", "1 | sex"},
        {"y ~ x + (x | sex)", "(Intercept) x", "x | sex"},
        {"y ~ 0 + x*won + (1 + x + won | sex) + (1 | year)", "x won x:won",
         "1 + x + won | sex; 1 | year"},
        {"~ x + (1 | sex)", "(Intercept) x", "1 | sex"},
        {"cbind(won, lost) ~ sex + offset(x) + (sex || year/school)", "(Intercept) sexm",
         "1 | year; 1 | year:school; 0 + sex | year; 0 + sex | year:school"},
        {"y ~ sex + (1 | sex)", "(Intercept) sexm", "1 | sex"},
        {"y ~ x + (x - x | sex)", "(Intercept) x", "x - x | sex"},
        {"y ~ x", "(Intercept) x", ""},
        {"y ~ (1 | `a b`:sex) + (1 | `a b`)", "(Intercept)", "1 | `a b`:sex; 1 | a b"},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        dlp_design *d = build(known[i][0]);
        assert_names(d->name, d->p, known[i][1]);
        assert_labels(d, known[i][2]);
        assert_null(d->group);
        assert_null(d->terms->group.variable);
        dlp_design_free(d);
    }
    dlp_design *d = build("y ~ 0 + (1 | sex)");
    assert_int_equal(d->p, 0);
    assert_int_equal(d->n_terms, 0);
    assert_int_equal(d->intercept, -1);
    assert_int_equal(d->N, 8);
    dlp_design_free(d);
}

static void a_term_has_columns_codes_and_levels(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ 1 + (0 + I(x^2):sex + age | year:school)");
    const dlp_random *r = &d->random[0];
    assert_int_equal(d->N, 6); /* rows 3 and 7 miss age and school */
    assert_int_equal(d->dropped, 2);
    assert_int_equal(r->q, 3);
    assert_names(r->name, r->q, "age I(x^2):sexf I(x^2):sexm");
    assert_numbers(r->x[0], d->N, "31 42 23 54 65 17");
    assert_numbers(r->x[1], d->N, "0.0961 0 0 10.05 0 0");
    assert_numbers(r->x[2], d->N, "0 2.958 0.3025 0 1.188 49");
    assert_string_equal(r->group.variable, "year:school");
    assert_names(r->group.level, r->group.n, "1999:u 1999:v 2000:u 2001:v 2001:w");
    assert_codes(r->code, d->N, "0 3 0 1 4 2");
    dlp_design_free(d);
}

static void an_effect_says_what_it_is_made_of(void **state)
{
    (void)state;
    dlp_design *d = build("y ~ 1 + (age + I(age^2) + sex:I(x^3) + exp(x) | school)");
    const dlp_random *r = &d->random[0];
    assert_names(r->name, r->q,
                 "(Intercept) age I(age^2) exp(x) sexf:I(x^3) sexm:I(x^3)");
    const int power[] = {0, 1, 2, 0, 0, 0};
    const char *const of[] = {"", "age", "age", "x", "sex x", "sex x"};
    for (dlp_index j = 0; j < r->q; j++) {
        char text[64] = "";
        for (dlp_index k = r->effect_begin[j]; k < r->effect_begin[j + 1]; k++) {
            if (text[0]) strcat(text, " ");
            strcat(text, columns[r->effect_column[k]].name);
        }
        assert_string_equal(text, of[j]);
        assert_int_equal(r->power[j], power[j]);
    }
    dlp_design_free(d);
}

static void memory_is_shared_where_it_can_be(void **state)
{
    (void)state;
    dlp_design *d = build(
        "y ~ x + log(won + 1) + (x + log(won + 1) | sex/year) + (0 + "
        "won || sex)");
    assert_labels(d,
                  "x + log(won + 1) | sex; x + log(won + 1) | sex:year; 0 + won | "
                  "sex");
    assert_ptr_equal(d->random[0].x[1], column("x")->number);
    assert_ptr_equal(d->random[0].x[2], d->x[2]);
    assert_ptr_equal(d->random[1].x, d->random[0].x);
    assert_ptr_equal(d->random[0].code, column("sex")->code);
    assert_ptr_equal(d->random[2].code, d->random[0].code);
    assert_ptr_equal(d->random[0].group.level, d->terms->grouping[0].level);
    assert_int_equal(d->terms->n_groupings, 2);
    dlp_design_free(d);
}

static void dots_are_all_but_what_groups(void **state)
{
    (void)state;
    static const struct hand_column few[] = {{"y", "1 2 3 4"},
                                             {"x", "1 5 2 3"},
                                             {"g", "u v u v"},
                                             {"h", "p p q q"},
                                             {"my z", "2 1 1 3"}};
    dlp_table *whole = table;
    table = hand_table(few, COUNT(few));
    dlp_design *d = build("y ~ . + (. || g) + (.^2 | h:g)");
    assert_names(d->name, d->p, "(Intercept) x `my z`");
    assert_labels(d, "1 | g; 0 + x | g; 0 + `my z` | g; (x + `my z`)^2 | h:g");
    assert_string_equal(d->terms->formula,
                        "y ~ x + `my z` + (x + `my z` || g) + ((x + `my z`)^2 | h:g)");
    dlp_design *again = rebuild(d->terms, table, NULL);
    assert_labels(again, "1 | g; 0 + x | g; 0 + `my z` | g; (x + `my z`)^2 | h:g");
    dlp_design_free(again);
    dlp_design_free(d);
    hand_table_free(table);
    table = whole;
}

/* 1:30 with 2, and 1 with 30:2, are two groups. */
static void combinations_have_names_of_their_own(void **state)
{
    (void)state;
    static const struct hand_column colons[] = {
        {"y", "1 2 3 4 5"}, {"g", "1:30 1 1:30 1 x\\"}, {"h", "2 30:2 2 2 2"}};
    dlp_table *whole = table;
    table = hand_table(colons, COUNT(colons));
    dlp_design *d = build("y ~ (1 | g:h)");
    assert_names(d->random[0].group.level, d->random[0].group.n,
                 "1:2 1:30\\:2 1\\:30:2 x\\\\:2");
    assert_codes(d->random[0].code, d->N, "2 1 2 0 3");
    dlp_design_free(d);
    hand_table_free(table);
    table = whole;
}

static void references_hold_inside_bars(void **state)
{
    (void)state;
    const dlp_reference reference[] = {{"school", "w"}};
    dlp_design_options options = random_options();
    options.n_references = 1;
    options.reference = reference;
    dlp_design *d = build_with("y ~ x + (school | sex)", &options);
    assert_names(d->random[0].name, d->random[0].q, "(Intercept) schoolu schoolv");
    dlp_design *again = rebuild(d->terms, table, NULL);
    assert_names(again->random[0].name, 3, "(Intercept) schoolu schoolv");
    assert_numbers(again->random[0].x[1], again->N, "1 0 0 1 0 0 1");
    dlp_design_free(again);
    dlp_design_free(d);
    dlp_error error;
    assert_int_equal(try_build("y ~ (1 | school)", &options, &d, &error), DLP_EINPUT);
    assert_non_null(strstr(error.message, "the formula has no factor 'school'"));
}

static void rows_that_miss_a_group_are_left_out(void **state)
{
    (void)state;
    const unsigned char keep[] = {1, 1, 1, 0, 0, 1, 1, 1};
    dlp_design_options options = random_options();
    dlp_design *d = build("y ~ (1 | school) + (1 | sex)");
    assert_int_equal(d->dropped, 1);
    assert_int_equal(d->missing[dlp_table_find(table, "school")], 1);
    assert_codes(d->random[0].code, d->N, "0 1 2 0 1 2 0");
    assert_codes(d->random[1].code, d->N, "0 1 0 1 0 1 1");
    dlp_design_free(d);
    options.keep = keep;
    d = build_with("y ~ (1 | school:year)", &options); /* 1999:v is in row 5 alone */
    assert_names(d->random[0].group.level, d->random[0].group.n,
                 "u:1999 u:2000 v:2001 w:2000 w:2001");
    assert_codes(d->random[0].code, d->N, "0 2 3 4 1");
    dlp_design_free(d);
    options = random_options();
    options.missing_is_error = 1;
    assert_fails(try_build("y ~ (1 | sex:school)", &options, &d, error), DLP_EINPUT,
                 "column 'school' lacks 1 of 8 values, the first in row 7");
}

/* ---- refusals ---- */

static void what_no_fit_can_use_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"y ~ x + (1 | scool)",
         "formula:1:14: unknown column 'scool'; did you mean 'school'?"},
        {"y ~ (1 | sex:yaer)",
         "formula:1:14: unknown column 'yaer'; did you mean 'year'"},
        {"y ~ (1 | sex/yaer)", "formula:1:14: unknown column 'yaer'"},
        {"y ~ (ag | sex)", "formula:1:6: unknown column 'ag'; did you mean 'age'?"},
        {"y ~ (ag || sex)", "formula:1:6: unknown column 'ag'; did you mean 'age'?"},
        {"y ~ (x + ag - ag || sex)", "formula:1:10: unknown column 'ag'"},
        {"y ~ (x + ag - ag | sex)", "formula:1:10: unknown column 'ag'"},
        {"y ~ (log(sex) | year)", "formula:1:10: column 'sex' holds categories"},
        {"y ~ (y | sex)", "formula:1:6: the response is also on the right side"},
        {"y ~ (x + y || sex)", "formula:1:10: the response is also on the right side"},
        {"won ~ (1 | won)", "formula:1:12: the response has 'won' in it"},
        {"cbind(won, lost) ~ (1 | sex/lost)", "formula:1:29: the response has 'lost' in"},
        {"log(won + 1) ~ (1 | factor(won))",
         "formula:1:21: the response has 'won' in it"},
        {"y ~ (x + offset(won) | sex)",
         "formula:1:10: offset() belongs outside the bars"},
        {"y ~ (0 | sex)", "formula:1:5: nothing varies by group here; write (1 | g)"},
        {"y ~ x + (0 || sex)", "formula:1:9: nothing varies by group here"},
        {"y ~ (x - x - 1 | sex)", "formula:1:5: nothing varies by group here"},
        {"y ~ (1 | same)",
         "'same' is 'k' in each of the 8 rows used, and effects that vary by group need "
         "two groups; take its bars out of the formula"},
        {"y ~ (1 | same:same)", "'same' follows the bar twice"},
        {"y ~ (1 | sex/same) + (1 | same)", "'same' is 'k' in each of the 8 rows"},
        {"y ~ (same | sex)", "'same' is 'k' in each of the 8 rows used, and a factor"},
        {"y ~ (0 + same | sex)",
         "'same' is 'k' in each of the 8 rows used, and a factor"},
        {"y ~ (1 | x)",
         "formula:1:10: column 'x' is 0.31 in row 1 (counted from 1), and groups are "
         "names or whole numbers; write factor(x) if each number is a group"},
        {"y ~ (1 | sex:x)", "formula:1:14: column 'x' is 0.31 in row 1"},
        {"y ~ (1 | wrong)", "column 'wrong' is infinite in row 4 (counted from 1)"},
        {"y ~ (1 | sex:wrong)", "column 'wrong' is infinite in row 4 (counted from 1)"},
        {"y ~ (wrong | sex)", "column 'wrong' is infinite in row 4"},
        {"y ~ (huge:I(huge*1) | sex)", "'huge:I(huge * 1)' is too large in row 1"},
        {"y ~ (log(x) | sex)", "log(x): column 'x' is -1.72 in row 2"},
        {"y ~ (sex | sex)",
         "formula:1:6: 'sex' groups the rows of this term, so it cannot vary by group"},
        {"y ~ (x + factor(year) | sex/year)", "formula:1:10: 'year' groups the rows"},
        {"y ~ (1 | sex) + (x | sex)",
         "formula:1:17: (Intercept) varies by 'sex' in an earlier term, too; keep it in "
         "one "
         "of them, as in (1 | g) + (0 + x | g)"},
        {"y ~ (1 | sex/year) + (1 | sex)", "formula:1:22: (Intercept) varies by 'sex'"},
        {"y ~ (0 + x | sex) + (x || sex)", "formula:1:21: x varies by 'sex'"},
        {"y ~ (1 | sex:year) + (1 | `sex:year`)",
         "formula:1:27: 'sex:year' is a column, and a combination of columns as well"},
        {"y ~ 0", "neither terms nor an intercept"},
        {"y ~ x*(1 | sex)",
         "formula:1:7: grouping terms can only be added to the others"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_design *d;
        assert_wrong_input(try_build(wrong[i][0], NULL, &d, error), wrong[i][1]);
        assert_int_not_equal(try_build(wrong[i][0], NULL, &d, NULL), DLP_OK);
    }
}

static void fractions_are_groups_where_they_are_called_so(void **state)
{
    (void)state;
    static const unsigned char whole[] = {0, 1, 0, 1, 1, 1, 0, 1};
    dlp_design_options options = random_options();
    dlp_design *d = build("y ~ (1 | factor(half))");
    assert_names(d->random[0].group.level, d->random[0].group.n, "0.5 1");
    assert_codes(d->random[0].code, d->N, "0 1 0 1 1 0 1");
    assert_string_equal(d->random[0].label, "1 | half");
    dlp_design *again = rebuild(d->terms, table, NULL);
    assert_codes(again->random[0].code, again->N, "0 1 0 1 1 0 1");
    dlp_design_free(again);
    dlp_design_free(d);
    options.keep = whole; /* rows that do not count are not looked at */
    assert_fails(try_build("y ~ (1 | half)", &options, &d, error), DLP_EINPUT,
                 "two groups");
}

static void misuse_is_refused(void **state)
{
    (void)state;
    dlp_design *d;
    dlp_design_options options = random_options();
    options.group = "sex";
    assert_fails(try_build("y ~ x", &options, &d, error), DLP_EINVAL, "not both");
    dlp_design_options shorter = random_options(); /* of an older program: as ever */
    shorter.size = offsetof(dlp_design_options, random);
    assert_fails(try_build("y ~ x + (1 | sex)", &shorter, &d, error), DLP_EFORMULA,
                 "'x' does not vary by 'sex'");
}

static void wide_designs_are_refused(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    double number[ROWS], half[ROWS];
    for (int i = 0; i < ROWS; i++) number[i] = i + 0.5, half[i] = i % 2;
    char y[] = "y", k[] = "k", g[] = "g";
    dlp_column wide[] = {{.name = y, .number = number},
                         {.name = k, .number = number},
                         {.name = g, .number = half}};
    const dlp_table data = {.rows = ROWS, .columns = 3, .column = wide};
    const dlp_design_options options = random_options();
    dlp_formula *formula;
    dlp_design *d;
    assert_ok(dlp_formula_parse("y ~ (factor(k)*as.factor(k) | g)", &formula, error));
    assert_fails(dlp_design_build(formula, &data, &options, &d, error), DLP_EINPUT,
                 "more than 32768 columns from term 'factor(k):as.factor(k)' on");
    dlp_formula_free(formula);
    char *text = malloc(1 << 20), *end = text + sprintf(text, "y ~ 1");
    for (int i = 0; i < 17000; i++) end += sprintf(end, " + (1 | g/k)");
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_fails(dlp_design_build(formula, &data, &options, &d, error), DLP_EFORMULA,
                 "the bars have more than 32768 terms");
    dlp_formula_free(formula);
    end = text + sprintf(text, "y ~ 1");
    for (int i = 0; i < 70; i++)
        end += sprintf(end,
                       " + (y + (a+b+c+d+e+f+g+h+i+j+k+l+m+n)^14 - "
                       "(a+b+c+d+e+f+g+h+i+j+k+l+m+n)^14 | g)");
    assert_ok(dlp_formula_parse(text, &formula, error));
    assert_fails(dlp_design_build(formula, &data, &options, &d, error), DLP_EFORMULA,
                 "too many products of terms");
    dlp_formula_free(formula);
    free(text);
}

/* ---- terms of a fit ---- */

static const struct hand_column others[] = {
    {"school", "w u x v u NA"},
    {"x", "1 2 3 4 5 6"},
    {"sex", "m m f f m f"},
    {"year", "2001 1999 1999 2002 2001 2000"},
};

static void new_data_get_the_groups_of_the_fit(void **state)
{
    (void)state;
    dlp_table *data = hand_table(others, COUNT(others));
    dlp_design *fit = build("y ~ sex + (scale(x) + sex | school/year)"), *d;
    dlp_design_options options = dlp_design_options_default();
    dlp_terms *terms;
    assert_ok(dlp_terms_copy(fit->terms, &terms, error));
    dlp_design_free(fit);
    assert_int_equal(terms->n_factors, 1);
    assert_int_equal(terms->n_scalings, 1);
    assert_int_equal(terms->n_groupings, 2);
    assert_string_equal(terms->grouping[0].variable, "school");
    assert_string_equal(terms->grouping[1].variable, "school:year");
    assert_names(terms->grouping[1].level, terms->grouping[1].n,
                 "u:1999 u:2000 v:1999 v:2001 w:2000 w:2001");
    options.unseen_group = DLP_UNSEEN_POPULATION;
    d = rebuild(terms, data, &options);
    assert_int_equal(d->dropped, 1);
    assert_int_equal(d->unseen, 0);
    assert_labels(d, "scale(x) + sex | school; scale(x) + sex | school:year");
    assert_codes(d->random[0].code, d->N, "2 0 -1 1 0");
    assert_codes(d->random[1].code, d->N, "5 0 -1 -1 -1");
    assert_names(d->random[0].group.level, d->random[0].group.n, "u v w");
    assert_names(d->random[0].name, d->random[0].q, "(Intercept) scale(x) sexm");
    for (dlp_index i = 0; i < d->N; i++)
        assert_close(
            d->random[0].x[1][i],
            ((double)i + 1 - terms->scaling[0].centre) / terms->scaling[0].spread, 1e-15);
    assert_numbers(d->random[0].x[2], d->N, "1 1 0 0 1");
    dlp_design_free(d);

    options.unseen_group = DLP_UNSEEN_DROP;
    d = rebuild(terms, data, &options);
    assert_int_equal(d->unseen, 3);
    assert_codes(d->random[1].code, d->N, "5 0");
    dlp_design_free(d);

    dlp_design_problem problem;
    options.unseen_group = DLP_UNSEEN_ERROR;
    options.problem = &problem;
    assert_fails(
        dlp_design_rebuild(terms, data, &options, &d, error), DLP_EINPUT,
        "level 'x' of 'school' in row 3 (counted from 1) was not seen in the fit");
    assert_int_equal(problem.kind, DLP_PROBLEM_UNSEEN_GROUP);
    assert_int_equal(problem.row, 2);
    const unsigned char keep[] = {1, 1, 0, 1, 1, 1};
    options.keep = keep;
    assert_fails(dlp_design_rebuild(terms, data, &options, &d, error), DLP_EINPUT,
                 "level 'v:2002' of 'school:year' in row 4");
    assert_string_equal(data->column[problem.column].name, "school");
    dlp_terms_free(terms);
    hand_table_free(data);
}

/* Whether bars are random effects is up to the fit, not the options. */
static void a_rebuilt_design_has_what_the_fit_had(void **state)
{
    (void)state;
    const dlp_design_options random = random_options();
    dlp_design_options none = dlp_design_options_default();
    dlp_design *fit = build("y ~ x + (1 | sex)");
    dlp_design *d = rebuild(fit->terms, table, &none);
    assert_int_equal(d->n_random, 1);
    dlp_design_free(d);
    dlp_design_free(fit);
    fit = build_with("y ~ (x | sex)", &none);
    assert_int_equal(fit->n_random, 0);
    assert_null(fit->random);
    d = rebuild(fit->terms, table, &random);
    assert_int_equal(d->n_random, 0);
    assert_non_null(d->group);
    dlp_design_free(d);
    dlp_design_free(fit);
    fit = build("y ~ sex + (1 | sex)"); /* a factor and a grouping of one name */
    assert_int_equal(fit->terms->n_factors, 1);
    d = rebuild(fit->terms, table, NULL);
    assert_names(d->name, d->p, "(Intercept) sexm");
    dlp_design_free(d);
    dlp_design_free(fit);
}

static void damaged_terms_are_refused(void **state)
{
    (void)state;
    static const char *const two[] = {"f", "m"}, *const same[] = {"f", "f"},
                             *const hole[] = {"f", NULL};
    const dlp_levels sex = {"sex", 2, two}, one = {"sex", 1, two},
                     twice = {"sex", 2, same}, gap = {"sex", 2, hole},
                     nameless = {NULL, 2, two},
                     both[] = {{"sex", 2, two}, {"sex", 2, two}},
                     more[] = {{"sex", 2, two}, {"year", 2, two}};
    const dlp_scaling lost = {"scale(z)", 0, 1};
#define SEX .n_groupings = 1, .grouping
    const struct {
        dlp_terms terms;
        const char *message;
    } wrong[] = {
        {{.formula = "y ~ (1 | sex)", .n_groupings = 1}, "'groupings' are absent"},
        {{.formula = "y ~ (1 | sex)", .n_groupings = -1}, "'groupings' are absent"},
        {{.formula = "y ~ (1 | sex)", SEX = &one}, "'sex' has too few levels"},
        {{.formula = "y ~ (1 | sex)", SEX = &twice}, "'f' is there twice"},
        {{.formula = "y ~ (1 | sex)", SEX = &gap}, "'sex' has a part without a name"},
        {{.formula = "y ~ (1 | sex)", SEX = &nameless},
         "'groupings' has a part without a name"},
        {{.formula = "y ~ (1 | sex)", .n_groupings = 2, .grouping = both},
         "'sex' is there twice"},
        {{.formula = "y ~ (1 | sex)", .group = {"sex", 2, two}, SEX = &sex},
         "'sex' groups beside random effects"},
        {{.formula = "y ~ (1 | sex)", .n_groupings = 2, .grouping = more},
         "they have groupings that their formula does not"},
        {{.formula = "y ~ x", SEX = &sex},
         "they have groupings that their formula does not"},
        {{.formula = "y ~ (1 | sex) + (1 | year)", SEX = &sex},
         "the fit has no levels of 'year'"},
        {{.formula = "y ~ (1 | sex/year)", SEX = &sex},
         "the fit has no levels of 'sex:year'"},
        {{.formula = "y ~ (school | sex)", SEX = &sex},
         "column 'school' holds categories"},
        {{.formula = "y ~ (scale(x) | sex)", SEX = &sex},
         "the fit has no constants for this"},
        {{.formula = "y ~ (scale(x) | sex)",
          SEX = &sex,
          .n_scalings = 1,
          .scaling = &lost},
         "the fit has no constants for this"},
        {{.formula = "y ~ (. | sex)", SEX = &sex}, "'.' means no column"},
        {{.formula = "y ~ (0 | sex)", SEX = &sex}, "nothing varies by group"},
        {{.formula = "y ~ (1 | sex) + (1 | year)"}, "a hierarchy has one grouping term"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_design *d = NULL;
        assert_wrong_input(dlp_design_rebuild(&wrong[i].terms, table, NULL, &d, error),
                           wrong[i].message);
        assert_null(d);
    }
    dlp_terms *copy;
    assert_fails(dlp_terms_copy(&wrong[0].terms, &copy, error), DLP_EINPUT, "are absent");
}

/* ---- memory ---- */

static void memory_that_lacks_is_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        dlp_status in_the_end;
    } job[] = {
        {"y ~ scale(x)*sex + (scale(x)*sex + age || school:factor(half)/year) + (. - x - "
         "wrong - same - huge | `a b`) + offset(won)",
         DLP_OK},
        {"cbind(won, lost) ~ 0 + (0 + sex:x | year) + (1 | sex:school:time)", DLP_OK},
        {"y ~ (1 | sex) + (1 | sex)", DLP_EFORMULA},
        {"y ~ (1 | sex:scool)", DLP_EINPUT},
    };
    for (size_t i = 0; i < COUNT(job); i++)
        assert_true(assert_ends(job[i].text, job[i].in_the_end) > 5);
}

/* Small pieces share a block, so that of few rows most allocations cannot fail alone; of
   many each has a block of its own. */
static void memory_that_lacks_for_many_rows_is_an_error(void **state)
{
    (void)state;
    enum { ROWS = 600 };
    static double y[ROWS], a[ROWS], b[ROWS];
    for (int i = 0; i < ROWS; i++) y[i] = i, a[i] = i % 300, b[i] = i % 3;
    char names[] = "y\0a\0b";
    dlp_column many[] = {{.name = names, .number = y},
                         {.name = names + 2, .number = a},
                         {.name = names + 4, .number = b}};
    dlp_table data = {.rows = ROWS, .columns = 3, .column = many}, *whole = table;
    table = &data;
    assert_true(assert_ends("y ~ (factor(b) || a) + (scale(b) | b:a)", DLP_OK) > 50);
    table = whole;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_stand_beside_fixed_effects),
        cmocka_unit_test(a_term_has_columns_codes_and_levels),
        cmocka_unit_test(an_effect_says_what_it_is_made_of),
        cmocka_unit_test(memory_is_shared_where_it_can_be),
        cmocka_unit_test(dots_are_all_but_what_groups),
        cmocka_unit_test(combinations_have_names_of_their_own),
        cmocka_unit_test(references_hold_inside_bars),
        cmocka_unit_test(rows_that_miss_a_group_are_left_out),
        cmocka_unit_test(what_no_fit_can_use_is_refused),
        cmocka_unit_test(fractions_are_groups_where_they_are_called_so),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(wide_designs_are_refused),
        cmocka_unit_test(new_data_get_the_groups_of_the_fit),
        cmocka_unit_test(a_rebuilt_design_has_what_the_fit_had),
        cmocka_unit_test(damaged_terms_are_refused),
        cmocka_unit_test(memory_that_lacks_is_an_error),
        cmocka_unit_test(memory_that_lacks_for_many_rows_is_an_error),
    };
    return cmocka_run_group_tests(tests, make_table, free_table);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The design of other data by the terms of a fit: the same columns, levels that the fit did
   not see, columns of another kind, and terms that are damaged. */
#include "design_table.h"

static const struct hand_column others[] = {
    {"school", "w u x v"},
    {"x", "1 2 3 4"},
    {"sex", "m m f q"},
    {"y", "1 1 1 NA"},
    {"year", "2001 2000 1999 2002"},
    {"ok", "no TRUE no TRUE"},
};

static void new_data_get_the_columns_of_the_fit(void **state)
{
    (void)state;
    static const struct hand_column one[] = {
        {"x", "2"}, {"sex", "m"}, {"year", "1999"}, {"school", "w"}};
    dlp_table *data = hand_table(one, COUNT(one));
    dlp_design *fit = build("y ~ sex*scale(x) + factor(year) + school");
    dlp_terms *copy;
    assert_ok(dlp_terms_copy(fit->terms, &copy, error));
    assert_int_equal(copy->n_factors, 3);
    assert_names(copy->factor[1].level, 3, "1999 2000 2001");
    assert_int_equal(copy->n_scalings, 1);
    assert_string_equal(copy->scaling[0].variable, "scale(x)");
    dlp_design *d = rebuild(copy, data, NULL);
    dlp_terms_free(copy);
    assert_int_equal(d->response, DLP_RESPONSE_NONE);
    assert_null(d->y);
    assert_int_equal(d->N, 1);
    assert_int_equal(d->p, fit->p);
    for (dlp_index j = 0; j < d->p; j++) assert_string_equal(d->name[j], fit->name[j]);
    const double scaled =
        (2 - fit->terms->scaling[0].centre) / fit->terms->scaling[0].spread;
    const double expected[] = {1, 1, scaled, 0, 0, 0, 1, scaled};
    for (dlp_index j = 0; j < d->p; j++) assert_near(d->x[j][0], expected[j], 0);
    assert_string_equal(d->terms->formula, fit->terms->formula);
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(data);
}

static void levels_unseen_at_the_fit_are_errors_or_left_out(void **state)
{
    (void)state;
    dlp_table *data = hand_table(others, COUNT(others));
    const dlp_design_options drop = {.size = sizeof(dlp_design_options),
                                     .unseen_level = DLP_UNSEEN_DROP,
                                     .skip_response = 1};
    dlp_design *fit = build("y ~ school + sex"), *d;
    assert_fails(
        dlp_design_rebuild(fit->terms, data, NULL, &d, error), DLP_EINPUT,
        "level 'x' of 'school' in row 3 (counted from 1) was not seen in the fit");
    d = rebuild(fit->terms, data, &drop);
    assert_int_equal(d->N, 2);
    assert_int_equal(d->unseen, 2);
    assert_int_equal(d->dropped, 0);
    assert_names(d->name, d->p, "(Intercept) schoolv schoolw sexm");
    assert_numbers(d->x[2], 2, "1 0");
    dlp_design_free(d);
    dlp_design_free(fit);
    fit = build("y ~ factor(year)");
    assert_fails(
        dlp_design_rebuild(
            fit->terms, data,
            &(dlp_design_options){.size = sizeof(dlp_design_options), .skip_response = 1},
            &d, error),
        DLP_EINPUT, "level '2002' of 'factor(year)' in row 4");
    dlp_design_free(fit);
    fit = build("ok ~ x");
    assert_fails(dlp_design_rebuild(fit->terms, data, NULL, &d, error), DLP_EINPUT,
                 "level 'no' of 'ok' in row 1");
    d = rebuild(fit->terms, data,
                &(dlp_design_options){.size = sizeof(dlp_design_options),
                                      .unseen_level = DLP_UNSEEN_DROP});
    assert_codes(d->class_code, d->N, "1 1");
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(data);
}

static void groups_unseen_at_the_fit_may_be_at_the_mean(void **state)
{
    (void)state;
    dlp_table *data = hand_table(others, COUNT(others));
    dlp_design *fit = build("won ~ (x | school)"), *d;
    dlp_design_problem problem;
    assert_fails(
        dlp_design_rebuild(fit->terms, data,
                           &(dlp_design_options){.size = sizeof(dlp_design_options),
                                                 .problem = &problem},
                           &d, error),
        DLP_EINPUT,
        "level 'x' of 'school' in row 3 (counted from 1) was not seen in the fit");
    assert_int_equal(problem.kind, DLP_PROBLEM_UNSEEN_GROUP);
    assert_int_equal(problem.row, 2);
    d = rebuild(fit->terms, data,
                &(dlp_design_options){.size = sizeof(dlp_design_options),
                                      .unseen_group = DLP_UNSEEN_DROP});
    assert_codes(d->group, d->N, "2 0 1");
    assert_int_equal(d->unseen, 1);
    dlp_design_free(d);
    d = rebuild(fit->terms, data,
                &(dlp_design_options){.size = sizeof(dlp_design_options),
                                      .unseen_group = DLP_UNSEEN_POPULATION});
    assert_codes(d->group, d->N, "2 0 -1 1");
    assert_int_equal(d->unseen, 0);
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(data);
}

static void the_response_is_read_where_it_is_wanted(void **state)
{
    (void)state;
    dlp_table *data = hand_table(others, COUNT(others));
    dlp_design *fit = build("y ~ x");
    dlp_design *d = rebuild(fit->terms, data, NULL);
    assert_int_equal(d->response, DLP_RESPONSE_NUMERIC); /* a constant one is fine here */
    assert_int_equal(d->dropped, 1);
    assert_numbers(d->y, d->N, "1 1 1");
    dlp_design_free(d);
    d = rebuild(
        fit->terms, data,
        &(dlp_design_options){.size = sizeof(dlp_design_options), .skip_response = 1});
    assert_int_equal(d->response, DLP_RESPONSE_NONE);
    assert_int_equal(d->N, 4);
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(data);
}

static void columns_of_another_kind_are_noticed(void **state)
{
    (void)state;
    static const struct hand_column strange[] = {{"x", "1 two 3"}, {"code", "2 1 2"}};
    static const struct hand_column fitted[] = {{"y", "1 2 3"}, {"code", "1 2 10+"}};
    dlp_table *data = hand_table(strange, COUNT(strange)), *whole = table;
    dlp_design *fit = build("y ~ x"), *d;
    assert_fails(
        dlp_design_rebuild(fit->terms, data, NULL, &d, error), DLP_EINPUT,
        "formula:1:5: column 'x' holds categories such as 'two' in row 2 (counted "
        "from 1), and numbers are needed");
    dlp_design_free(fit);
    fit = build("y ~ age");
    assert_fails(dlp_design_rebuild(fit->terms, data, NULL, &d, error), DLP_EINPUT,
                 "formula:1:5: unknown column 'age'");
    dlp_design_free(fit);
    /* Numbers whose texts are levels of the fit will do. */
    table = hand_table(fitted, COUNT(fitted));
    fit = build("y ~ code");
    d = rebuild(fit->terms, data, NULL);
    assert_names(d->name, d->p, "(Intercept) code10+ code2");
    assert_numbers(d->x[2], 3, "1 0 1");
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(table);
    table = whole;
    hand_table_free(data);
}

static void dots_mean_the_columns_of_the_fit(void **state)
{
    (void)state;
    static const struct hand_column narrow[] = {{"y", "1 2 3"}, {"a b", "1 5 2"}};
    static const struct hand_column wide[] = {{"new", "1 2 3"}, {"a b", "3 4 5"}};
    dlp_table *data = hand_table(wide, COUNT(wide)), *whole = table;
    table = hand_table(narrow, COUNT(narrow));
    dlp_design *fit = build("y ~ .");
    assert_string_equal(fit->terms->formula, "y ~ `a b`");
    dlp_design *d = rebuild(fit->terms, data, NULL);
    assert_names(d->name, d->p, "(Intercept) `a b`");
    assert_numbers(d->x[1], 3, "3 4 5");
    dlp_design_free(d);
    dlp_design_free(fit);
    hand_table_free(table);
    table = whole;
    hand_table_free(data);
}

static void damaged_terms_are_refused(void **state)
{
    (void)state;
    static const char *const two[] = {"f", "m"}, *const same[] = {"f", "f"},
                             *const hole[] = {"f", NULL};
    const dlp_levels factor = {"sex", 2, two}, twice = {"sex", 2, same},
                     gap = {"sex", 2, hole}, one = {"sex", 1, two},
                     nameless = {NULL, 2, two}, both[] = {factor, factor};
    const dlp_scaling flat = {"scale(x)", 0, 0}, lost = {NULL, 0, 1},
                      odd = {"scale(x)", NAN, 1};
    const struct {
        dlp_terms terms;
        const char *message;
    } wrong[] = {
        {{.formula = NULL}, "'formula' is absent"},
        {{.formula = "y ~ + +"}, "formula:1:7: expected a variable"},
        {{.formula = "y ~ ."}, "'.' means no column"},
        {{.formula = "y ~ sex"}, "column 'sex' holds categories"},
        {{.formula = "y ~ factor(year)"}, "the fit has no levels of this"},
        {{.formula = "y ~ scale(x)"}, "the fit has no constants for this"},
        {{.formula = "y ~ (x | sex)"}, "the fit has no levels of 'sex'"},
        {{.formula = "y ~ sex", .n_factors = 1}, "'factors' are absent"},
        {{.formula = "y ~ sex", .n_factors = -1}, "'factors' are absent"},
        {{.formula = "y ~ sex", .n_scalings = 1}, "'scalings' are absent"},
        {{.formula = "y ~ sex", .n_factors = 1, .factor = &twice}, "'f' is there twice"},
        {{.formula = "y ~ sex", .n_factors = 1, .factor = &gap},
         "'sex' has a part without a name"},
        {{.formula = "y ~ sex", .n_factors = 1, .factor = &one},
         "'sex' has too few levels"},
        {{.formula = "y ~ sex", .n_factors = 1, .factor = &nameless},
         "'factors' has a part without a name"},
        {{.formula = "y ~ sex", .n_factors = 2, .factor = both}, "'sex' is there twice"},
        {{.formula = "y ~ scale(x)", .n_scalings = 1, .scaling = &flat},
         "'scale(x)' has no centre and spread"},
        {{.formula = "y ~ scale(x)", .n_scalings = 1, .scaling = &odd},
         "'scale(x)' has no centre and spread"},
        {{.formula = "y ~ scale(x)", .n_scalings = 1, .scaling = &lost},
         "'scalings' has a part without a name"},
        {{.formula = "y ~ x", .response = {"y", 2, NULL}}, "'y' has too few levels"},
        {{.formula = "y ~ x", .group = {"sex", 0, NULL}}, "'sex' has too few levels"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        dlp_design *d = NULL;
        assert_wrong_input(dlp_design_rebuild(&wrong[i].terms, table, NULL, &d, error),
                           wrong[i].message);
        assert_null(d);
    }
    dlp_terms *copy;
    assert_fails(dlp_terms_copy(&wrong[0].terms, &copy, error), DLP_EINPUT, "is absent");
    assert_fails(dlp_terms_copy(NULL, NULL, error), DLP_EINVAL, "copy is NULL");
    assert_ok(dlp_terms_copy(NULL, &copy, error));
    assert_null(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_data_get_the_columns_of_the_fit),
        cmocka_unit_test(levels_unseen_at_the_fit_are_errors_or_left_out),
        cmocka_unit_test(groups_unseen_at_the_fit_may_be_at_the_mean),
        cmocka_unit_test(the_response_is_read_where_it_is_wanted),
        cmocka_unit_test(columns_of_another_kind_are_noticed),
        cmocka_unit_test(dots_mean_the_columns_of_the_fit),
        cmocka_unit_test(damaged_terms_are_refused),
    };
    return cmocka_run_group_tests(tests, make_table, free_table);
}

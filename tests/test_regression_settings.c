/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of the regression handle: older ones are completed, contradictions refused. */
#include "regression_support.h"

/* What is asked for and what there is have names of their own. */
static void groupings_have_names(void **state)
{
    (void)state;
    rows *r = draw_rows(19);
    dlp_regression_settings settings = dlp_regression_settings_default();
    assert_int_equal(settings.grouping, DLP_GROUPING_DEFAULT);
    assert_string_equal(dlp_grouping_name(DLP_GROUPING_DEFAULT), "default");
    assert_string_equal(dlp_grouping_name(DLP_UNGROUPED), "none");
    assert_null(dlp_grouping_name(DLP_UNGROUPED + 1));
    dlp_regression *made = fit("y ~ x", r, &settings);
    assert_int_equal(dlp_regression_result_of(made)->grouping, DLP_UNGROUPED);
    dlp_regression_free(made);
    settings.grouping = DLP_UNGROUPED;
    made = fit("y ~ x", r, &settings);
    dlp_regression_free(made);
    assert_fails(dlp_regression_fit("y ~ (x | g)", r->table, &settings, &made, error),
                 DLP_EINVAL, "no grouping is asked for");
    settings.grouping = DLP_POOLED;
    assert_fails(dlp_regression_fit("y ~ x", r->table, &settings, &made, error),
                 DLP_EINVAL, "a grouping needs groups");
    free_rows(r);
}

/* Numbers in programs, names in settings and files. */
static void methods_and_links_have_names_and_numbers(void **state)
{
    static const char *const methods[] = {"auto", "laplace", "delta", "previous-mean",
                                          "jaakkola-jordan"};
    rows *r = draw_rows(19);
    (void)state;
    for (int i = DLP_METHOD_AUTO; i <= DLP_METHOD_JAAKKOLA_JORDAN; i++)
        assert_string_equal(dlp_regression_method(i), methods[i]);
    assert_null(dlp_regression_method(DLP_METHOD_JAAKKOLA_JORDAN + 1));
    assert_string_equal(dlp_link_name(DLP_LINK_LOGIT), "logit");
    assert_string_equal(dlp_link_name(DLP_LINK_SOFTMAX), "softmax");
    assert_null(dlp_link_name(-1));
    assert_null(dlp_link_name(DLP_LINK_SOFTMAX + 1));
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = "poisson";
    settings.link = "sqrt";
    settings.method = "laplace";
    dlp_regression *made = fit("c ~ x", r, &settings);
    assert_int_equal(dlp_regression_result_of(made)->link_kind, DLP_LINK_SQRT);
    assert_int_equal(dlp_regression_result_of(made)->method_kind, DLP_METHOD_LAPLACE);
    assert_string_equal(dlp_regression_result_of(made)->link, "sqrt");
    dlp_regression_free(made);
    free_rows(r);
}

/* Also where the link is one that the family lacks, which the fit will say. */
static void whether_rows_can_be_divided_is_known_before_a_fit(void **state)
{
    dlp_formula *formula = NULL;
    dlp_regression_settings settings = dlp_regression_settings_default();
    (void)state;
    assert_ok(dlp_formula_parse("c ~ x", &formula, error));
    assert_true(dlp_regression_may_divide(formula, &settings));
    assert_true(dlp_regression_may_divide(formula, NULL));
    settings.family = "poisson";
    assert_true(dlp_regression_may_divide(formula, &settings));
    settings.link = "identity";
    assert_true(dlp_regression_may_divide(formula, &settings));
    settings.link = "probit";
    assert_true(dlp_regression_may_divide(formula, &settings));
    settings.link = NULL;
    settings.method = "jaakkola-jordan";
    assert_false(dlp_regression_may_divide(formula, &settings));
    dlp_formula_free(formula);
    /* random effects, of one linear predictor */
    settings = dlp_regression_settings_default();
    assert_ok(dlp_formula_parse("c ~ x + (1 | g)", &formula, error));
    assert_true(dlp_regression_may_divide(formula, &settings));
    settings.family = "ordinal";
    assert_false(dlp_regression_may_divide(formula, &settings));
    settings.family = "poisson";
    settings.link = "identity";
    assert_false(dlp_regression_may_divide(formula, &settings));
    dlp_formula_free(formula);
}

static void settings_may_be_shorter_or_longer(void **state)
{
    (void)state;
    rows *r = draw_rows(6);
    struct {
        dlp_regression_settings known;
        char more[64];
    } newer;
    dlp_regression_settings older = dlp_regression_settings_default();
    memset(&newer, 0x5a, sizeof newer);
    dlp_regression_settings_init(&newer.known, sizeof newer);
    assert_int_equal(newer.known.size, sizeof newer);
    assert_int_equal(newer.more[3], 0);
    older.family = "poisson";
    older.method = "no such method"; /* behind what an old program has */
    older.size = offsetof(dlp_regression_settings, link);
    newer.known.family = "poisson";
    dlp_regression *a = fit("c ~ x", r, &older), *b = fit("c ~ x", r, &newer.known);
    assert_string_equal(dlp_regression_result_of(a)->family->name, "poisson");
    assert_memory_equal(dlp_regression_result_of(a)->mu, dlp_regression_result_of(b)->mu,
                        2 * sizeof(double));
    dlp_regression_free(a);
    dlp_regression_free(b);
    free_rows(r);
}

/* Settings written by hand, without their size, are not taken for the defaults. */
static void settings_without_a_size_are_refused(void **state)
{
    (void)state;
    rows *r = draw_rows(6);
    const dlp_regression_settings by_hand = {.family = "poisson"};
    const dlp_prediction_settings also = {.what = DLP_PREDICT_SCORES};
    const dlp_table_options table_options = {.format = "csv"};
    const dlp_design_options design_options = {.weight = "x"};
    dlp_regression *made = NULL;
    dlp_prediction *p = NULL;
    dlp_table *table = NULL;
    dlp_design *design = NULL;
    dlp_formula *formula = NULL;
    assert_fails(dlp_regression_fit("c ~ x", r->table, &by_hand, &made, error),
                 DLP_EINVAL, "size 0");
    dlp_regression *ours = fit("c ~ x", r, NULL);
    assert_fails(dlp_regression_predict(ours, r->table, &also, &p, error), DLP_EINVAL,
                 "size 0");
    assert_fails(dlp_regression_predict(NULL, r->table, NULL, &p, error), DLP_EINVAL,
                 "needs a regression");
    assert_fails(dlp_table_parse("t", "a\n1\n", 4, &table_options, &table, error),
                 DLP_EINVAL, "size 0");
    assert_ok(dlp_formula_parse("c ~ x", &formula, error));
    assert_fails(dlp_design_build(formula, r->table, &design_options, &design, error),
                 DLP_EINVAL, "size 0");
    dlp_formula_free(formula);
    dlp_calibration_free(NULL);
    dlp_regression_free(ours);
    free_rows(r);
}

/* The level that is reported for a row, also where the response is 0 or 1. */
static void rows_have_a_level_or_none(void **state)
{
    (void)state;
    rows *r = draw_rows(6);
    dlp_prediction *p, *q;
    dlp_regression *binary = fit("b ~ x + z", r, NULL), *number = fit("y ~ x", r, NULL);
    assert_ok(dlp_regression_predict(binary, r->table, NULL, &p, error));
    assert_ok(dlp_regression_predict(number, r->table, NULL, &q, error));
    for (int i = 0; i < N; i++) {
        assert_int_equal(dlp_prediction_level(p, i),
                         dlp_prediction_result_of(p)->mean[i] > 0.5);
        assert_int_equal(dlp_prediction_level(q, i), -1);
    }
    assert_int_equal(dlp_prediction_level(p, N), -1);
    dlp_prediction_free(p);
    dlp_prediction_free(q);
    dlp_regression_free(binary);
    dlp_regression_free(number);
    free_rows(r);
}

static void settings_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    rows *r = draw_rows(7);
    dlp_regression *made = NULL;
    const dlp_regression_settings plain = dlp_regression_settings_default();
    dlp_regression_settings s = plain;
#define REFUSED(formula, words)                                                          \
    assert_fails(dlp_regression_fit(formula, r->table, &s, &made, error), DLP_EINVAL,    \
                 words);                                                                 \
    assert_null(made);                                                                   \
    s = plain
    s.family = "binomail";
    REFUSED("b ~ x", "the families are bernoulli, binomial");
    s.link = "log";
    REFUSED("b ~ x", "family bernoulli has no link log");
    s.method = "gibbs";
    REFUSED("b ~ x", "unknown method 'gibbs'; the methods are auto, laplace, delta,");
    s.grouping = DLP_SEPARATE;
    REFUSED("b ~ x", "needs groups");
    s.nu = 4;
    REFUSED("b ~ x", "hierarchy");
    s.prior_sd = 1;
    s.grouping = DLP_HIERARCHICAL;
    REFUSED("b ~ (x | g)", "learns the prior from the groups");
    s.scale = "by-group";
    REFUSED("b ~ (x | g)", "family bernoulli has none");
    s.scale = "each";
    REFUSED("y ~ (x | g)", "shared or by-group");
    s.intercept_sd = 3;
    REFUSED("b ~ 0 + x", "needs an intercept");
    s.n_levels = 1;
    s.level = groups;
    REFUSED("y ~ x", "needs a response with levels");
#undef REFUSED
    assert_fails(dlp_regression_fit("b ~ ", r->table, NULL, &made, error), DLP_EFORMULA,
                 "formula:1");
    assert_fails(dlp_regression_fit(NULL, r->table, NULL, &made, error), DLP_EINVAL,
                 "formula");
    free_rows(r);
}

/* A prior that outweighs the rows is the posterior: its correlations are those of the table, whose
   columns are in an order of their own. */
static void a_prior_covariance_is_taken_as_it_stands(void **state)
{
    static const char text[] = ",x,(Intercept)\nx,1e-4,6e-5\n(Intercept),6e-5,4e-4\n",
                      turned[] = ",x,(Intercept)\n(Intercept),1e-4,6e-5\nx,6e-5,4e-4\n",
                      uneven[] = "x,(Intercept)\n1e-4,6e-5\n6.0001e-5,4e-4\n",
                      unnamed[] = "mean,sd\n1,2\n";
    static const double expected[] = {4e-4, 6e-5, 6e-5, 1e-4};
    rows *r = draw_rows(23);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *prior = NULL;
    dlp_regression *made = NULL;
    unsigned char keep[64] = {1, 1, 1, 1, 1, 1};
    (void)state;
    assert_true(r->table->rows >= 64);
    unsigned char *few = calloc((size_t)r->table->rows, 1);
    dlp_table *some = NULL;
    memcpy(few, keep, sizeof keep);
    assert_ok(dlp_table_select(r->table, few, &some, error));
    free(few);
    settings.family = "poisson";
    assert_ok(dlp_table_parse("S", text, sizeof text - 1, NULL, &prior, error));
    settings.prior_covariance = prior;
    assert_ok(dlp_regression_fit("c ~ x", some, &settings, &made, error));
    for (int i = 0; i < 4; i++)
        assert_near(dlp_regression_result_of(made)->Sigma[i] / expected[i], 1, 0.05);
    dlp_regression_free(made);
    dlp_table_free(prior);
    assert_ok(dlp_table_parse("S", turned, sizeof turned - 1, NULL, &prior, error));
    settings.prior_covariance = prior;
    assert_fails(dlp_regression_fit("c ~ x", some, &settings, &made, error), DLP_EINPUT,
                 "must be in the same order");
    dlp_table_free(prior);
    assert_ok(dlp_table_parse("S", uneven, sizeof uneven - 1, NULL, &prior, error));
    settings.prior_covariance = prior;
    assert_fails(dlp_regression_fit("c ~ x", some, &settings, &made, error), DLP_EINPUT,
                 "it must be symmetric");
    dlp_table_free(prior);
    settings.prior_covariance = NULL;
    assert_ok(dlp_table_parse("S", unnamed, sizeof unnamed - 1, NULL, &prior, error));
    settings.prior = prior;
    assert_fails(dlp_regression_fit("c ~ x", some, &settings, &made, error), DLP_EINPUT,
                 "column 'term' is missing");
    dlp_table_free(prior);
    dlp_table_free(some);
    free_rows(r);
}

/* Of a function that lies 20,000 of its sds from 0 (a column would have a centre): the slope's prior is that of the column moved
   to 0, the intercept is what the level at the mean leaves, and each sd is the covariance's. */
static void the_default_prior_of_a_column_far_from_0(void **state)
{
    rows *r = draw_rows(24);
    dlp_regression_settings settings = dlp_regression_settings_default();
    double mean = 0;
    (void)state;
    settings.family = "poisson";
    for (int i = 0; i < N; i++) mean += r->far[i] / N;
    dlp_regression *far = fit("c ~ I(far + 0)", r, &settings);
    const dlp_regression_result *there = dlp_regression_result_of(far);
    const double slope = there->prior[1].sd, level = there->prior[0].sd;
    assert_non_null(there->prior_covariance);
    for (int j = 0; j < 2; j++)
        assert_near(there->prior[j].sd / sqrt(there->prior_covariance[3 * j]), 1, 1e-12);
    assert_near(there->prior_covariance[1] / (-mean * slope * slope), 1, 1e-6);
    for (int i = 0; i < N; i++) r->far[i] -= mean;
    dlp_table_free(r->table);
    make_table(r, N);
    dlp_regression *near = fit("c ~ I(far + 0)", r, &settings);
    const dlp_regression_result *here = dlp_regression_result_of(near);
    assert_near(slope / here->prior[1].sd, 1, 1e-6);
    assert_near(level / hypot(here->prior[0].sd, mean * slope), 1, 1e-6);
    dlp_regression_free(far);
    dlp_regression_free(near);
    free_rows(r);
}

/* Where responses are all the same, or their degrees of freedom unknown, a fit is by draws
   along axes that rows define, not columns: another unit, origin and reference level give
   the same fit. */
static void expect_same_coded(const char *family, const double *response)
{
    static const char *const level[] = {"a", "b", "c"};
    static const dlp_reference second = {.column = "g", .level = "b"};
    const dlp_regression_result *of[2];
    dlp_regression *made[2] = {NULL};
    for (int k = 0; k < 2; k++) {
        double x[24];
        int32_t group[24];
        for (int i = 0; i < 24; i++) {
            x[i] = k ? 10 - 4 * (0.1 * i) : 0.1 * i;
            group[i] = i * i % 5 % 3;
        }
        const dlp_column_data column[] = {
            {.name = "y", .number = response},
            {.name = "x", .number = x},
            {.name = "g", .code = group, .n_levels = 3, .level = level}};
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_table *table = NULL;
        assert_ok(dlp_table_from_columns(24, 3, column, &table, error));
        settings.family = family;
        settings.tol = 1e-12;
        settings.reference = &second;
        settings.n_references = k;
        assert_ok(dlp_regression_fit("y ~ x + g", table, &settings, &made[k], error));
        of[k] = dlp_regression_result_of(made[k]);
        dlp_table_free(table);
    }
    const dlp_index n = of[0]->n;
    const double sd = sqrt(of[0]->Sigma[n + 1]);
    assert_near(of[1]->mu[1] * -4, of[0]->mu[1], 1e-6 * sd);
    assert_near(sqrt(of[1]->Sigma[n + 1]) * 4 / sd, 1, 1e-6);
    assert_near(of[1]->objective, of[0]->objective, 1e-6);
    dlp_regression_free(made[0]);
    dlp_regression_free(made[1]);
}

static void draws_do_not_depend_on_coding(void **state)
{
    double always[24], never[24] = {0}, heavy[24];
    (void)state;
    for (int i = 0; i < 24; i++) {
        always[i] = 1;
        heavy[i] = i % 7 == 3 ? 4 - i : 0.2 * i + i % 3;
    }
    expect_same_coded("bernoulli", always);
    expect_same_coded("poisson", never);
    expect_same_coded("negative-binomial", never);
    expect_same_coded("student", heavy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groupings_have_names),
        cmocka_unit_test(methods_and_links_have_names_and_numbers),
        cmocka_unit_test(whether_rows_can_be_divided_is_known_before_a_fit),
        cmocka_unit_test(settings_may_be_shorter_or_longer),
        cmocka_unit_test(settings_without_a_size_are_refused),
        cmocka_unit_test(a_prior_covariance_is_taken_as_it_stands),
        cmocka_unit_test(draws_do_not_depend_on_coding),
        cmocka_unit_test(the_default_prior_of_a_column_far_from_0),
        cmocka_unit_test(rows_have_a_level_or_none),
        cmocka_unit_test(settings_that_do_not_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the regression handle says about a fit, and that every fit can be stopped. */
#include "regression_support.h"

/* ---- diagnostics ---- */

static bool has(const dlp_regression *r, dlp_diagnostic_kind kind, dlp_diagnostic *found)
{
    dlp_diagnostic all[16];
    const dlp_index n = dlp_regression_diagnose(r, 16, all);
    for (dlp_index i = 0; i < n; i++)
        if (all[i].kind == kind) {
            *found = all[i];
            return true;
        }
    return false;
}

/* The rows twice, as two groups; it is looked for where a fit did not converge. */
static bool is_separated(const char *formula, const char *head, const char *const *row,
                         int n)
{
    char text[1000];
    size_t at = (size_t)snprintf(text, sizeof text, "%s,g\n", head);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *r = NULL;
    dlp_diagnostic d;
    for (int i = 0; i < 2 * n; i++)
        at +=
            (size_t)snprintf(text + at, sizeof text - at, "%s,g%d\n", row[i % n], i / n);
    settings.max_iter = 2;
    settings.group = "g";
    assert_ok(dlp_table_parse("t", text, at, NULL, &table, error));
    assert_ok(dlp_regression_fit(formula, table, &settings, &r, error));
    assert_int_equal(dlp_regression_result_of(r)->outcome, DLP_MAX_ITERATIONS);
    const bool found = has(r, DLP_SEPARATION, &d);
    dlp_regression_free(r);
    dlp_table_free(table);
    return found;
}

/* Of levels and of trials, by each row: one row that is not separated is enough. */
static void levels_and_trials_separate(void **state)
{
    (void)state;
    static const char *const apart[] = {"a,-9", "a,-8", "b,-1", "b,0",
                                        "b,1",  "c,8",  "c,9"},
                             *const mixed[] = {"a,-9", "a,-8", "b,-1", "b,0",
                                               "b,1",  "b,8",  "c,9"},
                             *const sure[] = {"3,0,4", "0,2,-4", "5,0,5", "0,1,-5"},
                             *const high[] = {"3,1,4", "0,2,-4", "5,0,5", "0,1,-5"},
                             *const low[] = {"3,0,4", "1,2,-4", "5,0,5", "0,1,-5"};
    assert_true(is_separated("y ~ x", "y,x", apart, 7));
    assert_false(is_separated("y ~ x", "y,x", mixed, 7));
    assert_true(is_separated("cbind(a, b) ~ x", "a,b,x", sure, 4));
    assert_false(is_separated("cbind(a, b) ~ x", "a,b,x", high, 4));
    assert_false(is_separated("cbind(a, b) ~ x", "a,b,x", low, 4));
}

static void diagnostics_are_data(void **state)
{
    (void)state;
    rows *r = draw_rows(12);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_diagnostic d = {.parameter = -1};
    dlp_regression *ours = fit("b ~ x + one", r, NULL);
    assert_true(has(ours, DLP_CONSTANT_COLUMN, &d));
    assert_int_equal(d.parameter, 2);
    assert_near(d.value, 1.5, 0);
    assert_false(has(ours, DLP_SEPARATION, &d));
    assert_false(has(ours, DLP_COLLINEAR, &d));
    dlp_regression_free(ours);
    ours = fit("y ~ z + x + I(2 * x - z + 3)", r, NULL);
    assert_true(has(ours, DLP_COLLINEAR, &d));
    assert_int_equal(d.parameter, 3);
    assert_int_equal(d.count, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(d.column[i], i);
    dlp_regression_free(ours);
    ours = fit("y ~ z + x + I(x^2)", r, NULL);
    assert_false(has(ours, DLP_COLLINEAR, &d));
    dlp_regression_free(ours);
    settings.prior_sd = 0.05;
    ours = fit("y ~ x + z", r, &settings);
    assert_true(has(ours, DLP_PRIOR_HOLDS_BACK, &d));
    assert_true(d.value > 2 && d.prior.sd == 0.05);
    assert_true(d.wider_sd >= 0.5);
    dlp_regression_free(ours);
    for (int i = 0; i < N; i++) r->b[i] = r->x[i] > 0;
    settings = dlp_regression_settings_default();
    settings.max_iter = 3;
    ours = fit("b ~ (x | g)", r, &settings);
    assert_int_equal(dlp_regression_result_of(ours)->outcome, DLP_MAX_ITERATIONS);
    assert_true(has(ours, DLP_SEPARATION, &d));
    dlp_regression_free(ours);
    dlp_table_free(r->table);
    make_table(r, 3);
    ours = fit("y ~ x + z", r, NULL);
    assert_true(has(ours, DLP_FEW_ROWS, &d));
    dlp_regression_free(ours);
    free_rows(r);
}

/* With few rows for the columns, levels beyond those that are propagated. */
static void levels_that_are_not_propagated_are_told(void **state)
{
    enum { ROWS = 14, COLUMNS = 8 };
    static const char *const level[] = {"a", "b", "c", "d", "e", "f", "g"};
    double x[COLUMNS][ROWS];
    const char *y[2][ROWS];
    dlp_column_data column[COLUMNS + 2] = {{.name = "y", .text = y[0]},
                                           {.name = "few", .text = y[1]}};
    static const char *const name[COLUMNS] = {"x1", "x2", "x3", "x4",
                                              "x5", "x6", "x7", "x8"};
    dlp_rng rng = dlp_rng_at(3, 0);
    dlp_table *table = NULL;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        y[0][i] = level[i % 7];
        y[1][i] = level[i % 3];
        for (int j = 0; j < COLUMNS; j++) x[j][i] = dlp_draw_normal(&rng);
    }
    for (int j = 0; j < COLUMNS; j++)
        column[j + 2] = (dlp_column_data){.name = name[j], .number = x[j]};
    assert_ok(dlp_table_from_columns(ROWS, COLUMNS + 2, column, &table, error));
    for (int k = 0; k < 4; k++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *r = NULL;
        dlp_diagnostic d;
        settings.family = k % 2 ? "ordinal" : "multinomial";
        assert_ok(dlp_regression_fit(k < 2 ? "y ~ . - few" : "few ~ . - y", table,
                                     &settings, &r, error));
        assert_int_equal(has(r, DLP_LEVELS_NOT_PROPAGATED, &d), k < 2);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

/* Cut points of groups have no margins of their own, which is reported. */
static void cut_points_that_nobody_followed_are_told(void **state)
{
    static const char *const order[] = {"low", "middle", "high"};
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_diagnostic d = {.parameter = -1};
    settings.family = "ordinal";
    settings.level = order;
    settings.n_levels = 3;
    dlp_regression *ours = fit("level ~ x", r, &settings);
    assert_false(has(ours, DLP_CUTS_BY_LOGARITHMS, &d));
    dlp_regression_free(ours);
    settings.grouping = DLP_SEPARATE;
    settings.group = "g";
    ours = fit("level ~ x", r, &settings);
    assert_true(has(ours, DLP_CUTS_BY_LOGARITHMS, &d));
    assert_true(d.count > 0 && d.count <= 8 && d.value > 0.1);
    dlp_regression_free(ours);
    free_rows(r);
}

/* The prior of the first cut point is widened where it was stated: at the means of the columns. */
static void a_wider_prior_of_cut_points_is_that_of_the_intercept(void **state)
{
    static const char *const order[] = {"low", "middle", "high"};
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_diagnostic d = {.parameter = -1};
    settings.family = "ordinal";
    settings.level = order;
    settings.n_levels = 3;
    settings.prior_sd = 2;
    settings.intercept_sd = 0.125;
    dlp_regression *ours = fit("level ~ x", r, &settings);
    assert_true(has(ours, DLP_PRIOR_HOLDS_BACK, &d));
    assert_int_equal(d.parameter, 1);
    assert_true(d.prior.sd > 0.125);
    assert_near(d.wider_sd, 1.25, 0);
    dlp_regression_free(ours);
    free_rows(r);
}

/* How far sds may be off where they are integrated over at a few points. */
static void doubts_about_many_scales_say_how_severe(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    dlp_diagnostic d = {.parameter = -1};
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.grouping = DLP_MIXED;
    dlp_regression *ours = fit("y ~ x + z + (x + z | g)", r, &settings);
    assert_false(has(ours, DLP_SCALES_BY_DESIGN, &d)); /* there are thousands of points */
    dlp_regression_free(ours);
    settings.family = "student";
    settings.df = 5;
    ours = fit("y ~ x + z + (x + z | g)", r, &settings);
    assert_true(has(ours, DLP_SCALES_BY_DESIGN, &d));
    assert_int_equal(d.count, 7);
    assert_int_equal(d.severe, d.value > 0.2);
    dlp_regression_free(ours);
    free_rows(r);
}

/* The most likely mean of counts that are all 0 is where the identity link ends. */
static void links_that_leave_the_support_are_told(void **state)
{
    static const char *const formula[] = {"c ~ 0 + g", "c ~ x", "c ~ 0 + g"};
    static const char *const link[] = {"identity", "identity", "log"};
    (void)state;
    rows *r = draw_rows(13);
    for (int i = 0; i < N; i++)
        if (r->group[i] == 0) r->c[i] = 0;
    for (int k = 0; k < 3; k++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_diagnostic d = {.parameter = -1};
        settings.family = "poisson";
        settings.link = link[k];
        dlp_regression *ours = fit(formula[k], r, &settings);
        assert_int_equal(has(ours, DLP_LINK_LEAVES_SUPPORT, &d), k == 0);
        dlp_regression_free(ours);
    }
    free_rows(r);
}

/* Of coefficients exp() is a ratio, of a scale it is nothing. */
static void parameters_have_ratios(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression *ours = fit("y ~ x", r, NULL);
    dlp_parameter all[3];
    assert_int_equal(dlp_regression_result_of(ours)->n, 3);
    assert_ok(dlp_regression_parameters(ours, 0, all, error));
    assert_near(dlp_parameter_ratio(&all[1], all[1].mean), exp(all[1].mean), 0);
    assert_near(dlp_parameter_ratio(&all[2], all[2].upper), all[2].upper, 0);
    assert_near(dlp_regression_sd(dlp_regression_result_of(ours), 0, 1), all[1].sd, 0);
    dlp_regression_free(ours);
    free_rows(r);
}

/* What is said about a fit in words follows from these. */
static void facts_are_told(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    const struct {
        const char *formula, *family;
        double prior_sd;
        dlp_wider_prior wider;
        dlp_index intercepts; /* how many parameters */
    } wanted[] = {{"b ~ x", NULL, 0, DLP_WIDER_INTERCEPT, 1},
                  {"b ~ x", NULL, 2, DLP_WIDER_NOWHERE, 1},
                  {"b ~ 0 + x", NULL, 0, DLP_WIDER_NOWHERE, 0},
                  {"b ~ 0 + g + x", NULL, 0, DLP_WIDER_LEVELS, 0},
                  {"y ~ x", NULL, 0, DLP_WIDER_INTERCEPT, 1},
                  {"level ~ x", "ordinal", 0, DLP_WIDER_NOWHERE, 0},
                  {"level ~ x", "multinomial", 0, DLP_WIDER_INTERCEPT, 2}};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        settings.family = wanted[k].family;
        settings.prior_sd = wanted[k].prior_sd;
        dlp_regression *ours = fit(wanted[k].formula, r, &settings);
        const dlp_regression_result *result = dlp_regression_result_of(ours);
        dlp_index intercepts = 0;
        for (dlp_index i = 0; i < result->n; i++)
            intercepts += dlp_regression_is_intercept(result, i);
        assert_int_equal(intercepts, wanted[k].intercepts);
        assert_int_equal(dlp_regression_wider_prior(result), wanted[k].wider);
        assert_true(dlp_regression_allows_delta(result));
        dlp_regression_free(ours);
    }
    dlp_table_free(r->table);
    make_table(r, 3); /* a scale, and no more rows than columns */
    dlp_regression *ours = fit("y ~ x + z", r, NULL);
    assert_false(dlp_regression_allows_delta(dlp_regression_result_of(ours)));
    dlp_regression_free(ours);
    free_rows(r);
}

static void longer_runs_have_a_limit(void **state)
{
    (void)state;
    assert_int_equal(dlp_more_iterations(500), 5000);
    assert_int_equal(dlp_more_iterations(100000), DLP_MOST_ITERATIONS);
    assert_int_equal(dlp_more_iterations(DLP_MOST_ITERATIONS), DLP_MOST_ITERATIONS);
}

/* What the client should type next is known to the library. */
static void the_next_fit_is_told(void **state)
{
    (void)state;
    rows *r = draw_rows(12);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *ours = fit("b ~ (x | g)", r, &settings);
    assert_int_equal(dlp_regression_next_fit(ours).kind, DLP_NEXT_NOTHING);
    dlp_regression_free(ours);
    settings.max_iter = 3;
    ours = fit("b ~ (x | g)", r, &settings);
    assert_int_equal(dlp_regression_next_fit(ours).kind, DLP_NEXT_ITERATIONS);
    assert_int_equal(dlp_regression_next_fit(ours).max_iter, 30);
    dlp_regression_free(ours);
    for (int i = 0; i < N; i++) r->b[i] = r->x[i] > 0; /* the groups' mean would grow */
    ours = fit("b ~ (x | g)", r, &settings);
    const dlp_next_fit stronger = dlp_regression_next_fit(ours);
    assert_int_equal(stronger.kind, DLP_NEXT_HYPERPRIOR);
    dlp_regression_free(ours);
    settings = dlp_regression_settings_default();
    settings.nu = stronger.nu;
    settings.phi0 = stronger.phi0;
    settings.phi1 = stronger.phi1;
    ours = fit("b ~ (x | g)", r, &settings);
    assert_int_equal(dlp_regression_result_of(ours)->outcome, DLP_CONVERGED);
    dlp_regression_free(ours);
    free_rows(r);
}

/* ---- stopping ---- */

typedef struct stop {
    int calls, after;
} stop;

static int stop_after(void *context, const dlp_progress *progress)
{
    stop *s = context;
    assert_non_null(progress->phase);
    return ++s->calls > s->after;
}

static void every_fit_can_be_stopped(void **state)
{
    (void)state;
    rows *r = draw_rows(13);
    dlp_regression_settings settings = dlp_regression_settings_default();
    static const struct {
        const char *formula;
        dlp_grouping grouping;
    } fits[] = {{"b ~ x + z", DLP_GROUPING_DEFAULT},
                {"b ~ (x | g)", DLP_HIERARCHICAL},
                {"b ~ (x | g)", DLP_SEPARATE}};
    for (size_t k = 0; k < 3; k++)
        for (int after = 0; after < 60; after += 1 + after / 4) {
            stop s = {0, after};
            settings.grouping = fits[k].grouping;
            settings.method = "delta";
            settings.threads = 2;
            settings.progress = stop_after;
            settings.context = &s;
            dlp_regression *ours = NULL;
            const dlp_status status =
                dlp_regression_fit(fits[k].formula, r->table, &settings, &ours, NULL);
            assert_true(s.calls <= after + 16);
            if (status != DLP_OK) { /* before there was a posterior */
                assert_int_equal(status, DLP_ECANCELLED);
                assert_null(ours);
                continue;
            }
            const dlp_regression_result *result = dlp_regression_result_of(ours);
            if (s.calls > after + 1) /* else it may have ended by itself */
                assert_int_equal(result->outcome, DLP_CANCELLED);
            for (dlp_index i = 0; i < result->M * result->n; i++)
                assert_true(isfinite(result->mu[i]));
            dlp_regression_free(ours);
        }
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diagnostics_are_data),
        cmocka_unit_test(levels_and_trials_separate),
        cmocka_unit_test(cut_points_that_nobody_followed_are_told),
        cmocka_unit_test(levels_that_are_not_propagated_are_told),
        cmocka_unit_test(links_that_leave_the_support_are_told),
        cmocka_unit_test(doubts_about_many_scales_say_how_severe),
        cmocka_unit_test(a_wider_prior_of_cut_points_is_that_of_the_intercept),
        cmocka_unit_test(parameters_have_ratios),
        cmocka_unit_test(facts_are_told),
        cmocka_unit_test(longer_runs_have_a_limit),
        cmocka_unit_test(the_next_fit_is_told),
        cmocka_unit_test(every_fit_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

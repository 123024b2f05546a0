/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression handle: what a client gets from a formula and columns in memory, how it is
   kept, applied and diagnosed; and the numbers inside that no output shows. */
#include "failing_allocator.h"
#include "support.h"

#include "regression/prepare.h"

#include <float.h>

enum { N = 240 };

/* Rows of a table, some of which know their group. */
typedef struct rows {
    double y[N], b[N], c[N], x[N], z[N], far[N], one[N];
    int32_t group[N];
    const char *level[N];
    dlp_table *table;
} rows;

static const char *const groups[] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static void make_table(rows *r, dlp_index n)
{
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "b", .number = r->b},
        {.name = "c", .number = r->c},
        {.name = "x", .number = r->x},
        {.name = "z", .number = r->z},
        {.name = "far", .number = r->far},
        {.name = "one", .number = r->one},
        {.name = "g", .code = r->group, .n_levels = 8, .level = groups},
        {.name = "level", .text = r->level},
    };
    assert_ok(dlp_table_from_columns(n, 9, column, &r->table, error));
}

static rows *draw_rows(uint64_t seed)
{
    static const char *const level[] = {"low", "middle", "high"};
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(seed, 0);
    for (int i = 0; i < N; i++) {
        r->x[i] = dlp_draw_normal(&rng);
        r->z[i] = 3 + 2 * dlp_draw_normal(&rng);
        r->far[i] = 5e4 + 2.385 * dlp_draw_normal(&rng);
        r->one[i] = 1.5;
        r->group[i] = (int32_t)(8 * dlp_draw_uniform(&rng));
        const double eta = 0.4 * r->x[i] - 0.2 * r->z[i] + 0.2 * r->group[i];
        r->y[i] = eta + dlp_draw_normal(&rng);
        r->b[i] = dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta));
        r->c[i] = floor(4 * dlp_draw_uniform(&rng) * exp(0.3 * eta));
        const double u = eta + dlp_draw_normal(&rng);
        r->level[i] = level[u < -0.5 ? 0 : u < 0.7 ? 1 : 2];
    }
    make_table(r, N);
    return r;
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

/* Bars are the paper's hierarchy here; test_mixed_regression.c has random effects. */
static dlp_regression_settings with_hierarchy(const char *formula,
                                              const dlp_regression_settings *settings)
{
    dlp_regression_settings s = settings ? *settings : dlp_regression_settings_default();
    if (strchr(formula, '|') && s.grouping == DLP_GROUPING_DEFAULT)
        s.grouping = DLP_HIERARCHICAL;
    return s;
}

static dlp_regression *fit(const char *formula, const rows *r,
                           const dlp_regression_settings *settings)
{
    const dlp_regression_settings s = with_hierarchy(formula, settings);
    dlp_regression *made = NULL;
    assert_ok(dlp_regression_fit(formula, r->table, &s, &made, error));
    return made;
}

/* ---- what is fitted ---- */

/* With a stated prior the handle is the engine on the model of glm.h. */
static void a_stated_prior_is_the_engines(void **state)
{
    (void)state;
    rows *r = draw_rows(1);
    double one[N];
    for (int i = 0; i < N; i++) one[i] = 1;
    const double *const x[] = {one, r->x, r->z};
    const dlp_glm_data data = {.N = N, .p = 3, .x = x, .y = r->b};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_settings engine = dlp_settings_default();
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_glm *glm = NULL;
    dlp_fit *plain = NULL;
    engine.method = settings.method = "delta";
    settings.prior_sd = 1;
    assert_ok(dlp_glm_alloc("bernoulli", NULL, &data, &prior, &glm, error));
    const dlp_model model = dlp_glm_model(glm);
    assert_ok(dlp_fit_alloc(&model, &engine, &plain, error));
    assert_ok(dlp_fit_run(plain, NULL, error));
    dlp_regression *ours = fit("b ~ x + z", r, &settings);
    const dlp_regression_result *result = dlp_regression_result_of(ours);
    double Sigma[9];
    dlp_sym_to_dense(dlp_fit_result(plain)->Sigma, Sigma);
    assert_int_equal(result->n, 3);
    assert_memory_equal(result->mu, dlp_fit_result(plain)->mu, 3 * sizeof(double));
    assert_memory_equal(result->Sigma, Sigma, sizeof Sigma);
    assert_string_equal(result->family->name, "bernoulli");
    assert_string_equal(result->column[2], "z");
    dlp_regression_free(ours);
    dlp_fit_free(plain);
    dlp_glm_free(glm);
    free_rows(r);
}

/* One change of variables there and back: a weak prior does not know where columns begin,
   nor their units. */
static void origin_and_units_of_columns_do_not_matter(void **state)
{
    (void)state;
    static const char *const formula[] = {"b ~ x * z",   "y ~ x * z + I(x^2)",
                                          "c ~ x * z",   "b ~ (x * z | g)",
                                          "y ~ (x | g)", "level ~ x * z"};
    static const char *const family[] = {NULL, NULL, "poisson", NULL, NULL, "ordinal"};
    for (size_t k = 0; k < sizeof formula / sizeof *formula; k++) {
        rows *r = draw_rows(2), *moved = draw_rows(2);
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_prediction *p, *q;
        settings.family = family[k];
        settings.tol = 1e-10;
        for (int i = 0; i < N; i++) {
            moved->x[i] = 1e3 * r->x[i];
            moved->z[i] = r->z[i] + 40;
        }
        dlp_regression *one = fit(formula[k], r, &settings);
        dlp_regression *other = fit(formula[k], moved, &settings);
        assert_ok(dlp_regression_predict(one, r->table, NULL, &p, error));
        assert_ok(dlp_regression_predict(other, moved->table, NULL, &q, error));
        const dlp_prediction_result *a = dlp_prediction_result_of(p),
                                    *b = dlp_prediction_result_of(q);
        for (int i = 0; i < N && a->mean; i++) {
            assert_close(b->eta[i], a->eta[i], 2e-5);
            assert_close(b->eta_sd[i], a->eta_sd[i], 2e-5);
        }
        for (int i = 0; i < N * 3 && a->probability; i++)
            assert_close(b->probability_averaged[i], a->probability_averaged[i], 2e-5);
        dlp_prediction_free(p);
        dlp_prediction_free(q);
        dlp_regression_free(one);
        dlp_regression_free(other);
        free_rows(r);
        free_rows(moved);
    }
}

/* Margins that nearly make one another up are two columns still: where a begins, which moves
   a:b by a multiple of b, is no matter. */
static void nearly_equal_margins_are_two(void **state)
{
    (void)state;
    enum { ROWS = 40 };
    rows *r = draw_rows(3), *moved = draw_rows(3);
    double eta_sd[ROWS];
    for (int i = 0; i < N; i++) {
        r->z[i] = moved->z[i] = r->x[i] + 1e-3 * (r->z[i] - 3);
        moved->x[i] = r->x[i] + 1000;
    }
    for (int k = 0; k < 2; k++) {
        rows *of = k ? moved : r;
        dlp_prediction *p;
        dlp_table_free(of->table);
        make_table(of, ROWS);
        dlp_regression *ours = fit("b ~ x * z", of, NULL);
        assert_ok(dlp_regression_predict(ours, of->table, NULL, &p, error));
        for (int i = 0; i < ROWS && k == 0; i++)
            eta_sd[i] = dlp_prediction_result_of(p)->eta_sd[i];
        for (int i = 0; i < ROWS && k == 1; i++)
            assert_near(dlp_prediction_result_of(p)->eta_sd[i] / eta_sd[i], 1, 1e-3);
        dlp_prediction_free(p);
        dlp_regression_free(ours);
    }
    free_rows(r);
    free_rows(moved);
}

/* x of the order of one, that varies by so small a part of it. */
static dlp_status fit_narrow(double part, dlp_error *error)
{
    rows *r = draw_rows(4);
    dlp_regression *made = NULL;
    for (int i = 0; i < N; i++) r->far[i] = 1 + part * r->x[i];
    const dlp_status status = dlp_regression_fit("b ~ far", r->table, NULL, &made, error);
    dlp_regression_free(made);
    free_rows(r);
    return status;
}

static void columns_need_digits(void **state)
{
    (void)state;
    assert_ok(fit_narrow(1e-6, error));
    assert_fails(fit_narrow(1e-7, error), DLP_EINPUT, "write scale(far)");
}

/* The mean of far numbers is exact to the last digit: it is mended by that of the rest. */
static void centres_are_exact(void **state)
{
    (void)state;
    rows *r = draw_rows(5);
    dlpi_prepared prepared;
    long double sum = 0;
    for (int i = 0; i < N; i++) {
        r->far[i] = 1e9 / 3 + 3e3 * r->x[i];
        sum += r->far[i];
    }
    const double mean = (double)(sum / N);
    assert_ok(dlpi_prepare("b ~ far", r->table, NULL, &prepared, error));
    assert_non_null(prepared.prior.R);
    /* row 1, of far; its column 0, of the intercept */
    assert_near(prepared.prior.R[3], -mean, 1.01 * mean * DBL_EPSILON / 2);
    dlpi_prepared_clear(&prepared);
    free_rows(r);
}

/* ---- settings ---- */

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

/* The level that is said of a row, also where the response is 0 or 1. */
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
    REFUSED("b ~ x", "unknown method 'gibbs'");
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
    assert_fails(dlp_regression_fit("b ~ ", r->table, NULL, &made, error), DLP_EINPUT,
                 "formula:1");
    assert_fails(dlp_regression_fit(NULL, r->table, NULL, &made, error), DLP_EINVAL,
                 "formula");
    free_rows(r);
}

/* ---- files ---- */

static void a_saved_fit_is_the_same(void **state)
{
    (void)state;
    static const char *const formula[] = {"b ~ x * z", "level ~ x", "y ~ (x | g)",
                                          "c ~ far"};
    rows *r = draw_rows(8);
    for (size_t k = 0; k < sizeof formula / sizeof *formula; k++) {
        char *text, *again;
        size_t size, again_size;
        dlp_regression *back = NULL, *cut = NULL;
        dlp_prediction *p, *q;
        dlp_regression *ours = fit(formula[k], r, NULL);
        assert_ok(dlp_regression_json(ours, DLP_PART_FILE, 0, &text, &size, error));
        assert_ok(dlp_regression_parse("memory", text, size, &back, error));
        assert_ok(
            dlp_regression_json(back, DLP_PART_FILE, 0, &again, &again_size, error));
        assert_int_equal(size, again_size);
        assert_memory_equal(text, again, size);
        assert_ok(dlp_regression_predict(ours, r->table, NULL, &p, error));
        assert_ok(dlp_regression_predict(back, r->table, NULL, &q, error));
        const dlp_prediction_result *a = dlp_prediction_result_of(p),
                                    *b = dlp_prediction_result_of(q);
        if (a->mean) assert_memory_equal(a->mean, b->mean, N * sizeof *a->mean);
        assert_fails(dlp_regression_parse("cut", text, size / 2, &cut, error), DLP_EINPUT,
                     "cut:");
        assert_null(cut);
        assert_int_equal(text[size], '\0');
        free(text);
        assert_fails(dlp_regression_json(ours, DLP_PART_GROUP, 99, &text, &size, error),
                     DLP_EINVAL, "no group 99");
        assert_null(text);
        assert_int_equal(size, 0);
        free(again);
        dlp_prediction_free(p);
        dlp_prediction_free(q);
        dlp_regression_free(back);
        dlp_regression_free(ours);
    }
    free_rows(r);
}

/* ---- predictions ---- */

/* Rows of groups in any order: each has its own prediction, at its own place. */
static void predictions_stand_in_the_tables_order(void **state)
{
    (void)state;
    rows *r = draw_rows(9), *turned = draw_rows(9);
    dlp_prediction *p, *q;
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_evaluation one, other;
    settings.what = DLP_PREDICT_SCORES;
    for (int i = 0; i < N; i++) {
        turned->x[i] = r->x[N - 1 - i];
        turned->b[i] = r->b[N - 1 - i];
        turned->group[i] = r->group[N - 1 - i];
    }
    dlp_table_free(turned->table);
    make_table(turned, N);
    dlp_regression *ours = fit("b ~ (x | g)", r, NULL);
    assert_ok(dlp_regression_predict(ours, r->table, &settings, &p, error));
    assert_ok(dlp_regression_predict(ours, turned->table, &settings, &q, error));
    const dlp_prediction_result *a = dlp_prediction_result_of(p),
                                *b = dlp_prediction_result_of(q);
    double sum = 0, right = 0;
    for (int i = 0; i < N; i++) {
        assert_true(a->log_density[i] == b->log_density[N - 1 - i]);
        sum += a->log_density[i];
        right += (a->mean[i] > 0.5) == (r->b[i] > 0.5);
    }
    assert_ok(dlp_prediction_evaluate(p, &one, error));
    assert_ok(dlp_prediction_evaluate(q, &other, error));
    assert_near(one.log_likelihood, sum / N, 1e-14);
    assert_near(one.accuracy, right / N, 1e-15);
    assert_near(other.log_likelihood, one.log_likelihood, 1e-14);
    assert_true(isnan(one.rmse));
    dlp_prediction_free(p);
    dlp_prediction_free(q);
    dlp_regression_free(ours);
    free_rows(r);
    free_rows(turned);
}

static void new_rows_are_checked(void **state)
{
    (void)state;
    rows *r = draw_rows(10), *new = draw_rows(11);
    dlp_prediction *p = NULL;
    dlp_evaluation evaluation;
    dlp_prediction_settings settings = dlp_prediction_settings_default();
    dlp_design_problem problem;
    for (int i = 0; i < N; i++)
        if (r->group[i] == 7) r->group[i] = -1; /* missing: group h is not seen */
    dlp_table_free(r->table);
    make_table(r, N);
    dlp_regression *ours = fit("y ~ (x | g)", r, NULL);
    settings.problem = &problem;
    assert_fails(dlp_regression_predict(ours, new->table, &settings, &p, error),
                 DLP_EINPUT, "'h'");
    assert_int_equal(problem.kind, DLP_PROBLEM_UNSEEN_GROUP);
    settings.unseen_group = DLP_UNSEEN_POPULATION;
    assert_ok(dlp_regression_predict(ours, new->table, &settings, &p, error));
    assert_int_equal(dlp_prediction_result_of(p)->new_groups, 1);
    assert_true(dlp_prediction_result_of(p)->new_group_rows > 10);
    assert_fails(dlp_prediction_evaluate(p, &evaluation, error), DLP_EINVAL,
                 "DLP_PREDICT_SCORES");
    dlp_prediction_free(p);
    settings.unseen_group = DLP_UNSEEN_DROP;
    assert_ok(dlp_regression_predict(ours, new->table, &settings, &p, error));
    assert_int_equal(dlp_prediction_result_of(p)->N + dlp_prediction_result_of(p)->unseen,
                     N);
    dlp_prediction_free(p);
    dlp_regression_free(ours);
    free_rows(r);
    free_rows(new);
}

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

/* What is said of a fit in words follows from these. */
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

/* What the client should type next is the library's to know. */
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

/* ---- threads, memory ---- */

static void threads_do_not_matter(void **state)
{
    (void)state;
    rows *r = draw_rows(14);
    for (int how = DLP_HIERARCHICAL; how <= DLP_SEPARATE; how++) {
        dlp_regression *first = NULL;
        static const int threads[] = {1, 2, 3, 7};
        for (int k = 0; k < 4; k++) {
            dlp_regression_settings settings = dlp_regression_settings_default();
            settings.grouping = (dlp_grouping)how;
            settings.threads = threads[k];
            dlp_regression *ours = fit("c ~ (x + z | g)", r, &settings);
            const dlp_regression_result *a = dlp_regression_result_of(ours);
            if (!first) first = ours;
            const dlp_regression_result *b = dlp_regression_result_of(first);
            assert_memory_equal(a->mu, b->mu, (size_t)(a->M * a->n) * sizeof *a->mu);
            assert_memory_equal(a->Sigma, b->Sigma,
                                (size_t)(a->M * a->n * a->n) * sizeof *a->Sigma);
            assert_true(a->objective == b->objective);
            if (ours != first) dlp_regression_free(ours);
        }
        dlp_regression_free(first);
    }
    free_rows(r);
}

/* Many rows are summed in chunks, the same whoever sums them; weighed, and with a scale. */
static void threads_do_not_matter_to_many_rows(void **state)
{
    (void)state;
    enum { MANY = 50000 };
    static const char *const formula[] = {"b ~ x + z", "c ~ x + z"};
    static const char *const family[] = {"bernoulli", "negative-binomial"};
    static const int threads[] = {1, 2, 3, 7};
    double *x = calloc(MANY, 4 * sizeof *x), *z = x + MANY, *b = z + MANY, *c = b + MANY;
    dlp_rng rng = dlp_rng_at(16, 0);
    for (int i = 0; i < MANY; i++) {
        x[i] = dlp_draw_normal(&rng);
        z[i] = dlp_draw_normal(&rng);
        b[i] = dlp_draw_uniform(&rng) < 1 / (1 + exp(0.5 - x[i] + 0.3 * z[i]));
        c[i] = floor(5 * dlp_draw_uniform(&rng) * exp(0.4 * x[i]));
    }
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "z", .number = z},
                                      {.name = "b", .number = b},
                                      {.name = "c", .number = c}};
    rows r = {.table = NULL};
    assert_ok(dlp_table_from_columns(MANY, 4, column, &r.table, error));
    for (int k = 0; k < 2; k++) {
        double mu[4] = {0}, Sigma[16] = {0};
        for (int t = 0; t < 4; t++) {
            dlp_regression_settings settings = dlp_regression_settings_default();
            settings.family = family[k];
            settings.threads = threads[t];
            dlp_regression *ours = fit(formula[k], &r, &settings);
            const dlp_regression_result *a = dlp_regression_result_of(ours);
            const size_t n = (size_t)a->n;
            assert_int_equal(a->outcome, DLP_CONVERGED);
            if (t == 0) memcpy(mu, a->mu, n * sizeof *mu);
            if (t == 0) memcpy(Sigma, a->Sigma, n * n * sizeof *mu);
            assert_memory_equal(mu, a->mu, n * sizeof *mu);
            assert_memory_equal(Sigma, a->Sigma, n * n * sizeof *mu);
            dlp_regression_free(ours);
        }
    }
    dlp_table_free(r.table);
    free(x);
}

/* Where not even the first iteration succeeds, the posterior is where the fit began: that is
   no answer, and nothing is predicted from it, now or after it was saved. */
static void a_start_is_no_estimate(void **state)
{
    (void)state;
    static const double y[] = {1, 1, 1, 1, 1e6}, x[] = {1.5, 2.385, 3, 4.25, 5};
    const dlp_column_data column[] = {{.name = "y", .number = y},
                                      {.name = "x", .number = x}};
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *ours = NULL, *read = NULL;
    dlp_prediction *prediction = NULL;
    dlp_table *table = NULL;
    assert_ok(dlp_table_from_columns(5, 2, column, &table, error));
    settings.family = "poisson";
    settings.method = "previous-mean";
    assert_ok(dlp_regression_fit("y ~ x", table, &settings, &ours, error));
    assert_int_equal(dlp_regression_result_of(ours)->iterations, 0);
    assert_false(dlp_regression_result_of(ours)->estimated);
    assert_fails(dlp_regression_predict(ours, table, NULL, &prediction, error),
                 DLP_EINPUT, "estimated nothing");
    assert_ok(dlp_regression_save(ours, "start.json", error));
    assert_ok(dlp_regression_load("start.json", &read, error));
    assert_false(dlp_regression_result_of(read)->estimated);
    remove("start.json");
    dlp_regression_free(read);
    dlp_regression_free(ours);

    settings.method = "laplace";
    assert_ok(dlp_regression_fit("y ~ x", table, &settings, &ours, error));
    assert_true(dlp_regression_result_of(ours)->estimated);
    dlp_regression_free(ours);
    dlp_table_free(table);
}

/* Whatever allocation fails, the call says so and leaves nothing behind. */
static void failed_allocations_are_told(void **state)
{
    (void)state;
    rows *r = draw_rows(15);
    static const char *const formula[] = {"b ~ x * z", "y ~ (x * z | g)", "level ~ x",
                                          "y ~ x * g + far"};
    for (size_t k = 0; k < 4; k++) {
        dlp_status status = DLP_ENOMEM;
        for (int left = 0; status != DLP_OK; left++) {
            dlp_regression *ours = NULL;
            dlp_error error = {""};
            const dlp_regression_settings s = with_hierarchy(formula[k], NULL);
            allocations_left = left;
            status = dlp_regression_fit(formula[k], r->table, &s, &ours, &error);
            allocations_left = -1;
            if (status != DLP_OK) {
                assert_int_equal(status, DLP_ENOMEM);
                assert_null(ours);
                assert_true(error.message[0] != '\0');
            }
            dlp_regression_free(ours);
            assert_true(left < 5000);
        }
    }
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stated_prior_is_the_engines),
        cmocka_unit_test(origin_and_units_of_columns_do_not_matter),
        cmocka_unit_test(nearly_equal_margins_are_two),
        cmocka_unit_test(columns_need_digits),
        cmocka_unit_test(centres_are_exact),
        cmocka_unit_test(groupings_have_names),
        cmocka_unit_test(settings_may_be_shorter_or_longer),
        cmocka_unit_test(settings_without_a_size_are_refused),
        cmocka_unit_test(rows_have_a_level_or_none),
        cmocka_unit_test(settings_that_do_not_go_together_are_refused),
        cmocka_unit_test(a_saved_fit_is_the_same),
        cmocka_unit_test(predictions_stand_in_the_tables_order),
        cmocka_unit_test(new_rows_are_checked),
        cmocka_unit_test(diagnostics_are_data),
        cmocka_unit_test(facts_are_told),
        cmocka_unit_test(longer_runs_have_a_limit),
        cmocka_unit_test(the_next_fit_is_told),
        cmocka_unit_test(every_fit_can_be_stopped),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(threads_do_not_matter_to_many_rows),
        cmocka_unit_test(a_start_is_no_estimate),
        cmocka_unit_test(failed_allocations_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

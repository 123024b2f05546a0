/* SPDX-License-Identifier: BSD-3-Clause */
/* The regression handle: what a client gets from a formula and columns in memory, how it is
   kept and applied; and the numbers inside that no output shows. */
#include "failing_allocator.h"
#include "regression/prepare/prepare.h"
#include "regression_support.h"

#include <float.h>

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

/* Margins that nearly make one another up are still two columns: where a begins, which
   moves a:b by a multiple of b, does not matter. */
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
    assert_ok(fit_narrow(1e-7, error)); /* about a centre */
    assert_fails(fit_narrow(1e-11, error), DLP_EINPUT, "write scale(far)");
}

/* The mean of far numbers is exact to the last digit: it is corrected by that of the
   rest. */
static void centres_are_exact(void **state)
{
    (void)state;
    rows *r = draw_rows(5);
    dlpi_prepared prepared;
    dlp_formula *formula;
    long double sum = 0;
    for (int i = 0; i < N; i++) {
        r->far[i] = 1e9 / 3 + 3e3 * r->x[i];
        sum += r->far[i];
    }
    const double mean = (double)(sum / N);
    /* far alone would have a round centre */
    assert_ok(dlp_formula_parse("b ~ I(far + 0)", &formula, error));
    assert_ok(dlpi_prepare(formula, r->table, NULL, &prepared, error));
    assert_non_null(prepared.prior.R);
    /* row 1, of far; its column 0, of the intercept */
    assert_near(prepared.prior.R[3], -mean, 1.01 * mean * DBL_EPSILON / 2);
    dlpi_prepared_clear(&prepared);
    dlp_formula_free(formula);
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
            dlp_error error = {0};
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
        cmocka_unit_test(a_saved_fit_is_the_same),
        cmocka_unit_test(predictions_stand_in_the_tables_order),
        cmocka_unit_test(new_rows_are_checked),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(threads_do_not_matter_to_many_rows),
        cmocka_unit_test(a_start_is_no_estimate),
        cmocka_unit_test(failed_allocations_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

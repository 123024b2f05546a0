/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows left out by weights, beside rows left out by fitting again. */
#include "regression/predict/scores.h"
#include "support.h"

#include <delaplace/comparison.h>
#include <delaplace/look.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <malloc.h>

static dlp_error failure;

static dlp_table *read_table(const char *text)
{
    dlp_table *table = NULL;
    assert_ok(dlp_table_parse("test.csv", text, strlen(text), NULL, &table, error));
    return table;
}

/* 60 rows: y binary, z a count, v a number, w of three levels, g of six groups. */
static dlp_table *draw_table(void)
{
    char text[8000] = "y,x,z,v,w,g,m\n";
    dlp_rng rng = dlp_rng_at(11, 0);
    for (int i = 0; i < 60; i++) {
        const double x = dlp_draw_normal(&rng), e = dlp_draw_normal(&rng);
        snprintf(text + strlen(text), 100, "%d,%.4f,%d,%.4f,%c,%c,%s\n",
                 dlp_draw_uniform(&rng) < dlp_logistic(x), x,
                 (int)(exp(0.5 * x) * dlp_draw_gamma(&rng, 3)), 2 + x + e,
                 "abc"[(int)fmin(2, 3 * dlp_logistic(x + e))], "pqrstu"[i % 6],
                 i == 7 ? "" : "1.5");
    }
    return read_table(text);
}

static dlp_scores *scores_of(const dlp_table *table, const char *formula,
                             const char *family, const char *by, dlp_index folds)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_comparison_settings how = dlp_comparison_settings_default();
    dlp_regression *r = NULL;
    dlp_scores *scores = NULL;
    settings.family = family;
    how.folds = folds;
    how.by = by;
    /* for mixed models a tenth is taken */
    if (folds > 0 && !strchr(formula, '|')) how.draws = 2000;
    assert_ok(dlp_regression_fit(formula, table, &settings, &r, error));
    if (folds == 0 && !by)
        assert_ok(dlp_regression_loo(r, table, &how, &scores, error));
    else
        assert_ok(dlp_regression_cross_validate(r, table, &how, &scores, error));
    dlp_regression_free(r);
    return scores;
}

static void weights_leave_out_as_fits_do(void **state)
{
    static const char *const cases[][2] = {
        {"y ~ x", "bernoulli"},   {"z ~ x", "poisson"}, {"v ~ x + w", "gaussian"},
        {"w ~ x", "multinomial"}, {"w ~ x", "ordinal"}, {"z ~ x", "negative-binomial"}};
    dlp_table *table = draw_table();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c += SANITISED ? 2 : 1) {
        dlp_scores *a = scores_of(table, cases[c][0], cases[c][1], NULL, 0);
        dlp_scores *b = scores_of(table, cases[c][0], cases[c][1], NULL, 60);
        assert_true(a->doubtful <= 2);
        assert_int_equal(b->folds, 60);
        const double off = a->doubtful ? 0.3 : 0.1;
        if (!(fabs(a->elpd_sum.value - b->elpd_sum.value) < off))
            fail_msg("%s: elpd %g by weights, %g by fits", cases[c][1], a->elpd_sum.value,
                     b->elpd_sum.value);
        assert_true(dlpi_scores_comparable(a, b));
        assert_near(a->elpd_per_row, a->elpd_sum.value / (double)a->N, 1e-12);
        assert_true(fabs(dlp_scores_difference(a, b).value) < off);
        assert_true(dlp_scores_difference(a, b).se < off);
        assert_true(fabs(a->waic_elpd.value - a->elpd_sum.value) < 1);
        assert_true(a->parameters.value > 1 && a->parameters.value < 9);
        dlp_scores_free(a);
        dlp_scores_free(b);
    }
    dlp_table_free(table);
}

/* ---- mixed models ---- */

/* 32 rows of 8 groups, which differ, and 4 cells crossed with them. */
static dlp_table *draw_groups(void)
{
    char text[8000] = "y,x,z,v,w,g,c\n";
    dlp_rng rng = dlp_rng_at(31, 0);
    double b[8], d[4];
    for (int i = 0; i < 8; i++) b[i] = dlp_draw_normal(&rng);
    for (int i = 0; i < 4; i++) d[i] = 0.5 * dlp_draw_normal(&rng);
    for (int i = 0; i < 32; i++) {
        const double x = dlp_draw_normal(&rng), eta = 0.7 * x + b[i / 4] + d[i % 4];
        const double v = eta + 0.7 * dlp_draw_normal(&rng);
        const int z = (int)(exp(0.8 * eta) * dlp_draw_gamma(&rng, 4) / 3),
                  y = dlp_draw_uniform(&rng) < dlp_logistic(eta);
        snprintf(text + strlen(text), 100, "%d,%.4f,%d,%.4f,%c,g%d,c%d\n", y, x, z, v,
                 "abcde"[(v > -0.8) + (v > 0) + (v > 0.6) + (v > 1.4)], i / 4, i % 4);
    }
    return read_table(text);
}

static void weights_leave_out_of_groups_as_fits_do(void **state)
{
    static const char *const cases[][2] = {{"y ~ x + (1 | g)", "bernoulli"},
                                           {"v ~ x + (1 | g)", "gaussian"},
                                           {"z ~ x + (1 | g) + (1 | c)", "poisson"},
                                           {"w ~ x + (1 | g)", "ordinal"}};
    dlp_table *table = draw_groups();
    (void)state;
    for (size_t c = SANITISED; c < sizeof cases / sizeof *cases; c += 1 + SANITISED) {
        dlp_scores *a = scores_of(table, cases[c][0], cases[c][1], NULL, 0);
        dlp_scores *b = scores_of(table, cases[c][0], cases[c][1], NULL, 32);
        /* fits to 31 rows predict an ordinal response by Gaussians of skewed effects */
        const double off = (c == 3 ? 0.5 : 0.2) + 0.25 * (double)a->doubtful;
        if (!(fabs(a->elpd_sum.value - b->elpd_sum.value) < off && a->doubtful <= 5))
            fail_msg("%s: elpd %g by weights, %td doubtful, %g by fits", cases[c][0],
                     a->elpd_sum.value, a->doubtful, b->elpd_sum.value);
        if (c == 1) { /* by quadrature over both scales */
            assert_near(a->elpd_sum.value, -34.93, 0.1);
            assert_near(b->elpd_sum.value, -34.93, 0.1);
            assert_near(a->waic_elpd.value, -34.13, 0.1);
        }
        assert_true(dlpi_scores_comparable(a, b));
        assert_true(a->posterior_k < 0.7);
        assert_true(a->parameters.value > 1 && a->parameters.value < 30);
        assert_true(fabs(a->waic_elpd.value - a->elpd_sum.value) < 5);
        dlp_scores_free(a);
        dlp_scores_free(b);
    }
    dlp_table_free(table);
}

/* What rows of an ordinal response contribute by their own adds up to about as much as
   weights say, though cut points far from the first vary more. */
static void leverages_are_those_of_weights(void **state)
{
    dlp_table *table = draw_groups();
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_regression *r = NULL;
    dlp_scores *scores = NULL;
    dlp_residuals *residuals = NULL;
    double sum = 0;
    (void)state;
    s.family = "ordinal";
    assert_ok(dlp_regression_fit("w ~ x + (1 | g)", table, &s, &r, error));
    assert_ok(dlp_regression_loo(r, table, NULL, &scores, error));
    assert_ok(dlp_regression_residuals(r, table, NULL, &residuals, error));
    for (int i = 0; i < 32; i++) sum += residuals->leverage[i];
    assert_near(sum / scores->parameters.value, 1, 0.3);
    dlp_residuals_free(residuals);
    dlp_scores_free(scores);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* A group that was not seen is predicted by what groups have in common, of a Gaussian response
   by the variance between groups beside the others. */
static void groups_are_left_out(void **state)
{
    dlp_table *table = draw_groups();
    (void)state;
    dlp_scores *by_row = scores_of(table, "v ~ x + (1 | g)", "gaussian", NULL, 32),
               *by_group = scores_of(table, "v ~ x + (1 | g)", "gaussian", "g", 0),
               *without = scores_of(table, "v ~ x", "gaussian", "g", 0);
    assert_int_equal(by_group->groups, 8);
    assert_true(by_row->elpd_sum.value > by_group->elpd_sum.value + 3);
    assert_true(fabs(by_group->elpd_sum.value - without->elpd_sum.value) < 2);
    dlp_scores_free(by_row);
    dlp_scores_free(by_group);
    dlp_scores_free(without);
    dlp_table_free(table);
}

/* The evidence of the fit, and that by weighted draws, which has no Gaussian in it. */
static void evidence_is_the_fits(void **state)
{
    static const char *const cases[][2] = {{"y ~ x + (1 | g)", "bernoulli"},
                                           {"v ~ x + (1 + x | g)", "gaussian"},
                                           {"z ~ x + (1 | g) + (1 | c)", "poisson"}};
    dlp_table *table = draw_groups();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_comparison_settings how = dlp_comparison_settings_default();
        dlp_regression *r = NULL;
        dlp_scores *one = NULL, *two = NULL;
        settings.family = cases[c][1];
        assert_ok(dlp_regression_fit(cases[c][0], table, &settings, &r, error));
        how.threads = 1;
        assert_ok(dlp_regression_loo(r, table, &how, &one, error));
        how.threads = 3;
        assert_ok(dlp_regression_loo(r, table, &how, &two, error));
        if (!(fabs(one->log_evidence.value - dlp_regression_result_of(r)->objective) <
              0.1))
            fail_msg("%s: %g, not %g", cases[c][0], one->log_evidence.value,
                     dlp_regression_result_of(r)->objective);
        assert_memory_equal(one->elpd, two->elpd, (size_t)one->N * sizeof *one->elpd);
        assert_memory_equal(one->k, two->k, (size_t)one->N * sizeof *one->k);
        dlp_scores_free(one);
        dlp_scores_free(two);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

/* Where points of scales lie depends on the points before them, and not on what memory was used for before. */
static void former_contents_of_memory_do_not_matter(void **state)
{
    static const int bytes[] = {0x55, 0x01, 0};
    dlp_table *table = draw_groups();
    double evidence[2] = {0, 0};
    int points[2] = {0, 0};
    (void)state;
    for (int k = 0; k < 2; k++) {
        dlp_regression *r = NULL;
        mallopt(M_PERTURB, bytes[k]);
        assert_ok(dlp_regression_fit("v ~ x + (1 + x | g)", table, NULL, &r, error));
        evidence[k] = dlp_regression_result_of(r)->objective;
        points[k] = dlp_regression_result_of(r)->points;
        dlp_regression_free(r);
    }
    mallopt(M_PERTURB, bytes[2]);
    assert_int_equal(points[0], points[1]);
    assert_true(evidence[0] == evidence[1]);
    dlp_table_free(table);
}

static void groups_stay_together(void **state)
{
    dlp_table *table = draw_table();
    (void)state;
    dlp_scores *s = scores_of(table, "v ~ x", "gaussian", "g", 0);
    assert_int_equal(s->folds, 6);
    assert_int_equal(s->groups, 6);
    dlp_scores_free(s);
    s = scores_of(table, "v ~ x", "gaussian", "g", 3);
    assert_int_equal(s->folds, 3);
    dlp_scores_free(s);
    dlp_table_free(table);
}

/* A row of weight 2 is two rows. */
static void weights_count_rows(void **state)
{
    dlp_table *once = read_table("y,x,w\n1,2,2\n0,1,1\n1,1,1\n0,0,3\n1,3,1\n0,2,1\n");
    dlp_table *often = read_table("y,x\n1,2\n1,2\n0,1\n1,1\n0,0\n0,0\n0,0\n1,3\n0,2\n");
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *a = NULL, *b = NULL;
    dlp_scores *p = NULL, *q = NULL;
    (void)state;
    settings.prior_sd = 2;
    assert_ok(dlp_regression_fit("y ~ x", often, &settings, &b, error));
    settings.weights = "w";
    assert_ok(dlp_regression_fit("y ~ x", once, &settings, &a, error));
    assert_ok(dlp_regression_loo(a, once, NULL, &p, error));
    assert_ok(dlp_regression_loo(b, often, NULL, &q, error));
    assert_true(fabs(p->elpd_sum.value - q->elpd_sum.value) < 1e-6);
    assert_true(fabs(p->elpd_sum.se - q->elpd_sum.se) < 1e-6);
    dlp_scores_free(p);
    dlp_scores_free(q);
    dlp_regression_free(a);
    dlp_regression_free(b);
    dlp_table_free(once);
    dlp_table_free(often);
}

static void other_rows_are_not_compared(void **state)
{
    dlp_table *table = draw_table();
    (void)state;
    dlp_scores *a = scores_of(table, "y ~ x", "bernoulli", NULL, 0);
    dlp_scores *b = scores_of(table, "y ~ x + m", "bernoulli", NULL, 0);
    dlp_scores *c = scores_of(table, "z ~ x", "poisson", NULL, 0);
    assert_int_equal(b->N, 59);
    assert_false(dlpi_scores_comparable(a, b));
    assert_false(dlpi_scores_comparable(a, c));
    dlp_scores_free(a);
    dlp_scores_free(b);
    dlp_scores_free(c);
    dlp_table_free(table);
}

/* Of a hierarchy, and of a multinomial mixed model, rows are taken out of the fit without draws:
   that is what fits to the other rows say. */
static void rows_are_taken_out_without_draws(void **state)
{
    static const char *const cases[][3] = {{"v ~ x", "gaussian", "g"},
                                           {"c ~ x + (1 | g)", "multinomial", NULL}};
    char text[8000] = "v,x,g,c\n";
    dlp_rng rng = dlp_rng_at(31, 0);
    dlp_table *table = NULL;
    (void)state;
    for (int i = 0; i < 120; i++) {
        const double x = dlp_draw_normal(&rng), e = dlp_draw_normal(&rng),
                     v = x + 0.8 * (i % 6) + e;
        snprintf(text + strlen(text), 60, "%.4f,%.4f,%c,%c\n", v, x, "pqrstu"[i % 6],
                 "abc"[(x + e > 0) + (x + e > 1)]);
    }
    assert_ok(dlp_table_parse("test.csv", text, strlen(text), NULL, &table, error));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_comparison_settings how = dlp_comparison_settings_default();
        dlp_regression *r = NULL;
        dlp_scores *loo = NULL, *folds = NULL;
        settings.family = cases[c][1];
        settings.group = cases[c][2];
        assert_ok(dlp_regression_fit(cases[c][0], table, &settings, &r, error));
        assert_ok(dlp_regression_loo(r, table, NULL, &loo, error));
        how.folds = SANITISED ? 3 : 12;
        assert_ok(dlp_regression_cross_validate(r, table, &how, &folds, error));
        assert_true(loo->without_draws && folds->without_draws);
        if (!SANITISED) /* three folds leave too much out */
            assert_near(loo->elpd_sum.value, folds->elpd_sum.value, 2);
        assert_true(loo->parameters.value > 2 && loo->parameters.value < 14);
        assert_int_equal(loo->doubtful, 0);
        dlp_scores_free(loo);
        dlp_scores_free(folds);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

static double folded(const dlp_regression *r, const dlp_table *table)
{
    dlp_comparison_settings how = dlp_comparison_settings_default();
    dlp_scores *s = NULL;
    how.folds = 4;
    how.draws = 500;
    assert_ok(dlp_regression_cross_validate(r, table, &how, &s, error));
    const double elpd = s->elpd_sum.value;
    dlp_scores_free(s);
    return elpd;
}

/* With few rows per column "auto" is expectation propagation, in folds too, but not for a
   method that was asked for, from a file either. */
static void folds_keep_a_stated_method(void **state)
{
    dlp_table *table = draw_table();
    double elpd[2][2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *r = NULL, *again = NULL;
        char *text = NULL;
        size_t size = 0;
        if (k == 1) settings.method = "delta";
        settings.family = "bernoulli";
        assert_ok(dlp_regression_fit("y ~ x + w + g", table, &settings, &r, error));
        assert_ok(dlp_regression_json(r, DLP_PART_FILE, 0, &text, &size, error));
        assert_ok(dlp_regression_parse("fit.json", text, size, &again, error));
        assert_int_equal(dlp_regression_result_of(r)->propagated, k == 0);
        assert_int_equal(dlp_regression_result_of(again)->method_stated, k);
        elpd[k][0] = folded(r, table);
        elpd[k][1] = folded(again, table);
        assert_near(elpd[k][1], elpd[k][0], 1e-9);
        free(text);
        dlp_regression_free(r);
        dlp_regression_free(again);
    }
    assert_true(fabs(elpd[0][0] - elpd[1][0]) > 0.05);
    dlp_table_free(table);
}

static void what_cannot_be_is_refused(void **state)
{
    dlp_table *table = draw_table();
    dlp_comparison_settings how = dlp_comparison_settings_default();
    dlp_regression *r = NULL;
    dlp_scores *s = NULL;
    (void)state;
    assert_ok(dlp_regression_fit("v ~ x", table, NULL, &r, error));
    how.folds = 61;
    assert_int_equal(dlp_regression_cross_validate(r, table, &how, &s, &failure),
                     DLP_EINVAL);
    how.folds = 0;
    how.by = "nothing";
    assert_int_equal(dlp_regression_cross_validate(r, table, &how, &s, &failure),
                     DLP_EINPUT);
    how.by = "m"; /* it misses a value */
    assert_int_equal(dlp_regression_cross_validate(r, table, &how, &s, &failure),
                     DLP_EINPUT);
    assert_null(s);
    dlp_regression_free(r);
    dlp_table_free(table);
}

static void fits_are_ranked_by_how_well_they_predict(void **state)
{
    static const dlp_index other_row[] = {3, 5};
    const dlp_scores fit[] = {
        {.N = 2, .response = "y", .elpd_sum = {-7, 1}},
        {.N = 2, .response = "y", .elpd_sum = {-3, 1}, .row = other_row},
        {.N = 2, .response = "y", .elpd_sum = {-5, 1}},
        {.N = 2, .response = "y", .elpd_sum = {-7, 2}},
        {.N = 2, .response = "z", .elpd_sum = {-1, 1}},
    };
    const dlp_scores *const list[] = {&fit[0], &fit[1], &fit[2], &fit[3], &fit[4]};
    static const dlp_index expected[] = {2, 0, 3, 1, 4};
    dlp_index order[5];
    (void)state;
    assert_int_equal(dlp_scores_rank(5, list, order), 3);
    for (int i = 0; i < 5; i++) assert_int_equal(order[i], expected[i]);
    assert_int_equal(dlp_scores_rank(0, list, order), 0);
}

static void differences_and_tails_are_judged(void **state)
{
    (void)state;
    assert_true(dlp_scores_tell_apart((dlp_score_sum){-4, 2}));
    assert_false(dlp_scores_tell_apart((dlp_score_sum){-3.9, 2}));
    assert_int_equal(dlp_tail_of(-INFINITY), DLP_TAIL_LIGHT);
    assert_int_equal(dlp_tail_of(0.5), DLP_TAIL_LIGHT);
    assert_int_equal(dlp_tail_of(0.7), DLP_TAIL_FAIR);
    assert_int_equal(dlp_tail_of(0.71), DLP_TAIL_HEAVY);
    assert_int_equal(dlp_tail_of(NAN), DLP_TAIL_HEAVY);
}

static void a_row_of_weight_two_is_two_rows(void **state)
{
    enum { ROWS = 12 };
    double x[ROWS], y[ROWS], weight[ROWS];
    const dlp_column_data columns[] = {{.name = "x", .number = x},
                                       {.name = "y", .number = y},
                                       {.name = "weight", .number = weight}};
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_scores *scores = NULL;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        x[i] = i;
        y[i] = i + i % 3;
        weight[i] = 2;
    }
    settings.weights = "weight";
    assert_ok(dlp_table_from_columns(ROWS, 3, columns, &table, error));
    assert_ok(dlp_regression_fit("y ~ x", table, &settings, &fit, error));
    assert_ok(dlp_regression_loo(fit, table, NULL, &scores, error));
    assert_near(scores->elpd_per_row, scores->elpd_sum.value / (2 * ROWS), 1e-12);
    dlp_scores_free(scores);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_are_ranked_by_how_well_they_predict),
        cmocka_unit_test(weights_leave_out_as_fits_do),
        cmocka_unit_test(weights_leave_out_of_groups_as_fits_do),
        cmocka_unit_test(leverages_are_those_of_weights),
        cmocka_unit_test(groups_are_left_out),
        cmocka_unit_test(evidence_is_the_fits),
        cmocka_unit_test(former_contents_of_memory_do_not_matter),
        cmocka_unit_test(groups_stay_together),
        cmocka_unit_test(weights_count_rows),
        cmocka_unit_test(other_rows_are_not_compared),
        cmocka_unit_test(rows_are_taken_out_without_draws),
        cmocka_unit_test(folds_keep_a_stated_method),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_row_of_weight_two_is_two_rows),
        cmocka_unit_test(differences_and_tails_are_judged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

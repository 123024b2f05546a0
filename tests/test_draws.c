/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws from fits have the moments of the fits. */
#include "support.h"

#include <delaplace/draws.h>
#include <delaplace/prediction.h>
#include <delaplace/random.h>
#include <delaplace/special.h>

static dlp_error failure;

static dlp_table *draw_table(void)
{
    char text[20000] = "y,x,z,v,w,g,n,f\n";
    dlp_rng rng = dlp_rng_at(12, 0);
    dlp_table *table = NULL;
    for (int i = 0; i < 200; i++) {
        const double x = dlp_draw_normal(&rng), e = dlp_draw_normal(&rng);
        snprintf(text + strlen(text), 100, "%d,%.4f,%d,%.4f,%c,%c,%d,4\n",
                 dlp_draw_uniform(&rng) < dlp_logistic(x), x,
                 (int)(exp(0.5 * x) * dlp_draw_gamma(&rng, 3)), 2 + x + e + 0.5 * (i % 8),
                 "abc"[(int)fmin(2, 3 * dlp_logistic(x + e))], "pqrstuvw"[i % 8], i % 4);
    }
    assert_ok(dlp_table_parse("test.csv", text, strlen(text), NULL, &table, error));
    return table;
}

static dlp_regression *fit(const dlp_table *table, const char *formula,
                           const char *family)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *r = NULL;
    settings.family = family;
    assert_ok(dlp_regression_fit(formula, table, &settings, &r, error));
    return r;
}

static dlp_draws *draw(const dlp_regression *r, dlp_draw_what what,
                       const dlp_table *table, int effects)
{
    dlp_draws_settings settings = dlp_draws_settings_default();
    dlp_draws *draws = NULL;
    settings.n = 10000;
    settings.what = what;
    settings.table = table;
    settings.effects = effects;
    assert_ok(dlp_regression_draw(r, &settings, &draws, error));
    return draws;
}

static double mean_of(const dlp_draws *d, dlp_index i)
{
    double sum = 0;
    for (dlp_index k = 0; k < d->n; k++) sum += d->value[i * d->n + k];
    return sum / (double)d->n;
}

static double sd_of(const dlp_draws *d, dlp_index i)
{
    const double mean = mean_of(d, i);
    double sum = 0;
    for (dlp_index k = 0; k < d->n; k++) {
        const double off = d->value[i * d->n + k] - mean;
        sum += off * off;
    }
    return sqrt(sum / (double)d->n);
}

static void parameters_have_their_moments(void **state)
{
    static const char *const cases[][2] = {{"y ~ x + g", "bernoulli"},
                                           {"v ~ x", "gaussian"},
                                           {"w ~ x", "ordinal"},
                                           {"w ~ x", "multinomial"},
                                           {"v ~ x + (1 | g)", "gaussian"}};
    dlp_table *table = draw_table();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression *r = fit(table, cases[c][0], cases[c][1]);
        dlp_parameter q[20];
        char name[100];
        dlp_draws *d = draw(r, DLP_DRAW_PARAMETERS, NULL, 0);
        assert_ok(dlp_regression_parameters(r, 0, q, error));
        for (dlp_index i = 0; i < dlp_regression_result_of(r)->n; i++) {
            dlp_parameter_name(&q[i], name, sizeof name);
            assert_string_equal(name, d->name[i]);
            if (!(fabs(mean_of(d, i) - q[i].mean) < 0.1 * q[i].sd &&
                  fabs(sd_of(d, i) / q[i].sd - 1) < 0.05))
                fail_msg("%s, %s: %g (%g), not %g (%g)", cases[c][0], name, mean_of(d, i),
                         sd_of(d, i), q[i].mean, q[i].sd);
        }
        dlp_draws_free(d);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

static void effects_have_theirs(void **state)
{
    dlp_table *table = draw_table();
    dlp_regression *r = fit(table, "v ~ x + (1 | g)", "gaussian");
    dlp_level_effect effect[1];
    (void)state;
    dlp_draws *d = draw(r, DLP_DRAW_PARAMETERS, NULL, 1);
    assert_int_equal(d->columns, 3 + 1 + 8);
    assert_string_equal(d->name[3], "sd(g: (Intercept))");
    assert_string_equal(d->name[4], "b[(Intercept) g:p]");
    for (dlp_index level = 0; level < 8; level++) {
        dlp_regression_level(r, 0, level, effect);
        assert_true(fabs(mean_of(d, 4 + level) - effect[0].effect.mean) <
                    0.05 * effect[0].effect.sd);
        assert_true(fabs(sd_of(d, 4 + level) / effect[0].effect.sd - 1) < 0.05);
        /* the level's own intercept: what goes together does */
        double sum = 0, square = 0;
        for (dlp_index k = 0; k < d->n; k++) {
            const double own = d->value[k] + d->value[(4 + level) * d->n + k];
            sum += own;
            square += own * own;
        }
        sum /= (double)d->n;
        assert_true(fabs(sqrt(square / (double)d->n - sum * sum) / effect[0].own.sd - 1) <
                    0.05);
    }
    dlp_draws_free(d);
    dlp_regression_free(r);
    dlp_table_free(table);
}

static void rows_have_theirs(void **state)
{
    static const char *const cases[][2] = {
        {"y ~ x", "bernoulli"}, {"cbind(n, f) ~ x", "binomial"},
        {"z ~ x", "poisson"},   {"z ~ x", "negative-binomial"},
        {"v ~ x", "gaussian"},  {"exp(v) ~ x", "gamma"}};
    dlp_table *table = draw_table();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression *r = fit(table, cases[c][0], cases[c][1]);
        dlp_prediction *prediction = NULL;
        assert_ok(dlp_regression_predict(r, table, NULL, &prediction, error));
        const dlp_prediction_result *p = dlp_prediction_result_of(prediction);
        dlp_draws *mean = draw(r, DLP_DRAW_MEANS, table, 0);
        dlp_draws *y = draw(r, DLP_DRAW_RESPONSES, table, 0);
        assert_int_equal(mean->columns, 200);
        assert_string_equal(mean->name[6], "mean[7]");
        for (dlp_index i = 0; i < 200; i += 20) {
            const double wanted = (p->mean_averaged ? p->mean_averaged : p->mean)[i];
            const double trials =
                c == 1 ? table->column[dlp_table_find(table, "n")].number[i] + 4 : 1;
            const double error = sd_of(mean, i) / 100 * 5 + 1e-9;
            if (!(fabs(mean_of(mean, i) - wanted) < error))
                fail_msg("%s: %g, not %g", cases[c][1], mean_of(mean, i), wanted);
            if (!(fabs(mean_of(y, i) - trials * wanted) < 5 * sd_of(y, i) / 100 + 1e-9))
                fail_msg("%s: y %g, not %g", cases[c][1], mean_of(y, i), wanted);
        }
        dlp_draws_free(mean);
        dlp_draws_free(y);
        dlp_prediction_free(prediction);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

static void levels_have_theirs(void **state)
{
    static const char *const families[] = {"multinomial", "ordinal"};
    dlp_table *table = draw_table();
    (void)state;
    for (int f = 0; f < 2; f++) {
        dlp_regression *r = fit(table, "w ~ x", families[f]);
        dlp_prediction *prediction = NULL;
        assert_ok(dlp_regression_predict(r, table, NULL, &prediction, error));
        const dlp_prediction_result *p = dlp_prediction_result_of(prediction);
        dlp_draws *mean = draw(r, DLP_DRAW_MEANS, table, 0);
        dlp_draws *y = draw(r, DLP_DRAW_RESPONSES, table, 0);
        assert_int_equal(mean->columns, 600);
        assert_string_equal(mean->name[1], "p[1,b]");
        for (dlp_index i = 0; i < 600; i += 31)
            assert_true(fabs(mean_of(mean, i) - p->probability_averaged[i]) < 0.005);
        double second = 0;
        for (dlp_index k = 0; k < y->n; k++) second += y->value[3 * y->n + k] == 2;
        assert_true(fabs(second / (double)y->n - p->probability_averaged[10]) < 0.02);
        dlp_draws_free(mean);
        dlp_draws_free(y);
        dlp_prediction_free(prediction);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

static void what_cannot_be_is_refused(void **state)
{
    dlp_table *table = draw_table();
    dlp_regression *r = fit(table, "v ~ x + (1 | g)", "gaussian");
    dlp_draws_settings settings = dlp_draws_settings_default();
    dlp_draws *draws = NULL;
    (void)state;
    settings.what = DLP_DRAW_MEANS;
    assert_int_equal(dlp_regression_draw(r, &settings, &draws, &failure), DLP_EINVAL);
    settings.table = table;
    assert_int_equal(dlp_regression_draw(r, &settings, &draws, &failure), DLP_EINVAL);
    settings = dlp_draws_settings_default();
    settings.n = 0;
    assert_int_equal(dlp_regression_draw(r, &settings, &draws, &failure), DLP_EINVAL);
    assert_null(draws);
    dlp_regression_free(r);
    dlp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parameters_have_their_moments),
                                       cmocka_unit_test(effects_have_theirs),
                                       cmocka_unit_test(rows_have_theirs),
                                       cmocka_unit_test(levels_have_theirs),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

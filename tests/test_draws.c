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

/* ---- sds and correlations ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The draws of column i have the margin m: mean, sd and quantiles. The ends are known to `end`. */
static void assert_margin(const dlp_draws *d, dlp_index i, const dlp_margin *m,
                          double end)
{
    double *x = calloc((size_t)d->n + 1, sizeof *x);
    assert_non_null(x);
    memcpy(x, d->value + i * d->n, (size_t)d->n * sizeof *x);
    qsort(x, (size_t)d->n, sizeof *x, ascending);
    const double low = x[d->n / 40], middle = x[d->n / 2], high = x[d->n - d->n / 40];
    if (!(fabs(mean_of(d, i) - m->mean) < 0.035 * m->sd &&
          fabs(sd_of(d, i) / m->sd - 1) < 0.03 && fabs(low - m->lower) < 0.08 * m->sd &&
          fabs(middle - m->median) < 0.05 * m->sd && fabs(high - m->upper) < end * m->sd))
        fail_msg("%s: %g (%g) [%g, %g, %g], not %g (%g) [%g, %g, %g]", d->name[i],
                 mean_of(d, i), sd_of(d, i), low, middle, high, m->mean, m->sd, m->lower,
                 m->median, m->upper);
    free(x);
}

/* Cut points are drawn together: none is above the next, and each has its margin. */
static void assert_ordered(const dlp_draws *d, const dlp_regression_result *found)
{
    for (dlp_index j = found->p; j < found->n; j++) {
        assert_margin(d, j, &found->margin[j], 0.12);
        for (dlp_index k = 0; j > found->p && k < d->n; k++)
            assert_true(d->value[j * d->n + k] >= d->value[(j - 1) * d->n + k]);
    }
}

/* Of few groups, whose sds are far from normal; also when the fit has been to a file. */
static void scales_have_their_margins(void **state)
{
    static const char *const cases[][2] = {
        {"v ~ x + (1 | g)", "gaussian"},      {"v ~ x + (1 + x | g)", "gaussian"},
        {"y ~ x + (1 | g)", "bernoulli"},     {"y ~ x + (1 + x | g)", "bernoulli"},
        {"w ~ x + (1 | g)", "multinomial"},   {"w ~ x + (1 | g)", "ordinal"},
        {"v ~ s(x) + ar1(z | g)", "gaussian"}};
    dlp_table *table = draw_table();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression *fitted = fit(table, cases[c][0], cases[c][1]), *r = NULL;
        assert_ok(dlp_regression_save(fitted, "draws-fit.json", error));
        assert_ok(dlp_regression_load("draws-fit.json", &r, error));
        const dlp_regression_result *found = dlp_regression_result_of(r);
        dlp_draws *d = draw(r, DLP_DRAW_PARAMETERS, NULL, 0),
                  *same = draw(fitted, DLP_DRAW_PARAMETERS, NULL, 0);
        dlp_index i = found->n;
        const double end =
            found->n_smooths > 0 ? 0.25 : 0.12; /* of a grid or a lattice */
        for (dlp_index t = 0; t < found->n_random; t++) {
            const dlp_random_effects *e = &found->random[t];
            for (dlp_index k = 0; k < e->q; k++) assert_margin(d, i++, &e->sd[k], end);
            for (dlp_index k = 0; k < e->q * (e->q - 1) / 2; k++)
                assert_margin(d, i++, &e->correlation[k], end);
            if (e->process) assert_margin(d, i++, &e->second, end);
        }
        for (dlp_index k = 0; k < found->n_smooths; k++)
            assert_margin(d, i++, &found->smooth[k].sd, end);
        assert_int_equal(i, d->columns);
        if (!strcmp(cases[c][1], "ordinal")) assert_ordered(d, found);
        for (dlp_index k = 0; k < d->columns; k++)
            assert_true(fabs(mean_of(d, k) - mean_of(same, k)) < 1e-5 * sd_of(d, k));
        dlp_draws_free(d);
        dlp_draws_free(same);
        dlp_regression_free(r);
        dlp_regression_free(fitted);
    }
    (void)remove("draws-fit.json");
    dlp_table_free(table);
}

/* ---- coefficients and scales together ---- */

/* Six groups of five rows, whose x are the same in each, and little residual: given the sd of the
   groups an intercept varies by sd^2 / 6, for small sds as for large ones. */
static dlp_table *balanced_table(void)
{
    char text[4000] = "v,x,g\n";
    dlp_rng rng = dlp_rng_at(3, 0);
    dlp_table *table = NULL;
    for (int j = 0; j < 6; j++) {
        const double b = dlp_draw_normal(&rng);
        for (int i = 0; i < 5; i++)
            snprintf(text + strlen(text), 60, "%.5f,%d,%c\n",
                     1 + b + 0.3 * (i - 2) + 0.02 * dlp_draw_normal(&rng), i - 2,
                     'a' + j);
    }
    assert_ok(dlp_table_parse("balanced.csv", text, strlen(text), NULL, &table, error));
    return table;
}

static void intercepts_vary_with_their_scale(void **state)
{
    dlp_table *table = balanced_table();
    dlp_regression *r = fit(table, "v ~ x + (1 | g)", "gaussian");
    dlp_draws *d = draw(r, DLP_DRAW_PARAMETERS, NULL, 0);
    const dlp_regression_result *found = dlp_regression_result_of(r);
    const double mean = mean_of(d, 0), middle = found->random[0].sd[0].median;
    double sum[2] = {0}, count[2] = {0};
    (void)state;
    assert_string_equal(d->name[0], "(Intercept)");
    for (dlp_index k = 0; k < d->n; k++) {
        const double sd = d->value[found->n * d->n + k], off = d->value[k] - mean;
        sum[sd > middle] += off * off / (sd * sd / 6);
        count[sd > middle]++;
    }
    for (int half = 0; half < 2; half++) assert_near(sum[half] / count[half], 1, 0.12);
    dlp_draws_free(d);
    dlp_regression_free(r);
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

/* Rows of a mixed model have the effects of their levels, as predictions do. */
static void rows_of_groups_have_theirs(void **state)
{
    static const char *const cases[][2] = {{"v ~ x + (1 | g)", "gaussian"},
                                           {"y ~ x + (x | g)", "bernoulli"}};
    dlp_table *table = draw_table();
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression *r = fit(table, cases[c][0], cases[c][1]);
        dlp_draws *mean = draw(r, DLP_DRAW_MEANS, table, 0);
        dlp_prediction *prediction = NULL;
        assert_ok(dlp_regression_predict(r, table, NULL, &prediction, error));
        const dlp_prediction_result *p = dlp_prediction_result_of(prediction);
        const double *expected = p->mean_averaged ? p->mean_averaged : p->mean;
        for (dlp_index i = 0; i < p->N; i += 17) {
            const double sd = sd_of(mean, i);
            assert_near(mean_of(mean, i), expected[i], 0.1 * sd);
            if (c == 0) assert_near(sd, p->eta_sd[i], 0.06 * p->eta_sd[i]);
        }
        dlp_draws_free(mean);
        dlp_prediction_free(prediction);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

/* Says stop at the third call. */
static int stop_soon(void *context, const dlp_progress *now)
{
    int *calls = context;
    assert_non_null(now->phase);
    return ++*calls == 3;
}

static void draws_can_be_stopped(void **state)
{
    dlp_table *table = draw_table();
    dlp_regression *r = fit(table, "v ~ x", "gaussian");
    dlp_draws_settings settings = dlp_draws_settings_default();
    dlp_draws *draws = NULL;
    int calls = 0;
    (void)state;
    settings.what = DLP_DRAW_MEANS;
    settings.table = table;
    settings.progress = stop_soon;
    settings.context = &calls;
    assert_int_equal(dlp_regression_draw(r, &settings, &draws, &failure), DLP_ECANCELLED);
    assert_null(draws);
    assert_int_equal(calls, 3);
    dlp_regression_free(r);
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
                                       cmocka_unit_test(scales_have_their_margins),
                                       cmocka_unit_test(intercepts_vary_with_their_scale),
                                       cmocka_unit_test(effects_have_theirs),
                                       cmocka_unit_test(rows_have_theirs),
                                       cmocka_unit_test(levels_have_theirs),
                                       cmocka_unit_test(rows_of_groups_have_theirs),
                                       cmocka_unit_test(draws_can_be_stopped),
                                       cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

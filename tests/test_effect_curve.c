/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of topics as a covariate changes, against what the coefficients say by hand; and what
   s() in a formula of covariates is. */
#include "support.h"

#include <delaplace.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { D = 60, K = 2 };

static dlp_error error[1];

typedef struct sample {
    dlp_table *table;
    dlp_corpus corpus; /* its number of documents is all that is read */
    double day[D], few[D], year[D];
    dlp_document_covariates X;
    dlp_effects effects;
} sample;

/* Groups a and b take turns; b's documents are later on average. */
static void make_table(sample *s)
{
    static const char *const level[] = {"a", "b"};
    int32_t code[D];
    for (int d = 0; d < D; d++) {
        code[d] = d % 2;
        s->day[d] = d * d / 10.0 + 5 * (d % 2);
        s->few[d] = d % 3;
        s->year[d] =
            d < 15 ? d : 15; /* three quarters of the documents are of the last */
    }
    const dlp_column_data column[] = {
        {.name = "day", .number = s->day},
        {.name = "few", .number = s->few},
        {.name = "year", .number = s->year},
        {.name = "g", .code = code, .n_levels = 2, .level = level}};
    assert_int_equal(dlp_table_from_columns(D, 4, column, &s->table, error), DLP_OK);
    s->corpus = (dlp_corpus){.D = D};
}

/* Coefficients b_ki = (i + 1) (k + 1) / 10 with covariance L L', L_ij = 1 / (1 + i + j). */
static void make_effects(sample *s)
{
    const dlp_index p = s->X.p;
    double *mean = calloc((size_t)(4 * K * p), sizeof *mean);
    double *covariance = calloc((size_t)(K * p * p), sizeof *covariance);
    assert_non_null(mean);
    assert_non_null(covariance);
    for (dlp_index i = 0; i < K * p; i++)
        mean[i] = (double)((i % p + 1) * (i / p + 1)) / 10;
    for (dlp_index k = 0; k < K; k++)
        for (dlp_index i = 0; i < p; i++)
            for (dlp_index j = 0; j < p; j++)
                for (dlp_index l = 0; l < p; l++)
                    covariance[(k * p + i) * p + j] +=
                        1.0 / (double)((1 + i + l) * (1 + j + l));
    s->effects = (dlp_effects){
        .K = K, .p = p, .mean = mean, .covariance = covariance, .outcome = DLP_CONVERGED};
}

static void make_sample(sample *s, const char *formula)
{
    memset(s, 0, sizeof *s);
    make_table(s);
    assert_int_equal(
        dlp_covariates_build(s->table, formula, &s->corpus, NULL, &s->X, error), DLP_OK);
    make_effects(s);
}

static void free_sample(sample *s)
{
    dlp_effects_free(&s->effects);
    dlp_document_covariates_free(&s->X);
    dlp_table_free(s->table);
}

static void assert_near_to(double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-12 * (1 + fabs(wanted))))
        fail_msg("%.17g is not %.17g", got, wanted);
}

/* Of ~ g + day the share at day x is b0 + b1 mean(g) + b2 x. */
static void a_line_is_the_line(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    make_sample(&s, "~ g + day");
    settings.variable = "day";
    settings.points = 5;
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error), DLP_OK);
    assert_int_equal(curve.n, 5);
    assert_int_equal(curve.curves, 1);
    assert_int_equal(curve.documents, D);
    assert_near_to(curve.x[0], 0);
    assert_near_to(curve.x[4], s.day[D - 1]);
    for (dlp_index i = 0; i < K * 5; i++) {
        const double k = (double)(i / 5 + 1), x[] = {1, .5, curve.x[i % 5]};
        double variance = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                variance += x[a] * s.effects.covariance[a * 3 + b] * x[b];
        assert_near_to(curve.share[i].mean, k * (.1 + .2 * x[1] + .3 * x[2]));
        assert_near_to(curve.share[i].sd, sqrt(variance));
        assert_near_to(curve.share[i].upper - curve.share[i].lower,
                       2 * dlp_normal_quantile(.975) * sqrt(variance));
    }
    dlp_effect_curve_free(&curve);
    free_sample(&s);
}

/* Shares below 0 or above 1 that even the intervals' ends are cannot be: they are counted. */
static void impossible_shares_are_counted(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    make_sample(&s, "~ day");
    const double mean[] = {-.2, .3 / s.day[D - 1], .5, 0};
    memcpy(s.effects.mean, mean, sizeof mean);
    for (dlp_index i = 0; i < K * 4; i++) s.effects.covariance[i] = 0;
    for (dlp_index k = 0; k < K; k++) s.effects.covariance[k * 4] = 1e-6;
    settings.variable = "day";
    settings.points = 4; /* topic 1: -.2, -.1, 0, .1; topic 2: .5 throughout */
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error), DLP_OK);
    assert_int_equal(curve.impossible[0], 2);
    assert_int_equal(curve.impossible[1], 0);
    dlp_effect_curve_free(&curve);
    free_sample(&s);
}

/* Without an interaction groups differ by g's coefficient at every value; with one, by that
   and the slopes' difference times the value. */
static void groups_differ_by_their_coefficients(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    make_sample(&s, "~ g * day");
    settings.variable = "day";
    settings.by = "g";
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error), DLP_OK);
    assert_int_equal(curve.curves, 2);
    assert_string_equal(curve.curve[1], "b");
    for (dlp_index i = 0; i < curve.n; i++) {
        assert_near_to(curve.difference[i].mean, 0);
        assert_near_to(curve.difference[i].sd, 0);
        assert_near_to(curve.difference[curve.n + i].mean, .2 + .4 * curve.x[i]);
    }
    assert_near_to(curve.difference[curve.n].sd, sqrt(s.effects.covariance[5]));
    dlp_effect_curve_free(&curve);
    free_sample(&s);
}

/* Curves differ from that of the reference level, wherever it stands in the table. */
static void the_reference_is_the_first_curve(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_document_covariates X;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    const dlp_reference reference = {.column = "g", .level = "b"};
    dlp_covariate_settings covariates = dlp_covariate_settings_default();
    covariates.n_references = 1;
    covariates.reference = &reference;
    make_sample(&s, "~ g + day");
    assert_int_equal(
        dlp_covariates_build(s.table, "~ g + day", &s.corpus, &covariates, &X, error),
        DLP_OK);
    settings.variable = "day";
    settings.by = "g";
    assert_int_equal(dlp_effects_curve(&s.effects, &X, s.table, &settings, &curve, error),
                     DLP_OK);
    assert_string_equal(curve.curve[0], "b");
    assert_string_equal(curve.curve[1], "a");
    assert_near_to(curve.difference[curve.n].mean, .2); /* the coefficient of a */
    dlp_effect_curve_free(&curve);
    dlp_document_covariates_free(&X);
    free_sample(&s);
}

/* Means are over a part of many documents, but values are those of all: groups that take turns,
   and a level that one document has. */
static void no_value_is_lost_among_many_documents(void **state)
{
    enum { MANY = 4001, P = 4 };
    static const char *const level[] = {"a", "b", "rare"};
    static int32_t code[MANY];
    static double day[MANY], mean[4 * K * P], covariance[K * P * P];
    dlp_table *table;
    dlp_document_covariates X;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    const dlp_corpus corpus = {.D = MANY};
    (void)state;
    for (int d = 0; d < MANY; d++) {
        code[d] = d == 1777 ? 2 : d % 2;
        day[d] = d == 3 ? 99 : d % 7;
        mean[d % (K * P)] = .1;
    }
    const dlp_column_data column[] = {
        {.name = "g", .code = code, .n_levels = 3, .level = level},
        {.name = "day", .number = day}};
    assert_int_equal(dlp_table_from_columns(MANY, 2, column, &table, error), DLP_OK);
    assert_int_equal(dlp_covariates_build(table, "~ g + day", &corpus, NULL, &X, error),
                     DLP_OK);
    const dlp_effects effects = {.K = K, .p = P, .mean = mean, .covariance = covariance};
    settings.variable = "day";
    settings.by = "g";
    assert_int_equal(dlp_effects_curve(&effects, &X, table, &settings, &curve, error),
                     DLP_OK);
    assert_int_equal(curve.curves, 3);
    assert_near_to(curve.x[curve.n - 1], 99);
    assert_true(curve.documents > 1900 && curve.documents <= 2000);
    dlp_effect_curve_free(&curve);
    dlp_document_covariates_free(&X);
    dlp_table_free(table);
}

static void categories_and_few_numbers_are_taken_as_they_are(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    make_sample(&s, "~ g + factor(few)");
    settings.variable = "g";
    settings.by = "few";
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error), DLP_OK);
    assert_null(curve.x);
    assert_int_equal(curve.n, 2);
    assert_int_equal(curve.curves, 3);
    assert_string_equal(curve.name[0], "a");
    assert_string_equal(curve.curve[2], "2");
    assert_near_to(curve.share[2 * 2 + 1].mean, .1 + .2 + .4);
    dlp_effect_curve_free(&curve);
    free_sample(&s);
}

static void other_columns_are_refused(void **state)
{
    (void)state;
    sample s;
    dlp_effect_curve curve;
    dlp_effect_curve_settings settings = dlp_effect_curve_settings_default();
    make_sample(&s, "~ g + day");
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error),
        DLP_EINVAL);
    settings.variable = "few";
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error),
        DLP_EINVAL);
    assert_non_null(strstr(error->message, "no column 'few', but 'day', 'g'"));
    settings.variable = settings.by = "day";
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error),
        DLP_EINVAL);
    settings.variable = "g";
    assert_int_equal(
        dlp_effects_curve(&s.effects, &s.X, s.table, &settings, &curve, error),
        DLP_EINVAL);
    assert_non_null(strstr(error->message, "too many curves"));
    free_sample(&s);
}

/* s(x) is a spline with ten columns, or with as many as its values allow: few of them, or so
   many equal ones that quantiles coincide. */
static void s_is_a_spline(void **state)
{
    static const struct {
        const char *formula, *is;
        dlp_index p;
    } cases[] = {
        {"~ s(day)", "~ bs(day, df = 10)", 11},
        {"~ g + s( day ,5)", "~ g + bs(day ,5)", 7},
        {"~ s(few)*g", "~ poly(few, 2)*g", 6},
        {"~ I(few^2) + s (day)", "~ I(few^2) + bs(day, df = 10)", 12},
        {"~ s(`few` # s(day)\n)", "~ poly(few, 2)", 3},
        {"~ s(year)", "~ poly(year, 3)", 4},
        {"~ . - g - few - year + s(log(day + 1)) - day",
         "~ day + few + year + g - g - few - year + bs(log(day + 1), df = 10) - day",
         11}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sample s;
        make_sample(&s, cases[c].formula);
        assert_int_equal(s.X.p, cases[c].p);
        assert_string_equal(s.X.design->terms->formula, cases[c].is);
        free_sample(&s);
    }
}

/* A caret points into the formula as it was typed. */
static void a_slip_in_a_spline_is_shown_as_typed(void **state)
{
    (void)state;
    sample s;
    dlp_document_covariates X;
    make_sample(&s, "~ g");
    assert_int_equal(
        dlp_covariates_build(s.table, "~ g + s(dya)", &s.corpus, NULL, &X, error),
        DLP_EINPUT);
    assert_non_null(strstr(error->message, "  ~ g + s(dya)\n          ^"));
    free_sample(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_the_line),
        cmocka_unit_test(impossible_shares_are_counted),
        cmocka_unit_test(groups_differ_by_their_coefficients),
        cmocka_unit_test(the_reference_is_the_first_curve),
        cmocka_unit_test(no_value_is_lost_among_many_documents),
        cmocka_unit_test(categories_and_few_numbers_are_taken_as_they_are),
        cmocka_unit_test(other_columns_are_refused),
        cmocka_unit_test(s_is_a_spline),
        cmocka_unit_test(a_slip_in_a_spline_is_shown_as_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

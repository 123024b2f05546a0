/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits beside their posteriors: the log posterior at many draws is that of the model, and
   what importance sampling says about a fit is what quadrature says. */
#include "glm_sample.h"

#include "glm/predict/at_draws.h"

#include <delaplace/questions.h>
#include <delaplace/regression.h>
#include <delaplace/verification.h>

static dlp_error failure, *const error_at = &failure;

/* ---- the log posterior at draws ---- */

enum { DRAWS = 70 };

static void assert_same_f(const char *family, const char *link)
{
    sample s;
    dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *glm = NULL;
    double weight[N], theta[DRAWS * 12], f[DRAWS];
    draw_sample(&s, family, 3);
    for (int i = 0; i < N; i++) weight[i] = i % 3;
    s.data.weight = weight;
    prior.symmetric_levels = strcmp(family, "multinomial") == 0;
    assert_ok(dlp_glm_alloc(family, link, &s.data, &prior, &glm, error));
    dlp_rng rng = dlp_rng_at(4, 0);
    for (dlp_index i = 0; i < DRAWS * glm->n; i++) theta[i] = 0.5 * dlp_draw_normal(&rng);
    assert_ok(dlpi_glm_at_draws(glm, 2, DRAWS, theta, f, error));
    const dlp_model model = dlp_glm_model(glm);
    for (int k = 0; k < DRAWS; k++) {
        const double wanted = model.type->f(model.state, theta + k * glm->n, NULL, NULL);
        if (!(fabs(f[k] - wanted) <= 1e-11 * fabs(wanted)))
            fail_msg("%s: f is %.17g, not %.17g", family, f[k], wanted);
    }
    dlp_glm_free(glm);
}

static void agrees_with_the_models(void **state)
{
    (void)state;
    for (int i = 0; dlp_family_at(i); i++)
        for (int k = 0; dlp_family_at(i)->link[k]; k++)
            if (!needs_positive(dlp_family_at(i)->name, dlp_family_at(i)->link[k]))
                assert_same_f(dlp_family_at(i)->name, dlp_family_at(i)->link[k]);
}

/* ---- beside quadrature ---- */

static dlp_table *read_table(const char *text)
{
    dlp_table *table = NULL;
    assert_ok(dlp_table_parse("test.csv", text, strlen(text), NULL, &table, error));
    return table;
}

static const char rows[] =
    "y,x,z,g\n1,0.1,3,a\n0,-1.2,1,b\n1,0.9,0,a\n1,1.3,2,b\n0,-0.4,1,a\n1,-0.2,4,b\n"
    "0,-2.1,0,a\n1,0.7,1,b\n0,0.3,2,a\n1,1.9,6,b\n0,-0.9,1,a\n1,0.2,3,b\n";

static dlp_regression *fit_of(const char *formula, const dlp_table *table,
                              const dlp_regression_settings *settings)
{
    dlp_regression *r = NULL;
    assert_ok(dlp_regression_fit(formula, table, settings, &r, error));
    return r;
}

static dlp_regression_settings stated(const char *family)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = family;
    settings.prior_sd = 2;
    return settings;
}

static double log_posterior(const dlp_table *table, double a, double b)
{
    const double *y = table->column[0].number, *x = table->column[1].number;
    double f = -(a * a + b * b) / 8;
    for (dlp_index i = 0; i < table->rows; i++)
        f += dlp_log_logistic((2 * y[i] - 1) * (a + b * x[i]));
    return f;
}

/* The margin of the slope over a grid. */
static void by_quadrature(const dlp_table *table, double *mean, double *sd, double *lower,
                          double *upper)
{
    double total = 0, sum = 0, squares = 0, below = 0;
    for (int pass = 0; pass < 2; pass++)
        for (double b = -6; b < 12; b += 0.02)
            for (double a = -8; a < 8; a += 0.05) {
                const double w = exp(log_posterior(table, a, b));
                if (pass == 0) {
                    total += w;
                    sum += w * b;
                    squares += w * b * b;
                } else {
                    if (below < 0.025 * total) *lower = b;
                    if (below < 0.975 * total) *upper = b;
                    below += w;
                }
            }
    *mean = sum / total;
    *sd = sqrt(squares / total - *mean * *mean);
}

static void agrees_with_quadrature(void **state)
{
    dlp_table *table = read_table(rows);
    const dlp_regression_settings settings = stated("bernoulli");
    double mean = 0, sd = 0, lower = 0, upper = 0;
    (void)state;
    dlp_regression *r = fit_of("y ~ x", table, &settings);
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    const dlp_verification *v = dlp_regression_result_of(r)->verification;
    const dlp_verified *slope = &v->fit[0].parameter[1];
    by_quadrature(table, &mean, &sd, &lower, &upper);
    assert_true(fabs(slope->mean - mean) < 0.02 * sd);
    assert_true(fabs(slope->sd / sd - 1) < 0.02);
    assert_true(fabs(slope->lower - lower) < 0.05 * sd);
    assert_true(v->fit[0].k < 0.5);
    assert_true(slope->skewness > 0.2);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* The interval of the fit itself, and of the coefficient asked for by name, follows the skewness: a normal one
   is 0.2 sds off. */
static void intervals_follow_skewness(void **state)
{
    dlp_table *table = read_table(rows);
    const dlp_regression_settings settings = stated("bernoulli");
    const char *const asked[] = {"x > 0", "-2*x"};
    dlp_answers *answers = NULL;
    dlp_parameter q[2];
    double mean = 0, sd = 0, lower = 0, upper = 0;
    (void)state;
    dlp_regression *r = fit_of("y ~ x", table, &settings);
    by_quadrature(table, &mean, &sd, &lower, &upper);
    assert_ok(dlp_regression_parameters(r, 0, q, error));
    assert_true(fabs(q[1].lower - lower) < 0.05 * sd);
    assert_true(fabs(q[1].upper - upper) < 0.05 * sd);
    assert_true(fabs(mean - 1.96 * sd - lower) > 0.15 * sd);
    assert_ok(dlp_regression_contrasts(r, 2, asked, NULL, &answers, error));
    assert_true(fabs(answers->value[0].lower[0] - q[1].lower) < 1e-9);
    assert_true(fabs(answers->value[1].upper[0] + 2 * q[1].lower) < 1e-9);
    dlp_answers_free(answers);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* 18 events of 236, as left-handers in a class: the sds are a fifth too wide, more than
   anything else is off. */
static void grades_look_at_sds(void **state)
{
    enum { ROWS = 236 };
    double x[ROWS], y[ROWS];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        x[i] = 17 + 2 * pow(1 - (i + 0.5) / ROWS, -0.6);
        y[i] = i > 225 || i % 13 != 3;
    }
    const dlp_column_data columns[] = {{.name = "x", .number = x},
                                       {.name = "y", .number = y}};
    dlp_table *table = NULL;
    assert_ok(dlp_table_from_columns(ROWS, 2, columns, &table, error));
    dlp_regression *r = fit_of("y ~ x", table, NULL);
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    const dlp_verification *v = dlp_regression_result_of(r)->verification;
    dlp_parameter q[2];
    assert_ok(dlp_regression_parameters(r, 0, q, error));
    for (int i = 0; i < 2; i++) {
        const dlp_verified *of = &v->fit[0].parameter[i];
        assert_true(of->off > fabs(q[i].sd / of->sd - 1) - 1e-9);
        assert_int_equal(of->grade, DLP_GRADE_FAIR);
    }
    const dlp_verified *both = v->fit[0].parameter;
    assert_int_equal(dlp_verified_worst(&v->fit[0], 2), both[1].off > both[0].off);
    assert_int_equal(dlp_verification_count(dlp_regression_result_of(r), DLP_GRADE_FAIR),
                     2);
    assert_int_equal(dlp_verification_count(dlp_regression_result_of(r), DLP_GRADE_GOOD),
                     0);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* The evidence of a gaussian regression is known. */
static void agrees_with_the_exact_evidence(void **state)
{
    dlp_table *table = read_table(rows);
    (void)state;
    dlp_regression *r = fit_of("z ~ x + g", table, NULL);
    dlp_verification_settings settings = dlp_verification_settings_default();
    settings.draws = 20000;
    assert_ok(dlp_regression_verify(r, table, &settings, error));
    const dlp_regression_result *result = dlp_regression_result_of(r);
    const dlp_verified_fit *v = &result->verification->fit[0];
    assert_true(fabs(v->log_evidence - result->objective) <
                4 * v->log_evidence_se + 1e-3);
    assert_true(v->log_evidence_se < 0.02);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* ---- the rest ---- */

/* Every family, factors and cut points: the weights of a fit of many rows are even. */
static void every_family_is_verified(void **state)
{
    static const char *const formulas[][2] = {
        {"y ~ x + g", "bernoulli"},    {"z ~ x + g", "poisson"},
        {"z ~ x * g", "gaussian"},     {"z ~ x", "negative-binomial"},
        {"I(z + 1) ~ x + g", "gamma"}, {"w ~ x + g", "multinomial"},
        {"w ~ x + g", "ordinal"},      {"cbind(y, z) ~ x", "binomial"}};
    char text[20000] = "y,x,z,g,w\n";
    (void)state;
    dlp_rng rng = dlp_rng_at(9, 0);
    for (int i = 0; i < 300; i++) {
        const double x = dlp_draw_normal(&rng), u = dlp_draw_uniform(&rng);
        snprintf(text + strlen(text), 100, "%d,%.4f,%d,%c,%c\n", u < dlp_logistic(x), x,
                 (int)(exp(1 + 0.5 * x) * dlp_draw_gamma(&rng, 2)), "ab"[i % 2],
                 "lmh"[(int)fmin(2, 3 * dlp_logistic(x + dlp_draw_normal(&rng)))]);
    }
    dlp_table *table = read_table(text);
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        settings.family = formulas[i][1];
        dlp_regression *r = fit_of(formulas[i][0], table, &settings);
        assert_ok(dlp_regression_verify(r, table, NULL, error));
        const dlp_verified_fit *v = &dlp_regression_result_of(r)->verification->fit[0];
        if (!(v->k < 0.5 && v->effective > 2000))
            fail_msg("%s: k is %g and %g draws count", formulas[i][1], v->k,
                     v->effective);
        if (fabs(v->log_evidence - dlp_regression_result_of(r)->objective) > 0.1)
            fail_msg("%s: the evidence is %g, not %g", formulas[i][1],
                     dlp_regression_result_of(r)->objective, v->log_evidence);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

static void threads_make_no_difference(void **state)
{
    dlp_table *table = read_table(rows);
    dlp_verification_settings settings = dlp_verification_settings_default();
    dlp_verified one[3];
    (void)state;
    dlp_regression *r = fit_of("z ~ x", table, NULL);
    for (settings.threads = 1; settings.threads < 4; settings.threads++) {
        assert_ok(dlp_regression_verify(r, table, &settings, error));
        const dlp_verification *v = dlp_regression_result_of(r)->verification;
        if (settings.threads == 1) memcpy(one, v->fit[0].parameter, sizeof one);
        assert_memory_equal(one, v->fit[0].parameter, sizeof one);
    }
    dlp_regression_free(r);
    dlp_table_free(table);
}

static void files_keep_it(void **state)
{
    dlp_table *table = read_table(rows);
    char *text, *again;
    size_t size, other;
    dlp_regression *r = fit_of("y ~ x", table, NULL), *loaded = NULL;
    (void)state;
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    assert_ok(dlp_regression_json(r, DLP_PART_FILE, 0, &text, &size, error));
    assert_ok(dlp_regression_parse("fit.json", text, size, &loaded, error));
    assert_ok(dlp_regression_json(loaded, DLP_PART_FILE, 0, &again, &other, error));
    assert_string_equal(text, again);
    assert_ok(dlp_regression_verify(loaded, table, NULL, error));
    free(again);
    assert_ok(dlp_regression_json(loaded, DLP_PART_FILE, 0, &again, &other, error));
    assert_string_equal(text, again);
    free(text);
    free(again);
    dlp_regression_free(loaded);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* Effects are integrated out, scales drawn: what is exact but for its points is good. */
static void mixed_models_are_verified(void **state)
{
    dlp_table *table = read_table(rows);
    dlp_regression *r = fit_of("z ~ x + (1 | g)", table, NULL);
    (void)state;
    assert_int_equal(dlp_regression_verify(r, table, NULL, error_at), DLP_OK);
    const dlp_regression_result *found = dlp_regression_result_of(r);
    assert_non_null(found->verification);
    const dlp_verified_fit *v = &found->verification->fit[0];
    assert_true(v->k < 0.7);
    assert_true(v->effective > 1000);
    assert_true(fabs(v->log_evidence - found->objective) < 0.1);
    for (dlp_index i = 0; i < found->n; i++) {
        assert_true(v->parameter[i].grade <= DLP_GRADE_FAIR);
        assert_true(v->parameter[i].off < 0.2);
    }
    /* so is the sd, also in the file */
    dlp_regression *again = NULL;
    char *text = NULL;
    size_t size;
    assert_int_equal(v->n_scales, 1);
    assert_string_equal(v->scale_name[0], "sd(g: (Intercept))");
    assert_true(v->scale[0].off < 0.2);
    assert_int_equal(dlp_regression_json(r, DLP_PART_FILE, 0, &text, &size, error_at),
                     DLP_OK);
    assert_int_equal(dlp_regression_parse("fit.json", text, size, &again, error_at),
                     DLP_OK);
    v = &dlp_regression_result_of(again)->verification->fit[0];
    assert_int_equal(v->n_scales, 1);
    assert_string_equal(v->scale_name[0], "sd(g: (Intercept))");
    assert_true(v->scale[0].mean > 0);
    free(text);
    dlp_regression_free(again);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* Intervals end where the parameter's range does, also where they are above 0, as those of an
   sd are: on the scales of Fisher's z, of log odds and of logarithms they are those of a
   normal number. */
static void intervals_stay_in_their_range(void **state)
{
    const double at95 = dlp_normal_quantile(0.975), at = dlp_normal_quantile(0.9995);
    double lower, upper;
    (void)state;
    /* z ~ N(1.5, 0.5^2) */
    const dlp_verified cor = {.mean = 0.88,
                              .sd = 0.1,
                              .lower = tanh(1.5 - 0.5 * at95),
                              .median = tanh(1.5),
                              .upper = tanh(1.5 + 0.5 * at95)};
    dlp_verified_interval(&cor, DLP_RANGE_CORRELATION, 0.999, &lower, &upper);
    assert_near(lower, tanh(1.5 - 0.5 * at), 1e-12);
    assert_near(upper, tanh(1.5 + 0.5 * at), 1e-12);
    /* log odds ~ N(1, 1) */
    const dlp_verified share = {.mean = 0.7,
                                .sd = 0.2,
                                .lower = dlp_logistic(1 - at95),
                                .median = dlp_logistic(1),
                                .upper = dlp_logistic(1 + at95)};
    dlp_verified_interval(&share, DLP_RANGE_SHARE, 0.999, &lower, &upper);
    assert_near(lower, dlp_logistic(1 - at), 1e-12);
    assert_near(upper, dlp_logistic(1 + at), 1e-12);
    /* an end of the range is reached */
    const dlp_verified end = {
        .mean = 0.9, .sd = 0.1, .lower = 0.5, .median = 0.95, .upper = 1};
    dlp_verified_interval(&end, DLP_RANGE_CORRELATION, 0.999, &lower, &upper);
    assert_true(lower < 0.5 && lower >= -1 && upper == 1);
    const dlp_verified sd = {.mean = 2,
                             .sd = 1,
                             .lower = exp(0.5 - 0.4 * at95),
                             .median = exp(0.5),
                             .upper = exp(0.5 + 0.4 * at95)};
    dlp_verified_interval(&sd, DLP_RANGE_POSITIVE, 0.999, &lower, &upper);
    assert_near(upper, exp(0.5 + 0.4 * at), 1e-12);
}

static void assert_ranges(const dlp_regression *r)
{
    const dlp_verified_fit *v = &dlp_regression_result_of(r)->verification->fit[0];
    double lower, upper;
    assert_int_equal(v->n_scales, 3);
    for (int i = 0; i < 3; i++) {
        const bool sd = strncmp(v->scale_name[i], "sd(", 3) == 0;
        assert_int_equal(v->scale_range[i],
                         sd ? DLP_RANGE_POSITIVE : DLP_RANGE_CORRELATION);
        dlp_verified_interval(&v->scale[i], v->scale_range[i], 0.9999, &lower, &upper);
        assert_true(sd ? lower > 0 : lower > -1 && upper < 1);
    }
    assert_true(v->scale[2].lower > 0); /* as if it were an sd */
}

/* Slopes that rise with the intercepts: the whole interval of their correlation is above 0. */
static void high_correlations_are_no_sds(void **state)
{
    enum { GROUPS = 12, EACH = 12, OF_ALL = GROUPS * EACH };
    static const char *const name[GROUPS] = {"a", "b", "c", "d", "e", "f",
                                             "g", "h", "i", "j", "k", "l"};
    double x[OF_ALL], y[OF_ALL];
    int32_t g[OF_ALL];
    dlp_rng rng = dlp_rng_at(9, 0);
    dlp_table *table = NULL;
    (void)state;
    for (int i = 0; i < OF_ALL; i++) {
        const double u = g[i] = i / EACH;
        x[i] = i % EACH - 5.5;
        y[i] = (u - 5.5) * (1 + 0.5 * x[i]) + dlp_draw_normal(&rng) +
               x[i] * sin(3 * u) * 0.3;
    }
    const dlp_column_data column[] = {
        {.name = "x", .number = x},
        {.name = "y", .number = y},
        {.name = "g", .code = g, .n_levels = GROUPS, .level = name}};
    assert_ok(dlp_table_from_columns(OF_ALL, 3, column, &table, error));
    dlp_regression *r = fit_of("y ~ x + (x | g)", table, NULL), *again = NULL;
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    assert_ranges(r);
    char *text = NULL;
    size_t size;
    assert_ok(dlp_regression_json(r, DLP_PART_FILE, 0, &text, &size, error));
    assert_ok(dlp_regression_parse("fit.json", text, size, &again, error));
    assert_ranges(again);
    free(text);
    dlp_regression_free(again);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* Draws that are nearly the posterior's own have weights that differ by rounding and
   interpolation, whose tail means nothing: such fits were called "not verified". */
static void weights_that_are_all_alike_have_no_tail(void **state)
{
    enum { SMOOTHED = 120, LINE = 40 };
    char text[LINE * (SMOOTHED + 1)] = "x,z,y\n";
    size_t end = strlen(text);
    (void)state;
    for (int i = 0; i < SMOOTHED; i++) {
        const double x = (i + 0.5) / SMOOTHED, z = cos(17.0 * i),
                     y = sin(6 * x) + 0.5 * z + 0.6 * sin(1.0 * i * i);
        end += (size_t)snprintf(text + end, LINE, "%.6f,%.6f,%.6f\n", x, z, y);
    }
    dlp_table *table = read_table(text);
    dlp_regression *r = fit_of("y ~ s(x) + z", table, NULL);
    for (unsigned long seed = 1; seed <= 4; seed++) {
        dlp_verification_settings settings = dlp_verification_settings_default();
        settings.seed = seed;
        assert_int_equal(dlp_regression_verify(r, table, &settings, error_at), DLP_OK);
        const dlp_verified_fit *v = &dlp_regression_result_of(r)->verification->fit[0];
        assert_true(v->effective > 3990);
        assert_true(v->k < 0.5);
        assert_true(v->grade <= DLP_GRADE_FAIR);
    }
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* ---- a mixed model with levels, by brute force ---- */

enum { CELLS = 6, FINE = 34, FINER = 25 };

static const char levels[] =
    "y,g\na,p\nb,p\nb,p\nc,p\na,q\na,q\nb,q\na,q\nb,r\nc,r\nc,r\nc,r\na,s\nb,s\nb,s\n"
    "a,s\nc,t\nb,t\nc,t\nc,t\na,u\na,u\na,u\nb,u\n";

/* How many rows of each level each group has. */
static void count_levels(double n[CELLS][3])
{
    memset(n, 0, CELLS * sizeof *n);
    for (const char *at = strchr(levels, '\n') + 1; *at; at = strchr(at, '\n') + 1)
        n[at[2] - 'p'][at[0] - 'a']++;
}

static double times_log(double n, double p)
{
    return n > 0 ? n * log(p) : 0;
}

/* log p(y | c_0, c_1, s), the groups' effects summed out. */
static double log_groups(double n[CELLS][3], double c_0, double c_1, double s)
{
    const double step = 10.0 / (FINER - 1);
    double sum = 0;
    for (int g = 0; g < CELLS; g++) {
        double p = 0;
        for (int k = 0; k < FINER; k++) {
            const double z = step * k - 5, low = dlp_logistic(c_0 - s * z),
                         above = dlp_logistic(s * z - c_1),
                         middle = (1 - low) * (1 - above) * (1 - exp(c_0 - c_1));
            p += step / sqrt(2 * acos(-1)) *
                 exp(times_log(n[g][0], low) + times_log(n[g][1], middle) +
                     times_log(n[g][2], above) - 0.5 * z * z);
        }
        sum += log(p);
    }
    return sum;
}

/* The evidence, and means and sds of the first cut point, the second, and the sd, whose
   prior is half Student-t with 3 degrees of freedom and the scale 2.5. */
static double by_grid(double mean[3], double sd[3])
{
    const double from[] = {-5, -3, -3.5}, to[] = {3.5, 2, 2.6};
    double n[CELLS][3], sum[7] = {0}, h = 1;
    count_levels(n);
    for (int j = 0; j < 3; j++) h *= (to[j] - from[j]) / (FINE - 1);
    for (int i = 0; i < FINE * FINE * FINE; i++) {
        const int at[] = {i % FINE, i / FINE % FINE, i / (FINE * FINE)};
        double v[3];
        for (int j = 0; j < 3; j++)
            v[j] = from[j] + (to[j] - from[j]) * at[j] / (FINE - 1);
        const double s = exp(v[2]), c_1 = v[0] + exp(v[1]), x = s / 2.5,
                     prior = -0.5 * (v[0] * v[0] / 100 + v[1] * v[1] / 25) -
                             log(2 * acos(-1) * 10 * 5) +
                             log(4 / (acos(-1) * sqrt(3) * 2.5)) -
                             2 * log(1 + x * x / 3) + v[2],
                     w = h * exp(log_groups(n, v[0], c_1, s) + prior),
                     value[] = {v[0], c_1, s};
        sum[6] += w;
        for (int j = 0; j < 3; j++) {
            sum[j] += w * value[j];
            sum[3 + j] += w * value[j] * value[j];
        }
    }
    for (int j = 0; j < 3; j++) {
        mean[j] = sum[j] / sum[6];
        sd[j] = sqrt(sum[3 + j] / sum[6] - mean[j] * mean[j]);
    }
    return log(sum[6]);
}

static void assert_verified(const dlp_verified *v, double mean, double sd)
{
    if (!(fabs(v->mean - mean) < 0.06 * sd && fabs(v->sd / sd - 1) < 0.06))
        fail_msg("%g (%g), not %g (%g)", v->mean, v->sd, mean, sd);
}

static void ordinal_mixed_models_are_verified(void **state)
{
    double mean[3], sd[3];
    const double evidence = by_grid(mean, sd);
    dlp_table *table = read_table(levels);
    dlp_regression_settings s = dlp_regression_settings_default();
    (void)state;
    s.family = "ordinal";
    dlp_regression *r = fit_of("y ~ 1 + (1 | g)", table, &s);
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    const dlp_verified_fit *v = &dlp_regression_result_of(r)->verification->fit[0];
    assert_near(v->log_evidence, evidence, 0.03);
    for (int j = 0; j < 2; j++) assert_verified(&v->parameter[j], mean[j], sd[j]);
    assert_verified(&v->scale[0], mean[2], sd[2]);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* Their evidence, and what the draws say, is that of the fit. */
static void other_levels_are_verified(void **state)
{
    static const struct {
        const char *family, *link;
    } cases[] = {{"multinomial", NULL}, {"ordinal", "probit"}, {"ordinal", "cloglog"}};
    dlp_table *table = read_table(levels);
    (void)state;
    for (int i = 0; i < 3; i++) {
        dlp_regression_settings s = dlp_regression_settings_default();
        s.family = cases[i].family;
        s.link = cases[i].link;
        dlp_regression *r = fit_of("y ~ 1 + (1 | g)", table, &s);
        assert_ok(dlp_regression_verify(r, table, NULL, error));
        const dlp_regression_result *of = dlp_regression_result_of(r);
        const dlp_verified_fit *v = &of->verification->fit[0];
        assert_near(v->log_evidence, of->objective, 0.1);
        assert_int_equal(v->n_scales, of->n_random);
        for (dlp_index j = 0; j < of->n; j++) assert_true(v->parameter[j].off < 0.7);
        dlp_regression_free(r);
    }
    dlp_table_free(table);
}

/* The successes and the rows of a group, and of numbers their sum and that of their squares. */
typedef struct group_sums {
    double n, sum, squares;
} group_sums;

static group_sums sums_of(const dlp_table *table, const char *response, const char *group)
{
    group_sums s = {0};
    const dlp_column *y = NULL, *g = NULL;
    for (dlp_index j = 0; j < table->columns; j++) {
        if (!strcmp(table->column[j].name, response)) y = &table->column[j];
        if (!strcmp(table->column[j].name, "g")) g = &table->column[j];
    }
    assert_true(y && g);
    for (dlp_index i = 0; y && g && i < table->rows; i++) {
        if (strcmp(g->level[g->code[i]], group) != 0) continue;
        s.n++;
        s.sum += y->number[i];
        s.squares += y->number[i] * y->number[i];
    }
    return s;
}

static dlp_regression *verified_groups(const char *formula, const char *family,
                                       const dlp_table *table)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.family = family;
    settings.group = "g";
    dlp_regression *r = fit_of(formula, table, &settings);
    assert_ok(dlp_regression_verify(r, table, NULL, error));
    return r;
}

/* Given the population a group's mean is normal, and so are its rows: y ~ N(mu0, s^2 I + v 11'). */
static void groups_of_a_hierarchy_are_exact(void **state)
{
    dlp_table *table = read_table(rows);
    dlp_regression *r = verified_groups("z ~ 1", "gaussian", table);
    const dlp_regression_result *of = dlp_regression_result_of(r);
    (void)state;
    for (dlp_index m = 0; m < of->M; m++) {
        const dlp_verified_fit *v = &of->verification->fit[m];
        const group_sums s = sums_of(table, "z", dlp_regression_group(r, m));
        const double mu0 = of->mu0[0], variance = exp(2 * of->mu0[1]),
                     between = of->Sigma0[0], off = s.sum - s.n * mu0,
                     square = s.squares - 2 * mu0 * s.sum + s.n * mu0 * mu0,
                     whole = variance + s.n * between;
        const double exact =
            -0.5 * (s.n * log(2 * acos(-1)) + (s.n - 1) * log(variance) + log(whole) +
                    (square - off * off * between / whole) / variance);
        assert_true(v->parameter[0].off < 0.01);
        assert_int_equal(v->parameter[0].grade, DLP_GRADE_GOOD);
        assert_int_equal(v->parameter[1].grade, DLP_GRADE_UNKNOWN); /* they share it */
        assert_int_equal(v->grade, DLP_GRADE_GOOD);
        assert_true(fabs(v->log_evidence - exact) < 4 * v->log_evidence_se + 1e-3);
    }
    dlp_regression_free(r);
    dlp_table_free(table);
}

static void groups_of_a_hierarchy_agree_with_quadrature(void **state)
{
    dlp_table *table = read_table(rows);
    dlp_regression *r = verified_groups("y ~ 1", "bernoulli", table);
    const dlp_regression_result *of = dlp_regression_result_of(r);
    (void)state;
    for (dlp_index m = 0; m < of->M; m++) {
        const group_sums s = sums_of(table, "y", dlp_regression_group(r, m));
        double total = 0, mean = 0, square = 0;
        for (int i = -4000; i <= 4000; i++) {
            const double b = of->mu0[0] + 0.002 * i * sqrt(of->Sigma0[0]),
                         w = exp(s.sum * dlp_log_logistic(b) +
                                 (s.n - s.sum) * dlp_log_logistic(-b) - 2e-6 * i * i);
            total += w;
            mean += w * b;
            square += w * b * b;
        }
        mean /= total;
        const double sd = sqrt(square / total - mean * mean);
        const dlp_verified *v = &of->verification->fit[m].parameter[0];
        assert_true(fabs(v->mean - mean) < 0.02 * sd);
        assert_true(fabs(v->sd / sd - 1) < 0.02);
    }
    dlp_regression_free(r);
    dlp_table_free(table);
}

static void others_are_refused(void **state)
{
    dlp_table *table = read_table(rows), *less = read_table("y,x\n1,2\n0,1\n1,1\n");
    dlp_regression *r = fit_of("y ~ x", table, NULL);
    (void)state;
    assert_int_equal(dlp_regression_verify(r, less, NULL, error_at), DLP_EINPUT);
    assert_non_null(strstr(failure.message, "3 rows"));
    dlp_regression_free(r);
    dlp_table_free(less);
    dlp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_the_models),
        cmocka_unit_test(agrees_with_quadrature),
        cmocka_unit_test(intervals_follow_skewness),
        cmocka_unit_test(grades_look_at_sds),
        cmocka_unit_test(agrees_with_the_exact_evidence),
        cmocka_unit_test(every_family_is_verified),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(files_keep_it),
        cmocka_unit_test(mixed_models_are_verified),
        cmocka_unit_test(intervals_stay_in_their_range),
        cmocka_unit_test(high_correlations_are_no_sds),
        cmocka_unit_test(weights_that_are_all_alike_have_no_tail),
        cmocka_unit_test(ordinal_mixed_models_are_verified),
        cmocka_unit_test(other_levels_are_verified),
        cmocka_unit_test(groups_of_a_hierarchy_are_exact),
        cmocka_unit_test(groups_of_a_hierarchy_agree_with_quadrature),
        cmocka_unit_test(others_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Residuals beside R's, and as the model that made the data, and another, says they are;
   replicates; calibration by simulation. */
#include "failing_allocator.h"
#include "support.h"

#include <delaplace/look.h>
#include <delaplace/sbc.h>

enum { ROWS = 20, MANY = 400 };

static const double X[ROWS] = {1.2,  2.9,  3.1,  4.8,  5.0,  6.3,  7.7,  8.1,  9.4,  10.2,
                               11.9, 12.5, 13.1, 14.8, 15.3, 16.0, 17.7, 18.2, 19.9, 24};

static dlp_table *two_columns(const double *y)
{
    const dlp_column_data column[] = {{.name = "x", .number = X},
                                      {.name = "y", .number = y}};
    dlp_table *table = NULL;
    assert_ok(dlp_table_from_columns(ROWS, 2, column, &table, error));
    return table;
}

static dlp_regression *fit_to(const dlp_table *table, const char *formula,
                              const char *family, double prior_sd)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *r = NULL;
    settings.family = family;
    settings.prior_sd = prior_sd;
    assert_ok(dlp_regression_fit(formula, table, &settings, &r, error));
    return r;
}

static dlp_residuals *residuals_of(const dlp_regression *fit, const dlp_table *table,
                                   int as_new)
{
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_residuals *r = NULL;
    settings.as_new = as_new;
    assert_ok(dlp_regression_residuals(fit, table, &settings, &r, error));
    return r;
}

/* ---- beside R ---- */

/* m <- lm(y ~ x): hatvalues(m), and qnorm(pt(rstudent(m), df.residual(m) - 1)) */
static void residuals_are_rs_rstudent(void **state)
{
    static const double y[ROWS] = {3.1,  4.9,  4.2,  7.9,  6.1,  8.8,  9.1,
                                   11.9, 10.2, 12.8, 12.9, 15.5, 14.1, 17.0,
                                   21.5, 16.9, 19.3, 18.8, 22.4, 25.1};
    static const double hat[ROWS] = {
        0.1802546, 0.1393802, 0.135076,  0.1027782, 0.0994829, 0.0806529, 0.0653928,
        0.0619887, 0.0538595, 0.0510874, 0.0508391, 0.0525836, 0.0552841, 0.0681265,
        0.0733641, 0.0818119, 0.1077449, 0.1168327, 0.1526966, 0.2707633};
    static const double student[ROWS] = {
        -0.15131, -0.06221, -0.74642, 0.77178,  -0.72036, 0.32522,  -0.47046,
        1.30668,  -0.90066, 0.41404,  -0.73654, 0.71994,  -0.73156, 0.1513,
        3.74324,  -0.80095, -0.27524, -1.03711, 0.41797,  -0.68056};
    dlp_table *table = two_columns(y);
    dlp_regression *fit = fit_to(table, "y ~ x", "gaussian", 1e5);
    dlp_residuals *r = residuals_of(fit, table, 0);
    (void)state;
    /* the scale of the fit is integrated over, and not n - 2 beside n */
    for (int i = 0; i < ROWS; i++) {
        assert_near(r->leverage[i], hat[i], 0.12 * hat[i]);
        assert_near(r->residual[i], student[i], i == 14 ? 0.25 : 0.03);
    }
    /* the largest is row 15, the smallest row 18: qnorm(19.5 / 20), qnorm(0.5 / 20) */
    assert_near(r->expected[14], 1.959964, 1e-6);
    assert_near(r->expected[17], -1.959964, 1e-6);
    assert_int_equal(r->kept, 0);
    dlp_index order[ROWS];
    assert_ok(dlp_residuals_order(r, order, error));
    assert_int_equal(order[0], 14);
    for (int i = 1; i < ROWS; i++)
        assert_true(r->k
                        ? r->k[order[i]] <= r->k[order[i - 1]]
                        : fabs(r->residual[order[i]]) <= fabs(r->residual[order[i - 1]]));
    dlp_residuals_free(r);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* g <- glm(n ~ x, family = poisson): hatvalues(g), ppois(n - 1, fitted(g)), ppois(n, fitted(g)) */
static void counts_have_rs_shares(void **state)
{
    static const double n[ROWS] = {2, 5,  1, 0, 3,  4,  8, 2,  6, 7,
                                   3, 12, 9, 5, 11, 10, 8, 14, 9, 20};
    static const double hat[ROWS] = {0.100893, 0.09456,  0.093727, 0.086,    0.085025,
                                     0.078466, 0.071231, 0.069198, 0.062967, 0.059623,
                                     0.05476,  0.054102, 0.054189, 0.059784, 0.063349,
                                     0.070187, 0.098039, 0.109968, 0.167154, 0.466778};
    static const double below[ROWS] = {0.30643, 0.84579, 0.05706, 0,       0.33899,
                                       0.46714, 0.92515, 0.06048, 0.60212, 0.69197,
                                       0.04717, 0.9578,  0.71455, 0.08372, 0.74254,
                                       0.55363, 0.15627, 0.7521,  0.09105, 0.54585};
    static const double up_to[ROWS] = {0.56729, 0.93383, 0.22045, 0.03535, 0.55751,
                                       0.66179, 0.96624, 0.17217, 0.75056, 0.81413,
                                       0.12071, 0.97939, 0.8191,  0.16531, 0.83239,
                                       0.67515, 0.24981, 0.83078, 0.15315, 0.63309};
    dlp_table *table = two_columns(n);
    dlp_regression *fit = fit_to(table, "y ~ x", "poisson", 1e3);
    dlp_residuals *r = residuals_of(fit, table, 1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        assert_near(r->leverage[i], hat[i], 0.03);
        assert_near(r->below[i], below[i], 0.03); /* R's is at the estimate */
        assert_near(r->up_to[i], up_to[i], 0.03);
        assert_true(r->pit[i] >= r->below[i] && r->pit[i] <= r->up_to[i]);
    }
    assert_true(r->discrete);
    dlp_residuals_free(r);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* ---- models that made the data, and others ---- */

typedef struct sample {
    double x[MANY], y[MANY], count[MANY], yes[MANY], positive[MANY], slope[MANY];
    int32_t group[MANY];
    const char *level[MANY];
    dlp_table *table;
} sample;

static const char *const group_names[] = {"a", "b", "c", "d", "e", "f", "g",
                                          "h", "i", "j", "k", "l", "m", "n",
                                          "o", "p", "q", "r", "s", "t"};

static sample *draw_sample(uint64_t seed)
{
    static const char *const level[] = {"1", "2", "3"};
    sample *s = calloc(1, sizeof *s);
    dlp_rng rng = dlp_rng_at(seed, 0);
    double b[20];
    for (int g = 0; g < 20; g++) b[g] = 0.8 * dlp_draw_normal(&rng);
    for (int i = 0; i < MANY; i++) {
        s->x[i] = dlp_draw_normal(&rng);
        s->group[i] = i % 20;
        const double eta = 0.5 + 0.7 * s->x[i] + b[i % 20];
        s->y[i] = eta + dlp_draw_normal(&rng);
        s->yes[i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
        s->positive[i] = exp(eta) * dlp_draw_gamma(&rng, 3) / 3;
        s->slope[i] = 0.5 + 0.7 * s->x[i] + (1 + fabs(s->x[i])) * dlp_draw_normal(&rng);
        const double m = exp(eta) * dlp_draw_gamma(&rng, 2) / 2;
        double sum = -log(dlp_draw_uniform(&rng));
        while (sum < m) {
            s->count[i]++;
            sum -= log(dlp_draw_uniform(&rng));
        }
        const double u = dlp_draw_uniform(&rng), z = eta + log(u / (1 - u));
        s->level[i] = level[z < 0 ? 0 : z < 1.5 ? 1 : 2];
    }
    const dlp_column_data column[] = {
        {.name = "x", .number = s->x},
        {.name = "y", .number = s->y},
        {.name = "n", .number = s->count},
        {.name = "yes", .number = s->yes},
        {.name = "pos", .number = s->positive},
        {.name = "wide", .number = s->slope},
        {.name = "level", .text = s->level},
        {.name = "g", .code = s->group, .n_levels = 20, .level = group_names}};
    assert_ok(dlp_table_from_columns(MANY, 8, column, &s->table, error));
    return s;
}

static void free_sample(sample *s)
{
    dlp_table_free(s->table);
    free(s);
}

static double p_of(const dlp_residuals *r, const char *name)
{
    for (dlp_index k = 0; k < r->n_by; k++)
        if (!strcmp(r->by[k].name, name)) return r->by[k].p;
    fail();
    return NAN;
}

static void right_models_leave_nothing(void **state)
{
    static const char *const cases[][2] = {
        {"y ~ x + (1 | g)", "gaussian"},    {"n ~ x + (1 | g)", "negative-binomial"},
        {"yes ~ x + (1 | g)", "bernoulli"}, {"pos ~ x + g", "gamma"},
        {"level ~ x + (1 | g)", "ordinal"}, {"level ~ x + g", "multinomial"},
        {"y ~ x + g", "gaussian"}};
    sample *s = draw_sample(5);
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression *fit = fit_to(s->table, cases[c][0], cases[c][1], 0);
        dlp_residuals *r = residuals_of(fit, s->table, 0);
        const bool right = r->ks_p > 0.01 && fabs(r->mean) < 0.15 &&
                           fabs(r->sd - 1) < 0.1 && p_of(r, "fitted") > 0.01 &&
                           p_of(r, "x") > 0.01 && p_of(r, "g") > 0.01;
        if (!right)
            print_error("%s, %s: p %g, mean %g, sd %g; by fitted %g, x %g, g %g\n",
                        cases[c][0], cases[c][1], r->ks_p, r->mean, r->sd,
                        p_of(r, "fitted"), p_of(r, "x"), p_of(r, "g"));
        assert_true(right);
        dlp_residuals_free(r);
        dlp_regression_free(fit);
    }
    free_sample(s);
}

static dlp_residuals *looked_by_group(const dlp_regression *fit, const dlp_table *table)
{
    static const char *const by[] = {"g"};
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_residuals *r = NULL;
    settings.n_by = 1;
    settings.by = by;
    assert_ok(dlp_regression_residuals(fit, table, &settings, &r, error));
    return r;
}

static void wrong_models_are_seen(void **state)
{
    sample *s = draw_sample(6);
    (void)state;
    /* counts that vary more than Poisson's */
    dlp_regression *fit = fit_to(s->table, "n ~ x", "poisson", 0);
    dlp_residuals *r = looked_by_group(fit, s->table);
    assert_true(r->ks_p < 1e-4 && r->sd > 1.2);
    assert_true(p_of(r, "g") < 1e-6);
    dlp_residuals_free(r);
    dlp_regression_free(fit);
    /* a skewed response as normal */
    fit = fit_to(s->table, "pos ~ x", "gaussian", 0);
    r = residuals_of(fit, s->table, 0);
    assert_true(r->ks_p < 1e-4);
    dlp_residuals_free(r);
    dlp_regression_free(fit);
    free_sample(s);
}

static void residuals_hang_on_the_seed_alone(void **state)
{
    sample *s = draw_sample(7);
    dlp_regression *fit = fit_to(s->table, "n ~ x", "negative-binomial", 0);
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_residuals *a = residuals_of(fit, s->table, 0),
                  *b = residuals_of(fit, s->table, 0), *c = NULL;
    (void)state;
    settings.seed = 2;
    assert_ok(dlp_regression_residuals(fit, s->table, &settings, &c, error));
    assert_memory_equal(a->residual, b->residual, MANY * sizeof *a->residual);
    assert_memory_not_equal(a->residual, c->residual, MANY * sizeof *a->residual);
    assert_memory_equal(a->up_to, c->up_to, MANY * sizeof *a->up_to);
    dlp_residuals_free(c);
    settings.middle = 1;
    assert_ok(dlp_regression_residuals(fit, s->table, &settings, &c, error));
    for (int i = 0; i < MANY; i++)
        assert_near(c->pit[i], 0.5 * (c->below[i] + c->up_to[i]), 1e-15);
    assert_true(isnan(c->ks_p));
    dlp_residuals_free(c);
    dlp_residuals_free(b);
    dlp_residuals_free(a);
    dlp_regression_free(fit);
    free_sample(s);
}

/* ---- replicates ---- */

static const dlp_replicated *statistic(const dlp_replicates *r, const char *name)
{
    for (dlp_index k = 0; k < r->n_statistics; k++)
        if (!strcmp(r->statistic[k].name, name)) return &r->statistic[k];
    fail();
    return NULL;
}

static void replicates_show_zeros_and_groups(void **state)
{
    sample *s = draw_sample(8);
    static const char *const by[] = {"g"};
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_replicates *r = NULL;
    (void)state;
    settings.n_by = 1;
    settings.by = by;
    dlp_regression *fit = fit_to(s->table, "n ~ x", "poisson", 0);
    assert_ok(dlp_regression_replicate(fit, s->table, &settings, &r, error));
    assert_true(statistic(r, "share of zeros")->share < 0.01);
    assert_true(statistic(r, "sd")->share < 0.01);
    assert_near(statistic(r, "mean")->share, 0.5, 0.4);
    assert_true(r->by[r->n_by - 1].outside > 5);
    dlp_replicates_free(r);
    dlp_regression_free(fit);
    fit = fit_to(s->table, "n ~ x + (1 | g)", "negative-binomial", 0);
    assert_ok(dlp_regression_replicate(fit, s->table, &settings, &r, error));
    assert_near(statistic(r, "share of zeros")->share, 0.5, 0.48);
    assert_near(statistic(r, "sd")->share, 0.5, 0.48);
    assert_true(r->by[r->n_by - 1].outside <= 2);
    double sum = 0;
    for (dlp_index b = 0; b < r->n_bins; b++) sum += r->bin[b].observed;
    assert_near(sum, 1, 1e-12);
    for (dlp_index k = 0; k < r->n_by; k++)
        for (dlp_index i = 0; i < r->by[k].n; i++) {
            const dlp_look_part *part = &r->by[k].part[i];
            assert_true(part->lower <= part->median && part->median <= part->upper);
            assert_false(part->sd_median < part->sd_lower);
            assert_false(part->sd_median > part->sd_upper);
        }
    dlp_replicates_free(r);
    dlp_regression_free(fit);
    free_sample(s);
}

/* A row of no trials has no share to compare, and changes nothing but the draws. */
static void rows_without_trials_are_left_out(void **state)
{
    static const char text[] =
        "won,lost,x,g\n2,3,0,a\n0,0,1,a\n4,1,1,b\n0,0,0.5,c\n"
        "3,2,0.2,b\n1,4,-1,a\n5,0,2,b\n",
                      none[] = "won,lost,x,g\n0,0,0,a\n0,0,1,b\n";
    static const char *const by[] = {"g"};
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_table *table = NULL, *empty = NULL;
    dlp_replicates *r = NULL;
    (void)state;
    settings.n_by = 1;
    settings.by = by;
    settings.draws = 50;
    assert_ok(dlp_table_parse("t", text, sizeof text - 1, NULL, &table, error));
    dlp_regression *fit = fit_to(table, "cbind(won, lost) ~ x", NULL, 0);
    assert_ok(dlp_regression_replicate(fit, table, &settings, &r, error));
    assert_int_equal(r->N, 5);
    assert_near(statistic(r, "mean")->observed, 0.6, 1e-12);
    double sum = 0;
    for (dlp_index k = 0; k < r->n_statistics; k++)
        assert_true(isfinite(r->statistic[k].observed) &&
                    isfinite(r->statistic[k].median) && isfinite(r->statistic[k].share));
    for (dlp_index b = 0; b < r->n_bins; b++) sum += r->bin[b].observed;
    assert_near(sum, 1, 1e-12);
    dlp_replicates_free(r);
    assert_ok(dlp_table_parse("t", none, sizeof none - 1, NULL, &empty, error));
    assert_fails(dlp_regression_replicate(fit, empty, &settings, &r, error), DLP_EINPUT,
                 "no row has a trial");
    dlp_table_free(empty);
    dlp_table_free(table);
    dlp_regression_free(fit);
}

/* ---- calibration by simulation ---- */

static void posteriors_are_calibrated(void **state)
{
    static const char *const cases[][2] = {
        {"yes ~ x", "bernoulli"}, {"y ~ x", "gaussian"}, {"n ~ x", "poisson"}};
    sample *s = draw_sample(9);
    dlp_sbc_settings settings = dlp_sbc_settings_default();
    (void)state;
    settings.replicates = 100;
    settings.bins = 10;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        dlp_regression_settings model = dlp_regression_settings_default();
        dlp_regression *fit = NULL;
        dlp_sbc *sbc = NULL;
        model.family = cases[c][1];
        model.prior_sd = model.intercept_sd =
            1; /* so that few tables have one level alone */
        assert_ok(dlp_regression_fit(cases[c][0], s->table, &model, &fit, error));
        assert_ok(dlp_regression_sbc(fit, s->table, &settings, &sbc, error));
        assert_near(sbc->expected * (double)sbc->bins,
                    (double)(sbc->replicates - sbc->failed), 1e-9);
        for (dlp_index j = 0; j < sbc->n; j++) {
            const dlp_sbc_parameter *q = &sbc->parameter[j];
            const bool right = q->p > 0.001 && fabs(q->mean_z) < 0.35 &&
                               fabs(q->sd_z - 1) < 0.25 && q->covered > 0.88;
            if (!right)
                print_error("%s, %s: p %g, z %g (%g), covered %g\n", cases[c][0], q->name,
                            q->p, q->mean_z, q->sd_z, q->covered);
            assert_true(right);
        }
        dlp_sbc_free(sbc);
        dlp_regression_free(fit);
    }
    free_sample(s);
}

/* Of a mixed model its coefficients, its residual sd and the sd between groups. */
static void mixed_posteriors_are_calibrated(void **state)
{
    static const char *const priors[] = {"sd ~ half_normal(1)"};
    sample *s = draw_sample(12);
    unsigned char keep[MANY] = {0};
    dlp_sbc_settings settings = dlp_sbc_settings_default();
    dlp_regression_settings model = dlp_regression_settings_default();
    dlp_regression *fit = NULL;
    dlp_table *some = NULL;
    dlp_sbc *sbc = NULL;
    (void)state;
    settings.replicates = 60;
    settings.bins = 5;
    model.family = "gaussian";
    model.prior_sd = model.intercept_sd = 1;
    model.n_priors = 1;
    model.priors = priors;
    memset(keep, 1, 60);
    assert_ok(dlp_table_select(s->table, keep, &some, error));
    assert_ok(dlp_regression_fit("y ~ x + (1 | g)", some, &model, &fit, error));
    assert_ok(dlp_regression_sbc(fit, some, &settings, &sbc, error));
    assert_int_equal(sbc->n, 4);
    assert_int_equal(sbc->failed, 0);
    assert_string_equal(sbc->parameter[3].name, "sd(g: (Intercept))");
    for (dlp_index j = 0; j < sbc->n; j++) {
        const dlp_sbc_parameter *q = &sbc->parameter[j];
        const bool right = q->p > 0.001 && fabs(q->mean_z) < 0.45 &&
                           fabs(q->sd_z - 1) < 0.3 && q->covered > 0.85;
        if (!right)
            print_error("%s: p %g, z %g (%g), covered %g\n", q->name, q->p, q->mean_z,
                        q->sd_z, q->covered);
        assert_true(right);
    }
    dlp_sbc_free(sbc);
    dlp_regression_free(fit);
    dlp_table_free(some);
    free_sample(s);
}

/* A replicate for which memory was short does not count as one that cannot be fitted. */
static void no_replicate_is_lost_without_memory(void **state)
{
    static const char text[] = "y,x\n1.2,3\n0.3,4\n2.2,5\n1.9,6\n3.1,7\n2.7,8\n";
    dlp_sbc_settings settings = dlp_sbc_settings_default();
    dlp_table *table = NULL;
    dlp_sbc *good = NULL, *sbc = NULL;
    int failed = 0;
    (void)state;
    settings.replicates = 20;
    settings.bins = 4;
    settings.threads = 1;
    assert_ok(dlp_table_parse("t", text, sizeof text - 1, NULL, &table, error));
    dlp_regression *fit = fit_to(table, "y ~ x", NULL, 0);
    assert_ok(dlp_regression_sbc(fit, table, &settings, &good, error));
    for (int left = 0; left < 150; left++) {
        allocations_left = left;
        const dlp_status status = dlp_regression_sbc(fit, table, &settings, &sbc, NULL);
        allocations_left = -1;
        failed += status == DLP_ENOMEM;
        if (status == DLP_ENOMEM) continue;
        assert_int_equal(status, DLP_OK);
        assert_int_equal(sbc->failed, good->failed);
        for (dlp_index j = 0; j < good->n; j++) {
            assert_string_equal(sbc->parameter[j].name, good->parameter[j].name);
            assert_true(sbc->parameter[j].mean_z == good->parameter[j].mean_z);
        }
        dlp_sbc_free(sbc);
    }
    assert_true(failed > 50);
    dlp_sbc_free(good);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* With influence of the rows that were fitted; others are new, and what has neither is refused. */
static void the_best_residuals_are_found(void **state)
{
    sample *s = draw_sample(10);
    dlp_regression *fit = fit_to(s->table, "y ~ x", "gaussian", 0);
    unsigned char keep[MANY] = {1, 1, 1, 1, 1};
    dlp_table *some = NULL, *none = NULL;
    dlp_residuals *r = NULL;
    const dlp_column_data column[] = {{.name = "other", .number = X}};
    (void)state;
    assert_ok(dlp_regression_best_residuals(fit, s->table, NULL, &r, error));
    assert_true(r->left_out && r->k);
    dlp_residuals_free(r);
    assert_ok(dlp_table_select(s->table, keep, &some, error));
    assert_ok(dlp_regression_best_residuals(fit, some, NULL, &r, error));
    assert_true(!r->left_out && !r->k && r->N == 5);
    dlp_residuals_free(r);
    assert_ok(dlp_table_from_columns(ROWS, 1, column, &none, error));
    assert_int_not_equal(dlp_regression_best_residuals(fit, none, NULL, &r, NULL),
                         DLP_OK);
    assert_null(r);
    dlp_table_free(none);
    dlp_table_free(some);
    dlp_regression_free(fit);
    free_sample(s);
}

static void what_cannot_be_looked_at_is_refused(void **state)
{
    sample *s = draw_sample(10);
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_regression *fit = fit_to(s->table, "y ~ x", "gaussian", 0), *groups = NULL;
    dlp_residuals *r = NULL;
    dlp_sbc *sbc = NULL;
    unsigned char keep[MANY] = {0};
    dlp_table *some = NULL;
    (void)state;
    for (int i = 0; i < 100; i++) keep[i] = 1;
    assert_ok(dlp_table_select(s->table, keep, &some, error));
    assert_fails(dlp_regression_residuals(fit, some, NULL, &r, error), DLP_EINPUT,
                 "give the table that was fitted");
    assert_null(r);
    settings.group = "g";
    assert_ok(dlp_regression_fit("y ~ x", s->table, &settings, &groups, error));
    assert_fails(dlp_regression_sbc(groups, s->table, NULL, &sbc, error), DLP_EINVAL,
                 "fit a mixed model");
    r = residuals_of(groups, s->table, 0);
    assert_near(r->sd, 1, 0.1);
    assert_true(r->ks_p > 0.01);
    dlp_residuals_free(r);
    dlp_regression_free(groups);
    dlp_regression_free(fit);
    dlp_table_free(some);
    free_sample(s);
}

/* x is even, its tenth power has a long tail; the tail of -x^10 is not above 0. */
static void long_tails_are_told(void **state)
{
    enum { LONG = 60 };
    double x[LONG], power[LONG], minus[LONG], y[LONG];
    (void)state;
    for (int i = 0; i < LONG; i++) {
        x[i] = 1 + i / 20.0;
        power[i] = pow(x[i], 10);
        minus[i] = -power[i];
        y[i] = x[i] + i % 3;
    }
    const dlp_column_data columns[] = {{.name = "x", .number = x},
                                       {.name = "power", .number = power},
                                       {.name = "minus", .number = minus},
                                       {.name = "y", .number = y}};
    static const char *const by[] = {"power", "minus"};
    dlp_look_settings settings = dlp_look_settings_default();
    dlp_table *table = NULL;
    dlp_residuals *r = NULL;
    settings.n_by = 2;
    settings.by = by;
    assert_ok(dlp_table_from_columns(LONG, 4, columns, &table, error));
    dlp_regression *fit = fit_to(table, "y ~ x", NULL, 0);
    assert_ok(dlp_regression_residuals(fit, table, &settings, &r, error));
    for (dlp_index k = 1; k < r->n_by; k++)
        assert_int_equal(r->by[k].long_tail, strcmp(r->by[k].name, "power") == 0);
    dlp_residuals_free(r);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* A column that is called as the fitted values is looked by as under any other name. */
static void a_column_called_fitted_is_looked_by(void **state)
{
    static const char *const names[] = {"fitted", "other"};
    dlp_residuals *found[2];
    sample *s = draw_sample(8);
    (void)state;
    for (int i = 0; i < 2; i++) {
        const dlp_column_data column[] = {{.name = names[i], .number = s->x},
                                          {.name = "y", .number = s->y}};
        dlp_table *table = NULL;
        assert_ok(dlp_table_from_columns(MANY, 2, column, &table, error));
        dlp_regression *fit = fit_to(table, i ? "y ~ other" : "y ~ fitted", NULL, 0);
        found[i] = residuals_of(fit, table, 0);
        dlp_regression_free(fit);
        dlp_table_free(table);
        assert_int_equal(found[i]->n_by, 2);
        assert_true(found[i]->by[0].is_fitted && !found[i]->by[1].is_fitted);
        assert_string_equal(found[i]->by[0].name, "fitted");
        assert_string_equal(found[i]->by[1].name, names[i]);
    }
    for (dlp_index k = 0; k < 2; k++) {
        const dlp_look_by *a = &found[0]->by[k], *b = &found[1]->by[k];
        assert_int_equal(a->n, b->n);
        for (dlp_index j = 0; j < a->n; j++) {
            assert_string_equal(a->part[j].label, b->part[j].label);
            assert_near(a->part[j].mean, b->part[j].mean, 0);
        }
    }
    for (int i = 0; i < 2; i++) dlp_residuals_free(found[i]);
    free_sample(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_are_rs_rstudent),
        cmocka_unit_test(counts_have_rs_shares),
        cmocka_unit_test(right_models_leave_nothing),
        cmocka_unit_test(wrong_models_are_seen),
        cmocka_unit_test(residuals_hang_on_the_seed_alone),
        cmocka_unit_test(replicates_show_zeros_and_groups),
        cmocka_unit_test(rows_without_trials_are_left_out),
        cmocka_unit_test(posteriors_are_calibrated),
        cmocka_unit_test(mixed_posteriors_are_calibrated),
        cmocka_unit_test(no_replicate_is_lost_without_memory),
        cmocka_unit_test(the_best_residuals_are_found),
        cmocka_unit_test(long_tails_are_told),
        cmocka_unit_test(a_column_called_fitted_is_looked_by),
        cmocka_unit_test(what_cannot_be_looked_at_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

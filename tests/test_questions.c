/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to regressions: effects and means, against closed forms, R's
   emmeans, and each other; and what must not change them. */
#include "questions_support.h"

/* ---- what is linear is exact ---- */

static void slopes_of_a_line_are_coefficients(void **state)
{
    rows *r = draw_rows(3);
    dlp_regression *made = fit("y ~ x + z + g", r, NULL);
    const dlp_regression_result *q = dlp_regression_result_of(made);
    (void)state;
    dlp_answers *a = effects(made, r->table, "x", NULL);
    const dlp_answer *slope = find(a, "slope");
    near(slope->mean, q->mu[1], 1e-8);
    near(slope->sd, sqrt(q->Sigma[q->n + 1]), 1e-8);
    near(slope->lower[0], q->mu[1] - 1.959963985 * sqrt(q->Sigma[q->n + 1]), 1e-7);
    near(slope->above, dlp_normal_cdf(slope->mean / slope->sd), 1e-8);
    assert_int_equal(a->n_values, 9);
    assert_int_equal(a->averaged, N);
    dlp_answers_free(a);
    /* of a factor, its coefficients */
    a = effects(made, r->table, "g", NULL);
    near(find(a, "b - a")->mean, q->mu[3], 1e-10);
    near(find(a, "h - a")->sd, sqrt(q->Sigma[9 * (q->n + 1)]), 1e-10);
    dlp_answers_free(a);
    dlp_regression_free(made);
    free_rows(r);
}

/* A column with a long tail has points that are even in its logarithm, where that is asked for. */
static void points_follow_a_long_tail(void **state)
{
    double x[40], y[40];
    dlp_table *table;
    (void)state;
    for (int i = 0; i < 40; i++) {
        x[i] = i < 36 ? 1 + 0.05 * (i % 9) : 1000;
        y[i] = 0.3 * (i % 5) + 0.001 * x[i];
    }
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "y", .number = y}};
    assert_ok(dlp_table_from_columns(40, 2, column, &table, error));
    dlp_regression *made;
    assert_ok(dlp_regression_fit("y ~ x", table, NULL, &made, error));
    dlp_question_settings s = dlp_question_settings_default();
    s.points = 4;
    for (s.log_points = 0; s.log_points < 2; s.log_points++) {
        dlp_answers *a = effects(made, table, "x", &s);
        assert_int_equal(a->logarithmic, s.log_points);
        near(a->value[1].x, s.log_points ? 10 : 334, 1e-9);
        near(a->value[3].x, 1000, 1e-9);
        dlp_answers_free(a);
    }
    dlp_regression_free(made);
    dlp_table_free(table);
}

/* On the scale of the link, whatever the family. */
static void links_are_linear(void **state)
{
    static const char *const families[] = {"poisson", "negative-binomial"};
    rows *r = draw_rows(4);
    dlp_question_settings s = dlp_question_settings_default();
    (void)state;
    s.on = DLP_ON_LINK;
    for (int i = 0; i < 2; i++) {
        dlp_regression *made = fit_family("c ~ x + g", r, families[i]);
        const dlp_regression_result *q = dlp_regression_result_of(made);
        dlp_answers *a = effects(made, r->table, "x", &s);
        near(find(a, "slope")->mean, q->mu[1], 1e-8);
        near(find(a, "slope")->sd, sqrt(q->Sigma[q->n + 1]), 1e-8);
        dlp_answers_free(a);
        s.exponentiate = 1;
        a = means(made, r->table, "g", &s);
        s.exponentiate = 0;
        near(find(a, "a")->median * exp(q->mu[2]), find(a, "b")->median, 1e-10);
        dlp_answers_free(a);
        dlp_regression_free(made);
    }
    free_rows(r);
}

/* ---- what is not is drawn ---- */

/* Where the mean response depends on a scale, the scale's uncertainty is that of means,
   predictions and doses, too: all of them beside draws of the fit. */
enum { FEW = 24, SCALE_DRAWS = 20000 };

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static dlp_table *few_rows(void)
{
    static double count[FEW], time[FEW], x[FEW], sure[FEW];
    dlp_table *table = NULL;
    dlp_rng rng = dlp_rng_at(17, 0);
    for (int i = 0; i < FEW; i++) {
        x[i] = (i % 8 - 3.5) / 2;
        sure[i] = 1;
        time[i] = exp(1 + 0.5 * x[i] + 1.2 * dlp_draw_normal(&rng));
        count[i] = i % 3 == 0 ? 0 : floor(exp(2 + 0.2 * x[i]) * (0.5 + (i % 5) / 4.0));
    }
    const dlp_column_data column[] = {{.name = "count", .number = count},
                                      {.name = "time", .number = time},
                                      {.name = "x", .number = x},
                                      {.name = "sure", .number = sure}};
    assert_ok(dlp_table_from_columns(FEW, 4, column, &table, error));
    return table;
}

/* What draws of a row's mean response say: mean, sd, and the ends of the middle 95 %. */
typedef struct drawn_mean {
    double mean, sd, lower, upper;
} drawn_mean;

static drawn_mean draw_mean(const dlp_regression *made, const dlp_table *table, int row)
{
    static double h[SCALE_DRAWS];
    dlp_draws_settings s = dlp_draws_settings_default();
    dlp_draws *d = NULL;
    double mean = 0, square = 0;
    s.n = SCALE_DRAWS;
    s.what = DLP_DRAW_MEANS;
    s.table = table;
    assert_ok(dlp_regression_draw(made, &s, &d, error));
    memcpy(h, d->value + row * d->n, sizeof h);
    dlp_draws_free(d);
    for (int i = 0; i < SCALE_DRAWS; i++) mean += h[i] / SCALE_DRAWS;
    for (int i = 0; i < SCALE_DRAWS; i++)
        square += (h[i] - mean) * (h[i] - mean) / SCALE_DRAWS;
    qsort(h, SCALE_DRAWS, sizeof *h, ascending);
    return (drawn_mean){mean, sqrt(square), h[SCALE_DRAWS / 40],
                        h[SCALE_DRAWS - SCALE_DRAWS / 40]};
}

static void assert_like_draws(const dlp_regression *made, const dlp_table *table)
{
    static const char *const end[] = {"1.75"}; /* of row 8 */
    const dlp_question_at at = {.column = "x", .n = 1, .value = end};
    const drawn_mean d = draw_mean(made, table, 7);
    dlp_question_settings s = dlp_question_settings_default();
    dlp_prediction *predicted = NULL;
    dlp_answers *dose = NULL;
    assert_ok(dlp_regression_predict(made, table, NULL, &predicted, error));
    const dlp_prediction_result *p = dlp_prediction_result_of(predicted);
    near(log(p->lower[7]), log(d.lower), 0.1 * d.sd / d.mean);
    near(log(p->upper[7]), log(d.upper), 0.15 * d.sd / d.mean);
    dlp_prediction_free(predicted);
    s.n_at = 1;
    s.at = &at;
    dlp_answers *a = means(made, table, "x", &s);
    near(a->value[0].mean, d.mean, 0.03 * d.sd);
    near(a->value[0].sd / d.sd, 1, 0.05);
    near(a->value[0].lower[0], d.lower, 0.1 * d.sd);
    near(a->value[0].upper[0], d.upper, 0.12 * d.sd);
    dlp_answers_free(a);
    /* x is the upper end of doses for a response that is the lower end at x */
    assert_ok(dlp_regression_doses(made, table, "x", 1, &d.lower, NULL, &dose, error));
    if (dose->value[0].above > 0.975) near(dose->value[0].upper[0], 1.75, 0.3);
    dlp_answers_free(dose);
}

static void scales_of_means_vary(void **state)
{
    static const char *const cases[][2] = {{"log-normal", "time ~ x"},
                                           {"weibull", "Surv(time, sure) ~ x"},
                                           {"zero-inflated-poisson", "count ~ x"},
                                           {"hurdle-poisson", "count ~ x"}};
    dlp_table *table = few_rows();
    (void)state;
    for (int k = 0; k < 4; k++) {
        dlp_regression_settings s = dlp_regression_settings_default();
        dlp_regression *made = NULL;
        s.family = cases[k][0];
        assert_ok(dlp_regression_fit(cases[k][1], table, &s, &made, error));
        assert_like_draws(made, table);
        dlp_regression_free(made);
    }
    dlp_table_free(table);
}

/* The average slope of a logistic regression, by the draws of the fit. */
static void averages_agree_with_draws(void **state)
{
    rows *r = draw_rows(5);
    dlp_regression *made = fit_family("b ~ x * z + g", r, "bernoulli");
    const dlp_index S = 20000;
    dlp_draws_settings ds = dlp_draws_settings_default();
    dlp_draws *d = NULL;
    double mean = 0, square = 0;
    (void)state;
    ds.n = S;
    assert_ok(dlp_regression_draw(made, &ds, &d, error));
    const dlp_index p = d->columns;
    for (dlp_index k = 0; k < S; k++) {
        double h = 0;
        for (int i = 0; i < N; i++) {
            const double *v = d->value + k;
            double eta = v[0] + v[S] * r->x[i] + v[2 * S] * r->z[i] +
                         v[(p - 1) * S] * r->x[i] * r->z[i];
            if (r->group[i] > 0) eta += v[(2 + r->group[i]) * S];
            const double pi = dlp_logistic(eta);
            h += pi * (1 - pi) * (v[S] + v[(p - 1) * S] * r->z[i]) / N;
        }
        mean += h / (double)S;
        square += h * h / (double)S;
    }
    const double sd = sqrt(square - mean * mean);
    dlp_answers *a = effects(made, r->table, "x", NULL);
    near(find(a, "slope")->mean, mean, 0.03 * sd);
    near(find(a, "slope")->sd, sd, 0.03 * sd);
    dlp_answers_free(a);
    dlp_draws_free(d);
    dlp_regression_free(made);
    free_rows(r);
}

/* One linear predictor, whose quantiles are those of the response; and of a sum of draws. */
static void draws_have_the_quantiles(void **state)
{
    rows *r = draw_rows(6);
    dlp_regression *made = fit_family("b ~ x", r, "bernoulli");
    const char *const values[] = {"-4", "0", "4"};
    const dlp_question_at at = {"x", 3, values};
    const double level[] = {0.5, 0.95};
    dlp_question_settings s = dlp_question_settings_default();
    (void)state;
    s.n_at = 1;
    s.at = &at;
    s.n_intervals = 2;
    s.interval_level = level;
    dlp_answers *exact = means(made, r->table, "x", &s),
                *drawn = effects(made, r->table, "x", &s);
    for (int i = 0; i < 3; i++) {
        const dlp_answer *e = &exact->value[i], *d = &drawn->value[i];
        near(d->mean, e->mean, 0.01 * e->sd);
        near(d->sd, e->sd, 0.02 * e->sd);
        for (int k = 0; k < 2; k++) {
            near(d->lower[k], e->lower[k], 0.04 * e->sd);
            near(d->upper[k], e->upper[k], 0.04 * e->sd);
        }
    }
    dlp_answers_free(exact);
    dlp_answers_free(drawn);
    dlp_regression_free(made);
    free_rows(r);
}

/* An offset is at its mean, unless the column that it is made of is stated. */
static void offsets_are_at_their_mean(void **state)
{
    rows *r = draw_rows(17);
    static const char *const one[] = {"0"};
    const dlp_question_at at = {"z", 1, one};
    dlp_question_settings s = dlp_question_settings_default();
    double mean = 0;
    (void)state;
    dlp_regression *made = fit_family("c ~ x + g + offset(0.1 * z)", r, "poisson");
    for (int i = 0; i < N; i++) mean += 0.1 * r->z[i] / N;
    s.on = DLP_ON_LINK;
    dlp_answers *usual = means(made, r->table, "g", &s);
    s.n_at = 1;
    s.at = &at;
    dlp_answers *stated = means(made, r->table, "g", &s);
    near(usual->value[2].mean - stated->value[2].mean, mean, 1e-12);
    dlp_answers_free(usual);
    dlp_answers_free(stated);
    dlp_regression_free(made);
    free_rows(r);
}

static dlp_table *many_rows(dlp_index n)
{
    double *x = calloc((size_t)n, sizeof *x), *b = calloc((size_t)n, sizeof *b);
    dlp_rng rng = dlp_rng_at(7, 0);
    dlp_table *borrowed = NULL, *table = NULL;
    unsigned char *keep = malloc((size_t)n);
    memset(keep, 1, (size_t)n);
    for (dlp_index i = 0; i < n; i++) {
        x[i] = 2 * dlp_draw_normal(&rng) + (i % 7 == 0 ? 2 : 0);
        b[i] = dlp_draw_uniform(&rng) < dlp_logistic(0.5 + x[i]);
    }
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "b", .number = b}};
    assert_ok(dlp_table_from_columns(n, 2, column, &borrowed, error));
    assert_ok(dlp_table_select(borrowed, keep, &table, error));
    dlp_table_free(borrowed);
    free(x);
    free(b);
    free(keep);
    return table;
}

/* E[y] = exp(a) x^b has the slope b E[y] / x wherever x is, however far others are. */
static void slopes_are_those_of_powers(void **state)
{
    static const double x[] = {0.5, 1, 2, 4, 9, 30, 100, 5000, 1e5, 3e6};
    static const double y[] = {1, 1, 2, 2, 3, 4, 5, 9, 16, 25};
    static const char *const values[] = {"1", "100", "1e6"};
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "y", .number = y}};
    const dlp_question_at at = {"x", 3, values};
    dlp_question_settings s = dlp_question_settings_default();
    dlp_regression_settings poisson = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *r = NULL;
    (void)state;
    poisson.family = "poisson";
    s.n_at = 1;
    s.at = &at;
    assert_ok(dlp_table_from_columns(10, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ log(x)", table, &poisson, &r, error));
    dlp_answers *a = effects(r, table, "x", &s);
    for (int i = 0; i < 3; i++) {
        const double slope = dlp_regression_result_of(r)->mu[1] * a->value[i].median;
        near(a->change[i].median * a->value[i].x, slope, 0.01 * slope);
    }
    dlp_answers_free(a);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* Of many rows some are drawn, and the answer is that of all: to first order in the posterior. */
static void many_rows_are_all_counted(void **state)
{
    const dlp_index n = 15001;
    dlp_table *table = many_rows(n);
    dlp_regression *r = NULL;
    (void)state;
    assert_ok(dlp_regression_fit("b ~ x", table, NULL, &r, error));
    const dlp_regression_result *q = dlp_regression_result_of(r);
    double h = 0, g[2] = {0, 0};
    for (dlp_index i = 0; i < n; i++) {
        const double x = table->column[0].number[i],
                     p = dlp_logistic(q->mu[0] + q->mu[1] * x), d = p * (1 - p);
        h += d * q->mu[1] / (double)n;
        g[0] += d * (1 - 2 * p) * q->mu[1] / (double)n;
        g[1] += (d + d * (1 - 2 * p) * q->mu[1] * x) / (double)n;
    }
    const double sd = sqrt(g[0] * g[0] * q->Sigma[0] + 2 * g[0] * g[1] * q->Sigma[1] +
                           g[1] * g[1] * q->Sigma[3]);
    dlp_answers *a = effects(r, table, "x", NULL);
    near(find(a, "slope")->mean, h, 0.05 * sd);
    near(find(a, "slope")->sd, sd, 0.01 * sd);
    dlp_answers_free(a);
    dlp_regression_free(r);
    dlp_table_free(table);
}

/* ---- levels ---- */

static void probabilities_add_up(void **state)
{
    static const char *const families[] = {"ordinal", "multinomial"};
    rows *r = draw_rows(8);
    dlp_question_settings s = dlp_question_settings_default();
    (void)state;
    s.pairs = 1;
    for (int f = 0; f < 2; f++) {
        dlp_regression *made = fit_family("level ~ x + g", r, families[f]);
        dlp_answers *a = means(made, r->table, "g", &s);
        assert_int_equal(a->n_values, 24);
        assert_int_equal(a->n_changes, 28 * 3);
        for (dlp_index i = 0; i < 24; i += 3) {
            assert_string_equal(a->value[i].category, "high");
            near(a->value[i].mean + a->value[i + 1].mean + a->value[i + 2].mean, 1, 1e-3);
        }
        dlp_answers_free(a);
        a = effects(made, r->table, "x", NULL);
        near(a->change[0].mean + a->change[1].mean + a->change[2].mean, 0,
             0.02 * a->change[0].sd);
        dlp_answers_free(a);
        dlp_regression_free(made);
    }
    free_rows(r);
}

/* ---- what must not matter ---- */

static dlp_answers *with_reference(const rows *r, const char *formula,
                                   const char *reference, dlp_regression **made)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    const dlp_reference at = {"g", reference};
    dlp_question_settings s = dlp_question_settings_default();
    s.pairs = 1;
    settings.family = "bernoulli";
    settings.n_references = reference ? 1 : 0;
    settings.reference = &at;
    *made = fit(formula, r, &settings);
    return means(*made, r->table, "g", &s);
}

static void same(const dlp_answer *x, const dlp_answer *y, double sign)
{
    near(x->mean, sign * y->mean, 0.02 * x->sd);
    near(x->sd, y->sd, 0.01 * x->sd);
}

/* Reference level, coding without an intercept, and units of a column. */
static void coding_does_not_matter(void **state)
{
    rows *r = draw_rows(9);
    static const char *const others[] = {"b ~ x + g", "b ~ 0 + g + x",
                                         "b ~ I(1000 * x - 7) + g"};
    dlp_regression *first, *second;
    (void)state;
    dlp_answers *a = with_reference(r, others[0], "a", &first);
    for (int i = 0; i < 3; i++) {
        dlp_answers *b = with_reference(r, others[i], i == 0 ? "d" : NULL, &second);
        for (dlp_index k = 0; k < 8; k++) {
            const dlp_answer *x = &a->value[k], *y = find(b, x->label);
            near(x->mean, y->mean, 1e-5 * x->sd);
            near(x->lower[0], y->lower[0], 1e-5 * x->sd);
        }
        same(find(a, "b - c"), find(b, "b - c"), 1);
        if (i == 0) same(find(a, "a - d"), find(b, "d - a"), -1);
        dlp_answers_free(b);
        dlp_regression_free(second);
    }
    dlp_answers_free(a);
    dlp_regression_free(first);
    free_rows(r);
}

/* ---- groups ---- */

static void groups_are_averaged_over(void **state)
{
    rows *r = draw_rows(13);
    dlp_regression_settings mixed = dlp_regression_settings_default();
    dlp_question_settings s = dlp_question_settings_default();
    (void)state;
    mixed.family = "bernoulli";
    mixed.grouping = DLP_MIXED;
    dlp_regression *made = fit("b ~ x + (1 | g)", r, &mixed);
    const dlp_regression_result *q = dlp_regression_result_of(made);
    dlp_answers *middle = effects(made, r->table, "x", &s);
    s.effects = DLP_EFFECTS_OF_NEW;
    dlp_answers *average = effects(made, r->table, "x", &s);
    /* E[p] over N(eta, v) at each end, from nodes of our own */
    const dlp_answer *last = &average->value[8];
    double sum = 0, weight = 0;
    for (int k = -400; k <= 400; k++)
        for (int j = -40; j <= 40; j++) {
            const double u = k / 50.0, t = j / 8.0, w = exp(-0.5 * (u * u + t * t));
            const double var = q->Sigma[0] + 2 * last->x * q->Sigma[1] +
                               last->x * last->x * q->Sigma[q->n + 1];
            sum += w * dlp_logistic(q->mu[0] + q->mu[1] * last->x + t * sqrt(var) +
                                    u * sqrt(q->random[0].covariance[0]));
            weight += w;
        }
    near(last->mean, sum / weight, 0.005);
    assert_true(fabs(last->mean - 0.5) < fabs(middle->value[8].mean - 0.5));
    dlp_answers_free(middle);
    dlp_answers_free(average);
    dlp_answers *none = NULL;
    s.effects = DLP_EFFECTS_OF_LEVELS;
    assert_int_equal(dlp_regression_effects(made, r->table, "x", &s, &none, NULL),
                     DLP_EINVAL);
    static const char *const sd[] = {"sd(g: (Intercept)) > 0", "x"};
    dlp_answers *a = contrast(made, 2, sd);
    near(a->value[0].above, 1, 1e-12);
    near(a->value[1].mean, q->mu[1], 1e-12);
    dlp_answers_free(a);
    dlp_regression_free(made);
    free_rows(r);
}

static void hierarchies_have_a_mean(void **state)
{
    static const char *const text[] = {"x", "x[b]", "x[b] > x[c]"};
    rows *r = draw_rows(14);
    dlp_regression *made = fit("y ~ x + (1 + x | g)", r, NULL);
    const dlp_regression_result *q = dlp_regression_result_of(made);
    (void)state;
    dlp_answers *a = contrast(made, 3, text);
    near(a->value[0].mean, q->mu0[1], 1e-12);
    near(a->value[1].mean, q->mu[q->n + 1], 1e-12);
    near(a->value[2].mean, q->mu[q->n + 1] - q->mu[2 * q->n + 1], 1e-12);
    dlp_answers_free(a);
    a = effects(made, r->table, "x", NULL);
    near(find(a, "slope")->mean, q->mu0[1], 1e-8);
    dlp_answers_free(a);
    dlp_regression_free(made);
    free_rows(r);
}

/* Over the groups of the rows: their own variances, and what they have in common by their mean. */
static void groups_of_a_hierarchy_go_together(void **state)
{
    rows *r = draw_rows(14);
    dlp_regression *made = fit("y ~ x + (1 + x | g)", r, NULL);
    const dlp_regression_result *q = dlp_regression_result_of(made);
    const double *P = q->Sigma0, det = P[0] * P[4] - P[1] * P[3];
    double mean = 0, own = 0, c[2] = {0, 0}, share[8] = {0};
    dlp_question_settings s = dlp_question_settings_default();
    (void)state;
    assert_int_equal(q->n, 3);
    for (int i = 0; i < N; i++) share[r->group[i]] += 1.0 / N;
    for (int g = 0; g < 8; g++) {
        const double *S = q->Sigma + g * 9 + 3; /* of the slope */
        mean += share[g] * q->mu[g * 3 + 1];
        own += share[g] * share[g] * S[1];
        c[0] += share[g] * (S[0] * P[4] - S[1] * P[3]) / det;
        c[1] += share[g] * (S[1] * P[0] - S[0] * P[1]) / det;
    }
    const double *C = q->mu0_covariance,
                 both = c[0] * c[0] * C[0] + 2 * c[0] * c[1] * C[1] + c[1] * c[1] * C[4];
    s.effects = DLP_EFFECTS_OF_LEVELS;
    dlp_answers *a = effects(made, r->table, "x", &s);
    near(find(a, "slope")->mean, mean, 1e-7);
    near(find(a, "slope")->sd, sqrt(own + both), 1e-6);
    assert_true(both > 0.01 * own);
    dlp_answers_free(a);
    dlp_regression_free(made);
    /* drawn, they have the same: a binary response on its own scale, where that is nearly a line */
    made = fit("b ~ x + (1 + x | g)", r, NULL);
    a = effects(made, r->table, "x", &s);
    s.on = DLP_ON_LINK;
    dlp_answers *link = effects(made, r->table, "x", &s);
    const dlp_answer *p = find(a, "slope"), *eta = find(link, "slope");
    assert_near(p->mean / p->sd, eta->mean / eta->sd,
                0.2 * fabs(eta->mean / eta->sd) + 0.3);
    dlp_answers_free(link);
    dlp_answers_free(a);
    dlp_regression_free(made);
    free_rows(r);
}

/* ---- intervals ---- */

static void intervals_have_their_level(void **state)
{
    rows *r = draw_rows(15);
    dlp_regression *made = fit("y ~ x + g", r, NULL);
    dlp_parameter q[16];
    double lower[16], upper[16];
    (void)state;
    assert_ok(dlp_regression_parameters(made, 0, q, error));
    assert_ok(dlp_regression_intervals(made, 0, 0.95, lower, upper, error));
    near(lower[1], q[1].lower, 0);
    assert_ok(dlp_regression_intervals(made, 0, 0.5, lower, upper, error));
    near(upper[1] - q[1].mean, 0.6744897501960817 * q[1].sd, 1e-12);
    const dlp_index n = dlp_regression_result_of(made)->n;
    near(log(upper[n - 1]) - log(lower[n - 1]),
         0.6744897501960817 / 1.959963984540054 *
             (log(q[n - 1].upper) - log(q[n - 1].lower)),
         1e-12);
    assert_int_equal(dlp_regression_intervals(made, 0, 1, lower, upper, NULL),
                     DLP_EINVAL);
    assert_string_equal(dlp_regression_reference(dlp_regression_result_of(made), 0), "a");
    dlp_regression_free(made);
    made = fit("y ~ 0 + g", r, NULL);
    assert_null(dlp_regression_reference(dlp_regression_result_of(made), 0));
    dlp_regression_free(made);
    free_rows(r);
}

/* A column of numbers that is called as an indicator would be, "fa", is none; nor is a comment an
   offset. A file keeps the references. */
static void names_are_not_read(void **state)
{
    enum { ROWS = 12 };
    static const char *const level[] = {"a", "b"};
    double y[ROWS], fa[ROWS], w[ROWS];
    int32_t f[ROWS];
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        y[i] = i % 5 + 0.1 * i;
        fa[i] = i % 3;
        w[i] = i;
        f[i] = i % 2;
    }
    const dlp_column_data column[] = {
        {.name = "y", .number = y},
        {.name = "fa", .number = fa},
        {.name = "w", .number = w},
        {.name = "f", .code = f, .n_levels = 2, .level = level}};
    dlp_table *table;
    dlp_regression *made, *read;
    dlp_answers *a = NULL;
    assert_ok(dlp_table_from_columns(ROWS, 4, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ f + fa + offset(0.5 * fa) # offset(w)", table, NULL,
                                 &made, error));
    assert_ok(dlp_regression_save(made, path, error));
    assert_ok(dlp_regression_load(path, &read, error));
    assert_string_equal(dlp_regression_reference(dlp_regression_result_of(made), 0), "a");
    assert_string_equal(dlp_regression_reference(dlp_regression_result_of(read), 0), "a");
    assert_fails(dlp_regression_effects(made, table, "w", NULL, &a, error), DLP_EINVAL,
                 "no column 'w'");
    assert_ok(dlp_regression_effects(made, table, "fa", NULL, &a, error));
    assert_true(a->slopes);
    dlp_answers_free(a);
    dlp_regression_free(read);
    dlp_regression_free(made);
    dlp_table_free(table);
}

/* Says stop at the third call. */
static int stop_soon(void *context, const dlp_progress *now)
{
    int *calls = context;
    assert_non_null(now->phase);
    return ++*calls == 3;
}

static void questions_can_be_stopped(void **state)
{
    rows *r = draw_rows(16);
    dlp_regression *made = fit_family("c ~ x + g", r, "poisson");
    (void)state;
    dlp_question_settings s = dlp_question_settings_default();
    dlp_answers *a = NULL;
    int calls = 0;
    s.progress = stop_soon;
    s.context = &calls;
    assert_int_equal(dlp_regression_effects(made, r->table, "x", &s, &a, NULL),
                     DLP_ECANCELLED);
    assert_null(a);
    assert_int_equal(calls, 3);
    dlp_regression_free(made);
    free_rows(r);
}

static void wrong_questions_are_told(void **state)
{
    rows *r = draw_rows(16);
    dlp_regression *made = fit("y ~ x + g", r, NULL);
    dlp_question_settings s = dlp_question_settings_default();
    const char *const values[] = {"q"}, *const by[] = {"x", "g"};
    dlp_question_at at = {"g", 1, values};
    dlp_answers *a = NULL;
    const double level = 1.5;
    (void)state;
    assert_int_equal(dlp_regression_effects(made, r->table, "xx", NULL, &a, NULL),
                     DLP_EINVAL);
    assert_int_equal(dlp_regression_effects(made, r->table, "far", NULL, &a, NULL),
                     DLP_EINVAL);
    s.n_at = 1;
    s.at = &at;
    assert_int_equal(dlp_regression_effects(made, r->table, "x", &s, &a, NULL),
                     DLP_EINVAL);
    at.column = "x";
    assert_int_equal(dlp_regression_means(made, r->table, "g", &s, &a, NULL), DLP_EINVAL);
    s.n_at = 0;
    s.n_by = 2;
    s.by = by;
    assert_int_equal(dlp_regression_means(made, r->table, "g", &s, &a, NULL), DLP_EINVAL);
    s.n_by = 0;
    s.interval_level = &level;
    assert_int_equal(dlp_regression_means(made, r->table, "g", &s, &a, NULL), DLP_EINVAL);
    assert_int_equal(dlp_regression_means(NULL, r->table, "g", NULL, &a, NULL),
                     DLP_EINVAL);
    assert_null(a);
    dlp_regression_free(made);
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_of_a_line_are_coefficients),
        cmocka_unit_test(points_follow_a_long_tail),
        cmocka_unit_test(links_are_linear),
        cmocka_unit_test(scales_of_means_vary),
        cmocka_unit_test(averages_agree_with_draws),
        cmocka_unit_test(draws_have_the_quantiles),
        cmocka_unit_test(slopes_are_those_of_powers),
        cmocka_unit_test(offsets_are_at_their_mean),
        cmocka_unit_test(names_are_not_read),
        cmocka_unit_test(many_rows_are_all_counted),
        cmocka_unit_test(probabilities_add_up),
        cmocka_unit_test(coding_does_not_matter),
        cmocka_unit_test(groups_are_averaged_over),
        cmocka_unit_test(hierarchies_have_a_mean),
        cmocka_unit_test(groups_of_a_hierarchy_go_together),
        cmocka_unit_test(intervals_have_their_level),
        cmocka_unit_test(questions_can_be_stopped),
        cmocka_unit_test(wrong_questions_are_told),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Priors that are stated in words: as densities, beside integrals by brute force, and
   what is said about those that are wrong. */
#include "regression/priors/prior_statement.h"

#include <delaplace/verification.h>

#include "support.h"

/* ---- densities ---- */

static const char *const sd_priors[] = {
    "half_t(3, 2.385)",     "half_t(0.7, 0.3)", "half_normal(1.7)",  "half_cauchy(0.4)",
    "exponential(2.3)",     "uniform(0, 3)",    "uniform(0.5, 1.5)", "pc(2, 0.05)",
    "lognormal(-0.4, 0.8)", "normal(0, 1.7)",   "student_t(4, 0, 2)"};
enum { SD_PRIORS = sizeof sd_priors / sizeof *sd_priors };

/* By the logarithm of the sd, in which no tail is long. */
static void sd_priors_are_densities(void **state)
{
    (void)state;
    const double h = 2e-3;
    for (int i = 0; i < SD_PRIORS; i++) {
        dlp_sd_prior prior, again;
        char text[128];
        double sum = 0;
        assert_ok(dlpi_sd_prior_parse(sd_priors[i], &prior, error));
        for (double t = -40; t < 30; t += h)
            sum += h * exp(dlp_sd_prior_log_density(&prior, exp(t)) + t);
        assert_near(sum, 1, 2e-3);
        assert_true(dlp_sd_prior_log_density(&prior, -1) == -INFINITY);
        dlp_sd_prior_text(&prior, 17, text, sizeof text);
        assert_ok(dlpi_sd_prior_parse(text, &again, error));
        assert_true(again.distribution == prior.distribution);
        assert_true(again.a == prior.a && again.b == prior.b);
    }
}

static void names_lead_to_the_same_priors(void **state)
{
    (void)state;
    dlp_sd_prior prior;
    assert_ok(dlpi_sd_prior_parse("student_t(4, 0, 2)", &prior, error));
    assert_true(prior.distribution == DLP_SD_HALF_T && prior.a == 4 && prior.b == 2);
    assert_ok(dlpi_sd_prior_parse("half-cauchy( 2 )", &prior, error));
    assert_true(prior.distribution == DLP_SD_HALF_T && prior.a == 1 && prior.b == 2);
    assert_ok(dlpi_sd_prior_parse("pc(2, 0.05)", &prior, error));
    assert_true(prior.distribution == DLP_SD_EXPONENTIAL);
    assert_close(exp(-2 * prior.a), 0.05, 1e-12);
    dlpi_prior_statement s;
    assert_ok(dlpi_prior_statement_parse("sd(a:b, log(x + 1)) = 2.5", &s, error));
    assert_string_equal(s.name[0], "a:b");
    assert_string_equal(s.name[1], "log(x + 1)");
    assert_true(s.sd.distribution == DLP_SD_FIXED && s.sd.a == 2.5 && s.sd.stated);
    assert_ok(dlpi_prior_statement_parse(" b ( 1 )~student_t( 3,-1 , 2)", &s, error));
    assert_string_equal(s.name[0], "(Intercept)");
    assert_true(s.coefficient.df == 3 && s.coefficient.mean == -1 &&
                s.coefficient.sd == 2);
    assert_ok(dlpi_prior_statement_parse("cor ~ lkj(2)", &s, error));
    assert_true(s.of == DLPI_PRIOR_OF_CORRELATION && s.lkj == 2 && !s.name[0][0]);
}

static void what_is_no_prior_is_told(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "a prior is for sd(GROUP)"},
        {"sigma ~ exponential(1)", "a prior is for sd(GROUP)"},
        {"sd(g)", "a '~' is missing"},
        {"sd(g ~ exponential(1)", "')' is missing"},
        {"sd() ~ exponential(1)", "a name is missing"},
        {"sd(g, x, z) ~ exponential(1)", "too many names"},
        {"sd(g) ~", "a distribution is missing"},
        {"sd(g) ~ exponentail(1)", "did you mean 'exponential'"},
        {"sd(g) ~ exponential", "numbers in brackets"},
        {"sd(g) ~ exponential(1", "',' or ')' is missing"},
        {"sd(g) ~ exponential(x)", "a number is missing"},
        {"sd(g) ~ exponential(0)", "above 0"},
        {"sd(g) ~ exponential(1) 2", "more after"},
        {"sd(g) ~ exponential(1, 2)", "the prior of an sd is half_t(DF, SCALE)"},
        {"sd(g) ~ normal(1, 2)", "the prior of an sd is half_t(DF, SCALE)"},
        {"sd(g) ~ half_t(0, 1)", "degrees of freedom"},
        {"sd(g) ~ half_t(1, 2, 3, 4)", "too many numbers"},
        {"sd(g) ~ uniform(2, 1)", "uniform from"},
        {"sd(g) ~ uniform(-1, 1)", "uniform from"},
        {"sd(g) ~ fixed(0)", "leave the term out"},
        {"sd(g) = ", "a number is missing"},
        {"sd(g) = 1 x", "more after"},
        {"cor(g) ~ lkj(-1)", "from 0.01"},
        {"cor(g) ~ uniform(0, 1)", "lkj(ETA)"},
        {"b(x) ~ exponential(1)", "normal(MEAN, SD)"},
        {"b(x) ~ nromal(0, 1)", "did you mean 'normal'"},
        {"b(x) ~ normal(0, nan)", "a number is missing"},
        {"b(x) ~ student_t(0, 0, 1)", "above 0"},
    };
    dlpi_prior_statement s;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(dlpi_prior_statement_parse(wrong[i][0], &s, error), DLP_EINVAL,
                     wrong[i][1]);
}

/* ---- fits beside brute force ---- */

enum { GROUPS = 6, EACH = 5, N = GROUPS * EACH };
static const char *const names[] = {"a", "b", "c", "d", "e", "f"};

typedef struct rows {
    double y[N], b[N], x[N];
    int32_t group[N];
    dlp_table *table;
} rows;

static rows *draw_rows(void)
{
    rows *r = calloc(1, sizeof *r);
    dlp_rng rng = dlp_rng_at(21, 5);
    double effect[GROUPS];
    for (int g = 0; g < GROUPS; g++) effect[g] = 1.1 * dlp_draw_normal(&rng);
    for (int i = 0; i < N; i++) {
        r->group[i] = i / EACH;
        r->x[i] = dlp_draw_normal(&rng);
        r->y[i] = 3 + effect[i / EACH] + dlp_draw_normal(&rng);
        r->b[i] = dlp_draw_uniform(&rng) < dlp_logistic(effect[i / EACH]);
    }
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "b", .number = r->b},
        {.name = "x", .number = r->x},
        {.name = "g", .code = r->group, .n_levels = GROUPS, .level = names}};
    assert_ok(dlp_table_from_columns(N, 4, column, &r->table, error));
    return r;
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

static dlp_status try_fit(const rows *r, const char *formula, int n,
                          const char *const *priors, dlp_hyper hyper,
                          dlp_regression **made, dlp_error *error)
{
    dlp_regression_settings settings = dlp_regression_settings_default();
    settings.n_priors = n;
    settings.priors = priors;
    settings.hyper = hyper;
    return dlp_regression_fit(formula, r->table, &settings, made, error);
}

static dlp_regression *fit(const rows *r, const char *formula, int n,
                           const char *const *priors, dlp_hyper hyper)
{
    dlp_regression *made = NULL;
    assert_ok(try_fit(r, formula, n, priors, hyper, &made, error));
    assert_int_equal(dlp_regression_result_of(made)->outcome, DLP_CONVERGED);
    return made;
}

/* sum over the rows of a group of log p(b | eta), with the effect e. */
static double log_likelihood(const rows *r, int g, double mu, double e)
{
    double sum = 0;
    for (int i = g * EACH; i < (g + 1) * EACH; i++)
        sum -= log1p(exp(r->b[i] > 0 ? -mu - e : mu + e));
    return sum;
}

/* log p(b | mu, sd), the effects by sums over a fine grid. */
static double log_marginal(const rows *r, double mu, double sd)
{
    double log_p = 0;
    for (int g = 0; g < GROUPS; g++) {
        double sum = 0;
        for (double z = -7; z <= 7; z += 0.25)
            sum += 0.25 * exp(log_likelihood(r, g, mu, sd * z) - 0.5 * z * z);
        log_p += log(sum / sqrt(2 * PI));
    }
    return log_p;
}

typedef struct answer {
    double mu, mu_sd, sd, sd_sd;
} answer;

static double log_prior_of(const dlp_coefficient_prior *prior, double mu)
{
    const double z = (mu - prior->mean) / prior->sd, df = prior->df;
    return df > 0 ? -0.5 * (df + 1) * log1p(z * z / df) : -0.5 * z * z;
}

/* b ~ 1 + (1 | g) */
static answer by_brute_force(const rows *r, const dlp_sd_prior *prior,
                             const dlp_coefficient_prior *of_mu)
{
    double all = 0, mu_sum = 0, mu_square = 0, sd_sum = 0, square = 0;
    const bool fixed = prior->distribution == DLP_SD_FIXED;
    for (double t = -7; t < 5; t += 0.08) {
        const double sd = fixed ? prior->a : exp(t);
        const double log_prior = fixed ? 0 : dlp_sd_prior_log_density(prior, sd) + t;
        if (log_prior == -INFINITY) continue;
        for (double mu = -8; mu < 8; mu += 0.4) {
            const double p = exp(log_prior + log_prior_of(of_mu, mu) +
                                 log_marginal(r, mu, sd) + 0.7 * N);
            all += p;
            mu_sum += p * mu;
            mu_square += p * mu * mu;
            sd_sum += p * sd;
            square += p * sd * sd;
        }
        if (fixed) break;
    }
    const double mean = sd_sum / all, mu = mu_sum / all;
    return (answer){mu, sqrt(mu_square / all - mu * mu), mean,
                    sqrt(fmax(square / all - mean * mean, 0))};
}

static void fits_are_those_of_brute_force(void **state)
{
    (void)state;
    static const char *const stated[] = {
        "sd(g) ~ half_t(3, 1)",      "sd(g) ~ half_normal(1)",
        "sd(g) ~ exponential(1)",    "sd(g) ~ uniform(0, 2)",
        "sd(g) ~ uniform(1, 2)",     "sd(g, 1) ~ half_cauchy(1)",
        "sd ~ pc(3, 0.05)",          "sd(g) = 1.3",
        "sd(g) ~ lognormal(-1, 1.5)"};
    rows *r = draw_rows();
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        const char *priors[] = {stated[i], "b(Intercept) ~ normal(0, 2)"};
        dlp_regression *made = fit(r, "b ~ 1 + (1 | g)", 2, priors, DLP_HYPER_DEFAULT);
        const dlp_regression_result *f = dlp_regression_result_of(made);
        const answer exact = by_brute_force(r, &f->random[0].prior[0], &f->prior[0]);
        assert_int_equal(f->random[0].prior[0].stated, 1);
        assert_true(f->prior[0].sd == 2 && f->prior[0].mean == 0 && !f->prior[0].weak);
        assert_near(f->mu[0], exact.mu, 0.05);
        assert_near(f->random[0].sd[0].mean, exact.sd, 0.03 * exact.sd);
        assert_near(f->random[0].sd[0].sd, exact.sd_sd, 0.06 * exact.sd);
        dlp_regression_free(made);
    }
    free_rows(r);
}

/* Student-t priors of coefficients, far from the rows or not, with a grade for each number. */
static void students_are_those_of_brute_force(void **state)
{
    (void)state;
    static const char *const stated[] = {
        "b(Intercept) ~ student_t(3, 0, 1)", "b(Intercept) ~ student_t(4, 0.5, 0.7)",
        "b(Intercept) ~ student_t(1, 0, 2.5)", "b(Intercept) ~ student_t(3, 1.5, 0.4)",
        "b(Intercept) ~ student_t(3, 3, 0.4)"};
    rows *r = draw_rows();
    for (size_t i = 0; i < sizeof stated / sizeof *stated; i++) {
        const char *priors[] = {stated[i], "sd(g) ~ half_normal(1)"};
        dlp_regression *made = fit(r, "b ~ 1 + (1 | g)", 2, priors, DLP_HYPER_DEFAULT);
        const dlp_regression_result *f = dlp_regression_result_of(made);
        const answer exact = by_brute_force(r, &f->random[0].prior[0], &f->prior[0]);
        assert_true(f->prior[0].df > 0 && f->verification && f->verification->automatic);
        const dlp_verified_fit *v = &f->verification->fit[0];
        const dlp_verified *mu = &v->parameter[0];
        assert_near(mu->mean, exact.mu, 0.1 * exact.mu_sd);
        assert_near(mu->sd, exact.mu_sd, 0.1 * exact.mu_sd);
        assert_near(f->objective, v->log_evidence, 0.1);
        assert_true(i > 0 || mu->grade == DLP_GRADE_GOOD);
        if (mu->grade == DLP_GRADE_GOOD) {
            assert_near(f->mu[0], exact.mu, 0.1 * exact.mu_sd);
            assert_near(sqrt(f->Sigma[0]), exact.mu_sd, 0.1 * exact.mu_sd);
        }
        dlp_regression_free(made);
    }
    free_rows(r);
}

/* With a wide prior the coefficient of a column whose rows are all 1 was .5 sd off, in silence. */
static void what_separates_is_graded(void **state)
{
    (void)state;
    rows *r = draw_rows();
    for (int i = 0; i < N; i++) {
        r->x[i] = i % 5 == 0;
        if (i % 5 == 0) r->b[i] = 1;
    }
    const char *priors[] = {"b(x) ~ normal(0, 8)"};
    dlp_regression *made = fit(r, "b ~ x + (1 | g)", 1, priors, DLP_HYPER_DEFAULT);
    const dlp_regression_result *f = dlp_regression_result_of(made);
    assert_true(f->verification && f->verification->automatic);
    assert_int_not_equal(f->verification->fit[0].parameter[1].grade, DLP_GRADE_GOOD);
    dlp_regression_free(made);
    free_rows(r);
}

/* So was that of a number beyond which all rows are 1; but not with a narrow prior. */
static void a_number_that_separates_is_graded(void **state)
{
    (void)state;
    rows *r = draw_rows();
    for (int i = 0; i < N; i++) {
        r->x[i] = (i % 3 == 0 ? 1 : -1) + 0.1 * r->x[i];
        r->b[i] = r->x[i] > 0;
    }
    static const char *const priors[] = {"b(x) ~ normal(0, 20)", "b(x) ~ normal(0, 0.5)"};
    for (int i = 0; i < 2; i++) {
        dlp_regression *made =
            fit(r, "b ~ x + (1 | g)", 1, priors + i, DLP_HYPER_DEFAULT);
        const dlp_verification *v = dlp_regression_result_of(made)->verification;
        if (i == 0)
            assert_true(v && v->fit[0].parameter[1].grade == DLP_GRADE_POOR);
        else
            assert_null(v);
        dlp_regression_free(made);
    }
    free_rows(r);
}

/* log p(b | mu, slope, sd) for rows of this x, up to a constant. */
static double log_marginal_with(const rows *r, double mu, double slope, double sd)
{
    double log_p = 0;
    for (int g = 0; g < GROUPS; g++) {
        double sum = 0;
        for (double z = -6; z <= 6; z += 0.5) {
            double log_z = -0.5 * z * z;
            for (int i = g * EACH; i < (g + 1) * EACH; i++) {
                const double eta = mu + slope * r->x[i] + sd * z;
                log_z -= log1p(exp(r->b[i] > 0 ? -eta : eta));
            }
            sum += exp(log_z);
        }
        log_p += log(sum);
    }
    return log_p;
}

/* The sd of a coefficient that few rows tell about, whose density given the sd is skewed,
   was 4 % too small. */
static void skewed_coefficients_are_those_of_brute_force(void **state)
{
    (void)state;
    rows *r = draw_rows();
    const char *priors[] = {"b ~ normal(0, 10)", "b(Intercept) ~ normal(0, 10)",
                            "sd(g) ~ half_normal(1)"};
    double all = 0, sum = 0, square = 0;
    for (double t = -5; t < 2; t += 0.3)
        for (double mu = -6; mu < 6; mu += 0.4)
            for (double slope = -4; slope < 5; slope += 0.3) {
                const double sd = exp(t), log_prior = -0.5 * sd * sd + t -
                                                      0.005 * (mu * mu + slope * slope);
                const double p = exp(log_prior + log_marginal_with(r, mu, slope, sd));
                all += p;
                sum += p * slope;
                square += p * slope * slope;
            }
    const double mean = sum / all, sd = sqrt(square / all - mean * mean);
    dlp_regression *made = fit(r, "b ~ x + (1 | g)", 3, priors, DLP_HYPER_DEFAULT);
    const dlp_margin found = dlp_regression_result_of(made)->margin[1];
    assert_near((found.mean - mean) / sd, 0, 0.05);
    assert_near(found.sd / sd, 1, 0.03);
    dlp_regression_free(made);
    free_rows(r);
}

/* ---- what a fit says of them ---- */

static void what_names_more_counts_more(void **state)
{
    (void)state;
    static const char *const priors[] = {"sd(g, x) ~ fixed(0.25)", "sd ~ exponential(2)",
                                         "cor(g) ~ lkj(3)", "b ~ normal(0, 0.5)",
                                         "b(x) ~ normal(1, 0.25)"};
    rows *r = draw_rows();
    dlp_regression *made = fit(r, "y ~ x + (1 + x | g)", 5, priors, DLP_HYPER_DEFAULT);
    const dlp_regression_result *f = dlp_regression_result_of(made);
    const dlp_random_effects *e = &f->random[0];
    assert_int_equal(e->prior[0].distribution, DLP_SD_EXPONENTIAL);
    assert_int_equal(e->prior[1].distribution, DLP_SD_FIXED);
    assert_true(e->lkj == 3 && e->lkj_stated);
    assert_close(e->sd[1].mean, 0.25, 1e-12);
    assert_close(e->sd[1].lower, 0.25, 1e-12);
    assert_near(e->sd[1].sd, 0, 1e-12);
    assert_true(e->sd[0].sd > 0);
    assert_true(f->prior[1].mean == 1 && f->prior[1].sd == 0.25);
    assert_true(f->prior[0].weak); /* b ~ ... is not about the intercept */
    dlp_regression_free(made);
    free_rows(r);
}

static void a_mode_says_what_it_lacks(void **state)
{
    (void)state;
    rows *r = draw_rows();
    dlp_regression *mode = fit(r, "y ~ x + (1 | g)", 0, NULL, DLP_HYPER_MAP), *back,
                   *whole = fit(r, "y ~ x + (1 | g)", 0, NULL, DLP_HYPER_INTEGRATE);
    const dlp_regression_result *f = dlp_regression_result_of(mode),
                                *w = dlp_regression_result_of(whole);
    char *text;
    size_t size;
    assert_int_equal(f->hyper, DLP_HYPER_MAP);
    assert_int_equal(w->hyper, DLP_HYPER_INTEGRATE);
    assert_int_equal(f->points, 1);
    assert_true(isnan(f->objective) && isfinite(w->objective));
    assert_true(isnan(f->random[0].sd[0].sd) && isnan(f->random[0].sd[0].upper));
    assert_true(isnan(f->margin[2].sd));
    assert_true(f->random[0].sd[0].mean < w->random[0].sd[0].mean); /* it is skewed */
    assert_true(f->margin[0].sd < w->margin[0].sd);
    assert_near(f->mu[1], w->mu[1], 0.05);
    assert_ok(dlp_regression_json(mode, DLP_PART_FILE, 0, &text, &size, error));
    assert_ok(dlp_regression_parse("memory", text, size, &back, error));
    const dlp_regression_result *b = dlp_regression_result_of(back);
    assert_int_equal(b->hyper, DLP_HYPER_MAP);
    assert_true(isnan(b->random[0].sd[0].sd));
    assert_true(b->random[0].sd[0].mean == f->random[0].sd[0].mean);
    free(text);
    dlp_regression_free(back);
    dlp_regression_free(mode);
    dlp_regression_free(whole);
    free_rows(r);
}

static void shares_are_their_formulas(void **state)
{
    (void)state;
    rows *r = draw_rows();
    const struct {
        const char *formula;
        double residual; /* 0: the square of the sd */
    } models[] = {{"y ~ x + (1 | g)", 0}, {"b ~ x + (1 | g)", PI * PI / 3}};
    for (int m = 0; m < 2; m++) {
        dlp_regression *made = fit(r, models[m].formula, 0, NULL, DLP_HYPER_DEFAULT),
                       *back;
        const dlp_regression_result *f = dlp_regression_result_of(made);
        const dlp_variance_explained *v = &f->variance;
        double mean = 0, fixed = 0;
        char *text;
        size_t size;
        for (int i = 0; i < N; i++) mean += r->x[i] / N;
        for (int i = 0; i < N; i++)
            fixed += f->mu[1] * f->mu[1] * (r->x[i] - mean) * (r->x[i] - mean) / N;
        const double random = pow(f->random[0].sd[0].median, 2);
        const double residual = m == 0 ? pow(f->margin[2].median, 2) : models[m].residual;
        assert_true(v->known);
        assert_close(v->fixed, fixed, 1e-9);
        assert_close(v->random, random, 1e-9);
        assert_close(v->term[0], random, 1e-9);
        assert_close(v->residual, residual, 1e-9);
        assert_close(v->marginal, fixed / (fixed + random + residual), 1e-9);
        assert_close(1 - v->conditional, residual / (fixed + random + residual), 1e-9);
        assert_close(v->icc, random / (random + residual), 1e-9);
        for (int g = 0; g < GROUPS; g++) assert_int_equal(f->random[0].rows[g], EACH);
        assert_ok(dlp_regression_json(made, DLP_PART_FILE, 0, &text, &size, error));
        assert_ok(dlp_regression_parse("memory", text, size, &back, error));
        const dlp_regression_result *b = dlp_regression_result_of(back);
        assert_true(b->variance.known && b->variance.icc == v->icc);
        assert_true(b->variance.marginal == v->marginal);
        for (int g = 0; g < GROUPS; g++) assert_int_equal(b->random[0].rows[g], EACH);
        free(text);
        dlp_regression_free(back);
        dlp_regression_free(made);
    }
    free_rows(r);
}

static void what_does_not_apply_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *prior, *says;
    } wrong[] = {
        {"y ~ x + (1 | g)", "sd(G) ~ exponential(1)", "did you mean 'g'?"},
        {"b ~ 1 + (1 | g)", "b(Intercept) ~ student_t(3, 3, 0.4)",
         "state a normal prior"},
        {"y ~ x + (1 | g)", "sd(school) ~ exponential(1)", "first grouping is 'g'"},
        {"y ~ x + (1 | g)", "sd(g, x) ~ exponential(1)", "the first is '(Intercept)'"},
        {"y ~ x + (1 + x | g)", "sd(g, xx) ~ exponential(1)", "did you mean 'x'?"},
        {"y ~ x + (1 | g)", "cor(g) ~ lkj(2)", "one effect per level"},
        {"y ~ x + (1 | g)", "b(z) ~ normal(0, 1)", "no term 'z'"},
        {"y ~ 1 + (1 | g)", "b ~ normal(0, 1)", "write b(Intercept)"},
        {"y ~ x", "sd(g) ~ exponential(1)", "there are no random effects"},
    };
    rows *r = draw_rows();
    dlp_regression *made;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dlp_error why = {0};
        assert_int_not_equal(try_fit(r, wrong[i].formula, 1, &wrong[i].prior,
                                     DLP_HYPER_DEFAULT, &made, &why),
                             DLP_OK);
        if (!strstr(why.message, wrong[i].says)) fail_msg("'%s'", why.message);
        assert_null(made);
    }
    const char *const twice[] = {"sd(g) ~ exponential(1)", "sd(g) ~ exponential(2)"};
    assert_fails(try_fit(r, "y ~ (1 | g)", 2, twice, DLP_HYPER_DEFAULT, &made, error),
                 DLP_EINVAL, "about the same");
    assert_fails(try_fit(r, "y ~ x", 0, NULL, DLP_HYPER_MAP, &made, error), DLP_EINVAL,
                 "hyper applies to random effects");
    assert_fails(try_fit(r, "y ~ (1 | g)", 1, twice, DLP_HYPER_FACTOR, &made, error),
                 DLP_EINVAL, "grouping mixed");
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sd_priors_are_densities),
        cmocka_unit_test(names_lead_to_the_same_priors),
        cmocka_unit_test(what_is_no_prior_is_told),
        cmocka_unit_test(fits_are_those_of_brute_force),
        cmocka_unit_test(students_are_those_of_brute_force),
        cmocka_unit_test(what_separates_is_graded),
        cmocka_unit_test(a_number_that_separates_is_graded),
        cmocka_unit_test(skewed_coefficients_are_those_of_brute_force),
        cmocka_unit_test(what_names_more_counts_more),
        cmocka_unit_test(a_mode_says_what_it_lacks),
        cmocka_unit_test(shares_are_their_formulas),
        cmocka_unit_test(what_does_not_apply_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Families beyond R's glm: densities by R's functions (families_r.R), responses that are
   censored, what makes no difference, and all commands on a fit. */
#include "scratch_file.h"
#include "support.h"

#include <delaplace.h>
#include <delaplace/random.h>

enum { N = 80 };

/* ---- densities ---- */

static const struct density {
    const char *family;
    double y, second, log_p; /* second 0: there is none */
} densities[] = {
    {"student", 1.9, 0, -2.72802843256469},
    {"tobit", 1.9, 0, -3.34778099465832},
    {"tobit", 1.9, INFINITY, -4.80260404215232},
    {"tobit", -INFINITY, -0.3, -1.91948618294434},
    {"tobit", -0.3, 1.9, -0.168289257586898},
    {"log-normal", 1.9, 0, -1.20168033200954},
    {"log-normal", 1.9, INFINITY, -1.09384634593557},
    {"exponential", 1.9, 0, -1.68239522821097},
    {"weibull", 1.9, 1.9, -1.29716158434043},
    {"weibull", 1.9, INFINITY, -1.53165946052506},
    {"weibull", 0, 1.9, -0.243571581091375},
    {"weibull", 0.8, 1.9, -0.781177796709705},
    {"beta", 0.23, 0, -0.650344711364123},
    {"beta-binomial", 3, 8, -2.92469016873065},
    {"zero-inflated-poisson", 0, 0, -0.629377497847481},
    {"zero-inflated-poisson", 2, 0, -1.89413074122072},
    {"hurdle-poisson", 0, 0, -0.943248945997455},
    {"hurdle-poisson", 2, 0, -1.6261175844548},
    {"zero-inflated-negative-binomial", 0, 0, -0.560079726286943},
    {"zero-inflated-negative-binomial", 2, 0, -2.09899937177219},
    {"hurdle-negative-binomial", 0, 0, -0.943248945997455},
    {"hurdle-negative-binomial", 2, 0, -1.74556870722496},
    {"hurdle-negative-binomial", 11, 0, -9.71014586246525},
};

static void densities_are_those_of_r(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof densities / sizeof *densities; i++) {
        const struct density *of = &densities[i];
        const double one = 1, theta[3] = {0.37, -0.45, log(3.5)}, *x = &one;
        const dlp_family *family = dlp_family_find(of->family);
        const dlp_index n = 1 + (family->scale != NULL) + (family->second != NULL);
        const dlp_glm_data data = {.N = 1,
                                   .p = 1,
                                   .x = &x,
                                   .y = &of->y,
                                   .trials = of->second != 0 ? &of->second : NULL,
                                   .df = 3.5};
        double log_p;
        dlp_sym Sigma = {0};
        const dlp_glm_prediction out = {.log_density = &log_p};
        assert_ok(dlp_sym_alloc(dlp_shape_dense(n), &Sigma, error));
        assert_ok(dlp_glm_predict(of->family, NULL, &data, theta, &Sigma, &out, error));
        if (!(fabs(log_p - of->log_p) < 1e-12 * fabs(of->log_p)))
            fail_msg("%s, case %zu: %.15g, not %.15g", of->family, i, log_p, of->log_p);
        dlp_sym_free(&Sigma);
    }
}

/* Cut points -0.5, 0.3 and 1.1, and eta = 0.28: R's log(diff(c(0, F(cut - eta), 1))), F plogis,
   pnorm and 1 - exp(-exp(t)). */
static void levels_are_those_of_r(void **state)
{
    (void)state;
    static const struct {
        const char *link;
        double log_p[4];
    } cases[] = {
        {"logit",
         {-1.15734406622326, -1.65715892513887, -1.66475768765805, -1.18494282874245}},
        {"probit",
         {-1.52465826830744, -1.23689939649407, -1.25206549734443, -1.5793547157414}},
        {"cloglog",
         {-1.00046261742909, -1.30280518719157, -1.35766106817511, -2.27049983753241}},
    };
    const double theta[] = {0.4, -0.5, log(0.8), log(0.8)},
                 column[] = {0.7, 0.7, 0.7, 0.7}, *x = column, y[] = {0, 1, 2, 3};
    const dlp_glm_data data = {.N = 4, .p = 1, .x = &x, .y = y, .levels = 4};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double log_p[4];
        dlp_sym Sigma = {0};
        const dlp_glm_prediction out = {.log_density = log_p};
        assert_ok(dlp_sym_alloc(dlp_shape_dense(4), &Sigma, error));
        assert_ok(
            dlp_glm_predict("ordinal", cases[i].link, &data, theta, &Sigma, &out, error));
        for (int k = 0; k < 4; k++) assert_near(log_p[k], cases[i].log_p[k], 1e-13);
        dlp_sym_free(&Sigma);
    }
}

/* ---- rows ---- */

typedef struct rows {
    double y[N], big[N], time[N], minutes[N], status[N], one_two[N], left[N], right[N],
        event[N], share[N], won[N], lost[N], count[N], many[N], x[N], far[N];
    const char *f[N];
    dlp_table *table;
} rows;

static void draw_row(rows *r, int i, int at)
{
    static const char *const f[] = {"a", "b", "c"};
    dlp_rng rng = dlp_rng_at(17, (uint64_t)i);
    const double x = dlp_draw_normal(&rng), eta = 0.4 + 0.7 * x - 0.5 * (i % 3 == 1);
    const double noise = log(-log(dlp_draw_uniform(&rng)));
    const double time = exp(eta + 0.6 * noise), limit = 3 * dlp_draw_uniform(&rng);
    const bool seen = time < limit;
    r->x[at] = x;
    r->far[at] = 200 + 7 * x;
    r->f[at] = f[i % 3];
    r->y[at] = eta + 0.8 * dlp_draw_normal(&rng) / sqrt(dlp_draw_gamma(&rng, 2) / 2);
    r->big[at] = 1e9 * r->y[at];
    r->time[at] = seen ? time : limit;
    r->minutes[at] = 60 * r->time[at];
    r->status[at] = seen;
    r->one_two[at] = 1 + seen;
    r->left[at] = r->time[at];
    r->right[at] = seen ? time : NAN; /* missing */
    r->event[at] = seen;
    const double a = 5 * dlp_logistic(eta),
                 share = dlp_logistic(dlp_draw_log_gamma(&rng, a) -
                                      dlp_draw_log_gamma(&rng, 5 - a));
    r->share[at] = fmin(fmax(share, 1e-6), 1 - 1e-6);
    for (int k = 0; k < 7; k++) r->won[at] += dlp_draw_uniform(&rng) < share;
    r->lost[at] = 7 - r->won[at];
    if (dlp_draw_uniform(&rng) < 0.7)
        for (double t = 0; (t -= log(dlp_draw_uniform(&rng))) < exp(eta);) r->count[at]++;
    const double by = 2 * dlp_draw_gamma(&rng, 1.5); /* negative binomial, and zeros */
    if (dlp_draw_uniform(&rng) < 0.7)
        for (double t = 0; (t -= log(dlp_draw_uniform(&rng))) < by * exp(eta);)
            r->many[at]++;
}

static void make_table(rows *r, dlp_index n)
{
    const dlp_column_data column[] = {
        {.name = "y", .number = r->y},
        {.name = "big", .number = r->big},
        {.name = "time", .number = r->time},
        {.name = "minutes", .number = r->minutes},
        {.name = "status", .number = r->status},
        {.name = "one_two", .number = r->one_two},
        {.name = "left", .number = r->left},
        {.name = "right", .number = r->right},
        {.name = "event", .number = r->event},
        {.name = "share", .number = r->share},
        {.name = "won", .number = r->won},
        {.name = "lost", .number = r->lost},
        {.name = "count", .number = r->count},
        {.name = "many", .number = r->many},
        {.name = "x", .number = r->x},
        {.name = "far", .number = r->far},
        {.name = "f", .text = r->f},
    };
    assert_ok(dlp_table_from_columns(n, sizeof column / sizeof *column, column, &r->table,
                                     error));
}

/* The first n of them. */
static rows *draw_first(dlp_index n, bool backwards)
{
    rows *r = calloc(1, sizeof *r);
    for (int i = 0; i < N; i++) draw_row(r, i, backwards ? N - 1 - i : i);
    make_table(r, n);
    return r;
}

static rows *draw_rows(bool backwards)
{
    return draw_first(N, backwards);
}

static void free_rows(rows *r)
{
    dlp_table_free(r->table);
    free(r);
}

static const struct family {
    const char *name, *response;
} families[] = {
    {"student", "y"},
    {"tobit", "tobit(y, left = 0)"},
    {"log-normal", "Surv(time, status)"},
    {"exponential", "Surv(time, status)"},
    {"weibull", "Surv(time, status)"},
    {"beta", "share"},
    {"beta-binomial", "cbind(won, lost)"},
    {"zero-inflated-poisson", "count"},
    {"hurdle-poisson", "count"},
    {"zero-inflated-negative-binomial", "many"},
    {"hurdle-negative-binomial", "many"},
};
enum { FAMILIES = sizeof families / sizeof *families };

static dlp_status try_fit(const rows *r, const char *family, const char *response,
                          const char *terms, dlp_regression **fit, dlp_error *error)
{
    dlp_regression_settings s = dlp_regression_settings_default();
    s.ungraded = 1; /* fits are compared, not their checks */
    char formula[200];
    s.family = family;
    if (!strchr(terms, '|')) s.tol = 1e-12;
    snprintf(formula, sizeof formula, "%s ~ %s", response, terms);
    return dlp_regression_fit(formula, r->table, &s, fit, error);
}

static dlp_regression *fit_rows(const rows *r, const char *family, const char *response,
                                const char *terms)
{
    dlp_regression *fit = NULL;
    assert_ok(try_fit(r, family, response, terms, &fit, error));
    return fit;
}

/* ---- a fit that is stopped ---- */

static int stop_at(void *context, const dlp_progress *progress)
{
    int *left = context;
    (void)progress;
    return --*left == 0;
}

/* Degrees of freedom are integrated over, one fit each: stopped in the middle, the whole has
   not converged. */
static void stopped_student_has_not_converged(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    int stopped = 0;
    for (int calls = 1; calls < 4000; calls = 2 * calls + 1) {
        dlp_regression_settings settings = dlp_regression_settings_default();
        dlp_regression *fit = NULL;
        dlp_error why;
        int left = calls;
        settings.family = "student";
        settings.progress = stop_at;
        settings.context = &left;
        const dlp_status status =
            dlp_regression_fit("y ~ x + f", r->table, &settings, &fit, &why);
        if (left <= 0) {
            stopped++;
            assert_true(status == DLP_ECANCELLED ||
                        (status == DLP_OK &&
                         dlp_regression_result_of(fit)->outcome == DLP_CANCELLED));
        }
        dlp_regression_free(fit);
    }
    assert_true(stopped > 2);
    free_rows(r);
}

/* Once asked to stop, it stays so, as a signal does. */
static int stop_from(void *context, const dlp_progress *progress)
{
    int *left = context;
    (void)progress;
    return --*left <= 0;
}

/* Noise alone, slope 0, can be fitted by previous-mean, in several iterations. */
static dlp_status fit_noise(int max_iter, int *left, double slope, dlp_regression **fit)
{
    enum { ROWS = 100 };
    double x[ROWS], y[ROWS];
    dlp_rng rng = dlp_rng_at(3, 1);
    for (int i = 0; i < ROWS; i++) {
        x[i] = dlp_draw_normal(&rng);
        y[i] = slope * x[i] + dlp_draw_normal(&rng);
    }
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "y", .number = y}};
    dlp_regression_settings settings = dlp_regression_settings_default();
    dlp_table *table = NULL;
    settings.family = "student";
    settings.method = "previous-mean";
    settings.max_iter = max_iter;
    settings.progress = left ? stop_from : NULL;
    settings.context = left;
    assert_ok(dlp_table_from_columns(ROWS, 2, column, &table, error));
    dlp_error why;
    const dlp_status status = dlp_regression_fit("y ~ x", table, &settings, fit, &why);
    dlp_table_free(table);
    return status;
}

static void student_ends_as_its_fits_do(void **state)
{
    (void)state;
    dlp_regression *fit = NULL;
    assert_int_equal(fit_noise(0, NULL, 0, &fit), DLP_OK);
    assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_CONVERGED);
    dlp_regression_free(fit);
    assert_int_equal(fit_noise(2, NULL, 0, &fit), DLP_OK);
    assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_MAX_ITERATIONS);
    dlp_regression_free(fit);
    for (int calls = 1; calls < 60; calls++) {
        int left = calls;
        if (fit_noise(0, &left, 0, &fit) == DLP_OK && left <= 0)
            assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_CANCELLED);
        dlp_regression_free(fit);
    }
    /* no maximum with any degrees of freedom */
    assert_int_equal(fit_noise(0, NULL, 5, &fit), DLP_OK);
    assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_NOT_CONCAVE);
    assert_false(dlp_regression_result_of(fit)->estimated);
    dlp_regression_free(fit);
}

/* ---- what makes no difference ---- */

/* How far the predictors of two fits are from each other, in sds; the second's rows may
   be in reverse order, and its response in other units. */
static double distance(const rows *r, const dlp_regression *a, const rows *s,
                       const dlp_regression *b, bool backwards, double unit, double shift)
{
    dlp_prediction *p = NULL, *q = NULL;
    double most = 0;
    assert_ok(dlp_regression_predict(a, r->table, NULL, &p, error));
    assert_ok(dlp_regression_predict(b, s->table, NULL, &q, error));
    const dlp_prediction_result *one = dlp_prediction_result_of(p),
                                *other = dlp_prediction_result_of(q);
    for (int i = 0; i < N; i++) {
        const int at = backwards ? N - 1 - i : i;
        const double off = (other->eta[at] - shift) / unit - one->eta[i];
        most = fmax(most, fabs(off) / one->eta_sd[i]);
        most = fmax(most, fabs(other->eta_sd[at] / unit / one->eta_sd[i] - 1));
    }
    dlp_prediction_free(p);
    dlp_prediction_free(q);
    return most;
}

static void assert_same(const char *family, const char *response, const char *terms,
                        const char *other_response, const char *other_terms,
                        bool backwards, double unit)
{
    rows *r = draw_rows(false), *s = draw_rows(backwards);
    dlp_regression *a = fit_rows(r, family, response, terms),
                   *b = fit_rows(s, family, other_response, other_terms);
    const double off = distance(r, a, s, b, backwards, unit, 0);
    if (!(off < 1e-8))
        fail_msg("%s: '%s ~ %s' and '%s ~ %s' are %g sds apart", family, response, terms,
                 other_response, other_terms, off);
    dlp_regression_free(a);
    dlp_regression_free(b);
    free_rows(r);
    free_rows(s);
}

static void units_orders_and_codings(void **state)
{
    (void)state;
    /* student comes below */
    for (int i = SANITISED ? 1 : 0; i < FAMILIES; i += SANITISED ? 8 : 1) {
        const char *name = families[i].name, *y = families[i].response;
        assert_same(name, y, "x + f", y, "far + f", true, 1);
        if (i % 9 == 0) assert_same(name, y, "x * f", y, "0 + f + f:far", true, 1);
        if (i % 4 == 1) assert_same(name, y, "x + I(x^2)", y, "I(far^2) + far", true, 1);
    }
    assert_same("student", "y", "x + f", "big", "x + f", false, 1e9);
    assert_same("tobit", "tobit(y, left = 0)", "x", "tobit(big, left = 0)", "x", false,
                1e9);
}

/* The same rows, however they are written down. */
static void ways_to_censor(void **state)
{
    (void)state;
    static const char *const ways[] = {"Surv(time, one_two)",
                                       "Surv(left, right, type = \"interval2\")",
                                       "Surv(time, time, event, type = \"interval\")",
                                       "Surv(time, status, type = \"right\")"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_same("weibull", "Surv(time, status)", "x", ways[i], "x", false, 1);
    assert_same("tobit", "tobit(y, left = 0)", "x", "tobit(y)", "x", false, 1);
}

/* Hours or minutes: only the level moves, and the prior of that is wide. */
static void units_of_time(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    for (int i = 2; i < 5; i++) {
        dlp_regression *a = fit_rows(r, families[i].name, "Surv(time, status)", "x"),
                       *b = fit_rows(r, families[i].name, "Surv(minutes, status)", "x");
        assert_true(distance(r, a, r, b, false, 1, log(60)) < 0.02);
        dlp_regression_free(a);
        dlp_regression_free(b);
    }
    free_rows(r);
}

/* ---- rows far out ---- */

/* Other draws than those of the fit find the same moments. */
static void assert_verified(dlp_regression *fit, const dlp_table *table)
{
    dlp_verification_settings s = dlp_verification_settings_default();
    s.seed = 5;
    assert_ok(dlp_regression_verify(fit, table, &s, error));
    const dlp_regression_result *q = dlp_regression_result_of(fit);
    for (int i = 0; i < 2; i++) {
        const dlp_verified *v = &q->verification->fit[0].parameter[i];
        assert_near(q->mu[i], v->mean, 0.05 * v->sd);
        assert_near(sqrt(q->Sigma[i * (q->n + 1)]), v->sd, 0.05 * v->sd);
    }
}

static void outliers_have_little_to_say(void **state)
{
    (void)state;
    rows *r = calloc(1, sizeof *r);
    for (int i = 0; i < N; i++) {
        dlp_rng rng = dlp_rng_at(3, (uint64_t)i);
        r->x[i] = i / 10.0;
        r->y[i] = 1 + 0.5 * r->x[i] + 0.1 * dlp_draw_normal(&rng) + 30 * (i % 9 == 8);
    }
    const dlp_column_data column[] = {{.name = "y", .number = r->y},
                                      {.name = "x", .number = r->x}};
    assert_ok(dlp_table_from_columns(N, 2, column, &r->table, error));
    dlp_regression *fit = fit_rows(r, "student", "y", "x");
    const dlp_regression_result *q = dlp_regression_result_of(fit);
    const double df = q->df;
    assert_true(q->df_chosen && df < 1.1);
    assert_true(fabs(q->mu[1] - 0.5) < 0.02);
    assert_verified(fit, r->table);
    assert_ok(dlp_regression_save(fit, path, error));
    dlp_regression_free(fit);
    assert_ok(dlp_regression_load(path, &fit, error));
    assert_true(dlp_regression_result_of(fit)->df == df);
    assert_true(dlp_regression_result_of(fit)->df_chosen);
    dlp_regression_free(fit);
    free_rows(r);
}

/* ---- responses that are all alike ---- */

/* n rows of 0 and a rate of prior N(0, 10^2) on the log scale: by the trapezoidal rule. */
static void zeros_alone_have_a_posterior(void **state)
{
    (void)state;
    enum { ZEROS = 8 };
    double zero[ZEROS] = {0}, sum = 0, mean = 0, square = 0;
    const dlp_column_data column[] = {{.name = "k", .number = zero}};
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_regression_settings s = dlp_regression_settings_default();
    s.family = "poisson";
    s.prior_sd = 10;
    for (double b = -90; b < 10; b += 0.01) {
        const double p = exp(-0.005 * b * b - ZEROS * exp(b));
        sum += p;
        mean += p * b;
        square += p * b * b;
    }
    mean /= sum;
    assert_ok(dlp_table_from_columns(ZEROS, 1, column, &table, error));
    assert_ok(dlp_regression_fit("k ~ 1", table, &s, &fit, error));
    const dlp_regression_result *q = dlp_regression_result_of(fit);
    const double sd = sqrt(square / sum - mean * mean);
    assert_near(q->mu[0], mean, 0.05 * sd);
    assert_near(sqrt(q->Sigma[0]), sd, 0.03 * sd);
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* ---- shares of trials ---- */

/* As successes and failures, to rounding; and digits that a file has not. */
static void shares_of_trials_are_counts(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    dlp_regression *counts = fit_rows(r, "binomial", "cbind(won, lost)", "x"),
                   *fit = NULL;
    dlp_regression_settings s = dlp_regression_settings_default();
    s.trials = "status"; /* its name serves for all sevens */
    for (int i = 0; i < N; i++) {
        r->status[i] = 7;
        r->share[i] = i % 2 ? r->won[i] / 7 : round(r->won[i] / 7 * 1e4) / 1e4;
    }
    dlp_table_free(r->table);
    make_table(r, N);
    s.tol = 1e-12;
    assert_ok(dlp_regression_fit("share ~ x", r->table, &s, &fit, error));
    assert_string_equal(dlp_regression_result_of(fit)->family->name, "binomial");
    assert_true(distance(r, counts, r, fit, false, 1, 0) < 1e-12);
    assert_string_equal(dlp_regression_result_of(fit)->formula,
                        "cbind((share) * `status`, (1 - (share)) * `status`) ~ x");
    assert_string_equal(dlp_regression_result_of(fit)->terms->response.variable,
                        "cbind((share) * status, (1 - (share)) * status)");
    dlp_regression_free(fit);
    assert_fails(dlp_regression_fit("factor(share) ~ x", r->table, &s, &fit, error),
                 DLP_EINVAL, "factor() is none");
    assert_fails(dlp_regression_fit("~ x", r->table, &s, &fit, error), DLP_EINPUT,
                 "no response");
    assert_fails(dlp_regression_fit("cbind(won, lost) ~ x", r->table, &s, &fit, error),
                 DLP_EINVAL, "leave one of them out");
    dlp_regression_free(counts);
    free_rows(r);
}

/* ---- counts whose mean is the predictor, or its square ---- */

struct family;
static void check_new_responses(const struct family *family, const dlp_regression *fit);
static void check_scores(const dlp_regression *fit, const rows *r);

static void means_of_counts_are_positive(void **state)
{
    (void)state;
    static const char *const links[] = {"identity", "sqrt"};
    rows *r = draw_rows(false);
    for (int i = 0; i < N; i++) r->far[i] = 0.1 + i % 7; /* positive */
    dlp_table_free(r->table);
    make_table(r, N);
    for (int l = 0; l < 2; l++) {
        dlp_regression_settings s = dlp_regression_settings_default();
        dlp_regression *fit = NULL;
        s.family = "poisson";
        s.link = links[l];
        s.prior_sd = 1e3;
        s.tol = 1e-12;
        s.method = "laplace";
        assert_ok(dlp_regression_fit("count ~ 0 + f", r->table, &s, &fit, error));
        const dlp_regression_result *q = dlp_regression_result_of(fit);
        for (int k = 0; k < 3;
             k++) { /* each level by itself: its mean, and Fisher's sd */
            double n = 0, sum = 0;
            for (int i = k; i < N; i += 3, n++) sum += r->count[i];
            const double m = sum / n, eta = l ? sqrt(m) : m,
                         sd = l ? 0.5 / sqrt(n) : sqrt(m / n);
            assert_near(q->mu[k], eta, 1e-5 * sd);
            assert_near(sqrt(q->Sigma[k * 4]), sd, 1e-5 * sd);
        }
        dlp_regression_free(fit);
        s.method = NULL;
        assert_ok(dlp_regression_fit("count ~ f", r->table, &s, &fit, error));
        assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_CONVERGED);
        assert_verified(fit, r->table);
        const struct family family = {"poisson", "count"};
        check_new_responses(&family, fit);
        check_scores(fit, r);
        dlp_regression_free(fit);
        s.tol = s.prior_sd = 0;
        s.grouping = DLP_HIERARCHICAL;
        s.group = "f";
        assert_fails(dlp_regression_fit("count ~ 1", r->table, &s, &fit, error),
                     DLP_EINVAL, "use link log");
    }
    free_rows(r);
}

/* ---- precisions ---- */

/* What is said about the rows: the evidence of the fit, of its draws and of rows left
   out. */
static void check_precise(dlp_regression *fit, const rows *r)
{
    dlp_comparison_settings how = dlp_comparison_settings_default();
    dlp_scores *loo = NULL, *folds = NULL;
    assert_ok(dlp_regression_verify(fit, r->table, NULL, error));
    const dlp_regression_result *q = dlp_regression_result_of(fit);
    const dlp_verified_fit *v = &q->verification->fit[0];
    assert_int_equal(v->parameter[1].grade, DLP_GRADE_GOOD);
    assert_near(v->log_evidence, q->objective, 0.05);
    assert_ok(dlp_regression_loo(fit, r->table, &how, &loo, error));
    how.folds = N;
    assert_ok(dlp_regression_cross_validate(fit, r->table, &how, &folds, error));
    assert_near(loo->elpd_sum.value, folds->elpd_sum.value, 0.2);
    dlp_scores_free(loo);
    dlp_scores_free(folds);
}

/* Weighted least squares, as in lm(y ~ x, weights = w). Precisions are not
   weights, of which the more there are the surer the fit is. */
static void precisions_are_those_of_lm(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_regression *fit = NULL;
    double sums[3] = {0}, mean_x, mean_y, xx = 0, xy = 0, left = 0;
    for (int i = 0; i < N; i++) r->status[i] = 1 + i % 4; /* the precision */
    dlp_table_free(r->table);
    make_table(r, N);
    for (int i = 0; i < N; i++) {
        sums[0] += r->status[i];
        sums[1] += r->status[i] * r->x[i];
        sums[2] += r->status[i] * r->y[i];
    }
    mean_x = sums[1] / sums[0];
    mean_y = sums[2] / sums[0];
    for (int i = 0; i < N; i++) {
        xx += r->status[i] * pow(r->x[i] - mean_x, 2);
        xy += r->status[i] * (r->x[i] - mean_x) * (r->y[i] - mean_y);
    }
    for (int i = 0; i < N; i++)
        left += r->status[i] * pow(r->y[i] - mean_y - xy / xx * (r->x[i] - mean_x), 2);
    s.precision = "status";
    s.prior_sd = 1e4;
    assert_ok(dlp_regression_fit("y ~ x", r->table, &s, &fit, error));
    const dlp_regression_result *q = dlp_regression_result_of(fit);
    const double sd = sqrt(q->Sigma[q->n + 1]);
    assert_near(q->mu[1], xy / xx, 1e-6 * sd);
    assert_near(sd, sqrt(left / (N - 4) / xx), 0.002 * sd); /* of a Student-t posterior */
    assert_ok(dlp_regression_save(fit, path, error));
    dlp_regression_free(fit);
    assert_ok(dlp_regression_load(path, &fit, error));
    assert_string_equal(dlp_regression_result_of(fit)->precision, "status");
    check_precise(fit, r);
    dlp_regression_free(fit);
    s.family = "poisson";
    assert_fails(dlp_regression_fit("count ~ x", r->table, &s, &fit, error), DLP_EINVAL,
                 "gaussian, student and tobit");
    free_rows(r);
}

/* ---- what is asked of a fit ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Draws of a new response agree with its mean and with its interval. */
static void check_new_responses(const struct family *family, const dlp_regression *fit)
{
    enum { DRAWS = 20000, NEW = 4 };
    dlp_prediction_settings s = dlp_prediction_settings_default();
    dlp_draws_settings how = dlp_draws_settings_default();
    dlp_prediction *p = NULL;
    dlp_draws *d = NULL;
    rows *r = draw_first(NEW, false);
    s.what = DLP_PREDICT_OBSERVATIONS;
    how.what = DLP_DRAW_RESPONSES;
    how.table = r->table;
    how.n = DRAWS;
    assert_ok(dlp_regression_predict(fit, r->table, &s, &p, error));
    assert_ok(dlp_regression_draw(fit, &how, &d, error));
    const dlp_prediction_result *out = dlp_prediction_result_of(p);
    for (int i = 0; i < NEW; i++) {
        double y[DRAWS], below = 0, above = 0;
        memcpy(y, d->value + (dlp_index)i * DRAWS, sizeof y);
        qsort(y, DRAWS, sizeof *y, compare);
        for (int k = 0; k < DRAWS; k++) {
            below += y[k] < out->observed_lower[i];
            above += y[k] > out->observed_upper[i];
        }
        const bool fits = below / DRAWS < 0.029 && above / DRAWS < 0.029;
        const bool whole = dlp_family_find(family->name)->support == DLP_SUPPORT_COUNT ||
                           dlp_family_find(family->name)->support == DLP_SUPPORT_TRIALS;
        if (!fits || (!whole && (below / DRAWS < 0.021 || above / DRAWS < 0.021)))
            fail_msg("%s, row %d: %g of draws below, %g above", family->name, i,
                     below / DRAWS, above / DRAWS);
    }
    dlp_prediction_free(p);
    dlp_draws_free(d);
    free_rows(r);
}

static void check_scores(const dlp_regression *fit, const rows *r)
{
    dlp_prediction_settings s = dlp_prediction_settings_default();
    dlp_comparison_settings how = dlp_comparison_settings_default();
    dlp_prediction *p = NULL;
    dlp_evaluation e;
    dlp_scores *loo = NULL, *folds = NULL;
    s.what = DLP_PREDICT_SCORES;
    how.draws = 1000;
    assert_ok(dlp_regression_predict(fit, r->table, &s, &p, error));
    assert_ok(dlp_prediction_evaluate(p, &e, error));
    assert_true(isfinite(e.log_likelihood) && isfinite(e.log_likelihood_averaged));
    assert_ok(dlp_regression_loo(fit, r->table, &how, &loo, error));
    how.folds = 4;
    assert_ok(dlp_regression_cross_validate(fit, r->table, &how, &folds, error));
    assert_true(fabs(loo->elpd_sum.value - folds->elpd_sum.value) < 6);
    assert_true(loo->elpd_sum.value < N * e.log_likelihood);
    dlp_scores_free(loo);
    dlp_scores_free(folds);
    dlp_prediction_free(p);
}

static void everything_works_for_every_family(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    for (int i = 0; i < FAMILIES; i++) {
        dlp_regression *fit = fit_rows(r, families[i].name, families[i].response, "x"),
                       *again = NULL;
        const dlp_regression_result *q = dlp_regression_result_of(fit);
        assert_int_equal(q->outcome, DLP_CONVERGED);
        assert_int_equal(q->fallbacks, 0);
        if (!(fabs(q->mu[1] - 0.7) < 5 * sqrt(q->Sigma[q->n + 1])))
            fail_msg("%s: the slope is %g (%g)", families[i].name, q->mu[1],
                     sqrt(q->Sigma[q->n + 1]));
        assert_ok(dlp_regression_save(fit, path, error));
        assert_ok(dlp_regression_load(path, &again, error));
        assert_true(distance(r, fit, r, again, false, 1, 0) < 1e-12);
        check_new_responses(&families[i], again);
        check_scores(again, r);
        dlp_regression_free(fit);
        dlp_regression_free(again);
    }
    free_rows(r);
}

/* Of both scales, to third order. */
static void derivatives_by_two_scales(void **state)
{
    (void)state;
    static const char *const name[] = {"zero-inflated-negative-binomial",
                                       "hurdle-negative-binomial"};
    rows *r = draw_rows(false);
    double one[N], weight[N];
    for (int i = 0; i < N; i++) {
        one[i] = 1;
        weight[i] = 0.5 + i % 3;
    }
    const double *x[] = {one, r->x};
    const dlp_glm_data data = {.N = N, .p = 2, .x = x, .y = r->count, .weight = weight};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    for (int i = 0; i < 2; i++) {
        dlp_glm *glm = NULL;
        dlp_check check;
        char words[200];
        assert_ok(dlp_glm_alloc(name[i], NULL, &data, &prior, &glm, error));
        const dlp_model model = dlp_glm_model(glm);
        assert_int_equal(model.shape.n, 4);
        assert_ok(dlp_check_derivatives(&model, 6, NULL, 11, &check, error));
        dlp_check_describe(&check, words, sizeof words);
        if (!(check.trace_grad.checked && check.error < 1e-6))
            fail_msg("%s: %s", name[i], words);
        dlp_glm_free(glm);
    }
    free_rows(r);
}

static void mixed_models_are_fitted(void **state)
{
    (void)state;
    rows *r = draw_rows(false);
    for (int i = 0; i < FAMILIES; i++) {
        dlp_regression *fit =
            fit_rows(r, families[i].name, families[i].response, "x + (1 | f)");
        const dlp_regression_result *q = dlp_regression_result_of(fit);
        assert_int_equal(q->outcome, DLP_CONVERGED);
        assert_true(fabs(q->mu[1] - 0.7) < 5 * sqrt(q->Sigma[q->n + 1]));
        dlp_verification_settings few = dlp_verification_settings_default();
        few.draws = 400;
        assert_ok(dlp_regression_verify(fit, r->table, &few, error));
        const dlp_verification *v = q->verification;
        assert_near(v->fit[0].log_evidence, q->objective, 0.15);
        dlp_regression_free(fit);
    }
    free_rows(r);
}

/* Two rows in the middle level: the posterior of a cut point beside it is far from
   normal, and that of the gap is not log-normal. Draws weighted by the posterior do not
   use margins. */
static void cut_points_beside_few_rows(void **state)
{
    (void)state;
    enum { ROWS = 50, CUTS = 2 };
    double x[ROWS];
    const char *level[ROWS];
    for (int i = 0; i < ROWS; i++) {
        x[i] = (i * 7 % 11 - 5) / 3.0;
        level[i] = i % 25 == 12 ? "b" : x[i] + (i % 5 - 2) > 0 ? "c" : "a";
    }
    const dlp_column_data column[] = {{.name = "y", .text = level},
                                      {.name = "x", .number = x}};
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_verification_settings how = dlp_verification_settings_default();
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    dlp_parameter said[1 + CUTS];
    s.family = "ordinal";
    how.draws = 20000;
    assert_ok(dlp_table_from_columns(ROWS, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ x", table, &s, &fit, error));
    assert_ok(dlp_regression_parameters(fit, 0, said, error));
    assert_ok(dlp_regression_verify(fit, table, &how, error));
    for (int i = 1; i <= CUTS; i++) {
        const dlp_verified *v =
            &dlp_regression_result_of(fit)->verification->fit[0].parameter[i];
        assert_near(said[i].mean, v->mean, 0.05 * v->sd);
        assert_near(said[i].sd, v->sd, 0.05 * v->sd);
        assert_near(said[i].lower, v->lower, 0.1 * v->sd);
        assert_near(said[i].upper, v->upper, 0.1 * v->sd);
    }
    dlp_regression_free(fit);
    dlp_table_free(table);
}

/* ---- what is refused ---- */

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char *const cases[][4] = {
        {"gaussian", "Surv(time, status)", "x", "weibull, exponential, log-normal"},
        {"weibull", "Surv(time, count)", "x", "0, censored, or 1, an event"},
        {"weibull", "Surv(y, status)", "x", "must be positive"},
        {"weibull", "Surv(time, status, type = \"counting\")", "x", "interval2"},
        {"weibull", "Surv(time, left, event)", "x", "write Surv(time, status)"},
        {"weibull", "Surv(minutes, time, type = \"interval2\")", "x", "lower end"},
        {"weibull", "y", "x + Surv(time, status)", "the whole response"},
        {"tobit", "tobit(y, left = 2, right = 1)", "x", "below the right one"},
        {"tobit", "tobit(y, left = 99)", "x", "censored in every row"},
        {"beta", "status", "x", "above 0 and below 1"},
        {"beta-binomial", "count", "x", "cbind"},
        {"zero-inflated-poisson", "y", "x", "whole numbers from 0"},
    };
    rows *r = draw_rows(false);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dlp_regression *fit = NULL;
        assert_wrong_input(try_fit(r, cases[i][0], cases[i][1], cases[i][2], &fit, error),
                           cases[i][3]);
    }
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_regression *fit = NULL;
    s.df = 3;
    assert_fails(dlp_regression_fit("y ~ x", r->table, &s, &fit, error), DLP_EINVAL,
                 "family student");
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(densities_are_those_of_r),
        cmocka_unit_test(levels_are_those_of_r),
        cmocka_unit_test(stopped_student_has_not_converged),
        cmocka_unit_test(student_ends_as_its_fits_do),
        cmocka_unit_test(units_orders_and_codings),
        cmocka_unit_test(ways_to_censor),
        cmocka_unit_test(units_of_time),
        cmocka_unit_test(outliers_have_little_to_say),
        cmocka_unit_test(zeros_alone_have_a_posterior),
        cmocka_unit_test(shares_of_trials_are_counts),
        cmocka_unit_test(means_of_counts_are_positive),
        cmocka_unit_test(precisions_are_those_of_lm),
        cmocka_unit_test(everything_works_for_every_family),
        cmocka_unit_test(cut_points_beside_few_rows),
        cmocka_unit_test(derivatives_by_two_scales),
        cmocka_unit_test(mixed_models_are_fitted),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

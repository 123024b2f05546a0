/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordinal and multinomial regressions with few rows for their columns, beside brute force: a grid
   over all parameters. Without propagation they are 0.1 sds off and more. */
#include "support.h"

#include <delaplace.h>

enum { ROWS = 6, MOST = 4 };
static const double PRIOR_SD = 1.5, CUT_SD = 2, GAP_SD = 5;

static const double x[ROWS] = {-1.6, -0.7, -0.2, 0.4, 0.8, 1.3}; /* whose mean is 0 */
static const char *const level[ROWS] = {"a", "c", "a", "b", "c", "c"};

typedef struct moments {
    double log_z, mean[MOST], sd[MOST];
} moments;

/* log p(y, theta), theta of n parameters */
typedef double log_density(const double *theta, const char *link);

static double log_normal(double z, double sd)
{
    return -0.5 * z * z / (sd * sd) - log(sd) - 0.5 * log(2 * PI);
}

/* Slope, first cut point, logarithm of the gap. */
static double ordinal(const double *theta, const char *link)
{
    const double gap = exp(theta[2]);
    double sum = log_normal(theta[0], PRIOR_SD) + log_normal(theta[1], CUT_SD) +
                 log_normal(theta[2], GAP_SD);
    for (int i = 0; i < ROWS; i++) {
        const double t = theta[1] - theta[0] * x[i];
        double F[2];
        for (int k = 0; k < 2; k++) {
            const double u = t + k * gap;
            F[k] = !strcmp(link, "logit")    ? 1 / (1 + exp(-u))
                   : !strcmp(link, "probit") ? 0.5 * erfc(-u / sqrt(2))
                                             : -expm1(-exp(u));
        }
        sum += log(*level[i] == 'a' ? F[0] : *level[i] == 'b' ? F[1] - F[0] : 1 - F[1]);
    }
    return sum;
}

/* Intercept and slope of b, then of c. */
static double multinomial(const double *theta, const char *link)
{
    double sum = 0;
    (void)link;
    for (int j = 0; j < 4; j++) sum += log_normal(theta[j], PRIOR_SD);
    for (int i = 0; i < ROWS; i++) {
        const double b = exp(theta[0] + theta[1] * x[i]),
                     c = exp(theta[2] + theta[3] * x[i]);
        sum += log((*level[i] == 'a' ? 1 : *level[i] == 'b' ? b : c) / (1 + b + c));
    }
    return sum;
}

static moments by_force(log_density *f, const char *link, int n, int across,
                        const double *low, const double *high)
{
    moments m = {0};
    int all = 1;
    double cell = 1;
    for (int j = 0; j < n; j++) {
        all *= across;
        cell *= (high[j] - low[j]) / (across - 1);
    }
    for (int k = 0; k < all; k++) {
        double theta[MOST] = {0};
        for (int j = 0, rest = k; j < n; j++, rest /= across)
            theta[j] = low[j] + (high[j] - low[j]) * (rest % across) / (across - 1);
        const double w = exp(f(theta, link));
        if (!(w > 0)) continue;
        m.log_z += w;
        for (int j = 0; j < n; j++) {
            m.mean[j] += w * theta[j];
            m.sd[j] += w * theta[j] * theta[j];
        }
    }
    for (int j = 0; j < n; j++) {
        m.mean[j] /= m.log_z;
        m.sd[j] = sqrt(m.sd[j] / m.log_z - m.mean[j] * m.mean[j]);
    }
    m.log_z = log(m.log_z * cell);
    return m;
}

static dlp_regression *fit_levels(const char *family, const char *link)
{
    const dlp_column_data column[] = {{.name = "x", .number = x},
                                      {.name = "y", .text = level}};
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_table *table = NULL;
    dlp_regression *fit = NULL;
    s.family = family;
    s.link = link;
    s.prior_sd = PRIOR_SD;
    if (!strcmp(family, "ordinal")) s.intercept_sd = CUT_SD;
    assert_ok(dlp_table_from_columns(ROWS, 2, column, &table, error));
    assert_ok(dlp_regression_fit("y ~ x", table, &s, &fit, error));
    assert_true(dlp_regression_result_of(fit)->propagated);
    dlp_table_free(table);
    return fit;
}

/* The first `exact` parameters; a gap that one row determines is far from normal. */
static void assert_moments(const char *family, const char *link, int exact,
                           const moments *m)
{
    dlp_regression *fit = fit_levels(family, link);
    const dlp_regression_result *r = dlp_regression_result_of(fit);
    assert_near(r->objective, m->log_z, 0.02);
    for (int j = 0; j < exact; j++) {
        assert_near((r->mu[j] - m->mean[j]) / m->sd[j], 0, 0.03);
        assert_near(sqrt(r->Sigma[j * (r->n + 1)]) / m->sd[j], 1, 0.07);
    }
    dlp_regression_free(fit);
}

static void ordinal_regressions(void **state)
{
    static const char *const links[] = {"logit", "probit", "cloglog"};
    static const double low[] = {-8, -12, -16}, high[] = {8, 12, 4};
    (void)state;
    for (int i = 0; i < 3; i++) {
        const moments m = by_force(ordinal, links[i], 3, 81, low, high);
        assert_moments("ordinal", links[i], 2, &m);
    }
}

static void multinomial_regressions(void **state)
{
    static const double low[] = {-7, -7, -7, -7}, high[] = {7, 7, 7, 7};
    const moments m = by_force(multinomial, NULL, 4, 33, low, high);
    (void)state;
    assert_moments("multinomial", NULL, 4, &m);
}

typedef struct stop {
    int calls, at; /* so far; the first that stops, or 0 */
} stop;

static int stop_at(void *context, const dlp_progress *progress)
{
    stop *s = context;
    (void)progress;
    return ++s->calls >= s->at && s->at > 0;
}

/* How many times it asks; with a `stop` within them, it ends there. */
static int ask(const dlp_table *table, const char *family, const char *method, int at)
{
    stop caller = {0, at};
    dlp_regression_settings s = dlp_regression_settings_default();
    dlp_regression *fit = NULL;
    dlp_error why;
    s.family = family;
    s.method = method;
    s.prior_sd = PRIOR_SD;
    s.ungraded = 1;
    s.progress = stop_at;
    s.context = &caller;
    const dlp_status status = dlp_regression_fit("y ~ x", table, &s, &fit, &why);
    assert_true(status == DLP_OK || (status == DLP_ECANCELLED && at > 0));
    if (fit && at > 0)
        assert_int_equal(dlp_regression_result_of(fit)->outcome, DLP_CANCELLED);
    for (int i = 0; fit && i < dlp_regression_result_of(fit)->n; i++)
        assert_true(isfinite(dlp_regression_result_of(fit)->mu[i]));
    dlp_regression_free(fit);
    return caller.calls;
}

static void propagation_can_be_stopped(void **state)
{
    static const char *const families[] = {"ordinal", "multinomial"};
    const dlp_column_data column[] = {{.name = "y", .text = level},
                                      {.name = "x", .number = x}};
    dlp_table *table = NULL;
    (void)state;
    assert_ok(dlp_table_from_columns(ROWS, 2, column, &table, error));
    for (int i = 0; i < 2; i++) {
        const int without = ask(table, families[i], "delta", 0),
                  all = ask(table, families[i], NULL, 0);
        assert_true(all > without + 3);
        for (int at = 1; at < all; at += 1 + at / 8)
            assert_in_range(ask(table, families[i], NULL, at), at, at + 2);
    }
    dlp_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ordinal_regressions),
        cmocka_unit_test(multinomial_regressions),
        cmocka_unit_test(propagation_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

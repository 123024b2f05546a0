/* SPDX-License-Identifier: BSD-3-Clause */
/* Regressions with their scale summed over, beside brute force: a grid over two
   coefficients and tau, for as many columns as rows. */
#include "support.h"

enum { P = 2, N = 4, ACROSS = 161, SCALES = 61 };

typedef struct problem {
    const char *family;
    dlp_index rows;
    double df;
} problem;

static const double x1[N] = {1, 1, 1, 1}, x2[N] = {-1.385, 0.624, 0.13, 1.7};
static const double *const columns[P] = {x1, x2};
static const double positive[N] = {0.85, 2.385, 1.2, 3.1}, counts[N] = {1, 4, 0, 6},
                    ones[N] = {0, 1, 1, 1};

static dlp_glm_data data_of(const problem *q)
{
    const bool real = !strcmp(q->family, "gaussian") || !strcmp(q->family, "gamma"),
               binary = !strcmp(q->family, "bernoulli");
    return (dlp_glm_data){.N = q->rows,
                          .p = P,
                          .x = columns,
                          .y = real     ? positive
                               : binary ? ones
                                        : counts};
}

/* Narrow for the scale, so that the grid can follow the coefficients' width. */
static dlp_glm_prior prior_of(const problem *q)
{
    dlp_glm_prior prior = dlp_glm_prior_default();
    prior.sd_all = 0.9;
    prior.df = q->df;
    prior.scale_mean = strcmp(q->family, "gaussian") != 0 ? 1 : -0.7;
    prior.scale_sd = 0.8;
    return prior;
}

typedef struct moments {
    dlp_index n; /* P, and the scale */
    double log_evidence, mu[P + 1], Sigma[(P + 1) * (P + 1)];
} moments;

static dlp_index parameters(const problem *q)
{
    return dlp_glm_parameters(q->family, P, 0) > P ? P + 1 : P;
}

static double covariance_of(const moments *m, dlp_index a, dlp_index b)
{
    return m->Sigma[a * m->n + b];
}

static double sd_of(const moments *m, dlp_index a)
{
    return sqrt(covariance_of(m, a, a));
}

/* ---- brute force ---- */

static double log_row(const char *family, double y, double eta, double tau)
{
    const double k = exp(tau), m = exp(eta);
    if (!strcmp(family, "gaussian"))
        return -0.5 * (y - eta) * (y - eta) / (k * k) - tau - 0.5 * log(2 * PI);
    if (!strcmp(family, "poisson")) return y * eta - m - lgamma(y + 1);
    if (!strcmp(family, "bernoulli")) return y * eta - log1p(m);
    if (!strcmp(family, "gamma"))
        return k * (tau + log(y / m) - y / m) - log(y) - lgamma(k);
    return lgamma(y + k) - lgamma(k) - lgamma(y + 1) + k * log(k / (k + m)) +
           y * log(m / (k + m));
}

static double log_prior(const dlp_glm_prior *prior, double beta)
{
    const double z = beta / prior->sd_all, df = prior->df;
    if (df == 0) return -0.5 * z * z - 0.5 * log(2 * PI) - log(prior->sd_all);
    return lgamma(0.5 * (df + 1)) - lgamma(0.5 * df) - 0.5 * log(df * PI) -
           log(prior->sd_all) - 0.5 * (df + 1) * log1p(z * z / df);
}

/* beta = sinh u: even spaces of u are dense at the middle, and reach the tails. */
static double spread(int i, double *log_width)
{
    const double most = 6, u = most * (2.0 * i / (ACROSS - 1) - 1);
    *log_width = log(cosh(u) * 2 * most / (ACROSS - 1));
    return sinh(u);
}

static void add_point(moments *sum, double density, const double *theta)
{
    sum->log_evidence += density;
    for (dlp_index a = 0; a < sum->n; a++) {
        sum->mu[a] += density * theta[a];
        for (dlp_index b = 0; b < sum->n; b++)
            sum->Sigma[a * sum->n + b] += density * theta[a] * theta[b];
    }
}

/* From sums to moments. */
static void divide(moments *sum)
{
    const dlp_index n = sum->n;
    for (dlp_index a = 0; a < n; a++) sum->mu[a] /= sum->log_evidence;
    for (dlp_index a = 0; a < n; a++)
        for (dlp_index b = 0; b < n; b++)
            sum->Sigma[a * n + b] =
                sum->Sigma[a * n + b] / sum->log_evidence - sum->mu[a] * sum->mu[b];
    sum->log_evidence = log(sum->log_evidence);
}

static void by_force(const problem *q, moments *out)
{
    const dlp_glm_data data = data_of(q);
    const dlp_glm_prior prior = prior_of(q);
    double theta[P + 1], at[ACROSS], log_w[ACROSS]; /* of a coefficient, with its prior */
    *out = (moments){.n = parameters(q)};
    for (int i = 0; i < ACROSS; i++) {
        at[i] = spread(i, &log_w[i]);
        log_w[i] += log_prior(&prior, at[i]);
    }
    const int scales = out->n > P ? SCALES : 1; /* where there is none, any will do */
    for (int t = 0; t < scales; t++) {
        const double z = 6 * (2.0 * t / (SCALES - 1) - 1),
                     tau_width = 12 * prior.scale_sd / (SCALES - 1),
                     log_tau = log(tau_width) - 0.5 * z * z - 0.5 * log(2 * PI) -
                               log(prior.scale_sd);
        theta[P] = prior.scale_mean + prior.scale_sd * z;
        for (int i = 0; i < ACROSS; i++)
            for (int j = 0; j < ACROSS; j++) {
                theta[0] = at[i];
                theta[1] = at[j];
                double log_p = log_w[i] + log_w[j] + (scales > 1 ? log_tau : 0);
                for (dlp_index n = 0; n < data.N && log_p > -60; n++)
                    log_p += log_row(q->family, data.y[n],
                                     theta[0] * x1[n] + theta[1] * x2[n], theta[P]);
                add_point(out, exp(log_p), theta);
            }
    }
    divide(out);
}

/* ---- ours ---- */

static dlp_glm_wide integrate(const problem *q, const char *method, moments *out)
{
    const dlp_glm_data data = data_of(q);
    const dlp_glm_prior prior = prior_of(q);
    dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end;
    dlp_glm *glm = NULL;
    settings.method = method;
    assert_ok(dlp_glm_alloc(q->family, NULL, &data, &prior, &glm, error));
    assert_true(dlp_glm_can_fit_wide(glm));
    assert_ok(dlp_glm_fit_wide(glm, &settings, out->mu, out->Sigma, &end, error));
    out->n = parameters(q);
    out->log_evidence = end.log_evidence;
    assert_int_equal(end.outcome, DLP_CONVERGED);
    assert_true(out->n == P ? end.nodes == 1 : end.nodes > 8);
    assert_int_equal(end.propagated != 0, !strcmp(method, "delta"));
    assert_int_equal(end.fallbacks, 0);
    assert_true(end.evaluations > 0);
    dlp_glm_free(glm);
    return end;
}

/* Means to this many sds, sds and evidence to that relative error. */
static void assert_like(const moments *got, const moments *want, double mean, double sd)
{
    assert_near(got->log_evidence, want->log_evidence, sd);
    for (dlp_index a = 0; a < want->n; a++) {
        const double own = sd_of(want, a);
        assert_near(got->mu[a], want->mu[a], mean * own);
        assert_near(sd_of(got, a) / own, 1, sd);
        for (dlp_index b = 0; b < a; b++)
            assert_near(covariance_of(got, a, b), covariance_of(want, a, b),
                        0.05 * own * sd_of(want, b));
    }
}

static void moments_are_near(void **state)
{
    (void)state;
    static const problem cases[] = {
        {"gaussian", 2, 0},
        {"gaussian", 2, 4},
        {"gaussian", 1, 3},
        {"gaussian", 4, 7},
        {"gamma", 2, 0},
        {"gamma", 4, 0},
        {"gamma", 2, 5},
        {"gamma", 1, 0},
        {"negative-binomial", 2, 0},
        {"negative-binomial", 4, 0},
        {"poisson", 2, 0},
        {"poisson", 4, 3},
        {"bernoulli", 1, 0},
        {"bernoulli", 4, 0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c += SANITISED ? 3 : 1) {
        moments got, want;
        by_force(&cases[c], &want);
        integrate(&cases[c], "delta", &got);
        assert_like(&got, &want, 0.02, 0.02);
    }
}

/* Given the scale, the coefficients of these are normal. */
static void gaussians_are_exact(void **state)
{
    (void)state;
    const char *const methods[] = {"laplace", "delta", "previous-mean"};
    for (int rows = 1; rows <= N; rows++) {
        const problem q = {"gaussian", rows, 0};
        const dlp_glm_data data = data_of(&q);
        const dlp_glm_prior prior = prior_of(&q);
        moments want = {.n = P + 1}, got;
        dlp_glm *glm = NULL;
        assert_ok(dlp_glm_alloc(q.family, NULL, &data, &prior, &glm, error));
        assert_ok(dlp_glm_integrate(glm, want.mu, want.Sigma, &want.log_evidence, error));
        dlp_glm_free(glm);
        for (int m = 0; m < 3; m++) {
            integrate(&q, methods[m], &got);
            assert_like(&got, &want, 1e-3, 1e-3);
        }
    }
}

/* Laplace's means are modes, but what it says about the scale is as good. */
static void laplace_tells_the_scale(void **state)
{
    (void)state;
    const problem q = {"gamma", 4, 0};
    moments got, want;
    by_force(&q, &want);
    integrate(&q, "laplace", &got);
    assert_near(got.log_evidence, want.log_evidence, 0.02);
    assert_near(got.mu[P], want.mu[P], 0.02);
    assert_near(sd_of(&got, P), sd_of(&want, P), 0.02);
}

/* The terms that Laplace's expansion is completed by are there without a scale, too. */
static void laplace_tells_the_evidence(void **state)
{
    (void)state;
    static const problem cases[] = {
        {"poisson", 2, 0}, {"poisson", 4, 0}, {"bernoulli", 1, 0}, {"bernoulli", 4, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        moments got, want;
        by_force(&cases[c], &want);
        integrate(&cases[c], "laplace", &got);
        assert_near(got.log_evidence, want.log_evidence, 0.01);
    }
}

/* The fit of one column. */
static dlp_glm_wide fit_column(const dlp_glm_data *data, double sd, double *mu, double *v)
{
    dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end;
    dlp_glm *glm = NULL;
    prior.sd_all = sd;
    settings.method = "delta";
    assert_ok(dlp_glm_alloc("bernoulli", NULL, data, &prior, &glm, error));
    assert_ok(dlp_glm_fit_wide(glm, &settings, mu, v, &end, error));
    assert_int_equal(end.outcome, DLP_CONVERGED);
    assert_int_equal(end.fallbacks, 0);
    dlp_glm_free(glm);
    return end;
}

/* One row, whose density is a step beside a prior that is hundreds of times as wide: half
   of a Gaussian, E[beta] = sd sqrt(2/pi) (1 - pi^2/(6 sd^2) + ...). */
static void steps_are_seen(void **state)
{
    (void)state;
    const dlp_glm_data data = {.N = 1, .p = 1, .x = columns, .y = ones + 1};
    const double sds[] = {30, 90, 270, 810};
    for (size_t i = 0; i < sizeof sds / sizeof *sds; i++) {
        const double sd = sds[i];
        const double want = sd * sqrt(2 / PI) * (1 - PI * PI / (6 * sd * sd));
        const double variance = sd * sd - want * want;
        double mu, v;
        const dlp_glm_wide end = fit_column(&data, sd, &mu, &v);
        assert_near(end.log_evidence, log(0.5), 2e-3);
        assert_near(mu, want, 3e-3 * sqrt(variance));
        assert_near(v / variance, 1, 5e-3);
    }
}

/* A row of zeros says nothing about the coefficients. */
static void empty_rows_do_not_matter(void **state)
{
    (void)state;
    const double x[] = {1, 0, 0.5}, y[] = {1, 1, 0};
    const double *const column[] = {x}, without_x[] = {1, 0.5}, without_y[] = {1, 0};
    const double *const without[] = {without_x};
    const dlp_glm_data all = {.N = 3, .p = 1, .x = column, .y = y},
                       some = {.N = 2, .p = 1, .x = without, .y = without_y};
    double mu, v, mu_some, v_some;
    const dlp_glm_wide end = fit_column(&all, 2, &mu, &v),
                       end_some = fit_column(&some, 2, &mu_some, &v_some);
    assert_near(mu, mu_some, 1e-12);
    assert_near(v, v_some, 1e-12);
    assert_near(end.log_evidence, end_some.log_evidence + log(0.5), 1e-12);
}

/* Nothing is left of one run in the next, nor depends on how the prior is stated. */
static void the_same_prior_gives_the_same(void **state)
{
    (void)state;
    const problem q = {"gamma", 2, 0};
    const dlp_glm_data data = data_of(&q);
    dlp_glm_prior prior = prior_of(&q);
    const double v = prior.sd_all * prior.sd_all, covariance[P * P] = {v, 0, 0, v};
    dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end;
    moments first, second, full = {.n = P + 1};
    dlp_glm *glm = NULL;
    integrate(&q, "laplace", &first);
    integrate(&q, "laplace", &second);
    assert_memory_equal(&first, &second, sizeof first);
    prior.covariance = covariance;
    assert_ok(dlp_glm_alloc(q.family, NULL, &data, &prior, &glm, error));
    assert_ok(dlp_glm_fit_wide(glm, &settings, full.mu, full.Sigma, &end, error));
    full.log_evidence = end.log_evidence;
    assert_like(&full, &first, 1e-6, 1e-6);
    dlp_glm_free(glm);
}

/* Many rows: the nodes narrow down to where the density is, and find the mode of all
   parameters, which is the posterior's mean but for terms of 1/rows. */
static void many_rows_agree_with_the_mode(void **state)
{
    (void)state;
    enum { ROWS = 200 };
    static double x[ROWS], y[ROWS];
    const double *const column[] = {x};
    const dlp_glm_data data = {.N = ROWS, .p = 1, .x = column, .y = y};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_settings settings = dlp_settings_default();
    dlp_rng rng = dlp_rng_at(5, 1);
    dlp_glm_wide end;
    dlp_glm *glm = NULL;
    dlp_fit *fit = NULL;
    double mu[2], Sigma[4];
    for (int i = 0; i < ROWS; i++) {
        x[i] = dlp_draw_normal(&rng);
        y[i] = exp(0.5 * x[i] + 0.3 * dlp_draw_normal(&rng));
    }
    settings.method = "delta";
    assert_ok(dlp_glm_alloc("gamma", NULL, &data, &prior, &glm, error));
    assert_ok(dlp_glm_fit_wide(glm, &settings, mu, Sigma, &end, error));
    const dlp_model model = dlp_glm_model(glm);
    assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    const dlp_result *r = dlp_fit_result(fit);
    assert_near(mu[0], r->mu[0], 0.01 * sqrt(Sigma[0]));
    assert_near(mu[1], r->mu[1], 0.01 * sqrt(Sigma[3]));
    assert_near(end.log_evidence, r->objective, 0.01);
    dlp_fit_free(fit);
    dlp_glm_free(glm);
}

/* Levels have more than one predictor, or cut points. */
static void others_are_refused(void **state)
{
    (void)state;
    const double levels[N] = {0, 1, 2, 1};
    const dlp_glm_data data = {
        .N = N, .p = 1, .x = columns + 1, .y = levels, .levels = 3};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end;
    moments m;
    dlp_glm *glm = NULL;
    assert_ok(dlp_glm_alloc("ordinal", NULL, &data, &prior, &glm, error));
    assert_false(dlp_glm_can_fit_wide(glm));
    assert_fails(dlp_glm_fit_wide(glm, &settings, m.mu, m.Sigma, &end, error), DLP_EINVAL,
                 "one linear predictor");
    dlp_glm_free(glm);
}

static int stop(void *context, const dlp_progress *progress)
{
    return !progress->polled && ++*(int *)context > 3;
}

/* After this many calls: even the first fit makes a posterior. */
static void cancel_after(int calls_left)
{
    const problem q = {"gamma", 4, 0};
    const dlp_glm_data data = data_of(&q);
    const dlp_glm_prior prior = prior_of(&q);
    dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end;
    moments m;
    int calls = 4 - calls_left;
    dlp_glm *glm = NULL;
    settings.progress = stop;
    settings.context = &calls;
    settings.max_iter = 50;
    assert_ok(dlp_glm_alloc(q.family, NULL, &data, &prior, &glm, error));
    assert_ok(dlp_glm_fit_wide(glm, &settings, m.mu, m.Sigma, &end, error));
    assert_int_equal(end.outcome, DLP_CANCELLED);
    assert_int_equal(calls, 4);
    for (int a = 0; a <= P; a++) assert_true(isfinite(m.mu[a]));
    dlp_glm_free(glm);
}

typedef struct countdown {
    int left, after;
} countdown;

static int stop_at_last(void *context, const dlp_progress *progress)
{
    countdown *c = context;
    (void)progress;
    c->after += c->left <= 0;
    return --c->left <= 0;
}

/* At any call: with what there is, or with nothing. Returns whether that was in time. */
static bool cancel_at(const problem *q, const char *method, int call)
{
    const dlp_glm_data data = data_of(q);
    const dlp_glm_prior prior = prior_of(q);
    dlp_settings settings = dlp_settings_default();
    dlp_glm_wide end = {.outcome = DLP_RUNNING};
    countdown c = {.left = call};
    moments m;
    dlp_glm *glm = NULL;
    settings.method = method;
    settings.progress = stop_at_last;
    settings.context = &c;
    assert_ok(dlp_glm_alloc(q->family, NULL, &data, &prior, &glm, error));
    const dlp_status status = dlp_glm_fit_wide(glm, &settings, m.mu, m.Sigma, &end, NULL);
    assert_int_equal(c.after, 0);
    assert_true(status == DLP_OK || status == DLP_ECANCELLED);
    if (status == DLP_OK)
        for (int a = 0; a < P; a++) assert_true(isfinite(m.mu[a]));
    dlp_glm_free(glm);
    return status == DLP_ECANCELLED || end.outcome == DLP_CANCELLED;
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    const problem gamma = {"gamma", 4, 0}, bernoulli = {"bernoulli", 4, 0};
    cancel_after(4);
    cancel_after(1);
    for (int call = 1; call < 300; call += 1 + call / 4) {
        assert_true(cancel_at(&gamma, "delta", call));
        assert_true(cancel_at(&gamma, "laplace", call));
        cancel_at(&bernoulli, "delta", call);
    }
    assert_false(cancel_at(&bernoulli, "delta", 1000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_are_near),
        cmocka_unit_test(gaussians_are_exact),
        cmocka_unit_test(laplace_tells_the_scale),
        cmocka_unit_test(laplace_tells_the_evidence),
        cmocka_unit_test(steps_are_seen),
        cmocka_unit_test(empty_rows_do_not_matter),
        cmocka_unit_test(the_same_prior_gives_the_same),
        cmocka_unit_test(many_rows_agree_with_the_mode),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(it_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

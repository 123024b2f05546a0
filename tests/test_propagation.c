/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expectation propagation and nested integration on models of their own, without a
 * regression: probit sites, whose moments are known in closed form, and a fit that is
 * linear in tau, whose integral is.
 */
#include "infer/expectation_propagation.h"
#include "infer/nested.h"
#include "support.h"

/* ---- theta ~ N(0, 1), sites Phi(s_n (theta + o_n)) ---- */

enum { MOST_SITES = 6 };

typedef struct probit {
    int N;
    double s[MOST_SITES], weight[MOST_SITES];
    int calls;
} probit;

static double add_sites(void *model, const double *mu, const double *a, const double *b,
                        double *P, double *h)
{
    const probit *m = model;
    (void)mu;
    for (int n = 0; n < m->N; n++) {
        P[0] += m->s[n] * m->s[n] * a[n];
        h[0] += m->s[n] * b[n];
    }
    return 0;
}

static double add_prior(void *model, double *P, double *h)
{
    (void)model, (void)h;
    P[0] += 1;
    return -0.5 * 1.8378770664093454836;
}

static dlp_index project(void *model, const double *mu, const double *C, dlp_index first,
                         double *eta, double *variance)
{
    const probit *m = model;
    dlp_index n = 0;
    for (; n < 2 && first + n < m->N; n++) { /* two at a time */
        eta[n] = m->s[first + n] * mu[0];
        variance[n] = m->s[first + n] * m->s[first + n] * C[0];
    }
    return n;
}

static double weight_of(const void *model, dlp_index n)
{
    return ((const probit *)model)->weight[n];
}

static double log_density(void *model, dlp_index n, double eta)
{
    (void)model, (void)n;
    return log(dlp_normal_cdf(eta));
}

/* Phi(eta) N(eta; m, v): with z = m / sqrt(1 + v) and r = N(z)/Phi(z) */
static bool tilt(void *model, dlp_index n, double m, double v, double *mode,
                 dlpi_tilted *out)
{
    const double z = m / sqrt(1 + v), cdf = dlp_normal_cdf(z),
                 r = exp(-0.5 * z * z) * 0.39894228040143267794 / cdf;
    (void)n, (void)mode;
    ((probit *)model)->calls++;
    *out = (dlpi_tilted){.log_z = log(cdf),
                         .mean = m + v * r / sqrt(1 + v),
                         .variance = v - v * v * r * (z + r) / (1 + v)};
    return true;
}

static void start(void *model, const double *theta, double *a, double *b, double *mode)
{
    (void)model, (void)theta, (void)a, (void)b, (void)mode;
}

static const dlpi_sites_type probit_type = {.add_sites = add_sites,
                                            .add_prior = add_prior,
                                            .project = project,
                                            .weight = weight_of,
                                            .log_density = log_density,
                                            .tilt = tilt,
                                            .start = start};

typedef struct moments {
    double log_z, mean, variance;
} moments;

static moments by_quadrature(const probit *m)
{
    double sum = 0, first = 0, second = 0;
    for (int i = -8000; i <= 8000; i++) {
        const double theta = 1e-3 * i;
        double l = -0.5 * theta * theta - 0.5 * 1.8378770664093454836;
        for (int n = 0; n < m->N; n++)
            l += m->weight[n] * log(dlp_normal_cdf(m->s[n] * theta));
        sum += 1e-3 * exp(l);
        first += 1e-3 * exp(l) * theta;
        second += 1e-3 * exp(l) * theta * theta;
    }
    return (moments){log(sum), first / sum, second / sum - first / sum * first / sum};
}

static moments by_propagation(probit *m, dlpi_listener *listener, dlp_outcome *outcome)
{
    dlpi_ep e;
    assert_ok(dlpi_ep_alloc(&e, &probit_type, m, m->N, 1, error));
    e.listener = listener;
    *outcome = dlpi_ep_run(&e, NULL);
    const moments found = {e.log_evidence, e.mu[0], e.C[0]};
    dlpi_ep_free(&e);
    return found;
}

static void one_site_is_exact(void **state)
{
    (void)state;
    for (int k = -4; k <= 4; k++) {
        probit m = {.N = 1, .s = {0.7 * k}, .weight = {1}};
        dlp_outcome outcome;
        const moments want = by_quadrature(&m), got = by_propagation(&m, NULL, &outcome);
        assert_int_equal(outcome, DLP_CONVERGED);
        assert_near(got.mean, want.mean, 1e-3);
        assert_near(got.variance, want.variance, 1e-3);
        assert_near(got.log_z, want.log_z, 1e-6);
    }
}

/* A site of weight 3 is three sites; one whose eta does not vary is a number; one without
   weight is nothing. The fixed point was found by a few lines of Python, with sites
   updated one by one and without weights. */
static void several_sites_reach_the_fixed_point(void **state)
{
    (void)state;
    probit m = {.N = 5, .s = {1.2, -0.4, 2.385, 0, 0.9}, .weight = {1, 1, 3, 1, 0}};
    dlp_outcome outcome;
    const moments posterior = by_quadrature(&m), got = by_propagation(&m, NULL, &outcome);
    assert_int_equal(outcome, DLP_CONVERGED);
    assert_near(got.mean, 0.9183674799447669, 1e-3);
    assert_near(got.variance, 0.24502194142660386, 1e-3);
    assert_near(got.mean, posterior.mean, 0.02 * sqrt(posterior.variance));
    assert_near(got.log_z, posterior.log_z, 0.03);
}

static int say_stop(void *context, const dlp_progress *p)
{
    assert_true(p->polled);
    return ++*(int *)context == 2;
}

static void propagation_can_be_stopped(void **state)
{
    (void)state;
    int asked = 0;
    dlpi_listener listener = {.call = say_stop, .context = &asked};
    probit m = {.N = 3, .s = {1.2, -0.4, 2.385}, .weight = {1, 1, 1}};
    dlp_outcome outcome;
    const moments got = by_propagation(&m, &listener, &outcome);
    assert_int_equal(outcome, DLP_CANCELLED);
    assert_int_equal(asked, 2);
    assert_true(isfinite(got.mean) && got.variance > 0);
}

/* ---- theta | tau ~ N(a + b tau, c), log p(x | tau) a parabola ---- */

typedef struct line {
    double a, b, c, at, sd; /* of the parabola */
    double mu, C;
    int fits, stop_after;
    dlpi_listener *listener;
} line;

static dlpi_nested_fit fit_at(void *model, double tau)
{
    line *m = model;
    m->mu = m->a + m->b * tau;
    m->C = m->c;
    m->fits++;
    if (m->fits == m->stop_after) m->listener->stopped = true;
    const double z = (tau - m->at) / m->sd;
    return (dlpi_nested_fit){.mu = &m->mu,
                             .C = &m->C,
                             .log_p = -0.5 * z * z,
                             .outcome = DLP_CONVERGED,
                             .fell_back = tau > m->at};
}

static void check_line(bool downwards, double sd)
{
    dlpi_listener nobody = {0};
    line m = {.a = 0.3, .b = -2.385, .c = 0.8, .at = 1.7, .sd = sd};
    dlpi_nested *s = calloc(1, sizeof *s);
    double mu[2], Sigma[4];
    assert_non_null(s);
    assert_ok(dlpi_nested_alloc(s, 2, error));
    s->fit_at = fit_at;
    s->model = &m;
    s->listener = &nobody;
    s->mean = -0.4;
    s->sd = 2;
    s->downwards = downwards;
    assert_true(dlpi_nested_run(s, mu, Sigma));
    const double v = 1 / (1 / (m.sd * m.sd) + 0.25),
                 tau = v * (m.at / (m.sd * m.sd) - 0.4 / 4), all = m.sd * m.sd + 4,
                 off = m.at + 0.4;
    assert_near(mu[1], tau, 2e-4 * sqrt(v));
    assert_near(Sigma[3], v, 1e-3 * v);
    assert_near(mu[0], m.a + m.b * tau, 1e-3 * sqrt(v));
    assert_near(Sigma[0], m.c + m.b * m.b * v, 1e-3 * Sigma[0]);
    assert_near(Sigma[1], m.b * v, 2e-3 * fabs(m.b) * v);
    assert_true(Sigma[1] == Sigma[2]);
    assert_near(s->log_evidence, log(m.sd) - 0.5 * log(all) - 0.5 * off * off / all,
                1e-3);
    assert_int_equal(s->outcome, DLP_CONVERGED);
    assert_true(s->nodes > 10 && s->fallbacks > 0 && s->fallbacks < s->nodes);
    assert_int_equal(s->fits, m.fits);
    dlpi_nested_free(s);
    free(s);
}

static void a_linear_fit_is_integrated_exactly(void **state)
{
    (void)state;
    check_line(false, 0.7);
    check_line(true, 0.7);
    check_line(true, 0.004); /* narrow: the nodes move there */
}

static void integration_can_be_stopped(void **state)
{
    (void)state;
    for (int after = 1; after < 30; after += 7) {
        dlpi_listener listener = {0};
        line m = {.b = 1, .c = 1, .sd = 1, .stop_after = after, .listener = &listener};
        dlpi_nested *s = calloc(1, sizeof *s);
        double mu[2], Sigma[4];
        assert_non_null(s);
        assert_ok(dlpi_nested_alloc(s, 2, error));
        s->fit_at = fit_at;
        s->model = &m;
        s->listener = &listener;
        s->sd = 1;
        assert_true(dlpi_nested_run(s, mu, Sigma));
        assert_int_equal(s->outcome, DLP_CANCELLED);
        assert_int_equal(m.fits, after);
        assert_true(isfinite(mu[0]) && Sigma[0] > 0);
        dlpi_nested_free(s);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_site_is_exact),
        cmocka_unit_test(several_sites_reach_the_fixed_point),
        cmocka_unit_test(propagation_can_be_stopped),
        cmocka_unit_test(a_linear_fit_is_integrated_exactly),
        cmocka_unit_test(integration_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Unknowns that are integrated out, many at a time, beside integrals that are computed here;
   derivatives beside differences; models that are several. */
#include "bugs/bugs.h"
#include "bugs_support.h"

#include <delaplace/random.h>
#include <stdio.h>

/* ---- a logistic mixed model ---- */

typedef struct sample {
    dlp_index groups, rows;
    double *g, *x, *y;
} sample;

static const char *const mixed =
    "model { for (i in 1:N) { y[i] ~ dbern(p[i])\n"
    "logit(p[i]) <- b0 + b1 * x[i] + u[g[i]] }\n"
    "for (j in 1:J) { u[j] ~ dnorm(0, tau) }\n"
    "b0 ~ dnorm(0, 0.01)\n b1 ~ dnorm(0, 0.01)\n"
    "sigma ~ dunif(0, 10)\n tau <- pow(sigma, -2) }";

static sample draw_sample(dlp_index groups, dlp_index each)
{
    sample s = {.groups = groups, .rows = groups * each};
    s.g = calloc((size_t)s.rows, 3 * sizeof *s.g);
    assert_non_null(s.g);
    s.x = s.g + s.rows;
    s.y = s.x + s.rows;
    for (dlp_index j = 0; j < groups; j++) {
        dlp_rng rng = dlp_rng_at(7, (uint64_t)j);
        const double u = dlp_draw_normal(&rng);
        for (dlp_index k = 0; k < each; k++) {
            const dlp_index i = k * groups + j; /* rows of a group are apart */
            s.g[i] = (double)(j + 1);
            s.x[i] = dlp_draw_normal(&rng);
            const double eta = -0.5 + 0.7 * s.x[i] + (j % 50 ? u : 4);
            s.y[i] = dlp_draw_uniform(&rng) < 1 / (1 + exp(-eta));
        }
    }
    return s;
}

static dlp_bugs *read_sample(const char *model, const sample *s)
{
    const double n = (double)s->rows, groups = (double)s->groups;
    const dlp_bugs_array arrays[] = {
        {.name = "N", .value = &n},
        {.name = "J", .value = &groups},
        {.name = "g", .n_dim = 1, .dim = &s->rows, .value = s->g},
        {.name = "x", .n_dim = 1, .dim = &s->rows, .value = s->x},
        {.name = "y", .n_dim = 1, .dim = &s->rows, .value = s->y}};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *bugs = NULL;
    input.model_text = model;
    input.data = arrays;
    input.n_data = 5;
    assert_ok(dlp_bugs_read(&input, &bugs, error));
    return bugs;
}

/* ---- the field of a model ---- */

typedef struct stage {
    dlpi_lowering lowering;
    dlpi_factors factors;
    dlpi_plan plan;
    dlpi_groups groups;
    dlpi_field field;
    dlpi_work work;
} stage;

static stage *set_stage(const dlp_bugs *bugs, int lanes)
{
    stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_ok(dlpi_lowering_make(bugs->graph, NULL, &s->lowering, error));
    assert_ok(dlpi_factors_make(&s->lowering, &s->factors, error));
    assert_ok(dlpi_plan_make(&s->factors, false, &s->plan, error));
    assert_ok(dlpi_groups_make(&s->factors, &s->plan, &s->groups, error));
    assert_ok(dlpi_field_make(&s->groups, &s->field, error));
    s->field.lanes = lanes;
    assert_ok(dlpi_work_alloc(&s->field, &s->work, error));
    return s;
}

static void strike(stage *s)
{
    dlpi_work_free(&s->work);
    dlpi_field_clear(&s->field);
    dlpi_groups_clear(&s->groups);
    dlpi_plan_clear(&s->plan);
    dlpi_factors_clear(&s->factors);
    dlpi_lowering_clear(&s->lowering);
    free(s);
}

static double f_at(stage *s, double b0, double b1)
{
    s->work.x[0] = b0;
    s->work.x[1] = b1;
    memset(s->work.b, 0, (size_t)(2 * s->plan.L) * sizeof *s->work.b);
    dlpi_work_expand(&s->work);
    return s->work.f;
}

/* ---- integrals ---- */

/* h(u) of group j, without constants. */
static double log_density(const sample *s, dlp_index j, double b0, double b1, double sd,
                          double u)
{
    double h = -0.5 * u * u / (sd * sd);
    for (dlp_index i = j; i < s->rows; i += s->groups) {
        const double eta = b0 + b1 * s->x[i] + u;
        h -= log1p(exp(s->y[i] > 0 ? -eta : eta));
    }
    return h;
}

/* log of the integral of prod ilogit(...) N(u; 0, sd^2) over the rows of group j, by very
   many points. */
static double log_integral(const sample *s, dlp_index j, double b0, double b1, double sd)
{
    const double apart = 0.01 * sd, log_2_pi = 1.8378770664093454836;
    double sum = 0;
    for (int k = -1200; k <= 1200; k++)
        sum += exp(log_density(s, j, b0, b1, sd, apart * k));
    return log(sum * apart / sd) - 0.5 * log_2_pi;
}

/* log p at x and psi, of which the priors are known. */
static void integrals_are_right(void **state)
{
    (void)state;
    static const double sds[] = {0.3, 1, 4};
    const double log_2_pi = 1.8378770664093454836;
    sample s = draw_sample(60, 9);
    dlp_bugs *bugs = read_sample(mixed, &s);
    stage *st = set_stage(bugs, 1);
    assert_int_equal(st->plan.L, s.groups);
    assert_int_equal(st->plan.n, 2);
    assert_int_equal(st->plan.m, 1);
    assert_true(st->field.n_blocks < s.groups / 8); /* many together */
    for (int k = 0; k < 3; k++) {
        const double sd = sds[k], psi = log(sd / (10 - sd)), b0 = -0.3, b1 = 0.8;
        double expect = -log_2_pi + log(0.01) - 0.005 * (b0 * b0 + b1 * b1);
        /* a uniform density on (0, 10), by its logit */
        expect += log(sd / 10) + log(1 - sd / 10);
        for (dlp_index j = 0; j < s.groups; j++)
            expect += log_integral(&s, j, b0, b1, sd);
        dlpi_work_set_psi(&st->work, &psi, false);
        assert_near(f_at(st, b0, b1), expect, 1e-5 * (double)s.groups);
    }
    strike(st);
    dlp_bugs_free(bugs);
    free(s.g);
}

/* Gradient and curvature beside differences. alone: leaves, which are blocks of one each, are
   integrated as those with very many rows. */
static void differentiate(const char *model, dlp_index groups, dlp_index each, bool alone)
{
    const double psi = -1.5, h = 1e-4, b0 = 0.4, b1 = -0.2;
    sample s = draw_sample(groups, each);
    dlp_bugs *bugs = read_sample(model, &s);
    stage *st = set_stage(bugs, 1);
    assert_int_equal(st->plan.L, groups);
    assert_int_equal(st->plan.n, 2);
    if (alone) {
        assert_int_equal(st->field.n_blocks, groups);
        memset(st->field.together, 0, (size_t)groups * sizeof *st->field.together);
    }
    dlpi_work_set_psi(&st->work, &psi, false);
    for (int k = 0; k < 2; k++) {
        const double d0 = k ? 0 : h, d1 = k ? h : 0;
        double side[2][2];
        const double up = f_at(st, b0 + d0, b1 + d1);
        memcpy(side[1], st->work.gradient, sizeof side[1]);
        const double down = f_at(st, b0 - d0, b1 - d1);
        memcpy(side[0], st->work.gradient, sizeof side[0]);
        (void)f_at(st, b0, b1);
        assert_near(st->work.gradient[k], (up - down) / (2 * h), 1e-3);
        for (int j = 0; j < 2; j++)
            assert_near(dlp_sym_entry(&st->work.H, k < j ? k : j, k < j ? j : k),
                        -(side[1][j] - side[0][j]) / (2 * h), 1e-2);
    }
    strike(st);
    dlp_bugs_free(bugs);
    free(s.g);
}

/* The second model has coefficients in two linear predictors of a row. */
static void derivatives_are_right(void **state)
{
    (void)state;
    static const char *const twice =
        "model { for (i in 1:N) { y[i] ~ dnorm(b0 + b1 * x[i] + u[g[i]], w[i])\n"
        "log(w[i]) <- b0 - b1 * x[i] - 0.1 * u[g[i]] }\n"
        "for (j in 1:J) { u[j] ~ dnorm(0, tau) }\n"
        "b0 ~ dnorm(0, 0.01)\n b1 ~ dnorm(0, 0.01)\n"
        "sigma ~ dunif(0, 10)\n tau <- pow(sigma, -2) }";
    differentiate(mixed, 60, 9, false);
    for (int alone = 0; alone < 2; alone++) {
        differentiate(mixed, 12, 400, alone);
        differentiate(twice, 12, 400, alone);
    }
}

/* E[b | x], its variance, and how the mean moves with x. */
static void moments_are_right(void **state)
{
    (void)state;
    const double psi = -1.5, h = 1e-3;
    sample s = draw_sample(40, 5);
    dlp_bugs *bugs = read_sample(mixed, &s);
    stage *st = set_stage(bugs, 1);
    dlpi_work *w = &st->work;
    double *up = calloc((size_t)(2 * st->plan.L), sizeof *up);
    assert_non_null(up);
    dlpi_work_set_psi(w, &psi, false);
    w->moments = true;
    (void)f_at(st, 0.1 + h, 0.5);
    memcpy(up, w->mean, (size_t)(2 * st->plan.L) * sizeof *up);
    (void)f_at(st, 0.1 - h, 0.5);
    for (dlp_index l = 0; l < st->plan.L; l++) up[2 * l] -= w->mean[2 * l];
    (void)f_at(st, 0.1, 0.5);
    for (dlp_index l = 0; l < st->plan.L; l++) {
        const double *slope = w->slope + 2 * st->groups.support_begin[l];
        assert_near(slope[0], up[2 * l] / (2 * h), 1e-3);
        assert_true(w->variance[3 * l] > 0);
    }
    free(up);
    strike(st);
    dlp_bugs_free(bugs);
    free(s.g);
}

/* P(u <= each of these values), by very many points. */
static void quantiles_are_right(void **state)
{
    (void)state;
    const double sd = 2, psi = log(sd / (10 - sd)), b0 = -0.3, b1 = 0.8, apart = 1e-3;
    sample s = draw_sample(30, 4);
    dlp_bugs *bugs = read_sample(mixed, &s);
    stage *st = set_stage(bugs, 1);
    dlpi_work_set_psi(&st->work, &psi, false);
    (void)f_at(st, b0, b1);
    for (dlp_index l = 0; l < st->plan.L; l += 7) {
        static dlpi_quantiles q;
        double below = 0, all = 0;
        int k = 0;
        dlpi_quantiles_of(&st->work, l, &q);
        for (double u = -20; u < 20; u += apart)
            all += exp(log_density(&s, l, b0, b1, sd, u));
        for (double u = -20; u < 20 && k < q.n; u += apart) {
            for (; k < q.n && q.value[k] <= u; k++)
                assert_near(q.below[k], below / all, 1e-3);
            below += exp(log_density(&s, l, b0, b1, sd, u));
        }
        assert_true(k > 40);
    }
    strike(st);
    dlp_bugs_free(bugs);
    free(s.g);
}

/* ---- threads ---- */

static void lanes_do_not_matter(void **state)
{
    (void)state;
    const double psi = -2;
    double f[3], g[3][2], H[3];
    sample s = draw_sample(3000, 4);
    dlp_bugs *bugs = read_sample(mixed, &s);
    for (int k = 0; k < 3; k++) {
        stage *st = set_stage(bugs, 1 + 2 * k);
        dlpi_work_set_psi(&st->work, &psi, false);
        f[k] = f_at(st, -0.4, 0.6);
        memcpy(g[k], st->work.gradient, sizeof g[k]);
        H[k] = dlp_sym_entry(&st->work.H, 0, 1);
        strike(st);
    }
    for (int k = 1; k < 3; k++) {
        assert_memory_equal(&f[k], &f[0], sizeof f[0]);
        assert_memory_equal(g[k], g[0], sizeof g[0]);
        assert_memory_equal(&H[k], &H[0], sizeof H[0]);
    }
    dlp_bugs_free(bugs);
    free(s.g);
}

/* Where many unknowns are, only what is asked for is drawn; threads still do not matter. */
static void many_unknowns(void **state)
{
    (void)state;
    static const char *const nodes[] = {"sigma", "u[17]"};
    dlp_margin of[2][2];
    sample s = draw_sample(600, 3);
    dlp_bugs *bugs = read_sample(mixed, &s);
    dlp_bugs_settings settings = dlp_bugs_settings_default();
    settings.monitor = nodes;
    settings.n_monitors = 2;
    settings.draws = 60000;
    for (int t = 0; t < 2; t++) {
        settings.threads = t + 1;
        assert_ok(dlp_bugs_fit(bugs, &settings, error));
        const dlp_bugs_result *r = dlp_bugs_result_of(bugs);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        assert_int_equal(r->n_draws, 60000);
        assert_int_equal(r->n_nodes, 2);
        for (int i = 0; i < 2; i++) of[t][i] = r->node[i].margin;
    }
    assert_memory_equal(of[0], of[1], sizeof of[0]);
    assert_near(of[0][0].mean, 1.2, 0.25);
    assert_true(of[0][1].sd > 0.5);
    dlp_bugs_free(bugs);
    free(s.g);
}

/* ---- a model that is several ---- */

static const dlp_margin *node_of(const dlp_bugs_result *r, const char *name)
{
    for (dlp_index i = 0; i < r->n_nodes; i++)
        if (!strcmp(r->node[i].name, name)) return &r->node[i].margin;
    print_error("no node '%s'\n", name);
    fail();
    return NULL;
}

/* Six times the same model: six scales, of which no two belong together. */
static void several_models_in_one(void **state)
{
    (void)state;
    static const char *const one =
        "model { for (i in 1:6) { y[i] ~ dnorm(th[i], 1)\n th[i] ~ dnorm(mu, tau) }\n"
        "mu ~ dnorm(0, 0.01)\n tau ~ dgamma(1, 1) }";
    static const char *const six =
        "model { for (k in 1:6) { mu[k] ~ dnorm(0, 0.01)\n tau[k] ~ dgamma(1, 1)\n"
        "for (i in 1:6) { w[k, i] ~ dnorm(th[k, i], 1)\n"
        "th[k, i] ~ dnorm(mu[k], tau[k]) } }\n"
        "d <- mu[1] - mu[2]\n s <- tau[1] + tau[2] }";
    static const char *const data = "y <- c(1.2, 0.3, 2.2, 1.9, 0.4, 5.1)";
    static const char *const value[] = {"1.2", "0.3", "2.2", "1.9", "0.4", "5.1"};
    char wide[2048] = "w <- structure(c(";
    size_t at = strlen(wide);
    for (int i = 0; i < 36; i++)
        at += (size_t)snprintf(wide + at, sizeof wide - at, "%s%s", i ? "," : "",
                               value[i / 6]);
    snprintf(wide + at, sizeof wide - at, "), .Dim = c(6, 6))");
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *a = NULL, *b = NULL;
    input.model_text = one;
    input.data_text = data;
    input.data_name = "data.R";
    assert_ok(dlp_bugs_read(&input, &a, error));
    input.model_text = six;
    input.data_text = wide;
    assert_ok(dlp_bugs_read(&input, &b, error));
    assert_ok(dlp_bugs_fit(a, NULL, error));
    assert_ok(dlp_bugs_fit(b, NULL, error));
    const dlp_bugs_result *ra = dlp_bugs_result_of(a), *rb = dlp_bugs_result_of(b);
    assert_int_equal(rb->n_points, 6 * ra->n_points);
    assert_false(rb->doubt_design);
    assert_near(rb->log_evidence, 6 * ra->log_evidence, 1e-3);
    const dlp_margin *mu = node_of(ra, "mu"), *tau = node_of(ra, "tau");
    const dlp_margin *d = node_of(rb, "d"), *s = node_of(rb, "s");
    for (int k = 1; k <= 6; k++) {
        char name[16];
        snprintf(name, sizeof name, "mu[%d]", k);
        assert_near(node_of(rb, name)->mean, mu->mean, 5e-3 * mu->sd);
        assert_near(node_of(rb, name)->sd, mu->sd, 5e-3 * mu->sd);
        snprintf(name, sizeof name, "tau[%d]", k);
        assert_near(node_of(rb, name)->mean, tau->mean, 0.02 * tau->sd);
        assert_near(node_of(rb, name)->upper, tau->upper, 0.02 * tau->sd);
    }
    /* parts are drawn apart */
    assert_near(d->mean, 0, 0.05 * mu->sd);
    assert_near(d->sd, sqrt(2) * mu->sd, 0.08 * mu->sd);
    assert_near(s->mean, 2 * tau->mean, 0.05 * tau->sd);
    assert_near(s->sd, sqrt(2) * tau->sd, 0.08 * tau->sd);
    dlp_bugs_free(a);
    dlp_bugs_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integrals_are_right),   cmocka_unit_test(derivatives_are_right),
        cmocka_unit_test(moments_are_right),     cmocka_unit_test(quantiles_are_right),
        cmocka_unit_test(lanes_do_not_matter),   cmocka_unit_test(many_unknowns),
        cmocka_unit_test(several_models_in_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

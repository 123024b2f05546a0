/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts in many groups whose rates differ, with a hyperparameter that is learned:
 *
 *   tau ~ Gamma(1, 0.1),  b ~ N(0, 5^2),  u_g ~ N(0, 1/tau),  y_g ~ Poisson(T exp(b + u_g)).
 *
 * theta = (b, u) is what the engine approximates; the data depend on it directly. z = tau
 * is conjugate given theta. The Hessian is an arrow, stored as a diagonal plus low rank, so
 * that a fit takes O(G) time and memory. A second argument is the time after which it stops.
 *
 *   random_intercepts [GROUPS [SECONDS]]
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double T = 10, PRIOR_SHAPE = 1, PRIOR_RATE = 0.1, B_SD = 5;

typedef struct counts {
    dlp_index G;
    double *y, *rate_at;     /* (G), and room for T exp(b + u_g) */
    double *variance;        /* (G + 1) room for a diagonal */
    double shape, rate;      /* q(z) = Gamma(shape, rate) */
    double e_tau, e_log_tau; /* its statistics, E[t(z)] */
} counts;

/* H is an arrow: a first row and column, and a diagonal. With e_0 = (1, 0, ..., 0) and
   w = (0, the rest of the first row) it is diag(d) + e_0 w' + w e_0': rank 2. */
static void fill_arrow(const counts *c, const double *rate, double b_precision,
                       dlp_sym *hess)
{
    double *d = dlp_sym_diag(hess), *C = dlp_sym_core(hess);
    double *e_0 = dlp_sym_low_rank(hess), *w = e_0 + c->G + 1;
    C[0] = C[3] = 0;
    C[1] = C[2] = 1;
    d[0] = -b_precision;
    e_0[0] = 1;
    w[0] = 0;
    for (dlp_index g = 0; g < c->G; g++) {
        d[0] -= rate[g];
        d[1 + g] = -rate[g] - c->e_tau;
        e_0[1 + g] = 0;
        w[1 + g] = -rate[g];
    }
}

/* f(theta) = log p(y | b, u) + log p(b) + E[log p(u | tau)] */
static double f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const counts *c = m;
    const double log_2_pi = 1.8378770664093454836, precision = 1 / (B_SD * B_SD);
    const double b = theta[0], *u = theta + 1;
    double value = -0.5 * (b * b * precision - log(precision) + log_2_pi);
    value += 0.5 * (double)c->G * (c->e_log_tau - log_2_pi);
    if (grad) grad[0] = -b * precision;
    /* Poisson's mean is minus its curvature, too */
    for (dlp_index g = 0; g < c->G; g++) {
        const double rate = c->rate_at[g] = T * exp(b + u[g]);
        value += c->y[g] * log(rate) - rate - dlp_lgamma(c->y[g] + 1);
        value -= 0.5 * c->e_tau * u[g] * u[g];
        if (!grad) continue;
        grad[1 + g] = c->y[g] - rate - c->e_tau * u[g];
        grad[0] += c->y[g] - rate;
    }
    if (hess) fill_arrow(c, c->rate_at, precision, hess);
    return value;
}

/* Tr{H Sigma} = -sum_g rate_g v_g + constants, v_g the variance of b + u_g. */
static void trace_grad(void *m, const double *theta, const dlp_sym *Sigma, double *grad)
{
    const counts *c = m;
    double *variance = c->variance;
    dlp_sym_get_diagonal(Sigma, variance);
    grad[0] = 0;
    for (dlp_index g = 1; g <= c->G; g++) {
        const double v = variance[0] + 2 * dlp_sym_entry(Sigma, 0, g) + variance[g];
        grad[g] = -T * exp(theta[0] + theta[g]) * v;
        grad[0] += grad[g];
    }
}

/* ---- z = tau: q(tau) = Gamma(1 + G/2, 0.1 + E[eta]), eta(theta) = sum_g u_g^2 / 2 ---- */

static void expect_stats(void *m)
{
    counts *c = m;
    c->e_tau = c->shape / c->rate;
    c->e_log_tau = dlp_digamma(c->shape) - log(c->rate);
}

static void expect_eta(void *m, const double *mu, const dlp_sym *Sigma, double *e_eta)
{
    const counts *c = m;
    dlp_sym_get_diagonal(Sigma, c->variance);
    e_eta[0] = 0;
    for (dlp_index g = 1; g <= c->G; g++)
        e_eta[0] += 0.5 * (mu[g] * mu[g] + c->variance[g]);
}

static void update_z(void *m, const double *e_eta)
{
    counts *c = m;
    c->shape = PRIOR_SHAPE + 0.5 * (double)c->G;
    c->rate = PRIOR_RATE + e_eta[0];
}

/* E[log p(tau)] - E[log q(tau)] */
static double objective_z(void *m)
{
    const counts *c = m;
    const double prior = PRIOR_SHAPE * log(PRIOR_RATE) - dlp_lgamma(PRIOR_SHAPE);
    const double q = c->shape * log(c->rate) - dlp_lgamma(c->shape);
    return prior - q + (PRIOR_SHAPE - c->shape) * c->e_log_tau -
           (PRIOR_RATE - c->rate) * c->e_tau;
}

/* ---- the program ---- */

static dlp_status simulate(dlp_index G, counts *c, dlp_error *error)
{
    dlp_rng rng = dlp_rng_at(1, 0);
    *c = (counts){.G = G, .shape = 1, .rate = 1, .e_tau = 1};
    c->y = calloc((size_t)G, sizeof *c->y);
    c->rate_at = calloc((size_t)G, sizeof *c->rate_at);
    c->variance = calloc((size_t)G + 1, sizeof *c->variance);
    if (!c->y || !c->rate_at || !c->variance)
        return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    for (dlp_index g = 0; g < G; g++) { /* arrivals within T, at a rate of exp(b + u) */
        const double rate = exp(0.5 + 0.6 * dlp_draw_normal(&rng));
        for (double t = 0; (t -= log(dlp_draw_uniform(&rng)) / rate) < T;) c->y[g]++;
    }
    return DLP_OK;
}

/* Called after each iteration, and before each evaluation of f, polled. */
static int is_late(void *context, const dlp_progress *progress)
{
    const time_t *end = context;
    if (!progress->polled && progress->iteration == 1)
        printf("%s, after 1 of at most %d %s\n", progress->phase, progress->max_iter,
               progress->unit);
    return time(NULL) > *end;
}

static dlp_status check(const dlp_model *model, dlp_error *error)
{
    dlp_check check;
    char text[256];
    const dlp_status status = dlp_check_derivatives(model, 3, NULL, 1, &check, error);
    if (status != DLP_OK) return status;
    dlp_check_describe(&check, text, sizeof text);
    if (check.error < 1e-7) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "the derivatives are wrong: %s", text);
}

static void print(dlp_fit *fit, const counts *c)
{
    const dlp_result *r = dlp_fit_result(fit);
    if (!r->valid) {
        printf("%s: no estimate\n", dlp_outcome_name(r->outcome));
        return;
    }
    printf("%s: b %.4f (sd %.4f), sd of the groups %.4f\n", dlp_outcome_name(r->outcome),
           r->mu[0], sqrt(dlp_sym_entry(r->Sigma, 0, 0)), sqrt(c->rate / c->shape));
    printf("%d iterations, %ld evaluations of f, objective %.4f\n", r->iterations,
           r->evaluations, r->objective);
}

int main(int argc, char **argv)
{
    const dlp_index G = argc > 1 ? (dlp_index)strtol(argv[1], NULL, 10) : 50;
    time_t end = time(NULL) + (argc > 2 ? (time_t)strtol(argv[2], NULL, 10) : 3600);
    const dlp_model_type type = {.size = sizeof type,
                                 .name = "random-intercepts",
                                 .f = f,
                                 .derivatives = 2,
                                 .trace_grad = trace_grad,
                                 .expect_stats = expect_stats,
                                 .expect_eta = expect_eta,
                                 .update_z = update_z,
                                 .objective_z = objective_z};
    counts c = {0};
    dlp_fit *fit = NULL;
    dlp_error error = {0};
    const dlp_model model = {
        .type = &type, .state = &c, .shape = dlp_shape_low_rank(G + 1, 2), .n_eta = 1};
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    settings.progress = is_late;
    settings.context = &end;
    dlp_status status = simulate(G, &c, &error);
    if (status == DLP_OK && G <= 100) status = check(&model, &error);
    if (status == DLP_OK) status = dlp_fit_alloc(&model, &settings, &fit, &error);
    if (status == DLP_OK) status = dlp_fit_run(fit, NULL, &error);
    if (status == DLP_OK) print(fit, &c);
    if (status != DLP_OK) fprintf(stderr, "random_intercepts: %s\n", error.message);
    dlp_fit_free(fit);
    free(c.variance);
    free(c.rate_at);
    free(c.y);
    return status == DLP_OK ? 0 : 1;
}

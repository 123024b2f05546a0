/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A state space model: an autoregression that is not observed, and observations of it,
 *
 *   x_t ~ N(rho x_{t-1}, s^2),   y_t ~ N(0, exp(m + x_t))   (stochastic volatility)
 *                           or   y_t ~ N(x_t, r^2)          (linear).
 *
 * The Hessian has a diagonal and the entries beside it: a band of width 1, so that a fit
 * takes O(T) time and memory. It is compared with exact answers: the linear one with a
 * Kalman filter, the other one with a filter and smoother on a fine grid of x.
 *
 *   state_space [T [linear]]
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double RHO = 0.95, S = 0.2, M = -0.5, R = 0.5;
static const double LOG_2_PI = 1.8378770664093454836;

typedef struct series {
    dlp_index T;
    int linear;
    double *y; /* (T) */
} series;

/* log p(y | x) with three derivatives */
typedef struct seen {
    double log_p, d1, d2, d3;
} seen;

static seen observe(const series *c, double y, double x)
{
    if (c->linear) {
        const double r = (y - x) / R;
        return (seen){-0.5 * (LOG_2_PI + r * r) - log(R), r / R, -1 / (R * R), 0};
    }
    const double w = y * y * exp(-M - x);
    return (seen){-0.5 * (LOG_2_PI + M + x + w), 0.5 * (w - 1), -0.5 * w, 0.5 * w};
}

/* f(x) = log p(y | x) + log p(x), with x_1 from the stationary distribution */
static double f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const series *c = m;
    const double p = 1 / (S * S);
    double value = 0.5 * log(1 - RHO * RHO) - (double)c->T * (log(S) + 0.5 * LOG_2_PI);
    for (dlp_index t = 0; t < c->T; t++) {
        const seen at = observe(c, c->y[t], x[t]);
        const double before = t > 0 ? x[t - 1] : 0, after = t + 1 < c->T ? x[t + 1] : 0;
        const double step = t > 0 ? x[t] - RHO * before : sqrt(1 - RHO * RHO) * x[t];
        const double own = t > 0 && t + 1 < c->T ? 1 + RHO * RHO : 1;
        value += at.log_p - 0.5 * p * step * step;
        if (grad) grad[t] = at.d1 - p * (own * x[t] - RHO * (before + after));
        if (!hess) continue;
        hess->a[2 * t] = at.d2 - p * own; /* (t, t), */
        hess->a[2 * t + 1] = p * RHO;     /* (t, t+1) */
    }
    return value;
}

/* Tr{H Sigma} changes with x_t by H_tt alone */
static void trace_grad(void *m, const double *x, const dlp_sym *Sigma, double *grad)
{
    const series *c = m;
    for (dlp_index t = 0; t < c->T; t++)
        grad[t] = observe(c, c->y[t], x[t]).d3 * dlp_sym_entry(Sigma, t, t);
}

static const dlp_model_type type = {.size = sizeof type,
                                    .name = "state-space",
                                    .f = f,
                                    .derivatives = 2,
                                    .trace_grad = trace_grad};

/* ---- other ways to the same answer ---- */

/* log p(y) of the linear model */
static double kalman(const series *c)
{
    double mean = 0, variance = S * S / (1 - RHO * RHO), sum = 0;
    for (dlp_index t = 0; t < c->T; t++) {
        const double off = c->y[t] - mean, total = variance + R * R;
        sum -= 0.5 * (LOG_2_PI + log(total) + off * off / total);
        mean = RHO * (mean + variance / total * off);
        variance = RHO * RHO * variance * R * R / total + S * S;
    }
    return sum;
}

enum { GRID = 241 };
static double grid_x(int k)
{
    return 6 * S / sqrt(1 - RHO * RHO) * (2.0 * k / (GRID - 1) - 1);
}

/* next = step' now, or back: step now; step (GRID, GRID) holds p(x' | x) dx */
static void carry(const double *step, int back, const double *now, double *next)
{
    memset(next, 0, GRID * sizeof *next);
    for (int i = 0; i < GRID; i++)
        for (int j = 0; j < GRID; j++)
            next[back ? i : j] += step[i * GRID + j] * now[back ? j : i];
}

/* p *= likelihood of y_t; returns the sum, by which p is then divided */
static double weigh(const series *c, dlp_index t, double *p)
{
    double sum = 0;
    for (int k = 0; k < GRID; k++)
        sum += p[k] *= exp(observe(c, c->y[t], grid_x(k)).log_p);
    for (int k = 0; k < GRID; k++) p[k] /= sum;
    return sum;
}

/* log p(y), and the exact means and sds (T) of x: forward, then backward. */
static double smooth(const series *c, double *step, double *p, double *mean, double *sd)
{
    const double dx = grid_x(1) - grid_x(0), settled = 1 - RHO * RHO;
    double log_p = 0, next[GRID], back[GRID];
    for (int i = 0; i < GRID * GRID; i++) {
        const double r = (grid_x(i % GRID) - RHO * grid_x(i / GRID)) / S;
        step[i] = dx / S * exp(-0.5 * (r * r + LOG_2_PI));
    }
    for (int k = 0; k < GRID; k++) {
        const double r = grid_x(k) * sqrt(settled) / S;
        p[k] = dx * sqrt(settled) / S * exp(-0.5 * (r * r + LOG_2_PI));
        back[k] = 1;
    }
    for (dlp_index t = 0; t < c->T; t++) {
        if (t > 0) carry(step, 0, p + (t - 1) * GRID, p + t * GRID);
        log_p += log(weigh(c, t, p + t * GRID));
    }
    for (dlp_index t = c->T - 1; t >= 0; t--) {
        double sum = 0, first = 0, second = 0;
        for (int k = 0; k < GRID; k++) {
            const double both = p[t * GRID + k] * back[k], x = grid_x(k);
            sum += both;
            first += both * x;
            second += both * x * x;
        }
        mean[t] = first / sum;
        sd[t] = sqrt(second / sum - mean[t] * mean[t]);
        weigh(c, t, back);
        carry(step, 1, back, next);
        memcpy(back, next, sizeof back);
    }
    return log_p;
}

/* ---- the program ---- */

static void simulate(series *c)
{
    dlp_rng rng = dlp_rng_at(1, 0);
    double x = S / sqrt(1 - RHO * RHO) * dlp_draw_normal(&rng);
    for (dlp_index t = 0; t < c->T; t++) {
        c->y[t] = c->linear ? x + R * dlp_draw_normal(&rng)
                            : exp(0.5 * (M + x)) * dlp_draw_normal(&rng);
        x = RHO * x + S * dlp_draw_normal(&rng);
    }
}

static dlp_status check(const dlp_model *model, dlp_error *error)
{
    dlp_check check;
    char text[256];
    const dlp_status status = dlp_check_derivatives(model, 2, NULL, 1, &check, error);
    if (status != DLP_OK) return status;
    dlp_check_describe(&check, text, sizeof text);
    if (check.error < 1e-7) return DLP_OK;
    return dlp_fail(error, DLP_EINVAL, "the derivatives are wrong: %s", text);
}

/* How far the fit is from the exact answer, in its own sds. */
static dlp_status compare(const series *c, const dlp_fit *fit, dlp_error *error)
{
    const dlp_result *r = dlp_fit_result(fit);
    const size_t T = (size_t)c->T;
    double *room = calloc((T + GRID) * GRID + 3 * T, sizeof *room);
    if (!room) return dlp_fail(error, DLP_ENOMEM, "not enough memory");
    double *p = room + (size_t)GRID * GRID, *mean = p + T * GRID, *exact = mean + T,
           *sd = exact + T;
    const double log_p = smooth(c, room, p, mean, exact);
    double off = 0, ratio = 0;
    dlp_fit_sd(fit, sd);
    for (size_t t = 0; t < T; t++) {
        off = fmax(off, fabs(r->mu[t] - mean[t]) / exact[t]);
        ratio = fmax(ratio, fabs(log(sd[t] / exact[t])));
    }
    printf("exactly %.3f; means are off by %.3f sd or less, sds by %.1f %%\n", log_p, off,
           100 * ratio);
    free(room);
    return DLP_OK;
}

static dlp_status run(const series *c, const char *method, dlp_error *error)
{
    const dlp_model model = {
        .type = &type, .state = (void *)c, .shape = dlp_shape_band(c->T, 1)};
    dlp_fit *fit = NULL;
    dlp_settings settings = dlp_settings_default();
    settings.method = method;
    dlp_status status = c->T <= 50 ? check(&model, error) : DLP_OK;
    const clock_t begin = clock();
    if (status == DLP_OK) status = dlp_fit_alloc(&model, &settings, &fit, error);
    if (status == DLP_OK) status = dlp_fit_run(fit, NULL, error);
    const double ms = 1e3 * (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (status == DLP_OK) {
        const dlp_result *r = dlp_fit_result(fit);
        printf("%s: %s after %ld evaluations and %.1f ms, log p(y) %.6f\n", method,
               dlp_outcome_name(r->outcome), r->evaluations, ms, r->objective);
        if (c->T <= 1000) status = compare(c, fit, error);
    }
    dlp_fit_free(fit);
    return status;
}

int main(int argc, char **argv)
{
    series c = {.T = argc > 1 ? (dlp_index)strtol(argv[1], NULL, 10) : 5000};
    dlp_error error = {0};
    if (c.T < 2 || !(c.y = calloc((size_t)c.T, sizeof *c.y))) {
        fprintf(stderr, "state_space: T must be 2 or more, and fit into memory\n");
        return 1;
    }
    c.linear = argc > 2 && strcmp(argv[2], "linear") == 0;
    simulate(&c);
    if (c.linear) printf("by a Kalman filter log p(y) is %.6f\n", kalman(&c));
    dlp_status status = run(&c, "laplace", &error);
    if (status == DLP_OK && !c.linear) status = run(&c, "delta", &error);
    if (status != DLP_OK) fprintf(stderr, "state_space: %s\n", error.message);
    free(c.y);
    return status == DLP_OK ? 0 : 1;
}

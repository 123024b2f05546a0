/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A Gaussian process seen through counts, or with normal noise,
 *
 *   x ~ N(0, K),   K(s, t) = (1 + d) exp(-d),  d = sqrt(3) |s - t| / length   (Matern 3/2),
 *   y_i ~ Poisson(exp(1 + x(t_i)))   or   y_i ~ N(x(t_i), r^2).
 *
 * Every point depends on every other one: the Hessian is dense, diag - K^-1. With normal
 * noise the answer is known, log p(y) = log N(y; 0, K + r^2 I) and E[x] = K (K + r^2 I)^-1 y,
 * and must come out.
 *
 *   gaussian_process [normal]
 */
#include <delaplace.h>
#include <delaplace/random.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40 };
static const double LENGTH = 0.3, R = 0.4, MEAN = 1;
static const double LOG_2_PI = 1.8378770664093454836;

typedef struct process {
    int normal;
    double t[N], y[N];
    double log_det;   /* of K */
    dlp_sym K, K_inv; /* (N, N) */
} process;

static double f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const process *c = m;
    double Kx[N], value = -0.5 * (c->log_det + N * LOG_2_PI);
    dlp_sym_multiply(&c->K_inv, x, Kx); /* K^-1 x */
    if (hess) {
        dlp_sym_copy(&c->K_inv, hess);
        dlp_sym_negate(hess);
    }
    for (int i = 0; i < N; i++) {
        const double rate = exp(MEAN + x[i]), r = (c->y[i] - x[i]) / R;
        value -= 0.5 * x[i] * Kx[i];
        value += c->normal ? -0.5 * (LOG_2_PI + r * r) - log(R)
                           : c->y[i] * (MEAN + x[i]) - rate - dlp_lgamma(c->y[i] + 1);
        if (grad) grad[i] = (c->normal ? r / R : c->y[i] - rate) - Kx[i];
        if (hess) dlp_sym_block(hess, 0)[i * N + i] -= c->normal ? 1 / (R * R) : rate;
    }
    return value;
}

static void trace_grad(void *m, const double *x, const dlp_sym *Sigma, double *grad)
{
    const process *c = m;
    for (int i = 0; i < N; i++)
        grad[i] = c->normal ? 0 : -exp(MEAN + x[i]) * dlp_sym_entry(Sigma, i, i);
}

static const dlp_model_type type = {.size = sizeof type,
                                    .name = "gaussian-process",
                                    .f = f,
                                    .derivatives = 2,
                                    .trace_grad = trace_grad};

/* K with its inverse and determinant, and data drawn with it. */
static dlp_status make(process *c, dlp_error *error)
{
    dlp_rng rng = dlp_rng_at(1, 0);
    dlp_cholesky *F = NULL;
    dlp_status status = dlp_sym_alloc(dlp_shape_dense(N), &c->K, error);
    if (status == DLP_OK) status = dlp_sym_alloc(c->K.shape, &c->K_inv, error);
    if (status == DLP_OK) status = dlp_cholesky_alloc(c->K.shape, &F, error);
    if (status != DLP_OK) return status;
    for (int i = 0; i < N; i++) c->t[i] = (i + 0.5 * dlp_draw_uniform(&rng)) / N;
    for (int i = 0; i < N * N; i++) {
        const double d = sqrt(3) * fabs(c->t[i / N] - c->t[i % N]) / LENGTH;
        dlp_sym_block(&c->K, 0)[i] = (1 + d) * exp(-d);
    }
    if (dlp_cholesky_compute(F, &c->K) >= 0) {
        dlp_cholesky_free(F);
        return dlp_fail(error, DLP_EINVAL, "K is not positive definite");
    }
    dlp_cholesky_inverse(F, &c->K_inv);
    c->log_det = dlp_cholesky_log_det(F);
    for (int i = 0; i < N; i++) c->y[i] = dlp_draw_normal(&rng);
    dlp_cholesky_multiply_root(F, c->y); /* x ~ N(0, K) */
    for (int i = 0; i < N; i++) {
        double count = -1;
        if (c->normal) {
            c->y[i] += R * dlp_draw_normal(&rng);
            continue;
        }
        for (double s = 0; s < 1; count++)
            s -= log(dlp_draw_uniform(&rng)) / exp(MEAN + c->y[i]);
        c->y[i] = count;
    }
    dlp_cholesky_free(F);
    return DLP_OK;
}

/* log N(y; 0, K + r^2 I), and E[x] into mean (N). */
static double closed_form(const process *c, double *mean, dlp_error *error)
{
    dlp_sym A = {0};
    dlp_cholesky *F = NULL;
    double noise[N], solved[N], value = NAN;
    for (int i = 0; i < N; i++) {
        noise[i] = R * R;
        solved[i] = c->y[i];
    }
    if (dlp_sym_alloc(c->K.shape, &A, error) == DLP_OK &&
        dlp_cholesky_alloc(c->K.shape, &F, error) == DLP_OK) {
        dlp_sym_copy(&c->K, &A);
        dlp_sym_add_diagonal(&A, noise);
        dlp_cholesky_compute(F, &A);
        dlp_cholesky_solve(F, solved);
        dlp_sym_multiply(&c->K, solved, mean);
        value = -0.5 * (N * LOG_2_PI + dlp_cholesky_log_det(F));
        for (int i = 0; i < N; i++) value -= 0.5 * c->y[i] * solved[i];
    }
    dlp_cholesky_free(F);
    dlp_sym_free(&A);
    return value;
}

static void print(const process *c, const dlp_fit *fit, dlp_error *error)
{
    const dlp_result *r = dlp_fit_result(fit);
    printf("%s: %s, log p(y) %.6f\n", c->normal ? "normal" : "counts",
           dlp_outcome_name(r->outcome), r->objective);
    for (int i = 4; i < N; i += 10)
        printf("t %.3f: y %5.2f, x %7.4f (%.4f)\n", c->t[i], c->y[i], r->mu[i],
               sqrt(dlp_sym_entry(r->Sigma, i, i)));
    if (!c->normal) return;
    double mean[N] = {0}, off = 0;
    const double exact = closed_form(c, mean, error);
    for (int i = 0; i < N; i++) off = fmax(off, fabs(mean[i] - r->mu[i]));
    printf("in closed form %.6f; the means differ by %.0e\n", exact, off);
}

int main(int argc, char **argv)
{
    process c = {.normal = argc > 1 && strcmp(argv[1], "normal") == 0};
    const dlp_model model = {.type = &type, .state = &c, .shape = dlp_shape_dense(N)};
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    dlp_fit *fit = NULL;
    dlp_error error = {0};
    dlp_check check;
    dlp_status status = make(&c, &error);
    if (status == DLP_OK)
        status = dlp_check_derivatives(&model, 2, NULL, 1, &check, &error);
    if (status == DLP_OK && !(check.error < 1e-6))
        status = dlp_fail(&error, DLP_EINVAL, "the derivatives are wrong");
    if (status == DLP_OK) status = dlp_fit_alloc(&model, &settings, &fit, &error);
    if (status == DLP_OK) status = dlp_fit_run(fit, NULL, &error);
    if (status == DLP_OK) print(&c, fit, &error);
    if (status != DLP_OK) fprintf(stderr, "gaussian_process: %s\n", error.message);
    dlp_fit_free(fit);
    dlp_sym_free(&c.K);
    dlp_sym_free(&c.K_inv);
    return status == DLP_OK ? 0 : 1;
}

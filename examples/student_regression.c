/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Your own model: a robust regression, y_i = x_i'theta + 0.5 t_4, with theta_j ~ t_4. Student-t
 * errors shrug off outliers, the Student-t prior lets large coefficients be large; neither is
 * conjugate. The model gives f, its gradient and its Hessian; the engine does the rest.
 */
#include <delaplace.h>
#include <math.h>
#include <stdio.h>

enum { N = 20, P = 2 };
typedef struct regression {
    double x[N][P], y[N];
} regression;

/* log t_4(r) up to its constant, and its derivatives by r */
static double student(double r, double *d1, double *d2)
{
    const double nu = 4, s = nu + r * r;
    *d1 = -(nu + 1) * r / s;
    *d2 = -(nu + 1) * (nu - r * r) / (s * s);
    return -0.5 * (nu + 1) * log1p(r * r / nu);
}

/* f(theta) = sum_i log t((y_i - x_i'theta)/scale) + sum_j log t(theta_j) */
static double f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const regression *data = m;
    const double scale = 0.5;
    double value = 0, d1, d2, g[P] = {0}, H[P][P] = {{0}};
    for (int i = 0; i < N; i++) {
        const double *x = data->x[i], r = data->y[i] - x[0] * theta[0] - x[1] * theta[1];
        value += student(r / scale, &d1, &d2) - log(scale);
        for (int j = 0; j < P; j++) {
            g[j] -= d1 * x[j] / scale;
            for (int k = 0; k < P; k++) H[j][k] += d2 * x[j] * x[k] / (scale * scale);
        }
    }
    for (int j = 0; j < P; j++) {
        value += student(theta[j], &d1, &d2);
        if (grad) grad[j] = g[j] + d1;
        H[j][j] += d2;
        for (int k = 0; hess && k < P; k++) dlp_sym_block(hess, 0)[j * P + k] = H[j][k];
    }
    return value;
}

int main(void)
{
    regression data;
    for (int i = 0; i < N; i++) { /* y = 1 + 2 x, and three wild points */
        data.x[i][0] = 1;
        data.x[i][1] = -1 + 2.0 * i / (N - 1);
        data.y[i] = 1 + 2 * data.x[i][1] + 0.3 * sin(7.0 * i) + (i % 7 == 3 ? 12 : 0);
    }
    const dlp_model_type type = {
        .size = sizeof type, .name = "student-regression", .f = f, .derivatives = 2};
    const dlp_model model = {.type = &type, .state = &data, .shape = dlp_shape_dense(P)};
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    dlp_error error = {0};
    dlp_check check;
    dlp_fit *fit = NULL;
    const int failed =
        dlp_check_derivatives(&model, 10, NULL, 1, &check, &error) != DLP_OK ||
        dlp_fit_alloc(&model, &settings, &fit, &error) != DLP_OK ||
        dlp_fit_run(fit, NULL, &error) != DLP_OK;
    if (failed) {
        fprintf(stderr, "student_regression: %s\n", error.message);
    } else {
        const dlp_result *r = dlp_fit_result(fit);
        double sd[P];
        char worst[200];
        dlp_fit_sd(fit, sd);
        dlp_check_describe(&check, worst, sizeof worst);
        if (check.error < 1e-7)
            printf("derivatives agree with differences\n");
        else
            printf("derivatives ARE WRONG: %s\n", worst);
        printf("%s: intercept %.3f (sd %.3f), slope %.3f (sd %.3f)\n",
               dlp_outcome_name(r->outcome), r->mu[0], sd[0], r->mu[1], sd[1]);
    }
    dlp_fit_free(fit);
    return failed;
}

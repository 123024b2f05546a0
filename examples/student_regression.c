/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Your own model, in about sixty lines: a robust regression. Student-t errors shrug off
 * outliers, and a Student-t prior on the coefficients lets large ones be large:
 *
 *     y_i = x_i'theta + scale * t_4,    theta_j ~ t_4(0, 1)
 *
 * Neither is conjugate, and f is not concave everywhere. Section 2.2 of the paper names
 * this prior; here the model offers f, its gradient and its Hessian, and the engine does
 * the rest (the delta method's third derivatives come by differences).
 */
#include <delaplace.h>
#include <math.h>
#include <stdio.h>

enum { N = 20, P = 2 };
static const double NU = 4, SCALE = 0.5;

/* log t_nu(r) up to its constant, and its derivatives by r */
static double student(double r, double *d1, double *d2)
{
    const double s = NU + r * r;
    *d1 = -(NU + 1) * r / s;
    *d2 = -(NU + 1) * (NU - r * r) / (s * s);
    return -0.5 * (NU + 1) * log1p(r * r / NU);
}

typedef struct regression {
    double x[N][P], y[N];
} regression;

/* f(theta) = sum_i log t((y_i - x_i'theta)/scale) + sum_j log t(theta_j) */
static double f(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const regression *data = m;
    double value = 0, d1, d2, g[P] = {0}, H[P * P] = {0};
    for (int i = 0; i < N; i++) {
        double r = data->y[i];
        for (int j = 0; j < P; j++) r -= data->x[i][j] * theta[j];
        value += student(r / SCALE, &d1, &d2) - log(SCALE);
        for (int j = 0; j < P; j++) {
            g[j] -= d1 * data->x[i][j] / SCALE;
            for (int k = 0; k < P; k++)
                H[j * P + k] += d2 * data->x[i][j] * data->x[i][k] / (SCALE * SCALE);
        }
    }
    for (int j = 0; j < P; j++) {
        value += student(theta[j], &d1, &d2);
        g[j] += d1;
        H[j * P + j] += d2;
    }
    for (int j = 0; grad && j < P; j++) grad[j] = g[j];
    for (int k = 0; hess && k < P * P; k++) dlp_sym_block(hess, 0)[k] = H[k];
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
    const dlp_model_type type = {.name = "student-regression", .f = f, .derivatives = 2};
    const dlp_model model = {.type = &type, .state = &data, .shape = dlp_shape_dense(P)};
    dlp_error error = {""};
    dlp_check check;
    if (dlp_check_derivatives(&model, 10, NULL, 1, &check, &error) != DLP_OK) goto failed;
    printf("derivatives %s\n",
           check.error < 1e-7 ? "agree with differences" : "ARE WRONG");

    for (int k = 0; k < 2; k++) {
        dlp_settings settings = dlp_settings_default();
        settings.method = dlp_method_name(k);
        dlp_fit *fit = NULL;
        if (dlp_fit_alloc(&model, &settings, &fit, &error) != DLP_OK ||
            dlp_fit_run(fit, NULL, &error) != DLP_OK) {
            dlp_fit_free(fit);
            goto failed;
        }
        const dlp_result *r = dlp_fit_result(fit);
        double sd[P];
        dlp_fit_sd(fit, sd);
        printf("%-8s %s: intercept %.3f (sd %.3f), slope %.3f (sd %.3f)\n",
               settings.method, dlp_outcome_name(r->outcome), r->mu[0], sd[0], r->mu[1],
               sd[1]);
        dlp_fit_free(fit);
    }
    return 0;
failed:
    fprintf(stderr, "student_regression: %s\n", error.message);
    return 1;
}

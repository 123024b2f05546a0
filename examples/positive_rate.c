/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A positive parameter by a log transform: failures of a pump, y ~ Poisson(rate * hours)
 * with rate ~ Gamma(a, b). The model is written over the rate itself; dlp_transformed
 * moves it to theta = log rate, Jacobian included. The posterior is Gamma(a + y, b +
 * hours), so the answer can be checked: q(theta) gives a log-normal for the rate.
 */
#include <delaplace.h>
#include <delaplace/special.h>
#include <math.h>
#include <stdio.h>

static const double A = 1.2, B = 0.9, FAILURES = 5, HOURS = 94.3;

/* log p(y, rate), up to a constant; defined for rate > 0 only */
static double f(void *m, const double *rate, double *grad, dlp_sym *hess)
{
    const double shape = A + FAILURES;
    (void)m;
    if (!(rate[0] > 0)) return -INFINITY;
    if (grad) grad[0] = (shape - 1) / rate[0] - (B + HOURS);
    if (hess) dlp_sym_block(hess, 0)[0] = -(shape - 1) / (rate[0] * rate[0]);
    return (shape - 1) * log(rate[0]) - (B + HOURS) * rate[0];
}

int main(void)
{
    const dlp_model_type type = {
        .size = sizeof type, .name = "pump", .f = f, .derivatives = 2};
    const dlp_model over_rate = {.type = &type, .shape = dlp_shape_dense(1)};
    const dlp_transform positive = {.kind = DLP_POSITIVE, .n = 1, .lower = 0};
    const double z = dlp_normal_quantile(0.975), shape = A + FAILURES,
                 scale = 1 / (B + HOURS);
    dlp_settings settings = dlp_settings_default();
    settings.method = "delta";
    dlp_error error = {0};
    dlp_transformed *transformed = NULL;
    dlp_fit *fit = NULL;
    int failed = 1;

    if (dlp_transformed_alloc(&over_rate, 1, &positive, &transformed, &error) == DLP_OK) {
        const dlp_model model = dlp_transformed_model(transformed);
        if (dlp_fit_alloc(&model, &settings, &fit, &error) == DLP_OK &&
            dlp_fit_run(fit, NULL, &error) == DLP_OK) {
            double sd, end[2], rate;
            dlp_fit_sd(fit, &sd);
            const double mu = dlp_fit_result(fit)->mu[0];
            for (int k = 0; k < 2;
                 k++) { /* quantiles go through the transform as they are */
                end[k] = mu + (k == 0 ? -z : z) * sd;
                dlp_transformed_apply(transformed, &end[k], &rate);
                end[k] = rate;
            }
            printf("%s: rate %.4f, 95 %% between %.4f and %.4f\n",
                   dlp_outcome_name(dlp_fit_result(fit)->outcome),
                   exp(mu + 0.5 * sd * sd), end[0], end[1]);
            printf("exact posterior mean %.4f\n", shape * scale);
            failed = 0;
        }
    }
    if (failed) fprintf(stderr, "positive_rate: %s\n", error.message);
    dlp_fit_free(fit);
    dlp_transformed_free(transformed);
    return failed;
}

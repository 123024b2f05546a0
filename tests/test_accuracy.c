/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-dimensional posteriors by quadrature, beside what each method finds. Prints the
 * table of docs/accuracy.md, and checks that each method is as accurate as it can be.
 */
#include "models.h"
#include "support.h"

/* Mean, sd and log evidence of exp f, by Simpson's rule over the bulk of it. */
typedef struct moments {
    double mean, sd, log_evidence;
} moments;

static moments by_simpson(const dlp_model *model, double centre, double width, int n)
{
    const double low = centre - width, h = 2 * width / n;
    double top = -INFINITY, sum[3] = {0};
    for (int k = 0; k <= n; k++) {
        const double x = low + k * h;
        top = fmax(top, model->type->f(model->state, &x, NULL, NULL));
    }
    for (int k = 0; k <= n; k++) {
        const double x = low + k * h;
        const double weight = (k == 0 || k == n ? 1 : k % 2 ? 4 : 2) * h / 3;
        const double p = weight * exp(model->type->f(model->state, &x, NULL, NULL) - top);
        sum[0] += p;
        sum[1] += p * x;
        sum[2] += p * x * x;
    }
    moments m = {.mean = sum[1] / sum[0], .log_evidence = log(sum[0]) + top};
    m.sd = sqrt(sum[2] / sum[0] - m.mean * m.mean);
    return m;
}

/* Adaptive: the interval widens and the step halves until nothing changes any more. */
static moments by_quadrature(const dlp_model *model, double centre, double sd)
{
    moments before = by_simpson(model, centre, 5 * sd, 100);
    for (int level = 1; level <= 12; level++) {
        const double width = 5 * sd * (1 + level);
        const moments now = by_simpson(model, centre, width, 200 * level << level);
        const double change = fabs(now.mean - before.mean) + fabs(now.sd - before.sd) +
                              fabs(now.log_evidence - before.log_evidence);
        before = now;
        if (change < 1e-11) return before;
    }
    fail_msg("the quadrature does not settle");
    return before;
}

/* What a method may miss: of the mean in posterior sds, of the sd as a ratio. */
typedef struct limit {
    const char *model, *method;
    double mean, sd;
} limit;

static const limit limits[] = {
    {"poisson", "laplace", 0.19, 0.02}, {"poisson", "delta", 0.005, 0.02},
    {"logit", "laplace", 0.21, 0.06},   {"logit", "delta", 0.046, 0.005},
    {"robust", "laplace", 0.008, 0.07}, {"robust", "delta", 0.001, 0.07},
    {"rate", "laplace", 0.2, 0.04},     {"rate", "delta", 0.004, 0.002},
};

static const test_model *named(const char *name)
{
    for (int m = 0; m < n_test_models; m++)
        if (strcmp(test_models[m].name, name) == 0) return &test_models[m];
    return NULL;
}

static void methods_agree_with_quadrature(void **state)
{
    (void)state;
    print_message(
        "model    method    mean     sd       mean off (sd)  sd ratio  "
        "objective - log evidence\n");
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        const test_model *of = named(limits[k].model);
        void *memory;
        dlp_model model = of->make(&memory);
        dlp_settings s = dlp_settings_default();
        s.method = limits[k].method;
        dlp_fit *fit = NULL;
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        double sd;
        dlp_fit_sd(fit, &sd);
        const moments exact = by_quadrature(&model, r->mu[0], sd);
        const double off = (r->mu[0] - exact.mean) / exact.sd, ratio = sd / exact.sd;
        print_message("%-8s %-8s %8.5f %8.5f %10.4f %12.4f %12.5f\n", of->name, s.method,
                      r->mu[0], sd, off, ratio, r->objective - exact.log_evidence);
        assert_near(off, 0, limits[k].mean);
        assert_near(ratio, 1, limits[k].sd);
        dlp_fit_free(fit);
        of->release(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_agree_with_quadrature)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

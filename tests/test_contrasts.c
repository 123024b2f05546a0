/* SPDX-License-Identifier: BSD-3-Clause */
/* Contrasts of coefficients, and doses, against closed forms; and what is refused. */
#include "questions_support.h"

/* ---- contrasts ---- */

static void contrasts_are_linear_or_drawn(void **state)
{
    static const char *const text[] = {
        "x - 2*z > 0.1",     "`x` < z", "exp(x)", "-(x + gb:z)/2 ^ 2",
        "(Intercept)*1 + 3", "x/z",     "2 > 1"};
    rows *r = draw_rows(10);
    dlp_regression *made = fit_family("b ~ x + z * g", r, "bernoulli");
    const dlp_regression_result *q = dlp_regression_result_of(made);
    const double *S = q->Sigma;
    const dlp_index n = q->n;
    (void)state;
    assert_string_equal(q->column[10], "z:gb");
    const char *mine[7];
    memcpy(mine, text, sizeof mine);
    mine[3] = "-(x + z:gb)/2 ^ 2";
    dlp_answers *a = contrast(made, 7, mine);
    const double mean = q->mu[1] - 2 * q->mu[2] - 0.1,
                 sd = sqrt(S[n + 1] - 4 * S[n + 2] + 4 * S[2 * n + 2]);
    near(a->value[0].mean, mean, 1e-12);
    near(a->value[0].sd, sd, 1e-12);
    near(a->value[0].above, dlp_normal_cdf(mean / sd), 1e-12);
    near(a->value[1].above,
         dlp_normal_cdf((q->mu[2] - q->mu[1]) /
                        sqrt(S[n + 1] - 2 * S[n + 2] + S[2 * n + 2])),
         1e-12);
    near(a->value[2].median, exp(q->mu[1]), 1e-3);
    near(a->value[2].mean, exp(q->mu[1] + 0.5 * S[n + 1]), 2e-3);
    near(a->value[3].mean, -(q->mu[1] + q->mu[10]) / 4, 1e-12);
    near(a->value[4].mean, q->mu[0] + 3, 1e-12);
    assert_true(a->value[6].compared && a->value[6].above == 1);
    dlp_answers_free(a);
    dlp_regression_free(made);
    free_rows(r);
}

static void wrong_contrasts_are_named(void **state)
{
    static const char *const wrong[][2] = {
        {"xx", "no parameter 'xx'"},
        {"x +", "a name or a number is expected at the end"},
        {"(x", "a closing bracket"},
        {"`x", "a closing backquote"},
        {"x x", "is expected before"},
        {"log(x - 100)", "not a finite number"},
        {"", "a name or a number"},
        {"x > z > 1", "is expected before"}};
    rows *r = draw_rows(11);
    dlp_regression *made = fit("y ~ x + z", r, NULL);
    char deep[1000];
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dlp_answers *a = NULL;
        dlp_error failure = {0};
        const dlp_status status =
            dlp_regression_contrasts(made, 1, &wrong[i][0], NULL, &a, &failure);
        assert_true(status == DLP_EINVAL || status == DLP_EINPUT);
        if (!strstr(failure.message, wrong[i][1])) fail_msg("%s", failure.message);
        assert_null(a);
    }
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    const char *text = deep;
    dlp_answers *a = NULL;
    assert_int_equal(dlp_regression_contrasts(made, 1, &text, NULL, &a, NULL),
                     DLP_EINVAL);
    dlp_regression_free(made);
    free_rows(r);
}

/* ---- doses ---- */

static void doses_are_fieller_s(void **state)
{
    rows *r = draw_rows(12);
    dlp_regression *made = fit_family("b ~ z", r, "bernoulli");
    const dlp_regression_result *q = dlp_regression_result_of(made);
    const double *S = q->Sigma, response[] = {0.5, 0.3};
    const double z2 = 1.959963984540054 * 1.959963984540054;
    dlp_answers *a = NULL;
    (void)state;
    assert_ok(dlp_regression_doses(made, r->table, "z", 2, response, NULL, &a, error));
    for (int i = 0; i < 2; i++) {
        const double eta = log(response[i] / (1 - response[i])), m = q->mu[0] - eta,
                     s = q->mu[1];
        near(a->value[i].mean, -m / s, 1e-6);
        /* (m + s t)^2 = z^2 (S00 + 2 t S01 + t^2 S11) */
        const double A = s * s - z2 * S[3], B = 2 * (m * s - z2 * S[1]),
                     C = m * m - z2 * S[0], root = sqrt(B * B - 4 * A * C);
        assert_true(A > 0);
        near(a->value[i].lower[0], (-B - root) / (2 * A), 1e-5);
        near(a->value[i].upper[0], (-B + root) / (2 * A), 1e-5);
        near(a->value[i].above, dlp_normal_cdf(s / sqrt(S[3])), 1e-6);
    }
    dlp_answers_free(a);
    assert_int_equal(
        dlp_regression_doses(made, r->table, "z", 1, (double[]){1.5}, NULL, &a, NULL),
        DLP_EINVAL);
    dlp_regression_free(made);
    free_rows(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contrasts_are_linear_or_drawn),
        cmocka_unit_test(wrong_contrasts_are_named),
        cmocka_unit_test(doses_are_fieller_s),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}

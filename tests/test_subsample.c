/* SPDX-License-Identifier: BSD-3-Clause */
/* A large regression begins at the maximum of a part of its rows: it ends where it would
   have anyway, after fewer evaluations. */
#include "support.h"

#include <math.h>

enum { N = 70000, P = 4 };

typedef struct rows {
    double x[P][N], y[N];
} rows;

static int set_up(void **state)
{
    rows *r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < N; i++) {
        dlp_rng rng = dlp_rng_at(3, (uint64_t)i);
        double eta = 0.37;
        for (int j = 0; j < P; j++) {
            r->x[j][i] = j == 0 ? 1 : dlp_draw_normal(&rng);
            eta += r->x[j][i] * sin(2.385 * j);
        }
        r->y[i] = dlp_draw_uniform(&rng) < dlp_logistic(eta);
    }
    *state = r;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

static dlp_fit *fit_from(dlp_glm *glm, const char *method, const double *start)
{
    const dlp_model model = dlp_glm_model(glm);
    dlp_settings settings = dlp_settings_default();
    dlp_fit *fit = NULL;
    settings.method = method;
    assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, start, error));
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_CONVERGED);
    return fit;
}

static void the_end_is_the_same(void **state)
{
    const rows *r = *state;
    const double *columns[P], zero[P] = {0};
    for (int j = 0; j < P; j++) columns[j] = r->x[j];
    const dlp_glm_data data = {.N = N, .p = P, .x = columns, .y = r->y};
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *glm = NULL;
    assert_ok(dlp_glm_alloc("bernoulli", NULL, &data, &prior, &glm, error));
    for (int k = 0; k < 2; k++) {
        dlp_fit *plain = fit_from(glm, dlp_method_name(k), zero),
                *fast = fit_from(glm, dlp_method_name(k), NULL);
        const dlp_result *a = dlp_fit_result(plain), *b = dlp_fit_result(fast);
        double sd[P], sd_fast[P];
        dlp_fit_sd(plain, sd);
        dlp_fit_sd(fast, sd_fast);
        for (int j = 0; j < P; j++) {
            assert_near(b->mu[j], a->mu[j], 1e-6 * sd[j]);
            assert_near(sd_fast[j], sd[j], 1e-6 * sd[j]);
        }
        assert_near(b->objective, a->objective, 1e-10 * fabs(a->objective));
        assert_true(b->evaluations < a->evaluations);
        dlp_fit_free(plain);
        dlp_fit_free(fast);
    }
    dlp_glm_free(glm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_end_is_the_same, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

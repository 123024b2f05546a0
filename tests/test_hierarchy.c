/* SPDX-License-Identifier: BSD-3-Clause */
/* Related regressions: golden numbers of an independent implementation by both routes, and
   that threads do not change a bit. */
#include "support.h"

enum { M = 4, N = 9, P = 2 };

typedef struct golden {
    json_t *root;
    double x[M][P][N], y[M][N];
    const double *columns[M][P];
    dlp_glm_data groups[M];
} golden;

static int set_up(void **state)
{
    golden *g = calloc(1, sizeof *g);
    g->root = json_load_file(DLP_TEST_DIR "/golden/hier.json", 0, NULL);
    assert_non_null(g->root);
    const json_t *T = json_object_get(g->root, "T"), *y = json_object_get(g->root, "y");
    assert_int_equal(json_array_size(T), M);
    for (size_t m = 0; m < M; m++) {
        const json_t *rows = json_array_get(T, m);
        assert_int_equal(json_array_size(rows), N);
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < P; j++) g->x[m][j][i] = golden_entry(rows, i, j);
            g->y[m][i] = golden_entry(y, m, i);
        }
        for (size_t j = 0; j < P; j++) g->columns[m][j] = g->x[m][j];
        g->groups[m] = (dlp_glm_data){.N = N, .p = P, .x = g->columns[m], .y = g->y[m]};
    }
    *state = g;
    return 0;
}

static int tear_down(void **state)
{
    golden *g = *state;
    json_decref(g->root);
    free(g);
    return 0;
}

static dlp_hierarchy_settings golden_settings(const golden *g, const char *method,
                                              int paper, int plain)
{
    dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    s.method = method;
    s.nu = json_number_value(json_object_get(g->root, "nu"));
    s.phi0 = golden_entry(json_object_get(g->root, "Phi0"), 0, 0);
    s.phi1 = golden_entry(json_object_get(g->root, "Phi1"), 0, 0);
    s.paper_sigma0 = paper;
    s.plain = plain;
    s.tol = 1e-10;
    return s;
}

static void check_group(const dlp_group_result *group, const json_t *want, size_t m)
{
    const json_t *mu = json_object_get(want, "mu"),
                 *Sigma = json_array_get(json_object_get(want, "Sigma"), m);
    for (size_t j = 0; j < P; j++) {
        assert_near(group->mu[j], golden_entry(mu, m, j), 1e-6);
        for (size_t k = 0; k < P; k++)
            assert_near(dlp_sym_block(&group->Sigma, 0)[j * P + k],
                        golden_entry(Sigma, j, k), 1e-6);
    }
}

/* Returns how many iterations it took. Where both steps maximise the objective it rises,
   Anderson steps or not. */
static int check_route(golden *g, const json_t *want, const dlp_hierarchy_settings *s,
                       bool rises)
{
    dlp_hierarchy *h = NULL;
    assert_ok(dlp_hierarchy_alloc("bernoulli", NULL, M, g->groups, s, &h, error));
    assert_ok(dlp_hierarchy_run(h, error));
    const dlp_hierarchy_result *r = dlp_hierarchy_result_of(h);
    const int iterations = r->iterations;
    assert_int_equal(r->outcome, DLP_CONVERGED);
    assert_int_equal(r->unsettled, 0);
    assert_int_equal(r->failed, -1);
    for (size_t j = 0; j < P; j++) {
        assert_near(r->mu0[j], golden_at(json_object_get(want, "mu0"), j), 1e-6);
        for (size_t k = 0; k < P; k++)
            assert_near(r->Sigma0[j * P + k],
                        golden_entry(json_object_get(want, "Sigma0"), j, k), 1e-6);
    }
    for (size_t m = 0; m < M; m++) {
        const dlp_group_result group = dlp_hierarchy_group(h, (dlp_index)m);
        check_group(&group, want, m);
    }
    const json_t *trace = json_object_get(want, "trace");
    for (size_t t = 0; s->plain && t < json_array_size(trace); t++)
        assert_near(r->trace[t].objective, golden_at(trace, t),
                    1e-7 * fabs(golden_at(trace, t)));
    for (int t = 1; rises && t < iterations; t++)
        assert_true(r->trace[t].objective >= r->trace[t - 1].objective - 1e-9);
    dlp_hierarchy_free(h);
    return iterations;
}

/* Plain EM, step by step as the golden one, and with Anderson steps to the same end in fewer. */
static void check_run(golden *g, const char *key, const char *method, int paper)
{
    const json_t *want = json_object_get(json_object_get(g->root, key), "converged");
    const dlp_hierarchy_settings plain = golden_settings(g, method, paper, 1),
                                 fast = golden_settings(g, method, paper, 0);
    const bool rises = !paper && strcmp(method, "laplace") != 0;
    assert_true(check_route(g, want, &fast, rises) < check_route(g, want, &plain, rises));
}

static void fits_are_golden(void **state)
{
    check_run(*state, "laplace_corrected", "laplace", 0);
    check_run(*state, "laplace_paper", "laplace", 1);
    check_run(*state, "delta_corrected", "delta", 0);
    check_run(*state, "delta_paper", "delta", 1);
}

static void jaakkola_jordan_is_golden(void **state)
{
    check_run(*state, "jj_corrected", "jaakkola-jordan", 0);
    check_run(*state, "jj_paper", "jaakkola-jordan", 1);
}

static void threads_change_no_bit(void **state)
{
    golden *g = *state;
    double mu0[P], Sigma0[P * P];
    const int threads[] = {1, 2, 3, 7};
    for (int k = 0; k < 4; k++) {
        dlp_hierarchy_settings s = golden_settings(g, "delta", 0, 0);
        dlp_hierarchy *h = NULL;
        s.threads = threads[k];
        assert_ok(dlp_hierarchy_alloc("bernoulli", NULL, M, g->groups, &s, &h, error));
        assert_ok(dlp_hierarchy_run(h, error));
        const dlp_hierarchy_result *r = dlp_hierarchy_result_of(h);
        if (k == 0) {
            memcpy(mu0, r->mu0, sizeof mu0);
            memcpy(Sigma0, r->Sigma0, sizeof Sigma0);
        }
        assert_memory_equal(r->mu0, mu0, sizeof mu0);
        assert_memory_equal(r->Sigma0, Sigma0, sizeof Sigma0);
        dlp_hierarchy_free(h);
    }
}

static void the_group_that_fails_is_told(void **state)
{
    golden *g = *state;
    const dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    dlp_hierarchy *h = NULL;
    assert_ok(dlp_hierarchy_alloc("bernoulli", NULL, M, g->groups, &s, &h, error));
    g->x[2][1][4] = 1e200; /* its square is not finite */
    assert_fails(dlp_hierarchy_run(h, error), DLP_EINPUT, "group 3");
    assert_int_equal(dlp_hierarchy_result_of(h)->failed, 2);
    dlp_hierarchy_free(h);
}

static dlp_status attempt(golden *g, dlp_index groups, dlp_hierarchy_settings s,
                          dlp_error *error)
{
    dlp_hierarchy *h = NULL;
    const dlp_status status =
        dlp_hierarchy_alloc("bernoulli", NULL, groups, g->groups, &s, &h, error);
    assert_true((status == DLP_OK) == (h != NULL));
    dlp_hierarchy_free(h);
    return status;
}

static void bad_settings_are_refused(void **state)
{
    golden *g = *state;
    dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    assert_fails(attempt(g, 0, s, error), DLP_EINVAL, "at least one group");
    s.nu = 0.5;
    assert_fails(attempt(g, M, s, error), DLP_EINVAL, "it must exceed 1");
    s = dlp_hierarchy_settings_default();
    s.phi0 = 0;
    assert_fails(attempt(g, M, s, error), DLP_EINVAL, "both must be positive");
    s = dlp_hierarchy_settings_default();
    s.threads = 0;
    assert_fails(attempt(g, M, s, error), DLP_EINVAL, "threads 1 to 1024");
    s = dlp_hierarchy_settings_default();
    s.method = "jj";
    assert_fails(attempt(g, M, s, error), DLP_EINVAL, "unknown method 'jj'");
    s.method = NULL;
    assert_fails(attempt(g, M, s, error), DLP_EINVAL, "unknown method 'NULL'");
}

static void bad_groups_are_refused(void **state)
{
    golden *g = *state;
    const dlp_hierarchy_settings s = dlp_hierarchy_settings_default();
    g->groups[1].p = 1;
    assert_fails(attempt(g, M, s, error), DLP_EINVAL,
                 "group 2 must have the same columns");
    g->groups[1].p = P;
    g->y[3][1] = 2;
    assert_fails(attempt(g, M, s, error), DLP_EINPUT, "group 4: row 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(fits_are_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(jaakkola_jordan_is_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(threads_change_no_bit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_group_that_fails_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_settings_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bad_groups_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

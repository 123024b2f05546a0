/* SPDX-License-Identifier: BSD-3-Clause */
/* The correlated topic model of one document: golden numbers of an independent
   implementation, derivatives, and that the two routes end at the same mean. */
#include "support.h"

#include "math/dense.h"
#include "topics/ctm/ctm.h"

enum { K = 3, V = 6, WORDS = 5 };

typedef struct golden {
    json_t *root;
    dlpi_ctm_shared shared;
    int32_t term[WORDS], count[WORDS];
} golden;

static int set_up(void **state)
{
    golden *g = calloc(1, sizeof *g);
    g->root = json_load_file(DLP_TEST_DIR "/golden/ctm_doc.json", 0, NULL);
    assert_non_null(g->root);
    assert_ok(dlpi_ctm_shared_alloc(K, V, &g->shared, error));
    const json_t *beta = json_object_get(g->root, "beta");
    const json_t *Sigma0 = json_object_get(g->root, "Sigma0");
    for (size_t k = 0; k < K; k++) {
        for (size_t v = 0; v < V; v++)
            g->shared.beta[v * (size_t)g->shared.stride + k] = golden_entry(beta, k, v);
        for (size_t j = 0; j < K; j++)
            g->shared.Sigma0[k * K + j] = golden_entry(Sigma0, k, j);
    }
    assert_true(dlpi_ctm_factor_sigma0(&g->shared));
    for (size_t w = 0; w < WORDS; w++) {
        g->term[w] = (int32_t)golden_at(json_object_get(g->root, "words"), w);
        g->count[w] = (int32_t)golden_at(json_object_get(g->root, "counts"), w);
    }
    *state = g;
    return 0;
}

static int tear_down(void **state)
{
    golden *g = *state;
    dlpi_ctm_shared_free(&g->shared);
    json_decref(g->root);
    free(g);
    return 0;
}

static void open_document(const golden *g, const char *method, int plain,
                          dlpi_ctm_document *doc)
{
    const dlp_document_settings settings = {.size = sizeof(dlp_document_settings),
                                            .method = method,
                                            .plain = plain,
                                            .tol = 1e-9,
                                            .max_iter = 2000};
    assert_ok(dlpi_ctm_document_alloc(&g->shared, &settings, doc, error));
    assert_ok(dlpi_ctm_document_reserve(doc, WORDS, error));
    dlpi_ctm_document_set(doc, WORDS, g->term, g->count);
    for (size_t k = 0; k < K; k++)
        doc->mean[k] = golden_at(json_object_get(g->root, "mu0"), k);
}

static void check_q(const json_t *want, const double *mu, const double *Sigma,
                    double objective)
{
    for (size_t k = 0; k < K; k++) {
        assert_near(mu[k], golden_at(json_object_get(want, "mu"), k), 1e-6);
        for (size_t j = 0; j < K; j++)
            assert_close(Sigma[k * K + j],
                         golden_entry(json_object_get(want, "Sigma"), k, j), 1e-6);
    }
    assert_close(objective, json_number_value(json_object_get(want, "objective")), 1e-9);
}

static void check_document(const golden *g, const char *key, const char *method,
                           int plain)
{
    dlpi_ctm_document doc;
    double mu[K] = {0};
    open_document(g, method, plain, &doc);
    dlpi_ctm_infer(&doc, mu);
    assert_int_equal(doc.outcome, DLP_CONVERGED);
    check_q(json_object_get(g->root, key), mu, doc.Sigma, doc.objective);
    dlpi_ctm_document_free(&doc);
}

static void test_golden_documents(void **state)
{
    for (int plain = 0; plain < 2; plain++) {
        check_document(*state, "laplace", "laplace", plain);
        check_document(*state, "delta_diag", "delta", plain);
    }
}

/* The engine's other ways: delta with a full Sigma, and previous-mean. */
static void test_golden_engine(void **state)
{
    const golden *g = *state;
    const char *const ways[][2] = {
        {"laplace", "laplace"}, {"delta_full", "delta"}, {"second", "previous-mean"}};
    for (size_t i = 0; i < 3; i++) {
        const json_t *want = json_object_get(g->root, ways[i][0]);
        dlpi_ctm_document doc;
        open_document(g, "laplace", 0, &doc);
        const dlp_model model = dlpi_ctm_model(&doc);
        dlp_settings settings = dlp_settings_default();
        settings.method = ways[i][1];
        settings.plain = 1;
        settings.tol = 1e-10;
        dlp_fit *fit = NULL;
        assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        check_q(want, r->mu, dlp_sym_block(r->Sigma, 0), r->objective);
        const json_t *trace = json_object_get(want, "trace");
        for (size_t t = 0; t < json_array_size(trace) && i != 1; t++) {
            assert_close(r->trace[t].objective, golden_entry(trace, t, 1), 1e-7);
            assert_near(r->trace[t].change, golden_entry(trace, t, 2), 1e-6);
        }
        dlp_fit_free(fit);
        dlpi_ctm_document_free(&doc);
    }
}

static void test_golden_blei_lafferty(void **state)
{
    const golden *g = *state;
    const json_t *want = json_object_get(g->root, "bl");
    dlpi_ctm_document doc;
    double mu[K] = {0};
    open_document(g, "blei-lafferty", 0, &doc);
    dlpi_ctm_infer(&doc, mu);
    assert_int_equal(doc.outcome, DLP_CONVERGED);
    for (size_t k = 0; k < K; k++) {
        assert_near(mu[k], golden_at(json_object_get(want, "lam"), k), 1e-6);
        assert_close(doc.Sigma[k * (K + 1)], golden_at(json_object_get(want, "nu2"), k),
                     1e-6);
    }
    assert_close(doc.objective, json_number_value(json_object_get(want, "bound")), 1e-9);
    dlpi_ctm_document_free(&doc);
}

static void test_derivatives(void **state)
{
    const golden *g = *state;
    const json_t *want = json_object_get(g->root, "derivatives");
    dlpi_ctm_document doc;
    double theta[K], grad[K];
    open_document(g, "laplace", 0, &doc);
    const dlp_model model = dlpi_ctm_model(&doc);
    dlp_sym hess = {0}, Sigma = {0};
    assert_ok(dlp_sym_alloc(model.shape, &hess, error));
    assert_ok(dlp_sym_alloc(model.shape, &Sigma, error));
    for (size_t k = 0; k < K; k++) {
        theta[k] = golden_at(json_object_get(want, "theta"), k);
        for (size_t j = 0; j < K; j++)
            dlp_sym_block(&Sigma, 0)[k * K + j] =
                golden_entry(json_object_get(want, "Sigma_for_trace"), k, j);
    }
    model.type->update_z(&doc, theta);
    /* that one leaves out the constant of the prior */
    const double constant = -0.5 * (K * log(2 * PI) + g->shared.log_det);
    assert_close(model.type->f(&doc, theta, grad, &hess),
                 json_number_value(json_object_get(want, "f")) + constant, 1e-10);
    for (size_t k = 0; k < K; k++) {
        assert_close(grad[k], golden_at(json_object_get(want, "grad"), k), 1e-10);
        for (size_t j = 0; j < K; j++)
            assert_close(dlp_sym_block(&hess, 0)[k * K + j],
                         golden_entry(json_object_get(want, "hess"), k, j), 1e-10);
    }
    model.type->trace_grad(&doc, theta, &Sigma, grad);
    for (size_t k = 0; k < K; k++)
        assert_close(grad[k], golden_at(json_object_get(want, "tracegrad"), k), 1e-10);
    dlp_sym_free(&hess);
    dlp_sym_free(&Sigma);
    dlpi_ctm_document_free(&doc);
}

/* Every derivative of the model against differences, by the call that users have. */
static void test_derivatives_by_differences(void **state)
{
    dlpi_ctm_document doc;
    open_document(*state, "laplace", 0, &doc);
    const dlp_model model = dlpi_ctm_model(&doc);
    dlp_check check;
    model.type->update_z(&doc, (double[K]){0.3, -0.8, 0.5});
    assert_ok(dlp_check_derivatives(&model, 20, NULL, 7, &check, error));
    assert_true(check.gradient.checked && check.hessian.checked &&
                check.trace_grad.checked && check.marginal.checked);
    assert_true(check.error < 1e-7);
    dlpi_ctm_document_free(&doc);
}

/* What the fast route climbs, for each method: gradient against central differences. */
static void test_climbed_objective(void **state)
{
    for (int i = 0; dlp_topics_method(i); i++) {
        dlpi_ctm_document doc;
        open_document(*state, dlp_topics_method(i), 0, &doc);
        double theta[K] = {0.4, -1.1, 0.7}, grad[K];
        dlpi_ctm_objective(&doc, theta, grad, NULL);
        for (int k = 0; k < K; k++) {
            const double h = 1e-5, at = theta[k];
            theta[k] = at + h;
            const double up = dlpi_ctm_objective(&doc, theta, NULL, NULL);
            theta[k] = at - h;
            const double down = dlpi_ctm_objective(&doc, theta, NULL, NULL);
            theta[k] = at;
            assert_close(grad[k], (up - down) / (2 * h), 1e-8);
        }
        dlpi_ctm_document_free(&doc);
    }
}

static double log_det_without_z(dlpi_ctm_document *doc, const double *theta)
{
    dlpi_ctm_objective(doc, theta, NULL, NULL);
    dlpi_ctm_curvature_without_z(doc, doc->A);
    assert_true(dlpi_cholesky(K, doc->A) < 0);
    return dlpi_cholesky_log_det(K, doc->A);
}

/* The mean is off the mode by -1/2 Sigma grad log|A|, over 1 plus its length in sds: the
   gradient against central differences. */
static void test_mean_shift(void **state)
{
    dlpi_ctm_document doc;
    open_document(*state, "laplace", 0, &doc);
    double theta[K] = {0.4, -1.1, 0.7}, half[K], want[K], shift[K], Sigma[K * K];
    double length = 0;
    for (int k = 0; k < K; k++) {
        const double h = 1e-5, at = theta[k];
        theta[k] = at + h;
        const double up = log_det_without_z(&doc, theta);
        theta[k] = at - h;
        half[k] = -0.5 * (up - log_det_without_z(&doc, theta)) / (2 * h);
        theta[k] = at;
    }
    log_det_without_z(&doc, theta);
    dlpi_cholesky_inverse(K, doc.A, doc.work, Sigma);
    dlpi_ctm_mean_shift(&doc, Sigma, shift);
    dlpi_symmetric_multiply(K, Sigma, half, want);
    for (int k = 0; k < K; k++) length += half[k] * want[k] / K;
    assert_true(length > 1e-4);
    for (int k = 0; k < K; k++) assert_near(shift[k], want[k] / (1 + length), 1e-8);
    dlpi_ctm_document_free(&doc);
}

/* A document whose words are of one topic each, in `shared`. */
static void open_known(const golden *g, dlpi_ctm_shared *shared, dlpi_ctm_document *doc)
{
    golden known = *g;
    assert_ok(dlpi_ctm_shared_alloc(K, V, shared, error));
    for (dlp_index v = 0; v < V; v++) shared->beta[v * shared->stride + v % K] = 0.5;
    memcpy(shared->Sigma0, g->shared.Sigma0, K * K * sizeof *shared->Sigma0);
    assert_true(dlpi_ctm_factor_sigma0(shared));
    known.shared = *shared;
    open_document(&known, "laplace", 0, doc);
    doc->shared = shared;
    doc->term = g->term;
}

static void curvature_at(dlpi_ctm_document *doc, const double *theta, double *A)
{
    dlpi_ctm_objective(doc, theta, NULL, NULL);
    dlpi_ctm_curvature_without_z(doc, A);
}

/* T_abc and sum_cd Q_abcd Sigma_cd by differences of the curvature */
static void find_derivatives(dlpi_ctm_document *doc, double *theta, const double *Sigma,
                             double T[K][K * K], double *Q)
{
    const double h = 1e-3;
    double at[2][2][K * K];
    memset(Q, 0, K * K * sizeof *Q);
    for (int c = 0; c < K; c++)
        for (int d = 0; d < K; d++) {
            for (int i = 0; i < 4; i++) {
                double moved[K];
                memcpy(moved, theta, sizeof moved);
                moved[c] += i / 2 ? h : -h;
                moved[d] += i % 2 ? h : -h;
                curvature_at(doc, moved, at[i / 2][i % 2]);
            }
            for (int i = 0; i < K * K; i++) {
                Q[i] -= Sigma[c * K + d] *
                        (at[1][1][i] - at[1][0][i] - at[0][1][i] + at[0][0][i]) /
                        (4 * h * h);
                if (c == d) T[c][i] = -(at[1][1][i] - at[0][0][i]) / (4 * h);
            }
        }
}

/* A - T delta - 1/2 Q Sigma - 1/2 T Sigma Sigma T, summed to the letter */
static void sum_precision(const double *A, double T[K][K * K], const double *Q,
                          const double *Sigma, const double *shift, double *P)
{
    for (int a = 0; a < K; a++)
        for (int b = 0; b < K; b++) {
            double sum = A[a * K + b] - 0.5 * Q[a * K + b];
            for (int c = 0; c < K; c++) {
                sum -= T[c][a * K + b] * shift[c];
                for (int i = 0; i < K * K * K; i++) {
                    const int d = i / (K * K), e = i / K % K, f = i % K;
                    sum -= 0.5 * T[a][c * K + d] * Sigma[c * K + e] * Sigma[d * K + f] *
                           T[b][e * K + f];
                }
            }
            P[a * K + b] = sum;
        }
}

/* Where the topics of words are known the covariance is the expansion's. */
static void test_moment_covariance(void **state)
{
    dlpi_ctm_shared shared;
    dlpi_ctm_document doc;
    double theta[K] = {0.4, -1.1, 0.7}, Sigma[K * K], A[K * K], T[K][K * K], Q[K * K];
    double shift[K], P[K * K], want[K * K], work[K * K];
    open_known(*state, &shared, &doc);
    log_det_without_z(&doc, theta);
    dlpi_cholesky_inverse(K, doc.A, work, Sigma);
    find_derivatives(&doc, theta, Sigma, T, Q);
    curvature_at(&doc, theta, A);
    memcpy(doc.Sigma, Sigma, sizeof Sigma);
    dlpi_ctm_mean_shift(&doc, Sigma, shift);
    sum_precision(A, T, Q, Sigma, shift, P);
    assert_true(dlpi_cholesky(K, P) < 0);
    dlpi_cholesky_inverse(K, P, work, want);
    dlpi_ctm_moment_covariance(&doc, shift);
    double moved = 0;
    for (int i = 0; i < K * K; i++) {
        assert_near(doc.Sigma[i], want[i], 1e-5);
        moved = fmax(moved, fabs(want[i] - Sigma[i]));
    }
    assert_true(moved > 1e-2);
    dlpi_ctm_document_free(&doc);
    dlpi_ctm_shared_free(&shared);
}

/* An empty document has the prior for its posterior. */
static void test_empty_document(void **state)
{
    const golden *g = *state;
    dlpi_ctm_document doc;
    double mu[K] = {5, 5, 5};
    open_document(g, "laplace", 0, &doc);
    dlpi_ctm_document_set(&doc, 0, NULL, NULL);
    dlpi_ctm_infer(&doc, mu);
    assert_int_equal(doc.outcome, DLP_CONVERGED);
    for (size_t k = 0; k < K; k++) {
        assert_near(mu[k], doc.mean[k], 1e-8);
        for (size_t j = 0; j < K; j++)
            assert_close(doc.Sigma[k * K + j], g->shared.Sigma0[k * K + j], 1e-10);
    }
    assert_near(doc.objective, 0, 1e-10);
    dlpi_ctm_document_free(&doc);
}

/* Numbers in programs, names in settings and files. */
static void methods_have_names_and_numbers(void **state)
{
    static const char *const names[] = {"laplace", "delta", "blei-lafferty",
                                        "previous-mean", "dirichlet"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(dlpi_ctm_method_find(names[i])->kind, i);
        if (i < DLP_TOPICS_DIRICHLET) assert_string_equal(dlp_topics_method(i), names[i]);
    }
    assert_null(dlp_topics_method(DLP_TOPICS_DIRICHLET));
    assert_null(dlpi_ctm_method_find("other"));
    assert_string_equal(dlp_topics_init(0), "spectral");
    assert_string_equal(dlp_topics_init(1), "random");
    assert_null(dlp_topics_init(2));
    assert_null(dlp_topics_init(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_names_and_numbers),
        cmocka_unit_test(test_golden_documents),
        cmocka_unit_test(test_golden_engine),
        cmocka_unit_test(test_golden_blei_lafferty),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_derivatives_by_differences),
        cmocka_unit_test(test_climbed_objective),
        cmocka_unit_test(test_mean_shift),
        cmocka_unit_test(test_moment_covariance),
        cmocka_unit_test(test_empty_document),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

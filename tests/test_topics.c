/* SPDX-License-Identifier: BSD-3-Clause */
/* The correlated topic model of a corpus: golden numbers of EM, the same bits at any number
   of threads and after a resume, covariates. */
#include "topics_support.h"

#include "math/dense.h"

#include <unistd.h>

/* Golden: five E steps, each followed by an M step. */
static void check_golden_em(const json_t *root, const char *key, const char *method)
{
    enum { K = 2, V = 5, D = 8, STEPS = 5 };
    const json_t *want = json_object_get(root, key),
                 *docs = json_object_get(root, "docs");
    int32_t x[D][V] = {{0}};
    for (size_t d = 0; d < D; d++) {
        const json_t *doc = json_array_get(docs, d);
        const json_t *words = json_object_get(doc, "words");
        for (size_t i = 0; i < json_array_size(words); i++)
            x[d][(int)golden_at(words, i)] =
                (int32_t)golden_at(json_object_get(doc, "counts"), i);
    }
    dlp_corpus *corpus = NULL;
    dlp_topics start, end;
    assert_ok(dlp_corpus_from_counts(D, V, x[0], &corpus, error));
    assert_ok(dlp_topics_alloc(K, V, 1, &start, error));
    for (size_t k = 0; k < K; k++) {
        start.Sigma0[k * (K + 1)] = 1;
        for (size_t v = 0; v < V; v++)
            start.beta[k * V + v] = golden_entry(json_object_get(root, "beta0"), k, v);
    }
    dlp_topics_settings s = settings_for(K, "random");
    s.start = &start;
    s.smooth = 1e-12;
    s.method = method;
    s.paper_covariance = 1;
    s.document_tol = 1e-10;
    s.document_max_iter = 500;
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    for (size_t i = 0; i < STEPS; i++) {
        dlp_ctm_step(ctm);
        assert_close(dlp_ctm_result(ctm)->objective_per_word,
                     golden_at(json_object_get(want, "per_word_bound"), i), 1e-9);
    }
    for (size_t d = 0; d < D; d++)
        for (size_t k = 0; k < K; k++)
            assert_near(dlp_ctm_result(ctm)->mu[d * K + k],
                        golden_entry(json_object_get(want, "mu_docs"), d, k), 1e-5);
    dlp_ctm_step(ctm); /* the fifth M step */
    assert_ok(dlp_ctm_topics(ctm, &end, error));
    for (size_t k = 0; k < K; k++) {
        assert_near(end.Gamma[k], golden_at(json_object_get(want, "mu0"), k), 1e-5);
        for (size_t j = 0; j < K; j++)
            assert_near(end.Sigma0[k * K + j],
                        golden_entry(json_object_get(want, "Sigma0"), k, j), 1e-6);
        for (size_t v = 0; v < V; v++)
            assert_near(end.beta[k * V + v],
                        golden_entry(json_object_get(want, "beta"), k, v), 1e-6);
    }
    dlp_ctm_free(ctm);
    dlp_topics_free(&start);
    dlp_topics_free(&end);
    dlp_corpus_free(corpus);
}

static void test_golden_em(void **state)
{
    (void)state;
    json_t *root = json_load_file(DLP_TEST_DIR "/golden/ctm_em.json", 0, NULL);
    assert_non_null(root);
    check_golden_em(root, "laplace", "laplace");
    check_golden_em(root, "delta", "delta");
    check_golden_em(root, "bl", "blei-lafferty");
    json_decref(root);
}

/* EM ends when objective and topics have both come to rest, and then the prior settles, with the
   topics as they are; by the paper's covariance it ends with the objective, while topics still move. */
static void test_topics_come_to_rest(void **state)
{
    (void)state;
    dlp_corpus *corpus = make_corpus(200, 40);
    for (int paper = 0; paper < 2; paper++) {
        dlp_topics_settings s = settings_for(4, "spectral");
        dlp_ctm *ctm = NULL;
        s.max_iter = 2000;
        s.tol = 1e-4;
        s.paper_covariance = paper;
        assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
        assert_ok(dlp_ctm_start(ctm, error));
        dlp_ctm_run(ctm);
        const dlp_topics_result *r = dlp_ctm_result(ctm);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        assert_true(r->trace[0].moved == 0);
        const int rested = r->iterations - (paper ? 0 : 6);
        for (int i = rested; i < r->iterations; i++) assert_true(r->trace[i].moved == 0);
        for (int i = 1; i < rested; i++) {
            const dlp_topics_row *row = &r->trace[i];
            assert_true(row->moved > 0 && row->moved <= 1);
        }
        const double moved = r->trace[rested - 1].moved;
        assert_true(paper ? moved > 0.2 * sqrt(s.tol) : moved <= 0.2 * sqrt(s.tol));
        assert_true(fabs(r->trace[rested - 1].change) <= s.tol);
        dlp_ctm_free(ctm);
    }
    dlp_corpus_free(corpus);
}

static void assert_same_topics(const dlp_ctm *a, const dlp_ctm *b, dlp_index D)
{
    dlp_topics x, y;
    assert_ok(dlp_ctm_topics(a, &x, error));
    assert_ok(dlp_ctm_topics(b, &y, error));
    const size_t K = (size_t)x.K;
    assert_memory_equal(x.beta, y.beta, K * (size_t)x.V * sizeof(double));
    assert_memory_equal(x.Gamma, y.Gamma, K * (size_t)x.p * sizeof(double));
    assert_memory_equal(x.Sigma0, y.Sigma0, K * K * sizeof(double));
    const dlp_topics_result *r = dlp_ctm_result(a), *q = dlp_ctm_result(b);
    assert_memory_equal(r->mu, q->mu, (size_t)D * K * sizeof(double));
    assert_int_equal(r->iterations, q->iterations);
    for (dlp_index i = 0; i < r->iterations; i++) {
        assert_true(r->trace[i].objective == q->trace[i].objective);
        assert_true(r->trace[i].change == q->trace[i].change);
        assert_int_equal(r->trace[i].evaluations, q->trace[i].evaluations);
    }
    dlp_topics_free(&x);
    dlp_topics_free(&y);
}

/* More documents than a block holds, so that blocks meet chunks. */
static void test_threads_do_not_matter(void **state)
{
    (void)state;
    enum { D = 2500 };
    dlp_corpus *corpus = make_corpus(D, 40);
    dlp_topics_settings s = settings_for(3, "spectral");
    s.max_iter = 3;
    dlp_ctm *one = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &one, error));
    assert_ok(dlp_ctm_start(one, error));
    dlp_ctm_run(one);
    const int threads[] = {2, 3, 7};
    for (size_t i = 0; i < 3; i++) {
        dlp_ctm *many = NULL;
        s.threads = threads[i];
        assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &many, error));
        assert_ok(dlp_ctm_start(many, error));
        dlp_ctm_run(many);
        assert_same_topics(one, many, D);
        dlp_ctm_free(many);
    }
    dlp_ctm_free(one);
    dlp_corpus_free(corpus);
}

static void check_resume(const char *method, int plain)
{
    enum { D = 60 };
    dlp_corpus *corpus = make_corpus(D, 30);
    dlp_topics_settings s = settings_for(3, "random");
    s.method = method;
    s.plain = plain;
    dlp_ctm *whole = NULL, *first = NULL, *second = NULL;
    char path[] = "/tmp/delaplace-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &whole, error));
    assert_ok(dlp_ctm_start(whole, error));
    dlp_ctm_run(whole);
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &first, error));
    assert_ok(dlp_ctm_start(first, error));
    for (dlp_index i = 0; i < 3; i++) dlp_ctm_step(first);
    assert_ok(dlp_ctm_save(first, path, error));
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &second, error));
    assert_ok(dlp_ctm_load(second, path, error));
    dlp_ctm_run(second);
    assert_same_topics(whole, second, D);
    dlp_ctm_free(first);
    dlp_ctm_free(second);
    s.K = 4;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &second, error));
    assert_fails(dlp_ctm_load(second, path, error), DLP_EINPUT, "other settings");
    dlp_ctm_free(second);
    s.K = 3;
    s.seed++;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &second, error));
    assert_fails(dlp_ctm_load(second, path, error), DLP_EINPUT, "other settings");
    dlp_ctm_free(second);
    s.seed--;
    assert_int_equal(truncate(path, 1000), 0);
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &second, error));
    assert_fails(dlp_ctm_load(second, path, error), DLP_EINPUT, "damaged");
    dlp_ctm_free(second);
    remove(path);
    dlp_ctm_free(whole);
    dlp_corpus_free(corpus);
}

static void test_resume(void **state)
{
    (void)state;
    check_resume("laplace", 0);
    check_resume("laplace", 1);
    check_resume("delta", 0);
    check_resume("blei-lafferty", 0);
}

/* Theory: Blei and Lafferty's objective is a lower bound, so EM without a prior on beta
   never lowers it. */
static void test_bound_rises(void **state)
{
    (void)state;
    dlp_corpus *corpus = make_corpus(80, 30);
    dlp_topics_settings s = settings_for(4, "random");
    s.method = "blei-lafferty";
    s.document_tol = 1e-9;
    s.document_max_iter = 500;
    s.smooth = 1e-12;
    s.max_iter = 60;
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    const dlp_topics_result *r = dlp_ctm_result(ctm);
    for (dlp_index i = 1; i < r->iterations; i++)
        assert_true(r->trace[i].change > -1e-10);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* Covariates: one that says what kind a document is finds it, in any units, and the fit
   continues from a checkpoint. */
static void test_covariates(void **state)
{
    (void)state;
    enum { D = 200, V = 40, K = 4, P = 3 };
    dlp_corpus *corpus = make_corpus(D, V);
    double X[D][P], scaled[D][P];
    for (dlp_index d = 0; d < D; d++) {
        X[d][0] = scaled[d][0] = 1;
        X[d][1] = d % 4 == 0;
        X[d][2] = d % 7;
        scaled[d][1] = 1000 * X[d][1] + 1e6;
        scaled[d][2] = X[d][2];
    }
    const dlp_covariates given = {.D = D, .p = P, .X = X[0]},
                         other = {.D = D, .p = P, .X = scaled[0]};
    dlp_topics_settings s = settings_for(K, "spectral");
    s.max_iter = 30;
    dlp_ctm *ctm = NULL, *again = NULL;
    dlp_topics topics, in_units;
    assert_ok(dlp_ctm_alloc(corpus, &given, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, &topics, error));
    assert_ok(dlp_ctm_alloc(corpus, &other, &s, &again, error));
    assert_ok(dlp_ctm_start(again, error));
    dlp_ctm_run(again);
    assert_ok(dlp_ctm_topics(again, &in_units, error));
    double strongest = 0;
    for (dlp_index k = 0; k < K; k++) {
        strongest = fmax(strongest, fabs(topics.Gamma[K + k]));
        assert_near(1000 * in_units.Gamma[K + k], topics.Gamma[K + k], 1e-3);
        assert_true(fabs(topics.Gamma[(dlp_index)2 * K + k]) < 0.3);
    }
    assert_true(strongest > 1);
    dlp_topics_free(&topics);
    dlp_topics_free(&in_units);
    dlp_ctm_free(ctm);
    dlp_ctm_free(again);

    for (dlp_index d = 0; d < D; d++) X[d][2] = 3;
    assert_fails(dlp_ctm_alloc(corpus, &given, &s, &ctm, error), DLP_EINPUT, "constant");
    for (dlp_index d = 0; d < D; d++) X[d][2] = 2 * X[d][1];
    s.ridge = 0;
    assert_fails(dlp_ctm_alloc(corpus, &given, &s, &ctm, error), DLP_EINPUT, "follows");
    dlp_corpus_free(corpus);
}

/* Gamma is the regression of the documents' means on their covariates: what is left of the means is
   free of each covariate. Where a fit begins with a model, it begins with its Gamma. */
static void test_covariates_regress(void **state)
{
    (void)state;
    enum { D = 200, V = 40, K = 4, P = 3 };
    dlp_corpus *corpus = make_corpus(D, V);
    double X[D][P], left[P][K] = {{0}}, spread = 0;
    for (dlp_index d = 0; d < D; d++) {
        X[d][0] = 1;
        X[d][1] = d % 4 == 0;
        X[d][2] = (d % 4 < 2) + 0.1 * (double)(d % 7);
    }
    const dlp_covariates given = {.D = D, .p = P, .X = X[0]};
    dlp_topics_settings s = settings_for(K, "spectral");
    dlp_ctm *ctm = NULL;
    dlp_topics topics, begun;
    dlp_document_posterior *posterior = NULL;
    dlp_document_result result;
    s.max_iter = 60;
    s.ridge = 1e-6;
    assert_ok(dlp_ctm_alloc(corpus, &given, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, &topics, error));
    assert_ok(dlp_document_posterior_alloc(&topics, NULL, &posterior, error));
    for (dlp_index d = 0; d < D; d++) {
        dlp_document document = dlp_corpus_document(corpus, d);
        document.x = X[d];
        assert_ok(dlp_document_infer(posterior, &document, &result, error));
        for (dlp_index k = 0; k < K; k++) {
            double r = result.mu[k];
            for (dlp_index j = 0; j < P; j++) r -= topics.Gamma[j * K + k] * X[d][j];
            for (dlp_index j = 0; j < P; j++) left[j][k] += X[d][j] * r / D;
            spread += r * r / (D * K);
        }
    }
    for (dlp_index j = 0; j < P; j++)
        for (dlp_index k = 0; k < K; k++) assert_near(left[j][k], 0, 0.01 * sqrt(spread));
    dlp_document_posterior_free(posterior);
    dlp_ctm_free(ctm);
    s.start = &topics;
    assert_ok(dlp_ctm_alloc(corpus, &given, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    assert_ok(dlp_ctm_topics(ctm, &begun, error));
    for (dlp_index i = 0; i < P * K; i++)
        assert_near(begun.Gamma[i], topics.Gamma[i], 1e-10);
    dlp_topics_free(&begun);
    dlp_topics_free(&topics);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* A start that cannot be: refused. One with a topic that has none of the corpus' terms: it
   begins as all words do. */
static void test_odd_starts(void **state)
{
    (void)state;
    enum { K = 2, V = 4, D = 3 };
    const int32_t x[D][V] = {{3, 1, 2, 0}, {1, 4, 0, 0}, {0, 2, 5, 0}};
    dlp_corpus *corpus = NULL;
    dlp_topics start, end;
    dlp_ctm *ctm = NULL;
    dlp_topics_settings s = settings_for(K, "random");
    assert_ok(dlp_corpus_from_counts(D, V, x[0], &corpus, error));
    assert_ok(dlp_topics_alloc(K, V, 1, &start, error));
    for (dlp_index v = 0; v < V; v++) start.beta[v] = 1.0 / V;
    start.beta[V + V - 1] = 1; /* the second topic: only the term that is not there */
    for (dlp_index i = 0; i < (dlp_index)K * K; i++) start.Sigma0[i] = 1;
    s.start = &start;
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINPUT,
                 "not positive definite");
    start.Sigma0[0] = start.Sigma0[3] = 2;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    assert_ok(dlp_ctm_topics(ctm, &end, error));
    const double words[V] = {4, 7, 7, 0};
    for (dlp_index v = 0; v < V; v++) assert_near(end.beta[V + v], words[v] / 18, 1e-15);
    dlp_ctm_run(ctm);
    assert_true(isfinite(dlp_ctm_result(ctm)->objective));
    dlp_topics_free(&end);
    dlp_ctm_free(ctm);
    dlp_topics_free(&start);
    dlp_corpus_free(corpus);
}

/* Nothing that is not a number gets in, and a posterior that refused a document is still
   good. */
static void test_not_a_number(void **state)
{
    (void)state;
    enum { K = 2, V = 30, D = 20, P = 2 };
    dlp_topics topics;
    dlp_corpus *corpus = NULL;
    dlp_document_posterior *posterior = NULL;
    dlp_completion completion;
    double X[D][P], pi[K], sd[K];
    for (dlp_index d = 0; d < D; d++) {
        X[d][0] = 1;
        X[d][1] = (double)d;
    }
    const dlp_covariates covariates = {.D = D, .p = P, .X = X[0]};
    const dlp_simulate_settings draws = {.size = sizeof(dlp_simulate_settings),
                                         .documents = D,
                                         .words = 50,
                                         .seed = 1,
                                         .threads = 1};
    assert_ok(dlp_simulate_topics(K, V, 1, 1, &topics, error));
    dlp_topics_free(&topics);
    assert_ok(dlp_topics_alloc(K, V, P, &topics, error));
    for (dlp_index k = 0; k < K; k++) {
        topics.Sigma0[k * (K + 1)] = 1;
        for (dlp_index v = 0; v < V; v++) topics.beta[k * V + v] = 1.0 / V;
    }
    assert_ok(dlp_simulate_ctm(&topics, &covariates, &draws, &corpus, NULL, error));
    assert_ok(dlp_document_posterior_alloc(&topics, NULL, &posterior, error));
    dlp_document doc = dlp_corpus_document(corpus, 3);
    dlp_document_result result;
    assert_ok(dlp_document_infer(posterior, &doc, &result, error));
    X[3][1] = NAN;
    doc.x = X[3];
    assert_fails(dlp_document_infer(posterior, &doc, &result, error), DLP_EINPUT,
                 "finite");
    dlp_document_proportions(posterior, pi, sd);
    const int32_t wrong[] = {0, V};
    const dlp_document outside = {.n = 2, .term = wrong, .count = (int32_t[]){1, 1}};
    assert_fails(dlp_document_infer(posterior, &outside, &result, error), DLP_EINPUT,
                 "term");
    dlp_document_proportions(posterior, pi, sd);
    assert_true(isfinite(pi[0]) && isfinite(sd[0]));
    assert_fails(
        dlp_topics_completion(&topics, NULL, corpus, &covariates, &completion, error),
        DLP_EINPUT, "document 4");
    dlp_corpus *none = NULL;
    assert_fails(dlp_simulate_ctm(&topics, &covariates, &draws, &none, NULL, error),
                 DLP_EINPUT, "document 4");
    corpus->words++;
    assert_fails(dlp_corpus_check(corpus, error), DLP_EINPUT, "add up");
    dlp_document_posterior_free(posterior);
    dlp_topics_free(&topics);
    dlp_corpus_free(corpus);
}

/* Documents are followed to their tolerance before EM says that it has converged. */
static void test_converged_documents(void **state)
{
    (void)state;
    enum { D = 60, K = 3 };
    dlp_corpus *corpus = make_corpus(D, 30);
    dlp_topics_settings s = settings_for(K, "spectral");
    dlp_ctm *first = NULL, *again = NULL;
    dlp_topics topics;
    s.tol = 1e-5;
    s.max_iter = 200;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &first, error));
    assert_ok(dlp_ctm_start(first, error));
    dlp_ctm_run(first);
    assert_int_equal(dlp_ctm_result(first)->outcome, DLP_CONVERGED);
    assert_ok(dlp_ctm_topics(first, &topics, error));
    s.start = &topics;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &again, error));
    assert_ok(dlp_ctm_start(again, error));
    dlp_ctm_run(again);
    assert_int_equal(dlp_ctm_result(again)->outcome, DLP_CONVERGED);
    assert_true(dlp_ctm_result(again)->iterations > 2);
    dlp_ctm_free(first);
    dlp_ctm_free(again);
    dlp_topics_free(&topics);
    dlp_corpus_free(corpus);
}

static void test_wrong_settings(void **state)
{
    (void)state;
    dlp_corpus *corpus = make_corpus(20, 10);
    dlp_ctm *ctm = NULL;
    dlp_topics_settings s = settings_for(1, "spectral");
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINVAL, "K is 1");
    s = settings_for(3, "best");
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINVAL, "best");
    s = settings_for(3, "random");
    s.method = "gibbs";
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINVAL, "gibbs");
    s.method = "blei-lafferty";
    s.plain = 1;
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINVAL, "one route");
    s = settings_for(3, "random");
    s.smooth = -1;
    assert_fails(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error), DLP_EINVAL, "smooth");
    assert_null(ctm);
    dlp_corpus_free(corpus);
}

/* More topics than documents or terms, one document, one term: no NaN, no crash. */
static void test_small_corpora(void **state)
{
    (void)state;
    const dlp_index sizes[][3] = {{1, 1, 2}, {1, 5, 4}, {3, 2, 7}, {6, 4, 20}};
    for (size_t i = 0; i < 4; i++)
        for (int m = 0; dlp_topics_method(m); m++)
            for (int init = 0; init < 2; init++) {
                dlp_corpus *corpus = make_corpus(sizes[i][0], sizes[i][1]);
                dlp_topics_settings s =
                    settings_for(sizes[i][2], init ? "random" : "spectral");
                s.method = dlp_topics_method(m);
                s.max_iter = 20;
                dlp_ctm *ctm = NULL;
                dlp_topics topics;
                assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
                assert_ok(dlp_ctm_start(ctm, error));
                dlp_ctm_run(ctm);
                assert_true(isfinite(dlp_ctm_result(ctm)->objective));
                assert_ok(dlp_ctm_topics(ctm, &topics, error));
                assert_ok(dlp_topics_check(&topics, error));
                dlp_topics_free(&topics);
                dlp_ctm_free(ctm);
                dlp_corpus_free(corpus);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_em),
        cmocka_unit_test(test_topics_come_to_rest),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_resume),
        cmocka_unit_test(test_bound_rises),
        cmocka_unit_test(test_covariates),
        cmocka_unit_test(test_covariates_regress),
        cmocka_unit_test(test_wrong_settings),
        cmocka_unit_test(test_odd_starts),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_converged_documents),
        cmocka_unit_test(test_small_corpora),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The correlated topic model of a corpus: golden numbers of EM, the same bits at any number
   of threads and after a resume, covariates, new documents, held-out words. */
#include "support.h"
#include "topics/describe/topic_quality.h"

#include "math/dense.h"

#include <unistd.h>

/* A corpus of D documents over V terms in which term v prefers documents with d = v mod 4,
   with lengths that vary and a document without words. */
static dlp_corpus *make_corpus(dlp_index D, dlp_index V)
{
    int32_t *x = calloc((size_t)(D * V), sizeof *x);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(11, (uint64_t)d);
        for (dlp_index n = 0; d != 5 && n < 20 + d % 37; n++) {
            const dlp_index v = (dlp_index)(dlp_draw_uniform(&rng) * (double)V);
            x[d * V + (dlp_draw_uniform(&rng) < 0.7 ? v / 4 * 4 + d % 4 : v) % V]++;
        }
    }
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_from_counts(D, V, x, &corpus, error));
    free(x);
    return corpus;
}

static dlp_topics_settings settings_for(dlp_index K, const char *init)
{
    dlp_topics_settings s = dlp_topics_settings_default();
    s.K = K;
    s.init = init;
    s.max_iter = 8;
    s.threads = 1;
    s.tol = 1e-12;
    return s;
}

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

/* The two routes end at the same mean, and the posterior finds what EM found. */
static void test_posterior_and_routes(void **state)
{
    (void)state;
    enum { D = 60, V = 30, K = 3 };
    dlp_corpus *corpus = make_corpus(D, V);
    dlp_topics_settings s = settings_for(K, "spectral");
    s.document_tol = 1e-9;
    dlp_ctm *ctm = NULL;
    dlp_topics topics;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, &topics, error));
    /* the expansion at the previous mean ends where Laplace's method does, if it ends */
    static const char *const by_climb[] = {"laplace", "delta", "laplace"};
    static const char *const by_figure[] = {"laplace", "delta", "previous-mean"};
    for (dlp_index i = 0; i < 3; i++) {
        dlp_document_settings fast = {.size = sizeof(dlp_document_settings),
                                      .method = by_climb[i],
                                      .tol = 1e-10,
                                      .max_iter = 2000};
        dlp_document_settings plain = fast;
        plain.plain = i < 2;
        plain.method = by_figure[i];
        dlp_document_posterior *a = NULL, *b = NULL;
        assert_ok(dlp_document_posterior_alloc(&topics, &fast, &a, error));
        assert_ok(dlp_document_posterior_alloc(&topics, &plain, &b, error));
        for (dlp_index d = 0; d < D; d++) {
            const dlp_document doc = dlp_corpus_document(corpus, d);
            dlp_document_result x, y;
            assert_ok(dlp_document_infer(a, &doc, &x, error));
            assert_ok(dlp_document_infer(b, &doc, &y, error));
            assert_int_equal(x.outcome, DLP_CONVERGED);
            for (dlp_index k = 0; k < K; k++) {
                assert_near(x.mu[k], y.mu[k], 1e-6);
                if (i == 0)
                    assert_near(x.mu[k], dlp_ctm_result(ctm)->mu[d * K + k], 1e-6);
            }
        }
        dlp_document_posterior_free(a);
        dlp_document_posterior_free(b);
    }
    dlp_topics_free(&topics);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* The covariance with z summed out is wider than the paper's; the sd of proportions is
   that of draws, to first order. */
static void test_uncertainty(void **state)
{
    (void)state;
    enum { K = 3, V = 30, DRAWS = 20000 };
    dlp_corpus *corpus = make_corpus(60, V);
    dlp_topics_settings s = settings_for(K, "spectral");
    dlp_ctm *ctm = NULL;
    dlp_topics topics;
    dlp_document_posterior *posterior = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, &topics, error));
    for (dlp_index k = 0; k < K; k++) topics.Sigma0[k * (K + 1)] += 1e-3;
    assert_ok(dlp_document_posterior_alloc(&topics, NULL, &posterior, error));
    const dlp_document doc = dlp_corpus_document(corpus, 20);
    dlp_document_result result;
    double given_z[K * K], corrected[K * K], pi[K], sd[K], sum[K] = {0}, square[K] = {0};
    assert_ok(dlp_document_infer(posterior, &doc, &result, error));
    assert_int_equal(dlp_document_covariance(posterior, 0, given_z), 1);
    assert_int_equal(dlp_document_covariance(posterior, 1, corrected), 1);
    for (dlp_index k = 0; k < K; k++)
        assert_true(corrected[k * (K + 1)] >= given_z[k * (K + 1)]);
    dlp_document_proportions(posterior, pi, sd);
    assert_int_equal(dlpi_cholesky(K, corrected), -1);
    for (dlp_index i = 0; i < DRAWS; i++) {
        dlp_rng rng = dlp_rng_at(3, (uint64_t)i);
        double step[K] = {0}, e[K], total = 0;
        for (dlp_index a = 0; a < K; a++) {
            const double z = dlp_draw_normal(&rng);
            for (dlp_index k = a; k < K; k++) step[k] += 0.1 * corrected[a * K + k] * z;
        }
        for (dlp_index k = 0; k < K; k++) total += e[k] = exp(result.mu[k] + step[k]);
        for (dlp_index k = 0; k < K; k++) {
            sum[k] += e[k] / total;
            square[k] += e[k] / total * e[k] / total;
        }
    }
    for (dlp_index k = 0; k < K; k++) {
        const double mean = sum[k] / DRAWS;
        const double drawn = 10 * sqrt(square[k] / DRAWS - mean * mean);
        assert_near(drawn / sd[k], 1, 0.05);
    }
    dlp_document_posterior_free(posterior);
    dlp_topics_free(&topics);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* Keeps the number; one below 0 cancels. */
static int count_done(void *context, const dlp_progress *progress)
{
    dlp_index *kept = context;
    if (*kept < 0) return 1;
    *kept = progress->done;
    return 0;
}

/* Document completion against the protocol word by word. */
/* A document of one term has halves as long as ever, whatever is drawn; counts that are too
   many to draw are halved. */
/* The variance of theta_1 - theta_2 given how often there are terms 0
   and 1, by a sum over 2001 points. */
static double variance_by_points(const dlp_topics *t, const int32_t *count)
{
    const double variance = 2 * t->Sigma0[0], centre = t->Gamma[0] - t->Gamma[1];
    double sum[3] = {0};
    for (int i = -1000; i <= 1000; i++) {
        const double x = centre + 0.1 * i, pi = 1 / (1 + exp(-x));
        double log_p = -0.5 * (x - centre) * (x - centre) / variance;
        for (int v = 0; v < 2; v++)
            log_p += count[v] * log(pi * t->beta[v] + (1 - pi) * t->beta[t->V + v]);
        for (int power = 0; power < 3; power++) sum[power] += exp(log_p) * pow(x, power);
    }
    const double mean = sum[1] / sum[0];
    return sum[2] / sum[0] - mean * mean;
}

/* Two words that hardly occur in the topic to which eight others point: there are two
   modes, and where one of them ends the curvature vanishes. Its inverse was nearly seven
   times the prior's variance. */
static void test_words_tell_something(void **state)
{
    (void)state;
    enum { K = 2, V = 3 };
    const double beta[K * V] = {0.1, 0.01, 0.89, 0.0001, 0.02, 0.9799};
    const int32_t term[] = {0, 1}, count[] = {2, 8};
    dlp_topics topics;
    dlp_document_result result;
    assert_ok(dlp_topics_alloc(K, V, 1, &topics, error));
    memcpy(topics.beta, beta, sizeof beta);
    topics.Sigma0[0] = topics.Sigma0[3] = 4;
    for (int i = 0; i <= 160; i++) {
        dlp_document_posterior *posterior = NULL;
        double S[K * K];
        topics.Gamma[0] = -8 + 0.1 * i;
        assert_ok(dlp_document_posterior_alloc(&topics, NULL, &posterior, error));
        const dlp_document doc = {.n = 2, .term = term, .count = count};
        assert_ok(dlp_document_infer(posterior, &doc, &result, error));
        assert_int_equal(dlp_document_covariance(posterior, 1, S), 1);
        const double found = S[0] + S[3] - 2 * S[1];
        assert_true(found <= 8 / 0.95 + 1e-9);
        assert_true(found <= 1.1 * variance_by_points(&topics, count));
        dlp_document_posterior_free(posterior);
    }
    dlp_topics_free(&topics);
}

static void test_random_halves(void **state)
{
    (void)state;
    enum { V = 2 };
    dlp_index row[] = {0, 1, 3, 4};
    int32_t term[] = {0, 0, 1, 1}, count[] = {7, 2147483647, 3, 1};
    dlp_corpus corpus = {.D = 3,
                         .V = V,
                         .nnz = 4,
                         .words = 2147483658,
                         .row = row,
                         .term = term,
                         .count = count};
    double beta[] = {0.9, 0.1, 0.2, 0.8}, Gamma[] = {0, 0}, Sigma0[] = {1, 0, 0, 1};
    const dlp_topics topics = {2, V, 1, beta, Gamma, Sigma0};
    dlp_completion_settings s = dlp_completion_settings_default();
    dlp_completion one, three;
    assert_int_equal(s.random_halves, 0);
    s.random_halves = 1;
    s.threads = 1;
    assert_ok(dlp_topics_completion(&topics, &s, &corpus, NULL, &one, error));
    assert_int_equal(one.words, 3 + 1073741825 + 0);
    assert_int_equal(one.documents, 2);
    s.threads = 3;
    assert_ok(dlp_topics_completion(&topics, &s, &corpus, NULL, &three, error));
    assert_memory_equal(&one, &three, sizeof one);
}

/* Largest share and centred variance by hand: Sigma_0 = v I has C Sigma_0 C = v (1 - 1/K)
   on its diagonal. */
static void test_mixing(void **state)
{
    (void)state;
    double Sigma0[] = {30, 0, 0, 30};
    const dlp_topics topics = {.K = 2, .V = 1, .p = 1, .Sigma0 = Sigma0};
    const double sharp[] = {log(9), 0, 0, log(4)}, flat[] = {0, 0, 1, 1};
    dlp_topic_mixing m = dlpi_topics_mixing(&topics, 2, 40, sharp);
    assert_true(fabs(m.largest_share - 0.85) < 1e-12);
    assert_true(fabs(m.variance - 15) < 1e-12);
    assert_false(m.clusters);
    assert_true(fabs(m.largest_words - 17) < 1e-12);
    assert_false(m.few_words);
    assert_true(dlpi_topics_mixing(&topics, 2, 32, sharp).few_words);
    Sigma0[0] = Sigma0[3] = 32;
    assert_true(dlpi_topics_mixing(&topics, 2, 40, sharp).clusters);
    assert_false(
        dlpi_topics_mixing(&topics, 2, 32, sharp).few_words); /* one doubt is enough */
    assert_false(dlpi_topics_mixing(&topics, 2, 40, flat).clusters);
    Sigma0[0] = Sigma0[3] = 8;
    assert_false(dlpi_topics_mixing(&topics, 2, 40, sharp).clusters);
}

static void test_completion(void **state)
{
    (void)state;
    enum { D = 40, V = 30, K = 3 };
    dlp_corpus *corpus = make_corpus(D, V);
    dlp_topics_settings s = settings_for(K, "spectral");
    dlp_ctm *ctm = NULL;
    dlp_topics topics;
    dlp_document_posterior *posterior = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, &topics, error));
    for (dlp_index k = 0; k < K; k++) { /* a term that training never saw */
        topics.beta[k * V + 1] += topics.beta[k * V];
        topics.beta[k * V] = 0;
    }
    dlp_completion one, many;
    dlp_completion_settings scoring = dlp_completion_settings_default();
    dlp_index done = 0;
    assert_ok(dlp_topics_completion(&topics, NULL, corpus, NULL, &one, error));
    scoring.threads = 3;
    scoring.progress = count_done;
    scoring.context = &done;
    assert_ok(dlp_topics_completion(&topics, &scoring, corpus, NULL, &many, error));
    assert_memory_equal(&one, &many, sizeof one);
    assert_int_equal(done, corpus->D);
    done = -1; /* cancel */
    assert_ok(dlp_topics_completion(&topics, &scoring, corpus, NULL, &many, error));
    assert_int_equal(many.outcome, DLP_CANCELLED);
    assert_int_equal(many.words, 0);

    double sum = 0;
    dlp_index scored = 0, unseen = 0, documents = 0;
    assert_ok(dlp_document_posterior_alloc(&topics, NULL, &posterior, error));
    for (dlp_index d = 0; d < D; d++) {
        int32_t half[2][V] = {{0}}, term[V], count[V], turn = 0;
        for (dlp_index i = corpus->row[d]; i < corpus->row[d + 1]; i++)
            for (int32_t c = 0; c < corpus->count[i]; c++, turn ^= 1)
                half[turn][corpus->term[i]]++;
        dlp_document first = {.term = term, .count = count};
        for (dlp_index v = 0; v < V; v++)
            if (half[0][v]) {
                term[first.n] = v;
                count[first.n++] = half[0][v];
            }
        dlp_document_result result;
        double pi[K];
        assert_ok(dlp_document_infer(posterior, &first, &result, error));
        dlp_document_proportions(posterior, pi, NULL);
        unseen += half[0][0] + half[1][0];
        dlp_index here = 0;
        for (dlp_index v = 1; v < V; v++) {
            double p = 0;
            for (dlp_index k = 0; k < K; k++) p += topics.beta[k * V + v] * pi[k];
            if (half[1][v]) sum += half[1][v] * log(p);
            here += half[1][v];
        }
        scored += here;
        documents += here > 0;
    }
    assert_int_equal(one.documents, documents);
    assert_int_equal(one.words, scored);
    assert_int_equal(one.unseen_words, unseen);
    assert_close(one.log_likelihood, sum, 1e-12);
    dlp_document_posterior_free(posterior);
    dlp_topics_free(&topics);
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
        cmocka_unit_test(test_posterior_and_routes),
        cmocka_unit_test(test_uncertainty),
        cmocka_unit_test(test_words_tell_something),
        cmocka_unit_test(test_random_halves),
        cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_completion),
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

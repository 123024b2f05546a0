/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents read with known topics: the same mean by both routes, how uncertain proportions are, and
   held-out words. */
#include "topics/describe/topic_quality.h"
#include "topics_support.h"

#include "math/dense.h"

/* A fit, and its topics, which point into it. */
static dlp_ctm *fitted(const dlp_corpus *corpus, const dlp_topics_settings *settings,
                       dlp_topics *topics)
{
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, settings, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_ok(dlp_ctm_topics(ctm, topics, error));
    return ctm;
}

/* The two routes end at the same mean, and the posterior finds what EM found. */
static void test_posterior_and_routes(void **state)
{
    (void)state;
    enum { D = 60, V = 30, K = 3 };
    dlp_corpus *corpus = make_corpus(D, V);
    dlp_topics_settings s = settings_for(K, "spectral");
    s.document_tol = 1e-9;
    dlp_topics topics;
    dlp_ctm *ctm = fitted(corpus, &s, &topics);
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
    dlp_topics topics;
    dlp_ctm *ctm = fitted(corpus, &s, &topics);
    dlp_document_posterior *posterior = NULL;
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
    dlp_topics topics;
    dlp_ctm *ctm = fitted(corpus, &s, &topics);
    dlp_document_posterior *posterior = NULL;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_posterior_and_routes),
        cmocka_unit_test(test_uncertainty),
        cmocka_unit_test(test_words_tell_something),
        cmocka_unit_test(test_random_halves),
        cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_completion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

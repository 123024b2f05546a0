/* SPDX-License-Identifier: BSD-3-Clause */
/* A corpus drawn from known topics: EM finds them again, correlations come out with their
   sign, and the intervals of the proportions cover the truth about as often as they say. */
#include "support.h"

enum { K = 5, V = 400, D = SANITISED ? 500 : 1500, WORDS = 150 };

typedef struct truth {
    dlp_topics topics;
    dlp_corpus *corpus;
    double theta[D][K];
    dlp_topics found;
    dlp_index match[K]; /* the true topic of each one found */
} truth;

static double overlap(const double *a, const double *b)
{
    double sum = 0;
    for (dlp_index v = 0; v < V; v++) sum += fmin(a[v], b[v]);
    return sum;
}

static void match_topics(truth *t)
{
    bool taken[K] = {false};
    for (dlp_index k = 0; k < K; k++) {
        double best = -1;
        for (dlp_index j = 0; j < K; j++) {
            const double here = overlap(t->found.beta + k * V, t->topics.beta + j * V);
            if (here > best) {
                best = here;
                t->match[k] = j;
            }
        }
        assert_true(best > 0.85); /* two true topics share less than half */
        assert_false(taken[t->match[k]]);
        taken[t->match[k]] = true;
    }
}

static int set_up(void **state)
{
    truth *t = calloc(1, sizeof *t);
    dlp_topics_settings s = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_simulate_topics(K, V, 0.1, 5, &t->topics, error));
    assert_ok(
        dlp_simulate_ctm(&t->topics, NULL,
                         &(dlp_simulate_settings){.size = sizeof(dlp_simulate_settings),
                                                  .documents = D,
                                                  .words = WORDS,
                                                  .seed = 5,
                                                  .threads = 1},
                         &t->corpus, t->theta[0], error));
    assert_ok(dlp_corpus_check(t->corpus, error));
    s.K = K;
    s.threads = 1;
    s.tol = 1e-7;
    s.threads = 2;
    assert_ok(dlp_ctm_alloc(t->corpus, NULL, &s, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    assert_int_equal(dlp_ctm_result(ctm)->outcome, DLP_CONVERGED);
    assert_ok(dlp_ctm_topics(ctm, &t->found, error));
    dlp_ctm_free(ctm);
    match_topics(t);
    *state = t;
    return 0;
}

static int tear_down(void **state)
{
    truth *t = *state;
    dlp_topics_free(&t->topics);
    dlp_topics_free(&t->found);
    dlp_corpus_free(t->corpus);
    free(t);
    return 0;
}

/* Correlations of theta less its mean over topics: a shift of theta changes nothing in
   the words (erratum E7). */
static void centred_correlations(const double *Sigma, double C[K][K])
{
    double mean[K] = {0}, all = 0;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++) mean[i] += Sigma[i * K + j] / K;
    for (dlp_index i = 0; i < K; i++) all += mean[i] / K;
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++)
            C[i][j] = Sigma[i * K + j] - mean[i] - mean[j] + all;
    double sd[K];
    for (dlp_index i = 0; i < K; i++) sd[i] = sqrt(C[i][i]);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < K; j++) C[i][j] /= sd[i] * sd[j];
}

static void test_correlations(void **state)
{
    const truth *t = *state;
    double want[K][K], got[K][K];
    int strong = 0;
    centred_correlations(t->topics.Sigma0, want);
    centred_correlations(t->found.Sigma0, got);
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < i; j++) {
            const double w = want[t->match[i]][t->match[j]];
            assert_near(got[i][j], w, 0.2);
            if (fabs(w) < 0.25) continue;
            strong++;
            assert_true(got[i][j] * w > 0);
        }
    assert_true(strong > 0);
}

/* The share of 95 % intervals, by the corrected sd on the log-ratio scale, that contain
   the true theta_k minus its mean, given the true topics. */
static double coverage(const truth *t, int corrected)
{
    dlp_document_posterior *posterior = NULL;
    dlp_index inside = 0;
    assert_ok(dlp_document_posterior_alloc(&t->topics, NULL, &posterior, error));
    for (dlp_index d = 0; d < D; d++) {
        const dlp_document doc = dlp_corpus_document(t->corpus, d);
        dlp_document_result result;
        double Sigma[K * K], mean[K] = {0}, all = 0, mu = 0, true_mean = 0;
        assert_ok(dlp_document_infer(posterior, &doc, &result, error));
        dlp_document_covariance(posterior, corrected, Sigma);
        for (dlp_index k = 0; k < K; k++) {
            mu += result.mu[k] / K;
            true_mean += t->theta[d][k] / K;
            for (dlp_index j = 0; j < K; j++) mean[k] += Sigma[k * K + j] / K;
        }
        for (dlp_index k = 0; k < K; k++) all += mean[k] / K;
        for (dlp_index k = 0; k < K; k++) {
            const double sd = sqrt(Sigma[k * (K + 1)] - 2 * mean[k] + all);
            const double off = result.mu[k] - mu - (t->theta[d][k] - true_mean);
            inside += fabs(off) <= 1.96 * sd;
        }
    }
    dlp_document_posterior_free(posterior);
    return (double)inside / (D * K);
}

static void test_coverage(void **state)
{
    const double paper = coverage(*state, 0), corrected = coverage(*state, 1);
    print_message("95 %% intervals cover %.1f %% (corrected), %.1f %% (given q(z))\n",
                  100 * corrected, 100 * paper);
    assert_near(corrected, 0.95, 0.02);
    assert_true(paper < corrected);
}

/* A document's words depend on the seed and its number, not on threads or D. */
static void test_simulation_is_keyed(void **state)
{
    const truth *t = *state;
    dlp_corpus *few = NULL;
    double theta[20][K];
    assert_ok(
        dlp_simulate_ctm(&t->topics, NULL,
                         &(dlp_simulate_settings){.size = sizeof(dlp_simulate_settings),
                                                  .documents = 20,
                                                  .words = WORDS,
                                                  .seed = 5,
                                                  .threads = 3},
                         &few, theta[0], error));
    assert_memory_equal(theta, t->theta, sizeof theta);
    assert_memory_equal(few->term, t->corpus->term, (size_t)few->nnz * sizeof *few->term);
    assert_memory_equal(few->count, t->corpus->count,
                        (size_t)few->nnz * sizeof *few->count);
    dlp_corpus_free(few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_simulation_is_keyed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

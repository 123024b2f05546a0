/* SPDX-License-Identifier: BSD-3-Clause */
/* What is read off a topic model, against the definitions written out plainly. */
#include "support.h"
#include "topics/describe/topic_quality.h"

#include "failing_allocator.h"
#include "topics/describe/topic_words.h"

enum { K = 4, V = 30, UNSEEN = 7, D = 70, N = 5 };

typedef struct sample {
    dlp_topics topics;
    dlp_corpus *corpus;
} sample;

/* Topics over all terms but one, some of them with the same probabilities, and documents
   that have a few words of each. */
static int set_up(void **state)
{
    sample *s = calloc(1, sizeof *s);
    dlp_rng rng = dlp_rng_at(385, 0);
    assert_ok(dlp_topics_alloc(K, V, 1, &s->topics, error));
    for (dlp_index k = 0; k < K; k++) {
        double alpha[V];
        for (dlp_index v = 0; v < V; v++) alpha[v] = v == UNSEEN ? 1e-300 : 0.3;
        dlp_draw_dirichlet(&rng, V, alpha, s->topics.beta + k * V);
        s->topics.beta[k * V + UNSEEN] = 0;
        const double mean = (s->topics.beta[k * V + 3] + s->topics.beta[k * V + 12]) / 2;
        s->topics.beta[k * V + 3] = s->topics.beta[k * V + 12] = mean;
        for (dlp_index j = 0; j < K; j++)
            s->topics.Sigma0[k * K + j] = (k == j) * 0.7 + 0.1 * (double)(k * j);
    }
    int32_t count[D * V] = {0};
    for (dlp_index i = 0; i < (dlp_index)D * V; i++)
        count[i] = i % V != UNSEEN && dlp_draw_uniform(&rng) < 0.25;
    for (dlp_index d = 0; d < D; d++) count[d * V + 1] = 1; /* in every document */
    assert_ok(dlp_corpus_from_counts(D, V, count, &s->corpus, error));
    *state = s;
    return 0;
}

static int tear_down(void **state)
{
    sample *s = *state;
    dlp_topics_free(&s->topics);
    dlp_corpus_free(s->corpus);
    free(s);
    return 0;
}

/* ---- words ---- */

static double exclusivity_of(const dlp_topics *t, dlp_index k, dlp_index v)
{
    double total = 0;
    for (dlp_index j = 0; j < t->K; j++) total += t->beta[j * t->V + v];
    return t->beta[k * t->V + v] / total;
}

static double frex_of(const dlp_topics *t, dlp_index k, dlp_index v)
{
    double common = 0, own = 0, seen = 0;
    for (dlp_index u = 0; u < t->V; u++) {
        if (u == UNSEEN) continue;
        seen++;
        common += t->beta[k * t->V + u] <= t->beta[k * t->V + v];
        own += exclusivity_of(t, k, u) <= exclusivity_of(t, k, v) * (1 + 1e-14);
    }
    return 1 / (0.5 / (common / seen) + 0.5 / (own / seen));
}

/* Every word is scored as defined, none is left out that should come before another. */
static void check_order(const dlp_topics *t, const dlp_topic_words *words,
                        dlp_word_order order)
{
    for (dlp_index k = 0; k < t->K; k++) {
        bool listed[V] = {false};
        const dlp_index *term = words->term + k * words->n;
        const double *score = words->score + k * words->n;
        for (dlp_index i = 0; i < words->n; i++) {
            const double p = t->beta[k * t->V + term[i]];
            assert_false(listed[term[i]]);
            listed[term[i]] = true;
            assert_near(score[i], order == DLP_BY_FREX ? frex_of(t, k, term[i]) : p,
                        1e-14);
            if (i == 0) continue;
            const double before = t->beta[k * t->V + term[i - 1]];
            assert_true(score[i - 1] >= score[i]);
            if (score[i - 1] == score[i]) assert_true(before >= p);
            if (score[i - 1] == score[i] && before == p)
                assert_true(term[i - 1] < term[i]);
        }
        for (dlp_index v = 0; v < V; v++) {
            const double rest =
                order == DLP_BY_FREX ? frex_of(t, k, v) : t->beta[k * V + v];
            if (!listed[v] && v != UNSEEN) assert_true(rest <= score[words->n - 1]);
        }
        assert_false(listed[UNSEEN]);
    }
}

static void words_are_ranked_as_defined(void **state)
{
    const sample *s = *state;
    const dlp_word_order orders[] = {DLP_BY_PROBABILITY, DLP_BY_FREX};
    const dlp_index wanted[] = {1, N, V - 1, V, 300};
    for (size_t o = 0; o < 2; o++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            dlp_topic_words words;
            assert_ok(dlp_topics_words(&s->topics, orders[o], wanted[i], &words, error));
            assert_int_equal(words.n, wanted[i] < V ? wanted[i] : V - 1);
            check_order(&s->topics, &words, orders[o]);
            dlp_topic_words_free(&words);
        }
}

/* The word with the largest score of all terms is among those that can be ranked. */
static void assert_among(const dlp_word_scores *w, dlp_index k, const double *score)
{
    dlp_index best = 0;
    bool is_there = false;
    for (dlp_index v = 1; v < V; v++)
        if (score[v] > score[best]) best = v;
    for (dlp_index i = w->row[k]; i < w->row[k + 1]; i++) is_there |= w->term[i] == best;
    assert_true(is_there);
}

static double relevance_of(const dlp_topics *t, dlp_index k, dlp_index v, double p,
                           double weight)
{
    const double b = t->beta[k * t->V + v];
    return b > 0 ? weight * log(b) + (1 - weight) * log(b / p) : -HUGE_VAL;
}

static void scores_serve_every_weight(void **state)
{
    const dlp_topics *t = &((sample *)*state)->topics;
    const double share[K] = {0.1, 0.2, 0.3, 0.4};
    dlp_word_scores w;
    assert_ok(dlp_topics_word_scores(t, share, N, 2, &w, error));
    double all = 0;
    for (dlp_index v = 0; v < V; v++) all += w.marginal[v];
    assert_near(all, 1, 1e-12);
    for (dlp_index k = 0; k < K; k++) {
        assert_true(w.row[k + 1] - w.row[k] >= N);
        for (dlp_index i = w.row[k]; i < w.row[k + 1]; i++) {
            assert_near(2 / (1 / w.common[i] + 1 / w.own[i]), frex_of(t, k, w.term[i]),
                        1e-12);
            if (i > w.row[k])
                assert_true(t->beta[k * V + w.term[i - 1]] >= t->beta[k * V + w.term[i]]);
        }
        for (int step = 0; step <= 10; step++) {
            double score[V];
            for (dlp_index v = 0; v < V; v++)
                score[v] = relevance_of(t, k, v, w.marginal[v], step / 10.0);
            assert_among(&w, k, score);
        }
    }
    dlp_word_scores_free(&w);
    assert_fails(dlp_topics_word_scores(t, NULL, N, 2, &w, error), DLP_EINVAL, "shares");
}

static void no_words_are_few(void **state)
{
    const sample *s = *state;
    dlp_topic_words words;
    double exclusivity[K], coherence[K];
    assert_ok(dlp_topics_words(&s->topics, DLP_BY_FREX, 0, &words, error));
    assert_int_equal(words.n, 0);
    dlpi_topics_exclusivity(&s->topics, &words, exclusivity);
    assert_ok(dlp_topics_coherence(&words, s->corpus, coherence, error));
    assert_true(isnan(exclusivity[0]) && isnan(coherence[0]));
    dlp_topic_words_free(&words);
    assert_fails(dlp_topics_words(&s->topics, DLP_BY_FREX, -1, &words, error), DLP_EINVAL,
                 "-1 words");
}

/* Words of one topic alone, whose exclusivities all round to 1, still have an order. */
static void nearly_exclusive_words_have_an_order(void **state)
{
    (void)state;
    const double beta[2][4] = {{0.25, 0.25, 0.25, 0.25}, {1e-20, 1e-19, 1e-18, 1}};
    dlp_topics t = {.K = 2, .V = 4, .p = 1};
    double Gamma[2] = {0}, Sigma0[4] = {1, 0, 0, 1}, copy[8];
    memcpy(copy, beta, sizeof copy);
    t.beta = copy, t.Gamma = Gamma, t.Sigma0 = Sigma0;
    dlp_topic_words words;
    assert_ok(dlp_topics_words(&t, DLP_BY_FREX, 4, &words, error));
    for (dlp_index i = 0; i < 4; i++) assert_int_equal(words.term[i], i);
    dlp_topic_words_free(&words);
}

static void shares_are_counted_by_bits(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static double x[MANY], share[MANY];
    static dlpi_ranked work[2 * MANY];
    dlp_rng rng = dlp_rng_at(2385, 0);
    for (dlp_index i = 0; i < MANY; i++)
        x[i] = i % 7 == 0 ? floor(20 * dlp_draw_uniform(&rng))
                          : exp(600 * dlp_draw_normal(&rng));
    x[5] = INFINITY;
    x[6] = -0.0;
    dlpi_shares_below(MANY, x, work, share);
    for (dlp_index i = 0; i < MANY; i++) {
        double below = 0;
        for (dlp_index j = 0; j < MANY; j++) below += x[j] <= x[i];
        assert_near(share[i], below / MANY, 0);
    }
}

/* ---- prevalence and correlations ---- */

static void prevalence_is_a_mean_of_proportions(void **state)
{
    (void)state;
    const double theta[3][2] = {{0, log(3)}, {700, 700}, {-1000, 1000}};
    double prevalence[2];
    dlp_topics_prevalence(3, 2, theta[0], prevalence);
    assert_near(prevalence[0], (0.25 + 0.5 + 0) / 3, 1e-15);
    assert_near(prevalence[1], (0.75 + 0.5 + 1) / 3, 1e-15);
}

static void correlations_are_of_centred_log_ratios(void **state)
{
    const sample *s = *state;
    double C[K][K], S[K][K] = {{0}}, R[K * K];
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++) C[i][j] = (i == j) - 1.0 / K;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            for (int a = 0; a < K; a++)
                for (int b = 0; b < K; b++)
                    S[i][j] += C[i][a] * s->topics.Sigma0[a * K + b] * C[b][j];
    dlp_topics_correlations(&s->topics, R);
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            assert_near(R[i * K + j], S[i][j] / sqrt(S[i][i] * S[j][j]), 1e-13);
}

/* Sigma_0 + a 1' + 1 a' is the same distribution of proportions. */
static void correlations_ignore_shifts(void **state)
{
    const sample *s = *state;
    double moved[K * K], before[K * K], after[K * K];
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            moved[i * K + j] = s->topics.Sigma0[i * K + j] + 0.3 * i + 0.3 * j + 2.385;
    dlp_topics shifted = s->topics;
    shifted.Sigma0 = moved;
    dlp_topics_correlations(&s->topics, before);
    dlp_topics_correlations(&shifted, after);
    for (int i = 0; i < K * K; i++) assert_near(after[i], before[i], 1e-13);
}

static void topics_apart_have_the_correlation_of_parts(void **state)
{
    const sample *s = *state;
    double unit[K * K] = {0}, R[K * K];
    for (dlp_index i = 0; i < K; i++) unit[i * (K + 1)] = 0.6;
    dlp_topics apart = s->topics;
    apart.Sigma0 = unit;
    dlp_topics_correlations(&apart, R);
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            assert_near(R[i * K + j], i == j ? 1 : -1.0 / 3, 1e-14);
}

static void the_strongest_pairs_come_first(void **state)
{
    (void)state;
    const double R[16] = {1,    0.2, -0.9, 0.2, 0.2, 1,    0.5, -0.5,
                          -0.9, 0.5, 1,    0.1, 0.2, -0.5, 0.1, 1};
    const dlp_topic_pair wanted[] = {{0, 2, -0.9}, {1, 2, 0.5}, {1, 3, -0.5},
                                     {0, 1, 0.2},  {0, 3, 0.2}, {2, 3, 0.1}};
    for (dlp_index n = 0; n < 9; n++) {
        dlp_topic_pair pair[9];
        const dlp_index found = dlp_topics_strongest(K, R, n, pair);
        assert_int_equal(found, n < 6 ? n : 6);
        for (dlp_index i = 0; i < found; i++) {
            assert_int_equal(pair[i].i, wanted[i].i);
            assert_int_equal(pair[i].j, wanted[i].j);
            assert_near(pair[i].correlation, wanted[i].correlation, 0);
        }
    }
}

/* A pair counts when all of its interval is above the threshold. */
static void as_many_pairs_go_together_as_wanted(void **state)
{
    (void)state;
    const double lower[] = {0.3, -0.2, 0.1, 0.3, 0, 0.25, 0.05};
    const double wanted[] = {0.3, 0.3, 0.25, 0.1, 0.05, 0, 0};
    enum { PAIRS = sizeof lower / sizeof *lower };
    dlp_topic_association pair[PAIRS];
    double threshold = NAN;
    for (int p = 0; p < PAIRS; p++)
        pair[p] = (dlp_topic_association){.correlation = 0.5, .lower = lower[p]};
    for (dlp_index most = 0; most < PAIRS; most++) {
        dlp_index above = 0;
        assert_ok(dlp_topics_threshold(PAIRS, pair, most, &threshold, error));
        assert_true(threshold == wanted[most]);
        for (int p = 0; p < PAIRS; p++)
            above += dlp_topics_go_together(&pair[p], threshold);
        assert_true(above <= most);
    }
    assert_ok(dlp_topics_threshold(0, pair, 3, &threshold, error));
    assert_true(threshold == 0);
}

/* ---- coherence and exclusivity ---- */

static bool has_word(const dlp_corpus *c, dlp_index d, dlp_index v)
{
    for (dlp_index i = c->row[d]; i < c->row[d + 1]; i++)
        if (c->term[i] == v) return true;
    return false;
}

static double npmi_of(const dlp_corpus *c, dlp_index v, dlp_index w)
{
    double first = 0, second = 0, both = 0;
    for (dlp_index d = 0; d < c->D; d++) {
        first += has_word(c, d, v);
        second += has_word(c, d, w);
        both += has_word(c, d, v) && has_word(c, d, w);
    }
    const double n = (double)c->D;
    if (both == 0) return -1;
    if (both == n) return 1;
    return (log(both / n) - log(first / n) - log(second / n)) / -log(both / n);
}

static void coherence_is_a_mean_over_pairs(void **state)
{
    const sample *s = *state;
    dlp_topic_words words;
    double coherence[K], exclusivity[K];
    assert_ok(dlp_topics_words(&s->topics, DLP_BY_PROBABILITY, N, &words, error));
    assert_ok(dlp_topics_coherence(&words, s->corpus, coherence, error));
    dlpi_topics_exclusivity(&s->topics, &words, exclusivity);
    for (dlp_index k = 0; k < K; k++) {
        const dlp_index *term = words.term + k * N;
        double sum = 0, own = 0;
        for (int i = 0; i < N; i++) own += exclusivity_of(&s->topics, k, term[i]);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < i; j++) sum += npmi_of(s->corpus, term[i], term[j]);
        assert_near(coherence[k], sum / (N * (N - 1) / 2.0), 1e-13);
        assert_near(exclusivity[k], own / N, 1e-14);
    }
    dlp_topic_words_free(&words);
}

static void pairs_at_the_ends_are_defined(void **state)
{
    (void)state;
    /* 0 and 1 are in every document, 2 and 3 always together, 4 nowhere */
    const int32_t x[] = {1, 1, 1, 2, 0, 3, 1, 0, 0, 0, 1, 1, 2, 1, 0};
    dlp_index pair[][2] = {{0, 1}, {2, 3}, {0, 2}, {2, 4}};
    const double wanted[] = {1, 1, 0, -1};
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_from_counts(3, 5, x, &corpus, error));
    double score[2], coherence;
    for (int i = 0; i < 4; i++) {
        const dlp_topic_words words = {.K = 1, .n = 2, .term = pair[i], .score = score};
        assert_ok(dlp_topics_coherence(&words, corpus, &coherence, error));
        assert_near(coherence, wanted[i], 1e-15);
    }
    pair[0][1] = 5;
    const dlp_topic_words beyond = {.K = 1, .n = 2, .term = pair[0], .score = score};
    assert_fails(dlp_topics_coherence(&beyond, corpus, &coherence, error), DLP_EINPUT,
                 "same vocabulary");
    dlp_corpus_free(corpus);
}

static void memory_that_lacks_is_an_error(void **state)
{
    const sample *s = *state;
    dlp_status status = DLP_ENOMEM;
    int n = 0;
    for (; status == DLP_ENOMEM; n++) {
        dlp_topic_words words;
        double coherence[K];
        allocations_left = n;
        status = dlp_topics_words(&s->topics, DLP_BY_FREX, N, &words, NULL);
        if (status == DLP_OK)
            status = dlp_topics_coherence(&words, s->corpus, coherence, NULL);
        allocations_left = -1;
        dlp_topic_words_free(&words);
    }
    assert_int_equal(status, DLP_OK);
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_ranked_as_defined),
        cmocka_unit_test(scores_serve_every_weight),
        cmocka_unit_test(no_words_are_few),
        cmocka_unit_test(nearly_exclusive_words_have_an_order),
        cmocka_unit_test(shares_are_counted_by_bits),
        cmocka_unit_test(prevalence_is_a_mean_of_proportions),
        cmocka_unit_test(correlations_are_of_centred_log_ratios),
        cmocka_unit_test(correlations_ignore_shifts),
        cmocka_unit_test(topics_apart_have_the_correlation_of_parts),
        cmocka_unit_test(the_strongest_pairs_come_first),
        cmocka_unit_test(as_many_pairs_go_together_as_wanted),
        cmocka_unit_test(coherence_is_a_mean_over_pairs),
        cmocka_unit_test(pairs_at_the_ends_are_defined),
        cmocka_unit_test(memory_that_lacks_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The spectral start: against the dense matrices it never forms, on corpora whose topics
   are known, on corpora that have none, and that threads do not change a bit. */
#include "failing_allocator.h"
#include "support.h"
#include "topics/spectral/spectral.h"
#include "topics/spectral/spectral_parts.h"

/* A corpus of counts x (D, V) and its transpose. */
typedef struct pair {
    dlp_corpus *corpus;
} pair;

static pair pair_of(dlp_index D, dlp_index V, const int32_t *x)
{
    pair p;
    assert_ok(dlp_corpus_from_counts(D, V, x, &p.corpus, error));
    return p;
}

static void pair_free(pair *p)
{
    dlp_corpus_free(p->corpus);
}

/* D documents over V terms, of 0, 1, 2, ... 60 words, with a few favourite terms each. */
static int32_t *draw_counts(dlp_index D, dlp_index V)
{
    int32_t *x = calloc((size_t)(D * V), sizeof *x);
    double *alpha = calloc((size_t)V, sizeof *alpha), *z = calloc((size_t)V, sizeof *z);
    for (dlp_index i = 0; i < V; i++) alpha[i] = 2.385 / (double)(i + 3);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(2385, (uint64_t)d);
        dlp_draw_dirichlet(&rng, V, alpha, z);
        for (dlp_index n = 0; n < d % 61; n++)
            x[d * V + dlp_draw_categorical(&rng, V, z)]++;
    }
    free(alpha);
    free(z);
    return x;
}

/* Qbar (V, V), in the plainest way. */
static double *dense_qbar(dlp_index D, dlp_index V, const int32_t *x)
{
    double *Q = calloc((size_t)(V * V), sizeof *Q);
    for (dlp_index d = 0; d < D; d++) {
        double n = 0;
        for (dlp_index i = 0; i < V; i++) n += x[d * V + i];
        for (dlp_index i = 0; n >= 2 && i < V; i++)
            for (dlp_index j = 0; j < V; j++)
                Q[i * V + j] +=
                    x[d * V + i] * (double)(x[d * V + j] - (i == j)) / (n * (n - 1));
    }
    for (dlp_index i = 0; i < V; i++) {
        double sum = 0;
        for (dlp_index j = 0; j < V; j++) sum += Q[i * V + j];
        for (dlp_index j = 0; sum > 0 && j < V; j++) Q[i * V + j] /= sum;
    }
    return Q;
}

static double inner(dlp_index n, const double *x, const double *y)
{
    double sum = 0;
    for (dlp_index i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* M (V, V) = Qbar Qbar' with the products of a document with itself left out of the
   diagonal. */
static double *dense_products(dlp_index D, dlp_index V, const int32_t *x)
{
    double *Qbar = dense_qbar(D, V, x), *M = calloc((size_t)(V * V), sizeof *M);
    double *total = calloc((size_t)V, sizeof *total);
    for (dlp_index i = 0; i < V; i++)
        for (dlp_index j = 0; j < V; j++)
            M[i * V + j] = inner(V, Qbar + i * V, Qbar + j * V);
    for (int pass = 0; pass < 2; pass++) /* the row sums of Q, then the products */
        for (dlp_index d = 0; d < D; d++) {
            double n = 0;
            for (dlp_index i = 0; i < V; i++) n += x[d * V + i];
            for (dlp_index i = 0; n >= 2 && i < V; i++)
                for (dlp_index j = 0; j < V; j++) {
                    const double q =
                        x[d * V + i] * (double)(x[d * V + j] - (i == j)) / (n * (n - 1));
                    if (pass == 0) total[i] += q;
                    if (pass == 1 && q > 0)
                        M[i * V + i] -= (q / total[i]) * (q / total[i]);
                }
        }
    free(Qbar);
    free(total);
    return M;
}

static void test_cooccurrence_is_the_dense_one(void **state)
{
    (void)state;
    enum { D = 83, V = 37 };
    int32_t *x = draw_counts(D, V);
    double *Qbar = dense_qbar(D, V, x), *M = dense_products(D, V, x);
    double square[V], noise[V], row[V], v[V], product[V];
    pair p = pair_of(D, V, x);
    dlpi_cooccurrence Q;
    assert_ok(dlpi_cooccurrence_init(p.corpus, INFINITY, 2, &Q, error));
    dlpi_cooccurrence_squares(&Q, square, noise);
    for (dlp_index i = 0; i < V; i++) v[i] = sin(2.385 * (double)i);
    dlpi_cooccurrence_times(&Q, v, product);
    for (dlp_index i = 0; i < V; i++) {
        const double *want = Qbar + i * V;
        assert_near(square[i], inner(V, want, want), 1e-14);
        assert_near(square[i] - noise[i], M[i * V + i], 1e-14);
        assert_near(product[i], inner(V, want, v), 1e-14);
        dlpi_cooccurrence_row(&Q, i, row);
        for (dlp_index j = 0; j < V; j++) assert_near(row[j], want[j], 1e-15);
    }
    dlpi_cooccurrence_clear(&Q);
    pair_free(&p);
    free(Qbar);
    free(M);
    free(x);
}

/* A step of the factorisation on the dense matrix: the largest of the diagonal, and what
   remains of M when its row is projected out. */
static dlp_index project_out_farthest(dlp_index V, double *M)
{
    dlp_index s = 0;
    double row[64];
    assert_true(V <= 64);
    for (dlp_index i = 1; i < V; i++)
        if (M[i * V + i] > M[s * V + s]) s = i;
    memcpy(row, M + s * V, (size_t)V * sizeof *row);
    for (dlp_index i = 0; i < V; i++)
        for (dlp_index j = 0; j < V; j++) M[i * V + j] -= row[i] * row[j] / row[s];
    return s;
}

static void test_anchors_and_their_gram_matrix(void **state)
{
    (void)state;
    enum { D = 300, V = 37, K = 5 };
    int32_t *x = draw_counts(D, V);
    double *M = dense_products(D, V, x), *rest = dense_products(D, V, x);
    double P[V * K], work[5 * V];
    dlp_index anchors[K];
    pair p = pair_of(D, V, x);
    dlpi_cooccurrence Q;
    assert_ok(dlpi_cooccurrence_init(p.corpus, INFINITY, 2, &Q, error));
    const struct dlpi_spectral_report made =
        dlpi_anchors_find(&Q, K, 1, P, anchors, work);
    assert_int_equal(made.found, K);
    assert_true(made.noise_share == 1);
    for (dlp_index k = 0; k < K; k++)
        assert_int_equal(anchors[k], project_out_farthest(V, rest));
    for (dlp_index i = 0; i < V; i++)
        for (dlp_index k = 0; k < K; k++)
            assert_near(inner(K, P + i * K, P + anchors[k] * K), M[i * V + anchors[k]],
                        1e-13);
    dlpi_cooccurrence_clear(&Q);
    pair_free(&p);
    free(M);
    free(rest);
    free(x);
}

/* At the minimum over the simplex the gradient G c - h is the same over the support and
   nowhere less. */
static void check_nearest(dlp_index n, const double *G, const double *h, const double *c)
{
    double level = 0, sum = 0;
    for (dlp_index k = 0; k < n; k++) {
        assert_true(c[k] >= 0);
        sum += c[k];
        level += c[k] * (inner(n, G + k * n, c) - h[k]);
    }
    assert_near(sum, 1, 1e-12);
    for (dlp_index k = 0; k < n; k++) {
        const double gradient = inner(n, G + k * n, c) - h[k];
        assert_true(gradient > level - 1e-7);
        if (c[k] > 0) assert_near(gradient, level, 1e-7);
    }
}

static void test_nearest_point_of_a_hull(void **state)
{
    (void)state;
    enum { N = 24, WIDE = 31 };
    double A[N * WIDE], G[N * N], a[WIDE], h[N], c[N];
    for (dlp_index n = 1; n <= N; n++) {
        dlp_rng rng = dlp_rng_at(1013, (uint64_t)n);
        double *numbers = calloc((size_t)dlpi_hull_numbers(n), sizeof *numbers);
        dlp_index *indices = calloc((size_t)n, sizeof *indices);
        dlpi_hull hull;
        for (dlp_index k = 0; k < n * WIDE; k++) A[k] = dlp_draw_uniform(&rng);
        for (dlp_index k = 0; k < n; k++)
            for (dlp_index l = 0; l < n; l++)
                G[k * n + l] = inner(WIDE, A + k * WIDE, A + l * WIDE);
        dlpi_hull_init(&hull, n, G, numbers, indices);
        for (int repeat = 0; repeat < 50; repeat++) {
            /* from near a mixture of all the points to far from every one */
            for (dlp_index j = 0; j < WIDE; j++) {
                a[j] = 0.05 * repeat * dlp_draw_normal(&rng);
                for (dlp_index k = 0; k < n; k++) a[j] += A[k * WIDE + j] / (double)n;
            }
            for (dlp_index k = 0; k < n; k++) h[k] = inner(WIDE, A + k * WIDE, a);
            dlpi_hull_nearest(&hull, h, c);
            check_nearest(n, G, h, c);
        }
        dlpi_hull_nearest(&hull, G, c); /* h of the first point itself */
        for (dlp_index k = 0; k < n; k++) assert_true(c[k] == (k == 0));
        free(numbers);
        free(indices);
    }
}

/* Topics of a separable corpus: term k belongs to topic k alone, the other terms to all
   topics in shares that differ. */
enum { TOPICS = 5, TERMS = 40 };

static void separable_topics(double beta[TERMS * TOPICS])
{
    double sum[TOPICS] = {0};
    dlp_rng rng = dlp_rng_at(77, 0);
    for (dlp_index i = 0; i < TERMS; i++)
        for (dlp_index k = 0; k < TOPICS; k++) {
            const double u = dlp_draw_uniform(&rng);
            beta[i * TOPICS + k] = i >= TOPICS ? u * u : i == k ? 0.7 : 0;
            sum[k] += beta[i * TOPICS + k];
        }
    for (int i = 0; i < TERMS * TOPICS; i++) beta[i] /= sum[i % TOPICS];
}

/* Documents so long that the counts are the probabilities. What is left out of the rows'
   lengths is one in D of them, and with it goes what the recovery misses. */
static pair separable_corpus(const double *beta)
{
    enum { D = 4000 };
    const double alpha[TOPICS] = {0.3, 0.5, 0.2, 0.4, 0.6}, words = 1e8;
    int32_t *x = calloc((size_t)D * TERMS, sizeof *x);
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(78, (uint64_t)d);
        double theta[TOPICS];
        dlp_draw_dirichlet(&rng, TOPICS, alpha, theta);
        for (dlp_index i = 0; i < TERMS; i++)
            x[d * TERMS + i] =
                (int32_t)lround(words * inner(TOPICS, theta, beta + i * TOPICS));
    }
    pair p = pair_of(D, TERMS, x);
    free(x);
    return p;
}

static void test_separable_topics_are_recovered(void **state)
{
    (void)state;
    double truth[TERMS * TOPICS], beta[TERMS * TOPICS];
    dlp_index anchors[TOPICS];
    bool seen[TOPICS] = {false};
    struct dlpi_spectral_report report;
    struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    settings.smoothing = 1e-9;
    separable_topics(truth);
    pair p = separable_corpus(truth);
    assert_ok(
        dlpi_spectral_topics(p.corpus, TOPICS, &settings, beta, anchors, &report, error));
    assert_int_equal(report.found, TOPICS);
    assert_int_equal(report.min_docs, settings.min_docs);
    for (dlp_index k = 0; k < TOPICS; k++) {
        const dlp_index topic = anchors[k];
        assert_in_range(topic, 0, TOPICS - 1);
        assert_false(seen[topic]);
        seen[topic] = true;
        for (dlp_index i = 0; i < TERMS; i++)
            assert_near(beta[i * TOPICS + k], truth[i * TOPICS + topic], 1e-3);
    }
    pair_free(&p);
}

static void check_topics(dlp_index V, dlp_index K, const double *beta)
{
    for (dlp_index k = 0; k < K; k++) {
        double sum = 0;
        for (dlp_index i = 0; i < V; i++) {
            assert_true(beta[i * K + k] > 0);
            sum += beta[i * K + k];
        }
        assert_near(sum, 1, 1e-12);
    }
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    enum { D = 400, V = 300, K = 17 };
    const size_t size = (size_t)V * K * sizeof(double);
    int32_t *x = draw_counts(D, V);
    double *first = malloc(size), *beta = malloc(size);
    const int threads[] = {1, 2, 3, 7, 1, 2, 3};
    const double memory[] = {INFINITY, INFINITY, INFINITY, INFINITY, 0, 4e4, 3e5};
    dlp_index anchors[2][K];
    pair p = pair_of(D, V, x);
    for (int t = 0; t < 7; t++) {
        struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
        settings.threads = threads[t];
        settings.memory = memory[t];
        assert_ok(dlpi_spectral_topics(p.corpus, K, &settings, t == 0 ? first : beta,
                                       anchors[t > 0], NULL, error));
        if (t == 0) continue;
        assert_memory_equal(beta, first, size);
        assert_memory_equal(anchors[1], anchors[0], sizeof anchors[0]);
    }
    check_topics(V, K, first);
    pair_free(&p);
    free(first);
    free(beta);
    free(x);
}

/* Topics of counts x (D, V), which must be proper whatever x is; anchors are distinct and
   come first. Returns how many there are. */
static dlp_index found_on(dlp_index D, dlp_index V, const int32_t *x, dlp_index K,
                          int *min_docs)
{
    double *beta = malloc((size_t)(V * K) * sizeof *beta);
    dlp_index *anchors = calloc((size_t)K, sizeof *anchors);
    struct dlpi_spectral_report report;
    struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    for (dlp_index i = 0; i < V * K; i++) beta[i] = NAN;
    settings.threads = 2;
    pair p = pair_of(D, V, x);
    assert_ok(
        dlpi_spectral_topics(p.corpus, K, &settings, beta, anchors, &report, error));
    check_topics(V, K, beta);
    for (dlp_index k = 0; k < K; k++) {
        assert_true(k < report.found ? anchors[k] >= 0 && anchors[k] < V
                                     : anchors[k] == -1);
        for (dlp_index l = 0; l < k && k < report.found; l++)
            assert_true(anchors[k] != anchors[l]);
    }
    for (dlp_index k = report.found; k + 1 < K; k++) /* EM can distinguish them */
        assert_true(V == 1 || beta[k] != beta[k + 1]);
    pair_free(&p);
    free(beta);
    free(anchors);
    if (min_docs) *min_docs = report.min_docs;
    return report.found;
}

static void test_corpora_with_too_few_anchors(void **state)
{
    (void)state;
    int min_docs = 0;
    const int32_t empty[3 * 2] = {0}, lone[3 * 2] = {1, 0, 0, 1, 1, 0};
    assert_int_equal(found_on(3, 2, empty, 4, NULL), 0);
    assert_int_equal(found_on(3, 2, lone, 4, NULL), 0);

    /* terms that never meet another: their rows are unit vectors */
    const int32_t apart[3 * 3] = {5, 0, 0, 0, 4, 0, 0, 0, 3};
    assert_int_equal(found_on(3, 3, apart, 3, &min_docs), 3);
    assert_int_equal(min_docs, 1);
    assert_int_equal(found_on(3, 3, apart, 8, NULL), 3); /* V < K */

    /* documents of one and the same word mix: rows that differ by the diagonal alone */
    const int32_t same[4 * 3] = {2, 3, 5, 2, 3, 5, 4, 6, 10, 2, 3, 5};
    assert_in_range(found_on(4, 3, same, 6, NULL), 1, 3);

    /* two terms that always come together have one row between them */
    const int32_t twins[3 * 4] = {1, 1, 2, 0, 1, 1, 0, 3, 0, 0, 4, 4};
    assert_in_range(found_on(3, 4, twins, 4, NULL), 2, 4);

    const int32_t one_term[2] = {7, 9},
                  huge[2 * 2] = {INT32_MAX, INT32_MAX, 1, INT32_MAX};
    assert_int_equal(found_on(2, 1, one_term, 1, NULL), 1);
    assert_int_equal(found_on(2, 1, one_term, 3, NULL), 1);
    assert_in_range(found_on(2, 2, huge, 2, NULL), 1, 2);
}

static void test_min_docs_is_lowered_no_more_than_needed(void **state)
{
    (void)state;
    enum { D = 240, V = 40 };
    int32_t *x = draw_counts(D, V);
    int few = 0, many = 0;
    assert_int_equal(found_on(D, V, x, 5, &few), 5);
    assert_int_equal(few, dlpi_spectral_settings_default().min_docs);
    assert_int_equal(found_on(D, V, x, V, &many), V);
    assert_true(many < few);
    free(x);
}

static void test_ties_go_to_the_smaller_id(void **state)
{
    (void)state;
    const int32_t x[4 * 4] = {0, 3, 0, 0, 0, 0, 3, 0, 0, 0, 0, 3, 3, 0, 0, 0};
    double beta[4 * 4];
    dlp_index anchors[4];
    const struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    pair p = pair_of(4, 4, x);
    assert_ok(dlpi_spectral_topics(p.corpus, 4, &settings, beta, anchors, NULL, error));
    for (dlp_index k = 0; k < 4; k++) assert_int_equal(anchors[k], k);
    pair_free(&p);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    const int32_t x[2 * 2] = {1, 2, 3, 4};
    double beta[4];
    const struct dlpi_spectral_settings good = dlpi_spectral_settings_default();
    struct dlpi_spectral_settings bad[] = {good, good, good, good};
    bad[0].min_docs = 0;
    bad[1].threads = 0;
    bad[2].smoothing = 0;
    bad[3].smoothing = NAN;
    pair p = pair_of(2, 2, x);
    assert_fails(dlpi_spectral_topics(NULL, 2, &good, beta, NULL, NULL, error),
                 DLP_EINVAL, "needs a corpus");
    assert_fails(dlpi_spectral_topics(p.corpus, 0, &good, beta, NULL, NULL, error),
                 DLP_EINVAL, "one topic");
    for (int k = 0; k < 4; k++)
        assert_fails(dlpi_spectral_topics(p.corpus, 2, &bad[k], beta, NULL, NULL, error),
                     DLP_EINVAL, "smoothing above 0");
    pair_free(&p);
}

static void test_no_memory(void **state)
{
    (void)state;
    const int32_t x[2 * 2] = {1, 2, 3, 4};
    double beta[4];
    const struct dlpi_spectral_settings settings = dlpi_spectral_settings_default();
    dlp_status status = DLP_ENOMEM;
    int failures = 0;
    pair p = pair_of(2, 2, x);
    for (; status != DLP_OK; failures++) {
        dlp_error error = {0};
        allocations_left = failures;
        status = dlpi_spectral_topics(p.corpus, 2, &settings, beta, NULL, NULL, &error);
        allocations_left = -1;
        assert_true(status == DLP_OK || status == DLP_ENOMEM);
        assert_true(status == DLP_OK || strstr(error.message, "memory"));
    }
    assert_true(failures > 10);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cooccurrence_is_the_dense_one),
        cmocka_unit_test(test_anchors_and_their_gram_matrix),
        cmocka_unit_test(test_nearest_point_of_a_hull),
        cmocka_unit_test(test_separable_topics_are_recovered),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_corpora_with_too_few_anchors),
        cmocka_unit_test(test_min_docs_is_lowered_no_more_than_needed),
        cmocka_unit_test(test_ties_go_to_the_smaller_id),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A Dirichlet prior: found again with and without covariates, at the maximum of its bound by
   differences, a document's posterior by hand, the same at any number of threads. */
#include "support.h"

#include <unistd.h>

enum { TOPICS = 3, V = 45, D = 400, WORDS = 80 };

typedef struct corpus_of {
    double beta[TOPICS][V], X[D * 2];
    dlp_corpus *corpus;
} corpus_of;

static void draw_topics(corpus_of *x, dlp_rng *rng)
{
    for (int k = 0; k < TOPICS; k++) {
        double sum = 0;
        for (int v = 0; v < V; v++)
            sum += x->beta[k][v] =
                exp((v % TOPICS == k ? 4.0 : 0.0) + 0.7 * dlp_draw_normal(rng));
        for (int v = 0; v < V; v++) x->beta[k][v] /= sum;
    }
}

static void draw_document(const corpus_of *x, const double *alpha, dlp_rng *rng,
                          FILE *out)
{
    double pi[TOPICS];
    int count[V] = {0}, n = 0;
    dlp_draw_dirichlet(rng, TOPICS, alpha, pi);
    for (int i = 0; i < WORDS; i++) {
        const dlp_index z = dlp_draw_categorical(rng, TOPICS, pi);
        count[dlp_draw_categorical(rng, V, x->beta[z])]++;
    }
    for (int v = 0; v < V; v++) n += count[v] > 0;
    fprintf(out, "%d", n);
    for (int v = 0; v < V; v++)
        if (count[v]) fprintf(out, " %d:%d", v, count[v]);
    fputc('\n', out);
}

/* alpha_k = exp(lambda[0][k] + lambda[1][k] x), x alternately 0 and 1 */
static corpus_of *simulate(const double lambda[2][TOPICS], uint64_t seed)
{
    corpus_of *x = calloc(1, sizeof *x);
    char path[] = "/tmp/delaplace-dirichlet-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    assert_non_null(x);
    assert_non_null(out);
    dlp_rng rng = dlp_rng_at(seed, 0);
    draw_topics(x, &rng);
    for (int d = 0; d < D; d++) {
        double alpha[TOPICS];
        x->X[2 * d] = 1;
        x->X[2 * d + 1] = d % 2;
        for (int k = 0; k < TOPICS; k++)
            alpha[k] = exp(lambda[0][k] + lambda[1][k] * (d % 2));
        draw_document(x, alpha, &rng, out);
    }
    fclose(out);
    assert_ok(dlp_corpus_open(path, NULL, &x->corpus, error));
    unlink(path);
    return x;
}

static void finish(corpus_of *x)
{
    dlp_corpus_free(x->corpus);
    free(x);
}

static dlp_ctm *fit(const corpus_of *x, bool covariates, double tol, int threads)
{
    const dlp_covariates numbers = {.D = D, .p = 2, .X = x->X};
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    settings.K = TOPICS;
    settings.method = "dirichlet";
    settings.threads = threads;
    settings.tol = tol;
    settings.document_tol = 1e-7;
    settings.document_max_iter = 1000;
    assert_ok(
        dlp_ctm_alloc(x->corpus, covariates ? &numbers : NULL, &settings, &ctm, error));
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_run(ctm);
    return ctm;
}

/* Which topic of the fit is topic k of the truth. */
static void match(const corpus_of *x, const dlp_topics *found, dlp_index *with)
{
    dlp_topics truth;
    double similarity[TOPICS];
    assert_ok(dlp_topics_alloc(TOPICS, V, 1, &truth, error));
    for (int i = 0; i < TOPICS * V; i++) truth.beta[i] = x->beta[i / V][i % V];
    assert_ok(dlp_topics_match(&truth, found, 1, with, similarity, NULL, error));
    for (int k = 0; k < TOPICS; k++) assert_true(similarity[k] > 0.9);
    dlp_topics_free(&truth);
}

static void alpha_and_its_coefficients_are_found(void **state)
{
    (void)state;
    const double lambda[2][TOPICS] = {{-1.2, -0.5, 0.2}, {1.2, 0, -1}};
    corpus_of *x = simulate(lambda, 3);
    dlp_ctm *ctm = fit(x, true, 1e-5, 0);
    dlp_topics found;
    dlp_index with[TOPICS];
    assert_ok(dlp_ctm_topics(ctm, &found, error));
    match(x, &found, with);
    for (int k = 0; k < TOPICS; k++) {
        assert_near(found.Gamma[with[k]], lambda[0][k], 0.4);
        assert_near(found.Gamma[TOPICS + with[k]], lambda[1][k], 0.4);
    }
    assert_int_equal(dlp_ctm_result(ctm)->outcome, DLP_CONVERGED);
    dlp_topics_free(&found);
    dlp_ctm_free(ctm);
    finish(x);
}

/* The sum of the documents' bounds, each at its maximum. */
static double bound(const corpus_of *x, const dlp_topics *topics)
{
    dlp_document_settings settings = dlp_document_settings_default();
    dlp_document_posterior *posterior = NULL;
    dlp_document_result found;
    double sum = 0;
    settings.method = "dirichlet";
    settings.tol = 1e-10;
    settings.max_iter = 2000;
    assert_ok(dlp_document_posterior_alloc(topics, &settings, &posterior, error));
    for (int d = 0; d < D; d++) {
        const dlp_document document = dlp_corpus_document(x->corpus, d);
        assert_ok(dlp_document_infer(posterior, &document, &found, error));
        sum += dlp_document_objective(posterior);
    }
    dlp_document_posterior_free(posterior);
    return sum;
}

/* By differences the bound is flat in log alpha where EM ends, and bends as it should. */
static void em_ends_where_the_bound_is_flat(void **state)
{
    (void)state;
    const double lambda[2][TOPICS] = {{-0.7, -0.3, 0.4}, {0, 0, 0}}, h = 0.02;
    corpus_of *x = simulate(lambda, 5);
    dlp_ctm *ctm = fit(x, false, 1e-7, 0);
    dlp_topics found;
    assert_ok(dlp_ctm_topics(ctm, &found, error));
    const double at = bound(x, &found);
    assert_near(at, dlp_ctm_result(ctm)->objective, 1e-5 * fabs(at));
    for (int k = 0; k < TOPICS; k++) {
        const double log_alpha = found.Gamma[k];
        found.Gamma[k] = log_alpha + h;
        const double up = bound(x, &found);
        found.Gamma[k] = log_alpha - h;
        const double down = bound(x, &found);
        found.Gamma[k] = log_alpha;
        const double bend = (2 * at - up - down) / (h * h);
        assert_true(bend > 0);
        assert_true(fabs((up - down) / (2 * h) / bend) < 2e-3);
    }
    for (int i = 1; i < dlp_ctm_result(ctm)->iterations; i++)
        assert_true(dlp_ctm_result(ctm)->trace[i].change > -1e-5);
    dlp_topics_free(&found);
    dlp_ctm_free(ctm);
    finish(x);
}

/* Two topics without common terms: gamma = alpha + counts, exactly. */
static void a_document_by_hand(void **state)
{
    (void)state;
    dlp_document_settings settings = dlp_document_settings_default();
    const int32_t term[] = {0, 1, 2}, count[] = {3, 1, 2};
    const dlp_document document = {.n = 3, .term = term, .count = count};
    dlp_document_posterior *posterior = NULL;
    dlp_document_result found;
    dlp_topics topics;
    double pi[2], sd[2];
    assert_ok(dlp_topics_alloc(2, 3, 1, &topics, error));
    topics.beta[0] = topics.beta[1] = 0.5;
    topics.beta[5] = 1;
    topics.Gamma[0] = log(0.5);
    topics.Gamma[1] = log(2);
    topics.Sigma0[0] = topics.Sigma0[3] = 1;
    settings.method = "dirichlet";
    assert_ok(dlp_document_posterior_alloc(&topics, &settings, &posterior, error));
    assert_ok(dlp_document_infer(posterior, &document, &found, error));
    assert_int_equal(found.outcome, DLP_CONVERGED);
    dlp_document_proportions(posterior, pi, sd);
    assert_near(pi[0], 4.5 / 8.5, 1e-12);
    assert_near(sd[0], sqrt(4.5 * 4 / (8.5 * 8.5 * 9.5)), 1e-12);
    /* log p(x): of the counts of two topics, and of the words in them */
    const double exact = lgamma(2.5) - lgamma(8.5) + lgamma(4.5) - lgamma(0.5) +
                         lgamma(4) - lgamma(2) + 4 * log(0.5);
    assert_near(dlp_document_objective(posterior), exact, 1e-9);
    dlp_document_posterior_free(posterior);
    settings.plain = 1;
    assert_fails(dlp_document_posterior_alloc(&topics, &settings, &posterior, error),
                 DLP_EINVAL, "one route");
    dlp_topics_free(&topics);
}

/* beta_kv proportional to 1 + 7 (k+1) (v+2) mod 11, alpha = 0.4 */
static dlp_topics scikit_learn_topics(dlp_index terms)
{
    dlp_topics topics;
    assert_ok(dlp_topics_alloc(TOPICS, terms, 1, &topics, error));
    for (dlp_index k = 0; k < TOPICS; k++) {
        double sum = 0, *beta = topics.beta + k * terms;
        for (dlp_index v = 0; v < terms; v++)
            sum += beta[v] = (double)(1 + 7 * (k + 1) * (v + 2) % 11);
        for (dlp_index v = 0; v < terms; v++) beta[v] /= sum;
        topics.Gamma[k] = log(0.4);
        topics.Sigma0[k * (TOPICS + 1)] = 1;
    }
    return topics;
}

/* gamma and the bound of scikit-learn 1.2.1, by study/lda-sklearn, for documents over twelve terms. */
static void documents_as_scikit_learn(void **state)
{
    (void)state;
    enum { TERMS = 12, DOCUMENTS = 3 };
    static const double gamma[DOCUMENTS][TOPICS] = {
        {0.5565622308, 13.3371022289, 13.3063355403},
        {14.6879047973, 0.7729096128, 9.7391855899},
        {9.2151479151, 0.5194540010, 0.4653980838}};
    static const double bounds[DOCUMENTS] = {-66.9024108253, -62.2432067462,
                                             -20.0457226206};
    dlp_topics topics = scikit_learn_topics(TERMS);
    dlp_document_settings settings = dlp_document_settings_default();
    dlp_document_posterior *posterior = NULL;
    settings.method = "dirichlet";
    settings.tol = 1e-13;
    settings.max_iter = 100000;
    assert_ok(dlp_document_posterior_alloc(&topics, &settings, &posterior, error));
    for (int d = 0; d < DOCUMENTS; d++) {
        int32_t term[TERMS], count[TERMS];
        dlp_document document = {.term = term, .count = count};
        dlp_document_result found;
        for (int v = 0; v < TERMS; v++) {
            const int n = d < 2 ? (d + 2) * (v + 1) % 5 : v == 4 ? 9 : 0;
            if (n == 0) continue;
            term[document.n] = v;
            count[document.n++] = n;
        }
        assert_ok(dlp_document_infer(posterior, &document, &found, error));
        for (int k = 0; k < TOPICS; k++) assert_near(exp(found.mu[k]), gamma[d][k], 1e-8);
        assert_near(dlp_document_objective(posterior), bounds[d], 1e-9);
    }
    dlp_document_posterior_free(posterior);
    dlp_topics_free(&topics);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    const double lambda[2][TOPICS] = {{-1, -0.5, 0}, {1, 0, -1}};
    corpus_of *x = simulate(lambda, 8);
    dlp_ctm *one = fit(x, true, 1e-3, 1), *three = fit(x, true, 1e-3, 3);
    dlp_topics a, b;
    assert_ok(dlp_ctm_topics(one, &a, error));
    assert_ok(dlp_ctm_topics(three, &b, error));
    assert_memory_equal(a.beta, b.beta, sizeof(double) * TOPICS * V);
    assert_memory_equal(a.Gamma, b.Gamma, sizeof(double) * 2 * TOPICS);
    dlp_topics_free(&a);
    dlp_topics_free(&b);
    dlp_ctm_free(one);
    dlp_ctm_free(three);
    finish(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_by_hand),
        cmocka_unit_test(documents_as_scikit_learn),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(em_ends_where_the_bound_is_flat),
        cmocka_unit_test(alpha_and_its_coefficients_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

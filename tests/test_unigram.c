/* SPDX-License-Identifier: BSD-3-Clause */
/* The hierarchical language model against the golden numbers of an independent
   implementation (tests/golden/unigram.json, whose tolerances are used here). */
#include "support.h"

typedef struct golden {
    json_t *root;
    dlp_corpus *corpus;
    dlp_unigram *unigram;
} golden;

static int set_up(void **state)
{
    golden *g = calloc(1, sizeof *g);
    json_error_t parse;
    g->root = json_load_file(DLP_TEST_DIR "/golden/unigram.json", 0, &parse);
    assert_non_null(g->root);
    const json_t *X = json_object_get(g->root, "X");
    const size_t D = json_array_size(X), V = json_array_size(json_array_get(X, 0));
    int32_t *x = calloc(D * V, sizeof *x);
    for (size_t d = 0; d < D; d++)
        for (size_t i = 0; i < V; i++) x[d * V + i] = (int32_t)golden_entry(X, d, i);
    assert_ok(dlp_corpus_from_counts((dlp_index)D, (dlp_index)V, x, &g->corpus, error));
    assert_ok(dlp_unigram_alloc(g->corpus, &g->unigram, error));
    free(x);
    *state = g;
    return 0;
}

static int tear_down(void **state)
{
    golden *g = *state;
    dlp_unigram_free(g->unigram);
    dlp_corpus_free(g->corpus);
    json_decref(g->root);
    free(g);
    return 0;
}

/* The fit of g's corpus by a method, against the numbers under `key`. */
static void check_fit(golden *g, const char *key, const char *method, int diagonal)
{
    const json_t *want = json_object_get(g->root, key);
    dlp_model model = dlp_unigram_model(g->unigram);
    const size_t V = (size_t)model.shape.n;
    dlp_settings settings = dlp_settings_default();
    settings.method = method;
    settings.diagonal = diagonal;
    settings.plain = 1; /* the golden trace is Figure 1's own */
    settings.tol = 1e-11;
    dlp_fit *fit = NULL;
    assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    const dlp_result *r = dlp_fit_result(fit);
    assert_int_equal(r->outcome, DLP_CONVERGED);
    assert_int_equal(r->fallbacks, 0);

    double Sigma[16];
    assert_int_equal(V, 4);
    dlp_sym_to_dense(r->Sigma, Sigma);
    const json_t *mu = json_object_get(want, "mu"), *S = json_object_get(want, "Sigma");
    for (size_t i = 0; i < V; i++) {
        assert_near(r->mu[i], golden_at(mu, i), 1e-6);
        for (size_t j = 0; j < V; j++)
            assert_near(Sigma[i * V + j], golden_entry(S, i, j),
                        1e-6 * fabs(golden_entry(S, i, i)));
    }
    const double objective = json_number_value(json_object_get(want, "objective"));
    assert_near(r->objective, objective, 1e-9 * fabs(objective));

    const json_t *trace = json_object_get(want, "trace"), *row;
    size_t t;
    json_array_foreach(trace, t, row)
    {
        assert_int_equal(r->trace[t].iteration, (int)golden_at(row, 0));
        assert_near(r->trace[t].objective, golden_at(row, 1),
                    1e-7 * fabs(golden_at(row, 1)));
        assert_near(r->trace[t].change, golden_at(row, 2), 1e-6);
    }
    const json_t *phi = json_object_get(want, "phi");
    const double *m = dlp_unigram_dirichlet(g->unigram);
    for (size_t i = 0; i < V; i++)
        assert_close(m[i] + golden_entry(json_object_get(g->root, "X"), 0, i),
                     golden_entry(phi, 0, i), 1e-6);
    dlp_fit_free(fit);
}

static void laplace_is_golden(void **state)
{
    check_fit(*state, "laplace", "laplace", 0);
}

static void delta_full_is_golden(void **state)
{
    check_fit(*state, "delta_full", "delta", 0);
}

static void delta_diagonal_is_golden(void **state)
{
    check_fit(*state, "delta_diag", "delta", 1);
}

static void derivatives_are_golden(void **state)
{
    golden *g = *state;
    const json_t *want = json_object_get(g->root, "derivatives");
    const json_t *hess = json_object_get(want, "hess"),
                 *S = json_object_get(want, "Sigma_for_trace");
    dlp_model model = dlp_unigram_model(g->unigram);
    dlp_sym H = {0};
    double theta[4], grad[4], dense[16], trace = 0;
    assert_ok(dlp_sym_alloc(model.shape, &H, error));
    for (size_t i = 0; i < 4; i++)
        theta[i] = golden_at(json_object_get(want, "theta"), i);
    /* "q(z) from mu=0, Sigma=I" */
    double e_eta[4];
    for (int i = 0; i < 4; i++) e_eta[i] = exp(0.5);
    model.type->update_z(model.state, e_eta);
    model.type->expect_stats(model.state);

    const double f = model.type->f(model.state, theta, grad, &H);
    /* the golden f leaves out the constant of log N(theta; 0, I) */
    assert_near(f + 2 * log(2 * PI), json_number_value(json_object_get(want, "f")),
                1e-10 * 30);
    dlp_sym_to_dense(&H, dense);
    for (size_t i = 0; i < 4; i++) {
        assert_near(grad[i], golden_at(json_object_get(want, "grad"), i), 1e-10 * 10);
        for (size_t j = 0; j < 4; j++) {
            assert_near(dense[4 * i + j], golden_entry(hess, i, j), 1e-10 * 16);
            trace += dense[4 * i + j] * golden_entry(S, j, i);
        }
    }
    assert_near(trace, json_number_value(json_object_get(want, "trace")), 1e-10 * 10);
    dlp_sym_free(&H);

    /* the trace gradient for a Sigma that is not of the model's shape: by linearity in
       Sigma, as a sum over rank-one matrices w v v' of the shape diag(0) + w v v' */
    dlp_sym one = {0};
    double sum[4] = {0}, part[4];
    assert_ok(dlp_sym_alloc(model.shape, &one, error));
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j <= i; j++) {
            /* s (e_i+e_j)(e_i+e_j)'/2 - s e_i e_i'/2 - s e_j e_j'/2 has entries s at ij,
             * ji */
            for (size_t term = 0; term < (i == j ? 1u : 3u); term++) {
                double *v = dlp_sym_low_rank(&one);
                memset(one.a, 0, (4 + 1 + 4) * sizeof *one.a);
                v[i] = term != 2;
                v[j] = term != 1 || i == j;
                dlp_sym_core(&one)[0] = golden_entry(S, i, j) * (term == 0 ? 1 : -1);
                model.type->trace_grad(model.state, theta, &one, part);
                for (int k = 0; k < 4; k++) sum[k] += part[k];
            }
        }
    for (size_t k = 0; k < 4; k++)
        assert_near(sum[k], golden_at(json_object_get(want, "tracegrad"), k), 1e-9 * 4);
    dlp_sym_free(&one);
}

static void derivatives_agree_with_differences(void **state)
{
    golden *g = *state;
    dlp_model model = dlp_unigram_model(g->unigram);
    const double e_eta[4] = {1.385, 0.42, 0.07, 2.91};
    model.type->update_z(model.state, e_eta);
    model.type->expect_stats(model.state);
    dlp_check check;
    char words[200];
    assert_ok(dlp_check_derivatives(&model, 20, NULL, 2385, &check, error));
    dlp_check_describe(&check, words, sizeof words);
    if (!(check.error < 1e-8)) print_error("%s\n", words);
    assert_true(check.gradient.checked && check.hessian.checked);
    assert_true(check.trace_grad.checked && check.eta_trace.checked);
    assert_true(check.error < 1e-8);
}

/* A corpus with repeated, empty and long documents, drawn anew. */
static dlp_corpus *random_corpus(dlp_index D, dlp_index V, uint64_t seed)
{
    int32_t *x = calloc((size_t)(D * V), sizeof *x);
    dlp_corpus *corpus = NULL;
    for (dlp_index d = 0; d < D; d++) {
        dlp_rng rng = dlp_rng_at(seed, (uint64_t)d);
        for (dlp_index i = 0; d % 5 && i < V; i++)
            x[d * V + i] = (int32_t)(5 * dlp_draw_gamma(&rng, 0.1));
    }
    assert_ok(dlp_corpus_from_counts(D, V, x, &corpus, error));
    free(x);
    return corpus;
}

/* The tallies give what the sums over all documents and terms give. */
static void tallies_equal_the_plain_sums(void **state)
{
    (void)state;
    const dlp_index D = 23, V = 9;
    dlp_corpus *corpus = random_corpus(D, V, 42);
    dlp_unigram *unigram = NULL;
    assert_ok(dlp_unigram_alloc(corpus, &unigram, error));
    dlp_model model = dlp_unigram_model(unigram);
    double m[9], T[9] = {0}, bound = 0, theta[9], f0 = 0;
    for (dlp_index i = 0; i < V; i++) m[i] = 0.03 + 0.41 * (double)i;
    model.type->update_z(model.state, m);
    model.type->expect_stats(model.state);
    for (dlp_index d = 0; d < D; d++) {
        double phi[9], total = 0, length = 0;
        for (dlp_index i = 0; i < V; i++) phi[i] = m[i];
        for (dlp_index k = corpus->row[d]; k < corpus->row[d + 1]; k++) {
            phi[corpus->term[k]] += corpus->count[k];
            length += corpus->count[k];
            bound -= lgamma(corpus->count[k] + 1.0);
        }
        for (dlp_index i = 0; i < V; i++) total += phi[i];
        bound += lgamma(length + 1) - lgamma(total);
        for (dlp_index i = 0; i < V; i++) {
            const double e_log_z = dlp_digamma(phi[i]) - dlp_digamma(total);
            T[i] += e_log_z;
            bound += lgamma(phi[i]) - m[i] * e_log_z;
        }
    }
    assert_close(model.type->objective_z(model.state), bound, 1e-12);
    /* f at theta: its part exp(theta)'E[t(z)] shows the statistics */
    for (dlp_index i = 0; i < V; i++) {
        double grad[9];
        memset(theta, 0, sizeof theta);
        theta[i] = 0.7;
        const double f = model.type->f(model.state, theta, grad, NULL);
        const double S = 8 + exp(0.7);
        f0 = -0.5 * 0.49 - 4.5 * log(2 * PI) - (double)D * (lgamma(exp(0.7)) - lgamma(S));
        for (dlp_index j = 0; j < V; j++) f0 += exp(theta[j]) * T[j];
        assert_close(f, f0, 1e-12);
    }
    dlp_unigram_free(unigram);
    dlp_corpus_free(corpus);
}

/* Corpora at the edge: each is fitted by each method, without NaN. */
static void odd_corpora_are_fitted(void **state)
{
    (void)state;
    static const struct {
        dlp_index D, V;
        int32_t x[6];
    } odd[] = {
        {1, 1, {5}},
        {1, 1, {0}},
        {3, 1, {1, 0, 7}},
        {1, 3, {0, 0, 0}},
        {2, 3, {0, 0, 0, 0, 0, 0}},
        {2, 3, {2000000000, 0, 0, 0, 2000000000, 1}},
        {6, 1, {1, 1, 1, 1, 1, 1}},
        {2, 3, {1, 0, 0, 1, 0, 0}},
    };
    for (size_t k = 0; k < sizeof odd / sizeof *odd; k++)
        for (int method = 0; dlp_method_name(method); method++) {
            dlp_corpus *corpus = NULL;
            dlp_unigram *unigram = NULL;
            dlp_fit *fit = NULL;
            assert_ok(
                dlp_corpus_from_counts(odd[k].D, odd[k].V, odd[k].x, &corpus, error));
            assert_ok(dlp_unigram_alloc(corpus, &unigram, error));
            dlp_corpus_free(corpus); /* the model has what it needs */
            const dlp_model model = dlp_unigram_model(unigram);
            dlp_settings s = dlp_settings_default();
            s.method = dlp_method_name(method);
            assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
            assert_ok(dlp_fit_run(fit, NULL, error));
            const dlp_result *r = dlp_fit_result(fit);
            double sd[3];
            dlp_fit_sd(fit, sd);
            if (method == 0) assert_int_equal(r->outcome, DLP_CONVERGED);
            assert_true(isfinite(r->objective));
            for (dlp_index i = 0; i < r->n; i++) {
                assert_true(isfinite(r->mu[i]) && isfinite(sd[i]) && sd[i] > 0);
                assert_true(dlp_unigram_dirichlet(unigram)[i] > 0);
            }
            dlp_fit_free(fit);
            dlp_unigram_free(unigram);
        }
}

/* log p(x, theta) with z integrated out: its derivatives, and that the bound is below it. */
static void marginal_is_right(void **state)
{
    golden *g = *state;
    const dlp_model model = dlp_unigram_model(g->unigram);
    const dlp_model_type type = {.size = sizeof type,
                                 .name = "marginal",
                                 .f = model.type->marginal,
                                 .derivatives = 2};
    dlp_model marginal = model;
    marginal.type = &type;
    marginal.n_eta = 0;
    dlp_check check;
    const double points[12] = {0.3, -1.2, 0.8, 1.9, 5.1, 4.9, 4.6, 6, -3, -2, -4, -1};
    assert_ok(dlp_check_derivatives(&marginal, 3, points, 1, &check, error));
    assert_true(check.error < 1e-8);

    dlp_settings s = dlp_settings_default();
    dlp_fit *with_z = NULL, *without = NULL;
    assert_ok(dlp_fit_alloc(&model, &s, &with_z, error));
    assert_ok(dlp_fit_run(with_z, NULL, error));
    assert_ok(dlp_fit_alloc(&marginal, &s, &without, error));
    assert_ok(dlp_fit_run(without, NULL, error));
    assert_true(dlp_fit_result(with_z)->objective < dlp_fit_result(without)->objective);
    dlp_fit_free(with_z);
    dlp_fit_free(without);
}

/* A long JAGS run on the same counts (study/unigram-jags, which keeps its table). */
static void uncertainty_agrees_with_mcmc(void **state)
{
    golden *g = *state;
    const double mean[4] = {0.402, -0.517, -0.250, 1.301},
                 sd[4] = {0.577, 0.611, 0.574, 0.566};
    const dlp_model model = dlp_unigram_model(g->unigram);
    for (int k = 0; k < 2; k++) {
        dlp_settings s = dlp_settings_default();
        s.method = dlp_method_name(k);
        dlp_fit *fit = NULL;
        double ours[4];
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        assert_int_equal(dlp_fit_marginal_sd(fit, ours), 1);
        for (int i = 0; i < 4; i++) {
            assert_near(dlp_fit_result(fit)->mu[i], mean[i], 0.35 * sd[i]);
            assert_near(ours[i], sd[i], 0.04 * sd[i]);
        }
        dlp_fit_free(fit);
    }
}

/* On the corpus that ships with the project the fast route ends where Figure 1 ends, far
   sooner, and the uncertainty with z integrated out is wider than the paper's everywhere. */
static void fast_route_on_a_real_corpus(void **state)
{
    (void)state;
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_read(DLP_TEST_DIR "/data/packages.ldac", &corpus, error));
    double *mu = calloc((size_t)corpus->V, sizeof *mu),
           *sd = calloc((size_t)corpus->V, sizeof *sd);
    double *given_z = calloc((size_t)corpus->V, sizeof *given_z), objective = 0;
    int iterations = 0;
    for (int plain = 0; plain < 2; plain++) {
        dlp_unigram *unigram = NULL;
        dlp_fit *fit = NULL;
        dlp_settings s = dlp_settings_default();
        s.plain = plain;
        s.tol = 1e-9;
        s.max_iter = 20000;
        if (plain && SANITISED)
            break; /* thousands of iterations, each as in other tests */
        assert_ok(dlp_unigram_alloc(corpus, &unigram, error));
        const dlp_model model = dlp_unigram_model(unigram);
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        dlp_fit_sd(fit, given_z);
        assert_int_equal(dlp_fit_marginal_sd(fit, sd), 1);
        for (dlp_index i = 0; i < r->n; i++) {
            assert_true(sd[i] > given_z[i]);
            if (plain) assert_near(r->mu[i], mu[i], 1e-3 * sd[i]);
            mu[i] = r->mu[i];
        }
        if (plain) {
            assert_near(r->objective, objective, 1e-6 * fabs(objective));
            assert_true(10 * iterations < r->iterations);
        }
        objective = r->objective;
        iterations = r->iterations;
        dlp_fit_free(fit);
        dlp_unigram_free(unigram);
    }
    free(mu);
    free(sd);
    free(given_z);
    dlp_corpus_free(corpus);
}

/* After one iteration the curvature with z integrated out is not positive definite yet, and
   the answer says so. */
static void marginal_sd_says_when_it_is_not(void **state)
{
    (void)state;
    dlp_corpus *corpus = NULL;
    dlp_unigram *unigram = NULL;
    dlp_fit *fit = NULL;
    assert_ok(dlp_corpus_read(DLP_TEST_DIR "/data/packages.ldac", &corpus, error));
    assert_ok(dlp_unigram_alloc(corpus, &unigram, error));
    const dlp_model model = dlp_unigram_model(unigram);
    dlp_settings s = dlp_settings_default();
    double *sd = calloc((size_t)corpus->V, sizeof *sd);
    double *given_z = calloc((size_t)corpus->V, sizeof *given_z);
    s.max_iter = 1;
    assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    dlp_fit_sd(fit, given_z);
    assert_int_equal(dlp_fit_marginal_sd(fit, sd), 0);
    assert_memory_equal(sd, given_z, (size_t)corpus->V * sizeof *sd);
    free(sd);
    free(given_z);
    dlp_fit_free(fit);
    dlp_unigram_free(unigram);
    dlp_corpus_free(corpus);
}

/* A corpus made by hand that breaks its promises is refused, not trusted. */
static void broken_corpora_are_refused(void **state)
{
    (void)state;
    dlp_unigram *unigram = NULL;
    dlp_index row[2] = {0, 2};
    int32_t term[2] = {0, 7}, count[2] = {1, 1};
    dlp_corpus c = {
        .D = 1, .V = 3, .nnz = 2, .words = 2, .row = row, .term = term, .count = count};
    assert_fails(dlp_unigram_alloc(&c, &unigram, error), DLP_EINPUT, "terms are 0 to 2");
    term[1] = 0;
    assert_fails(dlp_unigram_alloc(&c, &unigram, error), DLP_EINPUT, "terms ascend");
    term[1] = 2;
    count[0] = 0;
    assert_fails(dlp_unigram_alloc(&c, &unigram, error), DLP_EINPUT, "counts 1 or more");
    row[1] = 5;
    assert_fails(dlp_unigram_alloc(&c, &unigram, error), DLP_EINPUT, "not whole");
    assert_null(unigram);
}

static void empty_corpus_is_refused(void **state)
{
    (void)state;
    dlp_unigram *unigram = NULL;
    const dlp_corpus none = {.D = 0, .V = 3};
    assert_fails(dlp_unigram_alloc(&none, &unigram, error), DLP_EINPUT,
                 "at least one of each");
    assert_null(unigram);
    dlp_unigram_free(NULL);
}

/* ---- the handle ---- */

/* What it says are the engine's numbers, and the corpus may be gone. */
static void a_fit_says_what_the_engine_does(void **state)
{
    (void)state;
    static const int32_t x[] = {3, 0, 1, 0, 2, 5, 1, 1, 0, 0, 4, 2};
    static const char *const names[] = {"ant", "bee", "caf\xe9"};
    const dlp_index row[] = {0, 3, 6, 9, 12};
    const int32_t term[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    dlp_settings settings = dlp_settings_default();
    dlp_corpus *corpus;
    dlp_unigram *model;
    dlp_fit *engine;
    dlp_unigram_fit *fit;
    double sd[3];
    dlp_index order[3];
    char method[] = "delta";
    settings.method = method;
    assert_ok(dlp_corpus_from_csr(4, 3, row, term, x, names, NULL, &corpus, error));
    assert_ok(dlp_unigram_alloc(corpus, &model, error));
    const dlp_model engine_model = dlp_unigram_model(model);
    assert_ok(dlp_fit_alloc(&engine_model, &settings, &engine, error));
    assert_ok(dlp_fit_run(engine, NULL, error));
    assert_ok(dlp_unigram_fit_run(corpus, &settings, &fit, error));
    dlp_corpus_free(corpus);
    method[0] = 'x';
    const dlp_unigram_result *r = dlp_unigram_fit_result(fit);
    assert_int_equal(r->z_summed_out, dlp_fit_marginal_sd(engine, sd));
    assert_string_equal(r->method, "delta");
    assert_true(r->D == 4 && r->V == 3 && r->words == 19);
    assert_close(r->objective_per_word, r->engine->objective / 19, 0);
    double sum = 0;
    for (dlp_index v = 0; v < 3; v++) {
        const dlp_unigram_term t = dlp_unigram_fit_term(fit, v);
        assert_string_equal(t.name, names[v]);
        assert_true(t.mean == dlp_fit_result(engine)->mu[v] && t.sd == sd[v]);
        assert_true(t.dirichlet == dlp_unigram_dirichlet(model)[v]);
        assert_true(t.sd_given_z > 0 && t.lower < t.mean && t.mean < t.upper);
        assert_close(t.parameter_lower, exp(t.lower), 1e-15);
        assert_close(t.parameter, exp(t.mean + t.sd * t.sd / 2), 1e-15);
        sum += t.dirichlet;
    }
    assert_close(r->concentration, sum, 0);
    assert_ok(dlp_unigram_fit_rank(fit, order, error));
    for (int i = 1; i < 3; i++)
        assert_true(dlp_unigram_fit_term(fit, order[i - 1]).dirichlet >=
                    dlp_unigram_fit_term(fit, order[i]).dirichlet);
    dlp_unigram_fit_free(fit);
    dlp_fit_free(engine);
    dlp_unigram_free(model);
}

static void a_fit_is_written(void **state)
{
    (void)state;
    static const int32_t x[] = {1, 2, 3, 0};
    dlp_corpus *corpus;
    dlp_unigram_fit *fit;
    char *text;
    size_t size;
    assert_ok(dlp_corpus_from_counts(2, 2, x, &corpus, error));
    assert_ok(dlp_unigram_fit_run(corpus, NULL, &fit, error));
    dlp_corpus_free(corpus);
    assert_ok(dlp_unigram_fit_json(fit, 0, &text, &size, error));
    json_t *root = json_loadb(text, size, 0, NULL);
    const json_t *terms = json_object_get(root, "coefficients");
    assert_int_equal(json_array_size(terms), 2);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(terms, 1), "term")), "1");
    assert_true(json_real_value(json_object_get(json_array_get(terms, 1), "mean")) ==
                dlp_unigram_fit_term(fit, 1).mean);
    assert_int_equal(json_array_size(json_object_get(root, "trace")),
                     dlp_unigram_fit_result(fit)->engine->iterations);
    json_decref(root);
    free(text);
    assert_ok(dlp_unigram_fit_json(fit, 1, &text, &size, error));
    assert_null(strstr(text, "coefficients"));
    assert_non_null(strstr(text, "\"format\": \"delaplace-unigram\""));
    free(text);
    assert_fails(dlp_unigram_fit_save(fit, "/no/such/folder/x.json", error), DLP_EIO,
                 "/no/such/folder");
    dlp_unigram_fit_free(fit);
}

static int cancel(void *context, const dlp_progress *progress)
{
    (void)context;
    (void)progress;
    return 1;
}

static void fits_that_cannot_be_leave_nothing(void **state)
{
    (void)state;
    static const int32_t x[] = {1, 2, 3, 0};
    dlp_settings settings = dlp_settings_default();
    dlp_corpus *corpus, none = {0};
    dlp_unigram_fit *fit = NULL;
    assert_ok(dlp_corpus_from_counts(2, 2, x, &corpus, error));
    settings.progress = cancel;
    assert_fails(dlp_unigram_fit_run(corpus, &settings, &fit, error), DLP_ECANCELLED, "");
    assert_null(fit);
    settings.method = "none";
    assert_fails(dlp_unigram_fit_run(corpus, &settings, &fit, error), DLP_EINVAL, "none");
    assert_fails(dlp_unigram_fit_run(&none, NULL, &fit, error), DLP_EINPUT, "documents");
    assert_fails(dlp_unigram_fit_run(NULL, NULL, &fit, error), DLP_EINVAL, "a corpus");
    assert_fails(dlp_unigram_fit_run(corpus, NULL, NULL, error), DLP_EINVAL, "room");
    dlp_unigram_fit_free(NULL);
    dlp_corpus_free(corpus);
}

static void terms_that_cannot_occur_are_noticed(void **state)
{
    (void)state;
    dlp_corpus corpus = {.V = 20000, .nnz = 1249};
    assert_true(dlp_unigram_is_slowed(&corpus));
    corpus.nnz = 1250;
    assert_false(dlp_unigram_is_slowed(&corpus));
    corpus = (dlp_corpus){.V = 19999, .nnz = 2};
    assert_false(dlp_unigram_is_slowed(&corpus));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_that_cannot_occur_are_noticed),
        cmocka_unit_test_setup_teardown(laplace_is_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(delta_full_is_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(delta_diagonal_is_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(derivatives_are_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(derivatives_agree_with_differences, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(marginal_is_right, set_up, tear_down),
        cmocka_unit_test_setup_teardown(uncertainty_agrees_with_mcmc, set_up, tear_down),
        cmocka_unit_test(tallies_equal_the_plain_sums),
        cmocka_unit_test(odd_corpora_are_fitted),
        cmocka_unit_test(fast_route_on_a_real_corpus),
        cmocka_unit_test(marginal_sd_says_when_it_is_not),
        cmocka_unit_test(broken_corpora_are_refused),
        cmocka_unit_test(empty_corpus_is_refused),
        cmocka_unit_test(a_fit_says_what_the_engine_does),
        cmocka_unit_test(a_fit_is_written),
        cmocka_unit_test(fits_that_cannot_be_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

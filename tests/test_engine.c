/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every method on every model. The claim of each fit is computed again here rather than
 * taken from its report: stationarity of the mean, Sigma (-H) = I, the objective.
 */
#include "models.h"
#include "support.h"

enum { MOST = 8 }; /* the largest n among the test models */

/* A model whose table can be changed. */
typedef struct variant {
    dlp_model model;
    dlp_model_type type;
    void *memory;
    const test_model *of;
} variant;

static void make_variant(variant *v, const test_model *of)
{
    v->of = of;
    v->model = of->make(&v->memory);
    v->type = *v->model.type;
    v->model.type = &v->type;
}

static dlp_fit *run(const dlp_model *model, dlp_settings settings)
{
    dlp_fit *fit = NULL;
    assert_ok(dlp_fit_alloc(model, &settings, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    return fit;
}

static dlp_settings settings_for(const char *method)
{
    dlp_settings s = dlp_settings_default();
    s.method = method;
    return s;
}

/* No NaN anywhere, variances positive, the trace whole. */
static void check_sane(const dlp_fit *fit)
{
    const dlp_result *r = dlp_fit_result(fit);
    double sd[MOST], theta[MOST];
    assert_true(r->outcome > DLP_RUNNING && r->outcome <= DLP_CANCELLED);
    assert_true(isfinite(r->objective));
    dlp_fit_sd(fit, sd);
    dlp_rng rng = dlp_rng_at(7, 1);
    dlp_fit_draw(fit, &rng, theta);
    for (dlp_index i = 0; i < r->n; i++) {
        assert_true(isfinite(r->mu[i]) && isfinite(theta[i]));
        assert_true(sd[i] > 0 && isfinite(sd[i]));
    }
    for (int t = 0; t < r->iterations; t++) {
        assert_int_equal(r->trace[t].iteration, t + 1);
        assert_true(isfinite(r->trace[t].objective) && isfinite(r->trace[t].change));
    }
}

/* The gradient at mu of what the method maximises: f, or f + 1/2 Tr{hess f Sigma}. The
   delta method's is taken by differences of the Hessian, apart from the engine's. */
static void gradient_of_claim(const variant *v, const dlp_result *r, bool delta,
                              double *grad)
{
    dlp_sym H = {0};
    double x[MOST];
    assert_ok(dlp_sym_alloc(v->model.shape, &H, error));
    memcpy(x, r->mu, (size_t)r->n * sizeof *x);
    v->type.f(v->model.state, x, grad, NULL);
    for (dlp_index i = 0; delta && i < r->n; i++) {
        const double h = 1e-5;
        x[i] = r->mu[i] + h;
        v->type.f(v->model.state, x, NULL, &H);
        const double up = dlp_sym_trace(&H, r->Sigma);
        x[i] = r->mu[i] - h;
        v->type.f(v->model.state, x, NULL, &H);
        grad[i] += 0.5 * (up - dlp_sym_trace(&H, r->Sigma)) / (2 * h);
        x[i] = r->mu[i];
    }
    dlp_sym_free(&H);
}

/* Sigma (-H(mu)) = I, or its diagonal alone */
static void check_sigma(const variant *v, const dlp_fit *fit, bool diagonal)
{
    dlp_sym H = {0};
    double S[MOST * MOST], P[MOST * MOST], d[MOST];
    const dlp_result *r = dlp_fit_result(fit);
    const dlp_index n = r->n;
    assert_ok(dlp_sym_alloc(v->model.shape, &H, error));
    v->type.f(v->model.state, r->mu, NULL, &H);
    if (diagonal) dlp_sym_keep_diagonal(&H);
    dlp_sym_negate(&H);
    dlp_sym_to_dense(&H, P);
    for (dlp_index i = 0; i < n; i++) { /* all of Sigma, and what of it the shape has */
        memset(S + i * n, 0, (size_t)n * sizeof *S);
        S[i * n + i] = 1;
        dlp_fit_apply_sigma(fit, S + i * n);
        for (dlp_index j = 0; j < n; j++)
            if (j == i || dlp_sym_entry(r->Sigma, i, j) != 0)
                assert_close(dlp_sym_entry(r->Sigma, i, j), S[i * n + j], 1e-13);
    }
    dlp_sym_get_diagonal(r->Sigma, d);
    for (dlp_index i = 0; i < n; i++) {
        assert_near(d[i], S[i * n + i], 1e-12 * fabs(d[i]));
        for (dlp_index j = 0; j < n; j++) {
            double sum = 0;
            for (dlp_index k = 0; k < n; k++) sum += S[i * n + k] * P[k * n + j];
            assert_near(sum, i == j, 2e-5);
        }
    }
    dlp_sym_free(&H);
}

static void check_claim(const variant *v, const dlp_settings *s, const dlp_fit *fit)
{
    const dlp_result *r = dlp_fit_result(fit);
    check_sane(fit);
    if (v->of->settles && strcmp(s->method, "previous-mean") != 0)
        assert_int_equal(r->outcome, DLP_CONVERGED);
    if (r->outcome != DLP_CONVERGED || r->fallbacks > 0) return;
    double grad[MOST];
    gradient_of_claim(v, r, strcmp(s->method, "delta") == 0, grad);
    for (dlp_index i = 0; i < r->n; i++) assert_near(grad[i], 0, 1e-4);
    check_sigma(v, fit, s->diagonal != 0);
}

static void derivatives_of_every_model_are_right(void **state)
{
    (void)state;
    for (int m = 0; m < n_test_models; m++) {
        void *memory;
        dlp_check check;
        char words[200];
        const dlp_model model = test_models[m].make(&memory);
        const double e_eta[MOST] = {0.7, 1.3, 0.2, 2.385};
        if (model.type->update_z) {
            model.type->update_z(model.state, e_eta);
            model.type->expect_stats(model.state);
        }
        assert_ok(dlp_check_derivatives(&model, 10, NULL, 3, &check, error));
        dlp_check_describe(&check, words, sizeof words);
        if (!(check.error < 1e-7)) print_error("%s: %s\n", test_models[m].name, words);
        assert_true(check.error < 1e-7);
        test_models[m].release(memory);
    }
}

static void every_method_runs_on_every_model(void **state)
{
    (void)state;
    for (int m = 0; m < n_test_models; m++)
        for (int k = 0; dlp_method_name(k); k++)
            for (int option = 0; option < 8; option++) {
                variant v;
                make_variant(&v, &test_models[m]);
                dlp_settings s = settings_for(dlp_method_name(k));
                s.diagonal = option & 1;
                s.plain = option >> 1 & 1;
                s.taylor_eta = option >> 2 & 1 && v.type.eta;
                dlp_fit *fit = run(&v.model, s);
                check_claim(&v, &s, fit);
                dlp_fit_free(fit);
                v.of->release(v.memory);
            }
}

/* One model in two structures has one answer. */
static void the_structure_does_not_change_the_answer(void **state)
{
    (void)state;
    dlp_model (*const pairs[][2])(void **) = {{make_band, make_sparse},
                                              {make_bordered, make_sparse_arrow}};
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 2; k++) { /* laplace and delta */
            const dlp_settings s = settings_for(dlp_method_name(k));
            dlp_fit *fit[2];
            void *memory[2];
            double sd[2][MOST];
            for (int which = 0; which < 2; which++) {
                const dlp_model model = pairs[p][which](&memory[which]);
                fit[which] = run(&model, s);
                dlp_fit_sd(fit[which], sd[which]);
            }
            const dlp_result *a = dlp_fit_result(fit[0]), *b = dlp_fit_result(fit[1]);
            assert_int_equal(a->outcome, DLP_CONVERGED);
            assert_int_equal(a->fallbacks + b->fallbacks, 0);
            assert_close(a->objective, b->objective, 1e-12);
            for (dlp_index i = 0; i < a->n; i++) {
                assert_close(a->mu[i], b->mu[i], 1e-7);
                assert_close(sd[0][i], sd[1][i], 1e-7);
            }
            for (int which = 0; which < 2; which++) {
                dlp_fit_free(fit[which]);
                release_counts_chain(memory[which]);
            }
        }
}

/* A model that gives less is fitted all the same, and the fit says what it replaced. */
static void missing_derivatives_are_replaced(void **state)
{
    (void)state;
    for (int m = 0; m < n_test_models; m++)
        for (int k = 0; k < 2; k++) /* laplace and delta */
            for (int has = 2; has >= 0; has--) {
                variant v;
                make_variant(&v, &test_models[m]);
                if (v.model.shape.structure == DLP_BLOCKS || has == 2) {
                    const dlp_settings s = settings_for(dlp_method_name(k));
                    dlp_fit *whole = run(&v.model, s);
                    double mu[MOST];
                    const dlp_result *r = dlp_fit_result(whole);
                    memcpy(mu, r->mu, (size_t)r->n * sizeof *mu);
                    const dlp_model_type full = v.type;
                    v.type.derivatives = has;
                    v.type.trace_grad = NULL;
                    v.type.eta_trace = NULL;
                    dlp_fit *part = run(&v.model, s);
                    r = dlp_fit_result(part);
                    check_sane(part);
                    assert_int_equal(r->outcome, dlp_fit_result(whole)->outcome);
                    assert_int_equal(r->differenced & 3, has == 2 ? 0 : has == 1 ? 2 : 3);
                    assert_int_equal(r->differenced & 4, k == 1 ? 4 : 0);
                    for (dlp_index i = 0; i < r->n; i++)
                        assert_near(r->mu[i], mu[i],
                                    has == 2   ? 1e-6
                                    : has == 1 ? 1e-4
                                               : 2e-3);
                    dlp_fit_free(part);
                    v.type = full;
                    dlp_fit_free(whole);
                }
                v.of->release(v.memory);
            }
}

/* 120 independent copies of the model in m */
static double many_poisson(void *m, const double *theta, double *grad, dlp_sym *hess)
{
    const dlp_model *poisson = m;
    (void)hess;
    double sum = 0;
    for (int i = 0; i < 120; i++)
        sum += poisson->type->f(NULL, theta + i, grad ? grad + i : NULL, NULL);
    return sum;
}

/* Large models without a Hessian go by L-BFGS. */
static void large_model_without_hessian(void **state)
{
    (void)state;
    enum { N = 120 };
    static dlp_index one[N];
    for (int i = 0; i < N; i++) one[i] = 1;
    void *memory;
    dlp_model poisson = make_poisson(&memory);
    dlp_fit *single = run(&poisson, settings_for("laplace"));
    /* gradient only, one block each */
    const dlp_model_type type = {
        .size = sizeof type, .name = "many", .f = many_poisson, .derivatives = 1};
    dlp_model model = {
        .type = &type, .state = &poisson, .shape = dlp_shape_blocks(N, one)};
    dlp_fit *fit = run(&model, settings_for("laplace"));
    const dlp_result *r = dlp_fit_result(fit), *s = dlp_fit_result(single);
    assert_int_equal(r->outcome, DLP_CONVERGED);
    double sd[N], sd1;
    dlp_fit_sd(fit, sd);
    dlp_fit_sd(single, &sd1);
    for (int i = 0; i < N; i++) {
        assert_near(r->mu[i], s->mu[0], 1e-6);
        assert_near(sd[i], sd1, 1e-6);
    }
    dlp_fit_free(fit);
    dlp_fit_free(single);
}

/* A conjugate Gaussian is solved exactly in one iteration, by every method. */
static void gaussian_is_exact_in_one_iteration(void **state)
{
    (void)state;
    for (int k = 0; dlp_method_name(k); k++) {
        void *memory;
        dlp_model model = make_gaussian(&memory);
        dlp_settings s = settings_for(dlp_method_name(k));
        s.max_iter = 1;
        dlp_fit *fit = run(&model, s);
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->iterations, 1);
        double S[9];
        dlp_sym_to_dense(r->Sigma, S);
        for (int i = 0; i < 3; i++) {
            assert_near(r->mu[i], gaussian_a[i], 1e-12 * 15);
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int l = 0; l < 3; l++) sum += S[3 * i + l] * gaussian_P[3 * l + j];
                assert_near(sum, i == j, 1e-13);
            }
        }
        assert_near(r->objective, gaussian_evidence, 1e-12);
        dlp_fit_free(fit);
    }
}

/* Laplace VI without z is the plain Laplace approximation (P50): one iteration, and its
   objective is Laplace's evidence f + n/2 log 2 pi - 1/2 log|-H|. */
static void laplace_without_z_is_plain_laplace(void **state)
{
    (void)state;
    void *memory;
    dlp_model model = make_logit(&memory);
    dlp_fit *fit = run(&model, settings_for("laplace"));
    const dlp_result *r = dlp_fit_result(fit);
    assert_int_equal(r->iterations, 1);
    assert_int_equal(r->outcome, DLP_CONVERGED);
    /* the mode by bisection of the gradient */
    double low = -20, high = 20;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high), grad;
        model.type->f(model.state, &middle, &grad, NULL);
        *(grad > 0 ? &low : &high) = middle;
    }
    dlp_sym H = {0};
    assert_ok(dlp_sym_alloc(model.shape, &H, error));
    const double f = model.type->f(model.state, &low, NULL, &H), h = H.a[0];
    assert_near(r->mu[0], low, 1e-12);
    assert_near(dlp_sym_block(r->Sigma, 0)[0], -1 / h, 1e-13);
    assert_near(r->objective, f + 0.5 * log(2 * PI) - 0.5 * log(-h), 1e-12);
    dlp_sym_free(&H);
    dlp_fit_free(fit);
}

/* A conditionally conjugate model (P5): mean-field's closed form, by every method. With
   A = 1/T + N/S, the means are the exact posterior's and Var q(theta) = 1/A. */
static void conditionally_conjugate_is_closed_form(void **state)
{
    (void)state;
    double sum = 0;
    for (int i = 0; i < CHAIN_N; i++) sum += chain_x[i];
    const double exact_mean =
        sum / (chain_S + chain_R) / (1 / chain_T + CHAIN_N / (chain_S + chain_R));
    for (int k = 0; dlp_method_name(k); k++)
        for (int plain = 0; plain < 2; plain++) {
            void *memory;
            dlp_model model = make_normal_chain(&memory);
            dlp_settings s = settings_for(dlp_method_name(k));
            s.plain = plain;
            s.tol = 1e-13;
            dlp_fit *fit = run(&model, s);
            const dlp_result *r = dlp_fit_result(fit);
            assert_int_equal(r->outcome, DLP_CONVERGED);
            assert_near(r->mu[0], exact_mean, 1e-10);
            assert_near(dlp_sym_block(r->Sigma, 0)[0],
                        1 / (1 / chain_T + CHAIN_N / chain_S), 1e-14);
            for (int t = 1; plain && t < r->iterations; t++) /* CAVI never falls */
                assert_true(r->trace[t].objective >= r->trace[t - 1].objective - 1e-12);
            /* the bound is below the evidence: x ~ N(0, T 11' + (S+R) I) */
            const double V = chain_S + chain_R;
            double square = 0;
            for (int i = 0; i < CHAIN_N; i++) square += chain_x[i] * chain_x[i];
            const double evidence =
                -0.5 * (CHAIN_N * log(2 * PI) + (CHAIN_N - 1) * log(V) +
                        log(V + CHAIN_N * chain_T) + square / V -
                        sum * sum * chain_T / (V * (V + CHAIN_N * chain_T)));
            assert_true(r->objective < evidence);
            assert_true(r->objective > evidence - 1);
            dlp_fit_free(fit);
            free(memory);
        }
}

/* The fast route ends where Figure 1 ends, to 1e-6. */
static void fast_route_reaches_the_plain_fixed_point(void **state)
{
    (void)state;
    int fast_sum = 0, plain_sum = 0;
    for (int m = 0; m < n_test_models; m++)
        for (int k = 0; k < 2; k++) {
            variant v;
            make_variant(&v, &test_models[m]);
            dlp_settings s = settings_for(dlp_method_name(k));
            s.tol = 1e-11;
            dlp_fit *fast = run(&v.model, s);
            s.plain = 1;
            dlp_fit *plain = run(&v.model, s);
            const dlp_result *a = dlp_fit_result(fast), *b = dlp_fit_result(plain);
            assert_int_equal(a->outcome, b->outcome);
            fast_sum += a->iterations;
            plain_sum += b->iterations;
            for (dlp_index i = 0; i < a->n; i++) assert_near(a->mu[i], b->mu[i], 1e-6);
            assert_close(a->objective, b->objective, 1e-9);
            dlp_fit_free(fast);
            dlp_fit_free(plain);
            v.of->release(v.memory);
        }
    assert_true(fast_sum < plain_sum);
}

/* E[eta] by differences agrees with the model's analytic traces. */
static void taylor_by_differences_is_taylor(void **state)
{
    (void)state;
    double mu[2][4];
    for (int differences = 0; differences < 2; differences++) {
        void *memory;
        dlp_model model = make_unigram(&memory);
        dlp_model_type type = *model.type;
        model.type = &type;
        type.expect_eta = NULL;
        if (differences) type.eta_trace = NULL;
        dlp_fit *fit = run(&model, settings_for("laplace"));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        assert_int_equal(r->differenced, differences ? 8 : 0);
        memcpy(mu[differences], r->mu, sizeof mu[0]);
        dlp_fit_free(fit);
        dlp_unigram_free(memory);
    }
    for (int i = 0; i < 4; i++) assert_near(mu[0][i], mu[1][i], 1e-6);
}

/* The same input gives the same bits, also in steps and when a fit is used again. */
static void same_input_same_bits(void **state)
{
    (void)state;
    for (int k = 0; dlp_method_name(k); k++) {
        void *memory;
        dlp_model model = make_unigram(&memory);
        dlp_settings s = settings_for(dlp_method_name(k));
        dlp_fit *fit = run(&model, s);
        double mu[4];
        memcpy(mu, dlp_fit_result(fit)->mu, sizeof mu);
        const double objective = dlp_fit_result(fit)->objective;
        const int iterations = dlp_fit_result(fit)->iterations;
        assert_ok(dlp_fit_init(fit, NULL, error));
        while (!dlp_fit_done(fit)) assert_ok(dlp_fit_step(fit, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_memory_equal(r->mu, mu, sizeof mu);
        assert_memory_equal(&r->objective, &objective, sizeof objective);
        assert_int_equal(r->iterations, iterations);
        assert_ok(dlp_fit_step(fit, error)); /* behind the end: nothing happens */
        assert_int_equal(r->iterations, iterations);
        dlp_fit_free(fit);
        dlp_unigram_free(memory);
    }
}

static int cancel_at_third(void *context, const dlp_progress *progress)
{
    *(int *)context = progress->iteration;
    return progress->iteration == 3;
}

static void progress_can_cancel(void **state)
{
    (void)state;
    void *memory;
    int last = 0;
    dlp_model model = make_unigram(&memory);
    dlp_settings s = dlp_settings_default();
    s.progress = cancel_at_third;
    s.context = &last;
    dlp_fit *fit = run(&model, s);
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_CANCELLED);
    assert_int_equal(dlp_fit_result(fit)->iterations, 3);
    assert_int_equal(last, 3);
    check_sane(fit);
    dlp_fit_free(fit);
    s.progress = NULL;
    s.max_iter = 2;
    fit = run(&model, s);
    assert_int_equal(dlp_fit_result(fit)->outcome, DLP_MAX_ITERATIONS);
    assert_int_equal(dlp_fit_result(fit)->iterations, 2);
    check_sane(fit);
    dlp_fit_free(fit);
    dlp_unigram_free(memory);
}

/* Draws from q have its mean and covariance. */
static void draws_follow_q(void **state)
{
    (void)state;
    enum { N = 40000 };
    void *memory;
    dlp_model model = make_unigram(&memory);
    dlp_fit *fit = run(&model, settings_for("delta"));
    const dlp_result *r = dlp_fit_result(fit);
    double S[16], sum[4] = {0}, square[16] = {0}, theta[4];
    dlp_sym_to_dense(r->Sigma, S);
    dlp_rng rng = dlp_rng_at(2385, 0);
    for (int k = 0; k < N; k++) {
        dlp_fit_draw(fit, &rng, theta);
        for (int i = 0; i < 4; i++) {
            sum[i] += theta[i] - r->mu[i];
            for (int j = 0; j < 4; j++)
                square[4 * i + j] += (theta[i] - r->mu[i]) * (theta[j] - r->mu[j]);
        }
    }
    for (int i = 0; i < 4; i++) {
        const double *row = &S[(size_t)4 * i], var_i = row[i];
        assert_near(sum[i] / N, 0, 5 * sqrt(var_i / N));
        for (int j = 0; j < 4; j++) {
            const double var_j = S[(size_t)5 * j];
            assert_near(square[4 * i + j] / N, row[j], 8 * sqrt(var_i * var_j / N));
        }
    }
    dlp_fit_free(fit);
    dlp_unigram_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_every_model_are_right),
        cmocka_unit_test(every_method_runs_on_every_model),
        cmocka_unit_test(the_structure_does_not_change_the_answer),
        cmocka_unit_test(missing_derivatives_are_replaced),
        cmocka_unit_test(large_model_without_hessian),
        cmocka_unit_test(gaussian_is_exact_in_one_iteration),
        cmocka_unit_test(laplace_without_z_is_plain_laplace),
        cmocka_unit_test(conditionally_conjugate_is_closed_form),
        cmocka_unit_test(fast_route_reaches_the_plain_fixed_point),
        cmocka_unit_test(taylor_by_differences_is_taylor),
        cmocka_unit_test(same_input_same_bits),
        cmocka_unit_test(progress_can_cancel),
        cmocka_unit_test(draws_follow_q),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

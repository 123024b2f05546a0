/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalised linear models: derivatives of every family and prior, the golden numbers of
   an independent implementation for the logistic one, predictions. */
#include "glm_sample.h"

static const double full[P * P] = {1.41, -0.76, -0.11, -0.76, 1.22,
                                   0.02, -0.11, 0.02,  1.16};

static dlp_glm_prior prior_number(int k)
{
    static const double mean[P] = {0.3, -0.2, 0.1}, sd[P] = {2.1, 0.8, 1.3};
    static const double df[P] = {0, 3.5, 8};
    dlp_glm_prior prior = dlp_glm_prior_default();
    if (k > 0) prior.mean = mean;
    if (k == 1) prior.sd = sd;
    if (k == 2) prior.covariance = full;
    if (k == 3) prior.df = 3.5;
    if (k == 4) prior.df_each = df;
    return prior;
}

static void derivatives_agree_with_differences(void **state)
{
    (void)state;
    for (int k = 0; dlp_family_at(k); k++)
        for (int l = 0; dlp_family_at(k)->link[l]; l++)
            for (int prior = 0; prior < 5; prior++) {
                const char *family = dlp_family_at(k)->name,
                           *link = dlp_family_at(k)->link[l];
                const dlp_glm_prior p = prior_number(prior);
                if (needs_positive(family, link)) continue;
                sample s;
                dlp_glm *glm = NULL;
                dlp_check check;
                char words[200];
                draw_sample(&s, family, 7);
                assert_ok(dlp_glm_alloc(family, link, &s.data, &p, &glm, error));
                const dlp_model model = dlp_glm_model(glm);
                assert_ok(dlp_check_derivatives(&model, 5, NULL, 11, &check, error));
                dlp_check_describe(&check, words, sizeof words);
                if (!(check.error < 1e-7))
                    print_error("%s %s: %s\n", family, link, words);
                assert_true(check.error < 1e-7 && check.trace_grad.checked);
                dlp_glm_free(glm);
            }
}

/* Where the predictor is positive. */
static void derivatives_of_positive_predictors(void **state)
{
    (void)state;
    static const char *const links[] = {"identity", "sqrt"};
    for (int l = 0; l < 2; l++) {
        const dlp_glm_prior prior = prior_number(2);
        const double theta[P] = {6, 0.5, -0.4};
        sample s;
        dlp_glm *glm = NULL;
        dlp_check check;
        draw_sample(&s, "poisson", 7);
        assert_ok(dlp_glm_alloc("poisson", links[l], &s.data, &prior, &glm, error));
        const dlp_model model = dlp_glm_model(glm);
        assert_ok(dlp_check_derivatives(&model, 1, theta, 11, &check, error));
        assert_true(check.error < 1e-7 && check.trace_grad.checked);
        dlp_glm_free(glm);
    }
}

/* ---- many rows ---- */

/* What a model says at a point: the value, the gradient, the Hessian, and the gradient of its
   trace with the identity. */
enum { MOST = 3 * P, SAYS = 1 + 2 * MOST + MOST * MOST };

static void ask(dlp_glm *glm, double *says)
{
    const dlp_model model = dlp_glm_model(glm);
    const dlp_index n = model.shape.n;
    dlp_sym H = {0}, one = {0};
    double theta[MOST];
    assert_ok(dlp_sym_alloc(model.shape, &H, error));
    assert_ok(dlp_sym_alloc(model.shape, &one, error));
    for (dlp_index i = 0; i < n; i++) {
        theta[i] = 0.2 - 0.1 * (double)i;
        dlp_sym_block(&one, 0)[i * (n + 1)] = 1;
    }
    memset(says, 0, SAYS * sizeof *says);
    says[0] = model.type->f(model.state, theta, says + 1, &H);
    memcpy(says + 1 + MOST, dlp_sym_block(&H, 0), (size_t)(n * n) * sizeof *says);
    model.type->trace_grad(model.state, theta, &one, says + 1 + MOST + MOST * MOST);
    dlp_sym_free(&H);
    dlp_sym_free(&one);
}

/* A sample `times` times over, column by column in room. */
static dlp_glm_data repeat(const sample *s, dlp_index times, const double **x,
                           double *room)
{
    const double *from[P + 3] = {s->columns[0], s->columns[1], s->columns[2],
                                 s->y,          s->trials,     s->offset};
    dlp_glm_data data = s->data;
    data.N = N * times;
    for (int j = 0; j < P + 3; j++)
        for (dlp_index i = 0; i < data.N; i++) room[j * data.N + i] = from[j][i % N];
    for (int j = 0; j < P; j++) x[j] = room + j * data.N;
    data.x = x;
    data.y = room + P * data.N;
    if (data.trials) data.trials = room + (P + 1) * data.N;
    if (data.offset) data.offset = room + (P + 2) * data.N;
    return data;
}

/* Rows in several chunks, by any number of threads, are as good as rows with that weight. */
static void chunks_of_rows_add_up(void **state)
{
    (void)state;
    enum { TIMES = 1300 }; /* 52,000 rows, four chunks */
    double *room = calloc((size_t)(P + 3) * N * TIMES, sizeof *room), weight[N];
    double by_weight[SAYS], one[SAYS], three[SAYS];
    const double *x[P];
    assert_non_null(room);
    for (int i = 0; i < N; i++) weight[i] = TIMES;
    for (int k = 0; dlp_family_at(k); k++) {
        const char *family = dlp_family_at(k)->name;
        const dlp_glm_prior prior = dlp_glm_prior_default();
        sample s;
        dlp_glm *glm = NULL;
        draw_sample(&s, family, 7);
        const dlp_glm_data many = repeat(&s, TIMES, x, room);
        s.data.weight = weight;
        assert_ok(dlp_glm_alloc(family, NULL, &s.data, &prior, &glm, error));
        ask(glm, by_weight);
        dlp_glm_free(glm);
        assert_ok(dlp_glm_alloc(family, NULL, &many, &prior, &glm, error));
        ask(glm, one);
        assert_ok(dlp_glm_use_threads(glm, 3, error));
        ask(glm, three);
        dlp_glm_free(glm);
        assert_memory_equal(one, three, sizeof one);
        for (int i = 0; i < SAYS; i++)
            if (!(fabs(one[i] - by_weight[i]) <= 1e-9 * (1 + fabs(by_weight[i]))))
                fail_msg("%s, number %d: %.17g, %.17g", family, i, one[i], by_weight[i]);
    }
    free(room);
}

/* Tails: no NaN, finite derivatives or -inf, for predictors from -800 to 800. */
static void extreme_predictors_are_survived(void **state)
{
    (void)state;
    for (int k = 0; dlp_family_at(k); k++)
        for (int l = 0; dlp_family_at(k)->link[l]; l++) {
            const char *family = dlp_family_at(k)->name,
                       *link = dlp_family_at(k)->link[l];
            const dlp_glm_prior prior = dlp_glm_prior_default();
            sample s;
            dlp_glm *glm = NULL;
            draw_sample(&s, family, 8);
            assert_ok(dlp_glm_alloc(family, link, &s.data, &prior, &glm, error));
            const dlp_model model = dlp_glm_model(glm);
            dlp_sym H = {0};
            assert_ok(dlp_sym_alloc(model.shape, &H, error));
            for (int b = -800; b <= 800; b += 40) {
                double theta[3 * P] = {b, 0.1, 0.2, 0.3, -0.2, 0.4}, grad[3 * P];
                const double f = model.type->f(model.state, theta, grad, &H);
                if (isnan(f)) fail_msg("%s, %s at %d", family, link, b);
                for (dlp_index i = 0; i < model.shape.n && isfinite(f); i++)
                    if (isnan(grad[i]) || isnan(H.a[i * (model.shape.n + 1)]))
                        fail_msg("%s, %s at %d: derivative %td", family, link, b, i);
            }
            dlp_sym_free(&H);
            dlp_glm_free(glm);
        }
}

/* ---- the golden logistic regression ---- */

typedef struct golden {
    json_t *root;
    double columns[P][N], y[N], mean[P], covariance[P * P];
    const double *x[P];
    dlp_glm *glm;
} golden;

static int set_up(void **state)
{
    golden *g = calloc(1, sizeof *g);
    g->root = json_load_file(DLP_TEST_DIR "/golden/logreg.json", 0, NULL);
    assert_non_null(g->root);
    const json_t *T = json_object_get(g->root, "T");
    const size_t rows = json_array_size(T);
    assert_true(rows <= N);
    for (size_t j = 0; j < P; j++) {
        for (size_t i = 0; i < rows; i++) g->columns[j][i] = golden_entry(T, i, j);
        for (size_t k = 0; k < P; k++)
            g->covariance[j * P + k] =
                golden_entry(json_object_get(g->root, "Sigma0"), j, k);
        g->mean[j] = golden_at(json_object_get(g->root, "mu0"), j);
        g->x[j] = g->columns[j];
    }
    for (size_t i = 0; i < rows; i++)
        g->y[i] = golden_at(json_object_get(g->root, "y"), i);
    const dlp_glm_data data = {.N = (dlp_index)rows, .p = P, .x = g->x, .y = g->y};
    dlp_glm_prior prior = dlp_glm_prior_default();
    prior.mean = g->mean;
    prior.covariance = g->covariance;
    assert_ok(dlp_glm_alloc("bernoulli", NULL, &data, &prior, &g->glm, error));
    *state = g;
    return 0;
}

static int tear_down(void **state)
{
    golden *g = *state;
    dlp_glm_free(g->glm);
    json_decref(g->root);
    free(g);
    return 0;
}

static void check_fit(golden *g, const char *key, const char *method, int plain)
{
    const json_t *want = json_object_get(g->root, key), *row;
    const dlp_model model = dlp_glm_model(g->glm);
    dlp_settings s = dlp_settings_default();
    dlp_fit *fit = NULL;
    size_t t;
    s.method = method;
    s.plain = plain;
    s.tol = 1e-11;
    assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
    assert_ok(dlp_fit_run(fit, NULL, error));
    const dlp_result *r = dlp_fit_result(fit);
    assert_int_equal(r->outcome, DLP_CONVERGED);
    assert_int_equal(r->fallbacks, 0);
    for (size_t i = 0; i < P; i++) {
        assert_near(r->mu[i], golden_at(json_object_get(want, "mu"), i), 1e-6);
        for (size_t j = 0; j < P; j++) {
            const double S = golden_entry(json_object_get(want, "Sigma"), i, j);
            assert_near(dlp_sym_block(r->Sigma, 0)[i * P + j], S, 1e-6 * 0.5);
        }
    }
    const double objective = json_number_value(json_object_get(want, "objective"));
    assert_near(r->objective, objective, 1e-9 * fabs(objective));
    const json_t *trace = json_object_get(want, "trace");
    for (t = 0; plain && t < json_array_size(trace) && (int)t < r->iterations; t++) {
        row = json_array_get(trace, t);
        assert_near(r->trace[t].objective, golden_at(row, 1),
                    1e-7 * fabs(golden_at(row, 1)));
        assert_near(r->trace[t].change, golden_at(row, 2), 1e-6);
    }
    dlp_fit_free(fit);
}

static void logistic_fits_are_golden(void **state)
{
    for (int plain = 0; plain < 2; plain++) {
        check_fit(*state, "laplace", "laplace", plain);
        check_fit(*state, "delta_full", "delta", plain);
        check_fit(*state, "second", "previous-mean", plain);
    }
}

static void jaakkola_jordan_is_golden(void **state)
{
    golden *g = *state;
    const json_t *want = json_object_get(g->root, "jj");
    assert_ok(dlp_glm_use_jaakkola_jordan(g->glm, error));
    const dlp_model model = dlp_glm_model(g->glm);
    for (int plain = 0; plain < 2; plain++) {
        dlp_settings s = dlp_settings_default();
        dlp_fit *fit = NULL;
        s.plain = plain;
        s.tol = 1e-11;
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        for (size_t i = 0; i < P; i++) {
            assert_near(r->mu[i], golden_at(json_object_get(want, "mu"), i), 1e-6);
            for (size_t j = 0; j < P; j++)
                assert_near(dlp_sym_block(r->Sigma, 0)[i * P + j],
                            golden_entry(json_object_get(want, "Sigma"), i, j),
                            1e-6 * 0.5);
        }
        const double bound = json_number_value(json_object_get(want, "bound"));
        assert_near(r->objective, bound, 1e-9 * fabs(bound));
        for (int t = 1; plain && t < r->iterations;
             t++) /* a true bound: it never falls */
            assert_true(r->trace[t].objective >= r->trace[t - 1].objective - 1e-12);
        dlp_fit_free(fit);
    }
}

static void logistic_derivatives_are_golden(void **state)
{
    golden *g = *state;
    const json_t *want = json_object_get(g->root, "derivatives");
    const dlp_model model = dlp_glm_model(g->glm);
    dlp_sym H = {0}, S = {0};
    double theta[P], grad[P], trace_grad[P];
    assert_ok(dlp_sym_alloc(model.shape, &H, error));
    assert_ok(dlp_sym_alloc(model.shape, &S, error));
    for (size_t i = 0; i < P; i++) {
        theta[i] = golden_at(json_object_get(want, "theta"), i);
        for (size_t j = 0; j < P; j++)
            S.a[i * P + j] = golden_entry(json_object_get(want, "Sigma_for_trace"), i, j);
    }
    model.type->f(model.state, theta, grad, &H);
    model.type->trace_grad(model.state, theta, &S, trace_grad);
    for (size_t i = 0; i < P; i++) {
        assert_near(grad[i], golden_at(json_object_get(want, "grad"), i), 1e-9);
        assert_near(trace_grad[i], golden_at(json_object_get(want, "tracegrad"), i),
                    1e-9);
        for (size_t j = 0; j < P; j++)
            assert_near(H.a[i * P + j], golden_entry(json_object_get(want, "hess"), i, j),
                        1e-9);
    }
    assert_near(dlp_sym_trace(&H, &S), json_number_value(json_object_get(want, "trace")),
                1e-9);
    dlp_sym_free(&H);
    dlp_sym_free(&S);
}

/* ---- predictions ---- */

/* E[g(eta)] by Simpson's rule, for the averages. */
static void averages_agree_with_quadrature(void **state)
{
    (void)state;
    sample s;
    draw_sample(&s, "bernoulli", 9);
    const double mu[P] = {0.4, -0.3, 0.9};
    double mean[N], averaged[N], l[N], l_averaged[N], eta[N], sd[N];
    dlp_sym Sigma = {0};
    assert_ok(dlp_sym_alloc(dlp_shape_dense(P), &Sigma, error));
    memcpy(Sigma.a, full, sizeof full);
    const dlp_glm_prediction out = {.eta = eta,
                                    .eta_sd = sd,
                                    .mean = mean,
                                    .mean_averaged = averaged,
                                    .log_density = l,
                                    .log_density_averaged = l_averaged};
    assert_ok(dlp_glm_predict("bernoulli", "logit", &s.data, mu, &Sigma, &out, error));
    for (int i = 0; i < N; i++) {
        double sum = 0, w = 0, expected = s.offset[i], variance = 0;
        for (int j = 0; j < P; j++) {
            expected += mu[j] * s.columns[j][i];
            for (int k = 0; k < P; k++)
                variance += full[j * P + k] * s.columns[j][i] * s.columns[k][i];
        }
        for (int k = -4000; k <= 4000; k++) {
            const double z = k * 0.0025, p = exp(-0.5 * z * z);
            sum += p * dlp_logistic(expected + z * sqrt(variance));
            w += p;
        }
        assert_near(eta[i], expected, 1e-13);
        assert_near(sd[i], sqrt(variance), 1e-13);
        assert_near(mean[i], dlp_logistic(expected), 1e-14);
        assert_near(averaged[i], sum / w, 1e-8);
        assert_near(l[i], log(s.y[i] > 0 ? mean[i] : 1 - mean[i]), 1e-12);
        assert_near(l_averaged[i], log(s.y[i] > 0 ? averaged[i] : 1 - averaged[i]), 1e-8);
    }
    dlp_sym_free(&Sigma);
}

/* Probabilities add up to one, agree with the log densities, and their averages with many
   draws from q. */
static void level_probabilities_agree_with_draws(void **state)
{
    (void)state;
    enum { K = 4, DRAWS = 4000 };
    const char *families[] = {"multinomial", "ordinal", "ordinal", "ordinal"};
    const char *links[] = {NULL, NULL, "probit", "cloglog"};
    for (int k = 0; k < 4; k++) {
        sample s;
        dlp_glm *glm = NULL;
        dlp_fit *fit = NULL;
        const dlp_settings settings = dlp_settings_default();
        const dlp_glm_prior prior = dlp_glm_prior_default();
        double p[N][K], averaged[N][K], l[N], la[N], drawn[K] = {0}, theta[3 * P];
        draw_sample(&s, families[k], 5);
        assert_ok(dlp_glm_alloc(families[k], links[k], &s.data, &prior, &glm, error));
        const dlp_model model = dlp_glm_model(glm);
        assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        dlp_glm_prediction out = {.log_density = l,
                                  .log_density_averaged = la,
                                  .probability = p[0],
                                  .probability_averaged = averaged[0]};
        assert_ok(dlp_glm_predict(families[k], links[k], &s.data, r->mu, r->Sigma, &out,
                                  error));
        for (int i = 0; i < N; i++) {
            double sum = 0, sum_averaged = 0;
            for (int j = 0; j < K; j++) {
                sum += p[i][j];
                sum_averaged += averaged[i][j];
            }
            assert_near(sum, 1, 1e-14);
            assert_near(sum_averaged, 1, 1e-8);
            assert_near(l[i], log(p[i][(int)s.y[i]]), 1e-13);
            assert_near(la[i], log(averaged[i][(int)s.y[i]]), 1e-13);
        }
        s.data.N = 1; /* the first row, at draws of theta */
        dlp_rng rng = dlp_rng_at(99, 0);
        for (int t = 0; t < DRAWS; t++) {
            double once[K];
            dlp_fit_draw(fit, &rng, theta);
            out = (dlp_glm_prediction){.probability = once};
            assert_ok(dlp_glm_predict(families[k], links[k], &s.data, theta, r->Sigma,
                                      &out, error));
            for (int j = 0; j < K; j++) drawn[j] += once[j] / DRAWS;
        }
        for (int j = 0; j < K; j++) assert_near(averaged[0][j], drawn[j], 0.02);
        dlp_fit_free(fit);
        dlp_glm_free(glm);
    }
}

/* ---- bad input ---- */

static dlp_status try_glm(const char *family, const char *link, const dlp_glm_data *data,
                          const dlp_glm_prior *prior, dlp_error *error)
{
    dlp_glm *glm = NULL;
    const dlp_status status = dlp_glm_alloc(family, link, data, prior, &glm, error);
    assert_true((status == DLP_OK) == (glm != NULL));
    dlp_glm_free(glm);
    return status;
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    sample s;
    dlp_glm_prior prior = dlp_glm_prior_default();
    draw_sample(&s, "bernoulli", 3);
    assert_fails(try_glm("probit", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "unknown family");
    assert_fails(try_glm("poisson", "logit", &s.data, &prior, error), DLP_EINVAL,
                 "its default is log");
    s.columns[1][4] = NAN;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINPUT,
                 "row 5: column 2");
    draw_sample(&s, "bernoulli", 3);
    s.y[6] = 2;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINPUT,
                 "row 7: the response is 2; for family bernoulli it must be 0 or 1");
    s.y[6] = -1;
    assert_fails(try_glm("poisson", NULL, &s.data, &prior, error), DLP_EINPUT,
                 "whole numbers from 0");
    assert_fails(try_glm("gamma", NULL, &s.data, &prior, error), DLP_EINPUT, "positive");
    draw_sample(&s, "bernoulli", 3);
    s.data.N = 0;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "one row");
    draw_sample(&s, "bernoulli", 3);
    s.data.p = 0;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "nothing to");
    s.data.p = P;
    prior.sd_all = 0;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "the sd positive");
    prior = dlp_glm_prior_default();
    prior.df = -1;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL, "df");
    prior.df = 3;
    prior.covariance = full;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "set df to 0");
    const double not_pd[P * P] = {1, 2, 0, 2, 1, 0, 0, 0, 1};
    prior.df = 0;
    prior.covariance = not_pd;
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "not positive definite at parameter 2");
    prior = (dlp_glm_prior){.sd_all = 1, .scale_sd = 5};
    assert_fails(try_glm("bernoulli", NULL, &s.data, &prior, error), DLP_EINVAL,
                 "begin with those of the _default() function");
}

/* Without a prior, the default; of a program that knows only its first fields, those. */
static void a_prior_may_be_left_out_or_be_an_older_one(void **state)
{
    (void)state;
    sample s;
    dlp_glm_prior prior = dlp_glm_prior_default(), older;
    draw_sample(&s, "bernoulli", 3);
    memset(&older, 0xFF, sizeof older);
    dlp_glm_prior_init(&older, offsetof(dlp_glm_prior, sd));
    older.sd_all = prior.sd_all = 2.385;
    const dlp_glm_prior *const of[] = {NULL, &prior, &older};
    double value[3];
    for (int i = 0; i < 3; i++) {
        dlp_glm *glm;
        assert_ok(dlp_glm_alloc("bernoulli", NULL, &s.data, of[i], &glm, error));
        const dlp_model model = dlp_glm_model(glm);
        const double theta[P] = {2.385, -1.1, 0.7};
        value[i] = model.type->f(model.state, theta, NULL, NULL);
        dlp_glm_free(glm);
    }
    assert_true(value[0] != value[1]);
    assert_true(value[1] == value[2]);
}

/* Separable, collinear, constant, duplicated and huge columns: the prior is proper, so
   the posterior is, and every method finds it. */
static void degenerate_designs_are_fitted(void **state)
{
    (void)state;
    for (int k = 0; dlp_family_at(k); k++)
        for (int shape = 0; shape < 5; shape++)
            for (int method = 0; method < 2; method++) {
                const char *family = dlp_family_at(k)->name;
                const dlp_glm_prior prior = dlp_glm_prior_default();
                sample s;
                draw_sample(&s, family, 21);
                for (int i = 0; i < N; i++) {
                    if (shape == 0) s.columns[2][i] = s.columns[1][i];
                    if (shape == 1) s.columns[2][i] = 0;
                    if (shape == 2) s.columns[2][i] *= 1e6;
                    const double known = isfinite(s.y[i]) ? s.y[i] : s.trials[i];
                    if (shape == 3) s.columns[2][i] = 2 * known - 1;
                    if (shape == 4) s.columns[2][i] *= 1e-9;
                }
                dlp_glm *glm = NULL;
                dlp_fit *fit = NULL;
                dlp_settings settings = dlp_settings_default();
                settings.method = dlp_method_name(method);
                assert_ok(dlp_glm_alloc(family, NULL, &s.data, &prior, &glm, error));
                const dlp_model model = dlp_glm_model(glm);
                assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
                assert_ok(dlp_fit_run(fit, NULL, error));
                const dlp_result *r = dlp_fit_result(fit);
                if (r->outcome != DLP_CONVERGED)
                    print_error("%s, design %d, %s: %s\n", family, shape, settings.method,
                                dlp_outcome_name(r->outcome));
                assert_int_equal(r->outcome, DLP_CONVERGED);
                if (r->fallbacks)
                    print_message("%s, design %d: delta fell back to Laplace\n", family,
                                  shape);
                double sd[3 * P];
                dlp_fit_sd(fit, sd);
                for (dlp_index i = 0; i < r->n; i++)
                    assert_true(isfinite(r->mu[i]) && sd[i] > 0 && isfinite(sd[i]));
                dlp_fit_free(fit);
                dlp_glm_free(glm);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_agree_with_differences),
        cmocka_unit_test(derivatives_of_positive_predictors),
        cmocka_unit_test(chunks_of_rows_add_up),
        cmocka_unit_test(extreme_predictors_are_survived),
        cmocka_unit_test_setup_teardown(logistic_fits_are_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(logistic_derivatives_are_golden, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(jaakkola_jordan_is_golden, set_up, tear_down),
        cmocka_unit_test(averages_agree_with_quadrature),
        cmocka_unit_test(level_probabilities_agree_with_draws),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_prior_may_be_left_out_or_be_an_older_one),
        cmocka_unit_test(degenerate_designs_are_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

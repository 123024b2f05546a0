/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constrained parameters: the transforms against their inverses and the determinant of
 * their differences, and models made of them against differences, known integrals and
 * known modes.
 */
#include "naive.h"
#include "waves.h"

enum { MOST = WAVES_MOST };

static const dlp_transform kinds[] = {
    {DLP_REAL, 3, 0, 0},
    {DLP_POSITIVE, 2, 0, 0},
    {DLP_POSITIVE, 3, -1.7, 0},
    {DLP_INTERVAL, 3, -1.1, 0.3},
    {DLP_INTERVAL, 1, 2.385, 2.386},
    {DLP_INTERVAL, 2, -1e3, 1e7},
    {DLP_SIMPLEX, 2, 0, 0},
    {DLP_SIMPLEX, 5, 0, 0},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static void draw_theta(dlp_rng *rng, const dlp_transform *t, double *theta)
{
    for (dlp_index i = 0; i < dlp_transform_dimension(t); i++)
        theta[i] = 1.5 * dlp_draw_normal(rng);
}

static void check_constraint(const dlp_transform *t, const double *psi)
{
    double sum = 0;
    for (dlp_index i = 0; i < t->n; i++) {
        assert_false(isnan(psi[i]));
        if (t->kind == DLP_POSITIVE) assert_true(psi[i] >= t->lower);
        if (t->kind == DLP_INTERVAL)
            assert_true(psi[i] >= t->lower && psi[i] <= t->upper);
        if (t->kind == DLP_SIMPLEX) assert_true(psi[i] >= 0 && psi[i] <= 1);
        sum += psi[i];
    }
    if (t->kind == DLP_SIMPLEX) assert_near(sum, 1, 1e-14);
}

static void transforms_go_there_and_back(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(8, 1);
    for (int k = 0; k < 100 * N_KINDS; k++) {
        const dlp_transform *t = &kinds[k % N_KINDS];
        double theta[MOST] = {0}, psi[MOST] = {0}, back[MOST] = {0};
        draw_theta(&rng, t, theta);
        dlp_transform_apply(t, theta, psi);
        check_constraint(t, psi);
        dlp_transform_invert(t, psi, back);
        /* what the bounds take away from the digits of psi */
        const double lost = fmax(fabs(t->lower), fabs(t->upper)) / (t->upper - t->lower);
        const double tolerance = t->kind == DLP_INTERVAL ? 1e-13 * (10 + lost) : 1e-12;
        for (dlp_index i = 0; i < dlp_transform_dimension(t); i++)
            assert_near(back[i], theta[i], tolerance * (1 + exp(fabs(theta[i]))));
    }
    assert_int_equal(dlp_transform_dimension(&kinds[0]), 3);
    assert_int_equal(dlp_transform_dimension(&kinds[7]), 4);
}

/* d psi_k / d theta_j by Richardson's differences, in long double from doubles. */
static real slope_of(const dlp_transform *t, double *theta, dlp_index k, dlp_index j)
{
    real table[4] = {0};
    const double centre = theta[j];
    for (int level = 0; level < 4; level++) {
        double up[MOST] = {0}, down[MOST] = {0};
        const double h = ldexp(0.04, -level);
        theta[j] = centre + h;
        dlp_transform_apply(t, theta, up);
        theta[j] = centre - h;
        dlp_transform_apply(t, theta, down);
        table[level] = ((real)up[k] - down[k]) / (2 * h);
    }
    theta[j] = centre;
    for (int order = 1; order < 4; order++)
        for (int level = 3; level >= order; level--)
            table[level] += (table[level] - table[level - 1]) / (ldexp(1, 2 * order) - 1);
    return table[3];
}

static void log_jacobians_are_log_determinants(void **state)
{
    (void)state;
    dlp_rng rng = dlp_rng_at(8, 2);
    for (int k = 0; k < 20 * N_KINDS; k++) {
        const dlp_transform *t = &kinds[k % N_KINDS];
        const dlp_index m = dlp_transform_dimension(t);
        double theta[MOST] = {0};
        real J[MOST * MOST] = {0}, inverse[MOST * MOST] = {0};
        draw_theta(&rng, t, theta);
        for (dlp_index i = 0; i < m * m; i++) J[i] = slope_of(t, theta, i / m, i % m);
        assert_near(dlp_transform_log_jacobian(t, theta),
                    (double)naive_inverse(m, J, inverse), 1e-8);
    }
}

static void extreme_theta_gives_no_nan(void **state)
{
    (void)state;
    const double extreme[] = {-700, 700, 0, -37, 37, 700, -700, -1e-300};
    dlp_rng rng = dlp_rng_at(8, 3);
    for (int k = 0; k < 200 * N_KINDS; k++) {
        dlp_transform t = kinds[k % N_KINDS];
        double theta[MOST] = {0}, psi[MOST] = {0}, back[MOST] = {0};
        if (t.kind == DLP_INTERVAL) { /* and bounds that add up badly */
            t.lower = -exp(dlp_draw_normal(&rng));
            t.upper = exp(dlp_draw_normal(&rng));
        }
        for (dlp_index i = 0; i < t.n; i++) theta[i] = extreme[(k / N_KINDS + i) % 8];
        dlp_transform_apply(&t, theta, psi);
        check_constraint(&t, psi);
        assert_true(isfinite(dlp_transform_log_jacobian(&t, theta)));
        if (t.kind == DLP_SIMPLEX) continue; /* 0 / 0 on a corner says nothing */
        dlp_transform_invert(&t, psi, back);
        for (dlp_index i = 0; i < t.n; i++) assert_false(isnan(back[i]));
    }
}

static void bad_psi_gives_nan(void **state)
{
    (void)state;
    const dlp_transform positive = {DLP_POSITIVE, 2, -1.7, 0};
    const dlp_transform interval = {DLP_INTERVAL, 2, -1.1, 0.3};
    const dlp_transform simplex = {DLP_SIMPLEX, 3, 0, 0};
    const struct {
        const dlp_transform *t;
        double psi[3];
        bool bad[2]; /* which of theta is NaN */
    } cases[] = {
        {&positive, {-1.8, 2}, {true, false}},
        {&positive, {NAN, -1.7}, {true, false}},
        {&positive, {-INFINITY, INFINITY}, {true, false}},
        {&interval, {-1.2, 0}, {true, false}},
        {&interval, {0, 0.31}, {false, true}},
        {&interval, {NAN, 0.3}, {true, false}},
        {&interval, {-INFINITY, INFINITY}, {true, true}},
        {&simplex, {0.2, 0.3, 0.4}, {true, true}},
        {&simplex, {0.2, 0.3, 0.6}, {true, true}},
        {&simplex, {-0.2, 0.6, 0.6}, {true, true}},
        {&simplex, {0.2, NAN, 0.3}, {true, true}},
        {&simplex, {0.2, 0.3, 0.5}, {false, false}},
        {&simplex, {0, 0.3, 0.7}, {false, false}}, /* a face: -inf */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double theta[2];
        dlp_transform_invert(cases[k].t, cases[k].psi, theta);
        for (int i = 0; i < 2; i++) assert_true(!!isnan(theta[i]) == cases[k].bad[i]);
    }
}

/* --- models ------------------------------------------------------------------------- */

static const dlp_index two_blocks[] = {4, 3}, three_blocks[] = {2, 3, 2};

#define SEVEN_SIMPLE                                                                     \
    {                                                                                    \
        {DLP_POSITIVE, 2, -0.7, 0}, {DLP_REAL, 1, 0, 0}, {DLP_INTERVAL, 3, -1.1, 0.3},   \
        {                                                                                \
            DLP_POSITIVE, 1, 0, 0                                                        \
        }                                                                                \
    }

static const struct {
    const char *name;
    dlp_shape shape;
    dlp_index n_transforms;
    dlp_transform transforms[6];
} mixes[] = {
    {"real",
     {.structure = DLP_BLOCKS, .n = 3, .n_blocks = 1, .block = NULL},
     1,
     {{DLP_REAL, 3, 0, 0}}},
    {"positive",
     {.structure = DLP_BLOCKS, .n = 3, .n_blocks = 1, .block = NULL},
     1,
     {{DLP_POSITIVE, 3, 0.2, 0}}},
    {"interval",
     {.structure = DLP_BLOCKS, .n = 3, .n_blocks = 1, .block = NULL},
     1,
     {{DLP_INTERVAL, 3, -2.385, 1.7}}},
    {"simplex",
     {.structure = DLP_BLOCKS, .n = 4, .n_blocks = 1, .block = NULL},
     1,
     {{DLP_SIMPLEX, 4, 0, 0}}},
    {"small simplex",
     {.structure = DLP_BLOCKS, .n = 2, .n_blocks = 1, .block = NULL},
     1,
     {{DLP_SIMPLEX, 2, 0, 0}}},
    {"dense",
     {.structure = DLP_BLOCKS, .n = 7, .n_blocks = 1, .block = NULL},
     4,
     SEVEN_SIMPLE},
    {"low rank", {.structure = DLP_LOW_RANK, .n = 7, .rank = 1}, 4, SEVEN_SIMPLE},
    {"two blocks",
     {.structure = DLP_BLOCKS, .n = 7, .n_blocks = 2, .block = two_blocks},
     4,
     SEVEN_SIMPLE},
    {"three blocks",
     {.structure = DLP_BLOCKS, .n = 7, .n_blocks = 3, .block = three_blocks},
     4,
     SEVEN_SIMPLE},
    {"everything",
     {.structure = DLP_BLOCKS, .n = 12, .n_blocks = 1, .block = NULL},
     6,
     {{DLP_SIMPLEX, 3, 0, 0},
      {DLP_REAL, 1, 0, 0},
      {DLP_SIMPLEX, 4, 0, 0},
      {DLP_INTERVAL, 1, 0.5, 2.5},
      {DLP_POSITIVE, 1, 0, 0},
      {DLP_SIMPLEX, 2, 0, 0}}},
};
enum { N_MIXES = sizeof mixes / sizeof *mixes };

static void derivatives_of_every_mix_are_right(void **state)
{
    (void)state;
    for (int k = 0; k < N_MIXES; k++)
        for (int derivatives = 0; derivatives <= 2; derivatives++) {
            waves w = {0};
            const dlp_model_type type = waves_type(derivatives);
            const dlp_model inner = make_waves(&w, mixes[k].shape, &type);
            dlp_transformed *T = NULL;
            dlp_check check;
            if (mixes[k].shape.structure == DLP_LOW_RANK && derivatives < 2)
                continue; /* the engine refuses these, and so does a transform */
            assert_ok(dlp_transformed_alloc(&inner, mixes[k].n_transforms,
                                            mixes[k].transforms, &T, error));
            dlp_model model = dlp_transformed_model(T);
            assert_ok(dlp_check_derivatives(&model, 5, NULL, 77, &check, error));
            assert_int_equal(check.gradient.checked, derivatives >= 1);
            assert_int_equal(check.hessian.checked, derivatives >= 2);
            if (check.error >= 1e-7) print_error("%s\n", mixes[k].name);
            assert_near(check.error, 0, 1e-7);
            dlp_transformed_free(T);
        }
}

/* f(theta) = f_psi(T(theta)) + log |dT|, and T covers the stretches one after another. */
static void values_are_those_of_the_parts(void **state)
{
    (void)state;
    for (int k = 0; k < N_MIXES; k++) {
        waves w = {0};
        const dlp_model_type type = waves_type(2);
        const dlp_model inner = make_waves(&w, mixes[k].shape, &type);
        dlp_transformed *T = NULL;
        dlp_rng rng = dlp_rng_at(8, 5);
        double theta[MOST], psi[MOST] = {0}, whole[MOST] = {0}, back[MOST] = {0};
        double log_jacobian = 0;
        dlp_index free_parts = 0, parts = 0;
        draw_normals(&rng, MOST, theta);
        assert_ok(dlp_transformed_alloc(&inner, mixes[k].n_transforms,
                                        mixes[k].transforms, &T, error));
        for (dlp_index s = 0; s < mixes[k].n_transforms; s++) {
            const dlp_transform *t = &mixes[k].transforms[s];
            dlp_transform_apply(t, theta + free_parts, psi + parts);
            log_jacobian += dlp_transform_log_jacobian(t, theta + free_parts);
            free_parts += dlp_transform_dimension(t);
            parts += t->n;
        }
        dlp_model model = dlp_transformed_model(T);
        assert_int_equal(model.shape.n, free_parts);
        assert_int_equal(model.shape.structure, mixes[k].shape.structure);
        assert_close(model.type->f(model.state, theta, NULL, NULL),
                     waves_f(&w, psi, NULL, NULL) + log_jacobian, 1e-13);
        dlp_transformed_apply(T, theta, whole);
        dlp_transformed_invert(T, whole, back);
        for (dlp_index i = 0; i < parts; i++) assert_true(whole[i] == psi[i]);
        for (dlp_index i = 0; i < free_parts; i++) assert_close(back[i], theta[i], 1e-11);
        dlp_transformed_free(T);
    }
}

/* sum_i (alpha_i - 1) log psi_i, with -psi_0 for one component: Gamma and Dirichlet. */
static double exponents_f(void *m, const double *psi, double *grad, dlp_sym *hess)
{
    const double *alpha = m;
    const dlp_index n = (dlp_index)alpha[0];
    double f = n == 1 ? -psi[0] : 0;
    (void)grad, (void)hess;
    for (dlp_index i = 0; i < n; i++) f += (alpha[i + 1] - 1) * log(psi[i]);
    return f;
}

static const dlp_model_type exponents = {
    .size = sizeof exponents, .name = "exponents", .f = exponents_f};

/* The integral over theta in [-60, 60]^m, m = 1 or 2, by the trapezium rule, which for
   such functions is exact to all digits once the step is small. */
static double integral(const dlp_model *model, double h)
{
    const int cells = (int)(60 / h);
    double sum = 0;
    for (int i = -cells; i <= cells; i++)
        for (int j = -cells; j <= cells; j++) {
            const double theta[] = {i * h, j * h};
            if (model->shape.n == 1 && j != 0) continue;
            sum += exp(model->type->f(model->state, theta, NULL, NULL)) *
                   (model->shape.n == 2 ? h * h : h);
        }
    return sum;
}

static void densities_keep_their_integrals(void **state)
{
    (void)state;
    const struct {
        dlp_transform t;
        double alpha[4]; /* how many, and which */
        double log_integral;
    } cases[] = {
        {{DLP_POSITIVE, 1, 0, 0}, {1, 2.385}, lgamma(2.385)},
        {{DLP_POSITIVE, 1, 0, 0}, {1, 0.7}, lgamma(0.7)},
        {{DLP_INTERVAL, 1, 0, 3}, {1, 1.0}, log1p(-exp(-3))}, /* exp(-psi) up to 3 */
        {{DLP_SIMPLEX, 2, 0, 0}, {2, 1.7, 0.6}, lgamma(1.7) + lgamma(0.6) - lgamma(2.3)},
        {{DLP_SIMPLEX, 3, 0, 0},
         {3, 1.7, 0.9, 2.4},
         lgamma(1.7) + lgamma(0.9) + lgamma(2.4) - lgamma(5)},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double alpha[4];
        memcpy(alpha, cases[k].alpha, sizeof alpha);
        const dlp_model inner = {
            .type = &exponents, .state = alpha, .shape = dlp_shape_dense(cases[k].t.n)};
        dlp_transformed *T = NULL;
        assert_ok(dlp_transformed_alloc(&inner, 1, &cases[k].t, &T, error));
        const dlp_model model = dlp_transformed_model(T);
        const double h = cases[k].t.n == 3 ? 0.15 : 0.05;
        assert_near(log(integral(&model, h)), cases[k].log_integral, 1e-9);
        dlp_transformed_free(T);
    }
}

/* Gamma(a, b) through exp: the mode of theta is log(a / b), its variance 1 / a. */
static double gamma_f(void *m, const double *psi, double *grad, dlp_sym *hess)
{
    const double *ab = m;
    if (grad) grad[0] = (ab[0] - 1) / psi[0] - ab[1];
    if (hess) *dlp_sym_block(hess, 0) = -(ab[0] - 1) / (psi[0] * psi[0]);
    return (ab[0] - 1) * log(psi[0]) - ab[1] * psi[0];
}

static void fits_of_transformed_models_find_the_mode(void **state)
{
    (void)state;
    double ab[] = {2.385, 0.031};
    const dlp_transform t = {DLP_POSITIVE, 1, 0, 0};
    for (int derivatives = 0; derivatives <= 2; derivatives++) {
        const dlp_model_type type = {.size = sizeof type,
                                     .name = "gamma",
                                     .f = gamma_f,
                                     .derivatives = derivatives};
        const dlp_model inner = {.type = &type, .state = ab, .shape = dlp_shape_dense(1)};
        const dlp_settings settings = dlp_settings_default();
        const double tolerance = derivatives == 2 ? 1e-10 : 1e-5;
        dlp_transformed *T = NULL;
        dlp_fit *fit = NULL;
        assert_ok(dlp_transformed_alloc(&inner, 1, &t, &T, error));
        const dlp_model model = dlp_transformed_model(T);
        assert_ok(dlp_fit_alloc(&model, &settings, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        assert_near(r->mu[0], log(ab[0] / ab[1]), tolerance);
        assert_near(*dlp_sym_block(r->Sigma, 0), 1 / ab[0], tolerance);
        dlp_fit_free(fit);
        dlp_transformed_free(T);
    }
}

/* --- the conjugate part ------------------------------------------------------------- */

typedef struct witness {
    int stats, updates;
    double e_eta;
} witness;

static double witness_f(void *m, const double *psi, double *grad, dlp_sym *hess)
{
    (void)m, (void)grad, (void)hess;
    return -psi[0];
}

static void witness_stats(void *m)
{
    ((witness *)m)->stats++;
}

static void witness_eta(void *m, const double *psi, double *eta)
{
    (void)m;
    eta[0] = psi[0];
    eta[1] = 2.385 * psi[0] * psi[1];
}

static void witness_update(void *m, const double *e_eta)
{
    ((witness *)m)->updates++;
    ((witness *)m)->e_eta = e_eta[1];
}

static double witness_bound(void *m)
{
    (void)m;
    return -7.25;
}

static const dlp_model_type witness_type = {.size = sizeof witness_type,
                                            .name = "witness",
                                            .f = witness_f,
                                            .expect_stats = witness_stats,
                                            .eta = witness_eta,
                                            .update_z = witness_update,
                                            .objective_z = witness_bound};

static void z_works_as_before(void **state)
{
    (void)state;
    witness w = {0};
    const dlp_model inner = {
        .type = &witness_type, .state = &w, .shape = dlp_shape_dense(2), .n_eta = 2};
    const dlp_transform t = {DLP_POSITIVE, 2, 0, 0};
    const double theta[] = {0.3, -0.4}, e_eta[] = {1.5, 2.5};
    double eta[2];
    dlp_transformed *T = NULL;
    assert_ok(dlp_transformed_alloc(&inner, 1, &t, &T, error));
    const dlp_model model = dlp_transformed_model(T);
    assert_int_equal(model.n_eta, 2);
    assert_null(model.type->expect_eta);
    assert_null(model.type->trace_grad);
    model.type->expect_stats(model.state);
    model.type->update_z(model.state, e_eta);
    model.type->eta(model.state, theta, eta);
    assert_int_equal(w.stats, 1);
    assert_int_equal(w.updates, 1);
    assert_true(w.e_eta == 2.5);
    assert_true(model.type->objective_z(model.state) == -7.25);
    assert_near(eta[0], exp(0.3), 1e-15);
    assert_near(eta[1], 2.385 * exp(-0.1), 1e-15);
    dlp_transformed_free(T);
}

/* --- what is refused ----------------------------------------------------------------- */

static dlp_status attempt(const dlp_model *inner, dlp_index n,
                          const dlp_transform *transforms, dlp_error *error)
{
    dlp_transformed *T = NULL;
    const dlp_status status = dlp_transformed_alloc(inner, n, transforms, &T, error);
    assert_true((status == DLP_OK) == (T != NULL));
    dlp_transformed_free(T);
    return status;
}

static void bad_transforms_are_refused(void **state)
{
    (void)state;
    const dlp_index huge = PTRDIFF_MAX;
    const struct {
        dlp_index n;
        dlp_transform t[2];
        const char *words;
    } cases[] = {
        {1, {{(dlp_transform_kind)9, 3, 0, 0}}, "transform 0 has an unknown kind"},
        {1, {{(dlp_transform_kind)-1, 3, 0, 0}}, "unknown kind"},
        {2, {{DLP_REAL, 3, 0, 0}, {DLP_REAL, 0, 0, 0}}, "transform 1 has n = 0"},
        {1, {{DLP_REAL, -3, 0, 0}}, "n = -3"},
        {1, {{DLP_SIMPLEX, 1, 0, 0}}, "2 for a simplex"},
        {1, {{DLP_POSITIVE, 3, NAN, 0}}, "lower is not finite"},
        {1, {{DLP_POSITIVE, 3, -INFINITY, 0}}, "lower is not finite"},
        {1, {{DLP_INTERVAL, 3, 1, 1}}, "needs finite lower < upper"},
        {1, {{DLP_INTERVAL, 3, 2, 1}}, "needs finite lower < upper"},
        {1, {{DLP_INTERVAL, 3, NAN, 1}}, "needs finite lower < upper"},
        {1, {{DLP_INTERVAL, 3, 0, INFINITY}}, "needs finite lower < upper"},
        {1, {{DLP_INTERVAL, 3, -1e308, 1e308}}, "needs finite lower < upper"},
        {1, {{DLP_REAL, 2, 0, 0}}, "cover 2 components, the model has 3"},
        {2, {{DLP_REAL, 2, 0, 0}, {DLP_REAL, 2, 0, 0}}, "components, the model has 3"},
        {2, {{DLP_REAL, huge, 0, 0}, {DLP_REAL, huge, 0, 0}}, "the model has 3"},
        {0, {{DLP_REAL, 3, 0, 0}}, "cover 0 components"},
        {-1, {{DLP_REAL, 3, 0, 0}}, "cover 0 components"},
    };
    waves w = {0};
    const dlp_model_type type = waves_type(2);
    const dlp_model inner = make_waves(&w, dlp_shape_dense(3), &type);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_fails(attempt(&inner, cases[k].n, cases[k].t, error), DLP_EINVAL,
                     cases[k].words);
        assert_int_equal(attempt(&inner, cases[k].n, cases[k].t, NULL), DLP_EINVAL);
    }
}

static void witness_expect_eta(void *m, const double *mu, const dlp_sym *Sigma,
                               double *e_eta)
{
    (void)m, (void)mu, (void)Sigma, (void)e_eta;
}

static void bad_models_are_refused(void **state)
{
    (void)state;
    waves w = {0};
    witness seen = {0};
    dlp_model_type type = waves_type(2);
    dlp_model inner = make_waves(&w, dlp_shape_low_rank(3, 1), &type);
    const dlp_transform simplex = {DLP_SIMPLEX, 3, 0, 0}, real_line = {DLP_REAL, 3, 0, 0};
    static const dlp_index blocks[] = {1, 2};
    assert_fails(attempt(&inner, 1, &simplex, error), DLP_EINVAL, "use dlp_shape_dense");
    inner.shape = dlp_shape_blocks(2, blocks);
    assert_fails(attempt(&inner, 1, &simplex, error), DLP_EINVAL, "use dlp_shape_dense");
    inner.shape = dlp_shape_low_rank(3, -1);
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL, "the rank is -1");
    inner.shape = dlp_shape_dense(3);
    assert_int_equal(attempt(&inner, 1, &simplex, NULL), DLP_OK);

    inner.type = NULL;
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL,
                 "a type with a name and f");
    inner.type = &type;
    type.f = NULL;
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL,
                 "a type with a name and f");
    type = waves_type(2);
    for (int derivatives = -1; derivatives <= 3; derivatives += 4) {
        type.derivatives = derivatives;
        assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL, "derivatives is");
    }

    inner = (dlp_model){
        .type = &type, .state = &seen, .shape = dlp_shape_dense(3), .n_eta = 2};
    type = witness_type;
    type.eta = NULL;
    type.expect_eta = witness_expect_eta; /* exact over psi: of no use over theta */
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL, "witness needs eta");
    type = witness_type;
    type.expect_stats = NULL;
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL, "expect_stats");
    type = witness_type;
    type.objective_z = NULL;
    assert_fails(attempt(&inner, 1, &real_line, error), DLP_EINVAL, "objective_z");
    dlp_transformed_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_go_there_and_back),
        cmocka_unit_test(log_jacobians_are_log_determinants),
        cmocka_unit_test(extreme_theta_gives_no_nan),
        cmocka_unit_test(bad_psi_gives_nan),
        cmocka_unit_test(derivatives_of_every_mix_are_right),
        cmocka_unit_test(values_are_those_of_the_parts),
        cmocka_unit_test(densities_keep_their_integrals),
        cmocka_unit_test(fits_of_transformed_models_find_the_mode),
        cmocka_unit_test(z_works_as_before),
        cmocka_unit_test(bad_transforms_are_refused),
        cmocka_unit_test(bad_models_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

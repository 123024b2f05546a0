/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The check of derivatives must itself be checked: it is content with right models of
 * every shape and names the entry of every mistake planted in one.
 */
#include "waves.h"

enum { N = 7 };

static const dlp_index three_blocks[] = {3, 1, 3};

/* What is wrong with the model below. */
typedef enum mistake {
    NONE,
    GRADIENT,       /* entry i */
    HESSIAN,        /* entries (i, j) and (j, i) */
    HESSIAN_HALF,   /* entry (i, j) alone */
    TRACE_GRAD,     /* entry i */
    ETA_TRACE,      /* entry i */
    GRADIENT_GAP,   /* entry i is not written */
    HESSIAN_GAP,    /* entry (i, j) is not written */
    TRACE_GRAD_GAP, /* entry i is not written */
    ETA_TRACE_GAP,  /* entry i is not written */
    ONLY_TOGETHER   /* gradient entry i, when the Hessian is wanted too */
} mistake;

/* waves, with a mistake. */
typedef struct liar {
    waves waves; /* first, so that a liar is also waves */
    mistake mistake;
    dlp_index i, j;
    double by; /* how much */
} liar;

static double liar_f(void *m, const double *x, double *grad, dlp_sym *hess)
{
    const liar *l = m;
    const dlp_index n = l->waves.shape.n;
    const double g = grad ? grad[l->i] : 0;
    const double h = hess && l->mistake == HESSIAN_GAP ? hess->a[l->i * n + l->j] : 0;
    const double f = waves_f(m, x, grad, hess);
    if (grad && l->mistake == GRADIENT) grad[l->i] += l->by;
    if (grad && hess && l->mistake == ONLY_TOGETHER) grad[l->i] += l->by;
    if (grad && l->mistake == GRADIENT_GAP) grad[l->i] = g;
    if (!hess) return f;
    if (l->mistake == HESSIAN_GAP) hess->a[l->i * n + l->j] = h;
    if (l->mistake == HESSIAN || l->mistake == HESSIAN_HALF)
        hess->a[l->i * n + l->j] += l->by;
    if (l->mistake == HESSIAN) hess->a[l->j * n + l->i] += l->by;
    return f;
}

static void liar_trace_grad(void *m, const double *x, const dlp_sym *Sigma, double *grad)
{
    const liar *l = m;
    const double g = grad[l->i];
    waves_trace_grad(m, x, Sigma, grad);
    if (l->mistake == TRACE_GRAD) grad[l->i] += l->by;
    if (l->mistake == TRACE_GRAD_GAP) grad[l->i] = g;
}

static void liar_eta_trace(void *m, const double *x, const dlp_sym *Sigma, double *trace)
{
    const liar *l = m;
    const double t = trace[l->i % WAVES_ETA];
    waves_eta_trace(m, x, Sigma, trace);
    if (l->mistake == ETA_TRACE) trace[l->i] += l->by;
    if (l->mistake == ETA_TRACE_GAP) trace[l->i] = t;
}

static const dlp_model_type liar_type = {.size = sizeof liar_type,
                                         .name = "liar",
                                         .f = liar_f,
                                         .derivatives = 2,
                                         .trace_grad = liar_trace_grad,
                                         .eta = waves_eta,
                                         .eta_trace = liar_eta_trace};

static void right_models_pass(void **state)
{
    (void)state;
    const dlp_shape shapes[] = {dlp_shape_dense(N), dlp_shape_low_rank(N, 1),
                                dlp_shape_blocks(3, three_blocks)};
    for (int k = 0; k < 3; k++)
        for (int derivatives = 0; derivatives <= 2; derivatives++) {
            if (shapes[k].structure == DLP_LOW_RANK && derivatives < 2)
                continue; /* no engine could use it, so the check refuses it */
            liar l = {.mistake = NONE};
            dlp_model_type type = liar_type;
            dlp_check check;
            type.derivatives = derivatives;
            dlp_model model = make_waves(&l.waves, shapes[k], &type);
            assert_ok(dlp_check_derivatives(&model, 10, NULL, 2013, &check, error));
            assert_int_equal(check.gradient.checked, derivatives >= 1);
            assert_int_equal(check.hessian.checked, derivatives >= 2);
            assert_int_equal(check.trace_grad.checked, derivatives >= 2);
            assert_int_equal(check.eta_trace.checked, 1);
            char words[200];
            dlp_check_describe(&check, words, sizeof words);
            if (!(check.error < 1e-7)) print_error("%s\n", words);
            assert_true(check.error < 1e-7);
            const double largest =
                fmax(fmax(check.gradient.error, check.hessian.error),
                     fmax(check.trace_grad.error, check.eta_trace.error));
            assert_true(check.error == largest);
        }
}

static void mistakes_are_named(void **state)
{
    (void)state;
    const struct {
        mistake mistake;
        dlp_index i, j;
        double by;
        const char *words; /* what describe says */
    } cases[] = {
        {GRADIENT, 3, -1, 0.01, "gradient (3): model "},
        {GRADIENT, 0, -1, NAN, "gradient (0): model "},
        {GRADIENT, 6, -1, INFINITY, "gradient (6): model "},
        {HESSIAN, 4, 2, 0.01, "hessian ("},
        {HESSIAN, 5, 5, -0.01, "hessian (5,5): model "},
        {HESSIAN_HALF, 4, 2, 0.01, "hessian (4,2): model "},
        {HESSIAN_HALF, 2, 4, 0.01, "hessian (2,4): model "},
        {HESSIAN_HALF, 1, 6, NAN, "hessian (1,6): model "},
        {HESSIAN_HALF, 6, 1, -INFINITY, "hessian (6,1): model "},
        {TRACE_GRAD, 2, -1, 0.02, "trace gradient (2): model "},
        {TRACE_GRAD, 5, -1, NAN, "trace gradient (5): model "},
        {ETA_TRACE, 1, -1, 0.02, "trace of eta (1): model "},
        {ETA_TRACE, 2, -1, NAN, "trace of eta (2): model "},
        {GRADIENT_GAP, 4, -1, 0, "gradient (4): model nan"},
        {HESSIAN_GAP, 3, 0, 0, "hessian (3,0): model nan"},
        {TRACE_GRAD_GAP, 6, -1, 0, "trace gradient (6): model nan"},
        {ETA_TRACE_GAP, 0, -1, 0, "trace of eta (0): model nan"},
        {ONLY_TOGETHER, 5, -1, 0.01, "gradient (5): model "},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        liar l = {.mistake = cases[k].mistake,
                  .i = cases[k].i,
                  .j = cases[k].j,
                  .by = cases[k].by};
        dlp_check check;
        char words[200];
        const dlp_model model = make_waves(&l.waves, dlp_shape_dense(N), &liar_type);
        assert_ok(dlp_check_derivatives(&model, 4, NULL, 2013, &check, error));
        assert_true(check.error > 1e-3);
        dlp_check_describe(&check, words, sizeof words);
        if (!strstr(words, cases[k].words)) print_error("case %zu: %s\n", k, words);
        assert_non_null(strstr(words, cases[k].words));
    }
}

/* A mistake stays in its own line: the rest is right. */
static void mistakes_do_not_spread(void **state)
{
    (void)state;
    const struct {
        mistake mistake;
        bool wrong[4]; /* gradient, hessian, trace_grad, eta_trace */
    } cases[] = {
        {GRADIENT, {true, false, false, false}}, /* a constant, so without slope */
        {HESSIAN, {false, true, false, false}},
        {TRACE_GRAD, {false, false, true, false}},
        {ETA_TRACE, {false, false, false, true}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        liar l = {.mistake = cases[k].mistake, .i = 2, .j = 1, .by = 0.1};
        dlp_check check;
        const dlp_model model = make_waves(&l.waves, dlp_shape_dense(N), &liar_type);
        assert_ok(dlp_check_derivatives(&model, 4, NULL, 5, &check, error));
        const dlp_check_entry *all[] = {&check.gradient, &check.hessian,
                                        &check.trace_grad, &check.eta_trace};
        for (int e = 0; e < 4; e++) {
            assert_true(all[e]->error < 1e-7 || cases[k].wrong[e]);
            if (!cases[k].wrong[e]) continue;
            assert_near(fabs(all[e]->analytic - all[e]->numeric), 0.1, 1e-6);
            assert_int_equal(all[e]->i + (all[e]->j < 0 ? 0 : all[e]->j), e == 1 ? 3 : 2);
        }
    }
}

/* log x - x with derivatives that are junk from 0 down, as model.h allows. */
static double logarithm(void *m, const double *x, double *grad, dlp_sym *hess)
{
    (void)m;
    if (grad) grad[0] = x[0] > 0 ? 1 / x[0] - 1 : 1e6;
    if (hess) dlp_sym_block(hess, 0)[0] = x[0] > 0 ? -1 / (x[0] * x[0]) : 1e9;
    return x[0] > 0 ? log(x[0]) - x[0] : -INFINITY;
}

static void logarithm_trace_grad(void *m, const double *x, const dlp_sym *Sigma,
                                 double *grad)
{
    (void)m;
    grad[0] = 2 / (x[0] * x[0] * x[0]) * *dlp_sym_block(Sigma, 0);
}

static void ends_of_the_domain_are_respected(void **state)
{
    (void)state;
    const dlp_model_type type = {.size = sizeof type,
                                 .name = "logarithm",
                                 .f = logarithm,
                                 .derivatives = 2,
                                 .trace_grad = logarithm_trace_grad};
    const dlp_model model = {.type = &type, .shape = dlp_shape_dense(1)};
    const double inside[] = {1e-4, 0.01, 0.0199, 0.02, 0.0201, 0.03, 0.7, 2.385, 1e3};
    const double outside[] = {0.7, -0.3, 2.385};
    dlp_check check;
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
        assert_ok(dlp_check_derivatives(&model, 1, &inside[k], 1, &check, error));
        if (check.error >= 1e-7) print_error("at %g\n", inside[k]);
        assert_near(check.error, 0, 1e-7);
    }
    assert_fails(dlp_check_derivatives(&model, 3, outside, 1, &check, error), DLP_EINVAL,
                 "model logarithm: f is not finite at point 1; give points inside");
    assert_fails(dlp_check_derivatives(&model, 60, NULL, 1, &check, error), DLP_EINVAL,
                 "f is not finite");
    assert_int_equal(dlp_check_derivatives(&model, 3, outside, 1, &check, NULL),
                     DLP_EINVAL);
}

static void points_given_are_points_checked(void **state)
{
    (void)state;
    liar l = {.mistake = NONE};
    dlp_check check;
    double points[3 * N];
    const dlp_model model = make_waves(&l.waves, dlp_shape_dense(N), &liar_type);
    for (int i = 0; i < 3 * N; i++) points[i] = 0.1 * i - 1;
    assert_ok(dlp_check_derivatives(&model, 3, points, 1, &check, error));
    assert_true(check.error < 1e-7);
    points[2 * N + 4] = 700; /* exp: eta's second differences see nothing there */
    assert_ok(dlp_check_derivatives(&model, 3, points, 1, &check, error));
    assert_int_equal(check.gradient.point, 2);
}

static void the_seed_decides(void **state)
{
    (void)state;
    liar l = {.mistake = NONE};
    dlp_check once, again, other;
    const dlp_model model = make_waves(&l.waves, dlp_shape_low_rank(N, 1), &liar_type);
    assert_ok(dlp_check_derivatives(&model, 3, NULL, 41, &once, error));
    assert_ok(dlp_check_derivatives(&model, 3, NULL, 41, &again, error));
    assert_ok(dlp_check_derivatives(&model, 3, NULL, 42, &other, error));
    assert_true(once.gradient.analytic == again.gradient.analytic);
    assert_true(once.hessian.numeric == again.hessian.numeric);
    assert_true(once.trace_grad.numeric == again.trace_grad.numeric);
    assert_true(once.eta_trace.numeric == again.eta_trace.numeric);
    assert_true(once.gradient.analytic != other.gradient.analytic);
    assert_true(once.trace_grad.analytic != other.trace_grad.analytic);
}

static void descriptions_fit_their_buffer(void **state)
{
    (void)state;
    char words[200] = "as before";
    const dlp_check nothing = {0};
    const dlp_check hessian = {
        .gradient = {.checked = 1, .error = 1e-9},
        .hessian = {1, 0.048, 2.5, 2.385, 3, 1, 7},
    };
    dlp_check_describe(&nothing, words, 0);
    assert_string_equal(words, "as before");
    dlp_check_describe(&nothing, words, sizeof words);
    assert_string_equal(words, "the model offers no derivatives to check");
    dlp_check_describe(&hessian, words, sizeof words);
    assert_string_equal(
        words, "hessian (3,1): model 2.5, differences 2.385, error 0.048, at point 7");
    dlp_check_describe(&hessian, words, 14);
    assert_string_equal(words, "hessian (3,1)");
}

static void senseless_calls_are_refused(void **state)
{
    (void)state;
    liar l = {.mistake = NONE};
    dlp_check check;
    dlp_model_type type = liar_type;
    dlp_model model = make_waves(&l.waves, dlp_shape_dense(N), &type);
    const char *words = "a model needs a type with a name and f";
    assert_fails(dlp_check_derivatives(&model, 0, NULL, 1, &check, error), DLP_EINVAL,
                 "at least one point");
    assert_fails(dlp_check_derivatives(&model, -1, NULL, 1, &check, error), DLP_EINVAL,
                 "at least one point");
    type.name = NULL;
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EINVAL,
                 words);
    type = liar_type;
    type.f = NULL;
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EINVAL,
                 words);
    model.type = NULL;
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EINVAL,
                 words);
    model.type = &liar_type;
    model.n_eta = -1;
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EINVAL,
                 "n_eta");
    model.n_eta = WAVES_ETA;
    model.shape = dlp_shape_dense(0);
    assert_fails(dlp_check_derivatives(&model, 1, NULL, 1, &check, error), DLP_EINVAL,
                 "n = 0");
    assert_true(check.error == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_models_pass),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(mistakes_do_not_spread),
        cmocka_unit_test(ends_of_the_domain_are_respected),
        cmocka_unit_test(points_given_are_points_checked),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(descriptions_fit_their_buffer),
        cmocka_unit_test(senseless_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

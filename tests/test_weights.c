/* SPDX-License-Identifier: BSD-3-Clause */
/* A row of weight w counts as w rows: whatever a regression says about weighted rows it
   says about the same rows written out. */
#include "glm_sample.h"

enum { MOST = 4 * N, MOST_N = 3 * P };

/* A sample with the weights 0, 1, 2 and 3, and the same with its rows written out. */
typedef struct pair {
    sample s;
    double weight[N];
    double columns[P][MOST], y[MOST], trials[MOST], offset[MOST];
    const double *x[P];
    dlp_glm_data weighted, repeated;
} pair;

static void draw_pair(pair *t, const char *family)
{
    dlp_index n = 0;
    draw_sample(&t->s, family, 23);
    for (int i = 0; i < N; i++) {
        t->weight[i] = i % 4;
        for (int k = 0; k < i % 4; k++, n++) {
            for (int j = 0; j < P; j++) t->columns[j][n] = t->s.columns[j][i];
            t->y[n] = t->s.y[i];
            t->trials[n] = t->s.trials[i];
            t->offset[n] = t->s.offset[i];
        }
    }
    for (int j = 0; j < P; j++) t->x[j] = t->columns[j];
    t->weighted = t->repeated = t->s.data;
    t->weighted.weight = t->weight;
    t->repeated.N = n;
    t->repeated.x = t->x;
    t->repeated.y = t->y;
    if (t->s.data.trials) t->repeated.trials = t->trials;
    if (t->s.data.offset) t->repeated.offset = t->offset;
}

static void assert_same(int n, const double *a, const double *b)
{
    for (int i = 0; i < n; i++) assert_close(a[i], b[i], 1e-11);
}

/* What a model says at a point. */
typedef struct answer {
    double f, grad[MOST_N], H[MOST_N * MOST_N], trace_grad[MOST_N];
} answer;

static void ask(const dlp_model *model, answer *a)
{
    const double theta[MOST_N] = {0.4, -0.3, 0.2, 0.1, 0.5, -0.6, 0.3, 0.7, -0.2};
    const dlp_index n = model->shape.n;
    dlp_sym H = {0}, Sigma = {0};
    memset(a, 0, sizeof *a);
    assert_ok(dlp_sym_alloc(model->shape, &H, error));
    assert_ok(dlp_sym_alloc(model->shape, &Sigma, error));
    for (dlp_index i = 0; i < n; i++)
        for (dlp_index j = 0; j < n; j++)
            Sigma.a[i * n + j] = i == j ? 0.3 + 0.1 * (double)i : 0.02;
    a->f = model->type->f(model->state, theta, a->grad, &H);
    memcpy(a->H, H.a, (size_t)(n * n) * sizeof *a->H);
    if (model->type->trace_grad)
        model->type->trace_grad(model->state, theta, &Sigma, a->trace_grad);
    dlp_sym_free(&H);
    dlp_sym_free(&Sigma);
}

static void compare(const char *family, const char *link, int bound)
{
    const dlp_glm_prior prior = dlp_glm_prior_default();
    dlp_glm *weighted = NULL, *repeated = NULL;
    pair t;
    answer a, b;
    draw_pair(&t, family);
    assert_ok(dlp_glm_alloc(family, link, &t.weighted, &prior, &weighted, error));
    assert_ok(dlp_glm_alloc(family, link, &t.repeated, &prior, &repeated, error));
    if (bound) {
        assert_ok(dlp_glm_use_jaakkola_jordan(weighted, error));
        assert_ok(dlp_glm_use_jaakkola_jordan(repeated, error));
    }
    const dlp_model one = dlp_glm_model(weighted), other = dlp_glm_model(repeated);
    ask(&one, &a);
    ask(&other, &b);
    assert_same(1, &a.f, &b.f);
    assert_same(MOST_N, a.grad, b.grad);
    assert_same(MOST_N * MOST_N, a.H, b.H);
    assert_same(MOST_N, a.trace_grad, b.trace_grad);
    dlp_glm_free(weighted);
    dlp_glm_free(repeated);
}

static void every_family_counts_weights_as_rows(void **state)
{
    (void)state;
    for (int k = 0; dlp_family_at(k); k++)
        for (int l = 0; dlp_family_at(k)->link[l]; l++)
            if (!needs_positive(dlp_family_at(k)->name, dlp_family_at(k)->link[l]))
                compare(dlp_family_at(k)->name, dlp_family_at(k)->link[l], 0);
    compare("bernoulli", "logit", 1);
    compare("binomial", "logit", 1);
}

static void the_integral_counts_weights_as_rows(void **state)
{
    (void)state;
    const dlp_glm_prior prior = dlp_glm_prior_default();
    pair t;
    draw_pair(&t, "gaussian");
    double mu[2][P + 1], Sigma[2][(P + 1) * (P + 1)], evidence[2];
    for (int k = 0; k < 2; k++) {
        dlp_glm *glm = NULL;
        assert_ok(dlp_glm_alloc("gaussian", NULL, k ? &t.repeated : &t.weighted, &prior,
                                &glm, error));
        assert_ok(dlp_glm_integrate(glm, mu[k], Sigma[k], &evidence[k], error));
        dlp_glm_free(glm);
    }
    assert_same(P + 1, mu[0], mu[1]);
    assert_same((P + 1) * (P + 1), Sigma[0], Sigma[1]);
    assert_same(1, &evidence[0], &evidence[1]);
}

static void weights_below_zero_are_refused(void **state)
{
    (void)state;
    const dlp_glm_prior prior = dlp_glm_prior_default();
    const double wrong[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        dlp_glm *glm = NULL;
        pair t;
        draw_pair(&t, "poisson");
        t.weight[6] = wrong[k];
        assert_fails(dlp_glm_alloc("poisson", NULL, &t.weighted, &prior, &glm, error),
                     DLP_EINPUT, "row 7: its weight");
        assert_null(glm);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_counts_weights_as_rows),
        cmocka_unit_test(the_integral_counts_weights_as_rows),
        cmocka_unit_test(weights_below_zero_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The metric of a document's climb, for few topics and for many: it is the curvature with z
   integrated out, where that is positive definite, else the one with z held. */
#include "support.h"

#include "math/dense.h"
#include "topics/ctm/ctm.h"

#include <delaplace/random.h>

enum { V = 12, WORDS = 8 };
static const int32_t term[WORDS] = {0, 1, 3, 4, 6, 7, 9, 11};
static const int32_t count[WORDS] = {9, 3, 12, 6, 18, 15, 6, 21};

typedef struct made {
    dlpi_ctm_shared shared;
    dlpi_ctm_document doc;
    dlp_index K;
    double *theta, *v, *y;
} made;

/* Sigma_0 = (1 + noise) I + 0.3, beta by chance */
static void make(made *m, dlp_index K)
{
    *m = (made){.K = K};
    dlp_rng rng = dlp_rng_at(3, (uint64_t)K);
    assert_ok(dlpi_ctm_shared_alloc(K, V, &m->shared, error));
    for (dlp_index k = 0; k < K; k++) {
        for (dlp_index v = 0; v < V; v++)
            m->shared.beta[v * m->shared.stride + k] = dlp_draw_uniform(&rng) + 0.01;
        for (dlp_index j = 0; j < K; j++)
            m->shared.Sigma0[k * K + j] = 0.3 + (j == k ? 1 + dlp_draw_uniform(&rng) : 0);
    }
    assert_true(dlpi_ctm_factor_sigma0(&m->shared));
    const dlp_document_settings settings = {.size = sizeof(dlp_document_settings),
                                            .method = "laplace",
                                            .tol = 1e-9,
                                            .max_iter = 200};
    assert_ok(dlpi_ctm_document_alloc(&m->shared, &settings, &m->doc, error));
    assert_ok(dlpi_ctm_document_reserve(&m->doc, WORDS, error));
    dlpi_ctm_document_set(&m->doc, WORDS, term, count);
    m->theta = calloc((size_t)(3 * K), sizeof *m->theta);
    m->v = m->theta + K;
    m->y = m->v + K;
    for (dlp_index k = 0; k < K; k++) {
        m->doc.mean[k] = 0.1 * dlp_draw_normal(&rng);
        m->theta[k] = 0.3 * dlp_draw_normal(&rng);
        m->v[k] = dlp_draw_normal(&rng);
    }
}

static void end(made *m)
{
    dlpi_ctm_document_free(&m->doc);
    dlpi_ctm_shared_free(&m->shared);
    free(m->theta);
}

static void solve(made *m, bool far)
{
    dlpi_ctm_objective(&m->doc, m->theta, NULL, NULL);
    dlpi_ctm_set_metric(&m->doc, far);
    memcpy(m->y, m->v, (size_t)m->K * sizeof *m->y);
    dlpi_ctm_metric_solve(&m->doc, m->y);
}

/* A y = v */
static void check_solved(const made *m, const double *A, double within)
{
    for (dlp_index i = 0; i < m->K; i++) {
        double sum = 0;
        for (dlp_index j = 0; j < m->K; j++) sum += A[i * m->K + j] * m->y[j];
        assert_near(sum, m->v[i], within);
    }
}

/* At the mode it is positive definite. Of many topics, all but twenty have no words. */
static void the_metric_is_the_curvature(void **state)
{
    (void)state;
    static const dlp_index sizes[] = {5, 20, 64, 70, 90};
    for (int s = 0; s < 5; s++) {
        made m;
        make(&m, sizes[s]);
        double *A = calloc((size_t)(m.K * m.K), sizeof *A);
        for (dlp_index k = 20; k < m.K; k++) m.doc.mean[k] = -45;
        memcpy(m.theta, m.doc.mean, (size_t)m.K * sizeof *m.theta);
        dlpi_ctm_infer(&m.doc, m.theta);
        assert_int_equal(m.doc.outcome, DLP_CONVERGED);
        for (int far = 0; far < 2; far++) {
            solve(&m, far);
            /* the curvatures are written over what the metric has kept */
            if (far)
                dlpi_ctm_curvature(&m.doc, A);
            else
                dlpi_ctm_curvature_without_z(&m.doc, A);
            check_solved(&m, A, 1e-6);
        }
        free(A);
        end(&m);
    }
}

/* Words that two topics share while a third has the document: the curvature with z integrated
   out is not positive definite there, and the words are left out. */
static void where_it_is_not_positive_definite_words_are_left_out(void **state)
{
    (void)state;
    static const dlp_index sizes[] = {5, 70};
    for (int s = 0; s < 2; s++) {
        made m;
        make(&m, sizes[s]);
        double *A = calloc((size_t)(m.K * m.K), sizeof *A);
        for (dlp_index k = 0; k < m.K; k++) m.theta[k] = k == 2 ? 12 : k < 2 ? 0 : -45;
        for (dlp_index v = 0; v < V; v++)
            for (dlp_index k = 0; k < m.K; k++)
                m.shared.beta[v * m.shared.stride + k] = k < 2 ? 0.5 : 1e-9;
        dlpi_ctm_objective(&m.doc, m.theta, NULL, NULL);
        dlpi_ctm_curvature_without_z(&m.doc, A);
        assert_true(dlpi_cholesky(m.K, A) >= 0);
        solve(&m, false);
        dlpi_ctm_curvature(&m.doc, A);
        check_solved(&m, A, 1e-5);
        free(A);
        end(&m);
    }
}

/* If there are too many to account for, the largest are taken, and the metric stays
   positive definite. */
static void more_topics_than_are_looked_at(void **state)
{
    (void)state;
    static const dlp_index sizes[] = {60, 100};
    for (int s = 0; s < 2; s++) {
        made m;
        make(&m, sizes[s]);
        for (dlp_index k = 0; k < m.K; k++) m.theta[k] *= 0.1;
        solve(&m, false);
        assert_in_range(m.doc.n_active, 0, DLPI_CTM_MOST_ACTIVE);
        double length = 0;
        for (dlp_index k = 0; k < m.K; k++) length += m.v[k] * m.y[k];
        assert_true(length > 0);
        end(&m);
    }
}

/* Where there is no factor at all, the metric is the prior's. */
static void without_a_factor_it_is_the_prior(void **state)
{
    (void)state;
    made m;
    make(&m, 70);
    m.doc.n_active = -1;
    memcpy(m.y, m.v, (size_t)m.K * sizeof *m.y);
    dlpi_ctm_metric_solve(&m.doc, m.y);
    for (dlp_index i = 0; i < m.K; i++) {
        double sum = 0;
        for (dlp_index j = 0; j < m.K; j++) sum += m.shared.Sigma0[i * m.K + j] * m.v[j];
        assert_close(m.y[i], sum, 1e-10);
    }
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_metric_is_the_curvature),
        cmocka_unit_test(where_it_is_not_positive_definite_words_are_left_out),
        cmocka_unit_test(more_topics_than_are_looked_at),
        cmocka_unit_test(without_a_factor_it_is_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

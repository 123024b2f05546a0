/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of Figure 1 by which a posterior came to q(theta) of a document. */
#include "support.h"

enum { K = 4, V = 60, D = 5, WORDS = 80 };

typedef struct example {
    dlp_topics topics;
    dlp_corpus *corpus;
} example;

static int set_up(void **state)
{
    example *e = calloc(1, sizeof *e);
    assert_non_null(e);
    assert_ok(dlp_simulate_topics(K, V, 0.1, 3, &e->topics, error));
    assert_ok(
        dlp_simulate_ctm(&e->topics, NULL,
                         &(dlp_simulate_settings){.size = sizeof(dlp_simulate_settings),
                                                  .documents = D,
                                                  .words = WORDS,
                                                  .seed = 3,
                                                  .threads = 1},
                         &e->corpus, NULL, error));
    *state = e;
    return 0;
}

static int tear_down(void **state)
{
    example *e = *state;
    dlp_corpus_free(e->corpus);
    dlp_topics_free(&e->topics);
    free(e);
    return 0;
}

/* Rows are numbered from 1, changes end below the tolerance, and the last objective is
   that of the result. */
static void check_trace(const dlp_trace_row *trace, int n,
                        const dlp_document_result *result, double objective, double tol)
{
    assert_int_equal(result->outcome, DLP_CONVERGED);
    assert_true(n > 2);
    for (int i = 0; i < n; i++) {
        assert_int_equal(trace[i].iteration, i + 1);
        assert_true(isfinite(trace[i].objective));
    }
    assert_true(trace[n - 1].change < trace[0].change * tol * 100);
    assert_true(trace[n - 1].objective > trace[0].objective);
    assert_close(trace[n - 1].objective, objective, 1e-9);
}

static void test_figure_1_leaves_its_trace(void **state)
{
    const example *e = *state;
    const char *const methods[] = {"laplace", "delta"};
    for (int m = 0; m < 2; m++) {
        const dlp_document_settings settings = {.size = sizeof(dlp_document_settings),
                                                .method = methods[m],
                                                .plain = 1,
                                                .tol = 1e-8,
                                                .max_iter = 2000};
        dlp_document_posterior *posterior;
        assert_ok(dlp_document_posterior_alloc(&e->topics, &settings, &posterior, error));
        for (dlp_index d = 0; d < D; d++) {
            const dlp_document document = dlp_corpus_document(e->corpus, d);
            const dlp_trace_row *trace;
            dlp_document_result result;
            assert_ok(dlp_document_infer(posterior, &document, &result, error));
            const int n = dlp_document_trace(posterior, &trace);
            check_trace(trace, n, &result, dlp_document_objective(posterior),
                        settings.tol);
        }
        dlp_document_posterior_free(posterior);
    }
}

static void test_the_fast_route_has_none(void **state)
{
    const example *e = *state;
    const dlp_document document = dlp_corpus_document(e->corpus, 0);
    const dlp_trace_row *trace;
    dlp_document_result result;
    dlp_document_posterior *posterior;
    assert_ok(dlp_document_posterior_alloc(&e->topics, NULL, &posterior, error));
    assert_ok(dlp_document_infer(posterior, &document, &result, error));
    assert_int_equal(dlp_document_trace(posterior, &trace), 0);
    assert_null(trace);
    dlp_document_posterior_free(posterior);
}

static void a_fall_is_more_than_rounding(void **state)
{
    const dlp_trace_row trace[] = {{.objective = -5},
                                   {.objective = -4},
                                   {.objective = -4 * (1 + 1e-13)},
                                   {.objective = -4.001}};
    (void)state;
    for (int i = 0; i < 4; i++) assert_int_equal(dlp_trace_fell(trace, i), i == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_1_leaves_its_trace),
        cmocka_unit_test(a_fall_is_more_than_rounding),
        cmocka_unit_test(test_the_fast_route_has_none),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

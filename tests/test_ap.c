/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language model on the paper's AP corpus (2,246 documents, 10,473 terms). The corpus
 * is not part of the project: DELAPLACE_DATA names a folder with ap/ap.dat.xz or
 * ap/ap.dat.
 */
#include "support.h"

#include <unistd.h>

static const char *data_dir;

static dlp_corpus *read_ap(void)
{
    char plain[] = "/tmp/delaplace-ap-XXXXXX", command[4096];
    dlp_corpus *corpus = NULL;
    snprintf(command, sizeof command, "%s/ap/ap.dat", data_dir);
    if (access(command, R_OK) == 0) {
        assert_ok(dlp_corpus_read(command, &corpus, error));
        return corpus;
    }
    const int file = mkstemp(plain);
    assert_true(file >= 0);
    close(file);
    snprintf(command, sizeof command, "xz -dc '%s/ap/ap.dat.xz' > %s", data_dir, plain);
    assert_int_equal(system(command), 0);
    assert_ok(dlp_corpus_read(plain, &corpus, error));
    unlink(plain);
    return corpus;
}

static void ap_is_what_the_paper_says(void **state)
{
    const dlp_corpus *corpus = *state;
    assert_int_equal(corpus->D, 2246);
    assert_int_equal(corpus->V, 10473);
    assert_int_equal(corpus->nnz, 302031);
    assert_int_equal(corpus->words, 435838);
}

/* Both methods converge, and the mean is stationary: the claim is computed again. */
static void ap_converges(void **state)
{
    for (int method = 0; method < 2; method++) {
        dlp_unigram *unigram = NULL;
        dlp_fit *fit = NULL;
        assert_ok(dlp_unigram_alloc(*state, &unigram, error));
        const dlp_model model = dlp_unigram_model(unigram);
        dlp_settings s = dlp_settings_default();
        s.method = dlp_method_name(method);
        assert_ok(dlp_fit_alloc(&model, &s, &fit, error));
        assert_ok(dlp_fit_run(fit, NULL, error));
        const dlp_result *r = dlp_fit_result(fit);
        assert_int_equal(r->outcome, DLP_CONVERGED);
        /* the plain loop gets here too, in 6598 iterations (laplace) */
        assert_near(r->objective, method == 0 ? -1692452.1 : -1692194.2, 0.5);
        if (method == 0) {
            double *grad = calloc((size_t)r->n, sizeof *grad), most = 0;
            double *sd = calloc((size_t)r->n, sizeof *sd);
            model.type->f(model.state, r->mu, grad, NULL);
            dlp_fit_sd(fit, sd);
            for (dlp_index i = 0; i < r->n; i++) most = fmax(most, fabs(grad[i] * sd[i]));
            assert_near(most, 0, 1e-4); /* how far a Newton step would go, in sds */
            free(grad);
            free(sd);
        }
        dlp_fit_free(fit);
        dlp_unigram_free(unigram);
    }
}

int main(void)
{
    data_dir = getenv("DELAPLACE_DATA");
    if (!data_dir) {
        puts("skipped: set DELAPLACE_DATA to the folder that holds ap/");
        return 77;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/ap", data_dir);
    if (access(path, R_OK) != 0) {
        printf("skipped: no AP corpus in %s\n", path);
        return 77;
    }
    void *corpus = read_ap();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(ap_is_what_the_paper_says, corpus),
        cmocka_unit_test_prestate(ap_converges, corpus),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    dlp_corpus_free(corpus);
    return failed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels, merged and fixed topics: that shares add up everywhere, and that all can be
   undone. */
#include "topic_model_support.h"

static dlp_topic_model *fit_four(const dlp_corpus *corpus)
{
    const dlp_topics_settings settings = settings_for(4);
    dlp_topic_model *model = NULL;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    return model;
}

static void labels_that_are_no_text_are_refused(void **state)
{
    static const char zero[] = "war\n\0ace\n", turned[] = "war\npe\race\n";
    char **label = NULL;
    (void)state;
    assert_fails(dlp_topic_labels_parse("f", zero, sizeof zero - 1, 3, &label, error),
                 DLP_EINPUT, "f:2: the label is not a line of text");
    assert_fails(dlp_topic_labels_parse("f", turned, sizeof turned - 1, 3, &label, error),
                 DLP_EINPUT, "f:2: the label is not a line of text");
}

static void labels_are_read(void **state)
{
    (void)state;
    char **label = NULL;
    const char numbered[] = "# mine\n3: economy \r\n\n1:war";
    assert_ok(
        dlp_topic_labels_parse("f", numbered, sizeof numbered - 1, 3, &label, error));
    assert_string_equal(label[0], "war");
    assert_null(label[1]);
    assert_string_equal(label[2], "economy");
    dlp_topic_labels_free(label);
    const char plain[] = "war: all of it\npeace\n";
    assert_ok(dlp_topic_labels_parse("f", plain, sizeof plain - 1, 3, &label, error));
    assert_string_equal(label[0], "war: all of it");
    assert_string_equal(label[1], "peace");
    assert_null(label[2]);
    dlp_topic_labels_free(label);
    static const char *const wrong[][2] = {{"4: x", "no topic 4"},
                                           {"0: x", "no topic 0"},
                                           {"99999999999999999999: x", "no topic"},
                                           {"1: a\n1: b", "already"},
                                           {"1: a\nb", "some do not"},
                                           {"# a\n", "no labels"},
                                           {"", "no labels"},
                                           {"a\nb\nc\nd", "no topic 4"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(dlp_topic_labels_parse("f", wrong[i][0], strlen(wrong[i][0]), 3,
                                            &label, error),
                     DLP_EINPUT, wrong[i][1]);
        assert_null(label);
    }
}

static void statements_are_read(void **state)
{
    (void)state;
    dlp_index group[5] = {0, 1, 2, 3, 4};
    assert_ok(dlp_topic_merge_parse("2+4", 5, group, error));
    assert_ok(dlp_topic_merge_parse("5+4", 5, group, error));
    assert_int_equal(group[1], group[3]);
    assert_int_equal(group[1], group[4]);
    assert_int_not_equal(group[0], group[1]);
    assert_ok(dlp_topic_merge_parse("1+1,1+3", 5, group, error));
    assert_int_equal(group[0], group[2]);
    static const char *const wrong[] = {"2",   "1+2,", "1,2+3", "2+",   "+2",
                                        "2+6", "0+1",  "a+b",   "2+3x", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(dlp_topic_merge_parse(wrong[i], 5, group, NULL), DLP_EINVAL);
}

/* Covariance of log sums by draws of the whole theta: what Sigma0 is to be. */
static void assert_covariance(const dlp_topics *fitted, const dlp_index *group,
                              const dlp_topics *merged)
{
    enum { DRAWS = 400000 };
    const dlp_index T = fitted->K, G = merged->K;
    double U[16 * 16] = {0}, mean[16] = {0}, square[16 * 16] = {0};
    assert_true(T <= 16);
    for (dlp_index i = 0; i < T; i++) /* Cholesky, by hand: L below the diagonal */
        for (dlp_index j = 0; j <= i; j++) {
            double s = fitted->Sigma0[i * T + j];
            for (dlp_index k = 0; k < j; k++) s -= U[i * T + k] * U[j * T + k];
            U[i * T + j] = i == j ? sqrt(s) : s / U[j * T + j];
        }
    dlp_rng rng = dlp_rng_at(77, 0);
    for (int s = 0; s < DRAWS; s++) {
        double z[16], sum[16] = {0};
        for (dlp_index k = 0; k < T; k++) z[k] = dlp_draw_normal(&rng);
        for (dlp_index i = 0; i < T; i++) {
            double theta = fitted->Gamma[i];
            for (dlp_index k = 0; k <= i; k++) theta += U[i * T + k] * z[k];
            sum[group[i]] += exp(theta);
        }
        for (dlp_index g = 0; g < G; g++) mean[g] += log(sum[g]) / DRAWS;
        for (dlp_index g = 0; g < G; g++)
            for (dlp_index h = 0; h < G; h++)
                square[g * G + h] += log(sum[g]) * log(sum[h]) / DRAWS;
    }
    for (dlp_index g = 0; g < G; g++) {
        const double own = merged->Sigma0[g * (G + 1)];
        assert_near(merged->Gamma[g], mean[g], 0.01 * sqrt(own));
        for (dlp_index h = 0; h < G; h++) {
            const double size = sqrt(own * merged->Sigma0[h * (G + 1)]);
            assert_near(merged->Sigma0[g * G + h], square[g * G + h] - mean[g] * mean[h],
                        0.02 * size);
        }
    }
}

static void merged_topics_add_up(void **state)
{
    (void)state;
    enum { G = 3 };
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit_four(corpus), *merged = NULL;
    const dlp_topics *t = dlp_topic_model_topics(model);
    const dlp_index T = t->K, D = corpus->D, V = t->V;
    assert_int_equal(T, 4);
    const dlp_index group[] = {0, 1, 2, 1}; /* 2+4 */
    char names[][8] = {"one", "other", "two"};
    char *label[] = {NULL, names[0], names[1], names[2]};
    assert_ok(dlp_topic_model_set_labels(model, label, error));
    assert_ok(dlp_topic_model_save(model, path_a, error));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &merged, error));
    assert_string_equal(dlp_topic_model_label(merged, 3), "two");
    assert_null(dlp_topic_model_label(merged, 0));
    assert_ok(dlp_topic_model_merge(merged, group, error));
    assert_ok(dlp_topic_model_save(merged, path_b, error));
    dlp_topic_model_free(merged);
    assert_ok(dlp_topic_model_load(path_b, DLP_LOAD_ALL, &merged, error));

    const dlp_topics *m = dlp_topic_model_topics(merged);
    assert_int_equal(m->K, G);
    assert_int_equal(dlp_topic_model_get_info(merged)->K, G);
    assert_string_equal(dlp_topic_model_label(merged, 1), "one + two");
    assert_string_equal(dlp_topic_model_label(merged, 2), "other");
    assert_memory_equal(dlp_topic_model_fitted(merged)->beta, t->beta,
                        (size_t)(T * V) * sizeof(double));
    assert_ok(dlp_topics_check(m, error));
    assert_covariance(t, group, m);

    /* the documents of the fit, and documents that are read anew */
    double *before = calloc((size_t)(2 * D * T), sizeof *before),
           *after = calloc((size_t)(2 * D * T), sizeof *after);
    dlp_topics_prevalence(D, T, dlp_topic_model_theta(model), before);
    dlp_topics_prevalence(D, G, dlp_topic_model_theta(merged), after);
    assert_near(after[1], before[1] + before[3], 1e-12);
    assert_near(after[2], before[2], 1e-12);
    double *sd_before = before + D * T, *sd_after = after + D * T;
    assert_ok(
        dlp_topic_model_infer(model, corpus, NULL, NULL, before, sd_before, NULL, error));
    assert_ok(
        dlp_topic_model_infer(merged, corpus, NULL, NULL, after, sd_after, NULL, error));
    for (dlp_index d = 0; d < D; d++) {
        assert_near(after[d * G + 1], before[d * T + 1] + before[d * T + 3], 1e-12);
        assert_near(after[d * G], before[d * T], 1e-12);
        assert_near(sd_after[d * G], sd_before[d * T], 1e-10);
        /* the sd of a sum lies between the difference and the sum of two */
        const double a = sd_before[d * T + 1], b = sd_before[d * T + 3];
        assert_true(sd_after[d * G + 1] <= a + b + 1e-12);
        assert_true(sd_after[d * G + 1] >= fabs(a - b) - 1e-12);
    }

    /* undone, it is what was fitted */
    assert_ok(dlp_topic_model_unmerge(merged, error));
    assert_ok(dlp_topic_model_set_labels(merged, label, error));
    assert_same_model(model, merged);
    assert_ok(dlp_topic_model_save(merged, path_b, error));
    assert_same_file(path_a, path_b, "model.json");
    assert_same_file(path_a, path_b, "theta.npy");
    const dlp_index one[] = {0, 0, 0, 0};
    assert_fails(dlp_topic_model_merge(merged, one, error), DLP_EINVAL, "at least two");
    free(before);
    free(after);
    dlp_topic_model_free(merged);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* Regressions are linear in shares: effects on a merged topic are sums. */
static void effects_add_up(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit_four(corpus);
    const dlp_topics *t = dlp_topic_model_topics(model);
    const dlp_index D = corpus->D, group[] = {0, 1, 1, 2};
    double *X = calloc((size_t)D * 2, sizeof *X);
    for (dlp_index d = 0; d < D; d++) {
        X[2 * d] = 1;
        X[2 * d + 1] = sin((double)d);
    }
    const dlp_covariates covariates = {.D = D, .p = 2, .X = X};
    dlp_effects_settings settings = dlp_effects_settings_default();
    dlp_effects by_itself, added;
    settings.draws = 5;
    assert_ok(
        dlp_topics_effects(t, corpus, NULL, &covariates, &settings, &by_itself, error));
    settings.group = group;
    settings.groups = 3;
    assert_ok(dlp_topics_effects(t, corpus, NULL, &covariates, &settings, &added, error));
    assert_int_equal(added.K, 3);
    for (int j = 0; j < 2; j++) {
        assert_near(added.mean[2 + j], by_itself.mean[2 + j] + by_itself.mean[4 + j],
                    1e-12);
        assert_near(added.mean[4 + j], by_itself.mean[6 + j], 1e-12);
        assert_near(added.sd[4 + j], by_itself.sd[6 + j], 1e-12);
    }
    dlp_effects_free(&by_itself);
    dlp_effects_free(&added);
    free(X);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

static void fixed_topics_stay(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit_four(corpus), *more = NULL;
    dlp_topics start;
    const dlp_index keep[] = {0, 2};
    assert_ok(dlp_topic_model_start(model, corpus, NULL, &start, error));
    dlp_topics_settings settings = dlp_topics_settings_default();
    settings.K = 6;
    settings.start = &start;
    settings.fixed = keep;
    settings.n_fixed = 2;
    settings.max_iter = 10;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &more, error));
    const dlp_topics *t = dlp_topic_model_topics(more);
    double moved[6] = {0};
    for (dlp_index k = 0; k < 6; k++)
        for (dlp_index v = 0; v < t->V; v++)
            moved[k] +=
                fabs(t->beta[k * t->V + v] - (k < 4 ? start.beta[k * t->V + v] : 0));
    assert_true(moved[0] < 1e-10 && moved[2] < 1e-10);
    assert_true(moved[1] > 1e-3 && moved[3] > 1e-3);
    assert_near(moved[5], 1, 1e-10);
    dlp_topic_model_free(more);
    const dlp_index wrong[] = {4};
    settings.fixed = wrong;
    settings.n_fixed = 1;
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &more, error), DLP_EINVAL,
                 "no topic 5");
    settings.start = NULL;
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &more, error), DLP_EINVAL,
                 "there is none");
    dlp_topics_free(&start);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_read),
        cmocka_unit_test(labels_that_are_no_text_are_refused),
        cmocka_unit_test(statements_are_read),
        cmocka_unit_test_setup_teardown(merged_topics_add_up, set_up, tear_down),
        cmocka_unit_test(effects_add_up),
        cmocka_unit_test(fixed_topics_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Topics matched, several starts, and whether topics are found again. */
#include "topic_model_support.h"

#include "math/assignment.h"

enum { N = 6 };

/* All permutations: the best sum there is. */
static double best_of(const double *gain, dlp_index i, unsigned used)
{
    double best = i == N ? 0 : -1e300;
    for (dlp_index j = 0; j < N && i < N; j++)
        if (!(used >> j & 1))
            best = fmax(best, gain[i * N + j] + best_of(gain, i + 1, used | 1U << j));
    return best;
}

static void assignments_are_the_best_there_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        double gain[N * N], sum = 0;
        dlp_index match[N];
        unsigned used = 0;
        dlp_rng rng = dlp_rng_at(seed, 5);
        for (int i = 0; i < N * N; i++)
            gain[i] =
                seed % 2 ? floor(4 * dlp_draw_uniform(&rng)) : dlp_draw_normal(&rng);
        assert_ok(dlpi_assign(N, gain, match, error));
        for (dlp_index i = 0; i < N; i++) {
            sum += gain[i * N + match[i]];
            used |= 1U << match[i];
        }
        assert_int_equal(used, (1U << N) - 1);
        assert_near(sum, best_of(gain, 0, 0), 1e-12);
    }
}

static void the_best_start_is_kept(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    const dlp_topics_settings settings = settings_for(K);
    dlp_topic_start start[3];
    dlp_topic_model *best = NULL, *alone = NULL;
    assert_ok(
        dlp_topic_model_fit_starts(corpus, NULL, &settings, 3, start, &best, error));
    int kept = 0, n_kept = 0;
    for (int i = 0; i < 3; i++) {
        if (start[i].kept) kept = i;
        n_kept += start[i].kept;
        assert_true(start[i].objective_per_word <=
                    dlp_topic_model_get_info(best)->objective_per_word);
    }
    assert_int_equal(n_kept, 1);
    assert_near(start[kept].similarity, 1, 1e-12);
    assert_true(start[(kept + 1) % 3].similarity < 1);
    assert_string_equal(start[1].init, "random");
    assert_int_equal(start[2].seed, 3);
    dlp_topics_settings same = settings; /* a start is a fit like any */
    same.init = start[kept].init;
    same.seed = start[kept].seed;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &same, &alone, error));
    assert_same_numbers(dlp_topic_model_topics(best)->beta,
                        dlp_topic_model_topics(alone)->beta, K * corpus->V);
    assert_non_null(strstr(dlp_topic_model_json(best), "\"starts\""));
    dlp_topic_model_free(alone);
    dlp_topic_model_free(best);
    assert_fails(
        dlp_topic_model_fit_starts(corpus, NULL, &settings, 0, start, &best, error),
        DLP_EINVAL, "1 to 1000");
    dlp_corpus_free(corpus);
}

/* Documents of two kinds that share no word: every fit finds the two. */
static dlp_corpus *two_kinds(void)
{
    enum { D = 60, V = 20 };
    char text[D * V * 8];
    size_t used = 0;
    dlp_rng rng = dlp_rng_at(3, 0);
    for (int d = 0; d < D; d++) {
        used += (size_t)sprintf(text + used, "10");
        for (int v = 0; v < 10; v++)
            used += (size_t)sprintf(text + used, " %d:%d", v + (d % 2 ? 10 : 0),
                                    1 + (int)(4 * dlp_draw_uniform(&rng)));
        used += (size_t)sprintf(text + used, "\n");
    }
    FILE *out = fopen(path_a, "w");
    assert_non_null(out);
    fwrite(text, 1, used, out);
    fclose(out);
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_open(path_a, NULL, &corpus, error));
    return corpus;
}

static void plain_topics_are_stable(void **state)
{
    (void)state;
    dlp_corpus *corpus = two_kinds();
    dlp_topics_settings settings = settings_for(2);
    settings.max_iter = 100;
    dlp_topic_model *model = NULL;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    dlp_stability_settings wanted = dlp_stability_settings_default();
    dlp_stability found;
    wanted.splits = 1;
    assert_ok(dlp_topic_model_stability(model, corpus, NULL, &wanted, &found, error));
    assert_int_equal(found.halves, 2);
    for (dlp_index k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            assert_true(found.half[i * 2 + k] > 0.8);
            assert_int_equal(found.half_common[i * 2 + k], 10);
        }
    }
    assert_ok(dlp_topic_model_keep_stability(model, &found, error));
    assert_non_null(strstr(dlp_topic_model_json(model), "\"stability\""));
    dlp_stability_free(&found);
    wanted.starts = wanted.splits = 0;
    assert_fails(dlp_topic_model_stability(model, corpus, NULL, &wanted, &found, error),
                 DLP_EINVAL, "not both 0");
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments_are_the_best_there_are),
        cmocka_unit_test(the_best_start_is_kept),
        cmocka_unit_test_setup_teardown(plain_topics_are_stable, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

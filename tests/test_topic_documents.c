/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a topic model: new documents, covariates, and pairs of topics. */
#include "topic_model_support.h"

/* ---- new documents ---- */

static void proportions_do_not_depend_on_threads_or_parts(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus);
    const dlp_topics *topics = dlp_topic_model_topics(model);
    double one[2][DOCUMENTS * K], many[2][DOCUMENTS * K];
    dlp_inference_settings settings = dlp_inference_settings_default();
    dlp_inference *inference = NULL;
    dlp_inference_result a = {0}, b = {0};
    settings.document = dlp_topic_model_document_settings(model);
    settings.threads = 1;
    assert_ok(
        dlp_topic_model_infer(model, corpus, NULL, &settings, one[0], one[1], &a, error));
    settings.threads = 3;
    assert_ok(dlp_inference_alloc(topics, &settings, &inference, error));
    for (dlp_index from = 0; from < DOCUMENTS; from += 50) {
        const dlp_index to = from + 50 < DOCUMENTS ? from + 50 : DOCUMENTS;
        assert_ok(dlp_inference_run(inference, corpus, NULL, from, to, many[0] + from * K,
                                    many[1] + from * K, &b, error));
    }
    assert_memory_equal(one, many, sizeof one);
    assert_memory_equal(&a, &b, sizeof a);
    assert_fails(dlp_inference_run(inference, corpus, NULL, 0, DOCUMENTS + 1, one[0],
                                   NULL, NULL, error),
                 DLP_EINVAL, "are asked for");
    dlp_inference_free(inference);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* Terms are the same when their names are, in whatever order, and unknown ones are left
   out. */
static void vocabularies_are_matched_by_name(void **state)
{
    (void)state;
    static const char text[] =
        "document,term,count\n"
        "one,zzz-no-such-term,5\none,game,3\none,data,1\ntwo,game,1\n";
    dlp_corpus *corpus = open_corpus(DOCUMENTS), *other = NULL;
    dlp_topic_model *model = fit(corpus);
    char *const *vocab = dlp_topic_model_vocab(model);
    dlp_index unseen = 0;
    dlp_topics start;
    assert_ok(dlp_corpus_parse_csv("x.csv", text, strlen(text), &other, error));
    assert_ok(dlp_topic_model_start(model, other, NULL, &start, error));
    assert_int_equal(start.V, other->V);
    assert_ok(dlp_topics_check(&start, error));
    for (dlp_index v = 0; v < other->V; v++)
        if (!strcmp(other->vocab[v], "zzz-no-such-term"))
            for (dlp_index k = 0; k < K; k++)
                assert_true(start.beta[k * start.V + v] == 0);
    dlp_topics_free(&start);
    double pi[2 * K];
    dlp_completion completion;
    static const char align[] = "'data' where the model has ";
    assert_fails(dlp_topic_model_infer(model, other, NULL, NULL, pi, NULL, NULL, error),
                 DLP_EINVAL, align);
    assert_fails(dlp_topic_model_evaluate(model, other, NULL, NULL, &completion, error),
                 DLP_EINVAL, align);
    assert_ok(dlp_topic_model_align(model, other, &unseen, error));
    assert_int_equal(unseen, 5);
    assert_int_equal(other->words, 5);
    assert_int_equal(other->V, dlp_topic_model_get_info(model)->V);
    assert_int_equal(other->row[1], 2);
    assert_string_equal(vocab[other->term[0]], "data");
    assert_string_equal(vocab[other->term[1]], "game");
    assert_int_equal(other->count[1], 3);
    assert_ok(dlp_topic_model_name_terms(model, other, error));
    assert_string_equal(other->vocab[other->term[2]], "game");
    dlp_topic_model_free(model);
    dlp_corpus_free(other);
    dlp_corpus_free(corpus);
}

/* ---- covariates ---- */

static void name_documents(dlp_corpus *corpus)
{
    char path[128];
    snprintf(path, sizeof path, "%s/names", work);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (dlp_index d = 0; d < corpus->D; d++) fprintf(out, "doc%td\n", d);
    fclose(out);
    assert_ok(dlp_corpus_read_names(corpus, path, error));
    (void)unlink(path);
}

static void rows_are_found_by_name_and_missing_ones_dropped(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_table *table = backward_table(DOCUMENTS, true);
    dlp_document_covariates c, *const all[] = {&c};
    dlp_document_rows rows;
    dlp_index dropped;
    name_documents(corpus);
    assert_ok(dlp_document_rows_find(table, corpus, NULL, &rows, error));
    assert_int_equal(rows.column, 0);
    assert_int_equal(rows.row[0], DOCUMENTS - 1);
    dlp_document_rows_free(&rows);
    assert_fails(dlp_document_rows_find(table, corpus, "g", &rows, error), DLP_EINPUT,
                 "no row has the document 'doc0'");
    assert_fails(dlp_document_rows_find(table, corpus, "y", &rows, error), DLP_EINPUT,
                 "no column 'y'");

    assert_ok(dlp_covariates_build(table, "~ x + g", corpus, NULL, &c, error));
    assert_int_equal(c.p, 3);
    assert_ok(dlp_covariates_drop(1, all, &corpus, &dropped, error));
    assert_int_equal(dropped, 17);
    assert_int_equal(c.dropped, 17);
    assert_int_equal(c.D, corpus->D);
    for (dlp_index i = 0; i < c.D; i++) {
        const double d = strtod(corpus->name[i] + 3, NULL);
        assert_true((int)d % 7 != 3);
        assert_true(c.X[i * 3 + 1] == d + 1 / (d + 1));
    }
    dlp_document_covariates_free(&c);
    dlp_covariate_settings strict = dlp_covariate_settings_default();
    strict.missing_is_error = 1;
    dlp_corpus_free(corpus);
    corpus = open_corpus(DOCUMENTS);
    name_documents(corpus);
    assert_fails(dlp_covariates_build(table, "~ x", corpus, &strict, &c, error),
                 DLP_EINPUT, "fill them in");
    assert_fails(dlp_covariates_build(table, "~ 0 + x", corpus, NULL, &c, error),
                 DLP_EINVAL, "intercept");
    assert_fails(dlp_covariates_build(table, "x", corpus, NULL, &c, error), DLP_EINVAL,
                 "has no ~");
    dlp_corpus_free(corpus);
    corpus = open_corpus(50); /* without names, and of another length */
    assert_ok(dlp_document_rows_find(table, corpus, NULL, &rows, error));
    assert_null(rows.row);
    assert_fails(dlp_covariates_build(table, "~ x", corpus, NULL, &c, error), DLP_EINPUT,
                 "120 rows, and the corpus 50 documents");
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

static void covariates_stay_with_the_model(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS), *new = open_corpus(30);
    dlp_table *table = backward_table(DOCUMENTS, false), *other;
    const dlp_topics_settings settings = settings_for(K);
    dlp_document_covariates c, of_new, *const all[] = {&c};
    dlp_topic_model *model = NULL, *loaded = NULL;
    dlp_completion completion;
    dlp_effects effects;
    dlp_index dropped;
    assert_ok(dlp_covariates_build(table, "~ x + g", corpus, NULL, &c, error));
    assert_ok(dlp_covariates_drop(1, all, &corpus, &dropped, error));
    assert_string_equal(corpus->name[3], "5"); /* numbers of the whole corpus, from 1 */
    assert_ok(dlp_topic_model_fit(corpus, &c, &settings, &model, error));
    assert_ok(dlp_topic_model_save(model, path_a, error));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    assert_same_model(model, loaded);
    assert_int_equal(dlp_topic_model_get_info(loaded)->dropped, 17);
    assert_string_equal(dlp_topic_model_covariate_terms(loaded)->formula, "~ x + g");
    assert_string_equal(dlp_topic_model_columns(loaded)[2], "godd");

    /* the table of the fit, rows that it left out passed over */
    dlp_document_covariates own;
    dlp_covariate_settings by_order = dlp_covariate_settings_default();
    dlp_corpus *unnamed = open_corpus(DOCUMENTS);
    assert_ok(dlp_topic_model_own_covariates(loaded, table, &by_order, &own, error));
    assert_same_numbers(own.X, c.X, c.D * c.p);
    dlp_document_covariates_free(&own);
    dlp_corpus_free(unnamed);

    other = backward_table(30, false);
    assert_ok(dlp_topic_model_covariates(loaded, other, new, NULL, &of_new, error));
    dlp_document_covariates *const news[] = {&of_new};
    assert_ok(dlp_covariates_drop(1, news, &new, &dropped, error));
    assert_ok(dlp_topic_model_align(loaded, new, NULL, error));
    assert_ok(dlp_topic_model_evaluate(loaded, new, &of_new, NULL, &completion, error));
    assert_true(completion.per_word < -1 && completion.per_word > -12);
    assert_ok(
        dlp_topic_model_effects(loaded, new, &of_new, &of_new, NULL, &effects, error));
    const double half = 1.959963984540054 * effects.sd[4];
    assert_close(effects.lower[4], effects.mean[4] - half, 1e-12);
    assert_close(effects.upper[4], effects.mean[4] + half, 1e-12);
    dlp_effects_free(&effects);
    dlp_document_covariates_free(&of_new);
    dlp_document_covariates_free(&c);
    dlp_table_free(other);
    dlp_table_free(table);
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(model);
    dlp_corpus_free(new);
    dlp_corpus_free(corpus);
}

static int cancel_the_refit(void *context, const dlp_progress *progress)
{
    (void)context;
    return strcmp(progress->phase, "fitting again") == 0;
}

static dlp_effects effects_by(const dlp_topic_model *model, const dlp_corpus *corpus,
                              const dlp_document_covariates *c, int splits, int threads)
{
    dlp_effects_settings settings = dlp_effects_settings_default();
    dlp_effects effects;
    assert_int_equal(settings.splits, 1);
    settings.draws = 10;
    settings.splits = splits;
    settings.threads = threads;
    assert_ok(
        dlp_topic_model_effects(model, corpus, NULL, c, &settings, &effects, error));
    return effects;
}

/* Fits of halves widen intervals by two factors, and leave means alone. */
static void estimated_topics_widen_effects(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_table *table = backward_table(DOCUMENTS, false);
    dlp_topic_model *model = fit(corpus);
    dlp_document_covariates c;
    assert_ok(dlp_covariates_build(table, "~ g", corpus, NULL, &c, error));
    dlp_effects known = effects_by(model, corpus, &c, 0, 1),
                wider = effects_by(model, corpus, &c, 1, 1),
                again = effects_by(model, corpus, &c, 1, 3);
    assert_true(known.widened[0] == 0 && known.widened[1] == 0);
    assert_true(wider.widened[0] >= 1 && wider.widened[1] >= 1);
    assert_true(wider.widened[0] * wider.widened[1] > 1);
    for (dlp_index i = 0; i < K * 2; i++) {
        const double by = wider.widened[i % 2];
        assert_close(wider.mean[i], known.mean[i], 1e-15);
        assert_close(wider.sd[i], by * known.sd[i], 1e-12);
        assert_close(wider.covariance[i * 2 + i % 2], wider.sd[i] * wider.sd[i], 1e-10);
        assert_close(wider.upper[i] - wider.mean[i], 1.959963984540054 * wider.sd[i],
                     1e-9);
    }
    assert_memory_equal(wider.sd, again.sd, sizeof(double[K][2]));
    dlp_effects_free(&known);
    dlp_effects_free(&wider);
    dlp_effects_free(&again);
    dlp_effects_settings settings = dlp_effects_settings_default();
    settings.progress = cancel_the_refit;
    assert_ok(dlp_topic_model_effects(model, corpus, NULL, &c, &settings, &known, error));
    assert_int_equal(known.outcome, DLP_CANCELLED);
    dlp_effects_free(&known);
    settings.splits = -1;
    assert_fails(
        dlp_topic_model_effects(model, corpus, NULL, &c, &settings, &known, error),
        DLP_EINVAL, "splits");
    dlp_document_covariates_free(&c);
    dlp_topic_model_free(model);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

/* Of 100,000 words over 30 terms topics are as good as known, and halves, which differ by their
   documents, do not make them less so. */
static void known_topics_widen_little(void **state)
{
    (void)state;
    enum { FULL = 300, TERMS = 30 };
    dlp_topics truth;
    dlp_corpus *corpus = NULL;
    dlp_table *table = NULL;
    dlp_topic_model *model = NULL;
    dlp_document_covariates c;
    char text[FULL * 2 + 3] = "g\n";
    dlp_simulate_settings draw = dlp_simulate_settings_default();
    dlp_topics_settings s = dlp_topics_settings_default();
    draw.documents = FULL;
    draw.words = 350;
    for (int d = 0; d < FULL; d++) memcpy(text + 2 + 2 * d, d % 3 ? "a\n" : "b\n", 3);
    assert_ok(dlp_simulate_topics(K, TERMS, 0.3, 4, &truth, error));
    assert_ok(dlp_simulate_ctm(&truth, NULL, &draw, &corpus, NULL, error));
    assert_ok(dlp_table_parse("t.csv", text, strlen(text), NULL, &table, error));
    assert_ok(dlp_covariates_build(table, "~ g", corpus, NULL, &c, error));
    s.K = K;
    s.start = &truth;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &s, &model, error));
    dlp_effects found = effects_by(model, corpus, &c, 2, 0);
    assert_true(found.widened[0] >= 1 && found.widened[0] < 1.2);
    assert_true(found.widened[1] >= 1 && found.widened[1] < 1.2);
    dlp_effects_free(&found);
    dlp_document_covariates_free(&c);
    dlp_topic_model_free(model);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
    dlp_topics_free(&truth);
}

static void trends_are_means_of_shares(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_table *table = backward_table(DOCUMENTS, false);
    dlp_topic_model *model = fit(corpus);
    const double *theta = dlp_topic_model_theta(model);
    dlp_document_covariates c;
    dlp_topic_trend trend;
    assert_ok(dlp_covariates_build(table, "~ g", corpus, NULL, &c, error));
    assert_ok(dlp_topic_trend_find(K, theta, &c, &trend, error));
    assert_int_equal(trend.n, 2);
    assert_null(trend.x);
    double sum = 0;
    for (dlp_index d = 1; d < DOCUMENTS; d += 2)
        sum += exp(theta[d * K + 1] - dlp_logsumexp(K, theta + d * K));
    assert_close(trend.mean[1 * 2 + 1], sum / 60, 1e-12);
    assert_int_equal(trend.count[1], 60);
    dlp_topic_trend_free(&trend);
    dlp_document_covariates_free(&c);
    assert_ok(dlp_covariates_build(table, "~ x", corpus, NULL, &c, error));
    assert_ok(dlp_topic_trend_find(K, theta, &c, &trend, error));
    assert_int_equal(trend.n, 10); /* many values: tenths */
    assert_int_equal(trend.dropped, 17);
    dlp_topic_trend_free(&trend);
    dlp_document_covariates_free(&c);
    dlp_topic_model_free(model);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

/* ---- pairs ---- */

static void pairs_and_documents_are_ranked(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *model = fit(corpus);
    const dlp_topics *topics = dlp_topic_model_topics(model);
    const double *theta = dlp_topic_model_theta(model);
    double R[K * K], share[K], lower[K * K], upper[K * K];
    dlp_index order[K];
    dlp_topic_pair near[K];
    dlp_topic_document shown[5];
    dlp_topics_correlations(topics, R);
    assert_ok(dlp_topics_correlation_intervals(topics, DOCUMENTS, theta, NULL, lower,
                                               upper, error));
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < i; j++) {
            const dlp_index at = i * K + j, mirrored = j * K + i;
            assert_true(-1 <= lower[at] && lower[at] < R[at] && R[at] < upper[at] &&
                        upper[at] <= 1);
            assert_close(lower[at], lower[mirrored], 1e-12);
        }
    dlp_topic_association all[K * (K - 1) / 2];
    assert_ok(dlp_topics_associations(topics, DOCUMENTS, theta, NULL, R, all, error));
    for (dlp_index i = 0, p = 0; i < K; i++)
        for (dlp_index j = i + 1; j < K; j++, p++) {
            const dlp_index at = i * K + j;
            assert_true(all[p].i == i && all[p].j == j);
            assert_true(all[p].correlation == R[at]);
            assert_true(all[p].lower == lower[at] && all[p].upper == upper[at]);
        }
    /* too few documents say nothing */
    assert_ok(
        dlp_topics_correlation_intervals(topics, K, theta, NULL, lower, upper, error));
    assert_true(lower[1] == -1 && upper[1] == 1);
    assert_int_equal(dlp_topics_neighbours(K, R, 1, K, near), K - 1);
    assert_true(fabs(near[0].correlation) >= fabs(near[1].correlation));
    assert_int_equal(near[0].i, 1);
    dlp_topics_prevalence(DOCUMENTS, K, theta, share);
    dlp_topics_order(K, share, order);
    assert_true(share[order[0]] >= share[order[1]] && share[order[1]] >= share[order[2]]);
    assert_int_equal(dlp_topics_documents(DOCUMENTS, K, theta, 2, 5, shown), 5);
    for (int i = 1; i < 5; i++) assert_true(shown[i - 1].share >= shown[i].share);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

/* A table of one column, the theta of topic 1 and noise. */
static dlp_table *theta_table(const dlp_topic_model *model)
{
    static char text[64 * (DOCUMENTS + 1)];
    const double *theta = dlp_topic_model_theta(model);
    dlp_table *table = NULL;
    size_t at = (size_t)sprintf(text, "x\n");
    for (dlp_index d = 0; d < DOCUMENTS; d++)
        at += (size_t)sprintf(text + at, "%.6f\n", theta[d * K] + 2 * sin(7 * (double)d));
    assert_ok(dlp_table_parse("x.csv", text, at, NULL, &table, error));
    return table;
}

/* What covariates predict is no information about Sigma_0: without their table, the
   folder's record of what is left serves as well. (Less the covariance of what is predicted,
   that of theta was indefinite with many columns, and every interval all of [-1, 1].) */
static void intervals_know_how_covariates_vary(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topic_model *plain = fit(corpus), *model = NULL;
    dlp_table *table = theta_table(plain);
    dlp_document_covariates c;
    dlp_topics_settings settings = settings_for(K);
    settings.max_iter = 300;
    double lower[3][K * K], upper[3][K * K];
    assert_ok(dlp_covariates_build(table, "~ x", corpus, NULL, &c, error));
    assert_ok(dlp_topic_model_fit(corpus, &c, &settings, &model, error));
    const dlp_covariates X = dlp_covariates_of(&c);
    assert_ok(
        dlp_topic_model_correlation_intervals(model, &X, lower[0], upper[0], error));
    assert_ok(
        dlp_topic_model_correlation_intervals(model, NULL, lower[1], upper[1], error));
    assert_ok(dlp_topics_correlation_intervals(dlp_topic_model_topics(model), DOCUMENTS,
                                               dlp_topic_model_theta(model), NULL,
                                               lower[2], upper[2], error));
    double width[3] = {0};
    for (int how = 0; how < 3; how += 2)
        for (dlp_index i = 0; i < K * K; i++) width[how] += upper[how][i] - lower[how][i];
    assert_memory_equal(lower[1], lower[0], sizeof lower[0]);
    assert_memory_equal(upper[1], upper[0], sizeof upper[0]);
    assert_true(width[2] < 0.5 * width[0]);
    dlp_document_covariates_free(&c);
    dlp_topic_model_free(model);
    dlp_topic_model_free(plain);
    dlp_table_free(table);
    dlp_corpus_free(corpus);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(proportions_do_not_depend_on_threads_or_parts),
        TEST(vocabularies_are_matched_by_name),
        TEST(rows_are_found_by_name_and_missing_ones_dropped),
        TEST(covariates_stay_with_the_model),
        TEST(estimated_topics_widen_effects),
        TEST(known_topics_widen_little),
        TEST(trends_are_means_of_shares),
        TEST(pairs_and_documents_are_ranked),
        TEST(intervals_know_how_covariates_vary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* New documents taken into a topic model: against M steps by hand, a fit of all documents, and a
   fit that starts from the model. */
#include "topic_model_support.h"
#include "topics/describe/topic_pairs.h"

#include <math.h>

/* Documents from..to-1 of the packages. */
static dlp_corpus *open_range(dlp_index from, dlp_index to)
{
    dlp_corpus *whole = NULL, *part = NULL;
    assert_ok(dlp_corpus_open(packages, NULL, &whole, error));
    unsigned char *keep = calloc((size_t)whole->D, 1);
    assert_non_null(keep);
    for (dlp_index d = from; d < to; d++) keep[d] = 1;
    assert_ok(dlp_corpus_select(whole, keep, &part, error));
    free(keep);
    dlp_corpus_free(whole);
    return part;
}

static dlp_topic_model *fit_range(dlp_index from, dlp_index to)
{
    dlp_corpus *corpus = open_range(from, to);
    dlp_topic_model *model = fit(corpus);
    dlp_corpus_free(corpus);
    return model;
}

static dlp_topic_model *update_range(const dlp_topic_model *model, dlp_index from,
                                     dlp_index to,
                                     const dlp_topic_update_settings *settings,
                                     dlp_topic_update *taken)
{
    dlp_corpus *corpus = open_range(from, to);
    dlp_topic_model *updated = NULL;
    assert_ok(dlp_topic_model_update(model, corpus, settings, taken, &updated, error));
    dlp_corpus_free(corpus);
    return updated;
}

/* Number i of the list after the key, in "sums" of model.json. */
static double number_in(const dlp_topic_model *model, const char *key, dlp_index i)
{
    const char *at = strstr(dlp_topic_model_json(model), "\"sums\"");
    assert_non_null(at);
    at = strstr(at, key);
    assert_non_null(at);
    at = strchr(at, ':') + 1;
    at += strspn(at, " [\n");
    double x = NAN;
    for (dlp_index j = 0; j <= i; j++) {
        char *end;
        x = strtod(at, &end);
        at = end + 1;
    }
    return x;
}

/* After one M step mu_0 is the mean of all documents, and a term that no new document has keeps
   its counts. */
static void an_m_step_counts_both(void **state)
{
    (void)state;
    enum { OLD = 500, NEW = 40 };
    dlp_topic_model *model = fit_range(0, OLD);
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.max_iter = 1;
    dlp_topic_model *first = update_range(model, OLD, OLD + NEW, &s, NULL);
    s.max_iter = 2;
    dlp_topic_model *second = update_range(model, OLD, OLD + NEW, &s, NULL);
    const dlp_topics *a = dlp_topic_model_topics(model),
                     *b = dlp_topic_model_topics(second);
    const double *theta = dlp_topic_model_theta(first);
    for (dlp_index k = 0; k < K; k++) {
        double sum = OLD * a->Gamma[k];
        for (dlp_index d = OLD; d < OLD + NEW; d++) sum += theta[d * K + k];
        assert_near(b->Gamma[k], sum / (OLD + NEW), 1e-12);
    }
    assert_near(number_in(first, "\"documents\"", 0), OLD + NEW, 0);
    dlp_corpus *new = open_range(OLD, OLD + NEW);
    unsigned char *has = calloc((size_t)a->V, 1);
    assert_non_null(has);
    for (dlp_index i = 0; i < new->nnz; i++) has[new->term[i]] = 1;
    dlp_index seen = 0, checked = 0;
    for (dlp_index v = 0; v < a->V; v++) seen += b->beta[v] > 0;
    dlp_index before = 0;
    for (dlp_index v = 0; v < a->V; v++) before += a->beta[v] > 0;
    const double smooth = number_in(model, "\"smooth\"", 0),
                 now = number_in(first, "\"smooth\"", 0);
    for (dlp_index v = 0; v < a->V; v++)
        for (dlp_index k = 0; k < K; k++) {
            if (has[v] || a->beta[k * a->V + v] == 0) continue;
            const double was =
                number_in(model, "\"topic_words\"", k) + (double)before * smooth;
            const double is = number_in(first, "\"topic_words\"", k) + (double)seen * now;
            const double counts = a->beta[k * a->V + v] * was;
            /* counts below 0, which the last E step makes of very small ones, are 0 */
            assert_near(b->beta[k * a->V + v] * is, fmax(counts - smooth, 0) + now,
                        1e-6 * counts);
            checked++;
        }
    assert_true(checked > 1000);
    free(has);
    dlp_corpus_free(new);
    dlp_topic_model_free(second);
    dlp_topic_model_free(first);
    dlp_topic_model_free(model);
}

/* The sums of former documents are not revised: all are worth fewer than one fit's. */
static void intervals_know_what_is_not_revised(void **state)
{
    (void)state;
    enum { OLD = 300, ALL = 600 };
    assert_near(dlpi_topics_joint_worth(OLD, OLD, ALL - OLD, 1), ALL, 1e-9);
    assert_true(dlpi_topics_joint_worth(OLD, OLD, ALL - OLD, 1e-6) < OLD + 1);
    dlp_topic_model *model = fit_range(0, OLD);
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.max_iter = 3;
    dlp_topic_model *updated = update_range(model, OLD, ALL, &s, NULL);
    const double worth = number_in(updated, "\"worth\"", 0);
    assert_true(worth > OLD && worth < ALL);
    const dlp_topics *topics = dlp_topic_model_topics(updated);
    double lower[K * K], upper[K * K], narrow[K * K], narrower[K * K];
    assert_ok(dlp_topic_model_correlation_intervals(updated, NULL, lower, upper, error));
    assert_ok(dlp_topics_correlation_intervals(
        topics, ALL, dlp_topic_model_theta(updated), NULL, narrow, narrower, error));
    for (dlp_index i = 0; i < K; i++)
        for (dlp_index j = 0; j < i; j++)
            assert_true(lower[i * K + j] < narrow[i * K + j] &&
                        upper[i * K + j] > narrower[i * K + j]);
    dlp_topic_model_free(updated);
    dlp_topic_model_free(model);
}

/* With weight 0 the former documents are forgotten: a fit that starts from the model. */
static void forgotten_documents_do_not_count(void **state)
{
    (void)state;
    dlp_topic_model *model = fit_range(0, 300), *started = NULL;
    dlp_corpus *all = open_range(0, 400); /* all terms of the model */
    dlp_topics start;
    assert_ok(dlp_topic_model_start(model, all, NULL, &start, error));
    dlp_topics_settings settings = settings_for(K);
    settings.start = &start;
    assert_ok(dlp_topic_model_fit(all, NULL, &settings, &started, error));
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.weight = 0;
    s.max_iter = settings.max_iter;
    dlp_topic_model *updated = update_range(model, 0, 400, &s, NULL);
    const dlp_topics *a = dlp_topic_model_topics(started),
                     *b = dlp_topic_model_topics(updated);
    for (dlp_index i = 0; i < K * a->V; i++) assert_near(a->beta[i], b->beta[i], 1e-9);
    for (dlp_index i = 0; i < K * K; i++) assert_near(a->Sigma0[i], b->Sigma0[i], 1e-7);
    dlp_topics_free(&start);
    dlp_topic_model_free(updated);
    dlp_topic_model_free(started);
    dlp_topic_model_free(model);
    dlp_corpus_free(all);
}

/* Documents of a model whose every term all of them have; the same whatever their number. */
static dlp_corpus *draw(dlp_index first, dlp_index n)
{
    dlp_topics truth;
    dlp_corpus *corpus = NULL;
    dlp_simulate_settings s = dlp_simulate_settings_default();
    s.first = first;
    s.documents = n;
    s.words = 60;
    assert_ok(dlp_simulate_topics(K, 100, 1, 3, &truth, error));
    assert_ok(dlp_simulate_ctm(&truth, NULL, &s, &corpus, NULL, error));
    dlp_topics_free(&truth);
    return corpus;
}

static dlp_topic_model *update_drawn(const dlp_topic_model *model, dlp_index first,
                                     dlp_index n, int threads, dlp_topic_update *taken)
{
    dlp_corpus *corpus = draw(first, n);
    dlp_topic_model *updated = NULL;
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.threads = threads;
    assert_ok(dlp_topic_model_update(model, corpus, &s, taken, &updated, error));
    dlp_corpus_free(corpus);
    return updated;
}

static double held_out(const dlp_topic_model *model)
{
    dlp_corpus *corpus = draw(5000, 1000);
    dlp_completion completion;
    assert_ok(dlp_topic_model_align(model, corpus, NULL, error));
    assert_ok(dlp_topic_model_evaluate(model, corpus, NULL, NULL, &completion, error));
    dlp_corpus_free(corpus);
    return completion.per_word;
}

/* It gains most of what a fit of all documents does; and the folder is like any other. */
static void an_update_predicts_better(void **state)
{
    (void)state;
    enum { OLD = 60, NEW = 500 };
    dlp_corpus *old = draw(0, OLD), *all = draw(0, OLD + NEW);
    dlp_topic_model *model = fit(old), *whole = fit(all), *loaded = NULL;
    dlp_topic_update taken;
    dlp_topic_model *updated = update_drawn(model, OLD, NEW, 1, &taken);
    const double before = held_out(model), after = held_out(updated),
                 best = held_out(whole);
    assert_true(best > before + 0.01);
    assert_true(after > before + 0.7 * (best - before));
    assert_int_equal(taken.documents, NEW);
    assert_int_equal(taken.new_terms, 0);
    assert_int_equal(taken.again, 0);
    assert_int_equal(dlp_topic_model_get_info(updated)->D, OLD + NEW);
    assert_int_equal(dlp_topic_model_get_info(updated)->words, all->words);
    assert_true(isnan(dlp_topic_model_get_info(updated)->objective));
    assert_same_numbers(dlp_topic_model_theta(model), dlp_topic_model_theta(updated),
                        OLD * K);
    dlp_topic_model *again = update_drawn(model, OLD, NEW, 3, NULL);
    assert_same_model(updated, again);
    assert_ok(dlp_topic_model_save(updated, path_a, error));
    assert_ok(dlp_topic_model_load(path_a, DLP_LOAD_ALL, &loaded, error));
    assert_same_model(updated, loaded);
    /* and can be updated, with the bits of the one that was not saved */
    dlp_topic_model *x = update_drawn(updated, OLD + NEW, 50, 2, NULL),
                    *y = update_drawn(loaded, OLD + NEW, 50, 1, NULL);
    assert_same_model(x, y);
    assert_non_null(strstr(dlp_topic_model_json(x), "\"documents\": 50,"));
    dlp_topic_model_free(x);
    dlp_topic_model_free(y);
    dlp_topic_model_free(loaded);
    dlp_topic_model_free(again);
    dlp_topic_model_free(updated);
    dlp_topic_model_free(whole);
    dlp_topic_model_free(model);
    dlp_corpus_free(old);
    dlp_corpus_free(all);
}

/* Two documents with names: a known term, which is the model's second, and two new ones, of which
   one is in no document. */
static dlp_corpus *named_corpus(const char *known)
{
    static const char text[] = "1 1:3\n2 0:4 1:2\n";
    dlp_corpus *corpus = NULL;
    assert_ok(dlp_corpus_parse_ldac("new.ldac", text, sizeof text - 1, &corpus, error));
    char *const names[] = {(char *)"brand-new", (char *)known, (char *)"nowhere"};
    corpus->V = 3;
    size_t size = sizeof names;
    for (int i = 0; i < 3; i++) size += strlen(names[i]) + 1;
    char **block = calloc(size, 1), *at = (char *)(block + 3);
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(names[i]) + 1;
        block[i] = memcpy(at, names[i], length);
        at += length;
    }
    free(corpus->vocab);
    corpus->vocab = block;
    return corpus;
}

static void new_terms_are_taken_in_or_left_out(void **state)
{
    (void)state;
    dlp_topic_model *model = fit_range(0, 120), *updated = NULL;
    const dlp_index V = dlp_topic_model_topics(model)->V;
    dlp_corpus *corpus = named_corpus(dlp_topic_model_vocab(model)[1]);
    dlp_topic_update taken;
    assert_ok(dlp_topic_model_update(model, corpus, NULL, &taken, &updated, error));
    const dlp_topics *t = dlp_topic_model_topics(updated);
    assert_int_equal(taken.new_terms, 1);
    assert_int_equal(taken.new_words, 4);
    assert_int_equal(taken.words, 9);
    assert_int_equal(t->V, V + 1);
    assert_string_equal(dlp_topic_model_vocab(updated)[V], "brand-new");
    assert_string_equal(dlp_topic_model_vocab(updated)[1],
                        dlp_topic_model_vocab(model)[1]);
    assert_ok(dlp_topics_check(t, error));
    double most = 0;
    for (dlp_index k = 0; k < K; k++) most = fmax(most, t->beta[k * (V + 1) + V]);
    assert_true(most > 1e-4);
    dlp_topic_model_free(updated);
    dlp_corpus_free(corpus);

    corpus = named_corpus(dlp_topic_model_vocab(model)[1]);
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.keep_terms = 1;
    assert_ok(dlp_topic_model_update(model, corpus, &s, &taken, &updated, error));
    assert_int_equal(taken.new_terms, 0);
    assert_int_equal(taken.left_out, 4);
    assert_int_equal(taken.words, 5);
    assert_int_equal(dlp_topic_model_topics(updated)->V, V);
    dlp_topic_model_free(updated);
    dlp_corpus_free(corpus);

    /* terms without names cannot be added to those with names */
    corpus = named_corpus("x");
    free(corpus->vocab);
    corpus->vocab = NULL;
    corpus->V = V + 5;
    assert_fails(dlp_topic_model_update(model, corpus, NULL, NULL, &updated, error),
                 DLP_EINPUT, "terms without names");
    assert_null(updated);
    dlp_corpus_free(corpus);
    dlp_topic_model_free(model);
}

static void labels_and_merges_stay(void **state)
{
    (void)state;
    dlp_topic_model *model = fit_range(0, 120);
    const dlp_index group[K] = {0, 1, 0};
    char *const label[] = {(char *)"both", NULL};
    assert_ok(dlp_topic_model_merge(model, group, error));
    assert_ok(dlp_topic_model_set_labels(model, label, error));
    dlp_topic_model *updated = update_range(model, 120, 200, NULL, NULL);
    assert_int_equal(dlp_topic_model_topics(updated)->K, 2);
    assert_int_equal(dlp_topic_model_fitted(updated)->K, K);
    assert_string_equal(dlp_topic_model_label(updated, 0), "both");
    assert_null(dlp_topic_model_label(updated, 1));
    assert_same_numbers(dlp_topic_model_theta(model), dlp_topic_model_theta(updated),
                        120 * 2);
    dlp_topic_model_free(updated);
    dlp_topic_model_free(model);
}

static int stop_at_once(void *context, const dlp_progress *now)
{
    (void)context;
    return now->iteration >= 1;
}

static void what_cannot_be_updated_is_refused(void **state)
{
    (void)state;
    dlp_topic_model *model = fit_range(0, 120), *updated = NULL;
    dlp_corpus *corpus = open_range(120, 200);
    dlp_topic_update_settings s = dlp_topic_update_settings_default();
    s.weight = 1.5;
    assert_fails(dlp_topic_model_update(model, corpus, &s, NULL, &updated, error),
                 DLP_EINVAL, "must be 0 to 1");
    s.weight = 1;
    s.progress = stop_at_once;
    assert_fails(dlp_topic_model_update(model, corpus, &s, NULL, &updated, error),
                 DLP_ECANCELLED, "cancelled");
    assert_null(updated);
    dlp_topic_model_free(model);
    dlp_topics_settings settings = settings_for(K);
    settings.method = "dirichlet";
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_fails(dlp_topic_model_update(model, corpus, NULL, NULL, &updated, error),
                 DLP_EINVAL, "cannot be added to a model with a Dirichlet prior");
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_m_step_counts_both),
        cmocka_unit_test(intervals_know_what_is_not_revised),
        cmocka_unit_test(forgotten_documents_do_not_count),
        cmocka_unit_test_setup_teardown(an_update_predicts_better, set_up, tear_down),
        cmocka_unit_test(new_terms_are_taken_in_or_left_out),
        cmocka_unit_test(labels_and_merges_stay),
        cmocka_unit_test(what_cannot_be_updated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

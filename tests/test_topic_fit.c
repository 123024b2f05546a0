/* SPDX-License-Identifier: BSD-3-Clause */
/* How topic models are fitted: what they report on the way, how they continue after a
   stop, and the search over numbers of topics. */
#include "topic_model_support.h"
#include "topics/describe/topic_enough.h"

#include "corpus/corpus.h"

#include <pthread.h>

/* ---- progress, checkpoints ---- */

typedef struct listener {
    pthread_t caller;
    int calls, starting, polled, iterations;
    int stop_at;         /* the call that is answered so; 0: none */
    const char *stop_in; /* a phase, or NULL: any */
} listener;

static int listen(void *context, const dlp_progress *progress)
{
    listener *l = context;
    assert_true(pthread_equal(pthread_self(), l->caller));
    const bool counts = !l->stop_in || !strcmp(l->stop_in, progress->phase);
    l->calls += counts;
    l->starting += !strcmp(progress->phase, "starting");
    l->polled += progress->polled;
    if (!progress->polled && progress->iteration > 0) l->iterations++;
    return counts && l->stop_at > 0 && l->calls >= l->stop_at;
}

static void progress_is_told_often_and_by_the_caller(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings settings = settings_for(K);
    dlp_topic_model *model = NULL;
    listener l = {.caller = pthread_self()};
    settings.progress = listen;
    settings.context = &l;
    settings.threads = 1;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(l.iterations, 6);
    assert_true(l.starting > 100);
    assert_true(l.polled > 300);
    dlp_topic_model_free(model);
    l = (listener){.caller = pthread_self()};
    settings.threads = 3;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(l.iterations, 6);
    assert_true(l.starting >= K);
    dlp_topic_model_free(model);

    l = (listener){.caller = pthread_self(), .stop_at = 2, .stop_in = "starting"};
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &model, error),
                 DLP_ECANCELLED, "cancelled");
    assert_null(model);
    l = (listener){.caller = pthread_self(), .stop_at = 3, .stop_in = "fitting"};
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &model, error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CANCELLED);
    dlp_topic_model_free(model);
    dlp_corpus_free(corpus);
}

static void a_cancelled_fit_goes_on_to_the_same_bits(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings settings = settings_for(K);
    dlp_checkpoint_settings checkpoint = dlp_checkpoint_settings_default();
    dlp_topic_model *whole = fit(corpus), *model = NULL;
    dlp_topic_folder *folder = NULL;
    listener l = {.caller = pthread_self(), .stop_at = 3, .stop_in = "fitting"};
    settings.progress = listen;
    settings.context = &l;
    checkpoint.every = 0;
    assert_ok(dlp_topic_folder_open(path_a, &folder, error));
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CANCELLED);
    assert_true(dlp_topic_model_get_info(model)->iterations < 6);
    assert_true(dlp_topic_folder_has_checkpoint(folder));
    dlp_topic_model_free(model);

    l = (listener){.caller = pthread_self()};
    checkpoint.resume = 1;
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(l.starting, 0); /* the spectral start is not repeated */
    assert_same_model(whole, model);
    assert_ok(dlp_topic_folder_save(folder, model, error));
    assert_true(dlp_topic_folder_has_checkpoint(folder)); /* it may be continued */
    dlp_topic_model_free(model);
    settings.max_iter = 500;
    assert_ok(dlp_topic_folder_fit(folder, corpus, NULL, &settings, &checkpoint, &model,
                                   error));
    assert_int_equal(dlp_topic_model_get_info(model)->outcome, DLP_CONVERGED);
    assert_ok(dlp_topic_folder_save(folder, model, error));
    assert_false(dlp_topic_folder_has_checkpoint(folder));
    dlp_topic_model_free(model);

    assert_ok(dlp_topic_folder_finished(folder, corpus, NULL, &settings, &model, error));
    assert_non_null(model);
    dlp_topic_model_free(model);
    settings.smooth = 0.5;
    assert_ok(dlp_topic_folder_finished(folder, corpus, NULL, &settings, &model, error));
    assert_null(model);
    dlp_topic_folder_close(folder);
    dlp_topic_model_free(whole);
    dlp_corpus_free(corpus);
}

/* A step before the start does nothing. */
static void em_waits_for_its_start(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(40);
    const dlp_topics_settings settings = settings_for(K);
    dlp_ctm *ctm = NULL;
    assert_ok(dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error));
    dlp_ctm_run(ctm);
    dlp_ctm_step(ctm);
    assert_int_equal(dlp_ctm_result(ctm)->iterations, 0);
    assert_ok(dlp_ctm_start(ctm, error));
    dlp_ctm_step(ctm);
    assert_int_equal(dlp_ctm_result(ctm)->iterations, 1);
    dlp_ctm_free(ctm);
    dlp_corpus_free(corpus);
}

/* ---- search ---- */

static void a_search_compares_numbers_of_topics(void **state)
{
    (void)state;
    const dlp_index numbers[] = {4, 2};
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings topics = settings_for(0);
    dlp_search_settings settings = dlp_search_settings_default();
    dlp_topic_search *search = NULL;
    dlp_topic_model *model = NULL;
    dlp_index n;
    settings.topics = &topics;
    assert_ok(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error));
    assert_int_equal(dlp_topic_search_test(search)->D, DOCUMENTS / 5);
    while (!dlp_topic_search_done(search))
        assert_ok(dlp_topic_search_next(search, error));
    const dlp_search_row *row = dlp_topic_search_rows(search, &n);
    assert_int_equal(n, 2);
    topics.K = 2;
    assert_ok(dlp_topic_model_fit(dlp_topic_search_train(search), NULL, &topics, &model,
                                  error));
    assert_true(row[1].objective_per_word ==
                dlp_topic_model_get_info(model)->objective_per_word);
    const dlp_search_advice advice = dlp_topic_search_advise(search);
    const dlp_index best = row[0].heldout_per_word > row[1].heldout_per_word ? 4 : 2;
    assert_int_equal(advice.best_held_out, best);
    assert_int_equal(advice.least, 2);
    assert_int_equal(advice.largest, 4);
    assert_true(advice.suggested <= best);
    /* topics that are more coherent with fewer are no reason to ask for more */
    assert_int_equal(advice.more != 0,
                     advice.suggested == 4 && advice.best_coherence == 4);
    dlp_topic_model_free(model);
    dlp_topic_search_free(search);

    settings.splits = 2;
    assert_ok(dlp_topic_search_alloc(corpus, 1, numbers, &settings, &search, error));
    assert_ok(dlp_topic_search_next(search, error));
    row = dlp_topic_search_rows(search, &n);
    assert_true(row->heldout_sd > 0 && row->coherence_sd > 0 && row->dispersion > 0 &&
                row->dispersion_sd > 0);
    assert_false(dlp_topic_search_advise(search).more);
    dlp_topic_search_free(search);
    settings.splits = 6;
    assert_fails(dlp_topic_search_alloc(corpus, 1, numbers, &settings, &search, error),
                 DLP_EINVAL, "splits");
    settings.splits = 1;

    listener l = {.caller = pthread_self(), .stop_at = 2, .stop_in = "fitting"};
    topics.progress = listen;
    topics.context = &l;
    assert_ok(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error));
    assert_fails(dlp_topic_search_next(search, error), DLP_ECANCELLED, "cancelled");
    (void)dlp_topic_search_rows(search, &n);
    assert_int_equal(n, 0);
    assert_int_equal(dlp_topic_search_advise(search).suggested, 0);
    dlp_topic_search_free(search);
    settings.every = DOCUMENTS + 1;
    assert_fails(dlp_topic_search_alloc(corpus, 2, numbers, &settings, &search, error),
                 DLP_EINPUT, "to hold out");
    dlp_corpus_free(corpus);
}

/* Two passes and an E step, beside the E step alone. */
static void minibatches_lead_on_from_the_start(void **state)
{
    (void)state;
    dlp_corpus *corpus = open_corpus(DOCUMENTS);
    dlp_topics_settings settings = settings_for(K);
    dlp_topic_model *batch = NULL, *online = NULL, *again = NULL;
    settings.max_iter = settings.threads = 1;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &batch, error));
    settings.online = 2;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &online, error));
    settings.threads = 3;
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &again, error));
    const double reached = dlp_topic_model_get_info(online)->objective_per_word;
    assert_true(reached > dlp_topic_model_get_info(batch)->objective_per_word);
    assert_true(reached == dlp_topic_model_get_info(again)->objective_per_word);
    dlp_topic_model_free(again);
    settings.seed = 2; /* another order of documents */
    assert_ok(dlp_topic_model_fit(corpus, NULL, &settings, &again, error));
    assert_true(reached != dlp_topic_model_get_info(again)->objective_per_word);
    dlp_topic_model_free(batch);
    dlp_topic_model_free(online);
    dlp_topic_model_free(again);
    settings.method = "dirichlet";
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &again, error), DLP_EINVAL,
                 "minibatches are for");
    settings.online = -1;
    assert_fails(dlp_topic_model_fit(corpus, NULL, &settings, &again, error), DLP_EINVAL,
                 "0 to 1000");
    dlp_corpus_free(corpus);
}

static void documents_tell_so_many_topics(void **state)
{
    (void)state;
    const struct {
        dlp_index D, enough, usual, most;
    } wanted[] = {{3, 0, 0, 1}, {15, 2, 2, 7}, {100, 10, 10, 50}, {5000, 500, 20, 2500}};
    for (int i = 0; i < 4; i++) {
        const dlp_index D = wanted[i].D;
        assert_int_equal(dlpi_topics_enough(D), wanted[i].enough);
        assert_int_equal(dlp_topics_usual(D), wanted[i].usual);
        assert_false(dlpi_topics_too_many(D, wanted[i].most));
        assert_true(dlpi_topics_too_many(D, wanted[i].most + 1));
    }
}

/* D documents, of which `different` differ, over V terms */
static dlp_corpus *make_copies(dlp_index D, dlp_index different, dlp_index V)
{
    dlp_corpus *corpus = dlpi_corpus_alloc(D, 2 * D, NULL);
    assert_non_null(corpus);
    corpus->D = D;
    corpus->V = V;
    corpus->nnz = 2 * D;
    for (dlp_index d = 0; d < D; d++) {
        corpus->row[d + 1] = 2 * (d + 1);
        for (dlp_index i = 0; i < 2; i++) {
            const dlp_index kind = d % different;
            corpus->term[2 * d + i] = (int32_t)(i == 0 ? 0 : 1 + kind % (V - 1));
            corpus->count[2 * d + i] = (int32_t)(1 + kind);
            corpus->words += 1 + kind;
        }
    }
    return corpus;
}

static void a_corpus_can_be_short_of_documents_differences_or_terms(void **state)
{
    (void)state;
    const struct {
        dlp_index D, different, V, K, found, enough;
        dlp_topics_short_of of;
    } wanted[] = {
        {100, 100, 200, 10, 0, 10, DLP_SHORT_OF_NOTHING},
        {15, 15, 200, 8, 15, 2, DLP_SHORT_OF_DOCUMENTS},
        {1, 1, 200, 2, 1, 0, DLP_SHORT_OF_DOCUMENTS},
        {100, 1, 200, 2, 1, 0, DLP_SHORT_OF_DIFFERENCES},
        {100, 19, 200, 10, 19, 2, DLP_SHORT_OF_DIFFERENCES},
        {100, 20, 200, 10, 0, 10, DLP_SHORT_OF_NOTHING},
        {100, 100, 5, 5, 5, 4, DLP_SHORT_OF_TERMS},
        {100, 100, 6, 5, 0, 10, DLP_SHORT_OF_NOTHING},
    };
    dlp_topics_shortage s;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        dlp_corpus *corpus = make_copies(wanted[i].D, wanted[i].different, wanted[i].V);
        assert_ok(dlp_topics_find_shortage(corpus, wanted[i].K, &s, error));
        assert_int_equal(s.of, wanted[i].of);
        assert_int_equal(s.found, wanted[i].found);
        assert_int_equal(s.enough, wanted[i].enough);
        dlp_corpus_free(corpus);
    }
    dlp_corpus *corpus = make_copies(4, 4, 4);
    assert_fails(dlp_topics_find_shortage(corpus, 0, &s, error), DLP_EINVAL, "K is 0");
    dlp_corpus_free(corpus);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(progress_is_told_often_and_by_the_caller),
        TEST(a_cancelled_fit_goes_on_to_the_same_bits),
        TEST(em_waits_for_its_start),
        TEST(a_search_compares_numbers_of_topics),
        TEST(minibatches_lead_on_from_the_start),
        TEST(documents_tell_so_many_topics),
        TEST(a_corpus_can_be_short_of_documents_differences_or_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Seed words of topics: their file, and topics that have them. */
#include "support.h"

#include <delaplace/text.h>

enum { K = 5, V = 60, D = 300, WORDS = 40, SEEDS = 3 };

static dlp_error error[1];

/* A corpus of three terms, a, b and c. */
static dlp_corpus *small_corpus(void)
{
    static const dlp_index row[] = {0, 3};
    static const int32_t term[] = {0, 1, 2}, count[] = {1, 1, 1};
    static const char *const vocab[] = {"a", "b", "c"};
    dlp_corpus *corpus = NULL;
    assert_int_equal(
        dlp_corpus_from_csr(1, 3, row, term, count, vocab, NULL, &corpus, error), DLP_OK);
    return corpus;
}

static dlp_status parse(const char *text, const dlp_corpus *corpus,
                        dlp_topic_seeds *seeds)
{
    return dlp_topic_seeds_parse("seeds", text, strlen(text), corpus, seeds, error);
}

static void a_line_is_a_topic(void **state)
{
    dlp_corpus *corpus = small_corpus();
    dlp_topic_seeds seeds;
    (void)state;
    assert_int_equal(
        parse("# no: topic\n first one: c, a c\r\n\n , \nb nobody a d", corpus, &seeds),
        DLP_OK);
    assert_int_equal(seeds.topics, 2);
    assert_int_equal(seeds.n, 4);
    assert_int_equal(seeds.word[0].term, 2);
    assert_int_equal(seeds.word[1].term, 0);
    assert_int_equal(seeds.word[2].topic, 1);
    assert_int_equal(seeds.word[3].term, 0);
    assert_int_equal(seeds.unknown, 2);
    assert_string_equal(seeds.example, "nobody");
    dlp_topic_seeds_free(&seeds);
    dlp_corpus_free(corpus);
}

static void what_says_nothing_is_refused(void **state)
{
    dlp_corpus *corpus = small_corpus(), nameless = {.D = 1, .V = 3};
    dlp_topic_seeds seeds;
    (void)state;
    assert_int_equal(parse("a\nx: y\n", corpus, &seeds), DLP_EINPUT);
    assert_non_null(strstr(error->message, "seeds:2: the corpus has none"));
    assert_int_equal(parse("a\nx:\n", corpus, &seeds), DLP_EINPUT);
    assert_int_equal(parse("\n#\n", corpus, &seeds), DLP_EINPUT);
    assert_int_equal(parse("a", &nameless, &seeds), DLP_EINPUT);
    dlp_corpus_free(corpus);
}

/* A corpus made by stemming: a stem's term is its most frequent word. */
static dlp_corpus *stemmed_corpus(void)
{
    static const char *const text[] = {"Taxes and taxes, not a tax: budgets",
                                       "budgets of gardens", "Gärten gardens budgets"};
    dlp_text_settings settings = dlp_text_settings_default();
    dlp_text_builder *builder = NULL;
    dlp_corpus *corpus = NULL;
    settings.stem = "english";
    settings.min_documents = 1;
    settings.max_share = 1;
    assert_int_equal(dlp_text_builder_alloc(&settings, &builder, error), DLP_OK);
    for (int d = 0; d < 3; d++)
        assert_int_equal(
            dlp_text_builder_add(builder, NULL, text[d], strlen(text[d]), error), DLP_OK);
    assert_int_equal(dlp_text_builder_finish(builder, &corpus, NULL, error), DLP_OK);
    dlp_text_builder_free(builder);
    return corpus;
}

/* Capitals, and another form of a stem; in a corpus of stems whose making is not known,
   too. */
static void words_are_found_as_text_is_read(void **state)
{
    (void)state;
    dlp_topic_seeds seeds;
    if (!dlp_text_stemmer_name(0)) skip(); /* built without text */
    dlp_corpus *corpus = stemmed_corpus();
    assert_int_equal(parse("money: Taxing budgets Tax\ngreen: gardening GÄRTEN rivers",
                           corpus, &seeds),
                     DLP_OK);
    assert_int_equal(seeds.n, 4);
    assert_string_equal(corpus->vocab[seeds.word[0].term], "taxes");
    assert_string_equal(corpus->vocab[seeds.word[2].term], "gardens");
    assert_string_equal(corpus->vocab[seeds.word[3].term], "gärten");
    assert_int_equal(seeds.adapted, 4);
    assert_string_equal(seeds.given, "Taxing");
    assert_string_equal(seeds.taken, "taxes");
    assert_int_equal(seeds.unknown, 1);
    assert_string_equal(seeds.example, "rivers");
    dlp_topic_seeds_free(&seeds);
    dlp_corpus_free(corpus);
}

static void words_of_unknown_making_are_found(void **state)
{
    (void)state;
    static const dlp_index row[] = {0, 3};
    static const int32_t term[] = {0, 1, 2}, count[] = {1, 1, 1};
    static const char *const stems[] = {"economi", "tax", "iraq"}, *const words[] = {
                                                                       "taxes", "tax",
                                                                       "iraq"};
    dlp_topic_seeds seeds;
    dlp_corpus *corpus = NULL;
    if (!dlp_text_stemmer_name(0)) skip(); /* built without text */
    assert_int_equal(
        dlp_corpus_from_csr(1, 3, row, term, count, stems, NULL, &corpus, error), DLP_OK);
    assert_int_equal(parse("Economies taxes\nIraq", corpus, &seeds), DLP_OK);
    assert_int_equal(seeds.n, 3);
    assert_int_equal(seeds.adapted, 3);
    dlp_topic_seeds_free(&seeds);
    dlp_corpus_free(corpus);
    assert_int_equal(
        dlp_corpus_from_csr(1, 3, row, term, count, words, NULL, &corpus, error), DLP_OK);
    assert_int_equal(parse("Taxes taxing\nIraq", corpus, &seeds),
                     DLP_OK); /* not stemmed */
    assert_int_equal(seeds.n, 2);
    assert_int_equal(seeds.unknown, 1);
    dlp_topic_seeds_free(&seeds);
    dlp_corpus_free(corpus);
}

/* How much more of topic k a term is than of any other. */
static double lead(const dlp_topics *t, dlp_index k, dlp_index v)
{
    double most = 0;
    for (dlp_index j = 0; j < t->K; j++)
        if (j != k) most = fmax(most, t->beta[j * t->V + v]);
    return t->beta[k * t->V + v] - most;
}

/* The SEEDS terms that are most topic k's own. */
static void own_terms(const dlp_topics *t, dlp_index k, dlp_seed_word *out,
                      dlp_index topic)
{
    double least = INFINITY;
    for (int taken = 0; taken < SEEDS; taken++) {
        dlp_index best = -1;
        double most = -1;
        for (dlp_index v = 0; v < t->V; v++)
            if (lead(t, k, v) > most && lead(t, k, v) < least) {
                most = lead(t, k, v);
                best = v;
            }
        least = most;
        out[taken] = (dlp_seed_word){topic, best};
    }
}

static double overlap(const dlp_topics *a, dlp_index k, const dlp_topics *b, dlp_index j)
{
    double common = 0;
    for (dlp_index v = 0; v < a->V; v++)
        common += fmin(a->beta[k * a->V + v], b->beta[j * b->V + v]);
    return common;
}

static void fit_topics(const dlp_corpus *corpus, const dlp_topics_settings *settings,
                       dlp_topics *out)
{
    dlp_ctm *ctm;
    assert_int_equal(dlp_ctm_alloc(corpus, NULL, settings, &ctm, error), DLP_OK);
    assert_int_equal(dlp_ctm_start(ctm, error), DLP_OK);
    dlp_ctm_run(ctm);
    assert_int_equal(dlp_ctm_topics(ctm, out, error), DLP_OK);
    dlp_ctm_free(ctm);
}

/* The true topics 3 and 1 are asked for first and second, and come out there, also from
   random topics. */
static void topics_come_in_the_order_of_their_seeds(void **state)
{
    dlp_topics truth, found;
    dlp_corpus *corpus;
    dlp_simulate_settings simulate = dlp_simulate_settings_default();
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_seed_word seed[2 * SEEDS];
    (void)state;
    simulate.documents = D;
    simulate.words = WORDS;
    assert_int_equal(dlp_simulate_topics(K, V, .05, 3, &truth, error), DLP_OK);
    assert_int_equal(dlp_simulate_ctm(&truth, NULL, &simulate, &corpus, NULL, error),
                     DLP_OK);
    own_terms(&truth, 3, seed, 0);
    own_terms(&truth, 1, seed + SEEDS, 1);
    settings.K = K;
    settings.seed_word = seed;
    settings.n_seed_words = 2 * SEEDS;
    for (int random = 0; random < 2; random++) {
        settings.init = random ? "random" : "spectral";
        fit_topics(corpus, &settings, &found);
        print_message("%s: %.2f, %.2f\n", settings.init, overlap(&found, 0, &truth, 3),
                      overlap(&found, 1, &truth, 1));
        assert_true(overlap(&found, 0, &truth, 3) > .7);
        assert_true(overlap(&found, 1, &truth, 1) > .7);
        dlp_topics_free(&found);
    }
    seed[0].topic = K;
    dlp_ctm *ctm;
    assert_int_equal(dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error), DLP_EINVAL);
    dlp_topics_free(&truth);
    dlp_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_topic),
        cmocka_unit_test(what_says_nothing_is_refused),
        cmocka_unit_test(words_are_found_as_text_is_read),
        cmocka_unit_test(words_of_unknown_making_are_found),
        cmocka_unit_test(topics_come_in_the_order_of_their_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

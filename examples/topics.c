/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From text to topics, and what a new text is about:
 *
 *   topics FOLDER K TEXT
 *
 * finds K topics in the text files of a folder, prints the words of each, and says which of
 * the topics are in TEXT, with standard deviations.
 */
#include <delaplace.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 6, MOST_TOPICS = 100 };

/* The files of a folder, with the terms that the default rules choose. */
static dlp_status count_folder(const char *folder, dlp_corpus **corpus, dlp_error *error)
{
    dlp_text_source source = dlp_text_source_default();
    dlp_text_builder *builder = NULL;
    source.path = folder;
    dlp_status status = dlp_text_builder_alloc(NULL, &builder, error);
    if (status == DLP_OK) status = dlp_text_builder_read(builder, &source, error);
    if (status == DLP_OK) status = dlp_text_builder_finish(builder, corpus, NULL, error);
    dlp_text_builder_free(builder);
    return status;
}

/* One text, with the terms of the corpus that the topics come from. */
static dlp_status count_text(const char *text, const dlp_corpus *known,
                             dlp_corpus **corpus, dlp_error *error)
{
    dlp_text_builder *builder = NULL;
    dlp_status status = dlp_text_builder_alloc(NULL, &builder, error);
    if (status == DLP_OK)
        status = dlp_text_builder_terms(builder, known->vocab, known->V, error);
    if (status == DLP_OK)
        status = dlp_text_builder_add(builder, NULL, text, strlen(text), error);
    if (status == DLP_OK) status = dlp_text_builder_finish(builder, corpus, NULL, error);
    dlp_text_builder_free(builder);
    return status;
}

static dlp_status find_topics(const dlp_corpus *corpus, dlp_index K, dlp_topics *topics,
                              dlp_error *error)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_ctm *ctm = NULL;
    settings.K = K;
    dlp_status status = dlp_ctm_alloc(corpus, NULL, &settings, &ctm, error);
    if (status == DLP_OK) {
        dlp_ctm_run(ctm);
        printf("%s\n", dlp_outcome_name(dlp_ctm_result(ctm)->outcome));
        status = dlp_ctm_topics(ctm, topics, error);
    }
    dlp_ctm_free(ctm);
    return status;
}

static dlp_status print_words(const dlp_topics *topics, char *const *vocab,
                              dlp_error *error)
{
    dlp_topic_words words = {0};
    const dlp_status status = dlp_topics_words(topics, DLP_BY_FREX, WORDS, &words, error);
    for (dlp_index k = 0; status == DLP_OK && k < words.K; k++) {
        printf("topic %td:", k + 1);
        for (dlp_index i = 0; i < words.n; i++)
            printf(" %s", vocab[words.term[k * words.n + i]]);
        putchar('\n');
    }
    dlp_topic_words_free(&words);
    return status;
}

/* The topics that take more than a twentieth of the document. */
static dlp_status print_proportions(const dlp_topics *topics, dlp_document document,
                                    dlp_error *error)
{
    double pi[MOST_TOPICS], sd[MOST_TOPICS];
    dlp_reader *reader = NULL;
    dlp_reading reading;
    dlp_status status = dlp_reader_alloc(topics, NULL, &reader, error);
    if (status == DLP_OK) status = dlp_read_document(reader, &document, &reading, error);
    if (status == DLP_OK) {
        dlp_read_proportions(reader, pi, sd);
        printf("the text, by %td of its words:\n", reading.words);
        for (dlp_index k = 0; k < topics->K; k++)
            if (pi[k] > 0.05) printf("%.2f +- %.2f of topic %td\n", pi[k], sd[k], k + 1);
    }
    dlp_reader_free(reader);
    return status;
}

int main(int argc, char **argv)
{
    const dlp_index K = argc == 4 ? (dlp_index)strtol(argv[2], NULL, 10) : 0;
    dlp_error error = {""};
    dlp_corpus *known = NULL, *new = NULL;
    dlp_topics topics = {0};
    if (K < 2 || K > MOST_TOPICS) {
        fprintf(stderr, "usage: topics FOLDER K TEXT, with K from 2 to %d\n",
                MOST_TOPICS);
        return 2;
    }
    dlp_status status = count_folder(argv[1], &known, &error);
    if (status == DLP_OK) status = find_topics(known, K, &topics, &error);
    if (status == DLP_OK) status = print_words(&topics, known->vocab, &error);
    if (status == DLP_OK) status = count_text(argv[3], known, &new, &error);
    if (status == DLP_OK)
        status = print_proportions(&topics, dlp_corpus_document(new, 0), &error);
    dlp_topics_free(&topics);
    dlp_corpus_free(new);
    dlp_corpus_free(known);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "topics: %s\n", error.message);
    return 1;
}

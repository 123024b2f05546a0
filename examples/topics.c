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

static dlp_status print_words(const dlp_topic_model *model, dlp_error *error)
{
    char *const *vocab = dlp_topic_model_vocab(model);
    dlp_topic_words words = {0};
    const dlp_status status = dlp_topics_words(dlp_topic_model_topics(model), DLP_BY_FREX,
                                               WORDS, &words, error);
    for (dlp_index k = 0; status == DLP_OK && k < words.K; k++) {
        printf("topic %td:", k + 1);
        for (dlp_index i = 0; i < words.n; i++)
            printf(" %s", vocab[words.term[k * words.n + i]]);
        putchar('\n');
    }
    dlp_topic_words_free(&words);
    return status;
}

/* The topics that take more than a twentieth of the one document. */
static dlp_status print_proportions(const dlp_topic_model *model,
                                    const dlp_corpus *corpus, dlp_error *error)
{
    double pi[MOST_TOPICS], sd[MOST_TOPICS];
    dlp_inference_result found;
    const dlp_status status =
        dlp_topic_model_infer(model, corpus, NULL, NULL, pi, sd, &found, error);
    if (status != DLP_OK) return status;
    printf("the text, by %td of its words:\n", found.words);
    for (dlp_index k = 0; k < dlp_topic_model_topics(model)->K; k++)
        if (pi[k] > 0.05) printf("%.2f +- %.2f of topic %td\n", pi[k], sd[k], k + 1);
    return DLP_OK;
}

int main(int argc, char **argv)
{
    dlp_topics_settings settings = dlp_topics_settings_default();
    dlp_error error = {0};
    dlp_corpus *known = NULL, *new = NULL;
    dlp_topic_model *model = NULL;
    settings.K = argc == 4 ? (dlp_index)strtol(argv[2], NULL, 10) : 0;
    if (settings.K < 2 || settings.K > MOST_TOPICS) {
        fprintf(stderr, "usage: topics FOLDER K TEXT, with K from 2 to %d\n",
                MOST_TOPICS);
        return 2;
    }
    dlp_status status = count_folder(argv[1], &known, &error);
    if (status == DLP_OK)
        status = dlp_topic_model_fit(known, NULL, &settings, &model, &error);
    if (status == DLP_OK)
        printf("%s\n", dlp_outcome_name(dlp_topic_model_get_info(model)->outcome));
    if (status == DLP_OK) status = print_words(model, &error);
    if (status == DLP_OK) status = count_text(argv[3], known, &new, &error);
    if (status == DLP_OK) status = print_proportions(model, new, &error);
    dlp_topic_model_free(model);
    dlp_corpus_free(new);
    dlp_corpus_free(known);
    if (status == DLP_OK) return 0;
    fprintf(stderr, "topics: %s\n", error.message);
    return 1;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads a topic model from its folder, and names its words, documents and topics. */
#ifndef DLP_CLI_TOPICS_MODEL_H
#define DLP_CLI_TOPICS_MODEL_H

#include <delaplace.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* dlp_topic_model_load, as a phase of the command. */
dlp_status cli_topics_load(const char *path, unsigned parts, dlp_topic_model **model,
                           dlp_error *error);

/* The name of a term: its word when the vocabulary is known, else its id from 0, written
   to number. */
const char *cli_topics_term(const dlp_topic_model *model, dlp_index v, char number[32]);
/* The name of a document in the same way, its number counted from 1. */
const char *cli_topics_document(const dlp_topic_model *model, dlp_index d,
                                char number[32]);

/* The name of topic k: its label, or the words of the list, "one, two". */
void cli_topics_print_called(const dlp_topic_model *model, const dlp_topic_words *words,
                             dlp_index k, dlp_index n);

/* Whether any topic has a label. If so, tables have a last column for labels: its head,
   and the field in the row of topic k. Both print nothing if no topic has one. */
bool cli_topics_labelled(const dlp_topic_model *model);
void cli_topics_csv_label_head(FILE *out, const dlp_topic_model *model);
void cli_topics_csv_label(FILE *out, const dlp_topic_model *model, dlp_index k);
/* Adds the "label" of topic k, if it has one, as the last key of the object, and
   returns the object; NULL when out of memory. */
json_t *cli_topics_json_label(json_t *object, const dlp_topic_model *model, dlp_index k);

/* Prints a note if the corpus at path has too little of something for K topics.
   `compare`: whether the note may suggest 'topics search-k'. */
dlp_status cli_topics_note_many(const char *path, const dlp_corpus *corpus, dlp_index K,
                                bool compare, dlp_error *error);

/* The values of --halves, "sorted" and "random", and whether a value is "random". */
const char *cli_halves_name(int i);
bool cli_halves_random(const char *halves);

#endif

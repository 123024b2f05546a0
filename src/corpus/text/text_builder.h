/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the text builder share. text_markup.h takes the text out of
 * documents, text_words.c finds words, text_builder.c counts them, text_stop.c,
 * text_language.c and text_stem.c know languages, text_phrases.c and text_collocations.c
 * join words, text_select.c applies the rules to the distinct words at the end, or
 * text_terms.c the terms that are given; text_origin.c records how; text_read.c finds out
 * what a source is, and each kind of source has a file that reads it. Internal.
 */
#ifndef DLPI_CORPUS_TEXT_BUILDER_H
#define DLPI_CORPUS_TEXT_BUILDER_H

#include "core/string_set.h"
#include "corpus/corpus.h"
#include "corpus/text/text_phrases.h"
#include "corpus/text/text_stem.h"
#include "corpus/text/text_words.h"

#include <delaplace/text.h>

struct dlp_text_builder {
    dlp_text_settings settings;
    struct dlpi_words words;
    struct dlpi_string_set vocabulary; /* every distinct word, before any rule */
    struct dlpi_string_set stop_words;
    struct dlpi_string_set terms;     /* the given ones; none: the rules choose */
    bool stop_auto;                   /* add the stop words of the language */
    struct dlpi_string_set given;     /* phrases, joined by underscores */
    bool keeps_order;                 /* phrases are wanted: */
    struct dlpi_sequence sequence;    /* the words in their order */
    struct dlpi_term_matcher matcher; /* of the terms, built when first needed */
    struct dlpi_phrase_trie trie;     /* of the phrases, likewise */
    dlp_index *last; /* (terms_room) the latest pair of each word; -1: none yet */
    dlp_index terms_room;
    int32_t *term, *count; /* (pairs_room) the pairs of all documents, in order */
    dlp_index pairs, pairs_room;
    dlp_index *row;     /* (documents_room) document d holds pairs row[d]..row[d+1]-1 */
    dlp_index *invalid; /* (documents_room) bytes of each that are not UTF-8 */
    dlp_index documents, documents_room;
    const dlp_text_builder
        *named_by;           /* for one with phrases: who has the names; or NULL */
    struct dlpi_bytes names; /* of the documents, a NUL after each */
    struct dlpi_bytes texts; /* likewise, with keep_text */
    dlp_index bytes;         /* of text read */
    dlp_index html, xml, mail, markup_kept; /* documents */
    dlp_index hidden_skipped, binary_skipped, unnamed;
    struct dlpi_progress *progress; /* of the source that is read; NULL: nobody asks */
};

/* ---- languages ---- */

/* Adds the words of a built-in list. */
dlp_status dlpi_text_stop_set(const char *list, struct dlpi_string_set *set,
                              dlp_error *error);
/* The language whose stop words are the most frequent among these words. */
dlp_status dlpi_text_language(const struct dlpi_string_set *words, const dlp_index *total,
                              dlp_text_language *found, dlp_error *error);
/* The list of a stemmer's language, or NULL. */
const char *dlpi_text_language_of_stemmer(const char *stemmer);

/* ---- words, counted ---- */

/* Counts one more occurrence of a word in the document being read. For text, count_words
   calls it. */
dlp_status dlpi_text_count(dlp_text_builder *builder, const char *word, size_t size,
                           int32_t *code, dlp_error *error);
/* Ends the document being read; says how many bytes it had, and how many were not
   UTF-8. */
dlp_status dlpi_text_end_document(dlp_text_builder *builder, size_t size,
                                  dlp_index invalid, dlp_error *error);
/* The same documents with phrases joined into words, as another builder with the same
   settings and no text. No phrase that we find begins or ends with a word of `stop`. */
dlp_status dlpi_text_join(const dlp_text_builder *builder,
                          const struct dlpi_string_set *stop, dlp_text_builder **joined,
                          dlp_error *error);
/* Joins pairs of words that are neighbours more often than by chance, in the sequence of
   words and in their set. */
dlp_status dlpi_text_collocate(const dlp_text_settings *settings,
                               const struct dlpi_string_set *stop,
                               struct dlpi_string_set *words,
                               struct dlpi_sequence *sequence, dlp_error *error);

/* ---- terms that are given ---- */

/* group (distinct words): which of the given terms each word is, or -1. */
dlp_status dlpi_text_match_terms(const dlp_text_builder *builder, int32_t *group,
                                 dlp_error *error);
/* The same by a language's stems, whatever the settings; two terms of one stem are
   DLP_EINPUT. */
dlp_status dlpi_text_match_stems(const dlp_text_builder *builder, const char *language,
                                 int32_t *group, dlp_error *error);

/* Takes stem and keep_numbers from the record of how the terms of the file at path were
   made, if there is one. text_origin.c */
dlp_status dlpi_text_take_origin(dlp_text_builder *builder, const char *path,
                                 dlp_error *error);
/* That record for the corpus being made, as JSON to be freed; NULL without memory. */
char *dlpi_text_origin(const dlp_text_builder *builder, const dlp_text_report *report);

/* Each adds the documents that the bytes of a file hold; file names it in messages. */
dlp_status dlpi_text_add_folder(dlp_text_builder *builder, const char *path,
                                dlp_error *error);
dlp_status dlpi_text_add_lines(dlp_text_builder *builder, const char *text, size_t size,
                               dlp_error *error);
dlp_status dlpi_text_add_table(dlp_text_builder *builder, const char *file,
                               const char *text, size_t size, const char *column,
                               const char *name, dlp_error *error);
dlp_status dlpi_text_add_json(dlp_text_builder *builder, const char *file,
                              const char *text, size_t size, const char *column,
                              const char *name, dlp_error *error);

#endif

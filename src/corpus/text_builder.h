/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parts of the text builder share. text_words.c finds words, text_builder.c
 * counts them, text_stop.c and text_stem.c know languages, text_select.c applies the rules
 * to the distinct words at the end, or text_terms.c the terms that are given; text_read.c
 * finds out what a source is, and one file a kind of source reads it. Internal.
 */
#ifndef DLPI_CORPUS_TEXT_BUILDER_H
#define DLPI_CORPUS_TEXT_BUILDER_H

#include "core/string_set.h"
#include "corpus/corpus.h"
#include "corpus/text_words.h"

#include <delaplace/text.h>

struct dlp_text_builder {
    dlp_text_settings settings;
    struct dlpi_words words;
    struct dlpi_string_set vocabulary; /* every distinct word, before any rule */
    struct dlpi_string_set stop_words;
    struct dlpi_string_set terms; /* those that are given; none: the rules choose */
    dlp_index *last; /* (terms_room) the latest pair of each word; -1: none yet */
    dlp_index terms_room;
    int32_t *term, *count; /* (pairs_room) the pairs of all documents, in order */
    dlp_index pairs, pairs_room;
    dlp_index *row;     /* (documents_room) document d holds pairs row[d]..row[d+1]-1 */
    dlp_index *invalid; /* (documents_room) bytes of each that are not UTF-8 */
    dlp_index documents, documents_room;
    struct dlpi_bytes names; /* of the documents, a NUL after each */
    dlp_index bytes;         /* of text read */
    dlp_index hidden_skipped, binary_skipped, unnamed;
    struct dlpi_progress *progress; /* of the source that is read; NULL: nobody asks */
};

extern const char dlpi_stop_english[];

/*
 * Where the words go: each to a group, a term in the making. Without stemming a word is a
 * group by itself.
 */
struct dlpi_stems {
    int32_t groups;
    int32_t *group; /* (words) -1 for words that were dropped before */
    int32_t *shown; /* (groups) the word that stands for the group */
};

/* Puts the words of one stem into one group, those with group[t] < 0 aside. total is how
   often each word occurs: the most frequent one is shown. */
dlp_status dlpi_stem_words(const char *language, const struct dlpi_string_set *words,
                           const dlp_index *total, struct dlpi_stems *stems,
                           dlp_error *error);

/* group (distinct words): the term that is given for each word, or -1. */
dlp_status dlpi_text_match_terms(const dlp_text_builder *builder, int32_t *group,
                                 dlp_error *error);
/* The same by a language's stems, whatever the settings; two terms of one stem are
   DLP_EINPUT. */
dlp_status dlpi_text_match_stems(const dlp_text_builder *builder, const char *language,
                                 int32_t *group, dlp_error *error);

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

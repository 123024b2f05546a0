/* SPDX-License-Identifier: BSD-3-Clause */
/* One vocabulary for a model and a corpus: terms are the same when their names are. Where
   one of the two has no names, terms are their numbers. Internal. */
#ifndef DLPI_TOPICS_VOCABULARY_H
#define DLPI_TOPICS_VOCABULARY_H

#include <delaplace/topics.h>

/* The terms of a model. */
typedef struct dlpi_vocabulary {
    dlp_index V;
    char *const *name; /* (V) or NULL */
} dlpi_vocabulary;

/* Gives the words of the corpus the model's numbers, and leaves out and counts those of
   terms that the model does not have. They would have come last in every document, so the
   halves of document completion are the same without them. The corpus has no vocabulary
   afterwards. */
dlp_status dlpi_vocabulary_align(const dlpi_vocabulary *model, dlp_corpus *corpus,
                                 dlp_index *unseen, dlp_error *error);

/* Whether a corpus is in the model's terms: without names, or with the model's. */
dlp_status dlpi_vocabulary_check(const dlpi_vocabulary *model, const dlp_corpus *corpus,
                                 dlp_error *error);

/* The terms that the corpus has and the model does not, and how often. */
typedef struct dlpi_new_terms {
    dlp_index terms, words;
} dlpi_new_terms;

/* dlpi_vocabulary_align where such terms are taken in: they come after the model's, in the corpus'
   order. The corpus then has all terms, by their names where the model has them. */
dlp_status dlpi_vocabulary_extend(const dlpi_vocabulary *model, dlp_corpus *corpus,
                                  dlpi_new_terms *taken, dlp_error *error);

/* The topics of a model over the corpus' terms: 0 for terms that the model does not have,
   and rows that sum to 1 again. To be freed by dlp_topics_free. */
dlp_status dlpi_vocabulary_project(const dlpi_vocabulary *model, const dlp_topics *from,
                                   const dlp_corpus *corpus, dlp_topics *topics,
                                   dlp_error *error);

#endif

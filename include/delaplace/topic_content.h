/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of topics that differ by group of documents (content covariates, as in R's stm; Eisenstein,
 * Ahmed and Xing, "Sparse additive generative models of text", ICML 2011).
 *
 * Term v of topic k in group g has
 *
 *     log beta_kgv = base_kg + eta_kv + common_gv + own_kgv,
 *
 * where common and own have Laplace priors whose scales are fitted. Documents of group g
 * are mixtures of its topics, as in any model; one whose group is not known is read with
 * the topics' mean over groups, weighted by their words.
 */
#ifndef DELAPLACE_TOPIC_CONTENT_H
#define DELAPLACE_TOPIC_CONTENT_H

#include <delaplace/table.h>
#include <delaplace/topic_model.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The topics of G groups. A term that training never saw is 0 in all. */
typedef struct dlp_topic_content {
    dlp_index G, K, V;
    double common_scale, own_scale; /* mean absolute deviations under their priors */
    double *beta;                   /* (G, K, V) */
    double *sd; /* (G, K, V) of log beta_kgv - mean over groups, by Laplace's method, with
                   the assignment of words to topics held fixed */
    double *common, *common_sd; /* (G, V) common_gv - mean over groups, and its sd */
    double
        *dilution; /* (K) by how much of itself a difference in the topic is larger than
                         it seems, as other topics' words are among the topic's */
} dlp_topic_content;

DLP_API void
dlp_topic_content_free(dlp_topic_content *content); /* fine on a zeroed one */
/* The current topics by group of a fit with settings.content_groups > 0; dlp_ctm_topics
   has the mean. Released by dlp_topic_content_free. */
DLP_API dlp_status dlp_ctm_content(dlp_ctm *ctm, dlp_topic_content *content,
                                   dlp_error *error);

/* How a term of topic k is used in group g, compared with the mean over groups of its log
   probability. */
typedef struct dlp_content_word {
    dlp_index term;
    double probability;
    double difference;   /* log beta_kgv minus its mean over groups */
    double lower, upper; /* its 95 % interval, which reaches farther away from 0 */
} dlp_content_word;

/* The words that group g uses more than others do in topic k, or, with k < 0, in all
   topics alike: at most n, those whose interval is above 0, ranked by probability times
   lower, the largest first. Returns how many. With k < 0 the probability is the mean over
   topics. */
DLP_API dlp_index dlp_topic_content_words(const dlp_topic_content *content, dlp_index g,
                                          dlp_index k, dlp_index n,
                                          dlp_content_word *word);
/* The same for one term. */
DLP_API dlp_content_word dlp_topic_content_word(const dlp_topic_content *content,
                                                dlp_index g, dlp_index k, dlp_index term);

/* ---- of a model ---- */

/* The words by group of a model; NULL: they do not differ by group. */
DLP_API const dlp_topic_content *dlp_topic_model_content(const dlp_topic_model *model);
DLP_API char *const *
dlp_topic_model_content_names(const dlp_topic_model *model); /* (G) */
/* The column that the groups come from; NULL: not known */
DLP_API const char *dlp_topic_model_content_column(const dlp_topic_model *model);
/* The topics that documents are read with, for dlp_inference_alloc and similar:
   dlp_topic_model_fitted, or, where words differ by group, 1 + G times V terms: the mean,
   then each group, all divided by 1 + G, so that each topic still sums to 1. */
DLP_API const dlp_topics *dlp_topic_model_inference_topics(const dlp_topic_model *model);
/* Encodes the groups of documents, group (D) from 0, below 0: not known, in a corpus in
   the model's terms: term v of a document in group g becomes (1 + g) V + v.
   dlp_topic_model_infer, _evaluate and _effects take such a corpus, or an unchanged one
   if groups are not known. */
DLP_API dlp_status dlp_topic_model_set_groups(const dlp_topic_model *model,
                                              const int32_t *group, dlp_corpus *corpus,
                                              dlp_error *error);

/* ---- groups of documents ---- */

/* Which group each document is in. */
typedef struct dlp_document_groups {
    dlp_index G, D;
    int32_t *group;    /* (D) from 0; -1: not known */
    char **name;       /* (G) one allocation; NULL if they are those of a model */
    dlp_index unknown; /* documents with -1 */
} dlp_document_groups;

/* From a column of a table with row[d] for document d (NULL: row d): each value is a
   group, numbers in numerical and words in alphabetical order. Fails if a document has no
   group, and if there are fewer than two groups or more than 100. */
DLP_API dlp_status dlp_document_groups_find(const dlp_table *table, const char *column,
                                            dlp_index D, const dlp_index *row,
                                            dlp_document_groups *groups,
                                            dlp_error *error);
/* The same with the groups of the model. A value that is missing, or that the model does
   not have, is "not known"; if the table lacks the column, all are. */
DLP_API dlp_status dlp_topic_model_groups(const dlp_topic_model *model,
                                          const dlp_table *table, dlp_index D,
                                          const dlp_index *row,
                                          dlp_document_groups *groups, dlp_error *error);
DLP_API void
dlp_document_groups_free(dlp_document_groups *groups); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

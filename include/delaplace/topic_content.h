/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of topics that differ by group of documents (content covariates, as in R's stm; Eisenstein,
 * Ahmed and Xing, "Sparse additive generative models of text", ICML 2011): term v of topic k in
 * group g has
 *
 *     log beta_kgv = level_kg + eta_kv + common_gv + own_kgv,
 *
 * common and own with Laplace priors whose scales are fitted. Documents of group g are made of its
 * topics, in proportions as in any model; one whose group is not known is read by the topics' mean
 * over groups, each group counting by its words.
 */
#ifndef DELAPLACE_TOPIC_CONTENT_H
#define DELAPLACE_TOPIC_CONTENT_H

#include <delaplace/table.h>
#include <delaplace/topic_model.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of G groups. A term that training never saw is 0 in all. */
typedef struct dlp_topic_content {
    dlp_index G, K, V;
    double common_scale, own_scale; /* mean sizes of deviations under their priors */
    double *beta;                   /* (G, K, V) */
    double
        *sd; /* (G, K, V) of  log beta_kgv - mean over groups,  by Laplace's method, the
                   documents' words being dealt to topics as they are */
    double *common, *common_sd; /* (G, V) common_gv - mean over groups, and its sd */
} dlp_topic_content;

DLP_API void
dlp_topic_content_free(dlp_topic_content *content); /* fine on a zeroed one */
/* Of a fit with settings.content_groups > 0, as it is now; dlp_ctm_topics has the mean. */
DLP_API dlp_status dlp_ctm_content(dlp_ctm *ctm, dlp_topic_content *content,
                                   dlp_error *error);

/* How a term of topic k is used in group g, beside the mean over groups of its log probability. */
typedef struct dlp_content_word {
    dlp_index term;
    double probability;
    double difference;   /* log beta_kgv less its mean over groups */
    double lower, upper; /* its 95 % interval */
} dlp_content_word;

/* The words that group g uses more than others do in topic k, or, with k < 0, in all topics alike:
   at most n, those whose interval is above 0, by how much they add to the difference, probability
   times lower. Returns how many. With k < 0 the probability is the mean over topics. */
DLP_API dlp_index dlp_topic_content_words(const dlp_topic_content *content, dlp_index g,
                                          dlp_index k, dlp_index n,
                                          dlp_content_word *word);
/* Of one term. */
DLP_API dlp_content_word dlp_topic_content_word(const dlp_topic_content *content,
                                                dlp_index g, dlp_index k, dlp_index term);

/* ---- of a model ---- */

/* NULL: its words do not differ by group. */
DLP_API const dlp_topic_content *dlp_topic_model_content(const dlp_topic_model *model);
DLP_API char *const *
dlp_topic_model_content_names(const dlp_topic_model *model); /* (G) */
/* The column that groups are of; NULL: not known */
DLP_API const char *dlp_topic_model_content_column(const dlp_topic_model *model);
/* The topics that documents are read with, for dlp_inference_alloc and similar: dlp_topic_model_fitted,
   or, where words differ by group, 1 + G blocks of V terms: the mean, then group by group, all
   divided by 1 + G, so that a topic is a distribution again. */
DLP_API const dlp_topics *dlp_topic_model_inference_topics(const dlp_topic_model *model);
/* Tells the groups of documents, group (D) from 0, below 0: not known, to a corpus in the model's
   terms: term v of group g becomes (1 + g) V + v. dlp_topic_model_infer, _evaluate and _effects
   take it so, and, as it was, for one whose groups are not known. */
DLP_API dlp_status dlp_topic_model_set_groups(const dlp_topic_model *model,
                                              const int32_t *group, dlp_corpus *corpus,
                                              dlp_error *error);

/* ---- groups of documents ---- */

/* Which group documents are in. */
typedef struct dlp_document_groups {
    dlp_index G, D;
    int32_t *group;    /* (D) from 0; -1: not known */
    char **name;       /* (G) one block; NULL where they are a model's */
    dlp_index unknown; /* documents with -1 */
} dlp_document_groups;

/* From a column of a table with row[d] for document d (NULL: row d): each value is a group, numbers
   by their size and words by the alphabet. Fails where a document misses its group, and where there
   are fewer than two groups or more than 100. */
DLP_API dlp_status dlp_document_groups_find(const dlp_table *table, const char *column,
                                            dlp_index D, const dlp_index *row,
                                            dlp_document_groups *groups,
                                            dlp_error *error);
/* The same as the model has them; a value that is missing, or that it does not have, is not known,
   and without the column in the table none is. */
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics that drift over slices of time (Blei and Lafferty, "Dynamic topic models", ICML 2006):
 * beta_tk, the topic k of slice t, is softmax(eta_tk), and the natural parameters of every term
 * walk at random from slice to slice, eta_tkv = eta_{t-1,k,v} + N(0, drift^2). Documents of slice t
 * are made of its topics, in proportions as in any model.
 */
#ifndef DELAPLACE_TOPIC_SLICES_H
#define DELAPLACE_TOPIC_SLICES_H

#include <delaplace/table.h>
#include <delaplace/topic_model.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of T slices. A term that training never saw is 0 in all. */
typedef struct dlp_topic_slices {
    dlp_index T, K, V;
    double drift; /* the sd of a step */
    double *beta; /* (T, K, V) */
    double *sd; /* (T, K, V) of log beta, by Laplace's method, documents' shares of topics
                     being as they are, and by how much words that topics share blur them, in
                     all slices alike: an interval is beta exp(+-1.96 sd), and changes over
                     time are surer than levels */
} dlp_topic_slices;

/* A term of topic k in slice t, with its 95 % interval. */
typedef struct dlp_slice_word {
    double probability, lower, upper;
} dlp_slice_word;
DLP_API dlp_slice_word dlp_topic_slices_word(const dlp_topic_slices *slices, dlp_index t,
                                             dlp_index k, dlp_index term);

DLP_API void dlp_topic_slices_free(dlp_topic_slices *slices); /* fine on a zeroed one */
/* Of a fit with settings.slices > 0, as it is now; dlp_ctm_topics has their mean, each
   slice counting by its words. */
DLP_API dlp_status dlp_ctm_slices(dlp_ctm *ctm, dlp_topic_slices *slices,
                                  dlp_error *error);

/* ---- of a model, loaded with DLP_LOAD_SLICES ---- */

/* NULL: its topics do not drift, or were not loaded. */
DLP_API const dlp_topic_slices *dlp_topic_model_slices(const dlp_topic_model *model);
DLP_API char *const *dlp_topic_model_slice_names(const dlp_topic_model *model); /* (T) */
/* The column that slices are of; NULL: not known */
DLP_API const char *dlp_topic_model_time(const dlp_topic_model *model);
/* Topics' shares of the documents of a slice: mean and standard error (T, K), and how many documents
   (T). NaN where there are none, or one. The model was loaded with theta. */
DLP_API dlp_status dlp_topic_model_slice_shares(const dlp_topic_model *model,
                                                double *mean, double *se,
                                                dlp_index *documents, dlp_error *error);

/* ---- slices of documents ---- */

/* Which slice documents are in. */
typedef struct dlp_document_times {
    dlp_index T, D;
    int32_t *slice; /* (D) from 0, in the order of time */
    char **name;    /* (T) of slices; one block */
} dlp_document_times;

/*
 * From a column of a table with row[d] for document d (NULL: row d). Every value is a slice, numbers
 * by their size and words by the alphabet; or, with slices > 0, a column of numbers is divided into so
 * many even intervals between its ends. Fails where a document misses its time, and where there are
 * fewer than two slices or, with slices = 0, more than 200.
 */
DLP_API dlp_status dlp_document_times_find(const dlp_table *table, const char *column,
                                           dlp_index D, const dlp_index *row,
                                           dlp_index slices, dlp_document_times *times,
                                           dlp_error *error);
DLP_API void
dlp_document_times_free(dlp_document_times *times); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

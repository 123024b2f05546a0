/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics that drift over slices of time (Blei and Lafferty, "Dynamic topic models", ICML
 * 2006): beta_tk, topic k in slice t, is softmax(eta_tk), and the natural parameters
 * follow random walks from slice to slice, eta_tkv = eta_{t-1,k,v} + N(0, drift^2).
 * Documents of slice t are mixtures of its topics, as in any model.
 */
#ifndef DELAPLACE_TOPIC_SLICES_H
#define DELAPLACE_TOPIC_SLICES_H

#include <delaplace/table.h>
#include <delaplace/topic_model.h>
#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The topics of T slices. A term that training never saw is 0 in all. */
typedef struct dlp_topic_slices {
    dlp_index T, K, V;
    double drift; /* the sd of a step */
    double *beta; /* (T, K, V) */
    double *sd;   /* (T, K, V) of log beta, by Laplace's method, with the documents' topic
                     shares held fixed, plus a part, the same in all slices, for words
                     that topics share: an interval is beta exp(+-1.96 sd), and changes
                     over time are more certain than values */
} dlp_topic_slices;

/* A term of topic k in slice t, with its 95 % interval. */
typedef struct dlp_slice_word {
    double probability, lower, upper;
} dlp_slice_word;
DLP_API dlp_slice_word dlp_topic_slices_word(const dlp_topic_slices *slices, dlp_index t,
                                             dlp_index k, dlp_index term);

DLP_API void dlp_topic_slices_free(dlp_topic_slices *slices); /* fine on a zeroed one */
/* The current slices of a fit with settings.slices > 0; dlp_ctm_topics has their mean,
   weighted by their words. Released by dlp_topic_slices_free. */
DLP_API dlp_status dlp_ctm_slices(dlp_ctm *ctm, dlp_topic_slices *slices,
                                  dlp_error *error);

/* ---- of a model, loaded with DLP_LOAD_SLICES ---- */

/* NULL: its topics do not drift, or the slices were not loaded. */
DLP_API const dlp_topic_slices *dlp_topic_model_slices(const dlp_topic_model *model);
DLP_API char *const *dlp_topic_model_slice_names(const dlp_topic_model *model); /* (T) */
/* The slices as numbers, into x (T), if all of their names are; else returns 0. */
DLP_API int dlp_topic_model_slice_values(const dlp_topic_model *model, double *x);
/* The column that the slices come from; NULL: not known */
DLP_API const char *dlp_topic_model_time(const dlp_topic_model *model);
/* Topics' shares of the documents in each slice: mean and standard error (T, K), and how
   many documents (T). The mean is NaN without documents, the standard error with one. The
   model must have been loaded with theta. */
DLP_API dlp_status dlp_topic_model_slice_shares(const dlp_topic_model *model,
                                                double *mean, double *se,
                                                dlp_index *documents, dlp_error *error);

/* ---- slices of documents ---- */

/* Which slice each document is in. */
typedef struct dlp_document_times {
    dlp_index T, D;
    int32_t *slice; /* (D) from 0, in temporal order */
    char **name;    /* (T) of slices; one allocation */
} dlp_document_times;

/*
 * From a column of a table with row[d] for document d (NULL: row d). Every value is a
 * slice, numbers in numerical and words in alphabetical order; or, with slices > 0, the
 * range of a column of numbers is divided into this many equal intervals, which are named
 * after what whole numbers they have (1996-1999), or else after their middle. Fails if a
 * document has no time, and if there are fewer than two slices or, with slices = 0, more
 * than 200.
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

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What people decide about the topics of a model: what they are called, and which belong
 * together. Both are kept in model.json in the model's folder; the numbers of the fit do
 * not change, and both can be undone.
 *
 *     dlp_topic_model_load("model", DLP_LOAD_ALL, &model, &error);
 *     dlp_topic_labels_read("labels.txt", K, &label, &error);
 *     dlp_topic_model_set_labels(model, label, &error);
 *     dlp_topic_model_save(model, "model", &error);
 */
#ifndef DELAPLACE_TOPIC_LABELS_H
#define DELAPLACE_TOPIC_LABELS_H

#include <delaplace/topic_model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- labels ---- */

/*
 * Labels from a file, into *label (K), NULL for topics without one; released by
 * dlp_topic_labels_free. The file has a line for each topic, "3: economy", in any order;
 * or, if no line begins with a number and a colon, line k is the label of topic k. Empty
 * lines and those that start with # are ignored.
 */
DLP_API dlp_status dlp_topic_labels_read(const char *path, dlp_index K, char ***label,
                                         dlp_error *error);
/* The same from bytes in memory, which messages call `name`. */
DLP_API dlp_status dlp_topic_labels_parse(const char *name, const char *text, size_t size,
                                          dlp_index K, char ***label, dlp_error *error);
DLP_API void dlp_topic_labels_free(char **label); /* NULL is fine */

/* Gives a model labels (K), any of which may be NULL; NULL removes all. Copies them.
   Refused: a label with a line break, and one of more than 200 bytes. */
DLP_API dlp_status dlp_topic_model_set_labels(dlp_topic_model *model, char *const *label,
                                              dlp_error *error);
/* The label of topic k; NULL: none. Valid until labels or topics change. */
DLP_API const char *dlp_topic_model_label(const dlp_topic_model *model, dlp_index k);

/* ---- merged topics ---- */

/*
 * Merged topics are topics of the fit that are treated as one. A document's share of a
 * merged topic is the sum of theirs, in every document, draw and regression; its words
 * are theirs, weighted by their mean shares of a document. The model itself stays as it
 * was fitted, K topics and a logistic normal over their shares: documents are read with
 * all K, and shares are added afterwards. So held-out likelihoods do not change.
 *
 * dlp_topic_model_topics and dlp_topic_model_theta then have the merged topics. theta of
 * a merged topic is the log sum exp of its topics' thetas, whose softmax gives exactly
 * the added shares. That is not normal; Sigma0 has its covariance under the fitted
 * normal, Gamma the coefficients of its best linear approximation at the mean of the
 * documents. The fit's own numbers are those of dlp_topic_model_fitted.
 */

/* Parses "3+7", topics 3 and 7 (from 1) are merged, or several, "3+7,2+9", into group
   (K), where topics with the same number are merged; begin with group[k] = k. */
DLP_API dlp_status dlp_topic_merge_parse(const char *text, dlp_index K, dlp_index *group,
                                         dlp_error *error);
/*
 * Topics k with the same group[k] (K as the model has them now, numbers from 0 to K - 1)
 * become one, in the order of their first; at least two must be left. Labels of merged
 * topics are joined by " + ". The model must have been loaded with its theta. If memory
 * runs out, the model can only be freed.
 */
DLP_API dlp_status dlp_topic_model_merge(dlp_topic_model *model, const dlp_index *group,
                                         dlp_error *error);
/* Undoes all merges; labels of merged topics are lost. */
DLP_API dlp_status dlp_topic_model_unmerge(dlp_topic_model *model, dlp_error *error);
/* The topics of the fit, whether or not some are merged. */
DLP_API const dlp_topics *dlp_topic_model_fitted(const dlp_topic_model *model);
/* For each topic of the fit, the topic, from 0, it is now part of; NULL: nothing is
   merged. */
DLP_API const dlp_index *dlp_topic_model_group(const dlp_topic_model *model);

#ifdef __cplusplus
}
#endif

#endif

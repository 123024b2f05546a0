/* SPDX-License-Identifier: BSD-3-Clause */
/* How good topics are: the parts of dlp_topics_rate and of a search. Internal. */
#ifndef DLPI_TOPICS_QUALITY_H
#define DLPI_TOPICS_QUALITY_H

#include <delaplace/topic_words.h>

/* The dispersion of the residuals of a corpus in the model's terms (Taddy 2012), where
   theta (D, K) are its documents' means: 1 if the topics explain the counts, more if
   words occur together more than the topics explain; NaN if there are fewer data than
   parameters. Of more than 1,000 documents, evenly spaced ones are used. */
dlp_status dlpi_topics_dispersion(const dlp_topics *topics, const dlp_corpus *corpus,
                                  const double *theta, double *dispersion,
                                  dlp_error *error);

/* exclusivity (K): the mean over a topic's words of beta_kw / sum_j beta_jw, 1 when they
   are its own and 1/K when all topics share them; NaN without words. */
void dlpi_topics_exclusivity(const dlp_topics *topics, const dlp_topic_words *words,
                             double *exclusivity);

/* theta is (D, K), as dlp_topics_result.mu, of D >= 1 documents with so many words in all.
   dlp_topic_model_mixing is the same of a model. */
dlp_topic_mixing dlpi_topics_mixing(const dlp_topics *topics, dlp_index D,
                                    dlp_index words, const double *theta);

#endif

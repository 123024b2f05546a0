/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics to start from, by anchor words (Arora et al., "A practical algorithm for topic
 * modeling with provable guarantees", ICML 2013). No chance is involved, and no matrix of
 * terms by terms: Q is only ever multiplied, through the documents. Internal.
 */
#ifndef DLPI_TOPICS_SPECTRAL_H
#define DLPI_TOPICS_SPECTRAL_H

#include <delaplace/corpus.h>

#include "infer/listener.h"

struct dlpi_spectral_settings {
    int min_docs;     /* an anchor is in at least this many documents; >= 1 */
    int threads;      /* >= 1; the result has the same bits with any number */
    double smoothing; /* the share of the unigram in every topic; in (0, 1] */
    double memory;    /* bytes for documents by their terms and rows of Q; the result has
                         the same bits with any */
    dlpi_listener *listener; /* who waits for it, or NULL; stopped: DLP_ECANCELLED */
};

struct dlpi_spectral_settings dlpi_spectral_settings_default(void);

/* What was relaxed for a corpus too small or too uniform for K anchors. */
struct dlpi_spectral_report {
    dlp_index found;    /* topics 0..found-1 have an anchor; the others are the unigram,
                           perturbed */
    double noise_share; /* 1, or less where 1 leaves too few anchors: how much of what a
                           row owes to chance is left out of its length */
    int min_docs;       /* what it was lowered to, by halves */
};

/*
 * beta (V, K): column k is topic k, its entries are positive and sum to 1. anchors (K),
 * or NULL: the topics' words, -1 for a topic without. report may be NULL.
 *
 * Cost: sum_d m_d^2 for the lengths of Q's rows, m_d the distinct terms of a document;
 * nnz a topic to find the anchors, up to five times over; V small quadratic programs in
 * K variables. Memory besides beta: about nnz + 2 D + (9 + threads) V + (2 + threads) K^2
 * numbers; with less, documents are read by blocks (spectral_parts.h).
 */
dlp_status dlpi_spectral_topics(const dlp_corpus *corpus, dlp_index K,
                                const struct dlpi_spectral_settings *settings,
                                double *beta, dlp_index *anchors,
                                struct dlpi_spectral_report *report, dlp_error *error);

#endif

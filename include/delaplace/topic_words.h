/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions of a topic model: the words of its topics, how common the topics are,
 * which of them go together, and how easily they are understood.
 */
#ifndef DELAPLACE_TOPIC_WORDS_H
#define DELAPLACE_TOPIC_WORDS_H

#include <delaplace/topics.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How the words of a topic are ranked. FREX (Bischof & Airoldi, "Summarizing topical
 * content with word frequency and exclusivity", ICML 2012) is the harmonic mean, with
 * weight 1/2, of a term's ranks by frequency in the topic and by exclusivity to it. A
 * rank is the share of the terms that training saw with no larger value: from 0 to 1, the
 * larger the better. A term's exclusivity is beta_kw / sum_j beta_jw.
 */
typedef enum dlp_word_order { DLP_BY_PROBABILITY, DLP_BY_FREX } dlp_word_order;

/* The first words of every topic. */
typedef struct dlp_topic_words {
    dlp_index K, n;  /* topics; words of each */
    dlp_index *term; /* (K, n) the best first */
    double *score;   /* (K, n) probability, or FREX */
} dlp_topic_words;

/* The n best words of every topic, or all that training saw if they are fewer: a term
   that it never saw, with probability 0 in all topics, is not ranked. In a tie the more
   probable comes first, then the first in the vocabulary. O(K V) time and, besides the
   result, O(V) memory. Released by dlp_topic_words_free. */
DLP_API dlp_status dlp_topics_words(const dlp_topics *topics, dlp_word_order order,
                                    dlp_index n, dlp_topic_words *words,
                                    dlp_error *error);
DLP_API void dlp_topic_words_free(dlp_topic_words *words); /* fine on a zeroed one */

/*
 * The numbers needed to rank the words of topics by a weight w from 0 to 1 that the
 * reader chooses:
 *
 *   FREX       1 / (w / own + (1 - w) / common)
 *   relevance  w log beta_kw + (1 - w) log(beta_kw / p_w)
 *
 * (the second by Sievert & Shirley, "LDAvis", 2014, who call w lambda); p_w = sum_k
 * share_k beta_kw. The words included are the `first` most probable of a topic, and the
 * `best` by either score for any of w = 0, 0.1, ..., 1.
 */
typedef struct dlp_word_scores {
    dlp_index K, V;
    dlp_index *row;       /* (K+1) topic k has the words row[k]..row[k+1]-1, */
    dlp_index *term;      /* (row[K]) the most probable first */
    double *common, *own; /* (row[K]) the two ranks in FREX: by frequency and by
                             exclusivity */
    double *marginal;     /* (V) p_w */
} dlp_word_scores;

/* share (K): each topic's share of the text, as from dlp_topics_prevalence. Released by
   dlp_word_scores_free. */
DLP_API dlp_status dlp_topics_word_scores(const dlp_topics *topics, const double *share,
                                          dlp_index first, dlp_index best,
                                          dlp_word_scores *scores, dlp_error *error);
DLP_API void dlp_word_scores_free(dlp_word_scores *scores); /* fine on a zeroed one */

/* prevalence (K): the mean over documents of softmax(theta_d), in which every document
   counts the same, however long it is. theta is (D, K), like dlp_topics_result.mu; D >=
   1. */
DLP_API void dlp_topics_prevalence(dlp_index D, dlp_index K, const double *theta,
                                   double *prevalence);

/* The topics that a term belongs to: their shares of its occurrences by Bayes' rule, from
   their prevalence and its probability in them. Those with a share of at least `least`
   are written to topic and share (n), the largest first; returns how many, n at most. */
DLP_API dlp_index dlp_topics_of_term(const dlp_topics *topics, const double *prevalence,
                                     dlp_index term, double least, dlp_index n,
                                     dlp_index *topic, double *share);

/* order (K): the topics, the most prevalent first, ties in their order. */
DLP_API void dlp_topics_order(dlp_index K, const double *prevalence, dlp_index *order);

/*
 * How mixed documents are, and whether correlations are to be doubted for it. A fit may end with
 * topics of such variances that nearly every document is of one topic: a clustering, whose
 * correlations and proportions say little. The methods "delta" and "blei-lafferty" tend to;
 * docs/topics.md has what was measured. And where the largest topic of a document has few words,
 * topics come out purer than they are and correlations too near 0, however many documents there
 * are: docs/accuracy.md has by how much, and the intervals of correlations allow for it.
 */
#define DLP_CLUSTER_SHARE    0.8 /* both are exceeded where topics are clusters */
#define DLP_CLUSTER_VARIANCE 15
#define DLP_FEW_WORDS        14

typedef struct dlp_topic_mixing {
    double largest_share; /* the largest share in softmax(theta_d), averaged over
                             documents */
    double variance; /* of the centred log ratios under Sigma_0, averaged over topics */
    double largest_words; /* of its largest topic, in a document of average length */
    int clusters; /* non-zero: share and variance are so large that topics are clusters */
    int few_words; /* non-zero: topics are no clusters, and largest_words < DLP_FEW_WORDS */
    int averaged; /* non-zero: words were assigned on average (dlp_topics_settings.average),
                      so that correlations are not too near 0; what remains to be doubted
                      of short documents is which topics they have. Of a model only */
} dlp_topic_mixing;

/* The share of topic k's words that is its own, sum_v beta_kv^2 / sum_j beta_jv: 1 if no
   other topic has them, 1/K if all topics are the same. */
DLP_API double dlp_topics_own_words(const dlp_topics *topics, dlp_index k);

/* A document and a topic's share of it. */
typedef struct dlp_topic_document {
    dlp_index document;
    double share;
} dlp_topic_document;

/* The documents with the largest shares of topic k, into list (n), ties in their order;
   returns how many there are. */
DLP_API dlp_index dlp_topics_documents(dlp_index D, dlp_index K, const double *theta,
                                       dlp_index k, dlp_index n,
                                       dlp_topic_document *list);

/*
 * R (K, K): correlations between topics. A softmax does not change when a constant is
 * added to theta (erratum E7), and neither do these: they are the correlations of theta_k
 * - mean_j theta_j, the centred log ratios, whose covariance is C Sigma_0 C with C = I -
 * 11'/K. They are given the covariates. K unrelated topics have the correlation -1/(K-1),
 * since a share that grows leaves less for the others. A topic without variance has the
 * correlation 0 with others.
 */
DLP_API void dlp_topics_correlations(const dlp_topics *topics, double *R);
/* That of K unrelated topics; 0 for K < 2. */
static inline double dlp_topics_unrelated_correlation(dlp_index K)
{
    return K > 1 ? -1 / (double)(K - 1) : 0;
}

/* Two topics, i < j, and their correlation. */
typedef struct dlp_topic_pair {
    dlp_index i, j;
    double correlation;
} dlp_topic_pair;

/* The n pairs whose correlations are farthest from 0, the strongest first, ties in their
   order; returns how many there are, at most n. */
DLP_API dlp_index dlp_topics_strongest(dlp_index K, const double *R, dlp_index n,
                                       dlp_topic_pair *pair);

/* The pairs of topic k, which is i in each, the strongest first, into pair (n); returns
   how many there are. */
DLP_API dlp_index dlp_topics_neighbours(dlp_index K, const double *R, dlp_index k,
                                        dlp_index n, dlp_topic_pair *pair);

/*
 * Approximate 95 % intervals of the correlations: lower and upper (K, K).
 *
 * Were every document's theta known, its covariance Omega = C Sigma_0 C over D documents
 * would vary as a sample's does, by products of its own entries. It is known only from
 * the document's words, and the posterior means theta (D, K) have the covariance S <
 * Omega. The observed information of Omega is then that of a sample whose covariance is
 * Omega S^-1 Omega > Omega (Louis 1982: the information of theta less what the words do
 * not tell, averaged over documents), which gives the variance of a correlation to first
 * order. To it is added the square of 0.28 (1 - rho_i)(1 - rho_j), rho_k = S_kk /
 * Omega_kk, for errors that more documents do not reduce: those of Laplace's
 * approximation, and estimated topics that are purer than the true ones. The 0.28 was
 * chosen by simulation (docs/accuracy.md).
 *
 * X: the covariates of the fit, or NULL. With fewer documents than topics and covariates,
 * or if S has no inverse, the documents say nothing: [-1, 1]. Fails only if memory is
 * short. O(D K^2 + K^3).
 */
DLP_API dlp_status dlp_topics_correlation_intervals(const dlp_topics *topics, dlp_index D,
                                                    const double *theta,
                                                    const dlp_covariates *X,
                                                    double *lower, double *upper,
                                                    dlp_error *error);

/* Two topics, i < j: their correlation, and its approximate 95 % interval. */
typedef struct dlp_topic_association {
    dlp_index i, j;
    double correlation, lower, upper;
} dlp_topic_association;

/* All K (K-1) / 2 of them, row by row, into pair. theta (D, K) and X as for
   dlp_topics_correlation_intervals, R from dlp_topics_correlations. Fails only if memory
   is short. */
DLP_API dlp_status dlp_topics_associations(const dlp_topics *topics, dlp_index D,
                                           const double *theta, const dlp_covariates *X,
                                           const double *R, dlp_topic_association *pair,
                                           dlp_error *error);
/* Whether two topics clearly go together: the whole interval is above the threshold,
   which is 0 or more. */
static inline int dlp_topics_go_together(const dlp_topic_association *pair,
                                         double threshold)
{
    return pair->lower > threshold;
}
/* The smallest threshold, 0 or more, that at most `most` of n pairs are above. Fails only
   if memory is short. */
DLP_API dlp_status dlp_topics_threshold(dlp_index n, const dlp_topic_association *pair,
                                        dlp_index most, double *threshold,
                                        dlp_error *error);

/*
 * coherence (K): the mean over pairs of a topic's words of their normalised pointwise
 * mutual information (Bouma 2009; Aletras & Stevenson 2013),
 *
 *     log( p(v,w) / p(v) p(w) ) / -log p(v,w),
 *
 * where p is the share of the corpus's documents that have the words: 1 if they occur
 * only together, 0 if they are independent, -1 if they never occur together, or one is
 * not in the corpus. NaN with fewer than two words. words->term are terms of the corpus.
 * O(nnz + V) for the postings, and for each topic n^2 D / 64.
 */
DLP_API dlp_status dlp_topics_coherence(const dlp_topic_words *words,
                                        const dlp_corpus *corpus, double *coherence,
                                        dlp_error *error);

/* How many of a topic's most probable words its quality is computed from. */
enum { DLP_QUALITY_WORDS = 10 };

/* Exclusivity and, if there is a corpus, coherence of the topics' DLP_QUALITY_WORDS most
   probable words, with their means over topics. */
typedef struct dlp_topic_quality {
    dlp_index K;
    double *exclusivity;                     /* (K) */
    double *coherence;                       /* (K) NULL without a corpus */
    double mean_exclusivity, mean_coherence; /* NaN without a corpus */
} dlp_topic_quality;

/* corpus is in the model's terms, or NULL. Released by dlp_topic_quality_free. */
DLP_API dlp_status dlp_topics_rate(const dlp_topics *topics, const dlp_corpus *corpus,
                                   dlp_topic_quality *quality, dlp_error *error);
DLP_API void
dlp_topic_quality_free(dlp_topic_quality *quality); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

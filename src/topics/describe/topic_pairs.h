/* SPDX-License-Identifier: BSD-3-Clause */
/* What the documents of a fit tell about correlations of topics. Internal. */
#ifndef DLPI_TOPICS_PAIRS_H
#define DLPI_TOPICS_PAIRS_H

#include <delaplace/topic_words.h>

#include <stdbool.h>

typedef struct dlpi_topic_evidence {
    const dlp_topics *topics;
    dlp_index D;
    const double *theta;     /* (D, K) */
    const dlp_covariates *X; /* or NULL */
    const double *spread;    /* (K, K) where X is not at hand: what
                                dlpi_topics_find_spread found with it; or NULL */
    double worth;            /* how many documents would tell as much about Sigma_0 in one
                                fit: D, or fewer after updates */
    bool given;              /* topics to begin with were given, and words assigned on
                                average since: topics are no purer than those */
} dlpi_topic_evidence;

/* S (K, K), the covariance over documents of theta less what covariates predict, centred
   over topics; work (2, K). `spread` is not used. */
void dlpi_topics_find_spread(const dlpi_topic_evidence *evidence, double *work,
                             double *S);
/* dlp_topics_correlation_intervals, dlp_topics_associations */
dlp_status dlpi_topics_find_intervals(const dlpi_topic_evidence *evidence, double *lower,
                                      double *upper, dlp_error *error);
dlp_status dlpi_topics_find_associations(const dlpi_topic_evidence *evidence,
                                         const double *R, dlp_topic_association *pair,
                                         dlp_error *error);
/* The mean over topics of rho_k, the part of a topic's variance that documents show. */
dlp_status dlpi_topics_find_reliability(const dlpi_topic_evidence *evidence,
                                        double *reliability, dlp_error *error);
/* `worth` after an update: of former documents, which count as `weight`, with so many
   fresh ones, of which a part 0 < told <= 1 is in their words. */
double dlpi_topics_joint_worth(double former, double weight, double fresh, double told);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a topic's share of documents goes with one covariate: the mean over the documents
 * of each level, or of each value of a number, or of each of ten parts of the documents
 * when it has many values. The standard errors are those of a mean over documents.
 * Documents that miss the covariate are in no part.
 */
#ifndef DELAPLACE_TOPIC_TREND_H
#define DELAPLACE_TOPIC_TREND_H

#include <delaplace/covariates.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_topic_trend {
    dlp_index K, n;    /* topics; parts */
    double *x;         /* (n) the mean value of each; NULL: parts are levels, in the
                            order of the design's first factor */
    dlp_index *count;  /* (n) documents of each */
    double *mean, *se; /* (K, n) of the share of each topic; NaN of a single document.
                            One block */
    dlp_index dropped; /* documents in no part */
} dlp_topic_trend;

/* theta (D, K) of documents, and their covariates, an intercept and the columns of one
   variable: dlp_covariates_build with "~ variable". */
DLP_API dlp_status dlp_topic_trend_find(dlp_index K, const double *theta,
                                        const dlp_document_covariates *covariates,
                                        dlp_topic_trend *trend, dlp_error *error);
DLP_API void dlp_topic_trend_free(dlp_topic_trend *trend); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

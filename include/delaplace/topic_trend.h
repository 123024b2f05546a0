/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a topic's share of documents varies with one covariate: the mean over the documents
 * with each level, or each value of a number, or in each of ten parts of the documents if
 * it has many values. The standard errors are those of a mean over documents. Documents
 * without the covariate are in no part.
 */
#ifndef DELAPLACE_TOPIC_TREND_H
#define DELAPLACE_TOPIC_TREND_H

#include <delaplace/covariates.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_topic_trend {
    dlp_index K, n;    /* topics; parts */
    double *x;         /* (n) the covariate's mean in each part; NULL: parts are levels,
                          in the order of the design's first factor */
    dlp_index *count;  /* (n) documents in each part */
    double *mean, *se; /* (K, n) of the share of each topic; se is NaN for a single
                          document. One allocation */
    dlp_index dropped; /* documents in no part */
} dlp_topic_trend;

/* theta (D, K) of the documents, and their covariates, an intercept and the columns of
   one variable: from dlp_covariates_build with "~ variable". Released by
   dlp_topic_trend_free. */
DLP_API dlp_status dlp_topic_trend_find(dlp_index K, const double *theta,
                                        const dlp_document_covariates *covariates,
                                        dlp_topic_trend *trend, dlp_error *error);
DLP_API void dlp_topic_trend_free(dlp_topic_trend *trend); /* fine on a zeroed one */

#ifdef __cplusplus
}
#endif

#endif

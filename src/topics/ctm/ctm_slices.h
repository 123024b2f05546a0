/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Topics whose words differ between parts of the corpus: slices of time (ctm_slices.c) or
 * groups of documents (ctm_content.c). Term v in part t is a term of its own, number t V
 * + v. Internal.
 */
#ifndef DLPI_TOPICS_CTM_SLICES_H
#define DLPI_TOPICS_CTM_SLICES_H

#include "topics/ctm/ctm_fit.h"

struct dlpi_slices {
    dlp_index T, V;       /* slices or groups, terms of the corpus as it was given */
    dlp_corpus *expanded; /* one term for each slice and term */
    const dlp_corpus *given;
    double *weight; /* (T) of slices in averages: parts of all words */
    bool *seen;     /* (V) in any slice */
    dlp_index n_seen;
    double drift, fixed_drift;    /* the sd of a step; fixed_drift 0: it is fitted */
    double *N, *c;                /* (T, stride) sums of counts, common steps */
    double *part;                 /* (CHUNKS, 2 T stride + 2) sums of a chunk of terms */
    double *work;                 /* (CHUNKS, 5 T stride) eta, a, Hessian, step */
    bool of_groups;               /* these are groups of documents; else slices of time */
    struct dlpi_content *content; /* of groups; NULL: these are slices of time */
};

/* Sds of log beta for the terms seen, taking into account that the topics of words are
   uncertain; after the sums of the M step. ctm_slice_spread.c */
dlp_status dlpi_slices_spread(const dlp_ctm *ctm, dlp_topic_slices *to, dlp_error *error);

#endif

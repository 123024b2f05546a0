/* SPDX-License-Identifier: BSD-3-Clause */
/* Words that are assigned to topics on average over q(theta_d), for documents that are short
   for so many topics: ctm_average.c. Internal. */
#ifndef DLPI_TOPICS_CTM_AVERAGE_H
#define DLPI_TOPICS_CTM_AVERAGE_H

#include "topics/ctm/ctm_fit.h"

struct dlpi_average {
    double *total; /* (K) counts of a topic by the last M step, with what smooths them; 0:
                      there was none */
    double *beta;  /* (V, stride) exp E[log beta], which documents see */
    double *words; /* (pairs of a block, stride) the topics of a word */
};

/* What the settings must not ask for beside it; and memory, if they ask for it. */
dlp_status dlpi_average_check(const dlp_topics_settings *settings, dlp_error *error);
dlp_status dlpi_average_alloc(dlp_ctm *ctm, dlp_index pairs, dlp_error *error);
void dlpi_average_free(struct dlpi_average *average); /* NULL is fine */
/* Bytes of all that for so many pairs in a block. */
double dlpi_average_bytes(const dlp_ctm *ctm, dlp_index pairs);

/* What documents see of the present topics. */
void dlpi_average_expect(dlp_ctm *ctm);
/* After a document has been inferred: its r_d in doc->off and covariance in doc->Sigma,
   and the topics of its words into rows (doc->n, stride). */
void dlpi_average_document(dlpi_ctm_document *doc, double *rows);
/* The rows of a document of the block that begins with document `first`. */
double *dlpi_average_rows(const dlp_ctm *ctm, dlp_index first, dlp_index d);
/* counts (stride) += those of term v in the block. */
void dlpi_average_count(const dlp_ctm *ctm, dlp_index v, dlp_index first, double *counts);

#endif

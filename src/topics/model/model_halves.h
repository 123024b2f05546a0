/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitting a model again, to halves of the documents. Internal. */
#ifndef DLPI_TOPICS_MODEL_HALVES_H
#define DLPI_TOPICS_MODEL_HALVES_H

#include "topics/model/model.h"

/* The settings of the fit, as far as the folder records them; without time, content and
   seeds. */
dlp_topics_settings dlpi_model_settings(const dlp_topic_model *model);

/* Draws half of the documents, every such set with the same probability: keep (D) is 1 or
   0. */
void dlpi_draw_half(dlp_index D, uint64_t seed, int split, unsigned char *keep);

/* Copies the rows of kept documents to rows (D, p). False if a column is constant among
   them. */
bool dlpi_keep_rows(const dlp_covariates *X, const unsigned char *keep, double *rows,
                    dlp_covariates *part);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitting a model again, of halves of the documents. Internal. */
#ifndef DLPI_TOPICS_MODEL_HALVES_H
#define DLPI_TOPICS_MODEL_HALVES_H

#include "topics/model/model.h"

/* What the model was fitted with, as far as the folder tells; without time, content and seeds. */
dlp_topics_settings dlpi_model_settings(const dlp_topic_model *model);

/* Half of the documents, each set as probable as any: keep (D) is 1 or 0. */
void dlpi_draw_half(dlp_index D, uint64_t seed, int split, unsigned char *keep);

/* The rows of kept documents, into rows (D, p). False where a column is constant among them. */
bool dlpi_keep_rows(const dlp_covariates *X, const unsigned char *keep, double *rows,
                    dlp_covariates *part);

#endif

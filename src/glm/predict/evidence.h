/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of a regression's log evidence that its objective misses. Internal. */
#ifndef DLPI_GLM_EVIDENCE_H
#define DLPI_GLM_EVIDENCE_H

#include <delaplace/fit.h>

#include "glm/glm_state.h"

/*
 * To be added to the objective of a fit N(mu, C), C (p, p), of a regression whose scale
 * is held, fitted by the delta method or by Laplace's. work must have room for as many
 * numbers as dlpi_evidence_room says. O(N p (N + p)).
 */
double dlpi_evidence_correction(dlp_glm *glm, const double *mu, const double *C,
                                bool delta, double *work);
dlp_index dlpi_evidence_room(const dlp_glm *glm);

#endif

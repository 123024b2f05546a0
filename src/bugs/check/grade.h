/* SPDX-License-Identifier: BSD-3-Clause */
/* Grades the nodes of a fit by importance sampling. Internal. */
#ifndef DLPI_BUGS_GRADE_H
#define DLPI_BUGS_GRADE_H

#include "bugs/bugs.h"
#include "bugs/check/verify.h"

dlp_margin dlpi_public_margin(const dlpi_node_margin *margin);

/* Verifies the posterior and grades the nodes (cells) of the model's result. If some
   differ and the weights are good, takes nodes and draws from importance sampling
   instead. found_error (nodes, 2): standard errors of mean and sd. -1 draws: as many as
   are cheap. */
dlp_status dlpi_grade(dlp_bugs *model, const dlpi_groups *groups,
                      dlpi_posterior *posterior, dlpi_node_margins *margins,
                      const dlp_index *cells, const double *found_error,
                      const dlpi_verify_settings *given, dlp_error *error);

#endif

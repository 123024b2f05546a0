/* SPDX-License-Identifier: BSD-3-Clause */
/* What importance sampling says of the nodes of a fit. Internal. */
#ifndef DLPI_BUGS_GRADE_H
#define DLPI_BUGS_GRADE_H

#include "bugs/bugs.h"
#include "bugs/check/verify.h"

dlp_margin dlpi_public_margin(const dlpi_node_margin *margin);

/* found_error (nodes, 2): of mean and sd. Verifies the posterior, grades the nodes (cells) of
   the model's result and, where some
   differ and the weights are good, takes nodes and draws from importance sampling. -1 draws:
   as many as cost little. */
dlp_status dlpi_grade(dlp_bugs *model, const dlpi_groups *groups,
                      dlpi_posterior *posterior, dlpi_node_margins *margins,
                      const dlp_index *cells, const double *found_error,
                      const dlpi_verify_settings *given, dlp_error *error);

#endif

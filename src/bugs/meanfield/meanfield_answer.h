/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the factors of q into what nodes.c and the user read. Internal. */
#ifndef DLPI_BUGS_MEANFIELD_ANSWER_H
#define DLPI_BUGS_MEANFIELD_ANSWER_H

#include "bugs/answer/nodes.h"
#include "bugs/meanfield/meanfield.h"

/* Makes a plan and a posterior in which every cell of q on which the n cells depend is an
   x, with draws and moments. The lowering then uses cells with a family as they are. */
dlp_status dlpi_meanfield_answer(dlpi_meanfield *mf, dlp_index n, const dlp_index *cells,
                                 dlp_index draws, uint64_t seed, dlpi_plan *plan,
                                 dlpi_posterior *posterior, dlp_error *error);
/* Improves a margin where more is known about it than its draws show. */
void dlpi_meanfield_margin(const dlpi_meanfield *mf, dlp_index cell,
                           dlpi_node_margin *margin);
/* DLP_EINVAL: unbounded counts may well be larger than the largest state we allowed. */
dlp_status dlpi_meanfield_check(const dlpi_meanfield *mf, dlp_error *error);
/* Like dlpi_explain. */
int dlpi_meanfield_explain(const dlpi_meanfield *mf, dlp_bugs_plan *lines);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* From the factors of q to what nodes.c and a user read. Internal. */
#ifndef DLPI_BUGS_MEANFIELD_ANSWER_H
#define DLPI_BUGS_MEANFIELD_ANSWER_H

#include "bugs/answer/nodes.h"
#include "bugs/meanfield/meanfield.h"

/* Every cell of q that the n cells depend on as x: its draws and moments. The lowering then
   takes cells with a family for what they are. */
dlp_status dlpi_meanfield_answer(dlpi_meanfield *mf, dlp_index n, const dlp_index *cells,
                                 dlp_index draws, uint64_t seed, dlpi_plan *plan,
                                 dlpi_posterior *posterior, dlp_error *error);
/* Where more is known of a margin than draws tell. */
void dlpi_meanfield_margin(const dlpi_meanfield *mf, dlp_index cell,
                           dlpi_node_margin *margin);
/* Whether counts without a bound may be larger than was looked at: DLP_EINVAL. */
dlp_status dlpi_meanfield_check(const dlpi_meanfield *mf, dlp_error *error);
/* As dlpi_explain. */
int dlpi_meanfield_explain(const dlpi_meanfield *mf, dlp_bugs_plan *lines);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tail beyond the points of a grid: a plateau, such as the one of a scale of distance on
 * which the data do not depend once it is large, may have a thousandth of the probability
 * and a third of the variance. Internal.
 */
#ifndef DLPI_BUGS_FAR_TAIL_H
#define DLPI_BUGS_FAR_TAIL_H

#include "infer/explore.h"

/* The value of the node of psi_k where psi_k is explored at `at`. */
typedef double dlpi_node_value(const void *context, dlp_index k, double at);

/* Whether more than a fifth of the variance of a node lies beyond the points of the grid,
   roughly. room (7 m). */
bool dlpi_has_far_tail(dlpi_explore *e, dlpi_node_value *value, const void *context,
                       double *room);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What an evaluation of the density of psi costs, to decide what to compute. Internal. */
#ifndef DLPI_BUGS_EVALUATION_TIME_H
#define DLPI_BUGS_EVALUATION_TIME_H

#include "bugs/plan/groups.h"

/* Roughly the nanoseconds per evaluation, including the search for x and the integrals
   over leaves. Counted, not measured, so that it is the same on every machine. */
double dlpi_evaluation_time(const dlpi_groups *groups);
/* The same if the search is known to take that many evaluations. */
double dlpi_search_time(const dlpi_groups *groups, double evaluations);
/* The same as the first for the points of an exploration, where the search for x starts farther
   away. */
double dlpi_exploration_time(const dlpi_groups *groups);

#endif

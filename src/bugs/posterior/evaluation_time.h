/* SPDX-License-Identifier: BSD-3-Clause */
/* What an evaluation of the density of psi costs, by which work is chosen. Internal. */
#ifndef DLPI_BUGS_EVALUATION_TIME_H
#define DLPI_BUGS_EVALUATION_TIME_H

#include "bugs/plan/groups.h"

/* About the nanoseconds, x found and leaves integrated out. Counted and not measured, so that it
   is the same on any machine. */
double dlpi_evaluation_time(const dlpi_groups *groups);
/* The same of points, where x is searched from farther away. */
double dlpi_exploration_time(const dlpi_groups *groups);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What second derivatives by all unknowns take, compared with what is available. Internal. */
#ifndef DLPI_BUGS_FIELD_MEMORY_H
#define DLPI_BUGS_FIELD_MEMORY_H

#include "bugs/posterior/field.h"

/* Before the plan is made: a density of thousands of unknowns, nearly all of which will be in the
   Gaussian. */
dlp_status dlpi_factors_check_memory(const dlpi_factors *factors, dlp_error *error);
/* Before the pattern is known: what densities of many unknowns take at least. */
dlp_status dlpi_groups_check_memory(const dlpi_groups *groups, dlp_error *error);
/* What the matrices of one worker take. */
dlp_status dlpi_pattern_check_memory(const dlp_pattern *pattern, dlp_error *error);

#endif

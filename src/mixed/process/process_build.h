/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that build processes share. Internal. */
#ifndef DLPI_MIXED_PROCESS_BUILD_H
#define DLPI_MIXED_PROCESS_BUILD_H

#include "mixed/process/process.h"

dlp_status dlpi_process_no_memory(dlp_error *error);
/* Room for so many entries, with R or without; and for constraints. */
bool dlpi_process_alloc(dlp_index entries, bool with_R, dlpi_process *out);
bool dlpi_process_alloc_constraints(dlp_index rows, dlp_index nodes, dlpi_process *out);
/* One more entry. */
void dlpi_process_put(dlpi_process *out, dlp_index i, dlp_index j, double R);

#endif

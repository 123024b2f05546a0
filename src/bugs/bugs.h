/* SPDX-License-Identifier: BSD-3-Clause */
/* What a dlp_bugs is. Internal. */
#ifndef DLPI_BUGS_H
#define DLPI_BUGS_H

#include "bugs/model.h"

struct dlp_bugs {
    dlpi_graph *graph; /* NULL: there are errors */
    dlpi_diagnostics found;
};

#endif

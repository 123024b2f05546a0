/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces plugin.c in a static program, which cannot load plug-ins. */
#include "comm/comm.h"

dlp_status dlpi_comm_plugin(dlpi_comm *comm, dlp_error *error)
{
    *comm = dlpi_comm_serial();
    return dlp_fail(error, DLP_EINVAL,
                    "this static program cannot use MPI; run it without mpirun, or use "
                    "one that was built with libraries");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* One process: what it has is the sum already, and it agrees with itself. */
#include "comm/comm.h"

static dlp_status sum_serial(const dlpi_comm *comm, dlp_index n, double *x,
                             dlp_error *error)
{
    (void)comm, (void)n, (void)x, (void)error;
    return DLP_OK;
}

static dlp_status sum_counts_serial(const dlpi_comm *comm, dlp_index n, int64_t *x,
                                    dlp_error *error)
{
    (void)comm, (void)n, (void)x, (void)error;
    return DLP_OK;
}

static dlp_status broadcast_serial(const dlpi_comm *comm, dlp_index n, void *bytes,
                                   dlp_error *error)
{
    (void)comm, (void)n, (void)bytes, (void)error;
    return DLP_OK;
}

static dlp_status agree_serial(const dlpi_comm *comm, dlp_status mine, dlp_error *error)
{
    (void)comm, (void)error;
    return mine;
}

static void free_serial(dlpi_comm *comm)
{
    (void)comm;
}

dlpi_comm dlpi_comm_serial(void)
{
    static const dlpi_comm_ops ops = {sum_serial, sum_counts_serial, broadcast_serial,
                                      agree_serial, free_serial};
    return (dlpi_comm){.ops = &ops, .rank = 0, .size = 1};
}

#ifndef DLPI_HAVE_MPI
/* In the place of mpi.c. */
dlp_status dlpi_comm_mpi_world(dlpi_comm *comm, dlp_error *error)
{
    *comm = dlpi_comm_serial();
    return dlp_fail(error, DLP_EINVAL,
                    "this library was built without MPI; run one process, or configure "
                    "it with -DDELAPLACE_MPI=ON and build again");
}
#endif

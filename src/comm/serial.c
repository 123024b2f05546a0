/* SPDX-License-Identifier: BSD-3-Clause */
/* One process: its numbers are already the sum, and it agrees with itself. */
#include "comm/comm.h"
#include "core/core.h"

/* There is no other process. */
static dlp_status send_serial(dlpi_comm *comm, int to, dlp_index n, const void *bytes,
                              dlp_error *error)
{
    (void)comm, (void)n, (void)bytes;
    return dlp_fail(error, DLP_EINVAL, "there is no process %d", to);
}

static dlp_status receive_serial(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                                 dlp_error *error)
{
    return send_serial(comm, from, n, bytes, error);
}

static dlp_status swap_serial(dlpi_comm *comm, int to, dlp_index n, const void *out,
                              int from, dlp_index m, void *in, dlp_error *error)
{
    (void)from, (void)m, (void)in;
    return send_serial(comm, to, n, out, error);
}

static dlp_status broadcast_serial(dlpi_comm *comm, dlp_index n, void *bytes,
                                   dlp_error *error)
{
    (void)comm, (void)n, (void)bytes, (void)error;
    return DLP_OK;
}

static dlp_status share_serial(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                               dlp_error *error)
{
    (void)from;
    return broadcast_serial(comm, n, bytes, error);
}

static dlp_status sum_counts_serial(dlpi_comm *comm, dlp_index n, int64_t *x,
                                    dlp_error *error)
{
    (void)comm, (void)n, (void)x, (void)error;
    return DLP_OK;
}

static dlp_status agree_serial(dlpi_comm *comm, dlp_status mine, dlp_error *error)
{
    (void)comm, (void)error;
    return mine;
}

static void abort_serial(dlpi_comm *comm, int code)
{
    (void)comm;
    _Exit(code);
}

static void free_serial(dlpi_comm *comm)
{
    (void)comm;
}

dlpi_comm dlpi_comm_serial(void)
{
    static const dlpi_comm_ops ops = {send_serial,      receive_serial, swap_serial,
                                      broadcast_serial, share_serial,   sum_counts_serial,
                                      agree_serial,     abort_serial,   free_serial};
    return (dlpi_comm){.ops = &ops, .rank = 0, .size = 1, .neighbours = 1};
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of MPI_COMM_WORLD. The program starts and ends MPI, never the library.
 * MPI_Allreduce adds in an order of its own, so sums of doubles do not go by it.
 */
#include "comm/comm.h"
#include "core/core.h"

#include <mpi.h>

/* The Fortran handle is an integer in every MPI; C's is not. */
static MPI_Comm mpi(const dlpi_comm *comm)
{
    return MPI_Comm_f2c((MPI_Fint)comm->handle);
}

static dlp_status check(int code, dlp_error *error)
{
    if (code == MPI_SUCCESS) return DLP_OK;
    char reason[MPI_MAX_ERROR_STRING] = "";
    int length;
    MPI_Error_string(code, reason, &length);
    return dlp_fail(error, DLP_EIO, "MPI failed: %s; end all processes and start again",
                    reason);
}

static int at_most(int most, dlp_index n)
{
    return n < most ? (int)n : most;
}

/* In process 0: x (n) = ((x_0 + x_1) + x_2) + ..., over the ranks. */
static dlp_status sum_at_0(const dlpi_comm *comm, int n, double *x, dlp_error *error)
{
    if (comm->rank > 0) return check(MPI_Send(x, n, MPI_DOUBLE, 0, 0, mpi(comm)), error);
    double y[DLPI_COMM_CHUNK];
    for (int r = 1; r < comm->size; r++) {
        DLP_TRY(
            check(MPI_Recv(y, n, MPI_DOUBLE, r, 0, mpi(comm), MPI_STATUS_IGNORE), error));
        for (int i = 0; i < n; i++) x[i] += y[i];
    }
    return DLP_OK;
}

static dlp_status sum_mpi(const dlpi_comm *comm, dlp_index n, double *x, dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += DLPI_COMM_CHUNK) {
        const int part = at_most(DLPI_COMM_CHUNK, n - i);
        DLP_TRY(sum_at_0(comm, part, x + i, error));
        DLP_TRY(check(MPI_Bcast(x + i, part, MPI_DOUBLE, 0, mpi(comm)), error));
    }
    return DLP_OK;
}

static dlp_status sum_counts_mpi(const dlpi_comm *comm, dlp_index n, int64_t *x,
                                 dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += DLPI_COMM_CHUNK)
        DLP_TRY(check(MPI_Allreduce(MPI_IN_PLACE, x + i, at_most(DLPI_COMM_CHUNK, n - i),
                                    MPI_INT64_T, MPI_SUM, mpi(comm)),
                      error));
    return DLP_OK;
}

static dlp_status broadcast_mpi(const dlpi_comm *comm, dlp_index n, void *bytes,
                                dlp_error *error)
{
    const int most = DLPI_COMM_CHUNK * (int)sizeof(double);
    for (dlp_index i = 0; i < n; i += most)
        DLP_TRY(check(
            MPI_Bcast((char *)bytes + i, at_most(most, n - i), MPI_BYTE, 0, mpi(comm)),
            error));
    return DLP_OK;
}

/* Of several that fare worst, the lowest rank speaks. */
static dlp_status agree_mpi(const dlpi_comm *comm, dlp_status mine, dlp_error *error)
{
    struct {
        int status, rank;
    } worst = {(int)mine, comm->rank};
    DLP_TRY(check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, mpi(comm)),
                  error));
    const dlp_status status = (dlp_status)worst.status;
    if (status == DLP_OK) return DLP_OK;

    dlp_error why = {""};
    if (comm->rank == worst.rank)
        (void)dlp_fail(&why, mine, "%s",
                       error ? error->message : dlp_status_string(mine));
    DLP_TRY(
        check(MPI_Bcast(&why, (int)sizeof why, MPI_BYTE, worst.rank, mpi(comm)), error));
    return dlp_fail(error, status, "process %d: %s", worst.rank, why.message);
}

static void free_mpi(dlpi_comm *comm)
{
    MPI_Comm ours = mpi(comm);
    MPI_Comm_free(&ours);
}

dlp_status dlpi_comm_mpi_world(dlpi_comm *comm, dlp_error *error)
{
    static const dlpi_comm_ops ops = {sum_mpi, sum_counts_mpi, broadcast_mpi, agree_mpi,
                                      free_mpi};
    *comm = dlpi_comm_serial();
    int started, ended;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (!started || ended)
        return dlp_fail(error, DLP_EINVAL,
                        "MPI is not running; call MPI_Init before this, and MPI_Finalize "
                        "at the end of the program: the library does neither");

    /* A duplicate keeps our messages and our error handler apart from the program's. */
    MPI_Comm ours;
    int rank, size;
    DLP_TRY(check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), error));
    DLP_TRY(check(MPI_Comm_size(MPI_COMM_WORLD, &size), error));
    DLP_TRY(check(MPI_Comm_dup(MPI_COMM_WORLD, &ours), error));
    *comm = (dlpi_comm){&ops, rank, size, MPI_Comm_c2f(ours)};
    return check(MPI_Comm_set_errhandler(ours, MPI_ERRORS_RETURN), error);
}

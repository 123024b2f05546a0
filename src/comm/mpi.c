/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plug-in: the processes of MPI_COMM_WORLD. It is a shared object of its own, and the
 * only file that uses MPI. MPI_Allreduce adds doubles in an order of its own, so doubles
 * are added by comm/tree.c instead.
 */
#include "comm/comm.h"
#include "core/core.h"

#include <mpi.h>

/* MPI's counts are ints. */
enum { MOST = 1 << 24 };

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

static int at_most(dlp_index n)
{
    return n < MOST ? (int)n : MOST;
}

static dlp_status send_mpi(dlpi_comm *comm, int to, dlp_index n, const void *bytes,
                           dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += MOST)
        DLP_TRY(check(
            MPI_Send((const char *)bytes + i, at_most(n - i), MPI_BYTE, to, 0, mpi(comm)),
            error));
    comm->sent += n;
    return DLP_OK;
}

static dlp_status receive_mpi(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                              dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += MOST)
        DLP_TRY(check(MPI_Recv((char *)bytes + i, at_most(n - i), MPI_BYTE, from, 0,
                               mpi(comm), MPI_STATUS_IGNORE),
                      error));
    comm->received += n;
    return DLP_OK;
}

/* A message of no bytes is not sent: its receiver knows the size, too. */
static dlp_status swap_mpi(dlpi_comm *comm, int to, dlp_index n, const void *out,
                           int from, dlp_index m, void *in, dlp_error *error)
{
    for (dlp_index i = 0; i < n || i < m; i += MOST) {
        const int given = i < n ? at_most(n - i) : 0, taken = i < m ? at_most(m - i) : 0;
        DLP_TRY(check(MPI_Sendrecv((const char *)out + (given ? i : 0), given, MPI_BYTE,
                                   given ? to : MPI_PROC_NULL, 0,
                                   (char *)in + (taken ? i : 0), taken, MPI_BYTE,
                                   taken ? from : MPI_PROC_NULL, 0, mpi(comm),
                                   MPI_STATUS_IGNORE),
                      error));
    }
    comm->sent += n;
    comm->received += m;
    return DLP_OK;
}

static dlp_status share_mpi(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                            dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += MOST)
        DLP_TRY(
            check(MPI_Bcast((char *)bytes + i, at_most(n - i), MPI_BYTE, from, mpi(comm)),
                  error));
    if (comm->rank == from)
        comm->sent += n * (comm->size - 1); /* by others on its behalf, perhaps */
    else
        comm->received += n;
    return DLP_OK;
}

static dlp_status broadcast_mpi(dlpi_comm *comm, dlp_index n, void *bytes,
                                dlp_error *error)
{
    return share_mpi(comm, 0, n, bytes, error);
}

static dlp_status sum_counts_mpi(dlpi_comm *comm, dlp_index n, int64_t *x,
                                 dlp_error *error)
{
    for (dlp_index i = 0; i < n; i += MOST)
        DLP_TRY(check(MPI_Allreduce(MPI_IN_PLACE, x + i, at_most(n - i), MPI_INT64_T,
                                    MPI_SUM, mpi(comm)),
                      error));
    return DLP_OK;
}

/* If several processes have the worst status, the message of the lowest rank counts. */
static dlp_status agree_mpi(dlpi_comm *comm, dlp_status mine, dlp_error *error)
{
    struct {
        int status, rank;
    } worst = {(int)mine, comm->rank};
    DLP_TRY(check(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, mpi(comm)),
                  error));
    const dlp_status status = (dlp_status)worst.status;
    if (status == DLP_OK) return DLP_OK;

    dlp_error why = {0};
    if (comm->rank == worst.rank)
        (void)dlpi_advise(
            &why, error ? error->remedy : DLP_REMEDY_NONE,
            dlp_fail(&why, mine, "%s", error ? error->message : dlp_status_string(mine)));
    DLP_TRY(
        check(MPI_Bcast(&why, (int)sizeof why, MPI_BYTE, worst.rank, mpi(comm)), error));
    /* process 0's message is given as a single process would give it */
    if (worst.rank == 0)
        return dlpi_advise(error, why.remedy, dlp_fail(error, status, "%s", why.message));
    return dlpi_advise(
        error, why.remedy,
        dlp_fail(error, status, "process %d: %s", worst.rank, why.message));
}

static void abort_mpi(dlpi_comm *comm, int code)
{
    MPI_Abort(mpi(comm), code);
}

static bool ours; /* MPI was started here */

static void free_mpi(dlpi_comm *comm)
{
    MPI_Comm duplicate = mpi(comm);
    MPI_Comm_free(&duplicate);
    if (ours) MPI_Finalize();
    ours = false;
}

static dlp_status start(dlp_error *error)
{
    int started, ended, granted;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (ended)
        return dlp_fail(error, DLP_EINVAL,
                        "MPI has ended and cannot start again in this program; open the "
                        "processes before MPI_Finalize");
    if (started) return DLP_OK;
    ours = true;
    return check(MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &granted), error);
}

static dlp_status count_neighbours(MPI_Comm all, int *neighbours, dlp_error *error)
{
    MPI_Comm here;
    DLP_TRY(check(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here),
                  error));
    DLP_TRY(check(MPI_Comm_size(here, neighbours), error));
    return check(MPI_Comm_free(&here), error);
}

dlpi_comm_open dlpi_comm_open_mpi;

__attribute__((visibility("default"))) dlp_status
dlpi_comm_open_mpi(int version, dlpi_comm *comm, dlp_error *error)
{
    static const dlpi_comm_ops ops = {send_mpi,      receive_mpi, swap_mpi,
                                      broadcast_mpi, share_mpi,   sum_counts_mpi,
                                      agree_mpi,     abort_mpi,   free_mpi};
    if (version != DLPI_COMM_VERSION)
        return dlp_fail(error, DLP_EINVAL,
                        "libdelaplace-mpi.so belongs to another version of the library; "
                        "reinstall both");
    DLP_TRY(start(error));
    /* A duplicate keeps our messages and our error handler apart from the program's. */
    MPI_Comm duplicate;
    dlpi_comm made = {.ops = &ops};
    DLP_TRY(check(MPI_Comm_rank(MPI_COMM_WORLD, &made.rank), error));
    DLP_TRY(check(MPI_Comm_size(MPI_COMM_WORLD, &made.size), error));
    DLP_TRY(check(MPI_Comm_dup(MPI_COMM_WORLD, &duplicate), error));
    made.handle = MPI_Comm_c2f(duplicate);
    *comm = made;
    DLP_TRY(count_neighbours(duplicate, &comm->neighbours, error));
    return check(MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN), error);
}

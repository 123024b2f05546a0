/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that share one job: serial and MPI behind one table, so that
 * algorithms need not know which. Internal.
 *
 * Operations are collective: all processes call them, in one order, with the same n; save
 * send and receive, which are a pair, and swap, whose messages are. When one fails (DLP_EIO), other processes may wait
 * for ever: the program should end them all by abort. A communicator belongs to one thread
 * of its process.
 */
#ifndef DLPI_COMM_H
#define DLPI_COMM_H

#include <delaplace/status.h>
#include <stdint.h>

typedef struct dlpi_comm {
    const struct dlpi_comm_ops *ops;
    int rank, size;         /* this process, 0 to size - 1; how many there are */
    int neighbours;         /* of them on this machine, this one included */
    int64_t sent, received; /* bytes, of send, receive, swap, broadcast and share */
    intptr_t handle;        /* the implementation's own */
} dlpi_comm;

typedef struct dlpi_comm_ops {
    /* n bytes to another process, and from one. */
    dlp_status (*send)(dlpi_comm *comm, int to, dlp_index n, const void *bytes,
                       dlp_error *error);
    dlp_status (*receive)(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                          dlp_error *error);
    /* Both at once, with two processes or with one, so that a ring of them need not wait: n bytes
       to one, and m from another. */
    dlp_status (*swap)(dlpi_comm *comm, int to, dlp_index n, const void *out, int from,
                       dlp_index m, void *in, dlp_error *error);
    /* The n bytes of process 0 go to all. */
    dlp_status (*broadcast)(dlpi_comm *comm, dlp_index n, void *bytes, dlp_error *error);
    /* The n bytes of process `from` go to all. */
    dlp_status (*share)(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                        dlp_error *error);
    /* x (n) becomes its sum over the processes: exact as long as the sums fit. */
    dlp_status (*sum_counts)(dlpi_comm *comm, dlp_index n, int64_t *x, dlp_error *error);
    /* Gives all processes the worst (largest) status of any, and its message, so that
       the failure of one ends all. In: how this process fares, and why in *error. */
    dlp_status (*agree)(dlpi_comm *comm, dlp_status mine, dlp_error *error);
    /* Ends all processes with the exit code, at once. */
    void (*abort)(dlpi_comm *comm, int code);
    void (*free)(dlpi_comm *comm);
} dlpi_comm_ops;

/* This process alone. */
dlpi_comm dlpi_comm_serial(void);

/*
 * MPI comes as a shared object of its own, libdelaplace-mpi.so, so that users without MPI
 * need not have it: it has this one function, of this name. The processes of
 * MPI_COMM_WORLD; MPI is started where the program has not, and ended then by free. After a
 * failure *comm is good for freeing only.
 */
typedef dlp_status dlpi_comm_open(int version, dlpi_comm *comm, dlp_error *error);
#define DLPI_COMM_OPEN "dlpi_comm_open_mpi"
enum { DLPI_COMM_VERSION = 3 }; /* of this table; both sides must have the same */

/* Opens the plug-in, which is beside the library, and the processes by it. plugin.c */
dlp_status dlpi_comm_plugin(dlpi_comm *comm, dlp_error *error);

/* Inside of <delaplace/processes.h>. */
struct dlp_processes;
dlpi_comm *dlpi_processes_comm(struct dlp_processes *processes);

#endif

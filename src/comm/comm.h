/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that share one job: serial and MPI behind one table, so that
 * algorithms need not know which. Internal.
 *
 * Operations are collective: all processes call them in the same order with the same n.
 * The exceptions are send and receive, which must be paired, and swap, whose messages
 * must be. When an operation fails (DLP_EIO), other processes may wait for ever: the
 * program should end them all with abort. A communicator belongs to one thread of its
 * process.
 */
#ifndef DLPI_COMM_H
#define DLPI_COMM_H

#include <delaplace/status.h>
#include <stdint.h>

typedef struct dlpi_comm {
    const struct dlpi_comm_ops *ops;
    int rank, size;         /* this process, 0 to size - 1; how many there are */
    int neighbours;         /* how many of them are on this machine, including this one */
    int64_t sent, received; /* bytes, of send, receive, swap, broadcast and share */
    intptr_t handle;        /* the implementation's own */
} dlpi_comm;

typedef struct dlpi_comm_ops {
    /* n bytes to another process, and from one. */
    dlp_status (*send)(dlpi_comm *comm, int to, dlp_index n, const void *bytes,
                       dlp_error *error);
    dlp_status (*receive)(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                          dlp_error *error);
    /* Sends n bytes to one process while receiving m from another, or from the same one,
       so that processes in a ring do not wait for each other. */
    dlp_status (*swap)(dlpi_comm *comm, int to, dlp_index n, const void *out, int from,
                       dlp_index m, void *in, dlp_error *error);
    /* The n bytes of process 0 go to all. */
    dlp_status (*broadcast)(dlpi_comm *comm, dlp_index n, void *bytes, dlp_error *error);
    /* The n bytes of process `from` go to all. */
    dlp_status (*share)(dlpi_comm *comm, int from, dlp_index n, void *bytes,
                        dlp_error *error);
    /* x (n) becomes its sum over the processes: exact as long as the sums fit. */
    dlp_status (*sum_counts)(dlpi_comm *comm, dlp_index n, int64_t *x, dlp_error *error);
    /* Gives all processes the worst (largest) status of any, and its message, so that the
       failure of one ends all. In: this process's status, with its message in *error. */
    dlp_status (*agree)(dlpi_comm *comm, dlp_status mine, dlp_error *error);
    /* Ends all processes with the exit code, at once. */
    void (*abort)(dlpi_comm *comm, int code);
    void (*free)(dlpi_comm *comm);
} dlpi_comm_ops;

/* This process alone. */
dlpi_comm dlpi_comm_serial(void);

/*
 * MPI support is a separate shared object, libdelaplace-mpi.so, so that users without MPI
 * can do without it. It exports this one function, by this name, which opens the
 * processes of MPI_COMM_WORLD. It starts MPI unless the program already has; free then
 * ends it. After a failure *comm can only be freed.
 */
typedef dlp_status dlpi_comm_open(int version, dlpi_comm *comm, dlp_error *error);
#define DLPI_COMM_OPEN "dlpi_comm_open_mpi"
enum { DLPI_COMM_VERSION = 3 }; /* of this table; both sides must have the same */

/* Loads the plug-in from the library's directory and opens the processes with it.
   plugin.c */
dlp_status dlpi_comm_plugin(dlpi_comm *comm, dlp_error *error);

/* What <delaplace/processes.h> declares. */
struct dlp_processes;
dlpi_comm *dlpi_processes_comm(struct dlp_processes *processes);

#endif

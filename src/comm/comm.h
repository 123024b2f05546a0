/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that share one job: serial and MPI behind one table, so that
 * algorithms need not know which. Internal.
 *
 * Operations are collective: all processes call them, in one order, with the same n.
 * When one fails (DLP_EIO), other processes may wait for ever: the program should end
 * them all by MPI_Abort. A communicator belongs to one thread of its process.
 */
#ifndef DLPI_COMM_H
#define DLPI_COMM_H

#include <delaplace/status.h>
#include <stdint.h>

typedef struct dlpi_comm {
    const struct dlpi_comm_ops *ops;
    int rank, size;  /* this process, 0 to size - 1; how many there are */
    intptr_t handle; /* the implementation's own */
} dlpi_comm;

typedef struct dlpi_comm_ops {
    /* x (n) becomes its sum over the processes, the same bits in all. It is added in
       rank order: as many processes give the same bits every time. */
    dlp_status (*sum)(const dlpi_comm *comm, dlp_index n, double *x, dlp_error *error);
    /* The same for counts, exact as long as the sums fit. */
    dlp_status (*sum_counts)(const dlpi_comm *comm, dlp_index n, int64_t *x,
                             dlp_error *error);
    /* The n bytes of process 0 go to all. */
    dlp_status (*broadcast)(const dlpi_comm *comm, dlp_index n, void *bytes,
                            dlp_error *error);
    /* Gives all processes the worst (largest) status of any, and its message, so that
       the failure of one ends all. In: how this process fares, and why in *error. */
    dlp_status (*agree)(const dlpi_comm *comm, dlp_status mine, dlp_error *error);
    void (*free)(dlpi_comm *comm);
} dlpi_comm_ops;

/* The doubles or counts that go through MPI at once: all the memory that a sum needs,
   and always few enough for MPI's int. */
enum { DLPI_COMM_CHUNK = 4096 };

/* This process alone. */
dlpi_comm dlpi_comm_serial(void);

/* The processes of MPI_COMM_WORLD. The program has called MPI_Init, and frees this
   before it calls MPI_Finalize. After a failure *comm is good for freeing only. */
dlp_status dlpi_comm_mpi_world(dlpi_comm *comm, dlp_error *error);

#endif

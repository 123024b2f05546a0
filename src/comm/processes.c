/* SPDX-License-Identifier: BSD-3-Clause */
#include <delaplace/processes.h>

#include "comm/comm.h"
#include "core/core.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

struct dlp_processes {
    dlpi_comm comm;
    bool agreed; /* all processes know of the last failure */
};

static int number_of(const char *const *names)
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        char *end = NULL;
        const long number = text ? strtol(text, &end, 10) : -1;
        if (number >= 0 && end > text && !*end)
            return number < 1000000 ? (int)number : 1000000;
    }
    return -1;
}

/* The variables of Open MPI, of MPICH and Intel MPI, and of PMIx, with which Slurm starts
   Open MPI; PMIx does not say how many processes there are. */
int dlp_processes_announced(int *rank)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        NULL};
    const int size = number_of(sizes), own = number_of(ranks);
    *rank = own > 0 ? own : 0;
    if (size > 0) return size;
    return own >= 0 ? 0 : 1;
}

dlp_status dlp_processes_open(dlp_processes **processes, dlp_error *error)
{
    *processes = NULL;
    dlp_processes *made = dlpi_calloc(1, sizeof *made);
    if (!made) return dlpi_no_memory(error, "the processes");
    made->comm = dlpi_comm_serial();
    int rank;
    const dlp_status status = dlp_processes_announced(&rank) == 1
                                  ? DLP_OK
                                  : dlpi_comm_plugin(&made->comm, error);
    if (status != DLP_OK) {
        dlp_processes_close(made);
        return status;
    }
    *processes = made;
    return DLP_OK;
}

void dlp_processes_close(dlp_processes *processes)
{
    if (!processes) return;
    processes->comm.ops->free(&processes->comm);
    free(processes);
}

dlpi_comm *dlpi_processes_comm(dlp_processes *processes)
{
    return &processes->comm;
}

int dlp_processes_rank(const dlp_processes *processes)
{
    return processes->comm.rank;
}

int dlp_processes_size(const dlp_processes *processes)
{
    return processes->comm.size;
}

/* mpirun may bind a process to processors of its own; otherwise the processors are
   shared. */
int dlp_processes_threads(const dlp_processes *processes)
{
    const int may = omp_get_num_procs(), neighbours = processes->comm.neighbours;
    const bool bound = may < (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int each = bound ? may : may / neighbours;
    return each > 1 ? each : 1;
}

dlp_status dlp_processes_agree(dlp_processes *processes, dlp_status mine,
                               dlp_error *error)
{
    dlpi_comm *comm = &processes->comm;
    if (mine != DLP_OK && processes->agreed) return mine; /* all know, and are ending */
    const dlp_status status = comm->ops->agree(comm, mine, error);
    processes->agreed = status != DLP_OK;
    return status;
}

int dlp_processes_agreed(const dlp_processes *processes)
{
    return processes->agreed || processes->comm.size == 1;
}

void dlp_processes_abort(dlp_processes *processes, int code)
{
    processes->comm.ops->abort(&processes->comm, code);
}

dlp_status dlp_processes_tell(dlp_processes *processes, int *value, dlp_error *error)
{
    return processes->comm.ops->broadcast(&processes->comm, sizeof *value, value, error);
}

dlp_status dlp_processes_traffic(dlp_processes *processes, int64_t *bytes,
                                 dlp_error *error)
{
    *bytes = processes->comm.received;
    return processes->comm.ops->sum_counts(&processes->comm, 1, bytes, error);
}

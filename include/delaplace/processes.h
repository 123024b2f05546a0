/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes that share a fit, on one machine or many: MPI, which is loaded only
 * if the program was started by mpirun, srun or similar. docs/scale.md describes how to
 * run them.
 */
#ifndef DELAPLACE_PROCESSES_H
#define DELAPLACE_PROCESSES_H

#include <delaplace/export.h>
#include <delaplace/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_processes dlp_processes;

/* The number of processes according to the environment: 1 if no mpirun started this
   program, 0 if one did but the number is unknown. *rank is the number of this one. */
DLP_API int dlp_processes_announced(int *rank);

/* The processes that share this job: one, or those of MPI, which is loaded and, unless
   the program has done so, initialised. Released by dlp_processes_close; on failure
   *processes is NULL. */
DLP_API dlp_status dlp_processes_open(dlp_processes **processes, dlp_error *error);
/* Ends MPI if dlp_processes_open initialised it; all processes must call it. NULL is
   fine. */
DLP_API void dlp_processes_close(dlp_processes *processes);

/* This process, from 0, and how many there are. */
DLP_API int dlp_processes_rank(const dlp_processes *processes);
DLP_API int dlp_processes_size(const dlp_processes *processes);
/* How many threads each process should use by default: the processors of its machine that
   it may use, divided among the processes that share them. */
DLP_API int dlp_processes_threads(const dlp_processes *processes);

/* All processes call this, each with its own status; all get the worst status and its
   message, so that the failure of one ends all. */
DLP_API dlp_status dlp_processes_agree(dlp_processes *processes, dlp_status mine,
                                       dlp_error *error);
/* Whether the last failure is known to all processes, by dlp_processes_agree. If not, a
   process that fails must end all of them by dlp_processes_abort, which does not return,
   since the others may be waiting for it. */
DLP_API int dlp_processes_agreed(const dlp_processes *processes);
DLP_API void dlp_processes_abort(dlp_processes *processes, int code);

/* Broadcasts process 0's *value to all processes; all call it. */
DLP_API dlp_status dlp_processes_tell(dlp_processes *processes, int *value,
                                      dlp_error *error);

/* The bytes that all processes have received from others so far; all call it. */
DLP_API dlp_status dlp_processes_traffic(dlp_processes *processes, int64_t *bytes,
                                         dlp_error *error);

#ifdef __cplusplus
}
#endif
#endif

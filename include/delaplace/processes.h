/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Several processes that share a fit, on one machine or many: MPI, which is loaded only where
 * a program was started by mpirun, srun or similar. docs/scale.md describes how to run them.
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

/* The number of processes according to the environment: 1 where no mpirun started this program, 0
   where one did but the number is unknown. rank receives which one this is. */
DLP_API int dlp_processes_announced(int *rank);

/* Those that share this job: one, or those of MPI, which is loaded and, unless the program has
   done so, started. On failure *processes is NULL. */
DLP_API dlp_status dlp_processes_open(dlp_processes **processes, dlp_error *error);
/* Ends MPI where dlp_processes_open started it; all processes call it. NULL is fine. */
DLP_API void dlp_processes_close(dlp_processes *processes);

/* This process, from 0, and how many there are. */
DLP_API int dlp_processes_rank(const dlp_processes *processes);
DLP_API int dlp_processes_size(const dlp_processes *processes);
/* How many threads each should have where nobody said: the processors of its machine that it
   may use, divided among those that share them. */
DLP_API int dlp_processes_threads(const dlp_processes *processes);

/* All processes call this, each with how it fares; all get the worst status, and its message,
   so that the failure of one ends all. */
DLP_API dlp_status dlp_processes_agree(dlp_processes *processes, dlp_status mine,
                                       dlp_error *error);
/* Whether the last failure was agreed upon: then all processes know. Else one that fails must
   end all, for the others may wait for it: dlp_processes_abort, which does not return. */
DLP_API int dlp_processes_agreed(const dlp_processes *processes);
DLP_API void dlp_processes_abort(dlp_processes *processes, int code);

/* What process 0 says, to all of them. */
DLP_API dlp_status dlp_processes_tell(dlp_processes *processes, int *value,
                                      dlp_error *error);

/* The bytes that all processes have received from others so far; all call it. */
DLP_API dlp_status dlp_processes_traffic(dlp_processes *processes, int64_t *bytes,
                                         dlp_error *error);

#ifdef __cplusplus
}
#endif
#endif

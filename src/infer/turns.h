/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that do something in the order of a loop, like `omp ordered`; but who waits for
 * long sleeps. While cores are busy, waiting in a loop for a thread that is not running
 * takes several times the processor time of the work itself. Internal.
 */
#ifndef DLPI_INFER_TURNS_H
#define DLPI_INFER_TURNS_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct dlpi_turns {
    pthread_mutex_t lock;
    pthread_cond_t passed;
    atomic_int next; /* whose turn it is */
} dlpi_turns;

/* To begin with `first`. */
#define DLPI_TURNS(first)                                                                \
    {                                                                                    \
        PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, (first)                     \
    }

void dlpi_turns_wait(dlpi_turns *t, int i); /* until it is i's turn */
void dlpi_turns_pass(dlpi_turns *t);        /* to the next */
void dlpi_turns_end(dlpi_turns *t);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/turns.h"

enum { SOON = 2000 }; /* looks: a few microseconds, about as long as sleeping takes */

void dlpi_turns_wait(dlpi_turns *t, int i)
{
    for (int k = 0; k < SOON; k++)
        if (atomic_load_explicit(&t->next, memory_order_acquire) == i) return;
    pthread_mutex_lock(&t->lock);
    while (atomic_load(&t->next) != i) pthread_cond_wait(&t->passed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void dlpi_turns_pass(dlpi_turns *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->next, 1);
    pthread_cond_broadcast(&t->passed);
    pthread_mutex_unlock(&t->lock);
}

void dlpi_turns_end(dlpi_turns *t)
{
    pthread_cond_destroy(&t->passed);
    pthread_mutex_destroy(&t->lock);
}

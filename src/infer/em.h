/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM, for models of many parts that share something: q of each part given what
 * they share (the E step), then what they share given q (the M step), until that settles.
 * Between iterations Anderson steps may lead ahead to the same end. Internal.
 */
#ifndef DLPI_INFER_EM_H
#define DLPI_INFER_EM_H

#include <delaplace/fit.h>

#include "infer/listener.h"

/* The model's side: one const table a model. */
typedef struct dlpi_em_type {
    /* q of every part, and the objective there; NAN when it fails. It ends early, with
       DLP_OK, when the listener is stopped. */
    dlp_status (*e_step)(void *model, double *objective, dlp_error *error);
    /* What is shared, given q; false where there is nothing left to share. */
    bool (*m_step)(void *model);
    /* An iteration is an M step, but for the first, and then an E step, so that all that a
       run ends with belongs together; false: an E step and then an M step. */
    bool m_step_first;
    /* Takes the iteration into the model's trace; returns how far it went. */
    double (*record)(void *model, int iteration, double objective);
    /* How the last recorded iteration ends the run, or DLP_RUNNING. */
    dlp_outcome (*ended)(const void *model);

    /* Optional, Anderson acceleration (infer/anderson.h): what is shared goes to where the
       iterations seem to lead; false, and it stays where the M step led, while they do not
       tell. */
    bool (*step_ahead)(void *model);
    /* Back to where the M step led, and to trusting nothing of before. */
    void (*step_back)(void *model);
} dlpi_em_type;

typedef struct dlpi_em {
    const dlpi_em_type *type;
    void *model;
    dlpi_listener *listener;
    int max_iter;
    double slack; /* a step ahead may lose so much of the objective, relative to 1 plus
                     its size */
    int iterations;
    double objective; /* of the last one */
    bool ahead;       /* what is shared is not where the M step led */
    dlp_outcome outcome;
} dlpi_em;

/* One iteration, while the outcome is DLP_RUNNING. Fails as the E step does. Stopped on the
   way, the iteration is not recorded. */
dlp_status dlpi_em_step(dlpi_em *em, dlp_error *error);
dlp_status dlpi_em_run(dlpi_em *em, dlp_error *error);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Variational EM for models of many parts with shared parameters: q of each part given
 * the shared parameters (the E step), then the shared parameters given q (the M step),
 * until they settle. Coordinate ascent over the factors of q is the same without an M
 * step. Anderson steps in between may reach the same end sooner. Internal.
 */
#ifndef DLPI_INFER_EM_H
#define DLPI_INFER_EM_H

#include <delaplace/fit.h>

#include "infer/listener.h"

/* The model's side: one const table per model. */
typedef struct dlpi_em_type {
    /* q of every part, and the objective there; NAN on failure. Ends early, with DLP_OK,
       when the listener is stopped. */
    dlp_status (*e_step)(void *model, double *objective, dlp_error *error);
    /* The shared parameters given q; false if there is nothing left to share. NULL: the
       parts share nothing else, and an iteration is an E step. */
    bool (*m_step)(void *model);
    /* true: an iteration is an M step (except in the first) and then an E step, so that
       all results of a run are consistent. false: an E step and then an M step. */
    bool m_step_first;
    /* Records the iteration in the model's trace; returns the size of its step. */
    double (*record)(void *model, int iteration, double objective);
    /* The outcome after the last recorded iteration, DLP_RUNNING to continue. */
    dlp_outcome (*ended)(const void *model);

    /* Optional, Anderson acceleration (infer/anderson.h): moves the shared parameters, or
       q where nothing is shared, to the estimated fixed point. Returns false, leaving
       them as they are, while there is too little history. */
    bool (*step_ahead)(void *model);
    /* Goes back to where it was before, and discards the history. */
    void (*step_back)(void *model);
    /* Whether the E step after a step ahead shows that it led astray. NULL: that is what
       the objective says, which must not fall by more than `slack`. */
    bool (*strays)(const void *model);
} dlpi_em_type;

typedef struct dlpi_em {
    const dlpi_em_type *type;
    void *model;
    dlpi_listener *listener;
    int max_iter;
    double slack; /* how much of the objective an Anderson step may lose, relative to 1
                     plus its size */
    int iterations;
    double objective; /* of the last one */
    bool ahead;       /* the last step ahead has not been judged yet */
    dlp_outcome outcome;
} dlpi_em;

/* Runs one iteration while the outcome is DLP_RUNNING. Fails as the E step does. An
   iteration that was stopped part-way is not recorded. */
dlp_status dlpi_em_step(dlpi_em *em, dlp_error *error);
dlp_status dlpi_em_run(dlpi_em *em, dlp_error *error);

#endif

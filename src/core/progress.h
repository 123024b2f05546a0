/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A reader's progress, reported to the waiting caller every few megabytes; the caller
 * may cancel. A reader works in steps (bytes come in, are decompressed, are parsed),
 * each of which is a share of what is left. Internal.
 */
#ifndef DLPI_CORE_PROGRESS_H
#define DLPI_CORE_PROGRESS_H

#include "core/core.h"

#include <delaplace/progress.h>

/* Every function below accepts NULL: nobody wants reports. */
struct dlpi_progress {
    dlp_progress_call *call;
    void *context;
    const char *phase, *unit;
    dlp_index total;   /* in that unit: the size of the first step, unless set */
    double from, to;   /* of the step, in shares of the whole */
    size_t size, next; /* of the step, in bytes; when to report next */
    size_t work;       /* since the caller was asked last; see dlpi_progress_stops */
    bool stopped;      /* the caller has said stop */
};

/* Sets up *p for a caller's callback; NULL if there is none. */
struct dlpi_progress *dlpi_progress_for(dlp_progress_call *call, void *context,
                                        const char *phase, struct dlpi_progress *p);
/* Begins a step of this many bytes, which makes up this share of what is left of the
   whole. */
void dlpi_progress_step(struct dlpi_progress *p, double share, size_t size);
/* All is done. */
dlp_status dlpi_progress_end(struct dlpi_progress *p, dlp_error *error);

dlp_status dlpi_progress_call(struct dlpi_progress *p, size_t done, dlp_error *error);

/* Reports how many bytes of the step are done. Fails when the caller cancels. */
static inline dlp_status dlpi_progress_tell(struct dlpi_progress *p, size_t done,
                                            dlp_error *error)
{
    return !p || done < p->next ? DLP_OK : dlpi_progress_call(p, done, error);
}

/* For work whose end is not known, with nothing new to report. Asks whether to stop when as many
   multiplications, or work that takes as long, were done since it asked last as take a hundredth of
   a second; true: stop, and so from now on. */
bool dlpi_progress_asks(struct dlpi_progress *p);
static inline bool dlpi_progress_stops(struct dlpi_progress *p, size_t more)
{
    enum { OFTEN = 1 << 22 };
    if (!p) return false;
    p->work += more;
    return p->work < OFTEN ? p->stopped : dlpi_progress_asks(p);
}

#endif

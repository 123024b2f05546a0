/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/progress.h"

/* Bytes between two calls: a hundredth of a second of most readers' work. */
static const size_t OFTEN = (size_t)1 << 22;

struct dlpi_progress *dlpi_progress_for(dlp_progress_call *call, void *context,
                                        const char *phase, struct dlpi_progress *p)
{
    *p = (struct dlpi_progress){
        .call = call, .context = context, .phase = phase, .unit = "bytes"};
    return call ? p : NULL;
}

void dlpi_progress_step(struct dlpi_progress *p, double share, size_t size)
{
    if (!p) return;
    p->from = p->to;
    p->to += share * (1 - p->to);
    p->size = size;
    p->next = 0;
    if (p->total == 0) p->total = (dlp_index)size;
}

/* The share that is done of all steps, as one count. */
static dlp_status call(struct dlpi_progress *p, double share, dlp_error *error)
{
    const dlp_progress state = {.phase = p->phase,
                                .unit = p->unit,
                                .done = (dlp_index)(share * (double)p->total),
                                .total = p->total};
    p->stopped = p->stopped || p->call(p->context, &state) != 0;
    return p->stopped ? dlp_fail(error, DLP_ECANCELLED, "cancelled by the caller")
                      : DLP_OK;
}

bool dlpi_progress_asks(struct dlpi_progress *p)
{
    const dlp_progress state = {.phase = p->phase, .unit = p->unit, .polled = 1};
    p->work = 0;
    p->stopped = p->stopped || p->call(p->context, &state) != 0;
    return p->stopped;
}

/* A file may grow while it is read; even so a step ends where the next begins. */
dlp_status dlpi_progress_call(struct dlpi_progress *p, size_t done, dlp_error *error)
{
    const double part = done < p->size ? (double)done / (double)p->size : 1;
    p->next = done + OFTEN;
    return call(p, p->from + part * (p->to - p->from), error);
}

dlp_status dlpi_progress_end(struct dlpi_progress *p, dlp_error *error)
{
    return p ? call(p, 1, error) : DLP_OK;
}

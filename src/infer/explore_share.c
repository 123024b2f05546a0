/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the points of dlpi_explore over processes. Each process continues as if it had
   evaluated all of them in order, so all have the same bits as a single process. */
#include "comm/comm.h"
#include "core/core.h"
#include "infer/explore.h"
#include "math/symmetric/structure.h"

#include <math.h>
#include <omp.h>
#include <string.h>

/* Where the part of a process begins among n; for rank = size, n. */
static dlp_index begin_of(const dlpi_comm *comm, dlp_index n, int rank)
{
    return n * rank / comm->size;
}

/* Adds the work that others have done since this process's effort was `before`. */
static dlp_status count_elsewhere(dlpi_explore *e, long before, dlp_error *error)
{
    const int64_t own = e->effort(e->context) - before;
    int64_t all = own;
    DLP_TRY(e->comm->ops->sum_counts(e->comm, 1, &all, error));
    e->elsewhere += (long)(all - own);
    return DLP_OK;
}

void dlpi_explore_evaluate_shared(dlpi_explore *e, dlp_index n, const double *psi,
                                  double *log_p)
{
    dlpi_comm *comm = e->comm;
    const dlp_index from = begin_of(comm, n, comm->rank),
                    to = begin_of(comm, n, comm->rank + 1);
    for (dlp_index i = 0; i < n; i++) log_p[i] = -INFINITY;
    if (e->shared != DLP_OK) return;
    const long before = e->effort(e->context);
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads)
    for (dlp_index i = from; i < to; i++)
        if (!e->stopped(e->context))
            log_p[i] = e->log_density(e->context, omp_get_thread_num(), psi + i * e->m);
    for (int r = 0; r < comm->size && e->shared == DLP_OK; r++) {
        const dlp_index first = begin_of(comm, n, r),
                        bytes =
                            (begin_of(comm, n, r + 1) - first) * (dlp_index)sizeof *log_p;
        e->shared = comm->ops->share(comm, r, bytes, log_p + first, &e->why);
    }
    if (e->shared == DLP_OK) e->shared = count_elsewhere(e, before, &e->why);
}

/* ---- points ---- */

/* Evaluates as many points as all processes have threads. */
typedef struct batch {
    int first, last; /* points first..last - 1 */
    int each;        /* of a process, at most */
    double *psi;     /* (threads, m) */
    double *own; /* (threads, 2 + found + seen) log p, whether it counts, and the rest */
    double *arrived; /* (2 + found + seen) */
} batch;

static dlp_index size_of(const dlpi_explore *e)
{
    return 2 + e->found + e->seen;
}

static void visit_own(dlpi_explore *e, const batch *r)
{
    const int from = r->first + e->comm->rank * r->each,
              to = from + r->each < r->last ? from + r->each : r->last;
#pragma omp parallel for schedule(static, 1) num_threads(e->threads)
    for (int i = from; i < to; i++) {
        const int worker = omp_get_thread_num();
        double *found = r->own + (i - from) * size_of(e);
        const bool counts = dlpi_explore_visit(e, i, worker, r->psi + worker * e->m);
        found[0] = e->log_p[i];
        found[1] = counts;
        e->save(e->context, worker, counts, found + 2);
    }
}

/* Unpacks point i of process `owner`, as worker 0 on all. */
static dlp_status take_point(dlpi_explore *e, const batch *r, int owner, int i,
                             dlp_error *error)
{
    dlpi_comm *comm = e->comm;
    const bool own = comm->rank == owner;
    const int at = i - r->first - owner * r->each;
    double *found = own ? r->own + at * size_of(e) : r->arrived;
    const dlp_index begin = 2 + e->found, unit = sizeof *found;
    DLP_TRY(comm->ops->share(comm, owner, begin * unit, found, error));
    const bool counts = found[1] != 0;
    if (counts)
        DLP_TRY(comm->ops->share(comm, owner, e->seen * unit, found + begin, error));
    e->log_p[i] = found[0];
    e->restore(e->context, 0, counts, found + 2);
    if (e->note_point) e->note_point(e->context, 0, i);
    if (counts) e->take(e->context, 0, i, dlpi_explore_share(e, i));
    return DLP_OK;
}

static dlp_status take_batch(dlpi_explore *e, const batch *r, dlp_error *error)
{
    for (int i = r->first; i < r->last; i++)
        DLP_TRY(take_point(e, r, (i - r->first) / r->each, i, error));
    return DLP_OK;
}

dlp_status dlpi_explore_visit_shared(dlpi_explore *e, int first, dlp_error *error)
{
    const dlp_index each = e->m + size_of(e);
    double *room = dlpi_calloc(dlpi_size(e->threads, each, size_of(e)), sizeof *room);
    if (!room) return dlpi_no_memory(error, "the points of an integral");
    batch r = {.first = first,
               .each = e->threads,
               .psi = room,
               .own = room + e->threads * e->m,
               .arrived = room + e->threads * each};
    dlp_status status = e->shared;
    const long before = e->effort(e->context);
    e->evaluations += e->points - first;
    while (r.first < e->points && status == DLP_OK) {
        const int all = r.each * e->comm->size;
        r.last = e->points - r.first < all ? e->points : r.first + all;
        visit_own(e, &r);
        status = take_batch(e, &r, error);
        r.first = r.last;
    }
    free(room);
    return status == DLP_OK ? count_elsewhere(e, before, error) : status;
}

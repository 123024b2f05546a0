/* SPDX-License-Identifier: BSD-3-Clause */
/* The density of psi, explored from a rough start. */
#include "bugs/posterior/far_tail.h"
#include "bugs/posterior/posterior_run.h"
#include "core/core.h"

#include <math.h>
#include <string.h>

typedef dlpi_posterior_run run;

/* psi of what is explored, in the worker's own. */
const double *dlpi_run_psi(run *r, int worker, const double *explored)
{
    double *psi = r->at + worker * r->plan->m;
    for (dlp_index i = 0; i < r->plan->m; i++)
        psi[i] = r->p->center[i] + r->p->unit[i] * explored[i];
    return psi;
}

static double log_density(void *context, int worker, const double *explored)
{
    run *r = context;
    const double log_p =
        dlpi_work_at(&r->work[worker], dlpi_run_psi(r, worker, explored));
    dlpi_listener_poll_inside(r->settings->listener);
    return log_p;
}

static void begin_at(void *context, const double *explored)
{
    run *r = context;
    dlpi_work *w = &r->work[0];
    const double *psi = dlpi_run_psi(r, 0, explored);
    const bool is_there =
        w->converged && !memcmp(psi, w->psi, (size_t)r->plan->m * sizeof *psi);
    if (!is_there && !isfinite(dlpi_work_at(w, psi))) return;
    memcpy(r->field.x, w->x, (size_t)r->plan->n * sizeof *w->x);
    memcpy(r->field.b, w->b, (size_t)(2 * r->plan->L) * sizeof *w->b);
}

/* There is nothing to add at a point that counts. */
static void look(void *context, int worker)
{
    (void)context;
    (void)worker;
}

/* Keeps what was found at points as starting values for the next visit, unless that takes
   too much memory. */
static void take(void *context, int worker, int point, double weight)
{
    const dlp_index most = 20000000; /* numbers */
    run *r = context;
    const dlpi_work *w = &r->work[worker];
    const dlp_index n = r->plan->n, wide = n + 2 * r->plan->L;
    (void)weight;
    if (wide == 0 || (r->n_found + 1) * wide > most) return;
    if (r->n_found == r->found_room) {
        const int room = 2 * r->found_room + 16;
        double *found = realloc(r->found, (size_t)(room * wide) * sizeof *found);
        if (found) r->found = found;
        int *at = realloc(r->found_at, (size_t)room * sizeof *at);
        if (at) r->found_at = at;
        r->no_memory |=
            !found || !at; /* searching again later would give other last bits */
        if (r->no_memory) return;
        r->found_room = room;
    }
    double *to = r->found + r->n_found * wide;
    memcpy(to, w->x, (size_t)n * sizeof *to);
    memcpy(to + n, w->b, (size_t)(wide - n) * sizeof *to);
    r->found_at[r->n_found++] = point;
}

/* By bisection: points were taken in their order. */
const double *dlpi_found_at(const run *r, int point)
{
    int low = 0, high = r->n_found;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (r->found_at[middle] < point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->n_found && r->found_at[low] == point
               ? r->found + low * (r->plan->n + 2 * r->plan->L)
               : NULL;
}

/* Moves psi_i uphill in steps of `by` as long as that helps; true: it moved. */
static bool climb(run *r, dlp_index i, double by, double *best)
{
    enum { MOST = 8 };
    dlpi_explore *e = &r->p->explore;
    bool moved = false;
    for (int k = 0; k < MOST && !dlpi_run_stopped(r); k++) {
        e->mode[i] += by;
        const double log_p = log_density(r, 0, e->mode);
        if (!(log_p > *best)) {
            e->mode[i] -= by;
            return moved;
        }
        *best = log_p;
        moved = true;
        begin_at(r, e->mode);
    }
    return moved;
}

/* A good start is seldom known, and scales may be anything: each psi in turn takes large
   steps while the others stay. */
static void scan(run *r)
{
    static const double steps[] = {4, 2};
    dlpi_explore *e = &r->p->explore;
    double best = log_density(r, 0, e->mode);
    for (int pass = 0; pass < 2; pass++)
        for (dlp_index i = 0; i < r->plan->m; i++) {
            const int32_t cell = r->plan->psi_cell[i];
            if (r->settings->start && isfinite(r->settings->start[cell])) continue;
            if (!climb(r, i, steps[pass], &best)) (void)climb(r, i, -steps[pass], &best);
        }
}

/* The finest grid that takes only seconds, otherwise a coarser one, otherwise a lattice,
   whose answers importance sampling has to confirm. */
static void choose_points(const run *r, dlpi_explore *e)
{
    enum { MOST = 5, MOST_COARSE = 4 };
    static const double fine[] = {1, 60, 800, 2000, 8000, 10000},
                        coarse[] = {1, 40, 250, 700, 1500};
    const double quick = 2e9, patient = 5e9; /* nanoseconds */
    const dlp_index m = r->plan->m;
    e->fine = m > MOST || fine[m] * r->time < quick;
    e->costly = e->no_design = !e->fine;
    e->no_grid = e->costly && m > 1 && (m > MOST_COARSE || coarse[m] * r->time > patient);
}

/* psi = center + unit times the explored variable. */
static void place_units(run *r)
{
    for (dlp_index i = 0; i < r->plan->m; i++) {
        const int32_t cell = r->plan->psi_cell[i];
        const double start = r->settings->start ? r->settings->start[cell] : NAN,
                     unit = r->settings->unit ? r->settings->unit[cell] : NAN;
        r->p->center[i] = isfinite(start) ? start : dlpi_start_apart(cell, 0.1);
        r->p->unit[i] = unit > 0 && isfinite(unit) ? unit : 1;
        r->p->explore.mode[i] = 0;
    }
}

/* The density of psi by the points that were explored, in psi's own units. */
static dlp_status keep_density(run *r, dlp_error *error)
{
    const dlpi_explore *e = &r->p->explore;
    const dlp_index m = r->plan->m;
    r->p->log_evidence = e->log_evidence;
    for (dlp_index i = 0; i < m; i++) r->p->log_evidence += log(r->p->unit[i]);
    r->p->points = e->points;
    DLP_TRY(dlpi_psi_points_make(e, &r->p->psi_points, error));
    for (dlp_index i = 0; i < r->p->psi_points.n; i++)
        for (dlp_index k = 0; k < m; k++) {
            double *psi = &r->p->psi_points.psi[i * m + k];
            *psi = r->p->center[k] + r->p->unit[k] * *psi;
        }
    return DLP_OK;
}

/* The total weight of the points at a place along k. */
static double weight_of_slice(const dlpi_explore *e, dlp_index k, int place)
{
    double sum = 0;
    for (int i = 0; i < e->points; i++)
        if (e->place[i * e->m + k] == place) sum += e->weight[i];
    return sum;
}

/* Whether much weight lies beyond the grid because the density hardly falls at its end:
   on the log scale, a spike of a prior is such a tail. If the log weight of slices went
   on as a straight line that falls by s per step, a last slice of weight w would leave
   out w / s. */
static bool is_open(const dlpi_explore *e)
{
    enum { STEPS = 6 };
    const double most = 0.01, flattest = 1e-3;
    double beyond = 0;
    for (dlp_index k = 0; e->reach > STEPS && k < 2 * e->m; k++) {
        const int side = k % 2 ? 1 : -1;
        const double w = weight_of_slice(e, k / 2, side * e->reach),
                     before = weight_of_slice(e, k / 2, side * (e->reach - STEPS));
        if (w > 0) beyond += w / fmax(log(before / w) / STEPS, flattest);
    }
    return beyond > most;
}

/* The value of a node between bounds; the logarithm of one that may be any positive number,
   whose long tail says nothing about what is computed from it, such as an sd from a
   precision. */
static double node_value(const void *context, dlp_index k, double at)
{
    const run *r = context;
    const dlpi_lowering *l = r->settings->lowering;
    const int32_t cell = r->plan->psi_cell[k];
    const double u = r->p->center[k] + r->p->unit[k] * at, low = l->lower[cell],
                 high = l->upper[cell];
    return l->domain[cell] == DLPI_DOMAIN_BETWEEN ? low + (high - low) / (1 + exp(-u))
                                                  : u;
}

/* Looks beyond a grid if that takes little time. */
static dlp_status look_beyond(run *r, dlp_error *error)
{
    const double places = 12, little = 1e8, share = 0.3; /* nanoseconds */
    dlpi_explore *e = &r->p->explore;
    const double m = (double)e->m, evaluations = places * m * (3 * m - 2);
    if (!r->settings->lowering || e->reach == 0 || r->p->open ||
        evaluations * r->time > fmax(little, share * e->points * r->time))
        return DLP_OK;
    double *room = dlpi_calloc(7 * e->m, sizeof *room);
    if (!room) return dlpi_no_memory(error, "the posterior");
    begin_at(r, e->mode);
    r->p->open = dlpi_has_far_tail(e, node_value, r, room);
    begin_at(r, e->mode);
    free(room);
    return DLP_OK;
}

static void tell(void *context, int i, int n)
{
    const run *r = context;
    dlpi_listener_report_point(r->settings->listener, i, n);
}

dlp_status dlpi_psi_explore(run *r, dlp_error *error)
{
    dlpi_explore *e = &r->p->explore;
    const dlp_index m = r->plan->m;
    DLP_TRY(dlpi_explore_alloc(e, m, error));
    e->threads = r->threads;
    choose_points(r, e);
    r->p->few = e->no_grid;
    e->log_density = log_density;
    e->begin_at = begin_at;
    e->stopped = dlpi_run_stopped;
    e->tell = tell;
    e->look = look;
    e->take = take;
    e->context = r;
    place_units(r);
    e->only_mode = r->settings->only_mode;
    scan(r);
    DLP_TRY(dlpi_explore_run(e, error));
    if (r->no_memory) return dlpi_no_memory(error, "the posterior");
    r->p->outcome = e->outcome;
    if (e->only_mode) {
        r->p->log_evidence = e->log_mode;
        r->p->points = e->outcome == DLP_CONVERGED && isfinite(e->log_mode);
        if (r->p->points) begin_at(r, e->mode);
        return DLP_OK;
    }
    if (e->points <= 2 * m) { /* a spike, and no density about it */
        if (r->p->outcome == DLP_CONVERGED) r->p->outcome = DLP_DIVERGED;
        return DLP_OK;
    }
    r->p->open = is_open(e);
    DLP_TRY(look_beyond(r, error));
    return keep_density(r, error);
}

/* Without psi there is one point. */
dlp_status dlpi_psi_one_point(run *r)
{
    const double log_p = dlpi_work_at(&r->work[0], r->work[0].psi);
    r->p->outcome = isfinite(log_p) ? DLP_CONVERGED : DLP_DIVERGED;
    r->p->log_evidence = log_p;
    r->p->points = isfinite(log_p) ? 1 : 0;
    if (!r->p->points) return DLP_OK;
    memcpy(r->field.x, r->work[0].x, (size_t)r->plan->n * sizeof *r->field.x);
    memcpy(r->field.b, r->work[0].b, (size_t)(2 * r->plan->L) * sizeof *r->field.b);
    return DLP_OK;
}

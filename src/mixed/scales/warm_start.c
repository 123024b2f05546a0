/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/scales/warm_start.h"

#include "core/core.h"
#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 1024, DIRECTIONS = 8 };

dlp_status dlpi_warm_start_make(const dlpi_mixed *model, const dlpi_explore *explore,
                                dlpi_warm_start *to, dlp_error *error)
{
    const double most = 2e7, most_of_points = 4e6; /* numbers */
    const dlp_index m = model->layout.m,
                    size = model->rows.n + model->rows.L * model->rows.q;
    /* of all processes, which must decide alike */
    const double whole = (double)(model->rows.n + model->rows.all * model->rows.q);
    *to = (dlpi_warm_start){.model = model, .explore = explore, .size = size};
    if (4 * (double)m * whole > most || m == 0) return DLP_OK;
    to->side = dlpi_calloc(4 * m * size + m, sizeof *to->side);
    if (!to->side) return dlpi_no_memory(error, "a mixed model");
    to->axis = to->side + 2 * m * size;
    to->apart = to->axis + 2 * m * size;
    const double room = fmin(most_of_points / whole, MOST_POINTS);
    if (room < 16 || m == 1) return DLP_OK;
    to->point = dlpi_calloc((dlp_index)room, (size_t)size * sizeof *to->point);
    to->has = dlpi_calloc((dlp_index)room, sizeof *to->has);
    if (!to->point || !to->has) return dlpi_no_memory(error, "a mixed model");
    to->room = (int)room;
    return DLP_OK;
}

void dlpi_warm_start_clear(dlpi_warm_start *s)
{
    free(s->side);
    free(s->point);
    free(s->has);
    *s = (dlpi_warm_start){0};
}

/* ---- what was found ---- */

static void copy(const dlpi_warm_start *s, const double *x, const double *b, double *to)
{
    const dlp_index n = s->model->rows.n;
    memcpy(to, x, (size_t)n * sizeof *to);
    memcpy(to + n, b, (size_t)(s->size - n) * sizeof *to);
}

void dlpi_warm_start_side(dlpi_warm_start *s, const dlpi_mixed_block *block, int i,
                          bool is_known)
{
    if (!s->side || i >= 2 * s->model->layout.m) return;
    copy(s, is_known ? block->x : s->model->x, is_known ? block->b : s->model->b,
         s->side + i * s->size);
}

void dlpi_warm_start_axis(dlpi_warm_start *s, const dlpi_mixed_block *block, int i,
                          double apart)
{
    if (!s->side) return;
    copy(s, block->x, block->b, s->axis + i * s->size);
    if (i % 2) s->apart[i / 2] = apart;
}

void dlpi_warm_start_point(dlpi_warm_start *s, const dlpi_mixed_block *block, int point)
{
    if (point >= s->room || !block->converged) return;
    copy(s, block->x, block->b, s->point + point * s->size);
    s->has[point] = 1;
}

/* ---- where to start ---- */

/* x and b, which need not be neighbours in a block: += weight v */
static void add(const dlpi_warm_start *s, double weight, const double *v,
                dlpi_mixed_block *block)
{
    const dlp_index n = s->model->rows.n;
    dlpi_axpy(n, weight, v, block->x);
    dlpi_axpy(s->size - n, weight, v + n, block->b);
}

static void begin(const dlpi_warm_start *s, const double *from, dlpi_mixed_block *block)
{
    const dlp_index n = s->model->rows.n;
    memcpy(block->x, from, (size_t)n * sizeof *from);
    memcpy(block->b, from + n, (size_t)(s->size - n) * sizeof *from);
}

/* Along one direction, given what was found at -h and h: v(t) = v + slope t + bend
   t^2. */
static void add_along(const dlpi_warm_start *s, const double *down, double h, double t,
                      dlpi_mixed_block *block)
{
    const double slope = t / (2 * h), bend = t * t / (2 * h * h);
    add(s, bend - slope, down, block);
    add(s, bend + slope, down + s->size, block);
    add(s, -2 * bend, s->model->x, block);
}

/* 2 v - v(-h) */
bool dlpi_warm_start_opposite(const dlpi_warm_start *s, int i, dlpi_mixed_block *block)
{
    if (!s->side) return false;
    begin(s, s->model->x, block);
    add(s, 1, s->model->x, block);
    add(s, -1, s->axis + (i - 1) * s->size, block);
    return true;
}

bool dlpi_warm_start_aside(const dlpi_warm_start *s, const double *psi,
                           dlpi_mixed_block *block)
{
    if (!s->side) return false; /* there is no model, either */
    const dlp_index m = s->model->layout.m;
    if (!(s->apart[m - 1] > 0)) return false;
    begin(s, s->model->x, block);
    for (dlp_index k = 0; k < m; k++) { /* slopes only: the mode has moved since */
        const double slope = (psi[k] - s->explore->mode[k]) / (2 * s->apart[k]);
        add(s, -slope, s->axis + 2 * k * s->size, block);
        add(s, slope, s->axis + (2 * k + 1) * s->size, block);
    }
    return true;
}

bool dlpi_warm_start_near(const dlpi_warm_start *s, const double *z,
                          dlpi_mixed_block *block)
{
    const double farthest = 2.5;
    if (!s->side) return false;
    begin(s, s->model->x, block);
    for (dlp_index k = 0; k < s->model->layout.m; k++)
        add_along(s, s->side + 2 * k * s->size, sqrt(2),
                  fmin(fmax(z[k], -farthest), farthest), block);
    return true;
}

/* The directions in which a place differs from the middle, with a step towards it;
   returns how many. */
static int find_steps(const dlpi_explore *e, const int *place, int *direction, int *step)
{
    int n = 0;
    for (dlp_index k = 0; k < e->m && n < DIRECTIONS; k++) {
        if (place[k] == 0) continue;
        direction[n] = (int)k;
        step[n++] = place[k] > 0 ? -1 : 1;
    }
    return n;
}

/* A sum over single directions misses their interactions. The points between here and the
   middle give these: v = sum over sets S of directions of -(-1)^|S| v one step back in
   each. */
bool dlpi_warm_start_beside(const dlpi_warm_start *s, int point, dlpi_mixed_block *block)
{
    const dlpi_explore *e = s->explore;
    if (!s->point || !e->reach || e->m > DIRECTIONS) return false;
    int direction[DIRECTIONS], step[DIRECTIONS], place[DIRECTIONS],
        from[1 << DIRECTIONS] = {0};
    const int d = find_steps(e, e->place + point * e->m, direction, step);
    if (d < 2) return false;
    for (int set = 1; set < 1 << d; set++) {
        memcpy(place, e->place + point * e->m, (size_t)e->m * sizeof *place);
        for (int k = 0; k < d; k++)
            if (set >> k & 1) place[direction[k]] += step[k];
        from[set] = dlpi_explore_point_at(e, place);
        const bool known = from[set] >= 0 && from[set] < e->settled;
        if (!known || from[set] >= s->room || !s->has[from[set]]) return false;
    }
    begin(s, s->point + from[1] * s->size, block);
    for (int set = 2; set < 1 << d; set++) {
        int odd = 0;
        for (int k = set; k; k &= k - 1) odd = !odd;
        add(s, odd ? 1 : -1, s->point + from[set] * s->size, block);
    }
    return true;
}

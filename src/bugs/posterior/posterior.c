/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/posterior.h"

#include "bugs/posterior/evaluation_time.h"
#include "bugs/posterior/far_tail.h"
#include "bugs/posterior/omitted.h"
#include "core/core.h"
#include "infer/turns.h"
#include "math/dense.h"

#include <delaplace/random.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { MOST_SHIFTED = 100 }; /* with more x, means are taken to be modes, */
enum { MOST_TRIED = 25 };    /*     and so many show how Gaussian they are */

typedef struct run {
    const dlpi_plan *plan;
    const dlpi_posterior_settings *settings;
    dlpi_posterior *p;
    dlpi_field field;
    dlpi_work *work; /* (threads) */
    int threads, lanes;
    double time; /* of an evaluation */
    dlp_index n_kept;
    int32_t *kept;  /* (n_kept) the x and leaves, from 0 to n + 2 L, that are drawn */
    double *center; /* (points, n_kept) their means at each point */
    double *found;  /* (n_found, n + 2 L) x and b at points that count */
    int *found_at;  /* (n_found) the point */
    int n_found, found_room;
    bool no_memory;       /* for them */
    double *here;         /* (threads, 2, n + 2 L) means and variances at one point */
    int *nearest;         /* (draws) the point whose x is drawn */
    dlp_index *own;       /* (draws) sorted by point: the draws of point q are */
    dlp_index *own_begin; /* (points + 1) from own_begin[q] to own_begin[q + 1] */
    double *psi;          /* (draws, m) */
    double *point;        /* (points, m) */
    double *at;           /* (threads, m) */
    double *thirds;       /* (n) what moves means away from modes, where it is alike */
    enum { SHIFT_NONE, SHIFT_ALIKE, SHIFT_EACH } shifts;
} run;

/* ---- the density of psi ---- */

/* psi of what is explored, in the worker's own. */
static const double *psi_of(run *r, int worker, const double *explored)
{
    double *psi = r->at + worker * r->plan->m;
    for (dlp_index i = 0; i < r->plan->m; i++)
        psi[i] = r->p->center[i] + r->p->unit[i] * explored[i];
    return psi;
}

static double log_density(void *context, int worker, const double *explored)
{
    run *r = context;
    const double log_p = dlpi_work_at(&r->work[worker], psi_of(r, worker, explored));
    dlpi_listener_poll_inside(r->settings->listener);
    return log_p;
}

static void begin_at(void *context, const double *explored)
{
    run *r = context;
    dlpi_work *w = &r->work[0];
    const double *psi = psi_of(r, 0, explored);
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
static const double *found_at(const run *r, int point)
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

static bool stopped(void *context)
{
    const run *r = context;
    return dlpi_listener_stopped(r->settings->listener);
}

/* The start of an unknown about which nothing is known: near 0, but not where its
   neighbour starts. Components of a mixture, or cut points, that start equal would stay
   equal. */
static double apart(int32_t cell, double by)
{
    return by * (cell % 7);
}

/* Moves psi_i uphill in steps of `by` as long as that helps; true: it moved. */
static bool climb(run *r, dlp_index i, double by, double *best)
{
    enum { MOST = 8 };
    dlpi_explore *e = &r->p->explore;
    bool moved = false;
    for (int k = 0; k < MOST && !stopped(r); k++) {
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
        r->p->center[i] = isfinite(start) ? start : apart(cell, 0.1);
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

static dlp_status explore(run *r, dlp_error *error)
{
    dlpi_explore *e = &r->p->explore;
    const dlp_index m = r->plan->m;
    DLP_TRY(dlpi_explore_alloc(e, m, error));
    e->threads = r->threads;
    choose_points(r, e);
    r->p->few = e->no_grid;
    e->log_density = log_density;
    e->begin_at = begin_at;
    e->stopped = stopped;
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
static dlp_status one_point(run *r)
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

static double weight_of(const run *r, int point)
{
    return r->plan->m ? r->p->explore.weight[point] : 1;
}

/* Points whose weight matters. */
static bool counts(const run *r, int q)
{
    return weight_of(r, q) > 1e-7;
}

/* ---- which draws a point has ---- */

/* psi of the draws: points in proportion to their weights, in order. */
static void choose_psi(run *r)
{
    const dlpi_psi_points *c = &r->p->psi_points;
    const dlp_index m = r->plan->m, draws = r->p->draws;
    double sum = 0;
    dlp_index at = 0;
    for (dlp_index i = 0; i < draws; i++) {
        const double want = ((double)i + 0.5) / (double)draws;
        while (at + 1 < c->n && sum + c->weight[at] < want) sum += c->weight[at++];
        memcpy(r->psi + i * m, c->psi + at * m, (size_t)m * sizeof *r->psi);
    }
}

/* 1 / variance (m) of each psi by the points. */
static void find_scales(const run *r, double *scale)
{
    const dlp_index m = r->plan->m;
    const dlpi_explore *e = &r->p->explore;
    for (dlp_index k = 0; k < m; k++) {
        double mean = 0, square = 0;
        for (int i = 0; i < e->points; i++) mean += e->weight[i] * r->point[i * m + k];
        for (int i = 0; i < e->points; i++)
            square += e->weight[i] * (r->point[i * m + k] - mean) *
                      (r->point[i * m + k] - mean);
        scale[k] = 1 / fmax(square, 1e-300);
    }
}

/* Which of n points is nearest to psi; the search starts at the one found for another
   psi. */
static int nearest_to(const run *r, const double *psi, const double *scale, int n,
                      const int *point, int first)
{
    const dlp_index m = r->plan->m;
    double best = INFINITY;
    int found = first;
    for (int c = -1; c < n; c++) {
        const int q = c < 0 ? first : point[c];
        const double *at = r->point + q * m;
        double sum = 0;
        for (dlp_index k = 0; k < m && sum <= best; k++)
            sum += (psi[k] - at[k]) * (psi[k] - at[k]) * scale[k];
        if (sum < best || (sum == best && q < found)) {
            best = sum;
            found = q;
        }
    }
    return found;
}

/* Measured in units in which psi is about N(0, I), by the covariance of the points, and
   only among the points that matter: nothing is known about the others. */
static dlp_status find_nearest(run *r, dlp_error *error)
{
    const dlp_index m = r->plan->m;
    const int points = r->p->explore.points;
    double *scale = dlpi_calloc(m, sizeof *scale);
    int *point = dlpi_calloc(points, sizeof *point), n = 0;
    const dlp_status status =
        scale && point ? DLP_OK : dlpi_no_memory(error, "the posterior");
    if (status == DLP_OK) {
        find_scales(r, scale);
        for (int q = 0; q < points; q++)
            if (counts(r, q)) point[n++] = q;
        for (dlp_index i = 0; n > 0 && i < r->p->draws; i++)
            r->nearest[i] = nearest_to(r, r->psi + i * m, scale, n, point,
                                       i ? r->nearest[i - 1] : point[0]);
    }
    free(scale);
    free(point);
    return status;
}

/* Draws point by point, those of each in their order. */
static void list_draws(run *r)
{
    dlp_index *begin = r->own_begin;
    for (dlp_index i = 0; i < r->p->draws; i++) begin[r->nearest[i] + 1]++;
    for (int q = 0; q < r->p->points; q++) begin[q + 1] += begin[q];
    for (dlp_index i = r->p->draws - 1; i >= 0; i--)
        r->own[--begin[r->nearest[i] + 1]] = i;
    for (int q = 0; q < r->p->points; q++) begin[q] = begin[q + 1];
    begin[r->p->points] = r->p->draws;
}

/* ---- x and leaves at a point ---- */

static double *draws_of_kept(const run *r, dlp_index i)
{
    return r->p->draw + (r->plan->m + i) * r->p->draws;
}

/* The draws of an x or of a leaf's coordinate, which must be kept. */
static double *draws_of(const run *r, dlp_index coordinate)
{
    return draws_of_kept(r, r->p->column ? r->p->column[coordinate] : coordinate);
}

static bool is_kept(const run *r, dlp_index coordinate)
{
    return !r->p->column || r->p->column[coordinate] >= 0;
}

/* A draw of the deviation of x from its mean; the other one of a pair is its negative. */
static void draw_x(run *r, dlpi_work *w, dlp_index i)
{
    const dlp_index n = r->plan->n;
    dlp_rng rng = dlp_rng_at(r->settings->seed, (uint64_t)(i / 2));
    for (dlp_index k = 0; k < n; k++) w->step[k] = dlp_draw_normal(&rng);
    if (n) dlp_factor_draw(w->F, w->step);
    for (dlp_index k = 0; k < n; k++)
        if (is_kept(r, k)) draws_of(r, k)[i] = i % 2 ? -w->step[k] : w->step[k];
}

/* The density of a leaf given x, of one coordinate or of two. */
typedef union leaf_density {
    dlpi_quantiles line;
    dlpi_plane plane;
} leaf_density;

/* The deviation of a leaf: the effect of x's deviation on its mean, plus one of its own
   from its density given x; a normal one if it has two coordinates that are close to
   normal. */
static void draw_leaf(run *r, dlpi_work *w, dlp_index l, dlp_index i,
                      const leaf_density *own)
{
    const dlpi_groups *groups = r->field.groups;
    const dlp_index first = groups->support_begin[l],
                    s = groups->support_begin[l + 1] - first, at = r->plan->n + 2 * l;
    const double *slope = w->slope + 2 * first, *v = w->variance + 3 * l;
    dlp_rng rng = dlp_rng_at(r->settings->seed + 1, (uint64_t)(i / 2));
    rng.position = 4 * (uint64_t)l;
    const double sign = i % 2 ? -1 : 1;
    const double a = sign * dlp_draw_normal(&rng), b = sign * dlp_draw_normal(&rng);
    const double root = sqrt(fmax(v[0], 0)), *mean = w->mean + 2 * l;
    double d[2] = {root * a, 0};
    if (r->plan->leaf_cell[2 * l + 1] < 0) {
        d[0] = dlpi_quantile_at(&own->line, a) - mean[0];
    } else if (own->plane.n > 0) {
        dlpi_plane_at(&own->plane, mean, (double[2]){a, b}, d);
    } else {
        const double cross = root > 0 ? v[1] / root : 0;
        d[1] = cross * a + sqrt(fmax(v[2] - cross * cross, 0)) * b;
    }
    for (int c = 0; c < 2; c++) {
        for (dlp_index k = 0; k < s; k++)
            d[c] += slope[c * s + k] * draws_of(r, groups->support[first + k])[i];
        draws_of(r, at + c)[i] = d[c];
    }
}

/* slope S slope' of coordinate c of leaf l */
static double passed_on(const run *r, const dlpi_work *w, dlp_index l, int c)
{
    const dlpi_groups *groups = r->field.groups;
    const dlp_index first = groups->support_begin[l],
                    s = groups->support_begin[l + 1] - first;
    const double *slope = w->slope + 2 * first + c * s;
    const int32_t *place = r->field.leaf_place + r->field.leaf_begin[l];
    double sum = 0;
    for (dlp_index i = 0; i < s; i++)
        for (dlp_index j = i; j < s; j++)
            sum += (i == j ? 1 : 2) * slope[i] * slope[j] * w->S.a[*place++];
    return sum;
}

/* From the mode to the mean. */
static void move_to_mean(run *r, dlpi_work *w)
{
    if (r->shifts == SHIFT_EACH) dlpi_work_thirds(w, w->from);
    (void)dlpi_work_shift(w, r->shifts == SHIFT_EACH ? w->from : r->thirds, w->step);
    for (dlp_index k = 0; k < r->plan->n; k++) w->x[k] += w->step[k];
}

/* Solves at the point; center and var (n + 2 L) receive means and variances. */
static bool visit_point(run *r, dlpi_work *w, int q, double *center, double *var)
{
    const dlp_index n = r->plan->n, L = r->plan->L;
    w->moments = false;
    w->tiny = r->field.tiny;
    w->start = found_at(r, q);
    const double log_p = dlpi_work_at(w, r->point + q * r->plan->m);
    w->start = NULL;
    if (!isfinite(log_p)) return false;
    dlpi_work_moments(w);
    if (r->shifts != SHIFT_NONE) move_to_mean(r, w);
    memcpy(center, w->x, (size_t)n * sizeof *center);
    w->moments = true;
    if (L) dlpi_work_expand(w);
    w->moments = false;
    for (dlp_index k = 0; k < n; k++) var[k] = dlp_sym_entry(&w->S, k, k);
    for (dlp_index l = 0; l < L; l++)
        for (dlp_index c = 0; c < 2; c++) {
            center[n + 2 * l + c] = w->mean[2 * l + c];
            var[n + 2 * l + c] = w->variance[3 * l + 2 * c] + passed_on(r, w, l, (int)c);
        }
    return true;
}

/* How far means lie from modes at the point with the most weight. If the shift is small,
   the derivatives behind it are the same at all points. (Not the shift itself in sds: where
   only a sum of unknowns is well known, it would move the sum by a share of their sds.) */
static void find_shift(run *r)
{
    const double little = 0.03;
    dlpi_work *w = &r->work[0];
    const dlp_index n = r->plan->n;
    int best = 0;
    r->shifts = SHIFT_NONE;
    if (n == 0 || r->plan->gaussian) return;
    for (int q = 1; q < r->p->points; q++)
        if (weight_of(r, q) > weight_of(r, best)) best = q;
    if (!isfinite(dlpi_work_at(w, r->point + best * r->plan->m))) return;
    dlpi_work_moments(w);
    r->p->roughness = dlpi_work_roughness(w, n > MOST_SHIFTED ? MOST_TRIED : n);
    if (n > MOST_SHIFTED) return;
    dlpi_work_thirds(w, r->thirds);
    r->shifts =
        dlpi_work_shift(w, r->thirds, w->step) < little ? SHIFT_ALIKE : SHIFT_EACH;
}

static const double *own_psi_of(void *context, const double *explored)
{
    return psi_of(context, 0, explored);
}

/* What the Gaussian leaves out of the density of psi: costs a sixth of the fit. */
static dlp_status find_omitted(run *r, dlp_error *error)
{
    enum { FEWEST = 4, MOST = 32 };
    const double share = 0.15;
    const dlp_index m = r->plan->m, n = r->plan->n;
    long evaluations = 0;
    if (m == 0 || n == 0 || r->plan->gaussian || r->p->few) return DLP_OK;
    for (int i = 0; i < r->threads; i++) evaluations += r->work[i].evaluations;
    const double pairs = share * (double)evaluations / (double)(4 * m + 2);
    const dlpi_omitted_settings settings = {.psi_of = own_psi_of,
                                            .context = r,
                                            .pairs = (int)fmax(FEWEST, fmin(pairs, MOST)),
                                            .seed = r->settings->seed};
    double *room = dlpi_calloc(2 * m + n, sizeof *room);
    if (!room) return dlpi_no_memory(error, "the posterior");
    r->p->omitted = dlpi_omitted(&r->work[0], &r->p->explore, &settings, room);
    free(room);
    return DLP_OK;
}

/* Whether draws of a leaf are asked for. */
static bool is_wanted(const run *r, dlp_index l)
{
    const bool *wanted = r->settings->wanted;
    const int32_t *cell = r->plan->leaf_cell + 2 * l;
    return !wanted || wanted[cell[0]] || (cell[1] >= 0 && wanted[cell[1]]);
}

/* Draws the leaves that are identical to the first of their class. */
static void draw_class(run *r, dlpi_work *w, int q, dlp_index first)
{
    leaf_density own;
    bool known = false;
    for (dlp_index l = first; l >= 0; l = dlpi_next_alike(r->plan, l)) {
        if (!is_wanted(r, l)) continue;
        if (!known && r->plan->leaf_cell[2 * l + 1] < 0)
            dlpi_quantiles_of(w, first, &own.line);
        else if (!known)
            dlpi_plane_of(w, first, w->mean + 2 * first, w->variance + 3 * first,
                          &own.plane);
        known = true;
        for (dlp_index k = r->own_begin[q]; k < r->own_begin[q + 1]; k++)
            draw_leaf(r, w, l, r->own[k], &own);
    }
}

static void draw_point(run *r, dlpi_work *w, int q)
{
    const dlp_index first = r->own_begin[q], end = r->own_begin[q + 1];
    for (dlp_index k = first; k < end; k++) draw_x(r, w, r->own[k]);
    for (dlp_index l = 0; first < end && l < r->plan->classes; l++)
        draw_class(r, w, q, l);
}

/* ---- the mixture ---- */

static void note_shift(run *r, const dlpi_work *w, const double *var)
{
    for (dlp_index k = 0; k < r->plan->n; k++)
        r->p->shift =
            fmax(r->p->shift, fabs(w->x[k] - w->mode[k]) / sqrt(fmax(var[k], 1e-300)));
}

/* Adds a point to the sums: x_mean and x_sd, followed by those of the leaves, are sums of
   differences from `from`, the first point's center. */
static void add_point(run *r, int q, const double *center, const double *var,
                      double *from, double *total)
{
    const dlp_index wide = r->plan->n + 2 * r->plan->L;
    double *sum = r->p->x_mean, *square = sum + wide;
    const double by = weight_of(r, q);
    if (*total == 0) memcpy(from, center, (size_t)wide * sizeof *from);
    *total += by;
    for (dlp_index k = 0; k < wide; k++) {
        const double d = center[k] - from[k];
        sum[k] += by * d;
        square[k] += by * (var[k] + d * d);
    }
    for (dlp_index i = 0; i < r->n_kept; i++)
        r->center[q * r->n_kept + i] = center[r->kept[i]];
}

/* The points in their order, so that sums do not depend on threads. */
static void visit_all(run *r)
{
    const dlp_index wide = r->plan->n + 2 * r->plan->L;
    double *sum = r->p->x_mean, *from = r->here + wide * 2 * r->threads, total = 0;
    dlpi_turns turns = DLPI_TURNS(0);
#pragma omp parallel for schedule(static, 1) num_threads(r->threads)
    for (int q = 0; q < r->p->points; q++) {
        const int t = omp_get_thread_num();
        double *center = r->here + wide * 2 * t, *var = center + wide;
        const bool there =
            counts(r, q) && !stopped(r) && visit_point(r, &r->work[t], q, center, var);
        if (there) draw_point(r, &r->work[t], q);
        dlpi_turns_wait(&turns, q);
        if (there) {
            note_shift(r, &r->work[t], var);
            add_point(r, q, center, var, from, &total);
        }
        dlpi_turns_pass(&turns);
    }
    dlpi_turns_end(&turns);
    for (dlp_index k = 0; k < wide && total > 0; k++) {
        const double d = sum[k] / total;
        sum[wide + k] = sqrt(fmax(sum[wide + k] / total - d * d, 0));
        sum[k] = from[k] + d;
    }
}

/* ---- draws ---- */

/* How the centers move with psi: least squares, G (n_kept, m). */
static dlp_status regress(run *r, double *G, dlp_error *error)
{
    const dlp_index m = r->plan->m, wide = r->n_kept;
    double *A = dlpi_calloc(m * m + m * (wide + 1) + m, sizeof *A);
    if (!A) return dlpi_no_memory(error, "the posterior");
    double *B = A + m * m, *mean = B + m * wide;
    for (int q = 0; q < r->p->points; q++)
        for (dlp_index k = 0; k < m; k++)
            mean[k] += weight_of(r, q) * r->point[q * m + k];
    for (int q = 0; q < r->p->points; q++) {
        if (!counts(r, q)) continue;
        for (dlp_index k = 0; k < m; k++) {
            const double d = weight_of(r, q) * (r->point[q * m + k] - mean[k]);
            for (dlp_index j = 0; j < m; j++)
                A[k * m + j] += d * (r->point[q * m + j] - mean[j]);
            for (dlp_index c = 0; c < wide; c++)
                B[k * wide + c] +=
                    d * (r->center[q * wide + c] - r->p->x_mean[r->kept[c]]);
        }
    }
    for (dlp_index k = 0; k < m; k++) A[k * (m + 1)] += 1e-12 + 1e-9 * A[k * (m + 1)];
    if (dlpi_cholesky(m, A) < 0)
        for (dlp_index c = 0; c < wide; c++) {
            for (dlp_index k = 0; k < m; k++) mean[k] = B[k * wide + c];
            dlpi_cholesky_solve(m, A, mean);
            memcpy(G + c * m, mean, (size_t)m * sizeof *mean);
        }
    free(A);
    return DLP_OK;
}

/* Deviations become draws. */
static void place_draws(run *r, const double *G)
{
    const dlp_index m = r->plan->m, wide = r->n_kept;
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index i = 0; i < r->p->draws; i++)
            r->p->draw[k * r->p->draws + i] = r->psi[i * m + k];
    for (dlp_index c = 0; c < wide; c++)
        for (dlp_index i = 0; i < r->p->draws; i++) {
            const int q = r->nearest[i];
            double v = r->center[q * wide + c];
            for (dlp_index k = 0; k < m; k++)
                v += G[c * m + k] * (r->psi[i * m + k] - r->point[q * m + k]);
            draws_of_kept(r, c)[i] += v;
        }
}

/* ---- the whole ---- */

/* The most numbers to keep for draws; up to FEW_DRAWN of them, all x and leaves are kept. */
static const double MOST_DRAWN = 6e7, FEW_DRAWN = 4e6;

/* Marks the x and leaves that are wanted, and the x on which such leaves depend. */
static void mark_wanted(run *r)
{
    const dlpi_plan *plan = r->plan;
    const dlpi_groups *groups = r->field.groups;
    int32_t *column = r->p->column;
    for (dlp_index k = 0; k < plan->n; k++)
        column[k] = r->settings->wanted[plan->x_cell[k]] ? 0 : -1;
    for (dlp_index l = 0; l < plan->L; l++) {
        const int32_t keep = is_wanted(r, l) ? 0 : -1;
        column[plan->n + 2 * l] = column[plan->n + 2 * l + 1] = keep;
        for (dlp_index i = groups->support_begin[l];
             keep == 0 && i < groups->support_begin[l + 1]; i++)
            column[groups->support[i]] = 0;
    }
}

/* Which x and leaves are drawn: all or, if there are too many, those wanted. */
static dlp_status choose_kept(run *r, dlp_error *error)
{
    dlpi_posterior *p = r->p;
    const dlp_index m = r->plan->m, wide = r->plan->n + 2 * r->plan->L;
    const bool all = !r->settings->wanted ||
                     (double)r->settings->draws * (double)(m + wide) <= FEW_DRAWN;
    r->kept = dlpi_calloc(wide, sizeof *r->kept);
    if (!all) p->column = dlpi_calloc(wide, sizeof *p->column);
    if (!r->kept || (!all && !p->column)) return dlpi_no_memory(error, "the posterior");
    if (p->column) mark_wanted(r);
    for (dlp_index c = 0; c < wide; c++) {
        if (p->column && p->column[c] < 0) continue;
        if (p->column) p->column[c] = (int32_t)r->n_kept;
        r->kept[r->n_kept++] = (int32_t)c;
    }
    p->draws = r->settings->draws;
    if ((double)p->draws * (double)(m + r->n_kept) > MOST_DRAWN)
        p->draws = (dlp_index)(MOST_DRAWN / (double)(m + r->n_kept)) / 2 * 2 + 2;
    return DLP_OK;
}

static dlp_status allocate(run *r, dlp_error *error)
{
    dlpi_posterior *p = r->p;
    const dlp_index m = r->plan->m, wide = r->plan->n + 2 * r->plan->L;
    DLP_TRY(choose_kept(r, error));
    p->draw = dlpi_calloc(p->draws * (m + r->n_kept), sizeof *p->draw);
    p->memory = dlpi_calloc(2 * wide, sizeof *p->memory);
    r->center = dlpi_calloc((dlp_index)p->points * (r->n_kept + m) + p->draws * m,
                            sizeof *r->center);
    r->here = dlpi_calloc((2 * r->threads + 1) * wide, sizeof *r->here);
    r->nearest = dlpi_calloc(p->draws, sizeof *r->nearest);
    r->own = dlpi_calloc(p->draws + p->points + 1, sizeof *r->own);
    if (!p->draw || !p->memory || !r->center || !r->here || !r->nearest || !r->own)
        return dlpi_no_memory(error, "the posterior");
    r->own_begin = r->own + p->draws;
    r->point = r->center + p->points * r->n_kept;
    r->psi = r->point + p->points * m;
    p->x_mean = p->memory;
    p->leaf_mean = p->x_mean + r->plan->n;
    p->x_sd = p->x_mean + wide;
    p->leaf_sd = p->x_sd + r->plan->n;
    for (int q = 0; q < p->points && m; q++) {
        dlpi_explore_psi(&p->explore, p->explore.z + q * m, r->point + q * m);
        for (dlp_index k = 0; k < m; k++)
            r->point[q * m + k] = p->center[k] + p->unit[k] * r->point[q * m + k];
    }
    return DLP_OK;
}

static dlp_status summarise(run *r, dlp_error *error)
{
    const dlp_index m = r->plan->m;
    DLP_TRY(allocate(r, error));
    if (m) choose_psi(r);
    if (r->plan->n + r->plan->L > 0) { /* else psi is all there is */
        if (m) DLP_TRY(find_nearest(r, error));
        list_draws(r);
        find_shift(r);
        visit_all(r);
        if (!stopped(r)) DLP_TRY(find_omitted(r, error));
    }
    if (stopped(r)) return dlp_fail(error, DLP_ECANCELLED, "cancelled while summarising");
    double *G = dlpi_calloc(r->n_kept * m, sizeof *G);
    if (!G) return dlpi_no_memory(error, "the posterior");
    const dlp_status status = m ? regress(r, G, error) : DLP_OK;
    if (status == DLP_OK) place_draws(r, G);
    free(G);
    return status;
}

static dlp_status keep_mode(run *r, dlp_error *error)
{
    r->p->memory = dlpi_calloc(r->plan->n, sizeof *r->p->memory);
    if (!r->p->memory) return dlpi_no_memory(error, "the posterior");
    r->p->x_mean = r->p->memory;
    memcpy(r->p->x_mean, r->field.x, (size_t)r->plan->n * sizeof *r->field.x);
    return DLP_OK;
}

static dlp_status find(run *r, const dlpi_groups *groups, dlp_error *error)
{
    const double *start = r->settings->start;
    DLP_TRY(dlpi_field_make(groups, &r->field, error));
    r->field.lanes = r->lanes;
    for (dlp_index k = 0; k < r->plan->n; k++) {
        const int32_t cell = r->plan->x_cell[k];
        r->field.x[k] = start && isfinite(start[cell]) ? start[cell] : apart(cell, 0.02);
    }
    r->work = dlpi_calloc(r->threads, sizeof *r->work);
    r->at = dlpi_calloc((r->threads + 1) * r->plan->m + r->plan->n, sizeof *r->at);
    r->p->center = dlpi_calloc(2 * r->plan->m, sizeof *r->p->center);
    if (!r->work || !r->at || !r->p->center)
        return dlpi_no_memory(error, "the posterior");
    r->p->unit = r->p->center + r->plan->m;
    r->thirds = r->at + (r->threads + 1) * r->plan->m;
    for (int i = 0; i < r->threads; i++) {
        DLP_TRY(dlpi_work_alloc(&r->field, &r->work[i], error));
        r->work[i].listener = r->settings->listener;
    }
    if (r->plan->m)
        DLP_TRY(explore(r, error));
    else
        DLP_TRY(one_point(r));
    if (stopped(r))
        return dlp_fail(error, DLP_ECANCELLED, "cancelled before there was a posterior");
    if (r->p->points == 0) return DLP_OK;
    if (r->settings->only_mode) return keep_mode(r, error);
    DLP_TRY(summarise(r, error));
    for (int i = 0; i < r->threads; i++) r->p->evaluations += r->work[i].evaluations;
    return DLP_OK;
}

dlp_status dlpi_posterior_find(const dlpi_groups *groups,
                               const dlpi_posterior_settings *settings, dlpi_posterior *p,
                               dlp_error *error)
{
    dlpi_listener nobody = {0};
    dlpi_posterior_settings own = *settings;
    if (!own.listener) own.listener = &nobody;
    run r = {.plan = groups->plan,
             .settings = &own,
             .p = p,
             .time = dlpi_exploration_time(groups)};
    /* Threads that would wait for each other longer than they work are no use. If there
       are many leaves, threads share the leaves and take one point of psi at a time. */
    const double worth = 2e5, shared = 2e7;
    const int threads =
        settings->threads > 1 && r.plan->cost > worth ? settings->threads : 1;
    const bool share = r.plan->L > 0 && r.plan->cost > shared;
    r.threads = share ? 1 : threads;
    r.lanes = share ? threads : 1;
    *p = (dlpi_posterior){.outcome = DLP_NOT_STARTED,
                          .m = groups->plan->m,
                          .together = groups->plan->m,
                          .n = groups->plan->n,
                          .L = groups->plan->L};
    const dlp_status status = find(&r, groups, error);
    for (int i = 0; r.work && i < r.threads; i++) dlpi_work_free(&r.work[i]);
    free(r.work);
    free(r.center);
    free(r.here);
    free(r.kept);
    free(r.found);
    free(r.found_at);
    free(r.at);
    free(r.nearest);
    free(r.own);
    dlpi_field_clear(&r.field);
    if (status != DLP_OK) dlpi_posterior_clear(p);
    return status;
}

void dlpi_posterior_clear(dlpi_posterior *p)
{
    dlpi_explore_free(&p->explore);
    dlpi_psi_points_free(&p->psi_points);
    for (int i = 0; i < p->n_parts; i++) dlpi_psi_points_free(&p->part[i]);
    free(p->part);
    free(p->first);
    free(p->draw);
    free(p->column);
    free(p->memory);
    free(p->center);
    *p = (dlpi_posterior){0};
}

dlpi_psi_points *dlpi_posterior_points(dlpi_posterior *p, dlp_index i, dlp_index *first)
{
    int k = 0;
    *first = 0;
    if (p->n_parts == 0) return &p->psi_points;
    while (k + 1 < p->n_parts && p->first[k + 1] <= i) k++;
    *first = p->first[k];
    return &p->part[k];
}

static const double *draws_at(const dlpi_posterior *p, dlp_index coordinate)
{
    const dlp_index at = p->column ? p->column[coordinate] : coordinate;
    return at < 0 ? NULL : p->draw + (p->m + at) * p->draws;
}

const double *dlpi_posterior_draws(const dlpi_posterior *p, const dlpi_plan *plan,
                                   dlp_index cell)
{
    const dlp_index at = plan->at[cell];
    switch ((dlpi_role)plan->role[cell]) {
    case DLPI_ROLE_PSI: return p->draw + at * p->draws;
    case DLPI_ROLE_X: return draws_at(p, at);
    case DLPI_ROLE_LEAF: return draws_at(p, p->n + 2 * (dlp_index)plan->leaf[cell] + at);
    case DLPI_ROLE_NONE: break;
    }
    return NULL;
}

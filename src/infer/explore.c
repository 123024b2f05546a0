/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/explore.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { MOST_ITERATIONS = 50 };
/* Differences of the density are taken over this at first, in units of psi, then over about
   HALF an sd in each coordinate. */
static const double APART = 0.1, HALF = 0.5;
static const double FARTHEST = 2;   /* step in a coordinate of psi */
static const double SETTLED = 1e-3; /* gain of a step that ends the search */

/* ---- evaluations ---- */

/* The densities of n points (n, m), by all workers. */
static void evaluate(dlpi_explore *e, dlp_index n, const double *psi, double *log_p)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads)
    for (dlp_index i = 0; i < n; i++) {
        log_p[i] = e->stopped(e->context)
                       ? -INFINITY
                       : e->log_density(e->context, omp_get_thread_num(), psi + i * e->m);
    }
    e->evaluations += (long)n;
}

/* ---- the mode ---- */

/* What the search needs; the arrays are of dlpi_explore.work. */
typedef struct climb {
    double f;
    double *g;     /* (m) */
    double *bend;  /* (m) second derivatives */
    double *apart; /* (m) over how much differences are taken */
    double *B;     /* (m, m) the inverse of minus the Hessian, as far as it is known */
    double *step, *last_g, *at, *y;
    double *psi;   /* (2 m, m) points of differences */
    double *value; /* (2 m) */
} climb;

/* Central differences: gradient and the diagonal of the Hessian. */
static void differentiate(dlpi_explore *e, climb *c, const double *at)
{
    const dlp_index m = e->m;
    for (dlp_index i = 0; i < 2 * m; i++) {
        memcpy(c->psi + i * m, at, (size_t)m * sizeof *at);
        c->psi[i * m + i / 2] += i % 2 ? c->apart[i / 2] : -c->apart[i / 2];
    }
    evaluate(e, 2 * m, c->psi, c->value);
    for (dlp_index i = 0; i < m; i++) {
        const double down = c->value[2 * i], up = c->value[2 * i + 1], h = c->apart[i];
        c->g[i] = (up - down) / (2 * h);
        c->bend[i] = (up - 2 * c->f + down) / (h * h);
        if (!isfinite(c->g[i])) { /* a wall on one side */
            c->g[i] = isfinite(up)     ? (up - c->f) / h
                      : isfinite(down) ? (c->f - down) / h
                                       : 0;
            c->bend[i] = -1;
        }
    }
}

/* Differences over what the curvature suggests; true: they were over far more, or less. */
static bool adapt(const dlpi_explore *e, climb *c)
{
    bool far = false;
    for (dlp_index i = 0; i < e->m; i++) {
        const double sd = 1 / sqrt(fmax(fabs(c->bend[i]), 1e-12));
        const double apart = fmin(fmax(HALF * sd, 1e-4), 0.25);
        far = far || apart < 0.5 * c->apart[i] || apart > 2 * c->apart[i];
        c->apart[i] = apart;
    }
    return far;
}

static void reset(const dlpi_explore *e, climb *c)
{
    memset(c->B, 0, (size_t)(e->m * e->m) * sizeof *c->B);
    for (dlp_index i = 0; i < e->m; i++)
        c->B[i * (e->m + 1)] = 1 / fmax(fabs(c->bend[i]), 0.05);
}

/* B := BFGS's update for the step and y = last_g - g */
static void update(const dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    double *By = c->at;
    for (dlp_index i = 0; i < m; i++) c->y[i] = c->last_g[i] - c->g[i];
    const double sy = dlpi_dot(m, c->step, c->y);
    if (!(sy > 1e-8)) {
        reset(e, c);
        return;
    }
    dlpi_symmetric_multiply(m, c->B, c->y, By);
    const double yBy = dlpi_dot(m, c->y, By);
    for (dlp_index i = 0; i < m; i++)
        for (dlp_index j = 0; j < m; j++)
            c->B[i * m + j] += (1 + yBy / sy) * c->step[i] * c->step[j] / sy -
                               (c->step[i] * By[j] + By[i] * c->step[j]) / sy;
}

/* B g, no longer than is plausible; returns what it promises to gain. */
static double aim(const dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    double longest = 0;
    dlpi_symmetric_multiply(m, c->B, c->g, c->step);
    if (!(dlpi_dot(m, c->step, c->g) > 0)) {
        reset(e, c);
        dlpi_symmetric_multiply(m, c->B, c->g, c->step);
    }
    for (dlp_index i = 0; i < m; i++) longest = fmax(longest, fabs(c->step[i]));
    if (longest > FARTHEST)
        for (dlp_index i = 0; i < m; i++) c->step[i] *= FARTHEST / longest;
    return 0.5 * dlpi_dot(m, c->step, c->g);
}

/* To mode + step, or nearer; false: nowhere is better. */
static bool advance(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    for (double by = 1; by > 1e-3; by /= 2) {
        for (dlp_index i = 0; i < m; i++) c->at[i] = e->mode[i] + by * c->step[i];
        double f;
        evaluate(e, 1, c->at, &f);
        if (!(f > c->f)) continue;
        for (dlp_index i = 0; i < m; i++) c->step[i] *= by;
        memcpy(e->mode, c->at, (size_t)m * sizeof *c->at);
        c->f = f;
        return true;
    }
    return false;
}

static dlp_outcome find_mode(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    e->begin_at(e->context, e->mode);
    evaluate(e, 1, e->mode, &c->f);
    if (!isfinite(c->f)) return e->stopped(e->context) ? DLP_CANCELLED : DLP_DIVERGED;
    for (dlp_index i = 0; i < m; i++) c->apart[i] = APART;
    differentiate(e, c, e->mode);
    reset(e, c);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        if (e->stopped(e->context)) return DLP_CANCELLED;
        const bool ends = !(aim(e, c) > SETTLED) || !advance(e, c);
        if (ends && !adapt(e, c)) return DLP_CONVERGED;
        memcpy(c->last_g, c->g, (size_t)m * sizeof *c->g);
        if (!ends) {
            e->begin_at(e->context, e->mode);
            (void)adapt(e, c);
        }
        differentiate(e, c, e->mode);
        if (ends)
            reset(e, c); /* by differences over another distance */
        else
            update(e, c);
    }
    return DLP_MAX_ITERATIONS;
}

/* ---- scale ---- */

/* Minus the Hessian at the mode into e->root: bend has its diagonal. */
static void find_curvature(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    for (dlp_index i = 0; i < m; i++) e->root[i * (m + 1)] = -c->bend[i];
    for (dlp_index i = 0; i < m; i++) {
        dlp_index n = 0;
        for (dlp_index j = i + 1; j < m; j++)
            for (int sign = -1; sign <= 1; sign += 2, n++) {
                double *psi = c->psi + n * m;
                memcpy(psi, e->mode, (size_t)m * sizeof *psi);
                psi[i] += sign * c->apart[i];
                psi[j] += sign * c->apart[j];
            }
        evaluate(e, n, c->psi, c->value);
        for (dlp_index j = i + 1, k = 0; j < m; j++, k += 2) {
            const double a = c->apart[i], b = c->apart[j];
            const double both = c->value[k] - 2 * c->f + c->value[k + 1];
            const double cross =
                (both - a * a * c->bend[i] - b * b * c->bend[j]) / (2 * a * b);
            e->root[i * m + j] = e->root[j * m + i] = isfinite(cross) ? -cross : 0;
        }
    }
}

/* root = V lambda^-1/2 for -H = V lambda V'. A direction in which the density hardly bends
   is no wider than FLAT. */
static bool find_root(dlpi_explore *e, climb *c)
{
    const double flat = 0.1;
    const dlp_index m = e->m;
    double *V = c->B, *lambda = c->g;
    memcpy(V, e->root, (size_t)(m * m) * sizeof *V);
    if (!dlpi_lapack_eigen(m, V, lambda, c->psi)) return false;
    for (dlp_index k = 0; k < m; k++)
        for (dlp_index i = 0; i < m; i++)
            e->root[i * m + k] = V[k * m + i] / sqrt(fmax(lambda[k], flat));
    return true;
}

void dlpi_explore_psi(const dlpi_explore *e, const double *z, double *psi)
{
    for (dlp_index i = 0; i < e->m; i++)
        psi[i] = e->mode[i] + dlpi_dot(e->m, e->root + i * e->m, z);
}

/* Of a normal density, log p falls by 1 at sqrt(2) sds. */
static void find_spread(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    const double out = sqrt(2);
    for (dlp_index i = 0; i < 2 * m; i++)
        for (dlp_index k = 0; k < m; k++)
            c->psi[i * m + k] =
                e->mode[k] + (i % 2 ? out : -out) * e->root[k * m + i / 2];
    evaluate(e, 2 * m, c->psi, c->value);
    for (dlp_index i = 0; i < 2 * m; i++) {
        const double fall = c->f - c->value[i];
        e->spread[(i % 2) * m + i / 2] =
            isfinite(fall) ? fmin(fmax(sqrt(1 / fmax(fall, 0.01)), 0.3), 4) : 0.3;
    }
}

/* ---- points ---- */

static bool room_for(dlpi_explore *e, int more)
{
    if (e->points + more <= e->room) return true;
    const int room = 2 * (e->room + more);
    double *z = realloc(e->z, (size_t)room * (size_t)e->m * sizeof *z);
    if (z) e->z = z;
    double *log_p = realloc(e->log_p, (size_t)room * sizeof *log_p);
    if (log_p) e->log_p = log_p;
    double *weight = realloc(e->weight, (size_t)room * sizeof *weight);
    if (weight) e->weight = weight;
    if (!z || !log_p || !weight) return false;
    e->room = room;
    return true;
}

/* z at u sds of its side. */
static double at_spread(const dlpi_explore *e, dlp_index k, double u)
{
    return u * e->spread[(u > 0) * e->m + k];
}

/* Adds a point by its u (m), with the volume that it stands for. */
static bool add(dlpi_explore *e, const double *u, double volume)
{
    if (!room_for(e, 1)) return false;
    for (dlp_index k = 0; k < e->m; k++)
        e->z[e->points * e->m + k] = at_spread(e, k, u[k]);
    e->weight[e->points++] = volume;
    return true;
}

/* The densities of the points from `first` on. */
static dlp_status evaluate_from(dlpi_explore *e, int first, dlp_error *error)
{
    const int n = e->points - first;
    double *psi = dlpi_calloc(n, (size_t)e->m * sizeof *psi);
    if (!psi) return dlpi_no_memory(error, "the points of an integral");
    for (int i = 0; i < n; i++)
        dlpi_explore_psi(e, e->z + (first + i) * e->m, psi + i * e->m);
    evaluate(e, n, psi, e->log_p + first);
    free(psi);
    return DLP_OK;
}

/* The width that a step of u has in z, at u. */
static double width_at(const dlpi_explore *e, dlp_index k, double u)
{
    const double below = e->spread[k], above = e->spread[e->m + k];
    return u < 0 ? below : u > 0 ? above : 0.5 * (below + above);
}

/* ---- a grid, of one or two dimensions ---- */

static int *node_at(const dlpi_explore *e, int i, int j)
{
    const int reach = e->reach, side = 2 * reach + 1;
    const bool there = abs(i) <= reach && abs(j) <= (e->m == 1 ? 0 : reach);
    return there ? &e->at_node[(i + reach) * (e->m == 1 ? 1 : side) +
                               (e->m == 1 ? 0 : j + reach)]
                 : NULL;
}

static bool add_node(dlpi_explore *e, int i, int j)
{
    const double u[2] = {e->apart * i, e->apart * j};
    e->node[2 * e->points] = i;
    e->node[2 * e->points + 1] = j;
    *node_at(e, i, j) = e->points;
    return add(e, u, width_at(e, 0, u[0]) * (e->m == 1 ? 1 : width_at(e, 1, u[1])));
}

/* Adds the nodes beside those from `first` on that are not too low. */
static bool add_around(dlpi_explore *e, int first, double deep)
{
    static const int aside[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int last = e->points;
    for (int k = first; k < last; k++) {
        if (!(e->log_p[k] > e->log_mode - deep)) continue;
        for (int d = 0; d < 4; d++) {
            const int i = e->node[2 * k] + aside[d][0],
                      j = e->node[2 * k + 1] + aside[d][1];
            int *at = node_at(e, i, j);
            if (at && *at < 0 && !add_node(e, i, j)) return false;
        }
    }
    return true;
}

/* From the mode outwards, until the density has fallen by DEEP everywhere. */
static dlp_status lay_grid(dlpi_explore *e, dlp_error *error)
{
    const double deep = 6.5;
    e->apart = e->m == 1 ? 0.6 : 0.9;
    e->reach = 16;
    const int nodes = (2 * e->reach + 1) * (2 * e->reach + 1);
    e->at_node = dlpi_calloc(nodes, sizeof *e->at_node);
    e->node = dlpi_calloc(nodes, 2 * sizeof *e->node);
    if (!e->at_node || !e->node)
        return dlpi_no_memory(error, "the points of an integral");
    for (int i = 0; i < nodes; i++) e->at_node[i] = -1;
    bool there = add_node(e, 0, 0);
    for (int first = 0; there && first < e->points;) {
        const int from = first;
        first = e->points;
        DLP_TRY(evaluate_from(e, from, error));
        there = add_around(e, from, deep);
    }
    return there ? DLP_OK : dlpi_no_memory(error, "the points of an integral");
}

/* ---- a design, of more ---- */

/* Walsh functions whose pairwise products are all different, so that a fraction of 2^m
   corners is enough (Sanchez & Sanchez, ACM TOMACS 15, 2005). */
static int fraction(dlp_index m, int *walsh)
{
    static const int known[] = {1,   2,   4,   8,   15,  16,  32,  51,  64,  85,
                                106, 128, 150, 171, 219, 237, 247, 256, 279, 297};
    int corners = 1;
    for (dlp_index k = 0; k < m; k++) walsh[k] = known[k];
    while (corners <= walsh[m - 1]) corners *= 2;
    return corners;
}

static int odd_bits(int x)
{
    int odd = 0;
    for (; x; x &= x - 1) odd = !odd;
    return odd;
}

enum { MOST_BY_CORNERS = 11 };

/* A centre, corners at f0 in each coordinate and 2m points at f0 sqrt(m) on the axes, so
   that the moments of a normal density come out. From MOST_BY_CORNERS on without corners. */
static bool lay_design(dlpi_explore *e)
{
    const double f0 = 1.1;
    const dlp_index m = e->m;
    const bool few = m <= MOST_BY_CORNERS;
    int walsh[MOST_BY_CORNERS] = {0};
    const int corners = few ? fraction(m, walsh) : 0;
    const double points = corners + 2 * (double)m, radius = f0 * f0 * (double)m;
    const double volume = exp(0.5 * radius) / (points * f0 * f0);
    double *u = e->work, centre = 1 - 1 / (f0 * f0);
    for (dlp_index k = 0; k < m; k++) u[k] = 0;
    for (dlp_index k = 0; k < m; k++) centre *= width_at(e, k, 0);
    if (!add(e, u, centre)) return false;
    for (int i = 0; i < corners; i++) {
        double v = volume;
        for (dlp_index k = 0; k < m; k++) {
            u[k] = odd_bits(i & walsh[k]) ? -f0 : f0;
            v *= width_at(e, k, u[k]);
        }
        if (!add(e, u, v)) return false;
    }
    for (dlp_index a = 0; a < 2 * m; a++) {
        double v = volume;
        for (dlp_index k = 0; k < m; k++) {
            u[k] = k == a / 2 ? (a % 2 ? 1 : -1) * sqrt(radius) : 0;
            v *= width_at(e, k, u[k]);
        }
        if (!add(e, u, v)) return false;
    }
    return true;
}

/* From volumes to weights, by the densities. */
static void weigh(dlpi_explore *e)
{
    double top = -INFINITY, sum = 0, unit = e->m <= 2 ? pow(e->apart, (double)e->m) : 1;
    for (int i = 0; i < e->points; i++) top = fmax(top, e->log_p[i]);
    for (int i = 0; i < e->points; i++) sum += e->weight[i] *= exp(e->log_p[i] - top);
    for (int i = 0; i < e->points; i++) e->weight[i] /= sum;
    e->log_evidence = top + log(sum * unit);
    if (e->m > 2) e->log_evidence += 0.5 * (double)e->m * 1.8378770664093454836;
    for (dlp_index k = 0; k < e->m; k++) { /* |root| = product of the columns' lengths */
        double length = 0;
        for (dlp_index i = 0; i < e->m; i++)
            length += e->root[i * e->m + k] * e->root[i * e->m + k];
        e->log_evidence += 0.5 * log(length);
    }
}

static dlp_status visit(dlpi_explore *e, dlp_error *error)
{
    if (e->m <= 2)
        DLP_TRY(lay_grid(e, error));
    else if (!lay_design(e))
        return dlpi_no_memory(error, "the points of an integral");
    else
        DLP_TRY(evaluate_from(e, 0, error));
    weigh(e);
    return DLP_OK;
}

/* ---- the whole ---- */

dlp_status dlpi_explore_alloc(dlpi_explore *e, dlp_index m, dlp_error *error)
{
    e->m = m;
    e->mode = dlpi_calloc(m * (m + 3), sizeof *e->mode);
    e->work = dlpi_calloc(m * (3 * m + 13), sizeof *e->work);
    if (!e->mode || !e->work) return dlpi_no_memory(error, "the scales");
    e->root = e->mode + m;
    e->spread = e->root + m * m;
    return DLP_OK;
}

void dlpi_explore_free(dlpi_explore *e)
{
    free(e->mode);
    free(e->work);
    free(e->z);
    free(e->log_p);
    free(e->weight);
    free(e->at_node);
    free(e->node);
    *e = (dlpi_explore){0};
}

dlp_status dlpi_explore_run(dlpi_explore *e, dlp_error *error)
{
    const dlp_index m = e->m;
    double *at = e->work;
    climb c = {.g = at,
               .bend = at + m,
               .step = at + 2 * m,
               .last_g = at + 3 * m,
               .at = at + 4 * m,
               .y = at + 5 * m,
               .value = at + 6 * m,
               .apart = at + 8 * m,
               .B = at + 9 * m,
               .psi = at + 9 * m + m * m};
    e->outcome = find_mode(e, &c);
    e->log_mode = c.f;
    if (e->outcome == DLP_CANCELLED || !isfinite(c.f)) return DLP_OK;
    find_curvature(e, &c);
    if (!find_root(e, &c)) {
        e->outcome = DLP_DIVERGED;
        return DLP_OK;
    }
    find_spread(e, &c);
    DLP_TRY(visit(e, error));
    if (e->stopped(e->context)) e->outcome = DLP_CANCELLED;
    return DLP_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Points and weights for integrals over the density of dlpi_explore. */
#include "core/core.h"
#include "infer/explore.h"
#include "infer/explore_adapt.h"
#include "infer/psi_polynomial.h"
#include "infer/turns.h"
#include "math/normal_lattice.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { MOST_BY_GRID = 5, USUAL_BY_GRID = 4, MOST_BY_CORNERS = 11 };
/* Points with a smaller share of the integral than this are not looked at. */
static const double OVERLOOKED = 1e-4;

/* ---- a list of points ---- */

static bool room_for_one(dlpi_explore *e)
{
    if (e->points < e->room) return true;
    const int room = 2 * (e->room + 16);
    const size_t wide = (size_t)room * (size_t)(e->m > 0 ? e->m : 1);
    double *z = realloc(e->z, wide * sizeof *z);
    if (z) e->z = z;
    double *log_p = realloc(e->log_p, (size_t)room * sizeof *log_p);
    if (log_p) e->log_p = log_p;
    double *weight = realloc(e->weight, (size_t)room * sizeof *weight);
    if (weight) e->weight = weight;
    int *place = realloc(e->place, wide * sizeof *place);
    if (place) e->place = place;
    if (!z || !log_p || !weight || !place) return false;
    e->room = room;
    return true;
}

bool dlpi_explore_add(dlpi_explore *e, const double *z, double volume)
{
    if (!room_for_one(e)) return false;
    memcpy(e->z + e->points * e->m, z, (size_t)e->m * sizeof *z);
    e->weight[e->points++] = volume;
    return true;
}

/* Adds a point at u (m) that represents this volume in u. */
static bool add(dlpi_explore *e, const double *u, double volume)
{
    if (!room_for_one(e)) return false;
    for (dlp_index k = 0; k < e->m; k++) {
        e->z[e->points * e->m + k] = dlpi_explore_z(e, k, u[k]);
        volume *= dlpi_explore_width(e, k, u[k]);
    }
    e->weight[e->points++] = volume;
    return true;
}

/* A point's approximate share of the integral, before all points are known. */
double dlpi_explore_share(const dlpi_explore *e, int point)
{
    if (e->even) return isfinite(e->log_p[point]) ? 1 / (double)e->points : 0;
    const double most = 100,
                 all = e->reach ? pow(2 * 3.14159265358979, 0.5 * (double)e->m) : 1;
    return e->weight[point] * exp(fmin(e->log_p[point] - e->log_mode, most)) / all;
}

bool dlpi_explore_visit(dlpi_explore *e, int i, int worker, double *psi)
{
    const double *z = e->z + i * e->m;
    e->log_p[i] = -INFINITY;
    if (e->stopped(e->context)) return false;
    if (e->tell) e->tell(e->context, i, e->reach ? 0 : e->points);
    dlpi_explore_psi(e, z, psi);
    if (e->begin_near) e->begin_near(e->context, worker, z);
    if (e->begin_beside) e->begin_beside(e->context, worker, i);
    e->log_p[i] = e->log_density(e->context, worker, psi);
    if (e->note_point) e->note_point(e->context, worker, i);
    if (!e->look || !(dlpi_explore_share(e, i) > OVERLOOKED)) return false;
    e->look(e->context, worker);
    return true;
}

dlp_status dlpi_explore_evaluate_from(dlpi_explore *e, int first, dlp_error *error)
{
    const int n = e->points - first;
    e->settled = first;
    if (e->comm) return dlpi_explore_visit_shared(e, first, error);
    double *psi = dlpi_calloc(e->threads, (size_t)e->m * sizeof *psi);
    if (!psi) return dlpi_no_memory(error, "the points of an integral");
    dlpi_turns turns = DLPI_TURNS(first);
    e->evaluations += n;
#pragma omp parallel for schedule(static, 1) num_threads(e->threads)
    for (int i = first; i < first + n; i++) {
        const int worker = omp_get_thread_num();
        const bool counts = dlpi_explore_visit(e, i, worker, psi + worker * e->m);
        dlpi_turns_wait(&turns, i);
        if (counts) e->take(e->context, worker, i, dlpi_explore_share(e, i));
        dlpi_turns_pass(&turns);
    }
    dlpi_turns_end(&turns);
    free(psi);
    return DLP_OK;
}

/* ---- a grid ---- */

/* The entry for the point at a place (m); NULL beyond the grid. */
static int *point_at(const dlpi_explore *e, const int *place)
{
    dlp_index at = 0;
    for (dlp_index k = 0; k < e->m; k++) {
        if (place[k] < -e->reach || place[k] > e->reach) return NULL;
        at = at * (2 * e->reach + 1) + place[k] + e->reach;
    }
    return &e->at_place[at];
}

static bool add_place(dlpi_explore *e, const int *place)
{
    double u[MOST_BY_GRID] = {0}, volume = 1;
    for (dlp_index k = 0; k < e->m; k++) {
        u[k] = e->apart * place[k];
        volume *= e->apart;
    }
    const int point = e->points;
    if (!add(e, u, volume)) return false;
    memcpy(e->place + point * e->m, place, (size_t)e->m * sizeof *place);
    *point_at(e, place) = point;
    return true;
}

/* log p at a place minus that at the mode; NAN if no point is there, or one that is not
   yet `known`. */
static double height(const dlpi_explore *e, int known, const int *place)
{
    const int *at = point_at(e, place);
    return at && *at >= 0 && *at < known ? e->log_p[*at] - e->log_mode : NAN;
}

/* Predicts log p one step along k from point i, at its place: either as far from normal
   as here or, if there are points behind this one, extrapolated from them with their
   curvature, but with no more than that of a normal density. */
static double ahead(const dlpi_explore *e, int known, int i, int *place, dlp_index k,
                    int step)
{
    const double here = e->log_p[i] - e->log_mode, square = e->apart * e->apart;
    const double normal = here - square * (0.5 + step * place[k]);
    place[k] -= step;
    const double last = height(e, known, place);
    place[k] -= step;
    const double before = height(e, known, place);
    place[k] += 2 * step;
    const double bend = fmin(fmax(here - 2 * last + before, -square), 0);
    const double on = 2 * here - last + bend;
    return e->adaptive && isfinite(on) ? fmax(on, normal) : normal;
}

/* Adds the neighbouring places of the points from `first` on where the density may still
   be high enough. */
static bool add_around(dlpi_explore *e, int first, double deep)
{
    const int last = e->points;
    for (int i = first; i < last; i++) {
        int place[MOST_BY_GRID];
        memcpy(place, e->place + i * e->m, (size_t)e->m * sizeof *place);
        for (dlp_index k = 0; k < 2 * e->m; k++) {
            const int step = k % 2 ? 1 : -1;
            /* On a plateau, as under a flat prior, log p falls less than a normal
               density's would. */
            const double there = e->fine ? e->log_p[i] - e->log_mode
                                         : ahead(e, last, i, place, k / 2, step);
            const bool low = !(there > -deep);
            place[k / 2] += step;
            const int *at = point_at(e, place);
            if (!low && at && *at < 0 && !add_place(e, place)) return false;
            place[k / 2] -= step;
        }
    }
    return true;
}

/* The spacing of points, the most points on either side, and the depth at which they
   end. */
typedef struct spacing {
    double apart[MOST_BY_GRID];
    int reach[MOST_BY_GRID];
    double deep[MOST_BY_GRID];
} spacing;

/* For a normal density, for any other, and on request. The trapezoidal rule is exact to
   1e-4 for a normal density with 1.4 sds between points, and to 1e-3 with 1.6. */
static const spacing *choose_spacing(const dlpi_explore *e)
{
    static const spacing usual[3] = {
        {{0.7, 1.3, 1.3, 1.4, 1.4}, {24, 14, 9, 7, 7}, {8, 8, 8, 8.5, 8.5}},
        {{0.5, 0.8, 1.0, 1.2, 1.4}, {50, 26, 14, 9, 7}, {10, 10, 9, 8.5, 8.5}},
        {{0.4, 0.55, 0.9, 1.0, 1.3}, {75, 40, 16, 12, 9}, {14, 12, 12, 10, 9}}};
    static const spacing followed[3] = {
        {{1.1, 1.5, 1.6, 1.6, 1.6}, {20, 14, 10, 8, 7}, {8, 8.5, 8.5, 8.5, 8.5}},
        {{0.7, 1.1, 1.4, 1.5, 1.6}, {40, 22, 12, 9, 7}, {10, 10, 9, 8.5, 8.5}},
        {{0.4, 0.55, 1.1, 1.2, 1.4}, {75, 40, 15, 12, 9}, {14, 12, 12, 10, 9}}};
    return &(e->adaptive ? followed : usual)[e->normal          ? 0
                                             : e->fine          ? 2
                                             : e->nearly_normal ? 0
                                                                : 1];
}

/* Grows from the mode outwards until the density has fallen far enough on all sides. */
static dlp_status lay_grid(dlpi_explore *e, dlp_error *error)
{
    const spacing *spaces = choose_spacing(e);
    const int origin[MOST_BY_GRID] = {0};
    dlp_index places = 1;
    e->apart = spaces->apart[e->m - 1];
    e->reach = spaces->reach[e->m - 1];
    const double deep = spaces->deep[e->m - 1];
    for (dlp_index k = 0; k < e->m; k++) places *= 2 * e->reach + 1;
    e->at_place = dlpi_calloc(places, sizeof *e->at_place);
    if (!e->at_place) return dlpi_no_memory(error, "the points of an integral");
    for (dlp_index i = 0; i < places; i++) e->at_place[i] = -1;
    bool there = add_place(e, origin);
    for (int first = 0; there && first < e->points;) {
        const int from = first;
        first = e->points;
        DLP_TRY(dlpi_explore_evaluate_from(e, from, error));
        there = add_around(e, from, deep);
    }
    return there ? DLP_OK : dlpi_no_memory(error, "the points of an integral");
}

/* ---- a design ---- */

/* Walsh functions whose pairwise products are all different, so that a fraction of 2^m
   corners is enough (Sanchez & Sanchez, ACM TOMACS 15, 2005). */
static int fraction(dlp_index m, int *walsh)
{
    static const int known[MOST_BY_CORNERS] = {1, 2, 4, 8, 15, 16, 32, 51, 64, 85, 106};
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

/* A centre, corners at f0 in each coordinate and 2m points at f0 sqrt(m) on the axes,
   which give the exact moments of a normal density. */
static bool lay_design(dlpi_explore *e)
{
    const double f0 = 1.1;
    const dlp_index m = e->m;
    int walsh[MOST_BY_CORNERS] = {0};
    const int corners = fraction(m, walsh);
    const double points = corners + 2 * (double)m, radius = f0 * f0 * (double)m;
    const double volume = exp(0.5 * radius) / (points * f0 * f0);
    double *u = e->work;
    memset(u, 0, (size_t)m * sizeof *u);
    bool there = add(e, u, 1 - 1 / (f0 * f0));
    for (int i = 0; there && i < corners; i++) {
        for (dlp_index k = 0; k < m; k++) u[k] = odd_bits(i & walsh[k]) ? -f0 : f0;
        there = add(e, u, volume);
    }
    for (dlp_index a = 0; there && a < 2 * m; a++) {
        memset(u, 0, (size_t)m * sizeof *u);
        u[a / 2] = (a % 2 ? 1 : -1) * sqrt(radius);
        there = add(e, u, volume);
    }
    return there;
}

/* For a density that is normal to two digits: points on the axes alone, at sqrt(m). They
   are enough for functions that are quadratic in psi. */
static bool lay_axes(dlpi_explore *e)
{
    const double M = (double)e->m, volume = exp(0.5 * M) / (2 * M);
    double *u = e->work;
    bool there = true;
    for (dlp_index a = 0; there && a < 2 * e->m; a++) {
        memset(u, 0, (size_t)e->m * sizeof *u);
        u[a / 2] = (a % 2 ? 1 : -1) * sqrt(M);
        there = add(e, u, volume);
    }
    return there;
}

bool dlpi_explore_has_axes(const dlpi_explore *e)
{
    return !e->bent && e->m > 1 && e->m <= MOST_BY_CORNERS;
}

/* ---- a lattice ---- */

static bool is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0) return false;
    return true;
}

/* With more scales, the points of a design would lie where the density is no longer
   normal, and one point would have all the weight. Lattice points lie where the density
   does and have equal weights. The lattice's dimensions all differ while there are fewer
   than (n - 1) / 2. */
static dlp_status lay_lattice(dlpi_explore *e, dlp_error *error)
{
    const dlp_index m = e->m;
    int n = (int)(2 * m + 3) | 1;
    while (!is_prime(n)) n += 2;
    double *u = dlpi_calloc(m * n + m, sizeof *u), *one = u + m * n;
    dlp_status status = u ? dlpi_normal_lattice(n, m, u, error)
                          : dlpi_no_memory(error, "the points of an integral");
    double square = 0; /* of one dimension; all have the same numbers */
    for (int i = 0; status == DLP_OK && i < n; i++) square += u[i] * u[i];
    const double stretch = sqrt(n / square);
    e->even = true;
    for (int i = 0; status == DLP_OK && i < n; i++) {
        double half = -0.5 * (double)m; /* half of u'u, minus its expectation */
        for (dlp_index k = 0; k < m; k++) {
            one[k] = u[k * n + i] * stretch;
            half += 0.5 * one[k] * one[k];
        }
        if (!add(e, one, exp(half)))
            status = dlpi_no_memory(error, "the points of an integral");
    }
    free(u);
    return status;
}

/* Six for each coefficient of the polynomial through them (psi_polynomial.h). */
static int weighed_points(dlp_index m)
{
    int n = (int)(6 * dlpi_polynomial_terms(m)) | 1;
    while (!is_prime(n)) n += 2;
    return n;
}

/* Points of N(0, stretch^2) in u, weighted by the density itself. */
static dlp_status lay_weighted(dlpi_explore *e, dlp_error *error)
{
    const dlp_index m = e->m;
    const int n = weighed_points(m);
    double *u = dlpi_calloc(m * n + m, sizeof *u), *one = u + m * n;
    dlp_status status = u ? dlpi_normal_lattice(n, m, u, error)
                          : dlpi_no_memory(error, "the points of an integral");
    e->stretch = 1.15;
    for (int i = 0; status == DLP_OK && i < n; i++) {
        double volume = 1.0 / n;
        for (dlp_index k = 0; k < m; k++) {
            volume *= e->stretch * exp(0.5 * u[k * n + i] * u[k * n + i]);
            one[k] = u[k * n + i] * e->stretch;
        }
        if (!add(e, one, volume))
            status = dlpi_no_memory(error, "the points of an integral");
    }
    free(u);
    return status;
}

/* Equal weights. The integral uses the first two cumulants of d, the deviation of log p
   from a normal density's: E[exp d] = exp{E[d] + Var[d] / 2}. */
static double weigh_evenly(dlpi_explore *e)
{
    double n = 0, mean = 0, square = 0;
    for (int i = 0; i < e->points; i++) {
        const bool there = isfinite(e->log_p[i]);
        const double d = there ? e->log_p[i] - e->log_mode + log(e->weight[i]) : 0;
        e->weight[i] = there;
        mean += d;
        square += d * d;
        n += there;
    }
    n = fmax(n, 1);
    mean /= n;
    for (int i = 0; i < e->points; i++) e->weight[i] /= n;
    return e->log_mode + mean + 0.5 * (square / n - mean * mean) + 0.5 * (double)e->m;
}

/* ---- the whole ---- */

/* No point weighs more than sqrt(n) times the mean (Ionides, 2008). Returns the sum. */
static double truncate(dlpi_explore *e, double sum)
{
    const double most = sum / sqrt((double)e->points);
    double all = 0;
    for (int i = 0; i < e->points; i++) {
        e->weight[i] = fmin(e->weight[i], most);
        all += e->weight[i];
    }
    return all;
}

/* Turns volumes into weights, using the densities; returns the logarithm of their sum. */
static double weigh_by_density(dlpi_explore *e)
{
    double top = -INFINITY, sum = 0;
    for (int i = 0; i < e->points; i++) top = fmax(top, e->log_p[i]);
    for (int i = 0; i < e->points; i++) sum += e->weight[i] *= exp(e->log_p[i] - top);
    if (e->stretch > 0) sum = truncate(e, sum);
    for (int i = 0; i < e->points; i++) e->weight[i] /= sum;
    return top + log(fmax(sum, DBL_MIN));
}

/* Volumes of a design or lattice are those of a normal density with height 1. */
static void weigh(dlpi_explore *e)
{
    const double log_2_pi = 1.8378770664093454836;
    e->log_evidence = (e->even ? weigh_evenly(e) : weigh_by_density(e)) +
                      (e->reach ? 0 : 0.5 * (double)e->m * log_2_pi);
    for (dlp_index k = 0; k < e->m; k++) { /* |root| = product of the columns' lengths */
        double square = 0;
        for (dlp_index i = 0; i < e->m; i++)
            square += e->root[i * e->m + k] * e->root[i * e->m + k];
        e->log_evidence += 0.5 * log(fmax(square, DBL_MIN));
    }
}

int dlpi_explore_point_at(const dlpi_explore *e, const int *place)
{
    const int *at = point_at(e, place);
    return at ? *at : -1;
}

double dlpi_explore_beside(const dlpi_explore *e, int point)
{
    double sum = 0;
    for (dlp_index k = 0; e->reach && k < 2 * e->m; k++) {
        int place[MOST_BY_GRID];
        memcpy(place, e->place + point * e->m, (size_t)e->m * sizeof *place);
        place[k / 2] += k % 2 ? 1 : -1;
        const int *at = point_at(e, place);
        if (at && *at >= 0) sum += e->weight[*at];
    }
    return sum;
}

/* For densities that suit neither a grid nor a design. */
static dlp_status lay_many(dlpi_explore *e, dlp_error *error)
{
    bool found = false;
    if (e->log_sd) DLP_TRY(dlpi_explore_adapt(e, &found, error));
    return found ? DLP_OK : lay_weighted(e, error);
}

dlp_status dlpi_explore_points(dlpi_explore *e, dlp_error *error)
{
    const dlp_index by_grid = e->no_grid                  ? 0
                              : e->fine                   ? MOST_BY_GRID
                              : e->normal && !e->adaptive ? 2
                                                          : USUAL_BY_GRID;
    const bool by_design = e->normal_to_two_digits && dlpi_explore_has_axes(e);
    if (e->m <= by_grid && !by_design)
        DLP_TRY(lay_grid(e, error));
    else if (e->m > MOST_BY_CORNERS)
        DLP_TRY(lay_lattice(e, error));
    else if (e->no_design && !by_design)
        DLP_TRY(lay_many(e, error));
    else if (!(by_design ? lay_axes(e) : lay_design(e)))
        return dlpi_no_memory(error, "the points of an integral");
    if (!e->reach && !e->centre) DLP_TRY(dlpi_explore_evaluate_from(e, 0, error));
    weigh(e);
    return DLP_OK;
}

dlp_status dlpi_explore_axes(dlpi_explore *e, dlp_error *error)
{
    if (!lay_axes(e)) return dlpi_no_memory(error, "the points of an integral");
    DLP_TRY(dlpi_explore_evaluate_from(e, 0, error));
    weigh(e);
    return DLP_OK;
}

dlp_status dlpi_explore_mode(dlpi_explore *e, dlp_error *error)
{
    if (!room_for_one(e)) return dlpi_no_memory(error, "the points of an integral");
    memset(e->z, 0, (size_t)e->m * sizeof *e->z);
    e->log_p[0] = e->log_density(e->context, 0, e->mode);
    e->weight[0] = 1;
    e->points = 1;
    if (e->look) {
        e->look(e->context, 0);
        e->take(e->context, 0, 0, 1);
    }
    e->log_evidence = e->m == 0 ? e->log_mode : NAN; /* there is nothing to integrate */
    return DLP_OK;
}

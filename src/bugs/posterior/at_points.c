/* SPDX-License-Identifier: BSD-3-Clause */
/* x and the leaves at each point of psi: their moments, and deviations from the means. */
#include "bugs/posterior/posterior_run.h"
#include "infer/turns.h"

#include <delaplace/random.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { MOST_SHIFTED = 100 }; /* with more x, means are taken to be modes, */
enum { MOST_TRIED = 25 };    /*     and so many show how Gaussian they are */

typedef dlpi_posterior_run run;

/* ---- x and leaves at a point ---- */

/* The draws of an x or of a leaf's coordinate, which must be kept. */
static double *draws_of(const run *r, dlp_index coordinate)
{
    return dlpi_kept_draws(r, r->p->column ? r->p->column[coordinate] : coordinate);
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
    if (n) dlp_cholesky_draw(w->F, w->step);
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
    if (r->shifts == DLPI_SHIFT_EACH) dlpi_work_thirds(w, w->from);
    (void)dlpi_work_shift(w, r->shifts == DLPI_SHIFT_EACH ? w->from : r->thirds, w->step);
    for (dlp_index k = 0; k < r->plan->n; k++) w->x[k] += w->step[k];
}

/* Solves at the point; center and var (n + 2 L) receive means and variances. */
static bool visit_point(run *r, dlpi_work *w, int q, double *center, double *var)
{
    const dlp_index n = r->plan->n, L = r->plan->L;
    w->moments = false;
    w->tiny = r->field.tiny;
    w->start = dlpi_found_at(r, q);
    const double log_p = dlpi_work_at(w, r->point + q * r->plan->m);
    w->start = NULL;
    if (!isfinite(log_p)) return false;
    dlpi_work_moments(w);
    if (r->shifts != DLPI_SHIFT_NONE) move_to_mean(r, w);
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
void dlpi_find_shift(run *r)
{
    const double little = 0.03;
    dlpi_work *w = &r->work[0];
    const dlp_index n = r->plan->n;
    int best = 0;
    r->shifts = DLPI_SHIFT_NONE;
    if (n == 0 || r->plan->gaussian) return;
    for (int q = 1; q < r->p->points; q++)
        if (dlpi_point_weight(r, q) > dlpi_point_weight(r, best)) best = q;
    if (!isfinite(dlpi_work_at(w, r->point + best * r->plan->m))) return;
    dlpi_work_moments(w);
    r->p->roughness = dlpi_work_roughness(w, n > MOST_SHIFTED ? MOST_TRIED : n);
    if (n > MOST_SHIFTED) return;
    dlpi_work_thirds(w, r->thirds);
    r->shifts = dlpi_work_shift(w, r->thirds, w->step) < little ? DLPI_SHIFT_ALIKE
                                                                : DLPI_SHIFT_EACH;
}

/* Draws the leaves that are identical to the first of their class. */
static void draw_class(run *r, dlpi_work *w, int q, dlp_index first)
{
    leaf_density own;
    bool known = false;
    for (dlp_index l = first; l >= 0; l = dlpi_next_alike(r->plan, l)) {
        if (!dlpi_leaf_is_wanted(r, l)) continue;
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
    const double by = dlpi_point_weight(r, q);
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
void dlpi_visit_points(run *r)
{
    const dlp_index wide = r->plan->n + 2 * r->plan->L;
    double *sum = r->p->x_mean, *from = r->here + wide * 2 * r->threads, total = 0;
    dlpi_turns turns = DLPI_TURNS(0);
#pragma omp parallel for schedule(static, 1) num_threads(r->threads)
    for (int q = 0; q < r->p->points; q++) {
        const int t = omp_get_thread_num();
        dlpi_listener_report_point(r->settings->listener, q, r->p->points);
        double *center = r->here + wide * 2 * t, *var = center + wide;
        const bool there = dlpi_point_counts(r, q) && !dlpi_run_stopped(r) &&
                           visit_point(r, &r->work[t], q, center, var);
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

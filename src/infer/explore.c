/* SPDX-License-Identifier: BSD-3-Clause */
#include "infer/explore.h"

#include "core/core.h"
#include "infer/bfgs.h"
#include "math/dense.h"
#include "math/lapack.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { MOST_ITERATIONS = 50, MOST_CUTS = 10 };
/* The first differences of the density use this step, in units of psi; later ones use
   about HALF an sd in each coordinate. */
static const double APART = 0.1, HALF = 0.5;
static const double FARTHEST = 2;   /* longest step in a coordinate of psi */
static const double SETTLED = 1e-3; /* the search ends at a step that gains less... */
static const double EXACTLY = 1e-5; /* ... or less than this, if the mode is the answer */
static const double TWO_DIGITS =
    0.04; /* allowed deviation of log p from a normal density's, where that is -1 */

/* ---- evaluations ---- */

/* Evaluates the densities of n points (n, m) on all workers. */
void dlpi_explore_evaluate(dlpi_explore *e, dlp_index n, const double *psi, double *log_p)
{
    e->evaluations += (long)n;
    if (n == 1) { /* worker 0, whose result begin_at() may use */
        *log_p = e->log_density(e->context, 0, psi);
        return;
    }
    if (e->comm) {
        dlpi_explore_evaluate_shared(e, n, psi, log_p);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads)
    for (dlp_index i = 0; i < n; i++) {
        log_p[i] = e->stopped(e->context)
                       ? -INFINITY
                       : e->log_density(e->context, omp_get_thread_num(), psi + i * e->m);
    }
}

/* ---- the mode ---- */

/* The state of the search; its arrays lie in dlpi_explore.work. */
typedef struct climb {
    double f;
    double *g;     /* (m) */
    double *bend;  /* (m) second derivatives */
    double *apart; /* (m) steps of the differences */
    double *B;     /* (m, m) the inverse of minus the Hessian, as far as known */
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
    dlpi_explore_evaluate(e, 2 * m, c->psi, c->value);
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

/* Adapts the steps of differences to the curvature; true if they were far too long or
   short. */
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
    for (dlp_index i = 0; i < m; i++) c->y[i] = c->last_g[i] - c->g[i];
    if (!(dlpi_dot(m, c->step, c->y) > 1e-8)) {
        reset(e, c);
        return;
    }
    dlpi_bfgs_update(m, c->step, c->y, c->B, c->at);
}

/* B g, limited to a plausible length; returns the gain it promises. */
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

/* Moves to mode + step, or part of the way; false if no point on it is better. */
static bool advance(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    double by = 1;
    for (int cut = 0; cut < MOST_CUTS; cut++, by /= 2) {
        for (dlp_index i = 0; i < m; i++) c->at[i] = e->mode[i] + by * c->step[i];
        double f;
        dlpi_explore_evaluate(e, 1, c->at, &f);
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
    const double least = e->only_mode ? EXACTLY : SETTLED;
    dlpi_explore_evaluate(e, 1, e->mode, &c->f);
    if (!isfinite(c->f)) return e->stopped(e->context) ? DLP_CANCELLED : DLP_DIVERGED;
    e->begin_at(e->context, e->mode);
    for (dlp_index i = 0; i < m; i++) c->apart[i] = APART;
    differentiate(e, c, e->mode);
    reset(e, c);
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        if (e->stopped(e->context)) return DLP_CANCELLED;
        const bool ends = !(aim(e, c) > least) || !advance(e, c);
        if (ends && !adapt(e, c)) return DLP_CONVERGED;
        memcpy(c->last_g, c->g, (size_t)m * sizeof *c->g);
        if (!ends) {
            e->begin_at(e->context, e->mode);
            (void)adapt(e, c);
        }
        differentiate(e, c, e->mode);
        if (ends)
            reset(e, c); /* by differences with another step */
        else
            update(e, c);
    }
    return DLP_MAX_ITERATIONS;
}

/* ---- scale ---- */

/* Minus the Hessian at the mode, into e->root; `bend` holds its diagonal. */
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
        dlpi_explore_evaluate(e, n, c->psi, c->value);
        for (dlp_index j = i + 1, k = 0; j < m; j++, k += 2) {
            const double a = c->apart[i], b = c->apart[j];
            const double both = c->value[k] - 2 * c->f + c->value[k + 1];
            const double cross =
                (both - a * a * c->bend[i] - b * b * c->bend[j]) / (2 * a * b);
            e->root[i * m + j] = e->root[j * m + i] = isfinite(cross) ? -cross : 0;
        }
    }
}

/* root = V lambda^-1/2 for -H = V lambda V'. In a direction with hardly any curvature,
   the scale is limited to FLAT. */
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

/* What is to be added to the density, and where its mode then is. */
static dlp_status correct_mode(dlpi_explore *e, climb *c, dlp_error *error)
{
    if (!e->note) return DLP_OK;
    dlpi_explore_evaluate(e, 1, e->mode, &c->f);
    c->f += e->note(e->context, 0, (int)(2 * e->m), isfinite(c->f));
    if (e->beyond) DLP_TRY(dlpi_explore_recentre(e, &c->f, error));
    e->log_mode = c->f;
    return DLP_OK;
}

static void evaluate_sides(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    e->evaluations += 2 * (long)m;
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->threads)
    for (dlp_index i = 0; i < 2 * m; i++) {
        const int worker = omp_get_thread_num();
        if (e->begin_aside) e->begin_aside(e->context, worker, c->psi + i * m);
        c->value[i] = e->stopped(e->context)
                          ? -INFINITY
                          : e->log_density(e->context, worker, c->psi + i * m);
        if (e->note)
            c->value[i] += e->note(e->context, worker, (int)i, isfinite(c->value[i]));
    }
}

/*
 * u, in which the density is about N(0, I): along each direction z = u (a + b tanh(u /
 * 2)), chosen so that log p has fallen by u^2 / 2 at z = -out and out.
 */
static void bend(dlpi_explore *e, dlp_index k, double out, const double *fall)
{
    const double most = 0.75; /* limit of b / a, which keeps z increasing */
    const double least =
        e->fine && e->m <= 2 ? 0.5 : 0.05; /* a plateau is no wide peak */
    double slope[2], bends[2];
    for (int side = 0; side < 2; side++) {
        const double down = isfinite(fall[side]) ? fmin(fmax(fall[side], least), 20) : 20,
                     u = sqrt(2 * down);
        slope[side] = out / u;
        bends[side] = tanh(u / 2);
    }
    const double b = (slope[1] - slope[0]) / (bends[0] + bends[1]);
    const double a = slope[0] + b * bends[0];
    e->scale[k] = a;
    e->skew[k] = a * fmin(fmax(b / a, -most), most);
}

static void measure_tails(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    const double out = sqrt(2);
    for (dlp_index i = 0; i < 2 * m; i++)
        for (dlp_index k = 0; k < m; k++)
            c->psi[i * m + k] =
                e->mode[k] + (i % 2 ? out : -out) * e->root[k * m + i / 2];
    bool tailed = false;
    evaluate_sides(e, c);
    e->normal = e->nearly_normal = true;
    e->normal_to_two_digits = e->adaptive && !e->bent;
    for (dlp_index k = 0; k < m; k++) {
        const double fall[2] = {c->f - c->value[2 * k], c->f - c->value[2 * k + 1]};
        for (int side = 0; side < 2; side++) {
            e->normal = e->normal && fabs(fall[side] - 1) < 0.1;
            e->nearly_normal = e->nearly_normal && fabs(fall[side] - 1) < 0.15;
            e->normal_to_two_digits =
                e->normal_to_two_digits && fabs(fall[side] - 1) < TWO_DIGITS;
            tailed = tailed || !(fabs(fall[side] - 1) < 0.35);
        }
        bend(e, k, out, fall);
    }
    /* a non-normal tail, such as that of an sd that may be 0, is lost between widely
       spaced points */
    if (tailed && (m <= 3 || (m == 4 && e->quick)) && !e->costly) e->fine = true;
    if (m == 5 && e->quick && !e->normal) e->fine = true;
}

/* Whether the curvature at the mode (-H is in e->root) is so strong that a density of sds
   is normal to two digits. The threshold is that of an sd estimated from L effects, whose
   log density has curvature 2 L. */
static bool is_sharp(const dlpi_explore *e)
{
    const double sharp = 600;
    bool all = e->adaptive && e->forget && !e->note && dlpi_explore_has_axes(e);
    for (dlp_index i = 0; i < e->m; i++) all = all && e->root[i * (e->m + 1)] > sharp;
    return all;
}

/* For such a density, evaluates points on the axes, which also serve as points of the
   integral. *enough: the density is normal to two digits. */
static dlp_status try_axes(dlpi_explore *e, bool *enough, dlp_error *error)
{
    const double out = sqrt((double)e->m), normal = 0.5 * (double)e->m,
                 most = TWO_DIGITS * out / sqrt(2);
    for (dlp_index k = 0; k < e->m; k++) e->scale[k] = 1, e->skew[k] = 0;
    e->is_sharp = true;
    DLP_TRY(dlpi_explore_axes(e, error));
    e->is_sharp = false;
    *enough = true;
    for (dlp_index k = 0; k < e->m; k++) {
        double fall[2];
        for (int side = 0; side < 2; side++) {
            fall[side] = e->log_mode - e->log_p[2 * k + side];
            *enough = *enough && fabs(fall[side] / normal - 1) < most;
        }
        bend(e, k, out, fall);
    }
    e->normal = e->nearly_normal = e->normal_to_two_digits = *enough;
    if (*enough) return DLP_OK;
    e->points = 0;
    e->forget(e->context);
    return DLP_OK;
}

/* Marks a density that looks normal near its mode as not normal if it hardly falls far
   out, as that of a shape does whose prior has a spike at 0. */
static void look_far_out(dlpi_explore *e, climb *c)
{
    const dlp_index m = e->m;
    const double far = 5, least = 8; /* a normal density has fallen by 12.5 there */
    for (dlp_index i = 0; i < 2 * m; i++) {
        const double z = dlpi_explore_z(e, i / 2, i % 2 ? far : -far);
        for (dlp_index k = 0; k < m; k++)
            c->psi[i * m + k] = e->mode[k] + z * e->root[k * m + i / 2];
    }
    e->evaluations += 2 * (long)m;
    dlpi_explore_evaluate(e, 2 * m, c->psi, c->value);
    for (dlp_index i = 0; i < 2 * m; i++)
        if (c->f - c->value[i] < least) e->normal = e->nearly_normal = false;
}

/* ---- the whole ---- */

dlp_status dlpi_explore_alloc(dlpi_explore *e, dlp_index m, dlp_error *error)
{
    e->m = m;
    e->mode = dlpi_calloc(m * (m + 3), sizeof *e->mode);
    e->work = dlpi_calloc(m * (3 * m + 13), sizeof *e->work);
    if (!e->mode || !e->work) return dlpi_no_memory(error, "the scales");
    e->root = e->mode + m;
    e->scale = e->root + m * m;
    e->skew = e->scale + m;
    return DLP_OK;
}

void dlpi_explore_free(dlpi_explore *e)
{
    free(e->mode);
    free(e->work);
    free(e->z);
    free(e->log_p);
    free(e->weight);
    free(e->place);
    free(e->centre);
    free(e->count);
    free(e->at_place);
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
    bool by_gradient = false;
    if (e->gradient) DLP_TRY(dlpi_explore_ascend(e, &c.f, &by_gradient, error));
    e->outcome = by_gradient ? DLP_CONVERGED : find_mode(e, &c);
    if (e->stopped(e->context)) e->outcome = DLP_CANCELLED;
    e->log_mode = c.f;
    if (e->outcome == DLP_CANCELLED || !isfinite(c.f)) return DLP_OK;
    if (e->only_mode || m == 0) return dlpi_explore_mode(e, error);
    if (!by_gradient) find_curvature(e, &c);
    const bool sharp = is_sharp(e);
    if (!find_root(e, &c)) {
        e->outcome = DLP_DIVERGED;
        return DLP_OK;
    }
    bool enough = false;
    if (sharp) DLP_TRY(try_axes(e, &enough, error));
    if (!enough) {
        DLP_TRY(correct_mode(e, &c, error));
        measure_tails(e, &c);
        if (e->fine && e->normal && !e->costly && !e->note) look_far_out(e, &c);
        DLP_TRY(dlpi_explore_points(e, error));
    }
    if (e->stopped(e->context)) e->outcome = DLP_CANCELLED;
    if (e->shared != DLP_OK)
        return dlpi_advise(error, e->why.remedy,
                           dlp_fail(error, e->shared, "%s", e->why.message));
    return DLP_OK;
}

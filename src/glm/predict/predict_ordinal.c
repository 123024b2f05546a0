/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The probabilities of an ordinal regression's levels, p(y <= j) = F(c_j - eta), averaged
 * over q(theta). eta and the cut points are correlated under q, the more so the farther a
 * column is from 0. Only their differences count,
 *
 *   u_j = c_j - eta = t + exp(delta_1) + ... + exp(delta_j),   t = delta_0 - eta,
 *
 * where t and the deltas are jointly normal. t is integrated out by the trapezoidal rule,
 * since most of the uncertainty is along it. Given t = E[t] + s v, with v ~ N(0, 1), the
 * deltas from 1 on are normal about E[delta] + b v/s, b their covariance with t, and are
 * summed over by a lattice. With LL' their covariance and h = L^-1 b, the deltas at a
 * node z are
 *
 *   E[delta] + b v/s + L (I - kappa h h') z,   (I - kappa h h')^2 = I - h h'/s^2:
 *
 * so Lz is computed once for all rows.
 */
#include "glm/predict/predict_ordinal.h"

#include "core/core.h"
#include "glm/predict/predict.h"
#include "math/dense.h"
#include "math/normal_lattice.h"
#include "math/symmetric/structure.h"

#include <delaplace/special.h>
#include <math.h>
#include <string.h>

/* Points of the lattice: primes. Up to two deltas need fewer. */
enum { FEW_POINTS = 127, POINTS = 251 };

struct dlpi_ordinal {
    const dlpi_ordinal_link *link;
    dlp_index p, K, D; /* columns; levels; deltas from 1 on, K - 2 */
    dlp_index n;       /* the order of Sigma */
    const double *mu, *S;
    int points;
    double *z;          /* (D, points) */
    double *delta;      /* (D, points) E[delta] + L z */
    double *root;       /* (D, D) L */
    double *cuts;       /* (K-1) at the mean */
    double *difference; /* (p+1) (x, -1): its product with theta is eta - delta_0 */
    double *b, *h;      /* (D) */
    double *pull;       /* (points) kappa h'z */
    double *gap;        /* (D, points) exp(delta) at v = 0 */
    /* At one t, for all points: */
    double *factor;        /* (D) of the gaps */
    double *u;             /* (K-1, points) */
    double *below, *above; /* (K-1, points) F(u_j), 1 - F(u_j) */
};

/* ---- alloc ---- */

static double *carve(double **memory, dlp_index count)
{
    double *from = *memory;
    *memory += count;
    return from;
}

static dlp_status make_room(dlpi_ordinal *o, dlp_error *error)
{
    const dlp_index D = o->D, J = o->K - 1, points = o->points;
    const dlp_index vectors = dlpi_size(1, o->p, 3 * D + J + 1 + points);
    double *memory = dlpi_calloc(
        dlpi_size(points, 3 * D + 3 * J, dlpi_size(D, D, vectors)), sizeof *memory);
    if (!memory) {
        (void)dlpi_no_memory(error, "predictions");
        return DLP_ENOMEM;
    }
    o->z = carve(&memory, D * points);
    o->delta = carve(&memory, D * points);
    o->gap = carve(&memory, D * points);
    o->u = carve(&memory, J * points);
    o->below = carve(&memory, J * points);
    o->above = carve(&memory, J * points);
    o->root = carve(&memory, D * D);
    o->cuts = carve(&memory, J);
    o->difference = carve(&memory, o->p + 1);
    o->b = carve(&memory, D);
    o->h = carve(&memory, D);
    o->factor = carve(&memory, D);
    o->pull = carve(&memory, points);
    return DLP_OK;
}

static void place_points(dlpi_ordinal *o)
{
    const dlp_index D = o->D, first = o->p + 1; /* delta_1 in theta */
    for (dlp_index k = 0; k < D; k++)
        memcpy(o->root + k * D, o->S + (first + k) * o->n + first,
               (size_t)D * sizeof *o->root);
    dlpi_root(D, o->root);
    for (dlp_index k = 0; k < D; k++)
        for (int i = 0; i < o->points; i++) {
            double sum = o->mu[first + k];
            for (dlp_index l = 0; l <= k; l++)
                sum += o->root[k * D + l] * o->z[l * o->points + i];
            o->delta[k * o->points + i] = sum;
        }
}

dlp_status dlpi_ordinal_alloc(const dlpi_ordinal_link *link, dlp_index p, dlp_index K,
                              const double *mu, const dlp_sym *Sigma,
                              dlpi_ordinal **ordinal, dlp_error *error)
{
    dlpi_ordinal *o = dlpi_calloc(1, sizeof *o);
    if (!o) {
        (void)dlpi_no_memory(error, "predictions");
        return DLP_ENOMEM;
    }
    *o = (dlpi_ordinal){.link = link,
                        .p = p,
                        .K = K,
                        .D = K - 2,
                        .n = Sigma->shape.n,
                        .mu = mu,
                        .S = dlp_sym_block(Sigma, 0),
                        .points = K > 4   ? POINTS
                                  : K > 2 ? FEW_POINTS
                                          : 1};
    dlp_status status = DLP_OK;
    DLP_TRY_OR(failed, make_room(o, error));
    DLP_TRY_OR(failed, dlpi_normal_lattice(o->points, o->D, o->z, error));
    place_points(o);
    for (dlp_index j = 0; j < K - 1; j++)
        o->cuts[j] = j == 0 ? mu[p] : o->cuts[j - 1] + exp(mu[p + j]);
    *ordinal = o;
    return DLP_OK;
failed:
    dlpi_ordinal_free(o);
    return status;
}

void dlpi_ordinal_free(dlpi_ordinal *o)
{
    if (!o) return;
    free(o->z); /* where the block begins */
    free(o);
}

/* ---- at the mean ---- */

void dlpi_ordinal_at_mean(const dlpi_ordinal *o, double eta, double *p)
{
    for (dlp_index k = 0; k < o->K; k++) {
        dlpi_level_slopes unused;
        const double gap = k > 0 && k < o->K - 1 ? o->mu[o->p + k] : 0;
        p[k] = exp(dlpi_log_level(o->link, k, o->K, o->cuts[dlpi_cut_of_level(k)] - eta,
                                  gap, &unused));
    }
}

/* ---- averages ---- */

/* Loads b, h and kappa h'z for a row; returns s. */
static double load_row(dlpi_ordinal *o, const double *row, const dlpi_ordinal_more *more)
{
    const dlp_index D = o->D, p = o->p;
    const double *with = more->with_cuts;
    double squares = 0;
    memcpy(o->difference, row, (size_t)p * sizeof *row);
    o->difference[p] = -1;
    const double own = more->variance - (with ? 2 * with[0] : 0);
    const double variance =
        fmax(dlpi_quadratic(p + 1, o->difference, o->S, o->n) + own, 0);
    for (dlp_index k = 0; k < D; k++) {
        const double *L = o->root + k * D;
        o->b[k] = -dlpi_dot(p + 1, o->S + (p + 1 + k) * o->n, o->difference);
        if (with) o->b[k] -= with[1 + k];
        o->h[k] = L[k] > 0 ? (o->b[k] - dlpi_dot(k, L, o->h)) / L[k] : 0;
        squares += o->h[k] * o->h[k];
    }
    const double left = variance > 0 ? fmax(1 - squares / variance, 0) : 1;
    const double kappa = squares > 0 ? (1 - sqrt(left)) / squares : 0;
    memset(o->pull, 0, (size_t)o->points * sizeof *o->pull);
    for (dlp_index k = 0; k < D; k++)
        for (int i = 0; i < o->points; i++)
            o->pull[i] += kappa * o->h[k] * o->z[k * o->points + i];
    return sqrt(variance);
}

/* How far the u_j move when v moves by 1, at the mean: the largest of them. */
static double steepness(const dlpi_ordinal *o, double s)
{
    double move = s, most = s;
    for (dlp_index k = 0; s > 0 && k < o->D; k++) {
        move += exp(o->mu[o->p + 1 + k]) * o->b[k] / s;
        most = fmax(most, fabs(move));
    }
    return most;
}

/* So that the product of two such exponentials is finite. */
static double within_reach(double x)
{
    return fmin(fmax(x, -300), 300);
}

static void load_gaps(const dlpi_ordinal *o)
{
    const int points = o->points;
    for (dlp_index k = 0; k < o->D; k++)
        for (int i = 0; i < points; i++)
            o->gap[k * points + i] =
                within_reach(o->delta[k * points + i] - o->b[k] * o->pull[i]);
    dlp_exp_array(o->D * points, o->gap, o->gap);
}

/* u starting from t, where the deltas move by b times the shift. */
static void load_u(const dlpi_ordinal *o, double t, double shift)
{
    const int points = o->points;
    for (int i = 0; i < points; i++) o->u[i] = t;
    for (dlp_index k = 0; k < o->D; k++) {
        const double *gap = o->gap + k * points,
                     factor = exp(within_reach(o->b[k] * shift));
        double *u = o->u + k * points;
        for (int i = 0; i < points; i++) u[points + i] = u[i] + factor * gap[i];
        o->factor[k] = factor;
    }
}

static double total(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

/* The sum over the points of p(y = k), the difference of two probabilities: of those
   above or those below, whichever are smaller and so keep their digits. With a narrow gap
   neither do; there it is the density in the middle of the gap times its width. */
static double total_between(const dlpi_ordinal *o, dlp_index k)
{
    const dlp_index to = k * o->points, from = to - o->points;
    const double *below = o->below + to, *below_1 = o->below + from,
                 *above = o->above + to, *above_1 = o->above + from,
                 *gaps = o->gap + from, *u = o->u + from, factor = o->factor[k - 1],
                 narrow = 1e-5;
    double sum = 0;
    for (int i = 0; i < o->points; i++) {
        const double gap = factor * gaps[i], lower = below[i] - below_1[i],
                     upper = above_1[i] - above[i],
                     wide = below[i] < above_1[i] ? lower : upper;
        sum += gap < narrow ? gap * o->link->density(u[i] + 0.5 * gap) : wide;
    }
    return sum;
}

/* Adds weight times the sum of p(y = k) over the points. */
static void add_levels(const dlpi_ordinal *o, double weight, double *p)
{
    const dlp_index last = o->K - 1;
    p[0] += weight * total(o->points, o->below);
    for (dlp_index k = 1; k < last; k++) p[k] += weight * total_between(o, k);
    p[last] += weight * total(o->points, o->above + (last - 1) * o->points);
}

void dlpi_ordinal_average(dlpi_ordinal *o, const double *row,
                          const dlpi_ordinal_more *more, double *p)
{
    const double far = 6, least = 0.1; /* of v, and of its steps */
    const double s = load_row(o, row, more),
                 t = -dlpi_dot(o->p + 1, o->mu, o->difference) - more->mean;
    const double step = fmax(fmin(1, 1.5 / steepness(o, s)), least);
    const int half = (int)ceil(far / step);
    double weights = 0;
    load_gaps(o);
    memset(p, 0, (size_t)o->K * sizeof *p);
    for (int k = -half; k <= half; k++) {
        const double v = far * k / half, weight = exp(-0.5 * v * v);
        load_u(o, t + s * v, s > 0 ? v / s : 0);
        o->link->sides((o->K - 1) * o->points, o->u, o->below, o->above);
        add_levels(o, weight, p);
        weights += weight * o->points;
    }
    for (dlp_index k = 0; k < o->K; k++) p[k] /= weights;
}

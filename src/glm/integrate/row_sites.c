/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/integrate/row_sites.h"

#include <math.h>

/* The trapezoidal rule: how many nodes, how far apart they may be while MOST_NODES allows
   it (l changes within a unit or two), and how far down the density they reach, in
   nats. */
enum { NODES = 96, MOST_NODES = DLPI_TILE, DOUBLINGS = 48, PARTS = 8, MOST_STEPS = 200 };
static const double APART = 1.5, DEEP = 30;
static const double LOG_2_PI = 1.8378770664093454836;

void dlpi_row_tilt_take(dlpi_row_tilt *t, const dlpi_family *family, double tau, double y,
                        double trials, double df, double weight)
{
    t->family = family;
    t->tau = tau;
    t->weight = weight;
    for (int i = 0; i < DLPI_TILE; i++) {
        t->y[i] = y;
        t->trials[i] = trials;
    }
    t->rows.y = t->y;
    t->rows.trials = t->trials;
    t->rows.df = df;
    t->rows.weight = t->rows.xi = NULL;
}

double dlpi_row_tilt_at(dlpi_row_tilt *t, double eta)
{
    dlpi_rows *r = &t->rows;
    r->n = 1;
    r->eta[0] = eta;
    t->family->evaluate(r, t->tau, 0);
    return t->weight * r->l[0];
}

/* Into rows.l: l(eta) plus the log of the Gaussian, at the n numbers in rows.eta; and the
   derivatives of l up to the order. */
static void evaluate(dlpi_row_tilt *t, int n, double m, double v, int order)
{
    dlpi_rows *r = &t->rows;
    r->n = n;
    t->family->evaluate(r, t->tau, order);
    for (int i = 0; i < n; i++) {
        const double off = r->eta[i] - m;
        r->l[i] = t->weight * r->l[i] - 0.5 * off * off / v;
        if (order < 2) continue;
        r->l_e[i] = t->weight * r->l_e[i] - off / v;
        r->l_ee[i] = t->weight * r->l_ee[i] - 1 / v;
    }
}

/* The derivative at eta, and the sd that the curvature there implies. Where the family's
   result is not finite, eta is too far out. */
static double slope_at(dlpi_row_tilt *t, double m, double v, double eta, double *sd)
{
    dlpi_rows *r = &t->rows;
    r->eta[0] = eta;
    evaluate(t, 1, m, v, 2);
    *sd = r->l_ee[0] < 0 ? 1 / sqrt(-r->l_ee[0]) : 0;
    if (isnan(r->l_e[0])) return eta > m ? -INFINITY : INFINITY;
    return r->l_e[0];
}

/* Moves on from *from, where the derivative is *slope, until its sign changes; the mode
   then lies between *from and the returned value. */
static double pass_mode(dlpi_row_tilt *t, double m, double v, double *from, double slope)
{
    double step = copysign(0.01 * sqrt(v), slope), sd;
    for (int i = 0; i < MOST_STEPS; i++, step *= 2) {
        const double to = *from + step, there = slope_at(t, m, v, to, &sd);
        if (!(there * slope > 0)) return to;
        *from = to;
    }
    return *from;
}

/* Newton's method between two bounds, bisecting every so often: far up an exponential,
   Newton's steps have length one. Returns the sd that the curvature at the mode implies;
   0 where no mode was found. */
static double find_mode(dlpi_row_tilt *t, double m, double v, double *mode)
{
    double sd, at = *mode, slope = slope_at(t, m, v, at, &sd);
    double near = at, far = pass_mode(t, m, v, &near, slope);
    const double uphill = copysign(1, slope); /* at near */
    slope = slope_at(t, m, v, at = near, &sd);
    for (int i = 0; i < MOST_STEPS; i++) {
        const double step = slope * sd * sd;
        if (sd > 0 && fabs(step) <= 1e-3 * sd) {
            *mode = at;
            return sd;
        }
        double to = at + step;
        if (!((to - near) * uphill > 0 && (far - to) * uphill > 0) || i % 4 == 3)
            to = 0.5 * (near + far);
        slope = slope_at(t, m, v, at = to, &sd);
        if (slope * uphill > 0)
            near = at;
        else
            far = at;
    }
    return 0;
}

/* The index of the first of `count` distances from the mode, in the direction of the
   sign, at which the density has ended; count where there is none. */
static int first_end(dlpi_row_tilt *t, double m, double v, double mode, double sign,
                     const double *distance, int count)
{
    dlpi_rows *r = &t->rows;
    r->eta[count] = mode;
    for (int i = 0; i < count; i++) r->eta[i] = mode + sign * distance[i];
    evaluate(t, count + 1, m, v, 0);
    int i = 0;
    while (i < count && r->l[i] > r->l[count] - DEEP) i++;
    return i;
}

/* How far the density reaches on that side; 0 where it does not end. */
static double reach(dlpi_row_tilt *t, double m, double v, double mode, double sd,
                    double sign)
{
    double distance[DOUBLINGS];
    for (int i = 0; i < DOUBLINGS; i++) distance[i] = ldexp(2 * sd, i);
    const int end = first_end(t, m, v, mode, sign, distance, DOUBLINGS);
    if (end == DOUBLINGS) return 0;
    const double far = distance[end];
    for (int i = 0; i < PARTS; i++) distance[i] = far * (1 + (i + 1) / (double)PARTS) / 2;
    return distance[first_end(t, m, v, mode, sign, distance, PARTS - 1)];
}

/* Nodes mode + core sinh(t) at even spaces of t, with their weights: where the Gaussian
   is wide, l cuts it off on one side, and the nodes are dense there. Returns how many. */
static int spread_nodes(dlpi_rows *r, double mode, double down, double up, double *width)
{
    const int n = (int)fmin(MOST_NODES, fmax(NODES, (down + up) / APART));
    const double core = 0.5 * fmin(down, up), first = -asinh(down / core),
                 space = (asinh(up / core) - first) / (n - 1), ratio = exp(space);
    double grown = exp(first); /* exp(t) */
    for (int i = 0; i < n; i++, grown *= ratio) {
        r->eta[i] = mode + 0.5 * core * (grown - 1 / grown);
        width[i] = 0.5 * core * (grown + 1 / grown) * space;
    }
    return n;
}

/*
 * For a response h(y) = eta + sigma Z with Z normal, known exactly or to an interval, the
 * integral over eta ~ N(m, v) is its own likelihood at m with sigma^2 + v in the place of
 * sigma^2, and log Z' = l_e, log Z'' = l_ee by m:
 *
 *   E[eta] = m + v l_e,   Var[eta] = v + v^2 l_ee,
 *
 * where Var[eta] is v sigma^2/(sigma^2 + v) for a response known exactly.
 */
static bool normal_moments(dlpi_row_tilt *t, double m, double v, double *mode,
                           dlpi_tilted *out)
{
    dlpi_rows *r = &t->rows;
    const double noise = exp(2 * t->tau), all = noise + v;
    r->n = 1;
    r->eta[0] = m;
    t->family->evaluate(r, 0.5 * log(all), 2);
    const bool exact = r->y[0] == r->trials[0];
    *out =
        (dlpi_tilted){.log_z = r->l[0],
                      .mean = m + v * r->l_e[0],
                      .variance = exact ? v * (noise / all) : v * (1 + v * r->l_ee[0])};
    *mode = out->mean;
    return isfinite(out->log_z) && isfinite(out->mean) && out->variance > 0;
}

bool dlpi_row_tilt_moments(dlpi_row_tilt *t, double m, double v, double *mode,
                           dlpi_tilted *out)
{
    dlpi_rows *r = &t->rows;
    if (t->family->normal && t->weight == 1) return normal_moments(t, m, v, mode, out);
    const double sd = find_mode(t, m, v, mode);
    if (!(sd > 0)) return false;
    const double down = reach(t, m, v, *mode, sd, -1), up = reach(t, m, v, *mode, sd, 1);
    if (!(down > 0 && up > 0)) return false;
    double width[MOST_NODES], most = -INFINITY, sum = 0, mean = 0, square = 0;
    const int n = spread_nodes(r, *mode, down, up, width);
    evaluate(t, n, m, v, 0);
    for (int i = 0; i < n; i++) most = fmax(most, r->l[i]);
    for (int i = 0; i < n; i++) {
        const double w = width[i] * exp(r->l[i] - most), off = r->eta[i] - *mode;
        sum += w;
        mean += w * off;
        square += w * off * off;
    }
    if (!(sum > 0)) return false;
    mean /= sum;
    *out = (dlpi_tilted){.log_z = most + log(sum) - 0.5 * (LOG_2_PI + log(v)),
                         .mean = *mode + mean,
                         .variance = square / sum - mean * mean};
    return isfinite(out->log_z) && out->variance > 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/far_tail.h"

#include <string.h>

enum { MOST_PLACES = 24 };

typedef struct tail {
    dlpi_explore *e;
    dlpi_node_value *value;
    const void *context;
    dlp_index k;
    double mean, variance;    /* of the node */
    double *psi;              /* (m) of a point */
    double *centre, *sd;      /* (m) of psi */
    double *along;            /* (m) how psi moves with psi_k */
    double *at, *last, *next; /* (m) */
} tail;

static void find_psi_moments(tail *t)
{
    const dlpi_explore *e = t->e;
    const dlp_index m = e->m;
    memset(t->centre, 0, (size_t)m * sizeof *t->centre);
    memset(t->sd, 0, (size_t)m * sizeof *t->sd);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < e->points; i++) {
            dlpi_explore_psi(e, e->z + i * m, t->psi);
            for (dlp_index j = 0; j < m; j++) {
                const double d = t->psi[j] - t->centre[j];
                if (pass)
                    t->sd[j] += e->weight[i] * d * d;
                else
                    t->next[j] = (i ? t->next[j] : 0) + e->weight[i] * t->psi[j];
            }
            if (!pass && i + 1 == e->points)
                memcpy(t->centre, t->next, (size_t)m * sizeof *t->centre);
        }
    for (dlp_index j = 0; j < m; j++) t->sd[j] = sqrt(t->sd[j]);
}

/* Moments of node k, how psi moves with psi_k, and where the points end. */
static void find_axis(tail *t, double end[2])
{
    const dlpi_explore *e = t->e;
    const dlp_index m = e->m, k = t->k;
    double mean = 0, square = 0;
    memset(t->along, 0, (size_t)m * sizeof *t->along);
    end[0] = INFINITY, end[1] = -INFINITY;
    for (int i = 0; i < e->points; i++) {
        dlpi_explore_psi(e, e->z + i * m, t->psi);
        const double x = t->value(t->context, k, t->psi[k]), w = e->weight[i];
        mean += w * x;
        square += w * x * x;
        end[0] = fmin(end[0], t->psi[k]);
        end[1] = fmax(end[1], t->psi[k]);
        for (dlp_index j = 0; j < m; j++)
            t->along[j] += w * (t->psi[j] - t->centre[j]) * (t->psi[k] - t->centre[k]) /
                           (t->sd[k] * t->sd[k]);
    }
    t->mean = mean;
    t->variance = square - mean * mean;
}

static double density(tail *t, const double *psi)
{
    t->e->evaluations++;
    return t->e->log_density(t->e->context, 0, psi);
}

/* log p at `at`, whose coordinates other than psi_k first move uphill, one by one. */
static double on_ridge(tail *t)
{
    double f = density(t, t->at);
    for (dlp_index j = 0; j < t->e->m && isfinite(f); j++) {
        if (j == t->k) continue;
        const double h = 0.5 * t->sd[j], was = t->at[j];
        t->at[j] = was + h;
        const double up = density(t, t->at);
        t->at[j] = was - h;
        const double down = density(t, t->at), bend = up - 2 * f + down;
        const double newton = bend < 0 ? 0.5 * (down - up) / bend : up > down ? 4 : -4;
        t->at[j] = was + h * fmin(fmax(newton, -4), 4);
        const double there = density(t, t->at);
        if (there > f)
            f = there;
        else
            t->at[j] = was;
    }
    return f;
}

/* int p and int (x - mean)^2 p / variance beyond one end, with p by its ridge in units of a
   normal density's mass: whether both matter. */
static bool is_tail(tail *t, double end, int side)
{
    const double lowest = -25, highest = -3, first = 0.5, longer = 1.25;
    const double much = 0.2, rare = 1e-4; /* of the variance; of the probability */
    const dlp_index m = t->e->m, k = t->k;
    double step = side * first * t->sd[k], mass = 0, square = 0, last[2] = {0};
    for (dlp_index j = 0; j < m; j++)
        t->at[j] = t->last[j] = t->centre[j] + t->along[j] * (end - t->centre[k]);
    for (int i = 0; i < MOST_PLACES; i++, step *= longer) {
        const double f = on_ridge(t) - t->e->log_mode,
                     d = t->value(t->context, k, t->at[k]) - t->mean;
        if (!(f > lowest && f < highest)) break; /* another maximum is no tail */
        const double p = exp(f), half = i ? 0.5 * fabs(t->at[k] - t->last[k]) : 0;
        mass += half * (last[0] + p);
        square += half * (last[1] + p * d * d);
        last[0] = p;
        last[1] = p * d * d;
        for (dlp_index j = 0; j < m; j++) { /* straight on */
            const double moved = t->at[j] - t->last[j];
            t->last[j] = t->at[j];
            t->at[j] += j == k ? step : i ? longer * moved : t->along[j] * step;
        }
    }
    const double whole = sqrt(2 * acos(-1)) * t->sd[k];
    return square > much * whole * t->variance && mass > rare * whole;
}

bool dlpi_has_far_tail(dlpi_explore *e, dlpi_node_value *value, const void *context,
                       double *room)
{
    const dlp_index m = e->m;
    tail t = {.e = e,
              .value = value,
              .context = context,
              .psi = room,
              .centre = room + m,
              .sd = room + 2 * m,
              .along = room + 3 * m,
              .at = room + 4 * m,
              .last = room + 5 * m,
              .next = room + 6 * m};
    find_psi_moments(&t);
    for (t.k = 0; t.k < m; t.k++) {
        double end[2];
        if (!(t.sd[t.k] > 0)) continue;
        find_axis(&t, end);
        if (!(t.variance > 0)) continue;
        for (int side = 0; side < 2; side++)
            if (is_tail(&t, end[side], side ? 1 : -1)) return true;
    }
    return false;
}

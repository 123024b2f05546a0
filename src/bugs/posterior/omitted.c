/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/omitted.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

/* The residual of f at mode + step: what is left of it after the quadratic about the mode,
   where half is (step' H step) / 2. Limited: far out a residual of a few draws would
   decide, and it is an expansion about the mode that is asked for. */
static double residual(dlpi_work *w, double by, double half, double top)
{
    const double most = 20;
    for (dlp_index k = 0; k < w->of->plan->n; k++) w->x[k] = w->mode[k] + by * w->step[k];
    const double r = dlpi_work_value(w) - top + half;
    return isnan(r) ? -most : fmax(-most, fmin(most, r));
}

/* log E exp(r) of the residual r under the Gaussian, by pairs of opposite draws: the mean of
   r's even part plus half the variance of its odd part, which are the terms with fourth
   and with third derivatives. z (n) is room. */
static double left_out(dlpi_work *w, const dlpi_omitted_settings *s, double *z)
{
    const dlp_index n = w->of->plan->n;
    double sum = 0;
    memcpy(w->mode, w->x, (size_t)n * sizeof *w->mode);
    const double top = dlpi_work_value(w);
    for (int i = 0; i < s->pairs; i++) {
        dlp_rng rng = dlp_rng_at(s->seed, (uint64_t)i);
        double half = 0;
        for (dlp_index k = 0; k < n; k++) {
            z[k] = dlp_draw_normal(&rng);
            half += 0.5 * z[k] * z[k];
        }
        memcpy(w->step, z, (size_t)n * sizeof *z);
        dlp_cholesky_draw(w->F, w->step);
        const double right = residual(w, 1, half, top), left = residual(w, -1, half, top),
                     even = 0.5 * (right + left), odd = 0.5 * (right - left);
        sum += even + 0.5 * odd * odd;
    }
    memcpy(w->x, w->mode, (size_t)n * sizeof *w->x);
    return sum / s->pairs;
}

static double left_out_at(dlpi_work *w, const dlpi_explore *e,
                          const dlpi_omitted_settings *s, const double *z, double *room)
{
    dlpi_explore_psi(e, z, room);
    if (!isfinite(dlpi_work_at(w, s->psi_of(s->context, room)))) return NAN;
    return left_out(w, s, room + e->m);
}

/* A density N(0, 1) of u that is multiplied by exp(a u + b u^2 / 2) moves by a, and its sd
   grows by b / 2. The same draws serve all points: differences have less noise. */
double dlpi_omitted(dlpi_work *w, const dlpi_explore *e, const dlpi_omitted_settings *s,
                    double *room)
{
    double *z = room, most = 0;
    memset(z, 0, (size_t)e->m * sizeof *z);
    const double middle = left_out_at(w, e, s, z, room + e->m);
    for (dlp_index k = 0; k < e->m; k++) {
        double at[2];
        for (int side = 0; side < 2; side++) {
            z[k] = dlpi_explore_z(e, k, side ? 1 : -1);
            at[side] = left_out_at(w, e, s, z, room + e->m);
        }
        z[k] = 0;
        const double moves = 0.5 * fabs(at[1] - at[0]),
                     widens = 0.5 * fabs(at[1] + at[0] - 2 * middle);
        most = fmax(most, fmax(moves, widens)); /* of numbers: NAN is no answer */
    }
    return most;
}

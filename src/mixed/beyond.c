/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/beyond.h"

#include "core/core.h"
#include "math/dense.h"

#include <delaplace/random.h>
#include <math.h>
#include <string.h>

static const double FAR = 3; /* a logarithm of a factor that is not believed */

/* f at mode + by d; its gradient is added to `sum`. */
static double look(dlpi_mixed_block *k, const double *mode, const double *d, double by,
                   double *sum)
{
    const dlp_index n = k->of->rows.n;
    for (dlp_index i = 0; i < n; i++) k->x[i] = mode[i] + by * d[i];
    dlpi_mixed_block_expand(k);
    dlpi_axpy(n, 1, k->gradient, sum);
    return isfinite(k->f) ? k->log_integrals : NAN;
}

/*
 * d has an even and an odd part in x - mode. That of the odd which is linear, t'(x - mode)
 * with t = 1/2 f_3 S, is what the gradient is on average, and its variance t'S t is known;
 * the draws are left the rest.
 */
dlpi_beyond dlpi_mixed_beyond(dlpi_mixed_block *k, int pairs)
{
    const dlp_index n = k->of->rows.n;
    const double top = k->log_integrals;
    double *draws = dlpi_calloc(n * (pairs + 3) + pairs, sizeof *draws);
    if (!draws) return (dlpi_beyond){0, false};
    double *t = draws + n * pairs, *mode = t + n, *St = mode + n, *odd = St + n;
    double even = 0, square = 0;
    memcpy(mode, k->x, (size_t)n * sizeof *mode);
    for (int i = 0; i < pairs; i++) {
        double *d = draws + i * n;
        dlp_rng rng = dlp_rng_at(20, (uint64_t)i);
        for (dlp_index j = 0; j < n; j++) d[j] = dlp_draw_normal(&rng);
        const double half = 0.5 * dlpi_dot(n, d, d);
        dlp_factor_draw(k->F, d);
        const double up = look(k, mode, d, 1, t), down = look(k, mode, d, -1, t);
        even += (0.5 * (up + down) - top + half) / pairs;
        odd[i] = 0.5 * (up - down);
    }
    for (dlp_index j = 0; j < n; j++) St[j] = t[j] /= 2 * pairs;
    dlp_factor_solve(k->F, St);
    for (int i = 0; i < pairs; i++) {
        const double rest = odd[i] - dlpi_dot(n, t, draws + i * n);
        square += rest * rest / pairs;
    }
    const double log_p = even + 0.5 * (dlpi_dot(n, t, St) + square);
    memcpy(k->x, mode, (size_t)n * sizeof *mode);
    k->log_integrals = top;
    free(draws);
    return (dlpi_beyond){isfinite(log_p) ? log_p : 0, fabs(log_p) < FAR};
}

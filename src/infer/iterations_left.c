/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Most loops converge geometrically: the rate of the last few steps is that of the rest.
 * The steps of EM shrink as a power of the iteration, i^-p, and not geometrically: fast
 * directions converge first and leave ever slower ones. We estimate p between a third of
 * the iterations and now. A large p comes from the fast directions, so we cap it at the
 * usual power for the rest.
 */
#include "infer/iterations_left.h"

#include <math.h>

static const double USUAL_POWER = 1.25, LEAST_POWER = 0.3, SEEN = 1.15;

double dlpi_steps_left(dlpi_steps *s, double size, double tol, double most)
{
    s->size[++s->seen % DLPI_STEPS_KEPT] = fabs(size);
    const int back =
        s->seen - 2 < DLPI_STEPS_KEPT - 1 ? s->seen - 2 : DLPI_STEPS_KEPT - 1;
    if (back < 1 || !(tol > 0)) return 0;
    const double now = s->size[s->seen % DLPI_STEPS_KEPT];
    const double before = s->size[(s->seen - back) % DLPI_STEPS_KEPT];
    const double shrink = log(now / before) / back;
    if (!(shrink < 0)) return 0;
    return fmin(fmax(log(tol / now) / shrink, 1), most);
}

int dlpi_iteration_before(int iteration)
{
    const int third = iteration - 2 * iteration / 3;
    return third < 2 ? 2 : third;
}

double dlpi_iterations_left(int iteration, double now, double then, double tol)
{
    if (iteration < 3 || !(tol > 0 && now > 0 && then > 0)) return 0;
    const double ratio = (double)iteration / dlpi_iteration_before(iteration);
    const double seen = SEEN * log(then / now) / log(ratio);
    const double power = fmin(fmax(seen, LEAST_POWER), USUAL_POWER);
    return fmax(iteration * (pow(now / tol, 1 / power) - 1), 1);
}

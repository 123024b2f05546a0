/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The steps of EM shrink as a power of the iteration, i^-p, and not geometrically: fast
 * directions converge first and leave ever slower ones. We estimate p between a third of
 * the iterations and now. A large p comes from the fast directions, so we cap it at the
 * usual power for the rest.
 */
#include "infer/iterations_left.h"

#include <math.h>

static const double USUAL_POWER = 1.25, LEAST_POWER = 0.3, SEEN = 1.15;

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

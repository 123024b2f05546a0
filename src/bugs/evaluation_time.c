/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/evaluation_time.h"

#include "density/program.h"

#include <math.h>

/* About the nanoseconds of a program for so many rows with jets of so many numbers. */
static double time_of(const dlpi_group *g, double rows, double batches, double jet)
{
    const double begin = 15; /* an instruction's work on a number, whatever its rows */
    return g->slots.body.n * jet * (begin * batches + rows);
}

/* Of log p, and with its second derivatives. */
static void time_group(const dlpi_groups *groups, const dlpi_group *g, double time[2])
{
    const double n = (double)g->n, L = (double)groups->plan->L;
    bool pairs = false;
    for (dlp_index l = 0; g->leaf && l < groups->plan->L; l++)
        pairs = pairs || groups->plan->leaf_cell[2 * l + 1] >= 0;
    const double nodes = !g->leaf ? 1 : pairs ? 200 : 25, steps = g->leaf ? 4 : 0;
    const double batches = g->leaf ? L * (steps + 4) : ceil(n / DLPI_BATCH);
    const double jet = dlpi_jet_size(g->slots.k, 2);
    time[0] += time_of(g, n * (nodes + steps * jet), batches, 1);
    time[1] += time_of(g, n * (nodes + steps), batches, jet);
}

double dlpi_evaluation_time(const dlpi_groups *groups)
{
    const double steps = 6; /* of a search for x */
    const dlpi_plan *plan = groups->plan;
    double time[2] = {0, 0};
    for (int k = 0; k < groups->n; k++) time_group(groups, &groups->of[k], time);
    const double solve =
        plan->n && plan->m ? steps * (time[1] + 100 * (double)plan->n) : 0;
    return 500 + time[0] * (plan->L ? 3 : 1) + solve;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/evaluation_time.h"

#include "density/program.h"

#include <math.h>

/* About how many times the work of a sum an operation takes, whatever its derivatives:
   counted, not measured, so that the same model has the same points everywhere. */
static double work_of(int op)
{
    switch (op) {
    case DLPI_OP_EXP:
    case DLPI_OP_LOG:
    case DLPI_OP_LOG1P_EXP:
    case DLPI_OP_ILOGIT:
    case DLPI_OP_LOGIT: return 5;
    case DLPI_OP_POW:
    case DLPI_OP_LOG1M_EXP:
    case DLPI_OP_LOG_ADD_EXP:
    case DLPI_OP_CLOGLOG:
    case DLPI_OP_ICLOGLOG: return 10;
    case DLPI_OP_PHI:
    case DLPI_OP_LOG_PHI:
    case DLPI_OP_PROBIT:
    case DLPI_OP_LGAMMA:
    case DLPI_OP_DIGAMMA: return 20;
    case DLPI_OP_P_GAMMA:
    case DLPI_OP_Q_GAMMA:
    case DLPI_OP_P_BETA: return 100;
    default: return op >= DLPI_OP_SIN && op <= DLPI_OP_TANH ? 10 : 0;
    }
}

/* About the nanoseconds of a program for so many rows with jets of so many numbers. */
static double time_of(const dlpi_group *g, double rows, double batches, double jet)
{
    const double begin = 15; /* an instruction's work on a number, whatever its rows */
    const dlpi_program *p = &g->slots.body;
    double work = 0;
    for (int i = 0; i < p->n; i++) work += work_of(p->code[i].op);
    return p->n * jet * (begin * batches + rows) + work * rows;
}

/* Of log p, and with its second derivatives. */
static void time_group(const dlpi_groups *groups, const dlpi_group *g, double time[2])
{
    const dlpi_plan *plan = groups->plan;
    const double L = (double)plan->classes;
    const double n = (double)g->n * (g->leaf ? L / (double)plan->L : 1);
    bool pairs = false;
    for (dlp_index l = 0; g->leaf && l < plan->L; l++)
        pairs = pairs || plan->leaf_cell[2 * l + 1] >= 0;
    const double nodes = !g->leaf ? 1 : pairs ? 200 : 25, steps = g->leaf ? 4 : 0;
    const double batches = g->leaf ? L * (steps + 4) : ceil(n / DLPI_BATCH);
    const double jet = dlpi_jet_size(g->slots.k, 2);
    time[0] += time_of(g, n * (nodes + steps * jet), batches, 1);
    time[1] += time_of(g, n * (nodes + steps), batches, jet);
}

double dlpi_evaluation_time(const dlpi_groups *groups)
{
    const double steps = 2; /* of a search for x, which begins near by */
    const dlpi_plan *plan = groups->plan;
    double time[2] = {0, 0};
    for (int k = 0; k < groups->n; k++) time_group(groups, &groups->of[k], time);
    const double solve =
        plan->n && plan->m ? steps * (time[1] + 100 * (double)plan->n) : 0;
    return 500 + time[0] * (plan->L ? 3 : 1) + solve;
}

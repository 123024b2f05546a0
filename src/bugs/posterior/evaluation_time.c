/* SPDX-License-Identifier: BSD-3-Clause */
#include "bugs/posterior/evaluation_time.h"

#include "core/core.h"
#include "density/program.h"

#include <math.h>

/* Roughly how much more work an operation is than an addition, apart from its
   derivatives: counted, not measured, so that the same model has the same points
   everywhere. */
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

/* How many numbers a program's jets to second order have; the slots are the inputs after
   those of the data. */
static double numbers_of(const dlpi_slots *slots)
{
    const dlpi_program *p = &slots->body;
    int *slot = dlpi_calloc(p->n_inputs + 1, sizeof *slot);
    if (!slot) return (double)p->n * dlpi_jet_size(slots->k, 2);
    for (int i = 0; i < p->n_inputs; i++) {
        const int which = i - (p->n_inputs - slots->k);
        slot[i] = which >= 0 ? which : -1;
    }
    const double numbers = dlpi_program_numbers(p, slots->k, 2, slot);
    free(slot);
    return numbers;
}

/* Roughly the nanoseconds of a program, given its rows and the numbers in its jets. */
static double time_of(const dlpi_group *g, double rows, double batches, double numbers)
{
    const double begin = 15; /* an instruction's work on a number, whatever its rows */
    const dlpi_program *p = &g->slots.body;
    double work = 0;
    for (int i = 0; i < p->n; i++) work += work_of(p->code[i].op);
    return numbers * (begin * batches + rows) + work * rows;
}

/* The time of log p alone, and with its second derivatives. */
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
    const double plain = g->slots.body.n, numbers = numbers_of(&g->slots);
    time[0] += time_of(g, n * (nodes + steps * numbers / plain), batches, plain);
    time[1] += time_of(g, n * (nodes + steps), batches, numbers);
}

/* The steps that a search for x takes. */
static double time_by_steps(const dlpi_groups *groups, double steps)
{
    const dlpi_plan *plan = groups->plan;
    double time[2] = {0, 0};
    for (int k = 0; k < groups->n; k++) time_group(groups, &groups->of[k], time);
    const double solve =
        plan->n && plan->m ? steps * (time[1] + 100 * (double)plan->n) : 0;
    return 500 + time[0] * (plan->L ? 3 : 1) + solve;
}

double dlpi_search_time(const dlpi_groups *groups, double evaluations)
{
    return time_by_steps(groups, evaluations);
}

double dlpi_evaluation_time(const dlpi_groups *groups)
{
    return time_by_steps(groups, groups->plan->gaussian ? 2 : 4);
}

double dlpi_exploration_time(const dlpi_groups *groups)
{
    return time_by_steps(groups, groups->plan->gaussian ? 2 : 8);
}
